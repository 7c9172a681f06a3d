// SPDX-License-Identifier: GPL-3.0-or-later
// What the divergence view knows before it paints: branches, layers, serialised paths, sums over a block, layout.
#include "tests/qt_tests.h"
#include "tests/views/sample_traces.h"
#include "views/lanes/lanes_layout.h"
#include "views/lanes/lanes_paint.h"
#include "views/lanes/one_path.h"
#include "views/lanes/paths.h"

#include <QtTest>

#include <cmath>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

// With a head, as a compiler writes one, on its first line: what lies behind keeps its numbers.
TracePtr headed(const TracePtr& trace) {
    auto copy = std::make_shared<Trace>(*trace);
    std::string& ptx = copy->kernels.front().ptx;
    ptx.insert(0, ".version 8.0 .target sm_80 .address_size 64 ");
    ptx.insert(ptx.find(".reg"), ".reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .f32 %f<4>; ");
    return copy;
}

} // namespace

class TestLanesModel : public QObject {
    Q_OBJECT
private slots:
    // Two branches of one line, as of `a && b`: told apart by a letter in the source, by their own lines in the PTX.
    void branchesOfOneConditionHaveNamesOfTheirOwn() {
        std::vector<Branch> two(4);
        for (std::size_t i = 0; i < two.size(); ++i)
            two[i].ptxLine = std::uint32_t(10 + i);
        two[0].sourceLine = two[1].sourceLine = two[3].sourceLine = 4;
        two[2].sourceLine = 7;
        two[3].backward = true; // the loop's own, which is another column's
        numberParts(two);
        QVERIFY(partName(two[3], BranchLayer::Source).isEmpty());
        QVERIFY(partName(branchesOf(*mathKernel(false), 0).branches.front(), BranchLayer::Source).isEmpty()); // alone
        QCOMPARE(partName(two[0], BranchLayer::Source), QStringLiteral("a"));
        QCOMPARE(partName(two[1], BranchLayer::Source), QStringLiteral("b"));
        QVERIFY(partName(two[2], BranchLayer::Source).isEmpty());
        QVERIFY(partName(two[0], BranchLayer::Ptx).isEmpty());
    }

    // mathKernel1: line 4 parts both warps; 16 lanes of each enter.
    void aBranchIsFoundWithItsPlaceAndItsSides() {
        const TracePtr trace = mathKernel(false);
        const WarpBranches m = branchesOf(*trace, 1);
        QCOMPARE(m.branches.size(), std::size_t(1));
        const Branch& b = m.branches[0];
        QCOMPARE(b.sourceLine, 4u);
        QCOMPARE(b.fallLine, 5u);
        QCOMPARE(b.jumpLine, 7u);
        QVERIFY(!b.backward);
        QCOMPARE(b.executions, std::uint64_t(1));
        QCOMPARE(b.divergent, std::uint64_t(1));
        QCOMPARE(b.entering[16], std::uint64_t(1));
        QCOMPARE(b.enteringParted[16], std::uint64_t(1));
    }

    // The even lanes enter the source's body; the PTX branch is taken by the odd ones.
    void theLayersAreOppositeAndNotMixed() {
        const TracePtr trace = mathKernel(false);
        const WarpBranches m = branchesOf(*trace, 0);
        const LaneSplit source = splitAt(*trace, m, m.all[0], BranchLayer::Source);
        const LaneSplit ptx = splitAt(*trace, m, m.all[0], BranchLayer::Ptx);
        QVERIFY(source.chosen == LaneMask{0x55555555u});
        QVERIFY(ptx.chosen == LaneMask{0xaaaaaaaau});
        QVERIFY(source.diverges() && ptx.diverges());
    }

