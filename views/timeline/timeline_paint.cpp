// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_paint.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"

#include <QCoreApplication>
#include <QImage>
#include <QPaintEngine>
#include <QPainterPath>
#include <QtConcurrent>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("TimelineView", text);
}

// Lanes on, in four steps a reader can tell apart: none, up to 8, up to 16, up to 31, all.
constexpr int laneSteps = 5;
int laneStep(int lanes) {
    return lanes == 0 ? 0 : lanes <= 8 ? 1 : lanes <= 16 ? 2 : lanes < 32 ? 3 : 4;
}

QColor laneStepColour(int step, const Theme& theme) {
    const QColor strong = theme.text, weak = theme.panel;
    const double share = step == 0 ? 0.12 : 0.25 + 0.75 * step / (laneSteps - 1);
    const auto mix = [&](double a, double b) { return a * share + b * (1 - share); };
    return QColor::fromRgbF(float(mix(strong.redF(), weak.redF())), float(mix(strong.greenF(), weak.greenF())),
                            float(mix(strong.blueF(), weak.blueF())));
}

Hatch categoryHatch(const TimelineModel& model, int category) {
    if (!model.hasStates())
        return category == 1 ? Hatch::Dash : Hatch::None;
    switch (WarpState(category)) {
    case WarpState::Selected:
    case WarpState::Eligible:
        return Hatch::None;
    case WarpState::StallBarrier:
        return Hatch::Dash;
    case WarpState::StallLongScoreboard:
        return Hatch::Diagonal;
    default:
        return Hatch::Dot;
    }
}

bool isRaster(const QPainter& painter) {
    return painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster;
}

// One value a column, -1 for nothing. Runs of equal values become one rectangle each; where they are nearly as many as
// pixels, an image one pixel high and scaled to the strip is faster, and smaller in a file.
void paintStrip(QPainter& painter, const QRectF& strip, const std::vector<std::int8_t>& value,
                std::span<const QColor> colours, std::span<const Hatch> hatches, const QColor& ink) {
    std::size_t runs = 0;
    int last = -1;
    for (std::int8_t here : value) {
        runs += here != last;
        last = here;
    }
    if (runs == 0)
        return;
    const double pitch = strip.width() / double(value.size());
    if (runs < 64 || (!isRaster(painter) && runs < 256)) {
        for (std::size_t c = 0; c < value.size();) {
            std::size_t end = c + 1;
            while (end < value.size() && value[end] == value[c])
                ++end;
            if (value[c] >= 0) {
                const QRectF span(strip.left() + double(c) * pitch, strip.top(), double(end - c) * pitch,
                                  strip.height());
                painter.fillRect(span, colours[std::size_t(value[c])]);
                if (std::size_t(value[c]) < hatches.size())
                    paintHatch(painter, span, hatches[std::size_t(value[c])], ink);
            }
            c = end;
        }
        return;
    }
    QImage line(int(value.size()), 1, QImage::Format_ARGB32_Premultiplied);
    auto* pixel = reinterpret_cast<QRgb*>(line.scanLine(0));
    QRgb rgb[timelineCategories];
    for (std::size_t k = 0; k < colours.size() && k < timelineCategories; ++k)
        rgb[k] = colours[k].rgba();
    for (std::size_t c = 0; c < value.size(); ++c)
        pixel[c] = value[c] < 0 ? 0u : rgb[std::size_t(value[c])];
    painter.drawImage(strip, line);
    if (hatches.empty() || !isRaster(painter))
        return;
    constexpr std::size_t leastHatched = 16; // px: shorter runs have no room for a hatch that reads as one
    for (std::size_t c = 0; c < value.size();) {
        std::size_t end = c + 1;
        while (end < value.size() && value[end] == value[c])
            ++end;
        if (value[c] >= 0 && end - c >= leastHatched && std::size_t(value[c]) < hatches.size())
            paintHatch(painter,
                       QRectF(strip.left() + double(c) * pitch, strip.top(), double(end - c) * pitch, strip.height()),
                       hatches[std::size_t(value[c])], ink);
        c = end;
    }
}

constexpr double leastForWords = 34; // px of a span

