// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/top/top_feature.h"

#include "app/session/asked.h"
#include "app/window/gallery/gallery_panel.h"
#include "app/window/window_parts.h"
#include "views/common/shown_words.h"
#include "views/program/program_model.h"

#include <QFileInfo>

namespace warpglass {

ActionSet::Deeds TopFeature::deeds() {
    SelectionModel* selection = &m_bench->selection();
    return {{"menu", [this] { m_parts->top->menu->showMenu(); }},
            {"back", [selection] { selection->back(); }},
            {"forward", [selection] { selection->forward(); }},
            {"quit", [this] { m_shell.window->close(); }}};
}

void TopFeature::connectAll() {
    TopBar* top = m_parts->top;
    top->menu->setMenu(m_shell.actions().menu());
    const auto press = [this](QAbstractButton* button, const char* name) {
        QAction* a = action(name);
        connect(button, &QAbstractButton::clicked, a, &QAction::trigger);
        connect(a, &QAction::enabledChanged, button, &QWidget::setEnabled);
        button->setEnabled(a->isEnabled());
    };
    press(top->run, "run");
    press(top->runOnGpu, "gpu");
    press(top->present, "present");
    press(top->compare, "compare");
    press(top->launch, "launchFields");
    for (const auto& [button, name] :
         {std::pair(top->learn, "learn"), std::pair(top->explore, "explore"), std::pair(top->build, "build")}) {
        press(button, name);
        connect(action(name), &QAction::toggled, button, &QToolButton::setChecked);
        button->setChecked(action(name)->isChecked());
    }
    connect(action("launchFields"), &QAction::toggled, top->launch, &QToolButton::setChecked);
    connect(top->program, &QToolButton::clicked, action("program"), &QAction::trigger);
    if (const auto cuda = session::makeBackend("cuda"); !cuda)
        top->setGpuProblem(cuda.error());
    else if (const auto usable = (*cuda)->available(); !usable)
        top->setGpuProblem(usable.error());
    connect(m_bench, &Workbench::opened, this, &TopFeature::showTrace);
    connect(&m_shell, &Shell::pageChanged, this, &TopFeature::showTrace);
}

void TopFeature::showTrace() {
    const Front page = m_shell.seen().page;
    if (page == Front::Launch)
        m_parts->top->setTrace(m_bench->trace(), m_bench->otherTrace());
    else if (page == Front::Program)
        m_parts->top->setTrace(nullptr, nullptr);
}

void TopFeature::refresh() {
    m_parts->top->setPlace(place());
    m_parts->top->setLaunch(launchLine());
    m_parts->top->setPlaceOf(m_shell.seen());
    const QString name = title();
    m_shell.window->setWindowTitle(name.isEmpty() ? QStringLiteral("Warpglass")
                                                  : tr("%1 – Warpglass").arg(shown(name)));
    showProgramButton();
}

QString TopFeature::title() const {
    switch (m_shell.seen().page) {
    case Front::Start:
        break;
    case Front::Program:
        return m_programs->name();
    case Front::Launch:
        return current() ? current()->name : QString();
    }
    return {};
}

// As the picture's run was launched.
QString TopFeature::launchLine() const {
    const RunPtr& run = m_bench->edited();
    if (!run || run->trace->launches.empty())
        return {};
    const Launch& first = run->trace->launches.front();
    const bool written = run->trace->info.mode == CompileMode::AsWritten;
    return (written ? tr("%1 × %2, as written") : tr("%1 × %2, optimised"))
        .arg(QString::fromStdString(first.grid.text()), QString::fromStdString(first.block.text()));
}

QStringList TopFeature::place() const {
    if (m_shell.seen().page == Front::Start)
        return {};
    if (m_shell.seen().page == Front::Program)
        return {m_programs->name()};
    const RunPtr &run = current(), &beside = other();
    if (!run)
        return {tr("No kernel yet")};
    if (beside && beside->name == run->name)
        return {
            tr("%1: run %2 beside run %3")
                .arg(run->name, QString::number(m_bench->numberOf(run)), QString::number(m_bench->numberOf(beside)))};
    if (beside) // two names need the room
        return {tr("%1 beside %2").arg(run->name, beside->name)};
    QStringList place;
    const CatalogueEntry* entry = run->request ? findKernel(run->request->kernel) : nullptr;
    if (const std::uint32_t launch = m_programs->operationOf(run->file); launch != noIndex)
        place << tr("launch %1").arg(m_programs->program()->numberOf(launch).value_or(0));
    else if (entry)
        place << familyName(entry->family, m_shell.language.name());
    else if (!run->file.isEmpty())
        place << QFileInfo(run->file).fileName();
    return place << run->name;
}

void TopFeature::showProgramButton() {
    TopBar* top = m_parts->top;
    const Front page = m_shell.seen().page;
    if (!m_programs->program() || page == Front::Start)
        top->setProgram({}, {});
    else if (page == Front::Launch)
        top->setProgram(QStringLiteral("‹ ") + m_programs->name(), tr("Back to the program (Alt+Up)"));
    else if (current())
        top->setProgram(tr("To %1 ›").arg(current()->name), tr("To the launch that was looked at (Alt+Up)"));
    else
        top->setProgram(tr("To the gallery ›"), tr("To the gallery and the views of a launch (Alt+Up)"));
}

} // namespace warpglass
