// SPDX-License-Identifier: GPL-3.0-or-later
// What the scheduler view computes, against cycles counted one by one; the documents' example against the document;
// Little's law against the documents' sums.
#include "tests/qt_tests.h"
#include "tests/views/scheduler_traces.h"
#include "views/scheduler/example.h"
#include "views/scheduler/little.h"
#include "views/scheduler/scheduler_csv.h"
#include "views/scheduler/scheduler_layout.h"

#include <QTest>

#include <random>

using namespace warpglass;

namespace {

std::shared_ptr<const SchedulerModel> modelOf(const TracePtr& trace) {
    Progress nobody;
    return buildSchedulerModel(trace, 0, {}, nobody);
}

// Every cycle of every slot by itself: -1 nobody, else the state.
std::vector<std::vector<int>> cycleByCycle(const Trace& trace, int cycles, int slotCount) {
    std::vector<std::vector<int>> all(std::size_t(slotCount), std::vector<int>(std::size_t(cycles), -1));
    for (const Warp& warp : trace.warps)
        for (const StateRow& row : trace.statesOf(warp))
            for (std::int64_t c = row.begin.value; c < row.end.value; ++c)
                all[warp.slot][std::size_t(c)] = int(row.state);
    return all;
}

} // namespace

class TestSchedulerModel : public QObject {
    Q_OBJECT
private slots:
    void tenCyclesCountedByHand() {
        const auto model = modelOf(samples::tenCycles());
        QCOMPARE(model->rows.size(), std::size_t(2));
        QCOMPARE(model->range.end.value, 10);
        const SlotUse use = model->use(0, 10);
        QCOMPARE(use.cycles, 10);
        QCOMPARE(use.issued, 6);
        QCOMPARE(use.waiting, 8);
        QCOMPARE(use.issuedWaiting, 4);
        QCOMPARE(use.empty, 0);
        QCOMPARE(use.hiddenShare(), 0.5);
        QCOMPARE(model->use(2, 5).issued, 0); // a stretch in which all wait
        const StateTimes times = model->times(0, 10);
        QCOMPARE(times.total(), 20);
        QCOMPARE(times.of(WarpState::Selected), 6);
        QCOMPARE(times.of(WarpState::Eligible), 3);
        QCOMPARE(times.of(WarpState::StallLongScoreboard), 4);
        QCOMPARE(times.of(WarpState::StallWait), 3);
        QCOMPARE(times.of(WarpState::StallBarrier), 4);
        QCOMPARE(model->issuingRow(6), 1);
        QCOMPARE(model->issuingRow(3), -1);
    }

    void sumsAreThoseOfSingleCycles() {
        constexpr int cycles = 5000, slotCount = 7;
        const TracePtr trace = samples::randomStates(cycles, slotCount, 20);
        const auto model = modelOf(trace);
        const auto all = cycleByCycle(*trace, cycles, slotCount);
        std::mt19937 random(3);
        for (int n = 0; n < 300; ++n) {
            std::int64_t a = random() % (cycles + 1), b = random() % (cycles + 1);
            if (a > b)
                std::swap(a, b);
            if (n % 3 == 0)
                b = std::min<std::int64_t>(cycles, a + 1);
            StateTimes expected;
            SlotUse use;
            for (std::int64_t c = a; c < b; ++c) {
                bool issued = false, waiting = false, somebody = false;
                for (const auto& slot : all) {
                    const int state = slot[std::size_t(c)];
                    if (state < 0)
                        continue;
                    ++expected.cycles[std::size_t(state)];
                    somebody = true;
                    issued = issued || state == int(WarpState::Selected);
                    waiting = waiting || state > int(WarpState::Eligible);
                }
                ++use.cycles;
                use.issued += issued;
                use.waiting += waiting;
                use.issuedWaiting += issued && waiting;
                use.empty += !somebody;
            }
            const StateTimes got = model->times(a, b);
            QCOMPARE(got.cycles, expected.cycles);
            const SlotUse found = model->use(a, b);
            QCOMPARE(found.cycles, use.cycles);
            QCOMPARE(found.issued, use.issued);
            QCOMPARE(found.waiting, use.waiting);
            QCOMPARE(found.issuedWaiting, use.issuedWaiting);
            QCOMPARE(found.empty, use.empty);
        }
        for (int c = 0; c < cycles; c += 7)
            for (std::size_t s = 0; s < slotCount; ++s) {
                const StateRow* row = model->rows[s].states.at(*trace, c);
                QCOMPARE(row ? int(row->state) : -1, all[s][std::size_t(c)]);
            }
    }

