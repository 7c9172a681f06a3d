// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/why_picture.h"

#include "gpu/metrics/why_words.h"
#include "views/common/beside.h"
#include "views/common/caption.h"
#include "views/common/label_row.h"
#include "views/common/marks.h"
#include "views/common/painted_words.h"
#include "views/common/pinned.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"
#include "views/common/time_chip.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_text.h"
#include "views/why/why_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr double wheelLines = 3; // that a notch scrolls

QString said(const Said& said) {
    return sentence(said);
}

WhySizes sizesOf(const Theme& theme) {
    return {lineHeight(theme.body()), lineHeight(theme.small()),
            [theme](const QString& text, double width, bool small) {
                return paintParagraph(nullptr, QRectF(0, 0, width, 1e6), text, small ? theme.small() : theme.body(),
                                      theme.text);
            }};
}

QString headlineOf(const Why& why) {
    if (!why.whole)
        return WhyText::tr("%1 of %2 limits asked so far. What saves most stands first; the others follow.")
            .arg(why.limits.size())
            .arg(allOf<Limit>.size());
    if (const Said nothing = nothingAtAll(why); !nothing.empty())
        return said(nothing);
    return said(sentence(why, why.limits.front()));
}

QString nothingText(const Why& why) {
    QStringList names;
    for (const WhyLimit& limit : why.limits)
        if (!why.worth(limit))
            names << said(wordsOf(limit.limit));
    return names.isEmpty() ? QString() : WhyText::tr("Nothing to gain from: %1.").arg(names.join(WhyText::tr(", ")));
}

QString errorText(const Why& why) {
    const QString error = said(errorSentence(why));
    return why.warmL2 ? error + QStringLiteral(" ") + said(warmSentence()) : error;
}

// Bars end where the slowest that is shown may end, its error with it.
double mostOf(const Why& why, double measured, double pinned) {
    return 1.02 * std::max({why.ns * (1 + why.modelError), measured, pinned});
}

WhyLayout layoutOf(const PaintContext& c, const QRectF& area, const Why& why, const std::vector<WhyRow>& rows,
                   std::size_t chosen, double measured, double pinned, const WhyTimelines& timelines) {
    WhyWords words{headlineOf(why), nothingText(why), errorText(why), whyDetails(why, rows[chosen]), bool(timelines)};
    if (words.details.sentence == words.headline) // once is enough
        words.details.sentence.clear();
    const int legend = timelines ? std::max(timelines.models[0]->legendLines(), timelines.models[1]->legendLines()) : 0;
    return whyLayout(area, sizesOf(c.theme), words, rows.size(), mostOf(why, measured, pinned), legend,
                     c.paper ? 0 : whyScroll.of(c.options));
}

QString savedText(double saved) {
    return QStringLiteral("\u2212 %1 %").arg(std::lround(100 * saved));
}

// A span with caps: where the value may lie.
void paintWhisker(QPainter& painter, double from, double to, double y, double cap, const QColor& colour) {
    painter.setPen(QPen(colour, 1.4));
    painter.drawLine(QPointF(from, y), QPointF(to, y));
    for (const double x : {from, to})
        painter.drawLine(QPointF(x, y - cap), QPointF(x, y + cap));
}

} // namespace

WhyPicture::WhyPicture(const PaintContext& of, const QRectF& on, WhyAnswer answer, WhyTimelines both)
    : Picture(of, on), timelines(std::move(both)), rows(whyRows(**answer)), chosen(chosenRow(rows, of.options)),
      measured(measuredNs(of.ghost.get())), pinned(pinnedNs(of.pinned.get())),
      layout(layoutOf(of, on, **answer, rows, chosen, measured, pinned, timelines)), m_answer(std::move(answer)) {}

const WhyLimit* WhyPicture::limit() const {
    return rows[chosen].kind == WhyRow::Kind::Limit ? &why().limits[rows[chosen].limit] : nullptr;
}

void WhyPicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    PaintedWords::scrolls();
    // Title: the time, and where it comes from.
    QRectF title = layout.title;
    const QString question =
        (context.other ? compared(0) : QString()) + WhyText::tr("Why does it take %1?").arg(whyTime(why().ns));
    double used = paintHeading(painter, title, question, theme) + 10 * theme.fontScale;
    const auto chip = [&](Origin origin) {
        const QPointF at(title.left() + used, title.center().y() - chipHeight(theme) / 2);
        if (at.x() + chipWidth(originName(origin), theme) > title.right())
            return;
        used += paintOriginChip(painter, at, origin, theme).width() + 14 * theme.fontScale;
    };
    const QPointF first(title.left() + used, title.center().y() - chipHeight(theme) / 2);
    if (const double room = title.right() - first.x(); chipWidth(originName(Origin::Modelled), theme) <= room)
        used += paintTimeChip(painter, first, why().trace->info, theme, room).width() + 14 * theme.fontScale;
    if (measured > 0) {
        const QString text = WhyText::tr("a GPU took %1").arg(whyTime(measured));
        used += paintText(painter, title.adjusted(used, 0, 0, 0), text, theme.body(), theme.text) + 8 * theme.fontScale;
        chip(Origin::Measured);
    }
    if (context.other) {
        const QString alone = WhyText::tr("of the two runs, A alone");
        if (textWidth(theme.body(), alone) <= title.width() - used)
            paintText(painter, title.adjusted(used, 0, 0, 0), alone, theme.body(), theme.textMuted,
                      Qt::AlignRight | Qt::AlignVCenter);
    }
    paintParagraph(&painter, layout.headline, headlineOf(why()), theme.body(), theme.text);
    paintBars(painter);
    paintDetails(painter);
    if (timelines)
        paintTimelines(painter);
}

