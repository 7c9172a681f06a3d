// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/pipeline_traces.h"

#include "tests/emulator/run_kernel.h"

namespace warpglass::samples {

namespace {

// m16n8k16 of halves: 2,048 multiply-adds, which a tensor core that does 512 a cycle has for 4 cycles, and 2
// beside them.
constexpr const char* ptx = "cp.async.bulk.shared::cluster.global [%r1], [%rd1], 16, [%r2];\n"
                            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};\n"
                            "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;\n"
                            "add.s32 %r1, %r1, 1;\n"
                            "bar.sync 0;\n"
                            "add.f32 %f1, %f1, %f2;\n"
                            "ld.global.f32 %f1, [%rd1];\n"
                            "cp.async.cg.shared.global [%r1], [%rd1], 16;\n"
                            "cp.async.commit_group;\n"
                            "cp.async.wait_group 1;\n"
                            "cp.async.wait_group 0;\n"
                            "st.shared.f32 [%r1], %f1;\n"
                            "ld.shared.f32 %f1, [%r1];\n";
enum Line : std::uint32_t {
    copies = 1,
    multiplies,
    asks,
    counts,
    meets,
    adds,
    loads,
    lanes,
    commits,
    leavesOne,
    leavesNone,
    stores,
    takes
};

struct Row {
    std::int64_t begin, end;
    WarpState state;
    std::uint32_t line;
};
constexpr WarpState runs = WarpState::Selected, stalls = WarpState::StallLongScoreboard;

std::shared_ptr<Trace> traceOf(const std::vector<std::vector<Row>>& warps, std::int64_t end) {
    auto trace = std::make_shared<Trace>();
    trace->info.deviceName = "NVIDIA H200";
    trace->info.timing = true;
    trace->kernels.push_back({.name = "pipeline", .ptx = ptx});
    for (std::uint32_t line = copies; line <= takes; ++line)
        trace->sites.push_back({.kind = SiteKind::Instruction, .ptxLine = line, .text = "instruction"});
    std::vector<StateRow> states;
    for (std::size_t w = 0; w < warps.size(); ++w) {
        Warp warp{.warpInBlock = std::uint16_t(w), .slot = std::uint16_t(w), .liveLanes = LaneMask::all()};
        warp.scheduler = std::uint8_t((w + 3) % 4); // warp 0 has one of its own
        warp.end = {end};
        warp.firstEvent = trace->events.size();
        trace->events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
        trace->events.push(end, 0, EventKind::Exit, LaneMask::all(), LaneMask::all());
        warp.eventCount = 2;
        warp.firstState = states.size();
        warp.stateCount = std::uint32_t(warps[w].size());
        for (const Row& row : warps[w])
            states.push_back({{row.begin}, {row.end}, row.state, row.line});
        trace->warps.push_back(warp);
    }
    trace->states = LargeTable<StateRow>(std::move(states));
    trace->blocks.push_back({.end = {end}, .warpCount = std::uint16_t(warps.size())});
    trace->launches.push_back(
        {.grid = {1}, .block = {std::uint32_t(32 * warps.size())}, .end = {end}, .blockCount = 1});
    return trace;
}

} // namespace

