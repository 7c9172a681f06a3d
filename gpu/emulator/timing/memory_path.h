// SPDX-License-Identifier: GPL-3.0-or-later
// The way of an access of one SM: coalescing into 128-byte lines and 32-byte sectors, L1, the SM's port to L2, L2,
// DRAM.
//
// L1 is a set-associative store of lines with a valid bit a sector; loads allocate, stores write through. L2 and DRAM
// are a latency and a share of the device's bandwidth: what all SMs together can move, divided by those that are at
// work. Whether a sector is found in L2 is asked of TouchTable. A queue in front of each part makes a busy path slower;
// a full one makes warps wait before they issue (lg_throttle, mio_throttle).
#pragma once

#include "gpu/device/l2_contents.h"
#include "gpu/device/limit.h"
#include "gpu/emulator/run/sm_result.h"
#include "gpu/emulator/state/access_summary.h"
#include "gpu/emulator/watch/touch_table.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace warpglass::emulator {

// The sectors that one SM has had; grows as needed.
class SectorSet {
public:
    bool contains(std::uint64_t sector) const {
        for (std::uint64_t at = hash(sector);; ++at) {
            const std::uint64_t key = m_keys[at & m_mask];
            if (key == 0 || key == sector + 1)
                return key != 0;
        }
    }
    std::uint64_t size() const { return m_count; }
    void add(std::uint64_t sector) {
        if (2 * m_count > m_mask)
            grow();
        for (std::uint64_t at = hash(sector);; ++at) {
            std::uint64_t& key = m_keys[at & m_mask];
            if (key == sector + 1)
                return;
            if (key == 0) {
                key = sector + 1;
                ++m_count;
                return;
            }
        }
    }
    template <typename F>
    void each(F f) const {
        for (const std::uint64_t key : m_keys)
            if (key != 0)
                f(key - 1);
    }

private:
    std::uint64_t hash(std::uint64_t sector) const { return sector * 0x9e3779b97f4a7c15ull >> 20; }
    void grow() {
        std::vector<std::uint64_t> old(2 * m_keys.size(), 0);
        old.swap(m_keys);
        m_mask = m_keys.size() - 1;
        m_count = 0;
        for (const std::uint64_t key : old)
            if (key != 0)
                add(key - 1);
    }
    std::vector<std::uint64_t> m_keys = std::vector<std::uint64_t>(1024, 0);
    std::uint64_t m_mask = 1023, m_count = 0;
};

struct AtomicKind {
    bool combined = false; // the warp makes one of its lanes' atomics
    bool floats = false;   // of floating point
    bool loops = false;    // in shared memory: a loop that swaps
};

// What queues at L2 where several want the same. Each SM has its own, in which the others are a number; SMs that are
// timed at once share one, in which each request is its own.
struct SharedQueues {
    struct Sector {
        double free = 0;        // cycle
        std::uint32_t sm = ~0u; // that has wanted it first
        bool contended = false; // others have, too
    };
    std::unordered_map<std::uint64_t, Sector> sectors;
    SectorSet lines;  // whose atomics several SMs want
    double queue = 0; // cycle in which all that is wanted of these is done
    SectorSet stored; // the same of lines that several SMs write
    double stores = 0;
};

class MemoryPath {
public:
    struct Surroundings {
        double cyclesPerNs = 1.98;
        std::uint32_t activeSms = 1;   // that share L2 and DRAM
        std::uint32_t sharedBytes = 0; // of all resident blocks: what L1 cannot have
        std::uint64_t waveBlocks = 1;  // blocks resident on the whole device at once
        std::uint64_t l2Bytes = 0;
        double dramStores = 1;         // share of the sectors written again that reach DRAM while the kernel runs
        double firstStores = 1;        // the same of those that are written as a whole for the first time
        double partFills = 0;          // share of the sectors written in part that must be fetched to be complete
        std::span<const L2Piece> had;  // by L2 when the launch begins, ascending
        TouchTable* touched = nullptr; // by the blocks of the first waves
        std::uint32_t sm = 0;          // number of this one
        // Of SMs that are timed at once; touched is then told what each of them does.
        SharedQueues* together = nullptr;
    };
    MemoryPath(const DeviceTiming& timing, const Surroundings& around);

    // Cycle at which the unit takes the next access without making the warp wait.
    std::int64_t free(Pipe pipe) const { return (pipe == Pipe::Mio ? m_mio : m_lsu) - m_queue; }

