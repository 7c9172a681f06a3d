// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/session/asked.h"
#include "app/window/action_set.h"
#include "app/window/model/requests.h"
#include "app/window/predict_desk.h"
#include "app/window/view_registry.h"
#include "app/window/window_parts.h"
#include "gpu/base/messages/session.h"
#include "views/common/shown_words.h"
#include "views/program/program_model.h"
#include "views/timeline/notes_keeper.h"

#include <QApplication>
#include <QFileInfo>

namespace warpglass {

namespace {
constexpr int roomForTable = 660; // px of the views and the table together

std::set<int> itemsOf(LaneMask lanes) {
    std::set<int> items;
    for (int lane = 0; lane < lanesPerWarp; ++lane)
        if (lanes.has(lane))
            items.insert(lane);
    return items;
}
} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), m_bench(new Workbench(this)), m_programs(new ProgramDesk(this)),
      m_sweep(new SweepControl(this)), m_exercises(new ExerciseDesk(this)),
      m_parts(std::make_unique<WindowParts>(buildParts(this, &m_bench->selection()))) {
    if (ViewWidget* timeline = m_parts->views->widget(QStringLiteral("timeline"))) {
        m_notes = new NotesKeeper(timeline); // the view owns it
        connect(m_notes, &NotesKeeper::failed, this,
                [this](const QString& problem) { m_parts->views->message->showError(problem); });
    }
    m_predict = new PredictDesk(m_parts->views, m_parts->transport, &m_bench->selection(), this);
    m_predict->addViews({m_parts->source});
    makePresenter();
    makeActions();
    connectBench();
    connectPanels();
    connectProgram();
    connectExercises();
    connectMenus();
    loadLessons();
    connectStart();
    makeTour();
    readSettings();
    applyTheme();
    refreshPlace();
    setAcceptDrops(true);
    if (m_parts->views->current())
        m_parts->views->current()->setFocus();
    qApp->installEventFilter(this);
}

MainWindow::~MainWindow() {
    qApp->removeEventFilter(this);
}

ComparePanel& MainWindow::differences() {
    return *m_parts->differences;
}

TransportBar& MainWindow::transport() {
    return *m_parts->transport;
}

ViewArea& MainWindow::views() {
    return *m_parts->views;
}

QAction* MainWindow::action(const QString& name) const {
    return m_actions->at(name);
}

void MainWindow::connectBench() {
    MessageBar* message = m_parts->views->message;
    connect(m_bench, &Workbench::asked, this, [this](const RunRequest& request) {
        m_parts->launch->show(request);
        if (m_parts->pad->holds(request))
            m_parts->pad->adopt(request);
        m_parts->gallery->setCurrent(QString::fromStdString(request.kernel));
    });
    connect(m_bench, &Workbench::opened, this, &MainWindow::showOpened);
    connect(m_bench, &Workbench::momentsReady, this, [this] { followClock(true); });
    for (int i = 0; i < m_parts->views->count(); ++i) // after it was painted
        connect(m_parts->views->at(i), &ViewWidget::composed, m_bench, &Workbench::findMoments, Qt::QueuedConnection);
    connect(m_bench, &Workbench::failed, this, &MainWindow::showFailure);
    connect(m_bench, &Workbench::sightReached, this, &MainWindow::showSight);
    connect(m_bench, &Workbench::whyReady, this, [this] {
        m_parts->views->message->clearProgress();
        showWhy();
        tellMissingWalls();
    });
    connect(m_bench, &Workbench::policiesReady, this, &MainWindow::showPolicies);
    connect(m_bench, &Workbench::settled, this, [this] { // the place may be the same in another run
        m_parts->warp->set(m_bench->trace(), m_bench->selection().get());
    });
    connect(m_bench, &Workbench::settled, this, &MainWindow::tellMissingWalls);
    connect(m_bench, &Workbench::settled, this, &MainWindow::shown);
    connect(m_bench, &Workbench::turns, this,
            [this](std::uint32_t warp, int line) { messageInFront()->showTurning(warp, line); });
    connect(m_bench, &Workbench::stopped, this, [this] {
        messageInFront()->showNote(tr("The run was stopped."));
        if (current() && m_bench->waiting())
            m_parts->launch->sayOlderPicture();
        refreshCompare();
    });
    connect(m_bench, &Workbench::progressed, this,
            [this](double fraction) { messageInFront()->showProgress(fraction, m_bench->opening()); });
    connect(message, &MessageBar::stopRequested, m_bench, &Workbench::stop);
    connect(m_predict, &PredictDesk::changed, this, [this] {
        if (!m_predict->on() && m_lessons.predicting()) // who ends it wants to see
            m_lessons.answered();
        refreshPrediction();
    });
    connect(m_predict, &PredictDesk::checked, this, [this] {
        if (m_lessons.predicting())
            m_lessons.answered();
        refreshStory();
    });
    connect(m_bench, &Workbench::settled, this, [this] { // the step's place is chosen
        if (m_lessons.predicting() && !m_predict->on())
            m_predict->start();
    });
    connect(&m_bench->selection(), &SelectionModel::changed, this, [this](const Selection& now, Selection before) {
        followClock(false);
        before.motion = now.motion;
        if (before == now)
            return; // on the way to the next moment
        m_parts->warp->set(m_bench->trace(), now);
        refreshActions();
        before.time = now.time;
        if (!(before == now))
            m_parts->transport->beatsChanged();
    });
}

