// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/control_flow.h"

#include "gpu/base/messages/code.h"
#include "gpu/ptx/meetings.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace warpglass::ptx {
namespace {

bool endsFunction(const Instruction& i) {
    return i.opcode == Opcode::Ret || i.opcode == Opcode::Exit || i.opcode == Opcode::Trap;
}
bool jumps(const Instruction& i) {
    return row(i.opcode).family == Family::Branch;
}

Error unknownLabel(const Instruction& i, const std::string& label) {
    return {say::LabelUndefinedHere(label), {}, i.line, i.column, {}};
}

// Adds where a jump may go, as instruction indices.
Result<void> addTargets(const Function& f, const Instruction& i, const LabelMap& labels,
                        std::vector<std::uint32_t>& found) {
    const auto add = [&](const std::string& label) {
        const std::optional<std::uint32_t> target = labels.find(label);
        if (target)
            found.push_back(*target);
        return target.has_value();
    };
    if (i.opcode == Opcode::Bra) {
        if (i.operands.empty() || !add(i.operands[0].name))
            return unknownLabel(i, i.operands.empty() ? "" : i.operands[0].name);
        return {};
    }
    const TargetList* list = i.operands.size() > 1 ? f.findTargets(i.operands[1].name) : nullptr;
    if (!list)
        return unknownLabel(i, i.operands.size() > 1 ? i.operands[1].name : "");
    for (const std::string& label : list->targets)
        if (!add(label))
            return unknownLabel(i, label);
    return {};
}

using Edges = std::vector<std::vector<std::uint32_t>>; // [block] -> blocks

// The same in two arrays, for kernels of a hundred thousand blocks: no block has memory of its own.
class Graph {
public:
    using Edge = std::pair<std::uint32_t, std::uint32_t>; // from, to
    Graph(std::size_t blocks, const std::vector<Edge>& edges) : m_first(blocks + 1), m_to(edges.size()) {
        for (const Edge& e : edges)
            ++m_first[e.first + 1];
        for (std::size_t b = 0; b < blocks; ++b)
            m_first[b + 1] += m_first[b];
        std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
        for (const Edge& e : edges)
            m_to[next[e.first]++] = e.second;
    }
    std::size_t size() const { return m_first.size() - 1; }
    std::span<const std::uint32_t> operator[](std::size_t block) const {
        return std::span(m_to).subspan(m_first[block], m_first[block + 1] - m_first[block]);
    }

private:
    std::vector<std::uint32_t> m_first, m_to;
};

// All that the edges lead to from this block and that nobody has seen, itself last: post-order.
template <class Successors>
void follow(const Successors& edges, std::uint32_t from, std::vector<bool>& seen, std::vector<std::uint32_t>& order) {
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{from, 0}};
    seen[from] = true;
    while (!stack.empty()) {
        auto& [block, at] = stack.back();
        if (at < edges[block].size()) {
            const std::uint32_t next = edges[block][at++];
            if (!seen[next]) {
                seen[next] = true;
                stack.emplace_back(next, 0);
            }
        } else {
            order.push_back(block);
            stack.pop_back();
        }
    }
}

// The edges back from the exit (number exit) by which those post-dominators are found that machine code has. Paths to a
// trap or into an endless loop count for no branch that others go on from: lanes meet where all paths meet that end.
// Within what never ends, as a warp that serves others until its launch is over, they meet as if an endless loop could be
// left just before its first block, of loops in one another the outermost: there a place is added, numbered behind the
// exit. Returned are the blocks before which these places are.
std::vector<std::uint32_t> leaveEndless(Edges& predecessors, std::uint32_t exit) {
    std::vector<std::uint32_t> order, before;
    std::vector<bool> ends(exit + 1, false);
    follow(predecessors, exit, ends, order);
    for (std::uint32_t b = 0; b < exit; ++b)
        if (!ends[b])
            std::erase_if(predecessors[b], [&](std::uint32_t p) { return ends[p]; });
    order.clear();
    std::vector<bool> seen = ends;
    for (std::uint32_t b = 0; b < exit; ++b)
        if (!seen[b])
            follow(predecessors, b, seen, order);
    std::vector<bool> goesOn(exit, false);
    for (const auto& from : predecessors)
        for (const std::uint32_t p : from)
            goesOn[p] = true;
    // Whom the way back leaves last has nobody behind it but its own loop (Kosaraju).
    std::vector<std::uint32_t> leading, trapped;
    for (auto b = order.rbegin(); b != order.rend(); ++b)
        if (!ends[*b]) {
            follow(predecessors, *b, ends, leading);
            (goesOn[*b] ? before : trapped).push_back(*b);
        }
    predecessors[exit].insert(predecessors[exit].end(), trapped.begin(), trapped.end());
    for (const std::uint32_t b : before) {
        const auto place = std::uint32_t(predecessors.size());
        predecessors.push_back(std::move(predecessors[b]));
        predecessors[b].assign(1, place);
        predecessors[exit].push_back(place);
    }
    return before;
}

