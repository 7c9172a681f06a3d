// SPDX-License-Identifier: GPL-3.0-or-later
// cvt between f32 or halves and pairs and fours of small floats, to tf32, and cvt.pack. The first operand is the upper
// element of the result, the last one the lowest.
#include "gpu/emulator/lanes/alu/small_floats.h"

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

using ptx::Type;

struct alignas(64) Words {
    u32 v[32];
};
struct alignas(64) Floats {
    float v[32];
};

// Bits from one element to the next: six bits take eight.
template <class F>
constexpr u32 stride = F::sign == 0x8000 ? 16
                       : F::sign == 0x8  ? 4
                                         : 8;

inline const float* floats(Exec& x, Row row) {
    return rowAt<const float>(x, row);
}
template <class F>
inline void widenHalf(const u32* from, u32 shift, Floats& to) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        to.v[i] = widened<F>((from[i] >> shift) & 0xffff);
}
inline void widenHalves(Exec& x, const Inst& in, Floats& high, Floats& low) {
    const auto* a = rowAt<const u32>(x, in.a);
    if (in.convert.from == Type::F16x2) {
        widenHalf<F16>(a, 16, high);
        widenHalf<F16>(a, 0, low);
    } else {
        widenHalf<BF16>(a, 16, high);
        widenHalf<BF16>(a, 0, low);
    }
}

inline void give(Exec& x, const Inst& in, const Words& r) {
    const u32 m = activeMask(x, in);
    if (in.convert.dstWide)
        storeLanes(x, m, rowAt<u64>(x, in.dst), [&](int i) { return u64(r.v[i]); });
    else
        storeLanes(x, m, rowAt<u32>(x, in.dst), [&](int i) { return r.v[i]; });
}

// Two f32, in rows a and b, or a pair of halves in row a. rbits of stochastic rounding: row c, its upper half for the
// upper element; f16 takes 13 bits of them, bf16 all.
template <class F>
bool narrowPair(Exec& x, const Inst& in) {
    const ConvertPart& k = in.convert;
    const Narrowing n{k.relu, k.satfinite};
    Floats fromHigh, fromLow;
    const float *high = fromHigh.v, *low = fromLow.v;
    if (k.from == Type::F32) {
        high = floats(x, in.a);
        low = floats(x, in.b);
    } else
        widenHalves(x, in, fromHigh, fromLow);
    Words h, l;
    if constexpr (stride<F> == 16) {
        Words randomHigh, randomLow;
        if (k.round == Round::Stochastic) {
            const auto* bits = rowAt<const u32>(x, in.c);
            constexpr u32 mask = (1u << F::random) - 1;
#pragma GCC ivdep
            for (int i = 0; i < 32; ++i) {
                randomHigh.v[i] = bits[i] >> 16 & mask;
                randomLow.v[i] = bits[i] & mask;
            }
        }
        narrowLanes<F>(k.round, high, h.v, randomHigh.v, n);
        narrowLanes<F>(k.round, low, l.v, randomLow.v, n);
    } else {
        narrowAll<F, Round::Nearest>(high, h.v, nullptr, n);
        narrowAll<F, Round::Nearest>(low, l.v, nullptr, n);
    }
    Words r;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        r.v[i] = h.v[i] << stride<F> | l.v[i];
    give(x, in, r);
    return true;
}

inline u32 reversed16(u32 v) {
    v = (v >> 1 & 0x5555) | (v & 0x5555) << 1;
    v = (v >> 2 & 0x3333) | (v & 0x3333) << 2;
    v = (v >> 4 & 0x0f0f) | (v & 0x0f0f) << 4;
    return (v >> 8 & 0x00ff) | (v & 0x00ff) << 8;
}

// Four f32 in rows a, b, c and fourth. Each pair of them shares 16 bits of rbits, which the first of the two reads
// backwards: the upper half of rbits for the upper pair, or, if the result has only 16 bits, the upper bytes of both.
template <class F>
bool narrowFour(Exec& x, const Inst& in) {
    const ConvertPart& k = in.convert;
    const Narrowing n{k.relu, k.satfinite};
    const auto* bits = rowAt<const u32>(x, k.random);
    const Row rows[] = {in.a, in.b, in.c, k.fourth};
    Words r{};
    for (int element = 0; element < 4; ++element) {
        Words random, narrowed;
        const bool upper = element < 2, backwards = element % 2 == 0;
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i) {
            const u32 b = bits[i];
            u32 v = 0;
            if constexpr (stride<F> == 8)
                v = upper ? b >> 16 : b & 0xffff;
            else
                v = upper ? (b >> 8 & 0xff) | (b >> 16 & 0xff00) : (b & 0xff) | (b >> 8 & 0xff00);
            random.v[i] = backwards ? reversed16(v) : v;
        }
        narrowAll<F, Round::Stochastic>(floats(x, rows[element]), narrowed.v, random.v, n);
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            r.v[i] = r.v[i] << stride<F> | narrowed.v[i];
    }
    give(x, in, r);
    return true;
}

// What each small float is as a half, exactly.
template <class F, class Half>
const std::array<u16, 256>& halvesOf(bool relu, bool satfinite) {
    static const auto tables = [] {
        std::array<std::array<u16, 256>, 4> all;
        for (u32 way = 0; way < 4; ++way)
            for (u32 first = 0; first < 256; first += 32) {
                Floats f;
                Words half;
                for (u32 i = 0; i < 32; ++i)
                    f.v[i] = widened<F>(first + i);
                narrowAll<Half, Round::Nearest>(f.v, half.v, nullptr, {(way & 1) != 0, (way & 2) != 0});
                for (u32 i = 0; i < 32; ++i)
                    all[way][first + i] = u16(half.v[i]);
            }
        return all;
    }();
    return tables[u32(relu) | u32(satfinite) << 1];
}
// Two small floats of row a to a pair of halves.
template <class F>
bool widenPair(Exec& x, const Inst& in) {
    const ConvertPart& k = in.convert;
    const auto* a = rowAt<const u32>(x, in.a);
    constexpr u32 mask = F::sign | (F::sign - 1);
    const auto& halves =
        k.to == Type::F16x2 ? halvesOf<F, F16>(k.relu, k.satfinite) : halvesOf<F, BF16>(k.relu, k.satfinite);
    Words r;
#pragma GCC unroll 4
    for (int i = 0; i < 32; ++i)
        r.v[i] = u32(halves[a[i] >> stride<F> & mask]) << 16 | halves[a[i] & mask];
    give(x, in, r);
    return true;
}

// ue8m0 is the exponent alone: 2^(v - 127), 255 for NaN, no sign, no zero.
inline void exponents(const float* from, u32* to, bool up, u32 top) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const u32 magnitude = __builtin_bit_cast(u32, from[i]) & 0x7fffffffu;
        const u32 fraction = magnitude & 0x7fffffu;
        u32 e = magnitude >> 23;
        // 2^-127 is a subnormal f32: what is above it and no power of two goes up to 2^-126.
        const u32 roundsUp = up && (e == 0 ? fraction > 0x400000u : fraction != 0) ? 1 : 0;
        e = e + roundsUp > top ? top : e + roundsUp;
        e = magnitude == 0x7f800000u ? top : e;
        to[i] = magnitude > 0x7f800000u ? 255 : e;
    }
}
bool narrowExponents(Exec& x, const Inst& in) {
    const ConvertPart& k = in.convert;
    Floats fromHigh, fromLow;
    const float *high = fromHigh.v, *low = fromLow.v;
    if (k.from == Type::F32) {
        high = floats(x, in.a);
        low = floats(x, in.b);
    } else
        widenHalves(x, in, fromHigh, fromLow);
    Words h, l, r;
    exponents(high, h.v, k.round == Round::Up, k.satfinite ? 254 : 255);
    exponents(low, l.v, k.round == Round::Up, k.satfinite ? 254 : 255);
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        r.v[i] = h.v[i] << 8 | l.v[i];
    give(x, in, r);
    return true;
}
inline u32 exponentToBf16(u32 v) {
    return v == 255 ? BF16::nan : v == 0 ? 0x40 : v << 7;
}
bool widenExponents(Exec& x, const Inst& in) {
    const auto* a = rowAt<const u32>(x, in.a);
    Words r;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        r.v[i] = exponentToBf16(a[i] >> 8 & 0xff) << 16 | exponentToBf16(a[i] & 0xff);
    give(x, in, r);
    return true;
}

