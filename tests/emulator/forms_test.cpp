// SPDX-License-Identifier: GPL-3.0-or-later
// Forms of instructions, one a kernel, and modifiers that must be refused by name.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <array>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;

int bits(unsigned v) {
    return int(v);
}

struct Form {
    const char* kernel;
    std::array<unsigned, 3> in;
    unsigned low = 0, high = 0;
};

void PrintTo(const Form& f, std::ostream* to) {
    *to << f.kernel;
}

class Forms : public ::testing::TestWithParam<Form> {};

TEST_P(Forms, GiveTheBitsOfTheHardware) {
    const Form& f = GetParam();
    const Ints in{bits(f.in[0]), bits(f.in[1]), bits(f.in[2])};
    const auto out =
        values<unsigned>(Kernel(f.kernel, {1}, {1}, {buffer(in, "in"), buffer(Ints(2), "out")}, "forms.ptx").run(), 1);
    EXPECT_EQ(out[0], f.low);
    EXPECT_EQ(out[1], f.high);
}

// Answers of an H200.
INSTANTIATE_TEST_SUITE_P(Measured, Forms,
                         ::testing::Values(Form{"h65519", {}, 0x7bff}, Form{"add_f16", {}, 0x7bff},
                                           Form{"cvt_s16_s8_b32", {0x80ff, 0, 0}, 0xffffffff},
                                           Form{"cvta_shared_cluster", {}, 1},
                                           Form{"ld_shared_cluster", {0x80ff, 0, 0}, 0x80ff},
                                           Form{"fma_relu_f16x2", {0x80ff, 0x7bff3c00, 0xfc007e00}, 0x00007fff},
                                           Form{"subcc_addc", {0x80ff, 0x7bff3c00, 0}, 0x840144ff, 0}));

// Worked out by hand from the PTX ISA's definitions.
INSTANTIATE_TEST_SUITE_P(
    Defined, Forms,
    ::testing::Values(
        Form{"h65520", {}, 0x7c00},                            // half a unit above the largest: even is infinity
        Form{"cvt_s16_f32_b32", {}, 0xfffffffd},               // -3, with its sign in all 32 bits
        Form{"subcc_addc", {5, 3, 0}, 2, 1},                   // nothing borrowed: the carry is 1
        Form{"subcc_subc", {3, 5, 0}, 0xfffffffe, 0xffffffff}, // a borrow goes on
        Form{"subcc_subc", {5, 3, 0}, 2, 0}, Form{"add_sat_s32", {0x7fffffff, 1, 0}, 0x7fffffff},
        Form{"add_sat_s32", {0x80000000, 0xffffffff, 0}, 0x80000000}, Form{"add_sat_s32", {0xfffffffe, 5, 0}, 3},
        Form{"sub_sat_s32", {0x80000000, 1, 0}, 0x80000000}, Form{"sub_sat_s32", {0, 0x80000000, 0}, 0x7fffffff},
        Form{"mad_hi_sat", {0x40000000, 0x40000000, 0x7fffffff}, 0x7fffffff}, // 2^28 + 2^31 - 1
        Form{"mad_hi_sat", {0x40000000, 8, 5}, 7},                            // 2 + 5
        Form{"min_relu", {0xfffffff0, 7, 0}, 0}, Form{"min_relu", {4, 7, 0}, 4},
        Form{"max_relu", {0xfffffff0, 0xffffffff, 0}, 0}, Form{"max_relu", {4, 7, 0}, 7},
        Form{"min_nan_f32", {0x7fc00001, 0x3f800000, 0}, 0x7fffffff},
        Form{"min_nan_f32", {0x40000000, 0x3f800000, 0}, 0x3f800000},
        Form{"max_xorsign_f32", {0xc0400000, 0x3f800000, 0}, 0xc0400000}, // |-3| > |1|, signs differ
        Form{"max_xorsign_f32", {0xc0400000, 0xbf800000, 0}, 0x40400000}, // -3, -1: signs agree
        Form{"min_three_f32", {0x40400000, 0xbf800000, 0xc0000000}, 0xc0000000},
        Form{"min_three_f32", {0x7fc00000, 0x40000000, 0x3f800000}, 0x3f800000},
        Form{"max_three_nan_f32", {0x3f800000, 0x40000000, 0x7fc00000}, 0x7fffffff},
        Form{"min_ftz_f32", {0x00000001, 0x3f800000, 0}, 0},
        Form{"add_sat_f16x2", {0x3c00bc00, 0x3c00bc00, 0}, 0x3c000000}, // 2 -> 1, -2 -> 0
        Form{"add_sat_f16x2", {0x7e003800, 0x3c003400, 0}, 0x00003a00}, // NaN -> 0, 0.5 + 0.25
        Form{"mul_ftz_f16x2", {0x03ff8001, 0x40003c00, 0}, 0x00008000}, // subnormals are zeros with their sign
        Form{"min_nan_f16x2", {0x7e003c00, 0x3c003800, 0}, 0x7fff3800},
        Form{"max_f16x2", {0x7e018000, 0x3c000000, 0}, 0x3c000000}, // a number beats NaN; -0 < +0
        Form{"max_f16x2", {0x7e013c00, 0xfe024000, 0}, 0x7fff4000}, // two NaN: the canonical one
        Form{"max_xorsign_bf16x2", {0xc040bf80, 0x3f803f00, 0}, 0xc040bf80},
        Form{"abs_ftz_f16x2", {0x8001bc00, 0, 0}, 0x00003c00}, Form{"cvt_relu_f16", {0xbf800000, 0, 0}, 0},
        Form{"cvt_relu_f16", {0x80000000, 0, 0}, 0}, Form{"cvt_relu_f16", {0x3f800000, 0, 0}, 0x3c00},
        Form{"cvt_satfinite_f16", {0x7f800000, 0, 0}, 0x7bff}, Form{"cvt_satfinite_f16", {0xc8000000, 0, 0}, 0xfbff},
        Form{"cvt_rz_bf16", {0x3f80ffff, 0, 0}, 0x3f80}, Form{"slct_ftz", {0x80000001, 0, 0}, 7},
        Form{"slct_ftz", {0xbf800000, 0, 0}, 9},
        // Two floats to a pair: the first one is the upper half.
        Form{"cvt_f16x2", {0x3f800000, 0xc0000000, 0}, 0x3c00c000},
        Form{"cvt_relu_bf16x2", {0x3f800000, 0xc0000000, 0}, 0x3f800000},
        Form{"cvt_satfinite_f16x2", {0x7f800000, 0xc7c35000, 0}, 0x7bfffbff}, // infinity, -100000
        // 1 + 2^-11 + 2^-40 as f64: rounding first to f32 would lose the last bit and then tie to even.
        Form{"cvt_f16_f64", {0x00001000, 0x3ff00200, 0}, 0x3c01}));

