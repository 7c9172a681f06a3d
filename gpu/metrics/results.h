// SPDX-License-Identifier: GPL-3.0-or-later
// A table of launches and their numbers: what a sweep fills, what several opened traces make, what a chart draws, what
// a CSV file holds. Each number keeps its unit, its origin and its spread over the repeats.
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/trace.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

struct ResultValue {
    std::string name; // as in MetricDefinition, or one of those of rowOf() and addSpeedups()
    std::string unit; // "ns", "%", "B/s", "1", "x"
    Origin origin = Origin::Counted;
    std::optional<double> median; // nothing: undefined for this launch
    double low = 0, high = 0;     // smallest and largest of the repeats
    int repeats = 1;
    std::string nsight = {}, why = {}; // Nsight Compute's name, if it has one; why it is undefined. Not kept in files
    bool spread() const { return median && high > low; }
};

struct ResultRow {
    std::string label; // what a person called it; empty: charts name it by what differs
    std::string kernel;
    Dim3 grid{0, 0, 0}, block{0, 0, 0}; // 0x0x0: unknown (a refused launch whose shape nobody gave)
    std::int64_t size = 0;              // 0 = unknown
    std::string backend, device, mode;  // "emulator" or "cuda"; name of the device; "optimised" or "as-written"
    std::string policy;                 // of the timing model; empty without it
    std::string check;                  // "ok", "wrong", "none"
    std::string error;                  // why it did not run, or what was wrong with it
    std::vector<ResultValue> values;    // no two of one name; empty if the launch was refused
    TracePtr trace;                     // null where it was not kept
    Said modelError = {}; // of modelled times: what is known of the error for kernels of its kind. Not kept in files

    const ResultValue* find(std::string_view name) const; // nullptr if there is none, or it has no value
};

struct ResultTable {
    std::string title; // of the whole, may be empty
    std::vector<ResultRow> rows;
};
using ResultsPtr = std::shared_ptr<const ResultTable>;

// All metrics of one launch of a trace. Beside those of metrics() there are, where the trace holds what they need:
//   share_NAME     % of the warps' time (emulator's states: modelled; a GPU's samples: measured) in each state
//   operations     arithmetic of active threads, fma as two; 64-bit integer arithmetic (addresses) left out; counted
//   global_bytes   32 * sectors of global loads and stores
// Where hardware counted and the program counted too, the hardware's number is kept.
ResultRow rowOf(const TracePtr& trace, std::uint32_t launch = 0);
std::vector<ResultValue> stateShares(const Trace& trace, std::uint32_t launch);
std::optional<double> arithmeticOperations(const Trace& trace, std::uint32_t launch); // nothing without counts

// One row a trace, its first launch; speed-ups as below. Null pointers are left out.
ResultTable tableOf(std::span<const TracePtr> traces);

// Where rows of one backend, device, mode, policy and size run different kernels: step_speedup = duration of the row
// before / own, total_speedup = duration of the first / own, both unit "x" and with the duration's origin. Rows that
// did not run are passed over. Where a kernel ran in several shapes the rows are a table of two things, and no step
// leads from one row to the next: total_speedup alone.
void addSpeedups(ResultTable& table);

// Pairs of rows that ran the same launch (kernel, mode, grid, block, and size where both know it), one modelled and one
// measured.
struct ModelPair {
    std::size_t modelled = 0, measured = 0; // rows
    double ratio = 0;                       // modelled / measured duration
};
std::vector<ModelPair> modelPairs(const ResultTable& table);
struct ModelError {
    double meanPercent = 0;                // mean of |modelled - measured| / measured
    std::optional<double> rankCorrelation; // Spearman's, ties by mean rank; nothing for fewer than three pairs
};
std::optional<ModelError> modelError(const ResultTable& table, std::span<const ModelPair> pairs); // nothing: no pair

// The median of each number over repeats of one launch, with its smallest and largest value; everything else as in the
// first of them. rows is not empty.
ResultRow medianOf(std::span<const ResultRow> rows);

// Header, then a line a row: kernel, grid, block, backend, device, the metrics by name; then label, size, mode, policy,
// check, error, repeats; then units and origins of the metrics and, where repeats differed, the smallest and largest
// values, each as "name=value;name=value"; then the table's title. Undefined values are empty cells.
std::string resultsCsv(const ResultTable& table);
// Error: not such a table, with the line. Unknown columns are taken for metrics if they hold numbers, else passed over.
Result<ResultTable> readResults(std::string_view csv, const std::string& file = {});

} // namespace warpglass
