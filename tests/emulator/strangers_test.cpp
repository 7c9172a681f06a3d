// SPDX-License-Identifier: GPL-3.0-or-later
// PTX that was made to reach beyond the emulator's own memory (docs/security.md): each ends in a sentence or a value that is
// worked out here, and says under the sanitizers that it stayed inside.
#include "gpu/emulator/state/memory_map.h"
#include "gpu/launch/texture_words.h"
#include "tests/emulator/run_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace warpglass::testing {
namespace {

using Words = std::vector<std::uint32_t>;

Kernel stranger(const std::string& file, std::vector<Argument> arguments = {}, std::uint32_t threads = 32) {
    Kernel kernel("k", {1}, {threads}, std::move(arguments), "strangers/" + file + ".ptx");
    kernel.options.instructionLimit = 1'000'000;
    return kernel;
}
Kernel ofText(const std::string& text, std::vector<Argument> arguments = {}) {
    Kernel kernel("k", {1}, {32}, std::move(arguments));
    kernel.plan.ptx = ".version 8.0\n.target sm_90\n.address_size 64\n" + text;
    return kernel;
}
// The refusal or the fault; empty: it ran.
std::string told(const Kernel& kernel) {
    Progress progress;
    const auto r = makeEmulator()->run(kernel.plan, kernel.options, progress);
    return !r ? r.error().text() : r->fault ? r->fault->text() : "";
}
void expectTold(const Kernel& kernel, const std::string& what) {
    EXPECT_NE(told(kernel).find(what), std::string::npos) << what << "\n" << told(kernel);
}

TEST(Strangers, LoadsOfUnwrittenMemoryAreToldInTimedCodeAndRunOnce) {
    std::vector<std::uint32_t> ints(64, 7);
    Kernel kernel = stranger("ds2", {buffer(ints), buffer(Words(64, 9))});
    kernel.options.timing = true;
    const auto r = kernel.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    ASSERT_TRUE(find(r, DiagnosticKind::UninitialisedRead));
    EXPECT_EQ(values<std::uint32_t>(r, 1)[31], 0u);
    EXPECT_EQ(values<std::uint32_t>(r, 1)[32], 9u);
}

TEST(Strangers, ParametersAndResultsOfCallsAreBounded) {
    expectTold(stranger("paramhalf"), "67108864 bytes; what a call hands over has 32764 at most");
    expectTold(stranger("rets"), "the results of f take more than 32764 bytes");
    // 32 lanes of 1,025 variables of 32,760 bytes: 1 GB and more of one frame.
    std::string many = ".visible .entry k() {\n";
    for (int n = 0; n < 1025; ++n)
        many += fmt::format(".param .b8 q{}[32760];\n", n);
    expectTold(ofText(many + "ret;\n}\n"), "a call of k takes 1.0");
    // 4,097 variables a megabyte apart end one byte behind 2^32.
    std::string apart = ".visible .entry k() {\n";
    for (int n = 0; n < 4097; ++n)
        apart += fmt::format(".local .align 1048576 .b8 l{}[1];\n", n);
    expectTold(ofText(apart + "ret;\n}\n"), "bytes of local memory");
    std::string entry = ".visible .entry k(.param .align 1048576 .b8 p0[1]";
    for (int n = 1; n < 4097; ++n)
        entry += fmt::format(", .param .align 1048576 .b8 p{}[1]", n);
    expectTold(ofText(entry + ") {\nret;\n}\n"), "bytes of parameters");
}

// What calls hand over takes of the 512 KB of a thread's stack what ptxas gives it: 48 bytes nothing, 64 bytes 64, once for
// two calls. So 8,192 calls fit with 64, and 524288 / 4000 = 131 with 4,000.
TEST(Strangers, WhatCallsHandOverTakesOfTheStack) {
    const auto recursion = [](int bytes) {
        const std::string hand = fmt::format("{{\n.param .b8 b[{}];\ncall f, (b);\n}}\n", bytes);
        return ofText(fmt::format(".visible .func f(.param .b8 a[{}]) {{\n", bytes) + hand + hand + "ret;\n}\n" +
                      ".visible .entry k() {\n" + hand + "ret;\n}\n");
    };
    expectTold(recursion(48), "8193 deep");
    expectTold(recursion(64), "8193 deep");
    expectTold(recursion(4000), "132 deep");
    // 30,000 bytes that no call hands over, beginning with the first f: 17 of them fit.
    expectTold(stranger("rec"), "19 deep");
}

TEST(Strangers, CallsHandOverWhatTheFunctionTakes) {
    expectTold(stranger("s1a"), "result 1 has another type");
    expectTold(stranger("s1b"), "argument 1 has another type");
    const std::string f = ".func (.param .b32 r) f(.param .b64 a) {\n.reg .b32 %r<2>;\nst.param.b32 [r], 5;\nret;\n}\n";
    expectTold(ofText(f + ".visible .entry k() {\n.reg .b32 %r<3>;\ncall (%r1), f, (%r2);\nret;\n}\n"),
               "argument 1 has another type than the function's a");
    expectTold(ofText(f + ".visible .entry k() {\n.reg .b32 %r<3>;\ncall (%r1), f;\nret;\n}\n"), "names 0 arguments");
    expectTold(ofText(".extern .func (.reg .pred r) malloc(.reg .pred n);\n.visible .entry k() {\n.reg .pred %p<64>;\n"
                      "call (%p63), malloc, (%p62);\nret;\n}\n"),
               "takes and gives no predicates");
    // Only the run finds the function: the call's prototype says what it hands over.
    expectTold(ofText(f + ".visible .entry k() {\n.reg .pred %p<64>;\n.reg .b64 %d<3>;\nmov.u64 %d1, f;\n"
                          "p: .callprototype (.reg .pred _) _ (.reg .b64 _);\ncall (%p63), %d1, (%d2), p;\nret;\n}\n"),
               "has results of other types than the call");
    // A prototype says nothing of a function that is called by its name.
    expectTold(ofText(".func (.reg .b32 q) g(.reg .b32 z) {\nmov.b32 q, 5;\nret;\n}\n.visible .entry k() {\n"
                      ".reg .pred %p<32>;\nh: .callprototype (.reg .pred _) _ (.reg .pred _);\n"
                      "call (%p31), g, (%p30), h;\nret;\n}\n"),
               "argument 1 has another type than the function's z");
    expectTold(ofText(".visible .entry k() {\ncall k;\nret;\n}\n"), "is launched and not called");
}

// A map's bytes as the emulator lays them (packTensorMap): mark, type, rank, from 13 on what a swizzle moves, from byte 56 on the highest indices, from 76
// the box and from 86 the element strides.
std::vector<std::uint8_t> mapOf(std::uint8_t type, std::uint8_t rank) {
    std::vector<std::uint8_t> m(128);
    std::memcpy(m.data(), "WGTENSOR", 8);
    m[8] = type;
    m[9] = rank;
    m[13] = 16;
    m[58] = 255; // 2^24 - 1 of them
    m[57] = m[56] = 255;
    m[76] = 4;
    for (std::size_t k = 1; k < 5; ++k)
        m[76 + 2 * k] = 1;
    for (std::size_t k = 0; k < 5; ++k)
        m[86 + 2 * k] = 1;
    return m;
}

TEST(Strangers, TensorMapsThatAKernelWroteAreCheckedFieldByField) {
    const auto run = [](const std::string& file, std::vector<std::uint8_t> map, const std::string& what) {
        expectTold(stranger(file, {buffer(std::move(map)), buffer(Words(70000))}), what);
    };
    EXPECT_EQ(told(stranger("tma1", {buffer(mapOf(2, 1)), buffer(Words(64))})), "");
    auto map = mapOf(2, 1);
    map[12] = 32, map[76] = 0x60, map[77] = 0xea; // a swizzle of 32 bytes, a row of 240,000
    run("tma1", map, "60000 elements");
    map = mapOf(2, 3);
    map[77] = 0x40; // 16,384 elements of 257 rows
    run("tma3", map, "elements along dimension 0");
    map = mapOf(2, 2);
    map[88] = 0;
    run("tma2", map, "element stride of dimension 1 is 0");
    run("tma1", mapOf(255, 1), "type 255");
    run("tmared", mapOf(255, 1), "type 255");
    run("tma1", mapOf(2, 0), "1 to 5 dimensions");
    map = mapOf(2, 1);
    map[12] = 255;
    run("tma1", map, "a swizzle of 255 bytes");
    map[12] = 3;
    run("tma1", map, "a swizzle of 3 bytes");
    map = mapOf(2, 1);
    map[11] = 1;
    run("tma1", map, "interleaved");
    map = mapOf(2, 2);
    map[76] = 0;
    run("tma2", map, "0 elements");
}

// What is left out of a store stays; of lanes that go to two buffers, and to local memory.
TEST(Strangers, ElementsThatAStoreLeavesOutAreNotRead) {
    Kernel kernel = stranger("st8", {buffer(Words(256, 1)), buffer(Words(256, 1))});
    const auto r = kernel.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    Words first(256, 1), second(256, 1); // lane n writes word 8 n, the first sixteen lanes to the first buffer
    for (std::size_t lane = 0; lane < 32; ++lane)
        (lane < 16 ? first : second)[8 * lane] = 7;
    EXPECT_EQ(values<std::uint32_t>(r, 0), first);
    EXPECT_EQ(values<std::uint32_t>(r, 1), second);
    EXPECT_EQ(told(stranger("st8l", {buffer(Words(32))})), "");
}

TEST(Strangers, ColumnsOfTensorMemoryEndAt512) {
    expectTold(stranger("tc2", {buffer(Words(32))}), "a constant from 0 to 511");
}

TEST(Strangers, SurfacesWithRowsShorterThanTheAccessFault) {
    for (const char* file : {"surf", "sured"}) {
        Kernel kernel = stranger(file, {}, 1);
        ASSERT_TRUE(addSurface(kernel.plan, "s=1d:1:u8"));
        kernel.plan.arguments = {value(std::uint64_t(0))};
        kernel.plan.arguments[0].pointers.push_back({.offset = 0, .buffer = "s"});
        expectTold(kernel, "has rows of 1 byte");
    }
}

TEST(Strangers, ParametersThatHoldNoHandleAreNoTextures) {
    expectTold(stranger("texparam", {value(std::uint32_t(5))}, 1), "parameter t is too small");
}

TEST(Strangers, FillsWithoutEndAreRefused) {
    // Slices that all begin at one place: CUDA answers cudaErrorInvalidValue, and nothing is filled.
    EXPECT_EQ(told(stranger("copy3d", {buffer(Words(16))}, 1)), "");
}

// A slice of 2^32 rows of 2^32 bytes: their product is 0 in 64 bits, and all 2^63 slices would lie at one place.
TEST(Strangers, SlicesTooLargeForAnAddressAreRefused) {
    const std::string text =
        ".extern .func (.param .b32 r) cudaMemset3DAsync(.param .align 8 .b8 a[32], .param .b32 b, .param .align 8 .b8 "
        "c[24], .param .b64 d);\n"
        ".visible .entry k(.param .u64 o) {\n.reg .b64 %d;\n.param .align 8 .b8 a[32];\n.param .b32 b;\n"
        ".param .align 8 .b8 c[24];\n.param .b64 d;\n.param .b32 r;\nld.param.u64 %d, [o];\n"
        "st.param.b64 [a], %d;\nst.param.b64 [a+8], 0x100000000;\nst.param.b64 [a+16], 1;\n"
        "st.param.b64 [a+24], 0x100000000;\nst.param.b32 [b], 7;\nst.param.b64 [c], 1;\nst.param.b64 [c+8], 1;\n"
        "st.param.b64 [c+16], 0x7fffffffffffffff;\nst.param.b64 [d], 0;\n"
        "call (r), cudaMemset3DAsync, (a, b, c, d);\nret;\n}\n";
    expectTold(ofText(text, {buffer(Words(16))}), "do not lie in one allocation");
}

// A grid of 2^31 - 1 x 2^32 - 1 x 65536 blocks, of which all are to be recorded, is refused before anybody counts them up.
TEST(Strangers, ChildrenThatAreRefusedHaveNoBlocks) {
    Kernel kernel = ofText(
        ".extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 f, .param .b64 p, .param .align 4 .b8 g[12], "
        ".param .align 4 .b8 b[12], .param .b32 s, .param .b64 st);\n"
        ".visible .entry child() {\nret;\n}\n"
        ".visible .entry k(.param .u64 o) {\n.reg .b64 %d<3>;\n.param .b64 f;\n.param .b64 p;\n"
        ".param .align 4 .b8 g[12];\n.param .align 4 .b8 b[12];\n.param .b32 s;\n.param .b64 st;\n.param .b32 r;\n"
        "mov.u64 %d1, child;\nld.param.u64 %d2, [o];\nst.param.b64 [f], %d1;\nst.param.b64 [p], %d2;\n"
        "st.param.b32 [g], 0x7fffffff;\nst.param.b32 [g+4], 0xffffffff;\nst.param.b32 [g+8], 65536;\n"
        "st.param.b32 [b], 1;\nst.param.b32 [b+4], 1;\nst.param.b32 [b+8], 1;\nst.param.b32 [s], 0;\n"
        "st.param.b64 [st], 0;\ncall (r), cudaLaunchDevice, (f, p, g, b, s, st);\nret;\n}\n",
        {buffer(Words(16))});
    kernel.plan.block = {1};
    kernel.options.detail.kind = Detail::Kind::All;
    EXPECT_EQ(told(kernel), "");
}

// Of two variables of one name the function's is meant; the module's length and initial values are no measure of it.
TEST(Strangers, VariablesOfOneNameAreNoLongerThanTheirMemory) {
    std::string first = ".visible .global .align 8 .b8 y[8];\n.visible .global .align 8 .u64 x[1000] = {y";
    for (int n = 1; n < 1000; ++n)
        first += ", y";
    Kernel kernel =
        ofText(first + "};\n.visible .entry k(.param .u64 o) {\n.global .align 8 .b8 x[8];\n.reg .b64 %d<3>;\n"
                       "mov.u64 %d1, y;\nld.param.u64 %d2, [o];\nst.global.u64 [%d2], %d1;\nret;\n}\n",
               {buffer(std::vector<std::uint64_t>(1))});
    kernel.plan.dumped.push_back({.symbol = "x", .bytes = 8000});
    const auto r = kernel.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    std::vector<std::uint64_t> expected(1000); // its 8 bytes, and nothing behind them
    expected[0] = values<std::uint64_t>(r, 0)[0];
    EXPECT_NE(expected[0], 0u);
    EXPECT_EQ(values<std::uint64_t>(r, 1), expected);
}

// A copy out of another block's memory is under way when that block has ended, and the next one after it: nothing is looked at
// there any more. Its bytes are those of when it was asked for.
TEST(Strangers, CopiesOutOfBlocksThatHaveEndedLookAtNothingThere) {
    Kernel kernel = ofText(
        ".visible .entry k(.param .u64 o, .param .u64 f)\n.explicitcluster\n.reqnctapercluster 3, 1, 1\n{\n"
        ".shared .align 16 .b8 sm[64];\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %d<4>;\n"
        "ld.param.u64 %d1, [o];\nld.param.u64 %d2, [f];\nmov.u32 %r1, %cluster_ctarank;\nmov.u32 %r2, sm;\n"
        "st.shared.v4.u32 [%r2], {7, 7, 7, 7};\nfence.proxy.async;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
        "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra first;\n"
        "asked:\nld.volatile.global.u32 %r3, [%d2];\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra asked;\n"
        "red.global.add.u32 [%d2], 1;\nret;\n"
        "first:\nmapa.shared::cluster.u32 %r4, %r2, 1;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r4], 16;\ncp.async.bulk.commit_group;\n"
        "st.volatile.global.u32 [%d2], 1;\n"
        "ended:\nld.volatile.global.u32 %r3, [%d2];\nsetp.ne.u32 %p2, %r3, 3;\n@%p2 bra ended;\n"
        "cp.async.bulk.wait_group 0;\nret;\n}\n",
        {buffer(Words(4, 1)), buffer(Words(1, 0))});
    kernel.plan.grid = {3};
    kernel.plan.block = {1};
    const Recording r = kernel.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<std::uint32_t>(r, 0), Words(4, 7));
    EXPECT_FALSE(find(r, DiagnosticKind::AsyncHazard));
}

