// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/ghost.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"

#include <QCoreApplication>

#include <cmath>

namespace warpglass {

namespace {

struct GhostText {
    Q_DECLARE_TR_FUNCTIONS(Ghost)
};

QColor translucent(QColor colour, float alpha) {
    colour.setAlphaF(alpha);
    return colour;
}

} // namespace

bool recordsLaunchOf(const Trace& recorded, const Trace& modelled) {
    const TraceInfo &r = recorded.info, &m = modelled.info;
    if (recorded.launches.empty() || modelled.launches.empty() || r.timeUnit != TimeUnit::Nanoseconds ||
        m.timeUnit != TimeUnit::Nanoseconds || r.timeOrigin != Origin::Measured || m.timeOrigin != Origin::Modelled ||
        r.mode != m.mode)
        return false;
    const Launch &a = recorded.launches.front(), &b = modelled.launches.front();
    return recorded.kernelOf(a).name == modelled.kernelOf(b).name && a.grid == b.grid && a.block == b.block;
}

double GhostTimes::error() const {
    return measured.value > 0 ? 100.0 * double((modelled - measured).value) / double(measured.value) : 0;
}

GhostTimes ghostTimes(const Trace& recorded, const Trace& modelled) {
    const Launch &there = recorded.launches.front(), &here = modelled.launches.front();
    const Time probed = there.end - there.start;
    const double clean = recorded.kernelOf(there).cleanDurationNs;
    return {recorded.info.deviceName, here.end - here.start, clean > 0 ? Time{std::llround(clean)} : probed, probed};
}

QString ghostErrorText(double percent) {
    return (percent >= 0 ? QStringLiteral("+") : QStringLiteral("−")) + percentText(std::abs(percent), 0);
}

QString ghostProbesText(const GhostTimes& times) {
    if (double(times.recorded.value) <= 1.2 * double(times.measured.value))
        return {};
    return GhostText::tr("GPU drawn with probes: %1").arg(timeText(times.recorded, TimeUnit::Nanoseconds));
}

QColor modelOnlyColour(const Theme& theme) {
    return theme.wrong;
}
QColor gpuOnlyColour(const Theme& theme) {
    return theme.originMeasured;
}

void paintGhostPart(QPainter& painter, const QRectF& where, const QColor& colour) {
    painter.fillRect(where, translucent(colour, 0.34F));
    if (where.width() > 6 && where.height() > 6)
        paintHatch(painter, where, Hatch::Diagonal, translucent(colour, 0.8F));
}

double paintGhostKey(QPainter* painter, const QRectF& where, const GhostTimes& times, const Theme& theme) {
    const QFont small = theme.small();
    struct Entry {
        QColor colour;
        bool part; // of one of them alone
        QString text;
    };
    const Entry entries[] = {
        {gpuOnlyColour(theme), false, GhostText::tr("measured on %1").arg(QString::fromStdString(times.device))},
        {gpuOnlyColour(theme), true, GhostText::tr("GPU only")},
        {modelOnlyColour(theme), true, GhostText::tr("model only")}};
    const double line = lineHeight(small), side = line * 0.8, gap = line * 0.9;
    double tints = -gap;
    for (const Entry& entry : entries)
        tints += side + 5 + textWidth(small, entry.text) + 2 + gap;
    const QString apart = GhostText::tr("launch: model %1, GPU %2 (%3)")
                              .arg(timeText(times.modelled, TimeUnit::Nanoseconds),
                                   timeText(times.measured, TimeUnit::Nanoseconds), ghostErrorText(times.error()));
    const QString probes = ghostProbesText(times);
    const QString said =
        firstThatFits({probes.isEmpty() ? apart : apart + QStringLiteral(" · ") + probes, apart, QString()}, small,
                      where.width() - tints - gap - 2);
    const double width = tints + (said.isEmpty() ? 0 : gap + textWidth(small, said) + 2);
    if (!painter)
        return width;
    double x = where.right() - width;
    for (const Entry& entry : entries) {
        const QRectF cell(x, where.center().y() - side / 2, side, side);
        entry.part ? paintGhostPart(*painter, cell, entry.colour)
                   : painter->fillRect(cell, translucent(entry.colour, 0.12F));
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(entry.colour, 1));
        painter->drawRect(cell);
        const double text = textWidth(small, entry.text) + 2;
        paintText(*painter, {x + side + 5, where.top(), text, where.height()}, entry.text, small, theme.text);
        x += side + 5 + text + gap;
    }
    if (!said.isEmpty())
        paintText(*painter, {x, where.top(), where.right() - x + 2, where.height()}, said, small, theme.text);
    return width;
}

} // namespace warpglass
