// SPDX-License-Identifier: GPL-3.0-or-later
// Reads of shared memory that a copy is to write which nobody has waited for, and whom a wait let pass too early.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <optional>

namespace warpglass::emulator {

// Who asked for the copy that is to write this byte of the block's shared memory.
struct CopyAsker {
    std::uint32_t warp = 0, position = 0;
    bool tellsBarrier = false;
    bool sinceBarrier = false;                  // and no barrier has been since
    std::uint32_t barrier = noIndex, phase = 0; // byte of the block's, and the phase of it that the copy belongs to
};
std::optional<CopyAsker> copyInto(const BlockState& block, std::uint64_t offset);
// Of a wait, the first one of its line: a loop that was unrolled has several for what is written once.
std::uint32_t firstOfLine(const Program& program, std::uint32_t wait);
void tellEarlyRead(Exec& x, const Inst& in, int lane, std::uint64_t offset, const CopyAsker& copy);

} // namespace warpglass::emulator
