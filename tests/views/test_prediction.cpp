// SPDX-License-Identifier: GPL-3.0-or-later
// What the views ask before they show it: the answers are worked out by hand, in the comments.
#include "tests/qt_tests.h"
#include "tests/views/launchmap_traces.h"
#include "tests/views/pictures.h"
#include "tests/views/predictions.h"
#include "tests/views/sample_traces.h"
#include "tests/views/scheduler_traces.h"
#include "views/common/prediction_board.h"
#include "views/common/prediction_picture.h"
#include "views/lanes/lanes_view.h"
#include "views/launchmap/launchmap_view.h"
#include "views/memory/memory_view.h"
#include "views/occupancy/occupancy_view.h"
#include "views/reduction/reduction_view.h"
#include "views/scheduler/scheduler_view.h"

#include <QtTest>

using namespace warpglass;
using namespace predictions;

namespace {

// Four items, of which 1 and 2 are true.
Prediction small(Asked asked = Asked::Items) {
    Prediction p;
    p.asked = asked;
    p.columns = 4;
    for (int i = 0; i < 4; ++i)
        p.items.append({.label = QString::number(i), .name = QString::number(i)});
    p.truth = {1, 2};
    p.words.counted = "%1 of %2 lanes right";
    p.words.all = "All %1 lanes right";
    p.words.missed = "%1: go on";
    p.words.wrong = "%1: do not go on";
    p.words.name = "lane %1";
    p.words.names = "lanes %1";
    return p;
}

} // namespace

class TestPrediction : public QObject {
    Q_OBJECT
private slots:
    // Of 32 lanes 3 and 17 were taken for staying, though they go on: 30 are right.
    void differencesAreCountedAndNamed() {
        Prediction p = small();
        p.items.clear();
        for (int i = 0; i < 32; ++i)
            p.items.append({.label = QString::number(i), .name = QString::number(i)});
        p.truth = upTo(32);
        Guess guess;
        guess.items = upTo(32);
        guess.items.erase(3);
        guess.items.erase(17);
        const PredictionMarks marks = judge(p, guess);
        QCOMPARE(marks.of, 32);
        QCOMPARE(marks.right, 30);
        QVERIFY(marks.missed == (std::set<int>{3, 17}) && marks.wrong.empty());
        QCOMPARE(verdict(p, guess), QString("30 of 32 lanes right; lanes 3 and 17: go on."));
        guess.items = upTo(32);
        QCOMPARE(verdict(p, guess), QString("All 32 lanes right."));
        p.truth = upTo(8, 1);
        QVERIFY(verdict(p, guess).contains("lanes 0 and 8 to 31: do not go on"));
        p.items[0].open = false; // a lane that is not there is no mark
        QCOMPARE(judge(p, guess).of, 31);
    }

    void oneNumberAndLinksAreCounted() {
        Prediction p = small(Asked::One);
        p.truth = {2};
        Guess guess;
        guess.items = {1};
        QCOMPARE(judge(p, guess).right, 0);
        QCOMPARE(verdict(p, guess), QString("It is lane 2, not lane 1."));
        p = small(Asked::Number);
        p.number = 3;
        guess = Guess::from("#3");
        QVERIFY(judge(p, guess).whole());
        QVERIFY(!judge(p, {}).whole()); // nothing said is not zero
        p = small(Asked::Links);
        p.links = {{0, 1}, {2, 3}};
        guess = Guess::from("1-0,1-2"); // the one is right; 2 + 3 is missed, 1 + 2 is not so: 1 of 3
        QCOMPARE(judge(p, guess).right, 1);
        QCOMPARE(judge(p, guess).of, 3);
        PredictionScore score;
        score.add(judge(p, guess));
        score.add(judge(p, truthOf(p)));
        QCOMPARE(score.text(), QString("1 of 2 questions wholly right · 3 of 5 marks"));
    }

