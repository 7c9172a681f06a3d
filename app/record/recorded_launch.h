// SPDX-License-Identifier: GPL-3.0-or-later
// A launch named by the recording that holds it.
#pragma once

#include "gpu/base/result.h"
#include "gpu/program/program.h"
#include "gpu/trace/trace.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace warpglass::record {

// The file of a program's recording that is named by its folder or by itself.
std::filesystem::path programFileOf(const std::string& path);
// Whether the word is a recording's name: a .wgt file, or the folder of a program's.
bool isRecording(const std::string& path);

// launch: of a program's recording, counted from 0 over the program; nothing: its only one. Error: the file cannot be
// read, or no launch of that number was recorded in detail; the remedy says which were.
Result<TracePtr> openLaunch(const std::string& path, std::optional<std::uint64_t> launch);

// What a message of a program says. A line of a terminal has room for twice what a list has.
std::string textOf(const program::ProgramMessage& message);

} // namespace warpglass::record
