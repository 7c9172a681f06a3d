// SPDX-License-Identifier: GPL-3.0-or-later
// Edges that whole kernels of teaching code ran into.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

using Words = std::vector<std::uint32_t>;

Kernel edge(const std::string& entry, std::vector<Argument> arguments, Dim3 block = {1}) {
    return Kernel(entry, {1}, block, std::move(arguments), "edges.ptx");
}

TEST(Edges, FreeingWhatMallocNeverReturnedIsAFaultAndLeavesTheBufferAlone) {
    const auto r = edge("freesForeign", {buffer(Words{5, 6})}).run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->text().find("no malloc of the kernel returned"), std::string::npos) << r.fault->text();
    EXPECT_EQ(values<std::uint32_t>(r, 0), (Words{5, 6}));
}

TEST(Edges, FreeingTwiceIsAFault) {
    const auto r = edge("freesTwice", {buffer(Words(1))}).run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->text().find("was freed before"), std::string::npos) << r.fault->text();
}

// PTX ISA, cvt: 0 for a 32-bit source and result, else the highest bit alone. An H200 gives the same.
TEST(Edges, NaNBecomesTheIntegerThatItsWidthAsksFor) {
    const auto out = values<std::uint32_t>(edge("nanToInteger", {buffer(Words(6, 1))}).run(), 0);
    EXPECT_EQ(out[0], 0x80000000u);
    EXPECT_EQ(out[1], 0x80000000u);
    EXPECT_EQ(out[2], 0u);
    EXPECT_EQ(out[4], 0u);
    EXPECT_EQ(out[5], 0x80000000u);
}

TEST(Edges, ReservedSharedMemoryIsNotTheBlocksOwn) {
    const auto r = edge("reservedShared", {buffer(Words(2))}).run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    EXPECT_EQ(values<std::uint32_t>(r, 0), (Words{7, 9}));
}

// (1 + 2^-10)(1 - 2^-10) + 2050 = 2051 - 2^-20, below the middle of 2050 and 2052. Rounded to f32 first it is the
// middle itself, and the even neighbour would be 2052.
TEST(Edges, HalfFmaRoundsOnce) {
    const auto out = values<std::uint16_t>(
        edge("halfFma", {buffer(std::vector<std::uint16_t>{0x3c01, 0x3bfe, 0x6801, 0})}).run(), 0);
    EXPECT_EQ(out[3], 0x6801);
}

TEST(Edges, FaultInInlinedLibraryCodeIsToldAtTheUsersLine) {
    const auto r = edge("faultInLibrary", {buffer(Words(1))}).run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->text().find("line 16 of user.cu"), std::string::npos) << r.fault->text();
}

// 32 lanes a store: 2^23 lanes are 262144 stores of the million.
TEST(Edges, EndlessLoopDoesNotFillTheMemoryWithItsAccesses) {
    Kernel kernel = edge("storesForEver", {buffer(Words(32))}, {32});
    kernel.options.detail.kind = Detail::Kind::All;
    kernel.options.detail.accesses = true;
    kernel.options.instructionLimit = 2'000'000;
    const auto r = kernel.run();
    ASSERT_TRUE(r.fault);
    EXPECT_TRUE(find(r, DiagnosticKind::EndlessLoop));
    EXPECT_LE(r.trace->accesses.size(), 262144u);
    std::uint64_t lost = 0;
    for (const auto& l : r.trace->losses)
        lost += l.events;
    EXPECT_GT(lost, 500'000u);
}

std::string refusalOf(const std::string& variable) {
    LaunchPlan plan;
    plan.entry = "k";
    plan.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n" + variable + "\nret;\n}\n";
    plan.grid = plan.block = {1};
    Progress progress;
    const auto r = makeEmulator()->run(plan, {}, progress);
    return r ? "" : r.error().text();
}

TEST(Edges, VariablesThatNoDeviceHasRoomForAreRefusedBeforeTheyAreMade) {
    EXPECT_NE(refusalOf(".const .b8 big[65537];\n.visible .entry k() {").find("65537 bytes of constant memory"),
              std::string::npos);
    EXPECT_NE(refusalOf(".visible .entry k() {\n.local .b8 big[2147483647];").find("bytes of local memory"),
              std::string::npos);
    EXPECT_EQ(refusalOf(".visible .entry other() {\n.local .b8 big[2147483647];\nret;\n}\n.visible .entry k() {"), "")
        << "another kernel of the module";
    EXPECT_NE(
        refusalOf(".shared .b8 big[4294967296];\n.visible .entry k() {").find("4294967296 bytes of shared memory"),
        std::string::npos);
    EXPECT_NE(refusalOf(".visible .entry k() {\n.shared .b8 own[4294967295];").find("bytes of shared memory"),
              std::string::npos);
    EXPECT_NE(refusalOf(".visible .entry k(.param .b8 big[4294967296]) {").find("bytes of parameters"),
              std::string::npos);
    EXPECT_NE(refusalOf(".global .b8 big[1099511627776];\n.visible .entry k() {").find("NVIDIA H200 has 141.0 GB"),
              std::string::npos)
        << refusalOf(".global .b8 big[1099511627776];\n.visible .entry k() {");
    EXPECT_EQ(refusalOf(".global .b8 untouched[4294967296];\n.visible .entry k() {"), "") << "4 GB, of which none";
    EXPECT_EQ(refusalOf(".const .b8 fits[65536];\n.visible .entry k() {\n.local .b8 own[524288];"), "");
}

// A frame of a hundred thousand registers of 256 bytes for each of 32 warps would be 800 MB.
TEST(Edges, RegistersThatNobodyUsesCostNothing) {
    LaunchPlan plan;
    plan.entry = "k";
    plan.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
               ".reg .b64 %rd<100000>;\n.reg .pred %p<20000>;\nld.param.u64 %rd99999, [p];\n"
               "setp.ne.u64 %p19999, %rd99999, 0;\n@%p19999 st.global.u64 [%rd99999], 7;\nret;\n}\n";
    plan.arguments = {buffer(std::vector<std::uint64_t>(1))};
    plan.grid = {1};
    plan.block = {1024};
    RunOptions options;
    options.timing = true;
    Progress progress;
    const auto r = makeEmulator()->run(plan, options, progress);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_FALSE(r->fault);
    EXPECT_EQ(values<std::uint64_t>(*r, 0)[0], 7u);
}

// The last 16 bytes that an address can name: their sectors are counted by the timing model before the fault is told.
TEST(Edges, AccessAtTheEndOfTheAddressSpaceEndsInTime) {
    LaunchPlan plan;
    plan.entry = "k";
    plan.ptx =
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() {\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
        "mov.u64 %rd1, -4;\nld.shared.u32 %r1, [%rd1];\nret;\n}\n";
    plan.grid = {1};
    plan.block = {32};
    RunOptions options;
    options.timing = true;
    Progress progress;
    const auto r = makeEmulator()->run(plan, options, progress);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_TRUE(r->fault);
}

} // namespace
} // namespace warpglass::testing
