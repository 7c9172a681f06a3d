// SPDX-License-Identifier: GPL-3.0-or-later
// Another profiler's ranges over the warps that ran them. Two blocks of two warps of "add": block 0 runs from 1,000 to
// 2,000 ns, block 1 from 1,500 to 2,500; warp 1 of each begins 10 ns after warp 0.
#include "tests/qt_tests.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "tests/views/text_places.h"
#include "views/timeline/timeline_layer.h"
#include "views/timeline/timeline_text.h"
#include "views/timeline/timeline_view.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace warpglass;
using profilers::ScopeTrace;

namespace {

TracePtr addRun(TimeUnit unit = TimeUnit::Nanoseconds) {
    samples::TraceMaker m("add", "__global__ void add() {\n    work();\n}\n", ".visible .entry add()\n{\n\tret;\n}\n",
                          {{3, 2}});
    const auto entry = m.site(SiteKind::Entry, 3), exit = m.site(SiteKind::Exit, 3);
    m.trace().info.timeUnit = unit;
    m.launch({2}, {64});
    m.trace().launches[0].start = {1000};
    for (std::uint32_t b = 0; b < 2; ++b) {
        m.block(b, std::uint16_t(b));
        const std::int64_t start = 1000 + 500 * b;
        m.trace().blocks[b].start = {start};
        for (std::int64_t w = 0; w < 2; ++w) {
            m.warp(LaneMask::all(), {start + 10 * w});
            m.trace().warps.back().slot = std::uint16_t(w);
            m.event(start + 10 * w, entry, EventKind::Entry, LaneMask::all());
            m.event(start + 900, exit, EventKind::Exit, LaneMask::all(), LaneMask::all());
            m.endWarp(start + 1000);
        }
    }
    return m.finish();
}

// clockOfBlock: as Proton's, whose blocks all begin at 0; else as IKET's, whose GPU began at 40,000.
std::shared_ptr<ScopeTrace> ranges(bool clockOfBlock) {
    auto s = std::make_shared<ScopeTrace>();
    s->profiler = clockOfBlock ? "Proton" : "IKET";
    s->kernel = "add";
    s->names = {"load", "store", "mark"};
    s->clockOfBlock = clockOfBlock;
    s->begin = clockOfBlock ? 0 : 40'000;
    const std::int64_t second = clockOfBlock ? 0 : 500;                         // block 1 on the profiler's clock
    s->scopes = {{1, {0, 0, 0}, 0, s->begin + 300, s->begin + 700},             // store, around
                 {0, {0, 0, 0}, 0, s->begin + 400, s->begin + 500},             // load, in it
                 {2, {0, 0, 0}, 0, s->begin + 800, s->begin + 800},             // a marker
                 {0, {0, 0, 0}, 1, s->begin, s->begin + 250},                   // load of the other warp
                 {0, {1, 0, 0}, 1, s->begin + second, s->begin + second + 100}, // load of block 1
                 {0, {2, 0, 0}, 0, s->begin, s->begin + 1},
                 {0, {1, 0, 0}, 7, 0, 1}}; // of no block, of no warp
    return s;
}

} // namespace

class TestTimelineLayer : public QObject {
    Q_OBJECT
private slots:
    // Proton: block 0's first range is at 0 and its first warp at 1,000; block 1's at 0 and 1,500.
    void blocksOfAClockOfTheirOwnBeginWithTheirRanges() {
        const auto layer = timelineLayer(addRun(), ranges(true));
        QVERIFY(layer);
        QCOMPARE(layer->boxes[0].size(), std::size_t(3));
        QCOMPARE(layer->boxes[0][0].time, (TimeRange{{1300}, {1700}}));
        QCOMPARE(layer->boxes[0][0].depth, 0u);
        QCOMPARE(layer->boxes[0][1].time, (TimeRange{{1400}, {1500}}));
        QCOMPARE(layer->boxes[0][1].depth, 1u);
        QCOMPARE(layer->boxes[0][2].depth, 0u);
        QCOMPARE(layer->depth, 1u);
        QVERIFY(layer->boxes[2].empty());
        QCOMPARE(layer->boxes[3].size(), std::size_t(1));
        QCOMPARE(layer->boxes[3][0].time, (TimeRange{{1500}, {1600}}));
    }

    // IKET: 40,000 of its clock is the launch's start, 1,000; so 40,500 is 1,500.
    void aClockOfTheWholeGpuBeginsWithTheLaunch() {
        const auto layer = timelineLayer(addRun(), ranges(false));
        QVERIFY(layer);
        QCOMPARE(layer->boxes[1][0].time, (TimeRange{{1000}, {1250}}));
        QCOMPARE(layer->boxes[3][0].time, (TimeRange{{1500}, {1600}}));
    }

