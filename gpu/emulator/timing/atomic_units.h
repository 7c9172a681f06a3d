// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics, and stores to lines that other SMs write: what queues at L2.
//
// Measured on an H200 with all SMs at once (h200-micro.csv, atomics_* and atomics2_*). One sector answers to one request
// at a time: every 1.45 cycles, or a lane where lanes want the same word; sums of floats take 3.5. Where all SMs want the
// same lines, these are served at a rate that grows with their number, since they spread over the slices of L2.
// Stores to the same lines do, too (part_store_*, less 5 us of the events around them): about six requests a ns to two to
// eight lines, whether sectors are written in part or not.
// Shared memory adds words of integers by itself; anything else is a loop that reads, adds and swaps (shared_atomic_*).
#pragma once

#include "gpu/emulator/timing/l2_holdings.h"
#include "gpu/emulator/timing/wanted_lines.h"

namespace warpglass::emulator {

struct AtomicKind {
    bool combined = false; // the warp makes one of its lanes' atomics
    bool floats = false;   // of floating point
    bool loops = false;    // in shared memory: a loop that swaps
    bool counts = false; // in shared memory: adds one, whoever has it; lanes that want the same word are counted first
};

class AtomicUnits {
public:
    AtomicUnits(const DeviceTiming& timing, const MemorySurroundings& around)
        : m_timing(timing), m_around(around), m_queues(around.together ? *around.together : m_ownQueues) {}
    AtomicUnits(const AtomicUnits&) = delete;

    // Of global memory: returns when L2 has done them. queues: who wants the same waits for each other.
    double global(std::int64_t start, const WantedLines& wanted, const AccessSummary& access,
                  const LaneAddresses& addresses, std::uint32_t block, AtomicKind kind, bool queues,
                  L2Holdings& holdings);
    // A request is under way until then. Returns when there is room for another one; those for a line that is busy do not
    // hold up others before that.
    std::int64_t underWay(std::int64_t done) {
        std::int64_t& oldest = m_underWay[m_nextUnderWay++ % m_underWay.size()];
        return std::exchange(oldest, done);
    }

    // Of shared memory: lanes that want the same word; and when a loop of all of them is through.
    static std::int64_t lanesAtOneWord(const AccessSummary& access, const LaneAddresses& addresses);
    std::int64_t swaps(std::int64_t start, const AccessSummary& access, const LaneAddresses& addresses,
                       std::int64_t most, std::uint32_t block);

    // A store to one line. mine: this SM has had its sectors before.
    void store(std::int64_t start, const LinePart& part, bool mine, std::uint32_t block);
    double storesDone() const { return m_queues.stores; } // those to lines that other SMs write, too

private:
    // Of a sector that an atomic wants: how many SMs' requests stand for this one's, and whether others want it at all.
    double sharersOf(SharedQueues::Sector& queue, std::uint64_t sector, std::uint32_t block, bool& contended);
    // Of so many lines that all SMs want, what is served in a cycle.
    double rateOf(const DeviceTiming::Hot& knots, std::uint64_t lines) const {
        return DeviceTiming::hotRate(knots, double(lines)) / m_around.cyclesPerNs;
    }
    const DeviceTiming& m_timing;
    const MemorySurroundings& m_around;
    SharedQueues m_ownQueues;
    SharedQueues& m_queues;
    double m_free = 0; // cycle
    std::vector<std::int64_t> m_underWay =
        std::vector<std::int64_t>(m_timing.atomicsUnderWay, 0); // when each is through
    std::size_t m_nextUnderWay = 0;
    std::unordered_map<std::uint64_t, std::int64_t> m_swapped; // words of a block's shared memory: when each is free
};

} // namespace warpglass::emulator
