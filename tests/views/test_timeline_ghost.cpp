// SPDX-License-Identifier: GPL-3.0-or-later
// The recording of a GPU under the launch that is modelled, with every number worked out by hand.
#include "tests/qt_tests.h"
#include "tests/views/launchmap_traces.h"
#include "tests/views/pictures.h"
#include "views/charts/chart_kind.h"
#include "views/charts/chart_table.h"
#include "views/common/beside.h"
#include "views/common/ghost.h"
#include "views/launchmap/launchmap_picture.h"
#include "views/launchmap/launchmap_view.h"
#include "views/occupancy/occupancy_view.h"
#include "views/timeline/timeline_ghost.h"
#include "views/timeline/timeline_view.h"

#include <QTest>

#include <cmath>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

// Eight blocks of one warp on eight places: one wave of the duration. The warps of the first two blocks are recorded.
std::shared_ptr<Trace> run(Origin origin, std::int64_t duration, std::int64_t later = 0, int detailed = 2) {
    test::Schedule schedule;
    schedule.duration = duration;
    schedule.origin = origin;
    auto trace = test::scheduled(schedule);
    for (Block& block : trace->blocks) {
        block.start.value += later;
        block.end.value += later;
    }
    trace->launches[0].start.value += later;
    trace->launches[0].end.value += later;
    for (int b = 0; b < detailed; ++b)
        test::addDetail(*trace, std::uint32_t(b), LaneMask{0xffffu});
    return trace;
}

} // namespace

class TestTimelineGhost : public QObject {
    Q_OBJECT
private slots:
    void onlyAGpusRecordingOfTheSameLaunchIsOne() {
        const auto modelled = run(Origin::Modelled, 1000);
        QVERIFY(recordsLaunchOf(*run(Origin::Measured, 1200), *modelled));
        QVERIFY(!recordsLaunchOf(*run(Origin::Modelled, 1200), *modelled)); // no GPU's
        QVERIFY(!recordsLaunchOf(*modelled, *run(Origin::Measured, 1200))); // the wrong way round
        auto other = run(Origin::Measured, 1200);
        other->launches[0].grid = Dim3{9};
        QVERIFY(!recordsLaunchOf(*other, *modelled));
        other = run(Origin::Measured, 1200);
        other->kernels[0].name += "2";
        QVERIFY(!recordsLaunchOf(*other, *modelled));
        other = run(Origin::Measured, 1200);
        other->info.mode =
            modelled->info.mode == CompileMode::AsWritten ? CompileMode::Optimised : CompileMode::AsWritten;
        QVERIFY(!recordsLaunchOf(*other, *modelled));
        other = run(Origin::Measured, 1200);
        other->info.timeUnit = TimeUnit::Steps;
        QVERIFY(!recordsLaunchOf(*other, *modelled));
    }

    // 39,421 ns with probes, 1,408 without: a model of 3,183 is 126 % too slow, not 92 % too fast.
    void aModelIsHeldAgainstTheRunWithoutProbes() {
        const auto modelled = run(Origin::Modelled, 3183), recorded = run(Origin::Measured, 39421);
        QCOMPARE(ghostTimes(*recorded, *modelled).measured.value, 39421);
        QVERIFY(ghostProbesText(ghostTimes(*recorded, *modelled)).isEmpty());
        recorded->kernels[0].cleanDurationNs = 1408;
        const GhostTimes times = ghostTimes(*recorded, *modelled);
        QCOMPARE(times.measured.value, 1408);
        QCOMPARE(times.recorded.value, 39421);
        QCOMPARE(ghostErrorText(times.error()), QStringLiteral("+126 %"));
        QVERIFY(ghostProbesText(times).contains(QStringLiteral("39.421 µs")));
        const Theme theme = Theme::make(ThemeKind::Light);
        const double wide = paintGhostKey(nullptr, {0, 0, 2000, 20}, times, theme);
        const double less = paintGhostKey(nullptr, {0, 0, wide - 10, 20}, times, theme); // without the probes
        QVERIFY(less < wide - 50);
        QVERIFY(paintGhostKey(nullptr, {0, 0, less - 10, 20}, times, theme) < less - 50); // the tints are explained
    }

