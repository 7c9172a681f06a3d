// SPDX-License-Identifier: GPL-3.0-or-later
// Division of whole numbers of up to 32 bits, by way of f64: a quotient that is no whole number is further than 2^-32 of
// its size from one, so that its rounding to 53 bits cannot reach it. Where a lane divides by zero, or by -1, which the
// lowest number does not survive, all go lane by lane (divideHandler), and the zero is told.
#include "gpu/emulator/ops/alu/lanes.h"
#include "gpu/emulator/ops/scalar_ops.h"

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
    if (special) [[unlikely]] {
        static const Handler careful = divideHandler(sizeof(T) == 2 ? isSigned<T> ? ptx::Type::S16 : ptx::Type::U16
                                                     : isSigned<T>  ? ptx::Type::S32
                                                                    : ptx::Type::U32,
                                                     remainder);
        return careful(x, in);
    }
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

template <class T>
Handler ofType(bool remainder) {
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
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator::WARPGLASS_ALU
