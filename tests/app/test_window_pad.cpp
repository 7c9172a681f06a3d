// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel pad in the real window, as a student uses it: write, choose, give arguments, err, save. PTX needs no
// compiler; what needs one is skipped without nvcc.
#include "app/window/pad/argument_table.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/pad/pad_panel.h"
#include "gpu/metrics/metrics.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTabWidget>

#include <cstdlib>

using namespace warpglass;

namespace {

// Each thread below n stores its number doubled: two sides of one branch.
const char* const doubles = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry doubles(.param .u64 out, .param .u32 n)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra done;
  shl.b32 %r3, %r2, 1;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
done:
  ret;
}
)";

} // namespace

class TestWindowPad : public QObject, WindowFixture {
    Q_OBJECT

    PadEditor* editor() { return child<PadEditor>("padEditor"); }
    ArgumentTable* arguments() { return child<ArgumentTable>("padArguments"); }
    QString message() { return m_window->views().message->text(); }

    QString write(const QString& name, const char* text) {
        const QString path = m_folder->filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
            qFatal("cannot write");
        return path;
    }
    // Lanes that jumped at each branch of a conditional one, in the order of the events.
    std::vector<std::uint32_t> jumped() {
        std::vector<std::uint32_t> all;
        const Trace& trace = *m_window->current()->trace;
        for (std::size_t e = 0; e < trace.events.size(); ++e)
            if (trace.events.kind(e) == EventKind::Branch)
                all.push_back(trace.events.taken(e).bits);
        return all;
    }
    void fillField(const char* name, const QString& text) {
        auto* field = child<QLineEdit>(name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    }
    QString output() { return child<QPlainTextEdit>("padProgramOutput")->toPlainText(); }
    QPushButton* runButton() { return child<QWidget>("padProgram")->findChild<QPushButton*>(); }
    // The program that is written runs; its end is told beside the button.
    void runProgram() {
        click(runButton());
        QVERIFY(child<PadPanel>("padPanel")->programRuns());
        QTRY_VERIFY_WITH_TIMEOUT(!child<PadPanel>("padPanel")->programRuns(), 120000);
    }
    QString programState() { return child<QLabel>("padProgramState")->text(); }
    // A cell as a person fills it.
    void fill(int row, int column, const QString& text) {
        ArgumentTable* table = arguments();
        table->setCurrentCell(row, column);
        if (!table->viewport()->findChild<QLineEdit*>())
            table->editItem(table->item(row, column)); // it was the current one already
        auto* field = table->viewport()->findChild<QLineEdit*>();
        QVERIFY(field);
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassPad")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    // By the stand-in for Triton of tests/session/triton, which gives what the real one made of this file for four warps. A
    // constant that is changed in the table compiles it anew; without Triton the window says what to install.
    void aFileOfTritonOpensAndRuns() {
        if (std::system("python3 -c '' 2> /dev/null") != 0)
            QSKIP("no Python here");
        setenv("PYTHONPATH", WARPGLASS_SOURCE_DIR "/tests/session/triton", 1);
        setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
        const QString path = m_folder->filePath(QStringLiteral("add.py"));
        QVERIFY(QFile::copy(QStringLiteral(WARPGLASS_SOURCE_DIR "/tests/session/triton/add.py"), path));
        m_window->openFile(path);
        settle();
        QVERIFY2(!m_window->views().message->showsError(), qPrintable(message()));
        const auto kernel = [&] { return m_window->current()->trace->kernels.front(); };
        QCOMPARE(kernel().name, std::string("add_kernel"));
        QCOMPARE(kernel().sourceName, std::string("add.py"));
        QVERIFY(!kernel().ttgir.empty());
        QCOMPARE(m_window->current()->trace->launches.front().block, (Dim3{128}));
        QCOMPARE(arguments()->rowCount(), 6);
        QCOMPARE(arguments()->item(0, 1)->text(), QStringLiteral("f32*"));
        QCOMPARE(arguments()->item(4, 1)->text(), QStringLiteral("constexpr"));
        fill(4, 3, QStringLiteral("512"));
        settle();
        QVERIFY2(kernel().ptx.find("'BLOCK': 512") != std::string::npos, kernel().ptx.substr(0, 300).c_str());
        fill(0, 1, QStringLiteral("f16"));
        settle();
        QVERIFY2(kernel().ptx.find("'x_ptr': '*fp16'") != std::string::npos, kernel().ptx.substr(0, 300).c_str());
        setenv("WARPGLASS_PYTHON", "no-python-of-that-name", 1);
        editor()->append(QStringLiteral("\n"));
        QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("pip install triton")), 60000);
        unsetenv("WARPGLASS_PYTHON");
        unsetenv("PYTHONPATH");
        QVERIFY(m_window->views().message->showsError());
    }

