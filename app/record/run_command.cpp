// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/session/against.h"
#include "app/session/assembled.h"
#include "app/session/summary.h"
#include "app/session/variables.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/new_file.h"
#include "gpu/base/quantity.h"
#include "gpu/launch/arguments.h"
#include "gpu/trace/file.h"
#include "gpu/trace/meaning.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace warpglass::record {

namespace {

struct RunCommand {
    std::string kernel, output;
    RunWords words;
    std::vector<std::string> dumps;
    std::string tolerance = "1e-5";
    bool json = false;
};

// As a shell reads it.
std::string shellWord(const std::string& word) {
    const bool isPlain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) || std::string_view("-_./:,=+@%").find(char(c)) != std::string_view::npos;
    });
    if (isPlain)
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

// Without the machine's paths: of a file its name, of what stands behind "file:" too.
std::string commandLine(const RunCommand& command) {
    const RunWords& words = command.words;
    std::string text =
        fmt::format("run {} --mode {}", shellWord(command.kernel.substr(command.kernel.rfind('/') + 1)), words.mode);
    const auto add = [&](const char* option, std::string value) {
        if (value.empty())
            return;
        constexpr std::string_view fromFile = "file:";
        if (const std::size_t at = value.find(fromFile), slash = value.rfind('/');
            at != std::string::npos && slash != std::string::npos && slash > at)
            value.erase(at + fromFile.size(), slash + 1 - at - fromFile.size());
        text += fmt::format(" {} {}", option, shellWord(value));
    };
    const auto addAll = [&](const char* option, const std::vector<std::string>& values) {
        for (const std::string& value : values)
            add(option, value);
    };
    add("--kernel", words.entry);
    addAll("-D", words.compile.defines);
    add("--arch", words.compile.arch);
    add("--device", words.device);
    add("--grid", words.grid);
    add("--block", words.block);
    add("--cluster", words.cluster);
    if (words.shared >= 0)
        add("--shared", std::to_string(words.shared));
    if (words.size >= 0)
        add("--size", std::to_string(words.size));
    addAll("--set", words.set);
    addAll("--arg", words.arguments);
    addAll("--buffer", words.buffers);
    addAll("--texture", words.textures);
    addAll("--surface", words.surfaces);
    addAll("--global", words.globals);
    if (words.timing)
        text += " --timing --policy " + words.policy;
    if (words.timing && words.coldCode)
        text += " --cold-code";
    if (words.timing && words.warmL2)
        text += " --warm-l2";
    if (words.timing && words.coldData)
        text += " --cold-data";
    if (words.timing)
        add("--without", words.without);
    return text;
}

