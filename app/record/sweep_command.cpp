// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/session/sweep.h"
#include "gpu/base/new_file.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>

namespace warpglass::record {

namespace {

struct SweepCommand {
    std::string kernel, preset, csv, keep;
    std::vector<std::string> kernels, like;
    RunWords words; // the lists below are taken from its words, which requestOf would read as one value each
    std::vector<std::string> sizes;
    int repeats = 1;
    bool json = false;
};

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> items;
    for (std::string_view rest = list; !list.empty();) {
        const std::size_t comma = rest.find(',');
        items.emplace_back(rest.substr(0, comma));
        if (comma == std::string_view::npos)
            break;
        rest.remove_prefix(comma + 1);
    }
    return items;
}

Result<std::vector<Dim3>> parseShapes(const char* option, const std::string& list) {
    std::vector<Dim3> shapes;
    for (const std::string& item : split(list)) {
        const auto shape = parseDim3(item);
        if (!shape)
            return Error{.message = fmt::format("\"{}\" is no shape", item),
                         .file = option,
                         .remedy = "Write shapes with x, and commas between them: 32x32,32x16,16x16."};
        shapes.push_back(*shape);
    }
    return shapes;
}

std::string presetKeys() {
    std::string keys;
    for (const session::SweepPreset& preset : session::sweepPresets())
        keys += (keys.empty() ? "" : ", ") + preset.key;
    return keys;
}

Result<std::vector<TracePtr>> readAll(const std::vector<std::string>& files, Progress& progress) {
    std::vector<TracePtr> traces;
    for (const std::string& list : files)
        for (const std::string& file : split(list)) {
            auto trace = readTrace(file, progress);
            if (!trace)
                return trace.error();
            traces.push_back(std::move(*trace));
        }
    return traces;
}

// One request for each value of a list of words, so that a misspelt one is refused in the same words as by run.
Result<session::SweepRequest> sweepOf(const SweepCommand& command) {
    RunWords words = command.words;
    words.grid = words.block = "";
    auto kernels = split(command.kernel);
    for (const std::string& list : command.kernels)
        for (std::string& kernel : split(list))
            kernels.push_back(std::move(kernel));
    const auto backends = split(words.backend), devices = split(words.device), modes = split(words.mode),
               policies = split(words.policy);
    words.device = "";
    words.backend = backends.empty() ? "" : backends.front();
    words.mode = modes.empty() ? "" : modes.front();
    words.policy = policies.empty() ? "" : policies.front();
    auto base = requestOf(kernels.empty() ? "" : kernels.front(), words);
    if (!base)
        return base.error();
    session::SweepRequest sweep{.base = *base, .kernels = kernels, .devices = devices, .repeats = command.repeats};
    if (!command.preset.empty()) {
        const session::SweepPreset* preset = session::findPreset(command.preset);
        if (!preset)
            return Error{.message = fmt::format("there is no preset \"{}\"", command.preset),
                         .file = "--preset",
                         .remedy = fmt::format("It can be {}.", presetKeys())};
        session::RunRequest own = *base;
        if (!command.sizes.empty())
            own.launch.size = 1; // the real ones are read below
        sweep = session::sweepOf(*preset, own);
        if (!command.sizes.empty())
            sweep.base.launch.size = {};
        sweep.devices = devices;
        sweep.repeats = command.repeats;
        if (!kernels.empty())
            sweep.kernels = kernels;
        // The preset is about time: without a GPU it needs the model.
        sweep.base.options.timing = true;
    } else if (kernels.empty() && command.like.empty()) {
        return Error{.message = "no kernel was named",
                     .file = "sweep",
                     .remedy = fmt::format("Name one, or choose --preset {}.", presetKeys())};
    }
    if (backends.size() > 1)
        for (const std::string& backend : backends) {
            words.backend = backend;
            if (auto request = requestOf("", words); !request)
                return request.error();
            sweep.backends.push_back(backend);
        }
    words.backend = base->backend;
    for (const std::string& mode : modes) {
        words.mode = mode;
        auto request = requestOf("", words);
        if (!request)
            return request.error();
        sweep.modes.push_back(request->launch.mode);
    }
    if (command.preset.empty() || policies.size() > 1)
        sweep.policies.clear();
    if (policies.size() > 1) // a policy shows in the model only
        sweep.base.options.timing = true;
    for (const std::string& policy : sweep.policies.empty() ? policies : std::vector<std::string>()) {
        words.policy = policy;
        auto request = requestOf("", words);
        if (!request)
            return request.error();
        sweep.policies.push_back(request->options.policy);
    }
    for (const std::string& size : command.sizes)
        for (const std::string& item : split(size)) {
            std::int64_t value = 0;
            const auto [next, error] = std::from_chars(item.data(), item.data() + item.size(), value);
            if (error != std::errc{} || next != item.data() + item.size() || value < 1)
                return Error{.message = fmt::format("\"{}\" is no size", item),
                             .file = "--size",
                             .remedy = "Give whole numbers of at least 1."};
            sweep.sizes.push_back(value);
        }
    auto grids = parseShapes("--grid", command.words.grid), blocks = parseShapes("--block", command.words.block);
    if (!grids || !blocks)
        return !grids ? grids.error() : blocks.error();
    sweep.grids = std::move(*grids);
    if (!blocks->empty())
        sweep.blocks = std::move(*blocks);
    sweep.keepTraces = !command.keep.empty();
    if (!sweep.keepTraces)
        sweep.base.options.detail = Detail{.kind = Detail::Kind::None}; // only totals are kept
    return sweep;
}

// "07-reduce0-128.wgt" in the folder.
int keepTrace(const session::SweepRow& row, std::size_t number, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::string file = fmt::format("{:02}-{}-{}-{}.wgt", number, row.result.kernel, row.result.block.text(),
                                         row.result.backend == "cuda" ? "gpu" : "emulated");
    Progress progress;
    const auto ok = writeTrace(*row.result.trace, (std::filesystem::path(folder) / file).string(), progress);
    return ok ? done : report(ok.error(), failed);
}

int run(const SweepCommand& command) {
    auto sweep = sweepOf(command);
    if (!sweep)
        return report(sweep.error(), badInput);
    Progress progress;
    const Interrupt interrupt(progress);
    auto recorded = readAll(command.like, progress);
    if (!recorded)
        return report(recorded.error(), badInput);
    sweep->recorded = std::move(*recorded);
    // A backend that cannot run here is told once, not once a row.
    for (const std::string& backend : sweep->backends.empty() ? std::vector{sweep->base.backend} : sweep->backends)
        if (auto made = session::makeBackend(backend); !made)
            return report(made.error(), failed);
    std::size_t count = 0;
    int kept = done;
    const auto rows = session::runSweep(*sweep, progress, [&](const session::SweepRow& row, std::size_t) {
        ++count;
        if (row.error)
            report(Error{.message = fmt::format("{} with blocks of {}: {}", row.result.kernel, row.result.block.text(),
                                                row.error->message),
                         .remedy = row.error->remedy},
                   failed);
        if (row.result.trace && !command.keep.empty())
            kept = std::max(kept, keepTrace(row, count, command.keep));
    });
    int status = kept;
    if (!command.csv.empty()) {
        NewFile out(command.csv);
        out.stream() << session::sweepCsv(rows, sweep->title);
        if (auto written = out.finish(); !written)
            status = report(written.error(), failed);
    }
    if (command.json)
        status = std::max(status, print(session::sweepJson(rows).dump(2) + "\n"));
    else if (command.csv.empty())
        status = std::max(status, print(session::sweepText(rows)));
    if (progress.cancelled())
        return report(Error{.message = fmt::format("cancelled after {} launches", rows.size())}, failed);
    // A refused shape is an answer, not a failure of the sweep; if nothing at all ran, the command was wrong.
    const auto none = [](const session::SweepRow& row) { return row.result.values.empty(); };
    const auto refused = [&](const session::SweepRow& row) { return none(row) && row.refused; };
    if (std::all_of(rows.begin(), rows.end(), refused))
        return std::max<int>(status, badInput);
    const bool wrong =
        std::any_of(rows.begin(), rows.end(), [&](const session::SweepRow& row) { return row.error && !refused(row); });
    return status != done ? status : wrong ? failed : done;
}

} // namespace

