// SPDX-License-Identifier: GPL-3.0-or-later
// The pinned run's blocks behind those that are shown: how many were resident when, how many each SM had, and in how
// many waves. Both launches begin at the same moment of the picture.
#pragma once

#include "views/common/picture.h"
#include "views/launchmap/launchmap_model.h"

#include <memory>

namespace warpglass {

struct LaunchMapScene;

struct LaunchMapPinned {
    TracePtr trace;
    LaunchMapModelPtr model;
    Time later; // how much later the launch that is shown begins, on the axes of their traces
};
using LaunchMapPinnedPtr = std::shared_ptr<const LaunchMapPinned>;

// Null if nothing is pinned, it has no such launch, or one of the two counts steps and the other has a clock. before: of
// an earlier picture, which serves again if it is of the same launch.
LaunchMapPinnedPtr launchMapPinned(const PaintContext& context, const LaunchMapModel& shown,
                                   const LaunchMapPinnedPtr& before);

// As dashed lines over what is shown. top: what the height stands for.
void paintPinnedCurve(QPainter& painter, const LaunchMapScene& scene, double top);
void paintPinnedBalance(QPainter& painter, const LaunchMapScene& scene, double top);
QString pinnedWavesText(const LaunchMapScene& scene);        // "A: 2 full waves, ..."; empty: nothing is pinned
QString pinnedAtText(const LaunchMapScene& scene, Time now); // for a tool tip; empty: nothing is pinned

} // namespace warpglass