    // Two rows of four columns; true are 0, 5, 2 and 7. Chosen are 0 and 1 (for 5), nothing in column 2, and 7: columns 0
    // and 3 are right.
    void oneOfEachColumnIsCounted() {
        Prediction p = small(Asked::Each);
        for (int i = 0; i < 8; ++i)
            p.words.columns << QStringLiteral("cycle %1").arg(i + 10);
        p.items.clear();
        for (int i = 0; i < 8; ++i)
            p.items.append({.label = QString::number(i), .name = QStringLiteral("warp %1").arg(i / 4)});
        p.truth = {0, 5, 2, 7};
        p.words.counted = "%1 of %2 cycles right";
        p.words.all = "all %1 cycles right";
        const PredictionMarks marks = judge(p, Guess::from("0,1,7"));
        QCOMPARE(marks.right, 2);
        QCOMPARE(marks.of, 4);
        QVERIFY(marks.missed == (std::set<int>{2, 5}) && marks.wrong == std::set<int>{1});
        QCOMPARE(verdict(p, Guess::from("0,1,7")),
                 QString("2 of 4 cycles right; cycle 11: warp 1, not warp 0; cycle 12: warp 0."));
        QCOMPARE(verdict(p, truthOf(p)), QString("all 4 cycles right."));
        QCOMPARE(itemName(p, 6), QString("cycle 12: warp 1"));
        Options options; // another one of the column takes the place of the first; a second click takes it back
        for (const int cell : {0, 4, 1, 1, 2})
            chooseItem(p, options, cell);
        QCOMPARE(predictionGuess.of(options), QString("2,4"));
        dragItems(p, options, 4, 1, true); // through the columns
        dragItems(p, options, 1, 6, false);
        QCOMPARE(predictionGuess.of(options), QString("1,4,6"));
        p.length = p.longest = 4;
        const PredictionBoard board =
            predictionBoard(p, {0, 0, 800, 500}, Theme::make(ThemeKind::Light), Predicting::Asked, false, {});
        QVERIFY(!board.shorter.isNull() && board.keys.left() > board.longer.right());
        QVERIFY(keyOnBoard(p, board, options, Qt::Key_Plus) && predictionLength.of(options) == 4);
        QVERIFY(keyOnBoard(p, board, options, Qt::Key_Minus) && predictionLength.of(options) == 3);
    }

    void guessesAreWrittenAndRead() {
        for (const char* text : {"", "0,3,31", "0-4,1-5", "#12"})
            QCOMPARE(Guess::from(text).text(), QString(text));
        QCOMPARE(Guess::from("x,-1,2-,3-1,#z,5").text(), QString("5,1-3"));
    }

    void clicksTogglesAndDragsPaint() {
        const Prediction p = small();
        Options options;
        chooseItem(p, options, 2);
        QCOMPARE(predictionGuess.of(options), QString("2"));
        chooseItem(p, options, 2);
        QCOMPARE(predictionGuess.of(options), QString());
        dragItems(p, options, 0, 1, true); // from one that is not marked: marks
        dragItems(p, options, 1, 2, false);
        QCOMPARE(predictionGuess.of(options), QString("0,1,2"));
        dragItems(p, options, 1, 2, true); // from one that is: clears
        QCOMPARE(predictionGuess.of(options), QString("0"));
    }

    // A drag from 0 over 1 and 2 to 3 makes one link, from 0 to 3.
    void aDragLinksItsEnds() {
        const Prediction p = small(Asked::Links);
        Options options;
        dragItems(p, options, 0, 1, true);
        dragItems(p, options, 1, 2, false);
        dragItems(p, options, 2, 3, false);
        QCOMPARE(predictionGuess.of(options), QString("0-3"));
        dragItems(p, options, 2, 1, true); // another one; the first stays
        QCOMPARE(predictionGuess.of(options), QString("0-3,1-2"));
        chooseItem(p, options, 0); // two clicks are a link, and take one back
        chooseItem(p, options, 3);
        QCOMPARE(predictionGuess.of(options), QString("1-2"));
    }

    void keysReachEverything() {
        const Prediction p = small();
        const PredictionBoard board =
            predictionBoard(p, {0, 0, 800, 500}, Theme::make(ThemeKind::Light), Predicting::Asked, false, {});
        Options options;
        QVERIFY(keyOnBoard(p, board, options, Qt::Key_Right)); // to 0
        QVERIFY(keyOnBoard(p, board, options, Qt::Key_Right));
        QVERIFY(keyOnBoard(p, board, options, Qt::Key_Space));
        QCOMPARE(predictionGuess.of(options), QString("1"));
        keyOnBoard(p, board, options, Qt::Key_A);
        QCOMPARE(predictionGuess.of(options), QString("0,1,2,3"));
        keyOnBoard(p, board, options, Qt::Key_A);
        QCOMPARE(predictionGuess.of(options), QString());
        QVERIFY(!keyOnBoard(p, board, options, Qt::Key_F5));
        Prediction number = small(Asked::Number);
        number.items.clear();
        number.most = 200;
        options = {};
        for (const int key : {Qt::Key_1, Qt::Key_2, Qt::Key_Up})
            keyOnBoard(number, board, options, key);
        QCOMPARE(predictionGuess.of(options), QString("#13"));
        keyOnBoard(number, board, options, Qt::Key_Backspace);
        QCOMPARE(predictionGuess.of(options), QString("#1"));
    }

