// SPDX-License-Identifier: GPL-3.0-or-later
// An exercise in the real window, as a student does it: choose, read the goals, take a hint, look at the solution. The
// texts are those of the program, whose PTX is there: no compiler is needed.
#include "app/window/exercise/exercise_page.h"
#include "app/window/model/exercise_desk.h"
#include "app/window/pad/pad_panel.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QMessageBox>
#include <QPushButton>

using namespace warpglass;

class TestWindowExercises : public QObject, WindowFixture {
    Q_OBJECT

    ExercisePage* page() { return child<ExercisePage>("exercisePage"); }
    PadPanel* pad() { return child<PadPanel>("padPanel"); }
    void waitForGrade() {
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->exercises().judging() && m_window->exercises().grade(), 120000);
    }
    void choose(const QString& title) {
        auto* list = child<QListWidget>("lessons");
        child<QTabWidget>("leftTabs")->setCurrentIndex(1);
        const QList<QListWidgetItem*> items = list->findItems(title, Qt::MatchExactly);
        QCOMPARE(items.size(), 1);
        list->scrollToItem(items.first());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier,
                          list->visualItemRect(items.first()).center());
        waitForGrade();
    }
    void picture(const QString& name) { // for who wants to look
        const QString folder = qEnvironmentVariable("WARPGLASS_PICTURES");
        if (!folder.isEmpty())
            m_window->grab().save(QStringLiteral("%1/exercise-%2.png").arg(folder, name));
    }
    void answerWith(QMessageBox::StandardButton button) {
        click(page()->solution);
        QMessageBox* box = nullptr;
        QTRY_VERIFY((box = m_window->findChild<QMessageBox*>(QStringLiteral("askSolution"))));
        QTest::mouseClick(box->button(button), Qt::LeftButton);
        QTRY_VERIFY(!m_window->findChild<QMessageBox*>(QStringLiteral("askSolution")));
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("exercises")); }
    void init() { openWindow({1280, 800}); }
    void cleanup() { closeWindow(); }

    // The usual launch of the pad is the exercise's first one.
    void theFirstLaunchIsTakenApart() {
        const auto exercise = session::findExercise("fewer-atomics");
        QVERIFY(exercise.ok());
        const PadSettings settings = padSettingsOf(*exercise);
        const PadKernel kernel = settings.kernels.value(QStringLiteral("addUp"));
        QCOMPARE(kernel.grid->x, 4u);
        QCOMPARE(kernel.block->x, 128u);
        QCOMPARE(kernel.arguments.value(QStringLiteral("in")).count, QStringLiteral("512"));
        QCOMPARE(kernel.arguments.value(QStringLiteral("in")).initial, QStringLiteral("iota"));
        QCOMPARE(kernel.arguments.value(QStringLiteral("n")).count, QString());
        QCOMPARE(kernel.arguments.value(QStringLiteral("n")).initial, QStringLiteral("512"));
    }

    void goalsAreJudgedWhereOneWrites() {
        choose(QStringLiteral("No bank conflict"));
        QVERIFY(pad()->text().contains(QLatin1String("int tile[32][32];")));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->current() && !m_window->busy(), 120000); // and it runs, for the views
        QCOMPARE(m_window->current()->trace->launches.front().block.y, 8u);
        const QString text = page()->shownText();
        QVERIFY2(text.contains(QStringLiteral("✓ reached · The result is right")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("✗ missed · No bank conflict")), qPrintable(text));
        QVERIFY2(text.contains(QLatin1String("To line 10")), qPrintable(text)); // the read of a column
        QVERIFY2(text.contains(QLatin1String("share a bank")), qPrintable(text));
        QVERIFY(!text.contains(QLatin1String("Hint 1")));

        click(page()->hint);
        QVERIFY(page()->shownText().contains(QLatin1String("Hint 1 of 2")));
        QVERIFY(!page()->shownText().contains(QLatin1String("Hint 2 of 2")));
        click(page()->hint);
        QVERIFY(page()->shownText().contains(QLatin1String("Hint 2 of 2")));
        QVERIFY(!page()->hint->isEnabled());
        picture(QStringLiteral("en"));

        m_window->setLanguage(QStringLiteral("zh_CN"));
        QVERIFY(page()->shownText().contains(QString::fromUtf8("✗ 未达到 · 没有存储体冲突")));
        QVERIFY(!page()->shownText().contains(QLatin1String("reached")));
        picture(QStringLiteral("zh"));
    }

    // In the narrow column, and in larger type.
    void theGradeIsWhole() {
        choose(QStringLiteral("No bank conflict"));
        for (int larger = 0; larger < 5; ++larger) {
            const auto* grade = child<QLabel>("exerciseState");
            QTRY_VERIFY(grade->isVisible() && grade->text().contains(QStringLiteral(" goals")));
            QVERIFY2(grade->fontMetrics().horizontalAdvance(grade->text()) <= grade->width(),
                     qPrintable(QStringLiteral("%1 in %2").arg(grade->text()).arg(grade->width())));
            m_window->action(QStringLiteral("larger"))->trigger();
        }
    }

    void theSolutionAsksFirst() {
        choose(QStringLiteral("The first kernel"));
        QVERIFY(!m_window->exercises().grade()->passed());
        const QString starter = pad()->text();
        answerWith(QMessageBox::No);
        QCOMPARE(pad()->text(), starter);
        answerWith(QMessageBox::Yes);
        QVERIFY(pad()->text().contains(QLatin1String("if (i < n)")));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->exercises().grade() && m_window->exercises().grade()->passed(), 120000);
        QVERIFY(!page()->shownText().contains(QLatin1String("missed")));
        click(page()->grade); // again, by hand
        QVERIFY(m_window->exercises().judging());
        waitForGrade();
        QVERIFY(m_window->exercises().grade()->passed());
    }

    void anotherKernelEndsTheExercise() {
        choose(QStringLiteral("Mend the race"));
        auto* tabs = child<QTabWidget>("leftTabs");
        const int tab = tabs->indexOf(page());
        QVERIFY(tabs->isTabVisible(tab));
        m_window->action(QStringLiteral("new"))->trigger();
        QVERIFY(!m_window->exercises().current());
        QVERIFY(!tabs->isTabVisible(tab));
    }
};

WARPGLASS_QT_TEST(TestWindowExercises)
#include "test_window_exercises.moc"