TracePtr twoSlots(std::int64_t expectedAfter) {
    const std::vector<Row> orders{{0, 10, runs, counts}, {10, 14, runs, copies}, {14, 71, stalls, asks},
                                  {71, 80, runs, asks},  {80, 84, runs, copies}, {84, 160, runs, asks}};
    const std::vector<Row> works{{0, 5, runs, counts},     {5, 41, stalls, asks},        {41, 70, runs, multiplies},
                                 {70, 75, runs, asks},     {75, 100, runs, multiplies},  {100, 102, runs, asks},
                                 {102, 121, stalls, asks}, {121, 150, runs, multiplies}, {150, 160, runs, asks}};
    auto trace = traceOf({orders, works, works}, 160);
    const auto copy = [&](std::int64_t from, std::int64_t to, std::uint32_t barrier) {
        trace->copies.push_back({.warp = 0,
                                 .site = 0,
                                 .kind = AsyncCopyKind::Bulk,
                                 .lanes = {1},
                                 .issued = {from},
                                 .complete = {to},
                                 .bytes = 2048,
                                 .barrier = barrier});
    };
    copy(10, 40, 0);
    copy(12, 60, 8);
    copy(80, 120, 0);
    using K = PhaseEventKind;
    const auto event = [&](std::int64_t time, K kind, std::uint32_t warp, std::uint32_t barrier, std::uint32_t phase,
                           std::uint32_t count) {
        trace->phaseEvents.push_back({.warp = warp,
                                      .site = asks - 1,
                                      .time = {time},
                                      .kind = kind,
                                      .barrier = barrier,
                                      .phase = phase,
                                      .count = count});
    };
    const auto both = [&](std::int64_t time, K kind, std::uint32_t barrier, std::uint32_t phase) {
        event(time, kind, 1, barrier, phase, 1);
        event(time, kind, 2, barrier, phase, 1);
    };
    both(5, K::Wait, 0, 0);
    event(10 + expectedAfter, K::Expect, 0, 0, 0, 2048);
    event(12 + expectedAfter, K::Expect, 0, 8, 0, 2048);
    event(14, K::Wait, 0, 16, 0, 0);
    event(40, K::Copied, noIndex, 0, 0, 2048);
    event(40, K::Complete, noIndex, 0, 0, 0);
    both(41, K::Pass, 0, 0);
    event(60, K::Copied, noIndex, 8, 0, 2048);
    event(60, K::Complete, noIndex, 8, 0, 0);
    both(70, K::Arrive, 16, 0);
    event(70, K::Complete, noIndex, 16, 0, 0);
    event(71, K::Pass, 0, 16, 0, 0);
    both(75, K::Pass, 8, 0);
    event(80 + expectedAfter, K::Expect, 0, 0, 1, 2048);
    both(100, K::Arrive, 24, 0);
    event(100, K::Complete, noIndex, 24, 0, 0);
    both(102, K::Wait, 0, 1);
    event(120, K::Copied, noIndex, 0, 1, 2048);
    event(120, K::Complete, noIndex, 0, 1, 0);
    both(121, K::Pass, 0, 1);
    both(150, K::Arrive, 16, 1);
    event(150, K::Complete, noIndex, 16, 1, 0);
    return trace;
}

TracePtr barriersAlone() {
    return traceOf({{{0, 10, runs, loads},
                     {10, 60, stalls, adds},
                     {60, 70, WarpState::StallBarrier, meets},
                     {70, 100, runs, adds}}},
                   100);
}

TracePtr copiedByGroups(std::array<std::uint32_t, 3> places, bool usesOnce) {
    auto trace = traceOf({{{0, 2, runs, lanes},
                           {2, 10, runs, commits},
                           {10, 12, runs, lanes},
                           {12, 20, runs, commits},
                           {20, 38, stalls, leavesOne},
                           {38, 40, runs, leavesOne},
                           {40, 46, runs, usesOnce ? counts : multiplies},
                           {46, 60, stalls, leavesNone},
                           {60, 70, runs, leavesNone},
                           {70, 80, runs, multiplies},
                           {80, 82, runs, lanes},
                           {82, 92, runs, commits},
                           {92, 98, stalls, leavesNone},
                           {98, 100, runs, leavesNone},
                           {100, 120, runs, multiplies}}},
                         120);
    const auto copy = [&](std::int64_t from, std::int64_t to, std::uint32_t place) {
        trace->copies.push_back({.warp = 0,
                                 .site = lanes - 1,
                                 .kind = AsyncCopyKind::Lanes,
                                 .lanes = LaneMask::all(),
                                 .issued = {from},
                                 .complete = {to},
                                 .bytes = 512,
                                 .place = place});
    };
    copy(0, 30, places[0]);
    copy(10, 50, places[1]);
    copy(80, 95, places[2]);
    return trace;
}

