// SPDX-License-Identifier: GPL-3.0-or-later
// Part of reduction_tree: follows numbers through a block's accesses. Private to gpu/metrics.
#pragma once

#include "gpu/metrics/reduction_tree.h"

namespace warpglass {

// Fills cells, values and the counts of accesses; steps and verdict are made from them afterwards.
void followNumbers(const Trace& trace, std::uint32_t block, ReductionTree& tree);

// a + b as the hardware adds them: IEEE in the width of the type, or modulo 2^width.
std::uint64_t addedBits(std::uint64_t a, std::uint64_t b, unsigned bytes, bool isFloat);
bool sameNumber(std::uint64_t a, std::uint64_t b, unsigned bytes, bool isFloat); // floats: to a part in 10^5

} // namespace warpglass
