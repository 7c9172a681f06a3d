// SPDX-License-Identifier: GPL-3.0-or-later
// What one warp's memory access costs: sectors, lines, distinct bytes, bank passes. The common case, lanes in ascending
// order, needs one pass over the addresses; anything else is sorted first.
//
// Rules: a request's sectors are the distinct 32-byte pieces it touches, its lines the distinct 128-byte pieces
// (NVIDIA, CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory"); shared memory has 32 banks of 4 bytes,
// passes are the most distinct words asked of one bank, and wide elements are served in parts (served_together.h).
#pragma once

#include "gpu/emulator/state/access_summary.h"

namespace warpglass::emulator {

// addresses: [lane], those of active lanes are read. Fills the counts for global, local and constant memory.
void summariseSectors(AccessSummary& s, const std::array<std::uint64_t, 32>& addresses);
// n consecutive elements from address on: all of the above without looking at lanes.
inline void summariseContiguous(AccessSummary& s, std::uint64_t address, std::uint32_t length) {
    s.bytesDistinct = length;
    s.sectors = std::uint32_t((address + length - 1) / 32 - address / 32 + 1);
    s.lines = std::uint32_t((address + length - 1) / 128 - address / 128 + 1);
}
// Elements of 8 and 16 bytes, of which no two are alike, are served by half and quarter warps: how many have lanes in m.
std::uint32_t partsServed(std::uint32_t m, std::uint32_t bytes);
// The most lanes of m, one at least, whose addresses lie in one word of four bytes.
std::uint32_t mostAtOneWord(std::uint32_t m, const std::array<std::uint64_t, 32>& addresses);
void summariseBanks(AccessSummary& s, const std::array<std::uint64_t, 32>& addresses);

} // namespace warpglass::emulator
