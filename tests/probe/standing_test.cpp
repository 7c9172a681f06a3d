// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom by the last records of probes, in launches that never end: made by the emulator, which runs the kernels
// with probes until its limit. What stands where is worked out by hand from the PTX below.
#include "gpu/emulator/emulator.h"
#include "gpu/probe/named_places.h"
#include "gpu/probe/standing.h"
#include "gpu/ptx/parse.h"
#include "tests/probe/run.h"

#include <gtest/gtest.h>

namespace warpglass::probe {
namespace {

constexpr const char* standingHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

// Records of a launch that does not end, as they lie in memory when it is given up.
Trace unfinished(const LaunchPlan& plan, std::uint64_t recordBytes) {
    Result<ptx::Module> module = ptx::parse(plan.ptx, plan.moduleName);
    EXPECT_TRUE(module.ok()) << module.error().text();
    Result<ProbedModule> probed = insertProbes(*module, {});
    EXPECT_TRUE(probed.ok()) << probed.error().text();
    Detail all;
    all.kind = Detail::Kind::All;
    MemoryBudget budget = standardBudget(*probed);
    budget.recordBytes = recordBytes;
    Result<ProbeMemory> memory =
        planMemory(*probed, plan.grid, plan.block, *chosenBlocks(all, plan.grid.count()), budget);
    EXPECT_TRUE(memory.ok()) << memory.error().text();
    RunOptions options;
    options.instructionLimit = 20'000;
    options.checkMemory = false;
    options.threads = 1;
    Progress progress;
    const LaunchPlan with = probedPlan(plan, *probed, *memory);
    const Result<Recording> run = makeEmulator()->run(with, options, progress);
    EXPECT_TRUE(run.ok() && run->fault) << "it ends";
    RawRecords raw;
    for (std::size_t b = 0; b < ProbeMemory::Count_; ++b)
        raw.buffer[b] = run->buffers.at(with.arguments.size() + plan.globalBuffers.size() + b);
    RecordOptions how;
    how.alignClocks = false;
    how.unfinished = true;
    Result<Trace> trace = readRecords(*module, *probed, *memory, plan, raw, how);
    EXPECT_TRUE(trace.ok()) << trace.error().text();
    return trace ? std::move(*trace) : Trace{};
}

std::string textOf(const HangWait& wait) {
    return wait.what.text() + " / " + wait.why.text();
}

// A block of three warps. Warp 2 leaves. Thread 0 arrives at an mbarrier that was made for two, and warp 0 polls it at its
// line 22; warp 1 waits at the barrier of line 25, to which 64 threads would have to come.
constexpr const char* polls = R"(.visible .entry polls(.param .u64 out)
{
.reg .pred %p<4>;
.reg .b32 %r<4>;
.reg .b64 %rd<2>;
.shared .align 8 .b64 bar;
mov.u32 %r1, %tid.x;
setp.ne.s32 %p1, %r1, 0;
@%p1 bra MADE;
mbarrier.init.shared.b64 [bar], 2;
MADE:
bar.sync 0;
shr.u32 %r2, %r1, 5;
setp.eq.s32 %p2, %r2, 1;
@%p2 bra MEETS;
setp.eq.s32 %p2, %r2, 2;
@%p2 bra DONE;
setp.ne.s32 %p1, %r1, 0;
@%p1 bra AGAIN;
mbarrier.arrive.shared.b64 %rd1, [bar];
AGAIN:
mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0;
@!%p3 bra AGAIN;
MEETS:
bar.sync 1, 64;
DONE:
ret;
}
)";
constexpr std::uint32_t headLines = 3, pollLine = headLines + 22, meetLine = headLines + 25;

// tells: all records fitted, so that arrivals can be summed up: thread 0's alone came, and nobody else ever arrived there.
void expectPolls(const Trace& trace, bool tells) {
    const Standings standings = standingOf(trace);
    EXPECT_EQ(standings.blocks, 1u);
    ASSERT_EQ(standings.waits.size(), 2u);
    const HangWait *barrier = &standings.waits[0], *mbarrier = &standings.waits[1];
    if (barrier->kind != HangKind::Barrier)
        std::swap(barrier, mbarrier);
    EXPECT_EQ(mbarrier->kind, HangKind::Mbarrier);
    EXPECT_EQ(mbarrier->ptxLine, pollLine);
    EXPECT_EQ(mbarrier->warps, "0");
    EXPECT_EQ(mbarrier->lanes, 32u);
    if (tells) {
        EXPECT_EQ(mbarrier->phase, 0u);
        EXPECT_EQ(mbarrier->arrivalsExpected, 2u);
        EXPECT_EQ(mbarrier->arrivalsMissing, 1u);
        EXPECT_NE(textOf(*mbarrier).find("phase 0 of the mbarrier bar, to which 1 of 2 arrivals have not come"),
                  std::string::npos)
            << textOf(*mbarrier);
        EXPECT_NE(textOf(*mbarrier).find("it was made for 2 arrivals at PTX line 13"), std::string::npos)
            << textOf(*mbarrier);
    } else {
        EXPECT_NE(textOf(*mbarrier).find("a phase of parity 0 of the mbarrier at byte 0"), std::string::npos)
            << textOf(*mbarrier);
    }
    EXPECT_NE(textOf(*mbarrier).find("1 warp (2) has ended"), std::string::npos) << textOf(*mbarrier);
    EXPECT_EQ(barrier->kind, HangKind::Barrier);
    EXPECT_EQ(barrier->ptxLine, meetLine);
    EXPECT_EQ(barrier->address, 1u);
    EXPECT_EQ(barrier->warps, "1");
    EXPECT_EQ(barrier->arrivalsExpected, 64u);
    EXPECT_EQ(barrier->arrivalsMissing, 32u);
    EXPECT_NE(textOf(*barrier).find("barrier 1, to which 32 of 64 threads have come"), std::string::npos)
        << textOf(*barrier);
    EXPECT_NE(textOf(*barrier).find("1 warp (0) waits at PTX line " + std::to_string(pollLine)), std::string::npos)
        << textOf(*barrier);
    EXPECT_EQ(barrier->on.size(), 1u);
}

TEST(Standing, LastRecordsSayWhoPollsAndWhoStandsAtABarrier) {
    expectPolls(unfinished(test::handPlan(std::string(standingHead) + polls, "polls", {1}, {96}, 1), 64u << 20), true);
}

// 8192 bytes are 512 records; 511 / 3 - 128 = 42 of them a warp's, 21 its lane 0's. Thousands of polls need no more than one try's
// two records, so that all the others are still there.
TEST(Standing, PollsOfOneWaitTakeOneRecord) {
    const Trace trace = unfinished(test::handPlan(std::string(standingHead) + polls, "polls", {1}, {96}, 1), 1 << 13);
    EXPECT_TRUE(trace.losses.empty());
    expectPolls(trace, true);
}

// 6544 bytes are 409 records; 408 / 3 - 128 = 8 of them a warp's, 4 its lane 0's, which has written 6 before it polls: a jump,
// two of the mbarrier's making, two of the barrier, a jump. The poll's last record is written behind the full stream, and is read.
TEST(Standing, AFullStreamEndsWithWhatWasWrittenLast) {
    const Trace trace = unfinished(test::handPlan(std::string(standingHead) + polls, "polls", {1}, {96}, 1), 6544);
    expectPolls(trace, false);
}

// Warp 1 arrives in phases 0 and 1, each time before both meet at barrier 1, and ends; warp 0 asks for phase 2. Its 64 threads
// have met twice, so that nobody stands there.
TEST(Standing, AnMbarrierIsToldWithWhoArrivedBefore) {
    const std::string ptx = std::string(standingHead) + R"(.visible .entry leaves(.param .u64 out)
{
.reg .pred %p<4>;
.reg .b32 %r<5>;
.reg .b64 %rd<2>;
.shared .align 8 .b64 bar;
mov.u32 %r1, %tid.x;
mov.u32 %r2, 0;
setp.ne.s32 %p1, %r1, 0;
@%p1 bra MADE;
mbarrier.init.shared.b64 [bar], 32;
MADE:
bar.sync 0;
setp.gt.u32 %p1, %r1, 31;
@%p1 bra HANDS;
WAITS:
and.b32 %r3, %r2, 1;
AGAIN:
mbarrier.try_wait.parity.shared.b64 %p2, [bar], %r3;
@!%p2 bra AGAIN;
bar.sync 1, 64;
add.u32 %r2, %r2, 1;
setp.lt.u32 %p3, %r2, 3;
@%p3 bra WAITS;
ret;
HANDS:
mbarrier.arrive.shared.b64 %rd1, [bar];
bar.sync 1, 64;
add.u32 %r2, %r2, 1;
setp.lt.u32 %p3, %r2, 2;
@%p3 bra HANDS;
ret;
}
)";
    const Standings standings = standingOf(unfinished(test::handPlan(ptx, "leaves", {1}, {64}, 1), 64u << 20));
    ASSERT_EQ(standings.waits.size(), 1u);
    const HangWait& wait = standings.waits[0];
    EXPECT_EQ(wait.kind, HangKind::Mbarrier);
    EXPECT_EQ(wait.warps, "0");
    EXPECT_EQ(wait.phase, 2u);
    EXPECT_EQ(wait.arrivalsMissing, 32u);
    EXPECT_EQ(wait.arrivalsExpected, 32u);
    EXPECT_EQ(wait.ptxLine, headLines + 19);
    EXPECT_NE(textOf(wait).find("phase 2 of the mbarrier bar,"), std::string::npos) << textOf(wait);
    EXPECT_NE(textOf(wait).find("1 warp (1) has ended, having arrived there before at PTX line " +
                                std::to_string(headLines + 27)),
              std::string::npos)
        << textOf(wait);
}

