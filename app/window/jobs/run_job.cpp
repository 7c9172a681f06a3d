// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobs/run_job.h"

#include "app/window/model/alignment.h"
#include "gpu/trace/file.h"

#include <QTemporaryFile>
#include <QThreadPool>
#include <QtConcurrent>

namespace warpglass {

namespace {
constexpr int densityParts = 2048; // of the transport's strip
}

Result<RunPtr> obtain(const RunSource& source, Progress& progress) {
    if (const auto* ready = std::get_if<RunPtr>(&source))
        return *ready;
    auto run = std::make_shared<Run>();
    if (const auto* path = std::get_if<QString>(&source)) {
        // A recording inside the program is copied out first: the database needs a file.
        std::unique_ptr<QTemporaryFile> copy;
        if (path->startsWith(QLatin1Char(':')))
            copy.reset(QTemporaryFile::createNativeFile(*path));
        const QString place = copy ? copy->fileName() : *path;
        Result<TracePtr> trace = readTrace(place.toStdString(), progress);
        if (!trace)
            return trace.error();
        run->file = *path;
        run->trace = std::move(*trace);
    } else {
        const RunRequest& request = std::get<RunRequest>(source);
        Result<Recording> recording = session::runRequest(request, progress);
        if (!recording)
            return recording.error();
        run->request = request;
        run->trace = std::move(recording->trace);
        run->check = std::move(recording->check);
        run->fault = std::move(recording->fault);
        run->warpInstructions = recording->warpInstructions;
        run->wallSeconds = recording->wallSeconds;
    }
    if (run->trace->launches.empty() || run->trace->kernels.empty()) {
        Error error;
        error.message = "the trace holds no launch, so there is nothing to show";
        error.file = run->file.toStdString();
        return error;
    }
    run->name = QString::fromStdString(run->trace->kernelOf(run->trace->launches.front()).name);
    return RunPtr(run);
}

JobResult obtain(const RunSource& current, const std::optional<RunSource>& other, Progress& progress,
                 const QString& alignment) {
    JobResult result;
    Result<RunPtr> first = obtain(current, progress);
    if (!first) {
        result.error = first.error();
        return result;
    }
    if (other && !progress.cancelled()) {
        Result<RunPtr> second = obtain(*other, progress);
        if (!second) {
            result.error = second.error();
            return result;
        }
        result.other = *second;
    }
    result.current = *first;
    if (result.other) {
        result.otherShift = shiftAt(*result.current->trace, *result.other->trace, alignment);
        if (result.otherShift)
            result.alignment = alignment;
    }
    result.moments = std::make_shared<const Moments>(momentsOf(*result.current->trace,
                                                               result.other ? result.other->trace.get() : nullptr,
                                                               progress, densityParts, result.otherShift));
    return result;
}

RunJob::RunJob(QObject* parent) : QObject(parent) {
    qRegisterMetaType<JobResult>();
    m_poll.setInterval(100);
    connect(&m_poll, &QTimer::timeout, this, [this] {
        if (m_progress)
            emit progressed(m_progress->fraction());
    });
}

RunJob::~RunJob() {
    cancel();
    QThreadPool::globalInstance()
        ->waitForDone(); // the worker holds no pointer to this object, but to nothing that outlives main
}

void RunJob::start(RunSource current, std::optional<RunSource> other, QString alignment) {
    if (m_progress)
        m_progress->cancel();
    const auto progress = std::make_shared<Progress>();
    m_progress = progress;
    const quint64 generation = ++m_generation;
    QTimer::singleShot(300, this, [this, generation] {
        if (generation == m_generation && m_progress) {
            emit progressed(m_progress->fraction());
            m_poll.start();
        }
    });
    QtConcurrent::run([current = std::move(current), other = std::move(other), alignment = std::move(alignment),
                       progress] {
        return obtain(current, other, *progress, alignment);
    }).then(this, [this, generation, progress](JobResult result) {
        if (generation != m_generation)
            return; // a newer job has taken over, or this one was cancelled
        m_progress.reset();
        m_poll.stop();
        emit finished(result);
    });
}

void RunJob::cancel() {
    if (!m_progress)
        return;
    m_progress->cancel();
    m_progress.reset();
    ++m_generation;
    m_poll.stop();
    emit cancelled();
}

} // namespace warpglass
