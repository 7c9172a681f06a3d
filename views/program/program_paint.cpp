// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_paint.h"

#include "views/common/agreeing.h"
#include "views/common/ticks.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace warpglass {

using program::OperationKind;

namespace {

constexpr double roomForText = 34; // px of a mark that says what it is

QColor between(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * share),
                            float(a.greenF() + (b.greenF() - a.greenF()) * share),
                            float(a.blueF() + (b.blueF() - a.blueF()) * share));
}

void paintRecorded(QPainter& painter, QPointF tip, double size, const Theme& theme) {
    const QPointF points[] = {tip, tip + QPointF(-size, -size * 1.3), tip + QPointF(size, -size * 1.3)};
    painter.setPen(QPen(theme.panel, 1));
    painter.setBrush(theme.good);
    painter.drawPolygon(points, 3);
}

void paintFailed(QPainter& painter, QPointF centre, double size, const Theme& theme) {
    for (const QPen& pen : {QPen(theme.panel, 4), QPen(theme.wrong, 2)}) {
        painter.setPen(pen);
        painter.drawLine(centre + QPointF(-size, -size), centre + QPointF(size, size));
        painter.drawLine(centre + QPointF(-size, size), centre + QPointF(size, -size));
    }
}

class LinePainter {
public:
    LinePainter(QPainter& to, const ProgramScene& of, const Theme& with) : painter(to), scene(of), theme(with) {
        for (int k = 0; k < int(kindCount); ++k) {
            const KindLook look = lookOf(OperationKind(k), theme);
            looks[std::size_t(k)] = look;
            pale[std::size_t(k)] = between(look.colour, theme.panel, 0.72);
        }
        if (scene.kernel == noIndex)
            kernels = kernelColours(*scene.model, theme);
    }

    void paint(const std::vector<Mark>& marks, const QRectF& line) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        for (const Mark& mark : marks) {
            QRectF rect = markRect(mark, line);
            if (mark.width >= 4) // neighbours are told apart
                rect.setWidth(rect.width() - 1);
            painter.fillRect(rect, colourOf(mark));
        }
        painter.setRenderHint(QPainter::Antialiasing, true);
        for (const Mark& mark : marks)
            if (mark.width >= roomForText)
                say(mark, line);
        // Many recorded launches beside each other need no sign each.
        double last = -1e9;
        const double size = scene.layout.text * 0.36;
        for (const Mark& mark : marks) {
            // Where no text stands.
            const double x = mark.width >= roomForText ? mark.left + mark.width - size * 2 : mark.left + mark.width / 2;
            if ((!mark.recorded && !mark.failed) || x - last < size * 2)
                continue;
            last = x;
            if (mark.recorded)
                paintRecorded(painter, {x, line.top() + 1}, size, theme);
            if (mark.failed)
                paintFailed(painter, {x, line.center().y()}, size * 0.8, theme);
        }
    }

private:
    bool isPale(const Mark& mark) const { return scene.kernel != noIndex && !mark.chosen; }
    // While none is chosen, launches are as strong as their kernel takes time.
    QColor colourOf(const Mark& mark) const {
        if (mark.kind == OperationKind::Launch && scene.kernel == noIndex)
            if (const std::uint32_t kernel = scene.model->operation(mark.operation).kernel; kernel < kernels.size())
                return kernels[kernel];
        return isPale(mark) ? pale[std::size_t(mark.kind)] : looks[std::size_t(mark.kind)].colour;
    }

    void say(const Mark& mark, const QRectF& line) {
        const QRectF rect = markRect(mark, line);
        const QColor ink = isPale(mark) ? theme.textMuted : inkOn(colourOf(mark));
        const Hatch hatch = looks[std::size_t(mark.kind)].hatch;
        const bool tall = rect.height() >= scene.layout.text;
        if (hatch != Hatch::None && !tall)
            paintHatch(painter, rect, hatch, ink);
        if (!tall)
            return;
        const QString text =
            mark.kind == OperationKind::Launch ? kernelText(*scene.model, mark.operation) : kindText(mark.kind);
        paintText(painter, rect.adjusted(4, 0, -2, 0), text, theme.small(), ink);
    }

    QPainter& painter;
    const ProgramScene& scene;
    const Theme& theme;
    std::array<KindLook, kindCount> looks;
    std::array<QColor, kindCount> pale;
    std::vector<QColor> kernels; // while none is chosen
};

} // namespace

