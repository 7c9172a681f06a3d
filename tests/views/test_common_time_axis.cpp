// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/qt_tests.h"
#include "views/common/time_axis.h"

#include <QtTest>

using namespace warpglass;

class TestTimeAxis : public QObject {
    Q_OBJECT
private slots:
    // 1000 units on 500 pixels from 50 on: two units a pixel.
    void timesAndPlacesFollowEachOther() {
        const TimeAxis axis{{{1000}, {2000}}, 50, 500};
        QCOMPARE(axis.x({1000}), 50.0);
        QCOMPARE(axis.x({1500}), 300.0);
        QCOMPARE(axis.x({2000}), 550.0);
        QCOMPARE(axis.x({900}), 0.0); // outside of the window too
        QVERIFY(axis.time(300) == Time{1500});
        QVERIFY(axis.time(300.4) == Time{1500}); // 1500.8: the unit that lies there
        QVERIFY(axis.nearest(300.4) == Time{1501});
        QVERIFY(axis.time(49.9) == Time{999});
    }

    void manyDigitsSurvive() { // 2^60 + 3: a double would drop the 3
        const std::int64_t large = std::int64_t(1) << 60;
        const TimeAxis axis{{{large}, {large + 8}}, 0, 80};
        QCOMPARE(axis.x({large + 3}), 30.0);
        QVERIFY(axis.time(35) == Time{large + 3});
    }

    void anEmptyWindowHasAPlace() {
        const TimeAxis axis{{{7}, {7}}, 10, 100};
        QCOMPARE(axis.x({7}), 10.0);
        QVERIFY(axis.time(60) == Time{7});
    }

    // A quarter of the way in: 1250 stays there, and 250 of the new 500 would be 125 before it.
    void zoomKeepsTheTimeUnderThePointer() {
        const TimeAxis axis{{{1000}, {2000}}, 0, 400};
        const TimeRange bounds{{0}, {4000}};
        QVERIFY(axis.zoomed(100, 0.5, bounds) == (TimeRange{{1125}, {1625}}));
        QVERIFY(axis.zoomed(100, 2, bounds) == (TimeRange{{750}, {2750}}));
        QVERIFY(axis.zoomed(100, 100, bounds) == bounds);
        QVERIFY(axis.zoomed(0, 1e-9, bounds) == (TimeRange{{1000}, {1008}}));
        QVERIFY(axis.zoomed(0, 1e-9, bounds, 1) == (TimeRange{{1000}, {1001}}));
        QVERIFY(axis.zoomed(400, 2, {{0}, {2100}}) == (TimeRange{{0}, {2000}})); // the end stays where it is
        QVERIFY(axis.zoomed(0, 2, {{0}, {2100}}) == (TimeRange{{100}, {2100}})); // moved inside
    }

    void draggingStopsAtTheEnds() {
        const TimeAxis axis{{{1000}, {2000}}, 0, 400};
        const TimeRange bounds{{900}, {4000}};
        QVERIFY(axis.shifted(-100, bounds) == (TimeRange{{1250}, {2250}}));
        QVERIFY(axis.shifted(20, bounds) == (TimeRange{{950}, {1950}}));
        QVERIFY(axis.shifted(400, bounds) == (TimeRange{{900}, {1900}}));
        QVERIFY(timesWithin({{0}, {100}}, {{20}, {60}}) == (TimeRange{{20}, {60}})); // too long for its bounds
    }

    // The run began at 1003: marks stand at 0, 200, 400 since then, not at round clock times.
    void marksAreRoundSinceTheOrigin() {
        const TimeAxis axis{{{1003}, {1503}}, 10, 500};
        const TimeAxis::Ticks ticks = axis.ticks({1003}, 100); // room for five: a step of 100 would need six
        QCOMPARE(ticks.step, std::int64_t(200));
        QCOMPARE(ticks.marks.size(), 3);
        QVERIFY(ticks.marks[1].since == Time{200});
        QCOMPARE(ticks.marks[1].x, 210.0);
        QVERIFY(axis.ticks({1003}, 1e6).marks.size() >= 1); // narrow as it is
        QCOMPARE((TimeAxis{{{5}, {5}}, 0, 100}.ticks({5}, 10).marks.size()), 1);
    }
};

WARPGLASS_QT_TEST(TestTimeAxis)
#include "test_common_time_axis.moc"
