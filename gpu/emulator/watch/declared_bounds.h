// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses that leave the variable which their address is of, and stay within the memory: `tile[32]` of 32 elements is
// another variable's. A GPU says nothing of them, nor do the memory's bounds. Where nobody knows which variable is meant, an
// access may still not begin in one and end in the next.
//
// Which instructions can do so is found once, when the program has been decoded (boundDeclared): not those at a place that
// the code names and that lies within, nor those of a program (of local memory, a kernel) whose only variable is all there
// is. An access then looks for its lanes' places in the variable instead of in all of the memory, and what is not there is
// told, and looked for in the memory: it costs what the memory's own bounds cost.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <algorithm>

namespace warpglass::emulator {

// Around this place, where accesses of the instruction's size lie that there is nothing to say of.
Stretch unbroken(const BoundedAccess& b, std::uint64_t at, std::uint32_t size);
inline Stretch ownStretch(const Exec& x, const Inst& in, std::uint64_t at) {
    const BoundedAccess& b = x.program->bounded[in.memory.site];
    return b.across.empty() ? b.own : unbroken(b, at, std::uint32_t(in.memory.bytes) * in.memory.elements);
}
// The block's shared memory as far as an access at this place may go.
[[gnu::always_inline]] inline Addressed ownShared(Exec& x, const Inst& in, std::uint64_t at) {
    const Addressed all = x.block->shared.numbered();
    if (in.memory.bound != Bound::Shared) [[likely]]
        return all;
    const Stretch own = ownStretch(x, in, at);
    return all.part(own.begin, own.bytes);
}
// The thread's local memory, which ends at the limit, likewise.
inline Stretch ownLocal(const Exec& x, const Inst& in, std::uint64_t limit) {
    if (in.memory.bound != Bound::Local) [[likely]]
        return {0, limit};
    const Stretch own = ownStretch(x, in, 0);
    const std::uint64_t begin = own.begin + x.frame->localBase;
    return {begin, std::min(own.bytes, limit - std::min(begin, limit))};
}
// The first of the lanes that leave it, by x.address, and are in the memory; none may.
void tellOutside(Exec& x, const Inst& in, std::uint32_t lanes);

} // namespace warpglass::emulator
