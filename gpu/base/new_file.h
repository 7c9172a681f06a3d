// SPDX-License-Identifier: GPL-3.0-or-later
// A file that takes its name when it is whole. Until then it lies beside it under another name, so that whatever had the
// name before stays as it was if the writing fails, is cancelled or killed, or the disk is full.
#pragma once

#include "gpu/base/result.h"

#include <filesystem>
#include <fstream>

namespace warpglass {

class NewFile {
public:
    // A device or a pipe (/dev/stdout) is written to as it is.
    explicit NewFile(std::filesystem::path path);
    ~NewFile(); // without finish(): as if it had never been
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    std::ostream& stream() { return m_out; }
    Result<void> finish();

private:
    std::filesystem::path m_path, m_part; // m_part is empty once there is nothing to take away, and for devices
    std::ofstream m_out;
};

// Where a file of this name is written before it is whole: beside it, on the same disk; of the file that a link leads to.
std::filesystem::path partOf(const std::filesystem::path& path);

// Error: the output is the input, whatever both are called.
Result<void> differentFiles(const std::filesystem::path& input, const std::filesystem::path& output);

} // namespace warpglass
