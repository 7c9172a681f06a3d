// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"

#include "tests/ptx/files.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpglass::ptx {
namespace {

const std::string parsedHead = ".version 9.0\n.target sm_75\n.address_size 64\n";

Module entry(const std::string& body) {
    return test::parsed(parsedHead + ".visible .entry k(.param .u64 k_param_0)\n{\n" + body + "\n}\n");
}

Error errorOf(const std::string& text) {
    Result<Module> module = parse(text, "test.ptx");
    EXPECT_FALSE(module.ok());
    return module ? Error{} : module.error();
}

TEST(Parse, ReadsTheHead) {
    const Module m = test::parsed("// a comment\n.version 7.5\n.target sm_90, debug\n.address_size 64\n");
    EXPECT_EQ(m.versionMajor, 7);
    EXPECT_EQ(m.versionMinor, 5);
    EXPECT_EQ(m.target, "sm_90");
    EXPECT_EQ(m.targetOptions, std::vector<std::string>{"debug"});
}

TEST(Parse, ReadsAnInstructionWithGuardModifiersAndPlace) {
    const Module m = entry(".reg .pred %p<2>;\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n.loc 1 12 5\n"
                           "  @!%p1 ld.global.nc.v2.u32 {%r1, %r2}, [%rd1+-8];");
    const Function& f = m.functions.at(0);
    ASSERT_EQ(f.body.size(), 1u);
    const Instruction& i = f.body[0];
    EXPECT_EQ(i.guard, "%p1");
    EXPECT_TRUE(i.guardNegated);
    EXPECT_EQ(i.opcode, Opcode::Ld);
    EXPECT_EQ(i.modifiers, (std::vector{Modifier::Global, Modifier::Nc, Modifier::V2, Modifier::U32}));
    EXPECT_TRUE(i.has(Modifier::Nc));
    ASSERT_EQ(i.operands.size(), 2u);
    EXPECT_EQ(i.operands[0].kind, Operand::Kind::Vector);
    EXPECT_EQ(i.operands[0].elements.at(1).name, "%r2");
    EXPECT_EQ(i.operands[1].kind, Operand::Kind::Address);
    EXPECT_TRUE(i.operands[1].baseIsRegister);
    EXPECT_EQ(i.operands[1].integer, -8);
    EXPECT_EQ(i.line, 10); // three lines of parsedHead, .entry, {, three of .reg, .loc
    EXPECT_EQ(i.column, 3);
    EXPECT_EQ(i.text, "@!%p1 ld.global.nc.v2.u32 {%r1, %r2}, [%rd1+-8];");
    ASSERT_LT(i.place, m.places.size());
    EXPECT_EQ(m.places[i.place].line, 12);
}

TEST(Parse, ReadsPartsOfRegistersAndNegatedOnes) {
    const Module m = entry(".reg .b32 %r<5>;\n"
                           "vmad.s32.s32.s32.sat %r1, -%r2.h1, %r3.b2, -%r4;\n"
                           "vadd4.u32.u32.u32 %r1.b310, %r2.b7654, %r3, %r4;");
    const Function& f = m.functions.at(0);
    const auto& mad = f.body.at(0).operands;
    EXPECT_TRUE(mad.at(1).minus);
    EXPECT_TRUE(mad[1].part.isHalf);
    EXPECT_EQ(mad[1].part.count, 1);
    EXPECT_EQ(mad[1].part.digits[0], 1);
    EXPECT_FALSE(mad.at(2).minus);
    EXPECT_EQ(mad[2].part.text(), ".b2");
    EXPECT_EQ(mad.at(3).part.count, 0);
    EXPECT_EQ(f.body.at(1).operands.at(0).part.digits, (std::array<std::uint8_t, 4>{3, 1, 0, 0}));
    EXPECT_EQ(write(f.body[0]), "vmad.s32.s32.s32.sat %r1, -%r2.h1, %r3.b2, -%r4;");
    EXPECT_EQ(write(f.body[1]), "vadd4.u32.u32.u32 %r1.b310, %r2.b7654, %r3, %r4;");
    for (const char* wrong : {"%r2.h4", "%r2.b8", "%r2.b76543", "%r2.x", "%r2.c0"})
        EXPECT_NE(
            errorOf(parsedHead + ".entry k()\n{\n.reg .b32 %r<5>;\nvadd.u32.u32.u32 %r1, " + wrong + ", %r3;\n}\n")
                .message.find("%r2"),
            std::string::npos)
            << wrong;
}

// A vector is its elements from here on: what backends and the writer see are plain registers.
TEST(Parse, TakesVectorsOfRegistersApart) {
    const Module m =
        test::parsed(parsedHead + ".func (.reg .v2 .u32 out) f(.reg .v2 .u32 in, .reg .u32 n)\n{\n"
                                  "mov.u32 out.x, in.y;\nmov.v2.u32 out, in;\nret;\n}\n"
                                  ".visible .entry k()\n{\n.reg .v4 .b32 %v<2>;\n.reg .v2 .u32 %w;\n"
                                  "mov.b32 %v1.a, %v0.g;\nld.v4.b32 %v0, [0];\ncall (%w), f, (%w, 5);\n}\n");
    const Function& f = m.functions.at(0);
    ASSERT_EQ(f.params.size(), 3u);
    EXPECT_EQ(f.params[0].name, "in$x");
    EXPECT_EQ(f.params[2].name, "n");
    EXPECT_EQ(f.returns.at(1).name, "out$y");
    EXPECT_EQ(write(f.body.at(0)), "mov.u32 out$x, in$y;");
    EXPECT_EQ(write(f.body.at(1)), "mov.v2.u32 {out$x, out$y}, {in$x, in$y};");
    const Function& k = m.functions.at(1);
    ASSERT_EQ(k.registers.size(), 10u);
    EXPECT_EQ(k.registers[4].name, "%v1$x");
    EXPECT_EQ(write(k.body.at(0)), "mov.b32 %v1$w, %v0$y;");
    EXPECT_EQ(write(k.body.at(1)), "ld.v4.b32 {%v0$x, %v0$y, %v0$z, %v0$w}, [0];");
    EXPECT_EQ(write(k.body.at(2)), "call (%w$x, %w$y), f, (%w$x, %w$y, 5);");
}

TEST(Parse, ComputesASumThatStandsForARegister) {
    const Module m = entry(".reg .b64 %rd<3>; .reg .f32 %f<2>;\nst.u64 [%rd1], %rd2 + 4;");
    const Function& f = m.functions.at(0);
    ASSERT_EQ(f.body.size(), 2u);
    const std::string sum = f.registers.back().name;
    EXPECT_EQ(f.registers.back().type, Type::B64);
    EXPECT_EQ(write(f.body[0]), "add.s64 " + sum + ", %rd2, 4;");
    EXPECT_EQ(write(f.body[1]), "st.u64 [%rd1], " + sum + ";");
    EXPECT_NE(errorOf(parsedHead + ".entry k()\n{\n.reg .f32 %f<2>;\nmov.f32 %f1, %f1+4;\n}\n").message.find("%f1"),
              std::string::npos);
}

// Inline assembly repeats its names in every use. Were each searched for from the beginning, this took minutes.
TEST(Parse, KeepsThousandsOfScopesApart) {
    constexpr std::size_t scopes = 30000;
    std::string body = ".reg .b32 %r<2>;\n";
    for (std::size_t n = 0; n < scopes; ++n)
        body += "{ .reg .b32 t; again: mov.b32 t, %r1; bra again; }\n";
    const Module m = entry(body);
    const Function& f = m.functions.at(0);
    ASSERT_EQ(f.registers.size(), 2 + scopes);
    ASSERT_EQ(f.labels.size(), scopes);
    EXPECT_EQ(write(f.body.at(2 * scopes - 2)), "mov.b32 t$29999, %r1;");
    EXPECT_EQ(write(f.body.at(2 * scopes - 1)), "bra again$29999;");
}

// The values are those that ptxas 13.0 puts into a variable with these initial values.
TEST(Parse, ComputesConstantExpressions) {
    const std::pair<const char*, std::uint64_t> cases[] = {
        {"((128 >> 4) << 16)", 524288},
        {"4*8+1", 33},
        {"1 + 2 * 3", 7},
        {"10 - 4 - 3", 3},
        {"1 << 3 + 1", 16},
        {"-7 / 2", std::uint64_t(-3)},
        {"-7 % 4", 1},
        {"-8 >> 1", std::uint64_t(-4)},
        {"0xFFFFFFFFFFFFFFF8 >> 1", 9223372036854775804},
        {"(.u64) -8 >> 1", 9223372036854775804},
        {"-1 / 2U", 9223372036854775807},
        {"1 << 65", 2},
        {"1 << -1", 1ull << 63},
        {"~5 & 0xF", 10},
        {"2 | 1 ^ 3", 2},
        {"6 & 3 == 3", 0},
        {"0 ? 2 : 1 ? 4 : 5", 4},
        {"-1 > 1 ? 8 : 9", 9},
        {"-1 < 0U", 0},
        {"(.s64)0xFFFFFFFFFFFFFFFF < 0", 1},
        {"~5 < 0", 0},
        {"(7 % 4) > -1", 0},
        {"(1 | 2) > -1", 1},
        {"(1 << 3U) > -1", 1},
        {"(1 ? -1 : 1U) < 0", 1},
        {"-(3 + 4)", std::uint64_t(-7)},
        {"- -3", 3},
        {"!5", 0},
        {"!(1 > 2)", 1},
        {"5 && 0", 0},
        {"5 || 0", 1},
        {"4 <= 3", 0},
        {"4 >= 4", 1},
        {"1 != 2", 1},
        {"3 == 4", 0},
        {"3 + WARP_SZ", 35},
        {"1.5 > 2.0", 0},
    };
    for (const auto& [text, value] : cases) {
        const Module m = test::parsed(parsedHead + ".global .u64 v = " + text +
                                      ";\n.entry k()\n{\n.reg .b64 %rd<2>;\nmov.u64 %rd1, " + text + ";\n}\n");
        std::uint64_t initial = 0;
        ASSERT_EQ(m.variables.at(0).initial.size(), 8u) << text;
        std::memcpy(&initial, m.variables[0].initial.data(), 8);
        EXPECT_EQ(initial, value) << text;
        const Operand& operand = m.functions.at(0).body.at(0).operands.at(1);
        EXPECT_EQ(operand.kind, Operand::Kind::Integer) << text;
        EXPECT_EQ(std::uint64_t(operand.integer), value) << text;
    }
    const Module m =
        entry(".reg .b64 %rd<3>; .reg .f64 %fd<2>; .reg .b32 %r<3>;\n"
              "ld.u64 %rd1, [%rd2+4*2]; ld.u64 %rd1, [%rd2+(1<<3)]; ld.u64 %rd1, [%rd2+-8]; ld.u64 %rd1, [%rd2 - 8];\n"
              "st.v2.u32 [%rd1], {(1 << 4), 2 + 3}; mov.f64 %fd1, 1.5 + 2.5; mov.f64 %fd1, -(0.5); "
              "mov.f64 %fd1, 3.;");
    const auto& body = m.functions.at(0).body;
    const std::int64_t offsets[] = {8, 8, -8, -8};
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(body.at(i).operands.at(1).integer, offsets[i]);
    EXPECT_EQ(write(body.at(4)), "st.v2.u32 [%rd1], {16, 5};");
    const double reals[] = {4.0, -0.5, 3.0};
    for (std::size_t i = 0; i < 3; ++i) {
        double value = 0;
        std::memcpy(&value, &body.at(5 + i).operands.at(1).integer, sizeof value);
        EXPECT_EQ(value, reals[i]);
    }
    for (const char* wrong :
         {"5 / 0", "5 % 0", "1.5 * 2", "1.5 & 2.5", "~1.5", "(1", "1 +", "1 ? 2", "0f3F800000 + 0f3F800000"})
        EXPECT_FALSE(
            errorOf(parsedHead + ".entry k()\n{\n.reg .b64 %rd<2>;\nmov.b64 %rd1, " + wrong + ";\n}\n").message.empty())
            << wrong;
    EXPECT_NE(
        errorOf(parsedHead + ".entry k()\n{\n.reg .b64 %rd<2>;\nmov.b64 %rd1, " + std::string(1000, '(') + "1;\n}\n")
            .message.find("nested"),
        std::string::npos);
}

TEST(Parse, ReadsNumbersOfEveryKind) {
    const Module m =
        entry(".reg .b32 %r<2>; .reg .f32 %f<2>; .reg .f64 %fd<2>;\n"
              "mov.u32 %r1, -1; mov.u32 %r1, 0x1F; mov.u32 %r1, 017; mov.u32 %r1, 0b101; mov.u32 %r1, 7U;\n"
              "mov.f32 %f1, 0f3F800000; mov.f64 %fd1, 0dC000000000000000; mov.f64 %fd1, -1.5;");
    const auto& body = m.functions.at(0).body;
    const std::int64_t expected[] = {-1, 31, 15, 5, 7};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(body.at(i).operands.at(1).kind, Operand::Kind::Integer);
        EXPECT_EQ(body.at(i).operands.at(1).integer, expected[i]);
    }
    EXPECT_EQ(body.at(5).operands.at(1).kind, Operand::Kind::Float32);
    EXPECT_EQ(body.at(5).operands.at(1).integer, 0x3f800000);                         // 1.0f
    EXPECT_EQ(std::uint64_t(body.at(6).operands.at(1).integer), 0xc000000000000000u); // -2.0
    double value = 0;
    std::memcpy(&value, &body.at(7).operands.at(1).integer, sizeof value);
    EXPECT_EQ(value, -1.5);
}

