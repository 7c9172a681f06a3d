// SPDX-License-Identifier: GPL-3.0-or-later
// One row of the timeline, summed up: sixteen items to a node, four nodes to a node of the next level, and so on.
//
// The foot comes from the trace (gpu/trace/pyramid.h); the levels above are built when it is known which warps a row
// shows. A picture walks down from the top and stops at the first node that is not wider than a pixel or two, so its
// cost follows the pixels and not the events. Only where a node of the foot is wider than that are its items asked for:
// they are few then, and may have to be unpacked first. A node takes 20 bytes and 4 a category: 2.3 bytes an event in
// all.
#pragma once

#include "gpu/base/lane_mask.h"
#include "gpu/base/time.h"
#include "gpu/trace/pyramid.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace warpglass {

inline constexpr int timelineCategories = 16;    // at most; a pyramid uses the first few
inline constexpr std::size_t timelineFanOut = 4; // nodes a node of the level above
// Pixels; wider nodes are taken apart, others spread evenly over the two or three pixels they lie in. With 1.0 nobody sees
// a difference, and a frame costs half as much again.
inline constexpr double timelineNodeWidth = 2;

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

    std::size_t size() const { return m_size; }
    int categories() const { return m_categories; }
    float share(std::size_t c, int k) const { return m_share[c * std::size_t(m_categories) + std::size_t(k)]; }
    std::uint32_t count(std::size_t c) const { return m_touched[c].count; }
    LaneMask any(std::size_t c) const { return {m_touched[c].any}; }
    LaneMask all(std::size_t c) const { return {m_touched[c].all}; }
    float busy(std::size_t c) const;
    // The category that filled most of the column, -1 if nothing happened in it. Something that happens in an otherwise
    // idle pixel shows: it is what one looks for.
    int dominant(std::size_t c) const;

    void addShare(std::size_t c, int k, float share) {
        m_share[c * std::size_t(m_categories) + std::size_t(k)] += share;
    }
    void touch(std::size_t c, std::uint32_t count, std::uint32_t any, std::uint32_t all) {
        Touched& t = m_touched[c];
        t.count += count;
        t.any |= any;
        t.all &= all;
    }
    void add(const TimelineColumns& other); // of the same size and categories
    // Something from one place to another (in columns, also outside), evenly over the columns between.
    void spread(double from, double to, const float* pixels, std::uint32_t count, std::uint32_t any,
                std::uint32_t all) {
        spread(from, to, count, any, all, [&](std::size_t c, float part) {
            for (int k = 0; k < m_categories; ++k)
                addShare(c, k, pixels[k] * part);
        });
    }
    // The same of one category.
    void spreadOne(double from, double to, int category, float pixels, std::uint32_t lanes) {
        spread(from, to, 1, lanes, lanes, [&](std::size_t c, float part) { addShare(c, category, pixels * part); });
    }
    // The same of two categories, for what lies inside the columns and is not wider than two of them. Nearly all nodes
    // are like that, and where their borders lie is chance: what takes no branches takes half the time.
    void spreadNarrow(double from, double to, float first, float second, std::uint32_t count, std::uint32_t any,
                      std::uint32_t all);

private:
    struct Touched {
        std::uint32_t count = 0, any = 0, all = ~0u;
    };
    static constexpr std::size_t beyond = 2; // columns more than there are, for spreadNarrow()

    template <typename Put>
    void spread(double from, double to, std::uint32_t count, std::uint32_t any, std::uint32_t all, const Put& put);

    int m_categories = 2;
    std::size_t m_size = 0;
    std::vector<float> m_share; // [column][category]
    std::vector<Touched> m_touched;
};

