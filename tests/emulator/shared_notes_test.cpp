// SPDX-License-Identifier: GPL-3.0-or-later
// Segments with one note for all their cells say the same as a note a cell. The other side keeps exactly that, and asks
// of every cell of an access for itself.
#include "gpu/emulator/shadow/shadow_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <deque>
#include <random>
#include <vector>

namespace warpglass::emulator {

namespace {

constexpr std::size_t cellCount = 200; // six segments and a piece

// A note with its epoch; 0: none.
struct PlainNote {
    std::uint32_t epoch = 0, at = 0;
    std::uint16_t thread = 0, sync = 0;
    bool atomic = false, strong = false;
    bool others = false; // of reads: warps that came later
};

struct Plain {
    std::vector<PlainNote> writes = std::vector<PlainNote>(cellCount), reads = writes;
    std::uint32_t epoch = 1, block = 1; // which began with that epoch

    bool readQuiet(std::size_t cell, std::uint32_t thread, bool looksForFlags = false) const {
        const PlainNote& w = writes[cell];
        const bool byAtomicsOfWarp = w.atomic && w.thread / 32 == thread / 32;
        return w.epoch >= block && (w.epoch != epoch || w.thread == thread || (byAtomicsOfWarp && !looksForFlags));
    }
    bool broadcastQuiet(std::size_t cell, std::uint32_t warp) const {
        const PlainNote& w = writes[cell];
        return w.epoch >= block && (w.epoch != epoch || (w.atomic && w.thread / 32 == warp));
    }
    bool writeQuiet(std::size_t cell, std::uint32_t thread) const {
        const PlainNote &w = writes[cell], &r = reads[cell];
        return (w.epoch != epoch || w.thread == thread) &&
               (r.epoch != epoch || (r.thread / 32 == thread / 32 && !r.others));
    }
    void read(std::size_t cell, PlainNote by) { // the first warp of an epoch stays
        PlainNote& r = reads[cell];
        if (r.epoch == epoch && r.thread / 32 != by.thread / 32) {
            r.others = true;
        } else {
            by.others = r.epoch == epoch && r.others;
            r = by;
        }
    }
    void note(std::size_t cell, bool isRead, const PlainNote& by) {
        if (isRead)
            read(cell, by);
        else
            writes[cell] = by;
    }
    bool raised(std::size_t cell, std::uint32_t warp) const {
        const PlainNote& w = writes[cell];
        return w.epoch == epoch && (w.atomic || w.strong) && w.thread / 32 != warp;
    }
    Noted when(const PlainNote& n) const {
        return n.epoch < block ? Noted::Never : n.epoch < epoch ? Noted::Before : Noted::Now;
    }
};

// Of reads nothing is kept beyond their epoch.
bool same(SharedNotes& notes, const Plain& plain) {
    for (std::size_t cell = 0; cell < cellCount; ++cell) {
        const WriteNote w = notes.written(cell);
        const ReadNote r = notes.read(cell);
        const PlainNote &v = plain.writes[cell], &q = plain.reads[cell];
        if (w.when != plain.when(v) || r.now != (plain.when(q) == Noted::Now))
            return false;
        if (w.when != Noted::Never && (w.thread != v.thread || w.atomic != v.atomic || w.strong != v.strong))
            return false;
        if (w.when == Noted::Now && (w.at != v.at || w.sync != v.sync))
            return false;
        if (r.now && (r.thread != q.thread || r.at != q.at || r.others != q.others))
            return false;
    }
    return true;
}

} // namespace

TEST(SharedNotes, SegmentsSayWhatCellsWould) {
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t n) { return std::uint32_t(random() % n); };
    std::array<std::uint32_t, 10> seen{};
    std::array<std::uint32_t, 4> quiets{};
    std::array<std::uint32_t, 2> compared{};
    std::uint32_t wholes = 0;
    for (int round = 0; round < 200; ++round) {
        SharedNotes notes;
        notes.reset(cellCount * 4, 4);
        Plain plain;
        std::deque<LaneOffsets> distances;  // as long as anybody may come back to them
        const bool seldom = round % 2 != 0; // what was read stays where it was put down until a store asks
        for (std::uint32_t step = 1; step <= 60; ++step) {
            if (below(5) == 0)
                ++plain.epoch;
            if (below(30) == 0) {
                plain.block = ++plain.epoch;
                notes.beginBlock();
            }
            notes.enter(plain.epoch);
            for (std::uint32_t warp = 0; warp < 3; ++warp)
                notes.meet(warp); // else their own reads are looked at, too
            const std::uint32_t kind = below(10), shift = below(3);
            const std::uint32_t warp = below(3), lanes = below(2) ? 32 : 1 + below(32), skip = below(33 - lanes);
            const auto thread = std::uint16_t(warp * 32 + skip);
            const std::size_t cells = std::size_t(lanes) << shift;
            const std::size_t first = (below(2) ? below(6) * 32 : below(cellCount)) >> shift << shift;
            const auto sync = std::uint16_t(below(9));
            const bool atomic = kind == 2 || kind == 6, strong = !atomic && below(3) == 0;
            const PlainNote plainRead{plain.epoch, step, thread},
                plainWrite{plain.epoch, step, thread, sync, atomic, strong};
            const Note read = notes.note(step, thread), write = notes.note(step, thread, sync, atomic, strong);
            const auto own = [&](std::size_t k) { return std::uint16_t(thread + (k >> shift)); };
            if (kind < 3 && first + cells > cellCount)
                continue;
            std::array<std::uint64_t, 32> offsets{};
            const std::uint32_t start = below(cellCount), stride = below(7);
            const bool scattered = below(2) == 0; // else a column: where lanes agree, all of them are quiet at once
            const std::uint32_t size = 1u << below(3); // of an element, in words
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                offsets[lane] = (scattered ? below(cellCount) : (start + lane * stride) % cellCount) / size * size * 4;
            const std::uint32_t mask = below(2) ? ~0u : std::uint32_t(random()) | 1u << below(32);
            ScatteredWords words = SharedNotes::scattered(mask, offsets, 4 * size);
            if (below(2)) {
                words.first = offsets[std::size_t(std::countr_zero(mask))];
                LaneOffsets& distance = distances.emplace_back();
                for (std::size_t lane = 0; lane < 32; ++lane)
                    distance[lane] = offsets[lane] - words.first;
                words.distance = &distance;
            }
            const auto eachCell = [&](auto f) { // f(cell, lane), as a lane after the other comes to its words
                for (std::size_t word = 0; word < size; ++word)
                    for (std::uint32_t m = mask; m; m &= m - 1)
                        f(offsets[std::size_t(std::countr_zero(m))] / 4 + word, std::uint32_t(std::countr_zero(m)));
            };
            const auto noteBy = [](PlainNote note, std::uint32_t by) {
                note.thread = std::uint16_t(by);
                return note;
            };
            ++seen[kind];
            switch (kind) {
            case 0:
            case 1: { // rows
                const bool reads = kind == 0, flags = reads && below(3) == 0;
                const bool whole = flags   ? false
                                   : reads ? notes.quietWholeReads(first, cells, shift, read)
                                           : notes.quietWholeWrites(first, cells, shift, write);
                wholes += whole;
                const std::size_t done = whole   ? cells
                                         : reads ? notes.quietReads(first, cells, shift, read, flags)
                                                 : notes.quietWrites(first, cells, shift, write);
                const auto quiet = [&](std::size_t k) {
                    return reads ? plain.readQuiet(first + k, own(k), flags) : plain.writeQuiet(first + k, own(k));
                };
                for (std::size_t k = 0; k < done; ++k) {
                    ASSERT_TRUE(quiet(k));
                    plain.note(first + k, reads, noteBy(reads ? plainRead : plainWrite, own(k)));
                }
                bool rest = done == cells; // else something is to be said in the next segment
                for (std::size_t k = done; k < cells && (first + k) / 32 == (first + done) / 32; ++k)
                    rest = rest || !quiet(k);
                ASSERT_TRUE(rest);
                break;
            }
            case 2: {
                bool raised = false;
                for (std::size_t k = 0; k < cells; ++k)
                    raised = raised || plain.raised(first + k, warp);
                ASSERT_EQ(notes.atomics(first, cells, shift, write), raised);
                for (std::size_t k = 0; k < cells; ++k)
                    plain.writes[first + k] = noteBy(plainWrite, own(k));
                break;
            }
            case 3: {
                const std::size_t n = 1u << below(4), at = below(cellCount - 8);
                bool quiet = true;
                for (std::size_t cell = at; cell < at + n; ++cell)
                    quiet = quiet && plain.broadcastQuiet(cell, thread / 32);
                ASSERT_EQ(notes.quietBroadcast(at, n, read), quiet);
                for (std::size_t cell = at; quiet && cell < at + n; ++cell)
                    plain.read(cell, plainRead);
                break;
            }
            case 4:
            case 5: {
                const bool reads = kind == 4;
                std::uint32_t left = 0;
                bool allQuiet = true; // before anything is noted
                eachCell([&](std::size_t cell, std::uint32_t lane) {
                    allQuiet = allQuiet && plain.writeQuiet(cell, warp * 32 + lane);
                });
                eachCell([&](std::size_t cell, std::uint32_t lane) {
                    const std::uint32_t me = warp * 32 + lane;
                    if (reads ? !plain.readQuiet(cell, me) : !allQuiet && !plain.writeQuiet(cell, me))
                        left |= 1u << lane;
                    else
                        plain.note(cell, reads, noteBy(reads ? plainRead : plainWrite, me));
                });
                quiets[kind - 4] += left == 0;
                const Note by = (reads ? read : write) - skip; // of lane 0
                ASSERT_EQ(reads ? notes.quietScatteredReads(mask, offsets, words, by)
                                : notes.quietScatteredWrites(mask, offsets, words, by),
                          left);
                break;
            }
            case 6: {
                bool raised = false;
                eachCell([&](std::size_t cell, std::uint32_t) { raised = raised || plain.raised(cell, warp); });
                ASSERT_EQ(notes.scatteredAtomics(mask, offsets, words, write - skip), raised);
                eachCell([&](std::size_t cell, std::uint32_t lane) {
                    plain.writes[cell] = noteBy(plainWrite, warp * 32 + lane);
                });
                break;
            }
            case 7:
            case 8: { // lanes of a row with others between them: all are quiet, or nothing is noted
                const bool reads = kind == 7;
                const std::size_t row = below(2) ? below(5) * 32 : below(cellCount - 31);
                std::array<std::uint32_t, 32> bits{};
                bool quiet = true;
                for (std::uint32_t lane = 0; lane < 32; ++lane) {
                    bits[lane] = mask >> lane & 1 ? ~0u : 0;
                    quiet = quiet && (bits[lane] == 0 || (reads ? plain.readQuiet(row + lane, warp * 32 + lane)
                                                                : plain.writeQuiet(row + lane, warp * 32 + lane)));
                }
                const Note by = (reads ? read : write) - skip; // of lane 0
                ASSERT_EQ(reads ? notes.quietPartReads(row, mask, bits.data(), by)
                                : notes.quietPartWrites(row, bits.data(), by),
                          quiet);
                quiets[kind - 5] += quiet;
                for (std::uint32_t lane = 0; quiet && lane < 32; ++lane)
                    if (bits[lane] != 0)
                        plain.note(row + lane, reads, noteBy(reads ? plainRead : plainWrite, warp * 32 + lane));
                break;
            }
            default: {
                const std::size_t cell = below(cellCount);
                notes.write(cell, WriteNote{Noted::Now, step, thread, sync, atomic, strong});
                plain.writes[cell] = plainWrite;
                break;
            }
            }
            if (seldom && step != 60 && below(6) != 0)
                continue;
            ++compared[seldom];
            ASSERT_TRUE(same(notes, plain)) << "round " << round << ", step " << step << ", kind " << kind;
        }
    }
    for (std::size_t kind = 0; kind < seen.size(); ++kind)
        EXPECT_GT(seen[kind], 100u);
    EXPECT_GT(wholes, 10u);
    for (const std::uint32_t n : compared)
        EXPECT_GT(n, 500u);
    for (const std::uint32_t n : quiets)
        EXPECT_GT(n, 50u);
}

