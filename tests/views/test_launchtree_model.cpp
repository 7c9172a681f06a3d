// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/qt_tests.h"
#include "tests/views/text_places.h"
#include "views/common/view_widget.h"
#include "views/launchtree/launchtree_model.h"
#include "views/launchtree/launchtree_text.h"
#include "views/launchtree/launchtree_view.h"

#include <QTest>

using namespace warpglass;

namespace {

Launch child(std::uint32_t parent, std::uint32_t depth, std::uint32_t block, Time start, Time end,
             LaunchStatus status = LaunchStatus::Ran) {
    Launch launch;
    launch.block = {32, 1, 1};
    launch.parentLaunch = parent;
    launch.parentBlock = block;
    launch.parentThread = 0;
    launch.depth = depth;
    launch.start = start;
    launch.end = end;
    launch.stream = StreamKind::Default;
    launch.status = status;
    if (status == LaunchStatus::Dropped)
        launch.reason = "more than 2048 launches were pending.";
    return launch;
}

// A host launch with `ran` children, of which the first has one child of its own, and `dropped` more that never ran.
std::shared_ptr<Trace> nested(std::uint32_t ran, std::uint32_t dropped) {
    auto trace = std::make_shared<Trace>();
    trace->kernels.push_back({.name = "parent"});
    Launch host;
    host.grid = {ran + dropped, 1, 1};
    host.block = {32, 1, 1};
    host.end = {1000};
    trace->launches.push_back(host);
    for (std::uint32_t i = 0; i < ran; ++i)
        trace->launches.push_back(child(0, 1, i, {100 + i}, {200 + i}));
    for (std::uint32_t i = 0; i < dropped; ++i)
        trace->launches.push_back(child(0, 1, ran + i, {300}, {300}, LaunchStatus::Dropped));
    trace->launches.push_back(child(1, 2, 0, {150}, {160}));
    return trace;
}

// The words of the view's picture, where they lie.
QVector<samples::TextPlace> placesIn(const PaintContext& context, QSize size) {
    samples::TextPlaces device(size);
    QPainter painter(&device);
    makeLaunchTreeView()->compose(context, QRectF(QPointF(), size))->paint(painter);
    painter.end();
    return device.places();
}

} // namespace

class TestLaunchTreeModel : public QObject {
    Q_OBJECT
private slots:
    // Each launches the next: a list as long as the chain, however deep.
    void aChainOfAHundredThousandIsAList() {
        Trace trace = *nested(0, 0);
        trace.launches.resize(1);
        constexpr std::uint32_t count = 100000;
        for (std::uint32_t n = 0; n < count; ++n)
            trace.launches.push_back(child(n, n + 1, 0, {n}, {n + 10}));
        const auto rows = treeRows(trace, {}, {}, count + 1);
        QCOMPARE(rows.size(), std::size_t(count) + 1);
        QCOMPARE(rows.back().launches, (std::vector<std::uint32_t>{count}));
        QCOMPARE(rows.back().indent, int(count));
        QCOMPARE(rows.front().descendants, std::uint64_t(count));
    }
    void fewChildrenStandAloneInPreorder() {
        const auto rows = treeRows(*nested(3, 0), {}, {});
        // host; child 1; its child (row 4 of the table); children 2 and 3
        QCOMPARE(rows.size(), std::size_t(5));
        QCOMPARE(rows[0].descendants, std::uint64_t(4));
        QCOMPARE(rows[1].launches, (std::vector<std::uint32_t>{1}));
        QCOMPARE(rows[2].launches, (std::vector<std::uint32_t>{4}));
        QCOMPARE(rows[2].indent, 2);
        QCOMPARE(rows[3].launches, (std::vector<std::uint32_t>{2}));
    }

    void manyLikeChildrenFoldAndDroppedOnesStandApart() {
        const auto trace = nested(2046, 2050);
        const auto folded = treeRows(*trace, {}, {});
        QCOMPARE(folded.size(), std::size_t(3)); // host, 2046 that ran, 2050 dropped
        QVERIFY(folded[1].isGroup && !folded[1].dropped);
        QCOMPARE(folded[1].launches.size(), std::size_t(2046));
        QCOMPARE(folded[1].descendants, std::uint64_t(1));
        QVERIFY(folded[2].isGroup && folded[2].dropped);
        QCOMPARE(folded[2].launches.size(), std::size_t(2050));
        const auto open = treeRows(*trace, {folded[1].id}, {});
        QCOMPARE(open.size(), std::size_t(3 + 2046 + 1)); // and the one grandchild
    }

