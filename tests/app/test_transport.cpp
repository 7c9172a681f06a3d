// SPDX-License-Identifier: GPL-3.0-or-later
// The transport plays the beats of what is looked at: time flows between them, and stands still where somebody goes.
#include "app/window/model/motion.h"
#include "app/window/play/transport_bar.h"
#include "tests/app/hand_trace.h"
#include "tests/qt_tests.h"
#include "views/common/ticks.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace warpglass;

class TestTransport : public QObject {
    Q_OBJECT
private slots:
    // The trace goes from 10 to 20. The only beat, at 12, stands between its ends: 10 (1 beat), 12 (1), 20 (0).
    void timeFlowsFromBeatToBeat() {
        Progress progress;
        TransportBar bar;
        const TracePtr trace = handTrace();
        bar.setTrace(trace, std::make_shared<const Moments>(momentsOf(*trace, nullptr, progress)));
        bar.setBeats([] { return std::vector<Beat>{{{12}, 1}}; });
        std::vector<std::pair<Time, Motion>> told;
        connect(&bar, &TransportBar::timeChanged, this, [&](Time time, const Motion& motion) {
            told.push_back({time, motion});
        });
        bar.play();
        QTRY_VERIFY_WITH_TIMEOUT(!bar.playback().playing, 10000);
        QVERIFY(told.size() > 4);
        int between = 0;
        for (std::size_t i = 0; i + 1 < told.size(); ++i) {
            QVERIFY(told[i].second.playing);
            QVERIFY(told[i].first == Time{10} || told[i].first == Time{12});
            QCOMPARE(told[i].second.to.value, told[i].first == Time{10} ? 12 : 20);
            between += told[i].second.way > 0 && told[i].second.way < 1;
        }
        QVERIFY(between > 2);
        QVERIFY(!told.back().second.playing); // at the end everything is done
        QCOMPARE(bar.time().value, 20);
    }

    // On the way from 10 to 12 the views show what lies between; so does the transport.
    void onTheWayTheClockIsTheCursors() {
        Progress progress;
        TransportBar bar;
        const TracePtr trace = handTrace();
        bar.setTrace(trace, std::make_shared<const Moments>(momentsOf(*trace, nullptr, progress)));
        bar.setBeats([] { return std::vector<Beat>{{{12}, 1}}; });
        int between = 0, wrong = 0;
        connect(&bar, &TransportBar::timeChanged, this, [&](Time time, const Motion& motion) {
            Selection place;
            place.time = time;
            place.motion = motion;
            const QString shown = momentText(*trace, timeShown(place));
            const auto labels = bar.findChildren<QLabel*>();
            between += timeShown(place) != time;
            wrong +=
                std::none_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->text().contains(shown); });
        });
        bar.play();
        QTRY_VERIFY_WITH_TIMEOUT(!bar.playback().playing, 10000);
        QVERIFY(between > 0);
        QCOMPARE(wrong, 0);
    }

    // Pictures of icons are drawn for a theme, not for each moment that is shown: Qt keeps every one for a while.
    void iconsAreDrawnOnceATheme() {
        Progress progress;
        TransportBar bar;
        const TracePtr trace = handTrace();
        bar.setTrace(trace, std::make_shared<const Moments>(momentsOf(*trace, nullptr, progress)));
        const auto* play = bar.findChild<QToolButton*>(QStringLiteral("play"));
        const auto picture = [&] { return play->icon().cacheKey(); };
        QVERIFY(!play->icon().isNull());
        const qint64 paused = picture();
        bar.play();
        const qint64 playing = picture();
        QVERIFY(playing != paused);
        QTRY_VERIFY_WITH_TIMEOUT(!bar.playback().playing, 10000);
        QCOMPARE(picture(), paused);
        bar.play();
        QCOMPARE(picture(), playing);
        bar.setTheme(Theme::make(ThemeKind::Dark));
        QVERIFY(picture() != playing);
    }

    void withoutMotionBeatsComeWhole() {
        Progress progress;
        TransportBar bar;
        const TracePtr trace = handTrace();
        bar.setTrace(trace, std::make_shared<const Moments>(momentsOf(*trace, nullptr, progress)));
        bar.setBeats([] { return std::vector<Beat>{{{12}, 1}}; });
        bar.setStill(true);
        std::vector<double> ways;
        connect(&bar, &TransportBar::timeChanged, this,
                [&](Time, const Motion& motion) { ways.push_back(motion.way); });
        bar.play();
        QTRY_VERIFY_WITH_TIMEOUT(!bar.playback().playing, 10000);
        QVERIFY(!ways.empty() && ways.size() <= 3);
        for (const double way : ways)
            QCOMPARE(way, 1.0);
    }

    void theDesktopMayWantNoMotion() {
        QTemporaryDir config;
        QVERIFY(!desktopReducesMotion("KDE", config.path())); // nothing said
        QFile globals(config.filePath("kdeglobals"));
        QVERIFY(globals.open(QIODevice::WriteOnly));
        globals.write("[KDE]\nAnimationDurationFactor=0\n");
        globals.close();
        QVERIFY(desktopReducesMotion("KDE", config.path()));
        QVERIFY(!desktopReducesMotion("XFCE", config.path())); // not its file
    }

    void goingElsewhereStandsStillThere() {
        Progress progress;
        TransportBar bar;
        const TracePtr trace = handTrace();
        bar.setTrace(trace, std::make_shared<const Moments>(momentsOf(*trace, nullptr, progress)));
        bar.setBeats([] { return std::vector<Beat>{{{12}, 50}}; });
        bar.play();
        QTest::qWait(60);
        bar.stop();
        bar.setTime({18});
        QCOMPARE(bar.time().value, 18);
        bar.stepForward(); // moments 10 11 12 18 20
        QCOMPARE(bar.time().value, 20);
        bar.stepBack();
        QCOMPARE(bar.time().value, 18);
    }

    // The views show the cursor's time, 14 of the moments 10 11 12 18 20; the transport shows the same, not the 12 before.
    void betweenMomentsTheClockIsTheCursors() {
        Progress progress;
        TransportBar bar;
        const TracePtr trace = handTrace();
        bar.setTrace(trace, std::make_shared<const Moments>(momentsOf(*trace, nullptr, progress)));
        const auto said = [&](const QString& what) {
            const auto labels = bar.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->text().contains(what); });
        };
        bar.setTime({14});
        QCOMPARE(bar.time().value, 14);
        QVERIFY(said(momentText(*trace, {14})) && !said(momentText(*trace, {12})));
        QVERIFY(said("moment 3 of 5"));
        bar.stepBack();
        QCOMPARE(bar.time().value, 12);
        bar.setTime({14});
        bar.stepForward();
        QCOMPARE(bar.time().value, 18);
        bar.setTime({14});
        std::vector<Time> told;
        connect(&bar, &TransportBar::timeChanged, this, [&](Time time) { told.push_back(time); });
        bar.play(); // from the moment before, and the views hear of it at once
        QCOMPARE(told.size(), std::size_t(1));
        QCOMPARE(told.front().value, 12);
        QCOMPARE(bar.time().value, 12);
    }
};

WARPGLASS_QT_TEST(TestTransport)
#include "test_transport.moc"
