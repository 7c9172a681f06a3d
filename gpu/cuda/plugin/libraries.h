// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA's libraries that may or may not be there: where they are looked for, and how they are opened.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpglass::cuda {

// Looks beside the program or plug-in that this is part of, in the toolkit it was built with, and in the usual toolkit folders.
std::optional<std::string> findLibrary(const std::string& fileName);

// The first of the names that can be opened, from those folders or by the system's own search; nullptr if none. Never
// closed.
void* openLibrary(const std::vector<std::string>& names);

} // namespace warpglass::cuda
