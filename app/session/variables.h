// SPDX-License-Identifier: GPL-3.0-or-later
// __device__ and __constant__ variables of the module that a launch is of, by their names in the source or in the PTX.
#pragma once

#include "gpu/launch/arguments.h"
#include "gpu/launch/plan.h"
#include "gpu/ptx/module.h"

#include <span>
#include <string>
#include <vector>

namespace warpglass::session {

// --global NAME=VALUES or NAME:TYPE[COUNT]=INITIAL.
Result<GlobalPatch> parseGlobal(const ptx::Module& module, const std::string& spec);

// Has the plan give back the variables that dumps name beside its buffers. The answer names what stands in
// Recording::buffers, for dump(). Error: neither a buffer nor a variable has such a name.
Result<std::vector<Argument>> addDumps(LaunchPlan& plan, std::span<const DumpRequest> dumps);

} // namespace warpglass::session
