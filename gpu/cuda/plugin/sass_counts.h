// SPDX-License-Identifier: GPL-3.0-or-later
// How often each instruction of the machine code was executed: CUPTI's SASS metrics, which patch the code of the launches that
// they count (NVIDIA, CUPTI documentation, "CUPTI SASS Metrics API").
#pragma once

#include "gpu/base/result.h"
#include "gpu/cuda/plugin/cupti_library.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpglass::cuda {

struct ExecutedInstruction {
    std::string function;
    std::uint64_t pcOffset = 0; // bytes from the function's first instruction
    std::uint64_t warps = 0;    // that executed it
    std::uint64_t lanes = 0;    // of all of them together, those whose predicate held
};

// Of all that launch() launches in the context, of the device with that number. No other profiling may be going on there.
Result<std::vector<ExecutedInstruction>> countInstructions(const Cupti& cupti, CUcontext context, int device,
                                                           const std::function<Result<void>()>& launch);

} // namespace warpglass::cuda
