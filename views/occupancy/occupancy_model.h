// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/occupancy.h"
#include "gpu/trace/trace.h"
#include "views/common/options.h"

#include <vector>

namespace warpglass {

// What the view computes with: the open launch, overridden by options.
struct OccupancyQuestion {
    const CapabilityLimits* limits = nullptr; // never null
    OccupancyInput input;
    bool fromLaunch = false;         // nothing has been overridden
    bool registersEstimated = false; // from the PTX, and not overridden
};
OccupancyQuestion occupancyQuestion(const Trace* trace, std::uint32_t launch, const Options& options);
inline constexpr Setting<uint> threadsSetting{"threads"}, registersSetting{"registers"}, sharedSetting{"shared"};
extern const Setting<QString> capabilitySetting; // "8.6"; empty: of the launch
Choice<SharedLimit> sharedLimitChoice();

// A resource of the SM as a container: how much it holds, what a block takes, how much stays free.
struct Container {
    enum class Resource { Warps, Registers, Shared, Blocks, Barriers } resource = Resource::Warps;
    double capacity = 0, perBlock = 0; // in the resource's unit; perBlock 0 = not used
    std::uint32_t limit = unlimited;   // blocks that would fit if this were the only limit
    bool limits = false;               // it is (one of) what stops the next block
};
std::vector<Container> containers(const CapabilityLimits& limits, const OccupancyInput& input, const Occupancy& result);

enum class Axis { Threads, Registers, Shared };
struct CurvePoint {
    std::uint32_t x = 0;
    double percent = 0;
};
// Occupancy over one input, the others as they are. Threads in steps of a warp, registers one by one, shared memory a
// KB.
std::vector<CurvePoint> occupancyCurve(const CapabilityLimits& limits, OccupancyInput input, Axis axis);
std::uint32_t valueOf(const OccupancyInput& input, Axis axis);

// The sum a textbook makes: warps each limit allows by plain division, without allocation units. The calculation of one
// of the documents (D3, section 5) for comparison with what the hardware allocates.
struct NaiveOccupancy {
    std::uint32_t warps = 0;
    double percent = 0;
    std::uint32_t byRegisters = 0, byShared = 0, byThreads = 0, byBlocks = 0;
};
NaiveOccupancy naiveOccupancy(const CapabilityLimits& limits, const OccupancyInput& input);

} // namespace warpglass
