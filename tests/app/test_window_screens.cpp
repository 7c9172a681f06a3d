// SPDX-License-Identifier: GPL-3.0-or-later
// Presenting with a second screen (two_screens.json): the picture fills the screen on which the window is, notes and clock
// lie on the other one.
#include "app/window/present/presenter_notes.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QScreen>

using namespace warpglass;

class TestWindowScreens : public QObject, WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() {
        prepareWindowTests(QStringLiteral("screens"));
        if (QGuiApplication::screens().size() < 2)
            QSKIP("wants QT_QPA_PLATFORM=offscreen:configfile=tests/app/two_screens.json");
    }
    void init() { openWindow({1000, 700}); }
    void cleanup() { closeWindow(); }

    // From either screen: with the window on the desk's, the notes are on the wall's, and the other way round.
    void theNotesLieOnTheOtherScreen() {
        const QList<QScreen*> screens = QGuiApplication::screens();
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        for (int here = 0; here < 2; ++here) {
            const QRect mine = screens[here]->geometry(), other = screens[1 - here]->geometry();
            m_window->move(mine.topLeft() + QPoint(60, 60));
            QTest::keyClick(m_window.get(), Qt::Key_F5);
            QVERIFY(m_window->presenting() && m_window->isFullScreen());
            QTRY_COMPARE(m_window->geometry(), mine);
            PresenterNotes& notes = m_window->presenterNotes();
            QTRY_VERIFY(notes.isVisible());
            QVERIFY2(other.contains(notes.frameGeometry()), qPrintable(notes.objectName()));
            QVERIFY(notes.screen() == screens[1 - here]);
            QCOMPARE(notes.windowType(), Qt::Window); // it covers nothing
            QVERIFY(notes.findChild<QLabel*>(QStringLiteral("presenterClock"))->text().contains(':'));
            QVERIFY(!notes.findChild<QLabel*>(QStringLiteral("presenterTitle"))->text().isEmpty());
            QTest::keyClick(m_window.get(), Qt::Key_Escape);
            QTRY_VERIFY(!m_window->presenting() && !notes.isVisible());
            QTRY_VERIFY(mine.contains(m_window->geometry().center())); // where it was
        }
    }
};

WARPGLASS_QT_TEST(TestWindowScreens)
#include "test_window_screens.moc"