    // A jump backwards is a loop: who jumps goes round again, so in the source these are the lanes that enter.
    void aLoopIsEnteredByThoseWhoJump() {
        const TracePtr trace = divergent20of32();
        const WarpBranches m = branchesOf(*trace, 0);
        QCOMPARE(m.branches.size(), std::size_t(2));
        QVERIFY(m.branches[1].backward);
        QCOMPARE(m.branches[1].executions, std::uint64_t(100));
        QCOMPARE(m.branches[1].entering[20], std::uint64_t(99));
        QCOMPARE(m.branches[1].entering[0], std::uint64_t(1));
        QCOMPARE(m.branches[1].divergent, std::uint64_t(0)); // 20 lanes are on, and all of them agree
        QCOMPARE(splitAt(*trace, m, m.executions[1][0], BranchLayer::Source).away.count(), 12);
    }

    void exitedAndAbsentLanesAreNeitherOnNorWaiting() {
        const TracePtr trace = partialAndExited();
        const WarpBranches m = branchesOf(*trace, 1); // 16 lanes hold threads, 8 of them have left
        const LaneSplit s = splitAt(*trace, m, m.all[0], BranchLayer::Source);
        QVERIFY(s.absent == LaneMask{0xffff0000u});
        QVERIFY(s.exited == LaneMask{0x0000ff00u});
        QVERIFY(s.chosen == LaneMask{0x000000aau});
        QVERIFY(s.other == LaneMask{0x00000055u});
        QVERIFY(s.away.empty());
    }

    // 20 lanes for 100 steps and 12 lanes for one: 2012 of 3232 lane-steps.
    void serialisedPathsAddUpToLanesUsedAndPaid() {
        const TracePtr trace = divergent20of32();
        const WarpBranches m = branchesOf(*trace, 0);
        const Serialised s = serialisedPaths(*trace, 0, m.executions[0][0]);
        QVERIFY(s.timed && s.reconverged);
        QCOMPARE(s.segments.size(), std::size_t(2));
        QCOMPARE(s.segments[0].on.count(), 20);
        QCOMPARE(s.segments[1].on.count(), 12);
        QVERIFY((s.segments[0].on | s.segments[1].on) == LaneMask::all());
        QCOMPARE(s.segments[1].sourceLine, 7u);
        QCOMPARE(s.lanesUsed, std::uint64_t(2012));
        QCOMPARE(s.lanesPaid, std::uint64_t(3232));
    }

    // Without path events (a GPU's probes) only the masks are known: 16 + 16 lanes on two paths of 32.
    void withoutPathEventsThePathsHaveNoLength() {
        auto trace = std::make_shared<Trace>(*mathKernel(false));
        trace->info.recordedPaths = false;
        const WarpBranches m = branchesOf(*trace, 0);
        const Serialised s = serialisedPaths(*trace, 0, m.all[0]);
        QVERIFY(!s.timed);
        QCOMPARE(s.lanesUsed, std::uint64_t(32));
        QCOMPARE(s.lanesPaid, std::uint64_t(64));
    }

    // Stride 1: all 32 lanes of warp 0 enter and none of warp 1; lane 0 enters in every step, lane 31 only in the
    // first.
    // mathKernel2: at 3 warp 0 falls through, two instructions (mov, bra) and then the meeting place: [4, 6). Warp 1 jumps,
    // one instruction: [4, 5). In mathKernel1 the lanes part: 2 steps and 1.
    void anUndividedWarpWalksOnePath() {
        const TracePtr one = headed(mathKernel(false)), two = headed(mathKernel(true));
        QVERIFY(!undividedPath(*one, 0, 1));
        QVERIFY(!undividedPath(*mathKernel(true), 0, 1));                           // whose code cannot be read
        const std::pair<std::int64_t, std::uint32_t> expected[] = {{6, 5}, {5, 7}}; // end, and the line where it begins
        for (std::uint32_t warp = 0; warp < 2; ++warp) {
            const auto path = undividedPath(*two, warp, 1);
            QVERIFY(path && path->timed && path->together && path->reconverged);
            QCOMPARE(path->segments.size(), std::size_t(1));
            const PathSegment& s = path->segments.front();
            QCOMPARE(s.begin.value, 4);
            QCOMPARE(s.end.value, expected[warp].first);
            QCOMPARE(s.sourceLine, expected[warp].second);
            QCOMPARE(s.on, LaneMask::all());
            QCOMPARE(path->lanesUsed, path->lanesPaid);
            QCOMPARE(path->lanesPaid, std::uint64_t(32 * (expected[warp].first - 4)));
        }
    }

