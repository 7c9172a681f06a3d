// SPDX-License-Identifier: GPL-3.0-or-later
// Views as narrow as a window of 1024 or 1280 pixels with both sides open leaves them: numbers are whole, axes are read.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/text_places.h"
#include "views/common/ticks.h"
#include "views/lanes/lanes_view.h"
#include "views/launchmap/launchmap_view.h"
#include "views/launchtree/launchtree_view.h"
#include "views/memory/memory_table.h"
#include "views/memory/memory_view.h"
#include "views/occupancy/occupancy_view.h"
#include "views/reduction/reduction_view.h"
#include "views/scheduler/scheduler_view.h"
#include "views/timeline/timeline_view.h"

#include <QtTest>

#include <algorithm>

using namespace warpglass;

namespace {

// 4 blocks of 256 threads, with cycles: 2 warps a scheduler.
TracePtr fourBlocks(const char* kernel) {
    LaunchRequest request;
    request.size = 1024;
    request.block = Dim3{256};
    const auto plan = makePlan(*findKernel(kernel), request);
    if (!plan)
        qFatal("%s", plan.error().text().c_str());
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    options.detail.accesses = true;
    options.timing = true;
    Progress nobody;
    const auto recording = makeEmulator()->run(*plan, options, nobody);
    if (!recording)
        qFatal("%s", recording.error().text().c_str());
    return recording->trace;
}

QVector<samples::TextPlace> placesOf(const View& view, const TracePtr& trace, QSize size, const Options& options = {},
                                     double fontScale = 1) {
    PaintContext context;
    context.trace = trace;
    context.theme = Theme::make(ThemeKind::Light, fontScale);
    context.options = options;
    context.selection.block = trace->launches[0].firstBlock;
    context.selection.time = trace->range().begin + Time{trace->range().length().value / 2};
    samples::TextPlaces device(size);
    QPainter painter(&device);
    view.compose(context, QRectF(QPointF(), size))->paint(painter);
    painter.end();
    return device.places();
}

QStringList wordsOf(const View& view, const TracePtr& trace, QSize size, const Options& options = {}) {
    QStringList words;
    for (const samples::TextPlace& place : placesOf(view, trace, size, options))
        words << place.text;
    return words;
}

constexpr QSize narrow(392, 508), wider(648, 530); // px of a view in a window of 1024x700, 1280x720

} // namespace

class TestNarrowKernels : public QObject {
    Q_OBJECT

    TracePtr m_trace;

private slots:
    void initTestCase() { m_trace = fourBlocks("reduceNeighbored"); }

    // Where the labels with cycles have no room for two, there are ticks without them.
    void aTimelineHasAScale() {
        static const QRegularExpression tick(QStringLiteral("^[0-9.,]+ (ns|µs)( = .*)?$"));
        for (const QSize size : {narrow, wider}) {
            const QStringList words = wordsOf(*makeTimelineView(), m_trace, size);
            QVERIFY2(words.filter(tick).size() >= 2, qPrintable(words.join(QLatin1Char('|'))));
        }
    }

    // Two runs below each other in a window of 1280x720 leave each 200 px: warps are seen in them, and what is told of
    // them is whole.
    void aLowTimelineShowsWarps() {
        for (const int height : {200, 260, 320}) {
            const QStringList words = wordsOf(*makeTimelineView(), m_trace, {650, height});
            QVERIFY2(words.filter(QRegularExpression(QStringLiteral("slot [0-9]+$"))).size() >= 2,
                     qPrintable(words.join(QLatin1Char('|'))));
            for (const QString& word : words)
                QVERIFY2(!word.endsWith(QChar(0x2026)), qPrintable(word));
        }
        // That there is no time is said beside the title; in less room the ruler counts steps.
        auto steps = std::make_shared<Trace>(*m_trace);
        steps->info.timeUnit = TimeUnit::Steps;
        for (const int width : {520, 650, 900, 1300})
            QVERIFY(
                !wordsOf(*makeTimelineView(), steps, {width, 400}).filter(QStringLiteral("time in steps")).isEmpty());
        // The strip of the whole run names its one launch, as much of it as there is room for.
        const Launch& launch = m_trace->launches.front();
        const QString kernel = QString::fromStdString(m_trace->kernelOf(launch).name);
        QVERIFY(!wordsOf(*makeTimelineView(), m_trace, {650, 200}).contains(kernel));
        const QStringList high = wordsOf(*makeTimelineView(), m_trace, {650, 400});
        QVERIFY2(high.contains(kernel), qPrintable(high.join(QLatin1Char('|'))));
    }

