// SPDX-License-Identifier: GPL-3.0-or-later
// One scheduler, cycle by cycle: buttons, overview, rows of warps, legend, figures, and what happens at the cursor.
#include "views/scheduler/scheduler_picture.h"

#include "views/common/beside.h"
#include "views/common/marks.h"
#include "views/common/pinned.h"
#include "views/common/ticks.h"
#include "views/common/time_chip.h"
#include "views/scheduler/example.h"
#include "views/scheduler/scheduler_csv.h"
#include "views/scheduler/scheduler_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

void paintSchedulerTitle(QPainter& painter, const QRectF& where, const QString& title, const QString& note,
                         const TraceInfo* times, const Theme& theme) {
    double x = where.left();
    const double room = where.width() * 0.5,
                 forChip = times ? chipWidth(timeChipText(*times, theme, room), theme) + 12 : 0;
    if (!title.isEmpty()) // it becomes smaller before the chip is cut
        x += paintHeading(painter, where.adjusted(0, 0, -forChip, 0), title, theme) + 12;
    if (times) {
        const QPointF at(x, where.top() + (where.height() - chipHeight(theme)) / 2);
        x = paintTimeChip(painter, at, *times, theme, room).right() + 10;
    }
    // Of the note whole parts, the first ones.
    const QString between = QStringLiteral("  ·  ");
    QString said = note;
    while (!said.isEmpty() && textWidth(theme.small(), said) > where.right() - x)
        said.truncate(std::max<qsizetype>(0, said.lastIndexOf(between)));
    if (!said.isEmpty())
        paintText(painter, QRectF(x, where.top(), where.right() - x, where.height()), said, theme.small(),
                  theme.textMuted);
}

StateTimes timesOfAll(const SchedulerModel& model) {
    return model.times(model.range.begin.value, model.range.end.value);
}

namespace {

constexpr double csvPixels = 1000; // a table shows as much as a picture of this width

std::array<QString, stepButtons> buttonWords() {
    return {SchedulerText::tr("◀ barrier"), SchedulerText::tr("◀ instruction"), SchedulerText::tr("◀ cycle"),
            SchedulerText::tr("cycle ▶"),   SchedulerText::tr("instruction ▶"), SchedulerText::tr("barrier ▶")};
}

QString buttonTip(StepButton button) {
    switch (button) {
    case StepButton::BarrierBack:
        return SchedulerText::tr("to the barrier before, of the chosen warp (Ctrl+Left)");
    case StepButton::IssueBack:
        return SchedulerText::tr("to the instruction before, of the chosen warp (Shift+Left)");
    case StepButton::CycleBack:
        return SchedulerText::tr("one cycle back (Left)");
    case StepButton::CycleOn:
        return SchedulerText::tr("one cycle on (Right)");
    case StepButton::IssueOn:
        return SchedulerText::tr("to the next instruction of the chosen warp (Shift+Right)");
    case StepButton::BarrierOn:
        return SchedulerText::tr("to the next barrier of the chosen warp (Ctrl+Right)");
    }
    return {};
}

// The example in place of the overview: in which order warps were taken, and whether the document says so too.
void paintOrder(QPainter& painter, const CyclesLayout& layout, const SchedulerModel& model, const Theme& theme) {
    const int documents[documentCycles] = {0, 1, 3, 2, 0};
    bool same = true;
    double x = layout.overview.left();
    const double line = lineHeight(theme.body()), side = line * 1.35;
    paintText(painter, layout.overviewLabel.adjusted(0, 0, -8, 0), SchedulerText::tr("taken in turn"), theme.small(),
              theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
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
              same ? SchedulerText::tr("cycles 0 to 4: warps as the document writes them")
                   : SchedulerText::tr("the document, which takes turns, has 0, 1, 3, 2, 0"),
              theme.body(), same ? theme.good : theme.textMuted);
}

// Between buttons that say what it counts, the number alone.
QString cursorText(const CyclesPicture& picture, std::int64_t cycle) {
    return picture.context.paper ? SchedulerText::tr("cycle %1").arg(numberText(cycle)) : numberText(cycle);
}

CyclesLayout layoutOf(const CyclesPicture& picture) {
    const Theme& theme = picture.context.theme;
    const double line = lineHeight(theme.body());
    const SchedulerModel& model = *picture.ready->models.front();
    const StateTimes all = timesOfAll(model);
    const QRectF inner = picture.area.adjusted(line * 1.1, 0, -line * 1.1, 0);
    const double legend = paintStateLegend(nullptr, inner, all, all, false, theme);
    const double shortLegend = paintStateLegend(nullptr, inner, all, all, true, theme);
    std::array<double, stepButtons> widths{};
    const auto words = buttonWords();
    const bool pressed = !picture.context.paper; // a step that nobody can take is no part of a picture
    for (std::size_t b = 0; b < words.size() && pressed; ++b)
        widths[b] = textWidth(theme.small(), words[b]) + line * 1.1;
    const double now =
        textWidth(theme.title(), cursorText(picture, model.range.end.value)) + (pressed ? line * 1.2 : 2);
    const auto arranged = [&](CycleRange window) {
        return cyclesLayout(picture.area, int(model.rows.size()), line, legend, shortLegend, widths, now, window);
    };
    return arranged(picture.axis.window(picture.unchanged(), arranged({0, 1}).grid.rows.width()));
}

} // namespace

