// SPDX-License-Identifier: GPL-3.0-or-later
// A moment that something waits for, and why: when a register has its value, when a warp may issue again.
#pragma once

#include "gpu/trace/tables.h"

#include <bit>
#include <cstdint>

namespace warpglass::emulator {

// Cycle and reason in one word, so that a comparison of words finds the later of two.
class Until {
public:
    constexpr Until() = default;
    constexpr Until(std::int64_t cycle, WarpState why = WarpState::StallWait)
        : m_word(cycle * reasons + std::int64_t(why)) {}
    constexpr std::int64_t cycle() const { return m_word >> std::countr_zero(unsigned(reasons)); }
    constexpr WarpState why() const { return WarpState(m_word & (reasons - 1)); } // what who waits for it is said to do
    // Who needs both waits for the later one; if both come at once, the first is to blame.
    friend constexpr Until later(Until a, Until b) { return b.m_word > (a.m_word | (reasons - 1)) ? b : a; }

private:
    static constexpr std::int64_t reasons = 16;
    static_assert(int(WarpState::Count_) <= reasons);
    std::int64_t m_word = std::int64_t(WarpState::StallWait); // cycle 0
};

inline constexpr std::int64_t never = std::int64_t(1) << 57;

} // namespace warpglass::emulator
