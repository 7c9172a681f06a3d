// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/device/device.h"
#include "gpu/launch/plan.h"
#include "gpu/ptx/module.h"

namespace warpglass {

// Whether the device could launch this plan at all. A refusal names the limit, the number that broke it and what would
// pass; a program that only looks at elapsed time would take the failed launch for a very fast one. staticSharedBytes
// is the kernel's own static shared memory, where the caller knows it.
//
// Limits: CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability". Dynamic shared memory
// may go up to the opt-in size: backends opt in when a plan needs it.
Result<void> validate(const LaunchPlan& plan, const DeviceSpec& device, std::uint32_t staticSharedBytes = 0);

// Whether the kernel may be launched like this by what it says of itself with __launch_bounds__, __block_size__ and
// __cluster_dims__ (.maxntid, .reqntid, .reqnctapercluster). file: where the kernel is, for the refusal.
// wanted: blocks of a cluster, where the kernel names none.
Result<void> validate(const ptx::Function& entry, Dim3 grid, Dim3 block, const std::string& file,
                      const std::optional<Dim3>& wanted = std::nullopt);
inline constexpr std::uint64_t mostParameterBytes = 32764; // of a kernel: with any compiler and device
// Whether the module's variables fit into a GPU's constant and shared memory, and the parameters and results of its
// functions and calls into what a call can hand over: sizes that no compiler accepts would else be allocated here.
Result<void> validateVariables(const ptx::Module& module);
// Whether the local variables of one call of a function fit into a thread's memory. Compilers take such kernels: the
// others of their module can be launched. file: where the function is.
Result<void> validateLocals(const ptx::Function& function, const std::string& file);
// Whether the launch fits into the device's memory and into this machine's: what its buffers and the module's variables
// hold, and what is noted of each of its blocks.
Result<void> validateMemory(const ptx::Module& module, const LaunchPlan& plan, const DeviceSpec& device);
// Whether a kernel may launch this on the device; else why not. sharedBytes: static and dynamic.
Result<void> validateChild(Dim3 grid, Dim3 block, std::uint64_t sharedBytes, const DeviceSpec& device);
Dim3 clusterOf(const ptx::Function& entry,
               const std::optional<Dim3>& wanted = std::nullopt); // blocks of one of its clusters

} // namespace warpglass