    void aPtxFileOpensAndRuns() {
        m_window->openFile(write(QStringLiteral("own.ptx"), doubles));
        settle();
        QVERIFY2(!m_window->views().message->showsError(), qPrintable(message()));
        const Trace& trace = *m_window->current()->trace;
        QCOMPARE(trace.launches.front().block, (Dim3{64}));
        QCOMPARE(m_window->current()->name, QStringLiteral("doubles"));
        QCOMPARE(child<QTabBar>("sourceTabs")->currentIndex(), 2);
        QCOMPARE(arguments()->rowCount(), 2);
        QCOMPARE(arguments()->item(0, 2)->text(), QStringLiteral("64")); // as many as there are threads
        QCOMPARE(arguments()->item(1, 3)->text(), QStringLiteral("64")); // called n: a count
        // Of 64 threads 40 go on: all of the first warp, eight of the second, whose branch divides.
        fill(1, 3, QStringLiteral("40"));
        settle();
        const Trace& now = *m_window->current()->trace;
        std::vector<std::uint32_t> jumped;
        for (const Warp& warp : now.warps)
            for (std::uint64_t e = warp.firstEvent; e < warp.firstEvent + warp.eventCount; ++e)
                if (now.events.kind(e) == EventKind::Branch)
                    jumped.push_back(now.events.taken(e).bits);
        QCOMPARE(jumped, (std::vector<std::uint32_t>{0u, 0xffffff00u}));
    }

