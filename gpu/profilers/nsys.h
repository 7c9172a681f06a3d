// SPDX-License-Identifier: GPL-3.0-or-later
// Nsight Systems' export (`nsys export --type sqlite`) as the recording of a program: launches, copies, fills, allocations,
// what waits for what, on its devices, streams and processes, with the times that it measured. Tables and columns by "SQLite
// Export Schema Reference" of the Nsight Systems documentation, 2021.5 to 2025; what a version does not have is left out.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/base/result.h"
#include "gpu/program/program.h"

#include <filesystem>

namespace warpglass::profilers {

// Error: the file cannot be read, is no such export, or has no work of a GPU in it.
Result<program::ProgramTrace> readNsys(const std::filesystem::path& path, const Progress* progress = nullptr);

} // namespace warpglass::profilers
