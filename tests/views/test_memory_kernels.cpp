// SPDX-License-Identifier: GPL-3.0-or-later
// The memory view on the catalogue's kernels, run by the emulator: what the picture works out of each recorded access
// must add up to the exact counts that the emulator made with code of its own, and both to numbers worked out by hand.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/emulator/run_kernel.h"
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "views/common/marks.h"
#include "views/common/page.h"
#include "views/common/view_widget.h"
#include "views/memory/memory_layout.h"
#include "views/memory/memory_model.h"
#include "views/memory/memory_table.h"
#include "views/memory/memory_view.h"
#include "views/source/event_counts.h"
#include "views/source/listing.h"
#include "views/timeline/timeline_view.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>
#include <set>

using namespace warpglass;

namespace {

struct Run {
    const char* kernel;
    std::map<std::string, std::int64_t> set;
    std::optional<Dim3> block;
};

TracePtr traceOf(const Run& run) {
    const CatalogueEntry* entry = findKernel(run.kernel);
    if (!entry)
        return nullptr;
    LaunchRequest request;
    request.set = run.set;
    request.block = run.block;
    auto plan = makePlan(*entry, request);
    if (!plan.ok()) {
        qWarning("%s: %s", run.kernel, plan.error().text().c_str());
        return nullptr;
    }
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    options.detail.accesses = true;
    Progress progress;
    auto recording = makeEmulator()->run(*plan, options, progress);
    if (!recording.ok()) {
        qWarning("%s", recording.error().text().c_str());
        return nullptr;
    }
    return recording->trace;
}

// What the pictures of all recorded accesses show, by PTX line.
struct Shown {
    std::uint64_t requests = 0, sectors = 0, distinct = 0, passes = 0, idealPasses = 0;
};
std::map<std::uint32_t, Shown> shownInAll(const Trace& trace) {
    std::map<std::uint32_t, Shown> sums;
    for (const AccessRow& row : trace.accesses) {
        if (row.shuffle)
            continue;
        const Event event = trace.events.get(row.event, {});
        Shown& sum = sums[trace.sites[event.site].ptxLine];
        const unsigned bytes = unsigned(row.bytesPerElement) * row.elements;
        ++sum.requests;
        if (row.space == MemorySpace::Shared) {
            const SharedAccess access = analyseShared(event.active, trace.addresses(row), bytes, row.kind);
            sum.passes += std::uint64_t(access.passes);
            sum.idealPasses += std::uint64_t(access.idealPasses);
        } else {
            const GlobalAccess access = analyseGlobal(event.active, trace.addresses(row), bytes);
            sum.sectors += access.sectors.size();
            sum.distinct += access.bytesDistinct;
        }
    }
    return sums;
}

const AccessLine* lineOf(const std::vector<AccessLine>& lines, MemorySpace space, AccessKind kind, bool worst = true) {
    const AccessLine* best = nullptr;
    for (const AccessLine& line : lines)
        if (line.space == space && line.kind == kind && (!best || (line.efficiency < best->efficiency) == worst))
            best = &line;
    return best;
}

TracePtr histogram(int factor) {
    using namespace warpglass::testing;
    warpglass::testing::Kernel k("hist", {2}, {128}, {buffer(std::vector<int>(64)), value(factor)},
                                 "header_atomics.ptx");
    k.plan.sourceName = "hist.cu";
    k.plan.source = std::string("// the PTX's lines are of a text of 12\n") + std::string(11, '\n');
    k.options.detail.kind = Detail::Kind::All;
    k.options.detail.accesses = true;
    return k.run().trace;
}

} // namespace

