// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/new_file.h"

#include "gpu/base/messages/files.h"
#include "gpu/base/messages/launch.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace warpglass {

namespace fs = std::filesystem;

namespace {

Error cannotWrite(const fs::path& path, const std::string& why) {
    return {say::FileNotWritten(why.empty() ? "" : " (" + why + ")"), path.string(), 0, 0, say::CheckFolder};
}

} // namespace

NewFile::NewFile(fs::path path) : m_path(std::move(path)) {
    std::error_code failed;
    const fs::file_status status = fs::status(m_path, failed);
    const bool isDevice = fs::exists(status) && !fs::is_regular_file(status);
    if (!isDevice && m_part.emplace(m_path).problem())
        return;
    errno = 0;
    m_out.open(isDevice ? m_path : m_part->path(), std::ios::binary | std::ios::trunc);
}

Result<void> NewFile::finish() {
    if (m_part && m_part->problem())
        return cannotWrite(m_path, m_part->problem().message());
    const bool opened = m_out.is_open();
    if (opened)
        m_out.close();
    if (!opened || !m_out)
        return cannotWrite(m_path, errno ? std::strerror(errno) : "");
    if (const std::error_code failed = m_part ? m_part->finish() : std::error_code())
        return cannotWrite(m_path, failed.message());
    return {};
}

Result<void> differentFiles(const fs::path& input, const fs::path& output) {
    std::error_code failed;
    if (!output.empty() && fs::equivalent(input, output, failed) && !failed && fs::is_regular_file(input, failed))
        return Error{say::FileIsRead, output.string(), 0, 0, say::AnotherName};
    return {};
}

} // namespace warpglass
