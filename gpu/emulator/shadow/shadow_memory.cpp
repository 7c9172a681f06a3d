// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/shadow/shadow_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpglass::emulator {

namespace {

constexpr std::size_t segmentCells = NoteTable::segmentCells;

// Whether the threads of a row are those that wrote a whole segment.
bool sameThreads(const NoteTable::Segment& whole, std::size_t cell, std::size_t cells, std::uint32_t shift, Note by) {
    return ((whole.at(cell) ^ by) & NoteBits::thread) == 0 && (whole.shift == shift || cells == 1);
}

// Which lanes of the warp may read in any order.
bool byAtomicsOfWarp(Note w, Note by) {
    return (w & NoteBits::atomic) != 0 && ((w ^ by) & NoteBits::warp) == 0;
}

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

// Whether bad(note, the thread's own) holds for none of these, 2^shift a thread.
template <class F>
bool noneOfRow(const Note* notes, std::size_t cells, std::uint32_t shift, Note by, F bad) {
    Note found = 0;
    for (std::uint32_t k = 0; k < cells; ++k)
        found |= bad(notes[k], by + (k >> shift));
    return !isBad(found);
}

} // namespace

void SharedNotes::reset(std::size_t bytes, std::uint32_t grain) {
    m_grain = grain;
    m_grainShift = grain == 4 ? 2 : 0;
    m_cells = (bytes + grain - 1) / grain;
    m_writes.reset(m_cells);
    m_reads.reset(m_cells);
    m_log.clear();
    m_next = m_block = m_epochStart = 1;
    ++m_life;
    m_epoch = 0;
    m_whats.clear();
    m_lookedBy.clear();
    m_likely.fill({});
    m_own.fill({});
    m_met.fill(0);
    m_past.clear();
    m_pastStart = 1;
    ++m_renumberings;
}

void SharedNotes::beginEpoch(std::uint32_t epoch) {
    if (m_keepsPast) {
        if (m_past.size() > mostPast) {
            const std::size_t older = m_past.size() / 2;
            m_past.erase(m_past.begin(), m_past.begin() + std::ptrdiff_t(older));
            m_pastStart += std::uint32_t(older);
        }
        if (m_past.empty())
            m_pastStart = m_epochStart;
        m_past.insert(m_past.end(), m_whats.begin(), m_whats.end());
    }
    m_epoch = epoch;
    m_log.clear();
    m_later = true;
    m_epochStart = m_next;
    m_whats.clear();
    m_lookedBy.clear();
}

std::uint32_t SharedNotes::newNumber(std::uint64_t what) {
    if (m_next >= NoteBits::numbers)
        renumber();
    m_whats.push_back(what);
    m_lookedBy.push_back(0);
    return m_next++;
}

void SharedNotes::renumber() {
    constexpr std::uint32_t never = 0, before = 1, now = 2;
    bringReads();
    std::vector<std::uint32_t> used; // in this epoch
    const auto look = [&](Note& n) {
        if (const std::uint32_t number = n >> NoteBits::shift; number >= m_epochStart)
            used.push_back(number);
    };
    m_writes.each(look);
    m_reads.each(look);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    const auto change = [&](Note& n) {
        const std::uint32_t number = n >> NoteBits::shift;
        const auto place = std::lower_bound(used.begin(), used.end(), number) - used.begin();
        const std::uint32_t to = number < m_block ? never : number < m_epochStart ? before : now + std::uint32_t(place);
        n = to << NoteBits::shift | (n & ((1u << NoteBits::shift) - 1));
    };
    m_writes.each(change);
    m_reads.each(change);
    std::vector<std::uint64_t> whats;
    whats.reserve(used.size());
    for (const std::uint32_t number : used)
        whats.push_back(m_whats[number - m_epochStart]);
    m_whats = std::move(whats);
    m_lookedBy.assign(m_whats.size(), 0);
    m_block = before;
    m_epochStart = now;
    m_next = now + std::uint32_t(used.size());
    m_likely.fill({});
    m_own.fill({});
    m_met.fill(m_next); // what was read until now is let go
    m_past.clear();
    ++m_renumberings;
}

