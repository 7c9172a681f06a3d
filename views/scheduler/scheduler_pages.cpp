// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scheduler/scheduler_pages.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/scheduler/example.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return schedulerText(text);
}

std::array<QString, stepButtons> buttonWords() {
    return {tr("◀ barrier"), tr("◀ instruction"), tr("◀ cycle"), tr("cycle ▶"), tr("instruction ▶"), tr("barrier ▶")};
}

StateTimes timesOfAll(const SchedulerModel& model) {
    return model.times(model.range.begin.value, model.range.end.value);
}

QString percentOf(double share) {
    return share < 0 ? QString(QChar(0x2014)) : percentText(100 * share, 1);
}

// Title, chip "modelled", and notes while there is room.
void paintTitle(QPainter& painter, const QRectF& where, const QString& title, const QString& note, bool chip,
                const Theme& theme) {
    double x = where.left();
    if (!title.isEmpty())
        x += paintText(painter, where, title, theme.title(), theme.text) + 12;
    if (chip) {
        const QPointF at(x, where.top() + (where.height() - chipHeight(theme)) / 2);
        x = paintOriginChip(painter, at, Origin::Modelled, theme).right() + 10;
    }
    if (where.right() - x > 40)
        paintText(painter, QRectF(x, where.top(), where.right() - x, where.height()), note, theme.small(),
                  theme.textMuted);
}

// The example in place of the overview: in which order warps were taken, and whether the document says so too.
void paintOrder(QPainter& painter, const CyclesLayout& layout, const SchedulerModel& model, const Theme& theme) {
    const int documents[documentCycles] = {0, 1, 3, 2, 0};
    bool same = true;
    double x = layout.overview.left();
    const double line = lineHeight(theme.body()), side = line * 1.35;
    paintText(painter, layout.overviewLabel.adjusted(0, 0, -8, 0), tr("taken in turn"), theme.small(), theme.textMuted,
              Qt::AlignRight | Qt::AlignVCenter);
    QFont bold = theme.body();
    bold.setBold(true);
    for (int c = 0; c < documentCycles; ++c) {
        const int row = model.issuingRow(c);
        same = same && row == documents[c];
        const QRectF cell(x, layout.overview.center().y() - side / 2, side, side);
        paintCell(painter, cell, row < 0 ? theme.sunken : theme.good, Hatch::None, theme.text, 4);
        paintText(painter, cell, row < 0 ? QString(QChar(0x2013)) : QString::number(row), bold, theme.textOnAccent,
                  Qt::AlignCenter);
        x += side + 4;
    }
    paintText(painter, QRectF(x + 8, layout.overview.top(), layout.overview.right() - x - 8, layout.overview.height()),
              same ? tr("cycles 0 to 4: warps as the document writes them")
                   : tr("the document, which takes turns, has 0, 1, 3, 2, 0"),
              theme.body(), same ? theme.good : theme.textMuted);
}

void paintCyclesPage(QPainter& painter, const QRectF& area, const PaintContext& context,
                     const PreparedScheduler& ready) {
    const Theme& theme = context.theme;
    const SchedulerModel& model = *ready.models.front();
    const CyclesLayout layout = cyclesLayoutOf(area, context, ready);
    const CycleAxis axis = schedulerAxis(context, ready);
    const CycleRange window = layout.grid.scale.window;
    const std::int64_t cursor = axis.cursor(context);
    const std::uint32_t warp = axis.warp(context);
    QStringList note;
    if (axis.shared)
        note << tr("SM %1, scheduler %2").arg(model.place.sm).arg(model.place.scheduler);
    if (!model.policy.empty())
        note << policyName(model.policy, true);
    if (!layout.compact)
        paintTitle(painter, layout.title,
                   axis.shared ? tr("Who issues, and what the others wait for")
                               : tr("Four warps, five cycles, as in the document"),
                   note.join(QStringLiteral("  ·  ")), true, theme);
    const auto words = buttonWords();
    for (int b = 0; b < stepButtons; ++b)
        paintPushButton(painter, layout.button[std::size_t(b)], words[std::size_t(b)], theme);
    paintText(painter, layout.now, numberText(cursor), theme.title(), theme.attention, Qt::AlignCenter);
    double right = layout.now.right(); // of what the buttons' row holds
    for (const QRectF& button : layout.button)
        right = std::max(right, button.right());
    right += 14;
    const QRectF rest(right, layout.buttons.top(), layout.buttons.right() - right, layout.buttons.height());
    const double chip = chipWidth(originName(Origin::Modelled), theme);
    if (layout.compact && rest.width() >= chip) // what the title would have said
        paintTitle(painter, rest, {}, note.join(QStringLiteral("  ·  ")), true, theme);
    else if (layout.compact)
        paintOriginChip(painter,
                        {layout.overviewLabel.left(), layout.overviewLabel.center().y() - chipHeight(theme) / 2},
                        Origin::Modelled, theme);
    else if (warp != noIndex && rest.width() > 60)
        paintText(painter, rest, tr("steps of %1").arg(warpText(*model.trace, warp)), theme.small(), theme.textMuted);
    if (axis.shared)
        paintOverview(painter, layout.overviewLabel, layout.overview, model, window, cursor, theme);
    else
        paintOrder(painter, layout, model, theme);
    paintGrid(painter, layout.grid, model, {cursor, warp, context.selection.sourceLine}, theme);
    const auto begin = std::int64_t(std::floor(window.begin)), end = std::int64_t(std::ceil(window.end));
    paintStateLegend(&painter, layout.legend, timesOfAll(model), model.times(begin, end), layout.compact, theme);
    paintFigures(painter, layout.figures, model, window, theme);
    paintDetail(painter, layout.detail, model, cursor, warp, theme);
}

