// SPDX-License-Identifier: GPL-3.0-or-later
// Operands -> rows.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

using ptx::Operand;
using ptx::Type;

namespace {

bool isWhole(Type t) {
    return t >= Type::U8 && t <= Type::S64;
}
bool isReal(Type t) {
    return ptx::isFloat(t) || ptx::isHalf(t);
}
// PTX ISA, operand type checking: bits go with everything, whole numbers of either sign with each other. ptxas takes
// registers of halves for them, too.
bool agrees(Type wanted, Type found) {
    return !(isWhole(wanted) && ptx::isFloat(found)) && !(ptx::isFloat(wanted) && isWhole(found));
}

} // namespace

std::uint64_t genericAddress(const Symbols::Place& place) {
    switch (place.space) {
    case ptx::StateSpace::Shared:
        return place.address + sharedWindow;
    case ptx::StateSpace::Local:
        return place.address + localWindow;
    case ptx::StateSpace::Const:
        return place.address + constWindow;
    case ptx::StateSpace::Param:
        return place.address + paramWindow;
    default:
        return place.address;
    }
}

const RegisterRow* Decoder::registerOf(const std::string& name) const {
    const auto it = m_scope->registers.find(name);
    return it == m_scope->registers.end() ? nullptr : &it->second;
}

std::optional<Symbols::Place> Decoder::symbol(const std::string& name) const {
    if (const auto s = m_shared.find(name); s != m_shared.end())
        return Symbols::Place{ptx::StateSpace::Shared, s->second};
    if (const auto v = m_symbols.variables.find(name); v != m_symbols.variables.end())
        return v->second;
    if (const auto f = m_symbols.functions.find(name); f != m_symbols.functions.end())
        return Symbols::Place{ptx::StateSpace::Generic, codeWindow + 16ull * f->second};
    if (const auto p = m_scope->entryParams.find(name); p != m_scope->entryParams.end())
        return Symbols::Place{ptx::StateSpace::Param, p->second};
    return std::nullopt;
}

Row Decoder::newRow(std::uint32_t bytes) {
    return m_scope->frame.row(bytes);
}

Row Decoder::constant(std::uint64_t bits, std::uint32_t bytes) {
    if (bytes == 4)
        bits &= 0xffffffffu;
    const auto [it, fresh] = m_scope->constants.try_emplace({bits, bytes});
    if (fresh) {
        it->second = newRow(bytes);
        m_program.functions[m_scope->index].constants.push_back({it->second, bytes, bits});
    }
    return it->second;
}

bool Decoder::readOperand(Decoding& d, const Operand& o, Type type, Row& row) {
    const int wanted = ptx::bytesOf(type);
    const std::uint32_t bytes = rowBytes(type);
    if (bytes == 16 && o.kind != Operand::Kind::Register)
        return d.fail(say::Register128);
    if (o.part.count != 0 && d.is.family != ptx::Family::Video)
        return d.fail(say::OnlyVideoPart(o.part.text()));
    if (o.minus && d.is.opcode != ptx::Opcode::Vmad)
        return d.fail(say::NegatedRegister);
    // Bits of a float's own width are taken as they stand; a float of the other width is converted.
    if (o.isReal() && !ptx::isFloat(type) && type != (o.kind == Operand::Kind::Float32 ? Type::B32 : Type::B64))
        return d.fail(say::FloatUnexpected);
    switch (o.kind) {
    case Operand::Kind::Register: {
        const RegisterRow* r = registerOf(o.name);
        if (!r)
            return d.fail(say::RegisterUndeclared(o.name));
        if (r->type == Type::Pred)
            return d.fail(say::PredicateAsNumber(o.name));
        if (wanted == 0 ? r->bytes() != bytes : ptx::bytesOf(r->type) != wanted)
            return d.fail(say::RegisterWidth(o.name));
        if (!agrees(type, r->type))
            return d.fail(say::RegisterIs(o.name, ptx::name(r->type)));
        row = r->row;
        d.info.reads.push_back(row);
        return true;
    }
    case Operand::Kind::Integer:
        if (type == Type::F32 || type == Type::F64)
            return d.fail(say::IntegerForFloat);
        row = constant(wanted == 2 ? std::uint64_t(o.integer) & 0xffff : std::uint64_t(o.integer), bytes);
        return true;
    case Operand::Kind::Float32:
        if (bytes == 8) {
            const auto f = double(std::bit_cast<float>(std::uint32_t(o.integer)));
            row = constant(std::bit_cast<std::uint64_t>(f), 8);
        } else
            row = constant(std::uint64_t(o.integer), 4);
        return true;
    case Operand::Kind::Float64:
        if (type == Type::F32) {
            const auto f = float(std::bit_cast<double>(o.integer));
            row = constant(std::bit_cast<std::uint32_t>(f), 4);
        } else
            row = constant(std::uint64_t(o.integer), bytes);
        return true;
    case Operand::Kind::Special:
        if (o.name == "WARP_SZ") {
            row = constant(32, bytes);
            return true;
        }
        return d.fail(say::SpecialOutsideMov(o.name));
    case Operand::Kind::Symbol: {
        const auto s = symbol(o.name);
        if (!s)
            return d.fail(say::Undeclared(o.name));
        if (isReal(type))
            return d.fail(say::AddressForFloat);
        row = constant(s->address + std::uint64_t(o.integer), bytes);
        return true;
    }
    default:
        return d.fail(say::OperandForm);
    }
}

