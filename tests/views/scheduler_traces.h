// SPDX-License-Identifier: GPL-3.0-or-later
// Traces with states, made by hand.
#pragma once

#include "gpu/trace/trace.h"

#include <string>
#include <vector>

namespace warpglass::samples {

// A letter a cycle, a string a slot of one scheduler; each string of a slot is a warp of its own, which begins where
// the warp before it ended and its blanks are over.
//   S selected   E eligible   B barrier   L long scoreboard   W wait   (blank: nobody)
// A selected cycle issues line 1 of the PTX, line 2 (bar.sync) where the letter is a small s.
struct LetterSlot {
    std::vector<std::string> warps;
};
TracePtr lettersTrace(const std::vector<LetterSlot>& slots, double clockMHz = 2000);

// Two slots of ten cycles; every number can be counted on it:
//   slot 0   SLLLLSWSsB     issues 4 (0, 5, 7, 8)
//   slot 1   ESEWWEsBBB     issues 2 (1, 6)
// Issued: 0 1 5 6 7 8 = 6 of 10. Some warp waits: 1 2 3 4 6 7 8 9 = 8, of which 1 6 7 8 issue = 4: half is hidden.
TracePtr tenCycles();

// A long one from a seed: n cycles, so many slots, run lengths of 1 to 40, now and then nobody.
TracePtr randomStates(int cycles, int slotCount, unsigned seed);

} // namespace warpglass::samples
