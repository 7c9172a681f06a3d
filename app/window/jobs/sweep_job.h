// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/sweep.h"

#include <QFuture>
#include <QObject>

#include <memory>
#include <vector>

namespace warpglass {

// A sweep away from the GUI thread: rows come as they are done, and it can be stopped.
class SweepJob : public QObject {
    Q_OBJECT
public:
    explicit SweepJob(QObject* parent = nullptr);
    ~SweepJob() override; // stops and waits

    void start(session::SweepRequest request);
    void stop(); // the rows so far stay
    bool running() const { return m_progress != nullptr; }
    double fraction() const; // of the whole sweep
    const std::vector<session::SweepRow>& rows() const { return m_rows; }
    QString title() const { return m_title; }

signals:
    void rowDone(int rows, int of);
    void finished();

private:
    void take(quint64 generation, session::SweepRow row, std::size_t of);
    std::shared_ptr<Progress> m_progress;
    QFuture<void> m_future; // the newest job's; an older one has been told to stop
    quint64 m_generation = 0;
    std::size_t m_of = 0;
    std::vector<session::SweepRow> m_rows;
    QString m_title;
};

} // namespace warpglass
