// SPDX-License-Identifier: GPL-3.0-or-later
// Resident blocks over time with waves and tail, and blocks an SM.
#include "views/common/agreeing.h"
#include "views/common/label_row.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/launchmap/launchmap_scene.h"
#include "views/launchmap/launchmap_text.h"

#include <QPolygonF>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace warpglass {

QString wavesText(const Waves& w) {
    if (w.full == 0) {
        return LaunchMapText::tr("less than a wave: %1 of %2 places (%3)")
            .arg(numberText(w.lastWaveBlocks), numberText(w.capacity), shareText(w.lastWaveFill()));
    }
    const QString full =
        w.full == 1 ? LaunchMapText::tr("1 full wave") : LaunchMapText::tr("%1 full waves").arg(numberText(w.full));
    return w.lastWaveBlocks == 0
               ? full + LaunchMapText::tr(", nothing left over")
               : full + LaunchMapText::tr(", then %1 of %2 (%3)")
                            .arg(numberText(w.lastWaveBlocks), numberText(w.capacity), shareText(w.lastWaveFill()));
}

namespace {

QString tailText(const LaunchMapScene& s) {
    const Waves& w = s.model->waves();
    return LaunchMapText::tr("tail: %1 of the time, %2 of its places used")
        .arg(shareText(w.tailShare), shareText(w.tailUse));
}

// Over the line of all places the curve never comes: what names it stands there, if the chart is high enough.
bool placesNamedAbove(const LaunchMapScene& s) {
    return s.layout.chart.height() >= 5 * lineHeight(s.theme.small());
}

// The most blocks that were ever together.
std::uint64_t peakOf(const LaunchMapScene& s) {
    return std::max<std::uint64_t>({s.model->peakResident(), s.ghost ? s.ghost->model->peakResident() : 0,
                                    s.pinned ? s.pinned->model->peakResident() : 0, 1});
}

// Of a launch that takes few of the places a chart as high as all of them would show nothing: they are above it then.
bool placesFarAbove(const LaunchMapScene& s) {
    constexpr std::uint64_t far = 8;
    return s.model->waves().capacity > far * peakOf(s);
}

qreal roomOfName(const LaunchMapScene& s) {
    return lineHeight(s.theme.small()) + 4;
}

// Blocks at the chart's upper edge.
double chartTop(const LaunchMapScene& s) {
    const qreal height = s.layout.chart.height();
    const std::uint64_t most = placesFarAbove(s) ? peakOf(s) : std::max(s.model->waves().capacity, peakOf(s));
    return (placesNamedAbove(s) ? height / (height - roomOfName(s)) : 1.12) * double(most);
}

// Where the line of all places lies; or the edge below their name, where they are far above.
qreal placesY(const LaunchMapScene& s) {
    const QRectF& a = s.layout.chart;
    if (placesFarAbove(s))
        return a.top() + (placesNamedAbove(s) ? roomOfName(s) : 0);
    return a.bottom() - double(s.model->waves().capacity) / chartTop(s) * a.height();
}

void paintTail(QPainter& painter, const LaunchMapScene& s) {
    const Waves& w = s.model->waves();
    if (!w.hasTail())
        return;
    const qreal left = std::max(s.layout.chart.left(), s.chart.x(w.tail.begin));
    const qreal right = std::min(s.layout.chart.right(), s.chart.x(w.tail.end));
    if (right - left < 1) {
        return;
    }
    const QRectF r(left, s.layout.chart.top(), right - left, s.layout.chart.height());
    painter.fillRect(r, mixed(s.theme.panel, s.theme.attention, 0.10));
    paintHatch(painter, r, Hatch::Diagonal, mixed(s.theme.panel, s.theme.attention, 0.35));
}

void paintCurve(QPainter& painter, const LaunchMapScene& s, double top) {
    const QRectF& a = s.layout.chart;
    const int columns = std::max(1, int(a.width()));
    QPolygonF line;
    const auto y = [&](double n) { return a.bottom() - n / top * a.height(); };
    const bool coarse = s.chart.window.length().value > columns; // a pixel spans more than a unit of time: mean of it
    for (int i = 0; i <= columns; ++i) {
        const qreal x = a.left() + a.width() * i / columns;
        const Time from = s.chart.time(x), to = s.chart.time(a.left() + a.width() * (i + 1) / columns);
        const double n = coarse && to > from ? s.model->meanResident({from, to}) : double(s.model->resident(from));
        if (!coarse && !line.isEmpty() && y(n) != line.last().y()) {
            line << QPointF(x, line.last().y());
        }
        line << QPointF(x, y(n));
    }
    QPolygonF fill = line;
    fill << QPointF(a.right(), a.bottom()) << QPointF(a.left(), a.bottom());
    QColor soft = s.theme.accent;
    soft.setAlphaF(s.theme.kind == ThemeKind::Dark ? 0.38F : 0.28F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(soft);
    painter.drawPolygon(fill);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(s.theme.accent, 1.4));
    painter.drawPolyline(line);
}

void paintWaveMarks(QPainter& painter, const LaunchMapScene& s) {
    const Waves& w = s.model->waves();
    const QRectF& a = s.layout.chart;
    if (w.count() < 2 || double(w.count()) * 6 > a.width() * double(s.model->range().length().value) /
                                                     std::max<double>(1, double(s.chart.window.length().value))) {
        return; // closer than 6 px: no marks are better than a grey wall
    }
    const QFont font = s.theme.small();
    qreal labelled = a.left() - 1;
    for (std::uint64_t k = 0; k < w.count() && !(s.playing && s.model->waveStart(k) > s.now); ++k) {
        const qreal x = s.chart.x(s.model->waveStart(k));
        if (x < a.left() - 1 || x > a.right()) {
            continue;
        }
        if (k > 0) {
            painter.setPen(QPen(s.theme.textMuted, 1, Qt::DotLine));
            painter.drawLine(QPointF(x, a.top()), QPointF(x, a.bottom()));
        }
        const QString text = LaunchMapText::tr("wave %1").arg(k + 1);
        const qreal width = textWidth(font, text);
        if (x >= labelled && x + width + 8 < a.right()) {
            paintText(painter, {x + 4, a.bottom() - lineHeight(font) - 2, width + 2, lineHeight(font)}, text, font,
                      s.theme.text);
            labelled = x + width + 14;
        }
    }
}

void paintRuler(QPainter& painter, const LaunchMapScene& s) {
    const QRectF& a = s.layout.chart;
    const QFont font = s.theme.small();
    const QRectF& ruler = s.layout.chartRuler;
    const TimeAxis::Ticks ticks = s.chart.ticks(s.trace->range().begin, 9 * lineHeight(font));
    LabelRow labels(a.left(), a.right());
    for (const auto& [x, since] : ticks.marks) {
        painter.setPen(QPen(s.theme.border, 1));
        painter.drawLine(QPointF(x, a.bottom()), QPointF(x, a.bottom() + 4));
        const QString text = timeText(since, s.trace->info.timeUnit, ticks.step);
        const qreal width = textWidth(font, text) + 2;
        if (const auto left = labels.place(x, width))
            paintText(painter, {*left, ruler.top() + 3, width, ruler.height() - 3}, text, font, s.theme.textMuted);
    }
}

// How many blocks are resident at a pixel's column, and how the curve runs through it.
double residentAt(const LaunchMapScene& s, qreal x) {
    const Time from = s.chart.time(x), to = s.chart.time(x + 1);
    return to > from ? s.model->meanResident({from, to}) : double(s.model->resident(from));
}

struct Pill {
    QString text;
    QRectF where;
};
// Words in the chart where the curve does not run through them: right or left, in the middle or in another line, as much of
// them as there is such a place for. For those of the waves any place is better than none.
QVector<Pill> placedInside(const LaunchMapScene& s, const QStringList& texts, const QRectF& room, double top) {
    const QRectF& a = s.layout.chart;
    const QFont font = s.theme.small();
    const qreal line = lineHeight(font), step = line + 1;
    const int count = std::max(1, int(room.height() / step));
    const qreal middle = std::clamp(a.center().y() - line / 2, room.top(),
                                    std::max(room.top(), room.bottom() - qreal(texts.size()) * step));
    QVector<qreal> tops;
    for (int n = 0; n < count; ++n)
        tops << middle + n * step << middle - n * step;
    QVector<Pill> placed;
    const auto isFree = [&](const QRectF& pill) {
        if (pill.top() < room.top() - 0.5 || pill.bottom() > room.bottom() + 0.5 || pill.left() < a.left() + 3 ||
            std::any_of(placed.begin(), placed.end(), [&](const Pill& p) { return p.where.intersects(pill); }))
            return false;
        qreal highest = a.bottom(), lowest = a.top();
        for (qreal x = pill.left(); x <= pill.right(); x += 2) {
            const qreal y = a.bottom() - residentAt(s, x) / top * a.height();
            highest = std::min(highest, y);
            lowest = std::max(lowest, y);
        }
        return lowest <= pill.top() || highest >= pill.bottom();
    };
    for (const QString& whole : texts) {
        QString text = fittedTitle(whole, font, a.width() - 18);
        const auto place = [&] {
            const qreal wide = std::min(a.width() - 8, textWidth(font, text) + 10);
            for (const qreal y : tops)
                for (const qreal x : {a.right() - wide - 3, a.left() + 3})
                    if (isFree({x, y, wide, line})) {
                        placed.push_back({text, {x, y, wide, line}});
                        return true;
                    }
            return false;
        };
        const QString most = text;
        bool found = place();
        static const QRegularExpression comma(QStringLiteral("[,\uff0c](?!\\d)"));
        for (qsizetype at = text.lastIndexOf(comma); !found && at > 0; at = text.lastIndexOf(comma)) {
            text.truncate(at);
            found = place();
        }
        if (!found && whole == wavesText(s.model->waves())) {
            const qreal wide = std::min(a.width() - 8, textWidth(font, most) + 10);
            placed.push_back({most, {a.right() - wide - 3, middle + qreal(placed.size()) * step, wide, line}});
        }
    }
    return placed;
}

} // namespace

