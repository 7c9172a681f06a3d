// SPDX-License-Identifier: GPL-3.0-or-later
// Memory: spaces, sectors, banks, and what is told when a program goes wrong.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>

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

// Triton writes ld.global.b32 { %r6 } where a thread has one element: the same as without braces.
TEST(Memory, OneElementMayStandInBraces) {
    Ints data(64);
    for (int t = 0; t < 64; ++t)
        data[std::size_t(t)] = 100 + t;
    const Recording r = Kernel("braces", {1}, {64}, {buffer(data), buffer(Ints(64, -1))}, "one_element.ptx").run();
    ASSERT_FALSE(r.fault);
    const auto out = values<int>(r, 1);
    for (int t = 0; t < 64; ++t) // through shared memory from the neighbour; of odd threads nothing is loaded
        EXPECT_EQ(out[std::size_t(t)], (t ^ 1) % 2 ? 7 : 100 + (t ^ 1)) << t;
}

// Places of their own: each of the 24 threads that go on touches a word whose 31 neighbours are those of the other threads
// at the same place, so that eight threads in a row have a sector and all 32 a line. The places 5 * t modulo 8 of eight
// threads in a row are all different: no two share a sector, and six of the eight places are used.
TEST(Memory, LocalArraysMayBeTakenAtPlacesOfEachThread) {
    for (const int more : {0, 1}) {
        const Recording r = Kernel("places", {1}, {32}, {buffer(Ints(32)), value(more)}, "local_places.ptx").run();
        ASSERT_FALSE(r.fault);
        const auto out = values<int>(r, 0);
        for (int t = 0; t < 32; ++t)
            EXPECT_EQ(out[std::size_t(t)], t % 4 == 3 || more ? 0 : 100 + t) << t;
        const Diagnostic* unwritten = find(r, DiagnosticKind::UninitialisedRead);
        ASSERT_EQ(unwritten != nullptr, more == 1);
        if (unwritten) {
            EXPECT_EQ(unwritten->count, 24u);
            EXPECT_EQ(unwritten->thread, 0u);
        }
        std::uint32_t seen = 0;
        for (const InstructionCount& c : r.trace->counts)
            if (c.sectors == 24) {
                EXPECT_EQ(c.lines, 6u);
                EXPECT_EQ(c.bytesDistinct, 96u);
                ++seen;
            }
        EXPECT_EQ(seen, 2u); // the store and the load
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

// Dynamic shared memory begins behind the variables, at the next place that its declarations allow: all of them name the
// same memory, so that the most demanding counts. ptxas gives the same kernel 1024 bytes for its variables; without
// anything demanding it gives 16.
TEST(Memory, DynamicSharedMemoryLiesAsItIsDeclared) {
    Kernel wide("whereWide", {1}, {1}, {buffer(Ints(4))}, "dynamic_alignment.ptx");
    wide.plan.sharedBytes = 256;
    EXPECT_EQ(values<int>(wide.run(), 0), (Ints{0, 1024, 1024, 7}));
    Kernel narrow("whereNarrow", {1}, {1}, {buffer(Ints(2))}, "dynamic_alignment.ptx");
    narrow.plan.sharedBytes = 256;
    EXPECT_EQ(values<int>(narrow.run(), 0), (Ints{0, 16}));
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

TEST(Memory, VolatileCellsThatAreLookedAtAgainAndAgainNeedNoLockStep) {
    Kernel k("settles", {1}, {32}, {buffer(Ints(32))});
    k.options.reconvergence = Reconvergence::IndependentThreads; // lanes wait for each other
    const auto r = k.run();
    EXPECT_EQ(values<int>(r, 0), Ints(32, 1));
    EXPECT_FALSE(find(r, DiagnosticKind::MissingSyncwarp));
}

TEST(Memory, VolatileSumsInALoopNeedLockStep) {
    const auto r = Kernel("sumsInALoop", {1}, {32}, {buffer(Ints(64, 1))}).run();
    EXPECT_TRUE(find(r, DiagnosticKind::MissingSyncwarp));
    EXPECT_EQ(values<int>(r, 0)[0], 32); // in lock-step: 2, 4, 8, 16, 32
}

TEST(Memory, WhatStandsBeforeAVoteIsDone) {
    const auto r = Kernel("votesBetween", {1}, {32}, {buffer(Ints(32)), buffer(Ints(32))}).run();
    EXPECT_FALSE(find(r, DiagnosticKind::MissingSyncwarp));
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(values<int>(r, 1)[std::size_t(t)], 10 * (t ^ 1) + 1);
}

// PTX ISA, .pragma "used_bytes_mask".
TEST(Memory, PaddingThatIsCopiedIsNotRead) {
    const auto copied = Kernel("copies", {1}, {1}, {buffer(Ints(8))}, "padding.ptx").run();
    EXPECT_TRUE(copied.trace->diagnostics.empty()) << copied.trace->diagnostics[0].message;
    const auto out = values<int>(copied, 0);
    EXPECT_EQ(Ints(out.begin(), out.begin() + 3), (Ints{1, 2, 3}));
    EXPECT_EQ(Ints(out.begin() + 4, out.begin() + 7), (Ints{1, 2, 3}));
    const auto read = Kernel("reads", {1}, {1}, {buffer(Ints(8))}, "padding.ptx").run();
    EXPECT_EQ(std::count_if(read.trace->diagnostics.begin(), read.trace->diagnostics.end(),
                            [](const Diagnostic& d) { return d.kind == DiagnosticKind::UninitialisedRead; }),
              2); // of the local and of the shared variable
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

// 128 bits a thread, with no barrier between: thread 32 reads what thread 0 wrote, all of it.
TEST(Memory, RaceOverWordsOf128BitsTellsThemWhole) {
    Kernel k("wide", {1}, {64}, {buffer(Ints(4))});
    k.plan.ptx = R"(.version 8.4
.target sm_90
.address_size 64
.visible .entry wide(.param .u64 out) {
  .reg .b128 %q<3>; .reg .b64 %rd<6>; .reg .b32 %r<8>;
  .shared .align 16 .b8 words[1024];
  mov.u32 %r1, %tid.x; add.u32 %r7, %r1, 7;
  cvt.u64.u32 %rd1, %r7; mov.u64 %rd2, 3;
  mov.b128 %q1, {%rd1, %rd2};
  shl.b32 %r2, %r1, 4; mov.u32 %r3, words; add.u32 %r4, %r3, %r2;
  st.shared.b128 [%r4], %q1;
  xor.b32 %r5, %r2, 512; add.u32 %r6, %r3, %r5;
  ld.shared.b128 %q2, [%r6];
  mov.b128 {%rd3, %rd4}, %q2;
  ld.param.u64 %rd5, [out]; st.global.u64 [%rd5], %rd3;
  ret;
})";
    const auto r = k.run();
    const Diagnostic* race = find(r, DiagnosticKind::SharedRace);
    ASSERT_TRUE(race);
    EXPECT_EQ(race->thread, 32u);
    EXPECT_NE(race->message.find("wrote (0x00000000000000030000000000000007)"), std::string::npos) << race->message;
}

// Rows of 16 bytes, 36 words apart, as ldmatrix and v4 columns have them. Every thread fills its row, or all but the
// fourth word of the row of thread 37. Behind a barrier each warp loads its own rows by ldmatrix (twice, so that the
// second time the rows' distances are known) and by v4; then thread `writer` writes the fourth word of row 5, which is
// warp 0's, and warp 0 loads its rows once more, with no barrier between.
Recording paddedRows(const std::string& load, bool leavesOneOut, int writer) {
    Kernel k("rows", {1}, {64}, {buffer(Ints(64)), value(int(leavesOneOut)), value(writer)});
    k.plan.ptx = R"(.version 8.4
.target sm_90
.address_size 64
.visible .entry rows(.param .u64 out, .param .u32 leaves, .param .u32 writer) {
  .reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  .shared .align 16 .b8 table[9216];
  mov.u32 %r1, %tid.x; mov.u32 %r2, table; mad.lo.u32 %r3, %r1, 144, %r2;
  ld.param.u32 %r4, [leaves]; ld.param.u32 %r5, [writer];
  st.shared.v2.u32 [%r3], {%r1, %r1}; st.shared.u32 [%r3+8], %r1;
  setp.ne.u32 %p1, %r4, 0; setp.eq.and.u32 %p2, %r1, 37, %p1;
  @!%p2 st.shared.u32 [%r3+12], %r1;
  bar.sync 0;
  mov.u32 %r6, 0;
again:
  LOAD {%r7,%r8,%r9,%r10}, [%r3];
  st.shared.u32 [%r3+16], %r10;
  add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 3;
  @%p3 bra again;
  setp.eq.u32 %p3, %r1, %r5;
  @%p3 st.shared.u32 [table+732], %r1;
  setp.ge.u32 %p3, %r1, 32;
  @%p3 bra end;
  bar.warp.sync -1;
  LOAD {%r7,%r8,%r9,%r10}, [%r3];
  ld.param.u64 %rd1, [out]; mad.wide.u32 %rd2, %r1, 4, %rd1;
  st.global.u32 [%rd2], %r7;
end:
  ret;
})";
    for (std::size_t at; (at = k.plan.ptx.find("LOAD")) != std::string::npos;)
        k.plan.ptx.replace(at, 4, load);
    return k.run();
}

TEST(Memory, RowsOfSixteenBytesAreCheckedWordByWord) {
    for (const std::string load : {"ld.shared.v4.u32", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"}) {
        SCOPED_TRACE(load);
        // Row 5's fourth word is byte 5 * 144 + 12 = 732. A thread of the warp that reads it may write it.
        const Recording quiet = paddedRows(load, false, 5);
        ASSERT_FALSE(quiet.fault);
        EXPECT_TRUE(quiet.trace->diagnostics.empty()) << quiet.trace->diagnostics[0].message;
        const auto out = values<int>(quiet, 0);
        for (int t = 0; t < 32; ++t) // a lane has row t itself, or word t % 4 of row t / 4 of the first matrix
            EXPECT_EQ(out[std::size_t(t)], load[2] == '.' ? t : t / 4);
        const Recording raced = paddedRows(load, false, 40);
        const Diagnostic* race = find(raced, DiagnosticKind::SharedRace);
        ASSERT_TRUE(race);
        EXPECT_NE(race->message.find("table[183]"), std::string::npos) << race->message;
        const Recording unwritten = paddedRows(load, true, 5);
        const Diagnostic* early = find(unwritten, DiagnosticKind::UninitialisedRead);
        ASSERT_TRUE(early);
        EXPECT_EQ(early->thread, 37u);
    }
}

// One instruction whose lanes lie `stride` bytes apart from `start` on, a round for each pair of numbers: what it is
// counted as depends on each round's addresses alone, whatever it had the round before.
Kernel walks(const std::string& space, const std::vector<int>& startsAndStrides, bool halfWarp = false) {
    Kernel k("walks", {1}, {32},
             {buffer(Ints(4096), "plane"), buffer(startsAndStrides), value(int(startsAndStrides.size() / 2))});
    k.plan.ptx = R"(.version 8.5
.target sm_90
.address_size 64
.visible .entry walks(.param .u64 plane, .param .u64 rounds, .param .u32 count) {
  .reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<3>;
  .shared .align 16 .b8 tile[16384];
  ld.param.u64 %rd1, [plane]; ld.param.u64 %rd2, [rounds]; ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  setp.lt.u32 %p2, %r2, HALF;
  mov.u32 %r7, tile;
  mul.lo.u32 %r8, %r2, 4; add.u32 %r8, %r8, %r7; mov.u32 %r9, 0;
fill:
  st.shared.u32 [%r8], %r2; add.u32 %r8, %r8, 128; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 128; @%p1 bra fill;
  bar.sync 0;
again:
  ld.global.u32 %r3, [%rd2]; ld.global.u32 %r4, [%rd2+4]; add.u64 %rd2, %rd2, 8;
  mad.lo.u32 %r5, %r2, %r4, %r3;
  cvt.s64.s32 %rd3, %r5; add.u64 %rd3, %rd3, %rd1;
  add.u32 %r6, %r5, %r7;
  @%p2 ACCESS;
  add.u32 %r1, %r1, -1; setp.gt.s32 %p1, %r1, 0; @%p1 bra again;
  ret;
})";
    const auto put = [&](const std::string& what, const std::string& with) {
        k.plan.ptx.replace(k.plan.ptx.find(what), what.size(), with);
    };
    put("HALF", halfWarp ? "16" : "32");
    put("ACCESS", space == "shared" ? "ld.shared.u32 %r9, [%r6]" : "ld.global.u32 %r9, [%rd3]");
    return k;
}
const InstructionCount& accessOf(const Kernel& k, const Recording& r) {
    const std::string& text = k.plan.ptx;
    const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(text.find("@%p2")), '\n');
    for (const InstructionCount& c : r.trace->counts)
        if (c.ptxLine == std::uint32_t(line))
            return c;
    throw std::runtime_error("no such instruction");
}

TEST(Memory, SectorsOfAWalkAreThoseOfEachRound) {
    // 128 bytes apart: 32 sectors, wherever it begins; 36 apart, too. From 28 on with 8 apart: bytes 28 to 279, 9 sectors.
    Kernel all = walks("global", {0, 128, 4, 128, 64, 128, 28, 8, 0, 36, 0, 128, 0, 8, 28, 8, 4, 8});
    const auto r = all.run();
    ASSERT_FALSE(r.fault);
    // From 0 and from 4 on with 8 apart: bytes 0 to 251 and 4 to 255, 8 sectors.
    EXPECT_EQ(accessOf(all, r).sectors, 32u + 32 + 32 + 9 + 32 + 32 + 8 + 9 + 8);
    Kernel half = walks("global", {0, 128, 128, 128, 0, 128}, true);
    EXPECT_EQ(accessOf(half, half.run()).sectors, 16u * 3);
}

TEST(Memory, BankPassesOfAWalkAreThoseOfEachRound) {
    // 128 bytes apart: one bank, 32 passes; 132: one; 8: two; each from several words on.
    Kernel k = walks("shared", {0, 128, 4, 128, 0, 132, 8, 132, 0, 8, 4, 8, 0, 128});
    const auto r = k.run();
    ASSERT_FALSE(r.fault);
    EXPECT_EQ(accessOf(k, r).passes, 32u + 32 + 1 + 1 + 2 + 2 + 32);
}

TEST(Memory, AWalkThatLeavesItsBufferIsFoundInThatRound) {
    for (const char* space : {"global", "shared"}) {
        // Lane 31 is at 31 * 512 = 15872; from 512 on it is the first behind 16384 bytes.
        const auto r = walks(space, {0, 512, 256, 512, 512, 512}).run();
        ASSERT_TRUE(r.fault) << space;
        const Diagnostic* d = find(r, DiagnosticKind::OutOfBounds);
        ASSERT_TRUE(d) << space;
        EXPECT_EQ(d->thread, 31u) << space;
        EXPECT_FALSE(walks(space, {0, 512, 256, 512, 508, 512}).run().fault) << space;
        const auto odd = walks(space, {0, 512, 256, 512, 2, 512}).run();
        ASSERT_TRUE(odd.fault) << space;
        EXPECT_TRUE(find(odd, DiagnosticKind::Misaligned)) << space;
        const auto below = walks(space, {15872, -512, 15872, -512, 15360, -512}).run();
        ASSERT_TRUE(below.fault) << space;
        EXPECT_EQ(find(below, DiagnosticKind::OutOfBounds)->thread, 31u) << space;
    }
}

// 32 lanes count in the last byte of 13, whose word ends three bytes further on, and in the last of 5 in shared memory.
TEST(Memory, WordsOfBytesAtomicsMayReachBeyondTheLastByte) {
    std::vector<unsigned char> expected(13);
    expected[0] = expected[12] = 32;
    for (const OnFault onFault : {OnFault::Stop, OnFault::Report}) {
        warpglass::testing::Kernel k("lastByte", Dim3{1}, Dim3{32}, {buffer(std::vector<unsigned char>(13))},
                                     "byte_swaps.ptx");
        k.options.onFault = onFault;
        k.options.reconvergence = Reconvergence::IndependentThreads;
        const Recording r = k.run();
        EXPECT_FALSE(r.fault) << r.fault->text();
        std::vector<unsigned char> got(13);
        std::memcpy(got.data(), r.buffers[0].data(), r.buffers[0].size());
        EXPECT_EQ(got, expected);
    }
    warpglass::testing::Kernel plain("plainWord", Dim3{1}, Dim3{1}, {buffer(std::vector<unsigned char>(13))},
                                     "byte_swaps.ptx");
    const Recording r = plain.run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->message.find("3 bytes past the end of buffer \"data\" (13 bytes)"), std::string::npos)
        << r.fault->message;
}

} // namespace
} // namespace warpglass::testing
