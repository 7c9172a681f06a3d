// SPDX-License-Identifier: GPL-3.0-or-later
// Reduction trees from traces that the emulator recorded: the documents' two figures, every reduction of the catalogue,
// and kernels broken on purpose.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "gpu/metrics/reduction_tree.h"
#include "tests/qt_tests.h"
#include "views/common/marks.h"
#include "views/common/view_widget.h"
#include "views/reduction/reduction_pinned.h"
#include "views/reduction/reduction_view.h"

#include <QDir>
#include <QImage>
#include <QTest>
#include <QTranslator>
#include <QWheelEvent>

#include <cmath>
#include <cstring>

using namespace warpglass;

namespace {

constexpr std::array<int, 8> figure{3, 1, 7, 0, 4, 1, 6, 3}; // the array of the documents' figures

TracePtr traceOf(LaunchPlan plan) {
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    options.detail.accesses = true;
    Progress progress;
    auto recording = makeEmulator()->run(plan, options, progress);
    if (!recording.ok()) {
        qWarning("%s", recording.error().text().c_str());
        return nullptr;
    }
    return recording->trace;
}

// The kernel of this name in the plan's PTX by one block, whose threads read these numbers and write a result each.
TracePtr ranOn(LaunchPlan plan, const char* entry, const std::vector<std::int32_t>& numbers) {
    plan.entry = entry;
    plan.grid = Dim3{1};
    plan.check = {};
    Argument in, out;
    in.name = "in";
    in.isBuffer = true;
    in.count = numbers.size();
    in.fill = [numbers](std::span<std::byte> bytes) { std::memcpy(bytes.data(), numbers.data(), bytes.size()); };
    out.name = "out";
    out.isBuffer = true;
    out.count = plan.block.count();
    plan.arguments = {in, out};
    return traceOf(std::move(plan));
}

std::optional<LaunchPlan> planOf(const char* kernel, std::uint32_t block, std::int64_t size,
                                 CompileMode mode = CompileMode::Optimised) {
    const CatalogueEntry* entry = findKernel(kernel);
    if (!entry) {
        return std::nullopt;
    }
    LaunchRequest request;
    request.block = Dim3{block};
    request.size = size;
    request.mode = mode;
    auto plan = makePlan(*entry, request);
    if (!plan.ok()) {
        qWarning("%s: %s", kernel, plan.error().text().c_str());
        return std::nullopt;
    }
    return std::move(*plan);
}

// The catalogue's kernel on the figure's eight numbers, in one block of eight.
TracePtr figureTrace(const char* kernel) {
    auto plan = planOf(kernel, 8, 8);
    if (!plan) {
        return nullptr;
    }
    plan->arguments[0].fill = [](std::span<std::byte> bytes) {
        std::memcpy(bytes.data(), figure.data(), std::min(bytes.size(), sizeof figure));
    };
    return traceOf(std::move(*plan));
}

// The sums of each step, in order of their place.
std::vector<std::vector<int>> sumsByStep(const ReductionTree& tree, bool usefulOnly = false) {
    std::vector<std::vector<int>> steps;
    for (const ReductionStep& s : tree.steps) {
        steps.emplace_back();
        for (const std::uint32_t row : s.sums) {
            if (!usefulOnly || tree.values[row].useful) {
                steps.back().push_back(int(number(tree.values[row])));
            }
        }
    }
    return steps;
}

std::vector<std::uint32_t> threadsOf(const ReductionTree& tree, std::size_t step) {
    std::vector<std::uint32_t> threads;
    for (const std::uint32_t row : tree.steps[step].sums) {
        threads.push_back(tree.values[row].thread);
    }
    return threads;
}

PaintContext firstBlockOf(TracePtr trace, ThemeKind kind = ThemeKind::Light) {
    PaintContext c;
    c.trace = std::move(trace);
    c.theme = Theme::make(kind);
    c.selection.block = 0;
    return c;
}

QImage picture(const PaintContext& c, QSize size, const char* name) {
    const auto view = makeReductionView();
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    paintView(*view, painter, QRectF(QPointF(0, 0), QSizeF(size)), c);
    painter.end();
    QDir().mkpath(QStringLiteral(WARPGLASS_BINARY_DIR "/pictures"));
    image.save(QStringLiteral(WARPGLASS_BINARY_DIR "/pictures/reduction-%1.png").arg(QString::fromLatin1(name)));
    return image;
}

// The program's translations are kept in one context, whatever a text's own.
class OneContext : public QTranslator {
public:
    QString translate(const char*, const char* text, const char*, int n) const override {
        return QTranslator::translate("Warpglass", text, nullptr, n);
    }
};

} // namespace

