// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/kernel_rows.h"

#include "gpu/launch/kernel_text.h"
#include "gpu/probe/sites.h"

#include <set>

namespace warpglass::probe {
namespace {

std::vector<const ptx::Function*> reach(const ptx::Module& module, const std::string& entry) {
    std::vector<const ptx::Function*> found;
    std::set<std::string> seen{entry};
    if (const ptx::Function* f = module.findFunction(entry))
        found.push_back(f);
    for (std::size_t at = 0; at < found.size(); ++at)
        for (const ptx::Instruction& i : found[at]->body) {
            const std::string* name = calledFunction(i);
            const ptx::Function* callee = name ? module.findFunction(*name) : nullptr;
            if (callee && callee->bodyLine != 0 && seen.insert(*name).second)
                found.push_back(callee);
        }
    return found;
}

} // namespace

Kernel kernelRow(const ptx::Module& module, const std::string& entry, const LaunchPlan& plan) {
    Kernel k = kernelText(module, entry, plan, entry == plan.entry);
    std::vector<const ptx::Instruction*> instructions;
    std::set<std::string> shared; // variables of shared memory that are used
    for (const ptx::Function* f : reach(module, entry)) {
        for (const ptx::Variable& v : f->locals) {
            if (v.space == ptx::StateSpace::Shared)
                k.sharedBytes += std::uint32_t(v.sizeBytes());
            if (v.space == ptx::StateSpace::Local && f->isEntry)
                k.localBytes += std::uint32_t(v.sizeBytes());
        }
        for (const ptx::Instruction& i : f->body) {
            k.ptxBranches += isConditionalBranch(i) || i.opcode == ptx::Opcode::Brx ? 1 : 0;
            k.ptxSelects += i.opcode == ptx::Opcode::Selp ? 1 : 0;
            for (const ptx::Operand& o : i.operands) {
                const ptx::Variable* v = o.name.empty() ? nullptr : module.findVariable(o.name);
                if (v && v->space == ptx::StateSpace::Shared && shared.insert(o.name).second)
                    k.sharedBytes += std::uint32_t(v->sizeBytes());
            }
            instructions.push_back(&i);
        }
    }
    k.lines = lineLinks(module, k, instructions);
    return k;
}

} // namespace warpglass::probe
