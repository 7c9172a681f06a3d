// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/program_desk.h"

#include "app/session/report.h"
#include "app/session/rerun.h"
#include "gpu/program/program_file.h"
#include "views/common/shown_words.h"
#include "views/program/program_model.h"

#include <QDir>
#include <QFileInfo>

namespace warpglass {

namespace {

struct Grown {
    session::Rerun rerun;
    ProgramModelPtr program;
};

Result<Grown> grow(const QString& file, const std::vector<std::uint64_t>& launches, Progress& progress) {
    auto rerun = session::recordMore(file.toStdString(), launches, progress);
    if (!rerun)
        return rerun.error();
    auto program = readProgramModel(file);
    if (!program)
        return program.error();
    return Grown{std::move(*rerun), std::move(*program)};
}

// Launches of the same number do not meet in one file: those of another program have another folder.
std::shared_ptr<const QTemporaryDir> newFolder() {
    return std::make_shared<const QTemporaryDir>();
}

Result<void> recordingOf(const QString& report, const QString& file, const Progress& progress) {
    auto read = session::readReport({report.toStdString()}, &progress);
    return read ? session::writeReport(*read, file.toStdString()) : Result<void>(read.error());
}

} // namespace

Result<ProgramModelPtr> readProgramModel(const QString& path) {
    auto recorded = program::readProgram(path.toStdString());
    if (!recorded)
        return recorded.error();
    return makeProgramModel(std::move(*recorded));
}

QString programFileOf(const QString& path) {
    const QString inside = QDir(path).filePath(QStringLiteral("program.wgt"));
    return QFileInfo(path).isDir() && QFileInfo::exists(inside) ? inside : path;
}

ProgramDesk::ProgramDesk(QObject* parent) : QObject(parent) {
    connect(&m_job, &Job::progressed, this, &ProgramDesk::progressed);
}

void ProgramDesk::open(const QString& path) {
    const QString full = QFileInfo(path).absoluteFilePath();
    const auto folder = newFolder();
    const bool isReport = session::isReport(full.toStdString());
    const QString file = isReport ? folder->filePath(QStringLiteral("report.wgt")) : full;
    m_job.start(
        [full, file, isReport](Progress& progress) -> Result<ProgramModelPtr> {
            if (isReport)
                if (auto ok = recordingOf(full, file, progress); !ok)
                    return ok.error();
            return readProgramModel(file);
        },
        [this, full, file, folder](const Result<ProgramModelPtr>& program) {
            if (!program) {
                emit failed(program.error());
            } else {
                m_program = *program;
                m_file = file;
                m_path = full;
                m_traces.clear();
                m_folder = folder;
                emit opened();
            }
            emit settled();
        });
}

void ProgramDesk::openLaunch(std::uint32_t operation) {
    if (!m_program || operation >= m_program->trace->operations.size())
        return;
    const std::uint32_t recording = m_program->operation(operation).recording;
    if (recording >= m_program->trace->recordings.size())
        return;
    m_job.start(
        [program = m_program, file = m_file, folder = m_folder, recording](Progress&) -> Result<QString> {
            auto at =
                program::recordingFile(file.toStdString(), *program->trace, recording, folder->path().toStdString());
            if (!at)
                return at.error();
            return QString::fromStdString(at->string());
        },
        [this, operation](const Result<QString>& traceFile) {
            if (!traceFile) {
                emit failed(traceFile.error());
                emit settled();
                return;
            }
            m_traces[*traceFile] = operation;
            emit launchReady(*traceFile); // what comes of it settles
        });
}

void ProgramDesk::record(const std::vector<std::uint64_t>& launches) {
    if (!m_program || launches.empty())
        return;
    m_job.start([file = m_file, launches](Progress& progress) { return grow(file, launches, progress); },
                [this](const Result<Grown>& grown) {
                    if (!grown) {
                        emit failed(grown.error());
                    } else {
                        m_program = grown->program;
                        emit this->grown(grown->rerun.added, grown->rerun.others);
                    }
                    emit settled();
                });
}

bool ProgramDesk::stop() {
    const bool working = m_job.running();
    m_job.cancel();
    if (working)
        emit stopped();
    return working;
}

QString ProgramDesk::name() const {
    if (!m_program)
        return {};
    const QString command = QString::fromStdString(m_program->trace->info.command);
    const QString word = command.section(QLatin1Char(' '), 0, 0);
    return shown(word.isEmpty() ? QFileInfo(m_file).fileName() : word);
}

QString ProgramDesk::whyNoMore() const {
    if (!m_program)
        return {};
    const Result<void> can = session::canRerun(m_program->trace->info);
    return can ? QString() : QString::fromStdString(can.error().text());
}

} // namespace warpglass
