// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic, logic, shifts and moves.
#include "gpu/emulator/lanes/alu/lanes.h"

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

// Floating-point results: NVIDIA's f32 units answer every NaN with 0x7fffffff (PTX ISA, floating-point instructions).
inline float canonical(float v) {
    return v == v ? v : __builtin_bit_cast(float, 0x7fffffffu);
}
inline double canonical(double v) {
    return v;
}
template <class T>
inline T saturate(T v) { // NaN becomes 0
    const T low = v > T(0) ? v : T(0);
    return low < T(1) ? low : T(1);
}

struct Add {
    template <class D>
    static D of(D a, D b) {
        if constexpr (isFloat<D>)
            return canonical(a + b);
        else
            return D(Wrap<D>(Wrap<D>(a) + Wrap<D>(b)));
    }
};
struct Sub {
    template <class D>
    static D of(D a, D b) {
        if constexpr (isFloat<D>)
            return canonical(a - b);
        else
            return D(Wrap<D>(Wrap<D>(a) - Wrap<D>(b)));
    }
};
struct MulLo {
    template <class D>
    static D of(D a, D b) {
        if constexpr (isFloat<D>)
            return canonical(a * b);
        else if constexpr (sizeof(D) == 2)
            return D(u32(u16(a)) * u32(u16(b)));
        else
            return D(Wrap<D>(Wrap<D>(a) * Wrap<D>(b)));
    }
};
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;
struct MulHi {
    template <class D>
    static D of(D a, D b) {
        if constexpr (sizeof(D) == 8 && isSigned<D>)
            return D((i128(a) * b) >> 64);
        else if constexpr (sizeof(D) == 8)
            return D((u128(a) * b) >> 64);
        else if constexpr (isSigned<D>)
            return D((i64(a) * i64(b)) >> (8 * sizeof(D)));
        else
            return D((u64(a) * u64(b)) >> (8 * sizeof(D)));
    }
};
struct MulWide {
    template <class D, class A>
    static D of(A a, A b) {
        return D(D(a) * D(b));
    }
};
struct MadLo {
    template <class D>
    static D of(D a, D b, D c) {
        return Add::of<D>(MulLo::of<D>(a, b), c);
    }
};
struct MadHi {
    template <class D>
    static D of(D a, D b, D c) {
        return Add::of<D>(MulHi::of<D>(a, b), c);
    }
};
struct MadWide {
    template <class D, class A>
    static D of(A a, A b, D c) {
        return Add::of<D>(D(a) * D(b), c);
    }
};
struct And {
    template <class D>
    static D of(D a, D b) {
        return a & b;
    }
};
struct Or {
    template <class D>
    static D of(D a, D b) {
        return a | b;
    }
};
struct Xor {
    template <class D>
    static D of(D a, D b) {
        return a ^ b;
    }
};
struct Not {
    template <class D>
    static D of(D a) {
        return D(~a);
    }
};
struct Shl { // amounts over the width give 0 (PTX ISA: "clamped")
    template <class D>
    static D of(D a, u32 n) {
        constexpr u32 width = 8 * sizeof(D);
        const D shifted = D(a << (n & (width - 1)));
        return n >= width ? D(0) : shifted;
    }
};
struct Shr {
    template <class D>
    static D of(D a, u32 n) {
        constexpr u32 width = 8 * sizeof(D);
        if constexpr (isSigned<D>)
            return D(a >> (n >= width ? width - 1 : n));
        const D shifted = D(a >> (n & (width - 1)));
        return n >= width ? D(0) : shifted;
    }
};
struct Same {
    template <class D>
    static D of(D a) {
        return a;
    }
};
struct Min {
    template <class D>
    static D of(D a, D b) {
        if constexpr (isFloat<D>) {
            // A number beats NaN; -0 is less than +0.
            const D r = a < b ? a : b < a ? b : __builtin_signbit(a) ? a : b;
            return a != a ? (b != b ? canonical(a + b) : b) : b != b ? a : r;
        } else
            return a < b ? a : b;
    }
};
struct Max {
    template <class D>
    static D of(D a, D b) {
        if constexpr (isFloat<D>) {
            const D r = a > b ? a : b > a ? b : __builtin_signbit(a) ? b : a;
            return a != a ? (b != b ? canonical(a + b) : b) : b != b ? a : r;
        } else
            return a > b ? a : b;
    }
};
struct Abs {
    template <class D>
    static D of(D a) {
        if constexpr (isFloat<D>)
            return __builtin_bit_cast(D, Raw<D>(encode<D>(a) & (Raw<D>(-1) >> 1)));
        else
            return a < 0 ? D(Wrap<D>(0) - Wrap<D>(a)) : a;
    }
};
struct Neg {
    template <class D>
    static D of(D a) {
        if constexpr (isFloat<D>)
            return __builtin_bit_cast(D, Raw<D>(encode<D>(a) ^ ~(Raw<D>(-1) >> 1)));
        else
            return D(Wrap<D>(0) - Wrap<D>(a));
    }
};
struct Fma {
    template <class D>
    static D of(D a, D b, D c) {
        if constexpr (sizeof(D) == 4)
            return canonical(__builtin_fmaf(a, b, c));
        else
            return __builtin_fma(a, b, c);
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
    template <class D, class... A>
    static D of(A... a) {
        return out(F::template of<D>(in(a)...));
    }
};

template <class F, int arity>
Handler floatForm(const AluKey& k) {
    const auto make = [](auto f, auto tag) -> Handler {
        using G = typename decltype(f)::type;
        using T = typename decltype(tag)::type;
        if constexpr (arity == 1)
            return &unary<T, T, G>;
        else if constexpr (arity == 2)
            return &binary<T, T, T, G>;
        else
            return &ternary<T, T, T, G>;
    };
    if (k.type == ptx::Type::F64)
        return k.sat || k.ftz ? nullptr : make(Tag<F>{}, Tag<double>{});
    if (k.type != ptx::Type::F32)
        return nullptr;
    if (k.ftz)
        return k.sat ? make(Tag<Shaped<F, true, true>>{}, Tag<float>{})
                     : make(Tag<Shaped<F, true, false>>{}, Tag<float>{});
    return k.sat ? make(Tag<Shaped<F, false, true>>{}, Tag<float>{}) : make(Tag<F>{}, Tag<float>{});
}

template <class F>
Handler binarySigned(ptx::Type t) { // the sign matters
    return forInteger(t, [](auto tag) -> Handler {
        using T = typename decltype(tag)::type;
        return &binary<T, T, T, F>;
    });
}
template <class F>
Handler binaryBits(ptx::Type t) {
    return forBits(t, [](auto tag) -> Handler {
        using T = typename decltype(tag)::type;
        return &binary<T, T, T, F>;
    });
}
template <class F>
Handler binaryNumber(const AluKey& k, Handler (*integer)(ptx::Type)) {
    if (k.type == ptx::Type::F32 || k.type == ptx::Type::F64)
        return floatForm<F, 2>(k);
    return k.sat ? nullptr : integer(k.type);
}

Handler wideForm(ptx::Type t, bool mad) {
    const auto make = [mad](auto d, auto a) -> Handler {
        using D = typename decltype(d)::type;
        using A = typename decltype(a)::type;
        if (mad)
            return &ternary<D, A, D, MadWide>;
        return &binary<D, A, A, MulWide>;
    };
    switch (t) {
    case ptx::Type::U16:
        return make(Tag<u32>{}, Tag<u16>{});
    case ptx::Type::S16:
        return make(Tag<i32>{}, Tag<i16>{});
    case ptx::Type::U32:
        return make(Tag<u64>{}, Tag<u32>{});
    case ptx::Type::S32:
        return make(Tag<i64>{}, Tag<i32>{});
    default:
        return nullptr;
    }
}

} // namespace