bool Decoder::read(Decoding& d, std::size_t n, Type type, Row& row) {
    if (n >= d.i.operands.size())
        return d.fail(say::OperandMissing);
    return readOperand(d, d.i.operands[n], type, row);
}

bool Decoder::readPredicate(Decoding& d, std::size_t n, Row& row, bool& negated) {
    if (n >= d.i.operands.size())
        return d.fail(say::OperandMissing);
    const Operand& o = d.i.operands[n];
    negated = o.negated;
    if (o.kind == Operand::Kind::Integer) {
        row = constant(o.integer != 0, 0);
        return true;
    }
    const RegisterRow* r = o.kind == Operand::Kind::Register ? registerOf(o.name) : nullptr;
    if (!r || r->type != Type::Pred)
        return d.fail(say::PredicateExpected);
    row = r->row;
    d.info.reads.push_back(row);
    return true;
}

bool Decoder::writeOperand(Decoding& d, const Operand& o, Type type, Row& row, RegisterRow* found) {
    if (o.kind == Operand::Kind::Sink) {
        row = noRow;
        return true;
    }
    const RegisterRow* r = o.kind == Operand::Kind::Register ? registerOf(o.name) : nullptr;
    if (!r)
        return d.fail(say::DestinationExpected);
    // A handler writes as many bytes as the type has: they have to be the register's own.
    if (type == Type::Pred && r->type != Type::Pred)
        return d.fail(say::NoPredicate(o.name));
    if (type != Type::Pred && r->type == Type::Pred)
        return d.fail(say::PredicateAsNumber(o.name));
    if (type != Type::None && ptx::bytesOf(r->type) != ptx::bytesOf(type))
        return d.fail(say::RegisterWidth(o.name));
    if (!agrees(type, r->type))
        return d.fail(say::RegisterIs(o.name, ptx::name(r->type)));
    row = r->row;
    if (found)
        *found = *r;
    d.info.writes.push_back(row);
    return true;
}

bool Decoder::write(Decoding& d, std::size_t n, Type type, Row& row, RegisterRow* found) {
    if (n >= d.i.operands.size())
        return d.fail(say::OperandMissing);
    if (d.i.operands[n].kind == Operand::Kind::Sink)
        return d.fail(say::DestinationExpected);
    return writeOperand(d, d.i.operands[n], type, row, found);
}

static ptx::StateSpace spaceNamed(AddressSpace space) {
    switch (space) {
    case AddressSpace::Global:
        return ptx::StateSpace::Global;
    case AddressSpace::Shared:
        return ptx::StateSpace::Shared;
    case AddressSpace::Local:
        return ptx::StateSpace::Local;
    case AddressSpace::Const:
        return ptx::StateSpace::Const;
    case AddressSpace::EntryParam:
        return ptx::StateSpace::Param;
    case AddressSpace::Generic:
        break;
    }
    return ptx::StateSpace::Generic;
}

bool Decoder::address(Decoding& d, const Operand& o, AddressSpace& space) {
    if (o.kind != Operand::Kind::Address)
        return d.fail(say::AddressExpected);
    d.inst.memory.offset = o.integer;
    if (o.baseIsRegister) {
        const RegisterRow* r = registerOf(o.name);
        if (!r || r->type == Type::Pred)
            return d.fail(say::RegisterUndeclared(o.name));
        if (r->bytes() != 8 && (space == AddressSpace::Global || space == AddressSpace::Generic) &&
            m_module.addressSize == 64)
            return d.fail(say::AddressBits);
        d.inst.a = r->row;
        d.info.reads.push_back(r->row);
        if (r->bytes() == 8)
            d.inst.memory.wideAddress = true;
        return true;
    }
    d.inst.memory.noBase = true;
    if (o.name.empty())
        return true;
    const auto s = symbol(o.name);
    if (!s)
        return d.fail(say::Undeclared(o.name));
    if (space != AddressSpace::Generic && s->space != spaceNamed(space))
        return d.fail(say::OtherMemory(o.name));
    d.inst.memory.offset =
        offsetFrom(space == AddressSpace::Generic ? genericAddress(*s) : s->address, d.inst.memory.offset);
    return true;
}

