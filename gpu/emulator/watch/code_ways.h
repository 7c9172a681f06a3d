// SPDX-License-Identifier: GPL-3.0-or-later
// Where the instructions of a function lead.
#pragma once

#include "gpu/emulator/code/program.h"

#include <vector>

namespace warpglass::emulator {

// Positions that may come next, within the function; none behind its end, and behind an indirect branch (known: false).
struct NextOnes {
    std::array<std::uint32_t, 2> at{noIndex, noIndex};
    bool known = true;
};
inline NextOnes nextOnes(const Program& program, std::uint32_t at) {
    const InstInfo& info = program.info[at];
    const Inst& in = program.code[at];
    const FunctionCode& f = program.functions[info.function];
    const std::uint32_t behind = at + 1 < f.end ? at + 1 : noIndex;
    if (info.isExit)
        return {{in.guard ? behind : noIndex, noIndex}, true};
    if (!info.isBranch)
        return {{behind, noIndex}, true};
    if (!info.source || info.is.opcode != ptx::Opcode::Bra)
        return {{noIndex, noIndex}, false};
    return {{in.branch.target, info.isConditional ? behind : noIndex}, true};
}

} // namespace warpglass::emulator
