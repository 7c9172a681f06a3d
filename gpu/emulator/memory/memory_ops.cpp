// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/memory_ops.h"
#include "gpu/emulator/memory/shared_checks.h"
#include "gpu/emulator/run/diagnostics.h"
#include "gpu/emulator/timing/touch_table.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {

// Addresses of all lanes into x.address (inactive ones too: cheaper than asking).
void addresses(Exec& x, const Inst& in) {
    const auto offset = std::uint64_t(in.imm);
    if (in.flags & flagWideAddress) {
        const auto* a = rowAt<const std::uint64_t>(x, in.a);
        for (std::size_t i = 0; i < 32; ++i)
            x.address[i] = a[i] + offset;
    } else if (in.flags & flagNoBase) {
        x.address.fill(offset);
    } else {
        const auto* a = rowAt<const std::uint32_t>(x, in.a);
        for (std::size_t i = 0; i < 32; ++i)
            x.address[i] = std::uint32_t(a[i] + std::uint32_t(offset));
    }
}

template <class F>
void eachLane(std::uint32_t m, F f) {
    for (; m; m &= m - 1)
        f(std::countr_zero(m));
}

const std::uint32_t* dataRows(const Exec& x, const Inst& in) {
    return in.vector == 1 ? &in.dst : x.program->vectors[in.extra].data();
}

void loadElements(Exec& x, const Inst& in, int lane, const std::byte* from) {
    const std::uint32_t* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.vector; ++v) {
        if (rows[v] == noIndex)
            continue;
        std::uint64_t value = 0;
        std::memcpy(&value, from + v * in.bytes, in.bytes);
        if (in.flags & flagSigned) {
            const int shift = 64 - 8 * in.bytes;
            value = std::uint64_t(std::int64_t(value << shift) >> shift);
        }
        if (in.rowBytes == 8)
            rowAt<std::uint64_t>(x, rows[v])[lane] = value;
        else
            rowAt<std::uint32_t>(x, rows[v])[lane] = std::uint32_t(value);
    }
}
void storeElements(Exec& x, const Inst& in, int lane, std::byte* to) {
    const std::uint32_t* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.vector; ++v) {
        const std::byte* from = x.rows + rows[v] + std::size_t(lane) * in.rowBytes;
        std::memcpy(to + v * in.bytes, from, in.bytes);
    }
}

// Whether the active lanes' addresses go up by exactly size a lane.
bool consecutive(Exec& x, std::uint32_t m, std::uint32_t size) {
    const auto first = std::size_t(std::countr_zero(m));
    if (((m >> first) & ((m >> first) + 1)) != 0)
        return false; // a hole
    const std::uint64_t base = x.address[first] - first * size;
    std::uint64_t differs = 0;
    if (m == 0xffffffffu) {
        for (std::size_t i = 0; i < 32; ++i)
            differs |= x.address[i] - i * size - base;
    } else {
        if (x.laneBitsOf != m)
            x.expand(m);
        for (std::size_t i = 0; i < 32; ++i)
            differs |= (x.address[i] - i * size - base) & std::uint64_t(std::int64_t(std::int32_t(x.laneBits[i])));
    }
    return differs == 0;
}

// Elements of all active lanes, address a at host + (a - base). 4-byte elements, the usual ones, have their own loop.
template <bool isStore>
void moveElements(Exec& x, const Inst& in, std::uint32_t m, std::byte* host, std::uint64_t base) {
    if (in.bytes == 4 && in.rowBytes == 4) {
        const std::uint32_t* rows = dataRows(x, in);
        for (std::uint32_t v = 0; v < in.vector; ++v) {
            if (rows[v] == noIndex)
                continue;
            auto* row = rowAt<std::uint32_t>(x, rows[v]);
            std::byte* from = host + 4 * v;
            for (std::uint32_t rest = m; rest; rest &= rest - 1) {
                const auto lane = std::size_t(std::countr_zero(rest));
                std::byte* at = from + (x.address[lane] - base);
                if constexpr (isStore)
                    std::memcpy(at, row + lane, 4);
                else
                    std::memcpy(row + lane, at, 4);
            }
        }
        return;
    }
    eachLane(m, [&](int lane) {
        std::byte* at = host + (x.address[std::size_t(lane)] - base);
        isStore ? storeElements(x, in, lane, at) : loadElements(x, in, lane, at);
    });
}

// Whether all active lanes ask for the same address.
bool uniform(Exec& x, std::uint32_t m) {
    const std::uint64_t base = x.address[std::size_t(std::countr_zero(m))];
    if (x.laneBitsOf != m)
        x.expand(m);
    std::uint64_t differs = 0;
    for (std::size_t i = 0; i < 32; ++i)
        differs |= (x.address[i] ^ base) & std::uint64_t(std::int64_t(std::int32_t(x.laneBits[i])));
    return differs == 0;
}

