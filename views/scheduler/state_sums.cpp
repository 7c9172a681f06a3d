// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scheduler/state_sums.h"

#include <algorithm>
#include <numeric>

namespace warpglass {

namespace {
constexpr std::uint64_t rowsASum = 16;
} // namespace

std::int64_t StateTimes::total() const {
    return std::accumulate(cycles.begin(), cycles.end(), std::int64_t(0));
}

int StateTimes::dominant() const {
    const auto most = std::max_element(cycles.begin(), cycles.end());
    return *most > 0 ? int(most - cycles.begin()) : -1;
}

StateTimes& StateTimes::operator+=(const StateTimes& other) {
    for (std::size_t k = 0; k < stateCount; ++k)
        cycles[k] += other.cycles[k];
    return *this;
}

StateTimes StateTimes::operator-(const StateTimes& other) const {
    StateTimes result = *this;
    for (std::size_t k = 0; k < stateCount; ++k)
        result.cycles[k] -= other.cycles[k];
    return result;
}

SlotStates::SlotStates(const Trace& trace, std::vector<std::uint32_t> warps) : m_warps(std::move(warps)) {
    std::uint64_t rows = 0;
    StateTimes sum;
    for (std::uint32_t w : m_warps) {
        m_first.push_back(rows);
        for (const StateRow& row : trace.statesOf(trace.warps[w])) {
            if (rows++ % rowsASum == 0)
                m_sums.push_back(sum);
            sum.cycles[std::size_t(row.state)] += (row.end - row.begin).value;
        }
    }
    m_first.push_back(rows);
}

std::size_t SlotStates::pieceOf(std::uint64_t n) const {
    return std::size_t(std::upper_bound(m_first.begin(), m_first.end() - 1, n) - m_first.begin()) - 1;
}

const StateRow& SlotStates::row(const Trace& trace, std::uint64_t n) const {
    const std::size_t piece = pieceOf(n);
    return trace.states[trace.warps[m_warps[piece]].firstState + (n - m_first[piece])];
}

std::uint32_t SlotStates::warpOf(std::uint64_t n) const {
    return m_warps[pieceOf(n)];
}

std::uint64_t SlotStates::firstEndingAfter(const Trace& trace, std::int64_t cycle) const {
    const auto piece = std::partition_point(m_warps.begin(), m_warps.end(), [&](std::uint32_t w) {
        return trace.statesOf(trace.warps[w]).back().end.value <= cycle;
    });
    if (piece == m_warps.end())
        return size();
    const auto rows = trace.statesOf(trace.warps[*piece]);
    const auto row =
        std::partition_point(rows.begin(), rows.end(), [&](const StateRow& r) { return r.end.value <= cycle; });
    return m_first[std::size_t(piece - m_warps.begin())] + std::uint64_t(row - rows.begin());
}

const StateRow* SlotStates::at(const Trace& trace, std::int64_t cycle) const {
    const std::uint64_t n = firstEndingAfter(trace, cycle);
    if (n >= size())
        return nullptr;
    const StateRow& found = row(trace, n);
    return found.begin.value <= cycle ? &found : nullptr;
}

std::uint32_t SlotStates::warpNear(const Trace& trace, std::int64_t cycle) const {
    std::uint32_t best = m_warps.front();
    for (std::uint32_t w : m_warps) {
        if (trace.statesOf(trace.warps[w]).front().begin.value > cycle)
            break;
        best = w;
    }
    return best;
}

StateTimes SlotStates::before(const Trace& trace, std::int64_t cycle) const {
    const std::uint64_t end = firstEndingAfter(trace, cycle);
    if (m_sums.empty())
        return {};
    const std::uint64_t k = std::min<std::uint64_t>(end / rowsASum, m_sums.size() - 1);
    StateTimes sum = m_sums[k];
    const auto add = [&](std::uint64_t n) {
        const StateRow& r = row(trace, n);
        sum.cycles[std::size_t(r.state)] += std::max<std::int64_t>(0, std::min(cycle, r.end.value) - r.begin.value);
    };
    for (std::uint64_t n = k * rowsASum; n <= end && n < size(); ++n)
        add(n);
    return sum;
}

} // namespace warpglass
