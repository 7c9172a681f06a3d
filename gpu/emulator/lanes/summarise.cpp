// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/lanes/summarise.h"
#include "gpu/emulator/lanes/alu.h"
#include "gpu/trace/served_together.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {
const SortedCounts& quick() {
    static const SortedCounts counts = sortedCounts();
    return counts;
}
} // namespace

void summariseSectors(AccessSummary& s, const std::array<std::uint64_t, 32>& addresses) {
    if (SectorCount c; quick().sectors(addresses.data(), s.active.bits, s.bytes, c)) {
        s.bytesDistinct = c.bytesDistinct;
        s.sectors = c.sectors;
        s.lines = c.lines;
        return;
    }
    // Lanes that follow or repeat each other are first joined into pieces; there are few of them, and mostly in order.
    std::array<std::uint64_t, 32> begin, end;
    std::uint32_t n = 0;
    bool ascending = true;
    for (std::uint32_t m = s.active.bits; m; m &= m - 1) {
        const std::uint64_t a = addresses[std::size_t(std::countr_zero(m))];
        if (n > 0 && a == end[n - 1]) {
            end[n - 1] += s.bytes;
            continue;
        }
        if (n > 0 && a >= begin[n - 1] && a + s.bytes <= end[n - 1])
            continue;
        ascending = ascending && (n == 0 || a >= begin[n - 1]);
        begin[n] = a;
        end[n++] = a + s.bytes;
    }
    if (!ascending) // by insertion
        for (std::uint32_t i = 1; i < n; ++i)
            for (std::uint32_t k = i; k > 0 && begin[k] < begin[k - 1]; --k) {
                std::swap(begin[k], begin[k - 1]);
                std::swap(end[k], end[k - 1]);
            }
    std::uint64_t done = 0, sectorDone = 0, lineDone = 0; // first byte, sector and line not yet counted
    std::uint32_t distinct = 0, sectors = 0, lines = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint64_t last = end[i], from = std::max(begin[i], done);
        if (last <= from)
            continue;
        distinct += std::uint32_t(last - from);
        done = last;
        const std::uint64_t sector = std::max(begin[i] / 32, sectorDone), line = std::max(begin[i] / 128, lineDone);
        const std::uint64_t sectorLast = (last - 1) / 32 + 1, lineLast = (last - 1) / 128 + 1;
        sectors += std::uint32_t(sectorLast > sector ? sectorLast - sector : 0);
        lines += std::uint32_t(lineLast > line ? lineLast - line : 0);
        sectorDone = std::max(sectorDone, sectorLast);
        lineDone = std::max(lineDone, lineLast);
    }
    s.bytesDistinct = distinct;
    s.sectors = sectors;
    s.lines = lines;
}

namespace {
// Lanes of one part: together they touch 32 different words at most.
std::uint32_t passesOf(std::uint32_t lanes, const std::array<std::uint64_t, 32>& addresses, std::uint32_t bytes) {
    if (const std::uint32_t passes = quick().passes(addresses.data(), lanes, bytes))
        return passes;
    if (bytes <= 4) { // each lane a bank of its own: nothing more to find out
        std::uint32_t banks = 0;
        for (std::uint32_t m = lanes; m; m &= m - 1)
            banks |= 1u << (addresses[std::size_t(std::countr_zero(m))] / 4 % 32);
        if (std::popcount(banks) == std::popcount(lanes))
            return 1;
    }
    // Distinct words, in a hash table that is at most half full, counted by bank; lanes that repeat the one before add
    // nothing.
    constexpr std::uint32_t none = ~0u, slots = 64;
    std::array<std::uint32_t, slots> words;
    words.fill(none);
    std::array<std::uint8_t, 32> count{};
    std::uint32_t n = 0, most = 0;
    std::uint64_t before = ~std::uint64_t(0);
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        const std::uint64_t address = addresses[std::size_t(std::countr_zero(m))];
        if (address == before)
            continue;
        before = address;
        const auto first = std::uint32_t(address / 4), last = std::uint32_t((address + bytes - 1) / 4);
        for (std::uint32_t word = first; word <= last && n < slots / 2; ++word) {
            std::uint32_t slot = word * 0x9e3779b1u >> 26;
            while (words[slot] != none && words[slot] != word)
                slot = (slot + 1) % slots;
            if (words[slot] == word)
                continue;
            words[slot] = word;
            ++n;
            most = std::max<std::uint32_t>(most, ++count[word % 32]);
        }
    }
    return most;
}
} // namespace

std::uint32_t partsServed(std::uint32_t m, std::uint32_t bytes) {
    if (bytes >= 16)
        return std::uint32_t((m & 0xff) != 0) + ((m & 0xff00) != 0) + ((m & 0xff0000) != 0) + ((m & 0xff000000) != 0);
    if (bytes >= 8)
        return std::uint32_t((m & 0xffff) != 0) + ((m & 0xffff0000) != 0);
    return m != 0;
}

std::uint32_t mostAtOneWord(std::uint32_t m, const std::array<std::uint64_t, 32>& addresses) {
    // Counted by the words' last bits; that is all of them where the lanes lie in a piece of that many words.
    constexpr std::uint64_t words = 512;
    std::array<std::uint8_t, words> count{};
    std::uint64_t least = ~std::uint64_t(0), greatest = 0;
    std::uint32_t most = 0;
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const std::uint64_t word = addresses[std::size_t(std::countr_zero(rest))] / 4;
        least = std::min(least, word);
        greatest = std::max(greatest, word);
        most = std::max<std::uint32_t>(most, ++count[word % words]);
    }
    if (most == 1 || greatest - least < words)
        return most;
    most = 0;
    for (std::uint32_t rest = m; std::uint32_t(std::popcount(rest)) > most;) {
        const std::uint64_t word = addresses[std::size_t(std::countr_zero(rest))] / 4;
        std::uint32_t same = 0;
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            same |= std::uint32_t(addresses[lane] / 4 == word) << lane;
        same &= rest;
        most = std::max(most, std::uint32_t(std::popcount(same)));
        rest &= ~same;
    }
    return most;
}

void summariseBanks(AccessSummary& s, const std::array<std::uint64_t, 32>& addresses) {
    const auto width = std::uint32_t(servedTogether(s.active, addresses, s.bytes, s.kind)), parts = 32 / width;
    if (parts > 1 && width * s.bytes == 128 && s.active.bits == ~0u)
        if (const std::uint32_t passes = quick().partPasses(addresses.data(), s.bytes)) {
            s.passes += passes;
            s.idealPasses += parts;
            return;
        }
    for (std::uint32_t p = 0; p < parts; ++p) {
        const std::uint32_t lanes = s.active.bits & (width == 32 ? ~0u : ((1u << width) - 1) << (p * width));
        if (lanes) {
            s.passes += passesOf(lanes, addresses, s.bytes);
            s.idealPasses += 1;
        }
    }
}

} // namespace warpglass::emulator
