// SPDX-License-Identifier: GPL-3.0-or-later
// The scheduler view with a real mouse and keyboard, and its pictures.
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "tests/views/scheduler_traces.h"
#include "tests/views/text_places.h"
#include "views/common/view_widget.h"
#include "views/scheduler/scheduler_picture.h"
#include "views/scheduler/scheduler_view.h"

#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace warpglass;

namespace {

constexpr QSize schedulerSize(1000, 640);

TracePtr withPolicy(const TracePtr& trace, const std::string& policy) {
    auto copy = std::make_shared<Trace>(*trace);
    copy->timings.front().policy = policy;
    return copy;
}

struct Shown {
    SelectionModel selection;
    ViewWidget widget{makeSchedulerView(), &selection};
    explicit Shown(const TracePtr& trace) {
        widget.setTrace(trace);
        widget.resize(schedulerSize);
        widget.show();
        if (!QTest::qWaitForWindowExposed(&widget))
            qFatal("no window");
        widget.setFocus();
        widget.grab(); // paints, and thereby prepares
    }
    const CyclesPicture& picture() { return dynamic_cast<const CyclesPicture&>(*widget.picture()); }
    const GridLayout& grid() { return picture().grids.front(); }
    qlonglong cycle() const { return widget.context().options.value("cycle").toLongLong(); }
};

} // namespace

class TestSchedulerView : public QObject {
    Q_OBJECT
private slots:
    // Beside another run its cycles are still of the first one alone, and it says so, where it has a title and where not.
    void besideAnotherRunItSaysWhoseCyclesItShows() {
        for (const QSize of : {QSize(1000, 640), QSize(1000, 330)}) {
            const auto tells = [&](const PaintContext& context) {
                samples::TextPlaces device(of);
                QPainter painter(&device);
                makeSchedulerView()->compose(context, QRectF(QPointF(), QSizeF(of)))->paint(painter);
                for (const samples::TextPlace& place : device.places())
                    if (place.text.contains(QStringLiteral("of the two runs, A alone")))
                        return true;
                return false;
            };
            QVERIFY(!tells(contextOf(samples::tenCycles())));
            QVERIFY(tells(contextOf(samples::tenCycles(), samples::tenCycles())));
        }
    }

    // The run goes on for 15 cycles behind the last of this scheduler: the clock that all views show stands there, and no
    // warp does. On paper, where no other clock is, it is its last cycle.
    void theCycleIsThatOfEveryClock() {
        auto trace = std::make_shared<Trace>(*samples::tenCycles());
        for (Launch& launch : trace->launches)
            launch.end = launch.end + Time{15};
        const auto texts = [&](std::int64_t since, bool paper) {
            samples::TextPlaces device(schedulerSize);
            QPainter painter(&device);
            PaintContext context = contextOf(trace);
            context.selection.time = trace->range().begin + Time{since};
            context.paper = paper;
            const PicturePtr picture = makeSchedulerView()->compose(context, QRectF(QPointF(), QSizeF(schedulerSize)));
            picture->paint(painter);
            QStringList all;
            for (const samples::TextPlace& place : device.places())
                all << place.text;
            return std::pair(
                all.join(QLatin1Char('\n')),
                dynamic_cast<const CyclesPicture&>(*picture).axis.model->clock.cycle(context.selection.time));
        };
        const auto [there, cycle] = texts(3, false);
        QVERIFY(there.contains(QStringLiteral("cycle %1: ").arg(cycle)) &&
                !there.contains(QStringLiteral("no warp is")));
        const auto [behind, later] = texts(20, false);
        QVERIFY(later > cycle + 10);
        QVERIFY2(behind.contains(QStringLiteral("cycle %1: no warp is there").arg(later)), qPrintable(behind));
        QVERIFY(!texts(20, true).first.contains(QStringLiteral("no warp is")));
    }

