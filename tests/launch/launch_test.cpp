// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/backend.h"
#include "gpu/launch/validate.h"
#include "tests/launch/contains.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

using namespace warpglass;

namespace {

std::vector<std::uint64_t> numbers(std::uint64_t count) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 0; i < count; ++i)
        all.push_back(i);
    return all;
}

LaunchPlan shaped(Dim3 grid, Dim3 block, std::uint32_t shared = 0) {
    LaunchPlan plan;
    plan.grid = grid;
    plan.block = block;
    plan.sharedBytes = shared;
    return plan;
}

std::string refusal(const LaunchPlan& plan, const char* device = "rtx3090", std::uint32_t staticShared = 0) {
    const auto result = validate(plan, *findDevice(device), staticShared);
    return result ? std::string() : result.error().text();
}

} // namespace

TEST(AutoBlocks, takesEveryBlockOfASmallGrid) {
    EXPECT_EQ(autoBlocks(1), numbers(1));
    EXPECT_EQ(autoBlocks(64), numbers(64));
    EXPECT_TRUE(autoBlocks(0).empty());
}

TEST(AutoBlocks, takesTheFirst32AndASpreadUpToTheLastOfALargeGrid) {
    for (std::uint64_t grid : {65ull, 66ull, 100ull, 1000ull, 32768ull, 1ull << 31, ~0ull}) {
        const auto blocks = autoBlocks(grid);
        ASSERT_EQ(blocks.size(), 64u) << grid;
        EXPECT_TRUE(std::is_sorted(blocks.begin(), blocks.end())) << grid;
        EXPECT_EQ(std::set(blocks.begin(), blocks.end()).size(), 64u) << grid;
        EXPECT_EQ(blocks[31], 31u) << grid;
        EXPECT_EQ(blocks.back(), grid - 1) << grid;
    }
    // 1056 blocks: 1024 remain after the first 32, so the spread steps by 1024 / 32 = 32 and starts at 31 + 32.
    const auto even = autoBlocks(1056);
    EXPECT_EQ(even[32], 63u);
    EXPECT_EQ(even[33], 95u);
    EXPECT_EQ(even[63], 1055u);
}

TEST(ChosenBlocks, sortsAndMergesWhatWasAskedFor) {
    EXPECT_EQ(*chosenBlocks({.kind = Detail::Kind::Blocks, .blocks = {7, 3, 7, 0}}, 8),
              (std::vector<std::uint64_t>{0, 3, 7}));
    EXPECT_EQ(*chosenBlocks({.kind = Detail::Kind::All}, 100), numbers(100));
    EXPECT_TRUE(chosenBlocks({.kind = Detail::Kind::None}, 100)->empty());
    EXPECT_EQ(*chosenBlocks({.kind = Detail::Kind::Auto}, 100), autoBlocks(100));
}

TEST(ChosenBlocks, refusesABlockOutsideTheGrid) {
    const auto result = chosenBlocks({.kind = Detail::Kind::Blocks, .blocks = {3, 8}}, 8);
    ASSERT_FALSE(result);
    EXPECT_TRUE(contains(result.error().text(), "block 8, but the grid has 8 blocks"));
    EXPECT_TRUE(contains(result.error().text(), "0 to 7"));
}

// The document's launch <<<(64, 2048), (256, 8)>>> failed without a word, and its 0.00003 s looked like a fast run.
TEST(Validate, refusesTheDocumentsBlockOf256By8NamingTheLimit) {
    const std::string text = refusal(shaped({64, 2048}, {256, 8}));
    EXPECT_TRUE(contains(text, "(256, 8)")) << text;
    EXPECT_TRUE(contains(text, "2048 threads")) << text;
    EXPECT_TRUE(contains(text, "at most 1024 threads a block")) << text;
}

TEST(Validate, allows1024ThreadsInAnyShapeAndNotOneMore) {
    EXPECT_EQ(refusal(shaped({1}, {1024})), "");
    EXPECT_EQ(refusal(shaped({1}, {1, 1024})), "");
    EXPECT_EQ(refusal(shaped({1}, {16, 1, 64})), "");
    EXPECT_TRUE(contains(refusal(shaped({1}, {1025})), "1025 threads"));
    EXPECT_TRUE(contains(refusal(shaped({1}, {1, 1, 65})), "along z"));
}

TEST(Validate, isNotFooledByAnAxisSoLongThatTheProductWrapsAround) {
    // 2^22 * 2^21 * 2^21 = 2^64, which is 0 in 64 bits
    EXPECT_TRUE(contains(refusal(shaped({1}, {1u << 22, 1u << 21, 1u << 21})), "at most 1024"));
}

TEST(Validate, refusesEmptyGridsAndBlocks) {
    EXPECT_TRUE(contains(refusal(shaped({0}, {32})), "no blocks: its x is 0"));
    EXPECT_TRUE(contains(refusal(shaped({1, 1, 0}, {32})), "no blocks: its z is 0"));
    EXPECT_TRUE(contains(refusal(shaped({1}, {32, 0})), "no threads: its y is 0"));
}

