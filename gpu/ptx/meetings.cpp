// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/meetings.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpglass::ptx {

namespace {

constexpr std::uint32_t nowhere = Meeting::nowhere;
// Beyond it, and if branches times blocks are more, lanes meet at post-dominators alone.
constexpr std::uint64_t mostSteps = std::uint64_t(1) << 24;
// How often the meeting of one branch is put off for others that pass it.
constexpr std::uint32_t mostMoves = 8;

class Meetings {
public:
    Meetings(const ControlFlow& flow, const Function& function)
        : m_flow(flow), m_function(function), m_leaves(flow.blocks.size() + 1, false), m_meetings(flow.blocks.size()),
          m_moves(flow.blocks.size(), 0) {
        m_leaves[flow.exitBlock()] = function.isEntry;
        for (std::uint32_t b = 0; b < flow.exitBlock(); ++b) {
            const BasicBlock& block = flow.blocks[b];
            m_leaves[b] = function.isEntry && block.end - block.first == 1 && block.successors.size() == 1 &&
                          block.successors[0] == flow.exitBlock() && !function.body[block.first].guarded();
            m_meetings[b].block = flow.postDominator[b];
            if (block.successors.size() > 1)
                m_branches.push_back(b);
        }
    }

    std::vector<Meeting> find() {
        std::vector<Meeting> usual = m_meetings;
        if (std::uint64_t(m_branches.size()) * m_flow.blocks.size() > mostSteps)
            return usual;
        const bool exits = findBehindExits();
        for (const std::uint32_t b : m_branches)
            if (!m_leaves[m_meetings[b].block])
                findBefore(b);
        const bool jumps = std::any_of(m_branches.begin(), m_branches.end(), [&](auto b) { return isJump(b); });
        if (!exits && !jumps)
            return usual;
        for (const std::uint32_t b : m_branches)
            findBetween(b);
        while (m_steps < mostSteps && (dropsOne() || movesOne()))
            continue;
        for (const std::uint32_t b : m_branches)
            if (m_steps < mostSteps && isJump(b))
                for (const std::uint32_t inner : m_branches)
                    if (m_between[b][inner] && isSplit(b, inner))
                        m_meetings[inner].leaving = sidesOn(b, inner)[0] ? Meeting::Side::Target : Meeting::Side::Next;
        return m_steps < mostSteps ? m_meetings : usual;
    }

private:
    using Blocks = std::vector<std::uint32_t>;

    bool isNested(std::uint32_t b) const { return m_meetings[b].block != m_flow.postDominator[b]; }
    bool isJump(std::uint32_t b) const { return m_meetings[b].behind != nowhere; }

    // Those that do not leave the kernel at once, nor go to `end`.
    Blocks sidesOf(std::uint32_t b, std::uint32_t end) const {
        Blocks sides;
        std::copy_if(m_flow.blocks[b].successors.begin(), m_flow.blocks[b].successors.end(), std::back_inserter(sides),
                     [&](std::uint32_t s) { return !m_leaves[s] && s != end; });
        return sides;
    }

    // Calls visit for all blocks that are reached from these, themselves among them, each once. Paths end before the exit
    // and before `end`, and in `last`.
    template <typename Visit>
    void reach(const Blocks& from, std::uint32_t end, std::uint32_t last, Visit visit) const {
        m_steps += m_flow.blocks.size() / 64;
        std::vector<bool> seen(m_flow.blocks.size(), false);
        Blocks open;
        const auto see = [&](std::uint32_t b) {
            if (m_leaves[b] || b == end || b == m_flow.exitBlock() || seen[b])
                return;
            seen[b] = true;
            open.push_back(b);
        };
        for (const std::uint32_t b : from)
            see(b);
        while (!open.empty()) {
            const std::uint32_t b = open.back();
            open.pop_back();
            ++m_steps;
            visit(b);
            if (b != last)
                for (const std::uint32_t s : m_flow.blocks[b].successors)
                    see(s);
        }
    }

