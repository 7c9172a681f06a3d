// SPDX-License-Identifier: GPL-3.0-or-later
// What the view shows, read out of a PaintContext: page, cursor, visible cycles, warp. And how input changes them.
#pragma once

#include "views/common/view.h"
#include "views/scheduler/scheduler_layout.h"
#include "views/scheduler/scheduler_paint.h"

namespace warpglass {

enum class SchedulerPage { Cycles, Policies, Example, Little };
SchedulerPage schedulerPage(const PaintContext& context);

// The traces of the policies page: the open one and its companions that have states, in the order lrr, gto, gty, then
// others; a companion of the open trace's own policy and kernel is left out. In compare mode the other trace joins
// them.
std::vector<TracePtr> policyTraces(const PaintContext& context);

// The cycles of a page: of the open trace, whose cursor and visible range are the shared selection's, or of the
// example, which has its own.
struct CycleAxis {
    const SchedulerModel* model = nullptr; // the first, or only, one
    TimeRange bounds;                      // cycles
    bool shared = true;

    std::int64_t cursor(const PaintContext& context) const;
    CycleRange window(const PaintContext& context, double pixels) const; // pixels of the rows
    std::uint32_t warp(const PaintContext& context) const;               // row of the warp table; noIndex = none
    void setCursor(PaintContext& context, std::int64_t cycle) const;
    void setWindow(PaintContext& context, CycleRange window) const;
    void setWarp(PaintContext& context, std::uint32_t warp) const;
    // Turns the page, or moves the chosen range, so that the cursor is in sight.
    void bringIntoSight(PaintContext& context, double pixels) const;
};

LittleFigures littleOf(const PaintContext& context); // as the sliders have them
void setLittle(PaintContext& context, int slider, double value);
void resetLittle(PaintContext& context);

} // namespace warpglass
