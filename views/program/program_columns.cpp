// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_columns.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr double ownMark = 2; // px from which an operation is a mark of its own

// The column of pixels that is being filled.
class Column {
public:
    void take(const RowItem& item, double pixel, bool chosen, std::vector<Mark>& out) {
        if (!m_open || pixel != m_mark.left)
            close(out);
        const std::int64_t ns = item.end - item.start;
        if (!m_open) {
            m_open = true;
            m_mark = {.left = pixel, .width = 1, .operation = item.operation, .count = 0, .kind = item.kind, .busy = 0};
            m_longest = -1;
            m_ns = 0;
            m_of.fill(0);
        }
        ++m_mark.count;
        m_ns += ns;
        // One more, so that what took no time counts for something.
        m_of[std::size_t(item.kind)] += ns + 1;
        if (ns > m_longest) {
            m_longest = ns;
            m_mark.operation = item.operation;
        }
        m_mark.chosen = m_mark.chosen || chosen;
        m_mark.recorded = m_mark.recorded || item.recorded;
        m_mark.failed = m_mark.failed || item.failed;
    }
    void close(std::vector<Mark>& out) {
        if (!m_open)
            return;
        m_open = false;
        m_mark.kind = program::OperationKind(std::max_element(m_of.begin(), m_of.end()) - m_of.begin());
        m_mark.busy = float(std::min(1.0, double(m_ns) / nsOfPixel));
        out.push_back(m_mark);
    }
    double nsOfPixel = 1;

private:
    bool m_open = false;
    Mark m_mark;
    std::int64_t m_longest = -1, m_ns = 0;
    std::array<std::int64_t, 8> m_of{}; // [kind] ns
};

} // namespace

std::vector<Mark> marksOf(const RowLine& line, const TimeAxis& axis, std::uint32_t kernel) {
    std::vector<Mark> marks;
    const std::int64_t begin = axis.window.begin.value, end = axis.window.end.value;
    Column column;
    const double perNs = axis.width / double(std::max<std::int64_t>(1, end - begin));
    column.nsOfPixel = 1 / perNs;
    const double right = axis.left + axis.width;
    for (std::size_t n = line.firstFrom(begin); n < line.items.size(); ++n) {
        const RowItem& item = line.items[n];
        if (item.start >= end)
            break;
        if (item.end < begin)
            continue;
        const bool chosen = kernel != noIndex && item.kernel == kernel;
        const double from = std::max(axis.left, axis.left + double(item.start - begin) * perNs);
        const double width = std::min(right, axis.left + double(item.end - begin) * perNs) - from;
        if (width < ownMark) {
            column.take(item, std::floor(std::min(from, right - 1)), chosen, marks);
            continue;
        }
        column.close(marks);
        marks.push_back({.left = from,
                         .width = width,
                         .operation = item.operation,
                         .count = 1,
                         .kind = item.kind,
                         .busy = 1,
                         .chosen = chosen,
                         .recorded = item.recorded,
                         .failed = item.failed});
    }
    column.close(marks);
    return marks;
}

const Mark* markAt(const std::vector<Mark>& marks, double x, double reach) {
    const Mark* best = nullptr;
    double distance = reach;
    auto at = std::lower_bound(marks.begin(), marks.end(), x - reach,
                               [](const Mark& m, double left) { return m.left < left; });
    // A wide mark begins far to the left of the pointer: the one before is looked at, too.
    if (at != marks.begin())
        --at;
    for (; at != marks.end() && at->left <= x + reach; ++at) {
        const double away = x < at->left ? at->left - x : std::max(0.0, x - (at->left + at->width));
        if (away < distance || (away == 0 && best == nullptr)) {
            distance = away;
            best = &*at;
        }
    }
    return best;
}

} // namespace warpglass
