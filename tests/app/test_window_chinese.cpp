// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that is shown in Chinese holds an English word, and the language is switched while the window is open: there
// and back, everything at once.
#include "app/window/help/guide_dialog.h"
#include "app/window/pad/argument_table.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/panels/message_bar.h"
#include "app/window/panels/step_strip.h"
#include "app/window/start/start_page.h"
#include "app/window/view_registry.h"
#include "gpu/base/messages/files.h"
#include "tests/app/shown_texts.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QTreeView>

#include <algorithm>

using namespace warpglass;

namespace {

const QRegularExpression& latinWords() {
    static const QRegularExpression words(QStringLiteral("0x[0-9a-f]+|[A-Za-z_][A-Za-z_0-9]*"));
    return words;
}

void addWords(QSet<QString>& words, const QString& text) {
    for (auto at = latinWords().globalMatch(text); at.hasNext();)
        words.insert(at.next().captured());
}

// What is a name in every language: of the program, hardware, formats, keys, units, instructions, people.
const QSet<QString>& names() {
    static const QSet<QString> all = [] {
        QSet<QString> words;
        addWords(
            words,
            QStringLiteral(
                "Warpglass CUDA PTX SASS GPU CPU SM SMs NVIDIA Nsight Compute Systems Little Fermi Kepler Maxwell "
                "Pascal Volta "
                "Turing Ampere Ada Hopper Blackwell Tesla GeForce RTX GTX Xavier Orin Thor Linux Qt GNU ISA SIMT "
                "SIMD FMA "
                "HBM DRAM L1 L2 TEX LSU ALU FP16 FP32 FP64 INT SFU MIO LG IPC CPI AoS SoA nvcc NVRTC Clang LLVM "
                "Ctrl Alt Shift Esc Enter Tab Space Home End PgUp PgDown Page up down Del Backspace F1 F4 F5 F6 "
                "F10 F11 "
                "English png svg pdf csv html gif mp4 wgt cu ptx PNG SVG PDF CSV HTML GIF MP4 UTF JSON "
                "ns us ms s B KB MB GB TB KiB MiB GiB Hz MHz GHz GFLOP GFLOPS FLOP FLOPS TFLOPS TB W A S D x y z "
                "X Y Z k "
                "nvprof bank TFLOP Shuffle Warp Kernel Return Up Down Right cpp main VALUE NAME FAST warpglass gpu "
                "Language if else "
                "float volatile scale size Professional Programming Stall Wait Long Short Scoreboard Selected "
                "Resolving Branch Barrier Instruction "
                "gto lrr gty cp async mbarrier mma wgmma TMA C A B D E F G H I J K L M N O P Q R T U V D0 D1 D2 D3 D4 "
                "sm compute vs ptxas LD ST"));
        return words;
    }();
    return all;
}

// Titles of chapters, in the documents' language.
bool quotesChapters(const ShownText& shown) {
    return shown.where.startsWith(QLatin1String("QListWidget gallery item's tip")) ||
           shown.where == QLatin1String("QLabel storyText tool tip");
}

} // namespace

class TestWindowChinese : public QObject, WindowFixture {
    Q_OBJECT

    QSet<QString> m_known; // names, and the words of the code that is shown

