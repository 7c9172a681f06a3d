// SPDX-License-Identifier: GPL-3.0-or-later
// Presenting, with a remote's keys and the mouse: what the class sees, and what only the presenter does.
#include "app/window/panels/view_area.h"
#include "app/window/play/transport_bar.h"
#include "app/window/predict/predict_desk.h"
#include "app/window/present/presenter_notes.h"
#include "app/window/present/presenter_overlay.h"
#include "app/window/sides/side_dock.h"
#include "app/window/view_registry.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QScreen>

#include <cmath>

using namespace warpglass;
using Tool = PresenterOverlay::Tool;

class TestWindowPresent : public QObject, WindowFixture {
    Q_OBJECT
    PresenterOverlay& overlay() { return m_window->overlay(); }
    void press(int key) { QTest::keyClick(m_window.get(), Qt::Key(key)); }
    void present(const QString& lesson) {
        m_window->startLesson(lesson);
        settle();
        press(Qt::Key_F5);
        QVERIFY(m_window->presenting());
        QTRY_COMPARE(m_window->size(), m_window->screen()->size());
    }
    QImage pixels() { return m_window->grab().toImage(); }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("present")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void oneKeyShowsTheViewAlone() {
        for (const int key : {int(Qt::Key_F5), int(Qt::Key_F11)}) {
            press(key);
            QVERIFY(m_window->isFullScreen());
            for (const char* name : {"topBar", "leftPanel", "rightPanel", "transport", "viewHeader"})
                QVERIFY2(!child<QWidget>(name)->isVisible(), name);
            QVERIFY(m_window->views().isVisible());
            QVERIFY(m_window->theme().fontScale >= 1.6);
            press(Qt::Key_Escape);
            QVERIFY(!m_window->isFullScreen());
            QVERIFY(child<QWidget>("topBar")->isVisible());
        }
    }

    void aRemoteGoesStepByStep() {
        present(QStringLiteral("one-warp-two-paths"));
        QVERIFY(m_window->views().question->isVisible());
        press(Qt::Key_PageDown); // what is asked is shown before the next is asked
        QVERIFY(!m_window->views().question->isVisible());
        QVERIFY(m_window->views().current()->isVisible());
        QVERIFY(!m_window->other());
        press(Qt::Key_PageDown);
        settle();
        QVERIFY(m_window->other()); // the second step compares
        press(Qt::Key_PageUp);
        settle();
        QVERIFY(!m_window->other());
    }

    // Without a lesson the same keys step in time, and R plays from the start.
    void aRemoteStepsInTime() {
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        QTRY_VERIFY(m_window->transport().moments());
        press(Qt::Key_F5);
        const Time start = m_window->transport().time();
        press(Qt::Key_PageDown);
        press(Qt::Key_PageDown);
        const Time later = m_window->transport().time();
        QVERIFY(later > start);
        press(Qt::Key_PageUp);
        QVERIFY(m_window->transport().time() < later);
        press(Qt::Key_R);
        QVERIFY(m_window->transport().playback().playing);
        QCOMPARE(m_window->selection().get().time, m_window->current()->trace->range().begin);
    }

    void theScreenGoesBlackAndComesBack() {
        press(Qt::Key_B); // not before it is presented
        QVERIFY(overlay().tool() == Tool::None);
        present(QStringLiteral("grid-block-warp"));
        press(Qt::Key_B);
        const QImage black = pixels();
        for (const QPoint at : {QPoint(5, 5), black.rect().center(), black.rect().bottomRight() - QPoint(5, 5)})
            QCOMPARE(black.pixelColor(at), QColor(Qt::black));
        press(Qt::Key_B);
        QVERIFY(!overlay().isVisible());
        QVERIFY(pixels().pixelColor(5, 5) != QColor(Qt::black));
    }

    void theSpotlightFollowsThePointer() {
        present(QStringLiteral("grid-block-warp"));
        const QImage before = pixels();
        press(Qt::Key_H);
        const QPoint at(400, 300);
        QTest::mouseMove(m_window->windowHandle(), at);
        QTRY_COMPARE(pixels().pixelColor(at), before.pixelColor(at));
        const QPoint far(before.width() - 40, 40);
        QVERIFY(pixels().pixelColor(far).lightness() < before.pixelColor(far).lightness() / 2);
        press(Qt::Key_Escape); // the light goes out first, the presentation ends after it
        QVERIFY(overlay().tool() == Tool::None);
        QVERIFY(m_window->presenting());
    }

