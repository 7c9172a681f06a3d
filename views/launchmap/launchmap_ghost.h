// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU did with the blocks of the launch that is modelled: where it put each, when each was resident, and how many
// were together. Both launches begin at the same moment of the picture; a block goes by its number in the grid.
#pragma once

#include "views/common/ghost.h"
#include "views/launchmap/launchmap_model.h"

#include <memory>
#include <optional>

namespace warpglass {

struct LaunchMapScene;

struct LaunchMapGhost {
    TracePtr recording;
    LaunchMapModelPtr model; // of the recording's first launch
    GhostTimes times;
    Time later; // how much later the modelled launch begins, on the axes of their traces

    const Block& block(std::uint32_t index) const { return recording->blocks[first + index]; }
    bool knows(std::uint32_t index) const; // when the block ran
    // At a time of the modelled trace; nothing where it is not known.
    std::optional<BlockState> state(std::uint32_t index, Time now) const;
    double meanResident(TimeRange span) const; // of the modelled trace's times

    std::uint32_t first = 0; // row of block 0 in the recording
};
using LaunchMapGhostPtr = std::shared_ptr<const LaunchMapGhost>;

// Null if there is no recording of this launch of the trace.
LaunchMapGhostPtr launchMapGhost(const TracePtr& modelled, std::uint32_t launch, const TracePtr& recording);

// Each over what the model has: tiles that only one of the two holds resident now; the GPU's curve, and what lies between
// the two; the GPU's blocks an SM.
void paintGhostTiles(QPainter& painter, const LaunchMapScene& scene);
void paintGhostCurve(QPainter& painter, const LaunchMapScene& scene, double top);
void paintGhostBalance(QPainter& painter, const LaunchMapScene& scene, double top);
// Blocks an SM of another run, whose launch begins so much earlier on its own axis.
void paintBalanceOf(QPainter& painter, const LaunchMapScene& scene, const LaunchMapModel& model, Time later, double top,
                    const QPen& pen);
QString ghostBlockText(const LaunchMapScene& scene, std::uint32_t index); // for a tool tip; empty if not known

} // namespace warpglass