// A loop without a barrier comes to more kinds of notes than there are numbers: all notes are then numbered anew.
// What a lane has read is not quiet to others of its warp until its lanes meet. Of each cell the last reader of the first
// warp is known, whether lanes of its warp that it has not met since have read there, too, and whether other warps have.
TEST(SharedNotes, OfRowsKnowWhichLanesReadUntilTheyMeet) {
    struct Read {
        std::uint32_t epoch = 0, thread = 0, met = 0; // how often its warp had
        bool several = false, others = false;
    };
    std::mt19937 random(11);
    const auto below = [&](std::uint32_t n) { return std::uint32_t(random() % n); };
    std::uint32_t quiets = 0, others = 0;
    for (int round = 0; round < 300; ++round) {
        SharedNotes notes;
        notes.reset(cellCount * 4, 4);
        std::vector<Read> reads(cellCount);
        std::array<std::uint32_t, 2> met{};
        std::uint32_t epoch = 1;
        notes.enter(epoch);
        const Note before = notes.note(1, 0, 1); // all cells are written, in an epoch before
        for (std::size_t cell = 0; cell < cellCount; ++cell)
            notes.write(cell, before);
        notes.enter(++epoch);
        for (std::uint32_t step = 2; step <= 40; ++step) {
            const std::uint32_t warp = below(2), lanes = below(2) ? 32 : 1 + below(32), skip = below(33 - lanes);
            const std::uint32_t shift = below(3), thread = warp * 32 + skip;
            const std::size_t cells = std::size_t(lanes) << shift;
            const std::size_t first = (below(2) ? below(4) * 32 : below(96)) >> shift << shift;
            if (first + cells > cellCount)
                continue;
            if (below(4) == 0) {
                notes.meet(warp);
                ++met[warp];
            }
            const auto own = [&](std::size_t k) { return thread + std::uint32_t(k >> shift); };
            if (below(3) != 0) {
                const Note by = notes.readNote(step, warp) + skip;
                if (!notes.quietWholeReads(first, cells, shift, by)) {
                    ASSERT_EQ(notes.quietReads(first, cells, shift, by), cells);
                }
                for (std::size_t k = 0; k < cells; ++k) {
                    Read& r = reads[first + k];
                    if (r.epoch == epoch && r.thread / 32 != warp) {
                        r.others = true;
                        continue;
                    }
                    const bool unmet = r.epoch == epoch && r.met == met[warp];
                    r = {epoch, own(k), met[warp], unmet && (r.several || r.thread != own(k)),
                         r.epoch == epoch && r.others};
                }
                continue;
            }
            const Note by = notes.note(step, thread, 1);
            const bool whole = notes.quietWholeWrites(first, cells, shift, by);
            const std::size_t done = whole ? cells : notes.quietWrites(first, cells, shift, by);
            const auto quiet = [&](std::size_t k) {
                const Read& r = reads[first + k];
                return r.epoch != epoch || (r.thread / 32 == warp && !r.others &&
                                            (r.met != met[warp] || (!r.several && r.thread == own(k))));
            };
            for (std::size_t k = 0; k < done; ++k)
                ASSERT_TRUE(quiet(k)) << "round " << round << ", step " << step;
            bool rest = done == cells;
            for (std::size_t k = done; k < cells && (first + k) / 32 == (first + done) / 32; ++k)
                rest = rest || !quiet(k);
            ASSERT_TRUE(rest) << "round " << round << ", step " << step;
            (done == cells ? quiets : others) += 1;
            notes.enter(++epoch); // what was written now is nobody's concern
        }
    }
    EXPECT_GT(quiets, 100u);
    EXPECT_GT(others, 100u);
}

