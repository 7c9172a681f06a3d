// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/tables.h"

#include <string>
#include <vector>

namespace warpglass::cuda {

// CUDA source -> PTX. arch: "compute_90"; empty: 7.5, which every driver of today compiles further for its own GPU.
Result<std::string> nvrtcCompile(const std::string& source, const std::string& name, CompileMode mode,
                                 const std::string& arch, const std::vector<std::string>& further);

} // namespace warpglass::cuda
