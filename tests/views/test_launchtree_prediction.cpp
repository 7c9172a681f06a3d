// SPDX-License-Identifier: GPL-3.0-or-later
// What the launch tree asks before it shows it; the answers are worked out by hand, in the comments.
#include "tests/qt_tests.h"
#include "tests/views/predictions.h"
#include "views/launchtree/launchtree_view.h"

#include <QTest>

using namespace warpglass;
using namespace predictions;

namespace {

TracePtr treeOf(const char* kernel, Dim3 grid, Dim3 block, std::int64_t size = 0) {
    LaunchRequest request;
    request.grid = grid;
    request.block = block;
    if (size)
        request.size = size;
    const auto plan = makePlan(*findKernel(kernel), request);
    if (!plan)
        qFatal("%s", plan.error().text().c_str());
    Progress nobody;
    const auto recording = makeEmulator()->run(*plan, {}, nobody);
    if (!recording)
        qFatal("%s", recording.error().text().c_str());
    return recording->trace;
}

// All questions, one after the other.
std::vector<Prediction> asked(const TracePtr& trace) {
    const std::unique_ptr<View> view = makeLaunchTreeView();
    std::vector<Prediction> all;
    Time now = trace->range().begin - Time{1};
    while (const auto p = view->prediction(contextAt(trace, now))) {
        if (p->moment <= now || all.size() > 100)
            qFatal("a question does not come after the one before it");
        now = p->last();
        all.push_back(*p);
    }
    return all;
}

// A hand-made tree: a grid of 2 x 2 blocks, of which (1, 0) launches two grids of 4 threads, (0, 1) a third that is dropped; of
// the first of them threads 1 and 3 launch one more each. Who launched is not known where `known` is false.
TracePtr smallTree(bool known = true) {
    auto trace = std::make_shared<Trace>();
    Kernel kernel;
    kernel.name = "branches";
    trace->kernels.push_back(kernel);
    const auto add = [&](Dim3 grid, Dim3 block, std::int64_t start, std::uint32_t parent, std::uint32_t parentBlock,
                         std::uint32_t thread, std::uint32_t depth, bool ran = true) {
        Launch launch;
        launch.grid = grid;
        launch.block = block;
        launch.start = Time{start};
        launch.end = Time{start + 10};
        launch.parentLaunch = parent;
        launch.parentBlock = known || parent == noIndex ? parentBlock : noIndex;
        launch.parentThread = known || parent == noIndex ? thread : noIndex;
        launch.depth = depth;
        launch.status = ran ? LaunchStatus::Ran : LaunchStatus::Dropped;
        launch.stream = parent == noIndex ? StreamKind::Host : StreamKind::Default;
        trace->launches.push_back(launch);
    };
    add({2, 2}, {32}, 0, noIndex, noIndex, noIndex, 0);
    add({1}, {4}, 5, 0, 1, 0, 1);
    add({1}, {4}, 6, 0, 1, 0, 1);
    add({1}, {4}, 7, 0, 2, 0, 1, false);
    add({1}, {2}, 8, 1, 0, 1, 2);
    add({1}, {2}, 9, 1, 0, 3, 2);
    return trace;
}

} // namespace

class TestLaunchTreePrediction : public QObject {
    Q_OBJECT
private slots:
    // The limit stands with the launch that was dropped by it, as the emulator writes it: of 8, 6 may wait. A launch that
    // was dropped for its depth says nothing of it. A GPU keeps no record of launches that it gave not even a place for
    // arguments: what it dropped is not asked, and the view says why.
    void theLimitIsTheLaunchsOwn() {
        const auto dropped = [](const char* reason) {
            auto trace = std::make_shared<Trace>(*smallTree());
            trace->launches[3].reason = reason;
            return trace;
        };
        const auto given = [&](const char* reason) {
            return asked(dropped(reason))[1].words.given.mid(1).join(QLatin1Char('|'));
        };
        const QString own =
            given("6 launches are pending, which is all that a limit of 8 lets wait (error 69); the host is "
                  "not told");
        QVERIFY2(own.endsWith(QLatin1String("of this launch's limit of 8, 6 may wait.")), qPrintable(own));
        QCOMPARE(given("more than 24 levels of launches (error 65)"), QString());
        const auto gpu = dropped("more launches were pending than the limit allows (error 69); the host is not told");
        gpu->info.backend = BackendKind::Cuda;
        QVERIFY(asked(gpu).empty());
        const auto view = makeLaunchTreeView();
        QVERIFY(view->whyNotAsked(contextAt(gpu)).startsWith(QLatin1String("A GPU that drops launches")));
        gpu->launches[3].status = LaunchStatus::Ran;
        QCOMPARE(asked(gpu).size(), std::size_t(4)); // nothing dropped: the rest is asked
    }

