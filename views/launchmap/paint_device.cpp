// SPDX-License-Identifier: GPL-3.0-or-later
// The device, what the hardware did: SMs and the blocks they hold now; and the line that ties a block to its SM.
#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/launchmap/launchmap_scene.h"
#include "views/launchmap/launchmap_text.h"

#include <QPainterPath>

#include <algorithm>

namespace warpglass {
namespace {

QString howPlaced(Origin origin) {
    return origin == Origin::Measured ? LaunchMapText::tr("as the hardware did")
                                      : LaunchMapText::tr("as the model places them");
}

void paintSm(QPainter& painter, const LaunchMapScene& s, int sm) {
    const QRectF r = s.device.smRect(sm);
    painter.setPen(QPen(s.theme.border, 1));
    painter.setBrush(s.theme.panel);
    painter.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    if (s.device.label > 0) {
        paintText(painter, {r.left() + 3, r.top() + 1, r.width() - 6, s.device.label}, QString::number(sm),
                  s.theme.small(), s.theme.textMuted);
    }
    for (int place = 0; place < s.device.places; ++place) {
        const QRectF cell = s.device.placeRect(sm, place);
        const std::uint32_t block = s.blockIn(sm, place);
        const bool tiny = std::min(cell.width(), cell.height()) < 4;
        if (block == noIndex) {
            painter.fillRect(cell, s.theme.sunken);
            continue;
        }
        const QColor fill = s.colourBySm ? smColour(sm, s.theme) : s.theme.accent;
        if (tiny) {
            painter.fillRect(cell, fill);
            continue;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(cell, 1.5, 1.5);
        const QString index = indexText(s.launch->grid.at(block), s.launch->grid);
        if (cell.height() >= lineHeight(s.theme.small()) && textWidth(s.theme.small(), index) <= cell.width() - 4) {
            paintText(painter, cell, index, s.theme.small(), inkOn(fill), Qt::AlignCenter);
        }
    }
}

// In brief: where and when alone, for the grid marks which block it is.
QString chosenBlockText(const LaunchMapScene& s, bool brief) {
    const Block* b = s.block != noIndex ? s.blockRow(s.block) : nullptr;
    if (!b) {
        return {};
    }
    const QString index = indexText(s.launch->grid.at(s.block), s.launch->grid);
    const BlockState state = s.stateOf(*b);
    if (state == BlockState::NotRun)
        return brief ? stateName(state) : LaunchMapText::tr("block %1 did not run").arg(index);
    const QString when = state == BlockState::Waiting    ? timeOf(s, b->start)
                         : state == BlockState::Resident ? timeOf(s, b->end)
                                                         : spanOf(s, b->end - b->start);
    if (brief)
        return (state == BlockState::Waiting    ? LaunchMapText::tr("SM %1 at %2")
                : state == BlockState::Resident ? LaunchMapText::tr("SM %1 until %2")
                                                : LaunchMapText::tr("SM %1 for %2"))
            .arg(b->sm)
            .arg(when);
    return (state == BlockState::Waiting    ? LaunchMapText::tr("block %1 will go to SM %2 at %3")
            : state == BlockState::Resident ? LaunchMapText::tr("block %1 is on SM %2 until %3")
                                            : LaunchMapText::tr("block %1 was on SM %2 for %3"))
        .arg(index)
        .arg(b->sm)
        .arg(when);
}

} // namespace

void paintDevice(QPainter& painter, const LaunchMapScene& s) {
    if (s.layout.device.isEmpty()) {
        return;
    }
    const Waves& w = s.model->waves();
    const QString each = w.blocksPerSm == 1
                             ? LaunchMapText::tr("1 block each")
                             : LaunchMapText::tr("up to %1 blocks each").arg(numberText(std::uint64_t(w.blocksPerSm)));
    paintPanelTitle(painter, s.layout.deviceTitle,
                    agreeing(LaunchMapText::tr("Device: %1 {SM|SMs}, %2"), s.model->smCount(), each),
                    howPlaced(s.placed()), s.placed(), s.theme);
    for (int sm = 0; sm < s.device.sms; ++sm) {
        paintSm(painter, s, sm);
    }
    const QRectF& note = s.layout.deviceNote;
    if (note.isEmpty()) {
        return;
    }
    const QString now =
        LaunchMapText::tr("%1 of %2 places taken").arg(numberText(s.counts().resident), numberText(w.capacity));
    QFont bold = s.theme.small();
    bold.setBold(true);
    QString chosen = chosenBlockText(s, false);
    qreal used = textWidth(s.theme.small(), now) + 12;
    if (used + textWidth(bold, chosen) > note.width() && s.block != noIndex) {
        used = 0; // room for one of the two: the chosen block's
        if (textWidth(bold, chosen) > note.width())
            chosen = chosenBlockText(s, true);
        if (const Block* b = s.blockRow(s.block); b && textWidth(bold, chosen) > note.width())
            chosen = QStringLiteral("SM %1").arg(b->sm); // rather than a time whose end is cut off
    } else {
        paintText(painter, note, now, s.theme.small(), s.theme.textMuted);
    }
    paintText(painter, note.adjusted(std::min(used, note.width()), 0, 0, 0), chosen, bold, s.theme.attention,
              Qt::AlignRight | Qt::AlignVCenter);
}

void paintArrivals(QPainter& painter, const LaunchMapScene& s) {
    constexpr std::size_t mostDrawn = 300; // more than anybody can follow
    const Arrivals& a = s.arrivals;
    if (s.layout.grid.isEmpty() || s.layout.device.isEmpty())
        return;
    const std::size_t step = std::max<std::size_t>(1, (a.left - a.landed + mostDrawn - 1) / mostDrawn);
    for (std::size_t n = a.landed; n < a.left; n += step) {
        const std::uint32_t index = a.blocks[n];
        const Block* b = s.blockRow(index);
        const QRectF from = s.grid.tileRect(index);
        if (!b || !s.grid.area.contains(from.center()))
            continue;
        const QRectF to = s.device.placeRect(b->sm, s.model->place(index));
        const qreal way = a.wayOf(n), eased = way * way * (3 - 2 * way), back = 1 - eased;
        const QPointF centre = from.center() * back + to.center() * eased;
        const QSizeF size(std::max(3.0, from.width() * back + to.width() * eased),
                          std::max(3.0, from.height() * back + to.height() * eased));
        const QRectF tile(centre - QPointF(size.width() / 2, size.height() / 2), size);
        const qreal radius = std::min(size.width(), size.height()) >= 10 ? 2 : 0;
        painter.setPen(QPen(s.theme.window, 1));
        painter.setBrush(s.colourBySm ? smColour(b->sm, s.theme) : s.theme.accent);
        painter.drawRoundedRect(tile, radius, radius);
    }
}

// Solid while the block is there, dashed before and after. It keeps to the gaps
// between rows of tiles and of SMs, so that it covers no label.
void paintLeader(QPainter& painter, const LaunchMapScene& s) {
    const Block* b = s.block != noIndex ? s.blockRow(s.block) : nullptr;
    if (!b || !ran(*b) || s.layout.grid.isEmpty()) {
        return;
    }
    const QColor ink = s.theme.attention;
    const bool resident = s.stateOf(*b) == BlockState::Resident;
    const auto ring = [&](QRectF r, qreal least) {
        const qreal grow = std::max(0.0, (least - std::min(r.width(), r.height())) / 2) + 1.5;
        r.adjust(-grow, -grow, grow, grow);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(s.theme.window, 4)); // a halo: the ring is seen on every colour
        painter.drawRoundedRect(r, 3, 3);
        painter.setPen(QPen(ink, 2));
        painter.drawRoundedRect(r, 3, 3);
        return r;
    };
    const QRectF to = ring(s.device.smRect(b->sm), 8);
    if (resident && s.device.places > 1) {
        const QRectF place = s.device.placeRect(b->sm, s.model->place(s.block));
        if (std::min(place.width(), place.height()) >= 5) {
            painter.setPen(QPen(inkOn(smColour(b->sm, s.theme)), 1.5));
            painter.drawRect(place.adjusted(1.5, 1.5, -1.5, -1.5));
        }
    }
    const QRectF tile = s.grid.tileRect(s.block);
    if (!s.grid.area.adjusted(-1, -1, 1, 1).contains(tile.center())) {
        return; // panned out of sight
    }
    const QRectF from = ring(tile, 8);
    const qreal gridRight = std::min(s.grid.area.right(), s.grid.sliceOrigin(s.grid.sliceColumns - 1).x() +
                                                              s.grid.tile.width() * double(s.grid.columns));
    const bool readable = std::min(s.grid.tile.width(), s.grid.tile.height()) >= 5;
    const qreal leave = readable ? tile.bottom() : tile.center().y(), arrive = s.device.smRect(b->sm).top() - 1;
    QPainterPath path(QPointF(from.right(), leave));
    const qreal x0 = std::max(from.right(), gridRight), x1 = s.device.area.left();
    path.lineTo(x0, leave);
    const qreal reach = std::max(16.0, (x1 - x0) * 0.5);
    path.cubicTo({x0 + reach, leave}, {x1 - reach, arrive}, {x1, arrive});
    path.lineTo(std::max(x1, to.left()), arrive);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(s.theme.window, 4));
    painter.drawPath(path);
    painter.setPen(QPen(ink, 1.6, resident ? Qt::SolidLine : Qt::DashLine));
    painter.drawPath(path);
}

} // namespace warpglass
