// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of shared memory that copies fill anew: told where nothing says that those who read there are done, and where a
// barrier of any kind says it, nothing.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <utility>

namespace warpglass::testing {
namespace {

constexpr int stageWords = 128, stageTiles = 6;

Recording runStages(const char* entry, std::uint32_t threads) {
    std::vector<float> in(std::size_t(stageWords * stageTiles));
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = float(i / stageWords + 1);
    Kernel k(entry, {1}, {threads},
             {buffer(in, "in"), buffer(std::vector<float>(stageWords), "out"), value(stageTiles)}, "stages.ptx");
    return k.run();
}

// Tile t holds t + 1 everywhere: each thread adds up 1 + ... + 6 = 21, in the order in which the emulator runs the warps.
void addUp(const Recording& r) {
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<float>(r, 1), std::vector<float>(stageWords, 21.0f));
}

TEST(Stages, FilledAnewWhileOthersMayReadAreTold) {
    const Recording r = runStages("refills", 160);
    addUp(r);
    ASSERT_EQ(r.trace->diagnostics.size(), 1u);
    const Diagnostic& d = r.trace->diagnostics.front();
    EXPECT_EQ(d.kind, DiagnosticKind::AsyncHazard);
    // The third copy goes where warp 0 has read the first one: the lines of the sum and of the copy in stages.cu.
    for (const char* const part :
         {"An asynchronous copy is asked for into stage[0], where warp 0 reads at line 60 of stages.cu",
          "line 28 of stages.cu", "thread (128)"})
        EXPECT_NE(d.message.find(part), std::string::npos) << part << " is missing in: " << d.message;
    EXPECT_EQ(d.count, std::uint64_t(stageTiles - 2)) << d.message;
}

TEST(Stages, OfWhichReadersSayThatTheyAreDoneAreNot) {
    for (const auto& [entry, threads] :
         {std::pair("refillsWhatThreadsFreed", 160u), std::pair("refillsWhatWarpsFreed", 160u),
          std::pair("readsOnce", 160u), std::pair("refillsBehindABarrier", 128u)}) {
        const Recording r = runStages(entry, threads);
        addUp(r);
        for (const Diagnostic& d : r.trace->diagnostics)
            ADD_FAILURE() << entry << ": " << d.message;
    }
}

} // namespace
} // namespace warpglass::testing
