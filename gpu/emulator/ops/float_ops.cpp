// SPDX-License-Identifier: GPL-3.0-or-later
// Special functions of f64, rare forms of min and max, and integer division, lane by lane. The approximations of the
// hardware (.approx) are answered with the correctly rounded value: within their documented error.
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/emulator/record/diagnostics.h"

#include <bit>
#include <cmath>
#include <limits>

namespace warpglass::emulator {

namespace {

float flushed(float v) {
    const auto u = std::bit_cast<std::uint32_t>(v);
    return (u & 0x7f800000u) == 0 ? std::bit_cast<float>(u & 0x80000000u) : v;
}

template <class T>
T compute(FloatOp op, T a, T b) {
    switch (op) {
    case FloatOp::Rcp: // .approx.ftz.f64
        return T(1) / a;
    case FloatOp::Rsqrt:
        return T(1.0 / std::sqrt(double(a)));
    case FloatOp::Copysign:
        return std::copysign(b, a); // PTX: the sign of a, the value of b
    default:                        // minMax(), or alu/
        return a;
    }
}

// The forms of min and max that are rare. PTX ISA: a number beats NaN unless .NaN is asked for, -0 is less than +0;
// .xorsign.abs compares the magnitudes and gives the result the product's sign.
template <class T>
T minMax(const FloatPart& part, T a, T b) {
    if (part.nan && (a != a || b != b))
        return std::numeric_limits<T>::quiet_NaN();
    const bool negative = std::signbit(a) != std::signbit(b);
    if (part.absolute) {
        a = std::fabs(a);
        b = std::fabs(b);
    }
    const bool aLess = a < b || (a == b && std::signbit(a));
    const T r = a != a ? b : b != b ? a : aLess == (part.op == FloatOp::Min) ? a : b;
    return part.xorsign && r == r ? std::copysign(r, negative ? T(-1) : T(1)) : r;
}

double flushed(double v) {
    return std::fabs(v) < std::numeric_limits<double>::min() ? std::copysign(0.0, v) : v;
}

// PTX ISA, rcp and rsqrt .approx.ftz.f64: they read and write the upper 32 bits of a double, 20 of them its fraction; the
// lower word of the result is zero.
double upperWord(double v) {
    constexpr std::uint64_t lower = 0xffffffffu;
    const auto bits = std::bit_cast<std::uint64_t>(v);
    if (v != v)
        return std::bit_cast<double>(0x7fffffff00000000u);
    return std::bit_cast<double>((bits + (lower >> 1) + 1) & ~lower); // to nearest; infinity has no lower word
}

// The form of these that kernels of neural networks use, of numbers that are nearly always there; vector code.
template <bool isMax>
void minMaxOrNaN(Exec& x, const Inst& in, std::uint32_t m) {
    const auto *a = rowAt<const std::uint32_t>(x, in.a), *b = rowAt<const std::uint32_t>(x, in.b);
    storeLanes(x, m, rowAt<std::uint32_t>(x, in.dst), [=](int i) {
        constexpr std::uint32_t sign = 0x80000000u, infinity = 0x7f800000u;
        // Bits that compare as whole numbers, -0 below +0.
        const auto key = [](std::uint32_t v) { return std::int32_t(v ^ ((0u - (v >> 31)) & ~sign)); };
        const std::uint32_t one = a[i], other = b[i],
                            nan = 0u - std::uint32_t(((one & ~sign) > infinity) | ((other & ~sign) > infinity));
        const std::uint32_t takes = 0u - std::uint32_t((key(one) < key(other)) != isMax);
        return (((one & takes) | (other & ~takes)) & ~nan) | (nan & 0x7fffffffu);
    });
}

// rcp.approx.ftz.f64, with which every division of doubles begins; vector code.
void reciprocals(Exec& x, const Inst& in, std::uint32_t m) {
    const auto* a = rowAt<const std::uint64_t>(x, in.a);
    storeLanes(x, m, rowAt<std::uint64_t>(x, in.dst), [=](int i) {
        constexpr std::uint64_t sign = std::uint64_t(1) << 63, infinity = 0x7ff0000000000000u, upper = ~0xffffffffull,
                                leastRegular = std::uint64_t(1) << 52;
        const auto only = [](bool is) { return std::uint64_t(0) - std::uint64_t(is); };
        const std::uint64_t given = a[i] & upper, flushed = given & (only((given & ~sign) >= leastRegular) | sign);
        const auto r = std::bit_cast<std::uint64_t>(1.0 / std::bit_cast<double>(flushed));
        const std::uint64_t rounded = ((r & (only((r & ~sign) >= leastRegular) | sign)) + 0x80000000u) & upper,
                            nan = only((r & ~sign) > infinity);
        return (rounded & ~nan) | (0x7fffffff00000000u & nan);
    });
}

bool floatOp(Exec& x, const Inst& in) {
    const FloatPart& part = in.real;
    if (part.op == FloatOp::Rcp && part.isDouble && part.ftz) {
        reciprocals(x, in, activeMask(x, in));
        return true;
    }
    if (part.nan && (part.op == FloatOp::Min || part.op == FloatOp::Max) && !part.isDouble && !part.ftz && !part.sat &&
        !part.absolute && !part.xorsign && !part.three) {
        const std::uint32_t m = activeMask(x, in);
        part.op == FloatOp::Max ? minMaxOrNaN<true>(x, in, m) : minMaxOrNaN<false>(x, in, m);
        return true;
    }
    const FloatOp op = part.op;
    const bool isDouble = part.isDouble, ftz = part.ftz, sat = part.sat;
    const bool isMinMax = op == FloatOp::Min || op == FloatOp::Max;
    eachLane(activeMask(x, in), [&](int lane) {
        if (isDouble) {
            const auto at = [&](Row row) {
                const auto bits = rowAt<const std::uint64_t>(x, row)[lane];
                return ftz ? flushed(std::bit_cast<double>(bits & ~0xffffffffull)) : std::bit_cast<double>(bits);
            };
            const double r = compute<double>(op, at(in.a), at(in.b));
            rowAt<double>(x, in.dst)[lane] = ftz ? upperWord(flushed(r)) : r;
            return;
        }
        const auto at = [&](Row row) {
            const float v = rowAt<const float>(x, row)[lane];
            return ftz ? flushed(v) : v;
        };
        float r = 0;
        if (isMinMax) {
            const auto pick = [&](float a, float b) { return minMax(part, a, b); };
            r = pick(at(in.a), at(in.b));
            if (part.three)
                r = pick(r, at(in.c));
        } else {
            r = compute<float>(op, at(in.a), at(in.b));
        }
        if (ftz)
            r = flushed(r);
        if (sat)
            r = r > 0 ? std::fmin(r, 1.0f) : 0.0f; // NaN gives 0
        if (r != r && op != FloatOp::Copysign)
            r = std::bit_cast<float>(0x7fffffffu);
        rowAt<float>(x, in.dst)[lane] = r;
    });
    return true;
}

template <class T, bool remainder>
bool divide(Exec& x, const Inst& in) {
    using Cell = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    using U = std::make_unsigned_t<T>;
    eachLane(activeMask(x, in), [&](int lane) {
        const T a = T(rowAt<const Cell>(x, in.a)[lane]), b = T(rowAt<const Cell>(x, in.b)[lane]);
        T r;
        if (b == 0) {
            if (!x.diagnostics->repeated(x, DiagnosticKind::DivisionByZero, in.index))
                x.diagnostics->add(x, DiagnosticKind::DivisionByZero, in.index, lane, 0, say::DividesByZero);
            r = T(~U(0));                               // of both, on an H200
        } else if (std::is_signed_v<T> && b == T(-1)) { // the lowest number has no negative
            r = remainder ? T(0) : T(U(0) - U(a));
        } else {
            r = remainder ? T(a % b) : T(a / b);
        }
        rowAt<Cell>(x, in.dst)[lane] = Cell(U(r));
    });
    return true;
}

} // namespace

Handler floatHandler() {
    return &floatOp;
}
Handler divideHandler(ptx::Type type, bool remainder) {
    using ptx::Type;
    switch (type) {
    case Type::U16:
        return remainder ? &divide<std::uint16_t, true> : &divide<std::uint16_t, false>;
    case Type::S16:
        return remainder ? &divide<std::int16_t, true> : &divide<std::int16_t, false>;
    case Type::U32:
        return remainder ? &divide<std::uint32_t, true> : &divide<std::uint32_t, false>;
    case Type::S32:
        return remainder ? &divide<std::int32_t, true> : &divide<std::int32_t, false>;
    case Type::U64:
        return remainder ? &divide<std::uint64_t, true> : &divide<std::uint64_t, false>;
    case Type::S64:
        return remainder ? &divide<std::int64_t, true> : &divide<std::int64_t, false>;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator
