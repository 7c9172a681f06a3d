// SPDX-License-Identifier: GPL-3.0-or-later
// cvt of one value with a float on either side, except what convert.cpp has. The 32 sources become f32, or f64 if f32
// cannot hold one of the types; the steps of the conversion are loops over them, chosen once a warp. Integers of 64
// bits become an f64 whose last bit is odd if something was lost, so that the one rounding that follows is right.
#include "gpu/emulator/lanes/alu/small_floats.h"

#include <cmath>

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

using ptx::Type;

template <class T>
struct alignas(64) Values {
    T v[32];
};

inline u64 rawLane(const Exec& x, const Inst& in, int lane) {
    u64 r = 0;
    std::memcpy(&r, x.rows + in.a + std::size_t(lane) * (in.convert.srcWide ? 8 : 4), in.convert.srcWide ? 8 : 4);
    return r;
}
inline void takeWords(Values<u32>& to, const Exec& x, const Inst& in) {
    if (!in.convert.srcWide) {
        copyBytes<sizeof to.v>(to.v, x.rows + in.a);
        return;
    }
    for (int i = 0; i < 32; ++i)
        to.v[i] = u32(rawLane(x, in, i));
}

inline void takeFloats(Values<float>& to, const Exec& x, const Inst& in) {
    const ConvertPart& k = in.convert;
    Values<u32> words;
    takeWords(words, x, in);
    if (k.from == Type::F16) {
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            to.v[i] = widened<F16>(words.v[i] & 0xffff);
        return;
    }
    const u32 shift = k.from == Type::BF16 ? 16 : 0;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        to.v[i] = __builtin_bit_cast(float, words.v[i] << shift);
    if (k.ftz)
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            to.v[i] = flush(to.v[i]);
}

// Of 53 bits, the last one odd if others were lost.
inline double oddDouble(u64 magnitude, bool negative) {
    if (magnitude >> 53 != 0)
        magnitude = (magnitude >> 11 | ((magnitude & 0x7ff) != 0 ? 1 : 0)) << 11;
    const double v = double(magnitude);
    return negative ? -v : v;
}

template <class I>
inline void takeIntegers(Values<double>& to, const Values<u32>& words) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        to.v[i] = double(I(words.v[i]));
}
inline void takeDoubles(Values<double>& to, const Exec& x, const Inst& in) {
    const Type from = in.convert.from;
    if (from == Type::F64) {
        copyBytes<sizeof to.v>(to.v, x.rows + in.a);
        return;
    }
    if (ptx::bytesOf(from) == 8) {
        for (int i = 0; i < 32; ++i) {
            const u64 v = rawLane(x, in, i);
            const bool negative = from == Type::S64 && v >> 63 != 0;
            to.v[i] = oddDouble(negative ? 0 - v : v, negative);
        }
        return;
    }
    if (ptx::isHalf(from) || from == Type::F32) {
        Values<float> f;
        takeFloats(f, x, in);
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            to.v[i] = double(f.v[i]);
        return;
    }
    Values<u32> words;
    takeWords(words, x, in);
    switch (from) {
    case Type::S8:
        return takeIntegers<i8>(to, words);
    case Type::U8:
    case Type::B8:
        return takeIntegers<u8>(to, words);
    case Type::S16:
        return takeIntegers<i16>(to, words);
    case Type::U16:
    case Type::B16:
        return takeIntegers<u16>(to, words);
    case Type::S32:
        return takeIntegers<i32>(to, words);
    default:
        return takeIntegers<u32>(to, words);
    }
}

template <class T>
inline void makeIntegral(Values<T>& values, Round round) {
    const auto each = [&](auto f) {
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            values.v[i] = f(values.v[i]);
    };
    constexpr bool isSingle = sizeof(T) == 4;
    switch (round) {
    case Round::Zero:
        return each([](T v) { return isSingle ? T(__builtin_truncf(float(v))) : T(__builtin_trunc(double(v))); });
    case Round::Down:
        return each([](T v) { return isSingle ? T(__builtin_floorf(float(v))) : T(__builtin_floor(double(v))); });
    case Round::Up:
        return each([](T v) { return isSingle ? T(__builtin_ceilf(float(v))) : T(__builtin_ceil(double(v))); });
    default:
        return each(
            [](T v) { return isSingle ? T(__builtin_nearbyintf(float(v))) : T(__builtin_nearbyint(double(v))); });
    }
}

