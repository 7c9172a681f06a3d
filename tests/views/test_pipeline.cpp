// SPDX-License-Identifier: GPL-3.0-or-later
// A block as a factory: what is found in pipelines whose numbers are worked out by hand (pipeline_traces.h), and in real ones.
#include "tests/qt_tests.h"
#include "tests/views/contexts.h"
#include "tests/views/pipeline_traces.h"
#include "views/pipeline/pipeline_picture.h"
#include "views/pipeline/pipeline_prediction.h"
#include "views/pipeline/pipeline_view.h"
#include "views/pipeline/pipeline_words.h"

#include <QtTest>

#include <set>

using namespace warpglass;

namespace {

double share(const PipelineModel& model, Bubble why) {
    return 100 * model.bubbles.share(why);
}

} // namespace

// What pipeline_traces.h says of them.
void hasTwoSlots(const PipelineModel& model) {
    QCOMPARE(model.rings, 1U);
    QCOMPARE(model.ringSlots.size(), std::size_t(2));
    const PipelineSlot &first = model.ringSlots[0], &second = model.ringSlots[1];
    QCOMPARE(first.full, 0U);
    QCOMPARE(first.empty, 16U);
    QCOMPARE(second.full, 8U);
    QCOMPARE(first.bytes, std::uint64_t(2048));
    const auto is = [](const SlotFill& f, std::uint32_t number, std::array<std::int64_t, 4> at) {
        return f.number == number && f.isFull && f.isRead && f.begin.value == at[0] && f.full.value == at[1] &&
               f.read.value == at[2] && f.freed.value == at[3];
    };
    QCOMPARE(first.fills.size(), std::size_t(2));
    QVERIFY(is(first.fills[0], 0, {10, 40, 41, 70}));
    QVERIFY(is(first.fills[1], 2, {80, 120, 121, 150}));
    QCOMPARE(second.fills.size(), std::size_t(1));
    QVERIFY(is(second.fills[0], 1, {12, 60, 75, 100}));
}

class TestPipeline : public QObject {
    Q_OBJECT
private slots:
    void linesSayWhatTheyDo() {
        PtxLines lines("$L0:\n"
                       "cp.async.cg.shared.global [%r1], [%rd1], 16;\n"
                       "cp.async.commit_group;\n"
                       "@%p1 bra $L0;\n"
                       "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%f1}, %rd1, %rd2, p, 1, 1;\n"
                       "bra.uni $L1;\n"
                       "add.f32 %f1, %f1, %f2;\n"
                       "$L1:\n"
                       "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%r1], %r2;\n"
                       "wgmma.wait_group.sync.aligned 1;\n"
                       "ret;\n");
        QVERIFY(lines.multiplies());
        QCOMPARE(lines.at(5).product, std::uint64_t(64 * 128 * 16 / 4)); // a warp's quarter
        QCOMPARE(int(lines.at(9).kind), int(LineKind::MbarrierWait));
        QCOMPARE(lines.at(10).number, 1U);
        // Once round the loop: two instructions.
        const PtxLines::Way round = lines.between(EventKind::Branch, 4, true, 4);
        QCOMPARE(round.length, 2U);
        QCOMPARE(round.lines.size(), std::size_t(2));
        QCOMPARE(round.lines[1].after, 1U);
        QCOMPARE(round.lines[1].line, 3U);
        // Out of it: the product and the jump over the addition.
        const PtxLines::Way out = lines.between(EventKind::Branch, 4, false, 9);
        QCOMPARE(out.length, 2U);
        QCOMPARE(out.lines.size(), std::size_t(1));
        QCOMPARE(out.lines[0].line, 5U);
    }

