// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions in which the lanes of a warp look at each other.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

using ptx::ShuffleMode;
using ptx::VoteMode;

// Inst::warp: the member mask, the predicate behind d|p.
Handler shuffleHandler(ShuffleMode mode);               // dst, a = value, b = lane or delta, c = clamp and segment mask
Handler voteHandler(VoteMode mode);                     // dst = predicate (Ballot: 32-bit row), a = predicate
Handler matchHandler(bool all, bool wide);              // dst, a = value
Handler reduxHandler(ptx::Operation op, bool isSigned); // dst, a
Handler reduxFloatHandler(ptx::Operation op);           // min and max
Handler electHandler();                                 // dst = leader row or noRow
Handler activeMaskHandler();                            // dst
Handler spaceTestHandler();                             // isspacep: dst, a; Inst::special has the Window

} // namespace warpglass::emulator
