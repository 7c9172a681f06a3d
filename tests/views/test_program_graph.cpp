// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/qt_tests.h"
#include "tests/sample_program.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "views/program/graph_drawing.h"
#include "views/program/program_graph.h"
#include "views/program/program_layout.h"
#include "views/program/program_text.h"
#include "views/program/program_view.h"

#include <QLineF>
#include <QTest>

using namespace warpglass;

namespace {

program::ProgramGraph nodesBehind(const std::vector<std::vector<std::uint32_t>>& behind) {
    program::ProgramGraph g;
    for (const auto& of : behind)
        g.nodes.push_back({.kind = program::GraphNodeKind::Kernel, .behind = of});
    return g;
}

// Of handProgram(): copy 1 (20 to 60), launch 2 (100 to 200) and launch 4 (250 to 650, on stream 1) as a graph of four
// nodes, the last of which did nothing; then operations 5 and 6 as its second launch.
program::ProgramTrace graphProgram() {
    using program::GraphNodeKind;
    program::ProgramTrace p = samples::handProgram();
    program::ProgramGraph g;
    g.nodes = {{.kind = GraphNodeKind::Copy, .direction = program::Direction::HostToDevice, .bytes = 4096},
               {.kind = GraphNodeKind::Kernel, .kernel = 0, .shape = 0, .behind = {0}},
               {.kind = GraphNodeKind::Kernel, .kernel = 1, .shape = 1, .behind = {0}},
               {.kind = GraphNodeKind::Empty, .behind = {1, 2}}};
    p.graphs = {nodesBehind({{}}), g};
    p.graphLaunches = {{15, 1, 0}, {290, 1, 0}};
    p.graphSteps = {{1, 0, 0}, {2, 0, 1}, {4, 0, 2}, {5, 1, 1}, {6, 1, 0}};
    p.info.backend = BackendKind::Cuda; // whose times are the device's
    return p;
}

} // namespace

class TestProgramGraph : public QObject {
    Q_OBJECT

    static PaintContext contextOfProgram(std::uint32_t operation) {
        PaintContext context = contextOf(TracePtr());
        context.program = makeProgramModel(graphProgram());
        if (operation != noIndex)
            programOperation.set(context.options, operation);
        return context;
    }
    // Where the picture shows a thing whose tip begins so.
    static QPointF placeOf(const Picture& picture, const QString& tip) {
        for (double y = picture.area.top(); y < picture.area.bottom(); y += 3)
            for (double x = picture.area.left(); x < picture.area.right(); x += 3)
                if (picture.spotAt({x, y}).toolTip.startsWith(tip))
                    return {x, y};
        return {-1, -1};
    }

private slots:
    // 0 to 1, 2, 3; 1 to 4 to 5; 2 and 3 past 4's row to 5; 0 past all to 6, which is behind 5, too.
    void nodesStandBelowThoseTheyWaitForAndEdgesCrossNone() {
        const program::ProgramGraph g = nodesBehind({{}, {0}, {0}, {0}, {1}, {4, 2, 3}, {5, 0}});
        const GraphDrawing d = drawGraph(g, 800, {});
        QCOMPARE(d.edges.size(), std::size_t(9));
        for (std::size_t a = 0; a < d.boxes.size(); ++a) {
            QVERIFY(QRectF(0, 0, 800, d.height).contains(d.boxes[a]));
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY(!d.boxes[a].intersects(d.boxes[b]));
        }
        for (const GraphEdge& e : d.edges) {
            QVERIFY(d.boxes[e.to].top() >= d.boxes[e.from].bottom() + GraphSizes().between);
            for (qsizetype k = 1; k < e.points.size(); ++k) {
                const QLineF piece(e.points[k - 1], e.points[k]);
                for (const QRectF& box : d.boxes)
                    for (double share = 0; share <= 1; share += 0.05)
                        QVERIFY(!box.adjusted(1, 1, -1, -1).contains(piece.pointAt(share)));
            }
        }
    }

    // Two bodies of a condition, of a chain of two and of one node.
    void whatAConditionHoldsLiesInIt() {
        program::ProgramGraph g = nodesBehind({{}, {0}, {}, {2}, {}, {1}});
        g.nodes[1].kind = program::GraphNodeKind::Condition;
        for (const std::uint32_t n : {2u, 3u, 4u})
            g.nodes[n].parent = 1;
        g.nodes[4].body = 1;
        const GraphDrawing d = drawGraph(g, 600, {});
        for (const std::size_t n : {2u, 3u, 4u})
            QVERIFY(d.boxes[1].contains(d.boxes[n]));
        QVERIFY(d.boxes[3].top() > d.boxes[2].bottom());
        QVERIFY(d.boxes[4].left() > d.boxes[2].right()); // beside the first body
        QVERIFY(d.boxes[5].top() > d.boxes[1].bottom());
    }

