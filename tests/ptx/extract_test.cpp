// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/extract.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace warpglass;
using namespace warpglass::ptx;

namespace {

// k calls f, f reads `table`, whose second word is the address of `data`. Nobody needs g, l and `other`.
const std::string linked = R"(.version 8.0
.target sm_90
.address_size 64
.global .align 4 .u32 data[4] = {1, 2, 3, 4};
.global .align 8 .u64 table[2] = {0, generic(data)+8};
.global .align 4 .u32 other;
.const .align 8 .u64 where[1] = {generic(data)};
.func (.param .b64 r) f () {
	.reg .b64 %rd<3>;
	ld.global.u64 %rd1, [table+8];
	ld.const.u64 %rd2, [where];
	st.param.b64 [r], %rd1;
	ret;
}
.func g () {
	ret;
}
.visible .entry k () {
	.reg .pred %p;
	.reg .b32 %r<3>;
	.reg .b64 %rd<4>;
	setp.eq.u32 %p, %r1, 0;
	@%p bra DONE;
	mov.u64 %rd1, data;
	cvta.global.u64 %rd2, data;
	ld.global.u32 %r2, [data+4];
	{
	.param .b64 r0;
	call.uni (r0), f, ();
	ld.param.b64 %rd3, [r0];
	}
DONE:
	ret;
}
.visible .entry l () {
	.reg .b32 %r<2>;
	ld.global.u32 %r1, [other];
	ret;
}
)";

Module module() {
    auto m = parse(linked, "m.ptx");
    EXPECT_TRUE(m) << m.error().text();
    return std::move(*m);
}

std::vector<std::string> instructions(const Module& m, const char* function) {
    std::vector<std::string> all;
    for (const Instruction& i : m.findFunction(function)->body)
        all.push_back(write(i));
    return all;
}

} // namespace

TEST(Extract, KeepsWhatAnEntryReaches) {
    const Module part = extract(module(), "k");
    EXPECT_TRUE(part.findFunction("k"));
    EXPECT_TRUE(part.findFunction("f"));
    EXPECT_FALSE(part.findFunction("g"));
    EXPECT_FALSE(part.findFunction("l"));
    for (const char* kept : {"data", "table", "where"})
        EXPECT_TRUE(part.findVariable(kept)) << kept;
    EXPECT_FALSE(part.findVariable("other"));
    EXPECT_EQ(part.text, module().text); // lines mean what they meant
    EXPECT_EQ(extract(module(), "nobody").functions.size(), module().functions.size());
}

// ptxas 13.0 says 1024 bytes of shared memory for k, 4 without the extern variable that only j uses.
TEST(Extract, KeepsWhatAlignsSharedMemory) {
    const auto whole = parse(".version 8.0\n.target sm_90\n.address_size 64\n"
                             ".extern .shared .align 1024 .b8 ring[];\n.shared .align 4 .b8 other[64];\n"
                             ".visible .entry k() { .shared .align 4 .b32 own; st.shared.u32 [own], 1; ret; }\n"
                             ".visible .entry j() { st.shared.u32 [ring], 1; st.shared.u32 [other], 1; ret; }\n",
                             "two.ptx");
    ASSERT_TRUE(whole) << whole.error().text();
    const Module part = extract(*whole, "k");
    ASSERT_TRUE(part.findVariable("ring"));
    EXPECT_EQ(part.findVariable("ring")->alignment, 1024);
    EXPECT_FALSE(part.findVariable("other"));
}

// data at 0x700000001000 and table at 0x700000002000: [data+4] is read through a register that holds the address,
// behind which the label DONE has moved by one.
TEST(Extract, PutsAddressesInPlaceOfVariables) {
    Module part = extract(module(), "k");
    bindVariables(part, {{"data", 0x700000001000}, {"table", 0x700000002000}});
    EXPECT_EQ(instructions(part, "k"),
              (std::vector<std::string>{"mov.u64 %wg_variable0, 123145302315008;", "setp.eq.u32 %p, %r1, 0;",
                                        "@%p bra DONE;", "mov.u64 %rd1, 123145302315008;",
                                        "mov.u64 %rd2, 123145302315008;", "ld.global.u32 %r2, [%wg_variable0+4];",
                                        "call.uni (r0), f, ();", "ld.param.b64 %rd3, [r0];", "ret;"}));
    EXPECT_EQ(LabelMap(*part.findFunction("k")).find("DONE"), 8u);
    EXPECT_EQ(instructions(part, "f").at(1), "ld.global.u64 %rd1, [%wg_variable0+8];");
    EXPECT_FALSE(part.findVariable("data"));
    EXPECT_FALSE(part.findVariable("table"));
    // What else held the address of one holds that number.
    const Variable* where = part.findVariable("where");
    ASSERT_TRUE(where);
    EXPECT_TRUE(where->initialAddresses.empty());
    std::uint64_t held = 0;
    ASSERT_EQ(where->initial.size(), sizeof held);
    std::memcpy(&held, where->initial.data(), sizeof held);
    EXPECT_EQ(held, 0x700000001000u);
    const auto again = parse(write(part), "again.ptx");
    EXPECT_TRUE(again) << again.error().text();
}

// A local name hides the module's: a shared array called data stays what it is.
TEST(Extract, LeavesNamesOfAFunctionsOwn) {
    auto m = parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .u32 data;\n"
        ".visible .entry k () {\n.shared .align 4 .u32 data;\n.reg .b32 %r;\nld.shared.u32 %r, [data];\nret;\n}\n",
        "m.ptx");
    ASSERT_TRUE(m) << m.error().text();
    bindVariables(*m, {{"data", 0x1000}});
    EXPECT_EQ(instructions(*m, "k").front(), "ld.shared.u32 %r, [data];");
}
