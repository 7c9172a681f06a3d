// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace warpglass {

inline constexpr std::uint64_t mostTextBytes = 64 << 20; // of a source, of PTX, of a table: what people write is less

// Error: a folder, or what may let its reader wait for ever or has no end: a pipe, a socket, a device. What is not there is
// left to whoever opens it. To be asked before an input file is opened.
Result<void> mayBeRead(const std::filesystem::path& path);

// The whole file; an Error for what may not be read and for more bytes than that.
Result<std::string> readFile(const std::filesystem::path& path, std::uint64_t most = mostTextBytes);

} // namespace warpglass
