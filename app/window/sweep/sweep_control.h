// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/run.h"
#include "app/window/sweep/sweep_dialog.h"
#include "gpu/metrics/results.h"

#include <QPointer>
#include <QStringList>

namespace warpglass {

// Sweeps for the window: the dialog, the table of results that the charts show, and the way from a bar to its trace.
class SweepControl : public QObject {
    Q_OBJECT
public:
    explicit SweepControl(QWidget* window);

    void showDialog(const session::RunRequest& base, const QString& language, const QString& preset = {});
    void run(const session::SweepRequest& request) { m_job->start(request); }
    bool running() const { return m_job->running(); }
    SweepDialog* dialog() const { return m_dialog; }
    const ResultsPtr& results() const { return m_results; }
    // Whether the results are about this run: one of their launches, or another launch of a kernel of theirs.
    bool concerns(const Run& run) const;
    // Tables (.csv) and traces (.wgt) as one table; "" or why not.
    QString openFiles(const QStringList& paths);
    // What a bar opens: the launch's own trace if it was kept, else its request, to be run again. Nothing for a row
    // that cannot be run here (a table's, of a kernel that is not in the catalogue).
    std::optional<RunSource> sourceOf(int row) const;

signals:
    void resultsChanged(); // a row more, another table
    void finished();

private:
    void refresh();
    QWidget* m_window;
    SweepJob* m_job;
    QPointer<SweepDialog> m_dialog;
    ResultsPtr m_results;
    std::vector<session::RunRequest> m_requests; // of the rows; empty for a table from a file
};

// A .csv table, or a trace as one row; several in one table. Error: which file cannot be read and why.
Result<ResultsPtr> readResultFiles(const QStringList& paths);

} // namespace warpglass
