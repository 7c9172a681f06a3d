// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of cells. A span of one state is one rectangle with one hatch, whatever its length; single cycles are parted by
// thin lines where they are wide enough. Where a cycle is under a pixel and a half, each pixel column shows the state
// that lasted longest in it, and runs of equal columns are one rectangle again.
#include "views/scheduler/scheduler_paint.h"

#include "views/common/agreeing.h"
#include "views/common/follow.h"
#include "views/common/marks.h"
#include "views/common/painted_words.h"
#include "views/common/ticks.h"
#include "views/scheduler/scheduler_text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace warpglass {

namespace {

constexpr double leastLabel = 0.8;  // of a line of text: lower rows are labelled by block
constexpr double leastParted = 7;   // px of a cell with lines between cycles and glyphs
constexpr double leastCounted = 44; // px of a cell with a word of its own

QColor wordColour(WarpState state, const Theme& theme) {
    return state == WarpState::Selected ? theme.textOnAccent : theme.text;
}

void paintPointer(QPainter& painter, const QRectF& cell, const QColor& ink) {
    const double s = std::min(cell.width(), cell.height()) * 0.24;
    const QPointF c = cell.center();
    const QPointF points[] = {c + QPointF(-s * 0.8, -s), c + QPointF(s, 0), c + QPointF(-s * 0.8, s)};
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawConvexPolygon(points, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// The word of one cell: the operation that is issued; "3 left": cycles that a stall still lasts, this one included;
// where what comes is asked for, what it waits for alone.
QString cellWord(const SchedulerModel& model, const StateRow& row, std::int64_t cycle, bool asked) {
    if (row.state == WarpState::Selected)
        return asText(operationOf(model.ptx(row.ptxLine)));
    if (row.state == WarpState::Eligible || asked)
        return stateWord(row.state);
    return SchedulerText::tr("%1 left").arg(row.end.value - cycle);
}

void paintWord(QPainter& painter, const QRectF& cell, const QString& word, WarpState state, const Theme& theme) {
    const double width = textWidth(theme.small(), word) + 4;
    const QRectF place(cell.center().x() - width / 2, cell.top(), width, cell.height());
    // The hatch must not strike words out: a low cell is all theirs.
    const double inset = std::clamp((cell.height() - lineHeight(theme.small())) / 2, 0.0, 2.0);
    painter.fillRect(place.adjusted(-1, inset, 1, -inset), stateFill(state, theme));
    paintText(painter, place, word, theme.small(), wordColour(state, theme), Qt::AlignCenter);
}

void paintSpan(QPainter& painter, const GridLayout& grid, const QRectF& bar, const SchedulerModel& model,
               const StateRow& row, bool asked, const Theme& theme) {
    const CycleScale& scale = grid.scale;
    const double each = scale.perCycle();
    const double from = std::max(scale.x(double(row.begin.value)), bar.left());
    const double to = std::min(scale.x(double(row.end.value)), bar.right());
    if (to <= from)
        return;
    const bool parted = each >= leastParted;
    const QRectF span = QRectF(from, bar.top(), to - from, bar.height()).adjusted(0, 0, parted ? -1 : 0, 0);
    const QColor fill = stateFill(row.state, theme);
    const QColor ink = theme.state(row.state);
    painter.fillRect(span, fill);
    const double text = lineHeight(theme.small()) * 0.9;
    const bool words = bar.height() >= text;
    const auto firstSeen = std::max<std::int64_t>(row.begin.value, std::int64_t(std::floor(scale.window.begin)));
    const auto lastSeen = std::min<std::int64_t>(row.end.value, std::int64_t(std::ceil(scale.window.end)));
    const bool stalled = row.state != WarpState::Selected && row.state != WarpState::Eligible;
    if (each >= leastCounted && words) { // every cycle has its word
        for (std::int64_t c = firstSeen; c < lastSeen; ++c) {
            const QRectF cell(scale.x(double(c)), bar.top(), each - 1, bar.height());
            const QRectF seen = cell.intersected(bar);
            if (c > firstSeen)
                painter.fillRect(QRectF(cell.left() - 1, bar.top(), 1, bar.height()), theme.panel);
            if (stalled)
                paintHatch(painter, seen, stateHatch(row.state), ink);
            QString word = cellWord(model, row, c, asked);
            const QString both = stalled && !asked ? stateWord(row.state) + QStringLiteral(" · ") + word : word;
            if (textWidth(theme.small(), both) + 8 < seen.width())
                word = both;
            if (textWidth(theme.small(), word) + 6 < seen.width())
                paintWord(painter, cell, word, row.state, theme);
        }
        return;
    }
    if (!stalled) {
        const double glyph = std::min(each, bar.height());
        for (std::int64_t c = firstSeen; c < lastSeen; ++c) {
            const QRectF cell(scale.x(double(c)), bar.top(), each - (parted ? 1 : 0), bar.height());
            if (parted && c > firstSeen)
                painter.fillRect(QRectF(cell.left() - 1, bar.top(), 1, bar.height()), theme.panel);
            if (glyph < leastParted)
                continue;
            if (row.state == WarpState::Selected)
                paintPointer(painter, cell, theme.textOnAccent);
            else
                paintHatch(painter, cell, Hatch::Ring, theme.text);
        }
        return;
    }
    const Hatch hatch = stateHatch(row.state);
    if ((hatch == Hatch::Dot || hatch == Hatch::Ring) && parted) {
        for (std::int64_t c = firstSeen; c < lastSeen; ++c)
            paintHatch(painter, QRectF(scale.x(double(c)), bar.top(), each - 1, bar.height()), hatch, ink);
    } else {
        paintHatch(painter, span, hatch, ink);
    }
    if (!words)
        return;
    const QString word = stateWord(row.state);
    const QString counted =
        word + QStringLiteral(" · ") + numberText(row.end.value - row.begin.value); // cycles of the whole stall
    if (!asked && textWidth(theme.small(), counted) + 10 < span.width())
        paintWord(painter, span, counted, row.state, theme);
    else if (textWidth(theme.small(), word) + 8 < span.width())
        paintWord(painter, span, word, row.state, theme);
}

// Columns of pixels: what lasted longest.
void paintFolded(QPainter& painter, const GridLayout& grid, const QRectF& bar, const SchedulerModel& model,
                 const SchedulerRow& row, const Theme& theme) {
    const int columns = std::max(1, int(bar.width()));
    const double pitch = bar.width() / columns;
    int run = -1, since = 0;
    const auto flush = [&](int end) {
        if (run < 0)
            return;
        const QRectF span(bar.left() + since * pitch, bar.top(), (end - since) * pitch, bar.height());
        painter.fillRect(span, stateFill(WarpState(run), theme));
        const bool lines = run != int(WarpState::Selected) && stateHatch(WarpState(run)) != Hatch::Dot &&
                           stateHatch(WarpState(run)) != Hatch::Ring; // one dot would say nothing of so many cycles
        if (lines && span.width() > 8)
            paintHatch(painter, span, stateHatch(WarpState(run)), theme.state(WarpState(run)));
    };
    StateTimes before = row.states.before(*model.trace, std::int64_t(std::floor(grid.scale.at(bar.left()))));
    for (int c = 0; c < columns; ++c) {
        const StateTimes after =
            row.states.before(*model.trace, std::int64_t(std::floor(grid.scale.at(bar.left() + (c + 1) * pitch))));
        const int here = (after - before).dominant();
        before = after;
        if (here != run) {
            flush(c);
            run = here;
            since = c;
        }
    }
    flush(columns);
}

void paintLabel(QPainter& painter, const QRectF& where, const SchedulerModel& model, const SchedulerRow& row,
                std::int64_t cursor, bool chosen, const Theme& theme) {
    const double text = lineHeight(theme.small());
    if (where.height() < text * leastLabel)
        return;
    const Trace& trace = *model.trace;
    const std::uint32_t warp = row.states.warpNear(trace, cursor);
    const QRectF place = where.adjusted(text * 0.3, 0, -8, 0);
    QFont font = theme.small();
    font.setBold(chosen);
    const Warp& w = trace.warps[warp];
    if (trace.launches[model.launch].grid.count() == 1) {
        paintText(painter, place, SchedulerText::tr("warp %1").arg(w.warpInBlock), font,
                  chosen ? theme.text : theme.textMuted);
        return;
    }
    const QString block = blockIndexText(trace, trace.blockOf(w));
    const QColor ink = chosen ? theme.text : theme.textMuted;
    const QString name = SchedulerText::tr("block %1, warp %2").arg(block).arg(w.warpInBlock);
    if (textWidth(font, name) <= place.width()) {
        paintText(painter, place, name, font, ink);
    } else if (place.height() >= text * 2.2) { // the warp is what tells rows apart: it is never cut off
        QRectF line(place.left(), place.center().y() - text, place.width(), text);
        paintText(painter, line, SchedulerText::tr("block %1").arg(block), font, ink);
        paintText(painter, line.translated(0, text), SchedulerText::tr("warp %1").arg(w.warpInBlock), font, ink);
    } else {
        paintText(painter, place,
                  firstThatFits({SchedulerText::tr("%1, warp %2").arg(block).arg(w.warpInBlock),
                                 QStringLiteral("%1 w%2").arg(block).arg(w.warpInBlock)},
                                font, place.width()),
                  font, ink);
    }
}

// Where rows are too low for a line each: the block of neighbouring rows, once.
void paintBlockLabels(QPainter& painter, const GridLayout& grid, const SchedulerModel& model, std::int64_t cursor,
                      const Theme& theme) {
    const double text = lineHeight(theme.small());
    const Trace& trace = *model.trace;
    const auto blockOf = [&](std::size_t r) { return trace.warps[model.rows[r].states.warpNear(trace, cursor)].block; };
    for (std::size_t first = 0; first < model.rows.size();) {
        std::size_t end = first + 1;
        while (end < model.rows.size() && blockOf(end) == blockOf(first))
            ++end;
        QRectF where = grid.label(int(first));
        where.setBottom(grid.label(int(end) - 1).bottom());
        if (where.height() >= text * leastLabel)
            paintText(painter, where.adjusted(text * 0.3, 0, -8, 0),
                      agreeing(SchedulerText::tr("block %1, %2 {warp|warps}"),
                               blockIndexText(trace, trace.blocks[blockOf(first)]), end - first),
                      theme.small(), theme.textMuted);
        first = end;
    }
}

} // namespace

void paintCycleRuler(QPainter& painter, const GridLayout& grid, const Theme& theme) {
    if (grid.ruler.height() <= 0)
        return;
    const CycleScale& scale = grid.scale;
    const double text = lineHeight(theme.small());
    const auto ticks =
        axisTicks(std::int64_t(std::ceil(scale.window.begin)), std::int64_t(std::floor(scale.window.end)),
                  std::max(2, int(scale.width / (text * 3.6))));
    paintText(painter, QRectF(grid.labels.left(), grid.ruler.top(), grid.labels.width() - 8, grid.ruler.height()),
              SchedulerText::tr("cycle"), theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    for (std::int64_t tick : ticks) {
        const double x = scale.x(double(tick));
        const bool cells = scale.perCycle() >= text * 1.2; // a number over its cell, else at its left edge
        const QString label = numberText(tick);
        const double width = textWidth(theme.small(), label) + 4;
        const double left = cells ? x + scale.perCycle() / 2 - width / 2 : x + 3;
        if (left + width > grid.ruler.right() + 2)
            continue;
        if (!cells)
            painter.fillRect(QRectF(x, grid.ruler.bottom() - 6, 1, 6), theme.border);
        paintText(painter, QRectF(left, grid.ruler.top(), width, grid.ruler.height()), label, theme.small(),
                  theme.textMuted, cells ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter);
    }
}

namespace {

const Warp& warpAt(const SchedulerModel& model, std::size_t row, std::int64_t cycle) {
    return model.trace->warps[model.rows[row].states.warpNear(*model.trace, cycle)];
}

// Blocks whose warps the rows show in this cycle, or nearest to it.
std::size_t blocksAt(const SchedulerModel& model, std::int64_t cycle) {
    std::set<std::uint32_t> blocks;
    for (std::size_t row = 0; row < model.rows.size(); ++row)
        blocks.insert(warpAt(model, row, cycle).block);
    return blocks.size();
}

// "3", and "(2)·3" where there are warps of several blocks, whose numbers are the same.
QString shortName(const SchedulerModel& model, int row, std::int64_t cycle, bool several) {
    const Warp& warp = warpAt(model, std::size_t(row), cycle);
    const QString number = QString::number(warp.warpInBlock);
    return several ? blockIndexText(*model.trace, model.trace->blockOf(warp)) + QStringLiteral("·") + number : number;
}

// Below the rows: in which cycles the scheduler issues; folded, how often.
void paintIssue(QPainter& painter, const GridLayout& grid, const SchedulerModel& model, const Theme& theme) {
    const QRectF& strip = grid.issue;
    const CycleScale& scale = grid.scale;
    const QRectF label(grid.labels.left(), strip.top(), grid.labels.width() - 8, strip.height());
    paintText(painter, label,
              firstThatFits({SchedulerText::tr("scheduler issues"), SchedulerText::tr("issues")}, theme.small(),
                            label.width()),
              theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    painter.fillRect(strip, theme.kind == ThemeKind::Print ? theme.panel : theme.sunken);
    const int columns = std::max(1, int(strip.width()));
    if (scale.perCycle() < leastCell) {
        const double pitch = strip.width() / columns;
        SlotUse before = model.useBefore(std::int64_t(std::floor(scale.at(strip.left()))));
        for (int c = 0; c < columns; ++c) {
            const SlotUse after = model.useBefore(std::int64_t(std::floor(scale.at(strip.left() + (c + 1) * pitch))));
            const double height = std::ceil(strip.height() * (after - before).issueShare());
            painter.fillRect(QRectF(strip.left() + c * pitch, strip.bottom() - height, pitch, height), theme.good);
            before = after;
        }
    } else {
        auto run = std::upper_bound(model.runs.begin(), model.runs.end(), scale.window.begin,
                                    [](double c, const SchedulerModel::Run& r) { return c < double(r.begin); });
        if (run != model.runs.begin())
            --run;
        const bool parted = scale.perCycle() >= leastParted;
        const bool several = blocksAt(model, std::int64_t(std::floor(scale.window.begin))) > 1;
        for (; run != model.runs.end() && double(run->begin) < scale.window.end; ++run) {
            if (!run->issued)
                continue;
            const std::int64_t end = run + 1 != model.runs.end() ? (run + 1)->begin : model.range.end.value;
            const std::int64_t from = std::max(run->begin, std::int64_t(std::floor(scale.window.begin)));
            const std::int64_t to = std::min(end, std::int64_t(std::ceil(scale.window.end)));
            const double left = std::max(strip.left(), scale.x(double(from)));
            const double right = std::min(strip.right(), scale.x(double(to)));
            if (right <= left) // it ended before what is shown
                continue;
            painter.fillRect(QRectF(left, strip.top(), right - left - (parted ? 1 : 0), strip.height()), theme.good);
            for (std::int64_t c = from; c < to && parted; ++c) {
                const QRectF cell(scale.x(double(c)), strip.top(), scale.perCycle() - 1, strip.height());
                if (c > from)
                    painter.fillRect(QRectF(cell.left() - 1, strip.top(), 1, strip.height()), theme.sunken);
                const int row = model.issuingRow(c);
                const QString name = row < 0 ? QString() : shortName(model, row, c, several);
                const QString words = several ? name : SchedulerText::tr("warp %1").arg(name);
                const bool wide = textWidth(theme.small(), words) + 4 < cell.width();
                if (textWidth(theme.small(), name) + 2 < cell.width() && strip.contains(cell.center()))
                    paintText(painter, cell, wide ? words : name, theme.small(), theme.textOnAccent, Qt::AlignCenter);
            }
        }
    }
    if (theme.kind == ThemeKind::Print) {
        painter.setPen(QPen(theme.border, 0.7));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(strip);
    }
}

} // namespace

void paintGrid(QPainter& painter, const GridLayout& grid, const SchedulerModel& model, const GridLook& look,
               const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintCycleRuler(painter, grid, theme);
    painter.fillRect(grid.rows, theme.panel);
    painter.save();
    if (look.playing) {
        const double end = std::clamp(grid.scale.x(double(look.cursor) + 1), grid.rows.left(), grid.rows.right());
        painter.setClipRect(QRectF(QPointF(grid.labels.left(), grid.rows.top()), QPointF(end, grid.issue.bottom())),
                            Qt::IntersectClip);
    }
    const double inset = grid.rowHeight >= 8 ? 1 : grid.rowHeight >= 4 ? 0.5 : 0;
    for (std::size_t r = 0; r < model.rows.size(); ++r) {
        const SchedulerRow& row = model.rows[r];
        const bool chosen = row.states.warpNear(*model.trace, look.cursor) == look.warp; // whom the label names
        const QRectF label = grid.label(int(r));
        if (chosen)
            painter.fillRect(label.adjusted(0, inset, -4, -inset), theme.accentSoft);
        paintLabel(painter, label, model, row, look.cursor, chosen, theme);
        const QRectF bar = grid.row(int(r)).adjusted(0, inset, 0, -inset);
        if (grid.scale.perCycle() < leastCell) {
            paintFolded(painter, grid, bar, model, row, theme);
            continue;
        }
        for (std::uint64_t n =
                 row.states.firstEndingAfter(*model.trace, std::int64_t(std::floor(grid.scale.window.begin)));
             n < row.states.size(); ++n) {
            const StateRow& state = row.states.row(*model.trace, n);
            if (double(state.begin.value) >= grid.scale.window.end)
                break;
            paintSpan(painter, grid, bar, model, state, look.asked, theme);
            if (look.sourceLine != 0 && state.state == WarpState::Selected && bar.height() >= 8 &&
                model.sourceLine(state.ptxLine) == look.sourceLine) {
                const double from = std::max(bar.left(), grid.scale.x(double(state.begin.value)));
                const double to = std::min(bar.right(), grid.scale.x(double(state.end.value)));
                painter.fillRect(QRectF(from, bar.bottom() - 2.5, to - from, 2.5), theme.attention);
            }
        }
    }
    if (theme.kind == ThemeKind::Print) {
        painter.setPen(QPen(theme.border, 0.7));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(grid.rows);
    }
    if (grid.rowHeight < lineHeight(theme.small()) * leastLabel)
        paintBlockLabels(painter, grid, model, look.cursor, theme);
    paintIssue(painter, grid, model, theme);
    painter.restore();
    for (std::size_t r = 0; r < model.rows.size() && look.followed != noIndex; ++r) {
        const auto& warps = model.rows[r].states.warps();
        if (std::find(warps.begin(), warps.end(), look.followed) != warps.end())
            paintFollowed(painter, grid.label(int(r)).united(grid.row(int(r))).adjusted(2, 0, -2, 0), theme);
    }
    // The cursor: a frame round its cycle, or a line where cycles are narrow.
    const CycleScale& scale = grid.scale;
    if (look.cursor + 1 > scale.window.begin && double(look.cursor) < scale.window.end) {
        const double x = scale.x(double(look.cursor));
        painter.setBrush(Qt::NoBrush);
        if (scale.perCycle() >= leastParted) {
            const QRectF frame(x - 1, grid.rows.top() - 1, scale.perCycle() + 1,
                               grid.issue.bottom() - grid.rows.top() + 2);
            for (const qreal side : {frame.left(), frame.right()})
                paintCursorLine(painter, side, frame.top(), frame.bottom(), theme.attention, 2);
            painter.drawLine(frame.topLeft(), frame.topRight());
            painter.drawLine(frame.bottomLeft(), frame.bottomRight());
        } else {
            paintCursorLine(painter, x + 0.75, grid.rows.top() - 2, grid.issue.bottom() + 2, theme.attention);
        }
    }
    painter.restore();
}

void paintOverview(QPainter& painter, const QRectF& label, const QRectF& strip, const SchedulerModel& model,
                   CycleRange window, std::int64_t cursor, bool playing, const Theme& theme) {
    paintText(painter, label.adjusted(0, 0, -8, 0), SchedulerText::tr("whole run"), theme.small(), theme.textMuted,
              Qt::AlignRight | Qt::AlignVCenter);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(strip, theme.kind == ThemeKind::Print ? theme.panel : theme.sunken);
    const int columns = std::max(1, int(strip.width()));
    const double length = double(model.range.length().value), pitch = strip.width() / columns;
    const auto at = [&](int c) { return model.range.begin.value + std::int64_t(length * c / columns); };
    SlotUse before;
    for (int c = 0; c < columns && !(playing && at(c) > cursor); ++c) {
        const SlotUse after = model.useBefore(at(c + 1));
        const SlotUse here = after - before;
        if (here.cycles > 0) {
            const double height = std::ceil((strip.height() - 2) * here.issueShare());
            painter.fillRect(QRectF(strip.left() + c * pitch, strip.bottom() - height, pitch, height), theme.good);
        } else if (c > 0 && model.issuingRow(at(c)) >= 0) { // fewer cycles than pixels
            painter.fillRect(QRectF(strip.left() + c * pitch, strip.top() + 2, pitch, strip.height() - 2), theme.good);
        }
        before = after;
    }
    const auto x = [&](double cycle) {
        return strip.left() + (cycle - double(model.range.begin.value)) / std::max(1.0, length) * strip.width();
    };
    QColor veil = theme.window;
    veil.setAlphaF(0.6f);
    painter.fillRect(QRectF(strip.left(), strip.top(), x(window.begin) - strip.left(), strip.height()), veil);
    painter.fillRect(QRectF(x(window.end), strip.top(), strip.right() - x(window.end), strip.height()), veil);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(
        QRectF(x(window.begin), strip.top(), std::max(2.0, x(window.end) - x(window.begin)), strip.height()));
    if (model.range.contains(Time{cursor})) // the launch is longer than what this scheduler does of it
        painter.fillRect(QRectF(x(double(cursor) + 0.5) - 0.75, strip.top() - 2, 1.5, strip.height() + 4),
                         theme.attention);
    painter.restore();
}

} // namespace warpglass
