// SPDX-License-Identifier: GPL-3.0-or-later
// Predict, then play, with mouse and keyboard in the window.
#include "app/window/panels/step_strip.h"
#include "app/window/panels/view_area.h"
#include "app/window/play/transport_bar.h"
#include "app/window/predict/predict_desk.h"
#include "app/window/sides/side_dock.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/prediction_picture.h"

using namespace warpglass;

class TestWindowPredict : public QObject, WindowFixture {
    Q_OBJECT
    PredictDesk& desk() { return m_window->prediction(); }
    ViewWidget& view() { return *m_window->views().current(); }
    Predicting stateOf(const ViewWidget& widget) { return predicting().of(widget.context().options); }
    QPoint cell(int item) { return predictedCell(*view().picture(), item).center().toPoint(); }
    void clickAt(QPoint at) { QTest::mouseClick(&view(), Qt::LeftButton, Qt::NoModifier, at); }
    void clickButton() { clickAt(predictionButton(*view().picture()).center().toPoint()); }

    // Two warps of mathKernel1: if (tid % 2 == 0) parts both.
    void open(const QString& viewKey) {
        RunRequest request;
        request.kernel = "mathKernel1";
        request.launch.size = 64;
        request.launch.block = Dim3{64};
        request.launch.mode = CompileMode::AsWritten;
        request.options.detail.accesses = request.accesses = true;
        m_window->run(request);
        settle();
        m_window->views().showView(viewKey);
        m_window->selection().setTime(m_window->current()->trace->range().begin);
    }
    // 3 1 7 0 4 1 6 3, summed by neighbours in one block.
    void runEightNumbers() {
        RunRequest request;
        request.kernel = "reduceNeighbored";
        request.launch.size = 8;
        request.launch.block = Dim3{8};
        request.launch.set["data"] = 1;
        request.options.detail.accesses = request.accesses = true;
        m_window->run(request);
        settle();
    }
    // The question about the if itself: there may be one about the end of the data before it.
    void comeToTheIf() {
        for (int i = 0; i < 5 && desk().asked() && desk().asked()->truth.size() != 16; ++i) {
            desk().onward();
            desk().onward();
        }
        QVERIFY(desk().asked() && desk().asked()->truth.size() == 16);
    }
    // The scheduler's view asks about mathKernel1 from its first cycle on: 32 warps of a block on four schedulers.
    void askWhoIssues() {
        RunRequest request;
        request.kernel = "mathKernel1";
        request.launch.size = 1024;
        request.launch.block = Dim3{1024};
        request.options.timing = true;
        m_window->run(request);
        settle();
        m_window->views().showView(QStringLiteral("scheduler"));
        m_window->selection().setTime(m_window->current()->trace->range().begin - Time{1});
        desk().start();
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("predict")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void theMouseMarksLanesAndTheDifferencesAreCounted() {
        open(QStringLiteral("lanes"));
        m_window->action(QStringLiteral("predict"))->trigger();
        QVERIFY(desk().state() == PredictDesk::State::Asking);
        comeToTheIf();
        const int before = desk().score().questions;
        // Even lanes but 2, and lane 3 by mistake: 30 of 32 are right.
        for (int lane = 0; lane < 32; lane += 2)
            if (lane != 2)
                clickAt(cell(lane));
        clickAt(cell(3));
        clickButton();
        QVERIFY(desk().state() == PredictDesk::State::Shown);
        QVERIFY(stateOf(view()) == Predicting::Shown);
        QCOMPARE(desk().score().questions, before + 1);
        const Guess guess = Guess::from(predictionGuess.of(view().context().options));
        QCOMPARE(judge(*desk().asked(), guess).right, 30);
        QCOMPARE(verdict(*desk().asked(), guess),
                 QString("30 of 32 lanes right; lane 2: go on; lane 3: do not go on."));
        QTest::keyClick(&view(), Qt::Key_Escape);
        QVERIFY(!desk().on());
        QVERIFY(stateOf(view()) == Predicting::Off);
        QVERIFY(!view().context().options.contains(QLatin1String(predictionGuess.key)));
    }

    // The score of what was asked before stands beside the next question, in the language that is chosen now.
    void theScoreSpeaksTheLanguageOfNow() {
        open(QStringLiteral("lanes"));
        desk().start();
        comeToTheIf();
        desk().onward(); // nothing was marked
        const auto score = [&] { return predictionScore.of(view().context().options); };
        const QString english = score();
        QVERIFY2(english.contains(QStringLiteral("questions wholly right")), qPrintable(english));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QVERIFY2(score().contains(QStringLiteral("题全对")), qPrintable(score()));
        QVERIFY2(!view().accessibleDescription().contains(QStringLiteral("lanes right")),
                 qPrintable(view().accessibleDescription()));
        QVERIFY(desk().state() == PredictDesk::State::Shown);
        m_window->setLanguage(QStringLiteral("en"));
        QCOMPARE(score(), english);
    }

    // After Enter the moment is played in the view that asked: its lanes decide one after the other, and then it is judged.
    void theMomentIsPlayedInTheView() {
        open(QStringLiteral("lanes"));
        desk().start();
        comeToTheIf();
        QVERIFY(predictionStaged(view().picture()));
        std::vector<double> ways;
        connect(&view(), &ViewWidget::optionsChanged, this, [&] {
            if (stateOf(view()) == Predicting::Shown)
                ways.push_back(predictionWay.of(view().context().options));
        });
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(desk().state() == PredictDesk::State::Shown);
        QTRY_VERIFY_WITH_TIMEOUT(!ways.empty() && ways.back() >= 1 && ways.size() > 3, 60000);
        const auto first = std::find(ways.begin(), ways.end(), 0.0); // from its beginning
        QVERIFY(first != ways.end() && std::is_sorted(first, ways.end()));
        QVERIFY(std::any_of(first, ways.end(), [](double way) { return way > 0 && way < 1; }));
        QTest::keyClick(&view(), Qt::Key_Escape);
        QVERIFY(!view().context().options.contains(QLatin1String(predictionWay.key)));
        // Without motion the answer is there at once.
        m_window->action(QStringLiteral("still"))->trigger();
        desk().start();
        ways.clear();
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(desk().state() == PredictDesk::State::Shown);
        QTest::qWait(100);
        QVERIFY(std::all_of(ways.begin(), ways.end(), [](double way) { return way == 1; }));
        m_window->action(QStringLiteral("still"))->trigger();
    }

    void aDragPaintsLanes() {
        open(QStringLiteral("lanes"));
        desk().start();
        const QPoint from = cell(0), to = cell(3);
        QTest::mousePress(&view(), Qt::LeftButton, Qt::NoModifier, from);
        for (int step = 1; step <= 8; ++step)
            QTest::mouseMove(&view(), from + (to - from) * step / 8);
        QTest::mouseRelease(&view(), Qt::LeftButton, Qt::NoModifier, to);
        QCOMPARE(predictionGuess.of(view().context().options), QString("0,1,2,3"));
    }

    void theKeyboardDoesTheSame() {
        open(QStringLiteral("lanes"));
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(desk().state() == PredictDesk::State::Asking);
        comeToTheIf();
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Home);
        for (int lane = 0; lane < 32; ++lane) {
            if (lane % 2 == 0)
                QTest::keyClick(&view(), Qt::Key_Space); // which plays nothing meanwhile
            QTest::keyClick(&view(), Qt::Key_Right);
        }
        const PredictionScore score = desk().score();
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(desk().state() == PredictDesk::State::Shown);
        QCOMPARE(desk().score().whole, score.whole + 1);
        QCOMPARE(desk().score().right, score.right + 32);
        QTest::keyClick(&view(), Qt::Key_Return); // the next question, or none
        QVERIFY(desk().state() != PredictDesk::State::Shown);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(!desk().on());
    }

