// SPDX-License-Identifier: GPL-3.0-or-later
// What every test of the window needs once: the program's resources, settings of its own, and a window with a mouse.
#pragma once

#include "app/window/claims/claims_feature.h"
#include "app/window/compare/compare_feature.h"
#include "app/window/exercise/exercise_feature.h"
#include "app/window/export/export_feature.h"
#include "app/window/gallery/gallery_feature.h"
#include "app/window/language.h"
#include "app/window/launch/launch_feature.h"
#include "app/window/lesson/lesson_feature.h"
#include "app/window/look/look_feature.h"
#include "app/window/main_window.h"
#include "app/window/pad/pad_feature.h"
#include "app/window/predict/predict_feature.h"
#include "app/window/present/present_feature.h"
#include "app/window/program/program_feature.h"
#include "app/window/start/start_feature.h"
#include "app/window/sweep/sweep_feature.h"
#include "app/window/warp/warp_feature.h"
#include "app/window/window_parts.h"

#include <QApplication>
#include <QListWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include <cstdlib>
#include <memory>

namespace warpglass {

inline void prepareWindowTests(const QString& application) {
    initialiseResources();
    QCoreApplication::setOrganizationName(QStringLiteral("WarpglassTests"));
    QCoreApplication::setApplicationName(application);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QApplication::setStyle(QStringLiteral("Fusion"));
}

inline bool hasCompiler() {
    return std::system("command -v nvcc >/dev/null || test -x \"$CUDA_HOME/bin/nvcc\"") == 0;
}

// The window, and by short names what its features are asked for.
class OpenWindow : public MainWindow {
public:
    void run(const RunRequest& request) { bench().run(request); }
    void compareWith(const RunSource& source) { bench().compareWith(source); }
    void runKernel(const QString& kernel) { feature<GalleryFeature>().run(kernel); }
    void openTables(const QStringList& paths) { feature<SweepFeature>().openTables(paths); }
    void openResult(int row) { feature<SweepFeature>().openResult(row); }
    void startLesson(int lesson, int step) { feature<LessonFeature>().start(lesson, step); }
    void startLesson(const QString& name) { feature<LessonFeature>().start(name); }
    void showStartPage(bool start) { feature<StartFeature>().show(start); }
    void setThemeName(const QString& name) { feature<LookFeature>().setThemeName(name); }
    void setFontScale(qreal scale) { feature<LookFeature>().setFontScale(scale); }
    void setPresenting(bool presenting) { feature<PresentFeature>().set(presenting); }
    bool presenting() { return shell().now().presenting; }
    QString exportCurrentView(const QString& path) { return feature<ExportFeature>().exportCurrentView(path); }
    ProgramDesk& programs() { return *shell().programs; }
    ExerciseDesk& exercises() { return feature<ExerciseFeature>().desk(); }
    SweepControl& sweep() { return feature<SweepFeature>().control(); }
    ComparePanel& differences() { return feature<CompareFeature>().differences(); }
    PredictDesk& prediction() { return feature<PredictFeature>().desk(); }
    PresenterOverlay& overlay() { return feature<PresentFeature>().overlay(); }
    PresenterNotes& presenterNotes() { return feature<PresentFeature>().notes(); }
    Tour& tour() { return feature<StartFeature>().tour(); }
};

// A window in a folder of its own for each test: init() opens it, cleanup() closes it.
struct WindowFixture {
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<OpenWindow> m_window;
    int m_shown = 0, m_seen = 0; // answers on the screen, and those a test has waited for

    // As somebody works who has opened every panel; as it is at first sight: openAtFirst.
    void openWindow(QSize size) {
        openAtFirst(size);
        m_window->shell().parts->rightDock->setFolded(false);
        m_window->views().know(ViewArea::Groups().set());
        for (const char* name : {"launchFields", "allOfTime"})
            m_window->action(QLatin1String(name))->trigger();
        m_window->transport().setSpeed(4);
        m_window->shell().focusView();
    }

    void openAtFirst(QSize size) {
        m_folder = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
        m_window = std::make_unique<OpenWindow>();
        m_window->setLanguage(QStringLiteral("en"));
        m_shown = m_seen = 0;
        QObject::connect(m_window.get(), &MainWindow::shown, m_window.get(), [this] { ++m_shown; });
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->activateWindow();
    }

    void closeWindow() {
        m_window.reset();
        m_folder.reset();
    }

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QString::fromLatin1(name));
        if (!found)
            qFatal("no %s in the window", name);
        return found;
    }

    // Waits for the answer of the job that an action started.
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(m_shown > m_seen && !m_window->busy(), 60000);
        m_seen = m_shown;
    }

    void click(QWidget* widget) { QTest::mouseClick(widget, Qt::LeftButton, Qt::NoModifier, widget->rect().center()); }

    void clickKernel(const QString& name) {
        auto* list = child<QListWidget>("gallery");
        child<QTabWidget>("leftTabs")->setCurrentIndex(0);
        const QList<QListWidgetItem*> items = list->findItems(QStringLiteral("   ") + name, Qt::MatchExactly);
        QCOMPARE(items.size(), 1);
        list->scrollToItem(items.first());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier,
                          list->visualItemRect(items.first()).center());
    }
};

} // namespace warpglass
