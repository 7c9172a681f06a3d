// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/report_parts.h"
#include "views/common/page.h"
#include "views/common/svg_device.h"

#include <QCoreApplication>

namespace warpglass {

namespace {

QString cssClass(Origin origin) {
    return QString::fromLatin1(name(origin));
}

QString style(const Theme& t) {
    const auto c = [](const QColor& colour) { return colour.name(); };
    QString css =
        QStringLiteral("body{margin:0 auto;max-width:1200px;padding:24px;background:%1;color:%2;"
                       "font:14px/1.45 'DejaVu Sans','Noto Sans CJK SC',system-ui,sans-serif}"
                       "h1{font-size:22px;margin:0 0 4px}h2{font-size:17px;margin:32px 0 6px}"
                       "p{margin:2px 0 10px;color:%3}table{border-collapse:collapse;width:100%;margin:6px 0}"
                       "th,td{text-align:left;padding:4px 10px 4px 0;border-bottom:1px solid %4;vertical-align:top}"
                       "th{font-weight:600}td.number,th.number{text-align:right;white-space:nowrap;"
                       "font-variant-numeric:tabular-nums}td.muted{color:%3}"
                       "figure{margin:8px 0 0;border:1px solid %4;overflow-x:auto}"
                       "figure svg{display:block;width:100%;height:auto}")
            .arg(c(t.window), c(t.text), c(t.textMuted), c(t.border));
    for (const Origin o : {Origin::Measured, Origin::Counted, Origin::Modelled})
        css += QStringLiteral(".%1{color:%2;background:%3;border-radius:9px;padding:1px 8px;font-size:12px;"
                              "font-weight:600}")
                   .arg(cssClass(o), c(t.origin(o)), c(t.originSoft(o)));
    return css + QStringLiteral("@media print{h2{break-after:avoid}figure{break-inside:avoid}}");
}

QString tableHtml(const ReportTable& table) {
    const auto number = [&](qsizetype column) { return table.rightAligned.contains(int(column)); };
    QString html = QStringLiteral("<table>");
    if (!table.header.isEmpty()) {
        html += QStringLiteral("<thead><tr>");
        for (qsizetype i = 0; i < table.header.size(); ++i)
            html += QStringLiteral("<th%1>%2</th>")
                        .arg(number(i) ? QStringLiteral(" class=\"number\"") : QString(), xmlText(table.header[i]));
        html += QStringLiteral("</tr></thead>");
    }
    html += QStringLiteral("<tbody>");
    for (const auto& row : table.rows) {
        html += QStringLiteral("<tr>");
        for (qsizetype i = 0; i < row.size(); ++i) {
            const ReportCell& cell = row[i];
            const QString classes = number(i)    ? QStringLiteral(" class=\"number\"")
                                    : cell.muted ? QStringLiteral(" class=\"muted\"")
                                                 : QString();
            const QString text = xmlText(cell.text);
            html +=
                QStringLiteral("<td%1>%2</td>")
                    .arg(classes, cell.origin && !text.isEmpty()
                                      ? QStringLiteral("<span class=\"%1\">%2</span>").arg(cssClass(*cell.origin), text)
                                      : text);
        }
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</tbody></table>\n");
}

// The <svg> element alone, without the XML declaration and the document type that stand before it in a file.
QByteArray inlineSvg(const QByteArray& document) {
    const qsizetype at = document.indexOf("<svg");
    return at < 0 ? QByteArray() : document.mid(at);
}

} // namespace

bool writeReportHtml(const ReportDocument& document, const std::vector<ReportPicture>& pictures, const Theme& theme,
                     QIODevice& out, Progress& progress) {
    const QString language = ReportText::tr("en", "language tag of the report");
    QString html = QStringLiteral("<!DOCTYPE html>\n<html lang=\"%1\"><head><meta charset=\"utf-8\"/>"
                                  "<title>%2</title><style>%3</style></head><body>\n<h1>%2</h1>\n")
                       .arg(language, xmlText(document.title), style(theme));
    bool good = out.write(html.toUtf8()) >= 0;
    const auto section = [&](const ReportSection& s) {
        html = QStringLiteral("<section><h2>%1</h2>\n").arg(xmlText(s.heading));
        if (!s.note.isEmpty())
            html += QStringLiteral("<p>%1</p>\n").arg(xmlText(s.note));
        html += tableHtml(s.table) + QStringLiteral("</section>\n");
        good = good && out.write(html.toUtf8()) >= 0;
    };
    // What the figures rest on comes first, the machine last, the pictures between them.
    for (qsizetype i = 0; i + 1 < document.sections.size(); ++i)
        section(document.sections[i]);
    for (std::size_t i = 0; i < pictures.size() && good; ++i) {
        if (progress.cancelled())
            return false;
        const ReportPicture& p = pictures[i];
        html = QStringLiteral("<section><h2>%1</h2>\n<p>%2</p>\n<figure>")
                   .arg(xmlText(p.view->title()), xmlText(p.view->question()));
        good = out.write(html.toUtf8()) >= 0 &&
               out.write(inlineSvg(svgOf(composePage(*p.view, p.context, reportPictureSize)))) >= 0 &&
               out.write("</figure></section>\n") >= 0;
        progress.report(double(i + 1) / double(pictures.size() + 1));
    }
    if (!document.sections.isEmpty())
        section(document.sections.last());
    return good && out.write("</body></html>\n") >= 0;
}

} // namespace warpglass
