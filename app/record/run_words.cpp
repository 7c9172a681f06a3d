// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/recorded_launch.h"
#include "app/session/asked.h"
#include "app/session/triton.h"
#include "gpu/base/whole_number.h"

#include <charconv>
#include <fmt/format.h>

#include <optional>

namespace warpglass::record {

namespace {

Error badOption(const char* option, std::string message, std::string remedy) {
    return Error{.message = std::move(message), .file = option, .remedy = std::move(remedy)};
}

Result<std::optional<Dim3>> parseShape(const char* option, const std::string& text) {
    if (text.empty())
        return std::optional<Dim3>();
    if (const auto shape = parseDim3(text))
        return shape;
    return badOption(option, fmt::format("\"{}\" is no shape", text),
                     "Write one, two or three numbers: 64, 32x16 or 8,8,4.");
}

session::RunRequest begunWith(const std::string& kernel, const RunWords& words) {
    session::RunRequest request;
    request.kernel = kernel;
    request.entry = words.entry;
    request.arguments = words.arguments;
    request.buffers = words.buffers;
    request.globals = words.globals;
    request.textures = words.textures;
    request.surfaces = words.surfaces;
    request.compile = words.compile;
    request.documentLaunch = words.asInDocument;
    return request;
}

// The launch that a recording keeps. What its kernel is and what it is given is not changed by words, since both belong
// together.
Result<session::RunRequest> requestOfRecording(const std::string& file, const RunWords& words) {
    const session::CompileOptions& compile = words.compile;
    for (const auto& [option, typed] :
         {std::pair{"--kernel", !words.entry.empty()}, std::pair{"--arg", !words.arguments.empty()},
          std::pair{"--buffer", !words.buffers.empty()}, std::pair{"--texture", !words.textures.empty()},
          std::pair{"--surface", !words.surfaces.empty()}, std::pair{"--global", !words.globals.empty()},
          std::pair{"-I", !compile.includes.empty()}, std::pair{"-D", !compile.defines.empty()},
          std::pair{"--arch", !compile.arch.empty()}, std::pair{"--nvcc", !compile.nvcc.empty()}})
        if (typed)
            return badOption(option, "a recording is launched with the kernel and the arguments that it was made with",
                             "Leave it out, or run the kernel's own file.");
    const auto trace = openLaunch(file, words.launch < 0 ? std::nullopt : std::optional(std::uint64_t(words.launch)));
    if (!trace)
        return trace.error();
    auto request = session::requestOf(**trace);
    if (!request && request.error().file.empty()) {
        Error error = request.error();
        error.file = file;
        return error;
    }
    if (request)
        request->documentLaunch = request->documentLaunch || words.asInDocument;
    return request;
}

// "adverse" or "adverse:SEED".
std::optional<std::uint64_t> seedOf(std::string_view schedule) {
    constexpr std::string_view word = "adverse";
    if (!schedule.starts_with(word))
        return std::nullopt;
    schedule.remove_prefix(word.size());
    if (schedule.empty())
        return 0;
    return schedule.front() == ':' ? wholeNumber<std::uint64_t>(schedule.substr(1)) : std::nullopt;
}

// Of "twin" or "twin:TOLERANCE" the tolerance, 0 for its default; nothing if it is something else. Error: no tolerance.
Result<std::optional<double>> twinOf(std::string_view against) {
    constexpr std::string_view word = "twin";
    if (against == word)
        return std::optional(0.0);
    if (!against.starts_with(word) || against[word.size()] != ':')
        return std::optional<double>();
    against.remove_prefix(word.size() + 1);
    const auto tolerance = toleranceIn(against);
    if (!tolerance || *tolerance == 0)
        return Error{.message = fmt::format("\"{}\" is no tolerance", against), .file = "--against"};
    return tolerance;
}

} // namespace

std::optional<double> toleranceIn(std::string_view text) {
    double tolerance = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), tolerance);
    return failure == std::errc() && end == text.data() + text.size() && tolerance >= 0 ? std::optional(tolerance)
                                                                                        : std::nullopt;
}

