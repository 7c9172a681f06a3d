// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor maps that a kernel makes by itself.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace warpglass::testing {
namespace {

// As Triton makes its descriptors: of 128 zeros in shared memory, field by field, then copied to scratch memory; nothing is wrong with
// that. A box of 8 by 4 at (8, 2) of 16 by 8 words that count.
TEST(TensorMaps, AreMadeOfZerosByTheKernelItself) {
    std::string text = R"(.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 out, .param .u64 g) {
.reg .b64 %d<9>; .reg .b32 %r<9>; .reg .pred %p<4>;
.shared .align 128 .b8 smap[128]; .shared .align 128 .b8 s[1024]; .shared .align 8 .b64 bar;
ld.param.u64 %d1, [a]; ld.param.u64 %d2, [out]; ld.param.u64 %d3, [g];
mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; shl.b32 %r2, %r1, 2;
mov.u32 %r3, smap; add.u32 %r4, %r3, %r2; mov.u32 %r5, 0; st.shared.u32 [%r4], %r5;
bar.warp.sync -1;
)";
    const auto replace = [&](const std::string& field, const std::string& operands, int bits = 32) {
        text += "@%p1 tensormap.replace.tile." + field + ".shared::cta.b1024.b" + std::to_string(bits) + " [%r3], " +
                operands + ";\n";
    };
    const auto number = [&](const std::string& field, const std::string& ordinal, int value) {
        text += "mov.u32 %r6, " + std::to_string(value) + ";\n";
        replace(field, ordinal + "%r6");
    };
    replace("global_address", "%d1", 64);
    replace("rank", "1");
    number("box_dim", "0, ", 8), number("box_dim", "1, ", 4);
    number("global_dim", "0, ", 16), number("global_dim", "1, ", 8);
    text += "mov.u64 %d4, 64;\n";
    replace("global_stride", "0, %d4", 64);
    number("element_stride", "0, ", 1), number("element_stride", "1, ", 1);
    replace("elemtype", "2"); // u32
    replace("interleave_layout", "0"), replace("swizzle_mode", "0"), replace("fill_mode", "0");
    text += R"(bar.warp.sync -1;
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d3], [%r3], 128;
fence.proxy.tensormap::generic.acquire.gpu [%d3], 128;
@%p1 mbarrier.init.shared.b64 [bar], 1;
bar.warp.sync -1;
@!%p1 bra W;
mbarrier.arrive.expect_tx.shared.b64 %d4, [bar], 128;
mov.u32 %r5, 8; mov.u32 %r6, 2;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [s], [%d3, {%r5, %r6}], [bar];
W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
@!%p2 bra W;
mov.u32 %r3, s; add.u32 %r3, %r3, %r2; ld.shared.u32 %r7, [%r3];
cvt.u64.u32 %d5, %r2; add.u64 %d5, %d2, %d5; st.global.u32 [%d5], %r7;
ret;
}
)";
    std::vector<std::uint32_t> words(128), wanted(32);
    std::iota(words.begin(), words.end(), 0u);
    Kernel kernel("k", {1}, {32},
                  {buffer(words), buffer(std::vector<std::uint32_t>(32)), buffer(std::vector<std::uint32_t>(32))});
    kernel.plan.ptx = text;
    const Recording r = kernel.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    for (std::uint32_t i = 0; i < 32; ++i)
        wanted[i] = (2 + i / 8) * 16 + 8 + i % 8;
    EXPECT_EQ(values<std::uint32_t>(r, 1), wanted);
    EXPECT_TRUE(r.trace->diagnostics.empty());
}

} // namespace
} // namespace warpglass::testing
