// SPDX-License-Identifier: GPL-3.0-or-later
// The program view under a real mouse and keyboard.
#include "chinese.h"
#include "pictures.h"
#include "tests/qt_tests.h"
#include "tests/sample_program.h"
#include "tests/views/text_faults.h"
#include "views/program/program_layout.h"
#include "views/program/program_text.h"
#include "views/program/program_view.h"
#include "views/program/program_waits.h"

#include <QSignalSpy>
#include <QtTest>

#include <memory>

using namespace warpglass;

class TestProgramView : public QObject {
    Q_OBJECT
    std::unique_ptr<SelectionModel> m_selection;
    std::unique_ptr<ViewWidget> m_widget;
    ProgramModelPtr m_model;

    ProgramLayout layout() const {
        return layoutProgram(m_widget->rect(), m_widget->context().theme, *m_model, m_selection->get().visible,
                             programScroll.of(m_widget->context().options));
    }
    // In the middle of an operation, as it is shown now.
    QPoint placeOf(std::uint32_t operation) const {
        const ProgramLayout l = layout();
        const program::Operation& o = m_model->operation(operation);
        for (int r = 0; r < l.count; ++r) {
            const ProgramRow& row = m_model->rows[std::size_t(r)];
            if (row.host == isOfHost(o.kind) && (row.host || row.stream == o.stream)) {
                const QRectF line = isUpper(o.kind) ? l.upper(r) : l.lower(r);
                return QPointF(l.axis.x({beginOf(o) + lengthOf(o) / 2}), line.bottom() - 3).toPoint();
            }
        }
        return {};
    }
    uint chosen() const { return programOperation.of(m_widget->context().options); }
    uint kernel() const { return programKernel.of(m_widget->context().options); }
    void click(QPoint at) { QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, at); }
    void wheel(QPoint at, int notches, Qt::KeyboardModifiers with = {}) {
        QWheelEvent event(at, m_widget->mapToGlobal(at), {}, {0, 120 * notches}, {}, with, Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_widget.get(), &event);
    }