    void whatThePenDrawsVanishes() {
        present(QStringLiteral("grid-block-warp"));
        press(Qt::Key_P);
        QTest::mousePress(&overlay(), Qt::LeftButton, Qt::NoModifier, {300, 300});
        QTest::mouseMove(&overlay(), {500, 320});
        QTest::mouseRelease(&overlay(), Qt::LeftButton, Qt::NoModifier, {500, 320});
        QCOMPARE(overlay().strokes(), 1);
        const QColor ink = m_window->theme().wrong;
        QCOMPARE(pixels().pixelColor(400, 310).rgb(), ink.rgb());
        press(Qt::Key_P); // the pen is put down, and what it drew vanishes all the same
        QCOMPARE(overlay().strokes(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(overlay().strokes(), 0, 60000);
        QVERIFY(!overlay().isVisible());
    }

    void codeComesWhereItIsAskedFor() {
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        press(Qt::Key_F5);
        QVERIFY(!child<QWidget>("rightPanel")->isVisible());
        press(Qt::Key_C);
        QVERIFY(child<QWidget>("rightPanel")->isVisible());
        QVERIFY(child<QWidget>("rightPanel")->findChild<QWidget*>(QStringLiteral("source"))->isVisible());
        QVERIFY(!child<QWidget>("warpPanel")->isVisible());
        press(Qt::Key_C);
        QVERIFY(!child<QWidget>("rightPanel")->isVisible());
        press(Qt::Key_Escape);
        QVERIFY(child<QWidget>("warpPanel")->isVisible());
    }

    // A side that is folded at the desk, or floats beside the window, is asked for all the same: its code alone, wide
    // enough to be read. At the desk it is then as it was.
    void codeComesThoughItsSideIsPutAway() {
        auto* dock = child<SideDock>("rightDock");
        auto* source = child<QWidget>("rightPanel")->findChild<QWidget*>(QStringLiteral("source"));
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        const int atDesk = dock->width();
        for (const bool floats : {false, true}) {
            const QRect floated(60, 50, 330, 500);
            dock->setFolded(!floats);
            dock->setFloating(floats);
            if (floats)
                dock->setGeometry(floated);
            child<QTabBar>("sourceTabs")->setCurrentIndex(1); // PTX
            press(Qt::Key_F5);
            QTRY_COMPARE(m_window->size(), m_window->screen()->size());
            press(Qt::Key_C);
            QVERIFY(source->isVisible() && !dock->isFloating());
            QVERIFY(!child<QWidget>("sourceTabs")->isVisible());
            QVERIFY(!dock->findChild<QLabel*>(QStringLiteral("small"))->isVisible()); // its title
            QTRY_VERIFY(source->width() >= m_window->width() * 2 / 5);
            QVERIFY(m_window->views().width() >= m_window->width() / 2);
            press(Qt::Key_Escape);
            QCOMPARE(dock->isFolded(), !floats);
            QCOMPARE(dock->isVisible(), floats);
            QCOMPARE(dock->isFloating(), floats);
            QCOMPARE(child<QTabBar>("sourceTabs")->currentIndex(), 1);
            QVERIFY(!child<QTabBar>("sourceTabs")->isHidden());
            if (floats)
                QCOMPARE(dock->size(), floated.size());
            m_window->resize(1280, 720);
            dock->setFolded(false);
            if (!floats)
                QTRY_COMPARE(dock->width(), atDesk);
        }
    }

    // 720 lines high the type is 1.6 times the usual one, and as large a part of the wall where there are more dots.
    void aWallOfMoreDotsHasLargerType() {
        press(Qt::Key_F5);
        QTRY_COMPARE(m_window->size(), m_window->screen()->size());
        m_window->resize(1280, 720);
        QTRY_COMPARE(m_window->theme().fontScale, 1.6);
        m_window->resize(1920, 1080);
        QTRY_COMPARE(m_window->theme().fontScale, 1.6 * 1080 / 720);
        m_window->resize(1024, 768);
        QTRY_COMPARE(m_window->theme().fontScale, 1.6);
        press(Qt::Key_Escape);
        QCOMPARE(m_window->theme().fontScale, 1.0);
    }

    // The field for a number has the focus as soon as it is asked for; letters are no number, but the class room's keys.
    void aFieldForANumberLeavesTheKeys() {
        present(QStringLiteral("what-runs-where"));
        auto* number = child<QLineEdit>("questionNumber");
        QTRY_VERIFY(number->hasFocus());
        QTest::keyClick(number, Qt::Key_B);
        QVERIFY(overlay().tool() == Tool::Blackout);
        QTest::keyClick(number, Qt::Key_B);
        QVERIFY(overlay().tool() == Tool::None);
        QTest::keyClicks(number, QStringLiteral("4"));
        QCOMPARE(number->text(), QStringLiteral("4"));
    }

    void notesAndClockAreInAWindowOfTheirOwn() {
        present(QStringLiteral("one-warp-two-paths"));
        PresenterNotes& notes = m_window->presenterNotes();
        QVERIFY(notes.isWindow());
        press(Qt::Key_N);
        QVERIFY(notes.isVisible());
        // There is one screen: they lie in its corner, above what fills it.
        QCOMPARE(notes.windowType(), Qt::Tool);
        QVERIFY(m_window->screen()->geometry().contains(notes.geometry()));
        QVERIFY(!notes.geometry().contains(m_window->geometry().topLeft() + QPoint(200, 200)));
        const auto lesson = readLesson(QStringLiteral(":/lessons/one-warp-two-paths.json"), viewKeys());
        QVERIFY(lesson.ok());
        const LessonStep& step = lesson->steps[0];
        QCOMPARE(notes.findChild<QLabel*>(QStringLiteral("presenterTitle"))->text(), step.title.en);
        if (!step.notes.en.isEmpty())
            QVERIFY(notes.notes().contains(shownText(step.notes.en)));
        QVERIFY(notes.findChild<QLabel*>(QStringLiteral("presenterNext"))->text().startsWith("Next: "));
        QVERIFY(notes.findChild<QLabel*>(QStringLiteral("presenterClock"))->text().contains(':'));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QCOMPARE(notes.findChild<QLabel*>(QStringLiteral("presenterTitle"))->text(), step.title.zh);
        press(Qt::Key_Escape); // ends the presentation, and its notes
        QVERIFY(!notes.isVisible());
        QCOMPARE(PresenterNotes::elapsedText(425'000), QString("7:05"));
        QCOMPARE(PresenterNotes::elapsedText(3'723'000), QString("1:02:03"));
    }

    // A remote's Page down checks what the class has painted, and goes on to the next question.
    void aClassPredictsOnTheWall() {
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        m_window->views().showView(QStringLiteral("lanes"));
        m_window->selection().setTime(m_window->current()->trace->range().begin);
        press(Qt::Key_F5);
        press(Qt::Key_F6);
        QVERIFY(m_window->prediction().state() == PredictDesk::State::Asking);
        press(Qt::Key_PageDown);
        QVERIFY(m_window->prediction().state() == PredictDesk::State::Shown);
        press(Qt::Key_PageDown);
        QVERIFY(m_window->prediction().state() != PredictDesk::State::Shown);
        press(Qt::Key_Escape);
        QVERIFY(m_window->presenting() && !m_window->prediction().on());
    }

    // 7 to 1 between text and ground (WCAG's enhanced contrast), 4.5 to 1 for all that is written in colour, and lines
    // of 3 to 1.
    void theProjectorsThemeHasContrast() {
        const auto luminance = [](const QColor& c) {
            const auto part = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
            return 0.2126 * part(c.redF()) + 0.7152 * part(c.greenF()) + 0.0722 * part(c.blueF());
        };
        const auto contrast = [&](const QColor& a, const QColor& b) {
            const double x = luminance(a), y = luminance(b);
            return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
        };
        m_window->action(QStringLiteral("theme_projector"))->trigger();
        const Theme& t = m_window->theme();
        QVERIFY(t.kind == ThemeKind::Projector);
        for (const QColor& ground : {t.window, t.panel, t.sunken}) {
            QVERIFY(contrast(t.text, ground) >= 7);
            QVERIFY(contrast(t.textMuted, ground) >= 7);
            QVERIFY(contrast(t.border, ground) >= 3);
            for (const QColor& ink : {t.accent, t.attention, t.good, t.wrong})
                QVERIFY(contrast(ink, ground) >= 4.5);
        }
        QVERIFY(contrast(t.textOnAccent, t.accent) >= 7);
    }
};

WARPGLASS_QT_TEST(TestWindowPresent)
#include "test_window_present.moc"
