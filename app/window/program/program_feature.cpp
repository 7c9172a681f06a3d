// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/program/program_feature.h"

#include "app/session/report.h"
#include "app/window/model/session_memory.h"
#include "app/window/panels/view_area.h"
#include "app/window/window_parts.h"
#include "gpu/program/program_file.h"
#include "views/program/program_model.h"

#include <utility>

namespace warpglass {

ProgramFeature::ProgramFeature(Shell& shell) : Feature(shell), m_page(new ProgramPage(m_parts->central)) {
    m_page->hide();
    m_parts->addPage(m_page);
    m_shell.addPage(Front::Program,
                    {.widget = m_page, .message = m_page->message, .view = m_page->view, .step = [this](int direction) {
                         m_page->step(direction);
                     }});
}

ActionSet::Deeds ProgramFeature::deeds() {
    return {{"program", [this] { show(!isShown()); }}};
}

void ProgramFeature::connectAll() {
    connect(m_page, &ProgramPage::openRequested, this, &ProgramFeature::openLaunch);
    connect(m_page, &ProgramPage::recordRequested, this, [this](const std::vector<std::uint64_t>& launches) {
        m_page->setBusy(true);
        m_page->message->showProgress(0);
        m_programs->record(launches);
    });
    connect(m_programs, &ProgramDesk::opened, this, &ProgramFeature::opened);
    connect(m_programs, &ProgramDesk::launchReady, this, [this](const QString& file) {
        const ProgramModelPtr program = m_programs->program();
        m_codeAlone = program && !program::hasWarps(*program->trace, program->operation(m_programs->operationOf(file)));
        m_shell.arrange(Arrangement::Explore);
        m_bench->open(file);
    });
    connect(m_programs, &ProgramDesk::grown, this, &ProgramFeature::grown);
    connect(m_programs, &ProgramDesk::progressed, this,
            [this](double fraction) { m_shell.message()->showProgress(fraction); });
    connect(m_programs, &ProgramDesk::failed, this, [this](const Error& error) {
        m_ofPad = false;
        m_shell.fail(error);
    });
    connect(m_programs, &ProgramDesk::stopped, this, [this] {
        m_page->setBusy(false);
        m_shell.message()->clearProgress();
        m_shell.message()->showNote(tr("The run was stopped. What was recorded before is still there."));
    });
    connect(m_programs, &ProgramDesk::settled, this, [this] {
        m_page->setBusy(false);
        emit m_shell.shown();
    });
    connect(m_bench, &Workbench::opened, m_page->message, &MessageBar::clearProgress);
    connect(m_bench, &Workbench::settled, this, [this] {
        if (const int from = std::exchange(m_entered, 0); from != 0 && m_bench->trace())
            from > 0 ? m_parts->transport->toStart() : m_parts->transport->toEnd();
        if (std::exchange(m_codeAlone, false) && m_bench->trace())
            m_parts->views->showView(QStringLiteral("source"));
    });
    connect(&m_shell, &Shell::pageChanged, this, [this] {
        // The launch that was looked at is the one that is chosen when one comes back.
        if (const std::uint32_t launch = current() ? m_programs->operationOf(current()->file) : noIndex;
            isShown() && launch != noIndex)
            m_page->choose(launch);
    });
}

void ProgramFeature::show(bool program) {
    m_shell.leaveStart();
    if (!program || m_programs->program())
        m_shell.showPage(program ? Front::Program : Front::Launch);
}

void ProgramFeature::openLaunch(std::uint32_t operation) {
    const ProgramModelPtr program = m_programs->program();
    if (!program || operation >= program->trace->operations.size())
        return;
    if (program->operation(operation).recording == noIndex) {
        show(true);
        m_page->showUnrecorded(operation);
        return;
    }
    m_shell.goElsewhere();
    m_page->message->clear();
    m_programs->openLaunch(operation);
}

bool ProgramFeature::grant(const QString& wish) {
    const bool before = wish == QLatin1String("launchBefore");
    if (!before && wish != QLatin1String("launchAfter"))
        return false;
    const ProgramModelPtr program = m_programs->program();
    const std::uint32_t now = current() ? m_programs->operationOf(current()->file) : noIndex;
    if (!program || now == noIndex)
        return true;
    const auto& operations = program->trace->operations;
    for (std::uint32_t n = now; before ? n-- > 0 : ++n < operations.size();)
        if (operations[n].recording != noIndex) {
            m_entered = before ? -1 : 1;
            openLaunch(n);
            return true;
        }
    m_shell.message()->showNote(before ? tr("This is the first launch that was recorded.")
                                       : tr("This is the last launch that was recorded."));
    return true;
}

bool ProgramFeature::open(const QString& path) {
    const QString file = programFileOf(path);
    if (!program::isProgramFile(file.toStdString()) && !session::isReport(file.toStdString()))
        return false;
    m_shell.goElsewhere();
    m_programs->open(file);
    return true;
}

void ProgramFeature::openOfPad(const QString& file) {
    m_ofPad = true;
    m_shell.open(file);
}

void ProgramFeature::opened() {
    m_parts->views->message->clearProgress();
    m_page->message->clearProgress();
    m_shell.use(m_programs->path());
    m_page->setProgram(m_programs->program());
    m_page->setWhyNoMore(m_programs->whyNoMore());
    const ProgramModel& program = *m_programs->program();
    const bool stays = std::exchange(m_ofPad, false) && (program.trace->info.exitStatus != 0 || program.failed);
    if (!stays)
        show(true);
    else if (!m_parts->views->message->showsError())
        m_parts->views->message->showNote(tr("What the program did until it failed is recorded: Alt+Up shows it."));
    m_shell.refresh();
    if (!stays)
        m_shell.focusView();
}

void ProgramFeature::grown(std::uint64_t added, const std::vector<std::uint64_t>& others) {
    m_page->growTo(m_programs->program());
    m_page->message->clearProgress();
    const QString more = tr("Recorded %1 more: a double click shows the warps.").arg(added);
    if (others.empty())
        m_shell.message()->showNote(more);
    else
        m_shell.message()->showError(
            tr("The program did not do the same again: launch %1 was of another kernel or shape, or did not come, "
               "and is not recorded. Recorded: %2.")
                .arg(others.front())
                .arg(added));
}

void ProgramFeature::remember(SessionMemory& memory) const {
    if (m_programs->program())
        memory.file = m_programs->path();
}

} // namespace warpglass
