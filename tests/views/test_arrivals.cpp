// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that begin in one moment come one after the other while it plays; and what else is not told before it is there.
#include "tests/qt_tests.h"
#include "tests/views/contexts.h"
#include "tests/views/launchmap_traces.h"
#include "tests/views/pictures.h"
#include "tests/views/scheduler_traces.h"
#include "tests/views/text_places.h"
#include "views/launchmap/launchmap_picture.h"
#include "views/launchmap/launchmap_scene.h"
#include "views/launchmap/launchmap_view.h"
#include "views/memory/memory_layout.h"
#include "views/scheduler/scheduler_view.h"
#include "views/timeline/timeline_view.h"

#include <QtTest>

#include <cmath>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

// Four places, six blocks of 100: four begin at 0, two at 100.
std::shared_ptr<Trace> sixBlocks() {
    return test::traceOf({{0, 100, 0}, {0, 100, 1}, {0, 100, 0}, {0, 100, 1}, {100, 200, 0}, {100, 200, 1}}, Dim3{6},
                         Dim3{32}, 2);
}

Selection playing(std::int64_t time, std::int64_t to, double way) {
    Selection s;
    s.time = {time};
    s.motion = {true, {to}, way};
    return s;
}

QStringList textsOf(const View& view, const PaintContext& context) {
    constexpr QSize sheet(1100, 640);
    TextPlaces device(sheet);
    QPainter painter(&device);
    Progress nobody;
    view.compose(context, QRectF(QPointF(), QSizeF(sheet)), nobody, nullptr)->paint(painter);
    painter.end();
    QStringList texts;
    for (const TextPlace& place : device.places())
        texts << place.text;
    return texts;
}

} // namespace

class TestArrivals : public QObject {
    Q_OBJECT
private slots:
    // Three quarters of the moment are theirs. The n-th of four leaves at n * 0.7 / 4 of that and is there 0.3 later:
    // at 0.3, 0.475, 0.65 and 0.825 of it, 0.225, 0.35625, 0.4875 and 0.61875 of the moment.
    void blocksOfOneMomentComeOneAfterTheOther() {
        const auto trace = sixBlocks();
        const LaunchMapModel model(*trace, 0, std::nullopt);
        const auto at = [&](double way) { return arrivalsOf(model, playing(0, 100, way)); };
        QCOMPARE(at(0).blocks, (std::vector<std::uint32_t>{0, 1, 2, 3}));
        const std::pair<double, std::size_t> landed[] = {{0, 0},    {0.22, 0}, {0.23, 1}, {0.35, 1},
                                                         {0.36, 2}, {0.49, 3}, {0.61, 3}, {0.62, 4}};
        for (const auto& [way, count] : landed)
            QCOMPARE(at(way).landed, count);
        QCOMPARE(at(0).left, std::size_t(1));                // the first sets out
        QCOMPARE(at(0.14).left, std::size_t(2));             // the second at 0.175 * 0.75 = 0.13125
        QVERIFY(std::abs(at(0.1125).wayOf(0) - 0.5) < 1e-9); // 0.15 of 0.3
        QVERIFY(arrivalsOf(model, playing(0, 100, 1)).blocks.empty());
        QVERIFY(arrivalsOf(model, playing(50, 100, 0.1)).blocks.empty()); // nobody begins then
        Selection rest;
        QVERIFY(arrivalsOf(model, rest).blocks.empty());
    }

    void whoIsOnTheWayWaits() {
        const auto trace = sixBlocks();
        PaintContext context = contextOf(trace);
        const auto model = std::make_shared<const LaunchMapModel>(*trace, 0, std::nullopt);
        const auto sceneAt = [&](const Selection& selection) {
            context.selection = selection;
            return launchMapScene(QRectF(0, 0, 900, 600), context, model);
        };
        const LaunchMapScene half = sceneAt(playing(0, 100, 0.4)); // two of four have landed
        QCOMPARE(half.counts().resident, std::uint64_t(2));
        QCOMPARE(half.counts().waiting, std::uint64_t(4));
        QVERIFY(half.stateOf(trace->blocks[1]) == BlockState::Resident);
        QVERIFY(half.stateOf(trace->blocks[2]) == BlockState::Waiting);
        int held = 0;
        for (int sm = 0; sm < 2; ++sm)
            for (int place = 0; place < half.device.places; ++place)
                held += half.blockIn(sm, place) != noIndex;
        QCOMPARE(held, 2);
        Selection rest; // not playing: as it was
        QCOMPARE(sceneAt(rest).counts().resident, std::uint64_t(4));
        // In the second wave the first four are done while the others come.
        const LaunchMapScene second = sceneAt(playing(100, 200, 0));
        QCOMPARE(second.counts().done, std::uint64_t(4));
        QCOMPARE(second.counts().waiting, std::uint64_t(2));
    }

