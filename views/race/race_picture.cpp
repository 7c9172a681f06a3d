// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/race/race_picture.h"

#include "gpu/metrics/model_accuracy.h"
#include "views/common/beside.h"
#include "views/common/label_row.h"
#include "views/common/marks.h"
#include "views/common/painted_words.h"
#include "views/common/sentences.h"
#include "views/common/side_names.h"
#include "views/common/ticks.h"
#include "views/common/time_chip.h"
#include "views/race/race_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpglass {

namespace {

constexpr int partsOfTime = 40; // ten seconds at the usual four beats a second

QColor colourOf(std::size_t runner, const Theme& theme) {
    return theme.category(int(runner)); // as panes of compared traces are marked
}

Time longer(const std::array<RunnerPtr, 2>& both) {
    return std::max(both[0]->length(), both[1]->length());
}

// The checkered line where a runner arrives.
void paintFinish(QPainter& painter, const QRectF& field, double x, const Theme& theme) {
    const double side = std::max(3.0, 4 * theme.fontScale);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    int row = 0;
    for (double y = field.top(); y < field.bottom() - 0.5; y += side, ++row)
        for (int column = 0; column < 2; ++column)
            painter.fillRect(QRectF(x + column * side, y, side, std::min(side, field.bottom() - y)),
                             (row + column) % 2 ? theme.panel : theme.text);
    painter.restore();
}

// The pinned run, which is A, is drawn first, as A of two that are compared is.
RaceLayout layoutOf(const QRectF& area, double line, Time longest, bool noted, bool pinned) {
    RaceLayout layout = raceLayout(area, line, longest, noted);
    if (pinned)
        std::swap(layout.tracks[0], layout.tracks[1]);
    return layout;
}

QString ratioText(double ratio) {
    return decimalText(ratio, ratio < 10 ? 2 : 1) + QStringLiteral(" ×");
}

} // namespace

PaintContext raceOf(const PaintContext& context) {
    PaintContext race = context;
    if (!race.other && race.pinned) {
        race.other = race.pinned;
        race.otherShift.reset();
    }
    return race;
}

RacePicture::RacePicture(const PaintContext& of, const QRectF& on, std::array<RunnerPtr, 2> both)
    : Picture(of, on), runners(std::move(both)),
      layout(layoutOf(on, lineHeight(of.theme.body()), longer(runners), !note().isEmpty(), !of.other)),
      m_race(raceOf(of)) {}

QString RacePicture::letterOf(std::size_t runner) const {
    return QString(QLatin1Char(char('A' + (context.other ? runner : 1 - runner))));
}

double RacePicture::since(std::size_t runner) const {
    const double now = exactTime(context.selection);
    return runner == 0 ? now - double(runners[0]->start.value)
                       : now + double(shiftToOther(m_race).value) - double(runners[1]->start.value);
}

double RacePicture::elapsed(std::size_t runner) const {
    const double length = double(runners[runner]->length().value);
    const bool whole = !context.clickable && !context.selection.motion.playing; // paper is not played
    return whole ? length : std::clamp(since(runner), 0.0, length);
}

bool RacePicture::finished(std::size_t runner) const {
    return elapsed(runner) >= double(runners[runner]->length().value);
}

std::vector<Beat> RacePicture::beats() const {
    // In the first trace's time, from the earlier start to the later finish.
    const Time shift = shiftToOther(m_race);
    const TimeRange range{std::min(runners[0]->start, runners[1]->start - shift),
                          std::max(runners[0]->finish, runners[1]->finish - shift)};
    return evenBeats(range, partsOfTime);
}

void RacePicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    if (layout.title.height() > 0)
        paintText(painter, layout.title, RaceText::tr("Who is there first?"), theme.title(), theme.text);
    if (layout.question.height() > 0)
        paintText(
            painter, layout.question,
            runners[0]->work == RaceWork::Blocks
                ? RaceText::tr("Upward: the share of its blocks that each run has finished")
                : RaceText::tr("Upward: the share of their events that the recorded warps of each run have passed"),
            theme.small(), theme.textMuted);
    paintTrack(painter, 0);
    paintTrack(painter, 1);
    paintRuler(painter);
    paintResult(painter);
}

