// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a Trace together from what the launches of a run left behind.
#pragma once

#include "gpu/device/device.h"
#include "gpu/emulator/run/grid.h"
#include "gpu/launch/backend.h"

namespace warpglass::emulator {

struct LaunchRecord {
    const Program* program = nullptr; // nullptr for a dropped launch of an unknown kernel
    std::uint32_t kernel = 0;         // row
    Dim3 grid, block;
    std::uint32_t dynamicShared = 0;
    std::uint32_t depth = 0;
    ChildLaunch origin; // who launched it; parentLaunch = noIndex for the host's
    bool ran = false;
    std::string reason; // why not
    std::vector<std::uint64_t> chosen;
    GridResult result;
};

struct TraceInput {
    const LaunchPlan* plan = nullptr;
    const RunOptions* options = nullptr;
    const DeviceSpec* device = nullptr;
    const ptx::Module* module = nullptr;
    std::vector<const Program*> programs; // one a kernel row
    std::vector<LaunchRecord>* launches = nullptr;
};

Trace writeTrace(const TraceInput& input);

} // namespace warpglass::emulator
