// SPDX-License-Identifier: GPL-3.0-or-later
// A block as a factory: what the view says of pipelines whose numbers are worked out by hand (pipeline_traces.h), and of real
// ones.
#include "tests/emulator/run_kernel.h"
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "tests/views/pipeline_traces.h"
#include "tests/views/text_faults.h"
#include "tests/views/view_rooms.h"
#include "views/pipeline/hang_picture.h"
#include "views/pipeline/pipeline_picture.h"
#include "views/pipeline/pipeline_prediction.h"
#include "views/pipeline/pipeline_view.h"
#include "views/pipeline/pipeline_words.h"

#include <QPicture>
#include <QtTest>

#include <set>

using namespace warpglass;

namespace {

PipelineModelPtr modelOf(const TracePtr& trace, std::uint32_t block = 0) {
    Progress nobody;
    return buildPipelineModel(trace, block, nobody);
}

double share(const PipelineModel& model, Bubble why) {
    return 100 * model.bubbles.share(why);
}

// tests/emulator/data/hangs.cu: warp 4 fills a ring of two slots of 512 bytes, warps 0 to 3 take them out.
TracePtr ring(int tiles, int ofWarps2And3, bool timing) {
    using namespace warpglass::testing;
    testing::Kernel kernel("ring", {1}, {160},
                           {buffer(std::vector<float>(1024, 1.f)), buffer(std::vector<float>(128)), value(tiles),
                            value(ofWarps2And3), value(128), value(512)},
                           "hangs.ptx");
    kernel.options.timing = timing;
    return kernel.run().trace;
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

    void rolesAreFoundByWhatWarpsDo() {
        const auto model = modelOf(samples::twoSlots());
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
        hasTwoSlots(*modelOf(samples::twoSlots()));
        hasTwoSlots(*modelOf(samples::twoSlots(1))); // copies may be asked for before their bytes are expected
    }

    void arrowsGoFromWhoArrivedLastToWhoWaited() {
        const auto model = modelOf(samples::twoSlots());
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
        const auto model = modelOf(samples::twoSlots());
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
        const auto model = modelOf(samples::copiedByGroups());
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
        const auto model = modelOf(samples::copiedByGroups({1024, 2048, 3072}, true));
        QCOMPARE(model->ringSlots.size(), std::size_t(3));
        for (const std::size_t n : {0u, 1u}) {
            QVERIFY(model->ringSlots[n].fills.front().isRead);
            QCOMPARE(model->ringSlots[n].fills.front().read.value, 70);
            QCOMPARE(model->ringSlots[n].fills.front().freed.value, 71);
        }
    }

    // Where the trace says which bytes groups fill, those are the slots: of a ring of three each is filled once here, though no
    // more than two are ever there at once; where groups 0 and 2 fill the same bytes, they are two fills of one slot.
    void groupsAreTheSlotsThatTheyFill() {
        const auto three = modelOf(samples::copiedByGroups({1024, 2048, 3072}));
        QCOMPARE(three->ringSlots.size(), std::size_t(3));
        QCOMPARE(three->ringSlots[2].place, 3072u);
        QCOMPARE(three->ringSlots[2].fills.front().number, 2u);
        QVERIFY(pipelineHeadline(*three).contains(QStringLiteral("3 slots")));
        const auto two = modelOf(samples::copiedByGroups({1024, 2048, 1024}));
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
        const auto model = modelOf(samples::measuredGroup());
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
        const auto model = modelOf(samples::barriersAlone());
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
        const auto model = modelOf(ring(8, 8, timing));
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

    // Warps 2 and 3 leave behind tile 4: warp 4 waits for their arrivals at empty[1], warps 0 and 1 for what it would fill.
    void aHangIsDrawn() {
        const TracePtr trace = ring(8, 5, false);
        const Diagnostic* hang = hangOf(*trace, 0);
        QVERIFY(hang);
        QVERIFY(tellsPipeline(*trace));
        const auto view = makePipelineView();
        PaintContext context = contextOf(trace);
        const PicturePtr picture = view->compose(context, QRectF(0, 0, 900, 480));
        const auto* shown = dynamic_cast<const HangPicture*>(picture.get());
        QVERIFY(shown);
        QCOMPARE(shown->boxes().size(), qsizetype(2));
        QVERIFY(shown->hang.waits[0].isRoot && !shown->hang.waits[1].isRoot);
        QCOMPARE(shown->boxes()[0].who, QStringLiteral("warp 4 of block (0) at line 44"));
        QVERIFY(shown->boxes()[0].whatText.contains(QStringLiteral("empty[1]")));
        QVERIFY(shown->boxes()[0].where.bottom() < shown->boxes()[1].where.top());
        const Spot root = picture->spotAt(shown->boxes()[0].where.center());
        QVERIFY(root.click);
        QCOMPARE(root.click->selection.sourceLine, 44U);
        QCOMPARE(trace->warps[root.click->selection.warp].warpInBlock, std::uint16_t(4));
        QVERIFY(picture->csv().contains(QStringLiteral("\n1,0,0,1,64,0-1,51,")));
        // What was done until then is a switch away.
        QCOMPARE(view->switches(context).size(), qsizetype(1));
        context.options[QStringLiteral("show")] = QStringLiteral("pipeline");
        QVERIFY(dynamic_cast<const PipelinePicture*>(view->compose(context, QRectF(0, 0, 900, 480)).get()));
    }

    // Words stand clear in every window, in both languages; and all of them are there in Chinese.
    void wordsAreClear_data() {
        QTest::addColumn<bool>("isChinese");
        QTest::newRow("en") << false;
        QTest::newRow("zh_CN") << true;
    }
    void wordsAreClear() {
        QFETCH(bool, isChinese);
        samples::Chinese chinese;
        if (isChinese)
            QCoreApplication::installTranslator(&chinese);
        QStringList wrong;
        const auto view = makePipelineView();
        for (const TracePtr& trace : {samples::twoSlots(), samples::barriersAlone(), samples::copiedByGroups(),
                                      samples::copiedByGroups({1024, 2048, 3072}), samples::measuredGroup(),
                                      ring(8, 8, true), ring(8, 8, false), ring(8, 5, false)})
            for (const samples::ViewRoom& room : samples::viewRooms) {
                const PaintContext context = contextOf(trace, ThemeKind::Light, room.type);
                const PicturePtr picture = view->compose(context, QRectF(QPointF(), QSizeF(room.view)));
                samples::TextPlaces device(room.view);
                QPainter painter(&device);
                const QVector<PaintedWord> words = paintPicture(*picture, painter);
                painter.end();
                for (const QString& fault :
                     samples::textFaults(device, context.theme) + samples::elidedWithoutTip(device, *picture, words))
                    wrong << QStringLiteral("%1x%2 %3: %4")
                                 .arg(room.view.width())
                                 .arg(room.view.height())
                                 .arg(room.type)
                                 .arg(fault);
                for (int y = 0; y < room.view.height(); y += 12)
                    for (int x = 0; x < room.view.width(); x += 40)
                        picture->spotAt(QPointF(x, y));
                picture->csv();
                view->prediction(context);
                view->whyNotAsked(context);
            }
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(wrong.isEmpty(),
                 qPrintable(QStringLiteral("%1 faults\n").arg(wrong.size()) + wrong.mid(0, 20).join('\n')));
        QVERIFY2(chinese.missing().isEmpty(), qPrintable(QStringList(chinese.missing().values()).join('\n')));
    }

    // 100,000 spans of 10 beside each other, of which one multiplies: in nodes narrower than 1,000 it is still there, within one
    // of them, and what is walked through are some 1,000 nodes and no spans. From near, each span is there by itself.
    void aRareSpanIsSeenFromAfar() {
        std::vector<LaneSpan> spans;
        for (std::int64_t n = 0; n < 100'000; ++n)
            spans.push_back({{10 * n}, {10 * n + 10}, n == 77'777 ? Doing::Multiplies : Doing::WaitsCopy});
        const SpanTree tree(spans, [](const LaneSpan& span) { return rankOf(span); });
        const auto isSmall = [](Time begin, Time end) { return (end - begin).value < 1000; };
        int nodes = 0, ones = 0;
        Time end{0}, rare{-1};
        tree.walk(spans, {0}, {1'000'000}, isSmall, [&](Time from, Time to, const LaneSpan& span, bool isOne) {
            ++(isOne ? ones : nodes);
            if (from != end)
                end = {-1};
            end = to;
            if (span.doing == Doing::Multiplies)
                rare = from;
            return true;
        });
        QCOMPARE(end.value, std::int64_t(1'000'000));
        QVERIFY2(ones == 0 && nodes < 2000, qPrintable(QStringLiteral("%1 nodes").arg(nodes)));
        QVERIFY(rare.value <= 777'770 && rare.value > 777'770 - 1000);
        std::vector<std::int64_t> near;
        tree.walk(
            spans, {25}, {60}, [](Time, Time) { return false; },
            [&](Time from, Time, const LaneSpan&, bool isOne) {
                near.push_back(isOne ? from.value : -1);
                return true;
            });
        QCOMPARE(near, (std::vector<std::int64_t>{20, 30, 40, 50}));
    }

    // A name of one's own stands where the role's was, and comes back from the file beside the trace; without a name the role is
    // called by what it does again.
    void rolesAreRenamed() {
        QString answer = QStringLiteral("  the  producer ");
        const auto view = makeAskingPipelineView([&](const QString&, const QString&) { return std::optional(answer); });
        PaintContext context = contextOf(samples::twoSlots());
        const auto compose = [&] { return view->compose(context, QRectF(0, 0, 900, 480)); };
        context.selection.warp = 0;
        const auto change = compose()->answer(KeyInput{Qt::Key_E, Qt::NoModifier});
        QVERIFY(change);
        context.options = change->options;
        QVERIFY(compose()->csv().contains(QStringLiteral("lane,the producer warp 0,")));
        const auto model = modelOf(context.trace);
        QVERIFY(
            pipelineHeadline(*model, roleNamesOf(context.options)).contains(QStringLiteral("the producer: warp 0")));
        QVERIFY(!pipelineHeadline(*model).contains(QStringLiteral("producer")));

        QTemporaryDir folder;
        const KeptOption kept = keptRoleNames();
        const QString path = folder.filePath(QStringLiteral("run.wgt"));
        QCOMPARE(kept.write(path, context.options.value(kept.option)), QString());
        QString problem;
        QCOMPARE(kept.read(path, &problem), context.options.value(kept.option));
        // Another window named the others meanwhile: both names are there.
        const QVariant theirs = roleNamesToOption({{QStringLiteral("pipeline 1-2"), QStringLiteral("consumers")}});
        Options both;
        both[kept.option] = kept.merged(QString(), context.options.value(kept.option), theirs);
        QVERIFY(pipelineHeadline(*model, roleNamesOf(both)).contains(QStringLiteral("consumers: warps 1, 2")));
        QVERIFY(pipelineHeadline(*model, roleNamesOf(both)).contains(QStringLiteral("the producer: warp 0")));

        answer.clear();
        context.options = compose()->answer(KeyInput{Qt::Key_E, Qt::NoModifier})->options;
        QVERIFY(compose()->csv().contains(QStringLiteral("lane,orders copies warp 0,")));
        QCOMPARE(kept.write(path, context.options.value(kept.option)), QString());
        QVERIFY(!QFile::exists(path + QStringLiteral(".roles.json")));
    }

    // What a frame costs follows its pixels: of five million spans and 60,000 fills it paints at most three pieces in
    // each of 1,900 columns of 5 rows.
    void aFrameCostsItsPixels() {
        const auto small = modelOf(samples::twoSlots());
        auto large = std::make_shared<PipelineModel>(*small);
        constexpr std::int64_t length = 5'000'000;
        large->range = {{0}, {length}};
        for (PipelineLane& lane : large->lanes) {
            lane.spans.clear();
            for (std::int64_t t = 0; t < length; t += 2)
                lane.spans.push_back({{t}, {t + 2}, t % 4 ? Doing::Multiplies : Doing::WaitsCopy});
        }
        for (PipelineSlot& slot : large->ringSlots) {
            slot.fills.clear();
            for (std::int64_t t = 0; t + 160 <= length; t += 160)
                slot.fills.push_back({.number = std::uint32_t(t / 80),
                                      .begin = {t},
                                      .full = {t + 40},
                                      .read = {t + 60},
                                      .freed = {t + 150},
                                      .isFull = true,
                                      .isRead = true});
        }
        large->idle.clear();
        for (std::int64_t t = 0; t < length; t += 10)
            large->idle.push_back({{t}, {t + 5}, Bubble::Copy});
        large->sumUp();
        const PaintContext context = contextOf(large->trace);
        const PipelinePicture picture(context, QRectF(0, 0, 1920, 1080), large);
        QPicture painted;
        QPainter painter(&painted);
        paintPicture(picture, painter);
        painter.end();
        QVERIFY2(painted.size() < 5 * 1900 * 3 * 120, qPrintable(QString::number(painted.size())));
        // On a raster narrow pieces are copied as lines of an image: the same pixels as the pieces that a picture is made of. Where
        // those end in the middle of a pixel they are blended there, and the line has the colour that has more of it; where three meet in one, either may win.
        QImage lines(1920, 1080, QImage::Format_RGB32), pieces = lines;
        QPainter onLines(&lines), onPieces(&pieces);
        paintPicture(picture, onLines);
        onPieces.drawPicture(0, 0, painted);
        onLines.end();
        onPieces.end();
        int different = 0, all = 0;
        std::set<QRgb> colours;
        for (const QRectF& row : picture.layout.ringSlots + QVector<QRectF>{picture.layout.units})
            for (int x = int(row.left()) + 1; x < int(row.right()); ++x)
                colours.insert(lines.pixel(x, int(row.center().y())));
        QVERIFY2(colours.size() >= 3 && colours.size() < 12, qPrintable(QString::number(colours.size())));
        const auto nearest = [&](QRgb colour) {
            const auto apart = [colour](QRgb other) {
                return std::abs(qRed(colour) - qRed(other)) + std::abs(qGreen(colour) - qGreen(other)) +
                       std::abs(qBlue(colour) - qBlue(other));
            };
            return *std::ranges::min_element(colours, {}, apart);
        };
        for (const QRectF& row : picture.layout.ringSlots + QVector<QRectF>{picture.layout.units})
            for (int x = int(row.left()) + 1; x < int(row.right()); ++x, ++all) {
                const int y = int(row.center().y());
                different +=
                    lines.pixel(x, y) != nearest(pieces.pixel(x, y)) || lines.pixel(x, y) != lines.pixel(x, y + 3);
            }
        QVERIFY2(different * 100 <= 15 * all, qPrintable(QStringLiteral("%1 of %2").arg(different).arg(all)));
    }

    void aPictureTellsWhatItShows() {
        const auto view = makePipelineView();
        const auto context = contextOf(samples::twoSlots());
        const PicturePtr picture = view->compose(context, QRectF(0, 0, 900, 480));
        const auto& shown = dynamic_cast<const PipelinePicture&>(*picture);
        const auto at = [&](const QRectF& row, std::int64_t t) {
            return QPointF(shown.layout.scale.x({t}) + 1, row.center().y());
        };
        QVERIFY(
            picture->spotAt(at(shown.layout.lanes[0], 30)).toolTip.contains(QStringLiteral("waits for a free slot")));
        const Spot full = picture->spotAt(at(shown.layout.ringSlots[0], 20));
        QVERIFY(full.toolTip.contains(QStringLiteral("slot 0, fill 0: 2 KB")));
        QVERIFY(full.click);
        QCOMPARE(full.click->selection.warp, 0U);
        QCOMPARE(full.click->selection.ptxLine, 1U);
        QVERIFY(picture->csv().contains(QStringLiteral("slot,slot 0,filling,0,10,40,,counted")) ||
                picture->csv().contains(QStringLiteral("slot,slot 0,filling,0,10,40,,modelled")));
        // Nearer, and back.
        const auto zoomed = picture->answer(WheelInput{at(shown.layout.lanes[0], 80), 4, Qt::NoModifier});
        QVERIFY(zoomed && zoomed->selection.visible.length().value < 160);
        QVERIFY(picture->answer(KeyInput{Qt::Key_Home, Qt::NoModifier}));
    }
};

WARPGLASS_QT_TEST(TestPipeline)
#include "test_pipeline.moc"
