// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/expectation_facts.h"

#include "gpu/metrics/branch_sides.h"
#include "gpu/metrics/memory_access.h"
#include "gpu/metrics/reduction_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace warpglass::session::asked {

namespace {

// ---- what one warp did

const Warp* warpAt(O o, P p) {
    const Launch* launch = launchAt(o, p);
    if (!launch)
        return nullptr;
    const auto blocks = o.trace->blocksOf(*launch);
    const auto block = std::size_t(p.at("block", 0)), warp = std::size_t(p.at("warp", 0));
    if (block >= blocks.size() || warp >= blocks[block].warpCount)
        return nullptr;
    return &o.trace->warpsOf(blocks[block])[warp];
}

const Kernel& kernelAt(O o, P p) {
    return o.trace->kernelOf(*launchAt(o, p));
}

bool isThere(O o, P p, const Event& event) {
    const Site& site = o.trace->sites[event.site];
    if (p.has("ptx") && site.ptxLine != p.at("ptx", 0))
        return false;
    return !p.has("line") || sourceLineOf(kernelAt(o, p), site) == p.at("line", 0);
}

constexpr const char* noWarp = "no events of that warp were recorded";

// The n-th of a warp's events that are chosen; what(row, event) tells of it.
FactValue ofEvent(O o, P p, const std::function<bool(std::uint64_t, const Event&)>& chosen,
                  const std::function<double(std::uint64_t, const Event&)>& what) {
    const Warp* warp = warpAt(o, p);
    if (!warp)
        return untold(noWarp);
    std::int64_t left = p.at("nth", 1);
    for (std::uint32_t n = 0; n < warp->eventCount; ++n) {
        const Event event = o.trace->event(*warp, n);
        if (isThere(o, p, event) && chosen(warp->firstEvent + n, event) && --left == 0)
            return told(what(warp->firstEvent + n, event));
    }
    return untold("that warp did not do it so often there");
}

FactValue howOften(O o, P p, EventKind kind) {
    const Warp* warp = warpAt(o, p);
    if (!warp)
        return untold(noWarp);
    const auto row = std::uint32_t(warp - o.trace->warps.data());
    if (std::any_of(o.trace->losses.begin(), o.trace->losses.end(),
                    [&](const Loss& loss) { return loss.warp == row && loss.events > 0; }))
        return untold("that warp had more events than are recorded");
    double count = 0;
    for (std::uint32_t n = 0; n < warp->eventCount; ++n) {
        const Event event = o.trace->event(*warp, n);
        count += event.kind == kind && isThere(o, p, event);
    }
    return told(count);
}
template <EventKind kind>
FactValue howOften(O o, P p) {
    return howOften(o, p, kind);
}

FactFunction ofBranch(double (*mask)(O, P, const Event&)) {
    return [mask](O o, P p) {
        return ofEvent(
            o, p, [](std::uint64_t, const Event& e) { return e.kind == EventKind::Branch; },
            [&](std::uint64_t, const Event& e) { return mask(o, p, e); });
    };
}
LaneMask enteringOf(O o, P p, const Event& event) {
    return entering(kernelAt(o, p), o.trace->sites[event.site], event);
}

FactValue liveLanes(O o, P p) {
    const Warp* warp = warpAt(o, p);
    return warp ? told(warp->liveLanes.bits) : untold(noWarp);
}

FactFunction ofAccess(double (*number)(const Trace&, const AccessRow&, const Event&)) {
    return [number](O o, P p) -> FactValue {
        if (!o.trace->info.recordedAccesses)
            return untold("no accesses were recorded");
        const bool kind = p.has("load") || p.has("store") || p.has("atomic");
        const bool space = p.has("global") || p.has("shared");
        return ofEvent(
            o, p,
            [&](std::uint64_t row, const Event& e) {
                const AccessRow* access = e.kind == EventKind::Access ? o.trace->accessOfEvent(row) : nullptr;
                return access && !access->shuffle && (!kind || p.has(name(access->kind))) &&
                       (!space || p.has(name(access->space)));
            },
            [&](std::uint64_t row, const Event& e) { return number(*o.trace, *o.trace->accessOfEvent(row), e); });
    };
}
GlobalAccess globalAccess(const Trace& trace, const AccessRow& access, const Event& event) {
    return analyseGlobal(event.active, trace.addresses(access), unsigned(access.bytesPerElement) * access.elements);
}
SharedAccess sharedAccess(const Trace& trace, const AccessRow& access, const Event& event) {
    return analyseShared(event.active, trace.addresses(access), unsigned(access.bytesPerElement) * access.elements,
                         access.kind);
}

FactValue steps(O o, P p) {
    const Launch* launch = launchAt(o, p);
    if (!launch)
        return untold("there is no such launch");
    if (p.has("warp")) {
        const Warp* warp = warpAt(o, p);
        return warp ? told(double((warp->end - warp->start).value)) : untold(noWarp);
    }
    if (!p.has("block"))
        return told(double((launch->end - launch->start).value));
    const auto blocks = o.trace->blocksOf(*launch);
    const auto block = std::size_t(p.at("block", 0));
    return block < blocks.size() ? told(double((blocks[block].end - blocks[block].start).value))
                                 : untold("there is no such block");
}

// ---- the reduction tree of a block

FactValue ofTree(O o, P p, const std::function<FactValue(const ReductionTree&)>& what) {
    const Launch* launch = launchAt(o, p);
    const auto block = std::uint32_t(p.at("block", 0));
    if (!launch || block >= launch->blockCount)
        return untold("there is no such block");
    const ReductionTree tree = reductionTree(*o.trace, launch->firstBlock + block);
    return tree.found() ? what(tree) : untold(tree.why);
}
FactFunction ofWholeTree(double (*number)(const ReductionTree&)) {
    return
        [number](O o, P p) { return ofTree(o, p, [number](const ReductionTree& tree) { return told(number(tree)); }); };
}
FactFunction ofTreeStep(double (*number)(const ReductionStep&)) {
    return [number](O o, P p) {
        return ofTree(o, p, [&](const ReductionTree& tree) {
            const std::int64_t step = p.at("step", 1);
            return step >= 1 && step <= std::int64_t(tree.steps.size())
                       ? told(number(tree.steps[std::size_t(step - 1)]))
                       : untold("the tree has no such step");
        });
    };
}
FactValue treeValue(O o, P p) {
    return ofTree(o, p, [&](const ReductionTree& tree) -> FactValue {
        const std::int64_t step = p.at("step", 1);
        if (step < 1 || step > std::int64_t(tree.steps.size()))
            return untold("the tree has no such step");
        const auto& sums = tree.steps[std::size_t(step - 1)].sums;
        const auto nth = std::size_t(p.at("nth", 1));
        if (nth < 1 || nth > sums.size())
            return untold("the step has no such addition");
        return told(number(tree.values[sums[nth - 1]]));
    });
}

const Names ofAWarp{"launch", "block", "warp"};
const Names eventOfAWarp{"line", "ptx", "launch", "block", "warp", "nth"};
const Names eventsOfAWarp{"line", "ptx", "launch", "block", "warp"};
const Names ofABlock{"launch", "block"};
const Names ofAStep{"launch", "block", "step"};

} // namespace

