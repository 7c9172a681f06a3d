// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a machine with a GPU: a kernel is chosen with the mouse, run on the GPU by its button, and shown. Where
// the GPU backend cannot run, the same button says why in one sentence, and that is tested instead. With
// WARPGLASS_PICTURES set to a folder, the window is saved there.
#include "app/window/language.h"
#include "app/window/main_window.h"
#include "app/window/window_parts.h"
#include "gpu/cuda/cuda_backend.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace warpglass;

class TestWindowGpu : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;

    void save(OpenWindow& window, const QString& name) {
        const QString folder = qEnvironmentVariable("WARPGLASS_PICTURES");
        if (!folder.isEmpty())
            QVERIFY(window.grab().save(folder + "/" + name + ".png"));
    }

private slots:
    void initTestCase() {
        initialiseResources();
        QCoreApplication::setOrganizationName(QStringLiteral("WarpglassTests"));
        QCoreApplication::setApplicationName(QStringLiteral("WarpglassTests"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        QApplication::setStyle(QStringLiteral("Fusion"));
    }

    void runOnTheGpuRecordsOrSaysWhyNot_data() {
        QTest::addColumn<QString>("kernel");
        for (const char* kernel : {"mathKernel1", "reduceNeighbored", "nestedHelloWorld"})
            QTest::newRow(kernel) << QString(kernel);
    }
    void runOnTheGpuRecordsOrSaysWhyNot() {
        QFETCH(QString, kernel);
        OpenWindow window;
        window.setLanguage(QStringLiteral("en"));
        int shown = 0;
        connect(&window, &MainWindow::shown, this, [&] { ++shown; });
        window.resize(1600, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.runKernel(kernel);
        QTRY_VERIFY_WITH_TIMEOUT(shown >= 1 && !window.busy(), 60000);
        QVERIFY(window.current());
        const int before = shown;
        QTest::keyClick(&window, Qt::Key_G, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(shown > before && !window.busy(), 120000);
        const auto backend = loadCudaBackend();
        const bool possible = backend && backend->available().ok();
        QVERIFY(window.current());
        QCOMPARE(window.current()->trace->info.backend, possible ? BackendKind::Cuda : BackendKind::Emulator);
        if (possible) {
            QCOMPARE(window.current()->check.check, Check::Ok);
            QCOMPARE(window.current()->trace->info.timeOrigin, Origin::Measured);
        }
        save(window, "gpu-" + kernel);
    }
};

WARPGLASS_QT_TEST(TestWindowGpu)
#include "test_window_gpu.moc"
