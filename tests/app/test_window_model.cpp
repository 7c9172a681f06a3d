// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/language.h"
#include "app/window/model/ghosts.h"
#include "app/window/model/lessons.h"
#include "app/window/model/playback.h"
#include "app/window/model/select_spec.h"
#include "app/window/model/warp_facts.h"
#include "app/window/view_registry.h"
#include "tests/app/hand_trace.h"
#include "tests/qt_tests.h"

#include <QtTest>

#include <numeric>
#include <random>
#include <set>

using namespace warpglass;

class TestWindowModel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { initialiseResources(); }

    void momentsAreTheDistinctTimesOfEvents() {
        Progress progress;
        const Moments m = momentsOf(*handTrace(), nullptr, progress, 10);
        QCOMPARE(m.times, (std::vector<std::int64_t>{10, 11, 12, 18, 20}));
        QCOMPARE(m.events, 6u);
        QCOMPARE(std::accumulate(m.density.begin(), m.density.end(), 0u), 6u);
        // Ten parts of one unit each: 10, 11, 12 12, 18, and 20 in the last.
        QCOMPARE(m.density, (std::vector<std::uint32_t>{1, 1, 2, 0, 0, 0, 0, 0, 1, 1}));
    }

    void comparedTracesStartTogether() {
        auto later = std::make_shared<Trace>(*handTrace());
        later->launches[0].start = {110};
        later->launches[0].end = {120};
        for (Block& block : later->blocks) {
            block.start = {110};
            block.end = {120};
        }
        for (Warp& warp : later->warps) {
            warp.start = {warp.start.value + 100};
            warp.end = {warp.end.value + 100};
        }
        Progress progress;
        const Moments m = momentsOf(*handTrace(), later.get(), progress);
        QCOMPARE(m.times, (std::vector<std::int64_t>{10, 11, 12, 18, 20})); // moved by 100, every time is there already
    }

    void blocksAndLaunchesAreMoments() {
        // The launch begins at 4 and ends at 31; a second block, which was not recorded, lives from 14 to 27.
        auto trace = std::make_shared<Trace>(*handTrace());
        trace->launches[0].start = {4};
        trace->launches[0].end = {31};
        trace->launches[0].blockCount = 2;
        Block block;
        block.index = 1;
        block.start = {14};
        block.end = {27};
        trace->blocks.push_back(block);
        Progress progress;
        const Moments m = momentsOf(*trace, nullptr, progress, 27);
        QCOMPARE(m.times, (std::vector<std::int64_t>{4, 10, 11, 12, 14, 18, 20, 27, 31}));
        QCOMPARE(timeOf(m, m.times.size() - 1).value, trace->range().end.value);
        QCOMPARE(m.range.begin.value, trace->range().begin.value);
        // The strip counts events alone: parts of one unit from 4 on, 10 11 12 12 18 20 in parts 6 7 8 8 14 16.
        QCOMPARE(std::accumulate(m.density.begin(), m.density.end(), 0u), 6u);
        QCOMPARE(m.density[6], 1u);
        QCOMPARE(m.density[8], 2u);
        QCOMPARE(m.density[16], 1u);
    }

    // More than are sorted in one go, in an order that is not theirs, many of them the same.
    void momentsOfManyEventsAreInOrder() {
        constexpr std::uint32_t events = 1'500'000, warps = 2;
        auto trace = std::make_shared<Trace>(*handTrace());
        trace->warps.resize(warps, trace->warps[0]);
        trace->events = {};
        std::set<std::int64_t> distinct = {10, 20}; // the launch's and its block's
        std::mt19937 random(17);
        for (std::uint32_t w = 0; w < warps; ++w) {
            Warp& warp = trace->warps[w];
            warp.start = {std::int64_t(20 - 10 * w)};
            warp.firstEvent = trace->events.size();
            warp.eventCount = events;
            std::int64_t offset = 0;
            for (std::uint32_t n = 0; n < events; ++n) {
                distinct.insert(warp.start.value + offset);
                trace->events.push(offset, 0, EventKind::Access, LaneMask::all(), {0});
                offset += std::int64_t(random() % 3);
            }
        }
        Progress progress;
        const Moments m = momentsOf(*trace, nullptr, progress, 100);
        QVERIFY(std::equal(m.times.begin(), m.times.end(), distinct.begin(), distinct.end()));
        QCOMPARE(m.events, std::uint64_t(events) * warps);
        QCOMPARE(std::accumulate(m.density.begin(), m.density.end(), std::uint64_t(0)), std::uint64_t(events) * warps);
        QCOMPARE(m.range.end.value, *distinct.rbegin());
    }

    // A trace that nobody looks at any more is let go soon, not when all its times are in order.
    void momentsThatNobodyWaitsForAreNone() {
        Progress progress;
        progress.cancel();
        const Moments m = momentsOf(*handTrace(), nullptr, progress);
        QVERIFY(m.times.empty());
        QVERIFY(m.density.empty());
    }

    void momentAtFindsTheLastOneNotLater() {
        Progress progress;
        const Moments m = momentsOf(*handTrace(), nullptr, progress);
        QCOMPARE(momentAt(m, {5}), 0u);
        QCOMPARE(momentAt(m, {12}), 2u);
        QCOMPARE(momentAt(m, {17}), 2u);
        QCOMPARE(momentAt(m, {1000}), 4u);
        QCOMPARE(timeOf(m, 99).value, 20);
    }

    // A GPU's recordings lie under launches that are modelled later, but only so many bytes of them stay for that.
    void recordingsOfAGpuAreKeptUpToSoManyBytes() {
        const auto recording = [](std::uint32_t grid, std::uint32_t events) {
            auto trace = std::make_shared<Trace>(*handTrace());
            trace->info.timeUnit = TimeUnit::Nanoseconds;
            trace->info.timeOrigin = Origin::Measured;
            trace->launches[0].grid = {grid, 1, 1};
            for (std::uint32_t n = 0; n < events; ++n)
                trace->events.push(n, 0, EventKind::Access, LaneMask::all(), {0});
            return trace;
        };
        const auto modelled = [&](std::uint32_t grid) {
            const auto trace = recording(grid, 0);
            trace->info.timeOrigin = Origin::Modelled;
            return trace;
        };
        Ghosts ghosts(20'000);
        TracePtr small = recording(1, 10), large = recording(2, 10'000);
        const std::weak_ptr<const Trace> watched = large;
        const Trace* const first = small.get();
        ghosts.remember(small);
        small.reset();
        ghosts.remember(large);
        QCOMPARE(ghosts.opened(*modelled(2)), large); // as long as somebody has it open
        large.reset();
        QVERIFY(watched.expired());
        QVERIFY(!ghosts.opened(*modelled(2)));
        QVERIFY(!ghosts.opened(*modelled(3)));
        for (std::uint32_t grid = 3; grid < 6; ++grid)
            ghosts.remember(recording(grid, 10));
        QVERIFY(ghosts.opened(*modelled(5)));
        QVERIFY(ghosts.opened(*modelled(3)));
        QCOMPARE(ghosts.opened(*modelled(1)).get(), first); // what is too large does not push out what is not
        ghosts.remember(modelled(7));
        QVERIFY(!ghosts.opened(*modelled(7)));
    }

    void playingMovesBySpeedAndStopsAtTheEnd() {
        Playback p;
        p.playing = true;
        p.speed = 2;
        advance(p, 5, 1.5);
        QCOMPARE(p.position, 3.0);
        QVERIFY(p.playing);
        advance(p, 5, 1.0);
        QCOMPARE(p.position, 4.0); // the last of five
        QVERIFY(!p.playing);
    }

    void playingBackwardStopsAtTheStart() {
        Playback p;
        p.playing = true;
        p.direction = -1;
        p.position = 1;
        advance(p, 5, 10);
        QCOMPARE(p.position, 0.0);
        QVERIFY(!p.playing);
    }

    void aLoopStartsAgain() {
        Playback p;
        p.playing = true;
        p.loop = LoopRange{1, 3};
        p.position = 3;
        p.speed = 1;
        advance(p, 5, 0.5);
        QCOMPARE(p.position, 1.0);
        QVERIFY(p.playing);
        step(p, 5, -1);
        QCOMPARE(p.position, 1.0); // a step stays inside
    }

    void theSpeedSliderGoesFromOneASecondToTheRunInFourSeconds() {
        QCOMPARE(speedAt(0, 4000), 1.0);
        QCOMPARE(speedAt(1, 4000), 1000.0);
        QVERIFY(qAbs(sliderOf(speedAt(0.37, 4000), 4000) - 0.37) < 1e-9);
    }

    void neighbourEventsOfAWarpAndOfItsBlock() {
        const TracePtr t = handTrace();
        QCOMPARE(neighbourEvent(*t, t->warps[0], {12}, 1)->value, 20);
        QCOMPARE(neighbourEvent(*t, t->warps[0], {12}, -1)->value, 10);
        QVERIFY(!neighbourEvent(*t, t->warps[0], {20}, 1));
        QCOMPARE(neighbourEvent(*t, t->blocks[0], {12}, 1)->value, 18); // warp 1 ends first
        QCOMPARE(neighbourEvent(*t, t->blocks[0], {12}, -1)->value, 11);
    }

    void aSelectionIsReadFromWords() {
        const Result<SelectSpec> spec =
            parseSelect("launch=0, block=0,warp=1,lane=5,line=2,option:layer=ptx,time=event:1", *handTrace());
        QVERIFY(spec.ok());
        QCOMPARE(spec.value().selection.block, 0u);
        QCOMPARE(spec.value().selection.warp, 1u);
        QCOMPARE(spec.value().selection.lane, 5);
        QCOMPARE(spec.value().selection.sourceLine, 2u);
        QCOMPARE(spec.value().selection.time.value, 12);
        QCOMPARE(spec.value().options.value("layer").toString(), QString("ptx"));
    }

    void aShareOfTimeIsCountedFromTheStart() {
        const Result<SelectSpec> spec = parseSelect("time=50%", *handTrace());
        QVERIFY(spec.ok());
        QCOMPARE(spec.value().selection.time.value, 15); // between 10 and 20
    }

    void wrongSelectionsAreNamed_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("named");
        QTest::newRow("no value") << "block"
                                  << "block";
        QTest::newRow("unknown") << "row=1"
                                 << "row";
        QTest::newRow("a name with its letters turned") << "tmie=50%"
                                                        << "\"tmie\" is none of the names launch, block, warp";
        QTest::newRow("no number") << "block=two"
                                   << "two";
        QTest::newRow("no such block") << "block=9"
                                       << "9";
        QTest::newRow("no such warp") << "block=0,warp=2"
                                      << "2";
        QTest::newRow("no such lane") << "lane=32"
                                      << "32";
        QTest::newRow("no such launch") << "launch=1"
                                        << "1";
        QTest::newRow("event without warp") << "time=event:0"
                                            << "warp";
        QTest::newRow("empty range") << "range=5:5"
                                     << "5:5";
    }
    void wrongSelectionsAreNamed() {
        QFETCH(QString, words);
        QFETCH(QString, named);
        const Result<SelectSpec> spec = parseSelect(words, *handTrace());
        QVERIFY(!spec.ok());
        QVERIFY2(QString::fromStdString(spec.error().text()).contains(named), spec.error().text().c_str());
    }

    void factsOfADivergentBranch() {
        Selection selection;
        selection.block = 0;
        selection.warp = 0;
        selection.time = {12};
        const WarpFacts facts = warpFacts(*handTrace(), selection);
        QVERIFY(facts.valid);
        QVERIFY(facts.divergent);
        QCOMPARE(facts.marked.bits, 0xaaaaaaaau); // the even lanes jump over what the odd ones enter
        QCOMPARE(facts.title, QString("Warp 0 of block 0"));
        QCOMPARE(facts.place, QString("SM 7 · slot 0 · scheduler 0"));
        QCOMPARE(facts.happens, QString("line 2: if (tid % 2 == 0)"));
        QCOMPARE(facts.lanes, QString("16 of 32 lanes enter"));
        bool sinceLast = false;
        for (const Fact& fact : facts.facts) {
            if (fact.label == "since last event") {
                QCOMPARE(fact.value, QString("+ 2 steps")); // 12 - 10
                QCOMPARE(fact.origin, Origin::Modelled);
                sinceLast = true;
            }
        }
        QVERIFY(sinceLast);
    }

    void aUniformBranchIsNotDivergent() {
        Selection selection;
        selection.block = 0;
        selection.warp = 1;
        selection.time = {12};
        QVERIFY(!warpFacts(*handTrace(), selection).divergent);
    }

    void builtInLessonsCanBeRead() {
        for (const QString& path : builtInLessonPaths()) {
            const Result<Lesson> lesson = readLesson(path, viewKeys());
            QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
            for (const LessonStep& step : lesson.value().steps) {
                QVERIFY(!step.title.zh.isEmpty());
                QVERIFY(!step.text.zh.isEmpty());
            }
        }
    }

    void aBrokenLessonIsToldWithLineAndColumn() {
        const Result<Lesson> lesson = parseLesson("{\n  \"format\": 1,\n  \"name\": oops\n}", "mine.json", {});
        QVERIFY(!lesson.ok());
        QCOMPARE(lesson.error().file, std::string("mine.json"));
        QCOMPARE(lesson.error().line, 3); // where "oops" stands
        QCOMPARE(lesson.error().column, 11);
    }

    void aWrongValueInALessonIsToldWithItsPath_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("path");
        const QByteArray head = R"({"format":1,"name":"n","title":"t","steps":[)";
        QTest::newRow("kernel") << head + R"({"title":"a","text":"b","run":{"kernel":"nonesuch"}}]})"
                                << "steps[0].run.kernel";
        QTest::newRow("view") << head + R"({"title":"a","text":"b","run":{"kernel":"mathKernel1"},"view":"x"}]})"
                              << "steps[0].view";
        QTest::newRow("shape") << head + R"({"title":"a","text":"b","run":{"kernel":"mathKernel1","block":"64by2"}}]})"
                               << "steps[0].run.block";
        QTest::newRow("no run") << head + R"({"title":"a","text":"b"}]})"
                                << "steps[0].run";
        QTest::newRow("no text") << head + R"({"title":"a"}]})"
                                 << "steps[0].text";
        QTest::newRow("typing error") << head + R"({"title":"a","text":"b","veiw":"x"}]})"
                                      << "steps[0].veiw";
        QTest::newRow("newer") << QByteArray(R"({"format":2})") << "format";
        QTest::newRow("foreign") << QByteArray("[1,2]") << "object";
        QTest::newRow("number of bytes")
            << head + R"({"title":"a","text":"b","run":{"kernel":"mathKernel1","size":1e99}}]})"
            << "steps[0].run.size";
    }
    void aWrongValueInALessonIsToldWithItsPath() {
        QFETCH(QByteArray, json);
        QFETCH(QString, path);
        const Result<Lesson> lesson = parseLesson(json, "mine.json", {"lanes"});
        QVERIFY(!lesson.ok());
        QVERIFY2(QString::fromStdString(lesson.error().text()).contains(path), lesson.error().text().c_str());
    }

    void aLessonCutOffAnywhereIsToldAndNothingElse() {
        QFile file(builtInLessonPaths().first());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll().trimmed();
        for (qsizetype length = 0; length < whole.size(); length += 97)
            QVERIFY(!parseLesson(whole.first(length), "cut.json", viewKeys()).ok());
    }
};

WARPGLASS_QT_TEST(TestWindowModel)
#include "test_window_model.moc"