    void stepsGoToInstructionsAndBarriersOfTheWarp() {
        const auto model = modelOf(samples::tenCycles());
        // Warp 0 issues at 0, 5, 7, 8, where 8 is the barrier; warp 1 at 1 and 6, where 6 is the barrier.
        QCOMPARE(issueFrom(*model, 0, 0, 1), 5);
        QCOMPARE(issueFrom(*model, 0, 5, 1), 7);
        QCOMPARE(issueFrom(*model, 0, 3, -1), 0);
        QCOMPARE(issueFrom(*model, 0, 8, 1), 8); // there is none after it
        QCOMPARE(issueFrom(*model, 0, 9, -1), 8);
        QCOMPARE(issueFrom(*model, 1, 0, -1), 0);
        QCOMPARE(barrierFrom(*model, 0, 0, 1), 8);
        QCOMPARE(barrierFrom(*model, 1, 2, 1), 6);
        QCOMPARE(barrierFrom(*model, 1, 9, -1), 6);
        QCOMPARE(barrierFrom(*model, 1, 5, -1), 5);
    }

    void barriersAreToldByTheirInstruction() {
        QVERIFY(isBlockBarrier("\tbar.sync \t0;"));
        QVERIFY(isBlockBarrier("@%p1 barrier.sync 0;"));
        QVERIFY(isBlockBarrier("bar.red.popc.u32 %r1, 0, %p1;"));
        QVERIFY(!isBlockBarrier("bar.warp.sync -1;"));
        QVERIFY(!isBlockBarrier("@%p1 bra $L__bar;"));
        QCOMPARE(operationOf("@!%p2 ld.shared.u32 %r1, [%r2];"), std::string_view("ld"));
    }

    void everyCycleHasATimeAndComesBackFromIt() {
        // 1980 MHz: a cycle is 0.505 ns, so that two cycles share most nanoseconds; the first of them comes back.
        const CycleClock clock{1400, 1000.0 / 1980};
        for (std::int64_t c = 0; c < 5000; ++c) {
            const Time t = clock.time(double(c));
            QVERIFY(clock.cycle(t) <= c);
            QVERIFY(c - clock.cycle(t) <= 1);
            QCOMPARE(clock.time(double(clock.cycle(t))), t);
        }
        const auto model = modelOf(samples::lettersTrace({{{"     SSSS"}}}, 500)); // 2 ns a cycle; begins at cycle 5
        QCOMPARE(model->clock.time(5), Time{10});
        QCOMPARE(model->clock.cycle(Time{14}), 7);
    }

    void aSlotThatIsFreeForAWhileIsEmptyThere() {
        const TracePtr trace = samples::lettersTrace({{{"SWWS", "   SWS"}}});
        const auto model = modelOf(trace);
        QCOMPARE(model->rows.size(), std::size_t(1));
        QCOMPARE(model->rows[0].states.warps().size(), std::size_t(2));
        QVERIFY(!model->rows[0].states.at(*trace, 5));
        QCOMPARE(model->use(0, 10).empty, 3);
        QCOMPARE(model->rows[0].states.warpNear(*trace, 5), 0u);
        QCOMPARE(model->rows[0].states.warpNear(*trace, 7), 1u);
    }

    void placesFollowTheWarpAndFallBackToWhatIsThere() {
        const std::vector<SchedulerPlace> places{{0, 0}, {0, 2}, {3, 1}};
        const TracePtr trace = samples::tenCycles();
        QVERIFY(chosenPlace(places, *trace, 0, -1, -1) == (SchedulerPlace{0, 0}));
        QVERIFY(chosenPlace(places, *trace, 0, -1, 2) == (SchedulerPlace{0, 2}));
        QVERIFY(chosenPlace(places, *trace, 0, 3, -1) == (SchedulerPlace{3, 1})); // SM 3 has no scheduler 0
        QVERIFY(chosenPlace(places, *trace, noIndex, 9, 1) == (SchedulerPlace{0, 0}));
    }

