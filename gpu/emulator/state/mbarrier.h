// SPDX-License-Identifier: GPL-3.0-or-later
// A barrier in shared memory, as the 64 bits that a program keeps it in: how many arrivals and how many bytes of
// asynchronous copies its phase still waits for, how many arrivals each phase expects, and whether the phase is even or
// odd. Nothing here knows memory or warps; the layout is the emulator's own, since programs must not look inside.
#pragma once

#include <cstdint>

namespace warpglass::emulator {

struct Mbarrier {
    static constexpr std::uint32_t mostArrivals = (1u << 20) - 1; // PTX ISA, "mbarrier": valid range of the counts
    static constexpr std::int32_t mostBytes = (1 << 20) - 1;

    std::uint32_t pending = 0;  // arrivals that the phase waits for
    std::uint32_t expected = 0; // of each later phase
    std::int32_t bytes = 0;     // expected minus arrived; negative while a copy is ahead of who expects it
    bool valid = false;         // mbarrier.init was here
    bool odd = false;           // the phase that is under way

    static Mbarrier of(std::uint64_t word) {
        Mbarrier b;
        b.pending = std::uint32_t(word) & mostArrivals;
        b.expected = std::uint32_t(word >> 20) & mostArrivals;
        b.bytes = std::int32_t(std::int64_t(word << 2) >> 42);
        b.valid = word >> 62 & 1;
        b.odd = word >> 63 & 1;
        return b;
    }
    std::uint64_t word() const {
        return std::uint64_t(pending) | std::uint64_t(expected) << 20 |
               (std::uint64_t(std::uint32_t(bytes)) & 0x3fffff) << 40 | std::uint64_t(valid) << 62 |
               std::uint64_t(odd) << 63;
    }
    // A phase is over when nothing is missing; the next one begins at once. True: it was.
    bool turnPhase() {
        if (pending != 0 || bytes != 0)
            return false;
        pending = expected;
        odd = !odd;
        return true;
    }
};

} // namespace warpglass::emulator
