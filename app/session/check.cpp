// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a claim is measured again: by arithmetic, by the rules of occupancy, by what a device is, or by running a kernel
// and reading a metric. Many claims are about the same launch, so launches are kept by what was asked for.
#include "app/session/check.h"

#include "app/session/claims_text.h"
#include "app/session/session.h"
#include "gpu/base/expression.h"
#include "gpu/device/device_facts.h"
#include "gpu/device/occupancy.h"
#include "gpu/metrics/metrics.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace warpglass::session {

using nlohmann::json;

namespace {

Error cannot(std::string why) {
    return Error{.message = std::move(why)};
}

struct RunFacts { // of a launch that was made, by the name a claim asks with
    std::map<std::string, double> values;
    std::map<std::string, std::string> undefined;
};

class Measurer {
public:
    Measurer(std::string backend, const CheckOptions& options, Progress& progress)
        : m_backend(std::move(backend)), m_options(options), m_progress(progress) {}

    Result<double> operator()(const json& how) {
        if (how.contains("ratio")) {
            const Result<double> a = (*this)(how["ratio"].at(0)), b = (*this)(how["ratio"].at(1));
            if (!a || !b)
                return !a ? a : b;
            return *b != 0 ? Result<double>(*a / *b) : cannot("the other launch measured zero");
        }
        if (how.contains("run"))
            return measureRun(how);
        if (how.contains("expression"))
            return evaluateExpression(how["expression"].get<std::string>());
        if (m_backend != "emulator")
            return cannot("this is a rule or a table, nothing that a GPU could measure");
        if (how.contains("occupancy"))
            return measureOccupancy(how);
        if (how.contains("device"))
            return measureDevice(how);
        return cannot("only a machine with the hardware can measure this");
    }

private:
    Result<double> measureRun(const json& how) {
        const std::string metric = how.value("metric", "");
        const bool timed = how["run"].value("timing", false);
        if (timed && m_backend == "emulator" && !m_options.timing)
            return cannot("the timing model was not asked for");
        if (timed && m_untimed)
            return cannot("the emulator's run had no clock");
        const std::string key = how["run"].dump();
        auto found = m_runs.find(key);
        if (found == m_runs.end())
            found = m_runs.emplace(key, run(how["run"])).first;
        if (!found->second)
            return found->second.error();
        const RunFacts& facts = *found->second;
        if (const auto value = facts.values.find(metric); value != facts.values.end())
            return value->second;
        const auto why = facts.undefined.find(metric);
        return cannot(why != facts.undefined.end() ? why->second : fmt::format("no metric \"{}\"", metric));
    }

    Result<RunFacts> run(const json& words) {
        RunRequest request = claimLaunch(words);
        request.backend = m_backend;
        if (m_backend != "emulator")
            request.options.device.clear();
        request.options.detail.kind = Detail::Kind::None;
        request.options.threads = m_options.threads;
        request.options.maxEvents = 0;
        RunFacts facts;
        const auto plan = planOf(request);
        facts.values["refused"] = plan ? 0 : 1;
        if (!plan) {
            for (const MetricDefinition& definition : metricDefinitions())
                facts.undefined[std::string(definition.name)] = plan.error().message;
            return facts;
        }
        if (!m_runner) {
            auto runner = makeBackend(m_backend);
            if (!runner)
                return runner.error();
            m_runner = std::move(*runner);
        }
        auto recording = runPlan(request, *plan, *m_runner, m_progress);
        if (!recording)
            return recording.error();
        m_untimed = m_untimed || (request.options.timing && recording->trace->info.timeUnit == TimeUnit::Steps);
        readFacts(*recording, facts);
        return facts;
    }

    static void readFacts(const Recording& recording, RunFacts& facts) {
        const Trace& trace = *recording.trace;
        for (const Metric& metric : metrics(trace, 0))
            if (metric.value)
                facts.values.emplace(metric.name, *metric.value);
            else
                facts.undefined.emplace(metric.name, metric.why);
        double ran = 0, dropped = 0, depth = 0;
        for (const Launch& launch : trace.launches) {
            (launch.status == LaunchStatus::Ran ? ran : dropped) += 1;
            depth = std::max(depth, double(launch.depth));
        }
        double missingSyncwarp = 0;
        for (const Diagnostic& diagnostic : trace.diagnostics)
            missingSyncwarp += diagnostic.kind == DiagnosticKind::MissingSyncwarp ? 1 : 0;
        const Launch& host = trace.launches.front();
        facts.values["launches_ran"] = ran;
        facts.values["launches_dropped"] = dropped;
        facts.values["depth"] = depth;
        facts.values["right"] = recording.check.check == Check::Ok ? 1 : 0;
        facts.values["missing_syncwarp"] = missingSyncwarp > 0 ? 1 : 0;
        facts.values["warps_per_block"] = double(warpsFor(host.block.count()));
        facts.values["idle_lanes_per_block"] =
            facts.values["warps_per_block"] * lanesPerWarp - double(host.block.count());
        facts.values["ptx_branches"] = trace.kernelOf(host).ptxBranches;
        facts.values["output_lines"] = double(std::count(trace.output.begin(), trace.output.end(), '\n'));
    }

