// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/one_path.h"

#include "gpu/ptx/control_flow.h"
#include "gpu/ptx/parse.h"
#include "views/common/ticks.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace warpglass {

namespace {

constexpr std::int64_t mostWalked = 1'000'000; // instructions of a path that is a loop's

// A branch in its function, and the place where its sides meet.
struct Place {
    ptx::Function function;
    ptx::ControlFlow flow;
    std::uint32_t branch = 0, meeting = 0; // instructions; a meeting at the end of the body is the function's end
};

std::optional<Place> placeOf(const Kernel& kernel, std::uint32_t ptxLine) {
    auto module = ptx::parse(kernel.ptx, kernel.name);
    if (!module)
        return std::nullopt;
    for (ptx::Function& function : module->functions) {
        const auto at = std::find_if(function.body.begin(), function.body.end(), [&](const ptx::Instruction& i) {
            return i.line > 0 && std::uint32_t(i.line) == ptxLine;
        });
        if (at == function.body.end())
            continue;
        const auto branch = std::uint32_t(at - function.body.begin());
        auto flow = ptx::controlFlow(function);
        if (!flow || at->opcode != ptx::Opcode::Bra || at->operands.empty())
            return std::nullopt;
        const std::uint32_t meets = flow->meetings[flow->blockOf[branch]].block;
        const std::uint32_t meeting = flow->firstOf(meets, std::uint32_t(function.body.size()));
        return Place{std::move(function), std::move(*flow), branch, meeting};
    }
    return std::nullopt;
}

std::optional<std::uint32_t> targetOf(const ptx::LabelMap& labels, const ptx::Instruction& branch) {
    return branch.operands.empty() ? std::nullopt : labels.find(branch.operands.back().name);
}

// Steps from the instruction at `from` to the meeting, a step an instruction; where the way forks the warp's next event
// there says which side it took.
std::optional<std::int64_t> stepsOf(const Trace& trace, const Warp& warp, std::uint32_t event, const Place& place,
                                    std::uint32_t from) {
    const ptx::LabelMap labels(place.function);
    std::int64_t steps = 0;
    for (std::uint32_t at = from; at != place.meeting; ++steps) {
        if (at >= place.function.body.size() || steps > mostWalked)
            return std::nullopt;
        const ptx::Instruction& in = place.function.body[at];
        if (in.opcode == ptx::Opcode::Bra && !in.guarded()) {
            const auto target = targetOf(labels, in);
            if (!target)
                return std::nullopt;
            at = *target;
            continue;
        }
        if (in.opcode == ptx::Opcode::Bra) {
            do
                ++event;
            while (event < warp.eventCount && trace.event(warp, event).kind != EventKind::Branch);
            if (event >= warp.eventCount)
                return std::nullopt;
            const Event fork = trace.event(warp, event);
            const LaneMask taken = fork.active & fork.taken;
            const bool here = trace.sites[fork.site].ptxLine == std::uint32_t(in.line);
            const auto target = targetOf(labels, in);
            if (!here || !target || (!taken.empty() && taken != fork.active))
                return std::nullopt;
            at = taken.empty() ? at + 1 : *target;
            continue;
        }
        const bool leaves = in.opcode == ptx::Opcode::Call || in.opcode == ptx::Opcode::Brx ||
                            in.opcode == ptx::Opcode::Ret || in.opcode == ptx::Opcode::Exit;
        if (leaves)
            return std::nullopt;
        ++at;
    }
    return steps;
}

// By the scheduler's states: from the first instruction that was issued after the branch to the first outside of what
// lies between the branch and the meeting. What is called from there belongs to it.
std::optional<TimeRange> issuedWithin(const Trace& trace, const Warp& warp, const Event& branch, const Place& place,
                                      std::uint32_t from) {
    const ptx::ControlFlow& flow = place.flow;
    std::set<std::uint32_t> inside, outside; // lines
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> open{flow.blockOf[from]};
    const std::uint32_t meets = place.meeting < flow.blockOf.size() ? flow.blockOf[place.meeting] : flow.exitBlock();
    while (!open.empty()) {
        const std::uint32_t block = open.back();
        open.pop_back();
        if (block == meets || block >= flow.exitBlock() || !seen.insert(block).second)
            continue;
        open.insert(open.end(), flow.blocks[block].successors.begin(), flow.blocks[block].successors.end());
    }
    for (std::uint32_t i = 0; i < flow.blockOf.size(); ++i)
        (seen.contains(flow.blockOf[i]) ? inside : outside).insert(std::uint32_t(place.function.body[i].line));
    const std::uint32_t branchLine = trace.sites[branch.site].ptxLine;
    const double perCycle = 1000 / trace.info.smClockMHz;
    const auto timeAt = [&](Time cycle) { return Time{std::int64_t(std::llround(double(cycle.value) * perCycle))}; };
    std::optional<Time> begin;
    bool passed = false; // the branch
    for (const StateRow& row : trace.statesOf(warp)) {
        if (row.state != WarpState::Selected || row.begin.value < firstCycle(trace.info, branch.time.value))
            continue;
        if (!passed) {
            passed = row.ptxLine == branchLine;
            continue;
        }
        if (outside.contains(row.ptxLine))
            return TimeRange{begin.value_or(timeAt(row.begin)), timeAt(row.begin)};
        if (!begin)
            begin = timeAt(row.begin);
    }
    if (passed && begin) // to the end of the kernel
        return TimeRange{*begin, warp.end};
    return std::nullopt;
}

} // namespace

