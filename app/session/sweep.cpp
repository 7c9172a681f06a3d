// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/sweep.h"

#include <fmt/format.h>

#include <algorithm>

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

// The same metrics of several runs of one launch: median, smallest, largest.
std::vector<SweepRow::Cell> medians(std::vector<std::vector<Metric>> runs) {
    std::vector<SweepRow::Cell> cells;
    for (std::size_t m = 0; !runs.empty() && m < runs.front().size(); ++m) {
        SweepRow::Cell cell{.metric = runs.front()[m]};
        std::vector<double> values;
        for (const auto& run : runs)
            if (m < run.size() && run[m].value)
                values.push_back(*run[m].value);
        if (!values.empty()) {
            std::sort(values.begin(), values.end());
            const std::size_t half = values.size() / 2;
            cell.metric.value = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
            cell.smallest = values.front();
            cell.largest = values.back();
        }
        cells.push_back(std::move(cell));
    }
    return cells;
}

SweepRow runRow(const RunRequest& request, int repeats, Progress& progress) {
    SweepRow row{.request = request, .device = request.options.device};
    auto plan = planOf(request);
    if (!plan) {
        row.grid = request.launch.grid.value_or(Dim3{0, 0, 0});
        row.block = request.launch.block.value_or(Dim3{0, 0, 0});
        row.error = plan.error();
        return row;
    }
    row.grid = plan->grid;
    row.block = plan->block;
    std::vector<std::vector<Metric>> runs;
    for (int n = 0; n < std::max(repeats, 1); ++n) {
        auto recording = runPlan(request, *plan, progress);
        if (!recording) {
            row.error = recording.error();
            return row;
        }
        row.device = recording->trace->info.deviceName;
        row.check = recording->check.check;
        if (recording->fault)
            row.error = recording->fault;
        else if (row.check == Check::Wrong)
            row.error = Error{.message = "the result is wrong: " + recording->check.why};
        std::vector<Metric> once; // a hardware counter hides the exact count of the same name
        for (Metric& metric : metrics(*recording->trace, 0))
            if (std::none_of(once.begin(), once.end(), [&](const Metric& other) { return other.name == metric.name; }))
                once.push_back(std::move(metric));
        runs.push_back(std::move(once));
    }
    row.cells = medians(std::move(runs));
    return row;
}

// Nothing for a refused launch whose shape nobody gave.
std::string shapeText(Dim3 shape) {
    return shape == Dim3{0, 0, 0} ? "" : shape.text();
}

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string out = "\"";
    for (char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + "\"";
}

std::vector<std::string> metricNames(const std::vector<SweepRow>& rows) {
    std::vector<std::string> names;
    for (const SweepRow& row : rows)
        for (const SweepRow::Cell& cell : row.cells)
            if (std::find(names.begin(), names.end(), cell.metric.name) == names.end())
                names.push_back(cell.metric.name);
    if (names.empty()) // nothing ran: the header is the same all the same
        for (const MetricDefinition& definition : metricDefinitions())
            names.emplace_back(definition.name);
    return names;
}

const SweepRow::Cell* cellOf(const SweepRow& row, const std::string& name) {
    for (const SweepRow::Cell& cell : row.cells)
        if (cell.metric.name == name)
            return &cell;
    return nullptr;
}

} // namespace

std::vector<RunRequest> requestsOf(const SweepRequest& sweep) {
    std::vector<RunRequest> all{sweep.base};
    all = multiply(all, sweep.kernels, [](RunRequest& r, const std::string& kernel) { r.kernel = kernel; });
    all = multiply(all, sweep.devices, [](RunRequest& r, const std::string& device) { r.options.device = device; });
    all = multiply(all, sweep.sizes, [](RunRequest& r, std::int64_t size) { r.launch.size = size; });
    all = multiply(all, sweep.modes, [](RunRequest& r, CompileMode mode) { r.launch.mode = mode; });
    all = multiply(all, sweep.policies, [](RunRequest& r, SchedulingPolicy policy) { r.options.policy = policy; });
    all = multiply(all, sweep.grids, [](RunRequest& r, Dim3 grid) { r.launch.grid = grid; });
    return multiply(all, sweep.blocks, [](RunRequest& r, Dim3 block) { r.launch.block = block; });
}

std::vector<SweepRow> runSweep(const SweepRequest& sweep, Progress& progress,
                               const std::function<void(const SweepRow&)>& finished) {
    std::vector<SweepRow> rows;
    for (const RunRequest& request : requestsOf(sweep)) {
        if (progress.cancelled())
            break;
        rows.push_back(runRow(request, sweep.repeats, progress));
        if (finished)
            finished(rows.back());
    }
    return rows;
}

std::string sweepCsv(const std::vector<SweepRow>& rows) {
    const std::vector<std::string> names = metricNames(rows);
    std::string text = "kernel,grid,block,backend,device";
    for (const std::string& name : names)
        text += "," + quoted(name);
    text += ",size,mode,policy,check,error\n";
    for (const SweepRow& row : rows) {
        text += fmt::format("{},{},{},{},{}", quoted(row.request.kernel), shapeText(row.grid), shapeText(row.block),
                            row.request.backend, quoted(row.device));
        for (const std::string& name : names) {
            const SweepRow::Cell* cell = cellOf(row, name);
            text += cell && cell->metric.value ? fmt::format(",{:.10g}", *cell->metric.value) : ",";
        }
        text +=
            fmt::format(",{},{},{},{},{}\n", row.request.launch.size ? std::to_string(*row.request.launch.size) : "",
                        name(row.request.launch.mode), name(row.request.options.policy), name(row.check),
                        row.error ? quoted(row.error->message) : "");
    }
    return text;
}

nlohmann::ordered_json sweepJson(const std::vector<SweepRow>& rows) {
    using nlohmann::ordered_json;
    ordered_json list = ordered_json::array();
    const auto shape = [](Dim3 d) { return ordered_json::array({d.x, d.y, d.z}); };
    for (const SweepRow& row : rows) {
        ordered_json object{{"kernel", row.request.kernel},
                            {"grid", shape(row.grid)},
                            {"block", shape(row.block)},
                            {"backend", row.request.backend},
                            {"device", row.device},
                            {"mode", name(row.request.launch.mode)},
                            {"policy", name(row.request.options.policy)},
                            {"check", name(row.check)}};
        if (row.request.launch.size)
            object["size"] = *row.request.launch.size;
        object["metrics"] = ordered_json::object();
        for (const SweepRow::Cell& cell : row.cells) {
            ordered_json value{{"value", cell.metric.value ? ordered_json(*cell.metric.value) : ordered_json()},
                               {"unit", cell.metric.unit},
                               {"origin", name(cell.metric.origin)},
                               {"nsight", cell.metric.nsight}};
            if (!cell.metric.value)
                value["why"] = cell.metric.why;
            else if (cell.smallest != cell.largest) {
                value["smallest"] = cell.smallest;
                value["largest"] = cell.largest;
            }
            object["metrics"][cell.metric.name] = std::move(value);
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
        text += fmt::format("{:<24} {:>12} {:>9} {:<16}", row.request.kernel, shapeText(row.grid), shapeText(row.block),
                            row.device);
        for (const char* name : shown) {
            const SweepRow::Cell* cell = cellOf(row, name);
            text +=
                fmt::format(" {:>18}", cell && cell->metric.value ? fmt::format("{:.6g}", *cell->metric.value) : "-");
        }
        text += fmt::format("  {}\n", row.error ? row.error->message : name(row.check));
    }
    return text;
}

} // namespace warpglass::session
