// SPDX-License-Identifier: GPL-3.0-or-later
// What the cells of a block's shared memory (4-byte words; bytes in programs that access bytes) have seen: who wrote each
// last, who read it last, in which epoch and at which instruction.
//
// A note is one word, so that a vector holds those of four neighbours and a column costs few lines of the cache: the
// thread, how it wrote, and above these a number that grows. What the number stands for is kept for this epoch's notes
// alone. Of older ones nobody asks more than whether they are this block's, which the number itself tells.
//
// Most accesses take cell after cell, lane after lane, and cover segments of 32 cells from end to end. Such a segment
// keeps one note for all its cells (whole): the first cell's thread, and how many neighbouring cells belong to one
// thread. Anything else writes the cells' own notes. Writes and reads are whole or not for themselves.
//
// Of reads nobody asks beyond their epoch, and in most epochs nobody asks at all: what was read between two barriers is
// asked for by the stores between the same two. Quiet reads are therefore put down one behind the other (m_log), and
// brought to their cells only when a store comes; with the epoch they go.
#pragma once

#include "gpu/emulator/shadow/note_forms.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpglass::emulator {

constexpr bool isBad(Note answer) { // of Bad, that of a note alone
    return answer >> 31 != 0;
}
template <class F>
[[gnu::always_inline]] inline void eachSet(std::uint32_t m, F f) {
    for (; m; m &= m - 1)
        f(std::uint32_t(std::countr_zero(m)));
}

// Notes of one kind, of all cells.
class NoteTable {
public:
    static constexpr std::size_t segmentCells = 32;
    struct Segment {
        Note note = 0; // if it is whole: the first cell's; each 2^shift cells have the next thread's
        std::uint16_t shift = 0;
        bool isWhole = true;
        Note at(std::size_t cell) const { return note + Note(cell % segmentCells >> shift); }
    };

    void reset(std::size_t cells);
    Note at(std::size_t cell) const {
        const Segment& s = segment(cell);
        return s.isWhole ? s.at(cell) : m_cells[cell];
    }
    // Whether there can be such a note or a later one: most loads and stores stand in a row of their like between two
    // barriers, and need not ask their cells what nobody has done.
    bool anySince(Note from) const { return m_latest >= from; }
    void put(std::size_t cell, Note note) {
        if (segment(cell).isWhole)
            spread(cell / segmentCells);
        m_cells[cell] = note;
        told(note);
    }
    void putRead(std::size_t cell, Note note, Note epoch) {
        toldRead(note, epoch);
        put(cell, readAfter(at(cell), note, epoch));
    }
    // Whether the test holds for none of the words of these lanes; lane 0's own note is `by`.
    template <NoteTest test>
    bool none(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words, Note by,
              const Bad& bad) const;
    // The words of each of these lanes: by + lane. Where lanes have the same words the last one's stays.
    void putEach(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words, Note by);
    void putEachRead(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words, Note by, Note epoch);
    // A row of 32 words from a cell on, of which the lanes are asked or put whose bits are set, after its segments were
    // spread to their cells.
    void spreadRow(std::size_t cell) {
        for (const std::size_t s : {cell / segmentCells, (cell + 31) / segmentCells})
            if (m_segments[s].isWhole)
                spread(s);
    }
    template <NoteTest test>
    bool noneOfPart(std::size_t cell, const std::uint32_t* bits, Note by, const Bad& bad) const {
        return m_passes->noneOfPart[std::size_t(test)](m_cells.data() + cell, bits, by, bad);
    }
    void putPart(std::size_t cell, const std::uint32_t* bits, Note by) {
        told(by);
        m_passes->putPart(m_cells.data() + cell, bits, by);
    }
    void putReadsOfPart(std::size_t cell, const std::uint32_t* bits, Note by, Note epoch) {
        if (toldRead(by, epoch))
            m_passes->putPart(m_cells.data() + cell, bits, by);
        else
            m_passes->putReadsOfPart(m_cells.data() + cell, bits, by, epoch);
    }
    // For columns whose segments are all whole, or none of them. False: some are, or there is something to say.
    bool allWritten(const WordColumn& c, const Bad& bad) const;
    // For columns without whole segments. reads: nullptr, nobody did since. False: there are some, and nothing is done; too, if there is something to say. If it is true, by is to be put at cells().
    bool noneStored(const WordColumn& c, const NoteTable* reads, Note by, const Bad& bad);
    Note* cells(const WordColumn& c) { return m_cells.data() + c.lowest / 4; }
    const NotePasses& passes() const { return *m_passes; }
    bool updateColumn(const WordColumn& c, Note by);
    // Cells of one segment by neighbouring threads, 2^shift cells a thread.
    void putRow(std::size_t cell, std::size_t cells, std::uint32_t shift, Note note);
    // The same of reads. Where other lanes of the warp have read, from that note on, this stays known.
    void putReads(std::size_t cell, std::size_t cells, std::uint32_t shift, Note note, Note from, Note epoch);

