// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says: in its language, without the command line's words, and nothing that is not so.
#include "app/session/session.h"
#include "gpu/base/messages/emulator.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/sentences.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>

using namespace warpglass;

namespace {

// A store through a null pointer, by the thread 0.
constexpr const char* wild = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry wild(.param .u64 out)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<2>;
    mov.u64 %rd1, 0;
    mov.u32 %r1, 7;
    st.global.u32 [%rd1], %r1;
    ret;
}
)";

// Every thread waits for a word that nobody writes.
constexpr const char* stuck = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry stuck(.param .u64 out)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<3>;
    .reg .pred %p<2>;
    ld.param.u64 %rd1, [out];
AGAIN:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra AGAIN;
    ret;
}
)";

// Each thread reads what the other warp wrote to shared memory, with no barrier between.
constexpr const char* early = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry early(.param .u64 out)
{
    .reg .b64 %rd<4>;
    .reg .b32 %r<8>;
    .shared .align 4 .b8 words[256];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, words;
    add.u32 %r4, %r3, %r2;
    st.shared.u32 [%r4], %r1;
    xor.b32 %r5, %r2, 128;
    add.u32 %r6, %r3, %r5;
    ld.shared.u32 %r7, [%r6];
    ld.param.u64 %rd1, [out];
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r7;
    ret;
}
)";

// Words of a sentence in English; names, numbers and PTX are none.
bool speaksEnglish(const QString& text) {
    static const QRegularExpression words(QStringLiteral(
        R"(\b(A thread|thread|block|bytes|through|launches|pending|the|limit|is|waits?|lanes?|where|which|has|damaged|race|line|warp|freed|never)\b)"));
    return text.contains(words);
}

} // namespace

class TestWindowWords : public QObject, WindowFixture {
    Q_OBJECT

    QStringList recent() {
        QMenu* file = child<QToolButton>("menuButton")->menu()->actions()[0]->menu();
        for (QAction* entry : file->actions())
            if (entry->menu()) {
                emit entry->menu()->aboutToShow();
                QStringList names;
                for (const QAction* one : entry->menu()->actions())
                    names << QFileInfo(one->text()).fileName();
                return names;
            }
        return {};
    }

