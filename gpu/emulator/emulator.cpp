// SPDX-License-Identifier: GPL-3.0-or-later
// One run: parse, lay out memory, decode, run the launch and what it launches, write the trace.
//
// If a block fails while several host threads run, others may already have done work that a single thread would not
// have come to. The whole run is then repeated in block order, so that a failure too looks the same for any number of
// threads.
#include "gpu/emulator/emulator.h"
#include "gpu/device/device_timing.h"
#include "gpu/emulator/decode/decode.h"
#include "gpu/emulator/memory/image.h"
#include "gpu/emulator/record/trace_writer.h"
#include "gpu/emulator/run/diagnostics.h"
#include "gpu/emulator/run/grid.h"

#include "gpu/device/occupancy.h"
#include "gpu/launch/validate.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

namespace warpglass {

namespace emulator {
namespace {

// Programs of the entry and of every entry it can launch.
struct Programs {
    std::vector<std::unique_ptr<Program>> all; // a kernel row each; [0] the host's
    std::map<std::uint32_t, std::uint32_t> ofFunction;
};

Result<void> decodeAll(const ptx::Module& module, std::uint32_t entry, const Symbols& symbols, Programs& programs) {
    std::vector<std::uint32_t> open{entry};
    while (!open.empty()) {
        const std::uint32_t f = open.back();
        open.pop_back();
        if (programs.ofFunction.count(f))
            continue;
        const auto kernel = std::uint32_t(programs.all.size());
        auto program = decode(module, f, symbols, kernel);
        if (!program)
            return program.error();
        programs.ofFunction[f] = kernel;
        programs.all.push_back(std::make_unique<Program>(std::move(*program)));
        for (const FunctionCode& code : programs.all.back()->functions) // entries named in the code may be launched
            for (const auto& i : code.source->body)
                for (const auto& o : i.operands)
                    if (o.kind == ptx::Operand::Kind::Symbol)
                        if (const auto s = symbols.functions.find(o.name);
                            s != symbols.functions.end() && module.functions[s->second].isEntry)
                            open.push_back(s->second);
    }
    return {};
}

std::uint64_t eventsPerWarp(const RunOptions& options, std::uint64_t warps) {
    return warps == 0 ? 0 : std::max<std::uint64_t>(16, options.maxEvents / warps);
}

class Run {
public:
    Run(const LaunchPlan& plan, const RunOptions& options, const DeviceSpec& device, const ptx::Module& module,
        Programs& programs, Image& image, Progress& progress)
        : m_plan(plan), m_options(options), m_spec(device), m_module(module), m_programs(programs), m_image(image),
          m_progress(progress) {
        m_device.smCount = device.smCount;
        m_device.maxWarpsPerSm = device.limits().warpsPerSm;
        m_device.threadsPerBlock = device.limits().threadsPerBlock;
        m_device.pendingLimit = plan.pendingLaunchLimit;
    }

    // True if every grid ran to its end.
    bool all(int threads, const std::vector<std::uint64_t>& chosen) {
        m_threads = threads;
        LaunchRecord host;
        host.program = m_programs.all[0].get();
        host.grid = m_plan.grid;
        host.block = m_plan.block;
        host.dynamicShared = m_plan.sharedBytes;
        host.origin.parentLaunch = noIndex;
        host.origin.stream = StreamKind::Host;
        host.chosen = chosen;
        m_launches.push_back(std::move(host));
        return grid(0, m_image.params);
    }

