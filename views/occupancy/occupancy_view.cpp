// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/occupancy/occupancy_view.h"

#include "gpu/metrics/metrics.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/occupancy/occupancy_model.h"

#include <QCoreApplication>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("OccupancyView", text);
}

struct Layout {
    QRectF title, gauges, containers, explanation, curves;
    QRectF curve[3], plot[3];
};

Layout layoutOf(const QRectF& area, const Theme& theme) {
    const double line = lineHeight(theme.body());
    const QRectF inner = area.adjusted(line * 1.2, line * 0.8, -line * 1.2, -line * 0.8);
    Layout l;
    l.title = QRectF(inner.left(), inner.top(), inner.width(), line * 1.7);
    const double rest = inner.bottom() - l.title.bottom() - line;
    l.gauges = QRectF(inner.left(), l.title.bottom() + line * 0.3, inner.width(),
                      std::clamp(rest * 0.18, line * 4.2, line * 6.0));
    const double below = inner.bottom() - l.gauges.bottom() - line * 2.0;
    const double middle = below * 0.54;
    const double explain = std::clamp(inner.width() * 0.36, line * 18, line * 32);
    l.containers = QRectF(inner.left(), l.gauges.bottom() + line, inner.width() - explain - line * 1.5, middle);
    l.explanation = QRectF(inner.right() - explain, l.containers.top(), explain, middle);
    l.curves = QRectF(inner.left(), l.containers.bottom() + line, inner.width(),
                      inner.bottom() - l.containers.bottom() - line);
    for (int i = 0; i < 3; ++i) {
        const double gap = line * 1.5;
        const double width = (l.curves.width() - 2 * gap) / 3;
        l.curve[i] = QRectF(l.curves.left() + i * (width + gap), l.curves.top(), width, l.curves.height());
        l.plot[i] = l.curve[i].adjusted(line * 2.6, line * 2.0, -line * 0.4, -line * 1.5);
    }
    return l;
}

OccupancyQuestion questionOf(const PaintContext& context) {
    return occupancyQuestion(context.trace.get(), context.selection.launch, context.options);
}

QString resourceName(Container::Resource resource) {
    switch (resource) {
    case Container::Resource::Warps:
        return tr("warp slots");
    case Container::Resource::Registers:
        return tr("registers");
    case Container::Resource::Shared:
        return tr("shared memory");
    case Container::Resource::Blocks:
        return tr("block slots");
    case Container::Resource::Barriers:
        return tr("barriers");
    }
    return {};
}

QString amount(Container::Resource resource, double value) {
    if (resource == Container::Resource::Shared)
        return tr("%1 KB").arg(
            decimalText(value / 1024, value < 100 * 1024 && std::int64_t(value) % 1024 != 0 ? 1 : 0));
    return numberText(std::int64_t(value));
}

void paintGauge(QPainter& painter, const QRectF& where, const QString& label, double percent, const QString& note,
                std::optional<Origin> origin, const Theme& theme) {
    const double line = lineHeight(theme.body());
    paintText(painter, QRectF(where.left(), where.top(), where.width(), line * 1.2), label, theme.body(),
              theme.textMuted);
    QFont big = theme.title();
    big.setPixelSize(int(QFontInfo(big).pixelSize() * 1.5));
    const QString text = percent < 0 ? QString(QChar(0x2014)) : percentText(percent, 1);
    const double width = paintText(painter, QRectF(where.left(), where.top() + line * 1.2, where.width(), line * 1.9),
                                   text, big, theme.text);
    if (origin)
        paintOriginChip(painter, QPointF(where.left() + width + 10, where.top() + line * 1.6), *origin, theme);
    if (percent >= 0)
        paintShareBar(painter, QRectF(where.left(), where.top() + line * 3.2, where.width(), line * 0.5),
                      std::clamp(percent / 100, 0.0, 1.0), theme.laneOn, theme);
    paintText(painter, QRectF(where.left(), where.top() + line * 3.8, where.width(), line * 1.2), note, theme.small(),
              theme.textMuted);
}

