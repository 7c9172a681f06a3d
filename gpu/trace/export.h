// SPDX-License-Identifier: GPL-3.0-or-later
// A Trace for other programs: CSV for spreadsheets and statistics, JSON for scripts, Perfetto for its timeline.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/base/result.h"
#include "gpu/trace/trace.h"

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

// The tables that can be exported, in the order of the file: "trace", "kernels", ..., "access_values".
std::vector<std::string> exportTables();

// One table. The first line names the columns; a column with a unit carries it in brackets, and a moment carries where
// it comes from too: "start [ns, measured]". Masks are eight hexadecimal digits, enumerations words. Events carry their
// row and their warp, warps, blocks, launches and the other rows their number, so that tables can be joined. Fields are
// quoted as RFC 4180 says. False if there is no table of that name.
bool writeCsv(const Trace& trace, std::string_view table, std::ostream& out);

// A folder with one CSV file a table that has rows; made if it does not exist.
Result<void> exportCsv(const Trace& trace, const std::filesystem::path& folder, Progress& progress);

// One object: {"units": {"time": ..., "time_origin": ...}, TABLE: [{COLUMN: value, ...}, ...], ...}.
Result<void> exportJson(const Trace& trace, const std::filesystem::path& file, Progress& progress);

// A Perfetto trace (protobuf), for the public viewer. A process "Launches" with a track a depth (and one for launches
// that were dropped, as instants), and a process for each SM with a thread for each warp slot: a slice a warp, named by
// its block, the time between two of its events as slices inside it, masks, line and instruction as their arguments.
// With the timing model a second track a slot holds the states, one slice each. Warps of one slot that overlap get
// further tracks, so no two slices of a track cross. Counter tracks: resident blocks of each SM, and every counter of
// the trace. The names of the processes say what a nanosecond of the viewer stands for: a step where the trace has no
// time, a thousandth of a nanosecond where it has states.
Result<void> exportPerfetto(const Trace& trace, const std::filesystem::path& file, Progress& progress);

} // namespace warpglass
