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
        QCOMPARE(p.leftDock->isVisible(), seen.left);
        QCOMPARE(p.rightDock->isVisible(), seen.right);
        QCOMPARE(p.transport->isVisible(), seen.transport);
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

    // 3 pages x asking x predicting x presenting x code, 48 situations by hand: on the start page nothing else counts (16),
    // on the program's only who looks (8 and 8). Of the 16 with a launch a prediction has 8, 4 for each audience; of the
    // other 8 a question has 4, 2 each; of the last 4 a person alone has 2, and the code divides the class's 2.
    void everySituationHasItsMode() {
        QMap<int, int> count;
        for (int bits = 0; bits < 48; ++bits) {
            const Situation now{.page = Front(bits / 16),
                                .asking = (bits & 1) != 0,
                                .predicting = (bits & 2) != 0,
                                .presenting = (bits & 4) != 0,
                                .code = (bits & 8) != 0};
            const WindowMode mode = modeOf(now);
            ++count[int(mode)];
            QCOMPARE(int(seenIn(mode).page), int(now.page));
            QCOMPARE(seenIn(mode).desk, now.page == Front::Start || !now.presenting);
        }
        const QMap<int, int> byHand{{int(M::Start), 16},        {int(M::Program), 8},         {int(M::ClassProgram), 8},
                                    {int(M::Prediction), 4},    {int(M::ClassPrediction), 4}, {int(M::Question), 2},
                                    {int(M::ClassQuestion), 2}, {int(M::Launch), 2},          {int(M::Class), 1},
                                    {int(M::ClassWithCode), 1}};
        QCOMPARE(count, byHand);
    }

    // Whatever asks is not answered beside it: no strip of the time that tells when, no code, no table.
    void whatAsksIsNotAnswered() {
        for (const Seen& row : seenTable()) {
            const bool asks = row.card || row.clock == Clock::Board;
            QVERIFY(!(asks && (row.answers || row.right)));
            QVERIFY(!(row.clock == Clock::Board && row.transport));
            QVERIFY(row.page == Front::Launch || !(row.left || row.right || row.transport || row.card));
        }
    }

    void theWindowShowsTheRowOfItsMode() {
        m_window->showStartPage(true);
        compareWithRow(M::Start);
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        compareWithRow(M::Launch);
        m_window->action(QStringLiteral("compare"))->trigger();
        settle();
        QVERIFY(m_window->other());
        compareWithRow(M::Launch);
        m_window->action(QStringLiteral("predict"))->trigger();
        compareWithRow(M::Prediction);
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
        compareWithRow(M::Question);
    }

    // A card in the way of a board would leave the keys to what nobody sees.
    void aPredictionComesBeforeTheLessonsQuestion() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        compareWithRow(M::Question);
        m_window->action(QStringLiteral("predict"))->trigger();
        compareWithRow(M::Prediction);
        QVERIFY(m_window->views().current()->hasFocus());
        m_window->action(QStringLiteral("nextStep"))->trigger(); // checks the board; the card is not passed over
        QVERIFY(m_window->prediction().state() == PredictDesk::State::Shown);
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        compareWithRow(M::Question);
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
        compareWithRow(M::Prediction); // before, the transport stood there again, and its strip told
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
        QCOMPARE(listener.heard, std::set<WindowMode>{M::Launch});
        shell->showPage(Front::Start);
        QVERIFY(listener.heard.count(M::Start));
        shell->open(QStringLiteral("/nowhere/a.mine"));
        QCOMPARE(listener.opened, QStringList{QStringLiteral("/nowhere/a.mine")});
        QVERIFY(!shell->busy()); // nobody else was asked
    }
};

WARPGLASS_QT_TEST(TestWindowMode)
#include "test_window_mode.moc"
