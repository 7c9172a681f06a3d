// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/kernel_rows.h"

#include "gpu/probe/sites.h"
#include "gpu/ptx/source_lines.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace warpglass::probe {
namespace {

std::string plainName(const std::string& mangled) {
    int status = 0;
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    std::string name = status == 0 && text ? text : mangled;
    std::free(text);
    if (const auto parenthesis = name.find('('); parenthesis != std::string::npos)
        name.resize(parenthesis);
    if (name.starts_with("void "))
        name.erase(0, 5);
    return name;
}

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
    Kernel k;
    k.entry = entry;
    k.name = entry == plan.entry ? plan.kernelName : plainName(entry);
    k.source = plan.source;
    k.sourceName = plan.sourceName;
    k.ptx = plan.ptx;
    for (const auto& f : module.files)
        k.files.push_back(f.path);
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
            LineLink link;
            link.ptxLine = std::uint32_t(i.line);
            const auto chain = ptx::sourceChain(module, i);
            if (!chain.empty()) {
                link.source = sourcePlace(module, chain.front());
                const SourcePlace outer = sourcePlace(module, chain.back());
                const bool own = k.sourceName.empty() || (outer.file < k.files.size() &&
                                                          std::filesystem::path(k.files[outer.file]).filename() ==
                                                              std::filesystem::path(k.sourceName).filename());
                link.callLine = own ? outer.line : 0;
            }
            k.lines.push_back(link);
        }
    }
    std::stable_sort(k.lines.begin(), k.lines.end(),
                     [](const LineLink& a, const LineLink& b) { return a.ptxLine < b.ptxLine; });
    return k;
}

} // namespace warpglass::probe