    // Cells are large enough for a hand on a wall, inside the board, and do not overlap: 32 lanes at three sizes.
    void targetsAreLargeAndApart() {
        Prediction p = small();
        p.columns = 32;
        p.items.resize(32);
        for (const QSizeF size : {QSizeF(560, 420), QSizeF(900, 600), QSizeF(1900, 1000)}) {
            const PredictionBoard b = predictionBoard(p, QRectF(QPointF(), size), Theme::make(ThemeKind::Light),
                                                      Predicting::Shown, true, "30 of 32 lanes right");
            for (int i = 0; i < 32; ++i) {
                QVERIFY(b.cells[i].width() >= 30 && b.cells[i].height() >= 24);
                QVERIFY(b.board.adjusted(-1, -1, 1, 1).contains(b.cells[i]));
                QCOMPARE(b.cellAt(b.cells[i].center()), i);
                for (int k = 0; k < i; ++k)
                    QVERIFY(!b.cells[i].intersects(b.cells[k]));
            }
            QVERIFY(!b.check.intersects(b.play) && b.board.bottom() <= b.verdict.top());
        }
    }

    // if (tid % 2 == 0): the even lanes of a warp go on, 16; the PTX jumps with the others.
    void theLanesThatGoOnAreAsked() {
        const auto view = makeLanesView();
        PaintContext context = contextAt(samples::mathKernel(false));
        const auto p = view->prediction(context);
        QVERIFY(p);
        QVERIFY(p->truth == evenLanes());
        QCOMPARE(p->openItems(), 32);
        QVERIFY(p->words.question.contains("line 5"));
        QVERIFY(p->words.truth.contains("16 lanes go one way, 16 the other"));
        // Asked just before the moment it is the same question; after it there is no other.
        context.selection.time = p->moment - Time{1};
        QVERIFY(view->prediction(context)->truth == p->truth);
        context.selection.time = p->moment;
        QVERIFY(!view->prediction(context));
        context.selection.time = before;
        context.options["layer"] = "ptx";
        std::set<int> odd = upTo(32);
        for (const int lane : evenLanes())
            odd.erase(lane);
        QVERIFY(view->prediction(context)->truth == odd);
        context.options["layer"] = "machine";
        QVERIFY(!view->prediction(context));
    }

    // 48 threads: of warp 1 the lanes 16 to 31 hold no thread, and those from 8 on have left before the branch.
    void lanesThatAreNotThereCannotBeChosen() {
        PaintContext context = contextAt(samples::partialAndExited());
        context.selection.warp = 1;
        const auto p = makeLanesView()->prediction(context);
        QVERIFY(p);
        QCOMPARE(p->openItems(), 8);
        QVERIFY(!p->items[10].open && p->items[10].closed.contains("has ended"));
        QVERIFY(!p->items[20].open && p->items[20].closed.contains("holds no thread"));
    }

    // A loop that parts the lanes in one way a hundred times is asked once, not a hundred times.
    void whatRepeatsIsNotAskedAgain() {
        const auto view = makeLanesView();
        PaintContext context = contextAt(samples::divergent20of32());
        int questions = 0;
        while (const auto p = view->prediction(context)) {
            context.selection.time = p->moment;
            QVERIFY(++questions < 10);
        }
        QVERIFY(questions >= 1);
    }

    // A quick hand leaves cells out between two places of the mouse: of a single column they are painted, too.
    void aQuickDragLeavesNoneOut() {
        const Prediction p = small();
        Options options;
        dragItems(p, options, 0, 3, true, 1);
        QCOMPARE(predictionGuess.of(options), QString("0,1,2,3"));
        options = {};
        dragItems(p, options, 0, 3, true, 2); // on a board of two rows nobody knows which
        QCOMPARE(predictionGuess.of(options), QString("0,3"));
    }

    // 32 floats, every second one: 32 x 8 = 256 bytes = 8 sectors, the first eight; with stride 1 four.
    void theSectorsThatMoveAreAsked() {
        const auto view = makeMemoryView();
        PaintContext context = contextAt(tracedRun("strided", 256, Dim3{64}, {{"stride", 2}}));
        auto p = view->prediction(context);
        QVERIFY(p);
        QCOMPARE(p->columns, 4);
        QVERIFY(p->truth == upTo(8));
        QVERIFY(int(p->items.size()) > 8); // where it ends is not told
        QVERIFY(p->words.truth.contains("8 sectors"));
        QVERIFY(p->words.truth.contains("50.0"));
        context = contextAt(tracedRun("strided", 256, Dim3{64}, {{"stride", 1}}));
        QVERIFY(view->prediction(context)->truth == upTo(4));
    }

