// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of the emulator by kind of instruction, in warp-instructions a second on all host threads with all checks: a loop
// over sixteen instructions of the kind, in 512 blocks of 256 threads. The loop's own add, setp and bra count among
// them: three in nineteen.
#include "gpu/emulator/emulator.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>

namespace {

using namespace warpglass;

struct Kind {
    const char* name;
    const char* instruction; // one of sixteen
    const char* before = ""; // once
    double products = 0;     // of numbers, in one instruction
};

// Four accumulators of a product on matrices, and the registers that it multiplies.
#define WARPGLASS_ACCUMULATORS "{%f1,%f2,%f3,%f4}"
#define WARPGLASS_FRAGMENTS "{%m0,%m1,%m2,%m3}, {%m4,%m5}"
#define WARPGLASS_FLOAT_MMA(shape, type)                                                                               \
    "mma.sync.aligned." shape ".row.col.f32." type "." type ".f32 " WARPGLASS_ACCUMULATORS ", " WARPGLASS_FRAGMENTS    \
    ", " WARPGLASS_ACCUMULATORS ";"

// Another number for each lane and each time, of these bits, to %r5.
#define WARPGLASS_RANDOM(bits) "mad.lo.u32 %r1, %r1, 1664525, %r2; shr.u32 %r5, %r1, 16; and.b32 %r5, %r5, " bits "; "
// Another array in shared memory: each access may leave its own, and is held against it.
#define WARPGLASS_BESIDE ".shared .align 4 .b8 beside[64]; mov.u32 %r5, beside; "
#define WARPGLASS_EVEN_LANES "and.b32 %r5, %r2, 1; setp.eq.u32 %p3, %r5, 0;"

constexpr Kind kinds[] = {
    {"add", "add.u32 %r1, %r1, %r2;"},
    {"lop3", "lop3.b32 %r1, %r1, %r2, %r3, 0x96;"},
    {"bfe", "bfe.u32 %r1, %r2, 3, 7;"},
    {"bfi", "bfi.b32 %r1, %r2, %r1, 3, 7;"},
    {"brev", "brev.b32 %r1, %r1;"},
    {"prmt", "prmt.b32 %r1, %r1, %r2, 0x5140;"},
    {"integer division", "div.u32 %r1, %r2, %r6;"},
    {"64-bit division", "div.u64 %rd5, %rd2, %rd1;"},
    {"sum with carry", "add.cc.u32 %r1, %r1, %r2; addc.u32 %r5, %r5, 0;"},
    {"dot product of bytes", "dp4a.s32.s32 %r1, %r2, %r3, %r1;"},
    {"video sum", "vadd.s32.u32.s32.sat %r1, %r2.b1, %r3.h0;"},
    {"video difference of bytes", "vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r1;"},
    {"shfl", "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;"},
    {"shfl, any lane", "shfl.sync.idx.b32 %r1, %r1, %r5, 31, -1;", "xor.b32 %r5, %r2, 5;"},
    {"vote", "vote.sync.ballot.b32 %r1, %p1, -1;"},
    {"match", "match.any.sync.b32 %r1, %r2, -1;"},
    {"match all", "match.all.sync.b32 %r1|%p3, %r3, -1;"},
    {"redux", "redux.sync.add.s32 %r1, %r2, -1;"},
    {"f64", "fma.rn.f64 %fd1, %fd1, %fd2, %fd2;"},
    {"f64 division", "div.rn.f64 %fd1, %fd2, %fd3;"},
    {"f16x2", "fma.rn.f16x2 %r1, %m0, %m1, %m2;"},
    {"f16x2 sum", "add.rn.f16x2 %r1, %m0, %m1;"},
    {"f16x2 min", "min.f16x2 %r1, %m0, %m1;"},
    {"f16 comparison", "setp.lt.f16 %p3, %h1, %h2;"},
    {"bf16x2", "fma.rn.bf16x2 %r1, %m0, %m1, %m2;"},
    {"to f16", "cvt.rn.f16.f32 %h1, %f1;"},
    {"to bf16x2", "cvt.rn.bf16x2.f32 %r1, %f1, %f2;"},
    {"to e4m3x2", "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;"},
    {"rounding", "add.rz.f32 %f1, %f2, %f3;"},
    {"min or NaN", "min.NaN.f32 %f1, %f1, %f2;"},
    {"division", "div.rn.f32 %f1, %f2, %f3;"},
    {"square root", "sqrt.rn.f32 %f1, %f4;"},
    {"approximate square root", "sqrt.approx.f32 %f1, %f4;"},
    {"approximate reciprocal", "rcp.approx.f32 %f1, %f4;"},
    {"approximate reciprocal root", "rsqrt.approx.f32 %f1, %f4;"},
    {"sine", "sin.approx.f32 %f1, %f4;"},
    {"power of two", "ex2.approx.f32 %f1, %f3;"},
    {"logarithm", "lg2.approx.f32 %f1, %f4;"},
    {"hyperbolic tangent", "tanh.approx.f32 %f1, %f4;"},
    {"shared load", "ld.shared.u32 %r1, [%r4];", "st.shared.u32 [%r4], %r2;"},
    {"shared load v4", "ld.shared.v4.u32 {%r1,%r5,%r6,%r7}, [%r8];", "st.shared.v4.u32 [%r8], {%r2,%r2,%r2,%r2};"},
    {"shared load of bytes", "ld.shared.u8 %r1, [%r5];", "mov.u32 %r5, table; add.u32 %r5, %r5, %r2;"},
    {"shared every second word", "ld.shared.u32 %r1, [%r5];",
     "mov.u32 %r5, table; mad.lo.u32 %r5, %r2, 8, %r5; st.shared.u64 [%r5], %rd1;"},
    {"shared load, every second lane", "@%p3 ld.shared.u32 %r1, [%r4];", WARPGLASS_EVEN_LANES},
    {"shared store, every second lane", "@%p3 st.shared.u32 [%r4], %r1;", WARPGLASS_EVEN_LANES},
    {"shared column, some lanes", "@%p3 ld.shared.u32 %r1, [%r9];",
     "st.shared.u32 [%r9], %r2; and.b32 %r5, %r2, 31; setp.lt.u32 %p3, %r5, 20;"},
    {"shared volatile", "st.volatile.shared.u32 [%r4], %r1; ld.volatile.shared.u32 %r1, [%r4];"},
    {"shared store", "st.shared.u32 [%r4], %r2;"},
    {"shared column", "ld.shared.u32 %r1, [%r9];", "st.shared.u32 [%r9], %r2;"},
    {"shared column store", "st.shared.u32 [%r9], %r2;", "st.shared.u32 [%r9], %r2;"},
    {"shared column atomic", "red.shared.add.u32 [%r9], %r2;", "st.shared.u32 [%r9], %r2;"},
    {"shared column v4", "ld.shared.v4.u32 {%r1,%r5,%r6,%r7}, [%r10];", "st.shared.v4.u32 [%r10], {%r2,%r2,%r2,%r2};"},
    {"shared column v4 store", "st.shared.v4.u32 [%r10], {%r2,%r3,%r5,%r6};",
     "st.shared.v4.u32 [%r10], {%r2,%r2,%r2,%r2};"},
    {"global load", "ld.global.u32 %r1, [%rd2];"},
    {"global column", "ld.global.u32 %r1, [%rd3];"},
    {"global column store", "st.global.u32 [%rd3], %r2;"},
    {"global column reduction", "red.global.add.u32 [%rd3], %r2;"},
    // Each lane at a word of its own, another one each time.
    {"global gather", "mad.lo.u32 %r1, %r1, 1664525, %r2; and.b32 %r5, %r1, 16380; cvt.u64.u32 %rd5, %r5; "
                      "add.u64 %rd5, %rd5, %rd1; ld.global.u32 %r6, [%rd5];"},
    {"shared gather", "mad.lo.u32 %r1, %r1, 1664525, %r2; and.b32 %r5, %r1, 1020; mov.u32 %r6, table; "
                      "add.u32 %r5, %r5, %r6; ld.shared.u32 %r6, [%r5];"},
    {"local gather",
     "mad.lo.u32 %r1, %r1, 1664525, %r2; and.b32 %r5, %r1, 12; cvt.u64.u32 %rd5, %r5; "
     "add.u64 %rd5, %rd5, %rd4; ld.local.u32 %r6, [%rd5];",
     "st.local.v4.u32 [%rd4], {%r1,%r2,%r5,%r6};"},
    {"shared gather v4",
     WARPGLASS_RANDOM("4080") "mov.u32 %r6, table; add.u32 %r5, %r5, %r6; ld.shared.v4.u32 {%r5,%r6,%r7,%r9}, [%r5];",
     "st.shared.v4.u32 [%r8], {%r2,%r2,%r2,%r2}; bar.sync 0;"},
    {"constant", "ld.const.u32 %r1, [numbers+4];"},
    {"global load of bytes", "ld.global.u8 %r1, [%rd5];", "cvt.u64.u32 %rd5, %r2; add.u64 %rd5, %rd5, %rd1;"},
    {"global load v2", "ld.global.v2.u32 {%r1,%r5}, [%rd6];"},
    {"global load v4", "ld.global.v4.u32 {%r1,%r5,%r6,%r7}, [%rd3];"},
    {"global store", "st.global.u32 [%rd2], %r2;"},
    {"global store v4", "st.global.v4.u32 [%rd3], {%r2,%r3,%r6,%r7};"},
    {"global store, own words", "st.global.u32 [%rd7], %r1; add.u32 %r1, %r1, 1;"},
    {"global store v4, own words", "st.global.v4.u32 [%rd5], {%r1,%r3,%r6,%r7}; add.u32 %r1, %r1, 1;",
     "mad.wide.u32 %rd5, %r3, 4096, %rd3;"},
    {"local", "st.local.u32 [%rd4+4], %r2;\n ld.local.u32 %r1, [%rd4+4];"},
    {"local byte", "st.local.u8 [%rd4+4], %r2;\n ld.local.u8 %r1, [%rd4+4];"},
    {"local 8 bytes", "st.local.u64 [%rd4], %rd2;\n ld.local.u64 %rd5, [%rd4];"},
    {"shared atomic", "atom.shared.add.u32 %r1, [%r4], %r2;"},
    {"shared atomic, one word", "atom.shared.add.u32 %r1, [table], %r2;"},
    {"global reduction, one word", "red.global.add.u32 [%rd1], %r2;"},
    {"global reduction", "red.global.add.u32 [%rd2], %r2;"},
    {"global reduction, own words", "red.global.add.u32 [%rd7], %r2;"},
    {"global atomic", "atom.global.add.u32 %r1, [%rd2], %r2;"},
    {"global atomic f32", "atom.global.add.f32 %f1, [%rd2], %f2;"},
    {"global reduction f32", "red.global.add.f32 [%rd2], %f2;"},
    {"global reduction f32, one word", "red.global.add.f32 [%rd1], %f2;"},
    {"global reduction f64", "red.global.add.f64 [%rd6], %fd2;"},
    {"global compare and swap", "atom.global.cas.b32 %r1, [%rd2], %r1, %r2;"},
    {"global histogram, 256 bins",
     WARPGLASS_RANDOM("1020") "cvt.u64.u32 %rd5, %r5; add.u64 %rd5, %rd5, %rd1; red.global.add.u32 [%rd5], 1;"},
    {"global histogram, 4096 bins",
     WARPGLASS_RANDOM("16380") "cvt.u64.u32 %rd5, %r5; add.u64 %rd5, %rd5, %rd1; red.global.add.u32 [%rd5], 1;"},
    {"shared histogram, 256 bins",
     WARPGLASS_RANDOM("1020") "mov.u32 %r6, table; add.u32 %r5, %r5, %r6; red.shared.add.u32 [%r5], 1;"},
    {"shared atomic f32", "red.shared.add.f32 [%r4], %f1;"},
    {"shared compare and swap loop",
     "{ .reg .pred %q; .reg .b32 %o,%n,%w; ld.shared.u32 %o, [%r4]; L: add.u32 %n, %o, 1; "
     "atom.shared.cas.b32 %w, [%r4], %o, %n; setp.ne.u32 %q, %w, %o; mov.u32 %o, %w; @%q bra L; }"},
    {"call",
     "{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r1; call.uni (r), twice, (a); ld.param.b32 %r1, [r]; }"},
    {"matrix", WARPGLASS_FLOAT_MMA("m16n8k16", "f16"), "", 2048},
    {"matrix bf16", WARPGLASS_FLOAT_MMA("m16n8k16", "bf16"), "", 2048},
    {"matrix tf32", WARPGLASS_FLOAT_MMA("m16n8k8", "tf32"), "", 1024},
    {"matrix f16 sums",
     "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%m8,%m9}, {%m0,%m1,%m2,%m3}, {%m4,%m5}, {%m8,%m9};", "", 2048},
    {"matrix s8",
     "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1,%r2,%r3,%r5}, {%m0,%m1,%m2,%m3}, {%m4,%m5}, "
     "{%r1,%r2,%r3,%r5};",
     "", 4096},
    {"matrix f64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1,%fd4}, {%fd2}, {%fd3}, {%fd1,%fd4};", "",
     256},
    {"matrix wmma",
     "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, "
     "{%m0,%m1,%m2,%m3,%m4,%m5,%m6,%m7}, {%m4,%m3,%m2,%m1,%m0,%m5,%m6,%m7}, {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8};",
     "", 4096},
    // One quarter of a warpgroup's 64 x 64 x 16.
    {"matrix wgmma",
     "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%s0,%s1,%s2,%s3,%s4,%s5,%s6,%s7,%s8,%s9,%s10,%s11,%s12,%s13,"
     "%s14,%s15,%s16,%s17,%s18,%s19,%s20,%s21,%s22,%s23,%s24,%s25,%s26,%s27,%s28,%s29,%s30,%s31}, %tile, %tile, 1, 1, "
     "1, 0, 0;",
     "st.shared.v4.u32 [%r8], {%m0,%m1,%m2,%m3};\n bar.sync 0;", 16384},
    {"ldmatrix", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r5,%r6,%r7}, [%r8];",
     "st.shared.v4.u32 [%r8], {%m0,%m1,%m2,%m3};\n bar.sync 0;"},
    {"ldmatrix turned", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1,%r5,%r6,%r7}, [%r8];",
     "st.shared.v4.u32 [%r8], {%m0,%m1,%m2,%m3};\n bar.sync 0;"},
    {"ldmatrix padded", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r5,%r6,%r7}, [%r10];",
     "st.shared.v4.u32 [%r10], {%m0,%m1,%m2,%m3};\n bar.sync 0;"},
    {"stmatrix", "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r8], {%r1,%r5,%r6,%r7};"},
    {"copy to shared memory",
     "cp.async.ca.shared.global [%r8], [%rd3], 16; cp.async.commit_group; cp.async.wait_group 0;"},
    {"wmma load", "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1,%r2,%r3,%r5,%r6,%r7,%r9,%r10}, [table];",
     "st.shared.v4.u32 [%r8], {%m0,%m1,%m2,%m3};\n bar.sync 0;"},
    // What follows is met in people's kernels, too, if not as often.
    {"wide product", "mad.wide.u32 %rd5, %r1, %r2, %rd5;"},
    {"high half of a product", "mul.hi.u64 %rd5, %rd2, %rd3;"},
    {"64-bit product", "mad.lo.s64 %rd5, %rd5, %rd2, %rd1;"},
    {"funnel shift", "shf.l.wrap.b32 %r1, %r1, %r2, 7;"},
    {"leading zeros", "clz.b32 %r1, %r2;"},
    {"bit that is set", "bfind.u32 %r1, %r2;"},
    {"nth bit that is set", "fns.b32 %r1, %r2, 0, 1;"},
    {"sum of halves of words", "add.u16x2 %r1, %r1, %r2;"},
    {"largest of halves of words", "max.s16x2 %r1, %r1, %r2;"},
    {"saturating difference", "sub.sat.s32 %r1, %r1, %r2;"},
    {"64-bit smallest", "min.s64 %rd5, %rd2, %rd3;"},
    {"absolute difference", "sad.u32 %r1, %r2, %r3, %r1;"},
    {"float to integer", "cvt.rni.s32.f32 %r1, %f1;"},
    {"float to 64-bit integer", "cvt.rzi.u64.f32 %rd5, %f1;"},
    {"64-bit integer to float", "cvt.rn.f32.u64 %f1, %rd2;"},
    {"integer to double", "cvt.rn.f64.s32 %fd1, %r2;"},
    {"float to double", "cvt.f64.f32 %fd1, %f1;"},
    {"double to float", "cvt.rn.f32.f64 %f1, %fd1;"},
    {"saturating to byte", "cvt.sat.u8.s32 %r1, %r2;"},
    {"floor", "cvt.rmi.f32.f32 %f1, %f2;"},
    {"packing of integers", "cvt.pack.sat.s16.s32 %r1, %r2, %r3;"},
    {"from e4m3x2", "cvt.rn.f16x2.e4m3x2 %r1, %h1;"},
    {"f64, rounded down", "fma.rm.f64 %fd1, %fd2, %fd3, %fd2;"},
    {"f64 square root", "sqrt.rn.f64 %fd1, %fd2;"},
    {"f64 reciprocal", "rcp.rn.f64 %fd1, %fd2;"},
    {"f64 approximate reciprocal", "rcp.approx.ftz.f64 %fd1, %fd2;"},
    {"f16x2 power of two", "ex2.approx.f16x2 %r1, %m0;"},
    {"f16 hyperbolic tangent", "tanh.approx.f16 %h1, %h2;"},
    {"test of a float", "testp.finite.f32 %p3, %f1;"},
    {"comparison with a second one", "setp.lt.and.f32 %p3, %f1, %f2, %p1;"},
    {"vote any", "vote.sync.any.pred %p3, %p1, -1;"},
    {"active mask", "activemask.b32 %r1;"},
    {"election", "elect.sync %r1|%p3, -1;"},
    {"match of many values", "match.any.sync.b32 %r1, %r5, -1;", "and.b32 %r5, %r2, 7;"},
    {"redux or", "redux.sync.or.b32 %r1, %r2, -1;"},
    {"barrier", "bar.sync 0;"},
    {"barrier of a warp", "bar.warp.sync -1;"},
    {"barrier that counts", "barrier.cta.red.popc.aligned.u32 %r1, 0, %p1;"},
    {"memory fence", "membar.gl;"},
    {"acquire", "ld.acquire.gpu.global.u32 %r1, [%rd7];"},
    {"release", "st.release.gpu.global.u32 [%rd7], %r2;"},
    {"volatile global", "ld.volatile.global.u32 %r1, [%rd7];"},
    {"branch of every second lane", "@%p3 bra Y${u}; add.u32 %r1, %r1, %r2; Y${u}:", WARPGLASS_EVEN_LANES},
    {"both ways of a branch",
     "@%p3 bra Y${u}; add.u32 %r1, %r1, %r2; bra Z${u}; Y${u}: sub.u32 %r1, %r1, %r2; Z${u}:", WARPGLASS_EVEN_LANES},
    {"lanes that leave one by one",
     "mov.u32 %r5, %laneid; L${u}: sub.s32 %r5, %r5, 1; setp.ge.s32 %p3, %r5, 0; @%p3 bra L${u};"},
    {"branch of a table",
     "{ T${u}: .branchtargets A, B, C; brx.idx %r5, T${u}; A: add.u32 %r1, %r1, 1; bra D; B: add.u32 %r1, %r1, 2; bra "
     "D; C: add.u32 %r1, %r1, 3; D: }",
     "rem.u32 %r5, %r2, 3;"},
    {"some lanes of a sum", "@%p3 add.u32 %r1, %r1, %r2;", WARPGLASS_EVEN_LANES},
    {"call through a pointer",
     "{ P: .callprototype (.param .b32 _) _ (.param .b32 _); .param .b32 a; .param .b32 r; st.param.b32 [a], %r1; call "
     "(r), %rd5, (a), P; ld.param.b32 %r1, [r]; }",
     "mov.u64 %rd5, twice;"},
    {"shared load through a pointer", "ld.u32 %r1, [%rd5];", "mov.u64 %rd5, table; cvta.shared.u64 %rd5, %rd5;"},
    {"which space", "isspacep.shared %p3, %rd2;"},
    {"constant, any word", "ld.const.u32 %r1, [%rd5];",
     "and.b32 %r5, %r2, 3; mul.wide.u32 %rd5, %r5, 4; mov.u64 %rd4, numbers; add.u64 %rd5, %rd5, %rd4;"},
    {"parameter", "ld.param.u32 %r1, [rounds];"},
    {"prefetch", "prefetch.global.L1 [%rd2];"},
    {"read-only load", "ld.global.nc.u32 %r1, [%rd2];"},
    {"global load of halves", "ld.global.u16 %h1, [%rd5];", "mul.wide.u32 %rd5, %r2, 2; add.u64 %rd5, %rd5, %rd1;"},
    {"global load, some lanes", "@%p3 ld.global.u32 %r1, [%rd2];", WARPGLASS_EVEN_LANES},
    {"global store, some lanes", "@%p3 st.global.u32 [%rd7], %r1;", WARPGLASS_EVEN_LANES},
    {"global load, one lane", "@%p3 ld.global.u32 %r1, [%rd2];", "mov.u32 %r5, %laneid; setp.eq.u32 %p3, %r5, 0;"},
    {"local, some lanes", "@%p3 st.local.u32 [%rd4+4], %r1;", "st.local.u32 [%rd4+4], %r2;" WARPGLASS_EVEN_LANES},
    {"local load, some lanes", "@%p3 ld.local.u32 %r1, [%rd4+4];", "st.local.u32 [%rd4+4], %r2;" WARPGLASS_EVEN_LANES},
    {"global exchange", "atom.global.exch.b32 %r1, [%rd7], %r1;"},
    {"global exchange of 8 bytes", "atom.global.exch.b64 %rd5, [%rd6], %rd5;"},
    {"global largest", "red.global.max.s64 [%rd6], %rd2;"},
    {"global increment", "atom.global.inc.u32 %r1, [%rd1], 7;"},
    {"global f16x2", "red.global.add.noftz.f16x2 [%rd2], %m0;"},
    {"global f32 by four", "red.global.v4.f32.add [%rd3], {%f1,%f2,%f3,%f4};"},
    {"shared or", "red.shared.or.b32 [%r4], %r2;"},
    {"shared f64", "red.shared.add.f64 [%r5], %fd2;", "mad.lo.u32 %r5, %r2, 4, %r4;"},
    {"shared exchange", "atom.shared.exch.b32 %r1, [%r4], %r1;"},
    {"shared compare and swap of 8 bytes", "atom.shared.cas.b64 %rd5, [%r5], %rd5, %rd2;",
     "mad.lo.u32 %r5, %r2, 4, %r4;"},
    {"clock", "mov.u64 %rd5, %clock64;"},
    {"mbarrier", "mbarrier.arrive.shared.b64 %rd5, [%r5]; ",
     "mov.u32 %r5, table; mbarrier.init.shared.b64 [%r5], 1000000; bar.sync 0;"},
    {"ldmatrix of one", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r8];",
     "st.shared.v4.u32 [%r8], {%m0,%m1,%m2,%m3};\n bar.sync 0;"},
    {"movmatrix", "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;"},
    {"matrix e4m3",
     "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 " WARPGLASS_ACCUMULATORS ", " WARPGLASS_FRAGMENTS
     ", " WARPGLASS_ACCUMULATORS ";",
     "and.b32 %m0, %m0, 0xbfbfbfbf; and.b32 %m1, %m1, 0xbfbfbfbf; and.b32 %m2, %m2, 0xbfbfbfbf; "
     "and.b32 %m3, %m3, 0xbfbfbfbf; and.b32 %m4, %m4, 0xbfbfbfbf; and.b32 %m5, %m5, 0xbfbfbfbf;", // no NaN
     4096},
    {"matrix sparse",
     "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 " WARPGLASS_ACCUMULATORS
     ", {%m0,%m1,%m2,%m3}, {%m4,%m5,%m6,%m7}, " WARPGLASS_ACCUMULATORS ", %m9, 0;",
     "mov.b32 %m9, 0x44444444;", 4096},
    {"matrix b1",
     "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%r1,%r2,%r3,%r5}, {%m0,%m1,%m2,%m3}, {%m4,%m5}, "
     "{%r1,%r2,%r3,%r5};",
     "", 32768},
    {"nanosleep", "nanosleep.u32 0;"},
    {"shared load, two arrays", "ld.shared.u32 %r1, [%r4];", WARPGLASS_BESIDE "st.shared.u32 [%r4], %r2;"},
    {"shared store, two arrays", "st.shared.u32 [%r4], %r2;", WARPGLASS_BESIDE},
    {"shared column, two arrays", "ld.shared.u32 %r1, [%r9];", WARPGLASS_BESIDE "st.shared.u32 [%r9], %r2;"},
    {"shared column atomic, two arrays", "red.shared.add.u32 [%r9], %r2;",
     WARPGLASS_BESIDE "st.shared.u32 [%r9], %r2;"},
};

