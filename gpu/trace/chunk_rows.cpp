// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/chunk_rows.h"

namespace warpglass {

namespace {

// Each row type has a pair of functions that mirror each other: split() gives the residuals of a row after another,
// join() takes them back. Both fill or read columnsOf<Row> numbers.
using Numbers = std::uint64_t*;
using ConstNumbers = const std::uint64_t*;

std::uint64_t number(Time t) {
    return std::uint64_t(t.value);
}
Time timeOf(std::uint64_t n) {
    return {std::int64_t(n)};
}

void split(const Block& r, const Block& before, Numbers n) {
    n[0] = residual(r.launch, before.launch);
    n[1] = residual(r.index, before.index);
    n[2] = residual(number(r.start), number(before.start));
    n[3] = residual(number(r.end), number(r.start));
    n[4] = residual(r.firstWarp, std::uint64_t(before.firstWarp) + before.warpCount);
    n[5] = residual(r.warpCount, before.warpCount);
    n[6] = r.sm;
}

void join(ConstNumbers n, const Block& before, Block& r) {
    r.launch = std::uint32_t(restored(n[0], before.launch));
    r.index = std::uint32_t(restored(n[1], before.index));
    r.start = timeOf(restored(n[2], number(before.start)));
    r.end = timeOf(restored(n[3], number(r.start)));
    r.firstWarp = std::uint32_t(restored(n[4], std::uint64_t(before.firstWarp) + before.warpCount));
    r.warpCount = std::uint16_t(restored(n[5], before.warpCount));
    r.sm = std::uint16_t(n[6]);
}

void split(const Warp& r, const Warp& before, Numbers n) {
    n[0] = residual(r.block, before.block);
    n[1] = residual(r.warpInBlock, before.warpInBlock);
    n[2] = residual(r.slot, before.slot);
    n[3] = r.scheduler;
    n[4] = r.liveLanes.bits;
    n[5] = residual(number(r.start), number(before.start));
    n[6] = residual(number(r.end), number(r.start));
    n[7] = residual(r.firstEvent, before.firstEvent + before.eventCount);
    n[8] = residual(r.eventCount, before.eventCount);
    n[9] = residual(r.firstState, before.firstState + before.stateCount);
    n[10] = residual(r.stateCount, before.stateCount);
}

void join(ConstNumbers n, const Warp& before, Warp& r) {
    r.block = std::uint32_t(restored(n[0], before.block));
    r.warpInBlock = std::uint16_t(restored(n[1], before.warpInBlock));
    r.slot = std::uint16_t(restored(n[2], before.slot));
    r.scheduler = std::uint8_t(n[3]);
    r.liveLanes = {std::uint32_t(n[4])};
    r.start = timeOf(restored(n[5], number(before.start)));
    r.end = timeOf(restored(n[6], number(r.start)));
    r.firstEvent = restored(n[7], before.firstEvent + before.eventCount);
    r.eventCount = std::uint32_t(restored(n[8], before.eventCount));
    r.firstState = restored(n[9], before.firstState + before.stateCount);
    r.stateCount = std::uint32_t(restored(n[10], before.stateCount));
}

void split(const StateRow& r, const StateRow& before, Numbers n) {
    n[0] = residual(number(r.begin), number(before.end));
    n[1] = residual(number(r.end), number(r.begin));
    n[2] = std::uint64_t(r.state) | std::uint64_t(r.ptxLine) << 8;
}

void join(ConstNumbers n, const StateRow& before, StateRow& r) {
    r.begin = timeOf(restored(n[0], number(before.end)));
    r.end = timeOf(restored(n[1], number(r.begin)));
    r.state = WarpState(n[2] & 0xff);
    r.ptxLine = std::uint32_t(n[2] >> 8);
}

// The small fields share one number; it repeats for every execution of the same instruction.
void split(const AccessRow& r, const AccessRow& before, Numbers n) {
    n[0] = residual(r.event, before.event);
    n[1] = std::uint64_t(r.space) | std::uint64_t(r.kind) << 8 | std::uint64_t(r.bytesPerElement) << 16 |
           std::uint64_t(r.elements) << 24 | std::uint64_t(r.shuffle) << 32 | std::uint64_t(r.isFloat) << 33;
    n[2] = residual(r.firstLane, before.firstLane);
    n[3] = residual(r.firstValue, before.firstValue);
}

void join(ConstNumbers n, const AccessRow& before, AccessRow& r) {
    r.event = restored(n[0], before.event);
    r.space = MemorySpace(n[1] & 0xff);
    r.kind = AccessKind(n[1] >> 8 & 0xff);
    r.bytesPerElement = std::uint8_t(n[1] >> 16);
    r.elements = std::uint8_t(n[1] >> 24);
    r.shuffle = (n[1] >> 32 & 1) != 0;
    r.isFloat = (n[1] >> 33 & 1) != 0;
    r.firstLane = restored(n[2], before.firstLane);
    r.firstValue = restored(n[3], before.firstValue);
}

void split(const std::uint64_t& r, const std::uint64_t& before, Numbers n) {
    n[0] = residual(r, before);
}

void join(ConstNumbers n, const std::uint64_t& before, std::uint64_t& r) {
    r = restored(n[0], before);
}

void split(const EventNode& r, const EventNode& before, Numbers n) {
    n[0] = residual(number(r.begin), number(before.end));
    n[1] = residual(number(r.end), number(r.begin));
    n[2] = number(r.waiting);
    n[3] = r.any.bits;
    n[4] = r.all.bits ^ r.any.bits;
}

void join(ConstNumbers n, const EventNode& before, EventNode& r) {
    r.begin = timeOf(restored(n[0], number(before.end)));
    r.end = timeOf(restored(n[1], number(r.begin)));
    r.waiting = timeOf(n[2]);
    r.any = {std::uint32_t(n[3])};
    r.all = {std::uint32_t(n[4] ^ n[3])};
}

void split(const StateNode& r, const StateNode& before, Numbers n) {
    n[0] = residual(number(r.begin), number(before.end));
    n[1] = residual(number(r.end), number(r.begin));
    for (std::size_t i = 0; i < r.cycles.size(); ++i)
        n[2 + i] = r.cycles[i];
}

void join(ConstNumbers n, const StateNode& before, StateNode& r) {
    r.begin = timeOf(restored(n[0], number(before.end)));
    r.end = timeOf(restored(n[1], number(r.begin)));
    for (std::size_t i = 0; i < r.cycles.size(); ++i)
        r.cycles[i] = std::uint32_t(n[2 + i]);
}

template <typename Row>
Columns columnsFrom(std::span<const Row> rows) {
    constexpr std::size_t count = columnsOf<Row>;
    Columns columns(count, std::vector<std::uint64_t>(rows.size()));
    const Row zeros{};
    std::uint64_t numbers[count];
    for (std::size_t i = 0; i < rows.size(); ++i) {
        split(rows[i], i > 0 ? rows[i - 1] : zeros, numbers);
        for (std::size_t c = 0; c < count; ++c)
            columns[c][i] = numbers[c];
    }
    return columns;
}

template <typename Row>
void rowsFrom(const Columns& columns, std::span<Row> rows) {
    constexpr std::size_t count = columnsOf<Row>;
    const Row zeros{};
    std::uint64_t numbers[count];
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t c = 0; c < count; ++c)
            numbers[c] = columns[c][i];
        join(numbers, i > 0 ? rows[i - 1] : zeros, rows[i]);
    }
}

} // namespace

