// SPDX-License-Identifier: GPL-3.0-or-later
// Memory: spaces, sectors, banks, and what is told when a program goes wrong.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;

TEST(Memory, GenericPointersFindTheirSpaceByTheAddress) {
    Ints data(32);
    for (int t = 0; t < 32; ++t)
        data[std::size_t(t)] = t;
    const auto out = values<int>(Kernel("genericPointer", {1}, {32}, {buffer(data), buffer(Ints(32))}).run(), 1);
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(out[std::size_t(t)], t % 2 ? t : 1000 + t);
}

TEST(Memory, LocalArraysAreEachThreadsOwn) {
    const auto out = values<int>(Kernel("localArray", {1}, {40}, {buffer(Ints(40)), value(3)}).run(), 0);
    for (int t = 0; t < 40; ++t) {
        const int i = (t + 3) % 8;
        EXPECT_EQ(out[std::size_t(t)], i * i + t);
    }
}

TEST(Memory, OutOfBoundsNamesBufferBlockAndThread) {
    const auto r = Kernel("outOfBounds", {3}, {32}, {buffer(Ints(70), "numbers"), value(5)}).run();
    ASSERT_TRUE(r.fault);
    const Diagnostic* d = find(r, DiagnosticKind::OutOfBounds);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->block, 2u);
    EXPECT_EQ(d->thread, 6u); // element 70
    EXPECT_TRUE(d->fatal);
    EXPECT_GT(d->ptxLine, 0u);
    EXPECT_NE(d->message.find("numbers"), std::string::npos) << d->message;
    EXPECT_NE(d->message.find("outOfBounds"), std::string::npos) << d->message;
    EXPECT_EQ(values<int>(r, 0)[69], 5); // what was done before is kept
}

TEST(Memory, NullPointerIsCalledThat) {
    const auto r = Kernel("nullPointer", {1}, {1}, {buffer(Ints(1))}).run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->message.find("null"), std::string::npos) << r.fault->message;
}

TEST(Memory, MisalignedVectorLoadIsAFault) {
    EXPECT_FALSE(Kernel("vectorLoad", {1}, {4}, {buffer(Ints(32)), buffer(Ints(16)), value(4)}).run().fault);
    const auto r = Kernel("vectorLoad", {1}, {4}, {buffer(Ints(32)), buffer(Ints(16)), value(1)}).run();
    ASSERT_TRUE(r.fault);
    EXPECT_TRUE(find(r, DiagnosticKind::Misaligned));
}

TEST(Memory, SharedMemoryReadBeforeItIsWritten) {
    const auto r = Kernel("uninitialisedShared", {1}, {32}, {buffer(Ints(32))}).run();
    EXPECT_FALSE(r.fault);
    const Diagnostic* d = find(r, DiagnosticKind::UninitialisedRead);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->thread, 26u); // reads element 5, which thread 5 left out
}

TEST(Memory, UndefinedBufferReadBeforeItIsWritten) {
    auto in = buffer(Ints(32));
    EXPECT_FALSE(
        find(Kernel("readsFirst", {1}, {32}, {in, buffer(Ints(32))}).run(), DiagnosticKind::UninitialisedRead));
    in.uninitialised = true;
    EXPECT_TRUE(find(Kernel("readsFirst", {1}, {32}, {in, buffer(Ints(32))}).run(), DiagnosticKind::UninitialisedRead));
}

TEST(Memory, RaceBetweenWarpsIsFoundAndABarrierCuresIt) {
    const auto raced = Kernel("sharedRace", {1}, {64}, {buffer(Ints(64))}).run();
    EXPECT_TRUE(find(raced, DiagnosticKind::SharedRace) || find(raced, DiagnosticKind::UninitialisedRead));
    EXPECT_TRUE(find(raced, DiagnosticKind::SharedRace));
    const auto cured = Kernel("noRace", {1}, {64}, {buffer(Ints(64))}).run();
    EXPECT_TRUE(cured.trace->diagnostics.empty()) << cured.trace->diagnostics[0].message;
}