    // To one scale: of A's three steps in 300 px B's two take 200, whatever the least width of a path is.
    void bothOfTwoRunsAreDrawnToOneScale() {
        LanesPanel panel;
        panel.paths = QRectF(50, 0, 300, 100);
        const Serialised a = serialisedPaths(*mathKernel(false), 0, 1),
                         b = *undividedPath(*headed(mathKernel(true)), 0, 1);
        QCOMPARE(a.length().value, 3);
        QCOMPARE(b.length().value, 2);
        QCOMPARE(pathEdges(a, panel, 3), (QVector<qreal>{50, 250, 350}));
        QCOMPARE(pathEdges(b, panel, 3), (QVector<qreal>{50, 250}));
    }

    void aBlockSumsItsWarps() {
        const TracePtr trace = neighbored(true);
        const BlockBranches m = branchesOfBlock(*trace, 0, BranchLayer::Source);
        QVector<const BlockColumn*> steps;
        for (const BlockColumn& c : m.columns)
            if (m.branches[c.branch].sourceLine == 8)
                steps << &c;
        QCOMPARE(steps.size(), 6);
        for (int i = 0; i < 6; ++i) {
            QCOMPARE(int(steps[i]->warps), 2);
            QCOMPARE(int(steps[i]->divergent), i == 0 ? 0 : 1);
            QCOMPARE(int(steps[i]->chosen[0]), 1);
            QCOMPARE(int(steps[i]->chosen[31]), i == 0 ? 1 : 0);
            QCOMPARE(int(steps[i]->other[0]), 1); // of warp 1
        }
    }

    void theBranchThatPartsMostIsShownFirst() {
        const TracePtr trace = neighbored(false);
        const WarpBranches m = branchesOf(*trace, 0);
        QCOMPARE(m.branches[mostTelling(*trace, 0, m.branches)].sourceLine, 8u);
    }

    void theTargetOfAJumpIsRead() {
        QCOMPARE(jumpTarget("@%p1 bra $L__BB0_3;"), std::string("$L__BB0_3"));
        QCOMPARE(jumpTarget("ret;"), std::string());
        const TracePtr trace = mathKernel(false);
        QCOMPARE(labelLine(trace->kernels[0], "$L_else"), 10u);
        QCOMPARE(labelLine(trace->kernels[0], "$L_els"), 0u);
    }

    void nothingInTheLayoutOverlaps() {
        for (const QSizeF size : {QSizeF(830, 600), QSizeF(1290, 940), QSizeF(600, 420)})
            for (const int panels : {1, 2}) {
                LanesRequest r;
                r.area = QRectF(QPointF(), size);
                for (int i = 0; i < panels; ++i) {
                    LanesPanelRequest p;
                    p.columns = 6;
                    p.paths = true;
                    p.tableRows = 4;
                    p.summaryRows = 2;
                    r.panels << p;
                }
                const LanesLayout l = layoutLanes(r);
                for (const LanesPanel& p : l.panels) {
                    const QVector<QRectF> parts{p.heading,  p.heads,   p.cells, p.bars,
                                                p.barTexts, p.summary, p.table, l.legend};
                    for (int a = 0; a < parts.size(); ++a)
                        for (int b = a + 1; b < parts.size(); ++b)
                            QVERIFY(parts[a].isNull() || parts[b].isNull() ||
                                    !parts[a].adjusted(0.01, 0.01, -0.01, -0.01).intersects(parts[b]));
                    QVERIFY(p.paths.isNull() || p.paths.left() > p.cells.right());
                    QVERIFY(p.whole.right() <= size.width());
                    QVERIFY(p.table.isNull() || p.table.bottom() <= l.legend.top() + 0.01);
                }
                if (panels == 2)
                    QVERIFY(l.panels[0].whole.right() < l.panels[1].whole.left());
            }
    }

