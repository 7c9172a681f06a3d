// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that hang over words of memory, flags and mbarriers of a cluster (data/kinds.cu): who would have to act is named. Lines
// and numbers are worked out by hand from that file.
#include "tests/emulator/hang_of.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

Recording kindOf(const char* name, std::uint32_t blocks, std::uint32_t threads, std::vector<Argument> arguments) {
    return Kernel(name, {blocks}, {threads}, std::move(arguments), "kinds.ptx").run();
}
Argument words(std::size_t count, const char* name) {
    return buffer(std::vector<int>(count), name);
}
Recording chainWith(int wrong) {
    return kindOf("chain", 6, 32, {words(6, "flag"), words(6, "out"), value(wrong)});
}
Recording lookBackWith(int wrong) {
    return kindOf("lookBack", 8, 32,
                  {words(8, "state"), words(8, "sums"), words(256, "out"), value(250), value(wrong)});
}
Recording readersWith(int wrong) {
    return kindOf("readers", 4, 32,
                  {words(1, "count"), words(1, "entered"), words(4, "data"), words(4, "out"), value(wrong)});
}
Recording lanesTellWith(int wrong) {
    return kindOf("lanesTell", 1, 64, {buffer(std::vector<float>(64)), buffer(std::vector<float>(64)), value(wrong)});
}

Recording addsNothingWith(int wrong) {
    return kindOf("addsNothing", 4, 32, {words(4, "flag"), words(4, "out"), value(wrong)});
}

TEST(HangKinds, RightOnesEnd) {
    for (const Recording& r : {addsNothingWith(0), chainWith(0), lookBackWith(0), readersWith(0), lanesTellWith(0)})
        EXPECT_FALSE(r.fault) << r.fault->text();
}

// Blocks 0 and 1 set flags 1 and 2; block 2 sets flag 2 (byte 8) again instead of flag 3. That block 3 doesn't set flag 4 follows.
TEST(HangKinds, WhoSetsAnotherFlag) {
    const Diagnostic d = hangIn(chainWith(1));
    ASSERT_EQ(d.waits.size(), 3u);
    expectIn(d.waits[0].what, "byte 12 of buffer \"flag\"");
    expectIn(d.waits[0].why, "block (2), thread (0), whose block has ended, would write it at line 83");
    expectIn(d.waits[0].why, "but wrote byte 8 of buffer \"flag\" instead");
    EXPECT_EQ(d.waits[1].on, std::vector<std::uint32_t>{0});
    EXPECT_EQ(d.waits[2].on, std::vector<std::uint32_t>{1});
}

// Block 4 says no sum: state[4] is byte 16.
TEST(HangKinds, WhoIsLookedBackAtAndSaysNothing) {
    const Diagnostic d = hangIn(lookBackWith(1));
    expectIn(d.waits[0].what, "byte 16 of buffer \"state\"");
    expectIn(d.waits[0].why, "block (4), thread (0), whose block has ended, would write it at line 240");
    expectIn(d.waits[0].why, "but has not come there");
}

// Blocks 0 and 1 set their flags, block 2 does not (byte 8), and block 3 waits for it: whoever adds nothing to a flag, at line 294,
// writes none.
TEST(HangKinds, WhoAsksByAddingNothingWritesNothing) {
    const Diagnostic d = hangIn(addsNothingWith(1));
    expectIn(d.waits[0].what, "byte 8 of buffer \"flag\"");
    const std::string why = d.waits[0].why;
    expectIn(why, "block (2), thread (0), whose block has ended, would write it at line 299");
    EXPECT_EQ(why.find("line 294"), why.npos) << why;
}

TEST(HangKinds, WhatNobodyHasComeTo) {
    expectIn(hangIn(readersWith(1)).waits[0].why, "nobody has come to line 286");
}

// Slice 2 waits for its own number; 1 was handed on.
TEST(HangKinds, WhatIsComparedWithWhat) {
    const Diagnostic d =
        hangIn(kindOf("slices", 5, 64, {words(1, "semaphore"), buffer(std::vector<float>(64)), value(1)}));
    expectIn(d.waits[0].why, "block (1), thread (0) last wrote 1 there at line 97");
}

TEST(HangKinds, CopiesThatRaiseWhatTheyArriveAt) {
    expectIn(hangIn(lanesTellWith(1)).waits[0].why, "has first raised the arrivals that the phase waits for");
}

// Three locks, each taken while the one before is held, by blocks that come one after the other: nothing hangs yet.
TEST(HangKinds, LocksInARingAreToldBeforeTheyHang) {
    for (const int wrong : {0, 2}) {
        Kernel k("philosophers", {3}, {32}, {words(3, "locks"), words(1, "ready"), words(3, "out"), value(wrong)},
                 "kinds.ptx");
        k.options.checkRaces = true;
        const Recording r = k.run();
        EXPECT_FALSE(r.fault);
        const bool told =
            std::any_of(r.trace->diagnostics.begin(), r.trace->diagnostics.end(), [](const Diagnostic& d) {
                return d.message.text().find("Threads take locks in a ring") != std::string::npos;
            });
        EXPECT_EQ(told, wrong == 2);
    }
}

} // namespace
} // namespace warpglass::testing
