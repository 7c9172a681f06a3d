// SPDX-License-Identifier: GPL-3.0-or-later
// The divergence and source views on the documents' kernels, run by the emulator.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "views/lanes/lanes_view.h"
#include "views/lanes/one_path.h"
#include "views/lanes/paths.h"
#include "views/lanes/scene.h"

#include <QtTest>

#include <cmath>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

TracePtr run(const char* kernel, CompileMode mode, Dim3 block = {0}, bool timed = false) {
    const CatalogueEntry* entry = findKernel(kernel);
    if (!entry)
        return nullptr;
    LaunchRequest request;
    request.mode = mode;
    if (block.x)
        request.block = block;
    const auto plan = makePlan(*entry, request);
    if (!plan)
        return nullptr;
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    options.timing = timed;
    Progress progress;
    const auto recording = makeEmulator()->run(*plan, options, progress);
    return recording ? recording->trace : nullptr;
}

} // namespace

class TestLanesKernels : public QObject {
    Q_OBJECT
private slots:
    // Odd and even threads of each warp part: 16 lanes on either side. By warps (mathKernel2) nobody parts.
    void mathKernel1PartsEveryWarpAndMathKernel2None() {
        const TracePtr one = run("mathKernel1", CompileMode::AsWritten),
                       two = run("mathKernel2", CompileMode::AsWritten);
        QVERIFY(one && two);
        // The sides are named by the lines that follow the if and the else: a = 100 and b = 200.
        const WarpBranches first = branchesOf(*one, 0);
        const Branch& sides = first.branches[mostTelling(*one, 0, first.branches)];
        QCOMPARE(sides.fallLine, sides.sourceLine + 1);
        QCOMPARE(sides.jumpLine, sides.sourceLine + 3);
        for (std::uint32_t w = 0; w < one->warps.size(); ++w) {
            const WarpBranches m = branchesOf(*one, w);
            QVERIFY(!m.branches.empty());
            const Branch& b = m.branches[mostTelling(*one, 0, m.branches)];
            QCOMPARE(b.divergent, b.executions);
            QCOMPARE(b.entering[16], b.executions);
            const auto event = m.executions[mostTelling(*one, 0, m.branches)][0];
            const Serialised s = serialisedPaths(*one, w, event);
            QVERIFY(s.timed && s.reconverged);
            QVERIFY(s.lanesUsed * 2 == s.lanesPaid); // 16 of 32 on every path
        }
        for (std::uint32_t w = 0; w < two->warps.size(); ++w)
            for (const Branch& b : branchesOf(*two, w).branches)
                QCOMPARE(b.divergent, std::uint64_t(0));
        const auto view = makeLanesView();
        keep(pictureOf(*view, contextOf(one, two), {1000, 640}), QStringLiteral("real-math"));
    }

    // The kernels differ in the condition alone: what warp 0 of mathKernel2 walks is as long as the first of mathKernel1's
    // two paths, and what warp 1 walks as the second; in steps, and where the scheduler's states tell when.
    void anUndividedPathIsAsLongAsTheOneOfTwo() {
        for (const bool timed : {false, true}) {
            const TracePtr one = run("mathKernel1", CompileMode::AsWritten, {0}, timed),
                           two = run("mathKernel2", CompileMode::AsWritten, {0}, timed);
            QVERIFY(one && two);
            const auto pathAt = [](const Trace& trace, std::uint32_t w) {
                const WarpBranches m = branchesOf(trace, w);
                return m.executions[mostTelling(trace, 0, m.branches)][0];
            };
            const Serialised both = serialisedPaths(*one, 0, pathAt(*one, 0));
            QCOMPARE(both.segments.size(), std::size_t(2));
            for (std::uint32_t w = 0; w < 2; ++w) {
                const auto path = undividedPath(*two, w, pathAt(*two, w));
                QVERIFY(path && path->segments.size() == 1);
                const PathSegment& half = both.segments[w];
                const double mine = double(path->length().value), its = double((half.end - half.begin).value);
                if (timed) // waits of the two runs differ by a few cycles
                    QVERIFY2(std::abs(mine - its) <= 0.25 * its,
                             qPrintable(QStringLiteral("%1 %2").arg(mine).arg(its)));
                else
                    QCOMPARE(mine, its);
            }
        }
    }

    // Optimised, the branch is a select: the view offers the written form.
    void anOptimisedMathKernelHasNoBranch() {
        const TracePtr trace = run("mathKernel1", CompileMode::Optimised);
        QVERIFY(trace);
        QCOMPARE(trace->kernels[0].ptxBranches, 0u);
        QVERIFY(trace->kernels[0].ptxSelects > 0);
        const auto view = makeLanesView();
        const PaintContext c = contextOf(trace);
        QVERIFY(!view->emptiness(c));
        const PicturePtr picture = view->compose(c, QRectF(0, 0, 830, 600));
        bool offered = false;
        for (int y = 60; y < 600 && !offered; y += 6)
            for (int x = 60; x < 500 && !offered; x += 10)
                offered = picture->spotAt(QPointF(x, y)).action == QLatin1String("as-written");
        QVERIFY(offered);
        keep(pictureOf(*view, c, {830, 600}), QStringLiteral("real-selects"));
    }

    // Block of 64, strides 1 to 32: 16, 8, 4, 2, 1, 1 lanes of warp 0 add; neighbours: 32, 16, 8, 4, 2, 1.
    void theStridesOfAReductionHalveTheLanes() {
        for (const auto& [kernel, expected] : {std::pair{"reduceNeighbored", QVector<int>{16, 8, 4, 2, 1, 1}},
                                               std::pair{"reduceNeighboredLess", QVector<int>{32, 16, 8, 4, 2, 1}}}) {
            const TracePtr trace = run(kernel, CompileMode::AsWritten, {64});
            QVERIFY(trace);
            Selection selection;
            const auto scene = makeLanesScene(requestFor(trace, selection, BranchLayer::Source, false, false));
            QVector<int> seen;
            for (int i = 0; i < scene->count(); ++i)
                seen << scene->splitOf(i).chosen.count();
            QCOMPARE(seen, expected);
            const auto view = makeLanesView();
            keep(pictureOf(*view, contextOf(trace), {1000, 640}), QStringLiteral("real-") + QLatin1String(kernel));
        }
    }
};

WARPGLASS_QT_TEST(TestLanesKernels)
#include "test_lanes_kernels.moc"
