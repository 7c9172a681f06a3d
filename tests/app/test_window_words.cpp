// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says: in its language, without the command line's words, and nothing that is not so.
#include "app/session/session.h"
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

// Words of a sentence in English; names, numbers and PTX are none.
bool speaksEnglish(const QString& text) {
    static const QRegularExpression words(
        QStringLiteral(R"(\b(A thread|thread|block|bytes|through|launches|pending|the|limit|is)\b)"));
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

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassWords")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() {
        m_window->setLanguage(QStringLiteral("en"));
        closeWindow();
    }

    void faultsSpeakTheWindowsLanguage() {
        QFile file(m_folder->filePath(QStringLiteral("wild.ptx")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(wild);
        file.close();
        RunRequest request;
        request.kernel = file.fileName().toStdString();
        request.launch.grid = request.launch.block = Dim3{1, 1, 1};
        request.arguments = {"out:u32[4]=0"};
        Progress progress;
        const Result<Recording> recording = session::runRequest(request, progress);
        QVERIFY2(recording.ok(), recording ? "" : recording.error().text().c_str());
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
        std::string reason;
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
