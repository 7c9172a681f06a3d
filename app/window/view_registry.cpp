// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/view_registry.h"

#include "views/common/beside.h"

#ifdef WARPGLASS_VIEW_LAUNCHMAP
#include "views/launchmap/launchmap_view.h"
#endif
#ifdef WARPGLASS_VIEW_TIMELINE
#include "views/timeline/timeline_view.h"
#endif
#ifdef WARPGLASS_VIEW_LANES
#include "views/lanes/lanes_view.h"
#endif
#ifdef WARPGLASS_VIEW_REDUCTION
#include "views/reduction/reduction_view.h"
#endif
#ifdef WARPGLASS_VIEW_MEMORY
#include "views/memory/memory_view.h"
#endif
#ifdef WARPGLASS_VIEW_LAUNCHTREE
#include "views/launchtree/launchtree_view.h"
#endif
#ifdef WARPGLASS_VIEW_SCHEDULER
#include "views/scheduler/scheduler_view.h"
#endif
#ifdef WARPGLASS_VIEW_OCCUPANCY
#include "views/occupancy/occupancy_view.h"
#endif
#ifdef WARPGLASS_VIEW_CHARTS
#include "views/charts/charts_view.h"
#endif
#ifdef WARPGLASS_VIEW_SOURCE
#include "views/source/source_view.h"
#endif

namespace warpglass {

QVector<ViewEntry> viewEntries() {
    QVector<ViewEntry> entries;
    const auto add = [&entries](const char* key, std::unique_ptr<View> (*make)()) {
        entries.append({QString::fromLatin1(key), make});
    };
#ifdef WARPGLASS_VIEW_LAUNCHMAP
    add("launchmap", makeLaunchMapView);
#endif
#ifdef WARPGLASS_VIEW_TIMELINE
    add("timeline", [] { return makeBesideView(makeTimelineView, BesideLayout::Rows); });
#endif
#ifdef WARPGLASS_VIEW_LANES
    add("lanes", makeLanesView);
#endif
#ifdef WARPGLASS_VIEW_REDUCTION
    add("reduction", makeReductionView);
#endif
#ifdef WARPGLASS_VIEW_MEMORY
    add("memory", [] { return makeBesideView(makeMemoryView, BesideLayout::Columns); });
#endif
#ifdef WARPGLASS_VIEW_LAUNCHTREE
    add("launchtree", makeLaunchTreeView);
#endif
#ifdef WARPGLASS_VIEW_SCHEDULER
    add("scheduler", makeSchedulerView);
#endif
#ifdef WARPGLASS_VIEW_OCCUPANCY
    add("occupancy", [] { return makeBesideView(makeOccupancyView, BesideLayout::Columns); });
#endif
#ifdef WARPGLASS_VIEW_CHARTS
    add("charts", makeChartsView);
#endif
#ifdef WARPGLASS_VIEW_SOURCE
    add("source", [] { return makeBesideView(makeSourceView, BesideLayout::Columns); });
#endif
    return entries;
}

QStringList viewKeys() {
    QStringList keys;
    for (const ViewEntry& entry : viewEntries())
        keys.append(entry.key);
    return keys;
}

std::unique_ptr<View> makeView(const QString& key) {
    for (const ViewEntry& entry : viewEntries()) {
        if (entry.key == key)
            return entry.make();
    }
    return nullptr;
}

} // namespace warpglass
