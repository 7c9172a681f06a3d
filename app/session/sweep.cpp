// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/sweep.h"
#include "gpu/base/messages/session.h"
#include "gpu/launch/validate.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace warpglass::session {

namespace {

// Every request, once for each value of one list.
template <typename T, typename Set>
std::vector<RunRequest> multiply(const std::vector<RunRequest>& requests, const std::vector<T>& values, Set set) {
    if (values.empty())
        return requests;
    std::vector<RunRequest> all;
    for (const RunRequest& request : requests)
        for (const T& value : values) {
            all.push_back(request);
            set(all.back(), value);
        }
    return all;
}

// Bytes of the arrays that the kernel is given: the documents' bandwidth is these over the time.
double inputBytes(const LaunchPlan& plan) {
    double bytes = 0;
    for (const Argument& argument : plan.arguments)
        if (argument.isBuffer && argument.fill)
            bytes += double(argument.count) * bytesOf(argument.type);
    return bytes;
}

void addBandwidth(ResultRow& row, const LaunchPlan& plan) {
    const ResultValue* duration = row.find("duration_ns");
    const double bytes = inputBytes(plan);
    if (!duration || *duration->median <= 0 || bytes <= 0)
        return;
    const double bandwidth = bytes / (*duration->median * 1e-9);
    row.values.push_back({.name = "effective_bandwidth",
                          .unit = "B/s",
                          .origin = duration->origin,
                          .median = bandwidth,
                          .low = bandwidth,
                          .high = bandwidth});
}

// The backends of a sweep: a GPU's worker is started once, not once a launch.
class Backends {
public:
    Result<Backend*> get(const RunRequest& request) {
        auto& backend = m_made[{request.backend, isCaged(request)}];
        if (!backend) {
            auto made = backendFor(request);
            if (!made)
                return made.error();
            backend = std::move(*made);
        }
        return backend.get();
    }

private:
    std::map<std::pair<std::string, bool>, std::unique_ptr<Backend>> m_made;
};

SweepRow runRow(const RunRequest& request, const SweepRequest& sweep, Backends& backends, Progress& progress) {
    SweepRow row{.request = request};
    row.result = {.kernel = request.kernel,
                  .grid = request.launch.grid.value_or(Dim3{0, 0, 0}),
                  .block = request.launch.block.value_or(Dim3{0, 0, 0}),
                  .size = request.launch.size.value_or(0),
                  .backend = request.backend,
                  .device = request.options.device,
                  .mode = name(request.launch.mode),
                  .check = name(Check::None)};
    if (const DeviceSpec* device = findDevice(request.options.device); device && request.backend == "emulator")
        row.result.device = device->name;
    const auto fails = [&](const Error& error) {
        row.error = error;
        row.result.error = error.message;
        return row;
    };
    auto plan = planOf(request);
    if (!plan) {
        row.refused = true;
        return fails(plan.error());
    }
    row.result.grid = plan->grid;
    row.result.block = plan->block;
    row.result.size = plan->size;
    // A GPU answers "invalid argument"; this limit is the same on all of them, so it can be named.
    if (request.backend == "cuda" && plan->block.count() > capabilityLimits(9, 0)->threadsPerBlock)
        if (auto ok = validate(*plan, *findDevice("h200")); !ok) {
            row.refused = true;
            return fails(ok.error());
        }
    auto backend = backends.get(request);
    if (!backend)
        return fails(backend.error());
    RunRequest withoutResults = request;
    withoutResults.options.results = false; // but of what is checked
    std::vector<ResultRow> runs;
    const int repeats = request.backend == "emulator" ? 1 : std::max(sweep.repeats, 1);
    for (int n = 0; n < repeats; ++n) {
        auto recording = runPlan(withoutResults, *plan, **backend, progress);
        if (!recording) {
            fails(recording.error());
            break; // what ran before is kept
        }
        runs.push_back(rowOf(recording->trace));
        runs.back().check = name(recording->check.check);
        addBandwidth(runs.back(), *plan);
        if (!sweep.keepTraces || n > 0)
            runs.back().trace = nullptr;
        if (recording->fault)
            fails(*recording->fault);
        else if (recording->check.check == Check::Wrong)
            fails(Error{.message = say::SweepResultWrong(recording->check.why)});
    }
    if (!runs.empty()) {
        const std::string error = row.result.error;
        row.result = medianOf(runs);
        row.result.kernel = request.kernel; // the catalogue's name, whatever the entry is called
        row.result.size = plan->size;
        row.result.error = error;
    }
    return row;
}

// Nothing for a refused launch whose shape nobody gave.
std::string shapeText(Dim3 shape) {
    return shape == Dim3{0, 0, 0} ? "" : shape.text();
}

} // namespace

