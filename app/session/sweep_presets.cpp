// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/sweep.h"

#include <algorithm>

namespace warpglass::session {

namespace {

const std::vector<SweepPreset>& table() {
    using List = std::vector<std::string>;
    const List blockMetrics{"duration_ns", "achieved_occupancy", "gld_throughput", "gld_efficiency"};
    const List speedMetrics{"duration_ns", "effective_bandwidth", "step_speedup", "total_speedup"};
    static const std::vector<SweepPreset> rows = {
        {.key = "d0-blocks",
         .document = "D0",
         .titleEn = "Matrix sum in column order, by block shape",
         .titleZh = "按列访问的矩阵求和：各种线程块形状",
         .kernels = {"sumMatrix2D"},
         .blocks = {{32, 32},
                    {32, 16},
                    {16, 32},
                    {16, 16},
                    {16, 8},
                    {8, 16},
                    {64, 2},
                    {64, 4},
                    {64, 8},
                    {128, 2},
                    {128, 4},
                    {128, 8},
                    {256, 2},
                    {256, 4},
                    {256, 8}},
         .emulatorSize = 4096,
         .metrics = blockMetrics},
        {.key = "d4-blocks",
         .document = "D4",
         .titleEn = "Matrix sum in row order, by block shape",
         .titleZh = "按行访问的矩阵求和：各种线程块形状",
         .kernels = {"sumMatrixOnGPU2D"},
         .blocks = {{32, 32},
                    {32, 16},
                    {16, 32},
                    {16, 16},
                    {64, 2},
                    {64, 4},
                    {64, 8},
                    {128, 2},
                    {128, 4},
                    {128, 8},
                    {256, 2},
                    {256, 4}},
         .emulatorSize = 4096,
         .metrics = blockMetrics},
        {.key = "d1-reductions",
         .document = "D1",
         .titleEn = "Seven reductions in shared memory",
         .titleZh = "七个共享内存归约版本",
         .kernels = {"reduce0", "reduce1", "reduce2", "reduce3", "reduce4", "reduce5", "reduce6"},
         .metrics = speedMetrics},
        {.key = "d4-reductions",
         .document = "D4",
         .titleEn = "Nine reductions in global memory",
         .titleZh = "九个全局内存归约版本",
         .kernels = {"reduceNeighbored", "reduceNeighboredLess", "reduceInterleaved", "reduceUnrolling2",
                     "reduceUnrolling4", "reduceUnrolling8", "reduceUnrollWarps8", "reduceCompleteUnrollWarps8",
                     "reduceCompleteUnroll"},
         .blocks = {{512}},
         .metrics = {"duration_ns", "total_speedup", "gld_efficiency", "gst_efficiency"}},
        {.key = "d3-reductions",
         .document = "D3",
         .titleEn = "Three reductions: shared memory, then shuffles",
         .titleZh = "三个归约版本：从共享内存到洗牌指令",
         .kernels = {"reduce_v1", "reduce_v2", "reduce_v3"},
         .metrics = speedMetrics},
        {.key = "policies",
         .document = "D0",
         .titleEn = "Warp scheduling policies, modelled",
         .titleZh = "线程束调度策略（模型）",
         .kernels = {"reduceNeighbored", "reduceInterleaved", "reduce0", "reduce6"},
         .policies = {SchedulingPolicy::Lrr, SchedulingPolicy::Gto, SchedulingPolicy::Gty},
         .emulatorSize = 1 << 20,
         .metrics = {"duration_ns", "achieved_occupancy", "stall_sync"}},
    };
    return rows;
}

} // namespace

std::span<const SweepPreset> sweepPresets() {
    return table();
}

const SweepPreset* findPreset(std::string_view key) {
    const auto found = std::find_if(table().begin(), table().end(), [&](const SweepPreset& p) { return p.key == key; });
    return found == table().end() ? nullptr : &*found;
}

SweepRequest sweepOf(const SweepPreset& preset, const RunRequest& base) {
    SweepRequest sweep{.base = base, .title = preset.titleEn, .kernels = preset.kernels, .policies = preset.policies};
    sweep.base.kernel = preset.kernels.front();
    const bool ownShape = base.launch.size || base.launch.grid;
    if (!base.launch.block)
        sweep.blocks = preset.blocks;
    if (!ownShape && base.backend == "emulator" && preset.emulatorSize > 0)
        sweep.base.launch.size = preset.emulatorSize;
    sweep.base.documentLaunch = true; // what is still open is the document's
    return sweep;
}

} // namespace warpglass::session
