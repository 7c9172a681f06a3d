// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/shared_notes.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

void SharedNotes::reset(std::size_t bytes, std::uint32_t grain) {
    m_grain = grain;
    m_cells = (bytes + grain - 1) / grain;
    const std::size_t segments = (m_cells + segmentCells - 1) / segmentCells;
    m_segments.assign(segments, {});
    m_wroteWhole.assign(segments, 1);
    m_readWhole.assign(segments, 1);
    m_writes.assign(segments * segmentCells, {});
    m_reads.assign(segments * segmentCells, {});
}

SharedNotes::Range SharedNotes::range(std::uint64_t offset, std::uint64_t bytes) const {
    const std::size_t first = std::min<std::size_t>(offset / m_grain, m_cells);
    return {first, bytes == 0 ? first : std::min<std::size_t>((offset + bytes - 1) / m_grain + 1, m_cells)};
}

void SharedNotes::spreadWrites(std::size_t segment) {
    const Segment& s = m_segments[segment];
    for (std::size_t k = 0; k < segmentCells; ++k)
        m_writes[segment * segmentCells + k] = ofCell(s.write, s.writeShift, k);
    m_wroteWhole[segment] = 0;
}

void SharedNotes::spreadReads(std::size_t segment) {
    const Segment& s = m_segments[segment];
    for (std::size_t k = 0; k < segmentCells; ++k)
        m_reads[segment * segmentCells + k] = ofCell(s.read, s.readShift, k);
    m_readWhole[segment] = 0;
}

void SharedNotes::writeRow(std::size_t cell, std::size_t cells, std::uint32_t shift, WriteNote note) {
    Segment& s = m_segments[cell / segmentCells];
    if (cells == segmentCells) {
        s.write = note;
        m_wroteWhole[cell / segmentCells] = 1;
        s.writeShift = std::uint8_t(shift);
        return;
    }
    if (m_wroteWhole[cell / segmentCells])
        spreadWrites(cell / segmentCells);
    const std::uint16_t first = note.thread;
    for (std::size_t k = 0; k < cells; ++k) {
        note.thread = std::uint16_t(first + (k >> shift));
        m_writes[cell + k] = note;
    }
}

void SharedNotes::readRow(std::size_t cell, std::size_t cells, std::uint32_t shift, ReadNote note) {
    Segment& s = m_segments[cell / segmentCells];
    if (cells == segmentCells) {
        s.read = note;
        m_readWhole[cell / segmentCells] = 1;
        s.readShift = std::uint8_t(shift);
        return;
    }
    if (m_readWhole[cell / segmentCells])
        spreadReads(cell / segmentCells);
    const std::uint16_t first = note.thread;
    for (std::size_t k = 0; k < cells; ++k) {
        note.thread = std::uint16_t(first + (k >> shift));
        m_reads[cell + k] = note;
    }
}

std::size_t SharedNotes::quietReads(std::size_t first, std::size_t cells, std::uint32_t shift, const ReadNote& by,
                                    std::uint32_t known) {
    for (std::size_t done = 0; done < cells;) {
        const std::size_t cell = first + done, here = std::min(segmentCells - cell % segmentCells, cells - done);
        const Segment& s = m_segments[cell / segmentCells];
        const auto thread = std::uint16_t(by.thread + (done >> shift));
        const auto sameThreads = [&] { // as those that wrote the whole segment
            return s.write.thread + (cell % segmentCells >> s.writeShift) == thread &&
                   (s.writeShift == shift || here == 1);
        };
        if (m_wroteWhole[cell / segmentCells]) {
            if (s.write.epoch < known || (s.write.epoch == by.epoch && !s.write.atomic && !sameThreads()))
                return done;
        } else {
            bool quiet = true;
            for (std::size_t k = 0; k < here; ++k) {
                const WriteNote& w = m_writes[cell + k];
                quiet &= (w.epoch >= known) &
                         ((w.epoch != by.epoch) | w.atomic | (w.thread == std::uint16_t(thread + (k >> shift))));
            }
            if (!quiet)
                return done;
        }
        ReadNote note = by;
        note.thread = thread;
        readRow(cell, here, shift, note);
        done += here;
    }
    return cells;
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
    for (std::size_t done = 0; done < cells;) {
        const std::size_t cell = first + done, here = std::min(segmentCells - cell % segmentCells, cells - done);
        const Segment& s = m_segments[cell / segmentCells];
        const auto thread = std::uint16_t(by.thread + (done >> shift));
        bool quiet = true;
        if (m_wroteWhole[cell / segmentCells])
            quiet = s.write.epoch != by.epoch || (s.write.thread + (cell % segmentCells >> s.writeShift) == thread &&
                                                  (s.writeShift == shift || here == 1));
        else
            for (std::size_t k = 0; k < here; ++k) {
                const WriteNote& w = m_writes[cell + k];
                quiet &= (w.epoch != by.epoch) | (w.thread == std::uint16_t(thread + (k >> shift)));
            }
        if (m_readWhole[cell /
                        segmentCells]) // all of one warp: its threads are neighbours, a segment's worth of them at most
            quiet &= s.read.epoch != by.epoch || s.read.thread / 32u == warp;
        else
            for (std::size_t k = 0; k < here; ++k) {
                const ReadNote& r = m_reads[cell + k];
                quiet &= (r.epoch != by.epoch) | (r.thread / 32u == warp);
            }
        if (!quiet)
            return done;
        WriteNote note = by;
        note.thread = thread;
        writeRow(cell, here, shift, note);
        done += here;
    }
    return cells;
}

