// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "gpu/base/new_file.h"
#include "gpu/profilers/ncu_export.h"
#include "gpu/trace/export.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace warpglass::record {

namespace {

struct ExportCommand {
    std::string file, format, output, table = "events";
};

// One table into one file, for an OUT that ends in .csv; every table into a folder otherwise.
Result<void> writeTables(const ExportCommand& command, const Trace& trace, Progress& progress) {
    if (!command.output.ends_with(".csv"))
        return exportCsv(trace, command.output, progress);
    const auto known = exportTables();
    if (std::find(known.begin(), known.end(), command.table) == known.end()) {
        std::string names;
        for (const std::string& name : known)
            names += (names.empty() ? "" : ", ") + name;
        return Error{.message = fmt::format("a trace has no table \"{}\"", command.table),
                     .file = "--table",
                     .remedy = fmt::format("Its tables are {}.", names)};
    }
    NewFile out(command.output);
    writeCsv(trace, command.table, out.stream());
    return out.finish();
}

int exportRun(const ExportCommand& command) {
    if (command.format != "perfetto" && command.format != "csv" && command.format != "json" && command.format != "ncu")
        return report(Error{.message = fmt::format("there is no format \"{}\"", command.format),
                            .file = "--format",
                            .remedy = "Choose perfetto, csv, json or ncu."},
                      badInput);
    if (auto ok = differentFiles(command.file, command.output); !ok)
        return report(ok.error(), badInput);
    Progress progress;
    const Interrupt interrupt(progress);
    auto trace = readTrace(command.file, progress);
    if (!trace)
        return report(trace.error(), progress.cancelled() ? failed : badInput);
    const Result<void> written = command.format == "perfetto" ? exportPerfetto(**trace, command.output, progress)
                                 : command.format == "json"   ? exportJson(**trace, command.output, progress)
                                 : command.format == "ncu"    ? writeText(command.output, profilers::ncuCsv(**trace))
                                                              : writeTables(command, **trace, progress);
    return written ? done : report(written.error(), written.error().file == "--table" ? badInput : failed);
}

} // namespace

void addExport(const Command& app, Action& action) {
    auto command = std::make_shared<ExportCommand>();
    const Command sub = app.command("export", "A recorded run for other programs");
    sub.option("FILE", &command->file, "a trace: FILE.wgt").required();
    sub.option("--format", &command->format, "perfetto, csv, json, or ncu: its metrics as a raw page of Nsight Compute")
        .required();
    sub.option("-o,--output", &command->output,
               "the file to write; for csv a folder, which gets a file a table, or FILE.csv for one table")
        .required();
    sub.option("--table", &command->table, "the table of FILE.csv").showDefault();
    sub.whenChosen([command, &action] { action = [command] { return exportRun(*command); }; });
}

} // namespace warpglass::record
