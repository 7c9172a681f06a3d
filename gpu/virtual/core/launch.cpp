// SPDX-License-Identifier: GPL-3.0-or-later
// A launch: what the runtime refuses is refused by its numbers; the rest runs on the emulator. What goes wrong inside is
// told by the next call, as with a device that works by itself; from then on every call answers it.
#include "gpu/base/catalogue.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/program.h"
#include "gpu/base/shown.h"
#include "gpu/device/occupancy.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/launch/validate.h"
#include "gpu/program/kernel_source.h"
#include "gpu/program/launch_words.h"
#include "gpu/trace/meaning.h"
#include "gpu/virtual/core/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>

#include <sys/mman.h>

namespace warpglass::virtual_device {

namespace {

constexpr std::uint64_t lowestHost = std::uint64_t(1) << 40; // the emulator's own windows lie below

bool isAssert(const Diagnostic& d) {
    const Message told = d.message.message(); // its first argument is what happened, the others say where
    const auto* what = told.arguments.empty() ? nullptr : std::get_if<std::vector<Message>>(&told.arguments.front());
    return d.kind == DiagnosticKind::Trap && what && what->front().id == say::AssertionFails.id;
}

Status statusOf(const Diagnostic& d) {
    switch (d.kind) {
    case DiagnosticKind::OutOfBounds:
        return illegalAddress;
    case DiagnosticKind::Misaligned:
        return misalignedAddress;
    case DiagnosticKind::Trap:
        return isAssert(d) ? assertFailed : launchFailure;
    case DiagnosticKind::Deadlock:
    case DiagnosticKind::EndlessLoop:
        return launchTimeout;
    default:
        return launchFailure;
    }
}

// A device prints failed assertions on standard error, printf on standard output; the emulator has them in one text.
std::string withoutAssertions(const std::string& output) {
    std::string rest;
    std::stringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const bool assertion = line.ends_with("` failed.") && line.find("] Assertion `") != std::string::npos;
        if (assertion)
            fmt::print(stderr, "{}\n", shown(line));
        else
            rest += line + (lines.eof() ? "" : "\n");
    }
    return rest;
}

// Whether something of the program's own lies there.
bool isMapped(std::uint64_t address) {
    constexpr std::uint64_t page = 4096;
    unsigned char resident = 0;
    return mincore(reinterpret_cast<void*>(address / page * page), page, &resident) == 0;
}

// Of a cooperative launch: how many blocks live on an SM.
std::uint32_t blocksPerSm(const KernelRequest& request, const emulator::Program& program, const DeviceSpec& spec,
                          std::uint32_t registers) {
    OccupancyInput input;
    input.threads = std::uint32_t(request.shape.block.count());
    input.sharedStatic = program.sharedStatic;
    input.sharedDynamic = request.shape.sharedBytes;
    input.sharedLimit = SharedLimit::OptIn;
    input.registers = registers;
    return std::uint32_t(occupancy(spec.limits(), input).blocksPerSm);
}

// In words, what the status of a refused launch does not say; programs that do not ask for it see nothing but wrong results.
Message whyRefused(const KernelRequest& request, const emulator::Program& program, const DeviceSpec& spec,
                   std::uint32_t registers, Status status) {
    const std::string kernel = plainName(request.kernel->entry);
    LaunchPlan plan;
    plan.grid = request.shape.grid;
    plan.block = request.shape.block;
    plan.sharedBytes = request.shape.sharedBytes;
    if (const auto fits = validate(plan, spec, std::uint32_t(program.sharedStatic)); !fits)
        return say::LaunchRefused(kernel, fits.error().message);
    if (const auto fits = validate(*program.functions[0].source, plan.grid, plan.block, {}, request.cluster); !fits)
        return say::LaunchRefused(kernel, fits.error().message);
    if (status == cooperativeTooLarge) {
        const std::uint32_t each = blocksPerSm(request, program, spec, registers);
        return say::RefusedCooperative(kernel, plan.grid.count(), std::uint64_t(each) * std::uint64_t(spec.smCount),
                                       each, std::uint64_t(spec.smCount));
    }
    return say::RefusedShared(kernel, plan.sharedBytes, plan.sharedBytes + program.sharedStatic);
}

} // namespace

