// SPDX-License-Identifier: GPL-3.0-or-later
// Where warps stand and why they wait, as hardware sees it: CUPTI's PC sampling over launches of the clean kernel.
//
// Samples name machine code: a function and an offset into it. To lead back to PTX the kernel is compiled once more,
// from a text whose line marks (.loc) point at the lines of the PTX itself instead of the CUDA source: marks change no
// machine code (line_marks.h), and the cubin's line table then says for each instruction which PTX line it came from.
#pragma once

#include "gpu/base/result.h"
#include "gpu/cuda/plugin/cupti_library.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpglass::cuda {

struct StallSample {
    std::string function;
    std::uint64_t pcOffset = 0; // bytes from the function's first instruction
    std::string stall;          // CUPTI's name of the stall reason
    std::uint64_t count = 0;
};

struct StallSamples {
    std::vector<StallSample> rows;
    std::uint64_t dropped = 0; // that the hardware could not store
    std::uint32_t periodCycles = 0;
};

// Samples every 2^periodLog2 cycles on each SM while launch() runs. No other profiling may be going on in the context.
Result<StallSamples> samplePcs(const Cupti& cupti, CUcontext context, std::uint32_t periodLog2,
                               const std::function<Result<void>()>& launch);

} // namespace warpglass::cuda
