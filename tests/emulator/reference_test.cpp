// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of the documents' kernels against hardware counters of an NVIDIA H200.
#include "tests/emulator/run_kernel.h"

#include "gpu/kernels/catalogue.h"
#include "gpu/metrics/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpglass::testing {
namespace {

struct Row {
    const char* kernel;
    CompileMode mode;
    std::int64_t size;
    std::uint32_t block;
    double branch, divergent; // -1: not compared
    double gld, gst;          // percent, two decimals; 0: none
};

void PrintTo(const Row& row, std::ostream* out) {
    *out << row.kernel << ' ' << name(row.mode) << ' ' << row.size << '/' << row.block;
}

class Reference : public ::testing::TestWithParam<Row> {};

TEST_P(Reference, EqualsTheHardwaresCounters) {
    const Row& row = GetParam();
    const CatalogueEntry* entry = findKernel(row.kernel);
    ASSERT_TRUE(entry) << row.kernel;
    LaunchRequest request;
    request.mode = row.mode;
    request.size = row.size;
    request.block = Dim3{row.block};
    auto plan = makePlan(*entry, request);
    ASSERT_TRUE(plan.ok()) << plan.error().text();
    RunOptions options;
    options.detail.kind = Detail::Kind::None;
    Progress progress;
    auto r = makeEmulator()->run(*plan, options, progress);
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(r->check.check, Check::Ok) << r->check.why;
    const auto is = [&](const char* name, double expected) {
        const auto m = metric(*r->trace, 0, name);
        ASSERT_TRUE(m && m->value) << name;
        EXPECT_NEAR(*m->value, expected, 0.005001) << name;
    };
    if (row.branch >= 0)
        is("branch", row.branch);
    if (row.divergent >= 0)
        is("divergent_branch", row.divergent);
    if (row.gld > 0)
        is("gld_efficiency", row.gld);
    is("gst_efficiency", row.gst);
}

constexpr auto asWritten = CompileMode::AsWritten, optimised = CompileMode::Optimised;

// Measured with the range profiler (smsp__sass_branch_targets and its divergent part; data bytes a sector). The -G rows
// of reduceUnrolling8 and reduceUnrollWarps8 were measured on a form of the kernel with a loop over the eight blocks,
// which executes more branches than the document's; their divergent branches and efficiencies are the same.
INSTANTIATE_TEST_SUITE_P(H200, Reference,
                         ::testing::Values(Row{"mathKernel1", asWritten, 64, 64, 10, 2, 0, 100},
                                           Row{"mathKernel2", asWritten, 64, 64, 9, 0, 0, 100},
                                           Row{"mathKernel3", asWritten, 64, 64, 14, 4, 0, 100},
                                           Row{"reduceNeighbored", asWritten, 1 << 20, 512, 2031616, 196608, 25.02, 25},
                                           Row{"reduceInterleaved", asWritten, 1 << 20, 512, 1724416, 12288, 96.15,
                                               95.52},
                                           Row{"reduceUnrolling8", asWritten, 1 << 20, 512, -1, 1536, 99.21, 97.71},
                                           Row{"reduceUnrollWarps8", asWritten, 1 << 20, 512, -1, 256, 99.43, 99.40},
                                           Row{"vectorAdd", asWritten, 1 << 16, 256, 6144, 0, 100, 100},
                                           Row{"reduceNeighbored", optimised, 1 << 20, 512, -1, -1, 25.02, 25},
                                           Row{"reduceInterleaved", optimised, 1 << 20, 512, -1, -1, 96.15, 95.52}),
                         [](const auto& row) {
                             return std::string(row.param.kernel) +
                                    (row.param.mode == asWritten ? "AsWritten" : "Optimised");
                         });

} // namespace
} // namespace warpglass::testing
