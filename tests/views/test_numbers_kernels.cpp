// SPDX-License-Identifier: GPL-3.0-or-later
// What five views say of launches that are in no document, against numbers that were worked out by hand.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/pictures.h"
#include "views/lanes/lanes_view.h"
#include "views/launchmap/capacity.h"
#include "views/launchmap/launchmap_model.h"
#include "views/memory/memory_view.h"
#include "views/occupancy/occupancy_view.h"
#include "views/reduction/reduction_view.h"

#include <QtTest>

using namespace warpglass;

namespace {

TracePtr run(const char* kernel, std::int64_t size, Dim3 block, std::map<std::string, std::int64_t> set = {},
             bool all = true, CompileMode mode = CompileMode::Optimised) {
    LaunchRequest request;
    request.size = size;
    request.block = block;
    request.set = std::move(set);
    request.mode = mode;
    const auto plan = makePlan(*findKernel(kernel), request);
    if (!plan)
        qFatal("%s", plan.error().text().c_str());
    RunOptions options;
    options.detail.kind = all ? Detail::Kind::All : Detail::Kind::None;
    options.detail.accesses = all;
    Progress nobody;
    const auto recording = makeEmulator()->run(*plan, options, nobody);
    if (!recording)
        qFatal("%s", recording.error().text().c_str());
    return recording->trace;
}

QStringList rowsOf(const View& view, TracePtr trace, const Options& options = {}) {
    PaintContext context;
    context.trace = std::move(trace);
    context.theme = Theme::make(ThemeKind::Light);
    context.options = options;
    return samples::csvOf(view, context).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

bool anyHas(const QStringList& rows, const QString& words) {
    return std::any_of(rows.begin(), rows.end(), [&](const QString& row) { return row.contains(words); });
}

} // namespace

class TestNumbersKernels : public QObject {
    Q_OBJECT
private slots:
    // 960 elements in blocks of 96: 10 x 3 = 30 warps. A lane every 3 floats: 31 x 12 + 4 = 376 bytes are spanned, and
    // each of their 12 sectors is touched: 360 in all, 128 of 384 bytes are used. The stores are side by side: 4 sectors.
    void sectorsOfAStrideOfThree() {
        const QStringList rows = rowsOf(*makeMemoryView(), run("strided", 960, Dim3{96}, {{"stride", 3}}));
        QVERIFY2(anyHas(rows, "global,load,30,360,0,0,12.0000,33.3333,counted"), qPrintable(rows.join('\n')));
        QVERIFY2(anyHas(rows, "global,store,30,120,0,0,4.0000,100.0000,counted"), qPrintable(rows.join('\n')));
    }

    // 96 x 96 in tiles of 32: 9 blocks of 32 warps are 288 requests. A column of the tile lies in one bank: 32 passes each.
    void passesOfAColumn() {
        const QStringList rows = rowsOf(*makeMemoryView(), run("transpose_smem", 96, Dim3{32, 32}));
        QVERIFY2(anyHas(rows, "shared,load,288,0,9216,288,32.0000,3.1250,counted"), qPrintable(rows.join('\n')));
        QVERIFY2(anyHas(rows, "shared,store,288,0,288,288,1.0000,100.0000,counted"), qPrintable(rows.join('\n')));
        QVERIFY2(anyHas(rows, "global,load,288,1152,0,0,4.0000,100.0000,counted"), qPrintable(rows.join('\n')));
    }

    // The first 11 lanes of each warp are over the threshold: 0x7ff goes on, 21 do not.
    void elevenLanesGoOn() {
        const QStringList rows =
            rowsOf(*makeLanesView(), run("divergentMixed", 672, Dim3{96}, {{"lanes", 11}, {"order", 0}, {"loops", 5}},
                                         true, CompileMode::AsWritten));
        QVERIFY2(anyHas(rows, "0xffffffff,0xfffff800,11,32,1,counted"), qPrintable(rows.join('\n')));
    }

    // Blocks of 384 on an SM of 2,048 threads: 5 of 12 warps, 60 of 64 = 93.75 %. 132 x 5 = 660 places: 1,500 blocks are two
    // full waves and one of 180, 27.3 %. Of other sizes: 96 threads are 21 blocks of 3 warps, 63 of 64; of one warp 32 blocks
    // fit, half of the warps.
    void blocksOf384OnAnH200() {
        const TracePtr trace = run("vectorAdd", 576'000, Dim3{384}, {}, false);
        const auto fit = blocksThatFit(*trace, 0);
        QVERIFY(fit == 5u);
        const LaunchMapModel model(*trace, 0, fit);
        QCOMPARE(model.waves().capacity, std::uint64_t(660));
        QCOMPARE(model.waves().full, std::uint64_t(2));
        QCOMPARE(model.waves().lastWaveBlocks, std::uint64_t(180));
        QVERIFY(std::abs(model.waves().lastWaveFill() - 100.0 * 180 / 660) < 1e-9);
        const QStringList rows = rowsOf(*makeOccupancyView(), trace);
        for (const char* row : {"threads,384,93.75,9.0,counted", "threads,96,98.44,9.0,counted",
                                "threads,32,50.00,9.0,counted", "threads,160,93.75,9.0,counted"})
            QVERIFY2(rows.contains(QLatin1String(row)), row);
    }

    // 3 1 7 0 4 1 6 3, neighbours first: 4 7 5 9, then 11 14, then 25; in each of three blocks.
    void additionsOfThreeBlocks() {
        const QStringList rows = rowsOf(*makeReductionView(), run("reduceNeighboredLess", 24, Dim3{8}, {{"data", 1}}));
        for (const char* sum :
             {",3 + 1,4,", ",7 + 0,7,", ",4 + 1,5,", ",6 + 3,9,", ",4 + 7,11,", ",5 + 9,14,", ",11 + 14,25,"})
            QVERIFY2(anyHas(rows, QLatin1String(sum)), sum);
    }
};

WARPGLASS_QT_TEST(TestNumbersKernels)
#include "test_numbers_kernels.moc"
