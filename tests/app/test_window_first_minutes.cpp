// SPDX-License-Identifier: GPL-3.0-or-later
// The first five minutes of docs/first_steps.md, with the acts of a hand counted: a first right prediction, a first own
// kernel's picture, a first comparison with a pinned run.
//
// WARPGLASS_STOPWATCH=1 walks at a person's pace and tells when each was reached by the clock: a second an act, and three
// words a second for what is to be read. So the figures of docs/first_steps.md were taken.
#include "app/window/pad/change_line.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/pad/run_strip.h"
#include "app/window/panels/question_card.h"
#include "app/window/start/start_page.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/pinned.h"
#include "views/common/prediction_picture.h"

#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QRegularExpression>

using namespace warpglass;

class TestWindowFirstMinutes : public QObject, WindowFixture {
    Q_OBJECT

    int m_acts = 0; // clicks, drags and keys
    const bool m_paced = qEnvironmentVariableIntValue("WARPGLASS_STOPWATCH") != 0;
    QElapsedTimer m_clock;

    void pace(int ms) const {
        if (m_paced)
            QTest::qWait(ms);
    }
    void act() {
        pace(1000);
        ++m_acts;
    }
    void read(const QString& text) const {
        static const QRegularExpression blanks(QStringLiteral("\\s+"));
        pace(int(text.split(blanks, Qt::SkipEmptyParts).size()) * 1000 / 3);
    }
    // wanted: seconds since the program was started, of a paced walk.
    void reached(const char* what, int wanted) const {
        if (const QString folder = qEnvironmentVariable("WARPGLASS_PICTURES");
            !folder.isEmpty()) // for who wants to look
            m_window->grab().save(folder + QLatin1Char('/') + QLatin1String(what) + QStringLiteral(".png"));
        const double seconds = double(m_clock.elapsed()) / 1000;
        qInfo("%s after %.1f s", what, seconds);
        if (m_paced)
            QVERIFY2(seconds <= wanted, what);
    }