    void learn(const Trace& trace) {
        for (const Kernel& kernel : trace.kernels) {
            addWords(m_known, QString::fromStdString(kernel.source));
            addWords(m_known, QString::fromStdString(kernel.ptx));
            addWords(m_known, QString::fromStdString(kernel.name));
            addWords(m_known, QString::fromStdString(kernel.sourceName));
        }
        addWords(m_known, QString::fromStdString(trace.info.deviceName));
    }
    void learnCatalogue() {
        m_known = names();
        for (const CatalogueEntry& entry : catalogue()) {
            for (const std::string& text : {entry.name, entry.entry, entry.source})
                addWords(m_known, QString::fromStdString(text));
            for (const Parameter& parameter : entry.parameters)
                addWords(m_known, QString::fromStdString(parameter.name));
        }
    }
    // Words that no Chinese text should hold, each once, with where it is said.
    QStringList english(const QVector<ShownText>& texts) const {
        QStringList found;
        QSet<QString> told;
        static const QRegularExpression nsight(QStringLiteral("Nsight 称之为：[^\n]*"));
        for (const ShownText& shown : texts)
            for (auto at = latinWords().globalMatch(QString(shown.text).remove(nsight)); at.hasNext();) {
                const QRegularExpressionMatch match = at.next();
                const QString word = match.captured();
                // A line of code that was cut off, in the middle of one of its words.
                if (QString(shown.text).remove(nsight).mid(match.capturedEnd()).startsWith(QChar(0x2026)) &&
                    std::any_of(m_known.begin(), m_known.end(), [&](const QString& k) { return k.startsWith(word); }))
                    continue;
                if (shown.where.contains(QLatin1String("qt_dockwidget")) ||
                    shown.where.contains(QLatin1String("Scroll")))
                    continue; // Qt's own, where its translations are not installed
                if (quotesChapters(shown) || shown.where.contains(QLatin1String("breadcrumb"))) // names of files
                    continue;
                if (word.size() < 2 || m_known.contains(word) || told.contains(word + shown.where))
                    continue;
                // Names out of code: gpuRecursiveReduce, cp_async, sm_90, R12, u32; of machine code: MOV, BSSY.
                static const QRegularExpression name(QStringLiteral("_|[0-9]|[a-z][A-Z]|^[A-Z]{3,}$"));
                if (word.contains(name))
                    continue;
                told.insert(word + shown.where);
                found << QStringLiteral("%1: \"%2\" in \"%3\"").arg(shown.where, word, shown.text.left(160));
            }
        return found;
    }
    QVector<ShownText> all() {
        QCoreApplication::processEvents(); // widgets hear of another language by events
        QVector<ShownText> texts = textsOfWindow(m_window.get());
        for (int i = 0; i < m_window->views().count(); ++i) {
            const ViewWidget* view = m_window->views().at(i);
            texts += textsOfView(view->view(), view->context(), {1100, 640});
        }
        return texts;
    }
    void open(const char* recording) {
        m_window->openFile(QStringLiteral(":/recordings/%1.wgt").arg(QLatin1String(recording)));
        settle();
        learn(*m_window->current()->trace);
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("chinese")); }
    void init() {
        openWindow({1280, 720});
        learnCatalogue();
        m_window->setLanguage(QStringLiteral("zh_CN"));
    }
    void cleanup() {
        m_window->setLanguage(QStringLiteral("en"));
        closeWindow();
    }

    void theSearchFindsEnglish() {
        QCOMPARE(english({{"here", QStringLiteral("线程束 warp 0 在 SM 3 上等 barrier")}}).size(), 2);
        QVERIFY(english({{"here", QStringLiteral("核函数 mathKernel1 用 Ctrl+N，sm_90")}}).isEmpty());
        QVERIFY(english({{"here", QStringLiteral("在 Blackw…")}}).isEmpty()); // Blackwell
        QCOMPARE(english({{"here", QStringLiteral("Qqup…")}}).size(), 1);
        m_window->setLanguage(QStringLiteral("en"));
        QVERIFY(english(textsOfWidget(m_window->views().strip->next)).size() > 2);
    }

    void nothingIsOpen() {
        const QStringList found = english(all());
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }

    void kernels_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<bool>("timed");
        QTest::newRow("divergence") << QStringLiteral("mathKernel1") << false;
        QTest::newRow("cycles") << QStringLiteral("reduceInterleaved") << true;
        QTest::newRow("launches") << QStringLiteral("nestedHelloWorld") << false;
    }
    void kernels() {
        QFETCH(QString, kernel);
        QFETCH(bool, timed);
        RunRequest request;
        request.kernel = kernel.toStdString();
        request.launch.size = kernel == QLatin1String("nestedHelloWorld") ? 8 : 128;
        request.launch.block = Dim3{kernel == QLatin1String("nestedHelloWorld") ? 8u : 64u, 1, 1};
        request.launch.mode = CompileMode::AsWritten;
        request.options.detail.accesses = request.accesses = true;
        request.options.timing = timed;
        m_window->run(request);
        settle();
        learn(*m_window->current()->trace);
        const QStringList found = english(all());
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }

    // One kernel twice: how it was compiled tells the runs apart, in the window's language, switched live, too.
    void twoRunsOfOneKernel() {
        RunRequest request;
        request.kernel = "mathKernel1";
        request.launch.size = 128;
        request.launch.block = Dim3{64};
        RunRequest other = request;
        other.launch.mode = CompileMode::AsWritten;
        m_window->run(request);
        settle();
        m_window->compareWith(RunSource(other));
        settle();
        learn(*m_window->current()->trace);
        const auto title = [&] { return child<QLabel>("differencesTitle")->toolTip(); };
        QVERIFY2(title().contains(QStringLiteral("优化编译")) && title().contains(QStringLiteral("按原样编译")),
                 qPrintable(title()));
        m_window->setLanguage(QStringLiteral("en"));
        QVERIFY2(title().contains("optimised") && title().contains("as-written"), qPrintable(title()));
        m_window->setLanguage(QStringLiteral("zh_CN"));
    }

    void recordingsOfAGpu() {
        for (const char* recording : {"gpuRecursiveReduceNosync-optimised-2097152", "transpose_smem-optimised"}) {
            open(recording);
            const QStringList found = english(all());
            QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
        }
    }

    void lessonsAndTheStartPage() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        learn(*m_window->current()->trace);
        QStringList found = english(all());
        emit m_window->views().question->answered({}, false);
        found += english(all());
        m_window->showStartPage(true);
        found += english(all());
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }

    // What has gone wrong is told in the language of now, too.
    void anErrorIsToldInTheLanguageOfNow() {
        m_window->setLanguage(QStringLiteral("en"));
        MessageBar& bar = *m_window->views().message;
        bar.showError(Error{.message = say::NoSuchFile});
        const QString english = bar.text();
        QCOMPARE(english, QString("There is no such file"));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(bar.text() != english);
        QVERIFY(bar.showsError());
        QVERIFY2(!bar.text().contains(QLatin1String("file")), qPrintable(bar.text()));
        m_window->setLanguage(QStringLiteral("en"));
        QTRY_COMPARE(bar.text(), english);
    }

    // What Qt says in its own dialogs comes with the program: its translations are not everywhere, and not whole.
    void qtsOwnDialogsAreChinese() {
        QTemporaryDir empty;
        QFileDialog files(m_window.get(), QStringLiteral("保存"), empty.path());
        files.setOption(QFileDialog::DontUseNativeDialog);
        files.setAcceptMode(QFileDialog::AcceptSave);
        files.show();
        QMessageBox box(QMessageBox::Question, QStringLiteral("问"), QStringLiteral("问"),
                        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel | QMessageBox::Yes |
                            QMessageBox::No | QMessageBox::Ok | QMessageBox::Close | QMessageBox::Help |
                            QMessageBox::Retry);
        QVector<ShownText> texts;
        for (const QWidget* dialog : std::initializer_list<const QWidget*>{&files, &box})
            for (const QWidget* part : dialog->findChildren<QWidget*>())
                if (qobject_cast<const QLabel*>(part) || qobject_cast<const QAbstractButton*>(part))
                    texts += textsOfWidget(part);
        const QAbstractItemModel* columns = files.findChild<QTreeView*>()->model();
        for (int c = 0; c < columns->columnCount(); ++c)
            texts.append({QStringLiteral("header"), columns->headerData(c, Qt::Horizontal).toString()});
        QVERIFY(texts.size() > 20);
        const QStringList found = english(texts);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
        QCOMPARE(columns->headerData(0, Qt::Horizontal).toString(), QStringLiteral("名称"));
    }

    // A store far behind a buffer of 64 numbers: said above the picture and at its line, in the language of now.
    void aFaultIsChineseAtItsLineToo() {
        QFile file(m_folder->filePath(QStringLiteral("wild.ptx")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry wild(.param .u64 data)\n{\n"
            "  .reg .b64 %rd<2>;\n  .reg .b32 %r<2>;\n  ld.param.u64 %rd1, [data];\n"
            "  cvta.to.global.u64 %rd1, %rd1;\n  mov.u32 %r1, 5;\n  st.global.u32 [%rd1+4000], %r1;\n  ret;\n}\n");
        file.close();
        m_window->openFile(file.fileName());
        settle();
        const MessageBar& bar = *m_window->views().message;
        const auto* editor = child<PadEditor>("padEditor");
        constexpr int line = 10; // of the store, from 0
        addWords(m_known, QStringLiteral("wild data st global"));
        QTRY_VERIFY(bar.showsError());
        // 4000 bytes from the beginning, 3,744 behind the end of 256 bytes.
        QVERIFY2(bar.text().contains(QStringLiteral("3,744 字节")), qPrintable(bar.text()));
        QVERIFY2(editor->annotation(line).remove(QLatin1Char('\n')).contains(QStringLiteral("3,744 字节")),
                 qPrintable(editor->annotation(line)));
        const QStringList found = english({{"bar", bar.text()}, {"line", editor->annotation(line)}});
        const QStringList lines = editor->annotation(line).split(QLatin1Char('\n'));
        QVERIFY(lines.size() > 1); // it is broken, though it has no blanks
        for (const QString& one : lines)
            QVERIFY2(QFontMetrics(Theme::make(ThemeKind::Light).small()).horizontalAdvance(one) < editor->width(),
                     qPrintable(one));
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
        m_window->setLanguage(QStringLiteral("en"));
        QTRY_VERIFY2(editor->annotation(line).contains(QStringLiteral("past")), qPrintable(editor->annotation(line)));
        m_window->setLanguage(QStringLiteral("zh_CN"));
    }

    // Headers and drop-downs show their words whole: given more room, nothing comes to what is seen of them.
    void noWordIsCut() {
        m_window->action(QStringLiteral("new"))->trigger();
        settle();
        auto* table = child<ArgumentTable>("padArguments");
        QHeaderView* header = table->horizontalHeader();
        QTRY_VERIFY(table->rowCount() > 0);
        for (int c = 0; c < 3; ++c) {
            const int width = header->sectionSize(c),
                      wide = header->fontMetrics().horizontalAdvance(table->horizontalHeaderItem(c)->text());
            header->setSectionResizeMode(c, QHeaderView::Fixed);
            const auto seen = [&] {
                return header->grab({header->sectionViewportPosition(c), 2, wide + 6, header->height() - 6}).toImage();
            };
            const QImage before = seen();
            header->resizeSection(c, width + 60);
            QVERIFY2(before == seen(), qPrintable(QString::number(c)));
            header->resizeSection(c, width);
        }
        m_window->resize(1700, 900); // in less the ends of some are cut on purpose
        m_window->views().showView(QStringLiteral("charts"));
        QTRY_VERIFY(m_window->width() == 1700);
        int boxes = 0;
        for (QComboBox* box : m_window->views().findChildren<QComboBox*>()) {
            if (!box->isVisible())
                continue;
            const int wide = box->fontMetrics().horizontalAdvance(box->currentText());
            const auto seen = [&] { return box->grab({4, 4, wide + 8, box->height() - 8}).toImage(); };
            const QImage before = seen();
            box->resize(box->width() + 60, box->height());
            QVERIFY2(before == seen(), qPrintable(box->objectName()));
            ++boxes;
        }
        QVERIFY(boxes > 0);
    }

    // The same window, switched there and back, says what it said before, and nothing of one language stays behind.
    void switchedThereAndBackWhileALessonIsOpen() {
        m_window->setLanguage(QStringLiteral("en"));
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        learn(*m_window->current()->trace);
        emit m_window->views().question->answered({}, false);
        m_window->action(QStringLiteral("guide"))->trigger();
        const QVector<ShownText> before = all();
        const QString menu = m_window->action(QStringLiteral("open"))->text(),
                      lesson = child<QLabel>("storyText")->text();
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(m_window->action(QStringLiteral("open"))->text() != menu);
        QVERIFY(child<QLabel>("storyText")->text() != lesson);
        const QStringList found = english(all());
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
        m_window->setLanguage(QStringLiteral("en"));
        QTRY_COMPARE(m_window->action(QStringLiteral("open"))->text(), menu);
        const QVector<ShownText> after = all();
        static const QRegularExpression han(QStringLiteral("[\\x{4e00}-\\x{9fff}]"));
        for (const ShownText& shown : after)
            QVERIFY2(quotesChapters(shown) || !shown.text.contains(han) ||
                         shown.text.contains(QStringLiteral("中文")) || shown.text.contains(QStringLiteral("语言")),
                     qPrintable(shown.where + QStringLiteral(": ") + shown.text));
        QSet<QString> texts;
        for (const ShownText& shown : after)
            texts.insert(shown.text);
        QStringList lost;
        for (const ShownText& shown : before)
            if (!texts.contains(shown.text) && !shown.where.contains(QLatin1String("QLabel presenter"))) // clocks
                lost << shown.where + QStringLiteral(": ") + shown.text;
        QVERIFY2(lost.isEmpty(), qPrintable(lost.join(QLatin1Char('\n'))));
    }
};

WARPGLASS_QT_TEST(TestWindowChinese)
#include "test_window_chinese.moc"