    void aRunWithoutCyclesSaysWhyAndOffersThem() {
        const auto view = makeSchedulerView();
        auto trace = std::make_shared<Trace>(*samples::tenCycles());
        trace->states.clear();
        for (Warp& warp : trace->warps)
            warp.stateCount = 0;
        const auto counted = view->emptiness(contextOf(trace));
        QVERIFY(counted && !counted->why.isEmpty());
        QCOMPARE(counted->action, QString("timing"));
        trace->info.backend = BackendKind::Cuda;
        const auto recorded = view->emptiness(contextOf(trace));
        QVERIFY(recorded && recorded->why != counted->why);
        QVERIFY(!view->emptiness(contextOf(samples::tenCycles())));
        // Two pages need no run at all.
        for (const char* page : {"example", "little"}) {
            PaintContext context = contextOf(nullptr);
            context.options["show"] = page;
            QVERIFY(!view->emptiness(context));
            QVERIFY(samples::pixelsLike(samples::pictureOf(*view, context, schedulerSize), context.theme.panel) > 1000);
        }
    }

    void policiesNeedMoreThanOneRun() {
        const auto view = makeSchedulerView();
        PaintContext context = contextOf(samples::tenCycles());
        context.options["show"] = "policies";
        QVERIFY(view->emptiness(context));
        QCOMPARE(view->emptiness(context)->action, QString("policies"));
        const TracePtr gto = withPolicy(context.trace, "gto"), gty = withPolicy(context.trace, "gty");
        context.companions = {gty, withPolicy(context.trace, "lrr"), gto}; // another run of the open one's policy
        QVERIFY(!view->emptiness(context));
        const std::vector<TracePtr> expected{context.trace, gto, gty}; // always in this order
        QVERIFY(policyTraces(context) == expected);
        QVERIFY(samples::csvOf(*view, context).contains("letters,gty,0,0,10,6,60.00,50.00"));
    }

    // Of two runs of 4 and 400 cycles the second one's end is shown: of the first one, which issued to its end, nothing is
    // there, and nothing is painted beside the rows.
    void aRunThatEndedBeforeIsNotPainted() {
        const auto view = makeSchedulerView();
        PaintContext context = contextOf(withPolicy(samples::lettersTrace({{{"SLLS"}}}), "gto"));
        std::string cycles;
        while (cycles.size() < 400)
            cycles += "SLLL";
        context.companions = {withPolicy(samples::lettersTrace({{{cycles}}}), "gty")};
        context.options["show"] = "policies";
        context.selection.time = Time{197}; // ns of two cycles
        const PicturePtr picture = view->compose(context, QRectF(QPointF(), QSizeF(schedulerSize)));
        const auto& grids = dynamic_cast<const GridPicture&>(*picture).grids;
        QCOMPARE(grids.size(), std::size_t(2));
        QVERIFY(grids.front().scale.window.begin > 10);
        QImage image(schedulerSize, QImage::Format_RGB32);
        QPainter painter(&image);
        paintPicture(*picture, painter);
        painter.end();
        for (const GridLayout& grid : grids) {
            const QRectF beside(0, grid.issue.top(), grid.issue.left() - 1, grid.issue.height());
            QCOMPARE(samples::pixelsLike(image, context.theme.good, beside.toRect()), 0);
        }
        QVERIFY(samples::pixelsLike(image, context.theme.good, grids.back().issue.toRect()) > 0);
    }

    void aNewTraceDropsTheCompanions() {
        Shown shown(samples::tenCycles());
        const TracePtr first = shown.widget.context().trace;
        shown.widget.setCompanions({withPolicy(first, "gto")});
        shown.widget.setTrace(first); // the same: they stay
        QCOMPARE(shown.widget.context().companions.size(), std::size_t(1));
        shown.widget.setTrace(samples::tenCycles());
        QVERIFY(shown.widget.context().companions.empty());
    }

