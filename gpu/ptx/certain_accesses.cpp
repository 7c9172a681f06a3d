// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/certain_accesses.h"

#include "gpu/ptx/describe.h"
#include "gpu/ptx/register_use.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace warpglass::ptx {

namespace {

using Value = std::optional<std::uint64_t>; // of a register: zero-extended; nothing: not known

std::uint64_t lowBits(std::uint64_t value, std::uint32_t bytes) {
    return bytes >= 8 ? value : value & ((std::uint64_t(1) << (8 * bytes)) - 1);
}
std::int64_t asSigned(std::uint64_t value, std::uint32_t bytes) {
    const unsigned above = bytes >= 8 ? 0 : 64 - 8 * bytes;
    return std::int64_t(value << above) >> above;
}

// One thread on its way.
class Way {
public:
    Way(const Function& entry, std::span<const std::byte> parameters, const ThreadPlace& place)
        : m_entry(entry), m_labels(entry), m_parameters(parameters), m_place(place) {
        std::uint64_t at = 0;
        for (const Variable& p : entry.params) {
            const std::uint64_t alignment =
                p.alignment ? std::uint64_t(p.alignment) : std::uint64_t(std::max(bytesOf(p.type), 1)) * p.vector;
            at = (at + alignment - 1) / alignment * alignment;
            m_offsets[p.name] = at;
            at += p.sizeBytes();
        }
    }

    std::vector<CertainAccess> follow(std::size_t& instructions) {
        for (std::size_t at = 0; at < m_entry.body.size() && instructions > 0; --instructions) {
            const std::optional<std::size_t> next = step(m_entry.body[at], at);
            if (!next)
                break;
            at = *next;
        }
        return std::move(m_found);
    }

private:
    // The instruction that comes next; nothing: not known, or the end.
    std::optional<std::size_t> step(const Instruction& i, std::size_t at) {
        const Value guard = i.guarded() ? valueOf(i.guard) : Value(1);
        if (guard && i.guarded() && (*guard != 0) == i.guardNegated)
            return at + 1;
        const Description d = describe(i);
        switch (d.family) {
        case Family::Branch: {
            const auto target = i.opcode == Opcode::Bra && guard ? m_labels.find(i.operand(0).name) : std::nullopt;
            return target ? std::optional<std::size_t>(*target) : std::nullopt;
        }
        case Family::Call:
        case Family::End:
            return std::nullopt;
        default:
            break;
        }
        if (guard)
            note(i, d);
        const Value result = guard ? resultOf(i, d) : Value();
        if (firstIsResult(i) && !i.operands.empty())
            set(i.operands[0], result);
        return at + 1;
    }

    void note(const Instruction& i, const Description& d) {
        if (i.opcode == Opcode::Cp) { // of 4, 8 or 16 bytes into shared memory; others are not followed
            if (i.operands.size() == 3 && i.has(Modifier::Async) && !i.has(Modifier::Bulk) &&
                i.operands[2].kind == Operand::Kind::Integer)
                note(i.operands[1], std::uint32_t(i.operands[2].integer), false, false);
            return;
        }
        if (d.access == Access::None || (d.space != StateSpace::Global && d.space != StateSpace::Generic))
            return;
        const auto where = std::ranges::find(i.operands, Operand::Kind::Address, &Operand::kind);
        if (where == i.operands.end())
            return;
        const std::uint32_t bytes = d.bytes() * d.elements;
        const bool strong = d.semantics != Semantics::Default || d.access == Access::Atomic;
        if (d.access != Access::Store)
            note(*where, bytes, false, strong);
        if (d.access != Access::Load)
            note(*where, bytes, true, strong);
    }

    void note(const Operand& address, std::uint32_t bytes, bool writes, bool strong) {
        if (const Value base = baseOf(address))
            m_found.push_back({*base + std::uint64_t(address.integer), bytes, writes, strong});
    }

    Value baseOf(const Operand& address) const {
        if (address.baseIsRegister)
            return valueOf(address.name);
        return address.name.empty() ? Value(0) : Value();
    }