    // Lane 0 orders a copy at line 3, the others arrive at line 6: from one to the other there is no way, since the one round the
    // loop leads through the barrier of line 8. From there it does lead to line 3: the product, and two jumps.
    void noWayLeadsThroughABarrier() {
        PtxLines lines("$L0:\n"
                       "@%p1 bra $L1;\n"
                       "cp.async.bulk.shared::cluster.global [%r1], [%rd1], 16;\n"
                       "bra.uni $L2;\n"
                       "$L1:\n"
                       "mbarrier.arrive.shared::cta.b64 _, [%r1];\n"
                       "$L2:\n"
                       "bar.sync 0;\n"
                       "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};\n"
                       "@%p2 bra $L0;\n"
                       "ret;\n");
        QCOMPARE(lines.between(EventKind::Path, 3, false, 6).length, 0U);
        const PtxLines::Way round = lines.between(EventKind::BarrierLeave, 8, false, 3);
        QCOMPARE(round.length, 3U);
        QCOMPARE(round.lines[0].line, 9U);
        QCOMPARE(lines.between(EventKind::Path, 3, false, 8).length, 2U);
    }

    void rolesAreFoundByWhatWarpsDo() {
        const auto model = samples::pipelineModel(samples::twoSlots());
        QCOMPARE(model->roles.size(), std::size_t(2));
        QCOMPARE(roleName(model->roles[0]), QStringLiteral("orders copies"));
        QCOMPARE(roleName(model->roles[1]), QStringLiteral("multiplies"));
        QCOMPARE(warpsText(*model->trace, model->roles[1].warps), QStringLiteral("warps 1, 2"));
        QCOMPARE(model->lanes.size(), std::size_t(2));
        const std::vector<LaneSpan> multiplies{{{0}, {5}, Doing::Works},          {{5}, {10}, Doing::WaitsOrder},
                                               {{10}, {41}, Doing::WaitsCopy},    {{41}, {70}, Doing::Multiplies},
                                               {{70}, {75}, Doing::Works},        {{75}, {100}, Doing::Multiplies},
                                               {{100}, {102}, Doing::Works},      {{102}, {121}, Doing::WaitsCopy},
                                               {{121}, {150}, Doing::Multiplies}, {{150}, {160}, Doing::Works}};
        QVERIFY(model->lanes[1].spans == multiplies);
        const std::vector<LaneSpan> orders{{{0}, {10}, Doing::Works},      {{10}, {14}, Doing::Orders},
                                           {{14}, {71}, Doing::WaitsSlot}, {{71}, {80}, Doing::Works},
                                           {{80}, {84}, Doing::Orders},    {{84}, {160}, Doing::Works}};
        QVERIFY(model->lanes[0].spans == orders);
    }

    void slotsAreFilledFullReadAndFree() {
        hasTwoSlots(*samples::pipelineModel(samples::twoSlots()));
        hasTwoSlots(
            *samples::pipelineModel(samples::twoSlots(1))); // copies may be asked for before their bytes are expected
    }

    // Where the warp that fills has to arrive, too, the last phases of "empty" are never over: who read has left all the same.
    void aSlotIsFreeWhenItsReadersHaveArrived() {
        auto trace = std::make_shared<Trace>(*samples::twoSlots());
        std::erase_if(trace->phaseEvents, [](const PhaseEvent& e) {
            return e.kind == PhaseEventKind::Complete && e.barrier >= 16 && e.time.value > 71;
        });
        PhaseEvent late = trace->phaseEvents.back();
        late.warp = 0;
        late.time = {155};
        trace->phaseEvents.push_back(late);
        hasTwoSlots(*samples::pipelineModel(trace));
    }

    // Of barriersAlone() cycles end at 70: of 70 it waits 60, and the schedulers have nothing; of the 30 behind them nothing is
    // told.
    void bubblesAreOfWhatWasModelled() {
        auto trace = std::make_shared<Trace>(*samples::barriersAlone());
        trace->warps[0].stateCount = 3;
        const auto model = samples::pipelineModel(trace);
        QCOMPARE(model->bubbles.until.value, 70);
        QCOMPARE(model->bubbles.whole, 70.0);
        QCOMPARE(model->bubbles.busy(), 10.0);
        QVERIFY(pipelineIdleHeading(*model).contains(QStringLiteral("86 % of the first 70")));
        QCOMPARE(samples::pipelineModel(samples::barriersAlone())->bubbles.until.value, 100);
    }

