// SPDX-License-Identifier: GPL-3.0-or-later
// The program that is open beside the workbench: its recording, where the traces of its launches lie, and recording more
// of them. No widget. The program stays open while its launches are looked at, one after the other.
//
// Whatever is asked for is done away from the GUI thread; a newer wish takes the place of the older:
//
//   opened()               another program is open
//   launchReady(file)      the trace of a launch, for the workbench to open
//   grown(added, others)   the same program with more launches recorded; others: launches that came out different
//   failed(error)          what was open still is
//   settled()              nothing more comes of this wish
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/tables.h"
#include "views/common/job.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QTemporaryDir>

#include <memory>

namespace warpglass {

struct ProgramModel; // views/program/program_model.h
using ProgramModelPtr = std::shared_ptr<const ProgramModel>;

class ProgramDesk : public QObject {
    Q_OBJECT
public:
    explicit ProgramDesk(QObject* parent = nullptr);

    void open(const QString& path);                // a program's recording, or another profiler's report
    const QString& path() const { return m_path; } // that was opened: of a report, file() is the recording made of it
    void openLaunch(std::uint32_t operation);      // one that was recorded
    // Runs the program again with these launches; numbers as --launches counts them.
    void record(const std::vector<std::uint64_t>& launches);
    bool stop(); // what runs: stopped() says so; false if nothing does
    bool busy() const { return m_job.running(); }

    const ProgramModelPtr& program() const { return m_program; } // null: none is open
    const QString& file() const { return m_file; }
    QString name() const; // of the program, for people
    // Why more launches cannot be recorded; empty if they can.
    QString whyNoMore() const;
    // The launch whose trace this file is; noIndex if it is none of the program's.
    std::uint32_t operationOf(const QString& traceFile) const { return m_traces.value(traceFile, noIndex); }

signals:
    void opened();
    void launchReady(const QString& traceFile);
    void grown(quint64 added, const std::vector<std::uint64_t>& others);
    void failed(const warpglass::Error& error);
    void settled();
    void stopped();
    void progressed(double fraction); // from 300 ms on

private:
    ProgramModelPtr m_program;
    QString m_file, m_path;
    QHash<QString, std::uint32_t> m_traces;        // [file] operation
    std::shared_ptr<const QTemporaryDir> m_folder; // of traces that are taken out of the program's file
    Job m_job;
};

// The recording and what is worked out of it.
Result<ProgramModelPtr> readProgramModel(const QString& path);

// A folder that a program was recorded into is its recording, too.
QString programFileOf(const QString& path);

} // namespace warpglass
