// SPDX-License-Identifier: GPL-3.0-or-later
// Playing in the real window: what is in front moves between its moments, a thread is followed, and a recording of the
// same launch lies under the modelled one.
#include "app/window/play/transport_bar.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/ghost.h"

#include <QtTest>

using namespace warpglass;

class TestWindowPlaying : public QObject, WindowFixture {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassPlayingTests")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void theViewInFrontMovesBetweenItsMoments() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        m_window->views().showView(QStringLiteral("lanes"));
        TransportBar& transport = m_window->transport();
        QTRY_VERIFY(transport.moments());
        transport.toStart();
        int between = 0;
        connect(&m_window->selection(), &SelectionModel::changed, this, [&](const Selection& now) {
            between += now.motion.playing && now.motion.way > 0 && now.motion.way < 1;
        });
        transport.play();
        QTRY_VERIFY_WITH_TIMEOUT(between > 5, 20000);
        QVERIFY(m_window->views().current()->context().selection.motion.playing);
        transport.stop();
        transport.stepForward(); // who steps stands still
        QVERIFY(!m_window->selection().get().motion.playing);
    }

    void withoutMotionNothingIsBetween() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        m_window->views().showView(QStringLiteral("lanes"));
        m_window->action(QStringLiteral("still"))->trigger();
        QVERIFY(m_window->action(QStringLiteral("still"))->isChecked());
        TransportBar& transport = m_window->transport();
        QTRY_VERIFY(transport.moments());
        transport.toStart();
        int told = 0, between = 0;
        connect(&m_window->selection(), &SelectionModel::changed, this, [&](const Selection& now) {
            ++told;
            between += now.motion.way < 1;
        });
        transport.play();
        QTRY_VERIFY_WITH_TIMEOUT(told > 0, 20000);
        QTest::qWait(200);
        QCOMPARE(between, 0);
        m_window->action(QStringLiteral("still"))->trigger();
        QVERIFY(!m_window->action(QStringLiteral("still"))->isChecked());
    }

    // The documents' four warps have a clock of their own, and no other transport. By turns their 9 instructions (two
    // FMAs twice, two MULs, three ADDs) are issued in 9 cycles, one in each.
    void theExampleIsPlayedByTheOneTransport() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        TransportBar& transport = m_window->transport();
        QTRY_VERIFY(transport.moments());
        m_window->views().showView(QStringLiteral("scheduler"));
        ViewWidget* view = m_window->views().current();
        const TracePtr open = transport.trace();
        const Selection before = m_window->selection().get();
        const auto cycle = [view] { return view->context().options.value(QStringLiteral("exampleCycle")).toInt(); };
        const auto says = [&transport](const QString& words) {
            const auto labels = transport.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](QLabel* label) { return label->text() == words; });
        };
        view->setOption(QStringLiteral("show"), QStringLiteral("example"));
        QCOMPARE(transport.moments()->times.size(), std::size_t(9));
        transport.toStart();
        for (int i = 0; i < 3; ++i)
            transport.stepForward();
        QCOMPARE(cycle(), 3);
        QVERIFY(says(QStringLiteral("cycle 3")));
        QTest::keyClick(view, Qt::Key_Right); // a step in the view is one of the transport
        QCOMPARE(transport.time().value, 4);
        QVERIFY(says(QStringLiteral("moment 5 of 9")));
        transport.toStart();
        while (transport.playback().speed < 8)
            transport.faster();
        transport.play();
        QTRY_VERIFY_WITH_TIMEOUT(!transport.playback().playing, 60000);
        QCOMPARE(cycle(), 8);
        QVERIFY(m_window->selection().get() == before); // the open run rests where it was
        view->setOption(QStringLiteral("show"), QStringLiteral("cycles"));
        QCOMPARE(transport.trace(), open);
        QCOMPARE(transport.time(), before.time);
    }

    void aThreadIsFollowedByAKey() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        Selection s = m_window->selection().get();
        s.lane = 6;
        m_window->selection().set(s);
        m_window->action(QStringLiteral("follow"))->trigger();
        QVERIFY((m_window->selection().get().followed == FollowedThread{s.warp, 6}));
        for (int i = 0; i < m_window->views().count(); ++i) // all of them know
            QVERIFY(m_window->views().at(i)->context().selection.followed == m_window->selection().get().followed);
        s = m_window->selection().get();
        s.lane = 9; // something else is looked at
        m_window->selection().set(s);
        QCOMPARE(m_window->selection().get().followed.lane, 6);
        s.lane = 6;
        m_window->selection().set(s);
        m_window->action(QStringLiteral("follow"))->trigger();
        QCOMPARE(m_window->selection().get().followed.warp, noIndex);
    }

    // The recording of mathKernel1 that comes with the program; "timing" models the launch that it shows.
    void aRecordingLiesUnderTheModelOfItsLaunch() {
        m_window->openFile(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"));
        settle();
        const TracePtr recorded = m_window->current()->trace;
        QCOMPARE(recorded->info.timeOrigin, Origin::Measured);
        QVERIFY(!m_window->views().widget(QStringLiteral("timeline"))->context().ghost); // under itself lies nothing
        m_window->action(QStringLiteral("timing"))->trigger();
        settle();
        const TracePtr modelled = m_window->current()->trace;
        QCOMPARE(modelled->info.timeOrigin, Origin::Modelled);
        QVERIFY(recordsLaunchOf(*recorded, *modelled));
        QTRY_COMPARE(m_window->views().widget(QStringLiteral("timeline"))->context().ghost, recorded);
    }

    void aShippedRecordingIsFoundToo() {
        m_window->openFile(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"));
        settle();
        const TracePtr recorded = m_window->current()->trace;
        m_window->action(QStringLiteral("timing"))->trigger();
        settle();
        const TracePtr shipped = shippedGhost(*m_window->current()->trace);
        QVERIFY(shipped);
        QCOMPARE(shipped->launches.front().end.value, recorded->launches.front().end.value);
        QVERIFY(!shippedGhost(*recorded)); // what is measured needs none
    }
};

WARPGLASS_QT_TEST(TestWindowPlaying)
#include "test_window_playing.moc"