    // Blocks an SM: of the four that begin at 0 two have landed at 0.4, blocks 0 and 1, on SM 0 and on SM 1.
    void barsOfSmsGrowAsBlocksLand() {
        const auto trace = sixBlocks();
        PaintContext context = contextOf(trace);
        context.selection = playing(0, 100, 0.4);
        const auto view = makeLaunchMapView();
        const QStringList said = textsOf(*view, context);
        QVERIFY2(said.contains(QStringLiteral("1 on every SM")), qPrintable(said.join('|')));
        context.selection = playing(0, 100, 0.7); // all have
        QVERIFY(textsOf(*view, context).contains(QStringLiteral("2 on every SM")));
        context.selection = playing(100, 200, 0.1); // the fifth has set out, and none of the second wave is there
        QVERIFY(textsOf(*view, context).contains(QStringLiteral("2 on every SM")));
    }

    // Pinned: the same six blocks one after the other on one SM of one place, 600 long where B takes 200. A had six on SM 0
    // and none on SM 1, one resident at any time, five full waves and one more.
    void thePinnedRunStandsBehindTheMap() {
        PaintContext context = contextOf(sixBlocks());
        context.pinned =
            test::traceOf({{0, 100, 0}, {100, 200, 0}, {200, 300, 0}, {300, 400, 0}, {400, 500, 0}, {500, 600, 0}},
                          Dim3{6}, Dim3{32}, 2);
        const auto view = makeLaunchMapView();
        const PicturePtr picture = view->compose(context, QRectF(0, 0, 1100, 640));
        const LaunchMapScene& scene = dynamic_cast<const LaunchMapPicture&>(*picture).scene();
        QVERIFY(scene.pinned);
        QCOMPARE(scene.pinned->model->balance().blocks, (std::vector<std::uint32_t>{6, 0}));
        QCOMPARE(scene.pinned->model->peakResident(), std::uint64_t(1));
        QCOMPARE(scene.chart.window.length().value, 600); // its end is to be seen, too
        QCOMPARE(pinnedAtText(scene, scene.model->range().begin + Time{550}),
                 QStringLiteral("A: 1 resident of 2 places"));
        const QStringList said = textsOf(*view, context);
        QVERIFY2(said.contains(QStringLiteral("A 600 ns")), qPrintable(said.join('|')));
        context.selection = playing(100, 200, 1);                                       // A has not ended by then
        QVERIFY(!launchMapScene(QRectF(0, 0, 1100, 640), context, scene.model).pinned); // given by the view alone
        context.pinned.reset();
        const PicturePtr alone = view->compose(context, QRectF(0, 0, 1100, 640));
        QVERIFY(!dynamic_cast<const LaunchMapPicture&>(*alone).scene().pinned);
    }

    // Two blocks on a device of 132 SMs with 32 places each, 4,224: as high as those the curve would not be seen, so that they
    // are named above it. Eight SMs with two places each and four blocks: a quarter of sixteen is seen well enough.
    void aChartOfFewBlocksShowsThem() {
        const auto trace = test::traceOf({{0, 100, 0}, {0, 100, 1}}, Dim3{2}, Dim3{64}, 132);
        PaintContext context = contextOf(trace);
        const auto said = [&](std::uint32_t placesOfSm) {
            const auto model = std::make_shared<const LaunchMapModel>(*context.trace, 0, placesOfSm);
            const LaunchMapScene scene = launchMapScene(QRectF(0, 0, 1100, 640), context, model);
            TextPlaces device({1100, 640});
            QPainter painter(&device);
            paintResidency(painter, scene);
            painter.end();
            QStringList texts;
            for (const TextPlace& place : device.places())
                texts << place.text;
            return texts.join('|');
        };
        QVERIFY2(said(32).contains(QStringLiteral("at most 2 together · \u2191 4,224 places")), qPrintable(said(32)));
        context.trace = test::traceOf({{0, 100, 0}, {0, 100, 1}, {0, 100, 2}, {0, 100, 3}}, Dim3{4}, Dim3{64}, 8);
        QVERIFY2(said(2).contains(QStringLiteral("16 places")) && !said(2).contains(QChar(0x2191)),
                 qPrintable(said(2)));
    }

