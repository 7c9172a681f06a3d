// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges inside a kernel that its author named and another profiler timed on a GPU, warp by warp: of Triton's Proton (its
// instrumentation backend's "chrome trace") and of IKET, NVIDIA's in-kernel event tracing for CuTe DSL (the "JSON Trace
// Shape" of its documentation).
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::profilers {

struct Scope {
    std::uint32_t name = 0; // row of ScopeTrace::names
    Dim3 block{0, 0, 0};    // blockIdx; of Proton its number in the grid, as x
    std::uint32_t warp = 0; // in its block
    // ns of the profiler's clock; equal: a marker, or a range shorter than a tick of that clock (IKET: 32 ns).
    std::int64_t begin = 0, end = 0;
};

// One launch.
struct ScopeTrace {
    std::string profiler; // "Proton", "IKET"
    std::string kernel;   // without parameters
    std::vector<std::string> names;
    std::vector<Scope> scopes; // in the file's order
    // Proton reads a clock of the SM, and every block's times begin with its first range; IKET's are of the whole GPU.
    bool clockOfBlock = false;
    std::int64_t begin = 0; // of all: the first that is known of any warp
};

// Those of a file's text, in its order; where Proton's file tells of several launches of one kernel it does not tell them
// apart, and they are one. Errors: neither of the two formats, nothing in it, more than 20 M ranges. file: for errors.
Result<std::vector<ScopeTrace>> readScopes(std::string_view text, const std::string& file);

} // namespace warpglass::profilers