TEST(Parse, TellsSpecialRegistersPairsSinksAndSymbolsApart) {
    const Module m = entry(".reg .b32 %r<3>; .reg .pred %p<3>; .reg .b64 %rd<2>; .shared .align 4 .b8 tile[64];\n"
                           "mov.u32 %r1, %ntid.y; mov.u32 %r1, WARP_SZ; mov.u32 %r1, tile;\n"
                           "shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;\n"
                           "setp.lt.and.s32 %p1|_, %r1, %r2, !%p2;\nld.shared.u32 %r1, [tile+12];");
    const auto& body = m.functions.at(0).body;
    EXPECT_EQ(body.at(0).operands.at(1).kind, Operand::Kind::Special);
    EXPECT_EQ(body.at(0).operands.at(1).name, "%ntid");
    EXPECT_EQ(body.at(0).operands.at(1).component, 1);
    EXPECT_EQ(body.at(1).operands.at(1).kind, Operand::Kind::Special);
    EXPECT_EQ(body.at(2).operands.at(1).kind, Operand::Kind::Symbol);
    EXPECT_EQ(body.at(3).operands.at(0).kind, Operand::Kind::Pair);
    EXPECT_EQ(body.at(3).operands.at(0).elements.at(1).name, "%p1");
    EXPECT_EQ(body.at(4).operands.at(0).elements.at(1).kind, Operand::Kind::Sink);
    EXPECT_TRUE(body.at(4).operands.at(3).negated);
    EXPECT_FALSE(body.at(5).operands.at(1).baseIsRegister);
    EXPECT_EQ(body.at(5).operands.at(1).name, "tile");
    EXPECT_EQ(body.at(5).operands.at(1).integer, 12);
}

