// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the timeline's picture, each painted from what was worked out before (timeline_frame.h).
#pragma once

#include "views/common/marks.h"
#include "views/common/theme.h"
#include "views/timeline/timeline_frame.h"
#include "views/timeline/timeline_notes.h"

#include <QPainter>
#include <QTextLayout>

#include <memory>
#include <unordered_map>

namespace warpglass {

// What lies under heads and under the marked row, then their names, then what they show. chosen: row of the warp table
// whose row is marked, or noIndex.
void paintTimelineGrounds(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                          std::uint32_t chosen, const Theme& theme);
void paintTimelineLabels(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                         std::uint32_t chosen, const Theme& theme);
// ground: pixelsOfLine() of each line are painted before it.
void paintTimelineRows(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                       const TimelineFrame& frame, std::uint32_t chosen, bool ground, const Theme& theme);
// Where a line lies among the rows, without what it shares with others: in whole pixels, no name, no border.
QRect pixelsOfLine(const TimelineLayout& layout, const TimelineLine& line);
// The words of spans, worked out once a picture: thousands of spans say the same few things.
struct SpanWord {
    QString label;
    double width = 0, above = 0;       // above: from the top of the place to the words
    std::unique_ptr<QTextLayout> line; // null without words
};
using SpanWords = std::unordered_map<std::uint64_t, SpanWord>; // by what the words depend on

// Copies and mbarriers between the rows.
void paintTimelineExtras(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                         const Theme& theme);
// Names and masks inside the spans of one row that have room: only where events are far apart.
void paintTimelineSpans(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                        const TimelineRow& row, const TimelineRowPicture& picture, const QRectF& bar, SpanWords& words,
                        const Theme& theme);
// Warps by state over time, stacked; on top, hatched, those that ran and were not recorded (none, or one a column).
// top: the warps that its height stands for, written beside it; without one it is as high as its highest column.
void paintTimelineStack(QPainter& painter, const QRectF& where, const TimelineModel& model,
                        const TimelineColumns& columns, const std::vector<float>& known,
                        std::optional<std::uint64_t> top, const Theme& theme);
// What the scale of such a chart ends with: the most warps that were there at once, and one at least.
std::uint64_t timelineStackTop(const TimelineModel& model, TimeRange window);
void paintKnownSwatch(QPainter& painter, const QRectF& cell, const Theme& theme);
// The whole run; what ran and how long it took, beside it; and on top of it, which part of it is in sight. playedTo: while
// it plays, how far: nothing tells what is to come.
void paintTimelineOverview(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                           const TimelineColumns& overview, const std::vector<float>& known, const Theme& theme);
void paintTimelineRun(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                      std::optional<Time> playedTo, const Theme& theme);
QRectF overviewLabel(const TimelineLayout& layout);
void paintTimelineWindow(QPainter& painter, const TimelineLayout& layout, TimeRange whole, const Theme& theme);
void paintTimelineRuler(QPainter& painter, const TimelineLayout& layout, const Trace& trace,
                        std::optional<Time> playedTo, const Theme& theme);
// Where no warp was there yet, or any more: for how long, if words have room.
void paintTimelineEmptyEnds(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                            const Theme& theme);
// The moment looked at: a line; in the strip of the whole run, too; where it is out of sight, an arrow says on which side.
void paintTimelineCursor(QPainter& painter, const TimelineLayout& layout, TimeRange whole, Time now,
                         const Theme& theme);
// What was measured, as a veil with its length; nothing if both times are equal.
void paintTimelineMeasure(QPainter& painter, const TimelineLayout& layout, Time from, Time to, const TraceInfo& info,
                          const Theme& theme);
// Flags on the ruler; words where they do not hide one another.
void paintTimelineNotes(QPainter& painter, const TimelineLayout& layout, const TimelineNotes& notes,
                        const Theme& theme);

// What the colours mean, in the order in which they are told; those that do not occur are left out.
struct TimelineLegendEntry {
    QString label;
    QColor colour;
    Hatch hatch = Hatch::None;
    bool isKnown = false; // blocks that ran and were not recorded
};
QVector<TimelineLegendEntry> timelineLegend(const TimelineModel& model, const Theme& theme);
int timelineLegendLines(const QVector<TimelineLegendEntry>& legend, double width, const Theme& theme);
void paintTimelineLegend(QPainter& painter, const QRectF& where, const QVector<TimelineLegendEntry>& legend,
                         const Theme& theme);

bool paintsPixels(const QPainter& painter); // rather than shapes of a drawing

} // namespace warpglass