void RacePicture::paintTrack(QPainter& painter, std::size_t runner) const {
    const Theme& theme = context.theme;
    const RaceTrack& track = layout.tracks[runner];
    const Runner& r = *runners[runner];
    const QColor colour = colourOf(runner, theme);
    const double line = lineHeight(theme.body());
    QFont bold = theme.body();
    bold.setBold(true);

    // Who runs, and where its times come from.
    const QString letter = letterOf(runner);
    const QRectF mark(track.heading.left(), track.heading.center().y() - line * 0.6, line * 1.2, line * 1.2);
    paintCell(painter, mark, colour, Hatch::None, theme.text, 4);
    paintText(painter, mark, letter, bold, theme.textOnAccent, Qt::AlignCenter);
    const TraceInfo& info = r.trace->info;
    const double forChip = track.heading.width() * 0.4, chip = chipWidth(timeChipText(info, theme, forChip), theme);
    const QRectF name = track.heading.adjusted(mark.width() + line * 0.5, 0, -chip - line * 0.5, 0);
    paintText(painter, name,
              captionOfSide(runner == 0 ? context : contextOfOther(m_race), runner, theme.small(), name.width()),
              theme.small(), theme.text);
    paintTimeChip(painter, {track.heading.right() - chip, track.heading.center().y() - chipHeight(theme) / 2}, info,
                  theme, forChip);

    const QRectF& field = track.field;
    painter.fillRect(field, theme.panel);
    for (const int percent : {0, 50, 100}) {
        const double y = layout.height(int(runner), percent / 100.0);
        painter.fillRect(QRectF(field.left(), y - 0.5, field.width(), 1), theme.border);
        if (field.height() * (percent == 50 ? 0.5 : 1) < line && percent < 100)
            continue; // it would lie over the one above
        paintText(painter,
                  {track.heading.left(), y - line / 2, field.left() - track.heading.left() - 8 * theme.fontScale, line},
                  QString::number(percent) + QStringLiteral(" %"), theme.small(), theme.textMuted,
                  Qt::AlignRight | Qt::AlignVCenter);
    }

    // As far as it has come.
    const double come = elapsed(runner), perUnit = layout.axis.width / double(layout.axis.window.length().value);
    const double right = field.left() + come * perUnit;
    QPolygonF curve;
    double share = 0;
    for (double x = field.left(); x <= right; x += 1) {
        const double next = r.share((x - field.left()) / perUnit);
        if (next != share)
            curve << QPointF(x, layout.height(int(runner), share)); // work comes in pieces: steps, no slopes
        share = next;
        curve << QPointF(x, layout.height(int(runner), share));
    }
    share = r.share(come);
    const QPointF head(right, layout.height(int(runner), share));
    curve << head;
    QPolygonF fill = curve;
    fill << QPointF(right, field.bottom()) << QPointF(field.left(), field.bottom());
    QColor soft = colour;
    soft.setAlphaF(theme.kind == ThemeKind::Dark ? 0.4F : 0.3F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(soft);
    painter.drawPolygon(fill);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 2.2));
    painter.drawPolyline(curve);

    const TimeUnit unit = r.trace->info.timeUnit;
    if (finished(runner)) {
        paintFinish(painter, field, field.left() + double(r.length().value) * perUnit, theme);
        const double x = field.left() + double(r.length().value) * perUnit + 12 * theme.fontScale;
        const QString text = timeText(r.length(), unit);
        const double width = textWidth(bold, text) + 4;
        // Beside its finish where there is room, which the winner always has.
        paintText(painter, {std::min(x, layout.title.right() - width), field.top() + 2, width, line}, text, bold,
                  theme.text);
    } else {
        painter.setPen(QPen(theme.window, 2));
        painter.setBrush(colour);
        painter.drawEllipse(head, 5 * theme.fontScale, 5 * theme.fontScale);
        const QString text = percentText(100 * share, 0);
        const double width = textWidth(bold, text) + 4, left = head.x() + 9 * theme.fontScale;
        paintText(painter, {left, std::clamp(head.y() - line / 2, field.top(), field.bottom() - line), width, line},
                  text, bold, theme.text);
    }
}

void RacePicture::paintRuler(QPainter& painter) const {
    const Theme& theme = context.theme;
    const TimeUnit unit = runners[0]->trace->info.timeUnit;
    const TimeAxis::Ticks ticks = layout.axis.ticks({}, 110 * theme.fontScale);
    LabelRow labels(layout.ruler.left(), layout.ruler.right());
    for (const TimeAxis::Tick& tick : ticks.marks) {
        painter.fillRect(QRectF(tick.x, layout.ruler.top() - 2, 1, 6), theme.textMuted);
        const QString text = timeText(tick.since, unit, ticks.step);
        const double width = textWidth(theme.small(), text) + 4;
        if (const auto left = labels.place(tick.x, width))
            paintText(painter, {*left, layout.ruler.top() + 3, width, layout.ruler.height() - 3}, text, theme.small(),
                      theme.textMuted, Qt::AlignCenter);
    }
    // One clock over both tracks.
    const double now = context.selection.motion.playing ? std::max(elapsed(0), elapsed(1)) : since(0);
    const double x = layout.axis.left + now * layout.axis.width / double(layout.axis.window.length().value);
    if (x >= layout.axis.left && x <= layout.axis.left + layout.axis.width)
        for (const RaceTrack& track : layout.tracks)
            paintCursorLine(painter, x, track.field.top(), track.field.bottom(), theme.attention);
}

