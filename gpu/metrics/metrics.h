// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/metrics: named numbers of a Trace. A metric is found from exact instruction counts (origin counted), from
// hardware counters (measured) or from modelled time (modelled); if a trace holds both a counter and a count, both are
// given. All that is known of a metric is its row in metric_table.cpp.
#pragma once

#include "gpu/trace/trace.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

struct MetricValue {
    std::optional<double> value; // nothing: undefined, and why says why ("no conditional branch was executed")
    Origin origin = Origin::Counted;
    std::string why = {};
};

struct MetricInput; // metric_values.h

// All texts are literals, and end with a zero.
struct MetricDefinition {
    std::string_view name;        // documents' (nvprof's) name
    std::string_view nsight = ""; // Nsight Compute's name
    std::string_view unit;        // "%", "1", "ns", "B/s"
    std::string_view formula;     // in words
    std::string_view source = ""; // where the definition is from
    std::string_view title;       // as a heading, in English: "Branch efficiency"; the window translates it
    std::string_view view;        // key of the view that shows where the number comes from
    bool lowerIsBetter = false;
    double counterScale = 0; // asked of a GPU's counters, times this; 0: no counter tells it
    MetricValue (*value)(const MetricInput&) = nullptr;
};

// Those that metrics() tells of every launch.
std::span<const MetricDefinition> metricDefinitions();
// One of these, or one that is found elsewhere and shown beside them: a speed-up, what the timing model alone counts.
// nullptr for any other name.
const MetricDefinition* findMetric(std::string_view name);
// The same by Nsight Compute's name.
const MetricDefinition* metricOfNsight(std::string_view name);

struct Metric {
    std::string name;
    std::optional<double> value; // as in MetricValue
    std::string unit, nsight;
    Origin origin = Origin::Counted;
    std::string why;
};

// All metrics that this trace can tell, for one launch (row of the launch table) alone.
std::vector<Metric> metrics(const Trace& trace, std::uint32_t launch);
std::optional<Metric> metric(const Trace& trace, std::uint32_t launch, std::string_view name);

} // namespace warpglass
