// SPDX-License-Identifier: GPL-3.0-or-later
// The event table: by far the largest of a trace, so its rows are sized by the byte.
//
// The idea: what an event says besides its time (which site, what kind, which lanes) repeats. A kernel has a few dozen
// sites, and at each of them a few masks. So events lie in chunks of 16 Ki, and each chunk has a list of the different
// "words" in it; an event is its time since its warp began (4 bytes) and the number of its word (2 bytes). The file
// stores the same chunks, so that unpacking one is little more than adding up times. A chunk is the unit of laziness
// too: one of a file is unpacked when an event in it is first asked for (pages.h). Cost: 6 bytes an event and 12 a
// word; 2 or 3 bytes while still packed.
#pragma once

#include "gpu/trace/pages.h"
#include "gpu/trace/tables.h"

namespace warpglass {

inline constexpr std::uint32_t eventChunkBits = 14;
inline constexpr std::size_t eventChunkRows = std::size_t(1) << eventChunkBits;

// What an event says besides its time.
struct EventWord {
    std::uint32_t siteKind = 0; // kind << 28 | site
    std::uint32_t active = 0, taken = 0;
    bool operator==(const EventWord&) const = default;
};

struct EventChunk {
    std::vector<std::uint32_t> offset; // since the start of the event's warp; empty when wide
    std::vector<std::int64_t> wide;    // empty unless some offset of the chunk needs it
    std::vector<std::uint16_t> word;   // into words
    std::vector<EventWord> words;      // in the order in which they first occur

    std::size_t size() const { return word.size(); }
    std::int64_t time(std::size_t i) const { return wide.empty() ? std::int64_t(offset[i]) : wide[i]; }
    const EventWord& at(std::size_t i) const { return words[word[i]]; }
    std::size_t bytes() const; // memory held
    bool operator==(const EventChunk&) const = default;
};

// Appends events to a chunk and knows which words it has already.
class EventChunkWriter {
public:
    bool ready() const { return !m_places.empty(); }
    void goOn(const EventChunk& chunk); // the chunk to add to from here on
    void add(EventChunk& chunk, std::int64_t offset, const EventWord& word);

private:
    std::vector<std::uint16_t> m_places; // open addressing; number of a word + 1, 0 = free
};

class EventTable {
public:
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }

    // The event's fields. base is the start of its warp (Warp::start).
    Event get(std::size_t row, Time base) const {
        const EventChunk& chunk = chunkOf(row);
        const EventWord& word = chunk.at(row % eventChunkRows);
        return {base + Time{chunk.time(row % eventChunkRows)},
                word.siteKind & 0x0fffffffu,
                EventKind(word.siteKind >> 28),
                {word.active},
                {word.taken}};
    }
    Time time(std::size_t row, Time base) const { return base + Time{chunkOf(row).time(row % eventChunkRows)}; }
    std::uint32_t site(std::size_t row) const { return word(row).siteKind & 0x0fffffffu; }
    EventKind kind(std::size_t row) const { return EventKind(word(row).siteKind >> 28); }
    LaneMask active(std::size_t row) const { return {word(row).active}; }
    LaneMask taken(std::size_t row) const { return {word(row).taken}; }
    // For loops over many rows: row r lies in chunk r / eventChunkRows at r % eventChunkRows.
    const EventChunk& chunk(std::size_t n) const {
        if (!m_paged)
            return m_chunks[n];
        m_paged->pages.need(n << eventChunkBits);
        return m_paged->chunks[n];
    }
    void load() const; // all of it, on all cores
    std::optional<std::size_t> firstBad() const;

    // offset = event time - warp start, not negative.
    void push(std::int64_t offset, std::uint32_t site, EventKind kind, LaneMask active, LaneMask taken);
    void reserve(std::size_t rows);
    void append(const EventTable& other);
    std::size_t bytes() const; // memory that it holds when all of it has been read
    bool operator==(const EventTable& other) const;

    // rows rows that come from elsewhere: unpack(n, chunk) fills in chunk n.
    using Unpack = std::function<bool(std::size_t, EventChunk&)>;
    static EventTable paged(std::size_t rows, Unpack unpack);
    static EventTable of(std::vector<EventChunk> chunks); // all but the last full

private:
    struct Paged {
        Paged(std::size_t rows, Unpack unpack);
        std::vector<EventChunk> chunks;
        Pages pages;
    };
    const EventChunk& chunkOf(std::size_t row) const { return chunk(row >> eventChunkBits); }
    const EventWord& word(std::size_t row) const { return chunkOf(row).at(row % eventChunkRows); }
    std::size_t chunks() const { return (m_size + eventChunkRows - 1) >> eventChunkBits; }
    void own();

    std::size_t m_size = 0;
    std::vector<EventChunk> m_chunks;
    EventChunkWriter m_writer;
    std::shared_ptr<const Paged> m_paged; // copies share it
};

} // namespace warpglass
