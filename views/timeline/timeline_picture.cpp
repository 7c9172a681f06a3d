// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_picture.h"

#include "views/common/agreeing.h"
#include "views/common/follow.h"
#include "views/common/marks.h"
#include "views/common/pinned.h"
#include "views/common/state_words.h"
#include "views/common/ticks.h"
#include "views/common/time_chip.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_text.h"

#include <cmath>

namespace warpglass {

namespace {

constexpr double snapsWithin = 6; // px

// Of a row that nobody changed: a line of words and its strip of lanes; higher where few rows would leave the picture
// empty.
double standardRowHeight(const TimelineModel& model, const QRectF& on, const Theme& theme) {
    const double line = lineHeight(theme.small()), each = on.height() * 0.4 / double(model.rows.size() + 1);
    return std::clamp(each, line * 1.35, line * 2.4);
}

// Whether two layouts show the same rows in the same columns, so that a frame serves both.
bool sameColumns(const TimelineLayout& a, const TimelineLayout& b) {
    return a.scale.window == b.scale.window && a.rows == b.rows && a.overview == b.overview &&
           std::equal(a.lines.begin(), a.lines.end(), b.lines.begin(), b.lines.end(),
                      [](const TimelineLine& x, const TimelineLine& y) {
                          return x.group == y.group && x.row == y.row && x.height == y.height;
                      });
}

// Whether what stays while the window moves is the same in both.
bool sameStills(const TimelineLayout& a, const TimelineLayout& b) {
    return a.title == b.title && a.overview == b.overview && a.labels == b.labels && a.rows == b.rows &&
           a.legend == b.legend &&
           std::equal(a.lines.begin(), a.lines.end(), b.lines.begin(), b.lines.end(),
                      [](const TimelineLine& x, const TimelineLine& y) {
                          return x.group == y.group && x.row == y.row && x.y == y.y && x.height == y.height;
                      });
}

} // namespace

TimelinePicture::TimelinePicture(const PaintContext& c, const QRectF& on, TimelineSource from,
                                 const TimelinePicture* before, AskText ask)
    : Picture(c, on), source(std::move(from)),
      m_state(timelineState(c.options, standardRowHeight(*source.model, on, c.theme))),
      m_layer(before && before->source.model == source.model && before->context.layer == c.layer
                  ? before->m_layer
                  : timelineLayer(c.trace, c.layer)),
      m_legend(timelineLegend(*source.model, c.theme) +
               (m_layer ? layerLegend(*m_layer, c.theme) : QVector<TimelineLegendEntry>{})),
      m_layout(timelineLayout(
          on, *source.model, lineHeight(c.theme.body()), m_state.rowHeight, m_state.scroll,
          c.selection.visible.length().value > 0 ? c.selection.visible : source.model->frameAt(c.selection.time),
          m_state.toggled,
          timelineLegendLines(m_legend, timelineLegendWidth(on, lineHeight(c.theme.body())), c.theme))),
      m_ask(std::move(ask)) {
    const bool sameModel = before && before->source.model == source.model;
    m_ghost = sameModel && before->context.ghost == c.ghost ? before->m_ghost : timelineGhost(c.trace, c.ghost);
    if (pinnedRange(c))
        m_pinned = sameModel && before->context.pinned == c.pinned ? before->m_pinned : spansIn(*c.trace, *c.pinned);
    if (sameModel && sameColumns(m_layout, before->m_layout)) // the cursor moved, or a colour changed
        m_frame = before->m_frame;
    else
        m_frame = timelineFrame(m_layout, model(), sameModel ? before->m_frame.get() : nullptr);
    const bool stays = sameModel && sameStills(m_layout, before->m_layout) && m_ghost == before->m_ghost &&
                       m_layer == before->m_layer && c.theme.kind == before->context.theme.kind &&
                       c.theme.fontScale == before->context.theme.fontScale &&
                       c.selection.warp == before->context.selection.warp;
    m_stills = stays ? before->m_stills : std::make_shared<TimelineStills>();
}

void TimelinePicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    const bool playing = context.selection.motion.playing;
    const std::optional<Time> playedTo = playing ? std::optional(timeShown(context.selection)) : std::nullopt;
    // Most of the picture is rows, and what a row will cover is better painted just before it: it is in the cache then.
    const bool byRows = paintsPixels(painter) && painter.deviceTransform().isIdentity();
    QRegion ground = area.toAlignedRect();
    if (byRows)
        for (const TimelineLine& line : m_layout.lines)
            ground -= pixelsOfLine(m_layout, line);
    for (const QRect& piece : ground)
        painter.fillRect(piece, theme.window);
    const auto still = [&](TimelineStills::Part part, const QRectF& where, const auto& draw) {
        m_stills->paint(painter, part, where, theme.window, draw);
    };
    still(TimelineStills::Title, m_layout.title, [this](QPainter& on) { paintTitle(on); });
    if (m_layout.overview.height() > 0) {
        still(TimelineStills::Overview, m_layout.overview, [&](QPainter& on) {
            paintTimelineOverview(on, m_layout, model(), *m_frame->overview, m_frame->overviewKnown, theme);
        });
        if (playing) {
            const TimeAxis whole{model().range, m_layout.overview.left(), m_layout.overview.width()};
            coverComing(painter, m_layout.overview, whole);
        }
        paintTimelineWindow(painter, m_layout, model().range, theme);
        paintTimelineRun(painter, m_layout, model(), playedTo, theme);
    }
    const std::uint64_t most = timelineStackTop(model(), m_frame->window);
    paintTimelineStack(painter, m_layout.stacked, model(), m_frame->stacked, m_frame->stackedKnown, most, theme);
    if (m_ghost)
        paintGhostCurve(painter, m_layout.stacked, m_layout, *m_ghost, double(most), theme);
    paintTimelineEmptyEnds(painter, m_layout, model(), theme);
    paintTimelineRuler(painter, m_layout, trace(), playedTo, theme);
    const std::uint32_t chosen = context.selection.warp;
    paintTimelineGrounds(painter, m_layout, model(), chosen, theme);
    still(TimelineStills::Labels, m_layout.labels, [&](QPainter& on) {
        paintTimelineGrounds(on, m_layout, model(), chosen, theme);
        paintTimelineLabels(on, m_layout, model(), chosen, theme);
    });
    paintTimelineRows(painter, m_layout, model(), *m_frame, chosen, byRows, theme);
    if (m_ghost)
        paintGhostRows(painter, m_layout, model(), *m_ghost, theme);
    if (m_layer)
        paintTimelineLayer(painter, m_layout, model(), *m_layer, theme);
    if (const auto pinned = pinnedRange(context)) {
        paintPinnedRows(painter, m_layout, model(), m_pinned, theme);
        const QRectF stack = m_layout.stacked;
        const double height = std::min(stack.height(), lineHeight(theme.small()) * 1.1);
        paintPinnedSpan(painter, {stack.left(), stack.top(), stack.width(), height}, m_layout.scale.x(pinned->begin),
                        m_layout.scale.x(pinned->end), pinnedLengthText(context), theme);
    }
    paintTimelineExtras(painter, m_layout, model(), theme);
    if (playing) {
        coverComing(painter, m_layout.stacked, m_layout.scale);
        coverComing(painter, m_layout.rows, m_layout.scale);
    }
    paintTimelineNotes(painter, m_layout, m_state.notes, theme);
    still(TimelineStills::Legend, m_layout.legend,
          [&](QPainter& on) { paintTimelineLegend(on, m_layout.legend, m_legend, theme); });
    paintTimelineMeasure(painter, m_layout, m_state.measureFrom, m_state.measureTo, trace().info, theme);
    for (const TimelineLine& one : m_layout.lines) {
        if (one.row == noIndex)
            continue;
        const std::vector<std::uint32_t>& warps = model().rows[one.row].warps;
        if (std::find(warps.begin(), warps.end(), context.selection.followed.warp) != warps.end())
            paintFollowed(
                painter,
                QRectF(m_layout.labels.left(), one.y, m_layout.rows.right() - m_layout.labels.left(), one.height)
                    .adjusted(2, 0, -2, 0),
                theme);
    }
    paintTimelineCursor(painter, m_layout, model().range, context.selection.time, theme);
}

