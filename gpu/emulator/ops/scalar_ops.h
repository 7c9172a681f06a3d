// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic that goes lane by lane: division, special functions, other rounding modes, bit fields, carries, halves.
#pragma once

#include "gpu/emulator/decode/program.h"

#include <string_view>

namespace warpglass::emulator {

enum class Round : std::uint8_t { Nearest, Zero, Down, Up };

enum class FloatOp : std::uint8_t { Add, Sub, Mul, Fma, Div, Rcp, Sqrt, Rsqrt, Sin, Cos, Ex2, Lg2, Tanh, Copysign };
struct FloatKey {
    FloatOp op = FloatOp::Add;
    bool isDouble = false, ftz = false, sat = false;
    Round round = Round::Nearest;
};
Handler floatHandler(const FloatKey& key); // dst, a, b, c; aux is set by the caller to packFloat(key)
std::uint32_t packFloat(const FloatKey& key);

Handler divideHandler(ptx::Type type, bool remainder); // integers

// Conversions with a float on the source side or a rounding to an integral value; aux = packConvert.
struct ConvertKey {
    ptx::Type to = ptx::Type::S32, from = ptx::Type::F32;
    Round round = Round::Zero;
    bool toIntegral = false; // .rni .rzi .rmi .rpi
    bool ftz = false, sat = false, srcWide = false, dstWide = false;
};
Handler convertHandler();
std::uint32_t packConvert(const ConvertKey& key);

// clz popc brev bfind(.shiftamt) bfe bfi prmt(.mode) shf(.l .r .clamp .wrap) lop3 sad slct cnot szext bmsk mul24 mad24
// dp4a fns testp add.cc addc sub.cc subc mad.cc madc set: by opcode and modifiers; nullptr if unknown. Fills aux and
// flags. Rows: dst, a, b, c; a fourth operand (bfi, lop3's table) is in extra or imm.
Handler bitHandler(const ptx::Instruction& instruction, ptx::Type type, Inst& inst);

// f16, f16x2, bf16, bf16x2 add sub mul fma min max neg abs; aux set by the caller to packHalf.
enum class HalfOp : std::uint8_t { Add, Sub, Mul, Fma, Min, Max, Neg, Abs, Ex2, Tanh };
Handler halfHandler(HalfOp op);
std::uint32_t packHalf(HalfOp op, ptx::Type type);
Handler halfCompareHandler(); // setp: dst, a, b; aux = Compare, flags bit 1: bf16

Handler packHandler();   // mov.b64 d, {a, b}: extra = Program::vectors, vector = n, bytes = size of a part
Handler unpackHandler(); // mov.b64 {a, b}, d

float halfToFloat(std::uint16_t h);
std::uint16_t floatToHalf(float f, Round round = Round::Nearest);

// rounding.cpp: one operation in another rounding mode.
float roundedFloat(FloatOp op, Round round, float a, float b, float c);
double roundedDouble(FloatOp op, Round round, double a, double b, double c);
float narrow(double v, Round round);
double integral(double v, Round round);
double fromInteger(std::int64_t v, bool isUnsigned, Round round, bool toFloat);

} // namespace warpglass::emulator
