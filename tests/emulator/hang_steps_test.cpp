// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines that hang since one step is wrong (data/steps.cu): the step is named, not what follows from it. Lines, phases and
// counts are worked out by hand from that file.
#include "gpu/emulator/resident.h"
#include "gpu/ptx/parse.h"
#include "tests/emulator/hang_of.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

Recording stepsOf(const char* name, std::uint32_t threads, std::vector<Argument> arguments) {
    return Kernel(name, {1}, {threads}, std::move(arguments), "steps.ptx").run();
}
Recording ringWith(int wrong) {
    return stepsOf("ring", 160,
                   {buffer(std::vector<float>(32)), buffer(std::vector<float>(128)), value(10), value(wrong)});
}
Recording orderWith(int wrong) {
    return stepsOf("order", 128, {buffer(std::vector<float>(128)), value(5), value(wrong)});
}
Recording turnsWith(int wrong) {
    return stepsOf("turns", 128, {buffer(std::vector<float>(128)), value(5), value(wrong)});
}

TEST(HangSteps, RightOnesEnd) {
    for (const Recording& r : {ringWith(0), orderWith(0), turnsWith(0)})
        EXPECT_FALSE(r.fault) << r.fault->text();
}

// The producer's first wait is for a phase that nobody can end: it has to begin, since copies are asked for behind its wait.
TEST(HangSteps, WhoFillsHasToBegin) {
    const Diagnostic d = hangIn(ringWith(1));
    expectIn(d.message.text(), "one of them has to begin its first round without waiting: 1 warp (4) waits at line 55");
    expectIn(d.message.text(), "behind which copies are asked for");
}

// Tile 9 is the fourth in stage 0, phase 3: its 256 bytes are announced, and the copy of b's 128 goes to full[1] for good.
// Of a struct full[0] is byte 768 (two arrays of 3 x 32 floats), and the first of three that line 47 makes.
TEST(HangSteps, CopiesThatTellAnotherBarrier) {
    const Diagnostic d = hangIn(ringWith(2));
    expectIn(d.waits[0].what, "phase 3 of the mbarrier byte 768 of ring, to which 128 bytes of copies are missing");
    expectIn(d.waits[0].why, "256 bytes were announced at line 56");
    expectIn(d.waits[0].why, "and copies brought 128");
    expectIn(d.waits[0].why, "128 bytes that were asked for behind that at line 58");
    expectIn(d.waits[0].why, "were told to the mbarrier byte 776 of ring");
    expectIn(d.waits[0].why, "it is number 0, counted from 0, of 3 that were made at line 47");
}

// At tile 4 (stage 1, phase 1) all wait for the stage's next filling before they give it back: the producer needs phase 1 of
// empty[1] for tile 7, and nobody comes.
TEST(HangSteps, WhoWaitsTwiceHasLeftOutAnArrival) {
    const Diagnostic d = hangIn(ringWith(3));
    EXPECT_EQ(d.waits[0].warps, "4");
    EXPECT_EQ(d.waits[0].phase, 1u);
    EXPECT_EQ(d.waits[0].arrivalsMissing, 4u);
    expectIn(d.waits[0].why, "4 warps (0-3) passed phase 1 of the mbarrier byte 776 of ring at line 65");
    expectIn(d.waits[0].why, "have not arrived there since, as is always done behind it at line 71");
    expectIn(d.waits[0].why, "4 warps (0-3) wait at line 67");
}

// Warp 3 leaves out its arrival of tile 4 alone; it stands where the others do, who have made it.
TEST(HangSteps, TheOneArrivalThatWasLeftOut) {
    const Diagnostic d = hangIn(ringWith(4));
    EXPECT_EQ(d.waits[0].arrivalsMissing, 1u);
    EXPECT_EQ(d.waits[0].arrivalsExpected, 4u);
    expectIn(d.waits[0].why, "1 warp (3) passed phase 1 of the mbarrier byte 776 of ring at line 65");
    expectIn(d.waits[0].why, "has not arrived there since");
}

// Group 1 keeps the turn of round 2: it passed phase 2 of turn[1], as group 0 waits for phase 2 of turn[0]. That group 1 waits
// for phase 3 follows.
TEST(HangSteps, WhoKeepsTheTurn) {
    const Diagnostic d = hangIn(orderWith(1));
    EXPECT_EQ(d.waits[0].warps, "0-1");
    expectIn(d.waits[0].what, "phase 2 of the mbarrier turn[0]");
    expectIn(d.waits[0].why, "2 warps (2-3) passed phase 2 of the mbarrier turn[1] at line 89");
}

