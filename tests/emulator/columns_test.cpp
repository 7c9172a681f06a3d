// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses to shared memory that nobody looks at one by one take shorter ways (memory/shared_access.cpp): rows, and
// columns whose lanes lie as they did the time before. Kernels of random loads, stores and atomics, right and wrong ones,
// come to the same values, counts and diagnostics as where each access is looked at.
#include "tests/emulator/run_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace warpglass::testing {
namespace {

// Four warps a block; in each of six rounds all lanes lie the same way, from another place on now and then. What blocks
// write at first depends on their number, so that some read what was never written.
std::string kernel(std::mt19937& random) {
    constexpr int strides[4][3] = {{16, 48, 144}, {8, 24, 136}, {4, 20, 132}, {4, 36, 64}}; // bytes a thread
    const auto pick = [&](int n) { return int(random() % std::uint32_t(n)); };
    std::string bases, body;
    for (int k = 0; k < 4; ++k)
        bases += pick(5) ? fmt::format("  mad.lo.u32 %b{}, %own, {}, %table;\n", k, strides[k][pick(3)])
                         : fmt::format("  shl.b32 %b{0}, %own, {1}; xor.b32 %b{0}, %b{0}, {2}; add.u32 %b{0}, %b{0}, "
                                       "%table;\n",
                                       k, std::max(4 - k, 2), 16 * pick(8));
    const int operations = 4 + pick(12);
    for (int k = 0; k < operations; ++k) {
        const auto place = [&](int most) { return fmt::format("[%a{}+{}]", pick(most), 16 * pick(3)); };
        const std::string words = place(4), longs = place(2), fours = place(1);
        switch (pick(10)) {
        case 0:
        case 1:
            body += fmt::format("  ld.shared.u32 %v0, {};\n  add.u32 %sum, %sum, %v0;\n", words);
            break;
        case 2:
            body += fmt::format("  st.shared.u32 {}, %sum;\n", words);
            break;
        case 3:
            body += fmt::format("  ld.shared.v4.u32 {{%v0,%v1,%v2,%v3}}, {};\n  xor.b32 %sum, %sum, %v1;\n"
                                "  add.u32 %sum, %sum, %v3;\n",
                                fours);
            break;
        case 4:
            body += fmt::format("  st.shared.v4.u32 {}, {{%own,%sum,%round,%v2}};\n", fours);
            break;
        case 5:
            body += fmt::format("  ld.shared.u64 %w, {};\n  cvt.u32.u64 %v2, %w;\n  add.u32 %sum, %sum, %v2;\n", longs);
            break;
        case 6:
            body += fmt::format("  cvt.u64.u32 %w, %sum;\n  st.shared.u64 {}, %w;\n", longs);
            break;
        case 7:
            body += fmt::format("  red.shared.add.u32 {}, %own;\n", words);
            break;
        case 8:
            body += fmt::format("  atom.shared.max.u32 %v3, {}, %sum;\n  add.u32 %sum, %sum, %v3;\n", words);
            break;
        default:
            body += "  bar.sync 0;\n";
        }
    }
    const int barrier = pick(3);
    return fmt::format(R"(.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 shifts) {{
  .reg .b32 %a<4>, %b<4>, %v<4>, %own, %block, %table, %sum, %round, %shift, %r0; .reg .b64 %rd<4>, %w;
  .reg .pred %p<3>;
  .shared .align 16 .b8 table[24576];
  ld.param.u64 %rd0, [data];
  ld.param.u64 %rd1, [shifts];
  mov.u32 %own, %tid.x; mov.u32 %block, %ctaid.x; mov.u32 %table, table; mov.u32 %sum, %own;
  mov.u32 %v2, 7;
{}
  mad.lo.u32 %r0, %own, 16, %table;
  setp.ge.u32 %p0, %block, {};
@%p0 bra filled;
  mov.u32 %round, 0;
fill:
  st.shared.v4.u32 [%r0], {{%own,%round,%own,%round}};
  add.u32 %r0, %r0, 2048; add.u32 %round, %round, 1;
  setp.lt.u32 %p1, %round, {};
@%p1 bra fill;
filled:
  bar.sync 0;
  mov.u32 %round, 0;
again:
  mul.wide.u32 %rd2, %round, 4; add.u64 %rd2, %rd2, %rd1;
  ld.global.u32 %shift, [%rd2];
  add.u32 %a0, %b0, %shift; add.u32 %a1, %b1, %shift; add.u32 %a2, %b2, %shift; mov.u32 %a3, %b3;
{}
{}
  add.u32 %round, %round, 1;
  setp.lt.u32 %p2, %round, 6;
@%p2 bra again;
  mad.lo.u32 %r0, %block, 128, %own;
  mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd3, %rd0;
  st.global.u32 [%rd3], %sum;
  ret;
}}
)",
                       bases, 1 + pick(4), 9 + pick(4), body, barrier ? "  bar.sync 0;" : "");
}

auto numbers(const InstructionCount& c) {
    return std::tuple(c.executions, c.lanes, c.requests, c.bytesDistinct, c.bytesRequested, c.sectors, c.lines,
                      c.passes, c.idealPasses);
}

TEST(Columns, SayWhatSingleAccessesSay) {
    std::mt19937 random(12);
    std::size_t races = 0, unwritten = 0, quiet = 0;
    for (int n = 0; n < 200; ++n) {
        std::vector<int> shifts(6);
        for (int& s : shifts)
            s = random() % 3 ? 0 : 16 * int(random() % 20);
        Kernel k("k", {4}, {128}, {buffer(std::vector<int>(4 * 128)), buffer(shifts)});
        k.plan.ptx = kernel(random);
        k.options.detail.kind = Detail::Kind::None;
        const Recording quick = k.run();
        k.options.checkRaces = true; // every access is told of
        const Recording single = k.run();
        ASSERT_EQ(bool(quick.fault), bool(single.fault)) << k.plan.ptx;
        ASSERT_EQ(quick.buffers, single.buffers) << k.plan.ptx;
        const Trace &x = *quick.trace, &y = *single.trace;
        ASSERT_EQ(x.counts.size(), y.counts.size());
        for (std::size_t i = 0; i < x.counts.size(); ++i)
            ASSERT_EQ(numbers(x.counts[i]), numbers(y.counts[i])) << "instruction " << i << " of\n" << k.plan.ptx;
        ASSERT_EQ(x.diagnostics.size(), y.diagnostics.size()) << k.plan.ptx;
        for (std::size_t i = 0; i < x.diagnostics.size(); ++i) {
            ASSERT_EQ(x.diagnostics[i].message, y.diagnostics[i].message) << k.plan.ptx;
            ASSERT_EQ(x.diagnostics[i].count, y.diagnostics[i].count) << k.plan.ptx;
            ASSERT_EQ(x.diagnostics[i].thread, y.diagnostics[i].thread) << k.plan.ptx;
        }
        races += find(quick, DiagnosticKind::SharedRace) != nullptr;
        unwritten += find(quick, DiagnosticKind::UninitialisedRead) != nullptr;
        quiet += x.diagnostics.empty();
    }
    EXPECT_GT(races, 20u);
    EXPECT_GT(unwritten, 20u);
    EXPECT_GT(quiet, 5u);
}

} // namespace
} // namespace warpglass::testing
