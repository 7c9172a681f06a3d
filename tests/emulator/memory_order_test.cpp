// SPDX-License-Identifier: GPL-3.0-or-later
// A value handed on by a flag: each step of PTX's memory model that is missing is told by its name, and with all of them
// nothing is. Adverse orders let happen what is told.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace warpglass::testing {
namespace {

using Numbers = std::vector<int>;

Kernel handsOn(const char* entry) {
    Kernel k(entry, {2}, {1}, {buffer(Numbers(1), "data"), buffer(Numbers(1), "flag"), buffer(Numbers(1, -1), "out")},
             "order.ptx");
    k.options.checkOrder = true;
    return k;
}
Kernel lock(const char* entry) {
    Kernel k(entry, {1}, {32}, {buffer(Numbers(1), "lock"), buffer(Numbers(1), "sum")}, "order.ptx");
    k.options.checkOrder = true;
    return k;
}

void orderTold(const char* entry, DiagnosticKind kind, const char* part) {
    const Recording r = handsOn(entry).run();
    EXPECT_FALSE(r.fault) << entry;
    ASSERT_EQ(r.trace->diagnostics.size(), 1u) << entry; // one cause, one note
    const Diagnostic& d = r.trace->diagnostics[0];
    EXPECT_EQ(d.kind, kind) << entry;
    EXPECT_NE(d.message.find("this one reads byte 0 of buffer \"data\" (42), which block (0), thread (0) writes (42)"),
              std::string::npos)
        << d.message;
    EXPECT_NE(d.message.find(part), std::string::npos) << part << " is missing in: " << d.message;
}

TEST(MemoryOrder, OfAFlagIsToldByTheStepThatIsMissing) {
    for (const char* right : {"releasedAndAcquired", "fencedBehind"}) {
        const Recording r = handsOn(right).run();
        EXPECT_TRUE(r.trace->diagnostics.empty()) << right << ": " << r.trace->diagnostics[0].message;
        EXPECT_EQ(values<int>(r, 2), Numbers{42});
    }
    orderTold("notReleased", DiagnosticKind::GlobalRace, "it found byte 0 of buffer \"flag\" changed at line");
    orderTold("releasedForItsBlock", DiagnosticKind::GlobalRace, "is released for the threads of that block alone");
    orderTold("notAcquired", DiagnosticKind::Other, "but acquires nothing there");
    orderTold("acquiredForItsBlock", DiagnosticKind::Other, "but acquires there what its own block released alone");
    // The flag itself is written plainly while the other looks at it: told once, for both.
    const Recording plain = handsOn("plainFlag").run();
    ASSERT_EQ(plain.trace->diagnostics.size(), 1u);
    EXPECT_NE(plain.trace->diagnostics[0].message.find("buffer \"flag\""), std::string::npos);
}

// Two volatile accesses do not race, but a flag hands on nothing without a fence before it: it may be seen before the data.
TEST(MemoryOrder, OfVolatileDataBehindAVolatileFlagIsTold) {
    const Recording right = handsOn("volatileFenced").run();
    EXPECT_TRUE(right.trace->diagnostics.empty()) << right.trace->diagnostics[0].message;
    orderTold("volatileNotFenced", DiagnosticKind::GlobalRace, "it found byte 0 of buffer \"flag\" changed at line");
    Kernel adverse = handsOn("volatileNotFenced");
    adverse.options.adverse = 0;
    EXPECT_EQ(values<int>(adverse.run(), 2), Numbers{0});
}

// Lanes of one warp hand on to each other, side by side as they run here: that is no code in lock-step, as each asks a flag
// first. Leaves 128 to 255 hold 1 each: node k of depth d sums 128 >> d of them.
TEST(MemoryOrder, OfLanesThatAskFlagsIsNoLockStep) {
    for (const char* entry : {"sumsTree", "sumsTreeFenced"}) {
        Numbers ready(256, 0);
        std::fill(ready.begin() + 128, ready.end(), 1);
        Kernel k(entry, {1}, {32}, {buffer(Numbers(256, 1), "sum"), buffer(ready, "ready"), value(127)}, "order.ptx");
        k.options.checkOrder = true;
        const Recording r = k.run();
        EXPECT_EQ(values<int>(r, 0)[1], 128);
        for (const Diagnostic& d : r.trace->diagnostics)
            EXPECT_NE(d.kind, DiagnosticKind::MissingSyncwarp) << entry << ": " << d.message;
        if (std::string_view(entry) == "sumsTreeFenced") {
            EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics[0].message;
        }
    }
}

TEST(MemoryOrder, OfALockBetweenLanesOfOneWarp) {
    const Recording right = lock("lanesLock").run();
    EXPECT_TRUE(right.trace->diagnostics.empty()) << right.trace->diagnostics[0].message;
    EXPECT_EQ(values<int>(right, 1), Numbers{496}); // 0 + 1 + ... + 31
    const Recording plain = lock("lanesLockPlainly").run();
    ASSERT_FALSE(plain.trace->diagnostics.empty());
    EXPECT_NE(plain.trace->diagnostics[0].message.find("both are lanes of one warp that go different ways"),
              std::string::npos)
        << plain.trace->diagnostics[0].message;
}

TEST(MemoryOrder, IsAskedOnlyOfKernelsThatWaitForSomebody) {
    Kernel k("countsPlainly", {4}, {1}, {buffer(Numbers(1), "sum")}, "order.ptx");
    k.options.checkOrder = true;
    EXPECT_TRUE(k.run().trace->diagnostics.empty());
    k.options.checkRaces = true;
    EXPECT_FALSE(k.run().trace->diagnostics.empty());
}

// What races reads what was there before: block 1 finds data's 0. Four blocks that count find 0 each, and leave 1: each finds
// what the one before it had not yet written, and of the values written the first one stays.
TEST(AdverseOrders, LetHappenWhatRaces) {
    Kernel k = handsOn("notReleased");
    EXPECT_EQ(values<int>(k.run(), 2), Numbers{42});
    k.options.adverse = 0;
    EXPECT_EQ(values<int>(k.run(), 2), Numbers{0});
    Kernel right = handsOn("releasedAndAcquired");
    right.options.adverse = 0;
    const Recording r = right.run();
    EXPECT_EQ(values<int>(r, 2), Numbers{42});
    EXPECT_TRUE(r.trace->diagnostics.empty());
    Kernel counts("countsPlainly", {4}, {1}, {buffer(Numbers(1), "sum")}, "order.ptx");
    EXPECT_EQ(values<int>(counts.run(), 0), Numbers{4});
    for (const std::uint64_t seed : {0, 1, 2}) {
        counts.options.adverse = seed;
        const int left = values<int>(counts.run(), 0).at(0);
        EXPECT_GE(left, 1) << seed;
        EXPECT_LT(left, 4) << seed;
    }
}

TEST(AdverseOrders, LeaveALockThatIsRightAlone) {
    for (const std::uint64_t seed : {0, 7}) {
        Kernel k = lock("lanesLock");
        k.options.adverse = seed;
        const Recording r = k.run();
        EXPECT_EQ(values<int>(r, 1), Numbers{496}) << seed;
        EXPECT_TRUE(r.trace->diagnostics.empty());
    }
}

// Blocks run one after the other, and nothing hangs: what is told is what might. Of three blocks two take them alike.
TEST(LockOrder, OfTwoLocksTakenBothWaysIsTold) {
    const auto told = [](int turned, int gate) {
        Kernel k("twoLocks", {3}, {1},
                 {buffer(Numbers(3), "locks"), buffer(Numbers(1), "sum"), value(turned), value(gate)},
                 "lock_order.ptx");
        k.options.checkOrder = true;
        const Recording r = k.run();
        EXPECT_EQ(values<int>(r, 1), Numbers{3});
        return r.trace->diagnostics.empty() ? std::string() : std::string(r.trace->diagnostics[0].message.text());
    };
    EXPECT_EQ(told(0, 0), "");
    EXPECT_EQ(told(1, 1), "");
    // Block 1 holds locks[1], bytes 4 to 7, and takes locks[0]; block 0 did it the other way round.
    const std::string both = told(1, 0);
    EXPECT_NE(both.find("takes the lock byte 0 of buffer \"locks\" while it holds byte 4 of buffer \"locks\""),
              std::string::npos)
        << both;
    EXPECT_NE(both.find("block (1)"), std::string::npos) << both;
}

// Block 0 takes locks 0 and 1, block 1 the other way round. Who only tries the second one never waits for it, and each block of
// the two, which run one after the other, adds 1.
TEST(LockOrder, OfLocksThatAreOnlyTriedIsNone) {
    const auto told = [](const char* entry, std::vector<Argument> more = {}) {
        std::vector<Argument> arguments{buffer(Numbers(2), "locks"), buffer(Numbers(1), "sum")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        Kernel k(entry, {2}, {1}, std::move(arguments), "lock_try.ptx");
        k.options.checkOrder = true;
        const Recording r = k.run();
        EXPECT_EQ(values<int>(r, 1), Numbers{2}) << entry;
        return r.trace->diagnostics.size();
    };
    EXPECT_EQ(told("triesOnce"), 0u);
    EXPECT_EQ(told("triesSomeTimes", {value(5)}), 0u);
    EXPECT_EQ(told("asksAgain"), 1u);
}

} // namespace
} // namespace warpglass::testing
