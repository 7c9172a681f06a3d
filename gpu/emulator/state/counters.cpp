// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/state/counters.h"

namespace warpglass::emulator {

void Counters::reset(const Program& program) {
    pieceExecutions.assign(program.pieces.size(), 0);
    pieceLanes.assign(program.pieces.size(), 0);
    executionsFix.assign(program.code.size(), 0);
    lanesFix.assign(program.code.size(), 0);
    memory.assign(program.code.size(), {});
    split.assign(program.code.size(), {});
    branch.assign(program.code.size(), {});
}

void Counters::add(const Counters& o) {
    for (std::size_t i = 0; i < pieceExecutions.size(); ++i) {
        pieceExecutions[i] += o.pieceExecutions[i];
        pieceLanes[i] += o.pieceLanes[i];
    }
    for (std::size_t i = 0; i < executionsFix.size(); ++i) {
        executionsFix[i] += o.executionsFix[i];
        lanesFix[i] += o.lanesFix[i];
        memory[i].add(o.memory[i]);
        for (const SplitCount& s : o.split[i])
            splitAt(std::uint32_t(i), s.space, s.caller).add(s.count);
        branch[i].divergent += o.branch[i].divergent;
        branch[i].takenLanes += o.branch[i].takenLanes;
    }
}

MemoryCount& Counters::splitAt(std::uint32_t position, MemorySpace space, std::uint32_t caller) {
    std::vector<SplitCount>& all = split[position];
    for (SplitCount& s : all) // a few
        if (s.space == space && s.caller == caller)
            return s.count;
    return all.emplace_back(SplitCount{space, caller, {}}).count;
}

} // namespace warpglass::emulator
