// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/session/summary.h"
#include "gpu/trace/file.h"
#if __has_include("gpu/trace/export.h")
#include "gpu/trace/export.h"
#endif

#include <fmt/format.h>

#include <memory>

namespace warpglass::record {

namespace {

struct FileCommand {
    std::string file, format, output;
    bool json = false;
};

int metricsRun(const FileCommand& command) {
    Progress progress;
    const Interrupt interrupt(progress);
    auto trace = readTrace(command.file, progress);
    if (!trace)
        return report(trace.error(), progress.cancelled() ? failed : badInput);
    const Recording recording = session::recordingOf(std::move(*trace));
    return print(command.json ? session::summaryJson(recording, nullptr).dump(2) + "\n"
                              : session::summaryText(recording, nullptr));
}

} // namespace

void addMetrics(CLI::App& app, Action& action) {
    auto command = std::make_shared<FileCommand>();
    CLI::App* sub = app.add_subcommand("metrics", "What a recorded run did");
    sub->add_option("FILE", command->file, "a trace: FILE.wgt")->required();
    sub->add_flag("--json", command->json, "print one JSON object");
    sub->callback([command, &action] { action = [command] { return metricsRun(*command); }; });
}

} // namespace warpglass::record
