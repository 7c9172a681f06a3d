// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/catalogue.h"
#include "gpu/kernels/texts.h"
#include "gpu/ptx/parse.h"
#include "tests/kernels/both_modes.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace warpglass;

namespace {

LaunchPlan planOf(const std::string& name, LaunchRequest request = {}) {
    const CatalogueEntry* entry = findKernel(name);
    EXPECT_NE(entry, nullptr) << name;
    auto plan = makePlan(*entry, std::move(request));
    EXPECT_TRUE(plan.ok()) << name << ": " << (plan.ok() ? "" : plan.error().text());
    return plan.ok() ? std::move(plan).value() : LaunchPlan{};
}

std::string refusal(const std::string& name, LaunchRequest request) {
    auto plan = makePlan(*findKernel(name), std::move(request));
    return plan.ok() ? "" : plan.error().text();
}

Buffers filled(const LaunchPlan& plan) {
    Buffers buffers;
    for (const Argument& argument : plan.arguments) {
        buffers.emplace_back();
        if (!argument.isBuffer)
            continue;
        buffers.back().resize(argument.count * std::size_t(bytesOf(argument.type)));
        if (argument.fill)
            argument.fill(buffers.back());
    }
    return buffers;
}

template <typename T>
void store(std::vector<std::byte>& buffer, std::size_t i, T value) {
    std::memcpy(buffer.data() + i * sizeof(T), &value, sizeof(T));
}

template <typename T>
T load(const std::vector<std::byte>& buffer, std::size_t i) {
    T value;
    std::memcpy(&value, buffer.data() + i * sizeof(T), sizeof(T));
    return value;
}

} // namespace

TEST(Plans, PassWhatTheEntryInPtxTakes) {
    for (const CompileMode mode : bothModes)
        for (const CatalogueEntry& entry : catalogue()) {
            const LaunchPlan plan = planOf(entry.name, {.mode = mode});
            const auto module = ptx::parse(plan.ptx, plan.moduleName);
            ASSERT_TRUE(module.ok()) << entry.name << ": " << module.error().text();
            const ptx::Function* function = module->findFunction(plan.entry);
            ASSERT_NE(function, nullptr) << entry.name << " has no entry " << plan.entry;
            EXPECT_TRUE(function->isEntry);
            ASSERT_EQ(function->params.size(), plan.arguments.size()) << entry.name;
            for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
                const std::size_t bytes = plan.arguments[i].isBuffer ? 8 : plan.arguments[i].scalar.size();
                EXPECT_EQ(function->params[i].sizeBytes(), bytes) << entry.name << ", parameter " << i;
            }
            EXPECT_GT(plan.registers, 0u) << entry.name;
        }
}

TEST(Plans, OfTheDocumentsLaunchesAreMade) {
    for (const CatalogueEntry& entry : catalogue()) {
        const auto plan = makePlan(entry, entry.document);
        ASSERT_TRUE(plan.ok()) << entry.name << ": " << plan.error().text();
        EXPECT_LE(plan->block.count(), 1024u) << entry.name;
    }
    EXPECT_EQ(planOf("reduceNeighbored", findKernel("reduceNeighbored")->document).grid, Dim3{32768});
    EXPECT_EQ(planOf("reduceUnrolling8", findKernel("reduceUnrolling8")->document).grid, Dim3{4096});
    EXPECT_EQ(planOf("sumMatrixOnGPU2D", findKernel("sumMatrixOnGPU2D")->document).grid, (Dim3{512, 512}));
    EXPECT_EQ(planOf("nesthelloworld", findKernel("nesthelloworld")->document).grid, Dim3{32});
}

TEST(Plans, ToLookAtHaveFewBlocks) {
    for (const CatalogueEntry& entry : catalogue())
        EXPECT_LE(planOf(entry.name).grid.count(), 8u) << entry.name;
}

// 3 1 7 0 4 1 6 3 sums to 25; a block of 8 has one copy of them, 20 elements end with 3 1 7 0 and their sum 11.
TEST(Plans, OfReductionsTakeTheDocumentsArray) {
    const LaunchPlan plan = planOf("reduceNeighbored", {.size = 20, .block = Dim3{8}, .set = {{"data", 1}}});
    EXPECT_EQ(plan.grid, Dim3{3});
    EXPECT_EQ(plan.arguments[0].count, 24u);
    Buffers buffers = filled(plan);
    const int expected[] = {3, 1, 7, 0, 4, 1, 6, 3};
    for (std::size_t i = 0; i < 24; ++i)
        EXPECT_EQ(load<int>(buffers[0], i), i < 20 ? expected[i % 8] : 0) << i;
    store(buffers[1], 0, 25);
    store(buffers[1], 1, 25);
    store(buffers[1], 2, 11);
    EXPECT_EQ(plan.check(buffers).check, Check::Ok);
    store(buffers[1], 2, 12);
    const CheckResult wrong = plan.check(buffers);
    EXPECT_EQ(wrong.check, Check::Wrong);
    EXPECT_EQ(wrong.why, "g_odata[2] is 12, the host computes 11");
}