// The times in sight; all of them where what is in sight follows the time that plays.
std::vector<Beat> TimelinePicture::beats() const {
    constexpr int partsOfTime = 64;
    const TimeRange whole = model().range, begins = model().frameAt(whole.begin);
    const bool chosen = context.selection.visible.length().value > 0;
    return evenBeats(chosen                                 ? m_layout.scale.window
                     : begins == model().frameAt(whole.end) ? begins
                                                            : whole,
                     partsOfTime);
}

// What plays fills its rows as it goes: what is to come is not there yet.
void TimelinePicture::coverComing(QPainter& painter, const QRectF& where, const TimeAxis& axis) const {
    const double perUnit = axis.width / double(std::max<std::int64_t>(1, axis.window.length().value));
    const double x = axis.left + (exactTime(context.selection) - double(axis.window.begin.value)) * perUnit;
    const double left = std::clamp(x, where.left(), where.right());
    // What is as high as its place goes half a line beyond it.
    painter.fillRect(QRectF(left, where.top() - 1, where.right() - left, where.height() + 1), context.theme.window);
}

void TimelinePicture::paintTitle(QPainter& painter) const {
    const Theme& theme = context.theme;
    const TraceInfo& info = trace().info;
    const QRectF& where = m_layout.title;
    if (where.isNull())
        return;
    const QString title = TimelineText::tr("When each warp ran and waited");
    // Where both have no room it is the title that becomes smaller, and not the chip that is cut.
    const double forChip = 14 + chipWidth(timeChipText(info, theme, where.width() * 0.5), theme);
    const double used = paintHeading(painter, where.adjusted(0, 0, -forChip, 0), title, theme);
    const QPointF chip(where.left() + used + 14, where.top() + (where.height() - chipHeight(theme)) / 2);
    const QRectF origin = paintTimeChip(painter, chip, info, theme, where.width() * 0.5);
    QStringList notes; // what is missing first: where there is no room, the last go
    const std::uint64_t lost = trace().lostEvents();
    if (lost > 0)
        notes << agreeing(TimelineText::tr("%1 {event did not fit and is|events did not fit and are} missing"),
                          numberText(lost));
    if (isDebugBuild(info) && info.timing)
        notes << TimelineText::tr("compiled as written: it waits after each instruction");
    if (info.clockResidual > 0)
        notes << TimelineText::tr("clocks agree to ± %1").arg(timeText({info.clockResidual}, info.timeUnit));
    if (info.timeUnit == TimeUnit::Steps)
        notes << TimelineText::tr("time in steps: one warp instruction each, no latency");
    const QString between = QStringLiteral("  ·  ");
    QStringList said;
    if (!model().rows.empty())
        for (const QString& warps : {warpsText(trace()), warpsText(trace(), true)})
            said << (notes + QStringList{warps}).join(between);
    for (; !notes.isEmpty(); notes.removeLast())
        said << notes.join(between);
    if (lost == 0 && info.timeUnit == TimeUnit::Steps)
        said << TimelineText::tr("time in steps, no latency") << TimelineText::tr("time in steps");
    if (lost == 0)
        said << QString(); // rather than half a number
    double right = where.right();
    const QRectF forKey = where.adjusted(origin.right() + 12 - where.left(), 0, 0, 0);
    if (m_ghost && paintGhostKey(nullptr, forKey, m_ghost->times, theme) <= forKey.width())
        right -= paintGhostKey(&painter, forKey, m_ghost->times, theme) + 16;
    const QRectF room(origin.right() + 12, where.top(), right - origin.right() - 12, where.height());
    paintText(painter, room, firstThatFits(said, theme.small(), room.width()), theme.small(),
              lost > 0 ? theme.wrong : theme.textMuted);
}

