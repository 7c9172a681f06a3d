// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/memory_path.h"
#include "gpu/emulator/access/local_access.h"
#include "gpu/emulator/code/bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpglass::emulator {

namespace {
constexpr std::uint64_t ways = 8;
// Sectors that L2 takes for each that it gives (h200-micro.csv, streams_put4, streams_getrows4 again).
constexpr double l2Stores = 0.64;
// Of the unit for bulk copies: from the instruction to its first request, and bytes a cycle (bulk/from:l2/bytes:16 and
// bytes:32768 of tests/timing/h200-micro.csv, one copy and four under way).
constexpr std::int64_t bulkStart = 100;
constexpr double bulkBytes = 98, bulkStoreBytes = 32; // loads, stores
// What its sectors take of L2, of what a load's take: they are asked for in whole lines. Those that other SMs want, too,
// come from the nearer half (bulk/from:l2/bytes:32768/flying:4/sms:132, from:l2_same, tensor copies of one matrix by all).
constexpr double bulkL2 = 0.83, bulkSharedL2 = 0.57;
// Between the SMs of a cluster: 180 to 190 cycles were measured on an H100 (Luo et al., "Benchmarking and Dissecting the
// Nvidia Hopper GPU Architecture via Microbenchmarking", 2024), and about a line every four cycles an SM.
constexpr std::int64_t networkLatency = 180;
constexpr std::uint32_t networkBytes = 32; // a cycle
// Of DRAM: who asks for the same page again within this time finds it open.
constexpr std::uint64_t pageSectors = 32;
constexpr std::int64_t pageOpen = 500; // cycles
} // namespace

MemoryPath::MemoryPath(const DeviceTiming& timing, const Surroundings& around)
    : m_timing(timing), m_around(around), m_queue(timing.queue),
      m_queues(around.together ? *around.together : m_ownQueues) {
    std::uint64_t touched = 0;
    for (const L2Piece& p : around.had)
        touched += p.copied ? 0 : p.at.end - p.at.begin;
    m_room = {double(L2Contents::room(around.l2Bytes)), double(L2Contents::roomOfCopies(around.l2Bytes, touched))};
    const double active = std::max(1u, around.activeSms);
    m_l2Cycles = 32 / (timing.l2GBs / around.cyclesPerNs / active);
    m_dramCycles = 32 / (timing.dramGBs / around.cyclesPerNs / active);
    m_portCycles = 32 / timing.l2BytesPerCycle;
    m_storeCycles = std::max(m_l2Cycles / l2Stores, m_portCycles);
    m_l2Cycles = std::max(m_l2Cycles, m_portCycles);
    m_dramCycles = std::max(m_dramCycles, m_portCycles);
    m_requestCycles = std::max(timing.portRequestCycles, around.cyclesPerNs * active / timing.l2RequestsPerNs);
    m_partCycles = std::max(m_portCycles, around.cyclesPerNs * active / timing.partialWritesPerNs);
    m_fillCycles = around.partFills * around.cyclesPerNs * active / timing.partFillsPerNs;
    const std::uint64_t bytes =
        std::max<std::uint64_t>(16 * 1024, timing.l1Bytes - std::min(timing.l1Bytes, around.sharedBytes));
    m_sets = std::max<std::uint64_t>(1, bytes / 128 / ways);
    m_lines.resize(m_sets * ways);
    m_parts.reserve(64);
}

namespace {
// Whether the lanes take all bytes from the first one's address on, each its own, as they nearly always do.
bool isOneStretch(const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses) {
    const std::uint32_t lanes = access.active.bits;
    const std::uint64_t bytes = access.bytesDistinct;
    if (bytes == 0 || bytes != std::uint64_t(access.bytes) * std::uint32_t(std::popcount(lanes)))
        return false;
    const std::uint64_t first = addresses[std::size_t(std::countr_zero(lanes))], last = bytes - access.bytes;
    if (lanes != ~0u) {
        for (std::uint32_t m = lanes; m; m &= m - 1)
            if (addresses[std::size_t(std::countr_zero(m))] - first > last)
                return false;
        return true;
    }
    std::uint64_t outside = 0; // below or above: a sign bit, without a branch
    for (const std::uint64_t address : addresses)
        outside |= (address - first) | (last - (address - first));
    return outside >> 63 == 0;
}
} // namespace

