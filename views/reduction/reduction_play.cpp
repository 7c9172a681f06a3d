// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reduction/reduction_play.h"

#include "views/common/marks.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr std::size_t mostBeats = 256; // of more moments, some are passed over and their sums appear whole
constexpr qreal leastForText = 22;     // px of a column
constexpr double beatsOfSum = 2;       // numbers travel, the sum is written: two things to see

void paintTraveller(QPainter& painter, const ReductionScene& s, QPointF at, const ReductionValue& value, bool fine) {
    const Theme& t = s.theme;
    painter.setBrush(t.panel);
    painter.setPen(QPen(t.accent, 1.6));
    if (!fine) {
        painter.setBrush(t.accent);
        painter.drawEllipse(at, 2.5, 2.5);
        return;
    }
    QFont bold = t.body();
    bold.setBold(true);
    bold = fittedFont(bold, valueText(value), s.layout.pitch - 8);
    const qreal height = lineHeight(bold) + 2, width = std::max(height, textWidth(bold, valueText(value)) + 8);
    const QRectF chip(at.x() - width / 2, at.y() - height / 2, width, height);
    painter.drawRoundedRect(chip, height / 2, height / 2);
    paintText(painter, chip, valueText(value), bold, t.text, Qt::AlignCenter);
}

} // namespace

double comeOf(const ReductionScene& s, std::uint32_t sum) {
    const ReductionValue& v = s.tree().values[sum];
    const Motion& motion = s.selection.motion;
    if (!motion.playing)
        return toCome(s, int(v.step)) ? 0 : 1;
    if (v.time == s.selection.time)
        return motion.way;
    return v.time < s.selection.time ? 1 : 0;
}

bool hiddenStep(const ReductionScene& s, int step) {
    return s.selection.motion.playing && step > s.current;
}

bool resultKnown(const ReductionScene& s) {
    if (s.selection.motion.playing)
        return comeOf(s, s.tree().root) >= 1;
    return !s.playing || s.tree().values[s.tree().root].time <= s.selection.time;
}

QPainterPath edgePath(const ReductionLayout& l, int step, int from, int column) {
    const QPointF node = l.node(step, column);
    const qreal x = l.x(from), top = l.cellRect(step, 0).bottom();
    QPainterPath path(QPointF(x, top));
    if (std::abs(x - node.x()) < 0.5) {
        path.lineTo(node);
        return path;
    }
    const qreal side = x > node.x() ? 1 : -1, r = l.nodeRadius(), height = node.y() - top;
    const QPointF shoulder(node.x() + side * r * 0.8, node.y() - r * 0.6);
    const qreal reach = std::min(std::abs(x - node.x()) * 0.6, 4 * r + 40);
    path.cubicTo({x, top + height * 0.62}, {shoulder.x() + side * reach, node.y() - std::min(1.7 * r, height * 0.5)},
                 shoulder);
    return path;
}

QPointF numberAt(const ReductionLayout& l, int step, int from, int column, double come) {
    return edgePath(l, step, from, column).pointAtPercent(std::clamp(come / arrival, 0.0, 1.0));
}

void paintTravellers(QPainter& painter, const ReductionScene& s, int step) {
    const ReductionLayout& l = s.layout;
    const bool fine = l.pitch >= leastForText;
    for (const std::uint32_t sum : s.tree().steps[std::size_t(step)].sums) {
        const double come = comeOf(s, sum);
        if (come <= 0 || come >= 1)
            continue;
        const ReductionValue& v = s.tree().values[sum];
        if (come >= arrival) { // the sum, on its way into its cell
            const QPointF node = l.node(step, v.column), cell = l.cellRect(step + 1, v.column).center();
            paintTraveller(painter, s, node + (cell - node) * ((come - arrival) / (1 - arrival)), v, fine);
            continue;
        }
        for (const std::uint32_t in : v.inputs) {
            const std::uint32_t at = drawnInput(s.tree(), in);
            const int from = s.tree().values[at].column;
            if (from < 0 || from >= l.columns || s.rows()[std::size_t(step)].values[std::size_t(from)] == noIndex)
                continue; // no row shows it
            const QPointF where = numberAt(l, step, from, v.column, come);
            if (l.plot.adjusted(-l.pitch, 0, l.pitch, 0).contains(where))
                paintTraveller(painter, s, where, s.tree().values[at], fine);
        }
    }
}

std::vector<Beat> reductionBeats(const ReductionScene& scene, const ReductionScene* second, Time shift) {
    std::vector<Time> times;
    for (const ReductionScene* s : {&scene, second})
        if (s)
            for (const ReductionStep& step : s->tree().steps)
                for (const std::uint32_t sum : step.sums)
                    times.push_back(s->tree().values[sum].time - (s == second ? shift : Time{}));
    std::vector<Beat> beats = beatsOf(std::move(times), mostBeats);
    for (Beat& beat : beats)
        beat.weight = beatsOfSum;
    return beats;
}

} // namespace warpglass
