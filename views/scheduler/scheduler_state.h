// SPDX-License-Identifier: GPL-3.0-or-later
// What the view shows, read out of its options and the shared selection: page, cursor, visible cycles, warp, sliders.
// And how input changes them: a Change (views/common/picture.h) is the state that is read, and the state that is made.
#pragma once

#include "gpu/device/policy.h"
#include "views/common/picture.h"
#include "views/scheduler/scheduler_layout.h"
#include "views/scheduler/scheduler_paint.h"

namespace warpglass {

enum class SchedulerPage { Cycles, Policies, Example, Little };
Choice<SchedulerPage> pageChoice();
Choice<SchedulingPolicy> ruleChoice();     // of the example
const Setting<qlonglong>& exampleCursor(); // the cycle that is shown of it
Switch figuresSwitch();                    // of Little's law

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

    std::int64_t now(const Change& state) const;    // what every clock shows; may be before the bounds, or after them
    std::int64_t cursor(const Change& state) const; // the cycle nearest to it
    CycleRange window(const Change& state, double pixels) const; // pixels of the rows
    std::uint32_t warp(const Change& state) const;               // row of the warp table; noIndex = none
    void setCursor(Change& state, std::int64_t cycle) const;
    void setWindow(Change& state, CycleRange window) const;
    void setWarp(Change& state, std::uint32_t warp) const;
    // Turns the page, or moves the chosen range, so that the cursor is in sight.
    void bringIntoSight(Change& state, double pixels) const;
};

LittleFigures littleOf(const Options& options); // as the sliders have them
void setLittle(Options& options, int slider, double value);
void resetLittle(Options& options);
int sliderOf(const Options& options); // the one that the keys move
void setSlider(Options& options, int slider);

} // namespace warpglass