    void whatFillsAnSmIsNeverCutOff() {
        for (const QSize size : {narrow, wider}) {
            const QStringList words = wordsOf(*makeOccupancyView(), m_trace, size);
            for (const QString& word : words)
                QVERIFY2(!word.endsWith(QChar(0x2026)), qPrintable(word));
            // A heading without what stands under it says nothing.
            QCOMPARE(words.contains(QStringLiteral("As a plain division computes")),
                     words.contains(QStringLiteral("64 of 64 warps = 100.0 %")));
        }
        // 65,536 registers in the width of a fifth of the picture are 64 K.
        const QStringList words = wordsOf(*makeOccupancyView(), m_trace, narrow);
        QVERIFY2(std::any_of(words.begin(), words.end(),
                             [](const QString& word) { return word.endsWith(QStringLiteral(" / 64 K")); }),
                 qPrintable(words.join(QLatin1Char('|'))));
    }

    // A window of 1024 px with both sides open: of a step's words those stay that have room, and no number is cut.
    void stepsOfAReductionKeepTheirNumbers() {
        QVector<samples::TextPlace> places = placesOf(*makeReductionView(), m_trace, narrow);
        QStringList words;
        for (const samples::TextPlace& place : places) {
            words << place.text;
            QVERIFY2(!place.text.contains(QChar(0x2026)), qPrintable(place.text));
        }
        QVERIFY2(!words.filter(QStringLiteral("8 divergent")).isEmpty(), qPrintable(words.join(QLatin1Char('|'))));
    }

    // Half of a view in a window of 1280 px: no word is cut, by dots or by the rim, and none lies over another.
    void halvesKeepTheirWords() {
        const QSize half(319, 422);
        for (const auto& view : {makeOccupancyView(), makeMemoryView()})
            for (const char* kernel : {"reduceNeighbored", "reduceInterleaved", "transpose_naive"}) {
                const TracePtr trace = fourBlocks(kernel);
                const QVector<samples::TextPlace> places = placesOf(*view, trace, half);
                QVERIFY(places.size() > 10);
                const QStringList wrong = samples::misplaced(places, half);
                QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
                for (const samples::TextPlace& place : places)
                    QVERIFY2(!place.text.contains(QChar(0x2026)), qPrintable(place.text));
            }
    }

    // A row and a half: "and 4 more" stands in the first of them, and nothing below the table.
    void theTableOfAccessesEndsWhereItsRoomEnds() {
        const Theme theme = Theme::make(ThemeKind::Light);
        const std::vector<AccessLine> lines(4);
        const auto wordsIn = [&](qreal height, const std::vector<AccessLine>& of) {
            const QRectF where(0, 0, 400, height);
            samples::TextPlaces device({400, 600});
            QPainter painter(&device);
            paintMemoryTable(painter, where, of, ShownAccess{}, theme);
            painter.end();
            QStringList words;
            for (const samples::TextPlace& place : device.places()) {
                words << place.text;
                if (place.whole.bottom() > height)
                    words << QStringLiteral("below: ") + place.text;
            }
            return words.join(QLatin1Char('|'));
        };
        for (qreal height = 60; height < 300; height += 7) {
            const QString words = wordsIn(height, lines);
            QVERIFY2(!words.contains(QLatin1String("below")), qPrintable(QString::number(height) + words));
        }
        QVERIFY(!wordsIn(300, lines).contains(QLatin1String("more")));
        QVERIFY(wordsIn(110, lines).contains(QLatin1String("and ")));
        // A GPU's recording has no such counts: the table says so.
        QVERIFY(wordsIn(300, {}).contains(QLatin1String("no counts")));
    }

