// SPDX-License-Identifier: GPL-3.0-or-later
// From followed numbers to columns, steps and a verdict.
#include "gpu/metrics/reduction_tree.h"

#include "gpu/metrics/memory_access.h"
#include "gpu/metrics/reduction_follow.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace warpglass {
namespace {

using Kind = ReductionValue::Kind;

// A copy stands for what it is a copy of.
std::uint32_t origin(const ReductionTree& tree, std::uint32_t row) {
    while (tree.values[row].kind == Kind::Copy) {
        row = tree.values[row].inputs[0];
    }
    return row;
}

// Additions of one phase in the order they need each other; phases one after the other.
void findSteps(ReductionTree& tree) {
    std::vector<std::uint32_t> depth(tree.values.size(), 0);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> keys;
    for (std::uint32_t i = 0; i < tree.values.size(); ++i) {
        const ReductionValue& v = tree.values[i];
        for (const std::uint32_t in : v.inputs) {
            if (tree.values[in].phase == v.phase) {
                depth[i] = std::max(depth[i], depth[in]);
            }
        }
        if (v.kind == Kind::Sum) {
            ++depth[i];
            keys[{v.phase, depth[i]}] = 0;
        }
    }
    for (auto& [key, step] : keys) {
        step = std::uint32_t(tree.steps.size());
        tree.steps.push_back({});
        tree.steps.back().phase = key.first;
    }
    for (std::uint32_t i = 0; i < tree.values.size(); ++i) {
        ReductionValue& v = tree.values[i];
        if (v.kind == Kind::Sum) {
            v.step = keys[{v.phase, depth[i]}];
            tree.steps[v.step].sums.push_back(i);
        }
    }
}

// Which given numbers each sum holds, as sets of bits; the sum that holds most is the root. Returns the given numbers.
std::vector<std::uint32_t> findRoot(ReductionTree& tree) {
    std::vector<std::uint32_t> index(tree.values.size(), noIndex), given;
    for (const ReductionValue& v : tree.values) {
        if (v.kind != Kind::Sum) {
            continue;
        }
        for (const std::uint32_t in : v.inputs) {
            const std::uint32_t o = origin(tree, in);
            const bool number1 =
                tree.values[o].kind == Kind::Given && (tree.values[o].thread == noIndex || tree.values[o].bits != 0);
            if (number1 && index[o] == noIndex) {
                index[o] = std::uint32_t(given.size());
                given.push_back(o);
            }
        }
    }
    const std::size_t words = (given.size() + 63) / 64;
    std::vector<std::vector<std::uint64_t>> holds(tree.values.size());
    std::vector<std::uint32_t> distinct(tree.values.size(), 0);
    for (std::uint32_t i = 0; i < tree.values.size(); ++i) {
        ReductionValue& v = tree.values[i];
        if (v.kind == Kind::Copy) {
            continue;
        }
        if (v.kind == Kind::Given) {
            v.numbers = index[i] != noIndex ? 1 : 0;
            continue;
        }
        holds[i].assign(words, 0);
        for (const std::uint32_t in : v.inputs) {
            const std::uint32_t o = origin(tree, in);
            v.numbers += tree.values[o].numbers;
            if (tree.values[o].kind == Kind::Sum) {
                for (std::size_t w = 0; w < words; ++w) {
                    holds[i][w] |= holds[o][w];
                }
            } else if (index[o] != noIndex) {
                holds[i][index[o] / 64] |= 1ull << (index[o] % 64);
            }
        }
        for (const std::uint64_t w : holds[i]) {
            distinct[i] += std::uint32_t(std::popcount(w));
        }
        // Most numbers; of equals the one that does not hold some twice; of those the first.
        const bool better = tree.root == noIndex || distinct[i] > distinct[tree.root] ||
                            (distinct[i] == distinct[tree.root] && v.numbers < tree.values[tree.root].numbers);
        if (better) {
            tree.root = i;
        }
    }
    tree.given = std::uint32_t(given.size());
    tree.most = tree.root == noIndex ? 0 : distinct[tree.root];
    return given;
}

// How often the root holds each given number, and whether that makes its sum.
void judge(ReductionTree& tree, const std::vector<std::uint32_t>& given) {
    for (ReductionValue& v : tree.values) {
        v.useful = false;
    }
    tree.missing.clear();
    tree.doubled.clear();
    tree.expected = 0;
    std::vector<std::uint32_t> times(tree.values.size(), 0);
    std::vector<std::uint32_t> count(tree.values.size(), 0); // paths from the root, saturating
    count[tree.root] = 1;
    for (std::uint32_t i = tree.root + 1; i-- > 0;) {
        if (!count[i]) {
            continue;
        }
        tree.values[i].useful = true;
        for (const std::uint32_t in : tree.values[i].inputs) {
            if (tree.values[i].kind != Kind::Given) {
                count[in] = std::min(count[in] + count[i], 1000u);
            }
        }
        times[i] = count[i];
    }
    const ReductionValue& root = tree.values[tree.root];
    for (const std::uint32_t g : given) {
        tree.expected = tree.expected == 0 && g == given.front()
                            ? tree.values[g].bits
                            : addedBits(tree.expected, tree.values[g].bits, root.bytes, root.isFloat);
        if (times[g] == 0) {
            tree.missing.push_back(g);
        } else if (times[g] > 1) {
            tree.doubled.push_back(g);
        }
    }
    tree.right =
        tree.missing.empty() && tree.doubled.empty() && sameNumber(root.bits, tree.expected, root.bytes, root.isFloat);
}

// Rows of values that are the block's results: what it wrote to global memory and never read, or, if it read all that it
// wrote there (a fold in place), whatever it left there.
std::vector<std::uint32_t> resultsOf(const ReductionTree& tree) {
    std::vector<std::uint32_t> written, left;
    for (const ReductionCell& c : tree.cells) {
        if (c.space == MemorySpace::Global && c.last != noIndex) {
            (c.read ? left : written).push_back(c.last);
        }
    }
    return written.empty() ? left : written;
}

// Whether one tree leads to all that the block wrote; atomics hand on results of their own.
bool covers(ReductionTree& tree, const std::vector<std::uint32_t>& results) {
    tree.results = std::uint32_t(results.size() + tree.atomics);
    tree.resultsInTree = std::uint32_t(std::count_if(
        results.begin(), results.end(), [&](std::uint32_t row) { return tree.values[origin(tree, row)].useful; }));
    tree.resultsInTree += tree.atomics == 1; // one number handed on: the root's
    return tree.resultsInTree == tree.results;
}

// The row of numbers: cells that take part, by address, each space by itself; registers stand at their thread.
void findColumns(ReductionTree& tree) {
    std::set<std::pair<MemorySpace, std::uint64_t>> taking;
    const auto take = [&](std::uint32_t row) {
        if (const std::uint32_t cell = tree.values[row].cell; cell != noIndex) {
            taking.insert({tree.cells[cell].space, tree.cells[cell].address});
        }
    };
    // A sum's own cell belongs to the row only if somebody goes on from it; the output is written and left.
    for (const ReductionValue& v : tree.values) {
        if (v.kind == Kind::Sum) {
            for (const std::uint32_t in : v.inputs) {
                take(in);
            }
        }
    }
    std::map<std::pair<MemorySpace, std::uint64_t>, int> rank;
    std::map<MemorySpace, int> next;
    for (const auto& key : taking) {
        rank[key] = next[key.first]++;
    }
    for (ReductionCell& c : tree.cells) {
        const auto it = rank.find({c.space, c.address});
        c.column = it == rank.end() ? -1 : it->second;
    }
    for (ReductionValue& v : tree.values) {
        v.column = v.cell != noIndex ? tree.cells[v.cell].column : int(v.thread);
        if (v.kind == Kind::Sum && v.column < 0) {
            v.column = int(v.thread); // written to where nobody reads: stands at its thread
        }
        if (v.kind == Kind::Sum || v.column >= 0) {
            tree.columns = std::max(tree.columns, v.kind == Kind::Given && v.cell == noIndex ? 0 : v.column + 1);
        }
    }
}

std::uint32_t strideOf(const ReductionTree& tree, const ReductionValue& sum, const Trace& trace) {
    if (sum.inputs.size() != 2) {
        return 0;
    }
    if (sum.shuffled) { // distance of the lanes
        const AccessRow* a = trace.accessOfEvent(sum.event);
        const LaneMask active = trace.events.active(sum.event);
        const int lane = int(sum.thread % lanesPerWarp);
        if (!a || !active.has(lane)) {
            return 0;
        }
        const auto k = std::size_t(std::popcount(active.bits & ((1u << lane) - 1u)));
        const auto source = std::int64_t(trace.addresses(*a)[k]);
        return std::uint32_t(source > lane ? source - lane : lane - source);
    }
    const ReductionValue &a = tree.values[sum.inputs[0]], &b = tree.values[sum.inputs[1]];
    if (a.cell == noIndex || b.cell == noIndex || tree.cells[a.cell].space != tree.cells[b.cell].space) {
        return 0;
    }
    const std::uint64_t x = tree.cells[a.cell].address, y = tree.cells[b.cell].address;
    return std::uint32_t((x > y ? x - y : y - x) / std::max<std::uint64_t>(1, sum.bytes));
}

// The loads that led to a store lie before it in its warp, after the warp's last store, shuffle or barrier.
void measureStep(const Trace& trace, ReductionTree& tree, ReductionStep& step) {
    std::sort(step.sums.begin(), step.sums.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(tree.values[a].column, a) < std::tie(tree.values[b].column, b);
    });
    std::set<std::uint32_t> threads, useful, warps, divergent;
    std::set<std::uint64_t> events;
    std::set<std::uint32_t> lines;
    bool first = true;
    for (const std::uint32_t row : step.sums) {
        const ReductionValue& v = tree.values[row];
        threads.insert(v.thread);
        warps.insert(v.warp);
        if (v.useful) {
            useful.insert(v.thread);
        }
        const Warp& warp = trace.warps[v.warp];
        const Trace::LanesNow now = trace.lanesAt(warp, v.time);
        if (trace.events.active(v.event) != (warp.liveLanes & ~now.exited)) {
            divergent.insert(v.warp);
        }
        events.insert(v.event);
        for (std::uint64_t e = v.event; e-- > warp.firstEvent && !v.shuffled;) {
            const AccessRow* a = trace.accessOfEvent(e);
            const EventKind kind = trace.events.kind(e);
            if (kind == EventKind::BarrierLeave || (a && (a->shuffle || a->kind != AccessKind::Load))) {
                break;
            }
            if (a && trace.events.active(e).has(int(v.thread % lanesPerWarp))) {
                events.insert(e);
            }
        }
        lines.insert(trace.sites[trace.events.site(v.event)].ptxLine);
        const std::uint32_t stride = strideOf(tree, v, trace);
        if (v.useful || first) {
            step.stride = first || step.stride == stride ? stride : 0;
            step.begin = first ? v.time : std::min(step.begin, v.time);
            first = false;
        }
        step.end = std::max(step.end, v.time);
        step.begin = std::min(step.begin, v.time);
        step.shuffled = step.shuffled || v.shuffled;
    }
    step.threads = std::uint32_t(threads.size());
    step.usefulThreads = std::uint32_t(useful.size());
    step.warps = std::uint32_t(warps.size());
    step.divergentWarps = std::uint32_t(divergent.size());
    step.ptxLine = lines.size() == 1 ? *lines.begin() : 0;
    for (const std::uint64_t e : events) {
        const AccessRow* a = trace.accessOfEvent(e);
        if (!a || a->shuffle) {
            continue;
        }
        const unsigned bytes = unsigned(a->bytesPerElement) * a->elements;
        if (a->space == MemorySpace::Shared) {
            const SharedAccess use = analyseShared(trace.events.active(e), trace.addresses(*a), bytes, a->kind);
            step.passes += std::uint64_t(use.passes);
            step.idealPasses += std::uint64_t(use.idealPasses);
        } else if (a->space == MemorySpace::Global) {
            step.sectors += analyseGlobal(trace.events.active(e), trace.addresses(*a), bytes).sectors.size();
        }
    }
}

} // namespace

