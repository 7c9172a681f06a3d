// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/session/summary.h"
#include "gpu/launch/arguments.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace warpglass::record {

namespace {

struct RunCommand {
    std::string kernel, output;
    RunWords words;
    std::vector<std::string> dumps;
    bool json = false;
};

std::string commandLine(const RunCommand& command) { // without the machine's paths
    std::string text =
        fmt::format("run {} --mode {}", command.kernel.substr(command.kernel.rfind('/') + 1), command.words.mode);
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty())
            text += fmt::format(" {} {}", option, value);
    };
    add("--grid", command.words.grid);
    add("--block", command.words.block);
    if (command.words.size >= 0)
        add("--size", std::to_string(command.words.size));
    for (const std::string& setting : command.words.set)
        add("--set", setting);
    if (command.words.timing)
        text += " --timing --policy " + command.words.policy;
    if (command.words.timing && command.words.coldCode)
        text += " --cold-code";
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
    auto plan = session::planOf(*request);
    if (!plan)
        return report(plan.error(), badInput);

    std::vector<Argument> all = plan->arguments; // in the order of the recording's buffers
    all.insert(all.end(), plan->globalBuffers.begin(), plan->globalBuffers.end());
    for (const TexelArray& array : plan->arrays)
        all.push_back({.name = array.name, .isBuffer = true, .type = ElementType::U8, .count = array.bytes()});
    for (const DumpRequest& wanted : dumps) { // a name that is wrong is told before a long run, not after it
        if (std::none_of(all.begin(), all.end(),
                         [&](const Argument& a) { return a.isBuffer && a.name == wanted.argument; }))
            return report(dump(wanted, all, Buffers(all.size())).error(), badInput);
    }

    Progress progress;
    const Interrupt interrupt(progress);
    auto recording = session::runPlan(*request, *plan, progress);
    if (!recording) // a line of the PTX as the place: the text could not be run, and nothing was
        return report(recording.error(), recording.error().line > 0 && !progress.cancelled() ? badInput : failed);

    int status = done;
    for (const DumpRequest& request1 : dumps)
        if (auto ok = dump(request1, all, recording->buffers); !ok)
            status = report(ok.error(), badInput);
    if (!command.output.empty())
        if (auto ok = writeTrace(*recording->trace, command.output, progress); !ok)
            status = report(ok.error(), failed);
    const std::string text = command.json ? session::summaryJson(*recording, &*plan).dump(2) + "\n"
                                          : session::summaryText(*recording, &*plan);
    if (const int printed = print(text); printed != done)
        status = printed;
    if (recording->fault)
        return report(*recording->fault, failed);
    std::uint64_t passedOver = 0; // --on-fault report
    for (const Diagnostic& d : recording->trace->diagnostics)
        if (d.kind == DiagnosticKind::OutOfBounds || d.kind == DiagnosticKind::Misaligned ||
            d.kind == DiagnosticKind::InvalidFree)
            passedOver += d.count;
    if (passedOver > 0)
        return report(
            Error{.message = fmt::format("{} faulty accesses of {} were passed over", passedOver, plan->kernelName)},
            failed);
    if (recording->check.check == Check::Wrong)
        return report(
            Error{.message = fmt::format("the result of {} is wrong: {}", plan->kernelName, recording->check.why)},
            failed);
    return status;
}

} // namespace

void addRun(const Command& app, Action& action) {
    auto command = std::make_shared<RunCommand>();
    const Command sub = app.command("run", "Run a kernel and say what it did");
    sub.option("KERNEL", &command->kernel, "a name of the catalogue (warpglass-record list), or a .ptx or .cu file")
        .required();
    sub.option("--kernel", &command->words.entry,
               "which kernel of the file: its name, signature, or a template's instance: 'scale<float, 128>'");
    sub.option("--arg", &command->words.arguments,
               "argument of a file's kernel, in order: NAME:TYPE[COUNT]=INITIAL or NAME:TYPE=VALUE")
        .onceEach();
    sub.option("--buffer", &command->words.buffers,
               "a further buffer, for pointers inside others to lead to: NAME:TYPE[COUNT]=INITIAL")
        .onceEach();
    sub.option("--texture", &command->words.textures,
               "a texture for a pointer, or the texture reference of that name: "
               "NAME=2d:64x64:f32[:linear,clamp,normalized][:INITIAL]")
        .onceEach();
    sub.option("--surface", &command->words.surfaces,
               "a surface: NAME=2d:64x64:f32[:INITIAL], or NAME=@TEXTURE for the texture's array")
        .onceEach();
    sub.option("--global,--constant", &command->words.globals,
               "a __device__ or __constant__ variable: NAME=VALUES or NAME:TYPE[COUNT]=INITIAL")
        .onceEach();
    session::CompileOptions& compile = command->words.compile;
    sub.option("-I", &compile.includes, "a folder of headers, for a .cu file").onceEach();
    sub.option("-D", &compile.defines, "a definition, for a .cu file: NAME or NAME=VALUE").onceEach();
    sub.option("--arch", &compile.arch, "what a .cu file is compiled for: sm_90; else the device's own");
    sub.option("--nvcc", &compile.nvcc, "a further option for nvcc").onceEach();
    addRunOptions(sub, command->words);
    sub.option("--dump", &command->dumps, "write a buffer after the run: ARG=FILE").onceEach();
    sub.option("-o,--output", &command->output, "write the trace: FILE.wgt");
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