// A recording may say that its memory lay anywhere: the aligned word around its last byte is there all the same.
TEST(Strangers, MemoryAtOddAddressesEndsWithAWholeWord) {
    emulator::GlobalMemory memory;
    const emulator::Area& area = memory.place(emulator::globalLowest + 3, 2, "odd"); // the word at + 4 ends at + 8
    std::uint32_t word = 1;
    std::memcpy(&word, area.whole().data() + 1, sizeof word);
    EXPECT_EQ(word, 0u);
}

// Each lane's generic address says which memory it means, whatever its neighbours' do.
TEST(Strangers, AtomicsOfAWarpMayGoToSeveralMemories) {
    const auto text = [](const char* elsewhere) {
        return fmt::format(".visible .entry k(.param .u64 o) {{\n.shared .align 16 .b8 sm[256];\n.reg .b64 %d<9>;\n"
                           ".reg .b32 %r<9>;\n.reg .pred %p;\nld.param.u64 %d1, [o];\nmov.u32 %r1, %tid.x;\n"
                           "mov.u64 %d2, sm;\ncvta.shared.u64 %d3, %d2;\nst.shared.u32 [sm], 100;\nbar.sync 0;\n"
                           "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p, %r2, 0;\n{}\nselp.b64 %d5, %d3, %d4, %p;\n"
                           "atom.add.u32 %r3, [%d5], 1;\nbar.sync 0;\nld.shared.u32 %r4, [sm];\n"
                           "st.global.u32 [%d1+4], %r4;\nmul.wide.u32 %d6, %r1, 4;\nadd.u64 %d6, %d6, %d1;\n"
                           "st.global.u32 [%d6+8], %r3;\nret;\n}}\n",
                           elsewhere);
    };
    Kernel kernel = ofText(text("mov.b64 %d4, %d1;"), {buffer(Words(34, 7))});
    const auto r = kernel.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    Words expected{7 + 16, 100 + 16}; // half of the lanes each; then what each found
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        expected.push_back(lane / 2 + (lane % 2 ? 7 : 100));
    EXPECT_EQ(values<std::uint32_t>(r, 0), expected);
    // 4 bytes before the block's shared memory: 2^64 - 4 from its beginning.
    expectTold(ofText(text("sub.u64 %d4, %d3, 4;"), {buffer(Words(34))}), "0xfffffffc");
    expectTold(ofText(".visible .entry k() {\n.shared .align 16 .b8 sm[256];\n.reg .b64 %d<3>;\nmov.u64 %d1, -8;\n"
                      "atom.shared.exch.b64 %d2, [%d1], 5;\nst.shared.u64 [sm], %d2;\nret;\n}\n"),
               "the shared memory of block 254 of its cluster, which has 1");
}

