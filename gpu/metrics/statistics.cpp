// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace warpglass {

namespace {

std::vector<double> ranks(std::span<const double> values) {
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

double correlation(std::span<const double> a, std::span<const double> b) {
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

double rankCorrelation(std::span<const double> a, std::span<const double> b) {
    return correlation(ranks(a), ranks(b));
}

} // namespace warpglass
