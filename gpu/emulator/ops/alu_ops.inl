// SPDX-License-Identifier: GPL-3.0-or-later
// See alu.h. Included once a namespace; everything but aluHandler is in an unnamed namespace, so that no function compiled
// for a newer processor can replace its namesake elsewhere.

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
template <> struct UnsignedOf<1> { using type = u8; };
template <> struct UnsignedOf<2> { using type = u16; };
template <> struct UnsignedOf<4> { using type = u32; };
template <> struct UnsignedOf<8> { using type = u64; };

// A lane's value as it lies in a row, and as T. 16-bit values are kept zero-extended.
template <class T>
inline T decode(Raw<T> r) {
    return __builtin_bit_cast(T, typename UnsignedOf<sizeof(T)>::type(r));
}
template <class T>
inline Raw<T> encode(T v) {
    return __builtin_bit_cast(typename UnsignedOf<sizeof(T)>::type, v);
}
inline u64 widen(u32 laneBits) {
    return u64(i64(i32(laneBits)));
}
template <class R>
inline R laneMaskAs(u32 bits) {
    if constexpr (sizeof(R) == 8)
        return widen(bits);
    else
        return bits;
}

// Calls f(i) for 32 lanes and stores its result in the active ones.
template <class R, class F>
inline void storeLanes(Exec& x, u32 m, R* __restrict d, F f) {
    if (m == 0xffffffffu) [[likely]] {
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            d[i] = f(i);
        return;
    }
    if (x.laneBitsOf != m)
        x.expand(m);
    const u32* bits = x.laneBits.data();
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const R k = laneMaskAs<R>(bits[i]);
        const R r = f(i);
        d[i] = (r & k) | (d[i] & ~k);
    }
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
    storeLanes(x, activeMask(x, in), rowAt<Raw<D>>(x, in.dst), [=](int i) {
        return encode<D>(F::template of<D>(decode<A>(a[i]), decode<A>(b[i]), decode<C>(c[i])));
    });
    return true;
}

template <class T>
inline constexpr bool isFloat = __is_same(T, float) || __is_same(T, double);
template <class T>
inline constexpr bool isSigned = __is_same(T, i8) || __is_same(T, i16) || __is_same(T, i32) || __is_same(T, i64);
template <class T>
using Wrap = typename UnsignedOf<sizeof(T)>::type; // arithmetic that may wrap

// Floating-point results: NVIDIA's f32 units answer every NaN with 0x7fffffff (PTX ISA, floating-point instructions).
inline float canonical(float v) {
    return v == v ? v : __builtin_bit_cast(float, 0x7fffffffu);
}
inline double canonical(double v) {
    return v;
}
inline float flush(float v) {
    const u32 u = __builtin_bit_cast(u32, v);
    return (u & 0x7f800000u) == 0 ? __builtin_bit_cast(float, u & 0x80000000u) : v;
}
template <class T>
inline T saturate(T v) { // NaN becomes 0
    const T low = v > T(0) ? v : T(0);
    return low < T(1) ? low : T(1);
}

