// SPDX-License-Identifier: GPL-3.0-or-later
// The report on paper: A4 across, the tables first, then a page a view. Painted like a view, so that text stays text.
#include "app/window/export/report_parts.h"

#include "app/window/export/pdf_pages.h"
#include "views/common/page.h"

namespace warpglass {

bool writeReportPdf(const ReportDocument& document, const std::vector<ReportPicture>& pictures, const Theme& theme,
                    QIODevice& out, Progress& progress) {
    PdfPages pages(out, QPageLayout::Landscape, document.title, theme);
    if (!pages.good())
        return false;
    QFont large = theme.title();
    large.setPixelSize(qRound(large.pixelSize() * 1.4));
    pages.text(document.title, large, theme.text, 2);
    for (const ReportSection& s : document.sections) {
        pages.heading(s.heading);
        if (!s.note.isEmpty())
            pages.text(s.note, theme.small(), theme.textMuted, 4);
        pages.table(s.table);
    }
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (progress.cancelled())
            return false;
        const ReportPicture& p = pictures[i];
        pages.next();
        pages.text(p.view->title(), theme.title(), theme.text, 0);
        pages.text(p.view->question(), theme.small(), theme.textMuted, 8);
        pages.picture(*p.view, p.context, pages.rest().size().toSize());
        progress.report(double(i + 1) / double(pictures.size() + 1));
    }
    return pages.end();
}

} // namespace warpglass
