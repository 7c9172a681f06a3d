// SPDX-License-Identifier: GPL-3.0-or-later
// Residency, waves, tail, balance and thread folding: every expected number is worked out by hand in the comment above
// it.
#include "tests/qt_tests.h"
#include "tests/views/launchmap_traces.h"
#include "views/launchmap/launchmap_model.h"
#include "views/launchmap/thread_layout.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace warpglass;
using namespace warpglass::test;

namespace {

// Two SMs, one place each, five blocks:
//   SM 0: block 0 [0,10)  block 2 [10,20)  block 4 [20,40)
//   SM 1: block 1 [0,15)  block 3 [15,30)
// Times are moved by 1000 so that nothing depends on starting at zero.
std::shared_ptr<Trace> five() {
    return traceOf({{1000, 1010, 0}, {1000, 1015, 1}, {1010, 1020, 0}, {1015, 1030, 1}, {1020, 1040, 0}}, {5}, {64}, 2);
}

} // namespace

class TestLaunchMapModel : public QObject {
    Q_OBJECT
private slots:
    void countsBlocksByStateHalfOpen() {
        const auto trace = five();
        const LaunchMapModel m(*trace, 0, {});
        const auto at = [&](std::int64_t t) {
            const BlockCounts c = m.counts({t});
            return std::array{c.waiting, c.resident, c.done};
        };
        using A = std::array<std::uint64_t, 3>;
        QCOMPARE(at(999), (A{5, 0, 0}));
        QCOMPARE(at(1000), (A{3, 2, 0})); // a block is resident from its start
        QCOMPARE(at(1010), (A{2, 2, 1})); // and not at its end, when the next one starts
        QCOMPARE(at(1029), (A{0, 2, 3}));
        QCOMPARE(at(1030), (A{0, 1, 4})); // only block 4 is left
        QCOMPARE(at(1040), (A{0, 0, 5}));
        QCOMPARE(m.peakResident(), std::uint64_t(2));
    }

    // The five, and three that a fault kept from running, all at its moment and on one SM: none of them is done or had a
    // place, and waves, tail and balance are of the five.
    void whatNeverRanIsNeitherDoneNorOfAWave() {
        const auto trace = traceOf({{1000, 1010, 0},
                                    {1000, 1015, 1},
                                    {1010, 1020, 0},
                                    {1015, 1030, 1},
                                    {1020, 1040, 0},
                                    {1040, 1040, 1},
                                    {1040, 1040, 1},
                                    {1040, 1040, 1}},
                                   {8}, {64}, 2);
        const LaunchMapModel m(*trace, 0, {}), of(*five(), 0, {});
        const BlockCounts c = m.counts({1040});
        QCOMPARE(c.done, std::uint64_t(5));
        QCOMPARE(c.resident + c.waiting, std::uint64_t(0));
        QCOMPARE(c.notRun, std::uint64_t(3));
        QCOMPARE(m.blockCount(), std::uint64_t(8));
        QVERIFY(blockState(trace->blocks[6], {0}) == BlockState::NotRun);
        QCOMPARE(m.balance().blocks, (std::vector<std::uint32_t>{3, 2}));
        QCOMPARE(m.waves().count(), of.waves().count());
        QCOMPARE(m.waves().tailShare, of.waves().tailShare);
        QCOMPARE(m.peakResident(), std::uint64_t(2));
        QCOMPARE(m.blockIn(1, 0, {1040}), noIndex);
    }

    void meanOverASpanIsTheAreaUnderTheCurve() {
        const auto trace = five();
        const LaunchMapModel m(*trace, 0, {});
        QCOMPARE(m.meanResident({{1000}, {1040}}), 70.0 / 40); // 10+15+10+15+20 block units in 40
        QCOMPARE(m.meanResident({{1025}, {1035}}), 1.5);       // 5 units of two, 5 of one
        QCOMPARE(m.meanResident({{990}, {1010}}), 1.0);        // nothing before the launch
    }

    // Two blocks on two places, from begin to end: nothing stands empty, so there is no tail to speak of. Where one ends
    // earlier there is, and of five blocks.
    void aWaveThatEndsTogetherHasNoTail() {
        const auto together = traceOf({{0, 10, 0}, {0, 10, 1}}, {2}, {64}, 2);
        const auto apart = traceOf({{0, 10, 0}, {0, 8, 1}}, {2}, {64}, 2);
        QVERIFY(!LaunchMapModel(*together, 0, {}).waves().hasTail());
        QVERIFY(LaunchMapModel(*apart, 0, {}).waves().hasTail());
        QCOMPARE(LaunchMapModel(*apart, 0, {}).waves().tailUse, 90.0); // 18 of 20
        QVERIFY(LaunchMapModel(*five(), 0, {}).waves().hasTail());
    }