TEST(Parse, FlattensScopesAndRenamesWhatRepeats) {
    // Two call sequences both declare param0; the second must become another variable. The label of the inner scope is
    // found before the outer one of the same name.
    const Module m =
        test::parsed(parsedHead + ".extern .func g(.param .b32 a);\n.entry k()\n{\n.reg .b32 %r<3>;\n"
                                  "{\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\ncall.uni g, (param0);\n}\n"
                                  "{\n.param .b32 param0;\nst.param.b32 [param0+0], %r2;\ncall.uni g, (param0);\n"
                                  "bra L;\nL: }\nbra L;\nL: ret;\n}\n");
    const Function& f = *m.findFunction("k");
    ASSERT_EQ(f.locals.size(), 2u);
    EXPECT_NE(f.locals[0].name, f.locals[1].name);
    EXPECT_EQ(f.body.at(1).operands.at(1).elements.at(0).name, f.locals[0].name);
    EXPECT_EQ(f.body.at(3).operands.at(1).elements.at(0).name, f.locals[1].name);
    ASSERT_EQ(f.labels.size(), 2u);
    EXPECT_NE(f.labels[0].name, f.labels[1].name);
    EXPECT_EQ(f.body.at(4).operands.at(0).name, f.labels[0].name);
    EXPECT_EQ(f.body.at(5).operands.at(0).name, f.labels[1].name);
    EXPECT_EQ(f.labels[0].instruction, 5u);
}

