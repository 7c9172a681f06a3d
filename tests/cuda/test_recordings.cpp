// SPDX-License-Identifier: GPL-3.0-or-later
// The recordings that go with the program were made on an H200. They open on any machine, and they say what the
// documents say.
#include "gpu/kernels/catalogue.h"
#include "gpu/machine/kept.h"
#include "gpu/trace/file.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

namespace warpglass {
namespace {

namespace fs = std::filesystem;

const fs::path shipped = fs::path(WARPGLASS_SOURCE_DIR) / "resources/recordings";

TracePtr opened(const std::string& file) {
    Progress progress;
    auto trace = readTrace(shipped / (file + ".wgt"), progress);
    EXPECT_TRUE(trace) << trace.error().text();
    return trace ? *trace : std::make_shared<const Trace>();
}

double counterOf(const Trace& trace, const std::string& metric) {
    for (const Counter& c : trace.counters)
        if (c.metric == metric)
            return c.value;
    ADD_FAILURE() << "no counter " << metric;
    return -1;
}

TEST(Recordings, AllOpenAndAreSmall) {
    std::uintmax_t bytes = 0;
    int count = 0;
    for (const auto& entry : fs::directory_iterator(shipped)) {
        SCOPED_TRACE(entry.path().filename().string());
        const TracePtr t = opened(entry.path().stem().string());
        EXPECT_EQ(t->info.backend, BackendKind::Cuda);
        EXPECT_EQ(t->info.timeOrigin, Origin::Measured);
        EXPECT_GT(t->info.clockResidual, 0);
        EXPECT_FALSE(t->counters.empty());
        EXPECT_GT(t->events.size(), 0u);
        bytes += entry.file_size();
        ++count;
    }
    EXPECT_GE(count, 21);
    EXPECT_LT(bytes, 20u << 20);
}

TEST(Recordings, OneOfEachFamilyIsShipped) {
    std::set<std::string> recorded;
    for (const auto& entry : fs::directory_iterator(shipped))
        if (const CatalogueEntry* kernel = findKernel(opened(entry.path().stem().string())->kernels.front().name))
            recorded.insert(kernel->family);
    for (const Family& family : families())
        EXPECT_TRUE(recorded.contains(family.key)) << family.key;
}

// Branches, divergent branches and efficiency that the documents print for these kernels.
TEST(Recordings, CountTheDivergenceOfTheMathKernels) {
    const struct {
        const char* kernel;
        double branches, divergent;
    } expected[] = {{"mathKernel1", 10, 2}, {"mathKernel2", 9, 0}, {"mathKernel3", 14, 4}};
    for (const auto& e : expected) {
        const TracePtr t = opened(std::string(e.kernel) + "-as-written");
        EXPECT_EQ(counterOf(*t, "branch"), e.branches) << e.kernel;
        EXPECT_EQ(counterOf(*t, "divergent_branch"), e.divergent) << e.kernel;
        EXPECT_NEAR(counterOf(*t, "branch_efficiency"), 100 * (1 - e.divergent / e.branches), 0.01) << e.kernel;
    }
}

// Exact properties of the accesses: the same on every chip.
TEST(Recordings, CountTheLoadEfficiencyOfTheReductions) {
    EXPECT_NEAR(counterOf(*opened("reduceNeighbored-optimised-16777216"), "gld_efficiency"), 25.02, 0.01);
    EXPECT_NEAR(counterOf(*opened("reduceInterleaved-optimised-16777216"), "gld_efficiency"), 96.15, 0.01);
    EXPECT_NEAR(counterOf(*opened("reduceInterleaved-optimised-16777216"), "gst_efficiency"), 95.52, 0.01);
}

// The neighbored reduction's first warp: with each step twice as many lanes skip the addition.
TEST(Recordings, ShowTheNeighboredReductionsMasks) {
    const TracePtr t = opened("reduceNeighbored-optimised-16777216");
    ASSERT_FALSE(t->warps.empty());
    std::vector<std::uint32_t> taken;
    for (std::uint32_t n = 0; n < t->warps[0].eventCount; ++n) {
        const Event e = t->event(t->warps[0], n);
        if (e.kind == EventKind::Branch && !e.taken.empty() && e.taken != e.active)
            taken.push_back(e.taken.bits);
    }
    const std::vector<std::uint32_t> steps{0xaaaaaaaa, 0xeeeeeeee, 0xfefefefe, 0xfffefffe, 0xfffffffe};
    ASSERT_GE(taken.size(), steps.size());
    EXPECT_TRUE(std::equal(steps.begin(), steps.end(), taken.begin()));
}

// The PC sampler met each kernel, and every sample stands at a line of the PTX that ran.
TEST(Recordings, SayWhereWarpsWait) {
    for (const char* file : {"reduceNeighbored-optimised-16777216", "reduceInterleaved-optimised-16777216"}) {
        SCOPED_TRACE(file);
        const TracePtr t = opened(file);
        const auto lines = std::uint32_t(std::count(t->kernels[0].ptx.begin(), t->kernels[0].ptx.end(), '\n'));
        std::uint64_t all = 0, atBarriers = 0, behindBarriers = 0;
        for (const Sample& s : t->samples) {
            ASSERT_LT(s.site, t->sites.size());
            EXPECT_GT(t->sites[s.site].ptxLine, 0u);
            EXPECT_LE(t->sites[s.site].ptxLine, lines);
            all += s.count;
            if (s.stall.find("barrier") == std::string::npos)
                continue;
            atBarriers += s.count;
            // A waiting warp stands at what it would issue next: the line of the barrier, or the few behind it.
            const std::uint32_t line = t->sites[s.site].ptxLine;
            behindBarriers += std::any_of(t->sites.begin(), t->sites.end(),
                                          [line](const Site& site) {
                                              return site.kind == SiteKind::Barrier && site.ptxLine <= line &&
                                                     line <= site.ptxLine + 5;
                                          })
                                  ? s.count
                                  : 0;
        }
        EXPECT_EQ(double(all), counterOf(*t, "pc_samples"));
        EXPECT_GT(atBarriers, all / 10); // a barrier at each of nine steps
        EXPECT_GT(behindBarriers, atBarriers * 9 / 10);
    }
}

// 1,024 blocks of eight warps reduce 256 neighbours each in eight rounds. A thread in 2 * stride adds: in each warp while that is
// no more than 32 (five rounds), then in four warps, two and one: 5 * 8 + 7 = 47 warps of a block load in the loop. Their
// lanes part, and both sides come to BSYNC: 8 * 8 + 47. The last store is the first warp's.
TEST(Recordings, CountMachineInstructionsOneByOne) {
    Progress progress;
    const auto read =
        readTrace(fs::path(WARPGLASS_SOURCE_DIR) / "tests/cuda/data/reduceNeighbored-counted.wgt", progress);
    ASSERT_TRUE(read) << read.error().text();
    const Trace& t = **read;
    const auto code = machine::codeWith(t.codes, t.kernels[0].entry);
    ASSERT_TRUE(code);
    std::map<std::string, std::vector<MachineCount>> of; // in the order of the code
    std::uint64_t all = 0;
    for (const MachineCount& c : t.machineCounts) {
        const auto& in = code->functions[0].code.at(c.sassOffset / machine::instructionBytes);
        of[std::string(machine::mnemonic(in.opcode, code->arch))].push_back(c);
        all += c.executions;
    }
    ASSERT_EQ(of["LDG"].size(), 3u); // two of the sum, and the result
    EXPECT_EQ(of["LDG"][0].executions, 1024u * 47);
    EXPECT_EQ(of["LDG"][0].lanes, 1024u * 255); // a tree of 256 leaves has so many sums
    EXPECT_EQ(of["LDG"][2].executions, 1024u);
    EXPECT_EQ(of["LDG"][2].lanes, 1024u);
    ASSERT_EQ(of["BSYNC"].size(), 1u);
    EXPECT_EQ(of["BSYNC"][0].executions, 1024u * (8 * 8 + 47));
    ASSERT_EQ(of["BAR"].size(), 1u);
    EXPECT_EQ(of["BAR"][0].executions, 1024u * 8 * 8);
    EXPECT_EQ(double(all), counterOf(t, "inst_executed")); // of the hardware's own counter
}

// Every child knows its parent, and of too many pending launches some are dropped.
TEST(Recordings, ShowTheTreeOfDeviceSideLaunches) {
    const TracePtr hello = opened("nestedHelloWorld-optimised");
    ASSERT_EQ(hello->launches.size(), 4u); // 8, 4, 2 and 1 threads
    for (std::uint32_t l = 1; l < 4; ++l) {
        EXPECT_EQ(hello->launches[l].parentLaunch, l - 1);
        EXPECT_EQ(hello->launches[l].depth, l);
    }
    const auto dropped = [](const Trace& t) {
        return std::count_if(t.launches.begin(), t.launches.end(),
                             [](const Launch& l) { return l.status == LaunchStatus::Dropped; });
    };
    EXPECT_EQ(dropped(*opened("gpuRecursiveReduceNosync-optimised-524288")), 0);
    const auto lossy = opened("gpuRecursiveReduceNosync-optimised-2097152");
    EXPECT_GT(dropped(*lossy), 0);
    // What the clean run lost was counted from its answer: 4096 less the 2046 that found room.
    const auto wrong = std::find_if(lossy->counters.begin(), lossy->counters.end(),
                                    [](const Counter& c) { return c.metric == "results_wrong"; });
    ASSERT_NE(wrong, lossy->counters.end());
    EXPECT_EQ(wrong->value, 2050);
}

} // namespace
} // namespace warpglass