    // Recorded 500 later and 1200 long: in the model's time from 0 to 1200. Of the second block the GPU's recording has no
    // warps: its own start and end serve.
    void bothLaunchesBeginTogether() {
        const auto modelled = run(Origin::Modelled, 1000), recorded = run(Origin::Measured, 1200, 500, 1);
        const TimelineGhostPtr ghost = timelineGhost(modelled, recorded);
        QVERIFY(ghost);
        QCOMPARE(ghost->spans.size(), modelled->warps.size());
        const Time start = modelled->launches[0].start;
        for (std::size_t w = 0; w < 2; ++w) {
            QCOMPARE((ghost->spans[w].begin - start).value, 0);
            QCOMPARE((ghost->spans[w].end - start).value, 1200);
        }
        QCOMPARE(ghost->running(start + Time{600}), std::size_t(2));
        QCOMPARE(ghost->running(start + Time{1300}), std::size_t(0));
        QVERIFY(std::abs(ghost->times.error() + 100.0 / 6) < 1e-9); // 1000 of 1200: a sixth too fast
        QVERIFY(!timelineGhost(modelled, nullptr));
        QVERIFY(!timelineGhost(recorded, recorded));
    }

    void theDifferenceIsWhatOnlyOneHas() {
        const GhostDifference late = differenceOf({{0}, {1000}}, {{100}, {1200}});
        QCOMPARE(late.modelOnly, (std::vector<TimeRange>{{{0}, {100}}}));
        QCOMPARE(late.gpuOnly, (std::vector<TimeRange>{{{1000}, {1200}}}));
        const GhostDifference within = differenceOf({{0}, {1000}}, {{100}, {900}});
        QCOMPARE(within.modelOnly, (std::vector<TimeRange>{{{0}, {100}}, {{900}, {1000}}}));
        QVERIFY(within.gpuOnly.empty());
        const GhostDifference apart = differenceOf({{0}, {10}}, {{20}, {30}});
        QCOMPARE(apart.modelOnly, (std::vector<TimeRange>{{{0}, {10}}}));
        QCOMPARE(apart.gpuOnly, (std::vector<TimeRange>{{{20}, {30}}}));
    }