    void wavesAndTailOfFiveBlocksOnTwoPlaces() {
        const auto trace = five();
        const LaunchMapModel m(*trace, 0, {});
        const Waves& w = m.waves();
        QCOMPARE(w.blocksPerSm, 1u);
        QCOMPARE(w.capacity, std::uint64_t(2));
        QCOMPARE(w.full, std::uint64_t(2)); // 5 = 2 x 2 + 1
        QCOMPARE(w.lastWaveBlocks, std::uint64_t(1));
        QCOMPARE(w.lastWaveFill(), 50.0);
        // In order of start the blocks are 0 1 2 3 4; the third wave begins with block 4.
        QCOMPARE(m.waveStart(1).value, 1010);
        QCOMPARE(m.waveStart(2).value, 1020);
        // The tail begins with the last start and lasts 20: 2 places x 20 = 40, used 10 (block 3) + 20 (block 4) = 30.
        QCOMPARE(w.tail.begin.value, 1020);
        QCOMPARE(w.tail.end.value, 1040);
        QCOMPARE(w.tailUse, 75.0);
        QCOMPARE(w.tailShare, 50.0);
        QCOMPARE(w.launchUse, 100.0 * 70 / 80); // 70 of 2 x 40
    }

    void aGridSmallerThanTheDeviceIsMeasuredAgainstTheRules() {
        // Three blocks on two SMs that could hold four each by the rules: what was seen (2 and 1) says nothing of room.
        const auto trace = traceOf({{0, 10, 0}, {0, 10, 1}, {0, 10, 0}}, {3}, {64}, 2);
        const LaunchMapModel m(*trace, 0, 4u);
        QCOMPARE(m.waves().capacity, std::uint64_t(8));
        QVERIFY(m.waves().basis == CapacityBasis::Computed);
        QCOMPARE(m.waves().full, std::uint64_t(0));
        QCOMPARE(m.waves().lastWaveFill(), 37.5); // 3 of 8
    }

    void aGridThatQueuedIsMeasuredAgainstTheRules() {
        // Five blocks on two SMs that hold two each by the rules; never more than one was seen on an SM. That a place
        // stayed empty is what the picture has to show: 2 x 2 places, one full wave, and 1 of 4 in the second.
        const auto trace = five();
        const LaunchMapModel m(*trace, 0, 2u);
        QCOMPARE(m.waves().capacity, std::uint64_t(4));
        QVERIFY(m.waves().basis == CapacityBasis::Computed);
        QCOMPARE(m.waves().full, std::uint64_t(1));
        QCOMPARE(m.waves().lastWaveFill(), 25.0);
        QCOMPARE(m.placesPerSm(), 2); // drawn, too
        // 70 of block x time were used of 4 places x 40.
        QCOMPARE(m.waves().launchUse, 43.75);
    }

    void moreThanTheRulesAllowIsBelieved() {
        // Two blocks at once on one SM, of which the rules know one place: the rules were not told all.
        const auto trace = traceOf({{0, 10, 0}, {0, 10, 0}}, {2}, {64}, 1);
        const LaunchMapModel m(*trace, 0, 1u);
        QCOMPARE(m.waves().capacity, std::uint64_t(2));
        QVERIFY(m.waves().basis == CapacityBasis::Observed);
    }

    void shortBlocksDoNotLowerTheLimit() {
        // 3,907 blocks of 256 threads on 132 SMs with 2,048 threads: 8 an SM, 1,056 places. 3 x 1,056 = 3,168, and 739
        // remain: 739 / 1,056 = 69.98 %. The blocks come one after the other and never more than 7 live on an SM.
        std::vector<PlacedBlock> blocks;
        for (std::int64_t i = 0; i < 3907; ++i)
            blocks.push_back({i, i + 924, std::uint16_t(i % 132)});
        const auto trace = traceOf(blocks, {3907}, {256}, 132);
        const LaunchMapModel m(*trace, 0, 8u);
        QCOMPARE(m.peakResident(), std::uint64_t(924)); // 7 x 132
        QCOMPARE(m.waves().capacity, std::uint64_t(1056));
        QCOMPARE(m.waves().full, std::uint64_t(3));
        QCOMPARE(m.waves().lastWaveBlocks, std::uint64_t(739));
        QVERIFY(std::abs(m.waves().lastWaveFill() - 69.98) < 0.005);
    }

