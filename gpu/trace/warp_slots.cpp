// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/warp_slots.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace warpglass {

std::vector<WarpSlot> warpSlots(const Trace& trace) {
    std::vector<std::uint32_t> order(trace.warps.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto place = [&](std::uint32_t row) {
        return std::tuple(trace.blockOf(trace.warps[row]).sm, trace.warps[row].slot);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return place(a) != place(b) ? place(a) < place(b) : trace.warps[a].start < trace.warps[b].start;
    });
    std::vector<WarpSlot> slots;
    for (const std::uint32_t row : order) {
        const auto [sm, slot] = place(row);
        if (slots.empty() || slots.back().sm != sm || slots.back().slot != slot)
            slots.push_back({sm, slot, trace.warps[row].scheduler, {}});
        slots.back().warps.push_back(row);
    }
    return slots;
}

} // namespace warpglass
