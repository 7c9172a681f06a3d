// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/sweep.h"
#include "views/common/job.h"

#include <QObject>

#include <vector>

namespace warpglass {

// A sweep away from the GUI thread: rows come as they are done, and it can be stopped.
class SweepJob : public QObject {
    Q_OBJECT
public:
    explicit SweepJob(QObject* parent = nullptr);

    void start(session::SweepRequest request);
    void stop() { m_job.cancel(); } // the rows so far stay
    bool running() const { return m_job.running(); }
    double fraction() const; // of the whole sweep
    const std::vector<session::SweepRow>& rows() const { return m_rows; }
    QString title() const { return m_title; }

signals:
    void rowDone(int rows, int of);
    void finished(); // or stopped

private:
    std::size_t m_of = 0;
    std::vector<session::SweepRow> m_rows;
    QString m_title;
    Job m_job;
};

} // namespace warpglass
