// SPDX-License-Identifier: GPL-3.0-or-later
// The places of the hardware at which warps lived: one after the other in the same slot of the same SM.
#pragma once

#include "gpu/trace/trace.h"

namespace warpglass {

struct WarpSlot {
    std::uint16_t sm = 0, slot = 0;
    std::uint8_t scheduler = 0;
    std::vector<std::uint32_t> warps; // rows of the warp table, by start
};

std::vector<WarpSlot> warpSlots(const Trace& trace); // ascending SM and slot

} // namespace warpglass