    // An access of global or local memory that is issued at now. Returns the cycle at which its result can be used; for
    // a store, at which it has left the SM. strong: volatile, or of a wider scope than the SM, so that L1 has no say.
    // kind: of an atomic. without: limits that this access does not know.
    std::int64_t global(std::int64_t now, const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses,
                        std::uint32_t block, std::uint32_t position, bool strong, AtomicKind kind, LimitSet without);
    // addresses: of each lane, in its own memory. warp: a number that no other resident warp has. The words of a warp's
    // lanes lie side by side, and go the way of global memory, but what is stored stays in L1.
    std::int64_t local(std::int64_t now, const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses,
                       std::uint32_t warp, std::uint32_t block, std::uint32_t position, LimitSet without);
    // As a hit in L1: which lines it touches is not known.
    std::int64_t texture(std::int64_t now, const AccessSummary& access);
    std::int64_t constant(std::int64_t now, const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses,
                          LimitSet without);
    std::int64_t shared(std::int64_t now, const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses,
                        std::uint32_t block, AtomicKind kind, LimitSet without);
    std::int64_t shuffle(std::int64_t now);
    // An access that no lane wants takes its turn all the same; returns when it is through.
    std::int64_t unwanted(std::int64_t now, Pipe pipe);
    // Cycles for which the last load, or access of shared memory, kept the way from its scheduler.
    std::int64_t passed() const { return m_passed; }
    // A piece of a bulk copy between global and shared memory; returns when its last byte has come. It goes past L1.
    std::int64_t bulk(std::int64_t now, std::uint64_t address, std::uint32_t bytes, bool store, std::uint32_t block,
                      std::uint32_t position);
    // Cycle in which the stores to lines that other SMs write, too, are done: a launch ends no sooner.
    std::int64_t storesDone() const { return std::int64_t(m_queues.stores); }
    // Bytes on their way from one SM's shared memory to another's.
    std::int64_t betweenSms(std::int64_t now, std::uint32_t bytes);

    // Of a spread of latencies: what so many of them do not exceed, 0 to 1.
    static double quantile(const DeviceTiming::Spread& of, double at);
    // Sectors or requests that the whole device serves in a ns, of so many lines that all SMs want.
    static double hotRate(const std::array<DeviceTiming::HotLines, 5>& knots, double lines);

