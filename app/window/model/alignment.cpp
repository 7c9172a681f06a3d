// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/alignment.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace warpglass {

namespace {

class AlignmentText {
    Q_DECLARE_TR_FUNCTIONS(Alignment)
};

constexpr int mostLines = 12;

struct Kind {
    const char* key;
    const char* label;
    bool (*is)(const Event&);
};

constexpr Kind kinds[] = {
    {"branch", QT_TRANSLATE_NOOP("Alignment", "first branch"),
     [](const Event& e) { return e.kind == EventKind::Branch; }},
    {"divergence", QT_TRANSLATE_NOOP("Alignment", "first divergent branch"),
     [](const Event& e) { return e.kind == EventKind::Branch && !e.taken.empty() && e.taken != e.active; }},
    {"barrier", QT_TRANSLATE_NOOP("Alignment", "first arrival at a barrier"),
     [](const Event& e) { return e.kind == EventKind::BarrierArrive; }},
    {"release", QT_TRANSLATE_NOOP("Alignment", "first barrier that opens"),
     [](const Event& e) { return e.kind == EventKind::BarrierLeave; }},
    {"access", QT_TRANSLATE_NOOP("Alignment", "first memory access"),
     [](const Event& e) { return e.kind == EventKind::Access; }},
    {"shuffle", QT_TRANSLATE_NOOP("Alignment", "first shuffle"),
     [](const Event& e) { return e.kind == EventKind::Shuffle; }},
    {"launch", QT_TRANSLATE_NOOP("Alignment", "first launch by the device"),
     [](const Event& e) { return e.kind == EventKind::Launch; }},
    {"exit", QT_TRANSLATE_NOOP("Alignment", "first exit"), [](const Event& e) { return e.kind == EventKind::Exit; }},
};

// The line of the kernel's own source that a site stands for; 0 = unknown.
std::uint32_t lineOf(const Trace& trace, std::uint32_t site) {
    const Site& s = trace.sites[site];
    return s.where.empty() ? 0 : s.where.back().line;
}

// When a trace first comes to each kind of place and to each line of its kernel: one walk over the events for all.
struct Firsts {
    std::array<std::optional<Time>, std::size(kinds)> byKind;
    std::map<std::uint32_t, Time> byLine;
};

Firsts firstsOf(const Trace& trace) {
    std::vector<std::uint32_t> lines;
    for (std::uint32_t s = 0; s < trace.sites.size(); ++s)
        lines.push_back(trace.sites[s].kernel == 0 ? lineOf(trace, s) : 0);
    std::vector<std::optional<Time>> byLine(
        lines.empty() ? 1 : std::size_t(*std::max_element(lines.begin(), lines.end())) + 1);
    Firsts firsts;
    const auto earlier = [](std::optional<Time>& at, Time t) {
        if (!at || t < *at)
            at = t;
    };
    for (const Warp& w : trace.warps)
        for (std::uint32_t n = 0; n < w.eventCount; ++n) {
            const Event e = trace.event(w, n);
            for (std::size_t k = 0; k < std::size(kinds); ++k)
                if (kinds[k].is(e))
                    earlier(firsts.byKind[k], e.time);
            earlier(byLine[lines[e.site]], e.time);
        }
    for (std::uint32_t line = 1; line < byLine.size(); ++line)
        if (byLine[line])
            firsts.byLine[line] = *byLine[line];
    return firsts;
}

bool sameSource(const Trace& a, const Trace& b) {
    return !a.kernels.empty() && !b.kernels.empty() && a.kernels.front().name == b.kernels.front().name &&
           a.kernels.front().source == b.kernels.front().source && !a.kernels.front().source.empty();
}

} // namespace

std::optional<Time> firstAt(const Trace& trace, const QString& key) {
    if (key == QLatin1String("start"))
        return trace.range().begin;
    const Firsts firsts = firstsOf(trace);
    if (key.startsWith(QLatin1String("line:"))) {
        const auto at = firsts.byLine.find(key.mid(5).toUInt());
        return at == firsts.byLine.end() ? std::nullopt : std::optional(at->second);
    }
    for (std::size_t k = 0; k < std::size(kinds); ++k)
        if (key == QLatin1String(kinds[k].key))
            return firsts.byKind[k];
    return std::nullopt;
}

std::optional<Time> shiftAt(const Trace& a, const Trace& b, const QString& key) {
    const std::optional<Time> first = firstAt(a, key), second = firstAt(b, key);
    if (!first || !second)
        return std::nullopt;
    return *second - *first;
}

QVector<AlignmentChoice> alignmentChoices(const Trace& a, const Trace& b) {
    QVector<AlignmentChoice> choices{{QStringLiteral("start"), AlignmentText::tr("start")}};
    const Firsts first = firstsOf(a), second = firstsOf(b);
    for (std::size_t k = 0; k < std::size(kinds); ++k)
        if (first.byKind[k] && second.byKind[k])
            choices.append({QString::fromLatin1(kinds[k].key), AlignmentText::tr(kinds[k].label)});
    if (!sameSource(a, b))
        return choices;
    int left = mostLines;
    for (const auto& [line, time] : first.byLine)
        if (left > 0 && second.byLine.count(line)) {
            choices.append({QStringLiteral("line:%1").arg(line), AlignmentText::tr("line %1").arg(line)});
            --left;
        }
    return choices;
}

} // namespace warpglass
