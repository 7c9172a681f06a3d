// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/marks.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace warpglass {

namespace {

constexpr double leastForWords = 34; // px of a span
constexpr int mostSpans = 400;       // of a row

// What an event is called inside its span; nothing if it needs no words.
QString spanLabel(const Trace& trace, const Event& event) {
    return eventHasWords(event.kind) ? eventName(trace, event) : QString();
}

// high: of the place for words, the same in all rows of a picture.
const SpanWord& wordOf(const Trace& trace, const Event& event, double high, SpanWords& words, const Theme& theme) {
    const bool branch = event.kind == EventKind::Branch;
    const std::uint64_t key = std::uint64_t(event.site) << 32 | std::uint64_t(event.kind) << 16 |
                              std::uint64_t(branch ? event.taken.count() << 8 | event.active.count() : 0);
    const auto [at, isNew] = words.try_emplace(key);
    SpanWord& word = at->second;
    if (isNew) {
        word.label = spanLabel(trace, event);
        word.width = textWidth(theme.small(), word.label);
        if (!word.label.isEmpty()) {
            word.line = std::make_unique<QTextLayout>(word.label, theme.small());
            word.line->beginLayout();
            word.line->createLine();
            word.line->endLayout();
            word.above =
                QFontMetricsF(theme.small())
                    .boundingRect(QRectF(0, 0, word.width + 1, high),
                                  Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip, word.label)
                    .top();
        }
    }
    return word;
}

// Where words have room: the widest stretch of one state between two places, so that they hide no other state.
struct Stretch {
    double left = 0, right = 0;
    int state = -1;
};
Stretch widestStretch(const std::vector<std::int8_t>& states, const QRectF& bar, double left, double right) {
    Stretch widest;
    const double pitch = bar.width() / double(std::max<std::size_t>(1, states.size()));
    const auto first = std::size_t(std::max(0.0, std::ceil((left - bar.left()) / pitch)));
    const auto end = std::min(states.size(), std::size_t(std::max(0.0, std::floor((right - bar.left()) / pitch))));
    for (std::size_t c = first; c < end;) {
        std::size_t next = c + 1;
        while (next < end && states[next] == states[c])
            ++next;
        if (states[c] >= 0 && double(next - c) * pitch > widest.right - widest.left)
            widest = {bar.left() + double(c) * pitch, bar.left() + double(next) * pitch, states[c]};
        c = next;
    }
    return widest;
}

// The mask lane by lane, in place of its shade: on whole pixels; single lanes only where a gap has room.
void paintMask(QPainter& painter, const QRectF& strip, double cell, LaneMask lanes, const Theme& theme) {
    for (int lane = 0; lane < lanesPerWarp;) {
        int end = lane + 1;
        while (end < lanesPerWarp && cell < 4 && lanes.has(end) == lanes.has(lane))
            ++end;
        const double from = std::round(strip.left() + lane * cell), to = std::round(strip.left() + end * cell);
        painter.fillRect(QRectF(from, strip.top(), to - from - (cell < 4 ? 0 : 1), strip.height()),
                         lanes.has(lane) ? theme.text : theme.panel);
        lane = end;
    }
}

} // namespace

void paintTimelineSpans(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                        const TimelineRow& row, const TimelineRowPicture& picture, const QRectF& bar, SpanWords& words,
                        const Theme& theme) {
    const TimeAxis& scale = layout.scale;
    const Trace& trace = *model.trace;
    const double perUnit = scale.width / double(std::max<std::int64_t>(1, scale.window.length().value));
    const double text = lineHeight(theme.small());
    int painted = 0;
    std::vector<std::pair<double, double>> taken; // by words: warps of one row may run beside each other
    const auto isTaken = [&](double from, double to) {
        return std::any_of(taken.begin(), taken.end(),
                           [&](const auto& word) { return from < word.second && word.first < to; });
    };
    const auto seen = std::partition_point(row.warps.begin(), row.warps.end(),
                                           [&](std::uint32_t w) { return trace.warps[w].end <= scale.window.begin; });
    for (auto w = std::size_t(seen - row.warps.begin()); w < row.warps.size(); ++w) {
        const Warp& warp = trace.warps[row.warps[w]];
        if (warp.start >= scale.window.end)
            break;
        if (warp.eventCount == 0 || double((warp.end - warp.start).value) * perUnit < leastForWords)
            continue;
        // Only where there is room for words at all: a frame must not walk over all events to find none wide enough,
        // nor unpack them for it.
        if (double(row.events.itemsAbout(row.firstNode[w], row.firstNode[w + 1], scale.window)) > bar.width() / 6)
            continue;
        const std::int64_t at = std::max<std::int64_t>(0, trace.eventAt(warp, scale.window.begin));
        for (auto i = std::uint32_t(at); i < warp.eventCount && painted < mostSpans; ++i) {
            const TimelineItem item = model.eventItem(warp, i);
            if (item.begin >= scale.window.end)
                break;
            const double width = double((item.end - item.begin).value) * perUnit;
            if (width < leastForWords)
                continue;
            ++painted;
            const double left = std::max(bar.left(), scale.x(item.begin));
            const double right = std::min(bar.right(), scale.x(item.end));
            const QRectF strip(left, bar.bottom() - bar.height() * 0.28, right - left, bar.height() * 0.28);
            const double cell = std::min(6.0, strip.width() / 32);
            const QColor colour = timelineColour(model, item.category, theme);
            if (cell >= 1.0) {
                if (!model.hasStates())
                    painter.fillRect(strip, colour);
                paintMask(painter, strip, cell, item.lanes, theme);
            }
            const double high = bar.height() - strip.height();
            const SpanWord& word = wordOf(trace, trace.event(warp, i), high, words, theme);
            const double wide = word.width + 6;
            if (word.line && high >= text * 0.8 && wide < right - left) {
                const Stretch place = model.hasStates() ? widestStretch(picture.state, bar, left, right)
                                                        : Stretch{left, right, item.category};
                if (wide < place.right - place.left && !isTaken(place.left, place.left + 1 + wide) &&
                    !PaintedWords::cutByAList(painter, QRectF(place.left, bar.top(), wide, high))) {
                    const QColor ground = timelineColour(model, place.state, theme);
                    painter.fillRect(QRectF(place.left + 1, bar.top(), wide, high), ground); // no hatch behind words
                    painter.setPen(inkOn(ground));
                    word.line->draw(&painter, QPointF(place.left + 3, bar.top() + word.above));
                    PaintedWords::note(painter, QRectF(place.left + 1, bar.top(), wide, high));
                    taken.emplace_back(place.left, place.left + 1 + wide);
                }
            }
            if (!isTaken(left + 0.5, left + 1))
                painter.fillRect(QRectF(left, bar.top(), 1, bar.height()), theme.panel);
        }
    }
}

} // namespace warpglass