// One lane's elements for all active lanes.
void broadcastElements(Exec& x, const Inst& in, std::uint32_t m, const std::byte* from) {
    const int first = std::countr_zero(m);
    loadElements(x, in, first, from);
    if (x.laneBitsOf != m)
        x.expand(m);
    const std::uint32_t* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.vector; ++v) {
        if (rows[v] == noIndex)
            continue;
        if (in.rowBytes == 8) {
            auto* d = rowAt<std::uint64_t>(x, rows[v]);
            const std::uint64_t value = d[first];
            for (std::size_t i = 0; i < 32; ++i) {
                const auto k = std::uint64_t(std::int64_t(std::int32_t(x.laneBits[i])));
                d[i] = (value & k) | (d[i] & ~k);
            }
        } else {
            auto* d = rowAt<std::uint32_t>(x, rows[v]);
            const std::uint32_t value = d[first];
            for (std::size_t i = 0; i < 32; ++i)
                d[i] = (value & x.laneBits[i]) | (d[i] & ~x.laneBits[i]);
        }
    }
}

// Timing: tells the table of first touches which sectors this access wants.
[[gnu::noinline]] void touch(Exec& x) {
    const AccessSummary& s = x.access;
    if (s.space != MemorySpace::Global || x.touchesLeft == 0)
        return;
    std::uint64_t last = ~std::uint64_t(0);
    eachLane(s.active.bits, [&](int lane) {
        const std::uint64_t address = x.address[std::size_t(lane)];
        for (std::uint64_t sector = address / 32; sector <= (address + s.bytes - 1) / 32; ++sector) {
            if (sector == last)
                continue;
            last = sector;
            x.touched->add(sector, std::uint32_t(x.block->index));
        }
    });
    x.touchesLeft -= std::min<std::uint64_t>(x.touchesLeft, s.sectors);
}

void countAccess(Exec& x, const Inst& in) {
    MemoryCount& c = x.counters->memory[in.index];
    const AccessSummary& s = x.access;
    if (x.touched) [[unlikely]]
        touch(x);
    c.requests += 1;
    c.bytesDistinct += s.bytesDistinct;
    c.bytesRequested += std::uint64_t(s.bytes) * std::uint32_t(s.active.count());
    c.sectors += s.sectors;
    c.lines += s.lines;
    c.passes += s.passes;
    c.idealPasses += s.idealPasses;
    c.spaces |= 1u << unsigned(s.space);
}
void beginAccess(Exec& x, std::uint32_t m, std::uint32_t size, MemorySpace space, AccessKind kind) {
    x.access = {space, kind, {m}, size, 0, 0, 0, 0, 0};
}

void touchArea(Exec& x, const Inst& in, Area& area, int lane, std::uint64_t address, std::uint32_t size, bool isStore) {
    const std::uint64_t first = (address - area.base) / 4, last = (address - area.base + size - 1) / 4;
    for (std::uint64_t w = first; w <= last; ++w) {
        if (isStore)
            area.written[w] = 1;
        else if (!area.written[w] && x.checkMemory) {
            hintUninitialised(x, in, lane, address, MemorySpace::Global, area.name.c_str());
            return;
        }
    }
}

// The one area that holds all active lanes' elements, if they are aligned and their first use is not watched.
Area* commonArea(Exec& x, std::uint32_t m, std::uint32_t size) {
    std::uint64_t low = ~std::uint64_t(0), high = 0, bits = 0;
    eachLane(m, [&](int lane) {
        const std::uint64_t a = x.address[std::size_t(lane)];
        low = std::min(low, a);
        high = std::max(high, a);
        bits |= a;
    });
    if (bits % size != 0 || high - low > (std::uint64_t(1) << 40))
        return nullptr;
    Area* area = x.global->find(low, high - low + size, x.hint);
    return area && area->written.empty() ? area : nullptr;
}