void TimelinePicture::paintOverlay(QPainter& painter, QPointF pointer) const {
    const QRectF& rows = m_layout.rows;
    if (pointer.x() < rows.left() || pointer.x() > rows.right() || pointer.y() < m_layout.stacked.top() ||
        pointer.y() > rows.bottom())
        return;
    const Theme& theme = context.theme;
    const Time time = snapped(lineAt(pointer), pointer.x());
    const double x = m_layout.scale.x(time);
    painter.setPen(QPen(theme.textMuted, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, m_layout.stacked.top()), QPointF(x, rows.bottom()));
    const QString text = sinceStart(trace(), time);
    const double width = textWidth(theme.small(), text) + 10;
    const QRectF label(std::min(x + 4, rows.right() - width), m_layout.ruler.top() - lineHeight(theme.small()) - 2,
                       width, lineHeight(theme.small()) + 2);
    painter.fillRect(label, theme.panel);
    paintText(painter, label, text, theme.small(), theme.text, Qt::AlignCenter);
}

const TimelineLine* TimelinePicture::lineAt(QPointF at) const {
    if (at.y() < m_layout.rows.top() || at.y() >= m_layout.rows.bottom())
        return nullptr;
    for (const TimelineLine& line : m_layout.lines)
        if (at.y() >= line.y && at.y() < line.y + line.height)
            return &line;
    return nullptr;
}

