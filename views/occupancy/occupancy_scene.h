// SPDX-License-Identifier: GPL-3.0-or-later
// What the view shows, worked out and laid out: three gauges, a container a resource, what they mean, a curve an input.
#pragma once

#include "gpu/trace/trace.h"
#include "views/common/theme.h"
#include "views/occupancy/occupancy_model.h"

#include <QPainter>
#include <QRectF>

#include <array>
#include <memory>

namespace warpglass {

// The inputs that have a curve, and the option that each sets.
struct OccupancyAxis {
    Axis axis;
    Setting<uint> option;
    std::uint32_t step; // of an arrow key
};
inline constexpr std::array<OccupancyAxis, 3> occupancyAxes{
    {{Axis::Threads, threadsSetting, 32}, {Axis::Registers, registersSetting, 1}, {Axis::Shared, sharedSetting, 1024}}};

// In a narrow area the gauges share the width, what the containers mean stands below them, and the curve over time goes
// first where there is no room: its number stays. In a low one the curves stand aside, then the rest; empty rectangles
// are not shown.
struct OccupancyLayout {
    bool narrow = false;
    std::array<QRectF, 2> gauge; // theoretical, achieved
    QRectF title, residency, residencyPlot, containers, explanation, curves;
    std::array<QRectF, occupancyAxes.size()> curve, plot;
};
OccupancyLayout occupancyLayout(const QRectF& area, const Theme& theme);

// What a launch reached: read from its whole trace, once.
struct Achieved {
    TracePtr trace; // null: none is open
    std::uint32_t launch = 0;
    std::optional<double> percent;
    Origin origin = Origin::Counted;
    std::vector<double> resident; // share of all warp slots, in equal parts of the time
};
using AchievedPtr = std::shared_ptr<const Achieved>;
AchievedPtr achievedBy(const TracePtr& trace, std::uint32_t launch, int columns);

struct OccupancyScene {
    OccupancyLayout layout;
    Theme theme;
    QString what; // the kernel; empty: not as it was launched
    OccupancyQuestion question;
    Occupancy result;
    std::vector<Container> containers;
    std::array<std::vector<CurvePoint>, occupancyAxes.size()> curves;
    AchievedPtr achieved;
    std::optional<double> pinnedTheoretical, pinnedAchieved; // percent, of the run that is pinned
    AchievedPtr ghost; // what a GPU reached in the launch that is modelled; null: not known

    // The value of an input under a point of its plot, on the grid the hardware (or a person) thinks in.
    std::uint32_t valueAt(std::size_t axis, double x) const;
};

void paintOccupancy(QPainter& painter, const OccupancyScene& scene);
QString occupancyAxisTitle(Axis axis, const OccupancyInput& input, bool registersEstimated); // "threads a block: 256"

} // namespace warpglass