class TestMemoryKernels : public QObject {
    Q_OBJECT
private slots:
    // Worked out by hand for 4-byte elements and sectors of 32 bytes. Offset 1: 128 bytes over 5 sectors, 128/160.
    // Stride s: a warp's 128 bytes lie over s times as many, until each lane has a sector of its own: 4/32. Structures
    // of 12 bytes: three loads, each 4 of every 12 bytes. Columns with a block of x by y: y neighbours of 4 bytes share
    // a sector: 32 x 32 one of eight, 16 x 16 two of eight, 8 x 16 four of eight.
    void efficienciesAreThoseOfTheDocuments_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<int>("value"); // of the kernel's parameter, -1 if it has none
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<int>("blockX");
        QTest::addColumn<int>("blockY");
        QTest::addColumn<bool>("store");
        QTest::addColumn<double>("percent");
        QTest::addColumn<double>("sectors"); // a request
        const auto row = [](const char* name, const char* kernel, const char* parameter, int value, int x, int y,
                            bool store, double percent, double sectors) {
            QTest::newRow(name) << QString(kernel) << value << QString(parameter) << x << y << store << percent
                                << sectors;
        };
        row("offset 0", "offsetCopy", "offset", 0, 0, 0, false, 100, 4);
        row("offset 1", "offsetCopy", "offset", 1, 0, 0, false, 80, 5);
        row("stride 1", "strided", "stride", 1, 0, 0, false, 100, 4);
        row("stride 2", "strided", "stride", 2, 0, 0, false, 50, 8);
        row("stride 4", "strided", "stride", 4, 0, 0, false, 25, 16);
        row("stride 8", "strided", "stride", 8, 0, 0, false, 12.5, 32);
        row("stride 32", "strided", "stride", 32, 0, 0, false, 12.5, 32);
        row("12-byte structures", "aos12", "", -1, 0, 0, false, 100.0 / 3, 12);
        row("16-byte structures", "aos16", "", -1, 0, 0, false, 100, 16);
        row("structure of arrays", "soa", "", -1, 0, 0, false, 100, 4);
        row("columns, 32 x 32", "sumMatrix2D", "", -1, 32, 32, false, 12.5, 32);
        row("columns, 16 x 16", "sumMatrix2D", "", -1, 16, 16, false, 25, 16);
        row("columns, 8 x 16", "sumMatrix2D", "", -1, 8, 16, false, 50, 8);
        row("transpose, stores", "transpose_naive", "", -1, 32, 32, true, 12.5, 32);
    }
    void efficienciesAreThoseOfTheDocuments() {
        QFETCH(QString, kernel);
        QFETCH(QString, parameter);
        QFETCH(int, value);
        QFETCH(int, blockX);
        QFETCH(int, blockY);
        QFETCH(bool, store);
        QFETCH(double, percent);
        QFETCH(double, sectors);
        const QByteArray name = kernel.toUtf8();
        Run run{name.constData(), {}, {}};
        if (value >= 0)
            run.set[parameter.toStdString()] = value;
        if (blockX > 0)
            run.block = Dim3{std::uint32_t(blockX), std::uint32_t(blockY)};
        const TracePtr trace = traceOf(run);
        QVERIFY(trace);
        const auto lines = accessLines(*trace, 0, SpaceFilter::Global);
        const AccessLine* line = lineOf(lines, MemorySpace::Global, store ? AccessKind::Store : AccessKind::Load);
        QVERIFY(line);
        QVERIFY2(std::abs(line->efficiency - percent) < 0.01, qPrintable(QString::number(line->efficiency)));
        QVERIFY2(std::abs(line->perRequest - sectors) < 0.01, qPrintable(QString::number(line->perRequest)));

        // The picture of this very line says the same.
        Selection selection;
        selection.ptxLine = line->ptxLine;
        const auto shown = shownAccess(*trace, selection, SpaceFilter::All);
        QVERIFY(shown);
        QCOMPARE(shown->ptxLine, line->ptxLine);
        QVERIFY(std::abs(shown->global.efficiency() - percent) < 0.01);
        QCOMPARE(double(shown->global.sectors.size()), sectors);
        // And each of its sectors has a place of its own in it.
        const MemoryLayout layout = memoryLayout(QRectF(0, 0, 1280, 720), &*shown, 17);
        std::size_t placed = 0;
        for (const auto& row : layout.lineRows)
            for (const SectorUse& sector : shown->global.sectors)
                placed += sector.address / 128 * 128 == row.address;
        QCOMPARE(placed, shown->global.sectors.size());
        QCOMPARE(layout.lineRows.size(), std::size_t(shown->global.lines));
    }

    void picturesAddUpToTheCounts_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<int>("blockX");
        QTest::addColumn<int>("blockY");
        for (const char* name : {"strided", "offsetCopy", "offsetCopyL1", "offsetCopyReadOnly", "aos12", "aos16", "soa",
                                 "reduceNeighbored", "reduceInterleaved", "reduce0", "reduce1", "reduce2", "reduce4",
                                 "reduce_v3", "matmul_tiled", "matmul_optimized", "sumMatrixOnGPU2D", "atomicTwoLevel"})
            QTest::newRow(name) << QString(name) << 0 << 0;
        for (const char* name : {"transpose_naive", "transpose_smem", "transpose_padded"})
            for (int side : {16, 32})
                QTest::addRow("%s %d", name, side) << QString(name) << side << side;
        for (auto [x, y] : {std::pair{32, 32}, std::pair{16, 16}, std::pair{8, 16}})
            QTest::addRow("sumMatrix2D %dx%d", x, y) << QString("sumMatrix2D") << x << y;
    }
    void picturesAddUpToTheCounts() {
        QFETCH(QString, kernel);
        QFETCH(int, blockX);
        QFETCH(int, blockY);
        const QByteArray name = kernel.toUtf8();
        Run run{name.constData(), {}, {}};
        if (blockX > 0)
            run.block = Dim3{std::uint32_t(blockX), std::uint32_t(blockY)};
        const TracePtr trace = traceOf(run);
        QVERIFY(trace);
        const auto shown = shownInAll(*trace);
        QVERIFY(!shown.empty());
        int compared = 0;
        for (const InstructionCount& count : trace->countsOf(0)) {
            if (!count.isMemory || count.requests == 0 || count.space == MemorySpace::Param ||
                count.space == MemorySpace::Constant)
                continue;
            const auto at = shown.find(count.ptxLine);
            QVERIFY2(at != shown.end(), qPrintable(QString("no picture of PTX line %1").arg(count.ptxLine)));
            QCOMPARE(at->second.requests, count.requests);
            if (count.space == MemorySpace::Shared) {
                QCOMPARE(at->second.idealPasses, count.idealPasses);
                QCOMPARE(at->second.passes, count.passes);
            } else {
                QCOMPARE(at->second.sectors, count.sectors);
                QCOMPARE(at->second.distinct, count.bytesDistinct);
            }
            ++compared;
        }
        QVERIFY(compared > 0);
    }

    // What a recording without counts is told by is what the emulator counts with code of its own.
    void eventsAddUpToTheCounts() {
        for (const char* kernel : {"transpose_padded", "reduceNeighbored", "mathKernel1", "atomicTwoLevel"}) {
            const TracePtr trace = traceOf({kernel, {}, {}});
            QVERIFY(trace);
            const EventCounts events = countEvents(*trace, 0);
            QCOMPARE(events.warps, events.all);
            int compared = 0;
            for (const InstructionCount& c : trace->countsOf(0)) {
                const bool memory =
                    c.isMemory && c.requests > 0 && c.space != MemorySpace::Param && c.space != MemorySpace::Constant;
                if (!memory && !c.isConditional)
                    continue;
                const auto e = std::find_if(events.rows.begin(), events.rows.end(), [&](const InstructionCount& row) {
                    return row.ptxLine == c.ptxLine && row.isMemory == c.isMemory && row.space == c.space;
                });
                QVERIFY2(e != events.rows.end(), qPrintable(QString("%1: PTX line %2").arg(kernel).arg(c.ptxLine)));
                QCOMPARE(e->requests, c.requests);
                QCOMPARE(e->sectors, c.sectors);
                QCOMPARE(e->passes, c.passes);
                QCOMPARE(e->idealPasses, c.idealPasses);
                QCOMPARE(e->turns, c.turns);
                QCOMPARE(e->divergent, c.divergent);
                QCOMPARE(e->takenLanes, c.takenLanes);
                QCOMPARE(e->lanes, c.lanes);
                ++compared;
            }
            QVERIFY(compared > 0);
        }
    }

    // A histogram whose atomicAdd() is a header's function, called in line 7 for shared memory, by each of 2 x 4 warps, and
    // in line 10 for global memory, by 2 x 2. Lane t adds to word 32 t % 64, that is to two words of bank 0, 16 lanes each:
    // 2 passes where 1 would do, 50 %, 16 lanes a word. The sums go to 32 neighbours: 4 sectors, 100 %.
    void atomicsOfAHeaderAreToldBySpaceAndByTheLineThatCalls() {
        const TracePtr trace = histogram(32);
        const auto lines = accessLines(*trace, 0, SpaceFilter::All);
        const AccessLine* shared = lineOf(lines, MemorySpace::Shared, AccessKind::Atomic);
        const AccessLine* global = lineOf(lines, MemorySpace::Global, AccessKind::Atomic);
        QVERIFY(shared && global);
        QCOMPARE(shared->ptxLine, global->ptxLine);
        QCOMPARE(shared->sourceLine, 7u);
        QCOMPARE(shared->requests, std::uint64_t(8));
        QCOMPARE(shared->perRequest, 2.0);
        QCOMPARE(shared->efficiency, 50.0);
        QCOMPARE(shared->lanesAtOneWord, 16.0);
        QCOMPARE(global->sourceLine, 10u);
        QCOMPARE(global->requests, std::uint64_t(4));
        QCOMPARE(global->perRequest, 4.0);
        QCOMPARE(global->efficiency, 100.0);
        QCOMPARE(global->lanesAtOneWord, 1.0);
        QVERIFY(memoryTableCsv(lines).contains(",7,shared,atomic,8,0,16,8,2.0000,50.0000,counted,16.0000\n"));
        QVERIFY(memoryTableCsv(lines).contains(",10,global,atomic,4,16,0,0,4.0000,100.0000,counted,1.0000\n"));

        Selection selection; // a row of the table, as a click chooses it
        selection.ptxLine = shared->ptxLine;
        for (const auto& [line, space] : {std::pair{7u, MemorySpace::Shared}, {10u, MemorySpace::Global}}) {
            selection.sourceLine = line;
            const auto shown = shownAccess(*trace, selection, SpaceFilter::All);
            QVERIFY(shown);
            QCOMPARE(shown->row->space, space);
            QCOMPARE(shown->sourceLine, line);
            QCOMPARE(shown->lanesAtOneWord, line == 7 ? 16 : 1);
        }
        // The margin of the line that calls has its passes, too.
        const auto listings = makeListings(trace, 0);
        QCOMPARE(listings->source.lines[6].count.sharedRequests, std::uint64_t(8));
        QCOMPARE(listings->source.lines[6].count.passes, std::uint64_t(16));
        QCOMPARE(listings->source.lines[9].count.sectors, std::uint64_t(16));

        // All lanes at word 64 t % 64 = 0: one pass, 100 %, and all the same 32 lanes that wait for each other.
        const TracePtr one = histogram(64);
        const auto others = accessLines(*one, 0, SpaceFilter::Shared);
        const AccessLine* atomic = lineOf(others, MemorySpace::Shared, AccessKind::Atomic);
        QVERIFY(atomic);
        QCOMPARE(atomic->efficiency, 100.0);
        QCOMPARE(atomic->lanesAtOneWord, 32.0);
    }

    // Lane x of a warp reads word x * 32 of the tile: all of bank 0, 32 passes. With rows of 33 words lane x reads bank
    // x: one pass. Tiles of 16: 16 columns x 2 rows fall on banks 0, 1, 16 and 17, eight words in each.
    void columnsOfATileFightForBanksUntilItIsPadded() {
        const struct {
            const char* kernel;
            std::uint32_t side;
            int passes;
        } cases[] = {{"transpose_smem", 32, 32}, {"transpose_padded", 32, 1}, {"transpose_smem", 16, 8}};
        for (const auto& one : cases) {
            const TracePtr trace = traceOf({one.kernel, {}, Dim3{one.side, one.side}});
            QVERIFY(trace);
            const auto lines = accessLines(*trace, 0, SpaceFilter::Shared);
            const AccessLine* load = lineOf(lines, MemorySpace::Shared, AccessKind::Load);
            QVERIFY(load);
            QVERIFY(std::abs(load->perRequest - one.passes) < 1e-9);
            Selection selection;
            selection.ptxLine = load->ptxLine;
            const auto shown = shownAccess(*trace, selection, SpaceFilter::Shared);
            QVERIFY(shown && shown->isShared);
            QCOMPARE(shown->shared.passes, one.passes);
            QCOMPARE(shown->shared.conflicting.empty(), one.passes == 1);
            QCOMPARE(memoryLayout(QRectF(0, 0, 1280, 720), &*shown, 17).passRows.size(), std::size_t(one.passes));
        }
    }

    // Whatever the size of the type and of the area, parts lie one below the other, and inside.
    void noPartLiesOnAnother() {
        const TracePtr tile = traceOf({"transpose_smem", {}, {}}), naive = traceOf({"transpose_naive", {}, {}});
        for (const TracePtr& trace : {tile, naive}) {
            Selection selection;
            selection.launch = 0;
            selection.warp = 0;
            const auto shown = shownAccess(*trace, completed(selection, *trace),
                                           trace == tile ? SpaceFilter::Shared : SpaceFilter::Global);
            QVERIFY(shown);
            for (const QSizeF size : {QSizeF(640, 420), QSizeF(500, 300), QSizeF(760, 560), QSizeF(1600, 800)})
                for (const double line : {17.0, 22.0, 29.0, 34.0}) {
                    const MemoryLayout l = memoryLayout(QRectF(QPointF(0, 0), size), &*shown, line);
                    const std::string at = std::to_string(size.width()) + " " + std::to_string(line);
                    QVERIFY2(l.title.bottom() <= l.heading.top() + 1 && l.heading.bottom() <= l.lanes.top(),
                             at.c_str());
                    const QRectF first = shown->isShared ? l.passRows.front() : l.lineRows.front().cells;
                    const QRectF last = shown->isShared ? l.passRows.back() : l.lineRows.back().cells;
                    if (l.map.height() > 0) // else there is no room for any picture
                        QVERIFY2(l.lanes.bottom() < first.top() && last.bottom() <= l.summary.top(), at.c_str());
                    QVERIFY2(l.summary.bottom() <= l.legend.top() + 1 && l.legend.bottom() <= size.height(),
                             at.c_str());
                    QVERIFY2(l.table.isEmpty() || l.table.left() > l.summary.right() ||
                                 l.table.top() > l.legend.bottom(),
                             at.c_str());
                }
        }
    }

    // What the gallery says of a kernel is what one sees of it as it opens.
    void theGallerysSentencesHoldAtTheLaunchThatOpens() {
        const auto line = [](const TracePtr& trace, MemorySpace space, AccessKind kind) {
            const auto lines = accessLines(*trace, 0, SpaceFilter::All);
            const AccessLine* found = lineOf(lines, space, kind);
            return found ? *found : AccessLine{};
        };
        // "every lane has a bank of its own": 32 columns of rows of 33 words are on 32 banks, and so are 32 words of a row.
        const TracePtr padded = traceOf({"transpose_padded", {}, {}});
        QCOMPARE(line(padded, MemorySpace::Shared, AccessKind::Load).perRequest, 1.0);
        QCOMPARE(line(padded, MemorySpace::Shared, AccessKind::Store).perRequest, 1.0);
        // "the tile's columns fight for its banks": 32 words of one bank.
        const TracePtr tile = traceOf({"transpose_smem", {}, {}});
        QCOMPARE(line(tile, MemorySpace::Shared, AccessKind::Load).perRequest, 32.0);
        // "each store goes to another row": 32 sectors, of each 4 of 32 bytes.
        const TracePtr naive = traceOf({"transpose_naive", {}, {}});
        QCOMPARE(line(naive, MemorySpace::Global, AccessKind::Load).efficiency, 100.0);
        QCOMPARE(line(naive, MemorySpace::Global, AccessKind::Store).efficiency, 12.5);
        // "At stride 2 half of what is moved is used".
        QCOMPARE(line(traceOf({"strided", {}, {}}), MemorySpace::Global, AccessKind::Load).efficiency, 50.0);
        // "128 bytes touch a fifth sector".
        QCOMPARE(line(traceOf({"offsetCopy", {}, {}}), MemorySpace::Global, AccessKind::Load).perRequest, 5.0);
        // "each using a third of what it moves": 4 of 12 bytes; "every byte that is moved is used".
        QVERIFY(std::abs(line(traceOf({"aos12", {}, {}}), MemorySpace::Global, AccessKind::Load).efficiency -
                         100.0 / 3) < 1e-9);
        QCOMPARE(line(traceOf({"soa", {}, {}}), MemorySpace::Global, AccessKind::Load).efficiency, 100.0);
    }

    void keysGoFromAccessToAccessAndTheTableChooses() {
        SelectionModel selection;
        ViewWidget widget(makeMemoryView(), &selection);
        widget.resize(1280, 720);
        const TracePtr trace = traceOf({"transpose_smem", {}, {}});
        QVERIFY(trace);
        widget.setTrace(trace);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        widget.grab();
        const auto shown = [&] { return shownAccess(*trace, selection.get(), SpaceFilter::All); };
        QCOMPARE(shown()->ordinal, 1);
        const std::uint64_t first = shown()->event;
        QTest::keyClick(&widget, Qt::Key_Right);
        QVERIFY(shown()->event > first);
        QTest::keyClick(&widget, Qt::Key_Left);
        QCOMPARE(shown()->event, first);
        // The lines of the table, from top to bottom: each click shows an access of another line.
        std::set<std::uint32_t> lines;
        for (int y = 60; y < 700; y += 6) {
            QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(1100, y));
            if (selection.get().ptxLine != 0)
                lines.insert(shown()->ptxLine);
        }
        QCOMPARE(lines.size(), accessLines(*trace, 0, SpaceFilter::All).size());
        // A lane.
        const auto now = shown();
        const MemoryLayout layout =
            memoryLayout(QRectF(widget.rect()), &*now, lineHeight(widget.context().theme.body()));
        QTest::mouseClick(&widget, Qt::LeftButton, {}, layout.laneCell(7).center().toPoint());
        QCOMPARE(selection.get().lane, 7);
    }

    void aWarpChosenInTheTimelineIsShownHere() {
        SelectionModel selection;
        ViewWidget timeline(makeTimelineView(), &selection), memory(makeMemoryView(), &selection);
        const TracePtr trace = traceOf({"transpose_naive", {}, {}});
        QVERIFY(trace);
        for (ViewWidget* widget : {&timeline, &memory}) {
            widget->resize(1280, 720);
            widget->setTrace(trace);
            widget->show();
            QVERIFY(QTest::qWaitForWindowExposed(widget));
        }
        QTRY_VERIFY(timeline.picture());
        timeline.grab();
        const QImage before = memory.grab().toImage();
        std::set<std::uint32_t> warps;
        for (int y = 200; y < 660; y += 15) {
            QTest::mouseClick(&timeline, Qt::LeftButton, {}, QPoint(700, y));
            const std::uint32_t warp = selection.get().warp;
            if (warp == noIndex)
                continue;
            warps.insert(warp);
            QCOMPARE(memory.context().selection.warp, warp);
            QCOMPARE(shownAccess(*trace, memory.context().selection, SpaceFilter::All)->warp, warp);
        }
        QVERIFY(warps.size() > 3);
        QVERIFY(samples::differingPixels(before, memory.grab().toImage()) > 0);
    }

    void picturesAreExportedInEveryFormat() {
        QTemporaryDir folder;
        const PaintContext context = contextOf(traceOf({"transpose_smem", {}, {}}));
        QVERIFY(context.trace);
        const auto view = makeMemoryView();
        for (const char* suffix : {"png", "svg", "pdf", "csv"}) {
            const QString path = folder.filePath(QString("memory.") + suffix);
            QCOMPARE(exportView(*view, context, path, {1280, 720}), QString());
            QVERIFY(QFile(path).size() > 200);
        }
    }

    void everyTextIsSaidInChinese() {
        samples::Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const auto view = makeMemoryView();
        for (const char* kernel : {"strided", "transpose_smem", "transpose_padded", "atomicGlobal"}) {
            PaintContext context = contextOf(traceOf({kernel, {}, {}}));
            QVERIFY(context.trace);
            samples::keep(samples::pictureOf(*view, context, {1280, 720}), QString("memory-zh-%1").arg(kernel));
            for (const AccessLine& line : accessLines(*context.trace, 0, SpaceFilter::All)) {
                context.selection.ptxLine = line.ptxLine;
                samples::pictureOf(*view, context, {1280, 720});
            }
            const PicturePtr picture = view->compose(context, QRectF(0, 0, 1280, 720));
            for (int y = 0; y < 720; y += 12)
                for (int x = 0; x < 1280; x += 24)
                    picture->spotAt(QPointF(x, y));
            view->switches(context);
        }
        PaintContext empty = contextOf(nullptr);
        view->emptiness(empty);
        view->title();
        view->question();
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(chinese.missing().isEmpty(), qPrintable(QStringList(chinese.missing().values()).join("\n")));
    }
};

WARPGLASS_QT_TEST(TestMemoryKernels)
#include "test_memory_kernels.moc"
