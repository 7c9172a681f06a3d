// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses that leave the array they are of and hit another variable are told with both; right kernels are not accused.
#include "gpu/emulator/decode/decode.h"
#include "gpu/ptx/parse.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;

Recording run(const std::string& entry, std::vector<Argument> arguments, const std::string& file = "declared.ptx") {
    return Kernel(entry, {1}, {32}, std::move(arguments), file).run();
}
Recording shifted(const std::string& entry, int n) {
    return run(entry, {buffer(Ints(32), "out"), value(n)});
}
void tells(const Recording& r, const std::string& what, const std::string& thread) {
    const Diagnostic* const d = find(r, DiagnosticKind::OutsideObject);
    ASSERT_TRUE(d);
    EXPECT_FALSE(d->fatal);
    EXPECT_NE(d->message.find(what), std::string::npos) << d->message;
    EXPECT_NE(d->message.find("thread (" + thread + ")"), std::string::npos) << d->message;
}
void isQuiet(const Recording& r) {
    for (const Diagnostic& d : r.trace->diagnostics)
        ADD_FAILURE() << d.message;
}

TEST(DeclaredBounds, NameTheElementAndWhatLiesThere) {
    // Thread 31 takes tile[32], which is other[0] = 100, beside other[0]: 200.
    const Recording behind = shifted("twoTiles", 1);
    tells(behind, "reads tile[32], but tile has 32 elements of 4 bytes: that is other[0]", "31");
    EXPECT_EQ(values<int>(behind, 0)[31], 200);
    // Threads 16 to 31 do so 16 further: the first of them, lane 16, is told of; tile[32], too.
    tells(shifted("twoTiles", 16), "reads tile[32],", "16");
    tells(shifted("twoTiles", 47), "reads tile[47], but tile has 32 elements of 4 bytes: that is other[15]", "0");
    // Behind everything, which is the block's 256 bytes, the launch ends as before: a fault; thread 17 is the first there.
    EXPECT_TRUE(find(shifted("twoTiles", 47), DiagnosticKind::OutOfBounds));
    isQuiet(shifted("twoTiles", 0));
}

TEST(DeclaredBounds, HoldStoresAndAtomics) {
    // Thread 3 stores to tile[32]: of floats, into integers.
    tells(shifted("storesBehind", 29), "writes tile[32], but tile has 32 elements of 4 bytes: that is other[0]", "3");
    isQuiet(shifted("storesBehind", 28));
    tells(shifted("countsBehind", 1), "changes bins[8], but bins has 8 elements of 4 bytes: that is total[0]", "7");
    isQuiet(shifted("countsBehind", 0));
}

TEST(DeclaredBounds, DynamicMemoryBeginsBehindTheArrays) {
    Kernel before("beforeDynamic", {1}, {32}, {buffer(Ints(32), "out"), value(1)}, "declared.ptx");
    before.plan.sharedBytes = 128;
    // given[-1] is the last word of tile.
    tells(before.run(), "reads given[-1], but given has 32 elements of 4 bytes: that is tile[31]", "0");
    Kernel right("beforeDynamic", {1}, {32}, {buffer(Ints(32), "out"), value(0)}, "declared.ptx");
    right.plan.sharedBytes = 128;
    isQuiet(right.run());
}

TEST(DeclaredBounds, PointersMayWalkAndChangePlaces) {
    for (const int rounds : {0, 1, 2, 7})
        isQuiet(shifted("takesTurns", rounds));
}

TEST(DeclaredBounds, OfAFunctionsOwnFrame) {
    // own[-1] of the called function lies in its caller's memory.
    tells(run("picksFromFrames", {buffer(Ints(32), "out"), value(-1)}),
          "reads 4 bytes outside of its function's variables, 4 bytes before the beginning of the local variables of "
          "pick "
          "(16 bytes)",
          "0");
    isQuiet(run("picksFromFrames", {buffer(Ints(32), "out"), value(3)}));
}

TEST(DeclaredBounds, OfArraysOfAThread) {
    const auto own = [](int index, int generic) {
        return run("ownArrays", {buffer(Ints(1), "out"), value(index), value(generic)}, "declared_places.ptx");
    };
    for (const int generic : {0, 1}) {
        tells(own(5, generic), "reads near[5], but near has 4 elements of 4 bytes: that is far[1]", "0");
        isQuiet(own(3, generic));
    }
}

