// SPDX-License-Identifier: GPL-3.0-or-later
// How many accesses wait for the SM's memory unit before a warp that asks has to wait itself, in the model and on an H200: queue
// of h200-micro.csv (programs/queues.cu). Each warp loads 20 words of shared memory that take 32 passes each, and reads the clock
// behind each of them.
#include "gpu/emulator/emulator.h"
#include "tests/timing/micro.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace warpglass::testing {
namespace {

constexpr int asked = 20, kept = asked + 2; // words of a thread: its clocks, and the sum of what it has loaded

// Every warp whose number is a multiple of `every` asks. Clocks behind each load, of these warps one after the other, from
// the first clock of all of them on.
std::vector<std::int64_t> clocksBehindLoads(std::uint32_t warps, std::uint32_t every) {
    std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
                       ".shared .align 4 .b8 tile[4096];\n.reg .pred p;\n.reg .b32 r<8>, c<21>;\n.reg .f32 v<20>;\n"
                       ".reg .b64 a<4>;\nmov.u32 r0, %tid.x;\nand.b32 r1, r0, 31;\nshl.b32 r2, r1, 7;\n"
                       "mov.u32 r3, tile;\nadd.u32 r2, r2, r3;\nshr.u32 r4, r0, 5;\n";
    text += fmt::format("rem.u32 r5, r4, {};\nld.param.u64 a0, [out];\nmul.wide.u32 a1, r0, {};\nadd.u64 a0, a0, a1;\n"
                        "bar.sync 0;\nsetp.ne.u32 p, r5, 0;\n@p ret;\nmov.u32 c0, %clock;\n",
                        every, 4 * kept);
    for (int k = 0; k < asked; ++k)
        text += fmt::format("ld.volatile.shared.f32 v{}, [r2];\nmov.u32 c{}, %clock;\n", k, k + 1);
    for (int k = 0; k <= asked; ++k)
        text += fmt::format("st.global.u32 [a0+{}], c{};\n", 4 * k, k);
    for (int k = 1; k < asked; ++k) // somebody wants them
        text += fmt::format("add.f32 v0, v0, v{};\n", k);
    text += fmt::format("st.global.f32 [a0+{}], v0;\nret;\n}}\n", 4 * (asked + 1));
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.ptx = text;
    plan.block = {warps * 32, 1, 1};
    plan.arguments = {microBuffer("out", std::uint64_t(warps) * 32 * kept * 4)};
    RunOptions options;
    options.timing = true;
    options.warmL2 = true;
    options.device = "h200";
    options.detail.kind = Detail::Kind::None;
    options.checkMemory = false;
    Progress progress;
    const auto run = makeEmulator()->run(plan, options, progress);
    if (!run || run->fault) {
        ADD_FAILURE() << (run ? run->fault->text() : run.error().text());
        return {};
    }
    std::vector<std::uint32_t> words(run->buffers.at(0).size() / 4);
    std::memcpy(words.data(), run->buffers.at(0).data(), words.size() * 4);
    std::uint32_t first = ~0u;
    for (std::uint32_t w = 0; w < warps; w += every)
        first = std::min(first, words[w * 32 * kept]);
    std::vector<std::int64_t> clocks;
    for (std::uint32_t w = 0; w < warps; w += every)
        for (int k = 1; k <= asked; ++k)
            clocks.push_back(std::int64_t(words[w * 32 * kept + std::uint32_t(k)]) - first);
    return clocks;
}

std::vector<std::int64_t> onTheCard(const std::string& schedulers, std::initializer_list<int> warps) {
    const auto card = measuredCases();
    std::vector<std::int64_t> clocks;
    for (const int w : warps)
        for (int k = 1; k <= asked; ++k)
            clocks.push_back(
                std::int64_t(card.at(fmt::format("queue/lds32/warps:4/{}/warp:{}/given:{}", schedulers, w, k))));
    return clocks;
}

} // namespace