std::uint32_t TimelinePicture::warpAt(const TimelineRow& row, Time time) const {
    std::uint32_t best = row.warps.front();
    for (const std::uint32_t w : row.warps)
        if (trace().warps[w].start <= time)
            best = w;
    return best;
}

Time TimelinePicture::snapped(const TimelineLine* line, double x) const {
    const Time time = m_layout.scale.time(x);
    if (!line || line->row == noIndex)
        return time;
    const Warp& warp = trace().warps[warpAt(model().rows[line->row], time)];
    const std::int64_t before = trace().eventAt(warp, time);
    Time best = time;
    double distance = snapsWithin;
    for (std::int64_t i = std::max<std::int64_t>(0, before); i <= before + 1 && i < std::int64_t(warp.eventCount);
         ++i) {
        const Time t = trace().event(warp, std::uint32_t(i)).time;
        if (std::abs(m_layout.scale.x(t) - x) < distance) {
            distance = std::abs(m_layout.scale.x(t) - x);
            best = t;
        }
    }
    return best;
}

const TimelineExtra* TimelinePicture::extraAt(QPointF at) const {
    if (!m_layout.rows.contains(at))
        return nullptr;
    const auto extra = std::find_if(m_layout.extras.begin(), m_layout.extras.end(),
                                    [&](const TimelineExtra& e) { return at.y() >= e.y && at.y() < e.y + e.height; });
    return extra == m_layout.extras.end() ? nullptr : &*extra;
}

QString TimelinePicture::extraToolTip(const TimelineExtra& extra, QPointF at) const {
    const Time time = m_layout.scale.time(at.x());
    if (extra.row == noIndex)
        return phaseText(trace(), model().groups[extra.group].barriers[extra.barrier], time);
    const TimelineCopies& copies = model().rows[extra.row].copies;
    const auto depth = std::uint32_t((at.y() - extra.y) / extra.height * copies.depth);
    const TimeAxis& scale = m_layout.scale;
    for (const TimelineCopyBar& bar : copies.bars) {
        const AsyncCopy& copy = trace().copies[bar.copy];
        if (bar.depth == depth && scale.x(copy.issued) <= at.x() + 1 &&
            at.x() <= std::max(scale.x(copy.complete), scale.x(copy.issued) + 2) + 1)
            return copyText(trace(), copy);
    }
    return {};
}

bool TimelinePicture::onScale(QPointF at) const {
    return at.y() >= m_layout.stacked.top() && at.y() < m_layout.rows.top();
}

Time TimelinePicture::reach() const {
    const TimeAxis& scale = m_layout.scale;
    return {std::max<std::int64_t>(
        1, std::int64_t(snapsWithin * double(scale.window.length().value) / std::max(1.0, scale.width)))};
}

int TimelinePicture::noteAt(Time time) const {
    return noteNear(m_state.notes, time, reach());
}