    // 256 of 2,000 cycles: two products, of which each is counted once, though the arrival behind them has the wait's clock and is
    // told before it. They begin when the bytes are there, four cycles an instruction, and not when the probes have been written.
    // Without probes 128 of 800 ns.
    void measuredProductsTakeWhatTheCoresTake() {
        const auto model = samples::pipelineModel(samples::measuredProducts());
        QVERIFY(model->bubbles.byRate && !model->hasCycles);
        QCOMPARE(model->lanes[0].products.size(), std::size_t(2));
        QCOMPARE(model->bubbles.whole, 2000.0);
        QCOMPARE(model->bubbles.busy(), 256.0);
        QCOMPARE(model->lanes[0].products[1].at.value, 204);
        const auto multiplies = std::find_if(model->lanes[0].spans.begin(), model->lanes[0].spans.end(),
                                             [](const LaneSpan& s) { return s.doing == Doing::Multiplies; });
        QVERIFY(multiplies != model->lanes[0].spans.end());
        QVERIFY(multiplies->begin.value < 210 && multiplies->end.value == 500);
        QCOMPARE(unitsName(*model), QStringLiteral("tensor cores"));
        QCOMPARE(pipelineIdleHeading(*model),
                 QStringLiteral("The tensor cores have nothing: 87 %, without probes about 84 %"));
    }

    // Probes are at work before a GPU's warps begin and behind their end: that is not the kernel's time. The warp runs from 0 to
    // 1000.
    void aMeasuredBlockIsWhatItsWarpsTake() {
        auto trace = std::make_shared<Trace>(*samples::measuredProducts());
        trace->blocks[0].start = {-600};
        trace->blocks[0].end = {1200};
        const auto model = samples::pipelineModel(trace);
        QCOMPARE(model->range.begin.value, 0);
        QCOMPARE(model->range.end.value, 1000);
        QCOMPARE(model->bubbles.whole, 2000.0);
    }

    void arrowsGoFromWhoArrivedLastToWhoWaited() {
        const auto model = samples::pipelineModel(samples::twoSlots());
        QCOMPARE(model->arrows.size(), std::size_t(3));
        const PipelineArrow &full = model->arrows[0], &empty = model->arrows[1], &again = model->arrows[2];
        QCOMPARE(full.from.value, 40);
        QCOMPARE(full.to.value, 41);
        QCOMPARE(full.lane, std::size_t(1));
        QCOMPARE(full.slot, std::size_t(0));
        QCOMPARE(empty.from.value, 70);
        QCOMPARE(empty.waited.value, 14);
        QCOMPARE(empty.lane, std::size_t(0));
        QCOMPARE(empty.fromLane, std::size_t(1));
        QCOMPARE(again.phase, 1U);
    }

    // Each of the two cores has three products of 6 cycles in 160: 18. Before the first 41; from 47 to 75 and from 81 to 102
    // other instructions: 49; from 102 to 121 bytes on their way: 19; after the last, from 127 on, 33.
    void bubblesHaveCauses() {
        const auto model = samples::pipelineModel(samples::twoSlots());
        QVERIFY(model->bubbles.tensor);
        QCOMPARE(model->bubbles.whole, 320.0);
        QCOMPARE(model->bubbles.busy(), 36.0);
        QCOMPARE(share(*model, Bubble::Begin), 100 * 41 / 160.0);
        QCOMPARE(share(*model, Bubble::Issue), 100 * 49 / 160.0);
        QCOMPARE(share(*model, Bubble::Copy), 100 * 19 / 160.0);
        QCOMPARE(share(*model, Bubble::End), 100 * 33 / 160.0);
    }

