// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/sites.h"

#include "gpu/launch/kernel_text.h"
#include "gpu/ptx/describe.h"
#include "gpu/ptx/source_lines.h"

#include <algorithm>
#include <array>

namespace warpglass::probe {

using ptx::Family;
using ptx::Opcode;

bool isConditionalBranch(const ptx::Instruction& i) {
    return i.opcode == Opcode::Bra && i.guarded();
}

bool isBarrier(const ptx::Instruction& i) {
    return ptx::row(i.opcode).family == Family::Barrier && !i.has(ptx::Modifier::Warp);
}

bool isArriveOnly(const ptx::Instruction& i) {
    return isBarrier(i) && i.has(ptx::Modifier::Arrive);
}

bool endsThread(const ptx::Function& f, const ptx::Instruction& i) {
    return i.opcode == Opcode::Exit || (i.opcode == Opcode::Ret && f.isEntry);
}

bool isMemoryAccess(const ptx::Instruction& i) {
    if (i.has(ptx::Modifier::Async)) // st.async and red.async are copies, not accesses
        return false;
    const ptx::Description is = ptx::describe(i);
    if (is.access == ptx::Access::None)
        return false;
    return is.space != ptx::StateSpace::Param && is.space != ptx::StateSpace::Const;
}

bool isShuffle(const ptx::Instruction& i) {
    return i.opcode == Opcode::Shfl;
}

bool canFallOff(const ptx::Function& f) {
    if (f.body.empty())
        return true;
    const ptx::Instruction& last = f.body.back();
    const bool leaves = last.opcode == Opcode::Ret || last.opcode == Opcode::Exit || last.opcode == Opcode::Trap ||
                        ptx::row(last.opcode).family == Family::Branch;
    return !leaves || last.guarded();
}

const std::string* calledFunction(const ptx::Instruction& i) {
    if (i.opcode != Opcode::Call)
        return nullptr;
    for (const ptx::Operand& o : i.operands) {
        if (o.kind == ptx::Operand::Kind::Symbol)
            return &o.name;
        if (o.kind == ptx::Operand::Kind::Register)
            return nullptr; // through a pointer
    }
    return nullptr;
}

bool isBufferRequest(const std::string& f) {
    return f == "__cudaCDP2GetParameterBufferV2" || f == "cudaGetParameterBufferV2";
}

bool isLaunchCall(const std::string& f) {
    return f == "__cudaCDP2LaunchDeviceV2" || f == "cudaLaunchDeviceV2";
}

std::set<std::string> probedFunctions(const ptx::Module& module, const std::vector<const ptx::Function*>& byPointer) {
    std::set<std::string> found;
    std::vector<const ptx::Function*> open;
    for (const ptx::Function& f : module.functions)
        if (f.isEntry && f.bodyLine != 0) {
            found.insert(f.name);
            open.push_back(&f);
        }
    for (const ptx::Function* f : byPointer)
        if (found.insert(f->name).second)
            open.push_back(f);
    while (!open.empty()) {
        const ptx::Function* f = open.back();
        open.pop_back();
        for (const ptx::Instruction& i : f->body) {
            const std::string* name = calledFunction(i);
            const ptx::Function* callee = name ? module.findFunction(*name) : nullptr;
            if (callee && callee->bodyLine != 0 && found.insert(*name).second)
                open.push_back(callee);
        }
    }
    return found;
}

namespace {

void describeAccess(const ptx::Instruction& i, ProbeSite& site) {
    const ptx::Description is = ptx::describe(i);
    site.access = is.access == ptx::Access::Load    ? AccessKind::Load
                  : is.access == ptx::Access::Store ? AccessKind::Store
                                                    : AccessKind::Atomic;
    site.generic = is.space == ptx::StateSpace::Generic;
    if (!site.generic)
        site.space = is.space == ptx::StateSpace::Global   ? MemorySpace::Global
                     : is.space == ptx::StateSpace::Shared ? MemorySpace::Shared
                                                           : MemorySpace::Local;
    site.elements = is.elements;
    if (is.typeCount != 0)
        site.bytesPerElement = std::uint8_t(is.bytes());
    if (site.bytesPerElement == 16) { // a value has 64 bits at most: 128 are told as two
        site.bytesPerElement = 8;
        site.elements = 2;
    }
    site.isFloat = ptx::isFloat(is.type());
}

} // namespace

SiteTable collectSites(const ptx::Module& module, const std::set<std::string>& functions, const ProbeOptions& options) {
    SiteTable table;
    const auto add = [&](const ptx::Function& f, std::uint32_t index, SiteKind kind) -> ProbeSite& {
        const ptx::Instruction* i = index < f.body.size() ? &f.body[index] : f.body.empty() ? nullptr : &f.body.front();
        ProbeSite site;
        site.site.kind = kind;
        site.function = f.name;
        site.instruction = index;
        if (i) {
            site.site.ptxLine = std::uint32_t(i->line);
            site.site.text = i->text;
            for (const ptx::Place& place : ptx::sourceChain(module, *i))
                site.site.where.push_back(sourcePlace(module, place));
        }
        table.number.emplace(std::pair(f.name, index), std::uint32_t(table.sites.size()));
        return table.sites.emplace_back(std::move(site));
    };
    for (const ptx::Function& f : module.functions) {
        if (f.bodyLine == 0 || !functions.contains(f.name))
            continue;
        if (f.isEntry)
            add(f, noIndex, SiteKind::Entry);
        for (std::uint32_t n = 0; n < f.body.size(); ++n) {
            const ptx::Instruction& i = f.body[n];
            const std::string* callee = calledFunction(i);
            if (isConditionalBranch(i))
                add(f, n, SiteKind::Branch);
            else if (isBarrier(i))
                add(f, n, SiteKind::Barrier);
            else if (endsThread(f, i))
                add(f, n, SiteKind::Exit);
            else if (callee && isLaunchCall(*callee))
                add(f, n, SiteKind::Launch);
            else if (options.accesses && isMemoryAccess(i))
                describeAccess(i, add(f, n, SiteKind::Access));
            else if (options.accesses && isShuffle(i))
                add(f, n, SiteKind::Shuffle);
        }
        if (f.isEntry && canFallOff(f)) { // an implicit return, said to stand on the last line
            ProbeSite& end = add(f, std::uint32_t(f.body.size()), SiteKind::Exit);
            end.site.text = "}";
            if (!f.body.empty())
                end.site.ptxLine = std::uint32_t(f.body.back().line);
        }
    }
    return table;
}

} // namespace warpglass::probe
