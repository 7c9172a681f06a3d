// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/memory_path.h"
#include "gpu/emulator/access/local_access.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpglass::emulator {

double MemoryPath::spread(const DeviceTiming::Spread& of, std::uint64_t sector) {
    // 512 bytes are alike. By the golden ratio: addresses that lie evenly see all of the spread.
    return DeviceTiming::quantile(of, double((sector >> 4) * 0x9e3779b97f4a7c15ull >> 40) / double(1 << 24));
}

// A page of 4 KB lies in one half of L2; neighbouring SMs stand at different ones.
std::int64_t MemoryPath::farther(std::uint64_t line) const {
    const std::uint64_t mixed = (line >> 5) * 0x9e3779b97f4a7c15ull >> 63;
    return (mixed ^ m_around.sm) & 1 ? m_timing.l2Far : 0;
}

MemoryPath::Moved MemoryPath::moved(std::int64_t at, L1::Line& line, std::uint8_t missing, const AccessSummary& access,
                                    const LaneAddresses& addresses) {
    const WantedLines::Bytes wanted = WantedLines::bytesOf(line.tag, access, addresses);
    Moved moved{};
    for (std::size_t s = 0; s < 4; ++s) {
        const std::uint64_t bytes = (wanted[s / 2] & ~line.asked[s / 2]) >> s % 2 * 32 & 0xffffffff;
        moved[s] = std::popcount(bytes) / 32.0;
        if (moved[s] == 0 || missing >> s & 1)
            continue;
        m_l2.take(double(at), moved[s]);
        m_port.take(double(at), moved[s]);
        if (line.dram >> s & 1) {
            m_dram.take(double(at), moved[s]);
            m_dram.works(double(at), moved[s], false);
        }
    }
    line.asked[0] |= wanted[0];
    line.asked[1] |= wanted[1];
    return moved;
}

// A sector from DRAM, and with it the other half of its 64 bytes, if that is new. So many SMs want it, each of which bears a part.
// Returns when DRAM begins with it.
double MemoryPath::fromDram(const Fetch& of, double t, std::uint32_t s, double sms) {
    const std::uint64_t sector = of.line * 4 + s;
    const bool both = m_holdings.bringsNeighbour(sector, of.block);
    if (of.dram)
        *of.dram = std::uint8_t(*of.dram | 1u << s | (both ? 1u << (s ^ 1) : 0u));
    double moved = of.moved[s];
    if (both) // what nobody asks for does not move where only bytes do that were asked for
        moved += of.exact ? (of.sectors >> (s ^ 1) & 1 ? of.moved[s ^ 1] : 0) : 1;
    m_totals.dramSectors += (both ? 2 : 1) / sms;
    m_holdings.comes((both ? 2 : 1) / sms);
    const bool alone = (of.sectors & (s < 2 ? 0b1100 : 0b0011)) == 0; // the line's other 64 bytes are not wanted
    if (m_dram.opensPage(of.at, sector) && alone && !of.exact)
        moved *= m_timing.dramPageShare;
    const double back = m_timing.dramWritesBack * m_holdings.unwritten();
    t = m_dram.take(t, (1 + back) * moved / sms, of.bulk);
    m_dram.works(t, moved / sms, false);
    if (back > 0)
        m_dram.works(t, back * moved / sms, true);
    return t;
}

// Returns when the last of the sectors is there.
std::int64_t MemoryPath::fetch(const Fetch& of) {
    double done = 0, asked = 0;
    for (std::uint32_t s = 0; s < 4; ++s) {
        if (!(of.sectors >> s & 1))
            continue;
        using From = L2Holdings::From;
        const std::uint64_t sector = of.line * 4 + s;
        m_totals.l2Sectors += 1;
        asked += of.moved[s];
        const L2Holdings::Found found = m_holdings.from(sector, of.block, of.position, of.before);
        const From where = found.where;
        double t = !of.bulk ? m_l2.take(double(of.at), of.moved[s])
                            : m_l2.takeBulk(double(of.at), of.moved[s],
                                            where == From::Others ? m_timing.bulkSharedL2Share : m_timing.bulkL2Share);
        double latency = m_timing.l2;
        if (where == From::Dram && of.misses) {
            t = fromDram(of, t, s, found.sms);
            latency = m_timing.dram + spread(m_timing.dramSpread, sector) + m_dram.loaded();
            latency = std::max<double>(m_timing.l2, latency - found.blocks * m_timing.blockInterval);
            m_holdings.comesAt(sector, t + latency);
        } else if (where != From::Own) {
            done = std::max(done, m_holdings.comesAt(sector)); // another SM's, on its way
            latency += spread(where == From::Copied ? m_timing.copiedSpread : m_timing.l2Spread, sector);
        }
        if (!of.bulk) // which has a way and a rate of its own
            t = m_port.take(t, of.moved[s]);
        done = std::max(done, t + latency);
    }
    if (!of.bulk && !of.exact) {
        m_l2.fillUp(asked);
        m_port.fillUp(asked);
    }
    return std::int64_t(std::ceil(done));
}

