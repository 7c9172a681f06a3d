// SPDX-License-Identifier: GPL-3.0-or-later
// What each pass from PTX to machine code does, on a few lines of PTX: costs are those of cost_table.cpp's rows and of the
// H200's figures (an addition 4 cycles), the rest is worked out beside each case.
#include "gpu/device/limit.h"
#include "gpu/emulator/decode/decode.h"
#include "gpu/emulator/timing/passes.h"
#include "gpu/ptx/parse.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpglass::emulator {
namespace {

class Code {
public:
    // body: its first line is position 0.
    explicit Code(const std::string& body, const std::string& target = "sm_90", LimitSet gone = {})
        : m_timing(without(timingOf(*findDevice("h200")), gone)) {
        auto module =
            ptx::parse(fmt::format(".version 8.0\n.target {}\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
                                   "{{\n.reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<8>;\n"
                                   ".shared .align 16 .b8 tile[256];\n{}\nret;\n}}\n",
                                   target, body),
                       "k.ptx");
        EXPECT_TRUE(module) << (module ? "" : module.error().text());
        m_module = std::move(*module);
        Symbols symbols;
        symbols.variables["tile"] = {ptx::StateSpace::Shared, 0};
        auto program = decode(m_module, 0, symbols, 0);
        EXPECT_TRUE(program) << (program ? "" : program.error().text());
        m_program = std::move(*program);
        t = std::make_unique<Translation>(m_program, m_timing);
    }
    // Runs the passes before that one.
    Code& before(std::string_view name) {
        for (const Pass& pass : passes()) {
            if (pass.name == name)
                return *this;
            if (pass.isFor(*t))
                pass.run(*t);
        }
        ADD_FAILURE() << name;
        return *this;
    }
    const MachineOp& at(std::size_t k) const { return t->code.ops[k]; }
    std::uint32_t written(std::size_t k) const { return t->code.writes(at(k)).front(); }

    std::unique_ptr<Translation> t;

private:
    DeviceTiming m_timing;
    ptx::Module m_module;
    Program m_program;
};

} // namespace

TEST(Passes, AreRunInOneOrderAndNotAllOnCodeThatIsNotOptimised) {
    std::string all, debug;
    const Code optimised("bar.sync 0;"), asWritten("bar.sync 0;", "sm_90, debug");
    for (const Pass& pass : passes()) {
        all += pass.isFor(*optimised.t) ? fmt::format("{} ", pass.name) : "";
        debug += pass.isFor(*asWritten.t) ? fmt::format("{} ", pass.name) : "";
    }
    EXPECT_EQ(all, "registers cost reciprocals atomics arrays join fuse predicate unroll traits schedule at-once ");
    EXPECT_EQ(debug, "registers cost as-written atomics traits at-once ");
}

