// SPDX-License-Identifier: GPL-3.0-or-later
// What the cells of a block's shared memory (4-byte words; bytes in programs that access bytes) have seen since the last
// barrier: who wrote each, who read it, in which epoch and at which instruction.
//
// Most accesses take cell after cell, lane after lane, and cover segments of 32 cells from end to end. Such a segment
// keeps one note for all its cells (whole): the first cell's thread, and how many neighbouring cells belong to one
// thread. Anything else writes the cells' own notes. Writes and reads are whole or not for themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpglass::emulator {

struct alignas(16) WriteNote {
    std::uint32_t epoch = 0;
    std::uint32_t at = 0;     // position in the program
    std::uint16_t thread = 0; // linear in the block
    std::uint16_t sync = 0;   // low bits of the warp's syncEpoch then
    bool atomic = false;
    bool strong = false;      // by a volatile, relaxed or releasing store, as flags are
    std::uint16_t unused = 0; // two words without a gap: each is copied as one
};
struct alignas(16) ReadNote {
    std::uint32_t epoch = 0;
    std::uint32_t at = 0;
    std::uint16_t thread = 0, unused[3] = {};
};

// Segments that an access lies in: from the first to the last, whether it touches those between or not.
struct SegmentSpan {
    std::size_t first = 0, last = 0;
};

// Words that lie scattered, one a lane.
struct ScatteredWords {
    SegmentSpan span;
    bool distinct = false;  // no two lanes have the same; false: not known
    std::uint32_t word = 0; // of each lane's element, which is aligned to its 4, 8 or 16 bytes: the one at hand
};

// Notes of one kind, of all cells.
template <class Note>
class NoteTable {
public:
    static constexpr std::size_t segmentCells = 32;

    void reset(std::size_t cells);
    Note at(std::size_t cell) const {
        const std::size_t segment = cell / segmentCells;
        return m_isWhole[segment] ? ofCell(m_whole[segment], m_shift[segment], cell) : m_cells[cell];
    }
    // Whether there can be a note of this epoch or a later one: most loads and stores stand in a row of their like
    // between two barriers, and need not ask their cells what nobody has done.
    bool anySince(std::uint32_t epoch) const { return m_latest >= epoch; }
    // The epoch alone, which most questions end at.
    std::uint32_t epoch(std::size_t cell) const {
        const std::size_t segment = cell / segmentCells;
        return m_isWhole[segment] ? m_whole[segment].epoch : m_cells[cell].epoch;
    }
    void put(std::size_t cell, const Note& note) {
        if (m_isWhole[cell / segmentCells])
            spread(cell / segmentCells);
        m_cells[cell] = note;
        m_latest = std::max(m_latest, note.epoch);
    }
    // Whether the words at these lanes' offsets were all noted in epochs from `from` to before `to`.
    bool allIn(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets, const ScatteredWords& words,
               std::uint32_t from, std::uint32_t to) const;
    // Whether f(note, lane) holds for the words at these lanes' offsets.
    template <class F>
    bool all(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets, const ScatteredWords& words, F f) const;
    // Whether, of the words of all 32 lanes, bad() is zero; false, too, where some of their segments are whole. Four notes at
    // a time: bad(epochs, threads with the number of the sync above them, flags, lanes).
    template <class F>
    bool noneOfWarp(const std::array<std::uint64_t, 32>& offsets, const ScatteredWords& words, F bad) const;
    // The word of each of these lanes, by thread note.thread + lane. Of lanes with the same word the last one's note stays;
    void putEach(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets, const ScatteredWords& words,
                 const Note& note);
    // the first one's, and the others are given back.
    std::uint32_t putFirst(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                           const ScatteredWords& words, const Note& note);
    // Cells of one segment by neighbouring threads, 2^shift cells a thread.
    void putRow(std::size_t cell, std::size_t cells, std::uint32_t shift, Note note);

    const Note* wholeSegment(std::size_t segment) const { return m_isWhole[segment] ? &m_whole[segment] : nullptr; }
    std::uint32_t shiftOf(std::size_t segment) const { return m_shift[segment]; }
    void putWhole(std::size_t segment, const Note& note, std::uint32_t shift) { // of one that is whole
        m_whole[segment] = note;
        m_shift[segment] = std::uint8_t(shift);
        m_latest = std::max(m_latest, note.epoch);
    }

    // Of the segment that the cell lies in: its one note, or null where each cell has its own.
    const Note* whole(std::size_t cell) const {
        return m_isWhole[cell / segmentCells] ? &m_whole[cell / segmentCells] : nullptr;
    }
    std::uint32_t shift(std::size_t cell) const { return m_shift[cell / segmentCells]; } // of a whole one
    const Note* own(std::size_t cell) const { return m_cells.data() + cell; }            // where it is not whole

private:
    static Note ofCell(Note note, std::uint32_t shift, std::size_t cell) {
        note.thread = std::uint16_t(note.thread + (cell % segmentCells >> shift));
        return note;
    }
    void spread(std::size_t segment); // to its cells
    bool anyWhole(SegmentSpan span) const;
    void setWhole(std::size_t segment, bool whole) {
        const std::uint64_t bit = std::uint64_t(1) << segment % 64;
        m_isWhole[segment] = whole;
        m_wholeBits[segment / 64] = whole ? m_wholeBits[segment / 64] | bit : m_wholeBits[segment / 64] & ~bit;
    }