    // The GPU was faster: the last fifth of each warp is the model's alone, and hatched in its colour.
    void whatOnlyTheModelHasIsTinted() {
        const auto view = makeTimelineView();
        PaintContext c;
        c.trace = run(Origin::Modelled, 1000);
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            c.theme = Theme::make(kind);
            c.ghost = nullptr;
            const QImage alone = pictureOf(*view, c, {1200, 600});
            c.ghost = run(Origin::Measured, 800, 0);
            const QImage faster = pictureOf(*view, c, {1200, 600});
            keep(faster, QStringLiteral("timeline-ghost-%1").arg(int(kind)));
            QVERIFY(differingPixels(alone, faster) > 0.002);
            QVERIFY(pixelsLike(faster, c.theme.originMeasured) > pixelsLike(alone, c.theme.originMeasured) + 50);
            // Another launch's recording changes nothing.
            auto other = run(Origin::Measured, 800);
            other->launches[0].grid = Dim3{9};
            c.ghost = other;
            QCOMPARE(differingPixels(alone, pictureOf(*view, c, {1200, 600})), 0.0);
        }
    }

    // Of 1,000 and 1,200 long, from 500 later on: at 1,100 the model is done and the GPU is not. Eight blocks are resident
    // in both as long as they run; of the GPU's last 200 the model has none.
    void theLaunchMapShowsBoth() {
        const auto modelled = run(Origin::Modelled, 1000), recorded = run(Origin::Measured, 1200, 500);
        const LaunchMapGhostPtr ghost = launchMapGhost(modelled, 0, recorded);
        QVERIFY(ghost);
        const Time start = modelled->launches[0].start;
        QVERIFY(ghost->state(3, start + Time{600}) == BlockState::Resident);
        QVERIFY(ghost->state(3, start + Time{1100}) == BlockState::Resident);
        QVERIFY(ghost->state(3, start + Time{1200}) == BlockState::Done);
        QVERIFY(!ghost->state(8, start)); // there is none
        QCOMPARE(ghost->meanResident({start, start + Time{1200}}), 8.0);
        QCOMPARE(ghost->meanResident({start + Time{1000}, start + Time{1400}}), 4.0);
        QVERIFY(!launchMapGhost(modelled, 1, recorded) && !launchMapGhost(modelled, 0, modelled));

        const auto view = makeLaunchMapView();
        PaintContext c;
        c.trace = modelled;
        c.theme = Theme::make(ThemeKind::Light);
        c.options["parts"] = "device";
        c.selection.time = start + Time{1100};
        const QSize size(1100, 620);
        const QImage alone = pictureOf(*view, c, size);
        c.ghost = recorded;
        const QImage both = pictureOf(*view, c, size);
        keep(both, QStringLiteral("launchmap-ghost"));
        QVERIFY(pixelsLike(both, c.theme.originMeasured) > pixelsLike(alone, c.theme.originMeasured) + 100);
        const auto picture = view->compose(c, QRectF(QPointF(), size));
        const auto* map = dynamic_cast<const LaunchMapPicture*>(picture.get());
        QVERIFY(map && map->scene().ghost);
        QCOMPARE(map->scene().chart.window.length().value, 1200); // the GPU's end is in sight
        const QString tip = picture->spotAt(map->scene().grid.tileRect(3).center()).toolTip;
        QVERIFY2(tip.contains(QStringLiteral("on the GPU: SM %1").arg(recorded->blocks[3].sm)), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("1,200 ns (measured)")), qPrintable(tip));
        c.other = run(Origin::Modelled, 900); // two are compared with one another, and with nothing else
        QVERIFY(!dynamic_cast<const LaunchMapPicture&>(*view->compose(c, QRectF(QPointF(), size))).scene().ghost);
    }

    // Eight blocks of one warp on 4 SMs of 64 warps each: 8 of 256 slots are 3.125 %.
    void chartAndOccupancyShowWhatTheGpuHad() {
        auto modelled = run(Origin::Modelled, 1000), recorded = run(Origin::Measured, 1200);
        for (const auto& trace : {modelled, recorded}) {
            trace->info.ccMajor = 9;
            trace->info.ccMinor = 0;
        }
        PaintContext c;
        c.trace = modelled;
        c.theme = Theme::make(ThemeKind::Light);
        c.options["chart"] = "residency";
        QCOMPARE(chartOf(c, *tableToShow(c)).panels[0].series.size(), 1);
        c.ghost = recorded;
        const Chart chart = chartOf(c, *tableToShow(c));
        QCOMPARE(chart.panels[0].series.size(), 2);
        const ChartSeries &model = chart.panels[0].series[0], &gpu = chart.panels[0].series[1];
        QVERIFY(model.name.contains("modelled") && gpu.name.contains("measured on Paper GPU"));
        QCOMPARE(gpu.points.first().y, 100 * 8.0 / 256);
        QVERIFY(gpu.points.first().origin == Origin::Measured && model.points.first().origin == Origin::Modelled);
        QCOMPARE(gpu.points.last().x / model.points.last().x, 1.2);
        QVERIFY(chart.notes.join(' ').contains(QStringLiteral("model 1,000 ns, GPU 1,200 ns (−17 %)")));
        QCOMPARE(chart.legend.size(), 2);

        const auto view = makeOccupancyView();
        c.options = {};
        const QImage both = pictureOf(*view, c, {1100, 640});
        keep(both, QStringLiteral("occupancy-ghost"));
        c.ghost = nullptr;
        const QImage alone = pictureOf(*view, c, {1100, 640});
        QVERIFY(pixelsLike(both, c.theme.originMeasured) > pixelsLike(alone, c.theme.originMeasured) + 50);
        auto other = run(Origin::Measured, 1200);
        other->launches[0].grid = Dim3{9};
        c.ghost = other;
        QCOMPARE(differingPixels(alone, pictureOf(*view, c, {1100, 640})), 0.0);
    }

    void theComparedTraceHasNone() {
        PaintContext c;
        c.trace = run(Origin::Modelled, 1000);
        c.other = run(Origin::Modelled, 900);
        c.ghost = run(Origin::Measured, 800);
        QVERIFY(!contextOfOther(c).ghost);
    }
};

WARPGLASS_QT_TEST(TestTimelineGhost)
#include "test_timeline_ghost.moc"