// A loop that asks for a word that nobody writes, and one that asks for nothing: lanes 1 to 31 never leave it.
TEST(Standing, LoopsAreToldByWhatTheyRead) {
    for (const bool reads : {true, false}) {
        const std::string ptx = std::string(standingHead) + R"(.visible .entry loops(.param .u64 out)
{
.reg .pred %p<3>;
.reg .b32 %r<4>;
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [out];
cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x;
AGAIN:
)" +
                                (reads ? "ld.volatile.global.u32 %r2, [%rd2];\nsetp.eq.u32 %p2, %r2, 0;\n"
                                       : "add.u32 %r2, %r1, 0;\nsetp.gt.u32 %p2, %r2, 0;\n") +
                                "@%p2 bra AGAIN;\nret;\n}\n";
        const std::vector<std::string> parameters{"flags"};
        const Standings standings =
            standingOf(unfinished(test::handPlan(ptx, "loops", {1}, {32}, 1), 64u << 20), 0, parameters);
        ASSERT_EQ(standings.waits.size(), 1u);
        const HangWait& wait = standings.waits[0];
        EXPECT_TRUE(wait.isRoot);
        EXPECT_EQ(wait.ptxLine, headLines + 12);
        EXPECT_EQ(wait.lanes, 32u); // lane 0 has left the second loop, and has written nothing since
        EXPECT_NE(textOf(wait).find(reads ? "a value of flags that its loop reads"
                                          : "the end of its loop, which reads nothing"),
                  std::string::npos)
            << textOf(wait);
    }
}