    // D3, "Warp scheduling": five cycles written out. R ready, S stalled; the third word is who is taken.
    //   cycle 0   R R S R   0      cycle 3   S S R R   2
    //   cycle 1   S R S R   1      cycle 4   R S R R   0
    //   cycle 2   S S S R   3
    void theDocumentsFiveCyclesComeOutAsWritten() {
        const TracePtr trace = documentExample(SchedulingPolicy::Lrr);
        const auto model = modelOf(trace);
        const std::string ready[documentCycles] = {"RRSR", "SRSR", "SSSR", "SSRR", "RSRR"};
        const int taken[documentCycles] = {0, 1, 3, 2, 0};
        for (int c = 0; c < documentCycles; ++c) {
            QCOMPARE(model->issuingRow(c), taken[c]);
            for (std::size_t w = 0; w < 4; ++w) {
                const StateRow* state = model->rows[w].states.at(*trace, c);
                QVERIFY(state);
                const bool isReady = state->state == WarpState::Selected || state->state == WarpState::Eligible;
                QVERIFY2(isReady == (ready[c][w] == 'R'), qPrintable(QString("cycle %1 warp %2").arg(c).arg(w)));
            }
        }
        // "FMA pipeline, 3 cycles left" in cycle 1; warp 1 the same in cycle 2; warp 2 waits for memory until cycle 3.
        const StateRow* fma = model->rows[0].states.at(*trace, 1);
        QCOMPARE(fma->end.value - 1, 3);
        QCOMPARE(model->rows[1].states.at(*trace, 2)->end.value - 2, 3);
        QCOMPARE(model->rows[2].states.at(*trace, 2)->state, WarpState::StallLongScoreboard);
        QCOMPARE(model->rows[2].states.at(*trace, 2)->end.value, 3);
        const std::string operations[documentCycles] = {"fma", "fma", "add", "mul", "fma"};
        for (int c = 0; c < documentCycles; ++c) {
            const auto row = std::size_t(model->issuingRow(c));
            QCOMPARE(std::string(operationOf(model->ptx(model->rows[row].states.at(*trace, c)->ptxLine))),
                     operations[c]);
        }
    }

    void otherRulesTakeOtherWarpsInTheSameExample() {
        // Greedy: warp 3's additions of one cycle keep it ready, so the youngest-first rule gives it cycles 0 to 2;
        // then warp 2, youngest of the ready ones, has its two.
        const auto gty = modelOf(documentExample(SchedulingPolicy::Gty));
        const int youngest[documentCycles] = {3, 3, 3, 2, 2};
        for (int c = 0; c < documentCycles; ++c)
            QCOMPARE(gty->issuingRow(c), youngest[c]);
        // Oldest first: 0, then 1 while 0 waits, then 3, and again 3 (greedy) until its program ends.
        const auto gto = modelOf(documentExample(SchedulingPolicy::Gto));
        const int oldest[documentCycles] = {0, 1, 3, 3, 3};
        for (int c = 0; c < documentCycles; ++c)
            QCOMPARE(gto->issuingRow(c), oldest[c]);
    }

    void littlesLawGivesTheDocumentsSums() {
        const LittleFigures& d4 = littleFigures("documents");
        QCOMPARE(d4.arithmetic.inFlight(), 640);
        QCOMPARE(d4.arithmetic.warps(), 20);
        QCOMPARE(d4.memory.inFlight(), 15200.0);
        QCOMPARE(d4.memory.threads(), 3800);
        QCOMPARE(d4.memory.warps(), 119);
        const LittleFigures& fermi = littleFigures("fermi");
        QCOMPARE(fermi.arithmetic.inFlight(), 640);
        QVERIFY(std::abs(fermi.memory.inFlight() / 1000 - 74) < 0.5); // "74 KB"
        QCOMPARE(std::lround(fermi.gigabytes / fermi.gigahertz), 92L);
        const LittleFigures& kepler = littleFigures("kepler");
        QCOMPARE(kepler.arithmetic.inFlight(), 3840);
        QVERIFY(std::abs(kepler.memory.inFlight() / 1000 - 77) < 0.5);
        QCOMPARE(std::lround(kepler.gigabytes / kepler.gigahertz), 96L);
    }

