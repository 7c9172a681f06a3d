// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/pad_feature.h"

#include "app/session/triton.h"
#include "app/session/user_file.h"
#include "app/window/model/requests.h"
#include "app/window/model/session_memory.h"
#include "app/window/palette/command_palette.h"
#include "app/window/program/program_feature.h"
#include "app/window/window_parts.h"
#include "views/common/sentences.h"
#include "views/common/shown_words.h"

#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include <algorithm>

namespace warpglass {

namespace {
constexpr int roomForPad = 560; // px of the right column: eighty characters of a usual size
} // namespace

PadFeature::PadFeature(Shell& shell)
    : Feature(shell), m_panel(new PadPanel(m_parts->code)), m_tab(m_parts->sourceTabs->addTab(QString())),
      m_pins(shell, m_panel) {
    m_panel->hide();
    m_parts->addCode(m_panel, m_tab);
}

ActionSet::Deeds PadFeature::deeds() {
    return {
        {"new", [this] { openNew(); }}, {"saveKernel", [this] { save(); }}, {"pin", [this] { m_pins.pinOrLetGo(); }}};
}

void PadFeature::connectAll() {
    connect(m_panel, &PadPanel::runRequested, this, &PadFeature::run);
    connect(m_panel, &PadPanel::stopWanted, this, [this] { m_bench->stop() || m_programs->stop(); });
    connect(m_panel, &PadPanel::failed, &m_shell, &Shell::fail);
    connect(m_panel, &PadPanel::told, m_parts->views->message, &MessageBar::showNote);
    connect(m_panel, &PadPanel::saveWanted, this, &PadFeature::save);
    connect(m_panel, &PadPanel::rested, &m_shell, &Shell::shown);
    connect(m_panel, &PadPanel::programRecorded, this,
            [this](const QString& file) { m_shell.feature<ProgramFeature>().openOfPad(file); });
    connect(m_parts->sourceTabs, &QTabBar::currentChanged, this, [this] {
        const bool seen = m_panel->isVisibleTo(m_shell.window);
        m_away = m_away && !seen;
        if (seen && !m_panel->isOpen())
            openNew();
    });
    connect(m_bench, &Workbench::asked, this, [this](const RunRequest& request) {
        if (m_panel->holds(request))
            m_panel->adopt(request);
    });
    connect(m_bench, &Workbench::opened, this, &PadFeature::showOpened);
    connect(&m_pins, &PinDesk::textFollowed, this, &PadFeature::followCode);
    m_pins.connectAll();
}

void PadFeature::run(const RunRequest& request, bool passing) {
    m_shell.goElsewhere();
    const auto its = [this](const RunRequest& r) { return m_panel->holds(r); };
    // A slider was let go where it was seen to be: that run is what was wanted.
    if (const RunRequest* seen = m_bench->request();
        !passing && seen && m_bench->isPassing() && !m_bench->busy() && its(*seen) && seen->text == request.text &&
        seen->arguments == request.arguments && sameLaunch(*seen, request)) {
        m_bench->keepPassing();
        m_pins.refresh();
        followCode();
        emit m_shell.shown();
        return;
    }
    m_bench->rewrite(request, its, passing);
}

void PadFeature::setLanguage(const QString&) {
    followCode();
    m_pins.refresh();
}

void PadFeature::setTheme(const Theme& theme) {
    m_panel->setTheme(theme);
    m_pins.setTheme(theme);
}

void PadFeature::retranslate() {
    m_parts->sourceTabs->setTabText(m_tab, tr("Your kernel"));
    m_parts->sourceTabs->setTabToolTip(m_tab, tr("Write a kernel, and every view follows"));
}

void PadFeature::show() {
    const WindowParts& p = *m_parts;
    p.sourceTabs->setCurrentIndex(m_tab);
    if (const QList<int> heights = p.rightSplit->sizes(); heights[0] < 2 * heights[1])
        p.rightSplit->setSizes({(heights[0] + heights[1]) * 3 / 4, (heights[0] + heights[1]) / 4});
    p.rightDock->setFolded(false);
    const int missing = std::min(roomForPad - p.rightDock->width(), p.middle->width() - p.views->minimumWidth());
    if (missing > 0 && !p.rightDock->isFloating())
        p.columns->resizeDocks({p.rightDock}, {p.rightDock->width() + missing}, Qt::Horizontal);
}

void PadFeature::showOpened() {
    followCode();
    const Run& edited = *m_bench->edited();
    if (edited.fault && edited.request && m_panel->holds(*edited.request)) {
        m_parts->views->message->showOutcome(saidOnce(*edited.fault, m_panel->path()));
        m_panel->showFault(*edited.fault);
    }
}

void PadFeature::followCode() {
    QTabBar* tabs = m_parts->sourceTabs;
    const RunPtr run = m_bench->edited();
    if (!run || !m_panel->isOpen() || m_shell.now().presenting)
        return;
    const std::string& source = run->trace->kernelOf(run->trace->launches.front()).source;
    const bool same = run->request && run->request->text ? *run->request->text == m_panel->textThatRuns().toStdString()
                                                         : source == m_panel->textThatRuns().toStdString();
    const bool its = same || (run->request && m_panel->holds(*run->request));
    if (its && m_away) {
        tabs->setCurrentIndex(m_tab);
    } else if (!its && tabs->currentIndex() == m_tab && !m_panel->isAncestorOf(QApplication::focusWidget())) {
        tabs->setCurrentIndex(0); // never under somebody who writes
        m_away = true;
    }
    m_panel->sayOther(same  ? QString()
                      : its ? tr("The picture is of an earlier text: Ctrl+Return runs this one.")
                            : tr("The picture is of %1, not of this text.").arg(run->name));
}

void PadFeature::openNew() {
    if (!mayLeave())
        return;
    m_shell.goElsewhere();
    emit replaced();
    m_shell.arrange(Arrangement::Build);
    m_shell.showPage(Front::Launch);
    m_panel->openNew();
    show();
}

bool PadFeature::open(const QString& path) {
    if (!session::isUserFile(path.toStdString()) && !session::isTritonFile(path.toStdString()))
        return false;
    openFile(path);
    return true;
}

void PadFeature::openFile(const QString& path) {
    if (!mayLeave())
        return;
    m_shell.goElsewhere();
    emit replaced();
    const QString full = QFileInfo(path).absoluteFilePath();
    const Result<void> opened = m_panel->openFile(full);
    if (!opened)
        m_shell.message()->showError(opened.error());
    if (m_panel->path() != full)
        return;
    m_shell.arrange(Arrangement::Build);
    m_shell.showPage(Front::Launch);
    m_shell.use(full);
    show();
}

bool PadFeature::save() {
    if (!m_panel->isOpen())
        return true;
    QString path = m_panel->path();
    if (!m_panel->hasFile())
        path =
            QFileDialog::getSaveFileName(m_shell.window, tr("Save your kernel"), path,
                                         tr("CUDA C++ (*.cu);;PTX (*.ptx);;Python with Triton (*.py);;All files (*)"));
    if (path.isEmpty())
        return false;
    const Result<void> saved = m_panel->save(path);
    if (!saved) {
        m_parts->views->message->showError(saved.error());
        return false;
    }
    m_shell.use(path);
    m_parts->views->message->showNote(tr("Saved as %1.").arg(path));
    return true;
}

bool PadFeature::mayLeave() {
    if (!m_panel->modified())
        return true;
    const auto answer = QMessageBox::question(
        m_shell.window, tr("Your kernel"), tr("%1 was not saved.").arg(shown(QFileInfo(m_panel->path()).fileName())),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

bool PadFeature::launch(const RunRequest& request) {
    if (!m_panel->holds(request))
        return false;
    m_panel->relaunch(request); // its arguments follow the shape
    return true;
}

void PadFeature::offer(QVector<PaletteItem>& items) {
    if (!m_panel->isOpen())
        return;
    items.append({PaletteKind::Pad,
                  tr("your kernel"),
                  shown(QFileInfo(m_panel->path()).fileName()),
                  m_panel->hasFile() && !m_panel->modified() ? shown(m_panel->path()) : tr("not saved"),
                  {},
                  tr("Your kernel") + QStringLiteral(" own kernel pad"),
                  [this] {
                      m_shell.arrange(Arrangement::Build);
                      m_shell.showPage(Front::Launch);
                      show();
                  }});
}

void PadFeature::remember(SessionMemory& memory) const {
    if (const RunRequest* open = m_bench->request(); open && memory.file.isEmpty() && m_panel->holds(*open))
        memory.file = QString::fromStdString(open->kernel); // if it is on the disk
}

} // namespace warpglass