std::optional<Serialised> undividedPath(const Trace& trace, std::uint32_t warpRow, std::uint32_t event) {
    const Warp& warp = trace.warps[warpRow];
    const Event branch = trace.event(warp, event);
    const LaneMask taken = branch.active & branch.taken;
    if (branch.active.empty() || (!taken.empty() && taken != branch.active))
        return std::nullopt;
    const Kernel& kernel = trace.kernelOf(trace.launchOf(trace.blockOf(warp)));
    const auto place = placeOf(kernel, trace.sites[branch.site].ptxLine);
    if (!place)
        return std::nullopt;
    std::uint32_t from = place->branch + 1;
    if (!taken.empty()) {
        const auto target = targetOf(ptx::LabelMap(place->function), place->function.body[place->branch]);
        if (!target)
            return std::nullopt;
        from = *target;
    }
    Serialised path;
    path.event = event;
    path.active = branch.active;
    path.taken = branch.taken;
    path.timed = path.reconverged = path.together = true;
    if (from == place->meeting || from >= place->function.body.size())
        return path;
    PathSegment segment;
    segment.on = branch.active;
    segment.event = event;
    segment.ptxLine = std::uint32_t(place->function.body[from].line);
    segment.sourceLine = sideLine(kernel, segment.ptxLine, sourceLineOf(kernel, trace.sites[branch.site].ptxLine));
    if (trace.info.timeUnit == TimeUnit::Steps) {
        const auto steps = stepsOf(trace, warp, event, *place, from);
        if (!steps)
            return std::nullopt;
        segment.begin = branch.time + Time{1}; // the branch is a step itself
        segment.end = segment.begin + Time{*steps};
    } else {
        const auto issued = issuedWithin(trace, warp, branch, *place, from);
        if (!issued || trace.info.smClockMHz <= 0)
            return std::nullopt;
        segment.begin = issued->begin;
        segment.end = issued->end;
    }
    if (segment.end <= segment.begin)
        return path;
    const auto length = std::uint64_t((segment.end - segment.begin).value);
    path.lanesUsed = length * std::uint64_t(segment.on.count());
    path.lanesPaid = length * lanesPerWarp;
    path.segments.push_back(segment);
    return path;
}

} // namespace warpglass
