// SPDX-License-Identifier: GPL-3.0-or-later
// The passes over the addresses and notes of a warp, for each kind of processor, against what they are for, lane by lane.
#include "gpu/emulator/state/exec.h"
#include "tests/emulator/processors.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

namespace warpglass::emulator {
namespace {

#if defined(__x86_64__)

// Lanes of each kind of kernel that gathers, against sets of what they touch.
TEST(SortedCounts, AreThoseOfSets) {
    struct Counts {
        const char* name;
        SortedCounts counts;
    };
    std::vector<Counts> all = {{"this processor", sortedCounts()}};
    if (hasAvx2())
        all.push_back({"AVX2", {&avx2::countSectors, &avx2::countPasses, &avx2::countPartPasses}});
    std::mt19937_64 random(11);
    for (const Counts& by : all)
        for (std::uint32_t round = 0; round < 20000; ++round) {
            const std::uint32_t m = random() % 2 ? ~0u : std::uint32_t(random()) | 1u << random() % 32;
            const std::uint32_t bytes = 1u << random() % 5;
            const std::uint64_t reach = std::uint64_t(1) << (random() % 18 + 5),
                                start = round % 2 ? 0x7f0000000000ull + random() % 4096 * 32 : random() % 64 * 32;
            std::array<std::uint64_t, 32> at{};
            for (std::uint64_t& a : at)
                a = start + random() % reach / bytes * bytes;
            const auto inactive = std::size_t(std::countl_zero(~m)); // where they are does not matter
            if (m != ~0u)
                at[31 - inactive] = random();
            std::set<std::uint64_t> touched, sectors, lines;
            std::uint32_t passes = 0;
            const std::uint32_t served = bytes >= 16 ? 8 : bytes >= 8 ? 16 : 32;
            const std::uint32_t together =
                m & (served == 32 ? ~0u : (1u << served) - 1); // the first lanes served at once
            std::map<std::uint64_t, std::set<std::uint64_t>> banks;
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                if (m >> lane & 1)
                    for (std::uint64_t b = at[lane]; b < at[lane] + bytes; ++b) {
                        touched.insert(b);
                        sectors.insert(b / 32);
                        lines.insert(b / 128);
                        if (together >> lane & 1)
                            banks[b / 4 % 32].insert(b / 4);
                    }
            for (const auto& [bank, words] : banks)
                passes = std::max(passes, std::uint32_t(words.size()));
            if (SectorCount c; by.counts.sectors(at.data(), m, bytes, c)) {
                EXPECT_EQ(c.bytesDistinct, touched.size()) << by.name << " " << round;
                EXPECT_EQ(c.sectors, sectors.size()) << by.name << " " << round;
                EXPECT_EQ(c.lines, lines.size()) << by.name << " " << round;
            } else {
                EXPECT_FALSE(hasAvx2()) << round;
            }
            const std::uint32_t counted = together ? by.counts.passes(at.data(), together, bytes) : 0;
            EXPECT_EQ(counted, start < 4096 && hasAvx2() ? passes : 0) << by.name << " " << round;
            std::uint32_t ofParts = 0; // of those of each half or quarter
            for (std::uint32_t part = 0; part < 32; part += served) {
                std::map<std::uint64_t, std::set<std::uint64_t>> asked;
                for (std::uint32_t lane = part; lane < part + served; ++lane)
                    for (std::uint64_t b = at[lane]; b < at[lane] + bytes; b += 4)
                        asked[b / 4 % 32].insert(b / 4);
                std::size_t most = 0;
                for (const auto& [bank, words] : asked)
                    most = std::max(most, words.size());
                ofParts += std::uint32_t(most);
            }
            if (m == ~0u) {
                EXPECT_EQ(by.counts.partPasses(at.data(), bytes),
                          start < 4096 && hasAvx2() && (bytes == 8 || bytes == 16) ? ofParts : 0)
                    << by.name << " " << round;
            }
            AccessSummary s{MemorySpace::Global, AccessKind::Load, {m}, bytes, 0, 0, 0, 0, 0};
            summariseSectors(s, at);
            EXPECT_EQ(s.bytesDistinct, touched.size()) << round;
            EXPECT_EQ(s.sectors, sectors.size()) << round;
        }
}

TEST(SortedCounts, LeaveWhatTheyCannotTell) {
    SectorCount c;
    std::array<std::uint64_t, 32> at{};
    at.fill(0x7f0000000000ull);
    EXPECT_FALSE(sortedCounts().sectors(at.data(), 0, 4, c)); // nobody asks
    EXPECT_FALSE(sortedCounts().sectors(at.data(), ~0u, 12, c));
    at[7] += 2; // not aligned: a word of two sectors, perhaps
    EXPECT_FALSE(sortedCounts().sectors(at.data(), ~0u, 4, c));
    at[7] += std::uint64_t(1) << 33;
    EXPECT_FALSE(sortedCounts().sectors(at.data(), ~0u, 2, c)); // too far
    EXPECT_EQ(sortedCounts().passes(at.data(), ~0u, 4), 0u);
    AccessSummary s{MemorySpace::Global, AccessKind::Load, {~0u}, 2, 0, 0, 0, 0, 0};
    summariseSectors(s, at); // told all the same
    EXPECT_EQ(s.sectors, 2u);
    EXPECT_EQ(s.bytesDistinct, 4u);
}

TEST(AddressPasses, SayHowLanesLie) {
    std::mt19937 random(4);
    std::array<std::uint32_t, 3> seen{};
    std::uint32_t alike = 0;
    for (const Processor& processor : processors())
        for (std::uint32_t round = 0; round < 3000; ++round) {
            auto x = std::make_unique<Exec>();
            const std::uint32_t m = random() % 2 ? ~0u : std::uint32_t(random()) | 1u << random() % 32;
            const std::uint32_t size = 4u << random() % 3, way = random() % 4;
            const std::uint64_t start = 0x7f0000001000ull + random() % 64 * 4;
            for (std::size_t i = 0; i < 32; ++i)
                x->address[i] = way == 0   ? start + i * size
                                : way == 1 ? start
                                : way == 2 ? start + i * 132
                                           : start + random() % 100 * 4;
            const auto odd = std::size_t(random() % 32); // now and then one lane lies elsewhere
            if (random() % 3 == 0)
                x->address[odd] += random() % 2 ? 4 : std::uint64_t(1) << 40;
            std::vector<std::size_t> lanes;
            for (std::size_t i = 0; i < 32; ++i)
                if (m >> i & 1)
                    lanes.push_back(i);
            bool same = true, follow = lanes.back() - lanes.front() + 1 == lanes.size();
            for (const std::size_t i : lanes) {
                same = same && x->address[i] == x->address[lanes[0]];
                follow = follow && x->address[i] == x->address[lanes[0]] + (i - lanes[0]) * size;
            }
            const Lanes expected = follow ? Lanes::InOrder : same ? Lanes::AtOne : Lanes::Scattered;
            ASSERT_EQ(processor.addresses->order(*x, m, size), expected) << processor.name << ", round " << round;
            ASSERT_EQ(processor.addresses->atOne(*x, m), same) << processor.name;
            ++seen[std::size_t(expected)];
            alignas(64) LaneOffsets distance;
            for (std::size_t i = 0; i < 32; ++i)
                distance[i] = x->address[i] - x->address[lanes[0]];
            ASSERT_TRUE(processor.addresses->liesAs(*x, m, distance.data())) << processor.name;
            distance[odd] += std::uint64_t(1) << random() % 64;
            const bool there = (m >> odd & 1) == 0;
            ASSERT_EQ(processor.addresses->liesAs(*x, m, distance.data()), there)
                << processor.name << ", round " << round;
            alike += there;
        }
    for (const std::uint32_t n : seen)
        EXPECT_GT(n, 300u);
    EXPECT_GT(alike, 100u);
}

TEST(AddressPasses, FillAndPlacePieces) {
    std::mt19937 random(5);
    for (const Processor& processor : processors())
        for (std::uint32_t round = 0; round < 200; ++round) {
            auto x = std::make_unique<Exec>();
            alignas(64) std::array<std::uint64_t, 32> row;
            for (auto& v : row)
                v = random() | std::uint64_t(random()) << 32;
            x->rows = reinterpret_cast<std::byte*>(row.data());
            Inst in;
            in.memory.wideAddress = round % 3 == 0;
            in.memory.noBase = round % 3 == 1;
            in.memory.offset = std::int32_t(random());
            processor.addresses->fill(*x, in);
            std::array<std::uint32_t, 64> words;
            std::memcpy(words.data(), row.data(), sizeof words);
            for (std::size_t i = 0; i < 32; ++i) {
                const auto offset = std::uint64_t(in.memory.offset);
                const std::uint64_t expected = round % 3 == 0   ? row[i] + offset
                                               : round % 3 == 1 ? offset
                                                                : std::uint32_t(words[i] + std::uint32_t(offset));
                ASSERT_EQ(x->address[i], expected) << processor.name << ", lane " << i;
            }
            const std::uint32_t shift = random() % 7, size = 4u << random() % 3, first = random() % 4 * 32;
            const std::uint64_t base = random(), stride = round % 2 ? random() : random() | std::uint64_t(1) << 34;
            processor.addresses->pieces(row.data(), base, first, shift, size, stride);
            for (std::uint32_t i = 0; i < 32; ++i) {
                const std::uint32_t piece = first + i;
                ASSERT_EQ(row[i], base + (piece >> shift) * stride + (piece & ((1u << shift) - 1)) * size)
                    << processor.name << ", piece " << piece;
            }
        }
}

TEST(AddressPasses, MoveBetweenLanesAndMemory) {
    std::mt19937 random(6);
    for (const Processor& processor : processors()) {
        AddressedBytes owned, others;
        owned.resize(4096);
        others.resize(4096);
        auto* const memory = reinterpret_cast<std::uint32_t*>(owned.find(0, 4096));
        for (std::size_t i = 0; i < 1024; ++i)
            memory[i] = std::uint32_t(random());
        auto x = std::make_unique<Exec>();
        for (std::uint64_t i = 0; i < 32; ++i)
            x->address[i] = 16 + (i * 37 % 50) * 20; // apart from each other, aligned to words
        const Reach reach = owned.numbered().among(0, 4096);
        std::array<std::array<std::uint32_t, 32>, 4> rows{};
        processor.addresses->loadFours(*x, reach, {rows[0].data(), rows[1].data(), rows[2].data(), rows[3].data()});
        for (std::size_t lane = 0; lane < 32; ++lane)
            for (std::size_t w = 0; w < 4; ++w)
                ASSERT_EQ(rows[w][lane], memory[x->address[lane] / 4 + w]) << processor.name << ", lane " << lane;
        processor.addresses->storeFours(*x, others.numbered().among(0, 4096),
                                        {rows[0].data(), rows[1].data(), rows[2].data(), rows[3].data()});
        std::vector<std::uint32_t> other(1024), expected(1024);
        std::memcpy(other.data(), others.find(0, 4096), 4096);
        for (std::size_t lane = 0; lane < 32; ++lane)
            for (std::size_t w = 0; w < 4; ++w)
                expected[x->address[lane] / 4 + w] = rows[w][lane];
        ASSERT_EQ(other, expected) << processor.name;

        std::array<std::uint16_t, 64> halves, turned;
        for (auto& h : halves)
            h = std::uint16_t(random());
        processor.addresses->turnHalves(halves.data(), turned.data());
        for (std::size_t r = 0; r < 8; ++r)
            for (std::size_t c = 0; c < 8; ++c)
                ASSERT_EQ(turned[8 * r + c], halves[8 * c + r]) << processor.name;
        processor.addresses->turnHalves(turned.data(), turned.data());
        ASSERT_EQ(turned, halves) << processor.name;

        // Pieces of four words: of every fourth lane, and of eight addresses; from wherever a byte begins.
        const std::byte* const bytes = owned.find(0, 4096);
        std::array<std::uint16_t, 32> starts;
        for (auto& s : starts)
            s = std::uint16_t(random() % 4000);
        std::array<std::byte, 128> once, again, eight;
        processor.addresses->takeFours(bytes, starts.data(), once.data(), again.data());
        processor.addresses->takeEight(reach, x->address.data() + 5, eight.data());
        ASSERT_EQ(once, again) << processor.name;
        for (std::size_t k = 0; k < 8; ++k) {
            ASSERT_EQ(std::memcmp(&once[16 * k], bytes + starts[4 * k], 16), 0) << processor.name << ", piece " << k;
            ASSERT_EQ(std::memcmp(&eight[16 * k], bytes + x->address[5 + k], 16), 0)
                << processor.name << ", piece " << k;
        }

        std::array<std::uint32_t, 32> source, permuted;
        for (auto& s : source)
            s = random() % 32;
        processor.addresses->permute(rows[0].data(), source.data(), permuted.data());
        for (std::size_t lane = 0; lane < 32; ++lane)
            ASSERT_EQ(permuted[lane], rows[0][source[lane]]) << processor.name << ", lane " << lane;
    }
}

TEST(NotePasses, FindWhatIsNotQuiet) {
    std::mt19937 random(7);
    const Bad bad{100u << NoteBits::shift, 105u << NoteBits::shift};
    std::array<std::array<std::uint32_t, 2>, noteTests> answers{};
    for (const Processor& processor : processors())
        for (std::uint32_t round = 0; round < 6000; ++round) {
            const std::uint32_t size = random() % 3, each = 1u << size;
            const std::uint32_t m = random() % 2 ? ~0u : std::uint32_t(random()) | 1u << random() % 32;
            const auto test = NoteTest(random() % noteTests);
            const std::uint32_t warp = random() % 3, few = random() % 3; // of the words that may be anything
            const Note by = (106u << NoteBits::shift) + warp * 32;
            LaneOffsets offsets;
            std::vector<Note> cells(512);
            for (std::uint64_t i = 0; i < 32; ++i)
                offsets[i] = random() % 4 ? i * each * 4 : random() % (512 / each) * each * 4;
            for (std::size_t i = 0; i < cells.size(); ++i) // quiet for most questions
                cells[i] = (102u << NoteBits::shift) | std::uint32_t(random() & 0xfff);
            for (std::uint32_t i = 0; i < few; ++i)
                cells[random() % (32 * each)] =
                    std::uint32_t(98 + random() % 10) << NoteBits::shift | std::uint32_t(random() & 0xc7f);
            bool expected = true;
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                for (std::uint32_t k = 0; k < each; ++k)
                    expected = expected &&
                               ((m >> lane & 1) == 0 || !isBad(test, cells[offsets[lane] / 4 + k], by + lane, bad));
            ASSERT_EQ(processor.notes->none[std::size_t(test)][size](cells.data(), m, offsets, by, bad), expected)
                << processor.name << ", round " << round << ", test " << int(test);
            ++answers[std::size_t(test)][expected];
            std::vector<Note> put = cells;
            processor.notes->put[size](put.data(), m, offsets, by);
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                for (std::uint32_t k = 0; k < each && (m >> lane & 1); ++k)
                    cells[offsets[lane] / 4 + k] = by + lane;
            ASSERT_EQ(put, cells) << processor.name << ", round " << round;
        }
    for (const auto& both : answers)
        for (const std::uint32_t n : both)
            EXPECT_GT(n, 100u);
}

TEST(AddressPasses, MoveColumns) {
    std::mt19937 random(8);
    for (const Processor& processor : processors())
        for (int round = 0; round < 200; ++round) {
            std::vector<std::uint32_t> memory(1024);
            for (auto& v : memory)
                v = std::uint32_t(random());
            LanesAbove above;
            std::array<std::uint32_t, 32> row;
            const auto from = std::uint32_t(random());
            for (std::uint32_t i = 0; i < 32; ++i) {
                above[i] = (i * 37 % 50) * 20; // apart from each other
                row[i] = from + above[i];
            }
            EXPECT_TRUE(processor.addresses->liesAbove(row.data(), from, above)) << processor.name;
            row[random() % 32] ^= 1u << random() % 32;
            EXPECT_FALSE(processor.addresses->liesAbove(row.data(), from, above)) << processor.name;

            const auto* bytes = reinterpret_cast<const std::byte*>(memory.data() + 5);
            std::array<std::array<std::uint32_t, 32>, 4> rows{};
            processor.addresses->loadFoursAbove(bytes, above,
                                                {rows[0].data(), rows[1].data(), rows[2].data(), rows[3].data()});
            std::vector<std::uint32_t> other(1024), expected(1024);
            for (std::size_t lane = 0; lane < 32; ++lane)
                for (std::size_t w = 0; w < 4; ++w) {
                    ASSERT_EQ(rows[w][lane], memory[5 + above[lane] / 4 + w]) << processor.name << ", lane " << lane;
                    expected[5 + above[lane] / 4 + w] = rows[w][lane];
                }
            processor.addresses->storeFoursAbove(reinterpret_cast<std::byte*>(other.data() + 5), above,
                                                 {rows[0].data(), rows[1].data(), rows[2].data(), rows[3].data()});
            ASSERT_EQ(other, expected) << processor.name;
            std::array<std::byte, 128> eight;
            processor.addresses->takeEightAbove(bytes, above.data() + 3, eight.data());
            for (std::size_t k = 0; k < 8; ++k)
                ASSERT_EQ(std::memcmp(&eight[16 * k], bytes + above[3 + k], 16), 0) << processor.name;
        }
}

TEST(NotePasses, FindAndPutThoseOfColumns) {
    std::mt19937 random(9);
    const Bad bad{100u << NoteBits::shift, 105u << NoteBits::shift};
    std::array<std::uint32_t, 2> written{}, stored{}, apart{};
    for (const Processor& processor : processors())
        for (std::uint32_t round = 0; round < 4000; ++round) {
            const std::uint32_t size = random() % 3, each = 1u << size, warp = random() % 4;
            const Note by = (106u << NoteBits::shift) + warp * 32;
            LanesAbove above;
            std::vector<Note> cells(512), reads(512);
            for (std::uint32_t i = 0; i < 32; ++i)
                above[i] = random() % 4 ? i * each * 4 : std::uint32_t(random() % (512 / each) * each * 4);
            const auto fill = [&](std::vector<Note>& notes) {
                for (auto& n : notes)
                    n = (102u << NoteBits::shift) | std::uint32_t(random() & 0xfff);
                if (random() % 2)
                    notes[random() % (32 * each)] =
                        std::uint32_t(98 + random() % 10) << NoteBits::shift | std::uint32_t(random() & 0xc7f);
            };
            fill(cells);
            fill(reads);
            const bool asks = random() % 2;
            bool all = true, none = true;
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                for (std::uint32_t k = 0; k < each; ++k) {
                    const std::size_t cell = above[lane] / 4 + k;
                    all = all && !isBad(NoteTest::Never, cells[cell], by + lane, bad);
                    none = none && !isBad(NoteTest::Written, cells[cell], by + lane, bad) &&
                           (!asks || !isBad(NoteTest::ReadByOthers, reads[cell], by + lane, bad));
                }
            ASSERT_EQ(processor.notes->allWritten[size](cells.data(), above, bad), all) << processor.name;
            ASSERT_EQ(processor.notes->noneStored[size](cells.data(), asks ? reads.data() : nullptr, above, by, bad),
                      none)
                << processor.name;
            ++written[all];
            ++stored[none];

            std::array<std::array<std::uint32_t, 32>, 4> rows;
            for (auto& row : rows)
                for (auto& v : row)
                    v = std::uint32_t(random());
            std::vector<Note> put = cells;
            std::vector<std::uint32_t> memory(512);
            auto* bytes = reinterpret_cast<std::byte*>(memory.data());
            if (each == 1)
                processor.notes->storeWords(put.data(), above, by, bytes, rows[0].data());
            else if (each == 4)
                processor.notes->storeFours(put.data(), above, by, bytes,
                                            {rows[0].data(), rows[1].data(), rows[2].data(), rows[3].data()});
            else
                processor.notes->putAbove[size](put.data(), above, by);
            std::vector<Note> alone = cells;
            processor.notes->putAbove[size](alone.data(), above, by);
            ASSERT_EQ(alone, put) << processor.name;
            std::vector<std::uint32_t> expected(512); // of lanes that have the same words, the last one's
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                for (std::uint32_t k = 0; k < each; ++k) {
                    cells[above[lane] / 4 + k] = by + lane;
                    if (each != 2)
                        expected[above[lane] / 4 + k] = rows[k][lane];
                }
            ASSERT_EQ(put, cells) << processor.name;
            ASSERT_EQ(memory, expected) << processor.name;

            WarpReaches reaches;
            for (std::size_t i = 0; i < 32; ++i) {
                reaches.from[i] = random() % 40 ? 1u << 20 : std::uint32_t(random() % 1000);
                reaches.to[i] = reaches.from[i] == 1u << 20 ? 0 : reaches.from[i] + std::uint32_t(random() % 100);
            }
            const std::uint32_t from = random() % 1000, to = from + 1 + std::uint32_t(random() % 200);
            bool meets = false;
            for (std::size_t i = 0; i < 32; ++i)
                meets = meets || (i != warp && reaches.from[i] < to && reaches.to[i] > from);
            ASSERT_EQ(processor.notes->apart(reaches, warp, from, to), !meets) << processor.name;
            ++apart[meets];
        }
    for (const auto* both : {&written, &stored, &apart})
        for (const std::uint32_t n : *both)
            EXPECT_GT(n, 100u);
}

#endif

} // namespace
} // namespace warpglass::emulator
