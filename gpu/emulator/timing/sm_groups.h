// SPDX-License-Identifier: GPL-3.0-or-later
// Which SM runs which block: blocks are dealt to SMs in turn; clusters to groups of neighbouring SMs, one block of each cluster
// to each SM. And the order in which SMs go on that run in time at once.
#pragma once

#include "gpu/emulator/state/cluster.h"
#include "gpu/emulator/state/exec.h"
#include "gpu/emulator/timing/sm.h"
#include "gpu/emulator/timing/until.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace warpglass::emulator {

class SmGroups {
public:
    SmGroups(const LaunchState& launch, const Clusters& clusters, std::uint64_t sms)
        : m_clusters(clusters), m_blocks(launch.grid.count()), m_cluster(launch.cluster.count()),
          m_size(m_cluster <= sms ? m_cluster : 1), m_groups(sms / m_size) {}

    std::uint64_t size() const { return m_size; }                               // SMs of a group
    std::uint64_t sms() const { return m_groups * m_size; }                     // that can be at work
    std::uint64_t busy() const { return std::min(m_groups, units()) * m_size; } // that have something to do, from 0 on
    std::uint32_t smOf(std::uint64_t block) const {
        if (m_cluster == 1)
            return std::uint32_t(block % m_groups);
        const std::uint64_t group = m_clusters.clusterOf(block) % m_groups;
        return std::uint32_t(group * m_size + (m_size > 1 ? m_clusters.rankOf(block) : 0));
    }
    // All that belong to the group of one of these.
    std::vector<std::uint32_t> whole(const std::vector<std::uint32_t>& sms) const {
        std::vector<std::uint32_t> all;
        for (const std::uint32_t sm : sms)
            for (std::uint64_t k = 0; k < m_size; ++k)
                all.push_back(std::uint32_t((sm / m_size % m_groups) * m_size + k));
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }
    // In their order, no more than that (but a cluster, if it is on one SM, as a whole). ofGroup: those of all its SMs.
    std::vector<std::uint64_t> blocksOf(std::uint32_t sm, std::uint64_t most, bool ofGroup = false) const {
        std::vector<std::uint64_t> blocks;
        for (std::uint64_t unit = sm / m_size; unit < units() && blocks.size() < most; unit += m_groups) {
            if (m_cluster == 1) {
                blocks.push_back(unit);
                continue;
            }
            const std::vector<std::uint64_t> all = m_clusters.blocksOf(unit);
            if (m_size > 1 && !ofGroup)
                blocks.push_back(all[sm % m_size]);
            else
                blocks.insert(blocks.end(), all.begin(), all.end());
        }
        return blocks;
    }
    std::uint64_t share() const { // blocks of the first SM
        return (units() + m_groups - 1) / m_groups * (m_cluster / m_size);
    }

private:
    std::uint64_t units() const { return m_blocks / m_cluster; } // blocks or clusters
    const Clusters& m_clusters;
    std::uint64_t m_blocks, m_cluster, m_size, m_groups;
};

// The SM whose next cycle is the earliest goes first, in a cycle the one with the lowest number.
class SmOrder {
public:
    explicit SmOrder(std::uint64_t group) : m_group(group) {}
    void add(RunningSm& sm) {
        m_sms.push_back(&sm);
        m_queued.push_back(none);
        put(m_sms.size() - 1, sm.next());
    }
    bool empty() {
        while (!m_order.empty() && m_queued[m_order.top().second] != m_order.top().first)
            m_order.pop(); // it was put there anew
        return m_order.empty();
    }
    std::pair<std::int64_t, std::size_t> top() { return m_order.top(); } // cycle, number
    std::size_t pop() {
        const std::size_t k = m_order.top().second;
        m_order.pop();
        m_queued[k] = none;
        return k;
    }
    void put(std::size_t k, std::int64_t cycle) {
        if (cycle >= m_queued[k])
            return;
        m_queued[k] = cycle;
        m_order.emplace(cycle, k);
    }
    // What one of a group has done may let others of it go on.
    void wakeGroup(std::size_t k) {
        for (std::size_t m = k / m_group * m_group; m_group > 1 && m < (k / m_group + 1) * m_group; ++m)
            if (m_sms[m]->next() < never)
                put(m, m_sms[m]->next());
    }
    bool isQueued(std::size_t k) const { return m_queued[k] != none; }

private:
    static constexpr std::int64_t none = never + 1;
    using Next = std::pair<std::int64_t, std::size_t>;
    std::uint64_t m_group;
    std::vector<RunningSm*> m_sms;
    std::vector<std::int64_t> m_queued; // [number] the cycle with which it is in the queue
    std::priority_queue<Next, std::vector<Next>, std::greater<>> m_order;
};

} // namespace warpglass::emulator
