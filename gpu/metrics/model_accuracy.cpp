// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/model_accuracy.h"

#include "gpu/base/csv.h"
#include "gpu/metrics/statistics.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace warpglass {

extern const char* const modelLaunchesText;

namespace {

std::vector<ModelLaunch> parse() {
    std::vector<ModelLaunch> rows;
    std::string_view text = modelLaunchesText;
    int line = 1;
    nextCsvRecord(text, line); // the header
    while (!text.empty()) {
        const std::vector<std::string> fields = nextCsvRecord(text, line);
        if (fields.size() == 6)
            rows.push_back({fields[0], fields[1], fields[2], std::stod(fields[3]), std::stod(fields[4]),
                            fields[5].empty() ? 0 : std::stod(fields[5])});
    }
    return rows;
}

using Ns = double ModelLaunch::*;

ModelAccuracy accuracy(std::string_view role, Ns real, Ns said) {
    std::vector<double> reals, saids;
    ModelAccuracy result;
    for (const ModelLaunch& l : modelLaunches()) {
        if (role.empty() ? l.role == "calibration" : l.role != role)
            continue;
        if (l.*real <= 0 || l.*said <= 0)
            continue;
        reals.push_back(l.*real);
        saids.push_back(l.*said);
        result.meanError += std::abs(l.*said / l.*real - 1);
        ++result.launches;
    }
    if (result.launches > 0)
        result.meanError /= result.launches;
    if (result.launches > 1)
        result.rankCorrelation = rankCorrelation(reals, saids);
    return result;
}

} // namespace

std::span<const ModelLaunch> modelLaunches() {
    static const std::vector<ModelLaunch> rows = parse();
    return rows;
}

ModelAccuracy estimateAccuracy(std::string_view role) {
    return accuracy(role, &ModelLaunch::modelledNs, &ModelLaunch::estimatedNs);
}

std::string estimateAccuracyText() {
    const ModelAccuracy a = estimateAccuracy();
    return fmt::format("Estimates from counts differ from modelled durations by {:.0f} % on average (rank correlation "
                       "{:.2f}; {} launches that they were not made with).",
                       100 * a.meanError, a.rankCorrelation, a.launches);
}

ModelAccuracy modelAccuracy(std::string_view role) {
    return accuracy(role, &ModelLaunch::measuredNs, &ModelLaunch::modelledNs);
}

bool modelIsMeasuredOn(std::string_view device) {
    return device.find("H200") != std::string_view::npos;
}

std::string modelAccuracyText(std::string_view device) {
    if (!modelIsMeasuredOn(device))
        return "Durations are modelled; nothing was measured on this device to compare them with.";
    const ModelAccuracy a = modelAccuracy(quotedRole);
    return fmt::format("Modelled durations differ from an H200's by {:.0f} % on average (rank correlation {:.3f}; {} "
                       "launches that were not used for calibration).",
                       100 * a.meanError, a.rankCorrelation, a.launches);
}

} // namespace warpglass
