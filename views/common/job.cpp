// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/job.h"

#include <QThreadPool>
#include <QtConcurrent>

#include <new>

namespace warpglass {

namespace {
constexpr int patienceMs = 300, pollMs = 100; // what is done at once needs no bar

// Jobs have threads of their own. Those of the global pool, one a core, are for the pieces of work that a job or a
// picture waits for: if as many jobs as cores held them, all would wait for ever.
QThreadPool& threadsOfJobs() {
    static QThreadPool pool;
    constexpr int plenty = 64; // most of them wait
    pool.setMaxThreadCount(plenty);
    return pool;
}
} // namespace

Job::Job(QObject* parent) : QObject(parent) {
    connect(&m_poll, &QTimer::timeout, this, [this] {
        m_poll.setInterval(pollMs);
        emit progressed(fraction());
    });
}

Job::~Job() {
    if (m_progress)
        m_progress->cancel();
    ++m_generation;
    for (QFuture<void>& future : m_futures)
        future.waitForFinished();
}

void Job::launch(std::function<void(Progress&, const Tell&)> work, std::function<void()> done) {
    if (m_progress)
        m_progress->cancel();
    const auto progress = std::make_shared<Progress>();
    m_progress = progress;
    const quint64 generation = ++m_generation;
    m_poll.start(patienceMs);
    const Tell tell = [this, generation](std::function<void()> what) {
        const auto unlessLate = [this, generation, what = std::move(what)] {
            if (generation == m_generation)
                what();
        };
        QMetaObject::invokeMethod(this, unlessLate, Qt::QueuedConnection);
    };
    std::erase_if(m_futures, [](const QFuture<void>& future) { return future.isFinished(); });
    m_futures.push_back(
        QtConcurrent::run(&threadsOfJobs(), [this, work = std::move(work), done = std::move(done), progress, tell] {
            try {
                work(*progress, tell);
            } catch (const std::bad_alloc&) {
                tell([this] { cancel(); });
                return;
            }
            tell([this, done] {
                m_progress.reset();
                m_poll.stop();
                done();
            });
        }));
}

void Job::stop() {
    if (m_progress)
        m_progress->cancel();
}

void Job::cancel() {
    if (!m_progress)
        return;
    m_progress->cancel();
    m_progress.reset();
    ++m_generation;
    m_poll.stop();
    emit cancelled();
}

} // namespace warpglass
