// SPDX-License-Identifier: GPL-3.0-or-later
// Video instructions: which bytes and half-words they take, and what they do with the third operand.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/ops/scalar_ops.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::emulator {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Part;
using ptx::Type;

namespace {

std::uint32_t elementsOf(Opcode opcode) {
    return opcode >= Opcode::Vadd4 ? 4 : opcode >= Opcode::Vadd2 ? 2 : 1;
}

// "%r1.b2", one byte or half-word; without a part the whole register.
bool scalarPart(const Part& part, std::uint8_t& bits, std::uint8_t& place) {
    bits = part.count == 0 ? 32 : part.isHalf ? 16 : 8;
    place = part.digits[0];
    return part.count <= 1 && place < 32 / bits;
}

// "%r1.h32": a digit for each element, the highest element first; without a part those from first on.
bool simdPart(const Part& part, std::uint32_t elements, std::uint8_t first, std::array<std::uint8_t, 4>& places) {
    for (std::uint32_t k = 0; k < elements; ++k)
        places[k] = part.count == 0 ? std::uint8_t(first + k) : part.digits[elements - 1 - k];
    return part.count == 0 || (part.count == elements && part.isHalf == (elements == 2));
}

// "%r1.b310": the elements of the result that are taken, each once, the highest first.
bool maskPart(const Part& part, std::uint32_t elements, std::uint8_t& mask) {
    mask = part.count == 0 ? 15 : 0;
    for (std::uint32_t k = 0; k < part.count; ++k) {
        if (part.digits[k] >= elements || (k > 0 && part.digits[k] >= part.digits[k - 1]))
            return false;
        mask = std::uint8_t(mask | 1u << part.digits[k]);
    }
    return part.count == 0 || part.isHalf == (elements == 2);
}

} // namespace

bool Decoder::video(Decoding& d) {
    const ptx::Instruction& i = d.i;
    const Opcode op = d.is.opcode;
    const std::uint32_t elements = elementsOf(op);
    const bool compares = op == Opcode::Vset || op == Opcode::Vset2 || op == Opcode::Vset4;
    const bool shifts = op == Opcode::Vshl || op == Opcode::Vshr;
    bool third = i.operands.size() == 4;
    VideoPart v;
    d.info.opClass = OpClass::Integer;
    if (d.is.typeCount != (compares ? 2 : 3))
        return d.fail(compares ? say::TwoTypes : say::ThreeTypes);
    if (shifts && d.is.types[2] != Type::U32)
        return d.fail(say::ShiftUnsigned);
    if (shifts && i.has(Modifier::Clamp) == i.has(Modifier::Wrap))
        return d.fail(say::ClampOrWrap);
    if (compares && !d.is.compares)
        return d.fail(say::NoComparison);
    const std::size_t sources = compares ? 0 : 1;
    v.resultSigned = d.is.types[0] == Type::S32; // a comparison joins c as a number of its first source's type
    v.firstSigned = d.is.types[sources] == Type::S32;
    v.otherSigned = d.is.types[sources + 1] == Type::S32;
    v.compare = d.is.compare;
    v.second = d.is.operation;
    v.sat = d.is.sat;
    v.wraps = d.is.wrap;

    const Part &result = i.operands[0].part, &first = i.operands[1].part, &other = i.operands[2].part;
    bool parts = true;
    if (elements > 1) {
        v.resultBits = std::uint8_t(32 / elements);
        parts = maskPart(result, elements, v.mask) && simdPart(first, elements, 0, v.first) &&
                simdPart(other, elements, std::uint8_t(elements), v.other);
        if (v.second == ptx::Operation::Add && v.sat)
            return d.fail(say::SumNotSaturated);
        if (!third)
            return d.fail(say::ThirdMissing);
    } else {
        std::uint8_t place = 0;
        parts = scalarPart(result, v.resultBits, place) && scalarPart(first, v.firstBits, v.first[0]) &&
                scalarPart(other, v.otherBits, v.other[0]);
        v.resultAt = std::uint8_t(place * v.resultBits);
        const bool joins = v.second != ptx::Operation::None || result.count != 0 || op == Opcode::Vmad;
        if ((joins && !third) || (result.count != 0 && v.second != ptx::Operation::None))
            return d.fail(say::ThirdWithSecond);
        third = joins; // else it may be there and does nothing
    }
    if (!parts)
        return d.fail(say::NoSuchPart);
    if (op == Opcode::Vmad) {
        const bool negated = i.operands[1].minus != i.operands[2].minus, negatedThird = i.operands[3].minus;
        v.plusOne = i.has(Modifier::Po);
        if (result.count != 0 || (v.plusOne && (negated || negatedThird)) || (negated && negatedThird))
            return d.fail(say::NotNegatedTogether);
        v.minusProduct = negated;
        v.minusThird = negatedThird;
        v.scale = i.has(Modifier::Shr7) ? 7 : i.has(Modifier::Shr15) ? 15 : 0;
        // The result is signed if anything in it may be negative, whatever its own type says.
        v.resultSigned = v.firstSigned || v.otherSigned || negated || negatedThird;
    }
    d.inst.video = v;
    const Handler handler = videoHandler(op);
    d.inst.run = handler ? handler : wideVideoHandler(op);
    if (!write(d, 0, Type::B32, d.inst.dst) || !read(d, 1, Type::B32, d.inst.a) || !read(d, 2, Type::B32, d.inst.b))
        return false;
    d.inst.c = d.inst.a;
    return !third || read(d, 3, Type::B32, d.inst.c);
}

} // namespace warpglass::emulator
