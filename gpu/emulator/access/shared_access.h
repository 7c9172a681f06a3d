// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores of the block's shared memory, offsets in x.address. Every access is checked against the block's
// bytes; with RunOptions::checkMemory also against what other threads did since the last barrier (shared_races.h).
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

template <bool isStore>
bool sharedAccess(Exec& x, const Inst& in, std::uint32_t m); // False: a fault
extern template bool sharedAccess<false>(Exec&, const Inst&, std::uint32_t);
extern template bool sharedAccess<true>(Exec&, const Inst&, std::uint32_t);

// A matrix' 32 pieces that lie one behind the other from this offset on (MemoryPart::inPlace), if nobody looks at them and
// there is nothing to say. False: nothing is done.
bool quietPieces(Exec& x, const Inst& in, std::uint64_t from);

Handler sharedHandler(bool isStore);

} // namespace warpglass::emulator
