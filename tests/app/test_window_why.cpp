// SPDX-License-Identifier: GPL-3.0-or-later
// The window asks what a launch's time is spent on, with the real emulator behind it; so does `warpglass render`.
#include "app/window/export/pictures.h"
#include "app/window/model/why_ask.h"
#include "gpu/trace/file.h"
#include "tests/app/hand_trace.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/why/why_picture.h"
#include "views/why/why_view.h"

#include <algorithm>
#include <functional>

using namespace warpglass;

class TestWindowWhy : public QObject, WindowFixture {
    Q_OBJECT

    ViewWidget* why() { return m_window->views().widget(QStringLiteral("why")); }
    WhyAnswer answer() { return whyFromOption(why()->context().options.value(QLatin1String(whyOption))); }
    bool isAnswered() { return answer() && *answer() && (*answer())->whole; }
    const WhyPicture* picture() { return dynamic_cast<const WhyPicture*>(why()->picture()); }

    void runTransposed(bool timing) {
        RunRequest request;
        request.kernel = "transpose_naive";
        request.launch.size = 64;
        request.launch.block = Dim3{32, 32, 1};
        request.options.timing = timing;
        m_window->run(request);
        settle();
    }

    QString tableOf(const QString& file, int* status = nullptr) {
        RenderRequest request;
        request.file = file;
        request.view = QStringLiteral("why");
        request.output = m_folder->filePath(QStringLiteral("why.csv"));
        const int ended = render(request);
        if (status)
            *status = ended;
        QFile table(request.output);
        return table.open(QIODevice::ReadOnly) ? QString::fromUtf8(table.readAll()) : QString();
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassWhy")); }
    void init() { openWindow({1280, 800}); }
    void cleanup() { closeWindow(); }

    // A launch that counted steps is run with the timing model first, and what is said is of that launch.
    void askingRunsTheModelAndNamesTheLine() {
        runTransposed(false);
        m_window->views().showView(QStringLiteral("why"));
        QVERIFY(why()->view().emptiness(why()->context()));
        QTest::mouseClick(why(), Qt::LeftButton); // wakes the view; the button is reached by Enter as well
        why()->setFocus();
        QTest::keyClick(why(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(isAnswered(), 120000);
        QVERIFY(isModelled(*m_window->current()->trace));
        QCOMPARE((*answer())->ns, m_window->current()->trace->timings.front().durationNs);
        QTRY_VERIFY_WITH_TIMEOUT(picture(), 30000);
        // A warp stores 32 floats a column apart: 32 sectors where 4 would do (32 x 4 bytes in 32-byte sectors).
        const auto& limits = (*answer())->limits;
        const auto coalescing =
            std::find_if(limits.begin(), limits.end(), [](const WhyLimit& l) { return l.limit == Limit::Coalescing; });
        QVERIFY(coalescing != limits.end());
        if ((*answer())->worth(*coalescing)) {
            QCOMPARE(coalescing->lines[0].found, 32.0);
            QCOMPARE(coalescing->lines[0].least, 4.0);
            QVERIFY(coalescing->trace);
        }
        // Undone and done again, the answer is there without being asked for.
        m_window->action(QStringLiteral("undo"))->trigger();
        QVERIFY(!answer());
        m_window->action(QStringLiteral("redo"))->trigger();
        QVERIFY(answer() && *answer());
    }

    // While it is asked, one limit more at a time; the rows that are chosen and the picture do not wait for the last.
    void partsOfTheAnswerAreShownAsTheyCome() {
        runTransposed(true);
        QVector<std::size_t> known;
        int whole = 0;
        connect(&m_window->bench(), &Workbench::whyCame, m_window.get(), [&] {
            QVERIFY(answer() && *answer());
            QVERIFY((*answer())->limits.size() > 0 && !(*answer())->pair);
            QVERIFY(std::is_sorted((*answer())->limits.begin(), (*answer())->limits.end(),
                                   [](const WhyLimit& a, const WhyLimit& b) { return a.ns < b.ns; }));
            known << (*answer())->limits.size();
            whole += (*answer())->whole;
        });
        m_window->action(QStringLiteral("why"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(isAnswered(), 120000);
        // Of limits that the launch has nothing of nothing is asked: a transposition by the plain kernel has no shared memory,
        // atomics, matrices or bulk copies.
        QCOMPARE(std::size_t(known.size()), allOf<Limit>.size() - 4);
        QVERIFY(std::adjacent_find(known.begin(), known.end(), std::greater_equal()) == known.end());
        QCOMPARE(whole, 0);
        QVERIFY(!m_window->bench().asksWhy());
    }

    void aQuickAnswerNeedsNoButton() {
        runTransposed(true);
        QVERIFY(!answer());
        m_window->views().showView(QStringLiteral("why"));
        QTRY_VERIFY_WITH_TIMEOUT(isAnswered(), 120000);
        QTRY_VERIFY_WITH_TIMEOUT(picture(), 30000);
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY_WITH_TIMEOUT(picture(), 30000);
        QCOMPARE(why()->view().title(), QStringLiteral("原因"));
        m_window->setLanguage(QStringLiteral("en"));
    }

    // Esc ends it; what was there stays, and it can be asked again.
    void askingCanBeStopped() {
        RunRequest request;
        request.kernel = "reduceNeighbored";
        request.launch.size = 1 << 18;
        request.launch.block = Dim3{256, 1, 1};
        request.options.timing = true;
        m_window->run(request);
        settle();
        const TracePtr before = m_window->current()->trace;
        m_window->action(QStringLiteral("why"))->trigger();
        QCOMPARE(m_window->views().currentKey(), QStringLiteral("why"));
        QVERIFY(m_window->bench().asksWhy());
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(!m_window->bench().asksWhy());
        QVERIFY(!answer());
        QCOMPARE(m_window->current()->trace, before);
        QCOMPARE(why()->view().emptiness(why()->context())->action, QStringLiteral("why"));
        QVERIFY(m_window->views().message->text().contains(QStringLiteral("stopped")));
    }

    // A recording of a kernel that is in no gallery holds no arguments: it says so, and what to do.
    void whatCannotBeRunAgainSaysWhatToDo() {
        auto trace = std::make_shared<Trace>(*handTrace());
        trace->kernels.front().name = "somebodysOwn";
        const QString file = m_folder->filePath(QStringLiteral("own.wgt"));
        Progress nobody;
        QVERIFY(writeTrace(*trace, file.toStdString(), nobody).ok());
        m_window->openFile(file);
        settle();
        m_window->views().showView(QStringLiteral("why"));
        QVERIFY(answer() && !*answer());
        const auto empty = why()->view().emptiness(why()->context());
        QVERIFY(empty && empty->action == QLatin1String("open"));
        QVERIFY2(empty->why.contains(QStringLiteral("not in the gallery")) &&
                     empty->why.contains(QStringLiteral("run it with its arguments")),
                 qPrintable(empty->why));
        QVERIFY(tableOf(file).isEmpty());
        // No other kernel is run in its place by what an empty view offers.
        QVERIFY(!m_window->action(QStringLiteral("run"))->isEnabled());
        const TracePtr shown = m_window->bench().trace();
        m_window->views().showView(QStringLiteral("memory"));
        emit m_window->views().actionRequested(QStringLiteral("accesses"));
        QTRY_VERIFY(m_window->views().message->text().contains(QStringLiteral("not in the gallery")));
        QVERIFY(!m_window->busy());
        QCOMPARE(m_window->bench().trace(), shown);
    }

    // Of a kernel that its owner has recorded with its arguments the file is enough.
    void aRecordingOfOnesOwnKernelAnswers() {
        RunRequest own;
        own.kernel = WARPGLASS_SOURCE_DIR "/tests/record/scale.ptx";
        own.arguments = {"in:i32[64]=iota", "out:f32[64]=0", "n:u32=64", "step:f32=0.5"};
        own.launch.block = Dim3{64, 1, 1};
        own.options.timing = true;
        Progress nobody;
        const auto recording = session::runRequest(own, nobody);
        QVERIFY(recording);
        const QString file = m_folder->filePath(QStringLiteral("scale.wgt"));
        QVERIFY(writeTrace(*recording->trace, file.toStdString(), nobody).ok());
        m_window->openFile(file);
        settle();
        m_window->action(QStringLiteral("why"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(answer(), 60000);
        QVERIFY(*answer());
        QVERIFY(!(*answer())->limits.empty());
        // And runs again as it is.
        m_window->openFile(file);
        settle();
        QVERIFY(m_window->action(QStringLiteral("run"))->isEnabled());
        m_window->action(QStringLiteral("run"))->trigger();
        settle();
        const RunPtr open = m_window->bench().current();
        QVERIFY(open->request);
        QCOMPARE(open->warpInstructions, recording->warpInstructions);
        QVERIFY(tableOf(file).startsWith(QStringLiteral("what,line,access,duration_ns")));
    }

    // A picture command runs the file's launch again; beside the model stands what the GPU took.
    void renderComputesIt() {
        int status = -1;
        const QString table =
            tableOf(QStringLiteral(WARPGLASS_SOURCE_DIR "/resources/recordings/mathKernel1-as-written.wgt"), &status);
        QCOMPARE(status, 0);
        QVERIFY2(table.startsWith(QStringLiteral("what,line,access,duration_ns")), qPrintable(table));
        QVERIFY(table.contains(QStringLiteral("measured")));
        QVERIFY(table.contains(QStringLiteral("\nall,,,")));
    }
};

WARPGLASS_QT_TEST(TestWindowWhy)
#include "test_window_why.moc"
