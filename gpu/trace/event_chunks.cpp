// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/event_chunks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string_view>

namespace warpglass {

namespace {

constexpr std::size_t headBytes = 4;   // planes of the times, planes of the numbers, how many words less one
constexpr std::size_t wordPlanes = 12; // three numbers of four bytes
constexpr std::uint64_t mostOffset = (std::uint64_t(1) << 51) - 1; // between moments as values.cpp has them
constexpr std::uint64_t widest32 = std::numeric_limits<std::uint32_t>::max();

// The warp that has this event row: the last that begins at or before it (those without events come first).
std::size_t warpOf(const WarpStarts& warps, std::uint64_t row) {
    const auto after = std::upper_bound(warps.begin(), warps.end(), row);
    return after == warps.begin() ? 0 : std::size_t(after - warps.begin()) - 1;
}

// Calls f(begin, end) for each stretch of the chunk's rows, counted from its first, that belongs to one warp.
template <typename F>
void forEachWarp(const WarpStarts& warps, std::uint64_t first, std::size_t rows, F&& f) {
    std::size_t begin = 0;
    for (std::size_t w = warpOf(warps, first); begin < rows; ++w) {
        std::size_t end = rows;
        if (w + 1 < warps.size() && warps[w + 1] < first + rows)
            end = std::max(begin, std::size_t(std::max(warps[w + 1], first) - first));
        if (end > begin)
            f(begin, end);
        begin = end;
    }
}

std::array<std::uint32_t, 3> fields(const EventWord& word) {
    return {word.siteKind, word.active, word.taken};
}

void putPlanes(std::uint8_t*& out, std::size_t planes, std::size_t rows, const auto& at) {
    for (std::size_t plane = 0; plane < planes; ++plane)
        for (std::size_t i = 0; i < rows; ++i)
            *out++ = std::uint8_t(std::uint64_t(at(i)) >> (8 * plane));
}

template <typename Number>
void takePlanes(const std::uint8_t*& in, std::size_t planes, std::span<Number> numbers) {
    for (std::size_t plane = 0; plane < planes; ++plane, in += numbers.size())
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = Number(numbers[i] | Number(Number(in[i]) << (8 * plane)));
}

// Differences to times, warp by warp; gives all of them or-ed together, so that one too large for 32 bits shows.
template <typename Number>
std::uint64_t addUp(const WarpStarts& warps, std::uint64_t first, std::span<Number> numbers) {
    std::uint64_t all = 0;
    forEachWarp(warps, first, numbers.size(), [&](std::size_t begin, std::size_t end) {
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            all |= std::uint64_t(numbers[i]);
            sum += std::uint64_t(numbers[i]);
            all |= sum;
            numbers[i] = Number(sum);
        }
    });
    return all;
}

} // namespace

WarpStarts warpStarts(const std::vector<Warp>& warps) {
    WarpStarts starts;
    starts.reserve(warps.size());
    for (const Warp& warp : warps)
        starts.push_back(warp.firstEvent);
    return starts;
}

std::vector<std::byte> packEvents(const EventChunk& chunk, const WarpStarts& warps, std::uint64_t first) {
    const std::size_t rows = chunk.size();
    std::vector<std::uint64_t> passed(rows);
    std::uint64_t all = 0;
    forEachWarp(warps, first, rows, [&](std::size_t begin, std::size_t end) {
        std::int64_t before = 0;
        for (std::size_t i = begin; i < end; ++i) {
            passed[i] = std::uint64_t(chunk.time(i) - before);
            all |= passed[i];
            before = chunk.time(i);
        }
    });
    const std::size_t timePlanes = (std::size_t(std::bit_width(all)) + 7) / 8;
    const std::size_t numberPlanes = chunk.words.size() > 256 ? 2 : 1;
    std::vector<std::uint8_t> plain(headBytes + (timePlanes + numberPlanes) * rows + wordPlanes * chunk.words.size());
    std::uint8_t* out = plain.data();
    *out++ = std::uint8_t(timePlanes);
    *out++ = std::uint8_t(numberPlanes);
    *out++ = std::uint8_t((chunk.words.size() - 1) & 0xff);
    *out++ = std::uint8_t((chunk.words.size() - 1) >> 8);
    putPlanes(out, timePlanes, rows, [&](std::size_t i) { return passed[i]; });
    putPlanes(out, numberPlanes, rows, [&](std::size_t i) { return chunk.word[i]; });
    for (std::size_t field = 0; field < 3; ++field)
        putPlanes(out, 4, chunk.words.size(), [&](std::size_t i) { return fields(chunk.words[i])[field]; });
    return compress(plain);
}

