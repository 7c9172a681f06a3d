// SPDX-License-Identifier: GPL-3.0-or-later
// How warps run: masks, divergence, barriers, shuffles, votes, calls. Expected values are worked out on the host.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <sstream>
#include <string>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;

TEST(Simt, PartialLastWarpHasOnlyItsLanes) {
    const auto r = Kernel("partialWarp", {1}, {48}, {buffer(Ints(48))}).run();
    const auto out = values<std::uint32_t>(r, 0);
    EXPECT_EQ(out[0], 0xffffffffu);
    EXPECT_EQ(out[47], 0x0000ffffu);
}

TEST(Simt, ThreadsThatReturnedDoNotHoldUpABarrier) {
    const auto r = Kernel("returnBeforeBarrier", {1}, {64}, {buffer(Ints(64, -1))}).run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto out = values<int>(r, 0);
    for (int t = 0; t < 64; ++t)
        EXPECT_EQ(out[std::size_t(t)], t < 40 ? 39 - t : -1);
    EXPECT_FALSE(find(r, DiagnosticKind::BarrierDivergence)); // nor is it a fault, though a warp comes in part
}

class EarlyExit : public ::testing::TestWithParam<Reconvergence> {
protected:
    std::vector<std::uint32_t> run(const char* kernel) {
        Kernel k(kernel, {1}, {32}, {buffer(Ints(64, 0))}, "early.ptx");
        k.options.reconvergence = GetParam();
        const auto r = k.run();
        EXPECT_FALSE(r.fault) << r.fault->text();
        return values<std::uint32_t>(r, 0);
    }
};

// Lanes 0 to 7 are gone; 8 to 15, which were in the if, write 32 words further.
TEST_P(EarlyExit, LeavesTheOthersTogetherBehindAnIf) {
    const auto out = run("leavesAnIf");
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(out[lane], lane < 16 ? 0u : 0xffffff00u) << lane;
        EXPECT_EQ(out[lane + 32], lane < 8 || lane >= 16 ? 0u : 0xffffff00u) << lane;
    }
}

TEST_P(EarlyExit, MayHaveWorkOfItsOwn) {
    const auto out = run("writesAndLeaves");
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(out[lane], lane < 8 ? 77u : lane < 30 ? 0x3fffff00u : 0u) << lane;
}

// All but lane 5.
TEST_P(EarlyExit, LeavesTheOthersTogetherBehindALoop) {
    const auto out = run("leavesALoop");
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(out[lane], lane == 5 ? 0u : 0xffffffdfu) << lane;
}

// All but lanes 0 to 7, then all.
TEST_P(EarlyExit, MayBeAJumpOverWhatTheOthersDo) {
    const auto out = run("jumpsOverTheRest");
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(out[lane], lane < 8 ? 0u : 0xffffff00u) << lane;
        EXPECT_EQ(out[lane + 32], 0xffffffffu) << lane;
    }
}

// Lanes from 16 on, then all: those that jumped wait for them, though all that came to the jump took it.
TEST_P(EarlyExit, MayBeAJumpOfAllThatComeToIt) {
    const auto out = run("jumpsOverTogether");
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(out[lane], lane < 16 ? 0u : 0xffff0000u) << lane;
        EXPECT_EQ(out[lane + 32], 0xffffffffu) << lane;
    }
}

// All but lanes 0 to 3, then all.
TEST_P(EarlyExit, MayBeAJumpOutOfALoop) {
    const auto out = run("breaksOutOfALoop");
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(out[lane], lane < 4 ? 0u : 0xfffffff0u) << lane;
        EXPECT_EQ(out[lane + 32], 0xffffffffu) << lane;
    }
}

TEST_P(EarlyExit, MayBeThatOfAFunction) {
    const auto out = run("callsWhatReturnsEarly");
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(out[lane], lane < 8 ? 0u : 0xffffff00u) << lane;
        EXPECT_EQ(out[lane + 32], lane < 4 ? 0u : 0xfffffff0u) << lane;
    }
}

// Which lanes are together at each of the thousand places that the kernels of met.ptx come by, as on an H200.
TEST(Simt, LanesMeetWhereTheyDoOnAnH200) {
    std::ifstream answers(std::string(WARPGLASS_SOURCE_DIR) + "/tests/emulator/data/met_on_h200.txt");
    int kernels = 0;
    for (std::string line; std::getline(answers, line); ++kernels) {
        std::istringstream words(line);
        std::string name, word;
        words >> name;
        Ints want(64 + 32 * 128), in(32);
        while (words >> word) {
            const std::size_t colon = word.find(':');
            want[std::stoul(word.substr(0, colon))] = int(std::stoul(word.substr(colon + 1), nullptr, 16));
        }
        for (int i = 0; i < 32; ++i)
            in[std::size_t(i)] = (i * 7919 + std::stoi(name.substr(6)) * 31) % 1009;
        const auto r =
            Kernel(name.c_str(), {1}, {32}, {buffer(Ints(want.size())), buffer(in), value(4)}, "met.ptx").run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        const auto out = values<int>(r, 0);
        for (std::size_t i = 0; i < want.size(); ++i)
            ASSERT_EQ(out[i], want[i]) << name << " word " << i;
    }
    EXPECT_EQ(kernels, 6);
}