    // 1,057 blocks of 256 threads on 132 SMs with 8 places each: 1,056 places, two waves. Who paints up to a block of the
    // grid's second half says two; keys say it by the number.
    void wavesArePaintedByMouseAndKeys() {
        RunRequest request;
        request.kernel = "vectorAdd";
        request.launch.size = 1057 * 256;
        request.launch.block = Dim3{256};
        m_window->run(request);
        settle();
        m_window->views().showView(QStringLiteral("launchmap"));
        m_window->selection().setTime(m_window->current()->trace->range().begin - Time{1});
        desk().start();
        QVERIFY(desk().state() == PredictDesk::State::Asking);
        QVERIFY(predictionStaged(view().picture()));
        const auto guess = [&] { return Guess::from(predictionGuess.of(view().context().options)); };
        QPoint two, three;
        for (int y = 0; y < view().height(); y += 3)
            for (int x = 0; x < view().width(); x += 3)
                if (const Spot spot = view().picture()->spotAt(QPointF(x, y)); spot.click) {
                    const Guess there = Guess::from(predictionGuess.of(spot.click->options));
                    if (!there.items.empty() && there.number == std::uint64_t(2))
                        two = {x, y};
                    else if (!there.items.empty() && there.number == std::uint64_t(3))
                        three = {x, y};
                }
        QVERIFY(!two.isNull() && !three.isNull());
        clickAt(three);
        QCOMPARE(*guess().number, std::uint64_t(3));
        QTest::mousePress(&view(), Qt::LeftButton, Qt::NoModifier, three);
        QTest::mouseMove(&view(), (two + three) / 2);
        QTest::mouseMove(&view(), two);
        QTest::mouseRelease(&view(), Qt::LeftButton, Qt::NoModifier, two);
        QCOMPARE(*guess().number, std::uint64_t(2));
        const PredictionScore score = desk().score();
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(desk().state() == PredictDesk::State::Shown);
        QCOMPARE(desk().score().whole, score.whole + 1);
        QTRY_VERIFY_WITH_TIMEOUT(predictionWay.of(view().context().options) >= 1, 60000);
        QTest::keyClick(&view(), Qt::Key_Escape);
        m_window->selection().setTime(m_window->current()->trace->range().begin - Time{1});
        desk().start();
        view().setFocus();
        for (const Qt::Key key : {Qt::Key_4, Qt::Key_Down, Qt::Key_Down})
            QTest::keyClick(&view(), key);
        QCOMPARE(guess().text(), QString("#2"));
        QTest::keyClick(&view(), Qt::Key_Return);
        QCOMPARE(desk().score().whole, score.whole + 2);
        QTest::keyClick(&view(), Qt::Key_Escape);
    }

