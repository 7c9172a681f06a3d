// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access_summary.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

void summariseSectors(AccessSummary& s, const std::array<std::uint64_t, 32>& addresses) {
    std::array<std::uint64_t, 32> a;
    std::uint32_t n = 0;
    bool ascending = true;
    for (std::uint32_t m = s.active.bits; m; m &= m - 1) {
        a[n] = addresses[std::size_t(std::countr_zero(m))];
        ascending = ascending && (n == 0 || a[n] >= a[n - 1]);
        ++n;
    }
    if (!ascending)
        std::sort(a.begin(), a.begin() + n);
    std::uint64_t end = 0, sectorEnd = 0, lineEnd = 0; // first byte, sector and line not yet counted
    std::uint32_t distinct = 0, sectors = 0, lines = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint64_t first = a[i], last = a[i] + s.bytes;
        const std::uint64_t from = std::max(first, end);
        if (last <= from)
            continue;
        distinct += std::uint32_t(last - from);
        end = last;
        const std::uint64_t sector = std::max(first / 32, sectorEnd), line = std::max(first / 128, lineEnd);
        const std::uint64_t sectorLast = (last - 1) / 32 + 1, lineLast = (last - 1) / 128 + 1;
        sectors += std::uint32_t(sectorLast > sector ? sectorLast - sector : 0);
        lines += std::uint32_t(lineLast > line ? lineLast - line : 0);
        sectorEnd = std::max(sectorEnd, sectorLast);
        lineEnd = std::max(lineEnd, lineLast);
    }
    s.bytesDistinct = distinct;
    s.sectors = sectors;
    s.lines = lines;
}

namespace {
std::uint32_t passesOf(std::uint32_t lanes, const std::array<std::uint64_t, 32>& addresses, std::uint32_t bytes) {
    // Distinct words by bank. Lists are short: 32 lanes of at most 4 words.
    std::array<std::uint8_t, 32> count{};
    std::array<std::array<std::uint32_t, 32>, 32> words;
    std::uint32_t most = 0;
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        const std::uint64_t address = addresses[std::size_t(std::countr_zero(m))];
        const auto first = std::uint32_t(address / 4), last = std::uint32_t((address + bytes - 1) / 4);
        for (std::uint32_t word = first; word <= last; ++word) {
            const std::uint32_t bank = word % 32;
            std::uint32_t k = 0;
            while (k < count[bank] && words[bank][k] != word)
                ++k;
            if (k == count[bank] && k < 32) {
                words[bank][k] = word;
                most = std::max<std::uint32_t>(most, ++count[bank]);
            }
        }
    }
    return most;
}
} // namespace

void summariseBanks(AccessSummary& s, const std::array<std::uint64_t, 32>& addresses) {
    const std::uint32_t parts = s.bytes >= 16 ? 4 : s.bytes >= 8 ? 2 : 1, width = 32 / parts;
    for (std::uint32_t p = 0; p < parts; ++p) {
        const std::uint32_t lanes = s.active.bits & (width == 32 ? ~0u : ((1u << width) - 1) << (p * width));
        if (lanes) {
            s.passes += passesOf(lanes, addresses, s.bytes);
            s.idealPasses += 1;
        }
    }
}

} // namespace warpglass::emulator
