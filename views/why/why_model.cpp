// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/why_model.h"

#include "gpu/metrics/why_words.h"
#include "views/common/sentences.h"
#include "views/why/why_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr std::uint64_t eventsLookedAt = 500'000; // for a warp that comes to a line

QString upperFirst(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QString codeLine(const std::string& text, std::uint32_t line) {
    return QString::fromStdString(text).section(QLatin1Char('\n'), int(line) - 1, int(line) - 1).trimmed();
}

// Limits of the launch as a whole, which no line pays for.
bool isOfLines(Limit limit) {
    switch (limit) {
    case Limit::Tensor:
    case Limit::CopyEngine:
    case Limit::Registers:
    case Limit::Shared:
    case Limit::Threads:
    case Limit::Tail:
    case Limit::Launch:
        return false;
    default:
        return true;
    }
}

} // namespace

QString whyTime(double ns) {
    return QString::fromStdString(nsText(ns));
}

std::vector<WhyRow> whyRows(const Why& why) {
    const QString now = WhyText::tr("as it is");
    std::vector<WhyRow> rows{{WhyRow::Kind::AsIs, 0, QStringLiteral("as-is"), now, now, why.ns, 0}};
    const auto add = [&](WhyRow::Kind kind, std::size_t limit, const QString& key, const QString& what, double ns) {
        rows.push_back({kind, limit, key, WhyText::tr("without %1").arg(what), what, ns, why.saved(ns)});
    };
    for (std::size_t n = 0; n < why.limits.size(); ++n)
        if (const WhyLimit& limit = why.limits[n]; why.worth(limit))
            add(WhyRow::Kind::Limit, n, QString::fromStdString(std::string(name(limit.limit))),
                sentence(wordsOf(limit.limit)), limit.ns);
    if (!why.whole)
        return rows;
    if (why.pair)
        add(WhyRow::Kind::Pair, 0, QStringLiteral("pair"), WhyText::tr("the best two"), why.pair->ns);
    add(WhyRow::Kind::Floor, 0, QStringLiteral("all"), WhyText::tr("all limits"), why.floorNs);
    return rows;
}

std::size_t chosenRow(const std::vector<WhyRow>& rows, const Options& options) {
    const QString key = options.value(QLatin1String(whyLimitOption)).toString();
    for (std::size_t n = 0; n < rows.size(); ++n)
        if (rows[n].key == key)
            return n;
    return rows.size() > 1 && rows[1].kind == WhyRow::Kind::Limit ? 1 : 0;
}

WhyDetails whyDetails(const Why& why, const WhyRow& row) {
    WhyDetails details;
    switch (row.kind) {
    case WhyRow::Kind::AsIs:
        details.heading = WhyText::tr("As it is");
        for (const Said& said : {pipelineSentence(why), idleSms(why)})
            if (why.whole && !said.empty())
                details.sentence += sentence(said) + QLatin1Char(' ');
        details.sentence += WhyText::tr(
            "Each bar below is the same launch on a device that lacks one limit. Results and counts stay the "
            "same, only the time changes; savings overlap and do not add up.");
        return details;
    case WhyRow::Kind::Pair:
        details.heading = WhyText::tr("The two that save most together");
        details.sentence = sentence(sentence(why, *why.pair));
        return details;
    case WhyRow::Kind::Floor:
        details.heading = WhyText::tr("What no limit is to blame for");
        details.sentence = sentence(floorSentence(why));
        return details;
    case WhyRow::Kind::Limit:
        break;
    }
    const WhyLimit& limit = why.limits[row.limit];
    const Kernel& kernel = why.trace->kernelOf(why.trace->launches.front());
    details.heading = upperFirst(sentence(wordsOf(limit.limit)));
    details.sentence = sentence(sentence(why, limit));
    details.note = sentence(heldToHardware(limit.limit));
    for (const WhyLine& line : limit.lines)
        details.lines.push_back({sentence(name(why, line)),
                                 codeLine(why.fromSource ? kernel.source : kernel.ptx, line.line),
                                 upperFirst(sentence(finding(why, limit, line))), line.share});
    if (!why.whole)
        details.noLines = WhyText::tr("Which lines pay for it is asked once all limits are known.");
    else if (details.lines.empty())
        details.noLines = isOfLines(limit.limit)
                              ? WhyText::tr("No single line stands out.")
                              : WhyText::tr("No line pays for it alone: it is a matter of the launch "
                                            "as a whole.");
    return details;
}

Choice<WhyShow> whyShow() {
    return {"show",
            WhyText::tr("show"),
            {{WhyShow::Limits, "limits", WhyText::tr("what each limit costs")},
             {WhyShow::Timelines, "timelines", WhyText::tr("both timelines")}}};
}

Selection selectionOf(const Why& why, const WhyLine& line, const Trace& trace, Selection selection) {
    const Kernel& kernel = trace.kernelOf(trace.launches.front());
    selection.ptxLine = line.ptxLines.empty() ? 0 : line.ptxLines.front();
    selection.sourceLine = why.fromSource ? line.line : sourceLineOf(kernel, line.line);
    const auto comes = [&](std::uint32_t warp, std::uint64_t& left) -> std::optional<Time> {
        const Warp& w = trace.warps[warp];
        for (std::uint32_t n = 0; n < w.eventCount && left > 0; ++n, --left) {
            const Event event = trace.event(w, n);
            if (std::binary_search(line.ptxLines.begin(), line.ptxLines.end(), trace.sites[event.site].ptxLine))
                return event.time;
        }
        return std::nullopt;
    };
    // The warp that is looked at, if it comes there; else the first one that does.
    std::uint64_t left = eventsLookedAt;
    std::uint32_t warp = warpToShow(selection, trace);
    std::optional<Time> when = warp < trace.warps.size() ? comes(warp, left) : std::nullopt;
    for (std::uint32_t w = 0; !when && w < trace.warps.size() && left > 0; ++w)
        if (when = comes(w, left); when)
            warp = w;
    if (when) {
        selection.warp = warp;
        selection.block = trace.warps[warp].block;
        selection.time = *when;
        selection.motion = {};
    }
    return completed(selection, trace);
}

bool isSelected(const Why& why, const WhyLine& line, const Selection& selection) {
    if (selection.ptxLine)
        return std::binary_search(line.ptxLines.begin(), line.ptxLines.end(), selection.ptxLine);
    return why.fromSource && selection.sourceLine && selection.sourceLine == line.line;
}

double measuredNs(const Trace* recording) {
    if (!recording || recording->info.timeOrigin != Origin::Measured || recording->launches.empty())
        return 0;
    const Launch& launch = recording->launches.front();
    const double clean = recording->kernelOf(launch).cleanDurationNs;
    return clean > 0 ? clean : double((launch.end - launch.start).value);
}

double pinnedNs(const Trace* pinned) {
    return pinned && pinned->timings.size() == 1 ? pinned->timings.front().durationNs : 0;
}

} // namespace warpglass