// Immediate post-dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), run on the
// graph backwards from the virtual exit. traps: blocks whose edge to the exit is a trap.
std::vector<std::uint32_t> postDominators(const std::vector<BasicBlock>& blocks, const std::vector<bool>& traps) {
    const auto exit = std::uint32_t(blocks.size());
    std::vector<Graph::Edge> back; // predecessors
    for (std::uint32_t b = 0; b < exit; ++b)
        for (const std::uint32_t s : blocks[b].successors)
            if (s != exit || !traps[b])
                back.emplace_back(s, b);
    std::optional<Graph> predecessors(std::in_place, blocks.size() + 1, back);

    // Post-order of the reversed graph: the exit comes last.
    std::vector<std::uint32_t> order, before;
    std::vector<bool> seen(predecessors->size(), false);
    follow(*predecessors, exit, seen, order);
    if (order.size() < predecessors->size()) { // some never end
        Edges edges;
        for (std::size_t b = 0; b < predecessors->size(); ++b)
            edges.emplace_back((*predecessors)[b].begin(), (*predecessors)[b].end());
        before = leaveEndless(edges, exit);
        back.clear();
        for (std::uint32_t b = 0; b < edges.size(); ++b)
            for (const std::uint32_t p : edges[b])
                back.emplace_back(b, p);
        predecessors.emplace(edges.size(), back);
        order.clear();
        seen.assign(edges.size(), false);
        follow(*predecessors, exit, seen, order);
    }
    const std::size_t all = predecessors->size();
    std::vector<Graph::Edge> on;
    for (std::uint32_t b = 0; b < all; ++b)
        for (const std::uint32_t p : (*predecessors)[b])
            on.emplace_back(p, b);
    const Graph successors(all, on);
    std::vector<std::uint32_t> number(all, noPlace);
    for (std::uint32_t k = 0; k < order.size(); ++k)
        number[order[k]] = k;

    constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> dominator(all, none);
    dominator[exit] = exit;
    const auto meet = [&](std::uint32_t a, std::uint32_t b) {
        while (a != b) {
            while (number[a] < number[b])
                a = dominator[a];
            while (number[b] < number[a])
                b = dominator[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (auto it = order.rbegin(); it != order.rend(); ++it) {
            if (*it == exit)
                continue;
            std::uint32_t best = none;
            for (const std::uint32_t s : successors[*it])
                if (dominator[s] != none)
                    best = best == none ? s : meet(best, s);
            if (best != dominator[*it]) {
                dominator[*it] = best;
                changed = true;
            }
        }
    }
    dominator.resize(blocks.size());
    for (std::uint32_t b = 0; b < exit; ++b)
        if (std::uint32_t& d = dominator[b]; d > exit) // a loop of one block has no place to meet but itself
            d = before[d - exit - 1] == b ? exit : before[d - exit - 1];
    return dominator;
}

} // namespace

Result<ControlFlow> controlFlow(const Function& function) {
    return controlFlow(function, LabelMap(function));
}

Result<ControlFlow> controlFlow(const Function& function, const LabelMap& labels) {
    const auto size = std::uint32_t(function.body.size());

    std::vector<bool> leads(size + 1, false);
    leads[0] = true;
    struct Jump {
        std::uint32_t instruction, first; // of targets
    };
    std::vector<Jump> allJumps; // ascending, as the blocks below
    std::vector<std::uint32_t> targets;
    for (std::uint32_t i = 0; i < size; ++i) {
        const Instruction& instruction = function.body[i];
        if (!jumps(instruction) && !endsFunction(instruction))
            continue;
        leads[i + 1] = true;
        if (!jumps(instruction))
            continue;
        allJumps.push_back({i, std::uint32_t(targets.size())});
        if (auto ok = addTargets(function, instruction, labels, targets); !ok)
            return ok.error();
    }
    for (const std::uint32_t t : targets)
        leads[t] = true;
    allJumps.push_back({size, std::uint32_t(targets.size())});
    // A label begins a block even if nothing in sight jumps to it: blocks then mean the same to every reader.
    for (const Label& label : function.labels)
        leads[label.instruction] = true;

    ControlFlow flow;
    flow.blockOf.resize(size);
    for (std::uint32_t i = 0; i < size; ++i) {
        if (leads[i]) {
            if (!flow.blocks.empty())
                flow.blocks.back().end = i;
            flow.blocks.push_back({i, size, {}});
        }
        flow.blockOf[i] = std::uint32_t(flow.blocks.size() - 1);
    }
    const auto blockAt = [&](std::uint32_t i) { return i < size ? flow.blockOf[i] : flow.exitBlock(); };
    std::vector<bool> traps;
    std::size_t jump = 0;
    for (BasicBlock& block : flow.blocks) {
        const std::uint32_t last = block.end - 1;
        const Instruction& instruction = function.body[last];
        const auto add = [&](std::uint32_t to) {
            if (std::find(block.successors.begin(), block.successors.end(), to) == block.successors.end())
                block.successors.push_back(to);
        };
        traps.push_back(instruction.opcode == Opcode::Trap);
        const bool leaves = jumps(instruction) || endsFunction(instruction);
        if (!leaves || instruction.guarded())
            add(blockAt(block.end)); // fall-through first
        if (endsFunction(instruction))
            add(flow.exitBlock());
        while (allJumps[jump].instruction < last)
            ++jump;
        if (allJumps[jump].instruction == last)
            for (std::uint32_t t = allJumps[jump].first; t < allJumps[jump + 1].first; ++t)
                add(blockAt(targets[t]));
    }
    flow.postDominator = postDominators(flow.blocks, traps);
    flow.meetings = meetingsOf(flow, function);
    return flow;
}

std::uint32_t ControlFlow::firstOf(std::uint32_t block, std::uint32_t bodySize) const {
    return block < blocks.size() ? blocks[block].first : bodySize;
}

} // namespace warpglass::ptx
