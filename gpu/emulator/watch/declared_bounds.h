// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses that leave the variable which their address is of, and stay within the memory: `tile[32]` of 32 elements is
// another variable's. A GPU says nothing of them, nor do the memory's bounds. Where nobody knows which variable is meant, an
// access may still not begin in one and end in the next.
//
// Which instructions can do so is found once, when the program has been decoded (boundDeclared): not those at a place that
// the code names and that lies within, nor those of a program (of local memory, a kernel) whose only variable in a memory is
// all there is. An access then looks for its lanes' places in the variable instead of in all of the memory, and what is not there is
// told, and looked for in the memory: it costs what the memory's own bounds cost.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <algorithm>

namespace warpglass::emulator {

inline constexpr std::uint64_t farBehind = std::uint64_t(1) << 40; // all memory

// Around this place, where accesses of the instruction's size lie that there is nothing to say of.
Stretch unbroken(const BoundedAccess& b, std::uint64_t at, std::uint32_t size);
inline Stretch ownStretch(const Exec& x, const Inst& in, std::uint64_t at) {
    const BoundedAccess& b = x.program->bounded[in.memory.site];
    return !b.across ? b.own : unbroken(b, at, std::uint32_t(in.memory.bytes) * in.memory.elements);
}
// The block's shared memory, or constant memory, as far as an access at this place may go that is bound to it.
inline Addressed ownConstants(const Exec& x, const Inst& in) {
    const Stretch& own = x.program->bounded[in.memory.site].own;
    return x.constants.part(own.begin, own.bytes);
}
inline Addressed ownShared(Exec& x, const Inst& in, std::uint64_t at) {
    const Stretch own = ownStretch(x, in, at);
    return x.block->shared.numbered().part(own.begin, own.bytes);
}
// Whether one at so many bytes from there on stays in it.
[[gnu::always_inline]] inline bool staysInShared(const Exec& x, const Inst& in, std::uint64_t at, std::uint64_t bytes) {
    return in.memory.bound != Bound::Shared || ownStretch(x, in, at).holds(at, bytes);
}
// Of local memory, which ends at a limit, likewise.
inline Stretch ownLocal(const Exec& x, const Inst& in, std::uint64_t limit) {
    if (in.memory.bound != Bound::Local)
        return {0, limit};
    const Stretch own = ownStretch(x, in, 0);
    const std::uint64_t begin = std::min(own.begin + x.frame->localBase, limit);
    return {begin, std::min(own.bytes, limit - begin)};
}
[[gnu::always_inline]] inline bool staysInLocal(const Exec& x, const Inst& in, std::uint64_t at, std::uint64_t bytes) {
    return in.memory.bound != Bound::Local || ownLocal(x, in, ~std::uint64_t(0)).holds(at, bytes);
}
// The first of the lanes that leave it, by x.address, and are in the memory; none may.
void tellOutside(Exec& x, const Inst& in, std::uint32_t lanes);

} // namespace warpglass::emulator