QRectF markRect(const Mark& mark, const QRectF& line) {
    const double height = std::max(2.0, line.height() * (0.3 + 0.7 * double(mark.busy)));
    return {mark.left, line.bottom() - height, std::max(1.0, mark.width), height};
}

QString headWords(const ProgramScene& scene) {
    const ProgramModel& model = *scene.model;
    const program::ProgramInfo& info = model.trace->info;
    const auto kernels = std::count_if(model.kernels.begin(), model.kernels.end(),
                                       [&](const KernelSum& sum) { return !isOfLibrary(model, sum); });
    QStringList words{
        deviceText(info), ProgramText::tr("launches: %1").arg(numberText(std::uint64_t(model.launches.size()))),
        ProgramText::tr("kernels: %1").arg(numberText(std::uint64_t(kernels))),
        ProgramText::tr("recorded in detail: %1")
            .arg(numberText(std::uint64_t(program::launchesWithWarps(*model.trace)))),
        ProgramText::tr("operations: %1, in %2")
            .arg(numberText(std::uint64_t(model.trace->operations.size())), durationText(model.range.length().value))};
    if (const QString most = mostTimeText(model); !most.isEmpty())
        words.prepend(most);
    if (const QString wait = scene.operation == noIndex ? QString() : waitText(model, scene.operation); !wait.isEmpty())
        words.prepend(wait);
    else if (const QString longest = longestWaitText(model); !longest.isEmpty())
        words.prepend(longest);
    return words.join(QStringLiteral("  ·  "));
}

void paintProgramHead(QPainter& painter, const ProgramScene& scene, const Theme& theme) {
    const ProgramLayout& l = scene.layout;
    const ProgramModel& model = *scene.model;
    const program::ProgramInfo& info = model.trace->info;
    const double height = lineHeight(theme.title());

    struct Chip {
        QString text;
        QColor ink, soft;
    };
    std::vector<Chip> chips{model.durations.measured
                                ? Chip{clockText(model), theme.originMeasured, theme.originMeasuredSoft}
                            : model.deviceTimes ? Chip{clockText(model), theme.originModelled, theme.originModelledSoft}
                                                : Chip{clockText(model), theme.textMuted, theme.sunken}};
    const bool well = info.exitStatus == 0;
    if (const QString end = endText(info); !end.isEmpty())
        chips.push_back({end, well ? theme.textMuted : theme.wrong, theme.sunken});
    if (!model.trace->messages.empty())
        chips.push_back({ProgramText::tr("messages: %1").arg(numberText(std::uint64_t(model.trace->messages.size()))),
                         theme.attention, theme.sunken});
    if (info.lost > 0)
        chips.push_back({agreeing(ProgramText::tr("%1 {operation|operations} lost"), numberText(info.lost)),
                         theme.wrong, theme.sunken});
    double room = l.head.width() * 0.75, width = 0;
    std::size_t shown = 0;
    while (shown < chips.size() && width + chipWidth(chips[shown].text, theme) + 6 <= room)
        width += chipWidth(chips[shown++].text, theme) + 6;
    double x = l.head.right() - width + 6;
    paintText(painter, {l.head.left(), l.head.top(), x - l.head.left() - 12, height},
              QString::fromStdString(info.command), theme.title(), theme.text);
    for (std::size_t n = 0; n < shown; ++n)
        x = paintChip(painter, {x, l.head.top() + (height - chipHeight(theme)) / 2}, chips[n].text, chips[n].ink,
                      chips[n].soft, theme)
                .right() +
            6;

    paintText(painter, {l.head.left(), l.head.top() + height, l.head.width(), l.text * 1.4}, headWords(scene),
              theme.small(), theme.textMuted);
}