TEST(Parse, ReadsInitialValuesAndAddresses) {
    const Module m =
        test::parsed(parsedHead + ".global .align 4 .u32 n = 7;\n.global .align 8 .u64 p[3] = {0, generic(n), n+4};\n"
                                  ".const .align 4 .f32 w[2][3] = {{0f3F800000, 2.0}, {0, 1}};\n"
                                  ".global .align 8 .b8 s[16] = {97, 0, 0, 0, 0, 0, 0, 0, 0xFF(n), 0xFF00(n), "
                                  "0xFF0000(n), 0xFF000000(n), 0xFF00000000(n), 0xFF0000000000(n), "
                                  "0xFF000000000000(n), 0xFF00000000000000(n)};\n.global .b8 z[] = {1, 2, 3};\n");
    const Variable& p = *m.findVariable("p");
    EXPECT_EQ(p.sizeBytes(), 24u);
    ASSERT_EQ(p.initialAddresses.size(), 2u);
    EXPECT_EQ(p.initialAddresses[0].offset, 8u);
    EXPECT_TRUE(p.initialAddresses[0].generic);
    EXPECT_EQ(p.initialAddresses[1].addend, 4);
    const Variable& w = *m.findVariable("w");
    float values[6];
    ASSERT_EQ(w.initial.size(), sizeof values);
    std::memcpy(values, w.initial.data(), sizeof values);
    const float expected[6] = {1, 2, 0, 0, 1, 0}; // the second row starts in its own place
    EXPECT_EQ(std::memcmp(values, expected, sizeof values), 0);
    const Variable& s = *m.findVariable("s");
    ASSERT_EQ(s.initialAddresses.size(), 1u); // eight masked bytes are one address
    EXPECT_EQ(s.initialAddresses[0].offset, 8u);
    EXPECT_EQ(std::uint8_t(s.initial[0]), 97);
    EXPECT_EQ(m.findVariable("z")->sizeBytes(), 3u);
}

