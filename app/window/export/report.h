// SPDX-License-Identifier: GPL-3.0-or-later
// The whole set in one go: a document with the chosen views, what the figures rest on, the metrics, and in compare
// mode the differences. HTML is one file with its pictures inside, as drawings whose text is text; PDF is A4 across.
#pragma once

#include "gpu/base/progress.h"
#include "views/common/view.h"

#include <QStringList>
#include <QVector>

namespace warpglass {

struct ReportView {
    QString key;                     // as makeView takes it
    QMap<QString, QVariant> options; // its switches
};

struct ReportRequest {
    PaintContext context;      // traces, selection, alignment and theme; its options are not used
    QVector<ReportView> views; // in this order; none: every view that has something to show
    QString file;              // where the trace came from; may be empty
};

// What a reader must know of one trace to trust or repeat it: label and value, translated.
QVector<QPair<QString, QString>> reportFacts(const Trace& trace);
// Of the machine the report is written on: system, processor, versions.
QVector<QPair<QString, QString>> machineFacts();

// Format by suffix: .html or .pdf. Returns an empty string, or why not (also when cancelled; no file is left then).
QString writeReport(const ReportRequest& request, const QString& path, Progress& progress);

} // namespace warpglass
