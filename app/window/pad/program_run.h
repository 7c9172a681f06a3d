// SPDX-License-Identifier: GPL-3.0-or-later
// A whole program, run from the window and recorded by `warpglass-record program`, a process of its own that lies beside
// this one; it builds the sources, too. What the program prints is handed on as it comes. One at a time: a newer start
// ends the older.
#pragma once

#include "app/session/program.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>

namespace warpglass {

class ProgramRun : public QObject {
    Q_OBJECT
public:
    enum class State { Idle, Building, Running, Stopping };

    explicit ProgramRun(QObject* parent = nullptr);
    ~ProgramRun() override; // ends the program

    // request.output: where the recording goes, a folder. The program runs in workFolder.
    void start(const session::ProgramRequest& request, const std::string& backend, const QString& workFolder);
    void stop(); // politely, so that what was recorded becomes a file; a second time, or after a while, by force

    State state() const { return m_state; }
    double seconds() const { return m_state == State::Idle ? 0 : double(m_clock.elapsed()) * 1e-3; } // of this state

signals:
    void stateChanged(); // and once a second while it is none but Idle
    void said(const QString& text);
    void failed(const warpglass::Error& error);  // it was not built, or could not be run
    void ended(int status, const QString& file); // of the program; 128 + n: by signal n. file: the recording, or none

private:
    void become(State state);
    void finished();
    void kill();

    QString m_output, m_said; // m_said: the beginning of it
    qint64 m_group = 0;       // of processes
    QProcess m_process;
    QTimer m_tick, m_patience;
    QElapsedTimer m_clock;
    State m_state = State::Idle;
};

// The words behind `warpglass-record` that run this request.
QStringList recorderWords(const session::ProgramRequest& request, const std::string& backend);
// What the recorder says when it gives up, as the error that it was: place, message, and the others that a compiler found.
Error recorderError(const QString& said);

} // namespace warpglass
