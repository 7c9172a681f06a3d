// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/start_feature.h"

#include "app/window/exercise/exercise_feature.h"
#include "app/window/files/files_feature.h"
#include "app/window/gallery/gallery_feature.h"
#include "app/window/launch/launch_feature.h"
#include "app/window/lesson/lesson_feature.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/window_parts.h"

#include <QApplication>

namespace warpglass {

namespace {

constexpr const char* firstPrediction = "one-warp-two-paths"; // its first step asks which lanes enter a branch
constexpr const char* shownOnTour = "mathKernel1";            // where nothing is open

} // namespace

StartFeature::StartFeature(Shell& shell) : Feature(shell), m_page(new StartPage(m_parts->central)) {
    m_page->hide();
    m_parts->addPage(m_page);
    m_shell.addPage(Front::Start, {.widget = m_page, .message = m_page->message});
}

ActionSet::Deeds StartFeature::deeds() {
    return {{"home", [this] { show(true); }}, {"tour", [this] { startTour(); }}};
}

void StartFeature::show(bool start) {
    if (!start)
        m_shell.leaveStart();
    else if (!m_shell.now().presenting)
        m_shell.showPage(Front::Start);
}

void StartFeature::connectAll() {
    auto* const lessons = &m_shell.feature<LessonFeature>();
    auto* const exercises = &m_shell.feature<ExerciseFeature>();
    m_page->setLessons(lessons->player().lessons());
    m_page->setExercises(exercises->titlesAndSummaries());
    m_page->setKernels(int(catalogue().size()));
    bool first = true;
    for (const char* name : {"language_en", "language_zh_CN", "theme_light", "theme_dark", "theme_projector"}) {
        m_page->addLook(action(name), !first && qstrcmp(name, "theme_light") == 0);
        first = false;
    }
    connect(m_page->predict, &QPushButton::clicked, this,
            [lessons] { lessons->startAnew(lessons->player().find(QLatin1String(firstPrediction))); });
    connect(m_page->tour, &QPushButton::clicked, this, &StartFeature::startTour);
    connect(m_page->back, &QPushButton::clicked, this, [this] { show(false); });
    connect(m_page->gallery, &QPushButton::clicked, action("find"), &QAction::trigger);
    connect(m_page->write, &QPushButton::clicked, action("new"), &QAction::trigger);
    connect(m_page->browse, &QPushButton::clicked, action("open"), &QAction::trigger);
    connect(m_page->lessons, &StartList::chosen, this, [lessons](int lesson) { lessons->startAnew(lesson); });
    connect(m_page->exercises, &StartList::chosen, this, [exercises](int exercise) { exercises->start(exercise); });
    connect(m_page, &StartPage::fileChosen, &m_shell, &Shell::open);
    connect(m_parts->top->home, &QToolButton::clicked, action("home"), &QAction::trigger);
    connect(&m_shell, &Shell::pageChanged, this, [this] {
        if (!isShown())
            return;
        m_tourFromHere = false;
        m_page->setRecent(m_shell.feature<FilesFeature>().recent());
        m_page->setOpen(m_shell.behind() == Front::Program ? m_programs->name()
                        : current()                        ? current()->name
                                                           : QString());
        m_page->message->clear();
    });
    connect(&m_shell, &Shell::shown, this, &StartFeature::tourIfDue, Qt::QueuedConnection);
    makeTour();
}

void StartFeature::setTheme(const Theme& theme) {
    m_page->setTheme(theme);
    m_tour->setTheme(theme);
}

bool StartFeature::escape() {
    if (!isShown() || (!current() && !m_programs->program()))
        return false;
    show(false);
    return true;
}

bool StartFeature::takeKeys() {
    if (m_tour && m_tour->running())
        m_tour->next->setFocus(); // its keys work on behind a click
    else if (isShown())
        m_page->setFocus();
    else
        return false;
    return true;
}

void StartFeature::makeTour() {
    const WindowParts* p = m_parts;
    const auto station = [](QVector<QPointer<QWidget>> parts, const char* title, const char* text) {
        return TourStation{std::move(parts), [title] { return tr(title); }, [text] { return tr(text); }};
    };
    m_tour = new Tour(
        {
            station({p->leftTabs}, QT_TR_NOOP("What to look at"),
                    QT_TR_NOOP(
                        "The gallery holds kernels by subject: a click runs one at once, on an emulated GPU. Lessons "
                        "with their exercises are on the start page, behind the sign at the top left.")),
            station({m_shell.feature<LaunchFeature>().panel()}, QT_TR_NOOP("How it is launched"),
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
        m_shell.window);
    connect(m_tour, &Tour::ended, this, [this] {
        if (m_tourFromHere)
            show(true);
        m_tourFromHere = false;
    });
}

void StartFeature::startTour() {
    if (m_shell.now().presenting || m_tour->running())
        return;
    const bool fromHere = m_tourFromHere || isShown();
    m_shell.leaveStart();
    m_shell.showPage(Front::Launch);
    m_tourFromHere = fromHere;
    if (!current() && !m_bench->busy())
        m_shell.feature<GalleryFeature>().run(QLatin1String(shownOnTour));
    if (m_bench->busy()) { // it begins when there is something to see
        m_tourDue = true;
        return;
    }
    m_shell.arrange(Arrangement::Explore);
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock})
        dock->setFolded(false);
    if (QAction* fields = action("launchFields"); !fields->isChecked())
        fields->trigger();
    m_tourDue = false;
    QMetaObject::invokeMethod(m_tour, &Tour::start, Qt::QueuedConnection); // when what was unfolded has its place
}

void StartFeature::tourIfDue() {
    const bool plain = m_shell.seen().mode == WindowMode::Explore; // nothing is asked, and nobody presents
    if (m_tourDue && current() && m_shell.window->isActiveWindow() && plain && !m_shell.busy() &&
        !QApplication::activeModalWidget() &&
        !qobject_cast<PadEditor*>(QApplication::focusWidget())) // never over somebody who writes
        startTour();
}

} // namespace warpglass