TEST(Validate, knowsTheLongestAxesOfAGrid) {
    EXPECT_EQ(refusal(shaped({0x7fffffffu}, {1})), "");
    EXPECT_TRUE(contains(refusal(shaped({0x80000000u}, {1})), "2147483647 along x"));
    EXPECT_EQ(refusal(shaped({1, 65535, 65535}, {1})), "");
    EXPECT_TRUE(contains(refusal(shaped({1, 65536}, {1})), "65535 along y"));
    EXPECT_TRUE(contains(refusal(shaped({1, 1, 65536}, {1})), "65535 along z"));
    EXPECT_TRUE(contains(refusal(shaped({65536}, {1}), "m2070"), "65535 along x")); // Fermi
}

TEST(Validate, holdsALaunchToTheKernelsOwnBounds) {
    ptx::Function kernel;
    kernel.line = 7;
    const auto refused = [&](Dim3 grid, Dim3 block) {
        const auto result = validate(kernel, grid, block, "own.ptx");
        return result ? std::string() : result.error().text();
    };
    EXPECT_EQ(refused({3, 5, 7}, {1024}), ""); // says nothing
    kernel.maxntid = {16, 4, 0};               // 64 threads, in any shape
    EXPECT_EQ(refused({1}, {64}), "");
    EXPECT_TRUE(contains(refused({1}, {65}), "own.ptx:7")) << refused({1}, {65});
    EXPECT_TRUE(contains(refused({1}, {65}), "at most 64 threads"));
    kernel.reqntid = {8, 8, 1}; // this very shape
    EXPECT_EQ(refused({1}, {8, 8}), "");
    EXPECT_TRUE(contains(refused({1}, {64}), ".reqntid"));
    kernel.reqnctapercluster = {2, 1, 3};
    EXPECT_EQ(clusterOf(kernel), (Dim3{2, 1, 3}));
    EXPECT_EQ(refused({4, 5, 6}, {8, 8}), "");
    EXPECT_TRUE(contains(refused({4, 5, 7}, {8, 8}), "clusters of"));
}

// Largest shared memory of a block: 99 KB on 8.6, 227 KB on 9.0, 48 KB on 2.0 (CUDA programming guide).
// 2^31 - 1 blocks of 65535 x 65535: more than 64 bits tell, and notes of each of them. What CUDA allows is allowed.
TEST(Validate, refusesWhatThisMachineHasNoMemoryFor) {
    const DeviceSpec& device = *findDevice("h200");
    const LaunchPlan largest = shaped({0x7fffffff, 65535, 65535}, {1, 1, 1});
    EXPECT_TRUE(validate(largest, device));
    const auto blocks = validateMemory({}, largest, device);
    ASSERT_FALSE(blocks);
    EXPECT_TRUE(contains(blocks.error().text(), "has more than 4294967295 blocks")) << blocks.error().text();
    EXPECT_TRUE(validateMemory({}, shaped({1u << 20, 1, 1}, {1024, 1, 1}), device));
    LaunchPlan plan = shaped({1, 1, 1}, {1, 1, 1});
    plan.arguments.push_back({.name = "p", .isBuffer = true, .type = ElementType::I64, .count = ~0ull / 2});
    const auto buffers = validateMemory({}, plan, device);
    ASSERT_FALSE(buffers);
    EXPECT_TRUE(contains(buffers.error().text(), "NVIDIA H200 has 141.0 GB")) << buffers.error().text();
    plan.arguments[0].count = 1 << 20; // 8 MiB, and the copy of what they hold afterwards
    setenv("WARPGLASS_MEMORY", "15M", 1);
    const auto here = validateMemory({}, plan, device);
    setenv("WARPGLASS_MEMORY", "16M", 1);
    EXPECT_TRUE(validateMemory({}, plan, device));
    unsetenv("WARPGLASS_MEMORY");
    ASSERT_FALSE(here);
    EXPECT_TRUE(contains(here.error().text(), "take 16 MB")) << here.error().text();
}

TEST(Validate, refusesSharedMemoryOverTheDevicesLimit) {
    EXPECT_EQ(refusal(shaped({1}, {32}, 99 * 1024)), "");
    EXPECT_TRUE(contains(refusal(shaped({1}, {32}, 99 * 1024 + 1)), "at most 101376 bytes"));
    EXPECT_TRUE(contains(refusal(shaped({1}, {32}, 99 * 1024), "rtx3090", 4), "needs 101380 bytes"));
    EXPECT_EQ(refusal(shaped({1}, {32}, 227 * 1024), "h200"), "");
    EXPECT_TRUE(contains(refusal(shaped({1}, {32}, 48 * 1024 + 4), "m2070"), "at most 49152 bytes"));
    EXPECT_TRUE(contains(refusal(shaped({1}, {32}, 0xffffffffu), "h200", 0xffffffffu), "8589934590 bytes"));
}
