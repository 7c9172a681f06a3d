// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of other profilers as recordings: Nsight Systems' .sqlite exports, Nsight Compute's .csv pages, and its .ncu-rep by
// the user's own ncu, of which nothing is shipped.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/profilers/report.h"

#include <filesystem>
#include <vector>

namespace warpglass::session {

// By its name's end; a .csv by its beginning, too, since tables of sweeps are such files.
bool isReport(const std::filesystem::path& path);

// Pages of one report may lie in several files. Errors: those of gpu/profilers; ncu is not there, or fails.
Result<profilers::Report> readReport(const std::vector<std::filesystem::path>& files,
                                     const Progress* progress = nullptr);

// Writes it as a program's recording, launches inside.
Result<void> writeReport(profilers::Report& report, const std::filesystem::path& output);

// Where ncu lies on PATH, or as WARPGLASS_NCU says; empty: nowhere.
std::string findNcu();

} // namespace warpglass::session
