// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/kernels/both_modes.h"

#include <gtest/gtest.h>

using namespace warpglass;

namespace {

// What of the three sizes an entry is run at: one element, the size to look at, and one that no block divides.
std::vector<std::int64_t> sizesOf(const CatalogueEntry& entry) {
    const std::int64_t look = entry.look.size.value_or(std::int64_t(
        (entry.look.grid ? entry.look.grid->count() : 1) * (entry.look.block ? entry.look.block->count() : 1)));
    return {1, look, look * 2 - 3};
}

// Runs on the emulator without a fault and with the right answer.
void runs(Backend& emulator, const CatalogueEntry& entry, const LaunchRequest& request, bool races = false) {
    const auto plan = makePlan(entry, request);
    ASSERT_TRUE(plan.ok()) << entry.name << ": " << plan.error().text();
    SCOPED_TRACE(entry.name + (request.mode == CompileMode::Optimised ? ", optimised" : ", as written") + ", size " +
                 std::to_string(plan->size) + ", block " + plan->block.text());
    RunOptions options;
    options.detail.kind = Detail::Kind::None;
    options.threads = 2;
    options.checkRaces = races;
    Progress progress;
    const auto recording = emulator.run(*plan, options, progress);
    ASSERT_TRUE(recording.ok()) << recording.error().text();
    EXPECT_FALSE(recording->fault) << recording->fault->text();
    EXPECT_EQ(recording->check.check, Check::Ok) << recording->check.why;
    for (const Diagnostic& d : recording->trace->diagnostics) {
        EXPECT_NE(d.kind, DiagnosticKind::GlobalRace) << d.message;
        EXPECT_NE(d.kind, DiagnosticKind::OutsideObject) << d.message;
    }
}

class EveryKernel : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(EveryKernel, IsRightAtThreeSizesInBothModes) {
    const CatalogueEntry& entry = *findKernel(GetParam());
    const auto emulator = makeEmulator();
    for (const CompileMode mode : bothModes)
        for (const std::int64_t size : sizesOf(entry))
            runs(*emulator, entry, {.size = size, .mode = mode});
}

// At the size to look at, as compiled by default.
TEST_P(EveryKernel, IsAccusedOfNoRaceInGlobalMemory) {
    const CatalogueEntry& entry = *findKernel(GetParam());
    runs(*makeEmulator(), entry, {.size = sizesOf(entry)[1]}, true);
}

// Nor of losing digits, beside itself in fp64.
TEST_P(EveryKernel, LosesNoDigits) {
    const CatalogueEntry& entry = *findKernel(GetParam());
    const auto plan = makePlan(entry, {.size = sizesOf(entry)[1]});
    ASSERT_TRUE(plan.ok()) << plan.error().text();
    RunOptions options;
    options.detail.kind = Detail::Kind::None;
    options.twin = 0; // by its own tolerance
    Progress progress;
    const auto recording = makeEmulator()->run(*plan, options, progress);
    ASSERT_TRUE(recording.ok()) << recording.error().text();
    for (const Diagnostic& d : recording->trace->diagnostics) {
        const Message whole = d.message.message();
        const auto* const what = std::get_if<std::vector<Message>>(&whole.arguments.at(0));
        EXPECT_TRUE(!what || what->empty() ||
                    (what->front().id != say::DigitsLost.id && what->front().id != say::DigitsLostAt.id))
            << d.message;
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryKernel, testing::ValuesIn([] {
                             std::vector<std::string> names;
                             for (const CatalogueEntry& entry : catalogue())
                                 names.push_back(entry.name);
                             return names;
                         }()),
                         [](const auto& test) { return test.param; });

// Every length a reduction may have, with a last tile that is not full.
TEST(Reductions, AreRightForEveryBlock) {
    const auto emulator = makeEmulator();
    int launches = 0;
    for (const CatalogueEntry& entry : catalogue()) {
        if (!entry.family.starts_with("reduction"))
            continue;
        for (std::uint32_t block = 1; block <= 1024; block *= 2) {
            const LaunchRequest request{.size = std::int64_t(block) * 9 + 1, .block = Dim3{block}};
            if (!makePlan(entry, request))
                continue; // refused by name
            runs(*emulator, entry, request);
            ++launches;
        }
    }
    EXPECT_GT(launches, 200);
}

// The shapes the documents sweep; 256 x 8 is more than a block can have and is refused before it runs.
TEST(MatrixSums, AreRightForTheDocumentsShapes) {
    const auto emulator = makeEmulator();
    for (const char* name : {"sumMatrix2D", "sumMatrixOnGPU2D"})
        for (const Dim3 block :
             {Dim3{32, 32}, Dim3{32, 16}, Dim3{16, 32}, Dim3{16, 16}, Dim3{16, 8}, Dim3{8, 16}, Dim3{64, 2},
              Dim3{64, 4}, Dim3{64, 8}, Dim3{128, 2}, Dim3{128, 4}, Dim3{128, 8}, Dim3{256, 2}, Dim3{256, 4}})
            runs(*emulator, *findKernel(name), {.size = 130, .block = block});
    const auto tooMany = makePlan(*findKernel("sumMatrixOnGPU2D"), {.size = 512, .block = Dim3{256, 8}});
    ASSERT_TRUE(tooMany.ok());
    Progress progress;
    EXPECT_FALSE(emulator->run(*tooMany, {}, progress).ok());
}
