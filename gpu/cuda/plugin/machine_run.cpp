// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/machine_run.h"
#include "gpu/base/catalogue.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/cuda/line_marks.h"
#include "gpu/cuda/plugin/linked_module.h"
#include "gpu/cuda/plugin/pc_sampling.h"
#include "gpu/cuda/plugin/sass_counts.h"
#include "gpu/machine/cubin.h"
#include "gpu/machine/kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace warpglass::cuda {

namespace {

constexpr double enoughNs = 1e6; // of sampled time
constexpr int mostLaunches = 16;
constexpr double samplesASm = 512; // wanted of one launch

// A power of two of cycles, within what CUPTI takes, that gives a launch about samplesASm samples on each SM.
std::uint32_t periodFor(double durationNs, double clockMHz) {
    const double cycles = durationNs * clockMHz / 1000;
    return std::uint32_t(std::clamp(std::floor(std::log2(std::max(cycles / samplesASm, 1.0))), 5.0, 20.0));
}

// From a kernel and a PTX line to a site there.
class Sites {
public:
    Sites(Trace& trace, const ptx::Module& module) : m_trace(trace), m_module(module) {
        for (std::uint32_t s = 0; s < trace.sites.size(); ++s)
            m_known.emplace(std::pair(trace.sites[s].kernel, trace.sites[s].ptxLine), s);
    }

    std::uint32_t at(std::uint32_t kernel, std::uint32_t line) {
        const auto [known, isNew] = m_known.emplace(std::pair(kernel, line), std::uint32_t(m_trace.sites.size()));
        if (!isNew)
            return known->second;
        Site site;
        site.kernel = kernel;
        site.kind = SiteKind::Instruction;
        site.ptxLine = line;
        for (const LineLink& link : m_trace.kernels[kernel].lines)
            if (link.ptxLine == line && link.source.line > 0)
                site.where = {link.source};
        for (const ptx::Function& f : m_module.functions)
            for (const ptx::Instruction& i : f.body)
                if (i.line == int(line))
                    site.text = i.text;
        m_trace.sites.push_back(std::move(site));
        return known->second;
    }

private:
    Trace& m_trace;
    const ptx::Module& m_module;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_known;
};

// The kernel's machine code with lines of PTX, and where its rows go.
class MachineRun {
public:
    MachineRun(const Repeatable& kernel, const Cupti& cupti, int device, const ptx::Module& clean, Trace& trace)
        : m_launch(kernel), m_cupti(cupti), m_device(device), m_trace(trace), m_sites(trace, clean),
          m_durationNs(std::max(trace.kernels[trace.launches.front().kernel].cleanDurationNs, 1.0)) {
        kernel.driver.cuCtxGetCurrent(&m_context);
        m_launch.hung = [this, giveUp = kernel.hung](const Launched& launched) {
            m_trace.diagnostics.push_back(noteOf(say::NoInstructionCounts(
                say::DidNotEnd(say::RunAgainToBeCounted, fmt::format("{:g}", m_launch.limitSeconds)))));
            giveUp(launched);
        };
    }