    // Blocks (1, 0) and (0, 1) are the second and the third of four. One of three launches at depth 1 is dropped; one grid ran
    // above it, so how many there are is no question. Threads 1 and 3 of four launch; two grids ran at depth 1, and two
    // follow at depth 2, whose first has two threads that launch nothing.
    void eachDepthIsAsked() {
        const std::vector<Prediction> all = asked(smallTree());
        QCOMPARE(all.size(), std::size_t(5));
        QVERIFY(all[0].asked == Asked::Items);
        QCOMPARE(all[0].items.size(), 4);
        QCOMPARE(all[0].items[1].name, QString("(1, 0)")); // of a grid of two dimensions, both
        QCOMPARE(all[0].items[2].name, QString("(0, 1)"));
        QCOMPARE(all[0].truth, (std::set<int>{1, 2}));
        QCOMPARE(all[0].words.truth, QString("It launches 3 grids, of which 1 never run."));
        QVERIFY(all[1].asked == Asked::Number);
        QCOMPARE(all[1].number, std::uint64_t(1)); // dropped
        QVERIFY(all[2].asked == Asked::Items);
        QCOMPARE(all[2].items.size(), 4);
        QCOMPARE(all[2].truth, (std::set<int>{1, 3}));
        QVERIFY(all[3].asked == Asked::Number);
        QCOMPARE(all[3].number, std::uint64_t(2)); // at depth 2
        QVERIFY(all[4].truth.empty());
        QCOMPARE(all[4].items.size(), 2);
        QCOMPARE(all[4].words.truth, QString("It launches none: here the tree ends."));
    }

    // Where a recording does not say who launched, only counts are asked.
    void onlyCountsAreAskedWhereTheParentIsUnknown() {
        for (const Prediction& p : asked(smallTree(false)))
            QVERIFY2(p.asked == Asked::Number || p.truth.empty(), qPrintable(p.words.question));
    }

    // Two blocks of eight threads: thread 0 of each block launches a grid of half the threads, as long as there is more than
    // one: 2 of 4 threads, 2 of 2, 2 of 1.
    void nestedHelloWorldIsAskedDepthByDepth() {
        const std::vector<Prediction> all = asked(treeOf("nestedHelloWorld", {2}, {8}));
        QVERIFY(all.size() >= 4);
        QCOMPARE(all[0].truth, upTo(2));
        QCOMPARE(all[1].items.size(), 4);
        QCOMPARE(all[1].truth, upTo(1));
        QCOMPARE(all[2].number, std::uint64_t(2));
        QVERIFY2(all[1].words.code.contains("<<<1, threads>>>"), qPrintable(all[1].words.code));
        const QString said = verdict(all[1], Guess::from("0,1"));
        QVERIFY2(said.startsWith("3 of 4 threads right") && said.contains("thread 1 launched none"), qPrintable(said));
    }

    // 4096 blocks each launch a child: too many to mark, so they are counted. Those that were dropped are as many as did not
    // run.
    void manyBlocksAreCounted() {
        const TracePtr trace = treeOf("gpuRecursiveReduceNosync", {4096}, {32});
        std::uint64_t dropped = 0;
        for (const Launch& launch : trace->launches)
            dropped += launch.depth == 1 && launch.status == LaunchStatus::Dropped;
        const std::vector<Prediction> all = asked(trace);
        QVERIFY(all.size() >= 2 && dropped > 0);
        QVERIFY(all[0].asked == Asked::Number);
        QCOMPARE(all[0].number, std::uint64_t(4096));
        QCOMPARE(all[1].number, dropped);
    }

    // A kernel that launches nothing has nothing to ask, and says so.
    void aTreeWithoutBranchesSaysWhyItDoesNotAsk() {
        const TracePtr trace = tracedRun("mathKernel1", 64, {64});
        QVERIFY(asked(trace).empty());
        const std::unique_ptr<View> view = makeLaunchTreeView();
        QVERIFY(view->whyNotAsked(contextAt(trace)).contains("launches another"));
        QVERIFY(view->whyNotAsked(contextAt(smallTree())).isEmpty());
    }
};

WARPGLASS_QT_TEST(TestLaunchTreePrediction)
#include "test_launchtree_prediction.moc"
