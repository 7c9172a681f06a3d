// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/meetings.h"

#include <algorithm>

namespace warpglass::ptx {

namespace {

constexpr std::uint32_t nowhere = 0xffffffffu;
// Branches times blocks; beyond it lanes meet at post-dominators alone.
constexpr std::uint64_t mostSteps = std::uint64_t(1) << 24;

class Meetings {
public:
    Meetings(const ControlFlow& flow, const Function& function) : m_flow(flow), m_ends(flow.blocks.size() + 1, false) {
        m_ends[flow.exitBlock()] = true;
        for (std::uint32_t b = 0; b < flow.exitBlock(); ++b) {
            const BasicBlock& block = flow.blocks[b];
            m_ends[b] = block.end - block.first == 1 && block.successors.size() == 1 &&
                        block.successors[0] == flow.exitBlock() && !function.body[block.first].guarded();
            m_meetings.push_back({flow.postDominator[b], false});
            if (block.successors.size() > 1)
                m_branches.push_back(b);
        }
    }

    std::vector<Meeting> find() {
        const std::vector<Meeting> usual = m_meetings;
        if (std::uint64_t(m_branches.size()) * m_flow.blocks.size() > mostSteps)
            return usual;
        bool others = false;
        for (const std::uint32_t b : m_branches)
            if (m_ends[m_meetings[b].block]) {
                const std::uint32_t at = meetingOf(b);
                others = others || at != nowhere;
                if (at != nowhere)
                    m_meetings[b].block = at;
                else
                    m_meetings[b].around = true;
            }
        return others && isNested() ? m_meetings : usual;
    }

private:
    using Blocks = std::vector<std::uint32_t>;

    Blocks successorsThatGoOn(std::uint32_t b) const {
        Blocks on;
        std::copy_if(m_flow.blocks[b].successors.begin(), m_flow.blocks[b].successors.end(), std::back_inserter(on),
                     [&](std::uint32_t s) { return !m_ends[s]; });
        return on;
    }

    // Calls visit for all blocks that are reached from these, themselves among them, each once. Paths end before the exit,
    // and in `last`.
    template <typename Visit>
    void reach(const Blocks& from, std::uint32_t last, Visit visit) const {
        std::vector<bool> seen(m_flow.blocks.size(), false);
        Blocks open;
        const auto see = [&](std::uint32_t b) {
            if (m_ends[b] || seen[b])
                return;
            seen[b] = true;
            open.push_back(b);
        };
        for (const std::uint32_t b : from)
            see(b);
        while (!open.empty()) {
            const std::uint32_t b = open.back();
            open.pop_back();
            visit(b);
            if (b != last)
                for (const std::uint32_t s : m_flow.blocks[b].successors)
                    see(s);
        }
    }

    // The first block that all paths from b come through which go on to what several of its sides reach. A side that comes
    // back to b takes another one then: of a loop, lanes meet behind it.
    std::uint32_t meetingOf(std::uint32_t b) const {
        Blocks sides = successorsThatGoOn(b);
        while (sides.size() > 1) {
            std::vector<std::uint32_t> by(m_flow.blocks.size(), 0); // [block] how many sides reach it
            Blocks leaving;
            for (const std::uint32_t side : sides) {
                bool back = false;
                reach({side}, b, [&](std::uint32_t k) {
                    ++by[k];
                    back = back || k == b;
                });
                if (!back)
                    leaving.push_back(side);
            }
            const Blocks common = entered(by, b, sides);
            if (common.empty())
                return leaving.size() == 1 && leaving.size() < sides.size() ? leaving[0] : nowhere;
            if (common.size() == 1)
                return common[0];
            if (std::is_permutation(common.begin(), common.end(), sides.begin(), sides.end()))
                return nowhere;
            sides = common;
        }
        return nowhere;
    }

    // Of what several sides reach, the blocks where they come in.
    Blocks entered(const std::vector<std::uint32_t>& by, std::uint32_t last, const Blocks& sides) const {
        std::vector<bool> in(by.size(), false);
        for (const std::uint32_t side : sides)
            in[side] = true;
        for (std::uint32_t k = 0; k < by.size(); ++k)
            if (by[k] == 1 && k != last)
                for (const std::uint32_t s : m_flow.blocks[k].successors)
                    if (!m_ends[s])
                        in[s] = true;
        Blocks found;
        for (std::uint32_t k = 0; k < by.size(); ++k)
            if (in[k] && by[k] > 1)
                found.push_back(k);
        return found;
    }

    // Who is between a branch and its meeting meets no later than there: no lane may pass those who wait for it.
    bool isNested() const {
        std::vector<std::vector<bool>> between(m_flow.blocks.size());
        for (const std::uint32_t b : m_branches) {
            between[b].resize(m_flow.blocks.size() + 1, false);
            if (!m_meetings[b].around)
                reach(successorsThatGoOn(b), m_meetings[b].block, [&](std::uint32_t k) { between[b][k] = true; });
            between[b][m_meetings[b].block] = false;
        }
        for (const std::uint32_t outer : m_branches)
            for (const std::uint32_t inner : m_branches)
                if (!m_meetings[outer].around && between[outer][inner] && between[inner][m_meetings[outer].block])
                    return false;
        return true;
    }

    const ControlFlow& m_flow;
    std::vector<bool> m_ends; // [block] and the exit: where nothing is done but to leave
    std::vector<Meeting> m_meetings;
    Blocks m_branches;
};

} // namespace

std::vector<Meeting> meetingsOf(const ControlFlow& flow, const Function& function) {
    if (function.isEntry)
        return Meetings(flow, function).find();
    std::vector<Meeting> usual; // who returns early waits at the function's end
    for (const std::uint32_t block : flow.postDominator)
        usual.push_back({block, false});
    return usual;
}

} // namespace warpglass::ptx