TEST(Parse, TakesAlignmentsUpToAMegabyte) { // ptxas does, too; tiles of shared memory are aligned to 16 KB
    const Module m = entry(".shared .align 16384 .b8 a[32768];\n.shared .align 1048576 .b8 b[8];\nret;");
    ASSERT_EQ(m.functions.at(0).locals.size(), 2u);
    EXPECT_EQ(m.functions[0].locals[0].alignment, 16384);
    EXPECT_EQ(m.functions[0].locals[1].alignment, 1 << 20);
    EXPECT_NE(errorOf(parsedHead + ".global .align 3 .b8 a[4];\n").message.find("power of two"), std::string::npos);
}

TEST(Parse, ADefinitionReplacesItsDeclaration) {
    const Module m = test::parsed(parsedHead + ".func (.param .b32 r) f(.param .b32 a);\n"
                                               ".func (.param .b32 r) f(.param .b32 a)\n{\nret;\n}\n");
    ASSERT_EQ(m.functions.size(), 1u);
    EXPECT_FALSE(m.functions[0].isExtern);
    EXPECT_EQ(m.functions[0].body.size(), 1u);
}

TEST(Parse, ReadsWhatOldCompilersWrote) {
    const Module m = test::parsed(".version 1.4\n.target sm_13\n"
                                  ".visible .func (.param .f32 r) f(.param .f32 x)\n"
                                  ".visible .func g(.param .u64 x)\n.file 1 \"old.cu\"\n.tex .u64 picture;\n"
                                  ".shared .u32 %word;\n"
                                  ".entry k\n{\n.reg .u32 %r<2>;\nmov.u32 %r1, %word;\nexit;\n}\n"
                                  ".func h()");
    ASSERT_EQ(m.functions.size(), 4u);
    EXPECT_EQ(m.functions[0].name, "f");
    EXPECT_EQ(m.functions[0].bodyLine, 0);
    EXPECT_EQ(m.functions[1].params.size(), 1u);
    EXPECT_EQ(m.functions[3].name, "h");
    ASSERT_NE(m.findVariable("picture"), nullptr);
    EXPECT_EQ(m.findVariable("picture")->opaque, Opaque::Texref);
    EXPECT_EQ(m.functions[2].body.at(0).operands.at(1).kind, Operand::Kind::Symbol);
}

