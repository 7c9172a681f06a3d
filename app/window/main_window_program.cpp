// SPDX-License-Identifier: GPL-3.0-or-later
// A whole program beside the launch that is looked at: its page takes the place of the launch's columns, and the other
// way round. The program stays open while its launches are looked at one after the other.
#include "app/window/action_set.h"
#include "app/window/main_window.h"
#include "app/window/window_parts.h"
#include "views/program/program_model.h"

#include <QFileInfo>

namespace warpglass {

void MainWindow::connectProgram() {
    ProgramPage* page = m_parts->program;
    connect(page, &ProgramPage::openRequested, this, &MainWindow::openLaunch);
    connect(page, &ProgramPage::recordRequested, this, [this, page](const std::vector<std::uint64_t>& launches) {
        page->setBusy(true);
        page->message->showProgress(0);
        m_programs->record(launches);
    });
    connect(page->message, &MessageBar::stopRequested, this, [this] {
        if (!m_programs->stop())
            m_bench->stop();
    });
    connect(m_programs, &ProgramDesk::opened, this, &MainWindow::programOpened);
    connect(m_programs, &ProgramDesk::launchReady, this, [this](const QString& file) { m_bench->open(file); });
    connect(m_programs, &ProgramDesk::grown, this, &MainWindow::programGrown);
    connect(m_programs, &ProgramDesk::progressed, this,
            [this](double fraction) { messageInFront()->showProgress(fraction); });
    connect(m_programs, &ProgramDesk::failed, this, [this](const Error& error) {
        m_programOfPad = false;
        showFailure(error);
    });
    connect(m_programs, &ProgramDesk::stopped, this, [this, page] {
        page->setBusy(false);
        messageInFront()->clearProgress();
        messageInFront()->showNote(tr("The run was stopped. What was recorded before is still there."));
    });
    connect(m_programs, &ProgramDesk::settled, this, [this, page] {
        page->setBusy(false);
        emit shown();
    });
}

bool MainWindow::showsProgram() const {
    return m_parts && !m_parts->program->isHidden();
}

MessageBar* MainWindow::messageInFront() {
    return showsStart()     ? m_parts->start->message
           : showsProgram() ? m_parts->program->message
                            : m_parts->views->message;
}

ViewWidget* MainWindow::viewInFront() const {
    return showsStart() ? nullptr : showsProgram() ? m_parts->program->view : m_parts->views->current();
}

void MainWindow::showProgramPage(bool program) {
    showStartPage(false);
    if (program == showsProgram() || (program && !m_programs->program()))
        return;
    m_parts->transport->stop();
    showProgram(*m_parts, program);
    m_parts->top->setTrace(program ? nullptr : m_bench->trace(), program ? nullptr : m_bench->otherTrace());
    // The launch that was looked at is the one that is chosen when one comes back.
    if (const std::uint32_t launch = current() ? m_programs->operationOf(current()->file) : noIndex;
        program && launch != noIndex)
        m_parts->program->choose(launch);
    refreshActions();
    refreshPlace();
    focusView();
}

void MainWindow::openLaunch(std::uint32_t operation) {
    const ProgramModelPtr program = m_programs->program();
    if (!program || operation >= program->trace->operations.size())
        return;
    if (program->operation(operation).recording == noIndex) {
        showProgramPage(true);
        m_parts->program->showUnrecorded(operation);
        return;
    }
    leaveLesson();
    m_parts->program->message->clear();
    m_programs->openLaunch(operation);
}

void MainWindow::programOpened() {
    m_parts->views->message->clearProgress();
    m_parts->program->message->clearProgress();
    remember(m_programs->file());
    m_parts->program->setProgram(m_programs->program());
    m_parts->program->setWhyNoMore(m_programs->whyNoMore());
    // Who writes a program that fails stays with its lines.
    const ProgramModel& program = *m_programs->program();
    const bool stays = m_programOfPad && (program.trace->info.exitStatus != 0 || program.failed);
    m_programOfPad = false;
    if (!stays)
        showProgramPage(true);
    else if (!m_parts->views->message->showsError())
        m_parts->views->message->showNote(tr("What the program did until it failed is recorded: Alt+Up shows it."));
    refreshActions();
    refreshPlace();
    if (!stays)
        focusView();
}

void MainWindow::programGrown(std::uint64_t added, const std::vector<std::uint64_t>& others) {
    ProgramPage* page = m_parts->program;
    page->growTo(m_programs->program());
    page->message->clearProgress();
    const QString more = tr("Recorded %1 more: a double click shows the warps.").arg(added);
    if (others.empty())
        messageInFront()->showNote(more);
    else
        messageInFront()->showError(
            tr("The program did not do the same again: launch %1 was of another kernel or shape, or did not come, "
               "and is not recorded. Recorded: %2.")
                .arg(others.front())
                .arg(added));
}

void MainWindow::refreshProgram() {
    TopBar* top = m_parts->top;
    if (!m_programs->program() || showsStart())
        top->setProgram({}, {});
    else if (!showsProgram())
        top->setProgram(QStringLiteral("‹ ") + m_programs->name(), tr("Back to the program (Alt+Up)"));
    else if (current())
        top->setProgram(tr("To %1 ›").arg(current()->name), tr("To the launch that was looked at (Alt+Up)"));
    else
        top->setProgram(tr("To the gallery ›"), tr("To the gallery and the views of a launch (Alt+Up)"));
}

} // namespace warpglass
