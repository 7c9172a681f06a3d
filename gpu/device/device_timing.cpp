// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the figures come from.
//   [T] Throughput: CUDA C++ Programming Guide, "Arithmetic Instructions", results a clock and SM by compute
//       capability; an interval is 32 lanes x schedulers / that figure, at least 1.
//   [H] Latencies of H100 and A100 (dependent operation, shared, L1, L2, DRAM): W. Luo et al., "Benchmarking and
//       Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking", 2024, and H. Abdelkhalik et al.,
//       "Demystifying the Nvidia Ampere Architecture through Microbenchmarking", 2022.
//   [V] Latencies of the V100: Z. Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
//       2018.
//   [M] Our own measurements on an H200 (tests/timing/h200-micro.csv): rates, store, atomic and barrier costs, block
//       starts, bandwidths reached, device-side launches.
//   [X] Tensor cores: peak rates of NVIDIA's datasheets divided by clock and number of SMs; latencies of m16n8k8 and
//       m16n8k16 on the A100, 17.7 and 24.7 cycles: W. Sun et al., "Dissecting Tensor Cores via Microbenchmarks", 2022;
//       the share of the peak that mma.sync reaches on Hopper, and 128 cycles for m64n256k16 of wgmma: [H].
//   [A] Assumed: carried over from the H200 by clock and number of SMs, since nobody has measured it here.
// H200: all [M]: a step of a chase through shared memory takes 22.8 cycles there, L1 31.75, L2 268.7, constant memory
// 34, memory that nobody has touched 656 to 673 (published for the H100: 29, 41, 263, 479); spreads are those of 2048
// single loads (each_*), the page's share that of random loads by all SMs (chains_dram_*, gather_*). dramLoaded, dramMixed,
// constantReplay and constantWordCycles are those of constant_lanes and constant_load, and warmLaunchNs was fitted
// to the short launches of public programs (600 would be that of an empty kernel, again and again).
// dramWritesBack: streams_getrows4/MB:16 to 64, dirty over cold (1.34 to 1.36, with latencies that grow with it).
// l2StoreShare: streams_put4, streams_getrows4 again. dramIdleShare: batch_* (132 SMs with few warps); dramMemory,
// dramPageOpen and specialQueue were fitted (with 16 warps that want it all the time, the unit for special functions is never
// idle). partOfMissing: a half streams_putrows4, an eighth scatter, none streams_put4; partsKept: scatter (of 4 MB none is
// fetched to be complete, of 16 MB most). writtenAgain: rewrite/* (what is new goes at 4.8 TB/s; of 1 to 2 MB that are
// written 128 to 512 times 3.1 to 3.5, of 4 to 16 MB 3.7 to 4.1, of 33 MB 4.3). constantFetch, constantBytes, constantWays:
// chase_constant, constant_set. hotStoresPerNs: part_store_*. barrierCounts, barrierReduces: bar_red_*. bulk*:
// bulk/from:l2/bytes:16 and bytes:32768, one copy and four under way, by one SM and by 132, and from:l2_same. bulkAsk: a
// thread that asks, waits and asks again makes one copy in 160 cycles (bulk/from:l2/bytes:16/flying:16). mbarrier*:
// mbarrier/test_done, arrive_all, arrive; try*: mbarrier/there_and_back/try, try_open. fences: fence/*, less the loop around
// them; setmaxnreg: setmaxnreg/*, both of a pair alike. clusterOwn, clusterOther, clusterFar: cluster/load_chase and
// atomic_chase; networkBytesPerCycle: cluster/bulk/bytes:16384; clusterBarrier*: cluster/barrier_relaxed.
// tensorFromRegisters, tensorThroughShared: wgmma/*; tensorDouble*, tensorFourBits: product/*. sleepNs is assumed [A].
// unoptimisedStall is what ptxas -G writes into each instruction.
// l2Far: atomic_wait_*, the least and the most of some SMs, each alone; meet_load/atomic/*. Loads that others' stores are to be seen
// by take no longer than others (meet_load/volatile, relaxed, acquire as cg). storeLinesPerNs: results/stores/blocks:132/*,
// end_behind/blocks:132/*; fenceFar: fence_behind/blocks:1/warps:1/*, of one line and of eight; fullSumSectorsPerNs:
// results/sums/blocks:132/*. atomicsUnderWay:
// merge_u32_kept/*: who adds 128 times from an SM, to four sectors each, goes on at once, and 256 times does not.
// launchNs and blockStart were fitted to every second launch of the calibration set (resources/model); the others tested
// them. Rates of atomics are those of atomics_* and atomics2_*.
#include "gpu/device/device_timing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpglass {

namespace {

using Intervals = std::array<std::uint8_t, std::size_t(Pipe::Count_)>;

// What no source tells goes by the clock and the number of SMs.
DeviceTiming carriedOver(std::string_view key) {
    const DeviceSpec& spec = *findDevice(key);
    const DeviceSpec& h200 = *findDevice("h200");
    DeviceTiming t;
    t.key = key;
    const double clock = spec.smClockMHz / h200.smClockMHz, size = clock * spec.smCount / h200.smCount;
    t.l2GBs *= size;
    t.l2RequestsPerNs *= size;
    t.storeLinesPerNs *= size;
    t.partialWritesPerNs *= size;
    t.partFillsPerNs *= size;
    t.atomicLanesPerCycle *= double(spec.smCount) / h200.smCount;
    for (DeviceTiming::HotLines& h : t.hotSectorsPerNs)
        h.sectors *= clock;
    t.fullSumSectorsPerNs *= clock;
    t.dramGBs = spec.dramGBs * (t.dramGBs / h200.dramGBs);
    t.l2GBs = std::max(t.l2GBs, 1.2 * t.dramGBs);
    t.l2BytesPerCycle = 64;
    return t;
}

std::array<DeviceTiming, 9> makeTable() {
    DeviceTiming h200;
    h200.key = "h200";
    h200.l2Far = 222, h200.atomicsUnderWay = 160;
    h200.source = "Latencies, rates, stores, atomics, barriers, launches and bandwidths: measured on an H200; load on "
                  "DRAM and start of blocks: fitted to every second launch of the calibration set";

    DeviceTiming h100 = carriedOver("h100");
    h100.l2Far = h200.l2Far, h100.atomicsUnderWay = h200.atomicsUnderWay;
    h100.source = "As the H200, with the H100's memory: bandwidth from the datasheet, the share that kernels reach "
                  "assumed to be the H200's";

    DeviceTiming a100 = carriedOver("a100");
    a100.tensorProducts = 256;
    a100.tensorBegin = 0, a100.tensor = 11;
    a100.interval = {1, 2, 2, 2, 2, 4, 1, 8, 2, 2};
    a100.fp64 = 6, a100.special = 23, a100.shared = 29, a100.l1 = 38, a100.l2 = 262, a100.dram = 466;
    a100.l1Bytes = 192 * 1024;
    a100.source = "Latencies: published microbenchmarks of the A100; rates: CUDA programming guide, compute capability "
                  "8.0; the rest assumed from the H200 by clock and SMs";

    DeviceTiming v100 = carriedOver("v100");
    v100.tensorProducts = 128;
    v100.tensorBegin = 0;
    v100.interval = {1, 2, 2, 2, 2, 4, 1, 8, 2, 2};
    v100.shared = 20, v100.l1 = 28, v100.l2 = 212, v100.dram = 500;
    v100.l1Bytes = 128 * 1024;
    v100.source = "Latencies but DRAM's: published microbenchmarks of the V100; rates: CUDA programming guide, compute "
                  "capability 7.0; DRAM latency and the rest assumed";

    DeviceTiming rtx4070 = carriedOver("rtx4070");
    rtx4070.tensorProducts = 128;
    rtx4070.tensorBegin = 0;
    rtx4070.interval = {1, 2, 2, 1, 2, 64, 1, 8, 2, 2};
    rtx4070.fp64 = 64, rtx4070.shared = 30, rtx4070.l1 = 43, rtx4070.l2 = 273, rtx4070.dram = 542;
    rtx4070.l1Bytes = 128 * 1024;
    rtx4070.source = "Latencies: published microbenchmarks of the RTX 4090; rates: CUDA programming guide, compute "
                     "capability 8.9; the rest assumed from the H200 by clock and SMs";

    DeviceTiming rtx3090 = carriedOver("rtx3090");
    rtx3090.tensorProducts = 128;
    rtx3090.tensorBegin = 0;
    rtx3090.interval = {1, 2, 2, 1, 2, 64, 1, 8, 2, 2};
    rtx3090.fp64 = 64, rtx3090.special = 21, rtx3090.shared = 29, rtx3090.l1 = 32, rtx3090.l2 = 262, rtx3090.dram = 500;
    rtx3090.l1Bytes = 128 * 1024;
    rtx3090.source = "Dependent operations, shared memory and L1: published microbenchmarks of the RTX 30 series; "
                     "rates: CUDA programming guide, compute capability 8.6; L2, DRAM and the rest assumed";

    DeviceTiming gtx1060 = carriedOver("gtx1060");
    gtx1060.interval = {1, 1, 2, 1, 3, 32, 64, 4, 2, 2};
    gtx1060.alu = 6, gtx1060.fp64 = 48, gtx1060.shared = 24, gtx1060.l1 = 82, gtx1060.l2 = 216, gtx1060.dram = 450;
    gtx1060.l1Bytes = 48 * 1024 + 96 * 1024;
    gtx1060.source = "Rates: CUDA programming guide, compute capability 6.1; latencies assumed from what the "
                     "literature says of Pascal; the rest assumed from the H200 by clock and SMs";

    DeviceTiming k20x = carriedOver("k20x");
    k20x.interval = {1, 1, 2, 1, 4, 2, 1, 4, 2, 2};
    k20x.alu = 10, k20x.fp64 = 10, k20x.shared = 48, k20x.l1 = 200, k20x.l2 = 200, k20x.dram = 400;
    k20x.l1Bytes = 64 * 1024;
    k20x.source = "Rates: CUDA programming guide, compute capability 3.5 (one instruction a scheduler and cycle; the "
                  "second one is not modelled); latencies as the documents say of Kepler (10 to 20 and 400 to 800 "
                  "cycles); the rest assumed";

    DeviceTiming m2070 = carriedOver("m2070");
    m2070.schedulers = 2;
    m2070.interval = {2, 2, 4, 2, 4, 4, 2, 16, 4, 4};
    m2070.alu = 20, m2070.fp64 = 20, m2070.shared = 48, m2070.l1 = 80, m2070.l2 = 300, m2070.dram = 800;
    m2070.l1Bytes = 64 * 1024;
    m2070.source = "Two schedulers; rates: CUDA programming guide, compute capability 2.0; latencies as the documents "
                   "say of Fermi (20 and 800 cycles); the rest assumed";
    return {h200, h100, a100, v100, rtx4070, rtx3090, gtx1060, k20x, m2070};
}

} // namespace

double DeviceTiming::quantile(const Spread& of, double at) {
    const auto& knots = spreadAt;
    std::size_t k = 1;
    while (k + 1 < knots.size() && at > knots[k])
        ++k;
    return of[k - 1] + (of[k] - of[k - 1]) * (at - knots[k - 1]) / (knots[k] - knots[k - 1]);
}

double DeviceTiming::hotRate(const Hot& knots, double wanted) {
    const double lines = std::max(1.0, wanted);
    std::size_t k = 1;
    while (k + 1 < knots.size() && lines > knots[k].lines)
        ++k;
    const double at =
        std::min(1.0, std::log(lines / knots[k - 1].lines) / std::log(knots[k].lines / knots[k - 1].lines));
    return knots[k - 1].sectors * std::pow(knots[k].sectors / knots[k - 1].sectors, at);
}

const DeviceTiming& timingOf(const DeviceSpec& device) {
    static const std::array<DeviceTiming, 9> table = makeTable();
    const auto row =
        std::find_if(table.begin(), table.end(), [&](const DeviceTiming& t) { return t.key == device.key; });
    return row == table.end() ? table.front() : *row;
}

} // namespace warpglass