    void hit(QWidget* widget) {
        QVERIFY2(widget->isVisible(), qPrintable(widget->objectName()));
        act();
        click(widget);
    }
    void key(int pressed) {
        act();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key(pressed));
    }
    // The button goes down on the first and up on the last; the hand comes over all between.
    void drag(const QVector<QToolButton*>& over) {
        QToolButton* first = over.front();
        const auto at = [&](QWidget* w) { return first->mapFromGlobal(w->mapToGlobal(w->rect().center())); };
        act();
        QTest::mousePress(first, Qt::LeftButton, Qt::NoModifier, at(first));
        for (QToolButton* button : over) {
            QMouseEvent move(QEvent::MouseMove, at(button), first->mapToGlobal(at(button)), Qt::NoButton,
                             Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(first, &move);
        }
        QTest::mouseRelease(first, Qt::LeftButton, Qt::NoModifier, at(over.back()));
    }
    QVector<QToolButton*> lanes() {
        QVector<QToolButton*> sorted(32);
        for (QToolButton* lane : m_window->views().question->findChildren<QToolButton*>(QStringLiteral("questionLane")))
            sorted[lane->text().toInt()] = lane;
        return sorted;
    }
    // Every tab of the bar can be read: none is behind an arrow.
    void tabsAreWhole() {
        const auto* bar = child<QTabBar>("viewTabs");
        QTRY_VERIFY2(bar->width() >= bar->sizeHint().width(),
                     qPrintable(QStringLiteral("%1 of %2").arg(bar->width()).arg(bar->sizeHint().width())));
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassFirstMinutes")); }
    void init() {
        m_acts = 0;
        m_clock.start();
        openAtFirst({1280, 720});
    }
    void cleanup() { closeWindow(); }

    void fromTheStartPageToAComparison() {
        // 1. A prediction: lanes 0 2 4 ... 30 are four columns of four rows of eight, a drag each.
        m_window->begin();
        reached("the start page", 10);
        hit(child<StartPage>("startPage")->predict);
        settle();
        const auto* question = m_window->views().question;
        for (const QLabel* label : question->findChildren<QLabel*>())
            read(label->isVisible() ? label->text() : QString());
        for (const QPlainTextEdit* code : question->findChildren<QPlainTextEdit*>())
            read(code->toPlainText());
        reached("the question is read", 40);
        const QVector<QToolButton*> lane = lanes();
        for (int column = 0; column < 8; column += 2)
            drag({lane[column], lane[column + 8], lane[column + 16], lane[column + 24]});
        QCOMPARE(m_window->views().question->lanes().bits, 0x55555555U);
        hit(child<QPushButton>("questionGive"));
        const QString told = child<QLabel>("stepAnswer")->text();
        QVERIFY2(told.startsWith(QLatin1String("Right: ")), qPrintable(told));
        reached("a first right prediction", 60);
        read(told);
        if (m_paced) { // and it plays
            key(Qt::Key_Space);
            for (const char* part : {"it plays, 2 s", "it plays, 4 s", "it plays, 6 s"}) {
                pace(2000);
                reached(part, 90);
            }
            pace(2000);
            reached("it has played", 90);
        }
        QCOMPARE(m_acts, m_paced ? 7 : 6);
        QVERIFY(m_window->views().current()->isVisible()); // and there is the picture

        // 2. An own kernel: the text that it begins with runs by itself.
        if (!hasCompiler())
            QSKIP("no compiler");
        m_acts = 0;
        hit(m_window->shell().parts->top->build);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->current() && m_window->current()->name == QLatin1String("firstKernel"),
                                 120000);
        QTRY_VERIFY(!m_window->busy());
        QCOMPARE(m_acts, 1);
        reached("a first own kernel's picture", 120);
        tabsAreWhole();

        // 3. A comparison: A is pinned, lane 0 alone goes on, and the line says what that does.
        hit(child<QToolButton>("pinButton"));
        reached("A is pinned", 150);
        auto* editor = child<PadEditor>("padEditor");
        const RunPtr a = m_window->current();
        const QString text = editor->text();
        read(text);
        const QString before = QStringLiteral("i % 2");
        const qsizetype at = text.indexOf(before);
        QVERIFY(at >= 0);
        const int row = int(text.left(at).count('\n'));
        const int column = int(at + before.size() - (text.lastIndexOf('\n', at) + 1));
        editor->setFocus();
        editor->setCursorPosition(row, column); // by a click
        act();
        for (const int pressed : {Qt::Key_Backspace, Qt::Key_3, Qt::Key_2}) {
            act();
            QTest::keyClick(editor, Qt::Key(pressed));
        }
        QTRY_VERIFY_WITH_TIMEOUT(m_window->current() != a && !m_window->busy(), 120000);
        QCOMPARE(m_acts, 6);
        QVERIFY(editor->text().contains(QStringLiteral("i % 32 == 0")));
        // 64 threads: 32 of A's numbers were 100; now those of threads 0 and 32 alone.
        QTRY_VERIFY2(child<ChangeLine>("changeLine")
                         ->text()
                         .contains(QStringLiteral("other results from out[2] on: 200, in A 100")),
                     qPrintable(child<ChangeLine>("changeLine")->text()));
        reached("a first comparison with a pinned run", 180);
        QCOMPARE(m_window->views().widget(QStringLiteral("lanes"))->context().pinned, a->trace);
    }

    // A question's lanes by the mouse: what is dragged over becomes what the first one becomes; a click is a click.
    void lanesAreMarkedByDragging() {
        m_window->begin();
        click(child<StartPage>("startPage")->predict);
        settle();
        const QVector<QToolButton*> lane = lanes();
        const auto marked = [this] { return m_window->views().question->lanes().bits; };
        drag({lane[0], lane[1], lane[2], lane[3]});
        QCOMPARE(marked(), 0xFU);
        drag({lane[3], lane[2]}); // off again, and of the way back nothing is left
        QCOMPARE(marked(), 0x3U);
        drag({lane[4], lane[5], lane[4]});
        QCOMPARE(marked(), 0x33U);
        drag({lane[6], lane[6]}); // a click with an unsteady hand
        QCOMPARE(marked(), 0x73U);
        click(lane[6]);
        QCOMPARE(marked(), 0x33U);
        // It is wrong, and lies over what happened until Enter; then there is the picture, and it may be asked again.
        click(child<QPushButton>("questionGive"));
        ViewWidget* view = m_window->views().current();
        QTRY_VERIFY(predictionEnds.of(view->context().options));
        QCOMPARE(Guess::from(predictionGuess.of(view->context().options)).items, (std::set<int>{0, 1, 4, 5}));
        QTest::keyClick(view, Qt::Key_Return);
        QTRY_VERIFY(!predictionEnds.of(view->context().options));
        QVERIFY(!m_window->prediction().on() && view->isVisible());
        click(m_window->views().strip->again);
        QTRY_VERIFY(m_window->views().question->isVisible());
        QCOMPARE(marked(), 0U);
    }

    // Without an A there is no B.
    void theOpenRunIsNoBUntilSomethingIsPinned() {
        if (!hasCompiler())
            QSKIP("no compiler");
        m_window->begin();
        click(m_window->shell().parts->top->build);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->current() && !m_window->busy(), 120000);
        auto* strip = child<RunStrip>("runStrip");
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        QTRY_VERIFY(strip->count() == 2);
        for (int i = 0; i < strip->count(); ++i)
            QVERIFY2(!strip->item(i)->text().startsWith(QLatin1String("B")), qPrintable(strip->item(i)->text()));
        m_window->action(QStringLiteral("pin"))->trigger();
        QTRY_VERIFY(strip->item(strip->count() - 1)->text().startsWith(QLatin1String("A = B")) ||
                    strip->item(0)->text().startsWith(QLatin1String("A = B")));
    }
};

WARPGLASS_QT_TEST(TestWindowFirstMinutes)
#include "test_window_first_minutes.moc"