template <bool isStore>
bool globalAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.bytes) * in.vector;
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    beginAccess(x, m, size, MemorySpace::Global, kind);
    const auto first = std::size_t(std::countr_zero(m));
    if (consecutive(x, m, size)) {
        const std::uint64_t address = x.address[first];
        const auto length = std::uint32_t(std::popcount(m)) * size;
        Area* area = x.global->find(address, length, x.hint);
        if (area && address % size == 0) [[likely]] {
            std::byte* at = area->data + (address - area->base);
            if (in.vector == 1 && in.bytes == 4 && in.rowBytes == 4) {
                std::byte* row = x.rows + in.dst + first * 4;
                std::memcpy(isStore ? at : row, isStore ? row : at, length);
            } else if (in.vector == 1 && in.bytes == 8) {
                std::byte* row = x.rows + in.dst + first * 8;
                std::memcpy(isStore ? at : row, isStore ? row : at, length);
            } else {
                eachLane(m, [&](int lane) {
                    std::byte* p = at + (std::size_t(lane) - first) * size;
                    isStore ? storeElements(x, in, lane, p) : loadElements(x, in, lane, p);
                });
            }
            if (!area->written.empty())
                eachLane(m, [&](int l) { touchArea(x, in, *area, l, x.address[std::size_t(l)], size, isStore); });
            summariseContiguous(x.access, address, length);
            countAccess(x, in);
            if (in.flags & flagVolatile && x.checkMemory)
                checkVolatileGlobal(x, in, m, isStore);
            return true;
        }
    }
    if (!isStore && !(in.flags & flagVolatile) && uniform(x, m)) {
        const std::uint64_t address = x.address[first];
        Area* area = x.global->find(address, size, x.hint);
        if (area && address % size == 0 && area->written.empty()) {
            broadcastElements(x, in, m, area->data + (address - area->base));
            summariseContiguous(x.access, address, size);
            countAccess(x, in);
            return true;
        }
    }
    if (Area* area = commonArea(x, m, size)) {
        moveElements<isStore>(x, in, m, area->data, area->base);
        summariseSectors(x.access, x.address);
        countAccess(x, in);
        if (in.flags & flagVolatile && x.checkMemory)
            checkVolatileGlobal(x, in, m, isStore);
        return true;
    }
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t address = x.address[std::size_t(lane)];
        Area* area = x.global->find(address, size, x.hint);
        if (!area) [[unlikely]]
            return faultAccess(x, in, lane, address, size, MemorySpace::Global, 0, kind);
        if (address % size != 0) [[unlikely]]
            return faultMisaligned(x, in, lane, address, size);
        std::byte* at = area->data + (address - area->base);
        isStore ? storeElements(x, in, lane, at) : loadElements(x, in, lane, at);
        if (!area->written.empty())
            touchArea(x, in, *area, lane, address, size, isStore);
    }
    summariseSectors(x.access, x.address);
    countAccess(x, in);
    if (in.flags & flagVolatile && x.checkMemory)
        checkVolatileGlobal(x, in, m, isStore);
    return true;
}

template <bool isStore>
bool sharedAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.bytes) * in.vector;
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    const std::uint64_t limit = x.block->shared.size();
    const bool one = !isStore && uniform(x, m);
    for (std::uint32_t rest = one ? m & (0u - m) : m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t at = x.address[std::size_t(lane)];
        if (at > limit || limit - at < size) [[unlikely]]
            return faultAccess(x, in, lane, at, size, MemorySpace::Shared, limit, kind);
        if (at % size != 0) [[unlikely]]
            return faultMisaligned(x, in, lane, at, size);
    }
    beginAccess(x, m, size, MemorySpace::Shared, kind);
    if (isStore && x.checkMemory)
        checkSharedStore(x, in, m, x.address, size);
    const bool inOrder = !one && consecutive(x, m, size);
    if (one) {
        broadcastElements(x, in, m, x.block->shared.data() + x.address[std::size_t(std::countr_zero(m))]);
    } else if (inOrder && in.vector == 1 && (in.bytes == 8 || (in.bytes == 4 && in.rowBytes == 4))) {
        const auto first = std::size_t(std::countr_zero(m));
        std::byte* at = x.block->shared.data() + x.address[first];
        std::byte* row = x.rows + in.dst + first * in.bytes;
        std::memcpy(isStore ? at : row, isStore ? row : at, std::size_t(std::popcount(m)) * in.bytes);
    } else {
        moveElements<isStore>(x, in, m, x.block->shared.data(), 0);
    }
    if (size <= 4 && (inOrder || one))
        x.access.passes = x.access.idealPasses = 1;
    else
        summariseBanks(x.access, x.address);
    countAccess(x, in);
    if (!isStore && x.checkMemory)
        checkSharedLoad(x, in, m, x.address, size);
    return true;
}

// Local memory as the hardware lays it out: word w of lane l at w * 128 + l * 4, so that lanes at the same variable
// make one full line.
constexpr std::uint64_t localAt(std::uint64_t offset, int lane) {
    return (offset & ~std::uint64_t(3)) * 32 + std::uint64_t(lane) * 4 + (offset & 3);
}
inline constexpr std::uint64_t localLimit = 512 * 1024; // bytes a thread (CUDA programming guide)