    void aThousandNodesInARowAndInAChainAreDrawn() {
        std::vector<std::vector<std::uint32_t>> wide(1'000, std::vector<std::uint32_t>{0}), chain(1'000);
        wide[0].clear();
        for (std::uint32_t n = 1; n < 1'000; ++n) {
            chain[n] = {n - 1};
            if (n > 1)
                chain[n].push_back(0); // past all rows between
        }
        QCOMPARE(drawGraph(nodesBehind(wide), 500, {}).boxes.size(), std::size_t(1'000));
        const GraphDrawing d = drawGraph(nodesBehind(chain), 500, {});
        QCOMPARE(d.edges.size(), std::size_t(1'997));
    }

    // Nobody has chosen: the first graph, of one node, which was never launched.
    void theChosenOperationChoosesGraphAndLaunch() {
        const auto view = makeProgramGraphView();
        QVERIFY(
            view->compose(contextOfProgram(noIndex), {0, 0, 700, 500})->caption().contains(QStringLiteral("never")));
        // Of 630 ns (20 to 650) the longest is sum<int>: 400.
        const QString first = view->compose(contextOfProgram(2), {0, 0, 700, 500})->caption();
        QVERIFY2(first.contains(QStringLiteral("4 nodes, 4 edges")), qPrintable(first));
        QVERIFY2(first.contains(QStringLiteral("launch 1 of 2: 630 ns")), qPrintable(first));
        QVERIFY2(first.contains(QStringLiteral("longest node: sum<int>, 400 ns")), qPrintable(first));
        // 300 to 710.
        const QString second = view->compose(contextOfProgram(5), {0, 0, 700, 500})->caption();
        QVERIFY2(second.contains(QStringLiteral("launch 2 of 2: 410 ns")), qPrintable(second));
    }

    void aClickOnANodeChoosesWhatItDid() {
        const auto view = makeProgramGraphView();
        const PicturePtr picture = view->compose(contextOfProgram(2), {0, 0, 700, 500});
        const QPointF at = placeOf(*picture, QStringLiteral("node 2: sum<int>"));
        QVERIFY(at.x() >= 0);
        const Spot spot = picture->spotAt(at);
        QVERIFY(spot.toolTip.contains(QStringLiteral("waits for nodes 0")));
        QVERIFY(spot.click);
        QCOMPARE(programOperation.of(spot.click->options), 4u);
        QCOMPARE(programKernel.of(spot.click->options), 1u);
        QCOMPARE(spot.doubleAction, QLatin1String(openLaunchAction) + QStringLiteral("4"));
        const Spot none = picture->spotAt(placeOf(*picture, QStringLiteral("node 3: nothing")));
        QVERIFY(!none.click);
        QVERIFY(none.toolTip.contains(QStringLiteral("nothing was recorded")));
    }

    void theArrowKeysGoFromLaunchToLaunch() {
        const auto view = makeProgramGraphView();
        const PicturePtr picture = view->compose(contextOfProgram(2), {0, 0, 700, 500});
        const auto next = picture->answer(KeyInput{Qt::Key_Right, Qt::NoModifier});
        QVERIFY(next);
        QCOMPARE(programOperation.of(next->options), 5u);
        QVERIFY(!picture->answer(KeyInput{Qt::Key_Left, Qt::NoModifier}));
    }

    void theTableHasNodesEdgesAndTimes() {
        const QStringList lines =
            samples::csvOf(*makeProgramGraphView(), contextOfProgram(2)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines[3], QStringLiteral("2,kernel,sum<int>,,,0,,4,250,400"));
        QCOMPARE(lines[4], QStringLiteral("3,empty,nothing,,,1 2,,,,"));
    }

    // Operations 2 (from 100 on) and 4 (from 250 on) as two ranks of one call; 5 is none's.
    void aKernelOfACollectiveSaysWhoWasLate() {
        program::ProgramTrace p = samples::handProgram();
        for (const std::uint32_t rank : {0u, 1u})
            p.collectives.push_back({.communicator = 9,
                                     .count = 1024,
                                     .rank = rank,
                                     .ranks = 2,
                                     .type = program::CollectiveType::F32,
                                     .op = program::CollectiveOp::Sum});
        p.collectiveSteps = {{2, 0}, {4, 1}};
        const ProgramModelPtr model = makeProgramModel(std::move(p));
        const QString first = operationToolTip(*model, 2), last = operationToolTip(*model, 4);
        QVERIFY2(first.contains(QStringLiteral("all-reduce (sum), 1,024 f32 (4,096 bytes), rank 0 of 2")),
                 qPrintable(first));
        QVERIFY2(first.contains(QStringLiteral("rank 1 came last, 150 ns after the first")), qPrintable(first));
        QVERIFY2(last.contains(QStringLiteral("came last: the others waited up to 150 ns for it")), qPrintable(last));
        QVERIFY(!operationToolTip(*model, 5).contains(QStringLiteral("rank")));
    }

    void withoutGraphsItSaysSo() {
        PaintContext context = contextOf(TracePtr());
        context.program = makeProgramModel(samples::handProgram());
        QVERIFY(makeProgramGraphView()->emptiness(context));
    }
};

WARPGLASS_QT_TEST(TestProgramGraph)
#include "test_program_graph.moc"