    void whatIsThereAtATime() {
        const auto layer = timelineLayer(addRun(), ranges(true));
        QCOMPARE(layer->at(0, {1450}, {1}).size(), std::size_t(2));
        QCOMPARE(layer->at(0, {1500}, {1}).size(), std::size_t(1)); // half open
        QCOMPARE(layer->at(0, {1795}, {10}).size(), std::size_t(1));
        QCOMPARE(layer->at(0, {1795}, {4}).size(), std::size_t(0));
        // 1,400 to 1,600: load of warp 0 for 100 of 200 ns, of block 1 for 100; store of warp 0 all the time.
        const std::vector<std::vector<double>> warps = layer->warpsIn({{1400}, {1600}});
        QCOMPARE(warps.size(), std::size_t(1));
        QCOMPARE(warps[0], (std::vector<double>{1.0, 1.0, 0.0}));
        // From 1,300 to 1,400 store alone; from 1,600 to 2,000 store for a quarter of the time.
        const std::vector<std::vector<double>> three = layer->warpsIn({{1300}, {1400}, {1600}, {2000}});
        QCOMPARE(three[0], (std::vector<double>{0.0, 1.0, 0.0}));
        QCOMPARE(three[1], warps[0]);
        QCOMPARE(three[2], (std::vector<double>{0.0, 0.25, 0.0}));
    }

    void thereIsNoneWithoutTimesOrWarps() {
        QVERIFY(!timelineLayer(addRun(TimeUnit::Steps), ranges(true)));
        QVERIFY(!timelineLayer(addRun(), nullptr));
        auto others = ranges(true);
        std::erase_if(others->scopes, [](const auto& s) { return s.block.x < 2 && s.warp < 2; });
        QVERIFY(!timelineLayer(addRun(), others));
    }

    void aFileOfAnotherKernelIsRefused() {
        const QString folder = QStringLiteral(WARPGLASS_SOURCE_DIR "/tests/profilers/data/");
        const auto found = scopesOf(*addRun(), (folder + "add.chrome_trace").toStdString());
        QVERIFY(found);
        QCOMPARE((*found)->scopes.size(), std::size_t(32));
        Trace other = *addRun();
        other.kernels[0].name = other.kernels[0].entry = "scale";
        const auto refused = scopesOf(other, (folder + "add.chrome_trace").toStdString());
        QVERIFY(!refused);
        QVERIFY2(refused.error().text().find("it tells of add, not of scale") != std::string::npos,
                 refused.error().text().c_str());
        QVERIFY(scopesOf(*addRun(TimeUnit::Steps), (folder + "add.chrome_trace").toStdString())
                    .error()
                    .text()
                    .find("not timed") != std::string::npos);
        QVERIFY(!scopesOf(*addRun(), (folder + "raw.csv").toStdString()));
    }

    void theyAreOverTheRowsInTheLegendTheTipAndTheTable() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            PaintContext c = contextOf(addRun(), kind);
            c.options["rowHeight"] = 40.0;
            const auto view = makeTimelineView();
            const QImage without = samples::pictureOf(*view, c, {1200, 600});
            c.layer = ranges(true);
            const QImage with = samples::pictureOf(*view, c, {1200, 600});
            samples::keep(with, QStringLiteral("timeline-layer-%1").arg(int(kind)));
            QVERIFY(samples::differingPixels(without, with) > 0.01);
        }
        PaintContext c = contextOf(addRun());
        c.options["rowHeight"] = 40.0;
        c.layer = ranges(true);
        const QRectF area(0, 0, 1200, 600);
        Progress progress;
        const auto model = buildTimelineModel(c.trace, 0, TimelineGrouping::Hardware, progress);
        const TimelineLayout layout =
            timelineLayout(area, *model, lineHeight(c.theme.body()), 40, 0, model->frameAt(c.selection.time), {});
        const TimelineLine& line = layout.lines.at(1);
        const QString tip =
            samples::spotAt(*makeTimelineView(), area, c, {layout.scale.x({1450}), line.y + line.height / 2}).toolTip;
        QVERIFY2(tip.contains("Proton: store, from 300 ns, for 400 ns"), qPrintable(tip));
        QVERIFY2(tip.contains("Proton: load, from 400 ns, for 100 ns"), qPrintable(tip));
        samples::TextPlaces device({1200, 600});
        QPainter painter(&device);
        makeTimelineView()->compose(c, area)->paint(painter);
        painter.end();
        for (const char* word : {"load (Proton)", "store", "mark (Proton)"})
            QVERIFY2(std::ranges::any_of(device.places(), [&](const auto& place) { return place.text == word; }), word);
        const QString table = samples::csvOf(*makeTimelineView(), c);
        QVERIFY2(table.section('\n', 0, 0).endsWith("warps_in_load,warps_in_store,warps_in_mark,origin"),
                 qPrintable(table.section('\n', 0, 0)));
    }
};

WARPGLASS_QT_TEST(TestTimelineLayer)
#include "test_timeline_layer.moc"