void MainWindow::findGhost() {
    const TracePtr trace = m_bench->trace();
    m_ghosts.remember(trace);
    m_ghosts.remember(m_bench->otherTrace());
    const auto show = [this](const TracePtr& ghost) {
        for (int i = 0; i < m_parts->views->count(); ++i)
            m_parts->views->at(i)->setGhost(ghost);
    };
    if (const TracePtr opened = m_ghosts.opened(*trace)) {
        m_ghostJob.cancel();
        show(opened);
        return;
    }
    m_ghostJob.start([trace](Progress&) { return shippedGhost(*trace); },
                     [this, trace, show](const TracePtr& ghost) {
                         if (trace == m_bench->trace())
                             show(ghost);
                     });
}

void MainWindow::showOpened() {
    const WindowParts& p = *m_parts;
    const RunPtr &run = m_bench->current(), &other = m_bench->other();
    const TracePtr trace = m_bench->trace(), otherTrace = m_bench->otherTrace();
    p.views->message->clearProgress();
    p.views->message->clear();
    const RunPtr& edited = m_bench->edited();
    if (edited->request)
        p.launch->show(*edited->request);
    else
        p.launch->showRecording(session::launchOf(*edited->trace));
    p.launch->setActualGrid(edited->trace->launches.front().grid);
    p.gallery->setCurrent(run->request ? run->name : QString());
    p.views->setTrace(trace, otherTrace);
    followClock(true);
    for (int i = 0; i < p.views->count(); ++i)
        p.views->at(i)->setOtherShift(m_bench->now().otherShift);
    p.source->setTrace(trace);
    findGhost();
    showWhy();
    p.top->setTrace(trace, otherTrace);
    // A sweep of another kernel does not stand for what is open; it is kept, one switch away.
    if (ViewWidget* charts = p.views->widget(QStringLiteral("charts")); charts && m_sweep->results())
        if (!m_sweep->concerns(*run))
            charts->setOption(QStringLiteral("of"), QStringLiteral("open"));
    showProgramPage(false);
    p.program->message->clearProgress();
    // One that is shipped with the program is found in the gallery, a launch of a program in the program.
    const bool own = !run->file.isEmpty() && !run->file.startsWith(QLatin1Char(':'));
    if (own && m_programs->operationOf(run->file) == noIndex)
        remember(run->file);
    followNotes(own ? run->file : QString());

    refreshDifferences();
    if (other && !p.differences->isVisible())
        p.differences->setOpen(p.middle->height() > roomForTable); // a small window shows the views first
    if (other)
        p.differences->setAlignment(m_bench->alignment());
    showDifferences();

    nameSides();
    followCode();
    const bool ofPad = edited->fault && edited->request && p.pad->holds(*edited->request);
    if (edited->fault)
        p.views->message->showOutcome(ofPad ? saidOnce(*edited->fault, p.pad->path()) : *edited->fault);
    if (ofPad)
        p.pad->showFault(*edited->fault);
    if (!edited->fault && edited->check.check == Check::Wrong)
        p.views->message->showOutcome(Error{.message = say::ResultWrong(edited->check.why)});
    else if (!edited->fault && m_comparisonEnded && !other)
        p.views->message->showNote(tr("Neither of the two that were compared was changed: the comparison is over."));
    m_comparisonEnded = false;
    refreshActions();
    refreshCompare();
    refreshPlace();
    refreshStory();
    askWhyIfQuick();
    m_predict->traceChanged();
}

