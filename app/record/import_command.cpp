// SPDX-License-Identifier: GPL-3.0-or-later
// `import` makes a recording of another profiler's report.
#include "app/record/command.h"
#include "app/session/report.h"
#include "gpu/base/new_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace warpglass::record {

namespace {

struct ImportCommand {
    std::vector<std::string> files;
    std::string output;
};

int importRun(const ImportCommand& command) {
    std::vector<std::filesystem::path> files(command.files.begin(), command.files.end());
    for (const std::string& file : command.files) {
        if (!session::isReport(file))
            return report(Error{.message = "this is no profiler's report that is known here",
                                .file = file,
                                .remedy = "Give a .sqlite that nsys export wrote, a .csv of ncu, or an .ncu-rep."},
                          badInput);
        if (auto ok = differentFiles(file, command.output); !ok)
            return report(ok.error(), badInput);
        if (command.files.size() > 1 && file.ends_with(".sqlite"))
            return report(
                Error{.message = "an export of Nsight Systems stands for itself",
                      .file = file,
                      .remedy = "Give it alone. Several files are the pages of one report of Nsight Compute."},
                badInput);
    }
    auto read = session::readReport(files);
    if (!read)
        return report(read.error(), badInput);
    if (auto ok = session::writeReport(*read, command.output); !ok)
        return report(ok.error(), failed);
    const program::ProgramTrace& p = read->program;
    record::say(
        fmt::format("{} launches of {} kernels: {}", program::launchRows(p).size(), p.kernels.size(), command.output));
    return done;
}

} // namespace

void addImport(const Command& app, Action& action) {
    auto command = std::make_shared<ImportCommand>();
    const Command sub = app.command("import", "A report of Nsight Systems or Nsight Compute as a recording");
    sub.option("FILE", &command->files,
               "REPORT.sqlite of nsys export; REPORT.ncu-rep, or pages of it as ncu --csv prints them")
        .required();
    sub.option("-o,--output", &command->output, "the recording to write: OUT.wgt").required();
    sub.whenChosen([command, &action] { action = [command] { return importRun(*command); }; });
}

} // namespace warpglass::record
