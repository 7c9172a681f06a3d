// SPDX-License-Identifier: GPL-3.0-or-later
// Cells, nodes and edges of a reduction tree. What is drawn follows the width of a column: numbers and threads as text
// where they fit, shapes below that, and lines only, one for each pixel, where many columns share it.
#include "views/reduction/reduction_play.h"
#include "views/reduction/reduction_scene.h"

#include "views/common/follow.h"
#include "views/common/marks.h"
#include "views/reduction/reduction_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <set>

namespace warpglass {

namespace {

using Kind = ReductionValue::Kind;

constexpr qreal textPitch = 22, shapePitch = 7;

// Columns in sight, one more on either side.
std::pair<int, int> sight(const ReductionLayout& l) {
    const int first = int(std::floor((l.plot.left() - l.left) / l.pitch)) - 1;
    const int last = int(std::ceil((l.plot.right() - l.left) / l.pitch)) + 1;
    return {std::clamp(first, 0, l.columns), std::clamp(last, 0, l.columns)};
}

QColor sumColour(const ReductionScene& s, const ReductionValue& v) {
    if (v.raced)
        return s.theme.wrong;
    const QColor on = s.theme.category(1);
    return v.useful ? on : fadedTo(on, s.theme, 0.6);
}

bool contains(const std::vector<std::uint32_t>& rows, std::uint32_t row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

std::uint32_t givenOf(const ReductionTree& tree, std::uint32_t row) {
    while (tree.values[row].kind == Kind::Copy)
        row = tree.values[row].inputs[0];
    return row;
}

// Upright, with its beginning below.
void paintUpright(QPainter& painter, const QRectF& cell, const QString& text, const QFont& font, const QColor& ink) {
    painter.save();
    painter.translate(cell.center());
    painter.rotate(-90);
    paintText(painter, {-cell.height() / 2, -cell.width() / 2, cell.height(), cell.width()}, text, font, ink,
              Qt::AlignCenter);
    painter.restore();
}

} // namespace

RowWriting writingOf(const ReductionScene& s, int row) {
    const ReductionLayout& l = s.layout;
    RowWriting writing{.how = Written::No, .font = s.theme.body()};
    QFont& font = writing.font;
    font.setBold(true);
    const auto [first, last] = sight(l);
    QString widest;
    for (int c = first; c < last; ++c)
        if (const std::uint32_t v = s.rows()[row].values[c]; v != noIndex)
            if (const QString number = valueText(s.tree().values[v]); number.size() > widest.size())
                widest = number;
    const QRectF cell = l.cellRect(0, 0);
    if (l.pitch >= textPitch) {
        writing.how = Written::Level;
        font = fittedFont(font, widest, cell.width() - 2);
        return writing;
    }
    const auto high = [&] { return QFontMetricsF(font).tightBoundingRect(widest).height(); };
    font = fittedFont(s.theme.small(), widest, cell.height() - 4);
    font.setBold(true);
    while (font.pixelSize() > Theme::leastPixels &&
           (high() > cell.width() - 1 || textWidth(font, widest) > cell.height() - 3))
        font.setPixelSize(font.pixelSize() - 1);
    if (high() <= cell.width() - 1 && textWidth(font, widest) <= cell.height() - 3)
        writing.how = Written::Upright;
    return writing;
}

namespace {

void paintCells(QPainter& painter, const ReductionScene& s, int row) {
    const ReductionLayout& l = s.layout;
    const Theme& t = s.theme;
    const auto [first, last] = sight(l);
    const bool rowLater = toCome(s, row - 1);
    const bool shapes = l.pitch >= shapePitch;
    const ReductionRow& r = s.rows()[row];
    const bool known = resultKnown(s);
    const auto [written, bold] = writingOf(s, row);
    QFont font = bold;
    font.setBold(false);
    for (int c = first; c < last; ++c) {
        const std::uint32_t row1 = r.values[c];
        if (row1 == noIndex)
            continue;
        const ReductionValue& v = s.tree().values[row1];
        const QRectF cell = l.cellRect(row, c);
        const bool later = row > 0 && r.fresh[c] ? comeOf(s, row1) < 1 : rowLater;
        const bool fresh = r.fresh[c] && !later, bright = row == 0 || fresh;
        const bool lost = row == 0 && known && contains(s.tree().missing, givenOf(s.tree(), row1));
        const bool twice = row == 0 && known && contains(s.tree().doubled, givenOf(s.tree(), row1));
        const QColor edge = lost || twice || (v.raced && bright) ? t.wrong
                            : fresh                              ? (v.useful ? t.accent : t.textMuted)
                                                                 : t.border;
        if (!shapes) {
            painter.fillRect(QRectF(cell.left(), cell.top(), std::max(cell.width(), 0.75), cell.height()),
                             bright ? (fresh ? edge : fadedTo(t.accent, t, 0.55)) : t.sunken);
            continue;
        }
        painter.setPen(QPen(edge, bright && (fresh || lost || twice) ? 1.6 : 1, later ? Qt::DotLine : Qt::SolidLine));
        painter.setBrush(bright ? t.panel : t.window);
        painter.drawRoundedRect(cell, std::min(5.0, l.pitch * 0.15), std::min(5.0, l.pitch * 0.15));
        if (lost || twice)
            paintHatch(painter, cell.adjusted(1, 1, -1, -1), Hatch::Cross, fadedTo(t.wrong, t, 0.55));
        if (written == Written::No || later)
            continue;
        const bool strong = bright && (row == 0 || v.useful);
        const QFont& used = strong ? bold : font;
        const QColor& ink = strong ? t.text : t.textMuted;
        if (written == Written::Level)
            paintText(painter, cell, valueText(v), used, ink, Qt::AlignCenter);
        else
            paintUpright(painter, cell, valueText(v), used, ink);
    }
}

// From the row above into the node; its own cell straight down, others in a curve.
void paintEdges(QPainter& painter, const ReductionScene& s, int step) {
    const ReductionLayout& l = s.layout;
    const bool later = toCome(s, step), fine = l.pitch >= shapePitch;
    const qreal to = l.cellRect(step + 1, 0).top();
    std::set<std::pair<int, int>> drawn; // pixels
    const QFont font = s.theme.small();
    for (const std::uint32_t row : s.tree().steps[step].sums) {
        const ReductionValue& v = s.tree().values[row];
        if (s.selection.motion.playing && v.time > s.selection.time)
            continue;
        const QPointF node = l.node(step, v.column);
        QColor ink = v.raced ? s.theme.wrong : s.theme.accent;
        ink = !v.useful && !v.raced ? fadedTo(ink, s.theme, 0.65) : ink;
        ink = later ? fadedTo(ink, s.theme, 0.7) : ink;
        painter.setBrush(Qt::NoBrush);
        int stub = 0;
        for (const std::uint32_t in : v.inputs) {
            const std::uint32_t at = drawnInput(s.tree(), in);
            const int column = s.tree().values[at].column;
            const bool above = column >= 0 && column < l.columns && s.rows()[step].values[column] != noIndex;
            if (!above) { // a number that no row shows: told beside the node
                if (l.pitch >= 2 * textPitch) {
                    paintText(painter,
                              {node.x() + l.nodeRadius() + 2, node.y() - lineHeight(font) * (1.1 + stub), l.pitch,
                               lineHeight(font)},
                              QStringLiteral("+ ") + valueText(s.tree().values[at]), font, s.theme.textMuted);
                    ++stub;
                }
                continue;
            }
            const qreal x = l.x(column);
            if (std::max(x, node.x()) < l.plot.left() - 2 || std::min(x, node.x()) > l.plot.right() + 2)
                continue;
            if (!fine && !drawn.insert({int(x), int(node.x())}).second)
                continue;
            const bool raced = s.tree().values[at].raced;
            painter.setPen(QPen(raced && !later ? s.theme.wrong : ink, fine ? 1.8 : 0.8,
                                v.shuffled && column != v.column ? Qt::DashLine : Qt::SolidLine));
            painter.drawPath(edgePath(l, step, column, v.column));
        }
        if (node.x() > l.plot.left() - l.pitch && node.x() < l.plot.right() + l.pitch) {
            if (fine || drawn.insert({-1, int(node.x())}).second) {
                painter.setPen(QPen(ink, fine ? 1.8 : 0.8));
                painter.drawLine(node, QPointF(node.x(), to));
            }
        }
    }
}

// waiting: only the threads that wait, which lie below the edges; else only those that add, which lie above.
void paintNodes(QPainter& painter, const ReductionScene& s, int step, bool waiting) {
    const ReductionLayout& l = s.layout;
    const Theme& t = s.theme;
    const bool later = toCome(s, step);
    const qreal radius = l.nodeRadius();
    const auto [first, last] = sight(l);
    QFont font = t.small();
    font.setBold(true);
    const QString widest(int(std::to_string(std::max(1u, s.tree().threads) - 1).size()), QLatin1Char('0'));
    font = fittedFont(font, widest, 2 * radius - 3);
    const bool text = textWidth(font, widest) <= 2 * radius - 1;
    std::vector<bool> busy(std::max<std::size_t>(s.tree().threads, std::size_t(l.columns)), false),
        taken(std::size_t(l.columns), false);
    for (const std::uint32_t row : s.tree().steps[step].sums) {
        busy[s.tree().values[row].thread] = true;
        taken[std::size_t(s.tree().values[row].column)] = true;
    }
    QFont idle = font;
    const FollowedThread& thread = s.selection.followed;
    const bool here = thread.warp < s.trace().warps.size() && s.trace().warps[thread.warp].block == s.model->block;
    const int followed = here ? s.trace().warps[thread.warp].warpInBlock * lanesPerWarp + thread.lane : -1;
    idle.setBold(false);
    for (int c = first; waiting && l.pitch >= shapePitch && c < last && c < int(s.tree().threads);
         ++c) { // threads that wait
        if (!taken[c] && !busy[c]) {
            painter.setPen(QPen(t.border, 1, Qt::DashLine));
            painter.setBrush(t.window);
            painter.drawEllipse(l.node(step, c), radius * 0.9, radius * 0.9);
            if (c == followed)
                paintFollowFrame(painter,
                                 QRectF(l.node(step, c) - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)), t);
            if (text) {
                paintText(painter, QRectF(l.node(step, c) - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)),
                          QString::number(c), idle, fadedTo(t.textMuted, t, 0.25), Qt::AlignCenter);
            }
        }
    }
    if (waiting)
        return;
    for (const std::uint32_t row : s.tree().steps[step].sums) {
        const ReductionValue& v = s.tree().values[row];
        if (v.column < first || v.column >= last || (s.selection.motion.playing && v.time > s.selection.time))
            continue;
        const QPointF at = l.node(step, v.column);
        const bool waits = later || comeOf(s, row) < (s.selection.motion.playing ? arrival : 1);
        const QColor fill = waits ? fadedTo(sumColour(s, v), t, 0.7) : sumColour(s, v);
        if (l.pitch < shapePitch) {
            painter.fillRect(QRectF(at.x() - std::max(0.6, l.pitch * 0.4), at.y() - radius * 1.5,
                                    std::max(1.2, l.pitch * 0.8), radius * 3),
                             fill);
            continue;
        }
        const bool chosen = s.selection.warp == v.warp && s.selection.lane == int(v.thread % lanesPerWarp);
        painter.setPen(chosen ? QPen(t.text, 2.5) : v.raced ? QPen(t.wrong, 2) : QPen(t.window, 1.5));
        painter.setBrush(v.raced && !later ? fadedTo(t.wrong, t, 0.7) : fill);
        painter.drawEllipse(at, radius, radius);
        if (s.selection.followed == FollowedThread{v.warp, int(v.thread % lanesPerWarp)})
            paintFollowed(painter,
                          QRectF(at - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)).adjusted(-3, -3, 3, 3),
                          t);
        if (text) {
            paintText(painter, QRectF(at - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)),
                      QString::number(v.thread), font, later || v.raced ? t.text : QColor(0x20160a), Qt::AlignCenter);
        }
    }
}

