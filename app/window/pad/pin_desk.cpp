// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/pin_desk.h"

#include "app/window/action_set.h"
#include "app/window/model/pinned_change.h"
#include "app/window/model/what_changed.h"
#include "app/window/pad/change_line.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/pad/pad_panel.h"
#include "app/window/pad/run_strip.h"
#include "app/window/window_parts.h"

#include <QTimer>

#include <algorithm>

namespace warpglass {

namespace {
constexpr std::size_t mostPictures = 12;
constexpr int restMs = 700;
constexpr int leastHeight = 480; // px of the panel
} // namespace

PinDesk::PinDesk(Shell& shell, PadPanel* panel) : m_shell(shell), m_bench(shell.bench), m_panel(panel) {}

void PinDesk::connectAll() {
    connect(m_bench, &Workbench::opened, this, &PinDesk::opened);
    connect(m_bench, &Workbench::pinned, this, &PinDesk::refresh);
    connect(m_bench, &Workbench::wentBack, this, &PinDesk::wentBack);
    connect(m_panel->changeLine(), &ChangeLine::pinWanted, this, &PinDesk::pinOrLetGo);
    connect(m_panel->strip(), &RunStrip::pinWanted, this, &PinDesk::pin);
    connect(m_panel->editor(), &PadEditor::undoWanted, this, [this] { go(true); });
    connect(m_panel->editor(), &PadEditor::redoWanted, this, [this] { go(false); });
    connect(m_shell.parts->views, &ViewArea::currentChanged, this, &PinDesk::lookAtView);
    connect(m_shell.parts->sourceTabs, &QTabBar::currentChanged, this, &PinDesk::fillStrip);
    connect(&m_shell, &Shell::resized, this, &PinDesk::fillStrip, Qt::QueuedConnection);
    auto* rest = new QTimer(this); // small pictures follow what is looked at, once somebody stays there
    rest->setSingleShot(true);
    rest->setInterval(restMs);
    connect(rest, &QTimer::timeout, this, &PinDesk::lookAtView);
    connect(&m_bench->selection(), &SelectionModel::changed, rest, [rest] { rest->start(); });
}

QString PinDesk::nameOf(const RunPtr& run) const {
    return tr("run %1").arg(m_bench->numberOf(run));
}

void PinDesk::pin(const RunPtr& run) {
    m_bench->pin(run);
}

void PinDesk::pinOrLetGo() {
    m_bench->keepPassing();
    pin(m_bench->pin() ? nullptr : m_bench->edited());
}

void PinDesk::opened() {
    const RunPtr run = m_bench->edited();
    m_textBefore = m_text;
    m_text.clear();
    if (run->request && m_panel->holds(*run->request)) {
        m_text = QString::fromStdString(*run->request->text);
        std::erase_if(m_settings, [](const auto& known) { return known.first.expired(); });
        m_settings.try_emplace(run, m_panel->launched());
    }
    refresh();
}

void PinDesk::wentBack() {
    const RunPtr run = m_bench->edited();
    const auto settings = m_settings.find(run);
    // What has been typed since, and not run, stays.
    if (m_text.isEmpty() || m_panel->text() != m_textBefore || settings == m_settings.end())
        return;
    m_panel->goBackTo(*run->request, settings->second);
    emit textFollowed();
    refresh();
}

void PinDesk::go(bool back) {
    const auto isItsOwn = [this](const RunPtr& run) { return run && run->request && m_panel->holds(*run->request); };
    const RunPtr run = m_bench->edited(), next = back ? m_bench->before() : m_bench->after();
    const bool typed = !isItsOwn(run) || *run->request->text != m_panel->text().toStdString();
    if (typed || !isItsOwn(next)) {
        back ? m_panel->editor()->undo() : m_panel->editor()->redo();
        return;
    }
    m_shell.goElsewhere();
    back ? m_bench->undo() : m_bench->redo();
}

void PinDesk::refresh() {
    const RunPtr a = m_bench->pin(), b = m_bench->edited();
    m_shell.actions().check(QStringLiteral("pin"), a != nullptr);
    ChangeLine* line = m_panel->changeLine();
    QVector<ChangedLine> marks;
    if (!b) {
        line->showNothing();
    } else if (!a) {
        line->showUnpinned();
    } else if (a == b) {
        line->showAlone(nameOf(a));
    } else {
        const PinnedChange change = pinnedChange(*a, *b);
        line->show(nameOf(a), change);
        if (b->request && m_panel->holds(*b->request))
            marks = changedLines(*a, *b);
        if (!line->isVisible() && !change.parts.isEmpty() && !m_shell.parts->views->message->showsError())
            m_shell.parts->views->message->showNote(tr("Against A, %1: %2.").arg(nameOf(a), change.line()));
    }
    m_panel->editor()->setChanges(marks);
    const RunPtr held = m_bench->heldAgainst();
    for (int i = 0; i < m_shell.parts->views->count(); ++i)
        m_shell.parts->views->at(i)->setPinned(held ? held->trace : nullptr);
    fillStrip();
}

void PinDesk::fillStrip() {
    std::vector<RunPtr> runs = m_bench->kept();
    const auto add = [&](const RunPtr& run) {
        if (run && m_bench->numberOf(run) > 0 && std::find(runs.begin(), runs.end(), run) == runs.end())
            runs.push_back(run);
    };
    add(m_bench->pin());
    add(m_bench->current());
    add(m_bench->other());
    std::sort(runs.begin(), runs.end(),
              [this](const RunPtr& x, const RunPtr& y) { return m_bench->numberOf(x) < m_bench->numberOf(y); });
    std::vector<RunStrip::Shown> shown;
    for (std::size_t n = 0; n < runs.size(); ++n) {
        const RunPtr& run = runs[n];
        const bool isA = run == m_bench->pin(), isOpen = run == m_bench->edited();
        if (!isA && !isOpen && runs.size() - n > mostPictures)
            continue;
        const RunPtr before = n > 0 ? runs[n - 1] : nullptr;
        const bool another = before && before->request && run->request && before->name == run->name;
        const QString word = another ? changeWord(*before->request, *run->request) : run->name;
        shown.push_back({run, word.isEmpty() ? nameOf(run) : word, isA, isOpen});
    }
    // Where there is little room it is the editor's.
    const bool room = m_panel->height() >= leastHeight * m_shell.theme.fontScale;
    m_panel->strip()->setVisible(shown.size() > 1 && room);
    lookAtView();
    m_panel->strip()->show(shown);
}

void PinDesk::lookAtView() {
    if (const ViewWidget* view = m_shell.parts->views->current(); view && m_panel->isVisible())
        m_panel->strip()->look(view->view().key(), view->context());
}

void PinDesk::setTheme(const Theme& theme) {
    m_panel->changeLine()->setTheme(theme);
    lookAtView();
}

} // namespace warpglass
