// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the Pipeline view at 1920x1080, drawn by the raster engine: a block with five and ten million spans in three
// lanes, a fifth as many times in which the tensor cores have nothing, and 60,000 and 120,000 fills of two slots. Each frame shows another part.
#include "views/common/page.h"
#include "views/pipeline/pipeline_picture.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <ctime>

using namespace warpglass;

namespace {

PipelineModelPtr largeModel(std::int64_t length) {
    auto trace = std::make_shared<Trace>();
    trace->info.deviceName = "synthetic";
    trace->info.ccMajor = 9;
    trace->info.timeUnit = TimeUnit::Nanoseconds;
    trace->kernels.push_back({.name = "synthetic"});
    trace->launches.push_back({.grid = {1}, .block = {96}});
    trace->launches[0].blockCount = 1;
    trace->launches[0].end = {length};
    trace->blocks.emplace_back();
    trace->blocks[0].end = {length};
    trace->blocks[0].warpCount = 3;
    auto model = std::make_shared<PipelineModel>();
    for (std::uint32_t w = 0; w < 3; ++w) {
        trace->warps.emplace_back();
        trace->warps.back().warpInBlock = std::uint16_t(w);
        trace->warps.back().end = {length};
        model->roles.push_back({.orders = w == 0, .multiplies = w > 0, .warps = {w}});
        PipelineLane lane{.role = w, .warps = {w}};
        for (std::int64_t t = 0; t < length; t += 6)
            lane.spans.push_back({{t}, {t + 6}, t / 6 % 2 ? Doing::WaitsCopy : w ? Doing::Multiplies : Doing::Orders});
        model->lanes.push_back(std::move(lane));
    }
    model->rings = 1;
    for (std::uint32_t s = 0; s < 2; ++s) {
        PipelineSlot slot{.number = s, .full = 8 * s, .bytes = 8192};
        for (std::int64_t t = 160 * s; t + 300 < length; t += 320)
            slot.fills.push_back({.number = std::uint32_t(t / 160),
                                  .begin = {t},
                                  .full = {t + 100},
                                  .read = {t + 140},
                                  .freed = {t + 300},
                                  .isFull = true,
                                  .isRead = true});
        model->ringSlots.push_back(std::move(slot));
    }
    for (std::int64_t t = 0; t < length; t += 10)
        model->idle.push_back({{t}, {t + 5}, t / 10 % 3 ? Bubble::Copy : Bubble::Slot});
    model->trace = trace;
    model->block = 0;
    model->range = {{0}, {length}};
    model->bubbles = {.tensor = true, .whole = 100, .idle = {}};
    model->hasCycles = true;
    model->sumUp();
    return model;
}

// millions: of spans in the lanes.
void frames(benchmark::State& state, int millions) {
    const std::int64_t length = std::int64_t(2'000'000) * millions;
    const PipelineModelPtr model = largeModel(length);
    PaintContext context;
    context.trace = model->trace;
    context.theme = Theme::make(ThemeKind::Light);
    QImage image(1920, 1080, QImage::Format_RGB32);
    std::vector<double> processor; // what a frame takes of it, whatever else the machine is at
    const auto paint = [&](double from, double size) {
        const auto begin = std::int64_t(from * double(length));
        context.selection.visible = {{begin}, {begin + std::max<std::int64_t>(8, std::int64_t(size * double(length)))}};
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t begun = std::clock();
        const PipelinePicture picture(context, QRectF(0, 0, 1920, 1080), model);
        QPainter painter(&image);
        paintPicture(picture, painter);
        painter.end();
        processor.push_back(1000.0 * double(std::clock() - begun) / CLOCKS_PER_SEC);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    };
    const std::string of = "_" + std::to_string(millions) + "m";
    paint(0, 1); // glyphs
    for (auto _ : state) {
        std::vector<double> all;
        for (int motion = 0; motion < 4; ++motion) {
            std::vector<double> times;
            for (int i = 0; i < 100; ++i) {
                const double size = motion == 0   ? 1 - i * 1e-5
                                    : motion == 1 ? 0.01
                                    : motion == 2 ? 0.1
                                                  : std::pow(0.9, i);
                const double from = motion == 0   ? 0
                                    : motion == 1 ? 0.009 * i
                                    : motion == 2 ? 0.4 + i * 0.0005
                                                  : 0.37 * (1 - size);
                times.push_back(paint(from, size));
            }
            std::sort(times.begin(), times.end());
            const char* names[] = {"full", "one_percent", "pan", "zoom"};
            state.counters["pipeline_" + std::string(names[motion]) + of + "_median_ms"] = times[50];
            all.insert(all.end(), times.begin(), times.end());
        }
        std::sort(all.begin(), all.end());
        state.counters["pipeline_frame" + of + "_median_ms"] = all[all.size() / 2];
        state.counters["pipeline_frame" + of + "_worst_ms"] = all.back();
        std::sort(processor.begin(), processor.end());
        state.counters["pipeline_frame" + of + "_processor_ms"] = processor[processor.size() / 2];
    }
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    for (const int millions : {5, 10})
        benchmark::RegisterBenchmark(("pipeline/" + std::to_string(millions) + "m").c_str(), frames, millions)
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
