// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the timeline at 1920x1080, drawn by the raster engine: full view, 1 % view, panning and zooming, for
// synthetic traces of 1, 10 and 100 million events; opening a file to the first picture; bytes an event on disk and in
// memory. Each frame differs from the one before (another window), so nothing can be cached from frame to frame.
#include "gpu/trace/file.h"
#include "views/common/page.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <random>

using namespace warpglass;

namespace {

constexpr int slotsPerSm = 16;

// 64 warp slots on 4 SMs; warps of about 2,000 events each, one after the other: branches that halve the mask,
// accesses, barrier pairs. A fixed seed: every run draws the same trace.
TracePtr synthetic(std::uint64_t events) {
    auto trace = std::make_shared<Trace>();
    trace->info.deviceName = "synthetic";
    trace->info.ccMajor = 9;
    trace->info.smCount = 4;
    trace->info.timeUnit = TimeUnit::Nanoseconds;
    trace->info.smClockMHz = 1980;
    trace->kernels.push_back({.name = "synthetic"});
    const EventKind kinds[] = {EventKind::Entry,        EventKind::Branch, EventKind::BarrierArrive,
                               EventKind::BarrierLeave, EventKind::Access, EventKind::Exit};
    const SiteKind sites[] = {SiteKind::Entry,   SiteKind::Branch, SiteKind::Barrier,
                              SiteKind::Barrier, SiteKind::Access, SiteKind::Exit};
    for (SiteKind kind : sites)
        trace->sites.push_back({.kind = kind, .ptxLine = 1});
    std::mt19937 random(20251121);
    const std::uint32_t eventsPerWarp = 2000;
    const auto warps = std::uint32_t(std::max<std::uint64_t>(64, events / eventsPerWarp));
    std::int64_t clocks[4] = {0, 0, 0, 0};
    trace->events.reserve(events);
    const std::uint32_t blocks = warps / slotsPerSm;
    for (std::uint32_t b = 0; b < blocks; ++b) {
        const int sm = int(b % 4);
        Block block{.launch = 0,
                    .index = b,
                    .start = {clocks[sm]},
                    .firstWarp = std::uint32_t(trace->warps.size()),
                    .warpCount = slotsPerSm,
                    .sm = std::uint16_t(sm)};
        std::int64_t end = block.start.value;
        for (int w = 0; w < slotsPerSm; ++w) {
            Warp warp{.block = b,
                      .warpInBlock = std::uint16_t(w),
                      .slot = std::uint16_t(w),
                      .scheduler = std::uint8_t(w % 4),
                      .liveLanes = LaneMask::all(),
                      .start = block.start,
                      .firstEvent = trace->events.size(),
                      .eventCount = eventsPerWarp};
            std::int64_t offset = 0;
            for (std::uint32_t e = 0; e < eventsPerWarp; ++e) {
                int k = e == 0 ? 0 : e + 1 == eventsPerWarp ? 5 : 1 + int(random() % 4);
                // Masks as reductions make them: every second, fourth, ... lane; half a warp; all.
                const std::uint32_t masks[] = {0xffffffffu, 0x55555555u, 0x11111111u,
                                               0x01010101u, 0x0000ffffu, 0x00000001u};
                const LaneMask active = k == 1 ? LaneMask{masks[random() % 6]} : LaneMask::all();
                trace->events.push(offset, std::uint32_t(k), kinds[k], active,
                                   {k == 1 ? active.bits & masks[random() % 6] : 0u});
                offset += 8 + random() % (k == 2 ? 900 : 120);
            }
            warp.end = warp.start + Time{offset};
            end = std::max(end, warp.end.value);
            trace->warps.push_back(warp);
        }
        block.end = {end};
        clocks[sm] = end + 500;
        trace->blocks.push_back(block);
    }
    Launch launch{.kernel = 0,
                  .grid = {blocks, 1, 1},
                  .block = {slotsPerSm * 32, 1, 1},
                  .start = {0},
                  .end = {*std::max_element(clocks, clocks + 4)},
                  .blockCount = blocks};
    trace->launches.push_back(launch);
    return trace;
}

// A timeline as the window shows it: each picture takes the model from the one before.
struct Frames {
    TracePtr trace;
    std::unique_ptr<View> view = makeTimelineView();
    PaintContext context;
    PicturePtr picture;
    QImage image{1920, 1080, QImage::Format_RGB32};

