// SPDX-License-Identifier: GPL-3.0-or-later
// The proof without a GPU: every kernel of the catalogue, in both compile modes, runs with probes in the emulator; what
// the probes' records say must be what the emulator itself saw of the unprobed kernel, event by event, and the results
// right.
#include "gpu/kernels/catalogue.h"
#include "tests/probe/run.h"

#include <gtest/gtest.h>

namespace warpglass::probe {
namespace {

struct Case {
    std::string kernel;
    CompileMode mode;
};

// How a failed case is named; without it GoogleTest prints the bytes, pointers included.
void PrintTo(const Case& one, std::ostream* out) {
    *out << one.kernel << ' ' << name(one.mode);
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const CatalogueEntry& entry : catalogue())
        for (const CompileMode mode : {CompileMode::Optimised, CompileMode::AsWritten})
            all.push_back({entry.name, mode});
    return all;
}

class Proof : public ::testing::TestWithParam<Case> {
protected:
    Result<LaunchPlan> plan() const {
        LaunchRequest request;
        request.mode = GetParam().mode;
        const CatalogueEntry* entry = findKernel(GetParam().kernel);
        return makePlan(*entry, request);
    }
};

TEST_P(Proof, ProbesSeeWhatTheEmulatorSees) {
    const Result<LaunchPlan> p = plan();
    ASSERT_TRUE(p.ok()) << p.error().text();
    test::Setup setup;
    setup.detail.kind = Detail::Kind::All;
    const Result<test::Pair> pair = test::runBoth(*p, setup);
    ASSERT_TRUE(pair.ok()) << pair.error().text();
    EXPECT_FALSE(pair->probedRun.fault) << pair->probedRun.fault->text();
    EXPECT_NE(pair->probedRun.check.check, Check::Wrong) << pair->probedRun.check.why;
    EXPECT_EQ(test::eventDifference(*pair->clean, pair->decoded, false, &pair->module), "");
    EXPECT_TRUE(pair->decoded.losses.empty());
    const Result<void> valid = validate(pair->decoded);
    EXPECT_TRUE(valid.ok()) << valid.error().text();
    EXPECT_GT(pair->decoded.events.size(), 0u);
}

TEST_P(Proof, UnchosenBlocksRunCleanAndAreStillOnTheMap) {
    const Result<LaunchPlan> p = plan();
    ASSERT_TRUE(p.ok()) << p.error().text();
    test::Setup setup;
    setup.detail.kind = Detail::Kind::Blocks;
    setup.detail.blocks = {0};
    const Result<test::Pair> pair = test::runBoth(*p, setup);
    ASSERT_TRUE(pair.ok()) << pair.error().text();
    EXPECT_NE(pair->probedRun.check.check, Check::Wrong) << pair->probedRun.check.why;
    const Trace& t = pair->decoded;
    ASSERT_FALSE(t.launches.empty());
    EXPECT_EQ(t.launches[0].blockCount, p->grid.count());
    for (const Block& b : t.blocksOf(t.launches[0])) {
        EXPECT_EQ(b.warpCount != 0, b.index == 0);
        EXPECT_GT(b.end, b.start) << "block " << b.index; // it was seen to end
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Proof, ::testing::ValuesIn(cases()), [](const auto& test) {
    std::string name = test.param.kernel + (test.param.mode == CompileMode::Optimised ? "_optimised" : "_as_written");
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)))
            c = '_';
    return name;
});

} // namespace
} // namespace warpglass::probe