Status Device::check(const KernelRequest& request, const emulator::Program& program) const {
    const Dim3 &grid = request.shape.grid, &block = request.shape.block;
    if (grid.count() == 0 || block.count() == 0 || block.x > 1024 || block.y > 1024 || block.z > 64 ||
        block.count() > spec.limits().threadsPerBlock || grid.y > 65535 || grid.z > 65535 || grid.x > 0x7fffffffu)
        return invalidConfiguration;
    const std::uint64_t shared = std::uint64_t(request.shape.sharedBytes) + program.sharedStatic;
    if (shared > spec.limits().sharedPerBlockOptIn ||
        (request.shape.sharedBytes > request.kernel->maxDynamicShared && shared > 48 * 1024))
        return invalidValue;
    const ptx::Function& entry = *program.functions[0].source;
    if (!validate(entry, grid, block, request.kernel->module->name, request.cluster))
        return entry.maxntid[0] && block.count() > std::uint64_t(entry.maxntid[0]) * std::max(1u, entry.maxntid[1]) *
                                                       std::max(1u, entry.maxntid[2])
                   ? launchOutOfResources
                   : invalidConfiguration;
    if (request.cooperative &&
        grid.count() >
            std::uint64_t(blocksPerSm(request, program, spec, modules.registersOf(*request.kernel).value_or(0))) *
                std::uint64_t(spec.smCount))
        return cooperativeTooLarge;
    return success;
}

// Whether a message is made of one of that row.
static bool holds(const Message& message, MessageId id) {
    return message.id == id || std::any_of(message.arguments.begin(), message.arguments.end(), [&](const auto& a) {
               const auto* const parts = std::get_if<std::vector<Message>>(&a);
               return parts &&
                      std::any_of(parts->begin(), parts->end(), [&](const Message& m) { return holds(m, id); });
           });
}

// What is looked for in launches that are not recorded, too, is told once for each place of a kernel; what is passed over,
// of which there may be much, once a kernel.
bool Device::isNews(const KernelRequest& request, const Diagnostic& d) {
    const bool watched = d.kind == DiagnosticKind::UninitialisedRead || d.kind == DiagnosticKind::GlobalRace ||
                         d.kind == DiagnosticKind::NotFinite || d.kind == DiagnosticKind::DigitsLost;
    return (isPassedOver(d) && m_toldOf.insert(request.kernel->entry).second) ||
           (watched && m_toldOf.insert(fmt::format("{} {} {}", request.kernel->entry, int(d.kind), d.ptxLine)).second);
}

// Whether it is an access beside an allocation of the device's, as where a GPU may have memory of the program's.
bool Device::isBeside(const Diagnostic& d) const {
    return d.kind == DiagnosticKind::OutOfBounds && memory.isDevices(d.address) &&
           !memory.global(number).freed(d.address) && memory.global(number).nearest(d.address);
}

MessageId Device::idOf(const Diagnostic& d) const {
    if (d.fatal)
        return isHang(d) ? say::KernelHang.id : isBeside(d) ? say::KernelFaultBeside.id : say::KernelFault.id;
    return isPassedOver(d)                        ? say::KernelPassedOver.id
           : isRace(d)                            ? say::KernelRace.id
           : d.kind == DiagnosticKind::NotFinite  ? say::KernelNotFinite.id
           : d.kind == DiagnosticKind::DigitsLost ? say::KernelDigitsLost.id
                                                  : say::KernelNote.id;
}