    explicit Frames(TracePtr t) : trace(std::move(t)) {
        context.trace = trace;
        context.theme = Theme::make(ThemeKind::Light);
    }
    double paint() {
        const auto start = std::chrono::steady_clock::now();
        Progress progress;
        picture = view->compose(context, QRectF(0, 0, 1920, 1080), progress, picture);
        QPainter painter(&image);
        paintPicture(*picture, painter);
        painter.end();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }
};

enum class Motion { Full, OnePercent, Pan, Zoom };

// 100 frames; every one shows another part.
std::vector<double> measure(Frames& frames, Motion motion) {
    const TimeRange all = frames.trace->range();
    const double length = double(all.length().value);
    std::vector<double> times;
    for (int i = 0; i < 100; ++i) {
        double from = 0, size = 1;
        switch (motion) {
        case Motion::Full:
            size = 1 - i * 1e-5;
            break;
        case Motion::OnePercent:
            size = 0.01, from = 0.009 * i;
            break;
        case Motion::Pan:
            size = 0.1, from = 0.4 + i * 0.0005;
            break;
        case Motion::Zoom:
            size = std::pow(0.9, i), from = 0.37 * (1 - size);
            break;
        }
        const std::int64_t begin = all.begin.value + std::int64_t(from * length);
        frames.context.selection.visible = {{begin}, {begin + std::max<std::int64_t>(8, std::int64_t(size * length))}};
        times.push_back(frames.paint());
    }
    std::sort(times.begin(), times.end());
    return times;
}

void frames(benchmark::State& state, std::uint64_t events, const char* label) {
    Frames run(synthetic(events));
    run.paint(); // builds the model
    for (auto _ : state) {
        std::vector<double> all;
        const std::clock_t before = std::clock(); // of all threads: on a busy machine the steadier figure
        for (Motion motion : {Motion::Full, Motion::OnePercent, Motion::Pan, Motion::Zoom}) {
            const auto times = measure(run, motion);
            const char* names[] = {"full", "one_percent", "pan", "zoom"};
            state.counters[std::string("timeline_") + names[int(motion)] + "_" + label + "_median_ms"] = times[50];
            all.insert(all.end(), times.begin(), times.end());
        }
        const std::filesystem::path svg = std::filesystem::temp_directory_path() / "warpglass-bench.svg";
        run.context.selection.visible = {};
        exportView(*run.view, run.context, QString::fromStdString(svg.string()), {1920, 1080});
        state.counters[std::string("timeline_svg_") + label + "_bytes"] = double(std::filesystem::file_size(svg));
        std::filesystem::remove(svg);
        std::sort(all.begin(), all.end());
        state.counters[std::string("timeline_frame_") + label + "_median_ms"] = all[all.size() / 2];
        state.counters[std::string("timeline_frame_") + label + "_worst_ms"] = all.back();
        state.counters[std::string("timeline_frame_") + label + "_cpu_ms"] =
            1000.0 * double(std::clock() - before) / CLOCKS_PER_SEC / double(all.size());
    }
}

void opening(benchmark::State& state, std::uint64_t count, const char* label) {
    const auto path = std::filesystem::temp_directory_path() / "warpglass-bench-open.wgt";
    TracePtr trace = synthetic(count);
    Progress progress;
    const auto written = writeTrace(*trace, path, progress);
    if (!written) {
        state.SkipWithError(written.error().text().c_str());
        return;
    }
    const double events = double(trace->events.size());
    trace.reset(); // what was made for writing is not to be counted as what was read
    const std::string id = std::string("open_") + label;
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        auto read = openTrace(path, progress);
        if (!read) {
            state.SkipWithError(read.error().text().c_str());
            return;
        }
        const double opened =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        Frames first(*read);
        first.paint();
        state.counters[id + "_read_ms"] = opened;
        state.counters[id + "_first_picture_ms"] =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        if (count != 10'000'000)
            continue; // how opening grows; the rest is asked of the file that has a goal
        // What zooming into a file costs: the first time a part is seen, its events are unpacked.
        std::vector<double> all;
        for (Motion motion : {Motion::Full, Motion::OnePercent, Motion::Pan, Motion::Zoom}) {
            const auto times = measure(first, motion);
            all.insert(all.end(), times.begin(), times.end());
        }
        std::sort(all.begin(), all.end());
        state.counters["open_10m_frame_median_ms"] = all[all.size() / 2];
        state.counters["open_10m_frame_worst_ms"] = all.back();
        state.counters["event_bytes_disk"] = double(std::filesystem::file_size(path)) / events;
        state.counters["event_bytes_memory"] = double((*read)->events.bytes()) / events;
    }
    std::filesystem::remove(path);
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    benchmark::RegisterBenchmark("timeline/1m", [](benchmark::State& s) { frames(s, 1'000'000, "1m"); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("timeline/10m", [](benchmark::State& s) { frames(s, 10'000'000, "10m"); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("timeline/100m", [](benchmark::State& s) { frames(s, 100'000'000, "100m"); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    for (const auto& [count, label] : {std::pair{1'000'000, "1m"}, {10'000'000, "10m"}, {100'000'000, "100m"}})
        benchmark::RegisterBenchmark(
            "open", [count = count, label = label](benchmark::State& s) { opening(s, std::uint64_t(count), label); })
            ->Iterations(3)
            ->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