void paintGauges(QPainter& painter, const QRectF& where, const PaintContext& context, const Occupancy& result) {
    const Theme& theme = context.theme;
    const double line = lineHeight(theme.body());
    const double width = (where.width() - 4 * line) / 3;
    paintGauge(
        painter, QRectF(where.left(), where.top(), width, where.height()), tr("theoretical occupancy"), result.percent,
        tr("%1 blocks, %2 of %3 warps on an SM").arg(result.blocksPerSm).arg(result.activeWarps).arg(result.maxWarps),
        std::nullopt, theme);
    const QRectF second(where.left() + width + 2 * line, where.top(), width, where.height());
    std::optional<Metric> achieved;
    if (context.trace && context.selection.launch < context.trace->launches.size())
        achieved = metric(*context.trace, context.selection.launch, "achieved_occupancy");
    const bool known = achieved && achieved->value;
    paintGauge(painter, second, tr("achieved occupancy"), known ? *achieved->value : -1,
               known ? tr("of the launch that is open, averaged over its time") : tr("run a kernel to see it"),
               known ? std::optional<Origin>(achieved->origin) : std::nullopt, theme);
    const QRectF third(second.right() + 2 * line, where.top(), width, where.height());
    paintText(painter, QRectF(third.left(), third.top(), third.width(), line * 1.2),
              tr("warps resident over time, all SMs"), theme.body(), theme.textMuted);
    const QRectF plot(third.left(), third.top() + line * 1.4, third.width(),
                      std::max(line, third.height() - line * 2.8));
    painter.fillRect(plot, theme.sunken);
    if (context.trace) {
        const auto share = residencyOverTime(*context.trace, context.selection.launch, std::max(1, int(plot.width())));
        for (std::size_t c = 0; c < share.size(); ++c) {
            const double h = plot.height() * std::clamp(share[c], 0.0, 1.0);
            painter.fillRect(QRectF(plot.left() + double(c), plot.bottom() - h, 1.0, h), theme.laneOn);
        }
        const double y = plot.bottom() - plot.height() * result.percent / 100;
        painter.setPen(QPen(theme.attention, 1.2, Qt::DashLine));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        paintText(painter, QRectF(third.left(), plot.bottom() + 2, third.width(), line * 1.2),
                  tr("dashed: theoretical occupancy"), theme.small(), theme.textMuted);
    }
}

// Black or white, whichever is read better on the colour (relative luminance of WCAG 2).
QColor inkOn(const QColor& ground) {
    const double luminance = 0.2126 * ground.redF() + 0.7152 * ground.greenF() + 0.0722 * ground.blueF();
    return luminance > 0.45 ? QColor(0x10, 0x14, 0x18) : QColor(Qt::white);
}

