// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom in kernels that hang, each by one wrong step: the step is named. What stands where, and how often which
// barrier was arrived at, is worked out by hand from data/hangs.cu.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <numeric>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;

Recording hangOf(Kernel k, DiagnosticKind kind = DiagnosticKind::Deadlock) {
    Recording r = k.run();
    EXPECT_TRUE(r.fault);
    EXPECT_TRUE(find(r, kind)) << (r.fault ? r.fault->text() : "no fault");
    return r;
}
const std::vector<HangWait>& waitsOf(const Recording& r) {
    static const std::vector<HangWait> none;
    for (const Diagnostic& d : r.trace->diagnostics)
        if (!d.waits.empty())
            return d.waits;
    return none;
}
void expectSays(const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

Recording ringOf(int tiles, int ofWarps2And3, int count, int bytes) {
    std::vector<float> in(1024);
    std::iota(in.begin(), in.end(), 0.f);
    return hangOf(Kernel(
        "ring", {1}, {160},
        {buffer(in), buffer(std::vector<float>(128)), value(tiles), value(ofWarps2And3), value(count), value(bytes)},
        "hangs.ptx"));
}

// Warps 2 and 3 leave behind tile 4. Their last arrivals at empty[1] are of tiles 1 and 3, phases 0 and 1; the producer waits
// for phase 2 before it fills tile 7, and warps 0 and 1 for that.
TEST(Hangs, TellWhoLeftTheRingTooEarly) {
    const Recording r = ringOf(8, 5, 128, 512);
    const auto& waits = waitsOf(r);
    ASSERT_EQ(waits.size(), 2u);
    EXPECT_TRUE(waits[0].isRoot);
    EXPECT_EQ(waits[0].warps, "4");
    EXPECT_EQ(waits[0].source.line, 44u); // where wait() is called, not the line in it that all share
    EXPECT_EQ(waits[0].phase, 2u);
    EXPECT_EQ(waits[0].arrivalsMissing, 64u);
    EXPECT_EQ(waits[0].arrivalsExpected, 128u);
    expectSays(waits[0].what, "phase 2 of the mbarrier empty[1], to which 64 of 128 arrivals have not come");
    expectSays(
        waits[0].why,
        "2 warps (2-3) have ended, having last arrived there in phase 1 at line 53 of hangs.cu, in arrive at line 13");
    EXPECT_FALSE(waits[1].isRoot);
    EXPECT_EQ(waits[1].warps, "0-1");
    EXPECT_EQ(waits[1].source.line, 51u);
    EXPECT_EQ(waits[1].on, std::vector<std::uint32_t>{0});
    expectSays(waits[1].what, "phase 3 of the mbarrier full[1], to which 1 of 1 arrival has not come");
    expectSays(waits[1].why, "1 warp (4) waits at line 44 of hangs.cu, in wait at line 20");
    const Diagnostic* d = find(r, DiagnosticKind::Deadlock);
    EXPECT_EQ(d->source.line, 44u);
    EXPECT_LT(d->message.find("empty[1]"), d->message.find("full[1]")) << d->message; // the root first
}

// 128 threads arrive at a barrier that was made for 160: its first phase never ends.
TEST(Hangs, TellThatABarrierWasMadeForTooMany) {
    const Recording r = ringOf(8, 8, 160, 512);
    ASSERT_EQ(waitsOf(r).size(), 2u);
    expectSays(waitsOf(r)[0].what, "phase 0 of the mbarrier empty[0], to which 32 of 160 arrivals have not come");
    expectSays(waitsOf(r)[0].why, "it was made for 160 arrivals at line 38 of hangs.cu, in make at line 10");
    expectSays(waitsOf(r)[0].why, "no more than 128 threads ever arrive there");
}

// Made for 32, with 128 threads: four phases are over after one round, and the producer waits for one of a parity that has
// passed.
TEST(Hangs, TellThatABarrierRanAhead) {
    const Recording r = ringOf(8, 8, 32, 512);
    ASSERT_FALSE(waitsOf(r).empty());
    expectSays(waitsOf(r)[0].why, "it has run ahead: it was made for 32 arrivals at line 38 of hangs.cu");
    expectSays(waitsOf(r)[0].why, "128 threads arrive there each time, so that 4 phases are over after 1 time");
}

// 1,024 bytes are announced for a copy of 512.
TEST(Hangs, TellWhichBytesNobodyCopies) {
    const Recording r = ringOf(8, 8, 128, 1024);
    ASSERT_EQ(waitsOf(r).size(), 2u);
    EXPECT_EQ(waitsOf(r)[0].bytesMissing, 512u);
    expectSays(waitsOf(r)[0].what, "phase 0 of the mbarrier full[0], to which 512 bytes of copies are missing");
    expectSays(waitsOf(r)[0].why, "1024 bytes were announced at line 45 of hangs.cu");
    expectSays(waitsOf(r)[0].why, "and copies brought 512");
    EXPECT_EQ(waitsOf(r)[1].on, std::vector<std::uint32_t>{0});
}

TEST(Hangs, NameTheThreadOfAWarpThatLeft) {
    const Recording r = hangOf(Kernel("leaves", {1}, {64}, {buffer(std::vector<float>(64)), value(5)}, "hangs.ptx"));
    ASSERT_EQ(waitsOf(r).size(), 1u);
    EXPECT_EQ(waitsOf(r)[0].lanes, 63u);
    expectSays(waitsOf(r)[0].what, "phase 2 of the mbarrier bar, to which 1 of 64 arrivals have not come");
    expectSays(waitsOf(r)[0].why, "1 thread (7) has gone on to line 62 of hangs.cu");
}

// Warps 0 and 1 say 128, warps 2 and 3 say 96: it opens for the third, whatever the others asked for.
TEST(Hangs, TellOfABarrierWithTwoCounts) {
    const Recording r = hangOf(Kernel("twoCounts", {1}, {128}, {buffer(std::vector<float>(128))}, "hangs.ptx"));
    const Diagnostic* d = find(r, DiagnosticKind::BarrierDivergence);
    ASSERT_TRUE(d);
    EXPECT_FALSE(d->fatal);
    expectSays(d->message, "Threads come to barrier 1 with different counts, 96 and, at line 76 of hangs.cu");
    ASSERT_EQ(waitsOf(r).size(), 1u);
    EXPECT_EQ(waitsOf(r)[0].arrivalsMissing, 64u);
    expectSays(waitsOf(r)[0].what, "barrier 1, to which 32 of 96 threads have come");
    expectSays(waitsOf(r)[0].why,
               "2 warps (0-1) have ended, having come there 1 time before, last at line 76 of hangs.cu");
    expectSays(waitsOf(r)[0].why, "1 warp (2) has ended, having come there 1 time before, last at line 78 of hangs.cu");
}

TEST(Hangs, TellThatALoopReadsNothing) {
    Kernel k("asksOnce", {2}, {32}, {buffer(Ints(1)), buffer(Ints(32))}, "hangs.ptx");
    k.options.instructionLimit = 100000;
    const Recording r = hangOf(k, DiagnosticKind::EndlessLoop);
    expectSays(find(r, DiagnosticKind::EndlessLoop)->message, "loaded once, before it, at PTX line 554 (ld.global.u32");
}

// Blocks 0 and 1 have had their turns; block 2 has seen that it is its own, went on, and waits for out[1]; block 3 waits for
// its ticket, which the last one who wrote, block 1, can't help.
TEST(Hangs, TellWhoHasTheTurnThatOthersWaitFor) {
    const Recording r =
        hangOf(Kernel("tickets", {4}, {32},
                      {buffer(Ints(1), "next"), buffer(Ints(1), "serving"), buffer(Ints(2), "out")}, "hangs.ptx"),
               DiagnosticKind::EndlessLoop);
    const auto& waits = waitsOf(r);
    ASSERT_EQ(waits.size(), 2u);
    expectSays(waits[0].what, "byte 4 of buffer \"out\"");
    expectSays(waits[0].why, "no thread has ever written there");
    EXPECT_TRUE(waits[0].isRoot);
    expectSays(waits[1].what, "byte 0 of buffer \"serving\"");
    expectSays(waits[1].why, "block (1), thread (0) last wrote 2 there");
    expectSays(waits[1].why, "block (2), thread (0) found that value at line 97 of hangs.cu");
    EXPECT_EQ(waits[1].on, std::vector<std::uint32_t>{0});
}

// The ping-pong of the catalogue with one line changed: turn[1] is made for 256 arrivals, and 128 threads hand the turn on. That
// some have come and others not is what holds up the ring; that nobody ever comes to turn[0] follows from it.
TEST(Hangs, TellOfARingWhereSomeHaveComeAndOthersNot) {
    LaunchRequest request;
    request.size = 128;
    auto plan = makePlan(*findKernel("matmul_pingpong"), request);
    ASSERT_TRUE(plan.ok()) << plan.error().text();
    const std::size_t made = plan->ptx.rfind("mbarrier.init"), count = plan->ptx.find("], ", made) + 3;
    plan->ptx.replace(count, plan->ptx.find(';', count) - count, "256");
    Progress progress;
    const Result<Recording> r = makeEmulator()->run(*plan, {}, progress);
    ASSERT_TRUE(r.ok()) << r.error().text();
    const auto& waits = waitsOf(*r);
    ASSERT_EQ(waits.size(), 3u);
    EXPECT_EQ(waits[0].warps, "4-7");
    EXPECT_EQ(waits[0].arrivalsExpected, 256u);
    expectSays(waits[0].what, "phase 0 of the mbarrier turn[1], to which 128 of 256 arrivals have not come");
    expectSays(waits[0].why, "it was made for 256 arrivals at line 165 of warpgroup.cu");
    expectSays(waits[0].why, "of which 128 have come so far");
    const Diagnostic* d = find(*r, DiagnosticKind::Deadlock);
    ASSERT_TRUE(d);
    expectSays(d->message, "they wait for each other in a ring");
    EXPECT_EQ(d->message.text().find("nothing has been handed on"), std::string::npos) << d->message.text();
    // Functions are called as a person called them.
    EXPECT_EQ(d->message.text().find("_INTERNAL_"), std::string::npos) << d->message.text();
    expectSays(d->message, "in initialise at line 30");
}

// Warps 0 and 1 each do as they are told, warp 2 meets one of them at barrier 1, if at all.
LaunchPlan twoAndAThird(const std::string& first, const std::string& second, const std::string& third) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "both";
    plan.moduleName = "both.ptx";
    plan.grid = {1};
    plan.block = {96};
    plan.ptx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry both()
{
.reg .pred %p<3>;
.reg .b32 %r<2>;
.shared .align 8 .b64 a;
.shared .align 8 .b64 b;
mov.u32 %r1, %tid.x;
setp.ne.s32 %p1, %r1, 0;
@%p1 bra MADE;
mbarrier.init.shared.b64 [a], 32;
mbarrier.init.shared.b64 [b], 32;
MADE:
bar.sync 0;
setp.gt.u32 %p1, %r1, 63;
@%p1 bra THIRD;
setp.gt.u32 %p1, %r1, 31;
@%p1 bra SECOND;
FIRST:
)" + first + "bra DONE;\nSECOND:\n" +
               second + "bra DONE;\nTHIRD:\n" + third + "DONE:\nret;\n}\n";
    return plan;
}
constexpr const char* waitA = "mbarrier.try_wait.parity.shared.b64 %p2, [a], 0;\n@!%p2 bra FIRST;\n";
constexpr const char* waitB = "mbarrier.try_wait.parity.shared.b64 %p2, [b], 0;\n@!%p2 bra SECOND;\n";
constexpr const char* arriveA = "mbarrier.arrive.shared.b64 _, [a];\n";
constexpr const char* arriveB = "mbarrier.arrive.shared.b64 _, [b];\n";
constexpr const char* nothingHandedOn =
    "nothing has been handed on yet: one of them has to begin its first round without waiting";

