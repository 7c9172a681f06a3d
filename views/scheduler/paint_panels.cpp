// SPDX-License-Identifier: GPL-3.0-or-later
// What stands round the rows: the legend with shares, the figures, what happens in one cycle, and the card beside the
// pointer.
#include "views/scheduler/scheduler_paint.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/scheduler/scheduler_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

void paintSwatch(QPainter& painter, const QRectF& cell, WarpState state, const Theme& theme) {
    painter.fillRect(cell, stateFill(state, theme));
    if (state == WarpState::Selected) {
        const double s = cell.height() * 0.28;
        const QPointF c = cell.center();
        const QPointF points[] = {c + QPointF(-s * 0.8, -s), c + QPointF(s, 0), c + QPointF(-s * 0.8, s)};
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.textOnAccent);
        painter.drawConvexPolygon(points, 3);
        return;
    }
    paintHatch(painter, cell, stateHatch(state), state == WarpState::Eligible ? theme.text : theme.state(state));
}

QString shareText(const StateTimes& times, WarpState state) {
    const std::int64_t total = times.total();
    return total > 0 ? percentText(100.0 * double(times.of(state)) / double(total), 1) : QString(QChar(0x2014));
}

// "PTX 57  add.s32 %r1, %r2, %r3;" and "line 17  sum += x;"
QString ptxText(const SchedulerModel& model, std::uint32_t line) {
    const std::string_view text = model.ptx(line);
    return text.empty() ? QString()
                        : SchedulerText::tr("PTX %1").arg(line) + QStringLiteral("   ") + asText(text).simplified();
}

QString sourceText(const SchedulerModel& model, std::uint32_t ptxLine) {
    const std::uint32_t line = model.sourceLine(ptxLine);
    const std::string_view text = model.source(line);
    return text.empty() ? QString()
                        : SchedulerText::tr("line %1").arg(line) + QStringLiteral("   ") + asText(text).simplified();
}

// What a waiting warp has to do with the instruction that is told: other panels stand at the last one that it issued.
QString aboutIssue(bool issuedBefore) {
    return issuedBefore ? SchedulerText::tr("it has issued:") : SchedulerText::tr("it is about to issue:");
}

QString issueText(const SchedulerModel& model, std::int64_t cycle, std::uint32_t& ptxLine) {
    ptxLine = 0;
    const int row = model.issuingRow(cycle);
    if (row >= 0) {
        const SlotStates& states = model.rows[row].states;
        ptxLine = states.at(*model.trace, cycle)->ptxLine;
        return SchedulerText::tr("%1 issues").arg(warpText(*model.trace, states.warpNear(*model.trace, cycle)));
    }
    // Why nothing is issued: how many wait for what.
    StateTimes now = model.times(cycle, cycle + 1);
    QStringList reasons;
    while (now.dominant() >= 0) {
        const auto state = WarpState(now.dominant());
        reasons << SchedulerText::tr("%1 × %2").arg(now.of(state)).arg(stateWord(state));
        now.cycles[std::size_t(state)] = 0;
    }
    return reasons.isEmpty() ? SchedulerText::tr("no warp is there")
                             : SchedulerText::tr("nothing is issued: %1").arg(reasons.join(", "));
}

QString stateText(const SchedulerModel& model, const StateRow* state, std::uint32_t warp, std::int64_t cycle) {
    const QString who = warpText(*model.trace, warp);
    if (!state)
        return SchedulerText::tr("%1: not there").arg(who);
    const std::int64_t length = (state->end - state->begin).value;
    QString text = SchedulerText::tr("%1: %2").arg(who, stateName(state->state));
    if (length > 1)
        text +=
            SchedulerText::tr(", cycle %1 of %2").arg(numberText(cycle - state->begin.value + 1), numberText(length));
    return text;
}

} // namespace

