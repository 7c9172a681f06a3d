// SPDX-License-Identifier: GPL-3.0-or-later
// What a device's parts cost, in SM cycles: the figures the timing model runs on. One table, a row a device.
//
// Sources are named in device_timing.cpp beside each group of figures: the CUDA programming guide's table of arithmetic
// throughput by compute capability, published microbenchmarks, datasheets, and, for the H200, our own measurements.
#pragma once

#include "gpu/device/device.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace warpglass {

// What an instruction keeps busy. Each scheduler has one of each, except Lsu and Mio, which feed units of the whole SM.
enum class Pipe : std::uint8_t {
    None, // branches, barriers, exits: a slot of the scheduler and nothing else
    Add,  // 32-bit integer addition, which two pipes can do
    Alu,  // compare, logic, shift, select
    Fma,  // fp32
    Imad, // integer multiply-add
    Fp64,
    Half,
    Xu,     // special functions, conversions, bit searches, special registers
    Lsu,    // global, local, generic memory and atomics
    Mio,    // shared memory and shuffles
    Tensor, // products of matrices; how long one keeps it busy depends on its shape
    Count_
};

// What a fence orders, by what it takes.
enum class FenceKind : std::uint8_t {
    Block,
    Device, // a cluster, too
    System,
    Proxy,       // between two ways to one memory
    ProxyShared, // the same of a block's shared memory
    Barrier,     // what mbarrier.init has written
    Registers,   // none: setmaxnreg, which waits as these do
    Sleep,       // nanosleep, by a time of its own
    Count_
};

