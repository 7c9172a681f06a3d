// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of Warpglass lie that a program starts or loads: beside it, as in a build folder, or in
// ../lib/warpglass, as where it is installed: bin/ then holds only what a person types.
#pragma once

#include <filesystem>

namespace warpglass {

// The part of this name: one that is there, else where it would lie beside the running program, to be named in a message.
std::filesystem::path companion(const std::filesystem::path& name);

// The same for a program in this folder.
std::filesystem::path companionOf(const std::filesystem::path& folder, const std::filesystem::path& name);

} // namespace warpglass