// Of two variables of one size the records say which lies where: the machine may lay the second one first. An element has its
// number, and a member of a struct that the source declares its name.
TEST(Standing, MbarriersHaveTheNamesOfTheirVariables) {
    Kernel kernel;
    kernel.entry = kernel.name = "names";
    kernel.ptx = std::string(standingHead) + R"(.visible .entry names()
{
.reg .b32 %r<6>;
.shared .align 8 .b8 full[16];
.shared .align 8 .b8 empty[16];
.shared .align 8 .b8 ring[32];
mov.u32 %r1, full;
mbarrier.init.shared.b64 [%r1], 1;
add.s32 %r2, %r1, 8;
mbarrier.init.shared.b64 [%r2], 1;
mbarrier.init.shared.b64 [empty], 1;
mov.u32 %r3, ring;
mbarrier.init.shared.b64 [%r3+24], 1;
mov.u32 %r4, %tid.x;
add.s32 %r4, %r4, 1;
mbarrier.init.shared.b64 [%r4], 1;
ret;
}
)";
    const std::string source = "struct Ring { int data[4]; unsigned long long full, empty; };\n"
                               "__global__ void names() { __shared__ Ring ring; }";
    NamedPlaces places(kernel, {});
    const std::uint32_t head = headLines;
    places.made(head + 8, 16);  // full, behind empty
    places.made(head + 10, 24); // full + 8
    places.made(head + 11, 0);  // empty
    places.made(head + 13, 56); // ring + 24
    places.made(head + 16, 90); // nobody knows of what
    places.lay(source, {}, 64);
    EXPECT_EQ(places.mbarrierAt(0), "empty[0]");
    EXPECT_EQ(places.mbarrierAt(8), "empty[1]");
    EXPECT_EQ(places.mbarrierAt(24), "full[1]");
    EXPECT_EQ(places.mbarrierAt(48), "ring.full");
    EXPECT_EQ(places.mbarrierAt(56), "ring.empty");
    EXPECT_EQ(places.mbarrierAt(88), std::nullopt);
    // The struct stands in a header.
    const std::size_t end = source.find('\n');
    NamedPlaces included(kernel, {});
    included.made(head + 13, 56);
    included.lay(source.substr(end), source.substr(0, end), 64);
    EXPECT_EQ(included.mbarrierAt(48), "ring.full");
}

} // namespace
} // namespace warpglass::probe
