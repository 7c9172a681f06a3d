// SPDX-License-Identifier: GPL-3.0-or-later
// The claims panel by mouse and keyboard, with the shipped claims and the real emulator.
#include "app/window/window_parts.h"
#include "gpu/device/occupancy.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QSignalSpy>
#include <QtTest>

using namespace warpglass;

class TestClaims : public QObject, WindowFixture {
    Q_OBJECT
    std::vector<Claim> m_claims;

    ClaimsPanel* panel() { return m_window->findChild<ClaimsPanel*>(); }
    void openTab() {
        child<QTabWidget>("leftTabs")->setCurrentWidget(panel());
        QVERIFY(panel()->isVisible());
    }
    int rowOf(const char* id) const {
        for (std::size_t i = 0; i < m_claims.size(); ++i)
            if (m_claims[i].id == id)
                return int(i);
        qFatal("no claim %s", id);
        return -1;
    }
    // With the mouse, as a person does.
    void choose(const char* id) {
        auto* list = child<QTreeWidget>("claims");
        QTreeWidgetItem* item = list->topLevelItem(rowOf(id));
        list->scrollToItem(item);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier, list->visualItemRect(item).center());
        QVERIFY(panel()->chosen());
        QCOMPARE(panel()->chosen()->id, std::string(id));
    }

private slots:
    void initTestCase() {
        prepareWindowTests(QStringLiteral("WarpglassClaims"));
        auto claims = session::shippedClaims();
        QVERIFY(claims.ok());
        m_claims = *claims;
    }
    void init() {
        openWindow({1440, 900});
        openTab();
    }
    void cleanup() { closeWindow(); }

    void theListIsFilteredByDocument() {
        QCOMPARE(panel()->shownCount(), int(m_claims.size()));
        auto* box = child<QComboBox>("claimDocument");
        box->setFocus();
        QTest::keyClicks(box, QStringLiteral("D2"));
        const auto wanted =
            std::count_if(m_claims.begin(), m_claims.end(), [](const Claim& c) { return c.document == "D2"; });
        QVERIFY(wanted > 0);
        QCOMPARE(panel()->shownCount(), int(wanted));
        QTest::keyClick(box, Qt::Key_Home);
        QCOMPARE(panel()->shownCount(), int(m_claims.size()));
    }

    // Before anything is checked here, the verdicts are those of the values measured on an H200.
    void theListIsFilteredByVerdict() {
        auto* box = child<QComboBox>("claimVerdict");
        int all = 0;
        for (const Verdict v : {Verdict::Holds, Verdict::HoldsWithDifference, Verdict::OtherHardware, Verdict::Wrong,
                                Verdict::NotMeasured}) {
            box->setCurrentIndex(box->findData(int(v)));
            const auto wanted = std::count_if(m_claims.begin(), m_claims.end(), [&](const Claim& c) {
                return judge(c, c.h200, std::nullopt).verdict == v;
            });
            QCOMPARE(panel()->shownCount(), int(wanted));
            all += panel()->shownCount();
        }
        QCOMPARE(all, int(m_claims.size()));
    }

    void filtersWorkTogetherAndOutliveTheLanguage() {
        auto *document = child<QComboBox>("claimDocument"), *verdict = child<QComboBox>("claimVerdict");
        document->setCurrentIndex(document->findData("D4"));
        verdict->setCurrentIndex(verdict->findData(int(Verdict::Holds)));
        const int shown = panel()->shownCount();
        QVERIFY(shown > 0 && shown < int(m_claims.size()));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QCOMPARE(panel()->shownCount(), shown);
        QCOMPARE(document->currentData().toString(), QString("D4"));
        m_window->setLanguage(QStringLiteral("en"));
    }

    void runItRunsTheLaunchAndJudges() {
        choose("d4-divergent-doubles"); // mathKernel3 against mathKernel1, 64 threads, as written
        QSignalSpy finished(panel(), &ClaimsPanel::finished);
        QTest::mouseClick(child<QPushButton>("runClaim"), Qt::LeftButton);
        settle();
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 60000);
        QCOMPARE(m_window->current()->name, QString("mathKernel3"));
        QCOMPARE(m_window->current()->trace->info.mode, CompileMode::AsWritten);
        QCOMPARE(m_window->current()->trace->launches[0].block, (Dim3{64, 1, 1}));
        QVERIFY(m_window->other());
        QCOMPARE(m_window->other()->name, QString("mathKernel1"));
        QCOMPARE(panel()->judgedCount(), 1);
        QVERIFY(child<QTreeWidget>("claims")->topLevelItem(rowOf("d4-divergent-doubles"))->text(0) == QString("✓"));
    }

    void showItOpensTheViewAtThePlaceByKeyboard() {
        choose("d1-aos"); // structures of 12 bytes: load efficiency
        auto* list = child<QTreeWidget>("claims");
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Return);
        settle();
        QCOMPARE(m_window->views().currentKey(), QString("memory"));
        QCOMPARE(m_window->current()->name, QString("aos12"));
        // The place: a load from global memory that really was recorded.
        const Trace& trace = *m_window->current()->trace;
        const Selection& s = m_window->selection().get();
        QVERIFY(s.warp < trace.warps.size());
        const std::int64_t n = trace.eventAt(trace.warps[s.warp], s.time);
        QVERIFY(n >= 0);
        bool found = false;
        for (std::uint32_t i = 0; i < trace.warps[s.warp].eventCount; ++i) {
            const Event e = trace.event(trace.warps[s.warp], i);
            const AccessRow* row = trace.accessOfEvent(trace.warps[s.warp].firstEvent + i);
            found = found || (e.time == s.time && row && row->space == MemorySpace::Global &&
                              row->kind == AccessKind::Load && trace.sites[e.site].ptxLine == s.ptxLine);
        }
        QVERIFY(found);
    }

    void occupancyClaimsNeedNoRun() {
        m_window->run(targetOf(m_claims[std::size_t(rowOf("d4-divergent-doubles"))]).run.value());
        settle();
        choose("d3-occ-warps"); // 256 threads, 40 registers, 8 KB on 9.0
        QTest::mouseClick(child<QPushButton>("showClaim"), Qt::LeftButton);
        QCOMPARE(m_window->views().currentKey(), QString("occupancy"));
        const auto& options = m_window->views().current()->context().options;
        QCOMPARE(options.value("cc").toString(), QString("9.0"));
        QCOMPARE(options.value("threads").toInt(), 256);
        QCOMPARE(options.value("registers").toInt(), 40);
        QCOMPARE(options.value("shared").toInt(), 8192);
    }

    void arithmeticIsJudgedButNotShown() {
        choose("d3-mm-flop");
        QVERIFY(!child<QPushButton>("showClaim")->isEnabled());
        QVERIFY(child<QPushButton>("runClaim")->isEnabled());
        QSignalSpy finished(panel(), &ClaimsPanel::finished);
        QTest::mouseClick(child<QPushButton>("runClaim"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 10000);
        QVERIFY(!m_window->current());
    }

    // Every launch a claim is measured by is one the catalogue knows, and every view one the window has.
    void everyClaimLeadsSomewhere() {
        int shown = 0;
        for (const Claim& claim : m_claims) {
            const ClaimTarget target = targetOf(claim);
            if (target.run)
                QVERIFY2(findKernel(target.run->kernel), claim.id.c_str());
            if (!target.view.isEmpty()) {
                ++shown;
                QVERIFY2(m_window->views().widget(target.view), qPrintable(target.view));
            }
        }
        QVERIFY(shown > 200);
    }
};

WARPGLASS_QT_TEST(TestClaims)
#include "test_claims.moc"
