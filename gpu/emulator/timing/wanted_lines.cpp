// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/wanted_lines.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {
// Whether the lanes take all bytes from the first one's address on, each its own, as they nearly always do.
bool isOneStretch(const AccessSummary& access, const LaneAddresses& addresses) {
    const std::uint32_t lanes = access.active.bits;
    const std::uint64_t bytes = access.bytesDistinct;
    if (bytes == 0 || bytes != std::uint64_t(access.bytes) * std::uint32_t(std::popcount(lanes)))
        return false;
    const std::uint64_t first = addresses[std::size_t(std::countr_zero(lanes))], last = bytes - access.bytes;
    if (lanes != ~0u) {
        for (std::uint32_t m = lanes; m; m &= m - 1)
            if (addresses[std::size_t(std::countr_zero(m))] - first > last)
                return false;
        return true;
    }
    std::uint64_t outside = 0; // below or above: a sign bit, without a branch
    for (const std::uint64_t address : addresses)
        outside |= (address - first) | (last - (address - first));
    return outside >> 63 == 0;
}
} // namespace

void WantedLines::take(const AccessSummary& access, const LaneAddresses& addresses) {
    m_parts.clear();
    if (isOneStretch(access, addresses)) {
        const std::uint64_t first = addresses[std::size_t(std::countr_zero(access.active.bits))],
                            end = first + access.bytesDistinct;
        for (std::uint64_t line = first / 128; line * 128 < end; ++line) {
            const std::uint64_t from = std::max(first, line * 128) % 128,
                                to = std::min(end - line * 128, std::uint64_t(128));
            const auto bits = [](std::uint64_t low, std::uint64_t high) { // low to high, high too
                return std::uint32_t((std::uint64_t(2) << high) - (std::uint64_t(1) << low));
            };
            m_parts.push_back({line, std::uint8_t(bits(from / 32, (to - 1) / 32)), bits(from / 4, (to - 1) / 4)});
        }
        return;
    }
    std::size_t last = 0;
    for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
        const std::uint64_t address = addresses[std::size_t(std::countr_zero(m))];
        // Counted, not compared with an end: a wild address may be the last there is.
        const std::uint64_t sectors = access.bytes == 0 ? 0 : (address % 32 + access.bytes - 1) / 32 + 1;
        for (std::uint64_t sector = address / 32, k = 0; k < sectors; ++sector, ++k) {
            const std::uint64_t line = sector / 4;
            const auto bit = std::uint8_t(1u << (sector & 3));
            const std::uint64_t from = std::max(address, sector * 32),
                                to = std::min(address + access.bytes, sector * 32 + 32);
            std::uint32_t words = 0;
            for (std::uint64_t word = from / 4; word * 4 < to; ++word)
                words |= 1u << (word & 31);
            if (last >= m_parts.size() || m_parts[last].line != line) {
                last = 0;
                while (last < m_parts.size() && m_parts[last].line != line)
                    ++last;
                if (last == m_parts.size())
                    m_parts.push_back({line, 0});
            }
            m_parts[last].sectors |= bit;
            m_parts[last].words |= words;
        }
    }
}

std::uint32_t WantedLines::bankWords() const {
    std::array<std::uint32_t, 32> words{}; // [bank]
    if (m_parts.size() == 1)
        return 1;
    for (const LinePart& part : m_parts)
        for (std::uint32_t m = part.words; m; m &= m - 1)
            ++words[std::size_t(std::countr_zero(m))];
    return *std::max_element(words.begin(), words.end());
}

WantedLines::Bytes WantedLines::bytesOf(std::uint64_t line, const AccessSummary& access,
                                        const LaneAddresses& addresses) {
    Bytes bytes{};
    for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
        const std::uint64_t address = addresses[std::size_t(std::countr_zero(m))];
        for (std::uint64_t b = 0; b < access.bytes; ++b)
            if ((address + b) / 128 == line)
                bytes[(address + b) % 128 / 64] |= std::uint64_t(1) << (address + b) % 64;
    }
    return bytes;
}

} // namespace warpglass::emulator