    // Two questions in a row are answered in the rows of cycles: by a click, and by keys; each time the row that issues in
    // the trace is the right one.
    void whoIssuesIsChosenByMouseAndKeys() {
        askWhoIssues();
        QVERIFY(desk().state() == PredictDesk::State::Asking && desk().asked()->asked == Asked::One);
        QVERIFY(predictionStaged(view().picture()));
        const PredictionScore score = desk().score();
        const int first = *desk().asked()->truth.begin();
        clickAt(cell(first));
        clickButton();
        QVERIFY(desk().state() == PredictDesk::State::Shown);
        QCOMPARE(desk().score().whole, score.whole + 1);
        const Time moment = desk().asked()->moment;
        QTest::keyClick(&view(), Qt::Key_Return); // the next cycle
        QVERIFY(desk().state() == PredictDesk::State::Asking && desk().asked()->moment > moment);
        QVERIFY(predictionStaged(view().picture()));
        const int second = *desk().asked()->truth.begin();
        QTest::keyClick(&view(), Qt::Key_Home);
        for (int row = 0; row < second; ++row)
            QTest::keyClick(&view(), Qt::Key_Down);
        QTest::keyClick(&view(), Qt::Key_Space);
        QTest::keyClick(&view(), Qt::Key_Return);
        QCOMPARE(desk().score().whole, score.whole + 2);
        QTest::keyClick(&view(), Qt::Key_Escape);
    }