void WhyPicture::paintBars(QPainter& painter) const {
    const Theme& theme = context.theme;
    const double line = lineHeight(theme.body());
    QFont bold = theme.body();
    bold.setBold(true);
    // What was is a line down through all bars: beyond it nothing is saved.
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const WhyRow& row = rows[n];
        const QRectF &whole = layout.rows[n], bar = layout.bar(n);
        if (n == chosen) {
            painter.fillRect(whole, theme.accentSoft);
            painter.fillRect(QRectF(whole.left(), whole.top(), 3 * theme.fontScale, whole.height()), theme.accent);
        }
        const QRectF name(whole.left() + 0.4 * line, whole.top(), layout.plot.left() - whole.left() - 0.9 * line,
                          whole.height());
        const QFont font = n == chosen ? bold : theme.body();
        const bool roomy = std::all_of(rows.begin(), rows.end(),
                                       [&](const WhyRow& r) { return textWidth(bold, r.name) <= name.width(); });
        paintText(painter, name, roomy ? row.name : row.shortName, font, theme.text);
        const double end = layout.x(row.ns), was = layout.x(why().ns);
        if (end < was)
            paintCell(painter, QRectF(end, bar.top(), was - end, bar.height()), theme.sunken, Hatch::Diagonal,
                      theme.good, 0);
        painter.fillRect(QRectF(bar.left(), bar.top(), end - bar.left(), bar.height()),
                         row.kind == WhyRow::Kind::AsIs ? theme.textMuted : theme.accent);
        if (const double error = why().modelError; error > 0)
            paintWhisker(painter, layout.x(row.ns * (1 - error)), layout.x(row.ns * (1 + error)), bar.center().y(),
                         bar.height() * 0.22, theme.text);
        const QRectF numbers(layout.plot.right() + 0.4 * line, whole.top(),
                             whole.right() - layout.plot.right() - 0.8 * line, whole.height());
        const double half = layout.withTimes ? numbers.width() * 0.45 : numbers.width();
        if (row.kind != WhyRow::Kind::AsIs)
            paintText(painter, {numbers.left(), numbers.top(), half, numbers.height()}, savedText(row.saved), bold,
                      theme.text, Qt::AlignRight | Qt::AlignVCenter);
        if (layout.withTimes || row.kind == WhyRow::Kind::AsIs)
            paintText(painter, numbers.adjusted(layout.withTimes ? half : 0, 0, 0, 0), whyTime(row.ns), theme.body(),
                      theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    }
    if (pinned > 0) { // how far the bar of the pinned run went, in the row of the launch as it is
        const QRectF bar = layout.bar(0);
        const QRectF &row = layout.rows[0],
                     name(row.left(), row.top(), bar.left() - row.left() - 0.6 * line, row.height());
        paintPinnedFrame(painter, {bar.left(), row.top() + 2, layout.x(pinned) - bar.left(), row.height() - 4}, theme);
        const QString took = WhyText::tr("A %1").arg(whyTime(pinned)); // beside the row's name where it has room there
        if (textWidth(theme.small(), took) + textWidth(bold, rows[0].name) + 1.2 * line < name.width())
            paintText(painter, name, took, theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    }
    if (measured > 0) { // what a GPU took, in the row of the launch as it is
        const QRectF bar = layout.bar(0);
        painter.setPen(QPen(theme.originMeasured, 2.5));
        painter.drawLine(QPointF(layout.x(measured), bar.top() - 3), QPointF(layout.x(measured), bar.bottom() + 3));
    }
    painter.fillRect(QRectF(layout.plot.left(), layout.plot.bottom(), layout.plot.width(), 1), theme.border);
    const TimeAxis axis{{{0}, {std::llround(layout.most)}}, layout.plot.left(), layout.plot.width()};
    const QString longest = timeText({std::llround(layout.most)}, TimeUnit::Nanoseconds);
    const TimeAxis::Ticks ticks = axis.ticks({}, textWidth(theme.small(), longest) + 12 * theme.fontScale);
    for (const TimeAxis::Tick& tick : ticks.marks) {
        painter.fillRect(QRectF(tick.x, layout.plot.bottom(), 1, 4), theme.textMuted);
        const QString text = timeText(tick.since, TimeUnit::Nanoseconds, ticks.step);
        const double width = textWidth(theme.small(), text) + 4;
        paintText(painter, {tick.x - width / 2, layout.ruler.top() + 3, width, layout.ruler.height()}, text,
                  theme.small(), theme.textMuted, Qt::AlignCenter);
    }
    paintParagraph(&painter, layout.nothing, nothingText(why()), theme.small(), theme.text);
    paintParagraph(&painter, layout.error, errorText(why()), theme.small(), theme.textMuted);
}

void WhyPicture::paintDetails(QPainter& painter) const {
    const Theme& theme = context.theme;
    const double line = lineHeight(theme.body());
    const WhyDetails details = whyDetails(why(), rows[chosen]);
    QFont bold = theme.body();
    bold.setBold(true);
    paintText(painter, layout.heading, details.heading, bold, theme.text);
    if (!layout.sentence.isEmpty())
        paintParagraph(&painter, layout.sentence, details.sentence, theme.body(), theme.text);
    if (!details.lines.empty())
        paintText(painter, layout.who, WhyText::tr("Who pays for it, by its share"), theme.small(), theme.textMuted);
    else
        paintParagraph(&painter, layout.who, details.noLines, theme.small(), theme.textMuted);
    paintParagraph(&painter, layout.note, details.note, theme.small(), theme.textMuted);
    for (std::size_t n = 0; n < details.lines.size(); ++n) {
        const WhyDetails::Line& one = details.lines[n];
        const QRectF& where = layout.lines[n];
        if (isSelected(why(), limit()->lines[n], context.selection)) {
            painter.fillRect(where.adjusted(-0.3 * line, 0, 0.3 * line, -0.15 * line), theme.accentSoft);
            painter.fillRect(
                QRectF(where.left() - 0.3 * line, where.top(), 3 * theme.fontScale, where.height() - 0.15 * line),
                theme.accent);
        }
        const double share = WhyLayout::share(line), top = where.top() + 0.15 * line;
        paintText(painter, {where.left(), top, share - 0.3 * line, line}, percentText(100 * one.share, 0), bold,
                  theme.text, Qt::AlignRight | Qt::AlignVCenter);
        paintShareBar(painter, {where.left() + 0.4 * line, top + 1.15 * line, share - 0.7 * line, 0.35 * line},
                      one.share, theme.accent, theme);
        const double at = where.left() + share + 0.5 * line;
        const double used = paintText(painter, {at, top, where.right() - at, line}, one.name, bold, theme.text);
        paintText(painter, {at + used + 0.8 * line, top, where.right() - at - used - 0.8 * line, line}, one.code,
                  theme.mono(), theme.textMuted);
        paintParagraph(&painter, {at, top + line, where.right() - at, where.height() - line}, one.finding,
                       theme.small(), theme.text);
    }
}

Time WhyPicture::begin(std::size_t timeline) const {
    return timelines.models[timeline]->trace->launches.front().start;
}

TimeRange WhyPicture::window() const {
    Time longest{1};
    for (std::size_t i = 0; i < 2; ++i) {
        const Launch& launch = timelines.models[i]->trace->launches.front();
        longest = std::max(longest, launch.end - launch.start);
    }
    return {{0}, longest};
}

void WhyPicture::paintTimelines(QPainter& painter) const {
    const Theme& theme = context.theme;
    const double small = lineHeight(theme.small());
    QFont bold = theme.body();
    bold.setBold(true);
    paintText(painter, layout.together, WhyText::tr("What the warps do meanwhile, on one scale of time"), bold,
              theme.text);
    const TimeRange window = this->window();
    const TimeAxis axis{window, layout.stacks[0].left(), layout.stacks[0].width()};
    for (std::size_t i = 0; i < 2; ++i) {
        const TimelineModel& model = *timelines.models[i];
        const WhyRow& row = rows[i == 0 ? 0 : chosen];
        paintText(painter, layout.heads[i],
                  QStringLiteral("%1  ·  %2").arg(i == 0 ? WhyText::tr("as it is") : row.name, whyTime(row.ns)),
                  theme.small(), theme.text);
        const QRectF& where = layout.stacks[i];
        painter.fillRect(where, theme.panel);
        const TimeRange shown{begin(i), begin(i) + window.length()};
        TimelineColumns columns;
        columns.reset(std::size_t(std::max(1.0, where.width())), model.categories);
        model.stacked(nullptr, shown, columns);
        paintTimelineStack(painter, where, model, columns, model.known.average(shown, columns.size()),
                           timelineStackTop(model, shown), theme);
        const Launch& launch = model.trace->launches.front();
        const double end = axis.x(launch.end - launch.start);
        painter.setPen(QPen(theme.text, 1.4));
        painter.drawLine(QPointF(end, where.top()), QPointF(end, where.bottom()));
        const double now = axis.x(context.selection.time - begin(0)); // one clock over both
        if (now >= where.left() && now <= where.right())
            paintCursorLine(painter, now, where.top(), where.bottom(), theme.attention);
    }
    const TimeAxis::Ticks ticks = axis.ticks({}, 110 * theme.fontScale);
    LabelRow labels(layout.heads[0].left(), layout.stackRuler.right());
    for (const TimeAxis::Tick& tick : ticks.marks) {
        painter.fillRect(QRectF(tick.x, layout.stackRuler.top() - 2, 1, 5), theme.textMuted);
        const QString text = timeText(tick.since, TimeUnit::Nanoseconds, ticks.step);
        const double width = textWidth(theme.small(), text) + 4;
        if (const auto left = labels.place(tick.x, width))
            paintText(painter, {*left, layout.stackRuler.top() + 3, width, small}, text, theme.small(), theme.textMuted,
                      Qt::AlignCenter);
    }
    paintStates(painter);
}

// What the colours of the stacks mean: the states that occur in either.
void WhyPicture::paintStates(QPainter& painter) const {
    const Theme& theme = context.theme;
    const double text = lineHeight(theme.small());
    const TimelineModel &as = *timelines.models[0], &without = *timelines.models[1];
    QVector<TimelineLegendEntry> legend;
    for (const TimelineModel* model : {&as, &without})
        for (const TimelineLegendEntry& entry : timelineLegend(*model, theme))
            if (entry.isKnown && legend.isEmpty()) // of what ran beyond the warps that were recorded
                legend.append(entry);
    for (int k = 0; k < as.categories; ++k)
        if (as.occurs(k) || without.occurs(k))
            legend.append({timelineCategoryName(as, k), timelineColour(as, k, theme), timelineHatch(as, k), false});
    QPointF at = layout.legend.topLeft();
    for (const TimelineLegendEntry& entry : legend) {
        const double width = textWidth(theme.small(), entry.label) + 2.6 * text;
        if (at.x() + width - text > layout.legend.right())
            at = {layout.legend.left(), at.y() + 1.15 * text};
        const QRectF swatch(at.x(), at.y() + 0.15 * text, 1.1 * text, 0.7 * text);
        if (entry.isKnown)
            paintKnownSwatch(painter, swatch, theme);
        else
            paintCell(painter, swatch, entry.colour, entry.hatch, theme.panel);
        paintText(painter, {at.x() + 1.4 * text, at.y(), width, text}, entry.label, theme.small(), theme.textMuted);
        at.rx() += width;
    }
}

void WhyPicture::paintOverlay(QPainter& painter, QPointF pointer) const {
    const Theme& theme = context.theme;
    painter.setPen(QPen(theme.accent, 1.2));
    painter.setBrush(Qt::NoBrush);
    for (const QRectF& row : layout.rows)
        if (row.contains(pointer))
            painter.drawRect(row.adjusted(0.5, 0.5, -0.5, -0.5));
    for (const QRectF& line : layout.lines)
        if (line.contains(pointer))
            painter.drawRect(line.adjusted(-3, 0.5, 3, -2.5));
    if (context.paper || layout.contentHeight <= area.height())
        return;
    // Where one is in what is higher than the window.
    const double width = 5 * theme.fontScale, visible = area.height() / layout.contentHeight;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.border);
    painter.drawRoundedRect(QRectF(area.right() - width - 2,
                                   area.top() + layout.scroll / layout.contentHeight * area.height(), width,
                                   visible * area.height()),
                            width / 2, width / 2);
}

