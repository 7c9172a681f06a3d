// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic that goes lane by lane: division of integers, special functions, bit fields, carries.
#pragma once

#include "gpu/emulator/code/program.h"
#include "gpu/emulator/lanes/half.h"

namespace warpglass::emulator {

Handler floatHandler(); // dst, a, b, c; Inst::real

Handler divideHandler(ptx::Type type, bool remainder); // integers

// Bit fields, permutations, carries, saturating whole numbers; nullptr for anything else. Fills Inst::bits or
// Inst::carry. Rows: dst, a, b, c.
Handler bitHandler(const ptx::Description& is, Inst& inst);

Handler lop3PredicateHandler(bool conjunction); // lop3.and or .or: d|p, a, b, c, q; Inst::bits

Handler packHandler();   // mov.b64 d, {a, b}; Inst::memory has the parts
Handler unpackHandler(); // mov.b64 {a, b}, d

// wide_ops.cpp: registers of 128 bits, and vectors of registers.
Handler moveWideHandler();   // mov.b128: dst, a
Handler packWideHandler();   // mov.b128 d, {a, b}: dst; Inst::memory has the parts
Handler unpackWideHandler(); // mov.b128 {a, b}, d: a
Handler
moveVectorHandler(); // mov.v4.b32: Inst::memory.vector is the result's, c the source's number in Program::vectors

Handler wideVideoHandler(ptx::Opcode opcode); // video_ops.cpp: vshl, vshr, vmad; as videoHandler()

} // namespace warpglass::emulator