    void set(const Operand& result, Value value) {
        switch (result.kind) {
        case Operand::Kind::Register:
            m_registers[result.name] = value;
            return;
        case Operand::Kind::Pair: // p|q of setp: q is what p is not
            for (std::size_t n = 0; n < result.elements.size(); ++n)
                set(result.elements[n], n == 0 || !value ? value : Value(*value == 0));
            return;
        case Operand::Kind::Vector:
            for (const Operand& element : result.elements)
                set(element, Value());
            return;
        default:
            return;
        }
    }

    Value valueOf(std::string_view name) const {
        const auto known = m_registers.find(name);
        return known == m_registers.end() ? Value() : known->second;
    }
    Value valueOf(const Operand& o) const {
        switch (o.kind) {
        case Operand::Kind::Register: {
            const Value value = valueOf(o.name);
            return value && o.negated ? Value(*value == 0) : value;
        }
        case Operand::Kind::Integer:
            return std::uint64_t(o.integer);
        case Operand::Kind::Special:
            return special(o);
        default:
            return std::nullopt;
        }
    }

    Value special(const Operand& o) const {
        const auto of = [&](const Dim3& d) -> Value {
            return o.component == 0   ? Value(d.x)
                   : o.component == 1 ? Value(d.y)
                   : o.component == 2 ? Value(d.z)
                                      : Value();
        };
        const Dim3 &t = m_place.thread, &b = m_place.block;
        return o.name == "%tid"      ? of(t)
               : o.name == "%ntid"   ? of(b)
               : o.name == "%ctaid"  ? of(m_place.index)
               : o.name == "%nctaid" ? of(m_place.grid)
               : o.name == "%laneid" ? Value((t.x + std::uint64_t(b.x) * (t.y + std::uint64_t(b.y) * t.z)) % 32)
               : o.name == "WARP_SZ" ? Value(32)
                                     : Value();
    }

    Value parameter(const Operand& address, std::uint32_t bytes) const {
        const auto begin = m_offsets.find(address.name);
        if (begin == m_offsets.end() || address.baseIsRegister || bytes > 8 || address.integer < 0)
            return std::nullopt;
        const std::uint64_t at = begin->second + std::uint64_t(address.integer);
        if (at + bytes > m_parameters.size())
            return std::nullopt;
        std::uint64_t value = 0;
        std::memcpy(&value, m_parameters.data() + at, bytes);
        return value;
    }

    Value resultOf(const Instruction& i, const Description& d) const {
        const Type type = d.type();
        if (type != Type::Pred && (isFloat(type) || isHalf(type) || type > Type::Pred))
            return std::nullopt;
        const std::uint32_t bytes = type == Type::Pred ? 1 : d.bytes();
        if (bytes == 0)
            return std::nullopt;
        if (i.opcode == Opcode::Ld)
            return d.space == StateSpace::Param && d.elements == 1 ? parameter(i.operand(1), bytes) : Value();
        const Value a = valueOf(i.operand(1)), b = valueOf(i.operand(2)), c = valueOf(i.operand(3));
        if (!a || d.sat)
            return std::nullopt;
        switch (i.opcode) {
        case Opcode::Mov:
        case Opcode::Cvta:
            return lowBits(*a, bytes);
        case Opcode::Cvt: {
            if (d.typeCount != 2 || isFloat(d.firstType()) || isHalf(d.firstType()) || d.firstType() > Type::Pred)
                return std::nullopt;
            const std::uint64_t from = lowBits(*a, bytes);
            return lowBits(isSigned(type) ? std::uint64_t(asSigned(from, bytes)) : from,
                           std::uint32_t(bytesOf(d.firstType())));
        }
        case Opcode::Not:
            return type == Type::Pred ? std::uint64_t(*a == 0) : lowBits(~*a, bytes);
        case Opcode::Neg:
            return lowBits(0 - *a, bytes);
        case Opcode::Selp:
            return b && c ? Value(lowBits(*c ? *a : *b, bytes)) : Value();
        default:
            return b ? ofTwo(i, d, *a, *b, c) : Value();
        }
    }