Change WhyPicture::choosing(std::size_t row) const {
    Change change = unchanged();
    change.options[QLatin1String(whyLimitOption)] = rows[row].key;
    whyLine.clear(change.options);
    // What is chosen by the keyboard is in sight.
    const QRectF& where = layout.rows[row];
    if (where.top() < area.top())
        whyScroll.set(change.options, std::max(0.0, layout.scroll + where.top() - area.top() - where.height()));
    else if (where.bottom() > area.bottom())
        whyScroll.set(change.options, layout.scroll + where.bottom() - area.bottom());
    return change;
}

Change WhyPicture::choosingLine(int line) const {
    Change change = unchanged();
    change.options[QLatin1String(whyLimitOption)] = rows[chosen].key;
    whyLine.set(change.options, line);
    change.selection = selectionOf(why(), limit()->lines[std::size_t(line)], *context.trace, context.selection);
    const QRectF& where = layout.lines[std::size_t(line)];
    if (where.bottom() > area.bottom())
        whyScroll.set(change.options, layout.scroll + where.bottom() - area.bottom());
    else if (where.top() < area.top())
        whyScroll.set(change.options, std::max(0.0, layout.scroll + where.top() - area.top()));
    return change;
}

Spot WhyPicture::spotAt(QPointF at) const {
    Spot spot;
    for (std::size_t n = 0; n < layout.rows.size(); ++n) {
        if (!layout.rows[n].contains(at))
            continue;
        const WhyRow& row = rows[n];
        QStringList tip{row.name + QStringLiteral(": ") + whyTime(row.ns)};
        if (why().modelError > 0)
            tip << WhyText::tr("the model's mean error: from %1 to %2")
                       .arg(whyTime(row.ns * (1 - why().modelError)), whyTime(row.ns * (1 + why().modelError)));
        if (n == 0 && measured > 0)
            tip << WhyText::tr("a GPU took %1").arg(whyTime(measured));
        if (pinned > 0)
            tip << WhyText::tr("A, which is pinned, took %1, modelled").arg(whyTime(pinned));
        tip << whyDetails(why(), row).sentence;
        spot.toolTip = tip.join(QLatin1Char('\n'));
        spot.where = layout.rows[n];
        spot.cursor = Qt::PointingHandCursor;
        spot.click = choosing(n);
        return spot;
    }
    for (std::size_t n = 0; n < layout.lines.size(); ++n) {
        if (!layout.lines[n].contains(at))
            continue;
        const WhyDetails::Line line = whyDetails(why(), rows[chosen]).lines[n];
        spot.toolTip = line.name + QStringLiteral(": ") + line.code + QLatin1Char('\n') + line.finding +
                       QLatin1Char('\n') + WhyText::tr("Click to select it in all views.");
        spot.where = layout.lines[n];
        spot.cursor = Qt::PointingHandCursor;
        spot.click = choosingLine(int(n));
        return spot;
    }
    for (std::size_t i = 0; timelines && i < 2; ++i) {
        if (!layout.stacks[i].contains(at))
            continue;
        const TimeAxis axis{window(), layout.stacks[0].left(), layout.stacks[0].width()};
        const Time since = axis.time(at.x());
        spot.toolTip = timeText(since, TimeUnit::Nanoseconds);
        Selection selection = context.selection;
        selection.time = begin(0) + since;
        selection.motion = {};
        spot.click = selecting(selection);
    }
    return spot;
}