    void theShapeOfTheLaunchPanelIsThePads() {
        m_window->openFile(write(QStringLiteral("own.ptx"), doubles));
        settle();
        auto* block = child<QLineEdit>("block");
        block->setFocus();
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("96"));
        QTest::keyClick(block, Qt::Key_Return);
        settle();
        QCOMPARE(m_window->current()->trace->launches.front().block, (Dim3{96}));
        QCOMPARE(arguments()->item(0, 2)->text(), QStringLiteral("96")); // the buffer follows
        QVERIFY(!child<QLineEdit>("size")->isEnabled());
    }

    void typingRunsAndAnErrorIsAtItsLine() {
        m_window->openFile(write(QStringLiteral("own.ptx"), doubles));
        settle();
        const RunPtr before = m_window->current();
        editor()->setFocus();
        editor()->setCursorPosition(11, 0); // before "shl"
        QTest::keyClicks(editor(), QStringLiteral("[L,. "));
        QVERIFY2(editor()->text(11).startsWith(QStringLiteral("[L,. ")), qPrintable(editor()->text(11)));
        QTRY_COMPARE_WITH_TIMEOUT(editor()->markCount(), 1, 20000);
        QVERIFY(message().contains(QStringLiteral("12")));
        QCOMPARE(m_window->current(), before);                     // the picture stays
        QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier); // the text's, not the run's
        QCOMPARE(m_window->current(), before);
        while (editor()->text() != QString::fromLatin1(doubles) && editor()->isUndoAvailable())
            QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->current() != before && !m_window->busy(), 20000);
        QCOMPARE(editor()->markCount(), 0);
        QVERIFY(!m_window->views().message->showsError());
    }

    void aWrongArgumentSaysWhichAndWhat() {
        m_window->openFile(write(QStringLiteral("own.ptx"), doubles));
        settle();
        fill(0, 3, QStringLiteral("fnord"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->views().message->showsError(), 20000);
        QVERIFY2(message().contains(QStringLiteral("fnord")), qPrintable(message()));
    }

    void anAccessOutOfBoundsIsShownAtItsLine() {
        m_window->openFile(write(QStringLiteral("own.ptx"), doubles));
        settle();
        fill(0, 2, QStringLiteral("16")); // for 64 stores
        settle();
        QVERIFY(m_window->views().message->showsError());
        QVERIFY2(message().contains(QStringLiteral("out")), qPrintable(message()));
        QCOMPARE(editor()->markCount(), 1);
    }

    void aFileBesideTheKernelFillsABuffer() {
        // Lanes whose number in the file is not zero jump.
        QByteArray numbers;
        for (std::int32_t i = 0; i < 32; ++i) {
            const std::int32_t number = i % 4 == 1;
            numbers.append(reinterpret_cast<const char*>(&number), sizeof number);
        }
        QFile file(m_folder->filePath(QStringLiteral("numbers.bin")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(numbers) == 128);
        file.close();
        m_window->openFile(write(QStringLiteral("own.ptx"),
                                 ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in) {\n"
                                 ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"
                                 "ld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
                                 "add.u64 %rd3, %rd1, %rd2;\nld.global.u32 %r2, [%rd3];\n"
                                 "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra done;\nst.global.u32 [%rd3], %r1;\n"
                                 "done:\nret;\n}\n"));
        settle();
        fill(0, 2, QStringLiteral("32"));
        settle();
        fill(0, 3, QStringLiteral("file:numbers.bin"));
        settle();
        auto* block = child<QLineEdit>("block");
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("32"));
        QTest::keyClick(block, Qt::Key_Return);
        settle();
        QVERIFY2(!m_window->views().message->showsError(), qPrintable(message()));
        QCOMPARE(jumped(), std::vector<std::uint32_t>{0x22222222u});
        fill(0, 3, QStringLiteral("file:missing.bin"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->views().message->showsError(), 20000);
        QVERIFY2(message().contains(QStringLiteral("missing.bin")), qPrintable(message()));
    }

    // Registers decide how many blocks fit. Of 200 a warp takes 200 x 32 = 6,400 of its scheduler's 16,384: two warps a
    // scheduler, 8 an SM, 4 blocks of two.
    void registersAreCountedWhereAnAssemblerIsAndElseEstimated() {
        const QByteArray path = qgetenv("PATH"), home = qgetenv("CUDA_HOME"), other = qgetenv("CUDA_PATH");
        const auto back = qScopeGuard([&] {
            qputenv("PATH", path);
            home.isNull() ? qunsetenv("CUDA_HOME") : qputenv("CUDA_HOME", home);
            other.isNull() ? qunsetenv("CUDA_PATH") : qputenv("CUDA_PATH", other);
        });
        qputenv("PATH", "/nowhere");
        qputenv("CUDA_HOME", "/nowhere");
        qputenv("CUDA_PATH", "/nowhere");
        m_window->openFile(write(QStringLiteral("own.ptx"), doubles));
        settle();
        const auto* says = child<QLabel>("padOccupancy");
        static const QRegularExpression estimated(QStringLiteral("with \\d+ registers a thread \\(estimated\\)\\."));
        QVERIFY2(says->text().contains(estimated), qPrintable(says->text()));

        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("toolkit/bin")));
        write(QStringLiteral("toolkit/bin/nvcc"), "#!/bin/sh\nexit 1\n");
        write(QStringLiteral("toolkit/bin/ptxas"),
              "#!/bin/sh\n"
              "echo \"ptxas info    : Compiling entry function 'doubles' for 'sm_90'\"\n"
              "echo \"ptxas info    : Used 200 registers, used 0 barriers\"\n");
        for (const char* tool : {"nvcc", "ptxas"})
            QVERIFY(QFile::setPermissions(m_folder->filePath(QStringLiteral("toolkit/bin/") + QLatin1String(tool)),
                                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("CUDA_HOME", m_folder->filePath(QStringLiteral("toolkit")).toUtf8());
        m_window->openFile(write(QStringLiteral("again.ptx"), doubles));
        settle();
        QTRY_VERIFY2_WITH_TIMEOUT(says->text().contains(QStringLiteral("with 200 registers a thread.")),
                                  qPrintable(says->text()), 60000);
        QVERIFY2(says->text().startsWith(QStringLiteral("4 blocks of 64 threads fit on an SM: 8 of 64 warps")),
                 qPrintable(says->text()));
    }

    void withoutACompilerPtxRunsAndASentenceSaysWhatToInstall() {
        const QByteArray path = qgetenv("PATH"), home = qgetenv("CUDA_HOME"), other = qgetenv("CUDA_PATH");
        qputenv("PATH", "/nowhere");
        qputenv("CUDA_HOME", "/nowhere");
        qputenv("CUDA_PATH", "/nowhere");
        const auto back = qScopeGuard([&] {
            qputenv("PATH", path);
            home.isNull() ? qunsetenv("CUDA_HOME") : qputenv("CUDA_HOME", home);
            other.isNull() ? qunsetenv("CUDA_PATH") : qputenv("CUDA_PATH", other);
        });
        m_window->openFile(write(QStringLiteral("own.ptx"), doubles));
        settle();
        QCOMPARE(m_window->current()->name, QStringLiteral("doubles"));
        m_window->openFile(write(QStringLiteral("k.cu"), "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"));
        // NVRTC, where it is, compiles it.
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->views().message->showsError() || m_window->current()->name == QLatin1String("k"), 60000);
        if (m_window->views().message->showsError()) {
            QVERIFY2(message().contains(QStringLiteral("nvcc")), qPrintable(message()));
            QVERIFY2(message().contains(QStringLiteral("Install")), qPrintable(message()));
        }
        m_window->openFile(write(QStringLiteral("p.cu"), "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n"));
        runProgram();
        QVERIFY2(message().contains(QStringLiteral("nvcc")), qPrintable(message()));
    }

    void definitionsAndFoldersOfHeadersAreFields() {
        if (!hasCompiler())
            QSKIP("nvcc is not on PATH");
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("my inc")));
        write(QStringLiteral("my inc/limit.h"), "constexpr int limit = N;\n");
        const QString path = write(QStringLiteral("k.cu"),
                                   "#include <limit.h>\n"
                                   "__global__ void k(int* a) { if (threadIdx.x < limit) a[threadIdx.x] = 1; }\n");
        m_window->openFile(path);
        QTRY_COMPARE_WITH_TIMEOUT(editor()->markCount(), 1, 60000); // there is no such header
        child<QTabWidget>("padPages")->setCurrentIndex(1);
        fillField("padIncludes", QStringLiteral("\"my inc\""));
        fillField("padDefines", QStringLiteral("N=5"));
        settle();
        QVERIFY2(!m_window->views().message->showsError(), qPrintable(message()));
        QCOMPARE(editor()->markCount(), 0);
        QCOMPARE(jumped(), (std::vector<std::uint32_t>{0xffffffe0u, 0xffffffffu})); // 5 of 64 do not jump over it
        fillField("padNvcc", QStringLiteral("--no-such-option"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->views().message->showsError(), 60000);
        QVERIFY2(message().contains(QStringLiteral("no-such-option")), qPrintable(message()));
        fillField("padNvcc", QStringLiteral(" "));
        editor()->setFocus();
        QTest::keyClick(editor(), Qt::Key_S, Qt::ControlModifier);
        const auto settings = readPadSettings(path);
        QVERIFY(settings.ok());
        QCOMPARE(settings->includes, QStringList{"my inc"});
        QCOMPARE(settings->defines, QStringList{"N=5"});
    }

    void aStructsFieldsAreRows() {
        if (!hasCompiler())
            QSKIP("nvcc is not on PATH");
        m_window->openFile(write(QStringLiteral("s.cu"),
                                 "struct Matrix { float* data; int width; };\n"
                                 "__global__ void k(Matrix m, float3 by) {\n"
                                 "  if (threadIdx.x < m.width) m.data[threadIdx.x] = by.y;\n}\n"));
        settle();
        QVERIFY2(!m_window->views().message->showsError(), qPrintable(message()));
        ArgumentTable* table = arguments();
        QStringList names;
        for (int row = 0; row < table->rowCount(); ++row)
            names << table->item(row, 0)->text();
        QCOMPARE(names, (QStringList{"m.data", "m.width", "by.x", "by.y", "by.z"}));
        QCOMPARE(table->item(0, 2)->text(), QStringLiteral("64"));
        fill(1, 3, QStringLiteral("33"));
        settle();
        QCOMPARE(jumped(), (std::vector<std::uint32_t>{0u, 0xfffffffeu}));
    }

    void aProgramRunsAsAProgram() {
#ifdef WARPGLASS_WITHOUT_PROGRAMS
        QSKIP("a sanitizer's library must be loaded before all others, and nvcc's programs do not");
#endif
        if (!hasCompiler())
            QSKIP("nvcc is not on PATH");
        const QString path =
            write(QStringLiteral("p.cu"), "#include <cstdio>\n"
                                          "#include <cstdlib>\n"
                                          "__global__ void k(int* a, int n) {\n"
                                          "  a[threadIdx.x + n] = 1;\n"
                                          "}\n"
                                          "int main(int count, char** words) {\n"
                                          "  int* a; cudaMalloc(&a, 256);\n"
                                          "  k<<<1, 64>>>(a, count > 1 ? atoi(words[1]) : 0);\n"
                                          "  printf(\"it says %d\\n\", int(cudaDeviceSynchronize()));\n"
                                          "  return 3;\n}\n");
        m_window->openFile(path);
        QTRY_VERIFY(child<QTabWidget>("padPages")->isTabVisible(2));
        QCOMPARE(child<QTabWidget>("padPages")->currentIndex(), 2);
        runProgram();
        QVERIFY2(output().contains(QStringLiteral("it says 0")), qPrintable(output()));
        QVERIFY2(programState().contains(QStringLiteral("status 3")), qPrintable(programState()));
        QVERIFY(QFileInfo::exists(m_folder->filePath(QStringLiteral("p-recorded/program.wgt"))));
        QCOMPARE(editor()->markCount(), 0);
        fillField("padProgramArguments", QStringLiteral("16")); // sixteen too far
        runProgram();
        QVERIFY2(output().contains(QStringLiteral("it says 700")), qPrintable(output())); // cudaErrorIllegalAddress
        QCOMPARE(editor()->markCount(), 1);
        // What is written runs, not what was saved; and an error is at its line.
        editor()->setFocus();
        editor()->setCursorPosition(8, 0);
        QTest::keyClicks(editor(), QStringLiteral("nosuch "));
        runProgram();
        QVERIFY2(message().contains(QStringLiteral("nosuch")), qPrintable(message()));
        QVERIFY(editor()->markCount() >= 1);
    }

    void aProgramWithoutEndIsStopped() {
#ifdef WARPGLASS_WITHOUT_PROGRAMS
        QSKIP("a sanitizer's library must be loaded before all others, and nvcc's programs do not");
#endif
        if (!hasCompiler())
            QSKIP("nvcc is not on PATH");
        m_window->openFile(write(QStringLiteral("p.cu"),
                                 "#include <cstdio>\n__global__ void k() {}\n"
                                 "int main() {\n  k<<<1, 1>>>(); cudaDeviceSynchronize();\n"
                                 "  printf(\"launched\\n\"); fflush(stdout);\n  for (;;) {}\n}\n"));
        click(runButton());
        QTRY_VERIFY_WITH_TIMEOUT(output().contains(QStringLiteral("launched")), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(runButton()->text(), QStringLiteral("Stop"), 5000);
        QTest::qWait(1200); // it is known to be running, not building
        click(runButton());
        QTRY_VERIFY_WITH_TIMEOUT(!child<PadPanel>("padPanel")->programRuns(), 20000);
        QVERIFY2(programState().contains(QStringLiteral("signal 15")), qPrintable(programState()));
        QVERIFY(QFileInfo::exists(m_folder->filePath(QStringLiteral("p-recorded/program.wgt")))); // what was recorded
    }

    void mainThatIsWrittenMakesAProgram() {
        m_window->openFile(write(QStringLiteral("k.cu"), "__global__ void k() {}\n"));
        auto* pages = child<QTabWidget>("padPages");
        QVERIFY(!pages->isTabVisible(2));
        editor()->setFocus();
        editor()->setCursorPosition(1, 0);
        QTest::keyClicks(editor(), QStringLiteral("int main() {}"));
        QTRY_VERIFY_WITH_TIMEOUT(pages->isTabVisible(2), 20000);
        QCOMPARE(pages->currentIndex(), 0); // and stays where one is
    }

    void anEndlessLoopEnds() {
        m_window->openFile(write(QStringLiteral("endless.ptx"),
                                 ".version 8.0\n.target sm_80\n.address_size 64\n"
                                 ".visible .entry endless() {\nagain:\n  bra again;\n}\n"));
        settle();
        QVERIFY2(m_window->views().message->showsError(), qPrintable(message()));
    }

    void settingsLieBesideTheFile() {
        const QString path = write(QStringLiteral("own.ptx"), doubles);
        m_window->openFile(path);
        settle();
        fill(1, 3, QStringLiteral("7"));
        settle();
        auto* block = child<QLineEdit>("block");
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("32"));
        QTest::keyClick(block, Qt::Key_Return);
        settle();
        editor()->setFocus();
        QTest::keyClick(editor(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(QFile::exists(path + QStringLiteral(".warpglass.json")));
        const auto settings = readPadSettings(path);
        QVERIFY(settings.ok());
        QCOMPARE(settings->kernels[QStringLiteral("doubles")].arguments[QStringLiteral("n")].initial,
                 QStringLiteral("7"));
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        m_window->openFile(path);
        settle();
        QCOMPARE(m_window->current()->trace->launches.front().block, (Dim3{32}));
        QCOMPARE(arguments()->item(1, 3)->text(), QStringLiteral("7"));
    }

    void anotherEditorsSaveRuns() {
        const QString path = write(QStringLiteral("own.ptx"), doubles);
        m_window->openFile(path);
        settle();
        write(QStringLiteral("own.ptx"), QByteArray(doubles).replace("doubles", "renamed").constData());
        QTRY_COMPARE_WITH_TIMEOUT(m_window->current()->name, QStringLiteral("renamed"), 20000);
    }

    void damagedSettingsAreSaidAndTheKernelRuns() {
        const QString path = write(QStringLiteral("own.ptx"), doubles);
        write(QStringLiteral("own.ptx.warpglass.json"), "{ no json");
        m_window->openFile(path);
        QVERIFY2(message().contains(QStringLiteral("settings")), qPrintable(message()));
        settle();
        QCOMPARE(m_window->current()->name, QStringLiteral("doubles"));
    }

    void anEmptyPadShowsADivergingKernel() {
        if (!hasCompiler())
            QSKIP("nvcc is not on PATH");
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
        settle();
        QVERIFY2(!m_window->views().message->showsError(), qPrintable(message()));
        QCOMPARE(m_window->current()->name, QStringLiteral("firstKernel"));
        QCOMPARE(arguments()->item(0, 0)->text(), QStringLiteral("out"));
        QCOMPARE(arguments()->item(1, 0)->text(), QStringLiteral("n"));
        QCOMPARE(arguments()->item(1, 3)->text(), QStringLiteral("64"));
        // Both warps divide at line 7, even lanes from odd ones.
        const Trace& trace = *m_window->current()->trace;
        int divided = 0;
        for (std::uint64_t e = 0; e < trace.events.size(); ++e)
            if (trace.events.kind(e) == EventKind::Branch) {
                const std::uint32_t taken = trace.events.taken(e).bits;
                divided += taken == 0x55555555u || taken == 0xaaaaaaaau;
            }
        QCOMPARE(divided, 2);
    }

    void aTemplateRunsAsTheInstanceWritten() {
        if (!hasCompiler())
            QSKIP("nvcc is not on PATH");
        m_window->openFile(write(QStringLiteral("t.cu"), "template <class T, int N> __global__ void fillWith(T* out)\n"
                                                         "{ out[threadIdx.x] = T(N); }\n"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->views().message->showsError(), 60000);
        QVERIFY2(message().contains(QStringLiteral("fillWith<T, N>")), qPrintable(message()));
        auto* kernels = child<QComboBox>("padKernels");
        kernels->lineEdit()->selectAll();
        QTest::keyClicks(kernels->lineEdit(), QStringLiteral("fillWith<float, 4>"));
        QTest::keyClick(kernels->lineEdit(), Qt::Key_Return);
        settle();
        QVERIFY2(!m_window->views().message->showsError(), qPrintable(message()));
        QCOMPARE(m_window->current()->name, QStringLiteral("fillWith<float, 4>"));
        QCOMPARE(arguments()->item(0, 1)->text(), QStringLiteral("float*"));
    }

    void everyErrorOfTheCompilerIsMarked() {
        if (!hasCompiler())
            QSKIP("nvcc is not on PATH");
        m_window->openFile(write(QStringLiteral("bad.cu"), "__global__ void k(int* a)\n{\n  a[0] = b;\n  c();\n}\n"));
        QTRY_COMPARE_WITH_TIMEOUT(editor()->markCount(), 2, 60000); // lines 3 and 4
    }
};

WARPGLASS_QT_TEST(TestWindowPad)
#include "test_window_pad.moc"