Spot TimelinePicture::spotAt(QPointF at) const {
    Spot spot;
    const TimelineLine* line = lineAt(at);
    spot.toolTip = toolTipAt(at, line);
    if (line && line->row == noIndex && at.x() <= m_layout.labels.right())
        spot.click = foldedChange(line->group);
    else
        spot.click = selecting(selectedAt(at, line));
    return spot;
}

Change TimelinePicture::foldedChange(std::uint32_t group) const {
    Change change = unchanged();
    std::set<std::uint32_t> toggled = m_state.toggled;
    if (!toggled.erase(group))
        toggled.insert(group);
    setToggled(change.options, toggled);
    return change;
}

Selection TimelinePicture::selectedAt(QPointF at, const TimelineLine* line) const {
    Selection selection = context.selection;
    if (m_layout.overview.contains(at)) { // the window moves there
        const TimeAxis whole{model().range, m_layout.overview.left(), m_layout.overview.width()};
        const Time half{m_layout.scale.window.length().value / 2};
        const Time middle = whole.time(at.x());
        selection.visible = TimeAxis{{middle - half, middle + half}, 0, 1}.shifted(0, model().range);
        return selection;
    }
    if (at.x() < m_layout.labels.left() || at.x() > m_layout.rows.right())
        return selection;
    if (at.x() >= m_layout.rows.left())
        selection.time = snapped(line, at.x());
    if (onScale(at)) {
        const int n = noteAt(m_layout.scale.time(at.x()));
        return n < 0 ? selection : atNote(m_state.notes[n]);
    }
    if (line && line->row != noIndex) {
        selection.warp = warpAt(model().rows[line->row], selection.time);
        selection.block = trace().warps[selection.warp].block;
        selection = completed(selection, trace());
    }
    return selection;
}

Selection TimelinePicture::atNote(const TimelineNote& note) const {
    Selection selection = context.selection;
    selection.time = note.time;
    if (note.warp < trace().warps.size()) {
        selection.warp = note.warp;
        selection.block = trace().warps[note.warp].block;
    }
    return completed(selection, trace());
}

QString TimelinePicture::toolTipAt(QPointF at, const TimelineLine* line) const {
    if (onScale(at)) {
        const int n = noteAt(m_layout.scale.time(at.x()));
        return n < 0 ? QString() : noteToolTip(m_state.notes[n]);
    }
    if (const TimelineExtra* extra = extraAt(at))
        return extraToolTip(*extra, at);
    if (!line || at.x() < m_layout.rows.left() || at.x() > m_layout.rows.right())
        return {};
    const TimeRange pixel{m_layout.scale.time(at.x()), m_layout.scale.time(at.x() + 1) + Time{1}};
    return line->row == noIndex ? headToolTip(*line, pixel) : rowToolTip(*line, pixel);
}

QString TimelinePicture::noteToolTip(const TimelineNote& note) const {
    const QString when = sinceStart(trace(), note.time);
    return note.text.isEmpty() ? TimelineText::tr("bookmark at %1").arg(when) : note.text + "\n" + when;
}

QString TimelinePicture::headToolTip(const TimelineLine& line, TimeRange pixel) const {
    TimelineColumns columns;
    columns.reset(1, model().categories);
    model().stacked(&model().groups[line.group], pixel, columns);
    QString text = TimelineText::tr("warps by state at %1").arg(sinceStart(trace(), pixel.begin));
    for (int k = 0; k < model().categories; ++k)
        if (columns.share(0, k) > 0.005f)
            text +=
                QString("\n%1: %2").arg(timelineCategoryName(model(), k), decimalText(double(columns.share(0, k)), 1));
    return text;
}

QString TimelinePicture::lasting(Time begin, Time end) const {
    return TimelineText::tr("from %1, for %2")
        .arg(sinceStart(trace(), begin),
             timeText(end - begin, trace().info.timeUnit) + inCycles(trace().info, (end - begin).value));
}

