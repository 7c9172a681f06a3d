// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/detail.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/base/catalogue.h"
#include "gpu/base/messages/program.h"
#include "gpu/cuda/plugin/facts.h"
#include "gpu/cuda/plugin/probed_run.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/machine/own_code.h"
#include "gpu/program/kernel_source.h"
#include "gpu/program/launch_words.h"
#include "gpu/ptx/extract.h"
#include "gpu/seat/program_memory.h"
#include "gpu/seat/reachable.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <unistd.h>

namespace warpglass::seat {

namespace {

constexpr std::chrono::seconds mostSearching{3}; // for machine code, in all of the program's run

// What a kernel does that cannot be undone, or would be seen, if it ran more than once. Empty: nothing.
Said whyOnce(const ptx::Module& module) {
    for (const ptx::Function& f : module.functions) {
        if (f.name == "malloc" || f.name == "free")
            return say::Allocates;
        if (f.name == "vprintf")
            return say::Prints;
        for (const ptx::Instruction& i : f.body)
            if (i.opcode == ptx::Opcode::Sust || i.opcode == ptx::Opcode::Sured)
                return say::WritesSurface;
    }
    return {};
}

// The kernel's module as it is to be run beside the program's own: this kernel alone, on the program's variables.
struct Bound {
    ptx::Module module;
    std::vector<ProgramMemory::Variable> constants, variables;
};

Result<Bound> bindTo(const LoadedKernel& kernel, const ptx::Module& whole) {
    Bound bound{ptx::extract(whole, kernel.entry), {}, {}};
    ptx::Addresses addresses;
    Result<void> ok;
    const auto visit = [&](const ptx::Variable& v) {
        const bool global = v.space == ptx::StateSpace::Global, constant = v.space == ptx::StateSpace::Const;
        if ((!global && !constant) || !ok)
            return;
        if (v.opaque != ptx::Opaque::None) {
            ok = Error{say::ReferenceOfItsModule(v.name)};
            return;
        }
        CUdeviceptr at = 0;
        std::size_t bytes = 0;
        if (driver().cuModuleGetGlobal_v2(&at, &bytes, kernel.module, v.name.c_str()) != CUDA_SUCCESS) {
            ok = Error{say::VariableNotFound(v.name)};
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
std::vector<std::pair<int, int>> settingsOf(CUfunction function) {
    std::vector<std::pair<int, int>> settings;
    for (const CUfunction_attribute a :
         {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
          CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED}) {
        int value = 0;
        if (driver().cuFuncGetAttribute(&value, a, function) == CUDA_SUCCESS && value != 0)
            settings.emplace_back(a, value);
    }
    return settings;
}

// What another process gets of the program's memory for one launch: it lies twice on the host and twice on the GPU.
constexpr std::uint64_t mostToReplay = std::uint64_t(4) << 30;
// The program waits for its end; a kernel that takes longer even with probes is none to look at warp by warp.
constexpr double replaySeconds = 30;

// The program waits while its launch is repeated, some twenty times for durations and counters.
constexpr double slowest = 200; // ms

class Recorded {
public:
    Recorded(Seat& seat, LoadedKernel& kernel, const LaunchShape& shape, const std::vector<void*>& values,
             const RunOptions& options)
        : m_seat(seat), m_kernel(kernel), m_shape(shape), m_values(values), m_options(options) {
        m_options.timeLimitSeconds = 1e9; // the program's launch has no limit either
    }

    Result<Detail> record() {
        const ptx::Module* whole =
            m_kernel.image ? m_kernel.image->parse(currentCapability(), m_kernel.entry) : nullptr;
        if (!whole) {
            keepCode();
            return Error{m_kernel.image ? m_kernel.image->why : m_kernel.unrecorded};
        }
        auto bound = bindTo(m_kernel, *whole);
        if (!bound)
            return bound.error();
        auto driver = pluginDriver();
        if (!driver)
            return driver.error();
        if (seat::driver().cuCtxSynchronize() != CUDA_SUCCESS)
            return Error{say::ProgramHadFailed};

        Said once = whyOnce(bound->module);
        std::optional<Reachable> reachable(std::in_place, m_seat, m_kernel, m_values, bound->variables,
                                           bound->constants);
        const KeptMemory begins = keep(*bound, *reachable);
        const bool onceAnywhere = !once.empty();
        if (!onceAnywhere)
            once = whyOnceHere(*reachable, begins);
        reachable.reset(); // with its copies
        bool fault = false;
        Result<Replayed> replayed =
            m_why ? Result<Replayed>(*m_why) : replay(**driver, *bound, begins, onceAnywhere, fault);
        if (!replayed && (m_why || fault) && m_seat.recorder.settings().inPlace)
            return recordInPlace(**driver, *bound, once);
        if (!replayed && !fault)
            return replayed.error();
        // It ran elsewhere, or failed there: how long it takes, and whether it fails by itself, the program's own shows.
        auto memory = ProgramMemory::make(m_seat, bound->variables, bound->constants, m_values, once.empty());
        const Said why = !once.empty() ? once : memory ? Said() : Said(wholeOf(memory.error()));
        if (!memory && !(memory = ProgramMemory::make(m_seat, bound->variables, bound->constants, m_values, false)))
            return memory.error();
        return besides(*memory, [&] { return measure(**driver, *bound, *memory, why, replayed); });
    }

private:
    // Of a kernel without PTX: the launch, and the machine code that the program has for it. A library may have hundreds of
    // megabytes of it, which are looked through for a while only.
    void keepCode() const {
        if (!m_kernel.image || !m_seat.recorder.hasRoomForCode() || m_seat.searchedCode > mostSearching)
            return;
        const auto began = std::chrono::steady_clock::now();
        MachineCodes codes =
            machine::codeAlone(m_kernel.image->cubin(currentCapability(), m_kernel.entry), m_kernel.entry);
        m_seat.searchedCode += std::chrono::steady_clock::now() - began;
        const auto driver = pluginDriver();
        const auto device = cuda::currentDevice();
        if (codes.all.empty() || !driver || !device)
            return;
        const LaunchPlan plan = barePlan();
        Trace trace = cuda::bareTrace(cuda::infoOf(*device, plan, m_options), plan, 0);
        cuda::CleanRun notRun;
        cuda::addCleanFacts(trace, plan, factsOf(**driver), notRun);
        trace.codes = std::move(codes);
        m_seat.recorder.keepCode(trace);
    }

    // With the records of the GPU's work paused; then the program's memory is as the launch left it or will find it.
    template <class F>
    Result<Detail> besides(ProgramMemory& memory, F run) {
        m_seat.activity.pause(m_seat.recorder);
        Result<Detail> detail = run();
        const auto restored = detail && detail->done ? Result<void>() : memory.restore();
        if (m_seat.activity.runs())
            m_seat.activity.resume();
        else
            m_seat.activity.letGo();
        if (detail && !restored)
            return restored.error();
        return detail;
    }

    // The kernel with probes, made by another process from what its memory holds.
    Result<Replayed> replay(const cuda::Driver& driver, const Bound& bound, const KeptMemory& begins, bool once,
                            bool& fault) {
        const auto device = cuda::currentDevice();
        if (!device)
            return device.error();
        cuda::ReplayRequest request;
        request.plan = planOf(bound.module);
        request.options = m_options;
        request.options.timeLimitSeconds = replaySeconds;
        request.trace = fmt::format("{}/.replay-{}.wgt", m_seat.recorder.settings().folder, getpid());
        request.device = device->ordinal;
        request.cooperative = m_shape.cooperative;
        request.once = once;
        request.sharedBytes = factsOf(driver).sharedBytes;
        request.parameterBytes = m_kernel.parameterBytes();
        for (const auto& p : m_kernel.parameters)
            request.parameters.push_back(p.offset);
        request.settings = settingsOf(m_kernel.function);
        for (const CUlimit limit : {CU_LIMIT_STACK_SIZE, CU_LIMIT_PRINTF_FIFO_SIZE, CU_LIMIT_MALLOC_HEAP_SIZE,
                                    CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT}) {
            std::size_t value = 0;
            if (seat::driver().cuCtxGetLimit(&value, limit) == CUDA_SUCCESS)
                request.limits.emplace_back(limit, value);
        }
        for (const auto& v : bound.variables)
            request.variables[v.name] = v.address;
        return m_seat.replays.make(std::move(request), begins, fault);
    }

    // Why it is not repeated in the program, though it could be elsewhere: others than the GPU's kernels may work in what it
    // can come to, and what they write meanwhile must not be put back. Empty: nothing.
    Said whyOnceHere(Reachable& memory, const KeptMemory& begins) const {
        if (!m_seat.shared.empty())
            return m_seat.shared;
        const auto isHosts = [](const Held& held) {
            return held.kind == program::MemoryKind::Host || held.kind == program::MemoryKind::Registered;
        };
        const auto comesTo = [&](std::uint64_t address, std::uint64_t bytes) {
            return m_why || std::any_of(begins.areas.begin(), begins.areas.end(), [&](const KeptArea& area) {
                       return area.address < address + bytes && address < area.address + area.bytes;
                   });
        };
        for (const auto& [address, held] : m_seat.memory)
            if (isHosts(held) && comesTo(address, held.bytes))
                return say::ReachesHosts;
        if (memory.namesUnknownMemory())
            return say::UnknownMemory;
        return {};
    }

    // What the launch begins with: for a process that makes it again now, and for the recording as far as that may keep it.
    // m_why: it cannot be made again elsewhere.
    KeptMemory keep(const Bound& bound, Reachable& memory) {
        if (usesTextures(bound.module)) {
            m_keep.keeping = Keeping::Textures;
            m_why = Error{say::TexturesAreThePrograms};
            return {};
        }
        const std::uint64_t most = std::min(m_seat.recorder.settings().keepMemory, m_seat.memoryToKeep);
        auto kept = keepMemory(memory, std::max(most, mostToReplay));
        if (!kept) {
            m_why = kept.error();
            return {};
        }
        if (kept->keeping != Keeping::Kept) {
            m_keep.keeping = kept->keeping;
            m_why = Error{say::ReachesTooMuch(mostToReplay >> 30)};
            return {};
        }
        if (const std::uint64_t bytes = kept->memory.words.size() * 8; bytes <= most) {
            m_keep = *kept;
            m_seat.memoryToKeep -= bytes;
        }
        return std::move(kept->memory);
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
        if (!m_kernel.codes) {
            const ptx::Module* module = m_kernel.image ? m_kernel.image->module.get() : nullptr;
            m_kernel.codes = module ? machine::ownCode(m_kernel.image->cubin(currentCapability(), m_kernel.entry),
                                                       module->findFunction(m_kernel.entry))
                                    : MachineCodes();
        }
        trace.codes = *m_kernel.codes;
        m_seat.recorder.keep(trace);
    }

    // Its duration and counters, by the program's own kernel; nothing if it may run only `once`, for this reason. Detail::done:
    // it has failed, which the program sees with its next call, as it would have.
    Result<Detail> clean(const cuda::Driver& driver, const Bound& bound, ProgramMemory& memory, const Said& once,
                         cuda::CleanRun& clean) {
        const LaunchPlan plan = planOf(bound.module);
        const auto device = cuda::currentDevice();
        if (!device)
            return device.error();
        if (!once.empty()) {
            clean.notes.push_back(cuda::noteOf(say::RanOnce(once.message())));
            return Detail{};
        }
        const auto alive = [] {};
        const auto hung = [](const cuda::Launched&) {};
        const cuda::Cupti* cupti = m_options.counters ? pluginCupti() : nullptr;
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
        if (clean.first.code != cudaSuccess) {
            Trace trace = cuda::bareTrace(cuda::infoOf(*device, plan, m_options), plan, 0, &bound.module);
            cuda::addCleanFacts(trace, plan, factsOf(driver), clean);
            Diagnostic d = cuda::noteOf(wholeOf(cuda::faultOf(clean.first, plan.kernelName, 0)), DiagnosticKind::Trap);
            d.fatal = true;
            trace.diagnostics.push_back(d);
            keep(trace, plan);
            return Detail{true, 0};
        }
        clean.counters.push_back({0, "theoretical_occupancy", "sm__maximum_warps_per_active_cycle_pct",
                                  cuda::theoreticalOccupancy(driver, m_kernel.function, m_shape, device->ordinal), "%",
                                  Origin::Counted});
        return Detail{};
    }

    cuda::KernelFacts factsOf(const cuda::Driver& driver) const {
        return cuda::factsOf(driver, nullptr, m_kernel.function, m_kernel.entry);
    }

    Result<Detail> measure(const cuda::Driver& driver, const Bound& bound, ProgramMemory& memory, const Said& once,
                           const Result<Replayed>& replayed) {
        cuda::CleanRun clean;
        auto detail = this->clean(driver, bound, memory, once, clean);
        if (!detail || detail->done)
            return detail;
        if (!replayed)
            return Error{say::BesideTheProgram(wholeOf(replayed.error()))};
        const LaunchPlan plan = planOf(bound.module);
        Trace trace = *replayed->trace;
        if (!once.empty())
            clean.durationNs = replayed->durationNs;
        cuda::addCleanFacts(trace, plan, factsOf(driver), clean);
        keep(trace, plan);
        return detail;
    }

    // As far as it was asked for: the kernel with probes runs in the program, and if it must run once, in place of the
    // program's launch.
    Result<Detail> recordInPlace(const cuda::Driver& driver, const Bound& bound, Said once) {
        auto memory = ProgramMemory::make(m_seat, bound.variables, bound.constants, m_values, once.empty());
        if (!memory) {
            once = wholeOf(memory.error());
            memory = ProgramMemory::make(m_seat, bound.variables, bound.constants, m_values, false);
            if (!memory)
                return memory.error();
        }
        return besides(*memory, [&]() -> Result<Detail> {
            cuda::CleanRun clean;
            auto detail = this->clean(driver, bound, *memory, once, clean);
            if (!detail || detail->done)
                return detail;
            const LaunchPlan plan = planOf(bound.module);
            const auto device = cuda::currentDevice();
            if (!device)
                return device.error();
            cuda::KernelForm form{factsOf(driver).sharedBytes, {}, cuda::SharedLayout::Compiled};
            for (const auto& [attribute, value] : settingsOf(m_kernel.function))
                form.settings.emplace_back(CUfunction_attribute(attribute), value);
            auto probed = cuda::runProbed(
                driver, plan, m_shape, m_options, bound.module, *memory, cuda::infoOf(*device, plan, m_options),
                m_options.counters ? pluginCupti() : nullptr, [] {}, [](const cuda::Launched&) {}, form);
            detail->done = memory->launched();
            if (!probed)
                return detail->done ? detail : Result<Detail>(probed.error());
            Trace& trace = probed->trace;
            if (!once.empty())
                clean.durationNs = probed->durationNs;
            cuda::addCleanFacts(trace, plan, factsOf(driver), clean);
            cuda::addProbedFacts(trace, plan, *probed);
            keep(trace, plan);
            detail->durationNs = std::int64_t(probed->durationNs);
            return detail;
        });
    }

    // Without its texts.
    LaunchPlan barePlan() const {
        LaunchPlan plan;
        plan.kernelName = plainName(m_kernel.entry);
        plan.moduleName = m_kernel.image->name;
        plan.entry = m_kernel.entry;
        plan.grid = m_shape.grid;
        plan.block = m_shape.block;
        plan.cluster = m_shape.cluster;
        plan.sharedBytes = m_shape.sharedBytes;
        return plan;
    }

    LaunchPlan planOf(const ptx::Module& module) const {
        LaunchPlan plan = barePlan();
        plan.ptx = module.text;
        plan.ttgir = m_kernel.image->ttgir;
        program::KernelSource source = program::sourceOf(module, m_kernel.entry, m_kernel.image->compiled);
        plan.source = std::move(source.text);
        plan.sourceName = std::move(source.name);
        plan.headers = std::move(source.headers);
        return plan;
    }

    Seat& m_seat;
    LoadedKernel& m_kernel;
    const LaunchShape& m_shape;
    const std::vector<void*>& m_values;
    RunOptions m_options;
    Keep m_keep{Keeping::Size, {}};
    std::optional<Error> m_why; // no other process can make it again
};

} // namespace

Detail recordInDetail(Seat& seat, LoadedKernel& kernel, const LaunchShape& shape, std::span<const std::byte> arguments,
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
    seat.recorder.tell(say::NotDetailed(shortName(plainName(kernel.entry)), wholeOf(detail.error())));
    return {};
}

} // namespace warpglass::seat