    Result<void> begin(const LaunchPlan& plan, const ptx::Module& clean) {
        auto module =
            LinkedModule::link(m_launch.driver, markedByPtxLine(plan.ptx, clean), plan.moduleName, plan.mode, true);
        if (!module)
            return module.error();
        m_module.emplace(std::move(*module));
        const auto function = m_module->function(plan.entry);
        if (!function)
            return function.error();
        const auto shared = [&](CUfunction f) {
            return attributeOf(m_launch.driver, f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
        };
        if (shared(*function) != shared(m_launch.function)) // it might fault, and take the other results with it
            return Error{say::CopyForLinesOtherwise};
        m_launch.function = *function;
        if (m_launch.shape.sharedBytes > 48 * 1024)
            m_launch.driver.cuFuncSetAttribute(*function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                               int(m_launch.shape.sharedBytes));
        const machine::Bytes code = std::as_bytes(std::span(m_module->cubin()));
        auto cubin = machine::readCubin(code);
        if (!cubin)
            return cubin.error();
        m_cubin = std::move(*cubin);
        m_trace.codes = {}; // rows stand at places of this code
        return machine::keepAll(m_trace.codes, code, m_trace.kernels);
    }

    Result<void> sample() {
        const int times = std::clamp(int(enoughNs / m_durationNs), 1, mostLaunches);
        const auto samples = samplePcs(m_cupti, m_context, periodFor(m_durationNs, m_trace.info.smClockMHz),
                                       [&] { return launched(times, "the kernel, run again to be sampled,"); });
        if (!samples)
            return samples.error();
        std::uint64_t total = 0;
        for (const StallSample& row : samples->rows) {
            // Each reason comes twice: all samples, and those in cycles in which no warp of the scheduler could issue.
            if (std::string_view(row.stall).ends_with("_not_issued"))
                continue;
            auto sample = placed<Sample>(row.function, row.pcOffset);
            sample.stall = row.stall;
            sample.count = row.count;
            total += row.count;
            m_trace.samples.push_back(std::move(sample));
        }
        const auto counter = [&](const char* name, double value, const char* unit, Origin origin) {
            m_trace.counters.push_back({0, name, "", value, unit, origin});
        };
        counter("pc_samples", double(total), "1", Origin::Measured);
        counter("pc_samples_dropped", double(samples->dropped), "1", Origin::Measured);
        counter("pc_sampling_period", double(samples->periodCycles), "cycles", Origin::Counted);
        counter("pc_sampled_launches", double(times), "1", Origin::Counted);
        return {};
    }

    // Patched code takes several times as long; a kernel that does not come to its end with it is not waited for.
    Result<void> count() {
        constexpr double slowest = 1000; // times
        m_launch.limitSeconds = std::min(m_launch.limitSeconds, 2 + slowest * m_durationNs / 1e9);
        const auto counts =
            countInstructions(m_cupti, m_context, m_device, [&] { return launched(1, say::RunAgainToBeCounted); });
        if (!counts)
            return counts.error();
        for (const ExecutedInstruction& row : *counts) {
            auto count = placed<MachineCount>(row.function, row.pcOffset);
            count.executions = row.warps;
            count.lanes = row.lanes;
            if (count.site != noIndex)
                m_trace.machineCounts.push_back(count);
        }
        return {};
    }

private:
    Result<void> launched(int times, const Said& kernel) {
        for (int i = 0; i < times; ++i) {
            const auto one = m_launch.once();
            if (!one)
                return one.error();
            if (!one->ended || one->code != cudaSuccess)
                return faultOf(*one, kernel, m_launch.limitSeconds);
        }
        return {};
    }

    // A row at that place of the code: of the first launch of the function's kernel; that of the host for what is called.
    template <typename Row>
    Row placed(const std::string& function, std::uint64_t offset) {
        Row row;
        for (std::uint32_t l = std::uint32_t(m_trace.launches.size()); l-- > 0;)
            if (m_trace.kernels[m_trace.launches[l].kernel].entry == function)
                row.launch = l;
        row.sassOffset = std::uint32_t(offset);
        const auto code = std::ranges::find(m_cubin.functions, function, &machine::Function::name);
        const machine::LineRow* line = code == m_cubin.functions.end() ? nullptr : code->ptx.at(offset);
        if (line && line->line > 0)
            row.site = m_sites.at(m_trace.launches[row.launch].kernel, line->line);
        return row;
    }

    Repeatable m_launch;
    const Cupti& m_cupti;
    int m_device;
    Trace& m_trace;
    Sites m_sites;
    double m_durationNs;
    CUcontext m_context = nullptr;
    std::optional<LinkedModule> m_module;
    machine::Cubin m_cubin;
};

} // namespace

void addMachineFacts(const Repeatable& kernel, const LaunchPlan& plan, const ptx::Module& clean, const Cupti& cupti,
                     int device, Trace& trace) {
    MachineRun run(kernel, cupti, device, clean, trace);
    Result<void> sampled = run.begin(plan, clean);
    const bool begun = bool(sampled);
    if (begun)
        sampled = run.sample();
    if (!sampled)
        trace.diagnostics.push_back(noteOf(say::NoStallSamples(wholeOf(sampled.error()))));
    if (!begun)
        return;
    if (const auto counted = run.count(); !counted)
        trace.diagnostics.push_back(noteOf(say::NoInstructionCounts(wholeOf(counted.error()))));
}

} // namespace warpglass::cuda
