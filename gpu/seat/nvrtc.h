// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code that the program has NVRTC make: the PTX of it is asked of NVRTC, too, while it has the program's text.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace warpglass::seat {

using Lookup = void* (*)(void* library, const char* name);

// What stands for a function of NVRTC's that the program looks up in a library by dlsym; nullptr: the library's own.
void* insteadOfNvrtc(void* library, const char* name, Lookup lookup);
// The PTX of these bytes, if NVRTC has made them.
std::optional<std::string> ptxOfNvrtc(std::span<const std::byte> machineCode);

} // namespace warpglass::seat