struct Add {
    template <class D> static D of(D a, D b) {
        if constexpr (isFloat<D>) return canonical(a + b);
        else return D(Wrap<D>(Wrap<D>(a) + Wrap<D>(b)));
    }
};
struct Sub {
    template <class D> static D of(D a, D b) {
        if constexpr (isFloat<D>) return canonical(a - b);
        else return D(Wrap<D>(Wrap<D>(a) - Wrap<D>(b)));
    }
};
struct MulLo {
    template <class D> static D of(D a, D b) {
        if constexpr (isFloat<D>) return canonical(a * b);
        else if constexpr (sizeof(D) == 2) return D(u32(u16(a)) * u32(u16(b)));
        else return D(Wrap<D>(Wrap<D>(a) * Wrap<D>(b)));
    }
};
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;
struct MulHi {
    template <class D> static D of(D a, D b) {
        if constexpr (sizeof(D) == 8 && isSigned<D>) return D((i128(a) * b) >> 64);
        else if constexpr (sizeof(D) == 8) return D((u128(a) * b) >> 64);
        else if constexpr (isSigned<D>) return D((i64(a) * i64(b)) >> (8 * sizeof(D)));
        else return D((u64(a) * u64(b)) >> (8 * sizeof(D)));
    }
};
struct MulWide {
    template <class D, class A> static D of(A a, A b) { return D(D(a) * D(b)); }
};
struct MadLo {
    template <class D> static D of(D a, D b, D c) { return Add::of<D>(MulLo::of<D>(a, b), c); }
};
struct MadHi {
    template <class D> static D of(D a, D b, D c) { return Add::of<D>(MulHi::of<D>(a, b), c); }
};
struct MadWide {
    template <class D, class A> static D of(A a, A b, D c) { return Add::of<D>(D(a) * D(b), c); }
};
struct And {
    template <class D> static D of(D a, D b) { return a & b; }
};
struct Or {
    template <class D> static D of(D a, D b) { return a | b; }
};
struct Xor {
    template <class D> static D of(D a, D b) { return a ^ b; }
};
struct Not {
    template <class D> static D of(D a) { return D(~a); }
};
struct Shl { // amounts over the width give 0 (PTX ISA: "clamped")
    template <class D> static D of(D a, u32 n) {
        constexpr u32 width = 8 * sizeof(D);
        const D shifted = D(a << (n & (width - 1)));
        return n >= width ? D(0) : shifted;
    }
};
struct Shr {
    template <class D> static D of(D a, u32 n) {
        constexpr u32 width = 8 * sizeof(D);
        if constexpr (isSigned<D>) return D(a >> (n >= width ? width - 1 : n));
        const D shifted = D(a >> (n & (width - 1)));
        return n >= width ? D(0) : shifted;
    }
};
struct Same {
    template <class D> static D of(D a) { return a; }
};
struct Min {
    template <class D> static D of(D a, D b) {
        if constexpr (isFloat<D>) {
            // A number beats NaN; -0 is less than +0.
            const D r = a < b ? a : b < a ? b : __builtin_signbit(a) ? a : b;
            return a != a ? (b != b ? canonical(a + b) : b) : b != b ? a : r;
        } else return a < b ? a : b;
    }
};
struct Max {
    template <class D> static D of(D a, D b) {
        if constexpr (isFloat<D>) {
            const D r = a > b ? a : b > a ? b : __builtin_signbit(a) ? b : a;
            return a != a ? (b != b ? canonical(a + b) : b) : b != b ? a : r;
        } else return a > b ? a : b;
    }
};
struct Abs {
    template <class D> static D of(D a) {
        if constexpr (isFloat<D>) return __builtin_bit_cast(D, Raw<D>(encode<D>(a) & (Raw<D>(-1) >> 1)));
        else return a < 0 ? D(Wrap<D>(0) - Wrap<D>(a)) : a;
    }
};
struct Neg {
    template <class D> static D of(D a) {
        if constexpr (isFloat<D>) return __builtin_bit_cast(D, Raw<D>(encode<D>(a) ^ ~(Raw<D>(-1) >> 1)));
        else return D(Wrap<D>(0) - Wrap<D>(a));
    }
};
struct Fma {
    template <class D> static D of(D a, D b, D c) {
        if constexpr (sizeof(D) == 4) return canonical(__builtin_fmaf(a, b, c));
        else return __builtin_fma(a, b, c);
    }
};
// Wrappers of f32 operations: flush subnormals of inputs and result, clamp to [0, 1].
template <class F, bool ftz, bool sat>
struct Shaped {
    static float in(float v) { return ftz ? flush(v) : v; }
    static float out(float v) {
        v = ftz ? flush(v) : v;
        return sat ? saturate(v) : v;
    }
    template <class D, class... A> static D of(A... a) { return out(F::template of<D>(in(a)...)); }
};

// int -> int, float -> float, int -> float (nearest even). float -> int goes lane by lane (scalar_ops.cpp).
struct Convert {
    template <class D, class A> static D of(A a) { return D(a); }
};
struct ConvertSat { // clamps to the destination's range
    template <class D, class A> static D of(A a) {
        if constexpr (isSigned<A>) {
            if constexpr (isSigned<D>) {
                constexpr i64 high = i64((u64(1) << (8 * sizeof(D) - 1)) - 1), low = -high - 1;
                const i64 v = a;
                return D(v < low ? low : v > high ? high : v);
            } else {
                const u64 v = a < 0 ? 0 : u64(a), high = ~u64(0) >> (64 - 8 * sizeof(D));
                return D(v > high ? high : v);
            }
        } else {
            constexpr u64 high = isSigned<D> ? (u64(1) << (8 * sizeof(D) - 1)) - 1 : ~u64(0) >> (64 - 8 * sizeof(D));
            return D(u64(a) > high ? high : u64(a));
        }
    }
};

