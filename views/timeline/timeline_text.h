// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline says in words and in colours, the same in rows, charts, legend and tool tips.
#pragma once

#include "views/common/marks.h"
#include "views/timeline/timeline_model.h"

#include <QCoreApplication>

namespace warpglass {

struct TimelineText {
    Q_DECLARE_TR_FUNCTIONS(TimelineView)
};

QColor timelineColour(const TimelineModel& model, int category, const Theme& theme);
Hatch timelineHatch(const TimelineModel& model, int category);
QString timelineCategoryName(const TimelineModel& model, int category);

// Lanes on, in four steps a reader can tell apart: none, up to 8, up to 16, up to 31, all.
inline constexpr int laneSteps = 5;
constexpr int laneStep(int lanes) {
    return lanes == 0 ? 0 : lanes <= 8 ? 1 : lanes <= 16 ? 2 : lanes < 32 ? 3 : 4;
}
QColor laneStepColour(int step, const Theme& theme);
QString laneStepName(int step);

QString rowLabel(const TimelineModel& model, const TimelineRow& row);
QString groupLabel(const TimelineModel& model, const TimelineGroup& group);
// "line 24", or "PTX line 456" where the compiler named no line of the kernel's own source; empty: no line at all.
QString lineName(const Trace& trace, std::uint32_t kernel, std::uint32_t ptxLine);
// The text of that line, shortened; empty where there is none.
QString lineCode(const Trace& trace, std::uint32_t kernel, std::uint32_t ptxLine);
// Whether an event is named inside its span: "branch, line 24: 16/32".
bool eventHasWords(EventKind kind);
QString eventName(const Trace& trace, const Event& event);

// How much of the run is here: events are recorded of chosen blocks, and a part must not pass for the whole.
QString warpsText(const Trace& trace, bool brief = false);
// Since the start of the run.
QString sinceStart(const Trace& trace, Time time);
// What ran, the longer name first: of one launch its kernel and shape, which is all that a tree of launches would say.
QStringList runNames(const Trace& trace);
// " = 1980 cycles", where the clock is known; else nothing.
QString inCycles(const TraceInfo& info, std::int64_t nanoseconds);

} // namespace warpglass
