// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/event_chunks.h"
#include "gpu/trace/pages.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace warpglass {
namespace {

// 1000 rows in chunks of 64; row i holds 3 i. Chunk `bad` cannot be unpacked.
struct Counted {
    std::atomic<int> unpacked[16] = {};
    LargeTable<std::uint64_t> table;

    explicit Counted(std::size_t bad = 99)
        : table(
              LargeTable<std::uint64_t>::paged(1000, 6, [this, bad](std::size_t chunk, std::span<std::uint64_t> rows) {
                  ++unpacked[chunk];
                  for (std::size_t i = 0; i < rows.size(); ++i)
                      rows[i] = 3 * (chunk * 64 + i);
                  return chunk != bad;
              })) {}
    int chunks() const {
        int sum = 0;
        for (const auto& n : unpacked)
            sum += n;
        return sum;
    }
};

TEST(LargeTable, UnpacksTheChunkThatIsReadAndNoOther) {
    const Counted c;
    EXPECT_EQ(c.table.size(), 1000u);
    EXPECT_EQ(c.chunks(), 0);
    EXPECT_EQ(c.table[130], 390u);
    EXPECT_EQ(c.unpacked[2], 1);
    EXPECT_EQ(c.chunks(), 1);
    const auto some = c.table.rows(60, 8); // across the border of chunks 0 and 1
    EXPECT_EQ(some[0], 180u);
    EXPECT_EQ(some[7], 201u);
    EXPECT_EQ(c.chunks(), 3);
    EXPECT_TRUE(c.table.rows(500, 0).empty());
    EXPECT_EQ(c.chunks(), 3);
    EXPECT_EQ(*(c.table.end() - 1), 2997u); // the last chunk is shorter
    EXPECT_EQ(c.chunks(), 16);
}

TEST(LargeTable, UnpacksAChunkOnceForManyThreads) {
    for (int round = 0; round < 50; ++round) {
        const Counted c;
        std::vector<std::thread> threads;
        std::atomic<std::uint64_t> sum = 0;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (std::size_t i = 0; i < 1000; ++i)
                    sum += c.table[(i * 7 + std::size_t(t) * 250) % 1000];
            });
        for (std::thread& thread : threads)
            thread.join();
        EXPECT_EQ(sum, 4 * 3 * (999u * 1000 / 2)); // four times 3 (0 + 1 + ... + 999)
        for (const auto& n : c.unpacked)
            EXPECT_EQ(n, 1);
    }
}

TEST(LargeTable, ReadsZerosWhereAChunkCannotBeUnpackedAndTellsWhich) {
    const Counted c(4);
    EXPECT_FALSE(c.table.firstBad());
    EXPECT_EQ(c.table[4 * 64 + 3], 0u);
    EXPECT_EQ(c.table[5 * 64], 960u);
    EXPECT_EQ(c.table.firstBad(), std::optional<std::size_t>(4));
}

TEST(LargeTable, ACopyThatIsChangedLeavesTheFirstAsItWas) {
    const Counted c;
    LargeTable<std::uint64_t> copy = c.table;
    EXPECT_EQ(c.chunks(), 0);
    copy.push_back(7);
    copy[0] = 5;
    EXPECT_EQ(copy.size(), 1001u);
    EXPECT_EQ(std::as_const(copy)[999], 2997u);
    EXPECT_EQ(c.table.size(), 1000u);
    EXPECT_EQ(c.table[0], 0u);
}

// 40,000 events, three chunks: warp 0 has 30,000, warp 1 none, warp 2 the rest. The words repeat every 6 events.
struct Stored {
    std::vector<Warp> warps;
    EventTable table;
    explicit Stored(std::int64_t jump = 0) {
        for (const auto& [first, count] : {std::pair(0u, 30000u), {30000u, 0u}, {30000u, 10000u}}) {
            Warp w;
            w.firstEvent = first;
            w.eventCount = count;
            warps.push_back(w);
            for (std::uint32_t i = 0; i < count; ++i)
                table.push(std::int64_t(i) * 5 + (i > 20000 ? jump : 0), i % 3,
                           i % 2 ? EventKind::Path : EventKind::Exit, {i % 6 * 17}, LaneMask::of(3));
        }
    }
    EventTable unpacked(std::size_t sites) const {
        std::vector<std::vector<std::byte>> bytes;
        const WarpStarts starts = warpStarts(warps);
        for (std::size_t n = 0; n < 3; ++n)
            bytes.push_back(packEvents(table.chunk(n), starts, n * eventChunkRows));
        return EventTable::paged(table.size(), [=, rows = table.size()](std::size_t n, EventChunk& chunk) {
            return unpackEvents(bytes[n], starts, n * eventChunkRows,
                                std::min(eventChunkRows, rows - n * eventChunkRows), sites, chunk);
        });
    }
};

TEST(EventTable, ComesBackFromItsChunks) {
    for (const std::int64_t jump : {std::int64_t(0), std::int64_t(1) << 40}) {
        const Stored stored(jump);
        const EventTable back = stored.unpacked(3);
        EXPECT_EQ(back.get(29999, {1}), (Event{{1 + 29999 * 5 + jump}, 2, EventKind::Path, {85}, LaneMask::of(3)}));
        EXPECT_EQ(back.get(30000, {0}), (Event{{0}, 0, EventKind::Exit, {0}, LaneMask::of(3)}));
        EXPECT_TRUE(back == stored.table);
        EXPECT_FALSE(back.firstBad());
    }
}

TEST(EventTable, HasNoEventsOfSitesThatDoNotExist) {
    const EventTable back = Stored().unpacked(2);
    EXPECT_EQ(back.get(20000, {7}), (Event{{7}, 0, EventKind::Entry, {}, {}}));
    EXPECT_EQ(back.firstBad(), std::optional<std::size_t>(1));
}

TEST(EventTable, GoesOnWhereAPagedOneEnded) {
    const Stored stored;
    EventTable more = stored.unpacked(3), same = stored.table;
    more.push(1, 2, EventKind::Path, {51}, LaneMask::of(3));
    same.push(1, 2, EventKind::Path, {51}, LaneMask::of(3));
    EXPECT_EQ(more.size(), 40001u);
    EXPECT_TRUE(more == same);
}

TEST(EventTable, EveryFlippedByteOfAChunkIsNoticed) {
    EventTable table;
    for (std::uint32_t i = 0; i < 300; ++i)
        table.push(i * i, i % 5, EventKind::Branch, {i * 77}, {i});
    const auto bytes = packEvents(table.chunk(0), {0}, 0);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto damaged = bytes;
        damaged[i] ^= std::byte(0x10);
        EventChunk chunk;
        if (unpackEvents(damaged, {0}, 0, 300, 5, chunk)) {
            EXPECT_EQ(chunk, table.chunk(0)) << "byte " << i;
        }
    }
    EventChunk chunk;
    EXPECT_FALSE(unpackEvents(bytes, {0}, 0, 299, 5, chunk));
    EXPECT_FALSE(unpackEvents({}, {0}, 0, 300, 5, chunk));
}

} // namespace
} // namespace warpglass