// tf32 lies in the upper bits of a register. .rna rounds the bits of a NaN like a number's, as the hardware does.
bool narrowTf32(Exec& x, const Inst& in) {
    const ConvertPart& k = in.convert;
    const float* a = floats(x, in.a);
    const auto* bits = rowAt<const u32>(x, in.a);
    Words r;
    narrowLanes<TF32>(k.round, a, r.v, nullptr, {k.relu, k.satfinite});
    const bool away = k.round == Round::NearestAway;
    const u32 finite = k.satfinite ? 0x2000u : 0u;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const u32 magnitude = bits[i] & 0x7fffffffu, carried = (magnitude + 0x1000) & ~0x1fffu;
        const u32 ofNaN = (bits[i] & 0x80000000u) | ((carried < 0x7fffe000u ? carried : 0x7fffe000u) - finite);
        r.v[i] = away && magnitude > 0x7f800000u ? ofNaN : r.v[i] << 13;
    }
    give(x, in, r);
    return true;
}

// cvt.pack.sat.s8.s32.b32 d, a, b, c: a and b clamped, a above b, and c shifted up behind them.
bool pack(Exec& x, const Inst& in) {
    const ConvertPart& k = in.convert;
    i32 bits = 16, low = 0;
    switch (k.to) {
    case Type::U2:
    case Type::S2:
        bits = 2;
        break;
    case Type::U4:
    case Type::S4:
        bits = 4;
        break;
    case Type::U8:
    case Type::S8:
        bits = 8;
        break;
    default:
        break;
    }
    i32 high = (1 << bits) - 1;
    if (k.to == Type::S2 || k.to == Type::S4 || k.to == Type::S8 || k.to == Type::S16) {
        high >>= 1;
        low = -high - 1;
    }
    const auto* a = rowAt<const i32>(x, in.a);
    const auto* b = rowAt<const i32>(x, in.b);
    const auto* c = rowAt<const u32>(x, in.c);
    const u32 mask = (1u << bits) - 1;
    Words r;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const i32 ta = a[i] < low ? low : a[i] > high ? high : a[i], tb = b[i] < low ? low : b[i] > high ? high : b[i];
        const u32 packed = (u32(ta) & mask) << bits | (u32(tb) & mask);
        r.v[i] = bits == 16 ? packed : c[i] << (2 * bits & 31) | packed;
    }
    give(x, in, r);
    return true;
}

} // namespace

Handler packedConvertHandler(const ConvertPart& k) {
    if (k.packs)
        return &pack;
    switch (k.to) {
    case Type::TF32:
        return &narrowTf32;
    case Type::F16x2:
    case Type::BF16x2:
        switch (k.from) {
        case Type::F32:
            return k.to == Type::F16x2 ? &narrowPair<F16> : &narrowPair<BF16>;
        case Type::E4M3x2:
            return &widenPair<E4M3>;
        case Type::E5M2x2:
            return &widenPair<E5M2>;
        case Type::E2M3x2:
            return &widenPair<E2M3>;
        case Type::E3M2x2:
            return &widenPair<E3M2>;
        case Type::E2M1x2:
            return &widenPair<E2M1>;
        case Type::UE8M0x2:
            return &widenExponents;
        default:
            return nullptr;
        }
    case Type::E4M3x2:
        return &narrowPair<E4M3>;
    case Type::E5M2x2:
        return &narrowPair<E5M2>;
    case Type::E2M3x2:
        return &narrowPair<E2M3>;
    case Type::E3M2x2:
        return &narrowPair<E3M2>;
    case Type::E2M1x2:
        return &narrowPair<E2M1>;
    case Type::UE8M0x2:
        return &narrowExponents;
    case Type::E4M3x4:
        return &narrowFour<E4M3>;
    case Type::E5M2x4:
        return &narrowFour<E5M2>;
    case Type::E2M3x4:
        return &narrowFour<E2M3>;
    case Type::E3M2x4:
        return &narrowFour<E3M2>;
    case Type::E2M1x4:
        return &narrowFour<E2M1>;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator::WARPGLASS_ALU
