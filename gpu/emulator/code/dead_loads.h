// SPDX-License-Identifier: GPL-3.0-or-later
// Loads of local memory that nothing was written to, and no harm done: what they bring is only handed on. Code that is
// not optimised copies structs member by member or word by word, gaps and members without a value included, and sets a
// bit field by taking the word, putting bits in, and storing it again.
#pragma once

#include "gpu/emulator/code/program.h"

namespace warpglass::emulator {

// True if every use of the loaded registers is known to be of that kind:
// - a store, an argument or a result, of a variable's own place: one that is known from the frame alone. What a computed
//   index or a pointer leads to counts as used, or reading an array too far would never be told;
// - bits put into it, and the word stored where it was taken from.
// Slow: for accesses about which there is something to tell.
bool onlyPassedOn(const Program& program, const Inst& load);
// The same of one element of a load of global memory, which may be stored to any place, given to another lane, or chosen
// or left by a condition on others: copies of structs, padding included.
bool onlyCopied(const Program& program, const Inst& load, std::size_t element);
// Whether a load of one word is such a copy of the second half of eight bytes: the first half is loaded from the same
// register's address, and both are stored together.
bool onlyCopiedAsSecondHalf(const Program& program, const Inst& load);
// Whether no instruction takes what this one gives: the old value of an atomic that is there for the new one.
bool isUnused(const Program& program, const Inst& in);

} // namespace warpglass::emulator
