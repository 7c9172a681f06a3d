// SPDX-License-Identifier: GPL-3.0-or-later
// The launch map in a window: a real mouse and keyboard.
#include "tests/qt_tests.h"
#include "tests/views/launchmap_traces.h"
#include "tests/views/pictures.h"
#include "tests/views/text_places.h"
#include "views/common/marks.h"
#include "views/launchmap/launchmap_picture.h"
#include "views/launchmap/launchmap_view.h"

#include <QTest>
#include <QWheelEvent>

#include <cmath>

using namespace warpglass;
using namespace warpglass::test;

namespace {

struct Window {
    SelectionModel selection;
    ViewWidget widget;
    explicit Window(TracePtr trace, QSize size = {1280, 720}) : widget(makeLaunchMapView(), &selection) {
        widget.setTrace(std::move(trace));
        widget.setOption(QStringLiteral("show"), QStringLiteral("all"));
        widget.resize(size);
        widget.show();
        QVERIFY2(QTest::qWaitForWindowExposed(&widget), "no window");
    }
    LaunchMapScene scene() { return dynamic_cast<const LaunchMapPicture*>(widget.picture())->scene(); }
    void click(QPointF at) { QTest::mouseClick(&widget, Qt::LeftButton, {}, at.toPoint()); }
    void wheel(QPointF at, int steps) {
        QWheelEvent e(at, widget.mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
        QCoreApplication::sendEvent(&widget, &e);
    }
    void drag(QPointF from, QPointF to) {
        QTest::mousePress(&widget, Qt::LeftButton, {}, from.toPoint());
        for (int i = 1; i <= 4; ++i) {
            const QPointF at = from + (to - from) * i / 4;
            QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                             Qt::NoModifier);
            QCoreApplication::sendEvent(&widget, &move);
        }
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, to.toPoint());
    }
};

Schedule small() {
    Schedule s;
    s.grid = {8, 4};
    s.block = {40, 2};
    s.smCount = 4;
    s.blocksPerSm = 2;
    s.spread = 100;
    return s;
}

// The launch as it is at half of its time.
PaintContext halfway(const Schedule& schedule) {
    PaintContext c;
    c.trace = scheduled(schedule);
    c.theme = Theme::make(ThemeKind::Light);
    c.selection.time = {(c.trace->launches[0].start.value + c.trace->launches[0].end.value) / 2};
    return c;
}

} // namespace

class TestLaunchMap : public QObject {
    Q_OBJECT
private slots:
    void aClickOnATileChoosesItsBlock() {
        Window w(scheduled(small()));
        w.click(w.scene().grid.tileRect(8 * 2 + 5).center()); // (5, 2): third row, sixth column of 8
        QCOMPARE(w.selection.get().block, 21u);
        QCOMPARE(w.scene().block, 21u);
        QVERIFY(w.widget.picture()
                    ->spotAt(w.scene().grid.tileRect(21).center())
                    .toolTip.contains(QStringLiteral("(5, 2)")));
    }

    void aClickOnAnSmChoosesTheBlockItHoldsNow() {
        auto trace = scheduled(small());
        Window w(trace);
        w.selection.setTime(trace->blocks[21].start);
        const LaunchMapScene s = w.scene();
        w.click(s.device.placeRect(trace->blocks[21].sm, s.model->place(21)).center());
        QCOMPARE(w.selection.get().block, 21u);
    }

    void clicksGoDownToWarpAndLane() {
        auto trace = scheduled(small());
        addDetail(*trace, 3, LaneMask{0xff});
        Window w(trace);
        w.click(w.scene().grid.tileRect(3).center());
        QCOMPARE(w.selection.get().block, 3u);
        // Thread (39, 1) of 40 x 2 is number 79: warp 2, lane 15.
        w.click(w.scene().threadCells.threadRect({39, 1, 0}).center());
        QCOMPARE(trace->warps[w.selection.get().warp].warpInBlock, std::uint16_t(2));
        QCOMPARE(w.selection.get().lane, 15);
        // The lane beside it holds no thread: the warp stays, no lane is chosen.
        w.click(w.scene().warps.laneRect(2, 16).center());
        QCOMPARE(trace->warps[w.selection.get().warp].warpInBlock, std::uint16_t(2));
        QCOMPARE(w.selection.get().lane, -1);
        w.click(w.scene().lanes.cellRect(1, 7).center());
        QCOMPARE(w.selection.get().lane, 7);
    }

