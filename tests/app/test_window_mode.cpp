// SPDX-License-Identifier: GPL-3.0-or-later
// One mode decides what is seen: which one it is, what its row of the table says, and that the window shows just that.
#include "app/window/features.h"
#include "app/window/model/window_mode.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <set>

using namespace warpglass;

namespace {

using M = WindowMode;

// Asks the shell for what a feature may ask, and hears what the shell tells.
class Listener : public Feature {
public:
    using Feature::Feature;
    void refresh() override { heard.insert(m_shell.seen().mode); }
    bool open(const QString& path) override {
        opened << path;
        return path.endsWith(QLatin1String(".mine"));
    }
    std::set<WindowMode> heard;
    QStringList opened;
};

} // namespace

class TestWindowMode : public QObject, WindowFixture {
    Q_OBJECT

    // What the window shows is what the row of its mode says.
    void compareWithRow(WindowMode mode) {
        const Seen& seen = m_window->shell().seen();
        QCOMPARE(int(seen.mode), int(mode));
        const WindowParts& p = *m_window->shell().parts;
        QCOMPARE(p.top->isVisible(), seen.desk);
        QCOMPARE(p.columns->isVisible(), seen.page == Front::Launch);
        QCOMPARE(m_window->feature<ProgramFeature>().page()->isVisible(), seen.page == Front::Program);
        QCOMPARE(m_window->feature<StartFeature>().page()->isVisible(), seen.page == Front::Start);
        QCOMPARE(p.leftDock->isVisible(), seen.left && !p.leftDock->isFolded());
        QCOMPARE(p.rightDock->isVisible(), seen.right && (!p.rightDock->isFolded() || !seen.desk));
        QCOMPARE(p.transport->isVisible(), seen.transport != Transport::None);
        QCOMPARE(p.views->header()->isVisible(), seen.tabs && seen.page == Front::Launch);
        QCOMPARE(p.views->columns()->widget(0)->isVisible(), seen.column);
        QCOMPARE(p.views->question->isVisible(), seen.card);
        QCOMPARE(m_window->differences().isVisible(), seen.answers && m_window->other() != nullptr);
        const QAction* play = m_window->action(QStringLiteral("play"));
        QCOMPARE(play->isEnabled(), seen.clock == Clock::Runs);
        QCOMPARE(m_window->action(QStringLiteral("nextEvent"))->isEnabled(),
                 seen.clock == Clock::Runs || seen.clock == Clock::Steps);
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("mode")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    // 3 pages x 3 arrangements x lesson, exercise, asking, predicting, presenting, code: 576 situations by hand. On the start
    // page nothing else counts (192), on the program's only who looks (96 and 96). A class with a launch has 96: a prediction
    // 48, a question 24, the code 12, a lesson 6, the rest 6. A person alone has 96, 32 in each arrangement: a prediction 16,
    // a question 8, the rest 8; but of the 16 of learning without a prediction an exercise without a lesson has 4, and a
    // question half of the other 12.
    void everySituationHasItsMode() {
        QMap<int, int> count;
        for (int bits = 0; bits < 576; ++bits) {
            const Situation now{.page = Front(bits / 192),
                                .arrangement = Arrangement(bits / 64 % 3),
                                .lesson = (bits & 1) != 0,
                                .exercise = (bits & 2) != 0,
                                .asking = (bits & 4) != 0,
                                .predicting = (bits & 8) != 0,
                                .presenting = (bits & 16) != 0,
                                .code = (bits & 32) != 0};
            const WindowMode mode = modeOf(now);
            ++count[int(mode)];
            QCOMPARE(int(seenIn(mode).page), int(now.page));
            QCOMPARE(seenIn(mode).desk, now.page == Front::Start || !now.presenting);
        }
        const QMap<int, int> byHand{{int(M::Start), 192},
                                    {int(M::Program), 96},
                                    {int(M::ClassProgram), 96},
                                    {int(M::ClassPrediction), 48},
                                    {int(M::ClassQuestion), 24},
                                    {int(M::ClassWithCode), 12},
                                    {int(M::ClassLesson), 6},
                                    {int(M::Class), 6},
                                    {int(M::LearnPrediction), 16},
                                    {int(M::Exercise), 4},
                                    {int(M::LearnQuestion), 6},
                                    {int(M::Learn), 6},
                                    {int(M::ExplorePrediction), 16},
                                    {int(M::ExploreQuestion), 8},
                                    {int(M::Explore), 8},
                                    {int(M::BuildPrediction), 16},
                                    {int(M::BuildQuestion), 8},
                                    {int(M::Build), 8}};
        QCOMPARE(count, byHand);
    }

    // Whatever asks is not answered beside it: no strip of the time that tells when, no code, no table.
    void whatAsksIsNotAnswered() {
        for (const Seen& row : seenTable()) {
            const bool asks = row.card || row.clock == Clock::Board;
            QVERIFY(!(asks && (row.answers || row.right)));
            QVERIFY(!(row.clock == Clock::Board && row.transport != Transport::None));
            const bool any = row.left || row.right || row.transport != Transport::None || row.card;
            QVERIFY(row.page == Front::Launch || !any);
        }
    }

    void theWindowShowsTheRowOfItsMode() {
        m_window->showStartPage(true);
        compareWithRow(M::Start);
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        compareWithRow(M::Explore);
        m_window->action(QStringLiteral("compare"))->trigger();
        settle();
        QVERIFY(m_window->other());
        compareWithRow(M::Explore);
        m_window->action(QStringLiteral("predict"))->trigger();
        compareWithRow(M::ExplorePrediction);
        m_window->setPresenting(true);
        compareWithRow(M::ClassPrediction);
        m_window->action(QStringLiteral("predict"))->trigger();
        compareWithRow(M::Class);
        m_window->action(QStringLiteral("presentCode"))->trigger();
        compareWithRow(M::ClassWithCode);
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        compareWithRow(M::ClassQuestion);
        m_window->setPresenting(false);
        compareWithRow(M::LearnQuestion);
    }

    // A card in the way of a board would leave the keys to what nobody sees.
    void aPredictionComesBeforeTheLessonsQuestion() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        compareWithRow(M::LearnQuestion);
        m_window->action(QStringLiteral("predict"))->trigger();
        compareWithRow(M::LearnPrediction);
        QVERIFY(m_window->views().current()->hasFocus());
        m_window->action(QStringLiteral("nextStep"))->trigger(); // checks the board; the card is not passed over
        QVERIFY(m_window->prediction().state() == PredictDesk::State::Shown);
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        compareWithRow(M::LearnQuestion);
    }

