// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace warpglass::tests {

// Where the build has put what the models of tests/ptx make (tests/ptx/models).
inline constexpr const char* madePtx = WARPGLASS_BINARY_DIR "/tests/ptx/made";

// A file of tests/ptx by its name without the ending, kept or made.
inline std::filesystem::path ptxFile(const std::string& name) {
    const std::filesystem::path kept = WARPGLASS_SOURCE_DIR "/tests/ptx/" + name + ".ptx";
    return std::filesystem::exists(kept) ? kept : std::filesystem::path(madePtx) / (name + ".ptx");
}

} // namespace warpglass::tests
