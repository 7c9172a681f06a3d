// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/session/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>

namespace warpglass::record {

namespace {

struct SweepCommand {
    std::string kernel, csv;
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

// One request for each value of a list of words, so that a misspelt one is refused in the same words as by run.
Result<session::SweepRequest> sweepOf(const SweepCommand& command) {
    RunWords words = command.words;
    words.grid = words.block = "";
    const auto kernels = split(command.kernel), devices = split(words.device), modes = split(words.mode),
               policies = split(words.policy);
    words.device = "";
    words.mode = modes.empty() ? "" : modes.front();
    words.policy = policies.empty() ? "" : policies.front();
    auto base = requestOf(kernels.empty() ? "" : kernels.front(), words);
    if (!base)
        return base.error();
    session::SweepRequest sweep{.base = *base, .kernels = kernels, .devices = devices, .repeats = command.repeats};
    for (const std::string& mode : modes) {
        words.mode = mode;
        auto request = requestOf("", words);
        if (!request)
            return request.error();
        sweep.modes.push_back(request->launch.mode);
    }
    for (const std::string& policy : policies) {
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
    sweep.blocks = std::move(*blocks);
    sweep.base.options.detail = Detail{.kind = Detail::Kind::None}; // only totals are kept
    return sweep;
}

int run(const SweepCommand& command) {
    auto sweep = sweepOf(command);
    if (!sweep)
        return report(sweep.error(), badInput);
    Progress progress;
    const Interrupt interrupt(progress);
    const auto rows = session::runSweep(*sweep, progress, [](const session::SweepRow& row) {
        if (row.error)
            report(Error{.message = fmt::format("{} with blocks of {}: {}", row.request.kernel, row.block.text(),
                                                row.error->message),
                         .remedy = row.error->remedy},
                   failed);
    });
    int status = done;
    if (!command.csv.empty()) {
        std::ofstream out(command.csv, std::ios::binary | std::ios::trunc);
        out << session::sweepCsv(rows) << std::flush;
        if (!out)
            status = report(Error{.message = "the table cannot be written",
                                  .file = command.csv,
                                  .remedy = "Check that the folder exists, may be written to and has room."},
                            failed);
    }
    if (command.json)
        status = std::max(status, print(session::sweepJson(rows).dump(2) + "\n"));
    else if (command.csv.empty())
        status = std::max(status, print(session::sweepText(rows)));
    if (progress.cancelled())
        return report(Error{.message = fmt::format("cancelled after {} launches", rows.size())}, failed);
    // A refused shape is an answer, not a failure of the sweep; if nothing at all ran, the command was wrong.
    const auto ran =
        std::count_if(rows.begin(), rows.end(), [](const session::SweepRow& row) { return !row.cells.empty(); });
    const bool wrong = std::any_of(rows.begin(), rows.end(),
                                   [](const session::SweepRow& row) { return row.error && !row.cells.empty(); });
    return status != done ? status : ran == 0 ? badInput : wrong ? failed : done;
}

} // namespace

void addSweep(CLI::App& app, Action& action) {
    auto command = std::make_shared<SweepCommand>();
    CLI::App* sub = app.add_subcommand("sweep", "Run a kernel in many ways and compare");
    sub->add_option("KERNEL", command->kernel, "one or more kernels of the catalogue, with commas between them")
        ->required();
    addRunOptions(*sub, command->words);
    sub->get_option("--grid")->description("grids, with commas between them: 512x512,1024x1024");
    sub->get_option("--block")->description("blocks, with commas between them: 32x32,32x16");
    sub->get_option("--device")->description("devices, with commas between them");
    sub->get_option("--mode")->description("compile modes, with commas between them");
    sub->get_option("--policy")->description("scheduling policies, with commas between them");
    sub->remove_option(sub->get_option("--size"));
    sub->remove_option(sub->get_option("--detail"));
    sub->remove_option(sub->get_option("--accesses"));
    sub->add_option("--size", command->sizes, "problem sizes, with commas between them")->allow_extra_args(false);
    sub->add_option("--repeat", command->repeats, "runs of each launch; the median is kept")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    sub->add_option("--csv", command->csv, "write a table: FILE.csv");
    sub->add_flag("--json", command->json, "print one JSON object");
    sub->callback([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
