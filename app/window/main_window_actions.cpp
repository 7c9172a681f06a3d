// SPDX-License-Identifier: GPL-3.0-or-later
// What each action does, and the wires between the panels and the workbench.
#include "app/window/action_set.h"
#include "app/window/dialogs/dialogs.h"
#include "app/window/dialogs/export_dialog.h"
#include "app/window/dialogs/guide_dialog.h"
#include "app/window/main_window.h"
#include "app/window/model/motion.h"
#include "app/window/model/requests.h"
#include "app/window/model/what_changed.h"
#include "app/window/panels/presenter_notes.h"
#include "app/window/panels/presenter_overlay.h"
#include "app/window/predict_desk.h"
#include "app/window/window_parts.h"
#include "views/common/follow.h"
#include "views/common/sentences.h"
#include "views/common/shown_words.h"
#include "views/common/side_names.h"
#include "views/why/why_view.h"

namespace warpglass {

void MainWindow::makeActions() {
    WindowParts* p = m_parts.get();
    SelectionModel* selection = &m_bench->selection();
    const auto again = [this](const std::function<void(RunRequest&)>& change) {
        return [this, change] { runWith(change); };
    };
    const auto exportAs = [this](ExportDialog::What what) { return [this, what] { exportDialog(int(what)); }; };
    const auto play = [p](void (TransportBar::*what)()) { return [p, what] { (p->transport->*what)(); }; };
    ActionSet::Deeds deeds{
        {"new", [this] { newKernel(); }},
        {"open", [this] { openDialog(false); }},
        {"save", [this] { saveDialog(); }},
        {"saveKernel", [this] { saveKernel(); }},
        {"savePart", [this] { savePartDialog(); }},
        {"export", exportAs(ExportDialog::What::View)},
        {"exportAll", exportAs(ExportDialog::What::AllViews)},
        {"report", exportAs(ExportDialog::What::Report)},
        {"film", exportAs(ExportDialog::What::Film)},
        {"page",
         [this] {
             exportDialog(int(m_lessons.playing() ? ExportDialog::What::LessonPage : ExportDialog::What::Page));
         }},
        {"copy", [this] { copyPicture(viewInFront()); }},
        {"copyNumbers", [this] { copyNumbers(viewInFront()); }},
        {"print", [this] { printDialog(viewInFront()); }},
        {"quit", [this] { close(); }},

        {"run", again([](RunRequest&) {})},
        {"gpu", again([](RunRequest& r) {
             r.backend = "cuda";
             r.options.device = "0";
         })},
        {"compare", [this] { compareOrStop(); }},
        {"sweep", [this] { m_sweep->showDialog(m_parts->launch->request(), m_language.name()); }},
        {"stop",
         [this] {
             m_parts->transport->stop();
             m_bench->stop();
             m_parts->pad->stopProgram();
             m_programs->stop();
         }},
        // What empty views ask for.
        {"as-written", again([](RunRequest& r) { r.launch.mode = CompileMode::AsWritten; })},
        {"accesses", again([](RunRequest& r) { r.options.detail.accesses = r.accesses = true; })},
        {"detail", again([](RunRequest& r) { r.options.detail.kind = Detail::Kind::All; })},
        {"timing", [this] { runTimed(); }},
        {"policies", [this] { comparePolicies(); }},
        {"why", [this] { askWhy(); }},
        {"undo",
         [this] {
             leaveLesson();
             m_bench->undo();
         }},
        {"redo",
         [this] {
             leaveLesson();
             m_bench->redo();
         }},

        {"play", play(&TransportBar::play)},
        {"reverse", play(&TransportBar::playBackward)},
        {"stepForward", play(&TransportBar::stepForward)},
        {"stepBack", play(&TransportBar::stepBack)},
        {"nextEvent", [this] { stepEvent(1); }},
        {"previousEvent", [this] { stepEvent(-1); }},
        {"toStart", play(&TransportBar::toStart)},
        {"toEnd", play(&TransportBar::toEnd)},
        {"faster", play(&TransportBar::faster)},
        {"slower", play(&TransportBar::slower)},
        {"loop", play(&TransportBar::toggleLoop)},
        {"follow",
         [this, selection] {
             if (const TracePtr trace = m_bench->trace())
                 selection->set(followingToggled(selection->get(), *trace));
         }},
        {"still",
         [this, p] {
             setMotionReduced(!p->transport->still());
             p->transport->setStill(motionReduced());
             m_actions->check(QStringLiteral("still"), motionReduced());
         }},

        {"predict",
         [this] {
             showStartPage(false);
             m_predict->on() ? m_predict->stop() : m_predict->start();
         }},

        {"home", [this] { showStartPage(true); }},
        {"back", [selection] { selection->back(); }},
        {"forward", [selection] { selection->forward(); }},
        {"program", [this] { showProgramPage(!showsProgram()); }},
        {"palette", [this] { showPalette(); }},
        {"find",
         [this, p] {
             showProgramPage(false);
             p->leftDock->setFolded(false);
             p->leftTabs->setCurrentWidget(p->gallery);
             p->gallery->focusSearch();
         }},
        {"nextStep", [this] { goStep(1); }},
        {"previousStep", [this] { goStep(-1); }},
        {"replay",
         [p] {
             p->transport->toStart();
             p->transport->play();
         }},
        {"spotlight", [this] { m_overlay->toggle(PresenterOverlay::Tool::Spotlight); }},
        {"pen", [this] { m_overlay->toggle(PresenterOverlay::Tool::Pen); }},
        {"blackout", [this] { m_overlay->toggle(PresenterOverlay::Tool::Blackout); }},
        {"presentCode", [this] { showCode(!m_presentingCode); }},
        {"presenterNotes", [this] { showNotes(!m_notesWindow->isVisible()); }},
        {"sides", [p] { foldSides(*p); }},
        {"leftSide", [p] { p->leftDock->setFolded(!p->leftDock->isFolded()); }},
        {"rightSide", [p] { p->rightDock->setFolded(!p->rightDock->isFolded()); }},
        {"sidesAtFirst", [p] { resetSides(*p); }},
        {"present", [this] { setPresenting(!m_presenting); }},
        {"menu", [p] { p->top->menu->showMenu(); }},
        {"guide",
         [this] {
             auto* guide = new GuideDialog(m_language.name(), m_theme, this);
             guide->setAttribute(Qt::WA_DeleteOnClose);
             guide->setModal(false);
             guide->show();
         }},
        {"tour", [this] { startTour(); }},
        {"keys", [this] { showKeysDialog(this, m_actions->keys()); }},
        {"about", [this] { showAboutDialog(this); }},
        {"larger", [this] { setFontScale(m_fontScale + 0.1); }},
        {"smaller", [this] { setFontScale(m_fontScale - 0.1); }},
        {"usual", [this] { setFontScale(1.0); }},
    };
    for (const char* name : {"light", "dark", "print", "projector"})
        deeds[QStringLiteral("theme_%1").arg(QLatin1String(name))] = [this, name] {
            setThemeName(QString::fromLatin1(name));
        };
    for (const char* name : {"en", "zh_CN"})
        deeds[QStringLiteral("language_%1").arg(QLatin1String(name))] = [this, name] {
            setLanguage(QString::fromLatin1(name));
        };
    for (int i = 0; i < std::min(numberedViews, p->views->count()); ++i)
        deeds[viewAction(i)] = [this, p, i] {
            showProgramPage(false);
            p->views->showView(i);
        };
    m_actions = std::make_unique<ActionSet>(this, deeds);

    p->top->menu->setMenu(m_actions->menu());
    QMenu* recent = m_actions->subMenu("recent");
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
    auto* compare = new QMenu(this);
    p->top->compare->setMenu(compare);
    connect(compare, &QMenu::aboutToShow, this, [this, compare] { fillCompareMenu(compare); });

    for (const auto& [dock, name] : {std::pair(p->leftDock, "leftSide"), std::pair(p->rightDock, "rightSide")}) {
        QAction* side = action(QLatin1String(name));
        side->setChecked(!dock->isFolded());
        connect(dock, &SideDock::foldedChanged, side, [this, side](bool folded) {
            side->setChecked(!folded);
            focusView(); // the fold had it, or what it holds
        });
    }

    const auto press = [this](QAbstractButton* button, const char* name) {
        QAction* a = action(QLatin1String(name));
        connect(button, &QAbstractButton::clicked, a, &QAction::trigger);
        connect(a, &QAction::enabledChanged, button, &QWidget::setEnabled);
        button->setEnabled(a->isEnabled());
    };
    press(p->top->run, "run");
    press(p->top->runOnGpu, "gpu");
    press(p->top->present, "present");
    press(p->top->compare, "compare");
    connect(p->top->program, &QToolButton::clicked, action(QStringLiteral("program")), &QAction::trigger);
    p->top->compare->setCheckable(true);
    connect(action(QStringLiteral("compare")), &QAction::toggled, p->top->compare, &QToolButton::setChecked);
    if (const auto cuda = session::makeBackend("cuda"); !cuda)
        p->top->setGpuProblem(sentence(cuda.error()));
    else if (const auto usable = (*cuda)->available(); !usable)
        p->top->setGpuProblem(sentence(usable.error()));
}

void MainWindow::connectPanels() {
    const WindowParts& p = *m_parts;
    connect(p.gallery, &GalleryPanel::chosen, this, &MainWindow::runKernel);
    connect(p.gallery, &GalleryPanel::recordingChosen, this, &MainWindow::openFile);
    connect(p.launch, &LaunchPanel::changed, this, [this](const RunRequest& request) {
        if (m_parts->pad->holds(request)) // its arguments follow the shape
            m_parts->pad->relaunch(request);
        else
            m_bench->run(request);
    });
    connect(p.lessons, &LessonsPanel::stepChosen, this, qOverload<int, int>(&MainWindow::startLesson));
    connect(p.views->strip->previous, &QPushButton::clicked, action(QStringLiteral("previousStep")), &QAction::trigger);
    connect(p.views->strip->next, &QPushButton::clicked, action(QStringLiteral("nextStep")), &QAction::trigger);
    connect(p.views->strip, &StepStrip::ended, this, &MainWindow::leaveLesson);
    connect(p.views->strip->again, &QPushButton::clicked, this, [this] {
        m_predict->stop();
        m_lessons.askStepAgain();
        startLesson(m_lessons.lesson(), m_lessons.step());
        if (m_lessons.predicting() && !m_predict->on() && !busy()) // its run is there already, so nothing comes
            m_predict->start();
    });
    connect(p.views->question, &QuestionCard::answered, this, &MainWindow::answered);
    connect(p.views, &ViewArea::actionRequested, this, &MainWindow::requested);
    connect(p.launch, &LaunchPanel::entered, this, &MainWindow::focusView);
    connect(p.source, &ViewWidget::actionRequested, this, &MainWindow::requested);
    connectPad();
    connect(m_sweep, &SweepControl::resultsChanged, this, [this, views = p.views] {
        if (ViewWidget* charts = views->widget(QStringLiteral("charts"))) {
            charts->setOption(QStringLiteral("of"), {});
            charts->setResults(m_sweep->results());
        }
        showProgramPage(false);
        views->showView(QStringLiteral("charts"));
    });
    connect(p.claims, &ClaimsPanel::runRequested, this,
            [this](const ClaimTarget& target) { showClaim(target, false); });
    connect(p.claims, &ClaimsPanel::showRequested, this,
            [this](const ClaimTarget& target) { showClaim(target, true); });
    connect(p.differences, &ComparePanel::alignmentChanged, m_bench, &Workbench::alignAt);
    connect(p.differences, &ComparePanel::csvRequested, this, &MainWindow::exportDifferences);
    SelectionModel* selection = &m_bench->selection();
    connectClock();
    p.transport->setBeats([this] {
        ViewWidget* view = viewInFront();
        const Picture* picture = view ? view->picture() : nullptr;
        return picture ? picture->beats() : std::vector<Beat>();
    });
    connect(p.views, &ViewArea::currentChanged, p.transport, &TransportBar::beatsChanged);
    connect(p.views, &ViewArea::currentChanged, this, &MainWindow::askWhyIfQuick);
    connect(p.views, &ViewArea::currentChanged, m_predict, &PredictDesk::viewChanged);
    connect(p.warp, &WarpPanel::laneChosen, selection, [selection](int lane) {
        Selection next = selection->get();
        next.lane = lane;
        selection->set(next);
    });
}

void MainWindow::runKernel(const QString& kernel) {
    if (const CatalogueEntry* entry = findKernel(kernel.toStdString())) {
        leaveLesson();
        showProgramPage(false);
        m_bench->runAlone(firstLook(*entry, current().get()));
    }
}

void MainWindow::runWith(const std::function<void(RunRequest&)>& change) {
    m_bench->runWith(m_parts->launch->request(), change);
}

void MainWindow::compareOrStop() {
    if (other())
        m_bench->stopComparing();
    else if (const RunRequest* open = m_bench->request()) {
        // Its own run before, if that is what was open; else the kernel that its documents set against it.
        const RunPtr previous = m_bench->previous();
        const RunRequest partner = partnerOf(*open);
        const bool none = partner.kernel == open->kernel;
        if (previous && (none || previous->name == current()->name)) {
            compareWith(previous);
        } else if (none) {
            m_parts->views->message->showNote(tr("There is no other run yet. Change something, and compare then."));
            refreshCompare();
        } else {
            m_bench->compareWith(partner);
        }
    } else {
        openDialog(true);
    }
}

QString MainWindow::sideName(const RunPtr& run, const RunPtr& beside) const {
    QString name = tr("run %1").arg(m_bench->numberOf(run));
    const bool newer = beside && m_bench->numberOf(run) > m_bench->numberOf(beside);
    if (newer && run->request && beside->request)
        if (const QString changed = whatChanged(*beside->request, *run->request); !changed.isEmpty())
            name += QStringLiteral(": ") + changed;
    return name;
}

void MainWindow::nameSides() {
    const RunPtr &run = current(), &beside = other();
    const bool twice = run && beside && run->name == beside->name;
    QVector<ViewWidget*> views{m_parts->source};
    for (int i = 0; i < m_parts->views->count(); ++i)
        views.append(m_parts->views->at(i));
    for (ViewWidget* view : views) {
        view->setOption(QLatin1String(nameOfFirst.key), twice ? QVariant(sideName(run, beside)) : QVariant());
        view->setOption(QLatin1String(nameOfSecond.key), twice ? QVariant(sideName(beside, run)) : QVariant());
    }
}

void MainWindow::runTimed() {
    if (const auto request = timedRequest(m_parts->launch->request(), current().get())) {
        leaveLesson();
        m_bench->run(*request);
    } else if (!current()) {
        runWith([](RunRequest& r) { r.options.timing = true; });
    } else {
        showFailure(request.error());
    }
}

void MainWindow::comparePolicies() {
    if (const auto request = timedRequest(m_parts->launch->request(), current().get()))
        m_bench->comparePolicies(*request);
    else
        m_parts->views->message->showNote(tr("Run a kernel of the gallery first."));
}

void MainWindow::askWhy() {
    leaveLesson();
    m_parts->views->showView(QStringLiteral("why"));
    m_bench->askWhy();
}

// Where it takes no time nobody presses a button for it.
void MainWindow::askWhyIfQuick() {
    if (m_parts->views->currentKey() == QLatin1String("why") && !m_bench->why() && !m_bench->busy() &&
        m_bench->whyIsQuick())
        m_bench->askWhy();
}

void MainWindow::showWhy() {
    if (ViewWidget* view = m_parts->views->widget(QStringLiteral("why"))) {
        view->setOption(QLatin1String(whyOption), whyToOption(m_bench->why()));
        for (const char* place : {"line", "whyScroll"}) // of the launch before
            view->setOption(QLatin1String(place), {});
    }
}

void MainWindow::showClaim(const ClaimTarget& target, bool inView) {
    leaveLesson();
    m_bench->showClaim(target, inView);
}

void MainWindow::fillCompareMenu(QMenu* menu) {
    menu->clear();
    if (other())
        menu->addAction(tr("Stop comparing"), m_bench, &Workbench::stopComparing);
    const RunPtr& beside = m_bench->edited();
    for (const RunPtr& run : m_bench->kept()) {
        QString name = run->name + QStringLiteral(" · ") + tr("run %1").arg(m_bench->numberOf(run));
        if (run->name == beside->name && run->request && beside->request) // in what it differs from what is open
            if (const QString was = whatChanged(*beside->request, *run->request); !was.isEmpty())
                name += QStringLiteral(": ") + was;
        menu->addAction((run == m_bench->previous() ? tr("Previous run: %1") : tr("Earlier run: %1")).arg(name), this,
                        [this, run] { compareWith(run); });
    }
    menu->addAction(tr("A file…"), this, [this] { openDialog(true); });
    const RunRequest* open = m_bench->request();
    if (!open || !findKernel(open->kernel))
        return;
    QMenu* variants = menu->addMenu(tr("The same kernel with…"));
    const Dim3 block = current()->trace->launches.front().block;
    for (const Variant& variant : variantsOf(*open, block, m_parts->top->gpuProblem().isEmpty()))
        variants->addAction(variant.text, this, [this, request = variant.request] { compareWith(request); });
    menu->addSeparator();
    for (const std::string& kernel : relatives(open->kernel))
        menu->addAction(QString::fromStdString(kernel), this,
                        [this, request = withKernel(*open, kernel)] { compareWith(request); });
}

void MainWindow::fillRecentMenu(QMenu* menu) {
    menu->clear();
    for (const QString& path : m_recent)
        menu->addAction(warpglass::shown(path), this, [this, path] { openFile(path); });
    if (m_recent.isEmpty())
        menu->addAction(tr("Nothing yet"))->setEnabled(false);
}

void MainWindow::requested(const QString& name) {
    if (name.startsWith(QLatin1String("openResult:"))) {
        openResult(name.mid(11).toInt());
        return;
    }
    // What an empty view sends a person to: another view, or another choice of its own.
    if (const auto [what, value] = std::pair(name.section(QLatin1Char(':'), 0, 0), name.section(QLatin1Char(':'), 1));
        what == QLatin1String("view")) {
        m_parts->views->showView(value);
        return;
    } else if (what == QLatin1String("option")) {
        if (ViewWidget* view = viewInFront())
            view->setOption(value.section(QLatin1Char('='), 0, 0), value.section(QLatin1Char('='), 1));
        return;
    }
    static const QHash<QString, QString> otherNames{{QStringLiteral("recordAccesses"), QStringLiteral("accesses")},
                                                    {QStringLiteral("recordDetail"), QStringLiteral("detail")},
                                                    {QStringLiteral("recordTiming"), QStringLiteral("timing")}};
    QAction* wanted = action(otherNames.value(name, name));
    if (wanted && name != QLatin1String("run")) // which needs something to run again; an empty view does not ask for it
        wanted->trigger();
    else
        runWith([](RunRequest&) {});
}

} // namespace warpglass
