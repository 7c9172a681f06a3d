// SPDX-License-Identifier: GPL-3.0-or-later
// Copies and mbarriers beside the warps: one pipeline whose times are worked out by hand.
//
//   warp 0 asks for three copies:  A 100..300, B 150..400, C 320..500; B begins before A has ended, C after it
//   mbarrier at byte 64:           phase 0 from its init at 10 to 300, when A has come; phase 1 from there to 500, with C
//   warp 1 waits:                  for phase 0 from 120 to 301, for phase 1 from 310 to 501
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/pictures.h"
#include "views/timeline/timeline_async.h"
#include "views/timeline/timeline_layout.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_state.h"
#include "views/timeline/timeline_view.h"

#include <QTest>

using namespace warpglass;

namespace {

std::shared_ptr<Trace> pipeline() {
    auto trace = std::make_shared<Trace>();
    trace->kernels.push_back({.name = "pipeline"});
    trace->sites.push_back({.kind = SiteKind::Instruction, .ptxLine = 1, .text = "cp.async.bulk ..."});
    for (std::uint16_t w = 0; w < 2; ++w) {
        Warp warp{.warpInBlock = w, .slot = w, .liveLanes = LaneMask::all()};
        warp.end = {600};
        warp.firstEvent = trace->events.size();
        trace->events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
        trace->events.push(600, 0, EventKind::Exit, LaneMask::all(), LaneMask::all());
        warp.eventCount = 2;
        trace->warps.push_back(warp);
    }
    trace->blocks.push_back({.end = {600}, .warpCount = 2});
    trace->launches.push_back({.grid = {1}, .block = {64}, .end = {600}, .blockCount = 1});
    const auto copy = [&](std::int64_t from, std::int64_t to) {
        trace->copies.push_back({.warp = 0,
                                 .site = 0,
                                 .kind = AsyncCopyKind::Bulk,
                                 .lanes = {1},
                                 .issued = {from},
                                 .complete = {to},
                                 .bytes = 256,
                                 .barrier = 64});
    };
    copy(100, 300);
    copy(150, 400);
    copy(320, 500);
    using K = PhaseEventKind;
    const auto event = [&](std::int64_t time, K kind, std::uint32_t warp, std::uint32_t phase, std::uint32_t count,
                           std::uint32_t missing) {
        trace->phaseEvents.push_back({.warp = warp,
                                      .time = {time},
                                      .kind = kind,
                                      .barrier = 64,
                                      .phase = phase,
                                      .count = count,
                                      .missing = missing,
                                      .lanes = {1}});
    };
    event(10, K::Init, 0, 0, 1, 1);
    event(100, K::Expect, 0, 0, 256, 1);
    event(100, K::Arrive, 0, 0, 1, 0);
    event(120, K::Wait, 1, 0, 0, 0);
    event(300, K::Copied, noIndex, 0, 256, 0);
    event(300, K::Complete, noIndex, 0, 0, 0);
    event(301, K::Pass, 1, 0, 0, 0);
    event(310, K::Wait, 1, 1, 0, 1);
    event(320, K::Expect, 0, 1, 256, 1);
    event(320, K::Arrive, 0, 1, 1, 0);
    event(500, K::Copied, noIndex, 1, 256, 0);
    event(500, K::Complete, noIndex, 1, 0, 0);
    event(501, K::Pass, 1, 1, 0, 0);
    return trace;
}

PaintContext contextIn(TracePtr trace, ThemeKind kind = ThemeKind::Light, const char* rows = "program") {
    PaintContext context;
    context.trace = std::move(trace);
    context.theme = Theme::make(kind);
    context.options["rows"] = rows;
    return context;
}

std::shared_ptr<const TimelineModel> modelOf(TracePtr trace, TimelineGrouping grouping) {
    Progress progress;
    return buildTimelineModel(std::move(trace), 0, grouping, progress);
}

} // namespace

