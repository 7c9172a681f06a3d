// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics of a warp that the machine makes as one, and those that are loops in shared memory.
#include "gpu/emulator/timing/passes.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

// What depends on the lane: special registers that do, anything loaded or shuffled, what is made of those, and what
// branches that they decide have left: a count of turns, say, where lanes leave the loop one by one.
std::vector<bool> dependsOnLane(const Translation& t) {
    std::vector<bool> varies(t.code.registerCount, false);
    std::vector<std::uint32_t> writers(t.code.registerCount, 0), lastRead(t.code.registerCount, 0);
    for (std::uint32_t k = 0; k < t.program.code.size(); ++k) {
        for (const std::uint32_t r : t.code.writes(t.code.ops[k]))
            ++writers[r];
        for (const std::uint32_t r : t.code.reads(t.code.ops[k]))
            lastRead[r] = k;
    }
    for (bool changed = true; changed;) {
        changed = false;
        const auto mark = [&](std::uint32_t r) {
            changed |= !varies[r];
            varies[r] = true;
        };
        for (std::uint32_t k = 0; k < t.program.code.size(); ++k) {
            const InstInfo& info = t.program.info[k];
            const MachineOp& op = t.code.ops[k];
            if (!info.source)
                continue;
            bool source = info.opClass == OpClass::Shuffle || info.opClass == OpClass::Atomic ||
                          info.opClass == OpClass::Call ||
                          (info.opClass == OpClass::Memory && info.space != MemorySpace::Param) ||
                          (readsSpecial(*info.source) && !readsConstantRegister(*info.source) &&
                           info.source->text.find("%ctaid") == std::string::npos);
            for (const std::uint32_t r : t.code.reads(op))
                source = source || varies[r];
            if (!source)
                continue;
            for (const std::uint32_t r : t.code.writes(op))
                mark(r);
            if (!info.isBranch || info.isExit || info.is.opcode != ptx::Opcode::Bra)
                continue;
            const auto [first, end] = std::minmax(k, t.program.code[k].branch.target);
            for (std::uint32_t inside = first; inside < end; ++inside)
                for (const std::uint32_t r : t.code.writes(t.code.ops[inside]))
                    if (writers[r] > 1 && lastRead[r] >= end)
                        mark(r);
        }
    }
    return varies;
}

// As ptxas makes machine code for sm_90: lanes that are counted and multiplied, or reduced by redux.sync.
bool isCombined(const InstInfo& info, bool result, bool valuesDiffer) {
    using ptx::Operation;
    const Operation op = info.is.operation;
    if (ptx::isFloat(info.is.type()) || ptx::isHalf(info.is.type()) || info.is.elements > 1)
        return false;
    const bool word = info.is.bytes() == 4;
    if (op == Operation::Add)
        return !valuesDiffer || (word && !result);
    return word && !result &&
           (op == Operation::And || op == Operation::Or || op == Operation::Xor || op == Operation::Min ||
            op == Operation::Max);
}

// ATOMS.POPC.INC: as fast for 32 lanes at one word as for one (count/red of tests/timing/h200-micro.csv).
bool isCount(const Translation& t, std::uint32_t k) {
    const InstInfo& info = t.program.info[k];
    const auto& operands = info.source->operands;
    const ptx::Operand* const one = operands.empty() ? nullptr : &operands.back();
    const auto written = t.code.writes(t.code.ops[k]);
    return info.space == MemorySpace::Shared && !info.genericSpace && info.is.operation == ptx::Operation::Add &&
           !ptx::isFloat(info.is.type()) && info.is.bytes() == 4 && one->kind == ptx::Operand::Kind::Integer &&
           one->integer == 1 &&
           std::all_of(written.begin(), written.end(), [&](std::uint32_t r) { return t.users[r].empty(); });
}

} // namespace

void combineAtomics(Translation& t) {
    const std::vector<bool> varies = dependsOnLane(t);
    std::vector<bool> read(t.code.registerCount, false); // what nobody reads, nobody waits for
    for (const MachineOp& op : t.code.ops)
        for (const std::uint32_t r : t.code.reads(op))
            read[r] = true;
    for (std::uint32_t k = 0; k < t.program.code.size(); ++k) {
        const InstInfo& info = t.program.info[k];
        if (info.opClass != OpClass::Atomic || !info.source)
            continue;
        const Row row = t.program.code[k].a;
        const bool atOne = row == noRow || !varies[t.number(info, row)];
        bool values = false;
        for (const std::uint32_t r : t.code.reads(t.code.ops[k]))
            values = values || (varies[r] && (row == noRow || r != t.number(info, row)));
        const ptx::Type type = info.is.type();
        const bool floats = ptx::isFloat(type) || ptx::isHalf(type);
        const bool swap = info.is.operation == ptx::Operation::Exch || info.is.operation == ptx::Operation::Cas;
        const bool result = t.program.code[k].memory.hasResult;
        const auto writes = t.code.writes(t.code.ops[k]);
        t.code.ops[k].strong = std::any_of(writes.begin(), writes.end(), [&](std::uint32_t r) { return read[r]; });
        t.code.ops[k].atomic = {atOne && isCombined(info, result, values), floats,
                                !swap && (floats || info.is.bytes() != 4), isCount(t, k)};
    }
}

} // namespace warpglass::emulator
