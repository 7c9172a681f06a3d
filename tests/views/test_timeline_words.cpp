// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline says in words, and which times it opens on. One warp of one block, 32 threads, at 2,000 MHz (a
// nanosecond is two cycles): it begins 1,200 ns after the launch, comes to the barrier of line 3 at 1,300, goes on to
// the branch of line 4 at 1,900, and ends at 2,200.
#include "tests/qt_tests.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "tests/views/text_places.h"
#include "views/common/marks.h"
#include "views/timeline/timeline_layout.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_text.h"
#include "views/timeline/timeline_view.h"

#include <QtTest>

using namespace warpglass;

namespace {

constexpr QRectF area(0, 0, 1200, 600);

TracePtr lateWarp(bool withStates) {
    samples::TraceMaker m("late",
                          "__global__ void late() {\n    work();\n    __syncthreads();\n    if (threadIdx.x & 1)\n"
                          "        work();\n}\n",
                          ".visible .entry late()\n{\n\tmov.u32 %r1, %tid.x;\n\tbar.sync 0;\n\t@%p1 bra $L;\n"
                          "\tmov.u32 %r2, 1;\n$L:\n\tret;\n}\n",
                          {{3, 2}, {4, 3}, {5, 4}, {6, 5}});
    const auto entry = m.site(SiteKind::Entry, 3), barrier = m.site(SiteKind::Barrier, 4),
               branch = m.site(SiteKind::Branch, 5), exit = m.site(SiteKind::Exit, 8);
    const LaneMask all = LaneMask::all(), even{0x55555555u};
    m.trace().info.timeUnit = TimeUnit::Nanoseconds;
    m.trace().info.smClockMHz = 2000;
    m.launch({1}, {32});
    m.block(0);
    m.trace().blocks[0].start = {1200};
    m.warp(all, {1200});
    m.event(1200, entry, EventKind::Entry, all);
    m.event(1300, barrier, EventKind::BarrierArrive, all);
    m.event(1900, branch, EventKind::Branch, all, even); // the odd lanes enter
    m.event(2100, exit, EventKind::Exit, all, all);
    m.endWarp(2200);
    if (withStates) {
        Warp& warp = m.trace().warps[0];
        warp.stateCount = 4;
        m.trace().states.push_back({{2400}, {2600}, WarpState::Selected, 3});
        m.trace().states.push_back({{2600}, {3800}, WarpState::StallBarrier, 4});
        m.trace().states.push_back({{3800}, {3840}, WarpState::Selected, 4});
        m.trace().states.push_back({{3840}, {4400}, WarpState::StallBranchResolving, 5});
    }
    return m.finish();
}

PaintContext tallRows(TracePtr trace, ThemeKind theme = ThemeKind::Light) {
    PaintContext c;
    c.trace = std::move(trace);
    c.theme = Theme::make(theme);
    c.options["rowHeight"] = 40.0;
    return c;
}

struct Laid {
    std::shared_ptr<const TimelineModel> model;
    TimelineLayout layout;
    QRectF row; // of the warp
};
Laid laidOut(const PaintContext& c) {
    Laid laid;
    Progress progress;
    laid.model = buildTimelineModel(c.trace, 0, TimelineGrouping::Hardware, progress);
    const TimeRange visible =
        c.selection.visible.length().value > 0 ? c.selection.visible : laid.model->frameAt(c.selection.time);
    laid.layout = timelineLayout(area, *laid.model, lineHeight(c.theme.body()), 40, 0, visible, {});
    const TimelineLine& line = laid.layout.lines.at(1); // [0] is the head of the SM
    laid.row = {laid.layout.rows.left(), line.y, laid.layout.rows.width(), line.height};
    return laid;
}

QString tipAt(const PaintContext& c, std::int64_t time) {
    const Laid laid = laidOut(c);
    return samples::spotAt(*makeTimelineView(), area, c, {laid.layout.scale.x({time}), laid.row.center().y()}).toolTip;
}

} // namespace

class TestTimelineWords : public QObject {
    Q_OBJECT
private slots:
    void aLineIsCalledALine() {
        const TracePtr trace = lateWarp(false);
        const auto named = [&](std::uint32_t n) { return eventName(*trace, trace->event(trace->warps[0], n)); };
        QCOMPARE(named(1), QString("waits at the barrier, line 3"));
        QCOMPARE(named(2), QString("branch, line 4: 16/32"));
        QCOMPARE(lineName(*trace, 0, 8), QString("PTX line 8")); // ret belongs to no line of the source
        QCOMPARE(lineCode(*trace, 0, 4), QString("__syncthreads();"));
        QCOMPARE(lineCode(*trace, 0, 8), QString("ret;"));
    }

    void aToolTipSaysHowLongAndWhichLine() {
        const QString tip = tipAt(tallRows(lateWarp(false)), 1500);
        QVERIFY2(tip.contains("waits at the barrier, line 3: __syncthreads();"), qPrintable(tip));
        QVERIFY2(tip.contains("from 1,300 ns, for 600 ns = 1,200 cycles"), qPrintable(tip));
    }

