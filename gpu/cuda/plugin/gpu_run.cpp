// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/gpu_run.h"
#include "gpu/base/catalogue.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/cuda/plugin/devices.h"
#include "gpu/cuda/plugin/facts.h"
#include "gpu/cuda/plugin/machine_run.h"
#include "gpu/cuda/plugin/probed_run.h"
#include "gpu/launch/validate.h"
#include "gpu/probe/standing.h"
#include "gpu/ptx/parse.h"

#include <algorithm>
#include <fmt/format.h>

namespace warpglass::cuda {

namespace {

std::size_t differingBytes(const Buffers& a, const Buffers& b) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        for (std::size_t n = 0; n < std::min(a[i].size(), b[i].size()); ++n)
            different += a[i][n] != b[i][n];
    return different;
}

// A device-wide limit of how many launches made by kernels may wait.
Result<void> setPendingLaunches(std::uint32_t limit) {
    const cudaError_t code = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit);
    return code == cudaSuccess ? Result<void>() : Result<void>(errorOf(code, say::PendingNotSet));
}

// The run of a kernel that failed or never ended.
GpuRun faultyRun(const TraceInfo& info, const LaunchPlan& plan, const RunOptions& options, const KernelFacts& facts,
                 CleanRun& clean) {
    GpuRun run;
    run.fault = faultOf(clean.first, plan.kernelName, options.timeLimitSeconds);
    run.trace = bareTrace(info, plan, 0);
    addCleanFacts(run.trace, plan, facts, clean);
    Diagnostic d = noteOf(wholeOf(*run.fault), clean.first.ended ? DiagnosticKind::Trap : DiagnosticKind::EndlessLoop);
    d.fatal = true;
    run.trace.diagnostics.push_back(d);
    return run;
}

// Who waits for whom where the kernel with probes runs on.
GpuRun standingRun(const LaunchPlan& plan, double limitSeconds, ProbedRun probed, const Launched& running) {
    GpuRun run;
    run.fault = faultOf(running, plan.kernelName, limitSeconds);
    run.trace = std::move(probed.trace);
    std::vector<std::string> parameters;
    for (const Argument& argument : plan.arguments)
        parameters.push_back(argument.name);
    probe::Standings standings = probe::standingOf(run.trace, 0, parameters, plan.headers);
    Diagnostic d;
    d.fatal = true;
    d.launch = 0;
    d.kind = DiagnosticKind::EndlessLoop;
    d.message = wholeOf(*run.fault);
    if (!standings.waits.empty()) {
        const HangWait& first = standings.waits.front();
        if (first.kind != HangKind::Word)
            d.kind = DiagnosticKind::Deadlock;
        d.message = say::LastRecords(run.fault->message, standings.blocks, standings.sentence);
        run.fault->message = d.message;
        d.block = first.block;
        d.ptxLine = first.ptxLine;
        d.source = first.source;
        d.waits = std::move(standings.waits);
    }
    run.trace.diagnostics.push_back(std::move(d));
    return run;
}

} // namespace

