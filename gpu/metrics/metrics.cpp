// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of the metric table, evaluated. Hardware counters, where a GPU made the trace, come first under the same
// name; beside a counter only a value of another origin is of use.
#include "gpu/metrics/metrics.h"

#include "gpu/metrics/metric_values.h"

#include <algorithm>

namespace warpglass {

namespace {

Metric fromCounter(const Counter& counter) {
    return {.name = counter.metric,
            .value = counter.value,
            .unit = counter.unit,
            .nsight = counter.nsight,
            .origin = counter.origin};
}

std::vector<Metric> evaluate(const Trace& trace, std::uint32_t launch, std::string_view only) {
    std::vector<Metric> all;
    if (launch >= trace.launches.size())
        return all;
    const MetricInput input{trace, launch, totalsOf(trace.countsOf(launch))};
    for (const MetricDefinition& definition : metricDefinitions()) {
        if (!only.empty() && definition.name != only)
            continue;
        const std::size_t before = all.size();
        for (const Counter& counter : trace.counters)
            if (counter.launch == launch && counter.metric == definition.name)
                all.push_back(fromCounter(counter));
        MetricValue found = definition.value(input);
        const bool told = std::any_of(all.begin() + std::ptrdiff_t(before), all.end(),
                                      [&](const Metric& m) { return m.origin == found.origin; });
        if (all.size() == before || (found.value && !told))
            all.push_back({.name = std::string(definition.name),
                           .value = found.value,
                           .unit = std::string(definition.unit),
                           .nsight = std::string(definition.nsight),
                           .origin = found.origin,
                           .why = std::move(found.why)});
    }
    for (const Counter& counter : trace.counters) { // what was counted and no row works out
        const auto isNamed = [&](const MetricDefinition& d) { return d.name == counter.metric; };
        if (counter.launch == launch && (only.empty() || counter.metric == only) &&
            std::none_of(metricDefinitions().begin(), metricDefinitions().end(), isNamed))
            all.push_back(fromCounter(counter));
    }
    return all;
}

} // namespace

std::vector<Metric> metrics(const Trace& trace, std::uint32_t launch) {
    return evaluate(trace, launch, {});
}

std::optional<Metric> metric(const Trace& trace, std::uint32_t launch, std::string_view name) {
    auto found = evaluate(trace, launch, name);
    if (name.empty() || found.empty())
        return std::nullopt;
    return std::move(found.front());
}

} // namespace warpglass
