// SPDX-License-Identifier: GPL-3.0-or-later
// Little's law: sliders, the sum, the pipe with a tile a warp, and whether the open run has enough of them.
#include "views/scheduler/scheduler_paint.h"

#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/scheduler/scheduler_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

// Without trailing zeros: figures such as 19 and 18.4.
QString plain(double value) {
    return std::abs(value - std::round(value)) < 0.05 ? numberText(std::int64_t(std::llround(value)))
                                                      : decimalText(value, 1);
}

QString sliderLabel(int slider) {
    switch (slider) {
    case 0:
    case 3:
        return SchedulerText::tr("latency, cycles");
    case 1:
        return SchedulerText::tr("operations a cycle");
    case 2:
        return SchedulerText::tr("independent a thread");
    case 4:
        return SchedulerText::tr("bytes a cycle");
    case 5:
        return SchedulerText::tr("bytes a load");
    case 6:
        return SchedulerText::tr("loads at once a thread");
    default:
        return {};
    }
}

void paintSlider(QPainter& painter, const QRectF& row, const QRectF& track, int slider, double value, bool chosen,
                 const Theme& theme) {
    const QRectF label(row.left(), row.top(), track.left() - row.left() - 8, row.height());
    const QString name = sliderLabel(slider);
    paintText(painter, label, name, textWidth(theme.body(), name) <= label.width() ? theme.body() : theme.small(),
              theme.text);
    const double y = track.center().y(), x = track.left() + track.width() * sliderShare(slider, value);
    painter.setPen(QPen(theme.border, 4, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(track.left(), y), QPointF(track.right(), y));
    painter.setPen(QPen(theme.accent, 4, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(track.left(), y), QPointF(x, y));
    painter.setPen(QPen(chosen ? theme.attention : theme.panel, 2));
    painter.setBrush(theme.accent);
    painter.drawEllipse(QPointF(x, y), 7, 7);
    QFont bold = theme.body();
    bold.setBold(true);
    paintText(painter, QRectF(track.right() + 12, row.top(), row.right() - track.right() - 12, row.height()),
              plain(value), bold, theme.text, Qt::AlignRight | Qt::AlignVCenter);
}

// A tile a warp in flight; those the open run has are full, the missing ones hollow.
void paintPipe(QPainter& painter, const QRectF& where, std::int64_t needed, double warpsPerCycle, std::int64_t there,
               bool known, const Theme& theme) {
    const double line = lineHeight(theme.small());
    if (where.height() < line * 2.2 || needed <= 0)
        return;
    const QRectF box = where.adjusted(0, 0, 0, -line * 1.3);
    constexpr double least = 5, most = 30;
    // As long as the latency and as high as the throughput, if such tiles are large enough; else as they fit.
    std::int64_t perTile = 1;
    const double capacity = std::max(1.0, std::floor(box.width() / least) * std::floor(box.height() / least));
    while (double(needed) / double(perTile) > capacity)
        perTile *= 2;
    const std::int64_t tiles = (needed + perTile - 1) / perTile;
    std::int64_t rows = perTile > 1 ? 1 : std::max<std::int64_t>(1, std::llround(std::ceil(warpsPerCycle)));
    const auto size = [&](std::int64_t r) {
        return std::min({most, box.height() / double(r), box.width() / std::ceil(double(tiles) / double(r))});
    };
    while (size(rows) < most && size(rows + 1) > size(rows))
        ++rows;
    const double side = size(rows);
    const std::int64_t columns = (tiles + rows - 1) / rows;
    const double left = box.left(), top = box.top() + 3;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.sunken);
    painter.drawRoundedRect(QRectF(left - 3, top - 3, double(columns) * side + 6, double(rows) * side + 6), 4, 4);
    for (std::int64_t t = 0; t < tiles; ++t) {
        const auto column = t / rows;
        const QRectF tile = QRectF(left + double(column) * side, top + double(t % rows) * side, side, side)
                                .adjusted(side * 0.1, side * 0.1, -side * 0.1, -side * 0.1);
        if (!known || t * perTile < there) {
            paintCell(painter, tile, known ? theme.good : theme.laneOn, Hatch::None, theme.panel, 2);
        } else {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.attention, 1.2));
            painter.drawRect(tile.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
    const QString caption = perTile == 1 ? SchedulerText::tr("a tile: a warp on its way")
                                         : SchedulerText::tr("a tile: %1 warps on their way").arg(numberText(perTile));
    QStringList captions{caption};
    if (known) {
        const QString full = there >= needed ? SchedulerText::tr("full: the open run has it")
                                             : SchedulerText::tr("full: the open run has it, hollow: not");
        captions = {caption + QStringLiteral("  ·  ") + full, full};
    }
    paintText(painter, QRectF(where.left(), top + side * double(rows) + 7, where.width(), line * 1.2),
              firstThatFits(captions, theme.small(), where.width()), theme.small(), theme.textMuted);
}

} // namespace

const std::array<SliderRange, littleSliders> sliderRanges = {{
    {"aLatency", 1, 100, 1, false},
    {"aOperations", 1, 256, 1, false},
    {"aIndependent", 1, 8, 1, false},
    {"mLatency", 10, 2000, 1, true},
    {"mBytes", 0.5, 200, 0.1, true},
    {"mEach", 1, 16, 0, true}, // 1, 2, 4, 8, 16
    {"mLoads", 1, 8, 1, false},
}};

double sliderValue(const LittleFigures& f, int slider) {
    const double values[littleSliders] = {
        double(f.arithmetic.latency), double(f.arithmetic.operations), double(f.arithmetic.independent),
        double(f.memory.latency),     f.memory.bytesPerCycle,          double(f.memory.bytesPerLoad),
        double(f.memory.loads)};
    return values[slider];
}

void setSliderValue(LittleFigures& f, int slider, double value) {
    const SliderRange& range = sliderRanges[slider];
    const double v = std::clamp(value, range.least, range.most);
    int* const whole[littleSliders] = {
        &f.arithmetic.latency,  &f.arithmetic.operations, &f.arithmetic.independent, &f.memory.latency, nullptr,
        &f.memory.bytesPerLoad, &f.memory.loads};
    if (whole[slider])
        *whole[slider] = int(std::lround(v));
    else
        f.memory.bytesPerCycle = v;
}

double sliderShare(int slider, double value) {
    const SliderRange& r = sliderRanges[slider];
    const double share =
        r.logarithmic ? std::log(value / r.least) / std::log(r.most / r.least) : (value - r.least) / (r.most - r.least);
    return std::clamp(share, 0.0, 1.0);
}

double sliderAt(int slider, double share) {
    const SliderRange& r = sliderRanges[slider];
    const double s = std::clamp(share, 0.0, 1.0);
    const double value = r.logarithmic ? r.least * std::pow(r.most / r.least, s) : r.least + (r.most - r.least) * s;
    if (r.step == 0) // powers of two
        return std::exp2(std::round(std::log2(value)));
    // Large values go in steps a person reads: 263, but 1,240 and not 1,237.
    const double step = r.logarithmic && value >= 1000 ? 10 : r.logarithmic && value >= 20 && r.step < 1 ? 1 : r.step;
    return std::clamp(std::round(value / step) * step, r.least, r.most);
}

void paintLittle(QPainter& painter, const LittleLayout& layout, const LittleState& state, const Theme& theme) {
    const LittleFigures& f = state.figures;
    const double line = lineHeight(theme.body());
    for (std::size_t p = 0; p < 2; ++p) {
        painter.setPen(theme.kind == ThemeKind::Print ? QPen(theme.border, 0.7) : QPen(Qt::NoPen));
        painter.setBrush(theme.panel);
        painter.drawRoundedRect(layout.panel[p], 8, 8);
    }
    paintHeading(painter, layout.heading[0], SchedulerText::tr("Arithmetic: keep the pipes busy"), theme);
    paintHeading(painter, layout.heading[1], SchedulerText::tr("Memory: keep the bandwidth busy"), theme);
    for (int s = 0; s < littleSliders; ++s)
        paintSlider(painter, layout.slider[s], layout.track[s], s, sliderValue(f, s), s == state.chosen, theme);
    const auto formula = [&](std::size_t p, const QString& first, const QString& second) {
        const QRectF& where = layout.formula[p];
        QFont bold = theme.body();
        bold.setBold(true);
        // What it comes to stands at its end: a sum becomes smaller, and is not cut.
        const double longest = std::max(textWidth(bold, first), textWidth(bold, second));
        if (longest > where.width())
            bold.setPixelSize(
                std::max(theme.small().pixelSize() * 9 / 10, int(bold.pixelSize() * where.width() / longest)));
        paintText(painter, QRectF(where.left(), where.top() + line * 0.5, where.width(), line * 1.3), first, bold,
                  theme.text);
        paintText(painter, QRectF(where.left(), where.top() + line * 1.7, where.width(), line * 1.3), second, bold,
                  theme.text);
    };
    const std::int64_t arithmetic = f.arithmetic.warps(), memory = f.memory.warps();
    formula(0,
            SchedulerText::tr("%1 cycles × %2 operations = %3 in flight")
                .arg(f.arithmetic.latency)
                .arg(f.arithmetic.operations)
                .arg(numberText(f.arithmetic.inFlight())),
            f.arithmetic.independent == 1
                ? agreeing(SchedulerText::tr("÷ 32 lanes = %1 {warp|warps}"), numberText(arithmetic))
                : agreeing(SchedulerText::tr("÷ 32 lanes ÷ %1 = %2 {warp|warps}"), f.arithmetic.independent,
                           numberText(arithmetic)));
    formula(1,
            SchedulerText::tr("%1 cycles × %2 B = %3 B in flight")
                .arg(numberText(std::int64_t(f.memory.latency)), plain(f.memory.bytesPerCycle),
                     numberText(std::int64_t(std::llround(f.memory.inFlight())))),
            agreeing(SchedulerText::tr("÷ %1 B a thread = %2 {thread|threads} = %3 {warp|warps}"),
                     f.memory.bytesPerLoad * f.memory.loads, numberText(f.memory.threads()), numberText(memory)));
    const auto verdict = [&](std::size_t p, std::int64_t needed, bool ofDevice) {
        const auto there = std::int64_t(ofDevice ? state.resident.onDevice : state.resident.onSm);
        const QRectF& where = layout.verdict[p];
        paintPipe(painter, layout.pipe[p], needed,
                  p == 0 ? f.arithmetic.operations / 32.0 / f.arithmetic.independent
                         : f.memory.bytesPerCycle / (32.0 * f.memory.bytesPerLoad * f.memory.loads),
                  there, state.known, theme);
        QString text = ofDevice
                           ? agreeing(SchedulerText::tr(
                                          "At least %1 {warp|warps} on the whole device, %2 on each of %3 {SM|SMs}."),
                                      numberText(needed), (needed + f.sms - 1) / f.sms, f.sms)
                           : agreeing(SchedulerText::tr("At least %1 {warp|warps} on an SM."), numberText(needed));
        const std::int64_t onSm = ofDevice ? (needed + f.sms - 1) / f.sms : needed;
        QColor colour = theme.text;
        if (f.mostWarps > 0 && onSm > f.mostWarps) {
            text += QLatin1Char(' ') +
                    SchedulerText::tr("It holds %1 at most: give each thread more to do at once.").arg(f.mostWarps);
            colour = theme.attention;
        }
        if (state.known) {
            text += QLatin1Char(' ') +
                    (there >= needed
                         ? SchedulerText::tr("The open run has up to %1: enough.").arg(numberText(there))
                         : SchedulerText::tr("The open run has up to %1: too few to hide it.").arg(numberText(there)));
            colour = there >= needed ? theme.good : theme.attention;
        }
        const double chip = state.known && state.origin ? chipWidth(originName(*state.origin), theme) + 10 : 0;
        paintShortParagraph(painter, where.adjusted(0, 0, -chip, 0), text, theme.body(), colour);
        if (chip > 0)
            paintOriginChip(painter, QPointF(where.right() - chip + 10, where.top()), *state.origin, theme);
    };
    if (!layout.verdict[0].isEmpty()) {
        verdict(0, arithmetic, false);
        verdict(1, memory, f.memoryOfDevice);
    }
    if (layout.note.isEmpty())
        return;

    QString note;
    if (f.key == "documents")
        note =
            SchedulerText::tr(
                "Figures of the document: %1 GB/s ÷ %2 GHz (clock of the memory) = 19 B a cycle, of the whole device.")
                .arg(plain(f.gigabytes), decimalText(f.gigahertz, 3));
    else if (f.memoryClock)
        note =
            SchedulerText::tr(
                "Figures of the documents' tables: %1 GB/s ÷ %2 GHz (clock of the memory) = %3 B a cycle, of the whole "
                "device. The document rounds bytes to whole KB, so that its last digits differ.")
                .arg(plain(f.gigabytes), decimalText(f.gigahertz, 3), plain(f.gigabytes / f.gigahertz));
    else
        note =
            SchedulerText::tr(
                "%1: latencies of the timing model; %2 GB/s ÷ %3 GHz (clock of the SMs, in whose cycles latencies are "
                "told) ÷ %4 SMs = %5 B a cycle and SM.")
                .arg(QString::fromStdString(f.name), plain(f.gigabytes), decimalText(f.gigahertz, 3),
                     QString::number(f.sms), decimalText(f.gigabytes / f.gigahertz / f.sms, 1));
    if (!state.known)
        note += QLatin1Char(' ') + SchedulerText::tr("Open a run with times to compare with the warps it has.");
    paintParagraph(&painter, layout.note, note, theme.small(), theme.textMuted);
}

} // namespace warpglass