// Words of which an instruction needs one, and a type that says how many bytes it moves.
TEST(Strangers, InstructionsThatSayTooLittleAreRefused) {
    const auto body = [](const std::string& instruction) {
        return ofText(".visible .entry k() {\n.shared .b32 s;\n.reg .b32 %r<3>;\n.reg .b64 %d<3>;\n.reg .f32 %f;\n"
                      ".reg .pred %p;\n" +
                      instruction + "\nret;\n}\n");
    };
    expectTold(body("testp.f32 %p, %f;"), "it names none of .finite");
    expectTold(body("st.shared [s], %r1;"), "st has no modifier .shared");
    expectTold(body("st [%d1], %r1;"), "it names none of .bulk");
    expectTold(body("wgmma.sync.aligned;"), "it names none of .commit_group");
    for (const char* groups : {"", " -1", " %r1", " 1, 2"}) // the timing model reads the number
        expectTold(body(std::string("wgmma.wait_group.sync.aligned") + groups + ";"), "a constant number of groups");
    expectTold(body("wgmma.m64n8k16.f32.f16.f16 {%r1, %r1, %r1, %r1}, %d1, %d1, %p;"), "it names none of .mma_async");
    expectTold(ofText(".visible .entry k() {\n.param .align 32 .b8 b[32];\n"
                      "st.v8.b32 [b], {_, _, _, _, _, _, _, _};\nret;\n}\n"),
               "vectors of 32 bytes lie in global memory");
}

