// SPDX-License-Identifier: GPL-3.0-or-later
// The passes over rows of which only some lanes take part, or whose words atomics change, against what they are for.
#include "tests/emulator/processors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace warpglass::emulator {
namespace {

#if defined(__x86_64__)

TEST(AddressPasses, KnowRowsAndPartsOfThem) {
    std::mt19937 random(10);
    for (const Processor& processor : processors())
        for (std::uint32_t round = 0; round < 300; ++round) {
            const std::uint32_t size = std::array{0u, 4u, 8u}[round % 3], lane = random() % 32;
            const std::uint64_t first = random() * std::uint64_t(0x100000001);
            std::array<std::uint64_t, 32> longs;
            LanesAbove above;
            std::array<std::uint32_t, 32> words, bits;
            const auto from = std::uint32_t(random()), m = std::uint32_t(random());
            for (std::uint32_t i = 0; i < 32; ++i) {
                longs[i] = first + i * size;
                above[i] = 4 * i;
                bits[i] = m >> i & 1 ? ~0u : 0;
                words[i] = bits[i] != 0 ? from + above[i] : std::uint32_t(random());
            }
            EXPECT_TRUE(processor.addresses->isRow(longs.data(), size)) << processor.name;
            longs[lane] ^= std::uint64_t(1) << random() % 64;
            EXPECT_FALSE(processor.addresses->isRow(longs.data(), size)) << processor.name << ", lane " << lane;
            EXPECT_TRUE(processor.addresses->partLiesAbove(words.data(), from, above, bits.data())) << processor.name;
            words[lane] = (bits[lane] != 0 ? words[lane] : from + above[lane]) ^ 1u << random() % 32;
            EXPECT_EQ(processor.addresses->partLiesAbove(words.data(), from, above, bits.data()), bits[lane] == 0)
                << processor.name << ", lane " << lane;

            std::array<std::uint32_t, 32> to, expected;
            for (std::size_t i = 0; i < 32; ++i) {
                to[i] = std::uint32_t(random());
                expected[i] = bits[i] != 0 ? words[i] : to[i];
            }
            processor.addresses->copyPart(bits.data(), words.data(), to.data());
            ASSERT_EQ(to, expected) << processor.name;

            auto at = longs, values = longs;
            std::reverse(values.begin(), values.end());
            const auto old = at, own = values;
            processor.addresses->exchange(at.data(), values.data(), values.data(), sizeof at);
            ASSERT_EQ(at, own) << processor.name;
            ASSERT_EQ(values, old) << processor.name;
        }
}

// As PTX says of atom.cas and atom.inc, lane after lane.
TEST(AddressPasses, SwapAndCount) {
    std::mt19937 random(13);
    for (const Processor& processor : processors())
        for (int round = 0; round < 300; ++round) {
            std::array<std::uint32_t, 32> at, expected, values, before;
            std::array<std::uint64_t, 32> longs, expectedLongs, newLongs;
            for (std::size_t i = 0; i < 32; ++i) {
                at[i] = random() % 4;
                expected[i] = random() % 4;
                values[i] = std::uint32_t(random());
                longs[i] = at[i] * 0x100000001;
                expectedLongs[i] = longs[i] ^ std::uint64_t(random() % 2) << 40;
                newLongs[i] = random();
            }
            const auto old = at;
            const auto oldLongs = longs, askedLongs = expectedLongs;
            processor.addresses->swapWords(at.data(), expected.data(), values.data(),
                                           round % 2 ? before.data() : nullptr);
            processor.addresses->swapLongs(longs.data(), expectedLongs.data(), newLongs.data(), expectedLongs.data());
            for (std::size_t i = 0; i < 32; ++i) {
                ASSERT_EQ(at[i], old[i] == expected[i] ? values[i] : old[i]) << processor.name;
                ASSERT_EQ(longs[i], oldLongs[i] == askedLongs[i] ? newLongs[i] : oldLongs[i]) << processor.name;
                ASSERT_TRUE(round % 2 == 0 || before[i] == old[i]) << processor.name;
            }
            ASSERT_EQ(expectedLongs, oldLongs) << processor.name;

            const std::uint32_t limit = round % 3 ? std::uint32_t(random() % 40) : ~std::uint32_t(0) - random() % 40,
                                start = round % 5 ? limit - random() % 50 : std::uint32_t(random());
            std::uint32_t now = start;
            const std::uint32_t end = processor.addresses->countUp(start, limit, before.data());
            for (std::size_t i = 0; i < 32; ++i) {
                ASSERT_EQ(before[i], now) << processor.name << ": from " << start << " to " << limit << ", lane " << i;
                now = now >= limit ? 0 : now + 1;
            }
            ASSERT_EQ(end, now) << processor.name << ": from " << start << " to " << limit;
        }
}

// Sums in which subnormal numbers are zeros, of either sign: operands and results.
TEST(AddressPasses, AddFloatsWithoutSubnormalOnes) {
    std::mt19937 random(11);
    constexpr float least = 0x1p-126f;
    const float corners[] = {0,     -0.0f, least,     -least,     1.5f * least, 0x1p-149f, -0x1p-130f,
                             1e30f, 1.0f,  0x1p-125f, -0x1p-125f, INFINITY,     -INFINITY, -1.0f};
    const auto flat = [](float v) { return std::fabs(v) < least ? std::copysign(0.0f, v) : v; };
    for (const Processor& processor : processors())
        for (int round = 0; round < 300; ++round) {
            std::array<float, 32> at, values, before;
            for (auto* row : {&at, &values})
                for (float& v : *row)
                    v = corners[random() % std::size(corners)];
            const auto old = at;
            processor.addresses->addFlushed(at.data(), values.data(), round % 2 ? before.data() : nullptr);
            for (std::size_t i = 0; i < 32; ++i) {
                const float expected = flat(flat(old[i]) + flat(values[i]));
                ASSERT_TRUE(std::isnan(expected)
                                ? std::isnan(at[i])
                                : std::bit_cast<std::uint32_t>(at[i]) == std::bit_cast<std::uint32_t>(expected))
                    << processor.name << ": " << old[i] << " and " << values[i];
            }
            if (round % 2) {
                ASSERT_EQ(std::memcmp(before.data(), old.data(), sizeof old), 0) << processor.name;
            }
        }
}

TEST(NotePasses, FindAndPutPartsOfRows) {
    std::mt19937 random(12);
    const Bad bad{100u << NoteBits::shift, 105u << NoteBits::shift};
    std::array<std::array<std::uint32_t, 2>, noteTests> answers{};
    for (const Processor& processor : processors())
        for (std::uint32_t round = 0; round < 4000; ++round) {
            const auto test = NoteTest(random() % noteTests);
            const auto m = std::uint32_t(random());
            const Note by = (106u << NoteBits::shift) + std::uint32_t(random() % 3) * 32;
            std::array<std::uint32_t, 32> bits;
            std::vector<Note> cells(40);
            for (Note& cell : cells)
                cell = (102u << NoteBits::shift) | std::uint32_t(random() & 0xfff);
            cells[4 + random() % 32] =
                std::uint32_t(98 + random() % 10) << NoteBits::shift | std::uint32_t(random() & 0xc7f);
            bool expected = true;
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                bits[lane] = m >> lane & 1 ? ~0u : 0;
                expected = expected && (bits[lane] == 0 || !isBad(test, cells[4 + lane], by + lane, bad));
            }
            ASSERT_EQ(processor.notes->noneOfPart[std::size_t(test)](cells.data() + 4, bits.data(), by, bad), expected)
                << processor.name << ", round " << round << ", test " << int(test);
            ++answers[std::size_t(test)][expected];
            std::vector<Note> put = cells;
            processor.notes->putPart(put.data() + 4, bits.data(), by);
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                if (bits[lane] != 0)
                    cells[4 + lane] = by + lane;
            ASSERT_EQ(put, cells) << processor.name;
        }
    for (const auto& both : answers)
        for (const std::uint32_t n : both)
            EXPECT_GT(n, 20u);
}

