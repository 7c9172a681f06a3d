// SPDX-License-Identifier: GPL-3.0-or-later
// Reads numbers, LEB128 numbers and texts of DWARF (2 to 5, 7.6) from bytes that may be a stranger's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace warpglass {

// What is left of some bytes, least significant first. Behind their end all is 0, and `bad` is set.
class ByteReader {
public:
    ByteReader(std::span<const std::byte> bytes, std::uint64_t at) : m_bytes(bytes), m_at(at) {}
    bool bad = false;

    std::uint64_t at() const { return m_at; }
    bool done() const { return bad || m_at >= m_bytes.size(); }
    void skip(std::uint64_t count) { count > left() ? fail() : void(m_at += count); }

    template <class T>
    T take() {
        T value{};
        if (left() < sizeof(T)) {
            fail();
            return value;
        }
        std::memcpy(&value, m_bytes.data() + m_at, sizeof(T));
        m_at += sizeof(T);
        return value;
    }
    std::uint64_t unsignedLeb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; !bad; shift += 7) {
            const auto byte = take<std::uint8_t>();
            if (shift < 64)
                value |= std::uint64_t(byte & 0x7fU) << shift;
            if (byte < 0x80)
                break;
        }
        return value;
    }
    std::int64_t signedLeb() {
        std::uint64_t value = 0;
        unsigned shift = 0;
        for (;;) {
            const auto byte = take<std::uint8_t>();
            if (shift < 64)
                value |= std::uint64_t(byte & 0x7fU) << shift;
            shift += 7;
            if (byte >= 0x80 && !bad)
                continue;
            if (shift < 64 && (byte & 0x40U))
                value |= ~std::uint64_t(0) << shift;
            return std::int64_t(value);
        }
    }
    // Up to the next zero, which is taken, too; empty if there is none.
    std::string_view text() {
        const std::span<const std::byte> rest =
            m_bytes.subspan(std::size_t(std::min<std::uint64_t>(m_at, m_bytes.size())));
        const auto zero = std::find(rest.begin(), rest.end(), std::byte(0));
        if (zero == rest.end()) {
            fail();
            return {};
        }
        const auto length = std::size_t(zero - rest.begin());
        m_at += length + 1;
        return {reinterpret_cast<const char*>(rest.data()), length};
    }

private:
    std::uint64_t left() const { return m_bytes.size() - std::min<std::uint64_t>(m_at, m_bytes.size()); }
    void fail() {
        bad = true;
        m_at = m_bytes.size();
    }
    std::span<const std::byte> m_bytes;
    std::uint64_t m_at;
};

} // namespace warpglass