class TestReductionKernels : public QObject {
    Q_OBJECT
private slots:
    void neighbouredPairsGiveTheFirstFigure() {
        const TracePtr trace = figureTrace("reduceNeighbored");
        QVERIFY(trace);
        const ReductionTree tree = reductionTree(*trace, 0);
        // 3+1 7+0 4+1 6+3, then 4+7 5+9, then 11+14.
        QCOMPARE(sumsByStep(tree), (std::vector<std::vector<int>>{{4, 7, 5, 9}, {11, 14}, {25}}));
        QCOMPARE(threadsOf(tree, 0), (std::vector<std::uint32_t>{0, 2, 4, 6}));
        QCOMPARE(threadsOf(tree, 1), (std::vector<std::uint32_t>{0, 4}));
        QCOMPARE(threadsOf(tree, 2), (std::vector<std::uint32_t>{0}));
        QCOMPARE(tree.steps[0].stride, 1u);
        QCOMPARE(tree.steps[1].stride, 2u);
        QCOMPARE(tree.steps[2].stride, 4u);
        QCOMPARE(tree.steps[0].divergentWarps, 1u); // half of its eight lanes wait
        QVERIFY(tree.steps[0].barrierAfter && tree.steps[1].barrierAfter && tree.steps[2].barrierAfter);
        QVERIFY(tree.right);
        QCOMPARE(tree.raced, 0u);
        QCOMPARE(tree.usefulAdditions(), std::uint64_t(7)); // eight numbers need seven additions
    }

    // Sums of A's neighboured pairs stand at 0 2 4 6, at 0 4, at 0; of B's interleaved ones at 0 1 2 3, at 0 1, at 0: A
    // alone added at 4 and 6, then at 4. It paid three steps of eight threads and used seven.
    void thePinnedRunStandsBehindTheTree() {
        const TracePtr shown = figureTrace("reduceInterleaved"), pinned = figureTrace("reduceNeighbored");
        const ReductionTree a = reductionTree(*pinned, 0), b = reductionTree(*shown, 0);
        QCOMPARE(columnsOfPinnedAlone(b, a, 0), (std::vector<int>{4, 6}));
        QCOMPARE(columnsOfPinnedAlone(b, a, 1), (std::vector<int>{4}));
        QCOMPARE(pinnedReductionTexts(a).first(), QStringLiteral("A: 3 steps, thread-steps paid 24, used 7"));
        PaintContext context = firstBlockOf(shown);
        context.pinned = pinned;
        const PicturePtr composed = makeReductionView()->compose(context, QRectF(0, 0, 900, 560));
        const auto& scene = dynamic_cast<const ReductionPicture&>(*composed).scene;
        const QString tip = composed->spotAt(scene.layout.sideRect(0).center()).toolTip;
        QVERIFY2(tip.endsWith(QStringLiteral("A: 4 threads, 1 of 1 warps, 1 divergent")), qPrintable(tip));
    }

    // A file may say that its only warp is the last that a block can have: sums are the same, of other threads.
    void aWarpsNumberIsNotItsPlaceInTheTable() {
        const TracePtr trace = figureTrace("reduceNeighbored");
        QVERIFY(trace);
        Trace bent = *trace;
        constexpr std::uint16_t number = 31;
        bent.warps[0].warpInBlock = number;
        QVERIFY(validate(bent));
        const ReductionTree tree = reductionTree(bent, 0);
        QCOMPARE(sumsByStep(tree), sumsByStep(reductionTree(*trace, 0)));
        QCOMPARE(threadsOf(tree, 2), (std::vector<std::uint32_t>{number * 32u}));
    }