    // Type of 160 % in a view of 390 x 340: words stand aside, the legend first, and nothing is written over something else.
    void largeTypeInASmallAreaKeepsTheLanes() {
        for (const qreal height : {340.0, 420.0, 520.0, 900.0}) {
            LanesRequest r;
            r.area = QRectF(0, 0, 390, height);
            r.scale = 1.6;
            r.titleHeight = 35;
            r.bodyHeight = 29;
            r.smallHeight = 24;
            r.legendHeight = 120;
            LanesPanelRequest one;
            one.columns = 1;
            one.tableRows = 3;
            one.summaryRows = 2;
            r.panels << one;
            const LanesLayout l = layoutLanes(r);
            const LanesPanel& p = l.panels[0];
            const QVector<QRectF> parts{l.title, l.question, p.heading, p.heads, p.cells,
                                        p.bars,  p.barTexts, p.summary, p.table, l.legend};
            for (int a = 0; a < parts.size(); ++a) {
                QVERIFY(parts[a].isEmpty() || parts[a].bottom() <= height);
                for (int b = a + 1; b < parts.size(); ++b)
                    QVERIFY2(parts[a].isEmpty() || parts[b].isEmpty() ||
                                 !parts[a].adjusted(0.01, 0.01, -0.01, -0.01).intersects(parts[b]),
                             qPrintable(QStringLiteral("%1: %2 and %3").arg(height).arg(a).arg(b)));
            }
            QVERIFY(p.rowHeight >= 2);
            QCOMPARE(l.legend.isEmpty(), height < 600);
        }
    }

    void aCellIsFoundWhereItIsPainted() {
        LanesRequest r;
        r.area = {0, 0, 830, 600};
        LanesPanelRequest p;
        p.columns = 1000;
        r.panels << p;
        r.columnWidth = 13;
        r.from = 321.4;
        const LanesPanel panel = layoutLanes(r).panels[0];
        for (int column = panel.firstColumn() + 1; column < panel.endColumn() - 1; ++column)
            QCOMPARE(panel.columnAt(panel.cell(column, 0).center().x()), column);
        for (int lane = 0; lane < 32; ++lane)
            QCOMPARE(panel.laneAt(panel.cell(330, lane).center().y()), lane);
        QVERIFY(!panel.scroll.isNull());
    }

    void theColumnUnderThePointerStaysWhenZooming() {
        const double from = 100.5;
        const qreal offset = 137, oldWidth = 8, newWidth = 13;
        const double before = from + offset / oldWidth;
        const double after = fromAfterZoom(from, offset, oldWidth, newWidth) + offset / newWidth;
        QVERIFY(std::abs(before - after) < 1e-9);
    }

    void stretchesKeepOrderLengthAndALeastWidth() {
        const auto edges = stretchEdges({100, 1, 1}, 10, 300, 20);
        QCOMPARE(edges.size(), 4);
        QCOMPARE(edges.front(), 10.0);
        QCOMPARE(edges.back(), 310.0);
        QVERIFY(edges[2] - edges[1] >= 20 && edges[1] - edges[0] > 200);
        QVERIFY(std::abs((edges[2] - edges[1]) - (edges[3] - edges[2])) < 1e-9);
        QCOMPARE(stretchEdges({}, 5, 100, 10).size(), 1);
    }
};

WARPGLASS_QT_TEST(TestLanesModel)
#include "test_lanes_model.moc"