std::string hangOfThree(const LaunchPlan& plan, std::size_t waits) {
    Progress progress;
    const Result<Recording> r = makeEmulator()->run(plan, {}, progress);
    EXPECT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(waitsOf(*r).size(), waits);
    return find(*r, DiagnosticKind::Deadlock)->message.text();
}

// Each warp waits for the other one's first arrival before it makes its own; so it is where a third one waits for one of them.
TEST(Hangs, TellThatSomebodyHasToBegin) {
    const std::string first = std::string(waitA) + arriveB, second = std::string(waitB) + arriveA;
    expectSays(hangOfThree(twoAndAThird(first, second, ""), 2), nothingHandedOn);
    expectSays(
        hangOfThree(twoAndAThird(std::string(waitA) + "bar.sync 1, 64;\n" + arriveB, second, "bar.sync 1, 64;\n"), 3),
        nothingHandedOn);
}

// 64 threads come to a barrier of 96, and one warp waits for what one of those would do behind it: it has not to begin.
TEST(Hangs, ABarrierOfTooManyIsNoFirstRound) {
    const std::string told = hangOfThree(
        twoAndAThird(std::string("bar.sync 1, 96;\n") + arriveB, std::string(waitB) + arriveA, "bar.sync 1, 96;\n"), 3);
    EXPECT_EQ(told.find(nothingHandedOn), std::string::npos) << told;
}

} // namespace
} // namespace warpglass::testing