std::int64_t MemoryPath::global(std::int64_t now, const AccessSummary& access, const LaneAddresses& addresses,
                                std::uint32_t block, std::uint32_t position, bool strong, AtomicKind kind,
                                LimitSet without) {
    m_wanted.take(access, addresses);
    const std::uint32_t sectors = m_wanted.sectors();
    const std::size_t parts = m_wanted.parts().size();
    const bool exact = without.has(Limit::Coalescing), wasteless = exact && access.bytesDistinct < 32 * sectors;
    const bool complete = wasteless || access.bytesDistinct >= 32 * sectors;
    const double share = wasteless ? double(access.bytesDistinct) / (32.0 * sectors) : 1; // of the sectors that moves
    const std::size_t lines = wasteless ? (access.bytesDistinct + 127) / 128 : parts;
    double cost = std::max(double(lines) / m_timing.loadLinesPerCycle, share * sectors / m_timing.sectorsPerCycle);
    if (access.kind == AccessKind::Load && !wasteless && !without.has(Limit::Bandwidth))
        cost = std::max({cost, double(m_wanted.bankWords()), access.bytes / 4.0}); // a register of the warp a cycle
    if (access.kind == AccessKind::Store)
        cost = std::max(m_timing.storeCycles,
                        share * sectors * (complete ? m_timing.storeSectorCycles : m_timing.storePartCycles));
    else if (access.kind == AccessKind::Atomic)
        cost = std::max(m_timing.storeCycles, share * sectors * m_timing.atomicSectorCycles);
    const auto service = std::int64_t(std::ceil(cost));
    m_passed = access.kind == AccessKind::Load ? service : 0;
    const std::int64_t turn = std::max<std::int64_t>(1, service) - spared();
    if (access.kind == AccessKind::Atomic) {
        const std::int64_t start = m_data.take(Pipe::Lsu, now, turn);
        const double done =
            m_atomics.global(start, m_wanted, access, addresses, block, kind, !without.has(Limit::Atomics), m_holdings);
        for (std::uint32_t four = 0; four < sectors; four += 4)
            m_data.holdUp(Pipe::Lsu, m_atomics.underWay(std::int64_t(done)));
        std::int64_t far = 0;
        if (strong)
            for (const LinePart& part : m_wanted.parts())
                far = std::max(far, farther(part.line));
        return std::int64_t(std::ceil(done)) + m_timing.atomicL2 + far;
    }
    if (access.kind == AccessKind::Store)
        return store(m_data.take(Pipe::Lsu, now, turn), access, sectors, wasteless, block, without);
    const std::int64_t start = m_data.takeWords(Pipe::Lsu, now, turn);
    m_totals.l1Sectors += sectors;
    const auto last = std::int64_t(lines) - 1;   // cycles behind the start in which the last line is looked up
    if (without.has(Limit::L1Misses) && !strong) // what goes past L1 on purpose does not miss it
        return parts == 0 ? 0 : start + std::min(std::int64_t(parts) - 1, last) + m_timing.l1;
    std::int64_t ready = 0, k = 0;
    for (const LinePart& p : m_wanted.parts()) {
        const std::int64_t at = start + std::min(k++, last);
        L1::Line& line = m_l1.lookUp(p.line);
        if (strong)
            line.valid = std::uint8_t(line.valid & ~p.sectors);
        const auto missing = std::uint8_t(p.sectors & ~line.valid);
        std::int64_t here = at + m_timing.l1;
        if (p.sectors & line.valid)
            here = std::max(here, line.ready);
        const Moved part = exact ? moved(at, line, missing, access, addresses) : whole;
        if (missing) {
            const std::int64_t fetched = fetch(
                {at, p.line, missing, block, position, part, exact, !without.has(Limit::L2Misses), false, &line.dram});
            line.ready = std::max(line.ready, fetched);
            line.valid |= missing;
            here = std::max(here, fetched);
        }
        m_totals.l1Hits += std::uint64_t(std::popcount(std::uint8_t(p.sectors & ~missing)));
        ready = std::max(ready, here);
    }
    return ready;
}