TEST(Parse, KeepsListsOfOneNameApart) {
    const Module m = entry(".reg .u32 %r;\nT: .branchtargets A, B;\n{ T: .branchtargets B, A;\nbrx.idx %r, T;\n"
                           "A: B: }\nA: brx.idx %r, T;\nB: ret;");
    const Function& f = m.functions.at(0);
    ASSERT_EQ(f.targetLists.size(), 2u);
    EXPECT_EQ(f.body.at(0).operands.at(1).name, f.targetLists[1].name);
    EXPECT_EQ(f.body.at(1).operands.at(1).name, f.targetLists[0].name);
    EXPECT_NE(f.targetLists[0].name, f.targetLists[1].name);
    EXPECT_NE(f.targetLists[0].targets.at(0), f.targetLists[1].targets.at(1));
}

TEST(Parse, KeepsPerformanceDirectives) {
    const Module m = test::parsed(
        parsedHead + ".visible .entry k()\n.maxntid 256, 1, 1\n.minnctapersm 2\n{ .pragma \"nounroll\"; ret; }\n");
    EXPECT_EQ(m.functions[0].maxntid, (std::array<std::uint32_t, 3>{256, 1, 1}));
    EXPECT_EQ(m.functions[0].minnctapersm, 2u);
    EXPECT_EQ(m.functions[0].pragmas, std::vector<std::string>{"nounroll"});
    EXPECT_EQ(m.functions[0].pragmaAt, std::vector<std::uint32_t>{0}); // it is about the loop that follows it
}

TEST(Parse, ReadsVariablesOfOneNameAndANumber) {
    const Module m =
        test::parsed(parsedHead + ".shared .u32 s<2>, t;\n.entry k()\n{\n.reg .u64 %d;\n.param .u64 %P<3>;\n"
                                  "st.param.u64 [%P2], %d;\nmov.u64 %d, s1;\nret;\n}\n");
    ASSERT_EQ(m.variables.size(), 3u);
    EXPECT_EQ(m.variables[1].name, "s1");
    EXPECT_EQ(m.variables[2].name, "t");
    ASSERT_EQ(m.functions.at(0).locals.size(), 3u);
    EXPECT_EQ(m.functions[0].locals[2].name, "%P2");
}

