// SPDX-License-Identifier: GPL-3.0-or-later
// Why a launch in which all wait can never end, in a sentence: which lanes wait for what and where, why that never comes, and
// who is left that could act.
#pragma once

#include "gpu/emulator/run/living_blocks.h"

#include <deque>
#include <vector>

namespace warpglass::emulator {

struct Hang {
    Message sentence; // without its end
    std::vector<HangWait> waits;
    HangsOn on;
    bool atBarrier = false; // of some kind, first of all; else for a word
    std::uint32_t position = 0;
};

// blocks: all that live, none of which can go on; places: for blocks, on the device.
Hang explainHang(const GridRun& run, const std::deque<LivingBlock>& blocks, std::uint64_t places);

} // namespace warpglass::emulator
