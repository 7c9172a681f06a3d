// SPDX-License-Identifier: GPL-3.0-or-later
// A launch named by the recording that holds it.
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/trace.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpglass::session {

// The file of a program's recording that is named by its folder or by itself.
std::filesystem::path programFileOf(const std::string& path);
// Whether the word is a recording's name: a .wgt file, or the folder of a program's.
bool isRecording(const std::string& path);

// A kernel's name without the arguments of its template, which every tool writes in its own way.
std::string_view baseOf(std::string_view kernel);

// launch: of a program's recording, counted from 0 over the program; nothing: its only one, or the first that is of the
// kernel and shape of another trace. Error: the file cannot be read, or no launch of that number was recorded in detail; the
// remedy says which were.
Result<TracePtr> openLaunch(const std::string& path, std::optional<std::uint64_t> launch, const Trace* like = nullptr);

} // namespace warpglass::session
