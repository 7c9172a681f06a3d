// SPDX-License-Identifier: GPL-3.0-or-later
// cp.async however its lanes lie: some or all of them, rows, permutations and gathers, parts of their bytes, and threads
// of one warp that have committed different groups; against what each thread's two copies come to on the host.
#include "gpu/emulator/emulator.h"
#include "tests/emulator/run_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace warpglass::testing {
namespace {

constexpr std::uint32_t threads = 64;

// Two copies a thread, of element from[t] to slot to[t] of two arrays in shared memory. Threads with an even number commit
// them as one group, the others only the first; wait_group 0 waits for what is committed. A word of each is read then, of
// the second by even threads; all of it behind wait_all.
std::string kernelText(std::uint32_t bytes, bool takesPart) {
    return fmt::format(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry copies(.param .u64 data, .param .u64 places, .param .u64 early, .param .u64 all)
{{
  .reg .b32 %r<20>; .reg .b64 %rd<12>; .reg .pred %p<4>;
  .shared .align 16 .b8 first[{0}];
  .shared .align 16 .b8 second[{0}];
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [places];
  ld.param.u64 %rd3, [early];
  ld.param.u64 %rd4, [all];
  mul.wide.u32 %rd5, %r1, 16;
  add.u64 %rd5, %rd5, %rd2;
  ld.global.v4.u32 {{%r2,%r3,%r4,%r5}}, [%rd5]; // from, to, bytes that are taken, whether at all
  mov.u32 %r6, first;
  mad.lo.u32 %r6, %r3, {1}, %r6;
  mov.u32 %r7, second;
  mad.lo.u32 %r7, %r3, {1}, %r7;
  mov.u32 %r8, 0x5a5a5a5a;
  mov.u32 %r9, 0;
fill:
  add.u32 %r10, %r6, %r9;
  st.shared.u32 [%r10], %r8;
  add.u32 %r10, %r7, %r9;
  st.shared.u32 [%r10], %r8;
  add.u32 %r9, %r9, 4;
  setp.lt.u32 %p1, %r9, {1};
  @%p1 bra fill;
  bar.sync 0;
  mul.wide.u32 %rd6, %r2, {1};
  add.u64 %rd6, %rd6, %rd1;
  setp.ne.u32 %p2, %r5, 0;
  and.b32 %r11, %r1, 1;
  setp.eq.u32 %p3, %r11, 0;
  @%p2 cp.async.ca.shared.global [%r6], [%rd6], {1}{2};
  @!%p3 cp.async.commit_group;
  @%p2 cp.async.ca.shared.global [%r7], [%rd6+{0}], {1}{2};
  @%p3 cp.async.commit_group;
  cp.async.wait_group 0;
  mul.wide.u32 %rd7, %r1, 8;
  add.u64 %rd7, %rd7, %rd3;
  ld.shared.u32 %r12, [%r6];
  st.global.u32 [%rd7], %r12;
  @%p3 ld.shared.u32 %r13, [%r7];
  @%p3 st.global.u32 [%rd7+4], %r13;
  cp.async.wait_all;
  mul.wide.u32 %rd8, %r1, {1};
  add.u64 %rd8, %rd8, %rd4;
  mov.u32 %r9, 0;
give:
  cvt.u64.u32 %rd9, %r9;
  add.u64 %rd9, %rd9, %rd8;
  add.u32 %r10, %r6, %r9;
  ld.shared.u32 %r12, [%r10];
  st.global.u32 [%rd9], %r12;
  add.u32 %r10, %r7, %r9;
  ld.shared.u32 %r12, [%r10];
  st.global.u32 [%rd9+{0}], %r12;
  add.u32 %r9, %r9, 4;
  setp.lt.u32 %p1, %r9, {1};
  @%p1 bra give;
  ret;
}}
)",
                       threads * bytes, bytes, takesPart ? ", %r4" : "");
}

struct Place {
    std::uint32_t from = 0, to = 0, take = 0, on = 0;
};

// What the thread's slot holds: words of the element, `before` where it does not copy, zeros behind the bytes taken.
std::vector<std::byte> slotOf(const Place& p, std::uint32_t bytes, const std::vector<std::byte>& data, std::size_t at) {
    std::vector<std::byte> slot(bytes, std::byte(0x5a));
    for (std::uint32_t k = 0; p.on && k < bytes; ++k)
        slot[k] = k < p.take ? data[at + p.from * bytes + k] : std::byte(0);
    return slot;
}

