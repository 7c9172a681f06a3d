// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobs/sweep_job.h"

#include <QCoreApplication>
#include <QtConcurrent>

#include <algorithm>

namespace warpglass {

SweepJob::SweepJob(QObject* parent) : QObject(parent) {}

SweepJob::~SweepJob() {
    stop();
    m_future.waitForFinished(); // the worker posts to this object
}

void SweepJob::start(session::SweepRequest request) {
    stop();
    m_future.waitForFinished(); // the older one stops within its launch
    m_rows.clear();
    m_of = session::requestsOf(request).size() + 2 * request.recorded.size();
    m_title = QString::fromStdString(request.title);
    const auto progress = std::make_shared<Progress>();
    m_progress = progress;
    const quint64 generation = ++m_generation;
    m_future = QtConcurrent::run([this, request = std::move(request), progress, generation] {
        session::runSweep(request, *progress, [&](const session::SweepRow& row, std::size_t of) {
            if (!progress->cancelled()) // a stopped job's object may be on its way out
                QMetaObject::invokeMethod(
                    this, [this, generation, row, of] { take(generation, row, of); }, Qt::QueuedConnection);
        });
        if (!progress->cancelled())
            QMetaObject::invokeMethod(
                this,
                [this, generation] {
                    if (generation != m_generation)
                        return;
                    m_progress.reset();
                    emit finished();
                },
                Qt::QueuedConnection);
    });
}

void SweepJob::take(quint64 generation, session::SweepRow row, std::size_t of) {
    if (generation != m_generation)
        return;
    m_of = of;
    m_rows.push_back(std::move(row));
    emit rowDone(int(m_rows.size()), int(m_of));
}

void SweepJob::stop() {
    if (!m_progress)
        return;
    m_progress->cancel();
    m_progress.reset();
    ++m_generation;
    emit finished();
}

double SweepJob::fraction() const {
    if (m_of == 0)
        return 0;
    const double current = m_progress ? std::clamp(m_progress->fraction(), 0.0, 1.0) : 0;
    return std::min(1.0, (double(m_rows.size()) + current) / double(m_of));
}

} // namespace warpglass
