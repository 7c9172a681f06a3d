// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions of each straight-line piece in the order in which ptxas would put them, as far as their operands, stores,
// barriers and atomics let them: many loads are under way at once, and chains that do not depend on each other overlap.
#include "gpu/emulator/timing/passes.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

// Quotients and roots that are rounded exactly look whether their operands are of the easy kind, and call a function
// where they are not: a branch, over which ptxas moves nothing.
bool branches(const InstInfo& info) {
    const ptx::Type type = info.is.type();
    const bool floats = type == ptx::Type::F32 || type == ptx::Type::F64;
    return info.opClass == OpClass::Special && floats && !info.is.approx && !info.is.full;
}

// A copy by each lane, of 4 to 16 bytes, which is under way when the instruction is through.
bool copiesByLane(const Program& program, std::uint32_t position) {
    const InstInfo& info = program.info[position];
    return info.opClass == OpClass::Async && info.is.opcode != ptx::Opcode::Tcgen05 &&
           program.asyncs[program.code[position].async.site].op == AsyncOp::CopyLanes;
}

// Reads and writes registers, or loads, and nothing else; or asks for copies, whose order stays.
bool movable(const Program& program, std::uint32_t position) {
    const InstInfo& info = program.info[position];
    switch (info.opClass) {
    case OpClass::Async:
        return copiesByLane(program, position);
    case OpClass::Integer:
    case OpClass::Move:
    case OpClass::Float32:
    case OpClass::Float64:
    case OpClass::Half:
    case OpClass::Convert:
        return true;
    case OpClass::Special:
        return !branches(info);
    case OpClass::Memory:
        return info.access == AccessKind::Load && info.is.semantics != ptx::Semantics::Acquire;
    default:
        return false;
    }
}

bool readsClock(const ptx::Instruction& i) {
    return std::any_of(i.operands.begin(), i.operands.end(), [](const ptx::Operand& o) {
        return o.kind == ptx::Operand::Kind::Special &&
               (o.name.starts_with("%clock") || o.name.starts_with("%globaltimer"));
    });
}

// The carry of sums of many words is in no register: there is one of it, which lies between who gives and who takes it.
bool givesCarry(const InstInfo& info) {
    return info.is.carryOut;
}
bool takesCarry(const InstInfo& info) {
    return info.is.opcode == ptx::Opcode::Addc || info.is.opcode == ptx::Opcode::Subc ||
           info.is.opcode == ptx::Opcode::Madc;
}

bool meet(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    return std::any_of(a.begin(), a.end(),
                       [&](std::uint32_t r) { return std::find(b.begin(), b.end(), r) != b.end(); });
}

// Cycles from an instruction's issue until what depends on it can be issued, as far as a compiler knows.
std::int64_t expected(const Program& program, const MachineOp& op, std::uint32_t position, const DeviceTiming& timing) {
    const InstInfo& info = program.info[position];
    std::int64_t cycles = op.latency + std::max(0, op.slots - 1) * op.gap;
    if (info.opClass == OpClass::Memory && info.space != MemorySpace::Param)
        cycles += info.space == MemorySpace::Shared     ? timing.shared
                  : info.space == MemorySpace::Constant ? timing.constant
                                                        : timing.l2;
    return cycles;
}