SharedNotes::Latest SharedNotes::latestWrite(std::size_t first, std::size_t end) const {
    Latest latest;
    const Note block = blockStart();
    eachSegment(first, end - first, [&](std::size_t cell, std::size_t cells, std::size_t) {
        const NoteTable::Segment& s = m_writes.segment(cell);
        if (s.isWhole) {
            latest.note = std::max(latest.note, s.note);
            latest.someNever |= s.note < block;
            return true;
        }
        const Note* const own = m_writes.own(cell);
        Note most = 0, least = ~Note(0);
        for (std::size_t k = 0; k < cells; ++k) {
            most = std::max(most, own[k]);
            least = std::min(least, own[k]);
        }
        latest.note = std::max(latest.note, most);
        latest.someNever |= least < block;
        return true;
    });
    return latest;
}

std::optional<std::uint32_t> SharedNotes::positionOf(Note note) const {
    const std::uint32_t number = note >> NoteBits::shift;
    if (note < blockStart())
        return std::nullopt;
    if (number >= m_epochStart)
        return std::uint32_t(m_whats[number - m_epochStart]);
    if (number < m_pastStart || number - m_pastStart >= m_past.size())
        return std::nullopt;
    return std::uint32_t(m_past[number - m_pastStart]);
}

SharedNotes::Range SharedNotes::range(std::uint64_t offset, std::uint64_t bytes) const {
    const std::size_t first = std::min<std::size_t>(offset >> m_grainShift, m_cells);
    const std::uint64_t last = offset + bytes - 1;
    const bool isNone = bytes == 0 || last < offset; // or it goes on at the beginning of all addresses: no offset does
    return {first, isNone ? first : std::min<std::size_t>((last >> m_grainShift) + 1, m_cells)};
}

WriteNote SharedNotes::written(std::size_t cell) const {
    const Note n = m_writes.at(cell);
    const std::uint64_t what = whatOf(n);
    return {whenOf(n),
            std::uint32_t(what),
            std::uint16_t(n & NoteBits::thread),
            std::uint16_t(what >> 32),
            (n & NoteBits::atomic) != 0,
            (n & NoteBits::strong) != 0};
}

ReadNote SharedNotes::read(std::size_t cell) {
    bringReads();
    const Note n = m_reads.at(cell);
    if (n < epochStart())
        return {};
    return {true, std::uint32_t(whatOf(n)),     std::uint16_t(n & NoteBits::thread),
            n,    (n & NoteBits::several) != 0, (n & NoteBits::others) != 0};
}

void SharedNotes::bringLog() {
    for (const Read& r : m_log) {
        if (!r.distance) {
            eachSegment(r.first, r.cells, [&](std::size_t cell, std::size_t here, std::size_t before) {
                m_reads.putReads(cell, here, r.shift, r.by + Note(before >> r.shift), unmetSince(r.by), epochStart());
                return true;
            });
            continue;
        }
        LaneOffsets offsets;
        for (std::size_t lane = 0; lane < offsets.size(); ++lane)
            offsets[lane] = r.first + (*r.distance)[lane];
        m_reads.putEachRead(r.cells, offsets, scattered(r.cells, offsets, 4 * r.shift), r.by, epochStart());
    }
    m_log.clear();
}

void SharedNotes::putRead(std::size_t first, std::size_t cells, std::uint32_t shift, Note by) {
    if (m_later)
        putLater({nullptr, std::uint32_t(first), std::uint32_t(cells), shift, by});
    else
        m_reads.putReads(first, cells, shift, by, unmetSince(by), epochStart());
}

std::size_t SharedNotes::quietReads(std::size_t first, std::size_t cells, std::uint32_t shift, Note by, bool strong) {
    const Bad bad{blockStart(), epochStart()};
    return eachSegment(first, cells, [&](std::size_t cell, std::size_t here, std::size_t before) {
        const Note note = by + Note(before >> shift);
        const auto& w = m_writes.segment(cell);
        const bool quiet =
            w.isWhole ? w.note >= bad.block && (w.note < bad.epoch || (!strong && byAtomicsOfWarp(w.note, note)) ||
                                                sameThreads(w, cell, here, shift, note))
            : strong  ? noneOfRow(m_writes.own(cell), here, shift, note,
                                  [&](Note one, Note own) { return bad.never(one) | bad.written(one, own); })
                      : noneOfRow(m_writes.own(cell), here, shift, note,
                                  [&](Note one, Note own) { return bad.read(one, own); });
        if (quiet)
            putRead(cell, here, shift, note);
        return quiet;
    });
}

