// SPDX-License-Identifier: GPL-3.0-or-later
// Where one looks first in a trace, and in the one that takes its place.
#include "app/window/model/carry.h"
#include "tests/app/hand_trace.h"
#include "tests/qt_tests.h"

#include <QtTest>

using namespace warpglass;

class TestCarry : public QObject {
    Q_OBJECT

    // What the two blocks of two of an old trace were looked at: the second warp (row 3) of block 1.
    static Selection lookedAt() {
        Selection s;
        s.block = 1;
        s.warp = 3;
        s.lane = 7;
        s.sourceLine = 2;
        s.time = {17};
        s.visible = {{12}, {18}};
        return s;
    }

private slots:
    void theFirstPlaceIsTheFirstWarpThatGoesTwoWays() {
        // Block 0 was not recorded; of block 1's warps (rows 0 to 2) the second goes two ways, at 12.
        const Selection place = firstPlace(*blocksOf("k", {0, 3}, 1));
        QCOMPARE(place.block, 1u);
        QCOMPARE(place.warp, 1u);
        QCOMPARE(place.time.value, 12);
        // None does: the first warp, half way from 10 to 20.
        const Selection uniform = firstPlace(*blocksOf("k", {0, 3}));
        QCOMPARE(uniform.block, 1u);
        QCOMPARE(uniform.warp, 0u);
        QCOMPARE(uniform.time.value, 15);
        const Selection nothing = firstPlace(*blocksOf("k", {0, 0}));
        QCOMPARE(nothing.block, noIndex);
        QCOMPARE(nothing.warp, noIndex);
    }

    // One warp parts at the branch of PTX line 2 at 12, and at that of line 4 at 14 and 16: the Divergence view opens
    // with the second, so all other views do.
    void theFirstPlaceIsOfTheBranchThatTellsMost() {
        auto trace = std::make_shared<Trace>(*handTrace());
        Site site = trace->sites[1];
        site.ptxLine = 4;
        trace->sites.push_back(site);
        trace->events = {};
        trace->warps.resize(1);
        trace->blocks[0].warpCount = 1;
        trace->warps[0].firstEvent = 0;
        trace->warps[0].eventCount = 4;
        trace->events.push(2, 1, EventKind::Branch, LaneMask::all(), {0x55555555});
        trace->events.push(4, 3, EventKind::Branch, LaneMask::all(), {0x0000ffff});
        trace->events.push(6, 3, EventKind::Branch, LaneMask::all(), {0x000000ff});
        trace->events.push(10, 2, EventKind::Exit, LaneMask::all(), LaneMask::all());
        QCOMPARE(firstPlace(*trace).time.value, 14);
        QCOMPARE(firstPlace(*trace).warp, 0u);
    }

    void aPlaceIsCarriedToTheNextTrace_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QVector<int>>("warps");
        QTest::addColumn<int>("block");
        QTest::addColumn<int>("warp");
        QTest::addColumn<bool>("kept"); // lane and line
        // Rows of the new trace: a block's first warp is the number of warps before it.
        QTest::newRow("larger blocks") << "k" << QVector<int>{4, 4, 4} << 1 << 4 + 1 << true;
        QTest::newRow("smaller blocks: the last warp") << "k" << QVector<int>{1, 1} << 1 << 1 << true;
        QTest::newRow("block not recorded") << "k" << QVector<int>{2, 0, 2} << 0 << 0 << true;
        QTest::newRow("fewer blocks") << "k" << QVector<int>{2} << 0 << 0 << true;
        QTest::newRow("another kernel") << "other" << QVector<int>{2, 2} << 0 << 0 << false;
    }
    void aPlaceIsCarriedToTheNextTrace() {
        QFETCH(QString, kernel);
        QFETCH(QVector<int>, warps);
        QFETCH(int, block);
        QFETCH(int, warp);
        QFETCH(bool, kept);
        const TracePtr from = blocksOf("k", {2, 2});
        const TracePtr to = blocksOf(kernel.toStdString(), {warps.begin(), warps.end()});
        const Selection place = carried(lookedAt(), from.get(), *to);
        QCOMPARE(int(place.block), block);
        QCOMPARE(int(place.warp), warp);
        QCOMPARE(place.lane, kept ? 7 : -1);
        QCOMPARE(place.sourceLine, kept ? 2u : 0u);
        QCOMPARE(place.time.value, 15); // of the new trace: half way
        QCOMPARE(place.visible, TimeRange{});
    }

    void theSameTraceKeepsThePlaceAndNoTraceHasNone() {
        const TracePtr trace = blocksOf("k", {2, 2});
        QCOMPARE(carried(lookedAt(), trace.get(), *trace), lookedAt());
        QCOMPARE(carried(lookedAt(), nullptr, *trace), firstPlace(*trace));
        Selection nowhere = lookedAt();
        nowhere.block = nowhere.warp = noIndex;
        QCOMPARE(carried(nowhere, trace.get(), *blocksOf("k", {2, 2})), firstPlace(*trace));
    }
};

WARPGLASS_QT_TEST(TestCarry)
#include "test_carry.moc"
