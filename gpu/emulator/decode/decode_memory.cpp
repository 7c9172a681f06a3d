// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, stores, atomics, and the parameter rows of calls.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace warpglass::emulator {

using ptx::Operand;
using ptx::Type;

namespace {

AddressSpace spaceOf(ptx::StateSpace space) {
    switch (space) {
    case ptx::StateSpace::Global:
        return AddressSpace::Global;
    case ptx::StateSpace::Shared:
        return AddressSpace::Shared;
    case ptx::StateSpace::Local:
        return AddressSpace::Local;
    case ptx::StateSpace::Const:
        return AddressSpace::Const;
    case ptx::StateSpace::Param:
        return AddressSpace::EntryParam;
    default:
        return AddressSpace::Generic;
    }
}

MemorySpace memorySpace(AddressSpace s) {
    switch (s) {
    case AddressSpace::Shared:
        return MemorySpace::Shared;
    case AddressSpace::Local:
        return MemorySpace::Local;
    case AddressSpace::Const:
        return MemorySpace::Constant;
    case AddressSpace::EntryParam:
        return MemorySpace::Param;
    default:
        return MemorySpace::Global;
    }
}

} // namespace

// A multicast address stands for a place in the memory of each device of a team. Of one device, what is loaded is reduced
// over one place, and a store or a reduction goes to one.
bool Decoder::multicast(Decoding& d) {
    const std::uint32_t bytes = d.is.bytes() * d.is.elements;
    if (d.i.operands.size() != 2)
        return d.fail(say::NamesAddressValue);
    return bytes == 4 || bytes == 8 || bytes == 16 || d.fail(say::ReachesFor);
}

void Decoder::reaches(Decoding& d, AddressSpace space) {
    d.info.isMemory = true;
    d.info.space = memorySpace(space);
    d.info.genericSpace = space == AddressSpace::Generic;
    d.inst.memory.isSplit = d.info.genericSpace || m_program.functions[d.info.function].isForeign;
}

