// SPDX-License-Identifier: GPL-3.0-or-later
// The traces of recorded launches within a program's file, packed. Kernels of one module have the same texts; so a trace
// is packed behind another one with them, and holds no more than what it has of its own: 300 kernels of one file have its
// source and PTX once.
#pragma once

#include "gpu/program/program.h"
#include "gpu/trace/database.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace warpglass::program {

// base: the recording whose trace this one is packed behind, which is packed alone; noIndex: this one is, too.
inline constexpr const char* tracesSchema =
    "CREATE TABLE traces (recording INTEGER PRIMARY KEY, base INTEGER, data BLOB)";
// Up to format 5: each as it is.
inline constexpr const char* plainTracesSchema = "CREATE TABLE traces (recording INTEGER PRIMARY KEY, data BLOB)";

// Those of the program's recordings, whose files lie in the folder.
Result<void> writeTraces(Database& database, const ProgramTrace& program, const std::filesystem::path& folder);

// The bytes of a recording's .wgt file; empty: it is not there, or damaged.
Result<std::vector<std::byte>> readTrace(Database& database, std::uint32_t recording, int version);

} // namespace warpglass::program
