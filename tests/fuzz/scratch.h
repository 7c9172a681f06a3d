// SPDX-License-Identifier: GPL-3.0-or-later
// Where a target puts its files, and where it finds those it begins with.
#pragma once

#include <filesystem>
#include <string>

namespace warpglass::fuzz {

// A folder of this process, in memory where there is such a place; it goes away with the process.
const std::filesystem::path& scratchFolder();
// tests/fuzz of the sources, or where WARPGLASS_FUZZ_FILES says that a copy of its `bases` lies.
std::filesystem::path filesToBeginWith();
std::string contentsOf(const std::filesystem::path& path);

} // namespace warpglass::fuzz