    void interleavedPairsGiveTheSecondFigure() {
        const TracePtr trace = figureTrace("reduceInterleaved");
        QVERIFY(trace);
        const ReductionTree tree = reductionTree(*trace, 0);
        // 3+4 1+1 7+6 0+3, then 7+13 2+3, then 20+5.
        QCOMPARE(sumsByStep(tree), (std::vector<std::vector<int>>{{7, 2, 13, 3}, {20, 5}, {25}}));
        QCOMPARE(threadsOf(tree, 0), (std::vector<std::uint32_t>{0, 1, 2, 3}));
        QCOMPARE(tree.steps[0].stride, 4u);
        QCOMPARE(tree.steps[2].stride, 1u);
        QVERIFY(tree.right);
    }

    void theSamePairsByOtherThreads() {
        const TracePtr trace = figureTrace("reduceNeighboredLess");
        QVERIFY(trace);
        const ReductionTree tree = reductionTree(*trace, 0);
        QCOMPARE(sumsByStep(tree), (std::vector<std::vector<int>>{{4, 7, 5, 9}, {11, 14}, {25}}));
        QCOMPARE(threadsOf(tree, 0), (std::vector<std::uint32_t>{0, 1, 2, 3})); // threads 0 to 3 instead of 0 2 4 6
        QVERIFY(tree.right);
    }