void MainWindow::showFailure(const Error& error) {
    m_parts->views->message->clearProgress();
    messageInFront()->clearProgress();
    messageInFront()->showError(error);
    const RunRequest* open = m_bench->request();
    if (m_parts->launch->request().backend == "cuda" && open && open->backend != "cuda")
        m_parts->launch->show(*open); // no GPU: what is on the screen is what runs again
    else if (current() && m_bench->waiting())
        m_parts->launch->sayOlderPicture();
    refreshCompare();
}

// View and switches of a sight whose traces are there; the workbench chooses the place after it.
void MainWindow::showSight(const Sight& sight) {
    if (sight.lesson && !m_lessons.playing())
        return; // left while its run was on the way
    ViewArea* views = m_parts->views;
    if (!sight.view.isEmpty())
        views->showView(sight.view);
    if (sight.lesson) {
        Sight here = sight;
        here.view = views->currentKey();
        turn(m_lessons.arrived(here, [this](const QString& v, const QString& o) { return switchNow(v, o); }));
        return;
    }
    for (auto it = sight.options.cbegin(); it != sight.options.cend(); ++it)
        turn({{sight.view, it.key(), it.value()}});
}

void MainWindow::turn(const QVector<SwitchChange>& changes) {
    for (const SwitchChange& change : changes)
        if (ViewWidget* view = m_parts->views->widget(change.view))
            view->setOption(change.option, change.value);
}

QVariant MainWindow::switchNow(const QString& view, const QString& option) const {
    const ViewWidget* widget = m_parts->views->widget(view);
    return widget ? widget->context().options.value(option) : QVariant();
}

void MainWindow::showPolicies(const std::vector<TracePtr>& traces) {
    m_parts->views->message->clearProgress();
    if (ViewWidget* view = m_parts->views->widget(QStringLiteral("scheduler"))) {
        view->setCompanions(traces);
        view->setOption(QStringLiteral("show"), QStringLiteral("policies"));
        m_parts->views->showView(QStringLiteral("scheduler"));
    }
}

void MainWindow::refreshActions() {
    const SelectionModel& selection = m_bench->selection();
    m_actions->enable([&](Needs needs) {
        const bool start = showsStart(); // what is behind it is not meant
        switch (needs) {
        case Needs::Trace:
            return m_bench->current() != nullptr && !start;
        case Needs::Picture:
            return (m_bench->current() != nullptr || showsProgram()) && !start;
        case Needs::Program:
            return m_programs->program() != nullptr;
        case Needs::Request:
            return m_bench->canRunAgain() && !start;
        case Needs::Back:
            return selection.canGoBack() && !start;
        case Needs::Forward:
            return selection.canGoForward() && !start;
        case Needs::Undo:
            return m_bench->canUndo();
        case Needs::Redo:
            return m_bench->canRedo();
        case Needs::Presenting:
            return m_presenting;
        case Needs::Nothing:
            break;
        }
        return true;
    });
    // Nothing plays behind the program's page; its steps are from operation to operation.
    for (const ActionRow& row : actionTable())
        if (row.menu == MenuPlace::Play && showsProgram())
            if (QAction* a = action(QLatin1String(row.name)))
                a->setEnabled(qstrcmp(row.name, "nextEvent") == 0 || qstrcmp(row.name, "previousEvent") == 0);
    for (const ActionRow& row : actionTable())
        if (row.menu == MenuPlace::Play && showsStart())
            if (QAction* a = action(QLatin1String(row.name)); a && qstrcmp(row.name, "still") != 0)
                a->setEnabled(false);
    // Time stands where something is predicted, and flows as far as the next question.
    const bool plays = m_predict->state() == PredictDesk::State::Playing;
    for (const ActionRow& row : actionTable())
        if (row.menu == MenuPlace::Play && m_predict->on())
            if (QAction* a = action(QLatin1String(row.name)))
                a->setEnabled(qstrcmp(row.name, "predict") == 0 || (plays && qstrcmp(row.name, "play") == 0));
}

