// SPDX-License-Identifier: GPL-3.0-or-later
// One paint function for every format. Below the picture stands one line that says where its numbers come from, so that
// a picture that has left the program still tells.
#include "views/common/marks.h"
#include "views/common/svg_device.h"
#include "views/common/view.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QMarginsF>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>

namespace warpglass {

namespace {

// What the view says of itself, else what its traces say; empty if there is nothing to say.
QString captionOf(const View& view, const PaintContext& context) {
    QString caption = view.caption(context);
    if (!caption.isEmpty() || !context.trace)
        return caption;
    caption = traceCaption(*context.trace, context.selection);
    if (context.other)
        caption += QStringLiteral("   |   ") + traceCaption(*context.other, {});
    return caption;
}

} // namespace

void paintPage(const View& view, QPainter& painter, QSize size, const PaintContext& context, const QString& note) {
    const Theme& theme = context.theme;
    const QRectF page(0, 0, size.width(), size.height());
    const QString caption = captionOf(view, context);
    const qreal footer = !caption.isEmpty() ? lineHeight(theme.small()) + 10 * theme.fontScale : 0;
    painter.fillRect(page, theme.window);
    painter.setRenderHint(QPainter::Antialiasing);
    paintView(view, painter, page.adjusted(0, 0, 0, -footer), context, false);
    if (!caption.isEmpty()) {
        const qreal margin = 24 * theme.fontScale;
        QRectF row(margin, page.bottom() - footer, page.width() - 2 * margin, footer);
        painter.fillRect(QRectF(row.left(), row.top(), row.width(), 1), theme.border);
        if (!note.isEmpty()) {
            paintText(painter, row, note, theme.small(), theme.text, Qt::AlignRight | Qt::AlignVCenter);
            row.setRight(row.right() - textWidth(theme.small(), note) - margin);
        }
        paintText(painter, row, caption, theme.small(), theme.textMuted);
    }
}

namespace {

QString cannotWrite(const QString& path) {
    return QCoreApplication::translate("Export", "%1 cannot be written. Choose a folder in which you may create files.")
        .arg(path);
}

} // namespace

QByteArray svgOf(const View& view, const PaintContext& context, QSize size) {
    SvgDevice device(size, view.title(), captionOf(view, context), view.key());
    {
        QPainter painter(&device);
        paintPage(view, painter, size, context);
    }
    return device.document();
}

QString exportView(const View& view, const PaintContext& context, const QString& path, QSize size, qreal scale) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (size.isEmpty() || scale <= 0)
        return QCoreApplication::translate("Export", "A picture needs a width and a height above zero.");
    if (suffix == QLatin1String("csv")) {
        const QString text = view.csv(context);
        if (text.isEmpty())
            return QCoreApplication::translate("Export", "This view has no table to export.");
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0 || !file.commit())
            return cannotWrite(path);
        return {};
    }
    if (suffix == QLatin1String("png")) {
        QImage image(QSize(qRound(size.width() * scale), qRound(size.height() * scale)),
                     QImage::Format_ARGB32_Premultiplied);
        if (image.isNull())
            return QCoreApplication::translate("Export", "A picture of %1 x %2 is too large.")
                .arg(size.width())
                .arg(size.height());
        image.setDevicePixelRatio(scale);
        image.fill(context.theme.window);
        {
            QPainter painter(&image);
            paintPage(view, painter, size, context);
        }
        if (const QString caption = captionOf(view, context); !caption.isEmpty())
            image.setText(QStringLiteral("Description"), caption);
        return image.save(path, "PNG") ? QString() : cannotWrite(path);
    }
    if (suffix == QLatin1String("svg")) {
        QSaveFile file(path);
        const QByteArray bytes = svgOf(view, context, size);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
            return cannotWrite(path);
        return {};
    }
    if (suffix == QLatin1String("pdf")) {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return cannotWrite(path);
        QPdfWriter writer(&file);
        // Twelve units a point: thin lines and letters land where they belong, text stays text.
        constexpr int fine = 12;
        writer.setPageSize(QPageSize(QSizeF(size), QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        writer.setResolution(72 * fine);
        writer.setTitle(view.title());
        writer.setCreator(QStringLiteral("Warpglass"));
        QPainter painter(&writer);
        if (!painter.isActive())
            return cannotWrite(path);
        painter.scale(fine, fine);
        paintPage(view, painter, size, context);
        return painter.end() && file.error() == QFile::NoError ? QString() : cannotWrite(path);
    }
    return QCoreApplication::translate("Export",
                                       "Pictures end in .png, .svg or .pdf and tables in .csv; \"%1\" is none of them.")
        .arg(path);
}

} // namespace warpglass
