// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/pipeline.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

// Two stages, 40 % waited: a round of 10 is 6 of its own, the copies take the whole round. With three they have two rounds of
// at least 6. Three stages, 40 %: the copies take two rounds of 10, which is 3.3 of 6, so four rounds ahead.
TEST(Pipeline, NeedsAsManyStagesAsCopiesTakeRounds) {
    EXPECT_EQ(enoughStages(2, 0.4), 3u);
    EXPECT_EQ(enoughStages(3, 0.4), 5u);
    EXPECT_EQ(enoughStages(4, 0.25), 5u);
    EXPECT_EQ(enoughStages(1, 0.5), 2u); // one after the other: with two, side by side
    EXPECT_EQ(enoughStages(1, 0.75), 4u);
    EXPECT_EQ(enoughStages(3, 0), 3u);
    const auto saved = [](std::uint32_t stages, double waits, std::uint32_t more) {
        return savedByStages({.waits = waits, .stages = stages, .enough = 0}, more);
    };
    EXPECT_NEAR(saved(2, 0.4, 3), 0.4, 1e-9);
    EXPECT_NEAR(saved(3, 0.4, 4), 1 - 2.0 / 3, 1e-9); // the copies' two rounds over three
    EXPECT_NEAR(saved(3, 0.4, 5), 0.4, 1e-9);
    EXPECT_NEAR(saved(1, 0.5, 2), 0.5, 1e-9);
}

const char* const text = "cp.async.commit_group;\n"                                                        // 1
                         "cp.async.wait_group 1;\n"                                                        // 2
                         "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};\n" // 3
                         "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;\n"                          // 4
                         "@%p1 bra DONE;\n";                                                               // 5

Trace traceOf(std::initializer_list<StateRow> states) {
    Trace trace;
    trace.kernels.resize(1);
    trace.kernels[0].ptx = text;
    trace.launches.resize(1);
    trace.launches[0].blockCount = 1;
    trace.blocks.resize(1);
    trace.blocks[0].warpCount = 1;
    trace.warps.resize(1);
    for (const StateRow& s : states)
        trace.states.push_back(s);
    trace.warps[0].stateCount = std::uint32_t(states.size());
    return trace;
}

// The first wait, 0 to 100, is before any product. Then 20 of 40 cycles are waited for copies; two groups are under way at a
// product (one may be when the wait ends, another has been asked for): three stages.
TEST(Pipeline, CountsWaitsBetweenProductsAndGroupsUnderWay) {
    const auto S = WarpState::Selected, L = WarpState::StallLongScoreboard;
    const Trace trace = traceOf({{Time{0}, Time{100}, L, 2},
                                 {Time{100}, Time{101}, S, 2},
                                 {Time{101}, Time{102}, S, 1},
                                 {Time{102}, Time{103}, S, 1},
                                 {Time{103}, Time{104}, S, 3},
                                 {Time{104}, Time{124}, L, 2},
                                 {Time{124}, Time{125}, S, 2},
                                 {Time{125}, Time{126}, S, 1},
                                 {Time{126}, Time{143}, WarpState::StallWait, 3},
                                 {Time{143}, Time{144}, S, 3}});
    const auto p = pipelineOf(trace);
    ASSERT_TRUE(p);
    EXPECT_NEAR(p->waits, 0.5, 1e-9);
    EXPECT_EQ(p->stages, 3u);
    EXPECT_EQ(p->enough, 5u);
    EXPECT_EQ(p->rounds, 2u); // each product has a wait before it
}

// What follows a try in vain is a wait; two mbarriers that copies tell are asked for at its line.
TEST(Pipeline, CountsWhatFollowsATry) {
    const auto S = WarpState::Selected, L = WarpState::StallLongScoreboard;
    Trace trace = traceOf({{Time{0}, Time{1}, S, 3},
                           {Time{1}, Time{2}, S, 4},
                           {Time{2}, Time{6}, L, 5},
                           {Time{6}, Time{7}, S, 5},
                           {Time{7}, Time{10}, L, 3},
                           {Time{10}, Time{11}, S, 3}});
    trace.sites.resize(1);
    trace.sites[0].ptxLine = 4;
    for (const std::uint32_t barrier : {0u, 8u, 64u}) {
        PhaseEvent e;
        e.barrier = barrier;
        trace.phaseEvents.push_back(e);
        e.kind = PhaseEventKind::Complete;
        for (int phase = 0; phase < 3; ++phase)
            trace.phaseEvents.push_back(e);
    }
    for (const std::uint32_t barrier : {0u, 8u}) {
        AsyncCopy copy;
        copy.barrier = barrier;
        trace.copies.push_back(copy);
    }
    const auto p = pipelineOf(trace);
    ASSERT_TRUE(p);
    EXPECT_NEAR(p->waits, 0.4, 1e-9);
    EXPECT_EQ(p->stages, 2u);
    EXPECT_EQ(p->enough, 3u);
    EXPECT_EQ(p->rounds, 6u); // three phases of each of the two that copies tell
    EXPECT_FALSE(pipelineOf(traceOf({{Time{0}, Time{1}, S, 3}, {Time{1}, Time{2}, S, 3}})));
    // An mbarrier that no copy tells is no wait for copies, but for somebody's turn.
    std::erase_if(trace.phaseEvents, [](const PhaseEvent& e) { return e.barrier != 64; });
    EXPECT_FALSE(pipelineOf(trace));
}

} // namespace
} // namespace warpglass
