// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/child_process.h"
#include "gpu/base/result.h"
#include "gpu/trace/tables.h"

#include <filesystem>
#include <string>
#include <vector>

namespace warpglass::session {

// How a .cu file is compiled; names as nvcc's own options.
struct CompileOptions {
    CompileMode mode = CompileMode::Optimised;
    std::vector<std::string> includes; // -I: folders
    std::vector<std::string> defines;  // -D: NAME or NAME=VALUE
    std::string arch;                  // -arch: "sm_90", "compute_90a", "90"; empty: that of the device asked for
    std::vector<std::string> nvcc;     // further options, as nvcc takes them
    std::string instance;              // a kernel template's instance to be made: "scale<float, 128>"; may be empty
    ChildLimits limits;                // of nvcc
    bool closed = false; // a stranger's text: the compiler may read its own files and the toolkit's, and no other
};

// CUDA source to PTX: by nvcc, looked for on PATH and below CUDA_HOME and CUDA_PATH and run as a process; without it by
// NVRTC, which takes device code only. deviceArch: what is compiled for if the options name nothing ("compute_90").
// nvcc hands names to a shell, so it sees a copy under a plain name in a private folder, with #line for the user's
// name; include folders are links in that folder, and definitions stand above the source. Memory and time of the
// compiler are bounded. Errors: no compiler found; the compiler's errors with their lines, the first as the place.
Result<std::string> compileToPtx(const std::filesystem::path& source, const std::string& text,
                                 const CompileOptions& options, const std::string& deviceArch);

} // namespace warpglass::session
