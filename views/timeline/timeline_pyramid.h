// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/lane_mask.h"
#include "gpu/base/time.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace warpglass {

inline constexpr int timelineCategories = 16; // of which a pyramid uses the first few
inline constexpr std::uint64_t timelineFanOut = 16;

// Something that lasts: from one event to the next, or a row of the state table.
struct TimelineItem {
    Time begin, end;
    std::uint8_t category = 0;
    LaneMask lanes;
};

// What a pixel column shows of a row: how long each category lasted in it, how many items touched it, lanes on in any
// and all.
struct TimelineColumn {
    std::array<float, timelineCategories> share{}; // in pixels: the shares of a column add up to at most 1
    std::uint32_t count = 0;
    LaneMask any = LaneMask::none(), all = LaneMask::all();

    int dominant() const; // category, or -1 if idle lasted longest
    float busy() const;
};

// Sixteen items to a node, sixteen nodes to a node of the next level, and so on. Items of one row, in time order, not
// overlapping; gaps between them are idle time.
class TimelinePyramid {
public:
    explicit TimelinePyramid(int categories = 2) : m_categories(categories) {}

    void add(const TimelineItem& item); // items must come in order
    void finish();                      // builds the coarser levels

    std::uint64_t items() const { return m_items; }
    std::size_t bytes() const;

    // Adds the items' share to columns: column c covers [begin + c * length/n, begin + (c+1) * length/n). itemAt(i)
    // gives the i-th item; it is asked only for items about a pixel wide or wider.
    template <typename ItemAt>
    void accumulate(TimeRange window, std::span<TimelineColumn> columns, const ItemAt& itemAt) const;

private:
    struct Node {
        Time begin, end;
        std::uint32_t count = 0;
        LaneMask any, all;
    };
    struct Level {
        std::size_t first = 0, count = 0;
    };

    void append(const Node& node, const float* times);
    void spread(Time begin, Time end, const float* times, std::uint32_t count, LaneMask any, LaneMask all,
                TimeRange window, double perUnit, std::span<TimelineColumn> columns) const;
    template <typename ItemAt>
    void visit(int level, std::size_t node, TimeRange window, double perUnit, std::span<TimelineColumn> columns,
               const ItemAt& itemAt) const;

    int m_categories = 2;
    std::uint64_t m_items = 0;
    std::vector<Node> m_nodes;   // level after level once finished
    std::vector<float> m_times;  // m_categories a node
    std::vector<Level> m_levels; // [0] finest
};

template <typename ItemAt>
void TimelinePyramid::visit(int level, std::size_t node, TimeRange window, double perUnit,
                            std::span<TimelineColumn> columns, const ItemAt& itemAt) const {
    const std::size_t at = m_levels[std::size_t(level)].first + node;
    const Node& here = m_nodes[at];
    if (here.end <= window.begin || here.begin >= window.end)
        return;
    if (double((here.end - here.begin).value) * perUnit <= 1.0) {
        spread(here.begin, here.end, &m_times[at * std::size_t(m_categories)], here.count, here.any, here.all, window,
               perUnit, columns);
        return;
    }
    if (level > 0) {
        const std::size_t end =
            std::min<std::size_t>((node + 1) * timelineFanOut, m_levels[std::size_t(level) - 1].count);
        for (std::size_t child = node * timelineFanOut; child < end; ++child)
            visit(level - 1, child, window, perUnit, columns, itemAt);
        return;
    }
    const std::uint64_t end = std::min<std::uint64_t>((node + 1) * timelineFanOut, m_items);
    for (std::uint64_t i = node * timelineFanOut; i < end; ++i) {
        const TimelineItem item = itemAt(i);
        if (item.end <= window.begin || item.begin >= window.end)
            continue;
        float times[timelineCategories] = {};
        times[item.category] = float((item.end - item.begin).value);
        spread(item.begin, item.end, times, 1, item.lanes, item.lanes, window, perUnit, columns);
    }
}

template <typename ItemAt>
void TimelinePyramid::accumulate(TimeRange window, std::span<TimelineColumn> columns, const ItemAt& itemAt) const {
    if (m_levels.empty() || columns.empty() || window.length().value <= 0)
        return;
    const double perUnit = double(columns.size()) / double(window.length().value);
    const int top = int(m_levels.size()) - 1;
    for (std::size_t node = 0; node < m_levels.back().count; ++node)
        visit(top, node, window, perUnit, columns, itemAt);
}

} // namespace warpglass
