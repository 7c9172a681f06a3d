// SPDX-License-Identifier: GPL-3.0-or-later
// Small kernels made by hand for what probes get wrong: leaders that are not lane 0, partial warps, early ends, calls,
// full buffers. Expected masks are worked out in the comments.
#include "gpu/probe/streams.h"
#include "tests/probe/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace warpglass::probe {
namespace {

const std::string head = ".version 9.0\n.target sm_75\n.address_size 64\n";

std::string kernel(const std::string& body, const std::string& before = "") {
    return head + before +
           ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n"
           "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\n" +
           body + "\n}\n";
}

test::Pair run(const std::string& ptx, Dim3 grid, Dim3 block, test::Setup setup = {}) {
    setup.detail.kind = Detail::Kind::All;
    Result<test::Pair> pair = test::runBoth(test::handPlan(ptx, "k", grid, block, 1024), setup);
    EXPECT_TRUE(pair.ok()) << pair.error().text();
    return pair ? std::move(*pair) : test::Pair{};
}

std::vector<Event> events(const Trace& t, std::uint32_t warp, EventKind kind) {
    std::vector<Event> found;
    for (std::uint32_t n = 0; n < t.warps.at(warp).eventCount; ++n)
        if (const Event e = t.event(t.warps[warp], n); e.kind == kind)
            found.push_back(e);
    return found;
}

TEST(Cases, LeaderNeedNotBeLaneZero) {
    // Lanes below 5 leave first; then odd and even lanes part, and part again inside.
    const test::Pair p =
        run(kernel("setp.lt.u32 %p1, %r1, 5;\n@%p1 ret;\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p2, %r2, 1;\n"
                   "@%p2 bra ODD;\nsetp.gt.u32 %p3, %r1, 20;\n@%p3 bra J;\nst.global.u32 [%rd2], 1;\nbra J;\n"
                   "ODD: setp.gt.u32 %p3, %r1, 9;\n@%p3 bra J;\nst.global.u32 [%rd2], 2;\nJ: ret;"),
            {1}, {32});
    EXPECT_EQ(test::eventDifference(*p.clean, p.decoded), "");
    const auto branches = events(p.decoded, 0, EventKind::Branch);
    ASSERT_EQ(branches.size(), 3u);
    EXPECT_EQ(branches[0].active.bits, 0xffffffe0u);
    EXPECT_EQ(branches[0].taken.bits, 0xaaaaaaa0u);  // odd lanes from 5
    EXPECT_EQ(branches[1].active.bits, 0x55555540u); // even lanes from 6: the leader is lane 6
    EXPECT_EQ(branches[1].taken.bits, 0x55400000u);  // 22 to 30
    EXPECT_EQ(branches[2].active.bits, 0xaaaaaaa0u);
    EXPECT_EQ(branches[2].taken.bits, 0xaaaaa800u); // 11 to 31
    const auto exits = events(p.decoded, 0, EventKind::Exit);
    ASSERT_EQ(exits.size(), 2u);
    EXPECT_EQ(exits[0].active.bits, 0x1fu);
    EXPECT_EQ(exits[1].taken.bits, 0xffffffffu);
}

TEST(Cases, PartialWarpAndGuardedExitAndSecondWarp) {
    // 48 threads: the second warp holds 16. Threads from 40 end early.
    const test::Pair p =
        run(kernel("setp.ge.u32 %p1, %r1, 40;\n@%p1 exit;\nbar.sync 0;\nst.global.u32 [%rd2], 1;\nret;"), {2}, {48});
    EXPECT_EQ(test::eventDifference(*p.clean, p.decoded), "");
    ASSERT_EQ(p.decoded.warps.size(), 4u);
    EXPECT_EQ(p.decoded.warps[1].liveLanes.bits, 0xffffu);
    const auto exits = events(p.decoded, 1, EventKind::Exit);
    ASSERT_EQ(exits.size(), 2u);
    EXPECT_EQ(exits[0].active.bits, 0xff00u); // threads 40 to 47
    EXPECT_EQ(exits[0].taken.bits, 0xff00u);
    EXPECT_EQ(exits[1].active.bits, 0xffu);
    EXPECT_EQ(exits[1].taken.bits, 0xffffu);
    EXPECT_EQ(events(p.decoded, 0, EventKind::Exit).size(), 1u); // nobody of warp 0 ended early: no empty record
    EXPECT_EQ(events(p.decoded, 1, EventKind::BarrierLeave).at(0).active.bits, 0xffu);
}

// Lanes call one of two functions through a table in memory; each has a branch of its own, and odd() goes on through a
// pointer to itself until its number is small.
const std::string throughATable =
    ".func (.param .b32 r) even(.param .b32 n);\n.func (.param .b32 r) odd(.param .b32 n);\n"
    ".global .align 8 .u64 table[2] = {even, odd};\n"
    ".func (.param .b32 r) even(.param .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n"
    "setp.gt.u32 %p1, %r1, 7;\n@%p1 bra Z;\nadd.u32 %r1, %r1, 100;\nZ: st.param.b32 [r], %r1;\nret;\n}\n"
    ".func (.param .b32 r) odd(.param .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<3>;\n"
    "ld.param.u32 %r1, [n];\nsetp.lt.u32 %p1, %r1, 20;\n@%p1 bra Z;\nsub.u32 %r2, %r1, 8;\nmov.u64 %rd1, odd;\n{\n"
    ".param .b32 a;\nst.param.b32 [a], %r2;\n.param .b32 b;\nQ: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
    "call (b), %rd1, (a), Q;\nld.param.b32 %r1, [b];\n}\nZ: st.param.b32 [r], %r1;\nret;\n}\n";

TEST(Cases, FunctionsCalledThroughPointersAreSeen) {
    const test::Pair p =
        run(kernel("and.b32 %r2, %r1, 1;\nmul.wide.u32 %rd3, %r2, 8;\nmov.u64 %rd4, table;\nadd.u64 %rd3, %rd4, %rd3;\n"
                   "ld.global.u64 %rd5, [%rd3];\n{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\n"
                   "Q: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (b), %rd5, (a), Q;\n"
                   "ld.param.b32 %r3, [b];\n}\nst.global.u32 [%rd2], %r3;\nret;",
                   throughATable),
            {3}, {64});
    EXPECT_EQ(test::eventDifference(*p.clean, p.decoded), "");
    const auto branches = events(p.decoded, 0, EventKind::Branch);
    // Even lanes: those above 7 take theirs. Odd lanes: 1 to 19 are below 20, 21 to 31 go on with 13 to 23, of which 13 to
    // 19 (lanes 21 to 27) are; 29 and 31 go on with 13 and 15.
    ASSERT_EQ(branches.size(), 4u);
    EXPECT_EQ(branches[0].active.bits, 0x55555555u);
    EXPECT_EQ(branches[0].taken.bits, 0x55555500u);
    EXPECT_EQ(branches[1].active.bits, 0xaaaaaaaau);
    EXPECT_EQ(branches[1].taken.bits, 0x000aaaaau);
    EXPECT_EQ(branches[2].active.bits, 0xaaa00000u);
    EXPECT_EQ(branches[2].taken.bits, 0x0aa00000u);
    EXPECT_EQ(branches[3].active.bits, 0xa0000000u);
    EXPECT_EQ(branches[3].taken.bits, 0xa0000000u);
    EXPECT_TRUE(p.module.notes.empty());
}

TEST(Cases, FunctionsCarryTheCursorThroughCallsAndRecursion) {
    const std::string f =
        ".func (.param .b32 r) f(.param .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n"
        "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra Z;\nsub.u32 %r2, %r1, 1;\n{\n.param .b32 a;\nst.param.b32 [a], %r2;\n"
        ".param .b32 b;\ncall.uni (b), f, (a);\nld.param.b32 %r3, [b];\n}\nadd.u32 %r1, %r1, %r3;\n"
        "Z: st.param.b32 [r], %r1;\nret;\n}\n";
    const test::Pair p = run(kernel("and.b32 %r2, %r1, 3;\n{\n.param .b32 a;\nst.param.b32 [a], %r2;\n.param .b32 b;\n"
                                    "call.uni (b), f, (a);\nld.param.b32 %r3, [b];\n}\nst.global.u32 [%rd2], %r3;\n"
                                    "setp.gt.u32 %p1, %r3, 2;\n@%p1 bra E;\nE: ret;",
                                    f),
                             {1}, {32});
    EXPECT_EQ(test::eventDifference(*p.clean, p.decoded), "");
    const auto branches = events(p.decoded, 0, EventKind::Branch);
    // n = lane mod 4: all come to n; those with n > 0 call again: depths of 32, 24, 16, 8 lanes; then the kernel's own.
    ASSERT_EQ(branches.size(), 5u);
    EXPECT_EQ(branches[0].active.bits, 0xffffffffu);
    EXPECT_EQ(branches[0].taken.bits, 0x11111111u);
    EXPECT_EQ(branches[1].active.bits, 0xeeeeeeeeu);
    EXPECT_EQ(branches[2].active.bits, 0xccccccccu);
    EXPECT_EQ(branches[3].active.bits, 0x88888888u);
    EXPECT_EQ(branches[4].taken.bits, 0xccccccccu); // 2 + 1 = 3 and 3 + 2 + 1 = 6 are more than 2
}

TEST(Cases, IndexedBranchesAndLoopsAndGuardedBarriers) {
    const test::Pair p =
        run(kernel("and.b32 %r2, %r1, 3;\nmov.u32 %r4, 0;\nT: .branchtargets A, B, C, C;\n"
                   "L: brx.idx %r2, T;\nA: add.u32 %r4, %r4, 1;\nbra J;\nB: add.u32 %r4, %r4, 2;\nbra J;\n"
                   "C: add.u32 %r4, %r4, 3;\nJ: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, %r2;\n@%p1 bra L;\n"
                   "setp.lt.u32 %p2, %r1, 32;\n@%p2 bar.sync 1, 32;\nst.global.u32 [%rd2], %r4;\nret;"),
            {1}, {64});
    EXPECT_EQ(test::eventDifference(*p.clean, p.decoded), "");
    EXPECT_EQ(events(p.decoded, 0, EventKind::BarrierArrive).size(), 1u);
    EXPECT_EQ(events(p.decoded, 1, EventKind::BarrierArrive).size(), 0u); // the guard was false: no empty record
}

TEST(Cases, StaticSharedMemoryAndDirectivesStay) {
    const test::Pair p =
        run(head + ".visible .entry k(.param .u64 out)\n.maxntid 64, 1, 1\n.minnctapersm 2\n{\n"
                   ".shared .align 4 .b8 tile[256];\n.reg .b32 %r<6>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\n"
                   "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, tile;\nadd.u32 %r3, %r3, %r2;\n"
                   "st.shared.u32 [%r3], %r1;\nbar.sync 0;\nld.shared.u32 %r4, [%r3];\nmul.wide.u32 %rd2, %r1, 4;\n"
                   "add.u64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r4;\nret;\n}\n",
            {3}, {64});
    EXPECT_EQ(test::eventDifference(*p.clean, p.decoded), "");
    EXPECT_NE(p.module.ptx.find(".maxntid 64, 1, 1"), std::string::npos);
    EXPECT_NE(p.module.ptx.find(".minnctapersm 2"), std::string::npos);
    EXPECT_EQ(p.module.ptx.find(".shared .align 4 .b8 tile[256]"),
              p.module.ptx.rfind(".shared .align 4 .b8 tile[256]")); // once
}

// 100 iterations: 100 branches, 1 entry (from the warp's row), 1 exit = 101 records of lane 0.
const char* const loopBody = "mov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 100;\n@%p1 bra L;\n"
                             "st.global.u32 [%rd2], %r2;\nret;";

TEST(Cases, AFullStreamCountsExactlyWhatDidNotFit) {
    test::Setup setup;
    // 2 warps of 32 streams; 81 records a warp: lane 0 gets 41 of them.
    setup.recordBytes = (2 * (81 + 128) + 1) * sizeof(Record); // a lane has four more, for what does not fit
    const test::Pair p = run(kernel(loopBody), {1}, {64}, setup);
    ASSERT_EQ(p.decoded.losses.size(), 2u);
    EXPECT_EQ(p.decoded.losses[0].events, 60u);
    EXPECT_EQ(p.decoded.losses[1].events, 60u);
    EXPECT_EQ(p.decoded.warps[0].eventCount, 42u); // the entry and 41 records
    EXPECT_EQ(p.decoded.warps[1].eventCount, 42u);
    const Result<void> valid = validate(p.decoded);
    EXPECT_TRUE(valid.ok()) << valid.error().text();
}

TEST(Cases, ASecondRunWithWhatTheFirstNeededLosesNothing) {
    test::Setup setup;
    setup.recordBytes = (2 * (81 + 128) + 1) * sizeof(Record); // a lane has four more, for what does not fit
    const test::Pair first = run(kernel(loopBody), {1}, {64}, setup);
    RawRecords raw;
    for (std::size_t b = 0; b < ProbeMemory::Count_; ++b)
        raw.buffer[b] = first.raw[b];
    setup.needed = neededRecords(first.memory, raw);
    ASSERT_EQ(setup.needed.size(), 64u);
    EXPECT_EQ(setup.needed[0], 101u);
    EXPECT_EQ(setup.needed[1], 0u);
    setup.recordBytes = (2 * 101 + 256 + 1) * sizeof(Record);
    const test::Pair second = run(kernel(loopBody), {1}, {64}, setup);
    EXPECT_TRUE(second.decoded.losses.empty());
    EXPECT_EQ(test::eventDifference(*second.clean, second.decoded), "");
}

TEST(Cases, FalseAlarmsOfTheChoiceRunClean) {
    // Blocks 1 and 39,999 are "on the beat" of 39,998: no other block may get detail.
    test::Setup setup;
    setup.detail.kind = Detail::Kind::Blocks;
    setup.detail.blocks = {1, 39999};
    const LaunchPlan plan = test::handPlan(kernel("st.global.u32 [%rd2], 1;\nret;"), "k", {40000}, {32}, 64);
    const Result<test::Pair> p = test::runBoth(plan, setup);
    ASSERT_TRUE(p.ok()) << p.error().text();
    EXPECT_EQ(test::eventDifference(*p->clean, p->decoded), "");
    EXPECT_EQ(p->decoded.warps.size(), 2u);
}

// Machine code may read two clocks that stand side by side the other way round: that is no turn of a counter of 32 bits.
TEST(Cases, ClocksThatAreReadTheOtherWayRoundAreOfOneMoment) {
    const test::Pair p = run(kernel(loopBody), {1}, {32}, {});
    std::vector<std::byte> records(p.raw[ProbeMemory::Records].begin(), p.raw[ProbeMemory::Records].end());
    RawRecords raw;
    for (std::size_t b = 0; b < ProbeMemory::Count_; ++b)
        raw.buffer[b] = p.raw[b];
    const std::size_t at = rowAt<Stream>(raw.buffer[ProbeMemory::Streams], 0).first * sizeof(Record);
    Record both[2];
    std::memcpy(both, records.data() + at, sizeof both);
    ASSERT_GT(both[0].what, 0u);
    ASSERT_GT(both[1].what, 0u);
    both[1].clock = both[0].clock - 5;
    std::memcpy(records.data() + at, both, sizeof both);
    raw.buffer[ProbeMemory::Records] = records;
    RecordOptions options;
    options.alignClocks = false;
    const LaunchPlan plan = test::handPlan(kernel(loopBody), "k", {1}, {32}, 1024);
    const Result<Trace> t = readRecords(ptx::Module{}, p.module, p.memory, plan, raw, options);
    ASSERT_TRUE(t.ok()) << t.error().text();
    ASSERT_EQ(t->warps[0].eventCount, p.decoded.warps[0].eventCount);
    EXPECT_EQ(t->event(t->warps[0], 2).time, t->event(t->warps[0], 1).time);
    EXPECT_EQ(t->warps[0].end, p.decoded.warps[0].end);
}

// Warp 1 asks from its beginning on for a phase that thread 0 ends after 300 turns. However the loop jumps, the wait ends where the
// phase is known to be over, which is behind the arrival, and what the program does behind it comes later.
TEST(Cases, AWaitEndsWhereItsLoopIsLeft) {
    const std::string tries = "AGAIN: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0;\n";
    for (const std::string& loop : {tries + "@!%p3 bra AGAIN;\n", tries + "@%p3 bra PASSED;\nbra AGAIN;\nPASSED:\n"}) {
        std::string ptx =
            kernel("setp.ne.s32 %p1, %r1, 0;\n@%p1 bra MADE;\nmbarrier.init.shared.b64 [bar], 1;\nMADE: bar.sync 0;\n"
                   "setp.ge.u32 %p2, %r1, 32;\n@%p2 bra WAITS;\nmov.u32 %r4, 0;\n"
                   "TURN: add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 300;\n@%p1 bra TURN;\n"
                   "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra END;\nmbarrier.arrive.shared.b64 %rd3, [bar];\nbra END;\n"
                   "WAITS: mov.u32 %r5, 1;\n" +
                       loop + "st.global.u32 [%rd2], 1;\nEND: ret;",
                   ".shared .align 8 .b64 bar;\n");
        ptx.replace(ptx.find("sm_75"), 5, "sm_90");
        test::Setup setup;
        setup.options.flatBlocks = true; // as on a GPU
        const test::Pair p = run(ptx, {1}, {64}, setup);
        ASSERT_FALSE(p.probedRun.fault) << p.probedRun.fault->text();
        const auto timeOf = [&](PhaseEventKind kind, std::uint32_t warp) {
            const auto& all = p.decoded.phaseEvents;
            const auto e =
                std::find_if(all.begin(), all.end(), [&](const auto& x) { return x.kind == kind && x.warp == warp; });
            EXPECT_NE(e, all.end()) << loop;
            return e == all.end() ? std::int64_t(-1) : e->time.value;
        };
        const std::int64_t asks = timeOf(PhaseEventKind::Wait, 1), passes = timeOf(PhaseEventKind::Pass, 1),
                           arrives = timeOf(PhaseEventKind::Arrive, 0);
        EXPECT_LT(asks, arrives) << loop;
        EXPECT_GT(passes, arrives) << loop;
        EXPECT_LT(passes, arrives + 1000) << loop; // a clock that nobody has read is 2^32 away
        EXPECT_LT(passes, p.decoded.warps[1].end.value) << loop;
    }
}

// 12 warps in slots 0 to 11: a Fermi SM has two schedulers, a Hopper SM four.
TEST(Cases, SlotsAreDealtToTheSchedulersOfTheDevice) {
    for (const auto& [major, schedulers] : {std::pair(2, 2), std::pair(9, 4)}) {
        const test::Pair p = run(kernel(loopBody), {1}, {12 * 32}, {});
        RawRecords raw;
        for (std::size_t b = 0; b < ProbeMemory::Count_; ++b)
            raw.buffer[b] = p.raw[b];
        const LaunchPlan plan = test::handPlan(kernel(loopBody), "k", {1}, {12 * 32}, 1024);
        RecordOptions options;
        options.alignClocks = false;
        options.info.ccMajor = major;
        const Result<Trace> t = readRecords(ptx::Module{}, p.module, p.memory, plan, raw, options);
        ASSERT_TRUE(t.ok()) << t.error().text();
        ASSERT_EQ(t->warps.size(), 12u);
        std::set<int> slots;
        for (const Warp& warp : t->warps) {
            EXPECT_EQ(int(warp.scheduler), warp.slot % schedulers) << major;
            slots.insert(warp.slot);
        }
        EXPECT_EQ(slots.size(), 12u);
    }
}

// Of 64 threads the first warp multiplies, the second one passes by: a branch that each warp takes as a whole.
TEST(Cases, InstructionsOnMatricesPassThrough) {
    const test::Pair p =
        run(kernel("mov.b32 %r4, 0;\nmov.b32 %r5, 0;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra DONE;\n"
                   "movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r1;\n"
                   "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r4, %r5}, {%r3}, {%r1}, {%r4, %r5};\n"
                   "wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {%r6}, [%rd1];\n"
                   "DONE: st.global.u32 [%rd2], %r4;\nret;"),
            {1}, {64});
    EXPECT_EQ(test::eventDifference(*p.clean, p.decoded), "");
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
        const auto branches = events(p.decoded, warp, EventKind::Branch);
        ASSERT_EQ(branches.size(), 1u);
        EXPECT_EQ(branches[0].active.bits, 0xffffffffu);
        EXPECT_EQ(branches[0].taken.bits, warp == 0 ? 0u : 0xffffffffu);
    }
}

