// SPDX-License-Identifier: GPL-3.0-or-later
// `launches` lists what the recording of a program holds.
#include "app/record/command.h"
#include "app/record/launches_collectives.h"
#include "app/record/launches_graphs.h"
#include "app/record/recorded_launch.h"
#include "app/session/program.h"
#include "app/session/summary.h"
#include "gpu/base/catalogue.h"
#include "gpu/base/message_json.h"
#include "gpu/base/quantity.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/metrics/model_accuracy.h"
#include "gpu/program/devices.h"
#include "gpu/program/ends.h"
#include "gpu/program/placing.h"
#include "gpu/program/program_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace warpglass::record {

namespace {

namespace prog = program;

// ns of the device's; 0 where nobody knows them.
std::int64_t durationOf(const prog::ProgramTrace& p, const prog::Operation& o) {
    return p.info.backend == BackendKind::Cuda ? o.end - o.start : o.duration;
}

nlohmann::json operationJson(const prog::ProgramTrace& p, std::uint32_t n) {
    const prog::Operation& o = p.operations[n];
    nlohmann::json row{{"operation", n},        {"kind", name(o.kind)},     {"start_ns", o.start},
                       {"end_ns", o.end},       {"stream", o.stream},       {"error", o.error},
                       {"called_ns", o.called}, {"returned_ns", o.returned}};
    if (o.kind == prog::OperationKind::Launch && o.kernel != noIndex) {
        row["kernel"] = p.kernels[o.kernel].name;
        if (o.shape != noIndex) {
            const prog::RecordedShape& s = p.shapes[o.shape];
            row["grid"] = {s.grid.x, s.grid.y, s.grid.z};
            row["block"] = {s.block.x, s.block.y, s.block.z};
            row["shared_bytes"] = s.sharedBytes;
        }
        row["arguments"] = nlohmann::json::array();
        for (const prog::ArgumentWords& a : prog::argumentWords(p, n)) {
            nlohmann::json argument{{"type", a.type}, {"value", a.value}};
            if (a.allocation)
                argument["allocation"] = {{"address", fmt::format("0x{:x}", a.allocation->address)},
                                          {"bytes", a.allocation->bytes},
                                          {"offset", a.offset},
                                          {"memory", name(a.allocation->kind)}};
            row["arguments"].push_back(argument);
        }
        row["recorded"] = prog::hasWarps(p, o);
        if (o.recording != noIndex)
            row["trace"] = p.recordings[o.recording].file;
        const bool measured = p.info.backend == BackendKind::Cuda;
        const bool known = measured || o.timed != prog::TimeOrigin::None;
        row["duration_ns"] = known ? nlohmann::json(durationOf(p, o)) : nlohmann::json();
        row["duration_origin"] = known ? nlohmann::json(measured ? "measured" : name(o.timed)) : nlohmann::json();
    } else if (o.kind == prog::OperationKind::Library && o.kernel != noIndex) {
        row["kernel"] = p.kernels[o.kernel].name;
    } else if (o.bytes) {
        row["bytes"] = o.bytes;
    }
    if (o.kind == prog::OperationKind::Copy)
        row["direction"] = name(o.direction);
    if (const auto peers = prog::peersOf(p, n)) {
        row["from_device"] = peers->from;
        row["to_device"] = peers->to;
    }
    if (auto step = stepJson(p, n); !step.is_null())
        row["graph"] = std::move(step);
    return row;
}

struct KernelSum {
    std::uint64_t launches = 0, recorded = 0, calls = 0; // calls: of a library
    std::uint64_t ns = 0;
    prog::Durations durations;
    const char* origin() const { return durations.measured ? "measured" : name(durations.origin()); }
};

std::vector<KernelSum> sumsOf(const prog::ProgramTrace& p) {
    std::vector<KernelSum> sums(p.kernels.size());
    for (KernelSum& sum : sums)
        sum.durations.measured = p.info.backend == BackendKind::Cuda;
    for (const prog::Operation& o : p.operations)
        if (o.kind == prog::OperationKind::Launch && o.kernel != noIndex) {
            KernelSum& sum = sums[o.kernel];
            ++sum.launches;
            sum.recorded += prog::hasWarps(p, o);
            sum.ns += std::uint64_t(durationOf(p, o));
            sum.durations.estimated += o.timed == prog::TimeOrigin::Estimated;
            sum.durations.modelled += o.timed == prog::TimeOrigin::Modelled;
        } else if (o.kind == prog::OperationKind::Library && o.kernel != noIndex) {
            ++sums[o.kernel].calls;
        }
    return sums;
}

// Who waits for whom in a recorded launch of which something was told; null: it does not hang, or was not recorded.
nlohmann::ordered_json hangOf(const prog::ProgramTrace& p, const std::string& file, std::uint32_t operation,
                              std::uint64_t launch) {
    const bool told =
        std::any_of(p.messages.begin(), p.messages.end(), [&](const auto& m) { return m.operation == operation; });
    if (!told || !prog::hasWarps(p, p.operations[operation]))
        return {};
    const auto trace = openLaunch(file, launch);
    return trace ? session::hangJson(**trace) : nlohmann::ordered_json();
}

// Of a process that did not end well, or whose end is not known.
std::string endOf(const prog::ProgramProcess& process) {
    if (process.exitStatus == prog::endedSilently)
        return "ended without a word: it was killed, left by _exit(), or still works";
    const std::int64_t signal = process.exitStatus - 128;
    if (signal <= 0)
        return fmt::format("ended with exit status {}", process.exitStatus);
    return fmt::format("was ended by signal {} ({})", signal, prog::signalName(signal));
}

int listJson(const prog::ProgramTrace& p, const std::string& file) {
    nlohmann::json all{{"command", p.info.command},
                       {"backend", name(p.info.backend)},
                       {"device", p.info.device},
                       {"exit_status", std::max(p.info.exitStatus, prog::statusUnknown)},
                       {"lost", p.info.lost}};
    all["processes"] = nlohmann::json::array();
    for (const prog::ProgramProcess& process : p.info.processes)
        all["processes"].push_back(
            {{"name", process.name()},
             {"exit_status", std::max(process.exitStatus, prog::statusUnknown)},
             {"end", process.exitStatus == 0                     ? nlohmann::json("ended well")
                     : process.exitStatus == prog::statusUnknown ? nlohmann::json()
                                                                 : nlohmann::json(endOf(process))}});
    const std::vector<KernelSum> sums = sumsOf(p);
    all["estimate_error"] =
        prog::durationsOf(p).estimated > 0 ? nlohmann::json(estimateAccuracy().meanError) : nlohmann::json();
    all["kernels"] = nlohmann::json::array();
    for (std::size_t k = 0; k < sums.size(); ++k) {
        // The emulator's clock tells of its own work, not of the device: nothing is better than that.
        const bool known = sums[k].durations.known();
        all["kernels"].push_back({{"name", p.kernels[k].name},
                                  {"entry", p.kernels[k].entry},
                                  {"maker", p.kernels[k].maker},
                                  {"launches", sums[k].launches},
                                  {"calls", sums[k].calls},
                                  {"recorded", sums[k].recorded},
                                  {"duration_ns", known ? nlohmann::json(sums[k].ns) : nlohmann::json()},
                                  {"duration_origin", known ? nlohmann::json(sums[k].origin()) : nlohmann::json()}});
    }
    all["streams"] = nlohmann::json::array();
    for (const prog::ProgramStream& s : p.streams)
        all["streams"].push_back({{"name", s.name},
                                  {"device", s.device},
                                  {"priority", s.priority},
                                  {"blocking", s.blocking != 0},
                                  {"process", s.process}});
    all["devices"] = nlohmann::json::array();
    const prog::Durations durations = prog::durationsOf(p);
    prog::ProgramTrace placed;
    if (durations.known()) {
        placed = p; // by the device's times
        prog::place(placed);
        for (const prog::DeviceSum& s : prog::deviceSums(placed, prog::waitsOf(placed)))
            all["devices"].push_back({{"process", s.process},
                                      {"device", s.device},
                                      {"launches", s.launches},
                                      {"copies", s.copies},
                                      {"busy_ns", s.busy},
                                      {"length_ns", s.length()},
                                      {"waited_ns", s.waited}});
    }
    all["operations"] = nlohmann::json::array();
    std::uint64_t launches = 0;
    for (std::uint32_t n = 0; n < p.operations.size(); ++n) {
        nlohmann::json& row = all["operations"].emplace_back(operationJson(p, n));
        if (durations.known() && !durations.measured) {
            row["modelled_start_ns"] = placed.operations[n].start;
            row["modelled_end_ns"] = placed.operations[n].end;
        }
        if (p.operations[n].kind != prog::OperationKind::Launch)
            continue;
        if (const auto hang = hangOf(p, file, n, launches); !hang.is_null())
            row["hang"] = hang;
        row["launch"] = launches++;
    }
    all["graphs"] = graphsJson(p);
    all["collectives"] = collectivesJson(p);
    all["messages"] = nlohmann::json::array();
    for (const auto& m : p.messages) {
        nlohmann::json said = toJson(m.message);
        said["operation"] = m.operation;
        said["kind"] = name(m.kind);
        said["text"] = textOf(m);
        all["messages"].push_back(std::move(said));
    }
    return print(all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::string inBrackets(const std::string& maker) {
    return maker.empty() ? maker : " (" + maker + ")";
}

// Of a copy that a GPU has timed.
std::string rateText(const prog::ProgramTrace& p, const prog::Operation& o) {
    return p.info.backend == BackendKind::Cuda && o.end > o.start
               ? fmt::format(", {:.1f} GB/s", double(o.bytes) / double(o.end - o.start))
               : "";
}

// A line each, where there are several; times in the list's unit.
std::string devicesText(const prog::ProgramTrace& p, double unit, const char* unitName) {
    const auto sums = prog::deviceSums(p, prog::waitsOf(p));
    if (sums.size() < 2)
        return {};
    std::string text = "\n";
    for (const prog::DeviceSum& s : sums) {
        if (s.process < p.info.processes.size())
            text += p.info.processes[s.process].name() + ", ";
        text += fmt::format("device {}: {}, {}, at work {:.1f} % of {:.3f} {}", s.device,
                            quantity(s.launches, "launch", "launches"), quantity(s.copies, "copy", "copies"),
                            s.length() > 0 ? 100.0 * double(s.busy) / double(s.length()) : 0.0,
                            double(s.length()) / unit, unitName);
        if (s.longest)
            text += fmt::format("; waited {:.3f} {} for other streams, longest operation {} for {} ({:.3f} {})",
                                double(s.waited) / unit, unitName, s.longest->operation, s.longest->behind,
                                double(s.longest->ns) / unit, unitName);
        text += "\n";
    }
    return text;
}

// launch: its number over the program, if it is one. unit: ns of the times' one.
std::string operationText(const prog::ProgramTrace& p, std::uint32_t n, std::uint64_t launch, double unit) {
    const prog::Operation& o = p.operations[n];
    std::string text = fmt::format("{:>6} {:>12.3f} {:>1}{:>9.3f}  {:<8} {:>2}  ", n, double(o.start) / unit,
                                   o.timed == prog::TimeOrigin::Estimated ? "~" : "", double(o.end - o.start) / unit,
                                   name(o.kind), o.stream);
    if (o.kind == prog::OperationKind::Launch && o.kernel != noIndex) {
        text += shortName(p.kernels[o.kernel].name);
        if (o.shape != noIndex)
            text += fmt::format(" <<<{}, {}>>>", p.shapes[o.shape].grid.text(), p.shapes[o.shape].block.text());
        std::string words;
        for (const prog::ArgumentWords& a : prog::argumentWords(p, n))
            words += (words.empty() ? "" : ", ") + a.value;
        text += fmt::format(" ({})  launch {}", words, launch);
        if (o.recording != noIndex)
            text += prog::hasWarps(p, o) ? ", recorded" : ", machine code kept";
    } else {
        text += o.kind == prog::OperationKind::Copy ? fmt::format("{} ", name(o.direction)) : "";
        text += o.bytes ? quantity(o.bytes, "byte") : "";
        if (o.kind == prog::OperationKind::Library && o.kernel != noIndex)
            text += p.kernels[o.kernel].name;
        if (const auto peers = prog::peersOf(p, n))
            text += fmt::format(", device {} to {}{}", peers->from, peers->to, rateText(p, o));
    }
    const std::string step = stepText(p, n);
    return text + (step.empty() ? "" : "  " + step) + (o.error ? fmt::format("  error {}", o.error) : "") + "\n";
}

int list(const std::string& file, bool json) {
    auto p = prog::readProgram(programFileOf(file));
    if (!p)
        return report(p.error(), badInput);
    if (json)
        return listJson(*p, file);
    const bool measured = p->info.backend == BackendKind::Cuda;
    std::string text = p->info.exitStatus < 0
                           ? p->info.command + ", exit status not known\n"
                           : fmt::format("{}, exit status {}\n", p->info.command, p->info.exitStatus);
    for (const prog::ProgramProcess& process : p->info.processes)
        if (process.exitStatus != 0 && process.exitStatus != prog::statusUnknown)
            text += process.name() + " " + endOf(process) + "\n";
    const std::vector<KernelSum> sums = sumsOf(*p);
    std::vector<std::size_t> longestFirst(sums.size());
    std::iota(longestFirst.begin(), longestFirst.end(), std::size_t(0));
    std::stable_sort(longestFirst.begin(), longestFirst.end(),
                     [&](std::size_t a, std::size_t b) { return sums[a].ns > sums[b].ns; });
    for (const std::size_t k : longestFirst) {
        if (sums[k].calls > 0) {
            text += fmt::format("{:>8} calls {:>32}{}\n", sums[k].calls, "", p->kernels[k].name);
            continue;
        }
        text += fmt::format(
            "{:>8} launches {:>1}{:>14}  {:>4} recorded  {}\n", sums[k].launches,
            sums[k].durations.estimated > 0 ? "~" : "",
            sums[k].durations.known() ? fmt::format("{:.{}f} ms", double(sums[k].ns) * 1e-6, measured ? 3 : 6) : "",
            sums[k].recorded, shortName(p->kernels[k].name) + inBrackets(p->kernels[k].maker));
    }
    const prog::Durations durations = prog::durationsOf(*p);
    prog::place(*p);
    if (!durations.known())
        text += "\ntimes are those of the emulator's own work, not the device's";
    else if (!durations.measured)
        text += fmt::format("\nlaunches: {} modelled, {} estimated (~); copies, fills and calls by the pace of an H200 "
                            "and its host (~); what the "
                            "program itself does on the host, and calls of libraries, take no time{}",
                            durations.modelled, durations.estimated,
                            durations.estimated > 0 ? "\n" + estimateAccuracyText() : "");
    const bool ofDevice = durations.known() && !durations.measured; // microseconds
    if (durations.known())
        text += devicesText(*p, ofDevice ? 1e3 : 1e6, ofDevice ? "us" : "ms");
    text += ofDevice ? "\n     #        start us         us  what    stream\n"
                     : "\n     #        start ms         ms  what    stream\n";
    std::uint64_t launches = 0;
    for (std::uint32_t n = 0; n < p->operations.size(); ++n) {
        text += operationText(*p, n, launches, ofDevice ? 1e3 : 1e6);
        launches += p->operations[n].kind == prog::OperationKind::Launch;
    }
    text += graphsText(*p, ofDevice ? 1e3 : 1e6, ofDevice ? "us" : "ms");
    text += collectivesText(*p, ofDevice ? 1e3 : 1e6, ofDevice ? "us" : "ms");
    return print(text);
}

int merge(const std::string& first, const std::vector<std::string>& others, const std::string& output, bool json) {
    if (output.empty())
        return report(Error{.message = "nothing says where the merged recording goes",
                            .file = "-o",
                            .remedy = "Give -o FOLDER or -o FILE.wgt."},
                      badInput);
    std::vector<std::filesystem::path> files{programFileOf(first)};
    for (const std::string& other : others)
        files.push_back(programFileOf(other));
    if (const auto merged = session::mergePrograms(files, output); !merged)
        return report(merged.error(), badInput);
    return list(output, json);
}

} // namespace

void addLaunches(const Command& app, Action& action) {
    struct Words {
        std::string file, output;
        std::vector<std::string> merge;
        bool json = false;
    };
    auto words = std::make_shared<Words>();
    const Command sub = app.command("launches", "List what a recorded program did: launches, copies, memory");
    sub.option("FILE", &words->file, "the recording: its folder, or its .wgt file").required();
    sub.flag("--json", words->json, "print one JSON object");
    sub.option("--merge", &words->merge,
               "a further recording, of another machine: all of them become one, on one clock")
        .onceEach();
    sub.option("-o,--output", &words->output, "where the merged recording goes: a folder, or one FILE.wgt");
    sub.whenChosen([words, &action] {
        action = [words] {
            return words->merge.empty() ? list(words->file, words->json)
                                        : merge(words->file, words->merge, words->output, words->json);
        };
    });
}

} // namespace warpglass::record
