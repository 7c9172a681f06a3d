// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/touch_sample.h"
#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

namespace {

// The most words of one bank of L1 that the lanes want. A word's bank is its place in its line.
std::uint32_t bankWords(const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses) {
    if (access.lines <= 1)
        return 1;
    std::array<std::uint64_t, 32 * 4> words;
    std::size_t count = 0;
    eachLane(access.active.bits, [&](int lane) {
        const std::uint64_t first = addresses[std::size_t(lane)] / 4;
        for (std::uint64_t w = 0; w < std::clamp(access.bytes / 4, 1u, 4u); ++w)
            words[count++] = first + w;
    });
    std::sort(words.begin(), words.begin() + std::ptrdiff_t(count));
    std::array<std::uint32_t, 32> banks{};
    for (std::size_t k = 0; k < count; ++k)
        if (k == 0 || words[k] != words[k - 1])
            ++banks[words[k] % 32];
    return *std::max_element(banks.begin(), banks.end());
}

} // namespace

void TouchSample::see(const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses,
                      std::uint64_t block) {
    const std::lock_guard lock(m_mutex);
    if (access.kind == AccessKind::Atomic)
        return meet(access, addresses, block);
    const bool store = access.kind == AccessKind::Store;
    eachLane(access.active.bits, [&](int lane) {
        const std::uint64_t address = addresses[std::size_t(lane)], end = address + access.bytes;
        for (std::uint64_t sector = address / 32; sector <= (end - 1) / 32; ++sector) {
            Sector& s = m_sectors[sector];
            s.of[block - m_first] = true;
            for (std::uint64_t b = std::max(address, sector * 32); store && b < std::min(end, sector * 32 + 32); ++b)
                s.written |= 1u << (b & 31);
        }
    });
    if (store)
        return;
    ++m_loads;
    m_loaded += access.sectors;
    m_passes += std::max(bankWords(access, addresses), access.bytes / 4);
}

void TouchSample::meet(const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses,
                       std::uint64_t block) {
    ++m_atomics;
    std::array<std::uint64_t, 32> words;
    std::size_t count = 0;
    eachLane(access.active.bits, [&](int lane) { words[count++] = addresses[std::size_t(lane)] / 4; });
    std::sort(words.begin(), words.begin() + std::ptrdiff_t(count));
    for (std::size_t k = 0; k < count;) { // of each sector, as many as want its most wanted word
        const std::uint64_t sector = words[k] / 8;
        std::uint64_t most = 0;
        while (k < count && words[k] / 8 == sector) {
            const std::size_t first = k;
            while (k < count && words[k] == words[first])
                ++k;
            most = std::max<std::uint64_t>(most, k - first);
        }
        Meeting& m = m_meetings[sector];
        m.atomics += most;
        m.of[block - m_first] = true;
    }
}

Reuse TouchSample::reuse(double pageShare) const {
    Reuse reuse;
    const double blocks = double(m_end - m_first);
    std::uint64_t read = 0, own = 0, both = 0, written = 0, partly = 0, half = 0, alone = 0;
    for (const auto& [sector, s] : m_sectors) {
        own += s.of[0];
        both += s.of[0] && s.of[1];
        written += s.written != 0;
        partly += s.written != 0 && s.written != ~0u;
        if (s.written != 0)
            continue;
        read += s.of[0] + s.of[1];
        const bool neighbour = m_sectors.contains(sector ^ 1);
        half += !neighbour;
        alone += !m_sectors.contains(sector ^ 2) && !m_sectors.contains(sector ^ 3);
    }
    if (m_loaded > 0) {
        reuse.read = std::clamp(double(read) / double(m_loaded), 0.0, 1.0);
        reuse.ofBlock = double(read) / blocks;
        reuse.pass = double(m_passes) / double(m_loads);
    }
    if (blocks > 1 && own > 0)
        reuse.fresh = 1 - double(both) / double(own);
    if (written > 0)
        reuse.partly = double(partly) / double(written);
    if (const auto only = double(m_sectors.size() - written); only > 0)
        reuse.dram = (1 + double(half) / only) * (1 + (pageShare - 1) * double(alone) / only);
    std::uint64_t hottest = 0, shared = 0;
    std::unordered_map<std::uint64_t, bool> lines;
    for (const auto& [sector, m] : m_meetings) {
        hottest = std::max(hottest, m.atomics);
        shared += m.of[0] && m.of[1];
        lines[sector / 4] = true;
    }
    if (m_atomics > 0) {
        const bool ofAll = blocks > 1 && 2 * shared > m_meetings.size();
        reuse.hottest = double(hottest) / double(m_atomics) * (ofAll ? 1 : blocks);
        reuse.hotLines = ofAll ? double(lines.size()) : 0;
    }
    return reuse;
}

} // namespace warpglass::emulator
