// SPDX-License-Identifier: GPL-3.0-or-later
// Global memory that is read before anybody wrote there, of first_use.cu: told word by word, and not where what was read
// is only carried along.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpglass::testing {
namespace {

Argument unwritten(std::size_t ints, const std::string& name) {
    Argument a = buffer(std::vector<int>(ints), name);
    a.uninitialised = true;
    return a;
}

Recording firstUse(const std::string& entry, std::vector<Argument> arguments, bool check = true, bool shared = false) {
    Kernel k(entry, {1}, {32}, std::move(arguments), "first_use.ptx");
    k.options.checkMemory = shared; // asks for other things, too
    k.options.checkFirstUse = check;
    return k.run();
}

void tells(const Recording& r, const std::string& text) {
    const Diagnostic* d = find(r, DiagnosticKind::UninitialisedRead);
    ASSERT_TRUE(d) << text;
    EXPECT_NE(d->message.find(text), std::string::npos) << d->message;
    EXPECT_EQ(r.trace->diagnostics.size(), 1u);
}

TEST(FirstUse, NamesTheWordTheBufferAndItsSize) {
    tells(firstUse("sumsAHalf", {unwritten(128, "in"), buffer(std::vector<int>(32))}),
          "reads byte 0 of buffer \"in\" (512 bytes) before anything was written there");
    // Thread 1 reads word 1; words 0, 4, 8 were written. With a step of 4 all are.
    tells(firstUse("writesEveryFourth", {unwritten(128, "work"), buffer(std::vector<int>(32)), value(1)}),
          "reads byte 4 of buffer \"work\" (512 bytes)");
    EXPECT_TRUE(firstUse("writesEveryFourth", {unwritten(128, "work"), buffer(std::vector<int>(32)), value(4)})
                    .trace->diagnostics.empty());
    tells(firstUse("exchangesUnwritten", {unwritten(32, "slots"), buffer(std::vector<int>(32))}),
          "changes byte 0 of buffer \"slots\" (128 bytes)");
    tells(firstUse("copiesUnwritten", {unwritten(32, "in"), buffer(std::vector<int>(32))}),
          "reads byte 0 of buffer \"in\" (128 bytes)");
    EXPECT_TRUE(firstUse("copiesUnwritten", {unwritten(32, "in"), buffer(std::vector<int>(32))}, false)
                    .trace->diagnostics.empty());
}

TEST(FirstUse, OfGapsInStructsAndOfWhatIsExchangedAwayIsNoFault) {
    // 24 bytes a struct: 192 ints for 32.
    EXPECT_TRUE(
        firstUse("copiesGaps", {unwritten(192, "from"), buffer(std::vector<int>(192))}).trace->diagnostics.empty());
    EXPECT_TRUE(
        firstUse("findsTheBest", {unwritten(128, "all"), buffer(std::vector<int>(128))}).trace->diagnostics.empty());
    EXPECT_TRUE(
        firstUse("exchangesOnly", {unwritten(32, "slots"), buffer(std::vector<int>(32))}).trace->diagnostics.empty());
    EXPECT_TRUE(firstUse("exchangesOnlyShared", {buffer(std::vector<int>(32))}, true, true).trace->diagnostics.empty());
    tells(firstUse("exchangesUnwrittenShared", {buffer(std::vector<int>(32))}, true, true),
          "changes slots[0] before anything was written there");
    const auto byWord = [](int ahead, int apart) {
        return firstUse("copiesGapsByWord",
                        {unwritten(256, "from"), buffer(std::vector<int>(128)), value(ahead), value(apart)});
    };
    EXPECT_TRUE(byWord(0, 0).trace->diagnostics.empty());
    tells(byWord(0, 1), "reads byte 508 of buffer \"from\"");
    EXPECT_FALSE(byWord(32, 0).trace->diagnostics.empty());
    EXPECT_TRUE(
        firstUse("bytesBeforeWords", {unwritten(8, "bytes"), buffer(std::vector<int>(8))}).trace->diagnostics.empty());
}

} // namespace
} // namespace warpglass::testing
