// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions that are painted in the views' own pictures.
#include "tests/qt_tests.h"
#include "tests/views/launchmap_traces.h"
#include "tests/views/pictures.h"
#include "tests/views/predictions.h"
#include "tests/views/sample_traces.h"
#include "tests/views/scheduler_traces.h"
#include "tests/views/text_places.h"
#include "views/common/prediction_picture.h"
#include "views/lanes/lanes_view.h"
#include "views/launchmap/launchmap_view.h"
#include "views/memory/memory_view.h"
#include "views/reduction/reduction_view.h"
#include "views/scheduler/scheduler_view.h"

#include <QtTest>

using namespace warpglass;
using namespace predictions;

class TestPredictionStage : public QObject {
    Q_OBJECT
private slots:
    // Optimised, the side that goes on after "if (idx >= n)" (line 12) begins with an address that belongs to line 9: it is
    // asked about a line below the branch, or about what follows.
    void whatIsGoneIntoLiesBelow() {
        const auto view = makeLanesView();
        PaintContext context = contextAt(tracedRun("reduceNeighbored", 128, Dim3{64}, {}, CompileMode::Optimised));
        int below = 0;
        while (const auto p = view->prediction(context)) {
            static const QRegularExpression into(QStringLiteral("into line (\\d+)")), from(QStringLiteral("^ *(\\d+)"));
            if (const auto line = into.match(p->words.question); line.hasMatch()) {
                const int branch = from.match(p->words.code).captured(1).toInt();
                QVERIFY2(line.captured(1).toInt() > branch, qPrintable(p->words.question + p->words.code));
                below += branch == 12;
            }
            context.selection.time = p->last();
        }
        QCOMPARE(below, 1);
    }

    // A counter of a block in shared memory, to which all lanes add that find a number above the threshold: they ask for one
    // word, so that nobody collides, however many they are.
    void sharedAtomicsAtOneWordDoNotCollide() {
        const auto view = makeMemoryView();
        PaintContext context = contextAt(tracedRun("atomicTwoLevel", 128, Dim3{64}));
        int atomics = 0;
        while (const auto p = view->prediction(context)) {
            if (p->words.given.value(0).startsWith(QLatin1String("atomic on shared memory"))) {
                ++atomics;
                QVERIFY(p->truth.empty());
                QCOMPARE(p->items.size(), 32);
                QVERIFY(p->words.truth.endsWith(QLatin1String("passes: 1.")));
            }
            context.selection.time = p->last();
        }
        QVERIFY(atomics > 0);
    }

    // The lanes are painted in the view's own step: 32 cells one below the other. Before it is played nothing of it is drawn;
    // then the even lanes are filled as the view fills those that go on, and what was painted stands at their right ends.
    void lanesArePaintedInTheView() {
        const auto view = makeLanesView();
        PaintContext context = contextAt(samples::mathKernel(false));
        predicting().set(context.options, Predicting::Asked);
        const QRectF area(0, 0, 760, 560);
        const PicturePtr asked = view->compose(context, area);
        QVERIFY(predictionStaged(asked.get()));
        for (int lane = 1; lane < 32; ++lane) {
            const QRectF above = predictedCell(*asked, lane - 1), cell = predictedCell(*asked, lane);
            QVERIFY(area.contains(cell) && cell.height() >= 6 && cell.width() >= 40);
            QVERIFY(qFuzzyCompare(cell.left(), above.left()) && cell.top() >= above.bottom());
        }
        const auto marked = [&](const PaintContext& c, int lane) {
            const QImage image = samples::pictureOf(*view, c, area.size().toSize());
            const QRectF cell = predictedCell(*view->compose(c, area), lane);
            const QRect where = QRectF(cell.left(), cell.top(), cell.width() / 2, cell.height()).toRect();
            return samples::pixelsLike(image, c.theme.laneOn, where) > 20;
        };
        QVERIFY(!marked(context, 0) && !marked(context, 1));
        predictionGuess.set(context.options, QStringLiteral("0,1"));
        predicting().set(context.options, Predicting::Shown);
        const PicturePtr shown = view->compose(context, area);
        QCOMPARE(predictedCell(*shown, 5), predictedCell(*asked, 5)); // nothing moves
        for (int lane = 0; lane < 32; ++lane)
            QCOMPARE(marked(context, lane), lane % 2 == 0);
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-lanes-shown"));
        predictionWay.set(context.options, 0.0); // it begins to play: nothing has been decided
        QVERIFY(!marked(context, 0) && !marked(context, 30));
        predictionWay.set(context.options, 0.2); // the lanes decide from lane 0 down
        QVERIFY(marked(context, 0) && !marked(context, 30));
        // Where there is no room for a hand in the view, there is the board.
        QVERIFY(!predictionStaged(view->compose(context, QRectF(0, 0, 500, 300)).get()));
    }