// A register 2^63 - 1 below the buffer, and so much beside it in the text: the sum goes around, as addresses do.
TEST(Strangers, OffsetsGoAroundAsAddressesDo) {
    Kernel kernel = ofText(".visible .entry k(.param .u64 o) {\n.reg .b64 %d<3>;\n.reg .b32 %r;\n"
                           "ld.param.u64 %d1, [o];\nsub.u64 %d2, %d1, 9223372036854775807;\n"
                           "ld.global.u32 %r, [%d2+9223372036854775807];\nst.global.u32 [%d1+4], %r;\nret;\n}\n",
                           {buffer(Words{7, 0})});
    const auto r = kernel.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<std::uint32_t>(r, 0), (Words{7, 7}));
}

// Lanes come back to an instruction that they wait at for the others of their warp, whether it says .sync or not; the way that
// they go on is recorded with its place.
TEST(Strangers, InstructionsOfAWarpAreComeBackToWithoutTheWord) {
    for (const char* word : {"", ".sync"}) {
        Kernel kernel = ofText(fmt::format(".visible .entry k() {{\n.reg .b32 %r<3>;\n.reg .pred %p;\n"
                                           "mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p, %r1, 3;\n@%p bra L;\n"
                                           "activemask.b32 %r2;\nmovmatrix{}.aligned.m8n8.b16 %r2, %r2;\nL: ret;\n}}\n",
                                           word));
        kernel.options.detail.kind = Detail::Kind::All;
        expectTold(kernel, "4 of the 32 lanes of a warp run movmatrix");
    }
}

