// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/local_access.h"
#include "gpu/emulator/memory/lane_elements.h"
#include "gpu/emulator/run/diagnostics.h"

namespace warpglass::emulator {

template <bool isStore>
bool localAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    Warp& w = *x.warp;
    const std::uint64_t limit = x.frame->localBase + x.program->functions[x.frame->function].localBytes;
    std::array<std::uint64_t, 32> physical{};
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t at = x.address[std::size_t(lane)];
        if (at > limit || limit - at < size) [[unlikely]]
            return faultAccess(x, in, lane, at, size, MemorySpace::Local, limit, kind);
        if (at % size != 0) [[unlikely]]
            return faultMisaligned(x, in, lane, at, size);
        physical[std::size_t(lane)] = localAt(at, lane);
        std::byte pieces[32];
        if (isStore)
            storeElements(x, in, lane, pieces);
        if (size <= 4) {
            std::byte* p = w.local.data() + physical[std::size_t(lane)];
            std::memcpy(isStore ? p : pieces, isStore ? pieces : p, size);
        } else {
            for (std::uint32_t k = 0; k < size; k += 4) {
                std::byte* p = w.local.data() + localAt(at + k, lane);
                std::memcpy(isStore ? p : pieces + k, isStore ? pieces + k : p, 4);
            }
        }
        if (!isStore)
            loadElements(x, in, lane, pieces);
        for (std::uint64_t k = at / 4; k <= (at + size - 1) / 4; ++k) {
            if (isStore)
                w.localWritten[k] |= 1u << lane;
            else if (x.checkMemory && !(w.localWritten[k] >> lane & 1u)) {
                hintUninitialised(x, in, lane, at, MemorySpace::Local, "a local variable");
                break;
            }
        }
    }
    beginAccess(x, m, std::min(size, 4u), MemorySpace::Local, kind);
    summariseSectors(x.access, physical);
    const std::uint32_t words = (size + 3) / 4; // further words lie in further lines
    x.access.bytes = size;
    x.access.bytesDistinct *= words;
    x.access.sectors *= words;
    x.access.lines *= words;
    countAccess(x, in);
    return true;
}

template bool localAccess<false>(Exec&, const Inst&, std::uint32_t);
template bool localAccess<true>(Exec&, const Inst&, std::uint32_t);

namespace {

bool localAddress(Exec& x, const Inst& in) {
    const std::uint64_t address = std::uint64_t(in.memory.offset) + x.frame->localBase +
                                  (in.memory.space == AddressSpace::Generic ? localWindow : 0);
    eachLane(activeMask(x, in), [&](int lane) {
        if (in.memory.rowBytes == 8)
            rowAt<std::uint64_t>(x, in.dst)[lane] = address;
        else
            rowAt<std::uint32_t>(x, in.dst)[lane] = std::uint32_t(address);
    });
    return true;
}

// .local variable named directly in ld/st: the frame's base is added.
template <bool isStore>
bool localDirect(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.access.active = {m};
    if (m == 0)
        return true;
    x.address.fill(std::uint64_t(in.memory.offset) + x.frame->localBase);
    return localAccess<isStore>(x, in, m);
}

} // namespace

Handler localHandler(bool isStore) {
    return isStore ? &onLanes<&localAccess<true>> : &onLanes<&localAccess<false>>;
}
Handler localDirectHandler(bool isStore) {
    return isStore ? &localDirect<true> : &localDirect<false>;
}
Handler localAddressHandler() {
    return &localAddress;
}

} // namespace warpglass::emulator