    void moreToDoAtOnceNeedsFewerWarps() {
        ArithmeticNeed arithmetic{20, 32, 4};
        QCOMPARE(arithmetic.warps(), 5);
        arithmetic.independent = 3; // 640 / 96 = 6.67
        QCOMPARE(arithmetic.warps(), 7);
        MemoryNeed memory{800, 19, 16, 1}; // float4: 950 threads, 29.7 warps
        QCOMPARE(memory.threads(), 950);
        QCOMPARE(memory.warps(), 30);
    }

    void everyDeviceHasFigures() {
        for (const char* key : {"h200", "h100", "a100", "v100", "rtx4070", "rtx3090", "gtx1060", "k20x", "m2070"}) {
            const LittleFigures& f = littleFigures(key);
            QCOMPARE(QString::fromStdString(f.key), QString(key));
            QVERIFY(f.arithmetic.warps() > 0 && f.memory.warps() > 0);
        }
        // 4 cycles x 128 lanes = 512 operations = 16 warps, 4 a scheduler; 4800 GB/s / 1.98 GHz / 132 = 18.4 B.
        QCOMPARE(littleFigures("h200").arithmetic.warps(), 16);
        QCOMPARE(littleFigures("h200").memory.bytesPerCycle, 18.4);
    }

    void residentWarpsAreCountedWhereBlocksOverlap() {
        auto trace = std::make_shared<Trace>();
        trace->info.timeUnit = TimeUnit::Nanoseconds;
        trace->kernels.push_back({.name = "k"});
        Launch launch;
        launch.block = {96}; // 3 warps
        launch.grid = {4};
        launch.blockCount = 4;
        trace->launches.push_back(launch);
        // SM 0: [0,10) and [4,9); SM 1: [0,5) and, as it ends, [5,8).
        trace->blocks = {{0, 0, {0}, {10}, 0, 0, 0},
                         {0, 1, {4}, {9}, 0, 0, 0},
                         {0, 2, {0}, {5}, 0, 0, 1},
                         {0, 3, {5}, {8}, 0, 0, 1}};
        const ResidentWarps resident = residentWarps(*trace, 0);
        QCOMPARE(resident.onSm, std::uint64_t(6));
        QCOMPARE(resident.onDevice, std::uint64_t(9));
        // Lives 10, 5, 5, 3: the 5th of a hundred is the first of four, the 95th the last.
        const BlockLives lives = blockLives(*trace, 0);
        QCOMPARE(lives.blocks, std::uint64_t(4));
        QCOMPARE(lives.low, std::int64_t(3));
        QCOMPARE(lives.high, std::int64_t(10));
        Progress progress;
        QCOMPARE(buildSchedulerModel(trace, 0, {}, progress)->lives.high, std::int64_t(10));
        trace->info.timeUnit = TimeUnit::Steps;
        QCOMPARE(residentWarps(*trace, 0).onSm, std::uint64_t(0));
        QCOMPARE(blockLives(*trace, 0).blocks, std::uint64_t(0));
    }

    void zoomingKeepsWhatIsUnderThePointer() {
        const TimeRange bounds{{0}, {10000}};
        CycleScale scale{{2000, 3000}, 100, 800};
        const double under = scale.at(300);
        scale.window = scale.zoomed(300, 0.5, bounds);
        QVERIFY(std::abs(scale.at(300) - under) < 1e-6);
        QVERIFY(std::abs(scale.window.length() - 500) < 1e-6);
        QCOMPARE(scale.zoomed(300, 1e-9, bounds).length(), 4.0);
        QVERIFY((scale.zoomed(300, 1e9, bounds) == CycleRange{0, 10000}));
        const CycleRange moved = scale.shifted(16, bounds); // 16 of 800 pixels: 10 of 500 cycles, to the left
        QVERIFY(std::abs(moved.begin - (scale.window.begin - 10)) < 1e-6);
        QVERIFY((scale.shifted(1e9, bounds).begin == 0));
    }