    // From the one on that the cell lies in. Who writes to whole ones tells of the latest note.
    const Segment* segments(std::size_t cell) const { return m_segments.data() + cell / segmentCells; }
    Segment* segments(std::size_t cell) { return m_segments.data() + cell / segmentCells; }
    const Segment& segment(std::size_t cell) const { return m_segments[cell / segmentCells]; }
    void told(Note note) { m_latest = m_latestOther = std::max(m_latest, note); }
    // The same of a read. True: no other warp has read in this epoch.
    bool toldRead(Note note, Note epoch) {
        const Note warp = note & NoteBits::warp;
        m_readBy = m_latest < epoch || m_readBy == warp ? warp : severalWarps;
        told(note);
        return m_readBy == warp;
    }
    const Note* own(std::size_t cell) const { return m_cells.data() + cell; } // where the segment is not whole

    template <class F>
    void each(F f) {                                // of all notes, which may change them
        m_latest = m_latestOther = m_reachesOf = 0; // what reaches were noted is lost: all notes are told of as others
        for (Note& n : m_cells) {
            f(n);
            told(n);
        }
        for (Segment& s : m_segments) {
            f(s.note);
            told(s.note);
        }
    }

private:
    bool reachApart(std::uint32_t warp, std::uint32_t from, std::uint32_t to, Note epoch);
    void spread(std::size_t segment); // to its cells
    void spreadUnder(std::uint32_t lanes, const LaneOffsets& offsets, SegmentSpan span);
    bool anyWhole(SegmentSpan span) const;
    // Whether the test, which does not ask who it was, holds for none of the segments, all of them whole. False: perhaps.
    template <NoteTest test>
    bool noneWhole(SegmentSpan span, const Bad& bad) const;
    bool anyWhole(const WordColumn& c) const {
        constexpr std::uint32_t bytes = 4 * segmentCells;
        return anyWhole({c.lowest / bytes, (c.lowest + c.span - 1) / bytes});
    }
    void setWhole(std::size_t segment, bool whole) {
        const std::uint64_t bit = std::uint64_t(1) << segment % 64;
        m_segments[segment].isWhole = whole;
        m_wholeBits[segment / 64] = whole ? m_wholeBits[segment / 64] | bit : m_wholeBits[segment / 64] & ~bit;
    }

    std::vector<Note> m_cells;
    std::vector<Segment> m_segments;
    std::vector<std::uint64_t> m_wholeBits; // isWhole once more, a bit a segment, for questions about many
    Note m_latest = 0;                      // at least all notes since the reset
    Note m_latestOther = 0;                 // at least all but those of columns that were stored
    static constexpr Note severalWarps = ~Note(0);
    Note m_readBy = severalWarps; // of reads: the only warp that did since m_latest began to be of this epoch
    // Where these are, since the note m_reachesOf. Threads that store to records of their own, a warp's behind another's,
    // need not ask word by word who else did.
    WarpReaches m_reaches{};
    Note m_reachesOf = 0;
    std::uint32_t m_apart = 0; // the warps whose reach is known to meet none of the others'
    const NotePasses* m_passes = &notePasses();
};

