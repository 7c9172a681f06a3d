// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/sweep/sweep_control.h"
#include "gpu/base/messages/session.h"

#include "app/window/panels/scroll_page.h"
#include "gpu/base/read_file.h"
#include "gpu/device/device.h"
#include "gpu/trace/file.h"
#include "views/common/shown_words.h"

#include <QFileInfo>

#include <algorithm>

namespace warpglass {

Result<ResultsPtr> readResultFiles(const QStringList& paths) {
    auto table = std::make_shared<ResultTable>();
    for (const QString& path : paths) {
        if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
            const auto text = readFile(path.toStdString());
            if (!text)
                return text.error();
            auto rows = readResults(*text, path.toStdString());
            if (!rows)
                return rows.error();
            table->title = paths.size() == 1 ? rows->title : std::string();
            for (ResultRow& row : rows->rows)
                table->rows.push_back(std::move(row));
        } else {
            Progress progress;
            auto trace = readTrace(path.toStdString(), progress);
            if (!trace)
                return trace.error();
            table->rows.push_back(rowOf(*trace));
        }
    }
    if (table->rows.empty())
        return Error{say::NothingToChart};
    addSpeedups(*table);
    return ResultsPtr(table);
}

SweepControl::SweepControl(QWidget* window) : QObject(window), m_window(window), m_job(new SweepJob(this)) {
    connect(m_job, &SweepJob::rowDone, this, &SweepControl::refresh);
    connect(m_job, &SweepJob::finished, this, [this] {
        refresh();
        const auto ran = [](const session::SweepRow& row) { return !row.result.values.empty(); };
        if (const auto& rows = m_job->rows();
            m_dialog && m_job->fraction() >= 1 && !rows.empty() && std::all_of(rows.begin(), rows.end(), ran))
            m_dialog->close(); // it would stand over its result; what did not run it still says
        emit finished();
    });
}

void SweepControl::showDialog(const session::RunRequest& base, const QString& language, const QString& preset) {
    if (!m_dialog)
        m_dialog = new SweepDialog(m_job, m_window);
    m_dialog->setLanguage(language);
    if (!m_job->running() && !m_dialog->isVisible())
        m_dialog->setBase(base);
    if (!preset.isEmpty())
        m_dialog->choosePreset(preset);
    if (!m_dialog->isVisible())
        fitToWindow(*m_dialog);
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void SweepControl::refresh() {
    if (m_job->rows().empty())
        return;
    m_requests.clear();
    for (const session::SweepRow& row : m_job->rows())
        m_requests.push_back(row.request);
    m_results = std::make_shared<const ResultTable>(session::resultsOf(m_job->rows(), m_job->title().toStdString()));
    emit resultsChanged();
}

QString SweepControl::openFiles(const QStringList& paths) {
    auto table = readResultFiles(paths);
    if (!table)
        return QString::fromStdString(table.error().text());
    m_requests.clear();
    m_results = *table;
    emit resultsChanged();
    return {};
}

bool SweepControl::concerns(const Run& run) const {
    if (!m_results)
        return false;
    const std::string kernel =
        run.trace && !run.trace->launches.empty() ? run.trace->kernelOf(run.trace->launches.front()).name : "";
    return std::any_of(m_results->rows.begin(), m_results->rows.end(), [&](const ResultRow& row) {
        return (row.trace && row.trace == run.trace) || row.kernel == kernel || row.kernel == run.name.toStdString();
    });
}

std::optional<RunSource> SweepControl::sourceOf(int r) const {
    if (!m_results || r < 0 || r >= int(m_results->rows.size()))
        return std::nullopt;
    const ResultRow& row = m_results->rows[std::size_t(r)];
    session::RunRequest request;
    if (r < int(m_requests.size())) {
        request = m_requests[std::size_t(r)];
    } else if (findKernel(row.kernel)) {
        request.kernel = row.kernel;
        request.backend = row.backend;
        request.launch.mode = parseEnum<CompileMode>(row.mode).valueOr(CompileMode::Optimised);
        if (row.size > 0)
            request.launch.size = row.size;
        else if (row.grid != Dim3{0, 0, 0})
            request.launch.grid = row.grid;
        if (row.block != Dim3{0, 0, 0})
            request.launch.block = row.block;
        request.options.device = row.backend == "cuda" ? "" : "h200";
        for (const DeviceSpec& device : devices())
            if (device.name == row.device && row.backend == "emulator")
                request.options.device = device.key;
        if (const auto policy = parseEnum<SchedulingPolicy>(row.policy)) {
            request.options.policy = *policy;
            request.options.timing = true;
        }
    }
    if (row.trace && !row.trace->launches.empty()) {
        auto run = std::make_shared<Run>();
        if (findKernel(request.kernel) && row.backend == "emulator")
            run->request = request;
        run->trace = row.trace;
        run->name = shown(QString::fromStdString(row.kernel));
        return RunSource(RunPtr(run));
    }
    if (!findKernel(request.kernel))
        return std::nullopt;
    request.options.detail = Detail{.kind = Detail::Kind::Auto};
    return RunSource(request);
}

} // namespace warpglass
