// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch as a whole has in memory and writes there, as far as that is known before SMs are timed: from what there is,
// and from the blocks that have run (`ran` of them) and left in a TouchTable what they touched.
#pragma once

#include "gpu/device/l2_contents.h"
#include "gpu/emulator/watch/touch_table.h"

#include <cstdint>
#include <vector>

namespace warpglass::emulator {

struct GridRun;

std::uint64_t sectorsThereAre(GridRun& run); // of global memory
std::vector<L2Piece> whatL2Had(GridRun& run);
double dramStores(const GridRun& run, const TouchTable& table, std::uint64_t ran); // Surroundings::dramStores
double partFills(const GridRun& run, const TouchTable& table, std::uint64_t ran);  // Surroundings::partFills

} // namespace warpglass::emulator
