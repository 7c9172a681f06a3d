// SPDX-License-Identifier: GPL-3.0-or-later
// Values as bytes of a stream, and back, between two processes of the same build. One description of a type (fields.h)
// serves both ways. What comes may be a stranger's: a number of rows is held against the bytes that may still come before
// anything is made of it, and what has come lies in memory that nobody else has.
#pragma once

#include "gpu/base/large_pages.h"
#include "gpu/trace/pages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace warpglass::cage {

// Takes bytes; false: no more of them, nobody is there who wants them.
using Sink = std::function<bool(std::span<const std::byte>)>;
// Gives the next bytes, some of those that there is room for; 0: there are no more.
using Source = std::function<std::size_t(std::span<std::byte>)>;
// Gives the bytes that the other side has at an address of its own; false: there are none.
using Reach = std::function<bool(std::span<std::byte>, std::uint64_t)>;
// Writes what a buffer holds at first.
using Fill = std::function<void(std::span<std::byte>)>;

class Packer {
public:
    static constexpr bool packs = true;
    // Who is asked for more than mostBytes does not even say how many they would be. byPlace: of what lasts, the other
    // side reaches for the larger pieces.
    explicit Packer(Sink sink, std::uint64_t mostBytes = std::numeric_limits<std::uint64_t>::max(),
                    bool byPlace = false)
        : m_sink(std::move(sink)), m_left(mostBytes), m_byPlace(byPlace) {}
    void bytes(const void* from, std::size_t count);
    // Of what stays as it is until the other side has all that is packed.
    void lasting(const void* from, std::size_t count);
    bool byPlace() const { return m_byPlace; }
    bool finish(); // false: some of it did not go

    // Of each buffer in their order, what the other side asks for when it wants its contents.
    struct Contents {
        Fill fill; // none: it needs none
        std::uint64_t bytes = 0;
    };
    std::vector<Contents> contents;
    std::uint32_t nextBuffer() {
        contents.emplace_back();
        return std::uint32_t(contents.size() - 1);
    }

private:
    void flush();
    Sink m_sink;
    std::uint64_t m_left;
    bool m_byPlace;
    std::vector<std::byte> m_pending;
    bool m_good = true;
};

class Unpacker {
public:
    static constexpr bool packs = false;
    Unpacker(Source source, std::uint64_t mostBytes, Reach reach = nullptr)
        : m_source(std::move(source)), m_reach(std::move(reach)), m_left(mostBytes) {}
    bool good() const { return m_good; }
    void fail() { m_good = false; }
    bool atEnd(); // waits for it
    std::uint64_t left() const { return m_left; }
    // Not good afterwards: there were fewer.
    void bytes(void* to, std::size_t count);
    // Where the other side has the next bytes, of so many, which then do not come; nothing: they come.
    std::optional<std::uint64_t> place(std::size_t count);
    void reach(void* to, std::size_t count, std::uint64_t at);
    // The next bytes, from the line or a place, in memory of their own; null and no longer good where there are fewer.
    std::shared_ptr<const std::byte> block(std::uint64_t count, std::optional<std::uint64_t> at = {});

    // Asks the other side for the contents of the buffer of this number (Packer::contents).
    std::function<void(std::uint32_t, std::span<std::byte>)> ask;
    std::uint32_t nextBuffer() { return m_buffers++; }

private:
    Source m_source;
    Reach m_reach;
    std::uint32_t m_buffers = 0; // that have come
    std::uint64_t m_left;        // that may still be asked for
    std::vector<std::byte> m_pending;
    std::size_t m_pendingCount = 0, m_at = 0; // how many of them are there, and taken
    bool m_good = true;
};

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::byte>;

template <class A, Number T>
void travel(A& a, T& value) {
    if constexpr (std::is_same_v<T, bool>) { // of which one byte in two is none
        std::uint8_t byte = A::packs ? std::uint8_t(value) : 0;
        travel(a, byte);
        value = byte != 0;
    } else {
        a.bytes(&value, sizeof value);
    }
}