// Names and masks inside spans that have room: only where events are far apart.
void paintSpans(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model, const TimelineRow& row,
                const QRectF& bar, const Theme& theme) {
    const TimelineScale& scale = layout.scale;
    const double perUnit = scale.width / double(std::max<std::int64_t>(1, scale.window.length().value));
    const double text = lineHeight(theme.small());
    int painted = 0;
    const auto seen = std::partition_point(row.warps.begin(), row.warps.end(), [&](std::uint32_t w) {
        return model.trace->warps[w].end <= scale.window.begin;
    });
    for (auto w = std::size_t(seen - row.warps.begin()); w < row.warps.size(); ++w) {
        const Warp& warp = model.trace->warps[row.warps[w]];
        if (warp.start >= scale.window.end)
            break;
        if (warp.eventCount == 0 || double((warp.end - warp.start).value) * perUnit < leastForWords)
            continue;
        // Only where there is room for words at all: a frame must not walk over all events to find none wide enough,
        // nor unpack them for it.
        if (double(row.events.itemsAbout(row.firstNode[w], row.firstNode[w + 1], scale.window)) > bar.width() / 6)
            continue;
        const std::int64_t at = std::max<std::int64_t>(0, model.trace->eventAt(warp, scale.window.begin));
        for (auto i = std::uint32_t(at); i < warp.eventCount && painted < 400; ++i) {
            const TimelineItem item = model.eventItem(warp, i);
            if (item.begin >= scale.window.end)
                break;
            const double width = double((item.end - item.begin).value) * perUnit;
            if (width < leastForWords)
                continue;
            ++painted;
            const double left = std::max(bar.left(), scale.x(item.begin));
            const double right = std::min(bar.right(), scale.x(item.end));
            const double strip = bar.height() * 0.28;
            const double cell = std::min(6.0, (right - left) / 32);
            if (cell >= 1.0) { // the mask lane by lane, in place of its shade
                if (!model.hasStates())
                    painter.fillRect(QRectF(left, bar.bottom() - strip, right - left, strip),
                                     timelineColour(model, item.category, theme));
                for (int lane = 0; lane < lanesPerWarp;) { // on whole pixels; single lanes only where a gap has room
                    int end = lane + 1;
                    while (end < lanesPerWarp && cell < 4 && item.lanes.has(end) == item.lanes.has(lane))
                        ++end;
                    const double from = std::round(left + lane * cell), to = std::round(left + end * cell);
                    painter.fillRect(QRectF(from, bar.bottom() - strip, to - from - (cell < 4 ? 0 : 1), strip),
                                     item.lanes.has(lane) ? theme.text : theme.panel);
                    lane = end;
                }
            }
            const Event event = model.trace->events.get(warp.firstEvent + i, warp.start);
            const Site* site = event.site < model.trace->sites.size() ? &model.trace->sites[event.site] : nullptr;
            const std::uint32_t line = site && !site->where.empty() ? site->where.back().line : 0;
            QString label;
            switch (event.kind) {
            case EventKind::Branch:
                label = tr("branch %1: %2/%3").arg(line).arg(event.taken.count()).arg(event.active.count());
                break;
            case EventKind::BarrierArrive:
                label = tr("waits at barrier %1").arg(line);
                break;
            case EventKind::Launch:
                label = tr("launch %1").arg(line);
                break;
            case EventKind::Access:
                label = tr("memory %1").arg(line);
                break;
            default:
                break;
            }
            const double wide = textWidth(theme.small(), label) + 6;
            if (!label.isEmpty() && bar.height() - strip >= text * 0.8 && wide < right - left) {
                if (!model.hasStates()) // the hatch must not strike the words out
                    painter.fillRect(QRectF(left + 1, bar.top(), wide, bar.height() - strip),
                                     timelineColour(model, item.category, theme));
                paintText(painter, QRectF(left + 3, bar.top(), right - left - 6, bar.height() - strip), label,
                          theme.small(), theme.textOnAccent);
            }
            painter.fillRect(QRectF(left, bar.top(), 1, bar.height()), theme.panel);
        }
    }
}

// What one row shows, a value a pixel column; worked out on all cores before anything is painted.
struct RowPicture {
    std::vector<std::int8_t> state, lanes;
};

