// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/view_registry.h"
#include "gpu/base/messages/session.h"

#include "views/charts/charts_view.h"
#include "views/common/beside.h"
#include "views/lanes/lanes_view.h"
#include "views/launchmap/launchmap_view.h"
#include "views/launchtree/launchtree_view.h"
#include "views/memory/memory_view.h"
#include "views/occupancy/occupancy_view.h"
#include "views/pipeline/pipeline_view.h"
#include "views/program/program_graph.h"
#include "views/program/program_view.h"
#include "views/race/race_view.h"
#include "views/reduction/reduction_view.h"
#include "views/scheduler/scheduler_view.h"
#include "views/source/source_view.h"
#include "views/timeline/timeline_view.h"
#include "views/why/why_view.h"

namespace warpglass {

namespace {

// A view that shows one trace shows two that are compared, above each other or side by side.
template <std::unique_ptr<View> (*make)(), BesideLayout layout>
std::unique_ptr<View> beside() {
    return makeBesideView(make, layout);
}

bool hasPicture(const View& view, const PaintContext& context) {
    return !view.emptiness(context);
}

// One grid is one row: the timeline has it, too.
bool hasSeveralGrids(const View&, const PaintContext& context) {
    return (context.trace && context.trace->launches.size() > 1) ||
           (context.other && context.other->launches.size() > 1);
}

bool hasPipeline(const View& view, const PaintContext& context) {
    return hasPicture(view, context) && tellsPipeline(*context.trace);
}

// It may have to be asked first.
bool hasRun(const View&, const PaintContext& context) {
    return context.trace && !context.trace->launches.empty();
}

} // namespace

// A row a view.
QVector<ViewEntry> viewEntries() {
    return {
        {"launchmap", makeLaunchMapView, ViewGroup::Where, hasPicture},
        {"timeline", beside<makeTimelineView, BesideLayout::Rows>, ViewGroup::When, hasPicture},
        {"lanes", makeLanesView, ViewGroup::Who, hasPicture},
        {"reduction", makeReductionView, ViewGroup::Who, hasPicture, true},
        {"memory", beside<makeMemoryView, BesideLayout::Columns>, ViewGroup::Memory, hasPicture},
        {"launchtree", makeLaunchTreeView, ViewGroup::Where, hasSeveralGrids},
        {"scheduler", makeSchedulerView, ViewGroup::When, hasPicture},
        {"pipeline", beside<makePipelineView, BesideLayout::Rows>, ViewGroup::When, hasPipeline},
        {"occupancy", beside<makeOccupancyView, BesideLayout::Columns>, ViewGroup::Why, hasPicture},
        {"charts", makeChartsView, ViewGroup::Why, hasPicture},
        {"source", beside<makeSourceView, BesideLayout::Columns>, ViewGroup::Code, hasPicture},
        {"race", makeRaceView, ViewGroup::When, hasPicture},
        {"why", makeWhyView, ViewGroup::Why, hasRun},
    };
}

Error noSuchView(const QString& key) {
    return {.message = say::NoView(key.toStdString()),
            .remedy = say::ViewsAre(viewKeys().join(QStringLiteral(", ")).toStdString())};
}

QStringList viewKeys() {
    QStringList keys;
    for (const ViewEntry& entry : viewEntries())
        keys.append(entry.key);
    return keys;
}

bool isOfProgram(const QString& key) {
    return key == QLatin1String(programViewKey) || key == QLatin1String(programGraphViewKey);
}

std::unique_ptr<View> makeView(const QString& key) {
    for (const ViewEntry& entry : viewEntries()) {
        if (entry.key == key)
            return entry.make();
    }
    if (key == QLatin1String(programViewKey))
        return makeProgramView();
    if (key == QLatin1String(programGraphViewKey))
        return makeProgramGraphView();
    return nullptr;
}

} // namespace warpglass