// Ranges of the other profiler there, the outermost first.
QString TimelinePicture::layerToolTip(std::uint32_t warp, TimeRange pixel) const {
    QString text;
    if (m_layer)
        for (const TimelineLayer::Box& box : m_layer->at(warp, pixel.begin, pixel.length()))
            text += "\n" + TimelineText::tr("%1: %2, %3")
                               .arg(QString::fromStdString(m_layer->scopes->profiler), m_layer->name(box),
                                    box.time.length().value > 0 ? lasting(box.time.begin, box.time.end)
                                                                : sinceStart(trace(), box.time.begin));
    return text;
}

// The event that the warp is in, and how long it lasts; where states tell how long, only the event.
QString TimelinePicture::eventToolTip(const Warp& warp, Time time) const {
    const std::int64_t n = trace().eventAt(warp, time);
    if (n < 0 || time >= warp.end)
        return {};
    const Event event = trace().event(warp, std::uint32_t(n));
    QString text = "\n" + eventName(trace(), event);
    if (event.site < trace().sites.size()) {
        const Site& site = trace().sites[event.site];
        if (const QString code = lineCode(trace(), site.kernel, site.ptxLine); !code.isEmpty())
            text += ": " + code;
    }
    const TimelineItem item = model().eventItem(warp, std::uint32_t(n));
    return text + "\n" + lasting(item.begin, item.end);
}

// The longest stretch of the state under the pixel: its length, and the line whose instruction it is about.
QString TimelinePicture::stateToolTip(const Warp& warp, TimeRange pixel, int state) const {
    const StateRow* longest = nullptr;
    const auto states = trace().statesOf(warp);
    const auto seen = [&](const StateRow& s) { return model().timeOfCycle(s.end) <= pixel.begin; };
    const auto first = std::partition_point(states.begin(), states.end(), seen);
    for (auto s = first; s != states.end() && model().timeOfCycle(s->begin) < pixel.end; ++s)
        if (int(s->state) == state && (!longest || s->end - s->begin > longest->end - longest->begin))
            longest = &*s;
    if (!longest)
        return {};
    QString text =
        "\n" + agreeing(TimelineText::tr("for %1 {cycle|cycles}"), numberText((longest->end - longest->begin).value));
    const std::uint32_t kernel = trace().launches[trace().blockOf(warp).launch].kernel;
    if (const QString where = lineName(trace(), kernel, longest->ptxLine); !where.isEmpty())
        text += ", " + where + ": " + lineCode(trace(), kernel, longest->ptxLine);
    return text;
}

QString TimelinePicture::rowToolTip(const TimelineLine& line, TimeRange pixel) const {
    const TimelineRow& row = model().rows[line.row];
    TimelineColumns columns;
    columns.reset(1, model().categories);
    model().columns(row, pixel, columns);
    const Warp& warp = trace().warps[warpAt(row, pixel.begin)];
    const Block& block = trace().blockOf(warp);
    QString text = TimelineText::tr("warp %1 of block %2 on SM %3")
                       .arg(warp.warpInBlock)
                       .arg(blockIndexText(trace(), block))
                       .arg(block.sm);
    text += layerToolTip(warpAt(row, pixel.begin), pixel);
    if (columns.count(0) == 0)
        return text + "\n" + TimelineText::tr("not there");
    const int state = std::max(0, columns.dominant(0));
    text += "\n" + timelineCategoryName(model(), state);
    if (model().hasStates())
        text += "\n" + stateExplained(WarpState(state)) + stateToolTip(warp, pixel, state);
    text += eventToolTip(warp, pixel.begin);
    TimelineColumns masks;
    masks.reset(1, 2);
    model().lanes(row, pixel, masks);
    if (masks.count(0) > 1)
        text += "\n" + agreeing(TimelineText::tr("%1 {event|events} under this pixel"),
                                numberText(std::uint64_t(masks.count(0))));
    if (masks.count(0) > 0)
        text += "\n" + TimelineText::tr("lanes on: 0x%1").arg(masks.any(0).bits, 8, 16, QLatin1Char('0'));
    return text + "\n" + originName(trace().info.timeOrigin);
}

} // namespace warpglass