void MemoryPath::coalesce(const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses) {
    m_parts.clear();
    if (isOneStretch(access, addresses)) {
        const std::uint64_t first = addresses[std::size_t(std::countr_zero(access.active.bits))],
                            end = first + access.bytesDistinct;
        for (std::uint64_t line = first / 128; line * 128 < end; ++line) {
            const std::uint64_t from = std::max(first, line * 128) % 128,
                                to = std::min(end - line * 128, std::uint64_t(128));
            const auto bits = [](std::uint64_t low, std::uint64_t high) { // low to high, high too
                return std::uint32_t((std::uint64_t(2) << high) - (std::uint64_t(1) << low));
            };
            m_parts.push_back({line, std::uint8_t(bits(from / 32, (to - 1) / 32)), bits(from / 4, (to - 1) / 4)});
        }
        return;
    }
    std::size_t last = 0;
    for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
        const std::uint64_t address = addresses[std::size_t(std::countr_zero(m))];
        // Counted, not compared with an end: a wild address may be the last there is.
        const std::uint64_t sectors = access.bytes == 0 ? 0 : (address % 32 + access.bytes - 1) / 32 + 1;
        for (std::uint64_t sector = address / 32, k = 0; k < sectors; ++sector, ++k) {
            const std::uint64_t line = sector / 4;
            const auto bit = std::uint8_t(1u << (sector & 3));
            const std::uint64_t from = std::max(address, sector * 32),
                                to = std::min(address + access.bytes, sector * 32 + 32);
            std::uint32_t words = 0;
            for (std::uint64_t word = from / 4; word * 4 < to; ++word)
                words |= 1u << (word & 31);
            if (last >= m_parts.size() || m_parts[last].line != line) {
                last = 0;
                while (last < m_parts.size() && m_parts[last].line != line)
                    ++last;
                if (last == m_parts.size())
                    m_parts.push_back({line, 0});
            }
            m_parts[last].sectors |= bit;
            m_parts[last].words |= words;
        }
    }
}

std::uint32_t MemoryPath::bankWords() const {
    std::array<std::uint32_t, 32> words{}; // [bank]
    if (m_parts.size() == 1)
        return 1;
    for (const Part& part : m_parts)
        for (std::uint32_t m = part.words; m; m &= m - 1)
            ++words[std::size_t(std::countr_zero(m))];
    return *std::max_element(words.begin(), words.end());
}

MemoryPath::Line& MemoryPath::lookUp(std::uint64_t line) {
    Line* const set = &m_lines[(line * 0x9e3779b97f4a7c15ull >> 24) % m_sets * ways];
    Line* oldest = set;
    for (Line* l = set; l != set + ways; ++l) {
        if (l->tag == line) {
            l->used = ++m_clock;
            return *l;
        }
        if (l->used < oldest->used)
            oldest = l;
    }
    *oldest = {.tag = line, .used = ++m_clock};
    return *oldest;
}

const L2Piece* MemoryPath::warm(std::uint64_t sector) {
    const std::uint64_t at = sector * 32;
    if (!m_piece || at - m_piece->at.begin >= m_piece->at.end - m_piece->at.begin) {
        const auto next = std::upper_bound(m_around.had.begin(), m_around.had.end(), at,
                                           [](std::uint64_t a, const L2Piece& p) { return a < p.at.begin; });
        if (next == m_around.had.begin() || at >= next[-1].at.end)
            return nullptr;
        m_piece = &next[-1];
    }
    const L2Piece& p = *m_piece;
    const double share = double(at - p.at.begin) / double(p.at.end - p.at.begin);
    const double since = double(p.oldest) - double(p.oldest - p.newest) * share;
    return since + m_come < m_room[p.copied] ? &p : nullptr;
}

// What comes takes the place of what has lain there longest.
void MemoryPath::comes(std::uint32_t sectors) {
    m_come += 32.0 * sectors * std::max(1u, m_around.activeSms);
}