class TestTimelineAsync : public QObject {
    Q_OBJECT
private slots:
    void copiesUnderWayAtOnceLieBelowOneAnother() {
        const auto trace = pipeline();
        QVERIFY(validate(*trace));
        std::uint32_t depth = 0;
        const auto bars = placeCopies(*trace, {2, 1, 0}, depth);
        QCOMPARE(depth, 2u);
        QCOMPARE(bars.size(), std::size_t(3));
        const std::uint32_t expected[3][2] = {{0, 0}, {1, 1}, {2, 0}}; // C takes A's place, which is free from 300 on
        for (std::size_t k = 0; k < 3; ++k) {
            QCOMPARE(bars[k].copy, expected[k][0]);
            QCOMPARE(bars[k].depth, expected[k][1]);
        }
    }

    // Two copies into shared memory and a product, which is no copy: one entry each, in colours of their own.
    void theLegendTellsProductsFromCopies() {
        const auto trace = pipeline();
        const auto entries = [&] {
            QStringList names;
            QSet<QRgb> colours;
            for (const TimelineLegendEntry& e : timelineLegend(*modelOf(trace, TimelineGrouping::Program), {}))
                if (e.label.contains("memory")) {
                    names.append(e.label);
                    colours.insert(e.colour.rgb());
                }
            return std::pair(names, colours.size());
        };
        QCOMPARE(entries().first, QStringList({"copy into shared memory"}));
        trace->copies[2].kind = AsyncCopyKind::Product;
        QCOMPARE(entries().first, QStringList({"copy into shared memory", "product on its way into tensor memory"}));
        QCOMPARE(entries().second, 2);
        trace->copies[0].kind = trace->copies[1].kind = AsyncCopyKind::Product;
        QCOMPARE(entries().first, QStringList({"product on its way into tensor memory"}));
    }

    void rowsAreBlocksWhereThereAreBarriersUnlessSomebodyChose() {
        const auto trace = pipeline();
        QCOMPARE(timelineGrouping(trace.get()).of({}), TimelineGrouping::Program);
        QCOMPARE(timelineGrouping(trace.get()).dropDown().standard, QString("program"));
        QCOMPARE(timelineGrouping(trace.get()).of({{"rows", "hardware"}}), TimelineGrouping::Hardware);
        trace->phaseEvents.clear();
        QCOMPARE(timelineGrouping(trace.get()).of({}), TimelineGrouping::Hardware);
        QCOMPARE(timelineGrouping(nullptr).dropDown().standard, QString("hardware"));
    }

    void phasesGoFromTheEndOfTheOneBeforeToTheirOwn() {
        const auto trace = pipeline();
        const auto model = modelOf(trace, TimelineGrouping::Program);
        QCOMPARE(model->groups.size(), std::size_t(1));
        QCOMPARE(model->groups[0].barriers.size(), std::size_t(1));
        const TimelineBarrier& barrier = model->groups[0].barriers[0];
        QCOMPARE(barrier.barrier, 64u);
        const auto phases = phasesOf(*trace, barrier);
        QCOMPARE(phases.size(), std::size_t(2));
        QCOMPARE(phases[0].begin.value, 10);
        QCOMPARE(phases[0].end.value, 300);
        QCOMPARE(phases[1].begin.value, 300); // nobody has come to it until 320
        QCOMPARE(phases[1].end.value, 500);
        QVERIFY(phases[0].over && phases[1].over);
        const auto waits = waitsOf(*trace, barrier);
        QCOMPARE(waits.size(), std::size_t(2));
        QCOMPARE(waits[0].begin.value, 120);
        QCOMPARE(waits[0].end.value, 301);
        QCOMPARE(waits[1].warp, 1u);
        QCOMPARE(waits[1].begin.value, 310);
        QCOMPARE(waits[1].end.value, 501);
    }

    void aPhaseThatIsNeverOverIsWaitedForToTheEnd() {
        const auto trace = pipeline();
        trace->phaseEvents.erase(trace->phaseEvents.begin() + 10, trace->phaseEvents.end()); // from C's bytes on
        const auto model = modelOf(trace, TimelineGrouping::Program);
        const TimelineBarrier& barrier = model->groups[0].barriers[0];
        QVERIFY(!phasesOf(*trace, barrier)[1].over);
        QCOMPARE(waitsOf(*trace, barrier)[1].end.value, 600); // warp 1 ends then
    }