TEST(SharedNotes, SayTheSameWhenNumbersRunOut) {
    SharedNotes notes;
    notes.reset(64 * 4, 4);
    const auto put = [&](std::size_t cell, std::uint32_t at, std::uint32_t thread) {
        notes.write(cell, notes.note(at, thread, std::uint16_t(at % 7), false, true));
    };
    notes.enter(1);
    put(0, 5, 1);
    notes.beginBlock();
    notes.enter(2);
    put(1, 6, 2);
    notes.enter(3);
    put(2, 7, 3);
    for (std::uint32_t at = 0; at < 2 * NoteBits::numbers; ++at)
        put(3, at, at % 1024);
    notes.read(4, notes.note(9, 4));
    EXPECT_EQ(notes.written(0).when, Noted::Never);
    EXPECT_EQ(notes.written(1).when, Noted::Before);
    EXPECT_EQ(notes.written(1).thread, 2);
    const WriteNote kept = notes.written(2), last = notes.written(3);
    EXPECT_EQ(kept.when, Noted::Now);
    EXPECT_EQ(kept.at, 7u);
    EXPECT_EQ(kept.sync, 0);
    EXPECT_EQ(kept.thread, 3);
    EXPECT_TRUE(kept.strong);
    EXPECT_EQ(last.at, 2 * NoteBits::numbers - 1);
    EXPECT_EQ(last.thread, 1023);
    EXPECT_EQ(notes.read(4).at, 9u);
    EXPECT_EQ(notes.written(5).when, Noted::Never);
}

