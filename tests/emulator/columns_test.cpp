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
        const std::string some = pick(3) ? "" : "@%q "; // lanes with others between them
        switch (pick(13)) {
        case 0:
        case 1:
            body += fmt::format("  {}ld.shared.u32 %v0, {};\n  add.u32 %sum, %sum, %v0;\n", some, words);
            break;
        case 2:
            body += fmt::format("  {}st.shared.u32 {}, %sum;\n", some, words);
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
        case 9: { // of the threads' own, and now and then of a neighbour's
            const auto off = [&] { return 512 * pick(3) + (pick(12) ? 0 : 4); };
            body += fmt::format("  {}ld.shared.u32 %v0, [%r1+{}];\n  {}st.shared.u32 [%r1+{}], %sum;\n"
                                "  add.u32 %sum, %sum, %v0;\n",
                                some, off(), some, off());
            break;
        }
        case 10: { // each at its own word, or all of a block at one
            constexpr const char* atomics[] = {
                "exch.b32 %v3, {}, %sum", "add.u32 %v3, {}, %sum",      "inc.u32 %v3, {}, 20",
                "inc.u32 %v3, {}, 100",   "cas.b32 %v3, {}, %v3, %sum", "exch.b64 %w, {}, %w; cvt.u32.u64 %v3, %w"};
            const int kind = pick(6);
            const char* const own = kind == 5 ? "[%rd6]" : "[%rd4]";
            body += fmt::format("  atom.global.{};\n  add.u32 %sum, %sum, %v3;\n",
                                fmt::format(fmt::runtime(atomics[kind]), pick(3) ? own : "[%rd5]"));
            break;
        }
        default:
            body += "  bar.sync 0;\n";
        }
    }
    const int barrier = pick(3);
    return fmt::format(R"(.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 shifts, .param .u64 cells) {{
  .reg .b32 %a<4>, %b<4>, %v<4>, %own, %block, %table, %sum, %round, %shift, %r<2>; .reg .b64 %rd<7>, %w;
  .reg .pred %p<3>, %q;
  .shared .align 16 .b8 table[24576];
  ld.param.u64 %rd0, [data];
  ld.param.u64 %rd1, [shifts];
  mov.u32 %own, %tid.x; mov.u32 %block, %ctaid.x; mov.u32 %table, table; mov.u32 %sum, %own;
  mov.u32 %v2, 7; mov.u32 %v3, 1; mov.u64 %w, 5;
  and.b32 %r0, %own, {}; setp.ne.u32 %q, %r0, 0;
  mad.lo.u32 %r1, %own, 4, %table; add.u32 %r1, %r1, 1024;
  ld.param.u64 %rd5, [cells]; mul.wide.u32 %rd4, %block, 1032; add.u64 %rd5, %rd5, %rd4;
  mul.wide.u32 %rd4, %own, 4; add.u64 %rd4, %rd4, %rd5; add.u64 %rd4, %rd4, 8;
  mul.wide.u32 %rd6, %own, 8; add.u64 %rd6, %rd6, %rd5; add.u64 %rd6, %rd6, 8;
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
                       1 + pick(7), bases, 1 + pick(4), 9 + pick(4), body, barrier ? "  bar.sync 0;" : "");
}

auto numbers(const InstructionCount& c) {
    return std::tuple(c.executions, c.lanes, c.requests, c.bytesDistinct, c.bytesRequested, c.sectors, c.lines,
                      c.passes, c.idealPasses);
}

TEST(Columns, SayWhatSingleAccessesSay) {
    std::mt19937 random(12);
    std::size_t races = 0, unwritten = 0, quiet = 0;
    for (int n = 0; n < 400; ++n) {
        std::vector<int> shifts(6);
        for (int& s : shifts)
            s = random() % 3 ? 0 : 16 * int(random() % 20);
        Kernel k("k", {4}, {128},
                 {buffer(std::vector<int>(4 * 128)), buffer(shifts), buffer(std::vector<int>(4 * 258))});
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