std::uint64_t ReductionTree::additions() const {
    std::uint64_t n = 0;
    for (const ReductionStep& s : steps) {
        n += s.sums.size();
    }
    return n;
}

std::uint64_t ReductionTree::usefulAdditions() const {
    return std::uint64_t(std::count_if(values.begin(), values.end(),
                                       [](const ReductionValue& v) { return v.kind == Kind::Sum && v.useful; }));
}

std::uint64_t ReductionTree::threadStepsPaid() const {
    return steps.size() * std::uint64_t(threads);
}

ReductionTree reductionTree(const Trace& trace, std::uint32_t blockRow) {
    ReductionTree tree;
    const Block& block = trace.blocks[blockRow];
    tree.threads = std::uint32_t(trace.launchOf(block).block.count());
    tree.warps = block.warpCount;
    if (!trace.info.recordedAccesses || trace.accesses.empty()) {
        tree.why = "no loads and stores were recorded in this run";
        return tree;
    }
    if (block.warpCount == 0) {
        tree.why = "no detail was recorded for this block";
        return tree;
    }
    followNumbers(trace, blockRow, tree);
    findSteps(tree);
    const std::vector<std::uint32_t> given = findRoot(tree);
    if (tree.root == noIndex) {
        tree.why = "this block adds nothing that it read";
        return tree;
    }
    const std::vector<std::uint32_t> results = resultsOf(tree);
    if (results.size() == 1 && tree.values[origin(tree, results[0])].kind == Kind::Sum) {
        tree.root = origin(tree, results[0]); // the verdict is on what was written, even if more was added up elsewhere
    }
    judge(tree, given);
    // A stored value may be the sum of two that were read by chance: 2 x 2 is 2 + 2. One such pair is no fold of what
    // else the block wrote.
    const bool byChance = tree.values[tree.root].numbers < 3;
    if (!covers(tree, results) && (!tree.right || byChance)) {
        tree.root = noIndex;
        tree.why = "this is no reduction: no one tree of additions leads to what this block wrote";
        return tree;
    }
    if (tree.values[tree.root].numbers < 3 && tree.steps.size() < 2 && tree.steps[0].sums.size() > 1) {
        tree.root = noIndex;
        tree.why = "this block adds numbers, but does not fold them into one";
        return tree;
    }
    findColumns(tree);
    for (std::size_t i = 0; i < tree.steps.size(); ++i) {
        measureStep(trace, tree, tree.steps[i]);
        const std::uint32_t nextPhase = i + 1 < tree.steps.size() ? tree.steps[i + 1].phase : tree.barriers;
        tree.steps[i].barrierAfter = nextPhase > tree.steps[i].phase;
    }
    for (const ReductionValue& v : tree.values) {
        tree.raced += v.raced;
    }
    return tree;
}

} // namespace warpglass
