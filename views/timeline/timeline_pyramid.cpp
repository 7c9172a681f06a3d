// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_pyramid.h"

#include <array>
#include <bit>

namespace warpglass {

void TimelineColumns::reset(std::size_t columns, int categories) {
    m_categories = categories;
    m_share.assign(columns * std::size_t(categories), 0.0f);
    m_count.assign(columns, 0);
    m_any.assign(columns, 0);
    m_all.assign(columns, ~0u);
}

float TimelineColumns::busy(std::size_t c) const {
    float sum = 0;
    for (int k = 0; k < m_categories; ++k)
        sum += share(c, k);
    return sum;
}

int TimelineColumns::dominant(std::size_t c) const {
    if (m_count[c] == 0)
        return -1;
    int best = 0;
    for (int k = 1; k < m_categories; ++k)
        if (share(c, k) > share(c, best))
            best = k;
    return best;
}

TimelinePyramid::TimelinePyramid(int categories, TimeRange range)
    : m_categories(categories), m_origin(range.begin.value) {
    // The coarsest unit that keeps a node's times in 32 bits: nothing is lost up to 4 seconds of nanoseconds.
    m_shift = std::max(0, int(std::bit_width(std::uint64_t(std::max<std::int64_t>(0, range.length().value)))) - 32);
}

void TimelinePyramid::add(const TimelineItem& item) {
    const auto begin = std::uint32_t(std::max<std::int64_t>(0, item.begin.value - m_origin) >> m_shift);
    const auto end = std::uint32_t(
        (std::max<std::int64_t>(0, item.end.value - m_origin) + (std::int64_t(1) << m_shift) - 1) >> m_shift);
    if (m_items % timelineBaseFanOut == 0) {
        m_nodes.push_back({begin, end, 0, ~0u});
        m_times.insert(m_times.end(), std::size_t(m_categories), 0.0f);
    }
    Node& node = m_nodes.back();
    node.end = std::max(node.end, end);
    node.any |= item.lanes.bits;
    node.all &= item.lanes.bits;
    m_times[m_times.size() - std::size_t(m_categories) + item.category] += float((item.end - item.begin).value);
    ++m_items;
}

void TimelinePyramid::finish() {
    m_levels.clear();
    if (m_items == 0)
        return;
    m_levels.push_back({0, m_nodes.size()});
    while (m_levels.back().count > 1) {
        const Level below = m_levels.back();
        const std::size_t first = m_nodes.size();
        for (std::size_t i = 0; i < below.count; i += timelineFanOut) {
            Node sum = m_nodes[below.first + i];
            std::array<float, timelineCategories> times{};
            for (std::size_t j = i; j < std::min<std::size_t>(i + timelineFanOut, below.count); ++j) {
                const Node& child = m_nodes[below.first + j];
                sum.end = std::max(sum.end, child.end);
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
    m_nodes.shrink_to_fit();
    m_times.shrink_to_fit();
}

std::size_t TimelinePyramid::bytes() const {
    return m_nodes.capacity() * sizeof(Node) + m_times.capacity() * sizeof(float);
}

std::uint32_t TimelinePyramid::itemsUnder(std::size_t level, std::size_t node) const {
    const std::uint64_t each = timelineBaseFanOut << (2 * level); // fan-out 4 = two bits a level
    return std::uint32_t(std::min<std::uint64_t>(each, m_items - node * each));
}

} // namespace warpglass
