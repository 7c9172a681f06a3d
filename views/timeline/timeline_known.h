// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of blocks whose warps were not recorded: that they ran, where, and from when to when.
//
// A recording follows some blocks; of the others it has the span alone. Where they ran the device was not idle, and a
// picture that leaves them out says so. Spans are kept as two sorted lists of moments with running sums, so that the
// warps that ran on average in any column are two look-ups each, however far one zooms in.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace warpglass {

class KnownSpans {
public:
    void add(TimeRange span, std::uint32_t warps) {
        m_starts.changes.push_back({span.begin.value, double(warps)});
        m_ends.changes.push_back({span.end.value, double(warps)});
    }
    void finish(); // after the last add
    bool empty() const { return m_starts.changes.empty(); }
    // Warps that ran on average in each of so many equal parts of the window.
    std::vector<float> average(TimeRange window, std::size_t columns) const;
    std::size_t bytes() const;

private:
    struct Moments {
        std::vector<std::pair<std::int64_t, double>> changes; // time, warps; by time
        std::vector<double> warps, area;                      // [n]: of the first n, and times time since the first
        std::int64_t origin = 0;
        void finish(std::int64_t from);
        double until(double t) const; // warps x time from each change up to t
    };
    Moments m_starts, m_ends;
};

// How many warps there were at once: what the averages of columns, smoothed as they are, can only come near to.
class WarpsAtOnce {
public:
    void add(TimeRange span, std::uint32_t warps) {
        if (span.end > span.begin && warps > 0) {
            m_changes.push_back({span.begin.value, std::int64_t(warps)});
            m_changes.push_back({span.end.value, -std::int64_t(warps)});
        }
    }
    void finish(); // after the last add
    // The most at any moment of the window.
    std::uint64_t most(TimeRange window) const;
    std::size_t bytes() const;

private:
    std::vector<std::pair<std::int64_t, std::int64_t>> m_changes; // time, warps from then on; one a time
    std::vector<std::int64_t> m_tops;                             // the most of each stretch of changes
};

// Stretches of time in which recorded warps lived, one after the other; a pause shorter than a tenth of what was
// recorded together does not part them.
std::vector<TimeRange> recordedStretches(const Trace& trace);

} // namespace warpglass
