// SPDX-License-Identifier: GPL-3.0-or-later
// The window says who used a word, and takes the cursor there, with the real emulator behind it.
#include "app/window/model/who_ask.h"
#include "app/window/who/values_table.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QMenu>
#include <QTableView>

using namespace warpglass;

class TestWindowWho : public QObject, WindowFixture {
    Q_OBJECT

    QMenu* menu() { return m_window->findChild<QMenu*>(QStringLiteral("whoMenu")); }
    // The first moment at which a warp accesses global memory by such an access.
    Selection accessOf(std::uint32_t warp, AccessKind kind, int lane) {
        const Trace& trace = *m_window->current()->trace;
        const Warp& w = trace.warps[warp];
        Selection s;
        for (std::uint32_t n = 0; n < w.eventCount && s.warp == noIndex; ++n)
            if (const AccessRow* a = trace.accessOfEvent(w.firstEvent + n);
                a && a->space == MemorySpace::Global && a->kind == kind) {
                s.warp = warp;
                s.lane = lane;
                s.time = trace.event(w, n).time;
            }
        return completed(s, trace);
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassWho")); }
    void init() { openWindow({1280, 800}); }
    void cleanup() { closeWindow(); }

    // Each element of a transposed matrix is read once and written once: the word that lane 3 of warp 1 stores has one use.
    void aWordLeadsToWhoWroteIt() {
        RunRequest request;
        request.kernel = "transpose_naive";
        request.launch.size = 64;
        request.launch.block = Dim3{32, 32, 1};
        request.options.detail.accesses = true;
        m_window->run(request);
        settle();
        const Selection stored = accessOf(1, AccessKind::Store, 3);
        QVERIFY(stored.warp == 1);
        const TracePtr trace = m_window->current()->trace;
        const QString word = wordUsedNow(*trace, stored);
        QVERIFY2(word.startsWith(QLatin1String("0x")), qPrintable(word));
        m_window->selection().set(stored);
        m_window->action("who")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(menu(), 60000);
        const auto actions = menu()->actions();
        QCOMPARE(actions.size(), 2); // what was asked, and its only use
        QVERIFY2(actions[0]->text().contains(QLatin1String("1 write, 0 reads")), qPrintable(actions[0]->text()));
        QVERIFY2(actions[1]->text().contains(QLatin1String("thread (3, 1, 0)")) ||
                     actions[1]->text().contains(QLatin1String("thread (3, 1)")),
                 qPrintable(actions[1]->text()));
        Selection elsewhere;
        m_window->selection().set(elsewhere);
        actions[1]->trigger();
        QCOMPARE(m_window->selection().get().warp, 1u);
        QCOMPARE(m_window->selection().get().lane, 3);
        QCOMPARE(m_window->selection().get().time.value, stored.time.value);
    }

    // Thread t adds 2 * (4t + k) in turn k = 0 to 3, and 100 where bit 1 of the sum is set. Turn 0: 0, 8, 16, 24, of which lane 0's
    // is what it was. parts[0] is stored when the trace has the store.
    void valuesOfAVariableStandLaneByLane_data() {
        QTest::addColumn<bool>("timing");
        QTest::newRow("steps") << false;
        QTest::newRow("nanoseconds") << true;
    }
    void valuesOfAVariableStandLaneByLane() {
        QFETCH(bool, timing);
        RunRequest request;
        request.kernel = WARPGLASS_SOURCE_DIR "/tests/emulator/data/variables.ptx";
        request.entry = "sums";
        request.launch.grid = Dim3{1, 1, 1};
        request.launch.block = Dim3{4, 1, 1};
        request.arguments = {"in:i32[16]=iota", "out:i32[4]=0", "n:i32=100"};
        request.options.timing = timing;
        m_window->run(request);
        settle();
        const auto asked = [this](const char* wish) -> QAbstractItemModel* {
            emit m_window->views().actionRequested(QLatin1String(wish));
            const auto isThere = [this] { return m_window->findChild<ValuesTable*>() != nullptr; };
            auto* const table = QTest::qWaitFor(isThere, 60000) ? m_window->findChild<ValuesTable*>() : nullptr;
            return table ? table->findChild<QTableView*>()->model() : nullptr;
        };
        const QAbstractItemModel* const sums = asked("who:sum of block 0 warp 0");
        QVERIFY(sums);
        const auto cell = [&](int row, int lane) {
            return sums->index(row, ValuesModel::columnsBefore + lane).data().toString();
        };
        QVERIFY(sums->rowCount() > 2);
        for (int lane = 0; lane < 4; ++lane) {
            QCOMPARE(cell(0, lane), QStringLiteral("0"));
            QCOMPARE(cell(1, lane), QString::number(8 * lane));
        }
        QCOMPARE(cell(1, 4), QStringLiteral("\u00b7")); // no thread
        QCOMPARE(sums->index(1, 1).data().toString(), QStringLiteral("20"));
        auto* const view = m_window->findChild<ValuesTable*>()->findChild<QTableView*>();
        if (const QString folder = qEnvironmentVariable("WARPGLASS_PICTURES"); !folder.isEmpty())
            m_window->findChild<ValuesTable*>()->grab().save(QStringLiteral("%1/values.png").arg(folder));
        emit view->clicked(sums->index(1, ValuesModel::columnsBefore + 2));
        QCOMPARE(m_window->selection().get().lane, 2);
        QCOMPARE(m_window->selection().get().sourceLine, 20u);
        QCOMPARE(sums->index(1, 0).data(Qt::BackgroundRole).isNull(), false); // the present moment's row
        QCOMPARE(sums->index(0, 0).data(Qt::BackgroundRole).isNull(), true);
        delete m_window->findChild<ValuesTable*>();

        const QAbstractItemModel* const parts = asked("who:parts[0] of block 0 warp 0");
        QVERIFY(parts);
        QCOMPARE(parts->rowCount(), 1);
        emit m_window->findChild<ValuesTable*>()->findChild<QTableView*>()->clicked(parts->index(0, 0));
        const Trace& trace = *m_window->current()->trace;
        std::int64_t stored = -1;
        for (std::uint32_t n = 0; n < trace.warps[0].eventCount && stored < 0; ++n)
            if (const AccessRow* a = trace.accessOfEvent(trace.warps[0].firstEvent + n);
                a && a->space == MemorySpace::Local && a->kind == AccessKind::Store)
                stored = trace.event(trace.warps[0], n).time.value;
        QVERIFY(stored >= 0);
        QVERIFY2(std::abs(m_window->selection().get().time.value - stored) <= (timing ? 1 : 0),
                 qPrintable(QStringLiteral("%1 and %2").arg(m_window->selection().get().time.value).arg(stored)));
    }

    void nothingIsAskedWhereNoMemoryIsAccessed() {
        RunRequest request;
        request.kernel = "transpose_naive";
        request.launch.size = 64;
        m_window->run(request);
        settle();
        Selection start;
        start.warp = 0;
        QVERIFY(wordUsedNow(*m_window->current()->trace, completed(start, *m_window->current()->trace)).isEmpty());
    }
};

WARPGLASS_QT_TEST(TestWindowWho)
#include "test_window_who.moc"
