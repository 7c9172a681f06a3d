// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every metric, a row each: what it is called, what it means, where it is shown and the function that works it out.
// Names are nvprof's, since the documents use them; the Nsight Compute name beside is what a reader types today.
// Formulas are over exact counts: "executions" are warp-instructions, "requests" executions of a memory instruction
// with at least one active lane, "sectors" distinct 32-byte sectors of a request.
//
// A new metric is a row here, its Chinese title in resources/translations and a case in the tests; nothing else in the
// program names all of them.
#include "gpu/metrics/metric_values.h"
#include "gpu/trace/register_origin.h"

#include <algorithm>

namespace warpglass {

namespace {

using In = const MetricInput&;

constexpr std::string_view cudaProfilerGuide = "CUDA Profiler User's Guide, Metrics Reference";
constexpr std::string_view nsightGuide = "Nsight Compute documentation, nvprof Metric Comparison";

// In the order in which they are listed wherever all of them are.
constexpr MetricDefinition table[] = {
    {.name = "branch",
     .nsight = "smsp__sass_branch_targets.sum",
     .unit = "1",
     .formula = "executions of control transfers, summed",
     .source = cudaProfilerGuide,
     .title = "Branches",
     .view = "lanes",
     .counterScale = 1,
     .value = [](In in) { return counted(in, in.totals.branches); }},
    {.name = "divergent_branch",
     .nsight = "smsp__sass_branch_targets_threads_divergent.sum",
     .unit = "1",
     .formula = "executions of branches whose active lanes went both ways",
     .source = cudaProfilerGuide,
     .title = "Divergent branches",
     .view = "lanes",
     .lowerIsBetter = true,
     .counterScale = 1,
     .value = [](In in) { return counted(in, in.totals.divergent); }},
    {.name = "branch_efficiency",
     .nsight = "smsp__sass_average_branch_targets_threads_uniform.pct",
     .unit = "%",
     .formula = "100 * (branch - divergent_branch) / branch; undefined if no conditional branch was executed",
     .source = cudaProfilerGuide,
     .title = "Branch efficiency",
     .view = "lanes",
     .counterScale = 1,
     .value = branchEfficiency},
    {.name = "warp_execution_efficiency",
     .nsight = "smsp__thread_inst_executed_per_inst_executed.ratio",
     .unit = "%",
     .formula = "100 * active lanes summed over executions / (32 * executions)",
     .source = cudaProfilerGuide,
     .title = "Warp execution efficiency",
     .view = "lanes",
     .counterScale = 100.0 / lanesPerWarp, // the hardware tells threads an instruction
     .value =
         [](In in) {
             return percent(in, double(in.totals.lanes), double(in.totals.executions) * lanesPerWarp,
                            "no instruction was executed");
         }},
    {.name = "inst_executed",
     .nsight = "smsp__inst_executed.sum",
     .unit = "1",
     .formula = "executions of all instructions",
     .source = cudaProfilerGuide,
     .title = "Instructions",
     .view = "source",
     .lowerIsBetter = true,
     .counterScale = 1,
     .value = [](In in) { return counted(in, in.totals.executions); }},
    {.name = "inst_per_warp",
     .nsight = "smsp__average_inst_executed_per_warp.ratio",
     .unit = "1",
     .formula = "executions / warps of the launch",
     .source = cudaProfilerGuide,
     .title = "Instructions a warp",
     .view = "source",
     .lowerIsBetter = true,
     .counterScale = 1,
     .value = instructionsPerWarp},
    {.name = "achieved_occupancy",
     .nsight = "sm__warps_active.avg.pct_of_peak_sustained_active",
     .unit = "%",
     .formula = "100 * resident warps over time / (time in which the SM holds a block * largest number of warps), over "
                "all SMs",
     .source = cudaProfilerGuide,
     .title = "Achieved occupancy",
     .view = "occupancy",
     .counterScale = 1,
     .value = achievedOccupancy},
    {.name = "theoretical_occupancy",
     .nsight = "sm__maximum_warps_per_active_cycle_pct",
     .unit = "%",
     .formula = "100 * warps of the blocks that fit on an SM / largest number of warps",
     .source = "cuda_occupancy.h of CUDA 13.0",
     .title = "Theoretical occupancy",
     .view = "occupancy",
     .value = theoreticalOccupancy},
    {.name = "gld_efficiency",
     .nsight = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
     .unit = "%",
     .formula = "100 * distinct bytes loaded / (32 * sectors), over all global load requests",
     .source = nsightGuide,
     .title = "Load efficiency",
     .view = "memory",
     .counterScale = 1,
     .value =
         [](In in) {
             return percent(in, double(in.totals.load.bytes), double(in.totals.load.sectors) * bytesPerSector,
                            "no global load was executed");
         }},
    {.name = "gst_efficiency",
     .nsight = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
     .unit = "%",
     .formula = "100 * distinct bytes stored / (32 * sectors), over all global store requests",
     .source = nsightGuide,
     .title = "Store efficiency",
     .view = "memory",
     .counterScale = 1,
     .value =
         [](In in) {
             return percent(in, double(in.totals.store.bytes), double(in.totals.store.sectors) * bytesPerSector,
                            "no global store was executed");
         }},
    {.name = "gld_transactions",
     .nsight = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     .unit = "1",
     .formula = "sectors of global load requests",
     .source = nsightGuide,
     .title = "Load sectors",
     .view = "memory",
     .counterScale = 1,
     .value = [](In in) { return counted(in, in.totals.load.sectors); }},
    {.name = "gst_transactions",
     .nsight = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     .unit = "1",
     .formula = "sectors of global store requests",
     .source = nsightGuide,
     .title = "Store sectors",
     .view = "memory",
     .counterScale = 1,
     .value = [](In in) { return counted(in, in.totals.store.sectors); }},
    {.name = "gld_requests",
     .nsight = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     .unit = "1",
     .formula = "requests of global loads",
     .source = nsightGuide,
     .title = "Load requests",
     .view = "memory",
     .counterScale = 1,
     .value = [](In in) { return counted(in, in.totals.load.requests); }},
    {.name = "gst_requests",
     .nsight = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     .unit = "1",
     .formula = "requests of global stores",
     .source = nsightGuide,
     .title = "Store requests",
     .view = "memory",
     .counterScale = 1,
     .value = [](In in) { return counted(in, in.totals.store.requests); }},
    {.name = "gld_throughput",
     .nsight = "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second",
     .unit = "B/s",
     .formula = "32 * gld_transactions / duration",
     .source = nsightGuide,
     .title = "Load throughput",
     .view = "memory",
     .counterScale = 1,
     .value = [](In in) { return throughput(in, in.totals.load.sectors); }},
    {.name = "gst_throughput",
     .nsight = "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second",
     .unit = "B/s",
     .formula = "32 * gst_transactions / duration",
     .source = nsightGuide,
     .title = "Store throughput",
     .view = "memory",
     .counterScale = 1,
     .value = [](In in) { return throughput(in, in.totals.store.sectors); }},
    {.name = "dram_read_throughput",
     .nsight = "dram__bytes_read.sum.per_second",
     .unit = "B/s",
     .formula = "bytes read from DRAM / duration",
     .source = nsightGuide,
     .title = "DRAM read throughput",
     .view = "memory",
     .counterScale = 1,
     .value = [](In) { return undefined("traffic to DRAM is not counted in this run", Origin::Measured); }},
    {.name = "shared_bank_conflicts",
     .nsight = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
     .unit = "1",
     .formula = "passes through the 32 banks beyond those that a conflict-free access needs, summed",
     .source = nsightGuide,
     .title = "Bank conflicts",
     .view = "memory",
     .lowerIsBetter = true,
     .counterScale = 1,
     .value = [](In in) { return counted(in, in.totals.conflicts); }},
    {.name = "stall_sync",
     .nsight = "smsp__warp_issue_stalled_barrier_per_warp_active.pct",
     .unit = "%",
     .formula = "100 * cycles of resident warps spent waiting at a barrier / cycles of resident warps",
     .source = nsightGuide,
     .title = "Waiting at barriers",
     .view = "timeline",
     .lowerIsBetter = true,
     .counterScale = 1,
     .value = barrierStall},
    {.name = "duration_ns",
     .nsight = "gpu__time_duration.sum",
     .unit = "ns",
     .formula = "end of the launch - its start",
     .source = nsightGuide,
     .title = "Time",
     .view = "timeline",
     .lowerIsBetter = true,
     .counterScale = 1,
     .value = duration},
};

// Found elsewhere, from more than one launch or by the timing model, and shown beside the others.
constexpr MetricDefinition furtherTable[] = {
    {.name = "issue_slot_utilization",
     .nsight = "smsp__issue_active.avg.pct_of_peak_sustained_active",
     .unit = "%",
     .formula = "100 * cycles in which a scheduler issued / cycles of all schedulers, of the SMs run in time",
     .source = nsightGuide,
     .title = "Issue slots used",
     .view = "scheduler"},
    {.name = "l1_hit_rate",
     .nsight = "l1tex__t_sector_hit_rate.pct",
     .unit = "%",
     .formula = "100 * sectors found in L1 / sectors asked of it, of the SMs run in time",
     .source = nsightGuide,
     .title = "L1 hit rate",
     .view = "memory"},
    {.name = estimatedRegisters,
     .nsight = "launch__registers_per_thread",
     .unit = "1",
     .formula = "most registers of the PTX that are live at once, corrected for what ptxas makes of them",
     .source = nsightGuide,
     .title = "Registers a thread (estimated)",
     .view = "occupancy"},
    {.name = "operations",
     .unit = "1",
     .formula = "arithmetic of active threads, fma as two; 64-bit integer arithmetic (addresses) left out",
     .title = "Arithmetic operations",
     .view = "charts"},
    {.name = "global_bytes",
     .unit = "B",
     .formula = "32 * (gld_transactions + gst_transactions)",
     .title = "Bytes of global memory",
     .view = "charts"},
    {.name = "effective_bandwidth",
     .unit = "B/s",
     .formula = "bytes of the arrays that the kernel is given / duration",
     .title = "Bandwidth (input / time)",
     .view = "charts"},
    {.name = "step_speedup",
     .unit = "x",
     .formula = "duration of the kernel before / own",
     .title = "Speed-up of the step",
     .view = "charts"},
    {.name = "total_speedup",
     .unit = "x",
     .formula = "duration of the first kernel / own",
     .title = "Speed-up in all",
     .view = "charts"},
};

} // namespace

std::span<const MetricDefinition> metricDefinitions() {
    return table;
}

namespace {

const MetricDefinition* find(std::string_view wanted, std::string_view MetricDefinition::*kind) {
    const auto in = [&](std::span<const MetricDefinition> rows) -> const MetricDefinition* {
        const auto found = std::ranges::find(rows, wanted, kind);
        return found == rows.end() ? nullptr : &*found;
    };
    const MetricDefinition* found = in(table);
    return found ? found : in(furtherTable);
}

} // namespace

const MetricDefinition* findMetric(std::string_view name) {
    return find(name, &MetricDefinition::name);
}

const MetricDefinition* metricOfNsight(std::string_view name) {
    return name.empty() ? nullptr : find(name, &MetricDefinition::nsight);
}

} // namespace warpglass