    // The first block that all paths from b come through which go on to what several of its sides reach, before `end`. A side
    // that comes back to b takes another one then: lanes meet behind the loop, if nothing else leads there.
    std::uint32_t meetingOf(std::uint32_t b, std::uint32_t end) const {
        Blocks sides = sidesOf(b, end);
        for (bool first = true; sides.size() > 1; first = false) {
            std::vector<std::uint32_t> by(m_flow.blocks.size(), 0); // [block] how many sides reach it
            Blocks leaving;
            for (const std::uint32_t side : sides) {
                bool back = false;
                reach({side}, end, b, [&](std::uint32_t k) {
                    ++by[k];
                    back = back || k == b;
                });
                if (!back)
                    leaving.push_back(side);
            }
            const Blocks common = entered(by, end, b, sides);
            if (common.empty() && !first)
                return longestOf(sides, end);
            if (common.empty())
                return leaving.size() == 1 && isEnteredFrom(b, leaving[0]) && isWayOn(leaving[0], b, end, sides)
                           ? leaving[0]
                           : nowhere;
            if (common.size() == 1)
                return common[0];
            if (std::is_permutation(common.begin(), common.end(), sides.begin(), sides.end()))
                return nowhere;
            sides = common;
        }
        return nowhere;
    }

    std::size_t blocksFrom(std::uint32_t block, std::uint32_t end) const {
        std::size_t blocks = 0;
        reach({block}, end, nowhere, [&](std::uint32_t) { ++blocks; });
        return blocks;
    }

    // Of places where several sides come in, and then go apart to the exit: the one with the most blocks before it.
    std::uint32_t longestOf(const Blocks& sides, std::uint32_t end) const {
        std::uint32_t longest = nowhere;
        std::size_t most = 0;
        for (const std::uint32_t side : sides) {
            const std::size_t blocks = blocksFrom(side, end);
            if (blocks == most)
                longest = nowhere;
            if (blocks > most) {
                longest = side;
                most = blocks;
            }
        }
        return longest;
    }

    bool isEnteredFrom(std::uint32_t b, std::uint32_t block) const {
        m_steps += m_flow.blocks.size();
        for (std::uint32_t k = 0; k < m_flow.blocks.size(); ++k) {
            const Blocks& next = m_flow.blocks[k].successors;
            if (k != b && std::find(next.begin(), next.end(), block) != next.end())
                return false;
        }
        return true;
    }

    // Of the ways out of a loop that end in b or in places of their own: whether this one is no mere dead end beside the
    // others, but has at least as many blocks before it.
    bool isWayOn(std::uint32_t out, std::uint32_t b, std::uint32_t end, const Blocks& sides) const {
        std::vector<bool> back(m_flow.blocks.size(), false); // [block] on a way to b
        Blocks others;
        for (const std::uint32_t side : sides)
            if (side != out)
                reach({side}, end, b, [&](std::uint32_t k) { others.push_back(k); });
        back[b] = true;
        for (bool more = true; more;) {
            more = false;
            for (const std::uint32_t k : others)
                if (!back[k])
                    for (const std::uint32_t s : m_flow.blocks[k].successors)
                        if (s != m_flow.exitBlock() && back[s])
                            more = back[k] = true;
            m_steps += others.size();
        }
        const auto elsewhere = std::count_if(others.begin(), others.end(), [&](std::uint32_t k) { return !back[k]; });
        return std::size_t(elsewhere) <= blocksFrom(out, end);
    }

    // Of what several sides reach, the blocks where they come in.
    Blocks entered(const std::vector<std::uint32_t>& by, std::uint32_t end, std::uint32_t last,
                   const Blocks& sides) const {
        std::vector<bool> in(by.size() + 1, false);
        for (const std::uint32_t side : sides)
            in[side] = true;
        for (std::uint32_t k = 0; k < by.size(); ++k)
            if (by[k] == 1 && k != last)
                for (const std::uint32_t s : m_flow.blocks[k].successors)
                    in[s] = s != end;
        Blocks found;
        for (std::uint32_t k = 0; k < by.size(); ++k)
            if (in[k] && by[k] > 1)
                found.push_back(k);
        return found;
    }

    // Of branches behind which nothing but the exit post-dominates. False: none meets elsewhere.
    bool findBehindExits() {
        bool any = false;
        for (const std::uint32_t b : m_branches)
            if (m_leaves[m_flow.postDominator[b]]) {
                const std::uint32_t at = meetingOf(b, nowhere);
                any = any || at != nowhere;
                if (at != nowhere)
                    m_meetings[b].block = at;
                else
                    m_meetings[b].around = true;
            }
        if (!any)
            for (const std::uint32_t b : m_branches)
                m_meetings[b].around = false;
        return any;
    }

