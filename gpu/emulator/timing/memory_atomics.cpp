// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics of global memory, and stores to lines that other SMs write: what queues at L2.
//
// Measured on an H200 with all SMs at once (h200-micro.csv, atomics_* and atomics2_*). One sector answers to one request
// at a time: every 1.45 cycles, or a lane where lanes want the same word; sums of floats take 3.5. Where all SMs want the
// same lines, these are served at a rate that grows with their number, since they spread over the slices of L2.
// Stores to the same lines do, too (part_store_*, less 5 us of the events around them): about six requests a ns to two to
// eight lines, whether sectors are written in part or not.
// Shared memory adds words of integers by itself; anything else is a loop that reads, adds and swaps (shared_atomic_*).
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/timing/memory_path.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpglass::emulator {

namespace {
// Requests to store, to a line each, of the whole device in a ns, by the lines that all SMs write.
constexpr std::array<DeviceTiming::HotLines, 5> hotStoresPerNs = {{{1, 8}, {2, 5.6}, {8, 6.8}, {64, 14}, {1024, 32}}};
} // namespace

// The same in a cycle.
double MemoryPath::rateOf(const std::array<DeviceTiming::HotLines, 5>& knots, std::uint64_t wanted) const {
    return hotRate(knots, double(wanted)) / m_around.cyclesPerNs;
}

double MemoryPath::hotRate(const std::array<DeviceTiming::HotLines, 5>& knots, double wanted) {
    const double lines = std::max(1.0, wanted);
    std::size_t k = 1;
    while (k + 1 < knots.size() && lines > knots[k].lines)
        ++k;
    const double at =
        std::min(1.0, std::log(lines / knots[k - 1].lines) / std::log(knots[k].lines / knots[k - 1].lines));
    return knots[k - 1].sectors * std::pow(knots[k].sectors / knots[k - 1].sectors, at);
}

// What this SM stores to once says nothing yet: words scattered over much memory meet those of others, too, but at other times.
void MemoryPath::storeTo(std::int64_t start, const Part& part, bool mine, std::uint32_t block) {
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
    m_queues.stores = std::max(m_queues.stores, double(start)) + sharers / rateOf(hotStoresPerNs, lines.size());
}

double MemoryPath::sharersOf(SharedQueues::Sector& queue, std::uint64_t sector, std::uint32_t block, bool& contended) {
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

std::int64_t MemoryPath::atomics(std::int64_t start, const AccessSummary& access,
                                 const std::array<std::uint64_t, 32>& addresses, std::uint32_t block, AtomicKind kind,
                                 LimitSet without) {
    double done = double(start);
    const double active = std::max(1u, m_around.activeSms);
    const double lane = kind.floats ? m_timing.floatAtomicCycles : m_timing.sameAddressAtomicCycles;
    double contended = 0; // sectors, of all SMs that want them
    for (const Part& part : m_parts) {
        std::array<std::uint8_t, 32> lanes{}; // [word of the line]
        for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
            const std::uint64_t a = addresses[std::size_t(std::countr_zero(m))];
            if (a / 128 == part.line)
                ++lanes[a % 128 / 4];
        }
        const double distinct = 32 - double(std::count(lanes.begin(), lanes.end(), 0));
        m_atomic = std::max(m_atomic, double(start)) + distinct * active / m_timing.atomicLanesPerCycle;
        done = std::max(done, m_atomic);
        if (without.has(Limit::Atomics))
            continue;
        for (std::uint32_t s = 0; s < 4; ++s) {
            if (!(part.sectors >> s & 1))
                continue;
            const std::uint64_t sector = part.line * 4 + s;
            m_own.add(sector);
            tell(sector);
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
    // So many requests are under way at most; those for a line that is busy do not hold up the others before that.
    std::int64_t& oldest = m_underWay[m_nextUnderWay++ % m_underWay.size()];
    m_lsu = std::max(m_lsu, oldest);
    oldest = std::int64_t(done);
    return std::int64_t(std::ceil(done)) + m_timing.atomicL2;
}

std::int64_t MemoryPath::lanesAtOneWord(const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses) {
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
std::int64_t MemoryPath::swaps(std::int64_t start, const AccessSummary& access,
                               const std::array<std::uint64_t, 32>& addresses, std::int64_t most, std::uint32_t block) {
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