class SharedNotes {
public:
    // All notes are lost. grain: bytes a cell, 1 or 4.
    void reset(std::size_t bytes, std::uint32_t grain);
    std::uint32_t grain() const { return m_grain; }
    std::uint32_t grainShift() const { return m_grainShift; } // the grain is two to that

    void beginBlock() {     // whose notes are those from now on; in an epoch of its own
        m_block = m_next++; // that number is of what came by copies
        m_epochStart = m_next;
        m_whats.clear();
        m_lookedBy.clear();
        m_past.clear();
        m_log.clear();
        ++m_life;
    }
    void enter(std::uint32_t epoch) { // which notes and questions are of from now on; it only grows
        if (epoch != m_epoch)
            beginEpoch(epoch);
    }
    // The note of such an access by this thread, to be used until the next one is made.
    Note note(std::uint32_t at, std::uint32_t thread, std::uint16_t sync = 0, bool atomic = false,
              bool strong = false) {
        return numberOf(at | std::uint64_t(sync) << 32) << NoteBits::shift | thread | (atomic ? NoteBits::atomic : 0) |
               (strong ? NoteBits::strong : 0);
    }

    // The same of a read: such reads of the warp before and behind a place where its lanes met have different numbers.
    Note readNote(std::uint32_t at, std::uint32_t warp) {
        return numberOf(at, m_met[warp]) << NoteBits::shift | warp * 32;
    }
    // The lanes of the warp meet: what they have read is read.
    void meet(std::uint32_t warp) { m_met[warp] = m_next; }
    // The first note that reads of this warp can have since then.
    Note unmet(std::uint32_t warp) const { return m_met[warp] << NoteBits::shift; }

    // From now on notes keep what they stand for when their epoch is over, as far back as there is room: for who asks
    // behind a barrier who wrote before it.
    void keepPast() { m_keepsPast = true; }
    // The note of the cell's last write as it is, to be held against those below, which grow with time.
    Note lastWrite(std::size_t cell) const { return m_writes.at(cell); }
    Note firstOfBlock() const { return blockStart(); }
    Note firstOfEpoch() const { return epochStart(); }
    Note nextOne() const { return m_next << NoteBits::shift; } // no note until now is as large
    // Whether any cell can have been written, or read, by such a note or a later one.
    bool anyWrittenSince(Note from) const { return m_writes.anySince(from); }
    bool anyReadSince(Note from) {
        bringReads();
        return m_reads.anySince(from);
    }
    // The largest note of writes in these cells, and whether some have none of this block.
    struct Latest {
        Note note = 0;
        bool someNever = false;
    };
    Latest latestWrite(std::size_t first, std::size_t end) const;
    // Where in the program such a write of this block was done, if that is still known.
    std::optional<std::uint32_t> positionOf(Note note) const;
    // What is done from now on has other notes than before.
    void beginAnew() { m_likely.fill({}); }
    std::uint32_t renumberings() const { return m_renumberings; } // notes of before are not to be held against others

    // Cells [first, end) that lie under bytes [offset, offset + bytes), cut at the end of the memory.
    struct Range {
        std::size_t first = 0, end = 0;
    };
    Range range(std::uint64_t offset, std::uint64_t bytes) const;

    WriteNote written(std::size_t cell) const;
    ReadNote read(std::size_t cell);
    void write(std::size_t cell, Note by) { m_writes.put(cell, by); }
    void write(std::size_t cell, const WriteNote& n) { // now or never
        m_life += n.when == Noted::Never;
        m_writes.put(cell, n.when == Noted::Never ? 0 : note(n.at, n.thread, n.sync, n.atomic, n.strong));
    }
    void read(std::size_t cell, Note by) {
        bringReads();
        m_reads.putRead(cell, by, epochStart());
    }
    // All reads to their cells; before the distances of scattered words that were given become others.
    void bringReads() {
        if (!m_log.empty())
            bringLog();
    }

