// SPDX-License-Identifier: GPL-3.0-or-later
// Division of whole numbers by way of f64. Of up to 32 bits: a quotient that is no whole number is further than 2^-32 of
// its size from one, so that its rounding to 53 bits cannot reach it. Of 64 bits: in two steps, see there. Where a lane
// divides by zero, or by -1, which the lowest number does not survive, all go lane by lane (Inst::divide), and the zero
// is told.
#include "gpu/emulator/lanes/alu/lanes.h"

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

template <class T>
inline double real(T v) {
    if constexpr (isSigned<T>)
        return double(i32(v));
    else
        return __builtin_bit_cast(double, u64(v) | 0x4330000000000000) - 0x1p52;
}

template <class T, bool remainder>
bool divide(Exec& x, const Inst& in) {
    const auto *a = rowAt<const u32>(x, in.a), *b = rowAt<const u32>(x, in.b);
    u32 special = 0;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const T by = decode<T>(b[i]);
        special |= by == 0 || (isSigned<T> && by == T(-1)) ? 1u : 0u;
    }
    if (special) [[unlikely]]
        return in.divide.careful(x, in);
    alignas(64) u32 r[32];
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const T va = decode<T>(a[i]), vb = decode<T>(b[i]);
        const double quotient = __builtin_trunc(real(va) / real(vb));
        const u32 q = u32(__builtin_bit_cast(u64, quotient + 0x1.8p52)); // its last 32 bits
        r[i] = encode<T>(T(remainder ? u32(va) - q * u32(vb) : q));
    }
    storeLanes(x, activeMask(x, in), rowAt<u32>(x, in.dst), [&](int i) { return r[i]; });
    return true;
}

// Numbers of 64 bits, rounded to f64: halves of 32 bits, joined by one rounding.
inline double real64(u64 v) {
    return (__builtin_bit_cast(double, (v >> 32) | 0x4330000000000000) - 0x1p52) * 0x1p32 +
           (__builtin_bit_cast(double, (v & 0xffffffff) | 0x4330000000000000) - 0x1p52);
}
inline double real64(i64 v) {
    return double(i32(u64(v) >> 32)) * 0x1p32 +
           (__builtin_bit_cast(double, (u64(v) & 0xffffffff) | 0x4330000000000000) - 0x1p52);
}
// Of a positive one below 2^64, its fraction cut off.
inline u64 whole64(double v) {
    const double high = __builtin_trunc(v * 0x1p-32), low = __builtin_trunc(v - high * 0x1p32);
    return (__builtin_bit_cast(u64, high + 0x1p52) & 0xffffffff) << 32 |
           (__builtin_bit_cast(u64, low + 0x1p52) & 0xffffffff);
}

// Magnitudes a / b, b from 1 to 2^62. The first quotient is off by 2^-51 of its size and one at most; therefore what is
// left of a, as a signed number, fits 63 bits: it is below 2b where q < 2^14, and else below b + 2^13 with b < 2^50. Of it
// the quotient is below 2^15, and its floor off by one at most, which the rest then tells.
inline u64 quotient64(u64 a, u64 b, u64& rest) {
    constexpr double most = 0x1.fffffffffffffp63; // below 2^64
    const double by = real64(b), first = real64(a) / by;
    u64 q = whole64(first < most ? first : most);
    const double second = __builtin_floor(real64(i64(a - q * b)) / by);
    q += u64(i64(i32(second)));
    u64 r = a - q * b;
    const u64 below = i64(r) < 0 ? ~u64(0) : 0;
    q += below;
    r += b & below;
    const u64 above = r >= b ? ~u64(0) : 0;
    q -= above;
    rest = r - (b & above);
    return q;
}

// The same of numbers below 2^52: a quotient that is no whole number is further than 2^-53 of its size from one, too.
inline u64 smallQuotient64(u64 a, u64 b, u64& rest) {
    const auto real = [](u64 v) { return __builtin_bit_cast(double, v | 0x4330000000000000) - 0x1p52; };
    const double quotient = __builtin_trunc(real(a) / real(b));
    const u64 q = __builtin_bit_cast(u64, quotient + 0x1p52) & 0xfffffffffffff;
    rest = a - q * b;
    return q;
}

template <class T, bool remainder>
bool divide64(Exec& x, const Inst& in) {
    const auto *a = rowAt<const u64>(x, in.a), *b = rowAt<const u64>(x, in.b);
    const auto negative = [](u64 v) { return isSigned<T> && i64(v) < 0 ? ~u64(0) : 0; };
    const auto magnitude = [&](u64 v) { return (v ^ negative(v)) - negative(v); };
    u64 special = 0, bits = 0;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const u64 by = magnitude(b[i]);
        special |= by - 1 >= u64(1) << 62 || (isSigned<T> && b[i] == ~u64(0)) ? 1 : 0;
        bits |= by | magnitude(a[i]);
    }
    if (special) [[unlikely]]
        return in.divide.careful(x, in);
    alignas(64) u64 r[32];
    const auto each = [&](auto quotient) {
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i) {
            u64 rest = 0;
            const u64 q = quotient(magnitude(a[i]), magnitude(b[i]), rest);
            const u64 sign = remainder ? negative(a[i]) : negative(a[i]) ^ negative(b[i]);
            r[i] = ((remainder ? rest : q) ^ sign) - sign;
        }
    };
    if (bits >> 52 == 0)
        each([](u64 v, u64 by, u64& rest) { return smallQuotient64(v, by, rest); });
    else
        each([](u64 v, u64 by, u64& rest) { return quotient64(v, by, rest); });
    storeLanes(x, activeMask(x, in), rowAt<u64>(x, in.dst), [&](int i) { return r[i]; });
    return true;
}

template <class T>
Handler ofType(bool remainder) {
    if constexpr (sizeof(T) == 8)
        return remainder ? &divide64<T, true> : &divide64<T, false>;
    else
        return remainder ? &divide<T, true> : &divide<T, false>;
}

} // namespace

Handler divisionHandler(ptx::Type type, bool remainder) {
    switch (type) {
    case ptx::Type::U16:
        return ofType<u16>(remainder);
    case ptx::Type::S16:
        return ofType<i16>(remainder);
    case ptx::Type::U32:
        return ofType<u32>(remainder);
    case ptx::Type::S32:
        return ofType<i32>(remainder);
    case ptx::Type::U64:
        return ofType<u64>(remainder);
    case ptx::Type::S64:
        return ofType<i64>(remainder);
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator::WARPGLASS_ALU
