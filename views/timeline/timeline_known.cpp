// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_known.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

void KnownSpans::Moments::finish(std::int64_t from) {
    origin = from;
    std::sort(changes.begin(), changes.end());
    warps.assign(changes.size() + 1, 0.0);
    area.assign(changes.size() + 1, 0.0);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        warps[i + 1] = warps[i] + changes[i].second;
        area[i + 1] = area[i] + changes[i].second * double(changes[i].first - origin);
    }
}

double KnownSpans::Moments::until(double t) const {
    const auto after = std::upper_bound(changes.begin(), changes.end(), t,
                                        [this](double at, const auto& c) { return at < double(c.first - origin); });
    const auto n = std::size_t(after - changes.begin());
    return warps[n] * t - area[n];
}

void KnownSpans::finish() {
    if (empty())
        return;
    const auto first =
        std::min_element(m_starts.changes.begin(), m_starts.changes.end())->first; // differences fit a double
    m_starts.finish(first);
    m_ends.finish(first);
}

std::vector<float> KnownSpans::average(TimeRange window, std::size_t columns) const {
    std::vector<float> shares;
    if (empty() || columns == 0 || window.length().value <= 0)
        return shares;
    shares.reserve(columns);
    const double begin = double(window.begin.value - m_starts.origin);
    const double step = double(window.length().value) / double(columns);
    double before = m_starts.until(begin) - m_ends.until(begin);
    for (std::size_t c = 1; c <= columns; ++c) {
        const double t = begin + double(c) * step, now = m_starts.until(t) - m_ends.until(t);
        shares.push_back(float(std::max(0.0, (now - before) / step)));
        before = now;
    }
    return shares;
}

std::size_t KnownSpans::bytes() const {
    const auto of = [](const Moments& m) {
        return m.changes.capacity() * sizeof(m.changes[0]) + (m.warps.capacity() + m.area.capacity()) * sizeof(double);
    };
    return of(m_starts) + of(m_ends);
}

std::vector<TimeRange> recordedStretches(const Trace& trace) {
    std::vector<TimeRange> spans;
    for (const Block& block : trace.blocks)
        if (block.warpCount > 0)
            spans.push_back({block.start, block.end});
    std::sort(spans.begin(), spans.end(), [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
    std::vector<TimeRange> stretches;
    for (const TimeRange span : spans) {
        const bool joins =
            !stretches.empty() && span.begin.value <= stretches.back().end.value + stretches.back().length().value / 10;
        if (joins)
            stretches.back().end = std::max(stretches.back().end, span.end);
        else
            stretches.push_back(span);
    }
    return stretches;
}

} // namespace warpglass
