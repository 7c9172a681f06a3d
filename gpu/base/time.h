// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

namespace warpglass {

// A moment or a length on a trace's one device-wide axis. The unit is the trace's (TraceInfo::timeUnit): nanoseconds on
// a GPU and in the timing model, steps in a purely functional run. Never made a float before the start of the visible
// window has been subtracted.
struct Time {
    std::int64_t value = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): it means the 0 of the comparison that the compiler writes
    constexpr auto operator<=>(const Time&) const = default;
    constexpr Time operator+(Time o) const { return {value + o.value}; }
    constexpr Time operator-(Time o) const { return {value - o.value}; }
};

struct TimeRange {
    Time begin, end; // half open
    constexpr bool contains(Time t) const { return begin <= t && t < end; }
    constexpr Time length() const { return end - begin; }
    constexpr bool operator==(const TimeRange&) const = default;
};

} // namespace warpglass
