// SPDX-License-Identifier: GPL-3.0-or-later
// How one begins: the start page, where something is chosen to be opened, and the tour, which says what is where.
#include "app/window/action_set.h"
#include "app/window/main_window.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/predict/predict_desk.h"
#include "app/window/start/tour.h"
#include "app/window/window_parts.h"

#include <QApplication>

namespace warpglass {

namespace {

constexpr const char* firstPrediction = "one-warp-two-paths"; // its first step asks which lanes enter a branch
constexpr const char* shownOnTour = "mathKernel1";            // where nothing is open

} // namespace

void MainWindow::begin() {
    if (!restoreSession())
        showStartPage(true);
}

bool MainWindow::showsStart() const {
    return m_parts && !m_parts->start->isHidden();
}

void MainWindow::showStartPage(bool start) {
    if (start == showsStart() || (start && m_presenting))
        return;
    if (start) {
        m_predict->stop();
        m_parts->transport->stop();
        m_programBehind = showsProgram();
        m_tourFromStart = false;
        m_parts->start->setRecent(m_recent);
        m_parts->start->setOpen(m_programBehind ? m_programs->name() : current() ? current()->name : QString());
        m_parts->start->message->clear();
        showStart(*m_parts);
    } else {
        showProgram(*m_parts, m_programBehind);
        refreshStory(); // the right side may be put away
    }
    m_parts->top->setStarting(start);
    refreshActions();
    refreshPlace();
    focusView();
}

void MainWindow::connectStart() {
    StartPage* page = m_parts->start;
    page->setKernels(int(catalogue().size()));
    bool first = true;
    for (const char* name : {"language_en", "language_zh_CN", "theme_light", "theme_dark", "theme_projector"}) {
        page->addLook(action(QLatin1String(name)), !first && qstrcmp(name, "theme_light") == 0);
        first = false;
    }
    connect(page->predict, &QPushButton::clicked, this, [this] {
        m_lessons.askAgain();
        startLesson(QLatin1String(firstPrediction));
    });
    connect(page->tour, &QPushButton::clicked, this, &MainWindow::startTour);
    connect(page->back, &QPushButton::clicked, this, [this] { showStartPage(false); });
    connect(page->gallery, &QPushButton::clicked, action(QStringLiteral("find")), &QAction::trigger);
    connect(page->write, &QPushButton::clicked, action(QStringLiteral("new")), &QAction::trigger);
    connect(page->browse, &QPushButton::clicked, action(QStringLiteral("open")), &QAction::trigger);
    connect(page->lessons, &StartList::chosen, this, [this](int lesson) {
        m_lessons.askAgain();
        startLesson(lesson, 0);
    });
    connect(page->exercises, &StartList::chosen, this, &MainWindow::startExercise);
    connect(page, &StartPage::fileChosen, this, &MainWindow::openFile);
    connect(page->message, &MessageBar::stopRequested, this, [this] {
        if (!m_bench->stop())
            m_programs->stop();
    });
    connect(m_parts->top->home, &QToolButton::clicked, action(QStringLiteral("home")), &QAction::trigger);
    connect(this, &MainWindow::shown, this, &MainWindow::tourIfDue, Qt::QueuedConnection);
}

void MainWindow::makeTour() {
    WindowParts* p = m_parts.get();
    const auto station = [](QVector<QPointer<QWidget>> parts, const char* title, const char* text) {
        return TourStation{std::move(parts), [title] { return tr(title); }, [text] { return tr(text); }};
    };
    m_tour = new Tour(
        {
            station(
                {p->leftTabs}, QT_TR_NOOP("What to look at"),
                QT_TR_NOOP("The gallery holds kernels by subject: a click runs one at once, on an emulated GPU. Beside "
                           "it stand the lessons with their exercises, and claims of text books with a verdict.")),
            station({p->launch}, QT_TR_NOOP("How it is launched"),
                    QT_TR_NOOP("Grid, block, size, device and compilation of the next run. Change one and press Enter: "
                               "the kernel runs again, and Ctrl+Z goes back to the run before.")),
            station(
                {p->views->header()}, QT_TR_NOOP("Views of one run"),
                QT_TR_NOOP("Each answers another question: where blocks went, which lanes worked, what memory moved, "
                           "who waited for whom. Ctrl+1 to Ctrl+9 change between them.")),
            station(
                {p->views->pictures()}, QT_TR_NOOP("The picture"),
                QT_TR_NOOP("Point at anything to read what it is. A click selects a block, a warp or a lane in every "
                           "view at once; the wheel zooms, Home shows all. F6 asks you to predict what comes next.")),
            station(
                {p->transport}, QT_TR_NOOP("Time"),
                QT_TR_NOOP("Space plays the run and stops it, [ and ] go one moment back and on. The strip shows when "
                           "much happens: press anywhere on it to go there.")),
            station({p->right}, QT_TR_NOOP("Source and warp"),
                    QT_TR_NOOP(
                        "The code with its counts, as CUDA C++ or PTX, and below it what the chosen warp and each of "
                        "its lanes do now. Under \"Your kernel\" you write one yourself.")),
            station(
                {p->top->menu, p->top->home}, QT_TR_NOOP("Everything else"),
                QT_TR_NOOP("The menu has files, export, look and language, and this tour. Ctrl+K finds anything by its "
                           "name, F1 lists the keys, and the sign on the left leads back to the start page.")),
        },
        this);
    connect(m_tour, &Tour::ended, this, [this] {
        if (m_tourFromStart)
            showStartPage(true);
        m_tourFromStart = false;
    });
}

void MainWindow::startTour() {
    if (m_presenting || m_tour->running())
        return;
    m_tourFromStart = m_tourFromStart || showsStart();
    showProgramPage(false);
    if (!current() && !m_bench->busy())
        runKernel(QLatin1String(shownOnTour));
    if (m_bench->busy()) { // it begins when there is something to see
        m_tourDue = true;
        return;
    }
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock})
        dock->setFolded(false);
    m_tourDue = false;
    QMetaObject::invokeMethod(m_tour, &Tour::start, Qt::QueuedConnection); // when what was unfolded has its place
}

void MainWindow::tourIfDue() {
    if (m_tourDue && current() && isActiveWindow() && !showsStart() && !showsProgram() && !busy() &&
        !m_lessons.asking() && !m_predict->on() && !QApplication::activeModalWidget() &&
        !qobject_cast<PadEditor*>(QApplication::focusWidget())) // never over somebody who writes
        startTour();
}

} // namespace warpglass
