// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/placement.h"

#include <algorithm>
#include <bit>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace warpglass::emulator {

namespace {

struct Sm {
    std::uint32_t warps = 0, blocks = 0, registers = 0, shared = 0;
    std::uint64_t slots = 0;
};
struct Ending {
    std::int64_t time;
    std::uint32_t sm, launch;
    std::uint64_t slots;
    bool operator>(const Ending& o) const { return std::tie(time, sm, slots) > std::tie(o.time, o.sm, o.slots); }
};

class Placer {
public:
    Placer(std::vector<PlacementLaunch>& launches, const CapabilityLimits& limits, int smCount, LaunchCost cost)
        : m_launches(launches), m_limits(limits), m_cost(cost), m_sms(std::size_t(std::max(1, smCount))),
          m_state(launches.size()) {
        for (std::uint32_t i = 0; i < m_sms.size(); ++i)
            m_order.insert({0, i});
        for (std::uint32_t l = 0; l < launches.size(); ++l) {
            const Footprint &a = launches[0].footprint, &b = launches[l].footprint;
            m_mixed |= a.warps != b.warps || a.shared != b.shared || a.registers != b.registers;
            if (launches[l].parent == noIndex || !launches[l].steps)
                continue;
            State& parent = m_state[launches[l].parent];
            if (launches[l].stream == StreamKind::Tail)
                parent.tails.push_back(l);
            else if (launches[l].stream == StreamKind::Default)
                parent.queues[launches[l].parentBlock].push_back(l);
            else
                parent.free.push_back(l);
        }
    }

    void run() {
        if (!m_launches.empty() && m_launches[0].steps)
            ready(0, 0);
        while (!m_ready.empty()) {
            const auto [time, launch] = m_ready.top();
            m_ready.pop();
            m_now = std::max(m_now, time);
            placeGrid(launch);
        }
    }

private:
    struct State {
        std::map<std::uint32_t, std::vector<std::uint32_t>> queues; // default stream of each block
        std::vector<std::uint32_t> free, tails;
        std::uint32_t open = 0; // children that must end before the launch does
        std::size_t nextTail = 0;
        std::int64_t ownEnd = 0, treeEnd = 0; // of its blocks; of its children and tails too
    };

    void ready(std::uint32_t launch, std::int64_t time) {
        if (m_launches[launch].parent != noIndex) {
            time = std::max(time + m_cost.latency, m_nextChild);
            m_nextChild = time + m_cost.interval;
        }
        m_launches[launch].start = time;
        m_ready.push({time, launch});
    }

    bool fits(const Sm& sm, const Footprint& f) const {
        return sm.warps + f.warps <= m_limits.warpsPerSm && sm.blocks + 1 <= m_limits.blocksPerSm &&
               sm.registers + f.registers <= m_limits.registersPerSm && sm.shared + f.shared <= m_limits.sharedPerSm;
    }

    // An SM with room now; noIndex if there is none. fixed: the block's own, or nullptr.
    std::uint32_t choose(const Footprint& f, const FixedPlace* fixed) const {
        if (fixed)
            return fits(m_sms[fixed->sm], f) ? fixed->sm : noIndex;
        for (const auto& [warps, sm] : m_order) {
            if (!m_closed.empty() && m_closed[sm] > m_now)
                continue;
            if (fits(m_sms[sm], f))
                return sm;
            if (!m_mixed)
                break;
        }
        return noIndex;
    }

    void change(std::uint32_t sm, const Footprint& f, bool arrives) {
        Sm& s = m_sms[sm];
        m_order.erase({s.warps, sm});
        s.warps = arrives ? s.warps + f.warps : s.warps - f.warps;
        s.blocks = arrives ? s.blocks + 1 : s.blocks - 1;
        s.registers = arrives ? s.registers + f.registers : s.registers - f.registers;
        s.shared = arrives ? s.shared + f.shared : s.shared - f.shared;
        m_order.insert({s.warps, sm});
    }

    void retire() { // the next block to end
        const Ending e = m_endings.top();
        m_endings.pop();
        change(e.sm, m_launches[e.launch].footprint, false);
        m_sms[e.sm].slots &= ~e.slots;
    }

    // SMs that have run a part of this grid in time take no other blocks of it before they are through.
    void close(const PlacementLaunch& l) {
        m_closed.clear();
        for (const FixedPlace& f : l.fixed) {
            if (!f.timed)
                continue;
            m_closed.resize(m_sms.size(), 0);
            m_closed[f.sm] = std::max(m_closed[f.sm], m_now + f.start + (*l.steps)[f.block]);
        }
    }