    // Nearly all accesses of a whole warp: neighbouring threads take 2^shift cells each and cover segments from end to end,
    // which are whole and quiet. False: something else, for those below; nothing is lost by the segments noted so far.
    bool quietWholeReads(std::size_t first, std::size_t cells, std::uint32_t shift, Note by) {
        const auto isQuiet = [block = blockStart(), epoch = epochStart()](const auto& w) {
            return w.isWhole && w.note >= block && w.note < epoch;
        };
        if (m_later) {
            const bool quiet = eachWhole(first, cells, [&](auto& w, auto&) { return isQuiet(w); });
            if (quiet)
                putLater({nullptr, std::uint32_t(first), std::uint32_t(cells), shift, by});
            return quiet;
        }
        const Note from = unmetSince(by), epoch = epochStart();
        const bool again = m_reads.anySince(epoch);
        m_reads.toldRead(by, epoch);
        return eachWhole(first, cells, [&](auto& w, auto& r) {
            if (!r.isWhole || !isQuiet(w))
                return false;
            const bool now = again && r.note >= epoch, ofAnother = now && ((r.note ^ by) & NoteBits::warp) != 0;
            if (now && !ofAnother && r.note >= from &&
                (((r.note ^ by) & (NoteBits::thread | NoteBits::several)) != 0 || r.shift != shift))
                return false;
            if (ofAnother)
                r.note |= NoteBits::others;
            else
                r = {by | (now ? r.note & NoteBits::others : 0), std::uint16_t(shift), true};
            by += Note(NoteTable::segmentCells >> shift);
            return true;
        });
    }
    bool quietWholeWrites(std::size_t first, std::size_t cells, std::uint32_t shift, Note by) {
        takeReads();
        m_writes.told(by);
        const Note met = unmet((by & NoteBits::warp) / 32);
        return eachWhole(first, cells, [&, epoch = epochStart()](auto& w, auto& r) {
            if (!w.isWhole || !r.isWhole ||
                (r.note >= epoch && (((r.note ^ by) & NoteBits::warp) != 0 || (r.note & NoteBits::others) != 0)) ||
                (r.note >= epoch && r.note >= met &&
                 (((r.note ^ by) & NoteBits::thread) != 0 || (r.note & NoteBits::several) != 0 || r.shift != shift)) ||
                (w.note >= epoch && (((w.note ^ by) & NoteBits::thread) != 0 || w.shift != shift)))
                return false;
            w = {by, std::uint16_t(shift), true};
            by += Note(NoteTable::segmentCells >> shift);
            return true;
        });
    }
    // Accesses of neighbouring threads to neighbouring cells, 2^shift a thread, from `first` on. They stop at the first
    // segment of which there is something to say, and give the cells noted.
    // A load by these threads: quiet where the cells were written in this block, and by nobody else in this epoch but
    // atomics of the warp.
    // strong: by one that may see flags, as which atomics count, too.
    std::size_t quietReads(std::size_t first, std::size_t cells, std::uint32_t shift, Note by, bool strong = false);
    // A load of one lane's cells (a segment's worth at most) by all lanes: quiet where nobody wrote in this epoch but atomics
    // of the warp.
    bool quietBroadcast(std::size_t first, std::size_t cells, Note by);
    // A store: quiet where nobody else wrote and no other warp read in this epoch.
    std::size_t quietWrites(std::size_t first, std::size_t cells, std::uint32_t shift, Note by);
    // Words (grain 4) of threads by + lane, each of an element at its own offset; the lanes that are not quiet stay.
    std::uint32_t quietScatteredReads(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words,
                                      Note by);
    // Where lanes store to the same words the last one's notes stay: a warp does not race with itself.
    std::uint32_t quietScatteredWrites(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words,
                                       Note by);
    // The same of neighbouring words from a cell on, of the lanes whose bits are set. False: not all are quiet, and nothing is
    // noted.
    bool quietPartReads(std::size_t cell, std::uint32_t lanes, const std::uint32_t* bits, Note by);
    bool quietPartWrites(std::size_t cell, const std::uint32_t* bits, Note by);
    // Such words updated by atomics, each at an offset within the memory; says what atomics() says.
    bool scatteredAtomics(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words, Note by);
    // The same where nobody asks.
    void scatteredUpdates(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words, Note by) {
        m_writes.putEach(lanes, offsets, words, by);
    }
    // The quiet ones of these, where it is simple to find that they are. False: nothing is done.
    bool columnRead(const WordColumn& c, Note by) {
        if (!m_later || m_writes.anySince(epochStart()))
            return false;
        if (!c.written->has(c.lowest, m_life)) {
            if (!m_writes.allWritten(c, {blockStart(), epochStart()}))
                return false;
            c.written->keep(c.lowest, m_life);
        }
        putLater({c.distance, c.first, ~0u, c.each, by});
        return true;
    }
    // If it is true, the store puts the notes itself.
    bool columnStored(const WordColumn& c, Note by, StoreNotes& notes) {
        takeReads();
        const Bad bad = badOf(by);
        notes = {&m_writes.passes(), m_writes.cells(c), by};
        return m_writes.noneStored(c, m_reads.anySince(bad.epoch) ? &m_reads : nullptr, by, bad);
    }
    bool columnUpdated(const WordColumn& c, Note by) { // by atomics of which nobody asks
        return m_writes.updateColumn(c, by);
    }
    // Elements of a copy that is under way, one a lane, which nobody has written; and when it has come. isRow: all lanes',
    // one behind the other.
    void forget(std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes, bool isRow) {
        ++m_life;
        copied(lanes, offsets, bytes, isRow, 0);
    }
    void copied(std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes, bool isRow, Note by);
    // Elements of so many bytes at these lanes' offsets; lanes: one at least.
    static ScatteredWords scattered(std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes);
    // Whether this warp has not yet looked at what such atomics (by) change, in this epoch. The first ones are looked at:
    // whoever did not clear what they add to shows there.
    bool isNews(std::uint32_t warp, Note by) const { return (m_lookedBy[byNumber(by)] >> warp & 1u) == 0; }
    void keepAtomics(std::uint32_t warp, Note by) { m_lookedBy[byNumber(by)] |= 1u << warp; }
    void forgetAtomics(std::uint32_t warp, Note by) { m_lookedBy[byNumber(by)] &= ~(1u << warp); }
    // Whether there is nothing to say of such atomics on words (grain 4) within the memory: they were written, plainly in no
    // case in this epoch, and read by no other warp.
    bool quietAtomics(std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes, Note by);
    // Where atomics of this warp found its own stores, whose notes stay: loops come to the same places again.
    struct Places {
        std::uint64_t first = 0, lanes = 0; // offset; any number that is the same for lanes that lie alike
        bool operator==(const Places&) const = default;
    };
    bool areOwn(std::uint32_t warp, const Places& places) const {
        return m_own[warp].epoch == m_epochStart && m_own[warp].places == places;
    }
    void keepOwn(std::uint32_t warp, const Places& places) { m_own[warp] = {m_epochStart, places}; }
    // Atomics, which do not race with each other. True if one of the cells had been raised as a flag by another warp in this epoch.
    bool atomics(std::size_t first, std::size_t cells, std::uint32_t shift, Note by);

private:
    template <class F>
    bool eachWhole(std::size_t first, std::size_t cells, F f) {
        constexpr std::size_t each = NoteTable::segmentCells;
        if ((first | cells) % each != 0)
            return false;
        NoteTable::Segment *w = m_writes.segments(first), *r = m_reads.segments(first);
        for (const auto* const end = w + cells / each; w < end; ++w, ++r)
            if (!f(*w, *r))
                return false;
        return true;
    }
    Note unmetSince(Note by) const { return std::max(unmet((by & NoteBits::warp) / 32), epochStart()); } // of reads
    Bad badOf(Note by) const { return {blockStart(), epochStart(), unmet((by & NoteBits::warp) / 32)}; } // of stores
    Note blockStart() const { return m_block << NoteBits::shift; }
    Note epochStart() const { return m_epochStart << NoteBits::shift; }
    Noted whenOf(Note note) const {
        return note < blockStart() ? Noted::Never : note < epochStart() ? Noted::Before : Noted::Now;
    }
    // Position and sync of this epoch's note, 0 of others.
    std::uint64_t whatOf(Note note) const {
        return note < epochStart() ? 0 : m_whats[(note >> NoteBits::shift) - m_epochStart];
    }
    // A read that is not yet at its cells: neighbouring ones from the first on, or lanes at their distances from it.
    struct Read {
        const LaneOffsets* distance = nullptr;
        std::uint32_t first = 0, cells = 0; // lanes, where there are distances
        std::uint32_t shift = 0;            // words of an element, where there are distances
        Note by = 0;
    };
    static constexpr std::size_t mostReads = 4096;
    void putLater(const Read& r) {
        if (m_log.size() == mostReads) [[unlikely]]
            bringLog();
        m_log.push_back(r);
    }
    // A store asks for what was read: from now on it would do so again and again.
    void takeReads() {
        if (m_log.empty())
            return;
        bringLog();
        m_later = false;
    }
    std::size_t byNumber(Note note) const { return (note >> NoteBits::shift) - m_epochStart; }
    void bringLog();
    void putRead(std::size_t first, std::size_t cells, std::uint32_t shift, Note by); // in one segment
    struct Numbered {
        std::uint64_t what = 0;
        std::uint32_t number = 0;
    };
    // from: the lowest that will do.
    std::uint32_t numberOf(std::uint64_t what, std::uint32_t from = 0) {
        // Few in an epoch: the last one with the same hash mostly is it.
        Numbered& likely = m_likely[(what ^ what >> 29) % m_likely.size()];
        if (likely.what != what || likely.number < std::max(m_epochStart, from)) [[unlikely]]
            likely = {what, newNumber(what)};
        return likely.number;
    }
    std::uint32_t newNumber(std::uint64_t what);
    void beginEpoch(std::uint32_t epoch);
    void renumber(); // all notes, by small numbers: there are no more