void paintResidency(QPainter& painter, const LaunchMapScene& s) {
    const QRectF& a = s.layout.chart;
    if (a.isEmpty()) {
        return;
    }
    // How long the tail is shows at its end. Less than a wave is nothing but tail, and says that already.
    const bool tailTold =
        s.model->waves().full > 0 && s.model->waves().hasTail() && (!s.playing || s.now >= s.model->range().end);
    QFont bold = s.theme.body();
    bold.setBold(true);
    const QString title = firstThatFits(
                      {LaunchMapText::tr("Resident blocks over time"), LaunchMapText::tr("Resident blocks")}, bold,
                      s.layout.chartTitle.width() - chipWidth(originName(s.placed()), s.theme) - 10),
                  both = tailTold ? wavesText(s.model->waves()) + QStringLiteral(" · ") + tailText(s)
                                  : wavesText(s.model->waves());
    // Beside the title what has room there whole; what has not stands in the chart, between the places' label at its top
    // and the waves' names at its foot; in a chart too low for that, cut off beside the title.
    const double beside = a.width() - textWidth(bold, title) - chipWidth(originName(s.placed()), s.theme) - 30;
    const QFont font = s.theme.small();
    const qreal line = lineHeight(font), roof = placesY(s) + 2 + (placesNamedAbove(s) ? 0 : line);
    const qreal foot = a.bottom() - 3 - (s.model->waves().count() > 1 ? line + 1 : 0);
    const auto fitting = std::max(0, int((foot - roof) / (line + 1)));
    QStringList inside;
    const QString pinned = pinnedWavesText(s), withPinned = both + QStringLiteral(" · ") + pinned;
    QString note = !pinned.isEmpty() && textWidth(font, withPinned) < beside ? withPinned : both;
    if (textWidth(font, note) >= beside) {
        note = wavesText(s.model->waves());
        if (tailTold)
            inside << tailText(s);
    }
    if (textWidth(font, note) >= beside && fitting > 0) {
        note.clear();
        inside << wavesText(s.model->waves());
    }
    if (inside.size() > fitting)
        inside.removeFirst(); // which places are taken is worth more than when
    paintPanelTitle(painter, s.layout.chartTitle, title, note, s.placed(), s.theme);
    painter.fillRect(a, s.theme.panel);
    painter.save();
    painter.setClipRect(a, Qt::IntersectClip);
    const double top = chartTop(s);
    painter.save();
    if (s.playing) // as far as it has come
        painter.setClipRect(QRectF(a.topLeft(), QPointF(std::clamp(s.chart.x(s.now), a.left(), a.right()), a.bottom())),
                            Qt::IntersectClip);
    paintTail(painter, s);
    paintCurve(painter, s, top);
    paintGhostCurve(painter, s, top);
    paintPinnedCurve(painter, s, top);
    painter.restore();
    const qreal y = placesY(s);
    const bool above = placesFarAbove(s);
    if (!above) {
        painter.setPen(QPen(s.theme.textMuted, 1, Qt::DashLine));
        painter.drawLine(QPointF(a.left(), y), QPointF(a.right(), y));
    }
    paintWaveMarks(painter, s);
    if (s.chart.window.contains(s.now) || s.now == s.chart.window.end) {
        const qreal x = s.chart.x(s.now);
        painter.setPen(QPen(s.theme.attention, 2));
        painter.drawLine(QPointF(x, a.top()), QPointF(x, a.bottom()));
    }
    // The words over the cursor, which would strike them out.
    const QString places =
        s.model->waves().basis == CapacityBasis::Computed
            ? agreeing(LaunchMapText::tr("%1 {place|places} (by the occupancy rules)"),
                       numberText(s.model->waves().capacity))
            : agreeing(LaunchMapText::tr("%1 {place|places}"), numberText(s.model->waves().capacity));
    // Else a chart that is full would pass for a device that is.
    const QString room = above ? LaunchMapText::tr("at most %1 together").arg(numberText(peakOf(s))) +
                                     QStringLiteral(" · \u2191 ") + places
                               : places;
    const qreal width = std::min(textWidth(font, room) + 8, a.width() - 6);
    const QRectF label(a.left() + 3, placesNamedAbove(s) ? y - line - 1 : y + 2, width, line);
    painter.fillRect(label, mixed(s.theme.panel, s.theme.accent, 0.12));
    paintText(painter, label.adjusted(4, 0, -3, 0), room, font, s.theme.text);
    for (const auto& [text, pill] : placedInside(s, inside, QRectF(a.left(), roof, a.width(), foot - roof), top)) {
        painter.fillRect(pill, s.theme.panel);
        paintText(painter, pill, text, font, s.theme.text, Qt::AlignCenter);
    }
    painter.restore();
    painter.setPen(QPen(s.theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(a.adjusted(0.5, 0.5, -0.5, -0.5));
    paintRuler(painter, s);
}

void paintBalance(QPainter& painter, const LaunchMapScene& s) {
    const QRectF& a = s.layout.balance;
    if (a.isEmpty()) {
        return;
    }
    // While it plays, those that have come; the scale is that of all, so that bars grow and do not jump.
    const Balance balance = s.playing ? s.model->balanceAt(s.now, s.arrivals.coming()) : s.model->balance();
    QFont bold = s.theme.body();
    bold.setBold(true);
    const QString title = firstThatFits({LaunchMapText::tr("Blocks an SM"), LaunchMapText::tr("Blocks")}, bold,
                                        s.layout.balanceTitle.width() - 2);
    paintPanelTitle(painter, s.layout.balanceTitle, title, {}, s.placed(), s.theme);
    painter.fillRect(a, s.theme.panel);
    const std::uint32_t most = std::max({s.model->balance().most, s.ghost ? s.ghost->model->balance().most : 0,
                                         s.pinned ? s.pinned->model->balance().most : 0});
    const double top = std::max(1.0, double(most)) * 1.15;
    const auto n = qreal(std::max<std::size_t>(1, balance.blocks.size()));
    const Block* chosen = s.block != noIndex ? s.blockRow(s.block) : nullptr;
    const qreal pitch = a.width() / n, gap = pitch >= 4 ? 1 : 0;
    for (std::size_t sm = 0; sm < balance.blocks.size(); ++sm) {
        const qreal h = balance.blocks[sm] / top * a.height();
        const bool mark = chosen && chosen->sm == sm;
        painter.fillRect(QRectF(a.left() + qreal(sm) * pitch, a.bottom() - h, std::max(1.0, pitch - gap), h),
                         mark ? s.theme.attention : mixed(s.theme.accent, s.theme.panel, 0.35));
        if (mark) { // a foot below the axis: found without colour, too
            painter.fillRect(QRectF(a.left() + qreal(sm) * pitch, a.bottom(), std::max(2.0, pitch - gap), 4),
                             s.theme.attention);
        }
    }
    paintGhostBalance(painter, s, top);
    paintPinnedBalance(painter, s, top);
    const qreal y = a.bottom() - balance.mean / top * a.height();
    painter.setPen(QPen(s.theme.text, 1, Qt::DashLine));
    painter.drawLine(QPointF(a.left(), y), QPointF(a.right(), y));
    painter.setPen(QPen(s.theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(a.adjusted(0.5, 0.5, -0.5, -0.5));
    const QString least = numberText(std::uint64_t(balance.least)), most2 = numberText(std::uint64_t(balance.most));
    QString spread = balance.least == balance.most
                         ? LaunchMapText::tr("%1 on every SM").arg(most2)
                         : LaunchMapText::tr("%1 to %2, mean %3")
                               .arg(least, most2, decimalText(balance.mean, balance.mean < 0.95 ? 2 : 1));
    const QRectF note = s.layout.balanceNote.adjusted(0, 4, 0, 0);
    QString first = QStringLiteral("SM 0"), last = QStringLiteral("SM %1").arg(balance.blocks.size() - 1);
    const auto wide = [&] { return textWidth(s.theme.small(), first) + textWidth(s.theme.small(), last) + 6; };
    if (wide() > note.width()) { // the title says of what they are the numbers
        first.remove(0, 3);
        last.remove(0, 3);
    }
    if (wide() <= note.width()) {
        paintText(painter, note, first, s.theme.small(), s.theme.textMuted);
        paintText(painter, note, last, s.theme.small(), s.theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    }
    const qreal ends = textWidth(s.theme.small(), QStringLiteral("SM 000")) + 6;
    const QRectF between = note.adjusted(ends, 0, -ends, 0);
    if (textWidth(s.theme.small(), spread) > between.width())
        spread = balance.least == balance.most ? most2 : LaunchMapText::tr("%1 to %2").arg(least, most2);
    if (textWidth(s.theme.small(), spread) <= between.width())
        paintText(painter, between, spread, s.theme.small(), s.theme.text, Qt::AlignCenter);
}

} // namespace warpglass
