// SPDX-License-Identifier: GPL-3.0-or-later
// Moves, choices, comparisons: which handler an instruction gets.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/emulator/ops/special_ops.h"
#include "gpu/emulator/ops/warp_ops.h"

#include <fmt/format.h>

namespace warpglass::emulator {

using ptx::isFloat;
using ptx::isHalf;
using ptx::Operand;
using ptx::Type;

namespace {

Type unsignedOf(Type t) {
    switch (ptx::bytesOf(t)) {
    case 2:
        return Type::U16;
    case 8:
        return Type::U64;
    default:
        return Type::U32;
    }
}

bool isPair(Type t) {
    return t == Type::F16x2 || t == Type::BF16x2;
}

} // namespace

bool Decoder::compareOp(Decoding& d) {
    if (!d.is.compares)
        return d.fail(say::NoComparison);
    const ptx::Compare compare = d.is.compare;
    const Type type = d.is.type();
    const bool isSet = d.is.opcode == ptx::Opcode::Set;
    ComparePart& part = d.inst.compare;
    d.info.opClass = classOf(type);
    AluKey key;
    key.op = AluOp::Setp;
    key.type = type;
    key.compare = compare;
    key.ftz = d.is.ftz;
    part = {
        .combine = d.is.operation, .compare = compare, .pair = isPair(type), .ftz = d.is.ftz, .to = d.is.firstType()};
    if (!isSet) {
        // Of two halves one predicate alone is that of the lower one.
        if (d.i.operands[0].kind == Operand::Kind::Sink) {
            d.inst.dst = newRow(4);
            part.second = noRow;
        } else if (!pairOrOne(d, Type::Pred, d.inst.dst, part.second)) {
            return false;
        }
    } else {
        RegisterRow dst;
        if (!write(d, 0, d.is.firstType(), d.inst.dst, &dst))
            return false;
        part.answer = newRow(4);
        part.second = part.pair ? newRow(4) : noRow;
    }
    if (d.is.operation != ptx::Operation::None) {
        key.op = AluOp::SetpBool;
        if (!readPredicate(d, 3, d.inst.c, part.negated))
            return false;
    } else if (d.i.operands.size() > 3) {
        return d.fail(say::TooManyOperands);
    }
    if (compare >= Compare::Lo && compare <= Compare::Hs)
        key.type = unsignedOf(type);
    const Handler comparison =
        isHalf(type) ? halfCompareHandler(type == Type::BF16 || type == Type::BF16x2) : aluHandler(key);
    if (!comparison)
        return d.fail(say::NotForType);
    d.inst.run = isSet ? setHandler() : comparison;
    part.run = comparison;
    return read(d, 1, type, d.inst.a) && read(d, 2, type, d.inst.b);
}

bool Decoder::select(Decoding& d) {
    d.info.opClass = OpClass::Move;
    RegisterRow dst;
    const Type type = d.is.type();
    d.inst.compare = {};
    if (!write(d, 0, type, d.inst.dst, &dst) || !read(d, 1, type, d.inst.a) || !read(d, 2, type, d.inst.b) ||
        !readPredicate(d, 3, d.inst.c, d.inst.compare.negated))
        return false;
    d.inst.run = aluHandler({AluOp::Selp, type, type, dst.bytes()});
    return true;
}

// cvta: between an address in a window and a generic one; the window is added or taken away.
bool Decoder::toOrFromGeneric(Decoding& d) {
    d.info.opClass = OpClass::Move;
    const Operand& from = d.i.operands[1];
    const std::uint64_t base = genericAddress({d.is.space, 0});
    if (!write(d, 0, Type::U64, d.inst.dst))
        return false;
    if (from.kind == Operand::Kind::Symbol) {
        if (d.is.toSpace)
            return d.fail(say::GenericInRegister);
        const auto s = symbol(from.name);
        const ptx::StateSpace found = m_scope->locals.count(from.name) ? ptx::StateSpace::Local
                                      : s                              ? s->space
                                                                       : d.is.space;
        if (found != d.is.space)
            return d.fail(say::OtherMemory(from.name));
        if (const auto l = m_scope->locals.find(from.name); l != m_scope->locals.end()) {
            d.inst.memory = {
                .offset = offsetFrom(l->second, from.integer), .rowBytes = 8, .space = AddressSpace::Generic};
            d.inst.run = localAddressHandler();
            d.info.role = Role::LocalAddress;
            return true;
        }
    }
    if (!read(d, 1, Type::U64, d.inst.a))
        return false;
    if (base == 0) {
        d.inst.run = aluHandler({AluOp::Mov, Type::B64, Type::B64, 8, 8});
        return true;
    }
    d.inst.b = constant(d.is.toSpace ? 0 - base : base, 8);
    d.inst.run = aluHandler({AluOp::Add, Type::U64});
    return true;
}

// isspacep: does a generic address lie in that window? One of 32 bits is taken as it is.
bool Decoder::spaceTest(Decoding& d) {
    d.info.opClass = OpClass::Integer;
    const Window window =
        d.is.space == ptx::StateSpace::Global ? Window::Global : windowOf(genericAddress({d.is.space, 0}));
    d.inst.special = {.what = std::uint8_t(window), .ownOnly = window == Window::Shared && !d.is.cluster};
    d.inst.run = spaceTestHandler();
    if (!write(d, 0, Type::Pred, d.inst.dst))
        return false;
    const Operand& address = d.i.operands[1];
    const RegisterRow* from = address.kind == Operand::Kind::Register ? registerOf(address.name) : nullptr;
    const bool narrow = from && from->bytes() == 4;
    d.inst.special.rowBytes = narrow ? 4 : 8;
    return read(d, 1, narrow ? Type::U32 : Type::U64, d.inst.a);
}

// mov and cvt of a special register: as many of its bytes as the type has.
bool Decoder::special(Decoding& d, const Operand& from, Type type, const RegisterRow& dst) {
    Special s;
    if (!parseSpecial(from.name, from.component, s))
        return d.fail(say::SpecialUnknown(from.name));
    d.inst.special = {.what = std::uint8_t(s),
                      .rowBytes = std::uint8_t(dst.bytes()),
                      .bytes = std::uint8_t(ptx::bytesOf(type)),
                      .isSigned = ptx::isSigned(type) && ptx::bytesOf(type) < int(dst.bytes())};
    d.inst.run = specialHandler();
    m_program.readsSmId |= s == Special::SmId;
    m_program.usesReservedShared |= s >= Special::AggregateSmem && s <= Special::ReservedSmemBytes;
    return true;
}

bool Decoder::move(Decoding& d) {
    d.info.opClass = OpClass::Move;
    const Operand &to = d.i.operands[0], &from = d.i.operands[1];
    const Type type = d.is.type();
    if (type == Type::Pred) {
        bool negated = false;
        if (from.kind == Operand::Kind::Special && from.name == "%is_explicit_cluster") {
            d.inst.a = constant(m_program.functions[0].source->reqnctapercluster[0] != 0, 0);
            d.inst.run = aluHandler({AluOp::MovPred});
            return write(d, 0, Type::Pred, d.inst.dst);
        }
        if (!write(d, 0, Type::Pred, d.inst.dst) || !readPredicate(d, 1, d.inst.a, negated))
            return false;
        d.inst.run = aluHandler({negated ? AluOp::PredNot : AluOp::MovPred});
        return true;
    }
    const std::uint32_t bytes = rowBytes(type);
    if (d.is.elements > 1)
        return moveVector(d);
    if (to.kind == Operand::Kind::Vector || from.kind == Operand::Kind::Vector) {
        const bool packs = from.kind == Operand::Kind::Vector;
        const Operand& v = packs ? from : to;
        const int count = int(v.elements.size());
        if (count != 2 && count != 4)
            return d.fail(say::MoveElements);
        const int part = ptx::bytesOf(type) / count;
        const Type partType = part == 8 ? Type::B64 : part == 4 ? Type::B32 : part == 2 ? Type::B16 : Type::B8;
        if (part == 0 || !vectorRows(d, v, !packs, partType))
            return d.fail(say::MoveWidths);
        d.inst.memory.bytes = std::uint8_t(part);
        d.inst.memory.rowBytes = std::uint8_t(bytes);
        if (bytes == 16)
            d.inst.run = packs ? packWideHandler() : unpackWideHandler();
        else
            d.inst.run = packs ? packHandler() : unpackHandler();
        return packs ? write(d, 0, type, d.inst.dst) : read(d, 1, type, d.inst.a);
    }
    RegisterRow dst;
    if (!write(d, 0, type, d.inst.dst, &dst))
        return false;
    if (from.kind == Operand::Kind::Special && from.name != "WARP_SZ") {
        return special(d, from, type, dst);
    }
    if (from.kind == Operand::Kind::Symbol) {
        if (const auto l = m_scope->locals.find(from.name); l != m_scope->locals.end()) {
            d.inst.memory = {.offset = offsetFrom(l->second, from.integer),
                             .rowBytes = std::uint8_t(bytes),
                             .space = AddressSpace::Local};
            d.inst.run = localAddressHandler();
            d.info.role = Role::LocalAddress;
            return true;
        }
    }
    if (!read(d, 1, type, d.inst.a))
        return false;
    d.inst.run = bytes == 16 ? moveWideHandler() : aluHandler({AluOp::Mov, type, type, bytes, bytes});
    return true;
}

// mov.v4.b32 {a, b, c, d}, v: element by element.
bool Decoder::moveVector(Decoding& d) {
    const Operand &to = d.i.operands[0], &from = d.i.operands[1];
    const Type type = d.is.type();
    if (Special s; from.kind == Operand::Kind::Special && from.component < 0 && to.elements.size() == 4 &&
                   d.is.elements == 4 && ptx::bytesOf(type) == 4 && parseSpecial(from.name, 0, s) &&
                   s <= Special::ClusterNctaidZ) {
        if (!vectorRows(d, to, true, type))
            return false;
        d.inst.memory.site = std::uint32_t(s);
        d.inst.run = specialVectorHandler();
        return d.inst.memory.rowBytes == 4 || d.fail(say::VectorRegisters32);
    }
    if (to.elements.size() != d.is.elements || from.elements.size() != d.is.elements)
        return d.fail(say::VectorElements);
    if (!vectorRows(d, from, false, type))
        return false;
    d.inst.memory.site = d.inst.memory.vector;
    const std::uint32_t width = d.inst.memory.rowBytes;
    if (!vectorRows(d, to, true, type))
        return false;
    d.inst.run = moveVectorHandler();
    return d.inst.memory.rowBytes == width ? true : d.fail(say::VectorWidths);
}

} // namespace warpglass::emulator