    // 4 of the 8 x 132 = 1,056 places are 0.38 %, and 4 blocks on 132 SMs 0.03 each: none of them is 0.
    void aSmallLaunchIsNotNothing() {
        const QStringList words = wordsOf(*makeLaunchMapView(), m_trace, wider);
        QVERIFY2(words.contains(QStringLiteral("less than a wave: 4 of 1,056 places (0.4 %)")),
                 qPrintable(words.join(QLatin1Char('|'))));
        const QStringList wide = wordsOf(*makeLaunchMapView(), m_trace, {1500, 800});
        QVERIFY2(wide.contains(QStringLiteral("0 to 1, mean 0.03")), qPrintable(wide.join(QLatin1Char('|'))));
        QCOMPARE(shareText(0), QStringLiteral("0 %"));
        QCOMPARE(shareText(0.01), QStringLiteral("less than 0.1 %"));
        QCOMPARE(shareText(0.19), QStringLiteral("0.2 %"));
        QCOMPARE(shareText(66.4), QStringLiteral("66 %"));
    }

    // 16, 8, 4, 2, 1 lanes of warp 0 add in turn: "16/32" and "8/32", or 16 and 8, but not "16" beside "8/32".
    void sharesOfLanesAreSaidAlike() {
        int whole = 0;
        for (int width = 520; width <= 1400; width += 20) {
            const QStringList words = wordsOf(*makeLanesView(), m_trace, {width, 640});
            whole += words.contains(QStringLiteral("8/32"));
            QVERIFY2(words.contains(QStringLiteral("16/32")) || !words.contains(QStringLiteral("8/32")),
                     qPrintable(QString::number(width) + words.join(QLatin1Char('|'))));
        }
        QVERIFY(whole > 0);
    }

    // Half of a window of 1280 px with both sides open: numbers are whole, and words stay in their boxes.
    void lanesBesideLanesKeepTheirNumbers() {
        PaintContext context;
        context.trace = m_trace;
        context.other = fourBlocks("reduceInterleaved");
        context.theme = Theme::make(ThemeKind::Light);
        context.selection.block = context.selection.warp = 0;
        constexpr QSize size(650, 444);
        const TimeRange range = m_trace->range();
        for (int part = 1; part < 10; ++part) {
            context.selection.time = range.begin + Time{range.length().value * part / 10};
            samples::TextPlaces device(size);
            QPainter painter(&device);
            makeLanesView()->compose(context, QRectF(QPointF(), size))->paint(painter);
            painter.end();
            const QStringList wrong = samples::misplaced(device.places(), size);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
            qreal bars = 0; // where the numbers under the lanes' rows begin
            for (const samples::TextPlace& place : device.places())
                if (place.text.startsWith(QLatin1String("branch efficiency")))
                    bars = place.where.top();
            QVERIFY(bars > 0);
            QVERIFY(
                std::any_of(device.places().begin(), device.places().end(), // where it comes from is said
                            [](const samples::TextPlace& place) { return place.text == QLatin1String("counted"); }));
            for (const samples::TextPlace& place : device.places()) {
                QVERIFY2(!place.text.contains(QChar(0x2026)) || !place.text.front().isDigit(), qPrintable(place.text));
                if (place.text.contains(QLatin1String("same way")) || place.text.contains(QLatin1String("waits for")))
                    QVERIFY2(place.where.bottom() < bars - 60, qPrintable(place.text)); // bars of 36 px, and their text
            }
        }
    }

