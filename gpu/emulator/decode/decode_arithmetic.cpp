// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions that compute one value from registers: which handler each gets. The vector code of alu.h first; what it
// does not have goes lane by lane.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/ops/scalar_ops.h"

#include <algorithm>
#include <optional>

namespace warpglass::emulator {

using ptx::isFloat;
using ptx::isHalf;
using ptx::Opcode;
using ptx::Type;

OpClass classOf(Type t) {
    return t == Type::F32 || t == Type::F32x2 ? OpClass::Float32
           : t == Type::F64                   ? OpClass::Float64
           : isHalf(t)                        ? OpClass::Half
                                              : OpClass::Integer;
}

namespace {

std::optional<AluOp> aluOf(const ptx::Description& is) {
    const auto product = [&](AluOp low, AluOp high, AluOp wide) {
        return is.half == ptx::Half::Wide ? wide : is.half == ptx::Half::High ? high : low;
    };
    switch (is.opcode) {
    case Opcode::Add:
        return AluOp::Add;
    case Opcode::Sub:
        return AluOp::Sub;
    case Opcode::Mul:
        return product(AluOp::MulLo, AluOp::MulHi, AluOp::MulWide);
    case Opcode::Mad:
        return isFloat(is.type()) ? AluOp::Fma : product(AluOp::MadLo, AluOp::MadHi, AluOp::MadWide);
    case Opcode::Fma:
        return AluOp::Fma;
    case Opcode::Min:
        return AluOp::Min;
    case Opcode::Max:
        return AluOp::Max;
    case Opcode::Abs:
        return AluOp::Abs;
    case Opcode::Neg:
        return AluOp::Neg;
    case Opcode::Shl:
        return AluOp::Shl;
    case Opcode::Shr:
        return AluOp::Shr;
    case Opcode::And:
        return AluOp::And;
    case Opcode::Or:
        return AluOp::Or;
    case Opcode::Xor:
        return AluOp::Xor;
    case Opcode::Not:
        return AluOp::Not;
    default:
        return std::nullopt;
    }
}

// The operations of f32 and f64 that can be rounded in any way.
std::optional<FloatOp> roundedOf(Opcode opcode) {
    switch (opcode) {
    case Opcode::Add:
        return FloatOp::Add;
    case Opcode::Sub:
        return FloatOp::Sub;
    case Opcode::Mul:
        return FloatOp::Mul;
    case Opcode::Fma:
    case Opcode::Mad:
        return FloatOp::Fma;
    case Opcode::Div:
        return FloatOp::Div;
    case Opcode::Rcp:
        return FloatOp::Rcp;
    case Opcode::Sqrt:
        return FloatOp::Sqrt;
    default:
        return std::nullopt;
    }
}

// What only the scalar code has: special functions, rare modifiers.
std::optional<FloatOp> floatOf(const ptx::Description& is, std::size_t operands) {
    const bool rare = is.nan || is.xorsign || is.absolute || operands == 4;
    switch (is.opcode) {
    case Opcode::Rcp: // .approx.ftz.f64
        return FloatOp::Rcp;
    case Opcode::Rsqrt:
        return FloatOp::Rsqrt;
    case Opcode::Sin:
        return FloatOp::Sin;
    case Opcode::Cos:
        return FloatOp::Cos;
    case Opcode::Ex2:
        return FloatOp::Ex2;
    case Opcode::Lg2:
        return FloatOp::Lg2;
    case Opcode::Tanh:
        return FloatOp::Tanh;
    case Opcode::Copysign:
        return FloatOp::Copysign;
    case Opcode::Min:
        return rare ? std::optional(FloatOp::Min) : std::nullopt;
    case Opcode::Max:
        return rare ? std::optional(FloatOp::Max) : std::nullopt;
    default:
        return std::nullopt;
    }
}

std::optional<HalfOp> halfOf(Opcode opcode) {
    switch (opcode) {
    case Opcode::Add:
        return HalfOp::Add;
    case Opcode::Sub:
        return HalfOp::Sub;
    case Opcode::Mul:
        return HalfOp::Mul;
    case Opcode::Fma:
        return HalfOp::Fma;
    case Opcode::Min:
        return HalfOp::Min;
    case Opcode::Max:
        return HalfOp::Max;
    case Opcode::Neg:
        return HalfOp::Neg;
    case Opcode::Abs:
        return HalfOp::Abs;
    case Opcode::Ex2:
        return HalfOp::Ex2;
    case Opcode::Tanh:
        return HalfOp::Tanh;
    default:
        return std::nullopt;
    }
}

bool isSpecialFunction(Opcode opcode) {
    return opcode >= Opcode::Rcp && opcode <= Opcode::Tanh;
}

} // namespace

bool Decoder::logicOnPredicates(Decoding& d) {
    bool negatedA = false, negatedB = false;
    if (!write(d, 0, Type::Pred, d.inst.dst) || !readPredicate(d, 1, d.inst.a, negatedA))
        return false;
    if (d.is.opcode != Opcode::Not && !readPredicate(d, 2, d.inst.b, negatedB))
        return false;
    if (negatedA || negatedB)
        return d.fail(say::NegatedPredicate);
    d.inst.run = aluHandler({d.is.opcode == Opcode::And   ? AluOp::PredAnd
                             : d.is.opcode == Opcode::Or  ? AluOp::PredOr
                             : d.is.opcode == Opcode::Xor ? AluOp::PredXor
                                                          : AluOp::PredNot});
    return true;
}

// lop3.and and lop3.or: d|p, a, b, c, table, q, where p says whether the result is not zero, combined with q.
bool Decoder::lop3OnPredicate(Decoding& d) {
    Inst& in = d.inst;
    const ptx::Operand& table = d.i.operands[4];
    bool negated = false;
    if (d.is.operation == ptx::Operation::None || d.i.operands.size() != 6 ||
        d.i.operands[0].kind != ptx::Operand::Kind::Pair)
        return d.fail(say::PredicateWithOperation);
    if (table.kind != ptx::Operand::Kind::Integer)
        return d.fail(say::TableNotConstant);
    if (!pairOrOne(d, Type::B32, in.dst, in.bits.second) || !read(d, 1, Type::B32, in.a) ||
        !read(d, 2, Type::B32, in.b) || !read(d, 3, Type::B32, in.c) || !readPredicate(d, 5, in.bits.fourth, negated))
        return false;
    in.bits.table = std::uint8_t(table.integer);
    in.bits.high = negated;
    in.run = lop3PredicateHandler(d.is.operation == ptx::Operation::And);
    return true;
}

// add.f32.f16 d, a, c; fma.f32.f16 d, a, b, c: what is named last is of the first type.
bool Decoder::mixedPrecision(Decoding& d) {
    const Type type = d.is.type();
    const auto op = roundedOf(d.is.opcode);
    const bool three = op == FloatOp::Fma;
    if (!op || d.i.operands.size() != (three ? 4 : 3))
        return d.fail(say::OperandCount);
    d.inst.real = {*op, false, d.is.ftz, d.is.sat, d.is.rounding};
    d.inst.run = roundedHandler(*op, type);
    return write(d, 0, Type::F32, d.inst.dst) && read(d, 1, type, d.inst.a) &&
           read(d, 2, three ? type : Type::F32, d.inst.b) && (!three || read(d, 3, Type::F32, d.inst.c));
}

bool Decoder::arithmetic(Decoding& d) {
    const ptx::Description& is = d.is;
    const Type type = is.type();
    d.info.opClass = classOf(is.firstType());
    if (type == Type::Pred)
        return logicOnPredicates(d);
    d.inst.bits = {};
    if (is.opcode == Opcode::Lop3 && (is.operation != ptx::Operation::None || d.i.operands.size() > 5))
        return lop3OnPredicate(d);
    if (is.typeCount == 2 && is.firstType() == Type::F32 && isHalf(type))
        return mixedPrecision(d);
    if (!operands(d))
        return false;
    const std::size_t count = d.i.operands.size();
    const bool minOrMax = is.opcode == Opcode::Min || is.opcode == Opcode::Max;
    if (minOrMax && count == 4 && type != Type::F32)
        return d.fail(say::OnlyF32Three);
    if (minOrMax && (count == 4 ? is.xorsign : is.absolute != is.xorsign))
        return d.fail(count == 4 ? say::XorsignTwo : say::XorsignAbs);

    if (isHalf(type) || type == Type::U16x2 || type == Type::S16x2) {
        if (const auto op = halfOf(is.opcode)) {
            d.inst.half = {*op, type, is.ftz, is.sat, is.relu, is.nan, is.xorsign, is.oob, ptx::bytesOf(type) == 4};
            d.inst.run = halfHandler(d.inst.half);
        }
        return true;
    }
    // Carries and bit tricks: they share opcodes with plain arithmetic.
    if (const Handler h = bitHandler(is, d.inst)) {
        d.inst.run = h;
        return true;
    }
    if (is.opcode == Opcode::Div || is.opcode == Opcode::Rem || isSpecialFunction(is.opcode))
        d.info.opClass = OpClass::Special;
    // The commonest have a handler of their own below.
    const bool approx = d.i.has(ptx::Modifier::Approx);
    const bool special = d.info.opClass == OpClass::Special && !(type == Type::F64 && is.ftz && approx);
    if (const auto op = isFloat(type) || type == Type::F32x2 ? roundedOf(is.opcode) : std::nullopt;
        op && (special || is.rounding != ptx::Rounding::Nearest || type == Type::F32x2)) {
        d.inst.real = {*op, type == Type::F64, is.ftz && type != Type::F64, is.sat, is.rounding};
        d.inst.real.approx = approx;
        d.inst.run = roundedHandler(*op, type);
        return true;
    }
    if (const auto op = isFloat(type) ? floatOf(is, count) : std::nullopt) {
        d.inst.real = {*op,    type == Type::F64, is.ftz,      is.sat,    is.rounding,
                       is.nan, is.xorsign,        is.absolute, count == 4};
        const Handler whole = type == Type::F32 ? approximateHandler(*op) : nullptr;
        d.inst.run = whole ? whole : floatHandler();
        return true;
    }
    if (is.opcode == Opcode::Div || is.opcode == Opcode::Rem) {
        // In code compiled for debugging ptxas leaves every signed 32-bit division, by a constant too, to a routine of
        // its own and branches to it: the hardware counts one more branch for each, and all lanes take it together.
        const auto& options = m_module.targetOptions;
        if (type == Type::S32 && std::find(options.begin(), options.end(), "debug") != options.end())
            d.info.isBranch = true;
        const Handler whole = divisionHandler(type, is.opcode == Opcode::Rem);
        d.inst.divide = {divideHandler(type, is.opcode == Opcode::Rem)};
        d.inst.run = whole ? whole : d.inst.divide.careful;
        return true;
    }
    if (const auto op = aluOf(is)) {
        AluKey key;
        key.op = *op;
        key.type = type;
        key.ftz = is.ftz;
        key.sat = is.sat;
        d.inst.run = aluHandler(key);
    }
    return d.inst.run ? true : d.fail(say::NotForType);
}

} // namespace warpglass::emulator