    // Stride 2: of four lines and more that are shown the first two are moved, sector by sector as the lanes ask.
    void sectorsArePaintedInTheView() {
        const auto view = makeMemoryView();
        PaintContext context = contextAt(tracedRun("strided", 256, Dim3{64}, {{"stride", 2}}));
        predicting().set(context.options, Predicting::Asked);
        const QRectF area(0, 0, 800, 600);
        const PicturePtr asked = view->compose(context, area);
        QVERIFY(predictionStaged(asked.get()));
        const int sectors = int(predictionOf(asked.get())->items.size());
        QVERIFY(sectors >= 16);
        const auto moved = [&](const PaintContext& c) {
            const PicturePtr picture = view->compose(c, area);
            const QImage image = samples::pictureOf(*view, c, area.size().toSize());
            std::set<int> filled;
            for (int i = 0; i < sectors; ++i) {
                const QRectF cell = predictedCell(*picture, i);
                if (samples::pixelsLike(image, c.theme.laneOn,
                                        QRectF(cell.topLeft(), QSizeF(cell.width() / 2, cell.height())).toRect()) > 20)
                    filled.insert(i);
            }
            return filled;
        };
        QVERIFY(moved(context).empty());
        predicting().set(context.options, Predicting::Shown);
        QVERIFY(moved(context) == upTo(8));
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-sectors"));
        predictionWay.set(context.options, 0.5); // lanes 0 to 15: 16 x 8 bytes, four sectors
        QVERIFY(moved(context) == upTo(4));
        context = contextAt(tracedRun("transpose_smem", 64, Dim3{32, 32}));
        context.options["space"] = "shared";
        predicting().set(context.options, Predicting::Asked);
        const PicturePtr banks = view->compose(context, area);
        QVERIFY(predictionStaged(banks.get()));
        QCOMPARE(predictedCell(*banks, 31).top(), predictedCell(*banks, 0).top());
        predicting().set(context.options, Predicting::Shown);
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-banks"));
    }

    // 64 numbers close to each other: no sign of a right, a missed or a wrong addition covers the thread that adds.
    void signsOfAdditionsKeepOffTheThreads() {
        const auto view = makeReductionView();
        PaintContext context = contextAt(tracedRun("reduceNeighbored", 64, Dim3{64}));
        context.clickable = true;
        predicting().set(context.options, Predicting::Asked);
        const QRectF area(0, 0, 1360, 640);
        const PicturePtr asked = view->compose(context, area);
        QVERIFY(predictionStaged(asked.get()));
        predictionGuess.set(context.options, QStringLiteral("0-1,3-5,8-18"));
        predicting().set(context.options, Predicting::Shown);
        const QImage image = samples::pictureOf(*view, context, area.size().toSize());
        int least = 1000, most = 0;
        for (int i = 0; i < 64; i += 2) { // of each node that adds: what is seen of it
            const QRectF cell = predictedCell(*asked, i);
            const QRectF below(cell.left(), cell.bottom() + 4, cell.width(), 1.8 * cell.height());
            const int seen = samples::pixelsLike(image, context.theme.category(1), below.toRect());
            least = std::min(least, seen);
            most = std::max(most, seen);
        }
        QVERIFY2(least >= 20, qPrintable(QStringLiteral("%1 to %2 px of each node").arg(least).arg(most)));
    }

