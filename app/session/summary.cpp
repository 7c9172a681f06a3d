// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/summary.h"

#include "gpu/base/message_json.h"
#include "gpu/metrics/branch_costs.h"
#include "gpu/metrics/json.h"
#include "gpu/metrics/model_accuracy.h"
#include "gpu/trace/register_origin.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warpglass::session {

using nlohmann::ordered_json;

namespace {

struct LaunchCounts {
    std::uint64_t ran = 0, dropped = 0;
    std::uint32_t deepest = 0;
};

LaunchCounts countLaunches(const Trace& trace) {
    LaunchCounts counts;
    for (const Launch& launch : trace.launches) {
        ++(launch.status == LaunchStatus::Ran ? counts.ran : counts.dropped);
        counts.deepest = std::max(counts.deepest, launch.depth);
    }
    return counts;
}

ordered_json diagnosticJson(const Diagnostic& d) {
    ordered_json object{{"kind", name(d.kind)}, {"fatal", d.fatal}, {"message", d.message.text()}, {"count", d.count}};
    if (d.message.isTyped()) {
        const nlohmann::json said = toJson(d.message.message());
        object["id"] = said["id"];
        object["arguments"] = said["arguments"];
    }
    if (d.source.line != 0)
        object["source_line"] = d.source.line;
    if (d.ptxLine != 0)
        object["ptx_line"] = d.ptxLine;
    if (d.block != noIndex)
        object["block"] = d.block;
    if (d.thread != noIndex)
        object["thread"] = d.thread;
    return object;
}

// Who waits for whom; "on": those of the list that would have to go on first.
ordered_json hangOf(const Trace& trace, const Diagnostic& d) {
    ordered_json waits = ordered_json::array(), roots = ordered_json::array();
    const Dim3 grid = d.launch < trace.launches.size() ? trace.launches[d.launch].grid : Dim3{};
    for (const HangWait& w : d.waits) {
        if (w.isRoot)
            roots.push_back(waits.size());
        ordered_json object{{"kind", name(w.kind)}, {"block", shapeJson(grid.at(w.block))},
                            {"blocks", w.blocks},   {"warps", w.warps},
                            {"lanes", w.lanes},     {"ptx_line", w.ptxLine}};
        if (w.source.line != 0)
            object["source_line"] = w.source.line;
        object["waits_for"] = w.what.text();
        if (w.kind == HangKind::Word)
            object["address"] = {{"space", name(w.space)}, {"byte", w.address}};
        else if (w.kind == HangKind::Barrier)
            object["barrier"] = w.address;
        if (w.kind == HangKind::Mbarrier)
            object["mbarrier"] = {{"byte", w.address}, {"phase", w.phase}, {"bytes_missing", w.bytesMissing}};
        if (w.arrivalsExpected > 0)
            object["arrivals"] = {{"missing", w.arrivalsMissing}, {"expected", w.arrivalsExpected}};
        if (!w.why.empty())
            object["why"] = w.why.text();
        object["on"] = w.on;
        waits.push_back(std::move(object));
    }
    ordered_json hang{{"waits", std::move(waits)}, {"roots", std::move(roots)}};
    if (hang["roots"].empty() && !d.waits.empty()) { // each one's first, until one comes again
        std::vector<std::uint32_t> ring;
        std::uint32_t at = 0;
        while (std::find(ring.begin(), ring.end(), at) == ring.end() && !d.waits[at].on.empty()) {
            ring.push_back(at);
            at = d.waits[at].on.front();
        }
        ring.erase(ring.begin(), std::find(ring.begin(), ring.end(), at));
        hang["ring"] = ring;
    }
    return hang;
}

} // namespace

ordered_json hangJson(const Trace& trace) {
    for (const Diagnostic& diagnostic : trace.diagnostics)
        if (!diagnostic.waits.empty())
            return hangOf(trace, diagnostic);
    return {};
}

namespace {

ordered_json launchJson(const CatalogueEntry& entry, const LaunchRequest& request) {
    ordered_json object = ordered_json::object();
    if (request.size)
        object["size"] = *request.size;
    if (request.grid)
        object["grid"] = shapeJson(*request.grid);
    if (request.block)
        object["block"] = shapeJson(*request.block);
    if (request.sharedBytes)
        object["shared_bytes"] = *request.sharedBytes;
    for (const Parameter& parameter : entry.parameters)
        if (const auto found = request.set.find(parameter.name); found != request.set.end())
            object["set"][parameter.name] = found->second;
    return object;
}

} // namespace

