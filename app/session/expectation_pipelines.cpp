// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of what goes on beside the threads: asynchronous copies, mbarriers, products on tensor cores.
#include "app/session/expectation_facts.h"

#include "gpu/metrics/pipeline.h"
#include "gpu/metrics/ptx_lines.h"
#include "gpu/ptx/matrix_form.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpglass::session::asked {

namespace {

constexpr const char* noBlock = "nothing of that block was recorded";

// Row of the block that is asked for; noIndex: no such block has detail.
std::uint32_t blockAt(O o, P p) {
    const Launch* launch = launchAt(o, p);
    const auto block = std::uint32_t(p.at("block", 0));
    if (!launch || block >= launch->blockCount || o.trace->blocks[launch->firstBlock + block].warpCount == 0)
        return noIndex;
    return launch->firstBlock + block;
}

// Copies that warps of the block, or the one warp that is asked for, ordered.
std::vector<const AsyncCopy*> copiesAt(O o, P p, std::uint32_t block) {
    const Block& b = o.trace->blocks[block];
    std::vector<const AsyncCopy*> found;
    for (const AsyncCopy& copy : o.trace->copies)
        if (copy.warp >= b.firstWarp && copy.warp < b.firstWarp + b.warpCount &&
            (!p.has("warp") || copy.warp - b.firstWarp == std::uint32_t(p.at("warp", 0))))
            found.push_back(&copy);
    return found;
}

FactFunction ofCopies(double (*number)(const std::vector<const AsyncCopy*>&)) {
    return [number](O o, P p) {
        const std::uint32_t block = blockAt(o, p);
        return block == noIndex ? untold(noBlock) : told(number(copiesAt(o, p, block)));
    };
}
double bytesOfAll(const std::vector<const AsyncCopy*>& copies) {
    double bytes = 0;
    for (const AsyncCopy* copy : copies)
        bytes += double(copy->bytes);
    return bytes;
}
double warpsOfAll(const std::vector<const AsyncCopy*>& copies) {
    std::set<std::uint32_t> warps;
    for (const AsyncCopy* copy : copies)
        warps.insert(copy->warp);
    return double(warps.size());
}
double mostBytesAtOnce(const std::vector<const AsyncCopy*>& copies) {
    std::map<Time, double> edges;
    for (const AsyncCopy* copy : copies)
        if (copy->complete > copy->issued) {
            edges[copy->issued] += double(copy->bytes);
            edges[copy->complete] -= double(copy->bytes);
        }
    double now = 0, most = 0;
    for (const auto& [at, by] : edges)
        most = std::max(most, now += by);
    return most;
}

// Events of the block's mbarriers; of the n-th of them alone, counted from 0 by address, where one is asked for.
FactFunction ofMbarriers(double (*number)(const std::vector<const PhaseEvent*>&)) {
    return [number](O o, P p) -> FactValue {
        const std::uint32_t block = blockAt(o, p);
        if (block == noIndex)
            return untold(noBlock);
        std::set<std::uint32_t> barriers;
        std::vector<const PhaseEvent*> events;
        for (const PhaseEvent& event : o.trace->phaseEvents)
            if (event.block == block && event.barrier != noIndex) {
                barriers.insert(event.barrier);
                events.push_back(&event);
            }
        const std::int64_t nth = p.at("mbarrier", 0);
        if (p.has("mbarrier")) {
            if (nth < 0 || nth >= std::int64_t(barriers.size()))
                return untold("the block has no such mbarrier");
            const std::uint32_t wanted = *std::next(barriers.begin(), nth);
            std::erase_if(events, [&](const PhaseEvent* event) { return event->barrier != wanted; });
        }
        if (p.has("warp")) {
            const std::uint32_t warp = o.trace->blocks[block].firstWarp + std::uint32_t(p.at("warp", 0));
            std::erase_if(events, [&](const PhaseEvent* event) { return event->warp != warp; });
        }
        return told(number(events));
    };
}
template <PhaseEventKind kind>
double howMany(const std::vector<const PhaseEvent*>& events) {
    return double(std::count_if(events.begin(), events.end(), [](const PhaseEvent* e) { return e->kind == kind; }));
}
template <PhaseEventKind kind>
double largestCount(const std::vector<const PhaseEvent*>& events) {
    std::uint32_t most = 0;
    for (const PhaseEvent* event : events)
        if (event->kind == kind)
            most = std::max(most, event->count);
    return most;
}
double barriersOf(const std::vector<const PhaseEvent*>& events) {
    std::set<std::uint32_t> barriers;
    for (const PhaseEvent* event : events)
        barriers.insert(event->barrier);
    return double(barriers.size());
}

FactValue products(O o, P p) {
    const Launch* launch = launchAt(o, p);
    if (!launch)
        return untold("there is no such launch");
    const Kernel& kernel = o.trace->kernelOf(*launch);
    const auto lines = linesOf(kernel.ptx);
    double sum = 0;
    for (const InstructionCount& c : o.trace->countsOf(std::uint32_t(launch - o.trace->launches.data()))) {
        if (c.ptxLine == 0 || c.ptxLine > lines.size() || (p.has("line") && sourceLineOf(kernel, c) != p.at("line", 0)))
            continue;
        const auto form = ptx::matrixForm(opcodeOf(lines[c.ptxLine - 1]));
        using Kind = ptx::MatrixForm::Kind;
        if (form && (form->kind == Kind::Product || form->kind == Kind::AsyncProduct))
            sum += double(c.executions);
    }
    return told(sum);
}

FactFunction ofPipeline(double (*number)(const Pipeline&)) {
    return [number](O o, P p) -> FactValue {
        const auto pipeline = pipelineOf(*o.trace, std::uint32_t(p.at("launch", 0)));
        return pipeline ? told(number(*pipeline))
                        : untold("no warp that makes products is known to wait for copies: ask for \"timing\"");
    };
}

const Names ofOrders{"launch", "block", "warp"};
const Names ofAnMbarrier{"launch", "block", "mbarrier"};

} // namespace