// What nobody waits for is kept: 16,384 bytes of shared memory a copy, 2^20 copies.
TEST(Strangers, CopiesThatNobodyWaitsForTakeNoMemoryWithoutEnd) {
    setenv("WARPGLASS_MEMORY", "64M", 1);
    const auto loop = [](const std::string& instruction) {
        return ofText(
            ".visible .entry k(.param .u64 o) {\n.shared .align 128 .b8 sm[16384];\n.reg .b64 %d;\n"
            ".reg .b32 %r<3>;\n.reg .pred %p;\nld.param.u64 %d, [o];\nmov.u32 %r1, 0;\nmov.u32 %r2, sm;\nL:\n" +
                instruction + "\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 1048576;\n@%p bra L;\nret;\n}\n",
            {buffer(Words(4096))});
    };
    for (const char* instruction : {"cp.async.bulk.global.shared::cta.bulk_group [%d], [%r2], 16384;",
                                    "cp.async.ca.shared.global [%r2], [%d], 16;"}) {
        Kernel kernel = loop(instruction);
        kernel.options.checkMemory = false;
        expectTold(kernel, "calls, copies and allocates takes more than 64");
    }
    unsetenv("WARPGLASS_MEMORY");
}

// The words that make an instruction another one may not be left out: a testp without its question read behind a table of
// six, and products of the sizes that only sparse ones have wrote half of their first matrix behind the other half. Sums of
// two types have two numbers of registers: the shorter list was read to the length of the longer one.
// Bits of a matrix that lies across bytes made accesses of no byte, by which addresses were divided.
TEST(Strangers, WordsThatAFormNeedsAreAskedFor) {
    const std::string head = ".visible .entry k()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %d<3>;\n";
    const char* const eight = "{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}";
    const char* const four = "{%r1,%r2,%r3,%r4}";
    const char* const two = "{%r1,%r2}";
    expectTold(ofText(head + "testp.f32 %p1, %r1;\nret;\n}\n"), "it names none of");
    for (const std::string& product :
         {fmt::format("mma.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16 {},{},{},{};", two, eight, four, two),
          fmt::format("mma.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32 {},{},{},{};", four, eight, four, four),
          fmt::format("mma.sync.aligned.m16n8k64.row.col.s32.u8.s8.s32 {},{},{},{};", four, eight, four, four),
          fmt::format("mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {},{},{},{};", four, eight, four, four),
          fmt::format("mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f16 {},{},{{%r1}},{};", four, two, two),
          fmt::format("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16 {},{},{},{};", four, four, two, two),
          fmt::format("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32 {},{},{},{};", four, two, two, eight),
          std::string("wmma.load.b.sync.aligned.row.m8n8k128.global.b1 {%r1}, [%d1], %r2;"),
          std::string("wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {%r1}, [%d1], %r2;"),
          fmt::format("wgmma.mma_async.sync.aligned.m64n8k32.f32.f16.f16 {},%d1,%d2,%p1,1,1,0,0;", four)})
        expectTold(ofText(head + product + "\nret;\n}\n"), "does not know");
}

