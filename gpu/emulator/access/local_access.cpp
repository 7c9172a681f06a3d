// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/local_access.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/watch/declared_bounds.h"
#include "gpu/emulator/watch/discarded_loads.h"

namespace warpglass::emulator {

namespace {

// Of a word that these lanes load, and those that have written it.
bool asksForUnwritten(const Exec& x, std::uint32_t m, std::uint32_t written) {
    return (m & ~written) != 0 && x.checkMemory;
}

// All lanes at the same place of their own memory, as compilers make nearly all accesses: each word of the thread lies
// beside those of its neighbours, so that a word of a warp is one row. False: not such an access, nothing was done.
template <bool isStore>
bool sameWords(Exec& x, const Inst& in, std::uint32_t m, std::uint32_t size, std::uint64_t limit) {
    const std::uint64_t at = x.address[std::size_t(std::countr_zero(m))];
    if (in.memory.bytes < 4 || in.memory.bytes > 8 || in.memory.isSigned || at > limit || limit - at < size ||
        !staysInLocal(x, in, at, size) || !isAligned(at, size) || !x.passes->atOne(x, m))
        return false;
    const LocalMemory::Words there = x.warp->local.words(at, size);
    if (!there) [[unlikely]]
        return false;
    const std::uint32_t words = size / 4;
    for (std::uint32_t k = 0; k < words; ++k) {
        if (isStore)
            there.written[k] |= m;
        else if (asksForUnwritten(x, m, there.written[k]))
            return false;
    }
    const Row* rows = dataRows(x, in);
    std::uint32_t* word = there.values;
    for (std::uint32_t v = 0; v < in.memory.elements; ++v, word += in.memory.bytes / 4 * 32) {
        if (rows[v] == noRow)
            continue;
        std::uint32_t *low = word, *high = word + 32;
        auto* row4 = rowAt<std::uint32_t>(x, rows[v]);
        auto* row8 = rowAt<std::uint64_t>(x, rows[v]);
        if (in.memory.bytes == 8 && isStore) {
            storeLanes(x, m, low, [=](int i) { return std::uint32_t(row8[i]); });
            storeLanes(x, m, high, [=](int i) { return std::uint32_t(row8[i] >> 32); });
        } else if (in.memory.bytes == 8) {
            storeLanes(x, m, row8, [=](int i) { return low[i] | std::uint64_t(high[i]) << 32; });
        } else if (isStore && in.memory.rowBytes == 8) {
            storeLanes(x, m, low, [=](int i) { return std::uint32_t(row8[i]); });
        } else if (isStore) {
            storeLanes(x, m, low, [=](int i) { return row4[i]; });
        } else if (in.memory.rowBytes == 8) {
            storeLanes(x, m, row8, [=](int i) { return low[i]; });
        } else {
            storeLanes(x, m, row4, [=](int i) { return low[i]; });
        }
    }
    beginAccess(x, m, size, MemorySpace::Local, isStore ? AccessKind::Store : AccessKind::Load);
    // A word of the warp is a line; its lanes' sectors are those of eight neighbours.
    x.access.bytesDistinct = 4 * std::uint32_t(std::popcount(m)) * words;
    x.access.sectors = partsServed(m, 16) * words;
    x.access.lines = words;
    countAccess(x, in);
    return true;
}

// A word of each lane, at places of their own: an array that is indexed by what was computed. physical: [lane], where it
// lies in the warp's local memory. False: something else, or a lane's word may not be taken; nothing was done.
template <bool isStore>
bool ownWords(Exec& x, const Inst& in, std::uint32_t m, Stretch own, std::array<std::uint64_t, 32>& physical) {
    if (in.memory.bytes != 4 || in.memory.elements != 1 || in.memory.rowBytes != 4)
        return false;
    LocalMemory& local = x.warp->local;
    const Reach reach = local.each(x.address, m, own, physical);
    const Row row = dataRows(x, in)[0];
    if (!reach || row == noRow)
        return false;
    auto* const values = rowAt<std::uint32_t>(x, row);
    if (isStore) {
        eachLane(m, [&](int lane) {
            const std::uint64_t place = physical[std::size_t(lane)];
            std::memcpy(reach.at(place), values + lane, 4);
            local.writtenAt(place) |= 1u << lane;
        });
        return true;
    }
    std::array<std::uint32_t, 32> loaded;
    std::uint32_t written = ~0u;
    everyLane(m, [&](std::size_t lane) {
        std::memcpy(&loaded[lane], reach.at(physical[lane]), 4);
        written &= local.writtenAt(physical[lane]) >> lane;
    });
    if (asksForUnwritten(x, 1, written))
        return false;
    storeLanes(x, m, values, [&](int lane) { return loaded[std::size_t(lane)]; });
    return true;
}

// Less than a word of each lane, all at the same place of their own memory: parts of a row of words.
template <bool isStore>
bool samePart(Exec& x, const Inst& in, std::uint32_t m, std::uint64_t limit) {
    const std::uint64_t at = x.address[std::size_t(std::countr_zero(m))];
    const std::uint32_t bytes = in.memory.bytes;
    const Row row = dataRows(x, in)[0];
    if (bytes > 2 || in.memory.elements != 1 || in.memory.rowBytes != 4 || row == noRow || at > limit ||
        limit - at < bytes || !staysInLocal(x, in, at, bytes) || !isAligned(at, bytes) || !x.passes->atOne(x, m))
        return false;
    const LocalMemory::Words there = x.warp->local.words(at, bytes);
    if (!there) [[unlikely]]
        return false;
    std::uint32_t& written = *there.written;
    if (!isStore && asksForUnwritten(x, m, written))
        return false;
    std::uint32_t* const words = there.values;
    auto* const values = rowAt<std::uint32_t>(x, row);
    const auto shift = std::uint32_t(at % 4) * 8, rest = 32 - 8 * bytes, part = (~0u >> rest) << shift;
    if constexpr (isStore) {
        written |= m;
        storeLanes(x, m, words, [=](int i) { return (words[i] & ~part) | (values[i] << shift & part); });
    } else if (in.memory.isSigned) {
        storeLanes(x, m, values, [=](int i) { return std::uint32_t(std::int32_t(words[i] >> shift << rest) >> rest); });
    } else {
        storeLanes(x, m, values, [=](int i) { return words[i] >> shift << rest >> rest; });
    }
    beginAccess(x, m, bytes, MemorySpace::Local, isStore ? AccessKind::Store : AccessKind::Load);
    x.access.bytesDistinct = bytes * std::uint32_t(std::popcount(m));
    x.access.sectors = partsServed(m, 16);
    x.access.lines = 1;
    countAccess(x, in);
    return true;
}

} // namespace

std::uint64_t localLimit(const Exec& x) {
    const FunctionCode& code = x.program->functions[x.frame->function];
    return code.stackRow == noRow ? x.frame->localBase + code.localBytes : stackTop(x);
}

template <bool isStore>
bool localAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    LocalMemory& local = x.warp->local;
    const std::uint64_t limit = localLimit(x);
    if (sameWords<isStore>(x, in, m, size, limit) || samePart<isStore>(x, in, m, limit))
        return true;
    const Stretch own = ownLocal(x, in, limit);
    std::array<std::uint64_t, 32> physical{};
    bool told = false;
    for (std::uint32_t rest = ownWords<isStore>(x, in, m, own, physical) ? 0 : m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t at = x.address[std::size_t(lane)];
        if (!told && !own.holds(at, size)) [[unlikely]] {
            told = true;
            if (in.memory.bound == Bound::Local)
                tellOutside(x, in, rest);
        }
        const LocalMemory::Words there =
            at <= limit && limit - at >= size ? local.words(at, size) : LocalMemory::Words{};
        if (!there) [[unlikely]]
            return faultAccess(x, in, lane, at, size, MemorySpace::Local, limit, kind);
        if (!isAligned(at, size)) [[unlikely]]
            return faultMisaligned(x, in, lane, at, size);
        physical[std::size_t(lane)] = LocalMemory::placeOf(at, lane);
        const auto part = [&](std::uint32_t k) { return reinterpret_cast<std::byte*>(there.values + 8 * k + lane); };
        std::byte pieces[32];
        if (isStore) {
            if (size == sizeof pieces) // a vector that may leave elements out: they stay as they are
                for (std::uint32_t k = 0; k < size; k += 4)
                    std::memcpy(pieces + k, part(k), 4);
            storeElements(x, in, lane, pieces);
        }
        if (size <= 4) {
            std::byte* p = part(0) + at % 4;
            std::memcpy(isStore ? p : pieces, isStore ? pieces : p, size);
        } else {
            for (std::uint32_t k = 0; k < size; k += 4) {
                std::byte* p = part(k);
                std::memcpy(isStore ? p : pieces + k, isStore ? pieces + k : p, 4);
            }
        }
        if (!isStore)
            loadElements(x, in, lane, pieces);
        for (std::uint64_t k = at / 4; k <= (at + size - 1) / 4; ++k) {
            std::uint32_t& written = there.written[k - at / 4];
            if (isStore)
                written |= 1u << lane;
            else if (asksForUnwritten(x, 1u << lane, written) && usesAny(x, in, at, 4 * k, 4)) {
                if (!x.diagnostics->passesOn(*x.program, in) && !throwsAway(x, in, lane))
                    hintUninitialised(x, in, lane, at, MemorySpace::Local);
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
    const std::uint32_t m = activeMask(x, in);
    if (in.memory.rowBytes == 8)
        storeLanes(x, m, rowAt<std::uint64_t>(x, in.dst), [=](int) { return address; });
    else
        storeLanes(x, m, rowAt<std::uint32_t>(x, in.dst), [=](int) { return address; });
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
    return serveFound<&localAccess<isStore>>(x, in, m);
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