std::vector<Fact> factsOfPipelines() {
    using enum PhaseEventKind;
    return {
        {"copies", "asynchronous copies that a block's warps order, or one of them: a warp's instruction is one",
         ofOrders, otherAlone, ofCopies([](const auto& copies) { return double(copies.size()); })},
        {"copied_bytes", "bytes that they bring", ofOrders, otherAlone, ofCopies(bytesOfAll)},
        {"copied_bytes_at_once", "the most bytes that are on their way at once", ofOrders, otherAlone,
         ofCopies(mostBytesAtOnce)},
        {"copying_warps", "warps of a block that order copies", {"launch", "block"}, otherAlone, ofCopies(warpsOfAll)},
        {"products", "matrix products that warps issue to tensor cores", {"line", "launch"}, otherAlone, products},
        {"mbarriers", "mbarriers of a block", {"launch", "block"}, otherAlone, ofMbarriers(barriersOf)},
        {"phases", "phases that a block's mbarriers complete, or one of them, counted from 0: phases[mbarrier 4]",
         ofAnMbarrier, otherAlone, ofMbarriers(howMany<Complete>)},
        {"phase_arrivals", "arrivals that each of its phases waits for", ofAnMbarrier, otherAlone,
         ofMbarriers(largestCount<Init>)},
        {"phase_bytes", "bytes of copies that a phase waits for, too", ofAnMbarrier, otherAlone,
         ofMbarriers(largestCount<Expect>)},
        {"phase_waits",
         "how often somebody asks for a phase that is not over yet",
         {"launch", "block", "mbarrier", "warp"},
         otherAlone,
         ofMbarriers(howMany<Wait>)},
        {"stages",
         "stages that the products' copies go through in turn; needs the timing model",
         {"launch"},
         otherAlone,
         ofPipeline([](const Pipeline& p) { return double(p.stages); })},
        {"enough_stages",
         "stages with which no product would wait for its copies",
         {"launch"},
         otherAlone,
         ofPipeline([](const Pipeline& p) { return double(p.enough); })},
        {"copy_waits",
         "of the time between products what is waited for copies, in %",
         {"launch"},
         otherAlone,
         ofPipeline([](const Pipeline& p) { return 100 * p.waits; })},
    };
}

} // namespace warpglass::session::asked
