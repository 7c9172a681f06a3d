// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/new_file.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace warpglass {

namespace fs = std::filesystem;

namespace {

fs::path behindLinks(const fs::path& path) {
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(path, failed);
    return failed || real.empty() ? path : real;
}

Error cannotWrite(const fs::path& path, const std::string& why) {
    return {fmt::format("the file cannot be written{}", why.empty() ? "" : " (" + why + ")"), path.string(), 0, 0,
            "Check that the folder exists, may be written to and has room."};
}

} // namespace

fs::path partOf(const fs::path& path) {
    fs::path part = behindLinks(path);
    part.replace_filename(fmt::format(".{}.{}.part", part.filename().string(), getpid()));
    return part;
}

NewFile::NewFile(fs::path path) : m_path(std::move(path)) {
    std::error_code failed;
    const fs::file_status status = fs::status(m_path, failed);
    const bool isDevice = fs::exists(status) && !fs::is_regular_file(status);
    if (!isDevice)
        m_part = partOf(m_path);
    errno = 0;
    m_out.open(isDevice ? m_path : m_part, std::ios::binary | std::ios::trunc);
}

NewFile::~NewFile() {
    std::error_code ignored;
    m_out.close();
    if (!m_part.empty())
        fs::remove(m_part, ignored);
}

Result<void> NewFile::finish() {
    const bool opened = m_out.is_open();
    if (opened)
        m_out.close();
    if (!opened || !m_out)
        return cannotWrite(m_path, errno ? std::strerror(errno) : "");
    if (m_part.empty())
        return {};
    std::error_code failed;
    fs::rename(m_part, behindLinks(m_path), failed);
    if (failed)
        return cannotWrite(m_path, failed.message());
    m_part.clear();
    return {};
}

Result<void> differentFiles(const fs::path& input, const fs::path& output) {
    std::error_code failed;
    if (!output.empty() && fs::equivalent(input, output, failed) && !failed && fs::is_regular_file(input, failed))
        return Error{"the file to write is the one that is read", output.string(), 0, 0,
                     "Give another name for what is written."};
    return {};
}

} // namespace warpglass