    void aToolTipOfAStateSaysItsCyclesAndItsInstruction() {
        const QString tip = tipAt(tallRows(lateWarp(true)), 2000); // cycles 3,840 to 4,400: 560
        QVERIFY2(tip.contains("for 560 cycles, line 4: if (threadIdx.x & 1)"), qPrintable(tip));
        QVERIFY2(tip.contains("branch, line 4: 16/32"), qPrintable(tip));
        QVERIFY2(tip.contains("from 1,900 ns, for 200 ns = 400 cycles"), qPrintable(tip));
    }

    // The warp runs for 1,000 of 2,200 ns. What is shown: its time and a 25th of it before; the run ends with it.
    void aSmallLaunchIsNotShownHalfEmpty() {
        const PaintContext c = tallRows(lateWarp(false));
        const Laid laid = laidOut(c);
        QCOMPARE(laid.layout.scale.window.begin.value, std::int64_t(1160));
        QCOMPARE(laid.layout.scale.window.end.value, std::int64_t(2200));
    }

    // The three states that occur and four steps of lanes: every colour has its name, however narrow the view is.
    void aNarrowLegendNamesEveryColour() {
        const PaintContext c = tallRows(lateWarp(true));
        QStringList names;
        for (const auto& entry : timelineLegend(*laidOut(c).model, c.theme))
            names << entry.label;
        QCOMPARE(names.size(), 7);
        for (const int width : {360, 640, 1600}) {
            samples::TextPlaces device({width, 600});
            QPainter painter(&device);
            makeTimelineView()->compose(c, QRectF(0, 0, width, 600))->paint(painter);
            painter.end();
            for (const QString& name : names)
                QVERIFY2(std::any_of(device.places().begin(), device.places().end(),
                                     [&](const auto& place) { return place.text == name; }),
                         qPrintable(QString("%1 at %2").arg(name).arg(width)));
        }
    }

    // Home shows the whole run, and once more what a timeline opens on.
    void homeShowsEverything() {
        const auto view = makeTimelineView();
        PaintContext c = tallRows(lateWarp(false));
        const KeyInput home{Qt::Key_Home, Qt::NoModifier};
        QVERIFY(samples::answers(*view, area, c, home));
        QCOMPARE(c.selection.visible, (TimeRange{{0}, {2200}}));
        QVERIFY(samples::answers(*view, area, c, home));
        QCOMPARE(c.selection.visible, TimeRange{});
    }

    // The cursor at the launch's start is not among the times in sight: an arrow at the left end says so.
    void aCursorOutOfSightIsPointedAt() {
        const auto view = makeTimelineView();
        PaintContext c = tallRows(lateWarp(false));
        const Laid laid = laidOut(c);
        const QRect edge(int(laid.layout.rows.left()), int(laid.layout.ruler.top()), 8,
                         int(laid.layout.ruler.height()));
        const auto arrow = [&](std::int64_t now) {
            c.selection.time = {now};
            return samples::pixelsLike(samples::pictureOf(*view, c, area.size().toSize()), c.theme.attention, edge);
        };
        QVERIFY(arrow(0) > 15);
        QCOMPARE(arrow(1800), 0);
    }

    // A state that waits is hatched with the panel's colour. Behind words there is no hatch: between the begin of the
    // span and its first letter no pixel has that colour.
    void noHatchStrikesWordsThrough() {
        for (const bool states : {false, true})
            for (const ThemeKind theme : {ThemeKind::Light, ThemeKind::Dark}) {
                const PaintContext c = tallRows(lateWarp(states), theme);
                const Laid laid = laidOut(c);
                const QImage image = samples::pictureOf(*makeTimelineView(), c, area.size().toSize());
                samples::keep(image, QStringLiteral("timeline-words-%1-%2").arg(states).arg(int(theme)));
                const double left = laid.layout.scale.x({1300});
                const double words = textWidth(c.theme.small(), "waits at the barrier, line 3");
                const QRect place(int(left) + 2, int(laid.row.top()) + 3, int(words), int(laid.row.height() * 0.6));
                const QColor ground = c.theme.state(WarpState::StallBarrier);
                const QRect before(place.left(), place.top(), 2, place.height());
                QCOMPARE(samples::pixelsLike(image, ground, before, 2), before.width() * before.height());
                // Words there are: ink that stands out from the ground.
                QVERIFY(samples::pixelsLike(image, inkOn(ground), place, 60) > 30);
                // Farther on in the same wait the hatch is there.
                const QRect later(place.right() + 20, place.top(), 80, place.height());
                QVERIFY(samples::pixelsLike(image, c.theme.panel, later, 2) > 20);
            }
    }

    // Contrast of words on each state's colour is 4.5 to 1 at least wherever black or white can reach it; 4.58 is what
    // the better of the two gives on the worst grey (luminance 0.179).
    void inkStandsOutFromEveryGround() {
        QCOMPARE(inkOn(Qt::white), QColor(0x10161c));
        QCOMPARE(inkOn(Qt::black), QColor(Qt::white));
        QCOMPARE(inkOn(QColor(0xf0e442)), QColor(0x10161c));  // yellow
        QCOMPARE(inkOn(QColor(0x0072b2)), QColor(Qt::white)); // blue
    }
};

WARPGLASS_QT_TEST(TestTimelineWords)
#include "test_timeline_words.moc"
