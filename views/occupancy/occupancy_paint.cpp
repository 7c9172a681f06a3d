// SPDX-License-Identifier: GPL-3.0-or-later
// Gauges on top, a container for each resource of the SM in the middle, filled block by block, and a curve for each input
// below.
#include "views/occupancy/occupancy_scene.h"

#include "views/common/agreeing.h"
#include "views/common/ghost.h"
#include "views/common/marks.h"
#include "views/common/pinned.h"
#include "views/common/ticks.h"
#include "views/occupancy/occupancy_text.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

QString resourceName(Container::Resource resource) {
    switch (resource) {
    case Container::Resource::Warps:
        return OccupancyText::tr("warp slots");
    case Container::Resource::Registers:
        return OccupancyText::tr("registers");
    case Container::Resource::Shared:
        return OccupancyText::tr("shared memory");
    case Container::Resource::Blocks:
        return OccupancyText::tr("block slots");
    case Container::Resource::Barriers:
        return OccupancyText::tr("barriers");
    }
    return {};
}

QString amount(Container::Resource resource, double value) {
    if (resource == Container::Resource::Shared)
        return OccupancyText::tr("%1 KB").arg(
            decimalText(value / 1024, value < 100 * 1024 && std::int64_t(value) % 1024 != 0 ? 1 : 0));
    return numberText(std::int64_t(value));
}

QString kilo(double value) { // 65,536 are 64 K
    QString text = decimalText(value / 1024, 2);
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text;
}