std::vector<Fact> factsOfEvents() {
    return {
        {"live_lanes", "the mask of the lanes that hold a thread, of a warp", ofAWarp, otherAlone, liveLanes, true},
        {"active", "the mask of the lanes that reach a branch", eventOfAWarp, otherAlone,
         ofBranch([](O, P, const Event& e) { return double(e.active.bits); }), true},
        {"entering", "the mask of the lanes that enter what follows a branch, or go round a loop again", eventOfAWarp,
         otherAlone, ofBranch([](O o, P p, const Event& e) { return double(enteringOf(o, p, e).bits); }), true},
        {"lanes_entering", "how many these are", eventOfAWarp, otherAlone,
         ofBranch([](O o, P p, const Event& e) { return double(enteringOf(o, p, e).count()); })},
        {"times", "how often a warp comes to a branch", eventsOfAWarp, otherAlone, howOften<EventKind::Branch>},
        {"barriers", "how often a warp arrives at a barrier", eventsOfAWarp, otherAlone,
         howOften<EventKind::BarrierArrive>},
        {"shuffles", "how often a warp shuffles", eventsOfAWarp, otherAlone, howOften<EventKind::Shuffle>},
        {"access_lanes", "the mask of the lanes that access memory", eventOfAWarp, accessWords,
         ofAccess([](const Trace&, const AccessRow&, const Event& e) { return double(e.active.bits); }), true},
        {"access_sectors", "sectors that one access of a warp moves", eventOfAWarp, accessWords,
         ofAccess([](const Trace& t, const AccessRow& a, const Event& e) {
             return double(globalAccess(t, a, e).sectors.size());
         })},
        {"access_lines", "lines of 128 bytes that it touches", eventOfAWarp, accessWords,
         ofAccess(
             [](const Trace& t, const AccessRow& a, const Event& e) { return double(globalAccess(t, a, e).lines); })},
        {"access_passes", "passes that one access to shared memory takes", eventOfAWarp, accessWords,
         ofAccess(
             [](const Trace& t, const AccessRow& a, const Event& e) { return double(sharedAccess(t, a, e).passes); })},
        {"steps",
         "how long the launch, a block or a warp took, in the trace's unit of time",
         {"launch", "block", "warp"},
         otherAlone,
         steps},
        {"tree_steps", "steps of additions in a block", ofABlock, otherAlone,
         ofWholeTree([](const ReductionTree& t) { return double(t.steps.size()); })},
        {"tree_additions", "additions that were made", ofABlock, otherAlone,
         ofWholeTree([](const ReductionTree& t) { return double(t.additions()); })},
        {"tree_sum", "the last sum", ofABlock, otherAlone,
         ofWholeTree([](const ReductionTree& t) { return number(t.values[t.root]); })},
        {"tree_right", "1 if it holds every number once, else 0", ofABlock, otherAlone,
         ofWholeTree([](const ReductionTree& t) { return t.right ? 1.0 : 0.0; })},
        {"tree_threads", "threads that add in a step: tree_threads[step 1]", ofAStep, otherAlone,
         ofTreeStep([](const ReductionStep& s) { return double(s.threads); })},
        {"tree_warps", "warps that add in a step", ofAStep, otherAlone,
         ofTreeStep([](const ReductionStep& s) { return double(s.warps); })},
        {"tree_divergent_warps", "those that do so with some of their lanes off", ofAStep, otherAlone,
         ofTreeStep([](const ReductionStep& s) { return double(s.divergentWarps); })},
        {"tree_stride", "distance of the two numbers added in a step", ofAStep, otherAlone,
         ofTreeStep([](const ReductionStep& s) { return double(s.stride); })},
        {"tree_value",
         "the n-th sum of a step from the left: tree_value[step 1, nth 2]",
         {"launch", "block", "step", "nth"},
         otherAlone,
         treeValue},
    };
}

} // namespace warpglass::session::asked
