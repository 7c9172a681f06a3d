// SPDX-License-Identifier: GPL-3.0-or-later
// A moment that something waits for, and why: when a register has its value, when a warp may issue again.
#pragma once

#include "gpu/trace/tables.h"

#include <cstdint>

namespace warpglass::emulator {

struct Until {
    std::int64_t cycle = 0;
    WarpState why = WarpState::StallWait; // what a warp that waits for it is said to do
};

// Who needs both waits for the later one; if both come at once, the first is to blame.
constexpr Until later(Until a, Until b) {
    return b.cycle > a.cycle ? b : a;
}

} // namespace warpglass::emulator
