// SPDX-License-Identifier: GPL-3.0-or-later
// What the families of alu/ share: the loop over 32 lanes, a lane's bits as a number, the choice of a form by PTX type.
// Private to alu/, whose files are compiled once an instruction set, in the namespace WARPGLASS_ALU. All of it is in an
// unnamed namespace, so that no function compiled for a newer processor can replace its namesake elsewhere.
#pragma once

#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/state/exec.h"

#include <utility>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

template <class T>
struct Tag {
    using type = T;
};
template <std::size_t N>
struct RawOf {
    using type = u32;
};
template <>
struct RawOf<8> {
    using type = u64;
};
template <class T>
using Raw = typename RawOf<sizeof(T)>::type;
template <std::size_t N>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
    using type = u8;
};
template <>
struct UnsignedOf<2> {
    using type = u16;
};
template <>
struct UnsignedOf<4> {
    using type = u32;
};
template <>
struct UnsignedOf<8> {
    using type = u64;
};

// A lane's value as it lies in a row, and as T. 16-bit values are kept zero-extended.
template <class T>
inline T decode(Raw<T> r) {
    return __builtin_bit_cast(T, typename UnsignedOf<sizeof(T)>::type(r));
}
template <class T>
inline Raw<T> encode(T v) {
    return __builtin_bit_cast(typename UnsignedOf<sizeof(T)>::type, v);
}
// Bytes of rows, by vectors as wide as those that read them next: a load that spans two narrower stores waits for both.
template <std::size_t bytes>
inline void copyBytes(void* to, const void* from) {
#if defined(__AVX512F__)
    static_assert(bytes % 64 == 0);
    const auto* source = static_cast<const std::byte*>(from);
    auto* target = static_cast<std::byte*>(to);
    const auto each = [&]<std::size_t... i>(std::index_sequence<i...>) {
        (_mm512_storeu_si512(target + 64 * i, _mm512_loadu_si512(source + 64 * i)), ...);
    };
    each(std::make_index_sequence<bytes / 64>{});
#elif defined(__AVX__)
    static_assert(bytes % 32 == 0);
    const auto* source = static_cast<const __m256i*>(from);
    auto* target = static_cast<__m256i*>(to);
    const auto each = [&]<std::size_t... i>(std::index_sequence<i...>) { // a loop would be taken for memcpy
        (_mm256_storeu_si256(target + i, _mm256_loadu_si256(source + i)), ...);
    };
    each(std::make_index_sequence<bytes / 32>{});
#else
    std::memcpy(to, from, bytes);
#endif
}
// A bit a lane: whether its word has its highest bit.
inline u32 packBits(const u32* t) {
#if defined(__AVX2__)
    u32 r = 0;
    for (int k = 0; k < 4; ++k)
        r |= u32(_mm256_movemask_ps(_mm256_loadu_ps(reinterpret_cast<const float*>(t) + 8 * k))) << (8 * k);
    return r;
#elif defined(__SSE2__)
    u32 r = 0;
    for (int k = 0; k < 8; ++k)
        r |= u32(_mm_movemask_ps(_mm_loadu_ps(reinterpret_cast<const float*>(t) + 4 * k))) << (4 * k);
    return r;
#else
    u32 r = 0;
    for (int i = 0; i < 32; ++i)
        r |= (t[i] >> 31) << i;
    return r;
#endif
}

template <class D, class A, class F>
bool unary(Exec& x, const Inst& in) {
    const auto* a = rowAt<const Raw<A>>(x, in.a);
    storeLanes(x, activeMask(x, in), rowAt<Raw<D>>(x, in.dst),
               [=](int i) { return encode<D>(F::template of<D>(decode<A>(a[i]))); });
    return true;
}
template <class D, class A, class B, class F>
bool binary(Exec& x, const Inst& in) {
    const auto* a = rowAt<const Raw<A>>(x, in.a);
    const auto* b = rowAt<const Raw<B>>(x, in.b);
    storeLanes(x, activeMask(x, in), rowAt<Raw<D>>(x, in.dst),
               [=](int i) { return encode<D>(F::template of<D>(decode<A>(a[i]), decode<B>(b[i]))); });
    return true;
}
template <class D, class A, class C, class F>
bool ternary(Exec& x, const Inst& in) {
    const auto* a = rowAt<const Raw<A>>(x, in.a);
    const auto* b = rowAt<const Raw<A>>(x, in.b);
    const auto* c = rowAt<const Raw<C>>(x, in.c);
    storeLanes(x, activeMask(x, in), rowAt<Raw<D>>(x, in.dst),
               [=](int i) { return encode<D>(F::template of<D>(decode<A>(a[i]), decode<A>(b[i]), decode<C>(c[i]))); });
    return true;
}

template <class T>
inline constexpr bool isFloat = __is_same(T, float) || __is_same(T, double);
template <class T>
inline constexpr bool isSigned = __is_same(T, i8) || __is_same(T, i16) || __is_same(T, i32) || __is_same(T, i64);
template <class T>
using Wrap = typename UnsignedOf<sizeof(T)>::type; // arithmetic that may wrap

inline float flush(float v) {
    const u32 u = __builtin_bit_cast(u32, v);
    return (u & 0x7f800000u) == 0 ? __builtin_bit_cast(float, u & 0x80000000u) : v;
}

template <class F>
Handler forInteger(ptx::Type t, F f) {
    using ptx::Type;
    switch (t) {
    case Type::B16:
    case Type::U16:
        return f(Tag<u16>{});
    case Type::S16:
        return f(Tag<i16>{});
    case Type::B32:
    case Type::U32:
        return f(Tag<u32>{});
    case Type::S32:
        return f(Tag<i32>{});
    case Type::B64:
    case Type::U64:
        return f(Tag<u64>{});
    case Type::S64:
        return f(Tag<i64>{});
    default:
        return nullptr;
    }
}
template <class F>
Handler forNumber(ptx::Type t, F f) {
    if (t == ptx::Type::F32)
        return f(Tag<float>{});
    if (t == ptx::Type::F64)
        return f(Tag<double>{});
    return forInteger(t, f);
}
// Where the sign makes no difference one function serves both.
template <class F>
Handler forBits(ptx::Type t, F f) {
    using ptx::Type;
    switch (t) {
    case Type::B16:
    case Type::U16:
    case Type::S16:
        return f(Tag<u16>{});
    case Type::B32:
    case Type::U32:
    case Type::S32:
        return f(Tag<u32>{});
    case Type::B64:
    case Type::U64:
    case Type::S64:
        return f(Tag<u64>{});
    default:
        return nullptr;
    }
}

} // namespace
} // namespace warpglass::emulator::WARPGLASS_ALU