std::string kernel(const Kind& kind) {
    std::string body;
    for (int k = 0; k < 16; ++k)
        body += "  " + std::regex_replace(std::string(kind.instruction), std::regex("\\$\\{u\\}"), std::to_string(k)) +
                "\n";
    return fmt::format(R"(.version 8.5
.target sm_90a
.address_size 64
.func (.param .b32 r) twice(.param .b32 a) {{
  .reg .b32 %x<2>;
  ld.param.b32 %x1, [a];
  add.u32 %x1, %x1, %x1;
  st.param.b32 [r], %x1;
  ret;
}}
.const .u32 numbers[4] = {{1, 2, 3, 4}};
.visible .entry k(.param .u64 data, .param .u32 rounds) {{
  .reg .b32 %r<13>, %m<10>; .reg .b64 %rd<8>, %tile; .reg .f32 %f<9>, %s<32>; .reg .f64 %fd<5>; .reg .b16 %h<4>; .reg .pred %p<4>;
  .shared .align 16 .b8 table[40960];
  .local .align 16 .b8 own[64];
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r12, [rounds];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd2, %rd2, %rd1;
  mul.wide.u32 %rd3, %r2, 16;
  add.u64 %rd3, %rd3, %rd1;
  mul.wide.u32 %rd6, %r2, 8;
  add.u64 %rd6, %rd6, %rd1;
  mad.wide.u32 %rd7, %r3, 1024, %rd2;
  mov.u64 %rd4, own;
  mov.u32 %r4, table;
  mad.lo.u32 %r8, %r2, 16, %r4;
  mad.lo.u32 %r9, %r2, 132, %r4;
  mad.lo.u32 %r10, %r2, 144, %r4;
  mad.lo.u32 %r4, %r2, 4, %r4;
  mov.u32 %r1, 1; mov.u32 %r5, 2; mov.u32 %r6, 3; mov.u32 %r7, 4;
  cvt.rn.f32.u32 %f1, %r2; mov.f32 %f2, 0f3F000000; mov.f32 %f3, 0f3F800001; mov.f32 %f4, %f1;
  cvt.f64.f32 %fd1, %f1; mov.f64 %fd2, 0d3FF0000000000001; mov.f64 %fd3, 0d4000000000000001;
  mov.f64 %fd4, %fd1; mov.f32 %f5, %f1; mov.f32 %f6, %f1; mov.f32 %f7, %f1; mov.f32 %f8, %f1;
  cvt.rn.f16.f32 %h1, %f1; cvt.rn.f16.f32 %h2, %f4;
  mov.u64 %tile, 0x0000001000080000; // cores of 8 x 16 bytes: 128 bytes apart along k, 256 from eight rows to the next
  mad.lo.u32 %m0, %r2, 0x00510033, %r3; and.b32 %m0, %m0, 0x03ff03ff; xor.b32 %m0, %m0, 0x3c00bf80;
  xor.b32 %m1, %m0, 0x02550007; xor.b32 %m2, %m0, 0x81110222; xor.b32 %m3, %m0, 0x01238133;
  mov.b32 %m4, %m2; mov.b32 %m5, %m1; mov.b32 %m6, %m0; mov.b32 %m7, %m3; mov.b32 %m8, %m0; mov.b32 %m9, %m1;
  st.shared.u32 [%r4], %r2;
  bar.sync 0;
  {}
  bar.sync 0;
  setp.lt.u32 %p1, %r2, 77;
  mov.u32 %r11, 0;
again:
{}
  add.u32 %r11, %r11, 1;
  setp.lt.u32 %p2, %r11, %r12;
  @%p2 bra again;
  ret;
}}
)",
                       kind.before, body);
}

