// SPDX-License-Identifier: GPL-3.0-or-later
// What ptxas is seen to do: figures of the compiler, as gpu/device/device_timing.h has the device's. Found in its machine code
// for sm_90, of some 300 loops and of 58 loops of loads (unroll.cpp says more), and fitted where that is said.
#pragma once

#include <cstdint>

namespace warpglass::emulator {

struct Ptxas {
    // A body of so many machine instructions, without branch, barrier or call, is predicated rather than jumped over.
    std::uint32_t predicatedBody = 12;
    std::uint32_t arrayInRegisters = 32; // bytes of an array of local memory; fitted (function_sinf_large)
    // Order: loads whose values nobody has used yet, each in a register; instructions past the first one left that are looked
    // at; instructions that are put in order together.
    std::uint32_t loadsUnderWay = 16, ahead = 96, stretch = 256;
    // Unrolling: instructions, and accesses once more, of a loop of unknown rounds and of a known number; instructions but for
    // counting that the latter comes to; rounds of the former, and the most of the latter.
    std::uint32_t largestBody = 50, largestCountedBody = 76, unrolledBody = 220, unrolledRounds = 4, mostRounds = 110;
    // Words of loads that find registers there: what values that live all through the loop leave of so many, but no fewer and
    // no more than that.
    std::uint32_t wordsBesideOthers = 26, fewestWords = 8, wordsUnderWay = 20;
};
inline constexpr Ptxas ptxas;

} // namespace warpglass::emulator
