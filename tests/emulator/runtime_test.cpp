// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels ask of the device runtime: printf, the heap, copies and fills, streams, questions.
#include "gpu/emulator/state/heap_rooms.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <numeric>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;

Kernel runtime(const std::string& entry, std::vector<Argument> arguments) {
    return Kernel(entry, {1}, {1}, std::move(arguments), "runtime.ptx");
}

// What the host's own printf writes for the same calls, from a C program.
TEST(DeviceRuntime, PrintsEveryConversionAsTheHostDoes) {
    const Recording r = runtime("prints", {buffer(Ints(8)), value(std::uint64_t(0))}).run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(r.trace->output, "42    42|42   |00042|+42| 42\n"
                               "44 4464 -5000000000 -5000000001 7\n"
                               "4000000000 beef BEEF 0xff 10 010 123456789abcdef ff\n"
                               "1.500000 2.35      3.142|2.5       |1.234568e+04 1E-10 0x1p-1\n"
                               "ok text|   right|left    |cut %\n"
                               "    42|42    |2.000|    1.23e+03\n"
                               "none\n"
                               "(null) (nil)\n");
    const auto answers = values<int>(r, 0);
    EXPECT_EQ(answers[0], 6); // arguments that were read
    EXPECT_EQ(answers[6], 0);
}

TEST(DeviceRuntime, PrintsAConversionThatCudaLacksAsItStandsAndSaysSo) {
    const Recording r = runtime("refuses", {buffer(Ints(1))}).run();
    EXPECT_EQ(r.trace->output, "<%ls> 7\n");
    const Diagnostic* d = find(r, DiagnosticKind::Other);
    ASSERT_TRUE(d);
    EXPECT_NE(d->message.find("%ls"), std::string::npos) << d->message;
}

// As an H200 gave them, to the piece where that is known (heap_rooms.h).
TEST(DeviceRuntime, PiecesOfTheHeapTakeMoreRoomThanTheyHaveBytes) {
    using namespace emulator;
    const auto pieces = [](std::uint64_t bytes) { return (8u << 20) * heapGrain / heapRoom(bytes); };
    EXPECT_EQ(pieces(1), 90670u);
    EXPECT_EQ(pieces(64), 90670u);
    const auto roomOf = [](std::uint64_t bytes) { return double(heapRoom(bytes)) / heapGrain; };
    EXPECT_NEAR(roomOf(65), 185, 0.5);
    EXPECT_NEAR(roomOf(256), 370, 0.5);
    EXPECT_NEAR(roomOf(1000), 2220, 2);
    EXPECT_NEAR(roomOf(2048), 2220, 2);
    EXPECT_NEAR(roomOf(4096), 4443, 2);
    EXPECT_NEAR(roomOf(16384), 17772, 2);
}

// The heap has 8 MiB unless the host asks for more: 5 fit, 5 more do not, 2 more do, and freed ones fit again.
TEST(DeviceRuntime, MallocGivesNoMoreThanTheHeapHas) {
    const Recording r = runtime("heap", {buffer(std::vector<std::uint64_t>(6))}).run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<std::uint64_t>(r, 0), (std::vector<std::uint64_t>{1, 0, 1, 1, 3, 0}));
}

TEST(DeviceRuntime, CopiesInTheOrderOfTheStreamAndAnswersQuestions) {
    Ints source(16);
    std::iota(source.begin(), source.end(), 1);
    const Recording r = runtime("copies", {buffer(Ints(32), "d"), buffer(source, "s"), buffer(Ints(16), "out")}).run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto d = values<int>(r, 0), out = values<int>(r, 2);
    // Eight copied, then doubled by a grid; 0x11 in every byte of two; the grid's results copied behind it; two rows of
    // two from a pitch of eight to one of four.
    EXPECT_EQ(d, (Ints{2, 4, 6, 8, 10, 12, 14, 16, 0x11111111, 0x11111111, 0, 0, 2, 4, 6, 8,
                       1, 2, 0, 0, 9,  10, 0,  0,  0,          0,          0, 0, 0, 0, 0, 0}));
    const int wrongDirection = 21;
    EXPECT_EQ((Ints(out.begin(), out.begin() + 12)),
              (Ints{0, 0, 0, wrongDirection, 0, 0, wrongDirection, 0, 0, 0, 32, 8 << 20}));
    EXPECT_EQ(r.trace->output, "cudaErrorInvalidValue, out of memory\n");
    EXPECT_FALSE(find(r, DiagnosticKind::UninitialisedRead)); // the stream was written by the runtime
}

// 5, doubled by the grid while its parent waits, and one more.
TEST(DeviceRuntime, RunsLaunchedGridsWhenAThreadWaitsForThem) {
    const Recording r = Kernel("waits", {1}, {1}, {buffer(Ints{5, 0, -1})}, "synchronise.ptx").run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<int>(r, 0), (Ints{10, 11, 0}));
}

TEST(DeviceRuntime, StopsACopyThatLeavesItsBuffer) {
    const Recording r = runtime("outside", {buffer(Ints(4)), buffer(Ints(4))}).run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->message.find("1048576 bytes"), std::string::npos) << r.fault->message;
}

} // namespace
} // namespace warpglass::testing