template <bool isStore>
bool localAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.bytes) * in.vector;
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

bool constAccess(Exec& x, const Inst& in, std::uint32_t m, const std::vector<std::byte>& data, MemorySpace space) {
    const std::uint32_t size = std::uint32_t(in.bytes) * in.vector;
    beginAccess(x, m, size, space, AccessKind::Load);
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t at = x.address[std::size_t(lane)];
        if (at > data.size() || data.size() - at < size) [[unlikely]]
            return faultAccess(x, in, lane, at, size, space, data.size(), AccessKind::Load);
        if (at % size != 0) [[unlikely]]
            return faultMisaligned(x, in, lane, at, size);
        loadElements(x, in, lane, data.data() + at);
    }
    summariseSectors(x.access, x.address);
    countAccess(x, in);
    return true;
}

template <bool isStore>
bool inWindow(Exec& x, const Inst& in, std::uint32_t m, Window window) {
    const auto shift = [&](std::uint64_t base) {
        for (auto& a : x.address)
            a -= base;
    };
    switch (window) {
    case Window::Global:
        return globalAccess<isStore>(x, in, m);
    case Window::Shared:
        shift(sharedWindow);
        return sharedAccess<isStore>(x, in, m);
    case Window::Local:
        shift(localWindow);
        return localAccess<isStore>(x, in, m);
    case Window::Const:
        if constexpr (!isStore) {
            shift(constWindow);
            return constAccess(x, in, m, *x.constants, MemorySpace::Constant);
        }
        break;
    case Window::Param:
        if constexpr (!isStore) {
            shift(paramWindow);
            return constAccess(x, in, m, x.launch->params, MemorySpace::Param);
        }
        break;
    default:
        break;
    }
    const int lane = std::countr_zero(m);
    return faultAccess(x, in, lane, x.address[std::size_t(lane)], std::uint32_t(in.bytes) * in.vector,
                       MemorySpace::Global, 0, isStore ? AccessKind::Store : AccessKind::Load);
}

template <bool isStore>
bool genericAccess(Exec& x, const Inst& in, std::uint32_t m) {
    while (m) {
        const Window window = windowOf(x.address[std::size_t(std::countr_zero(m))]);
        std::uint32_t same = 0;
        for (std::uint32_t rest = m; rest; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            same |= std::uint32_t(windowOf(x.address[std::size_t(lane)]) == window) << lane;
        }
        if (same == m)
            return inWindow<isStore>(x, in, m, window);
        if (!inWindow<isStore>(x, in, same, window))
            return false;
        addresses(x, in); // the first group's were shifted to its window
        m &= ~same;
    }
    return true;
}

template <AddressSpace space, bool isStore>
bool access(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.access.active = {m};
    if (m == 0)
        return true;
    addresses(x, in);
    if constexpr (space == AddressSpace::Global) {
        // A pointer that was cast to the wrong space: shared and local windows are below global memory and not mapped.
        return globalAccess<isStore>(x, in, m);
    } else if constexpr (space == AddressSpace::Shared)
        return sharedAccess<isStore>(x, in, m);
    else if constexpr (space == AddressSpace::Local)
        return localAccess<isStore>(x, in, m);
    else if constexpr (space == AddressSpace::Const)
        return constAccess(x, in, m, *x.constants, MemorySpace::Constant);
    else if constexpr (space == AddressSpace::EntryParam)
        return constAccess(x, in, m, x.launch->params, MemorySpace::Param);
    else
        return genericAccess<isStore>(x, in, m);
}

// ld.param of an entry: the same value for all lanes.
bool loadEntryParam(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.access.active = {m};
    const std::uint32_t* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.vector; ++v) {
        std::uint64_t value = 0;
        std::memcpy(&value, x.launch->params.data() + in.imm + v * in.bytes, in.bytes);
        if (in.flags & flagSigned) {
            const int shift = 64 - 8 * in.bytes;
            value = std::uint64_t(std::int64_t(value << shift) >> shift);
        }
        if (in.rowBytes == 8) {
            auto* d = rowAt<std::uint64_t>(x, rows[v]);
            for (int i = 0; i < 32; ++i)
                d[i] = m >> i & 1u ? value : d[i];
        } else {
            auto* d = rowAt<std::uint32_t>(x, rows[v]);
            for (int i = 0; i < 32; ++i)
                d[i] = m >> i & 1u ? std::uint32_t(value) : d[i];
        }
    }
    return true;
}

