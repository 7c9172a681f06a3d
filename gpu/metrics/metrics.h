// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/metrics: named numbers of a Trace. A metric is found from exact instruction counts (origin counted), from
// hardware counters (measured) or from modelled time (modelled); if a trace holds both a counter and a count, both are
// given.
#pragma once

#include "gpu/trace/trace.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

struct MetricDefinition {
    std::string_view name;    // documents' (nvprof's) name
    std::string_view nsight;  // Nsight Compute's name
    std::string_view unit;    // "%", "1", "ns", "B/s"
    std::string_view formula; // in words
    std::string_view source;  // where the definition is from
};
std::span<const MetricDefinition> metricDefinitions();

struct Metric {
    std::string name;
    std::optional<double> value; // nothing: undefined, and why says why ("no conditional branch was executed")
    std::string unit, nsight;
    Origin origin = Origin::Counted;
    std::string why;
};

// All metrics that this trace can tell, for one launch (row of the launch table) alone.
std::vector<Metric> metrics(const Trace& trace, std::uint32_t launch);
std::optional<Metric> metric(const Trace& trace, std::uint32_t launch, std::string_view name);

} // namespace warpglass