    const MemoryTotals& totals() const { return m_totals; }
    const SectorSet& sectors() const { return m_own; } // that are in L2 because of this SM

private:
    struct Line {
        std::uint64_t tag = ~std::uint64_t(0);
        std::int64_t ready = 0;
        std::uint64_t used = 0;
        std::uint8_t valid = 0;
        std::uint8_t dram = 0;                // sectors that came from there
        std::array<std::uint64_t, 2> asked{}; // bytes that somebody has asked for; only without Limit::Coalescing
    };
    struct Part {
        std::uint64_t line;
        std::uint8_t sectors;    // a bit each
        std::uint32_t words = 0; // a bit each
    };
    using Bytes = std::array<std::uint64_t, 2>; // of a line, a bit each
    using Moved = std::array<double, 4>;        // of each sector of a line, the part that moves
    static constexpr Moved whole = {1, 1, 1, 1};
    struct Share { // of one instruction: the lines that it was the SM's first to want, and those of them from DRAM
        std::uint32_t lines = 0, dram = 0;
        double owed = 0;
        std::uint64_t line = ~std::uint64_t(0); // the last one
        bool lineFromDram = false;
    };
    void coalesce(const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses);
    // The most words of one bank of L1 that the access at hand asks for. A word's bank is its place in its line.
    std::uint32_t bankWords() const;
    Line& lookUp(std::uint64_t line);
    enum class From { Own, Others, Copied, Dram }; // in L2 because of this SM, of others, or of the host
    const L2Piece* warm(std::uint64_t sector); // of what L2 had when the launch began and still has; nullptr: not there
    void comes(std::uint32_t sectors);         // into L2, where each SM has as many
    From from(std::uint64_t sector, std::uint32_t block, std::uint32_t position);
    // How much longer than others this sector takes.
    static double spread(const DeviceTiming::Spread& of, std::uint64_t sector);
    bool opensPage(std::int64_t at, std::uint64_t sector); // of DRAM, as far as this SM knows
    void work(double at, double cycles, bool writes);      // DRAM has that much to do
    double loaded() const;                                 // cycles more that it takes because it is busy
    // The bytes of a line that an access touches.
    static Bytes bytesOf(std::uint64_t line, const AccessSummary& access,
                         const std::array<std::uint64_t, 32>& addresses);
    // Of a line that is there: bytes that nobody had asked for before still have to move.
    Moved moved(std::int64_t at, Line& line, std::uint8_t missing, const AccessSummary& access,
                const std::array<std::uint64_t, 32>& addresses);
    std::int64_t fetch(std::int64_t at, std::uint64_t line, std::uint8_t sectors, std::uint32_t block,
                       std::uint32_t position, LimitSet without, const Moved& moved, std::uint8_t* fromDram,
                       bool bulk = false);
    std::int64_t atomics(std::int64_t start, const AccessSummary& access,
                         const std::array<std::uint64_t, 32>& addresses, std::uint32_t block, AtomicKind kind,
                         LimitSet without);
    // Of a sector that an atomic wants: how many SMs' requests stand for this one's, and whether others want it at all.
    double sharersOf(SharedQueues::Sector& queue, std::uint64_t sector, std::uint32_t block, bool& contended);
    void tell(std::uint64_t sector); // the SMs that are timed at the same time
    // wasteless: only what was asked for moves. Returns when it has left the SM.
    std::int64_t store(std::int64_t start, const AccessSummary& access, std::uint32_t sectors, bool wasteless,
                       std::uint32_t block, LimitSet without);
    // A store to one line. mine: this SM has had its sectors before.
    void storeTo(std::int64_t start, const Part& part, bool mine, std::uint32_t block);
    std::int64_t constantLine(std::int64_t now, std::uint64_t line);
    double rateOf(const std::array<DeviceTiming::HotLines, 5>& knots, std::uint64_t lines) const;
    static std::int64_t lanesAtOneWord(const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses);
    std::int64_t swaps(std::int64_t start, const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses,
                       std::int64_t most, std::uint32_t block);

    const DeviceTiming& m_timing;
    Surroundings m_around;
    std::int64_t m_lsu = 0, m_mio = 0, m_constant = 0, m_queue, m_passed = 0;
    double m_bulk = 0;                                     // cycle from which the unit for bulk copies is free
    std::int64_t m_network = 0;                            // the same of the way between SMs
    double m_port = 0, m_l2 = 0, m_dram = 0, m_atomic = 0; // cycle from which each is free
    double m_l2Cycles, m_dramCycles, m_portCycles, m_partCycles, m_fillCycles; // a sector
    double m_storeCycles;                                                      // a sector that is written
    double m_requestCycles;                                                    // a line, however little of it is wanted
    struct Page {
        std::uint64_t number = ~std::uint64_t(0);
        std::int64_t used = 0;
    };
    std::array<Page, 128> m_pages{};
    double m_busy = 0, m_writing = 0, m_busySince = 0; // DRAM: share of the last cycles in which it was at work
    static constexpr std::uint64_t constantLineBytes = 64, constantBytes = 2048;
    struct ConstantLine {
        std::uint64_t line = ~std::uint64_t(0);
        std::int64_t ready = 0;
        std::uint64_t used = 0;
    };
    std::array<ConstantLine, constantBytes / constantLineBytes> m_constants{};
    std::int64_t m_constantFetch = 0; // cycle from which another line can be fetched
    std::vector<Line> m_lines;
    std::uint64_t m_sets, m_clock = 0;
    std::vector<Part> m_parts;   // of the access at hand
    std::vector<Share> m_shares; // [position]
    SharedQueues m_ownQueues;
    SharedQueues& m_queues;
    std::array<std::int64_t, 32> m_underWay{}; // atomics: when each is through
    std::size_t m_nextUnderWay = 0;
    std::unordered_map<std::uint64_t, std::int64_t> m_swapped; // words of a block's shared memory: when each is free
    double m_come = 0;                                         // bytes that have come into L2 since the launch began
    std::array<double, 2> m_room;       // bytes after which nothing is left of what had been touched, and copied
    const L2Piece* m_piece = nullptr;   // the last one that was asked about
    SectorSet m_own, m_part, m_written; // m_part: written in part; m_written: as a whole
    MemoryTotals m_totals;
};

} // namespace warpglass::emulator
