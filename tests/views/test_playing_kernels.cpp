// SPDX-License-Identifier: GPL-3.0-or-later
// What a run shows on its way from one moment to the next: which lanes have decided, where a number stands, which
// launches there are. Every expectation is worked out in its comment.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/contexts.h"
#include "tests/views/launchmap_traces.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "tests/views/scheduler_traces.h"
#include "tests/views/text_places.h"
#include "views/common/playing.h"
#include "views/common/ticks.h"
#include "views/lanes/lanes_play.h"
#include "views/lanes/lanes_view.h"
#include "views/launchmap/launchmap_picture.h"
#include "views/launchmap/launchmap_view.h"
#include "views/launchtree/launchtree_model.h"
#include "views/launchtree/launchtree_view.h"
#include "views/reduction/reduction_play.h"
#include "views/reduction/reduction_view.h"
#include "views/scheduler/scheduler_picture.h"
#include "views/scheduler/scheduler_view.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <set>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

constexpr QSize playingSize(1000, 640);

PaintContext at(PaintContext c, Time time, Time to, double way) {
    c.selection.time = time;
    c.selection.motion = {true, to, way};
    return c;
}

QRectF wholePlay() {
    return {QPointF(), QSizeF(playingSize)};
}

// Different pictures among so many, evenly taken along what a view has to play.
std::size_t differentPictures(const View& view, const PaintContext& c, int frames) {
    const PicturePtr first = view.compose(c, wholePlay());
    const Score score = scoreOf(first->beats(), c.trace->range());
    std::set<QByteArray> seen;
    for (int i = 0; i < frames; ++i) {
        PaintContext now = c;
        const ScorePoint point = pointAt(score, score.length * i / frames);
        now.selection.time = point.time;
        now.selection.motion = point.motion;
        const QImage image = pictureOf(view, now, {600, 400});
        seen.insert(QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
    }
    return seen.size();
}

// The documents' eight numbers in one block of eight, neighbours added first: 3 1 7 0 4 1 6 3.
TracePtr eightNumbers() {
    const CatalogueEntry* entry = findKernel("reduceNeighbored");
    LaunchRequest request;
    request.block = Dim3{8};
    request.size = 8;
    auto plan = makePlan(*entry, request);
    if (!plan.ok())
        return nullptr;
    plan->arguments[0].fill = [](std::span<std::byte> bytes) {
        constexpr int numbers[] = {3, 1, 7, 0, 4, 1, 6, 3};
        std::memcpy(bytes.data(), numbers, std::min(bytes.size(), sizeof numbers));
    };
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    options.detail.accesses = true;
    Progress progress;
    auto recording = makeEmulator()->run(*plan, options, progress);
    return recording.ok() ? recording->trace : nullptr;
}

const ReductionPicture& reductionOf(const PicturePtr& picture) {
    return dynamic_cast<const ReductionPicture&>(*picture);
}

} // namespace

class TestPlayingKernels : public QObject {
    Q_OBJECT
private slots:
    // 5 (the range's begin, one beat), 10 (1), 20 (2), 40 (1), 50 (the end, none): 0, 1, 2, 4, 5 beats in.
    void aScoreLaysBeatsEndToEnd() {
        const Score score = scoreOf({{{10}, 1}, {{20}, 2}, {{40}, 1}, {{90}, 1}}, {{5}, {50}});
        QCOMPARE(score.begins, (std::vector<double>{0, 1, 2, 4, 5}));
        QCOMPARE(score.length, 5.0);
        const ScorePoint quarter = pointAt(score, 2.5);
        QCOMPARE(quarter.time.value, 20);
        QCOMPARE(quarter.motion.to.value, 40);
        QCOMPARE(quarter.motion.way, 0.25);
        Selection s;
        s.time = quarter.time;
        s.motion = quarter.motion;
        QCOMPARE(timeShown(s).value, 25); // a quarter of the way from 20 to 40
        const ScorePoint still = pointAt(score, 2.5, true);
        QCOMPARE(still.motion.way, 1.0);
        QVERIFY(still.motion.playing);
        s.motion = still.motion;
        QCOMPARE(timeShown(s).value, 20);
        QVERIFY(!pointAt(score, 5).motion.playing);
        QCOMPARE(pointAt(score, 5).time.value, 50);
        QCOMPARE(positionAt(score, {39}), 2.0);
    }

