// SPDX-License-Identifier: GPL-3.0-or-later
// A barrier of a block, as far as threads have come to it (ops/barrier_ops.h).
#pragma once

#include <cstdint>

namespace warpglass::emulator {

struct Barrier {
    std::uint32_t arrived = 0;   // threads, those of bar.arrive too
    std::uint32_t rounded = 0;   // the same with whole warps counted as 32, for barriers with a count
    std::uint32_t expected = 0;  // 0: all threads of the block that have not exited
    std::uint32_t trueCount = 0; // bar.red
    std::int64_t clock = 0;      // latest arriver
    std::uint32_t index = 0;     // instruction of the last arrival
};

} // namespace warpglass::emulator
