// SPDX-License-Identifier: GPL-3.0-or-later
// The claims panel by mouse and keyboard, with the shipped claims and the real emulator.
#include "app/window/claims/claims_table.h"
#include "app/window/model/claim_target.h"
#include "app/window/model/documents.h"
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
        child<QTabWidget>("leftTabs")->setCurrentIndex(2);
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
        for (int n = 0; n < 3; ++n) // all, D0, D1, D2
            QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(box->currentText(), QStringLiteral("D2 · ") + documentTitle("D2", "en"));
        const auto wanted =
            std::count_if(m_claims.begin(), m_claims.end(), [](const Claim& c) { return c.document == "D2"; });
        QVERIFY(wanted > 0);
        QCOMPARE(panel()->shownCount(), int(wanted));
        for (int n = 0; n < 3; ++n)
            QTest::keyClick(box, Qt::Key_Up);
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

    // The table in a window of its own: opened by its button, filtered by document, verdict and words.
    ClaimsTable* openTable() {
        QTest::mouseClick(child<QPushButton>("openClaimsTable"), Qt::LeftButton);
        auto* table = m_window->findChild<ClaimsTable*>();
        if (!table || !QTest::qWaitForWindowExposed(table))
            qFatal("no table");
        return table;
    }
    static QString cell(const ClaimsTable* table, int row, ClaimsModel::Column column) {
        return table->findChild<QTableView*>("claimsView")->model()->index(row, column).data().toString();
    }

    void theTableHoldsAllThatIsKnown() {
        ClaimsTable* table = openTable();
        QCOMPARE(table->shownCount(), int(m_claims.size()));
        QVERIFY(table->width() >= 1200);
        // 80 threads are 2.5 warps, so 3: the first claim of the file.
        QCOMPARE(m_claims[0].id, std::string("d2-warps-80"));
        QCOMPARE(cell(table, 0, ClaimsModel::StatementColumn), QString("A block of 80 threads is 3 warps."));
        QCOMPARE(cell(table, 0, ClaimsModel::ClaimedColumn), QString("3"));
        QCOMPARE(cell(table, 0, ClaimsModel::EmulatorColumn), QString("–")); // not yet
        QCOMPARE(cell(table, 0, ClaimsModel::DocumentColumn),
                 QString("D2 · Professional CUDA C Programming, condensed: Execution Model"));
        auto* view = table->findChild<QTableView*>("claimsView");
        view->selectRow(0);
        QCOMPARE(panel()->chosen(), panel()->checked(0).claim);
        QSignalSpy finished(panel(), &ClaimsPanel::finished);
        QTest::mouseClick(table->findChild<QPushButton*>("tableRun"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 60000);
        QCOMPARE(cell(table, 0, ClaimsModel::EmulatorColumn), QString("3"));
        QCOMPARE(cell(table, 0, ClaimsModel::VerdictColumn), QString("✓ holds"));
    }

    void theTableIsFilteredAndSummedUp() {
        ClaimsTable* table = openTable();
        const auto summary = [&] { return table->findChild<QLabel*>("heading")->text(); };
        const auto judged = [&](Verdict v, const char* document) {
            return int(std::count_if(m_claims.begin(), m_claims.end(), [&](const Claim& c) {
                return (!*document || c.document == document) && judge(c, c.h200, std::nullopt).verdict == v;
            }));
        };
        QVERIFY2(
            summary().startsWith(
                QStringLiteral("%1 of %1 statements: %2 hold, ").arg(m_claims.size()).arg(judged(Verdict::Holds, ""))),
            qPrintable(summary()));
        auto* document = table->findChild<QComboBox*>("tableDocument");
        document->setCurrentIndex(document->findData("D2"));
        QCOMPARE(document->currentText(), documentTitle("D2", "en"));
        QCOMPARE(table->shownCount(), 13);
        auto* wrong = table->findChild<QPushButton*>("tableVerdict_wrong");
        auto* holds = table->findChild<QPushButton*>("tableVerdict_holds");
        QTest::mouseClick(holds, Qt::LeftButton);
        QCOMPARE(table->shownCount(), judged(Verdict::Holds, "D2"));
        QVERIFY(holds->text().endsWith(QStringLiteral(": %1").arg(judged(Verdict::Holds, "D2"))));
        QTest::mouseClick(wrong, Qt::LeftButton); // one at a time
        QVERIFY(!holds->isChecked());
        QCOMPARE(table->shownCount(), judged(Verdict::Wrong, "D2"));
        QTest::mouseClick(wrong, Qt::LeftButton);
        document->setCurrentIndex(0);
        QTest::keyClicks(table->findChild<QLineEdit*>("tableWords"), QStringLiteral("80 threads warps"));
        QVERIFY(table->shownCount() >= 2 && table->shownCount() < 30); // d2-warps-80 and -idle at least
        for (int row = 0; row < table->shownCount(); ++row) {
            QString all;
            for (int column = 0; column < ClaimsModel::columns; ++column)
                all += cell(table, row, ClaimsModel::Column(column)) + '\n';
            for (const char* word : {"80", "threads", "warps"})
                QVERIFY2(all.contains(QLatin1String(word), Qt::CaseInsensitive), qPrintable(all));
        }
        const QStringList lines = table->csv().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), table->shownCount() + 1);
        QCOMPARE(lines[0], QString("id,document,place,statement,claimed,unit,h200,emulator,verdict,why"));
    }

    // Numbers are sorted as numbers: 1024 is more than 80.
    void aHeadingSortsTheTable() {
        ClaimsTable* table = openTable();
        auto* view = table->findChild<QTableView*>("claimsView");
        view->sortByColumn(ClaimsModel::ClaimedColumn, Qt::DescendingOrder);
        double before = 1e300;
        for (int row = 0; row < table->shownCount(); ++row) {
            const double now =
                view->model()->index(row, ClaimsModel::ClaimedColumn).data(ClaimsModel::sortRole).toDouble();
            QVERIFY(now <= before);
            before = now;
        }
    }

    // All columns lie in the window, and the words are in its language.
    void theTableFitsItsWindowInBothLanguages() {
        ClaimsTable* table = openTable();
        for (const char* language : {"en", "zh_CN"})
            for (const char* theme : {"theme_light", "theme_dark"}) {
                m_window->setLanguage(QString::fromLatin1(language));
                m_window->action(theme)->trigger();
                table->resize(1024, 700);
                auto* view = table->findChild<QTableView*>("claimsView");
                const auto fits = [view] {
                    int width = 0, least = INT_MAX;
                    for (int column = 0; column < ClaimsModel::columns; ++column) {
                        least = std::min(least, view->columnWidth(column));
                        width += view->columnWidth(column);
                    }
                    return least >= 60 && width <= view->viewport()->width() + 2;
                };
                QTRY_VERIFY(table->size() == QSize(1024, 700) && fits());
                const QString folder = qEnvironmentVariable("WARPGLASS_PICTURES");
                if (!folder.isEmpty())
                    table->grab().save(QStringLiteral("%1/claims-%2-%3.png").arg(folder, language, theme));
            }
        QCOMPARE(cell(table, 0, ClaimsModel::StatementColumn), QString::fromStdString(m_claims[0].statement.zh));
        m_window->setLanguage(QStringLiteral("en"));
        m_window->action("theme_light")->trigger();
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