    void linesOfCopiesAndBarriersLieBetweenTheRows() {
        const auto model = modelOf(pipeline(), TimelineGrouping::Program);
        const TimelineLayout layout = timelineLayout(QRectF(0, 0, 1000, 700), *model, 15, 20, 0, model->range, {});
        QCOMPARE(layout.lines.size(), std::size_t(3)); // head and two warps
        QCOMPARE(layout.extras.size(), std::size_t(2));
        const double row = layout.lines[1].y;
        QCOMPARE(layout.extras[0].y, row + 20);
        QCOMPARE(layout.extras[0].height, 2 * 20 * 0.6);
        QCOMPARE(layout.lines[2].y, row + 20 + 24);
        QCOMPARE(layout.extras[1].y, row + 20 + 24 + 20);
        QCOMPARE(layout.contentHeight, 24.0 + 20 + 24 + 20 + 20); // the head is 1.6 lines of text high
    }

    void bySmThereAreCopiesAndNoBarriers() {
        const auto model = modelOf(pipeline(), TimelineGrouping::Hardware);
        QVERIFY(model->groups[0].barriers.empty());
        QCOMPARE(model->rows[0].copies.bars.size(), std::size_t(3));
    }

    void theyAreSeenAndTold() {
        const auto view = makeAskingTimelineView([](const QString&, const QString&) { return std::nullopt; });
        const auto trace = pipeline();
        auto bare = std::make_shared<Trace>(*trace);
        bare->copies.clear();
        bare->phaseEvents.clear();
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            const PaintContext context = contextIn(trace, kind);
            const QImage with = samples::pictureOf(*view, context, {1280, 720});
            samples::keep(with, kind == ThemeKind::Light ? "timeline-async-light" : "timeline-async-dark");
            const QImage without = samples::pictureOf(*view, contextIn(bare, kind), {1280, 720});
            QVERIFY(samples::pixelsLike(with, context.theme.category(0)) >
                    samples::pixelsLike(without, context.theme.category(0)) + 2000);
        }
        // Tool tips of both lines, somewhere down the middle of the picture.
        const PicturePtr picture = view->compose(contextIn(trace), QRectF(0, 0, 1280, 720));
        QStringList told;
        for (int y = 0; y < 720; y += 3)
            told << picture->spotAt(QPointF(1280 * 0.38, y)).toolTip;
        QVERIFY2(told.filter("256 bytes from global memory to shared memory").size() > 0, qPrintable(told.join("|")));
        QVERIFY2(told.filter("warp 1 waits for").size() > 0, qPrintable(told.join("|")));
    }

    void theyAreSaidInChinese() {
        samples::Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const auto view = makeAskingTimelineView([](const QString&, const QString&) { return std::nullopt; });
        const auto trace = pipeline();
        trace->copies[1].to = MemorySpace::Global;
        const AsyncCopyKind kinds[] = {AsyncCopyKind::Lanes,  AsyncCopyKind::Bulk,  AsyncCopyKind::Tensor,
                                       AsyncCopyKind::Reduce, AsyncCopyKind::Store, AsyncCopyKind::Product};
        for (const AsyncCopyKind kind : kinds) {
            trace->copies[0].kind = kind;
            copyText(*trace, trace->copies[0]);
        }
        const QImage image = samples::pictureOf(*view, contextIn(trace), {1280, 720});
        samples::keep(image, "timeline-async-chinese");
        const PicturePtr picture = view->compose(contextIn(trace), QRectF(0, 0, 1280, 720));
        for (int y = 0; y < 720; y += 3)
            for (int x = 200; x < 1280; x += 40)
                picture->spotAt(QPointF(x, y));
        trace->phaseEvents.resize(10);
        const auto model = modelOf(trace, TimelineGrouping::Program);
        phaseText(*trace, model->groups[0].barriers[0], {590});
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(chinese.missing().isEmpty(), qPrintable(QStringList(chinese.missing().values()).join("\n")));
    }
};

WARPGLASS_QT_TEST(TestTimelineAsync)
#include "test_timeline_async.moc"
