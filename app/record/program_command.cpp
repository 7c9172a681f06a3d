// SPDX-License-Identifier: GPL-3.0-or-later
// `program` runs a whole program and records it.
#include "app/record/command.h"
#include "app/record/recorded_launch.h"
#include "app/session/program.h"
#include "gpu/base/messages/program.h"
#include "gpu/base/quantity.h"
#include "gpu/device/device.h"
#include "gpu/program/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

namespace warpglass::record {

namespace {

namespace prog = program;

struct ProgramCommand {
    std::vector<std::string> words; // before "--"
    std::string output, kernels, launches, times = "gpu";
    RunWords run;
    std::string capability;
    std::int64_t maxRecorded = 100, devices = 1, keepMegabytes = std::int64_t(prog::Settings().keepMemory >> 20);
    bool inPlace = false;
};

bool isSource(const std::string& word) {
    return word.ends_with(".cu") || word.ends_with(".cpp") || word.ends_with(".cc") || word.ends_with(".c");
}

Result<session::ProgramRequest> requestOf(const ProgramCommand& command, const std::vector<std::string>& behind) {
    session::ProgramRequest request;
    const bool builds = !command.words.empty() && isSource(command.words.front());
    if (builds)
        request.sources = command.words;
    else
        request.words = command.words;
    request.words.insert(request.words.end(), behind.begin(), behind.end());
    if (!builds && request.words.empty())
        return Error{.message = "no program is named",
                     .remedy = "Write: warpglass-record program -o FOLDER -- ./app ARGUMENTS, or app.cu -- ARGUMENTS."};
    if (command.output.empty())
        return Error{.message = "nothing says where the recording goes",
                     .file = "-o",
                     .remedy = "Give -o FOLDER or -o FILE.wgt."};
    const auto backend = parseEnum<BackendKind>(command.run.backend, "--backend");
    if (!backend)
        return backend.error();
    request.backend = *backend;
    if (command.times != "gpu" && command.times != "host")
        return Error{.message = fmt::format("\"{}\" is no clock to time a program by", command.times),
                     .file = "--times",
                     .remedy = "Use gpu or host."};
    RunWords words = command.run;
    request.settings.leaks = std::erase(words.checks, "leak") > 0;
    if (!words.against.empty() && !words.against.starts_with("twin"))
        return Error{.message = fmt::format("\"{}\" is nothing that a program is held against", words.against),
                     .file = "--against",
                     .remedy = "Give twin, or twin:TOLERANCE; a launch of it is held against a recording by `run`."};
    if (request.backend == BackendKind::Cuda && !command.run.schedule.empty())
        return Error{.message = "another order is the emulator's",
                     .file = "--schedule",
                     .remedy = "Leave it out, or leave --backend out."};
    if (request.backend == BackendKind::Cuda && !command.run.checks.empty())
        return Error{.message = "further checks are the emulator's",
                     .file = "--check",
                     .remedy = "Leave it out, or leave --backend out."};
    auto run = record::requestOf(builds ? command.words.front() : request.words.front(), words);
    if (!run)
        return run.error();
    request.output = command.output;
    request.compile = command.run.compile;
    request.compile.mode = run->launch.mode;
    prog::Settings& s = request.settings;
    s.kernels = command.kernels;
    try {
        const std::regex checked(s.kernels);
    } catch (const std::regex_error&) {
        return Error{.message = fmt::format("\"{}\" is no regular expression", s.kernels), .file = "--kernel"};
    }
    if (!command.launches.empty()) {
        auto ranges = prog::parseLaunches(command.launches);
        if (!ranges)
            return ranges.error();
        s.launches = *ranges;
    }
    const RunOptions& options = run->options;
    s.detail = options.detail.kind == Detail::Kind::Blocks ? "blocks" : name(options.detail.kind);
    s.blocks = options.detail.blocks;
    s.accesses = run->accesses;
    s.timing = options.timing;
    s.times = command.times;
    s.policy = name(options.policy);
    s.onFault = name(options.onFault);
    s.races = options.checkRaces;
    s.finite = options.checkFinite;
    s.twin = options.twin;
    s.adverse = options.adverse;
    s.device = options.device.empty() ? "h200" : options.device;
    if (const DeviceSpec* device = findDevice(s.device); device && !command.capability.empty()) {
        const auto problem = [](std::string why) {
            return Error{.message = std::move(why), .file = "--compute-capability"};
        };
        if (!withCapability(*device, command.capability))
            return problem(fmt::format("there is no compute capability {}", command.capability));
        if (request.backend == BackendKind::Cuda)
            return problem("a GPU has its own");
        if (s.timing)
            return problem("no timing model: the figures of " + device->name + " say nothing of such a card");
        s.capability = command.capability;
    }
    s.devices = unsigned(command.devices);
    s.threads = options.threads;
    s.maxEvents = options.maxEvents;
    s.maxInstructions = options.instructionLimit;
    s.maxRecorded = std::uint64_t(command.maxRecorded);
    s.keepMemory = std::uint64_t(command.keepMegabytes) << 20;
    s.inPlace = command.inPlace;
    return request;
}

// What a reader is told of a program: all kinds but notes first come, first served, the others in a few examples. There can
// be many of these; the launches' own traces have them all.
struct Told {
    explicit Told(std::size_t atMost) : most(atMost) {}
    void add(const prog::ProgramMessage& m, const char* before) {
        if (++all > most)
            return;
        const std::string text = textOf(m), of = fmt::format("operation {}", m.operation);
        const bool says = m.operation == noIndex || text.starts_with(of + " ("); // by itself
        say(fmt::format("{}{}{}", before, says ? "" : of + ": ", text));
    }
    void end(std::string_view one, std::string_view many) const {
        if (all > most)
            say(fmt::format("and {} in the recording", quantity(all - most, one, many)));
    }
    std::size_t most, all = 0;
};

// One line on standard error a file: the program has standard output to itself. True: something was found that is a failure.
bool summarise(const std::filesystem::path& file) {
    auto program = prog::readProgram(file);
    if (!program) {
        say(program.error().text());
        return false;
    }
    const std::size_t launches = prog::launchRows(*program).size();
    std::set<std::uint32_t> functions; // of libraries, which are listed beside the kernels
    for (const prog::Operation& o : program->operations)
        if (o.kind == prog::OperationKind::Library && o.kernel != noIndex)
            functions.insert(o.kernel);
    const std::size_t processes = program->info.processes.size();
    say(fmt::format("{} of {}{}, {} recorded in detail: {}", quantity(launches, "launch", "launches"),
                    quantity(program->kernels.size() - functions.size(), "kernel"),
                    processes > 1 ? " in " + quantity(processes, "process", "processes") : "",
                    prog::launchesWithWarps(*program), file.string()));
    Told wrong(20), notRun(3), notes(3);
    bool beside = false; // an access that a GPU may not notice
    for (const auto& m : program->messages) {
        beside |= m.message.id == say::KernelFaultBeside.id;
        if (m.kind == MessageKind::NotRun)
            notRun.add(m, "");
        else if (m.kind == MessageKind::Note || m.kind == MessageKind::Unrecorded)
            notes.add(m, "note: ");
        else
            wrong.add(m, "");
    }
    wrong.end("more message", "more messages");
    notRun.end("more launch that was not run", "more launches that were not run");
    notes.end("more note", "more notes");
    if (beside)
        say("a GPU notices an access past an allocation only where no memory of the program's follows; "
            "--on-fault report tells it and goes on");
    if (program->info.lost)
        say(fmt::format("{} found no room on the disk", quantity(program->info.lost, "operation")));
    return prog::hasFailed(*program);
}

int runProgram(const ProgramCommand& command, const std::vector<std::string>& behind) {
    auto request = requestOf(command, behind);
    if (!request)
        return report(request.error(), badInput);
    auto end = session::recordProgram(*request);
    if (!end)
        return report(end.error(),
                      end.error().message == "nothing of the program could be recorded" ? failed : badInput);
    const bool found = !end->file.empty() && summarise(end->file);
    if (request->backend == BackendKind::Emulator && !request->settings.races && !request->settings.adverse &&
        !end->file.empty())
        say("races in global memory were not looked for: --check race");
    for (const std::string& warning : end->warnings)
        say(warning);
    return end->status ? end->status : found ? failed : 0;
}

void addOptions(const Command& sub, ProgramCommand& command) {
    sub.option("PROGRAM", &command.words,
               "source files to build (app.cu more.cu -- ARGUMENTS); a program stands behind --: -- ./app ARGUMENTS");
    sub.option("--backend", &command.run.backend, wordsText<BackendKind>()).showDefault();
    sub.option("--kernel", &command.kernels, "record launches of these kernels only: a regular expression");
    sub.option("--launches", &command.launches,
               "launches to be recorded in detail, counted from 0: 0,3,10-12; else the first of each kernel");
    sub.option("--detail", &command.run.detail, "blocks of them that are recorded: none, auto, all or block:B,...")
        .showDefault();
    sub.flag("--accesses", command.run.accesses, "record addresses and values of the chosen blocks");
    sub.flag("--timing", command.run.timing, "run the timing model for the chosen launches");
    sub.option("--policy", &command.run.policy, "warp scheduling: " + wordsText<SchedulingPolicy>()).showDefault();
    sub.option("--device", &command.run.device, "device to be (warpglass-record devices); h200 if none is named");
    sub.option("--compute-capability", &command.capability,
               "what the device says it is, 10.0: programs of that one start; without a timing model");
    sub.option("--devices", &command.devices, "how many such devices the program finds")
        .inRange(1, double(prog::mostDevices));
    sub.option("--times", &command.times,
               "cuda: when the GPU did something (gpu), or only when it was asked to (host), which costs a launch less")
        .showDefault();
    sub.option("--mode", &command.run.mode, wordsText<CompileMode>()).showDefault();
    sub.option("--max-recorded", &command.maxRecorded, "launches recorded in detail at most").inRange(0, 1e9);
    sub.option("--keep-memory", &command.keepMegabytes,
               "MiB of memory that a recorded launch keeps, so that `why` and `run` can make it again; 0: none")
        .inRange(0, 1 << 20)
        .showDefault();
    sub.flag("--in-place", command.inPlace,
             "cuda: run launches that no process beside the program can make again (textures, memory that earlier "
             "kernels got, "
             "too much memory) with probes "
             "inside the program, where a fault of theirs would be the program's end");
    sub.option("--max-events", &command.run.maxEvents, "events that a launch keeps; the others are counted")
        .showDefault();
    sub.option("--max-instructions", &command.run.maxInstructions,
               "instructions of one warp after which its launch is ended; 0 = 2^30");
    sub.option(
           "--on-fault", &command.run.onFault,
           "what a wild or misaligned access does: stop, or report and go on, as a GPU does where the memory beside "
           "is somebody else's")
        .showDefault();
    sub.option(
           "--check", &command.run.checks,
           "a further check of the emulator: race (in global memory, between warps of a launch: of all launches, or "
           "of those that --kernel or --launches chooses), finite (of them, too: operations that make inf or NaN of "
           "finite numbers) or leak (memory that the program never frees); race,leak is both")
        .onceEach()
        .commaSeparated();
    sub.option(
        "--against", &command.run.against,
        "twin, or twin:TOLERANCE: launches (all, or those that --kernel or --launches chooses) beside themselves in "
        "fp64: where numbers lose their digits");
    sub.option(
        "--schedule", &command.run.schedule,
        "adverse: another order that CUDA allows, so that what races shows: work is done when something waits for "
        "it, and not before, later streams first, blocks and warps in reverse, and accesses that race find what "
        "was there before; adverse:SEED: by chance");
    sub.option("--threads", &command.run.threads, "host threads of the emulator; 0 = all").inRange(0, 4096);
    session::CompileOptions& compile = command.run.compile;
    sub.option("-I", &compile.includes, "a folder of headers, for source files").onceEach();
    sub.option("-D", &compile.defines, "a definition, for source files: NAME or NAME=VALUE").onceEach();
    sub.option("--arch", &compile.arch, "what source files are compiled for: sm_90; else the device's own");
    sub.option("--nvcc", &compile.nvcc, "a further option for nvcc").onceEach();
    sub.option("-o,--output", &command.output, "where the recording goes: a folder, or one FILE.wgt");
}

} // namespace

Result<session::ProgramRequest> programOf(const std::vector<std::string>& words, const std::string& output) {
    command_line::CommandLine line("", "program", "");
    ProgramCommand command;
    addOptions(line, command);
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (auto ok = line.read({words.begin(), dashes}); !ok)
        return ok.error();
    command.output = output;
    return requestOf(command, {dashes == words.end() ? dashes : dashes + 1, words.end()});
}

void addProgram(const Command& app, Action& action, const std::vector<std::string>& behind) {
    auto command = std::make_shared<ProgramCommand>();
    const Command sub =
        app.command("program", "Run a whole program, on a GPU or on the virtual device, and record its launches");
    addOptions(sub, *command);
    sub.whenChosen([command, behind, &action] { action = [command, behind] { return runProgram(*command, behind); }; });
}

} // namespace warpglass::record