void addSweep(const Command& app, Action& action) {
    auto command = std::make_shared<SweepCommand>();
    const Command sub = app.command("sweep", "Run a kernel in many ways and compare");
    sub.option("KERNEL", &command->kernel, "one or more kernels of the catalogue, with commas between them");
    sub.option("--kernels", &command->kernels, "more of them").onceEach();
    sub.option("--preset", &command->preset, fmt::format("a table of the documents: {}", presetKeys()));
    sub.option("--like", &command->like,
               "recordings (.wgt) whose launches go into the table and are run by the emulator, too")
        .onceEach();
    addRunOptions(sub, command->words);
    sub.describe("--backend", "emulator, cuda or both: emulator,cuda");
    sub.describe("--grid", "grids, with commas between them: 512x512,1024x1024");
    sub.describe("--block", "blocks, with commas between them: 32x32,32x16");
    sub.describe("--device", "devices, with commas between them");
    sub.describe("--mode", "compile modes, with commas between them");
    sub.describe("--policy", "scheduling policies, with commas between them");
    sub.withdraw("--size");
    sub.withdraw("--detail");
    sub.withdraw("--accesses");
    sub.option("--size", &command->sizes, "problem sizes, with commas between them").onceEach();
    sub.option("--repeat", &command->repeats, "runs of each launch on a GPU; the median is kept, and the spread")
        .inRange(1, 1000)
        .showDefault();
    sub.option("--csv", &command->csv, "write a table: FILE.csv");
    sub.option("--keep", &command->keep, "write each launch's trace into this folder");
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