std::int64_t MemoryPath::local(std::int64_t now, const AccessSummary& access, const LaneAddresses& addresses,
                               std::uint32_t warp, std::uint32_t block, std::uint32_t position, LimitSet without) {
    constexpr std::uint64_t apart = std::uint64_t(1) << 32; // of two warps' memory, far behind all other
    const std::uint64_t base = (std::uint64_t(1) << 60) + warp * apart;
    AccessSummary word = access;
    const std::uint32_t words = std::max(1u, (access.bytes + 3) / 4);
    word.bytes = std::min(access.bytes, 4u);
    word.bytesDistinct = access.bytesDistinct / words;
    std::array<std::uint64_t, 32> physical{};
    std::int64_t done = now;
    for (std::uint32_t k = 0; k < words; ++k) {
        for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
            const auto lane = std::size_t(std::countr_zero(m));
            physical[lane] = base + LocalMemory::placeOf((addresses[lane] & 0xffff'ffff) + 4 * k, int(lane));
        }
        done = std::max(done, global(now, word, physical, block, position, false, {}, without));
        if (access.kind != AccessKind::Store || without.has(Limit::L1Misses))
            continue;
        for (const LinePart& p : m_wanted.parts())
            m_l1.lookUp(p.line).valid |= p.sectors;
    }
    return done;
}

std::int64_t MemoryPath::store(std::int64_t start, const AccessSummary& access, std::uint32_t sectors, bool wasteless,
                               std::uint32_t block, LimitSet without) {
    const bool complete = wasteless || access.bytesDistinct >= 32 * sectors;
    const double share = wasteless ? double(access.bytesDistinct) / (32.0 * sectors) : 1; // of the sectors that moves
    m_totals.storeSectors += sectors;
    double cycles = share * sectors * m_l2.storeCycles(), first = 0, again = 0;
    const double part = m_l2.partCycles(1 - double(access.bytesDistinct) / (32.0 * sectors));
    for (const LinePart& p : m_wanted.parts()) {
        if (!without.has(Limit::Atomics))
            m_atomics.store(start, p, m_holdings.has(p.line * 4 + std::uint64_t(std::countr_zero(p.sectors))), block);
        for (std::uint32_t s = 0; s < 4; ++s) {
            if (!(p.sectors >> s & 1))
                continue;
            const std::uint64_t sector = p.line * 4 + s;
            if (complete)
                (m_holdings.writes(sector) ? first : again) += 1;
            if (m_holdings.has(sector))
                continue;
            m_holdings.tell(sector);
            if (complete) {
                m_holdings.takesPlace(sector);
                continue;
            }
            cycles += part - m_l2.storeCycles(); // L2 has to keep a part of a sector
            if (m_l2.fillCycles() > 0 && m_holdings.firstPart(sector, block))
                cycles += m_l2.fillCycles();
        }
    }
    if (again > 0)
        cycles += share * again * m_l2.storeCycles() * (DeviceTiming::writtenAgain(m_holdings.writtenByAll()) - 1);
    const std::size_t lines = wasteless ? (access.bytesDistinct + 127) / 128 : m_wanted.parts().size();
    m_l2.write(double(start), std::max(cycles, double(lines) * m_l2.storeLineCycles()));
    if (complete)
        m_written = m_l2.free();
    for (const LinePart& p : m_wanted.parts())
        m_halves = std::uint8_t(m_halves | 1u << (farther(p.line) > 0));
    // L2 writes out what is complete as soon as it comes, though it keeps it, too (streams_*: who writes 4 MB takes as long for
    // each as who writes 192); of what is written again only what has no room.
    const double toDram = share * (first * m_around.firstStores + (sectors - first) * m_around.dramStores);
    m_totals.dramStoreSectors += std::uint64_t(toDram);
    m_dram.write(double(start), toDram);
    m_dram.works(m_dram.free(), toDram, true);
    const double waiting = std::max({m_l2.free(), m_dram.free(), m_atomics.storesDone()}) - m_timing.storeBuffer;
    m_data.holdUp(Pipe::Lsu, std::int64_t(waiting)); // writes back up into the SM
    return m_data.end(Pipe::Lsu);
}

std::int64_t MemoryPath::texture(std::int64_t now, const AccessSummary& access) {
    m_passed = 1;
    const std::int64_t start = m_data.take(Pipe::Lsu, now, std::max(1u, access.lines));
    return access.kind == AccessKind::Store ? m_data.end(Pipe::Lsu) : start + m_timing.l1;
}

std::int64_t MemoryPath::constant(std::int64_t now, const AccessSummary& access, const LaneAddresses& addresses,
                                  LimitSet without) {
    m_passed = 1;
    return without.has(Limit::Bandwidth) ? now + m_timing.constant
                                         : m_constants.load(now, access, addresses, !without.has(Limit::L1Misses));
}

std::int64_t MemoryPath::shared(std::int64_t now, const AccessSummary& access, const LaneAddresses& addresses,
                                std::uint32_t block, AtomicKind kind, LimitSet without) {
    std::int64_t passes = std::max(1u, without.has(Limit::Conflicts) ? access.idealPasses : access.passes);
    if (without.has(Limit::Bandwidth))
        passes = 1;
    const bool queues = access.kind == AccessKind::Atomic && !without.has(Limit::Atomics);
    const std::int64_t most = queues ? AtomicUnits::lanesAtOneWord(access, addresses) : 1;
    if (queues && !kind.loops && !kind.counts) // lanes at one word, one after the other
        passes = std::max(passes, most);
    m_passed = passes;
    const std::int64_t start = m_data.takeWords(Pipe::Mio, now, passes - spared());
    if (access.kind == AccessKind::Store)
        return m_data.end(Pipe::Mio);
    const std::int64_t served = start + 2 * (passes - 1);
    if (access.kind != AccessKind::Atomic)
        return served + m_timing.shared;
    return kind.loops && queues ? m_atomics.swaps(start, access, addresses, most, block)
                                : served + m_timing.atomicShared;
}

std::int64_t MemoryPath::bulk(std::int64_t now, std::uint64_t address, std::uint32_t bytes, bool store,
                              std::uint32_t block, std::uint32_t position, std::uint64_t before) {
    std::int64_t done = now;
    m_copies.begin(now);
    for (std::uint64_t line = address / 128; line <= (address + bytes - 1) / 128; ++line) {
        std::uint8_t sectors = 0;
        for (std::uint64_t s = 0; s < 4; ++s)
            if (line * 128 + s * 32 < address + bytes && line * 128 + (s + 1) * 32 > address)
                sectors = std::uint8_t(sectors | 1u << s);
        const int count = std::popcount(sectors);
        if (store) {
            m_totals.storeSectors += std::uint64_t(count);
            m_l2.write(m_copies.free(), count * m_l2.storeCycles());
            m_dram.write(m_copies.free(), count * m_around.firstStores);
            done = std::max(done, std::int64_t(std::ceil(std::max(m_l2.free(), m_dram.free()))) + m_timing.l2);
        } else {
            done = std::max(done, fetch({std::int64_t(m_copies.free()), line, sectors, block, position, whole, false,
                                         true, true, nullptr, before}));
        }
        m_copies.take(count * 32, store);
    }
    return done;
}

std::int64_t MemoryPath::betweenSms(std::int64_t now, std::uint32_t bytes, std::size_t blocks) {
    return std::int64_t(std::ceil(m_copies.betweenSms(now + m_timing.bulkStart, bytes))) + m_timing.clusterOther.load +
           (blocks > 2 ? m_timing.clusterFar : 0);
}

std::int64_t MemoryPath::ofCluster(std::int64_t now, const AccessSummary& access, bool other, std::size_t blocks) {
    const std::int64_t passes = std::max(1u, access.passes);
    m_passed = passes;
    const std::int64_t start = m_data.takeWords(Pipe::Mio, now, passes);
    std::int64_t served = start + 2 * (passes - 1);
    if (other) { // who asks faster than the network takes waits at the queue
        served =
            std::max(served, std::int64_t(m_copies.betweenSms(start, double(access.bytes) * access.active.count())));
        m_data.holdUp(Pipe::Mio, served);
    }
    if (access.kind == AccessKind::Store)
        return served;
    const DeviceTiming::ClusterAccess& latency = other ? m_timing.clusterOther : m_timing.clusterOwn;
    return served + (access.kind == AccessKind::Atomic ? latency.atomic : latency.load) +
           (other && blocks > 2 ? m_timing.clusterFar : 0);
}

std::int64_t MemoryPath::arrival(std::int64_t now) {
    return m_data.take(Pipe::Mio, now, m_timing.mbarrierTurn) + m_timing.mbarrier;
}

std::int64_t MemoryPath::shuffle(std::int64_t now) {
    m_passed = 1;
    return m_data.take(Pipe::Mio, now, 1) + m_timing.shuffle;
}

std::int64_t MemoryPath::match(std::int64_t now, std::uint32_t values) {
    m_passed = 1;
    return std::int64_t(m_matches.take(double(m_data.take(Pipe::Mio, now, 1)), values)) + m_timing.vote;
}

std::int64_t MemoryPath::unwanted(std::int64_t now, Pipe pipe) {
    m_passed = 1;
    const std::int64_t start = m_data.take(pipe, now, 1);
    m_data.holdUp(Pipe::Lsu, m_data.end(pipe)); // one data store serves both
    return start + m_timing.shared;
}

} // namespace warpglass::emulator
