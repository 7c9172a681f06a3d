// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the way of an access that are no more than a time from which they are free and what one thing takes of them.
// MemoryPath leads an access through them; none of them knows another, nor of limits that are taken away: who is spared one is
// not led there.
#pragma once

#include "gpu/device/device_timing.h"
#include "gpu/device/l2_contents.h"
#include "gpu/emulator/timing/sector_set.h"
#include "gpu/emulator/watch/touch_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpglass::emulator {

// When DRAM is free, and how busy it has been.
// What is read and written waits for what came before it. Copies by bulk do not wait for what was written (beside_stores/copy16k/*:
// beside an SM's own stores one takes a tenth longer, where a load waits for all of them): that is done when there is time.
class TrafficQueue {
public:
    double free() const { return m_all; }   // cycle in which all is done
    double take(double at, double cycles) { // returns when it begins
        const double start = std::max(at, m_all);
        m_reads = m_all = start + cycles;
        return start;
    }
    double takeBulk(double at, double cycles) {
        const double start = std::max(at, m_reads);
        m_reads = start + cycles;
        m_all = std::max(m_all, start) + cycles;
        return start;
    }
    void write(double at, double cycles) { m_all = std::max(m_all, at) + cycles; }
    void add(double cycles) { m_reads += cycles, m_all += cycles; }

private:
    double m_reads = 0, m_all = 0;
};

struct DramQueue {
    TrafficQueue queue;
    double busy = 0, writing = 0, busySince = 0; // share of the last cycles in which it was at work
};

// What SMs that are timed at once fetch from DRAM.
struct SharedFetches {
    DramQueue dram;
    std::unordered_map<std::uint64_t, double> comes; // by 64 bytes: cycle in which they come from there
};

// What queues at L2 where several want the same. Each SM has its own, in which the others are a number; SMs that are
// timed at once because of that share one, in which each request is its own.
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

// What an SM's memory is to know of the launch and of the other SMs.
struct MemorySurroundings {
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
    SharedFetches* fetches = nullptr;
    SharedQueues* together = nullptr;
    double sms() const { return std::max(1u, activeSms); }
};

// What one access wants of one 128-byte line.
struct LinePart {
    std::uint64_t line;
    std::uint8_t sectors;    // a bit each
    std::uint32_t words = 0; // a bit each
};

// The SM's own end: turns of accesses to shared memory and shuffles (Mio), and of all others (Lsu).
class DataStore {
public:
    // Cycle in which the last access begins, that nobody has asked about yet; else 0.
    std::int64_t began() { return std::exchange(m_began, 0); }
    // What is asked for from now on comes through a scheduler's port, which is free from then on.
    void through(std::int64_t port) { m_port = port; }
    std::int64_t end(Pipe pipe) const { return pipe == Pipe::Mio ? m_mio : m_lsu; }
    // An access takes its turn for so many cycles. Returns when it begins.
    std::int64_t take(Pipe pipe, std::int64_t now, std::int64_t cycles) {
        std::int64_t& unit = pipe == Pipe::Mio ? m_mio : m_lsu;
        const std::int64_t start = std::max(now, unit);
        unit = start + cycles;
        m_began = std::max(start, m_port);
        return m_began;
    }
    // The same of what needs the words themselves: one store serves both queues, and the other one waits as long.
    std::int64_t takeWords(Pipe pipe, std::int64_t now, std::int64_t cycles) {
        const std::int64_t start = take(pipe, now, cycles);
        holdUp(pipe == Pipe::Mio ? Pipe::Lsu : Pipe::Mio, end(pipe));
        return start;
    }
    // Something behind it is full: nothing more is taken until then.
    void holdUp(Pipe pipe, std::int64_t until) {
        std::int64_t& unit = pipe == Pipe::Mio ? m_mio : m_lsu;
        unit = std::max(unit, until);
    }

private:
    std::int64_t m_lsu = 0, m_mio = 0, m_began = 0, m_port = 0;
};