    static Result<double> measureOccupancy(const json& how) {
        const json& words = how["occupancy"];
        const CapabilityLimits* limits = capabilityLimits(words.value("major", 9), words.value("minor", 0));
        if (!limits)
            return cannot("the compute capability is not known");
        const Occupancy o = occupancy(*limits, {.threads = words.value("threads", 256u),
                                                .registers = words.value("registers", 0u),
                                                .sharedStatic = words.value("shared", 0u),
                                                .sharedDynamic = words.value("dynamic_shared", 0u)});
        const std::string value = how.value("value", "percent");
        const std::map<std::string, double> values{
            {"percent", o.percent},          {"active_warps", o.activeWarps}, {"blocks_per_sm", o.blocksPerSm},
            {"max_warps", o.maxWarps},       {"limit_warps", o.limitWarps},   {"limit_registers", o.limitRegisters},
            {"limit_shared", o.limitShared}, {"limit_blocks", o.limitBlocks}};
        const auto found = values.find(value);
        return found != values.end() ? Result<double>(found->second) : cannot(fmt::format("no value \"{}\"", value));
    }

    static Result<double> measureDevice(const json& how) {
        const DeviceSpec* device = findDevice(how["device"].get<std::string>());
        if (!device)
            return cannot("the device is not known");
        const std::string wanted = how.value("fact", "");
        for (const DeviceFact& fact : deviceFacts(*device))
            if (fact.key == wanted)
                return fact.number;
        const CapabilityLimits& limits = device->limits();
        const std::map<std::string, double> more{
            {"l2_bytes", double(device->l2Bytes)},
            {"memory_bytes", double(device->memoryBytes)},
            {"memory_bus_bits", double(device->busBits)},
            {"dram_gb_per_s", device->dramGBs},
            {"blocks_per_multiprocessor", double(limits.blocksPerSm)},
            {"registers_per_multiprocessor", double(limits.registersPerSm)},
            {"registers_per_thread", double(std::min(limits.registersPerThread, 255u))},
            {"shared_bytes_per_multiprocessor", double(limits.sharedPerSm)},
            {"shared_bytes_per_block_optin", double(limits.sharedPerBlockOptIn)}};
        const auto found = more.find(wanted);
        return found != more.end() ? Result<double>(found->second) : cannot(fmt::format("no fact \"{}\"", wanted));
    }

    std::string m_backend;
    std::unique_ptr<Backend> m_runner; // made for the first run, kept for all
    bool m_untimed = false;            // a run with the timing model came back without times: the others would too
    const CheckOptions& m_options;
    Progress& m_progress;
    std::map<std::string, Result<RunFacts>> m_runs;
};

} // namespace

RunRequest claimLaunch(const json& words) {
    RunRequest request;
    request.kernel = words.value("kernel", "");
    request.options.device = words.value("device", "h200");
    request.options.timing = words.value("timing", false);
    request.launch.mode = parseEnum<CompileMode>(words.value("mode", "")).valueOr(CompileMode::Optimised);
    if (words.contains("size"))
        request.launch.size = words["size"].get<std::int64_t>();
    if (words.contains("grid"))
        request.launch.grid = parseDim3(words["grid"].get<std::string>());
    if (words.contains("block"))
        request.launch.block = parseDim3(words["block"].get<std::string>());
    if (words.contains("set"))
        for (const auto& [name, value] : words["set"].items())
            request.launch.set[name] = value.get<std::int64_t>();
    return request;
}

Result<std::vector<Claim>> shippedClaims() {
    return readClaims(claimsText());
}

std::vector<CheckedClaim> checkClaims(const std::vector<Claim>& claims, const CheckOptions& options, Progress& progress,
                                      const std::function<void(const CheckedClaim&)>& finished) {
    Measurer emulator("emulator", options, progress), gpu("cuda", options, progress);
    const Measure live = [&gpu](const json& how) -> Result<double> { // arithmetic stays arithmetic on a GPU
        return how.contains("run") || how.contains("ratio") ? gpu(how) : Result<double>(cannot("nothing to run"));
    };
    std::vector<CheckedClaim> checked;
    for (const Claim& claim : claims) {
        if (progress.cancelled())
            break;
        if (!options.document.empty() && claim.document != options.document)
            continue;
        checked.push_back(check(claim, std::ref(emulator), options.gpu ? live : Measure()));
        progress.report(double(checked.size()) / double(claims.size()));
        if (finished)
            finished(checked.back());
    }
    return checked;
}

} // namespace warpglass::session
