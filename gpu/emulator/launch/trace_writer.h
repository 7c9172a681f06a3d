// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a Trace together from what the launches of a run left behind.
#pragma once

#include "gpu/device/device.h"
#include "gpu/emulator/launch/launch_tree.h"
#include "gpu/launch/backend.h"

namespace warpglass::emulator {

struct TraceInput {
    const LaunchPlan* plan = nullptr;
    const RunOptions* options = nullptr;
    const DeviceSpec* device = nullptr;
    const ptx::Module* module = nullptr;
    std::vector<const Program*> programs; // one a kernel row
    std::vector<LaunchRecord>* launches = nullptr;
    double clockMHz = 0; // of the SMs
};

Trace writeTrace(const TraceInput& input);

} // namespace warpglass::emulator