template <typename Put>
void TimelineColumns::spread(double from, double to, std::uint32_t count, std::uint32_t any, std::uint32_t all,
                             const Put& put) {
    const auto columns = std::ptrdiff_t(size());
    if (!(to >= 0 && from < double(columns)))
        return;
    const auto give = [&](std::ptrdiff_t c, float part) {
        put(std::size_t(c), part);
        touch(std::size_t(c), count, any, all);
    };
    const auto first = from < 0 ? std::ptrdiff_t(-1) : std::ptrdiff_t(from);
    const auto last = std::ptrdiff_t(std::min(to, double(columns)));
    if (first == last || to <= from) { // inside one column
        give(std::max<std::ptrdiff_t>(first, 0), 1.0f);
        return;
    }
    const double perPixel = 1.0 / (to - from);
    if (first + 1 == last && first >= 0) { // over one border
        const auto part = float((double(last) - from) * perPixel);
        give(first, part);
        if (last < columns && part < 1.0f)
            give(last, 1.0f - part);
        return;
    }
    for (std::ptrdiff_t c = std::max<std::ptrdiff_t>(first, 0); c < columns && double(c) < to; ++c)
        give(c, float((std::min(to, double(c) + 1) - std::max(from, double(c))) * perPixel));
}

inline void TimelineColumns::spreadNarrow(double from, double to, float first, float second, std::uint32_t count,
                                          std::uint32_t any, std::uint32_t all) {
    constexpr double least = 1e-9; // what has no width is in its first column
    const auto c = std::size_t(from);
    const double border = double(c) + 1;
    const double here = std::max(std::min(to, border) - from, least);
    const double next = std::clamp(to - border, 0.0, 1.0), last = std::max(to - border - 1, 0.0);
    const double perPixel = 1.0 / std::max(to - from, least);
    float* share = m_share.data() + 2 * c;
    Touched* touched = m_touched.data() + c;
    const auto give = [&](std::size_t n, double width) {
        const auto part = float(width * perPixel);
        share[2 * n] += first * part;
        share[2 * n + 1] += second * part;
        const std::uint32_t mask = width > 0 ? ~0u : 0u;
        touched[n].count += count & mask;
        touched[n].any |= any & mask;
        touched[n].all &= all | ~mask;
    };
    give(0, here);
    give(1, next);
    give(2, last);
}

// Fills columns with items one by one. Most items end in the column in which the one before ended, so what belongs to a
// column is added up first, and put into it when the next column begins.
class TimelineFiller {
public:
    TimelineFiller(TimeRange window, TimelineColumns& columns)
        : m_window(window), m_columns(columns), m_perTime(double(columns.size()) / double(window.length().value)) {}
    ~TimelineFiller() { flush(); }
    TimelineFiller(const TimelineFiller&) = delete;
    TimelineFiller& operator=(const TimelineFiller&) = delete;

    void add(Time begin, Time end, std::size_t category, std::uint32_t lanes) {
        const double from = double(begin.value - m_window.begin.value), to = double(end.value - m_window.begin.value);
        if (from >= m_begin && to < m_end) {
            m_time[category] += to - from;
            ++m_count;
            m_any |= lanes;
            m_all &= lanes;
            return;
        }
        flush();
        begins(from, to, category, lanes);
    }

private:
    void flush();
    // An item over the border of a column, after which the one that it ends in is the column to add to.
    void begins(double from, double to, std::size_t category, std::uint32_t lanes);

    TimeRange m_window;
    TimelineColumns& m_columns;
    double m_perTime;              // pixels a time unit
    double m_begin = 1, m_end = 0; // of the column to add to, since the window's begin; none yet
    std::size_t m_column = 0;
    double m_time[timelineCategories] = {};
    std::uint32_t m_count = 0, m_any = 0, m_all = ~0u;
};

// Items of one row, in time order, not overlapping; gaps between them are idle time.
class TimelinePyramid {
public:
    explicit TimelinePyramid(int categories = 2, TimeRange range = {}); // range: holds all items

    void reserve(std::size_t footNodes);
    // A node of the foot: what it covers, of how many items; times: how long each category lasted.
    void addNode(TimeRange covers, std::uint32_t items, LaneMask any, LaneMask all, std::span<const float> times);
    void add(const TimelineItem& item); // or item by item: each sixteen make a node
    void finish();                      // builds the levels above the foot

