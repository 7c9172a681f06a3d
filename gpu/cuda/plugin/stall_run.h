// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cuda/plugin/clean_run.h"
#include "gpu/ptx/module.h"
#include "gpu/trace/trace.h"

namespace warpglass::cuda {

// Runs the clean kernel again under the PC sampler and puts what it saw into Trace::samples, each sample at a site of
// its PTX line (a new one where no event happens). Times: short kernels are launched several times, so that each
// instruction can be met. kernel: the launch of the plan, of which only shape, parameters and limits are used.
Result<void> addStallSamples(const Repeatable& kernel, const LaunchPlan& plan, const ptx::Module& clean,
                             const Cupti& cupti, Trace& trace);

} // namespace warpglass::cuda