    std::vector<Note> m_cells, m_whole;           // [cell], [segment]
    std::vector<std::uint8_t> m_isWhole, m_shift; // [segment]
    std::vector<std::uint64_t> m_wholeBits;       // m_isWhole once more, a bit a segment, for questions about many
    std::uint32_t m_latest = 0;                   // epoch of all notes since the reset
};

class SharedNotes {
public:
    // All notes are lost. grain: bytes a cell, 1 or 4.
    void reset(std::size_t bytes, std::uint32_t grain);
    std::uint32_t grain() const { return m_grain; }
    std::uint32_t grainShift() const { return m_grainShift; } // the grain is two to that

    // Cells [first, end) that lie under bytes [offset, offset + bytes), cut at the end of the memory.
    struct Range {
        std::size_t first = 0, end = 0;
    };
    Range range(std::uint64_t offset, std::uint64_t bytes) const;

    WriteNote written(std::size_t cell) const { return m_writes.at(cell); }
    ReadNote read(std::size_t cell) const { return m_reads.at(cell); }
    std::uint32_t writeEpoch(std::size_t cell) const { return m_writes.epoch(cell); }
    std::uint32_t readEpoch(std::size_t cell) const { return m_reads.epoch(cell); }
    void write(std::size_t cell, const WriteNote& note) { m_writes.put(cell, note); }
    void read(std::size_t cell, const ReadNote& note) { m_reads.put(cell, note); }

    // Nearly all accesses of a whole warp: neighbouring threads take 2^shift cells each and cover segments from end to end,
    // which are whole and quiet. False: something else, for those below; nothing is lost by the segments noted so far.
    bool quietWholeReads(std::size_t first, std::size_t cells, std::uint32_t shift, ReadNote by, std::uint32_t known) {
        return eachWhole(first, cells, [&](std::size_t segment) {
            const WriteNote* w = m_writes.wholeSegment(segment);
            if (!w || !m_reads.wholeSegment(segment) || w->epoch < known || w->epoch == by.epoch)
                return false;
            m_reads.putWhole(segment, by, shift);
            by.thread = std::uint16_t(by.thread + (NoteTable<ReadNote>::segmentCells >> shift));
            return true;
        });
    }
    bool quietWholeWrites(std::size_t first, std::size_t cells, std::uint32_t shift, WriteNote by) {
        return eachWhole(first, cells, [&](std::size_t segment) {
            const WriteNote* w = m_writes.wholeSegment(segment);
            const ReadNote* r = m_reads.wholeSegment(segment);
            if (!w || !r || (r->epoch == by.epoch && r->thread / 32u != by.thread / 32u) ||
                (w->epoch == by.epoch && (w->thread != by.thread || m_writes.shiftOf(segment) != shift)))
                return false;
            m_writes.putWhole(segment, by, shift);
            by.thread = std::uint16_t(by.thread + (NoteTable<WriteNote>::segmentCells >> shift));
            return true;
        });
    }
    // Accesses of neighbouring threads to neighbouring cells, 2^shift a thread, from `first` on. They stop at the first
    // segment of which there is something to say, and give the cells noted.
    // A load by these threads: quiet where the cells were written since `known`, and by nobody else in this epoch.
    std::size_t quietReads(std::size_t first, std::size_t cells, std::uint32_t shift, const ReadNote& by,
                           std::uint32_t known);
    // A load of one lane's cells (a segment's worth at most) by all lanes: quiet where nobody wrote in this epoch.
    bool quietBroadcast(std::size_t first, std::size_t cells, const ReadNote& by, std::uint32_t known);
    // A store: quiet where nobody else wrote and no other warp read in this epoch.
    std::size_t quietWrites(std::size_t first, std::size_t cells, std::uint32_t shift, const WriteNote& by);
    // Words (grain 4) of threads by.thread + lane, each of an element at its own offset; the lanes that are not quiet stay.
    std::uint32_t quietScatteredReads(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                                      const ScatteredWords& words, const ReadNote& by, std::uint32_t known);
    std::uint32_t quietScatteredWrites(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                                       const ScatteredWords& words, const WriteNote& by);
    // Such words updated by atomics, each at an offset within the memory; says what atomics() says.
    bool scatteredAtomics(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                          const ScatteredWords& words, const WriteNote& by);
    // The same where nobody asks.
    void scatteredUpdates(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                          const ScatteredWords& words, const WriteNote& by) {
        m_writes.putEach(lanes, offsets, words, by);
    }
    // The first words of elements at these lanes' offsets; lanes: one at least.
    static ScatteredWords scattered(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets);
    // Atomics: never a race. True if one of the cells had been raised as a flag by another warp in this epoch.
    bool atomics(std::size_t first, std::size_t cells, std::uint32_t shift, const WriteNote& by);

private:
    template <class F>
    static bool eachWhole(std::size_t first, std::size_t cells, F f) {
        constexpr std::size_t each = NoteTable<ReadNote>::segmentCells;
        if ((first | cells) % each != 0)
            return false;
        for (std::size_t segment = first / each, end = segment + cells / each; segment < end; ++segment)
            if (!f(segment))
                return false;
        return true;
    }

    NoteTable<WriteNote> m_writes;
    NoteTable<ReadNote> m_reads;
    std::size_t m_cells = 0;
    std::uint32_t m_grain = 4, m_grainShift = 2;
};

} // namespace warpglass::emulator
