// SPDX-License-Identifier: GPL-3.0-or-later
// Values as bytes of a file in memory, and back, between two processes of the same build. One description of a type
// (fields.h) serves both ways. What comes back may be a stranger's: a number of rows is held against the bytes that
// are left before anything is made of it.
#pragma once

#include "gpu/base/large_pages.h"
#include "gpu/trace/pages.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace warpglass::cage {

// A file without a name; gone with its last descriptor.
class MemoryFile {
public:
    MemoryFile() = default;
    explicit MemoryFile(const char* name);
    ~MemoryFile();
    MemoryFile(MemoryFile&& other) noexcept;
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    MemoryFile& operator=(MemoryFile&&) = delete;
    int descriptor() const { return m_file; }
    // From now on nobody can make it shorter, which would end who has it mapped (SIGBUS), nor longer. False: it cannot be held.
    bool keepSize() const;
    bool keepSizeOf(std::uint64_t bytes) const; // which it is given first

private:
    int m_file = -1;
};

// All of a file, to be read; empty: it is empty, or cannot be mapped. Who maps it is alone with it.
class MappedFile {
public:
    explicit MappedFile(int file);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    std::span<const std::byte> bytes() const { return {m_at, m_bytes}; }

private:
    const std::byte* m_at = nullptr;
    std::size_t m_bytes = 0;
};

inline constexpr std::size_t rowAlignment = 16;

class Packer {
public:
    static constexpr bool packs = true;
    explicit Packer(int file) : m_file(file) {}
    void bytes(const void* from, std::size_t count);
    void align();
    // Of a buffer's contents, made where they are to lie.
    void filling(const std::function<void(std::span<std::byte>)>& fill, std::uint64_t count);
    bool finish(); // false: some of it could not be written

private:
    void flush();
    void write(const std::byte* from, std::size_t count);
    int m_file;
    std::uint64_t m_at = 0; // of what was written
    std::vector<std::byte> m_pending;
    bool m_good = true;
};

class Unpacker {
public:
    static constexpr bool packs = false;
    explicit Unpacker(std::span<const std::byte> all) : m_all(all) {}
    // Tables may stay where they lie: they hold the file.
    explicit Unpacker(std::shared_ptr<const MappedFile> file) : m_all(file->bytes()), m_file(std::move(file)) {}
    const std::shared_ptr<const MappedFile>& file() const { return m_file; }
    bool good() const { return m_good; }
    void fail() { m_good = false; }
    bool atEnd() const { return m_at == m_all.size(); }
    void bytes(void* to, std::size_t count);
    void align();
    // The next bytes where they lie; empty and no longer good where there are not as many.
    std::span<const std::byte> take(std::uint64_t count);

private:
    std::span<const std::byte> m_all;
    std::shared_ptr<const MappedFile> m_file;
    std::size_t m_at = 0;
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
    packer.align();
    packer.bytes(rows, count * sizeof(Row));
}
// Where they lie.
template <class Row>
std::span<const Row> findRows(Unpacker& unpacker) {
    static_assert(std::is_trivially_copyable_v<Row> && alignof(Row) <= rowAlignment);
    std::uint64_t n = 0;
    travel(unpacker, n);
    unpacker.align();
    if (n > SIZE_MAX / sizeof(Row)) {
        unpacker.fail();
        return {};
    }
    const std::span<const std::byte> found = unpacker.take(n * sizeof(Row));
    return {reinterpret_cast<const Row*>(found.data()), found.size() / sizeof(Row)};
}
template <class Row>
std::vector<Row> takeRows(Unpacker& unpacker) {
    const std::span<const Row> found = findRows<Row>(unpacker);
    std::vector<Row> rows;
    rows.reserve(found.size());
    askForLargePages(rows.data(), found.size_bytes());
    rows.assign(found.begin(), found.end());
    return rows;
}

template <class A>
void travel(A& a, std::string& text) {
    if constexpr (A::packs) {
        putRows(a, text.data(), text.size());
    } else {
        const std::vector<char> letters = takeRows<char>(a);
        text.assign(letters.begin(), letters.end());
    }
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
            rows = takeRows<T>(a);
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

template <class A, class T>
void travel(A& a, LargeTable<T>& rows) {
    if constexpr (A::packs)
        putRows(a, rows.data(), rows.size());
    else if (const auto found = findRows<T>(a); a.file())
        rows = LargeTable<T>::lying({a.file(), found.data()}, found.size());
    else
        rows = LargeTable<T>(std::vector<T>(found.begin(), found.end()));
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
