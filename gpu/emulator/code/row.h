// SPDX-License-Identifier: GPL-3.0-or-later
// Where in a function's frame a register lies: handlers read and write there without a further look. So a place comes
// from the frame's layout alone, which counts how far the frame reaches; a number of a text, of a register or of the host
// is none and does not become one. It costs what a number would. In line always: files for different processors use it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace warpglass::emulator {

class Row {
public:
    constexpr Row() = default; // the first: for operands that an instruction has not, and its handler may read
    static constexpr Row none() { return Row(~0u); }
    [[gnu::always_inline]] friend constexpr bool operator==(Row a, Row b) { return a.m_at == b.m_at; }
    friend constexpr auto operator<=>(Row, Row) = default; // NOLINT(modernize-use-nullptr): its own zero
    // Where it lies in a frame.
    [[gnu::always_inline]] friend std::byte* operator+(std::byte* frame, Row row) { return frame + row.m_at; }
    [[gnu::always_inline]] friend const std::byte* operator+(const std::byte* frame, Row row) {
        return frame + row.m_at;
    }
    // Bytes from it to a frame's end.
    constexpr std::uint32_t bytesBefore(std::uint32_t end) const { return m_at < end ? end - m_at : 0; }

private:
    friend class FrameLayout;
    friend class Guard;
    friend struct std::hash<Row>;
    [[gnu::always_inline]] constexpr explicit Row(std::uint32_t at) : m_at(at) {}
    std::uint32_t m_at = 0;
};
inline constexpr Row noRow = Row::none(); // "_", or an operand that may be left out

// Rows of one frame, which every warp has, and every call in it: far more than compilers ask for.
inline constexpr std::uint64_t mostFrameBytes = std::uint64_t(32) << 20;

// Gives out a frame's rows, one behind the other. A function that has more than mostFrameBytes of them is refused, and none
// of its instructions runs; until that is known, those beyond are the first one.
class FrameLayout {
public:
    std::uint64_t bytes() const { return m_bytes; } // as far as the frame reaches
    Row predicate() { return take(4); }             // before all others; 32 of them share a row's space
    Row row(std::uint64_t bytesOfLane) { return take((bytesOfLane < 4 ? 4 : bytesOfLane) * 32); }
    // One behind the other, each a word of every lane.
    Row rows(std::uint64_t words) { return take((words < mostFrameBytes ? words : mostFrameBytes) * 128); }
    void endPredicates() { m_bytes = (m_bytes + 127) / 128 * 128; }

private:
    Row take(std::uint64_t bytes) {
        const std::uint64_t at = m_bytes;
        m_bytes += bytes;
        return m_bytes <= mostFrameBytes ? Row(std::uint32_t(at)) : Row();
    }
    std::uint64_t m_bytes = 0;
};

// The predicate that lets an instruction's lanes run where it holds, or where it does not.
class Guard {
public:
    constexpr Guard() = default; // they all run
    Guard(Row predicate, bool negated) : m_bits(present | (negated ? isNegated : 0) | predicate.m_at) {}
    [[gnu::always_inline]] constexpr explicit operator bool() const { return m_bits != 0; }
    [[gnu::always_inline]] constexpr bool negated() const { return (m_bits & isNegated) != 0; }
    [[gnu::always_inline]] constexpr Row row() const { return Row(m_bits & ~(present | isNegated)); }

private:
    static constexpr std::uint32_t present = 0x80000000u, isNegated = 0x40000000u;
    static_assert(mostFrameBytes < isNegated);
    std::uint32_t m_bits = 0;
};

} // namespace warpglass::emulator

template <>
struct std::hash<warpglass::emulator::Row> {
    std::size_t operator()(warpglass::emulator::Row row) const noexcept { return row.m_at; }
};
