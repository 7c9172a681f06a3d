// SPDX-License-Identifier: GPL-3.0-or-later
// What an atomic makes of one element of memory, by type and operation.
#pragma once

#include "gpu/emulator/lanes/half.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace warpglass::emulator {

using ptx::Operation;

struct Wide { // 128 bits
    std::uint64_t low = 0, high = 0;
    bool operator==(const Wide&) const = default;
};

// Halves as they lie in memory: one, or two that are each updated for themselves.
template <bool bf16, class Bits>
struct Halves {
    Bits bits = 0;
    bool operator==(const Halves&) const = default;
};
template <class T>
constexpr bool isHalves = false;
template <bool bf16, class Bits>
constexpr bool isHalves<Halves<bf16, Bits>> = true;

// Sums are rounded to nearest, subnormal ones too (.noftz). A number beats NaN, -0 is less than +0.
template <bool bf16, Operation op>
std::uint16_t applyToHalf(std::uint16_t old, std::uint16_t b) {
    constexpr std::uint16_t infinity = bf16 ? 0x7f80 : 0x7c00;
    const auto isNaN = [](std::uint16_t v) { return (v & 0x7fff) > infinity; };
    if constexpr (op == Operation::Add) {
        if constexpr (bf16)
            return floatToBf16(std::bit_cast<float>(std::uint32_t(old) << 16) +
                               std::bit_cast<float>(std::uint32_t(b) << 16));
        else
            return floatToHalf(halfToFloat(old) + halfToFloat(b));
    }
    if (isNaN(old) || isNaN(b))
        return isNaN(old) && isNaN(b) ? std::uint16_t(0x7fff) : isNaN(old) ? b : old;
    const auto key = [](std::uint16_t v) { return v & 0x8000 ? -1 - int(v & 0x7fff) : int(v); };
    return (key(old) <= key(b)) == (op == Operation::Min) ? old : b;
}
template <Operation op, bool bf16, class Bits>
Halves<bf16, Bits> applyToHalves(Halves<bf16, Bits> old, Halves<bf16, Bits> b) {
    std::uint32_t r = applyToHalf<bf16, op>(std::uint16_t(old.bits), std::uint16_t(b.bits));
    if constexpr (sizeof(Bits) == 4)
        r |= std::uint32_t(applyToHalf<bf16, op>(std::uint16_t(old.bits >> 16), std::uint16_t(b.bits >> 16))) << 16;
    return {Bits(r)};
}

template <class T, Operation op>
T apply(T old, T b, T c) {
    if constexpr (isHalves<T>)
        return applyToHalves<op>(old, b);
    else if constexpr (op == Operation::Add) {
        if constexpr (std::is_integral_v<T>)
            return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(b));
        else
            return old + b;
    } else if constexpr (op == Operation::Min)
        return std::min(old, b);
    else if constexpr (op == Operation::Max)
        return std::max(old, b);
    else if constexpr (op == Operation::Exch)
        return b;
    else if constexpr (op == Operation::Cas)
        return old == b ? c : old;
    else if constexpr (std::is_integral_v<T>) {
        if constexpr (op == Operation::Inc)
            return old >= b ? T(0) : T(old + 1);
        if constexpr (op == Operation::Dec)
            return old == 0 || old > b ? b : T(old - 1);
        if constexpr (op == Operation::And)
            return T(old & b);
        if constexpr (op == Operation::Or)
            return T(old | b);
        if constexpr (op == Operation::Xor)
            return T(old ^ b);
    }
    return old;
}

inline float flushed(float v) {
    const auto u = std::bit_cast<std::uint32_t>(v);
    return (u & 0x7f800000u) == 0 ? std::bit_cast<float>(u & 0x80000000u) : v;
}
// PTX ISA: on global memory (flush) add.f32 takes subnormal operands and results for zeros; on shared memory it does not.
template <class T, Operation op, bool flush>
T next(T old, T b, T c) {
    if constexpr (flush)
        return flushed(flushed(old) + flushed(b));
    else
        return apply<T, op>(old, b, c);
}

// What changes nothing.
template <class T, Operation op>
constexpr T neutral() {
    return op == Operation::Min   ? std::numeric_limits<T>::max()
           : op == Operation::Max ? std::numeric_limits<T>::min()
           : op == Operation::And ? T(~T(0))
                                  : T(0);
}
} // namespace warpglass::emulator
