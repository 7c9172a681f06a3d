// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code of a recording's kernels: what the recording keeps, what was made of our own kernels, or what ptxas makes
// of the recording's PTX. All of it is read and shown, and nothing executes it.
#pragma once

#include "gpu/base/result.h"
#include "gpu/launch/plan.h"
#include "gpu/trace/trace.h"

namespace warpglass::session {

// What is there of a run that has just been made, without asking a compiler: of our own kernels on compute capability 9.0,
// and where ptxas has been asked for the registers. Empty: nothing.
MachineCodes codeOfRun(const Trace& trace, const LaunchPlan& plan);

// Of a kernel of the recording, the first of these that there is. Error, in a sentence for whoever looks for it: there is no
// ptxas, or it does not make any.
Result<MachineCodes> codeOf(const Trace& trace, std::uint32_t kernel);

} // namespace warpglass::session
