// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of one's own on a GPU: addresses inside buffers, variables of the module, cooperative launches.
#include "gpu/emulator/emulator.h"
#include "tests/cuda/on_gpu.h"
#include "tests/emulator/run_kernel.h"

#include <cstring>
#include <set>
#include <utility>

namespace warpglass {
namespace {

// out[i] = rows[i & 1][i] * factor + table[i]: addresses in a buffer and in a variable, a constant, on both backends.
TEST_F(OnGpu, FollowsAddressesInBuffersAndSetsVariables) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.moduleName = "pointers.ptx";
    plan.ptx = R"(.version 7.0
.target sm_75
.address_size 64
.visible .global .align 8 .u64 table;
.visible .const .align 4 .f32 factor;
.visible .entry k(.param .u64 rows, .param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .f32 %f<5>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [rows];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    mul.wide.u32 %rd3, %r2, 8;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.u64 %rd5, [%rd4];
    mul.wide.u32 %rd6, %r1, 4;
    add.s64 %rd7, %rd5, %rd6;
    ld.global.f32 %f1, [%rd7];
    ld.const.f32 %f2, [factor];
    ld.global.u64 %rd8, [table];
    add.s64 %rd9, %rd8, %rd6;
    ld.global.f32 %f3, [%rd9];
    fma.rn.f32 %f4, %f1, %f2, %f3;
    add.s64 %rd10, %rd2, %rd6;
    st.global.f32 [%rd10], %f4;
    ret;
}
)";
    plan.grid = {1};
    plan.block = {32};
    const auto floats = [](const char* name, float from, float step) {
        Argument a{.name = name, .isBuffer = true, .type = ElementType::F32, .count = 40};
        a.fill = [=](std::span<std::byte> to) {
            for (std::size_t i = 0; i < 40; ++i) {
                const float v = from + step * float(i);
                std::memcpy(to.data() + 4 * i, &v, 4);
            }
        };
        return a;
    };
    Argument rows{.name = "rows", .isBuffer = true, .type = ElementType::Ptr, .count = 2};
    rows.pointers = {{0, "even", 0}, {8, "odd", 8}}; // the odd row begins at its third number
    plan.arguments = {rows, floats("out", 0, 0)};
    plan.globalBuffers = {floats("even", 0, 1), floats("odd", 100, 1), floats("values", 0.5f, 0)};
    const float two = 2;
    GlobalPatch factor{.symbol = "factor"}, table{.symbol = "table", .pointers = {{0, "values", 0}}};
    factor.bytes.resize(4);
    std::memcpy(factor.bytes.data(), &two, 4);
    table.bytes.resize(8);
    plan.globals = {factor, table};

    const auto onGpu = run(plan);
    ASSERT_TRUE(onGpu) << onGpu.error().text();
    ASSERT_FALSE(onGpu->fault) << onGpu->fault->text();
    const auto onHost = makeEmulator()->run(plan, {}, progress);
    ASSERT_TRUE(onHost) << onHost.error().text();
    ASSERT_EQ(onGpu->buffers.size(), 5u);
    for (int i = 0; i < 32; ++i) {
        const float expected = float(i % 2 ? 100 + 2 + i : i) * 2 + 0.5f;
        for (const Recording* r : {&*onGpu, &*onHost}) {
            float got = 0;
            std::memcpy(&got, r->buffers[1].data() + 4 * i, 4);
            EXPECT_EQ(got, expected) << i;
        }
    }
    EXPECT_FALSE(onGpu->trace->events.empty()); // the probed run had the same addresses and variables
}

// Three grid.sync(): out[i] = 3 * (i + 1 of 128), then cells are zeroed before they are added.
TEST_F(OnGpu, SynchronisesAGrid) {
    testing::Kernel kernel("gridSync", {4}, {32},
                           {testing::buffer(std::vector<int>(128), "cells"), testing::buffer(std::vector<int>(128))},
                           "blocks.ptx");
    const auto recording = run(kernel.plan);
    ASSERT_TRUE(recording) << recording.error().text();
    ASSERT_FALSE(recording->fault) << recording->fault->text();
    const auto out = testing::values<int>(*recording, 1);
    for (int i = 0; i < 128; ++i)
        EXPECT_EQ(out[std::size_t(i)], (i + 1) % 128 * 3) << i;
    EXPECT_FALSE(recording->trace->events.empty());

    kernel.plan.grid = {100000}; // more blocks than are ever resident together
    const auto refused = run(kernel.plan);
    EXPECT_TRUE(!refused || refused->fault);
}

// Lanes call one of two functions through a table in memory, on the GPU with probes and on the emulator: the branches
// inside the functions are seen, with the same masks. even() parts at 7, odd() at 20.
TEST_F(OnGpu, SeesFunctionsThatAreCalledThroughPointers) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.moduleName = "pointers.ptx";
    const auto function = [](const char* name, const char* test) {
        return std::string(".func (.param .b32 r) ") + name +
               "(.param .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n" + test +
               "@%p1 bra Z;\nmul.lo.u32 %r1, %r1, %r1;\nZ: st.param.b32 [r], %r1;\nret;\n}\n";
    };
    plan.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.func (.param .b32 r) even(.param .b32 n);\n"
               ".func (.param .b32 r) odd(.param .b32 n);\n.visible .global .align 8 .u64 table[2] = {even, odd};\n" +
               function("even", "setp.gt.u32 %p1, %r1, 7;\n") + function("odd", "setp.lt.u32 %p1, %r1, 20;\n") +
               R"(.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd2, %rd1, %rd2;
    and.b32 %r2, %r1, 1;
    mul.wide.u32 %rd3, %r2, 8;
    mov.u64 %rd4, table;
    add.u64 %rd3, %rd4, %rd3;
    ld.global.u64 %rd5, [%rd3];
    {
    .param .b32 a;
    st.param.b32 [a], %r1;
    .param .b32 b;
    Q: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (b), %rd5, (a), Q;
    ld.param.b32 %r3, [b];
    }
    st.global.u32 [%rd2], %r3;
    ret;
}
)";
    plan.grid = {2};
    plan.block = {64};
    plan.arguments = {{.name = "out", .isBuffer = true, .type = ElementType::U32, .count = 64}};
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    const auto masks = [](const Trace& trace) {
        std::multiset<std::pair<std::uint32_t, std::uint32_t>> found; // whichever function ran first
        for (std::uint32_t w = 0; w < trace.warps.size(); ++w)
            for (std::uint32_t n = 0; n < trace.warps[w].eventCount; ++n)
                if (const Event e = trace.event(trace.warps[w], n); e.kind == EventKind::Branch)
                    found.insert({e.active.bits, e.taken.bits});
        return found;
    };
    const auto onGpu = run(plan, options);
    ASSERT_TRUE(onGpu) << onGpu.error().text();
    const auto emulated = makeEmulator()->run(plan, options, progress);
    ASSERT_TRUE(emulated) << emulated.error().text();
    EXPECT_EQ(onGpu->buffers, emulated->buffers);
    const auto seen = masks(*onGpu->trace);
    EXPECT_EQ(seen, masks(*emulated->trace));
    EXPECT_EQ(seen.count({0x55555555u, 0x55555500u}), 2u); // even lanes of warp 0, once a block
    EXPECT_EQ(seen.count({0xaaaaaaaau, 0x000aaaaau}), 2u); // odd lanes: 1 to 19 leave
}

} // namespace
} // namespace warpglass