void paintWarpBorders(QPainter& painter, const ReductionScene& s) {
    const ReductionLayout& l = s.layout;
    const QFont font = s.theme.small();
    const qreal y = l.plot.top() - lineHeight(font) - 2;
    const int warps = int(warpsFor(s.tree().threads));
    qreal free = l.plot.left();
    const qreal label = textWidth(font, ReductionText::tr("warp %1").arg(std::max(0, warps - 1))) + 10;
    const int every = std::max(1, int(std::ceil(label / (lanesPerWarp * l.pitch)))); // warps between two names
    for (int w = 0; w < warps; ++w) {
        const qreal x0 = l.left + w * lanesPerWarp * l.pitch,
                    x1 = std::min(x0 + lanesPerWarp * l.pitch, l.left + l.columns * l.pitch);
        if (x1 < l.plot.left() || x0 > l.plot.right() || w * lanesPerWarp >= l.columns)
            continue;
        if (w > 0 && x0 >= l.plot.left()) {
            painter.setPen(QPen(fadedTo(s.theme.textMuted, s.theme, 0.3), 1, Qt::DashDotLine));
            painter.drawLine(QPointF(x0, l.plot.top() - (x0 < free ? 0 : 6)), QPointF(x0, l.plot.bottom()));
        }
        if (w % every != 0)
            continue;
        const QString text = ReductionText::tr("warp %1").arg(w);
        const qreal left = std::max({x0 + 3, l.plot.left(), free});
        if (l.plot.right() - left >= textWidth(font, text) && (every > 1 || x1 - left >= textWidth(font, text))) {
            paintText(painter, {left, y, textWidth(font, text) + 2, lineHeight(font)}, text, font, s.theme.textMuted);
            free = left + textWidth(font, text) + 8;
        }
    }
}

} // namespace

