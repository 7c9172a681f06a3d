// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/clock_axis.h"
#include "gpu/ptx/parse.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpglass::probe {
namespace {

// A card like the measured one: 1.98 cycles a nanosecond, timer in steps of 32 ns, counters with many digits.
constexpr std::uint64_t timer0 = 1'763'000'000'000'000'000ull;
ClockPair pairAt(std::uint32_t sm, std::uint64_t clock0, std::uint64_t ns) {
    return {sm, clock0 + ns * 198 / 100, timer0 + ns / 32 * 32};
}

TEST(Clocks, ALineThroughPairsFindsSlopeAndOffsetWithinOneStep) {
    const std::uint64_t clock0 = 987'654'321'012ull;
    std::vector<ClockPair> pairs;
    for (std::uint64_t ns = 7; ns < 1'000'000; ns += 3'331)
        pairs.push_back(pairAt(3, clock0, ns));
    const SmClock line = alignClock(3, pairs, timer0, 0);
    EXPECT_EQ(line.sm, 3u);
    EXPECT_NEAR(line.cyclesPerNs, 1.98, 1e-4);
    // The timer lags by 0 to 31 ns, 15.5 on the mean: at its zero the clock is that much further on.
    EXPECT_NEAR(line.offset - double(clock0), 15.5 * 1.98, 4);
    EXPECT_LE(line.residualNs, 32);
    EXPECT_GT(line.residualNs, 5); // steps cannot vanish
}

TEST(Clocks, PairsOfOneMomentTakeTheSlopeOfOthers) {
    const std::vector<ClockPair> pairs = {pairAt(0, 5000, 320), pairAt(0, 5000, 640)};
    const SmClock line = alignClock(0, pairs, timer0, 1.98);
    EXPECT_EQ(line.cyclesPerNs, 1.98);
    EXPECT_NEAR(line.offset, 5000, 2);
}

TEST(Clocks, RowsOfTheCalibrationKernelAreReadAndEmptyOnesLeftOut) {
    std::vector<std::byte> rows(72);
    const std::uint64_t clock = 77, timer = 99;
    const std::uint32_t sm = 5;
    std::memcpy(rows.data() + 24, &clock, 8);
    std::memcpy(rows.data() + 32, &timer, 8);
    std::memcpy(rows.data() + 40, &sm, 4);
    const auto pairs = readClockRows(rows);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_EQ(pairs[0].clock, 77u);
    EXPECT_EQ(pairs[0].timer, 99u);
    EXPECT_EQ(pairs[0].sm, 5u);
    EXPECT_TRUE(ptx::parse(clockKernel(), "clocks").ok());
}

// Two SMs whose counters are 93.6 million cycles apart ran a block each at the same time: the trace must show them
// together.
TEST(Clocks, BlocksOfTwoSmsThatRanTogetherStandTogether) {
    const std::string text = ".version 9.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";
    const Result<ptx::Module> module = ptx::parse(text, "k.ptx");
    ASSERT_TRUE(module.ok());
    const Result<ProbedModule> probed = insertProbes(*module, {});
    ASSERT_TRUE(probed.ok());
    Result<ProbeMemory> memory = planMemory(*probed, {2}, {32}, {}, {});
    ASSERT_TRUE(memory.ok());
    const std::uint64_t clockOf[2] = {1'000'000'000ull, 1'093'600'000ull};
    for (std::uint32_t b = 0; b < 2; ++b) {
        BlockRow row;
        row.sm = b + 1;
        row.start = pairAt(b, clockOf[b], 100'000).clock;
        row.end = pairAt(b, clockOf[b], 150'000).clock;
        std::memcpy(memory->initial[ProbeMemory::Blocks].data() + b * sizeof row, &row, sizeof row);
    }
    RawRecords raw;
    for (std::size_t b = 0; b < ProbeMemory::Count_; ++b)
        raw.buffer[b] = memory->initial[b];
    LaunchPlan plan;
    plan.entry = plan.kernelName = "k";
    plan.ptx = text;
    plan.grid = {2};
    plan.block = {32};
    RecordOptions options;
    for (std::uint32_t sm = 0; sm < 2; ++sm)
        for (const std::uint64_t ns : {0ull, 320'000ull})
            options.pairs.push_back(pairAt(sm, clockOf[sm], ns));
    const Result<Trace> t = readRecords(*module, *probed, *memory, plan, raw, options);
    ASSERT_TRUE(t.ok()) << t.error().text();
    EXPECT_EQ(t->info.timeUnit, TimeUnit::Nanoseconds);
    ASSERT_EQ(t->blocks.size(), 2u);
    EXPECT_EQ(t->blocks[0].start.value, 0);
    EXPECT_NEAR(double(t->blocks[1].start.value), 0, 1);
    EXPECT_NEAR(double(t->blocks[0].end.value), 50'000, 1);
    EXPECT_NEAR(double(t->blocks[1].end.value), 50'000, 1);
    EXPECT_EQ(t->smClocks.size(), 2u);
    const Result<void> valid = validate(*t);
    EXPECT_TRUE(valid.ok()) << valid.error().text();
}

TEST(ClockAxis, ClocksOfAnEmulatorAreTimes) {
    const ClockAxis axis = clockAxis({}, {.alignClocks = false});
    EXPECT_EQ(axis.at(3, 77), Time{77});
}

// SM 0 runs at 2 cycles a ns: clock 1000 at timer 5000, clock 41000 at timer 25000. SM 1 was seen once, clock 7000 at
// timer 6000, and takes the slope of SM 0: at timer 5000 its clock was 5000. The only block began on SM 0 at clock 2000,
// which is timer 5500 and becomes 0; there the clock of SM 1 is 6000.
TEST(ClockAxis, PutsAllSmsOnOneAxisFromTheFirstBlockOn) {
    BlockRow block{};
    block.sm = 1; // SM 0; 0 is no SM
    block.start = 2000;
    RawRecords raw;
    raw.buffer[ProbeMemory::Blocks] = std::as_bytes(std::span(&block, 1));
    const ClockAxis axis = clockAxis(raw, {.pairs = {{0, 1000, 5000}, {0, 41000, 25000}, {1, 7000, 6000}}});
    EXPECT_EQ(axis.at(0, 2000), Time{0});
    EXPECT_EQ(axis.at(0, 3000), Time{500});
    EXPECT_EQ(axis.at(1, 6000), Time{0});
    EXPECT_EQ(axis.at(1, 8001), Time{1001}); // 1000.5: away from zero
    EXPECT_EQ(axis.at(2, 8000), std::nullopt);
    EXPECT_EQ(axis.residual(), 0);
}

} // namespace
} // namespace warpglass::probe