Status Device::finish(const KernelRequest& request, const emulator::ResidentOutcome& outcome, bool recorded) {
    Operation own;
    own.kernel = recorder.kernelRow(*request.kernel);
    if (m_output += withoutAssertions(outcome.output); !m_output.empty() && !m_printed)
        m_printed = {recorder.next(), workOf(own, recorder.next())};
    // A thirty-second more was seen to stay of it.
    if (m_printing += outcome.printed; outcome.printed > 0 && m_printing > limits[1] + limits[1] / 32 &&
                                       m_toldOf.insert("printed " + request.kernel->entry).second)
        recorder.tell(say::PrintedTooMuch(workOf(own, recorder.next()), m_printing, limits[1]));
    Status fault = success;
    for (const Diagnostic& d : outcome.diagnostics) {
        if (d.fatal && fault == success)
            fault = statusOf(d);
        Message said = withLines(counted(d.message.message(), d.count));
        if (d.fatal && !isHang(d))
            if (std::optional<Message> line = lineOf(recorder.next()))
                said = say::LaunchedAt(std::move(said), std::move(*line));
        const bool hosts = d.fatal && d.kind == DiagnosticKind::OutOfBounds && d.address >= lowestHost &&
                           !memory.isDevices(d.address) && isMapped(d.address) && !holds(said, say::IndexWrapped.id);
        const std::string at = fmt::format("0x{:x}", d.address);
        if (!isNews(request, d) && !d.fatal && !recorded)
            continue;
        if (const auto shadow = hosts ? modules.shadowAt(d.address, number) : std::nullopt)
            recorder.tell(say::FaultShadow(at, *shadow, std::move(said)));
        else if (hosts)
            recorder.tell(say::KernelFaultHosts(at, std::move(said)));
        else if (d.fatal && d.kind == DiagnosticKind::Trap && outcome.syncsGrid && !request.cooperative && !isAssert(d))
            recorder.tell(say::FaultGridSync(std::move(said)));
        else if (std::optional<Message> of = withSource(d, said))
            recorder.tell(std::move(*of));
        else
            recorder.tell(message(idOf(d), std::move(said)));
    }
    if (outcome.faulted && fault == success) {
        fault = launchFailure;
        recorder.tell(say::BlocksWait(request.kernel->entry));
    }
    return fault;
}

std::vector<L2Range> Device::within(const std::vector<Reached>& reached, std::uint64_t bytes) {
    std::vector<L2Range> touched;
    touched.reserve(reached.size());
    for (const Reached& r : reached)
        touched.push_back(bytes >= r.all.end - r.all.begin ? r.all
                                                           : L2Range{r.from, std::min(r.from + bytes, r.all.end)});
    return touched;
}

std::vector<Device::Reached> Device::reached(const KernelRequest& request) const {
    std::vector<Reached> ranges;
    for (std::size_t at = 0; at + 8 <= request.arguments.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, request.arguments.data() + at, 8);
        const DeviceMemory::Block* block = memory.isDevices(word) ? memory.find(word) : nullptr;
        if (block && (block->kind == MemoryKind::Device || block->kind == MemoryKind::Managed))
            ranges.push_back({{block->address, block->address + block->bytes}, word});
    }
    return ranges;
}

// What an estimate of the launch's duration rests on; nothing where the figures of the device are another one's.
std::optional<EstimateAround> Device::around(const std::vector<Reached>& ranges) const {
    if (!m_machine.settings.capability.empty() || m_machine.settings.folder.empty())
        return std::nullopt;
    EstimateAround around;
    std::uint64_t held = 0;
    const std::vector<L2Piece> pieces = m_l2.pieces();
    for (const auto& [r, from] : ranges) {
        around.reached += r.end - r.begin;
        for (const L2Piece& p : pieces) // no byte is in two of them
            held += std::max(r.begin, std::min(r.end, p.at.end)) - std::max(r.begin, std::min(r.end, p.at.begin));
    }
    if (around.reached > 0)
        around.inL2 = double(held) / double(around.reached);
    return around;
}

// By the timing model where it ran, else as estimated, in the measure of the last launch of the kernel for which both are
// known.
void Device::setDuration(Operation& o, LoadedKernel& kernel, const emulator::ResidentOutcome& outcome) {
    const bool timed = outcome.trace && !outcome.trace->timings.empty();
    const double ns = timed ? outcome.trace->timings.front().durationNs : outcome.estimatedNs * kernel.modelled;
    if (timed && outcome.estimatedNs > 0)
        kernel.modelled = ns / outcome.estimatedNs;
    o.duration = std::int64_t(std::llround(std::clamp(ns, 0.0, 1e15)));
    if (o.duration > 0)
        o.timed = timed ? program::TimeOrigin::Modelled : program::TimeOrigin::Estimated;
}

