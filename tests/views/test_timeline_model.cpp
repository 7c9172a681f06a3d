// SPDX-License-Identifier: GPL-3.0-or-later
// The pyramid against a plain sum over all items; layout and zoom by hand-worked numbers; the view driven by a mouse.
#include "tests/qt_tests.h"
#include "tests/views/sample_traces.h"
#include "views/common/marks.h"
#include "views/common/view_widget.h"
#include "views/timeline/timeline_layout.h"
#include "views/timeline/timeline_view.h"

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <random>
#include <set>

using namespace warpglass;

namespace {

std::vector<TimelineItem> randomItems(int count, unsigned seed, std::int64_t longest) {
    std::mt19937 random(seed);
    std::vector<TimelineItem> items;
    std::int64_t at = 1'000'000;
    for (int i = 0; i < count; ++i) {
        const std::int64_t length = std::int64_t(random() % std::uint64_t(longest));
        items.push_back({{at}, {at + length}, std::uint8_t(random() % 2), {std::uint32_t(random())}});
        at += length + (random() % 4 == 0 ? std::int64_t(random() % std::uint64_t(longest)) : 0); // gaps are idle
    }
    return items;
}

TimelinePyramid pyramidOf(const std::vector<TimelineItem>& items) {
    TimelinePyramid pyramid(2, {items.front().begin, items.back().end});
    for (const TimelineItem& item : items)
        pyramid.add(item);
    pyramid.finish();
    return pyramid;
}

TimelineColumns drawn(const TimelinePyramid& pyramid, const std::vector<TimelineItem>& items, TimeRange window,
                      std::size_t width) {
    TimelineColumns columns;
    columns.reset(width, 2);
    pyramid.accumulate(window, columns, [&](std::size_t node, TimelineFiller& filler) {
        for (std::size_t i = node * pyramidFoot; i < std::min((node + 1) * pyramidFoot, items.size()); ++i)
            filler.add(items[i].begin, items[i].end, items[i].category, items[i].lanes.bits);
    });
    return columns;
}

// Time of a category inside a window, item by item: what the pyramid must add up to.
double plainSum(const std::vector<TimelineItem>& items, TimeRange window, int category) {
    double sum = 0;
    for (const TimelineItem& item : items)
        if (item.category == category)
            sum += double(std::max<std::int64_t>(0, std::min(item.end, window.end).value -
                                                        std::max(item.begin, window.begin).value));
    return sum;
}

} // namespace

