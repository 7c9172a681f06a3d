// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/shared_notes.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

template <class Note>
void NoteTable<Note>::reset(std::size_t cells) {
    const std::size_t segments = (cells + segmentCells - 1) / segmentCells;
    m_cells.assign(segments * segmentCells, {});
    m_whole.assign(segments, {});
    m_isWhole.assign(segments, 1);
    m_shift.assign(segments, 0);
}

template <class Note>
void NoteTable<Note>::spread(std::size_t segment) {
    for (std::size_t k = 0; k < segmentCells; ++k)
        m_cells[segment * segmentCells + k] = ofCell(m_whole[segment], m_shift[segment], k);
    m_isWhole[segment] = 0;
}

template <class Note>
void NoteTable<Note>::putRow(std::size_t cell, std::size_t cells, std::uint32_t shift, Note note) {
    const std::size_t segment = cell / segmentCells;
    if (cells == segmentCells) {
        m_whole[segment] = note;
        m_isWhole[segment] = 1;
        m_shift[segment] = std::uint8_t(shift);
        return;
    }
    if (m_isWhole[segment])
        spread(segment);
    const std::uint16_t first = note.thread;
    for (std::size_t k = 0; k < cells; ++k) {
        note.thread = std::uint16_t(first + (k >> shift));
        m_cells[cell + k] = note;
    }
}

namespace {

constexpr std::size_t segmentCells = NoteTable<ReadNote>::segmentCells;

// Calls f(first cell, cells, those before them) for each segment of a row until it says no; the cells that were done.
template <class F>
std::size_t eachSegment(std::size_t first, std::size_t cells, F f) {
    for (std::size_t done = 0; done < cells;) {
        const std::size_t cell = first + done, here = std::min(segmentCells - cell % segmentCells, cells - done);
        if (!f(cell, here, done))
            return done;
        done += here;
    }
    return cells;
}

// Whether the threads of a row are those that wrote a whole segment.
bool sameThreads(const WriteNote& whole, std::uint32_t wholeShift, std::size_t cell, std::size_t cells,
                 std::uint32_t shift, std::uint16_t thread) {
    return whole.thread + (cell % segmentCells >> wholeShift) == thread && (wholeShift == shift || cells == 1);
}

} // namespace

void SharedNotes::reset(std::size_t bytes, std::uint32_t grain) {
    m_grain = grain;
    m_cells = (bytes + grain - 1) / grain;
    m_writes.reset(m_cells);
    m_reads.reset(m_cells);
}

SharedNotes::Range SharedNotes::range(std::uint64_t offset, std::uint64_t bytes) const {
    const std::size_t first = std::min<std::size_t>(offset / m_grain, m_cells);
    return {first, bytes == 0 ? first : std::min<std::size_t>((offset + bytes - 1) / m_grain + 1, m_cells)};
}

std::size_t SharedNotes::quietReads(std::size_t first, std::size_t cells, std::uint32_t shift, const ReadNote& by,
                                    std::uint32_t known) {
    return eachSegment(first, cells, [&](std::size_t cell, std::size_t here, std::size_t before) {
        ReadNote note = by;
        note.thread = std::uint16_t(by.thread + (before >> shift));
        bool quiet = true;
        if (const WriteNote* w = m_writes.whole(cell)) {
            quiet = w->epoch >= known && (w->epoch != by.epoch || w->atomic ||
                                          sameThreads(*w, m_writes.shift(cell), cell, here, shift, note.thread));
        } else {
            const WriteNote* own = m_writes.own(cell);
            for (std::size_t k = 0; k < here; ++k)
                quiet &= (own[k].epoch >= known) & ((own[k].epoch != by.epoch) | own[k].atomic |
                                                    (own[k].thread == std::uint16_t(note.thread + (k >> shift))));
        }
        if (quiet)
            m_reads.putRow(cell, here, shift, note);
        return quiet;
    });
}

