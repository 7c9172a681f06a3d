// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/reach.h"

#include <algorithm>
#include <vector>

namespace warpglass::emulator {

namespace {

using Holds = std::function<bool(std::uint32_t)>;

bool anyBehind(const Program& program, std::uint32_t from, const Holds& holds, const Holds& ends) {
    const FunctionCode& function = program.functions[program.info[from].function];
    std::vector<bool> seen(function.end - function.first);
    std::vector<std::uint32_t> next;
    const auto add = [&](std::uint32_t at) {
        if (at < function.first || at >= function.end || seen[at - function.first])
            return;
        seen[at - function.first] = true;
        next.push_back(at);
    };
    const auto leave = [&](std::uint32_t at) {
        const Inst& in = program.code[at];
        const InstInfo& info = program.info[at];
        const bool jumps = info.is.opcode == ptx::Opcode::Bra || info.is.opcode == ptx::Opcode::Brx;
        if (info.is.opcode == ptx::Opcode::Bra)
            add(in.branch.target);
        else if (jumps)
            for (const std::uint32_t target : program.targets[in.branch.targets])
                add(target);
        if ((!jumps && !info.isExit) || in.guard)
            add(at + 1);
    };
    leave(from);
    while (!next.empty()) {
        const std::uint32_t at = next.back();
        next.pop_back();
        if (holds(at))
            return true;
        if (!ends || !ends(at))
            leave(at);
    }
    return false;
}

} // namespace

bool reachesWhat(const Program& program, std::uint32_t from, const Holds& holds) {
    return anyBehind(program, from, holds, {});
}

bool comesTo(const Program& program, std::uint32_t from, const Holds& holds, const Holds& ends) {
    return holds(from) || (!ends(from) && anyBehind(program, from, holds, ends));
}

bool reaches(const Program& program, std::uint32_t from, std::uint32_t position) {
    return reachesWhat(program, from, [position](std::uint32_t at) { return at == position; });
}

} // namespace warpglass::emulator
