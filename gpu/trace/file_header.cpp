// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/file_header.h"

#include "gpu/base/messages/files.h"
#include "gpu/trace/file.h"
#include "gpu/trace/file_layout.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace warpglass {

namespace {

constexpr char magic[] = "SQLite format 3"; // with its closing zero, 16 bytes

std::uint32_t bigEndian(const unsigned char* at, int bytes) {
    std::uint32_t n = 0;
    for (int i = 0; i < bytes; ++i)
        n = n << 8 | at[i];
    return n;
}

} // namespace

Result<void> checkFileHeader(const std::filesystem::path& path) {
    const std::string file = path.string();
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (status.type() == std::filesystem::file_type::not_found)
        return Error{say::NoSuchFile, file};
    if (std::filesystem::is_directory(status))
        return Error{say::FolderNoRecording, file};
    if (!std::filesystem::is_regular_file(status))
        return Error{say::NotRegular, file};
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return Error{say::FileNotOpened(errno ? std::strerror(errno) : "unknown reason"), file};
    const std::uint64_t size = std::filesystem::file_size(path, code);
    if (code)
        return Error{say::FileNotRead(code.message()), file};
    if (size == 0)
        return Error{say::FileEmpty, file};

    std::array<unsigned char, sqliteHeaderBytes> head{};
    in.read(reinterpret_cast<char*>(head.data()), std::streamsize(head.size()));
    const auto got = std::size_t(in.gcount());
    const std::size_t compared = std::min(got, sizeof magic);
    if (std::memcmp(head.data(), magic, compared) != 0)
        return Error{say::NoRecording, file};
    if (got < head.size())
        return Error{say::CutInHeader(got), file};
    if (bigEndian(&head[68], 4) == programApplicationId)
        return Error{say::OfWholeProgram, file, 0, 0, say::ListThem};
    if (bigEndian(&head[68], 4) != traceApplicationId)
        return Error{say::OtherDatabase, file};
    const std::uint32_t version = bigEndian(&head[60], 4);
    if (version > std::uint32_t(traceFileVersion))
        return Error{say::NewerRecording(version, traceFileVersion), file, 0, 0, say::UpdateToOpen};
    if (version == 0)
        return Error{say::NoFormatVersion, file};

    const std::uint32_t stored = bigEndian(&head[16], 2);
    const std::uint64_t pageSize = stored == 1 ? 65536 : stored;
    const std::uint64_t promised = pageSize * bigEndian(&head[28], 4);
    if (pageSize < 512 || (pageSize & (pageSize - 1)) != 0)
        return Error{say::FilePageSize, file};
    if (size < promised)
        return Error{say::CutAt(size, promised), file};
    return {};
}

} // namespace warpglass
