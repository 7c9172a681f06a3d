// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/machine_code.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

constexpr std::uint32_t loadsUnderWay = 16; // moved up past the first use of one of them

bool movable(const InstInfo& info) { // reads and writes registers, or loads, and nothing else
    switch (info.opClass) {
    case OpClass::Integer:
    case OpClass::Move:
    case OpClass::Float32:
    case OpClass::Float64:
    case OpClass::Half:
    case OpClass::Special:
    case OpClass::Convert:
        return true;
    case OpClass::Memory:
        return info.access == AccessKind::Load;
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

bool meet(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    return std::any_of(a.begin(), a.end(),
                       [&](std::uint32_t r) { return std::find(b.begin(), b.end(), r) != b.end(); });
}

// Orders one stretch of movable instructions, positions first to end - 1.
void order(const Program& program, const MachineCode& code, std::uint32_t first, std::uint32_t end,
           std::vector<std::uint32_t>& out) {
    const std::uint32_t n = end - first;
    std::vector<bool> wanted(n, false); // a load, or what its address needs
    const auto isLoad = [&](std::uint32_t k) {
        const InstInfo& info = program.info[first + k];
        return info.opClass == OpClass::Memory && info.space != MemorySpace::Param;
    };
    std::vector<std::vector<std::uint32_t>> needs(n);
    for (std::uint32_t k = 0; k < n; ++k) {
        const MachineOp& op = code.ops[first + k];
        const bool keeps = program.info[first + k].is.semantics == ptx::Semantics::Volatile;
        for (std::uint32_t before = 0; before < k; ++before) {
            const MachineOp& other = code.ops[first + before];
            if (meet(code.reads(op), code.writes(other)) || meet(code.writes(op), code.reads(other)) ||
                meet(code.writes(op), code.writes(other)) ||
                (keeps && program.info[first + before].is.semantics == ptx::Semantics::Volatile))
                needs[k].push_back(before);
        }
    }
    for (std::uint32_t k = n; k-- > 0;)
        if (isLoad(k) || wanted[k]) {
            wanted[k] = true;
            for (const std::uint32_t before : needs[k])
                if (meet(code.reads(code.ops[first + k]), code.writes(code.ops[first + before])))
                    wanted[before] = true;
        }
    std::vector<bool> placed(n, false);
    std::vector<bool> slow(n, false); // a load, or what waits for one of this stretch
    for (std::uint32_t k = 0; k < n; ++k) {
        slow[k] = isLoad(k);
        for (const std::uint32_t before : needs[k])
            slow[k] = slow[k] || slow[before];
    }
    std::uint32_t underWay = 0;
    for (std::uint32_t done = 0; done < n; ++done) {
        std::uint32_t best = n;
        for (int round = 0; round < 2 && best == n; ++round)
            for (std::uint32_t k = 0; k < n; ++k) {
                if (placed[k] || !std::all_of(needs[k].begin(), needs[k].end(),
                                              [&](std::uint32_t before) { return bool(placed[before]); }))
                    continue;
                if (round == 0) { // loads whose addresses wait for no load, while there is room
                    bool waits = false;
                    for (const std::uint32_t before : needs[k])
                        waits = waits || slow[before];
                    if (!wanted[k] || waits || underWay >= loadsUnderWay)
                        continue;
                }
                best = k;
                break;
            }
        placed[best] = true;
        if (isLoad(best))
            ++underWay;
        else if (slow[best])
            underWay = 0; // what was loaded is being used
        out.push_back(first + best);
    }
}

} // namespace

Program hoistLoads(const Program& program, const MachineCode& code) {
    Program result = program;
    const auto& options = program.module->targetOptions;
    if (std::find(options.begin(), options.end(), "debug") != options.end())
        return result;
    for (const Piece& piece : program.pieces) {
        std::vector<std::uint32_t> sequence;
        for (std::uint32_t k = piece.first; k < piece.end;) {
            std::uint32_t stop = k;
            while (stop < piece.end && stop - k < 256 && program.info[stop].source && movable(program.info[stop]) &&
                   !readsClock(*program.info[stop].source))
                ++stop;
            if (stop - k > 1)
                order(program, code, k, stop, sequence);
            else if (stop > k)
                sequence.push_back(k);
            if (stop == k)
                sequence.push_back(stop++);
            k = stop;
        }
        for (std::uint32_t k = 0; k < sequence.size(); ++k)
            result.code[piece.first + k] = program.code[sequence[k]];
    }
    return result;
}

} // namespace warpglass::emulator
