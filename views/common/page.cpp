// SPDX-License-Identifier: GPL-3.0-or-later
// One painting for every format.
#include "views/common/page.h"

#include "views/common/margins.h"
#include "views/common/marks.h"
#include "views/common/svg_device.h"
#include "views/common/whole_file.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QMarginsF>
#include <QPageSize>
#include <QPdfWriter>

namespace warpglass {

namespace {

struct PageText {
    Q_DECLARE_TR_FUNCTIONS(Export)
};

} // namespace

namespace {

qreal footerHeight(qreal words, const Theme& theme) {
    return words + 10 * theme.fontScale;
}

qreal roomOfNote(const QString& note, const Theme& theme) {
    return note.isEmpty() ? 0 : textWidth(theme.small(), note) + sideMargin(theme);
}

// Of the caption in as many lines as it needs beside the note.
qreal captionHeight(const Page& page, const QString& note) {
    const Theme& theme = page.picture->context.theme;
    const qreal width = page.size.width() - 2 * sideMargin(theme) - roomOfNote(note, theme);
    return paintParagraph(nullptr, {0, 0, width, 0}, page.caption, theme.small(), theme.textMuted);
}

} // namespace

Page composePage(const View& view, const PaintContext& context, QSize size, const PicturePtr& previous,
                 const QString& note) {
    const Theme& theme = context.theme;
    Page page{view.key(), view.title(), size, {}, {}, previous};
    PaintContext onPaper = context;
    onPaper.clickable = false;
    onPaper.paper = true;
    const QRectF whole(QPointF(0, 0), QSizeF(size));
    Progress nobody;
    const auto compose = [&](qreal footer) {
        page.picture = view.compose(onPaper, whole.adjusted(0, 0, 0, -footer), nobody, page.picture);
        page.caption = page.picture->caption();
        page.footer = footer > 0 ? QRectF(whole.left(), whole.bottom() - footer, whole.width(), footer) : QRectF();
    };
    const qreal line = footerHeight(lineHeight(theme.small()), theme);
    compose(line);
    if (page.caption.isEmpty())
        compose(0);
    else if (const qreal needed = footerHeight(captionHeight(page, note), theme); needed > line + 1) // a narrow picture
        compose(std::min(needed, whole.height() / 4));
    return page;
}

void paintPage(const Page& page, QPainter& painter, const QString& note) {
    const Theme& theme = page.picture->context.theme;
    painter.fillRect(QRectF(QPointF(0, 0), QSizeF(page.size)), theme.window);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPicture(*page.picture, painter);
    if (page.footer.isNull())
        return;
    const qreal margin = sideMargin(theme);
    QRectF row = page.footer.adjusted(margin, 0, -margin, 0);
    painter.fillRect(QRectF(row.left(), row.top(), row.width(), 1), theme.border);
    if (!note.isEmpty()) {
        paintText(painter, row, note, theme.small(), theme.text, Qt::AlignRight | Qt::AlignVCenter);
        row.setRight(row.right() - roomOfNote(note, theme));
    }
    if (textWidth(theme.small(), page.caption) <= row.width())
        paintText(painter, row, page.caption, theme.small(), theme.textMuted);
    else
        paintParagraph(&painter, row.adjusted(0, 5 * theme.fontScale, 0, 0), page.caption, theme.small(),
                       theme.textMuted);
}

namespace {

constexpr double mostPixels = 128e6; // of a picture: half a gigabyte

} // namespace

QByteArray svgOf(const Page& page) {
    SvgDevice device(page.size, page.title, page.caption, page.key);
    {
        QPainter painter(&device);
        paintPage(page, painter);
    }
    return device.document();
}

QString exportView(const View& view, const PaintContext& context, const QString& path, QSize size, qreal scale) {
    if (size.isEmpty() || scale <= 0)
        return PageText::tr("A picture needs a width and a height above zero.");
    return exportPage(composePage(view, context, size), path, scale);
}

QString exportPage(const Page& page, const QString& path, qreal scale) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("csv")) {
        const QString text = page.picture->csv();
        if (text.isEmpty())
            return PageText::tr("This view has no table to export.");
        QString problem;
        writeWhole(path, text.toUtf8(), &problem);
        return problem;
    }
    if (suffix == QLatin1String("png")) {
        const QSize pixels(qRound(page.size.width() * scale), qRound(page.size.height() * scale));
        // Painting needs as much again, and an encoder too.
        const bool fits = double(pixels.width()) * pixels.height() <= mostPixels;
        QImage image(fits ? pixels : QSize(), QImage::Format_ARGB32_Premultiplied);
        if (image.isNull())
            return PageText::tr("A picture of %1 x %2 is too large.").arg(pixels.width()).arg(pixels.height());
        image.setDevicePixelRatio(scale);
        image.fill(page.picture->context.theme.window);
        {
            QPainter painter(&image);
            paintPage(page, painter);
        }
        if (!page.caption.isEmpty())
            image.setText(QStringLiteral("Description"), page.caption);
        QString problem;
        writeWholePng(path, image, &problem);
        return problem;
    }
    if (suffix == QLatin1String("svg")) {
        QString problem;
        writeWhole(path, svgOf(page), &problem);
        return problem;
    }
    if (suffix == QLatin1String("pdf")) {
        WholeFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return file.whyNot();
        QPdfWriter writer(&file);
        // Twelve units a point: thin lines and letters land where they belong, text stays text.
        constexpr int fine = 12;
        writer.setPageSize(QPageSize(QSizeF(page.size), QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        writer.setResolution(72 * fine);
        writer.setTitle(page.title);
        writer.setCreator(QStringLiteral("Warpglass"));
        QPainter painter(&writer);
        if (!painter.isActive())
            return file.whyNot();
        painter.scale(fine, fine);
        paintPage(page, painter);
        return painter.end() && file.error() == QFile::NoError && file.commit() ? QString() : file.whyNot();
    }
    return PageText::tr("Pictures end in .png, .svg or .pdf and tables in .csv; \"%1\" is none of them.").arg(path);
}

} // namespace warpglass
