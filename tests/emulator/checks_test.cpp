// SPDX-License-Identifier: GPL-3.0-or-later
// Each fault of faults.cu is told in one sentence that names what, who, where and how far; kernels that are right are
// accused of nothing (waiting_test.cpp runs those that wait).
#include "gpu/emulator/state/memory_map.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace warpglass::testing {
namespace {

using namespace emulator;
using Ints = std::vector<int>;

Kernel fault(const std::string& entry, Dim3 grid, Dim3 block, std::vector<Argument> arguments) {
    Kernel k(entry, grid, block, std::move(arguments), "faults.ptx");
    k.options.checkRaces = true;
    return k;
}

std::size_t told(const Recording& r) {
    return r.trace->diagnostics.size();
}

// One diagnostic of this kind, whose sentence holds all of these.
void tells(const Recording& r, DiagnosticKind kind, const std::vector<std::string>& parts) {
    const Diagnostic* d = find(r, kind);
    ASSERT_TRUE(d) << (told(r) ? r.trace->diagnostics[0].message : "nothing was told");
    for (const std::string& part : parts)
        EXPECT_NE(d->message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << d->message;
}

TEST(Bounds, NameTheBufferThatThePointerBelongsTo) {
    // 64 ints in `in`; thread 0 reads element 70: byte 280, 24 past byte 256.
    tells(fault("readsPastTheEnd", {1}, {32}, {buffer(Ints(64), "in"), buffer(Ints(32), "out"), value(70)}).run(),
          DiagnosticKind::OutOfBounds,
          {"reads 4 bytes", "24 bytes past the end of buffer \"in\" (256 bytes)", "block (0), thread (0)",
           "of faults.cu"});
    // Element -200000 of `out` is 800000 bytes before it: the end of `in` is nearer.
    tells(fault("writesBeforeTheBeginning", {1}, {32}, {buffer(Ints(32), "in"), buffer(Ints(32), "out"), value(200000)})
              .run(),
          DiagnosticKind::OutOfBounds,
          {"writes 4 bytes", "800000 bytes before the beginning of buffer \"out\" (128 bytes)", "thread (0)"});
    // 1200000 bytes before it there is no buffer any more: the first one begins a MiB before `out`.
    tells(fault("writesBeforeTheBeginning", {1}, {32}, {buffer(Ints(32), "in"), buffer(Ints(32), "out"), value(300000)})
              .run(),
          DiagnosticKind::OutOfBounds, {"1200000 bytes before the beginning of buffer \"out\" (128 bytes)"});
    tells(fault("atomicOutside", {2}, {32}, {buffer(Ints(8), "count"), value(4)}).run(), DiagnosticKind::OutOfBounds,
          {"changes 4 bytes", "right past the end of buffer \"count\" (32 bytes)", "block (0), thread (2)"});
    tells(fault("sharedOutside", {1}, {32}, {buffer(Ints(32)), value(3)}).run(), DiagnosticKind::OutOfBounds,
          {"reads 4 bytes at offset 128 of the shared memory of the block, which has 128 bytes", "thread (29)"});
}

TEST(Bounds, MisalignedAccessesTellBufferAndOffset) {
    tells(fault("misalignedPair", {1}, {4}, {buffer(Ints(32), "in"), buffer(Ints(8), "out")}).run(),
          DiagnosticKind::Misaligned, {"8 bytes", "(byte 4 of buffer \"in\")", "not a multiple of 8", "thread (0)"});
}

// 40 blocks of 32, a buffer of 4 x 20 x 32 bytes: block 20 is the first that writes past its end, and where the run stops
// there, 19 blocks never ran. Those alone take no time.
TEST(Faults, LeaveBlocksWithoutTimeThatNeverRan) {
    const Recording r = Kernel("outOfBounds", {40}, {32}, {buffer(Ints(640), "out"), value(0)}).run();
    ASSERT_EQ(r.trace->blocks.size(), 40u);
    for (const Block& b : r.trace->blocks)
        EXPECT_EQ(b.end > b.start, b.index <= 20) << b.index;
}

TEST(Faults, AreReportedAndPassedOver) {
    Kernel k = fault("someLanesOutside", {2}, {8},
                     {buffer(Ints{10, 11, 12, 13, 14, 15, 16, 17}, "in"), buffer(Ints(8, -1), "out")});
    EXPECT_TRUE(k.run().fault);
    k.options.onFault = OnFault::Report;
    for (const bool timing : {false, true}) {
        k.options.timing = timing;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        // What is outside reads as 0.
        EXPECT_EQ(values<int>(r, 1), (Ints{11, 12, 13, 14, 1, 1, 1, 1}));
        const Diagnostic* d = find(r, DiagnosticKind::OutOfBounds);
        ASSERT_TRUE(d);
        EXPECT_FALSE(d->fatal);
        EXPECT_EQ(d->thread, 4u);
        EXPECT_EQ(d->count, 8u); // four lanes of two blocks
    }
}

TEST(Faults, OfAtomicsAndWideLoadsArePassedOver) {
    Kernel k = fault("atomicOutside", {3}, {4}, {buffer(Ints(6), "count"), value(4)}); // elements 0, 4, 8, 12
    k.options.onFault = OnFault::Report;
    Recording r = k.run();
    EXPECT_EQ(values<int>(r, 0), (Ints{3, 0, 0, 0, 3, 0}));
    tells(r, DiagnosticKind::OutOfBounds, {"buffer \"count\""});
    k = fault("misalignedPair", {1}, {4}, {buffer(Ints(32, 5), "in"), buffer(Ints(8, -1), "out")});
    k.options.onFault = OnFault::Report;
    r = k.run();
    EXPECT_EQ(values<int>(r, 1), Ints(8, 0));
    ASSERT_TRUE(find(r, DiagnosticKind::Misaligned));
    EXPECT_EQ(find(r, DiagnosticKind::Misaligned)->count, 4u);
}

// Lane i reads byte 4 i + 12 of the block's 128, by an address that names the block (rank 0 of its cluster: 1 << 24).
TEST(Faults, OfSharedMemoryNamedByItsBlockArePassedOver) {
    Kernel k = fault("sharedOutside", {1}, {32}, {buffer(Ints(32)), value((1 << 24) / 4 + 3)});
    k.options.onFault = OnFault::Report;
    for (const bool timing : {false, true}) {
        k.options.timing = timing;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        const Diagnostic* d = find(r, DiagnosticKind::OutOfBounds);
        ASSERT_TRUE(d);
        EXPECT_EQ(d->thread, 29u);
        EXPECT_EQ(d->count, 3u);
    }
}

TEST(FirstUse, OfLocalMemoryIsTold) {
    tells(fault("localUnwritten", {1}, {32}, {buffer(Ints(32)), value(1)}).run(), DiagnosticKind::UninitialisedRead,
          {"local variable", "thread (0)"});
    // 16 steps of 7 modulo 16 come to every element.
    EXPECT_EQ(told(fault("localUnwritten", {1}, {32}, {buffer(Ints(32)), value(16)}).run()), 0u);
}

TEST(SharedRaces, NameBothThreadsWithPlaceAndValue) {
    const auto says = [](const Recording& r, const std::string& first, const std::string& second) {
        EXPECT_TRUE(std::any_of(r.trace->diagnostics.begin(), r.trace->diagnostics.end(),
                                [&](const Diagnostic& d) {
                                    return d.kind == DiagnosticKind::SharedRace &&
                                           d.message.find(first) != std::string::npos &&
                                           d.message.find(second) != std::string::npos;
                                }))
            << first << second;
    };
    // Warp 0 runs first and finds nothing; thread 32 reads what thread 31 has written.
    Recording r = fault("sharedReadTooEarly", {1}, {64}, {buffer(Ints(64))}).run();
    EXPECT_TRUE(find(r, DiagnosticKind::UninitialisedRead));
    says(r,
         "this one reads 62 from a word of shared memory (tile[31]) that thread (31) of another warp wrote (62) at "
         "line 42",
         "thread (32), line 43 of faults.cu");
    tells(fault("sharedWrittenTwice", {1}, {64}, {buffer(Ints(64))}).run(), DiagnosticKind::SharedRace,
          {"this one writes 37 to", "thread (5) of another warp also wrote (5)", "thread (37)"});
    // Warp 1, which comes to the barrier last, goes on first: thread 63 puts the 0 of thread 0 into element 63.
    r = fault("sharedOverwritten", {1}, {64}, {buffer(Ints(64))}).run();
    says(r,
         "this one reads 0 from a word of shared memory (tile[63]) that thread (63) of another warp wrote (0) at line",
         "thread (0), line");
    says(r, "this one writes 0 to a word of shared memory (tile[0]) that thread (63) of another warp read (0) at line",
         "thread (0), line");
}

// As the atomics of doubles of the CUDA C++ Programming Guide do: what a plain look finds, the swap checks.
TEST(SharedRaces, AreNoneWhereASwapChecksTheGuess) {
    Kernel guesses("guesses", {2}, {128}, {buffer(Ints(2))}, "guesses.ptx");
    guesses.options.checkRaces = true;
    const Recording r = guesses.run();
    EXPECT_EQ(told(r), 0u);
    EXPECT_EQ(values<int>(r, 0), (Ints{127 * 64, 2 * 127 * 64}));

    Kernel kept("kept", {1}, {128}, {buffer(Ints(128))}, "guesses.ptx");
    tells(kept.run(), DiagnosticKind::SharedRace, {"reads", "atomically changed"});
}

// Thread 32 reads word 0, which thread 0 has copied: line 19 is the copy, line 22 the load.
TEST(SharedRaces, NameTheCopyThatFilledAWord) {
    Kernel k("copied_race", {1}, {64}, {buffer(Ints(64, 7), "in"), buffer(Ints(64), "out")}, "copied_race.ptx");
    k.options.checkRaces = true;
    tells(k.run(), DiagnosticKind::SharedRace,
          {"this one reads 7 from a word of shared memory (words[0]) that thread (0) of another warp wrote (7) at PTX "
           "line 19",
           "thread (32), PTX line 22"});
}

// Warp 0 reads thread 32's word for the second step before warp 1 has summed the first one into it; that warp 1 has read
// the word itself, too, is no reason to forget warp 0.
TEST(SharedRaces, OfASumInPlaceWithoutBarriers) {
    for (const bool independent : {false, true}) {
        Kernel tree("tree", {1}, {128}, {buffer(Ints(128))}, "tree.ptx");
        tree.options.reconvergence =
            independent ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
        tells(
            tree.run(), DiagnosticKind::SharedRace,
            {"this one writes 130 to a word of shared memory (words[32]) that thread (0) of another warp read (33) at "
             "PTX "
             "line 29",
             "thread (32), PTX line 25"});
    }
}

// Warp 1 reads what warp 0 has written, at each of eight loads that the source has as one.
TEST(SharedRaces, OfAnUnrolledLoopAreToldOnce) {
    const Recording r = fault("racesUnrolled", {1}, {64}, {buffer(Ints(64)), buffer(Ints(64))}).run();
    EXPECT_EQ(std::count_if(r.trace->diagnostics.begin(), r.trace->diagnostics.end(),
                            [](const Diagnostic& d) { return d.kind == DiagnosticKind::SharedRace; }),
              1);
}

// Atomics race with plain accesses of other warps, though not with each other.
TEST(SharedRaces, OfAtomicsWithPlainAccesses) {
    Ints numbers(64);
    std::iota(numbers.begin(), numbers.end(), 0);
    // 496 = 0 + 1 + ... + 31 is there when warp 1 begins to add.
    tells(fault("clearedWithoutBarrier", {1}, {64}, {buffer(numbers), buffer(Ints(64))}).run(),
          DiagnosticKind::SharedRace,
          {"this one atomically changes a word of shared memory (sum) that thread (0) of another warp wrote (496)",
           "thread (32)", "of faults.cu"});
    // Warp 1, which comes to the barrier last, goes on first: it has counted its 32 and reads them.
    tells(fault("countedWhileRead", {1}, {64}, {buffer(Ints(64, 1)), buffer(Ints(64))}).run(),
          DiagnosticKind::SharedRace,
          {"this one atomically changes a word of shared memory (count) that thread (63) of another warp read (32)",
           "thread (0)"});
}

TEST(FirstUse, OfWhatAtomicsChangeIsTold) {
    Ints numbers(64);
    std::iota(numbers.begin(), numbers.end(), 3);
    tells(fault("neverCleared", {1}, {64}, {buffer(numbers), buffer(Ints(64))}).run(),
          DiagnosticKind::UninitialisedRead, // thread 0 has 3: byte 12
          {"changes bins[3] before anything was written there", "thread (0)", "of faults.cu"});
    Argument bins = buffer(Ints(4), "bins");
    bins.uninitialised = true;
    tells(fault("countsUnwritten", {1}, {8}, {bins}).run(), DiagnosticKind::UninitialisedRead,
          {"changes byte 0 of buffer \"bins\" (16 bytes) before anything was written there", "thread (0)"});
}

TEST(GlobalRaces, OfAtomicsThatAreOnesForTheirBlockAlone) {
    // Lanes of even number add to word 0 in both blocks, those of odd number to word 0 and 1: of block 0's alone.
    const Recording r = fault("atomicOfOneBlock", {2}, {32}, {buffer(Ints(2), "sum")}).run();
    tells(r, DiagnosticKind::GlobalRace,
          {"this one writes byte 0 of buffer \"sum\"", "an atomic of the block's scope", "block (1), thread (0)"});
    // Once: its lane 0 is then the last that wrote word 0, and word 1 is block 1's own.
    EXPECT_EQ(find(r, DiagnosticKind::GlobalRace)->count, 1u);
    EXPECT_EQ(told(fault("atomicOfOneBlock", {1}, {32}, {buffer(Ints(2), "sum")}).run()), 0u);
}

// As code that is not optimised does it: gaps and members without a value are copied along, bit fields put into what was
// there. An array that is read too far is no copy.
TEST(FirstUse, OfWhatIsOnlyPassedOnIsNotTold) {
    const auto run = [](const char* entry) {
        Kernel k(entry, {1}, {4}, {buffer(Ints(64), "out")}, "passed_on.ptx");
        k.options.onFault = OnFault::Report;
        return k.run();
    };
    EXPECT_EQ(told(run("copiesGap")), 0u);
    EXPECT_EQ(told(run("setsBits")), 0u);
    tells(run("readsTooFar"), DiagnosticKind::UninitialisedRead, {"byte 8 of the thread's local memory", "thread (2)"});
    tells(run("countsGap"), DiagnosticKind::UninitialisedRead, {"byte 4 of the thread's local memory", "thread (0)"});
}

// The compiler loads first and chooses then; what lanes throw away they have not used.
TEST(FirstUse, OfWhatAChoiceThrowsAwayIsNotTold) {
    const auto run = [](const char* entry, std::vector<Argument> more) {
        more.insert(more.begin(), buffer(Ints(4), "out"));
        Kernel k(entry, {1}, {4}, std::move(more), "chosen_away.ptx");
        k.options.checkRaces = true;
        return k.run();
    };
    // Of 1, 2, 3, 4 the first two are there: lane 0 takes 1, the others 1 + 2.
    Recording r = run("sums", {value(2), value(2)});
    EXPECT_EQ(told(r), 0u);
    EXPECT_EQ(values<int>(r, 0), (Ints{1, 3, 3, 3}));
    r = run("sums", {value(4), value(4)});
    EXPECT_EQ(told(r), 0u);
    EXPECT_EQ(values<int>(r, 0), (Ints{1, 3, 6, 10}));
    tells(run("sums", {value(2), value(3)}), DiagnosticKind::UninitialisedRead,
          {"words[2] before", "thread (2)"}); // the first lane that takes three
    r = run("greater", {value(1), value(1)});
    EXPECT_EQ(told(r), 0u);
    EXPECT_EQ(values<int>(r, 0), (Ints{1, 1, 1, 1}));
    tells(run("greater", {value(1), value(2)}), DiagnosticKind::UninitialisedRead, {"words[1] before", "thread (0)"});
    r = run("takesNext", {value(4)}); // of 1, 2, 3, 4
    EXPECT_EQ(told(r), 0u);
    EXPECT_EQ(values<int>(r, 0), (Ints{10, 9, 7, 4}));
    tells(run("takesNext", {value(5)}), DiagnosticKind::UninitialisedRead,
          {"words[4] before", "thread (3)"}); // which comes there first
    tells(run("byItself", {}), DiagnosticKind::UninitialisedRead, {"reads words before", "thread (0)"});
    tells(run("alsoStored", {}), DiagnosticKind::UninitialisedRead, {"reads words before", "thread (0)"});
    r = run("ownSums", {value(0)});
    EXPECT_EQ(told(r), 0u);
    EXPECT_EQ(values<int>(r, 0), (Ints{5, 5, 5, 5}));
    tells(run("ownSums", {value(1)}), DiagnosticKind::UninitialisedRead, {"local variable", "thread (0)"});
}

// A look at what becomes of a value tells nothing by itself: not of a number that it does not know (a divisor from global
// memory), and a division by zero no more often than it is done.
TEST(FirstUse, TheLookAheadTellsOfNoDivision) {
    for (const int divisor : {5, 0}) {
        Kernel k("divides", {1}, {4}, {buffer(Ints(4, divisor), "out")}, "chosen_away.ptx");
        const Recording r = k.run();
        EXPECT_EQ(told(r), divisor ? 0u : 1u) << divisor;
        const Diagnostic* zero = find(r, DiagnosticKind::DivisionByZero);
        EXPECT_EQ(zero ? zero->count : 0, divisor ? 0u : 4u); // of four lanes
        if (divisor) {
            EXPECT_EQ(values<int>(r, 0), (Ints{100, 101, 102, 103})); // 500 / 5, and the thread's number
        }
    }
}

TEST(Faults, OfStackMemoryThatIsTakenAtRunTimeArePassedOver) {
    Kernel k("takesStack", {1}, {4}, {buffer(Ints(64), "out")}, "passed_on.ptx");
    k.options.onFault = OnFault::Report;
    const Recording r = k.run();
    EXPECT_EQ(told(r), 0u);
    EXPECT_EQ(values<int>(r, 0)[0], 41);
}

// What a library's function does that was not inlined is looked for where the kernel calls it.
TEST(Faults, OfALibrarysFunctionAreToldAtTheCall) {
    tells(Kernel("callsLibrary", {1}, {4}, {buffer(Ints(3), "out")}, "passed_on.ptx").run(),
          DiagnosticKind::OutOfBounds, {"right past the end of buffer \"out\"", "thread (3), line 7 of mine.cu"});
}

TEST(GlobalRaces, NameBothThreadsWithPlaceAndValue) {
    tells(fault("blocksReadTooEarly", {3}, {32}, {buffer(Ints(3), "cells"), buffer(Ints(3), "out")}).run(),
          DiagnosticKind::GlobalRace,
          {"this one reads byte 0 of buffer \"cells\" (10), which block (0), thread (0) writes (10) at line",
           "block (1), thread (0)", "of faults.cu"});
    tells(fault("blocksWriteOneWord", {2}, {32}, {buffer(Ints(1), "word")}).run(), DiagnosticKind::GlobalRace,
          {"this one writes byte 0 of buffer \"word\" (1), which block (0), thread (7) writes (0)",
           "block (1), thread (7)"});
    tells(fault("plainCount", {2}, {32}, {buffer(Ints(1), "count")}).run(), DiagnosticKind::GlobalRace,
          {"byte 0 of buffer \"count\"", "block (1), thread (0)"});
    tells(fault("warpsReadTooEarly", {1}, {64}, {buffer(Ints(64), "cells"), buffer(Ints(64), "out")}).run(),
          DiagnosticKind::GlobalRace,
          {"this one writes byte 128 of buffer \"cells\" (32), which block (0), thread (0) reads (0)", "thread (32)"});
    // Thread 31 of block 0 reads x[32], which thread 0 of block 1 writes: 1 + 1 over 1.
    tells(fault("stencilInPlace", {2}, {32}, {buffer(std::vector<float>(64, 1), "x"), value(64)}).run(),
          DiagnosticKind::GlobalRace,
          {"this one writes byte 128 of buffer \"x\" (2), which block (0), thread (31) reads (1)",
           "block (1), thread (0)"});
}

// As of shared memory: that warp 1 has read the word itself is no reason to forget warp 0 of its block.
TEST(GlobalRaces, OfASumInPlaceWithoutBarriers) {
    Ints numbers(128);
    std::iota(numbers.begin(), numbers.end(), 1);
    Kernel tree("treeGlobal", {1}, {128}, {buffer(numbers, "x")}, "tree.ptx");
    EXPECT_EQ(told(tree.run()), 0u);
    tree.options.checkRaces = true;
    tells(tree.run(), DiagnosticKind::GlobalRace,
          {"this one writes byte 128 of buffer \"x\" (130), which block (0), thread (0) reads (33) at PTX line 61",
           "thread (32), PTX line 57"});
}

// That a block has itself changed the word by an atomic since hides neither its plain write nor the others' atomics; a ticket
// says who came before.
TEST(GlobalRaces, OfAPlainWriteAndOthersAtomics) {
    const auto runs = [](const char* name, std::vector<Argument> arguments) {
        Kernel k(name, {4}, {64}, std::move(arguments), "block_order.ptx");
        k.options.checkRaces = true;
        return k.run();
    };
    tells(runs("firstSets", {buffer(Ints(1, 7), "out")}), DiagnosticKind::GlobalRace,
          {"this one writes byte 0 of buffer \"out\" (2), which block (0), thread (0) writes (1)",
           "block (1), thread (0)"});
    tells(runs("lastSets", {buffer(Ints(1), "out"), value(3)}), DiagnosticKind::GlobalRace,
          {"this one writes byte 0 of buffer \"out\" (7), which block (2), thread (0) writes (4)",
           "block (3), thread (0)"});
    EXPECT_EQ(told(runs("lastTicketSets", {buffer(Ints(1), "out"), value(3)})), 0u);
}

TEST(GlobalRaces, NeedAFenceOfTheRightScopeBesideTheFlag) {
    for (const char* name : {"flagWithoutFence", "flagWithSmallFence"})
        for (const bool timing : {false, true}) {
            Kernel k = fault(name, {2}, {32}, {buffer(Ints(1), "data"), buffer(Ints(1), "flag"), buffer(Ints(1))});
            k.options.timing = timing;
            const Recording r = k.run();
            EXPECT_EQ(values<int>(r, 2), Ints{99});
            tells(r, DiagnosticKind::GlobalRace,
                  {"this one reads byte 0 of buffer \"data\" (99), which block (0), thread (0) writes (99)",
                   "block (1), thread (0)"});
        }
}

TEST(GlobalRaces, ReadingASumBeforeAllHaveAddedIsOne) {
    tells(fault("sumReadTooEarly", {3}, {64}, {buffer(Ints(1), "sum"), buffer(Ints(1), "out")}).run(),
          DiagnosticKind::GlobalRace, {"thread (32)"});
}

TEST(GlobalRaces, AreLookedForOnlyWhenAsked) {
    Kernel k = fault("blocksReadTooEarly", {3}, {32}, {buffer(Ints(3)), buffer(Ints(3))});
    k.options.checkRaces = false;
    EXPECT_EQ(told(k.run()), 0u);
}

TEST(Heap, LostMemoryIsTold) {
    const Recording r = fault("loses", {2}, {4}, {buffer(Ints(4)), value(40)}).run();
    EXPECT_FALSE(r.fault);
    tells(r, DiagnosticKind::MemoryLeak, {"40 bytes", "never freed", "block (0), thread (2)", "of faults.cu"});
    EXPECT_EQ(find(r, DiagnosticKind::MemoryLeak)->count, 2u); // one a block
}

TEST(Heap, WhatABufferPointsToIsNotLost) {
    Argument kept = buffer(std::vector<std::uint64_t>(4), "kept");
    EXPECT_EQ(told(fault("keeps", {1}, {4}, {kept, buffer(Ints(4)), value(40)}).run()), 0u);
}

// A piece that was freed is not given out again before 1024 others of its size were freed; then the first comes back, so
// that a program may allocate for as long as it likes.
TEST(Heap, FreedPiecesRestAndComeBack) {
    GlobalMemory memory;
    memory.startAt(globalBase, globalBase + (std::uint64_t(200) << 20)); // 3200 pieces, 64 KiB apart
    std::vector<std::uint64_t> given;
    for (int n = 0; n < 100'000; ++n) {
        Area* piece = memory.allocateHeap(48, "piece");
        ASSERT_TRUE(piece) << n;
        given.push_back(piece->base);
        piece->whole()[47] = std::byte(1);
        memory.freeHeap(*piece);
    }
    EXPECT_EQ(std::set<std::uint64_t>(given.begin(), given.end()).size(), 1025u);
    EXPECT_EQ(given[1025], given[0]);
    EXPECT_EQ(memory.areas().size(), 1025u);
    memory.dropHeap();
    EXPECT_TRUE(memory.areas().empty());
}

// Who swaps the word around the last two of six bytes gets two bytes more, which are the area's own; of memory that somebody
// else has, only if its owner says so. A word that begins in the last byte of an area may have a note of its own.
TEST(Heap, TheWordAtTheEndIsTheAreasOwn) {
    GlobalMemory memory;
    const Area& own = memory.allocate(6, "own");
    EXPECT_TRUE(memory.wordAtEnd(own.base + 4, 4));
    EXPECT_FALSE(memory.wordAtEnd(own.base + 8, 4));
    EXPECT_FALSE(memory.wordAtEnd(own.base + 4, 8));
    std::vector<std::byte> bytes(6);
    EXPECT_FALSE(memory.wordAtEnd(memory.adopt(memory.take(6), 6, bytes.data(), "another's", false).base + 4, 4));
    std::vector<std::byte> page(4096);
    EXPECT_TRUE(memory.wordAtEnd(memory.adopt(memory.take(6), 6, page.data(), "a page", true).base + 4, 4));
    Area& odd = memory.place(memory.take(512) + 1, 16, "odd", true); // 15 behind its begin, 3 behind its end
    ASSERT_TRUE(memory.wordAtEnd(odd.base + 15, 4));
    odd.noteWritten(odd.base + 15, 4);
    EXPECT_EQ(odd.written[4], 1);
}

// Of 200,000 pieces, no two of a size, not more than 65,536 are known at a time, and the last half of these always is. Who
// still has a piece that is no more finds nothing in it.
TEST(Heap, FreedPiecesOfManySizesAreForgotten) {
    GlobalMemory memory;
    Area* hint = nullptr;
    std::uint64_t first = 0, recent = 0;
    constexpr std::uint64_t pieces = 200'000, back = 30'000;
    for (std::uint64_t n = 0; n < pieces; ++n) {
        Area* piece = memory.allocateHeap(1 + n, "piece");
        ASSERT_TRUE(piece);
        if (n == 0)
            first = piece->base, hint = piece;
        if (n == pieces - back)
            recent = piece->base;
        memory.freeHeap(*piece);
        ASSERT_LE(memory.areas().size(), 1u << 16);
    }
    EXPECT_EQ(memory.nearest(recent)->freedBytes, 1 + pieces - back);
    EXPECT_FALSE(memory.find(first, 1, hint));
    EXPECT_FALSE(memory.nearest(first));
    memory.dropHeap();
    EXPECT_TRUE(memory.areas().empty());
}

TEST(Heap, HasNothingWhereAddressesEnd) {
    GlobalMemory memory;
    memory.startAt(globalBase, globalBase + (std::uint64_t(1) << 20));
    int pieces = 0;
    while (memory.allocateHeap(48, "piece"))
        ++pieces;
    EXPECT_GT(pieces, 4);
    EXPECT_LT(pieces, 17); // 64 KiB apart in a MiB
    EXPECT_FALSE(memory.allocateHeap(~std::uint64_t(0) - 100, "too much"));
}

TEST(Heap, WrongFreesAreToldWithTheOwner) {
    tells(fault("freesTwice", {1}, {2}, {buffer(Ints(2))}).run(), DiagnosticKind::InvalidFree,
          {"was freed before (the device heap memory that block (0), thread (1) allocated)", "thread (1)"});
    tells(fault("freesForeign", {1}, {4}, {buffer(Ints(4), "out")}).run(), DiagnosticKind::InvalidFree,
          {"no malloc of the kernel returned: it is byte 0 of buffer \"out\"", "thread (3)"});
    tells(fault("usesFreed", {1}, {1}, {buffer(Ints(1))}).run(), DiagnosticKind::OutOfBounds,
          {"in memory that was already freed (byte 8 of the device heap memory that block (0), thread (0) allocated)"});
}

} // namespace
} // namespace warpglass::testing
