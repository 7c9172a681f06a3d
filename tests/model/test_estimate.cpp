// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates of durations from counts, held to what the timing model says of the same launches: resources/model/launches.csv
// has both. WARPGLASS_ESTIMATE_CSV=FILE asks about all launches that take no minutes and writes the file anew.
#include "gpu/base/csv.h"
#include "gpu/emulator/emulator.h"
#include "gpu/metrics/model_accuracy.h"
#include "tests/model/unseen.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace warpglass::testing {
namespace {

double estimated(const std::string& launch, double inL2 = 0) {
    const auto plan = planOfLaunch(launch);
    EXPECT_TRUE(plan) << launch;
    if (!plan)
        return 0;
    RunOptions options;
    options.detail.kind = Detail::Kind::None;
    options.checkMemory = false;
    options.estimate = EstimateAround{0, inL2};
    Progress progress;
    const auto run = makeEmulator()->run(*plan, options, progress);
    EXPECT_TRUE(run) << launch;
    if (!run)
        return 0;
    EXPECT_NE(run->check.check, Check::Wrong) << launch; // looking at two blocks leaves results alone
    return run->estimatedNs;
}

bool isLong(const ModelLaunch& l) {
    for (const char* word : {"2^24", "16384", "4096"})
        if (l.name.find(word) != std::string::npos)
            return true;
    return l.launch.find("16777216") != std::string::npos || l.role == "recording";
}

TEST(Estimate, SaysWhatTheFileSays) {
    int asked = 0;
    for (const ModelLaunch& l : modelLaunches())
        if (l.estimatedNs > 0 && asked < 40 && l.modelledNs < 12'000) {
            EXPECT_NEAR(estimated(l.launch), l.estimatedNs, 0.5 + 0.001 * l.estimatedNs) << l.name;
            ++asked;
        }
    EXPECT_EQ(asked, 40);
}

TEST(Estimate, IsCloseEnoughOnKernelsThatItWasNotMadeWith) {
    const ModelAccuracy aside = estimateAccuracy();
    EXPECT_LE(aside.meanError, 0.25);
    EXPECT_GE(aside.rankCorrelation, 0.95);
    EXPECT_GE(aside.launches, 60);
    for (const char* role : {"calibration", "test", "further", "as-written", "unseen-fit"})
        EXPECT_LE(estimateAccuracy(role).meanError, 0.25) << role;
    EXPECT_NE(estimateAccuracyText().find(fmt::format("by {:.0f} %", 100 * aside.meanError)), std::string::npos);
}

// A million floats from DRAM take longer than from L2.
TEST(Estimate, KnowsWhatLiesInL2) {
    const char* launch = "strided --size 1048576 --block 256 --set stride=1";
    EXPECT_LT(estimated(launch, 1), 0.95 * estimated(launch));
}

TEST(Estimate, FileIsWrittenAnewWhenAsked) {
    const char* path = std::getenv("WARPGLASS_ESTIMATE_CSV");
    if (!path)
        GTEST_SKIP() << "WARPGLASS_ESTIMATE_CSV names no file";
    std::ofstream out(path);
    out << "case,role,launch,measured_ns,modelled_ns,estimated_ns\n";
    for (const ModelLaunch& l : modelLaunches())
        out << fmt::format("{},{},{},{:.0f},{:.0f},{}\n", l.name, l.role, csvField(l.launch), l.measuredNs,
                           l.modelledNs, isLong(l) ? "" : fmt::format("{:.0f}", estimated(l.launch)))
            << std::flush;
}

} // namespace
} // namespace warpglass::testing
