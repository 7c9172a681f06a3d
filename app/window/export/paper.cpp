// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/paper.h"

#include "views/common/page.h"

#include <QCoreApplication>
#include <QPageLayout>

namespace warpglass {

namespace {

struct PaperText {
    Q_DECLARE_TR_FUNCTIONS(Export)
};

constexpr int pageWidth = 1200; // px that the page's width stands for: type of about 9 pt on A4

} // namespace

QString printView(const View& view, const PaintContext& context, QPrinter& printer) {
    const QRectF paper = printer.pageLayout().paintRectPixels(printer.resolution());
    if (paper.isEmpty())
        return PaperText::tr("This printer has no paper to print on.");
    const double scale = paper.width() / pageWidth;
    PaintContext onPaper = context;
    onPaper.theme = Theme::make(ThemeKind::Print);
    const Page page = composePage(view, onPaper, QSize(pageWidth, int(paper.height() / scale)));
    QPainter painter;
    if (!painter.begin(&printer))
        return PaperText::tr("The printer did not take the page.");
    painter.scale(scale, scale);
    paintPage(page, painter);
    return {};
}

QString tabSeparated(const QString& csv) {
    QString table;
    table.reserve(csv.size());
    bool quoted = false;
    for (qsizetype i = 0; i < csv.size(); ++i) {
        const QChar c = csv[i];
        if (c == QLatin1Char('"')) {
            if (quoted && i + 1 < csv.size() && csv[i + 1] == QLatin1Char('"'))
                table += csv[i++];
            else
                quoted = !quoted;
        } else if (c == QLatin1Char(',') && !quoted) {
            table += QLatin1Char('\t');
        } else if (quoted && (c == QLatin1Char('\n') || c == QLatin1Char('\t'))) {
            table += QLatin1Char(' ');
        } else {
            table += c;
        }
    }
    return table;
}

std::unique_ptr<QMimeData> tableForClipboard(const QString& csv) {
    auto data = std::make_unique<QMimeData>();
    data->setText(tabSeparated(csv));
    data->setData(QStringLiteral("text/csv"), csv.toUtf8());
    return data;
}

} // namespace warpglass
