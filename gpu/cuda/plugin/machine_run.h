// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cuda/plugin/clean_run.h"
#include "gpu/ptx/module.h"
#include "gpu/trace/trace.h"

namespace warpglass::cuda {

// Runs the clean kernel again, and puts what was seen of its machine code into the trace, each row at a site of its PTX line (a
// new one where no event happens): under the PC sampler into Trace::samples, as often as it takes to meet each instruction of a
// short kernel; then once, with its instructions counted, into Trace::machineCounts. Where that is not to be had a note says
// why; of a launch that does not end so, kernel.hung() is told, as by once(). kernel: the launch of the plan, of which only shape, parameters and limits are used, on the device with that number.
void addMachineFacts(const Repeatable& kernel, const LaunchPlan& plan, const ptx::Module& clean, const Cupti& cupti,
                     int device, Trace& trace);

} // namespace warpglass::cuda
