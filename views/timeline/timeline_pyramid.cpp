// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_pyramid.h"

#include <array>
#include <bit>
#include <cmath>

namespace warpglass {

void TimelineColumns::reset(std::size_t columns, int categories) {
    m_categories = categories;
    m_size = columns;
    m_share.assign((columns + beyond) * std::size_t(categories), 0.0f);
    m_touched.assign(columns + beyond, {});
}

float TimelineColumns::busy(std::size_t c) const {
    float sum = 0;
    for (int k = 0; k < m_categories; ++k)
        sum += share(c, k);
    return sum;
}

int TimelineColumns::dominant(std::size_t c) const {
    if (m_touched[c].count == 0)
        return -1;
    int best = 0;
    for (int k = 1; k < m_categories; ++k)
        if (share(c, k) > share(c, best))
            best = k;
    return best;
}

void TimelineColumns::add(const TimelineColumns& other) {
    for (std::size_t i = 0; i < m_share.size(); ++i)
        m_share[i] += other.m_share[i];
    for (std::size_t c = 0; c < m_size; ++c)
        touch(c, other.m_touched[c].count, other.m_touched[c].any, other.m_touched[c].all);
}

void TimelineFiller::flush() {
    if (m_count == 0)
        return;
    for (int k = 0; k < m_columns.categories(); ++k) {
        m_columns.addShare(m_column, k, float(m_time[k] * m_perTime));
        m_time[k] = 0;
    }
    m_columns.touch(m_column, m_count, m_any, m_all);
    m_count = m_any = 0;
    m_all = ~0u;
}

void TimelineFiller::begins(double from, double to, std::size_t category, std::uint32_t lanes) {
    m_begin = 1;
    m_end = 0;
    const double length = double(m_window.length().value);
    if (to <= 0 || from >= length)
        return;
    m_columns.spreadOne(from * m_perTime, to * m_perTime, int(category), float((to - from) * m_perTime), lanes);
    const auto column = std::size_t(to * m_perTime);
    if (column >= m_columns.size())
        return;
    m_column = column;
    m_begin = double(column) / m_perTime;
    m_end = double(column + 1) / m_perTime;
}

TimelinePyramid::TimelinePyramid(int categories, TimeRange range)
    : m_categories(categories), m_origin(range.begin.value) {
    // The coarsest unit that keeps a node's times in 32 bits: nothing is lost up to 4 seconds of nanoseconds.
    m_shift = std::max(0, int(std::bit_width(std::uint64_t(std::max<std::int64_t>(0, range.length().value)))) - 32);
}

std::uint32_t TimelinePyramid::unitsDown(Time time) const {
    if (time.value <= m_origin)
        return 0;
    return std::uint32_t(
        std::min<std::uint64_t>((std::uint64_t(time.value) - std::uint64_t(m_origin)) >> m_shift, ~0u));
}

std::uint32_t TimelinePyramid::unitsUp(Time time) const {
    if (time.value <= m_origin)
        return 0;
    const std::uint64_t passed = std::uint64_t(time.value) - std::uint64_t(m_origin);
    return std::uint32_t(std::min<std::uint64_t>(((passed - 1) >> m_shift) + 1, ~0u));
}

void TimelinePyramid::reserve(std::size_t footNodes) {
    std::size_t all = 0;
    for (std::size_t level = footNodes; level > 0;
         level = level > 1 ? (level + timelineFanOut - 1) / timelineFanOut : 0)
        all += level;
    m_nodes.reserve(all);
    m_times.reserve(all * std::size_t(m_categories));
}

void TimelinePyramid::addNode(TimeRange covers, std::uint32_t items, LaneMask any, LaneMask all,
                              std::span<const float> times) {
    m_nodes.push_back({unitsDown(covers.begin), unitsUp(covers.end), items, any.bits, all.bits});
    m_times.insert(m_times.end(), times.begin(), times.begin() + m_categories);
}

void TimelinePyramid::add(const TimelineItem& item) {
    if (m_open == 0) {
        m_nodes.push_back({unitsDown(item.begin), 0, 0, 0, ~0u});
        m_times.insert(m_times.end(), std::size_t(m_categories), 0.0f);
    }
    m_open = (m_open + 1) % pyramidFoot;
    Node& node = m_nodes.back();
    node.end = std::max(node.end, unitsUp(item.end));
    ++node.count;
    node.any |= item.lanes.bits;
    node.all &= item.lanes.bits;
    m_times[m_times.size() - std::size_t(m_categories) + item.category] += float((item.end - item.begin).value);
}

void TimelinePyramid::finish() {
    m_levels.clear();
    if (m_nodes.empty())
        return;
    reserve(m_nodes.size());
    m_levels.push_back({0, m_nodes.size()});
    while (m_levels.back().count > 1) {
        const Level below = m_levels.back();
        const std::size_t first = m_nodes.size();
        for (std::size_t i = 0; i < below.count; i += timelineFanOut) {
            Node sum = m_nodes[below.first + i];
            std::array<float, timelineCategories> times{};
            sum.count = 0;
            for (std::size_t j = i; j < std::min(i + timelineFanOut, below.count); ++j) {
                const Node& child = m_nodes[below.first + j];
                sum.end = std::max(sum.end, child.end);
                sum.count += child.count;
                sum.any |= child.any;
                sum.all &= child.all;
                for (int k = 0; k < m_categories; ++k)
                    times[std::size_t(k)] += m_times[(below.first + j) * std::size_t(m_categories) + std::size_t(k)];
            }
            m_nodes.push_back(sum);
            m_times.insert(m_times.end(), times.begin(), times.begin() + m_categories);
        }
        m_levels.push_back({first, m_nodes.size() - first});
    }
}

std::uint64_t TimelinePyramid::itemsAbout(std::size_t first, std::size_t end, TimeRange window) const {
    const std::uint32_t from = unitsDown(window.begin), to = unitsUp(window.end);
    const auto begin = m_nodes.begin() + std::ptrdiff_t(first), last = m_nodes.begin() + std::ptrdiff_t(end);
    const auto here = std::partition_point(begin, last, [&](const Node& node) { return node.end <= from; });
    const auto beyond = std::partition_point(here, last, [&](const Node& node) { return node.begin < to; });
    return std::uint64_t(beyond - here) * pyramidFoot;
}

std::size_t TimelinePyramid::bytes() const {
    return m_nodes.capacity() * sizeof(Node) + m_times.capacity() * sizeof(float);
}

TimelinePyramid::View TimelinePyramid::viewOf(TimeRange window, const TimelineColumns& columns) const {
    const double perTime = double(columns.size()) / double(window.length().value);
    const double unit = double(std::int64_t(1) << m_shift);
    const double begin = double(window.begin.value - m_origin) / unit, end = double(window.end.value - m_origin) / unit;
    const auto units = [](double at) { return std::uint32_t(std::clamp(at, 0.0, 4294967295.0)); };
    return {begin,
            perTime * unit,
            float(perTime),
            units(std::floor(begin)),
            units(std::ceil(end)),
            units(std::floor(timelineNodeWidth / (perTime * unit)))};
}

void TimelinePyramid::accumulate(TimeRange window, TimelineColumns& columns) const {
    if (m_levels.empty() || columns.size() == 0 || window.length().value <= 0)
        return;
    const View view = viewOf(window, columns);
    walk(m_levels.size() - 1, 0, m_levels.back().count, view, columns,
         [&](std::size_t node) { spreadNode(node, view, columns); });
}

} // namespace warpglass