Handler arithmeticHandler(const AluKey& k) {
    switch (k.op) {
    case AluOp::Add:
        return binaryNumber<Add>(k, &binaryBits<Add>);
    case AluOp::Sub:
        return binaryNumber<Sub>(k, &binaryBits<Sub>);
    case AluOp::MulLo:
        return binaryNumber<MulLo>(k, &binaryBits<MulLo>);
    case AluOp::MulHi:
        return binarySigned<MulHi>(k.type);
    case AluOp::MulWide:
        return wideForm(k.type, false);
    case AluOp::MadWide:
        return wideForm(k.type, true);
    case AluOp::MadLo:
        return forBits(k.type, [](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            return &ternary<T, T, T, MadLo>;
        });
    case AluOp::MadHi:
        return forInteger(k.type, [](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            return &ternary<T, T, T, MadHi>;
        });
    case AluOp::And:
        return binaryBits<And>(k.type);
    case AluOp::Or:
        return binaryBits<Or>(k.type);
    case AluOp::Xor:
        return binaryBits<Xor>(k.type);
    case AluOp::Not:
        return forBits(k.type, [](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            return &unary<T, T, Not>;
        });
    case AluOp::Shl:
        return forBits(k.type, [](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            return &binary<T, T, u32, Shl>;
        });
    case AluOp::Shr:
        return forInteger(k.type, [](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            return &binary<T, T, u32, Shr>;
        });
    case AluOp::Mov:
        return k.dstRowBytes == 8 ? Handler(&unary<u64, u64, Same>) : Handler(&unary<u32, u32, Same>);
    case AluOp::Min:
        return binaryNumber<Min>(k, &binarySigned<Min>);
    case AluOp::Max:
        return binaryNumber<Max>(k, &binarySigned<Max>);
    case AluOp::Abs:
        if (k.type == ptx::Type::F32 || k.type == ptx::Type::F64)
            return floatForm<Abs, 1>(k);
        return forInteger(k.type, [](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            if constexpr (isSigned<T>)
                return &unary<T, T, Abs>;
            else
                return nullptr;
        });
    case AluOp::Neg:
        if (k.type == ptx::Type::F32 || k.type == ptx::Type::F64)
            return floatForm<Neg, 1>(k);
        return forBits(k.type, [](auto tag) -> Handler {
            using T = typename decltype(tag)::type;
            return &unary<T, T, Neg>;
        });
    case AluOp::Fma:
        return floatForm<Fma, 3>(k);
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator::WARPGLASS_ALU
