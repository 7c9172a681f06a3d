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

namespace {
constexpr std::size_t stretch = 256; // changes whose most is known without a look at each
}

void WarpsAtOnce::finish() {
    std::sort(m_changes.begin(), m_changes.end());
    std::size_t kept = 0;
    std::int64_t now = 0;
    for (std::size_t i = 0; i < m_changes.size(); ++i) {
        now += m_changes[i].second;
        if (i + 1 == m_changes.size() || m_changes[i + 1].first != m_changes[i].first)
            m_changes[kept++] = {m_changes[i].first, now};
    }
    m_changes.resize(kept);
    m_changes.shrink_to_fit();
    for (std::size_t i = 0; i < kept; ++i) {
        if (i % stretch == 0)
            m_tops.push_back(0);
        m_tops.back() = std::max(m_tops.back(), m_changes[i].second);
    }
}

std::uint64_t WarpsAtOnce::most(TimeRange window) const {
    const auto changeAt = [this](std::int64_t t) { // the first one later than t
        return std::size_t(std::upper_bound(m_changes.begin(), m_changes.end(), t,
                                            [](std::int64_t at, const auto& change) { return at < change.first; }) -
                           m_changes.begin());
    };
    const std::size_t first = changeAt(window.begin.value);
    const std::size_t last = changeAt(std::max(window.begin.value, window.end.value - 1)); // the end is not shown
    std::int64_t most = first > 0 ? m_changes[first - 1].second : 0;
    for (std::size_t i = first; i < last;) {
        const bool whole = i % stretch == 0 && i + stretch <= last;
        most = std::max(most, whole ? m_tops[i / stretch] : m_changes[i].second);
        i += whole ? stretch : 1;
    }
    return std::uint64_t(std::max<std::int64_t>(0, most));
}

std::size_t WarpsAtOnce::bytes() const {
    return m_changes.capacity() * sizeof(m_changes[0]) + m_tops.capacity() * sizeof(m_tops[0]);
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
