// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/uninitialised.h"
#include "gpu/emulator/code/dead_loads.h"
#include "gpu/emulator/record/diagnostics.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace warpglass::emulator {

namespace {

// Words [first, last] under an element.
struct Words {
    std::uint64_t first = 0, last = 0;
};
Words wordsOf(const Area& area, std::uint64_t address, std::uint64_t bytes) {
    return {(address - area.base) / 4, (address - area.base + bytes - 1) / 4};
}

bool allWritten(const Area& area, Words w) {
    const std::uint8_t *at = area.written + w.first, *const end = area.written + w.last + 1;
    for (; end - at >= 8; at += 8) { // each byte is 0 or 1
        std::uint64_t eight = 0;
        std::memcpy(&eight, at, sizeof eight);
        if (eight != 0x0101010101010101u)
            return false;
    }
    std::uint8_t all = 1;
    for (; at < end; ++at)
        all &= *at;
    return all != 0;
}

// Whether all of these lie where there is nothing to ask.
bool allBelow(const Exec& x, std::uint32_t m, const Area& area, std::uint32_t bytes) {
    std::uint64_t above = 0; // the highest bit: one does not
    const std::uint64_t last = area.writtenTo - bytes;
    if (area.writtenTo < bytes)
        return false;
    if (m == ~0u)
        for (std::size_t lane = 0; lane < 32; ++lane)
            above |= last - x.address[lane];
    else
        eachLane(m, [&](int lane) { above |= last - x.address[std::size_t(lane)]; });
    return above >> 63 == 0;
}

template <std::size_t element>
bool copies(const Program& program, const Inst& load) {
    return onlyCopied(program, load, element);
}
constexpr Diagnostics::Question copiesElement[] = {copies<0>, copies<1>, copies<2>, copies<3>,
                                                   copies<4>, copies<5>, copies<6>, copies<7>};

// Whether an unwritten word of a load, of which others are written, is a gap of a struct: the rest of an element, or an
// element that is only carried along.
bool isGap(Exec& x, const Inst& in, const Area& area, std::uint64_t address, std::uint64_t word) {
    if (in.memory.bytes > 4 && std::memchr(area.written + word / 2 * 2, 1, 2))
        return true;
    const std::uint64_t element = (area.base + 4 * word - address) / in.memory.bytes;
    return element < std::min<std::size_t>(in.memory.elements, std::size(copiesElement)) &&
           x.diagnostics->ask(copiesElement[element], *x.program, in);
}

// The same where a struct is copied word by word.
bool isGapBehind(Exec& x, const Inst& in, const Area& area, std::uint64_t word) {
    return in.memory.elements == 1 && in.memory.bytes == 4 && word % 2 == 1 && area.written[word - 1] &&
           x.diagnostics->ask(&onlyCopiedAsSecondHalf, *x.program, in);
}

void tellLane(Exec& x, const Inst& in, int lane, const Area& area, std::uint64_t address, std::uint32_t bytes) {
    const Words w = wordsOf(area, address, bytes);
    const bool some = std::memchr(area.written + w.first, 1, w.last - w.first + 1) != nullptr;
    for (std::uint64_t word = w.first; word <= w.last; ++word)
        if (!area.written[word] && usesAny(x, in, address, area.base + 4 * word, 4) &&
            !(some && isGap(x, in, area, address, word)) && !isGapBehind(x, in, area, word)) {
            hintUninitialised(x, in, lane, area.base + 4 * word, MemorySpace::Global);
            return;
        }
}

} // namespace

void watchLoad(Exec& x, const Inst& in, std::uint32_t m, const Area& area, std::uint32_t bytes) {
    if (!x.checkFirstUse || allBelow(x, m, area, bytes))
        return;
    if (bytes <= 4) { // a word each: all of them are asked before anybody is named
        std::uint8_t all = 1;
        eachLane(m, [&](int lane) { all &= area.written[(x.address[std::size_t(lane)] - area.base) / 4]; });
        if (all)
            return;
    }
    eachLane(m, [&](int lane) {
        const std::uint64_t address = x.address[std::size_t(lane)];
        if (!allWritten(area, wordsOf(area, address, bytes)))
            tellLane(x, in, lane, area, address, bytes);
    });
}

void watchLoadedRow(Exec& x, const Inst& in, std::uint32_t m, const Area& area, std::uint64_t address,
                    std::uint32_t bytes, std::uint32_t each) {
    if (x.checkFirstUse && address + bytes > area.writtenTo && !allWritten(area, wordsOf(area, address, bytes)))
        watchLoad(x, in, m, area, each);
}

void watchStore(Exec& x, std::uint32_t m, Area& area, std::uint32_t bytes) {
    if (allBelow(x, m, area, bytes))
        return;
    if (bytes <= 4)
        eachLane(m, [&](int lane) { area.written[(x.address[std::size_t(lane)] - area.base) / 4] = 1; });
    else
        eachLane(m, [&](int lane) { area.noteWritten(x.address[std::size_t(lane)], bytes); });
}

void watchAtomic(Exec& x, const Inst& in, std::uint32_t m, Area& area, std::uint32_t bytes, bool takes) {
    if (allBelow(x, m, area, bytes))
        return;
    if (bytes == 4) {
        std::uint8_t all = 1;
        eachLane(m, [&](int lane) { all &= area.written[(x.address[std::size_t(lane)] - area.base) / 4]; });
        if (all)
            return;
    }
    eachLane(m, [&](int lane) {
        const std::uint64_t address = x.address[std::size_t(lane)];
        if (x.checkFirstUse && !allWritten(area, wordsOf(area, address, bytes)) &&
            (takes || (in.memory.hasResult && !x.diagnostics->ask(&isUnused, *x.program, in))))
            hintUninitialised(x, in, lane, address, MemorySpace::Global);
        area.noteWritten(address, bytes);
    });
}

bool holdsWritten(Exec& x, std::uint64_t address, std::uint64_t bytes) {
    const Area* const area = x.global->find(address, bytes, x.hint);
    if (!area || !area->written || address < area->writtenTo)
        return true;
    const Words w = wordsOf(*area, address, bytes);
    return std::memchr(area->written + w.first, 1, w.last - w.first + 1) != nullptr;
}

void watchCopies(Exec& x, const Inst& in, std::uint32_t m, const std::array<std::uint64_t, 32>& from,
                 std::uint32_t bytes) {
    if (!x.checkFirstUse)
        return;
    eachLane(m, [&](int lane) { // what is written in part may be a struct with gaps
        if (const std::uint64_t address = from[std::size_t(lane)]; !holdsWritten(x, address, bytes))
            hintUninitialised(x, in, lane, address, MemorySpace::Global);
    });
}

} // namespace warpglass::emulator
