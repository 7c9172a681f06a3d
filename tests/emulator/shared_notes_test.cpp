// SPDX-License-Identifier: GPL-3.0-or-later
// Segments with one note for all their cells say the same as a note a cell. The other side keeps exactly that, and asks
// of every cell of an access for itself.
#include "gpu/emulator/memory/shared_notes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <set>
#include <vector>

namespace warpglass::emulator {

namespace {

constexpr std::size_t cellCount = 200; // six segments and a piece

struct Plain {
    std::vector<WriteNote> writes = std::vector<WriteNote>(cellCount);
    std::vector<ReadNote> reads = std::vector<ReadNote>(cellCount);

    bool readQuiet(std::size_t cell, std::uint32_t thread, std::uint32_t epoch, std::uint32_t known) const {
        const WriteNote& w = writes[cell];
        return w.epoch >= known && (w.epoch != epoch || w.thread == thread || w.atomic);
    }
    bool writeQuiet(std::size_t cell, std::uint32_t thread, std::uint32_t epoch) const {
        const WriteNote& w = writes[cell];
        const ReadNote& r = reads[cell];
        return (w.epoch != epoch || w.thread == thread) && (r.epoch != epoch || r.thread / 32 == thread / 32);
    }
};

bool same(const SharedNotes& notes, const Plain& plain) {
    for (std::size_t cell = 0; cell < cellCount; ++cell) {
        const WriteNote w = notes.written(cell), &v = plain.writes[cell];
        const ReadNote r = notes.read(cell), &q = plain.reads[cell];
        if (w.epoch != v.epoch || r.epoch != q.epoch || notes.writeEpoch(cell) != v.epoch ||
            notes.readEpoch(cell) != q.epoch)
            return false;
        if (w.epoch != 0 &&
            (w.thread != v.thread || w.at != v.at || w.sync != v.sync || w.atomic != v.atomic || w.strong != v.strong))
            return false;
        if (r.epoch != 0 && (r.thread != q.thread || r.at != q.at))
            return false;
    }
    return true;
}

// Whether no two of the lanes have the same offset.
bool distinct(std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets) {
    std::set<std::uint64_t> seen;
    for (; lanes; lanes &= lanes - 1)
        if (!seen.insert(offsets[std::size_t(std::countr_zero(lanes))]).second)
            return false;
    return true;
}

} // namespace

TEST(SharedNotes, SegmentsSayWhatCellsWould) {
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t n) { return std::uint32_t(random() % n); };
    std::array<std::uint32_t, 8> seen{};
    std::uint32_t wholes = 0;
    for (int round = 0; round < 200; ++round) {
        SharedNotes notes;
        notes.reset(cellCount * 4, 4);
        Plain plain;
        std::uint32_t epoch = 1;
        for (std::uint32_t step = 1; step <= 60; ++step) {
            if (below(5) == 0)
                ++epoch;
            const std::uint32_t known = below(3) == 0 ? epoch : 1, kind = below(8), shift = below(3);
            const std::uint32_t warp = below(3), lanes = below(2) ? 32 : 1 + below(32), skip = below(33 - lanes);
            const auto thread = std::uint16_t(warp * 32 + skip);
            const std::size_t cells = std::size_t(lanes) << shift;
            const std::size_t first = (below(2) ? below(6) * 32 : below(cellCount)) >> shift << shift;
            const ReadNote read{epoch, step, thread};
            const WriteNote write{epoch, step, thread, std::uint16_t(below(9)), kind == 2, false};
            const auto own = [&](std::size_t k) { return std::uint16_t(thread + (k >> shift)); };
            if (kind < 3 && first + cells > cellCount)
                continue;
            std::array<std::uint64_t, 32> offsets{};
            const std::uint32_t start = below(cellCount), stride = below(7);
            const bool scattered = below(2) == 0; // else a column: where lanes agree, all of them are quiet at once
            const std::uint32_t size = 1u << below(3), word = below(size); // of an element, in words; the one asked for
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                offsets[lane] = (scattered ? below(cellCount) : (start + lane * stride) % cellCount) / size * size * 4;
            const std::uint32_t mask = below(2) ? ~0u : std::uint32_t(random());
            ScatteredWords words;
            if (mask != 0)
                words = SharedNotes::scattered(mask, offsets);
            words.word = word;
            words.distinct = distinct(mask, offsets) && below(4) != 0;
            const auto cellOf = [&](std::size_t lane) { return offsets[lane] / 4 + word; };
            ++seen[kind];
            switch (kind) {
            case 0: {
                const bool whole = notes.quietWholeReads(first, cells, shift, read, known);
                wholes += whole;
                const std::size_t done = whole ? cells : notes.quietReads(first, cells, shift, read, known);
                for (std::size_t k = 0; k < done; ++k) {
                    ASSERT_TRUE(plain.readQuiet(first + k, own(k), epoch, known));
                    plain.reads[first + k] = {epoch, step, own(k)};
                }
                if (done < cells) { // something is to be said in the next segment
                    bool quiet = true;
                    for (std::size_t k = done; k < cells && (first + k) / 32 == (first + done) / 32; ++k)
                        quiet = quiet && plain.readQuiet(first + k, own(k), epoch, known);
                    ASSERT_FALSE(quiet);
                }
                break;
            }
            case 1: {
                const bool whole = notes.quietWholeWrites(first, cells, shift, write);
                wholes += whole;
                const std::size_t done = whole ? cells : notes.quietWrites(first, cells, shift, write);
                for (std::size_t k = 0; k < done; ++k) {
                    ASSERT_TRUE(plain.writeQuiet(first + k, own(k), epoch));
                    plain.writes[first + k] = write;
                    plain.writes[first + k].thread = own(k);
                }
                if (done < cells) {
                    bool quiet = true;
                    for (std::size_t k = done; k < cells && (first + k) / 32 == (first + done) / 32; ++k)
                        quiet = quiet && plain.writeQuiet(first + k, own(k), epoch);
                    ASSERT_FALSE(quiet);
                }
                break;
            }
            case 2: {
                bool raised = false;
                for (std::size_t k = 0; k < cells; ++k) {
                    const WriteNote& w = plain.writes[first + k];
                    raised = raised || (w.epoch == epoch && (w.atomic || w.strong) && w.thread / 32 != warp);
                }
                ASSERT_EQ(notes.atomics(first, cells, shift, write), raised);
                for (std::size_t k = 0; k < cells; ++k) {
                    plain.writes[first + k] = write;
                    plain.writes[first + k].thread = own(k);
                }
                break;
            }
            case 3: {
                const std::size_t n = 1u << below(4), at = below(cellCount - 8);
                bool quiet = true;
                for (std::size_t cell = at; cell < at + n; ++cell)
                    quiet = quiet && plain.writes[cell].epoch >= known &&
                            (plain.writes[cell].epoch != epoch || plain.writes[cell].atomic);
                ASSERT_EQ(notes.quietBroadcast(at, n, read, known), quiet);
                for (std::size_t cell = at; quiet && cell < at + n; ++cell)
                    plain.reads[cell] = read;
                break;
            }
            case 4:
            case 5: {
                const std::uint16_t base = std::uint16_t(warp * 32);
                ReadNote r = read;
                WriteNote w = write;
                r.thread = w.thread = base;
                std::uint32_t left = 0;
                for (std::uint32_t m = mask; m; m &= m - 1) {
                    const auto lane = std::uint32_t(std::countr_zero(m));
                    const std::size_t cell = cellOf(lane);
                    const WriteNote& before = plain.writes[cell];
                    const auto me = std::uint16_t(base + lane);
                    if (kind == 4) {
                        if (before.epoch < known || (before.epoch == epoch && before.thread != me)) {
                            left |= 1u << lane;
                            continue;
                        }
                        plain.reads[cell] = {epoch, step, me};
                    } else if (plain.writeQuiet(cell, me, epoch)) {
                        plain.writes[cell] = w;
                        plain.writes[cell].thread = me;
                    } else {
                        left |= 1u << lane;
                    }
                }
                ASSERT_EQ(kind == 4 ? notes.quietScatteredReads(mask, offsets, words, r, known)
                                    : notes.quietScatteredWrites(mask, offsets, words, w),
                          left);
                break;
            }
            case 6: {
                WriteNote w = write;
                w.thread = std::uint16_t(warp * 32);
                w.atomic = true;
                bool raised = false;
                for (std::uint32_t m = mask; m; m &= m - 1) {
                    const WriteNote& before = plain.writes[cellOf(std::size_t(std::countr_zero(m)))];
                    raised = raised ||
                             (before.epoch == epoch && (before.atomic || before.strong) && before.thread / 32 != warp);
                }
                ASSERT_EQ(notes.scatteredAtomics(mask, offsets, words, w), raised);
                for (std::uint32_t m = mask; m; m &= m - 1) {
                    const auto lane = std::size_t(std::countr_zero(m));
                    plain.writes[cellOf(lane)] = w;
                    plain.writes[cellOf(lane)].thread = std::uint16_t(warp * 32 + lane);
                }
                break;
            }
            default: {
                const std::size_t cell = below(cellCount);
                WriteNote w = write;
                w.strong = below(2) == 0;
                notes.write(cell, w);
                plain.writes[cell] = w;
                break;
            }
            }
            ASSERT_TRUE(same(notes, plain)) << "round " << round << ", step " << step << ", kind " << kind;
        }
    }
    for (std::size_t kind = 0; kind < 8; ++kind)
        EXPECT_GT(seen[kind], 100u);
    EXPECT_GT(wholes, 10u);
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
