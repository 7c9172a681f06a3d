// SPDX-License-Identifier: GPL-3.0-or-later
// One thread followed through every view.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "views/common/beside.h"
#include "views/common/follow.h"
#include "views/lanes/lanes_view.h"
#include "views/launchmap/launchmap_view.h"
#include "views/launchtree/launchtree_view.h"
#include "views/memory/memory_view.h"
#include "views/reduction/reduction_view.h"
#include "views/scheduler/scheduler_view.h"
#include "views/source/source_view.h"
#include "views/timeline/timeline_view.h"

#include <QTest>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

// Two blocks of 64 with cycles, events and addresses: there is something in every view.
TracePtr reduction() {
    const CatalogueEntry* entry = findKernel("reduceNeighbored");
    LaunchRequest request;
    request.block = Dim3{64};
    request.size = 128;
    request.mode = CompileMode::AsWritten;
    auto plan = makePlan(*entry, request);
    if (!plan.ok())
        return nullptr;
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    options.detail.accesses = true;
    options.timing = true;
    Progress progress;
    auto recording = makeEmulator()->run(*plan, options, progress);
    return recording.ok() ? recording->trace : nullptr;
}

// When a warp's lane last comes to a barrier.
Time whenOn(const Trace& trace, std::uint32_t warp, int lane) {
    Time last{};
    for (std::uint32_t n = 0; n < trace.warps[warp].eventCount; ++n)
        if (const Event event = trace.event(trace.warps[warp], n);
            event.kind == EventKind::BarrierArrive && event.active.has(lane))
            last = event.time;
    return last;
}

} // namespace

class TestFollowKernels : public QObject {
    Q_OBJECT
private slots:
    void followingIsTurnedOnAndOff() {
        const TracePtr trace = mathKernel(false);
        Selection s;
        s.warp = 1;
        s.lane = 5;
        s = followingToggled(s, *trace);
        QVERIFY((s.followed == FollowedThread{1, 5}));
        // Lane 5 of warp 1 is thread 37 of the block of 64.
        QVERIFY2(followedName(s.followed, *trace).contains("37"), qPrintable(followedName(s.followed, *trace)));
        QVERIFY(followingToggled(s, *trace).followed == FollowedThread{});
        s.warp = noIndex; // nothing else chosen: views show the warp of the thread
        QCOMPARE(warpToShow(s, *trace), 1u);
        s.warp = 0;
        s.lane = 2;
        QVERIFY((followingToggled(s, *trace).followed == FollowedThread{0, 2})); // another one, not none
    }

    // The same numbers of block and warp in the trace that is compared.
    void theOtherTraceFollowsTheSameThread() {
        PaintContext c;
        c.trace = mathKernel(false);
        c.other = mathKernel(true);
        c.selection.followed = {1, 7};
        QVERIFY((contextOfOther(c).selection.followed == FollowedThread{1, 7}));
    }

    void everyViewMarksIt_data() {
        QTest::addColumn<QString>("key");
        for (const char* key :
             {"lanes", "launchmap", "timeline", "scheduler", "memory", "reduction", "source", "launchtree"})
            QTest::newRow(key) << QString(key);
    }
    void everyViewMarksIt() {
        QFETCH(QString, key);
        const std::map<QString, std::unique_ptr<View> (*)()> makers{
            {"lanes", makeLanesView},         {"launchmap", makeLaunchMapView},  {"timeline", makeTimelineView},
            {"scheduler", makeSchedulerView}, {"memory", makeMemoryView},        {"reduction", makeReductionView},
            {"source", makeSourceView},       {"launchtree", makeLaunchTreeView}};
        const auto view = makers.at(key)();
        static const TracePtr trace = reduction();
        QVERIFY(trace);
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            PaintContext c;
            c.trace = trace;
            c.theme = Theme::make(kind);
            const Block& block = trace->blocks[1];
            c.selection.launch = block.launch;
            c.selection.block = 1;
            c.selection.warp = block.firstWarp;
            c.selection.time = whenOn(*trace, block.firstWarp, 3); // a lane that is off is marked paler
            const QColor mark = followColour(c.theme);
            QCOMPARE(pixelsLike(pictureOf(*view, c, {1200, 760}), mark, {}, 4), 0);
            c.selection.followed = {block.firstWarp, 3};
            const QImage image = pictureOf(*view, c, {1200, 760});
            keep(image, QStringLiteral("follow-%1-%2").arg(key).arg(int(kind)));
            const int marked = pixelsLike(image, mark, {}, 4);
            QVERIFY2(marked >= 20, qPrintable(QString::number(marked)));
            // A picture that only a mark was added to: most of it is as before, whatever else is selected meanwhile.
            c.selection.lane = 9;
            QVERIFY(pixelsLike(pictureOf(*view, c, {1200, 760}), mark, {}, 4) >= 20);
        }
    }
};

WARPGLASS_QT_TEST(TestFollowKernels)
#include "test_follow_kernels.moc"