// A sector comes from DRAM when the SM's own blocks have not had it, no earlier block has either, and L2 did not hold it
// when the launch began. Beyond what the table could hold, of the lines that an instruction wants as many come from there
// as did before, each as a whole.
MemoryPath::From MemoryPath::from(std::uint64_t sector, std::uint32_t block, std::uint32_t position) {
    if (position >= m_shares.size())
        m_shares.resize(position + 1);
    Share& share = m_shares[position];
    if (m_own.contains(sector))
        return From::Own;
    m_own.add(sector);
    const TouchTable* const table = m_around.touched;
    const std::uint32_t other = table ? table->first(sector) : ~0u;
    const L2Piece* const piece = m_around.had.empty() ? nullptr : this->warm(sector);
    const bool warm = piece != nullptr;
    const bool another = !warm && share.line != sector / 4;
    if (another) {
        share.line = sector / 4;
        share.lineFromDram = false;
    }
    if (other == ~0u && !warm && table && table->full() && share.lines >= 16) {
        if (another) {
            share.owed += double(share.dram) / double(share.lines);
            share.lineFromDram = share.owed >= 1;
            share.owed -= share.lineFromDram ? 1 : 0;
        }
        return share.lineFromDram ? From::Dram : From::Others;
    }
    bool dram = (other == ~0u || block < other) && !warm;
    if (!dram && other < block && m_around.l2Bytes > 0) { // fetched so long ago that L2 has lost it again
        const std::uint64_t waves = (block - other) / std::max<std::uint64_t>(1, m_around.waveBlocks);
        dram = waves > 1 && waves * table->sectors() * 32 > 2 * m_around.l2Bytes;
    }
    tell(sector);
    if (!warm) {
        share.lines += another;
        share.dram += dram && !share.lineFromDram;
        share.lineFromDram = share.lineFromDram || dram;
    }
    return dram ? From::Dram : warm && piece->copied && block <= other ? From::Copied : From::Others;
}

void MemoryPath::tell(std::uint64_t sector) {
    if (!m_around.together || !m_around.touched)
        return;
    m_around.touched->makeRoom(1); // these SMs take turns
    m_around.touched->add(sector, 0);
}

double MemoryPath::spread(const DeviceTiming::Spread& of, std::uint64_t sector) {
    // 512 bytes are alike. By the golden ratio: addresses that lie evenly see all of the spread.
    return quantile(of, double((sector >> 4) * 0x9e3779b97f4a7c15ull >> 40) / double(1 << 24));
}

double MemoryPath::quantile(const DeviceTiming::Spread& of, double at) {
    const auto& knots = DeviceTiming::spreadAt;
    std::size_t k = 1;
    while (k + 1 < knots.size() && at > knots[k])
        ++k;
    return of[k - 1] + (of[k] - of[k - 1]) * (at - knots[k - 1]) / (knots[k] - knots[k - 1]);
}

bool MemoryPath::opensPage(std::int64_t at, std::uint64_t sector) {
    const std::uint64_t number = sector / pageSectors;
    Page& page = m_pages[(number * 0x9e3779b97f4a7c15ull >> 32) % m_pages.size()];
    const bool opens = page.number != number || at - page.used > pageOpen;
    page = {number, at};
    return opens;
}

void MemoryPath::work(double at, double cycles, bool writes) {
    constexpr double memory = 2000; // cycles
    if (at > m_busySince) {
        const double kept = std::exp((m_busySince - at) / memory);
        m_busy *= kept;
        m_writing *= kept;
        m_busySince = at;
    }
    m_busy += cycles / memory;
    if (writes)
        m_writing += cycles / memory;
}

double MemoryPath::loaded() const {
    if (m_busy <= 0)
        return 0;
    const double written = m_writing / m_busy;
    constexpr double idle = 0.35; // as busy as that, it still answers at once (batch_*: 132 SMs with few warps)
    return std::clamp((m_busy - idle) / (1 - idle), 0.0, 1.0) *
           (m_timing.dramLoaded + m_timing.dramMixed * 4 * written * (1 - written));
}

