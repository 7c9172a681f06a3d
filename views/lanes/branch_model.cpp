// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/branch_model.h"
#include "gpu/metrics/branch_costs.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace warpglass {

namespace {

// Line n of the PTX without the spaces around it; empty beyond the end.
std::string_view ptxLineText(const std::string& ptx, std::uint32_t n) {
    std::size_t at = 0;
    for (; n > 1; --n) {
        at = ptx.find('\n', at);
        if (at == std::string::npos)
            return {};
        ++at;
    }
    std::string_view line(ptx.data() + at, std::min(ptx.find('\n', at), ptx.size()) - at);
    const auto begin = line.find_first_not_of(" \t\r"), end = line.find_last_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view() : line.substr(begin, end - begin + 1);
}

Branch describe(const Kernel& kernel, const Site& site) {
    Branch b;
    b.ptxLine = site.ptxLine;
    b.text = site.text;
    b.sourceLine = sourceLineOf(kernel, site.ptxLine);
    if (b.sourceLine == 0 && !site.where.empty())
        b.sourceLine = site.where.back().line;
    const std::uint32_t target = labelLine(kernel, jumpTarget(site.text));
    b.backward = jumpsBack(kernel, site);
    b.fallLine = fallLineOf(kernel, site.ptxLine + 1, b.sourceLine);
    b.jumpLine = target ? sideLine(kernel, target, b.sourceLine) : 0;
    return b;
}

void count(Branch& b, LaneMask active, LaneMask taken) {
    const LaneMask stays = active & ~taken;
    const bool parts = !(active & taken).empty() && !stays.empty();
    const auto jump = std::size_t((active & taken).count());
    const auto enter = std::size_t(entering(active, taken, b.backward).count());
    ++b.executions;
    b.divergent += parts;
    ++b.jumping[jump];
    ++b.entering[enter];
    b.jumpingParted[jump] += parts;
    b.enteringParted[enter] += parts;
}

// The branches of a kernel that have a site, ascending PTX line, and for each site the row or -1.
struct BranchIndex {
    std::vector<Branch> branches;
    std::vector<int> ofSite;
};

BranchIndex indexOf(const Trace& trace, std::uint32_t kernel) {
    BranchIndex index;
    index.ofSite.assign(trace.sites.size(), -1);
    std::map<std::uint32_t, std::vector<std::uint32_t>> byLine;
    for (std::uint32_t s = 0; s < trace.sites.size(); ++s)
        if (trace.sites[s].kernel == kernel && trace.sites[s].kind == SiteKind::Branch)
            byLine[trace.sites[s].ptxLine].push_back(s);
    for (const auto& [line, sites] : byLine) {
        for (const std::uint32_t s : sites)
            index.ofSite[s] = int(index.branches.size());
        index.branches.push_back(describe(trace.kernels[kernel], trace.sites[sites.front()]));
    }
    return index;
}

LaneSplit split(LaneMask live, LaneMask active, LaneMask taken, LaneMask exited, bool backward, BranchLayer layer) {
    LaneSplit s;
    s.chosen = layer == BranchLayer::Ptx ? active & taken : entering(active, taken, backward);
    s.other = active & ~s.chosen;
    s.exited = exited & live & ~active;
    s.absent = ~live;
    s.away = live & ~active & ~s.exited;
    return s;
}

} // namespace

