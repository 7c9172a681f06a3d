// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/tables.h"

#include <filesystem>
#include <string>

namespace warpglass::session {

// CUDA source to PTX: by nvcc, looked for on PATH and below CUDA_HOME and CUDA_PATH and run as a process; without it by
// NVRTC, which takes device code only. Errors: no compiler found; the compiler's own message, its first error as the
// place.
Result<std::string> compileToPtx(const std::filesystem::path& source, CompileMode mode);

} // namespace warpglass::session