class TestTimelineModel : public QObject {
    Q_OBJECT
private slots:
    void timeInAllColumnsIsTimeInTheWindow_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("width");
        for (int count : {1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129, 5000, 40000})
            for (int width : {1, 100, 1900})
                QTest::addRow("%d items on %d px", count, width) << count << width;
    }
    void timeInAllColumnsIsTimeInTheWindow() {
        QFETCH(int, count);
        QFETCH(int, width);
        const auto items = randomItems(count, unsigned(count), 300);
        const TimelinePyramid pyramid = pyramidOf(items);
        const TimeRange window{items.front().begin, items.back().end};
        if (window.length().value == 0)
            return; // one item without length
        const TimelineColumns columns = drawn(pyramid, items, window, std::size_t(width));
        const double perUnit = double(width) / double(window.length().value);
        for (int k = 0; k < 2; ++k) {
            double sum = 0;
            for (std::size_t c = 0; c < columns.size(); ++c)
                sum += double(columns.share(c, k));
            const double expected = plainSum(items, window, k) * perUnit;
            QVERIFY2(std::abs(sum - expected) <= 0.01 + 1e-3 * expected,
                     qPrintable(QString("category %1: %2, not %3").arg(k).arg(sum).arg(expected)));
        }
        for (std::size_t c = 0; c < columns.size(); ++c)
            QVERIFY(columns.busy(c) < 1.02f);
    }

    void aZoomedWindowShowsEachItemWithSharpEdges() {
        // Three items of 100 units each: runs, waits, runs. Ten columns of 30 units: column 3 (90 to 120) is a third of
        // the first item and two thirds of the second.
        const std::vector<TimelineItem> items = {
            {{0}, {100}, 0, LaneMask::all()}, {{100}, {200}, 1, LaneMask::of(3)}, {{200}, {300}, 0, LaneMask::all()}};
        const TimelineColumns columns = drawn(pyramidOf(items), items, {{0}, {300}}, 10);
        QVERIFY(std::abs(columns.share(3, 0) - 1.0f / 3) < 1e-5f);
        QVERIFY(std::abs(columns.share(3, 1) - 2.0f / 3) < 1e-5f);
        QCOMPARE(columns.dominant(3), 1);
        QCOMPARE(columns.count(3), 2u);
        QCOMPARE(columns.any(3), LaneMask::all());
        QCOMPARE(columns.all(3), LaneMask::of(3));
        QCOMPARE(columns.dominant(0), 0);
    }

    void nothingIsDrawnWhereNothingHappened() {
        const std::vector<TimelineItem> items = {{{0}, {10}, 0, LaneMask::all()}, {{90}, {100}, 0, LaneMask::all()}};
        const TimelineColumns columns = drawn(pyramidOf(items), items, {{0}, {100}}, 10);
        QCOMPARE(columns.dominant(0), 0);
        for (std::size_t c = 1; c < 9; ++c)
            QCOMPARE(columns.dominant(c), -1);
        QCOMPARE(columns.dominant(9), 0);
    }

    void zoomKeepsTheTimeUnderThePointer() {
        const TimeAxis scale{{{1000}, {2000}}, 50, 500};
        for (double x : {50.0, 123.0, 300.0, 549.0}) {
            const TimeRange next = scale.zoomed(x, 0.5, {{0}, {10000}});
            QCOMPARE(next.length().value, std::int64_t(500));
            const TimeAxis after{next, 50, 500};
            QVERIFY(std::abs((after.time(x) - scale.time(x)).value) <= 2);
        }
    }

    void windowsStayInsideTheRun() {
        const TimeAxis scale{{{1000}, {2000}}, 0, 500};
        QCOMPARE(scale.shifted(10000, {{500}, {4000}}).begin.value, std::int64_t(500));
        QCOMPARE(scale.shifted(-10000, {{500}, {4000}}).end.value, std::int64_t(4000));
        const TimeRange all{{500}, {4000}};
        QCOMPARE(scale.zoomed(250, 100, all), all);
    }

    void wheelZoomsAtThePointerAndDragPans() {
        SelectionModel selection;
        ViewWidget widget(makeTimelineView(), &selection);
        widget.resize(1000, 600);
        widget.setTrace(samples::manyBranches(2000));
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QTRY_VERIFY(widget.picture());
        const QPoint at(600, 400);
        const auto wheel = [&](int notches) {
            QWheelEvent event(QPointF(at), widget.mapToGlobal(QPointF(at)), {}, QPoint(0, 120 * notches), Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&widget, &event);
        };
        wheel(5);
        const TimeRange near = selection.get().visible;
        QVERIFY(near.length().value > 0);
        QVERIFY(near.length() < widget.context().trace->range().length());
        QTest::mousePress(&widget, Qt::LeftButton, {}, at);
        QTest::mouseMove(&widget, at + QPoint(-60, 0));
        QTest::mouseMove(&widget, at + QPoint(-120, 0));
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, at + QPoint(-120, 0));
        QVERIFY(selection.get().visible.begin > near.begin); // content moved left: later times show
        QCOMPARE(selection.get().visible.length(), near.length());
        QTest::keyClick(&widget, Qt::Key_Home);
        QCOMPARE(selection.get().visible, TimeRange{});
    }

    // One cycle at 1980 MHz is half a nanosecond: a state as short as that is in the picture, and so in its legend.
    void aStateOfOneCycleOccurs() {
        auto trace = std::make_shared<Trace>(*samples::divergent20of32());
        trace->info.timeUnit = TimeUnit::Nanoseconds;
        trace->info.smClockMHz = 1980;
        Warp& warp = trace->warps.front();
        warp.firstState = 0;
        warp.stateCount = 3;
        trace->states.push_back({.begin = {0}, .end = {20}, .state = WarpState::Selected});
        trace->states.push_back({.begin = {20}, .end = {21}, .state = WarpState::StallDrain});
        trace->states.push_back({.begin = {21}, .end = {40}, .state = WarpState::Selected});
        Progress progress;
        const auto model = buildTimelineModel(trace, 0, TimelineGrouping::Hardware, progress);
        QVERIFY(model && model->hasStates());
        QVERIFY(model->occurs(int(WarpState::Selected)));
        QVERIFY(model->occurs(int(WarpState::StallDrain)));
        QVERIFY(!model->occurs(int(WarpState::StallBarrier)));
    }

    // The timing model follows a launch until its budget is used up. Behind that a warp still runs: 40 cycles of 1 ns of
    // 100 ns are followed, so from 40 to 100 one warp is known to run.
    void aWarpThatIsFollowedNoLongerStillRuns() {
        auto trace = std::make_shared<Trace>(*samples::divergent20of32());
        trace->info.timeUnit = TimeUnit::Nanoseconds;
        trace->info.smClockMHz = 1000;
        trace->launches[0].start = trace->blocks[0].start = {0};
        trace->launches[0].end = trace->blocks[0].end = {100};
        Warp& warp = trace->warps.front();
        warp.start = {0};
        warp.end = {100};
        warp.firstState = 0;
        warp.stateCount = 2;
        trace->states.push_back({.begin = {0}, .end = {20}, .state = WarpState::Selected});
        trace->states.push_back({.begin = {20}, .end = {40}, .state = WarpState::StallDrain});
        trace->pyramid = nullptr;
        Progress progress;
        const auto model = buildTimelineModel(trace, 0, TimelineGrouping::Hardware, progress);
        QVERIFY(model && model->hasStates());
        QCOMPARE(model->known.average({{0}, {100}}, 5), (std::vector<float>{0, 0, 1, 1, 1}));
        QCOMPARE(model->groups[0].known.average({{0}, {100}}, 5), (std::vector<float>{0, 0, 1, 1, 1}));
        warp.end = {41}; // a rounding
        QVERIFY(buildTimelineModel(trace, 0, TimelineGrouping::Hardware, progress)->known.empty());
    }

    // What a picture takes over from the one before must not be seen: every picture of a walk is the one that would have
    // been made from nothing.
    void aPictureThatFollowsAnotherIsTheSame() {
        PaintContext context;
        context.trace = samples::neighbored(false);
        context.theme = Theme::make(ThemeKind::Light);
        const auto view = makeTimelineView();
        PicturePtr before;
        const auto painted = [&](const PicturePtr& picture, double ratio, Qt::GlobalColor below) {
            QImage image(QSize(900, 500) * ratio, QImage::Format_RGB32);
            image.setDevicePixelRatio(ratio);
            image.fill(below); // which must not be seen, either
            QPainter painter(&image);
            paintPicture(*picture, painter);
            painter.end();
            return image;
        };
        const auto follows = [&](const char* what) {
            Progress progress;
            before = view->compose(context, QRectF(0, 0, 900, 500), progress, before);
            const PicturePtr alone = view->compose(context, QRectF(0, 0, 900, 500));
            for (const double ratio : {1.0, 2.0, 1.0, 1.5})
                QVERIFY2(painted(before, ratio, Qt::magenta) == painted(alone, ratio, Qt::cyan), what);
        };
        follows("first");
        const TimeRange all = context.trace->range();
        context.selection.visible = {all.begin, all.begin + Time{all.length().value / 3}};
        follows("zoomed");
        context.selection.visible = {all.begin + Time{3}, context.selection.visible.end + Time{3}};
        follows("panned");
        context.selection.warp = 1;
        follows("another row is marked");
        context.options["rowHeight"] = 31.5;
        follows("higher rows");
        context.options["scroll"] = 20.5;
        follows("scrolled");
        context.options["toggled"] = "0";
        follows("folded");
        context.theme = Theme::make(ThemeKind::Dark);
        follows("dark");
        context.theme = Theme::make(ThemeKind::Dark, 1.4);
        follows("larger");
        context.options["rows"] = "program";
        follows("by blocks");
    }

    // Nodes that lie anywhere, counted by hand: two columns and a half from 3.25 to 5.25 (75 % of a column, all of the
    // next, 25 %), one that ends on a border, one without width.
    void narrowThingsAreSpreadOverTheirColumns() {
        TimelineColumns columns;
        columns.reset(6, 2);
        columns.spreadNarrow(3.25, 5.25, 1.0f, 0.5f, 16, 0xf0u, 0x30u);
        const float expected[] = {0, 0, 0, 0.375f, 0.5f, 0.125f};
        for (std::size_t c = 0; c < 6; ++c) {
            QCOMPARE(columns.share(c, 0), expected[c]);
            QCOMPARE(columns.share(c, 1), expected[c] / 2);
            QCOMPARE(columns.count(c), c < 3 ? 0u : 16u);
            QCOMPARE(columns.any(c).bits, c < 3 ? 0u : 0xf0u);
            QCOMPARE(columns.all(c).bits, c < 3 ? ~0u : 0x30u);
        }
        columns.spreadNarrow(1.5, 2.0, 0.5f, 0, 3, 1, 1);
        QCOMPARE(columns.share(1, 0), 0.5f);
        QCOMPARE(columns.count(2), 0u);
        columns.spreadNarrow(0.5, 0.5, 0, 0, 1, 8, 8);
        QCOMPARE(columns.count(0), 1u);
        QCOMPARE(columns.any(0).bits, 8u);
        QCOMPARE(columns.count(1), 3u);
    }

    // One SM, 0 to 1000. The recorded block lives from 100 to 200 with its warps; three others of two warps each are
    // known by their spans alone: 0 to 500, 250 to 500, and 600 to 1000 on another SM.
    static TracePtr mostlyNotRecorded() {
        auto trace = std::make_shared<Trace>(*samples::mathKernel(false));
        Launch& launch = trace->launches[0];
        launch.start = {0};
        launch.end = {1000};
        launch.block = {64};
        Block& first = trace->blocks[0];
        first.start = {100};
        first.end = {200};
        first.sm = 0;
        for (Warp& warp : trace->warps) {
            warp.start = {100};
            warp.end = {200};
        }
        trace->blocks.resize(1);
        const auto known = [&](std::int64_t start, std::int64_t end, std::uint16_t sm) {
            Block block;
            block.index = std::uint32_t(trace->blocks.size());
            block.start = {start};
            block.end = {end};
            block.sm = sm;
            trace->blocks.push_back(block);
        };
        known(0, 500, 0);
        known(250, 500, 0);
        known(600, 1000, 1);
        launch.blockCount = 4;
        trace->pyramid = nullptr;
        return trace;
    }

    void blocksThatWereNotRecordedRanAllTheSame() {
        const TracePtr trace = mostlyNotRecorded();
        Progress progress;
        const auto model = buildTimelineModel(trace, 0, TimelineGrouping::Hardware, progress);
        QVERIFY(model);
        // Four parts of 250: 2 warps; 2 + 2; 2 warps for 400 of 500 in the last two, of which 150 and 250.
        const std::vector<float> all = model->known.average({{0}, {1000}}, 4);
        QCOMPARE(all, (std::vector<float>{2.0f, 4.0f, 2 * 150 / 250.0f, 2.0f}));
        // On SM 0 nothing is known after 500.
        QCOMPARE(model->groups.size(), std::size_t(1));
        QCOMPARE(model->groups[0].known.average({{0}, {1000}}, 4), (std::vector<float>{2, 4, 0, 0}));
        // However close one looks: 240 to 260 in two halves.
        QCOMPARE(model->known.average({{240}, {260}}, 2), (std::vector<float>{2, 4}));
    }

    // With the two recorded warps: 2 + 2 from 100 on, 4 from 250 on, none from 500, 2 from 600.
    void theScaleEndsWithTheMostWarpsThatWereThereAtOnce() {
        const TracePtr trace = mostlyNotRecorded();
        QCOMPARE(trace->warps.size(), std::size_t(2));
        Progress progress;
        const auto model = buildTimelineModel(trace, 0, TimelineGrouping::Hardware, progress);
        const auto most = [&](std::int64_t begin, std::int64_t end) {
            return model->atOnce.most({Time{begin}, Time{end}});
        };
        QCOMPARE(most(0, 1000), 4u);
        QCOMPARE(most(0, 100), 2u); // the end is not part of it
        QCOMPARE(most(0, 101), 4u);
        QCOMPARE(most(200, 250), 2u); // and who ends where it begins has gone
        QCOMPARE(most(500, 600), 0u);
        QCOMPARE(most(550, 1000), 2u);
        // Many, one after the other in two slots: never more than two, wherever one looks.
        WarpsAtOnce places;
        for (std::int64_t i = 0; i < 2000; ++i)
            for (int slot = 0; slot < 2; ++slot)
                places.add({Time{10 * i}, Time{10 * i + 10}}, 1);
        places.add({Time{10'000}, Time{10'005}}, 5);
        places.finish();
        for (std::int64_t at = 0; at < 20'000; at += 37)
            QCOMPARE(places.most({Time{at}, Time{at + 3000}}), at + 3000 > 10'000 && at < 10'005 ? 7u : 2u);
    }

    void theTimelineOpensOnWhatWasRecorded() {
        const TracePtr trace = mostlyNotRecorded();
        Progress progress;
        const auto model = buildTimelineModel(trace, 0, TimelineGrouping::Hardware, progress);
        const TimeRange frame = model->frameAt({150});
        QCOMPARE(frame.begin.value, 96); // 100 to 200 with a 25th of it at each side
        QCOMPARE(frame.end.value, 204);
        QCOMPARE(model->frameAt({900}).begin.value, 96); // the last stretch before
        // A trace of which every block was recorded is shown whole.
        const auto whole = buildTimelineModel(samples::divergent20of32(), 0, TimelineGrouping::Hardware, progress);
        QVERIFY(whole->known.empty());
        QCOMPARE(whole->frameAt({1}).begin.value, whole->range.begin.value);
        QCOMPARE(whole->frameAt({1}).end.value, whole->range.end.value);
    }

    void whatWasNotRecordedIsNoBlank() {
        // In the strip of the whole run no column between 0 and 1000 but those from 500 to 600 is empty.
        PaintContext context;
        context.trace = mostlyNotRecorded();
        context.theme = Theme::make(ThemeKind::Light);
        const auto view = makeTimelineView();
        const PicturePtr picture = view->compose(context, QRectF(0, 0, 1000, 600));
        QImage image(1000, 600, QImage::Format_RGB32);
        image.fill(context.theme.window);
        QPainter painter(&image);
        picture->paint(painter);
        painter.end();
        Progress progress;
        const auto model = buildTimelineModel(context.trace, 0, TimelineGrouping::Hardware, progress);
        const TimelineLayout layout = timelineLayout(QRectF(0, 0, 1000, 600), *model, lineHeight(context.theme.body()),
                                                     20, 0, model->frameAt({0}), {});
        const QRectF& where = layout.overview;
        const auto marked = [&](double share) {
            const int x = int(where.left() + share * where.width()), y = int(where.bottom()) - 4;
            std::set<QRgb> colours; // the veil over what is out of sight mixes, but one ground stays one colour
            for (int dx = -6; dx <= 6; ++dx)
                colours.insert(image.pixel(x + dx, y));
            return colours.size() > 1;
        };
        QVERIFY(marked(0.3));
        QVERIFY(marked(0.4));
        QVERIFY(marked(0.8));
        QVERIFY(!marked(0.55));
    }

    void clickSelectsTheWarpAndSnapsToAnEvent() {
        SelectionModel selection;
        ViewWidget widget(makeTimelineView(), &selection);
        widget.resize(1000, 600);
        const TracePtr trace = samples::divergent20of32();
        widget.setTrace(trace);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QTRY_VERIFY(widget.picture());
        widget.grab();
        // Go down the left third of the rows until a warp is hit.
        bool found = false;
        for (int y = 120; y < 560 && !found; y += 4) {
            QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(500, y));
            found = selection.get().warp != noIndex;
        }
        QVERIFY(found);
        QVERIFY(selection.get().warp < trace->warps.size());
        QCOMPARE(selection.get().block, trace->warps[selection.get().warp].block);
    }
};

WARPGLASS_QT_TEST(TestTimelineModel)
#include "test_timeline_model.moc"