    std::size_t footNodes() const { return m_levels.empty() ? 0 : m_levels.front().count; }
    // Items of the foot nodes [first, end) that meet the window, at most: from the nodes alone.
    std::uint64_t itemsAbout(std::size_t first, std::size_t end, TimeRange window) const;
    std::size_t bytes() const;

    // Adds the items' share to the columns, which cover equal parts of the window. itemsIn(node, filler) adds the items
    // of one node of the foot to the filler; it is asked only where that is wider than a pixel or two.
    template <typename ItemsIn>
    void accumulate(TimeRange window, TimelineColumns& columns, const ItemsIn& itemsIn) const;
    // The same from nodes alone: those of the foot are spread evenly over what they cover.
    void accumulate(TimeRange window, TimelineColumns& columns) const;

private:
    struct Node {
        std::uint32_t begin = 0, end = 0; // from the range's begin, in 2^m_shift units; end rounded up
        std::uint32_t count = 0;          // items
        std::uint32_t any = 0, all = ~0u;
    };
    struct Level {
        std::size_t first = 0, count = 0;
    };
    // The window in node units, and pixels a unit.
    struct View {
        double begin = 0, scale = 0;
        float perTime = 0; // pixels a time unit
        // The same for comparing: the first unit inside, the first one behind, the widest node that is spread.
        std::uint32_t first = 0, behind = 0, widest = 0;
    };

    std::uint32_t unitsDown(Time time) const;
    std::uint32_t unitsUp(Time time) const;
    template <typename Foot>
    void walk(std::size_t level, std::size_t first, std::size_t end, const View& view, TimelineColumns& columns,
              const Foot& foot) const;
    View viewOf(TimeRange window, const TimelineColumns& columns) const;
    void spreadNode(std::size_t at, const View& view, TimelineColumns& columns) const;

    int m_categories = 2;
    std::int64_t m_origin = 0;
    int m_shift = 0;
    std::uint32_t m_open = 0;    // items in the node that add() fills
    std::vector<Node> m_nodes;   // level after level once finished
    std::vector<float> m_times;  // m_categories a node, in time units
    std::vector<Level> m_levels; // [0] the foot
};

inline void TimelinePyramid::spreadNode(std::size_t at, const View& view, TimelineColumns& columns) const {
    const Node& node = m_nodes[at];
    const float* times = m_times.data() + at * std::size_t(m_categories);
    const double from = (node.begin - view.begin) * view.scale, to = (node.end - view.begin) * view.scale;
    if (m_categories == 2 && from >= 0 && to <= double(columns.size()) && to - from <= 2) {
        columns.spreadNarrow(from, to, times[0] * view.perTime, times[1] * view.perTime, node.count, node.any,
                             node.all);
        return;
    }
    float pixels[timelineCategories];
    for (int k = 0; k < m_categories; ++k)
        pixels[k] = times[k] * view.perTime;
    columns.spread(from, to, pixels, node.count, node.any, node.all);
}

template <typename Foot>
void TimelinePyramid::walk(std::size_t level, std::size_t first, std::size_t end, const View& view,
                           TimelineColumns& columns, const Foot& foot) const {
    const std::size_t base = m_levels[level].first;
    for (std::size_t n = first; n < end; ++n) {
        const Node& node = m_nodes[base + n];
        if (node.end <= view.first || node.begin >= view.behind)
            continue;
        if (node.end - node.begin <= view.widest)
            spreadNode(base + n, view, columns);
        else if (level > 0)
            walk(level - 1, n * timelineFanOut, std::min((n + 1) * timelineFanOut, m_levels[level - 1].count), view,
                 columns, foot);
        else
            foot(n);
    }
}

template <typename ItemsIn>
void TimelinePyramid::accumulate(TimeRange window, TimelineColumns& columns, const ItemsIn& itemsIn) const {
    if (m_levels.empty() || columns.size() == 0 || window.length().value <= 0)
        return;
    TimelineFiller filler(window, columns);
    walk(m_levels.size() - 1, 0, m_levels.back().count, viewOf(window, columns), columns,
         [&](std::size_t node) { itemsIn(node, filler); });
}

} // namespace warpglass
