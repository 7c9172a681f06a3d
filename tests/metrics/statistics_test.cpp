// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpglass {
namespace {

double of(const std::vector<double>& a, const std::vector<double>& b) {
    return rankCorrelation(a, b);
}

TEST(Statistics, RanksFollowOrderNotSize) {
    EXPECT_DOUBLE_EQ(of({1, 2, 3, 1000}, {5, 6, 70, 71}), 1);
    EXPECT_DOUBLE_EQ(of({1, 2, 3, 4}, {9, 4, 3, -100}), -1);
    // Ranks 1 2 3 4 and 2 1 4 3: four differences of one, 1 - 6 * 4 / (4 * 15).
    EXPECT_DOUBLE_EQ(of({1, 2, 3, 4}, {2, 1, 4, 3}), 0.6);
}

TEST(Statistics, EqualValuesShareTheirMeanRank) {
    // Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
    EXPECT_NEAR(of({10, 20, 20, 30}, {1, 2, 3, 4}), 0.948683, 1e-6);
    EXPECT_EQ(of({7, 7, 7}, {1, 2, 3}), 0);
}

} // namespace
} // namespace warpglass