Columns toColumns(std::span<const Block> rows) {
    return columnsFrom(rows);
}
Columns toColumns(std::span<const Warp> rows) {
    return columnsFrom(rows);
}
Columns toColumns(std::span<const StateRow> rows) {
    return columnsFrom(rows);
}
Columns toColumns(std::span<const AccessRow> rows) {
    return columnsFrom(rows);
}
Columns toColumns(std::span<const std::uint64_t> rows) {
    return columnsFrom(rows);
}
Columns toColumns(std::span<const EventNode> rows) {
    return columnsFrom(rows);
}
Columns toColumns(std::span<const StateNode> rows) {
    return columnsFrom(rows);
}

void fromColumns(const Columns& columns, std::span<Block> rows) {
    rowsFrom(columns, rows);
}
void fromColumns(const Columns& columns, std::span<Warp> rows) {
    rowsFrom(columns, rows);
}
void fromColumns(const Columns& columns, std::span<StateRow> rows) {
    rowsFrom(columns, rows);
}
void fromColumns(const Columns& columns, std::span<AccessRow> rows) {
    rowsFrom(columns, rows);
}
void fromColumns(const Columns& columns, std::span<std::uint64_t> rows) {
    rowsFrom(columns, rows);
}
void fromColumns(const Columns& columns, std::span<EventNode> rows) {
    rowsFrom(columns, rows);
}
void fromColumns(const Columns& columns, std::span<StateNode> rows) {
    rowsFrom(columns, rows);
}

} // namespace warpglass
