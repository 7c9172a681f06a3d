// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/allocations.h"
#include "gpu/program/program.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace warpglass::program {

namespace {

PlaceInMemory beginOf(const Allocation& a) {
    return {a.process, a.address};
}

} // namespace

AllocationIndex::AllocationIndex(std::span<const Allocation> all) : m_rows(all.size()) {
    std::iota(m_rows.begin(), m_rows.end(), 0u);
    std::stable_sort(m_rows.begin(), m_rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        return beginOf(all[a]) != beginOf(all[b]) ? beginOf(all[a]) < beginOf(all[b]) : all[a].born < all[b].born;
    });
    m_leaves = std::bit_ceil(std::max<std::size_t>(1, m_rows.size()));
    m_nodes.resize(2 * m_leaves);
    for (std::size_t k = 0; k < m_rows.size(); ++k) {
        const Allocation& a = all[m_rows[k]];
        m_nodes[m_leaves + k] = {{a.process, a.address + a.bytes}, a.born, a.freed};
    }
    for (std::size_t n = m_leaves; n-- > 1;) {
        const Node &left = m_nodes[2 * n], &right = m_nodes[2 * n + 1];
        m_nodes[n] = {std::max(left.end, right.end), std::min(left.born, right.born),
                      std::max(left.freed, right.freed)};
    }
}

std::uint32_t AllocationIndex::find(std::span<const Allocation> all, PlaceInMemory place,
                                    std::uint32_t operation) const {
    // Those that begin at the place or before it.
    const auto reach = std::upper_bound(m_rows.begin(), m_rows.end(), place,
                                        [&](PlaceInMemory p, std::uint32_t row) { return p < beginOf(all[row]); });
    const auto count = std::size_t(reach - m_rows.begin());
    std::uint32_t best = noIndex;
    struct Part {
        std::size_t node, first, leaves;
    };
    std::vector<Part> open;
    if (count)
        open.push_back({1, 0, m_leaves});
    while (!open.empty()) {
        const Part p = open.back();
        open.pop_back();
        const Node& node = m_nodes[p.node];
        if (p.first >= count || !(place < node.end) || node.born > operation || node.freed <= operation)
            continue;
        if (p.leaves == 1) {
            best = std::min(best, m_rows[p.first]); // rows are by birth
        } else {
            open.push_back({2 * p.node + 1, p.first + p.leaves / 2, p.leaves / 2});
            open.push_back({2 * p.node, p.first, p.leaves / 2});
        }
    }
    return best;
}

} // namespace warpglass::program