// Reads type A from a row of SR, writes D (extended by D's sign) to a row of DR.
template <class D, class A, class DR, class SR, class F>
bool convert(Exec& x, const Inst& in) {
    const auto* a = rowAt<const SR>(x, in.a);
    storeLanes(x, activeMask(x, in), rowAt<DR>(x, in.dst), [=](int i) -> DR {
        const A v = __builtin_bit_cast(A, typename UnsignedOf<sizeof(A)>::type(a[i]));
        const D r = F::template of<D>(v);
        if constexpr (isFloat<D>)
            return __builtin_bit_cast(typename UnsignedOf<sizeof(D)>::type, r);
        else if constexpr (isSigned<D> && sizeof(D) == 1)
            return sizeof(DR) == 8 ? DR(i64(r)) : DR(u32(i32(r))); // kept sign-extended: later reads may be wider
        else if constexpr (isSigned<D> && sizeof(DR) == 8)
            return DR(i64(r));
        else if constexpr (sizeof(D) == 2 && isSigned<DR>)
            return DR(r);
        else if constexpr (sizeof(D) == 2)
            return DR(u16(r));
        else
            return DR(r);
    });
    return true;
}

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

template <class T, Compare c>
inline bool compare(T a, T b) {
    if constexpr (c == Compare::Eq) return a == b;
    if constexpr (c == Compare::Ne) return isFloat<T> ? (a < b) | (a > b) : a != b;
    if constexpr (c == Compare::Lt || c == Compare::Lo) return a < b;
    if constexpr (c == Compare::Le || c == Compare::Ls) return a <= b;
    if constexpr (c == Compare::Gt || c == Compare::Hi) return a > b;
    if constexpr (c == Compare::Ge || c == Compare::Hs) return a >= b;
    if constexpr (c == Compare::Equ) return !((a < b) | (a > b));
    if constexpr (c == Compare::Neu) return a != b;
    if constexpr (c == Compare::Ltu) return !(a >= b);
    if constexpr (c == Compare::Leu) return !(a > b);
    if constexpr (c == Compare::Gtu) return !(a <= b);
    if constexpr (c == Compare::Geu) return !(a < b);
    if constexpr (c == Compare::Num) return (a == a) & (b == b);
    if constexpr (c == Compare::Nan) return (a != a) | (b != b);
}

template <class T, Compare c, bool ftz>
inline u32 compareLanes(Exec& x, const Inst& in) {
    const auto* a = rowAt<const Raw<T>>(x, in.a);
    const auto* b = rowAt<const Raw<T>>(x, in.b);
    alignas(64) u32 t[32];
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        if constexpr (ftz)
            t[i] = compare<T, c>(flush(decode<T>(a[i])), flush(decode<T>(b[i]))) ? ~0u : 0u;
        else
            t[i] = compare<T, c>(decode<T>(a[i]), decode<T>(b[i])) ? ~0u : 0u;
    }
    return packBits(t);
}
template <class T, Compare c, bool ftz>
bool setp(Exec& x, const Inst& in) {
    const u32 r = compareLanes<T, c, ftz>(x, in), m = activeMask(x, in);
    setPredicate(x, in.dst, m, r);
    if (in.compare.second != noIndex)
        setPredicate(x, in.compare.second, m, ~r);
    return true;
}
template <class T, Compare c, bool ftz>
bool setpBool(Exec& x, const Inst& in) {
    const u32 r = compareLanes<T, c, ftz>(x, in), m = activeMask(x, in);
    using ptx::Operation;
    const u32 k = in.compare.negated ? ~predicate(x, in.c) : predicate(x, in.c);
    const Operation op = in.compare.combine;
    const auto with = [&](u32 v) { return op == Operation::And ? v & k : op == Operation::Or ? v | k : v ^ k; };
    setPredicate(x, in.dst, m, with(r));
    if (in.compare.second != noIndex)
        setPredicate(x, in.compare.second, m, with(~r));
    return true;
}

template <class R>
bool selp(Exec& x, const Inst& in) {
    const auto* a = rowAt<const R>(x, in.a);
    const auto* b = rowAt<const R>(x, in.b);
    const u32 p = in.compare.negated ? ~predicate(x, in.c) : predicate(x, in.c);
    storeLanes(x, activeMask(x, in), rowAt<R>(x, in.dst), [=](int i) {
        const R k = laneMaskAs<R>(0u - ((p >> i) & 1u));
        return (a[i] & k) | (b[i] & ~k);
    });
    return true;
}

template <int op>
bool predicateOp(Exec& x, const Inst& in) {
    const u32 a = predicate(x, in.a), b = op >= 3 ? 0 : predicate(x, in.b);
    setPredicate(x, in.dst, activeMask(x, in), op == 0 ? a & b : op == 1 ? a | b : op == 2 ? a ^ b : op == 3 ? ~a : a);
    return true;
}

