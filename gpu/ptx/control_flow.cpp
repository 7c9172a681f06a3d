// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/control_flow.h"

#include <algorithm>
#include <unordered_map>

namespace warpglass::ptx {
namespace {

bool endsFunction(const Instruction& i) {
    return i.opcode == Opcode::Ret || i.opcode == Opcode::Exit || i.opcode == Opcode::Trap;
}
bool jumps(const Instruction& i) {
    return row(i.opcode).family == Family::Branch;
}

Error unknownLabel(const Instruction& i, const std::string& label) {
    return {"the label '" + label + "' is not defined", {}, i.line, i.column, {}};
}

// Where a jump may go, as instruction indices.
Result<std::vector<std::uint32_t>> targets(const Function& f, const Instruction& i, const LabelMap& labels) {
    std::vector<std::uint32_t> found;
    const auto add = [&](const std::string& label) {
        const auto it = labels.find(label);
        if (it != labels.end())
            found.push_back(it->second);
        return it != labels.end();
    };
    if (i.opcode == Opcode::Bra) {
        if (i.operands.empty() || !add(i.operands[0].name))
            return unknownLabel(i, i.operands.empty() ? "" : i.operands[0].name);
        return found;
    }
    const TargetList* list = i.operands.size() > 1 ? f.findTargets(i.operands[1].name) : nullptr;
    if (!list)
        return unknownLabel(i, i.operands.size() > 1 ? i.operands[1].name : "");
    for (const std::string& label : list->targets)
        if (!add(label))
            return unknownLabel(i, label);
    return found;
}

// Immediate post-dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), run on the
// graph backwards from the virtual exit. A block from which the exit cannot be reached (an endless loop) gets the exit
// itself.
std::vector<std::uint32_t> postDominators(const std::vector<BasicBlock>& blocks) {
    const auto exit = std::uint32_t(blocks.size());
    std::vector<std::vector<std::uint32_t>> predecessors(blocks.size() + 1);
    for (std::uint32_t b = 0; b < exit; ++b)
        for (const std::uint32_t s : blocks[b].successors)
            predecessors[s].push_back(b);

    // Post-order of the reversed graph: the exit comes last.
    std::vector<std::uint32_t> order, number(blocks.size() + 1, noPlace);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{exit, 0}};
    std::vector<bool> seen(blocks.size() + 1, false);
    seen[exit] = true;
    while (!stack.empty()) {
        auto& [block, at] = stack.back();
        if (at < predecessors[block].size()) {
            const std::uint32_t p = predecessors[block][at++];
            if (!seen[p]) {
                seen[p] = true;
                stack.emplace_back(p, 0);
            }
        } else {
            number[block] = std::uint32_t(order.size());
            order.push_back(block);
            stack.pop_back();
        }
    }

    constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> dominator(blocks.size() + 1, none);
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
            for (const std::uint32_t s : blocks[*it].successors)
                if (dominator[s] != none)
                    best = best == none ? s : meet(best, s);
            if (best != dominator[*it]) {
                dominator[*it] = best;
                changed = true;
            }
        }
    }
    dominator.pop_back();
    for (std::uint32_t& d : dominator)
        if (d == none)
            d = exit;
    return dominator;
}

} // namespace

Result<ControlFlow> controlFlow(const Function& function) {
    const auto size = std::uint32_t(function.body.size());
    const LabelMap labels = labelMap(function);

    std::vector<bool> leads(size + 1, false);
    leads[0] = true;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> jumpTargets;
    for (std::uint32_t i = 0; i < size; ++i) {
        const Instruction& instruction = function.body[i];
        if (!jumps(instruction) && !endsFunction(instruction))
            continue;
        leads[i + 1] = true;
        if (!jumps(instruction))
            continue;
        Result<std::vector<std::uint32_t>> to = targets(function, instruction, labels);
        if (!to)
            return to.error();
        for (const std::uint32_t t : *to)
            leads[t] = true;
        jumpTargets.emplace(i, std::move(*to));
    }
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
    for (BasicBlock& block : flow.blocks) {
        const std::uint32_t last = block.end - 1;
        const Instruction& instruction = function.body[last];
        const auto add = [&](std::uint32_t to) {
            if (std::find(block.successors.begin(), block.successors.end(), to) == block.successors.end())
                block.successors.push_back(to);
        };
        const bool leaves = jumps(instruction) || endsFunction(instruction);
        if (!leaves || instruction.guarded())
            add(blockAt(block.end)); // fall-through first
        if (endsFunction(instruction))
            add(flow.exitBlock());
        if (const auto to = jumpTargets.find(last); to != jumpTargets.end())
            for (const std::uint32_t t : to->second)
                add(blockAt(t));
    }
    flow.postDominator = postDominators(flow.blocks);
    return flow;
}

std::uint32_t ControlFlow::reconvergence(std::uint32_t instruction, std::uint32_t bodySize) const {
    if (instruction >= blockOf.size())
        return bodySize;
    const std::uint32_t block = postDominator[blockOf[instruction]];
    return block < blocks.size() ? blocks[block].first : bodySize;
}

} // namespace warpglass::ptx