bool Decoder::memory(Decoding& d) {
    const ptx::Instruction& i = d.i;
    if (d.is.opcode == ptx::Opcode::Multimem && !multicast(d))
        return false;
    // st.async.release goes to global memory and tells nobody: a store that is there at once is one that was quick.
    const bool toldToBarrier = i.has(ptx::Modifier::Async) && d.is.semantics != ptx::Semantics::Release;
    if (toldToBarrier || i.has(ptx::Modifier::Bulk))
        return async(d);
    const bool isStore = d.is.access == ptx::Access::Store;
    const Type type = d.is.type();
    AddressSpace space = spaceOf(d.is.space);
    const Operand& at = i.operands[isStore ? 0 : 1];
    const Operand& data = withoutBraces(i.operands[isStore ? 1 : 0]);
    Inst& in = d.inst;
    in.memory.bytes = std::uint8_t(ptx::bytesOf(type));
    if (type == Type::S8 || type == Type::S16 || type == Type::S32)
        in.memory.isSigned = true;
    if (d.is.semantics == ptx::Semantics::Volatile)
        in.memory.isVolatile = true;
    in.memory.isStrong = d.is.semantics != ptx::Semantics::Default;
    d.info.opClass = OpClass::Memory;
    d.info.access = isStore ? AccessKind::Store : AccessKind::Load;
    reaches(d, space);
    if (space == AddressSpace::Shared || space == AddressSpace::Generic)
        m_program.fineShared |= in.memory.bytes < 4;

    if (in.memory.bytes == 0)
        return d.fail(say::NoType);
    if (in.memory.bytes * d.is.elements > 32 || (in.memory.bytes == 16 && d.is.elements > 1))
        return d.fail(say::NoVector);
    if (in.memory.bytes * d.is.elements == 32 &&
        ((space != AddressSpace::Global && space != AddressSpace::Generic) || in.memory.bytes < 4))
        return d.fail(say::Vectors32);
    if (data.kind == Operand::Kind::Vector ? data.elements.size() != d.is.elements : d.is.elements != 1)
        return d.fail(say::DataElements);

    // The data registers may be wider than the element.
    if (data.kind == Operand::Kind::Vector) {
        if (!vectorRows(d, data, !isStore, type))
            return false;
    } else if (isStore) {
        Type t = type;
        if (data.kind == Operand::Kind::Register)
            if (const RegisterRow* r = registerOf(data.name))
                t = r->type;
        if (!readOperand(d, data, t, in.dst) || !holds(d, data.name, t, type))
            return false;
        in.memory.rowBytes = std::uint8_t(rowBytes(t));
    } else {
        RegisterRow r;
        if (!writeOperand(d, data, Type::None, in.dst, &r))
            return false;
        if (in.dst == noRow) {
            in.dst = newRow(16);
            r.type = type;
        }
        if (!holds(d, data.name, r.type, type))
            return false;
        in.memory.rowBytes = std::uint8_t(r.bytes());
        if (in.memory.rowBytes == 4 && type == Type::S16 && r.type != Type::B32 && r.type != Type::S32 &&
            r.type != Type::U32)
            in.memory.isSigned = false; // 16-bit registers are kept zero-extended
    }
    if (in.memory.bytes > in.memory.rowBytes)
        return d.fail(say::RegisterNarrow);
    if (in.memory.rowBytes == 16 && in.memory.bytes != 16)
        return d.fail(say::RegisterWide);
    if (!cachePolicy(d, 2))
        return false;

    if (at.kind == Operand::Kind::Address && !at.baseIsRegister && !at.name.empty()) {
        if (const auto p = m_scope->params.find(at.name); p != m_scope->params.end()) {
            if (at.integer < 0 || std::uint64_t(at.integer) + std::uint64_t(in.memory.bytes) * in.memory.elements >
                                      p->second.words * 4ull)
                return d.fail(say::ReachesBeyond(at.name));
            if (in.memory.bytes * in.memory.elements == 32) // and may leave elements out
                return d.fail(say::Vectors32);
            in.a = p->second.row;
            in.memory.offset = at.integer;
            in.run = isStore ? paramStoreHandler() : paramLoadHandler();
            d.info.role = isStore ? Role::ParamStore : Role::ParamLoad;
            d.info.isMemory = false;
            d.info.opClass = OpClass::Move;
            return true;
        }
        if (const auto p = m_scope->entryParams.find(at.name); p != m_scope->entryParams.end() && !isStore) {
            in.memory.offset = offsetFrom(p->second, at.integer);
            if (in.memory.offset < 0 ||
                std::uint64_t(in.memory.offset) + std::uint64_t(in.memory.bytes) * in.memory.elements >
                    m_program.paramBytes)
                return d.fail(say::ReachesBeyond(at.name));
            in.run = entryParamHandler();
            d.info.role = Role::EntryParam;
            d.info.isMemory = false; // constants of the launch, served by the constant cache
            d.info.opClass = OpClass::Move;
            return true;
        }
        if (const auto l = m_scope->locals.find(at.name); l != m_scope->locals.end()) {
            if (space != AddressSpace::Local && space != AddressSpace::Generic)
                return d.fail(say::OtherMemory(at.name));
            in.memory.offset = offsetFrom(l->second, at.integer);
            in.memory.noBase = true;
            in.run = localDirectHandler(isStore);
            d.info.role = Role::LocalDirect;
            return true;
        }
    }
    if (!address(d, at, space))
        return false;
    in.run = isStore ? storeHandler(space) : loadHandler(space, d.is.semantics != ptx::Semantics::Default);
    in.memory.moveBy = moveBy(m_program, in);
    return in.run ? true : d.fail(say::MemoryReadOnly);
}

// The operand of .L2::cache_hint: read, and of no consequence but for time.
bool Decoder::cachePolicy(Decoding& d, std::size_t n) {
    const bool hinted = d.i.has(ptx::Modifier::L2CacheHint);
    Row row;
    if (d.i.operands.size() != n + hinted)
        return d.fail(hinted ? say::PolicyMissing : say::TooManyOperands);
    return !hinted || read(d, n, Type::B64, row);
}

