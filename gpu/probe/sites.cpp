// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/sites.h"

#include "gpu/launch/kernel_text.h"
#include "gpu/ptx/describe.h"
#include "gpu/ptx/source_lines.h"

#include <algorithm>
#include <set>

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

AsyncPart asyncPart(const ptx::Instruction& i) {
    const auto has = [&](ptx::Modifier m) { return i.has(m); };
    using ptx::Modifier;
    if (i.opcode == Opcode::Mbarrier) {
        if (has(Modifier::TestWait) || has(Modifier::TryWait))
            return AsyncPart::Try;
        if (has(Modifier::Arrive) || has(Modifier::ArriveDrop))
            return AsyncPart::Arrive;
        return has(Modifier::Init)         ? AsyncPart::Init
               : has(Modifier::Inval)      ? AsyncPart::Inval
               : has(Modifier::ExpectTx)   ? AsyncPart::Expect
               : has(Modifier::CompleteTx) ? AsyncPart::Came
                                           : AsyncPart::None;
    }
    if (i.opcode == Opcode::Wgmma && has(Modifier::WaitGroup))
        return AsyncPart::ProductsWait;
    if (i.opcode != Opcode::Cp || !has(Modifier::Async) || has(Modifier::Prefetch))
        return AsyncPart::None;
    const bool bulk = has(Modifier::Bulk);
    if (has(Modifier::CommitGroup))
        return bulk ? AsyncPart::BulkCommit : AsyncPart::LanesCommit;
    if (has(Modifier::WaitGroup) || has(Modifier::WaitAll))
        return bulk ? AsyncPart::BulkWait : AsyncPart::LanesWait;
    if (bulk)
        return AsyncPart::Bulk;
    return has(Modifier::Mbarrier) ? AsyncPart::LanesArrive : AsyncPart::CopyLanes;
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

void describeAsync(const ptx::Instruction& i, ProbeSite& site) {
    using ptx::Modifier;
    site.async = asyncPart(i);
    site.drops = i.has(Modifier::ArriveDrop);
    site.tells = i.has(site.async == AsyncPart::Bulk ? Modifier::MbarrierCompleteTxBytes : Modifier::ExpectTx);
    site.counts = site.async != AsyncPart::LanesArrive || i.has(Modifier::Noinc);
    if ((site.async == AsyncPart::LanesWait || site.async == AsyncPart::BulkWait) && !i.operands.empty())
        site.keeps = std::uint32_t(i.operands.front().integer);
    if (site.async == AsyncPart::CopyLanes && i.operands.size() > 2)
        site.bytesPerElement = std::uint8_t(i.operands[2].integer);
    if (site.async != AsyncPart::Bulk)
        return;
    site.copy = i.has(Modifier::Reduce)   ? AsyncCopyKind::Reduce
                : i.has(Modifier::Tensor) ? AsyncCopyKind::Tensor
                                          : AsyncCopyKind::Bulk;
    std::vector<MemorySpace> spaces; // in order: where to, where from
    for (const Modifier m : i.modifiers)
        if (m == Modifier::Global)
            spaces.push_back(MemorySpace::Global);
        else if (m == Modifier::Shared || m == Modifier::SharedCta || m == Modifier::SharedCluster)
            spaces.push_back(MemorySpace::Shared);
    if (spaces.size() == 2) {
        site.to = spaces[0];
        site.from = spaces[1];
    }
}

// Whether a compiler makes predicates of a jump forward: over few instructions, none of which jumps, waits or is jumped to.
bool isPredicable(const ptx::Function& f, std::uint32_t n, const ptx::LabelMap& labels) {
    constexpr std::uint32_t few = 8;
    const std::optional<std::uint32_t> target =
        f.body[n].operands.empty() ? std::nullopt : labels.find(f.body[n].operands.front().name);
    if (!target || *target <= n || *target > n + 1 + few)
        return false;
    for (std::uint32_t k = n + 1; k < *target; ++k) {
        const ptx::Instruction& i = f.body[k];
        const Family family = ptx::row(i.opcode).family;
        if (family == Family::Branch || family == Family::Barrier || i.opcode == Opcode::Call || endsThread(f, i) ||
            asyncPart(i) != AsyncPart::None)
            return false;
    }
    return std::none_of(f.labels.begin(), f.labels.end(),
                        [&](const ptx::Label& label) { return label.instruction > n && label.instruction < *target; });
}

} // namespace

