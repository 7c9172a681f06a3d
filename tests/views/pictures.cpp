// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures.h"

#include <QDir>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warpglass::samples {

QImage pictureOf(const View& view, const PaintContext& context, QSize size) {
    QImage image(size, QImage::Format_RGB32);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    paintView(view, painter, QRectF(QPointF(), QSizeF(size)), context);
    return image;
}

Spot spotAt(const View& view, const QRectF& area, const PaintContext& context, QPointF at) {
    return view.compose(context, area)->spotAt(at);
}

Selection clicked(const View& view, const QRectF& area, const PaintContext& context, QPointF at) {
    const Spot spot = spotAt(view, area, context, at);
    return spot.click ? spot.click->selection : context.selection;
}

bool answers(const View& view, const QRectF& area, PaintContext& context, const Input& input) {
    const auto change = view.compose(context, area)->answer(input);
    if (change) {
        context.options = change->options;
        context.selection = change->selection;
    }
    return change.has_value();
}

QString csvOf(const View& view, const PaintContext& context) {
    return view.compose(context, QRectF(0, 0, 1200, 800))->csv();
}

double differingPixels(const QImage& a, const QImage& b, int tolerance) {
    if (a.size() != b.size() || a.isNull())
        return 1;
    const auto apart = [tolerance](QRgb x, QRgb y) {
        return std::abs(qRed(x) - qRed(y)) > tolerance || std::abs(qGreen(x) - qGreen(y)) > tolerance ||
               std::abs(qBlue(x) - qBlue(y)) > tolerance;
    };
    qint64 n = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            n += apart(a.pixel(x, y), b.pixel(x, y));
    return double(n) / (double(a.width()) * a.height());
}

int pixelsLike(const QImage& image, const QColor& colour, QRect where, int tolerance) {
    if (where.isNull())
        where = image.rect();
    where &= image.rect();
    int n = 0;
    for (int y = where.top(); y <= where.bottom(); ++y)
        for (int x = where.left(); x <= where.right(); ++x) {
            const QRgb p = image.pixel(x, y);
            n += std::abs(qRed(p) - colour.red()) <= tolerance && std::abs(qGreen(p) - colour.green()) <= tolerance &&
                 std::abs(qBlue(p) - colour.blue()) <= tolerance;
        }
    return n;
}

double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& c) {
        const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    };
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return std::max(x, y) / std::min(x, y);
}

void keep(const QImage& image, const QString& name) {
    const QString folder = qEnvironmentVariable("WARPGLASS_PICTURES");
    if (!folder.isEmpty())
        image.save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

} // namespace warpglass::samples
