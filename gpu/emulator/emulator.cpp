// SPDX-License-Identifier: GPL-3.0-or-later
// One run: parse, lay out memory, decode, run the launch and what it launches, write the trace.
//
// If a block fails while several host threads run, others may already have done work that a single thread would not
// have come to. The whole run is then repeated in block order, so that a failure too looks the same for any number of
// threads. So it is where the timing model finds blocks that meet, whose order it then has to know (LaunchTree).
#include "gpu/emulator/emulator.h"
#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/parallel.h"
#include "gpu/emulator/launch/kept_memory.h"
#include "gpu/emulator/launch/launch_memory.h"
#include "gpu/emulator/launch/launch_tree.h"
#include "gpu/emulator/launch/leaks.h"
#include "gpu/emulator/launch/trace_writer.h"
#include "gpu/emulator/watch/hang_watch.h"
#include "gpu/emulator/watch/twin_watch.h"
#include "gpu/emulator/watch/variable_watch.h"
#include "gpu/emulator/watch/word_watch.h"

#include "gpu/launch/validate.h"
#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace warpglass {

namespace emulator {
namespace {

class Emulator final : public Backend {
public:
    std::string name() const override { return "emulator"; }
    Result<void> available() const override { return {}; }

    Result<Recording> run(const LaunchPlan& plan, const RunOptions& options, Progress& progress) override {
        const DeviceSpec* device = findDevice(options.device);
        if (!device)
            return Error{say::NoDevice(options.device), {}, 0, 0, say::ChooseDevice};
        const std::string moduleName = plan.moduleName.empty() ? "module.ptx" : plan.moduleName;
        auto module = plan.kept ? ptx::parseJoined(plan.ptx, moduleName) : ptx::parse(plan.ptx, moduleName);
        if (!module)
            return module.error();
        std::uint32_t entry = noIndex;
        for (std::uint32_t f = 0; f < module->functions.size(); ++f)
            if (module->functions[f].name == plan.entry && module->functions[f].isEntry)
                entry = f;
        if (entry == noIndex)
            return Error{say::NoKernelInModule(plan.entry), module->name, 0, 0, say::NameAnEntry};
        if (auto ok = validate(module->functions[entry], plan.grid, plan.block, module->name, plan.cluster); !ok)
            return ok.error();
        if (auto ok = validateVariables(*module); !ok)
            return ok.error();
        if (auto ok = validateMemory(*module, plan, *device); !ok)
            return ok.error();
        auto image = makeLaunchMemory(*module, plan, entry);
        if (!image)
            return image.error();
        auto decoded = decodeAll(*module, entry, (*image)->symbols, plan.meets);
        if (!decoded)
            return decoded.error();
        Programs& programs = *decoded;
        for (const auto& p : programs.all)
            if (options.timing && p->usesTensorMemory)
                return Error{say::NoTensorTiming, module->name, 0, 0, say::RunUntimed};
        if ((*image)->params.size() < programs.all[0]->paramBytes) // of a launch that a recording describes
            return Error{say::ParametersKept(plan.entry, programs.all[0]->paramBytes, (*image)->params.size()),
                         module->name};
        programs.all[0]->name = plan.kernelName.empty() ? plan.entry : plan.kernelName;
        if (auto ok = validate(plan, *device, programs.all[0]->sharedStatic); !ok)
            return ok.error();
        const FunctionCode& code = programs.all[0]->functions[0];
        const std::uint64_t ofBlock =
            (plan.block.count() + 31) / 32 * (code.frameBytes + std::uint64_t(32) * code.localBytes);
        if (ofBlock > memoryLimit())
            return Error{say::BlockTakes(memoryWords(ofBlock), memoryWords(memoryLimit())), module->name, 0, 0,
                         say::MemoryRemedy};
        auto chosen = chosenBlocks(options.detail, plan.grid.count());
        if (!chosen)
            return chosen.error();
        if (options.twin && options.timing)
            return Error{.message = say::NoTwinTiming, .remedy = say::RunUntimed};
        const int threads = options.twin ? 1 : threadsFor(options.threads);

        const auto began = std::chrono::steady_clock::now();
        if (options.word)
            if (const auto there = placeOfWord(*options.word, *programs.all[0], (*image)->memory); !there)
                return there.error();
        std::unique_ptr<VariableWatch> variable;
        if (options.variable) {
            auto watch = VariableWatch::make(*options.variable, plan.ptx, programs.all);
            if (!watch)
                return watch.error();
            variable = std::move(*watch);
        }
        std::unique_ptr<TwinWatch> twin;
        if (options.twin)
            twin = std::make_unique<TwinWatch>(*options.twin, programs.all);
        std::unique_ptr<WordWatch> word; // of the run that is made last
        LaunchTree::FirstRuns firstRuns;
        const auto newTree = [&] {
            auto made = std::make_unique<LaunchTree>(plan, options, *device, programs, **image, progress);
            made->setHeap(plan.heapLimit, plan.kept ? heapRoomOf(*plan.kept) : 0);
            if (plan.kept || options.checkOrder) // a program's launch, or one that is looked at as a program's are
                made->letLanesGoApart();
            made->canBeMadeAgain(firstRuns);
            if (options.word) {
                word = std::make_unique<WordWatch>(*placeOfWord(*options.word, *programs.all[0], (*image)->memory));
                made->watch(word.get());
            }
            if (variable) {
                variable->restart();
                made->watch(variable.get());
            }
            if (twin) {
                twin->restart();
                made->watch(twin.get());
            }
            return made;
        };
        auto tree = newTree();
        const auto fromTheStart = [&]() -> Result<void> {
            tree.reset();
            image->reset(); // before there is another: the memory is there once
            image = makeLaunchMemory(*module, plan, entry);
            if (!image)
                return image.error();
            tree = newTree();
            return {};
        };
        bool ok = false;
        const auto runOn = [&](int count) -> Result<void> {
            ok = tree->run(count, *chosen);
            while (tree->isToBeMadeAgain() && !progress.cancelled()) {
                if (auto made = fromTheStart(); !made)
                    return made.error();
                ok = tree->run(count, *chosen);
            }
            return {};
        };
        if (auto ran = runOn(threads); !ran)
            return ran.error();
        if (!ok && threads > 1 && !progress.cancelled()) {
            if (auto made = fromTheStart(); !made)
                return made.error();
            if (auto ran = runOn(1); !ran)
                return ran.error();
        }
        if (const auto on = tree->hangsOn(); on && !progress.cancelled()) {
            // Once more, to see who did what before with what all wait for.
            HangWatch watch(*on);
            if (auto made = fromTheStart(); !made)
                return made.error();
            tree->watch(&watch);
            if (auto ran = runOn(1); !ran)
                return ran.error();
        }
        if (ok && !plan.kept) // what a program's launch leaves, a later one may free
            tellLeaks((*image)->memory, tree->launches());
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        if (progress.cancelled())
            return Error{say::RunStopped};

        TraceInput input{&plan, &options, device, &*module, {}, &tree->launches(), tree->clockMHz()};
        for (const auto& p : programs.all)
            input.programs.push_back(p.get());
        Trace trace = writeTrace(input);
        if (word)
            for (Diagnostic& d : word->told())
                trace.diagnostics.push_back(std::move(d));
        if (variable)
            for (Diagnostic& d : variable->told())
                trace.diagnostics.push_back(std::move(d));
        if (twin)
            for (Diagnostic& d : twin->told((*image)->memory))
                trace.diagnostics.push_back(std::move(d));
        Recording recording;
        recording.wallSeconds = seconds;
        recording.estimatedNs = tree->estimatedNs();
        recording.findings = tree->launches().front().result.findings;
        for (const InstructionCount& c : trace.counts)
            recording.warpInstructions += c.executions;
        for (const Diagnostic& d : trace.diagnostics)
            if (d.fatal && !recording.fault)
                recording.fault = Error{d.message, plan.moduleName, int(d.ptxLine), 0, {}};
        if (options.results || plan.check)
            recording.buffers = takeBuffers(plan, **image);
        if (plan.check && !recording.fault)
            recording.check = plan.check(recording.buffers);
        else if (plan.check)
            recording.check = {Check::Wrong, say::KernelFailedBeforeEnd};
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