    void everyReductionOfTheCatalogueIsFoundRight_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<int>("mode");
        for (const CatalogueEntry& e : catalogue()) {
            if (e.family.rfind("reduction", 0) == 0) {
                for (const CompileMode mode : {CompileMode::Optimised, CompileMode::AsWritten}) {
                    QTest::newRow((e.name + " " + name(mode)).c_str()) << QString::fromStdString(e.name) << int(mode);
                }
            }
        }
    }
    void everyReductionOfTheCatalogueIsFoundRight() {
        QFETCH(QString, kernel);
        QFETCH(int, mode);
        const CatalogueEntry* entry = findKernel(kernel.toStdString());
        QVERIFY(entry);
        LaunchRequest request = entry->look;
        request.mode = CompileMode(mode);
        auto plan = makePlan(*entry, request);
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
        if (plan->grid.count() == 0) {
            QSKIP("runs on the host");
        }
        const TracePtr trace = traceOf(std::move(*plan));
        QVERIFY(trace);
        const ReductionTree tree = reductionTree(*trace, trace->launches[0].firstBlock);
        QVERIFY2(tree.found(), tree.why.c_str());
        QVERIFY2(tree.right, qPrintable(QStringLiteral("sum %1, %2 missing, %3 doubled of %4 in %5 steps")
                                            .arg(number(tree.values[tree.root]))
                                            .arg(tree.missing.size())
                                            .arg(tree.doubled.size())
                                            .arg(tree.values[tree.root].numbers)
                                            .arg(tree.steps.size())));
    }

    void aBarrierTakenOutIsSeen() {
        // Two warps, the barrier of the loop taken out: warp 0 reads sums of warp 1 that nothing orders.
        auto plan = planOf("reduceNeighbored", 64, 64);
        QVERIFY(plan);
        const LaunchPlan whole = *plan;
        QString ptx = QString::fromStdString(plan->ptx);
        const int body = ptx.indexOf(QStringLiteral("reduceNeighbored("));
        const int barrier = ptx.indexOf(QStringLiteral("bar.sync"), body);
        QVERIFY(body > 0 && barrier > 0);
        ptx.remove(barrier, ptx.indexOf(QLatin1Char(';'), barrier) + 1 - barrier);
        plan->ptx = ptx.toStdString();
        const TracePtr good = traceOf(whole), bad = traceOf(*plan);
        QVERIFY(good && bad);
        const ReductionTree right = reductionTree(*good, 0), broken = reductionTree(*bad, 0);
        QVERIFY(right.right);
        QCOMPARE(right.raced, 0u);
        QCOMPARE(right.barriers, 6u); // strides 1 to 32
        QCOMPARE(broken.barriers, 0u);
        QVERIFY(broken.raced > 0);
        // The number that passes from warp 1 to warp 0 is cell 32, at the last step: it is among the marked ones.
        bool marked = false;
        for (const ReductionValue& v : broken.values) {
            marked = marked || (v.raced && v.column == 32);
        }
        QVERIFY(marked);
        picture(firstBlockOf(bad), {1280, 720}, "broken");
    }

    void aProductOfMatricesIsNoReduction() {
        // A block of 16 x 16 threads writes 256 elements of the product, each a sum of products of its own. Some of the
        // sums of small numbers are found, by chance; they are no tree, and there is no verdict on one.
        for (const char* kernel : {"matmul_tiled", "matmul_naive"}) {
            const CatalogueEntry* entry = findKernel(kernel);
            QVERIFY(entry);
            auto plan = makePlan(*entry, entry->look);
            QVERIFY(plan.ok());
            const TracePtr trace = traceOf(std::move(*plan));
            QVERIFY(trace);
            const ReductionTree tree = reductionTree(*trace, 0);
            QVERIFY2(!tree.found(), kernel);
            QVERIFY(!tree.why.empty());
            QVERIFY2(makeReductionView()->thoroughEmptiness(firstBlockOf(trace)), kernel);
        }
        const CatalogueEntry* entry = findKernel("matmul_tiled");
        auto plan = makePlan(*entry, entry->look);
        const TracePtr trace = traceOf(std::move(*plan));
        QCOMPARE(reductionTree(*trace, 0).results, 256u);
        const auto why = makeReductionView()->thoroughEmptiness(firstBlockOf(trace));
        QVERIFY2(why->why.contains(QStringLiteral("256 results")), qPrintable(why->why));
    }

    void sumsOfNeighboursAreNoReduction() {
        // out[i] = in[i] + in[i + 1] + in[i + 2] by 32 threads: 34 numbers are added to 32 results of three each.
        auto plan = planOf("vectorAdd", 32, 34);
        QVERIFY(plan);
        plan->ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry stencil(.param .u64 in, .param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd1, %rd1, %rd3;
    add.s64 %rd2, %rd2, %rd3;
    ld.global.u32 %r2, [%rd1];
    ld.global.u32 %r3, [%rd1+4];
    ld.global.u32 %r4, [%rd1+8];
    add.s32 %r5, %r2, %r3;
    add.s32 %r5, %r5, %r4;
    st.global.u32 [%rd2], %r5;
    ret;
}
)";
        std::vector<std::int32_t> squares; // 1, 4, 9, ...: no sum of two is another's sum of three
        for (std::int32_t i = 1; i <= 34; ++i)
            squares.push_back(i * i);
        const TracePtr trace = ranOn(std::move(*plan), "stencil", squares);
        QVERIFY(trace);
        const ReductionTree tree = reductionTree(*trace, 0);
        QVERIFY(!tree.found());
        QCOMPARE(tree.given, 34u);
        QCOMPARE(tree.most, 3u);
        QCOMPARE(tree.results, 32u);
        QCOMPARE(tree.resultsInTree, 1u);
    }

    void aProductThatIsASumByChanceIsNoReduction() {
        // out[i] = in[i] * in[i + 1] of 2, 2, 5, 11, 7: 4, 10, 55, 77. Only the first is the sum of its two, 2 + 2.
        auto plan = planOf("vectorAdd", 4, 5);
        QVERIFY(plan);
        plan->ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry products(.param .u64 in, .param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd1, %rd1, %rd3;
    add.s64 %rd2, %rd2, %rd3;
    ld.global.u32 %r2, [%rd1];
    ld.global.u32 %r3, [%rd1+4];
    mul.lo.s32 %r4, %r2, %r3;
    st.global.u32 [%rd2], %r4;
    ret;
}
)";
        const TracePtr trace = ranOn(std::move(*plan), "products", {2, 2, 5, 11, 7});
        QVERIFY(trace);
        const ReductionTree tree = reductionTree(*trace, 0);
        QCOMPARE(tree.results, 4u);
        QCOMPARE(tree.most, 2u);
        QVERIFY(!tree.found()); // "2 numbers, right" would be a verdict on a coincidence
        const auto why = makeReductionView()->thoroughEmptiness(firstBlockOf(trace));
        QVERIFY(why);
        QVERIFY2(!why->why.contains(QStringLiteral("were added")), qPrintable(why->why)); // nothing was
    }

    void theVerdictIsOnWhatWasWritten() {
        // The figure's eight numbers, but the block writes idata[4] instead of idata[0]: 4 + 1 + 6 + 3 = 14 of 25. All
        // eight were added up, and yet the result lacks the first four.
        auto plan = planOf("reduceNeighbored", 8, 8);
        QVERIFY(plan);
        plan->arguments[0].fill = [](std::span<std::byte> bytes) {
            std::memcpy(bytes.data(), figure.data(), std::min(bytes.size(), sizeof figure));
        };
        QString ptx = QString::fromStdString(plan->ptx);
        const auto body = ptx.indexOf(QStringLiteral("reduceNeighbored("));
        auto end = ptx.indexOf(QStringLiteral(".entry"), body);
        end = end < 0 ? ptx.size() : end;
        const auto last = ptx.lastIndexOf(QStringLiteral("ld.global"), end);
        const auto bracket = ptx.indexOf(QLatin1Char(']'), last);
        QVERIFY(body > 0 && last > body && bracket > last);
        plan->ptx = ptx.insert(bracket, QStringLiteral("+16")).toStdString();
        const TracePtr trace = traceOf(std::move(*plan));
        QVERIFY(trace);
        const ReductionTree tree = reductionTree(*trace, 0);
        QVERIFY2(tree.found(), tree.why.c_str());
        QCOMPARE(int(number(tree.values[tree.root])), 14);
        QVERIFY(!tree.right);
        QCOMPARE(tree.missing.size(), std::size_t(4));
        QCOMPARE(tree.expected, std::uint64_t(25));
    }

    void pictures() {
        picture(firstBlockOf(figureTrace("reduceNeighbored")), {1280, 720}, "8-neighbored-light");
        picture(firstBlockOf(figureTrace("reduceInterleaved"), ThemeKind::Dark), {1280, 720}, "8-interleaved-dark");
        PaintContext print = firstBlockOf(figureTrace("reduceNeighboredLess"), ThemeKind::Print);
        print.selection.time = reductionTree(*print.trace, 0).steps[1].end;
        picture(print, {1280, 720}, "8-less-print-step2");
        const std::array kernels{"reduceNeighbored", "reduceUnrollWarps8", "reduce0", "reduce3", "reduce_v3"};
        for (const char* kernel : kernels) {
            for (const int block : {64, 256, 1024}) {
                if (auto plan = planOf(kernel, std::uint32_t(block),
                                       block * (std::string_view(kernel) == "reduceUnrollWarps8" ? 8 : 2))) {
                    if (const TracePtr trace = traceOf(std::move(*plan))) {
                        const QImage image =
                            picture(firstBlockOf(trace, block == 256 ? ThemeKind::Dark : ThemeKind::Light),
                                    block == 1024 ? QSize(1920, 1080) : QSize(1280, 720),
                                    qPrintable(QStringLiteral("%1-%2").arg(QString::fromLatin1(kernel)).arg(block)));
                        QVERIFY(!image.isNull());
                    }
                }
            }
        }
    }

    void inChinese() {
        OneContext chinese;
        if (!chinese.load(QStringLiteral(WARPGLASS_BINARY_DIR "/translations/warpglass_zh_CN.qm"))) {
            QSKIP("the Chinese translation is not built here");
        }
        const PaintContext c = firstBlockOf(figureTrace("reduceInterleaved"));
        const QImage english = picture(c, {1280, 720}, "8-english");
        QCoreApplication::installTranslator(&chinese);
        const QImage translated = picture(c, {1280, 720}, "8-chinese");
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY(english != translated);
    }

    void mouseAndKeys() {
        const TracePtr trace = figureTrace("reduceNeighbored");
        QVERIFY(trace);
        SelectionModel selection;
        ViewWidget w(makeReductionView(), &selection);
        w.setTrace(trace);
        w.resize(1280, 720);
        w.show();
        QVERIFY(QTest::qWaitForWindowExposed(&w));
        const auto scene = [&] { return dynamic_cast<const ReductionPicture&>(*w.picture()).scene; };
        // Thread 4's second addition: step 2, column 4.
        QTest::mouseClick(&w, Qt::LeftButton, {}, scene().layout.node(1, 4).toPoint());
        QCOMPARE(selection.get().lane, 4);
        QCOMPARE(selection.get().block, 0u);
        const ReductionTree tree = reductionTree(*trace, 0);
        QCOMPARE(selection.get().time.value, tree.values[tree.steps[1].sums[1]].time.value);
        QVERIFY(w.picture()->spotAt(scene().layout.node(1, 4)).toolTip.contains(QStringLiteral("5 + 9 = 14")));
        // Stepping.
        w.setFocus();
        QTest::keyClick(&w, Qt::Key_Period);
        QCOMPARE(selection.get().time.value, tree.steps[2].end.value);
        QTest::keyClick(&w, Qt::Key_Comma);
        QCOMPARE(selection.get().time.value, tree.steps[1].end.value);
    }

    void theWheelZoomsAtThePointer() {
        auto plan = planOf("reduceInterleaved", 512, 512);
        QVERIFY(plan);
        const TracePtr trace = traceOf(std::move(*plan));
        QVERIFY(trace);
        SelectionModel selection;
        ViewWidget w(makeReductionView(), &selection);
        w.setTrace(trace);
        w.resize(1280, 720);
        w.show();
        QVERIFY(QTest::qWaitForWindowExposed(&w));
        const auto layout = [&] { return dynamic_cast<const ReductionPicture&>(*w.picture()).scene.layout; };
        const QPointF at(layout().x(100), layout().plot.center().y());
        const double before = (at.x() - layout().left) / layout().pitch;
        QWheelEvent e(at, w.mapToGlobal(at), {}, {0, 120 * 8}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&w, &e);
        QVERIFY(layout().zoom.factor > 4);
        QVERIFY(std::abs((at.x() - layout().left) / layout().pitch - before) < 1e-6);
    }

    void emptyViewsSayWhy() {
        const auto view = makeReductionView();
        QVERIFY(view->emptiness({}));
        auto plan = planOf("reduceNeighbored", 64, 64);
        QVERIFY(plan);
        RunOptions options;
        options.detail.kind = Detail::Kind::All;
        Progress progress;
        const auto recording = makeEmulator()->run(*plan, options, progress);
        QVERIFY(recording.ok());
        QCOMPARE(view->emptiness(firstBlockOf(recording->trace))->action, QStringLiteral("accesses"));
        const CatalogueEntry* vector = findKernel("vectorAdd");
        QVERIFY(vector);
        auto other = makePlan(*vector, vector->look);
        QVERIFY(other.ok());
        const PaintContext adds = firstBlockOf(traceOf(std::move(*other))); // but does not fold
        QVERIFY(view->compose(adds, QRectF(0, 0, 900, 560))->emptiness());
        QVERIFY(view->thoroughEmptiness(adds));
    }
};

WARPGLASS_QT_TEST(TestReductionKernels)
#include "test_reduction_kernels.moc"
