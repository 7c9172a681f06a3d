// SPDX-License-Identifier: GPL-3.0-or-later
// Which slots are a ring, and the order in which it is filled.
#include "views/pipeline/pipeline_model.h"

#include <algorithm>
#include <map>

namespace warpglass {

namespace {

std::uint32_t fillerOf(const Trace& trace, const PipelineSlot& slot) { // noIndex: all warps
    const std::uint32_t copy = slot.fills.front().copy;
    return copy == noIndex || slot.full == noIndex ? noIndex : trace.copies[copy].warp;
}

// Of each slot the first one that copies of the same source line fill, too: rings of one size are ordered at lines of
// their own. One that is filled once tells too little and goes with the first of its size.
std::vector<std::size_t> kinOfSlots(const Trace& trace, const std::vector<PipelineSlot>& ringSlots) {
    std::vector<std::size_t> kin(ringSlots.size());
    std::map<std::uint32_t, std::size_t> ofLine; // 0: no line is known, which tells nothing apart
    const auto root = [&](std::size_t n) {
        while (kin[n] != n)
            n = kin[n];
        return n;
    };
    for (std::size_t n = 0; n < kin.size(); ++n) {
        kin[n] = n;
        for (const SlotFill& fill : ringSlots[n].fills) {
            if (fill.copy == noIndex || ringSlots[n].isGroups())
                continue;
            const Site& site = trace.sites[trace.copies[fill.copy].site];
            const auto known = ofLine.try_emplace(sourceLineOf(trace.kernels[site.kernel], site), n);
            const std::size_t a = root(known.first->second), b = root(n);
            kin[std::max(a, b)] = std::min(a, b);
        }
    }
    for (std::size_t n = 0; n < kin.size(); ++n)
        kin[n] = root(n);
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::size_t> first;
    for (std::size_t n = 0; n < kin.size(); ++n) {
        const auto known = first.try_emplace({ringSlots[n].bytes, fillerOf(trace, ringSlots[n])}, kin[n]);
        if (ringSlots[n].isGroups() || (ringSlots[n].fills.size() == 1 && kin[n] == n))
            kin[n] = known.first->second;
    }
    return kin;
}

} // namespace

// Slots of as many bytes that the same warps fill, by copies of the same lines, are a ring, in the order in which they are
// filled first.
void numberRings(PipelineModel& model, const Trace& trace) {
    auto& ringSlots = model.ringSlots;
    std::erase_if(ringSlots, [](const PipelineSlot& slot) { return slot.fills.empty(); });
    std::stable_sort(ringSlots.begin(), ringSlots.end(), [](const PipelineSlot& a, const PipelineSlot& b) {
        return a.fills.front().begin < b.fills.front().begin;
    });
    std::map<std::tuple<std::uint64_t, std::uint32_t, bool, std::size_t>, std::uint32_t> rings;
    std::map<std::uint32_t, std::uint32_t> sizes;
    const std::vector<std::size_t> kin = kinOfSlots(trace, ringSlots);
    for (std::size_t n = 0; n < ringSlots.size(); ++n) {
        PipelineSlot& slot = ringSlots[n];
        slot.ring = rings
                        .try_emplace({slot.bytes, fillerOf(trace, slot), slot.full == noIndex, kin[n]},
                                     std::uint32_t(rings.size()))
                        .first->second;
        slot.number = sizes[slot.ring]++;
    }
    model.rings = std::uint32_t(rings.size());
    std::stable_sort(ringSlots.begin(), ringSlots.end(),
                     [](const PipelineSlot& a, const PipelineSlot& b) { return a.ring < b.ring; });
    std::map<std::uint32_t, std::vector<SlotFill*>> fills;
    for (PipelineSlot& slot : ringSlots)
        for (SlotFill& fill : slot.fills)
            fills[slot.ring].push_back(&fill);
    for (auto& [ring, all] : fills) {
        std::stable_sort(all.begin(), all.end(),
                         [](const SlotFill* a, const SlotFill* b) { return a->begin < b->begin; });
        for (std::size_t n = 0; n < all.size(); ++n)
            all[n]->number = std::uint32_t(n);
    }
}

} // namespace warpglass
