// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of a warp whose lanes go apart (lane_times.h).
#pragma once

#include "gpu/emulator/timing/until.h"

#include <array>
#include <cstdint>
#include <vector>

namespace warpglass::emulator {

// Of a register: what some lanes have written as of an earlier cycle, and which have written it last in time.
struct PastValue {
    Until value;
    std::uint32_t lanes = 0;
    std::uint32_t inTime = ~0u;

    // When what these lanes have written is there; `now`: the same of what was written in time.
    Until of(std::uint32_t readers, Until now) const {
        const Until late = lanes & readers ? value : Until{};
        return inTime & readers ? later(now, late) : late;
    }
    void write(std::uint32_t writers, Until when) {
        value = lanes & ~writers ? later(value, when) : when;
        lanes |= writers;
        inTime &= ~writers;
    }
    void written(std::uint32_t writers) {
        lanes &= ~writers;
        inTime = writers;
    }
};

struct WarpLanes {
    std::array<std::int64_t, 32> at{}; // the cycle in which each lane's last instruction was issued, or would have been
    std::vector<PastValue> past;       // [MachineCode register]
    std::int64_t emptyBefore = 0;      // issue slots that had stood empty until the warp came to its barrier
    double spared = 0;                 // parts of issue slots that lanes which were off have left
};

} // namespace warpglass::emulator