    // Of several blocks, where they went; the click on one shows what is in it.
    void aClickOnABlockLooksIntoIt() {
        const auto trace = sixBlocks();
        const auto view = makeLaunchMapView();
        PaintContext context = contextOf(trace);
        const QRectF area(0, 0, 900, 600);
        const auto model = std::make_shared<const LaunchMapModel>(*trace, 0, std::nullopt);
        const LaunchMapScene scene = launchMapScene(area, context, model);
        QVERIFY(scene.layout.warps.isEmpty() && !scene.layout.chart.isEmpty());
        const Spot spot = spotAt(*view, area, context, scene.grid.tileRect(3).center());
        QVERIFY(spot.click);
        context.options = spot.click->options;
        context.selection = spot.click->selection;
        QVERIFY(!launchMapScene(area, context, model).layout.warps.isEmpty());
        QCOMPARE(context.selection.block, 3u);
        context.options.clear();
        context.paper = true; // there nobody clicks
        QVERIFY(!launchMapScene(area, context, model).layout.warps.isEmpty());
    }

    // At half of the run what lies to the right of it is empty while it plays, and not at rest.
    void theTimelineFillsAsItPlays() {
        const auto view = makeTimelineView();
        PaintContext context = contextOf(randomStates(400, 4, 7)); // 200 ns
        constexpr QSize sheet(1000, 600);
        const auto inkOf = [&](int from, int to) { // sums and rows, which begin right of their labels
            const QImage image = pictureOf(*view, context, sheet);
            int ink = 0;
            for (int y = 60; y < 460; ++y)
                for (int x = from; x < to; ++x)
                    ink += image.pixelColor(x, y) != context.theme.window;
            return ink;
        };
        const std::vector<Beat> beats = view->compose(context, QRectF(QPointF(), QSizeF(sheet)))->beats();
        QCOMPARE(beats.size(), std::size_t(65)); // 64 parts of 200 ns
        QCOMPARE(beats.front().time.value, 0);
        QCOMPARE(beats[32].time.value, 100);
        context.selection.time = {100};
        const int before = inkOf(300, 500), after = inkOf(700, 950);
        context.selection.motion = {true, {101}, 0};
        QCOMPARE(inkOf(300, 500), before);
        QVERIFY2(inkOf(700, 950) < after / 5, qPrintable(QStringLiteral("%1 %2").arg(inkOf(700, 950)).arg(after)));
    }

    // While it plays nobody reads off how long it will take: neither in words nor from the ruler.
    void theTimelineDoesNotTellItsEndBefore() {
        const auto view = makeTimelineView();
        PaintContext context = contextOf(randomStates(400, 4, 7));  // 200 ns
        const auto later = [](const QStringList& texts, int than) { // times that stand alone, in ns
            int most = 0;
            for (const QString& text : texts)
                if (text.endsWith(QStringLiteral(" ns")))
                    most = std::max(most, text.section(QLatin1Char(' '), -2, -2).toInt());
            return most > than;
        };
        context.selection.time = {100};
        const QStringList rest = textsOf(*view, context);
        QVERIFY2(rest.contains(QStringLiteral("200 ns")), qPrintable(rest.join('|')));
        context.selection.motion = {true, {100}, 1};
        const QStringList plays = textsOf(*view, context);
        QVERIFY2(plays.contains(QStringLiteral("so far 100 ns")), qPrintable(plays.join('|')));
        QVERIFY2(!later(plays, 100), qPrintable(plays.join('|')));
    }

    // tenCycles: issued at 0 1 5 6 7 8, 6 of 10. Two nanoseconds are from 1.5 on, cycle 3: four have passed, and two of
    // them issued.
    void theSchedulerTellsWhatHasBeenSoFar() {
        PaintContext context = contextOf(tenCycles());
        const auto view = makeSchedulerView();
        context.selection.time = {2}; // ns, at 2,000 MHz
        const QStringList rest = textsOf(*view, context);
        QVERIFY2(!rest.filter(QStringLiteral("whole run: 60.0 % of 10 cycles")).isEmpty(), qPrintable(rest.join('|')));
        context.selection.motion = {true, {2}, 0};
        const QStringList plays = textsOf(*view, context);
        QVERIFY(plays.filter(QStringLiteral("whole run:")).isEmpty());
        QVERIFY2(!plays.filter(QStringLiteral("so far: 50.0 % of 4 cycles")).isEmpty(), qPrintable(plays.join('|')));
    }
};

WARPGLASS_QT_TEST(TestArrivals)
#include "test_arrivals.moc"