CyclesPicture::CyclesPicture(const PaintContext& of, const QRectF& on, SchedulerModelsPtr from)
    : GridPicture(of, on, std::move(from)), layout(layoutOf(*this)) {
    grids = {layout.grid};
}

void CyclesPicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    const SchedulerModel& model = *ready->models.front();
    const CycleRange window = layout.grid.scale.window;
    // The clock's, though no warp be there; on paper no other clock stands beside it, and a cycle of the run says more.
    const std::int64_t cursor = context.paper ? axis.cursor(unchanged()) : axis.now(unchanged());
    const std::uint32_t warp = axis.warp(unchanged());
    QStringList note;
    if (axis.shared && context.other)
        note << SchedulerText::tr("of the two runs, A alone");
    if (axis.shared)
        note << SchedulerText::tr("SM %1, scheduler %2").arg(model.place.sm).arg(model.place.scheduler);
    if (!model.policy.empty())
        note << policyName(model.policy, true);
    if (!layout.compact)
        paintSchedulerTitle(painter, layout.title,
                            axis.shared ? (context.other ? compared(0) : QString()) +
                                              SchedulerText::tr("Who issues, and what the others wait for")
                                        : SchedulerText::tr("Four warps, five cycles, as in the document"),
                            note.join(QStringLiteral("  ·  ")), &model.trace->info, theme);
    const auto words = buttonWords();
    for (int b = 0; b < stepButtons; ++b)
        if (!layout.button[b].isEmpty())
            paintPushButton(painter, layout.button[b], words[b], theme);
    paintText(painter, layout.now, cursorText(*this, cursor), theme.title(), theme.attention, Qt::AlignCenter);
    double right = layout.now.right(); // of what the buttons' row holds
    for (const QRectF& button : layout.button)
        right = std::max(right, button.right());
    right += 14;
    const QRectF rest(right, layout.buttons.top(), layout.buttons.right() - right, layout.buttons.height());
    const double chip = chipWidth(originName(Origin::Modelled), theme);
    const QString which = axis.shared && context.other ? QStringLiteral("A") : QString(); // of two runs
    const double letter = which.isEmpty() ? 0 : textWidth(theme.small(), which) + 6;
    if (layout.compact && rest.width() >= chip + 2 * letter) // what the title would have said
        paintSchedulerTitle(painter, rest, which, note.join(QStringLiteral("  ·  ")), &model.trace->info, theme);
    else if (layout.compact) { // beside the label of the strip, or of the ruler
        const QRectF& label = layout.overviewLabel;
        const auto beside = [&](const QString& word) {
            return chip + letter + textWidth(theme.small(), word) + 14 <= label.width();
        };
        const bool fits = beside(SchedulerText::tr("whole run"));
        const double y = fits ? label.center().y() : layout.grid.ruler.center().y();
        if (label.width() > letter)
            paintText(painter, {label.left(), y - chipHeight(theme) / 2, letter, chipHeight(theme)}, which,
                      theme.small(), theme.text);
        if (fits || beside(SchedulerText::tr("cycle"))) // else the window's own chip says it
            paintOriginChip(painter, {label.left() + letter, y - chipHeight(theme) / 2}, Origin::Modelled, theme);
    } else if (warp != noIndex && rest.width() > 60)
        paintText(painter, rest, SchedulerText::tr("steps of %1").arg(warpText(*model.trace, warp)), theme.small(),
                  theme.textMuted);
    if (axis.shared)
        paintOverview(painter, layout.overviewLabel, layout.overview, model, window, cursor,
                      context.selection.motion.playing, theme);
    if (const auto pinned = pinnedRange(context); axis.shared && pinned) {
        const QRectF& strip = layout.overview;
        const double perCycle = strip.width() / double(std::max<std::int64_t>(1, model.range.length().value));
        const double length = double(firstCycle(model.trace->info, pinned->length().value));
        paintPinnedSpan(painter, strip, strip.left() - double(model.range.begin.value) * perCycle,
                        strip.left() + (length - double(model.range.begin.value)) * perCycle, pinnedLengthText(context),
                        theme);
    }
    if (!axis.shared)
        paintOrder(painter, layout, model, theme);
    paintGrid(painter, layout.grid, model,
              {cursor, warp, context.selection.sourceLine, axis.shared && context.selection.motion.playing,
               axis.shared ? context.selection.followed.warp : noIndex},
              theme);
    // While it plays nothing is told of what is to come.
    const auto come = axis.shared && context.selection.motion.playing ? std::optional(cursor + 1) : std::nullopt;
    const auto begin = std::int64_t(std::floor(window.begin));
    paintStateLegend(&painter, layout.legend, timesOfAll(model), model.times(begin, lastShown(window, come)),
                     layout.compact, theme);
    paintFigures(painter, layout.figures, model, window, come, theme);
    paintDetail(painter, layout.detail, model, cursor, warp, theme);
}