template <class F>
Handler forInteger(ptx::Type t, F f) {
    using ptx::Type;
    switch (t) {
    case Type::B16: case Type::U16: return f(Tag<u16>{});
    case Type::S16: return f(Tag<i16>{});
    case Type::B32: case Type::U32: return f(Tag<u32>{});
    case Type::S32: return f(Tag<i32>{});
    case Type::B64: case Type::U64: return f(Tag<u64>{});
    case Type::S64: return f(Tag<i64>{});
    default: return nullptr;
    }
}
template <class F>
Handler forNumber(ptx::Type t, F f) {
    if (t == ptx::Type::F32) return f(Tag<float>{});
    if (t == ptx::Type::F64) return f(Tag<double>{});
    return forInteger(t, f);
}

template <class F, int arity>
Handler floatForm(const AluKey& k) {
    const auto make = [](auto f, auto tag) -> Handler {
        using G = typename decltype(f)::type;
        using T = typename decltype(tag)::type;
        if constexpr (arity == 1) return &unary<T, T, G>;
        else if constexpr (arity == 2) return &binary<T, T, T, G>;
        else return &ternary<T, T, T, G>;
    };
    if (k.type == ptx::Type::F64)
        return k.sat || k.ftz ? nullptr : make(Tag<F>{}, Tag<double>{});
    if (k.type != ptx::Type::F32)
        return nullptr;
    if (k.ftz)
        return k.sat ? make(Tag<Shaped<F, true, true>>{}, Tag<float>{}) : make(Tag<Shaped<F, true, false>>{}, Tag<float>{});
    return k.sat ? make(Tag<Shaped<F, false, true>>{}, Tag<float>{}) : make(Tag<F>{}, Tag<float>{});
}

template <class F>
Handler binaryInteger(ptx::Type t) {
    return forInteger(t, [](auto tag) -> Handler {
        using T = typename decltype(tag)::type;
        return &binary<T, T, T, F>;
    });
}
template <class F>
Handler binaryAny(const AluKey& k) {
    if (k.type == ptx::Type::F32 || k.type == ptx::Type::F64)
        return floatForm<F, 2>(k);
    return k.sat ? nullptr : binaryInteger<F>(k.type);
}

template <Compare c>
Handler setpForm(const AluKey& k) {
    return forNumber(k.type, [&k](auto tag) -> Handler {
        using T = typename decltype(tag)::type;
        constexpr bool floatOnly = int(c) >= int(Compare::Equ);
        if constexpr (floatOnly && !isFloat<T>)
            return nullptr;
        else if constexpr (__is_same(T, float)) {
            if (k.op == AluOp::Setp) return k.ftz ? &setp<T, c, true> : &setp<T, c, false>;
            return k.ftz ? &setpBool<T, c, true> : &setpBool<T, c, false>;
        } else
            return k.op == AluOp::Setp ? &setp<T, c, false> : &setpBool<T, c, false>;
    });
}

template <class D, class A, class F>
Handler convertRows(const AluKey& k) {
    if (k.dstRowBytes == 8)
        return k.srcRowBytes == 8 ? &convert<D, A, u64, u64, F> : &convert<D, A, u64, u32, F>;
    if constexpr (__is_same(D, i16)) { // in a 32-bit register: with its sign
        if (k.dstIs32)
            return k.srcRowBytes == 8 ? &convert<D, A, i32, u64, F> : &convert<D, A, i32, u32, F>;
    }
    if constexpr (sizeof(D) == 8)
        return nullptr;
    else if (k.srcRowBytes == 8)
        return &convert<D, A, u32, u64, F>;
    else if constexpr (sizeof(A) == 8)
        return nullptr;
    else
        return &convert<D, A, u32, u32, F>;
}
template <class F>
Handler forConvert(ptx::Type t, F f) {
    if (t == ptx::Type::U8 || t == ptx::Type::B8) return f(Tag<u8>{});
    if (t == ptx::Type::S8) return f(Tag<i8>{});
    return forNumber(t, f);
}
Handler convertForm(const AluKey& k) {
    return forConvert(k.type, [&k](auto to) -> Handler {
        return forConvert(k.source, [&k](auto from) -> Handler {
            using D = typename decltype(to)::type;
            using A = typename decltype(from)::type;
            if constexpr (isFloat<A> && !isFloat<D>)
                return nullptr;
            else if constexpr (isFloat<D>) {
                if (k.ftz || k.sat)
                    return nullptr;
                return convertRows<D, A, Convert>(k);
            } else
                return k.sat ? convertRows<D, A, ConvertSat>(k) : convertRows<D, A, Convert>(k);
        });
    });
}