std::string refusal(const std::string& line, const std::string& outside = "") {
    Kernel k("k", {1}, {1}, {});
    k.plan.ptx = ".version 9.0\n.target sm_90\n.address_size 64\n" + outside +
                 ".visible .entry k()\n{\n.reg .b32 %r<9>;\n"
                 ".reg .b16 %h<9>;\n.reg .b64 %d<9>;\n.reg .pred %p<3>;\n" +
                 line + "\nret;\n}\n";
    Progress progress;
    const auto recording = makeEmulator()->run(k.plan, k.options, progress);
    return recording ? std::string() : recording.error().text();
}

// No architecture and no GPU would help there.
TEST(Refusals, SayWhatTheModuleLacks) {
    Kernel k("k", {1}, {1}, {});
    k.plan.ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.extern .func elsewhere();\n"
                 ".visible .entry k()\n{\ncall.uni elsewhere;\nret;\n}\n";
    Progress progress;
    const auto recording = makeEmulator()->run(k.plan, k.options, progress);
    ASSERT_FALSE(recording);
    const std::string text = recording.error().text();
    EXPECT_NE(text.find("There is a call of a function that is defined nowhere"), std::string::npos) << text;
    EXPECT_NE(text.find("line 7: call.uni elsewhere; (function elsewhere is declared"), std::string::npos) << text;
    EXPECT_NE(text.find("Define it in the same file"), std::string::npos) << text;
    EXPECT_EQ(text.find("architecture"), std::string::npos) << text;
}