// Up and down go through the bars; Right and Enter go to the lines that pay, which Up and Down go through then, and Left
// goes back.
std::optional<Change> WhyPicture::key(const KeyInput& input) const {
    if (input.modifiers != Qt::NoModifier && input.modifiers != Qt::KeypadModifier)
        return std::nullopt;
    const int lines = limit() ? int(limit()->lines.size()) : 0;
    const int line = whyLine.of(context.options);
    const bool within = line >= 0 && line < lines;
    switch (input.key) {
    case Qt::Key_Down:
    case Qt::Key_S:
        if (within)
            return choosingLine(std::min(line + 1, lines - 1));
        return choosing(std::min(chosen + 1, rows.size() - 1));
    case Qt::Key_Up:
    case Qt::Key_W:
        if (within)
            return choosingLine(std::max(line - 1, 0));
        return choosing(chosen > 0 ? chosen - 1 : 0);
    case Qt::Key_Right:
    case Qt::Key_D:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return lines > 0 ? std::optional(choosingLine(within ? line : 0)) : std::nullopt;
    case Qt::Key_Left:
    case Qt::Key_A:
        return within ? std::optional(choosing(chosen)) : std::nullopt;
    case Qt::Key_Home: {
        Change change = unchanged();
        change.options.remove(QLatin1String(whyLimitOption));
        whyLine.clear(change.options);
        whyScroll.clear(change.options);
        return change == unchanged() ? std::nullopt : std::optional(change);
    }
    default:
        return std::nullopt;
    }
}

std::optional<Change> WhyPicture::answer(const Input& input) const {
    const auto scrolled = [&](double by) -> std::optional<Change> {
        const double to = std::clamp(layout.scroll + by, 0.0, std::max(0.0, layout.contentHeight - area.height()));
        if (to == layout.scroll)
            return std::nullopt;
        Change change = unchanged();
        whyScroll.set(change.options, to);
        return change;
    };
    return std::visit(InputCases{[&](const WheelInput& wheel) {
                                     return scrolled(-wheel.steps * wheelLines * lineHeight(context.theme.body()));
                                 },
                                 [&](const DragInput& drag) { return scrolled(drag.from.y() - drag.to.y()); },
                                 [&](const KeyInput& pressed) { return key(pressed); }},
                      input);
}

QString WhyPicture::csv() const {
    return whyCsv(why(), measured);
}

QString WhyPicture::caption() const {
    return traceCaption(*why().trace, context.selection);
}

} // namespace warpglass
