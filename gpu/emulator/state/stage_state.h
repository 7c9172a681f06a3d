// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of stages of shared memory: pieces that copies fill again and again. Which warp knows what of the others is
// kept as clocks: who arrives at an mbarrier hands its own on, who has waited for the phase takes over what was handed on.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace warpglass::emulator {

struct StageState {
    using Clock =
        std::array<std::uint32_t, 32>; // [warp] up to which of its times that warp's doings are known to be done
    struct Read {
        std::uint32_t at = 0, position = 0; // by the reader's own clock; 0: it has not read
        bool byProduct = false;             // of matrices, which four warps make together
    };
    struct Stage {
        std::uint64_t begin = 0, end = 0; // offsets in shared memory
        std::array<Read, 32> reads{};     // [warp] the last one since it was filled
    };
    std::vector<Clock> warps;             // [warp]; empty: no copy has come yet
    std::map<std::uint32_t, Clock> given; // by mbarrier (byte of shared memory): what arrivals hand on
    std::map<std::uint32_t, Clock> over;  // the same of phases that have ended
    std::vector<Stage> stages;
};

} // namespace warpglass::emulator
