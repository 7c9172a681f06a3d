// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/detail.h"

#include "gpu/cuda/plugin/facts.h"
#include "gpu/cuda/plugin/probed_run.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/program/kernel_source.h"
#include "gpu/program/launch_words.h"
#include "gpu/ptx/extract.h"
#include "gpu/seat/program_memory.h"
#include "gpu/seat/reachable.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warpglass::seat {

namespace {

// What a kernel does that cannot be undone, or would be seen, if it ran more than once. Empty: nothing.
std::string whyOnce(const ptx::Module& module) {
    for (const ptx::Function& f : module.functions) {
        if (f.name == "malloc" || f.name == "free")
            return "it allocates memory while it runs";
        if (f.name == "vprintf")
            return "it prints";
        for (const ptx::Instruction& i : f.body)
            if (i.opcode == ptx::Opcode::Sust || i.opcode == ptx::Opcode::Sured)
                return "it writes to a surface";
    }
    return {};
}

// The kernel's module as it is to be run beside the program's own: this kernel alone, on the program's variables.
struct Bound {
    ptx::Module module;
    std::vector<ProgramMemory::Variable> constants, variables;
};

Result<Bound> bindTo(const Kernel& kernel, const ptx::Module& whole) {
    Bound bound{ptx::extract(whole, kernel.entry), {}, {}};
    ptx::Addresses addresses;
    Result<void> ok;
    const auto visit = [&](const ptx::Variable& v) {
        const bool global = v.space == ptx::StateSpace::Global, constant = v.space == ptx::StateSpace::Const;
        if ((!global && !constant) || !ok)
            return;
        if (v.opaque != ptx::Opaque::None) {
            ok = Error{fmt::format("its texture or surface reference {} is bound to its own module", v.name)};
            return;
        }
        CUdeviceptr at = 0;
        std::size_t bytes = 0;
        if (driver().cuModuleGetGlobal_v2(&at, &bytes, kernel.module, v.name.c_str()) != CUDA_SUCCESS) {
            ok = Error{fmt::format("the driver does not tell where its variable {} lies", v.name)};
            return;
        }
        if (global) {
            addresses[v.name] = at;
            bound.variables.push_back({v.name, at, bytes});
        } else {
            bound.constants.push_back({v.name, at, bytes});
        }
    };
    for (const ptx::Variable& v : bound.module.variables)
        visit(v);
    for (const ptx::Function& f : bound.module.functions)
        for (const ptx::Variable& v : f.locals)
            visit(v);
    if (!ok)
        return ok.error();
    ptx::bindVariables(bound.module, addresses);
    return bound;
}

Result<const cuda::Driver*> pluginDriver() {
    static const auto* const loaded = new Result<cuda::Driver>(cuda::loadDriver());
    if (!*loaded)
        return loaded->error();
    return &**loaded;
}

const cuda::Cupti* pluginCupti() {
    static const auto* const loaded = new Result<cuda::Cupti>(cuda::loadCupti());
    return *loaded ? &**loaded : nullptr;
}

// The program's attributes of a kernel that a launch of its copy needs, too.
void takeAttributes(CUfunction from, CUfunction to) {
    for (const CUfunction_attribute a :
         {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
          CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED}) {
        int value = 0;
        if (driver().cuFuncGetAttribute(&value, a, from) == CUDA_SUCCESS && value != 0)
            driver().cuFuncSetAttribute(to, a, value);
    }
}

// The program waits while its launch is repeated, some twenty times for durations and counters.
constexpr double slowest = 200; // ms

class Recorded {
public:
    Recorded(Seat& seat, Kernel& kernel, const LaunchShape& shape, const std::vector<void*>& values,
             const RunOptions& options)
        : m_seat(seat), m_kernel(kernel), m_shape(shape), m_values(values), m_options(options) {
        m_options.timeLimitSeconds = 1e9; // the program's launch has no limit either
    }

    Result<Detail> record() {
        const ptx::Module* whole = m_kernel.image ? m_kernel.image->parse(currentCapability()) : nullptr;
        if (!whole)
            return Error{m_kernel.image ? m_kernel.image->why : m_kernel.unrecorded};
        auto bound = bindTo(m_kernel, *whole);
        if (!bound)
            return bound.error();
        auto driver = pluginDriver();
        if (!driver)
            return driver.error();
        if (seat::driver().cuCtxSynchronize() != CUDA_SUCCESS)
            return Error{"the program had failed before"};

        std::string once = whyOnce(bound->module);
        auto memory = ProgramMemory::make(m_seat, bound->variables, bound->constants, m_values, once.empty());
        if (!memory) {
            once = memory.error().text();
            memory = ProgramMemory::make(m_seat, bound->variables, bound->constants, m_values, false);
            if (!memory)
                return memory.error();
        }
        keep(*bound);
        m_seat.activity.pause(m_seat.recorder);
        auto detail = run(**driver, *bound, *memory, once);
        // However it went, the program's own launch must find what it left, unless it has happened.
        const auto restored = detail && detail->done ? Result<void>() : memory->restore();
        if (m_seat.activity.runs())
            m_seat.activity.resume();
        else
            m_seat.activity.letGo();
        if (detail && !restored)
            return restored.error();
        return detail;
    }

private:
    // What the launch begins with, so that it can be made again without the GPU.
    void keep(const Bound& bound) {
        if (usesTextures(bound.module)) {
            m_keep.keeping = Keeping::Textures;
            return;
        }
        const std::uint64_t most = std::min(m_seat.recorder.settings().keepMemory, m_seat.memoryToKeep);
        Reachable memory(m_seat, m_kernel, m_values, bound.variables, bound.constants);
        auto kept = keepMemory(memory, most);
        if (kept)
            m_keep = std::move(*kept);
        else
            m_seat.recorder.tell(fmt::format("{} keeps no memory: {}", plainName(m_kernel.entry), kept.error().text()));
        m_seat.memoryToKeep -= std::min<std::uint64_t>(m_seat.memoryToKeep, m_keep.memory.words.size() * 8);
    }

