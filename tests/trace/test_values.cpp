// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/values.h"
#include "tests/trace/random_trace.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace warpglass {
namespace {

// A sound trace with one number that nothing can have; the sentence names the table and the number.
struct Absurd {
    const char* says;
    void (*apply)(Trace& trace);
};

void PrintTo(const Absurd& absurd, std::ostream* out) {
    *out << absurd.says;
}

class AbsurdValue : public testing::TestWithParam<Absurd> {};

TEST_P(AbsurdValue, IsRefused) {
    Trace t = randomTrace(1);
    t.launches[0].depth = 0;
    ASSERT_FALSE(t.warps.empty());
    ASSERT_TRUE(validateOutline(t)) << validateOutline(t).error().text();
    GetParam().apply(t);
    const auto ok = validateOutline(t);
    ASSERT_FALSE(ok);
    EXPECT_NE(ok.error().message.find(GetParam().says), std::string::npos) << ok.error().text();
}

constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
constexpr double inf = std::numeric_limits<double>::infinity();

const Absurd values[] = {
    {"table trace, row 0: a clock of inf MHz", [](Trace& t) { t.info.smClockMHz = inf; }},
    {"table trace, row 0: a clock of nan MHz", [](Trace& t) { t.info.memoryClockMHz = std::nan(""); }},
    {"a clock of 1e-300 MHz", [](Trace& t) { t.info.smClockMHz = 1e-300; }},
    {"a clock of -5 MHz", [](Trace& t) { t.info.smClockMHz = -5; }},
    {"1000000 SMs", [](Trace& t) { t.info.smCount = 1000000; }},
    {"table trace, row 0: a name of 4097 bytes", [](Trace& t) { t.info.deviceName.assign(4097, 'a'); }},
    {"table kernels, row 0: a name of 65537 bytes", [](Trace& t) { t.kernels[0].name.assign(65537, 'a'); }},
    {"table trace, row 0: a name of several lines", [](Trace& t) { t.info.deviceName = "NVIDIA H200\nbranch 2"; }},
    {"table kernels, row 0: a name of several lines", [](Trace& t) { t.kernels[0].name = "k\r\n"; }},
    {"-1 SMs", [](Trace& t) { t.info.smCount = -1; }},
    {"compute capability -1.0", [](Trace& t) { t.info.ccMajor = -1, t.info.ccMinor = 0; }},
    {"4294967295 registers a thread", [](Trace& t) { t.kernels[0].registers = ~0u; }},
    {"bytes of shared", [](Trace& t) { t.kernels[0].sharedBytes = ~0u; }},
    {"table kernels, row 0: a duration of inf ns", [](Trace& t) { t.kernels[0].cleanDurationNs = inf; }},
    {"a grid of 4294967295x4294967295x1",
     [](Trace& t) {
         t.launches[0].grid = {~0u, ~0u, 1};
     }},
    {"a block of 0x2x1", [](Trace& t) { t.launches[0].block.x = 0; }},
    {"a block of 4294967295x2x1", [](Trace& t) { t.launches[0].block.x = ~0u; }},
    {"a block of 1x1x1024",
     [](Trace& t) {
         t.launches[0].block = {1, 1, 1024};
     }},
    {"a block of 512x4x1",
     [](Trace& t) {
         t.launches[0].block = {512, 4, 1};
     }},
    {"table launches, row 0: from", [](Trace& t) { t.launches[0].end = {last}; }},
    {"levels below the host's", [](Trace& t) { t.launches[0].depth = 4000000000; }},
    {"it is launched by a launch below it", [](Trace& t) { t.launches[0].parentLaunch = 0; }},
    {"it was dropped and has blocks", [](Trace& t) { t.launches[0].status = LaunchStatus::Dropped; }},
    {"table blocks, row 0: from", [](Trace& t) { t.blocks[0].end = {last}; }},
    {"on SM 65535", [](Trace& t) { t.blocks[0].sm = 65535; }},
    {"table warps, row 0: from", [](Trace& t) { t.warps[0].end = {last}; }},
    {"in slot 65535 of scheduler", [](Trace& t) { t.warps[0].slot = 65535; }},
    {"of scheduler 200", [](Trace& t) { t.warps[0].scheduler = 200; }},
    {"warp 60000 of its block", [](Trace& t) { t.warps[0].warpInBlock = 60000; }},
    {"table timings, row 0", [](Trace& t) { t.timings[0].durationNs = inf; }},
    {"table async_copies, row 0", [](Trace& t) { t.copies[0].complete = {last}; }},
    {"table phase_events, row 2",
     [](Trace& t) { // the last of its block
         t.phaseEvents[2].time = {last};
     }},
};

INSTANTIATE_TEST_SUITE_P(Values, AbsurdValue, testing::ValuesIn(values));

TEST(Values, OfADroppedLaunchMayBeWhyItWasDropped) {
    Trace t = randomTrace(1);
    Launch dropped = t.launches[0];
    dropped.status = LaunchStatus::Dropped;
    dropped.firstBlock = dropped.blockCount = 0;
    dropped.grid = {0, ~0u, 7};
    dropped.block = {~0u, 0, ~0u};
    dropped.sharedBytes = ~0u;
    t.launches.push_back(dropped);
    const auto ok = validateOutline(t);
    EXPECT_TRUE(ok) << ok.error().text();
}

TEST(Values, OfChainsMayBeAsLongAsTheyEnd) {
    Trace t = randomTrace(1);
    const auto first = std::uint32_t(t.launches.size());
    for (std::uint32_t n = 0; n < 5000; ++n) { // each launched by the one after it, the last by the host's
        Launch child;
        child.parentLaunch = n < 4999 ? first + n + 1 : 0;
        child.depth = 5000 - n;
        t.launches.push_back(child);
    }
    ASSERT_TRUE(validateOutline(t)) << validateOutline(t).error().text();
    t.launches.back().parentLaunch = first + 2500;
    EXPECT_FALSE(validateOutline(t));
}

} // namespace
} // namespace warpglass