// More reads than are put down one behind the other, without a store or a barrier between them. The first warp's stay.
TEST(SharedNotes, KeepThoseOfMoreReadsThanThereIsRoomFor) {
    SharedNotes notes;
    notes.reset(64 * 4, 4);
    notes.beginBlock();
    notes.enter(1);
    ASSERT_TRUE(notes.quietWholeWrites(0, 32, 0, notes.note(1, 0)));
    notes.enter(2);
    for (std::uint32_t at = 0; at < 10000; ++at) {
        ASSERT_TRUE(notes.quietBroadcast(at % 32, 1, notes.note(at % 100, 32 + at % 32)));
        ASSERT_TRUE(at % 5 != 0 || notes.quietWholeReads(0, 32, 0, notes.note(200, 32 + 32 * (at / 5 % 31))));
    }
    // 9999 reads cell 9999 % 32 = 15; before it 9997 reads 13, and as warp 1 read all when at / 5 % 31 was 0: 9920.
    EXPECT_EQ(notes.read(15).at, 99u);
    EXPECT_EQ(notes.read(15).thread, 32 + 15);
    EXPECT_EQ(notes.read(13).at, 97u);
    EXPECT_EQ(notes.read(13).thread, 32 + 13);
    EXPECT_TRUE(notes.read(13).others);
    EXPECT_EQ(notes.quietWrites(0, 32, 0, notes.note(300, 32)), 0u); // other warps have read it
    notes.enter(3);
    EXPECT_FALSE(notes.read(15).now);
    EXPECT_EQ(notes.quietWrites(0, 32, 0, notes.note(300, 32)), 32u);
}

TEST(SharedNotes, RangesAreCutAtTheEnd) {
    SharedNotes words, bytes;
    words.reset(18, 4); // five cells, the last of two bytes
    bytes.reset(18, 1);
    EXPECT_EQ(words.range(3, 2).first, 0u);
    EXPECT_EQ(words.range(3, 2).end, 2u);
    EXPECT_EQ(words.range(16, 100).end, 5u);
    EXPECT_EQ(words.range(1u << 30, 4).first, words.range(1u << 30, 4).end);
    EXPECT_EQ(words.range(4, 0).first, words.range(4, 0).end);
    EXPECT_EQ(bytes.range(3, 2).first, 3u);
    EXPECT_EQ(bytes.range(3, 2).end, 5u);
}

} // namespace warpglass::emulator
