// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "gpu/trace/cut.h"
#include "gpu/trace/file.h"
#include "views/common/page.h"
#include "views/timeline/notes_keeper.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>

namespace warpglass {

namespace {
constexpr int recentFiles = 8;
constexpr QSize exportSize{1600, 900};
} // namespace

void MainWindow::openTables(const QStringList& paths) {
    if (const QString problem = m_sweep->openFiles(paths); !problem.isEmpty())
        m_views->message->showError(problem);
}

void MainWindow::openResult(int row) {
    const auto source = m_sweep->sourceOf(row);
    if (!source) {
        m_views->message->showError(
            tr("This launch cannot be opened: its trace was not kept, and its kernel is not in the "
               "gallery."));
        return;
    }
    leaveLesson();
    if (const RunRequest* request = std::get_if<RunRequest>(&*source)) {
        m_other.reset();
        run(*request);
        return;
    }
    const RunPtr& kept = std::get<RunPtr>(*source);
    if (kept->request)
        m_launch->show(*kept->request);
    m_job->start(kept, std::nullopt);
}

void MainWindow::openFile(const QString& path) {
    if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        openTables({path});
        return;
    }
    leaveLesson();
    m_other.reset();
    if (!path.startsWith(QLatin1Char(':'))) // one that is shipped with the program is found in the gallery
        remember(path);
    m_job->start(RunSource(path), std::nullopt);
}

void MainWindow::openDialog(bool toCompare) {
    const QString path =
        QFileDialog::getOpenFileName(this, toCompare ? tr("Compare with a trace") : tr("Open a trace"), {},
                                     tr("Warpglass traces (*.wgt);;Tables of sweeps (*.csv);;All files (*)"));
    if (path.isEmpty()) {
        m_actions[QStringLiteral("compare")]->setChecked(m_other != nullptr);
        return;
    }
    if (toCompare && m_current)
        compareWith(RunSource(path));
    else
        openFile(path);
}

void MainWindow::saveDialog() {
    if (!m_current)
        return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the trace"), m_current->name + QStringLiteral(".wgt"), tr("Warpglass traces (*.wgt)"));
    if (path.isEmpty())
        return;
    Progress progress;
    const Result<void> written = writeTrace(*m_current->trace, path.toStdString(), progress);
    if (!written) {
        m_views->message->showError(written.error());
        return;
    }
    remember(path);
    followNotes(path, true);
    m_views->message->showNote(tr("Saved as %1.").arg(path));
}

void MainWindow::savePartDialog() {
    if (!m_current)
        return;
    const Trace& trace = *m_current->trace;
    const TimeRange visible = m_selection->get().visible;
    const auto part = cut(trace, visible.length().value > 0 ? visible : trace.range());
    if (!part) {
        m_views->message->showError(part.error());
        return;
    }
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the visible part"), m_current->name + QStringLiteral("-part.wgt"),
                                     tr("Warpglass traces (*.wgt)"));
    if (path.isEmpty())
        return;
    Progress progress;
    if (const Result<void> written = writeTrace(**part, path.toStdString(), progress); !written) {
        m_views->message->showError(written.error());
        return;
    }
    m_views->message->showNote(tr("Saved as %1.").arg(path));
}

void MainWindow::followNotes(const QString& tracePath, bool keep) {
    auto* notes = findChild<NotesKeeper*>();
    for (int i = 0; i < m_views->count() && !notes; ++i)
        if (m_views->at(i)->view().key() == QLatin1String("timeline")) {
            notes = new NotesKeeper(m_views->at(i)); // the view owns it
            connect(notes, &NotesKeeper::failed, this,
                    [this](const QString& problem) { m_views->message->showError(problem); });
        }
    if (notes)
        notes->follow(tracePath, keep);
}

QString MainWindow::exportCurrentView(const QString& path) {
    const ViewWidget* view = m_views->current();
    if (!view)
        return tr("There is no view to export.");
    const bool seen = view->width() > 200 && view->height() > 150;
    return exportView(view->view(), view->context(), path, seen ? view->size() : exportSize, 2.0);
}