double paintStateLegend(QPainter* painter, const QRectF& where, const StateTimes& all, const StateTimes& shown,
                        bool brief, const Theme& theme) {
    if (painter && where.height() <= 0)
        return 0;
    std::vector<WarpState> states;
    for (std::size_t k = 0; k < stateCount; ++k)
        if (all.cycles[k] > 0)
            states.push_back(WarpState(k));
    const double text = lineHeight(theme.small()), row = text + 4;
    double x = where.left(), y = where.top();
    QFont bold = theme.small();
    bold.setBold(true);
    const double shareWidth = textWidth(bold, QStringLiteral("100.0 %")); // places do not depend on what is shown
    for (WarpState state : states) {
        const QString name = brief ? stateWord(state) : stateName(state), share = shareText(shown, state);
        const double swatch = text * 1.15, nameWidth = textWidth(theme.small(), name);
        const double width = swatch + 6 + nameWidth + 6 + shareWidth + text * 1.2;
        if (x > where.left() && x + width - text * 1.2 > where.right()) {
            x = where.left();
            y += row;
        }
        if (painter) {
            paintSwatch(*painter, QRectF(x, y + (row - text * 0.78) / 2, swatch, text * 0.78), state, theme);
            paintText(*painter, QRectF(x + swatch + 6, y, nameWidth + 1, row), name, theme.small(), theme.textMuted);
            paintText(*painter, QRectF(x + swatch + 12 + nameWidth, y, shareWidth + 1, row), share, bold, theme.text);
        }
        x += width;
    }
    return states.empty() ? 0 : y + row - where.top();
}

std::int64_t lastShown(CycleRange window, std::optional<std::int64_t> come) {
    const auto begin = std::int64_t(std::floor(window.begin)), end = std::int64_t(std::ceil(window.end));
    return come ? std::clamp(*come, begin, end) : end;
}

void paintFigures(QPainter& painter, const QRectF& where, const SchedulerModel& model, CycleRange window,
                  std::optional<std::int64_t> come, const Theme& theme) {
    if (where.height() < lineHeight(theme.body()) * 2.2)
        return;
    const bool explained = where.height() > lineHeight(theme.body()) * 3.5;
    const auto begin = std::int64_t(std::floor(window.begin));
    const std::int64_t until = come.value_or(model.range.end.value), end = lastShown(window, come);
    const SlotUse shown = model.use(begin, end), whole = model.use(model.range.begin.value, until);
    const double gap = lineHeight(theme.body());
    const double width = (where.width() - 2 * gap) / 3;
    const auto share = [](double value) { return value < 0 ? QString(QChar(0x2014)) : percentText(100 * value, 1); };
    // The number first; where its name does not fit beside it, the name takes the note's line.
    const auto tile = [&](int n, const QString& label, const QString& brief, const QString& value,
                          const QStringList& notes, const QString& meaning) {
        const double line = lineHeight(theme.body()), x = where.left() + n * (width + gap);
        const QRectF tileRect(x, where.top(), width, where.height());
        painter.fillRect(QRectF(x, where.top(), 2, where.height() - 2), theme.border);
        QFont big = theme.title();
        const QRectF first(tileRect.left() + 10, tileRect.top(), width - 10, line * 1.3);
        const double used = paintText(painter, first, value, big, theme.text);
        const bool beside = used + 8 + textWidth(theme.body(), label) <= first.width();
        if (beside)
            paintText(painter, first.adjusted(used + 8, 0, 0, 0), label, theme.body(), theme.text);
        QString second = beside ? notes.back() : firstThatFits({label, brief}, theme.small(), first.width());
        for (qsizetype k = notes.size(); beside && k-- > 0;) // the longest that fits comes first
            if (textWidth(theme.small(), notes[k]) <= first.width())
                second = notes[k];
        paintText(painter, first.translated(0, line * 1.25), second, theme.small(),
                  beside ? theme.textMuted : theme.text);
        const QRectF below = first.translated(0, line * 2.25);
        if (explained && paintParagraph(nullptr, below, meaning, theme.small(), {}) <= where.bottom() - below.top() + 2)
            paintParagraph(&painter, below, meaning, theme.small(), theme.textMuted);
    };
    const QString of = come ? SchedulerText::tr("so far: %1") : SchedulerText::tr("whole run: %1");
    const std::int64_t warpCycles = model.times(begin, end).total();
    const std::int64_t allWarpCycles = model.times(model.range.begin.value, until).total();
    tile(0, SchedulerText::tr("issue slots used"), SchedulerText::tr("slots used"), share(shown.issueShare()),
         {(come ? SchedulerText::tr("so far: %1 of %2 cycles") : SchedulerText::tr("whole run: %1 of %2 cycles"))
              .arg(share(whole.issueShare()), numberText(whole.cycles)),
          of.arg(share(whole.issueShare()))},
         SchedulerText::tr("cycles in which an instruction is issued"));
    tile(1, SchedulerText::tr("latency hidden"), SchedulerText::tr("hidden"), share(shown.hiddenShare()),
         {of.arg(share(whole.hiddenShare()))},
         SchedulerText::tr("of the cycles in which a warp waits, those in which another issues"));
    tile(2, SchedulerText::tr("warps, on average"), SchedulerText::tr("mean warps"),
         decimalText(shown.cycles > 0 ? double(warpCycles) / double(shown.cycles) : 0, 1),
         {of.arg(decimalText(whole.cycles > 0 ? double(allWarpCycles) / double(whole.cycles) : 0, 1))},
         SchedulerText::tr("slots of this scheduler in use: %1").arg(model.rows.size()));
}