    // "step 1" to "step 9", or 1 to 9, and none of them runs into the next.
    void stepsAreNamedAlike() {
        for (int width = 700; width <= 1400; width += 50) {
            const QVector<samples::TextPlace> places = placesOf(*makeLanesView(), m_trace, {width, 640});
            qreal last = -1;
            int named = 0;
            for (const samples::TextPlace& place : places)
                if (place.text.startsWith(QLatin1String("step ")) && place.text.size() <= 6) {
                    QVERIFY2(last < 0 || place.where.left() < last || place.where.left() >= last + 2,
                             qPrintable(QString::number(width) + place.text));
                    last = place.where.right();
                    ++named;
                }
            QVERIFY(named == 0 || named >= 8); // of 8 steps in a block of 256
        }
    }

    void theKernelIsNamedBeforeTheDevice() {
        for (const QSize size : {QSize(500, 600), QSize(540, 600), wider}) {
            const QStringList words = wordsOf(*makeLaunchMapView(), m_trace, size);
            QVERIFY2(words.contains(QStringLiteral("Where the blocks went · reduceNeighbored")),
                     qPrintable(words.join(QLatin1Char('|'))));
        }
    }

    void untilWhenABlockIsThereIsWhole() {
        const QStringList words = wordsOf(*makeLaunchMapView(), m_trace, narrow);
        static const QRegularExpression when(QStringLiteral("^SM 0 (at|until|for) [0-9.,]+ (ns|µs)$"));
        QVERIFY2(!words.filter(when).isEmpty(), qPrintable(words.join(QLatin1Char('|'))));
        QVERIFY2(words.filter(QStringLiteral("mean")).isEmpty() && !words.contains(QStringLiteral("…")),
                 qPrintable(words.join(QLatin1Char('|'))));
    }

    // Where two digits are wider than a lane, every second or fourth number stands there whole, and no dots.
    void lanesAreNumberedThroughout() {
        const TracePtr all = fourBlocks("vectorAdd"); // all lanes load
        for (const QSize size : {narrow, QSize(520, 640), wider}) {
            const QStringList map = wordsOf(*makeLaunchMapView(), m_trace, size, {{"show", "all"}});
            QVERIFY2(!map.contains(QStringLiteral("…")), qPrintable(map.join(QLatin1Char('|'))));
            for (const char* lane : {"0", "8", "16", "24"})
                QVERIFY2(map.count(QLatin1String(lane)) >= 3, lane); // lane, threadIdx.x, linear
            const QStringList memory = wordsOf(*makeMemoryView(), all, size);
            for (const char* lane : {"0", "16", "28"})
                QVERIFY2(memory.contains(QLatin1String(lane)), lane);
        }
    }

    // A lesson's text of large type leaves Little's law a strip of the window: nothing lies over anything else.
    void littlesLawKeepsItsLinesApart() {
        for (const double scale : {1.0, 1.6})
            for (const QSize size : {QSize(1270, 340), QSize(1014, 300), QSize(1014, 420), QSize(1014, 560)}) {
                const QVector<samples::TextPlace> places =
                    placesOf(*makeSchedulerView(), m_trace, size, {{"show", QStringLiteral("little")}}, scale);
                const QStringList wrong = samples::misplaced(places, size);
                QVERIFY2(wrong.isEmpty(),
                         qPrintable(QStringLiteral("%1 %2x%3\n").arg(scale).arg(size.width()).arg(size.height()) +
                                    wrong.join(QLatin1Char('\n'))));
                QVERIFY(std::any_of(places.begin(), places.end(), [](const samples::TextPlace& p) {
                    return p.text.contains(QStringLiteral("20 warps"));
                }));
            }
        // In a window of 1280 px with both sides open: no sum is cut before what it comes to.
        QStringList words;
        for (const samples::TextPlace& place :
             placesOf(*makeSchedulerView(), m_trace, {650, 482}, {{"show", QStringLiteral("little")}})) {
            words << place.text;
            QVERIFY2(!place.text.contains(QChar(0x2026)), qPrintable(place.text));
        }
        QVERIFY(words.contains(QStringLiteral("÷ 4 B a thread = 3,800 threads = 119 warps")));
    }

