// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/shadow/shadow_memory.h"

#include <algorithm>

namespace warpglass::emulator {

void NoteTable::reset(std::size_t cells) {
    const std::size_t segments = (cells + segmentCells - 1) / segmentCells;
    m_cells.assign(segments * segmentCells, 0);
    m_segments.assign(segments, {});
    m_wholeBits.assign(segments / 64 + 1, ~std::uint64_t(0));
    m_latest = m_latestOther = m_reachesOf = 0;
    m_readBy = severalWarps;
}

void NoteTable::spread(std::size_t segment) {
    Note* const cells = m_cells.data() + segment * segmentCells;
    const Segment whole = m_segments[segment];
    for (std::uint32_t k = 0; k < segmentCells; ++k)
        cells[k] = whole.note + (k >> whole.shift);
    setWhole(segment, false);
}

void NoteTable::putRow(std::size_t cell, std::size_t cells, std::uint32_t shift, Note note) {
    const std::size_t segment = cell / segmentCells;
    told(note);
    Segment& s = m_segments[segment];
    if (cells == segmentCells) {
        if (!s.isWhole)
            setWhole(segment, true);
        s = {note, std::uint16_t(shift), true};
        return;
    }
    if (s.isWhole)
        spread(segment);
    for (std::uint32_t k = 0; k < cells; ++k)
        m_cells[cell + k] = note + (k >> shift);
}

void NoteTable::putReads(std::size_t cell, std::size_t cells, std::uint32_t shift, Note note, Note from, Note epoch) {
    const bool any = anySince(epoch);
    Segment& s = m_segments[cell / segmentCells];
    toldRead(note, epoch);
    if (!any || (s.isWhole && s.note < epoch))
        return putRow(cell, cells, shift, note);
    const auto same = [&](Note bits) { return ((s.at(cell) ^ note) & bits) == 0; };
    if (s.isWhole && !same(NoteBits::warp) && cells == segmentCells) {
        s.note |= NoteBits::others;
        return;
    }
    if (s.isWhole && same(NoteBits::warp) &&
        (note < from || s.note < from || (same(NoteBits::thread | NoteBits::several) && s.shift == shift)))
        return putRow(cell, cells, shift, note | (s.note & NoteBits::others));
    if (s.isWhole)
        spread(cell / segmentCells);
    for (std::uint32_t k = 0; k < cells; ++k) {
        const Note old = m_cells[cell + k], own = note + (k >> shift), differs = old ^ own;
        const bool several = ((old & NoteBits::several) != 0 || (differs & NoteBits::thread) != 0) && note >= from &&
                             old >= from && (differs & NoteBits::warp) == 0;
        m_cells[cell + k] = readAfter(old, own, epoch) | (several ? NoteBits::several : 0);
    }
}

bool NoteTable::anyWhole(SegmentSpan span) const {
    const std::size_t first = span.first / 64, last = span.last / 64;
    const std::uint64_t from = ~std::uint64_t(0) << span.first % 64, to = ~std::uint64_t(0) >> (63 - span.last % 64);
    if (first == last)
        return (m_wholeBits[first] & from & to) != 0;
    std::uint64_t any = (m_wholeBits[first] & from) | (m_wholeBits[last] & to);
    for (std::size_t k = first + 1; k < last; ++k)
        any |= m_wholeBits[k];
    return any != 0;
}

template <NoteTest test>
bool NoteTable::noneWhole(SegmentSpan span, const Bad& bad) const {
    constexpr std::size_t most = 64;
    if (span.last - span.first >= most)
        return false;
    bool all = true;
    for (std::size_t k = span.first; k <= span.last; ++k)
        all &= m_segments[k].isWhole && !isBad(bad.answer<test>(m_segments[k].note, Note(0)));
    return all;
}

template <NoteTest test>
bool NoteTable::none(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words, Note by,
                     const Bad& bad) const {
    if (!anyWhole(words.span)) [[likely]]
        return m_passes->none[std::size_t(test)][words.each / 2](m_cells.data(), lanes, offsets, by, bad);
    if ((test == NoteTest::Never || test == NoteTest::Stored) && noneWhole<test>(words.span, bad))
        return true;
    Note found = 0;
    eachSet(lanes, [&](std::uint32_t lane) {
        for (std::size_t k = 0; k < words.each; ++k)
            found |= bad.answer<test>(at(offsets[lane] / 4 + k), by + lane);
    });
    return !isBad(found);
}

// Where lanes lie close together, those between them, too: else each access that comes the same way would ask its lanes
// for them again.
void NoteTable::spreadUnder(std::uint32_t lanes, const LaneOffsets& offsets, SegmentSpan span) {
    constexpr std::size_t close = 64;
    if (span.last - span.first < close) {
        for (std::size_t segment = span.first; segment <= span.last; ++segment)
            if (m_segments[segment].isWhole)
                spread(segment);
        return;
    }
    eachSet(lanes, [&](std::uint32_t lane) {
        if (const std::size_t cell = offsets[lane] / 4; segment(cell).isWhole)
            spread(cell / segmentCells);
    });
}

void NoteTable::putEach(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words, Note by) {
    if (anyWhole(words.span))
        spreadUnder(lanes, offsets, words.span);
    told(by);
    m_passes->put[words.each / 2](m_cells.data(), lanes, offsets, by);
}

void NoteTable::putEachRead(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words, Note by,
                            Note epoch) {
    if (toldRead(by, epoch))
        return putEach(lanes, offsets, words, by);
    if (anyWhole(words.span))
        spreadUnder(lanes, offsets, words.span);
    m_passes->putReads[words.each / 2](m_cells.data(), lanes, offsets, by, epoch);
}

bool NoteTable::allWritten(const WordColumn& c, const Bad& bad) const {
    constexpr std::uint32_t bytes = 4 * segmentCells;
    if (anyWhole(c))
        return noneWhole<NoteTest::Never>({c.lowest / bytes, (c.lowest + c.span - 1) / bytes}, bad);
    return m_passes->allWritten[c.each / 2](m_cells.data() + c.lowest / 4, *c.above, bad);
}
bool NoteTable::noneStored(const WordColumn& c, const NoteTable* reads, Note by, const Bad& bad) {
    if (anyWhole(c) || (reads && reads->anyWhole(c)))
        return false;
    const std::uint32_t warp = (by & NoteBits::warp) / 32, end = c.lowest + c.span;
    const bool apart = m_latestOther < bad.epoch && reachApart(warp, c.lowest, end, bad.epoch);
    if ((!apart || reads) && !m_passes->noneStored[c.each / 2](
                                 cells(c), reads ? reads->m_cells.data() + c.lowest / 4 : nullptr, *c.above, by, bad))
        return false;
    m_latest = std::max(m_latest, by);
    return true;
}
// Whether it meets the reach of no other warp; the warp's own is as long from now on.
bool NoteTable::reachApart(std::uint32_t warp, std::uint32_t from, std::uint32_t to, Note epoch) {
    if (m_reachesOf != epoch) {
        m_reachesOf = epoch;
        m_reaches.from.fill(std::uint32_t(WrittenPlaces::mostBytes));
        m_reaches.to.fill(0);
        m_apart = 0;
    }
    std::uint32_t &ownFrom = m_reaches.from[warp], &ownTo = m_reaches.to[warp];
    const std::uint32_t bit = 1u << warp;
    if (ownFrom <= from && to <= ownTo && (m_apart & bit) != 0) [[likely]]
        return true;
    ownFrom = std::min(ownFrom, from);
    ownTo = std::max(ownTo, to);
    const bool apart = m_passes->apart(m_reaches, warp, ownFrom, ownTo);
    m_apart = apart ? m_apart | bit : 0; // it may meet any of them
    return apart;
}
bool NoteTable::updateColumn(const WordColumn& c, Note by) {
    if (anyWhole(c))
        return false;
    told(by);
    m_passes->putAbove[c.each / 2](cells(c), *c.above, by);
    return true;
}

// Those that shadow_memory.cpp asks for.
#define WARPGLASS_NONE(test)                                                                                           \
    template bool NoteTable::none<test>(std::uint32_t, const LaneOffsets&, const ScatteredWords&, Note, const Bad&)    \
        const;
WARPGLASS_NONE(NoteTest::Never)
WARPGLASS_NONE(NoteTest::NotBefore)
WARPGLASS_NONE(NoteTest::Read)
WARPGLASS_NONE(NoteTest::Written)
WARPGLASS_NONE(NoteTest::ReadByOthers)
WARPGLASS_NONE(NoteTest::Raised)
WARPGLASS_NONE(NoteTest::Stored)
#undef WARPGLASS_NONE

} // namespace warpglass::emulator
