// SPDX-License-Identifier: GPL-3.0-or-later
// The divergence view as a person uses it: pictures, mouse, wheel, keys, and exports.
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "views/common/page.h"
#include "views/common/view_widget.h"
#include "views/lanes/lanes_view.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

// The cell of a column and a lane, found the way a person finds it: by trying points until a click selects it.
QPointF pointOf(const View& view, const PaintContext& c, QSize size, Time time, int lane) {
    const PicturePtr picture = view.compose(c, QRectF(QPointF(), QSizeF(size)));
    for (int y = 60; y < size.height(); y += 3)
        for (int x = 20; x < size.width(); x += 4) {
            const auto change = picture->spotAt(QPointF(x, y)).click;
            const Selection s = change ? change->selection : c.selection;
            if (s.lane == lane && s.time == time)
                return QPointF(x, y);
        }
    return {-1, -1};
}

// When warp 0 executes the branch of line 8 for the n-th time, n from 0.
Time timeOfStep(const Trace& trace, int n) {
    for (std::uint32_t e = 0; e < trace.warps[0].eventCount; ++e) {
        const Event event = trace.event(trace.warps[0], e);
        if (event.kind == EventKind::Branch && trace.sites[event.site].where.back().line == 8 && n-- == 0)
            return event.time;
    }
    return {-1};
}

} // namespace

class TestLanesView : public QObject {
    Q_OBJECT
private slots:
    void clickingACellSelectsTimeLaneAndLine() {
        SelectionModel selection;
        ViewWidget widget(makeLanesView(), &selection);
        widget.resize(830, 600);
        widget.setTrace(neighbored(false));
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QCOMPARE(widget.accessibleName(), QStringLiteral("Divergence"));
        // Stride 4 is the third execution of line 8.
        const Trace& trace = *widget.context().trace;
        const Time third = timeOfStep(trace, 2), fourth = timeOfStep(trace, 3);
        const QPointF point = pointOf(widget.view(), widget.context(), widget.size(), third, 16);
        QVERIFY(point.x() > 0);
        QTest::mouseClick(&widget, Qt::LeftButton, {}, point.toPoint());
        QCOMPARE(selection.get().time.value, third.value);
        QCOMPARE(selection.get().lane, 16);
        QCOMPARE(selection.get().warp, 0u);
        QCOMPARE(selection.get().sourceLine, 8u);
        QVERIFY(selection.canGoBack());
        QTest::keyClick(&widget, Qt::Key_Period); // the next step of this branch, and back again
        QCOMPARE(selection.get().time.value, fourth.value);
        QTest::keyClick(&widget, Qt::Key_Comma);
        QCOMPARE(selection.get().time.value, third.value);
        QTest::keyClick(&widget, Qt::Key_Down);
        QCOMPARE(selection.get().lane, 17);
    }

    void theWheelKeepsTheTimeUnderThePointer() {
        const auto view = makeLanesView();
        PaintContext c = contextOf(manyBranches(5000));
        c.options[QStringLiteral("from")] = 1000.0;
        c.options[QStringLiteral("columnWidth")] = 9.0;
        const QRectF area(0, 0, 830, 600);
        const QPointF at(300, 200);
        const Time before = clicked(*view, area, c, at).time;
        QVERIFY(before.value > 0);
        for (int i = 0; i < 6; ++i)
            QVERIFY(answers(*view, area, c, WheelInput{at, 1, {}}));
        QCOMPARE(clicked(*view, area, c, at).time.value, before.value);

        // The same on the time axis.
        PaintContext t = contextOf(neighbored(false));
        t.options[QStringLiteral("axis")] = QStringLiteral("time");
        const Time there = clicked(*view, area, t, {400, 200}).time;
        QVERIFY(answers(*view, area, t, WheelInput{{400, 200}, 3, {}}));
        QVERIFY(std::abs(clicked(*view, area, t, {400, 200}).time.value - there.value) <= 1);
        QVERIFY(t.selection.visible.length().value > 0);
    }

