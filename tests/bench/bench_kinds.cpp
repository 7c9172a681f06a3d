// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of the emulator by kind of instruction, in warp-instructions a second on all host threads with all checks: a loop
// over sixteen instructions of the kind, in 512 blocks of 256 threads. The loop's own add, setp and bra count among
// them: three in nineteen.
#include "gpu/emulator/emulator.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace {

using namespace warpglass;

struct Kind {
    const char* name;
    const char* instruction; // one of sixteen
    const char* before = ""; // once
};

constexpr Kind kinds[] = {
    {"add", "add.u32 %r1, %r1, %r2;"},
    {"lop3", "lop3.b32 %r1, %r1, %r2, %r3, 0x96;"},
    {"bfe", "bfe.u32 %r1, %r2, 3, 7;"},
    {"bfi", "bfi.b32 %r1, %r2, %r1, 3, 7;"},
    {"brev", "brev.b32 %r1, %r1;"},
    {"prmt", "prmt.b32 %r1, %r1, %r2, 0x5140;"},
    {"shfl", "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;"},
    {"vote", "vote.sync.ballot.b32 %r1, %p1, -1;"},
    {"match", "match.any.sync.b32 %r1, %r2, -1;"},
    {"f64", "fma.rn.f64 %fd1, %fd1, %fd2, %fd2;"},
    {"f64 division", "div.rn.f64 %fd1, %fd2, %fd3;"},
    {"f16x2", "fma.rn.f16x2 %r1, %r1, %r2, %r3;"},
    {"to f16", "cvt.rn.f16.f32 %h1, %f1;"},
    {"rounding", "add.rz.f32 %f1, %f2, %f3;"},
    {"sine", "sin.approx.f32 %f1, %f2;"},
    {"shared load", "ld.shared.u32 %r1, [%r4];", "st.shared.u32 [%r4], %r2;"},
    {"shared load v4", "ld.shared.v4.u32 {%r1,%r5,%r6,%r7}, [%r8];", "st.shared.v4.u32 [%r8], {%r2,%r2,%r2,%r2};"},
    {"shared store", "st.shared.u32 [%r4], %r2;"},
    {"shared column", "ld.shared.u32 %r1, [%r9];", "st.shared.u32 [%r9], %r2;"},
    {"global load", "ld.global.u32 %r1, [%rd2];"},
    {"global load v4", "ld.global.v4.u32 {%r1,%r5,%r6,%r7}, [%rd3];"},
    {"global store", "st.global.u32 [%rd2], %r2;"},
    {"local", "st.local.u32 [%rd4+4], %r2;\n ld.local.u32 %r1, [%rd4+4];"},
    {"local 8 bytes", "st.local.u64 [%rd4], %rd2;\n ld.local.u64 %rd5, [%rd4];"},
    {"shared atomic", "atom.shared.add.u32 %r1, [%r4], %r2;"},
    {"shared atomic, one word", "atom.shared.add.u32 %r1, [table], %r2;"},
    {"global reduction, one word", "red.global.add.u32 [%rd1], %r2;"},
    {"global reduction", "red.global.add.u32 [%rd2], %r2;"},
    {"global atomic", "atom.global.add.u32 %r1, [%rd2], %r2;"},
    {"call",
     "{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r1; call.uni (r), twice, (a); ld.param.b32 %r1, [r]; }"},
    {"matrix", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r5}, {%r6,%r7}, "
               "{%f1,%f2,%f3,%f4};"},
};

std::string kernel(const Kind& kind) {
    std::string body;
    for (int k = 0; k < 16; ++k)
        body += std::string("  ") + kind.instruction + "\n";
    return fmt::format(R"(.version 8.5
.target sm_90
.address_size 64
.func (.param .b32 r) twice(.param .b32 a) {{
  .reg .b32 %x<2>;
  ld.param.b32 %x1, [a];
  add.u32 %x1, %x1, %x1;
  st.param.b32 [r], %x1;
  ret;
}}
.visible .entry k(.param .u64 data, .param .u32 rounds) {{
  .reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %fd<4>; .reg .b16 %h<4>; .reg .pred %p<4>;
  .shared .align 16 .b8 table[40960];
  .local .align 16 .b8 own[64];
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r10, [rounds];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd2, %rd2, %rd1;
  mul.wide.u32 %rd3, %r2, 16;
  add.u64 %rd3, %rd3, %rd1;
  mov.u64 %rd4, own;
  mov.u32 %r4, table;
  mad.lo.u32 %r8, %r2, 16, %r4;
  mad.lo.u32 %r9, %r2, 132, %r4;
  mad.lo.u32 %r4, %r2, 4, %r4;
  mov.u32 %r1, 1; mov.u32 %r5, 2; mov.u32 %r6, 3; mov.u32 %r7, 4;
  cvt.rn.f32.u32 %f1, %r2; mov.f32 %f2, 0f3F000000; mov.f32 %f3, 0f3F800001; mov.f32 %f4, %f1;
  cvt.f64.f32 %fd1, %f1; mov.f64 %fd2, 0d3FF0000000000001; mov.f64 %fd3, 0d4000000000000001;
  st.shared.u32 [%r4], %r2;
  {}
  setp.lt.u32 %p1, %r2, 77;
  mov.u32 %r11, 0;
again:
{}
  add.u32 %r11, %r11, 1;
  setp.lt.u32 %p2, %r11, %r10;
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
    data.count = 4096;
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
        count += double(recording->warpInstructions);
        seconds += recording->wallSeconds;
        state.SetIterationTime(recording->wallSeconds);
    }
    std::string id = fmt::format("emulator_{}_warp_inst_per_s", kind.name);
    std::erase(id, ',');
    std::replace(id.begin(), id.end(), ' ', '_');
    state.counters[id] = count / seconds;
}

const bool registered = [] {
    for (const Kind& kind : kinds)
        benchmark::RegisterBenchmark(("emulatorKind/" + std::string(kind.name)).c_str(),
                                     [&kind](benchmark::State& state) { instructions(state, kind); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    return true;
}();

} // namespace

BENCHMARK_MAIN();
