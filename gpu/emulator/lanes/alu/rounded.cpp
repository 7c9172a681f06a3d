// SPDX-License-Identifier: GPL-3.0-or-later
// The correctly rounded operations of f32 and f64 in any rounding mode, of pairs of f32, and of f32 with halves. The
// host's rounding mode is switched once a warp, around a loop over its lanes; the loops are functions of their own,
// which the compiler must not inline, or it might move their arithmetic out of the switched region. This file alone is
// compiled for other modes than the default (-frounding-math).
#include "gpu/emulator/lanes/alu/small_floats.h"

#include <cmath>
#if !defined(__SSE2__)
#include <cfenv>
#endif

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

class RoundingScope {
public:
    explicit RoundingScope(Round round) : m_switched(round != Round::Nearest) {
        if (m_switched)
            change(round);
    }
    ~RoundingScope() {
        if (m_switched)
            restore();
    }
    RoundingScope(const RoundingScope&) = delete;
    RoundingScope& operator=(const RoundingScope&) = delete;

private:
#if defined(__SSE2__)
    void change(Round round) { // bits 13 and 14: nearest, down, up, towards zero
        const u32 mode = round == Round::Down ? 1 : round == Round::Up ? 2 : 3;
        asm volatile("stmxcsr %0" : "=m"(m_before)::"memory");
        const u32 now = (m_before & ~0x6000u) | mode << 13;
        asm volatile("ldmxcsr %0" ::"m"(now) : "memory");
    }
    void restore() {
        asm volatile("ldmxcsr %0" ::"m"(m_before) : "memory");
    }
    u32 m_before = 0;
#else
    void change(Round round) {
        m_before = std::fegetround();
        std::fesetround(round == Round::Down ? FE_DOWNWARD : round == Round::Up ? FE_UPWARD : FE_TOWARDZERO);
    }
    void restore() {
        std::fesetround(m_before);
    }
    int m_before = 0;
#endif
    bool m_switched;
};

template <class T, int count>
struct alignas(64) Operands {
    T a[count], b[count], c[count], r[count];
};

template <FloatOp op, class T, int count>
[[gnu::noinline]] void compute(Operands<T, count>& o) {
#if defined(__AVX2__)
    if constexpr (op == FloatOp::Sqrt) { // a compiler that knows of rounding modes makes no vectors of it
        for (int i = 0; i < count; i += 32 / int(sizeof(T)))
            if constexpr (sizeof(T) == 4)
                _mm256_store_ps(o.r + i, _mm256_sqrt_ps(_mm256_load_ps(o.a + i)));
            else
                _mm256_store_pd(o.r + i, _mm256_sqrt_pd(_mm256_load_pd(o.a + i)));
        return;
    }
#endif
#pragma GCC ivdep
    for (int i = 0; i < count; ++i) {
        const T a = o.a[i], b = o.b[i];
        if constexpr (op == FloatOp::Add)
            o.r[i] = a + b;
        if constexpr (op == FloatOp::Sub)
            o.r[i] = a - b;
        if constexpr (op == FloatOp::Mul)
            o.r[i] = a * b;
        if constexpr (op == FloatOp::Div)
            o.r[i] = a / b;
        if constexpr (op == FloatOp::Rcp)
            o.r[i] = T(1) / a;
        if constexpr (op == FloatOp::Sqrt)
            o.r[i] = sizeof(T) == 4 ? T(__builtin_sqrtf(float(a))) : T(__builtin_sqrt(double(a)));
        if constexpr (op == FloatOp::Fma)
            o.r[i] = sizeof(T) == 4 ? T(__builtin_fmaf(float(a), float(b), float(o.c[i])))
                                    : T(__builtin_fma(double(a), double(b), double(o.c[i])));
    }
}

template <int count>
inline void flushAll(float* v) {
#pragma GCC ivdep
    for (int i = 0; i < count; ++i)
        v[i] = flush(v[i]);
}

// PTX ISA, div.approx.f32: it multiplies by the reciprocal, which is zero for divisors above 2^126.
inline void loseLargeDivisors(Operands<float, 32>& o) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const float lost = o.a[i] * __builtin_copysignf(0.0f, o.b[i]);
        o.r[i] = __builtin_fabsf(o.b[i]) > 0x1p126f ? lost : o.r[i];
    }
}

// Flushes and saturates; NVIDIA's f32 units answer every NaN with 0x7fffffff.
template <int count>
inline void finish(const FloatPart& k, float* r) {
    if (k.ftz)
        flushAll<count>(r);
    if (k.sat)
#pragma GCC ivdep
        for (int i = 0; i < count; ++i) {
            const float low = r[i] > 0.0f ? r[i] : 0.0f; // NaN becomes 0
            r[i] = low < 1.0f ? low : 1.0f;
        }
#pragma GCC ivdep
    for (int i = 0; i < count; ++i)
        r[i] = r[i] == r[i] ? r[i] : __builtin_bit_cast(float, 0x7fffffffu);
}

