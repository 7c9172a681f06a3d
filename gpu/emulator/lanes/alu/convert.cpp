// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions between integers, between floating-point numbers, and of integers to floating-point numbers (to the
// nearest, ties to even); those of floating-point numbers to integers go lane by lane (float_ops.cpp).
//
// There are 64 pairs of integer types, each from and to rows of 4 and 8 bytes. Most come to the same: of an integer
// that is at least as wide only the low bits count, and the sign of the result shows only where it is extended. Each
// such class has one function, which is what keeps this file quick to compile.
#include "gpu/emulator/lanes/alu/lanes.h"

#include <bit>
#include <type_traits>

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

template <class T>
using Bits = typename UnsignedOf<sizeof(T)>::type;

// r as it lies in a row of DR: extended by its sign.
template <class DR, class D>
inline DR rowBits(D r) {
    if constexpr (isFloat<D>)
        return __builtin_bit_cast(Bits<D>, r);
    else if constexpr (isSigned<D> && sizeof(D) == 1)
        return sizeof(DR) == 8 ? DR(i64(r)) : DR(u32(i32(r))); // kept sign-extended: later reads may be wider
    else if constexpr (isSigned<D> && sizeof(DR) == 8)
        return DR(i64(r));
    else if constexpr (sizeof(D) == 2 && !isSigned<DR>)
        return DR(u16(r));
    else
        return DR(r);
}

template <class D, class A, class DR, class SR>
bool convert(Exec& x, const Inst& in) {
    const auto* a = rowAt<const SR>(x, in.a);
    storeLanes(x, activeMask(x, in), rowAt<DR>(x, in.dst),
               [=](int i) { return rowBits<DR>(D(__builtin_bit_cast(A, Bits<A>(a[i])))); });
    return true;
}

// Clamped to the destination's range.
template <class D, class A>
inline D saturated(A a) {
    if constexpr (isSigned<A> && isSigned<D>) {
        constexpr i64 high = i64((u64(1) << (8 * sizeof(D) - 1)) - 1), low = -high - 1;
        const i64 v = a;
        return D(v < low ? low : v > high ? high : v);
    } else if constexpr (isSigned<A>) {
        const u64 v = a < 0 ? 0 : u64(a), high = ~u64(0) >> (64 - 8 * sizeof(D));
        return D(v > high ? high : v);
    } else {
        constexpr u64 high = isSigned<D> ? (u64(1) << (8 * sizeof(D) - 1)) - 1 : ~u64(0) >> (64 - 8 * sizeof(D));
        return D(u64(a) > high ? high : u64(a));
    }
}

template <class D, class A, class DR, class SR>
bool convertSaturated(Exec& x, const Inst& in) { // rare: no loop over all lanes
    const auto* a = rowAt<const SR>(x, in.a);
    auto* d = rowAt<DR>(x, in.dst);
    for (u32 rest = activeMask(x, in); rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        d[i] = rowBits<DR>(saturated<D>(__builtin_bit_cast(A, Bits<A>(a[i]))));
    }
    return true;
}

template <class D, class A, class DR, class SR>
Handler convertForm(bool sat) {
    if constexpr (isFloat<D>)
        return &convert<D, A, DR, SR>;
    else {
        using Read = std::conditional_t<(sizeof(A) < sizeof(D)), A, Bits<D>>;
        constexpr bool signShows = sizeof(D) == 1 || sizeof(D) < sizeof(DR);
        constexpr bool always = sizeof(D) > sizeof(A) ? isSigned<D> || !isSigned<A> : __is_same(D, A); // in range
        using Write = std::conditional_t<signShows && !(sizeof(D) == 2 && __is_same(DR, u32)), D, Bits<D>>;
        if constexpr (!always)
            if (sat)
                return &convertSaturated<D, A, DR, SR>;
        return &convert<Write, Read, DR, SR>;
    }
}
template <class D, class A>
Handler convertRows(const AluKey& k) {
    if (k.dstRowBytes == 8)
        return k.srcRowBytes == 8 ? convertForm<D, A, u64, u64>(k.sat) : convertForm<D, A, u64, u32>(k.sat);
    if constexpr (__is_same(D, i16)) { // in a 32-bit register: with its sign
        if (k.dstIs32)
            return k.srcRowBytes == 8 ? convertForm<D, A, i32, u64>(k.sat) : convertForm<D, A, i32, u32>(k.sat);
    }
    if constexpr (sizeof(D) != 8) {
        if (k.srcRowBytes == 8)
            return convertForm<D, A, u32, u64>(k.sat);
        if constexpr (sizeof(A) != 8)
            return convertForm<D, A, u32, u32>(k.sat);
    }
    return nullptr;
}

template <class F>
Handler forConvert(ptx::Type t, F f) {
    if (t == ptx::Type::U8 || t == ptx::Type::B8)
        return f(Tag<u8>{});
    if (t == ptx::Type::S8)
        return f(Tag<i8>{});
    return forNumber(t, f);
}

} // namespace

Handler convertHandler(const AluKey& k) {
    if (k.op != AluOp::Cvt)
        return nullptr;
    return forConvert(k.type, [&k](auto to) -> Handler {
        return forConvert(k.source, [&k](auto from) -> Handler {
            using D = typename decltype(to)::type;
            using A = typename decltype(from)::type;
            if constexpr (isFloat<D> || !isFloat<A>)
                if (!isFloat<D> || !(k.ftz || k.sat))
                    return convertRows<D, A>(k);
            return nullptr;
        });
    });
}

} // namespace warpglass::emulator::WARPGLASS_ALU
