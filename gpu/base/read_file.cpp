// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/read_file.h"

#include "gpu/base/messages/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace warpglass {

Result<void> mayBeRead(const std::filesystem::path& path) {
    using Type = std::filesystem::file_type;
    std::error_code failed;
    switch (std::filesystem::status(path, failed).type()) {
    case Type::directory:
        return Error{say::FileIsFolder, path.string(), 0, 0, say::CheckPath};
    case Type::fifo:
    case Type::socket:
    case Type::character:
    case Type::block:
        return Error{say::FileIsPipe, path.string(), 0, 0, say::WriteIntoFile};
    default:
        return {}; // opening says what else there is
    }
}

Result<std::string> readFile(const std::filesystem::path& path, std::uint64_t most) {
    if (auto may = mayBeRead(path); !may)
        return may.error();
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return Error{say::FileNotRead(errno ? std::strerror(errno) : "unknown reason"), path.string(), 0, 0,
                     say::CheckPath};
    constexpr std::size_t piece = 1 << 20;
    std::string text;
    for (std::size_t got = piece; got == piece;) {
        const std::size_t before = text.size();
        text.resize(before + piece);
        in.read(text.data() + before, piece);
        got = std::size_t(in.gcount());
        text.resize(before + got);
        if (text.size() > most)
            return Error{say::FileTooLarge(most >> 20), path.string()};
    }
    return text;
}

} // namespace warpglass
