// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/tables.h"

#include <string>

namespace warpglass::cuda {

// CUDA source -> PTX for compute capability 7.5, which every driver of today compiles further for its own GPU.
Result<std::string> nvrtcCompile(const std::string& source, const std::string& name, CompileMode mode);

} // namespace warpglass::cuda
