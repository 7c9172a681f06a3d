// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the divergence picture. Each paints into rectangles that lanes_layout made and returns nothing.
#pragma once

#include "views/common/machine_sight.h"
#include "views/common/marks.h"
#include "views/lanes/lanes_layout.h"
#include "views/lanes/lanes_play.h"
#include "views/lanes/lanes_text.h"
#include "views/lanes/paths.h"
#include "views/lanes/scene.h"

namespace warpglass {

struct LanesPanelPicture {
    const LanesScene& scene;
    const LanesPanel& panel;
    const Theme& theme;
    Selection selection; // of the first trace; lane and lines are used in both panels
    int current = -1;    // column that is now, -1 before the first
    const Serialised* paths = nullptr;
    int pathColumn = -1;  // whose paths they are
    double pathScale = 0; // time that fills their part of the panel, of two that are compared; 0: what they last
    LanesPlay play{};
    int followed = -1;                  // lane of the thread that is followed, if it is of this warp or block
    const LanesScene* pinned = nullptr; // the branch in the run that is pinned: lanes that went off are framed

    // Nothing of what is shown is to come: the picture may say what all of it came to.
    bool toldAll() const {
        if (scene.count() == 0)
            return true;
        return current == scene.count() - 1 ? play.whole() : current >= 0 && !play.playing;
    }
};

void paintPanelHeading(QPainter& painter, const LanesPanelPicture& picture, const QString& kernelName);
void paintColumns(QPainter& painter, const LanesPanelPicture& picture);
void paintPaths(QPainter& painter, const LanesPanelPicture& picture);
void paintBranchTable(QPainter& painter, const LanesPanelPicture& picture);
void paintSummary(QPainter& painter, const LanesPanelPicture& picture);
// At each row's left stands its lane's number, at as many as there is room for: 4, or a multiple.
int lanesBetweenNumbers(const LanesPanelPicture& p);
// Lanes over time: every event that moves lanes, not only branches.
void paintLanesOverTime(QPainter& painter, const LanesPanelPicture& picture, TimeRange visible);

// Marks the row of the thread that is followed.
void paintFollowedLane(QPainter& painter, const LanesPanelPicture& picture);

// Instead of a panel: the code has no branch because the compiler made selects of it. Returns the button's rectangle.
// machine: of the same launch, or null.
QRectF paintNoBranch(QPainter* painter, const QRectF& area, const Trace& trace, std::uint32_t launch,
                     const MachineSight* machine, const Theme& theme);
// Instead of a panel: what is known of the machine code. Returns the button's rectangle, null if there is none.
QRectF paintMachineLayer(QPainter* painter, const QRectF& area, const Trace& trace, std::uint32_t launch,
                         const MachineSight* machine, const Theme& theme);

LaneMark markOf(const LaneSplit& split, int lane, BranchLayer layer);
QVector<LegendEntry> legendFor(const LanesScene& scene, bool generic);
QString sourceText(const Kernel& kernel, std::uint32_t line); // trimmed, empty if unknown
QString ptxText(const Kernel& kernel, std::uint32_t line);
// "line 10", or "PTX line 42" in the PTX layer or when the source line is unknown.
QString placeName(const Branch& branch, BranchLayer layer);
// Of a condition's several branches on one line which it is: "a", "b"; empty for a branch alone, and of the PTX layer.
QString partName(const Branch& branch, BranchLayer layer);
// The rectangle of table row n (0 = first branch), or of its head (-1).
QRectF tableRow(const LanesPanel& panel, int n);
// Edges of the serialised paths across the path part; scale: LanesPanelPicture::pathScale.
QVector<qreal> pathEdges(const Serialised& paths, const LanesPanel& panel, double scale);
// Table rows are the branches by divergent executions, most first; returns rows of scene.branches().
QVector<int> tableOrder(const LanesScene& scene);

} // namespace warpglass