    void theWheelZoomsAtThePointer() {
        Window w(scheduled(small()));
        const QPointF at = w.scene().grid.tileRect(13).center();
        const QPointF before((at - w.scene().grid.tileRect(0).topLeft()) / w.scene().grid.tile.width());
        w.wheel(at, 4);
        const LaunchMapScene s = w.scene();
        QVERIFY(s.grid.zoom.factor > 2);
        const QPointF after((at - s.grid.tileRect(0).topLeft()) / s.grid.tile.width());
        QVERIFY(std::abs(before.x() - after.x()) < 1e-6 && std::abs(before.y() - after.y()) < 1e-6);
        QCOMPARE(*s.grid.blockAt(at), std::uint64_t(13));
        w.wheel(at, -20);
        QCOMPARE(w.scene().grid.zoom.factor, 1.0);
    }

    void draggingPansTheZoomedGridAndChoosesNothing() {
        Window w(scheduled(small()));
        const QPointF at = w.scene().grid.area.center();
        w.wheel(at, 5);
        const QRectF before = w.scene().grid.tileRect(10);
        w.drag(at, at + QPointF(-60, 30));
        const QPointF moved = w.scene().grid.tileRect(10).topLeft() - before.topLeft();
        QVERIFY2(std::abs(moved.x() + 60) < 1.5 && std::abs(moved.y() - 30) < 1.5,
                 qPrintable(QStringLiteral("%1 %2").arg(moved.x()).arg(moved.y())));
        QCOMPARE(w.selection.get().block, noIndex);
    }

    void aClickInTheChartSetsTheTime() {
        auto trace = scheduled(small());
        Window w(trace);
        const QRectF chart = w.scene().layout.chart;
        w.click({chart.left() + chart.width() / 2, chart.center().y()});
        const double share =
            double((w.selection.get().time - trace->range().begin).value) / double(trace->range().length().value);
        QVERIFY2(std::abs(share - 0.5) < 0.01, qPrintable(QString::number(share)));
    }

    void theWheelInTheChartZoomsTimeAtThePointer() {
        Window w(scheduled(small()));
        const QRectF chart = w.scene().layout.chart;
        const QPointF at(chart.left() + chart.width() * 0.7, chart.center().y());
        const Time before = w.scene().chart.time(at.x());
        w.wheel(at, 3);
        QVERIFY(w.scene().chart.window.length() < w.scene().model->range().length());
        QVERIFY(std::abs((w.scene().chart.time(at.x()) - before).value) <= 2);
        w.wheel(at, -10);
        QVERIFY(w.scene().chart.window == w.scene().model->range());
    }

