// SPDX-License-Identifier: GPL-3.0-or-later
// The window says who used a word, and takes the cursor there, with the real emulator behind it.
#include "app/window/model/who_ask.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QMenu>

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