TEST(Refusals, NameTheModifierAndItsLine) {
    const auto has = [](const std::string& line, const std::string& part) {
        const std::string text = refusal(line);
        EXPECT_NE(text.find(part), std::string::npos) << line << "\n" << text;
        EXPECT_NE(text.find("line 10: "), std::string::npos) << text;
    };
    has("cvt.rz.relu.ue8m0x2.bf16x2 %h1, %r2;", "does not know the modifier .relu of cvt.ue8m0x2.bf16x2");
    has("add.relu.s32 %r1, %r2, %r3;", "add.s32 has no modifier .relu");
    has("mul.sparkling.lo.u32 %r1, %r2, %r3;", "the modifier .sparkling is not known");
    has("frobnicate.u32 %r1;", "PTX has no instruction frobnicate");
    has("add.u32 %r1, %r2;", "too few or too many operands");
    has("min.s32 %r1, %r2, %r3, %r4;", "only .f32 has three operands");
    has("max.abs.f16 %h1, %h2, %h3;", ".xorsign and .abs go together");
}

// ptxas refuses each of them; they would write over the register that follows.
TEST(Refusals, ResultsHaveTheWidthOfTheirRegister) {
    const std::pair<const char*, const char*> all[] = {
        {"add.u64 %r1, %d1, %d2;", "register %r1 has the wrong width"},
        {"add.u64 %h1, %d1, %d2;", "register %h1 has the wrong width"},
        {"add.u32 %d1, %r1, %r2;", "register %d1 has the wrong width"},
        {"add.u32 %p1, %r1, %r2;", "predicate %p1 is used as a number"},
        {"add.u32 _, %r1, %r2;", "a destination register is expected"},
        {"mad.wide.u32 %r1, %r1, %r2, %d2;", "register %r1 has the wrong width"},
        {"popc.b64 %d1, %d2;", "register %d1 has the wrong width"},
        {"slct.b64.s32 %r1, %d1, %d2, %r2;", "register %r1 has the wrong width"},
        {"set.eq.u32.f64 %d1, %d1, %d2;", "register %d1 has the wrong width"},
        {"setp.eq.u32 %r1, %r1, %r2;", "%r1 is no predicate"},
        {"mov.b64 %r1, {%r1, %r2};", "register %r1 has the wrong width"},
        {"mov.b64 {%r1, %d2}, %d1;", "the registers of a vector differ in width"},
        {"cvta.global.u64 %r1, %d1;", "register %r1 has the wrong width"},
        {"cvt.u64.u32 %p1, %r1;", "predicate %p1 is used as a number"},
        {"ld.global.b32 %p1, [%d1];", "predicate %p1 is used as a number"},
        {"ld.global.v2.b32 {%r1, %d2}, [%d1];", "the registers of a vector differ in width"},
        {"st.global.v2.b32 [%d1], {%r1, %d2};", "the registers of a vector differ in width"},
        {"atom.global.add.u64 %r1, [%d1], %d2;", "register %r1 has the wrong width"},
        {"vote.sync.all.pred %r1, %p1, -1;", "%r1 is no predicate"},
        {"vote.sync.ballot.b32 %d1, %p1, -1;", "register %d1 has the wrong width"},
        {"activemask.b32 %d1;", "register %d1 has the wrong width"},
        {"mapa.shared::cluster.u64 %r1, %d1, %r2;", "register %r1 has the wrong width"},
        {"mbarrier.arrive.shared.b64 %r1, [%r2];", "register %r1 has the wrong width"},
        {"vadd.u32.u32.u32 %d1, %r1, %r2;", "register %d1 has the wrong width"}};
    for (const auto& [text, why] : all) {
        const std::string refused = refusal(text);
        EXPECT_NE(refused.find(why), std::string::npos) << text << "\n" << refused;
    }
}

