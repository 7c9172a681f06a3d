// SPDX-License-Identifier: GPL-3.0-or-later
// Member masks of votes and kin, bar.warp.sync at several places at once, and calls of several functions from one place;
// in both ways to reconverge.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;

class Members : public ::testing::TestWithParam<Reconvergence> {
protected:
    Recording run(const char* kernel, std::size_t words) {
        Kernel k(kernel, {1}, {32}, {buffer(Ints(words, -1))}, "members.ptx");
        k.options.reconvergence = GetParam();
        return k.run();
    }
};

TEST_P(Members, VoteMatchAndReduceAmongThemselves) {
    const auto r = run("halves", 224);
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto out = values<std::uint32_t>(r, 0);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const bool upper = lane >= 16;
        EXPECT_EQ(out[lane], upper) << lane;                                    // lane 20 is in the upper half
        EXPECT_EQ(out[32 + lane], upper) << lane;                               // all of the upper half are >= 16
        EXPECT_EQ(out[64 + lane], upper ? 0x11110000u : 0x1111u) << lane;       // every fourth
        EXPECT_EQ(out[96 + lane], (upper ? 0x55550000u : 0x5555u) << lane % 2); // the even or the odd ones
        EXPECT_EQ(out[128 + lane], upper ? 376u : 120u) << lane;                // 16 + ... + 31, 0 + ... + 15
        EXPECT_EQ(out[160 + lane], upper ? 0u : 0xffffu) << lane;               // only the lower half agrees
        EXPECT_EQ(out[192 + lane], !upper) << lane;
    }
}

// An H200 ends such a launch with an illegal instruction.
TEST_P(Members, MustNameThemselves) {
    Kernel k("namesOthers", {1}, {32}, {buffer(Ints(32, -1))}, "votes.ptx");
    k.options.reconvergence = GetParam();
    const auto r = k.run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->text().find("names the members 0x0 and is itself none of them (lane 0)"), std::string::npos)
        << r.fault->text();
    Kernel known("half", {1}, {32}, {buffer(Ints(32, -1)), value(1)}, "votes.ptx");
    known.options.reconvergence = GetParam();
    const auto passes = known.run(); // a number, which the compiler leaves out: told, and nothing else
    EXPECT_FALSE(passes.fault) << passes.fault->text();
    ASSERT_EQ(passes.trace->diagnostics.size(), 1u);
    EXPECT_FALSE(passes.trace->diagnostics[0].fatal);
    Kernel held("half", {1}, {32}, {buffer(Ints(32, -1)), value(0)}, "votes.ptx");
    held.options.reconvergence = GetParam();
    EXPECT_TRUE(held.run().fault);
}

// Undefined by PTX ISA; on an H200 only those that name the same vote together, here each by itself.
TEST_P(Members, WorkTogetherIfTheyNameTheSame) {
    Kernel k("namesUpToOwn", {1}, {32}, {buffer(Ints(32, -1))}, "votes.ptx");
    k.options.reconvergence = GetParam();
    const auto r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto out = values<std::uint32_t>(r, 0);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(out[lane], 0x22222222u & (1u << lane)) << lane;
    ASSERT_EQ(r.trace->diagnostics.size(), 1u);
    EXPECT_NE(r.trace->diagnostics[0].message.find("but not the same ones"), std::string::npos)
        << r.trace->diagnostics[0].message;
}

// A side of the branch may return, so that the sides never meet for sure; nobody does. Lanes 2k and 2k + 1 have 2k + 7 and
// 3 (2k + 1) - 1, together 8k + 9; of that 8 is set where k is even.
TEST_P(Members, ComeToAShuffleByDifferentWays) {
    Kernel k("mayReturn", {1}, {32}, {buffer(Ints(64, -1)), value(5)}, "apart.ptx");
    k.options.reconvergence = GetParam();
    for (const bool timing : {false, true}) {
        k.options.timing = timing;
        const auto r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        const auto out = values<int>(r, 0);
        for (int lane = 0; lane < 32; ++lane) {
            EXPECT_EQ(out[std::size_t(lane)], 8 * (lane / 2) + 9) << lane;
            EXPECT_EQ(out[std::size_t(lane + 32)], 0x33333333) << lane;
        }
        EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics[0].message;
    }
}

// As an H200 does it. Odd lanes get what even ones brought, lane - 1 + 200, below 210 up to lane 9; even ones lane + 1 + 100,
// below 110 up to lane 8: ten lanes say yes.
TEST_P(Members, MeetAtAShuffleInEachSideOfABranch) {
    Kernel k("eachItsOwn", {1}, {32}, {buffer(Ints(64, -1))}, "apart.ptx");
    k.options.reconvergence = GetParam();
    for (const bool timing : {false, true}) {
        k.options.timing = timing;
        const auto r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics[0].message;
        const auto out = values<int>(r, 0);
        for (int lane = 0; lane < 32; ++lane) {
            EXPECT_EQ(out[std::size_t(lane)], lane % 2 ? lane + 199 : -(lane + 101)) << lane;
            EXPECT_EQ(out[std::size_t(lane + 32)], 0x3ff) << lane;
        }
    }
}

