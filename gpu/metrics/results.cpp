// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/results.h"

#include "gpu/metrics/metrics.h"
#include "gpu/metrics/model_accuracy.h"
#include "gpu/metrics/ptx_lines.h"
#include "gpu/metrics/statistics.h"
#include "gpu/ptx/describe.h"
#include "gpu/ptx/matrix_form.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace warpglass {

namespace {

// "smsp__pcsamp_warps_issue_stalled_long_scoreboard" -> "stall_long_scoreboard": one name for both backends.
std::string stateName(std::string_view cupti) {
    const std::string_view prefix = "stalled_";
    const std::size_t at = cupti.find(prefix);
    std::string_view reason = at == std::string_view::npos ? cupti : cupti.substr(at + prefix.size());
    if (reason == "selected")
        return name(WarpState::Selected);
    if (reason == "not_selected")
        return name(WarpState::Eligible);
    if (reason == "no_instructions")
        return name(WarpState::StallNoInstruction);
    if (reason == "dispatch_stall")
        return name(WarpState::StallDispatch);
    return "stall_" + std::string(reason);
}

// Arithmetic operations a thread does in one PTX instruction: 0, 1 or 2; of a product of matrices its share.
int operationsOf(std::string_view line) {
    const std::string_view opcode = opcodeOf(line);
    if (const auto matrix = ptx::matrixForm(opcode))
        return int(matrix->operationsOfThread());
    const ptx::Description is = ptx::describe(opcode);
    const bool of64 = std::any_of(is.types.begin(), is.types.begin() + is.typeCount, [](ptx::Type type) {
        return type == ptx::Type::S64 || type == ptx::Type::U64 || type == ptx::Type::B64;
    });
    return is.wide() || of64 ? 0 : ptx::row(is.opcode).operations;
}

void put(std::vector<ResultValue>& values, ResultValue value) {
    if (std::none_of(values.begin(), values.end(), [&](const ResultValue& v) { return v.name == value.name; }))
        values.push_back(std::move(value));
}

ResultValue single(std::string name, std::string unit, Origin origin, std::optional<double> value) {
    return {.name = std::move(name),
            .unit = std::move(unit),
            .origin = origin,
            .median = value,
            .low = value.value_or(0),
            .high = value.value_or(0)};
}

} // namespace

const ResultValue* ResultRow::find(std::string_view wanted) const {
    for (const ResultValue& value : values)
        if (value.name == wanted)
            return value.median ? &value : nullptr;
    return nullptr;
}

std::vector<ResultValue> stateShares(const Trace& trace, std::uint32_t launch) {
    std::vector<std::pair<std::string, double>> amounts; // in the order of WarpState, then of appearance
    amounts.reserve(allOf<WarpState>.size());
    for (const WarpState state : allOf<WarpState>)
        amounts.emplace_back(name(state), 0.0);
    const auto add = [&](const std::string& state, double amount) {
        for (auto& [known, sum] : amounts)
            if (known == state) {
                sum += amount;
                return;
            }
        amounts.emplace_back(state, amount);
    };
    Origin origin = Origin::Measured;
    double total = 0;
    for (const Sample& sample : trace.samples)
        if (sample.launch == launch) {
            add(stateName(sample.stall), double(sample.count));
            total += double(sample.count);
        }
    if (total == 0 && launch < trace.launches.size()) {
        origin = Origin::Modelled;
        for (const Block& block : trace.blocksOf(trace.launches[launch]))
            for (const Warp& warp : trace.warpsOf(block))
                for (const StateRow& row : trace.statesOf(warp)) {
                    const double length = double((row.end - row.begin).value);
                    amounts[std::size_t(row.state)].second += length;
                    total += length;
                }
    }
    std::vector<ResultValue> shares;
    for (const auto& [state, amount] : amounts)
        if (amount > 0)
            shares.push_back(single("share_" + state, "%", origin, 100 * amount / total));
    return shares;
}

std::optional<double> arithmeticOperations(const Trace& trace, std::uint32_t launch) {
    const auto counts = trace.countsOf(launch);
    if (counts.empty() || launch >= trace.launches.size())
        return std::nullopt;
    const auto lines = linesOf(trace.kernelOf(trace.launches[launch]).ptx);
    double operations = 0;
    for (const InstructionCount& count : counts)
        if (count.ptxLine > 0 && count.ptxLine <= lines.size())
            operations += double(count.lanes) * operationsOf(lines[count.ptxLine - 1]);
    return operations;
}