void giveWords(Exec& x, const Inst& in, const Values<u32>& r) {
    const ConvertPart& k = in.convert;
    const u32 m = activeMask(x, in);
    if (!k.dstWide) {
        const u32 keeps = k.dstIs32 ? ~0u : 0xffffu;
        storeLanes(x, m, rowAt<u32>(x, in.dst), [&](int i) { return r.v[i] & keeps; });
    } else if (ptx::isSigned(k.to))
        storeLanes(x, m, rowAt<u64>(x, in.dst), [&](int i) { return u64(i64(i32(r.v[i]))); });
    else
        storeLanes(x, m, rowAt<u64>(x, in.dst), [&](int i) { return u64(r.v[i]); });
}
void giveWide(Exec& x, const Inst& in, const Values<u64>& r) {
    storeLanes(x, activeMask(x, in), rowAt<u64>(x, in.dst), [&](int i) { return r.v[i]; });
}

// PTX ISA, cvt: a whole number out of range clamps; NaN is 0, but the highest bit alone if the source is an f64 or the
// result has 64 bits.
template <class I, class T>
inline void clampSmall(const Values<T>& from, Values<u32>& to) { // I has 8 or 16 bits
    constexpr i32 low = isSigned<I> ? -(i32(1) << (8 * sizeof(I) - 1)) : 0,
                  high = (i32(1) << (8 * sizeof(I) - (isSigned<I> ? 1 : 0))) - 1;
    constexpr i32 ofNaN = sizeof(T) == 4 ? 0 : isSigned<I> ? low : (high + 1) / 2;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        T v = from.v[i];
        v = v == v ? v : T(ofNaN);
        v = v < T(low) ? T(low) : v;
        v = v > T(high) ? T(high) : v;
        to.v[i] = u32(i32(v));
    }
}
template <class T>
inline void clampSigned(const Values<T>& from, Values<u32>& to) {
    constexpr T limit = T(2147483648.0);
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const T v = from.v[i];
        const u32 over = v >= limit ? ~0u : 0u;
        T inside = v == v ? v : sizeof(T) == 4 ? T(0) : -limit;
        inside = inside < -limit ? -limit : inside;
        inside = inside >= limit ? T(0) : inside;
        to.v[i] = (u32(i32(inside)) & ~over) | (0x7fffffffu & over);
    }
}
template <class T>
inline void clampUnsigned(const Values<T>& from, Values<u32>& to) {
    constexpr T half = T(2147483648.0);
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        T v = from.v[i];
        v = v == v ? v : sizeof(T) == 4 ? T(0) : half;
        v = v > T(0) ? v : T(0);
        const u32 over = v >= 2 * half ? ~0u : 0u;
        v = over != 0 ? T(0) : v;
        const u32 upper = v >= half ? 0x80000000u : 0u;
        const T rest = upper != 0 ? v - half : v;
        to.v[i] = (u32(i32(rest)) ^ upper) | over;
    }
}
inline void clampLong(Type to, const Values<double>& from, Values<u64>& r) {
    for (int i = 0; i < 32; ++i) {
        const double v = from.v[i];
        if (v != v)
            r.v[i] = u64(1) << 63;
        else if (to == Type::S64)
            r.v[i] = v >= 0x1p63 ? ~u64(0) >> 1 : v < -0x1p63 ? u64(1) << 63 : u64(i64(v));
        else
            r.v[i] = v >= 0x1p64 ? ~u64(0) : v <= 0 ? 0 : u64(v);
    }
}

template <class T>
inline void giveIntegers(Exec& x, const Inst& in, Values<T>& v) {
    const ConvertPart& k = in.convert;
    makeIntegral(v, k.round);
    Values<u32> r;
    switch (k.to) {
    case Type::S8:
        clampSmall<i8>(v, r);
        break;
    case Type::U8:
    case Type::B8:
        clampSmall<u8>(v, r);
        break;
    case Type::S16:
        clampSmall<i16>(v, r);
        break;
    case Type::U16:
    case Type::B16:
        clampSmall<u16>(v, r);
        break;
    case Type::S32:
        clampSigned(v, r);
        break;
    default:
        clampUnsigned(v, r);
        break;
    }
    giveWords(x, in, r);
}

