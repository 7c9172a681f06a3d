// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/memory_access.h"
#include "gpu/trace/served_together.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace warpglass {

GlobalAccess analyseGlobal(LaneMask active, std::span<const std::uint64_t> addresses, unsigned bytes) {
    std::map<std::uint64_t, SectorUse> sectors;
    std::size_t k = 0;
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        if (!active.has(lane))
            continue;
        const std::uint64_t first = addresses[k++];
        for (std::uint64_t byte = first; byte < first + bytes; ++byte) {
            SectorUse& use = sectors[byte / 32 * 32];
            use.address = byte / 32 * 32;
            use.bytes |= 1u << (byte % 32);
            use.lanes = use.lanes | LaneMask::of(lane);
        }
    }
    GlobalAccess result;
    result.bytesRequested = unsigned(active.count()) * bytes;
    std::set<std::uint64_t> lines;
    for (const auto& [address, use] : sectors) {
        result.sectors.push_back(use);
        result.bytesDistinct += unsigned(std::popcount(use.bytes));
        lines.insert(address / 128);
    }
    result.lines = std::uint32_t(lines.size());
    return result;
}

SharedAccess analyseShared(LaneMask active, std::span<const std::uint64_t> addresses, unsigned bytes, AccessKind kind) {
    std::array<std::uint64_t, lanesPerWarp> ofLane{};
    std::size_t k = 0;
    for (int lane = 0; lane < lanesPerWarp; ++lane)
        if (active.has(lane))
            ofLane[std::size_t(lane)] = addresses[k++];
    const int lanesPerGroup = servedTogether(active, ofLane, bytes, kind), groups = lanesPerWarp / lanesPerGroup;
    SharedAccess result;
    for (int group = 0; group < groups; ++group) {
        // bank -> word address -> lanes
        std::map<int, std::map<std::uint64_t, LaneMask>> banks;
        bool any = false;
        for (int lane = group * lanesPerGroup; lane < (group + 1) * lanesPerGroup; ++lane) {
            if (!active.has(lane))
                continue;
            any = true;
            const std::uint64_t address = ofLane[std::size_t(lane)];
            for (std::uint64_t word = address / 4; word <= (address + bytes - 1) / 4; ++word) {
                LaneMask& lanes = banks[int(word % 32)][word * 4];
                lanes = lanes | LaneMask::of(lane);
            }
        }
        if (!any)
            continue;
        std::size_t deepest = 1;
        for (const auto& [bank, words] : banks) {
            deepest = std::max(deepest, words.size());
            int pass = result.passes;
            for (const auto& [address, lanes] : words) {
                result.words.push_back({bank, pass++, address, lanes});
                if (words.size() > 1)
                    result.conflicting = result.conflicting | lanes;
            }
        }
        result.passes += int(deepest);
        ++result.idealPasses;
    }
    std::sort(result.words.begin(), result.words.end(), [](const BankWord& a, const BankWord& b) {
        return a.pass != b.pass ? a.pass < b.pass : a.bank < b.bank;
    });
    return result;
}

int lanesAtOneWord(std::span<const std::uint64_t> addresses) {
    std::map<std::uint64_t, int> lanes;
    int most = 0;
    for (const std::uint64_t address : addresses)
        most = std::max(most, ++lanes[address / 4]);
    return most;
}

} // namespace warpglass