Status Device::run(const KernelRequest& request, std::uint32_t streamRow) {
    LoadedKernel& kernel = *request.kernel;
    if (const Status status = modules.load(*kernel.module, number); status != success)
        return status; // a graph may be older than what was reset
    Operation o;
    o.kind = OperationKind::Launch;
    o.stream = streamRow;
    o.kernel = recorder.kernelRow(kernel);
    o.shape = recorder.shape(request.shape);
    o.start = recorder.now();
    auto chosen = recorder.choose(kernel);
    const bool recorded = chosen.has_value();
    RunOptions options = chosen ? std::move(*chosen) : RunOptions{};
    if (!recorded) {
        options.detail.kind = Detail::Kind::None;
        options.checkMemory = false;
    }
    const program::Settings& settings = m_machine.settings;
    const bool checked = recorded || (settings.kernels.empty() && settings.launches.empty());
    options.checkRaces = settings.races && checked;
    options.checkOrder = recorded && !settings.timing; // a launch of a kernel is enough to see what it lacks
    options.adverse = settings.adverse;
    options.checkFinite = settings.finite && checked;
    if (checked)
        options.twin = settings.twin;
    options.threads = settings.threads;
    options.warmL2 = true; // of code, and of what the program has made last
    if (recorded)
        options.l2 = m_l2.pieces();
    const std::vector<Reached> ranges = reached(request);
    options.estimate = around(ranges);
    options.onFault = parseEnum<OnFault>(m_machine.settings.onFault).valueOr(OnFault::Stop);
    constexpr std::uint64_t inAnotherOrder = std::uint64_t(1) << 27; // where each access is looked at
    options.instructionLimit = settings.maxInstructions ? settings.maxInstructions
                               : settings.adverse       ? inAnotherOrder
                                                        : program::instructionsOfWarp;
    emulator::ResidentLaunch launch;
    launch.kernel = kernel.entry;
    launch.grid = request.shape.grid;
    launch.block = request.shape.block;
    launch.cluster = request.cluster;
    launch.sharedBytes = request.shape.sharedBytes;
    launch.parameters = request.arguments;
    launch.pendingLaunchLimit = std::uint32_t(limits[4]);
    launch.heapLimit = limits[2];
    launch.heapUsed = m_heapUsed;
    launch.stackLimit = limits[0];
    modules.registersOf(kernel);
    launch.frames = &kernel.frames;
    launch.record = recorded;
    launch.noteTouched = notesTouched(request);
    launch.cooperative = request.cooperative;
    if (recorded) {
        launch.keepMemory = std::min(m_machine.settings.keepMemory, m_machine.memoryToKeep);
        if (!kernel.source)
            kernel.source = program::sourceOf(kernel.module->code(number).source(), kernel.entry);
        const program::KernelSource& source = *kernel.source;
        if (source.why && m_toldOf.insert(wholeText(*source.why)).second)
            recorder.tell(*source.why);
        launch.source = source.text;
        launch.sourceName = source.name;
        launch.headers = source.headers;
        options.asked = program::askedOf({.entry = kernel.entry,
                                          .sourceName = launch.sourceName,
                                          .grid = launch.grid,
                                          .block = launch.block,
                                          .cluster = launch.cluster,
                                          .sharedBytes = launch.sharedBytes,
                                          .pendingLaunches = launch.pendingLaunchLimit,
                                          .heapLimit = launch.heapLimit,
                                          .device = spec.key},
                                         options);
    }
    std::string& name = m_machine.kernelNames[o.kernel];
    if (name.empty())
        name = plainName(kernel.entry);
    for (const Reached& r : ranges)
        if (DeviceMemory::Block* block = memory.blockAt(r.all.begin))
            block->given = {recorder.next(), o.kernel, launch.grid.count(), launch.block.count()};
    auto outcome = kernel.module->code(number).launch(launch, spec, options, *m_progress);
    o.end = recorder.now();
    memory.settle();
    Status refused = success;
    m_l2.launch(within(ranges, outcome ? outcome->reached : ~std::uint64_t(0)), outcome ? outcome->stored : 0);
    if (!outcome) {
        refused = invalidConfiguration;
        recorder.tell(say::LaunchImpossible(wholeOf(outcome.error())));
    } else {
        m_heapUsed = outcome->heapUsed;
        const Status fault = finish(request, *outcome, recorded);
        if (fault != success)
            broken = fault;
        o.error = std::uint32_t(fault);
        setDuration(o, kernel, *outcome);
        if (outcome->trace) {
            m_machine.memoryToKeep -=
                std::min<std::uint64_t>(m_machine.memoryToKeep, outcome->trace->kept.words.size() * 8);
            const_cast<Trace&>(*outcome->trace).codes = modules.codesOf(kernel, number); // nobody has seen it yet
            recorder.keep(*outcome->trace);
        }
    }
    if (refused != success)
        o.error = std::uint32_t(refused);
    const std::uint32_t row = list(o, outcome ? std::move(outcome->touched) : Touched(), request.arguments);
    if (broken != success && m_brokenBy == noIndex)
        m_brokenBy = row;
    return refused;
}