void paintContainer(QPainter& painter, const QRectF& where, const Container& c, std::uint32_t blocks,
                    const Theme& theme) {
    const double line = lineHeight(theme.body());
    const QRectF box(where.left() + where.width() * 0.12, where.top() + line * 1.6, where.width() * 0.76,
                     std::max(line * 2, where.height() - line * 5.2));
    paintText(painter, QRectF(where.left(), where.top(), where.width(), line * 1.4), resourceName(c.resource),
              theme.body(), theme.text, Qt::AlignCenter);
    painter.fillRect(box, theme.sunken);
    const double unit = c.capacity > 0 ? box.height() * c.perBlock / c.capacity : 0;
    for (std::uint32_t b = 0; b < blocks && unit > 0; ++b) {
        const double bottom = box.bottom() - b * unit;
        const QRectF cell = QRectF(box.left(), bottom - unit, box.width(), unit).adjusted(1, unit > 4 ? 1 : 0, -1, 0);
        painter.fillRect(cell, theme.category(int(b)));
        if (unit > line * 0.95)
            paintText(painter, cell, tr("block %1").arg(b), theme.small(), inkOn(theme.category(int(b))),
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
    const double used = blocks * c.perBlock;
    paintText(painter, QRectF(where.left(), y, where.width(), line * 1.2),
              c.perBlock > 0 ? tr("%1 of %2").arg(amount(c.resource, used), amount(c.resource, c.capacity))
                             : tr("none used"),
              theme.small(), theme.text, Qt::AlignCenter);
    paintText(painter, QRectF(where.left(), y + line * 1.1, where.width(), line * 1.2),
              c.limit == unlimited ? tr("no limit") : tr("room for %1").arg(numberText(std::int64_t(c.limit))),
              theme.small(), theme.textMuted, Qt::AlignCenter);
    if (c.limits)
        paintText(painter, QRectF(where.left(), y + line * 2.2, where.width(), line * 1.3), tr("▲ limits"),
                  theme.body(), theme.attention, Qt::AlignCenter);
}

QString limiters(const std::vector<Container>& list) {
    QStringList names;
    for (const Container& c : list)
        if (c.limits)
            names << resourceName(c.resource);
    return names.join(tr(" and "));
}

void paintExplanation(QPainter& painter, const QRectF& where, const OccupancyQuestion& question,
                      const Occupancy& result, const std::vector<Container>& list, const Theme& theme) {
    const double line = lineHeight(theme.body());
    const NaiveOccupancy naive = naiveOccupancy(*question.limits, question.input);
    double y = where.top();
    const auto paragraph = [&](const QString& text, const QFont& font, const QColor& colour) {
        if (y < where.bottom() - line)
            y += paintParagraph(&painter, QRectF(where.left(), y, where.width(), where.bottom() - y), text, font,
                                colour) +
                 line * 0.5;
    };
    paragraph(tr("As the hardware allocates"), theme.title(), theme.text);
    if (result.blocksPerSm == 0)
        paragraph(tr("This launch is refused: not even one block fits. It is stopped by %1.").arg(limiters(list)),
                  theme.body(), theme.wrong);
    else
        paragraph(tr("%1 blocks = %2 warps = %3. The next block is stopped by %4.")
                      .arg(result.blocksPerSm)
                      .arg(result.activeWarps)
                      .arg(percentText(result.percent, 1), limiters(list)),
                  theme.body(), theme.text);
    paragraph(tr("As a plain division computes"), theme.title(), theme.text);
    paragraph(
        tr("%1 of %2 warps = %3").arg(naive.warps).arg(question.limits->warpsPerSm).arg(percentText(naive.percent, 1)),
        theme.body(), theme.text);
    if (naive.warps != result.activeWarps)
        paragraph(tr("They differ because hardware hands out whole blocks of %1 warps, registers in units of %2 a warp "
                     "from %3 separate parts, and shared memory in units of %4 bytes after %5 reserved ones.")
                      .arg(warpsFor(question.input.threads))
                      .arg(question.limits->registerUnit)
                      .arg(question.limits->subPartitions)
                      .arg(question.limits->sharedUnit)
                      .arg(question.limits->sharedReserved),
                  theme.body(), theme.text);
    else
        paragraph(tr("Both agree here: the units of allocation happen to fit."), theme.body(), theme.textMuted);
    const std::uint32_t partial = question.input.threads % 32;
    if (partial != 0)
        paragraph(tr("%1 threads leave %2 lanes of the last warp without a thread.")
                      .arg(question.input.threads)
                      .arg(32 - partial),
                  theme.body(), theme.attention);
}

constexpr Axis axes[] = {Axis::Threads, Axis::Registers, Axis::Shared};
constexpr const char* axisOptions[] = {"threads", "registers", "shared"};

QString axisTitle(Axis axis, const OccupancyInput& input) {
    const auto value = std::int64_t(valueOf(input, axis));
    switch (axis) {
    case Axis::Threads:
        return tr("threads a block: %1").arg(value);
    case Axis::Registers:
        return value == 0 ? tr("registers a thread: not known") : tr("registers a thread: %1").arg(value);
    case Axis::Shared:
        return tr("shared memory a block: %1 bytes").arg(numberText(value));
    }
    return {};
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

void paintCurve(QPainter& painter, const QRectF& frame, const QRectF& plot, Axis axis,
                const OccupancyQuestion& question, const Theme& theme) {
    const double line = lineHeight(theme.body());
    paintText(painter, QRectF(frame.left(), frame.top(), frame.width(), line * 1.4), axisTitle(axis, question.input),
              theme.body(), theme.text);
    for (int percent = 0; percent <= 100; percent += 25) {
        const double y = plot.bottom() - plot.height() * percent / 100;
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        if (percent % 50 == 0)
            paintText(painter, QRectF(frame.left(), y - line * 0.6, plot.left() - frame.left() - 5, line * 1.2),
                      QString("%1 %").arg(percent), theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    }
    const auto curve = occupancyCurve(*question.limits, question.input, axis);
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
    for (std::int64_t tick : axisMarks(axis, std::int64_t(last))) {
        const double x = at(double(tick), 0).x();
        const QString text = axis == Axis::Shared ? tr("%1 KB").arg(tick / 1024) : numberText(tick);
        paintText(painter, QRectF(x - line * 3, plot.bottom() + line * 0.4, line * 6, line * 1.2), text, theme.small(),
                  theme.textMuted, Qt::AlignHCenter | Qt::AlignTop);
    }
    const double value = std::clamp<double>(valueOf(question.input, axis), first, last);
    const QPointF now = at(value, occupancy(*question.limits, question.input).percent);
    painter.setPen(QPen(theme.attention, 1, Qt::DashLine));
    painter.drawLine(QPointF(now.x(), plot.bottom()), now);
    painter.setPen(QPen(theme.panel, 2));
    painter.setBrush(theme.attention);
    painter.drawEllipse(now, line * 0.42, line * 0.42);
}

// The value of an axis under a point of its plot, on the grid the hardware (or a person) thinks in.
std::uint32_t valueAt(const QRectF& plot, Axis axis, const OccupancyQuestion& question, double x) {
    const double share = std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0);
    switch (axis) {
    case Axis::Threads:
        return std::uint32_t(std::lround((32 + share * (question.limits->threadsPerBlock - 32)) / 32)) * 32;
    case Axis::Registers:
        return std::uint32_t(std::lround(1 + share * 254));
    case Axis::Shared: {
        const auto curve = occupancyCurve(*question.limits, question.input, axis);
        return std::uint32_t(std::lround(share * double(curve.back().x) / 256)) * 256;
    }
    }
    return 0;
}

class OccupancyView final : public View {
public:
    QString key() const override { return "occupancy"; }
    QString title() const override { return tr("Occupancy"); }
    QString question() const override { return tr("How full is an SM, and what stops the next block?"); }

    void paint(QPainter& painter, const QRectF& area, const PaintContext& context) const override {
        const Theme& theme = context.theme;
        const Layout layout = layoutOf(area, theme);
        const OccupancyQuestion question = questionOf(context);
        const Occupancy result = occupancy(*question.limits, question.input);
        const auto list = containers(*question.limits, question.input, result);
        const QString what = question.fromLaunch
                                 ? QString::fromStdString(
                                       context.trace->kernelOf(context.trace->launches[context.selection.launch]).name)
                                 : tr("what if");
        paintText(painter, layout.title,
                  tr("How full an SM is: %1, compute capability %2.%3")
                      .arg(what)
                      .arg(question.limits->major)
                      .arg(question.limits->minor),
                  theme.title(), theme.text);
        paintGauges(painter, layout.gauges, context, result);
        const double width = layout.containers.width() / double(list.size());
        for (std::size_t i = 0; i < list.size(); ++i)
            paintContainer(painter,
                           QRectF(layout.containers.left() + double(i) * width, layout.containers.top(), width,
                                  layout.containers.height()),
                           list[i], result.blocksPerSm, theme);
        paintExplanation(painter, layout.explanation, question, result, list, theme);
        for (int i = 0; i < 3; ++i)
            paintCurve(painter, layout.curve[i], layout.plot[i], axes[i], question, theme);
    }

    bool drag(const QRectF& area, PaintContext& context, QPointF from, QPointF to) const override {
        return moveTo(area, context, from, to);
    }
    bool press(const QRectF& area, PaintContext& context, QPointF at) const override {
        return moveTo(area, context, at, at);
    }

    bool key(const QRectF&, PaintContext& context, int key, Qt::KeyboardModifiers modifiers) const override {
        // Left and right change the threads, with Shift the registers, with Ctrl the shared memory; Home goes back to
        // the launch.
        if (key == Qt::Key_Home) {
            for (const char* option : axisOptions)
                context.options.remove(option);
            return true;
        }
        if (key != Qt::Key_Left && key != Qt::Key_Right)
            return false;
        const OccupancyQuestion question = questionOf(context);
        const int direction = key == Qt::Key_Right ? 1 : -1;
        const int axis = modifiers & Qt::ShiftModifier ? 1 : modifiers & Qt::ControlModifier ? 2 : 0;
        const int steps[] = {32, 1, 1024};
        const int most[] = {1024, 255, int(question.limits->sharedPerSm)};
        const int least[] = {32, 1, 0};
        const int now = int(valueOf(question.input, axes[axis]));
        context.options[axisOptions[axis]] = std::clamp(now + direction * steps[axis], least[axis], most[axis]);
        return true;
    }

    QString toolTip(const QRectF& area, const PaintContext& context, QPointF at) const override {
        const Layout layout = layoutOf(area, context.theme);
        const OccupancyQuestion question = questionOf(context);
        for (int i = 0; i < 3; ++i)
            if (layout.plot[i].contains(at)) {
                OccupancyInput input = question.input;
                const std::uint32_t value = valueAt(layout.plot[i], axes[i], question, at.x());
                (axes[i] == Axis::Threads     ? input.threads
                 : axes[i] == Axis::Registers ? input.registers
                                              : input.sharedDynamic) = value;
                if (axes[i] == Axis::Shared)
                    input.sharedStatic = 0;
                return axisTitle(axes[i], input) + "\n" + percentText(occupancy(*question.limits, input).percent, 1) +
                       "\n" + tr("click or drag: compute with it");
            }
        return {};
    }

    QVector<Switch> switches(const PaintContext& context) const override {
        Switch cc{"cc", tr("compute capability"), {}, ""};
        cc.choices.append({"", context.trace ? tr("as the launch") : tr("9.0")});
        for (const CapabilityLimits& limits : allCapabilities()) {
            const QString text = QString("%1.%2").arg(limits.major).arg(limits.minor);
            cc.choices.append({text, text});
        }
        return {cc,
                {"limit",
                 tr("shared memory"),
                 {{"default", tr("48 KB a block")}, {"optin", tr("opted in to more")}},
                 "default"}};
    }

    QString csv(const PaintContext& context) const override {
        const OccupancyQuestion question = questionOf(context);
        QString csv = "input,value,occupancy_pct,compute_capability,origin\n";
        for (int i = 0; i < 3; ++i)
            for (const CurvePoint& point : occupancyCurve(*question.limits, question.input, axes[i]))
                csv += QString("%1,%2,%3,%4.%5,counted\n")
                           .arg(axisOptions[i])
                           .arg(point.x)
                           .arg(point.percent, 0, 'f', 2)
                           .arg(question.limits->major)
                           .arg(question.limits->minor);
        return csv;
    }

private:
    static bool moveTo(const QRectF& area, PaintContext& context, QPointF from, QPointF to) {
        const Layout layout = layoutOf(area, context.theme);
        const OccupancyQuestion question = questionOf(context);
        for (int i = 0; i < 3; ++i)
            if (layout.curve[i].contains(from)) {
                context.options[axisOptions[i]] = valueAt(layout.plot[i], axes[i], question, to.x());
                return true;
            }
        return false;
    }
};

} // namespace

std::unique_ptr<View> makeOccupancyView() {
    return std::make_unique<OccupancyView>();
}

} // namespace warpglass
