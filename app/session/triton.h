// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of a Python file that are written in Triton: compiled by the user's own Triton, which needs no GPU, and run as
// the PTX that it makes.
#pragma once

#include "app/session/kernel_file.h"

namespace warpglass::session {

bool isTritonFile(const std::string& kernel); // a path that ends in .py

// Its kernels, by its text alone: Python is needed, Triton is not.
Result<KernelFile> kernelsOfTriton(const RunRequest& request);

// The request for a .py as one for the .ptx that Triton makes of its kernel, with the Python as its source. Arguments are
// named as the function's parameters, in any order; definitions (-D) are constexpr parameters, and num_warps, num_stages,
// num_ctas, maxnreg. Block and shared memory are Triton's unless they are given; what it adds to the parameters is null.
// Of the file, imports and definitions are run. Errors: no Python or no Triton (WARPGLASS_PYTHON names another one), and
// what either says of the file.
Result<RunRequest> compiledByTriton(RunRequest request);
// Of such a request the TTGIR, in which Triton says how its tensors lie (gpu/ttgir).
Result<std::string> ttgirByTriton(const RunRequest& request);

} // namespace warpglass::session