    void aClosedRowHidesWhatIsBelow() { QCOMPARE(treeRows(*nested(3, 0), {}, {"0"}).size(), std::size_t(1)); }

    void totalsCountWhatRanAndWhatDidNot() {
        const TreeTotals totals = treeTotals(*nested(5, 7));
        QCOMPARE(totals.ran, std::uint64_t(7)); // host, five children, one grandchild
        QCOMPARE(totals.dropped, std::uint64_t(7));
        QCOMPARE(totals.depth, 2u);
        QVERIFY(!totals.dropReason.empty());
    }

    // Two trees one above the other in large type and a low view: rows of both are seen before headings.
    void rowsAreSeenHoweverLow() {
        PaintContext context;
        context.trace = context.other = nested(3, 0);
        context.theme = Theme::make(ThemeKind::Light, 1.6);
        const QSize size(1230, 300);
        const QVector<samples::TextPlace> places = placesIn(context, size);
        const QStringList wrong = samples::misplaced(places, size);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
        int shapes = 0;
        for (const samples::TextPlace& place : places)
            shapes += place.text.contains(QLatin1String("<<<1, 32>>>")) &&
                      !place.text.startsWith(QLatin1String("Who launched"));
        QVERIFY2(shapes >= 4, qPrintable(QString::number(shapes)));
    }

    // In a narrow view the kernel's name gives way, and neither the shape of a grid nor what became of dropped launches.
    void shapesAndLossesAreWholeHoweverNarrow() {
        auto trace = nested(3, 7);
        trace->kernels[0].name = "aKernelWithARatherLongNameThatLaunchesItself";
        PaintContext context;
        context.trace = trace;
        context.theme = Theme::make(ThemeKind::Light);
        for (const QSize size : {QSize(392, 508), QSize(650, 400), QSize(650, 600), QSize(1200, 700)}) {
            const QVector<samples::TextPlace> places = placesIn(context, size);
            const QStringList wrong = samples::misplaced(places, size);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
            int shapes = 0;
            bool dropped = false;
            qreal lowest = 0;
            for (const samples::TextPlace& place : places) {
                if (!place.text.startsWith(QLatin1String("Who launched"))) // which names the kernel, too
                    QVERIFY2(!place.text.endsWith(QChar(0x2026)), qPrintable(place.text));
                shapes += place.text.endsWith(QLatin1String("<<<1, 32>>>"));
                dropped = dropped || place.text.contains(QLatin1String("7 launches dropped")) ||
                          place.text.startsWith(QLatin1String("7 launches never ran"));
                lowest = std::max(lowest, place.whole.bottom());
            }
            QVERIFY(shapes >= 3);
            QVERIFY(dropped);
            QVERIFY(lowest < size.height() - 4);
        }
    }

    // What helps against too many pending launches does not help against too many levels.
    void theRemedyIsForItsOwnReason() {
        TreeTotals totals = treeTotals(*nested(5, 7));
        QVERIFY(droppedText(totals).contains(QLatin1String("cudaLimitDevRuntimePendingLaunchCount")));
        totals.dropReason = "more than 24 levels of launches (error 68)";
        totals.dropped = 1;
        QVERIFY(droppedText(totals).startsWith(QLatin1String("1 launch never ran: more than 24 levels")));
        QVERIFY(!droppedText(totals).contains(QLatin1String("cudaLimitDevRuntimePendingLaunchCount")));
    }

    void clickOnAFoldedRowUnfoldsIt() {
        SelectionModel selection;
        ViewWidget widget(makeLaunchTreeView(), &selection);
        widget.resize(1000, 600);
        widget.setTrace(nested(40, 0));
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        for (int y = 60; y < 300 && widget.context().options.value("unfolded").toString().isEmpty(); y += 6)
            QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(200, y));
        QCOMPARE(widget.context().options.value("unfolded").toString(), QString("g1"));
    }

    void keysWalkTheRows() {
        SelectionModel selection;
        ViewWidget widget(makeLaunchTreeView(), &selection);
        widget.resize(1000, 600);
        widget.setTrace(nested(3, 0));
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QTest::keyClick(&widget, Qt::Key_Down);
        QCOMPARE(selection.get().launch, 1u);
        QTest::keyClick(&widget, Qt::Key_Down);
        QCOMPARE(selection.get().launch, 4u); // the grandchild comes next in preorder
        QTest::keyClick(&widget, Qt::Key_Up);
        QCOMPARE(selection.get().launch, 1u);
    }
};

WARPGLASS_QT_TEST(TestLaunchTreeModel)
#include "test_launchtree_model.moc"
