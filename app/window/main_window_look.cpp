// SPDX-License-Identifier: GPL-3.0-or-later
// How the window looks: theme, type, language; and what of it is remembered.
#include "app/window/action_set.h"
#include "app/window/exercise/exercise_page.h"
#include "app/window/help/guide_dialog.h"
#include "app/window/main_window.h"
#include "app/window/model/motion.h"
#include "app/window/model/session_memory.h"
#include "app/window/present/presenter_notes.h"
#include "app/window/present/presenter_overlay.h"
#include "app/window/start/tour.h"
#include "app/window/style.h"
#include "app/window/window_parts.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QResizeEvent>
#include <QScreen>
#include <QSettings>
#include <QToolTip>

#include <algorithm>
#include <filesystem>

namespace warpglass {

namespace {

constexpr qreal roomForColumns = 760; // px of the window at the usual type
constexpr qreal smallestType = 0.7, largestType = 2.5, presentedType = 1.6, notesType = 1.3;
constexpr qreal codeType = 0.8; // of a class's type: lines of fifty letters beside the view

QString nameOf(ThemeKind kind) {
    return kind == ThemeKind::Dark        ? QStringLiteral("dark")
           : kind == ThemeKind::Print     ? QStringLiteral("print")
           : kind == ThemeKind::Projector ? QStringLiteral("projector")
                                          : QStringLiteral("light");
}

} // namespace

// From the last row a line of a wall is as high whatever the projector's dots are.
qreal MainWindow::presentedScale() const {
    constexpr qreal usualWidth = 1280, usualHeight = 720, most = 3;
    const qreal dots = std::min(width() / usualWidth, height() / usualHeight);
    return presentedType * std::clamp(std::max(m_fontScale, 1.0) * dots, 1.0, most);
}

void MainWindow::applyTheme() {
    const qreal scale = m_presenting ? presentedScale() : m_fontScale;
    m_theme = Theme::make(m_theme.kind, scale);
    qApp->setFont(m_theme.body());
    setStyleSheet(windowStyleSheet(m_theme));
    setTheme(*m_parts, m_theme);
    if (m_presenting)
        m_parts->source->setTheme(Theme::make(m_theme.kind, scale * codeType));
    m_tour->setTheme(m_theme);
    m_overlay->setColours(m_theme.wrong, QColor(0, 0, 0, 175), m_theme.fontScale);
    m_notesWindow->setTheme(Theme::make(m_theme.kind, m_fontScale * notesType));
    m_actions->check(QStringLiteral("theme_") + nameOf(m_theme.kind), true);
}

void MainWindow::setThemeName(const QString& name) {
    m_theme = Theme::named(name, m_theme.fontScale);
    applyTheme();
}

void MainWindow::setFontScale(qreal scale) {
    const qreal before = m_fontScale;
    m_fontScale = std::clamp(scale, smallestType, largestType);
    applyTheme();
    foldIfCrowded(width(), before);
}

// Where the columns have no room beside each other any more, the views keep theirs.
void MainWindow::foldIfCrowded(int widthBefore, qreal typeBefore) {
    const auto crowded = [](int width, qreal type) { return width < roomForColumns * type; };
    if (m_presenting || !crowded(width(), m_fontScale) || crowded(widthBefore, typeBefore))
        return;
    bool folded = false;
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock}) {
        folded = folded || !dock->isFolded();
        dock->setFolded(true);
    }
    constexpr int readMs = 8000;
    if (folded && isVisible())
        QToolTip::showText(m_parts->views->mapToGlobal(QPoint(12, 12)),
                           tr("There is no room for the sides beside the view: they are folded away. F4 brings them "
                              "back."),
                           m_parts->views, {}, readMs);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_presenting && presentedScale() != m_theme.fontScale)
        applyTheme();
    if (event->oldSize().isValid())
        foldIfCrowded(event->oldSize().width(), m_fontScale);
}

void MainWindow::setLanguage(const QString& name) {
    m_language.set(name);
    m_actions->check(QStringLiteral("language_") + m_language.name(), true);
    warpglass::setLanguage(*m_parts, m_language.name());
    if (m_exercisePage) {
        m_exercisePage->setLanguage(m_language.name());
        nameExerciseTab();
    }
    refreshPlace();
    refreshStory();
    refreshDifferences();
    nameSides();
    followCode();
    m_predict->retranslate();
    for (GuideDialog* guide : findChildren<GuideDialog*>()) // its pictures hold words, too
        if (guide->isVisible()) {
            guide->close();
            action(QStringLiteral("guide"))->trigger();
        }
}

