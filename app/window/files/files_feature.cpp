// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/files_feature.h"

#include "app/window/model/session_memory.h"
#include "app/window/palette/command_palette.h"
#include "app/window/window_parts.h"
#include "gpu/trace/cut.h"
#include "gpu/trace/file.h"
#include "views/common/shown_words.h"
#include "views/pipeline/role_names.h"
#include "views/timeline/timeline_notes.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

#include <filesystem>

namespace warpglass {

namespace {
constexpr int recentFiles = 8;
} // namespace

FilesFeature::FilesFeature(Shell& shell) : Feature(shell) {
    const auto keep = [this](const char* view, KeptOption what) {
        if (ViewWidget* widget = m_parts->views->widget(QLatin1String(view)))
            m_keepers << new OptionKeeper(widget, std::move(what)); // the view owns it
    };
    keep("timeline", keptNotes());
    keep("pipeline", keptRoleNames());
}

ActionSet::Deeds FilesFeature::deeds() {
    return {{"open", [this] { openDialog(); }}, {"save", [this] { saveDialog(); }}, {"savePart", [this] {
                                                                                         savePartDialog();
                                                                                     }}};
}

void FilesFeature::connectAll() {
    for (const OptionKeeper* keeper : m_keepers)
        connect(keeper, &OptionKeeper::failed, this,
                [this](const QString& problem) { m_parts->views->message->showError(problem); });
    connect(&m_shell, &Shell::used, this, &FilesFeature::keep);
    connect(m_bench, &Workbench::opened, this, [this] {
        // One that is shipped with the program is found in the gallery, a launch of a program in the program.
        const QString& file = current()->file;
        const bool own = !file.isEmpty() && !file.startsWith(QLatin1Char(':'));
        if (own && m_programs->operationOf(file) == noIndex)
            keep(file);
        follow(own ? file : QString());
    });
    QMenu* menu = m_shell.actions().subMenu("recent");
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (const QString& path : m_recent)
            menu->addAction(shown(path), this, [this, path] { m_shell.open(path); });
        if (m_recent.isEmpty())
            menu->addAction(tr("Nothing yet"))->setEnabled(false);
    });
}

bool FilesFeature::open(const QString& path) {
    m_shell.goElsewhere();
    m_shell.arrange(Arrangement::Explore);
    m_bench->open(path); // kept when it is there: a damaged one is not worth coming back to
    return true;
}

void FilesFeature::openDialog() {
    const QString path =
        QFileDialog::getOpenFileName(m_shell.window, tr("Open a trace or a kernel"), {},
                                     tr("Recordings, kernels, tables, reports (*.wgt *.cu *.ptx *.py *.csv "
                                        "*.ncu-rep *.sqlite *.json *.chrome_trace);;All files (*)"));
    if (!path.isEmpty())
        m_shell.open(path);
}

bool FilesFeature::write(const Trace& trace, const QString& path) {
    Progress progress;
    const Result<void> written = writeTrace(trace, path.toStdString(), progress);
    if (written)
        m_parts->views->message->showNote(tr("Saved as %1.").arg(path));
    else
        m_parts->views->message->showError(written.error());
    return written.ok();
}

void FilesFeature::saveDialog() {
    if (!current())
        return;
    const QString path = QFileDialog::getSaveFileName(
        m_shell.window, tr("Save the trace"), current()->name + QStringLiteral(".wgt"), tr("Warpglass traces (*.wgt)"));
    if (!path.isEmpty() && write(*current()->trace, path)) {
        keep(path);
        follow(path, true);
    }
}

void FilesFeature::savePartDialog() {
    if (!current())
        return;
    const Trace& trace = *current()->trace;
    const TimeRange visible = m_bench->selection().get().visible;
    const auto part = cut(trace, visible.length().value > 0 ? visible : trace.range());
    if (!part) {
        m_parts->views->message->showError(part.error());
        return;
    }
    const QString path =
        QFileDialog::getSaveFileName(m_shell.window, tr("Save the visible part"),
                                     current()->name + QStringLiteral("-part.wgt"), tr("Warpglass traces (*.wgt)"));
    if (!path.isEmpty())
        write(**part, path);
}

void FilesFeature::follow(const QString& tracePath, bool keep) {
    for (OptionKeeper* keeper : m_keepers)
        keeper->follow(tracePath, keep);
}

void FilesFeature::keep(const QString& path) {
    const QString full = QFileInfo(path).absoluteFilePath();
    m_recent.removeAll(full);
    m_recent.prepend(full);
    while (m_recent.size() > recentFiles)
        m_recent.removeLast();
}

void FilesFeature::offer(QVector<PaletteItem>& items) {
    for (const QString& path : m_recent)
        items.append({PaletteKind::File,
                      tr("file"),
                      shown(QFileInfo(path).fileName()),
                      shown(path),
                      {},
                      QStringLiteral("file"),
                      [this, path] { m_shell.open(path); }});
}

void FilesFeature::readSettings(const QSettings& settings) {
    m_recent = settings.value(QStringLiteral("recent")).toStringList();
    // What a pad without a file recorded is gone with its folder. (A file that lay elsewhere may come back, with its disk.)
    const QString passing = QDir::tempPath() + QLatin1Char('/');
    m_recent.removeIf([&](const QString& path) { return path.startsWith(passing) && !QFileInfo::exists(path); });
}

void FilesFeature::writeSettings(QSettings& settings) {
    settings.setValue(QStringLiteral("recent"), m_recent);
}

void FilesFeature::remember(SessionMemory& memory) const {
    if (!memory.file.isEmpty())
        return;
    const RunRequest* request = m_bench->request();
    // One launched again from a recording is a name without a folder.
    if (request && std::filesystem::path(request->kernel).is_absolute())
        memory.file = QString::fromStdString(request->kernel);
    else if (current())
        memory.file = current()->file;
}

bool FilesFeature::resume(const SessionMemory& memory) {
    if (memory.file.isEmpty() || !QFileInfo::exists(memory.file))
        return false;
    m_shell.open(memory.file);
    return true;
}

} // namespace warpglass