INSTANTIATE_TEST_SUITE_P(Both, EarlyExit,
                         ::testing::Values(Reconvergence::PostDominatorStack, Reconvergence::IndependentThreads));

TEST(Simt, BarrierThatCannotOpenIsReportedAsDeadlock) {
    const auto r = Kernel("barrierNobodyOpens", {1}, {64}, {buffer(Ints(64))}).run();
    ASSERT_TRUE(r.fault);
    const Diagnostic* d = find(r, DiagnosticKind::Deadlock);
    ASSERT_TRUE(d);
    EXPECT_NE(d->message.find("barrier 1"), std::string::npos) << d->message;
    EXPECT_NE(d->message.find("1 warp (0) waits for barrier 1, to which 32 of 64 threads have come"), std::string::npos)
        << d->message;
}

TEST(Simt, BothSidesOfABranchMeetAtTheirBarriers) {
    const auto r = Kernel("barrierInBothSides", {1}, {64}, {buffer(Ints(64))}).run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    for (const int v : values<int>(r, 0))
        EXPECT_EQ(v, 32 * 1 + 32 * 100);
    EXPECT_TRUE(find(r, DiagnosticKind::BarrierDivergence));
}

TEST(Simt, ShuffleOutOfRangeGivesOwnValueAndFalse) {
    const auto out = values<int>(Kernel("shuffleDown", {1}, {32}, {buffer(Ints(64)), value(5)}).run(), 0);
    for (int t = 0; t < 32; ++t) {
        EXPECT_EQ(out[std::size_t(t)], t + 5 < 32 ? (t + 5) * 10 : t * 10);
        EXPECT_EQ(out[std::size_t(32 + t)], t + 5 < 32);
    }
}

TEST(Simt, ShufflesStayInTheirSegment) {
    const auto out = values<int>(Kernel("shuffleModes", {1}, {32}, {buffer(Ints(128))}).run(), 0);
    for (int t = 0; t < 32; ++t) {
        const auto at = [&](int k) { return out[std::size_t(32 * k + t)]; };
        EXPECT_EQ(at(0), t % 8 >= 3 ? t - 3 : t);
        EXPECT_EQ(at(1), (t / 16) * 16 + (t % 16 ^ 5));
        EXPECT_EQ(at(2), (t / 8) * 8 + 13 % 8);
        EXPECT_EQ(at(3), t % 4 < 2 ? t + 2 : t);
    }
}

TEST(Simt, VotesSeeOnlyTheLanesThatAreOn) {
    std::uint32_t thirds = 0, even = 0;
    for (int t = 0; t < 32; t += 3) {
        thirds |= 1u << t;
        even |= t % 2 == 0 ? 1u << t : 0;
    }
    const auto out = values<std::uint32_t>(Kernel("voteUnderDivergence", {1}, {32}, {buffer(Ints(32))}).run(), 0);
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(out[std::size_t(t)], t % 3 == 0 ? even : std::uint32_t(32 - std::popcount(thirds)));
}

TEST(Simt, BarrierReductionsCoverTheBlock) {
    const auto out = values<int>(Kernel("barrierReductions", {1}, {96}, {buffer(Ints(96))}).run(), 0);
    for (const int v : out)
        EXPECT_EQ(v, 20 * 100 + 1 * 10 + 1); // 0, 5, ..., 95: 20 threads
}

TEST(Simt, SwitchTakesEachLaneToItsCase) {
    const auto out = values<int>(Kernel("switchOnLane", {1}, {32}, {buffer(Ints(32))}).run(), 0);
    for (int t = 0; t < 32; ++t) {
        const int expected[] = {t * 3 + 1, t ^ 21, t / 3, t << 4, 1000 - t, t * t, -t};
        EXPECT_EQ(out[std::size_t(t)], expected[t % 7]) << t;
    }
}

TEST(Simt, RecursionKeepsEachLanesOwnFrames) {
    const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    for (const auto policy : {Reconvergence::PostDominatorStack, Reconvergence::IndependentThreads}) {
        Kernel k("recursion", {1}, {32}, {buffer(Ints(32))});
        k.options.reconvergence = policy;
        const auto out = values<int>(k.run(), 0);
        for (int t = 0; t < 32; ++t)
            EXPECT_EQ(out[std::size_t(t)], fibonacci[t % 10]);
    }
}

TEST(Simt, FunctionPointersMayDifferByLane) {
    const auto out = values<int>(Kernel("functionPointers", {1}, {32}, {buffer(Ints(32))}).run(), 0);
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(out[std::size_t(t)], t % 3 == 0 ? 2 * t : t % 3 == 1 ? t * t : -t);
}

