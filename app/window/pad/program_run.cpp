// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/program_run.h"
#include "gpu/base/messages/session.h"

#include "app/session/child_process.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <csignal>

#include <unistd.h>

namespace warpglass {

namespace {

constexpr int patienceMs = 3000; // between asking a program to end and ending it
constexpr const char* recorder = "warpglass-record";
constexpr qsizetype mostKept = 1 << 16; // characters, to find an error in

} // namespace

QStringList recorderWords(const session::ProgramRequest& request, const std::string& backend) {
    const auto text = [](const std::string& s) { return QString::fromStdString(s); };
    QStringList words{QStringLiteral("program")};
    for (const std::string& source : request.sources)
        words << text(source);
    const auto option = [&](const char* name, const std::string& value) {
        if (!value.empty())
            words << QString::fromLatin1(name) << text(value);
    };
    const session::CompileOptions& compile = request.compile;
    for (const std::string& folder : compile.includes)
        option("-I", folder);
    for (const std::string& define : compile.defines)
        option("-D", define);
    for (const std::string& further : compile.nvcc)
        words << QStringLiteral("--nvcc=") + text(further); // it begins with a dash itself
    option("--arch", compile.arch);
    const program::Settings& s = request.settings;
    if (!request.sources.empty())
        option("--mode", name(compile.mode));
    option("--backend", backend);
    option("--device", s.device);
    option("--policy", s.policy);
    option("--kernel", s.kernels);
    std::string launches;
    for (const auto& [first, last] : s.launches)
        launches +=
            (launches.empty() ? "" : ",") + std::to_string(first) + (first == last ? "" : "-" + std::to_string(last));
    option("--launches", launches);
    if (s.timing)
        words << QStringLiteral("--timing");
    if (s.accesses)
        words << QStringLiteral("--accesses");
    option("-o", request.output.string());
    words << QStringLiteral("--");
    for (const std::string& word : request.words)
        words << text(word);
    return words;
}

Error recorderError(const QString& said) {
    static const QRegularExpression begins(QStringLiteral("^warpglass-record: (?:(.+?):(\\d+):(?:(\\d+):)? )?(.*)$"),
                                           QRegularExpression::MultilineOption);
    QRegularExpressionMatch last;
    for (auto it = begins.globalMatch(said); it.hasNext();)
        last = it.next();
    if (!last.hasMatch())
        return Error{say::ProgramNotRun};
    QString message = (last.captured(4) + said.mid(last.capturedEnd())).trimmed();
    const QString advice = QStringLiteral("Mend the source.");
    const bool advised = message.endsWith(advice);
    if (advised)
        message.chop(advice.size() + 2); // ". "
    return Error{.message = message.toStdString(),
                 .file = last.captured(1).toStdString(),
                 .line = last.captured(2).toInt(),
                 .column = last.captured(3).toInt(),
                 .remedy = advised ? advice.toStdString() : std::string()};
}

ProgramRun::ProgramRun(QObject* parent) : QObject(parent) {
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (m_state == State::Building && QFileInfo::exists(QDir(m_output).filePath(QStringLiteral("program.journal"))))
            become(State::Running);
        emit stateChanged();
    });
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, &ProgramRun::kill);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setStandardInputFile(QProcess::nullDevice());
    // A group of its own, so that the program can be ended with its recorder and its own children.
    m_process.setChildProcessModifier([window = getpid()] {
        setpgid(0, 0);
        session::endWithParent(window, SIGTERM);
    });
    connect(&m_process, &QProcess::readyReadStandardOutput, this, [this] {
        const QString text = QString::fromLocal8Bit(m_process.readAllStandardOutput());
        if (m_said.size() < mostKept)
            m_said += text.left(mostKept);
        // The recorder's summary is told by ended(); it comes as one line.
        static const QRegularExpression summary(
            QStringLiteral("^warpglass-record: \\d+ launch(?:es)? of \\d+ kernels?, \\d+ recorded in detail: .*\\n?"),
            QRegularExpression::MultilineOption);
        if (const QString rest = QString(text).remove(summary); !rest.isEmpty())
            emit said(rest);
    });
    connect(&m_process, &QProcess::started, this, [this] { m_group = m_process.processId(); });
    connect(&m_process, &QProcess::finished, this, &ProgramRun::finished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        become(State::Idle);
        emit failed(Error{.message = say::ProgramsRunBy(std::string(recorder)),
                          .file = m_process.program().toStdString(),
                          .remedy = say::InstallWhole});
    });
}

ProgramRun::~ProgramRun() {
    m_process.disconnect(this);
    kill();
    m_process.waitForFinished(patienceMs);
}

void ProgramRun::become(State state) {
    if (state != m_state)
        m_clock.start();
    m_state = state;
    if (state == State::Idle)
        m_tick.stop();
    else
        m_tick.start();
    emit stateChanged();
}

void ProgramRun::start(const session::ProgramRequest& request, const std::string& backend, const QString& workFolder) {
    if (m_process.state() != QProcess::NotRunning) {
        kill();
        m_process.blockSignals(true);
        m_process.waitForFinished(patienceMs);
        m_process.blockSignals(false);
    }
    m_output = QString::fromStdString(request.output.string());
    m_said.clear();
    m_group = 0;
    m_process.setWorkingDirectory(workFolder);
    become(request.sources.empty() ? State::Running : State::Building);
    m_process.start(QDir(QCoreApplication::applicationDirPath()).filePath(QLatin1String(recorder)),
                    recorderWords(request, backend));
}

void ProgramRun::stop() {
    if (m_state == State::Building) {
        become(State::Stopping);
        kill(); // nothing is recorded yet
    } else if (m_state == State::Running) {
        become(State::Stopping);
        m_process.terminate(); // which the recorder hands on, and then writes what there is
        m_patience.start();
    } else if (m_state == State::Stopping) {
        kill();
    }
}

void ProgramRun::kill() {
    m_patience.stop();
    if (m_group > 0 && m_process.state() != QProcess::NotRunning)
        ::kill(pid_t(-m_group), SIGKILL);
}

void ProgramRun::finished() {
    m_patience.stop();
    const bool wasStopped = m_state == State::Stopping, exited = m_process.exitStatus() == QProcess::NormalExit;
    become(State::Idle);
    const QString file = QDir(m_output).filePath(QStringLiteral("program.wgt"));
    constexpr int givenUp = 2; // the recorder's own status, and perhaps the program's
    const auto holds = [&](const char* words) { return m_said.contains(QLatin1String(words)); };
    if (exited && !wasStopped && m_process.exitCode() == givenUp && !holds("recorded in detail") &&
        !holds("never used the device"))
        emit failed(recorderError(m_said));
    else
        emit ended(exited ? m_process.exitCode() : 128 + SIGKILL, exited && QFileInfo::exists(file) ? file : QString());
}

} // namespace warpglass
