// SPDX-License-Identifier: GPL-3.0-or-later
// ptxas makes one load of two or four words of shared memory that lie side by side, where it can tell that their address is
// a multiple of 8 or 16 bytes and nothing is stored between them: of the 128 loads of a product with 4 x 4 values a thread it
// leaves 32 of 16 bytes each. The first of them in the code goes for all; the others are gone, and have their values when
// it has.
#include "gpu/emulator/timing/passes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace warpglass::emulator {

namespace {

constexpr int most = 4; // of 16 bytes

int zeros(std::int64_t value) {
    return value == 0 ? most : std::min(most, std::countr_zero(std::uint64_t(value)));
}

// Of a function's registers: how many of their lowest bits are 0, whatever the launch.
class LowestBits {
public:
    LowestBits(const Program& program, const FunctionCode& function) {
        bool changed = true;
        while (changed) { // from the most that can be hoped for downwards
            changed = false;
            for (std::uint32_t k = function.first; k < function.end; ++k)
                if (const ptx::Instruction* const i = program.info[k].source)
                    changed |= note(program.info[k], *i);
        }
    }
    int of(const ptx::Operand& o) const {
        using Kind = ptx::Operand::Kind;
        if (o.kind == Kind::Integer)
            return zeros(o.integer);
        if (o.kind == Kind::Symbol) // a variable, which ptxas puts where it likes
            return zeros(o.integer);
        return o.kind == Kind::Register ? ofRegister(o.name) : 0;
    }
    int ofRegister(const std::string& name) const {
        const auto at = m_zeros.find(name);
        return at == m_zeros.end() ? most : at->second;
    }

private:
    bool note(const InstInfo& info, const ptx::Instruction& i) {
        if (i.operands.empty())
            return false;
        if (i.operands[0].kind == ptx::Operand::Kind::Register)
            return lower(i.operands[0].name, result(info, i));
        bool changed = false;
        for (const ptx::Operand& o : i.operands[0].elements)
            if (o.kind == ptx::Operand::Kind::Register)
                changed |= lower(o.name, 0);
        return changed;
    }
    bool lower(const std::string& name, int value) {
        const auto [at, isNew] = m_zeros.try_emplace(name, value);
        const bool less = value < at->second;
        at->second = std::min(at->second, value);
        return isNew || less;
    }
    int result(const InstInfo& info, const ptx::Instruction& i) const {
        using ptx::Opcode;
        const auto bits = [&](std::size_t n) { return of(i.operand(n)); };
        switch (i.opcode) {
        case Opcode::Mov:
        case Opcode::Cvta:
        case Opcode::Cvt:
            return ptx::isFloat(info.is.type()) || ptx::isHalf(info.is.type()) ? 0 : bits(1);
        case Opcode::Add:
        case Opcode::Sub:
        case Opcode::Or:
        case Opcode::Xor:
        case Opcode::Selp:
            return std::min(bits(1), bits(2));
        case Opcode::And:
            return std::max(bits(1), bits(2));
        case Opcode::Mul:
            return info.is.half == ptx::Half::High ? 0 : std::min(most, bits(1) + bits(2));
        case Opcode::Mad:
            return info.is.half == ptx::Half::High ? 0 : std::min(bits(1) + bits(2), bits(3));
        case Opcode::Shl:
            return i.operand(2).kind == ptx::Operand::Kind::Integer
                       ? std::min(most, bits(1) + int(std::min<std::int64_t>(most, i.operand(2).integer)))
                       : bits(1);
        default:
            return 0;
        }
    }
    std::map<std::string, int> m_zeros; // [name of register]; the most, if nothing has been found
};

bool isJoinable(const InstInfo& info) {
    return info.source && info.opClass == OpClass::Memory && info.space == MemorySpace::Shared && !info.genericSpace &&
           info.access == AccessKind::Load && info.is.semantics != ptx::Semantics::Volatile &&
           !info.source->guarded() && info.is.bytes() == 4 && info.is.elements <= 1 &&
           info.source->operand(1).kind == ptx::Operand::Kind::Address && info.writes.size() == 1;
}

// What loads are not moved over.
bool stops(const InstInfo& info) {
    const bool stores = info.opClass == OpClass::Memory && info.access != AccessKind::Load &&
                        (info.space == MemorySpace::Shared || info.genericSpace);
    return !info.source || stores || info.isBarrier || info.isAsync || info.opClass == OpClass::Atomic ||
           info.opClass == OpClass::Call || info.opClass == OpClass::Fence || info.opClass == OpClass::Async ||
           info.opClass == OpClass::Matrix;
}

struct Load {
    std::int64_t offset = 0;
    std::uint32_t position = 0;
};

// The loads go as one; they lie side by side, in order of their offsets.
void join(MachineCode& code, std::span<const Load> loads) {
    const Load& first = *std::min_element(loads.begin(), loads.end(),
                                          [](const Load& a, const Load& b) { return a.position < b.position; });
    MachineOp& leader = code.ops[first.position];
    leader.joinedBytes = std::uint8_t(4 * loads.size());
    leader.joinedFrom = std::int8_t(loads.front().offset - first.offset);
    const std::uint32_t value = code.writes(leader)[0];
    for (const Load& l : loads) {
        if (l.position == first.position)
            continue;
        MachineOp& op = code.ops[l.position];
        const std::vector<std::uint32_t> reads(code.reads(op).begin(), code.reads(op).end());
        const std::uint32_t own = code.writes(op)[0];
        op.slots = 0;
        op.latency = 0;
        op.firstRead = std::uint32_t(code.registers.size());
        code.registers.push_back(value);
        code.registers.insert(code.registers.end(), reads.begin(), reads.end()); // it is done where its address is
        op.endAwaited = op.endRead = op.firstWrite = std::uint32_t(code.registers.size());
        code.registers.push_back(own);
        op.endWrite = op.firstWrite + 1;
    }
}

// Of one address, in order of their offsets.
void joinAll(MachineCode& code, std::vector<Load> loads, int lowestBits) {
    std::stable_sort(loads.begin(), loads.end(), [](const Load& a, const Load& b) { return a.offset < b.offset; });
    const auto follows = [&](std::size_t k, std::size_t count) {
        if (k + count > loads.size() || (1 << lowestBits) < int(4 * count) || loads[k].offset % std::int64_t(4 * count))
            return false;
        for (std::size_t n = 1; n < count; ++n)
            if (loads[k + n].offset != loads[k].offset + std::int64_t(4 * n))
                return false;
        return true;
    };
    for (std::size_t k = 0; k < loads.size();) {
        const std::size_t count = follows(k, 4) ? 4 : follows(k, 2) ? 2 : 1;
        if (count > 1)
            join(code, std::span(loads).subspan(k, count));
        k += count;
    }
}

} // namespace