    void balanceCountsEachSm() {
        const auto trace = five();
        const LaunchMapModel m(*trace, 0, {});
        QCOMPARE(m.balance().blocks, (std::vector<std::uint32_t>{3, 2}));
        QCOMPARE(m.balance().least, 2u);
        QCOMPARE(m.balance().most, 3u);
        QCOMPARE(m.balance().mean, 2.5);
    }

    void anIdleSmCountsAsZero() {
        const auto trace = traceOf({{0, 10, 0}, {0, 10, 2}}, {2}, {64}, 4);
        const LaunchMapModel m(*trace, 0, {});
        QCOMPARE(m.balance().blocks, (std::vector<std::uint32_t>{1, 0, 1, 0}));
        QCOMPARE(m.balance().least, 0u);
    }

    void balanceUpToAMomentCountsWhatHasBegun() {
        // SM 0: blocks at 0, 10 and 20; SM 1: at 5 and, at once with it, 20. At 10 two and one have begun.
        const auto trace = traceOf({{0, 10, 0}, {5, 30, 1}, {10, 20, 0}, {20, 30, 0}, {20, 40, 1}}, {5}, {64}, 2);
        const LaunchMapModel m(*trace, 0, {});
        const TimeRange range = m.range();
        const auto at = [&](std::int64_t t) { return m.balanceAt(range.begin + Time{t}).blocks; };
        QCOMPARE(at(0), (std::vector<std::uint32_t>{1, 0}));
        QCOMPARE(at(10), (std::vector<std::uint32_t>{2, 1}));
        QCOMPARE(m.balanceAt(range.begin + Time{10}).mean, 1.5);
        QCOMPARE(m.balanceAt(range.end).blocks, m.balance().blocks);
        // At 20 two begin at once, blocks 3 and 4: as long as 4 is on its way, SM 1 has had its first alone.
        constexpr std::array<std::uint32_t, 2> both{3, 4};
        QCOMPARE(m.balanceAt(range.begin + Time{20}, std::span(both).subspan(1)).blocks,
                 (std::vector<std::uint32_t>{3, 1}));
        QCOMPARE(m.balanceAt(range.begin + Time{20}, both).blocks, (std::vector<std::uint32_t>{2, 1}));
        QCOMPARE(m.balance().blocks, (std::vector<std::uint32_t>{3, 2}));
    }

    void aBlockKeepsItsPlace() {
        // One SM: A [0,10) and B [0,30) take places 0 and 1; C starts at 10 and gets A's place; D at 20 finds 0 taken
        // by C [10,40) and 1 by B [0,30), so it needs a third.
        const auto trace = traceOf({{0, 10, 0}, {0, 30, 0}, {10, 40, 0}, {20, 25, 0}}, {4}, {64}, 1);
        const LaunchMapModel m(*trace, 0, {});
        QCOMPARE(m.placesPerSm(), 3);
        QCOMPARE(m.place(0), 0);
        QCOMPARE(m.place(1), 1);
        QCOMPARE(m.place(2), 0);
        QCOMPARE(m.place(3), 2);
        QCOMPARE(m.blockIn(0, 0, {9}), 0u);
        QCOMPARE(m.blockIn(0, 0, {10}), 2u);
        QCOMPARE(m.blockIn(0, 2, {19}), noIndex);
        QCOMPARE(m.blockIn(0, 2, {20}), 3u);
        QCOMPARE(m.blockIn(0, 2, {25}), noIndex);
        QCOMPARE(m.blockIn(0, 1, {29}), 1u);
        QCOMPARE(m.residentOn(0, {22}), 3);
        QCOMPARE(m.blockIn(1, 0, {0}), noIndex); // no such SM
    }

    void agreesWithCountingEveryBlock() {
        // 3000 blocks at random, in no order: counts and places against a plain loop over all blocks.
        std::mt19937 random(7);
        std::vector<PlacedBlock> blocks;
        for (int i = 0; i < 3000; ++i) {
            const auto start = std::int64_t(random() % 10000);
            blocks.push_back({start, start + 1 + std::int64_t(random() % 40), std::uint16_t(random() % 40)});
        }
        const auto trace = traceOf(blocks, {3000}, {32}, 40);
        const LaunchMapModel m(*trace, 0, {});
        for (std::int64_t t = -5; t < 10100; t += 97) {
            std::uint64_t resident = 0;
            for (std::uint32_t i = 0; i < blocks.size(); ++i) {
                if (blocks[i].start <= t && t < blocks[i].end) {
                    ++resident;
                    QCOMPARE(m.blockIn(blocks[i].sm, m.place(i), {t}), i);
                }
            }
            QCOMPARE(m.resident({t}), resident);
        }
    }