ResultRow rowOf(const TracePtr& trace, std::uint32_t launch) {
    ResultRow row;
    row.trace = trace;
    if (!trace || launch >= trace->launches.size())
        return row;
    const Launch& l = trace->launches[launch];
    row.kernel = trace->kernelOf(l).name;
    row.grid = l.grid;
    row.block = l.block;
    row.size = launch == 0 ? trace->info.size : 0;
    row.backend = name(trace->info.backend);
    row.device = trace->info.deviceName;
    row.mode = name(trace->info.mode);
    row.check = "none";
    if (trace->info.timing)
        row.modelError = kindErrorSentence(*trace, launch);
    for (const TimingRow& timing : trace->timings)
        if (timing.launch == launch)
            row.policy = timing.policy;
    for (const Metric& metric : metrics(*trace, launch)) {
        ResultValue value = single(metric.name, metric.unit, metric.origin, metric.value);
        value.nsight = metric.nsight;
        value.why = metric.why;
        put(row.values, std::move(value));
    }
    if (row.find("share_selected")) { // the timing model tells them of all timed SMs, barriers under the metric's name
        if (const ResultValue* barrier = row.find("stall_sync"); barrier && barrier->origin == Origin::Modelled)
            put(row.values, single("share_stall_barrier", "%", Origin::Modelled, barrier->median));
    } else {
        for (ResultValue& share : stateShares(*trace, launch))
            put(row.values, std::move(share));
    }
    if (const auto operations = arithmeticOperations(*trace, launch))
        put(row.values, single("operations", "1", Origin::Counted, operations));
    const ResultValue *loads = row.find("gld_transactions"), *stores = row.find("gst_transactions");
    if (loads && stores)
        put(row.values, single("global_bytes", "B", std::max(loads->origin, stores->origin),
                               32 * (*loads->median + *stores->median)));
    return row;
}

ResultRow medianOf(std::span<const ResultRow> rows) {
    ResultRow row = rows.front();
    for (ResultValue& value : row.values) {
        std::vector<double> all;
        for (const ResultRow& other : rows)
            if (const ResultValue* found = other.find(value.name))
                all.push_back(*found->median);
        if (all.empty())
            continue;
        std::sort(all.begin(), all.end());
        const std::size_t half = all.size() / 2;
        value.median = all.size() % 2 ? all[half] : (all[half - 1] + all[half]) / 2;
        value.low = all.front();
        value.high = all.back();
        value.repeats = int(all.size());
    }
    return row;
}

ResultTable tableOf(std::span<const TracePtr> traces) {
    ResultTable table;
    for (const TracePtr& trace : traces)
        if (trace && !trace->launches.empty())
            table.rows.push_back(rowOf(trace));
    addSpeedups(table);
    return table;
}

void addSpeedups(ResultTable& table) {
    struct Group {
        double first = 0, before = 0;
        std::map<std::string, std::set<std::pair<std::string, std::string>>> shapes; // of each kernel
        bool stepped() const {                                                       // from kernel to kernel
            return std::all_of(shapes.begin(), shapes.end(),
                               [](const auto& kernel) { return kernel.second.size() == 1; });
        }
    };
    std::map<std::array<std::string, 5>, Group> groups;
    const auto keyOf = [](const ResultRow& row) {
        return std::array{row.backend, row.device, row.mode, row.policy, std::to_string(row.size)};
    };
    for (const ResultRow& row : table.rows)
        if (row.find("duration_ns"))
            groups[keyOf(row)].shapes[row.kernel].emplace(row.block.text(), row.grid.text());
    for (ResultRow& row : table.rows) {
        std::erase_if(row.values,
                      [](const ResultValue& v) { return v.name == "step_speedup" || v.name == "total_speedup"; });
        const ResultValue* found = row.find("duration_ns");
        if (!found || *found->median <= 0)
            continue;
        const ResultValue duration = *found;
        Group& group = groups[keyOf(row)];
        if (group.shapes.size() < 2)
            continue;
        if (group.first == 0) {
            group.first = group.before = *duration.median;
            if (group.stepped())
                put(row.values, single("step_speedup", "x", duration.origin, std::nullopt));
            put(row.values, single("total_speedup", "x", duration.origin, 1.0));
            continue;
        }
        if (group.stepped())
            put(row.values, single("step_speedup", "x", duration.origin, group.before / *duration.median));
        put(row.values, single("total_speedup", "x", duration.origin, group.first / *duration.median));
        group.before = *duration.median;
    }
}

std::vector<ModelPair> modelPairs(const ResultTable& table) {
    std::vector<ModelPair> pairs;
    for (std::size_t m = 0; m < table.rows.size(); ++m) {
        const ResultRow& model = table.rows[m];
        const ResultValue* modelled = model.find("duration_ns");
        if (!modelled || modelled->origin != Origin::Modelled)
            continue;
        for (std::size_t g = 0; g < table.rows.size(); ++g) {
            const ResultRow& gpu = table.rows[g];
            const ResultValue* measured = gpu.find("duration_ns");
            if (!measured || measured->origin != Origin::Measured || *measured->median <= 0)
                continue;
            const bool sameSize = model.size == gpu.size || model.size == 0 || gpu.size == 0;
            if (sameSize && model.kernel == gpu.kernel && model.mode == gpu.mode && model.grid == gpu.grid &&
                model.block == gpu.block && model.device == gpu.device) {
                pairs.push_back({m, g, *modelled->median / *measured->median});
                break;
            }
        }
    }
    return pairs;
}

std::optional<ModelError> modelError(const ResultTable& table, std::span<const ModelPair> pairs) {
    if (pairs.empty())
        return std::nullopt;
    ModelError error;
    std::vector<double> modelled, measured;
    for (const ModelPair& pair : pairs) {
        error.meanPercent += 100 * std::abs(pair.ratio - 1) / double(pairs.size());
        modelled.push_back(*table.rows[pair.modelled].find("duration_ns")->median);
        measured.push_back(*table.rows[pair.measured].find("duration_ns")->median);
    }
    if (pairs.size() >= 3)
        error.rankCorrelation = rankCorrelation(modelled, measured);
    return error;
}

} // namespace warpglass