    void pagesHoldTheCursorAndDoNotCrawl() {
        const TimeRange bounds{{0}, {1000}};
        const CycleRange first = cyclesPage(bounds, 30, 600, 10), same = cyclesPage(bounds, 59, 600, 10);
        QVERIFY((first == CycleRange{0, 60}));
        QVERIFY(same == first);
        QVERIFY((cyclesPage(bounds, 60, 600, 10) == CycleRange{60, 120}));
        QVERIFY((cyclesPage(bounds, 999, 600, 10) == CycleRange{940, 1000}));
        QVERIFY((cyclesPage({{0}, {40}}, 3, 600, 10) == CycleRange{0, 40}));
    }

    void nothingOverlapsAndNothingLeavesTheArea() {
        const std::array<double, stepButtons> widths{80, 100, 70, 70, 100, 80};
        for (const QSizeF& size : {QSizeF(816, 560), QSizeF(1280, 700), QSizeF(1900, 1000), QSizeF(520, 420)})
            for (int rows : {1, 4, 16, 24}) {
                const QRectF area(QPointF(10, 20), size);
                const CyclesLayout l = cyclesLayout(area, rows, 18, 80, 40, widths, 60, {0, 100});
                std::vector<QRectF> rects{l.title,      l.now,       l.overview,    l.overviewLabel,
                                          l.grid.ruler, l.grid.rows, l.grid.labels, l.grid.issue,
                                          l.detail,     l.legend,    l.figures};
                std::erase_if(rects,
                              [](const QRectF& rect) { return rect.height() <= 0; }); // left out for want of room
                for (const QRectF& button : l.button)
                    if (!button.isEmpty())
                        rects.push_back(button);
                for (std::size_t a = 0; a < rects.size(); ++a) {
                    QVERIFY2(area.adjusted(0, 0, 0, 1).contains(rects[a]),
                             qPrintable(QString("rect %1 at %2 rows").arg(a).arg(rows)));
                    for (std::size_t b = a + 1; b < rects.size(); ++b) {
                        const QRectF both = rects[a].intersected(rects[b]);
                        QVERIFY2(both.width() < 0.5 || both.height() < 0.5,
                                 qPrintable(QString("%1 and %2, %3 rows").arg(a).arg(b).arg(rows)));
                    }
                }
                QVERIFY(l.grid.rowHeight > 0);
                QCOMPARE(l.grid.rowAt(l.grid.row(rows - 1).center().y(), rows), rows - 1);
                QCOMPARE(l.grid.rowAt(l.grid.rows.bottom() + 1, rows), -1);
            }
    }

    void tablesSayWhatThePicturesSay() {
        const auto model = modelOf(samples::tenCycles());
        const QStringList lines = cyclesCsv(*model, {2, 6}).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.first(),
                 QString("slot,block,warp,begin_cycle,end_cycle,state,ptx_line,instruction,source_line,origin"));
        // Slot 0: L until 5, S at 5. Slot 1: E at 2, W 3 to 5, E at 5.
        QCOMPARE(lines.size(), 1 + 2 + 3);
        QCOMPARE(lines[1], QString("0,0,0,2,5,stall_long_scoreboard,1,\"add.s32 %r1, %r1, 1;\",1,modelled"));
        QVERIFY(lines[4].startsWith("1,1,0,3,5,stall_wait,"));
        QVERIFY(policiesCsv({model}).contains("letters,lrr,0,0,10,6,60.00,50.00,2,5,5,ns,modelled"));
        // A name of a stranger's file that looks like a place for what comes after it.
        const auto named = std::make_shared<Trace>(*samples::tenCycles());
        named->kernels[0].name = "%3%5%9";
        named->kernels[0].ptx.replace(named->kernels[0].ptx.find("%r1"), 3, "%9");
        const auto stranger = modelOf(named);
        QVERIFY(policiesCsv({stranger}).contains("%3%5%9,lrr,0,0,10,6,60.00,50.00,2,5,5,ns,modelled"));
        QVERIFY(cyclesCsv(*stranger, {2, 6})
                    .contains("0,0,0,2,5,stall_long_scoreboard,1,\"add.s32 %9, %r1, 1;\",1,modelled"));
        const QString little = littleCsv(littleFigures("documents"), {});
        QVERIFY(little.contains("memory,bytes_in_flight,15200,B,"));
        QVERIFY(little.contains("memory,warps,119,"));
        QVERIFY(!little.contains("resident"));
    }
};

WARPGLASS_QT_TEST(TestSchedulerModel)
#include "test_scheduler_model.moc"