RowPicture rowPicture(const TimelineModel& model, const TimelineRow& row, TimeRange window, std::size_t width,
                      bool withLanes) {
    RowPicture picture;
    TimelineColumns columns;
    columns.reset(width, model.categories);
    model.columns(row, window, columns);
    picture.state.resize(width);
    for (std::size_t c = 0; c < width; ++c)
        picture.state[c] = std::int8_t(columns.dominant(c));
    if (!withLanes)
        return picture;
    if (model.hasStates()) {
        columns.reset(width, 2);
        model.lanes(row, window, columns);
    }
    picture.lanes.resize(width);
    for (std::size_t c = 0; c < width; ++c)
        picture.lanes[c] = columns.count(c) == 0
                               ? std::int8_t(-1)
                               : std::int8_t(laneStep((columns.any(c).count() + columns.all(c).count() + 1) / 2));
    return picture;
}

constexpr double leastForLanes = 8; // px of row height below which only the state is drawn

void paintRow(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model, const TimelineRow& row,
              const QRectF& bar, const RowPicture& picture, std::span<const QColor> colours,
              std::span<const QColor> steps, std::span<const Hatch> hatches, const Theme& theme) {
    const double strip = picture.lanes.empty() ? 0 : bar.height() * 0.28;
    paintStrip(painter, bar.adjusted(0, 0, 0, -strip), picture.state, colours, hatches, theme.panel);
    if (strip > 0)
        paintStrip(painter, QRectF(bar.left(), bar.bottom() - strip, bar.width(), strip), picture.lanes, steps, {},
                   theme.panel);
    if (bar.height() >= 12)
        paintSpans(painter, layout, model, row, bar, theme);
}

QString rowLabel(const TimelineModel& model, const TimelineRow& row) {
    return model.grouping == TimelineGrouping::Hardware ? tr("sched %1 · slot %2").arg(row.scheduler).arg(row.slot)
                                                        : tr("warp %1").arg(row.slot);
}

QString groupLabel(const TimelineModel& model, const TimelineGroup& group) {
    if (model.grouping == TimelineGrouping::Hardware)
        return tr("SM %1").arg(group.sm);
    return tr("block %1")
        .arg(QString::fromStdString(model.trace->blockIndex(model.trace->blocks[group.block]).indexText()));
}

} // namespace

QColor timelineColour(const TimelineModel& model, int category, const Theme& theme) {
    if (model.hasStates())
        return theme.state(WarpState(category));
    return category == 1 ? theme.state(WarpState::StallBarrier) : theme.laneOn;
}

QString timelineCategoryName(const TimelineModel& model, int category) {
    if (!model.hasStates())
        return category == 1 ? tr("waits at a barrier") : tr("runs");
    switch (WarpState(category)) {
    case WarpState::Selected:
        return tr("selected");
    case WarpState::Eligible:
        return tr("eligible");
    case WarpState::StallBarrier:
        return tr("stalled: barrier");
    case WarpState::StallLongScoreboard:
        return tr("stalled: long scoreboard (memory)");
    case WarpState::StallShortScoreboard:
        return tr("stalled: short scoreboard (shared memory)");
    case WarpState::StallWait:
        return tr("stalled: fixed latency");
    case WarpState::StallMathPipeThrottle:
        return tr("stalled: math pipe busy");
    case WarpState::StallLgThrottle:
        return tr("stalled: memory queue full");
    case WarpState::StallMioThrottle:
        return tr("stalled: shared-memory queue full");
    case WarpState::StallBranchResolving:
        return tr("stalled: branch");
    case WarpState::StallNoInstruction:
        return tr("stalled: no instruction");
    case WarpState::StallMembar:
        return tr("stalled: fence");
    case WarpState::StallSleeping:
        return tr("sleeping");
    case WarpState::StallDrain:
        return tr("stalled: drains stores");
    case WarpState::StallDispatch:
        return tr("stalled: dispatch");
    case WarpState::Count_:
        break;
    }
    return {};
}

