// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/event_table.h"

#include <cassert>
#include <limits>

namespace warpglass {

namespace {

constexpr std::int64_t widestOffset = std::numeric_limits<std::uint32_t>::max();

// Twice as many places as a chunk can have words: a search meets a free one soon.
constexpr std::uint32_t placeBits = eventChunkBits + 1;

std::uint32_t placeOf(const EventWord& word) {
    const std::uint64_t mixed = (word.siteKind * 0x9e3779b97f4a7c15u ^ word.active) * 0xc2b2ae3d27d4eb4fu ^ word.taken;
    return std::uint32_t(mixed * 0x9e3779b97f4a7c15u >> (64 - placeBits));
}

template <typename T>
std::size_t bytesOf(const std::vector<T>& values) {
    return values.capacity() * sizeof(T);
}

} // namespace

std::size_t EventChunk::bytes() const {
    return bytesOf(offset) + bytesOf(wide) + bytesOf(word) + bytesOf(words);
}

void EventChunkWriter::goOn(const EventChunk& chunk) {
    m_places.assign(std::size_t(1) << placeBits, 0);
    for (std::size_t n = 0; n < chunk.words.size(); ++n) {
        std::uint32_t place = placeOf(chunk.words[n]);
        while (m_places[place] != 0)
            place = (place + 1) % (1u << placeBits);
        m_places[place] = std::uint16_t(n + 1);
    }
}

void EventChunkWriter::add(EventChunk& chunk, std::int64_t offset, const EventWord& word) {
    // A chunk is wide if and only if some offset needs it, so that equal events make equal chunks.
    if (chunk.wide.empty() && offset > widestOffset) {
        chunk.wide.assign(chunk.offset.begin(), chunk.offset.end());
        chunk.offset = {};
        chunk.wide.push_back(offset);
    } else if (!chunk.wide.empty()) {
        chunk.wide.push_back(offset);
    } else {
        chunk.offset.push_back(std::uint32_t(offset));
    }
    std::uint32_t place = placeOf(word);
    while (m_places[place] != 0 && chunk.words[m_places[place] - 1u] != word)
        place = (place + 1) % (1u << placeBits);
    if (m_places[place] == 0) {
        chunk.words.push_back(word);
        m_places[place] = std::uint16_t(chunk.words.size());
    }
    chunk.word.push_back(std::uint16_t(m_places[place] - 1));
}

EventTable::Paged::Paged(std::size_t rows, Unpack unpack)
    : chunks((rows + eventChunkRows - 1) >> eventChunkBits),
      pages(rows, eventChunkBits, [this, rows, unpack = std::move(unpack)](std::size_t n) {
          if (unpack(n, chunks[n]))
              return true;
          const std::size_t count = std::min(eventChunkRows, rows - (n << eventChunkBits));
          chunks[n] = {std::vector<std::uint32_t>(count), {}, std::vector<std::uint16_t>(count), {EventWord{}}};
          return false;
      }) {}

EventTable EventTable::paged(std::size_t rows, Unpack unpack) {
    EventTable table;
    table.m_size = rows;
    if (rows > 0)
        table.m_paged = std::make_shared<const Paged>(rows, std::move(unpack));
    return table;
}

EventTable EventTable::of(std::vector<EventChunk> chunks) {
    EventTable table;
    table.m_chunks = std::move(chunks);
    if (!table.m_chunks.empty())
        table.m_size = (table.m_chunks.size() - 1) * eventChunkRows + table.m_chunks.back().size();
    return table;
}

void EventTable::load() const {
    if (m_paged)
        m_paged->pages.needAll();
}

std::optional<std::size_t> EventTable::firstBad() const {
    return m_paged ? m_paged->pages.firstBad() : std::nullopt;
}

// Before the first change: the chunks become this table's, and the last one can grow.
void EventTable::own() {
    if (m_paged) {
        load();
        m_chunks = m_paged->chunks;
        m_paged.reset();
        m_writer = {};
    }
}

void EventTable::push(std::int64_t offset, std::uint32_t site, EventKind kind, LaneMask active, LaneMask taken) {
    assert(offset >= 0);
    assert(site <= 0x0fffffffu);
    own();
    if (m_size % eventChunkRows == 0) {
        EventChunk& next = m_chunks.emplace_back();
        if (m_size > 0) { // a large table: the chunk will be full
            next.offset.reserve(eventChunkRows);
            next.word.reserve(eventChunkRows);
        }
        m_writer.goOn(next);
    } else if (!m_writer.ready()) {
        m_writer.goOn(m_chunks.back());
    }
    m_writer.add(m_chunks.back(), offset, {std::uint32_t(kind) << 28 | (site & 0x0fffffffu), active.bits, taken.bits});
    ++m_size;
}

void EventTable::reserve(std::size_t rows) {
    own();
    m_chunks.reserve((rows + eventChunkRows - 1) >> eventChunkBits);
}

void EventTable::append(const EventTable& other) {
    for (std::size_t row = 0; row < other.size(); ++row) {
        const Event e = other.get(row, {});
        push(e.time.value, e.site, e.kind, e.active, e.taken);
    }
}

std::size_t EventTable::bytes() const {
    std::size_t sum = 0;
    for (std::size_t n = 0; n < chunks(); ++n)
        sum += chunk(n).bytes();
    return sum;
}

bool EventTable::operator==(const EventTable& other) const {
    if (m_size != other.m_size)
        return false;
    for (std::size_t n = 0; n < chunks(); ++n)
        if (chunk(n) != other.chunk(n))
            return false;
    return true;
}

} // namespace warpglass
