// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/resident.h"
#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/parallel.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/launch/kept_memory.h"
#include "gpu/emulator/launch/launch_tree.h"
#include "gpu/emulator/launch/trace_writer.h"
#include "gpu/emulator/watch/hang_watch.h"
#include "gpu/emulator/watch/twin_watch.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/launch/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

namespace warpglass::emulator {

namespace {

constexpr std::uint64_t everything = ~std::uint64_t(0);

// Bytes that a launch can have touched at the most: its sectors, each as often as it was asked for. Copies by bulk, textures
// and fragments are not among them.
std::uint64_t reachedBy(const LaunchRecord& launch) {
    if (!launch.program)
        return 0;
    const Program& program = *launch.program;
    const auto isBulk = [](const AsyncInst& a) {
        return a.op == AsyncOp::CopyBulk || a.op == AsyncOp::CopyTensor || a.op == AsyncOp::Prefetch ||
               a.op == AsyncOp::CopyMap;
    };
    const auto isFragment = [](const MatrixCode& m) {
        return m.form.kind == ptx::MatrixForm::Kind::Load || m.form.kind == ptx::MatrixForm::Kind::Store;
    };
    if (!program.textureOps.empty() || std::any_of(program.asyncs.begin(), program.asyncs.end(), isBulk) ||
        std::any_of(program.matrices.begin(), program.matrices.end(), isFragment))
        return everything;
    constexpr std::uint64_t sectorBytes = 32;
    std::uint64_t sectors = 0;
    for (const MemoryCount& m : launch.result.counters.memory)
        sectors += m.sectors;
    for (const std::vector<SplitCount>& calls : launch.result.counters.split)
        for (const SplitCount& s : calls)
            sectors += s.count.sectors;
    return sectors < everything / sectorBytes ? sectors * sectorBytes : everything;
}

// Whether a function may come to call itself. A driver makes room for calls that do not, whatever the limit.
bool recurses(const Program& program) {
    std::vector<std::vector<std::uint32_t>> calls(program.functions.size());
    for (const Inst& in : program.code)
        if (program.info[in.index].is.opcode == ptx::Opcode::Call && program.info[in.index].source)
            if (const std::uint32_t callee = program.calls[in.call.site].function; callee != noIndex)
                calls[program.info[in.index].function].push_back(callee);
    const auto reaches = [&](std::uint32_t function) {
        std::vector<std::uint32_t> open = calls[function];
        std::vector<bool> seen(calls.size());
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            if (at == function)
                return true;
            if (!seen[at])
                open.insert(open.end(), calls[at].begin(), calls[at].end());
            seen[at] = true;
        }
        return false;
    };
    for (std::uint32_t f = 0; f < calls.size(); ++f)
        if (reaches(f))
            return true;
    return false;
}

StackRoom stackRoom(const ResidentLaunch& launch, const Program& program) {
    StackRoom room;
    if (!launch.frames || launch.frames->empty() || launch.stackLimit == 0 || program.functions.size() < 2 ||
        !recurses(program))
        return room;
    for (const FunctionCode& f : program.functions) {
        const auto known = launch.frames->find(f.source->name);
        room.frames.push_back(known == launch.frames->end() ? 0 : known->second);
    }
    room.program = &program;
    room.limit = std::max<std::uint64_t>(launch.stackLimit, room.frames[0]);
    return room;
}

// Bytes that lanes have stored, those of one request that meet counted once.
std::uint64_t storedBy(const LaunchRecord& launch) {
    if (!launch.program)
        return 0;
    std::uint64_t bytes = 0;
    const Counters& counters = launch.result.counters;
    for (std::size_t k = 0; k < counters.memory.size(); ++k) {
        const InstInfo& info = launch.program->info[k];
        if (info.access != AccessKind::Store)
            continue;
        bytes += info.space == MemorySpace::Global ? counters.memory[k].bytesDistinct : 0;
        for (const SplitCount& s : counters.split[k])
            bytes += s.space == MemorySpace::Global ? s.count.bytesDistinct : 0;
    }
    return bytes;
}

// Whether two runs of a launch came to the same end: the same lanes wait for the same.
bool standAlike(LaunchTree& a, LaunchTree& b) {
    const auto waitsOf = [](LaunchTree& tree) {
        std::vector<HangWait> all;
        for (const LaunchRecord& l : tree.launches())
            for (const Diagnostic& d : l.result.diagnostics)
                for (HangWait wait : d.waits) {
                    wait.why = {}; // which only who has watched it can say, and with it who comes first
                    wait.on = {};
                    wait.isRoot = false;
                    all.push_back(std::move(wait));
                }
        std::sort(all.begin(), all.end(), [](const HangWait& x, const HangWait& y) {
            return std::tie(x.block, x.ptxLine, x.address, x.warps) < std::tie(y.block, y.ptxLine, y.address, y.warps);
        });
        return all;
    };
    const std::vector<HangWait> waits = waitsOf(a);
    return !waits.empty() && waits == waitsOf(b);
}

bool isTold(LaunchTree& tree) {
    return std::any_of(tree.launches().begin(), tree.launches().end(), [](const LaunchRecord& l) {
        return std::any_of(l.result.diagnostics.begin(), l.result.diagnostics.end(),
                           [](const Diagnostic& d) { return d.fatal; });
    });
}

} // namespace