namespace {

// The first line of a side that is another than the branch's, or one below it, if there is one; else the first at all.
std::uint32_t lineOfSide(const Kernel& kernel, std::uint32_t ptxLine, std::uint32_t branchLine, bool below) {
    std::uint32_t first = 0, other = 0; // source lines: of the first instruction met, and of the first of another line
    int instructions = 0;
    for (int walked = 0; walked < 40; ++walked, ++ptxLine) {
        const std::string_view line = ptxLineText(kernel.ptx, ptxLine);
        if (line.empty() || line[0] == '.' || line[0] == '/' || line[0] == '{' || line[0] == '}')
            continue;
        if (line.find(':') != std::string_view::npos && line.back() == ':') {
            if (instructions)
                break; // another block: what follows is no longer this side's own
            continue;
        }
        if (line.substr(0, 3) == "bra") { // a side may begin with a jump to its body
            const std::uint32_t target = labelLine(kernel, jumpTarget(std::string(line)));
            if (!target || instructions)
                break;
            ptxLine = target;
            continue;
        }
        const std::uint32_t source = sourceLineOf(kernel, ptxLine);
        if (source && source != branchLine) {
            if (!below || source > branchLine)
                return source;
            other = other ? other : source;
        }
        first = first ? first : source;
        ++instructions;
        if (line[0] == '@')
            break;
    }
    return other ? other : first;
}

} // namespace

std::uint32_t sideLine(const Kernel& kernel, std::uint32_t ptxLine, std::uint32_t branchLine) {
    return lineOfSide(kernel, ptxLine, branchLine, false);
}

std::uint32_t fallLineOf(const Kernel& kernel, std::uint32_t ptxLine, std::uint32_t branchLine) {
    return lineOfSide(kernel, ptxLine, branchLine, true);
}

void numberParts(std::vector<Branch>& branches) {
    std::map<std::pair<std::uint32_t, bool>, int> all, seen;
    for (const Branch& b : branches)
        ++all[{b.sourceLine, b.backward}];
    for (Branch& b : branches)
        if (b.sourceLine && all[{b.sourceLine, b.backward}] > 1)
            b.part = ++seen[{b.sourceLine, b.backward}];
}

WarpBranches branchesOf(const Trace& trace, std::uint32_t warpRow) {
    WarpBranches model;
    model.warp = warpRow;
    const Warp& warp = trace.warps[warpRow];
    BranchIndex index = indexOf(trace, trace.launchOf(trace.blockOf(warp)).kernel);
    std::vector<std::vector<std::uint32_t>> executions(index.branches.size());
    for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
        const std::size_t row = std::size_t(warp.firstEvent + n);
        const EventKind kind = trace.events.kind(row);
        if (kind == EventKind::Exit)
            model.exits.push_back(n);
        if (kind != EventKind::Branch)
            continue;
        const int b = index.ofSite[trace.events.site(row)];
        if (b < 0)
            continue;
        count(index.branches[std::size_t(b)], trace.events.active(row), trace.events.taken(row));
        executions[std::size_t(b)].push_back(n);
        model.all.push_back(n);
    }
    for (std::size_t b = 0; b < index.branches.size(); ++b) {
        if (executions[b].empty())
            continue;
        model.branches.push_back(std::move(index.branches[b]));
        model.executions.push_back(std::move(executions[b]));
    }
    numberParts(model.branches);
    return model;
}

std::size_t branchOfEvent(const Trace& trace, const WarpBranches& model, std::uint32_t event) {
    const Warp& warp = trace.warps[model.warp];
    const std::uint32_t line = trace.sites[trace.events.site(std::size_t(warp.firstEvent + event))].ptxLine;
    const auto at = std::lower_bound(model.branches.begin(), model.branches.end(), line,
                                     [](const Branch& b, std::uint32_t l) { return b.ptxLine < l; });
    return std::size_t(at - model.branches.begin());
}

LaneSplit splitAt(const Trace& trace, const WarpBranches& model, std::uint32_t event, BranchLayer layer) {
    const Warp& warp = trace.warps[model.warp];
    const std::size_t row = std::size_t(warp.firstEvent + event);
    LaneMask exited;
    const auto exit = std::lower_bound(model.exits.begin(), model.exits.end(), event);
    if (exit != model.exits.begin())
        exited = trace.events.taken(std::size_t(warp.firstEvent + *(exit - 1)));
    const Branch& branch = model.branches[branchOfEvent(trace, model, event)];
    return split(warp.liveLanes, trace.events.active(row), trace.events.taken(row), exited, branch.backward, layer);
}

