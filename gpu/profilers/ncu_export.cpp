// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/profilers/ncu_export.h"

#include "gpu/metrics/metrics.h"
#include "gpu/profilers/ncu_csv.h"

#include <fmt/format.h>

#include <set>

namespace warpglass::profilers {

namespace {

// Their words for our units; what counts has none.
std::string_view unitOf(std::string_view unit) {
    return unit == "B/s" ? "byte/s" : unit == "B" ? "byte" : unit == "1" ? "" : unit;
}

std::string line(const std::vector<std::string>& fields) {
    std::string text;
    for (const std::string& field : fields) // quoted all, as theirs are
        text += (text.empty() ? "\"" : ",\"") + field + '"';
    return text + '\n';
}

std::string shape(Dim3 sides) {
    return fmt::format("({}, {}, {})", sides.x, sides.y, sides.z);
}

} // namespace

std::string ncuCsv(const Trace& trace) {
    std::vector<std::string> names{"ID",     "Process ID", "Process Name", "Host Name", "Kernel Name", "Context",
                                   "Stream", "Block Size", "Grid Size",    "Device",    "CC"};
    std::vector<std::string> units(names.size());
    if (trace.launches.empty())
        return line(names) + line(units);
    const Launch& launch = trace.launches[0];
    const bool isMeasured = trace.info.timeOrigin == Origin::Measured;
    std::vector<std::string> values{"0",
                                    "0",
                                    "warpglass",
                                    isMeasured ? "warpglass (measured)" : std::string(modelledHost),
                                    trace.kernelOf(launch).name,
                                    "1",
                                    "7",
                                    shape(launch.block),
                                    shape(launch.grid),
                                    "0",
                                    fmt::format("{}.{}", trace.info.ccMajor, trace.info.ccMinor)};
    std::set<std::string> told;
    for (const Metric& m : metrics(trace, 0)) {
        if (m.nsight.empty() || !m.value || !told.insert(m.nsight).second)
            continue;
        const MetricDefinition* known = findMetric(m.name);
        const double scale = known && known->counterScale != 0 ? known->counterScale : 1;
        names.push_back(m.nsight);
        units.emplace_back(scale == 1 ? unitOf(m.unit) : "");
        values.push_back(fmt::format("{}", *m.value / scale));
    }
    return line(names) + line(units) + line(values);
}

} // namespace warpglass::profilers