// A store to shared memory waits for its address alone: what it stores is waited for by what comes behind it.
TEST(PassRegisters, TellsWhatIsReadWrittenAndAwaited) {
    Code code("add.u32 %r3, %r1, %r2;\nst.shared.u32 [%r4], %r3;\nst.global.u32 [%rd1], %r3;");
    nameRegisters(*code.t);
    const MachineCode& machine = code.t->code;
    EXPECT_EQ(machine.reads(code.at(0)).size(), 2U);
    const std::uint32_t sum = code.written(0);
    EXPECT_EQ(machine.awaited(code.at(1)).size(), 1U);
    ASSERT_EQ(machine.stored(code.at(1)).size(), 1U);
    EXPECT_EQ(machine.stored(code.at(1))[0], sum);
    EXPECT_EQ(machine.awaited(code.at(2)).size(), 2U);
    EXPECT_TRUE(machine.stored(code.at(2)).empty());
    EXPECT_EQ(code.t->users[sum], (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(code.at(1).line, code.at(0).line + 1);
    EXPECT_EQ(machine.order, (std::vector<std::uint32_t>{0, 1, 2, 3, 4})); // ret, and the function's end
}

// What ptxas of CUDA 13.0 makes of these two for sm_90a: 16 conversions of a register into two of halves (8 of a, which both
// read, and 4 of each b), 4 products of halves, 8 additions. A product of halves keeps its unit for 6 cycles, so that two of them
// take 12 slots of a cycle if what is beside them takes less.
TEST(PassCost, MakesProductsOfShortFloatsOfHalves) {
    const std::string product = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 ";
    Code code(product + "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};\n" + product +
              "{%f4, %f5, %f6, %f7}, {%r0, %r1, %r2, %r3}, {%r6, %r7}, {%f4, %f5, %f6, %f7};\n"
              "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
              "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};");
    code.before("atomics");
    EXPECT_EQ(code.at(0).slots, 8 + 4 + 2 + 4);
    EXPECT_EQ(code.at(1).slots, std::max(4 + 2 + 4, 2 * 6));
    EXPECT_EQ(code.at(0).busy, 1);
    EXPECT_EQ(code.at(1).busy, 1);
    EXPECT_EQ(code.at(2).slots, 1);
    EXPECT_EQ(code.at(2).busy, 6);
}

// As ptxas of CUDA 13.0 makes them for sm_80 and later: HADD2.F32, F2FP, a shift; four of logic; F2I and F2F are the unit's.
TEST(PassCost, ConvertsBetweenShortAndLongFloatsOutsideTheUnitForConversions) {
    Code code(
        ".reg .b16 %h<4>;\ncvt.f32.f16 %f1, %h1;\ncvt.rn.f16.f32 %h2, %f1;\ncvt.rn.bf16x2.f32 %r1, %f1, %f2;\n"
        "cvt.f32.bf16 %f3, %h1;\ncvt.rn.satfinite.e4m3x2.f32 %h3, %f1, %f2;\ncvt.rn.f16x2.e4m3x2 %r2, %h3;\n"
        "cvt.rna.tf32.f32 %r3, %f1;\ncvt.rzi.s32.f32 %r4, %f1;\ncvt.rzi.f32.f32 %f4, %f1;\ncvt.rn.f16.s32 %h1, %r4;");
    code.before("atomics");
    EXPECT_EQ(code.at(0).pipe, Pipe::Imad); // two a cycle, cvt/f32_f16
    EXPECT_EQ(code.at(3).pipe, Pipe::Add);  // four
    EXPECT_EQ(code.at(3).latency, 5);
    for (const std::size_t k : {1u, 2u, 4u, 5u})
        EXPECT_EQ(code.at(k).pipe, Pipe::Alu) << k;
    EXPECT_EQ(code.at(6).pipe, Pipe::Add);
    for (const std::size_t k : {0u, 1u, 2u, 3u, 4u, 5u})
        EXPECT_EQ(code.at(k).slots, 1) << k;
    EXPECT_EQ(code.at(6).slots, 4);
    for (const std::size_t k : {7u, 8u, 9u})
        EXPECT_EQ(code.at(k).pipe, Pipe::Xu) << k;
}

TEST(PassCost, TakesEachInstructionByItself) {
    Code code("add.u32 %r3, %r1, %r2;\nadd.u64 %rd3, %rd1, %rd2;\nmov.u32 %r5, %r3;\ndiv.rn.f32 %f1, %f2, %f3;\n"
              "ld.global.u32 %r6, [%rd1];\nld.volatile.global.u32 %r6, [%rd1];\nld.shared.u32 %r7, [%r1];\n"
              "mov.u32 %r8, %ntid.x;\nmov.u32 %r9, %tid.x;\nld.param.u64 %rd4, [p];");
    nameRegisters(*code.t);
    takeCosts(*code.t);
    const auto is = [&](std::size_t k, Pipe pipe, int slots) {
        EXPECT_EQ(int(code.at(k).slots), slots) << k;
        EXPECT_TRUE(slots == 0 || code.at(k).pipe == pipe) << k;
    };
    is(0, Pipe::Add, 1);
    EXPECT_EQ(code.at(0).latency, 4);
    is(1, Pipe::Add, 2);
    is(2, Pipe::Alu, 0); // renamed away
    is(3, Pipe::Fma, 9);
    EXPECT_EQ(int(code.at(3).special), 2); // a reciprocal and the check
    is(4, Pipe::Lsu, 1);
    EXPECT_FALSE(code.at(4).strong);
    EXPECT_TRUE(code.at(5).strong);
    EXPECT_EQ(code.at(4).wait, WarpState::StallLongScoreboard);
    is(6, Pipe::Mio, 1);
    EXPECT_EQ(code.at(6).wait, WarpState::StallShortScoreboard);
    is(7, Pipe::Alu, 0); // from constant memory
    is(8, Pipe::Xu, 1);
    is(9, Pipe::Alu, 0); // a parameter, too
}

// Of moves two instructions are left each, 15 cycles apart, and each waits for all before it; 128 bytes hold eight.
TEST(PassAsWritten, KeepsWhatPtxasWouldTakeAway) {
    Code code("mov.u32 %r1, %r2;\nmov.u32 %r3, %r1;\nmov.u32 %r4, %r3;\nmov.u32 %r5, %r4;\nmov.u32 %r6, %r5;",
              "sm_90, debug");
    code.before("as-written");
    EXPECT_EQ(code.at(0).fetch, 0U);
    leaveAsWritten(*code.t);
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(int(code.at(k).slots), 2) << k;
        EXPECT_EQ(int(code.at(k).gap), 15) << k;
        EXPECT_TRUE(code.at(k).alone) << k;
        EXPECT_EQ(code.at(k).fetch, 1 + 2 * (k + 1) / 8) << k; // the fourth of them fills the first line
    }
    EXPECT_GE(code.t->code.fetches, 3U);
}

TEST(PassAtomics, CombinesWhatGoesToOneAddress) {
    Code code("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"
              "red.global.add.u32 [%rd1], 1;\nred.global.add.u32 [%rd3], 1;\nred.global.add.f32 [%rd1], %f1;\n"
              "atom.global.add.u64 %rd4, [%rd1], %rd2;\natom.shared.add.f32 %f2, [tile], %f1;\natom.shared.add.u32 "
              "%r2, [tile], %r1;");
    code.before("atomics");
    combineAtomics(*code.t);
    EXPECT_TRUE(code.at(4).atomic.combined);
    EXPECT_FALSE(code.at(5).atomic.combined); // each lane's own word
    EXPECT_FALSE(code.at(6).atomic.combined); // ptxas keeps the order of floats
    EXPECT_TRUE(code.at(6).atomic.floats);
    EXPECT_FALSE(code.at(7).atomic.combined); // 64 bits that differ by lane
    EXPECT_TRUE(code.at(8).atomic.loops);     // shared memory adds integers of 32 bits alone
    EXPECT_FALSE(code.at(9).atomic.loops);
}

// 16 bytes: four words, by as many moves. 64 stay in memory.
TEST(PassArrays, PutsSmallOnesIntoRegisters) {
    for (const int bytes : {16, 64}) {
        Code code(fmt::format(
            ".local .align 4 .b8 a[{}];\nmov.u64 %rd1, a;\ncvta.local.u64 %rd2, %rd1;\nst.local.u32 [%rd1+4], %r1;",
            bytes));
        code.before("arrays");
        EXPECT_EQ(code.at(2).pipe, Pipe::Lsu);
        keepInRegisters(*code.t);
        EXPECT_EQ(code.at(2).pipe, bytes == 16 ? Pipe::Alu : Pipe::Lsu);
        EXPECT_EQ(int(code.at(2).slots), bytes == 16 ? 4 : 1);
    }
}

// Words 4 and 8 lie side by side but not within 8 bytes; 8 and 12 do, and so do 16 to 28, within 16.
TEST(PassJoin, MakesOneLoadOfNeighbours) {
    Code code("ld.shared.u32 %r1, [tile+4];\nld.shared.u32 %r2, [tile+12];\nld.shared.u32 %r3, [tile+8];\n"
              "bar.sync 0;\n"
              "ld.shared.u32 %r4, [tile+16];\nld.shared.u32 %r5, [tile+20];\nld.shared.u32 %r6, "
              "[tile+24];\nld.shared.u32 %r7, [tile+28];");
    code.before("join");
    joinLoads(*code.t);
    EXPECT_EQ(int(code.at(0).joinedBytes), 0);
    EXPECT_EQ(int(code.at(1).joinedBytes), 8); // the first of the two in the code
    EXPECT_EQ(int(code.at(1).joinedFrom), -4);
    EXPECT_EQ(int(code.at(2).slots), 0);
    EXPECT_EQ(code.t->code.reads(code.at(2))[0], code.written(1)); // it is there when that one is
    EXPECT_EQ(int(code.at(4).joinedBytes), 16);
    for (std::size_t k = 5; k < 8; ++k)
        EXPECT_EQ(int(code.at(k).slots), 0) << k;
}

TEST(PassFuse, MakesProductsAndConstantsPartOfWhatTheyFeed) {
    Code code(
        "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, %rd2;\nadd.u64 %rd4, %rd3, 16;\nld.global.u32 %r2, [%rd4];\n"
        "and.b32 %r3, %r1, %r2;\nxor.b32 %r4, %r3, %r2;\nmul.wide.u32 %rd5, %r2, 8;\nst.global.u64 [%rd3], %rd5;");
    code.before("fuse");
    EXPECT_EQ(int(code.at(1).slots), 2);
    fuse(*code.t);
    EXPECT_EQ(int(code.at(0).slots), 0); // IMAD.WIDE
    EXPECT_EQ(int(code.at(1).slots), 1);
    EXPECT_EQ(code.at(1).pipe, Pipe::Imad);
    EXPECT_EQ(int(code.at(2).slots), 0); // [R+16]
    EXPECT_EQ(int(code.at(4).slots), 0); // LOP3
    EXPECT_EQ(int(code.at(5).slots), 1);
    EXPECT_EQ(int(code.at(6).slots), 1); // its product is stored, not added
}

// Twelve instructions are predicated, thirteen are jumped over; and a barrier is, however short the way.
TEST(PassPredicate, TakesShortBranchesAway) {
    const auto of = [](int additions, const char* other = "") {
        std::string body = "@%p1 bra OVER;\n";
        for (int n = 0; n < additions; ++n)
            body += "add.u32 %r1, %r1, %r2;\n";
        Code code(body + other + "OVER:\nst.global.u32 [%rd1], %r1;");
        code.before("predicate");
        EXPECT_TRUE(code.at(0).branch);
        predicate(*code.t);
        EXPECT_EQ(code.at(0).branch, !code.at(0).predicated);
        EXPECT_EQ(code.at(0).slots == 0, code.at(0).predicated);
        return code.at(0).predicated;
    };
    EXPECT_TRUE(of(12));
    EXPECT_FALSE(of(13));
    EXPECT_FALSE(of(1, "bar.sync 0;\n"));
}

// By four where nobody knows how often it goes round; where it is known, until 220 instructions are reached: the load, the
// sum and the way back are three, so that 73 rounds go together.
TEST(PassUnroll, SaysHowManyRoundsGoTogether) {
    for (const bool known : {false, true}) {
        Code code(
            fmt::format("mov.u32 %r1, 0;\nAGAIN:\nld.global.u32 %r3, [%rd1];\nadd.u32 %r4, %r4, %r3;\n"
                        "add.u64 %rd1, %rd1, 4;\nadd.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, {};\n@%p1 bra AGAIN;\n"
                        "st.global.u32 [%rd2], %r4;",
                        known ? "512" : "%r5"));
        code.before("unroll");
        EXPECT_EQ(int(code.at(1).rounds), 0);
        unrollLoops(*code.t);
        EXPECT_EQ(int(code.at(1).rounds), known ? 73 : 4);
        EXPECT_TRUE(code.at(2).defers);    // the sum waits for the load, and holds up nothing
        EXPECT_TRUE(code.at(4).goesAlong); // counting
        EXPECT_TRUE(code.at(6).goesRound);
        EXPECT_EQ(code.at(6).roundsKnown, known);
        EXPECT_EQ(int(code.at(7).rounds), 0);
    }
}

TEST(PassTraits, SaysWhatAnSmAsksOfAnInstruction) {
    Code code("@%p1 bra END;\nbar.sync 0;\nmembar.gl;\nshfl.sync.idx.b32 %r1, %r2, 0, 31, -1;\nst.global.u32 [%rd1], "
              "%r1;\nEND:");
    code.before("traits");
    setTraits(*code.t);
    EXPECT_TRUE(code.at(0).is(Trait::Conditional));
    EXPECT_TRUE(code.at(1).is(Trait::Barrier));
    EXPECT_TRUE(code.at(1).is(Trait::AfterStores));
    EXPECT_TRUE(code.at(2).is(Trait::Fence));
    EXPECT_TRUE(code.at(3).is(Trait::Shuffle));
    EXPECT_FALSE(code.at(4).is(Trait::AfterStores));
    EXPECT_TRUE(code.at(5).is(Trait::Exit));
}

// Both loads go first; no load passes a store, and nothing passes the end of its piece.
TEST(PassSchedule, PutsLoadsBeforeWhatWaitsForOthers) {
    Code code("ld.global.u32 %r1, [%rd1];\nadd.u32 %r3, %r1, 1;\nld.global.u32 %r2, [%rd2];\nadd.u32 %r4, %r2, %r3;\n"
              "st.global.u32 [%rd1], %r4;\nld.global.u32 %r5, [%rd2];\nst.global.u32 [%rd2], %r5;");
    code.before("schedule");
    schedule(*code.t);
    EXPECT_EQ(code.t->code.order, (std::vector<std::uint32_t>{0, 2, 1, 3, 4, 5, 6, 7, 8}));
}

// A copy waits for its address, and the second load does not wait for the copy; copies stay in their order, and a load of the
// block's memory, where a copy may lie, behind them.
TEST(PassSchedule, LetsOthersPassCopiesByLane) {
    const auto copies = [](const char* from, const char* behind) {
        return fmt::format("ld.global.u32 %r1, [%rd1];\ncp.async.ca.shared.global [%r1], [%rd2], 4;\n"
                           "ld.{}.u32 %r2, [{}];\n{}",
                           from, std::string_view(from) == "global" ? "%rd3" : "tile", behind);
    };
    Code two(copies("global", "cp.async.ca.shared.global [%r2], [%rd2], 4;\n"));
    two.before("schedule");
    schedule(*two.t);
    EXPECT_EQ(two.t->code.order, (std::vector<std::uint32_t>{0, 2, 1, 3, 4, 5}));
    Code read(copies("shared", ""));
    read.before("schedule");
    schedule(*read.t);
    EXPECT_EQ(read.t->code.order, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

// A quotient of whole numbers is 19 instructions and takes 130 cycles: 18 from slot to slot, 112 behind the last. The second one
// by %r2 needs no reciprocal: 13, and 12 + 57 = 69 cycles. By another divisor there is none yet; a new value of %r2 has none
// either.
TEST(PassReciprocals, AreMadeOnceForADivisor) {
    Code code("div.u32 %r3, %r1, %r2;\nrem.u32 %r4, %r5, %r2;\ndiv.u32 %r6, %r1, %r7;\nadd.u32 %r2, %r2, 1;\n"
              "div.u32 %r8, %r1, %r2;\ndiv.s32 %r9, %r9, %r7;\ndiv.s32 %r10, %r9, %r9;");
    code.before("atomics");
    const auto isAs = [&](std::size_t k, int slots, int special, int latency) {
        EXPECT_EQ(code.at(k).slots, slots) << k;
        EXPECT_EQ(code.at(k).gap, 1) << k;
        EXPECT_EQ(code.at(k).special, special) << k;
        EXPECT_EQ(code.at(k).latency, latency) << k;
    };
    isAs(0, 19, 3, 112);
    isAs(1, 13, 0, 57);
    isAs(2, 19, 3, 112);
    isAs(4, 19, 3, 112);
    isAs(5, 19, 0, 61);
    isAs(6, 23, 3, 136);
}

// Ones that nobody asks back are counted before they are added; other numbers and old values that are used are not.
TEST(PassAtomics, CountsOnesInSharedMemory) {
    Code code("atom.shared.add.u32 %r1, [%r4], 1;\nred.shared.add.u32 [%r4], 1;\nred.shared.add.u32 [%r4], 2;\n"
              "atom.shared.add.u32 %r2, [%r4], 1;\nred.global.add.u32 [%rd1], 1;\nadd.u32 %r3, %r2, %r2;");
    code.before("arrays");
    for (const auto& [k, counts] : {std::pair{0, true}, {1, true}, {2, false}, {3, false}, {4, false}})
        EXPECT_EQ(code.at(std::size_t(k)).atomic.counts, counts) << k;
}

// What each orders, by its words alone.
TEST(PassCost, TellsFencesApart) {
    const std::pair<const char*, FenceKind> cases[] = {
        {"membar.cta;", FenceKind::Block},
        {"membar.gl;", FenceKind::Device},
        {"fence.acq_rel.cluster;", FenceKind::Device},
        {"fence.sc.sys;", FenceKind::System},
        {"fence.proxy.async;", FenceKind::Proxy},
        {"fence.proxy.async.shared::cta;", FenceKind::ProxyShared},
        {"fence.mbarrier_init.release.cluster;", FenceKind::Barrier},
        {"nanosleep.u32 100;", FenceKind::Sleep},
        {"barrier.cluster.arrive.aligned;", FenceKind::Device},
        {"barrier.cluster.arrive.relaxed.aligned;", FenceKind::Count_},
        {"barrier.cluster.wait.aligned;", FenceKind::Count_},
        {"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];", FenceKind::Device},
        {"mbarrier.arrive.shared::cta.b64 _, [%r1];", FenceKind::Count_},
        {"bar.sync 0;", FenceKind::Count_}};
    for (const auto& [text, kind] : cases) {
        Code code(text);
        EXPECT_EQ(code.before("atomics").at(0).fence, kind) << text;
    }
}

// A whole division of 32 bits is 19 instructions, 3 of them on the unit for special functions: its warp has issued the last one
// 18 cycles behind the first. Where slots are no limit it takes one slot, and comes as late. A reciprocal is one instruction of
// that unit and stays it. A root is four instructions, 9 cycles apart: 27.
TEST(PassAtOnce, LetsSlotsBeNoLimit) {
    const char* const body = "div.u32 %r1, %r2, %r3;\nrcp.approx.ftz.f32 %f1, %f2;\nmov.u32 %r4, %r1;\n"
                             "rsqrt.approx.f32 %f3, %f2;";
    Code real(body), free(body, "sm_90", LimitSet().with(Limit::Issue));
    for (Code* const code : {&real, &free}) {
        code->before("at-once");
        issueAtOnce(*code->t);
    }
    EXPECT_EQ(real.at(0).slots, 19);
    EXPECT_EQ(real.at(0).gap, 1);
    EXPECT_EQ(real.at(0).special, 3);
    EXPECT_EQ(real.at(0).ahead, 0);
    EXPECT_EQ(free.at(0).slots, 1);
    EXPECT_EQ(free.at(0).ahead, 18);
    EXPECT_EQ(free.at(0).latency, real.at(0).latency);
    EXPECT_EQ(free.at(3).ahead, 27);
    EXPECT_EQ(free.at(0).special, 0);
    EXPECT_EQ(free.at(1).slots, 1);
    EXPECT_EQ(free.at(1).ahead, 0);
    EXPECT_EQ(free.at(1).pipe, Pipe::Xu);
    EXPECT_EQ(free.at(2).slots, 0); // what is gone stays gone
}

} // namespace warpglass::emulator