// Threads of a block for which an SM has registers: a warp takes them in units, for each thread a multiple of 8.
std::uint32_t Device::mostThreads(LoadedKernel& kernel) const {
    const CapabilityLimits& l = spec.limits();
    const std::uint32_t registers = modules.registersOf(kernel).value_or(0);
    if (registers == 0)
        return l.threadsPerBlock;
    const std::uint32_t ofWarp = (registers * 32 + l.registerUnit - 1) / l.registerUnit * l.registerUnit;
    return std::min(l.threadsPerBlock, l.registersPerBlock / ofWarp * 32);
}

Status Device::check(const KernelRequest& request) {
    if (const Status status = modules.load(*request.kernel->module, number); status != success)
        return status;
    auto program = request.kernel->module->code(number).kernel(request.kernel->entry);
    if (!program) {
        fmt::print(stderr, "warpglass: {} cannot run on the emulator: {}\n", shown(request.kernel->entry),
                   shown(program.error().text()));
        if (m_toldOf.insert(program.error().text()).second)
            recorder.tellOfProgram(say::LaunchImpossible(wholeOf(program.error())));
        return notSupported;
    }
    const Status status = check(request, **program);
    const auto tell = [this](Message why) {
        if (m_toldOf.insert(wholeText(why)).second)
            recorder.tellOfProgram(std::move(why));
    };
    if (status != success)
        tell(whyRefused(request, **program, spec, modules.registersOf(*request.kernel).value_or(0), status));
    else if (const std::uint32_t most = mostThreads(*request.kernel); request.shape.block.count() > most) {
        tell(say::RefusedRegisters(plainName(request.kernel->entry), *request.kernel->registers,
                                   request.shape.block.count(), most));
        return launchOutOfResources; // by every runtime, as by the driver
    }
    // Since CUDA 13 whatever is wrong with a launch's shape is an invalid value, as it is to the driver.
    const bool ofShape = status == invalidConfiguration || status == launchOutOfResources;
    return ofShape && loadedRuntime() >= 13 ? invalidValue : status;
}

// What follows a kernel's fault is listed as not run. The row is the launch's own, so that launches keep their numbers.
Status Device::refuseBroken(const KernelRequest& request, std::uint32_t streamRow) {
    Operation o;
    o.kind = OperationKind::Launch;
    o.stream = streamRow;
    o.kernel = recorder.kernelRow(*request.kernel);
    o.shape = recorder.shape(request.shape);
    o.start = o.end = recorder.now();
    o.error = std::uint32_t(broken);
    recorder.pass();
    const std::string kernel = plainName(request.kernel->entry);
    recorder.tell(m_brokenBy == noIndex ? say::NotRunOnDevice(kernel)
                                        : say::NotRun(kernel, std::to_string(m_brokenBy)));
    recorder.add(o, request.arguments);
    return broken;
}

Status Device::launch(const KernelRequest& request, void* stream) {
    const Stream* s = streams.find(stream);
    if (!s || s->device != number) // a launch is of the device that is current
        return invalidHandle;
    if (broken != success)
        return refuseBroken(request, rowOf(*s));
    if (const Status status = check(request); status != success)
        return status;
    return submit(stream, request);
}

} // namespace warpglass::virtual_device