bool SharedNotes::quietBroadcast(std::size_t first, std::size_t cells, const ReadNote& by, std::uint32_t known) {
    for (std::size_t cell = first; cell < first + cells; ++cell) {
        const std::uint32_t epoch = writeEpoch(cell);
        if (epoch < known || (epoch == by.epoch && !written(cell).atomic))
            return false;
    }
    for (std::size_t cell = first; cell < first + cells; ++cell)
        read(cell, by);
    return true;
}

std::size_t SharedNotes::quietWrites(std::size_t first, std::size_t cells, std::uint32_t shift, const WriteNote& by) {
    const std::uint32_t warp = by.thread / 32u;
    return eachSegment(first, cells, [&](std::size_t cell, std::size_t here, std::size_t before) {
        WriteNote note = by;
        note.thread = std::uint16_t(by.thread + (before >> shift));
        bool quiet = true;
        if (const WriteNote* w = m_writes.whole(cell)) {
            quiet = w->epoch != by.epoch || sameThreads(*w, m_writes.shift(cell), cell, here, shift, note.thread);
        } else {
            const WriteNote* own = m_writes.own(cell);
            for (std::size_t k = 0; k < here; ++k)
                quiet &= (own[k].epoch != by.epoch) | (own[k].thread == std::uint16_t(note.thread + (k >> shift)));
        }
        if (const ReadNote* r = m_reads.whole(cell)) { // all of one warp: its threads are neighbours
            quiet &= r->epoch != by.epoch || r->thread / 32u == warp;
        } else {
            const ReadNote* own = m_reads.own(cell);
            for (std::size_t k = 0; k < here; ++k)
                quiet &= (own[k].epoch != by.epoch) | (own[k].thread / 32u == warp);
        }
        if (quiet)
            m_writes.putRow(cell, here, shift, note);
        return quiet;
    });
}

std::uint32_t SharedNotes::quietScatteredReads(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                                               const ReadNote& by, std::uint32_t known) {
    std::uint32_t left = 0;
    ReadNote note = by;
    for (; lanes; lanes &= lanes - 1) {
        const auto lane = std::uint32_t(std::countr_zero(lanes));
        const std::size_t cell = offsets[lane] / 4;
        note.thread = std::uint16_t(by.thread + lane);
        const std::uint32_t then = m_writes.epoch(cell);
        if (then < known || (then == note.epoch && written(cell).thread != note.thread))
            left |= lanes & -lanes;
        else
            m_reads.put(cell, note);
    }
    return left;
}

std::uint32_t SharedNotes::quietScatteredWrites(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                                                const WriteNote& by) {
    const std::uint32_t warp = by.thread / 32u;
    std::uint32_t left = 0;
    WriteNote note = by;
    for (; lanes; lanes &= lanes - 1) {
        const auto lane = std::uint32_t(std::countr_zero(lanes));
        const std::size_t cell = offsets[lane] / 4;
        note.thread = std::uint16_t(by.thread + lane);
        if ((m_writes.epoch(cell) == note.epoch && written(cell).thread != note.thread) ||
            (m_reads.epoch(cell) == note.epoch && read(cell).thread / 32u != warp))
            left |= lanes & -lanes;
        else
            m_writes.put(cell, note);
    }
    return left;
}

bool SharedNotes::atomics(std::size_t first, std::size_t cells, std::uint32_t shift, const WriteNote& by) {
    const auto raised = [&](const WriteNote& w) {
        return (w.epoch == by.epoch) & (w.atomic | w.strong) & (w.thread / 32u != by.thread / 32u);
    };
    bool any = false;
    eachSegment(first, cells, [&](std::size_t cell, std::size_t here, std::size_t before) {
        if (const WriteNote* w = m_writes.whole(cell))
            any |= raised(*w);
        else
            any |= std::any_of(m_writes.own(cell), m_writes.own(cell) + here, raised);
        WriteNote note = by;
        note.thread = std::uint16_t(by.thread + (before >> shift));
        m_writes.putRow(cell, here, shift, note);
        return true;
    });
    return any;
}

template class NoteTable<WriteNote>;
template class NoteTable<ReadNote>;

} // namespace warpglass::emulator