void addKernelOptions(const Command& command, std::string& kernel, RunWords& words) {
    command
        .option("KERNEL", &kernel,
                "a name of the catalogue (warpglass-record list), a .ptx, .cu or .py (Triton) file, or a recording of "
                "a launch or a "
                "program, to launch it again")
        .required();
    command
        .option("--launch", &words.launch,
                "of a program's recording (its folder or .wgt): which launch, counted from 0; else its only one")
        .inRange(0, 1e15);
    command.option("--kernel", &words.entry,
                   "which kernel of the file: its name, signature, or a template's instance: 'scale<float, 128>'");
    command
        .option("--arg", &words.arguments,
                "argument of a file's kernel, in order: NAME:TYPE[COUNT]=INITIAL or NAME:TYPE=VALUE")
        .onceEach();
    command
        .option("--buffer", &words.buffers,
                "a further buffer, for pointers inside others to lead to: NAME:TYPE[COUNT]=INITIAL")
        .onceEach();
    command
        .option("--texture", &words.textures,
                "a texture for a pointer, or the texture reference of that name: "
                "NAME=2d:64x64:f32[:linear,clamp,normalized][:INITIAL]")
        .onceEach();
    command
        .option("--surface", &words.surfaces,
                "a surface: NAME=2d:64x64:f32[:INITIAL], or NAME=@TEXTURE for the texture's array")
        .onceEach();
    command
        .option("--global,--constant", &words.globals,
                "a __device__ or __constant__ variable: NAME=VALUES or NAME:TYPE[COUNT]=INITIAL")
        .onceEach();
    session::CompileOptions& compile = words.compile;
    command.option("-I", &compile.includes, "a folder of headers, for a .cu file").onceEach();
    command
        .option("-D", &compile.defines,
                "a definition, for a .cu file: NAME or NAME=VALUE; of a .py file a constexpr parameter, or num_warps=8 "
                "and the like")
        .onceEach();
    command.option("--arch", &compile.arch, "what a .cu file is compiled for: sm_90; else the device's own");
    command.option("--nvcc", &compile.nvcc, "a further option for nvcc").onceEach();
}

void addRunOptions(const Command& command, RunWords& words) {
    command.option("--backend", &words.backend, wordsText<BackendKind>()).showDefault();
    command.option("--device", &words.device, "device to emulate (warpglass-record devices), or number of the GPU");
    command.option("--mode", &words.mode, wordsText<CompileMode>()).showDefault();
    command.option("--grid", &words.grid, "blocks: X[,Y[,Z]] or XxY");
    command.option("--block", &words.block, "threads of a block: X[,Y[,Z]] or XxY");
    command.option("--cluster", &words.cluster,
                   "blocks of a cluster: X[,Y[,Z]] or XxY, where the kernel itself names none");
    command.option("--shared", &words.shared, "bytes of dynamic shared memory a block");
    command.option("--size", &words.size, "problem size, in elements");
    command.option("--set", &words.set, "parameter of the kernel: NAME=VALUE").onceEach();
    command.option("--detail", &words.detail, "blocks that are recorded in full: none, auto, all or block:B,...")
        .showDefault();
    command.flag(
        "--accesses", words.accesses,
        fmt::format(
            "record addresses and values of the chosen blocks; done by itself up to {} blocks a grid, on a GPU only "
            "of kernels that order no copies beside their threads",
            session::accessBlocks));
    command.flag("--timing", words.timing, "run the emulator's timing model too");
    command.option("--policy", &words.policy, "warp scheduling: " + wordsText<SchedulingPolicy>()).showDefault();
    command.option("--without", &words.without,
                   "with --timing: the device as it would be without these limits: " + wordsText<Limit>() +
                       ", with commas between them, or all");
    command.flag("--cold-code", words.coldCode,
                 "with --timing: warps wait for the first fetch of each line of unoptimised code, as a program's first "
                 "launch does; else that is overhead of the launch");
    command.flag("--warm-l2", words.warmL2,
                 "with --timing: the launch's data and code lie in L2 already, as far as it has room, as behind a "
                 "kernel that touched all of them; "
                 "else the caches are empty, as profilers make them");
    command.flag("--cold-data", words.coldData,
                 "with --timing: its code lies in L2, but none of its data, as behind a launch that read other memory");
    command.option("--reconvergence", &words.reconvergence, "stack (post-dominators) or independent").showDefault();
    command.option("--pending-launches", &words.pendingLaunches, "device-side launches that may wait (2048)")
        .inRange(0, 0xffffffff);
    command.option("--max-events", &words.maxEvents, "events that are kept; the others are counted").showDefault();
    command.option("--max-instructions", &words.maxInstructions,
                   "instructions of one warp after which the emulator calls it endless; 0 = 2^25");
    command.option("--on-fault", &words.onFault, "what a wild or misaligned access does: stop, or report and go on")
        .showDefault();
    command
        .option("--check", &words.checks,
                "a further check of the emulator: race (in global memory, between warps of a launch) or finite "
                "(operations that make inf or NaN of finite numbers); race,finite is both")
        .onceEach()
        .commaSeparated();
    command.option("--schedule", &words.schedule,
                   "adverse: blocks and warps in reverse, and what races finds what was there before; adverse:SEED: by "
                   "chance");
    command.option("--threads", &words.threads, "host threads of the emulator; 0 = all").inRange(0, 4096);
    command.flag("--as-in-document", words.asInDocument, "launch with the document's sizes instead of small ones");
}