private slots:
    void init() {
        m_model = makeProgramModel(samples::handProgram());
        m_selection = std::make_unique<SelectionModel>();
        m_widget = std::make_unique<ViewWidget>(makeProgramView(), m_selection.get());
        m_widget->setProgram(m_model);
        m_widget->resize(1000, 420);
        m_widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
    }
    void cleanup() {
        m_widget.reset();
        m_selection.reset();
    }

    void aClickChoosesTheOperationAndItsKernel() {
        click(placeOf(3));
        QCOMPARE(chosen(), 3u);
        QCOMPARE(kernel(), 0u);
        click(placeOf(8)); // a copy: the kernel stays
        QCOMPARE(chosen(), 8u);
        QCOMPARE(kernel(), 0u);
        click(placeOf(7)); // the host waits
        QCOMPARE(chosen(), 7u);
        click(placeOf(4));
        QCOMPARE(kernel(), 1u);
        const ProgramLayout l = layout(); // beside everything
        click(QPointF(l.axis.x({985}), l.upper(1).center().y()).toPoint());
        QCOMPARE(chosen(), noIndex);
        QCOMPARE(kernel(), noIndex);
    }

    void aDoubleClickAsksForTheLaunch() {
        QSignalSpy asked(m_widget.get(), &ViewWidget::actionRequested);
        QTest::mouseDClick(m_widget.get(), Qt::LeftButton, {}, placeOf(5));
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toString(), QStringLiteral("openLaunch:5"));
        QTest::mouseDClick(m_widget.get(), Qt::LeftButton, {}, placeOf(8)); // a copy has no trace
        QCOMPARE(asked.size(), 1);
    }

    void theWheelZoomsAtThePointer() {
        const QPoint at = placeOf(2);
        const ProgramLayout before = layout();
        const std::int64_t under = before.axis.time(at.x()).value;
        wheel(at, 3);
        const TimeRange shown = layout().axis.window;
        QCOMPARE(shown.length().value, 512); // 1000 x 0.8^3
        QVERIFY(std::abs(layout().axis.time(at.x()).value - under) <= 2);
        wheel(at, -5);
        QVERIFY(m_selection->get().visible == TimeRange{}); // all, and no more
    }

    void theKeysOfTheTimeline() {
        QTest::keyClick(m_widget.get(), Qt::Key_W);
        QCOMPARE(layout().axis.window.length().value, 700);
        const std::int64_t begin = layout().axis.window.begin.value;
        QTest::keyClick(m_widget.get(), Qt::Key_D);
        QCOMPARE(layout().axis.window.begin.value, begin + 105); // 15 % of 700
        QTest::keyClick(m_widget.get(), Qt::Key_Left);
        QCOMPARE(layout().axis.window.begin.value, begin);
        QTest::keyClick(m_widget.get(), Qt::Key_Home);
        QVERIFY(m_selection->get().visible == TimeRange{});
        QTest::keyClick(m_widget.get(), Qt::Key_Period); // the first of all, then the next
        QTest::keyClick(m_widget.get(), Qt::Key_Period);
        QTest::keyClick(m_widget.get(), Qt::Key_Period);
        QCOMPARE(chosen(), 2u);
        QTest::keyClick(m_widget.get(), Qt::Key_Period); // of scale now, which was chosen with it
        QTest::keyClick(m_widget.get(), Qt::Key_Period);
        QCOMPARE(chosen(), 5u);
        QTest::keyClick(m_widget.get(), Qt::Key_Comma);
        QCOMPARE(chosen(), 3u);
        QTest::keyClick(m_widget.get(), Qt::Key_F); // 200-260 with a margin of 50
        QVERIFY(m_selection->get().visible == (TimeRange{{150}, {310}}));
    }

    void aDragMovesTheTimes() {
        wheel(placeOf(2), 4);
        const TimeRange before = layout().axis.window;
        const QPoint at = layout().rows.center().toPoint();
        QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, at);
        for (int x = 10; x <= 50; x += 10)
            QTest::mouseMove(m_widget.get(), at - QPoint(x, 0));
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, at - QPoint(50, 0));
        const double ns = 50.0 * double(before.length().value) / layout().axis.width;
        QVERIFY(std::abs(double((layout().axis.window.begin - before.begin).value) - ns) < 6);
        QCOMPARE(chosen(), noIndex); // a drag is no click
    }

    // The launches of the chosen kernel keep their colour, the others are pale.
    void theChosenKernelIsMarked() {
        const Theme theme = Theme::make(ThemeKind::Light);
        PaintContext context;
        context.program = m_model;
        context.theme = theme;
        const auto blue = [&](std::uint32_t stream) {
            const ProgramLayout l = layoutProgram({0, 0, 1000, 420}, theme, *m_model, {}, 0);
            return samples::pixelsLike(samples::pictureOf(*makeProgramView(), context, {1000, 420}), theme.laneOn,
                                       l.upper(1 + int(stream)).toRect());
        };
        const int scaleBefore = blue(0), sumBefore = blue(1);
        QVERIFY(scaleBefore > 500 && sumBefore > 1000);
        programKernel.set(context.options, 0);
        QVERIFY(blue(0) > scaleBefore * 9 / 10);
        QVERIFY(blue(1) < sumBefore / 20);
    }

    // One launch of 10 ns in a second is a hundred-thousandth of a pixel, and seen.
    void aTinyOperationIsSeen() {
        program::ProgramTrace p = samples::handProgram();
        p.operations = {samples::operation(program::OperationKind::Wait, 0, 1'000'000'000),
                        samples::operation(program::OperationKind::Launch, 500'000'000, 500'000'010)};
        const ProgramModelPtr model = makeProgramModel(std::move(p));
        PaintContext context;
        context.program = model;
        context.theme = Theme::make(ThemeKind::Dark);
        const QImage image = samples::pictureOf(*makeProgramView(), context, {800, 400});
        const ProgramLayout l = layoutProgram({0, 0, 800, 400}, context.theme, *model, {}, 0);
        QVERIFY(samples::pixelsLike(image, context.theme.laneOn, l.upper(1).toRect()) >= 4);
    }

    void theTableHasEveryOperation() {
        PaintContext context;
        context.program = m_model;
        const QStringList lines =
            samples::csvOf(*makeProgramView(), context).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 11);
        QCOMPARE(lines[3], QStringLiteral("2,launch,100,200,emulator,0,scale,4,128,0,1,,,0,,"));
        QCOMPARE(lines[2], QStringLiteral("1,copy,20,60,emulator,0,,,,,,htod,4096,0,,"));
    }

    // On a GPU: scale 100-200 on the default stream, sum<int> on stream 1 was told to wait for it by an event, asked for at 150
    // and begun at 200: 50 ns for that. The host waits for sum<int> until 400.
    void whatWaitedForWhatIsDrawnAndSaid() {
        using program::OperationKind;
        program::ProgramTrace p = samples::handProgram();
        p.info.backend = BackendKind::Cuda;
        p.info.exitStatus = 0;
        p.messages.clear();
        p.recordings.clear();
        p.streams = {{"default", 0, 0}, {"loads", 0, 0}, {"sums", 0, 0}};
        p.operations = {samples::operation(OperationKind::Launch, 100, 200),
                        samples::operation(OperationKind::Record, 110, 110),
                        samples::operation(OperationKind::StreamWait, 120, 120, 2),
                        samples::operation(OperationKind::Launch, 200, 400, 2),
                        samples::operation(OperationKind::Wait, 160, 400, 2)};
        p.operations[0].called = p.operations[0].returned = 90;
        p.operations[0].kernel = 0;
        p.operations[1].from = p.operations[2].from = 0x1000;
        p.operations[3].kernel = 1;
        p.operations[3].called = p.operations[3].returned = 150;
        p.operations[4].from = program::waitsForStream;
        const ProgramModelPtr model = makeProgramModel(std::move(p));
        QCOMPARE(waitText(*model, 3), QStringLiteral("waited 50 ns for launch 0: scale (default stream), by an event"));
        QCOMPARE(waitText(*model, 4), QStringLiteral("waited 240 ns for launch 1: sum<int> (sums)"));
        QCOMPARE(waitText(*model, 0), QString());
        QCOMPARE(longestWaitText(*model),
                 QStringLiteral("longest wait: launch 1: sum<int>, 50 ns for launch 0: scale (default stream)"));
        QVERIFY(operationToolTip(*model, 3).contains(waitText(*model, 3)));

        // One arrow from the end of scale down to the begin of sum<int>, one up to where the host goes on.
        PaintContext context;
        context.program = model;
        context.theme = Theme::make(ThemeKind::Light);
        const QSize size(1000, 420);
        const ProgramLayout l = layoutProgram(QRectF(QPointF(), size), context.theme, *model, {}, 0);
        QCOMPARE(model->rows.size(), 3U); // host, default, sums
        const std::vector<WaitArrow> arrows = waitArrows(*model, l, noIndex);
        QCOMPARE(arrows.size(), 2U);
        QCOMPARE(arrows[0].line, QLineF(l.axis.x({200}), l.upper(1).bottom(), l.axis.x({200}), l.upper(2).top()));
        QCOMPARE(arrows[1].line, QLineF(l.axis.x({400}), l.upper(2).top(), l.axis.x({400}), l.upper(0).bottom()));
        // Seen between the rows of both, and in the accent once one of them is chosen.
        const QRect between = QRectF(l.axis.x({200}) - 2, l.lower(1).top(), 4, l.lower(1).height()).toRect();
        const auto like = [&](const QColor& colour) {
            return samples::pixelsLike(samples::pictureOf(*makeProgramView(), context, size), colour, between);
        };
        QCOMPARE(like(context.theme.accent), 0);
        for (const uint chosen : {noIndex, 3U, 4U}) { // no arrow strikes a word
            programOperation.set(context.options, chosen);
            samples::TextPlaces device(size);
            QPainter painter(&device);
            paintPicture(*makeProgramView()->compose(context, QRectF(QPointF(), QSizeF(size))), painter);
            painter.end();
            QCOMPARE(samples::textFaults(device, context.theme), QStringList());
        }
        programOperation.set(context.options, 3);
        QVERIFY(like(context.theme.accent) >= between.height());
        const QStringList lines =
            samples::csvOf(*makeProgramView(), context).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY2(lines[4].endsWith(QStringLiteral(",0,0,50")), qPrintable(lines[4])); // error, behind, waited_ns
    }

    // scale took 100 + 60 + 20 = 180 ns, sum<int> 400 of 580 together: 69.0 %. So its launches have the full colour, those of
    // scale 0.62 (1 - 180 / 400) = 0.34 of the way to the ground.
    void theKernelThatTakesMostIsNamedAndStrongest() {
        const Theme theme = Theme::make(ThemeKind::Light);
        program::ProgramTrace measured = samples::handProgram();
        measured.info.backend = BackendKind::Cuda;
        m_model = makeProgramModel(measured);
        m_widget->setProgram(m_model);
        QCOMPARE(mostTimeText(*m_model), QStringLiteral("most time: sum<int>, 69.0 %"));
        const std::vector<QColor> colours = kernelColours(*m_model, theme);
        QCOMPARE(colours[1].rgb(), theme.laneOn.rgb());
        const double way = (colours[0].redF() - theme.laneOn.redF()) / (theme.panel.redF() - theme.laneOn.redF());
        QVERIFY2(std::abs(way - 0.341) < 0.01, qPrintable(QString::number(way)));
        const auto at = [&](std::uint32_t operation) {
            return m_widget->grab().toImage().pixelColor(placeOf(operation)).rgb();
        };
        QCOMPARE(at(4), colours[1].rgb());
        QCOMPARE(at(2), colours[0].rgb());
        const ProgramModelPtr unranked = makeProgramModel(samples::handProgram()); // by the emulator's own clock
        QCOMPARE(mostTimeText(*unranked), QString());
        QCOMPARE(kernelColours(*unranked, theme)[0], theme.laneOn);
    }

    void anEmptyViewSaysWhy() {
        PaintContext context;
        QVERIFY(makeProgramView()->emptiness(context));
        context.program = makeProgramModel(program::ProgramTrace{});
        QVERIFY(makeProgramView()->emptiness(context)->why.contains(QStringLiteral("nothing")));
    }

    void everyWordIsThereInChinese() {
        samples::Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        PaintContext context;
        context.program = m_model;
        context.theme = Theme::make(ThemeKind::Light);
        samples::keep(samples::pictureOf(*makeProgramView(), context, {1200, 500}), QStringLiteral("program-zh"));
        for (std::uint32_t n = 0; n < 10; ++n)
            operationToolTip(*m_model, n), whyUnrecorded(*m_model, n);
        faultTexts(*m_model);
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(chinese.missing().isEmpty(),
                 qPrintable(QStringList(chinese.missing().values()).join(QLatin1Char('\n'))));
    }
};

WARPGLASS_QT_TEST(TestProgramView)
#include "test_program_view.moc"
