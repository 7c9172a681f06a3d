// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/param_ops.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/record/diagnostics.h"

namespace warpglass::emulator {

namespace {

// ld.param of an entry: the same value for all lanes.
bool loadEntryParam(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.access.active = {m};
    const Row* rows = dataRows(x, in);
    const auto at = std::uint64_t(in.memory.offset);
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    const std::byte* const from = x.launch->params.find(at, size);
    if (!from) [[unlikely]]
        return m == 0 || faultAccess(x, in, std::countr_zero(m), at, size, MemorySpace::Param, x.launch->params.size(),
                                     AccessKind::Load);
    if (in.memory.rowBytes == 16 || in.memory.elements > 1) {
        eachLane(m, [&](int lane) { loadElements(x, in, lane, from); });
        return true;
    }
    for (std::uint32_t v = 0; v < in.memory.elements; ++v) {
        const std::uint64_t value = elementAt(in, from + v * in.memory.bytes);
        if (in.memory.rowBytes == 8)
            storeLanes(x, m, rowAt<std::uint64_t>(x, rows[v]), [=](int) { return value; });
        else
            storeLanes(x, m, rowAt<std::uint32_t>(x, rows[v]), [=](int) { return value; });
    }
    return true;
}

template <bool isStore>
bool paramAccess(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    const auto row = in.a;
    std::uint32_t offset = std::uint32_t(in.memory.offset);
    if (in.memory.elements == 1 && in.memory.bytes == 4 && in.memory.rowBytes == 4 && offset % 4 == 0) {
        auto* word = rowAt<std::uint32_t>(x, row) + offset / 4 * 32;
        auto* reg = rowAt<std::uint32_t>(x, in.dst);
        auto* to = isStore ? word : reg;
        const auto* from = isStore ? reg : word;
        storeLanes(x, m, to, [=](int i) { return from[i]; });
        return true;
    }
    if (in.memory.elements == 1 && in.memory.bytes == 8 && offset % 4 == 0) {
        auto* low = rowAt<std::uint32_t>(x, row) + offset / 4 * 32;
        auto* high = low + 32;
        auto* reg = rowAt<std::uint64_t>(x, in.dst);
        if constexpr (isStore) {
            storeLanes(x, m, low, [=](int i) { return std::uint32_t(reg[i]); });
            storeLanes(x, m, high, [=](int i) { return std::uint32_t(reg[i] >> 32); });
        } else {
            storeLanes(x, m, reg, [=](int i) { return low[i] | std::uint64_t(high[i]) << 32; });
        }
        return true;
    }
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    eachLane(m, [&](int lane) {
        std::byte pieces[32];
        if (isStore)
            storeElements(x, in, lane, pieces);
        for (std::uint32_t k = 0; k < size; ++k) {
            std::byte* p = x.rows + row + (offset + k) / 4 * 128 + std::size_t(lane) * 4 + (offset + k) % 4;
            isStore ? * p = pieces[k] : pieces[k] = *p;
        }
        if (!isStore)
            loadElements(x, in, lane, pieces);
    });
    return true;
}

} // namespace

Handler entryParamHandler() {
    return &loadEntryParam;
}
Handler paramLoadHandler() {
    return &paramAccess<false>;
}
Handler paramStoreHandler() {
    return &paramAccess<true>;
}

} // namespace warpglass::emulator