// Four bytes before shared memory: the address and its length together are 0 again.
TEST(Strangers, AtomicsBeforeSharedMemoryFault) {
    for (const char* word : {"red.add.shared::cluster.u32 [%d1-4], %r1;", "atom.exch.shared.b64 %d2, [%d1-8], %d2;",
                             "atom.cas.shared.b32 %r1, [%d1-4], %r1, %r1;", "red.add.shared.u32 [%d1-4], %r1;",
                             "red.add.shared::cluster.u32 [%d1-3], %r1;"})
        for (const char* lanes : {"mov.b64 %d1, 0;\n", "cvt.u64.u32 %d1, %r2;\nmul.lo.u64 %d1, %d1, 4096;\n"})
            expectTold(ofText(std::string(".visible .entry k()\n{\n.shared .align 16 .b8 s[64];\n.reg .b32 %r<3>;\n"
                                          ".reg .b64 %d<3>;\nmov.u32 %r2, %tid.x;\nst.shared.u32 [s], %r2;\n") +
                              lanes + word + "\nret;\n}\n"),
                       "shared memory of");
}

// Of rows one behind the other only the first one's address is worked out, where nobody records accesses: matrices of sixteen
// rows were read where an earlier access had been.
TEST(Strangers, RowsOfMatricesThatLieInOrderAreReadThere) {
    Kernel kernel("k", {1}, {32}, {buffer(Words(128))});
    kernel.plan.ptx = ".version 8.7\n.target sm_120a\n.address_size 64\n.visible .entry k(.param .u64 o)\n{\n"
                      ".shared .align 16 .b8 s[512];\n.reg .b32 %r<9>;\n.reg .b64 %d<3>;\nld.param.u64 %d1, [o];\n"
                      "mov.u32 %r0, %tid.x;\nmul.wide.u32 %d2, %r0, 16;\nadd.u64 %d1, %d1, %d2;\nmov.u32 %r1, s;\n"
                      "mad.lo.u32 %r1, %r0, 16, %r1;\nmul.lo.u32 %r2, %r0, 0x01010101;\n"
                      "st.shared.v4.b32 [%r1], {%r2, %r2, %r2, %r2};\nbar.sync 0;\n"
                      "st.global.b32 [%d1], %r0;\n" // the addresses of this access
                      "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%r4, %r5, %r6, %r7}, [%r1];\n"
                      "st.global.v4.b32 [%d1], {%r4, %r5, %r6, %r7};\nret;\n}\n";
    kernel.options.detail.kind = Detail::Kind::None;
    const auto got = values<std::uint32_t>(kernel.run(), 0);
    // Row r of matrix m is full of the byte 16 m + r; a lane has rows 4 (lane % 4) to 4 (lane % 4) + 3 of two columns.
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        for (std::uint32_t r = 0; r < 4; ++r)
            EXPECT_EQ(got[4 * lane + r], 0x03020100u + (r / 2 * 16 + lane % 4 * 4) * 0x01010101u) << lane << " " << r;
}

