// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/tables.h"

#include <filesystem>
#include <string>

namespace warpglass::session {

// CUDA source to PTX by nvcc, which is looked for on PATH and below CUDA_HOME and CUDA_PATH, and run as a process.
// Errors: no compiler found; the compiler's own message, its first error line as the place.
Result<std::string> compileToPtx(const std::filesystem::path& source, CompileMode mode);

} // namespace warpglass::session
