// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/seal.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace warpglass {

namespace fs = std::filesystem;

namespace {

using Key = std::array<std::uint64_t, 2>;

std::optional<fs::path> keyFile() {
    const char *data = std::getenv("XDG_DATA_HOME"), *home = std::getenv("HOME");
    if (data && *data == '/')
        return fs::path(data) / "warpglass" / "seal.key";
    if (home && *home == '/')
        return fs::path(home) / ".local/share/warpglass/seal.key";
    return std::nullopt;
}

// Only a file of this user's that nobody else may touch.
std::optional<Key> readKey(const fs::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return std::nullopt;
    Key key{};
    struct stat facts {};
    const bool good = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() &&
                      (facts.st_mode & 077) == 0 && read(file, key.data(), sizeof key) == ssize_t(sizeof key);
    close(file);
    return good ? std::optional(key) : std::nullopt;
}

// Beside its name first, so that two programs that begin together end with one whole key.
std::optional<Key> makeKey(const fs::path& path) {
    Key key{};
    if (getrandom(key.data(), sizeof key, 0) != ssize_t(sizeof key))
        return std::nullopt;
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    const fs::path part = path.string() + fmt::format(".{}", getpid());
    const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return std::nullopt;
    const bool written = write(file, key.data(), sizeof key) == ssize_t(sizeof key);
    close(file);
    if (written)
        fs::create_hard_link(part, path, failed); // not over one that is there
    fs::remove(part, failed);
    return readKey(path);
}

std::optional<Key> key() {
    const auto path = keyFile();
    if (!path)
        return std::nullopt;
    const auto there = readKey(*path);
    return there ? there : makeKey(*path);
}

} // namespace

std::uint64_t sipHash(const std::array<std::uint64_t, 2>& key, std::span<const unsigned char> bytes) {
    std::uint64_t v0 = key[0] ^ 0x736f6d6570736575u, v1 = key[1] ^ 0x646f72616e646f6du,
                  v2 = key[0] ^ 0x6c7967656e657261u, v3 = key[1] ^ 0x7465646279746573u;
    const auto rounds = [&](int count) {
        for (int i = 0; i < count; ++i) {
            v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
            v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
            v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
            v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
        }
    };
    const auto take = [&](std::uint64_t word) {
        v3 ^= word;
        rounds(2);
        v0 ^= word;
    };
    std::uint64_t last = std::uint64_t(bytes.size()) << 56;
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
        std::uint64_t word = 0;
        for (std::size_t b = 0; b < 8; ++b)
            word |= std::uint64_t(bytes[i + b]) << (8 * b);
        take(word);
    }
    for (std::size_t b = 0; i + b < bytes.size(); ++b)
        last |= std::uint64_t(bytes[i + b]) << (8 * b);
    take(last);
    v2 ^= 0xff;
    rounds(4);
    return v0 ^ v1 ^ v2 ^ v3;
}

std::string sealOf(const std::string& purpose, std::span<const std::string> words) {
    const auto secret = key();
    if (!secret)
        return {};
    std::string text = fmt::format("{}:{}", purpose.size(), purpose); // lengths: no two lists make one text
    for (const std::string& word : words)
        text += fmt::format("{}:{}", word.size(), word);
    return fmt::format("{:016x}", sipHash(*secret, {reinterpret_cast<const unsigned char*>(text.data()), text.size()}));
}

bool isSealed(const std::string& seal, const std::string& purpose, std::span<const std::string> words) {
    return !seal.empty() && seal == sealOf(purpose, words);
}

} // namespace warpglass
