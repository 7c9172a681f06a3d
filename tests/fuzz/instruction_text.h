// SPDX-License-Identifier: GPL-3.0-or-later
// An instruction of a form of the instruction table, written as text with operands that fit it and values that do not.
#pragma once

#include "tests/fuzz/hostile.h"

namespace warpglass::fuzz {

// Adds it to the body, and what gives its operands their values before it.
void addInstruction(Body& body, ptx::Opcode opcode, const ptx::Form& form);
// What is more than an instruction: calls of functions, of the runtime, jumps, a tensor map that is made and changed.
void addPiece(Body& body);

} // namespace warpglass::fuzz