QString MainWindow::exportAllViews(const QString& folder, const QString& suffix) {
    for (int i = 0; i < m_views->count(); ++i) {
        const ViewWidget* view = m_views->at(i);
        if (view->view().thoroughEmptiness(view->context()))
            continue;
        const QString path = QDir(folder).filePath(
            QStringLiteral("%1-%2.%3").arg(m_current ? m_current->name : QString(), view->view().key(), suffix));
        const QString problem = exportView(view->view(), view->context(), path, exportSize);
        if (!problem.isEmpty())
            return problem;
    }
    return {};
}

void MainWindow::exportDialog(ExportDialog::What what) {
    if (!m_current)
        return;
    ExportSubject subject;
    subject.current = m_views->currentKey();
    subject.name = m_current->name;
    subject.file = m_current->file;
    for (int i = 0; i < m_views->count(); ++i) {
        const ViewWidget* v = m_views->at(i);
        if (!v->view().thoroughEmptiness(v->context()))
            subject.views.append(
                {v->view().key(), v->view().title(), v->context(), v == m_views->current() ? v->size() : QSize()});
    }
    if (subject.views.isEmpty()) {
        m_views->message->showError(tr("There is no view to export."));
        return;
    }
    auto* dialog = new ExportDialog(std::move(subject), what, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::written, this,
            [this](const QString& path) { m_views->message->showNote(tr("Written to %1.").arg(path)); });
    dialog->open();
}

void MainWindow::exportDifferences() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the differences"),
        QStringLiteral("%1-%2.csv").arg(m_current ? m_current->name : QString(), m_other ? m_other->name : QString()),
        tr("Table (*.csv)"));
    if (path.isEmpty())
        return;
    const QString problem = m_comparePanel->exportCsv(path);
    if (problem.isEmpty())
        m_views->message->showNote(tr("Written to %1.").arg(path));
    else
        m_views->message->showError(problem);
}

void MainWindow::copyPicture() {
    if (ViewWidget* view = m_views->current()) {
        QApplication::clipboard()->setPixmap(view->grab());
        m_views->message->showNote(tr("The picture is on the clipboard."));
    }
}

void MainWindow::remember(const QString& path) {
    const QString full = QFileInfo(path).absoluteFilePath();
    m_recent.removeAll(full);
    m_recent.prepend(full);
    while (m_recent.size() > recentFiles)
        m_recent.removeLast();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty())
        return;
    event->acceptProposedAction();
    openFile(urls.first().toLocalFile());
    if (urls.size() > 1)
        m_job->start(RunSource(urls[0].toLocalFile()), RunSource(urls[1].toLocalFile()));
}

void MainWindow::readSettings() {
    const QSettings settings;
    m_theme = Theme::named(settings.value(QStringLiteral("theme"), QStringLiteral("light")).toString());
    m_fontScale = std::clamp(settings.value(QStringLiteral("fontScale"), 1.0).toDouble(), 0.7, 2.5);
    m_recent = settings.value(QStringLiteral("recent")).toStringList();
    setLanguage(settings.value(QStringLiteral("language"), Language::ofSystem()).toString());
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    m_split->restoreState(settings.value(QStringLiteral("columns")).toByteArray());
    m_leftSplit->restoreState(settings.value(QStringLiteral("left")).toByteArray());
    m_rightSplit->restoreState(settings.value(QStringLiteral("right")).toByteArray());
    m_views->showView(settings.value(QStringLiteral("view")).toString());
}

void MainWindow::writeSettings() {
    QSettings settings;
    settings.setValue(QStringLiteral("theme"), m_theme.kind == ThemeKind::Dark    ? QStringLiteral("dark")
                                               : m_theme.kind == ThemeKind::Print ? QStringLiteral("print")
                                                                                  : QStringLiteral("light"));
    settings.setValue(QStringLiteral("fontScale"), m_fontScale);
    settings.setValue(QStringLiteral("recent"), m_recent);
    settings.setValue(QStringLiteral("language"), m_language.name());
    settings.setValue(QStringLiteral("view"), m_views->currentKey());
    if (!m_presenting) { // the class room's arrangement is not the desk's
        settings.setValue(QStringLiteral("geometry"), saveGeometry());
        settings.setValue(QStringLiteral("columns"), m_split->saveState());
        settings.setValue(QStringLiteral("left"), m_leftSplit->saveState());
        settings.setValue(QStringLiteral("right"), m_rightSplit->saveState());
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    writeSettings();
    m_job->cancel();
    QMainWindow::closeEvent(event);
}

} // namespace warpglass