void paintPoliciesPage(QPainter& painter, const QRectF& area, const PaintContext& context,
                       const PreparedScheduler& ready) {
    const Theme& theme = context.theme;
    const PolicyLayout layout = policyLayoutOf(area, context, ready);
    const CycleAxis axis = schedulerAxis(context, ready);
    const CycleRange window = layout.panes.front().scale.window;
    const std::int64_t cursor = axis.cursor(context);
    const auto begin = std::int64_t(std::floor(window.begin)), end = std::int64_t(std::ceil(window.end));
    bool oneKernel = true;
    std::int64_t fewest = axis.bounds.length().value;
    StateTimes all, shown;
    const auto nameOf = [](const SchedulerModel& model) { // and shape
        const Launch& launch = model.trace->launches[model.launch];
        return model.trace->kernelOf(launch).name + " <<<" + launch.grid.text() + ", " + launch.block.text() + ">>>";
    };
    for (const auto& model : ready.models) {
        oneKernel = oneKernel && nameOf(*model) == nameOf(*ready.models.front());
        fewest = std::min(fewest, model->range.length().value);
        all += timesOfAll(*model);
        shown += model->times(begin, end);
    }
    if (layout.title.height() > 0)
        paintTitle(painter, layout.title,
                   oneKernel ? tr("The same launch under each policy") : tr("Launches side by side, cycle by cycle"),
                   tr("SM %1, scheduler %2").arg(ready.place.sm).arg(ready.place.scheduler), true, theme);
    QFont bold = theme.body();
    bold.setBold(true);
    for (std::size_t n = 0; n < ready.models.size(); ++n) {
        const SchedulerModel& model = *ready.models[n];
        const GridLayout& grid = layout.panes[n];
        const double line = lineHeight(theme.body());
        QString name = model.policy.empty() ? QString::fromStdString(nameOf(model)) : policyName(model.policy, true);
        if (!oneKernel && !model.policy.empty())
            name = QString::fromStdString(nameOf(model)) + QStringLiteral(" · ") + name;
        double x = grid.head.left() + paintText(painter, grid.head, name, bold, theme.text) + line;
        if (n == 0 && layout.title.height() <= 0) // the title would have had it
            x = paintOriginChip(painter, {x, grid.head.center().y() - chipHeight(theme) / 2}, Origin::Modelled, theme)
                    .right() +
                line * 0.6;
        const std::int64_t cycles = model.range.length().value;
        const bool least = cycles == fewest;
        const QString length = tr("%1 cycles").arg(numberText(cycles));
        if (least && ready.models.size() > 1)
            x = paintChip(painter, QPointF(x, grid.head.top() + (grid.head.height() - chipHeight(theme)) / 2), length,
                          theme.good, theme.sunken, theme)
                    .right() +
                line * 0.8;
        else
            x += paintText(painter, QRectF(x, grid.head.top(), grid.head.right() - x, grid.head.height()), length,
                           theme.body(), theme.text) +
                 line * 0.8;
        const SlotUse whole = model.use(model.range.begin.value, model.range.end.value), part = model.use(begin, end);
        paintText(painter, QRectF(x, grid.head.top(), grid.head.right() - x, grid.head.height()),
                  tr("issue slots used %1, here %2  ·  latency hidden %3")
                      .arg(percentOf(whole.issueShare()), percentOf(part.issueShare()), percentOf(whole.hiddenShare())),
                  theme.small(), theme.textMuted);
        // Warps have the same row in every run of one plan.
        const bool known = oneKernel && context.selection.warp < model.trace->warps.size();
        paintGrid(painter, grid, model,
                  {cursor, known ? context.selection.warp : noIndex, context.selection.sourceLine}, theme);
    }
    paintStateLegend(&painter, layout.legend, all, shown, false, theme);
    if (layout.note.height() > 0)
        paintText(
            painter, layout.note,
            tr("cycle %1; zoom, drag and steps move all of them together. Latency hidden: of the cycles in which a "
               "warp waits, those in which another issues.")
                .arg(numberText(cursor)),
            theme.small(), theme.textMuted);
}

void paintLittlePage(QPainter& painter, const QRectF& area, const PaintContext& context,
                     const PreparedScheduler& ready) {
    const LittleLayout layout = littleLayout(area, lineHeight(context.theme.body()));
    paintTitle(painter, layout.title, tr("How many warps hide a latency"),
               tr("Little's law: in flight = latency × throughput"), false, context.theme);
    LittleState state;
    state.figures = littleOf(context);
    state.resident = ready.resident;
    state.known = ready.resident.onSm > 0;
    if (state.known)
        state.origin = context.trace->info.timeOrigin;
    state.chosen = std::clamp(context.options.value(QStringLiteral("slider")).toInt(), 0, littleSliders - 1);
    paintLittle(painter, layout, state, context.theme);
}

} // namespace