    // In a narrow view who waits for what is told whole, below what is issued.
    void aCycleIsToldWhole() {
        const TracePtr one = fourBlocks("mathKernel1");
        for (const int height : {508, 640, 700}) {
            const QVector<samples::TextPlace> places = placesOf(*makeSchedulerView(), one, {392, height});
            const QStringList wrong = samples::misplaced(places, QSizeF(392, height));
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
        }
        QStringList words;
        for (const samples::TextPlace& place : placesOf(*makeSchedulerView(), one, {392, 700}))
            words << place.text;
        QVERIFY2(!words.filter(QRegularExpression("^cycle [0-9,]+: [^…]*$")).isEmpty(),
                 qPrintable(words.join(QLatin1Char('|'))));
    }

    // Warps 0 and 4 are of one scheduler: two rows that must not read the same.
    void rowsOfASchedulerNameTheirWarps() {
        const QStringList words = wordsOf(*makeSchedulerView(), m_trace, narrow);
        for (const char* warp : {"warp 0", "warp 4"})
            QVERIFY2(std::any_of(words.begin(), words.end(),
                                 [&](const QString& word) { return word.endsWith(QLatin1String(warp)); }),
                     qPrintable(words.join(QLatin1Char('|'))));
    }

    void oneIsNotAPlural() {
        const QStringList tree = wordsOf(*makeLaunchTreeView(), m_trace, wider);
        QVERIFY2(!tree.filter(QStringLiteral("1 grid ran, ")).isEmpty(), qPrintable(tree.join(QLatin1Char('|'))));
        const QString memory = wordsOf(*makeMemoryView(), m_trace, wider).join(QLatin1Char(' '));
        QVERIFY2(!memory.contains(QStringLiteral("(s)")) && !memory.contains(QStringLiteral("(es)")),
                 qPrintable(memory));
    }

    // At 1,980 MHz a cycle is 0.505 ns long, and a recorded time is a cycle's, rounded: ns 2,485 holds cycles 4,920
    // (2,484.85) and 4,921 (2,485.35), and 2,487 4,924 (2,486.87) and 4,925. The scheduler's picture goes to the first.
    void theTransportCountsTheSchedulersCycles() {
        TraceInfo info;
        info.smClockMHz = 1980;
        QCOMPARE(firstCycle(info, 2485), std::int64_t(4920));
        QCOMPARE(firstCycle(info, 2487), std::int64_t(4924));
        QCOMPARE(firstCycle(info, 0), std::int64_t(0));
        const Time start = m_trace->range().begin, end = m_trace->range().end;
        for (const Warp& warp : m_trace->warps) { // of each event: the cursor's number is the transport's
            if (warp.eventCount == 0)
                continue;
            PaintContext context;
            context.trace = m_trace;
            context.theme = Theme::make(ThemeKind::Light);
            context.selection.block = warp.block;
            context.selection.warp = std::uint32_t(&warp - m_trace->warps.data());
            context.selection.time = m_trace->events.time(warp.firstEvent + warp.eventCount / 2, warp.start);
            QVERIFY(context.selection.time >= start && context.selection.time < end);
            samples::TextPlaces device({900, 600});
            QPainter painter(&device);
            makeSchedulerView()->compose(context, QRectF(0, 0, 900, 600))->paint(painter);
            painter.end();
            const QString cycle = numberText(firstCycle(m_trace->info, (context.selection.time - start).value));
            QVERIFY2(std::any_of(device.places().begin(), device.places().end(),
                                 [&](const samples::TextPlace& place) { return place.text == cycle; }),
                     qPrintable(cycle));
        }
    }
};

WARPGLASS_QT_TEST(TestNarrowKernels)
#include "test_narrow_kernels.moc"