TEST(Simt, SpinLockInAWarpFinishesWithIndependentThreads) {
    Kernel k("spinLockThatHangs", {1}, {32}, {buffer(Ints(1)), buffer(Ints(1))});
    k.options.reconvergence = Reconvergence::IndependentThreads;
    const auto r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<int>(r, 1)[0], 32);
}

TEST(Simt, SpinLockInAWarpHangsInLockStepAndSaysSo) {
    Kernel k("spinLockThatHangs", {1}, {32}, {buffer(Ints(1)), buffer(Ints(1))});
    k.options.instructionLimit = 100000;
    const auto r = k.run();
    ASSERT_TRUE(r.fault);
    EXPECT_TRUE(find(r, DiagnosticKind::EndlessLoop)) << r.fault->text();
}

TEST(Simt, SpinLockWithItsReleaseInTheLoopFinishesInLockStep) {
    const auto r = Kernel("spinLockInWarp", {2}, {64}, {buffer(Ints(1)), buffer(Ints(1))}).run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<int>(r, 1)[0], 128);
}

TEST(Simt, EitherSideMayRunFirst) {
    // Lanes below 20 go into the loop; the other 12 take the other side. The masks of the two paths are the same in
    // either order, and so is the result.
    for (const bool takenFirst : {false, true}) {
        Kernel k("divergent", {1}, {32}, {buffer(Ints(32, 1)), value(20)});
        k.options.takenSideFirst = takenFirst;
        const auto r = k.run();
        const auto out = values<int>(r, 0);
        for (int t = 0; t < 32; ++t)
            EXPECT_EQ(out[std::size_t(t)], t < 20 ? 3 * 1 + 3 + 1 : t + 1);
        std::vector<std::uint32_t> masks;
        const warpglass::Warp& w = r.trace->warps[0];
        for (std::uint32_t n = 0; n < w.eventCount; ++n)
            if (r.trace->event(w, n).kind == EventKind::Path)
                masks.push_back(r.trace->event(w, n).active.bits);
        EXPECT_NE(std::find(masks.begin(), masks.end(), 0x000fffffu), masks.end());
        EXPECT_NE(std::find(masks.begin(), masks.end(), 0xfff00000u), masks.end());
        EXPECT_EQ(masks.back(), 0xffffffffu);
    }
}

// Lanes from 16 on come to `leaves` if they are not below `most`; all others run ldmatrix, which is for the whole warp
// (.aligned), and nothing else makes them wait for each other.
std::string meetingUnless(const std::string& leaves) {
    return R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 most)
{
    .shared .align 16 .b8 tile[128];
    .reg .pred %p<3>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [most];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    mov.u32 %r3, tile;
    shl.b32 %r4, %r2, 2;
    add.s32 %r4, %r3, %r4;
    setp.lt.u32 %p1, %r2, 16;
    @%p1 bra Lower;
    st.shared.u32 [%r4], 7;
    setp.lt.u32 %p2, %r2, %r1;
    @%p2 bra Meet;
)"
           "    " +
           leaves + R"(
Lower:
    st.shared.u32 [%r4], %r2;
Meet:
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r3];
    st.global.u32 [%rd3], %r5;
    ret;
}
)";
}

TEST(Simt, SidesOfABranchMeetAlsoIfLanesOfOneMayTrap) {
    Kernel k("k", {1}, {32}, {buffer(Ints(32, 1)), value(40)});
    k.plan.ptx = meetingUnless("trap;");
    const auto r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto out = values<int>(r, 0);
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(out[std::size_t(t)], t % 4) << "all eight rows lie at the tile's beginning";
}

TEST(Simt, LanesWaitForEachOtherAtAnInstructionForTheWholeWarp) {
    // Lanes of one side may have returned, so that the sides meet at the end of the kernel alone; none has.
    Kernel k("k", {1}, {32}, {buffer(Ints(32, 1)), value(40)});
    k.plan.ptx = meetingUnless("ret;");
    const auto r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto out = values<int>(r, 0);
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(out[std::size_t(t)], t % 4);
    k.plan.arguments[1] = value(20); // lanes 20 to 31 return
    const auto some = k.run();
    ASSERT_TRUE(some.fault);
    EXPECT_NE(some.fault->text().find("20 of the 32 lanes of a warp run ldmatrix"), std::string::npos)
        << some.fault->text();
}

TEST(Simt, MatchFindsEqualLanes) {
    const auto out = values<std::uint32_t>(Kernel("redux", {1}, {32}, {buffer(Ints(32))}).run(), 0);
    for (unsigned t = 0; t < 32; ++t) {
        std::uint32_t equal = 0;
        for (unsigned o = 0; o < 32; ++o)
            equal |= o / 5 == t / 5 ? 1u << o : 0;
        EXPECT_EQ(out[t], equal);
    }
}

} // namespace
} // namespace warpglass::testing