// Of reads the first warp's of an epoch stay, and that another came.
TEST(NotePasses, PutReadsBehindThoseOfOtherWarps) {
    std::mt19937 random(13);
    const Note epoch = 105u << NoteBits::shift;
    std::uint32_t kept = 0, taken = 0;
    for (const Processor& processor : processors())
        for (std::uint32_t round = 0; round < 1000; ++round) {
            const auto m = std::uint32_t(random());
            const Note by = (107u << NoteBits::shift) + std::uint32_t(random() % 3) * 32;
            const std::size_t kind = random() % 4, each = std::size_t(1) << (kind % 3); // 3: parts of rows
            std::vector<Note> cells(128);
            for (Note& cell : cells)
                cell = std::uint32_t(104 + random() % 3) << NoteBits::shift | std::uint32_t(random() % 96) |
                       (random() % 4 ? 0 : NoteBits::others);
            LaneOffsets offsets{};
            std::array<std::uint32_t, 32> bits{};
            std::vector<Note> put = cells;
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                offsets[lane] = kind == 3 ? 4 * lane : random() % (put.size() / each) * each * 4;
                bits[lane] = m >> lane & 1 ? ~0u : 0;
                if (bits[lane] == 0)
                    continue;
                for (std::size_t k = 0; k < each; ++k) {
                    Note& cell = cells[offsets[lane] / 4 + k];
                    const bool now = cell >= epoch, another = now && ((cell ^ by) & NoteBits::warp) != 0;
                    ++(another ? kept : taken);
                    cell = another ? cell | NoteBits::others : (by + lane) | (now ? cell & NoteBits::others : 0);
                }
            }
            if (kind == 3)
                processor.notes->putReadsOfPart(put.data(), bits.data(), by, epoch);
            else
                processor.notes->putReads[kind](put.data(), m, offsets, by, epoch);
            ASSERT_EQ(put, cells) << processor.name << ", round " << round;
        }
    EXPECT_GT(kept, 1000u);
    EXPECT_GT(taken, 1000u);
}

#endif

} // namespace
} // namespace warpglass::emulator
