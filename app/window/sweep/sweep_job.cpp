// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/sweep/sweep_job.h"

#include <algorithm>

namespace warpglass {

SweepJob::SweepJob(QObject* parent) : QObject(parent) {
    connect(&m_job, &Job::cancelled, this, &SweepJob::finished);
}

void SweepJob::start(session::SweepRequest request) {
    stop();
    m_rows.clear();
    m_of = session::requestsOf(request).size() + 2 * request.recorded.size();
    m_title = QString::fromStdString(request.title);
    m_job.start(
        [this, request = std::move(request)](Progress& progress, const Job::Tell& tell) {
            session::runSweep(request, progress, [&](const session::SweepRow& row, std::size_t of) {
                tell([this, row, of] {
                    m_of = of;
                    m_rows.push_back(row);
                    emit rowDone(int(m_rows.size()), int(m_of));
                });
            });
        },
        [this] { emit finished(); });
}

double SweepJob::fraction() const {
    if (m_of == 0)
        return 0;
    return std::min(1.0, (double(m_rows.size()) + std::clamp(m_job.fraction(), 0.0, 1.0)) / double(m_of));
}

} // namespace warpglass
