// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_state.h"

#include "views/timeline/timeline_text.h"

#include <algorithm>

namespace warpglass {

namespace {
constexpr const char* toggledGroups = "toggled"; // "3,17"
} // namespace

Choice<TimelineGrouping> timelineGrouping(const Trace* trace) {
    return {"rows",
            TimelineText::tr("rows"),
            {{TimelineGrouping::Hardware, "hardware", TimelineText::tr("SM and warp slot")},
             {TimelineGrouping::Program, "program", TimelineText::tr("block and warp")}},
            trace && !trace->phaseEvents.empty() ? std::size_t(1) : 0};
}

TimelineState timelineState(const Options& options, double standard) {
    TimelineState state;
    const double set = timelineRowHeight.of(options);
    state.rowHeight = set > 0 ? rowHeightWithin(set) : standard;
    state.scroll = timelineScroll.of(options);
    for (const QString& one : options.value(toggledGroups).toString().split(',', Qt::SkipEmptyParts))
        state.toggled.insert(one.toUInt());
    state.measureFrom = {timelineMeasureFrom.of(options)};
    state.measureTo = {timelineMeasureTo.of(options)};
    state.notes = notesFromOption(options.value(notesOption));
    return state;
}

void setToggled(Options& options, const std::set<std::uint32_t>& groups) {
    QStringList list;
    for (const std::uint32_t group : groups)
        list << QString::number(group);
    options[toggledGroups] = list.join(',');
}

double rowHeightWithin(double height) {
    return std::clamp(height, 2.0, 80.0);
}

} // namespace warpglass
