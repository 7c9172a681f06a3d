// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_pyramid.h"

#include <algorithm>

namespace warpglass {

int TimelineColumn::dominant() const {
    int best = -1;
    float most = 1.0f - busy();
    for (int k = 0; k < timelineCategories; ++k)
        if (share[std::size_t(k)] > 0 && share[std::size_t(k)] >= most) {
            most = share[std::size_t(k)];
            best = k;
        }
    // A pixel in which anything at all happens is not drawn empty: the busiest category shows.
    if (best < 0 && count > 0)
        best = int(std::max_element(share.begin(), share.end()) - share.begin());
    return best;
}

float TimelineColumn::busy() const {
    float sum = 0;
    for (float s : share)
        sum += s;
    return sum;
}

void TimelinePyramid::append(const Node& node, const float* times) {
    m_nodes.push_back(node);
    m_times.insert(m_times.end(), times, times + m_categories);
}

void TimelinePyramid::add(const TimelineItem& item) {
    if (m_items % timelineFanOut == 0) {
        const float none[timelineCategories] = {};
        append({item.begin, item.end, 0, LaneMask::none(), LaneMask::all()}, none);
    }
    Node& node = m_nodes.back();
    node.end = std::max(node.end, item.end);
    ++node.count;
    node.any = node.any | item.lanes;
    node.all = node.all & item.lanes;
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
            sum.count = 0;
            for (std::size_t j = i; j < std::min<std::size_t>(i + timelineFanOut, below.count); ++j) {
                const Node& child = m_nodes[below.first + j];
                sum.end = std::max(sum.end, child.end);
                sum.count += child.count;
                sum.any = sum.any | child.any;
                sum.all = sum.all & child.all;
                for (int k = 0; k < m_categories; ++k)
                    times[std::size_t(k)] += m_times[(below.first + j) * std::size_t(m_categories) + std::size_t(k)];
            }
            append(sum, times.data());
        }
        m_levels.push_back({first, m_nodes.size() - first});
    }
    m_nodes.shrink_to_fit();
    m_times.shrink_to_fit();
}

std::size_t TimelinePyramid::bytes() const {
    return m_nodes.capacity() * sizeof(Node) + m_times.capacity() * sizeof(float);
}

void TimelinePyramid::spread(Time begin, Time end, const float* times, std::uint32_t count, LaneMask any, LaneMask all,
                             TimeRange window, double perUnit, std::span<TimelineColumn> columns) const {
    const double from = double((begin - window.begin).value) * perUnit;
    const double to = double((end - window.begin).value) * perUnit;
    const double length = double((end - begin).value);
    const auto last = std::ptrdiff_t(columns.size()) - 1;
    std::ptrdiff_t c = std::clamp<std::ptrdiff_t>(std::ptrdiff_t(from), 0, last);
    if (length <= 0) { // an instant: nothing lasts, but it happened
        if (from >= 0 && from < double(columns.size()))
            ++columns[std::size_t(c)].count;
        return;
    }
    for (; c <= last && double(c) < to; ++c) {
        const double part =
            (std::min(to, double(c) + 1) - std::max(from, double(c))) / (to - from); // of the item, in this column
        TimelineColumn& column = columns[std::size_t(c)];
        for (int k = 0; k < m_categories; ++k)
            column.share[std::size_t(k)] += float(double(times[k]) * perUnit * part);
        column.count += count;
        column.any = column.any | any;
        column.all = column.all & all;
    }
}

} // namespace warpglass
