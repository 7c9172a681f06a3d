// SPDX-License-Identifier: GPL-3.0-or-later
// Branches that become predicates on what they jump over.
#include "gpu/emulator/timing/passes.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

void predicateOne(Translation& t, std::uint32_t k) {
    const InstInfo& info = t.program.info[k];
    MachineOp& op = t.code.ops[k];
    if (!info.isBranch || !info.source || !info.source->guarded() || info.is.opcode != ptx::Opcode::Bra)
        return;
    const auto target = t.program.code[k].branch.target;
    if (target <= k)
        return;
    if (t.program.info[target].isExit && !t.program.info[target].source) // falls off the end
        op.branch = false;
    if (t.program.info[target].isExit)
        op.branch = false;
    std::uint32_t slots = 0;
    for (std::uint32_t n = k + 1; n < target; ++n) {
        const InstInfo& inner = t.program.info[n];
        const bool leads = n > k + 1 && t.program.code[n].piece != t.program.code[n - 1].piece;
        if (leads || inner.opClass == OpClass::Control || inner.opClass == OpClass::Call || inner.isBarrier ||
            inner.opClass == OpClass::Fence || inner.opClass == OpClass::Shuffle)
            return;
        slots += t.code.ops[n].slots;
    }
    if (slots > ptxas.predicatedBody)
        return;
    op.predicated = true;
    op.branch = false;
    op.slots = 0;
}

} // namespace

void predicate(Translation& t) {
    for (std::uint32_t k = 0; k < t.program.code.size(); ++k)
        predicateOne(t, k);
}

} // namespace warpglass::emulator