// Two kernels go by their names; one kernel twice needs more to be told apart.
void MainWindow::refreshDifferences() {
    const RunPtr &run = m_bench->current(), &other = m_bench->other();
    const bool twice = run && other && other->name == run->name;
    const auto called = [&](const RunPtr& one, const RunPtr& beside) {
        return !one ? QString() : twice ? sideName(one, beside) + QStringLiteral(" · ") + titleOf(*one) : one->name;
    };
    m_parts->differences->setTraces(other ? m_bench->trace() : nullptr, m_bench->otherTrace(), called(run, other),
                                    called(other, run));
}

// After a wish to compare, whatever came of it.
void MainWindow::refreshCompare() {
    m_actions->check(QStringLiteral("compare"), m_bench->other() != nullptr);
}

void MainWindow::refreshPlace() {
    QStringList place;
    const RunPtr &run = m_bench->current(), &other = m_bench->other();
    if (run) {
        const CatalogueEntry* entry = run->request ? findKernel(run->request->kernel) : nullptr;
        const std::uint32_t launch = m_programs->operationOf(run->file);
        if (launch != noIndex && !other)
            place << tr("launch %1").arg(m_programs->program()->numberOf(launch).value_or(0));
        else if (entry && !other) // two names need the room
            place << familyName(entry->family, m_language.name());
        else if (!run->file.isEmpty() && !other)
            place << QFileInfo(run->file).fileName();
        if (other && other->name == run->name)
            place << tr("%1: run %2 beside run %3")
                         .arg(run->name)
                         .arg(m_bench->numberOf(run))
                         .arg(m_bench->numberOf(other));
        else
            place << (other ? tr("%1 beside %2").arg(run->name, other->name) : run->name);
    } else {
        place << tr("No kernel yet");
    }
    if (showsProgram())
        place = {m_programs->name()};
    if (showsStart())
        place.clear();
    m_parts->top->setPlace(place);
    const QString title = showsStart() ? QString() : showsProgram() ? m_programs->name() : run ? run->name : QString();
    setWindowTitle(title.isEmpty() ? QStringLiteral("Warpglass") : tr("%1 – Warpglass").arg(warpglass::shown(title)));
    refreshProgram();
}

// Not while something is asked of the two: the table would tell.
void MainWindow::showDifferences() {
    m_parts->differences->setVisible(other() && !m_predict->on() && !m_lessons.asking() && !m_presenting);
}

void MainWindow::refreshPrediction() {
    const bool on = m_predict->on();
    m_actions->check(QStringLiteral("predict"), on);
    m_parts->transport->setEnabled(!on);
    m_parts->transport->setVisible(!on && !m_presenting && !showsProgram() &&
                                   !showsStart()); // its strip tells when something happens
    showDifferences();
    refreshActions();
    refreshStory();
}

void MainWindow::refreshStory() {
    StepStrip* strip = m_parts->views->strip;
    const QString language = m_language.name();
    const bool asking = m_lessons.asking();
    if (asking) {
        m_parts->views->question->ask(*m_lessons.currentStep().ask, language);
        QString code = current() ? codeOf(*m_bench->trace()) : QString();
        if (const TracePtr other = m_bench->otherTrace()) // the question may be about either
            if (const QString second = codeOf(*other); second != code)
                code += (code.isEmpty() ? QString() : QStringLiteral("\n")) + second;
        m_parts->views->question->setCode(code);
    }
    m_parts->views->setAsking(asking);
    m_parts->launch->setAsking(asking || m_predict->on());
    showDifferences();
    m_parts->views->setPredicting(m_predict->on());
    m_parts->rightDock->setAside(asking || m_predict->on() || (m_presenting && !m_presentingCode) || showsProgram() ||
                                 showsStart()); // it tells of the warp
    refreshPresenter();
    tellStory(asking);
    if (m_lessons.playing()) {
        const LessonStep& step = m_lessons.currentStep();
        const int steps = int(m_lessons.current().steps.size());
        if (asking || m_lessons.predicting())
            strip->showStep(step.title.in(language), {}, step.notes.in(language), m_lessons.step(), steps);
        else
            strip->showStep(step.title.in(language), shownText(step.text.in(language)),
                            shownText(step.notes.in(language)), m_lessons.step(), steps, shownText(answerText()),
                            m_lessons.wasAsked());
        return;
    }
    const CatalogueEntry* entry = current() ? findKernel(current()->name.toStdString()) : nullptr;
    if (entry && !m_predict->on()) // it says what the kernel is there to show
        strip->showStory(storyOf(*entry, language), documentsOf(*entry), referencesOf(*entry));
    else
        strip->showStory({}, {}, {});
}

