// SPDX-License-Identifier: GPL-3.0-or-later
// The .wgt file: one SQLite database (PRAGMA user_version = schema version, PRAGMA application_id = "WGT1"); small
// tables as rows, event columns delta-coded and zstd-compressed in chunks of about 64 Ki events, each chunk with its
// time range and its first and last warp. A reader that shows a part reads a part.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/base/result.h"
#include "gpu/trace/lod.h"
#include "gpu/trace/trace.h"

#include <filesystem>

namespace warpglass {

inline constexpr int traceFileVersion = 2; // 1: without the table `timings` and the states' PTX lines

// Writes through a temporary file in the same folder and renames it, so that an interrupted write leaves no half file.
Result<void> writeTrace(const Trace& trace, const std::filesystem::path& path, Progress& progress);

// Reads everything. Foreign, truncated, damaged or newer files give one sentence; the file is never touched.
Result<TracePtr> readTrace(const std::filesystem::path& path, Progress& progress);

// Reads only the level-of-detail tables: enough for a first picture of a timeline, at a few percent of the cost.
Result<Lod> readLod(const std::filesystem::path& path, Progress& progress);

} // namespace warpglass
