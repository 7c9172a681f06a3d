// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/memory_limit.h"

#include "gpu/base/messages/files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace warpglass {

namespace {

std::optional<std::uint64_t> bytesOf(std::string_view text) {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || n == 0)
        return std::nullopt;
    const std::string_view unit = text.substr(std::size_t(end - text.data()));
    const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : unit == "T" ? 40 : -1;
    if (shift < 0 || n > UINT64_MAX >> shift)
        return std::nullopt;
    return n << shift;
}

std::uint64_t ofMachine() {
    std::uint64_t bytes = std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGESIZE));
    std::ifstream group("/sys/fs/cgroup/memory.max"); // a number, or "max"
    if (std::uint64_t most = 0; group >> most)
        bytes = std::min(bytes, most);
    struct rlimit space {};
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        bytes = std::min<std::uint64_t>(bytes, space.rlim_cur);
    return bytes / 2;
}

} // namespace

std::uint64_t memoryLimit() {
    if (const char* asked = std::getenv("WARPGLASS_MEMORY"))
        if (const auto bytes = bytesOf(asked))
            return *bytes;
    static const std::uint64_t half = ofMachine();
    return half;
}

std::string memoryWords(std::uint64_t bytes) {
    if (bytes >= std::uint64_t(1) << 30)
        return fmt::format("{:.1f} GB", double(bytes) / double(std::uint64_t(1) << 30));
    return fmt::format("{} MB", (bytes + (1 << 20) - 1) >> 20);
}

void takeStack() {
    std::array<volatile char, 1 << 20> stack; // address space: of its pages the lowest alone is touched
    stack.front() = 0;
}

Error outOfMemory() {
    return {.message = say::NotEnough, .remedy = say::SmallerOrClose};
}

} // namespace warpglass
