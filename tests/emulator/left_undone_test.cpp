// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that hang since somebody leaves undone what is done else (data/left_undone.cu, data/kinds.cu): who, where, and past which
// branch is named. Lines and numbers are worked out by hand from those files.
#include "tests/emulator/hang_of.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace warpglass::testing {
namespace {

Recording leftUndone(const char* name, std::uint32_t blocks, std::uint32_t threads, std::vector<Argument> arguments) {
    Kernel k(name, {blocks}, {threads}, std::move(arguments), "left_undone.ptx");
    k.plan.source = readText("left_undone.cu");
    return k.run();
}
Recording ofKinds(const char* name, std::uint32_t blocks, std::uint32_t threads, std::vector<Argument> arguments) {
    return Kernel(name, {blocks}, {threads}, std::move(arguments), "kinds.ptx").run();
}
Argument ints(std::size_t count, const char* name) {
    return buffer(std::vector<int>(count), name);
}
Recording cellsWith(int wrong) {
    return leftUndone(
        "cells", 1, 64,
        {buffer(std::vector<int>{5, 6, -7, 8, -9, 1, 2, 3}, "in"), ints(1, "out"), value(8), value(wrong)});
}
Recording ticketsWith(int wrong) {
    return leftUndone(
        "tickets", 4, 32,
        {ints(1, "offered"), ints(1, "ticket"), ints(1, "freed"), ints(40, "out"), value(40), value(wrong)});
}
Recording sharesWith(int wrong) {
    std::vector<int> weight(18, 2);
    weight[4] = weight[9] = 0;
    return leftUndone(
        "shares", 4, 32,
        {buffer(weight, "weight"), buffer(std::vector<int>{18}, "left"), ints(2, "out"), value(18), value(wrong)});
}
Recording takersWith(int wrong) {
    return leftUndone("takers", 1, 128, {ints(12, "out"), value(11), value(wrong)});
}
Recording generationsWith(int wrong) {
    return leftUndone("generations", 5, 32, {ints(2, "meeting"), ints(160, "out"), value(6), value(wrong)});
}
Recording lateReaderWith(int wrong) {
    return leftUndone("lateReader", 4, 32, {ints(1, "came"), ints(1, "generation"), ints(128, "out"), value(wrong)});
}
Recording handsOnWith(int wrong) {
    return leftUndone("handsOn", 1, 128, {buffer(std::vector<float>(128), "out"), value(wrong)});
}
Recording rowsWith(int wrong) {
    return leftUndone("rows", 1, 96, {buffer(std::vector<float>(64), "out"), value(5), value(wrong)});
}

TEST(LeftUndone, RightOnesEnd) {
    for (const auto& run :
         {cellsWith, ticketsWith, sharesWith, takersWith, generationsWith, lateReaderWith, handsOnWith, rowsWith}) {
        const Recording r = run(0);
        EXPECT_FALSE(r.fault) << r.fault->text();
    }
}

void expectFirst(const Recording& r, const char* what, std::initializer_list<const char*> why) {
    const Diagnostic d = hangIn(r);
    expectIn(d.waits[0].what, what);
    for (const char* part : why)
        expectIn(d.waits[0].why, part);
}

// The kernel and its structs stand in a file that the source includes.
TEST(LeftUndone, MembersOfWhatIsIncludedAreNamed) {
    Kernel k("cells", {1}, {64},
             {buffer(std::vector<int>{5, 6, -7, 8, -9, 1, 2, 3}, "in"), ints(1, "out"), value(8), value(1)},
             "left_undone.ptx");
    k.plan.source = "#include \"left_undone.cu\"\n";
    EXPECT_EQ(std::string(hangIn(k.run()).waits[0].what).find("ring.taken"), std::string::npos);
    k.plan.headers = readText("left_undone.cu");
    expectIn(hangIn(k.run()).waits[0].what, "ring.taken");
}

// Items 2 and 4 are negative. The producer asks for the fifth place once it has put five and three came back.
TEST(LeftUndone, WhoDoesNotGiveBackAPlaceOfAQueue) {
    expectFirst(cellsWith(1), "ring.taken",
                {"block (0), thread (0) last wrote 3 there at line 59", "2 times a thread came to line 53",
                 "went on without coming to line 59", "past the branch at line 57", ": block (0), thread (0)"});
    expectFirst(ticketsWith(1), "byte 0 of buffer \"freed\"",
                {"went on without coming to line 86", "past the branch at line 85", ": block (2), thread (0)"});
    expectFirst(ofKinds("queue", 2, 32,
                        {ints(1, "head"), ints(1, "tail"), ints(4, "slots"), ints(1, "out"), value(12), value(1)}),
                "byte 0 of buffer \"tail\"", // items 5 to 8 are not given back
                {"4 times a thread came to line 131", "went on without coming to line 136",
                 "past the branch at line 135", ": block (1), thread (0)"});
}

// Of 18 items numbers 4 and 9 weigh nothing: the second of block 1's, and the fourth of block 0's. Of eleven tasks number 5 is
// taken by a warp that leaves the loop, by the branch behind the line that keeps who has it. Of 30 tasks 3, 10, 17 and 24.
TEST(LeftUndone, WhoDoesNotCountATask) {
    expectFirst(sharesWith(1), "byte 0 of buffer \"left\"",
                {"2 times a thread came to line 102", "went on without coming to line 107",
                 "past the branch at line 103", ": block (0), thread (0); block (1), thread (0)"});
    expectFirst(
        takersWith(1), "done",
        {"1 time a thread came to line 126", "went on without coming to line 130", "past the branch at line 127"});
    expectFirst(
        ofKinds("tasks", 4, 32, {ints(1, "next"), ints(1, "done"), ints(1, "out"), value(30), value(1)}),
        "byte 0 of buffer \"done\"",
        {"4 times a thread came to line 152", "went on without coming to line 156", "past the branch at line 153"});
}

// Five blocks meet for the third time, and who comes last says so without setting the counter back; the same with four blocks at
// their second meeting. Or block 1 reads what to wait for when the others have met already.
TEST(LeftUndone, WhatABarrierOfTheGridForgot) {
    expectFirst(generationsWith(1), "byte 4 of buffer \"meeting\"",
                {"last wrote 3 there at line 145", "had not changed byte 0 of buffer \"meeting\" at line 143"});
    expectFirst(ofKinds("senses", 4, 32, {ints(1, "count"), ints(1, "sense"), ints(128, "out"), value(1)}),
                "byte 0 of buffer \"sense\"", {"had not changed byte 0 of buffer \"count\" at line 255"});
    expectFirst(lateReaderWith(1), "byte 0 of buffer \"generation\"",
                {"what it is compared with was read there at line 164",
                 "only behind that, by who had changed byte 0 of buffer \"came\" at line 160"});
}

// Warps that hold up the others' barrier where no way leads to it.
TEST(LeftUndone, WhoMeetsWhereNotAllCanCome) {
    expectFirst(handsOnWith(1), "barrier 0, to which 96 of 128 threads have come",
                {"no way leads from line 187", "to barrier 0, which is for 128 threads"});
    expectFirst(rowsWith(1), "barrier 1, to which 64 of 96 threads have come",
                {"no way leads from line 216", "to barrier 1, which is for 96 threads"});
    expectFirst(ofKinds("roles", 1, 128, {buffer(std::vector<float>(128), "out"), value(1)}),
                "barrier 0, to which 96 of 128 threads have come", {"no way leads from line 176"});
}

} // namespace
} // namespace warpglass::testing
