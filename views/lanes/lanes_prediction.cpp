// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/lanes_prediction.h"

#include "views/common/agreeing.h"
#include "views/common/ticks.h"
#include "views/lanes/lanes_state.h"
#include "views/lanes/lanes_text.h"
#include "views/lanes/scene.h"

#include <map>

namespace warpglass {

namespace {

bool isWanted(const WarpBranches& model, const Selection& selection, const Branch& branch) {
    const auto there = [&](auto matches) { return std::any_of(model.branches.begin(), model.branches.end(), matches); };
    if (selection.ptxLine && there([&](const Branch& b) { return b.ptxLine == selection.ptxLine; }))
        return branch.ptxLine == selection.ptxLine;
    if (selection.sourceLine && there([&](const Branch& b) { return b.sourceLine == selection.sourceLine; }))
        return branch.sourceLine == selection.sourceLine;
    return true;
}

QString questionOf(const Branch& branch, BranchLayer layer) {
    if (layer == BranchLayer::Ptx)
        return LanesText::tr("Which lanes jump at this branch?");
    if (branch.backward)
        return LanesText::tr("Which lanes go round the loop once more?");
    if (branch.fallLine > branch.sourceLine)
        return LanesText::tr("Which lanes go on into line %1?").arg(branch.fallLine);
    return LanesText::tr("Which lanes go on into what follows this branch?");
}

} // namespace

std::optional<Prediction> lanesPrediction(const PaintContext& context) {
    const Trace& trace = *context.trace;
    const LanesState state = lanesState(context.options);
    const std::uint32_t warp = warpToShow(completed(context.selection, trace), trace);
    if (state.machine() || warp == noIndex)
        return std::nullopt;
    const BranchLayer layer = state.branches();
    const WarpBranches model = branchesOf(trace, warp);
    const Warp& row = trace.warps[warp];
    std::map<std::size_t, std::pair<LaneMask, LaneMask>> last; // of each branch: who came, who jumped
    for (const std::uint32_t number : model.all) {
        const Event event = trace.event(row, number);
        const std::size_t at = branchOfEvent(trace, model, number);
        const Branch& branch = model.branches[at];
        const auto masks = std::pair(event.active, event.taken & event.active);
        const auto before = last.find(at);
        const bool known = before != last.end() && before->second == masks;
        last[at] = masks;
        if (event.time <= context.selection.time || known || !isWanted(model, context.selection, branch))
            continue;
        const LaneSplit split = splitAt(trace, model, number, layer);
        Prediction p;
        p.asked = Asked::Items;
        p.moment = event.time;
        p.ptxLine = branch.ptxLine;
        p.columns = lanesPerWarp;
        const bool jump = layer == BranchLayer::Ptx;
        PredictionWords& w = p.words;
        w.question = questionOf(branch, layer);
        const Kernel& kernel = trace.kernelOf(trace.launchOf(trace.blockOf(row)));
        w.code = jump ? codeLine(kernel, 0, branch.ptxLine) : codeLine(kernel, branch.sourceLine, branch.ptxLine);
        const Block& block = trace.blockOf(row);
        w.given << LanesText::tr("Warp %1 of block %2; threads %3 to %4 of the block; block of %5.")
                       .arg(row.warpInBlock)
                       .arg(blockIndexText(trace, block))
                       .arg(row.warpInBlock * lanesPerWarp)
                       .arg(row.warpInBlock * lanesPerWarp + row.liveLanes.count() - 1)
                       .arg(QString::fromStdString(trace.launchOf(block).block.text()));
        if (event.active != row.liveLanes)
            w.given << LanesText::tr("%1 of its lanes come to this branch.").arg(event.active.count());
        w.counted = LanesText::tr("%1 of %2 lanes right");
        w.all = LanesText::tr("All %1 lanes right");
        w.missed = jump ? LanesText::tr("%1: jump") : LanesText::tr("%1: go on");
        w.wrong = jump ? LanesText::tr("%1: do not jump") : LanesText::tr("%1: do not go on");
        w.yes = jump ? LanesText::tr("jumps") : LanesText::tr("goes on");
        w.no = jump ? LanesText::tr("does not jump") : LanesText::tr("does not go on");
        w.name = LanesText::tr("lane %1");
        w.names = LanesText::tr("lanes %1");
        for (int lane = 0; lane < lanesPerWarp; ++lane) {
            PredictedItem item;
            item.label = item.name = QString::number(lane);
            item.open = event.active.has(lane);
            if (!item.open)
                item.closed = split.exited.has(lane)   ? LanesText::tr("lane %1 has ended").arg(lane)
                              : split.absent.has(lane) ? LanesText::tr("lane %1 holds no thread").arg(lane)
                                                       : LanesText::tr("lane %1 is on another path").arg(lane);
            p.items.append(item);
            if (split.chosen.has(lane))
                p.truth.insert(lane);
        }
        const int on = split.chosen.count(), off = split.other.count();
        w.truth =
            split.diverges()
                ? agreeing(
                      LanesText::tr(
                          "%1 {lane goes|lanes go} one way, %2 the other: the warp diverges and walks both paths."),
                      on, off)
            : on ? LanesText::tr("All that came go the same way, on: the warp does not diverge.")
                 : LanesText::tr("All that came go the same way, past it: the warp does not diverge.");
        p.origin = trace.info.backend == BackendKind::Cuda ? Origin::Measured : Origin::Counted;
        return p;
    }
    return std::nullopt;
}

} // namespace warpglass