    void draggingPansAndHomeShowsAll() {
        SelectionModel selection;
        ViewWidget widget(makeLanesView(), &selection);
        widget.resize(830, 600);
        widget.setTrace(manyBranches(5000));
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QTest::mousePress(&widget, Qt::LeftButton, {}, QPoint(400, 250));
        QTest::mouseMove(&widget, QPoint(300, 250));
        QTest::mouseMove(&widget, QPoint(200, 250));
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, QPoint(200, 250));
        QVERIFY(widget.context().options.value(QStringLiteral("from")).toDouble() > 10);
        QCOMPARE(selection.get().lane, -1); // a drag is no click
        QTest::keyClick(&widget, Qt::Key_Home);
        QVERIFY(!widget.context().options.contains(QStringLiteral("from")));
    }

    // A thousand times more events: only what is in sight is painted, so the frame stays within eight times (measured
    // near 1).
    void costFollowsPixelsNotEvents() {
        const auto view = makeLanesView();
        qint64 times[2]{};
        int n = 0;
        for (const std::uint32_t executions : {400u, 400'000u}) {
            const PaintContext c = contextOf(manyBranches(executions));
            QImage image(830, 600, QImage::Format_RGB32);
            PicturePtr picture;
            const auto frame = [&] { // as a widget makes one: the model is found once
                Progress nobody;
                picture = view->compose(c, QRectF(image.rect()), nobody, picture);
                QPainter painter(&image);
                paintPicture(*picture, painter);
            };
            frame();
            QElapsedTimer timer;
            timer.start();
            for (int i = 0; i < 5; ++i)
                frame();
            times[n++] = timer.nsecsElapsed();
        }
        QVERIFY2(times[1] < 8 * times[0], qPrintable(QStringLiteral("%1 and %2 ns").arg(times[0]).arg(times[1])));
    }

    void aKernelWithoutBranchSaysWhyAndOffersTheWrittenOne() {
        SelectionModel selection;
        ViewWidget widget(makeLanesView(), &selection);
        widget.resize(830, 600);
        widget.setTrace(mathKernelSelects());
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QSignalSpy wanted(&widget, &ViewWidget::actionRequested);
        for (int y = 60; y < 560 && wanted.isEmpty(); y += 6)
            for (int x = 60; x < 400 && wanted.isEmpty(); x += 10)
                if (!widget.picture()->spotAt(QPointF(x, y)).action.isEmpty())
                    QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(x, y));
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("as-written"));
    }

    void anEmptyViewOffersToRun() {
        SelectionModel selection;
        ViewWidget widget(makeLanesView(), &selection);
        widget.resize(600, 400);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QSignalSpy wanted(&widget, &ViewWidget::actionRequested);
        QTest::keyClick(&widget, Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("run"));
    }

    // mathKernel1: half of the lanes of the only step wait; mathKernel2 beside it: none.
    void variantsStandSideBySide() {
        const auto view = makeLanesView();
        const PaintContext c = contextOf(mathKernel(false), mathKernel(true));
        const QImage both = pictureOf(*view, c, {830, 600});
        const QImage left = both.copy(46, 112, 46, 290), right = both.copy(456, 112, 46, 290);
        QVERIFY(pixelsLike(left, c.theme.laneOff) > 1000);
        QCOMPARE(pixelsLike(right, c.theme.laneOff), 0);
        QVERIFY(pixelsLike(right, c.theme.laneOn) > 1.7 * pixelsLike(left, c.theme.laneOn));
    }

    void hoverPaintsOnlyTheOverlay() {
        const auto view = makeLanesView();
        const PaintContext c = contextOf(neighbored(false));
        const QImage one = pictureOf(*view, c, {830, 600}), two = pictureOf(*view, c, {830, 600});
        QCOMPARE(one, two); // same inputs, same pixels
        QImage hovered = one;
        QPainter painter(&hovered);
        view->compose(c, QRectF(0, 0, 830, 600))->paintOverlay(painter, {110, 200});
        painter.end();
        const double share = differingPixels(one, hovered);
        QVERIFY(share > 0 && share < 0.005);
    }

    void exportsArePicturesOfTheSameThing() {
        QTemporaryDir folder;
        const auto view = makeLanesView();
        const PaintContext c = contextOf(neighbored(false));
        for (const char* suffix : {"png", "svg", "pdf", "csv"})
            QCOMPARE(
                exportView(*view, c, folder.filePath(QStringLiteral("lanes.") + QLatin1String(suffix)), {1000, 700}),
                QString());
        const QImage png(folder.filePath(QStringLiteral("lanes.png")));
        QCOMPARE(png.size(), QSize(1000, 700));
        QSvgRenderer svg(folder.filePath(QStringLiteral("lanes.svg")));
        QVERIFY(svg.isValid());
        QImage drawn(1000, 700, QImage::Format_ARGB32_Premultiplied);
        drawn.fill(c.theme.window);
        QPainter painter(&drawn);
        svg.render(&painter);
        painter.end();
        keep(drawn, QStringLiteral("lanes-svg"));
        QVERIFY(differingPixels(png.convertToFormat(QImage::Format_RGB32), drawn.convertToFormat(QImage::Format_RGB32),
                                60) < 0.06);
        QFile pdf(folder.filePath(QStringLiteral("lanes.pdf")));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        const QByteArray bytes = pdf.readAll();
        QVERIFY(bytes.startsWith("%PDF"));
        QVERIFY(bytes.contains("/Font")); // text is text, not pixels
        QVERIFY(!bytes.contains("/Subtype /Image"));
        QFile csv(folder.filePath(QStringLiteral("lanes.csv")));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const auto lines = csv.readAll().split('\n');
        QCOMPARE(lines.size(), 8);                // head, six strides, the end of the last line
        QVERIFY(lines[3].contains("0xfefefefe")); // stride 4: lanes 0, 8, 16, 24 enter, the others jump
        QVERIFY(lines[3].endsWith(",4,32,1,counted"));
        QVERIFY(!exportView(*view, c, QStringLiteral("/nowhere/at/all.png"), {100, 100}).isEmpty());
        QVERIFY(!exportView(*view, c, folder.filePath(QStringLiteral("x.gif")), {100, 100}).isEmpty());
    }

    void everythingIsSaidInChinese() {
        Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const auto view = makeLanesView();
        int n = 0;
        for (const TracePtr& trace : {neighbored(false), mathKernelSelects(), divergent20of32()})
            for (const auto& options : QVector<QMap<QString, QVariant>>{{},
                                                                        {{"layer", "ptx"}, {"branch", "all"}},
                                                                        {{"layer", "machine"}},
                                                                        {{"axis", "time"}},
                                                                        {{"scope", "block"}}}) {
                PaintContext c = contextOf(trace);
                c.options = options;
                c.selection.time = {10};
                keep(pictureOf(*view, c, {830, 600}), QStringLiteral("lanes-zh-%1").arg(n++));
                view->switches(c);
            }
        pictureOf(*view, PaintContext{}, {600, 400});
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(chinese.missing().isEmpty(),
                 qPrintable(QStringList(chinese.missing().values()).join(QLatin1Char('\n'))));
    }

    void picturesForLooking() {
        const auto view = makeLanesView();
        struct Shot {
            const char* name;
            TracePtr trace, other;
            QSize size;
            ThemeKind theme;
            QMap<QString, QVariant> options;
            std::int64_t time;
        };
        const QSize small(830, 600), large(1290, 940);
        const QVector<Shot> shots{
            {"lanes-neighbored-light", neighbored(false), nullptr, small, ThemeKind::Light, {}, 10},
            {"lanes-neighbored-dark-large", neighbored(false), nullptr, large, ThemeKind::Dark, {}, 10},
            {"lanes-compare-light", neighbored(false), neighbored(true), small, ThemeKind::Light, {}, 10},
            {"lanes-compare-dark-large", neighbored(false), neighbored(true), large, ThemeKind::Dark, {}, 10},
            {"lanes-math-compare-light", mathKernel(false), mathKernel(true), small, ThemeKind::Light, {}, 4},
            {"lanes-math-print", mathKernel(false), nullptr, small, ThemeKind::Print, {}, 0},
            {"lanes-2012-light", divergent20of32(), nullptr, small, ThemeKind::Light, {}, 4},
            {"lanes-2012-ptx-all-dark",
             divergent20of32(),
             nullptr,
             large,
             ThemeKind::Dark,
             {{"layer", "ptx"}, {"branch", "all"}},
             4},
            {"lanes-block-light", neighbored(true), nullptr, small, ThemeKind::Light, {{"scope", "block"}}, 10},
            {"lanes-all-light", neighbored(false), nullptr, large, ThemeKind::Light, {{"branch", "all"}}, 20},
            {"lanes-time-light", neighbored(false), nullptr, small, ThemeKind::Light, {{"axis", "time"}}, 20},
            {"lanes-time-block-dark",
             neighbored(false),
             nullptr,
             large,
             ThemeKind::Dark,
             {{"axis", "time"}, {"scope", "block"}},
             20},
            {"lanes-selects-light", mathKernelSelects(), nullptr, small, ThemeKind::Light, {}, 0},
            {"lanes-machine-dark", mathKernel(false), nullptr, small, ThemeKind::Dark, {{"layer", "machine"}}, 0},
            {"lanes-partial-print", partialAndExited(), nullptr, small, ThemeKind::Print, {}, 3},
            {"lanes-many-light", manyBranches(100000), nullptr, small, ThemeKind::Light, {}, 50000},
            {"lanes-empty-light", nullptr, nullptr, small, ThemeKind::Light, {}, 0},
        };
        for (const Shot& shot : shots) {
            PaintContext c = contextOf(shot.trace, shot.other, shot.theme);
            c.options = shot.options;
            c.selection.time = {shot.time};
            const QImage image = pictureOf(*view, c, shot.size);
            keep(image, QString::fromLatin1(shot.name));
            // Every picture has something on it beside its ground.
            QVERIFY2(pixelsLike(image, c.theme.window, {}, 1) < image.width() * image.height() * 0.985, shot.name);
        }
    }
};

WARPGLASS_QT_TEST(TestLanesView)
#include "test_lanes_view.moc"
