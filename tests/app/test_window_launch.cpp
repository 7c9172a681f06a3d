// SPDX-License-Identifier: GPL-3.0-or-later
// The launch panel in the real window: what it runs, what it says, and that no key or wheel changes it by the way.
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QWheelEvent>

using namespace warpglass;

class TestWindowLaunch : public QObject, WindowFixture {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassLaunch")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void changingTheBlockRunsAgain() {
        clickKernel(QStringLiteral("reduceNeighbored"));
        settle();
        auto* block = child<QLineEdit>("block");
        block->setFocus();
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("32"));
        QTest::keyClick(block, Qt::Key_Return);
        settle();
        QCOMPARE(m_window->current()->trace->launches[0].block, (Dim3{32, 1, 1}));
        QCOMPARE(m_window->current()->check.check, Check::Ok);
    }

    void aWrongBlockIsMarkedAndNothingRuns() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        auto* block = child<QLineEdit>("block");
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("sixty"));
        QTest::qWait(500);
        QVERIFY(!m_window->busy());
        QVERIFY(block->property("wrong").toBool());
    }

    void aBlockOverTheLimitIsRefusedWithASentence() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const RunPtr before = m_window->current();
        auto* block = child<QLineEdit>("block");
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("2048"));
        QTest::keyClick(block, Qt::Key_Return);
        settle();
        QVERIFY(m_window->views().message->showsError());
        QVERIFY2(m_window->views().message->text().contains(QStringLiteral("1,024")),
                 qPrintable(m_window->views().message->text()));
        QCOMPARE(m_window->current(), before); // the picture that was there stays
    }

    void changingTheModeRunsAgain() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const CompileMode before = m_window->current()->trace->info.mode;
        auto* mode = child<QComboBox>("mode");
        mode->setFocus();
        QTest::keyClick(mode, before == CompileMode::Optimised ? Qt::Key_Down : Qt::Key_Up);
        settle();
        QVERIFY(m_window->current()->trace->info.mode != before);
    }

    void cyclesAreThoseOfOptimisedCode() {
        const auto choose = [this](const char* name, int index) {
            auto* box = child<QComboBox>(name);
            box->setCurrentIndex(index);
            emit box->activated(index);
            settle();
        };
        const auto shows = [this](CompileMode mode, bool cycles) {
            const TraceInfo& info = m_window->current()->trace->info;
            return info.mode == mode && info.timing == cycles &&
                   child<QComboBox>("mode")->currentData().toInt() == int(mode);
        };
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        QVERIFY(shows(CompileMode::AsWritten, false));
        const int withCycles = child<QComboBox>("record")->findText(QStringLiteral("with cycles"));
        choose("record", withCycles);
        QVERIFY(shows(CompileMode::Optimised, true));
        choose("mode", child<QComboBox>("mode")->findData(int(CompileMode::AsWritten)));
        QVERIFY(shows(CompileMode::AsWritten, true)); // it was chosen
        clickKernel(QStringLiteral("mathKernel2"));
        settle();
        QVERIFY(shows(CompileMode::AsWritten, true));
        choose("mode", child<QComboBox>("mode")->findData(int(CompileMode::Optimised)));
        choose("record", 0);
        QVERIFY(shows(CompileMode::Optimised, false));         // so was this, though it is what cycles come with
        m_window->action(QStringLiteral("timing"))->trigger(); // of the menu and of empty views
        settle();
        QVERIFY(shows(CompileMode::Optimised, true));
    }

    void runsComeBackWithUndo() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const RunPtr first = m_window->current();
        clickKernel(QStringLiteral("mathKernel2"));
        settle();
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->current(), first); // the same, not another run of it
        QCOMPARE(m_window->views().current()->context().trace, first->trace);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_window->current()->name, QString("mathKernel2"));
        QVERIFY(!m_window->action(QStringLiteral("redo"))->isEnabled());
    }

    void theWheelLeavesBoxesAloneThatDoNotHaveTheFocus() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const RunPtr before = m_window->current();
        auto* mode = child<QComboBox>("mode");
        m_window->views().current()->setFocus();
        const int index = mode->currentIndex();
        for (int delta : {120, -120}) {
            QWheelEvent wheel(QPointF(5, 5), mode->mapToGlobal(QPointF(5, 5)), {}, {0, delta}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(mode, &wheel);
        }
        QTest::qWait(500); // longer than the panel waits for a second change
        QCOMPARE(mode->currentIndex(), index);
        QCOMPARE(m_window->current(), before);
        mode->setFocus();
        QTRY_VERIFY(mode->hasFocus());
        QWheelEvent wheel(QPointF(5, 5), mode->mapToGlobal(QPointF(5, 5)), {}, {0, index == 0 ? -120 : 120},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(mode, &wheel);
        QVERIFY(mode->currentIndex() != index);
        settle();
    }

    void aChoiceByTheMouseGivesTheKeysBackToTheView() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        auto* mode = child<QComboBox>("mode");
        click(mode);
        QTRY_VERIFY(mode->view()->isVisible());
        const QModelIndex other = mode->model()->index(1 - mode->currentIndex(), 0);
        QTest::qWait(QApplication::doubleClickInterval() + 50); // Qt takes a release right after the press for the same
        QTest::mouseClick(mode->view()->viewport(), Qt::LeftButton, Qt::NoModifier,
                          mode->view()->visualRect(other).center());
        QTRY_VERIFY(!mode->view()->isVisible());
        QTRY_VERIFY(m_window->views().current()->hasFocus());
        settle();
        const RunPtr run = m_window->current();
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Home); // of the view, not of the box
        QTest::qWait(500);
        QCOMPARE(m_window->current(), run);
    }

    void keysAfterAClickInAListMeanTheView() {
        clickKernel(QStringLiteral("reduceNeighbored"));
        settle();
        const RunPtr run = m_window->current();
        QTRY_VERIFY(m_window->views().current()->hasFocus());
        for (const int key : {Qt::Key_Home, Qt::Key_End, Qt::Key_PageDown, Qt::Key_Down, Qt::Key_M, Qt::Key_Space})
            QTest::keyClick(m_window->focusWidget(), Qt::Key(key));
        QTest::qWait(500);
        QVERIFY(!m_window->busy());
        QCOMPARE(m_window->current(), run);
        m_window->transport().stop();
        auto* speed = child<QSlider>("speed"); // and so after the slider, a tab, a button
        click(speed);
        QTRY_VERIFY(m_window->views().current()->hasFocus());
        m_window->action(QStringLiteral("lessons"))->trigger();
        auto* tabs = child<QTabWidget>("leftTabs")->tabBar();
        QVERIFY(tabs->isVisible()); // back to the kernels
        QTest::mouseClick(tabs, Qt::LeftButton, Qt::NoModifier, tabs->tabRect(0).center());
        QVERIFY(!tabs->isVisible());
        QTRY_VERIFY(m_window->views().current()->hasFocus());
    }

    void aListIsWalkedByTheArrowsAndReturnChooses() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const RunPtr run = m_window->current();
        auto* list = child<QListWidget>("gallery");
        list->setFocus(Qt::TabFocusReason);
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Home);
        QTest::keyClick(list, Qt::Key_End);
        QTest::qWait(500);
        QVERIFY(!m_window->busy());
        QCOMPARE(m_window->current(), run);
        QListWidgetItem* other = list->findItems(QStringLiteral("   mathKernel2"), Qt::MatchExactly).value(0);
        QVERIFY(other);
        list->setCurrentItem(other);
        QTest::keyClick(list, Qt::Key_Return);
        settle();
        QCOMPARE(m_window->current()->name, QString("mathKernel2"));
    }

    void aBoxReachedByTheKeyboardIsNotTurnedByHomeOrALetter() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const RunPtr run = m_window->current();
        for (const char* name : {"mode", "record", "device"}) {
            auto* box = child<QComboBox>(name);
            const int index = box->currentIndex();
            box->setFocus(Qt::TabFocusReason);
            QTRY_VERIFY(box->hasFocus());
            for (const int key : {Qt::Key_Home, Qt::Key_End, Qt::Key_W, Qt::Key_O, Qt::Key_G}) // "with cycles", ...
                QTest::keyClick(box, Qt::Key(key));
            QCOMPARE(box->currentIndex(), index);
        }
        QTest::qWait(500);
        QCOMPARE(m_window->current(), run);
    }

    void aRecordingFillsTheLaunchPanel() {
        clickKernel(QStringLiteral("reduceNeighbored")); // whose block is another
        settle();
        m_window->openFile(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"));
        settle();
        const Trace& trace = *m_window->current()->trace;
        QCOMPARE(child<QLineEdit>("block")->text(), QString::fromStdString(trace.launches[0].block.text()));
        QCOMPARE(child<QLineEdit>("grid")->text(), QString::fromStdString(trace.launches[0].grid.text()));
        QCOMPARE(child<QComboBox>("mode")->currentData().toInt(), int(CompileMode::AsWritten));
        QVERIFY(!child<QLineEdit>("block")->isEnabled()); // to be read, not changed
    }

    void aLaunchThatDidNotRunSaysWhatThePictureShows() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const auto said = [this] {
            for (const QLabel* label : child<QWidget>("launchPanel")->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(QStringLiteral("the picture shows")))
                    return true;
            return false;
        };
        QVERIFY(!said());
        auto* block = child<QLineEdit>("block");
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("2048"));
        QTest::keyClick(block, Qt::Key_Return);
        settle();
        QVERIFY(said());
        QCOMPARE(block->text(), QString("2048"));
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("64"));
        QTest::keyClick(block, Qt::Key_Return);
        settle();
        QVERIFY(!said());
    }
};

WARPGLASS_QT_TEST(TestWindowLaunch)
#include "test_window_launch.moc"