// Waiting is dashed in the stacked chart of a drawing as it is in pixels: a dashed line every six, cut to its category,
// all of one category in one path.
template <typename BottomOf, typename TopOf>
void dashStacked(QPainter& painter, const QRectF& where, int width, int height, const TimelineModel& model,
                 const Theme& theme, const BottomOf& bottomOf, const TopOf& topOf) {
    QPen pen(theme.panel, 1, Qt::CustomDashLine, Qt::FlatCap);
    pen.setDashPattern({5, 3});
    for (int k = 0; k < model.categories; ++k) {
        if (!model.occurs(k) || categoryHatch(model, k) != Hatch::Dash)
            continue;
        QPainterPath lines;
        for (int y = 3; y < height; y += 6)
            for (int c = 0, run = 0; c < width; c += run + 1) {
                const auto within = [&](int at) { return at < width && bottomOf(at, k) <= y && y < topOf(at, k); };
                for (run = 0; within(c + run); ++run) {
                }
                if (run < 3) // too short for a dash
                    continue;
                lines.moveTo(where.left() + c, where.bottom() - y - 0.5);
                lines.lineTo(where.left() + c + run, where.bottom() - y - 0.5);
            }
        painter.strokePath(lines, pen);
    }
}

void paintTimelineStack(QPainter& painter, const QRectF& where, const TimelineModel& model, const TimelineGroup* group,
                        TimeRange window, bool withScale, const Theme& theme) {
    const int width = int(where.width()), height = int(where.height());
    if (width < 2 || height < 2)
        return;
    TimelineColumns columns;
    columns.reset(std::size_t(width), model.categories);
    model.stacked(group, window, columns);
    float most = 1;
    for (std::size_t c = 0; c < columns.size(); ++c)
        most = std::max(most, columns.busy(c));
    std::vector<QRgb> colours;
    for (int k = 0; k < model.categories; ++k)
        colours.push_back(timelineColour(model, k, theme).rgba());
    // Heights in whole pixels, category after category from the ground.
    std::vector<std::int16_t> tops(std::size_t(width * model.categories));
    for (int c = 0; c < width; ++c) {
        float sum = 0;
        for (int k = 0; k < model.categories; ++k)
            tops[std::size_t(c * model.categories + k)] =
                std::int16_t(std::lround((sum += columns.share(std::size_t(c), k)) / most * float(height)));
    }
    const auto bottomOf = [&](int c, int k) {
        return k == 0 ? std::int16_t(0) : tops[std::size_t(c * model.categories + k - 1)];
    };
    if (isRaster(painter)) {
        QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
        image.fill(0);
        const auto stride = image.bytesPerLine() / 4;
        auto* pixels = reinterpret_cast<QRgb*>(image.bits());
        // Waiting is dashed here as in the rows, by pixels: which colour is which must not be needed.
        std::vector<bool> dashed;
        for (int k = 0; k < model.categories; ++k)
            dashed.push_back(categoryHatch(model, k) == Hatch::Dash);
        const QRgb ink = theme.panel.rgba();
        for (int c = 0; c < width; ++c)
            for (int k = 0; k < model.categories; ++k)
                for (int y = bottomOf(c, k); y < tops[std::size_t(c * model.categories + k)]; ++y)
                    pixels[(height - 1 - y) * stride + c] =
                        dashed[std::size_t(k)] && y % 6 == 3 && c % 8 < 5 ? ink : colours[std::size_t(k)];
        painter.drawImage(QPointF(where.left(), where.bottom() - height), image);
    } else {
        // One outline a category, along its top and back along its bottom: a tenth of what rectangles take in a file.
        painter.setPen(Qt::NoPen);
        for (int k = 0; k < model.categories; ++k) {
            if (!model.occurs(k))
                continue;
            QPolygonF outline;
            const auto edge = [&](const auto& heightAt, bool back) {
                for (int n = 0; n < width;) {
                    const int c = back ? width - 1 - n : n;
                    const int h = heightAt(c);
                    int run = 1;
                    while (n + run < width && heightAt(back ? c - run : c + run) == h)
                        ++run;
                    const double y = where.bottom() - h;
                    const double from = where.left() + (back ? c + 1 : c);
                    outline << QPointF(from, y) << QPointF(back ? from - run : from + run, y);
                    n += run;
                }
            };
            edge([&](int c) { return int(tops[std::size_t(c * model.categories + k)]); }, false);
            edge([&](int c) { return int(bottomOf(c, k)); }, true);
            painter.setBrush(QColor::fromRgba(colours[std::size_t(k)]));
            painter.drawPolygon(outline);
        }
        dashStacked(painter, where, width, height, model, theme, bottomOf,
                    [&](int c, int k) { return tops[std::size_t(c * model.categories + k)]; });
    }
    if (withScale) {
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(where.bottomLeft(), where.bottomRight());
        const double label = lineHeight(theme.small()) * 8;
        paintText(painter, QRectF(where.left() - label - 6, where.top() - 2, label, lineHeight(theme.small())),
                  tr("%1 warps").arg(decimalText(double(most), most < 10 ? 1 : 0)), theme.small(), theme.textMuted,
                  Qt::AlignRight);
        paintText(painter,
                  QRectF(where.left() - label - 6, where.bottom() - lineHeight(theme.small()), label,
                         lineHeight(theme.small())),
                  QString("0"), theme.small(), theme.textMuted, Qt::AlignRight);
    }
}