TracePtr turnedAround(bool multipliesAfter) {
    auto trace = traceOf({{{0, 2, runs, lanes},
                           {2, 10, runs, commits},
                           {10, 38, stalls, leavesNone},
                           {38, 40, runs, leavesNone},
                           {40, 42, runs, stores},
                           {42, 44, runs, takes},
                           {44, 50, runs, multipliesAfter ? multiplies : counts},
                           {50, 60, runs, counts}}},
                         60);
    trace->copies.push_back({.warp = 0,
                             .site = lanes - 1,
                             .kind = AsyncCopyKind::Lanes,
                             .lanes = LaneMask::all(),
                             .issued = {0},
                             .complete = {30},
                             .bytes = 512,
                             .place = 1024});
    return trace;
}

TracePtr measuredGroup() {
    auto trace = traceOf({{}}, 120);
    trace->info.backend = BackendKind::Cuda;
    trace->info.timing = false;
    trace->info.timeUnit = TimeUnit::Nanoseconds;
    trace->copies.push_back({.warp = 0,
                             .site = lanes - 1,
                             .kind = AsyncCopyKind::Lanes,
                             .lanes = LaneMask::all(),
                             .issued = {10},
                             .complete = {50},
                             .bytes = 512,
                             .place = 1024});
    for (const auto& [kind, time] : {std::pair(PhaseEventKind::Wait, 30), std::pair(PhaseEventKind::Pass, 50)})
        trace->phaseEvents.push_back({.block = 0,
                                      .warp = 0,
                                      .site = leavesNone - 1,
                                      .time = {time},
                                      .kind = kind,
                                      .barrier = noIndex,
                                      .lanes = LaneMask::all()});
    return trace;
}

TracePtr measuredProducts() {
    auto trace = std::make_shared<Trace>();
    trace->info.deviceName = "NVIDIA H200";
    trace->info.backend = BackendKind::Cuda;
    trace->info.timeUnit = TimeUnit::Nanoseconds;
    trace->info.smCount = 132;
    trace->smClocks.push_back({.cyclesPerNs = 2});
    trace->kernels.push_back({.name = "product",
                              .ptx = "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;\n"
                                     "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1;\n"
                                     "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1;\n"
                                     "wgmma.commit_group.sync.aligned;\n"
                                     "wgmma.wait_group.sync.aligned 0;\n"
                                     "mbarrier.arrive.shared::cta.b64 _, [%r1];\n",
                              .cleanDurationNs = 800,
                              .probedDurationNs = 1200});
    for (std::uint32_t line = 1; line <= 6; ++line)
        trace->sites.push_back({.kind = SiteKind::Instruction, .ptxLine = line, .text = "instruction"});
    trace->events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
    trace->warps.push_back({.liveLanes = LaneMask::all()});
    trace->warps.back().end = {1000};
    trace->warps.back().eventCount = 1;
    trace->blocks.push_back({.end = {1000}, .warpCount = 1});
    trace->launches.push_back({.grid = {2}, .block = {32}, .end = {1200}, .blockCount = 1});
    const auto event = [&](std::int64_t time, PhaseEventKind kind, std::uint32_t line, std::uint32_t barrier) {
        trace->phaseEvents.push_back(
            {.warp = 0, .site = line - 1, .time = {time}, .kind = kind, .barrier = barrier, .phase = 0, .count = 1});
    };
    event(100, PhaseEventKind::Wait, 1, 0);
    event(200, PhaseEventKind::Pass, 1, 0);
    event(480, PhaseEventKind::Wait, 5, noIndex);
    event(500, PhaseEventKind::Arrive, 6, 8);
    event(500, PhaseEventKind::Pass, 5, noIndex);
    return trace;
}

TracePtr filledRing(int tiles, int ofWarps2And3, bool timing) {
    const std::vector<Argument> arguments{testing::buffer(std::vector<float>(1024, 1.f)),
                                          testing::buffer(std::vector<float>(128)),
                                          testing::value(tiles),
                                          testing::value(ofWarps2And3),
                                          testing::value(128),
                                          testing::value(512)};
    testing::Kernel kernel("ring", {1}, {160}, arguments, "hangs.ptx");
    kernel.options.timing = timing;
    return kernel.run().trace;
}

std::shared_ptr<const PipelineModel> pipelineModel(const TracePtr& trace, std::uint32_t block) {
    Progress nobody;
    return buildPipelineModel(trace, block, nobody);
}

} // namespace warpglass::samples