std::vector<RunRequest> requestsOf(const SweepRequest& sweep) {
    std::vector<RunRequest> all{sweep.base};
    all = multiply(all, sweep.kernels, [](RunRequest& r, const std::string& kernel) { r.kernel = kernel; });
    all = multiply(all, sweep.backends, [&](RunRequest& r, const std::string& backend) {
        const bool changes = r.backend != backend;
        r.backend = backend;
        if (changes)
            r.options.device = backend == "cuda" ? "" : "h200";
    });
    std::vector<RunRequest> perDevice;
    for (const RunRequest& request : all) { // the emulator's devices mean nothing to a GPU
        const auto some = request.backend == "emulator" || sweep.backends.empty()
                              ? multiply({request}, sweep.devices,
                                         [](RunRequest& r, const std::string& device) { r.options.device = device; })
                              : std::vector<RunRequest>{request};
        perDevice.insert(perDevice.end(), some.begin(), some.end());
    }
    all = std::move(perDevice);
    all = multiply(all, sweep.sizes, [](RunRequest& r, std::int64_t size) { r.launch.size = size; });
    all = multiply(all, sweep.modes, [](RunRequest& r, CompileMode mode) { r.launch.mode = mode; });
    all = multiply(all, sweep.policies, [](RunRequest& r, SchedulingPolicy policy) { r.options.policy = policy; });
    all = multiply(all, sweep.grids, [](RunRequest& r, Dim3 grid) { r.launch.grid = grid; });
    return multiply(all, sweep.blocks, [](RunRequest& r, Dim3 block) { r.launch.block = block; });
}

Result<RunRequest> requestLike(const Trace& trace) {
    if (trace.launches.empty() || trace.kernels.empty())
        return Error{.message = say::NoLaunchInTrace};
    const Launch& launch = trace.launches.front();
    const std::string& kernel = trace.kernelOf(launch).name;
    if (!findKernel(kernel))
        return Error{.message = say::NotCatalogueKernel(kernel)};
    RunRequest request;
    request.kernel = kernel;
    request.launch.mode = trace.info.mode;
    if (trace.info.size > 0)
        request.launch.size = trace.info.size;
    request.launch.grid = launch.grid;
    request.launch.block = launch.block;
    if (launch.sharedBytes > 0)
        request.launch.sharedBytes = launch.sharedBytes;
    request.options.device = "h200";
    for (const DeviceSpec& device : devices())
        if (device.name == trace.info.deviceName)
            request.options.device = device.key;
    request.options.timing = true;
    return request;
}

