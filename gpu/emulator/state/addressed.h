// SPDX-License-Identifier: GPL-3.0-or-later
// The only ways from a number that a kernel made to a byte of the host's memory.
//
// Addressed is memory as a kernel numbers it: a block's shared memory, constants, parameters, a buffer. It holds a number
// against its bytes, in 64 bits, and answers with where these lie, or with a Reach: the numbers of several lanes, all of
// which were found to lie there. What moves bytes takes the one or the other, and nothing but these checks makes them: a
// number that nobody has looked at does not compile, and none goes astray between memories. Neither costs anything.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpglass::emulator {

// Sizes of accesses are powers of two: no division for each.
constexpr bool isAligned(std::uint64_t address, std::uint32_t size) {
    return (address & (size - 1)) == 0;
}

using LaneNumbers = std::array<std::uint64_t, 32>; // addresses, or offsets into a memory

// Lanes' numbers, once all of them have been found to lie in a memory.
class Reach {
public:
    Reach() = default; // nowhere
    explicit operator bool() const { return m_host != nullptr; }
    std::byte* at(std::uint64_t number) const { return m_host + (number - m_base); }
    // A number and this are its address here: once, and not in each lane.
    std::uintptr_t shift() const { return reinterpret_cast<std::uintptr_t>(m_host) - m_base; }
    // Of what begins so many bytes behind each: a further element of a vector.
    Reach behind(std::size_t bytes) const { return {m_host + bytes, m_base}; }

private:
    friend class Addressed;
    Reach(std::byte* host, std::uint64_t base) : m_host(host), m_base(base) {}
    std::byte* m_host = nullptr; // of number m_base
    std::uint64_t m_base = 0;
};

class Addressed {
public:
    Addressed() = default;
    std::uint64_t bytes() const { return m_bytes; }
    // So many bytes from a number on; nullptr: not all of them are here. Nothing goes around.
    std::byte* find(std::uint64_t number, std::uint64_t length) const {
        const std::uint64_t at = number - m_base;
        return at <= m_bytes && m_bytes - at >= length ? m_host + at : nullptr;
    }
    // For numbers that all lie among those.
    Reach among(std::uint64_t number, std::uint64_t length) const {
        const std::uint64_t at = number - m_base;
        return at <= m_bytes && m_bytes - at >= length ? Reach(m_host, m_base) : Reach();
    }
    // What is here of so many bytes from a number on.
    Addressed part(std::uint64_t number, std::uint64_t length) const {
        const std::uint64_t at = std::min(number - m_base, m_bytes);
        return {m_host + at, m_base + at, std::min(length, m_bytes - at)};
    }
    // For so many bytes, a power of two, from each of these lanes' numbers on, which are multiples of it. bits: ~0 for lanes
    // of m, of which there is one at least; unused for all 32. One pass without a branch: a number below the first, or one
    // too high, leaves a sign bit.
    Reach lanes(const LaneNumbers& numbers, std::uint32_t m, const std::array<std::uint32_t, 32>& bits,
                std::uint32_t length) const {
        if (m_bytes < length || (length & (length - 1)) != 0)
            return {};
        const std::uint64_t last = m_bytes - length;
        std::uint64_t outside = 0, any = 0;
        const auto look = [&](auto base) {
            if (m == ~0u) {
                for (std::size_t i = 0; i < 32; ++i) {
                    const std::uint64_t at = numbers[i] - base;
                    outside |= at | (last - at);
                    any |= numbers[i];
                }
            } else {
                for (std::size_t i = 0; i < 32; ++i) {
                    const auto k = std::uint64_t(std::int64_t(std::int32_t(bits[i])));
                    const std::uint64_t at = numbers[i] - base;
                    outside |= (at | (last - at)) & k;
                    any |= numbers[i] & k;
                }
            }
        };
        if (m_base == 0) // of most: nothing to take off in each lane
            look(std::integral_constant<std::uint64_t, 0>());
        else
            look(m_base);
        return outside >> 63 == 0 && (any & (length - 1)) == 0 ? Reach(m_host, m_base) : Reach();
    }

private:
    friend class AddressedBytes;
    friend struct Area;
    friend class OwnSums;
    friend class LocalMemory;
    Addressed(std::byte* host, std::uint64_t base, std::uint64_t bytes) : m_host(host), m_base(base), m_bytes(bytes) {}
    std::byte* m_host = nullptr;
    std::uint64_t m_base = 0, m_bytes = 0;
};

// Memory that is numbered from 0 on.
class AddressedBytes {
public:
    AddressedBytes() = default;
    explicit AddressedBytes(std::vector<std::byte> bytes) : m_bytes(std::move(bytes)) {}
    std::uint64_t size() const { return m_bytes.size(); }
    Addressed numbered(std::uint64_t from = 0) { return {m_bytes.data(), from, m_bytes.size()}; } // from that on
    std::byte* find(std::uint64_t number, std::uint64_t length) { return numbered().find(number, length); }
    const std::byte* find(std::uint64_t number, std::uint64_t length) const {
        return readOnly(m_bytes).find(number, length);
    }
    void resize(std::size_t bytes) { m_bytes.resize(bytes); }
    void clear() { std::fill(m_bytes.begin(), m_bytes.end(), std::byte{0}); }
    // Somebody else's, for accesses that load: these do not write.
    static Addressed readOnly(const std::vector<std::byte>& bytes) {
        return {const_cast<std::byte*>(bytes.data()), 0, bytes.size()};
    }
    Addressed readOnly() const { return readOnly(m_bytes); }

private:
    std::vector<std::byte> m_bytes;
};

} // namespace warpglass::emulator