    void keysMoveTheBlockAndTheLane() {
        auto trace = scheduled(small());
        addDetail(*trace, 9, LaneMask{0xff});
        Window w(trace);
        w.widget.setFocus();
        QTest::keyClick(&w.widget, Qt::Key_Right); // the first key chooses block 0
        QCOMPARE(w.selection.get().block, 0u);
        QTest::keyClick(&w.widget, Qt::Key_Right);
        QTest::keyClick(&w.widget, Qt::Key_Down);
        QCOMPARE(w.selection.get().block, 9u); // (1, 1)
        QTest::keyClick(&w.widget, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(&w.widget, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(w.selection.get().lane, 1);
        QTest::keyClick(&w.widget, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(trace->warps[w.selection.get().warp].warpInBlock, std::uint16_t(1));
        QTest::keyClick(&w.widget, Qt::Key_F);
        QVERIFY(w.scene().grid.tile.height() > 40);
        QVERIFY(w.scene().grid.area.contains(w.scene().grid.tileRect(9).center()));
        QTest::keyClick(&w.widget, Qt::Key_Home);
        QCOMPARE(w.scene().grid.zoom.factor, 1.0);
    }

    void periodAndCommaStepFromChangeToChange() {
        // Blocks start at 0 and end at 10, 15, ...: the steps are those of the model's own test.
        auto trace = traceOf({{0, 10, 0}, {0, 15, 1}, {10, 20, 0}}, {3}, {64}, 2);
        Window w(trace);
        w.widget.setFocus();
        QTest::keyClick(&w.widget, Qt::Key_Period);
        QCOMPARE(w.selection.get().time.value, 10);
        QTest::keyClick(&w.widget, Qt::Key_Period);
        QCOMPARE(w.selection.get().time.value, 15);
        QTest::keyClick(&w.widget, Qt::Key_Comma);
        QCOMPARE(w.selection.get().time.value, 10);
    }

    void everyTileIsWhereItsPointerSaysItIs() {
        // For many shapes, at two zooms: the middle of each tile in sight points back to its block.
        for (const Dim3 grid :
             {Dim3{7}, Dim3{1000}, Dim3{32, 24}, Dim3{5, 4, 6}, Dim3{1, 300}, Dim3{4096, 2}, Dim3{3, 3, 70}}) {
            for (const double factor : {1.0, 3.0}) {
                const GridGeometry g = gridGeometry(grid, {10, 20, 600, 300}, {factor, {0.3, 0.6}}, 14);
                int seen = 0;
                for (std::uint64_t n = 0; n < grid.count(); ++n) {
                    const QPointF at = g.tileRect(n).center();
                    if (g.area.contains(at)) {
                        QCOMPARE(g.blockAt(at).value_or(~0ull), n);
                        ++seen;
                    }
                }
                QVERIFY(seen > 0 && (factor > 1 || std::uint64_t(seen) == grid.count()));
            }
        }
    }

    void panelsDoNotOverlap() {
        for (const QSizeF size : {QSizeF(1280, 720), QSizeF(1920, 1080), QSizeF(800, 760), QSizeF(640, 480)}) {
            for (const LaunchMapParts parts : {LaunchMapParts::All, LaunchMapParts::Device, LaunchMapParts::Block}) {
                const LaunchMapLayout l = launchMapLayout(QRectF({0, 0}, size), 14, parts, 6, 8);
                const QVector<QRectF> panels{l.title,        l.gridTitle,  l.grid,        l.gridLegend,   l.deviceTitle,
                                             l.device,       l.deviceNote, l.chartTitle,  l.chart,        l.chartRuler,
                                             l.balanceTitle, l.balance,    l.balanceNote, l.threadsTitle, l.threads,
                                             l.threadsNote,  l.warpsTitle, l.warps,       l.lanesTitle,   l.lanes};
                for (int i = 0; i < panels.size(); ++i) {
                    QVERIFY(panels[i].isEmpty() || QRectF({0, 0}, size).contains(panels[i]));
                    for (int j = i + 1; j < panels.size(); ++j) {
                        const QRectF both = panels[i].intersected(panels[j]);
                        QVERIFY2(both.width() < 0.5 || both.height() < 0.5,
                                 qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
                    }
                }
            }
        }
    }

    // 4,096 blocks in a view of 370 px: the legend of the grid ends before the note of the device begins.
    void wordsOfASmallViewDoNotRunIntoEachOther() {
        Schedule s = small();
        s.grid = {64, 64};
        const auto trace = scheduled(s);
        Window w(trace, {370, 480});
        Selection middle = w.selection.get();
        middle.time = {(trace->launches[0].start.value + trace->launches[0].end.value) / 2};
        w.selection.set(middle);
        const LaunchMapScene scene = w.scene();
        const BlockCounts counts = scene.model->counts(scene.now);
        QVERIFY(counts.done > 0 && counts.resident > 0 && counts.waiting > 0);
        const QRectF legend = scene.layout.gridLegend;
        const QRect between = QRectF(legend.right() + 2, legend.top(),
                                     scene.layout.deviceNote.left() - legend.right() - 4, legend.height())
                                  .toRect();
        QVERIFY(between.width() > 10 && between.height() > 8);
        const QImage image = w.widget.grab(between).toImage();
        const QColor ground = image.pixelColor(0, 0);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                QCOMPARE(image.pixelColor(x, y), ground);
    }

    // Where tiles are too small for a hatch of their own it goes over all that never ran: a fifth of their pixels at least,
    // and no pixel of those that are done.
    void whatNeverRanIsHatchedHoweverSmall() {
        Schedule s = small();
        s.grid = {64, 64};
        const auto ran = scheduled(s);
        auto stopped = std::make_shared<Trace>(*ran);
        const Time end = ran->launches[0].end;
        for (std::size_t n = 2048; n < 4096; ++n)
            stopped->blocks[n].start = stopped->blocks[n].end = end;
        const auto strokes = [&](const TracePtr& trace) {
            Window w(trace, {370, 480});
            Selection last = w.selection.get();
            last.time = end;
            last.block = noIndex;
            w.selection.set(last);
            const LaunchMapScene scene = w.scene();
            const QRect area = scene.grid.area.toRect();
            return std::pair(samples::pixelsLike(w.widget.grab(area).toImage(), scene.theme.textMuted, {}, 2),
                             area.width() * area.height());
        };
        QCOMPARE(strokes(ran).first, 0);
        const auto [drawn, all] = strokes(stopped);
        QVERIFY2(drawn > all / 16 && drawn < all / 2, qPrintable(QString::number(drawn)));
    }

    void aTitleKeepsItsNumberAndLosesItsClauses() {
        const QFont font = Theme::make(ThemeKind::Light).body();
        const QString title = QStringLiteral("Device: 132 SMs, up to 4 blocks each");
        QCOMPARE(fittedTitle(title, font, 1000), title);
        QCOMPARE(fittedTitle(title, font, textWidth(font, title) - 5), QString("Device: 132 SMs"));
        QCOMPARE(fittedTitle(QStringLiteral("Grid: 4,096 blocks"), font, 20),
                 QString("Grid: 4,096 blocks")); // one number
    }

    // Two runs of 30,000 blocks of 512 threads beside each other in a window of 1280 px with both sides open.
    void twoRunsBesideEachOtherKeepTheirWordsWhole() {
        Schedule s;
        s.grid = {30000};
        s.block = {512};
        s.smCount = 132;
        s.blocksPerSm = 4;
        PaintContext c = halfway(s);
        c.other = c.trace;
        c.selection.block = 0;
        constexpr QSize size(650, 444);
        PicturePtr both;
        for (const char* show : {"auto", "all"}) {
            c.options[QStringLiteral("show")] = QLatin1String(show);
            both = makeLaunchMapView()->compose(c, QRectF(QPointF(), size));
            samples::TextPlaces device(size);
            QPainter painter(&device);
            both->paint(painter);
            painter.end();
            const QStringList wrong = samples::misplaced(device.places(), size);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
            int counted = 0;
            for (const samples::TextPlace& place : device.places()) {
                QVERIFY2(!place.text.contains(QChar(0x2026)), qPrintable(place.text));
                counted += place.text == QLatin1String("30,000 blocks");
            }
            QCOMPARE(counted, 2);
        }
        const WarpGeometry& warps = dynamic_cast<const LaunchMapPicture&>(*both).scene().warps;
        QVERIFY(warps.cellWidth > 0.75); // 32 lanes in 24 px
    }

    // 16 warps in 185 px, with labels of 45: four columns would leave -7 px for the 32 lanes of each, two leave 39.
    void columnsOfWarpsLeaveRoomForLanes() {
        const QRectF area(0, 0, 185, 72);
        const WarpGeometry warps = warpGeometry(area, 16, 45, 14);
        QCOMPARE(warps.columns, 2u);
        QCOMPARE(warps.cellWidth, 39.5 / 32);
        QVERIFY(area.contains(warps.laneRect(15, 31)));
        QCOMPARE(warpGeometry({0, 0, 400, 72}, 16, 45, 14).columns, 4u);
        QCOMPARE(warpGeometry({0, 0, 140, 72}, 16, 45, 14).columns, 1u); // two would leave 17 px
    }

    void statesAreNamedWhileTheirGapsCanShrink() {
        Schedule s;
        s.grid = {3907};
        s.block = {256};
        s.smCount = 132;
        s.blocksPerSm = 8;
        PaintContext c = halfway(s);
        const auto legend = [&](int width) {
            samples::TextPlaces device({width, 480});
            QPainter painter(&device);
            makeLaunchMapView()->compose(c, QRectF(0, 0, width, 480))->paint(painter);
            painter.end();
            QVector<samples::TextPlace> states;
            for (const samples::TextPlace& place : device.places())
                for (const char* state : {"done", "resident", "waiting"})
                    if (place.text.startsWith(QLatin1String(state) + QLatin1Char(' ')) && place.text.back().isDigit())
                        states << place;
            return states;
        };
        qreal usual = 0, least = 0;
        for (int width = 500; width <= 900; width += 10)
            if (const QVector<samples::TextPlace> states = legend(width); states.size() == 3) {
                usual = states[1].where.left() - states[0].where.right();
                least = least > 0 ? std::min(least, usual) : usual;
            } else {
                QVERIFY(states.isEmpty()); // all are named, or none
            }
        QVERIFY(least > 0 && least < usual - 4);
    }

    void anEmptyViewSaysWhy() {
        const auto view = makeLaunchMapView();
        QVERIFY(view->emptiness({})->why.size() > 20);
        auto dropped = scheduled(small());
        dropped->launches[0].status = LaunchStatus::Dropped;
        dropped->launches[0].reason = "more than 2048 launches were pending";
        PaintContext c;
        c.trace = dropped;
        QVERIFY(view->emptiness(c)->why.contains(QStringLiteral("2,048")));
    }

    void theTableHoldsEveryBlockWithUnitAndOrigin() {
        auto trace = scheduled(small());
        PaintContext c;
        c.trace = trace;
        const QStringList lines = samples::csvOf(*makeLaunchMapView(), c).trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 33); // header and 8 x 4 blocks
        QCOMPARE(lines[0].count(QLatin1Char(',')), lines[1].count(QLatin1Char(',')));
        QVERIFY(lines[22].startsWith(QStringLiteral("reduceNeighbored,0,21,5,2,0,"))); // block 21 is (5, 2)
        QVERIFY(lines[22].endsWith(QStringLiteral("ns,0,measured")));
    }

    void aClickInTheSecondTraceChoosesTheSameBlockInTheFirst() {
        Schedule s = small();
        auto first = scheduled(s);
        s.smCount = 2;
        auto second = scheduled(s);
        const auto view = makeLaunchMapView();
        PaintContext c;
        c.trace = first;
        c.other = second;
        c.theme = Theme::make(ThemeKind::Light);
        const QRectF area(0, 0, 1280, 720);
        const PicturePtr both = view->compose(c, area);
        const LaunchMapScene& there = dynamic_cast<const LaunchMapPicture&>(*both).scene(1);
        QVERIFY(there.grid.area.left() >= 646); // in the right half
        const Selection found = samples::clicked(*view, area, c, there.grid.tileRect(21).center());
        QCOMPARE(found.block, 21u);
    }
};

WARPGLASS_QT_TEST(TestLaunchMap)
#include "test_launchmap.moc"
