// SPDX-License-Identifier: GPL-3.0-or-later
// The way of an access of one SM, through units that each know only themselves (memory_units.h): the SM's data store (DataStore),
// coalescing into 128-byte lines and 32-byte sectors (WantedLines), L1, the SM's Port, L2 with what lies there (L2Holdings),
// Dram; beside them atomics (AtomicUnits), constant memory (ConstantCache) and copies (CopyUnit).
//
// L2 and DRAM are a latency and a share of the device's bandwidth: what all SMs together can move, divided by those that are at
// work. A queue in front of each part makes a busy path slower; a full one makes warps wait before they issue (lg_throttle,
// mio_throttle).
//
// Limits that are taken away are known here alone: figures of the device are others then (gpu/device/limit.h), and where they
// are taken away for single instructions, an access is not led to a unit, or wants less of it.
#pragma once

#include "gpu/device/limit.h"
#include "gpu/emulator/run/sm_result.h"
#include "gpu/emulator/state/access_summary.h"
#include "gpu/emulator/timing/atomic_units.h"
#include "gpu/emulator/timing/constant_cache.h"
#include "gpu/emulator/timing/l2_holdings.h"
#include "gpu/emulator/timing/memory_units.h"
#include "gpu/emulator/timing/wanted_lines.h"

namespace warpglass::emulator {

class MemoryPath {
public:
    using Surroundings = MemorySurroundings;
    MemoryPath(const DeviceTiming& timing, const Surroundings& around)
        : m_timing(timing), m_around(around), m_l1(timing, m_around), m_port(timing), m_l2(timing, m_around),
          m_holdings(m_around), m_dram(timing, m_around), m_atomics(timing, m_around), m_constants(timing),
          m_copies(timing) {}
    MemoryPath(const MemoryPath&) = delete; // its parts know its surroundings

    // Cycle in which the last access that was asked for begins: until then it lies in its scheduler's queue.
    std::int64_t began() { return m_data.began(); }
    void through(std::int64_t port) { m_data.through(port); } // the scheduler's that asks next: free from then on

    // An access of global or local memory that is issued at now. Returns the cycle at which its result can be used; for
    // a store, at which it has left the SM. strong: volatile, or of a wider scope than the SM, so that L1 has no say; of an atomic: somebody waits for it.
    // kind: of an atomic. without: limits that this access does not know.
    std::int64_t global(std::int64_t now, const AccessSummary& access, const LaneAddresses& addresses,
                        std::uint32_t block, std::uint32_t position, bool strong, AtomicKind kind, LimitSet without);
    // addresses: of each lane, in its own memory. warp: a number that no other resident warp has. The words of a warp's
    // lanes lie side by side, and go the way of global memory, but what is stored stays in L1.
    std::int64_t local(std::int64_t now, const AccessSummary& access, const LaneAddresses& addresses,
                       std::uint32_t warp, std::uint32_t block, std::uint32_t position, LimitSet without);
    // As a hit in L1: which lines it touches is not known.
    std::int64_t texture(std::int64_t now, const AccessSummary& access);
    std::int64_t constant(std::int64_t now, const AccessSummary& access, const LaneAddresses& addresses,
                          LimitSet without);
    std::int64_t shared(std::int64_t now, const AccessSummary& access, const LaneAddresses& addresses,
                        std::uint32_t block, AtomicKind kind, LimitSet without);
    std::int64_t shuffle(std::int64_t now);
    std::int64_t match(std::int64_t now, std::uint32_t values); // match.any of lanes that have so many
    std::int64_t arrival(std::int64_t now);                     // an instruction on an mbarrier
    // An access that no lane wants takes its turn all the same; returns when it is through.
    std::int64_t unwanted(std::int64_t now, Pipe pipe);
    // Cycles for which the last load, or access of shared memory, kept the way from its scheduler.
    std::int64_t passed() const { return m_passed; }
    // A piece of a bulk copy between global and shared memory; returns when its last byte has come. It goes past L1.
    // before: what the block has asked for so until then (ResidentBlock::copied).
    std::int64_t bulk(std::int64_t now, std::uint64_t address, std::uint32_t bytes, bool store, std::uint32_t block,
                      std::uint32_t position, std::uint64_t before);
    // Cycle in which L2 has taken what was stored as whole sectors, or to lines that other SMs write, too: a launch ends no sooner.
    std::int64_t storesDone() const { return std::int64_t(std::max(m_atomics.storesDone(), m_written)); }
    // Cycle from which a fence behind what was stored counts: later where that went to both halves of L2.
    std::int64_t fenceable() const { return std::int64_t(m_l2.free() + (m_halves == 3 ? m_timing.fenceFar : 0)); }
    // A copy from this SM's shared memory to another's, in a cluster of so many blocks; returns when it is there.
    std::int64_t betweenSms(std::int64_t now, std::uint32_t bytes, std::size_t blocks);
    // An access of shared memory by an address of the cluster, of so many blocks; other: of another SM. Returns as shared does.
    std::int64_t ofCluster(std::int64_t now, const AccessSummary& access, bool other, std::size_t blocks);

    const MemoryTotals& totals() const { return m_totals; }
    const SectorSet& sectors() const { return m_holdings.own(); } // that are in L2 because of this SM

private:
    using Moved = std::array<double, 4>; // of each sector of a line, the part that moves
    static constexpr Moved whole = {1, 1, 1, 1};
    struct Fetch { // sectors of a line that L1 has not, or that a copy wants
        std::int64_t at;
        std::uint64_t line;
        std::uint8_t sectors;
        std::uint32_t block, position;
        const Moved& moved;
        bool exact;                   // only bytes that were asked for move
        bool misses;                  // what is not in L2 comes from DRAM
        bool bulk;                    // past L1
        std::uint8_t* dram = nullptr; // told which came from there
        std::uint64_t before = 0;     // of a copy: what its block has asked for until then
    };
    std::int64_t fetch(const Fetch& of);
    double fromDram(const Fetch& of, double t, std::uint32_t s, double sms);
    // How much further this line is away for an atomic.
    std::int64_t farther(std::uint64_t line) const;
    // How much longer than others this sector takes.
    static double spread(const DeviceTiming::Spread& of, std::uint64_t sector);
    // Of a line that is there: bytes that nobody had asked for before still have to move.
    Moved moved(std::int64_t at, L1::Line& line, std::uint8_t missing, const AccessSummary& access,
                const LaneAddresses& addresses);
    // wasteless: only what was asked for moves. Returns when it has left the SM.
    std::int64_t store(std::int64_t start, const AccessSummary& access, std::uint32_t sectors, bool wasteless,
                       std::uint32_t block, LimitSet without);
    // Of the cycles of a turn, those of its issue, where that takes none.
    std::int64_t spared() const { return 1 - m_timing.issueSlot; }

    const DeviceTiming& m_timing;
    const Surroundings m_around;
    DataStore m_data;
    WantedLines m_wanted; // of the access at hand
    L1 m_l1;
    Port m_port;
    L2 m_l2;
    L2Holdings m_holdings;
    Dram m_dram;
    AtomicUnits m_atomics;
    ConstantCache m_constants;
    CopyUnit m_copies;
    MatchUnit m_matches;
    std::int64_t m_passed = 0;
    double m_written = 0;
    std::uint8_t m_halves = 0; // of L2, to which this SM has stored
    MemoryTotals m_totals;
};

} // namespace warpglass::emulator
