// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the timeline at 1920x1080, drawn by the raster engine: full view, 1 % view, panning and zooming, for
// synthetic traces of 1, 10 and 100 million events; opening a file to the first picture; bytes an event on disk and in
// memory. Each frame differs from the one before (another window), so nothing can be cached from frame to frame.
#include "gpu/trace/file.h"
#include "tests/bench/synthetic_trace.h"
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

using namespace warpglass;

namespace {

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