    // Groups of cp.async tell no mbarrier: the group that a warp waited for is read until its last product. Of 0 (ordered at 0,
    // come at 30) and 1 (at 10, come at 50) both are there at once, and group 2 (at 80, come at 95) takes the first's row.
    void groupsOfCopiesAreFound() {
        const auto model = samples::pipelineModel(samples::copiedByGroups());
        QCOMPARE(model->ringSlots.size(), std::size_t(2));
        const auto& first = model->ringSlots[0].fills;
        QCOMPARE(first.size(), std::size_t(2));
        QCOMPARE(first[0].begin.value, 0);
        QCOMPARE(first[0].full.value, 30);
        QCOMPARE(first[0].read.value, 40);
        QCOMPARE(first[0].freed.value, 41);
        QCOMPARE(first[1].begin.value, 80);
        const auto& second = model->ringSlots[1].fills;
        QCOMPARE(second.size(), std::size_t(1));
        QCOMPARE(second[0].full.value, 50);
        QCOMPARE(second[0].read.value, 70);
        QCOMPARE(second[0].freed.value, 71);
        QVERIFY(pipelineHeadline(*model).contains(QStringLiteral("2 groups of copies at once")));
        // From 46 to 70 of the core's gaps: 46 to 60 its own copies' wait, 60 to 70 other instructions.
        QCOMPARE(model->bubbles.idle[std::size_t(Bubble::Copy)], 14.0 + 6.0);
    }

    // Two groups that are there before anything is multiplied are both used by what comes then, the products at 70.
    void groupsThatAreThereAreAllRead() {
        const auto model = samples::pipelineModel(samples::copiedByGroups({1024, 2048, 3072}, true));
        QCOMPARE(model->ringSlots.size(), std::size_t(3));
        for (const std::size_t n : {0u, 1u}) {
            QVERIFY(model->ringSlots[n].fills.front().isRead);
            QCOMPARE(model->ringSlots[n].fills.front().read.value, 70);
            QCOMPARE(model->ringSlots[n].fills.front().freed.value, 71);
        }
    }

    // A load behind a store may read what was stored, as where a result is turned around before it is written: the group is read by
    // it only if a product follows.
    void whatIsStoredIsNotTheCopy() {
        const auto stored = samples::pipelineModel(samples::turnedAround(false));
        QCOMPARE(stored->ringSlots.size(), std::size_t(1));
        QVERIFY(!stored->ringSlots[0].fills.front().isRead);
        const auto tile = samples::pipelineModel(samples::turnedAround(true));
        const SlotFill& read = tile->ringSlots[0].fills.front();
        QVERIFY(read.isRead);
        QCOMPARE(read.read.value, 42);
        QCOMPARE(read.freed.value, 45);
    }

    // Where the trace says which bytes groups fill, those are the slots: of a ring of three each is filled once here, though no
    // more than two are ever there at once; where groups 0 and 2 fill the same bytes, they are two fills of one slot.
    void groupsAreTheSlotsThatTheyFill() {
        const auto three = samples::pipelineModel(samples::copiedByGroups({1024, 2048, 3072}));
        QCOMPARE(three->ringSlots.size(), std::size_t(3));
        QCOMPARE(three->ringSlots[2].place, 3072u);
        QCOMPARE(three->ringSlots[2].fills.front().number, 2u);
        QVERIFY(pipelineHeadline(*three).contains(QStringLiteral("3 slots")));
        const auto two = samples::pipelineModel(samples::copiedByGroups({1024, 2048, 1024}));
        QCOMPARE(two->ringSlots.size(), std::size_t(2));
        QCOMPARE(slotName(*two, two->ringSlots[0]), QStringLiteral("slot 0"));
        QCOMPARE(two->ringSlots[0].fills.size(), std::size_t(2));
        QCOMPARE(two->ringSlots[0].fills[1].begin.value, 80);
        // At 60 the next to be filled is the slot of group 2.
        Selection then;
        then.time = {60};
        const auto asked = fillPrediction(*two, then);
        QVERIFY(asked);
        QCOMPARE(asked->truth, std::set<int>{0});
    }

    // Where a GPU's probes say when a warp asked for a group and when it had it, it waits for the copy between; and the copy is
    // there then at the latest.
    void measuredWaitsForGroupsAreWaitsForCopies() {
        const auto model = samples::pipelineModel(samples::measuredGroup());
        const auto& spans = model->lanes[0].spans;
        QVERIFY(std::find(spans.begin(), spans.end(), LaneSpan{{30}, {50}, Doing::WaitsCopy}) != spans.end());
        QCOMPARE(model->ringSlots.size(), std::size_t(1));
        QCOMPARE(model->ringSlots[0].place, 1024u);
        const SlotFill& fill = model->ringSlots[0].fills.front();
        QCOMPARE(fill.begin.value, 10);
        QCOMPARE(fill.full.value, 50);
        QVERIFY(fillTip(*model, model->ringSlots[0], fill).contains(QStringLiteral("full after 40 ns at the latest")));
    }

