// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked is read from the launch table alone: who launched, at which depth, and what became of it.
#include "views/launchtree/launchtree_prediction.h"

#include "gpu/base/messages/emulator.h"
#include "views/common/agreeing.h"
#include "views/common/old_sentences.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"
#include "views/launchtree/launchtree_text.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpglass {

namespace {

constexpr std::uint32_t mostItems = 64;           // to be marked one by one
constexpr std::uint64_t mostAnswered = 9'999'999; // tells nothing of the answer

// The launches of a depth.
struct Depth {
    std::uint32_t first = noIndex; // that ran, and before all others of its depth
    std::uint64_t launched = 0, dropped = 0;
    Time last;   // when the last of them began, or was dropped
    Said reason; // of the first dropped one
};

// How many may wait, if a launch was dropped for that: the emulator tells the launch's own limit with each launch that it
// drops.
QString roomText(const Said& reason) {
    const Message told = reason.isTyped() ? reason.message() : oldPending(reason.text());
    if (told.id != say::TooManyPending.id)
        return {};
    return LaunchTreeText::tr("A launch that finds no room among those that wait is dropped: of this launch's limit of "
                              "%1, %2 may wait.")
        .arg(numberText(std::get<std::uint64_t>(told.arguments[1])),
             numberText(std::get<std::uint64_t>(told.arguments[0])));
}

std::vector<Depth> depthsOf(const Trace& trace) {
    std::vector<Depth> depths;
    for (std::uint32_t i = 0; i < trace.launches.size(); ++i) {
        const Launch& launch = trace.launches[i];
        if (launch.depth >= depths.size())
            depths.resize(std::size_t(launch.depth) + 1);
        Depth& depth = depths[launch.depth];
        ++depth.launched;
        depth.last = std::max(depth.last, launch.start);
        if (launch.status == LaunchStatus::Dropped) {
            if (depth.dropped++ == 0)
                depth.reason = launch.reason;
        } else if (depth.first == noIndex || launch.start < trace.launches[depth.first].start) {
            depth.first = i;
        }
    }
    return depths;
}

std::vector<std::uint32_t> childrenOf(const Trace& trace, std::uint32_t parent) {
    std::vector<std::uint32_t> children;
    for (std::uint32_t i = 0; i < trace.launches.size(); ++i)
        if (trace.launches[i].parentLaunch == parent)
            children.push_back(i);
    return children;
}

QString gridText(const Trace& trace, const Launch& launch) {
    return QString::fromStdString(trace.kernelOf(launch).name) + QLatin1Char(' ') + shapeText(launch);
}

// The line that launches: of the first child, or of the one that launched the grid itself, if that is the same kernel.
void tellCode(Prediction& p, const Trace& trace, std::uint32_t parent, const std::vector<std::uint32_t>& children) {
    const Launch& grid = trace.launches[parent];
    std::uint32_t site = children.empty() ? noIndex : trace.launches[children.front()].site;
    if (children.empty() && grid.parentLaunch < trace.launches.size() &&
        trace.launches[grid.parentLaunch].kernel == grid.kernel)
        site = grid.site;
    if (site >= trace.sites.size())
        return;
    p.words.code = codeLine(trace.kernelOf(grid), sourceLineOf(trace.kernelOf(grid), trace.sites[site].ptxLine),
                            trace.sites[site].ptxLine);
    p.ptxLine = trace.sites[site].ptxLine;
}

QString whereText(const Trace& trace, const Launch& launch) {
    if (launch.parentLaunch >= trace.launches.size() || launch.parentBlock == noIndex)
        return LaunchTreeText::tr("Depth %1: %2, from the host.").arg(launch.depth).arg(gridText(trace, launch));
    const Launch& parent = trace.launches[launch.parentLaunch];
    return LaunchTreeText::tr("Depth %1: %2, launched by block %3 of %4.")
        .arg(launch.depth)
        .arg(gridText(trace, launch), indexText(parent.grid.at(launch.parentBlock), parent.grid),
             gridText(trace, parent));
}

QString launchedText(const Trace& trace, const std::vector<std::uint32_t>& children) {
    if (children.empty())
        return LaunchTreeText::tr("It launches none: here the tree ends.");
    const auto dropped = std::count_if(children.begin(), children.end(), [&](std::uint32_t child) {
        return trace.launches[child].status == LaunchStatus::Dropped;
    });
    const QString all = agreeing(LaunchTreeText::tr("It launches %1 {grid|grids}"), numberText(children.size()));
    return (dropped ? LaunchTreeText::tr("%1, of which %2 never run.").arg(all, numberText(std::uint64_t(dropped)))
                    : LaunchTreeText::tr("%1.").arg(all));
}

// Which parts of the grid launch one. Nothing where it is not known who did, or there is only one who could.
std::optional<Prediction> whoLaunches(const Trace& trace, std::uint32_t parent) {
    const Launch& grid = trace.launches[parent];
    const std::vector<std::uint32_t> children = childrenOf(trace, parent);
    if (std::any_of(children.begin(), children.end(), [&](std::uint32_t child) {
            return trace.launches[child].parentBlock == noIndex || trace.launches[child].parentThread == noIndex;
        }))
        return std::nullopt;
    const bool ofBlocks = grid.grid.count() > 1;
    const std::uint64_t count = ofBlocks ? grid.grid.count() : grid.block.count();
    if (count < 2)
        return std::nullopt;
    Prediction p;
    p.origin = Origin::Counted;
    PredictionWords& w = p.words;
    w.given << whereText(trace, grid);
    tellCode(p, trace, parent, children);
    w.yes = LaunchTreeText::tr("launches a grid");
    w.no = LaunchTreeText::tr("launches none");
    w.truth = launchedText(trace, children);
    const auto launcherOf = [&](std::uint32_t child) {
        const Launch& launch = trace.launches[child];
        return ofBlocks ? launch.parentBlock : launch.parentThread;
    };
    std::set<int> launchers;
    for (const std::uint32_t child : children)
        launchers.insert(int(launcherOf(child)));
    if (count > mostItems) {
        p.asked = Asked::Number;
        p.number = launchers.size();
        p.most = mostAnswered;
        w.question = (ofBlocks ? LaunchTreeText::tr("How many of the %1 blocks of this grid launch a grid?")
                               : LaunchTreeText::tr("How many of the %1 threads of this grid launch a grid?"))
                         .arg(numberText(count));
        return p;
    }
    p.asked = Asked::Items;
    constexpr int inARow = 8;
    p.columns = int(std::min<std::uint64_t>(count, inARow));
    p.truth = std::move(launchers);
    const Dim3& shape = ofBlocks ? grid.grid : grid.block;
    for (std::uint32_t i = 0; i < count; ++i) {
        const QString name = shape.y * shape.z > 1 ? indexText(shape.at(i), shape) : QString::number(i);
        p.items << PredictedItem{.label = name, .name = name};
    }
    if (ofBlocks) {
        w.question = LaunchTreeText::tr("Which blocks of this grid launch a grid?");
        w.counted = LaunchTreeText::tr("%1 of %2 blocks right");
        w.all = LaunchTreeText::tr("all %1 blocks right");
        w.name = LaunchTreeText::tr("block %1");
        w.names = LaunchTreeText::tr("blocks %1");
    } else {
        w.question = LaunchTreeText::tr("Which threads of this grid launch a grid?");
        w.counted = LaunchTreeText::tr("%1 of %2 threads right");
        w.all = LaunchTreeText::tr("all %1 threads right");
        w.name = LaunchTreeText::tr("thread %1");
        w.names = LaunchTreeText::tr("threads %1");
    }
    w.missed = LaunchTreeText::tr("%1 launched one");
    w.wrong = LaunchTreeText::tr("%1 launched none");
    return p;
}

Prediction howMany(const QString& question, std::uint64_t number) {
    Prediction p;
    p.asked = Asked::Number;
    p.origin = Origin::Counted;
    p.number = number;
    p.most = mostAnswered;
    p.words.question = question;
    p.words.yes = LaunchTreeText::tr("a grid");
    p.words.no = LaunchTreeText::tr("none");
    return p;
}

// How many grids a depth has, if more than one grid of the depth above may launch them.
std::optional<Prediction> howManyAt(const std::vector<Depth>& depths, std::size_t depth) {
    const Depth &above = depths[depth - 1], &here = depths[depth];
    const std::uint64_t parents = above.launched - above.dropped;
    if (parents < 2)
        return std::nullopt;
    Prediction p =
        howMany(LaunchTreeText::tr("How many grids are launched at depth %1, the dropped ones counted?").arg(depth),
                here.launched);
    p.words.given << agreeing(LaunchTreeText::tr("%1 {grid|grids} ran at depth %2."), numberText(parents), depth - 1);
    p.words.truth = agreeing(LaunchTreeText::tr("%1 {grid|grids}: %2 for each of the %3 above, on average."),
                             numberText(here.launched), decimalText(double(here.launched) / double(parents), 2),
                             numberText(parents));
    return p;
}

std::optional<Prediction> howManyDropped(const Depth& depth, std::size_t number) {
    if (depth.dropped == 0)
        return std::nullopt;
    Prediction p =
        howMany(LaunchTreeText::tr("How many of the launches at depth %1 are dropped?").arg(number), depth.dropped);
    p.words.given << agreeing(LaunchTreeText::tr("%1 {launch|launches}."), numberText(depth.launched));
    if (const QString room = roomText(depth.reason); !room.isEmpty())
        p.words.given << room;
    p.words.truth =
        LaunchTreeText::tr("%1 ran, and %2 never did: %3.")
            .arg(numberText(depth.launched - depth.dropped), numberText(depth.dropped), sentence(depth.reason));
    return p;
}

} // namespace

