// SPDX-License-Identifier: GPL-3.0-or-later
// The launch tree of the catalogue's nested kernels, driven by mouse and keys: folding, dropped launches, two
// strategies side by side, exports, and every text in Chinese.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "tests/views/text_faults.h"
#include "views/common/marks.h"
#include "views/common/page.h"
#include "views/common/view_widget.h"
#include "views/launchtree/launchtree_model.h"
#include "views/launchtree/launchtree_view.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace warpglass;

namespace {

TracePtr traceOf(const char* kernel, std::uint32_t grid, std::uint32_t block) {
    const CatalogueEntry* entry = findKernel(kernel);
    if (!entry)
        return nullptr;
    LaunchRequest request;
    request.grid = Dim3{grid};
    request.block = Dim3{block};
    auto plan = makePlan(*entry, request);
    if (!plan.ok()) {
        qWarning("%s: %s", kernel, plan.error().text().c_str());
        return nullptr;
    }
    Progress progress;
    auto recording = makeEmulator()->run(*plan, RunOptions{}, progress);
    if (!recording.ok()) {
        qWarning("%s", recording.error().text().c_str());
        return nullptr;
    }
    return recording->trace;
}

} // namespace

class TestLaunchTreeKernels : public QObject {
    Q_OBJECT
private slots:
    // A document's first strategy: every block of 4096 launches a child, more than 2048 may not wait, the rest is lost.
    // Its second: one child for the whole grid, so as many launches as halvings.
    void strategiesDifferInLaunchesAndOneLosesSome() {
        const TracePtr each = traceOf("gpuRecursiveReduceNosync", 4096, 32);
        const TracePtr one = traceOf("gpuRecursiveReduce2", 64, 32);
        QVERIFY(each && one);
        const TreeTotals a = treeTotals(*each), b = treeTotals(*one);
        QVERIFY(a.dropped > 0);
        QVERIFY(!a.dropReason.empty());
        QCOMPARE(b.dropped, std::uint64_t(0));
        QVERIFY(a.ran > 1000);
        QVERIFY(b.ran < 10);
        // Every dropped launch would have been a child of the host's: those that ran and those that did not are as many
        // as blocks.
        std::uint64_t first = 0;
        for (const Launch& launch : each->launches)
            first += launch.depth == 1;
        QCOMPARE(first, std::uint64_t(4096));
        // Folded, the whole fits a screen; unfolded, each grid has its row.
        const auto folded = treeRows(*each, {}, {});
        QVERIFY(folded.size() < 10);
        std::uint64_t inRows = 0;
        for (const TreeRow& row : folded)
            inRows += row.launches.size() + (row.isGroup ? row.descendants : 0);
        QCOMPARE(inRows, std::uint64_t(each->launches.size()));

        const auto view = makeLaunchTreeView();
        PaintContext context = contextOf(each);
        const QImage alone = samples::pictureOf(*view, context, {1280, 720});
        context.other = one;
        const QImage both = samples::pictureOf(*view, context, {1280, 720});
        samples::keep(both, "launchtree-strategies");
        QVERIFY(samples::differingPixels(alone, both) > 0.01);
        QVERIFY(samples::pixelsLike(alone, context.theme.wrong) > 50); // the loss is seen
    }

