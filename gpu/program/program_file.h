// SPDX-License-Identifier: GPL-3.0-or-later
// The file of a program: an SQLite database like a trace's own (PRAGMA application_id = "WGP1"), its small tables as
// rows of JSON text, its operations and their arguments as columns in packed chunks. Traces of recorded launches are
// files beside it, or rows of the table `traces`.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/base/result.h"
#include "gpu/program/program.h"

#include <filesystem>

namespace warpglass::program {

inline constexpr int programFileVersion = 7; // 5: traces that lie inside are as they are

// inside: recordings whose file lies in this folder are taken into the program's file; empty: they stay where they are.
// Writes through a temporary file, as a trace is written.
Result<void> writeProgram(const ProgramTrace& program, const std::filesystem::path& path,
                          const std::filesystem::path& inside = {});

// Foreign, damaged or newer files give one sentence.
Result<ProgramTrace> readProgram(const std::filesystem::path& path);

// Whether a file says that it is one; false if it cannot be read.
bool isProgramFile(const std::filesystem::path& path);

// Where the trace of a recorded launch lies: beside the program's file, or, if it is inside, written to the folder.
Result<std::filesystem::path> recordingFile(const std::filesystem::path& path, const ProgramTrace& program,
                                            std::uint32_t recording, const std::filesystem::path& folder);

} // namespace warpglass::program
