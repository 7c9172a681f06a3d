// SPDX-License-Identifier: GPL-3.0-or-later
// The table of instructions, against what the PTX ISA says of each form.
#include "gpu/ptx/describe.h"
#include "gpu/ptx/write.h"

#include "tests/ptx/files.h"

#include <gtest/gtest.h>

namespace warpglass::ptx {
namespace {

Instruction instruction(const std::string& text) {
    const Module m = test::parsed(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                                  ".reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .pred %p<4>;\n" +
                                  text + "\n}\n");
    return m.functions.at(0).body.at(0);
}
Support supportOf(const std::string& text) {
    return support(instruction(text));
}
Description of(const std::string& text) {
    return describe(instruction(text));
}

TEST(InstructionSet, EveryWordOfTheTableIsKnown) {
    for (const Row& row : allRows())
        for (const Form& form : formsOf(row.opcode)) {
            EXPECT_FALSE(form.types.test(0)) << row.name;
            EXPECT_FALSE(form.sources.test(0)) << row.name;
            EXPECT_FALSE(form.modifiers.test(0)) << row.name;
            for (std::size_t m = 1; m < form.types.size(); ++m) {
                EXPECT_TRUE(!form.types.test(m) || typeOf(Modifier(m)) != Type::None) << row.name;
                EXPECT_TRUE(!form.modifiers.test(m) || typeOf(Modifier(m)) == Type::None) << row.name;
            }
        }
}

TEST(InstructionSet, NamesAndNumbersGoBothWays) {
    for (const Row& row : allRows())
        EXPECT_EQ(parseOpcode(row.name), row.opcode) << row.name;
    for (std::size_t m = 1; m < std::size_t(Modifier::Count); ++m)
        EXPECT_EQ(parseModifier(name(Modifier(m))), Modifier(m)) << name(Modifier(m));
    for (int type = 1; type <= int(Type::B1); ++type)
        EXPECT_EQ(name(Modifier(type)), name(Type(type)));
    EXPECT_EQ(parseOpcode("frobnicate"), Opcode::Unknown);
    EXPECT_EQ(parseOpcode(""), Opcode::Unknown);
    EXPECT_EQ(parseModifier("frobnicate"), Modifier::Unknown);
}

TEST(InstructionSet, KeepsWhatPtxDoesNotHaveAsText) {
    const Instruction i = instruction("frobnicate.global.quickly.u32.twice %r1, %r2;");
    EXPECT_EQ(i.opcode, Opcode::Unknown);
    EXPECT_EQ(i.opcodeName(), "frobnicate");
    EXPECT_EQ(i.otherModifiers, (std::vector<std::string>{"quickly", "twice"}));
    EXPECT_EQ(write(i), "frobnicate.global.quickly.u32.twice %r1, %r2;");
    EXPECT_EQ(support(i).why, "PTX has no instruction frobnicate");
}

TEST(InstructionSet, SaysWhatALoadDoes) {
    const Description is = of("ld.relaxed.gpu.global.L1::no_allocate.v4.f32 {%r1,%r2,%r3,%r4}, [%d1];");
    EXPECT_EQ(is.access, Access::Load);
    EXPECT_EQ(is.space, StateSpace::Global);
    EXPECT_EQ(is.type(), Type::F32);
    EXPECT_EQ(is.bytes(), 4u);
    EXPECT_EQ(is.elements, 4);
    EXPECT_EQ(is.semantics, Semantics::Relaxed);
    EXPECT_EQ(is.scope, Scope::Gpu);
    EXPECT_EQ(of("ld.u8 %r1, [%d1];").space, StateSpace::Generic);
    EXPECT_EQ(of("ld.global.nc.cg.u8 %r1, [%d1];").cache, CacheOperator::Cg);
    EXPECT_TRUE(of("ld.shared::cluster.u32 %r1, [%d1];").cluster);
    EXPECT_EQ(of("st.volatile.shared.u16 [%d1], %r1;").semantics, Semantics::Volatile);
    EXPECT_EQ(of("st.volatile.shared.u16 [%d1], %r1;").access, Access::Store);
}

TEST(InstructionSet, SaysWhatArithmeticDoes) {
    const Description fma = of("fma.rz.ftz.sat.f32 %r1, %r2, %r3, %r4;");
    EXPECT_EQ(fma.rounding, Rounding::Zero);
    EXPECT_TRUE(fma.rounds && fma.ftz && fma.sat);
    EXPECT_FALSE(fma.integral || fma.relu);
    const Description cvt = of("cvt.rpi.s32.f64 %r1, %d1;");
    EXPECT_EQ(cvt.firstType(), Type::S32);
    EXPECT_EQ(cvt.type(), Type::F64);
    EXPECT_TRUE(cvt.integral);
    EXPECT_EQ(cvt.rounding, Rounding::Up);
    EXPECT_TRUE(of("mad.wide.s32 %d1, %r1, %r2, %d2;").wide());
    EXPECT_EQ(of("mul.hi.u32 %r1, %r2, %r3;").half, Half::High);
    EXPECT_TRUE(of("min.NaN.xorsign.abs.f32 %r1, %r2, %r3;").xorsign);
    // .lo and .hi are halves of a product, but comparisons of setp.
    EXPECT_EQ(of("setp.hi.and.u32 %p1, %r1, %r2, %p2;").compare, Compare::Hi);
    EXPECT_EQ(of("setp.hi.and.u32 %p1, %r1, %r2, %p2;").operation, Operation::And);
    EXPECT_EQ(of("setp.nan.f32 %p1, %r1, %r2;").compare, Compare::Nan);
}

TEST(InstructionSet, SaysWhatWarpsAndAtomicsDo) {
    EXPECT_EQ(of("shfl.sync.bfly.b32 %r1|%p1, %r2, %r3, %r4, -1;").shuffle, ShuffleMode::Bfly);
    EXPECT_TRUE(of("shfl.sync.bfly.b32 %r1|%p1, %r2, %r3, %r4, -1;").sync);
    EXPECT_EQ(of("vote.sync.ballot.b32 %r1, %p1, -1;").vote, VoteMode::Ballot);
    EXPECT_EQ(of("redux.sync.min.s32 %r1, %r2, -1;").operation, Operation::Min);
    const Description atom = of("atom.acq_rel.sys.shared.cas.b64 %d1, [%d2], %d3, %d4;");
    EXPECT_EQ(atom.operation, Operation::Cas);
    EXPECT_EQ(atom.semantics, Semantics::AcquireRelease);
    EXPECT_EQ(atom.scope, Scope::System);
    EXPECT_EQ(atom.access, Access::Atomic);
    EXPECT_TRUE(of("barrier.cluster.arrive.release;").cluster);
    EXPECT_TRUE(of("bar.warp.sync -1;").warp);
    EXPECT_EQ(of("fence.sc.cta;").scope, Scope::Cta);
}

TEST(InstructionSet, CountsOperationsOfAThread) {
    EXPECT_EQ(row(Opcode::Fma).operations, 2);
    EXPECT_EQ(row(Opcode::Mul).operations, 1);
    EXPECT_EQ(row(Opcode::Mov).operations, 0);
    EXPECT_EQ(describe("mad.lo.s32").opcode, Opcode::Mad);
    EXPECT_TRUE(describe("mul.wide.u32").wide());
    EXPECT_EQ(describe("}").opcode, Opcode::Unknown);
}

TEST(InstructionSet, AcceptsTheFormsThatTheIsaLists) {
    for (const char* text :
         {"add.sat.s32 %r1, %r2, %r3;",
          "add.rn.ftz.sat.f32 %r1, %r2, %r3;",
          "add.cc.u64 %d1, %d2, %d3;",
          "min.NaN.xorsign.abs.f16x2 %r1, %r2, %r3;",
          "fma.rn.relu.bf16x2 %r1, %r2, %r3, %r4;",
          "cvt.rn.satfinite.f16.f32 %r1, %r2;",
          "cvt.rn.relu.bf16x2.f32 %r1, %r2, %r3;",
          "ld.shared::cta.v2.b32 {%r1,%r2}, [%r3];",
          "atom.global.acq_rel.gpu.inc.u32 %r1, [%d1], %r2;",
          "bar.red.popc.u32 %r1, 0, %p1;",
          "bar.cta.sync 0;",
          "barrier.sync.aligned 0, 64;",
          "fence.proxy.async.shared::cta;",
          "prmt.b32.ecl %r1, %r2, %r3, %r4;",
          "vote.sync.uni.pred %p1, %p2, -1;",
          "membar.gl;",
          "isspacep.shared::cluster %p1, %d1;",
          "slct.ftz.f32.f32 %r1, %r2, %r3, %r4;",
          "bar.warp.sync -1;",
          "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r1}, {%r2}, {%r3}, {%r4};",
          "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%r1}, {%r2}, {%r3}, {%r4};",
          "mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32."
          "ue4m3 {%r1}, {%r2}, {%r3}, {%r4}, {%r5}, {0, 1}, {%r6}, {0, 3};",
          "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1}, [%r2], %r3;",
          "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;",
          "wgmma.wait_group.sync.aligned 0;",
          "ret.uni;"})
        EXPECT_EQ(supportOf(text).why, "") << text;
}

TEST(InstructionSet, RefusesModifiersByName) {
    using Kind = Support::Kind;
    const auto unknown = [](const char* text, const char* why) {
        const Support s = supportOf(text);
        EXPECT_EQ(s.kind, Kind::Unknown) << text;
        EXPECT_EQ(s.why, why) << text;
    };
    unknown("add.relu.s32 %r1, %r2, %r3;", "add.s32 has no modifier .relu");
    unknown("mul.sat.f64 %d1, %d2, %d3;", "mul.f64 has no modifier .sat");
    unknown("ld.global.sparkling.u32 %r1, [%d1];", "the modifier .sparkling is not known");
    unknown("exit.sync;", "exit has no modifier .sync");
    unknown("mma.sync.aligned.m16n8k8.row.col.f32.e4m3.e4m3.f32 {%r1}, {%r2}, {%r3}, {%r4};",
            "mma.f32.e4m3.e4m3.f32 has no modifier .m16n8k8");
    // ptxas refuses these, too: nothing says which half, which rounding or which side is meant.
    unknown("mul.u32 %r1, %r2, %r3;", "it names none of .lo .hi .wide");
    unknown("mad.f32 %r1, %r2, %r3, %r4;", "it names none of .rn .rz .rm .rp");
    unknown("fma.f16x2 %r1, %r2, %r3, %r4;", "it names none of .rn");
    unknown("div.f32 %r1, %r2, %r3;", "it names none of .rn .rz .rm .rp .approx .full");
    unknown("rcp.approx.f64 %d1, %d2;", "it names none of .ftz");
    unknown("shf.l.b32 %r1, %r2, %r3, %r4;", "it names none of .clamp .wrap");
    unknown("dp2a.u32.u32 %r1, %r2, %r3, %r4;", "it names none of .lo .hi");
    unknown("match.sync.b32 %r1, %r2, -1;", "it names none of .all .any");
    unknown("barrier.aligned 0;", "it names none of .sync .arrive");
    unknown("multimem.ld_reduce.global.u32 %r1, [%d1];", "it names none of .add .min .max");
    unknown("multimem.st.gpu.global.u32 [%d1], %r1;", "it names none of .relaxed .release");
    unknown("ld.gpu.global.u32 %r1, [%d1];", "it names none of .relaxed .acquire");
    unknown("st.release.global.u32 [%d1], %r1;", "it names none of .cta .cluster .gpu .sys");
    unknown("cvt.u32.f32 %r1, %r2;", "it names none of .rni .rzi .rmi .rpi");
    unknown("cvt.f32.s32 %r1, %r2;", "it names none of .rn .rz .rm .rp");
    unknown("cvt.f32.f64 %r1, %d2;", "it names none of .rn .rz .rm .rp");
    unknown("cvt.rn.e4m3x2.f32 %r1, %r2, %r3;", "it names none of .satfinite");
    unknown("cvt.pack.s16.s32 %r1, %r2, %r3;", "it names none of .sat");
    unknown("atom.global.add.f16x2 %r1, [%d1], %r2;", "it names none of .noftz");
    unknown("redux.add.s32 %r1, %r2, -1;", "it names none of .sync");
    unknown("stmatrix.sync.aligned.m16n8.x1.shared.b8 [%r1], {%r2};", "it names none of .trans");
    unknown("mbarrier.arrive.cluster.shared::cta.b64 %d1, [%r1];", "it names none of .relaxed .release");
    const auto notEmulated = [](const char* text, const char* why) {
        const Support s = supportOf(text);
        EXPECT_EQ(s.kind, Kind::NotEmulated) << text;
        EXPECT_EQ(s.why, why) << text;
    };
    notEmulated("cvt.rz.relu.ue8m0x2.bf16x2 %r1, %r2;",
                "the emulator does not know the modifier .relu of cvt.ue8m0x2.bf16x2");
    notEmulated("cvta.to.global.u32 %r1, %r2;", "the emulator does not run it for the type .u32");
    notEmulated("shl.f32 %r1, %r2, 1;", "not known for the type .f32");
    notEmulated("add %r1, %r2, %r3;", "it has no type");
    notEmulated("tcgen05.shift.cta_group::1.down [%r1];", "the emulator does not know the modifier .shift of tcgen05");
    notEmulated("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%r1], [%d1], %r2, %r3, %r4, "
                "[%r7];",
                "the emulator does not know the modifier .ignore_oob of cp");
    notEmulated("bar.sync.warp.arrive 0;", "the modifiers .sync.warp.arrive do not go together");
}

} // namespace
} // namespace warpglass::ptx