ResidentModule::ResidentModule(ptx::Module module, GlobalMemory& memory, TextureMemory& textures)
    : m_module(std::move(module)), m_image(memory, textures) {
    placeModule(m_module, m_image);
    if (std::vector<std::byte>& bytes = m_image.constants; !bytes.empty()) {
        m_constantsAt = memory.take(bytes.size());
        memory.adopt(m_constantsAt, bytes.size(), bytes.data(), say::ConstantMemory, false);
    }
}

ResidentModule::~ResidentModule() {
    for (const auto& [name, place] : m_image.symbols.variables)
        if (place.space == ptx::StateSpace::Global)
            m_image.memory.remove(place.address);
    if (m_constantsAt != 0)
        m_image.memory.remove(m_constantsAt);
}

Result<std::unique_ptr<ResidentModule>> ResidentModule::load(ptx::Module module, GlobalMemory& memory,
                                                             TextureMemory& textures) {
    if (auto ok = validateVariables(module); !ok)
        return ok.error();
    return std::unique_ptr<ResidentModule>(new ResidentModule(std::move(module), memory, textures));
}

std::uint64_t ResidentModule::addressOf(const Symbols::Place& variable) const {
    return variable.space == ptx::StateSpace::Const ? m_constantsAt + variable.address : genericAddress(variable);
}

std::byte* ResidentModule::bytesOf(const std::string& variable) {
    return bytesOfVariable(m_image, variable).data();
}

void ResidentModule::move(const std::string& variable, Area& to, bool fills) {
    const auto place = m_image.symbols.variables.find(variable);
    if (place == m_image.symbols.variables.end() || place->second.space != ptx::StateSpace::Global)
        return;
    Area* hint = nullptr;
    if (const Area* from = m_image.memory.find(place->second.address, 1, hint); from && fills)
        std::copy_n(from->whole().begin(), std::min(from->bytes, to.bytes), to.whole().begin());
    m_image.memory.remove(place->second.address);
    place->second.address = to.base;
}

Result<Programs*> ResidentModule::programs(const std::string& entry) {
    if (const auto known = m_programs.find(entry); known != m_programs.end())
        return known->second.get();
    std::uint32_t index = noIndex;
    for (std::uint32_t f = 0; f < m_module.functions.size(); ++f)
        if (m_module.functions[f].name == entry && m_module.functions[f].isEntry)
            index = f;
    if (index == noIndex)
        return Error{.message = say::NoKernelInModule(entry), .file = m_module.name};
    auto decoded = decodeAll(m_module, index, m_image.symbols);
    if (!decoded)
        return decoded.error();
    decoded->all[0]->name = plainName(entry);
    return m_programs.emplace(entry, std::make_unique<Programs>(std::move(*decoded))).first->second.get();
}

Result<const Program*> ResidentModule::kernel(const std::string& entry) {
    auto found = programs(entry);
    if (!found)
        return found.error();
    return static_cast<const Program*>((*found)->all[0].get());
}

