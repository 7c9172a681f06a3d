// SPDX-License-Identifier: GPL-3.0-or-later
// Probes leave asynchronous copies, mbarriers and clusters as they are: the kernels do the same with them, and what the
// probes tell is what the emulator sees.
#include "gpu/kernels/catalogue.h"
#include "gpu/ptx/parse.h"
#include "tests/emulator/run_kernel.h"
#include "tests/probe/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace warpglass::probe {
namespace {

using testing::buffer;
using testing::value;
using Ints = std::vector<int>;

Ints numbers(std::size_t n) {
    Ints v(n);
    for (std::size_t i = 0; i < n; ++i)
        v[i] = int(i * 37 % 1013);
    return v;
}

LaunchPlan planOf(const std::string& entry, Dim3 grid, Dim3 block, std::vector<Argument> arguments) {
    for (std::size_t n = 0; n < arguments.size(); ++n)
        arguments[n].name = "argument" + std::to_string(n);
    return testing::Kernel(entry, grid, block, std::move(arguments), "async.ptx").plan;
}

test::Setup everything() {
    test::Setup setup;
    setup.detail.kind = Detail::Kind::All;
    setup.options.flatBlocks = true; // as on a GPU
    return setup;
}

// Whoever polls may do so another number of times with probes in between: these kernels do not.
TEST(AsyncKernels, HaveTheSameEventsWithProbes) {
    LaunchPlan sums = planOf("clusterSum", {4}, {64}, {buffer(Ints(4)), buffer(numbers(4 * 64))});
    sums.cluster = Dim3{2};
    for (const LaunchPlan& plan :
         {planOf("doubleBuffered", {1}, {64}, {buffer(Ints(64)), buffer(numbers(5 * 64)), value(5)}),
          planOf("clusterHistogram", {4}, {64}, {buffer(Ints(64)), buffer(numbers(500)), value(500)}), sums}) {
        const auto pair = test::runBoth(plan, everything());
        ASSERT_TRUE(pair.ok()) << plan.entry << ": " << pair.error().text();
        ASSERT_FALSE(pair->probedRun.fault) << plan.entry << ": " << pair->probedRun.fault->text();
        EXPECT_EQ(test::eventDifference(*pair->clean, pair->decoded, false, &pair->module), "") << plan.entry;
    }
}

TEST(AsyncKernels, GiveTheSameResultsWithProbes) {
    const Ints in = numbers(4 * 64);
    Ints more = in;
    for (int& v : more)
        ++v;
    for (const auto& [plan, expected] :
         {std::pair{planOf("bulkBothWays", {4}, {64}, {buffer(Ints(in.size())), buffer(in)}), more},
          std::pair{planOf("sendAround", {4}, {32}, {buffer(Ints(4))}), Ints{103, 100, 101, 102}}}) {
        const auto pair = test::runBoth(plan, everything());
        ASSERT_TRUE(pair.ok()) << plan.entry << ": " << pair.error().text();
        ASSERT_FALSE(pair->probedRun.fault) << plan.entry << ": " << pair->probedRun.fault->text();
        EXPECT_EQ(testing::values<int>(pair->probedRun, 0), expected) << plan.entry;
    }
}

// --- copies and mbarriers

LaunchPlan catalogued(const char* kernel) {
    Result<LaunchPlan> plan = makePlan(*findKernel(kernel), LaunchRequest{});
    EXPECT_TRUE(plan.ok());
    return plan.ok() ? *plan : LaunchPlan{};
}

// Of one mbarrier of a block, in order: what lanes of which warp did to which phase. When bytes came and a phase was over
// only the emulator knows; how often probes tell it is counted elsewhere.
using Deeds = std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, std::vector<std::string>>>;
Deeds deedsOf(const Trace& t) {
    Deeds deeds;
    for (const PhaseEvent& e : t.phaseEvents)
        if (e.warp != noIndex && e.barrier != noIndex &&
            (e.kind == PhaseEventKind::Init || e.kind == PhaseEventKind::Expect || e.kind == PhaseEventKind::Arrive ||
             e.kind == PhaseEventKind::Pass))
            deeds[{t.blocks[e.block].index, e.barrier}][t.warps[e.warp].warpInBlock].push_back(
                fmt::format("{} phase {} count {} line {}", name(e.kind), e.phase, e.count, t.sites[e.site].ptxLine));
    return deeds;
}

// Fills of an mbarrier's phases: bytes that copies told it.
std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint64_t> filledOf(const Trace& t) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint64_t> bytes;
    for (const PhaseEvent& e : t.phaseEvents)
        if (e.kind == PhaseEventKind::Copied)
            bytes[{t.blocks[e.block].index, e.barrier, e.phase}] += e.count;
    return bytes;
}

class ProbedPipelines : public ::testing::TestWithParam<const char*> {};