namespace {

// The letter of Row::operands -> the type that is read.
Type typeOf(char letter, const ptx::Description& is) {
    if (letter == 's')
        return is.firstType();
    if (letter == 'u')
        return Type::U32;
    if (letter == 'w' && is.wide())
        return ptx::bytesOf(is.type()) == 2 ? Type::B32 : Type::B64;
    return is.type();
}

// Of the result.
Type resultOf(char letter, const ptx::Description& is) {
    using ptx::Opcode;
    if (letter == 'q')
        return Type::Pred;
    if (is.opcode == Opcode::Popc || is.opcode == Opcode::Clz || is.opcode == Opcode::Bfind)
        return Type::U32;
    return is.wide() ? typeOf('w', is) : is.firstType();
}

} // namespace

bool Decoder::operands(Decoding& d) {
    Row* const sources[] = {&d.inst.a, &d.inst.b, &d.inst.c, &d.inst.bits.fourth};
    std::size_t n = 0, source = 0;
    for (const char letter : ptx::row(d.is.opcode).operands) {
        if (letter == '?' || n >= d.i.operands.size())
            continue;
        if (letter == 'd' || letter == 'q' || letter == 'D') {
            if (!write(d, n, resultOf(letter, d.is), d.inst.dst))
                return false;
        } else if (letter == 'i') {
            if (d.i.operands[n].kind != Operand::Kind::Integer)
                return d.fail(say::LastConstant);
            d.inst.bits.table = std::uint8_t(d.i.operands[n].integer);
        } else if (!read(d, n, typeOf(letter, d.is), *sources[source++])) {
            return false;
        }
        ++n;
    }
    // A handler may read operands that the instruction does not have: they are the first one again.
    for (; source < 3; ++source)
        *sources[source] = d.inst.a;
    return true;
}

bool Decoder::pairOrOne(Decoding& d, Type type, Row& row, Row& second) {
    second = noRow;
    const Operand& o = d.i.operands[0];
    if (o.kind != Operand::Kind::Pair)
        return write(d, 0, type, row);
    if (!writeOperand(d, o.elements[0], type, row) || !writeOperand(d, o.elements[1], Type::Pred, second))
        return false;
    if (row == noRow) // "_|%p": handlers write a row that nobody reads
        row = newRow(4);
    return true;
}

// Whether a register can hold a value of the type: of loads, stores and conversions it may be wider.
bool Decoder::holds(Decoding& d, const std::string& name, Type found, Type type) {
    if (ptx::bytesOf(found) < ptx::bytesOf(type))
        return d.fail(say::RegisterNarrow);
    return agrees(type, found) || d.fail(say::RegisterIs(name, ptx::name(found)));
}

bool Decoder::vectorRows(Decoding& d, const Operand& o, bool writing, Type type) {
    if (o.elements.size() > mostElements || o.elements.empty())
        return d.fail(say::VectorTooLong);
    std::array<Row, mostElements> rows;
    rows.fill(noRow);
    // Registers of what moves memory may be wider than their elements.
    const bool mayBeWider =
        d.is.family == ptx::Family::Load || d.is.family == ptx::Family::Store || d.is.family == ptx::Family::Surface;
    std::uint32_t width = 0; // of a row, which all of them have
    Type first = Type::None;
    const auto alike = [&](Type t, const std::string& name) {
        if (first != Type::None && ptx::bytesOf(first) != ptx::bytesOf(t))
            return d.fail(say::RegistersDiffer);
        if (mayBeWider ? ptx::bytesOf(t) < ptx::bytesOf(type) : ptx::bytesOf(t) != ptx::bytesOf(type))
            return d.fail(say::RegisterWidth(name));
        if (isWhole(type) && ptx::isFloat(t)) // whole numbers of a vector may hold floats, says ptxas
            return d.fail(say::RegisterIs(name, ptx::name(t)));
        first = t;
        width = rowBytes(t);
        return true;
    };
    for (std::size_t k = 0; k < o.elements.size(); ++k) {
        const Operand& element = o.elements[k];
        if (writing) {
            RegisterRow r;
            if (!writeOperand(d, element, Type::None, rows[k], &r) ||
                (rows[k] != noRow && !alike(r.type, element.name)))
                return false;
        } else if (element.kind == Operand::Kind::Sink) { // PTX ISA, st: these bytes are not written
            if (d.is.family != ptx::Family::Store || d.is.elements * d.is.bytes() != 32)
                return d.fail(say::OnlyStores32);
        } else {
            const RegisterRow* r = element.kind == Operand::Kind::Register ? registerOf(element.name) : nullptr;
            const Type t = r ? r->type : type;
            if (!readOperand(d, element, t, rows[k]) || !alike(t, element.name))
                return false;
        }
    }
    if (width == 0) // nothing but sinks
        width = rowBytes(type);
    d.inst.memory.elements = std::uint8_t(o.elements.size());
    d.inst.memory.rowBytes = std::uint8_t(width);
    d.inst.memory.vector = std::uint32_t(m_program.vectors.size());
    m_program.vectors.push_back(rows);
    return true;
}

} // namespace warpglass::emulator