ordered_json shapeJson(Dim3 shape) {
    return ordered_json::array({shape.x, shape.y, shape.z});
}

std::string numberText(double value) {
    return fmt::format("{:.6g}", value);
}

Recording recordingOf(TracePtr trace) {
    Recording recording;
    for (const InstructionCount& count : trace->counts)
        recording.warpInstructions += count.executions;
    recording.trace = std::move(trace);
    return recording;
}

namespace {
// How far modelled durations are from hardware.
ordered_json modelJson(const Trace& trace) {
    ordered_json object{{"accuracy", modelAccuracyText(trace.info.deviceName)}};
    if (!trace.timings.empty())
        object["policy"] = trace.timings.front().policy;
    const ModelAccuracy a = modelAccuracy(quotedRole);
    object["mean_error_pct"] = 100 * a.meanError;
    object["rank_correlation"] = a.rankCorrelation;
    object["compared_with"] = "NVIDIA H200";
    object["launches"] = a.launches;
    object["kind"] = name(kindOf(trace));
    if (const auto ofKind = accuracyOf(trace)) { // launches: 0 and no error where such kernels were not measured
        object["kind_launches"] = ofKind->launches;
        object["kind_mean_error_pct"] = ofKind->launches > 0 ? ordered_json(100 * ofKind->meanError) : ordered_json();
        object["kind_accuracy"] = kindErrorSentence(trace).text();
    }
    return object;
}

// The branches that a programmer would change first.
std::string branchesText(const Trace& trace) {
    constexpr std::size_t mostTold = 3;
    constexpr double least = 0.005; // of all lanes
    std::string text;
    std::size_t told = 0;
    for (const BranchCost& b : branchCosts(trace, 0)) {
        if (b.share < least || ++told > mostTold)
            break;
        const std::string line = b.sourceLine ? fmt::format("line {} (PTX line {})", b.sourceLine, b.ptxLine)
                                              : fmt::format("PTX line {}", b.ptxLine);
        text += fmt::format("{:<28} {:>14} %    of all lanes for {} at {}, whose lanes part in {} of {} executions\n",
                            told == 1 ? "lost by branches" : "", fmt::format("{:.1f}", 100 * b.share),
                            b.isLoop ? "the loop" : "the branch", line, b.divergent, b.executions);
    }
    return text;
}

} // namespace

ordered_json summaryJson(const Recording& recording, const LaunchPlan* plan) {
    const Trace& trace = *recording.trace;
    ordered_json object;
    if (!trace.launches.empty()) {
        const Launch& launch = trace.launches.front();
        object["kernel"] = trace.kernelOf(launch).name;
        object["backend"] = name(trace.info.backend);
        object["device"] = trace.info.deviceName;
        object["mode"] = name(trace.info.mode);
        object["launch"] = {{"grid", shapeJson(launch.grid)},
                            {"block", shapeJson(launch.block)},
                            {"shared_bytes", launch.sharedBytes},
                            {"registers", trace.kernelOf(launch).registers}};
        if (trace.kernelOf(launch).registers != 0)
            object["launch"]["registers_origin"] = registersEstimated(trace, 0) ? "estimated" : "counted";
        if (plan && !plan->notCounted.empty())
            object["launch"]["registers_why"] = plan->notCounted;
    }
    object["size"] = trace.info.size;
    object["check"] = name(recording.check.check);
    if (!recording.check.why.empty())
        object["check_why"] = recording.check.why;
    const LaunchCounts counts = countLaunches(trace);
    object["launches"] = {{"ran", counts.ran}, {"dropped", counts.dropped}, {"depth", counts.deepest}};
    object["warp_instructions"] = recording.warpInstructions;
    object["wall_s"] = plan ? ordered_json(recording.wallSeconds) : ordered_json();
    object["metrics"] = metricsJson(metrics(trace, 0));
    if (const auto costs = branchCosts(trace, 0); !costs.empty()) {
        object["branches"] = ordered_json::array(); // the costliest first
        for (const BranchCost& b : costs)
            object["branches"].push_back({{"ptx_line", b.ptxLine},
                                          {"source_line", b.sourceLine ? ordered_json(b.sourceLine) : ordered_json()},
                                          {"loop", b.isLoop},
                                          {"executions", b.executions},
                                          {"divergent", b.divergent},
                                          {"lost_lanes", b.lost},
                                          {"share", b.share}});
    }
    if (trace.info.timing)
        object["model"] = modelJson(trace);
    if (recording.fault)
        object["fault"] = recording.fault->text();
    if (!trace.diagnostics.empty()) {
        object["diagnostics"] = ordered_json::array();
        for (const Diagnostic& diagnostic : trace.diagnostics)
            object["diagnostics"].push_back(diagnosticJson(diagnostic));
    }
    if (ordered_json hang = hangJson(trace); !hang.is_null())
        object["hang"] = std::move(hang);
    if (!trace.output.empty())
        object["output"] = trace.output;
    if (const std::uint64_t lost = trace.lostEvents())
        object["lost_events"] = lost;
    return object;
}

