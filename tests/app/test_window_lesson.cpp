// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson in the window: what would tell the answer is put away while its question stands.
#include "app/window/compare/compare_panel.h"
#include "app/window/panels/question_card.h"
#include "app/window/panels/step_strip.h"
#include "app/window/panels/view_area.h"
#include "app/window/predict/predict_desk.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace warpglass;

class TestWindowLesson : public QObject, WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("lesson")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    // 1000 elements in blocks of 256: how many blocks? The grid of the run that lies behind the question says 4.
    void theGridDoesNotAnswer() {
        m_window->startLesson(QStringLiteral("what-runs-where"));
        settle();
        auto* grid = child<QLineEdit>("grid");
        QVERIFY(m_window->views().question->isVisible());
        QCOMPARE(grid->placeholderText(), QString("auto"));
        click(child<QPushButton>("questionShow"));
        QCOMPARE(grid->placeholderText(), QString("4 (auto)"));
    }

    // How many warps diverge? The table below, of what two runs differ in, has a row for that.
    void theTableOfDifferencesDoesNotAnswer() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        click(child<QPushButton>("questionShow"));
        click(m_window->views().strip->next);
        settle();
        QVERIFY(m_window->other() && m_window->views().question->isVisible());
        QVERIFY(!m_window->differences().isVisible());
        m_window->action(QStringLiteral("explore"))->trigger(); // where it would stand
        QVERIFY(m_window->views().question->isVisible() && !m_window->differences().isVisible());
        click(child<QPushButton>("questionShow"));
        QVERIFY(m_window->differences().isVisible());
    }

    // Once it is answered a step offers to ask again: the answer goes, and what was marked with it. A step that asks
    // nothing offers nothing.
    void aStepIsAskedAgain() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        QPushButton* again = m_window->views().strip->again;
        QuestionCard* card = m_window->views().question;
        QVERIFY(card->isVisible() && !again->isVisible());
        click(child<QWidget>("questionAnswers")->findChildren<QToolButton*>().first());
        QVERIFY(card->lanes() != LaneMask::none());
        emit card->answered({}, false); // as "Show me" does
        QVERIFY(!card->isVisible() && again->isVisible());
        click(again);
        QTRY_VERIFY(card->isVisible());
        QVERIFY(card->lanes() == LaneMask::none());
        QVERIFY(!again->isVisible());
        QVERIFY(!child<QLabel>("stepAnswer")->isVisible());
        // What a view asks, too.
        m_seen = m_shown;
        m_window->startLesson(QStringLiteral("coalescing"));
        settle();
        emit card->answered({}, false);
        click(m_window->views().strip->next);
        QTRY_VERIFY(m_window->prediction().state() == PredictDesk::State::Asking);
        QVERIFY(!again->isVisible());
        m_window->prediction().stop();
        QVERIFY(again->isVisible());
        click(again);
        QTRY_VERIFY(m_window->prediction().state() == PredictDesk::State::Asking);
    }

    // Of a kernel of the gallery a line says what it is there to show; while a view asks about it, it does not.
    void theKernelsStoryDoesNotAnswer() {
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        m_window->views().showView(QStringLiteral("lanes"));
        QVERIFY(m_window->views().strip->isVisible());
        m_window->action(QStringLiteral("predict"))->trigger();
        QVERIFY(m_window->prediction().asked());
        QVERIFY(!m_window->views().strip->isVisible());
        QTest::keyClick(m_window->views().current(), Qt::Key_Escape);
        QVERIFY(m_window->views().strip->isVisible());
    }

    // Where nothing can be asked the view says why: what it says in place of its picture, or that nobody had a choice. Two
    // warps of a block run on two schedulers, so that neither ever has two to choose from.
    void aViewSaysWhyItAsksNothing() {
        RunRequest request;
        request.kernel = "mathKernel1";
        request.launch.size = 64;
        request.launch.block = Dim3{64};
        request.options.timing = true;
        request.options.detail.accesses = request.accesses = true;
        m_window->run(request);
        settle();
        for (const auto& [key, why] : {std::pair("reduction", "does not fold numbers into one"),
                                       {"scheduler", "never had two warps that were ready"}}) {
            m_window->views().showView(QLatin1String(key));
            m_window->action(QStringLiteral("predict"))->trigger();
            const QString note = predictionNote.of(m_window->views().current()->context().options);
            QVERIFY2(note.contains(QLatin1String(why)), qPrintable(note));
            QTest::keyClick(m_window->views().current(), Qt::Key_Escape);
        }
    }

    // Lanes stand in rows of eight: the arrows go over them as they are seen, A marks all, or none if all were, and Enter
    // answers.
    void lanesAreMarkedByKeys() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths")); // the even ones
        settle();
        const auto lanes = child<QWidget>("questionAnswers")->findChildren<QToolButton*>();
        QCOMPARE(lanes.size(), 32);
        const auto focused = [] { return static_cast<QToolButton*>(QApplication::focusWidget())->text().toInt(); };
        const auto press = [](int key) { QTest::keyClick(QApplication::focusWidget(), Qt::Key(key)); };
        QTRY_COMPARE(QApplication::focusWidget(), lanes[0]);
        for (const auto& [key, lane] : {std::pair(int(Qt::Key_Down), 8),
                                        {Qt::Key_Right, 9},
                                        {Qt::Key_Down, 17},
                                        {Qt::Key_Up, 9},
                                        {Qt::Key_Left, 8},
                                        {Qt::Key_Up, 0},
                                        {Qt::Key_Up, 0},
                                        {Qt::Key_End, 31},
                                        {Qt::Key_Down, 31},
                                        {Qt::Key_Home, 0}}) {
            press(key);
            QCOMPARE(focused(), lane);
        }
        const auto marked = [&] {
            return std::count_if(lanes.begin(), lanes.end(), [](auto* l) { return l->isChecked(); });
        };
        press(Qt::Key_A);
        QCOMPARE(marked(), 32);
        press(Qt::Key_A);
        QCOMPARE(marked(), 0);
        for (int pair = 0; pair < 16; ++pair) {
            press(Qt::Key_Space);
            press(Qt::Key_Right);
            press(Qt::Key_Right);
        }
        QCOMPARE(marked(), 16);
        press(Qt::Key_Return);
        QVERIFY(!m_window->views().question->isVisible());
        QVERIFY(child<QLabel>("stepAnswer")->text().startsWith(QStringLiteral("Right: 16 lanes.")));
        QCOMPARE(QApplication::focusWidget(), m_window->views().current());
    }

    // Enter presses the choice that has the focus, and what stands below the choices.
    void choicesAreMadeByEnter() {
        m_window->startLesson(QStringLiteral("loops-of-different-length"));
        settle();
        const auto choices = child<QWidget>("questionAnswers")->findChildren<QPushButton*>();
        QTRY_COMPARE(QApplication::focusWidget(), choices[0]);
        QTest::keyClick(choices[0], Qt::Key_Down);
        QTest::keyClick(choices[1], Qt::Key_Return);
        QVERIFY(!m_window->views().question->isVisible());
        QVERIFY(child<QLabel>("stepAnswer")->text().contains(choices[1]->accessibleName()));
    }

    // A class's type is set smaller in the code beside a question, so that its lines are whole where that is enough.
    void theCodeOfAQuestionIsSeenWhole() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        auto* code = child<QPlainTextEdit>("questionCode");
        const auto longest = [code] {
            qreal width = 0;
            for (const QString& line : code->toPlainText().split(QLatin1Char('\n')))
                width = std::max(width, QFontMetricsF(code->font()).horizontalAdvance(line));
            return width;
        };
        for (const double type : {1.0, 1.3}) {
            m_window->setFontScale(type);
            QTRY_VERIFY2(longest() <= code->viewport()->width(), qPrintable(QString::number(longest())));
        }
        m_window->setFontScale(2.0); // and not below what can be read
        QTRY_VERIFY(QFontInfo(code->font()).pixelSize() >= QFontInfo(m_window->views().font()).pixelSize() * 2 / 3);
        m_window->setFontScale(1.0);
        QTRY_VERIFY(QFontInfo(code->font()).pixelSize() >= QFontInfo(m_window->views().font()).pixelSize());
    }
};

WARPGLASS_QT_TEST(TestWindowLesson)
#include "test_window_lesson.moc"