    std::vector<AskedWord> asked(const LaunchPlan& plan) const {
        std::size_t pending = 0, heap = 0;
        seat::driver().cuCtxGetLimit(&pending, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT);
        seat::driver().cuCtxGetLimit(&heap, CU_LIMIT_MALLOC_HEAP_SIZE);
        auto words = program::askedOf({.entry = plan.entry,
                                       .sourceName = plan.sourceName,
                                       .grid = plan.grid,
                                       .block = plan.block,
                                       .cluster = plan.cluster,
                                       .sharedBytes = plan.sharedBytes,
                                       .pendingLaunches = pending,
                                       .heapLimit = heap},
                                      m_options);
        words.push_back({"memory", name(m_keep.keeping)});
        return words;
    }

    // For the recording, with what launches it again.
    void keep(Trace& trace, const LaunchPlan& plan) {
        trace.asked = asked(plan);
        trace.kept = std::move(m_keep.memory);
        m_seat.recorder.keep(trace);
    }

    Result<Detail> run(const cuda::Driver& driver, const Bound& bound, ProgramMemory& memory, const std::string& once) {
        const LaunchPlan plan = planOf(bound.module);
        const auto device = cuda::currentDevice();
        if (!device)
            return device.error();
        const TraceInfo info = cuda::infoOf(*device, plan, m_options);
        const auto alive = [] {};
        const auto hung = [](const cuda::Launched&) {};
        const cuda::Cupti* cupti = m_options.counters ? pluginCupti() : nullptr;
        cuda::CleanRun clean;
        const cuda::KernelFacts facts = cuda::factsOf(driver, nullptr, m_kernel.function, m_kernel.entry);
        if (once.empty()) {
            const cuda::Repeatable launch{driver,
                                          m_kernel.function,
                                          m_shape,
                                          memory.values(),
                                          [&] { return memory.restore(); },
                                          m_options.timeLimitSeconds,
                                          alive,
                                          hung,
                                          false}; // as in the program, whose copies and kernels have filled L2
            auto run = cuda::runClean(launch, memory, device->ordinal, m_options.counters, cupti, false, slowest);
            if (!run)
                return run.error();
            clean = std::move(*run);
            if (clean.first.milliseconds > slowest)
                memory.setSlow();
            if (clean.first.code != cudaSuccess) { // the program will see it with its next call, as it would have
                Trace trace = cuda::bareTrace(info, plan, 0, &bound.module);
                cuda::addCleanFacts(trace, plan, facts, clean);
                Diagnostic d =
                    cuda::noteOf(cuda::faultOf(clean.first, plan.kernelName, 0).text(), DiagnosticKind::Trap);
                d.fatal = true;
                trace.diagnostics.push_back(d);
                keep(trace, plan);
                return Detail{true, 0};
            }
            clean.counters.push_back({0, "theoretical_occupancy", "sm__maximum_warps_per_active_cycle_pct",
                                      cuda::theoreticalOccupancy(driver, m_kernel.function, m_shape, device->ordinal),
                                      "%", Origin::Counted});
        } else {
            clean.notes.push_back(cuda::noteOf("The launch ran once, with probes: " + once +
                                               ". There are no counters, and its duration is that with probes."));
        }
        auto probed = cuda::runProbed(driver, plan, m_shape, m_options, bound.module, memory, info, cupti, alive, hung,
                                      [&](CUfunction function) { takeAttributes(m_kernel.function, function); });
        Detail detail;
        detail.done = memory.launched();
        if (!probed)
            return detail.done ? Result<Detail>(detail) : probed.error();
        Trace& trace = probed->trace;
        if (!once.empty())
            clean.durationNs = probed->durationNs;
        cuda::addCleanFacts(trace, plan, facts, clean);
        cuda::addProbedFacts(trace, plan, *probed);
        keep(trace, plan);
        detail.durationNs = std::int64_t(probed->durationNs);
        return detail;
    }

    LaunchPlan planOf(const ptx::Module& module) const {
        LaunchPlan plan;
        plan.kernelName = plainName(m_kernel.entry);
        plan.moduleName = m_kernel.image->name;
        plan.ptx = module.text;
        program::KernelSource source = program::sourceOf(module, m_kernel.entry);
        plan.source = std::move(source.text);
        plan.sourceName = std::move(source.name);
        plan.entry = m_kernel.entry;
        plan.grid = m_shape.grid;
        plan.block = m_shape.block;
        plan.cluster = m_shape.cluster;
        plan.sharedBytes = m_shape.sharedBytes;
        return plan;
    }

    Seat& m_seat;
    Kernel& m_kernel;
    const LaunchShape& m_shape;
    const std::vector<void*>& m_values;
    RunOptions m_options;
    Keep m_keep{Keeping::Size, {}};
};

} // namespace

Detail recordInDetail(Seat& seat, Kernel& kernel, const LaunchShape& shape, std::span<const std::byte> arguments,
                      const RunOptions& options) {
    const Inside inside;
    const std::unique_lock alone(seat.gate);
    std::vector<std::byte> copy(arguments.begin(), arguments.end());
    std::vector<void*> values;
    for (const program::Parameter& p : kernel.parameters)
        values.push_back(copy.data() + p.offset);
    auto detail = Recorded(seat, kernel, shape, values, options).record();
    if (detail)
        return *detail;
    seat.recorder.tell(
        fmt::format("{} was not recorded in detail: {}", plainName(kernel.entry), detail.error().text()));
    return {};
}

} // namespace warpglass::seat