// Rows as they lie in memory.
template <class Row>
void putRows(Packer& packer, const Row* rows, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Row>);
    std::uint64_t n = count;
    travel(packer, n);
    packer.bytes(rows, count * sizeof(Row));
}
// How many come; 0 and no longer good where as many cannot come.
template <class Row>
std::size_t countOf(Unpacker& unpacker) {
    static_assert(std::is_trivially_copyable_v<Row>);
    std::uint64_t n = 0;
    travel(unpacker, n);
    if (n <= unpacker.left() / sizeof(Row))
        return std::size_t(n);
    unpacker.fail();
    return 0;
}
template <class Row>
void putLasting(Packer& packer, const Row* rows, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Row>);
    std::uint64_t n = count;
    travel(packer, n);
    packer.lasting(rows, count * sizeof(Row));
}
// Into a vector or a string, which grows as rows come, from the line or a place.
template <class Rows>
void takeRows(Unpacker& unpacker, Rows& rows, std::size_t count, std::optional<std::uint64_t> at = {}) {
    using Row = typename Rows::value_type;
    constexpr std::size_t piece = (std::size_t(1) << 18) / sizeof(Row); // the cache still has what resize wrote
    rows.clear();
    while (rows.size() < count && unpacker.good()) {
        const std::size_t first = rows.size(), more = std::min(count - first, piece);
        rows.resize(first + more);
        if (at)
            unpacker.reach(rows.data() + first, more * sizeof(Row), *at + first * sizeof(Row));
        else
            unpacker.bytes(rows.data() + first, more * sizeof(Row));
    }
}
template <class Rows>
void takeRows(Unpacker& unpacker, Rows& rows) {
    takeRows(unpacker, rows, countOf<typename Rows::value_type>(unpacker));
}

template <class Row>
void takeLasting(Unpacker& unpacker, std::vector<Row>& rows, std::size_t count) {
    const auto at = unpacker.place(count * sizeof(Row));
    rows.reserve(at ? count : 0);
    askForLargePages(rows.data(), rows.capacity() * sizeof(Row));
    takeRows(unpacker, rows, count, at);
}
template <class Row>
void takeLasting(Unpacker& unpacker, std::vector<Row>& rows) {
    takeLasting(unpacker, rows, countOf<Row>(unpacker));
}

template <class A>
void travel(A& a, std::string& text) {
    if constexpr (A::packs)
        putRows(a, text.data(), text.size());
    else
        takeRows(a, text);
}

template <class A, class T>
void travel(A& a, std::vector<T>& rows);
template <class A, class T>
void travel(A& a, std::optional<T>& value);
template <class A, class T, std::size_t N>
void travel(A& a, std::array<T, N>& values);
template <class A, class T>
void travel(A& a, LargeTable<T>& rows);

template <class A, class T>
requires std::is_class_v<T>
void travel(A& a, T& value) {
    fields(a, value); // found beside the struct, or in this namespace
}

template <class A, class... T>
void travelAll(A& a, T&... values) {
    (travel(a, values), ...);
}

template <class A, class T>
void travel(A& a, std::vector<T>& rows) {
    if constexpr (Number<T>) {
        if constexpr (A::packs)
            putRows(a, rows.data(), rows.size());
        else
            takeRows(a, rows);
    } else {
        std::uint64_t count = rows.size();
        travel(a, count);
        if constexpr (!A::packs) {
            rows.clear();
            while (rows.size() < count && a.good()) // each takes some of the bytes that there are
                travel(a, rows.emplace_back());
        } else {
            for (T& row : rows)
                travel(a, row);
        }
    }
}

template <class T>
void takeLasting(Unpacker& unpacker, LargeTable<T>& rows) {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    const std::size_t count = countOf<T>(unpacker);
    const auto at = unpacker.place(count * sizeof(T));
    const auto block = unpacker.block(count * sizeof(T), at);
    rows = block ? LargeTable<T>::lying({block, reinterpret_cast<const T*>(block.get())}, count) : LargeTable<T>();
}
template <class A, class T>
void travel(A& a, LargeTable<T>& rows) {
    if constexpr (A::packs)
        putLasting(a, rows.data(), rows.size());
    else
        takeLasting(a, rows);
}

template <class A, class T>
void travel(A& a, std::optional<T>& value) {
    bool there = value.has_value();
    travel(a, there);
    if constexpr (!A::packs)
        value = there ? std::optional<T>(T()) : std::nullopt;
    if (there)
        travel(a, *value);
}

template <class A, class T, std::size_t N>
void travel(A& a, std::array<T, N>& values) {
    for (T& value : values)
        travel(a, value);
}

} // namespace warpglass::cage