Result<session::RunRequest> requestOf(const std::string& kernel, const RunWords& words) {
    auto begun =
        isRecording(kernel) ? requestOfRecording(kernel, words) : Result<session::RunRequest>(begunWith(kernel, words));
    if (!begun)
        return begun;
    session::RunRequest& request = *begun;
    const RunWords usual; // what is not typed stays as a recording has it
    if (words.backend != usual.backend)
        request.backend = words.backend;
    request.accesses = request.accesses || words.accesses;
    if (words.pendingLaunches >= 0)
        request.pendingLaunches = std::uint32_t(words.pendingLaunches);
    if (const auto backend = parseEnum<BackendKind>(words.backend, "--backend"); !backend)
        return backend.error();
    const auto mode =
        parseEnum<CompileMode>(words.mode == "optimized" ? name(CompileMode::Optimised) : words.mode, "--mode");
    if (!mode)
        return mode.error();
    if (words.mode != usual.mode)
        request.launch.mode = *mode;

    auto grid = parseShape("--grid", words.grid), block = parseShape("--block", words.block);
    if (!grid || !block)
        return !grid ? grid.error() : block.error();
    if (*grid)
        request.launch.grid = *grid;
    if (*block)
        request.launch.block = *block;
    const auto cluster = parseShape("--cluster", words.cluster);
    if (!cluster)
        return cluster.error();
    if (*cluster)
        request.launch.cluster = *cluster;
    if (words.size != -1) {
        if (words.size < 1)
            return badOption("--size", fmt::format("a size of {} is not possible", words.size), "Give at least 1.");
        request.launch.size = words.size;
    }
    if (words.shared != -1) {
        if (words.shared < 0 || words.shared > 0xffffffffll)
            return badOption("--shared", fmt::format("{} bytes of shared memory are not possible", words.shared),
                             "Give a number of bytes.");
        request.launch.sharedBytes = std::uint32_t(words.shared);
    }
    for (const std::string& setting : words.set) {
        const std::size_t equals = setting.find('=');
        const auto value = equals == std::string::npos
                               ? std::nullopt
                               : wholeNumber<std::int64_t>(std::string_view(setting).substr(equals + 1));
        if (!value || equals == 0)
            return badOption("--set", fmt::format("\"{}\" is no setting", setting),
                             "Write NAME=VALUE with a whole number.");
        request.launch.set[setting.substr(0, equals)] = *value;
    }

    auto detail = session::parseDetail(words.detail);
    if (!detail)
        return detail.error();
    if (words.detail != usual.detail)
        request.options.detail = *detail;
    const auto policy = parseEnum<SchedulingPolicy>(words.policy, "--policy");
    if (!policy)
        return policy.error();
    if (words.policy != usual.policy)
        request.options.policy = *policy;
    const auto limits = parseLimits(words.without);
    if (!limits)
        return badOption("--without", limits.error().message, limits.error().remedy);
    request.options.timing = request.options.timing || words.timing;
    if (!limits->empty() && !request.options.timing)
        return badOption("--without", "limits are taken away from the timing model, which is not asked for",
                         "Give --timing too.");
    if (!limits->empty())
        request.options.without = *limits;
    request.options.coldCode = request.options.coldCode || words.coldCode;
    if (words.warmL2 && words.coldData)
        return badOption("--cold-data", "L2 cannot hold the data and hold none of them", "Leave --warm-l2 out.");
    request.options.warmL2 = request.options.warmL2 || words.warmL2 || words.coldData;
    if (words.warmL2)
        request.options.l2.reset();
    else if (words.coldData)
        request.options.l2.emplace();
    const auto reconvergence = parseEnum<Reconvergence>(words.reconvergence, "--reconvergence");
    if (!reconvergence)
        return reconvergence.error();
    if (words.reconvergence != usual.reconvergence)
        request.options.reconvergence = *reconvergence;
    const auto onFault = parseEnum<OnFault>(words.onFault, "--on-fault");
    if (!onFault)
        return onFault.error();
    if (words.onFault != usual.onFault)
        request.options.onFault = *onFault;
    for (const std::string& check : words.checks) {
        if (check != "race" && check != "finite")
            return badOption("--check", fmt::format("\"{}\" is no check", check),
                             "Give race or finite, or, of a program, leak.");
        (check == "race" ? request.options.checkRaces : request.options.checkFinite) = true;
    }
    if (!words.schedule.empty()) {
        const auto seed = seedOf(words.schedule);
        if (!seed)
            return badOption("--schedule", fmt::format("\"{}\" is no order", words.schedule),
                             "Give adverse, or adverse:SEED with a number.");
        if (request.options.timing)
            return badOption("--schedule", "the timing model has an order of its own", "Leave --timing out.");
        request.options.adverse = *seed;
    }
    const auto twin = twinOf(words.against);
    if (!twin)
        return twin.error();
    request.options.twin = *twin;
    if (*twin && words.backend == "cuda")
        return badOption("--against", "only the emulator makes a launch beside itself in fp64", "Leave --backend out.");
    if (*twin && request.options.timing)
        return badOption("--against", "beside itself in fp64 a launch is not timed", "Leave --timing out.");
    // Of kernels that wait for flags or locks; a launch that is timed is not slowed down.
    request.options.checkOrder = !request.options.timing && words.backend != "cuda";
    if (!words.device.empty())
        request.options.device = words.device;
    else if (words.backend == "cuda")
        request.options.device.clear();
    request.options.threads = words.threads;
    if (words.maxEvents != usual.maxEvents)
        request.options.maxEvents = words.maxEvents;
    if (words.maxInstructions != usual.maxInstructions)
        request.options.instructionLimit = words.maxInstructions;
    if (session::isTritonFile(kernel))
        return session::compiledByTriton(std::move(request));
    return begun;
}

Result<KernelWords> kernelWordsOf(const std::vector<std::string>& words, const RunWords& base) {
    command_line::CommandLine line("", "run", "");
    KernelWords all{.kernel = {}, .run = base};
    addKernelOptions(line, all.kernel, all.run);
    addRunOptions(line, all.run);
    if (auto ok = line.read(words); !ok)
        return ok.error();
    // A list that is given takes the place of the one that was there.
    const auto behind = [](const std::vector<std::string>& before, std::vector<std::string>& given) {
        if (given != before)
            given.insert(given.begin(), before.begin(), before.end());
    };
    behind(base.compile.defines, all.run.compile.defines);
    behind(base.compile.includes, all.run.compile.includes);
    behind(base.compile.nvcc, all.run.compile.nvcc);
    behind(base.set, all.run.set);
    return all;
}

} // namespace warpglass::record