void joinLoads(Translation& t) {
    const Program& program = t.program;
    MachineCode& code = t.code;
    std::vector<std::optional<LowestBits>> bits(program.functions.size());
    const auto bitsOf = [&](std::uint32_t function, const std::string& base, bool isRegister) {
        if (!isRegister)
            return most;
        if (!bits[function])
            bits[function].emplace(program, program.functions[function]);
        return bits[function]->ofRegister(base);
    };
    for (const Piece& piece : program.pieces) {
        std::map<std::string, std::vector<Load>> open; // [base], not yet joined
        std::map<std::string, bool> isRegister;
        const auto close = [&](const std::string& base) {
            if (const auto at = open.find(base); at != open.end()) {
                if (at->second.size() > 1)
                    joinAll(code, std::move(at->second),
                            bitsOf(program.info[piece.first].function, base, isRegister[base]));
                open.erase(at);
            }
        };
        const auto closeAll = [&] {
            while (!open.empty())
                close(std::string(open.begin()->first));
        };
        for (std::uint32_t k = piece.first; k < piece.end; ++k) {
            const InstInfo& info = program.info[k];
            if (stops(info))
                closeAll();
            if (!info.source)
                continue;
            if (isJoinable(info) && code.ops[k].slots == 1) {
                const ptx::Operand& address = info.source->operand(1);
                open[address.name].push_back({address.integer, k});
                isRegister[address.name] = address.baseIsRegister;
            }
            if (!open.empty() && !info.source->operands.empty()) {
                const ptx::Operand& to = info.source->operands[0];
                close(to.name);
                for (const ptx::Operand& o : to.elements)
                    close(o.name);
            }
        }
        closeAll();
    }
}

} // namespace warpglass::emulator
