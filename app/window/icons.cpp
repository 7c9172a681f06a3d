// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/icons.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace warpglass {

namespace {

QPixmap drawn(const QByteArray& svg, int side) {
    QSvgRenderer renderer(svg);
    QPixmap pixmap(side, side);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, side, side));
    return pixmap;
}

QByteArray read(const QString& name) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

QIcon themedIcon(const QString& name, const QColor& colour, const QColor& disabled) {
    const QByteArray svg = read(name);
    QIcon icon;
    for (int side : {16, 24, 32, 48, 64}) {
        QByteArray normal = svg, grey = svg;
        icon.addPixmap(drawn(normal.replace("#000000", colour.name().toLatin1()), side), QIcon::Normal);
        icon.addPixmap(drawn(grey.replace("#000000", disabled.name().toLatin1()), side), QIcon::Disabled);
    }
    return icon;
}

QIcon themedIcon(const QString& name, const Theme& theme) {
    return themedIcon(name, theme.text, theme.border);
}

QIcon logoIcon() {
    const QByteArray svg = read(QStringLiteral("warpglass"));
    QIcon icon;
    for (int side : {16, 24, 32, 48, 64, 128, 256})
        icon.addPixmap(drawn(svg, side));
    return icon;
}

QPixmap logoPixmap(int side, qreal devicePixelRatio) {
    QPixmap pixmap = drawn(read(QStringLiteral("warpglass")), qRound(side * devicePixelRatio));
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

} // namespace warpglass
