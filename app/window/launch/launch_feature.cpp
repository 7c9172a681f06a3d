// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/launch/launch_feature.h"

#include "app/session/asked.h"
#include "app/window/model/requests.h"
#include "app/window/model/session_memory.h"
#include "app/window/model/why_ask.h"
#include "app/window/window_parts.h"
#include "gpu/base/messages/session.h"

namespace warpglass {

LaunchFeature::LaunchFeature(Shell& shell) : Feature(shell), m_panel(new LaunchPanel(m_parts->leftSplit)) {
    m_parts->leftSplit->addWidget(m_panel);
    m_parts->launch = m_panel;
}

ActionSet::Deeds LaunchFeature::deeds() {
    const auto again = [this](const std::function<void(RunRequest&)>& change) {
        return [this, change] { runWith(change); };
    };
    return {
        {"run", again([](RunRequest&) {})},
        {"gpu", again([](RunRequest& r) {
             r.backend = "cuda";
             r.options.device = "0";
         })},
        {"stop",
         [this] {
             for (const auto& feature : m_shell.features())
                 feature->halt();
         }},
        // What empty views ask for.
        {"as-written", again([](RunRequest& r) {
             r.launch.mode = CompileMode::AsWritten;
             r.modeChosen = true;
         })},
        {"accesses", again([](RunRequest& r) { r.options.detail.accesses = r.accesses = true; })},
        {"detail", again([](RunRequest& r) { r.options.detail.kind = Detail::Kind::All; })},
        {"timing", [this] { runTimed(); }},
        {"policies", [this] { comparePolicies(); }},
        {"undo",
         [this] {
             m_shell.goElsewhere();
             m_bench->undo();
         }},
        {"redo",
         [this] {
             m_shell.goElsewhere();
             m_bench->redo();
         }},
    };
}

void LaunchFeature::connectAll() {
    connect(m_panel, &LaunchPanel::changed, this, [this](const RunRequest& request) {
        for (const auto& feature : m_shell.features())
            if (feature->launch(request))
                return;
        m_bench->run(request);
    });
    connect(m_panel, &LaunchPanel::entered, &m_shell, &Shell::focusView);
    connect(m_bench, &Workbench::asked, m_panel, &LaunchPanel::show);
    connect(m_bench, &Workbench::opened, this, &LaunchFeature::showOpened);
    connect(m_bench, &Workbench::settled, this, &LaunchFeature::tellIfCaged);
    connect(m_bench, &Workbench::whyReady, this, &LaunchFeature::tellIfCaged);
    connect(m_bench, &Workbench::stopped, this, [this] {
        if (current() && m_bench->waiting())
            m_panel->sayOlderPicture();
    });
    connect(&m_shell, &Shell::failed, this, [this] {
        const RunRequest* open = m_bench->request();
        if (request().backend == "cuda" && open && open->backend != "cuda")
            m_panel->show(*open); // no GPU: what is on the screen is what runs again
        else if (current() && m_bench->waiting())
            m_panel->sayOlderPicture();
    });
    connect(m_bench, &Workbench::policiesReady, this, [this](const std::vector<TracePtr>& traces) {
        m_parts->views->message->clearProgress();
        if (ViewWidget* view = m_parts->views->widget(QStringLiteral("scheduler"))) {
            view->setCompanions(traces);
            view->setOption(QStringLiteral("show"), QStringLiteral("policies"));
            m_parts->views->showView(QStringLiteral("scheduler"));
        }
    });
}

void LaunchFeature::showOpened() {
    const Run& edited = *m_bench->edited();
    if (edited.request)
        m_panel->show(*edited.request);
    else
        m_panel->showRecording(session::launchOf(*edited.trace));
    m_panel->setActualGrid(edited.trace->launches.front().grid);
    if (edited.fault)
        m_parts->views->message->showOutcome(*edited.fault);
    else if (edited.check.check == Check::Wrong)
        m_parts->views->message->showOutcome(Error{.message = say::ResultWrong(edited.check.why)});
}

void LaunchFeature::refresh() {
    m_panel->setAsking(m_shell.now().asking || m_shell.now().predicting);
}

void LaunchFeature::runWith(const std::function<void(RunRequest&)>& change) {
    m_bench->runWith(request(), change);
}

void LaunchFeature::runTimed() {
    if (const auto timed = timedRequest(request(), current().get())) {
        m_shell.goElsewhere();
        m_bench->run(*timed);
    } else if (!current()) {
        runWith([](RunRequest& r) { recordCycles(r, true); });
    } else {
        m_shell.fail(timed.error());
    }
}

void LaunchFeature::comparePolicies() {
    if (const auto timed = timedRequest(request(), current().get()))
        m_bench->comparePolicies(*timed);
    else
        m_parts->views->message->showNote(tr("Run a kernel of the gallery first."));
}

// An empty view asks for a run where nothing is open that could be run again.
bool LaunchFeature::grant(const QString& wish) {
    if (wish != QLatin1String("run"))
        return false;
    runWith([](RunRequest&) {});
    return true;
}

// A stranger's kernel has run.
void LaunchFeature::tellIfCaged() {
    const RunPtr& run = current();
    if (!run || (!run->request && !m_bench->why()))
        return;
    if (const auto asked = whyRequest(*run); asked && session::isCaged(*asked))
        m_shell.tellMissingWalls();
}

void LaunchFeature::remember(SessionMemory& memory) const {
    if (const RunRequest* open = m_bench->request(); open && findKernel(open->kernel))
        memory.request = *open;
}

bool LaunchFeature::resume(const SessionMemory& memory) {
    if (!memory.request)
        return false;
    RunRequest again = *memory.request;
    if (again.backend == "cuda" && !m_parts->top->hasGpu()) { // the GPU is gone
        again.backend = "emulator";
        again.options.device = "h200";
    }
    m_bench->runAlone(again);
    return true;
}

} // namespace warpglass