// Who hears the step's view hears the step, too: its answer and text stand in labels that no key leads to.
void MainWindow::tellStory(bool asking) {
    for (int i = 0; i < m_parts->views->count() && !m_predict->on(); ++i) {
        ViewWidget* view = m_parts->views->at(i);
        QStringList words;
        if (m_lessons.playing() && !asking && view->view().key() == m_lessons.currentStep().view)
            words << shownText(answerText()) << shownText(m_lessons.currentStep().text.in(m_language.name()));
        words.removeAll(QString());
        words << view->view().question();
        if (const QString all = words.join(QLatin1Char('\n')); all != view->accessibleDescription())
            view->setAccessibleDescription(all);
    }
}

void MainWindow::loadLessons() {
    QVector<Lesson> lessons;
    for (const QString& path : builtInLessonPaths()) {
        Result<Lesson> lesson = readLesson(path, viewKeys());
        if (lesson)
            lessons.append(std::move(*lesson));
        else
            m_parts->views->message->showError(lesson.error());
    }
    m_parts->lessons->setLessons(lessons);
    m_parts->start->setLessons(lessons);
    m_lessons.setLessons(std::move(lessons));
}

void MainWindow::startLesson(int lesson, int step) {
    if (lesson < 0 || lesson >= m_lessons.lessons().size() || step < 0 ||
        step >= m_lessons.lessons()[lesson].steps.size())
        return;
    m_predict->stop();
    std::optional<Wanted> wanted = m_lessons.go(lesson, step);
    if (!wanted)
        return;
    showProgramPage(false);
    m_parts->leftTabs->setCurrentWidget(m_parts->lessons);
    m_parts->lessons->setCurrent(lesson, step);
    m_given.clear();
    refreshStory();
    m_bench->show(std::move(*wanted));
}

void MainWindow::answered(const QString& given, bool right) {
    if (!m_lessons.asking())
        return;
    m_lessons.answered();
    m_given = given;
    m_givenRight = right;
    const std::optional<LaneMask> lanes = m_lessons.currentStep().ask->lanes;
    refreshStory();
    focusView();
    const bool any = m_parts->views->question->lanes() != LaneMask::none();
    if (lanes && any && !given.isEmpty() && !right) // what was said, and where it was not so
        m_predict->showGuess(itemsOf(m_parts->views->question->lanes()), itemsOf(*lanes));
}

// What is said of a question once it is answered; empty: the step asks none.
QString MainWindow::answerText() const {
    if (const auto& predict = m_lessons.currentStep().predict)
        return predict->answer.in(m_language.name());
    if (!m_lessons.currentStep().ask)
        return {};
    QString answer = m_lessons.currentStep().ask->answer.in(m_language.name());
    if (m_given.isEmpty())
        return answer;
    return (m_givenRight ? tr("Right: %1.") : tr("You said %1, and that is not so.")).arg(m_given) + QLatin1Char(' ') +
           answer;
}

void MainWindow::leaveLesson() {
    if (m_lessons.predicting())
        m_predict->stop();
    turn(m_lessons.leave([this](const QString& v, const QString& o) { return switchNow(v, o); }));
    m_parts->lessons->setCurrent(-1, -1);
    refreshStory();
}

} // namespace warpglass
