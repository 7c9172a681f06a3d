// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/json.h"

#include <nlohmann/json.hpp>

namespace warpglass {

nlohmann::ordered_json metricsJson(std::span<const Metric> metrics) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const Metric& metric : metrics) {
        const nlohmann::ordered_json value =
            metric.value ? nlohmann::ordered_json(*metric.value) : nlohmann::ordered_json();
        if (object.contains(metric.name)) {
            object[metric.name][name(metric.origin)] = value;
            continue;
        }
        object[metric.name] = {
            {"value", value}, {"unit", metric.unit}, {"origin", name(metric.origin)}, {"nsight", metric.nsight}};
        if (!metric.value)
            object[metric.name]["why"] = metric.why;
    }
    return object;
}

} // namespace warpglass
