// SPDX-License-Identifier: GPL-3.0-or-later
// Tables whose chunks are unpacked when somebody first reads them.
//
// A file of a hundred million events opens at once because nothing but the small tables is unpacked: the large ones are
// kept as they lie in the file, and a reader who asks for a row waits for that row's chunk, once. To readers the table
// is immutable all the same: asking is const, may be done from any thread, and always gives the same rows. A chunk that
// cannot be unpacked (its bytes have passed the digest, so somebody forged them) reads as zeros, which every reader
// bears, and the table remembers which one it was.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpglass {

// Which chunks of a table are there. unpack(chunk) is called once for each chunk, on the thread that asked first; the
// others who ask for the same chunk wait for it. False: it could not be unpacked.
class Pages {
public:
    Pages(std::size_t rows, std::uint32_t rowBits, std::function<bool(std::size_t)> unpack);

    void need(std::size_t row) const {
        if (m_state[row >> m_rowBits].load(std::memory_order_acquire) != there)
            load(row >> m_rowBits);
    }
    void need(std::size_t first, std::size_t count) const;
    void needAll() const; // on all cores
    std::optional<std::size_t> firstBad() const;

private:
    enum State : std::uint8_t { absent, coming, there };
    void load(std::size_t chunk) const;

    std::uint32_t m_rowBits;
    std::size_t m_chunks;
    std::function<bool(std::size_t)> m_unpack;
    std::unique_ptr<std::atomic<std::uint8_t>[]> m_state;
    mutable std::atomic<std::size_t> m_missing; // chunks
    mutable std::atomic<std::size_t> m_firstBad{SIZE_MAX};
};

// A vector of rows that may come from a file, page by page. Changing a table first unpacks all of it, and is, as with
// any container, for its only user.
template <typename Row>
class LargeTable {
public:
    using value_type = Row;

    LargeTable() = default;
    LargeTable(std::initializer_list<Row> rows) : m_rows(rows) {}
    explicit LargeTable(std::vector<Row> rows) : m_rows(std::move(rows)) {}
    // rows rows, in chunks of 2^rowBits; unpack(chunk, rows of the chunk) fills them in.
    using Unpack = std::function<bool(std::size_t, std::span<Row>)>;
    static LargeTable paged(std::size_t rows, std::uint32_t rowBits, Unpack unpack);
    // Rows that lie somewhere as they are, and stay there unchanged as long as anybody holds them.
    static LargeTable lying(std::shared_ptr<const Row> first, std::size_t rows) {
        LargeTable table;
        if (rows > 0)
            table.m_paged = std::make_shared<const Paged>(std::move(first), rows);
        return table;
    }

    std::size_t size() const { return m_paged ? m_paged->size : m_rows.size(); }
    bool empty() const { return size() == 0; }
    const Row& operator[](std::size_t i) const {
        if (!m_paged)
            return m_rows[i];
        m_paged->pages.need(i);
        return m_paged->rows.get()[i];
    }
    // Some of the rows: only their chunks are unpacked.
    std::span<const Row> rows(std::size_t first, std::size_t count) const {
        if (!m_paged)
            return {m_rows.data() + first, count};
        m_paged->pages.need(first, count);
        return {m_paged->rows.get() + first, count};
    }
    // All of them.
    const Row* data() const { return rows(0, size()).data(); }
    const Row* begin() const { return data(); }
    const Row* end() const { return data() + size(); }
    friend bool operator==(const LargeTable& a, const LargeTable& b) { return std::ranges::equal(a, b); }
    const Row& front() const { return (*this)[0]; }
    const Row& back() const { return (*this)[size() - 1]; }
    void load() const {
        if (m_paged)
            m_paged->pages.needAll();
    }
    std::optional<std::size_t> firstBad() const { return m_paged ? m_paged->pages.firstBad() : std::nullopt; }

    Row& operator[](std::size_t i) { return own()[i]; }
    Row& back() { return own().back(); }
    void push_back(const Row& row) { own().push_back(row); }
    void pop_back() { own().pop_back(); }
    void clear() {
        m_paged.reset();
        m_rows.clear();
    }
    void reserve(std::size_t rows) { own().reserve(rows); }
    void resize(std::size_t rows) { own().resize(rows); }
    template <typename Iterator>
    void append(Iterator first, Iterator last) {
        own().insert(m_rows.end(), first, last);
    }

private:
    static_assert(std::is_trivially_copyable_v<Row>);
    struct Paged {
        Paged(std::shared_ptr<const Row> first, std::size_t count)
            : size(count), rows(std::const_pointer_cast<Row>(std::move(first))),
              pages(count, 63, [](std::size_t) { return true; }) { // one page, which is there
            pages.needAll();
        }
        Paged(std::size_t count, std::uint32_t rowBits, Unpack unpack)
            : size(count), rows(static_cast<Row*>(std::calloc(count, sizeof(Row))), [](Row* all) { std::free(all); }),
              pages(count, rowBits, [this, rowBits, unpack = std::move(unpack)](std::size_t chunk) {
                  const std::size_t first = chunk << rowBits;
                  const std::span<Row> here(rows.get() + first, std::min(size - first, std::size_t(1) << rowBits));
                  const bool good = unpack(chunk, here);
                  if (!good)
                      std::fill(here.begin(), here.end(), Row{});
                  return good;
              }) {
            if (!rows)
                throw std::bad_alloc();
        }
        std::size_t size;
        std::shared_ptr<Row> rows; // the system's zero pages until a chunk is unpacked
        Pages pages;
    };

    std::vector<Row>& own() {
        if (m_paged) {
            m_rows.assign(begin(), end());
            m_paged.reset();
        }
        return m_rows;
    }

    std::vector<Row> m_rows;
    std::shared_ptr<const Paged> m_paged; // copies share it
};

template <typename Row>
LargeTable<Row> LargeTable<Row>::paged(std::size_t rows, std::uint32_t rowBits, Unpack unpack) {
    LargeTable table;
    if (rows > 0)
        table.m_paged = std::make_shared<Paged>(rows, rowBits, std::move(unpack));
    return table;
}

} // namespace warpglass
