// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic on f16 and bf16, one or two to a register. A row of 32 registers is 64 halves; with one half a register
// every second one is not looked at. Sums and products are computed in f32, whose 24 bits make the one rounding to 11
// or 8 bits exact; a fused multiply and add needs more (fmaRow). Comparisons and signs work on the bits.
#include "gpu/emulator/lanes/alu/small_floats.h"

#include <array>
#include <cmath>

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

constexpr int halves = 64;
struct alignas(64) HalfRow {
    u16 v[halves];
};
struct alignas(64) FloatRow {
    float v[halves];
};

inline void take(HalfRow& to, const Exec& x, Row row) {
    copyBytes<sizeof to.v>(to.v, x.rows + row);
}

template <class F>
inline void flushSubnormals(HalfRow& row) {
#pragma GCC ivdep
    for (int i = 0; i < halves; ++i)
        row.v[i] = (row.v[i] & F::infinity) == 0 ? u16(row.v[i] & F::sign) : row.v[i];
}

// f16: the product of two has 22 bits and is exact in f32; so is the error of its sum with the third.
inline void fmaRow(F16, const FloatRow& a, const FloatRow& b, const FloatRow& c, FloatRow& r) {
#pragma GCC ivdep
    for (int i = 0; i < halves; ++i) {
        const float p = a.v[i] * b.v[i], s = p + c.v[i], t = s - p;
        r.v[i] = odd(s, (p - (s - t)) + (c.v[i] - t));
    }
}
// bf16 has the exponents of f32: a product may leave them. Then all are computed in f64, which holds every product.
inline void fmaRow(BF16, const FloatRow& a, const FloatRow& b, const FloatRow& c, FloatRow& r) {
    u32 leaves = 0;
#pragma GCC ivdep
    for (int i = 0; i < halves; ++i) {
        const float p = a.v[i] * b.v[i], s = p + c.v[i], t = s - p;
        r.v[i] = odd(s, (p - (s - t)) + (c.v[i] - t));
        const u32 exponent = __builtin_bit_cast(u32, p) >> 23 & 0xff;
        const u32 zero = (a.v[i] == 0 ? ~0u : 0u) | (b.v[i] == 0 ? ~0u : 0u);
        leaves |= (exponent - 10 > 235 ? ~0u : 0u) & ~zero;
    }
    if (leaves == 0) [[likely]]
        return;
#pragma GCC ivdep
    for (int i = 0; i < halves; ++i) {
        const double p = double(a.v[i]) * double(b.v[i]), d = double(c.v[i]), s = p + d, t = s - p;
        r.v[i] = oddOf(odd(s, (p - (s - t)) + (d - t)));
    }
}

#if defined(__FMA__) && defined(__F16C__)
// The same, if rounding to f32 first cannot matter: unless that gives a number halfway between two halves. False: it
// does somewhere (or a result is below the normal halves, where the halfway ones look different), and nothing is done.
inline bool fmaQuickly(F16, const HalfRow& a, const HalfRow& b, const HalfRow& c, HalfRow& r) {
    const auto widen = [](const u16* from) {
        return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(from)));
    };
    const __m256i tail = _mm256_set1_epi32(0x1fff), half = _mm256_set1_epi32(0x1000),
                  magnitude = _mm256_set1_epi32(0x7fffffff), normal = _mm256_set1_epi32(0x38800000);
    __m256i doubtful = _mm256_setzero_si256();
    HalfRow out;
    for (int i = 0; i < halves; i += 8) {
        const __m256 s = _mm256_fmadd_ps(widen(a.v + i), widen(b.v + i), widen(c.v + i));
        const __m256i bits = _mm256_castps_si256(s);
        doubtful = _mm256_or_si256(doubtful, _mm256_cmpeq_epi32(_mm256_and_si256(bits, tail), half));
        doubtful = _mm256_or_si256(doubtful, _mm256_cmpgt_epi32(normal, _mm256_and_si256(bits, magnitude)));
        _mm_store_si128(reinterpret_cast<__m128i*>(out.v + i), _mm256_cvtps_ph(s, 0));
    }
    if (!_mm256_testz_si256(doubtful, doubtful))
        return false;
#pragma GCC ivdep
    for (int i = 0; i < halves; ++i)
        r.v[i] = (out.v[i] & 0x7fff) > F16::infinity ? u16(F16::nan) : out.v[i];
    return true;
}
// bf16 is the upper half of f32, and its halfway numbers look the same everywhere.
inline bool fmaQuickly(BF16, const HalfRow& a, const HalfRow& b, const HalfRow& c, HalfRow& r) {
    const auto widen = [](const u16* from) {
        const __m128i v = _mm_load_si128(reinterpret_cast<const __m128i*>(from));
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(v), 16));
    };
    const __m256i tail = _mm256_set1_epi32(0xffff), half = _mm256_set1_epi32(0x8000);
    __m256i doubtful = _mm256_setzero_si256();
    FloatRow sums;
    for (int i = 0; i < halves; i += 8) {
        const __m256 s = _mm256_fmadd_ps(widen(a.v + i), widen(b.v + i), widen(c.v + i));
        doubtful = _mm256_or_si256(doubtful, _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_castps_si256(s), tail), half));
        _mm256_store_ps(sums.v + i, s);
    }
    if (!_mm256_testz_si256(doubtful, doubtful))
        return false;
    narrowRow<BF16>(sums.v, r.v);
    return true;
}
#else
template <class F>
inline bool fmaQuickly(F, const HalfRow&, const HalfRow&, const HalfRow&, HalfRow&) {
    return false;
}
#endif