void RacePicture::paintResult(QPainter& painter) const {
    const Theme& theme = context.theme;
    paintText(painter, layout.note, note(), theme.small(), theme.textMuted);
    if (elapsed(0) <= 0 && elapsed(1) <= 0) {
        paintText(painter, layout.result, RaceText::tr("Space starts the race."), theme.body(), theme.textMuted);
        return;
    }
    const std::optional<RaceResult> result = resultOf(*runners[0], *runners[1]);
    if (!result || !finished(0) || !finished(1))
        return;
    if (result->faster < 0) {
        paintText(painter, layout.result,
                  result->lead.value == 0 ? RaceText::tr("Both are there at the same time.")
                                          : RaceText::tr("A draw: %1 apart, within the model's error of %2 %")
                                                .arg(timeText(result->lead, runners[0]->trace->info.timeUnit))
                                                .arg(qRound(100 * result->error.value_or(0))),
                  theme.title(), theme.text);
        return;
    }
    const auto first = std::size_t(result->faster);
    const double perUnit = layout.axis.width / double(layout.axis.window.length().value);
    const double from = layout.axis.left + double(runners[first]->length().value) * perUnit,
                 to = layout.axis.left + double(runners[1 - first]->length().value) * perUnit;
    // What the slower one still had to run when the faster one was there.
    const QRectF& field = layout.tracks[1 - first].field;
    painter.setPen(QPen(theme.good, 1.5, Qt::DashLine));
    for (const RaceTrack& track : layout.tracks)
        painter.drawLine(QPointF(from, track.field.top()), QPointF(from, track.field.bottom()));
    QFont bold = theme.body();
    bold.setBold(true);
    const QString lead = QStringLiteral("+ ") + timeText(result->lead, runners[0]->trace->info.timeUnit);
    const double y = field.bottom() - field.height() * 0.28, width = textWidth(bold, lead) + 10;
    painter.setPen(QPen(theme.good, 2));
    painter.drawLine(QPointF(from, y), QPointF(to, y));
    for (const auto& [x, side] : {std::pair{from, 1.0}, {to, -1.0}}) {
        painter.drawLine(QPointF(x, y), QPointF(x + side * 6, y - 4));
        painter.drawLine(QPointF(x, y), QPointF(x + side * 6, y + 4));
    }
    if (to - from > width + 16) {
        const QRectF label((from + to - width) / 2, y - lineHeight(bold) - 3, width, lineHeight(bold));
        painter.fillRect(label, theme.panel);
        paintText(painter, label, lead, bold, theme.good, Qt::AlignCenter);
    }
    const QString ratio = ratioText(result->ratio);
    const double used = paintText(painter, layout.result, ratio, theme.figure(), theme.good) + 14 * theme.fontScale;
    paintText(painter, layout.result.adjusted(used, 0, 0, 0),
              RaceText::tr("%1 is there first, %2 earlier")
                  .arg(letterOf(first), timeText(result->lead, runners[0]->trace->info.timeUnit)),
              theme.title(), theme.text);
}

QString RacePicture::note() const {
    const TraceInfo &a = runners[0]->trace->info, &b = runners[1]->trace->info;
    if (a.timeUnit == TimeUnit::Steps)
        return RaceText::tr(
            "Time in steps, a warp instruction each: who needs fewer has less to do. Run with the timing "
            "model to see who is sooner done.");
    if (a.timeOrigin != b.timeOrigin)
        return RaceText::tr("One time is measured and the other modelled: the ratio holds the model's error, too.");
    for (const RunnerPtr& runner : runners)
        if (a.timeOrigin == Origin::Modelled && !expectedError(*runner->trace))
            return sentence(kindErrorSentence(*runner->trace));
    return {};
}

Spot RacePicture::spotAt(QPointF at) const {
    Spot spot;
    for (std::size_t i = 0; i < 2; ++i) {
        if (!layout.tracks[i].field.contains(at))
            continue;
        const Time when = layout.axis.time(at.x());
        const Runner& r = *runners[i];
        spot.toolTip = RaceText::tr("%1 after %2: %3 of the work is done")
                           .arg(letterOf(i), timeText(when, r.trace->info.timeUnit),
                                percentText(100 * r.share(double(when.value))));
        Selection selection = context.selection;
        selection.time = runners[0]->start + when;
        selection.motion = {};
        spot.click = selecting(selection);
    }
    return spot;
}

QString RacePicture::csv() const {
    constexpr int rows = 100; // of each: at every percent of its time
    const TimeUnit unit = runners[0]->trace->info.timeUnit;
    QString csv = QStringLiteral("run,since_start_%1,done_percent,work,origin\n").arg(QLatin1String(name(unit)));
    for (std::size_t i = 0; i < 2; ++i) {
        const Runner& r = *runners[i];
        for (int n = 0; n <= rows; ++n) {
            const double when = double(r.length().value) * n / rows;
            csv += QStringLiteral("%1,%2,%3,%4,%5\n")
                       .arg(letterOf(i))
                       .arg(when, 0, 'f', 2)
                       .arg(100 * r.share(when), 0, 'f', 3)
                       .arg(r.work == RaceWork::Blocks ? QStringLiteral("blocks") : QStringLiteral("events"),
                            QLatin1String(name(r.trace->info.timeOrigin)));
        }
    }
    return csv;
}

} // namespace warpglass
