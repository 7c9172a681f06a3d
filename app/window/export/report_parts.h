// SPDX-License-Identifier: GPL-3.0-or-later
// A report before it has a format: a title, sections with a table each, pictures. report.cpp fills it, report_html.cpp
// and report_pdf.cpp write it.
#pragma once

#include "app/window/export/report.h"

#include <QCoreApplication>
#include <QIODevice>

#include <vector>

namespace warpglass {

struct ReportText {
    Q_DECLARE_TR_FUNCTIONS(Report)
};

struct ReportCell {
    QString text;
    std::optional<Origin> origin; // painted in the origin's colours
    bool muted = false;
};

struct ReportTable {
    QStringList header;    // may be empty
    QVector<qreal> shares; // widths of the columns, of their sum
    QVector<int> rightAligned;
    QVector<QVector<ReportCell>> rows;
};

struct ReportSection {
    QString heading;
    QString note; // below the heading; may be empty
    ReportTable table;
};

struct ReportDocument {
    QString title;
    QVector<ReportSection> sections;
};

struct ReportPicture {
    std::unique_ptr<View> view;
    PaintContext context;
};

inline constexpr QSize reportPictureSize{1160, 700}; // of a view, in pixels of the screen

ReportDocument reportDocument(const ReportRequest& request);
// The numbers of a run, or of two beside each other.
ReportTable numbersTable(const Trace& trace, const Trace* other);
// Both report their progress and stop when it is cancelled; false: the device took no more.
bool writeReportHtml(const ReportDocument& document, const std::vector<ReportPicture>& pictures, const Theme& theme,
                     QIODevice& out, Progress& progress);
bool writeReportPdf(const ReportDocument& document, const std::vector<ReportPicture>& pictures, const Theme& theme,
                    QIODevice& out, Progress& progress);

} // namespace warpglass