// The device gives no parameter buffer: here since 0 is no function, on a GPU mostly since too many launches wait. The
// code jumps over the launch, and the launch is lost all the same. Thread 3 of each of 2 blocks asks.
TEST(Cases, LaunchesWithoutAParameterBufferAreDropped) {
    const std::string runtime =
        ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], "
        ".param .align 4 .b8 b[12], .param .b32 s);\n"
        ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);\n";
    const auto shape = [](const char* name, int x) {
        return fmt::format(".param .align 4 .b8 {0}[12];\nst.param.b32 [{0}+0], {1};\nst.param.b32 [{0}+4], 1;\n"
                           "st.param.b32 [{0}+8], 1;\n",
                           name, x);
    };
    const std::string body = "setp.ne.u32 %p1, %r1, 3;\n@%p1 bra END;\n"
                             "{\n.param .b64 f;\nst.param.b64 [f+0], 0;\n" +
                             shape("g", 5) + shape("b", 64) +
                             ".param .b32 s;\nst.param.b32 [s+0], 0;\n.param .b64 r;\n"
                             "call.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s);\n"
                             "ld.param.b64 %rd3, [r+0];\n}\nsetp.eq.s64 %p2, %rd3, 0;\n@%p2 bra END;\n"
                             "{\n.param .b64 p;\nst.param.b64 [p+0], %rd3;\n.param .b64 t;\nst.param.b64 [t+0], 3;\n"
                             ".param .b32 e;\ncall.uni (e), __cudaCDP2LaunchDeviceV2, (p, t);\n"
                             "ld.param.b32 %r3, [e+0];\n}\nEND: ret;";
    const test::Pair p = run(kernel(body, runtime), {2}, {32});
    ASSERT_EQ(p.decoded.launches.size(), 3u);
    EXPECT_EQ(p.decoded.launches[0].status, LaunchStatus::Ran);
    std::set<std::uint32_t> blocks;
    for (std::size_t n = 1; n < 3; ++n) {
        const Launch& lost = p.decoded.launches[n];
        EXPECT_EQ(lost.status, LaunchStatus::Dropped);
        EXPECT_NE(lost.reason.find("no parameter buffer"), std::string::npos) << lost.reason;
        EXPECT_EQ(lost.grid.x, 5u);
        EXPECT_EQ(lost.block.x, 64u);
        EXPECT_EQ(lost.parentLaunch, 0u);
        EXPECT_EQ(lost.parentThread, 3u);
        EXPECT_EQ(lost.depth, 1u);
        EXPECT_EQ(lost.stream, StreamKind::Tail);
        EXPECT_EQ(p.decoded.sites.at(lost.site).kind, SiteKind::Launch);
        blocks.insert(lost.parentBlock);
    }
    EXPECT_EQ(blocks, (std::set<std::uint32_t>{0, 1}));
}