TEST(Plans, CheckRejectsBuffersThatNoKernelTouched) {
    for (const CatalogueEntry& entry : catalogue()) {
        const LaunchPlan plan = planOf(entry.name);
        ASSERT_TRUE(plan.check) << entry.name;
        const CheckResult result = plan.check(filled(plan));
        EXPECT_EQ(result.check, Check::Wrong) << entry.name;
        EXPECT_FALSE(result.why.empty()) << entry.name;
        EXPECT_EQ(plan.check({}).check, Check::Wrong) << entry.name;
    }
}

// mathKernel1 by its rule: even threads 100, odd threads 200.
TEST(Plans, CheckNamesTheFirstWrongElement) {
    const LaunchPlan plan = planOf("mathKernel1");
    Buffers buffers = filled(plan);
    for (std::size_t i = 0; i < 64; ++i)
        store(buffers[0], i, i % 2 == 0 ? 100.0f : 200.0f);
    EXPECT_EQ(plan.check(buffers).check, Check::Ok);
    store(buffers[0], 7, 100.0f);
    EXPECT_EQ(plan.check(buffers).why, "c[7] is 100, the host computes 200");
    store(buffers[0], 9, 100.0f);
    const CheckResult two = plan.check(buffers);
    EXPECT_EQ(two.why, "c[7] is 100, the host computes 200 (the first of 2 wrong values of 64)");
    EXPECT_EQ(two.wrongValues, 2u);
    EXPECT_EQ(two.values, 64u);
}

TEST(Plans, CheckOfAProductNamesRowAndColumn) {
    const LaunchPlan plan = planOf("matmul_naive", {.size = 5, .block = Dim3{4, 4}});
    EXPECT_EQ(plan.grid, (Dim3{2, 2}));
    Buffers buffers = filled(plan);
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j) {
            float sum = 0;
            for (std::size_t k = 0; k < 5; ++k)
                sum += load<float>(buffers[0], i * 5 + k) * load<float>(buffers[1], k * 5 + j);
            store(buffers[2], i * 5 + j, sum);
        }
    EXPECT_EQ(plan.check(buffers).check, Check::Ok);
    store(buffers[2], 3 * 5 + 2, -1.0f);
    EXPECT_EQ(plan.check(buffers).why.text().substr(0, 13), "C[3][2] is -1");
}

// divergent_kernel: the documents' case is 20 of 32 lanes over the threshold, the first ones.
TEST(Plans, GiveDivergentKernelItsLanes) {
    const LaunchPlan standard = planOf("divergent_kernel");
    Buffers buffers = filled(standard);
    for (std::size_t i = 0; i < 128; ++i)
        EXPECT_EQ(load<int>(buffers[0], i) > 50, i % 32 < 20) << i;
    const LaunchPlan one = planOf("divergent_kernel", {.set = {{"lanes", 1}}});
    buffers = filled(one);
    for (std::size_t i = 0; i < 128; ++i)
        EXPECT_EQ(load<int>(buffers[0], i) > 50, i % 32 == 0) << i;
    const LaunchPlan sorted = planOf("divergentSorted", {.size = 64, .block = Dim3{32}});
    buffers = filled(sorted);
    for (std::size_t i = 0; i < 64; ++i)
        EXPECT_EQ(load<int>(buffers[0], i) > 50, i < 32) << i;
}

TEST(Plans, ChooseTheInstantiationByTheBlock) {
    EXPECT_EQ(planOf("reduceCompleteUnroll", {.size = 4096, .block = Dim3{512}}).entry,
              "_Z20reduceCompleteUnrollILj512EEvPiS0_j");
    EXPECT_EQ(planOf("reduce6", {.size = 4096, .block = Dim3{1}}).entry, "_Z7reduce6ILj1EEvPiS0_j");
    EXPECT_EQ(planOf("transpose_padded", {.size = 64, .block = Dim3{32, 32}}).entry, "transpose_padded32");
}

// Four bytes a thread; the last steps of the templates read past a block of 32 or fewer, which gets twice as much.
TEST(Plans, GiveDynamicSharedMemory) {
    EXPECT_EQ(planOf("reduce0", {.size = 256, .block = Dim3{128}}).sharedBytes, 512u);
    EXPECT_EQ(planOf("reduce6", {.size = 256, .block = Dim3{64}}).sharedBytes, 256u);
    EXPECT_EQ(planOf("reduce6", {.size = 256, .block = Dim3{16}}).sharedBytes, 128u);
    EXPECT_EQ(planOf("reduce0", {.block = Dim3{64}, .sharedBytes = 1024}).sharedBytes, 1024u);
    EXPECT_EQ(planOf("reduce_v1").sharedBytes, 0u);
}

// A block of 8 x 8 x 4: thread (x, y, z) has number 64 z + 8 y + x, so z = 1 starts with warp 2. In a grid of two such
// blocks side by side, row 0 is 16 wide and layer 1 starts at element 128.
TEST(Plans, KnowTheWarpOfAThreadInThreeDimensions) {
    const LaunchPlan plan = planOf("index3D");
    EXPECT_EQ(plan.grid, Dim3{2});
    Buffers buffers = filled(plan);
    for (std::size_t z = 0; z < 4; ++z)
        for (std::size_t y = 0; y < 8; ++y)
            for (std::size_t x = 0; x < 16; ++x)
                store(buffers[0], z * 128 + y * 16 + x, int(2 * z + y / 4));
    EXPECT_EQ(plan.check(buffers).check, Check::Ok) << plan.check(buffers).why;
}