    void playingIsNoPlaceToGoBackTo() {
        SelectionModel model;
        model.setTime({10}, {true, {20}, 0.5});
        QVERIFY(!model.canGoBack());
        Selection elsewhere = model.get();
        elsewhere.time = {30};
        model.set(elsewhere);
        QVERIFY(!model.get().motion.playing); // at rest in the time that was asked for
    }

    // Two paths and the lanes' own part: three beats. A sixth of the way is half of the first of them, 16 lanes; at a
    // third all have decided and no path is walked; at two thirds half of the paths is.
    void lanesDecideOneAfterTheOther() {
        const TracePtr trace = mathKernel(false);
        const WarpBranches m = branchesOf(*trace, 0);
        const Serialised paths = serialisedPaths(*trace, 0, m.all[0]);
        QCOMPARE(paths.segments.size(), std::size_t(2));
        QCOMPARE(lanesPlay(0, &paths).lanes, 0);
        QCOMPARE(lanesPlay(1.0 / 6, &paths).lanes, 16);
        QCOMPARE(lanesPlay(1.0 / 3, &paths).lanes, 32);
        QVERIFY(lanesPlay(1.0 / 3, &paths).paths < 1e-9);
        QVERIFY(std::abs(lanesPlay(2.0 / 3, &paths).paths - 0.5) < 1e-9);
        QVERIFY(lanesPlay(1, &paths).whole());
        QCOMPARE(lanesPlay(0.25, nullptr).lanes, 8); // nothing but lanes: a quarter of them

        const auto view = makeLanesView();
        PaintContext c = contextOf(trace);
        c.selection.warp = 0;
        const std::vector<Beat> beats = view->compose(c, wholePlay())->beats();
        QCOMPARE(beats.size(), std::size_t(1));
        QCOMPARE(beats[0].weight, 3.0);
        // Every other lane enters: of 16 lanes 8, of 32 lanes 16. The legend's mark is there all the time.
        const auto blue = [&](double way) {
            return pixelsLike(pictureOf(*view, at(c, beats[0].time, trace->range().end, way), playingSize),
                              c.theme.laneOn);
        };
        const int none = blue(0), half = blue(1.0 / 6) - none, all = blue(1.0 / 3) - none;
        QVERIFY2(half > 100 && std::abs(2 * half - all) < all / 20, qPrintable(QString("%1 %2").arg(half).arg(all)));
        QVERIFY(blue(2.0 / 3) - none > all); // a path is being walked
        QVERIFY(blue(1) > blue(2.0 / 3));

        // One execution, which parts: 100 % of them. Nobody is told so before the lanes have decided.
        const auto told = [&](const PaintContext& of) {
            TextPlaces device(playingSize);
            QPainter painter(&device);
            view->compose(of, wholePlay())->paint(painter);
            const auto& places = device.places();
            return std::any_of(places.begin(), places.end(),
                               [](const TextPlace& p) { return p.text == percentText(100); });
        };
        QVERIFY(!told(at(c, beats[0].time, trace->range().end, 0)));
        QVERIFY(told(at(c, beats[0].time, trace->range().end, 1)));
        PaintContext before = c;
        before.selection.time = beats[0].time - Time{1};
        QVERIFY(!told(before));
    }

    // Six steps, 16, 8, 4, 2, 1 and 1 lanes. In the second one, before a lane has decided, the first is all there is.
    void laterStepsAreNotThereYet() {
        const auto view = makeLanesView();
        const TracePtr trace = neighbored(false);
        PaintContext c = contextOf(trace);
        c.selection.warp = 0;
        c.selection.sourceLine = 8;
        const std::vector<Beat> beats = view->compose(c, wholePlay())->beats();
        QCOMPARE(beats.size(), std::size_t(6));
        // Left part only: the paths stand on the right.
        const QRect left(0, 0, 330, playingSize.height() - 150);
        const auto blue = [&](const PaintContext& of) {
            return pixelsLike(pictureOf(*view, of, playingSize), of.theme.laneOn, left);
        };
        const int first = blue(at(c, beats[1].time, beats[2].time, 0));
        PaintContext rest = c;
        rest.selection.time = beats[5].time;
        const int six = blue(rest);
        QVERIFY2(std::abs(six - 2 * first) < first / 8,
                 qPrintable(QString("%1 %2").arg(first).arg(six))); // 32 against 16 cells
    }