// first lies at 0, 32 bytes, second at 32, 16 bytes, third at 48, where 16 bytes end.
TEST(DeclaredBounds, OfConstants) {
    const auto takes = [](int from, int generic, int threads) {
        return Kernel("takes", {1}, {unsigned(threads)}, {buffer(Ints(32), "out"), value(from), value(generic)},
                      "declared_constants.ptx")
            .run();
    };
    for (const int generic : {0, 1}) {
        const Recording behind = takes(5, generic, 4);
        tells(behind, "reads first[8], but first has 8 elements of 4 bytes: that is second[0]", "3");
        EXPECT_EQ(values<int>(behind, 0)[3], 20); // as the GPU has it
        tells(takes(12, generic, 1), "reads first[12], but first has 8 elements of 4 bytes: that is third[0]", "0");
        isQuiet(takes(0, generic, 8));
        isQuiet(takes(4, generic, 4));
        EXPECT_TRUE(find(takes(16, generic, 1), DiagnosticKind::OutOfBounds)); // behind all of it
    }
    // What lies at 32 is a struct of 16 bytes: two ints and a float, then another int at 44.
    Kernel named("takes", {1}, {8}, {buffer(Ints(32), "out"), value(4), value(0)}, "declared_constants.ptx");
    named.plan.source = "struct Limits { int low, high; float scale; int count; };\n"
                        "__constant__ int first[8] = {10};\n__constant__ Limits second = {20, 21};\n";
    tells(named.run(), "reads first[8], but first has 8 elements of 4 bytes: that is second.low", "4");
    named.plan.source.replace(named.plan.source.find("int count"), 9, "long count"); // 24 bytes, which the PTX denies
    tells(named.run(), "that is second[0]", "4");
    for (const int which : {0, 1})
        isQuiet(run("either", {buffer(Ints(1), "out"), value(which)}, "declared_constants.ptx"));
}

// Where an instruction's lanes lie as they did the time before, or with lanes between them, nobody asks lane by lane.
TEST(DeclaredBounds, HoldColumnsAndPartsOfRowsFromTimeToTime) {
    const auto walks = [](int rounds, int way) {
        return run("walks", {buffer(Ints(32), "out"), value(rounds), value(way)}, "declared_places.ptx");
    };
    const std::string behind = "pairs[64], but pairs has 64 elements of 4 bytes: that is behind[0]";
    // Of round 2 thread 31 takes word 2 * 31 + 2; thread 30, the last of every second one, word 32 + 30 + 2.
    tells(walks(3, 0), "reads " + behind, "31");
    tells(walks(3, 1), "changes " + behind, "31");
    tells(walks(3, 2), "reads " + behind, "30");
    // Thread 3 is the first whose word 3 is followed by near[4] in round 1.
    tells(walks(2, 3), "reads near[4], but near has 4 elements of 4 bytes: that is far[0]", "3");
    for (const int way : {0, 1, 2, 3})
        isQuiet(walks(way == 3 ? 1 : 2, way));
}

TEST(DeclaredBounds, HoldPlacesThatTheCodeNames) {
    tells(run("namedPlace", {buffer(Ints(1), "out")}, "declared_places.ptx"),
          "reads eight[8], but eight has 8 elements of 4 bytes: that is next[0]", "0");
}

TEST(DeclaredBounds, OfAnyVariableOneAccessIsOfOneAlone) {
    const auto fours = [](int place) {
        return run("fours", {buffer(Ints(32), "out"), value(place)}, "declared_places.ptx");
    };
    // 16 bytes from 16 on: head ends at 24.
    tells(fours(16), "reads 16 bytes that begin in head[4] and end in another variable, tail[1]", "0");
    isQuiet(fours(0));
    isQuiet(fours(32));
}

// a has bytes 0 to 5, b begins at 8: four bytes from 4 on end behind a. One list of such places serves all accesses of a size:
// a file may have thousands of variables and of accesses.
TEST(DeclaredBounds, PlacesAcrossVariablesAreListedOnceASize) {
    const auto module =
        ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 p)\n{\n"
                   ".reg .b32 %r<5>;\n.shared .align 8 .b8 a[6];\n.shared .align 8 .b8 b[8];\n"
                   "mov.u32 %r1, a;\nmov.u32 %r2, b;\nld.param.u32 %r3, [p];\n"
                   "ld.shared.u32 %r4, [%r3];\nld.shared.u32 %r4, [%r3+4];\nret;\n}\n",
                   "k.ptx");
    ASSERT_TRUE(module) << module.error().text();
    const auto program = emulator::decode(*module, 0, {}, 0);
    ASSERT_TRUE(program) << program.error().text();
    ASSERT_EQ(program->bounded.size(), 2u);
    ASSERT_TRUE(program->bounded[0].across);
    EXPECT_EQ(*program->bounded[0].across, (std::vector<std::uint64_t>{4}));
    EXPECT_EQ(program->bounded[0].across, program->bounded[1].across); // the same one
}

} // namespace
} // namespace warpglass::testing
