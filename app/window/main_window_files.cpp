// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, saving, exporting.
#include "app/window/dialogs/export_dialog.h"
#include "app/window/main_window.h"
#include "app/window/model/why_ask.h"
#include "app/window/window_parts.h"

#include "app/session/user_file.h"
#include "gpu/cage/walls.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/cut.h"
#include "gpu/trace/file.h"
#include "views/common/page.h"
#include "views/common/sentences.h"
#include "views/common/shown_words.h"
#include "views/timeline/notes_keeper.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace warpglass {

namespace {
constexpr int recentFiles = 8;
constexpr QSize exportSize{1600, 900};
} // namespace

void MainWindow::openTables(const QStringList& paths) {
    if (const QString problem = m_sweep->openFiles(paths); !problem.isEmpty())
        messageInFront()->showError(problem);
}

void MainWindow::openResult(int row) {
    const auto source = m_sweep->sourceOf(row);
    if (!source) {
        m_parts->views->message->showError(
            tr("This launch cannot be opened: its trace was not kept, and its kernel is not in the "
               "gallery."));
        return;
    }
    leaveLesson();
    if (const RunRequest* request = std::get_if<RunRequest>(&*source))
        m_bench->runAlone(*request);
    else
        m_bench->open(*source);
}

void MainWindow::openFile(const QString& path) {
    if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        openTables({path});
        return;
    }
    if (session::isUserFile(path.toStdString())) {
        openKernel(path);
        return;
    }
    if (const QString file = programFileOf(path); program::isProgramFile(file.toStdString())) {
        leaveLesson();
        m_programs->open(file);
        return;
    }
    leaveLesson();
    m_bench->open(path); // remembered when it is there: a damaged one is not worth coming back to
}

void MainWindow::openDialog(bool toCompare) {
    const QString path = QFileDialog::getOpenFileName(
        this, toCompare ? tr("Compare with a trace") : tr("Open a trace or a kernel"), {},
        toCompare ? tr("Warpglass traces (*.wgt);;All files (*)")
                  : tr("Traces, kernels and tables (*.wgt *.cu *.ptx *.csv);;All files (*)"));
    if (path.isEmpty())
        refreshCompare();
    else if (toCompare && current())
        compareWith(path);
    else
        openFile(path);
}

void MainWindow::connectPad() {
    PadPanel* pad = m_parts->pad;
    connect(pad, &PadPanel::runRequested, this, [this, pad](const RunRequest& request) {
        leaveLesson();
        m_comparisonEnded = !m_bench->rewrite(request, [pad](const RunRequest& r) { return pad->holds(r); });
    });
    connect(pad, &PadPanel::stopWanted, this, [this] {
        if (!m_bench->stop())
            m_programs->stop();
    });
    connect(pad, &PadPanel::failed, this, &MainWindow::showFailure);
    connect(pad, &PadPanel::told, m_parts->views->message, &MessageBar::showNote);
    connect(pad, &PadPanel::saveWanted, this, &MainWindow::saveKernel);
    connect(pad, &PadPanel::rested, this, &MainWindow::shown);
    connect(pad, &PadPanel::programRecorded, this, [this](const QString& file) {
        m_programOfPad = true;
        openFile(file);
    });
    connect(m_parts->sourceTabs, &QTabBar::currentChanged, this, [this, pad] {
        m_padAway = m_padAway && !pad->isVisibleTo(this);
        if (pad->isVisibleTo(this) && !pad->isOpen())
            newKernel();
    });
}

void MainWindow::followCode() {
    PadPanel* pad = m_parts->pad;
    QTabBar* tabs = m_parts->sourceTabs;
    const RunPtr run = m_bench->edited();
    if (!run || !pad->isOpen() || m_presenting)
        return;
    const std::string& source = run->trace->kernelOf(run->trace->launches.front()).source;
    const bool same = run->request && run->request->text ? *run->request->text == pad->text().toStdString()
                                                         : source == pad->text().toStdString();
    const bool its = same || (run->request && pad->holds(*run->request));
    const int padTab = tabs->count() - 1;
    if (its && m_padAway) {
        tabs->setCurrentIndex(padTab);
    } else if (!its && tabs->currentIndex() == padTab && !pad->isAncestorOf(QApplication::focusWidget())) {
        tabs->setCurrentIndex(0); // never under somebody who writes
        m_padAway = true;
    }
    pad->sayOther(same  ? QString()
                  : its ? tr("The picture is of an earlier text: Ctrl+Return runs this one.")
                        : tr("The picture is of %1, not of this text.").arg(run->name));
}

void MainWindow::newKernel() {
    if (!mayLeavePad())
        return;
    leaveLesson();
    m_exercises->leave();
    showProgramPage(false);
    m_parts->pad->openNew();
    showPad(*m_parts);
}

void MainWindow::openKernel(const QString& path) {
    if (!mayLeavePad())
        return;
    leaveLesson();
    m_exercises->leave();
    const QString full = QFileInfo(path).absoluteFilePath();
    const Result<void> opened = m_parts->pad->openFile(full);
    if (!opened)
        messageInFront()->showError(opened.error());
    if (m_parts->pad->path() != full)
        return;
    showProgramPage(false);
    remember(full);
    showPad(*m_parts);
}

bool MainWindow::saveKernel() {
    PadPanel* pad = m_parts->pad;
    if (!pad->isOpen())
        return true;
    QString path = pad->path();
    if (!pad->hasFile())
        path = QFileDialog::getSaveFileName(this, tr("Save your kernel"), path,
                                            tr("CUDA C++ (*.cu);;PTX (*.ptx);;All files (*)"));
    if (path.isEmpty())
        return false;
    const Result<void> saved = pad->save(path);
    if (!saved) {
        m_parts->views->message->showError(saved.error());
        return false;
    }
    remember(path);
    m_parts->views->message->showNote(tr("Saved as %1.").arg(path));
    return true;
}

