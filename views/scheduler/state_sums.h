// SPDX-License-Identifier: GPL-3.0-or-later
// How long a warp slot was in each state between two cycles: exact, from sums kept every few rows, so that a pixel
// column costs a binary search and a short walk however many rows lie under it.
#pragma once

#include "gpu/trace/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace warpglass {

inline constexpr std::size_t stateCount = std::size_t(WarpState::Count_);

// Warp-cycles by state.
struct StateTimes {
    std::array<std::int64_t, stateCount> cycles{};

    std::int64_t of(WarpState s) const { return cycles[std::size_t(s)]; }
    std::int64_t total() const;
    // The state that lasted longest, -1 if there was none. Of equals the first in NVIDIA's order: selected wins.
    int dominant() const;
    StateTimes& operator+=(const StateTimes& other);
    StateTimes operator-(const StateTimes& other) const;
};

// The state rows of the warps that follow one another in a slot, numbered through.
class SlotStates {
public:
    // warps: rows of the warp table with states, ascending in time, not overlapping.
    SlotStates() = default;
    SlotStates(const Trace& trace, std::vector<std::uint32_t> warps);

    std::uint64_t size() const { return m_first.empty() ? 0 : m_first.back(); }
    const std::vector<std::uint32_t>& warps() const { return m_warps; }
    const StateRow& row(const Trace& trace, std::uint64_t n) const;
    std::uint32_t warpOf(std::uint64_t n) const; // row of the warp table
    // The first row that ends after a cycle: the one that holds it, or the next one. size() if there is none.
    std::uint64_t firstEndingAfter(const Trace& trace, std::int64_t cycle) const;
    // The row that holds a cycle; nullptr if no warp is there.
    const StateRow* at(const Trace& trace, std::int64_t cycle) const;
    // The warp that is there at a cycle, else the last one before, else the first one.
    std::uint32_t warpNear(const Trace& trace, std::int64_t cycle) const;
    StateTimes before(const Trace& trace, std::int64_t cycle) const; // in all cycles below
    StateTimes between(const Trace& trace, std::int64_t begin, std::int64_t end) const {
        return before(trace, end) - before(trace, begin);
    }

private:
    std::size_t pieceOf(std::uint64_t n) const;
    std::vector<std::uint32_t> m_warps;
    std::vector<std::uint64_t> m_first; // rows before each warp, and their number at the end
    std::vector<StateTimes> m_sums;     // over all rows before row 16 k
};

} // namespace warpglass