Spot CyclesPicture::spotAt(QPointF at) const {
    Spot spot;
    for (int b = 0; b < stepButtons; ++b)
        if (layout.button[b].contains(at)) {
            spot.where = layout.button[b];
            spot.toolTip = buttonTip(StepButton(b));
            spot.click = stepped(StepButton(b));
            return spot;
        }
    if (axis.shared && layout.overview.contains(at)) {
        const double share = (at.x() - layout.overview.left()) / layout.overview.width();
        Change change = unchanged();
        axis.setCursor(change, axis.bounds.begin.value + std::int64_t(share * double(axis.bounds.length().value)));
        axis.bringIntoSight(change, scale().width);
        spot.where = layout.overview;
        spot.toolTip = SchedulerText::tr("issue slots used, over the whole run; click to go there");
        spot.click = change;
        return spot;
    }
    if (layout.figures.contains(at)) {
        const double share = (at.x() - layout.figures.left()) / layout.figures.width();
        if (share < 1.0 / 3)
            spot.toolTip = SchedulerText::tr("cycles in which an instruction is issued");
        else if (share < 2.0 / 3)
            spot.toolTip = SchedulerText::tr("of the cycles in which a warp waits, those in which another issues");
        return spot;
    }
    if (axis.shared && layout.detail.contains(at))
        return detailSpot(at);
    spot = GridPicture::spotAt(at);
    const SchedulerModel& model = *ready->models.front();
    const int row = layout.grid.rowAt(at.y(), int(model.rows.size()));
    if (row >= 0 && layout.grid.label(row).contains(at))
        spot.toolTip = SchedulerText::tr("slot %1").arg(model.rows[row].slot);
    return spot;
}

// The instruction that is told there, in the source too.
Spot CyclesPicture::detailSpot(QPointF at) const {
    const SchedulerModel& shown = *axis.model;
    const bool second = layout.compact ? at.y() > layout.detail.top() + lineHeight(context.theme.body()) * 1.35
                                       : at.x() > layout.detail.center().x();
    const std::int64_t cycle = axis.now(unchanged());
    const int row = second ? shown.rowOfWarp(axis.warp(unchanged())) : shown.issuingRow(cycle);
    bool issuedBefore = false;
    const std::uint32_t line = row < 0 ? 0 : shown.lineAt(shown.rows[row].states, cycle, issuedBefore);
    if (line == 0)
        return {};
    Spot spot;
    spot.click = unchanged();
    spot.click->selection.ptxLine = line;
    spot.click->selection.sourceLine = shown.sourceLine(line);
    return spot;
}

// In the overview the frame is dragged, not the content.
double CyclesPicture::dragFactor(QPointF from) const {
    if (!axis.shared || !layout.overview.contains(from))
        return 1;
    return -double(axis.bounds.length().value) / layout.overview.width() * scale().perCycle();
}

QString CyclesPicture::csv() const {
    return cyclesCsv(*ready->models.front(), axis.window(unchanged(), csvPixels));
}

} // namespace warpglass
