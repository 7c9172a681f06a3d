// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/facts.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/probe/kernel_rows.h"

#include <algorithm>
#include <ctime>

namespace warpglass::cuda {

namespace {

std::string now() {
    const std::time_t seconds = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

Kernel& kernelOfEntry(Trace& trace, const std::string& entry) {
    const auto at =
        std::find_if(trace.kernels.begin(), trace.kernels.end(), [&](const Kernel& k) { return k.entry == entry; });
    return at != trace.kernels.end() ? *at : trace.kernels.front();
}

} // namespace

TraceInfo infoOf(const CudaDevice& device, const LaunchPlan& plan, const RunOptions& options) {
    TraceInfo info;
    info.backend = BackendKind::Cuda;
    info.deviceName = device.name;
    info.ccMajor = device.ccMajor;
    info.ccMinor = device.ccMinor;
    info.smCount = device.smCount;
    info.smClockMHz = device.smClockMHz;
    info.memoryClockMHz = device.memoryClockMHz;
    info.driver = device.driver;
    info.program = "warpglass " WARPGLASS_VERSION;
    info.mode = plan.mode;
    info.timeUnit = TimeUnit::Nanoseconds;
    info.timeOrigin = Origin::Measured;
    info.when = now();
    info.command = options.command;
    info.size = plan.size;
    return info;
}

// What is known without probes: one kernel, one launch, no blocks. module: if its text could be read.
Trace bareTrace(const TraceInfo& info, const LaunchPlan& plan, double durationNs, const ptx::Module* module) {
    Trace trace;
    trace.info = info;
    Kernel kernel;
    kernel.name = plan.kernelName;
    kernel.entry = plan.entry;
    kernel.source = plan.source;
    kernel.sourceName = plan.sourceName;
    kernel.ptx = plan.ptx;
    kernel.ttgir = plan.ttgir;
    trace.kernels.push_back(module ? probe::kernelRow(*module, plan.entry, plan) : std::move(kernel));
    Launch launch;
    launch.grid = plan.grid;
    launch.block = plan.block;
    launch.sharedBytes = plan.sharedBytes;
    launch.end = {std::int64_t(durationNs)};
    trace.launches.push_back(launch);
    return trace;
}

KernelFacts factsOf(const Driver& driver, const LinkedModule* module, CUfunction function, const std::string& entry) {
    const auto attribute = [&](CUfunction_attribute which) { return attributeOf(driver, function, which); };
    KernelFacts facts{attribute(CU_FUNC_ATTRIBUTE_NUM_REGS),
                      attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
                      attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
                      {}};
    if (module)
        if (const auto code = module->machineCode(entry))
            facts.code = *code;
    return facts;
}

void addCleanFacts(Trace& trace, const LaunchPlan& plan, const KernelFacts& facts, CleanRun& clean) {
    Kernel& kernel = kernelOfEntry(trace, plan.entry);
    kernel.registers = facts.registers;
    kernel.sharedBytes = facts.sharedBytes;
    kernel.localBytes = facts.localBytes;
    kernel.cleanBranches = facts.code.conditionalBranches;
    kernel.cleanInstructions = facts.code.instructions;
    kernel.cleanDurationNs = clean.durationNs;
    trace.counters = std::move(clean.counters);
    trace.output = std::move(clean.output);
    trace.diagnostics.insert(trace.diagnostics.end(), clean.notes.begin(), clean.notes.end());
}

void addProbedFacts(Trace& trace, const LaunchPlan& plan, const ProbedRun& probed) {
    Kernel& kernel = kernelOfEntry(trace, plan.entry);
    kernel.probedBranches = probed.code.conditionalBranches;
    kernel.probedInstructions = probed.code.instructions;
    kernel.probedRegisters = probed.registers;
    kernel.probedDurationNs = probed.durationNs;
}

double theoreticalOccupancy(const Driver& driver, CUfunction function, const LaunchShape& shape, int device) {
    int blocks = 0, threads = 0;
    driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, int(shape.block.count()), shape.sharedBytes);
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    const std::uint64_t warps = warpsFor(shape.block.count());
    return threads > 0 ? 100.0 * double(blocks) * double(warps) * lanesPerWarp / threads : 0;
}

Result<CudaDevice> currentDevice() {
    int ordinal = 0;
    if (const cudaError_t code = cudaGetDevice(&ordinal); code != cudaSuccess)
        return errorOf(code, say::GpuNotUsed);
    for (const CudaDevice& device : listDevices())
        if (device.ordinal == ordinal)
            return device;
    return Error{say::GpuNotListed};
}

} // namespace warpglass::cuda
