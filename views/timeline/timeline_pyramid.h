// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/lane_mask.h"
#include "gpu/base/time.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace warpglass {

inline constexpr int timelineCategories = 16;          // at most; a pyramid uses the first few
inline constexpr std::uint64_t timelineBaseFanOut = 8; // items a node of the finest level
inline constexpr std::uint64_t timelineFanOut = 4;     // nodes a node of the levels above

// Something that lasts: from one event to the next, or a row of the state table.
struct TimelineItem {
    Time begin, end;
    std::uint8_t category = 0;
    LaneMask lanes;
};

// What the pixel columns of a strip show: how long each category lasted (in pixels: a row's shares add up to at most
// 1), how many items touched the column, which lanes are on in any and in all of them.
class TimelineColumns {
public:
    void reset(std::size_t columns, int categories);

    std::size_t size() const { return m_count.size(); }
    int categories() const { return m_categories; }
    float share(std::size_t c, int k) const { return m_share[c * std::size_t(m_categories) + std::size_t(k)]; }
    std::uint32_t count(std::size_t c) const { return m_count[c]; }
    LaneMask any(std::size_t c) const { return {m_any[c]}; }
    LaneMask all(std::size_t c) const { return {m_all[c]}; }
    float busy(std::size_t c) const;
    // The category that filled most of the column, -1 if nothing happened in it. Something that happens in an otherwise
    // idle pixel shows: it is what one looks for.
    int dominant(std::size_t c) const;

    void addShare(std::size_t c, int k, float share) {
        m_share[c * std::size_t(m_categories) + std::size_t(k)] += share;
    }
    void touch(std::size_t c, std::uint32_t count, std::uint32_t any, std::uint32_t all) {
        m_count[c] += count;
        m_any[c] |= any;
        m_all[c] &= all;
    }

private:
    int m_categories = 2;
    std::vector<float> m_share; // [column][category]
    std::vector<std::uint32_t> m_count, m_any, m_all;
};

// Eight items to a node, four nodes to a node of the next level, and so on. Items of one row, in time order, not
// overlapping; gaps between them are idle time. A node takes 16 bytes and 4 a category: about 4 bytes an event in all.
class TimelinePyramid {
public:
    explicit TimelinePyramid(int categories = 2, TimeRange range = {}); // range: holds all items

    void add(const TimelineItem& item); // items must come in order
    void finish();                      // builds the coarser levels

    std::uint64_t items() const { return m_items; }
    std::size_t bytes() const;

    // Adds the items' share to the columns, which cover equal parts of the window. itemsIn(first, end, callback) hands
    // over items one by one; it is asked only where a node is wider than a pixel.
    template <typename ItemsIn>
    void accumulate(TimeRange window, TimelineColumns& columns, const ItemsIn& itemsIn) const;

private:
    struct Node {
        std::uint32_t begin = 0, end = 0; // from the range's begin, in 2^m_shift units; end rounded up
        std::uint32_t any = 0, all = ~0u;
    };
    struct Level {
        std::size_t first = 0, count = 0;
    };
    // The window in node units, and pixels a unit.
    struct View {
        double begin = 0, end = 0, scale = 0;
    };

    std::uint32_t itemsUnder(std::size_t level, std::size_t node) const;
    static void spread(double from, double to, const float* pixels, int categories, std::uint32_t count,
                       std::uint32_t any, std::uint32_t all, TimelineColumns& columns);

    int m_categories = 2;
    std::int64_t m_origin = 0;
    int m_shift = 0;
    std::uint64_t m_items = 0;
    std::vector<Node> m_nodes;   // level after level once finished
    std::vector<float> m_times;  // m_categories a node, in time units
    std::vector<Level> m_levels; // [0] finest
};

inline void TimelinePyramid::spread(double from, double to, const float* pixels, int categories, std::uint32_t count,
                                    std::uint32_t any, std::uint32_t all, TimelineColumns& columns) {
    const auto size = std::ptrdiff_t(columns.size());
    if (to < 0 || from >= double(size))
        return;
    const auto put = [&](std::ptrdiff_t c, float part) {
        for (int k = 0; k < categories; ++k)
            columns.addShare(std::size_t(c), k, pixels[k] * part);
        columns.touch(std::size_t(c), count, any, all);
    };
    const auto first = from < 0 ? std::ptrdiff_t(-1) : std::ptrdiff_t(from);
    const auto last = std::ptrdiff_t(to);
    if (first == last || to <= from) { // nearly all nodes: inside one column
        put(first, 1.0f);
        return;
    }
    const double perPixel = 1.0 / (to - from);
    if (first + 1 == last && first >= 0) { // most of the others: over one border
        const auto part = float((double(last) - from) * perPixel);
        put(first, part);
        if (last < size && part < 1.0f)
            put(last, 1.0f - part);
        return;
    }
    for (std::ptrdiff_t c = std::max<std::ptrdiff_t>(first, 0); c < size && double(c) < to; ++c)
        put(c, float((std::min(to, double(c) + 1) - std::max(from, double(c))) * perPixel));
}

template <typename ItemsIn>
void TimelinePyramid::accumulate(TimeRange window, TimelineColumns& columns, const ItemsIn& itemsIn) const {
    if (m_levels.empty() || columns.size() == 0 || window.length().value <= 0)
        return;
    const double perUnit = double(columns.size()) / double(window.length().value); // pixels a time unit
    const double unit = double(std::int64_t(1) << m_shift);
    const View view{double(window.begin.value - m_origin) / unit, double(window.end.value - m_origin) / unit,
                    perUnit * unit};
    struct Place {
        std::size_t level, node;
    };
    Place stack[128];
    int depth = 0;
    for (std::size_t node = m_levels.back().count; node-- > 0;)
        stack[depth++] = {m_levels.size() - 1, node};
    float pixels[timelineCategories];
    while (depth > 0) {
        const Place here = stack[--depth];
        const std::size_t at = m_levels[here.level].first + here.node;
        const Node& node = m_nodes[at];
        if (node.end <= view.begin || node.begin >= view.end)
            continue;
        const double from = (node.begin - view.begin) * view.scale, to = (node.end - view.begin) * view.scale;
        // A node may be half a pixel wider than a pixel: the picture looks the same, and costs a third less.
        if (to - from <= 1.5) {
            for (int k = 0; k < m_categories; ++k)
                pixels[k] = float(double(m_times[at * std::size_t(m_categories) + std::size_t(k)]) * perUnit);
            spread(from, to, pixels, m_categories, itemsUnder(here.level, here.node), node.any, node.all, columns);
            continue;
        }
        if (here.level > 0) {
            const std::size_t first = here.node * timelineFanOut;
            for (std::size_t child = std::min<std::size_t>(first + timelineFanOut, m_levels[here.level - 1].count);
                 child-- > first;)
                stack[depth++] = {here.level - 1, child};
            continue;
        }
        const std::uint64_t first = here.node * timelineBaseFanOut;
        itemsIn(first, std::min<std::uint64_t>(first + timelineBaseFanOut, m_items), [&](const TimelineItem& item) {
            if (item.end <= window.begin || item.begin >= window.end)
                return;
            for (int k = 0; k < m_categories; ++k)
                pixels[k] = 0;
            pixels[item.category] = float(double((item.end - item.begin).value) * perUnit);
            spread(double((item.begin - window.begin).value) * perUnit,
                   double((item.end - window.begin).value) * perUnit, pixels, m_categories, 1, item.lanes.bits,
                   item.lanes.bits, columns);
        });
    }
}

} // namespace warpglass