Result<ResidentOutcome> ResidentModule::launch(const ResidentLaunch& launch, const DeviceSpec& device,
                                               const RunOptions& options, Progress& progress) {
    auto found = programs(launch.kernel);
    if (!found)
        return found.error();
    Programs& programs = **found;
    Program& program = *programs.all[0];
    LaunchPlan plan;
    plan.kernelName = program.name;
    plan.moduleName = m_module.name;
    plan.entry = launch.kernel;
    plan.grid = launch.grid;
    plan.block = launch.block;
    plan.cluster = launch.cluster;
    plan.sharedBytes = launch.sharedBytes;
    plan.pendingLaunchLimit = launch.pendingLaunchLimit;
    if (launch.record) {
        plan.ptx = m_module.text;
        plan.source = launch.source;
        plan.sourceName = launch.sourceName;
        plan.headers = launch.headers;
    }
    const ptx::Function& entry = m_module.functions[program.moduleEntry];
    if (auto ok = validate(entry, plan.grid, plan.block, m_module.name, plan.cluster); !ok)
        return ok.error();
    if (auto ok = validate(plan, device, program.sharedStatic); !ok)
        return ok.error();
    if (auto ok = validateMemory({}, plan, device); !ok) // its variables are there already
        return ok.error();
    if (launch.parameters.size() < program.paramBytes)
        return Error{.message = say::ParametersGiven(program.name, program.paramBytes, launch.parameters.size()),
                     .file = m_module.name};
    auto chosen = chosenBlocks(options.detail, plan.grid.count());
    if (!chosen)
        return chosen.error();

    m_image.params = launch.parameters;
    RunOptions written = options;
    if (launch.record) {
        Keep keep = keepMemory(m_module, m_image, launch.keepMemory);
        written.asked.push_back({"memory", name(keep.keeping)});
        if (keep.keeping == Keeping::Kept)
            plan.kept = std::make_shared<const KeptMemory>(std::move(keep.memory));
    }
    const std::uint64_t before = m_image.memory.mark();
    // What the launch begins with, should it have to be made again: it is kept anyway, or for that alone.
    std::shared_ptr<const KeptMemory> began = plan.kept;
    if (!began && options.timing && !program.allocates)
        if (Keep keep = keepMemory(m_module, m_image, std::min(bounds.keptToRepeat, memoryLimit() / 8));
            keep.keeping == Keeping::Kept)
            began = std::make_shared<const KeptMemory>(std::move(keep.memory));
    LaunchTree::FirstRuns firstRuns;
    const std::unique_ptr<TwinWatch> twin =
        options.twin ? std::make_unique<TwinWatch>(*options.twin, programs.all) : nullptr;
    const auto newTree = [&] {
        auto made = std::make_unique<LaunchTree>(plan, options, device, programs, m_image, progress);
        made->setHeap(launch.heapLimit, launch.heapUsed);
        made->setStack(stackRoom(launch, program));
        made->letLanesGoApart();
        made->setCooperative(launch.cooperative);
        if (launch.noteTouched)
            made->noteTouched();
        if (twin) {
            twin->restart();
            made->watch(twin.get());
        }
        if (began && !program.allocates)
            made->canBeMadeAgain(firstRuns);
        return made;
    };
    std::unique_ptr<LaunchTree> made;
    ResidentOutcome outcome;
    const auto fromTheStart = [&] {
        if (began)
            putBack(*began, m_image);
        m_image.memory.releaseSince(before);
    };
    const auto runOn = [&](int count, HangWatch* watch) {
        for (bool again = true; again;) {
            made = newTree();
            made->watch(watch);
            outcome.faulted = !made->run(count, *chosen);
            again = made->isToBeMadeAgain() && !progress.cancelled();
            if (again)
                fromTheStart();
        }
    };
    const int threads = options.twin ? 1 : threadsFor(options.threads);
    runOn(threads, nullptr);
    if (threads > 1 && outcome.faulted && !program.allocates && !progress.cancelled() && !isTold(*made)) {
        // A block that cannot go on, while others may be what it waits for: one host thread tells, where they take turns. Where
        // nobody has kept the memory, results are none; who waits for whom in a block is the same.
        fromTheStart();
        runOn(1, nullptr);
        outcome.faulted |= !began;
    }
    if (const auto on = made->hangsOn(); on && !program.allocates && (began || !on->hasGlobal())) {
        // Once more, to see who did what before with what all wait for. Where nobody has kept the memory it begins with
        // what the first run left there, which counts only if all come to stand as they stood.
        HangWatch watch(*on);
        std::unique_ptr<LaunchTree> first = std::exchange(made, nullptr);
        fromTheStart();
        runOn(1, &watch);
        if (progress.cancelled() || (!began && !standAlike(*first, *made)))
            made = std::move(first);
        outcome.faulted = true;
    }
    LaunchTree& tree = *made;
    if (twin)
        for (Diagnostic& d : twin->told(m_image.memory))
            tree.launches().front().result.diagnostics.push_back(std::move(d));
    outcome.cancelled = progress.cancelled();
    outcome.heapUsed = tree.heapUsed();
    outcome.printed = tree.printed();
    outcome.estimatedNs = tree.estimatedNs();
    outcome.touched = tree.touched();
    outcome.syncsGrid = readsWorkspace(program);
    for (const LaunchRecord& l : tree.launches()) {
        outcome.warpInstructions += l.result.warpInstructions;
        const std::uint64_t reached = reachedBy(l);
        outcome.reached = reached > everything - outcome.reached ? everything : outcome.reached + reached;
        outcome.stored += storedBy(l);
        outcome.output += l.result.output;
        outcome.diagnostics.insert(outcome.diagnostics.end(), l.result.diagnostics.begin(), l.result.diagnostics.end());
    }
    const bool hangs = std::any_of(outcome.diagnostics.begin(), outcome.diagnostics.end(),
                                   [](const Diagnostic& d) { return !d.waits.empty(); });
    if (hangs) // it is kept for who waits for whom, with no events if nobody asked for them
        plan.ptx = m_module.text;
    if (launch.record || hangs) {
        TraceInput input{&plan, &written, &device, &m_module, {}, &tree.launches(), tree.clockMHz()};
        for (const auto& p : programs.all)
            input.programs.push_back(p.get());
        outcome.trace = std::make_shared<const Trace>(writeTrace(input));
    }
    m_image.memory.releaseSince(before);
    return outcome;
}

} // namespace warpglass::emulator
