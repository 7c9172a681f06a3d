// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/argument_table.h"
#include "app/window/pad/pad_compiler_page.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/pad/pad_panel.h"
#include "app/window/pad/pad_program_page.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/read_file.h"
#include "views/common/whole_file.h"

#include <QFile>
#include <QFileInfo>

namespace warpglass {

namespace {
constexpr qint64 largestText = 4 << 20;
}

void PadPanel::begin(const QString& path, const QString& text, PadSettings settings, bool onDisk) {
    m_look.cancel();
    m_count.cancel();
    m_program.stop();
    m_argumentPause.stop();
    m_turnPause.stop();
    m_turned.reset();
    m_turns->clear();
    m_passing = m_goesBack = false;
    m_path = path;
    m_onDisk = onDisk;
    m_settings = std::move(settings);
    m_file.reset();
    m_kernel = nullptr;
    m_quiet = true;
    m_editor->setFile(path, text);
    m_read = text.toUtf8();
    m_kernels->clear();
    m_arguments->clear();
    m_compiler->show(m_settings, path);
    m_end.reset();
    m_programPage->show(m_settings);
    knowProgram(path.endsWith(QLatin1String(".cu")) && session::factsOfSource(text.toStdString()).hasMain);
    m_pages->setCurrentIndex(m_isProgram ? Program : Arguments);
    m_quiet = false;
    retranslate();
    watch();
    emit titleChanged();
    look();
}

void PadPanel::openText(const QString& name, const QString& text, PadSettings settings, const RunRequest& like,
                        std::shared_ptr<const session::CompiledText> compiled) {
    m_like.backend = like.backend;
    m_like.options = like.options;
    m_like.accesses = like.accesses;
    m_known = std::move(compiled);
    begin(name, text, std::move(settings), false);
}

void PadPanel::openNew() {
    begin(QStringLiteral("untitled.cu"), firstKernel(), {}, false);
}

Result<void> PadPanel::openFile(const QString& path) {
    QFile file(path);
    const auto problem = [&](const std::string& what) {
        return Error{.message = what, .file = path.toStdString(), .remedy = say::CheckPath};
    };
    if (auto may = mayBeRead(path.toStdString()); !may)
        return may.error();
    if (!file.open(QIODevice::ReadOnly))
        return problem("the file cannot be read: " + file.errorString().toStdString());
    const QByteArray bytes = file.read(largestText + 1);
    if (bytes.size() > largestText || bytes.contains('\0'))
        return problem(bytes.size() > largestText ? "the file is too large for an editor" : "the file is no text");
    auto settings = readPadSettings(path);
    begin(path, QString::fromUtf8(bytes), settings ? *settings : PadSettings{}, true);
    if (!settings)
        return settings.error();
    if (!settings->withheld.isEmpty())
        return Error{.message = say::SettingsOfOthers(lineOf(settings->withheld).toStdString()),
                     .file = padSettingsPath(path).toStdString(),
                     .remedy = say::TypeThem};
    return {};
}

// What another program wrote into the file since it was read here (or what is no UTF-8 and would be lost) stays beside
// it, under the name with a ~. False: it cannot.
bool PadPanel::keepOther() {
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly))
        return true; // it is gone: there is nothing to keep
    const QByteArray there = file.readAll();
    if (there == m_read || there == m_editor->text().toUtf8())
        return true;
    const QString name = m_path + QLatin1Char('~');
    if (!writeWhole(name, there))
        return false;
    emit told(tr("%1 was changed by another program; what it held is kept as %2.")
                  .arg(QFileInfo(m_path).fileName(), QFileInfo(name).fileName()));
    return true;
}

Result<void> PadPanel::save(const QString& path) {
    m_watcher.removePaths(m_watcher.files());
    if (m_onDisk && path == m_path && !keepOther()) {
        watch();
        return Error{.message = say::NotSavedNowhere, .file = path.toStdString(), .remedy = say::SaveAnotherName};
    }
    WholeFile file(path);
    const QByteArray bytes = m_editor->text().toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        watch();
        return Error{.message = say::KernelNotSaved(file.errorString().toStdString()),
                     .file = path.toStdString(),
                     .remedy = say::OtherFolder};
    }
    m_read = bytes;
    const bool other = path != m_path;
    m_path = path;
    m_onDisk = true;
    m_editor->setModified(false);
    watch();
    retranslate();
    emit titleChanged();
    if (other) // its includes are looked for beside it, and what runs goes by its name
        look();
    return writePadSettings(path, m_settings);
}

void PadPanel::watch() {
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    if (m_onDisk)
        m_watcher.addPath(m_path);
}

// Another editor has saved the file: what it says runs, unless something here would be lost.
void PadPanel::fileChanged() {
    QTimer::singleShot(50, this, [this] { // editors write a new file and rename it
        watch();
        QFile file(m_path);
        if (!m_onDisk || !file.open(QIODevice::ReadOnly))
            return;
        const QString text = QString::fromUtf8(file.read(largestText));
        if (text == m_editor->text())
            return;
        if (modified()) {
            emit told(tr("%1 was changed by another program; what is written here is kept until you open it again.")
                          .arg(QFileInfo(m_path).fileName()));
            return;
        }
        m_quiet = true;
        m_read = text.toUtf8();
        int line = 0, at = 0;
        m_editor->getCursorPosition(&line, &at);
        m_editor->setText(text);
        m_editor->setModified(false);
        m_editor->setCursorPosition(line, at);
        m_quiet = false;
        look();
    });
}

} // namespace warpglass