// Accesses that wait for the SM's own end, in their order: one more finds room when the oldest of them has gone on.
class AccessQueue {
public:
    explicit AccessQueue(std::uint32_t room) : m_leaves(room, 0) {}
    std::int64_t free() const { return m_leaves[m_oldest]; } // cycle from which there is room
    void enter(std::int64_t until) {
        m_leaves[m_oldest] = until;
        m_oldest = m_oldest + 1 < m_leaves.size() ? m_oldest + 1 : 0;
    }

private:
    std::vector<std::int64_t> m_leaves;
    std::size_t m_oldest = 0;
};

struct AccessQueues { // of global, local and texture memory, and of shared memory and shuffles
    explicit AccessQueues(std::uint32_t room) : lsu(room), mio(room) {}
    const AccessQueue& of(Pipe pipe) const { return pipe == Pipe::Mio ? mio : lsu; }
    AccessQueue& of(Pipe pipe) { return pipe == Pipe::Mio ? mio : lsu; }
    AccessQueue lsu, mio;
};

// A set-associative store of lines with a valid bit a sector; loads allocate, stores write through.
class L1 {
public:
    struct Line {
        std::uint64_t tag = ~std::uint64_t(0);
        std::int64_t ready = 0;
        std::uint64_t used = 0;
        std::uint8_t valid = 0;
        std::uint8_t dram = 0;                // sectors that came from there
        std::array<std::uint64_t, 2> asked{}; // bytes that somebody has asked for; only without Limit::Coalescing
    };
    L1(const DeviceTiming& timing, const MemorySurroundings& around) : m_ways(timing.l1Ways) {
        const std::uint64_t bytes =
            std::max<std::uint64_t>(16 * 1024, timing.l1Bytes - std::min(timing.l1Bytes, around.sharedBytes));
        m_sets = std::max<std::uint64_t>(1, bytes / 128 / m_ways);
        m_lines.resize(m_sets * m_ways);
    }
    // The line's place: its own, or that of the one that has not been used for longest.
    Line& lookUp(std::uint64_t line) {
        Line* const set = &m_lines[(line * 0x9e3779b97f4a7c15ull >> 24) % m_sets * m_ways];
        Line* oldest = set;
        for (Line* l = set; l != set + m_ways; ++l) {
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

private:
    std::uint64_t m_ways, m_sets = 1, m_clock = 0;
    std::vector<Line> m_lines;
};

// The SM's port to L2.
class Port {
public:
    explicit Port(const DeviceTiming& timing)
        : m_sector(32 / timing.l2BytesPerCycle), m_request(timing.portRequestCycles) {}
    double take(double at, double sectors) { // returns when they begin
        const double start = std::max(at, m_free);
        m_free = start + sectors * m_sector;
        return start;
    }
    void fillUp(double sectors) { m_free += std::max(0.0, m_request - sectors * m_sector); } // a request is a request

private:
    double m_free = 0, m_sector, m_request; // cycle; cycles
};

// What L2 gives and takes a cycle: this SM's share of what all SMs together can move.
class L2 {
public:
    L2(const DeviceTiming& timing, const MemorySurroundings& around) {
        const double port = 32 / timing.l2BytesPerCycle, all = around.cyclesPerNs * around.sms();
        m_own = 32 / (timing.l2GBs / around.cyclesPerNs / around.sms());
        m_sector = std::max(m_own, port);
        m_store = std::max(m_own / timing.l2StoreShare, port);
        m_request = std::max(timing.portRequestCycles, all / timing.l2RequestsPerNs);
        m_storeLine = all / timing.storeLinesPerNs;
        m_part = std::max(port, all / timing.partialWritesPerNs);
        m_fill = around.partFills * around.cyclesPerNs * around.sms() / timing.partFillsPerNs;
    }
    double free() const { return m_queue.free(); }
    double take(double at, double sectors) { return m_queue.take(at, sectors * m_sector); } // returns when they begin
    double takeBulk(double at, double sectors, double share) { // past the SM's port: its share of L2 alone
        return m_queue.takeBulk(at, sectors * m_own * share);
    }
    void fillUp(double sectors) { m_queue.add(std::max(0.0, m_request - sectors * m_sector)); }
    void write(double at, double cycles) { m_queue.write(at, cycles); }
    double storeCycles() const { return m_store; }         // of a sector that is written as a whole
    double storeLineCycles() const { return m_storeLine; } // of a line at least
    double partCycles(double missing) const {              // of one of which so much is not
        return std::max(m_store, m_part * DeviceTiming::partOfMissing(missing));
    }
    double fillCycles() const { return m_fill; } // of one that is fetched to be complete

private:
    TrafficQueue m_queue;
    double m_own = 0, m_sector = 0, m_store = 0, m_storeLine = 0, m_request = 0, m_part = 0, m_fill = 0;
};

// This SM's share of DRAM, or, with others that are timed at once, all of it.
class Dram {
public:
    Dram(const DeviceTiming& timing, const MemorySurroundings& around)
        : m_timing(timing), m_queue(around.fetches ? around.fetches->dram : m_own),
          m_sector(around.fetches ? 32 / (timing.dramGBs / around.cyclesPerNs)
                                  : std::max(32 / (timing.dramGBs / around.cyclesPerNs / around.sms()),
                                             32 / timing.l2BytesPerCycle)) {}
    Dram(const Dram&) = delete; // it knows its own queue
    double free() const { return m_queue.queue.free(); }
    double take(double at, double sectors, bool bulk = false) { // returns when they begin
        return bulk ? m_queue.queue.takeBulk(at, sectors * m_sector) : m_queue.queue.take(at, sectors * m_sector);
    }
    void write(double at, double sectors) { m_queue.queue.write(at, sectors * m_sector); }
    void works(double at, double sectors, bool writes);    // it is busy with so many
    double loaded() const;                                 // cycles more that it takes because it is busy
    bool opensPage(std::int64_t at, std::uint64_t sector); // as far as this SM knows

private:
    struct Page {
        std::uint64_t number = ~std::uint64_t(0);
        std::int64_t used = 0;
    };
    const DeviceTiming& m_timing;
    DramQueue m_own;
    DramQueue& m_queue;
    double m_sector;
    std::array<Page, 128> m_pages{};
};

// match.any, by how many values its lanes have (match/* of tests/timing/h200-micro.csv: of one warp, each behind what compares the
// one before, which takes 29 of them, 46 cycles for one and 387 for 32; of 8 to 16 warps the SM takes 64 to 71 for 32).
class MatchUnit {
public:
    // Returns when its answer is as far as that of a vote.
    double take(double now, std::uint32_t values) {
        const double start = std::max(now, m_free);
        m_free = start + 2 * values;
        return start + 11 * double(values) - 7;
    }

private:
    double m_free = 0;
};

// Copies by bulk, and bytes on their way from one SM's shared memory to another's.
class CopyUnit {
public:
    explicit CopyUnit(const DeviceTiming& timing) : m_timing(timing) {}
    void begin(std::int64_t now) { m_free = std::max(double(now + m_timing.bulkStart), m_free); }
    double free() const { return m_free; }
    void take(double bytes, bool store) {
        m_free += bytes / (store ? m_timing.bulkStoreBytesPerCycle : m_timing.bulkBytesPerCycle);
    }
    double betweenSms(std::int64_t now, double bytes) { // returns when the last of them is on its way
        m_network = std::max(double(now), m_network) + bytes / m_timing.networkBytesPerCycle;
        return m_network;
    }

private:
    const DeviceTiming& m_timing;
    double m_free = 0;
    double m_network = 0;
};

} // namespace warpglass::emulator
