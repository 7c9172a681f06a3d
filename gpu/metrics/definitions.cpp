// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each name means. Names are nvprof's, since the documents use them; the Nsight Compute name beside is what a
// reader types today. Formulas are over exact counts: "executions" are warp-instructions, "requests" executions of a
// memory instruction with at least one active lane, "sectors" distinct 32-byte sectors of a request.
#include "gpu/metrics/metrics.h"

namespace warpglass {

namespace {

constexpr std::string_view cudaProfilerGuide = "CUDA Profiler User's Guide, Metrics Reference";
constexpr std::string_view nsightGuide = "Nsight Compute documentation, nvprof Metric Comparison";

constexpr MetricDefinition table[] = {
    {"branch", "smsp__sass_branch_targets.sum", "1", "executions of control transfers, summed", cudaProfilerGuide},
    {"divergent_branch", "smsp__sass_branch_targets_threads_divergent.sum", "1",
     "executions of branches whose active lanes went both ways", cudaProfilerGuide},
    {"branch_efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct", "%",
     "100 * (branch - divergent_branch) / branch; undefined if no conditional branch was executed", cudaProfilerGuide},
    {"warp_execution_efficiency", "smsp__thread_inst_executed_per_inst_executed.ratio", "%",
     "100 * active lanes summed over executions / (32 * executions)", cudaProfilerGuide},
    {"inst_executed", "smsp__inst_executed.sum", "1", "executions of all instructions", cudaProfilerGuide},
    {"inst_per_warp", "smsp__average_inst_executed_per_warp.ratio", "1", "executions / warps of the launch",
     cudaProfilerGuide},
    {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", "%",
     "100 * resident warps over time / (time in which the SM holds a block * largest number of warps), over all SMs",
     cudaProfilerGuide},
    {"theoretical_occupancy", "sm__maximum_warps_per_active_cycle_pct", "%",
     "100 * warps of the blocks that fit on an SM / largest number of warps", "cuda_occupancy.h of CUDA 13.0"},
    {"gld_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "%",
     "100 * distinct bytes loaded / (32 * sectors), over all global load requests", nsightGuide},
    {"gst_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", "%",
     "100 * distinct bytes stored / (32 * sectors), over all global store requests", nsightGuide},
    {"gld_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "1", "sectors of global load requests",
     nsightGuide},
    {"gst_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "1", "sectors of global store requests",
     nsightGuide},
    {"gld_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "1", "requests of global loads", nsightGuide},
    {"gst_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "1", "requests of global stores", nsightGuide},
    {"gld_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", "B/s",
     "32 * gld_transactions / duration", nsightGuide},
    {"gst_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second", "B/s",
     "32 * gst_transactions / duration", nsightGuide},
    {"dram_read_throughput", "dram__bytes_read.sum.per_second", "B/s", "bytes read from DRAM / duration", nsightGuide},
    {"shared_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "1",
     "passes through the 32 banks beyond those that a conflict-free access needs, summed", nsightGuide},
    {"stall_sync", "smsp__warp_issue_stalled_barrier_per_warp_active.pct", "%",
     "100 * cycles of resident warps spent waiting at a barrier / cycles of resident warps", nsightGuide},
    {"duration_ns", "gpu__time_duration.sum", "ns", "end of the launch - its start", nsightGuide},
};

} // namespace

std::span<const MetricDefinition> metricDefinitions() {
    return table;
}

} // namespace warpglass