MemoryPath::Bytes MemoryPath::bytesOf(std::uint64_t line, const AccessSummary& access,
                                      const std::array<std::uint64_t, 32>& addresses) {
    Bytes bytes{};
    for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
        const std::uint64_t address = addresses[std::size_t(std::countr_zero(m))];
        for (std::uint64_t b = 0; b < access.bytes; ++b)
            if ((address + b) / 128 == line)
                bytes[(address + b) % 128 / 64] |= std::uint64_t(1) << (address + b) % 64;
    }
    return bytes;
}

MemoryPath::Moved MemoryPath::moved(std::int64_t at, Line& line, std::uint8_t missing, const AccessSummary& access,
                                    const std::array<std::uint64_t, 32>& addresses) {
    const Bytes wanted = bytesOf(line.tag, access, addresses);
    Moved moved{};
    for (std::size_t s = 0; s < 4; ++s) {
        const std::uint64_t bytes = (wanted[s / 2] & ~line.asked[s / 2]) >> s % 2 * 32 & 0xffffffff;
        moved[s] = std::popcount(bytes) / 32.0;
        if (moved[s] == 0 || missing >> s & 1)
            continue;
        m_l2 = std::max(double(at), m_l2) + moved[s] * m_l2Cycles;
        m_port = std::max(double(at), m_port) + moved[s] * m_portCycles;
        if (line.dram >> s & 1) {
            m_dram = std::max(double(at), m_dram) + moved[s] * m_dramCycles;
            work(double(at), moved[s] * m_dramCycles, false);
        }
    }
    line.asked[0] |= wanted[0];
    line.asked[1] |= wanted[1];
    return moved;
}

std::int64_t MemoryPath::fetch(std::int64_t at, std::uint64_t line, std::uint8_t sectors, std::uint32_t block,
                               std::uint32_t position, LimitSet without, const Moved& moved, std::uint8_t* dram,
                               bool bulk) {
    double done = 0, asked = 0;
    for (std::uint32_t s = 0; s < 4; ++s) {
        if (!(sectors >> s & 1))
            continue;
        m_totals.l2Sectors += 1;
        asked += moved[s];
        double t = std::max(double(at), m_l2);
        double latency = m_timing.l2;
        const From where = from(line * 4 + s, block, position);
        m_l2 = t + moved[s] * m_l2Cycles * (!bulk ? 1 : where == From::Others ? bulkSharedL2 : bulkL2);
        if (where != From::Own)
            latency += spread(where == From::Copied ? m_timing.copiedSpread : m_timing.l2Spread, line * 4 + s);
        if (where == From::Dram && !without.has(Limit::L2Misses)) {
            // DRAM gives 64 bytes: the neighbour is in L2 from now on, wanted or not.
            const std::uint64_t neighbour = line * 4 + (s ^ 1);
            const bool both =
                !m_own.contains(neighbour) && (!m_around.touched || m_around.touched->first(neighbour) >= block);
            if (both) {
                m_own.add(neighbour);
                tell(neighbour);
            }
            if (dram)
                *dram = std::uint8_t(*dram | 1u << s | (both ? 1u << (s ^ 1) : 0u));
            double sectorsMoved = moved[s];
            if (both) // what nobody asks for does not move without Limit::Coalescing
                sectorsMoved += without.has(Limit::Coalescing) ? (sectors >> (s ^ 1) & 1 ? moved[s ^ 1] : 0) : 1;
            m_totals.dramSectors += both ? 2 : 1;
            comes(both ? 2 : 1);
            t = std::max(t, m_dram);
            const bool alone = (sectors & (s < 2 ? 0b1100 : 0b0011)) == 0; // the line's other 64 bytes are not wanted
            if (opensPage(at, line * 4 + s) && alone && !without.has(Limit::Coalescing))
                sectorsMoved *= m_timing.dramPageShare;
            m_dram = t + sectorsMoved * m_dramCycles;
            work(t, sectorsMoved * m_dramCycles, false);
            latency = m_timing.dram + spread(m_timing.dramSpread, line * 4 + s) + loaded();
        }
        if (!bulk) { // which has a way and a rate of its own
            t = std::max(t, m_port);
            m_port = t + moved[s] * m_portCycles;
        }
        done = std::max(done, t + latency);
    }
    if (!bulk && !without.has(Limit::Coalescing)) { // a request is a request
        m_l2 += std::max(0.0, m_requestCycles - asked * m_l2Cycles);
        m_port += std::max(0.0, m_timing.portRequestCycles - asked * m_portCycles);
    }
    return std::int64_t(std::ceil(done));
}