void paintProgramOverview(QPainter& painter, const ProgramScene& scene, const Theme& theme) {
    const ProgramLayout& l = scene.layout;
    painter.fillRect(l.overview, theme.sunken);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t n = 0; n < scene.overview.size(); ++n)
        if (scene.overview[n] > 0) {
            const double height = std::max(1.5, l.overview.height() * double(scene.overview[n]));
            painter.fillRect(QRectF(l.overview.left() + double(n), l.overview.bottom() - height, 1, height),
                             theme.laneOn);
        }
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintText(painter, {l.labels.left(), l.overview.top(), l.labels.width() - 8, l.overview.height()},
              ProgramText::tr("whole program"), theme.small(), theme.textMuted);
    if (l.axis.window == l.whole.window)
        return;
    const double from = std::clamp<double>(l.whole.x(l.axis.window.begin), l.overview.left(), l.overview.right());
    const double to = std::clamp<double>(l.whole.x(l.axis.window.end), from, l.overview.right());
    QColor veil = theme.window;
    veil.setAlphaF(0.65f);
    painter.fillRect(QRectF(l.overview.left(), l.overview.top(), from - l.overview.left(), l.overview.height()), veil);
    painter.fillRect(QRectF(to, l.overview.top(), l.overview.right() - to, l.overview.height()), veil);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(from, l.overview.top(), std::max(2.0, to - from), l.overview.height()));
}

void paintProgramRuler(QPainter& painter, const ProgramScene& scene, const Theme& theme) {
    const ProgramLayout& l = scene.layout;
    const TimeAxis::Ticks ticks = l.axis.ticks(scene.model->range.begin, l.text * 7);
    const QFont font = theme.small();
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const auto& [x, since] : ticks.marks) {
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(x, l.ruler.bottom() - 5), QPointF(x, l.ruler.bottom()));
        const QString label = tickText(since.value, ticks.step);
        const double width = metrics.horizontalAdvance(label) + 4;
        if (x + width >= l.ruler.right() + l.text)
            continue;
        painter.setPen(theme.textMuted);
        painter.drawText(QRectF(x + 3, l.ruler.top(), width, l.text * 1.2),
                         int(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine | Qt::TextDontClip, label);
    }
}

void paintProgramRows(QPainter& painter, const ProgramScene& scene, const Theme& theme) {
    const ProgramLayout& l = scene.layout;
    painter.save();
    painter.setClipRect(QRectF(l.labels.topLeft(), l.rows.bottomRight()));
    for (int r = 0; r < l.count; ++r) {
        const QRectF row = l.rowRect(r);
        if (row.bottom() < l.rows.top() || row.top() > l.rows.bottom())
            continue;
        painter.fillRect(QRectF(l.rows.left(), row.top() + 1, l.rows.width(), row.height() - 2), theme.panel);
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(l.labels.left(), row.bottom()), QPointF(l.rows.right(), row.bottom()));
    }
    const TimeAxis::Ticks ticks = l.axis.ticks(scene.model->range.begin, l.text * 7);
    painter.setPen(QPen(theme.border, 1));
    for (const auto& tick : ticks.marks)
        painter.drawLine(QPointF(tick.x, l.rows.top()), QPointF(tick.x, l.rows.top() + l.contentHeight - l.scroll));
    paintWaitArrows(painter, scene.arrows, l.rows, theme); // below the marks and their words
    LinePainter lines(painter, scene, theme);
    for (int r = 0; r < l.count; ++r) {
        const ProgramRow& row = scene.model->rows[std::size_t(r)];
        const QRectF rect = l.rowRect(r);
        if (rect.bottom() < l.rows.top() || rect.top() > l.rows.bottom())
            continue;
        const double label = l.labels.width() - 8;
        paintText(painter, {l.labels.left(), l.upper(r).top(), label, l.upper(r).height()}, rowText(*scene.model, row),
                  theme.body(), theme.text);
        if (l.lower(r).height() + 4 >= l.text * 0.6)
            paintText(painter, {l.labels.left(), l.lower(r).center().y() - l.text * 0.6, label, l.text * 1.2},
                      row.host ? ProgramText::tr("memory") : ProgramText::tr("copies"), theme.small(), theme.textMuted);
        lines.paint(scene.marks[std::size_t(r)].upper, l.upper(r));
        lines.paint(scene.marks[std::size_t(r)].lower, l.lower(r));
    }
    if (scene.operation < scene.model->trace->operations.size()) {
        const program::Operation& o = scene.model->operation(scene.operation);
        const double from = l.axis.x({beginOf(o)}), to = l.axis.x({beginOf(o) + lengthOf(o)});
        if (to >= l.rows.left() && from <= l.rows.right()) {
            const double left = std::max(from, l.rows.left()), right = std::min(std::max(to, from + 2), l.rows.right());
            QColor veil = theme.accent;
            veil.setAlphaF(0.16f);
            painter.fillRect(QRectF(left, l.rows.top(), std::max(1.0, right - left), l.contentHeight), veil);
            painter.setPen(QPen(theme.accent, 1.5));
            painter.setBrush(Qt::NoBrush);
            for (int r = 0; r < l.count; ++r) {
                const ProgramRow& row = scene.model->rows[std::size_t(r)];
                if (shows(row, *scene.model->trace, o)) {
                    const QRectF line = isUpper(o.kind) ? l.upper(r) : l.lower(r);
                    painter.drawRect(QRectF(left, line.top(), std::max(2.0, right - left), line.height())
                                         .adjusted(-1.5, -1.5, 1.5, 1.5));
                }
            }
        }
    }
    painter.restore();
    if (l.mostScroll() > 0) { // how far down the rows are
        const double share = l.rows.height() / l.contentHeight;
        painter.fillRect(QRectF(l.rows.right() + 3, l.rows.top() + l.rows.height() * l.scroll / l.contentHeight, 3,
                                l.rows.height() * share),
                         theme.border);
    }
}

