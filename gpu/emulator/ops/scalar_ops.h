// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic that goes lane by lane: division, special functions, other rounding modes, bit fields, carries, halves.
#pragma once

#include "gpu/emulator/decode/program.h"

namespace warpglass::emulator {

using Round = ptx::Rounding;

enum class FloatOp : std::uint8_t {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Rcp,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Ex2,
    Lg2,
    Tanh,
    Copysign,
    Min,
    Max
};
struct FloatKey {
    FloatOp op = FloatOp::Add;
    bool isDouble = false, ftz = false, sat = false;
    Round round = Round::Nearest;
    bool nan = false, xorsign = false, absolute = false; // of min and max
};
Handler floatHandler(); // dst, a, b, c; aux is set by the caller to packFloat(key); flags & 1: min and max of three
std::uint32_t packFloat(const FloatKey& key);

Handler divideHandler(ptx::Type type, bool remainder); // integers

// Conversions with a float on the source side or a rounding to an integral value; aux = packConvert.
struct ConvertKey {
    ptx::Type to = ptx::Type::S32, from = ptx::Type::F32;
    Round round = Round::Zero;
    bool toIntegral = false; // .rni .rzi .rmi .rpi
    bool ftz = false, sat = false, srcWide = false, dstWide = false;
    bool dstIs32 = false; // the register has 32 bits: narrower results are extended to them
    bool relu = false, satfinite = false;
};
Handler convertHandler();
std::uint32_t packConvert(const ConvertKey& key);

// Bit fields, permutations, carries, saturating whole numbers; nullptr for anything else. Fills aux and flags. Rows:
// dst, a, b, c; a fourth operand is in extra (bfi) or imm (the table of lop3).
Handler bitHandler(const ptx::Description& is, Inst& inst);

// f16, f16x2, bf16, bf16x2 add sub mul fma min max neg abs ex2 tanh; aux set by the caller to packHalf.
enum class HalfOp : std::uint8_t { Add, Sub, Mul, Fma, Min, Max, Neg, Abs, Ex2, Tanh };
struct HalfKey {
    HalfOp op = HalfOp::Add;
    ptx::Type type = ptx::Type::F16;
    bool ftz = false, sat = false, relu = false;
    bool nan = false, xorsign = false; // of min and max
};
Handler halfHandler();
std::uint32_t packHalf(const HalfKey& key);
Handler halfCompareHandler(); // setp: dst, a, b; aux = Compare, flags bit 1: bf16

Handler packHandler();   // mov.b64 d, {a, b}: extra = Program::vectors, vector = n, bytes = size of a part
Handler unpackHandler(); // mov.b64 {a, b}, d

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
