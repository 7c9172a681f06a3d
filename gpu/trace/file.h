// SPDX-License-Identifier: GPL-3.0-or-later
// The .wgt file: one SQLite database (PRAGMA user_version = schema version, PRAGMA application_id = "WGT1"); small
// tables as rows, large ones packed in chunks, each chunk with its time range and its first and last warp, beside them
// the foot of the timeline's pyramid (pyramid.h). Opening takes the small tables, the warps and the pyramid; the rest
// stays packed until it is read. The packed bytes are in memory then, and their digest has been checked: what happens
// to the file later, and what happened to it before, can no longer surprise a reader.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/base/result.h"
#include "gpu/trace/trace.h"

#include <filesystem>

namespace warpglass {

// 1: without the table `timings` and the states' PTX lines. 2: with no pyramid, and with the sites and masks of events
// as columns; those two are unpacked as a whole. 4: without the table `asked`. 5: without `kept_areas` and `kept_words`.
// 6: without caller_line and turns of `counts`. 9: without `machine_codes`, `machine_bytes` and place of `async_copies`.
// 10: source and ptx are columns of `kernels`, and there is no ttgir and no `machine_counts`.
inline constexpr int traceFileVersion = 11;

// Writes through a temporary file in the same folder and renames it, so that an interrupted write leaves no half file.
Result<void> writeTrace(const Trace& trace, const std::filesystem::path& path, Progress& progress);

// Foreign, truncated, damaged or newer files give one sentence; the file is never touched.
//
// openTrace: large tables are unpacked when they are read. For whoever shows a part, or wants a picture soon.
// readTrace: everything, and every row of it is checked. For whoever reads all of it anyway.
Result<TracePtr> openTrace(const std::filesystem::path& path, Progress& progress);
Result<TracePtr> readTrace(const std::filesystem::path& path, Progress& progress);

} // namespace warpglass