std::uint32_t SharedNotes::quietScatteredReads(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                                               const ReadNote& by, std::uint32_t known) {
    const std::uint32_t epoch = by.epoch, at = by.at, thread = by.thread;
    const std::uint8_t *const wroteWhole = m_wroteWhole.data(), *const readWhole = m_readWhole.data();
    const WriteNote* const writes = m_writes.data();
    ReadNote* const reads = m_reads.data();
    std::uint32_t left = 0;
    for (; lanes; lanes &= lanes - 1) {
        const auto lane = std::uint32_t(std::countr_zero(lanes));
        const std::size_t cell = offsets[lane] / 4, segment = cell / segmentCells;
        const std::uint32_t then = wroteWhole[segment] ? m_segments[segment].write.epoch : writes[cell].epoch;
        if (then < known || (then == epoch && written(cell).thread != thread + lane)) {
            left |= lanes & -lanes;
            continue;
        }
        if (readWhole[segment])
            spreadReads(segment);
        ReadNote& note = reads[cell];
        note.epoch = epoch;
        note.at = at;
        note.thread = std::uint16_t(thread + lane);
    }
    return left;
}

std::uint32_t SharedNotes::quietScatteredWrites(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                                                const WriteNote& by) {
    const std::uint32_t epoch = by.epoch, thread = by.thread, warp = thread / 32;
    const std::uint8_t *const wroteWhole = m_wroteWhole.data(), *const readWhole = m_readWhole.data();
    WriteNote* const writes = m_writes.data();
    const ReadNote* const reads = m_reads.data();
    WriteNote note = by;
    std::uint32_t left = 0;
    for (; lanes; lanes &= lanes - 1) {
        const auto lane = std::uint32_t(std::countr_zero(lanes));
        const std::size_t cell = offsets[lane] / 4, segment = cell / segmentCells;
        const std::uint32_t wrote = wroteWhole[segment] ? m_segments[segment].write.epoch : writes[cell].epoch;
        const std::uint32_t had = readWhole[segment] ? m_segments[segment].read.epoch : reads[cell].epoch;
        if ((wrote == epoch && written(cell).thread != thread + lane) ||
            (had == epoch && read(cell).thread / 32u != warp)) {
            left |= lanes & -lanes;
            continue;
        }
        if (wroteWhole[segment])
            spreadWrites(segment);
        note.thread = std::uint16_t(thread + lane);
        writes[cell] = note;
    }
    return left;
}

bool SharedNotes::atomics(std::size_t first, std::size_t cells, std::uint32_t shift, const WriteNote& by) {
    const auto raised = [&](const WriteNote& w) {
        return (w.epoch == by.epoch) & (w.atomic | w.strong) & (w.thread / 32u != by.thread / 32u);
    };
    bool any = false;
    for (std::size_t done = 0; done < cells;) {
        const std::size_t cell = first + done, here = std::min(segmentCells - cell % segmentCells, cells - done);
        const Segment& s = m_segments[cell / segmentCells];
        if (m_wroteWhole[cell / segmentCells])
            any |= raised(s.write);
        else
            for (std::size_t k = 0; k < here; ++k)
                any |= raised(m_writes[cell + k]);
        WriteNote note = by;
        note.thread = std::uint16_t(by.thread + (done >> shift));
        writeRow(cell, here, shift, note);
        done += here;
    }
    return any;
}

} // namespace warpglass::emulator