void paintProgramLegend(QPainter& painter, const ProgramScene& scene, const Theme& theme) {
    const ProgramLayout& l = scene.layout;
    const double mid = l.legend.center().y();
    double x = l.legend.left();
    const auto word = [&](const QString& text) {
        const double width = textWidth(theme.small(), text);
        paintText(painter, {x, l.legend.top(), width + 2, l.legend.height()}, text, theme.small(), theme.textMuted);
        x += width + l.text * 1.1;
    };
    const auto fits = [&](const QString& text) {
        return x + l.text * 1.4 + textWidth(theme.small(), text) <= l.legend.right();
    };
    for (int k = 0; k < int(kindCount); ++k) {
        const bool ranked = OperationKind(k) == OperationKind::Launch && !mostTimeText(*scene.model).isEmpty();
        QString text = kindText(OperationKind(k));
        if (ranked) {
            const QString told = ProgramText::tr("%1: the stronger, the more time its kernel takes").arg(text);
            text = fits(told) ? told : text;
        }
        if (!scene.model->occurs[std::size_t(k)] || !fits(text))
            continue;
        const KindLook look = lookOf(OperationKind(k), theme);
        paintCell(painter, {x, mid - l.text * 0.35, l.text * 1.1, l.text * 0.7}, look.colour, look.hatch,
                  inkOn(look.colour));
        x += l.text * 1.4;
        word(text);
    }
    if (const QString waits = ProgramText::tr("waits for it"); !scene.arrows.empty() && fits(waits)) {
        paintWaitArrow(painter, {x + l.text * 0.3, mid - l.text * 0.45, x + l.text * 0.3, mid + l.text * 0.45},
                       theme.textMuted, 1.2);
        x += l.text;
        word(waits);
    }
    const QString recorded = ProgramText::tr("recorded: double-click to see its warps");
    if (program::launchesWithWarps(*scene.model->trace) > 0 && fits(recorded)) {
        paintRecorded(painter, {x + l.text * 0.4, mid + l.text * 0.25}, l.text * 0.36, theme);
        x += l.text * 1.1;
        word(recorded);
    }
    const QString wrong = ProgramText::tr("failed");
    if (scene.model->failed && fits(wrong)) {
        paintFailed(painter, {x + l.text * 0.4, mid}, l.text * 0.28, theme);
        x += l.text * 1.1;
        word(wrong);
    }
}

} // namespace warpglass