bool localAddress(Exec& x, const Inst& in) {
    const std::uint64_t address = std::uint64_t(in.imm) + x.frame->localBase + (in.aux ? localWindow : 0);
    eachLane(activeMask(x, in), [&](int lane) {
        if (in.rowBytes == 8)
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
    x.address.fill(std::uint64_t(in.imm) + x.frame->localBase);
    return localAccess<isStore>(x, in, m);
}

template <bool isStore>
bool paramAccess(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    const auto row = in.a;
    std::uint32_t offset = std::uint32_t(in.imm);
    if (in.vector == 1 && in.bytes == 4 && in.rowBytes == 4 && offset % 4 == 0) {
        auto* word = rowAt<std::uint32_t>(x, row + offset / 4 * 128);
        auto* reg = rowAt<std::uint32_t>(x, in.dst);
        auto* to = isStore ? word : reg;
        const auto* from = isStore ? reg : word;
        for (int i = 0; i < 32; ++i)
            to[i] = m >> i & 1u ? from[i] : to[i];
        return true;
    }
    const std::uint32_t size = std::uint32_t(in.bytes) * in.vector;
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

Handler loadHandler(AddressSpace space) {
    switch (space) {
    case AddressSpace::Global:
        return &access<AddressSpace::Global, false>;
    case AddressSpace::Shared:
        return &access<AddressSpace::Shared, false>;
    case AddressSpace::Local:
        return &access<AddressSpace::Local, false>;
    case AddressSpace::Const:
        return &access<AddressSpace::Const, false>;
    case AddressSpace::EntryParam:
        return &access<AddressSpace::EntryParam, false>;
    case AddressSpace::Generic:
        return &access<AddressSpace::Generic, false>;
    }
    return nullptr;
}
Handler storeHandler(AddressSpace space) {
    switch (space) {
    case AddressSpace::Global:
        return &access<AddressSpace::Global, true>;
    case AddressSpace::Shared:
        return &access<AddressSpace::Shared, true>;
    case AddressSpace::Local:
        return &access<AddressSpace::Local, true>;
    case AddressSpace::Generic:
        return &access<AddressSpace::Generic, true>;
    default:
        return nullptr;
    }
}
Handler entryParamHandler() {
    return &loadEntryParam;
}
Handler localDirectHandler(bool isStore) {
    return isStore ? &localDirect<true> : &localDirect<false>;
}
Handler localAddressHandler() {
    return &localAddress;
}
Handler paramLoadHandler() {
    return &paramAccess<false>;
}
Handler paramStoreHandler() {
    return &paramAccess<true>;
}

namespace {
// For one lane: where a generic address lies; nullptr if nowhere. Local memory is handled apart.
std::byte* hostPointer(Exec& x, std::uint64_t address, std::uint32_t bytes) {
    switch (windowOf(address)) {
    case Window::Global: {
        Area* area = x.global->find(address, bytes, x.hint);
        return area ? area->data + (address - area->base) : nullptr;
    }
    case Window::Shared: {
        const std::uint64_t at = address - sharedWindow;
        return at + bytes <= x.block->shared.size() ? x.block->shared.data() + at : nullptr;
    }
    default:
        return nullptr;
    }
}
} // namespace

bool readGeneric(Exec& x, int lane, std::uint64_t address, void* to, std::uint32_t bytes) {
    if (windowOf(address) == Window::Local) {
        for (std::uint32_t k = 0; k < bytes; ++k) {
            const std::uint64_t at = localAt(address - localWindow + k, lane);
            if (at >= x.warp->local.size())
                return false;
            static_cast<std::byte*>(to)[k] = x.warp->local[at];
        }
        return true;
    }
    if (windowOf(address) == Window::Const) {
        const std::uint64_t at = address - constWindow;
        if (at + bytes > x.constants->size())
            return false;
        std::memcpy(to, x.constants->data() + at, bytes);
        return true;
    }
    const std::byte* from = hostPointer(x, address, bytes);
    if (from)
        std::memcpy(to, from, bytes);
    return from != nullptr;
}

bool writeGeneric(Exec& x, int lane, std::uint64_t address, const void* from, std::uint32_t bytes) {
    if (windowOf(address) == Window::Local) {
        for (std::uint32_t k = 0; k < bytes; ++k) {
            const std::uint64_t at = localAt(address - localWindow + k, lane);
            if (at >= x.warp->local.size())
                return false;
            x.warp->local[at] = static_cast<const std::byte*>(from)[k];
            x.warp->localWritten[(address - localWindow + k) / 4] |= 1u << lane;
        }
        return true;
    }
    std::byte* to = hostPointer(x, address, bytes);
    if (to)
        std::memcpy(to, from, bytes);
    return to != nullptr;
}

} // namespace warpglass::emulator