bool SharedNotes::quietBroadcast(std::size_t first, std::size_t cells, Note by) {
    for (std::size_t cell = first; cell < first + cells; ++cell)
        if (const Note w = m_writes.at(cell); w < blockStart() || (w >= epochStart() && !byAtomicsOfWarp(w, by)))
            return false;
    constexpr std::uint32_t one = 5; // a segment's worth is one thread's
    eachSegment(first, cells, [&](std::size_t cell, std::size_t here, std::size_t) {
        putRead(cell, here, one, by);
        return true;
    });
    return true;
}

std::size_t SharedNotes::quietWrites(std::size_t first, std::size_t cells, std::uint32_t shift, Note by) {
    takeReads();
    const Bad bad = badOf(by);
    return eachSegment(first, cells, [&](std::size_t cell, std::size_t here, std::size_t before) {
        const Note note = by + Note(before >> shift);
        const auto &w = m_writes.segment(cell),
                   &r = m_reads.segment(cell); // r: of one warp, its threads are neighbours
        const bool quiet =
            (w.isWhole ? w.note < bad.epoch || sameThreads(w, cell, here, shift, note)
                       : noneOfRow(m_writes.own(cell), here, shift, note,
                                   [&](Note one, Note own) { return bad.written(one, own); })) &&
            (r.isWhole
                 ? !isBad(bad.ofOtherWarps(r.note, by)) && (r.note < bad.epoch || (r.note & NoteBits::others) == 0) &&
                       (r.note < std::max(bad.epoch, bad.unmet) ||
                        ((r.note & NoteBits::several) == 0 && sameThreads(r, cell, here, shift, note)))
                 : noneOfRow(m_reads.own(cell), here, shift, note,
                             [&](Note one, Note own) { return bad.readByOthers(one, own); }));
        if (quiet)
            m_writes.putRow(cell, here, shift, note);
        return quiet;
    });
}

ScatteredWords SharedNotes::scattered(std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes) {
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
    return {{lowest / 4 / segmentCells, highest / 4 / segmentCells}, bytes / 4};
}

namespace {

// Word by word, where not all are quiet: f(cell, the lane's note) says whether this one is, and then notes it.
template <class F>
std::uint32_t lanesLeft(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words, Note by, F f) {
    std::uint32_t left = 0;
    for (std::size_t k = 0; k < words.each; ++k)
        eachSet(lanes,
                [&](std::uint32_t lane) { left |= std::uint32_t(!f(offsets[lane] / 4 + k, by + lane)) << lane; });
    return left;
}

} // namespace

std::uint32_t SharedNotes::quietScatteredReads(std::uint32_t lanes, const LaneOffsets& offsets,
                                               const ScatteredWords& words, Note by) {
    const Bad bad{blockStart(), epochStart()};
    const bool early = !m_writes.anySince(bad.epoch); // all that was written
    if (early ? m_writes.none<NoteTest::Never>(lanes, offsets, words, by, bad)
              : m_writes.none<NoteTest::NotBefore>(lanes, offsets, words, by, bad) ||
                    m_writes.none<NoteTest::Read>(lanes, offsets, words, by, bad)) {
        if (m_later && words.distance) {
            putLater({words.distance, std::uint32_t(words.first), lanes, words.each, by});
        } else {
            bringReads();
            m_reads.putEachRead(lanes, offsets, words, by, epochStart());
        }
        return 0;
    }
    bringReads();
    return lanesLeft(lanes, offsets, words, by, [&](std::size_t cell, Note own) {
        const bool quiet = !isBad(bad.read(m_writes.at(cell), own));
        if (quiet)
            m_reads.putRead(cell, own, epochStart());
        return quiet;
    });
}

std::uint32_t SharedNotes::quietScatteredWrites(std::uint32_t lanes, const LaneOffsets& offsets,
                                                const ScatteredWords& words, Note by) {
    takeReads();
    const Bad bad = badOf(by);
    if ((!m_writes.anySince(bad.epoch) || m_writes.none<NoteTest::Written>(lanes, offsets, words, by, bad)) &&
        (!m_reads.anySince(bad.epoch) || m_reads.none<NoteTest::ReadByOthers>(lanes, offsets, words, by, bad))) {
        m_writes.putEach(lanes, offsets, words, by);
        return 0;
    }
    return lanesLeft(lanes, offsets, words, by, [&](std::size_t cell, Note own) {
        const bool quiet = !isBad(bad.written(m_writes.at(cell), own) | bad.readByOthers(m_reads.at(cell), own));
        if (quiet)
            m_writes.put(cell, own);
        return quiet;
    });
}