    void mouseAndKeysFoldAndChoose() {
        SelectionModel selection;
        ViewWidget widget(makeLaunchTreeView(), &selection);
        widget.resize(1280, 720);
        const TracePtr trace = traceOf("gpuRecursiveReduceNosync", 256, 32);
        QVERIFY(trace);
        widget.setTrace(trace);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        widget.setFocus();
        widget.grab();
        QCOMPARE(selection.get().launch, 0u);
        QTest::keyClick(&widget, Qt::Key_Down); // the group of all children
        const std::uint32_t group = selection.get().launch;
        QCOMPARE(trace->launches[group].depth, 1u);
        const QImage folded = widget.grab().toImage();
        QTest::keyClick(&widget, Qt::Key_Return);
        const QImage unfolded = widget.grab().toImage();
        QVERIFY(samples::differingPixels(folded, unfolded) > 0.005);
        QTest::keyClick(&widget, Qt::Key_Return);
        QVERIFY(samples::differingPixels(folded, widget.grab().toImage()) < 0.0005);
        // A click on a row of the bars chooses its launch.
        QTest::keyClick(&widget, Qt::Key_Up);
        QCOMPARE(selection.get().launch, 0u);
        bool chosen = false;
        for (int y = 100; y < 600 && !chosen; y += 8) {
            QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(900, y));
            chosen = selection.get().launch == group;
        }
        QVERIFY(chosen);
        // Zoom at the pointer: the window shrinks around the time under it, wherever that is.
        const QPoint at(900, 300);
        for (int i = 0; i < 4; ++i) {
            const TimeRange before =
                selection.get().visible.length().value > 0 ? selection.get().visible : trace->range();
            QWheelEvent event(QPointF(at), widget.mapToGlobal(QPointF(at)), {}, QPoint(0, 120), Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&widget, &event);
            const TimeRange after = selection.get().visible;
            QVERIFY(after.length() < before.length());
            QVERIFY(after.begin >= before.begin && after.end <= before.end);
        }
        QTest::keyClick(&widget, Qt::Key_Home);
        QCOMPARE(selection.get().visible, TimeRange{});
    }

    // A's tree below B's rows: how long it took on B's axis, and of how many grids it is. Without A nothing stands there.
    void thePinnedTreeStandsBelow() {
        const TracePtr a = traceOf("gpuRecursiveReduce2", 2, 8), b = traceOf("mathKernel1", 1, 64);
        QVERIFY(a && b);
        const std::uint64_t grids = treeTotals(*a).ran;
        QVERIFY(grids > 1);
        PaintContext context;
        context.trace = b;
        context.theme = Theme::make(ThemeKind::Light);
        const auto words = [&] {
            samples::TextPlaces device({1000, 600});
            QPainter painter(&device);
            paintPicture(*makeLaunchTreeView()->compose(context, QRectF(0, 0, 1000, 600)), painter);
            painter.end();
            QStringList all;
            for (const samples::TextPlace& place : device.places())
                all << place.text.trimmed();
            return all.join(QLatin1Char('|')) + samples::textFaults(device, context.theme).join(QLatin1Char('|'));
        };
        const QString alone = words();
        QVERIFY(!alone.contains(QStringLiteral("A %1").arg(a->range().length().value)));
        context.pinned = a;
        const QString told = QStringLiteral("A %1 steps \u00b7 %2 grids").arg(a->range().length().value).arg(grids);
        QVERIFY2(words().contains(told), qPrintable(told + QStringLiteral(" in ") + words()));
    }

    // One grid is one row: the view that says more of it is a click away. Of several there is no such place.
    void aSingleGridLeadsToTheTimeline() {
        const auto leads = [](const TracePtr& trace) {
            PaintContext context;
            context.trace = trace;
            context.theme = Theme::make(ThemeKind::Light);
            const PicturePtr picture = makeLaunchTreeView()->compose(context, QRectF(0, 0, 1000, 600));
            int found = 0;
            for (int y = 0; y < 600; y += 4)
                found += picture->spotAt(QPointF(60, y)).action == QLatin1String("view:timeline");
            return found;
        };
        QVERIFY(leads(traceOf("mathKernel1", 1, 64)) > 5);
        QCOMPARE(leads(traceOf("gpuRecursiveReduceNosync", 256, 32)), 0);
    }

    void picturesAreExportedInEveryFormat() {
        QTemporaryDir folder;
        const PaintContext context = contextOf(traceOf("gpuRecursiveReduceNosync", 4096, 32));
        QVERIFY(context.trace);
        const auto view = makeLaunchTreeView();
        for (const char* suffix : {"png", "svg", "pdf", "csv"}) {
            const QString path = folder.filePath(QString("tree.") + suffix);
            QCOMPARE(exportView(*view, context, path, {1280, 720}), QString());
            QVERIFY(QFile(path).size() > 500);
            QVERIFY(QFile(path).size() < 2'000'000);
        }
    }

    void everyTextIsSaidInChinese() {
        samples::Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const auto view = makeLaunchTreeView();
        for (const char* kernel : {"nestedHelloWorld", "gpuRecursiveReduceNosync", "gpuRecursiveReduce2"}) {
            PaintContext context = contextOf(traceOf(kernel, 64, 32), ThemeKind::Dark);
            if (!context.trace)
                context.trace = traceOf("gpuRecursiveReduceNosync", 4096, 32);
            QVERIFY(context.trace);
            for (int round = 0; round < 2; ++round) {
                samples::pictureOf(*view, context, {1280, 720});
                const PicturePtr picture = view->compose(context, QRectF(0, 0, 1280, 720));
                for (int y = 0; y < 720; y += 8)
                    picture->spotAt(QPointF(300, y));
                context.options["unfolded"] = "g1"; // the children one by one
            }
        }
        PaintContext empty = contextOf(nullptr);
        view->emptiness(empty);
        view->title();
        view->question();
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(chinese.missing().isEmpty(), qPrintable(QStringList(chinese.missing().values()).join("\n")));
    }
};

WARPGLASS_QT_TEST(TestLaunchTreeKernels)
#include "test_launchtree_kernels.moc"