void paintDetail(QPainter& painter, const QRectF& where, const SchedulerModel& model, std::int64_t cycle,
                 std::uint32_t warp, const Theme& theme) {
    const double line = lineHeight(theme.body());
    if (where.height() < line * 2.4)
        return;
    const bool brief = where.height() < line * 4.4;          // a line each, else a column each
    const bool narrow = !brief && where.width() < line * 30; // one below the other
    const QRectF box(where.left(), where.top(), where.width(),
                     std::min(where.height(), line * (brief    ? 2.7
                                                      : narrow ? 7.2
                                                               : 4.8)));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(box, 6, 6);
    double below = box.top() + line * 0.3;
    const auto part = [&](int n, const QString& head, const QString& ptx, const QString& source, bool strong) {
        QFont font = brief || narrow ? theme.small() : theme.body();
        font.setBold(strong);
        QFont mono = theme.mono();
        if (narrow) {
            mono = theme.smallMono();
            const double pitch = lineHeight(theme.small()), left = box.left() + line * 0.6;
            const QRectF room(left, below, box.width() - line * 1.2, box.bottom() - below - line * 0.2);
            const double high = paintParagraph(nullptr, room, head, font, theme.text);
            if (high > room.height())
                return;
            paintParagraph(&painter, room, head, font, theme.text);
            below += high;
            for (const QString& words : {ptx, source})
                if (!words.isEmpty() && below + pitch <= room.bottom()) {
                    paintText(painter, QRectF(left, below, room.width(), pitch), words, mono,
                              words == ptx ? theme.text : theme.textMuted);
                    below += pitch;
                }
            below += line * 0.35;
            return;
        }
        if (brief) {
            const double height = (box.height() - line * 0.3) / 2, y = box.top() + line * 0.15 + n * height;
            const double left = box.left() + line * 0.6, width = box.width() - line * 1.2;
            mono = theme.smallMono();
            // What happens, whole if it can be; then the instruction, then its line, while there is room to read them.
            double x = left;
            const auto text = [&](const QString& words, const QFont& in, const QColor& ink, double gap, double least) {
                const double room = left + width - x - gap;
                if (words.isEmpty() || room < least)
                    return;
                const double used = std::min(room, textWidth(in, words) + 1);
                paintText(painter, QRectF(x + gap, y, used, height), words, in, ink);
                x += gap + used;
            };
            text(head, font, theme.text, 0, 0);
            text(ptx, mono, theme.text, line, line * 8);
            text(source, mono, theme.textMuted, line * 0.7, line * 6);
            return;
        }
        const double half = (box.width() - line * 3) / 2, pitch = (box.height() - line * 0.6) / 3;
        const QRectF first(box.left() + line + n * (half + line), box.top() + line * 0.3, half, pitch);
        paintText(painter, first, head, font, theme.text);
        paintText(painter, first.translated(0, pitch), ptx, mono, theme.text);
        paintText(painter, first.translated(0, 2 * pitch), source, mono, theme.textMuted);
    };
    std::uint32_t issued = 0;
    const QString head = issueText(model, cycle, issued);
    part(0, SchedulerText::tr("cycle %1: %2").arg(numberText(cycle), head), ptxText(model, issued),
         sourceText(model, issued), issued != 0);
    const int row = model.rowOfWarp(warp);
    if (row < 0)
        return;
    const SlotStates& states = model.rows[row].states;
    const StateRow* state = states.at(*model.trace, cycle);
    if (state && states.warpNear(*model.trace, cycle) != warp)
        state = nullptr; // the slot belongs to another warp then
    bool issuedBefore = false;
    const std::uint32_t ptxLine = state ? model.lineAt(states, cycle, issuedBefore) : 0;
    QString ptx = ptxText(model, ptxLine);
    if (state && !ptx.isEmpty() && state->state != WarpState::Selected)
        ptx = aboutIssue(issuedBefore) + QLatin1Char(' ') + ptx;
    part(1, stateText(model, state, warp, cycle), ptx, sourceText(model, ptxLine), false);
}