// PTX ISA, min and max: a number beats NaN unless .NaN is asked for, -0 is less than +0; .xorsign.abs compares the
// magnitudes and gives the result the product's sign.
template <class F, bool isMin>
inline void minMaxRow(const HalfPart& k, HalfRow& a, HalfRow& b, HalfRow& r) {
    HalfRow sign;
    if (k.xorsign)
#pragma GCC ivdep
        for (int i = 0; i < halves; ++i) {
            sign.v[i] = u16((a.v[i] ^ b.v[i]) & 0x8000);
            a.v[i] &= 0x7fff;
            b.v[i] &= 0x7fff;
        }
    const u16 nanCounts = k.nan ? 0xffff : 0;
#pragma GCC ivdep
    for (int i = 0; i < halves; ++i) {
        const u16 va = a.v[i], vb = b.v[i];
        const u16 nanA = u16(va & 0x7fff) > F::infinity ? 0xffff : 0,
                  nanB = u16(vb & 0x7fff) > F::infinity ? 0xffff : 0;
        const i16 orderA = i16(va ^ (u16(i16(va) >> 15) & 0x7fff)), orderB = i16(vb ^ (u16(i16(vb) >> 15) & 0x7fff));
        const u16 takesA = (isMin ? orderA <= orderB : orderA >= orderB) ? 0xffff : 0;
        const u16 chosen = (((takesA & u16(~nanA)) | nanB) & u16(~(nanA & u16(~nanB)))) ? va : vb;
        const u16 none = (nanA & nanB) | ((nanA | nanB) & nanCounts);
        r.v[i] = none ? u16(F::nan) : chosen;
    }
    if (k.xorsign)
#pragma GCC ivdep
        for (int i = 0; i < halves; ++i)
            r.v[i] = (r.v[i] & 0x7fff) > F::infinity ? r.v[i] : u16(r.v[i] | sign.v[i]);
}

// ex2 and tanh have only 65,536 arguments: each is worked out once, in f64, and rounded to nearest.
template <class F, HalfOp op>
const std::array<u16, 65536>& answers() {
    static const std::array<u16, 65536> table = [] {
        std::array<u16, 65536> t;
        for (u32 i = 0; i < 65536; ++i) {
            const double v = double(widened<F>(i));
            const float r = oddOf(op == HalfOp::Ex2 ? std::exp2(v) : std::tanh(v));
            t[i] = u16(narrow<F, Round::Nearest>(__builtin_bit_cast(u32, r), 0, 0, topOf<F>(false)));
        }
        return t;
    }();
    return table;
}

template <class F, HalfOp op>
inline void compute(const HalfPart& k, HalfRow& a, HalfRow& b, HalfRow& c, HalfRow& r) {
    if constexpr (op == HalfOp::Min || op == HalfOp::Max)
        minMaxRow<F, op == HalfOp::Min>(k, a, b, r);
    else if constexpr (op == HalfOp::Ex2 || op == HalfOp::Tanh) {
        const auto& table = answers<F, op>();
        for (int i = 0; i < halves; ++i)
            r.v[i] = table[a.v[i]];
    } else if constexpr (op == HalfOp::Neg || op == HalfOp::Abs) {
#pragma GCC ivdep
        for (int i = 0; i < halves; ++i)
            r.v[i] = u16(a.v[i] & 0x7fff) > F::infinity ? u16(F::nan)
                     : op == HalfOp::Neg                ? u16(a.v[i] ^ 0x8000)
                                                        : u16(a.v[i] & 0x7fff);
    } else {
        if constexpr (op == HalfOp::Fma)
            if (fmaQuickly(F{}, a, b, c, r)) [[likely]]
                return;
        FloatRow fa, fb, fr;
        widenRow<F>(a.v, fa.v);
        widenRow<F>(b.v, fb.v);
        if constexpr (op == HalfOp::Fma) {
            FloatRow fc;
            widenRow<F>(c.v, fc.v);
            fmaRow(F{}, fa, fb, fc, fr);
        } else {
#pragma GCC ivdep
            for (int i = 0; i < halves; ++i)
                fr.v[i] = op == HalfOp::Add   ? fa.v[i] + fb.v[i]
                          : op == HalfOp::Sub ? fa.v[i] - fb.v[i]
                                              : fa.v[i] * fb.v[i];
        }
        narrowRow<F>(fr.v, r.v);
    }
}

// NVIDIA's tensor maps fill what lies outside with this NaN, and fma.oob takes it for 0 (PTX ISA, tensors and fma).
constexpr u16 outOfBounds = 0x7ff7;