// Lanes / 8 are alike in each byte of lanes; 0 and 1 are not alike in all. Even lanes bring 0, 2, ... 30, together 240; odd
// ones lane / 4 - 100: sixteen times -100, and 0 to 7 twice each, together -1544. The least is -100. Lanes xor to 0 from
// the even ones (0 ^ 2 ^ ... ^ 30), and so do the pairs of equal numbers of the odd ones. Lane 0 is elected: 0 + 1000.
// An H100 gives just these, and those of the next test.
TEST_P(Members, AskInEachSideOfABranch) {
    Kernel k("eachSideAsks", {1}, {32}, {buffer(Ints(7 * 32, -1))}, "meet.ptx");
    k.options.reconvergence = GetParam();
    for (const bool timing : {false, true}) {
        k.options.timing = timing;
        const auto r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics[0].message;
        const auto out = values<int>(r, 0);
        for (int lane = 0; lane < 32; ++lane) {
            const int alike = int(0xffu << lane / 8 * 8);
            const std::vector<int> want{alike, alike, 0, 240 - 1544, -100, 0, lane == 0 ? 1000 : 0};
            EXPECT_EQ(std::vector<int>(out.begin() + 7 * lane, out.begin() + 7 * lane + 7), want) << lane;
        }
    }
}

// Lanes from 8 on: every fourth of them, and every second of all; the others only the latter.
TEST_P(Members, MeetInAFunctionThatTheyCallAtDifferentTimes) {
    Kernel k("bothCall", {1}, {32}, {buffer(Ints(32, -1))}, "meet.ptx");
    k.options.reconvergence = GetParam();
    const auto r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics[0].message;
    const auto out = values<int>(r, 0);
    for (int lane = 0; lane < 32; ++lane) {
        const std::uint32_t fourths = lane < 8 ? 0 : 0x11111100u << lane % 4, seconds = 0x55555555u << lane % 2;
        EXPECT_EQ(std::uint32_t(out[std::size_t(lane)]), fourths ^ seconds) << lane;
    }
}

// Row r of the one matrix holds 16 times r + round, column n of the other 16 times n + 1; lane 4 r + k gets columns 2 k
// and 2 k + 1 of row r.
TEST_P(Members, MultiplyInAFunctionThatTheyCallAtDifferentTimes) {
    for (const int spin : {1, 100, 1000, 10000}) {
        Kernel k("multiplyInAFunction", {1}, {32}, {buffer(Ints(4 * 32, -1)), value(spin)}, "meet.ptx");
        k.options.reconvergence = GetParam();
        const auto r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics[0].message;
        const auto out = values<int>(r, 0);
        for (int lane = 0; lane < 32; ++lane)
            for (int round = 0; round < 2; ++round)
                for (int side = 0; side < 2; ++side)
                    EXPECT_EQ(out[std::size_t(4 * lane + 2 * round + side)],
                              16 * (lane / 4 + round) * (2 * (lane % 4) + side + 1))
                        << spin << " lane " << lane;
    }
}

// Lanes that ask all wait for these, not for those that still ask a few: what they answer there is another question.
TEST_P(Members, AskAFewOfThemAndThenAll) {
    std::vector<std::uint32_t> want(32);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        want[lane] = lane;
        for (std::uint32_t round = 0; round < 3; ++round) {
            std::uint32_t yes = 0;
            for (std::uint32_t k = 0; k < 32; ++k)
                yes |= std::uint32_t(k * (round + 3) % 5 < 2) << k;
            want[lane] = want[lane] * 33 + (yes & (round == 1 ? ~0u : lane < 8 ? 0xffu : 0xffffff00u));
        }
    }
    for (const int spin : {1, 100, 1000, 10000}) {
        Kernel k("someThenAll", {1}, {32}, {buffer(Ints(32, -1)), value(spin)}, "meet.ptx");
        k.options.reconvergence = GetParam();
        const auto r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics[0].message;
        EXPECT_EQ(values<std::uint32_t>(r, 0), want) << spin;
    }
}

// An H200 never ends such a launch. Lane 15's neighbour does not come: 0.
TEST_P(Members, ThatNeverComeAreTold) {
    Kernel k("otherWay", {1}, {32}, {buffer(Ints(32, -1))}, "apart.ptx");
    k.options.reconvergence = GetParam();
    const auto r = k.run();
    if (GetParam() == Reconvergence::IndependentThreads) {
        ASSERT_TRUE(r.fault);
        EXPECT_NE(r.fault->text().find("can never go on"), std::string::npos) << r.fault->text();
        return;
    }
    ASSERT_FALSE(r.fault) << r.fault->text();
    ASSERT_EQ(r.trace->diagnostics.size(), 1u);
    EXPECT_NE(r.trace->diagnostics[0].message.find("members 0xffffffff the lanes 0xffff0000 never come here"),
              std::string::npos)
        << r.trace->diagnostics[0].message;
    const auto out = values<int>(r, 0);
    for (int lane = 0; lane < 32; ++lane) // 3 (lane + 1) from below, and -1 + 5 from above
        EXPECT_EQ(out[std::size_t(lane)], lane % 16 == 15 ? 4 : 3 * (lane % 16) + 7) << lane;
}

