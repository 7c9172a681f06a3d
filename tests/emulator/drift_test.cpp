// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of a warp that write what others of it have read, of drift.cu: told where nothing makes them wait, and only there.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpglass::testing {
namespace {

constexpr std::size_t most = 128;

Recording drift(const std::string& entry, std::uint32_t threads, Reconvergence policy) {
    Kernel k(entry, {1}, {threads}, {buffer(std::vector<int>(most))}, "drift.ptx");
    k.options.reconvergence = policy;
    return k.run();
}

constexpr Reconvergence policies[] = {Reconvergence::PostDominatorStack, Reconvergence::IndependentThreads};

TEST(DriftingLanes, ThatWriteWhatOthersReadAreTold) {
    struct Case {
        const char* entry;
        std::uint32_t threads;
        const char* text; // the first lane that writes what another one has read
    };
    // shiftsInPlace: byte 4 is lane 1's, which lane 0 reads; byte 0 nobody reads. Of all that read byte 0 the last lane
    // stays known. scansInPlace: lanes 0 and 1 write back what is there; lane 2 what lane 3 has read, and then itself. In the second warp
    // thread 33 writes byte 132, which thread 32 has read.
    for (const Case& c : {Case{"shiftsInPlace", 32, "(s[1]) that lane 0 of the same warp read at line 16 of drift.cu"},
                          Case{"countsOnWhileAllRead", 32, "(s[0]) that lane 31 of the same warp read at line 27"},
                          Case{"scansInPlace", 32, "(s[2]) that another lane of the same warp read at line 41"},
                          Case{"shiftsFours", 32, "(s[4]) that lane 0 of the same warp read at line 55"},
                          Case{"shiftsInTheSecondWarp", 64, "(s[33]) that lane 0 of the same warp read at line 68"}})
        for (const Reconvergence policy : policies) {
            const Recording r = drift(c.entry, c.threads, policy);
            const Diagnostic* d = find(r, DiagnosticKind::MissingSyncwarp);
            ASSERT_TRUE(d) << c.entry;
            EXPECT_NE(d->message.find("A thread writes a word of shared memory"), std::string::npos) << d->message;
            EXPECT_NE(d->message.find(c.text), std::string::npos) << c.entry << ": " << d->message;
            EXPECT_EQ(r.trace->diagnostics.size(), 1u) << c.entry;
        }
}

TEST(DriftingLanes, ThatMeetBetweenAreNot) {
    for (const char* entry : {"meetsBetween", "shufflesBetween", "votesBetween", "multipliesBetween", "keepsToItsOwn",
                              "tilesMeet", "writesWhatIsThere"})
        for (const Reconvergence policy : policies) {
            const Recording r = drift(entry, entry == std::string("tilesMeet") ? 64 : 32, policy);
            EXPECT_TRUE(r.trace->diagnostics.empty()) << entry << ": " << r.trace->diagnostics[0].message;
        }
}

} // namespace
} // namespace warpglass::testing
