// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/alignment.h"

#include <QCoreApplication>

#include <set>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Alignment", text);
}

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

template <typename Wanted>
std::optional<Time> first(const Trace& trace, Wanted&& wanted) {
    std::optional<Time> found;
    for (const Warp& w : trace.warps) {
        for (std::uint32_t n = 0; n < w.eventCount; ++n) {
            const Event e = trace.event(w, n);
            if (found && e.time >= *found)
                break; // events of a warp come in order
            if (wanted(e)) {
                found = e.time;
                break;
            }
        }
    }
    return found;
}

bool sameSource(const Trace& a, const Trace& b) {
    return !a.kernels.empty() && !b.kernels.empty() && a.kernels.front().name == b.kernels.front().name &&
           a.kernels.front().source == b.kernels.front().source && !a.kernels.front().source.empty();
}

std::set<std::uint32_t> linesOf(const Trace& trace) {
    std::set<std::uint32_t> lines;
    for (std::uint32_t s = 0; s < trace.sites.size(); ++s)
        if (trace.sites[s].kernel == 0 && lineOf(trace, s) != 0)
            lines.insert(lineOf(trace, s));
    return lines;
}

} // namespace

std::optional<Time> firstAt(const Trace& trace, const QString& key) {
    if (key == QLatin1String("start"))
        return trace.range().begin;
    if (key.startsWith(QLatin1String("line:"))) {
        const std::uint32_t line = key.mid(5).toUInt();
        if (line == 0)
            return std::nullopt;
        return first(trace,
                     [&](const Event& e) { return trace.sites[e.site].kernel == 0 && lineOf(trace, e.site) == line; });
    }
    for (const Kind& kind : kinds)
        if (key == QLatin1String(kind.key))
            return first(trace, kind.is);
    return std::nullopt;
}

std::optional<Time> shiftAt(const Trace& a, const Trace& b, const QString& key) {
    const std::optional<Time> first = firstAt(a, key), second = firstAt(b, key);
    if (!first || !second)
        return std::nullopt;
    return *second - *first;
}

QVector<AlignmentChoice> alignmentChoices(const Trace& a, const Trace& b) {
    QVector<AlignmentChoice> choices{{QStringLiteral("start"), tr("start")}};
    for (const Kind& kind : kinds) {
        const QString key = QString::fromLatin1(kind.key);
        if (shiftAt(a, b, key))
            choices.append({key, tr(kind.label)});
    }
    if (!sameSource(a, b))
        return choices;
    const std::set<std::uint32_t> others = linesOf(b);
    int left = mostLines;
    for (const std::uint32_t line : linesOf(a)) {
        const QString key = QStringLiteral("line:%1").arg(line);
        if (left > 0 && others.count(line) && shiftAt(a, b, key)) {
            choices.append({key, tr("line %1").arg(line)});
            --left;
        }
    }
    return choices;
}

} // namespace warpglass