std::vector<SweepRow> runSweep(const SweepRequest& sweep, Progress& progress, const SweepFinished& finished) {
    std::vector<SweepRow> rows;
    Backends backends;
    std::vector<RunRequest> requests;
    if (!sweep.base.kernel.empty() || !sweep.kernels.empty())
        requests = requestsOf(sweep);
    std::size_t of = 2 * sweep.recorded.size();
    for (std::size_t row = 0; row < requests.size(); ++row)
        of += !sweep.wanted || sweep.wanted(row) ? 1 : 0;
    const auto add = [&](SweepRow row) {
        rows.push_back(std::move(row));
        if (finished)
            finished(rows.back(), of);
    };
    for (const TracePtr& trace : sweep.recorded) {
        if (progress.cancelled())
            return rows;
        auto like = requestLike(*trace);
        SweepRow recorded;
        recorded.result = rowOf(trace);
        recorded.request.kernel = recorded.result.kernel;
        recorded.request.backend = recorded.result.backend;
        recorded.request.launch.mode = trace->info.mode;
        if (!sweep.keepTraces)
            recorded.result.trace = nullptr;
        add(std::move(recorded));
        if (like) {
            like->options.detail = sweep.base.options.detail;
            like->options.threads = sweep.base.options.threads;
            like->options.policy = sweep.base.options.policy;
            add(runRow(*like, sweep, backends, progress));
        }
    }
    for (std::size_t index = 0; index < requests.size(); ++index) {
        if (sweep.wanted && !sweep.wanted(index))
            continue;
        if (progress.cancelled())
            break;
        progress.report(0);
        SweepRow row = runRow(requests[index], sweep, backends, progress);
        row.index = index;
        if (progress.cancelled() && row.result.values.empty())
            break; // that one was cut off, not refused
        add(std::move(row));
    }
    return rows;
}

ResultTable resultsOf(const std::vector<SweepRow>& rows, const std::string& title) {
    ResultTable table{.title = title};
    for (const SweepRow& row : rows)
        table.rows.push_back(row.result);
    addSpeedups(table);
    return table;
}

std::string sweepCsv(const std::vector<SweepRow>& rows, const std::string& title) {
    return resultsCsv(resultsOf(rows, title));
}

nlohmann::ordered_json sweepJson(const std::vector<SweepRow>& rows) {
    using nlohmann::ordered_json;
    ordered_json list = ordered_json::array();
    const auto shape = [](Dim3 d) { return ordered_json::array({d.x, d.y, d.z}); };
    const ResultTable table = resultsOf(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const SweepRow& row = rows[i];
        const ResultRow& result = table.rows[i];
        ordered_json object{{"kernel", result.kernel},
                            {"grid", shape(result.grid)},
                            {"block", shape(result.block)},
                            {"backend", result.backend},
                            {"device", result.device},
                            {"mode", result.mode},
                            {"policy", name(row.request.options.policy)},
                            {"check", result.check}};
        if (result.size > 0)
            object["size"] = result.size;
        object["metrics"] = ordered_json::object();
        for (const ResultValue& found : result.values) {
            ordered_json value{{"value", found.median ? ordered_json(*found.median) : ordered_json()},
                               {"unit", found.unit},
                               {"origin", name(found.origin)},
                               {"nsight", found.nsight}};
            if (!found.median)
                value["why"] = found.why;
            else if (found.repeats > 1) {
                value["repeats"] = found.repeats;
                value["smallest"] = found.low;
                value["largest"] = found.high;
            }
            object["metrics"][found.name] = std::move(value);
        }
        if (row.error)
            object["error"] = row.error->text();
        list.push_back(std::move(object));
    }
    return {{"rows", std::move(list)}};
}

std::string sweepText(const std::vector<SweepRow>& rows) {
    const char* const shown[] = {"duration_ns",    "achieved_occupancy", "gld_efficiency",
                                 "gst_efficiency", "branch_efficiency",  "inst_per_warp"};
    std::string text = fmt::format("{:<24} {:>12} {:>9} {:<16}", "kernel", "grid", "block", "device");
    for (const char* name : shown)
        text += fmt::format(" {:>18}", name);
    text += "  check\n";
    for (const SweepRow& row : rows) {
        const ResultRow& result = row.result;
        text += fmt::format("{:<24} {:>12} {:>9} {:<16}", result.kernel, shapeText(result.grid),
                            shapeText(result.block), result.device);
        for (const char* name : shown) {
            const ResultValue* value = result.find(name);
            text += fmt::format(" {:>18}", value ? fmt::format("{:.6g}", *value->median) : "-");
        }
        text += fmt::format("  {}\n", row.error ? row.error->message.text() : result.check);
    }
    return text + sweepCross(rows);
}

} // namespace warpglass::session