    // 3 1 7 0 4 1 6 3: eight cells in a row. Nothing is drawn below them before it is played; then the four sums stand at
    // columns 0, 2, 4, 6 (neighbored), and a sign at each.
    void additionsAreLinkedInTheTree() {
        const auto view = makeReductionView();
        PaintContext context = contextAt(tracedRun("reduceNeighbored", 8, Dim3{8}, {{"data", 1}}));
        context.clickable = true;
        predicting().set(context.options, Predicting::Asked);
        const QRectF area(0, 0, 800, 600);
        const PicturePtr asked = view->compose(context, area);
        QVERIFY(predictionStaged(asked.get()));
        for (int i = 1; i < 8; ++i) {
            QCOMPARE(predictedCell(*asked, i).top(), predictedCell(*asked, 0).top());
            QVERIFY(predictedCell(*asked, i).left() >= predictedCell(*asked, i - 1).right());
        }
        const auto summed = [&](const PaintContext& c) { // columns below which a thread's node is
            const QImage image = samples::pictureOf(*view, c, area.size().toSize());
            std::set<int> columns;
            for (int i = 0; i < 8; ++i) {
                const QRectF cell = predictedCell(*asked, i);
                const QRectF below(cell.left(), cell.bottom() + 4, cell.width(), 2 * cell.height());
                if (samples::pixelsLike(image, c.theme.category(1), below.toRect()) > 60)
                    columns.insert(i);
            }
            return columns;
        };
        QVERIFY(summed(context).empty());
        // By mouse: two clicks are a link; by keys: Home is 0, and Space at both ends.
        const auto click = [&](int item) {
            const Spot spot = view->compose(context, area)->spotAt(predictedCell(*asked, item).center());
            QVERIFY(spot.click);
            context.options = spot.click->options;
        };
        click(2);
        click(3);
        for (const int key : {Qt::Key_Home, Qt::Key_Space, Qt::Key_Right, Qt::Key_Space})
            QVERIFY(samples::answers(*view, area, context, KeyInput{key, {}}));
        QCOMPARE(predictionGuess.of(context.options), QString("0-1,2-3"));
        predictionGuess.set(context.options, QStringLiteral("0-1,2-3,0-4"));
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()),
                      QStringLiteral("predict-additions-asked"));
        predicting().set(context.options, Predicting::Shown);
        QVERIFY(summed(context) == (std::set<int>{0, 2, 4, 6}));
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-additions"));
        predictionWay.set(context.options, 0.0);
        QVERIFY(summed(context).empty());
        // 256 threads: the partner of one element is pointed at in the row. Half way along the row it is 128 or so.
        context = contextAt(tracedRun("reduceInterleaved", 256, Dim3{256}, {{"data", 1}}));
        predicting().set(context.options, Predicting::Asked);
        const PicturePtr wide = view->compose(context, area);
        QVERIFY(predictionStaged(wide.get()) && predictionOf(wide.get())->asked == Asked::Number);
        QCOMPARE(predictionOf(wide.get())->number, std::uint64_t(128));
        std::set<std::uint64_t> pointed;
        for (int x = 0; x < 800; ++x)
            if (const Spot spot = wide->spotAt({double(x), 360}); spot.click)
                pointed.insert(Guess::from(predictionGuess.of(spot.click->options)).number.value_or(999));
        QVERIFY(pointed.size() == 256 && *pointed.rbegin() == 255); // each can be pointed at
        predictionGuess.set(context.options, QStringLiteral("#64"));
        predicting().set(context.options, Predicting::Shown);
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-partner"));
    }

    // 20 blocks: who says that the first wave ends with block 7 says 8 blocks a wave, 20 / 8 = 2.5: 3 waves; with block 3
    // 4 a wave, 5 waves.
    void wavesArePaintedInTheGrid() {
        const auto view = makeLaunchMapView();
        test::Schedule schedule;
        schedule.grid = Dim3{20};
        PaintContext context = contextAt(test::scheduled(schedule));
        context.clickable = true;
        predicting().set(context.options, Predicting::Asked);
        const QRectF area(0, 0, 900, 600);
        const PicturePtr asked = view->compose(context, area);
        QVERIFY(predictionStaged(asked.get()));
        std::map<int, QPointF> blocks; // that the grid offers, and where
        for (int y = 0; y < 600; y += 4)
            for (int x = 0; x < 900; x += 4)
                if (const Spot spot = asked->spotAt({double(x), double(y)}); spot.click)
                    if (const Guess guess = Guess::from(predictionGuess.of(spot.click->options)); !guess.items.empty())
                        blocks[*guess.items.begin()] = QPointF(x, y);
        QCOMPARE(blocks.size(), std::size_t(20));
        const auto guessed = [&](int block) { return predictionGuess.of(asked->spotAt(blocks[block]).click->options); };
        QCOMPARE(guessed(7), QString("#3,7"));
        QCOMPARE(guessed(3), QString("#5,3"));
        QCOMPARE(guessed(19), QString("#1,19"));
        DragInput drag;
        drag.from = blocks[0];
        drag.to = blocks[7];
        drag.begins = true;
        QVERIFY(samples::answers(*view, area, context, drag));
        QCOMPARE(predictionGuess.of(context.options), QString("#3,7"));
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-waves-asked"));
        QVERIFY(samples::answers(*view, area, context, KeyInput{Qt::Key_Up, {}})); // the number, stepped
        QCOMPARE(predictionGuess.of(context.options), QString("#4"));
        QVERIFY(samples::answers(*view, area, context, KeyInput{Qt::Key_3, {}}));
        // Once it has been played, the outlines of the waves that ran stand beside those of the guess.
        predicting().set(context.options, Predicting::Shown);
        const auto marks = [&](const QColor& colour) {
            return samples::pixelsLike(samples::pictureOf(*view, context, area.size().toSize()), colour,
                                       QRect(0, 150, 450, 330));
        };
        predictionGuess.set(context.options, QStringLiteral("#3,7"));
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-waves-right"));
        QVERIFY(marks(context.theme.good) > 100 && marks(context.theme.wrong) == 0);
        predictionGuess.set(context.options, QStringLiteral("#5,3"));
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-waves-wrong"));
        QVERIFY(marks(context.theme.good) > 100 && marks(context.theme.wrong) > 50);
        predictionWay.set(context.options, 0.5); // while it is played nobody is told
        const QImage wrong = samples::pictureOf(*view, context, area.size().toSize()).copy(0, 160, 900, 440);
        predictionGuess.set(context.options, QStringLiteral("#3,7"));
        QCOMPARE(samples::pictureOf(*view, context, area.size().toSize()).copy(0, 160, 900, 440), wrong);
    }

    // Slot 0 SLLLLSWSsB, slot 1 ESEWWEsBBB: of cycle 5 the cells of both slots can be chosen; what they do in it is seen
    // once it has been played, and nothing of cycle 6.
    void whoIssuesIsChosenInTheRows() {
        const auto view = makeSchedulerView();
        PaintContext context = contextAt(samples::tenCycles());
        context.clickable = true;
        context.selection.time = view->prediction(context)->moment;
        predicting().set(context.options, Predicting::Asked);
        const QRectF area(0, 0, 800, 500);
        const PicturePtr asked = view->compose(context, area);
        QVERIFY(predictionStaged(asked.get()));
        const QRectF first = predictedCell(*asked, 0), second = predictedCell(*asked, 1);
        QVERIFY(qFuzzyCompare(first.left(), second.left()) && second.top() >= first.bottom());
        QVERIFY(first.width() >= 26 && first.height() >= 14);
        const Spot spot = asked->spotAt(second.center());
        QVERIFY(spot.click);
        QCOMPARE(predictionGuess.of(spot.click->options), QString("1"));
        for (const int key : {Qt::Key_Home, Qt::Key_Down, Qt::Key_Space, Qt::Key_Up, Qt::Key_Space})
            QVERIFY(samples::answers(*view, area, context, KeyInput{key, {}}));
        QCOMPARE(predictionGuess.of(context.options), QString("0"));
        const auto issued = [&](const QRectF& cell) {
            const QImage image = samples::pictureOf(*view, context, area.size().toSize());
            return samples::pixelsLike(image, context.theme.state(WarpState::Selected),
                                       QRectF(cell.topLeft(), QSizeF(cell.width() / 2, cell.height())).toRect()) > 20;
        };
        predictionGuess.set(context.options, QString());
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-issue-asked"));
        samples::TextPlaces device(area.size().toSize()); // nor is it told how long a warp still waits
        QPainter painter(&device);
        view->compose(context, area)->paint(painter);
        QVERIFY(!device.places().isEmpty());
        for (const samples::TextPlace& place : device.places())
            QVERIFY2(!place.text.contains(QStringLiteral(" left")), qPrintable(place.text));
        QVERIFY(!issued(first) && !issued(second));
        predictionGuess.set(context.options, QStringLiteral("1"));
        predicting().set(context.options, Predicting::Shown);
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-issue"));
        QVERIFY(issued(first) && !issued(second));
        const QImage image = samples::pictureOf(*view, context, area.size().toSize());
        QVERIFY(samples::pixelsLike(image, context.theme.wrong, second.toRect()) > 20);
        predictionWay.set(context.options, 0.0);
        QVERIFY(!issued(first));
    }

    // Four cycles at once: two rows and the scheduler's strip by four columns. They are played one after the other: of cycles 0
    // to 3 the first two have an instruction, of slot 0 and of slot 1.
    void whoIssuesInSeveralCyclesIsChosenInTheRows() {
        const auto view = makeSchedulerView();
        PaintContext context = contextAt(samples::tenCycles());
        context.clickable = true;
        predictionLength.set(context.options, 4);
        predicting().set(context.options, Predicting::Asked);
        const QRectF area(0, 0, 900, 500);
        const PicturePtr asked = view->compose(context, area);
        QVERIFY(predictionStaged(asked.get()));
        for (int i = 0; i < 12; ++i) {
            const QRectF cell = predictedCell(*asked, i);
            QVERIFY(area.contains(cell) && cell.width() >= 20 && cell.height() >= 10);
            QVERIFY(i % 4 == 0 || cell.left() >= predictedCell(*asked, i - 1).right());
            QVERIFY(i < 4 || cell.top() >= predictedCell(*asked, i - 4).bottom());
        }
        // Slot 0, then slot 1, then nobody twice: by click, by keys.
        const Spot spot = asked->spotAt(predictedCell(*asked, 0).center());
        QVERIFY(spot.click);
        QVERIFY2(spot.toolTip.startsWith("cycle 0: block (0), warp 0: ready"), qPrintable(spot.toolTip));
        context.options = spot.click->options;
        for (const int key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Space, Qt::Key_Right, Qt::Key_Down, Qt::Key_Space,
                              Qt::Key_Right, Qt::Key_Space})
            QVERIFY(samples::answers(*view, area, context, KeyInput{key, {}}));
        QCOMPARE(predictionGuess.of(context.options), QString("0,5,10,11"));
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-issues-asked"));
        const auto issued = [&](int item) {
            const QRectF cell = predictedCell(*asked, item);
            const QImage image = samples::pictureOf(*view, context, area.size().toSize());
            return samples::pixelsLike(image, context.theme.state(WarpState::Selected),
                                       QRectF(cell.topLeft(), QSizeF(cell.width() / 2, cell.height())).toRect()) > 20;
        };
        predicting().set(context.options, Predicting::Shown);
        predictionGuess.set(context.options, QStringLiteral("0,1,11"));
        samples::keep(samples::pictureOf(*view, context, area.size().toSize()), QStringLiteral("predict-issues"));
        for (int item = 0; item < 8; ++item)
            QCOMPARE(issued(item), item == 0 || item == 5);
        predictionWay.set(context.options, 0.4); // the first cycle alone
        QVERIFY(issued(0) && !issued(5));
        predictionWay.set(context.options, 0.0);
        QVERIFY(!issued(0));
        // Where there is no room for a hand in the rows, there is a board of the same cells.
        predicting().set(context.options, Predicting::Asked);
        const PicturePtr board = view->compose(context, QRectF(0, 0, 420, 330));
        QVERIFY(!predictionStaged(board.get()));
        QVERIFY(predictedCell(*board, 11).top() > predictedCell(*board, 3).bottom());
    }
};

WARPGLASS_QT_TEST(TestPredictionStage)
#include "test_prediction_stage.moc"