BlockBranches branchesOfBlock(const Trace& trace, std::uint32_t blockRow, BranchLayer layer) {
    BlockBranches model;
    model.block = blockRow;
    const Block& block = trace.blocks[blockRow];
    model.warps = block.warpCount;
    BranchIndex index = indexOf(trace, trace.launchOf(block).kernel);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> columnOf; // (branch, step)
    for (std::uint32_t w = block.firstWarp; w < block.firstWarp + block.warpCount; ++w) {
        const Warp& warp = trace.warps[w];
        std::vector<std::uint32_t> steps(index.branches.size(), 0);
        LaneMask exited;
        for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
            const std::size_t row = std::size_t(warp.firstEvent + n);
            const EventKind kind = trace.events.kind(row);
            if (kind == EventKind::Exit)
                exited = trace.events.taken(row);
            if (kind != EventKind::Branch || index.ofSite[trace.events.site(row)] < 0)
                continue;
            const auto b = std::uint32_t(index.ofSite[trace.events.site(row)]);
            const LaneMask active = trace.events.active(row), taken = trace.events.taken(row);
            count(index.branches[b], active, taken);
            const std::uint32_t step = steps[b]++;
            auto found = columnOf.find({b, step});
            if (found == columnOf.end()) {
                if (model.columns.size() >= mostBlockColumns) {
                    model.cut = true;
                    continue;
                }
                found = columnOf.emplace(std::pair{b, step}, model.columns.size()).first;
                BlockColumn c;
                c.branch = b;
                c.step = step;
                c.time = trace.events.time(row, warp.start);
                c.warp = w;
                c.event = n;
                model.columns.push_back(c);
            }
            BlockColumn& c = model.columns[found->second];
            const Time t = trace.events.time(row, warp.start);
            if (t < c.time) {
                c.time = t;
                c.warp = w;
                c.event = n;
            }
            const LaneSplit s = split(warp.liveLanes, active, taken, exited, index.branches[b].backward, layer);
            ++c.warps;
            c.divergent += s.diverges();
            c.entered += !s.chosen.empty();
            for (int lane = 0; lane < lanesPerWarp; ++lane) {
                c.chosen[std::size_t(lane)] += s.chosen.has(lane);
                c.other[std::size_t(lane)] += s.other.has(lane);
                c.away[std::size_t(lane)] += s.away.has(lane);
                c.exited[std::size_t(lane)] += s.exited.has(lane);
            }
        }
    }
    // Branches nobody executed are left out; columns keep pointing at the right ones.
    std::vector<std::uint32_t> moved(index.branches.size(), 0);
    for (std::size_t b = 0; b < index.branches.size(); ++b) {
        moved[b] = std::uint32_t(model.branches.size());
        if (index.branches[b].executions)
            model.branches.push_back(std::move(index.branches[b]));
    }
    numberParts(model.branches);
    for (BlockColumn& c : model.columns)
        c.branch = moved[c.branch];
    std::stable_sort(model.columns.begin(), model.columns.end(),
                     [](const BlockColumn& a, const BlockColumn& b) { return a.time < b.time; });
    return model;
}

void setLost(std::vector<Branch>& branches, const Trace& trace, std::uint32_t launch) {
    for (const BranchCost& c : branchCosts(trace, launch))
        for (Branch& b : branches)
            if (b.ptxLine == c.ptxLine)
                b.lost = c.share;
}

std::size_t mostTelling(const Trace& trace, std::uint32_t launch, const std::vector<Branch>& branches) {
    using Score = std::tuple<double, std::uint64_t, bool, std::uint64_t>; // lost, divergent, forward, executions
    const auto totals = trace.countsOf(launch);
    const auto score = [&](const Branch& b) {
        Score s{b.lost, b.divergent, !b.backward, b.executions};
        for (const InstructionCount& c : totals)
            if (c.ptxLine == b.ptxLine && c.isConditional)
                s = {b.lost, c.divergent, !b.backward, c.executions};
        return s;
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < branches.size(); ++i)
        if (score(branches[i]) > score(branches[best]))
            best = i;
    return best;
}

} // namespace warpglass