    static Value ofTwo(const Instruction& i, const Description& d, std::uint64_t a, std::uint64_t b, Value c) {
        const Type type = d.type();
        const std::uint32_t bytes = type == Type::Pred ? 1 : d.bytes();
        const bool isSigned = ptx::isSigned(type);
        a = lowBits(a, bytes);
        const std::uint64_t shift = b & 0xffff'ffff;
        b = lowBits(b, bytes);
        const std::int64_t sa = asSigned(a, bytes), sb = asSigned(b, bytes);
        switch (i.opcode) {
        case Opcode::Add:
            return lowBits(a + b, bytes);
        case Opcode::Sub:
            return lowBits(a - b, bytes);
        case Opcode::Mul:
        case Opcode::Mad: {
            if (d.half == Half::High || (i.opcode == Opcode::Mad && !c))
                return std::nullopt;
            const std::uint64_t product = d.wide() && isSigned ? std::uint64_t(sa) * std::uint64_t(sb) : a * b;
            return lowBits(product + (i.opcode == Opcode::Mad ? *c : 0), d.wide() ? 2 * bytes : bytes);
        }
        case Opcode::Shl:
            return shift >= 8 * bytes ? 0 : lowBits(a << shift, bytes);
        case Opcode::Shr:
            if (isSigned)
                return lowBits(std::uint64_t(sa >> std::min<std::uint64_t>(shift, 8 * bytes - 1)), bytes);
            return shift >= 8 * bytes ? 0 : a >> shift;
        case Opcode::And:
            return a & b;
        case Opcode::Or:
            return a | b;
        case Opcode::Xor:
            return a ^ b;
        case Opcode::Min:
            return isSigned ? (sa < sb ? a : b) : std::min(a, b);
        case Opcode::Max:
            return isSigned ? (sa > sb ? a : b) : std::max(a, b);
        case Opcode::Div:
        case Opcode::Rem: {
            if (b == 0 || (isSigned && sb == -1))
                return std::nullopt;
            const std::uint64_t quotient = isSigned ? std::uint64_t(sa / sb) : a / b;
            return lowBits(i.opcode == Opcode::Div ? quotient : a - quotient * b, bytes);
        }
        case Opcode::Setp:
            return d.operation == Operation::None ? compared(d.compare, a, b, sa, sb, isSigned) : Value();
        default:
            return std::nullopt;
        }
    }

    static Value compared(Compare how, std::uint64_t a, std::uint64_t b, std::int64_t sa, std::int64_t sb,
                          bool isSigned) {
        const bool less = isSigned ? sa < sb : a < b;
        switch (how) {
        case Compare::Eq:
            return a == b;
        case Compare::Ne:
            return a != b;
        case Compare::Lt:
            return less;
        case Compare::Le:
            return less || a == b;
        case Compare::Gt:
            return !less && a != b;
        case Compare::Ge:
            return !less;
        case Compare::Lo:
            return a < b;
        case Compare::Ls:
            return a <= b;
        case Compare::Hi:
            return a > b;
        case Compare::Hs:
            return a >= b;
        default: // of floats
            return std::nullopt;
        }
    }

    const Function& m_entry;
    LabelMap m_labels;
    std::span<const std::byte> m_parameters;
    ThreadPlace m_place;
    std::unordered_map<std::string_view, std::uint64_t> m_offsets; // [name of a parameter]
    std::unordered_map<std::string_view, Value> m_registers;
    std::vector<CertainAccess> m_found;
};

} // namespace

std::vector<CertainAccess> certainAccesses(const Function& entry, std::span<const std::byte> parameters,
                                           const ThreadPlace& place, std::size_t& instructions) {
    return Way(entry, parameters, place).follow(instructions);
}

bool mayListen(const Function& entry) {
    return std::ranges::any_of(entry.body, [](const Instruction& i) {
        const Description d = describe(i);
        const bool inMemory = d.space == StateSpace::Global || d.space == StateSpace::Generic;
        return d.family == Family::Call || (inMemory && i.opcode == Opcode::Atom) ||
               (inMemory && d.access == Access::Load && d.semantics != Semantics::Default);
    });
}

} // namespace warpglass::ptx
