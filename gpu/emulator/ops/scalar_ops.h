// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic that goes lane by lane: division, special functions, other rounding modes, bit fields, carries, halves.
#pragma once

#include "gpu/emulator/decode/program.h"

namespace warpglass::emulator {

using Round = ptx::Rounding;

Handler floatHandler(); // dst, a, b, c; Inst::real

Handler divideHandler(ptx::Type type, bool remainder); // integers

Handler convertHandler();     // with a float on the source side, or a rounding to an integral value; Inst::convert
Handler convertPairHandler(); // two floats to a pair of halves: dst, a = the upper one, b; Inst::convert

// Bit fields, permutations, carries, saturating whole numbers; nullptr for anything else. Fills Inst::bits or
// Inst::carry. Rows: dst, a, b, c.
Handler bitHandler(const ptx::Description& is, Inst& inst);

Handler halfHandler();        // f16, f16x2, bf16, bf16x2: dst, a, b, c; Inst::half
Handler halfCompareHandler(); // setp: dst, a, b; Inst::compare

Handler lop3PredicateHandler(bool conjunction); // lop3.and or .or: d|p, a, b, c, q; Inst::bits

Handler packHandler();   // mov.b64 d, {a, b}; Inst::memory has the parts
Handler unpackHandler(); // mov.b64 {a, b}, d

// wide_ops.cpp: registers of 128 bits, and vectors of registers.
Handler moveWideHandler();   // mov.b128: dst, a
Handler packWideHandler();   // mov.b128 d, {a, b}: dst; Inst::memory has the parts
Handler unpackWideHandler(); // mov.b128 {a, b}, d: a
Handler
moveVectorHandler(); // mov.v4.b32: Inst::memory.vector is the result's, c the source's number in Program::vectors

Handler videoHandler(ptx::Opcode opcode); // video_ops.cpp: dst, a, b, c; Inst::video

float halfToFloat(std::uint16_t h);
std::uint16_t floatToHalf(float f, Round round = Round::Nearest);
std::uint16_t floatToBf16(float f, Round round = Round::Nearest); // to nearest or towards zero
// To f32 with the lost part kept as an odd last bit, so that the rounding to fewer bits that follows is the only one.
float oddFloat(double d);

// rounding.cpp: one operation in another rounding mode.
float roundedFloat(FloatOp op, Round round, float a, float b, float c);
double roundedDouble(FloatOp op, Round round, double a, double b, double c);
float narrow(double v, Round round);
double integral(double v, Round round);
double fromInteger(std::int64_t v, bool isUnsigned, Round round, bool toFloat);

} // namespace warpglass::emulator