TEST(Cases, DamagedRecordsAreLeftOutAndTold) {
    test::Setup setup;
    test::Pair p = run(kernel(loopBody), {1}, {32}, setup);
    std::vector<std::byte>& records = p.raw[ProbeMemory::Records];
    const std::size_t third = 3 * sizeof(Record) + offsetof(Record, what); // record 0 is nobody's
    for (std::size_t i = 0; i < 3; ++i)
        records[third + i] = std::byte(0xee);
    RawRecords raw;
    for (std::size_t b = 0; b < ProbeMemory::Count_; ++b)
        raw.buffer[b] = p.raw[b];
    const LaunchPlan plan = test::handPlan(kernel(loopBody), "k", {1}, {32}, 1024);
    const auto module = ptx::Module{};
    RecordOptions options;
    options.alignClocks = false;
    const Result<Trace> t = readRecords(module, p.module, p.memory, plan, raw, options);
    ASSERT_TRUE(t.ok()) << t.error().text();
    EXPECT_EQ(t->warps.at(0).eventCount, 3u); // entry and two records
    ASSERT_EQ(t->diagnostics.size(), 1u);
    EXPECT_NE(t->diagnostics[0].message.find("name no place"), std::string::npos);
    // Too few bytes: an error, no crash.
    raw.buffer[ProbeMemory::Warps] = {};
    EXPECT_FALSE(readRecords(module, p.module, p.memory, plan, raw, options).ok());
}

} // namespace
} // namespace warpglass::probe