    // A column of a 32 x 32 tile of floats: word 32 k of lane k, all in bank 0, 32 passes. A row: no conflict.
    void theBanksThatCollideAreAsked() {
        const auto view = makeMemoryView();
        PaintContext context = contextAt(tracedRun("transpose_smem", 64, Dim3{32, 32}));
        context.options["space"] = "shared";
        bool row = false, column = false;
        while (const auto p = view->prediction(context)) {
            QCOMPARE(p->columns, 32);
            row = row || p->truth.empty();
            if (p->truth.size() == 1) {
                column = true;
                QVERIFY(p->words.truth.contains("32 words") && p->words.truth.contains("passes: 32"));
            }
            context.selection.time = p->moment;
        }
        QVERIFY(row && column);
    }

    // 4 SMs that hold 2 blocks each are 8 places: 20 blocks are two full waves and one of 4.
    void theWavesAreAsked() {
        test::Schedule schedule;
        schedule.grid = Dim3{20};
        const auto p = makeLaunchMapView()->prediction(contextAt(test::scheduled(schedule)));
        QVERIFY(p);
        QVERIFY(p->asked == Asked::Number);
        QCOMPARE(p->number, std::uint64_t(3));
        QVERIFY(p->words.truth.contains("= 8 places: 2 full waves, and a last one of 4 blocks"));
        PaintContext done = contextAt(test::scheduled(schedule), p->moment);
        QVERIFY(!makeLaunchMapView()->prediction(done));
    }

    // On an H200 (132 SMs, 8 blocks of 256 threads each) there are 1,056 places: 1,057 blocks are two waves.
    void oneBlockMoreIsOneWaveMore() {
        for (const auto& [blocks, waves] : {std::pair(1056, 1), std::pair(1057, 2)}) {
            const PaintContext context = contextAt(tracedRun("vectorAdd", blocks * 256, Dim3{256}));
            QCOMPARE(makeLaunchMapView()->prediction(context)->number, std::uint64_t(waves));
            QCOMPARE(makeOccupancyView()->prediction(context)->number, std::uint64_t(8));
        }
    }

    // Slot 0 SLLLLSWSsB, slot 1 ESEWWEsBBB: two are ready in cycle 0, where slot 0 issues, and in cycle 5, where it does
    // again; in cycle 1 there is no choice.
    void whoIssuesNextIsAsked() {
        const auto view = makeSchedulerView();
        PaintContext context = contextAt(samples::tenCycles());
        auto p = view->prediction(context);
        QVERIFY(p);
        QVERIFY(p->asked == Asked::One);
        QVERIFY(p->truth == std::set<int>{0});
        QVERIFY(p->words.question.contains("cycle 0"));
        context.selection.time = p->moment;
        p = view->prediction(context);
        QVERIFY(p);
        QVERIFY(p->words.question.contains("cycle 5"));
        QVERIFY(p->truth == std::set<int>{0});
        QVERIFY(p->items[0].open && p->items[1].open);
        QVERIFY(p->items[0].note.contains("5 cycles ago"));
        QVERIFY(p->origin == Origin::Modelled);
    }

    // The same, four cycles at once. 0 to 3: slot 0, slot 1, nobody, nobody. 5 to 8: slots 0, 1, 0, 0.
    void whoIssuesInSeveralCyclesIsAsked() {
        const auto view = makeSchedulerView();
        PaintContext context = contextAt(samples::tenCycles());
        predictionLength.set(context.options, 4);
        auto p = view->prediction(context);
        QVERIFY(p && p->asked == Asked::Each && p->columns == 4 && p->items.size() == 12);
        QVERIFY(p->truth == (std::set<int>{0, 5, 10, 11}));
        QVERIFY2(p->words.truth.contains("2 of 4, of 2 warps; at most 1 in a row"), qPrintable(p->words.truth));
        context.selection.time = p->last();
        p = view->prediction(context);
        QVERIFY(p && p->truth == (std::set<int>{0, 5, 2, 3}));
        QCOMPARE(p->words.question, QString("Which warp issues in each of the cycles 5 to 8?"));
        QVERIFY(p->words.truth.contains("4 of 4, of 2 warps; at most 2 in a row"));
        context.selection.time = p->last();
        QVERIFY(!view->prediction(context));
        predictionLength.set(context.options, 12); // no more than there are
        context.selection.time = before;
        QCOMPARE(view->prediction(context)->columns, 10);
    }