bool unpackEvents(std::span<const std::byte> bytes, const WarpStarts& warps, std::uint64_t first, std::size_t rows,
                  std::size_t sites, EventChunk& chunk) {
    const auto unpacked = decompress(bytes, headBytes, headBytes + 10 * rows + wordPlanes * eventChunkRows);
    if (!unpacked)
        return false;
    const std::vector<std::uint8_t>& plain = *unpacked;
    const std::size_t timePlanes = plain[0], numberPlanes = plain[1], words = std::size_t(plain[2] | plain[3] << 8) + 1;
    if (timePlanes > 8 || numberPlanes > 2 || words > eventChunkRows ||
        plain.size() != headBytes + (timePlanes + numberPlanes) * rows + wordPlanes * words)
        return false;
    const std::uint8_t* in = plain.data() + headBytes;
    const std::uint8_t* const times = in;
    bool fits = timePlanes <= 4;
    if (fits) {
        chunk.offset.resize(rows);
        takePlanes(in, timePlanes, std::span(chunk.offset));
        fits = addUp(warps, first, std::span(chunk.offset)) <= widest32;
    }
    if (!fits) {
        chunk.offset = {};
        chunk.wide.resize(rows);
        in = times;
        takePlanes(in, timePlanes, std::span(chunk.wide));
        const std::uint64_t all = addUp(warps, first, std::span(chunk.wide));
        if (all <= widest32 || all > mostOffset)
            return false;
    }
    chunk.word.resize(rows);
    takePlanes(in, numberPlanes, std::span(chunk.word));
    if (std::any_of(chunk.word.begin(), chunk.word.end(), [&](std::uint16_t n) { return n >= words; }))
        return false;
    std::array<std::vector<std::uint32_t>, 3> read;
    for (auto& field : read) {
        field.resize(words);
        takePlanes(in, 4, std::span(field));
    }
    chunk.words.resize(words);
    for (std::size_t i = 0; i < words; ++i) {
        chunk.words[i] = {read[0][i], read[1][i], read[2][i]};
        if ((read[0][i] & 0x0fffffffu) >= sites ||
            std::string_view(name(EventKind(read[0][i] >> 28))) == std::string_view("unknown"))
            return false;
    }
    return true;
}

bool takeOldEvents(const Columns& columns, const WarpStarts& warps, std::uint64_t first, std::span<EventChunk> chunks) {
    const std::size_t rows = columns[0].size();
    std::uint64_t largest = 0;
    std::uint32_t activeBefore = 0;
    std::size_t row = 0;
    EventChunkWriter writer;
    forEachWarp(warps, first, rows, [&](std::size_t begin, std::size_t end) {
        std::uint64_t before = 0;
        for (std::size_t i = begin; i < end; ++i, ++row) {
            EventChunk& chunk = chunks[i / eventChunkRows];
            if (i % eventChunkRows == 0)
                writer.goOn(chunk);
            before = restored(columns[0][i], before);
            activeBefore ^= std::uint32_t(columns[2][i]);
            largest |= before;
            writer.add(chunk, std::int64_t(before & std::uint64_t(std::numeric_limits<std::int64_t>::max())),
                       {std::uint32_t(columns[1][i]), activeBefore, std::uint32_t(columns[3][i])});
        }
    });
    return row == rows && largest <= mostOffset;
}

} // namespace warpglass