    // Four cycles at once: chosen by the board's button and by a key, answered by mouse and by keys, and counted one by one. The
    // next question begins behind them, and asks for as many.
    void whoIssuesInSeveralCyclesIsChosenByMouseAndKeys() {
        askWhoIssues();
        QVERIFY(desk().asked() && desk().asked()->asked == Asked::One && desk().asked()->longest >= 4);
        const Time moment = desk().asked()->moment;
        const auto buttonWith = [&](const QString& tip) {
            for (int y = 0; y < view().height(); y += 4)
                for (int x = 0; x < view().width(); x += 4)
                    if (view().picture()->spotAt(QPointF(x, y)).toolTip == tip)
                        return QPoint(x, y);
            return QPoint();
        };
        clickAt(buttonWith("Ask for more at once"));
        QCOMPARE(desk().asked()->columns, 2);
        QTest::keyClick(&view(), Qt::Key_Plus);
        QTest::keyClick(&view(), Qt::Key_Plus);
        QCOMPARE(desk().asked()->columns, 4);
        QVERIFY(desk().asked()->moment == moment && desk().state() == PredictDesk::State::Asking);
        QVERIFY(predictionStaged(view().picture()));
        const std::set<int> truth = desk().asked()->truth;
        QCOMPARE(truth.size(), std::size_t(4));
        int answered = 0;
        for (const int item : truth) { // two by mouse, one by keys; the fourth is left open
            if (answered < 2)
                clickAt(cell(item));
            if (answered == 2) {
                QTest::keyClick(&view(), Qt::Key_Home);
                for (int i = 0; i < item / 4; ++i)
                    QTest::keyClick(&view(), Qt::Key_Down);
                for (int i = 0; i < item % 4; ++i)
                    QTest::keyClick(&view(), Qt::Key_Right);
                QTest::keyClick(&view(), Qt::Key_Space);
            }
            ++answered;
        }
        const PredictionScore score = desk().score();
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(desk().state() == PredictDesk::State::Shown);
        QCOMPARE(desk().score().right, score.right + 3);
        QCOMPARE(desk().score().of, score.of + 4);
        const Time last = desk().asked()->last();
        QTRY_VERIFY_WITH_TIMEOUT(predictionWay.of(view().context().options) >= 1, 60000); // it has been played
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(desk().state() == PredictDesk::State::Asking && desk().asked()->moment > last);
        QCOMPARE(desk().asked()->length, 4);
        QTest::keyClick(&view(), Qt::Key_Escape);
    }

    // 3 1 7 0 4 1 6 3, neighbored: 0 + 1, 2 + 3, 4 + 5, 6 + 7. Two by mouse, two by keys: all four right, in the tree.
    void additionsAreLinkedByMouseAndKeys() {
        runEightNumbers();
        m_window->views().showView(QStringLiteral("reduction"));
        m_window->selection().setTime(m_window->current()->trace->range().begin - Time{1});
        desk().start();
        QVERIFY(desk().state() == PredictDesk::State::Asking && predictionStaged(view().picture()));
        QCOMPARE(cell(7).y(), cell(0).y()); // in the tree's row
        clickAt(cell(0));
        clickAt(cell(1));
        QTest::mousePress(&view(), Qt::LeftButton, Qt::NoModifier, cell(3));
        QTest::mouseMove(&view(), (cell(3) + cell(2)) / 2);
        QTest::mouseMove(&view(), cell(2));
        QTest::mouseRelease(&view(), Qt::LeftButton, Qt::NoModifier, cell(2));
        QTest::keyClick(&view(), Qt::Key_Home);
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(&view(), Qt::Key_Right);
        for (int i = 4; i < 8; ++i) {
            QTest::keyClick(&view(), Qt::Key_Space);
            QTest::keyClick(&view(), Qt::Key_Right);
        }
        QCOMPARE(predictionGuess.of(view().context().options), QString("0-1,2-3,4-5,6-7"));
        const PredictionScore score = desk().score();
        QTest::keyClick(&view(), Qt::Key_Return);
        QCOMPARE(desk().score().whole, score.whole + 1);
        QCOMPARE(desk().score().right, score.right + 4);
        std::vector<double> ways;
        connect(&view(), &ViewWidget::optionsChanged, this,
                [&] { ways.push_back(predictionWay.of(view().context().options)); });
        QTRY_VERIFY_WITH_TIMEOUT(predictionWay.of(view().context().options) >= 1 && !ways.empty(), 60000); // it plays
        QTest::keyClick(&view(), Qt::Key_Escape);
    }