    void aFilmOfDivergenceMovesInAlmostEveryPicture() {
        const auto view = makeLanesView();
        PaintContext c = contextOf(neighbored(false));
        c.selection.warp = 0;
        c.selection.sourceLine = 8;
        const std::size_t seen = differentPictures(*view, c, 50);
        QVERIFY2(seen >= 40, qPrintable(QString::number(seen)));
    }

    // A number starts at the foot of its cell and arrives at the thread after 0.7 of the way; straight down it stands
    // half way at 0.35, in a curve between the two ends.
    void numbersTravelAlongTheirEdges() {
        const TracePtr trace = eightNumbers();
        QVERIFY(trace);
        const auto view = makeReductionView();
        PaintContext c = contextOf(trace);
        const PicturePtr rest = view->compose(c, wholePlay());
        const ReductionScene& s = reductionOf(rest).scene;
        const ReductionLayout& l = s.layout;
        const QPointF node = l.node(0, 0);
        const qreal top = l.cellRect(0, 0).bottom();
        QCOMPARE(numberAt(l, 0, 0, 0, 0), QPointF(l.x(0), top));
        QVERIFY(QLineF(numberAt(l, 0, 0, 0, 0.35), {l.x(0), (top + node.y()) / 2}).length() < 0.01);
        QVERIFY(QLineF(numberAt(l, 0, 0, 0, 0.7), node).length() < 0.01);
        const QPointF curved = numberAt(l, 0, 1, 0, 0.35);
        QVERIFY(curved.x() < l.x(1) && curved.x() > l.x(0) && curved.y() > top && curved.y() < node.y());

        // The first step adds 3+1, 7+0, 4+1 and 6+3.
        const ReductionStep& first = s.tree().steps[0];
        const std::uint32_t sum = first.sums[0];
        const Time when = s.tree().values[sum].time;
        QCOMPARE(s.tree().values[sum].bits, std::uint64_t(4));
        const PicturePtr half = view->compose(at(c, when, when + Time{1}, 0.5), wholePlay());
        QCOMPARE(comeOf(reductionOf(half).scene, sum), 0.5);
        QVERIFY(hiddenStep(reductionOf(half).scene, 1));
        QVERIFY(!hiddenStep(reductionOf(half).scene, 0));
        QVERIFY(!resultKnown(reductionOf(half).scene));
        const PicturePtr done = view->compose(at(c, when, when + Time{1}, 1), wholePlay());
        QCOMPARE(comeOf(reductionOf(done).scene, sum), 1.0);

        // Written where it arrives: the sum's cell holds ink only when it is.
        const QRect cell = l.cellRect(1, 0).adjusted(3, 3, -3, -3).toRect();
        const auto ink = [&](double way) {
            return pixelsLike(pictureOf(*view, at(c, when, when + Time{1}, way), playingSize), c.theme.text, cell, 90);
        };
        QCOMPARE(ink(0.5), 0);
        QVERIFY(ink(1) > 4);
        const Time last = s.tree().values[s.tree().root].time;
        QVERIFY(resultKnown(reductionOf(view->compose(at(c, last, last + Time{1}, 1), wholePlay())).scene));
        QVERIFY(differentPictures(*view, c, 40) >= 30);

        // At rest, too: no verdict while the last sum is to come, and one from its moment on.
        PaintContext still = c;
        still.selection.time = when;
        QVERIFY(!resultKnown(reductionOf(view->compose(still, wholePlay())).scene));
        still.selection.time = last;
        QVERIFY(resultKnown(reductionOf(view->compose(still, wholePlay())).scene));
    }