template <class T>
inline void saturate(Values<T>& values) { // NaN becomes 0
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const T low = values.v[i] > T(0) ? values.v[i] : T(0);
        values.v[i] = low < T(1) ? low : T(1);
    }
}

inline void giveHalves(Exec& x, const Inst& in, const Values<float>& v, const Values<double>* payloads = nullptr) {
    const ConvertPart& k = in.convert;
    Values<u32> r;
    const Round round = k.toIntegral ? Round::Nearest : k.round; // a whole number fits, or becomes infinite
    const bool bf = k.to == Type::BF16;
    if (bf)
        narrowLanes<BF16>(round, v.v, r.v, nullptr, {k.relu, k.satfinite});
    else
        narrowLanes<F16>(round, v.v, r.v, nullptr, {k.relu, k.satfinite});
    if (payloads && !k.sat) { // what is not a number keeps its sign and first bits, as on the hardware
        const u32 fraction = bf ? BF16::fraction : F16::fraction, infinity = bf ? BF16::infinity : F16::infinity;
        for (int i = 0; i < 32; ++i) {
            const u64 bits = __builtin_bit_cast(u64, payloads->v[i]);
            if ((bits & ~u64(0) >> 1) > u64(0x7ff) << 52)
                r.v[i] = (u32(bits >> 48) & 0x8000) | infinity | 1u << (fraction - 1) |
                         (u32(bits >> (52 - fraction)) & ((1u << fraction) - 1));
        }
    }
    giveWords(x, in, r);
}
inline void giveSingles(Exec& x, const Inst& in, const Values<float>& v) {
    Values<u32> r;
    const bool ftz = in.convert.ftz;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const float f = ftz ? flush(v.v[i]) : v.v[i];
        r.v[i] = f == f ? __builtin_bit_cast(u32, f) : 0x7fffffffu;
    }
    giveWords(x, in, r);
}

// f16, bf16 or f32 to one of them, or to an integer of at most 32 bits.
bool convertSingle(Exec& x, const Inst& in) {
    const ConvertPart& k = in.convert;
    Values<float> v;
    takeFloats(v, x, in);
    if (k.to != Type::F32 && !ptx::isHalf(k.to)) {
        giveIntegers(x, in, v);
        return true;
    }
    if (k.toIntegral)
        makeIntegral(v, k.round);
    if (k.sat)
        saturate(v);
    k.to == Type::F32 ? giveSingles(x, in, v) : giveHalves(x, in, v);
    return true;
}

bool convertDouble(Exec& x, const Inst& in) {
    const ConvertPart& k = in.convert;
    Values<double> v;
    if (k.to == Type::F64 && ptx::bytesOf(k.from) == 8 && k.from != Type::F64) {
        if (k.from == Type::S64)
            toDoubles(k.round, rowAt<const std::int64_t>(x, in.a), v.v);
        else
            toDoubles(k.round, rowAt<const std::uint64_t>(x, in.a), v.v);
    } else
        takeDoubles(v, x, in);
    if (ptx::isFloat(k.to) || ptx::isHalf(k.to)) {
        if (k.toIntegral)
            makeIntegral(v, k.round);
        if (k.sat)
            saturate(v);
        if (k.to == Type::F64) {
            Values<u64> r;
            copyBytes<sizeof r.v>(r.v, v.v);
            giveWide(x, in, r);
            return true;
        }
        Values<float> f;
        if (k.to == Type::F32) {
            toFloats(k.toIntegral ? Round::Nearest : k.round, v.v, f.v);
            giveSingles(x, in, f);
            return true;
        }
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            f.v[i] = oddOf(v.v[i]);
        giveHalves(x, in, f, k.from == Type::F64 ? &v : nullptr);
        return true;
    }
    if (ptx::bytesOf(k.to) < 8) {
        giveIntegers(x, in, v);
        return true;
    }
    makeIntegral(v, k.round);
    Values<u64> r;
    clampLong(k.to, v, r);
    giveWide(x, in, r);
    return true;
}

} // namespace

Handler realConvertHandler(Type to, Type from) {
    const auto fits = [](Type t) { return t == Type::F32 || ptx::isHalf(t); };
    const bool isInteger = !ptx::isFloat(to) && !ptx::isHalf(to);
    return fits(from) && (fits(to) || (isInteger && ptx::bytesOf(to) < 8)) ? &convertSingle : &convertDouble;
}

} // namespace warpglass::emulator::WARPGLASS_ALU