    void keysStepByCycleInstructionAndBarrier() {
        Shown shown(samples::tenCycles()); // warp 0 issues at 0, 5, 7, 8; its barrier at 8
        QTest::keyClick(&shown.widget, Qt::Key_Right);
        QTest::keyClick(&shown.widget, Qt::Key_Right);
        QCOMPARE(shown.cycle(), 2);
        QCOMPARE(shown.selection.get().time, Time{1}); // half a nanosecond a cycle
        QTest::keyClick(&shown.widget, Qt::Key_Left);
        QCOMPARE(shown.cycle(), 1);
        QTest::keyClick(&shown.widget, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(shown.cycle(), 5);
        QTest::keyClick(&shown.widget, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(shown.cycle(), 8);
        QTest::keyClick(&shown.widget, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(shown.cycle(), 7);
        QTest::keyClick(&shown.widget, Qt::Key_Down); // the other warp, whose barrier is at 6
        QCOMPARE(shown.selection.get().warp, 1u);
        QTest::keyClick(&shown.widget, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(shown.cycle(), 6);
        for (int n = 0; n < 20; ++n)
            QTest::keyClick(&shown.widget, Qt::Key_Right);
        QCOMPARE(shown.cycle(), 9); // the last one
    }

    void buttonsInThePictureStepToo() {
        Shown shown(samples::tenCycles());
        const CyclesLayout layout = shown.picture().layout;
        const auto click = [&](StepButton button) {
            QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, layout.button[std::size_t(button)].center().toPoint());
        };
        click(StepButton::CycleOn);
        QCOMPARE(shown.cycle(), 1);
        click(StepButton::IssueOn);
        QCOMPARE(shown.cycle(), 5);
        click(StepButton::BarrierOn);
        QCOMPARE(shown.cycle(), 8);
        click(StepButton::IssueBack);
        QCOMPARE(shown.cycle(), 7);
        click(StepButton::CycleBack);
        QCOMPARE(shown.cycle(), 6);
    }

    void aClickChoosesTheCellsCycleAndWarp() {
        Shown shown(samples::tenCycles());
        const GridLayout grid = shown.grid();
        QTest::mouseClick(&shown.widget, Qt::LeftButton, {},
                          QPointF(grid.scale.x(6.5), grid.row(1).center().y()).toPoint());
        QCOMPARE(shown.cycle(), 6);
        QCOMPARE(shown.selection.get().warp, 1u);
        QCOMPARE(shown.selection.get().block, 1u);
    }

    // Two warps in one slot, one after the other: at cycle 8 the row is the second one's, whoever is chosen.
    void aRowIsChosenWithTheWarpThatItNames() {
        const TracePtr trace = samples::lettersTrace({{{"SLLL", "SLLLLL"}}, {{"ESSSSSSSSS"}}});
        const auto ground = [&](std::uint32_t warp) {
            PaintContext context = contextOf(trace);
            context.selection.block = trace->warps[warp].block;
            context.selection.warp = warp;
            context.selection.time = trace->range().begin + Time{4}; // cycle 8 at 2 GHz
            const auto view = makeSchedulerView();
            const QImage image = samples::pictureOf(*view, context, schedulerSize);
            const PicturePtr picture = view->compose(context, QRectF(QPointF(), schedulerSize));
            const QRectF label = dynamic_cast<const CyclesPicture&>(*picture).grids.front().label(0);
            return image.pixelColor(QPointF(label.left() + 2, label.top() + 5).toPoint());
        };
        QCOMPARE(ground(1), Theme::make(ThemeKind::Light).accentSoft);
        QVERIFY(ground(0) != ground(1));
    }

    void aClickOnTheInstructionChoosesItsLineAndItsCellsAreUnderlined() {
        Shown shown(samples::tenCycles());
        const QImage before = shown.widget.grab().toImage();
        const CyclesLayout layout = shown.picture().layout;
        for (int n = 0; n < 8; ++n)
            QTest::keyClick(&shown.widget, Qt::Key_Right); // warp 0 issues its barrier: PTX 2, line 2
        QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, (layout.detail.topLeft() + QPointF(60, 12)).toPoint());
        QCOMPARE(shown.selection.get().ptxLine, 2u);
        QCOMPARE(shown.selection.get().sourceLine, 2u);
        const QImage after = shown.widget.grab().toImage();
        const GridLayout& grid = layout.grid;
        const auto at = [&](int row, int cycle) {
            return QPoint(int(grid.scale.x(cycle + 0.5)), int(grid.row(row).bottom()) - 3);
        };
        const QColor mark = shown.widget.context().theme.attention;
        QCOMPARE(after.pixelColor(at(1, 6)), mark);  // warp 1's barrier
        QVERIFY(after.pixelColor(at(1, 1)) != mark); // its other instruction
        QVERIFY(before.pixelColor(at(1, 6)) != mark);
    }

    void timeSetElsewhereMovesTheCursorHere() {
        Shown shown(samples::tenCycles());
        QTest::keyClick(&shown.widget, Qt::Key_Right);
        shown.selection.setTime({3}); // cycles 5 and 6, at 2.5 and 3 ns, are rounded to this nanosecond
        QTest::keyClick(&shown.widget, Qt::Key_Right);
        QCOMPARE(shown.cycle(), 6);
    }

    void theWheelZoomsAndADragMoves() {
        Shown shown(samples::randomStates(4000, 4, 5));
        const auto windowOf = [&] { return shown.grid().scale; };
        QTest::keyClick(&shown.widget, Qt::Key_Home);
        QVERIFY((windowOf().window == CycleRange{0, 4000}));
        QVERIFY((shown.selection.get().visible == TimeRange{}));
        const QPoint at = QPointF(windowOf().x(1000), 250).toPoint();
        const double under = windowOf().at(at.x());
        QWheelEvent wheel(at, shown.widget.mapToGlobal(at), {}, {0, 1200}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&shown.widget, &wheel);
        QVERIFY(windowOf().window.length() < 1000);
        QVERIFY(std::abs(windowOf().at(at.x()) - under) < 0.01);
        QVERIFY(shown.selection.get().visible.length().value > 0); // the other views follow
        const double before = windowOf().window.begin, pixel = windowOf().window.length() / windowOf().width;
        QTest::mousePress(&shown.widget, Qt::LeftButton, {}, at);
        for (int x = 1; x <= 30; ++x) // in steps far smaller than a cell
            QTest::mouseMove(&shown.widget, at - QPoint(x, 0));
        QTest::mouseRelease(&shown.widget, Qt::LeftButton, {}, at - QPoint(30, 0));
        const double moved = windowOf().window.begin - before;
        QVERIFY2(moved > 24 * pixel && moved < 31 * pixel, qPrintable(QString::number(moved / pixel)));
    }

    // Where a cycle is under a pixel a column shows what lasted longest; no colour is mixed that is no state's.
    void foldedColumnsHaveColoursOfStatesOnly() {
        const TracePtr trace = samples::randomStates(40000, 6, 11);
        PaintContext context = contextOf(trace);
        context.options["cycles"] = "all";
        const auto view = makeSchedulerView();
        const QImage image = samples::pictureOf(*view, context, schedulerSize);
        samples::keep(image, "scheduler-folded");
        const PicturePtr picture = view->compose(context, QRectF(QPointF(), schedulerSize));
        const GridLayout& grid = dynamic_cast<const CyclesPicture&>(*picture).grids.front();
        QVERIFY(grid.scale.perCycle() < leastCell);
        std::set<QRgb> allowed{context.theme.panel.rgb(), context.theme.attention.rgb()};
        for (std::size_t k = 0; k < stateCount; ++k)
            for (const QColor& colour : {stateFill(WarpState(k), context.theme), context.theme.state(WarpState(k))})
                allowed.insert(colour.rgb());
        int strange = 0, seen = 0;
        for (int row = 0; row < 6; ++row) {
            const int y = int(grid.row(row).center().y());
            for (int x = int(grid.rows.left()) + 4; x < int(grid.rows.right()) - 2; ++x, ++seen)
                strange += !allowed.contains(image.pixel(x, y));
        }
        QVERIFY2(strange * 100 < seen, qPrintable(QString("%1 of %2").arg(strange).arg(seen)));
    }

    void everyStateHasAFillOrAHatchOfItsOwn() {
        for (ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Print}) {
            const Theme theme = Theme::make(kind);
            for (std::size_t a = 0; a < stateCount; ++a)
                for (std::size_t b = a + 1; b < stateCount; ++b)
                    QVERIFY(stateFill(WarpState(a), theme) != stateFill(WarpState(b), theme));
        }
        for (std::size_t k = 1; k < stateCount; ++k) // selected has its pointer
            QVERIFY(stateHatch(WarpState(k)) != Hatch::None);
    }

    void theOriginIsSeenAtEverySize() {
        const auto view = makeSchedulerView();
        for (const QSize& one : {QSize(560, 420), QSize(650, 505), QSize(900, 500), QSize(1280, 720)})
            for (const char* page : {"cycles", "policies", "example"}) {
                PaintContext context = contextOf(samples::randomStates(600, 16, 7));
                context.companions = {withPolicy(context.trace, "gto"), withPolicy(context.trace, "gty")};
                context.options["show"] = page;
                const QImage image = samples::pictureOf(*view, context, one);
                QVERIFY2(samples::pixelsLike(image, context.theme.originModelledSoft, {}, 2) > 200,
                         qPrintable(QString("%1 at %2 px").arg(page).arg(one.width())));
            }
    }

    void slidersChangeTheSum() {
        Shown shown(samples::tenCycles());
        shown.widget.setOption("show", "little");
        shown.widget.grab();
        const LittleLayout layout =
            littleLayout(QRectF(QPointF(), schedulerSize), lineHeight(shown.widget.context().theme.body()));
        const QRectF track = layout.track[2]; // independent operations a thread: 1 to 8
        QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, QPointF(track.right() - 1, track.center().y()).toPoint());
        QCOMPARE(littleOf(shown.widget.context().options).arithmetic.independent, 8);
        QCOMPARE(littleOf(shown.widget.context().options).arithmetic.warps(), 3); // 640 / 256
        QTest::keyClick(&shown.widget, Qt::Key_Left);
        QCOMPARE(littleOf(shown.widget.context().options).arithmetic.independent, 7);
        shown.widget.setOption("figures", "h200"); // each has its own sliders
        QCOMPARE(littleOf(shown.widget.context().options).arithmetic.independent, 1);
        shown.widget.setOption("figures", "documents");
        shown.widget.grab();
        QTest::keyClick(&shown.widget, Qt::Key_Home);
        QCOMPARE(littleOf(shown.widget.context().options).arithmetic.warps(), 20);
    }