    // What is known before the first cycle: slot 2 waits for a result until cycle 3, slot 4 for one beyond the four; slot 3
    // waits at a barrier, which others end; slot 5 is empty as far as cycle 2.
    void whatIsKnownOfSeveralCycles() {
        const auto view = makeSchedulerView();
        PaintContext context = contextAt(samples::lettersTrace(
            {{{"SESSEE"}}, {{"ESEEEE"}}, {{"LLLEEE"}}, {{"BBEEEE"}}, {{"LLLLLE"}}, {{"  EEEE"}}}));
        predictionLength.set(context.options, 4);
        const auto p = view->prediction(context);
        QVERIFY(p && p->items.size() == 28);
        QString open;
        for (const PredictedItem& item : p->items)
            open += item.open ? 'o' : '-';
        QCOMPARE(open, QString("oooooooo---ooooo------oooooo"));
        QVERIFY(p->items[8].note.contains("can issue from cycle 3"));
        QVERIFY(!p->items[12].note.contains("cycle 2")); // of the barrier nothing is told
        QVERIFY(p->truth == (std::set<int>{0, 5, 2, 3}));
    }

    // 3 1 7 0 4 1 6 3: neighbored adds (0,1) (2,3) (4,5) (6,7), then (0,2) (4,6), then (0,4); interleaved (0,4) (1,5)
    // (2,6) (3,7) first.
    void theAdditionsAreAsked() {
        const auto view = makeReductionView();
        PaintContext context = contextAt(tracedRun("reduceNeighbored", 8, Dim3{8}, {{"data", 1}}));
        auto p = view->prediction(context);
        QVERIFY(p);
        QVERIFY(p->asked == Asked::Links);
        QCOMPARE(p->items[2].label, QString("7"));
        QVERIFY(p->links == Guess::from("0-1,2-3,4-5,6-7").links);
        context.selection.time = p->moment;
        // The step's other additions are of the same moment or later ones: the next question is the next step.
        while (p && p->links.size() == 4) {
            context.selection.time = p->moment;
            p = view->prediction(context);
        }
        QVERIFY(p);
        QVERIFY(p->links == Guess::from("0-2,4-6").links);
        context = contextAt(tracedRun("reduceInterleaved", 8, Dim3{8}, {{"data", 1}}));
        QVERIFY(view->prediction(context)->links == Guess::from("0-4,1-5,2-6,3-7").links);
        // A trace without its source shows the line of the PTX.
        const auto without = std::make_shared<Trace>(*context.trace);
        QVERIFY(!without->kernels.front().source.empty());
        without->kernels.front().source.clear();
        context.trace = without;
        const QString code = view->prediction(context)->words.code;
        QVERIFY2(code.contains(QStringLiteral("%r")), qPrintable(code));
    }

    // The board is composed by the view itself from its options, and a covered view holds nothing of the trace.
    void aBoardTellsNothingBeforeItIsChecked() {
        const auto view = makeLanesView();
        PaintContext context = contextAt(samples::mathKernel(false));
        const QRectF area(0, 0, 900, 600);
        predicting().set(context.options, Predicting::Asked);
        const PicturePtr asked = view->compose(context, area);
        QVERIFY(predictionOf(asked.get()));
        QVERIFY(asked->csv().isEmpty());
        // Two kernels that part their lanes otherwise look the same as long as they are asked for.
        const auto pixels = [&](const PicturePtr& picture) {
            QImage image(900, 600, QImage::Format_ARGB32_Premultiplied);
            QPainter painter(&image);
            paintPicture(*picture, painter);
            return image;
        };
        PaintContext other = context;
        auto changed = std::make_shared<Trace>(*context.trace);
        EventTable events;
        for (const Warp& warp : changed->warps)
            for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
                Event event = context.trace->event(warp, n);
                if (event.kind == EventKind::Branch)
                    event.taken = LaneMask{0x0000ffff};
                events.push((event.time - warp.start).value, event.site, event.kind, event.active, event.taken);
            }
        changed->events = std::move(events);
        other.trace = changed;
        QVERIFY(view->compose(other, area)->context.trace != context.trace);
        QCOMPARE(pixels(view->compose(other, area)), pixels(asked));
        for (PaintContext* c : {&context, &other})
            predicting().set(c->options, Predicting::Shown);
        QVERIFY(pixels(view->compose(other, area)) != pixels(view->compose(context, area)));
        for (PaintContext* c : {&context, &other})
            predicting().set(c->options, Predicting::Cover);
        QCOMPARE(pixels(view->compose(other, area)), pixels(view->compose(context, area)));
    }
};

WARPGLASS_QT_TEST(TestPrediction)
#include "test_prediction.moc"
