// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/left_out.h"
#include "gpu/emulator/watch/code_ways.h"

namespace warpglass::emulator {

namespace {

// Positions of the function that can be reached from one of these, [position - first]. Empty: nobody knows.
std::vector<bool> reachedFrom(const Program& program, const FunctionCode& f, std::vector<std::uint32_t> todo) {
    std::vector<bool> reached(f.end - f.first);
    while (!todo.empty()) {
        const std::uint32_t at = todo.back();
        todo.pop_back();
        if (reached[at - f.first])
            continue;
        reached[at - f.first] = true;
        const NextOnes next = nextOnes(program, at);
        if (!next.known)
            return {};
        for (const std::uint32_t to : next.at)
            if (to != noIndex && to >= f.first && to < f.end)
                todo.push_back(to);
    }
    return reached;
}

bool stores(const InstInfo& info) {
    return info.isMemory && info.access != AccessKind::Load && info.space != MemorySpace::Param &&
           info.space != MemorySpace::Local;
}

} // namespace

bool othersGoAnotherWay(const Program& program, const Inst& barrier) {
    const FunctionCode& f = program.functions[program.info[barrier.index].function];
    const std::vector<bool> behind = reachedFrom(program, f, {barrier.index});
    if (behind.empty())
        return false;
    std::vector<bool> leads(f.end - f.first); // to the barrier
    leads[barrier.index - f.first] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t at = f.end; at-- > f.first;) {
            const NextOnes next = nextOnes(program, at);
            if (!next.known)
                return false;
            for (const std::uint32_t to : next.at)
                if (!leads[at - f.first] && to != noIndex && to >= f.first && to < f.end && leads[to - f.first])
                    changed = leads[at - f.first] = true;
        }
    }
    for (std::uint32_t at = f.first; at < f.end; ++at) {
        if (!program.info[at].isConditional || !leads[at - f.first] || behind[at - f.first])
            continue;
        for (const std::uint32_t to : nextOnes(program, at).at) {
            if (to == noIndex || to < f.first || to >= f.end || leads[to - f.first])
                continue;
            const std::vector<bool> other = reachedFrom(program, f, {to});
            for (std::uint32_t k = f.first; k < f.end; ++k)
                if (other[k - f.first] && !behind[k - f.first] && stores(program.info[k]))
                    return true;
        }
    }
    return false;
}

} // namespace warpglass::emulator