// Orders one stretch of movable instructions, positions first to end - 1: of those whose operands are there, the one
// goes first on which the longest chain depends; if there is none, the one whose operands come first.
void order(const Program& program, const MachineCode& code, const DeviceTiming& timing, std::uint32_t first,
           std::uint32_t end, std::vector<std::uint32_t>& out) {
    const std::uint32_t n = end - first;
    const auto isLoad = [&](std::uint32_t k) {
        const InstInfo& info = program.info[first + k];
        return info.opClass == OpClass::Memory && info.space != MemorySpace::Param;
    };
    const auto ofBlock = [&](std::uint32_t k) { // may read what a copy brings
        const InstInfo& info = program.info[first + k];
        return isLoad(k) && (info.space == MemorySpace::Shared || info.genericSpace);
    };
    struct Need {
        std::uint32_t before;
        bool value; // it reads what that one writes
    };
    std::vector<std::vector<Need>> needs(n);
    std::vector<std::int64_t> takes(n), height(n), ready(n, 0);
    for (std::uint32_t k = 0; k < n; ++k) {
        const MachineOp& op = code.ops[first + k];
        takes[k] = expected(program, op, first + k, timing);
        const InstInfo& info = program.info[first + k];
        const bool keeps = info.is.semantics == ptx::Semantics::Volatile;
        const bool gives = givesCarry(info), takesIt = takesCarry(info);
        const bool copies = copiesByLane(program, first + k);
        for (std::uint32_t before = 0; before < k; ++before) {
            const MachineOp& other = code.ops[first + before];
            const InstInfo& its = program.info[first + before];
            const bool value = meet(code.reads(op), code.writes(other)) || (takesIt && givesCarry(its));
            if (value || meet(code.writes(op), code.reads(other)) || meet(code.writes(op), code.writes(other)) ||
                (keeps && its.is.semantics == ptx::Semantics::Volatile) ||
                (gives && (givesCarry(its) || takesCarry(its))) ||
                (copies && (copiesByLane(program, first + before) || ofBlock(before))) ||
                (ofBlock(k) && copiesByLane(program, first + before)))
                needs[k].push_back({before, value});
        }
    }
    for (std::uint32_t k = n; k-- > 0;) {
        height[k] += takes[k];
        for (const Need& need : needs[k])
            height[need.before] = std::max(height[need.before], need.value ? height[k] : height[k] - takes[k]);
    }
    std::vector<bool> placed(n, false), used(n, false);
    std::uint32_t underWay = 0, oldest = 0;
    std::int64_t now = 0;
    for (std::uint32_t done = 0; done < n; ++done) {
        while (placed[oldest])
            ++oldest;
        std::uint32_t best = n;
        for (std::uint32_t k = oldest; k < std::min(n, oldest + ptxas.ahead); ++k) {
            if (placed[k] ||
                std::any_of(needs[k].begin(), needs[k].end(), [&](const Need& need) { return !placed[need.before]; }))
                continue;
            if (k != oldest && isLoad(k) && underWay >= ptxas.loadsUnderWay)
                continue;
            const auto later = [&](std::uint32_t a) { return std::max(now, ready[a]); };
            if (best == n || later(k) < later(best) || (later(k) == later(best) && height[k] > height[best]))
                best = k;
        }
        placed[best] = true;
        now = std::max(now, ready[best]);
        for (std::uint32_t k = best + 1; k < n; ++k)
            for (const Need& need : needs[k])
                if (need.before == best && need.value)
                    ready[k] = std::max(ready[k], now + takes[best]);
        now += code.ops[first + best].slots;
        underWay += isLoad(best);
        for (const Need& need : needs[best])
            if (need.value && isLoad(need.before) && !used[need.before]) {
                used[need.before] = true;
                --underWay;
            }
        out.push_back(first + best);
    }
}

} // namespace

void schedule(Translation& t) {
    const Program& program = t.program;
    for (const Piece& piece : program.pieces) {
        std::vector<std::uint32_t> sequence;
        for (std::uint32_t k = piece.first; k < piece.end;) {
            std::uint32_t stop = k;
            while (stop < piece.end && stop - k < ptxas.stretch && program.info[stop].source &&
                   movable(program, stop) && !readsClock(*program.info[stop].source))
                ++stop;
            if (stop - k > 1)
                order(program, t.code, t.timing, k, stop, sequence);
            else if (stop > k)
                sequence.push_back(k);
            if (stop == k)
                sequence.push_back(stop++);
            k = stop;
        }
        std::copy(sequence.begin(), sequence.end(), t.code.order.begin() + piece.first);
    }
}

} // namespace warpglass::emulator
