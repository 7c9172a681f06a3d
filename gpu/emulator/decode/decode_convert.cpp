// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions: which handler each gets.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"

#include <fmt/format.h>

namespace warpglass::emulator {

using ptx::isFloat;
using ptx::isHalf;
using ptx::Operand;
using ptx::Type;

namespace {

bool isOfFour(Type t) {
    return t == Type::E4M3x4 || t == Type::E5M2x4 || t == Type::E2M3x4 || t == Type::E3M2x4 || t == Type::E2M1x4;
}
// What a register must hold: four bits and two times four take a byte.
std::uint32_t bytesNeeded(Type t) {
    return std::uint32_t(std::max(1, ptx::bytesOf(t)));
}

} // namespace

bool Decoder::convertSource(Decoding& d, Type type, std::uint32_t& bytes) {
    const Operand& o = d.i.operands[1];
    bytes = ptx::bytesOf(type) == 8 ? 8 : 4;
    if (o.kind != Operand::Kind::Register)
        return readOperand(d, o, type, d.inst.a);
    const RegisterRow* r = registerOf(o.name);
    if (!r || r->type == Type::Pred)
        return d.fail(say::RegisterUndeclared(o.name));
    d.inst.a = r->row;
    d.info.reads.push_back(r->row);
    bytes = r->bytes();
    return bytesNeeded(type) <= bytes ? holds(d, o.name, r->type, type) : d.fail(say::RegisterNarrow);
}

// Several values to one, several in one to as many, tf32, and .pack.
bool Decoder::convertPacked(Decoding& d) {
    const Type to = d.is.types[0], from = d.is.types[1];
    const std::size_t count = d.i.operands.size();
    Inst& in = d.inst;
    ConvertPart part{.to = to, .from = from, .round = d.is.rounding};
    RegisterRow dst;
    if (!write(d, 0, Type::None, in.dst, &dst))
        return false;
    part.dstWide = dst.bytes() == 8;
    part.relu = d.is.relu;
    part.satfinite = d.is.satfinite;
    part.packs = d.is.packs;
    const bool randomly = d.is.rounding == ptx::Rounding::Stochastic;
    std::size_t wanted = 2; // operands
    if (part.packs) {
        wanted = d.is.typeCount == 3 ? 4 : 3;
        if (count != wanted || !read(d, 1, Type::S32, in.a) || !read(d, 2, Type::S32, in.b))
            return d.fail(say::OperandCount);
        in.c = in.b;
        if (wanted == 4 && !read(d, 3, Type::B32, in.c))
            return false;
    } else if (isOfFour(to)) {
        wanted = 3;
        Row* const rows[] = {&in.a, &in.b, &in.c, &part.fourth};
        const Operand& values = d.i.operands[1];
        if (count != wanted || values.kind != Operand::Kind::Vector || values.elements.size() != 4)
            return d.fail(say::RoundingBits);
        for (std::size_t k = 0; k < 4; ++k)
            if (!readOperand(d, values.elements[k], Type::F32, *rows[k]))
                return false;
        if (!read(d, 2, Type::B32, part.random))
            return false;
    } else if (from == Type::F32 && to != Type::TF32) {
        wanted = randomly ? 4 : 3;
        if (count != wanted || !read(d, 1, from, in.a) || !read(d, 2, from, in.b))
            return d.fail(say::OperandCount);
        if (randomly && !read(d, 3, Type::B32, in.c))
            return false;
    } else {
        std::uint32_t bytes = 4;
        if (count != wanted)
            return d.fail(say::TooManyOperands);
        if (!convertSource(d, from, bytes))
            return false;
        if (bytes == 8)
            return d.fail(say::Source64);
    }
    in.convert = part;
    in.run = packedConvertHandler(part);
    return true;
}

bool Decoder::convertOp(Decoding& d) {
    d.info.opClass = OpClass::Convert;
    const Type to = d.is.types[0], from = d.is.types[1];
    const auto isScalar = [](Type t) { return t <= Type::F64 && t != Type::F16x2 && t != Type::BF16x2; };
    if (d.is.typeCount > 2 && !d.is.packs)
        return d.fail(say::TooManyTypes);
    if (d.is.packs || !isScalar(to) || !isScalar(from))
        return convertPacked(d);
    if (d.i.operands.size() > 2)
        return d.fail(say::TooManyOperands);
    RegisterRow dst;
    std::uint32_t srcBytes = 4;
    if (!write(d, 0, Type::None, d.inst.dst, &dst) || !holds(d, d.i.operands[0].name, dst.type, to))
        return false;
    if (const Operand& o = d.i.operands[1]; o.kind == Operand::Kind::Special && o.name != "WARP_SZ") {
        const bool whole = !isFloat(to) && !isHalf(to) && !isFloat(from) && !isHalf(from) && !d.is.sat;
        return whole ? special(d, o, ptx::bytesOf(from) <= ptx::bytesOf(to) ? from : to, dst)
                     : d.fail(say::SpecialConverted);
    }
    if (!convertSource(d, from, srcBytes))
        return false;

    AluKey key{AluOp::Cvt, to, from, dst.bytes(), srcBytes, Compare::Eq, d.is.ftz, d.is.sat};
    key.dstIs32 = ptx::bytesOf(dst.type) == 4;
    const bool simple =
        !(isFloat(from) && d.is.integral) && d.is.rounding == ptx::Rounding::Nearest && !isHalf(to) && !isHalf(from);
    if (simple)
        d.inst.run = aluHandler(key);
    if (!d.inst.run) {
        ConvertPart k{to, from, d.is.rounding, d.is.integral, d.is.ftz, d.is.sat, srcBytes == 8, dst.bytes() == 8};
        if (!d.is.rounds)
            k.round = isFloat(to) || isHalf(to) ? ptx::Rounding::Nearest : ptx::Rounding::Zero;
        k.dstIs32 = key.dstIs32;
        k.relu = d.is.relu;
        k.satfinite = d.is.satfinite;
        d.inst.convert = k;
        d.inst.run = realConvertHandler(to, from);
    }
    return true;
}

} // namespace warpglass::emulator