    // What was put away for a while comes back as it was, whatever came in between.
    void thePredictionIsStillThereBehindAProgram() {
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        m_window->action(QStringLiteral("predict"))->trigger();
        Shell& shell = m_window->shell();
        shell.showPage(Front::Program);
        compareWithRow(M::Program);
        shell.showPage(Front::Launch);
        compareWithRow(M::ExplorePrediction); // before, the transport stood there again, and its strip told
    }

    // A new feature: one that no other knows hears of each mode, and is offered what is opened.
    void aFeatureMoreIsToldAndAsked() {
        QMainWindow bare;
        auto* shell = new Shell(&bare);
        auto own = std::make_unique<Listener>(*shell);
        Listener& listener = *own;
        shell->add(std::move(own));
        addFeatures(*shell);
        shell->start();
        QCOMPARE(listener.heard, std::set<WindowMode>{M::Explore});
        shell->showPage(Front::Start);
        QVERIFY(listener.heard.count(M::Start));
        shell->open(QStringLiteral("/nowhere/a.mine"));
        QCOMPARE(listener.opened, QStringList{QStringLiteral("/nowhere/a.mine")});
        QVERIFY(!shell->busy()); // nobody else was asked
    }
};

WARPGLASS_QT_TEST(TestWindowMode)
#include "test_window_mode.moc"