std::string summaryText(const Recording& recording, const LaunchPlan* plan) {
    const Trace& trace = *recording.trace;
    std::string text;
    if (!trace.launches.empty()) {
        const Launch& launch = trace.launches.front();
        text += fmt::format("{} <<<{}, {}>>> {} on {} ({}{})\n", trace.kernelOf(launch).name, launch.grid.text(),
                            launch.block.text(), name(trace.info.mode), trace.info.deviceName, name(trace.info.backend),
                            trace.info.timing ? ", timing model" : "");
    }
    if (!trace.output.empty())
        text += trace.output + (trace.output.back() == '\n' ? "" : "\n");
    const LaunchCounts counts = countLaunches(trace);
    if (trace.launches.size() > 1)
        text +=
            fmt::format("{:<28} {} ran, {} dropped, {} deep\n", "launches", counts.ran, counts.dropped, counts.deepest);
    if (recording.check.check != Check::None)
        text += fmt::format("{:<28} {}{}{}\n", "check", name(recording.check.check),
                            recording.check.why.empty() ? "" : ": ", recording.check.why);
    for (const Metric& m : metrics(trace, 0))
        text += fmt::format(
            "{:<28} {}\n", m.name,
            m.value ? fmt::format("{:>14} {:<4} {}", numberText(*m.value), m.unit == "1" ? "" : m.unit, name(m.origin))
                    : fmt::format("{:>14} {:<4} {}", "-", "", m.why));
    text += branchesText(trace);
    if (trace.info.timing)
        text += kindErrorSentence(trace).text() + "\n";
    text += fmt::format("{:<28} {:>14}\n", "warp instructions", recording.warpInstructions);
    if (plan)
        text += fmt::format("{:<28} {:>14.3f} s\n", "wall time", recording.wallSeconds);
    if (const std::uint64_t lost = trace.lostEvents())
        text += fmt::format("{:<28} {:>14}\n", "events that did not fit", lost);
    if (plan && !plan->notCounted.empty())
        text += fmt::format("note: {}\n", plan->notCounted);
    for (const Diagnostic& diagnostic : trace.diagnostics)
        text += fmt::format("{}: {}{}\n", diagnostic.fatal ? "fault" : "note", diagnostic.message.text(),
                            diagnostic.count > 1 ? fmt::format(" ({} times)", diagnostic.count) : "");
    return text;
}

ordered_json catalogueJson() {
    ordered_json kernels = ordered_json::array();
    for (const CatalogueEntry& entry : catalogue()) {
        ordered_json row{{"name", entry.name}};
        row["document"] = entry.references.empty() ? "" : entry.references.front().document;
        row["section"] = entry.references.empty() ? "" : entry.references.front().section;
        row["references"] = ordered_json::array();
        for (const Reference& reference : entry.references)
            row["references"].push_back({{"document", reference.document}, {"section", reference.section}});
        row["modes"] = {name(CompileMode::Optimised), name(CompileMode::AsWritten)};
        row["parameters"] = ordered_json::array();
        for (const Parameter& p : entry.parameters)
            row["parameters"].push_back({{"name", p.name},
                                         {"minimum", p.minimum},
                                         {"maximum", p.maximum},
                                         {"default", p.standard},
                                         {"meaning", {{"en", p.meaningEn}, {"zh_CN", p.meaningZh}}}});
        row["family"] = entry.family;
        row["source"] = entry.source;
        row["story"] = {{"en", entry.storyEn}, {"zh_CN", entry.storyZh}};
        row["look"] = launchJson(entry, entry.look);
        row["document_launch"] = launchJson(entry, entry.document);
        kernels.push_back(std::move(row));
    }
    return {{"kernels", std::move(kernels)}};
}

} // namespace warpglass::session