Result<GpuRun> runOnGpu(const LaunchPlan& plan, const RunOptions& options, std::vector<std::vector<std::byte>> initial,
                        const std::function<void(double)>& report, const std::function<void(GpuRun)>& giveUp,
                        bool hangs) {
    const auto driver = loadDriver();
    if (!driver)
        return driver.error();
    const auto device = chooseDevice(listDevices(), options.device);
    if (!device)
        return device.error();
    if (const cudaError_t code = cudaSetDevice(device->ordinal); code != cudaSuccess)
        return errorOf(code, say::GpuNotUsed);
    const auto parsed = ptx::parse(plan.ptx, plan.moduleName);
    if (const ptx::Function* entry = parsed ? parsed->findFunction(plan.entry) : nullptr)
        if (auto ok = validate(*entry, plan.grid, plan.block, plan.moduleName, plan.cluster); !ok)
            return ok.error();
    if (parsed && std::any_of(parsed->variables.begin(), parsed->variables.end(),
                              [](const ptx::Variable& v) { return v.opaque == ptx::Opaque::Samplerref; }))
        return Error{say::NoSamplerReferences, plan.moduleName, 0, 0, say::TextureObjects};
    const LaunchShape shape{plan.grid, plan.block, plan.sharedBytes, plan.cluster,
                            parsed && synchronisesGrid(*parsed, plan.entry)};
    if (auto ok = checkShape(shape, device->ordinal); !ok)
        return ok.error();
    if (auto ok = setPendingLaunches(plan.pendingLaunchLimit); !ok)
        return ok.error();
    report(0.1);
    // Only what dynamic shared memory is aligned to differs; measurements were made of what the linker makes.
    const SharedLayout layout =
        plan.ptx.find(".extern .shared") == std::string::npos ? SharedLayout::Linked : SharedLayout::Compiled;
    const auto module = LinkedModule::link(*driver, plan.ptx, plan.moduleName, plan.mode, false, 0, layout);
    if (!module)
        return module.error();
    const auto function = module->function(plan.entry);
    if (!function)
        return function.error();
    auto arguments = Arguments::make(*driver, plan, std::move(initial));
    if (!arguments)
        return arguments.error();
    report(0.2);

    const auto cupti = loadCupti();
    const Cupti* profiler = cupti ? &*cupti : nullptr;
    const KernelFacts facts = factsOf(*driver, &*module, *function, plan.entry);
    const auto alive = [&] { report(0.3); };
    const TraceInfo info = infoOf(*device, plan, options);
    const auto cleanHung = [&](const Launched& launched) {
        CleanRun nothing;
        nothing.first = launched;
        giveUp(faultyRun(info, plan, options, facts, nothing));
    };
    if (hangs) {
        if (!parsed)
            return parsed.error();
        constexpr double longEnough = 3; // seconds: it will not go on
        RunOptions brief = options;
        brief.timeLimitSeconds = std::min(options.timeLimitSeconds, longEnough);
        const auto unread = [&](const Launched& running) {
            ProbedRun nothing;
            nothing.trace = bareTrace(info, plan, 0);
            giveUp(standingRun(plan, options.timeLimitSeconds, std::move(nothing), running));
        };
        const auto whileRunning = [&](ProbedRun probed, const Launched& running) {
            giveUp(standingRun(plan, options.timeLimitSeconds, std::move(probed), running));
        };
        const auto probed = runProbed(*driver, plan, shape, brief, *parsed, *arguments, info, profiler, alive, unread,
                                      KernelForm{facts.sharedBytes, {}, layout, whileRunning});
        return probed ? Error{say::EndedThisTime} : probed.error();
    }
    const Repeatable launch{*driver,
                            *function,
                            shape,
                            arguments->values(),
                            [&]() -> Result<void> {
                                if (auto ok = arguments->restore(); !ok)
                                    return ok;
                                return arguments->setVariables(*module);
                            },
                            options.timeLimitSeconds,
                            alive,
                            cleanHung};
    auto clean = runClean(launch, *arguments, device->ordinal, options.counters, profiler);
    if (!clean)
        return clean.error();
    report(0.5);

    if (clean->first.code != cudaSuccess)
        return faultyRun(info, plan, options, facts, *clean);
    GpuRun run;
    run.wallSeconds = clean->first.milliseconds / 1000;
    run.buffers = std::move(clean->buffers);
    clean->counters.push_back({0, "theoretical_occupancy", "sm__maximum_warps_per_active_cycle_pct",
                               theoreticalOccupancy(*driver, *function, shape, device->ordinal), "%", Origin::Counted});
    for (const Counter& c : clean->counters)
        if (c.metric == "inst_executed")
            run.warpInstructions = std::uint64_t(c.value);

    const auto withoutEvents = [&](const Error& why) {
        run.trace = bareTrace(info, plan, clean->durationNs);
        addCleanFacts(run.trace, plan, facts, *clean);
        run.trace.diagnostics.push_back(noteOf(say::NoEvents(wholeOf(why))));
        return std::move(run);
    };
    if (parsed && options.detail.kind == Detail::Kind::None && options.maxEvents == 0 && !launchesKernels(*parsed)) {
        run.trace = bareTrace(info, plan, clean->durationNs, &*parsed);
        addCleanFacts(run.trace, plan, facts, *clean);
        return run;
    }
    const auto probedHung = [&](const Launched& launched) {
        giveUp(withoutEvents(faultOf(launched, say::KernelWithProbes, options.timeLimitSeconds)));
    };
    Result<ProbedRun> probed = parsed ? runProbed(*driver, plan, shape, options, *parsed, *arguments, info, profiler,
                                                  alive, probedHung, KernelForm{facts.sharedBytes, {}, layout})
                                      : parsed.error();
    report(0.8);
    if (!probed)
        return withoutEvents(probed.error());
    run.trace = std::move(probed->trace);
    addCleanFacts(run.trace, plan, facts, *clean);
    addProbedFacts(run.trace, plan, *probed);
    if (const std::size_t bytes = differingBytes(run.buffers, probed->buffers); bytes > 0)
        run.trace.diagnostics.push_back(noteOf(say::ProbedDiffers(bytes)));
    // Last, because a profiler that fails must cost nothing else.
    // Samples come from a module of their own, whose variables nobody sets and whose references nobody binds.
    run.sampled = profiler && options.counters && options.detail.kind != Detail::Kind::None && plan.globals.empty() &&
                  plan.textures.empty() && plan.surfaces.empty();
    if (run.sampled) {
        Repeatable again = launch;
        again.hung = [&](const Launched&) { giveUp(std::move(run)); }; // what is there stays
        addMachineFacts(again, plan, *parsed, *profiler, device->ordinal, run.trace);
    }
    return run;
}

} // namespace warpglass::cuda
