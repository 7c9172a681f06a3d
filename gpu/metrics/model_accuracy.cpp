// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/model_accuracy.h"

#include "gpu/base/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
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
        if (fields.size() == 5)
            rows.push_back({fields[0], fields[1], fields[2], std::stod(fields[3]), std::stod(fields[4])});
    }
    return rows;
}

std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> rank(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]])
            ++end;
        for (std::size_t k = i; k < end; ++k)
            rank[order[k]] = double(i + end - 1) / 2;
        i = end;
    }
    return rank;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const double n = double(a.size());
    const double meanA = std::accumulate(a.begin(), a.end(), 0.0) / n;
    const double meanB = std::accumulate(b.begin(), b.end(), 0.0) / n;
    double both = 0, squareA = 0, squareB = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        both += (a[i] - meanA) * (b[i] - meanB);
        squareA += (a[i] - meanA) * (a[i] - meanA);
        squareB += (b[i] - meanB) * (b[i] - meanB);
    }
    return squareA > 0 && squareB > 0 ? both / std::sqrt(squareA * squareB) : 0;
}

} // namespace

std::span<const ModelLaunch> modelLaunches() {
    static const std::vector<ModelLaunch> rows = parse();
    return rows;
}

ModelAccuracy modelAccuracy(std::string_view role) {
    std::vector<double> measured, modelled;
    ModelAccuracy result;
    for (const ModelLaunch& l : modelLaunches()) {
        if (role.empty() ? l.role == "calibration" : l.role != role)
            continue;
        if (l.modelledNs <= 0 || l.measuredNs <= 0)
            continue;
        measured.push_back(l.measuredNs);
        modelled.push_back(l.modelledNs);
        result.meanError += std::abs(l.ratio() - 1);
        ++result.launches;
    }
    if (result.launches > 0)
        result.meanError /= result.launches;
    if (result.launches > 1)
        result.rankCorrelation = correlation(ranks(measured), ranks(modelled));
    return result;
}

std::string modelAccuracyText(std::string_view device) {
    if (device.find("H200") == std::string_view::npos)
        return "Durations are modelled; nothing was measured on this device to compare them with.";
    const ModelAccuracy a = modelAccuracy("further");
    return fmt::format("Modelled durations differ from an H200's by {:.0f} % on average (rank correlation {:.3f}; {} "
                       "launches that were not used for calibration).",
                       100 * a.meanError, a.rankCorrelation, a.launches);
}

} // namespace warpglass