std::optional<std::uint32_t> waitJumpedOver(const ptx::Function& f, std::uint32_t n, const ptx::LabelMap& labels) {
    if (!isConditionalBranch(f.body[n]))
        return std::nullopt;
    const auto end = labels.find(f.body[n].operands.front().name);
    if (!end || *end < n + 3 || !isConditionalBranch(f.body[*end - 1]) || asyncPart(f.body[*end - 2]) != AsyncPart::Try)
        return std::nullopt;
    const std::uint32_t tries = *end - 2;
    if (labels.find(f.body[*end - 1].operands.front().name) != tries)
        return std::nullopt;
    for (std::uint32_t k = n + 1; k < tries; ++k) {
        const Family family = ptx::row(f.body[k].opcode).family;
        if (family == Family::Branch || family == Family::Barrier || f.body[k].opcode == Opcode::Call ||
            endsThread(f, f.body[k]) || asyncPart(f.body[k]) != AsyncPart::None)
            return std::nullopt;
    }
    const bool entered = std::any_of(f.labels.begin(), f.labels.end(), [&](const ptx::Label& label) {
        return label.instruction > n && label.instruction < *end && label.instruction != tries;
    });
    return entered ? std::nullopt : std::optional(tries);
}

namespace {

// Whether a jump back is told by what follows: asynchronous work in the loop is recorded in each turn.
bool isToldByWork(const ptx::Function& f, std::uint32_t n, const ptx::LabelMap& labels) {
    const std::optional<std::uint32_t> target =
        f.body[n].operands.empty() ? std::nullopt : labels.find(f.body[n].operands.front().name);
    if (!target || *target > n || (n > 0 && asyncPart(f.body[n - 1]) == AsyncPart::Try)) // a poll is a wait
        return false;
    return std::any_of(f.body.begin() + *target, f.body.begin() + n, [](const ptx::Instruction& i) {
        const AsyncPart part = asyncPart(i);
        return part != AsyncPart::None && part != AsyncPart::CopyLanes && part != AsyncPart::ProductsWait;
    });
}

// Of each group of cp.async where the first stands.
void findCopies(const ptx::Function& f, SiteTable& table) {
    std::uint32_t first = noIndex;
    bool open = false;
    for (std::uint32_t n = 0; n < f.body.size(); ++n) {
        const auto known = table.number.find({f.name, n});
        if (known == table.number.end())
            continue;
        ProbeSite& site = table.sites[known->second];
        const bool copies = site.async == AsyncPart::CopyLanes;
        if (copies && !open)
            first = known->second;
        if (copies || site.async == AsyncPart::LanesCommit || site.async == AsyncPart::LanesArrive ||
            site.async == AsyncPart::LanesWait) {
            site.copyNear = first;
            open = copies;
        }
    }
}

// The branch right behind a try is made by what it found: the try's record tells both.
void findPolls(const ptx::Function& f, SiteTable& table) {
    std::set<std::uint32_t> labelled;
    for (const ptx::Label& label : f.labels)
        labelled.insert(label.instruction);
    for (std::uint32_t n = 0; n + 1 < f.body.size(); ++n) {
        const ptx::Instruction &i = f.body[n], &next = f.body[n + 1];
        if (asyncPart(i) != AsyncPart::Try || i.guarded() || !isConditionalBranch(next) || labelled.contains(n + 1) ||
            i.operands.empty() || i.operands[0].name != next.guard)
            continue;
        ProbeSite& site = table.sites[table.number.at({f.name, n})];
        const auto jump = table.number.find({f.name, n + 1});
        if (jump == table.number.end())
            continue;
        site.poll = jump->second;
        site.pollNegated = next.guardNegated;
    }
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
        const ptx::LabelMap labels(f);
        const bool sparing = !options.accesses && std::any_of(f.body.begin(), f.body.end(), [](const auto& i) {
            return asyncPart(i) != AsyncPart::None;
        });
        for (std::uint32_t n = 0; n < f.body.size(); ++n) {
            const ptx::Instruction& i = f.body[n];
            const std::string* callee = calledFunction(i);
            if (isConditionalBranch(i) && sparing &&
                (isPredicable(f, n, labels) || isToldByWork(f, n, labels) || waitJumpedOver(f, n, labels)))
                continue;
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
            else if (asyncPart(i) != AsyncPart::None)
                describeAsync(i, add(f, n, SiteKind::Instruction));
        }
        findPolls(f, table);
        findCopies(f, table);
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
