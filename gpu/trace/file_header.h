// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"

#include <filesystem>

namespace warpglass {

// Looks at the first 100 bytes of a file, before SQLite does: is it one of ours, of a version we read, and all there?
// The error names the offset.
Result<void> checkFileHeader(const std::filesystem::path& path);

} // namespace warpglass