    void slidersReachEveryPresetsFigures() {
        for (const LittleFigures& figures : littleFigures())
            for (int s = 0; s < littleSliders; ++s) {
                LittleFigures copy = figures;
                const double value = sliderValue(figures, s);
                setSliderValue(copy, s, value);
                QCOMPARE(sliderValue(copy, s), value); // inside the slider's range
                QVERIFY(std::abs(sliderAt(s, sliderShare(s, value)) - value) <= std::max(0.6, value * 0.01));
            }
    }

    void theExampleLeavesTheSelectionAlone() {
        Shown shown(samples::tenCycles());
        shown.widget.setOption("show", "example");
        shown.widget.grab();
        const Selection before = shown.selection.get();
        QTest::keyClick(&shown.widget, Qt::Key_Right);
        QTest::keyClick(&shown.widget, Qt::Key_Down);
        QTest::keyClick(&shown.widget, Qt::Key_W);
        QVERIFY(shown.selection.get() == before);
        QCOMPARE(shown.widget.context().options.value("exampleCycle").toLongLong(), 1);
    }

    void everythingIsSaidInChinese() {
        samples::Chinese chinese;
        QVERIFY(qApp->installTranslator(&chinese));
        const auto view = makeSchedulerView();
        view->question();
        for (const char* page : {"cycles", "policies", "example", "little"}) {
            PaintContext context = contextOf(samples::tenCycles());
            context.companions = {withPolicy(context.trace, "gto")};
            context.options["show"] = page;
            samples::keep(samples::pictureOf(*view, context, schedulerSize), QString("scheduler-zh-%1").arg(page));
            view->switches(context);
        }
        qApp->removeTranslator(&chinese);
        QVERIFY2(chinese.missing().isEmpty(), qPrintable(QStringList(chinese.missing().values()).join("\n")));
    }
};

WARPGLASS_QT_TEST(TestSchedulerView)
#include "test_scheduler_view.moc"