std::int64_t MemoryPath::global(std::int64_t now, const AccessSummary& access,
                                const std::array<std::uint64_t, 32>& addresses, std::uint32_t block,
                                std::uint32_t position, bool strong, AtomicKind kind, LimitSet without) {
    coalesce(access, addresses);
    std::uint32_t sectors = 0;
    for (const Part& p : m_parts)
        sectors += std::uint32_t(std::popcount(p.sectors));
    const bool wasteless = without.has(Limit::Coalescing) && access.bytesDistinct < 32 * sectors;
    const bool complete = wasteless || access.bytesDistinct >= 32 * sectors;
    const double share = wasteless ? double(access.bytesDistinct) / (32.0 * sectors) : 1; // of the sectors that moves
    const std::size_t lines = wasteless ? (access.bytesDistinct + 127) / 128 : m_parts.size();
    double cost = std::max(double(lines) / m_timing.loadLinesPerCycle, share * sectors / m_timing.sectorsPerCycle);
    if (access.kind == AccessKind::Load && !wasteless && !without.has(Limit::Bandwidth))
        cost = std::max({cost, double(bankWords()), access.bytes / 4.0}); // a register of the warp a cycle
    if (access.kind == AccessKind::Store)
        cost = std::max(m_timing.storeCycles,
                        share * sectors * (complete ? m_timing.storeSectorCycles : m_timing.storePartCycles));
    else if (access.kind == AccessKind::Atomic)
        cost = std::max(m_timing.storeCycles, share * sectors * m_timing.atomicSectorCycles);
    const auto service = std::int64_t(std::ceil(cost));
    m_passed = access.kind == AccessKind::Load ? service : 0;
    const std::int64_t start = std::max(now, m_lsu);
    m_lsu = start + std::max<std::int64_t>(1, service) - (without.has(Limit::Issue) ? 1 : 0);
    if (access.kind == AccessKind::Load)
        m_mio = std::max(m_mio, m_lsu); // one data store serves both
    if (access.kind == AccessKind::Atomic)
        return atomics(start, access, addresses, block, kind, without);
    if (access.kind == AccessKind::Store)
        return store(start, access, sectors, wasteless, block, without);
    m_totals.l1Sectors += sectors;
    std::int64_t ready = 0, k = 0;
    for (const Part& p : m_parts) {
        const std::int64_t at = start + std::min<std::int64_t>(k++, std::int64_t(lines) - 1);
        if (without.has(Limit::L1Misses)) {
            ready = std::max(ready, at + m_timing.l1);
            continue;
        }
        Line& line = lookUp(p.line);
        if (strong)
            line.valid = std::uint8_t(line.valid & ~p.sectors);
        const auto missing = std::uint8_t(p.sectors & ~line.valid);
        std::int64_t here = at + m_timing.l1;
        if (p.sectors & line.valid)
            here = std::max(here, line.ready);
        const Moved part = without.has(Limit::Coalescing) ? moved(at, line, missing, access, addresses) : whole;
        if (missing) {
            const std::int64_t fetched = fetch(at, p.line, missing, block, position, without, part, &line.dram);
            line.ready = std::max(line.ready, fetched);
            line.valid |= missing;
            here = std::max(here, fetched);
        }
        m_totals.l1Hits += std::uint64_t(std::popcount(std::uint8_t(p.sectors & ~missing)));
        ready = std::max(ready, here);
    }
    return ready;
}