    void stepsFromChangeToChange() {
        const auto trace = five();
        const LaunchMapModel m(*trace, 0, {});
        std::vector<std::int64_t> seen;
        for (auto t = m.nextChange({0}); t; t = m.nextChange(*t)) {
            seen.push_back(t->value);
        }
        QCOMPARE(seen, (std::vector<std::int64_t>{1000, 1010, 1015, 1020, 1030, 1040}));
        QCOMPARE(m.previousChange({1015})->value, 1010);
        QVERIFY(!m.previousChange({1000}));
    }

    void aLaunchWithoutBlocksIsNoTrouble() {
        const auto trace = traceOf({}, {5}, {64}, 2);
        const LaunchMapModel m(*trace, 0, {});
        QCOMPARE(m.blockCount(), std::uint64_t(0));
        QCOMPARE(m.resident({0}), std::uint64_t(0));
        QCOMPARE(m.waves().count(), std::uint64_t(0));
    }

    void foldsThreadsIntoWarps_data() {
        QTest::addColumn<int>("x");
        QTest::addColumn<int>("y");
        QTest::addColumn<int>("z");
        QTest::addColumn<int>("warps");
        QTest::addColumn<int>("idle");
        QTest::addColumn<int>("rowsPerWarp");
        QTest::addColumn<int>("warpsPerRow");
        QTest::newRow("16x16: 256 threads, 8 warps of two rows") << 16 << 16 << 1 << 8 << 0 << 2 << 0;
        QTest::newRow("40x2: 80 threads, 3 warps, 96 - 80 = 16 idle") << 40 << 2 << 1 << 3 << 16 << 0 << 0;
        QTest::newRow("80x1: the same number") << 80 << 1 << 1 << 3 << 16 << 0 << 0;
        QTest::newRow("8x8x4: 256 threads, a warp is 4 rows of 8") << 8 << 8 << 4 << 8 << 0 << 4 << 0;
        QTest::newRow("64x2: a row is 2 warps") << 64 << 2 << 1 << 4 << 0 << 0 << 2;
        QTest::newRow("one thread leaves 31 idle") << 1 << 1 << 1 << 1 << 31 << 32 << 0;
        QTest::newRow("1024") << 1024 << 1 << 1 << 32 << 0 << 0 << 32;
    }
    void foldsThreadsIntoWarps() {
        QFETCH(int, x);
        QFETCH(int, y);
        QFETCH(int, z);
        QFETCH(int, warps);
        QFETCH(int, idle);
        QFETCH(int, rowsPerWarp);
        QFETCH(int, warpsPerRow);
        const Dim3 block{std::uint32_t(x), std::uint32_t(y), std::uint32_t(z)};
        const ThreadLayout t = threadLayout(block);
        QCOMPARE(int(t.warps), warps);
        QCOMPARE(int(t.idleLanes), idle);
        QVERIFY(rowFold(block) == (RowFold{std::uint32_t(rowsPerWarp), std::uint32_t(warpsPerRow)}));
        std::uint32_t threads = 0;
        for (const WarpRun& run : warpRuns(t)) { // runs cover every thread once, in order
            QCOMPARE(block.linear(run.first), std::uint64_t(threads));
            QCOMPARE(run.warp, threads / 32);
            threads += run.count;
        }
        QCOMPARE(threads, t.threads);
    }

    void namesTheThreadInALane() {
        // 40 x 2: warp 1 begins at thread 32 = (32, 0); its lane 8 is thread 40, the first of the second row; warp 2
        // lane 15 is thread 79 = (39, 1), the last; lane 16 holds none.
        const ThreadLayout t = threadLayout({40, 2});
        QVERIFY(t.thread(1, 0) == (Dim3{32, 0, 0}));
        QVERIFY(t.thread(1, 8) == (Dim3{0, 1, 0}));
        QVERIFY(t.thread(2, 15) == (Dim3{39, 1, 0}));
        QVERIFY(!t.thread(2, 16));
        QCOMPARE(t.warpOf({39, 1, 0}), 2u);
        QCOMPARE(t.laneOf({39, 1, 0}), 15);
        // Rows of 40: warp 0 is 32 of row 0; warp 1 the last 8 of it and 24 of row 1; warp 2 the last 16.
        QVERIFY(warpRuns(t) == (std::vector<WarpRun>{
                                   {{0, 0, 0}, 32, 0}, {{32, 0, 0}, 8, 1}, {{0, 1, 0}, 24, 1}, {{24, 1, 0}, 16, 2}}));
    }
};

WARPGLASS_QT_TEST(TestLaunchMapModel)
#include "test_launchmap_model.moc"