    std::vector<LaunchRecord>& launches() { return m_launches; }

private:
    bool grid(std::uint32_t n, std::vector<std::byte> params) {
        const Program& program = *m_launches[n].program;
        LaunchState state;
        state.program = &program;
        state.launch = n;
        state.grid = m_launches[n].grid;
        state.block = m_launches[n].block;
        state.dynamicShared = m_launches[n].dynamicShared;
        state.sharedBytes = state.dynamicShared ? program.sharedDynamicAt + state.dynamicShared : program.sharedStatic;
        state.params = std::move(params);
        state.depth = m_launches[n].depth;
        GridOptions options;
        options.threads = m_threads;
        options.checkMemory = m_options.checkMemory;
        options.independent = m_options.reconvergence == Reconvergence::IndependentThreads;
        options.takenSideFirst = m_options.takenSideFirst;
        options.computeSeven = m_spec.ccMajor >= 7;
        options.instructionLimit = m_options.instructionLimit;
        options.chosen = m_launches[n].chosen;
        options.accesses = m_options.detail.accesses;
        const std::uint64_t warps = options.chosen.size() * warpsFor(state.block.count());
        options.eventsPerWarp =
            n == 0 ? eventsPerWarp(m_options, warps) : std::min<std::uint64_t>(4096, eventsPerWarp(m_options, warps));
        OccupancyInput o;
        o.threads = std::uint32_t(state.block.count());
        o.registers = n == 0 ? m_plan.registers : 0;
        o.sharedStatic = program.sharedStatic;
        o.sharedDynamic = state.dynamicShared;
        o.sharedLimit = SharedLimit::OptIn;
        const Occupancy fits = occupancy(m_spec.limits(), o);
        options.residentBlocks = std::max(1u, fits.blocksPerSm);
        const bool timed = m_options.timing && (n == 0 || m_timedChildren[m_launches[n].kernel]++ < 4);
        if (timed) {
            options.timing = &timingOf(m_spec);
            options.device = &m_spec;
            options.policy = m_options.policy;
            options.sharedPerBlock = fits.sharedPerBlock;
            chooseTimed(options, state.grid.count(), n == 0);
        }

        m_launches[n].chosen = options.chosen; // the timing model may have chosen others
        GridResult result = runGrid(state, options, m_image.memory, m_image.constants, m_device, m_progress);
        const bool ok = !result.faulted && !result.cancelled;
        m_launches[n].result = std::move(result);
        m_launches[n].ran = true;
        std::vector<ChildLaunch> children = std::exchange(m_device.children, {});
        return children.empty() ? ok : launchAll(n, std::move(children), ok);
    }

    // Which SMs run in time, and, if nobody asked for certain blocks, which blocks have events: those of the first
    // timed SM, so that all its warps are seen.
    void chooseTimed(GridOptions& options, std::uint64_t blocks, bool host) const {
        constexpr std::uint64_t budget = 800'000; // warp-instructions of a launch
        const auto sms = std::uint64_t(m_spec.smCount);
        if (blocks <= 64) {
            for (std::uint64_t sm = 0; sm < std::min(blocks, sms); ++sm)
                options.timedSms.push_back(std::uint32_t(sm));
        } else if (m_options.detail.kind == Detail::Kind::Blocks && host) {
            for (const std::uint64_t b : options.chosen)
                if (options.timedSms.size() < 8)
                    options.timedSms.push_back(std::uint32_t(b % sms));
            std::sort(options.timedSms.begin(), options.timedSms.end());
            options.timedSms.erase(std::unique(options.timedSms.begin(), options.timedSms.end()),
                                   options.timedSms.end());
        }
        if (options.timedSms.empty())
            options.timedSms.push_back(0);
        options.budget = std::max<std::uint64_t>(budget / 40, budget / options.timedSms.size());
        if (m_options.detail.kind == Detail::Kind::Auto && blocks > 64) {
            options.chosen.clear();
            for (std::uint64_t b = 0; b < blocks && options.chosen.size() < 64; b += sms)
                options.chosen.push_back(b);
        }
    }

    // Children of one grid: rows first, in the order of the launches, then they run; tails last.
    bool launchAll(std::uint32_t parent, std::vector<ChildLaunch> children, bool ok) {
        const auto first = std::uint32_t(m_launches.size());
        for (ChildLaunch& c : children) {
            LaunchRecord l;
            l.grid = c.grid;
            l.block = c.block;
            l.dynamicShared = c.sharedBytes;
            l.depth = m_launches[parent].depth + 1;
            const auto found = m_programs.ofFunction.find(c.moduleFunction);
            if (found != m_programs.ofFunction.end()) {
                l.kernel = found->second;
                l.program = m_programs.all[found->second].get();
            } else {
                c.accepted = false;
                c.reason = "it is no kernel of this module";
            }
            l.reason = c.accepted ? "the program had failed before its turn" : c.reason;
            if (!c.accepted && m_launches[parent].result.diagnostics.size() < 1000)
                dropped(parent, c);
            if (l.program && m_recordedBlocks < 8192 && m_options.detail.kind != Detail::Kind::None) {
                l.chosen =
                    m_options.detail.kind == Detail::Kind::All ? allBlocks(c.grid.count()) : autoBlocks(c.grid.count());
                m_recordedBlocks += l.chosen.size();
            }
            l.origin = c;
            m_launches.push_back(std::move(l));
        }
        for (const bool tails : {false, true})
            for (std::uint32_t k = 0; k < children.size() && ok; ++k) {
                if (!children[k].accepted || (children[k].stream == StreamKind::Tail) != tails)
                    continue;
                --m_device.pending;
                ok = grid(first + k, std::move(children[k].params));
            }
        return ok;
    }

    static std::vector<std::uint64_t> allBlocks(std::uint64_t n) {
        std::vector<std::uint64_t> v(n);
        for (std::uint64_t b = 0; b < n; ++b)
            v[b] = b;
        return v;
    }

