// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, stores, atomics and shuffles on request: addresses and values equal the emulator's own.
#include "gpu/kernels/catalogue.h"
#include "tests/probe/run.h"

#include <gtest/gtest.h>

namespace warpglass::probe {
namespace {

class Accesses : public testing::TestWithParam<std::string> {};

TEST_P(Accesses, AreWhatTheEmulatorSees) {
    const CatalogueEntry* entry = findKernel(GetParam());
    ASSERT_NE(entry, nullptr);
    for (const CompileMode mode : {CompileMode::Optimised, CompileMode::AsWritten}) {
        LaunchRequest request;
        request.mode = mode;
        if (entry->family == "pipelines")
            request.set["k"] = 32; // as written a warp's records of more would not fit
        const Result<LaunchPlan> plan = makePlan(*entry, request);
        ASSERT_TRUE(plan.ok()) << plan.error().text();
        test::Setup setup;
        setup.options.accesses = true;
        setup.detail.kind = Detail::Kind::Blocks;
        setup.detail.blocks = {0};
        const Result<test::Pair> pair = test::runBoth(*plan, setup);
        ASSERT_TRUE(pair.ok()) << pair.error().text();
        EXPECT_NE(pair->probedRun.check.check, Check::Wrong) << pair->probedRun.check.why;
        EXPECT_EQ(test::eventDifference(*pair->clean, pair->decoded, true), "") << name(mode);
        EXPECT_FALSE(pair->decoded.accesses.empty());
        const Result<void> valid = validate(pair->decoded);
        EXPECT_TRUE(valid.ok()) << valid.error().text();
    }
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const CatalogueEntry& entry : catalogue())
        all.push_back(entry.name);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Accesses, testing::ValuesIn(names()), [](const auto& test) {
    std::string name = test.param;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)))
            c = '_';
    return name;
});

} // namespace
} // namespace warpglass::probe
