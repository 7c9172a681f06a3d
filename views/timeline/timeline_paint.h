// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view.h"
#include "views/timeline/timeline_layout.h"
#include "views/timeline/timeline_notes.h"

namespace warpglass {

QColor timelineColour(const TimelineModel& model, int category, const Theme& theme);
QString timelineCategoryName(const TimelineModel& model, int category); // translated

void paintTimelineRows(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                       const PaintContext& context);
// Warps by state over time, stacked; of one group or of all (nullptr).
void paintTimelineStack(QPainter& painter, const QRectF& where, const TimelineModel& model, const TimelineGroup* group,
                        TimeRange window, bool withScale, const Theme& theme);
void paintTimelineOverview(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                           const Theme& theme);
void paintTimelineRuler(QPainter& painter, const TimelineLayout& layout, const Trace& trace, const Theme& theme);
// Flags on the ruler; words where they do not hide one another.
void paintTimelineNotes(QPainter& painter, const TimelineLayout& layout, const TimelineNotes& notes,
                        const Theme& theme);
void paintTimelineLegend(QPainter& painter, const QRectF& where, const TimelineModel& model, const Theme& theme);

} // namespace warpglass
