// SPDX-License-Identifier: GPL-3.0-or-later
// One picture of the launch map before it is painted: what is shown, and where. Painting, pointing, keys and tooltips
// all start from the scene, so none of them can disagree with another.
#pragma once

#include "views/common/picture.h"
#include "views/common/time_axis.h"
#include "views/launchmap/arrivals.h"
#include "views/launchmap/launchmap_ghost.h"
#include "views/launchmap/launchmap_layout.h"
#include "views/launchmap/launchmap_model.h"
#include "views/launchmap/launchmap_pinned.h"

namespace warpglass {

struct LaunchMapScene {
    const Trace* trace = nullptr;
    const Launch* launch = nullptr;
    std::uint32_t launchRow = 0;
    LaunchMapModelPtr model;
    LaunchMapGhostPtr ghost;   // null: nobody recorded this launch
    LaunchMapPinnedPtr pinned; // null: no run is held against this one
    Theme theme;
    Time now;
    bool playing = false; // what comes after now is not shown
    Arrivals arrivals;    // of the moment that plays
    bool colourBySm = true;

    LaunchMapLayout layout;
    GridGeometry grid;
    DeviceGeometry device;
    TimeAxis chart; // of the residency chart
    ThreadLayout threads;
    ThreadGeometry threadCells;
    WarpGeometry warps;
    LaneTableGeometry lanes;

    std::uint32_t block = noIndex; // chosen, linear blockIdx; noIndex = none
    std::uint32_t warp = 0;        // shown in the lane table
    bool warpChosen = false;
    int lane = -1;
    // The thread that is followed, where it is of this launch; noIndex = it is not.
    std::uint32_t followedBlock = noIndex, followedWarp = 0;
    int followedLane = 0;

    const Block* blockRow(std::uint32_t index) const;     // nullptr if not recorded
    const Warp* warpRow(std::uint32_t warpInBlock) const; // of the chosen block; nullptr without detail
    BlockState stateOf(const Block& block) const;         // now; one that is still on its way waits
    BlockCounts counts() const;
    std::uint32_t blockIn(int sm, int place) const;          // now; noIndex: none
    Origin placed() const { return trace->info.timeOrigin; } // origin of SM numbers and times
};

// The launch that the selection means: that of its block if there is one.
std::uint32_t shownLaunch(const Trace& trace, const Selection& selection);

// parts: nothing = as a person chose.
LaunchMapScene launchMapScene(const QRectF& area, const PaintContext& context, LaunchMapModelPtr model,
                              LaunchMapGhostPtr ghost = nullptr, std::optional<LaunchMapParts> parts = std::nullopt,
                              LaunchMapPinnedPtr pinned = nullptr);

// The rows of the lane table, from the top.
enum class LaneTableRow { Lane, X, Y, Z, Linear, Now };
int laneTableRows(Dim3 block); // 5, or 6 when z is used
LaneTableRow laneTableRow(int row, Dim3 block);

// How the view writes things.
QString shapeText(Dim3 shape); // "32 × 24"
QString stateName(BlockState state);
QString timeOf(const LaunchMapScene& scene, Time t); // since the launch began
QString spanOf(const LaunchMapScene& scene, Time length);
QString wavesText(const Waves& waves); // "2 full waves, then 33 of 132 (25 %)"

// Painters: one a panel.
void paintGrid(QPainter& painter, const LaunchMapScene& scene);
void paintDevice(QPainter& painter, const LaunchMapScene& scene);
void paintResidency(QPainter& painter, const LaunchMapScene& scene);
void paintBalance(QPainter& painter, const LaunchMapScene& scene);
void paintThreads(QPainter& painter, const LaunchMapScene& scene);
void paintWarps(QPainter& painter, const LaunchMapScene& scene);
void paintLaneTable(QPainter& painter, const LaunchMapScene& scene);
void paintArrivals(QPainter& painter, const LaunchMapScene& scene); // blocks on their way
void paintLeader(QPainter& painter, const LaunchMapScene& scene);
void paintFollowedThread(QPainter& painter, const LaunchMapScene& scene); // in all panels

// Title of a panel on the left; on the right a remark and, if wanted, the origin of what is shown.
// A title without its last clauses, as many as must go: "Grid: 4,096 blocks, 64 a row" loses the rows.
QString fittedTitle(const QString& title, const QFont& font, qreal room);
void paintPanelTitle(QPainter& painter, const QRectF& where, const QString& title, const QString& remark,
                     std::optional<Origin> origin, const Theme& theme);

QColor mixed(const QColor& a, const QColor& b, qreal shareOfB);
QColor smColour(int sm, const Theme& theme);
QColor warpColour(std::uint32_t warp, const Theme& theme);
void paintTile(QPainter& painter, const QRectF& tile, BlockState state, const QColor& colour, const Theme& theme);
QColor blockColour(const LaunchMapScene& scene, const Block& block);

// What a tooltip says about the thing at this point; empty if nothing is there.
QString launchMapToolTip(const LaunchMapScene& scene, QPointF at);
QString launchMapCsv(const Trace& trace, const LaunchMapModel& model);

} // namespace warpglass
