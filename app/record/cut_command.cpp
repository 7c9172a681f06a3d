// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "gpu/base/new_file.h"
#include "gpu/trace/cut.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>

#include <memory>

namespace warpglass::record {

namespace {

struct CutCommand {
    std::string file, output;
    std::int64_t from = 0, to = 0; // from the beginning of the run, as rulers count
};

int cutRun(const CutCommand& command) {
    if (auto ok = differentFiles(command.file, command.output); !ok)
        return report(ok.error(), badInput);
    Progress progress;
    const Interrupt interrupt(progress);
    auto trace = readTrace(command.file, progress);
    if (!trace)
        return report(trace.error(), progress.cancelled() ? failed : badInput);
    const Time origin = (*trace)->range().begin;
    auto part = cut(**trace, {origin + Time{command.from}, origin + Time{command.to}});
    if (!part)
        return report(part.error(), badInput);
    if (auto written = writeTrace(**part, command.output, progress); !written)
        return report(written.error(), failed);
    return print(fmt::format("{} of {} events, {} of {} warps from {} to {} {}\n", (*part)->events.size(),
                             (*trace)->events.size(), (*part)->warps.size(), (*trace)->warps.size(), command.from,
                             command.to, name((*trace)->info.timeUnit)));
}

} // namespace

void addCut(const Command& app, Action& action) {
    auto command = std::make_shared<CutCommand>();
    const Command sub = app.command("cut", "A part of a recorded run as a file of its own");
    sub.option("FILE", &command->file, "a trace: FILE.wgt").required();
    sub.option("--from", &command->from, "begin of the part, in the trace's unit (ns or steps) from the start")
        .required();
    sub.option("--to", &command->to, "end of the part").required();
    sub.option("-o,--output", &command->output, "the file to write: FILE.wgt").required();
    sub.whenChosen([command, &action] { action = [command] { return cutRun(*command); }; });
}

} // namespace warpglass::record
