// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobs/policy_job.h"

#include <QThreadPool>
#include <QtConcurrent>

namespace warpglass {

namespace {

struct PolicyRuns {
    std::vector<TracePtr> traces;
    std::optional<Error> error;
};

PolicyRuns runAll(RunRequest request, Progress& progress) {
    PolicyRuns runs;
    for (SchedulingPolicy policy : {SchedulingPolicy::Lrr, SchedulingPolicy::Gto, SchedulingPolicy::Gty}) {
        request.options.policy = policy;
        Result<RunPtr> run = obtain(RunSource(request), progress);
        if (!run) {
            runs.error = run.error();
            return runs;
        }
        runs.traces.push_back((*run)->trace);
    }
    return runs;
}

} // namespace

PolicyJob::PolicyJob(QObject* parent) : QObject(parent) {
    m_poll.setInterval(100);
    connect(&m_poll, &QTimer::timeout, this, [this] {
        if (m_progress)
            emit progressed(m_progress->fraction());
    });
}

PolicyJob::~PolicyJob() {
    cancel();
    QThreadPool::globalInstance()->waitForDone();
}

void PolicyJob::start(const RunRequest& request) {
    cancel();
    const auto progress = std::make_shared<Progress>();
    m_progress = progress;
    const quint64 generation = ++m_generation;
    QTimer::singleShot(300, this, [this, generation] {
        if (generation == m_generation && m_progress)
            m_poll.start();
    });
    QtConcurrent::run([request, progress] {
        return runAll(request, *progress);
    }).then(this, [this, generation](const PolicyRuns& runs) {
        if (generation != m_generation)
            return; // cancelled, or a newer job has taken over
        m_progress.reset();
        m_poll.stop();
        if (runs.error)
            emit failed(*runs.error);
        else
            emit finished(runs.traces);
    });
}

void PolicyJob::cancel() {
    if (!m_progress)
        return;
    m_progress->cancel();
    m_progress.reset();
    ++m_generation;
    m_poll.stop();
}

} // namespace warpglass