    void dropped(std::uint32_t parent, const ChildLaunch& c) {
        auto& list = m_launches[parent].result.diagnostics;
        for (Diagnostic& d : list)
            if (d.kind == DiagnosticKind::LaunchDropped) {
                ++d.count;
                return;
            }
        Diagnostic d;
        d.kind = DiagnosticKind::LaunchDropped;
        d.launch = parent;
        d.block = c.parentBlock;
        d.thread = c.parentThread;
        const Program& p = *m_launches[parent].program;
        if (c.site != noIndex)
            d.ptxLine = p.sites[c.site].ptxLine;
        d.message =
            fmt::format("A device-side launch was dropped: {}. The launching thread gets the error, and the work is "
                        "missing from the result: block {}, thread {}.",
                        c.reason, m_launches[parent].grid.at(c.parentBlock).indexText(),
                        m_launches[parent].block.at(c.parentThread).indexText());
        list.push_back(std::move(d));
    }

    const LaunchPlan& m_plan;
    const RunOptions& m_options;
    const DeviceSpec& m_spec;
    const ptx::Module& m_module;
    Programs& m_programs;
    Image& m_image;
    Progress& m_progress;
    DeviceState m_device;
    std::vector<LaunchRecord> m_launches;
    std::uint64_t m_recordedBlocks = 0;
    std::map<std::uint32_t, int> m_timedChildren; // [kernel] device-side launches that ran in time
    int m_threads = 1;
};

class Emulator final : public Backend {
public:
    std::string name() const override { return "emulator"; }
    Result<void> available() const override { return {}; }

    Result<Recording> run(const LaunchPlan& plan, const RunOptions& options, Progress& progress) override {
        const DeviceSpec* device = findDevice(options.device);
        if (!device)
            return Error{
                fmt::format("there is no device \"{}\"", options.device), {}, 0, 0, "Choose one of the device list"};
        auto module = ptx::parse(plan.ptx, plan.moduleName.empty() ? "module.ptx" : plan.moduleName);
        if (!module)
            return module.error();
        std::uint32_t entry = noIndex;
        for (std::uint32_t f = 0; f < module->functions.size(); ++f)
            if (module->functions[f].name == plan.entry && module->functions[f].isEntry)
                entry = f;
        if (entry == noIndex)
            return Error{fmt::format("there is no kernel {} in the module", plan.entry), module->name, 0, 0,
                         "Name one of its .entry functions"};
        auto image = makeImage(*module, plan, entry);
        if (!image)
            return image.error();
        Programs programs;
        if (auto ok = decodeAll(*module, entry, (*image)->symbols, programs); !ok)
            return ok.error();
        programs.all[0]->name = plan.kernelName.empty() ? plan.entry : plan.kernelName;
        if (auto ok = validate(plan, *device, programs.all[0]->sharedStatic); !ok)
            return ok.error();
        auto chosen = chosenBlocks(options.detail, plan.grid.count());
        if (!chosen)
            return chosen.error();
        const int threads =
            options.threads > 0 ? options.threads : int(std::max(1u, std::thread::hardware_concurrency()));

        const auto began = std::chrono::steady_clock::now();
        auto run = std::make_unique<Run>(plan, options, *device, *module, programs, **image, progress);
        bool ok = run->all(threads, *chosen);
        if (!ok && threads > 1 && !progress.cancelled()) {
            image = makeImage(*module, plan, entry);
            if (!image)
                return image.error();
            run = std::make_unique<Run>(plan, options, *device, *module, programs, **image, progress);
            ok = run->all(1, *chosen);
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        if (progress.cancelled())
            return Error{"the run was stopped"};

        TraceInput input{&plan, &options, device, &*module, {}, &run->launches()};
        for (const auto& p : programs.all)
            input.programs.push_back(p.get());
        Trace trace = writeTrace(input);
        Recording recording;
        recording.wallSeconds = seconds;
        for (const InstructionCount& c : trace.counts)
            recording.warpInstructions += c.executions;
        for (const Diagnostic& d : trace.diagnostics)
            if (d.fatal && !recording.fault)
                recording.fault = Error{d.message, plan.moduleName, int(d.ptxLine), 0, {}};
        recording.buffers = takeBuffers(plan, **image);
        if (plan.check && !recording.fault)
            recording.check = plan.check(recording.buffers);
        else if (plan.check)
            recording.check = {Check::Wrong, "the kernel failed before its end"};
        recording.trace = std::make_shared<const Trace>(std::move(trace));
        return recording;
    }
};

} // namespace
} // namespace emulator

std::unique_ptr<Backend> makeEmulator() {
    return std::make_unique<emulator::Emulator>();
}

} // namespace warpglass