TEST(Memory, VolatileTailWithoutSyncwarpIsAHazardSinceSevenZero) {
    Ints data(64);
    for (int i = 0; i < 64; ++i)
        data[std::size_t(i)] = i;
    const auto r = Kernel("volatileTail", {1}, {32}, {buffer(data)}).run();
    EXPECT_TRUE(find(r, DiagnosticKind::MissingSyncwarp));
    EXPECT_FALSE(r.fault);
    // In lock-step: v[t] = d[t] + d[t+16], then v[t] += v[t+8] with the new v.
    const auto out = values<int>(r, 0);
    for (int t = 0; t < 24; ++t)
        EXPECT_EQ(out[std::size_t(t)], t + t + 16 + (t + 8) + (t + 24));
    Kernel old("volatileTail", {1}, {32}, {buffer(data)});
    old.options.device = "gtx1060"; // compute capability 6.1
    EXPECT_FALSE(find(old.run(), DiagnosticKind::MissingSyncwarp));
}

TEST(Memory, DivisionByZeroIsToldAndTheRunGoesOn) {
    const auto r = Kernel("divideByZero", {1}, {8}, {buffer(Ints(8)), value(-3)}).run();
    EXPECT_FALSE(r.fault);
    const Diagnostic* d = find(r, DiagnosticKind::DivisionByZero);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->thread, 3u);
    EXPECT_EQ(values<int>(r, 0)[5], 50);
}

TEST(Memory, FailedAssertionSpeaksAndStops) {
    const auto r = Kernel("assertion", {1}, {8}, {value(6)}).run();
    ASSERT_TRUE(r.fault);
    EXPECT_TRUE(find(r, DiagnosticKind::Trap));
    EXPECT_NE(r.trace->output.find("thread: [6,0,0] Assertion"), std::string::npos) << r.trace->output;
}

TEST(Memory, EndlessLoopEndsAtTheLimit) {
    Kernel k("endless", {1}, {32}, {buffer(Ints(1))});
    k.options.instructionLimit = 50000;
    const auto r = k.run();
    ASSERT_TRUE(r.fault);
    EXPECT_TRUE(find(r, DiagnosticKind::EndlessLoop));
}

TEST(Memory, CancelledRunStops) {
    Kernel k("endless", {1}, {32}, {buffer(Ints(1))});
    Progress progress;
    progress.cancel();
    EXPECT_FALSE(makeEmulator()->run(k.plan, k.options, progress).ok());
}

// Stride s words: lanes t and t' share a bank when (t - t') * s is a multiple of 32, so passes = gcd(s, 32).
TEST(Memory, BankConflictsFollowTheStride) {
    for (const int stride : {1, 2, 3, 8, 32}) {
        const auto r = Kernel("bankConflict", {1}, {32}, {buffer(Ints(32)), value(stride)}).run();
        std::uint64_t passes = 0;
        for (const InstructionCount& c : r.trace->counts)
            if (c.isMemory && c.space == MemorySpace::Shared && c.access == AccessKind::Store)
                passes += c.passes;
        EXPECT_EQ(passes, std::uint64_t(stride == 3 ? 1 : stride)) << stride;
    }
}

TEST(Memory, UnknownInstructionsAreListedBeforeAnythingRuns) {
    Kernel k("partialWarp", {1}, {32}, {buffer(Ints(32))});
    const auto at = k.plan.ptx.find("activemask.b32");
    ASSERT_NE(at, std::string::npos);
    k.plan.ptx.replace(at, 10, "wrongthing");
    Progress progress;
    const auto r = makeEmulator()->run(k.plan, k.options, progress);
    ASSERT_FALSE(r.ok());
    EXPECT_NE(r.error().message.find("wrongthing"), std::string::npos);
    EXPECT_GT(r.error().line, 0);
}

} // namespace
} // namespace warpglass::testing