CycleAxis schedulerAxis(const PaintContext& context, const PreparedScheduler& ready) {
    CycleAxis axis;
    axis.shared = ready.page != SchedulerPage::Example;
    axis.model = ready.models.front().get();
    axis.bounds = axis.model->range;
    for (const auto& model : ready.models) {
        if (model->trace == context.trace)
            axis.model = model.get();
        axis.bounds = {std::min(axis.bounds.begin, model->range.begin), std::max(axis.bounds.end, model->range.end)};
    }
    return axis;
}

CyclesLayout cyclesLayoutOf(const QRectF& area, const PaintContext& context, const PreparedScheduler& ready) {
    const Theme& theme = context.theme;
    const double line = lineHeight(theme.body());
    const SchedulerModel& model = *ready.models.front();
    const StateTimes all = timesOfAll(model);
    const QRectF inner = area.adjusted(line * 1.1, 0, -line * 1.1, 0);
    const double legend = paintStateLegend(nullptr, inner, all, all, false, theme);
    const double shortLegend = paintStateLegend(nullptr, inner, all, all, true, theme);
    std::array<double, stepButtons> widths{};
    const auto words = buttonWords();
    for (std::size_t b = 0; b < words.size(); ++b)
        widths[b] = textWidth(theme.small(), words[b]) + line * 1.1;
    const double now = textWidth(theme.title(), numberText(model.range.end.value)) + line * 1.2;
    const auto arranged = [&](CycleRange window) {
        return cyclesLayout(area, int(model.rows.size()), line, legend, shortLegend, widths, now, window);
    };
    return arranged(schedulerAxis(context, ready).window(context, arranged({0, 1}).grid.rows.width()));
}

PolicyLayout policyLayoutOf(const QRectF& area, const PaintContext& context, const PreparedScheduler& ready) {
    const double line = lineHeight(context.theme.body());
    std::vector<int> rows;
    StateTimes all;
    for (const auto& model : ready.models) {
        rows.push_back(int(model->rows.size()));
        all += timesOfAll(*model);
    }
    const double legend =
        paintStateLegend(nullptr, area.adjusted(line * 1.1, 0, -line * 1.1, 0), all, all, false, context.theme);
    const auto arranged = [&](CycleRange window) { return policyLayout(area, rows, line, legend, window); };
    const double pixels = arranged({0, 1}).panes.front().rows.width();
    return arranged(schedulerAxis(context, ready).window(context, pixels));
}

std::vector<GridLayout> schedulerGrids(const QRectF& area, const PaintContext& context,
                                       const PreparedScheduler& ready) {
    if (ready.page == SchedulerPage::Policies)
        return policyLayoutOf(area, context, ready).panes;
    return {cyclesLayoutOf(area, context, ready).grid};
}

void paintSchedulerPage(QPainter& painter, const QRectF& area, const PaintContext& context,
                        const PreparedScheduler& ready) {
    if (ready.page == SchedulerPage::Little)
        paintLittlePage(painter, area, context, ready);
    else if (ready.models.empty())
        return;
    else if (ready.page == SchedulerPage::Policies)
        paintPoliciesPage(painter, area, context, ready);
    else
        paintCyclesPage(painter, area, context, ready);
}

void paintSchedulerPointer(QPainter& painter, const QRectF& area, const PaintContext& context,
                           const PreparedScheduler& ready, QPointF pointer) {
    if (ready.models.empty() || ready.page == SchedulerPage::Little)
        return;
    const auto grids = schedulerGrids(area, context, ready);
    for (std::size_t g = 0; g < grids.size(); ++g) {
        const GridLayout& grid = grids[g];
        if (pointer.x() < grid.rows.left() || pointer.x() >= grid.rows.right() || pointer.y() < grid.rows.top() ||
            pointer.y() > grid.issue.bottom())
            continue;
        const SchedulerModel& model = *ready.models[g];
        const auto cycle = std::int64_t(std::floor(grid.scale.at(pointer.x())));
        if (cycle < model.range.begin.value || cycle >= model.range.end.value)
            return;
        const int row = grid.rowAt(pointer.y(), int(model.rows.size()));
        const double x = grid.scale.x(double(cycle)), each = grid.scale.perCycle();
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(context.theme.text, 1, Qt::DotLine));
        for (const GridLayout& other : grids) // the same cycle in every pane
            painter.drawLine(QPointF(x, other.rows.top()), QPointF(x, other.issue.bottom()));
        if (row >= 0 && each >= 4) {
            painter.setPen(QPen(context.theme.text, 1.5));
            painter.drawRect(QRectF(x, grid.row(row).top(), each, grid.rowHeight));
        }
        painter.setRenderHint(QPainter::Antialiasing, true);
        paintCard(painter, area, pointer, cellLines(model, row, cycle), context.theme);
        return;
    }
}

} // namespace warpglass