template <class F, HalfOp op>
bool halfOp(Exec& x, const Inst& in) {
    const HalfPart& k = in.half;
    constexpr bool two = op != HalfOp::Neg && op != HalfOp::Abs && op != HalfOp::Ex2 && op != HalfOp::Tanh;
    HalfRow a, b, c, r;
    take(a, x, in.a);
    if constexpr (two)
        take(b, x, in.b);
    if constexpr (op == HalfOp::Fma)
        take(c, x, in.c);
    if (k.ftz) {
        flushSubnormals<F>(a);
        if constexpr (two)
            flushSubnormals<F>(b);
        if constexpr (op == HalfOp::Fma)
            flushSubnormals<F>(c);
    }
    compute<F, op>(k, a, b, c, r);
    if (k.ftz)
        flushSubnormals<F>(r);
    if (k.relu)
#pragma GCC ivdep
        for (int i = 0; i < halves; ++i)
            r.v[i] = r.v[i] > 0x8000 + F::infinity || r.v[i] < 0x8000 ? r.v[i] : u16(0);
    if (k.sat) { // to [0, 1]; NaN gives 0
        constexpr u16 one = F::bias << F::fraction;
#pragma GCC ivdep
        for (int i = 0; i < halves; ++i)
            r.v[i] = r.v[i] > F::infinity ? u16(0) : r.v[i] > one ? one : r.v[i];
    }
    if constexpr (op == HalfOp::Fma)
        if (k.oob)
#pragma GCC ivdep
            for (int i = 0; i < halves; ++i)
                r.v[i] = a.v[i] == outOfBounds || b.v[i] == outOfBounds ? u16(0) : r.v[i];
    alignas(64) u32 out[32];
    copyBytes<sizeof out>(out, r.v);
    const u32 keeps = k.pair ? ~0u : 0xffffu;
    storeLanes(x, activeMask(x, in), rowAt<u32>(x, in.dst), [&](int i) { return out[i] & keeps; });
    return true;
}

template <class F>
Handler ofFormat(HalfOp op) {
    switch (op) {
    case HalfOp::Add:
        return &halfOp<F, HalfOp::Add>;
    case HalfOp::Sub:
        return &halfOp<F, HalfOp::Sub>;
    case HalfOp::Mul:
        return &halfOp<F, HalfOp::Mul>;
    case HalfOp::Fma:
        return &halfOp<F, HalfOp::Fma>;
    case HalfOp::Min:
        return &halfOp<F, HalfOp::Min>;
    case HalfOp::Max:
        return &halfOp<F, HalfOp::Max>;
    case HalfOp::Neg:
        return &halfOp<F, HalfOp::Neg>;
    case HalfOp::Abs:
        return &halfOp<F, HalfOp::Abs>;
    case HalfOp::Ex2:
        return &halfOp<F, HalfOp::Ex2>;
    case HalfOp::Tanh:
        return &halfOp<F, HalfOp::Tanh>;
    }
    return nullptr;
}

// Whole numbers, two to a register.
template <HalfOp op, class T>
bool pairOfIntegers(Exec& x, const Inst& in) {
    HalfRow a, b, r;
    take(a, x, in.a);
    take(b, x, in.b);
    const T least = in.half.relu ? T(0) : T(T(1) << 15);
#pragma GCC ivdep
    for (int i = 0; i < halves; ++i) {
        const T va = T(a.v[i]), vb = T(b.v[i]);
        if constexpr (op == HalfOp::Add)
            r.v[i] = u16(a.v[i] + b.v[i]);
        else if constexpr (op == HalfOp::Min)
            r.v[i] = u16(va < vb ? va : vb);
        else
            r.v[i] = u16(va > vb ? va : vb);
        if constexpr (isSigned<T> && op != HalfOp::Add)
            r.v[i] = u16(T(r.v[i]) > least ? T(r.v[i]) : least);
    }
    alignas(64) u32 out[32];
    copyBytes<sizeof out>(out, r.v);
    storeLanes(x, activeMask(x, in), rowAt<u32>(x, in.dst), [&](int i) { return out[i]; });
    return true;
}

} // namespace

Handler halfHandler(const HalfPart& k) {
    using ptx::Type;
    switch (k.type) {
    case Type::F16:
    case Type::F16x2:
        return ofFormat<F16>(k.op);
    case Type::BF16:
    case Type::BF16x2:
        return ofFormat<BF16>(k.op);
    case Type::U16x2:
        return k.op == HalfOp::Add   ? &pairOfIntegers<HalfOp::Add, u16>
               : k.op == HalfOp::Min ? &pairOfIntegers<HalfOp::Min, u16>
               : k.op == HalfOp::Max ? &pairOfIntegers<HalfOp::Max, u16>
                                     : nullptr;
    case Type::S16x2:
        return k.op == HalfOp::Add   ? &pairOfIntegers<HalfOp::Add, i16>
               : k.op == HalfOp::Min ? &pairOfIntegers<HalfOp::Min, i16>
               : k.op == HalfOp::Max ? &pairOfIntegers<HalfOp::Max, i16>
                                     : nullptr;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator::WARPGLASS_ALU
