// SPDX-License-Identifier: GPL-3.0-or-later
// The window with what strangers bring: the emulator breaks, a wall of the cage is missing, words are to turn letters
// around or command a terminal.
#include "app/window/export/export_dialog.h"
#include "app/window/panels/message_bar.h"
#include "app/window/sweep/sweep_dialog.h"
#include "gpu/base/shown.h"
#include "gpu/trace/file.h"
#include "tests/app/hand_trace.h"
#include "tests/app/shown_texts.h"
#include "tests/app/window_tests.h"
#include "tests/cage/breaking.h"
#include "tests/cage/older_system.h"
#include "tests/qt_tests.h"
#include "views/common/sentences.h"

#include <QMenu>
#include <QPointer>
#include <QWindow>

using namespace warpglass;

namespace {

const QString marks = QStringLiteral("a\u202eb\u001b[2Jc\u2066d"); // of a name

bool isRaw(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) { return isShownByNumber(c.unicode()); });
}

} // namespace

class TestWindowStrangers : public QObject, WindowFixture {
    Q_OBJECT

    QString write(const QString& name, const QByteArray& text) {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("no place for a file");
        return file.fileName();
    }
    RunRequest requestOf(const char* name, const char* ptx) {
        RunRequest request;
        request.kernel = write(QLatin1String(name), ptx).toStdString();
        request.launch.grid = Dim3{1};
        request.launch.block = Dim3{32};
        return request;
    }
    QString said() const { return m_window->views().message->text(); }

    // What a person reads or hears now, with every menu as if it were opened.
    void nothingIsRaw(const char* where) {
        QList<QPointer<QMenu>> menus; // one that is shown makes its own anew
        for (QMenu* menu : m_window->findChildren<QMenu*>())
            menus.append(menu);
        for (const QPointer<QMenu>& menu : menus)
            if (menu)
                emit menu->aboutToShow();
        // Not QApplication's widgets: a chart that is composed in another thread is one of those for a moment.
        QList<const QWidget*> windows{m_window.get()}; // with its dialogs and menus
        for (const QWindow* shown : QGuiApplication::topLevelWindows())
            if (const QWidget* widget = QWidget::find(shown->winId()); widget && !m_window->isAncestorOf(widget))
                windows.append(widget);
        for (const QWidget* window : windows)
            for (const ShownText& shown : textsOfWindow(window))
                if (isRaw(shown.text))
                    m_raw += QStringLiteral("%1: %2: %3\n").arg(QLatin1String(where), shown.where, shown.text.left(99));
        for (int i = 0; i < m_window->views().count(); ++i) {
            const ViewWidget* view = m_window->views().at(i);
            for (const ShownText& shown : textsOfView(view->view(), view->context(), {1000, 600}))
                if (isRaw(shown.text))
                    m_raw += QStringLiteral("%1: %2: %3\n").arg(QLatin1String(where), shown.where, shown.text.left(99));
        }
    }
    QString m_raw;

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("strangers")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() {
        m_window->setLanguage(QStringLiteral("en"));
        closeWindow();
    }

    void stayWhenTheEmulatorBreaks() {
        RunRequest endless = requestOf("endless.ptx", tests::endlessKernel);
        endless.options.instructionLimit = std::uint64_t(1) << 40;
        for (const bool timing : {false, true}) {
            endless.options.timing = timing;
            const tests::Breaking breaking;
            m_window->run(endless);
            settle();
            QVERIFY2(breaking.broke(), qPrintable(said()));
            QVERIFY(m_window->views().message->showsError() && m_window->isVisible());
            QVERIFY2(said().startsWith(QLatin1String("The emulator itself broke here (s")) &&
                         said().contains(QLatin1String("Please report it, with the kernel's file, its launch (grid, "
                                                       "block, arguments, options) and \"Warpglass ")),
                     qPrintable(said()));
        }
        m_window->setLanguage(QStringLiteral("zh_CN"));
        {
            const tests::Breaking breaking;
            m_window->run(endless);
            settle();
            QVERIFY2(breaking.broke(), qPrintable(said()));
        }
        QVERIFY2(said().startsWith(QStringLiteral("模拟器自身在此出错（")) &&
                     said().contains(QStringLiteral("请报告此问题")),
                 qPrintable(said()));
        m_window->setLanguage(QStringLiteral("en"));
        clickKernel(QStringLiteral("mathKernel1")); // the window is as good as before
        settle();
        QVERIFY(!m_window->views().message->showsError() && m_window->current());
    }

    // Words of files in every widget and view: a recording whose every name holds them, a kernel's file and a table
    // whose names do.
    void wordsAreShownAsTheyAre() {
        auto bent = std::make_shared<Trace>(*handTrace());
        const std::string name = marks.toStdString();
        bent->info.deviceName = bent->info.command = name;
        for (Kernel& kernel : bent->kernels) {
            kernel.name = kernel.entry = kernel.sourceName = name;
            kernel.files = {name + ".cu"};
            kernel.source = "first " + name + "\nif (tid % 2 == 0)\nthird\n";
        }
        bent->output = name;
        bent->diagnostics.push_back({.fatal = true, .message = name + " is wrong"});
        bent->asked = {{"file", name + ".ptx"}, {"kernel", name}, {"arg", name + ":u32[4]=0"}};
        const QString recording = m_folder->filePath(marks + QStringLiteral(".wgt"));
        Progress nobody;
        const auto written = writeTrace(*bent, recording.toStdString(), nobody);
        QVERIFY2(written.ok(), written ? "" : written.error().text().c_str());
        m_window->openFile(recording);
        settle();
        QVERIFY(m_window->current());
        nothingIsRaw("recording");
        m_window->compareWith(recording);
        settle();
        nothingIsRaw("compared");

        m_window->openFile(write(marks + QStringLiteral(".ptx"),
                                 ".version 8.0\n.target sm_75\n.address_size 64\n"
                                 ".visible .entry k(.param .u64 out) { st.global.u32 [0], 1; ret; }\n"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->current() && !m_window->busy(), 60000);
        QTest::qWait(1500); // the pad looks at it, and runs it
        nothingIsRaw("kernel");
        m_window->openFile(write(marks + QStringLiteral("2.ptx"), "nothing"));
        QTest::qWait(500);
        nothingIsRaw("damaged kernel");
        m_window->openTables({write(marks + QStringLiteral(".csv"), "kernel," + marks.toUtf8() + "\n1,2\n")});
        nothingIsRaw("table");
        m_window->openFile(m_folder->filePath(marks + QStringLiteral("missing.wgt")));
        settle();
        nothingIsRaw("missing");
        QVERIFY2(m_raw.isEmpty(), qPrintable(m_raw));
    }

    // The last test: it cannot be taken back.
    void hearsOnceWhatTheSystemLacks() {
        QVERIFY(tests::becomeOlder({.landlock = false, .filters = true}));
        clickKernel(QStringLiteral("mathKernel1")); // ours
        settle();
        QVERIFY2(!said().contains(QLatin1String("Landlock")), qPrintable(said()));
        const RunRequest quick =
            requestOf("quick.ptx", ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n");
        m_window->run(quick);
        settle();
        QVERIFY2(said().contains(QLatin1String("This system has no Landlock")), qPrintable(said()));
        QVERIFY(m_window->views().message->isVisible() && !m_window->views().message->showsError());
        m_window->run(quick);
        settle();
        QVERIFY2(!said().contains(QLatin1String("Landlock")), qPrintable(said()));
    }
};

WARPGLASS_QT_TEST(TestWindowStrangers)
#include "test_window_strangers.moc"
