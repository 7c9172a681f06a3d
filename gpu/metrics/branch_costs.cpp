// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/branch_costs.h"

#include "gpu/ptx/control_flow.h"
#include "gpu/ptx/parse.h"

#include <algorithm>
#include <map>

namespace warpglass {

namespace {

struct Total {
    std::uint64_t executions = 0, lanes = 0, divergent = 0, takenLanes = 0;
    bool isConditional = false;
};

// By PTX line; rows of one instruction (isPartOf) are summed.
std::map<std::uint32_t, Total> totalsOf(const Trace& trace, std::uint32_t launch) {
    std::map<std::uint32_t, Total> totals;
    for (const InstructionCount& c : trace.countsOf(launch)) {
        Total& t = totals[c.ptxLine];
        t.executions += c.executions;
        t.lanes += c.lanes;
        t.divergent += c.divergent;
        t.takenLanes += c.takenLanes;
        t.isConditional |= c.isConditional;
    }
    return totals;
}

// One branch of a function: the instructions between it and where its lanes meet, and how many lanes came to it.
struct Region {
    BranchCost cost;
    std::vector<bool> holds; // [instruction of the body]
    std::size_t size = 0;
    double arriving = 0; // lanes, a warp
};

class Function {
public:
    Function(const ptx::Function& function, const ptx::ControlFlow& flow, const std::map<std::uint32_t, Total>& totals)
        : m_function(function), m_flow(flow), m_totals(totals) {}

    std::vector<Region> regions() const {
        std::vector<Region> all;
        for (std::uint32_t b = 0; b < m_flow.blocks.size(); ++b) {
            const ptx::BasicBlock& block = m_flow.blocks[b];
            if (block.end == block.first || block.successors.size() < 2)
                continue;
            const Total* total = of(block.end - 1);
            if (!total || !total->isConditional || total->divergent == 0 || total->executions == 0)
                continue;
            Region r;
            r.cost.ptxLine = std::uint32_t(m_function.body[block.end - 1].line);
            r.cost.executions = total->executions;
            r.cost.divergent = total->divergent;
            const std::vector<bool> blocks = between(b);
            r.cost.isLoop = blocks[b];
            r.arriving =
                r.cost.isLoop ? lanesOfLoop(b, blocks, *total) : double(total->lanes) / double(total->executions);
            r.holds.assign(m_function.body.size(), false);
            for (std::uint32_t k = 0; k < m_flow.blocks.size(); ++k)
                for (std::uint32_t i = m_flow.blocks[k].first; blocks[k] && i < m_flow.blocks[k].end; ++i) {
                    r.holds[i] = true;
                    ++r.size;
                }
            all.push_back(std::move(r));
        }
        return all;
    }

    const Total* of(std::uint32_t instruction) const {
        const auto found = m_totals.find(std::uint32_t(m_function.body[instruction].line));
        return found == m_totals.end() ? nullptr : &found->second;
    }

private:
    // [block]: whether it can run behind the branch at this one's end, before the branch's lanes meet.
    std::vector<bool> between(std::uint32_t branch) const {
        std::vector<bool> in(m_flow.blocks.size(), false);
        std::vector<std::uint32_t> open(m_flow.blocks[branch].successors);
        while (!open.empty()) {
            const std::uint32_t b = open.back();
            open.pop_back();
            if (b >= in.size() || b == m_flow.postDominator[branch] || in[b])
                continue;
            in[b] = true;
            open.insert(open.end(), m_flow.blocks[b].successors.begin(), m_flow.blocks[b].successors.end());
        }
        return in;
    }

    // Each lane that comes to a loop leaves it once. Warps: those of the blocks from which it is entered.
    double lanesOfLoop(std::uint32_t branch, const std::vector<bool>& blocks, const Total& total) const {
        const ptx::BasicBlock& at = m_flow.blocks[branch];
        const bool nextStays =
            at.successors.size() > 1 && std::any_of(at.successors.begin(), at.successors.end(), [&](std::uint32_t s) {
                return s < blocks.size() && blocks[s] && m_flow.blocks[s].first == at.end;
            });
        const double leaving = double(nextStays ? total.takenLanes : total.lanes - total.takenLanes);
        double warps = 0;
        for (std::uint32_t b = 0; b < m_flow.blocks.size(); ++b) {
            const auto& to = m_flow.blocks[b].successors;
            const bool enters = !blocks[b] && std::any_of(to.begin(), to.end(), [&](std::uint32_t s) {
                return s < blocks.size() && blocks[s];
            });
            if (const Total* last =
                    enters && m_flow.blocks[b].end > m_flow.blocks[b].first ? of(m_flow.blocks[b].end - 1) : nullptr)
                warps += double(last->executions);
        }
        return warps > 0 ? std::min(32.0, leaving / warps) : double(total.lanes) / double(total.executions);
    }

    const ptx::Function& m_function;
    const ptx::ControlFlow& m_flow;
    const std::map<std::uint32_t, Total>& m_totals;
};

void charge(const ptx::Function& function, const Function& counted, std::vector<Region>& regions) {
    // The outer ones first.
    std::stable_sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) { return a.size > b.size; });
    for (std::uint32_t i = 0; i < function.body.size(); ++i) {
        const Total* total = counted.of(i);
        if (!total || total->executions == 0)
            continue;
        const ptx::Instruction& in = function.body[i];
        const double runs = double(total->executions);
        double left = 0;
        Region* outer = nullptr;
        for (Region& r : regions)
            if (r.holds[i]) {
                if (outer)
                    outer->cost.lost += runs * std::max(0.0, left - r.arriving);
                left = outer ? std::min(left, r.arriving) : r.arriving;
                outer = &r;
            }
        if (outer && (!in.guarded() || total->isConditional))
            outer->cost.lost += std::max(0.0, runs * left - double(total->lanes));
    }
}

} // namespace

std::vector<BranchCost> branchCosts(const Trace& trace, std::uint32_t launch) {
    std::vector<BranchCost> costs;
    if (launch >= trace.launches.size())
        return costs;
    const std::map<std::uint32_t, Total> totals = totalsOf(trace, launch);
    double room = 0;
    bool parted = false;
    for (const auto& [line, t] : totals) {
        room += 32.0 * double(t.executions);
        parted |= t.isConditional && t.divergent > 0;
    }
    const Kernel& kernel = trace.kernelOf(trace.launches[launch]);
    if (!parted || kernel.ptx.empty())
        return costs;
    const auto module = ptx::parse(kernel.ptx);
    if (!module)
        return costs;
    for (const ptx::Function& function : module->functions) {
        const auto flow = ptx::controlFlow(function);
        if (!flow || function.body.empty())
            continue;
        const Function counted(function, *flow, totals);
        std::vector<Region> regions = counted.regions();
        charge(function, counted, regions);
        for (Region& r : regions) {
            r.cost.sourceLine = sourceLineOf(kernel, r.cost.ptxLine);
            r.cost.share = room > 0 ? r.cost.lost / room : 0;
            costs.push_back(r.cost);
        }
    }
    std::stable_sort(costs.begin(), costs.end(),
                     [](const BranchCost& a, const BranchCost& b) { return a.lost > b.lost; });
    return costs;
}

} // namespace warpglass