bool hasUnseenLaunches(const Trace& trace) {
    return trace.info.backend == BackendKind::Cuda &&
           std::any_of(trace.launches.begin(), trace.launches.end(),
                       [](const Launch& launch) { return launch.status == LaunchStatus::Dropped; });
}

std::optional<Prediction> launchTreePrediction(const Trace& trace, const Selection& selection) {
    const std::vector<Depth> depths = depthsOf(trace);
    if (depths.size() < 2 || hasUnseenLaunches(trace))
        return std::nullopt; // nothing was launched from the device, or nobody knows how much
    Time now = trace.range().begin;
    // Each when it can be known, and after the one before it.
    const auto next = [&](std::optional<Prediction> p, Time when) {
        if (!p)
            return p;
        now = p->moment = std::max(when, now + Time{1});
        return now > selection.time ? p : std::optional<Prediction>();
    };
    for (std::size_t d = 0; d < depths.size(); ++d) {
        if (depths[d].first == noIndex)
            continue;
        const bool deeper = d + 1 < depths.size();
        const Time known = deeper ? depths[d + 1].last : trace.launches[depths[d].first].end;
        if (auto p = next(whoLaunches(trace, depths[d].first), std::min(known, trace.launches[depths[d].first].end)))
            return p;
        if (!deeper)
            continue;
        if (auto p = next(howManyAt(depths, d + 1), known))
            return p;
        if (auto p = next(howManyDropped(depths[d + 1], d + 1), known))
            return p;
    }
    return std::nullopt;
}

} // namespace warpglass