// 32 warps with 4,000 registers of 512 bytes each: 64 MB a block. Four blocks that wait for each other live at a time.
TEST(Strangers, FramesOfLivingBlocksCountAgainstTheLimit) {
    const auto waiting = [](std::uint32_t registers) {
        Kernel kernel("k", {4}, {1024}, {buffer(Words(1))});
        kernel.plan.ptx = fmt::format(
            ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 o)\n{{\n"
            ".reg .b128 %q<{}>;\n.reg .b64 %d<2>;\n.reg .b32 %r<3>;\n.reg .pred %p;\nld.param.u64 %d1, [o];\n"
            "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p, %r1, 0;\n@%p red.global.add.u32 [%d1], 1;\n"
            "L:\nld.volatile.global.u32 %r2, [%d1];\nsetp.lt.u32 %p, %r2, 4;\n@%p bra L;\nret;\n}}\n",
            registers);
        kernel.options.threads = 1;
        return kernel;
    };
    EXPECT_EQ(told(waiting(4000)), "");
    setenv("WARPGLASS_MEMORY", "100M", 1);
    EXPECT_NE(told(waiting(4000)).find("takes more than 100 MB of memory"), std::string::npos);
    EXPECT_NE(told(waiting(8000)).find("a block's registers, parameters and local memory take 12"), std::string::npos);
    EXPECT_EQ(told(waiting(400)), "");
    unsetenv("WARPGLASS_MEMORY");
}

} // namespace
} // namespace warpglass::testing