    // The host's grid from 0 to 100, its children from 20 to 60 and from 40 to 80. Half way from 20 to 40 it is 30: two
    // grids are launched, depth 1, and the third has no row.
    void theLaunchTreeGrows() {
        auto trace = std::make_shared<Trace>();
        trace->kernels.push_back({.name = "parent"});
        for (const auto& [start, end, parent] : {std::tuple{0, 100, noIndex}, {20, 60, 0u}, {40, 80, 0u}}) {
            Launch launch;
            launch.block = {32, 1, 1};
            launch.start = {start};
            launch.end = {end};
            launch.parentLaunch = parent;
            launch.depth = parent == noIndex ? 0 : 1;
            launch.parentBlock = launch.parentThread = parent == noIndex ? noIndex : 0;
            trace->launches.push_back(launch);
        }
        QCOMPARE(treeTotals(*trace, 30).ran, std::uint64_t(2));
        QCOMPARE(treeTotals(*trace, 30).range.end.value, 30);
        QCOMPARE(treeTotals(*trace, 10).depth, 0u);

        const auto view = makeLaunchTreeView();
        const PaintContext c = contextOf(trace);
        const std::vector<Beat> beats = view->compose(c, wholePlay())->beats();
        for (const std::int64_t when : {0, 20, 40, 60, 80, 100})
            QCOMPARE(std::count_if(beats.begin(), beats.end(), [&](const Beat& b) { return b.time.value == when; }), 1);
        const auto bars = [&](const PaintContext& of) { // pixels of the children's colour: of their depth
            return pixelsLike(pictureOf(*view, of, playingSize), of.theme.category(1));
        };
        const int none = bars(at(c, {0}, {20}, 0.9)), quarter = bars(at(c, {20}, {40}, 0.5)), all = bars(c);
        QCOMPARE(none, 0);
        // 10 of the children's 80: one eighth.
        QVERIFY2(quarter > 0 && std::abs(8 * quarter - all) < all / 5,
                 qPrintable(QString("%1 of %2").arg(quarter).arg(all)));
    }

    // Ten cycles of half a nanosecond, each at the nanosecond it is rounded to: 0 | 1 2 | 3 4 | 5 6 | 7 8 | 9. A quarter of
    // the way from 1 to 2 ns is cycle 1, three quarters cycle 2; what comes after the cursor is empty.
    void theSchedulerPlaysByCycle() {
        const TracePtr trace = tenCycles();
        const auto view = makeSchedulerView();
        const PaintContext c = contextOf(trace);
        const PicturePtr rest = view->compose(c, wholePlay());
        const std::vector<Beat> beats = rest->beats();
        QCOMPARE(beats.size(), std::size_t(6));
        for (std::size_t i = 0; i < beats.size(); ++i)
            QCOMPARE(beats[i].weight, i == 0 || i == 5 ? 1.0 : 2.0);
        const auto cursor = [&](double way) {
            const PicturePtr picture = view->compose(at(c, beats[1].time, beats[2].time, way), wholePlay());
            const auto& grid = dynamic_cast<const CyclesPicture&>(*picture);
            return grid.axis.cursor(grid.unchanged());
        };
        QCOMPARE(cursor(0.25), 1);
        QCOMPARE(cursor(0.75), 2);
        const auto& grid = dynamic_cast<const CyclesPicture&>(*rest).layout.grid;
        const QRectF later(QPointF(grid.scale.x(3) + 3, grid.rows.top() + 1),
                           QPointF(grid.rows.right() - 1, grid.rows.bottom() - 1));
        const QImage image = pictureOf(*view, at(c, beats[1].time, beats[2].time, 0.75), playingSize);
        const QRect empty = later.toRect();
        QCOMPARE(pixelsLike(image, c.theme.panel, empty), empty.width() * empty.height());
    }

    // Eight places, twenty blocks of 100: waves at 0, 100 and 200. The first beat of each wave lasts twice as long.
    void theLaunchMapPlaysWaveByWave() {
        test::Schedule schedule;
        schedule.grid = Dim3{20};
        schedule.duration = 100;
        const TracePtr trace = test::scheduled(schedule);
        const auto view = makeLaunchMapView();
        const PaintContext c = contextOf(trace);
        const PicturePtr rest = view->compose(c, wholePlay());
        const std::vector<Beat> beats = rest->beats();
        std::vector<std::int64_t> waves;
        for (const Beat& beat : beats)
            if (beat.weight > 1)
                waves.push_back(beat.time.value - trace->launches[0].start.value);
        QCOMPARE(waves, (std::vector<std::int64_t>{0, 100, 200}));
        const Time start = trace->launches[0].start;
        const auto picture = view->compose(at(c, start, start + Time{100}, 0.5), wholePlay());
        QCOMPARE(dynamic_cast<const LaunchMapPicture&>(*picture).scene().now.value, start.value + 50);
    }
};

WARPGLASS_QT_TEST(TestPlayingKernels)
#include "test_playing_kernels.moc"
