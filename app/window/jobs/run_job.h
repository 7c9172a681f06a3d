// SPDX-License-Identifier: GPL-3.0-or-later
// Running kernels and opening files away from the GUI thread. One job at a time: a newer one cancels the older, whose
// answer is then thrown away, so that a slider can ask for a run with every step.
#pragma once

#include "app/window/model/playback.h"
#include "app/window/model/run_request.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <variant>

namespace warpglass {

// A trace and where it came from.
struct Run {
    std::optional<RunRequest> request; // nothing: opened from a file
    QString file;
    QString name; // of the kernel
    TracePtr trace;
    CheckResult check;
    std::optional<Error> fault; // the kernel itself failed
    std::uint64_t warpInstructions = 0;
    double wallSeconds = 0;
};
using RunPtr = std::shared_ptr<const Run>;

// What to get a Run from: one that is there, a request to run, or a file to open.
using RunSource = std::variant<RunPtr, RunRequest, QString>;

struct JobResult {
    RunPtr current, other; // other: compare mode, may be null
    std::shared_ptr<const Moments> moments;
    QString alignment = QStringLiteral("start"); // where other is aligned (alignment.h), and
    std::optional<Time> otherShift;              // what that adds to a time of current
    std::optional<Error> error;                  // nothing else is set then
};

// The work itself, in the calling thread.
Result<RunPtr> obtain(const RunSource& source, Progress& progress);
// Both, aligned at a place that both have; at the start if they do not.
JobResult obtain(const RunSource& current, const std::optional<RunSource>& other, Progress& progress,
                 const QString& alignment = QStringLiteral("start"));

class RunJob : public QObject {
    Q_OBJECT
public:
    explicit RunJob(QObject* parent = nullptr);
    ~RunJob() override; // cancels and waits

    void start(RunSource current, std::optional<RunSource> other, QString alignment = QStringLiteral("start"));
    void cancel();
    bool running() const { return m_progress != nullptr; }

signals:
    void finished(const warpglass::JobResult& result);
    void cancelled();
    void progressed(double fraction); // from 300 ms on, a few times a second

private:
    std::shared_ptr<Progress> m_progress;
    quint64 m_generation = 0;
    QTimer m_poll;
};

} // namespace warpglass

Q_DECLARE_METATYPE(warpglass::JobResult)