TEST(LaneCopies, BringWhatTheirThreadsAskedFor) {
    std::mt19937 random(7);
    const auto any = [&](std::uint32_t below) { return std::uint32_t(random() % below); };
    for (const std::uint32_t bytes : {4u, 8u, 16u})
        for (std::uint32_t turn = 0; turn < 24; ++turn) {
            const std::uint32_t lie = turn % 6, on = turn / 6;
            const bool takesPart = turn % 4 == 3;
            std::vector<Place> places(threads);
            const std::uint32_t mixed = any(threads) | 1;
            for (std::uint32_t t = 0; t < threads; ++t) {
                Place& p = places[t];
                p.from = lie == 0   ? t
                         : lie == 1 ? 63 - t
                         : lie == 2 ? any(threads)
                         : lie == 3 ? 9
                                    : (t * mixed) % threads;
                p.to = lie == 0 || lie == 2 ? t : lie == 1 ? t ^ 5 : lie == 4 ? t : (t * mixed + 3) % threads;
                p.take = takesPart ? any(bytes + 1) : bytes;
                p.on = on == 0 ? 1 : on == 1 ? t % 2 : on == 2 ? t % 32 < 20 : any(2);
            }
            std::vector<std::byte> data(std::size_t(2) * threads * bytes);
            for (std::byte& b : data)
                b = std::byte(random());
            std::vector<std::uint32_t> placeWords(threads * 4);
            std::memcpy(placeWords.data(), places.data(), placeWords.size() * 4);
            Kernel k("copies", {1}, {threads},
                     {buffer(data), buffer(placeWords), buffer(std::vector<std::uint32_t>(2 * threads)),
                      buffer(std::vector<std::byte>(std::size_t(2) * threads * bytes))});
            k.plan.ptx = kernelText(bytes, takesPart);
            for (const bool independent : {false, true}) {
                k.options.reconvergence =
                    independent ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
                const Recording r = k.run();
                ASSERT_FALSE(r.fault) << r.fault->text();
                EXPECT_TRUE(r.trace->diagnostics.empty()) << r.trace->diagnostics.front().message;
                const auto early = values<std::uint32_t>(r, 2);
                const auto all = values<std::byte>(r, 3);
                for (std::uint32_t t = 0; t < threads; ++t)
                    for (std::size_t half = 0; half < 2; ++half) {
                        const std::size_t at = half * threads * bytes;
                        const std::vector<std::byte> slot = slotOf(places[t], bytes, data, at);
                        std::uint32_t word = 0;
                        std::memcpy(&word, slot.data(), 4);
                        if (half == 0 || t % 2 == 0) {
                            EXPECT_EQ(early[2 * t + half], word)
                                << bytes << " bytes, turn " << turn << ", thread " << t;
                        }
                        EXPECT_EQ(std::memcmp(slot.data(), all.data() + at + t * bytes, bytes), 0)
                            << bytes << " bytes, turn " << turn << ", thread " << t;
                    }
            }
        }
}

// Each lane of a warp copies 16 bytes twice and lets an mbarrier behind them know: in the trace the two copies tell it, at byte
// 1024, of 2 * 32 * 16 bytes; what is copied behind that belongs to a group.
TEST(LaneCopies, TellTheMbarrierThatIsToldBehindThem) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "told";
    plan.moduleName = "told.ptx";
    plan.grid = {1};
    plan.block = {32};
    plan.ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry told(.param .u64 data)
{
.reg .pred %p<3>;
.reg .b32 %r<4>;
.reg .b64 %rd<4>;
.shared .align 16 .b8 slots[1024];
.shared .align 8 .b64 full;
ld.param.u64 %rd1, [data];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 16;
add.u64 %rd2, %rd2, %rd1;
mov.u32 %r2, slots;
mad.lo.u32 %r2, %r1, 16, %r2;
setp.ne.u32 %p1, %r1, 0;
@!%p1 mbarrier.init.shared.b64 [full], 32;
bar.warp.sync -1;
cp.async.ca.shared.global [%r2], [%rd2], 16;
cp.async.ca.shared.global [%r2+512], [%rd2], 16;
cp.async.mbarrier.arrive.noinc.shared.b64 [full];
AGAIN:
mbarrier.test_wait.parity.shared.b64 %p2, [full], 0;
@!%p2 bra AGAIN;
cp.async.ca.shared.global [%r2], [%rd2], 16;
cp.async.wait_all;
ret;
}
)";
    plan.arguments = {buffer(std::vector<int>(128), "data")};
    Progress progress;
    const Result<Recording> r = makeEmulator()->run(plan, {}, progress);
    ASSERT_TRUE(r.ok()) << r.error().text();
    ASSERT_FALSE(r->fault) << r->fault->text();
    std::vector<std::uint32_t> told;
    for (const AsyncCopy& copy : r->trace->copies)
        told.push_back(copy.barrier);
    EXPECT_EQ(told, (std::vector<std::uint32_t>{1024, 1024, noIndex}));
    std::uint64_t bytes = 0;
    for (const PhaseEvent& e : r->trace->phaseEvents)
        bytes += e.kind == PhaseEventKind::Copied ? e.count : 0;
    EXPECT_EQ(bytes, 1024u);
}

} // namespace
} // namespace warpglass::testing