// How much of how much; where that is too long, in thousands: a number is never cut off.
QString usedOf(const Container& c, double used, const QFont& font, double room) {
    if (c.perBlock <= 0)
        return OccupancyText::tr("none used");
    QString text = OccupancyText::tr("%1 of %2").arg(amount(c.resource, used), amount(c.resource, c.capacity));
    if (textWidth(font, text) <= room || (c.resource != Container::Resource::Shared && c.capacity < 10'000))
        return text;
    return c.resource == Container::Resource::Shared ? OccupancyText::tr("%1 / %2 KB").arg(kilo(used), kilo(c.capacity))
                                                     : OccupancyText::tr("%1 / %2 K").arg(kilo(used), kilo(c.capacity));
}

// labels: what is told, in full and in brief. Where number and origin have no room beside each other, the origin stands
// beside the label.
void paintGauge(QPainter& painter, const QRectF& where, const QStringList& labels, double percent, const QString& note,
                std::optional<Origin> origin, std::optional<double> pinned, const Theme& theme) {
    const double line = lineHeight(theme.body());
    const QString text = percent < 0 ? QString(QChar(0x2014)) : percentText(percent, 1);
    const double width = paintText(painter, QRectF(where.left(), where.top() + line * 1.2, where.width(), line * 1.9),
                                   text, theme.figure(), theme.text);
    const double chip = origin ? chipWidth(originName(*origin), theme) : 0;
    const bool above = width + 10 + chip > where.width();
    if (origin && above)
        paintOriginChip(painter, {where.right() - chip, where.top() + (line * 1.2 - chipHeight(theme)) / 2}, *origin,
                        theme);
    else if (origin)
        paintOriginChip(painter, QPointF(where.left() + width + 10, where.top() + line * 1.6), *origin, theme);
    const QRectF label(where.left(), where.top(), where.width() - (origin && above ? chip + 6 : 0), line * 1.2);
    const QString named = firstThatFits(labels, theme.small(), label.width());
    paintText(painter, label, named, textWidth(theme.body(), named) <= label.width() ? theme.body() : theme.small(),
              theme.textMuted);
    if (percent >= 0)
        paintShareBar(painter, QRectF(where.left(), where.top() + line * 3.2, where.width(), line * 0.5),
                      std::clamp(percent / 100, 0.0, 1.0), theme.laneOn, theme);
    if (pinned) { // how far the bar of the pinned run went
        const QRectF bar(where.left(), where.top() + line * 3.1, where.width(), line * 0.7);
        paintPinnedFrame(
            painter, {bar.left(), bar.top(), bar.width() * std::clamp(*pinned / 100, 0.0, 1.0), bar.height()}, theme);
        const QString was = OccupancyText::tr("A %1").arg(percentText(*pinned, 1));
        const QRectF free(where.left() + width + (origin && !above ? chip + 20 : 10), where.top() + line * 1.2,
                          where.width(), line * 1.9);
        if (free.left() + textWidth(theme.small(), was) <= where.right())
            paintText(painter, free, was, theme.small(), theme.textMuted);
    }
    const QRectF below(where.left(), where.top() + line * 3.8, where.width(), line * 1.2);
    if (textWidth(theme.small(), note) > where.width() &&
        paintParagraph(nullptr, below, note, theme.small(), {}) <= where.bottom() - below.top() + line * 0.3)
        paintParagraph(&painter, below, note, theme.small(), theme.textMuted);
    else
        paintText(painter, below, note, theme.small(), theme.textMuted);
}

// Beside the model's number the GPU's own, where the launch was recorded on one.
QString ghostText(const OccupancyScene& scene, const QString& without) {
    const Achieved* ghost = scene.ghost.get();
    if (!ghost || !ghost->percent || !scene.achieved->percent)
        return without;
    return OccupancyText::tr("on the GPU %1 (measured); model %2 points %3")
        .arg(percentText(*ghost->percent, 1), decimalText(std::abs(*scene.achieved->percent - *ghost->percent), 1),
             *scene.achieved->percent >= *ghost->percent ? OccupancyText::tr("above") : OccupancyText::tr("below"));
}

// The GPU's curve on its own time, which ends where its launch ended; between the two lines lies what only one has.
void paintGhost(QPainter& painter, const QRectF& plot, const OccupancyScene& scene) {
    const Theme& theme = scene.theme;
    const Achieved &own = *scene.achieved, &gpu = *scene.ghost;
    const auto height = [&](const Achieved& of, std::size_t c) {
        return c < of.resident.size() ? plot.height() * std::clamp(of.resident[c], 0.0, 1.0) : 0;
    };
    QPolygonF curve;
    for (std::size_t c = 0; c < own.resident.size(); ++c) {
        const double a = height(own, c), b = height(gpu, c), x = plot.left() + double(c);
        if (std::abs(a - b) > 1) {
            QColor tint = a > b ? modelOnlyColour(theme) : gpuOnlyColour(theme);
            tint.setAlphaF(0.34F);
            painter.fillRect(QRectF(x, plot.bottom() - std::max(a, b), 1, std::abs(a - b)), tint);
        }
        curve << QPointF(x, plot.bottom() - b) << QPointF(x + 1, plot.bottom() - b);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.panel, 3.5));
    painter.drawPolyline(curve);
    painter.setPen(QPen(gpuOnlyColour(theme), 1.8));
    painter.drawPolyline(curve);
}

void paintGauges(QPainter& painter, const OccupancyScene& scene) {
    const Theme& theme = scene.theme;
    const Occupancy& result = scene.result;
    const double line = lineHeight(theme.body());
    paintGauge(painter, scene.layout.gauge[0],
               {OccupancyText::tr("theoretical occupancy"), OccupancyText::tr("theoretical")}, result.percent,
               (result.blocksPerSm == 1 ? OccupancyText::tr("%1 block, %2 of %3 warps on an SM")
                                        : OccupancyText::tr("%1 blocks, %2 of %3 warps on an SM"))
                   .arg(result.blocksPerSm)
                   .arg(result.activeWarps)
                   .arg(result.maxWarps),
               std::nullopt, scene.pinnedTheoretical, theme);
    const Achieved& achieved = *scene.achieved;
    paintGauge(painter, scene.layout.gauge[1], {OccupancyText::tr("achieved occupancy"), OccupancyText::tr("achieved")},
               achieved.percent.value_or(-1),
               ghostText(scene, achieved.percent
                                    ? OccupancyText::tr("of the launch that is open, averaged over its time")
                                    : OccupancyText::tr("run with the timing model, or on a GPU, to see it")),
               achieved.percent ? std::optional(achieved.origin) : std::nullopt, scene.pinnedAchieved, theme);
    const QRectF& third = scene.layout.residency;
    if (third.isEmpty())
        return;
    paintText(painter, QRectF(third.left(), third.top(), third.width(), line * 1.2),
              OccupancyText::tr("warps resident over time, all SMs"), theme.body(), theme.textMuted);
    const QRectF& plot = scene.layout.residencyPlot;
    painter.fillRect(plot, theme.sunken);
    if (!achieved.trace)
        return;
    for (std::size_t c = 0; c < achieved.resident.size(); ++c) {
        const double h = plot.height() * std::clamp(achieved.resident[c], 0.0, 1.0);
        painter.fillRect(QRectF(plot.left() + double(c), plot.bottom() - h, 1.0, h), theme.laneOn);
    }
    if (scene.ghost)
        paintGhost(painter, plot, scene);
    const double y = plot.bottom() - plot.height() * result.percent / 100;
    painter.setPen(QPen(theme.attention, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    paintText(painter, QRectF(third.left(), plot.bottom() + 2, third.width(), line * 1.2),
              scene.ghost ? OccupancyText::tr("dashed: theoretical · line: GPU (measured)")
                          : OccupancyText::tr("dashed: theoretical occupancy"),
              theme.small(), theme.textMuted);
}

// small: some name has no room in the type of the others.
void paintContainer(QPainter& painter, const QRectF& where, const Container& c, std::uint32_t blocks, bool small,
                    const Theme& theme) {
    if (where.isEmpty())
        return;
    const double line = lineHeight(theme.body());
    const QRectF box(where.left() + where.width() * 0.12, where.top() + line * 1.6, where.width() * 0.76,
                     std::max(line * 2, where.height() - line * 5.2));
    const QString name = resourceName(c.resource);
    const auto space = name.indexOf(QLatin1Char(' '));
    const QFont font = small ? theme.small() : theme.body();
    if (space > 0 && textWidth(font, name) > where.width()) { // its two words, one over the other
        const QRectF upper(where.left(), where.top() - line * 0.3, where.width(), line * 0.95);
        paintText(painter, upper, name.left(space), theme.small(), theme.text, Qt::AlignCenter);
        paintText(painter, upper.translated(0, line * 0.85), name.mid(space + 1), theme.small(), theme.text,
                  Qt::AlignCenter);
    } else {
        paintText(painter, QRectF(where.left(), where.top(), where.width(), line * 1.4), name, font, theme.text,
                  Qt::AlignCenter);
    }
    painter.fillRect(box, theme.sunken);
    const double unit = c.capacity > 0 ? box.height() * c.perBlock / c.capacity : 0;
    for (std::uint32_t b = 0; b < blocks && unit > 0; ++b) {
        const double bottom = box.bottom() - b * unit;
        const QRectF cell = QRectF(box.left(), bottom - unit, box.width(), unit).adjusted(1, unit > 4 ? 1 : 0, -1, 0);
        painter.fillRect(cell, theme.category(int(b)));
        if (unit > line * 0.95)
            paintText(painter, cell, OccupancyText::tr("block %1").arg(b), theme.small(), inkOn(theme.category(int(b))),
                      Qt::AlignCenter);
    }
    // What would come next: the block that does not fit is drawn past the rim, hatched.
    const double free = box.height() - blocks * unit;
    if (free > 2 && unit > 0)
        paintHatch(painter, QRectF(box.left(), box.top(), box.width(), free), Hatch::Diagonal, theme.border);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(c.limits ? theme.attention : theme.border, c.limits ? 2.5 : 1));
    painter.drawRect(box);
    const double y = box.bottom() + line * 0.2;
    const QString used = usedOf(c, blocks * c.perBlock, theme.small(), where.width());
    const QFont narrow = fittedFont(theme.small(), used, where.width() - 4); // beside its neighbour's
    paintText(painter, QRectF(where.left(), y, where.width(), line * 1.2), used, narrow, theme.text, Qt::AlignCenter);
    QString room = c.limit == unlimited ? OccupancyText::tr("no limit")
                                        : OccupancyText::tr("room for %1").arg(numberText(std::int64_t(c.limit)));
    if (c.limit != unlimited && textWidth(theme.small(), room) > where.width())
        room = OccupancyText::tr("%1 fit").arg(numberText(std::int64_t(c.limit)));
    paintText(painter, QRectF(where.left(), y + line * 1.1, where.width(), line * 1.2), room, theme.small(),
              theme.textMuted, Qt::AlignCenter);
    if (c.limits)
        paintText(painter, QRectF(where.left(), y + line * 2.2, where.width(), line * 1.3),
                  OccupancyText::tr("▲ limits"), theme.body(), theme.attention, Qt::AlignCenter);
}

QString limiters(const std::vector<Container>& list) {
    QStringList names;
    for (const Container& c : list)
        if (c.limits)
            names << resourceName(c.resource);
    return names.join(OccupancyText::tr(" and "));
}

void paintExplanation(QPainter& painter, const QRectF& where, const OccupancyQuestion& question,
                      const Occupancy& result, const std::vector<Container>& list, const Theme& theme) {
    const double line = lineHeight(theme.body());
    const NaiveOccupancy naive = naiveOccupancy(*question.limits, question.input);
    double y = where.top();
    const auto height = [&](const QString& text, const QFont& font) {
        return paintParagraph(nullptr, QRectF(where.left(), y, where.width(), where.height()), text, font, theme.text);
    };
    const auto paragraph = [&](const QString& text, const QFont& font, const QColor& colour) {
        const double high = height(text, font);
        if (y + high <= where.bottom() + 1)
            paintParagraph(&painter, QRectF(where.left(), y, where.width(), where.bottom() - y), text, font, colour);
        y += high + line * 0.5;
    };
    // A heading and what stands under it: both or neither.
    const auto section = [&](const QString& heading, const QString& text, const QColor& colour) {
        if (y + height(heading, theme.title()) + line * 0.5 + height(text, theme.body()) > where.bottom() + 1)
            y = where.bottom() + line;
        paragraph(heading, theme.title(), theme.text);
        paragraph(text, theme.body(), colour);
    };
    const QString stopped = limiters(list), hardware = OccupancyText::tr("As the hardware allocates");
    if (result.blocksPerSm == 0)
        section(hardware,
                OccupancyText::tr("This launch is refused: not even one block fits. It is stopped by %1.").arg(stopped),
                theme.wrong);
    else
        section(
            hardware,
            agreeing(OccupancyText::tr("%1 {block|blocks} = %2 {warp|warps} = %3. The next block is stopped by %4."),
                     result.blocksPerSm, result.activeWarps, percentText(result.percent, 1), stopped),
            theme.text);
    section(OccupancyText::tr("As a plain division computes"),
            OccupancyText::tr("%1 of %2 warps = %3")
                .arg(naive.warps)
                .arg(question.limits->warpsPerSm)
                .arg(percentText(naive.percent, 1)),
            theme.text);
    if (naive.warps != result.activeWarps)
        paragraph(
            agreeing(OccupancyText::tr(
                         "They differ because hardware hands out whole blocks of %1 {warp|warps}, registers in units "
                         "of %2 a warp "
                         "from %3 separate parts, and shared memory in units of %4 bytes after %5 reserved ones."),
                     warpsFor(question.input.threads), question.limits->registerUnit, question.limits->subPartitions,
                     question.limits->sharedUnit, question.limits->sharedReserved),
            theme.body(), theme.text);
    else
        paragraph(OccupancyText::tr("Both agree here: the units of allocation happen to fit."), theme.body(),
                  theme.textMuted);
    const std::uint32_t partial = question.input.threads % 32;
    if (partial != 0)
        paragraph(agreeing(OccupancyText::tr(
                               "%1 {thread leaves|threads leave} %2 {lane|lanes} of the last warp without a thread."),
                           question.input.threads, 32 - partial),
                  theme.body(), theme.attention);
}

// Marks a CUDA programmer thinks in: 256 threads, 64 registers, 16 KB.
std::vector<std::int64_t> axisMarks(Axis axis, std::int64_t last) {
    const std::int64_t step = axis == Axis::Threads     ? 256
                              : axis == Axis::Registers ? 64
                              : last > 100 * 1024       ? 32768
                                                        : 16384;
    std::vector<std::int64_t> marks;
    for (std::int64_t mark = axis == Axis::Shared ? 0 : step; mark <= last; mark += step)
        marks.push_back(mark);
    return marks;
}

void paintCurve(QPainter& painter, const OccupancyScene& scene, std::size_t n) {
    const Theme& theme = scene.theme;
    const OccupancyQuestion& question = scene.question;
    const Axis axis = occupancyAxes[n].axis;
    const QRectF &frame = scene.layout.curve[n], &plot = scene.layout.plot[n];
    if (frame.isEmpty())
        return;
    const double line = lineHeight(theme.body());
    const QString title = occupancyAxisTitle(axis, question.input, question.registersEstimated);
    if (scene.layout.narrow) { // in two lines, in smaller type where they would be three
        const QRectF room(frame.left(), frame.top(), frame.width(), plot.top() - frame.top() - line * 0.5);
        QFont font = theme.small();
        while (font.pixelSize() > Theme::leastPixels &&
               paintParagraph(nullptr, room, title, font, theme.text) > room.height())
            font.setPixelSize(font.pixelSize() - 1);
        paintShortParagraph(painter, room, title, font, theme.text);
    } else {
        paintText(painter, QRectF(frame.left(), frame.top(), frame.width(), line * 1.4), title, theme.body(),
                  theme.text);
    }
    for (int percent = 0; percent <= 100; percent += 25) {
        const double y = plot.bottom() - plot.height() * percent / 100;
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        if (percent % 50 == 0)
            paintText(painter,
                      QRectF(frame.left(), y - line * 0.6, plot.left() - frame.left() - line * 0.5, line * 1.2),
                      QString("%1 %").arg(percent), theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    }
    const std::vector<CurvePoint>& curve = scene.curves[n];
    if (curve.empty())
        return;
    const double first = curve.front().x, last = curve.back().x;
    const auto at = [&](double x, double percent) {
        return QPointF(plot.left() + (x - first) / (last - first) * plot.width(),
                       plot.bottom() - plot.height() * percent / 100);
    };
    QPainterPath path(at(first, curve.front().percent));
    for (std::size_t i = 1; i < curve.size(); ++i) {
        path.lineTo(at(curve[i - 1].x, curve[i].percent)); // sizes are rounded up: a step begins just after its unit
        path.lineTo(at(curve[i].x, curve[i].percent));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.laneOn, 2));
    painter.drawPath(path);
    double taken = frame.left(); // by the mark before
    for (std::int64_t tick : axisMarks(axis, std::int64_t(last))) {
        const double x = at(double(tick), 0).x();
        const QString text = axis == Axis::Shared ? OccupancyText::tr("%1 KB").arg(tick / 1024) : numberText(tick);
        const double width = textWidth(theme.small(), text);
        const double left = std::min(x - width / 2, frame.right() - width); // the last one stays inside
        if (left < taken)
            continue;
        taken = left + width + line * 0.4;
        paintText(painter, QRectF(left, plot.bottom() + line * 0.4, width + 2, line * 1.2), text, theme.small(),
                  theme.textMuted, Qt::AlignLeft | Qt::AlignTop);
    }
    const double value = std::clamp<double>(valueOf(question.input, axis), first, last);
    const QPointF now = at(value, scene.result.percent);
    painter.setPen(QPen(theme.attention, 1, Qt::DashLine));
    painter.drawLine(QPointF(now.x(), plot.bottom()), now);
    painter.setPen(QPen(theme.panel, 2));
    painter.setBrush(theme.attention);
    painter.drawEllipse(now, line * 0.42, line * 0.42);
}

} // namespace

QString occupancyAxisTitle(Axis axis, const OccupancyInput& input, bool registersEstimated) {
    const auto value = std::int64_t(valueOf(input, axis));
    switch (axis) {
    case Axis::Threads:
        return OccupancyText::tr("threads a block: %1").arg(value);
    case Axis::Registers:
        return value == 0           ? OccupancyText::tr("registers a thread: not known")
               : registersEstimated ? OccupancyText::tr("registers a thread: %1 (estimated)").arg(value)
                                    : OccupancyText::tr("registers a thread: %1").arg(value);
    case Axis::Shared:
        return OccupancyText::tr("shared memory a block: %1 bytes").arg(numberText(value));
    }
    return {};
}

void paintOccupancy(QPainter& painter, const OccupancyScene& scene) {
    const OccupancyLayout& layout = scene.layout;
    const CapabilityLimits& limits = *scene.question.limits;
    const QString kernel = scene.what.isEmpty() ? OccupancyText::tr("what if") : scene.what;
    const QFont least = scene.theme.leastTitle();
    if (!layout.title.isNull())
        paintHeading(painter, layout.title,
                     firstThatFits({OccupancyText::tr("How full an SM is: %1, compute capability %2.%3")
                                        .arg(kernel, QString::number(limits.major), QString::number(limits.minor)),
                                    OccupancyText::tr("How full an SM is: %1").arg(kernel)},
                                   least, layout.title.width()),
                     scene.theme);
    paintGauges(painter, scene);
    const double width = layout.containers.width() / double(scene.containers.size());
    const bool small = std::any_of(scene.containers.begin(), scene.containers.end(), [&](const Container& c) {
        return textWidth(scene.theme.body(), resourceName(c.resource)) > width;
    });
    for (std::size_t i = 0; i < scene.containers.size(); ++i)
        paintContainer(painter,
                       QRectF(layout.containers.left() + double(i) * width, layout.containers.top(), width,
                              layout.containers.height()),
                       scene.containers[i], scene.result.blocksPerSm, small, scene.theme);
    paintExplanation(painter, layout.explanation, scene.question, scene.result, scene.containers, scene.theme);
    for (std::size_t n = 0; n < occupancyAxes.size(); ++n)
        paintCurve(painter, scene, n);
}

} // namespace warpglass
