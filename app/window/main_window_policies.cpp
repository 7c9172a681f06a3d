// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in time: the open launch with the timing model, and under each scheduling policy side by side.
#include "app/window/jobs/policy_job.h"
#include "app/window/main_window.h"
#include "gpu/device/device.h"

namespace warpglass {

// What is open, to be emulated in time: the request it came from, or, of a recording, the kernel of the catalogue that
// it shows, launched as there. Nothing if it is neither.
std::optional<RunRequest> MainWindow::timedRequest() const {
    RunRequest request = m_launch->request();
    if (m_current && !m_current->request) {
        const Trace& trace = *m_current->trace;
        const Launch& launch = trace.launches.front();
        request = {};
        request.kernel = trace.kernelOf(launch).name;
        if (!findKernel(request.kernel))
            return std::nullopt;
        request.launch.block = launch.block;
        if (trace.info.size > 0)
            request.launch.size = trace.info.size;
        else
            request.launch.grid = launch.grid;
        request.launch.mode = trace.info.mode;
    } else if (request.kernel.empty()) {
        if (!m_current)
            return std::nullopt;
        request = *m_current->request;
    }
    request.options.timing = true;
    if (request.backend != "emulator" || !findDevice(request.options.device)) {
        // From a GPU to its model, if there is one.
        const std::string name = m_current ? m_current->trace->info.deviceName : std::string();
        request.backend = "emulator";
        request.options.device = "h200";
        for (const DeviceSpec& device : devices())
            if (device.name == name)
                request.options.device = device.key;
    }
    return request;
}

void MainWindow::runTimed() {
    if (const auto request = timedRequest()) {
        leaveLesson();
        run(*request);
    } else if (!m_current) {
        runWith([](RunRequest& r) { r.options.timing = true; });
    } else {
        m_views->message->showNote(
            tr("This recording's kernel is not in the gallery: record it again from its file, with the timing model."));
    }
}

void MainWindow::comparePolicies() {
    const auto request = timedRequest();
    if (!request) {
        m_views->message->showNote(tr("Run a kernel of the gallery first."));
        return;
    }
    auto* job = findChild<PolicyJob*>();
    if (!job) {
        job = new PolicyJob(this);
        connect(job, &PolicyJob::progressed, m_views->message, &MessageBar::showProgress);
        connect(job, &PolicyJob::failed, this, [this](const Error& error) {
            m_views->message->clearProgress();
            m_views->message->showError(error);
        });
        connect(job, &PolicyJob::finished, this, [this](const std::vector<TracePtr>& traces) {
            m_views->message->clearProgress();
            if (ViewWidget* view = m_views->widget(QStringLiteral("scheduler"))) {
                view->setCompanions(traces);
                view->setOption(QStringLiteral("show"), QStringLiteral("policies"));
                m_views->showView(QStringLiteral("scheduler"));
            }
        });
        connect(this, &MainWindow::shown, job, &PolicyJob::cancel); // another launch is open now
        connect(m_actions[QStringLiteral("stop")], &QAction::triggered, job, &PolicyJob::cancel);
        connect(m_views->message, &MessageBar::stopRequested, this, [this, job] {
            job->cancel();
            m_views->message->clearProgress();
        });
    }
    job->start(*request);
}

} // namespace warpglass
