// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/atomic_units.h"
#include "gpu/emulator/code/bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpglass::emulator {

// What this SM stores to once says nothing yet: words scattered over much memory meet those of others, too, but at other times.
void AtomicUnits::store(std::int64_t start, const LinePart& part, bool mine, std::uint32_t block) {
    if (!m_around.touched || m_around.activeSms < 2)
        return;
    SectorSet& lines = m_queues.stored;
    if (!mine) {
        const std::uint32_t other =
            m_around.touched->first(part.line * 4 + std::uint64_t(std::countr_zero(part.sectors)));
        if (other != ~0u && (m_around.together || other != block))
            lines.add(part.line);
        return;
    }
    if (lines.size() == 0 || !lines.contains(part.line))
        return;
    const double sharers = m_around.together ? 1 : m_around.touched->writers(part.line, m_around.activeSms);
    m_queues.stores =
        std::max(m_queues.stores, double(start)) + sharers / rateOf(m_timing.hotStoresPerNs, lines.size());
}

double AtomicUnits::sharersOf(SharedQueues::Sector& queue, std::uint64_t sector, std::uint32_t block, bool& contended) {
    if (m_around.together) {
        queue.contended |= queue.sm != ~0u && queue.sm != m_around.sm;
        queue.sm = m_around.sm;
        contended = queue.contended;
        return 1;
    }
    const std::uint32_t other = m_around.touched ? m_around.touched->first(sector) : ~0u;
    contended = other != ~0u && other != block;
    return contended ? m_around.touched->sharers(sector / 4, m_around.activeSms) : 1;
}

double AtomicUnits::global(std::int64_t start, const WantedLines& wanted, const AccessSummary& access,
                           const LaneAddresses& addresses, std::uint32_t block, AtomicKind kind, bool queues,
                           L2Holdings& holdings) {
    double done = double(start);
    const double active = m_around.sms();
    const double lane = kind.floats ? m_timing.floatAtomicCycles : m_timing.sameAddressAtomicCycles;
    double contended = 0; // sectors, of all SMs that want them
    for (const LinePart& part : wanted.parts()) {
        std::array<std::uint8_t, 32> lanes{}; // [word of the line]
        for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
            const std::uint64_t a = addresses[std::size_t(std::countr_zero(m))];
            if (a / 128 == part.line)
                ++lanes[a % 128 / 4];
        }
        const double distinct = 32 - double(std::count(lanes.begin(), lanes.end(), 0));
        // Of all SMs L2 takes so many lanes, and so many sectors, fewer where lanes want several words of each.
        const double sectors = std::popcount(part.sectors) * m_around.cyclesPerNs /
                               (distinct >= 2 * std::popcount(part.sectors) ? m_timing.fullSumSectorsPerNs
                                                                            : m_timing.hotSectorsPerNs.back().sectors);
        m_free = std::max(m_free, double(start)) + active * std::max(distinct / m_timing.atomicLanesPerCycle, sectors);
        done = std::max(done, m_free);
        if (!queues)
            continue;
        for (std::uint32_t s = 0; s < 4; ++s) {
            if (!(part.sectors >> s & 1))
                continue;
            const std::uint64_t sector = part.line * 4 + s;
            holdings.add(sector);
            holdings.tell(sector);
            SharedQueues::Sector& queue = m_queues.sectors[sector];
            bool shared = false;
            const double sharers = sharersOf(queue, sector, block, shared);
            if (shared) {
                m_queues.lines.add(part.line);
                contended += sharers;
            }
            const std::uint8_t most = *std::max_element(lanes.begin() + 8 * s, lanes.begin() + 8 * s + 8);
            double& hot = queue.free;
            hot = std::max(hot, double(start)) +
                  lane * (kind.combined ? 1.0 : double(std::max<std::uint8_t>(1, most))) * sharers;
            done = std::max(done, hot);
        }
    }
    if (contended > 0) {
        if (kind.floats && access.bytes == 8) // doubles: half as fast on one line, as fast on many
            contended *= 1 + 1 / std::sqrt(double(m_queues.lines.size()));
        m_queues.queue = std::max(m_queues.queue, double(start)) +
                         contended / rateOf(m_timing.hotSectorsPerNs, m_queues.lines.size());
        done = std::max(done, m_queues.queue);
    }
    if (m_queues.sectors.size() > bounds.hotLines)
        m_queues.sectors.clear();
    return done;
}

std::int64_t AtomicUnits::lanesAtOneWord(const AccessSummary& access, const LaneAddresses& addresses) {
    std::int64_t most = 1;
    for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
        const std::uint64_t a = addresses[std::size_t(std::countr_zero(m))];
        std::int64_t same = 0;
        for (std::uint32_t n = m; n; n &= n - 1)
            same += addresses[std::size_t(std::countr_zero(n))] == a;
        most = std::max(most, same);
    }
    return most;
}

// A round of the loop for each lane that wants the same word. Another warp's lanes try in between.
std::int64_t AtomicUnits::swaps(std::int64_t start, const AccessSummary& access, const LaneAddresses& addresses,
                                std::int64_t most, std::uint32_t block) {
    std::int64_t done = start + m_timing.swapLatency + m_timing.swapRound * (most - 1);
    for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
        std::int64_t& free =
            m_swapped[std::uint64_t(block) << 32 | (addresses[std::size_t(std::countr_zero(m))] & 0xffff'ffff)];
        free = std::max(free, start) + m_timing.swapContended;
        done = std::max(done, free);
    }
    if (m_swapped.size() > bounds.hotLines)
        m_swapped.clear();
    return done;
}

} // namespace warpglass::emulator