QStringList cellLines(const SchedulerModel& model, int row, std::int64_t cycle) {
    QStringList lines{SchedulerText::tr("cycle %1").arg(numberText(cycle))};
    std::uint32_t issued = 0;
    const QString issue = issueText(model, cycle, issued);
    if (row < 0) {
        lines << issue << ptxText(model, issued) << sourceText(model, issued);
    } else {
        const SlotStates& states = model.rows[row].states;
        const StateRow* state = states.at(*model.trace, cycle);
        lines << stateText(model, state, states.warpNear(*model.trace, cycle), cycle);
        if (state)
            lines << stateExplained(state->state).split(QLatin1Char('\n'));
        bool issuedBefore = false;
        const std::uint32_t line = model.lineAt(states, cycle, issuedBefore);
        const QString ptx = ptxText(model, line);
        if (state && !ptx.isEmpty() && state->state != WarpState::Selected)
            lines << aboutIssue(issuedBefore);
        lines << ptx << sourceText(model, line);
    }
    lines.removeAll(QString());
    return lines;
}

void paintCard(QPainter& painter, const QRectF& area, QPointF at, const QStringList& lines, const Theme& theme) {
    if (lines.isEmpty())
        return;
    const double line = lineHeight(theme.small()), most = std::min(area.width() * 0.7, line * 40);
    double width = 0;
    for (const QString& text : lines)
        width = std::max(width, textWidth(theme.small(), text));
    const QSizeF size(std::min(width, most) + line, line * double(lines.size()) + line * 0.6);
    double x = at.x() + 16, y = at.y() + 18;
    if (x + size.width() > area.right() - 4)
        x = std::max(area.left() + 4, at.x() - 16 - size.width());
    if (y + size.height() > area.bottom() - 4)
        y = at.y() - 12 - size.height();
    const QRectF card(QPointF(x, y), size);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(card, 5, 5);
    for (qsizetype n = 0; n < lines.size(); ++n)
        paintText(painter, QRectF(x + line * 0.5, y + line * (0.3 + double(n)), size.width() - line, line), lines[n],
                  theme.small(), n == 0 ? theme.textMuted : theme.text);
}

void paintPushButton(QPainter& painter, const QRectF& where, const QString& text, const Theme& theme) {
    if (where.isEmpty())
        return;
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(where.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    paintText(painter, where, text, theme.small(), theme.text, Qt::AlignCenter);
}

} // namespace warpglass
