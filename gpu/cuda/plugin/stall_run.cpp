// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/stall_run.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/cuda/line_marks.h"
#include "gpu/cuda/plugin/pc_sampling.h"
#include "gpu/machine/kept.h"

#include <algorithm>
#include <cmath>
#include <map>
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

// The first launch of a kernel, by its entry's name; that of the host for functions that are called.
std::uint32_t launchOf(const Trace& trace, const std::string& function) {
    for (std::uint32_t l = 0; l < trace.launches.size(); ++l)
        if (trace.kernels[trace.launches[l].kernel].entry == function)
            return l;
    return 0;
}

} // namespace

Result<void> addStallSamples(const Repeatable& kernel, const LaunchPlan& plan, const ptx::Module& clean,
                             const Cupti& cupti, Trace& trace) {
    const auto module =
        LinkedModule::link(kernel.driver, markedByPtxLine(plan.ptx, clean), plan.moduleName, plan.mode, true);
    if (!module)
        return module.error();
    const auto function = module->function(plan.entry);
    if (!function)
        return function.error();
    const auto shared = [&](CUfunction f) {
        return attributeOf(kernel.driver, f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    };
    if (shared(*function) != shared(kernel.function)) // it might fault, and take the other results with it
        return Error{say::CopyForLinesOtherwise};
    Repeatable launch = kernel;
    launch.function = *function;
    if (launch.shape.sharedBytes > 48 * 1024)
        kernel.driver.cuFuncSetAttribute(*function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                         int(launch.shape.sharedBytes));
    CUcontext context = nullptr;
    kernel.driver.cuCtxGetCurrent(&context);
    const Kernel& host = trace.kernels[trace.launches.front().kernel];
    const double durationNs = std::max(host.cleanDurationNs, 1.0);
    const int times = std::clamp(int(enoughNs / durationNs), 1, mostLaunches);
    const auto samples = samplePcs(cupti, context, periodFor(durationNs, trace.info.smClockMHz), [&]() -> Result<void> {
        for (int i = 0; i < times; ++i) {
            const auto launched = launch.once();
            if (!launched)
                return launched.error();
            if (!launched->ended || launched->code != cudaSuccess)
                return faultOf(*launched, "the kernel, run again to be sampled,", launch.limitSeconds);
        }
        return {};
    });
    if (!samples)
        return samples.error();

    trace.codes = {}; // samples stand at places of this code
    if (auto ok = machine::keepAll(trace.codes, std::as_bytes(std::span(module->cubin())), trace.kernels); !ok)
        return ok.error();
    Sites sites(trace, clean);
    std::uint64_t total = 0;
    for (const StallSample& row : samples->rows) {
        // Each reason comes twice: all samples, and those in cycles in which no warp of the scheduler could issue.
        if (std::string_view(row.stall).ends_with("_not_issued"))
            continue;
        Sample sample;
        sample.launch = launchOf(trace, row.function);
        sample.sassOffset = std::uint32_t(row.pcOffset);
        sample.stall = row.stall;
        sample.count = row.count;
        if (const std::uint32_t line = lineOf(cupti, module->cubin(), row.function, row.pcOffset))
            sample.site = sites.at(trace.launches[sample.launch].kernel, line);
        total += row.count;
        trace.samples.push_back(std::move(sample));
    }
    trace.counters.push_back({0, "pc_samples", "", double(total), "1", Origin::Measured});
    trace.counters.push_back({0, "pc_samples_dropped", "", double(samples->dropped), "1", Origin::Measured});
    trace.counters.push_back({0, "pc_sampling_period", "", double(samples->periodCycles), "cycles", Origin::Counted});
    trace.counters.push_back({0, "pc_sampled_launches", "", double(times), "1", Origin::Counted});
    return {};
}

} // namespace warpglass::cuda