void paintReductionTree(QPainter& painter, const ReductionScene& s) {
    const QRectF& plot = s.layout.plot;
    paintWarpBorders(painter, s);
    painter.save();
    painter.setClipRect(plot.adjusted(-1, -1, 1, 1), Qt::IntersectClip);
    for (int step = 0; step < s.layout.steps; ++step) {
        if (s.layout.cellRect(step, 0).top() <= plot.bottom() &&
            s.layout.cellRect(step + 1, 0).bottom() >= plot.top()) {
            if (hiddenStep(s, step))
                continue;
            paintNodes(painter, s, step, true);
            paintEdges(painter, s, step);
            paintNodes(painter, s, step, false);
        }
    }
    for (int row = 0; row <= s.layout.steps; ++row)
        paintCells(painter, s, row);
    for (int step = 0; s.selection.motion.playing && step < s.layout.steps; ++step)
        paintTravellers(painter, s, step);
    painter.restore();
}

void paintReductionParts(QPainter& painter, const ReductionScene& s, std::uint32_t value) {
    std::vector<bool> part(s.tree().values.size(), false);
    part[value] = true;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(s.theme.text, 2));
    for (std::uint32_t i = value + 1; i-- > 0;) {
        if (!part[i])
            continue;
        const ReductionValue& v = s.tree().values[i];
        for (const std::uint32_t in : v.inputs)
            part[in] = true;
        if (v.kind == Kind::Sum && s.layout.plot.contains(s.layout.node(int(v.step), v.column))) {
            painter.drawEllipse(s.layout.node(int(v.step), v.column), s.layout.nodeRadius() + 2,
                                s.layout.nodeRadius() + 2);
        }
    }
    const auto& first = s.rows()[0].values;
    for (std::size_t c = 0; c < first.size(); ++c)
        if (first[c] != noIndex && part[first[c]] && s.layout.plot.contains(s.layout.cellRect(0, int(c)).center()))
            painter.drawRect(s.layout.cellRect(0, int(c)).adjusted(-1, -1, 1, 1));
}

} // namespace warpglass
