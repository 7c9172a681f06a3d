// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/session/sweep_part.h"
#include "gpu/base/new_file.h"
#include "gpu/base/quantity.h"
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
    std::string kernel, preset, csv, keep, part, output;
    std::vector<std::string> kernels, like, merge;
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
    if (error)
        return report(Error{.message = fmt::format("the folder cannot be made ({})", error.message()),
                            .file = folder,
                            .remedy = "Choose one in which you may create files."},
                      failed);
    const std::string file = fmt::format("{:02}-{}-{}-{}.wgt", number, row.result.kernel, row.result.block.text(),
                                         row.result.backend == "cuda" ? "gpu" : "emulated");
    Progress progress;
    const auto ok = writeTrace(*row.result.trace, (std::filesystem::path(folder) / file).string(), progress);
    return ok ? done : report(ok.error(), failed);
}

// Before it ran: an answer, not a failure of the sweep.
bool isRefused(const session::SweepRow& row) {
    return row.result.values.empty() && row.refused;
}
int statusOf(const std::vector<session::SweepRow>& rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](const session::SweepRow& row) { return row.error && !isRefused(row); })
               ? failed
               : done;
}
// Of a whole table, whose command was wrong if nothing at all could run.
int statusOfTable(int told, const std::vector<session::SweepRow>& rows) {
    if (std::all_of(rows.begin(), rows.end(), isRefused))
        return std::max<int>(told, badInput);
    return told != done ? told : statusOf(rows);
}

// The table, in the ways that were asked for.
int tell(const SweepCommand& command, const std::vector<session::SweepRow>& rows, const std::string& title) {
    int status = done;
    if (!command.csv.empty()) {
        NewFile out(command.csv);
        out.stream() << session::sweepCsv(rows, title);
        if (auto written = out.finish(); !written)
            status = report(written.error(), failed);
    }
    if (command.json)
        return std::max(status, print(session::sweepJson(rows).dump(2) + "\n"));
    return command.csv.empty() ? std::max(status, print(session::sweepText(rows))) : status;
}

int merge(const SweepCommand& command) {
    if (!command.kernel.empty() || !command.preset.empty() || !command.part.empty() || !command.output.empty())
        return report(Error{.message = "--merge makes a table of parts and runs nothing",
                            .file = "sweep",
                            .remedy = "Give the parts, and --csv or --json."},
                      badInput);
    const auto merged = session::mergeParts(command.merge);
    if (!merged)
        return report(merged.error(), badInput);
    return statusOfTable(tell(command, merged->rows, merged->title), merged->rows);
}

// The part of a sweep that --part names, into its file; nothing if the whole sweep is meant.
Result<std::optional<session::PartFile>> partFile(const SweepCommand& command, session::SweepRequest& sweep) {
    if (command.part.empty() && command.output.empty())
        return std::optional<session::PartFile>();
    if (command.part.empty() || command.output.empty())
        return Error{.message = "a part and its file belong together",
                     .file = "sweep",
                     .remedy = "Give --part 3/16 and -o FILE; a whole sweep writes --csv."};
    if (!command.csv.empty() || command.json || !command.like.empty())
        return Error{.message = "a part is no table yet, and recordings are not split",
                     .file = "--part",
                     .remedy = "Leave out --csv, --json and --like; sweep --merge makes the table."};
    const auto part = session::parsePart(command.part);
    if (!part)
        return part.error();
    auto file = session::PartFile::open(command.output, sweep, *part);
    if (!file)
        return file.error();
    sweep.wanted = [part = *part](std::size_t row) { return part.has(row); };
    return std::optional<session::PartFile>(std::move(*file));
}

int run(const SweepCommand& command) {
    if (!command.merge.empty())
        return merge(command);
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
    const std::vector<session::RunRequest> requests = session::requestsOf(*sweep);
    if (std::any_of(requests.begin(), requests.end(), session::isCaged))
        tellMissingWalls();
    auto part = partFile(command, *sweep);
    if (!part)
        return report(part.error(), part.error().message.starts_with("cannot be written") ? failed : badInput);
    session::PartFile* const file = *part ? &**part : nullptr;
    const std::size_t before = file ? file->rows() : 0;
    if (file)
        sweep->wanted = [mine = sweep->wanted, file](std::size_t row) { return mine(row) && !file->holds(row); };
    std::size_t count = 0;
    int kept = done;
    std::optional<Error> unwritten;
    const auto rows = session::runSweep(*sweep, progress, [&](const session::SweepRow& row, std::size_t) {
        ++count;
        if (row.error)
            report(Error{.message = fmt::format("{} with blocks of {}: {}", row.result.kernel, row.result.block.text(),
                                                row.error->message),
                         .remedy = row.error->remedy},
                   failed);
        if (row.result.trace && !command.keep.empty())
            kept = std::max(kept, keepTrace(row, file ? row.index + 1 : count, command.keep));
        if (file && !unwritten)
            if (auto ok = file->add(row); !ok) {
                unwritten = ok.error();
                progress.cancel(); // what cannot be written need not be run
            }
    });
    if (unwritten)
        return report(*unwritten, failed);
    const int status = file ? kept : std::max(kept, tell(command, rows, sweep->title));
    if (progress.cancelled())
        return report(Error{.message = fmt::format("cancelled after {}", quantity(rows.size(), "launch", "launches")),
                            .remedy = file ? "The same command goes on from there." : ""},
                      failed);
    if (!file)
        return statusOfTable(status, rows);
    if (auto ok = file->finish(); !ok)
        return report(ok.error(), failed);
    const int told = print(fmt::format("part {}: {}, {} of them run before: {}\n", command.part,
                                       quantity(file->rows(), "launch", "launches"), before, command.output));
    return std::max({status, told, statusOf(rows)});
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
    sub.option(
        "--part", &command->part,
        "run a part of the sweep alone, 3/16, and write it with -o; a part that was killed goes on where it was");
    sub.option("-o,--output", &command->output, "the part's file");
    sub.option("--merge", &command->merge, "run nothing: make the table of all parts of a sweep from their files");
    sub.option("--keep", &command->keep, "write each launch's trace into this folder");
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