// The address is one in local memory: the parameter is copied there, and every access of its name goes to the copy.
TEST(Parse, MovesAParameterWhoseAddressIsTaken) {
    const Module m = test::parsed(parsedHead + ".func f(.param .align 4 .b8 p[6], .param .u32 q)\n{\n.reg .u64 %d;\n"
                                               ".reg .u32 %r;\nbra L;\nL: mov.b64 %d, p;\nld.param.u16 %r, [p+4];\n"
                                               "ld.param.u32 %r, [q];\nret;\n}\n");
    const Function& f = m.functions.at(0);
    ASSERT_EQ(f.body.size(), 9u); // four copy 4 bytes and 2
    EXPECT_TRUE(f.body[0].has(Modifier::Param));
    EXPECT_TRUE(f.body[0].has(Modifier::B32));
    EXPECT_TRUE(f.body[3].has(Modifier::Local));
    EXPECT_TRUE(f.body[3].has(Modifier::B16));
    EXPECT_EQ(f.labels.at(0).instruction, 5u);
    EXPECT_EQ(f.body[5].operands[1].name, f.locals.at(0).name);
    EXPECT_EQ(f.locals[0].sizeBytes(), 6u);
    EXPECT_TRUE(f.body[6].has(Modifier::Local));
    EXPECT_TRUE(f.body[7].has(Modifier::Param));
}

TEST(Parse, ErrorsNameThePlace) {
    struct Case {
        std::string text, says;
        int line, column;
    };
    const std::string body = parsedHead + ".entry k()\n{\n.reg .b32 %r<2>;\n"; // the next line is 7
    const Case cases[] = {
        {"hello", "not PTX", 1, 1},
        {parsedHead + ".frobnicate 3\n", "'.frobnicate' is not known", 4, 1},
        {body + "mov.u32 %r1, 1\nret;\n}\n", "';' is missing before 'ret'", 8, 1},
        {body + "bra NOWHERE;\n}\n", "the label 'NOWHERE' is not defined", 7, 5},
        {body + "mov.u32 %r7, 1;\n}\n", "the register '%r7' is not declared", 7, 9},
        {body + "mov.u32 %r1, foo;\n}\n", "'foo' is not declared", 7, 14},
        {body + ".sparkle;\n}\n", "'.sparkle' is not known", 7, 1},
        {body + "mov.u32 %r1, 1;\n", "the end of the file", 8, 1},
        {body + "mov.u32 %r1, 12ab;\n}\n", "'12ab' is not a number", 7, 14},
        {body + "/* open", "a comment is not closed", 7, 1},
        {body + ".reg .b32 %r1;\n}\n", "declared twice", 7, 11},
        {body + "\x01\n}\n", "a character that PTX does not know", 7, 1},
        {parsedHead + ".global .b8 x[2] = {1,2,3};\n", "more initial values", 4, 20},
        {parsedHead + ".global .b8 x[99999999999] = {1};\n", "too large", 4, 30},
    };
    for (const Case& c : cases) {
        const Error e = errorOf(c.text);
        EXPECT_NE(e.message.find(c.says), std::string::npos) << e.message << " should say " << c.says;
        EXPECT_EQ(e.line, c.line) << e.text();
        EXPECT_EQ(e.column, c.column) << e.text();
        EXPECT_EQ(e.file, "test.ptx");
    }
}

// ptxas takes special registers among the parts of a number; cooperative groups write it so.
TEST(Parse, SpecialRegistersInAVectorAreMovedBeforeIt) {
    const Module m = entry(".reg .b64 %rd<2>;\nmov.b64 %rd1, {%envreg2, %envreg1};");
    const auto& body = m.functions.at(0).body;
    ASSERT_EQ(body.size(), 3u);
    EXPECT_EQ(body[0].operands.at(1).name, "%envreg2");
    EXPECT_EQ(body[1].operands.at(1).name, "%envreg1");
    EXPECT_EQ(body[2].operands.at(1).elements.at(0).name, body[0].operands.at(0).name);
    EXPECT_EQ(body[2].operands.at(1).elements.at(1).name, body[1].operands.at(0).name);
}

} // namespace
} // namespace warpglass::ptx