    Recording recorded(const char* ptx, std::uint32_t threads) {
        QFile file(m_folder->filePath(QStringLiteral("kernel.ptx")));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(ptx) < 0)
            qFatal("no place for a file");
        file.close();
        RunRequest request;
        request.kernel = file.fileName().toStdString();
        request.launch.grid = Dim3{1, 1, 1};
        request.launch.block = Dim3{threads, 1, 1};
        request.arguments = {"out:u32[64]=0"};
        Progress progress;
        Result<Recording> recording = session::runRequest(request, progress);
        if (!recording)
            qFatal("%s", recording.error().text().c_str());
        return std::move(*recording);
    }
    QString inChinese(const Said& english) {
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QString text = sentence(english);
        m_window->setLanguage(QStringLiteral("en"));
        return text;
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassWords")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() {
        m_window->setLanguage(QStringLiteral("en"));
        closeWindow();
    }

    void hangsAndRacesSpeakTheWindowsLanguage() {
        const Recording hang = recorded(stuck, 64);
        QVERIFY(hang.fault);
        const QString loop = inChinese(hang.fault->message);
        QVERIFY2(!speaksEnglish(loop), qPrintable(loop));
        // 2 warps of one block, all 64 lanes; names stay.
        QVERIFY2(loop.contains(QStringLiteral("1 个线程块的 64 个通道")), qPrintable(loop));
        QVERIFY2(loop.contains(QStringLiteral("stuck")) && loop.contains(QStringLiteral("out")), qPrintable(loop));

        const Recording race = recorded(early, 64);
        QString told;
        for (const Diagnostic& one : race.trace->diagnostics)
            if (one.kind == DiagnosticKind::SharedRace)
                told = inChinese(one.message);
        // Thread 32 comes second and reads byte 128 ^ 128 = 0, which thread 0 wrote.
        QVERIFY2(told.contains(QStringLiteral("words[0]")) && told.contains(QStringLiteral("early")), qPrintable(told));
        QVERIFY2(!speaksEnglish(told), qPrintable(told));
    }

    // What older recordings say, word for word.
    void longerSentencesOfOldRecordingsAreKnownByTheirParts() {
        for (
            const char* english :
            {"A loop that never finishes, since it waits for what is never written: 127 lanes of 2 blocks wait for "
             "byte 0 of buffer \"f\" at line 3 of h.cu (PTX line 97), where block (0), thread (0) last wrote 1 at line "
             "3 of h.cu (PTX line 97), which stands still until these lanes of its own warp have come to where it is: "
             "lanes that may each go on alone are another way to reconverge (independent), and nobody is left who "
             "could write there: 0 of 2 blocks have ended, and in the others all threads wait or have ended: lock, "
             "block (0), thread (1), line 3 of h.cu (PTX line 97).",
             "The block can never go on: warp 0 waits for barrier 0 at line 4 of h.cu (PTX line 131); warp 1 waits for "
             "barrier 1 at line 4 of h.cu (PTX line 136). Threads that they wait for never come there: bar, block "
             "(0), line 4 of h.cu (PTX line 136).",
             "A thread reads byte 128 of memory at 0x7f6c00202000 (256 bytes) before anything was written there, so it "
             "finds whatever was left there by others: tail, block (0), thread (32), line 9 of h.cu (PTX line 54).",
             "A thread writes a word of shared memory (byte 8) that another lane of the same warp read at line 19 of "
             "h.cu (PTX line 381) with no __syncwarp() in between; this is only right while the lanes run in "
             "lock-step, which compute capability 7.0 and later do not promise: scan, block (0), thread (2), line 19 "
             "of h.cu (PTX line 382).",
             "16 bytes that malloc gave a thread are never freed: pieces, block (0), thread (0), line 11 of h.cu (PTX "
             "line 42).",
             "A loop that never finishes, since it waits for what is never written: 64 lanes of 2 blocks wait for byte "
             "0 "
             "of buffer \"first\" at PTX line 17 (ld.volatile.global.u32 %r0, [%d0];), where no thread has ever "
             "written; "
             "64 lanes of 2 blocks wait for byte 0 of buffer \"second\" at PTX line 18 (ld.volatile.global.u32 %r1, "
             "[%d1];), where no thread has ever written, and nobody is left who could write there: 0 of 2 blocks have "
             "ended, and in the others all threads wait or have ended: either, block (0), thread (0), PTX line 18 "
             "(ld.volatile.global.u32 %r1, [%d1];).",
             "The block can never go on: warp 0 waits for the other warps of their warpgroup at line 4 of h.cu (PTX "
             "line "
             "131). Threads that they wait for never come there: bar, block (0), line 4 of h.cu (PTX line 136).",
             "500 bytes of managed memory are never freed: allocated by operation 5.",
             "2 allocations of 256 bytes of device memory each, 512 bytes in all, are never freed: operations 0, 1.",
             "Only 16 of the warp's 32 lanes reach this __syncthreads() together; a barrier in a branch that not all "
             "threads take is undefined: half, block (0), thread (1), line 10 of h.cu (PTX line 302)."}) {
            const QString chinese = inChinese(english);
            QVERIFY2(!speaksEnglish(chinese), qPrintable(chinese));
            // Every number is still there, as often.
            static const QRegularExpression number(QStringLiteral(R"(\d+)"));
            const auto numbers = [](const QString& text) {
                QStringList all;
                for (auto at = number.globalMatch(text); at.hasNext();)
                    all << at.next().captured();
                all.sort();
                return all;
            };
            QCOMPARE(numbers(chinese), numbers(QString::fromUtf8(english)));
        }
    }

    // Messages of a program have their words in a catalogue, beside the English ones.
    void everyMessageIsSaidInChinese() {
        m_window->setLanguage(QStringLiteral("zh_CN"));
        for (const CatalogueRow& row : messageRows()) {
            if (row.kind == MessageKind::Part) // of another; some quote words of PTX and of options
                continue;
            Message message{row.id, {}};
            for (int n = 0; n < 9; ++n)
                message.arguments.emplace_back(std::uint64_t(1000 + n));
            const QString chinese = sentence(message);
            QVERIFY2(!speaksEnglish(chinese), qPrintable(chinese));
        }
    }

    // What is counted is grouped by thousands; what is a name is not.
    void countsInSentencesAreGrouped() {
        QCOMPARE(sentence(QStringLiteral("A thread writes 4 bytes at 0x7f00003d0900, 4096 bytes past the end of buffer "
                                         "\"x\" (4000000 bytes): oob, block (1234), thread (1), line 1024 of oob.cu "
                                         "(PTX line 2048).")),
                 QStringLiteral("A thread writes 4 bytes at 0x7f00003d0900, 4,096 bytes past the end of buffer \"x\" "
                                "(4,000,000 bytes): oob, block (1234), thread (1), line 1024 of oob.cu (PTX line "
                                "2048)."));
        const Message outside = say::PastEnd(4096, say::BufferNamed("x"), 4000000);
        QCOMPARE(sentence(say::OfThread(say::Outside(say::Writes, 4, "0x7f00003d0900", outside), "oob", "(1234)", "(1)",
                                        say::SourceLine(1024, "oob.cu", 2048))),
                 QStringLiteral("A thread writes 4 bytes at 0x7f00003d0900, 4,096 bytes past the end of buffer \"x\" "
                                "(4,000,000 bytes): oob, block (1234), thread (1), line 1024 of oob.cu (PTX line "
                                "2048)."));
        QCOMPARE(sentence(QStringLiteral("A warp has run 20000000 instructions")),
                 QStringLiteral("A warp has run 20,000,000 instructions"));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QVERIFY(
            sentence(QStringLiteral("a block of 2048 has 2048 threads; NVIDIA H200 (compute capability 9.0) runs at "
                                    "most 1024 threads a block"))
                .contains(QStringLiteral("1,024")));
    }

    void faultsSpeakTheWindowsLanguage() {
        const Result<Recording> recording = recorded(wild, 1);
        QVERIFY(recording->fault);
        const QString english = sentence(*recording->fault);
        QVERIFY2(english.contains(QLatin1String("null pointer")), qPrintable(english));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        const QString chinese = sentence(*recording->fault);
        QVERIFY2(chinese.contains(QStringLiteral("空指针")), qPrintable(chinese));
        QVERIFY2(!speaksEnglish(chinese), qPrintable(chinese));
        QVERIFY2(chinese.contains(QLatin1String("wild")), qPrintable(chinese)); // names stay
    }

    void lostLaunchesSpeakTheWindowsLanguageAndAddUp() {
        // Each block of this kernel launches one grid; of a limit of 8, two places are the device's own.
        RunRequest request;
        request.kernel = "gpuRecursiveReduceNosync";
        request.launch.size = 2048;
        request.launch.block = Dim3{32, 1, 1};
        request.pendingLaunches = 8;
        Progress progress;
        const Result<Recording> recording = session::runRequest(request, progress);
        QVERIFY2(recording.ok(), recording ? "" : recording.error().text().c_str());
        Said reason;
        for (const Launch& launch : recording->trace->launches)
            if (launch.status == LaunchStatus::Dropped)
                reason = launch.reason;
        QVERIFY(!reason.empty());
        const QString english = sentence(reason);
        QVERIFY2(english.contains(QLatin1String("6 launches are pending, which is all that a limit of 8 lets wait")),
                 qPrintable(english));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        const QString chinese = sentence(reason);
        QVERIFY2(!speaksEnglish(chinese) && chinese.contains(QStringLiteral("6 次")), qPrintable(chinese));
    }

    void noOptionOfTheCommandLineIsNamed() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        auto* block = child<QLineEdit>("block");
        for (const char* wrong : {"16x16", "0", "2048"}) { // along x only; empty; too many
            block->selectAll();
            QTest::keyClicks(block, QLatin1String(wrong));
            QTest::keyClick(block, Qt::Key_Return);
            settle();
            const QString said = m_window->views().message->text();
            QVERIFY2(m_window->views().message->showsError() && !said.contains(QLatin1String("--")), qPrintable(said));
        }
        m_window->setLanguage(QStringLiteral("zh_CN"));
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("16x16"));
        QTest::keyClick(block, Qt::Key_Return);
        settle();
        QVERIFY2(!speaksEnglish(m_window->views().message->text()), qPrintable(m_window->views().message->text()));
    }

    void aDamagedFileIsNotRemembered() {
        const QString path = m_folder->filePath(QStringLiteral("damaged.wgt"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("this is a letter, not a trace\n");
        file.close();
        m_window->openFile(path);
        settle();
        QVERIFY(m_window->views().message->showsError());
        QVERIFY(!recent().contains(QLatin1String("damaged.wgt")));
        const QString whole = m_folder->filePath(QStringLiteral("whole.wgt"));
        QVERIFY(QFile::copy(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"), whole));
        m_window->openFile(whole);
        settle();
        QCOMPARE(recent().value(0), QString("whole.wgt"));
    }

    void aFileIsOpenedAndAKernelRuns() {
        MessageBar* message = m_window->views().message;
        const auto said = [message] { return message->findChild<QLabel*>(QStringLiteral("messageText"))->text(); };
        m_window->openFile(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"));
        QVERIFY(m_window->bench().opening());
        emit m_window->bench().progressed(0.5);
        QCOMPARE(said(), QString("Opening"));
        settle();
        m_window->runKernel(QStringLiteral("mathKernel1"));
        QVERIFY(!m_window->bench().opening());
        emit m_window->bench().progressed(0.5);
        QCOMPARE(said(), QString("Running"));
        settle();
    }

    // 4,096 elements in blocks of 32 are 128 blocks: more than all of which addresses are recorded without a wish.
    void cyclesAndAddressesOfALargeGridAreThereTogether() {
        clickKernel(QStringLiteral("reduceNeighbored"));
        settle();
        for (const auto& [name, text] : {std::pair("size", "4096"), std::pair("block", "32")}) {
            auto* field = child<QLineEdit>(name);
            field->selectAll();
            QTest::keyClicks(field, QLatin1String(text));
        }
        QTest::keyClick(child<QLineEdit>("block"), Qt::Key_Return);
        settle();
        QCOMPARE(m_window->current()->trace->blocks.size(), std::size_t(128));
        QVERIFY(!m_window->current()->trace->accesses.empty());
        auto* record = child<QComboBox>("record");
        record->setFocus();
        while (record->currentIndex() + 1 < record->count())
            QTest::keyClick(record, Qt::Key_Down);
        settle();
        const Trace& trace = *m_window->current()->trace;
        QVERIFY(trace.info.timing);
        QVERIFY(!trace.accesses.empty());
        // The same warps have both: what they did in each cycle, and where they went.
        for (const AccessRow& access : trace.accesses)
            QVERIFY(trace.warps[trace.warpOfEvent(access.event)].stateCount > 0);
    }
};

WARPGLASS_QT_TEST(TestWindowWords)
#include "test_window_words.moc"