    // A scan adds nothing to its first elements: no question asks for a pair of an element with itself, which no hand can draw.
    void aScanAsksForPairsAlone() {
        RunRequest request;
        request.kernel = WARPGLASS_SOURCE_DIR "/resources/exercises/half-the-barriers.ptx";
        request.launch.grid = Dim3{1};
        request.launch.block = Dim3{16};
        request.arguments = {"out:i32[16]=0", "in:i32[16]=iota"};
        request.options.detail.accesses = request.accesses = true;
        m_window->run(request);
        settle();
        m_window->views().showView(QStringLiteral("reduction"));
        m_window->selection().setTime(m_window->current()->trace->range().begin - Time{1});
        desk().start();
        for (int i = 0; i < 6 && desk().asked(); ++i) {
            for (const PredictedLink& link : desk().asked()->links)
                QVERIFY2(link.first != link.second, qPrintable(truthOf(*desk().asked()).text()));
            desk().onward();
            desk().onward();
        }
        desk().stop();
    }

    void nothingTellsMeanwhile() {
        open(QStringLiteral("lanes"));
        desk().start();
        for (int i = 0; i < m_window->views().count(); ++i)
            if (ViewWidget* other = m_window->views().at(i); other != &view()) {
                QVERIFY(stateOf(*other) == Predicting::Cover);
                QVERIFY(!other->picture() || !predictionOf(other->picture()));
            }
        QVERIFY(!m_window->transport().isEnabled());
        QVERIFY(!m_window->transport().isVisible()); // its strip tells when something happens
        for (const char* name : {"play", "stepForward", "toEnd", "nextEvent"})
            QVERIFY2(!m_window->action(QLatin1String(name))->isEnabled(), name);
        QVERIFY(m_window->selection().get().time < desk().asked()->moment);
        // Another view asks a question of its own, or says that it has none; it does not show itself.
        m_window->views().showView(QStringLiteral("memory"));
        QVERIFY(stateOf(view()) == Predicting::Asked);
        QVERIFY(desk().asked()->words.question.contains("sectors"));
        QVERIFY(predictionStaged(view().picture()));
        m_window->views().showView(QStringLiteral("charts"));
        QVERIFY(desk().state() == PredictDesk::State::Nothing);
        QVERIFY(stateOf(view()) == Predicting::Cover);
        desk().stop();
        for (int i = 0; i < m_window->views().count(); ++i)
            QVERIFY(stateOf(*m_window->views().at(i)) == Predicting::Off);
        QVERIFY(m_window->transport().isEnabled());
        QVERIFY(m_window->action(QStringLiteral("play"))->isEnabled());
    }

    void aNewRunAsksAnew() {
        open(QStringLiteral("lanes"));
        desk().start();
        RunRequest request;
        request.kernel = "mathKernel2";
        request.launch.size = 64;
        request.launch.block = Dim3{64};
        request.launch.mode = CompileMode::AsWritten;
        m_window->run(request);
        settle();
        QVERIFY(desk().on());
        QVERIFY(stateOf(view()) == Predicting::Asked);
        QVERIFY(view().context().trace == m_window->current()->trace);
    }