// A warp of each scheduler: the card takes 16 of each without making it wait (64 cycles, in which three have been served), then
// one of the four warps' every 32 cycles. The clock itself takes a warp 4 cycles there and fewer here.
TEST(Queues, OfEachSchedulerMakeItsWarpWaitWhenTheyAreFull) {
    const auto card = onTheCard("schedulers:4", {0}), model = clocksBehindLoads(4, 1);
    ASSERT_EQ(model.size(), 4U * asked);
    const auto before = [](const std::vector<std::int64_t>& clocks, std::size_t warp) {
        int k = 1; // until the first that has waited for another one's 32 passes
        while (k < asked && clocks[warp * asked + std::size_t(k)] - clocks[warp * asked + std::size_t(k) - 1] < 20)
            ++k;
        return k;
    };
    for (std::size_t w = 0; w < 4; ++w) {
        EXPECT_NEAR(before(model, w), before(card, 0), 1) << w;
        EXPECT_NEAR(double(model[w * asked + 19] - model[w * asked + 18]), double(card[19] - card[18]), 16) << w;
    }
}

// Four warps of one scheduler, which have given 32 away in all when they first have to wait for more than the 32 passes of one.
TEST(Queues, OfTheSmAreSharedByItsSchedulers) {
    auto card = onTheCard("schedulers:1", {0, 4, 8, 12}), model = clocksBehindLoads(16, 4);
    const auto given = [](std::vector<std::int64_t>& clocks) {
        std::sort(clocks.begin(), clocks.end());
        std::size_t k = 1;
        while (k < clocks.size() && clocks[k] - clocks[k - 1] < 32)
            ++k;
        return int(k);
    };
    EXPECT_NEAR(given(model), given(card), 3) << fmt::format("{}", fmt::join(model, " "));
}

// As a card's samples have it: a store to shared memory that waits for what was loaded (268 cycles from L2) waits at its own line,
// though it is put behind what follows and the barrier is held up by it; who waits for others at a barrier stands before what
// follows the barrier.
TEST(Waits, StandAtTheInstructionThatWaits) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in) {\n"
               ".shared .align 4 .b8 tile[256];\n.reg .b32 r<8>;\n.reg .b64 a<4>;\n" // lines 5 to 7
               "ld.param.u64 a0, [in];\nmov.u32 r0, %tid.x;\nmul.wide.u32 a1, r0, 4;\nadd.u64 a0, a0, a1;\n"
               "mov.u32 r1, tile;\nshl.b32 r2, r0, 2;\nadd.u32 r2, r1, r2;\n" // 12 to 14
               "ld.global.u32 r3, [a0];\n"
               "st.shared.u32 [r2], r3;\n" // 16
               "bar.sync 0;\n"
               "ld.shared.u32 r4, [r1];\n" // 18
               "st.global.u32 [a0], r4;\nret;\n}\n";
    plan.block = {64, 1, 1};
    plan.arguments = {microBuffer("in", 256)};
    RunOptions options;
    options.timing = true;
    options.warmL2 = true;
    options.device = "h200";
    options.detail.kind = Detail::Kind::All;
    Progress progress;
    const auto run = makeEmulator()->run(plan, options, progress);
    ASSERT_TRUE(run && !run->fault);
    std::map<WarpState, std::map<std::uint32_t, std::int64_t>> waits; // cycles by line
    for (const Warp& warp : run->trace->warps)
        for (const StateRow& s : run->trace->statesOf(warp))
            waits[s.state][s.ptxLine] += (s.end - s.begin).value;
    EXPECT_GT(waits[WarpState::StallLongScoreboard][16], 2 * 200);
    waits[WarpState::StallLongScoreboard].erase(16);
    for (const auto& [line, cycles] : waits[WarpState::StallLongScoreboard])
        EXPECT_EQ(cycles, 0) << line;
    EXPECT_GT(waits[WarpState::StallBarrier][18], 0);
    EXPECT_EQ(waits[WarpState::StallBarrier].size(), 1U);
}

} // namespace warpglass::testing