// Group 0 hands the turn to itself five times and ends.
TEST(HangSteps, WhoHandsTheTurnToItself) {
    const Diagnostic d = hangIn(orderWith(2));
    EXPECT_EQ(d.waits[0].warps, "2-3");
    expectIn(d.waits[0].why, "nobody has ever arrived there");
    expectIn(d.waits[0].why, "2 warps (0-1) arrive at the mbarrier turn[0] at line 92");
    expectIn(d.waits[0].why, "for which nobody else waits");
}

// Each group comes to its own barrier again instead of the other's: group 1 gives group 0 its first turn alone, behind which
// both come to their own. Group 0: meets and comes, 64 and 64 make 128, so it goes on alone and ends.
TEST(HangSteps, WhoComesToTheWrongBarrier) {
    const Diagnostic d = hangIn(turnsWith(1));
    EXPECT_EQ(d.waits[0].kind, HangKind::Barrier);
    EXPECT_EQ(d.waits[0].address, 2u);
    expectIn(d.waits[0].why, "2 warps (0-1) have ended, having come to barrier 1 instead, last at line 108");
}

// Two warps take 16 fillings by turns: a barrier made for one arrival gets two a round, and has not run ahead. Warp 1 leaves
// behind fillings 1, 3, 5 and 7; of stage 0 warp 0 has given back 0 and 6 (phases 0 and 2), warp 1 has 3 (phase 1), and 9 (phase
// 3) is what the producer waits for to make 12, for which warp 0 waits.
TEST(HangSteps, WhoLeavesWhereOthersTakeTurns) {
    const auto run = [](int wrong) {
        return stepsOf("byTurns", 96,
                       {buffer(std::vector<float>(32)), buffer(std::vector<float>(64)), value(16), value(wrong)});
    };
    EXPECT_FALSE(run(0).fault);
    const Diagnostic d = hangIn(run(1));
    EXPECT_EQ(d.waits[0].warps, "2");
    expectIn(d.waits[0].what, "phase 3 of the mbarrier empty[0], to which 1 of 1 arrival has not come");
    EXPECT_EQ(d.waits[0].why.text().find("run ahead"), std::string::npos) << d.waits[0].why.text();
    expectIn(d.waits[0].why, "1 warp (1) has ended");
}

// A launch of a program that hangs is made again like any other, whether its memory was kept or not; and of many blocks, which
// several host threads run.
TEST(HangSteps, ProgramsAreToldTheSame) {
    for (const auto& [keeps, blocks] :
         {std::pair(true, 1u), std::pair(false, 1u), std::pair(true, 8u), std::pair(false, 8u)}) {
        auto module = ptx::parse(readText("steps.ptx"), "steps.ptx");
        ASSERT_TRUE(module.ok()) << module.error().text();
        emulator::GlobalMemory memory;
        emulator::TextureMemory textures;
        auto resident = emulator::ResidentModule::load(std::move(*module), memory, textures);
        ASSERT_TRUE(resident.ok()) << resident.error().text();
        std::vector<std::byte> out(512);
        const std::uint64_t at = memory.take(out.size());
        memory.adopt(at, out.size(), out.data(), Said(std::string("out")), false);
        emulator::ResidentLaunch launch;
        launch.kernel = "order";
        launch.grid = {blocks};
        launch.block = {128};
        launch.parameters.resize(16);
        const int rounds = 5, wrong = 1;
        std::memcpy(launch.parameters.data(), &at, 8);
        std::memcpy(launch.parameters.data() + 8, &rounds, 4);
        std::memcpy(launch.parameters.data() + 12, &wrong, 4);
        launch.record = keeps;
        launch.keepMemory = keeps ? 1 << 20 : 0;
        Progress progress;
        RunOptions options;
        options.threads = 4;
        const auto outcome = (*resident)->launch(launch, *findDevice("h200"), options, progress);
        ASSERT_TRUE(outcome.ok()) << outcome.error().text();
        EXPECT_TRUE(outcome->faulted);
        ASSERT_EQ(outcome->diagnostics.size(), 1u);
        ASSERT_FALSE(outcome->diagnostics[0].waits.empty());
        expectIn(outcome->diagnostics[0].waits[0].why,
                 "2 warps (2-3) passed phase 2 of the mbarrier turn[1] at line 89");
    }
}

} // namespace
} // namespace warpglass::testing
