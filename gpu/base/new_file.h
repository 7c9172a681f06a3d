// SPDX-License-Identifier: GPL-3.0-or-later
// A file that takes its name when it is whole. Until then it lies beside it under another name, so that whatever had the
// name before stays as it was if the writing fails, is cancelled or killed, or the disk is full.
#pragma once

#include "gpu/base/part.h"
#include "gpu/base/result.h"

#include <filesystem>
#include <fstream>
#include <optional>

namespace warpglass {

class NewFile {
public:
    // A device or a pipe (/dev/stdout) is written to as it is.
    explicit NewFile(std::filesystem::path path);

    std::ostream& stream() { return m_out; }
    Result<void> finish(); // never called: as if it had never been

private:
    std::filesystem::path m_path;
    std::optional<Part> m_part; // none for devices
    std::ofstream m_out;
};

// Error: the output is the input, whatever both are called.
Result<void> differentFiles(const std::filesystem::path& input, const std::filesystem::path& output);

} // namespace warpglass