template <class T, int count>
inline void take(T* to, const Exec& x, Row row) {
    copyBytes<count * sizeof(T)>(to, x.rows + row);
}
template <class R, class T>
inline void give(Exec& x, const Inst& in, const T* r) {
    alignas(64) R bits[32];
    copyBytes<sizeof bits>(bits, r);
    storeLanes(x, activeMask(x, in), rowAt<R>(x, in.dst), [&](int i) { return bits[i]; });
}

constexpr bool hasSecond(FloatOp op) {
    return op != FloatOp::Rcp && op != FloatOp::Sqrt;
}

// count = 64: pairs.
template <FloatOp op, class T, int count>
bool rounded(Exec& x, const Inst& in) {
    const FloatPart& k = in.real;
    Operands<T, count> o;
    take<T, count>(o.a, x, in.a);
    if constexpr (hasSecond(op))
        take<T, count>(o.b, x, in.b);
    if constexpr (op == FloatOp::Fma)
        take<T, count>(o.c, x, in.c);
    if constexpr (sizeof(T) == 4)
        if (k.ftz) {
            flushAll<count>(o.a);
            if constexpr (hasSecond(op))
                flushAll<count>(o.b);
            if constexpr (op == FloatOp::Fma)
                flushAll<count>(o.c);
        }
    {
        const RoundingScope scope(k.round);
        compute<op>(o);
    }
    if constexpr (op == FloatOp::Div && sizeof(T) == 4 && count == 32)
        if (k.approx)
            loseLargeDivisors(o);
    if constexpr (sizeof(T) == 4)
        finish<count>(k, o.r);
    if constexpr (sizeof(T) * count == 128)
        give<u32>(x, in, o.r);
    else
        give<u64>(x, in, o.r);
    return true;
}

// add.f32.f16 d, a, c: a is the half; fma.f32.f16 d, a, b, c: a and b are.
template <FloatOp op, class F>
bool mixed(Exec& x, const Inst& in) {
    Operands<float, 32> o;
    const auto widen = [&](float* to, Row row) {
        const auto* v = rowAt<const u32>(x, row);
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            to[i] = widened<F>(v[i] & 0xffff);
    };
    widen(o.a, in.a);
    if constexpr (op == FloatOp::Fma) {
        widen(o.b, in.b);
        take<float, 32>(o.c, x, in.c);
    } else
        take<float, 32>(o.b, x, in.b);
    {
        const RoundingScope scope(in.real.round);
        compute<op>(o);
    }
    finish<32>(in.real, o.r);
    give<u32>(x, in, o.r);
    return true;
}

template <FloatOp op>
Handler forType(ptx::Type type) {
    using ptx::Type;
    switch (type) {
    case Type::F32:
        return &rounded<op, float, 32>;
    case Type::F64:
        return &rounded<op, double, 32>;
    case Type::F32x2:
        if constexpr (op == FloatOp::Div || op == FloatOp::Rcp || op == FloatOp::Sqrt)
            return nullptr;
        else
            return &rounded<op, float, 64>;
    case Type::F16:
    case Type::BF16:
        if constexpr (op == FloatOp::Add || op == FloatOp::Sub || op == FloatOp::Fma)
            return type == Type::F16 ? &mixed<op, F16> : &mixed<op, BF16>;
        return nullptr;
    default:
        return nullptr;
    }
}

// Conversions whose result must be rounded in another mode.
template <class To, class From>
[[gnu::noinline]] void convertLanes(const From* from, To* to) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        to[i] = To(from[i]);
}
template <class To, class From>
void convertIn(Round round, const From* from, To* to) {
    const RoundingScope scope(round);
    convertLanes(from, to);
}

} // namespace

Handler roundedHandler(FloatOp op, ptx::Type type) {
    switch (op) {
    case FloatOp::Add:
        return forType<FloatOp::Add>(type);
    case FloatOp::Sub:
        return forType<FloatOp::Sub>(type);
    case FloatOp::Mul:
        return forType<FloatOp::Mul>(type);
    case FloatOp::Fma:
        return forType<FloatOp::Fma>(type);
    case FloatOp::Div:
        return forType<FloatOp::Div>(type);
    case FloatOp::Rcp:
        return forType<FloatOp::Rcp>(type);
    case FloatOp::Sqrt:
        return forType<FloatOp::Sqrt>(type);
    default:
        return nullptr;
    }
}

void toFloats(Round round, const double* from, float* to) {
    convertIn(round, from, to);
}
void toDoubles(Round round, const std::int64_t* from, double* to) {
    convertIn(round, from, to);
}
void toDoubles(Round round, const std::uint64_t* from, double* to) {
    convertIn(round, from, to);
}

} // namespace warpglass::emulator::WARPGLASS_ALU