// One cause, one note: that the upper half stands at the barrier, and the lower one comes there after it, follows from the
// mask that names lanes which go another way.
TEST(MissedMembers, MakeNoNoteOfTheBarrierBehind) {
    const auto r = Kernel("missedThenBarrier", {1}, {64}, {buffer(Ints(64, -1))}, "barriers.ptx").run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    ASSERT_EQ(r.trace->diagnostics.size(), 1u) << r.trace->diagnostics.front().message;
    EXPECT_NE(r.trace->diagnostics[0].message.find("members 0xffffffff the lanes 0xffff0000 never come here"),
              std::string::npos)
        << r.trace->diagnostics[0].message;
    // Lanes 32 to 63 take the other way as a whole. Lane 15's neighbour does not come: 0.
    const auto out = values<int>(r, 0);
    for (int t = 0; t < 64; ++t)
        EXPECT_EQ(out[std::size_t(t)], t >= 16 ? t + 5 : t == 15 ? 0 : 3 * (t + 1)) << t;
}

// Of 40 numbers lanes 0 to 7 have a second one; the others have left the loop, and ended.
TEST_P(Members, ThatEndAreNotWaitedFor) {
    Kernel k("someEnd", {1}, {32}, {buffer(Ints(32, -1)), value(40)}, "apart.ptx");
    k.options.reconvergence = GetParam();
    const auto r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics[0].message;
    const auto out = values<int>(r, 0);
    for (int lane = 0; lane < 32; ++lane) // lane 7 has nobody behind it in the second round, lane 31 in the first
        EXPECT_EQ(out[std::size_t(lane)], lane < 7 ? 2 * lane + 34 : lane == 31 ? 31 : lane + 1) << lane;
}

TEST_P(Members, MeetAtWarpSyncsInBothSidesOfABranch) {
    const auto r = run("acrossABranch", 32);
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto out = values<int>(r, 0);
    for (int lane = 0; lane < 32; ++lane)
        EXPECT_EQ(out[std::size_t(lane)], lane < 16 ? 2 * lane + 1 : 7) << lane;
}

TEST_P(Members, OfATileWaitForTheirTileAlone) {
    const auto r = run("tilesInBranches", 32);
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto out = values<int>(r, 0);
    for (int lane = 0; lane < 32; ++lane)
        EXPECT_EQ(out[std::size_t(lane)], lane / 8 % 2 ? (lane ^ 1) * 3 : (lane ^ 7) * 5) << lane;
}

TEST_P(Members, DoNotWaitForLanesThatHaveEnded) {
    const auto r = run("syncWithTheEnded", 32);
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto out = values<int>(r, 0);
    for (int lane = 0; lane < 32; ++lane)
        EXPECT_EQ(out[std::size_t(lane)], lane < 16 ? 2 : 1) << lane;
}

// Even lanes (of the sum) add ten, odd ones double: two targets of one call.
TEST_P(Members, CallDifferentFunctionsFromOnePlace) {
    Kernel k("throughATable", {1}, {32}, {buffer(Ints(32, -1)), value(1)}, "pointers.ptx");
    k.options.reconvergence = GetParam();
    const auto r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto out = values<int>(r, 0);
    for (int lane = 0; lane < 32; ++lane)
        EXPECT_EQ(out[std::size_t(lane)], lane % 2 ? lane + 10 : lane * 2) << lane;
}

TEST_P(Members, CallFunctionsThatAnotherGridHasStored) {
    Kernel k("parent", {1}, {1}, {buffer(std::vector<std::uint64_t>(2)), buffer(Ints(32, -1)), value(1)},
             "pointers.ptx");
    k.options.reconvergence = GetParam();
    const auto r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto out = values<int>(r, 1);
    for (int lane = 0; lane < 32; ++lane)
        EXPECT_EQ(out[std::size_t(lane)], lane % 2 ? lane * 2 : lane + 10) << lane;
}

// A grid of 4 x 2 blocks: clusters 0 and 1 beside each other; ranks run along x first.
TEST(Clusters, TellBlocksTheirRank) {
    const auto r = Kernel("inClusters", {4, 2}, {32}, {buffer(std::vector<std::uint32_t>(8))}, "members.ptx").run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<std::uint32_t>(r, 0),
              (std::vector<std::uint32_t>{4000, 4001, 4010, 4011, 4002, 4003, 4012, 4013}));
}

TEST(Clusters, AreWholeInAGrid) {
    Kernel k("inClusters", {3, 2}, {32}, {buffer(std::vector<std::uint32_t>(8))}, "members.ptx");
    Progress progress;
    const auto r = makeEmulator()->run(k.plan, k.options, progress);
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().text().find("clusters of"), std::string::npos) << r.error().text();
}

INSTANTIATE_TEST_SUITE_P(Both, Members,
                         ::testing::Values(Reconvergence::PostDominatorStack, Reconvergence::IndependentThreads));

} // namespace
} // namespace warpglass::testing