template <class F>
Handler wideForm(ptx::Type t, bool mad) {
    const auto make = [mad](auto d, auto a) -> Handler {
        using D = typename decltype(d)::type;
        using A = typename decltype(a)::type;
        if (mad) return &ternary<D, A, D, MadWide>;
        return &binary<D, A, A, MulWide>;
    };
    switch (t) {
    case ptx::Type::U16: return make(Tag<u32>{}, Tag<u16>{});
    case ptx::Type::S16: return make(Tag<i32>{}, Tag<i16>{});
    case ptx::Type::U32: return make(Tag<u64>{}, Tag<u32>{});
    case ptx::Type::S32: return make(Tag<i64>{}, Tag<i32>{});
    default: return nullptr;
    }
}

} // namespace

Handler aluHandler(const AluKey& k) {
    using ptx::Type;
    const auto bits = [&](auto f) -> Handler {
        using F = typename decltype(f)::type;
        return binaryInteger<F>(k.type);
    };
    switch (k.op) {
    case AluOp::Add: return binaryAny<Add>(k);
    case AluOp::Sub: return binaryAny<Sub>(k);
    case AluOp::MulLo: return binaryAny<MulLo>(k);
    case AluOp::MulHi: return binaryInteger<MulHi>(k.type);
    case AluOp::MulWide: return wideForm<MulWide>(k.type, false);
    case AluOp::MadWide: return wideForm<MadWide>(k.type, true);
    case AluOp::MadLo: case AluOp::MadHi:
        return forInteger(k.type, [&](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            return k.op == AluOp::MadLo ? &ternary<T, T, T, MadLo> : &ternary<T, T, T, MadHi>;
        });
    case AluOp::And: return bits(Tag<And>{});
    case AluOp::Or: return bits(Tag<Or>{});
    case AluOp::Xor: return bits(Tag<Xor>{});
    case AluOp::Not:
        return forInteger(k.type, [](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            return &unary<T, T, Not>;
        });
    case AluOp::Shl: case AluOp::Shr:
        return forInteger(k.type, [&](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            return k.op == AluOp::Shl ? &binary<T, T, u32, Shl> : &binary<T, T, u32, Shr>;
        });
    case AluOp::Mov: return k.dstRowBytes == 8 ? Handler(&unary<u64, u64, Same>) : Handler(&unary<u32, u32, Same>);
    case AluOp::MovPred: return &predicateOp<4>;
    case AluOp::PredAnd: return &predicateOp<0>;
    case AluOp::PredOr: return &predicateOp<1>;
    case AluOp::PredXor: return &predicateOp<2>;
    case AluOp::PredNot: return &predicateOp<3>;
    case AluOp::Min: return binaryAny<Min>(k);
    case AluOp::Max: return binaryAny<Max>(k);
    case AluOp::Abs: case AluOp::Neg:
        if (k.type == Type::F32 || k.type == Type::F64)
            return k.op == AluOp::Abs ? floatForm<Abs, 1>(k) : floatForm<Neg, 1>(k);
        return forInteger(k.type, [&](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            if (k.op == AluOp::Neg) return &unary<T, T, Neg>;
            if constexpr (isSigned<T>) return &unary<T, T, Abs>;
            else return nullptr;
        });
    case AluOp::Fma: return floatForm<Fma, 3>(k);
    case AluOp::Selp: return k.dstRowBytes == 8 ? &selp<u64> : &selp<u32>;
    case AluOp::Cvt: return convertForm(k);
    case AluOp::Setp: case AluOp::SetpBool:
        switch (k.compare) {
        case Compare::Eq: return setpForm<Compare::Eq>(k);
        case Compare::Ne: return setpForm<Compare::Ne>(k);
        case Compare::Lt: case Compare::Lo: return setpForm<Compare::Lt>(k);
        case Compare::Le: case Compare::Ls: return setpForm<Compare::Le>(k);
        case Compare::Gt: case Compare::Hi: return setpForm<Compare::Gt>(k);
        case Compare::Ge: case Compare::Hs: return setpForm<Compare::Ge>(k);
        case Compare::Equ: return setpForm<Compare::Equ>(k);
        case Compare::Neu: return setpForm<Compare::Neu>(k);
        case Compare::Ltu: return setpForm<Compare::Ltu>(k);
        case Compare::Leu: return setpForm<Compare::Leu>(k);
        case Compare::Gtu: return setpForm<Compare::Gtu>(k);
        case Compare::Geu: return setpForm<Compare::Geu>(k);
        case Compare::Num: return setpForm<Compare::Num>(k);
        case Compare::Nan: return setpForm<Compare::Nan>(k);
        }
        return nullptr;
    }
    return nullptr;
}