void instructions(benchmark::State& state, const Kind& kind) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.moduleName = "kinds.ptx";
    plan.ptx = kernel(kind);
    plan.grid = Dim3{512};
    plan.block = Dim3{256};
    Argument data;
    data.name = "data";
    data.isBuffer = true;
    data.type = ElementType::U32;
    const bool apart = std::string_view(kind.instruction).find("%rd7") != std::string_view::npos ||
                       std::string_view(kind.name).ends_with("own words");
    data.count = apart ? 512 * 256 * 4 : 4096; // a thread's own 16 bytes
    Argument rounds;
    rounds.name = "rounds";
    rounds.type = ElementType::U32;
    rounds.scalar = {std::byte(16), std::byte(0), std::byte(0), std::byte(0)};
    plan.arguments = {data, rounds};
    RunOptions options;
    options.detail.kind = Detail::Kind::None;
    options.threads = 0;
    const auto emulator = makeEmulator();
    double count = 0, seconds = 0;
    for (auto _ : state) {
        Progress progress;
        auto recording = emulator->run(plan, options, progress);
        if (!recording) {
            state.SkipWithError(recording.error().text().c_str());
            return;
        }
        if (recording->fault) { // it would be the speed of something else
            state.SkipWithError(recording->fault->text().c_str());
            return;
        }
        count += double(recording->warpInstructions);
        seconds += recording->wallSeconds;
        state.SetIterationTime(recording->wallSeconds);
    }
    std::string id = fmt::format("emulator_{}_warp_inst_per_s", kind.name);
    std::erase(id, ',');
    std::replace(id.begin(), id.end(), ' ', '_');
    state.counters[id] = count / seconds;
    if (kind.products > 0) // in each of the 16 x 16 rounds of 512 x 8 warps
        state.counters["products_per_s"] = kind.products * 16 * 16 * 512 * 8 * double(state.iterations()) / seconds;
}

const bool registered = [] {
    for (const Kind& kind : kinds)
        benchmark::RegisterBenchmark(("emulatorKind/" + std::string(kind.name)).c_str(),
                                     [&kind](benchmark::State& state) { instructions(state, kind); })
            ->UseManualTime()
            ->MeasureProcessCPUTime()
            ->Unit(benchmark::kMillisecond);
    return true;
}();

} // namespace

BENCHMARK_MAIN();
