// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/follow.h"

#include "views/common/ticks.h"

#include <QCoreApplication>
#include <QPainterPath>

#include <algorithm>

namespace warpglass {

namespace {

struct FollowText {
    Q_DECLARE_TR_FUNCTIONS(FollowedThread)
};

} // namespace

QColor followColour(const Theme& theme) {
    switch (theme.kind) { // a magenta that no state, no category and no selection has
    case ThemeKind::Light:
        break;
    case ThemeKind::Dark:
        return {0xff, 0x6a, 0xd5};
    case ThemeKind::Print:
    case ThemeKind::Projector:
        return {0x8a, 0x0f, 0x62};
    }
    return {0xb0, 0x18, 0x7f};
}

void paintPin(QPainter& painter, QPointF tip, qreal height, const Theme& theme) {
    const qreal r = height * 0.32;
    const QPointF head(tip.x(), tip.y() - height + r);
    QPainterPath pin(tip);
    pin.lineTo(head + QPointF(-r * 0.9, r * 0.45));
    pin.arcTo(QRectF(head - QPointF(r, r), QSizeF(2 * r, 2 * r)), 207, -234);
    pin.closeSubpath();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.window, 1.5));
    painter.setBrush(followColour(theme));
    painter.drawPath(pin);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.window);
    painter.drawEllipse(head, r * 0.38, r * 0.38);
    painter.restore();
}

void paintFollowFrame(QPainter& painter, const QRectF& what, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.window, 4));
    painter.drawRoundedRect(what, 3, 3);
    painter.setPen(QPen(followColour(theme), 2));
    painter.drawRoundedRect(what, 3, 3);
    painter.restore();
}

void paintFollowed(QPainter& painter, const QRectF& what, const Theme& theme) {
    paintFollowFrame(painter, what, theme);
    paintPin(painter, what.topLeft() + QPointF(1, 1), 15 * theme.fontScale, theme);
}

Selection followingToggled(Selection selection, const Trace& trace) {
    const std::uint32_t warp = warpToShow(selection, trace);
    if (warp == noIndex)
        return selection;
    const FollowedThread wanted{warp, std::max(0, selection.lane)};
    selection.followed = selection.followed == wanted ? FollowedThread{} : wanted;
    return selection;
}

QString followedName(const FollowedThread& thread, const Trace& trace) {
    if (thread.warp >= trace.warps.size())
        return {};
    const Warp& warp = trace.warps[thread.warp];
    const Block& block = trace.blockOf(warp);
    const Launch& launch = trace.launchOf(block);
    const std::uint64_t linear = std::uint64_t(warp.warpInBlock) * lanesPerWarp + std::uint64_t(thread.lane);
    if (linear >= launch.block.count())
        return {};
    return FollowText::tr("thread %1 of block %2")
        .arg(indexText(launch.block.at(linear), launch.block), blockIndexText(trace, block));
}

} // namespace warpglass