bool MainWindow::mayLeavePad() {
    if (!m_parts->pad->modified())
        return true;
    const auto answer =
        QMessageBox::question(this, tr("Your kernel"),
                              tr("%1 was not saved.").arg(warpglass::shown(QFileInfo(m_parts->pad->path()).fileName())),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && saveKernel());
}

bool MainWindow::writeWithSentence(const Trace& trace, const QString& path) {
    Progress progress;
    const Result<void> written = writeTrace(trace, path.toStdString(), progress);
    if (written)
        m_parts->views->message->showNote(tr("Saved as %1.").arg(path));
    else
        m_parts->views->message->showError(written.error());
    return written.ok();
}

void MainWindow::saveDialog() {
    if (!current())
        return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the trace"), current()->name + QStringLiteral(".wgt"), tr("Warpglass traces (*.wgt)"));
    if (!path.isEmpty() && writeWithSentence(*current()->trace, path)) {
        remember(path);
        followNotes(path, true);
    }
}

void MainWindow::savePartDialog() {
    if (!current())
        return;
    const Trace& trace = *current()->trace;
    const TimeRange visible = selection().get().visible;
    const auto part = cut(trace, visible.length().value > 0 ? visible : trace.range());
    if (!part) {
        m_parts->views->message->showError(part.error());
        return;
    }
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the visible part"), current()->name + QStringLiteral("-part.wgt"),
                                     tr("Warpglass traces (*.wgt)"));
    if (!path.isEmpty())
        writeWithSentence(**part, path);
}

void MainWindow::followNotes(const QString& tracePath, bool keep) {
    if (m_notes)
        m_notes->follow(tracePath, keep);
}

QString MainWindow::exportCurrentView(const QString& path) {
    const ViewWidget* view = viewInFront();
    if (!view)
        return tr("There is no view to export.");
    const bool seen = view->width() > 200 && view->height() > 150;
    return exportView(view->view(), view->context(), path, seen ? view->size() : exportSize, 2.0);
}

QString MainWindow::exportAllViews(const QString& folder, const QString& suffix) {
    for (int i = 0; i < m_parts->views->count(); ++i) {
        const ViewWidget* view = m_parts->views->at(i);
        if (view->view().thoroughEmptiness(view->context()))
            continue;
        const QString path = QDir(folder).filePath(
            QStringLiteral("%1-%2.%3").arg(current() ? current()->name : QString(), view->view().key(), suffix));
        QString problem = exportView(view->view(), view->context(), path, exportSize);
        if (!problem.isEmpty())
            return problem;
    }
    return {};
}

void MainWindow::exportDialog(int what, const Lesson* lesson) {
    if (!current() && !showsProgram() && !lesson)
        return;
    ExportSubject subject;
    const ViewWidget* front = viewInFront();
    const bool ofProgram = front && showsProgram() && ExportDialog::What(what) == ExportDialog::What::View;
    subject.current = front ? front->view().key() : QString();
    subject.name = ofProgram ? m_programs->name() : current() ? current()->name : QString();
    subject.file = ofProgram ? m_programs->file() : current() ? current()->file : QString();
    if (lesson || m_lessons.playing())
        subject.lesson = lesson ? *lesson : m_lessons.current();
    subject.language = m_language.name();
    if (ofProgram)
        subject.views.append({front->view().key(), front->view().title(), front->context(), front->size()});
    for (int i = 0; i < m_parts->views->count() && !ofProgram; ++i) {
        const ViewWidget* v = m_parts->views->at(i);
        if (!v->view().thoroughEmptiness(v->context()))
            subject.views.append({v->view().key(), v->view().title(), v->context(),
                                  v == m_parts->views->current() ? v->size() : QSize()});
    }
    if (subject.views.isEmpty() && !lesson) {
        m_parts->views->message->showError(tr("There is no view to export."));
        return;
    }
    auto* dialog = new ExportDialog(std::move(subject), ExportDialog::What(what), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::written, this,
            [this](const QString& path) { messageInFront()->showNote(tr("Written to %1.").arg(path)); });
    dialog->open();
}

void MainWindow::exportDifferences() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the differences"),
        QStringLiteral("%1-%2.csv").arg(current() ? current()->name : QString(), other() ? other()->name : QString()),
        tr("Table (*.csv)"));
    if (path.isEmpty())
        return;
    const QString problem = m_parts->differences->exportCsv(path);
    if (problem.isEmpty())
        m_parts->views->message->showNote(tr("Written to %1.").arg(path));
    else
        m_parts->views->message->showError(problem);
}

void MainWindow::remember(const QString& path) {
    const QString full = QFileInfo(path).absoluteFilePath();
    m_recent.removeAll(full);
    m_recent.prepend(full);
    while (m_recent.size() > recentFiles)
        m_recent.removeLast();
}

void MainWindow::tellMissingWalls() {
    const RunPtr& run = m_bench->current();
    const auto request = run && !m_toldWalls ? whyRequest(*run) : Result<RunRequest>(Error{});
    const bool caged = request && session::isCaged(*request) && (run->request || m_bench->why());
    if (m_toldWalls || !(caged || m_exercises->grade()) || messageInFront()->showsError())
        return;
    m_toldWalls = true;
    QString missing = sentence(cage::missingWalls());
    if (missing.isEmpty())
        return;
    missing[0] = missing[0].toUpper();
    messageInFront()->showNote(missing);
}

} // namespace warpglass
