// SPDX-License-Identifier: GPL-3.0-or-later
// What buffers begin with and what they hold at the end, of a run in the cage.
#include "gpu/cage/caged_emulator.h"
#include "gpu/cage/other_memory.h"
#include "gpu/launch/arguments.h"
#include "tests/cage/older_system.h"
#include "tests/cage/plan_of_kernel.h"
#include "tests/cage/stand_in.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace warpglass;
using tests::planOfKernel;
using tests::Scratch;
using tests::standIn;

// Buffers of words, of a file, and of nothing; read by a kernel that copies them, on both sides.
TEST(CagedEmulator, GetsWhatBuffersBeginWith) {
    const Scratch scratch;
    std::ofstream(scratch.path / "numbers", std::ios::binary) << "0123456789abcdef";
    LaunchPlan plan;
    plan.kernelName = plan.entry = "copies";
    plan.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n"
               ".visible .entry copies(.param .u64 from, .param .u64 to) {\n"
               ".reg .b32 %r<3>;\n.reg .b64 %rd<5>;\nld.param.u64 %rd1, [from];\nld.param.u64 %rd2, [to];\n"
               "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd1, %rd1, %rd3;\n"
               "add.s64 %rd2, %rd2, %rd3;\nld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd2], %r2;\nret;\n}\n";
    plan.grid = Dim3{1};
    plan.block = Dim3{4};
    const auto copied = [&](const std::string& initial, bool results) {
        const std::vector<std::string> specs{"from:u32[4]=" + initial, "to:u32[4]=7"};
        auto arguments = parseArguments(specs);
        EXPECT_TRUE(arguments.ok()) << initial;
        plan.arguments = std::move(*arguments);
        Progress progress;
        RunOptions options;
        options.results = results;
        auto run = makeCagedEmulator()->run(plan, options, progress);
        EXPECT_TRUE(run.ok()) << (run ? "" : run.error().text());
        return run ? std::move(run->buffers) : Buffers();
    };
    const auto words = [](std::initializer_list<std::uint32_t> numbers) {
        std::vector<std::byte> bytes(4 * numbers.size());
        std::memcpy(bytes.data(), numbers.begin(), bytes.size());
        return bytes;
    };
    EXPECT_EQ(copied("iota", true).at(1), words({0, 1, 2, 3}));
    EXPECT_EQ(copied("5", true).at(1), words({5, 5, 5, 5}));
    EXPECT_EQ(copied("8,9", true).at(1), words({8, 9, 0, 0}));
    EXPECT_EQ(copied("hex:0100000002", true).at(1), words({1, 2, 0, 0}));
    EXPECT_EQ(copied("file:" + (scratch.path / "numbers").string(), true).at(1),
              words({0x33323130, 0x37363534, 0x62613938, 0x66656463})); // the letters, the lowest first
    EXPECT_TRUE(copied("iota", false).empty());                         // nobody wants them
}

// More than the line between the two holds, both ways, in pieces of any size; and where the system lets no process have
// the memory of another.
TEST(CagedEmulator, GetsAndGivesBuffersOfManyMegabytes) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "turns";
    plan.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n"
               ".visible .entry turns(.param .u64 at, .param .u64 other) {\n"
               ".reg .b32 %r<2>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [at];\nld.global.u32 %r1, [%rd1+4194304];\n"
               "not.b32 %r1, %r1;\nst.global.u32 [%rd1+4194304], %r1;\nret;\n}\n";
    plan.grid = plan.block = Dim3{1};
    constexpr std::uint32_t words = 3'000'001, other = 5;
    const auto spec = [](const std::string& text) { return std::move(*parseArgument(text)); };
    plan.arguments = {spec("at:u32[3000001]"), spec("other:u8[5]")};
    const auto counting = [](std::span<std::byte> to) {
        for (std::uint32_t n = 0; n < to.size() / 4; ++n)
            std::memcpy(to.data() + 4 * n, &n, 4);
    };
    plan.arguments[0].fill = counting;
    plan.arguments[1].fill = [](std::span<std::byte> to) { std::fill(to.begin(), to.end(), std::byte{9}); };
    std::vector<std::byte> wanted(4 * words);
    counting(wanted);
    for (std::size_t n = 4'194'304; n < 4'194'308; ++n)
        wanted[n] = ~wanted[n];
    const auto comeBack = [&] {
        Progress progress;
        const auto run = makeCagedEmulator()->run(plan, {}, progress);
        return run.ok() && run->buffers.at(0) == wanted &&
               run->buffers.at(1) == std::vector<std::byte>(other, std::byte{9});
    };
    EXPECT_TRUE(comeBack());
    const pid_t child = fork();
    if (child == 0) {
        Progress progress;
        const bool older = tests::becomeOlder({.landlock = true, .filters = true, .otherMemory = false});
        _exit(older && !cage::OtherMemory(getpid(), progress).canBeReached() && comeBack() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

// Of what is asked for, numbers are held against what there is, places against what the other side has.
TEST(CagedEmulator, IsGivenOnlyContentsThatThereAre) {
    const Scratch scratch;
    LaunchPlan plan = planOfKernel("mathKernel1");
    const auto number = std::uint32_t(plan.arguments.size());
    plan.arguments.push_back(*parseArgument("more:u32[4]"));
    std::size_t made = 0;
    plan.arguments.back().fill = [&](std::span<std::byte> to) { made += to.size(); };
    const auto errorOfAsking = [&](std::uint32_t which) {
        std::string asks = "printf '\\001"; // a place at which nothing lies
        for (int n = 0; n < 4; ++n)
            asks += fmt::format("\\{:03o}", which >> 8 * n & 255);
        for (int n = 0; n < 8; ++n)
            asks += "\\001";
        Progress progress;
        const auto run = makeCagedEmulator({}, standIn(scratch, asks + "' >&3"))->run(plan, {}, progress);
        return run.ok() ? std::string() : std::string(run.error().message);
    };
    EXPECT_EQ(errorOfAsking(number), "the emulator itself broke here (no answer)");
    EXPECT_EQ(made, 16U);
    for (const std::uint32_t none : {number - 1, number + 1, ~0U})
        EXPECT_EQ(errorOfAsking(none), "the emulator itself broke here (no answer)") << none;
    EXPECT_EQ(made, 16U);
}

// Time that is spent for it here is its own.
TEST(CagedEmulator, HasTheTimeThatItsContentsTake) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 at) { ret; }\n";
    plan.grid = plan.block = Dim3{1};
    plan.arguments = {*parseArgument("at:u32[4]")};
    plan.arguments[0].fill = [](std::span<std::byte>) { std::this_thread::sleep_for(std::chrono::milliseconds(1100)); };
    Progress progress;
    const auto run = makeCagedEmulator({.cpuSeconds = 1})->run(plan, {}, progress);
    ASSERT_FALSE(run.ok());
    EXPECT_NE(run.error().message.find("more than 1 second of the processors"), std::string::npos)
        << run.error().text();
    EXPECT_TRUE(makeCagedEmulator({.cpuSeconds = 9})->run(plan, {}, progress).ok());
}