// ptxas refuses these, too; each would give a result that nobody asked for.
TEST(Refusals, OperandsAreOfTheKindThatTheInstructionTakes) {
    const std::pair<const char*, const char*> all[] = {
        {"mov.u32 %r1, 1.5;", "a float stands where none is expected"},
        {"mov.b32 %r1, 1.5;", "a float stands where none is expected"}, // a double's low half
        {"mov.b64 %d1, 0f3F800000;", "a float stands where none is expected"},
        {"setp.eq.u32 %p1, %r1, 0f3F800000;", "a float stands where none is expected"},
        {"st.global.u32 [%d1], 1.5;", "a float stands where none is expected"},
        {"mov.f32 %f1, flags;", "an address stands where a float is expected"},
        {"add.u32 %f1, %r1, %r2;", "register %f1 is .f32"},
        {"add.f32 %f1, %f2, %u1;", "register %u1 is .u32"},
        {"ld.global.u8 %f1, [%d1];", "register %f1 is .f32"},
        {"cvt.u32.u16 %f1, %h1;", "register %f1 is .f32"},
        {"ld.global.b32 %h1, [%d1];", "a register is too narrow for its type"},
        {"st.global.b32 [%d1], %h1;", "a register is too narrow for its type"},
        {"and.b32 %r1, %r2, %h1;", "register %h1 has the wrong width"},
        {"mov.b16 %h1, {%h1, %h2, %h3, %h4};", "its elements are not as wide as their registers"},
        {"mov.b32 %r1, {%r1, %r2};", "register %r1 has the wrong width"},
        {"mov.b64 %d1, {%h1, %h2, %h3};", "two or four elements"},
        {"ld.shared.u32 %r1, [flags];", "flags lies in another memory"},
        {"cvta.shared.u64 %d1, flags;", "flags lies in another memory"},
        {"atom.global.add.u32 %r1, [mine], 1;", "mine lies in another memory"},
        {"ld.global.u32 %r1, [%r2];", "addresses of this memory have 64 bits"},
        {"mbarrier.init.b64 [%r2], 1;", "addresses of this memory have 64 bits"},
        {"shfl.idx.b32 %r1, %r2, 0, 31, -1;", "a member mask goes with .sync"},
        {"vote.sync.all.pred %p1, %p2;", "its member mask is missing"},
        {"match.any.sync.b32 %r1|%p1, %r2, -1;", "only match.all gives a predicate"},
        {"mbarrier.arrive.shared::cluster.b64 %d1, [%r1];", "gives no state"},
        {"st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r1], {%r2, %r3}, [%r4];",
         "another number of elements than it says"},
        {"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d1, {%r1, %r2, %r3}], [%r4];",
         "another number of coordinates"},
        {"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group.L2::cache_hint [%d1, {%r1}], [%r4];",
         "too few or too many operands"},
        {"mbarrier.arrive.expect_tx.shared::cta.b64 %d1, [%r1];", "it needs a number of bytes"},
        {"cp.async.ca.shared.global [%r1], [%d1], 4, 8;", "it reads no more bytes than it writes"},
        {"cp.async.ca.shared.global.L2::cache_hint [%r1], [%d1], 4;", "too few or too many operands"},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 16, [%r2], %d2;",
         "too few or too many operands"},
        {"tensormap.replace.tile.box_dim.global.b1024.b32 [%d1], %r1;", "a dimension and a value"},
        {"tensormap.replace.tile.rank.global.b1024.b32 [%d1], 1, %r1;", "it names a tensor map and a value"},
        {"cp.async.ca.shared.global.L2::cache_hint [%r1], [%d1], 4, %p1;", "predicate %p1 is used as a number"},
        {"mapa.u64 %d1, flags, %r1;", "flags lies in another memory"},
        {"match.any.sync.b32 %r1, %r2;", "too few or too many operands"},
        {"bar.arrive 0;", "it names how many threads come"},
        {"fence.acq_rel;", "it names none of .cta .cluster .gpu .sys"},
        {"setmaxnreg.inc.sync.aligned.u32 41;", "a multiple of 8 from 24 to 256"}};
    for (const auto& [text, why] : all) {
        const std::string refused =
            refusal(std::string(".reg .f32 %f<9>; .reg .u32 %u<9>; .shared .align 4 .b32 mine; ") + text,
                    ".global .align 4 .b32 flags;");
        EXPECT_NE(refused.find(why), std::string::npos) << text << "\n" << refused;
    }
}

// The elements of a vector are held to their width alone, or nearly.
TEST(Refusals, VectorsOfWholeNumbersMayHoldFloats) {
    for (const char* text : {"@%p1 ld.global.v2.f32 {%u1, %u2}, [%d1];", "@%p1 st.global.v2.f32 [%d1], {%u1, %u2};",
                             "@%p1 tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d1, {%u1, %u2}];"})
        EXPECT_EQ(refusal(std::string(".reg .f32 %f<9>; .reg .u32 %u<9>; ") + text), "") << text;
}

TEST(Refusals, ListEveryLineAtOnce) {
    const std::string text = refusal("add.relu.s32 %r1, %r2, %r3;\nadd.s32 %r1, %r2, %r3;\nmul.sat.f64 %d1, %d2, %d3;");
    EXPECT_NE(text.find("There are 2 instructions"), std::string::npos) << text;
    EXPECT_NE(text.find("line 10: "), std::string::npos);
    EXPECT_NE(text.find("line 12: "), std::string::npos);
}

} // namespace
} // namespace warpglass::testing