// Every arrival, expectation and pass of every mbarrier by the same warp at the same line in the same phase, and every bulk copy
// into the same place with as many bytes, as the emulator sees them of the kernel without probes.
TEST_P(ProbedPipelines, TellCopiesAndPhases) {
    const auto pair = test::runBoth(catalogued(GetParam()), everything());
    ASSERT_TRUE(pair.ok()) << pair.error().text();
    ASSERT_FALSE(pair->probedRun.fault) << pair->probedRun.fault->text();
    const Trace &seen = *pair->clean, &told = pair->decoded;
    EXPECT_TRUE(validate(told).ok());
    ASSERT_FALSE(seen.phaseEvents.empty());
    EXPECT_EQ(deedsOf(told), deedsOf(seen));
    EXPECT_EQ(filledOf(told), filledOf(seen));
    ASSERT_EQ(told.copies.size(), seen.copies.size());
    for (std::size_t n = 0; n < seen.copies.size(); ++n) {
        const AsyncCopy &a = seen.copies[n], &b = told.copies[n];
        EXPECT_EQ(std::tuple(b.warp, b.kind, b.lanes.bits, b.bytes, b.from, b.to, b.barrier, b.place),
                  std::tuple(a.warp, a.kind, a.lanes.bits, a.bytes, a.from, a.to, a.barrier, a.place))
            << "copy " << n;
        EXPECT_EQ(told.sites[b.site].ptxLine, seen.sites[a.site].ptxLine) << "copy " << n;
        EXPECT_GE(b.complete, b.issued);
    }
}
INSTANTIATE_TEST_SUITE_P(Catalogue, ProbedPipelines, ::testing::Values("matmul_producer", "matmul_pingpong"));

// Nothing is written between the bytes that are expected and the second of the stage's two copies. Of the waits of both kernels
// those of who fills (one each) and those for a full stage (five each: a loop of four turns at a time, and its rest) come to
// their copy, or product, before anything is written.
TEST_P(ProbedPipelines, WriteBehindCopiesAndProducts) {
    const LaunchPlan plan = catalogued(GetParam());
    const Result<ptx::Module> module = ptx::parse(plan.ptx, plan.moduleName);
    ASSERT_TRUE(module.ok()) << module.error().text();
    ProbeOptions how;
    how.flatBlocks = true;
    const Result<ProbedModule> probed = insertProbes(*module, how);
    ASSERT_TRUE(probed.ok()) << probed.error().text();
    std::istringstream text(probed->ptx.substr(probed->ptx.rfind("wgp_probed:", probed->ptx.find("$wgp"))));
    int copiesLeft = 0, fills = 0, waits = 0;
    bool waited = false;
    for (std::string line; std::getline(text, line);) {
        const auto has = [&](const char* what) { return line.find(what) != std::string::npos; };
        EXPECT_FALSE(has("st.global") && copiesLeft > 0) << line;
        waited = waited && !has("st.global");
        if (has("arrive.expect_tx")) {
            copiesLeft = 2;
            ++fills;
        }
        copiesLeft -= has("cp.async.bulk.tensor") && copiesLeft > 0;
        const bool goesOn = has("wgmma.mma_async") || has("cp.async.bulk.tensor");
        waits += waited && goesOn;
        waited = (waited && !goesOn) || line.starts_with("wgp_passed");
    }
    EXPECT_GE(fills, 2);
    EXPECT_GE(waits, 12);
}

class ProbedGroups : public ::testing::TestWithParam<const char*> {};

// cp.async: one row a group and warp, with the bytes and the lowest place of all its copies. It is complete when the wait is
// over that leaves fewer groups under way.
TEST_P(ProbedGroups, AreToldByWarpAndGroup) {
    const auto pair = test::runBoth(catalogued(GetParam()), everything());
    ASSERT_TRUE(pair.ok()) << pair.error().text();
    const Trace &seen = *pair->clean, &told = pair->decoded;
    EXPECT_TRUE(validate(told).ok());
    ASSERT_FALSE(told.copies.empty());
    std::map<std::uint32_t, std::uint64_t> bytes, known; // [warp]
    std::map<std::uint32_t, std::set<std::uint32_t>> places, allPlaces;
    for (const AsyncCopy& copy : seen.copies) {
        known[copy.warp] += copy.bytes;
        allPlaces[copy.warp].insert(copy.place);
    }
    std::uint32_t last = noIndex;
    Time until{};
    for (const AsyncCopy& copy : told.copies) {
        EXPECT_EQ(copy.kind, AsyncCopyKind::Lanes);
        EXPECT_EQ(copy.barrier, noIndex);
        bytes[copy.warp] += copy.bytes;
        EXPECT_TRUE(allPlaces[copy.warp].contains(copy.place));
        EXPECT_GT(copy.complete, copy.issued);
        EXPECT_TRUE(copy.warp != last || copy.complete >= until); // groups come in order
        last = copy.warp;
        until = copy.complete;
        places[copy.warp].insert(copy.place);
    }
    EXPECT_EQ(bytes, known);
    const std::size_t stages = std::string_view(GetParam()) == "matmul_two_stages" ? 2 : 4;
    for (const auto& [warp, of] : places)
        EXPECT_EQ(of.size(), stages) << "warp " << warp; // each group of a warp fills one stage
    for (const PhaseEvent& e : told.phaseEvents)
        EXPECT_EQ(e.barrier, noIndex); // waits for groups alone
}
INSTANTIATE_TEST_SUITE_P(Catalogue, ProbedGroups, ::testing::Values("matmul_two_stages", "matmul_four_stages"));

} // namespace
} // namespace warpglass::probe