int run(const RunCommand& command) {
    auto request = requestOf(command.kernel, command.words);
    if (!request)
        return report(request.error(), badInput);
    request->command = commandLine(command);
    std::vector<DumpRequest> dumps;
    for (const std::string& spec : command.dumps) {
        auto parsed = parseDump(spec);
        if (!parsed)
            return report(parsed.error(), badInput);
        dumps.push_back(std::move(*parsed));
    }
    std::optional<TracePtr> reference;
    double tolerance = 0;
    if (!command.words.against.empty() && !request->options.twin) {
        Progress reading;
        auto read = readTrace(command.words.against, reading);
        if (!read)
            return report(read.error(), badInput);
        reference = std::move(*read);
        const auto asked = toleranceIn(command.tolerance);
        if (!asked)
            return report(
                Error{.message = fmt::format("\"{}\" is no tolerance", command.tolerance), .file = "--tolerance"},
                badInput);
        tolerance = *asked;
        request->options.detail.accesses = true;
    }
    std::vector<std::filesystem::path> outputs{command.output}; // none of them may be the kernel's own file
    for (const DumpRequest& wanted : dumps)
        outputs.push_back(wanted.file);
    for (const std::filesystem::path& output : outputs)
        if (auto ok = differentFiles(command.kernel, output); !ok)
            return report(ok.error(), badInput);
    auto plan = session::planOf(*request);
    if (!plan)
        return report(plan.error(), badInput);

    const auto all = session::addDumps(*plan, dumps);
    if (!all)
        return report(all.error(), badInput);
    if (!plan->dumped.empty() && request->backend != name(BackendKind::Emulator))
        return report(
            Error{.message = fmt::format("the variable {} can be written by the emulator alone, not from a GPU",
                                         plan->dumped.front().symbol),
                  .file = "--dump",
                  .remedy = "Let the kernel copy it to a buffer, or leave --backend out."},
            badInput);

    if (session::isCaged(*request))
        tellMissingWalls();
    Progress progress;
    const Interrupt interrupt(progress);
    request->options.results = !dumps.empty();
    auto recording = session::runPlan(*request, *plan, progress);
    if (!recording) // a line of the PTX as the place: the text could not be run, and nothing was
        return report(recording.error(), recording.error().line > 0 && !progress.cancelled() ? badInput : failed);

    int status = done;
    for (const DumpRequest& request1 : dumps)
        if (auto ok = dump(request1, *all, recording->buffers); !ok)
            status = report(ok.error(), failed);
    if (!command.output.empty())
        if (auto ok = writeTrace(*recording->trace, command.output, progress); !ok)
            status = report(ok.error(), failed);
    // Of a kernel of a person's own; those of the catalogue have their registers from it.
    const auto assembled = session::isCaged(*request) && !progress.cancelled()
                               ? session::assembledOf(*plan, request->options.device)
                               : std::nullopt;
    const auto compared =
        reference ? std::optional(session::compareWith(*recording->trace, **reference, tolerance)) : std::nullopt;
    std::string text;
    if (command.json) {
        auto object = session::summaryJson(*recording, &*plan);
        if (assembled)
            object["ptxas"] = session::assembledJson(*recording->trace, assembled);
        if (compared)
            object["against"] = session::comparisonJson(*compared);
        text = object.dump(2) + "\n";
    } else {
        text = session::summaryText(*recording, &*plan) + session::assembledText(*recording->trace, assembled);
        for (const Said& cost : session::compilerCosts(*recording->trace, *plan, assembled))
            text += "cost: " + cost + "\n";
        if (compared)
            text += session::comparisonText(*compared, *recording->trace, **reference,
                                            std::filesystem::path(command.words.against).filename().string());
    }
    if (const int printed = print(text); printed != done)
        status = printed;
    if (!command.json && request->backend == name(BackendKind::Emulator) && !request->options.checkRaces &&
        !request->options.adverse)
        say("races in global memory were not looked for: --check race");
    if (recording->fault)
        return report(session::faultOf(*recording, *request), failed);
    std::uint64_t passedOver = 0, races = 0, notFinite = 0, lost = 0;
    for (const Diagnostic& d : recording->trace->diagnostics) {
        passedOver += isPassedOver(d) ? d.count : 0; // --on-fault report
        races += isRace(d);
        notFinite += d.kind == DiagnosticKind::NotFinite; // --check finite
        lost += d.kind == DiagnosticKind::DigitsLost;     // --against twin
    }
    if (passedOver > 0)
        return report(Error{.message = fmt::format("{} of {} {} passed over",
                                                   quantity(passedOver, "faulty access", "faulty accesses"),
                                                   plan->kernelName, passedOver == 1 ? "was" : "were")},
                      failed);
    if (recording->check.check == Check::Wrong)
        return report(Error{.message = say::ResultOfWrong(plan->kernelName, recording->check.why)}, failed);
    if (races > 0)
        return report(Error{.message = fmt::format("the result of {} depends on who comes first: {} in its code",
                                                   plan->kernelName, quantity(races, "race"))},
                      failed);
    if (compared && compared->first)
        return report(Error{.message = fmt::format("{} does something else than {}", plan->kernelName,
                                                   std::filesystem::path(command.words.against).filename().string())},
                      failed);
    if (notFinite > 0)
        return report(
            Error{.message = fmt::format("{} of {} {} inf or NaN of finite numbers", quantity(notFinite, "operation"),
                                         plan->kernelName, notFinite == 1 ? "makes" : "make")},
            failed);
    if (lost > 0)
        return report(
            Error{.message = fmt::format("numbers that {} leaves are not what fp64 makes of them", plan->kernelName)},
            failed);
    return status;
}

} // namespace

void addRun(const Command& app, Action& action) {
    auto command = std::make_shared<RunCommand>();
    const Command sub = app.command("run", "Run a kernel and say what it did");
    addKernelOptions(sub, command->kernel, command->words);
    addRunOptions(sub, command->words);
    sub.option("--dump", &command->dumps,
               "write a buffer, or a __device__ or __constant__ variable, after the run: NAME=FILE")
        .onceEach();
    sub.option(
        "--against", &command->words.against,
        "a recording of the same launch with another version, in double precision or on a GPU, with addresses and "
        "values: says where this one first differs; or twin[:TOLERANCE], this launch beside itself in fp64: where its "
        "numbers lose their digits");
    sub.option("--tolerance", &command->tolerance, "with --against: of floating-point numbers, relative").showDefault();
    sub.option("-o,--output", &command->output, "write the trace: FILE.wgt");
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