bool SharedNotes::quietPartReads(std::size_t cell, std::uint32_t lanes, const std::uint32_t* bits, Note by) {
    static constexpr LaneOffsets steps = [] {
        LaneOffsets all{};
        for (std::uint64_t lane = 0; lane < all.size(); ++lane)
            all[lane] = 4 * lane;
        return all;
    }();
    const Bad bad{blockStart(), epochStart()};
    m_writes.spreadRow(cell);
    if (!(m_writes.anySince(bad.epoch) ? m_writes.noneOfPart<NoteTest::Read>(cell, bits, by, bad)
                                       : m_writes.noneOfPart<NoteTest::Never>(cell, bits, by, bad)))
        return false;
    if (m_later) {
        putLater({&steps, std::uint32_t(4 * cell), lanes, 1, by});
    } else {
        m_reads.spreadRow(cell);
        m_reads.putReadsOfPart(cell, bits, by, epochStart());
    }
    return true;
}

bool SharedNotes::quietPartWrites(std::size_t cell, const std::uint32_t* bits, Note by) {
    takeReads();
    const Bad bad = badOf(by);
    m_writes.spreadRow(cell);
    if (m_writes.anySince(bad.epoch) && !m_writes.noneOfPart<NoteTest::Written>(cell, bits, by, bad))
        return false;
    if (m_reads.anySince(bad.epoch)) {
        m_reads.spreadRow(cell);
        if (!m_reads.noneOfPart<NoteTest::ReadByOthers>(cell, bits, by, bad))
            return false;
    }
    m_writes.putPart(cell, bits, by);
    return true;
}

bool SharedNotes::scatteredAtomics(std::uint32_t lanes, const LaneOffsets& offsets, const ScatteredWords& words,
                                   Note by) {
    const Bad bad{blockStart(), epochStart()};
    const bool any = m_writes.anySince(bad.epoch) && !m_writes.none<NoteTest::Raised>(lanes, offsets, words, by, bad);
    m_writes.putEach(lanes, offsets, words, by);
    return any;
}

void SharedNotes::copied(std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes, bool isRow, Note by) {
    const std::uint32_t each = bytes >> m_grainShift; // bytes: a power of two, four at least
    if (isRow && lanes == ~0u) {
        const auto shift = std::uint32_t(std::countr_zero(each));
        eachSegment(offsets[0] >> m_grainShift, std::size_t(32) * each,
                    [&](std::size_t cell, std::size_t here, std::size_t before) {
                        m_writes.putRow(cell, here, shift, by + Note(before >> shift));
                        return true;
                    });
    } else if (m_grain == 4) {
        m_writes.putEach(lanes, offsets, scattered(lanes, offsets, bytes), by);
    } else {
        eachSet(lanes, [&](std::uint32_t lane) {
            for (std::size_t k = 0; k < each; ++k)
                m_writes.put(offsets[lane] + k, by + lane);
        });
    }
}

bool SharedNotes::quietAtomics(std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes, Note by) {
    const Bad bad{blockStart(), epochStart()};
    const ScatteredWords words = scattered(lanes, offsets, bytes);
    if (!m_writes.none<NoteTest::Stored>(lanes, offsets, words, by, bad))
        return false;
    bringReads();
    return !m_reads.anySince(bad.epoch) || m_reads.none<NoteTest::ReadByOthers>(lanes, offsets, words, by, bad);
}

bool SharedNotes::atomics(std::size_t first, std::size_t cells, std::uint32_t shift, Note by) {
    const Bad bad{blockStart(), epochStart()};
    const auto raised = [=](Note w, Note own) { return bad.raised(w, own); };
    bool any = false;
    eachSegment(first, cells, [&](std::size_t cell, std::size_t here, std::size_t before) {
        const auto& w = m_writes.segment(cell);
        any |= w.isWhole ? isBad(raised(w.note, by)) : !noneOfRow(m_writes.own(cell), here, shift, by, raised);
        m_writes.putRow(cell, here, shift, by + Note(before >> shift));
        return true;
    });
    return any;
}

} // namespace warpglass::emulator
