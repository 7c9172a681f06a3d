// SPDX-License-Identifier: GPL-3.0-or-later
// LZ4's block format: sequences of a token (lengths of literals and of the match, a nibble each, 15 going on in further
// bytes), literals, and how far back the match lies. The last sequence has no match.
#include "gpu/base/messages/files.h"
#include "gpu/fatbin/fatbin.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::fatbin {

Result<std::vector<std::byte>> unpackLz4(std::span<const std::byte> packed, std::uint64_t bytes) {
    constexpr std::size_t leastMatch = 4;
    std::vector<std::byte> out;
    std::size_t at = 0;
    const Error damaged{.message = say::Lz4Damaged};
    constexpr std::uint64_t mostEach = 255; // bytes that a packed one can stand for
    if (bytes > packed.size() * mostEach)
        return damaged;
    out.reserve(bytes);
    const auto length = [&](std::size_t nibble) {
        std::size_t n = nibble;
        if (nibble == 15)
            for (std::size_t more = 255; more == 255 && at < packed.size(); n += more)
                more = std::size_t(packed[at++]);
        return n;
    };
    while (at < packed.size()) {
        const auto token = std::size_t(packed[at++]);
        const std::size_t literals = length(token >> 4);
        if (literals > packed.size() - at || literals > bytes - out.size())
            return damaged;
        out.insert(out.end(), packed.begin() + std::ptrdiff_t(at), packed.begin() + std::ptrdiff_t(at + literals));
        at += literals;
        if (at == packed.size() || out.size() == bytes)
            break;
        if (packed.size() - at < 2)
            return damaged;
        const std::size_t back = std::size_t(packed[at]) | std::size_t(packed[at + 1]) << 8;
        at += 2;
        const std::size_t match = length(token & 15) + leastMatch;
        if (back == 0 || back > out.size() || match > bytes - out.size())
            return damaged;
        for (std::size_t k = 0; k < match; ++k) // may overlap what it writes
            out.push_back(out[out.size() - back]);
    }
    if (out.size() != bytes)
        return damaged;
    return out;
}

} // namespace warpglass::fatbin