    // 50 of 100 cycles for memory, 10 at the barrier.
    void kernelsOfBarriersAloneHaveBubblesToo() {
        const auto model = samples::pipelineModel(samples::barriersAlone());
        QVERIFY(!model->bubbles.tensor);
        QCOMPARE(share(*model, Bubble::Load), 50.0);
        QCOMPARE(share(*model, Bubble::Barrier), 10.0);
        QCOMPARE(100 * model->bubbles.busyShare(), 40.0);
        QCOMPARE(roleName(model->roles[0]), QStringLiteral("computes"));
        QVERIFY(!tellsPipeline(*model->trace));
        QVERIFY(tellsPipeline(*samples::twoSlots()));
    }

    // At 20 both slots are being filled; the next fill, number 2, is ordered at 80 into slot 0. After it there is none.
    void theNextFillIsAsked() {
        const auto view = makePipelineView();
        PaintContext context = contextOf(samples::twoSlots());
        context.selection.time = {20};
        const auto asked = view->prediction(context);
        QVERIFY(asked);
        QCOMPARE(asked->moment.value, 80);
        QCOMPARE(asked->items.size(), qsizetype(2));
        QCOMPARE(asked->items[0].note, QStringLiteral("filling 0"));
        QCOMPARE(asked->items[1].note, QStringLiteral("filling 1"));
        QVERIFY(asked->truth == std::set<int>{0});
        context.selection.time = {80};
        QVERIFY(!view->prediction(context));
        QVERIFY(!view->whyNotAsked(context).isEmpty());
    }

    // Without cycles and with them: who is what, and that tile t goes through slot t % 2, full before it is read.
    void aRealRingIsFound_data() {
        QTest::addColumn<bool>("timing");
        QTest::newRow("steps") << false;
        QTest::newRow("cycles") << true;
    }
    void aRealRingIsFound() {
        QFETCH(bool, timing);
        const auto model = samples::pipelineModel(samples::filledRing(8, 8, timing));
        QCOMPARE(model->hasCycles, timing);
        QCOMPARE(model->roles.size(), std::size_t(2));
        QCOMPARE(roleName(model->roles[0]), QStringLiteral("orders copies"));
        QCOMPARE(warpsText(*model->trace, model->roles[0].warps), QStringLiteral("warp 4"));
        QCOMPARE(roleName(model->roles[1]), QStringLiteral("computes, stores"));
        QCOMPARE(warpsText(*model->trace, model->roles[1].warps), QStringLiteral("warps 0\u20133"));
        QCOMPARE(model->ringSlots.size(), std::size_t(2));
        for (std::size_t n = 0; n < 2; ++n) {
            const PipelineSlot& slot = model->ringSlots[n];
            QCOMPARE(slot.bytes, std::uint64_t(512));
            QVERIFY(slot.empty != noIndex && slot.empty != slot.full);
            QCOMPARE(slot.fills.size(), std::size_t(4));
            for (std::size_t k = 0; k < 4; ++k) {
                const SlotFill& fill = slot.fills[k];
                QCOMPARE(std::size_t(fill.number), 2 * k + n);
                QVERIFY(fill.isFull && fill.isRead);
                QVERIFY(fill.begin <= fill.full && fill.full <= fill.read && fill.read <= fill.freed);
                QVERIFY(k == 3 || fill.freed <= slot.fills[k + 1].begin);
            }
        }
        QVERIFY(!model->arrows.empty());
        // Without cycles nobody knows whether a warp waits for memory: no scheduler is called busy.
        QCOMPARE(pipelineIdleHeading(*model).contains(QStringLiteral("Other waits are not recorded")), !timing);
    }
};

WARPGLASS_QT_TEST(TestPipeline)
#include "test_pipeline.moc"
