// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace warpglass {

inline constexpr std::uint64_t mostTextBytes = 64 << 20; // of a source, of PTX, of a table: what people write is less

// The whole file; an Error for a folder and for more bytes than that: /dev/zero has no end.
Result<std::string> readFile(const std::filesystem::path& path, std::uint64_t most = mostTextBytes);

} // namespace warpglass
