// SPDX-License-Identifier: GPL-3.0-or-later
// Stores on their way through L2 to DRAM.
#include "gpu/emulator/timing/memory_path.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpglass::emulator {

namespace {

// What a sector costs of which so much is not written, in parts of one of which next to nothing is. A half: streams_putrows4;
// an eighth: scatter; none: streams_put4.
double partOf(double missing) {
    return missing < 0.5 ? 0.37 + 0.4 * missing : 0.57 + 0.67 * (missing - 0.5);
}

// The same of one that has been written before, by how many bytes all SMs write again and again. An H200's L2 takes 4.8 TB/s of
// what is new; of 1 to 2 MB that are written 128 to 512 times 3.1 to 3.5, of 4 to 16 MB 3.7 to 4.1, of 33 MB 4.3
// (h200-micro.csv, rewrite/*).
double againOf(double bytes) {
    constexpr double megabyte = 1024.0 * 1024;
    return bytes <= 3 * megabyte ? 1.45 : bytes <= 24 * megabyte ? 1.25 : 1.12;
}

} // namespace

std::int64_t MemoryPath::store(std::int64_t start, const AccessSummary& access, std::uint32_t sectors, bool wasteless,
                               std::uint32_t block, LimitSet without) {
    const bool complete = wasteless || access.bytesDistinct >= 32 * sectors;
    const double share = wasteless ? double(access.bytesDistinct) / (32.0 * sectors) : 1; // of the sectors that moves
    m_totals.storeSectors += sectors;
    double cycles = share * sectors * m_storeCycles, first = 0, again = 0;
    const double part =
        std::max(m_storeCycles, m_partCycles * partOf(1 - double(access.bytesDistinct) / (32.0 * sectors)));
    for (const Part& p : m_parts) {
        if (!without.has(Limit::Atomics))
            storeTo(start, p, m_own.contains(p.line * 4 + std::uint64_t(std::countr_zero(p.sectors))), block);
        for (std::uint32_t s = 0; s < 4; ++s) {
            if (!(p.sectors >> s & 1))
                continue;
            const std::uint64_t sector = p.line * 4 + s;
            if (complete && m_written.contains(sector)) {
                again += 1;
            } else if (complete) {
                m_written.add(sector);
                first += 1;
            }
            if (m_own.contains(sector))
                continue;
            tell(sector);
            if (complete) {
                m_own.add(sector);
                if (!m_around.had.empty() && !warm(sector))
                    comes(1);
                continue;
            }
            cycles += part - m_storeCycles; // L2 has to keep a part of a sector
            if (m_fillCycles > 0 && !m_part.contains(sector)) {
                m_part.add(sector);
                cycles += !m_around.touched || m_around.touched->first(sector) >= block ? m_fillCycles : 0;
            }
        }
    }
    if (again > 0)
        cycles += share * again * m_storeCycles *
                  (againOf(32.0 * double(m_written.size()) * std::max(1u, m_around.activeSms)) - 1);
    m_l2 = std::max(m_l2, double(start)) + cycles;
    // L2 writes out what is complete as soon as it comes, though it keeps it, too (streams_*: who writes 4 MB takes as long for
    // each as who writes 192); of what is written again only what has no room.
    const double toDram = share * (first * m_around.firstStores + (sectors - first) * m_around.dramStores);
    m_totals.dramStoreSectors += std::uint64_t(toDram);
    m_dram = std::max(m_dram, double(start)) + toDram * m_dramCycles;
    work(m_dram, toDram * m_dramCycles, true);
    const double waiting =
        std::max({m_l2, m_dram, m_queues.stores}) - m_timing.storeBuffer; // writes back up into the SM
    m_lsu = std::max(m_lsu, std::int64_t(waiting));
    return m_lsu;
}

} // namespace warpglass::emulator