    NoteTable m_writes, m_reads;
    std::vector<Read> m_log; // in this epoch
    bool m_later = true;     // quiet reads go there
    std::size_t m_cells = 0;
    std::uint32_t m_grain = 4, m_grainShift = 2;
    std::uint32_t m_epoch = 0;
    std::uint64_t m_life = 1; // more whenever a word that was written can be one that was not
    std::uint32_t m_next = 1, m_block = 1, m_epochStart = 1; // numbers: to be given; the first of block and epoch
    std::vector<std::uint64_t> m_whats;                      // [number - m_epochStart]: position, sync << 32
    std::vector<std::uint32_t> m_lookedBy;                   // likewise: warps, of atomics
    static constexpr std::size_t mostPast = 1 << 16;
    bool m_keepsPast = false;
    std::vector<std::uint64_t> m_past; // [number - m_pastStart], of epochs that are over
    std::uint32_t m_pastStart = 1, m_renumberings = 0;
    std::array<Numbered, 64> m_likely{};
    struct Own {
        std::uint32_t epoch = 0; // its first number
        Places places;
    };
    std::array<Own, 32> m_own{};           // [warp]
    std::array<std::uint32_t, 32> m_met{}; // [warp]: the number that was next when its lanes last met
};

} // namespace warpglass::emulator