void paintTimelineRows(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                       const PaintContext& context) {
    const Theme& theme = context.theme;
    std::vector<QColor> colours, steps;
    std::vector<Hatch> hatches;
    for (int k = 0; k < model.categories; ++k)
        hatches.push_back(categoryHatch(model, k));
    for (int k = 0; k < timelineCategories; ++k)
        colours.push_back(k < model.categories ? timelineColour(model, k, theme) : theme.text);
    for (int s = 0; s < laneSteps; ++s)
        steps.push_back(laneStepColour(s, theme));
    const auto width = std::size_t(std::max(1.0, layout.rows.width()));
    std::vector<RowPicture> pictures(layout.lines.size());
    std::vector<std::size_t> order(layout.lines.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    QtConcurrent::blockingMap(order, [&](std::size_t n) {
        const TimelineLine& line = layout.lines[n];
        if (line.row != noIndex)
            pictures[n] =
                rowPicture(model, model.rows[line.row], layout.scale.window, width, line.height >= leastForLanes + 2);
    });
    painter.save();
    painter.setClipRect(QRectF(layout.labels.left(), layout.rows.top(), layout.rows.right() - layout.labels.left(),
                               layout.rows.height()));
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double text = lineHeight(theme.small());
    for (const TimelineLine& line : layout.lines) {
        const QRectF all(layout.labels.left(), line.y, layout.rows.right() - layout.labels.left(), line.height);
        const TimelineGroup& group = model.groups[line.group];
        if (line.row == noIndex) {
            painter.fillRect(all.adjusted(0, 1, 0, 0), theme.sunken);
            const bool open = model.rows.size() && &line != &layout.lines.back() ? (&line)[1].row != noIndex : false;
            painter.setRenderHint(QPainter::Antialiasing, true);
            paintChevron(painter, QPointF(all.left() + text * 0.6, all.center().y()), text * 0.28, open,
                         theme.textMuted);
            painter.setRenderHint(QPainter::Antialiasing, false);
            const QRectF place(all.left() + text * 1.3, all.top(), layout.labels.width() - text * 1.5 - 8,
                               all.height());
            const double used = paintText(painter, place, groupLabel(model, group), theme.body(), theme.text);
            const QString count = tr("%1 warps").arg(numberText(std::uint64_t(group.warps)));
            if (used + textWidth(theme.small(), count) + text < place.width())
                paintText(painter, place, count, theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
            paintTimelineStack(painter, QRectF(layout.rows.left(), line.y + 3, layout.rows.width(), line.height - 4),
                               model, &group, layout.scale.window, false, theme);
            continue;
        }
        const TimelineRow& row = model.rows[line.row];
        const bool chosen = std::find(row.warps.begin(), row.warps.end(), context.selection.warp) != row.warps.end();
        if (chosen)
            painter.fillRect(all, theme.accentSoft);
        if (line.height >= text * 0.9)
            paintText(painter, QRectF(all.left() + text * 1.3, line.y, layout.labels.width() - text * 1.5, line.height),
                      rowLabel(model, row), theme.small(), chosen ? theme.text : theme.textMuted);
        const double inset = line.height >= 8 ? 1 : 0;
        paintRow(painter, layout, model, row,
                 QRectF(layout.rows.left(), line.y + inset, layout.rows.width(), line.height - inset * 2),
                 pictures[std::size_t(&line - layout.lines.data())], colours, steps, hatches, theme);
    }
    painter.restore();
    if (layout.contentHeight > layout.rows.height()) {
        const double share = layout.rows.height() / layout.contentHeight;
        painter.fillRect(QRectF(layout.rows.right() + 3, layout.rows.top() + layout.scroll * share, 4,
                                std::max(14.0, layout.rows.height() * share)),
                         theme.border);
    }
}

void paintTimelineOverview(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                           const Theme& theme) {
    const QRectF& where = layout.overview;
    painter.fillRect(where, theme.sunken);
    paintTimelineStack(painter, where, model, nullptr, model.range, false, theme);
    paintText(painter, QRectF(layout.labels.left(), where.top(), layout.labels.width() - 8, where.height()),
              tr("whole run"), theme.small(), theme.textMuted);
    const TimelineScale whole{model.range, where.left(), where.width()};
    const double from = std::clamp<double>(whole.x(layout.scale.window.begin), where.left(), where.right());
    const double to = std::clamp<double>(whole.x(layout.scale.window.end), where.left(), where.right());
    QColor veil = theme.window;
    veil.setAlphaF(0.65f);
    painter.fillRect(QRectF(where.left(), where.top(), from - where.left(), where.height()), veil);
    painter.fillRect(QRectF(to, where.top(), where.right() - to, where.height()), veil);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(from, where.top(), std::max(2.0, to - from), where.height()));
}

void paintTimelineRuler(QPainter& painter, const TimelineLayout& layout, const Trace& trace, const Theme& theme) {
    const TimelineScale& scale = layout.scale;
    const double text = lineHeight(theme.small());
    const std::int64_t origin = trace.range().begin.value; // the run starts at 0 on the ruler
    const auto ticks = axisTicks(scale.window.begin.value - origin, scale.window.end.value - origin,
                                 std::max(2, int(scale.width / (text * 8))));
    const std::int64_t step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
    const bool cycles = trace.info.timeUnit == TimeUnit::Nanoseconds && trace.info.smClockMHz > 0;
    for (std::int64_t tick : ticks) {
        const double x = scale.x({tick + origin});
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(x, layout.ruler.top()), QPointF(x, layout.ruler.top() + 5));
        QString label = timeText({tick}, trace.info.timeUnit, step);
        if (cycles)
            label += tr(" = %1 cycles")
                         .arg(numberText(std::int64_t(std::llround(double(tick) * trace.info.smClockMHz / 1000))));
        const double width = textWidth(theme.small(), label) + 4;
        if (x + width < layout.ruler.right() + text)
            paintText(painter, QRectF(x + 4, layout.ruler.top() + 2, width, text * 1.2), label, theme.small(),
                      theme.textMuted);
    }
}