void MainWindow::readSettings() {
    const QSettings settings;
    m_theme = Theme::named(settings.value(QStringLiteral("theme"), QStringLiteral("light")).toString());
    m_fontScale = std::clamp(settings.value(QStringLiteral("fontScale"), 1.0).toDouble(), smallestType, largestType);
    m_recent = settings.value(QStringLiteral("recent")).toStringList();
    setLanguage(settings.value(QStringLiteral("language"), Language::ofSystem()).toString());
    m_parts->transport->setStill(motionReduced());
    m_actions->check(QStringLiteral("still"), m_parts->transport->still());
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    m_parts->columns->restoreState(settings.value(QStringLiteral("docks")).toByteArray());
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock})
        dock->takeRestored();
    m_parts->leftSplit->restoreState(settings.value(QStringLiteral("left")).toByteArray());
    m_parts->rightSplit->restoreState(settings.value(QStringLiteral("right")).toByteArray());
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock}) // a split that was saved before its panel moved
        emit dock->lieChanged(dock->lie());
    m_parts->views->showView(settings.value(QStringLiteral("view")).toString());
}

void MainWindow::appear() {
    // As large as the screen it would lie under its own frame, with its last line below the edge.
    if (!QSettings().contains(QStringLiteral("geometry")) &&
        QGuiApplication::primaryScreen()->availableSize().width() <= smallScreen)
        setWindowState(Qt::WindowMaximized);
    show();
}

void MainWindow::writeSettings() {
    QSettings settings;
    settings.setValue(QStringLiteral("theme"), nameOf(m_theme.kind));
    settings.setValue(QStringLiteral("fontScale"), m_fontScale);
    settings.setValue(QStringLiteral("recent"), m_recent);
    settings.setValue(QStringLiteral("language"), m_language.name());
    settings.setValue(QStringLiteral("view"), m_parts->views->currentKey());
    settings.setValue(QStringLiteral("session"), written(memory()));
    if (!m_presenting) { // the class room's arrangement is not the desk's
        settings.setValue(QStringLiteral("geometry"), saveGeometry());
        if (!showsProgram()) // while both sides are aside
            settings.setValue(QStringLiteral("docks"), m_parts->columns->saveState());
        settings.setValue(QStringLiteral("left"), m_parts->leftSplit->saveState());
        settings.setValue(QStringLiteral("right"), m_parts->rightSplit->saveState());
    }
}

bool MainWindow::restoreSession() {
    SessionMemory memory = readSession(QSettings().value(QStringLiteral("session")).toByteArray());
    if (const int lesson = m_lessons.find(memory.lesson); !memory.lesson.isEmpty() && lesson >= 0) {
        startLesson(lesson, std::min(memory.step, int(m_lessons.lessons()[lesson].steps.size()) - 1));
        return true;
    }
    if (!memory.file.isEmpty() && QFileInfo::exists(memory.file)) {
        openFile(memory.file);
    } else if (memory.request) {
        if (memory.request->backend == "cuda" && !m_parts->top->gpuProblem().isEmpty()) { // the GPU is gone
            memory.request->backend = "emulator";
            memory.request->options.device = "h200";
        }
        m_bench->runAlone(*memory.request);
    } else {
        return false;
    }
    m_parts->views->showView(memory.view);
    return true;
}

SessionMemory MainWindow::memory() const {
    SessionMemory memory;
    memory.view = m_parts->views->currentKey();
    if (m_lessons.playing()) {
        memory.lesson = m_lessons.current().name;
        memory.step = m_lessons.step();
        return memory;
    }
    const RunRequest* request = m_bench->request();
    if (request && findKernel(request->kernel))
        memory.request = *request;
    else if (m_programs->program())
        memory.file = m_programs->file();
    else if (request && (m_parts->pad->holds(*request) || std::filesystem::path(request->kernel).is_absolute()))
        // the pad's, if it is on the disk; one launched again from a recording is a name without a folder
        memory.file = QString::fromStdString(request->kernel);
    else if (current())
        memory.file = current()->file;
    return memory;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayLeavePad()) {
        event->ignore();
        return;
    }
    writeSettings();
    m_notesWindow->hide(); // it does not outlive the window
    m_bench->stop();
    m_programs->stop();
    QMainWindow::closeEvent(event);
}

} // namespace warpglass