    // Some paths jump over what the others meet in, to where all do.
    void findBefore(std::uint32_t b) {
        const std::uint32_t end = m_meetings[b].block;
        if (m_flow.blocks[b].successors.size() != 2) // of more, some may jump by themselves
            return;
        const std::uint32_t at = meetingOf(b, end);
        if (at != nowhere && at != b) {
            m_meetings[b].block = at;
            m_meetings[b].behind = end;
        }
    }

    // The blocks between a branch and where it meets.
    void findBetween(std::uint32_t b) {
        m_between.resize(m_flow.blocks.size());
        std::vector<bool>& between = m_between[b];
        between.assign(m_flow.blocks.size() + 1, false);
        const std::uint32_t at = m_meetings[b].block;
        if (m_meetings[b].around)
            return;
        const std::uint32_t end = isJump(b) ? m_meetings[b].behind : at;
        reach(sidesOf(b, end), end, at, [&](std::uint32_t k) { between[k] = k != at; });
    }

    // Which sides of a branch within another's region come to where that one meets.
    std::array<bool, 2> sidesOn(std::uint32_t outer, std::uint32_t inner) const {
        std::array<bool, 2> on{};
        for (std::size_t s = 0; s < 2; ++s) {
            const std::uint32_t side = m_flow.blocks[inner].successors[s], at = m_meetings[outer].block;
            reach({side}, m_meetings[outer].behind, at, [&](std::uint32_t k) { on[s] = on[s] || k == at; });
        }
        return on;
    }

    // One side of `inner` jumps over where the lanes of `outer` meet, the other does not. An indexed branch has no two sides.
    bool isSplit(std::uint32_t outer, std::uint32_t inner) const {
        if (isJump(inner) || m_meetings[inner].around || m_meetings[inner].block != m_meetings[outer].behind ||
            m_flow.blocks[inner].successors.size() != 2 ||
            m_function.body[m_flow.blocks[inner].end - 1].opcode == Opcode::Brx)
            return false;
        const auto on = sidesOn(outer, inner);
        return on[0] != on[1];
    }

    // Who is between a branch and its meeting meets no later than there: no lane may pass those who wait for it. The first
    // branch that does; nowhere: there is none.
    std::uint32_t passing(std::uint32_t outer) const {
        m_steps += m_branches.size();
        const auto found = std::find_if(m_branches.begin(), m_branches.end(), [&](std::uint32_t inner) {
            return m_between[outer][inner] && m_between[inner][m_meetings[outer].block] &&
                   !(isJump(outer) && isSplit(outer, inner));
        });
        return found == m_branches.end() ? nowhere : *found;
    }

    // Takes its own meeting from a branch that others would pass. False: there is none such.
    bool dropsOne() {
        for (const std::uint32_t b : m_branches)
            if (isJump(b) && passing(b) != nowhere) {
                m_meetings[b].block = std::exchange(m_meetings[b].behind, nowhere);
                findBetween(b);
                return true;
            }
        return false;
    }

    // Of a branch behind an early exit whose meeting others would pass: these jump over it to where they meet, as out of a
    // loop; or all meet there; at last with the lanes of a branch around it. False: there is none such.
    bool movesOne() {
        for (const std::uint32_t b : m_branches) {
            const std::uint32_t inner = isNested(b) && !isJump(b) ? passing(b) : nowhere;
            if (inner == nowhere)
                continue;
            Meeting& meeting = m_meetings[b];
            const std::uint32_t later = m_meetings[inner].block;
            if (later == m_flow.exitBlock() || m_leaves[later] || ++m_moves[b] > mostMoves) {
                meeting.block = m_flow.postDominator[b];
                meeting.around = true;
            } else {
                meeting.behind = later;
            }
            findBetween(b);
            return true;
        }
        return false;
    }

    const ControlFlow& m_flow;
    const Function& m_function;
    std::vector<bool> m_leaves; // [block] and the exit: where nothing is done but to leave the kernel
    std::vector<Meeting> m_meetings;
    std::vector<std::uint32_t> m_moves;       // [branch] how often its meeting was put off
    std::vector<std::vector<bool>> m_between; // [branch][block]
    Blocks m_branches;
    mutable std::uint64_t m_steps = 0;
};

} // namespace

std::vector<Meeting> meetingsOf(const ControlFlow& flow, const Function& function) {
    return Meetings(flow, function).find();
}

} // namespace warpglass::ptx