void paintTimelineLegend(QPainter& painter, const QRectF& where, const TimelineModel& model, const Theme& theme) {
    double x = where.left(), y = where.top();
    const double text = lineHeight(theme.small());
    const double height = model.hasStates() ? where.height() / 2 : where.height(); // states need two rows
    const auto entry = [&](const QColor& colour, Hatch hatch, const QString& label) {
        const double width = textWidth(theme.small(), label) + text * 2.6;
        if (x + width - text > where.right()) {
            if (y + 2 * height > where.bottom() + 1)
                return;
            x = where.left();
            y += height;
        }
        paintCell(painter, QRectF(x, y + height / 2 - text * 0.35, text * 1.1, text * 0.7), colour, hatch, theme.panel);
        paintText(painter, QRectF(x + text * 1.4, y, width, height), label, theme.small(), theme.textMuted);
        x += width;
    };
    for (int k = 0; k < model.categories; ++k) {
        if (model.occurs(k))
            entry(timelineColour(model, k, theme), categoryHatch(model, k), timelineCategoryName(model, k));
    }
    const char* names[] = {QT_TRANSLATE_NOOP("TimelineView", "no lane on"),
                           QT_TRANSLATE_NOOP("TimelineView", "1 to 8 lanes on"),
                           QT_TRANSLATE_NOOP("TimelineView", "9 to 16"), QT_TRANSLATE_NOOP("TimelineView", "17 to 31"),
                           QT_TRANSLATE_NOOP("TimelineView", "all 32")};
    for (int s = 1; s < laneSteps; ++s)
        entry(laneStepColour(s, theme), Hatch::None, tr(names[s]));
}

} // namespace warpglass