    void placeGrid(std::uint32_t index) {
        PlacementLaunch& l = m_launches[index];
        const auto& steps = *l.steps;
        l.blocks.resize(steps.size());
        std::int64_t end = m_now;
        bool first = true;
        const std::int64_t began = m_now;
        close(l);
        std::size_t next = 0; // of l.fixed
        for (std::size_t b = 0; b < steps.size(); ++b) {
            const FixedPlace* fixed = next < l.fixed.size() && l.fixed[next].block == b ? &l.fixed[next++] : nullptr;
            if (fixed && fixed->timed) {
                l.blocks[b] = {began + fixed->start, fixed->slots, fixed->sm};
                m_nextBlock += m_cost.blockInterval;
                end = std::max(end, l.blocks[b].start + steps[b]);
                first = false;
                continue;
            }
            while (!m_endings.empty() && m_endings.top().time <= m_now)
                retire();
            std::uint32_t sm = choose(l.footprint, fixed);
            while (sm == noIndex && !m_endings.empty()) {
                m_now = std::max(m_now, m_endings.top().time);
                while (!m_endings.empty() && m_endings.top().time <= m_now)
                    retire();
                sm = choose(l.footprint, fixed);
            }
            for (std::uint32_t s = 0; sm == noIndex && s < m_closed.size(); ++s) // all others are full for good
                if (m_closed[s] > m_now) {
                    m_now = m_closed[s];
                    sm = choose(l.footprint, fixed);
                }
            if (sm == noIndex)
                sm = 0; // larger than an SM: refused before; never reached
            m_nextBlock = std::max(double(m_now), m_nextBlock);
            const auto start = std::int64_t(m_nextBlock);
            m_nextBlock += m_cost.blockInterval;
            std::uint64_t slots = 0, taken = m_sms[sm].slots;
            for (std::uint32_t w = 0; w < l.footprint.warps && ~taken != 0; ++w) {
                const std::uint64_t bit = ~taken & (taken + 1);
                slots |= bit;
                taken |= bit;
            }
            m_sms[sm].slots |= slots;
            change(sm, l.footprint, true);
            l.blocks[b] = {start, slots, sm};
            if (first)
                l.start = start;
            first = false;
            m_endings.push({start + steps[b] + l.pause, sm, index, slots});
            end = std::max(end, start + steps[b]);
        }
        finishOwn(index, end);
    }

    void finishOwn(std::uint32_t index, std::int64_t end) {
        State& s = m_state[index];
        s.ownEnd = end;
        m_launches[index].end = end;
        s.open = std::uint32_t(s.free.size());
        for (const auto& [block, queue] : s.queues)
            s.open += std::uint32_t(queue.size());
        for (const std::uint32_t child : s.free)
            ready(child, end);
        for (const auto& [block, queue] : s.queues)
            ready(queue.front(), end);
        if (s.open == 0)
            finishTree(index);
    }

    void finishTree(std::uint32_t index) {
        State& s = m_state[index];
        const std::int64_t end = s.treeEnd = std::max(s.treeEnd, m_launches[index].end);
        if (s.nextTail < s.tails.size()) {
            ready(s.tails[s.nextTail++], std::max(end, m_tailEnd));
            return; // it goes on when the tail has ended
        }
        const std::uint32_t parent = m_launches[index].parent;
        if (parent == noIndex)
            return;
        if (m_launches[index].stream == StreamKind::Tail) {
            m_state[parent].treeEnd = std::max(m_state[parent].treeEnd, end);
            finishTree(parent); // the next tail, or the parent's own parent
            return;
        }
        State& p = m_state[parent];
        m_launches[parent].end = std::max(m_launches[parent].end, end);
        if (m_launches[index].stream == StreamKind::Default) {
            const auto& queue = p.queues[m_launches[index].parentBlock];
            const auto at = std::find(queue.begin(), queue.end(), index);
            if (at + 1 != queue.end())
                ready(*(at + 1), end);
        }
        if (--p.open == 0)
            finishTree(parent);
    }

    std::vector<PlacementLaunch>& m_launches;
    const CapabilityLimits& m_limits;
    LaunchCost m_cost;
    std::vector<std::int64_t> m_closed; // [SM] until when, for the grid that is being placed; empty: none is
    std::int64_t m_nextChild = 0;
    double m_nextBlock = 0;
    std::vector<Sm> m_sms;
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_order; // (resident warps, SM)
    std::vector<State> m_state;
    using Waiting = std::pair<std::int64_t, std::uint32_t>;
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> m_ready;
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> m_endings;
    std::int64_t m_now = 0, m_tailEnd = 0;
    bool m_mixed = false;
};

} // namespace

void place(std::vector<PlacementLaunch>& launches, const CapabilityLimits& limits, int smCount, LaunchCost cost) {
    Placer(launches, limits, smCount, cost).run();
}

} // namespace warpglass::emulator