// 100 rows and columns are two tiles of 64 along each side; rows of 100 halves begin every 104 (208 bytes, a multiple of
// 16), of 20 every 24 (48 bytes).
TEST(Plans, OfPipelinesRoundLinesUpToWhatACopyMoves) {
    const LaunchPlan groups = planOf("matmul_four_stages", {.size = 100, .set = {{"k", 20}}});
    EXPECT_EQ(groups.grid, (Dim3{2, 2}));
    EXPECT_EQ(groups.arguments[0].count, 100u * 24u); // A by rows
    EXPECT_EQ(groups.arguments[1].count, 20u * 104u); // B by rows
    const LaunchPlan boxes = planOf("matmul_pingpong", {.size = 100, .set = {{"k", 20}}});
    EXPECT_EQ(boxes.grid, Dim3{1}); // four tiles a block
    ASSERT_EQ(boxes.globalBuffers.size(), 2u);
    EXPECT_EQ(boxes.globalBuffers[1].count, 100u * 24u); // B by columns
    ASSERT_TRUE(boxes.arguments[1].tensorMap);
    EXPECT_EQ(boxes.arguments[1].tensorMap->strides[0], 48u);
    EXPECT_NE(refusal("matmul_producer", {.block = Dim3{128}}), "");
    EXPECT_NE(refusal("matmul_pingpong", {.grid = Dim3{2, 2}}), "");
}

TEST(Plans, ARunWithoutAGridCoversAnySize) {
    EXPECT_EQ(planOf("vectorAdd", {.size = 1}).grid, Dim3{1});
    EXPECT_EQ(planOf("vectorAdd", {.size = 65}).grid, Dim3{2});
    EXPECT_EQ(planOf("vectorAdd", {.grid = Dim3{3}, .block = Dim3{32}}).size, 96);
    EXPECT_EQ(planOf("reduceUnrolling8", {.size = 1025, .block = Dim3{64}}).grid, Dim3{3});
}

TEST(Plans, RefuseWhatCannotBeInASentence) {
    EXPECT_EQ(refusal("vectorAdd", {.size = 0}),
              "--size: size 0 is not possible here. Choose a size from 1 to 536870912.");
    EXPECT_EQ(refusal("vectorAdd", {.block = Dim3{16, 2}}), "--block: this kernel does not work with a block of 16x2. "
                                                            "It counts its threads along x only: give one number.");
    EXPECT_EQ(refusal("reduceInterleaved", {.block = Dim3{96}}),
              "--block: this kernel does not work with a block of 96. It halves its threads again and again: choose a "
              "power of two "
              "from 2 to 1024.");
    EXPECT_NE(refusal("reduceUnrollWarps8", {.block = Dim3{32}}).find("from 64 to 1024"), std::string::npos);
    EXPECT_NE(refusal("divergent_kernel", {.set = {{"lanes", 33}}}).find("from 0 to 32"), std::string::npos);
    EXPECT_NE(refusal("divergent_kernel", {.set = {{"lane", 3}}}).find("It has: lanes, order."), std::string::npos);
    EXPECT_NE(refusal("matmul_tiled", {.block = Dim3{8, 8}}).find("16x16"), std::string::npos);
    EXPECT_NE(refusal("sumByShuffle", {.block = Dim3{48}}).find("multiple of 32"), std::string::npos);
}

// A block over the device's limit is left to the launch's own check, which names the limit.
TEST(Plans, LeaveBlocksOverTheLimitToTheDevice) {
    EXPECT_EQ(planOf("sumMatrixOnGPU2D", {.size = 512, .block = Dim3{256, 8}}).block.count(), 2048u);
    EXPECT_EQ(planOf("reduceInterleaved", {.size = 4096, .block = Dim3{2048}}).block.count(), 2048u);
}

// Nested greetings of 8 threads: 8, 4, 2, 1; and of 64 in blocks of 2: 32 blocks, then 32 chains of 32, 16, ... 1.
TEST(Plans, CountNestedThreadsByDepth) {
    const LaunchPlan eight = planOf("nestedHelloWorld");
    Buffers buffers = filled(eight);
    const int threads[] = {8, 4, 2, 1};
    for (std::size_t depth = 0; depth < 4; ++depth)
        store(buffers[2], depth, threads[depth]);
    EXPECT_EQ(eight.check(buffers).check, Check::Ok) << eight.check(buffers).why;

    const LaunchPlan chains = planOf("nesthelloworld", findKernel("nesthelloworld")->document);
    buffers = filled(chains);
    store(buffers[2], 0, 64);
    for (std::size_t depth = 1; depth <= 6; ++depth)
        store(buffers[2], depth, 32 * (64 >> depth));
    EXPECT_EQ(chains.check(buffers).check, Check::Ok) << chains.check(buffers).why;
}
