// SPDX-License-Identifier: GPL-3.0-or-later
// Why a launch in which all wait can never end, in a sentence: which lanes ask for which word and where; who last wrote it
// and what became of him; and who is left that could write it.
#pragma once

#include "gpu/emulator/run/living_blocks.h"

#include <deque>
#include <string>
#include <vector>

namespace warpglass::emulator {

struct Hang {
    Message sentence;                     // without its end
    std::vector<std::uint64_t> addresses; // words of global memory that are waited for
    bool atBarrier = false;               // of a cluster, or in memory: what is missing there is known
};

// blocks: all that live, none of which can go on; places: for blocks, on the device.
Hang explainHang(const GridRun& run, std::deque<LivingBlock>& blocks, std::uint64_t places);

} // namespace warpglass::emulator
