// SPDX-License-Identifier: GPL-3.0-or-later
// `metrics` tells a recorded launch's numbers, alone or beside those that a GPU was measured to have: in a report of Nsight
// Compute, or in a recording made there.
#include "app/record/command.h"
#include "app/record/recorded_launch.h"
#include "app/session/assembled.h"
#include "app/session/report.h"
#include "app/session/summary.h"
#include "gpu/profilers/beside.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

namespace warpglass::record {

namespace {

using nlohmann::ordered_json;

struct MetricsCommand {
    std::string file, beside;
    std::int64_t launch = -1, besideLaunch = -1;
    bool json = false;
};

// The first launch of the report that is of our kernel and shape, if none is asked for.
Result<TracePtr> launchOf(profilers::Report& report, const Trace& ours, const MetricsCommand& command) {
    const auto at = [&](std::size_t row) { return std::make_shared<const Trace>(std::move(report.traces[row])); };
    if (const auto asked = chosen(command.besideLaunch)) {
        if (*asked < report.traces.size())
            return TracePtr(at(*asked));
        return Error{.message = fmt::format("the report has {} launches, counted from 0", report.traces.size()),
                     .file = "--beside-launch"};
    }
    std::set<std::string> kernels;
    for (std::size_t row = 0; row < report.traces.size(); ++row) {
        const Trace& card = report.traces[row];
        const Launch &a = ours.launches[0], &b = card.launches[0];
        kernels.insert(card.kernels[0].name);
        if (baseOf(card.kernels[0].name) == baseOf(ours.kernelOf(a).name) && a.grid == b.grid && a.block == b.block)
            return TracePtr(at(row));
    }
    std::string names;
    for (const std::string& kernel : kernels)
        names += (names.empty() ? "" : ", ") + kernel;
    return Error{.message = fmt::format("it has no launch of {} in this shape", ours.kernelOf(ours.launches[0]).name),
                 .file = command.beside,
                 .remedy =
                     fmt::format("It has launches of {}. Choose one with --beside-launch, counted from 0.", names)};
}

Result<TracePtr> openBeside(const Trace& ours, const MetricsCommand& command) {
    if (isRecording(command.beside))
        return openLaunch(command.beside, chosen(command.besideLaunch), &ours);
    if (!session::isReport(command.beside))
        return Error{.message = "this is no report of Nsight Compute and no recording",
                     .file = command.beside,
                     .remedy = "Give an .ncu-rep, a .csv that ncu printed, or a .wgt that was recorded on a GPU."};
    auto report = session::readReport({command.beside});
    if (!report)
        return report.error();
    if (report->traces.empty())
        return Error{.message = "it tells no metrics of launches", .file = command.beside};
    return launchOf(*report, ours, command);
}

ordered_json optionalJson(const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

// "line 17: 44 % of the samples, 41 % wait for long_scoreboard, for what line 16 gives; the model says 38 %"
std::string sentenceOf(const profilers::BesideLine& line) {
    std::string text = fmt::format("line {}: {:.0f} % of the samples", line.line, line.cardPct);
    if (!line.reason.empty())
        text += fmt::format(", {:.0f} % are {}", line.reasonPct, line.reason);
    if (!line.awaited.empty()) {
        std::string lines;
        for (const std::uint32_t n : line.awaited)
            lines += fmt::format("{}{}", lines.empty() ? "" : ", ", n);
        text += fmt::format(", waiting for what {} {} {}", line.awaited.size() == 1 ? "line" : "lines", lines,
                            line.awaited.size() == 1 ? "gives" : "give");
    }
    if (line.oursPct)
        text += fmt::format("; the model says {:.0f} %", *line.oursPct);
    return text;
}

ordered_json besideJson(const Trace& ours, const Trace& card, const profilers::Beside& both) {
    const Launch& launch = ours.launches[0];
    ordered_json out{{"kernel", ours.kernelOf(launch).name},
                     {"grid", session::shapeJson(launch.grid)},
                     {"block", session::shapeJson(launch.block)},
                     {"backend", name(ours.info.backend)},
                     {"device", ours.info.deviceName},
                     {"card", card.info.deviceName},
                     {"machine_code", name(both.code)},
                     {"samples", both.samples}};
    out["metrics"] = ordered_json::array();
    for (const profilers::BesideMetric& m : both.metrics)
        out["metrics"].push_back({{"name", m.ours.name},
                                  {"nsight", m.ours.nsight},
                                  {"unit", m.ours.unit},
                                  {"value", optionalJson(m.ours.value)},
                                  {"origin", name(m.ours.origin)},
                                  {"card", m.card},
                                  {"difference_pct", optionalJson(m.differencePct)},
                                  {"apart", m.apart}});
    out["stalls"] = ordered_json::array();
    for (const profilers::BesideStall& s : both.stalls)
        out["stalls"].push_back(
            {{"reason", s.reason}, {"card_pct", s.cardPct}, {"model_pct", optionalJson(s.oursPct)}});
    out["lines"] = ordered_json::array();
    for (const profilers::BesideLine& l : both.lines)
        out["lines"].push_back({{"line", l.line},
                                {"samples", l.samples},
                                {"card_pct", l.cardPct},
                                {"reason", l.reason},
                                {"reason_pct", l.reasonPct},
                                {"model_pct", optionalJson(l.oursPct)},
                                {"awaits_lines", l.awaited},
                                {"sentence", sentenceOf(l)}});
    return out;
}

std::string besideText(const Trace& ours, const Trace& card, const profilers::Beside& both) {
    const Launch& launch = ours.launches[0];
    std::string text = fmt::format("{} beside {}\n\n{:<28}{:>16} {:<10}{:>16}{:>12}\n", ours.kernelOf(launch).name,
                                   card.info.deviceName.empty() ? "a GPU" : card.info.deviceName, "", "here", "",
                                   "measured", "difference");
    for (const profilers::BesideMetric& m : both.metrics)
        text += fmt::format("{:<28}{:>16} {:<10}{:>16}{:>12}{}\n", m.ours.name,
                            m.ours.value ? session::numberText(*m.ours.value) : "-", name(m.ours.origin),
                            session::numberText(m.card),
                            m.differencePct ? fmt::format("{:+.1f} %", *m.differencePct) : "", m.apart ? "  *" : "");
    if (std::ranges::any_of(both.metrics, &profilers::BesideMetric::apart))
        text += "* further apart than rounding or the model's error for such kernels explains\n";
    if (ours.info.backend == BackendKind::Emulator)
        text += "instructions here are those of the PTX, measured ones of the machine code\n";
    if (both.samples > 0) {
        const bool traced = std::ranges::any_of(both.lines, [](const auto& line) { return !line.awaited.empty(); });
        text += fmt::format(
            "\nwhere warps were, {} samples{}{}\n", both.samples,
            both.code == profilers::CodeMatch::Differs ? "; the card ran other machine code than is kept here" : "",
            both.code == profilers::CodeMatch::Differs && !traced ? ", so waits are not traced to their causes" : "");
        for (const profilers::BesideStall& s : both.stalls)
            if (s.cardPct >= 1 || s.oursPct.value_or(0) >= 1)
                text += fmt::format("{:<28}{:>15.1f}% measured{}\n", s.reason, s.cardPct,
                                    s.oursPct ? fmt::format("{:>10.1f}% modelled", *s.oursPct) : "");
    }
    if (card.info.program == profilers::ncuProgram)
        text +=
            "\nncu empties the caches and holds the clocks at their base before each launch, unless it is asked not to "
            "(--cache-control none --clock-control none): time and traffic to DRAM are those of such a launch\n";
    for (std::size_t n = 0; n < both.lines.size(); ++n)
        text += (n == 0 ? "\n" : "") + sentenceOf(both.lines[n]) + "\n";
    return text;
}

int metricsRun(const MetricsCommand& command) {
    auto trace = openLaunch(command.file, chosen(command.launch));
    if (!trace)
        return report(trace.error(), badInput);
    if (command.beside.empty()) {
        const Recording recording = session::recordingOf(std::move(*trace));
        const Trace& ran = *recording.trace;
        const auto device = std::ranges::find(devices(), ran.info.deviceName, &DeviceSpec::name);
        const auto assembled =
            device != devices().end() ? session::assembledOf(ran, device->key) : std::optional<session::Assembled>();
        std::optional<session::SpillsExecuted> spills;
        if (assembled && assembled->spillStores + assembled->spillLoads > 0)
            spills = session::spillsExecuted(ran);
        if (command.json) {
            auto object = session::summaryJson(recording, nullptr);
            if (assembled)
                object["ptxas"] = session::assembledJson(ran, assembled);
            if (spills)
                object["ptxas"]["spills_executed"] = std::llround(spills->spills);
            return print(object.dump(2) + "\n");
        }
        return print(session::summaryText(recording, nullptr) + session::assembledText(ran, assembled) +
                     (spills
                          ? fmt::format("{:<28} {:.0f} of {:.0f} machine instructions that warps execute ({:.1f} %)\n",
                                        "spills", spills->spills, spills->all, 100 * spills->spills / spills->all)
                          : ""));
    }
    if ((*trace)->launches.empty())
        return report(Error{.message = "it holds no launch", .file = command.file}, badInput);
    const auto card = openBeside(**trace, command);
    if (!card)
        return report(card.error(), badInput);
    if ((*card)->launches.empty())
        return report(Error{.message = "it holds no launch", .file = command.beside}, badInput);
    const profilers::Beside both = profilers::beside(**trace, **card);
    if (both.metrics.empty() && both.samples == 0)
        return report(Error{.message = "nothing was measured in it by a GPU", .file = command.beside}, badInput);
    return print(command.json ? besideJson(**trace, **card, both).dump(2) + "\n" : besideText(**trace, **card, both));
}

} // namespace

void addMetrics(const Command& app, Action& action) {
    auto command = std::make_shared<MetricsCommand>();
    const Command sub =
        app.command("metrics", "What a recorded launch did, alone or beside what a GPU was measured to do");
    sub.option("FILE", &command->file, "a recording: FILE.wgt, or the folder of a program's").required();
    sub.option("--launch", &command->launch, "of a program's recording: which launch, counted from 0");
    sub.option("--beside", &command->beside,
               "numbers of a GPU: a report of Nsight Compute (.ncu-rep, .csv) or a recording made there");
    sub.option("--beside-launch", &command->besideLaunch,
               "which launch of that; else the first of this kernel and shape");
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return metricsRun(*command); }; });
}

} // namespace warpglass::record