std::int64_t MemoryPath::local(std::int64_t now, const AccessSummary& access,
                               const std::array<std::uint64_t, 32>& addresses, std::uint32_t warp, std::uint32_t block,
                               std::uint32_t position, LimitSet without) {
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
        for (const Part& p : m_parts) {
            Line& line = lookUp(p.line);
            line.valid |= p.sectors;
        }
    }
    return done;
}

std::int64_t MemoryPath::texture(std::int64_t now, const AccessSummary& access) {
    m_passed = 1;
    const std::int64_t start = std::max(now, m_lsu);
    m_lsu = start + std::max(1u, access.lines);
    return access.kind == AccessKind::Store ? m_lsu : start + m_timing.l1;
}

std::int64_t MemoryPath::shared(std::int64_t now, const AccessSummary& access,
                                const std::array<std::uint64_t, 32>& addresses, std::uint32_t block, AtomicKind kind,
                                LimitSet without) {
    std::int64_t passes = std::max(1u, without.has(Limit::Conflicts) ? access.idealPasses : access.passes);
    if (without.has(Limit::Bandwidth))
        passes = 1;
    const bool queues = access.kind == AccessKind::Atomic && !without.has(Limit::Atomics);
    const std::int64_t most = queues ? lanesAtOneWord(access, addresses) : 1;
    if (queues && !kind.loops) // lanes at one word, one after the other
        passes = std::max(passes, most);
    m_passed = passes;
    const std::int64_t start = std::max(now, m_mio);
    m_mio = start + passes - (without.has(Limit::Issue) ? 1 : 0);
    m_lsu = std::max(m_lsu, m_mio); // one data store serves both
    if (access.kind == AccessKind::Store)
        return m_mio;
    const std::int64_t served = start + 2 * (passes - 1);
    if (access.kind != AccessKind::Atomic)
        return served + m_timing.shared;
    return kind.loops && queues ? swaps(start, access, addresses, most, block) : served + m_timing.atomicShared;
}

std::int64_t MemoryPath::bulk(std::int64_t now, std::uint64_t address, std::uint32_t bytes, bool store,
                              std::uint32_t block, std::uint32_t position) {
    std::int64_t done = now;
    m_bulk = std::max(double(now + bulkStart), m_bulk);
    for (std::uint64_t line = address / 128; line <= (address + bytes - 1) / 128; ++line) {
        std::uint8_t sectors = 0;
        for (std::uint64_t s = 0; s < 4; ++s)
            if (line * 128 + s * 32 < address + bytes && line * 128 + (s + 1) * 32 > address)
                sectors = std::uint8_t(sectors | 1u << s);
        const int count = std::popcount(sectors);
        if (!store) {
            done =
                std::max(done, fetch(std::int64_t(m_bulk), line, sectors, block, position, {}, whole, nullptr, true));
            m_bulk += count * 32 / bulkBytes;
            continue;
        }
        m_totals.storeSectors += std::uint64_t(count);
        m_l2 = std::max(m_l2, m_bulk) + count * m_storeCycles;
        m_dram = std::max(m_dram, m_bulk) + count * m_around.firstStores * m_dramCycles;
        done = std::max(done, std::int64_t(std::ceil(std::max(m_l2, m_dram))) + m_timing.l2);
        m_bulk += count * 32 / bulkStoreBytes;
    }
    return done;
}

std::int64_t MemoryPath::betweenSms(std::int64_t now, std::uint32_t bytes) {
    const std::int64_t start = std::max(now, m_network);
    m_network = start + (bytes + networkBytes - 1) / networkBytes;
    return m_network + networkLatency;
}

std::int64_t MemoryPath::shuffle(std::int64_t now) {
    m_passed = 1;
    const std::int64_t start = std::max(now, m_mio);
    m_mio = start + 1;
    return start + m_timing.shuffle;
}

std::int64_t MemoryPath::unwanted(std::int64_t now, Pipe pipe) {
    std::int64_t& unit = pipe == Pipe::Mio ? m_mio : m_lsu;
    const std::int64_t start = std::max(now, unit);
    unit = start + 1;
    m_passed = 1;
    m_lsu = std::max(m_lsu, unit); // one data store serves both
    return start + m_timing.shared;
}

} // namespace warpglass::emulator