struct DeviceTiming {
    std::string_view key;       // of DeviceSpec
    std::string_view source;    // where the figures come from, in one sentence
    int schedulers = 4;         // an SM
    std::uint8_t issueSlot = 1; // cycles of a scheduler that an instruction is issued in
    // Cycles for which one warp-instruction keeps its pipe busy: 32 / (lanes a cycle and scheduler).
    std::array<std::uint8_t, std::size_t(Pipe::Count_)> interval = {1, 1, 2, 1, 2, 2, 1, 8, 2, 2};
    // Cycles from issue until a dependent instruction can be issued.
    std::uint16_t alu = 4, fp64 = 8, special = 17, shuffle = 24, vote = 13, convert = 12, specialRegister = 20;
    std::uint16_t shared = 23, l1 = 32, l2 = 268, dram = 660, constant = 34, atomicL2 = 272, atomicShared = 26;
    // Not all memory answers alike; who waits for much waits for the slowest. Quantiles of what comes on top of l2, for
    // what others have fetched (it may lie in the other half of L2), and of dram. Which it is goes by the address.
    using Spread = std::array<std::int16_t, 7>;
    static constexpr std::array<double, 7> spreadAt = {0, 0.25, 0.5, 0.75, 0.9, 0.98, 1};
    Spread l2Spread = {-6, 10, 35, 55, 200, 230, 243}, dramSpread = {-170, -128, 5, 60, 132, 422, 610};
    // Who waits for an atomic goes to the half of L2 that has the word, of which nobody keeps a copy: half of all pages of
    // 4 KB are so much further away, for each half of the SMs the other ones.
    std::uint16_t l2Far = 0;
    // The same of what was copied from the host or to it: half of it lies in the other half.
    Spread copiedSpread = {-6, 15, 100, 195, 205, 230, 243};
    // Tensor cores: products of halves a cycle and scheduler (eight-bit types twice as many, tf32 half), of doubles; what a
    // product of a warp takes beside these, twice that if it is sparse; from issue to use at the least, and for each 16
    // bytes of k; of a warpgroup, from the last of its products to who waits for them.
    std::uint16_t tensorProducts = 512, tensorDoubles = 32, tensorBegin = 2, tensor = 10, tensorStep = 7,
                  tensorGroup = 37;
    // A warpgroup's a: from registers that many cycles at the least, through shared memory that many more. Doubles: from
    // issue to use beside the products themselves, and products that one of them takes the time of at the least.
    std::uint16_t tensorFromRegisters = 13, tensorThroughShared = 9, tensorDoubleLatency = 18,
                  tensorDoublesLeast = 16 * 8 * 4;
    // Products of 4 bits, of k of 32 and of 64: no unit makes them, ptxas writes others and moves. As if it did.
    struct MadeProduct {
        std::uint16_t busy, latency;
    };
    std::array<MadeProduct, 2> tensorFourBits = {{{176, 232}, {319, 480}}};
    bool tensorAtOnce = false;        // no product takes a unit any time: of no device, but of one that lacks the limit
    std::uint16_t branch = 11;        // from a branch to the next instruction of its warp
    std::uint16_t predicate = 9;      // more, from a comparison to the branch that it guards
    std::uint16_t barrier = 12;       // from the last arrival until all go on, the last one too
    std::uint16_t barrierArrival = 2; // cycles between two arrivals of an SM's warps
    std::uint16_t barrierCounts = 18, barrierReduces = 43; // more, for what it counts or reduces of a predicate
    std::uint16_t call = 20;
    std::uint16_t deviceCall = 12300; // a launch from the device, for the warp that makes it
    std::uint16_t print = 42200;      // printf, for a warp
    std::uint16_t fetch = 220;        // first fetch of 128 bytes of code by an SM
    // Fences: cycles of one alone; from the warp's last store to global memory to the end of the fence; that it keeps others
    // of its kind on the SM.
    struct Fence {
        std::uint16_t alone, stored, turn;
    };
    std::array<Fence, std::size_t(FenceKind::Count_)> fences = {
        {{9, 0, 0}, {270, 425, 0}, {1025, 425, 188}, {141, 300, 0}, {8, 0, 4}, {0, 0, 0}, {60, 0, 0}, {}}};
    double sleepNs = 100;                // nanosleep, whatever it is asked for
    std::uint16_t specialQueue = 2;      // special functions that wait at their unit, not at the scheduler
    std::uint16_t unoptimisedStall = 15; // between any two machine instructions of code that was compiled with -G
    // Memory path of one SM.
    std::uint32_t l1Bytes = 256 * 1024; // with shared memory
    std::uint32_t l1Ways = 8;
    double loadLinesPerCycle = 4;  // 128-byte lines looked up; words of one bank go one a cycle
    double sectorsPerCycle = 4;    // between L1 and registers
    double storeSectorCycles = 1;  // a sector that is written as a whole
    double storePartCycles = 1.25; // a part of a sector
    double storeCycles = 2;        // a request at least
    double atomicSectorCycles = 1.25;
    double l2BytesPerCycle = 66;  // port of one SM
    double portRequestCycles = 1; // of it, at least, for each line of which something is wanted
    // Accesses that wait for the memory unit before warps have to wait themselves: so many of a scheduler, and behind them so
    // many of all. One scheduler alone has 30 waiting, four have 15 each: loads and stores of shared memory, atomics, and stores
    // to global memory (queue/*).
    std::uint32_t accessQueue = 10, accessQueueOfAll = 20;
    double storeBuffer = 2000;          // cycles of writes that may wait for L2
    std::uint32_t atomicsUnderWay = 32; // requests of an SM
    // Copies by bulk: from the instruction to its first request, bytes a cycle, and what their sectors take of L2, of what a
    // load's take; of those that other SMs want, too.
    std::uint16_t bulkStart = 100;
    double bulkBytesPerCycle = 98, bulkStoreBytesPerCycle = 32, bulkL2Share = 0.83, bulkSharedL2Share = 0.38;
    std::uint16_t bulkAsk = 62; // for the thread that asks, until it goes on
    // mbarriers: from issue to use; of the SM's unit for each instruction; for a thread that a predicate has chosen to arrive,
    // until it goes on. try_wait in vain keeps a thread until the phase is over and it has been woken, but not for ever.
    std::uint16_t mbarrier = 37, mbarrierTurn = 2, mbarrierChosen = 26, tryWake = 18, tryWait = 7800;
    // Shared memory by an address of the cluster, from issue to use: of the own block and of another one, more in a cluster of
    // more than two.
    struct ClusterAccess {
        std::uint16_t load, atomic;
    };
    ClusterAccess clusterOwn = {60, 122}, clusterOther = {211, 291};
    std::uint16_t clusterFar = 20;
    double networkBytesPerCycle = 20; // from one SM to another, where all send
    // A cluster's barrier: from the last arrival until all go on, and more for each doubling of more than two blocks.
    std::uint16_t clusterBarrier = 72, clusterBarrierStep = 4;
    // The device. Bandwidths are what a kernel reaches, not the datasheet's peak.
    double l2GBs = 7500, dramGBs = 4500;
    double l2RequestsPerNs = 160;              // lines, however little of each is wanted
    double l2StoreShare = 0.64;                // sectors that it takes for each that it gives
    double storeLinesPerNs = 98;               // lines stored to, however little of each
    double fenceFar = 190;                     // cycles more for a fence behind stores to both halves of L2
    double dramPageShare = 1.65;               // of the time, for 64 bytes alone in a page of DRAM
    double dramLoaded = 300;                   // cycles more that DRAM takes when it is always busy
    double dramMixed = 300;                    // and that much more when as much is written as is read
    double dramWritesBack = 0.45;              // of the time of what is read, where L2 has to write out what lay there
    double dramIdleShare = 0.35;               // as busy as that, it still answers at once
    std::uint16_t dramMemory = 2000;           // cycles for which it counts as busy with what it has done
    std::uint32_t dramPageSectors = 32;        // side by side
    std::uint16_t dramPageOpen = 500;          // cycles: who asks for the same page again finds it open
    double partialWritesPerNs = 55;            // sectors that are not in L2 and of which next to nothing is written
    double partFillsPerNs = 21;                // sectors that stay written in part, fetched to be complete
    double partsKept = 4.0 * 1024 * 1024 / 32; // sectors that L2 keeps as they are, of which a part is written
    // What a sector costs of which so much is not written, in parts of one of which next to nothing is.
    static double partOfMissing(double missing) {
        return missing < 0.5 ? 0.37 + 0.4 * missing : 0.57 + 0.67 * (missing - 0.5);
    }
    // What a sector costs that has been written before, by how many bytes all SMs write again and again.
    static double writtenAgain(double bytes) {
        constexpr double megabyte = 1024.0 * 1024;
        return bytes <= 3 * megabyte ? 1.45 : bytes <= 24 * megabyte ? 1.25 : 1.12;
    }
    std::uint16_t constantWordCycles = 2; // of the SM's unit, for each word of constant memory that a warp's lanes want
    std::uint16_t constantReplay = 11;    // that a load takes longer for each of these but the first
    // The first cache of constant memory, and the fetch of one of its lines.
    static constexpr std::uint32_t constantBytes = 2048, constantLineBytes = 64, constantWays = 8;
    std::uint16_t constantFetch = 70;
    double sameAddressAtomicCycles = 1.45; // a lane at an address that others want too, or a request of a sector, at L2
    double floatAtomicCycles = 3.5;        // the same of a sum of floats
    struct HotLines {
        double lines, sectors; // that many lines, which all SMs want; sectors of them that are served in a ns
    };
    using Hot = std::array<HotLines, 5>;
    Hot hotSectorsPerNs = {{{1, 1.4}, {8, 2.45}, {32, 9}, {256, 34}, {2048, 90}}};
    double fullSumSectorsPerNs = 58; // of sums with several words of each sector
    Hot hotStoresPerNs = {{{1, 8}, {2, 5.6}, {8, 6.8}, {64, 14}, {1024, 32}}}; // requests to store, to a line each
    // Atomics of shared memory that are loops: one lane, each further one that wants the same word, and the same where
    // other warps want it, too.
    std::uint16_t swapLatency = 75, swapRound = 95, swapContended = 46;
    double atomicLanesPerCycle = 320; // of the whole device, distinct addresses
    // Launching.
    double launchNs = 1700;             // of the measured time, not spent by the blocks: nothing lies in a cache
    double warmLaunchNs = 650;          // the same in a program, where they lie in L2
    double blockInterval = 1.2;         // cycles between two blocks that the device starts
    double warpInterval = 10;           // cycles between two warps that one SM is given
    std::uint16_t blockStart = 450;     // from a free place to the first instruction of the block that takes it
    double deviceLaunchNs = 9600;       // between two device-side launches
    double deviceLaunchLatencyNs = 800; // from a parent's end to its child's start

    // What so many of a spread do not exceed, 0 to 1; what is served in a ns of so many lines that all SMs want.
    static double quantile(const Spread& of, double at);
    static double hotRate(const Hot& knots, double lines);
    // Warp slots of an SM are dealt to its schedulers in turn: the one that a warp in this slot belongs to.
    std::uint32_t schedulerOf(std::uint32_t warpSlot) const { return warpSlot % std::uint32_t(schedulers); }
};

// The row of the device; the H200's for one that is not in the table.
const DeviceTiming& timingOf(const DeviceSpec& device);

} // namespace warpglass
