// SPDX-License-Identifier: GPL-3.0-or-later
// How long a launch takes, roughly, from what it has counted: no block of it runs in time. Its warp-instructions become
// issue slots and cycles of pipes by the timing model's own table (machine_code.h), a straight-line piece of code the
// cycles that a warp takes for it alone, its sectors bytes of each level of memory; the longest of these parts counts
// most. What counts do not tell, how often blocks ask for the same again, is seen in two blocks of some launches.
//
// It costs a walk over the kernel's counters. How far it is from the timing model: gpu/metrics/model_accuracy.h.
#pragma once

#include "gpu/device/device_timing.h"
#include "gpu/device/footprint.h"
#include "gpu/emulator/state/counters.h"
#include "gpu/emulator/watch/touch_sample.h"

#include <array>
#include <span>
#include <vector>

namespace warpglass::emulator {

// What depends on the kernel alone.
struct KernelCost {
    struct Of {                                                // a straight-line piece, each time that a warp runs it
        std::array<double, 3> alone{};                         // cycles, if memory answers from L1, L2, DRAM
        std::array<double, std::size_t(Pipe::Count_)> pipes{}; // cycles of a scheduler's
        double slots = 0, barriers = 0, shuffles = 0;
        double atOnce = 1; // loads that a warp waits for together
    };
    std::vector<Of> pieces;
    bool combined = false; // a warp's atomics of global memory become one
};
KernelCost costOf(const Program& program, const DeviceTiming& timing);

struct EstimateInput {
    const Program& program;
    const KernelCost& cost;
    const Counters& counters;
    std::span<const std::int64_t> steps; // [block]
    Footprint footprint;
    Reuse reuse;
    const DeviceSpec& device;
    double clockMHz; // of its SMs, in this launch
    const DeviceTiming& timing;
    double reached = 0; // bytes that the kernel may ask for; 0: not known
    double inL2 = 0;    // of these, the share that lies there
};

// Cycles, each as if it were the launch's only limit.
struct EstimateParts {
    double alone = 0, pipes = 0, unit = 0, port = 0, l2 = 0, dram = 0, atomics = 0, starts = 0;
    double together() const;
};
EstimateParts estimateParts(const EstimateInput& in);

} // namespace warpglass::emulator
