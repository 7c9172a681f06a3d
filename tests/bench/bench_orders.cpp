// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs a program that is looked for what nothing orders (docs/programs.md): the list of its work, for 10,000 small
// copies in one stream and round about in two and in four, and a launch of 16 blocks with and without its bytes noted.
#include "gpu/base/touched.h"
#include "gpu/emulator/resident.h"
#include "gpu/program/meetings.h"
#include "gpu/ptx/parse.h"

#include <benchmark/benchmark.h>

#include <cstring>

namespace {

using namespace warpglass;

// From pinned memory, which all read, into a piece of each stream's own. range(0): streams; range(1): copies until the host
// waits.
void copiesListed(benchmark::State& state) {
    constexpr int copies = 10'000;
    const auto streams = std::uint32_t(state.range(0));
    for (auto _ : state) {
        program::Meetings meetings;
        meetings.add({.name = "default"});
        for (std::uint32_t s = 1; s < streams; ++s)
            meetings.add({.name = "stream"});
        std::uint32_t row = 0;
        for (int n = 0; n < copies; ++n) {
            program::Operation o;
            o.kind = program::OperationKind::Copy;
            o.stream = std::uint32_t(n) % streams;
            const std::uint64_t to = (std::uint64_t(o.stream) << 30) + 64 * std::uint64_t(n % 1024);
            benchmark::DoNotOptimize(
                meetings.next(o, row++, {.reads = {{1u << 20, (1u << 20) + 64}}, .writes = {{to, to + 64}}}));
            if (n % state.range(1) == state.range(1) - 1) {
                o.kind = program::OperationKind::Wait;
                o.from = program::waitsForDevice;
                meetings.next(o, row++, {});
            }
        }
    }
    state.SetItemsProcessed(state.iterations() * copies);
}
BENCHMARK(copiesListed)->ArgsProduct({{1, 2, 4}, {16, 10'000}});

// y[i] += x[i] of 16 blocks of 256 threads. range(0): whether its bytes are noted.
void launchNoted(benchmark::State& state) {
    auto module =
        ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n"
                   ".visible .entry add(.param .u64 x, .param .u64 y)\n{\n.reg .b32 %r<5>;\n.reg .b64 %d<6>;\n"
                   ".reg .f32 %f<4>;\nld.param.u64 %d1, [x];\nld.param.u64 %d2, [y];\nmov.u32 %r1, %ctaid.x;\n"
                   "mov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n"
                   "mul.wide.s32 %d3, %r4, 4;\nadd.s64 %d4, %d1, %d3;\nadd.s64 %d5, %d2, %d3;\n"
                   "ld.global.f32 %f1, [%d4];\nld.global.f32 %f2, [%d5];\nadd.f32 %f3, %f1, %f2;\n"
                   "st.global.f32 [%d5], %f3;\nret;\n}\n",
                   "add.ptx");
    if (!module)
        return state.SkipWithError(module.error().text().c_str());
    emulator::GlobalMemory memory;
    emulator::TextureMemory textures;
    auto code = emulator::ResidentModule::load(std::move(*module), memory, textures);
    if (!code)
        return state.SkipWithError(code.error().text().c_str());
    constexpr std::uint64_t bytes = std::uint64_t(4) * 16 * 256;
    const std::array<std::uint64_t, 2> addresses{memory.allocate(bytes, plain("x")).base,
                                                 memory.allocate(bytes, plain("y")).base};
    emulator::ResidentLaunch launch;
    launch.kernel = "add";
    launch.grid = {16, 1, 1};
    launch.block = {256, 1, 1};
    launch.parameters.resize(sizeof addresses);
    std::memcpy(launch.parameters.data(), addresses.data(), sizeof addresses);
    launch.noteTouched = state.range(0) != 0;
    RunOptions options;
    options.detail.kind = Detail::Kind::None;
    options.checkMemory = false;
    options.threads = 1;
    Progress progress;
    for (auto _ : state) {
        auto outcome = (*code)->launch(launch, *findDevice("h200"), options, progress);
        if (!outcome || outcome->faulted || outcome->touched.writes.size() != std::size_t(state.range(0)))
            return state.SkipWithError("the launch did something else");
    }
}
BENCHMARK(launchNoted)->Arg(0)->Arg(1);

} // namespace

BENCHMARK_MAIN();