// The rows of the operand's elements, and behind them those of the result. An element is updated at a time: where a result
// lies in a register that a later element is read from, the operand is copied to rows of the decoder's own first, and its
// registers stand behind the result's.
bool Decoder::atomicVectors(Decoding& d) {
    const bool returns = d.is.opcode == ptx::Opcode::Atom;
    const Operand& data = d.i.operands[returns ? 2 : 1];
    const auto fits = [&](const Operand& o) {
        return o.kind == Operand::Kind::Vector && o.elements.size() == d.is.elements;
    };
    if (!fits(data) || (returns && d.i.operands[0].kind != Operand::Kind::Sink && !fits(d.i.operands[0])))
        return d.fail(say::VectorExpected);
    if (!vectorRows(d, data, false, d.is.type()))
        return false;
    const std::uint32_t first = d.inst.memory.vector;
    if (returns && d.i.operands[0].kind != Operand::Kind::Sink) {
        if (!vectorRows(d, d.i.operands[0], true, d.is.type()))
            return false;
        d.inst.memory.hasResult = true;
    }
    d.inst.memory.vector = first;
    d.inst.b = d.inst.c = m_program.vectors[first][0];
    if (!d.inst.memory.hasResult)
        return true;
    const auto operand = m_program.vectors[first], result = m_program.vectors[first + 1];
    for (std::size_t k = 0; k < d.is.elements; ++k)
        if (result[k] != noRow && std::find(operand.begin() + std::ptrdiff_t(k) + 1, operand.begin() + d.is.elements,
                                            result[k]) != operand.begin() + d.is.elements) {
            m_program.vectors.push_back(operand);
            for (std::size_t own = 0; own < d.is.elements; ++own)
                m_program.vectors[first][own] = newRow(4);
            break;
        }
    return true;
}

bool Decoder::atomic(Decoding& d) {
    const ptx::Instruction& i = d.i;
    if (d.is.opcode == ptx::Opcode::Multimem && !multicast(d))
        return false;
    if (i.has(ptx::Modifier::Async) && d.is.semantics != ptx::Semantics::Release)
        return async(d);
    using ptx::Operation;
    const Operation op = d.is.operation;
    const Type type = d.is.type();
    const bool returns = d.is.opcode == ptx::Opcode::Atom;
    AddressSpace space = spaceOf(d.is.space);
    Inst& in = d.inst;
    in.run = atomicHandler(op, type);
    if (!in.run)
        return d.fail(say::OperationNotForType);
    in.memory.bytes = std::uint8_t(ptx::bytesOf(type));
    in.memory.rowBytes = std::uint8_t(rowBytes(type));
    in.memory.space = space;
    d.info.opClass = OpClass::Atomic;
    d.info.access = AccessKind::Atomic;
    reaches(d, space);
    if (space != AddressSpace::Global)
        m_program.fineShared |= in.memory.bytes < 4;
    const bool isVector = d.is.elements > 1;
    const std::size_t n = returns ? 1 : 0;
    if (n + 1 >= i.operands.size() || !address(d, i.operands[n], space))
        return d.fail(say::OperandMissing);
    if (isVector) {
        if (!atomicVectors(d))
            return false;
    } else {
        if (!read(d, n + 1, type, in.b))
            return d.fail(say::OperandMissing);
        if (returns && !writeOperand(d, i.operands[0], type, in.dst))
            return false;
        in.memory.hasResult = returns && in.dst != noRow;
    }
    in.c = in.b;
    if (op == Operation::Cas && !read(d, n + 2, type, in.c))
        return false;
    if (!cachePolicy(d, n + (op == Operation::Cas ? 3 : 2)))
        return false;
    if (space != AddressSpace::Shared && !m_program.ordered) {
        const bool isFloat = op == Operation::Add && (ptx::isFloat(type) || ptx::isHalf(type));
        if (in.memory.hasResult || isFloat || op == Operation::Exch || op == Operation::Cas || op == Operation::Inc ||
            op == Operation::Dec) {
            m_program.ordered = true;
            m_program.orderReason = isFloat ? "floats are added by atomics, and their sum depends on the order"
                                            : "an atomic's old value is used, and it depends on the order";
        }
    }
    return true;
}

// PTX ISA, .pragma "used_bytes_mask": the load that follows fetches bytes that nobody looks at, as padding of a structure
// that is copied.
void Decoder::noteUsedBytes(const FunctionCode& code) {
    constexpr std::string_view word = "used_bytes_mask ";
    const ptx::Function& f = *code.source;
    for (std::size_t p = 0; p < f.pragmas.size(); ++p)
        if (const std::string& text = f.pragmas[p]; text.starts_with(word) && f.pragmaAt[p] < f.body.size())
            m_program.info[code.first + f.pragmaAt[p]].usedBytes =
                std::uint32_t(std::strtoul(text.c_str() + word.size(), nullptr, 0));
}

} // namespace warpglass::emulator
