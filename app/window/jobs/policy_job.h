// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one launch under each scheduling policy, away from the GUI thread. A newer job, or cancel(), throws the older
// one's answer away.
#pragma once

#include "app/window/jobs/run_job.h"

#include <vector>

namespace warpglass {

class PolicyJob : public QObject {
    Q_OBJECT
public:
    explicit PolicyJob(QObject* parent = nullptr);
    ~PolicyJob() override;

    // The request as it is but for its policy: lrr, gto, gty. Emulated, with the timing model.
    void start(const RunRequest& request);
    void cancel();
    bool running() const { return m_progress != nullptr; }

signals:
    void finished(const std::vector<warpglass::TracePtr>& traces); // lrr, gto, gty
    void failed(const warpglass::Error& error);
    void progressed(double fraction); // from 300 ms on

private:
    std::shared_ptr<Progress> m_progress;
    quint64 m_generation = 0;
    QTimer m_poll;
};

} // namespace warpglass