    // From the board the view plays on, and the next question covers it again before its moment.
    void playingEndsBeforeTheNextQuestion() {
        open(QStringLiteral("reduction"));
        runEightNumbers();
        m_window->selection().setTime(m_window->current()->trace->range().begin);
        desk().start();
        QVERIFY(desk().asked() && desk().asked()->asked == Asked::Links);
        const Time first = desk().asked()->moment;
        desk().onward();
        QTest::keyClick(&view(), Qt::Key_Space);
        QVERIFY(desk().state() == PredictDesk::State::Playing);
        QVERIFY(stateOf(view()) == Predicting::Off);
        QTRY_VERIFY_WITH_TIMEOUT(desk().state() == PredictDesk::State::Asking, 60000);
        QVERIFY(desk().asked()->moment > first);
        QVERIFY(m_window->selection().get().time < desk().asked()->moment);
        QVERIFY(stateOf(view()) == Predicting::Asked);
    }

    // A lesson's step asks in the view; its text comes with the answer.
    void aLessonAsks() {
        m_window->startLesson(QStringLiteral("neighbored-or-interleaved"));
        settle();
        QTRY_VERIFY(desk().state() == PredictDesk::State::Asking);
        QCOMPARE(m_window->views().currentKey(), QStringLiteral("reduction"));
        QVERIFY(desk().asked()->links == Guess::from("0-1,2-3,4-5,6-7").links);
        QVERIFY(!child<QLabel>("stepAnswer")->isVisibleTo(m_window.get()));
        QVERIFY(!child<QLabel>("storyText")->isVisibleTo(m_window.get()));
        // Two elements are linked by a drag from one to the other.
        const QPoint from = cell(0), to = cell(1);
        QTest::mousePress(&view(), Qt::LeftButton, Qt::NoModifier, from);
        QTest::mouseMove(&view(), (from + to) / 2);
        QTest::mouseMove(&view(), to);
        QTest::mouseRelease(&view(), Qt::LeftButton, Qt::NoModifier, to);
        QCOMPARE(predictionGuess.of(view().context().options), QString("0-1"));
        clickButton();
        QVERIFY(desk().state() == PredictDesk::State::Shown);
        QVERIFY(child<QLabel>("stepAnswer")->isVisibleTo(m_window.get()));
        m_window->action(QStringLiteral("nextStep"))->trigger();
        QVERIFY(!desk().on());
        settle();
    }

    // From the start of a lesson to the right answer with Tab and Space alone, and on from the last lane to the button.
    void aQuestionIsAnsweredByKeys() {
        m_window->startLesson(
            QStringLiteral("one-warp-two-paths")); // which lanes enter the if of line 24? the even ones
        settle();
        for (int lane = 0; lane < 32; ++lane) {
            auto* at = qobject_cast<QToolButton*>(m_window->focusWidget());
            QVERIFY(at);
            QCOMPARE(at->text(), QString::number(lane));
            if (lane % 2 == 0)
                QTest::keyClick(at, Qt::Key_Space);
            QCOMPARE(at->isChecked(), lane % 2 == 0);
            QTest::keyClick(at, Qt::Key_Tab);
        }
        QCOMPARE(m_window->focusWidget()->objectName(), QStringLiteral("questionGive"));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Space);
        QTRY_VERIFY(child<QLabel>("stepAnswer")->text().startsWith(QStringLiteral("Right:")));
    }

    // "What happens?" is asked of a lock that hangs: that it hangs is not told before the answer, and told after it.
    void howARunEndedIsNotToldBeforeTheAnswer() {
        m_window->startLesson(QStringLiteral("independent-threads"));
        settle();
        QVERIFY(m_window->current()->fault);
        MessageBar& bar = *m_window->views().message;
        QVERIFY(child<QWidget>("questionCard")->isVisible());
        QVERIFY(!bar.isVisible());
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QVERIFY(!bar.isVisible());
        m_window->setLanguage(QStringLiteral("en"));
        emit m_window->views().question->answered({}, false);
        QTRY_VERIFY(bar.isVisible());
        QVERIFY(bar.text().contains(QStringLiteral("never finishes")));
    }
};

WARPGLASS_QT_TEST(TestWindowPredict)
#include "test_window_predict.moc"
