// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/shared_notes.h"
#include "gpu/emulator/ops/turned.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace warpglass::emulator {

template <class Note>
void NoteTable<Note>::reset(std::size_t cells) {
    const std::size_t segments = (cells + segmentCells - 1) / segmentCells;
    m_cells.assign(segments * segmentCells, {});
    m_whole.assign(segments, {});
    m_isWhole.assign(segments, 1);
    m_wholeBits.assign(segments / 64 + 1, ~std::uint64_t(0));
    m_shift.assign(segments, 0);
    m_latest = 0;
}

template <class Note>
void NoteTable<Note>::spread(std::size_t segment) {
    for (std::size_t k = 0; k < segmentCells; ++k)
        m_cells[segment * segmentCells + k] = ofCell(m_whole[segment], m_shift[segment], k);
    setWhole(segment, false);
}

template <class Note>
void NoteTable<Note>::putRow(std::size_t cell, std::size_t cells, std::uint32_t shift, Note note) {
    const std::size_t segment = cell / segmentCells;
    m_latest = std::max(m_latest, note.epoch);
    if (cells == segmentCells) {
        m_whole[segment] = note;
        if (!m_isWhole[segment])
            setWhole(segment, true);
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

// A note as a vector, with its thread in the lowest bits of the second number.
using NoteBits = std::uint64_t __attribute__((vector_size(16)));
constexpr NoteBits nextThread = {0, 1};
static_assert(offsetof(WriteNote, atomic) == 12 && offsetof(WriteNote, strong) == 13);
static_assert(offsetof(WriteNote, thread) == 8 && offsetof(ReadNote, thread) == 8 &&
              std::endian::native == std::endian::little);

// Of the word at this offset, a multiple of four.
template <class Note>
Note* ofWord(Note* cells, std::uint64_t offset) {
    static_assert(sizeof(Note) == 16);
    using Bytes = std::conditional_t<std::is_const_v<Note>, const std::byte, std::byte>;
    return reinterpret_cast<Note*>(reinterpret_cast<Bytes*>(cells) + offset * 4);
}

template <class F>
[[gnu::always_inline]] inline void eachSet(std::uint32_t m, F f) {
    for (; m; m &= m - 1)
        f(std::uint32_t(std::countr_zero(m)));
}
// Two loops: nearly always all lanes run.
template <class F>
[[gnu::always_inline]] inline void forLanes(std::uint32_t m, F f) {
    if (m == ~0u) [[likely]] {
#pragma GCC unroll 4
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            f(lane);
    } else {
        eachSet(m, f);
    }
}

} // namespace

template <class Note>
bool NoteTable<Note>::anyWhole(SegmentSpan span) const {
    const std::size_t first = span.first / 64, last = span.last / 64;
    const std::uint64_t from = ~std::uint64_t(0) << span.first % 64, to = ~std::uint64_t(0) >> (63 - span.last % 64);
    if (first == last)
        return (m_wholeBits[first] & from & to) != 0;
    std::uint64_t any = (m_wholeBits[first] & from) | (m_wholeBits[last] & to);
    for (std::size_t k = first + 1; k < last; ++k)
        any |= m_wholeBits[k];
    return any != 0;
}

template <class Note>
bool NoteTable<Note>::allIn(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                            const ScatteredWords& words, std::uint32_t from, std::uint32_t to) const {
    const Note *cells = m_cells.data() + words.word, *whole = m_whole.data();
    std::uint32_t outside = 0; // its highest bit: some epoch is; a maximum would wait for each before the next
    const auto look = [&](std::uint32_t epoch) { outside |= (epoch - from) | (to - 1 - epoch); };
    if (!anyWhole(words.span) && !anySince(to))
        forLanes(lanes, [&](std::uint32_t lane) { outside |= ofWord(cells, offsets[lane])->epoch - from; });
    else if (!anyWhole(words.span))
        forLanes(lanes, [&](std::uint32_t lane) { look(ofWord(cells, offsets[lane])->epoch); });
    else
        forLanes(lanes, [&, isWhole = m_isWhole.data()](std::uint32_t lane) {
            const std::size_t cell = offsets[lane] / 4, segment = cell / segmentCells;
            look((isWhole[segment] ? whole + segment : cells + cell)->epoch);
        });
    return from < to && outside >> 31 == 0;
}

template <class Note>
template <class F>
bool NoteTable<Note>::all(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                          const ScatteredWords& words, F f) const {
    const Note* cells = m_cells.data() + words.word;
    bool good = true;
    if (!anyWhole(words.span))
        forLanes(lanes, [&](std::uint32_t lane) { good &= f(*ofWord(cells, offsets[lane]), lane); });
    else
        forLanes(lanes, [&](std::uint32_t lane) { good &= f(at(offsets[lane] / 4 + words.word), lane); });
    return good;
}

template <class Note>
template <class F>
bool NoteTable<Note>::noneOfWarp(const std::array<std::uint64_t, 32>& offsets, const ScatteredWords& words,
                                 F bad) const {
    if (anyWhole(words.span))
        return false;
    const Note* const cells = m_cells.data() + words.word;
    FourWords found = {}, lanes = {0, 1, 2, 3};
#pragma GCC unroll 2
    for (std::size_t lane = 0; lane < 32; lane += 4, lanes += 4) {
        FourWords v[4];
        for (std::size_t i = 0; i < 4; ++i)
            v[i] = fourWords(ofWord(cells, offsets[lane + i]));
        turn(v); // epochs, positions, threads, flags
        found |= bad(v[0], v[2], v[3], lanes);
    }
    return (found[0] | found[1] | found[2] | found[3]) == 0;
}

template <class Note>
void NoteTable<Note>::putEach(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                              const ScatteredWords& words, const Note& note) {
    // Where lanes lie close together, those between them, too: else each access that comes the same way would ask its lanes
    // for them again.
    if (anyWhole(words.span)) {
        constexpr std::size_t close = 64;
        if (words.span.last - words.span.first < close) {
            for (std::size_t segment = words.span.first; segment <= words.span.last; ++segment)
                if (m_isWhole[segment])
                    spread(segment);
        } else {
            eachSet(lanes, [&](std::uint32_t lane) {
                if (m_isWhole[offsets[lane] / 4 / segmentCells])
                    spread(offsets[lane] / 4 / segmentCells);
            });
        }
    }
    m_latest = std::max(m_latest, note.epoch);
    Note* const cells = m_cells.data() + words.word;
    NoteBits bits; // the next lane's is the same but for its thread
    std::memcpy(&bits, &note, sizeof bits);
    const auto write = [&](std::size_t lane, NoteBits own) {
        std::memcpy(static_cast<void*>(ofWord(cells, offsets[lane])), &own, sizeof own);
    };
    if (lanes == ~0u)
#pragma GCC unroll 4
        for (std::size_t lane = 0; lane < 32; ++lane, bits += nextThread)
            write(lane, bits);
    else
        eachSet(lanes, [&](std::uint32_t lane) { write(lane, bits + lane * nextThread); });
}

template <class Note>
std::uint32_t NoteTable<Note>::putFirst(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                                        const ScatteredWords& words, const Note& note) {
    putEach(lanes, offsets, words, note);
    Note* const cells = m_cells.data() + words.word;
    const auto threadOf = [first = note.thread](std::uint32_t lane) { return std::uint16_t(first + lane); };
    std::uint32_t lost = 0; // to a later lane
    forLanes(lanes,
             [&](std::uint32_t lane) { lost |= std::uint32_t(ofWord(cells, offsets[lane])->thread ^ threadOf(lane)); });
    if (lost == 0) [[likely]]
        return 0;
    for (std::uint32_t m = lanes; m; m ^= std::bit_floor(m)) {
        const auto lane = std::uint32_t(31 - std::countl_zero(m));
        ofWord(cells, offsets[lane])->thread = threadOf(lane);
    }
    std::uint32_t left = 0;
    eachSet(lanes, [&](std::uint32_t lane) {
        left |= std::uint32_t(ofWord(cells, offsets[lane])->thread != threadOf(lane)) << lane;
    });
    return left;
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

// threads: the lower halves.
[[gnu::always_inline]] inline auto isOther(FourWords threads, FourWords own) {
    return (threads & 0xffffu) != own;
}
[[gnu::always_inline]] inline auto isOtherWarp(FourWords threads, std::uint32_t warp) {
    return (threads & 0xffffu) >> 5 != warp;
}

// Whether the threads of a row are those that wrote a whole segment.
bool sameThreads(const WriteNote& whole, std::uint32_t wholeShift, std::size_t cell, std::size_t cells,
                 std::uint32_t shift, std::uint16_t thread) {
    return whole.thread + (cell % segmentCells >> wholeShift) == thread && (wholeShift == shift || cells == 1);
}

} // namespace

void SharedNotes::reset(std::size_t bytes, std::uint32_t grain) {
    m_grain = grain;
    m_grainShift = grain == 4 ? 2 : 0;
    m_cells = (bytes + grain - 1) / grain;
    m_writes.reset(m_cells);
    m_reads.reset(m_cells);
}

SharedNotes::Range SharedNotes::range(std::uint64_t offset, std::uint64_t bytes) const {
    const std::size_t first = std::min<std::size_t>(offset >> m_grainShift, m_cells);
    return {first, bytes == 0 ? first : std::min<std::size_t>(((offset + bytes - 1) >> m_grainShift) + 1, m_cells)};
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

ScatteredWords SharedNotes::scattered(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets) {
    const auto any = std::uint32_t(offsets[std::size_t(std::countr_zero(lanes))]);
    std::uint32_t lowest = any, highest = any;
    const auto look = [&](std::uint32_t lane) {
        lowest = std::min(lowest, std::uint32_t(offsets[lane]));
        highest = std::max(highest, std::uint32_t(offsets[lane]));
    };
    if (lanes == ~0u) // by vectors
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            look(lane);
    else
        eachSet(lanes, look);
    return {{lowest / 4 / segmentCells, highest / 4 / segmentCells}};
}

std::uint32_t SharedNotes::quietScatteredReads(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                                               const ScatteredWords& words, const ReadNote& by, std::uint32_t known) {
    // Written before the last barrier, as nearly always, or by the lane itself.
    const auto early = [&](FourWords epochs, FourWords threads, FourWords, FourWords lane) {
        return FourWords((epochs < known) | ((epochs == by.epoch) & isOther(threads, by.thread + lane)));
    };
    if (m_writes.allIn(lanes, offsets, words, known, by.epoch) ||
        (lanes == ~0u && m_writes.noneOfWarp(offsets, words, early)) ||
        m_writes.all(lanes, offsets, words, [&](const WriteNote& w, std::uint32_t lane) {
            return (w.epoch >= known) & ((w.epoch != by.epoch) | (w.thread == std::uint16_t(by.thread + lane)));
        })) {
        m_reads.putEach(lanes, offsets, words, by);
        return 0;
    }
    std::uint32_t left = 0;
    ReadNote note = by;
    for (; lanes; lanes &= lanes - 1) {
        const auto lane = std::uint32_t(std::countr_zero(lanes));
        const std::size_t cell = offsets[lane] / 4 + words.word;
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
                                                const ScatteredWords& words, const WriteNote& by) {
    const std::uint32_t warp = by.thread / 32u;
    const auto nobodyElseWrote = [&](const WriteNote& w, std::uint32_t lane) {
        return (w.epoch != by.epoch) | (w.thread == std::uint16_t(by.thread + lane));
    };
    const auto noOtherWarpRead = [&](const ReadNote& r, std::uint32_t) {
        return (r.epoch != by.epoch) | (r.thread / 32u == warp);
    };
    const auto otherWrote = [&](FourWords epochs, FourWords threads, FourWords, FourWords lane) {
        return FourWords((epochs == by.epoch) & isOther(threads, by.thread + lane));
    };
    const auto otherWarpRead = [&](FourWords epochs, FourWords threads, FourWords, FourWords) {
        return FourWords((epochs == by.epoch) & isOtherWarp(threads, warp));
    };
    const bool all = lanes == ~0u;
    if ((!m_writes.anySince(by.epoch) || (all && m_writes.noneOfWarp(offsets, words, otherWrote)) ||
         m_writes.all(lanes, offsets, words, nobodyElseWrote)) &&
        (!m_reads.anySince(by.epoch) || (all && m_reads.noneOfWarp(offsets, words, otherWarpRead)) ||
         m_reads.all(lanes, offsets, words, noOtherWarpRead))) {
        if (!words.distinct)
            return m_writes.putFirst(lanes, offsets, words, by);
        m_writes.putEach(lanes, offsets, words, by);
        return 0;
    }
    std::uint32_t left = 0;
    WriteNote note = by;
    for (; lanes; lanes &= lanes - 1) {
        const auto lane = std::uint32_t(std::countr_zero(lanes));
        const std::size_t cell = offsets[lane] / 4 + words.word;
        note.thread = std::uint16_t(by.thread + lane);
        if ((m_writes.epoch(cell) == note.epoch && written(cell).thread != note.thread) ||
            (m_reads.epoch(cell) == note.epoch && read(cell).thread / 32u != warp))
            left |= lanes & -lanes;
        else
            m_writes.put(cell, note);
    }
    return left;
}

namespace {
bool raised(const WriteNote& w, const WriteNote& by) {
    return (w.epoch == by.epoch) & (w.atomic | w.strong) & (w.thread / 32u != by.thread / 32u);
}
} // namespace

bool SharedNotes::scatteredAtomics(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                                   const ScatteredWords& words, const WriteNote& by) {
    const auto raisedBefore = [&](FourWords epochs, FourWords threads, FourWords flags, FourWords) {
        return FourWords((epochs == by.epoch) & ((flags & 0xffffu) != 0) & isOtherWarp(threads, by.thread / 32u));
    };
    const bool any =
        m_writes.anySince(by.epoch) && !(lanes == ~0u && m_writes.noneOfWarp(offsets, words, raisedBefore)) &&
        !m_writes.all(lanes, offsets, words, [&](const WriteNote& w, std::uint32_t) { return !raised(w, by); });
    m_writes.putEach(lanes, offsets, words, by);
    return any;
}

bool SharedNotes::atomics(std::size_t first, std::size_t cells, std::uint32_t shift, const WriteNote& by) {
    bool any = false;
    eachSegment(first, cells, [&](std::size_t cell, std::size_t here, std::size_t before) {
        if (const WriteNote* w = m_writes.whole(cell))
            any |= raised(*w, by);
        else
            any |= std::any_of(m_writes.own(cell), m_writes.own(cell) + here,
                               [&](const WriteNote& one) { return raised(one, by); });
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
