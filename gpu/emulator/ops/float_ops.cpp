// SPDX-License-Identifier: GPL-3.0-or-later
// Division, special functions, rounding modes and conversions, lane by lane. The approximations of the hardware
// (.approx) are answered with the correctly rounded value, or the host library's: within their documented error.
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/emulator/run/diagnostics.h"

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
T compute(FloatOp op, Round round, T a, T b, T c) {
    const bool exact = round == Round::Nearest;
    const auto other = [&] {
        if constexpr (sizeof(T) == 4)
            return roundedFloat(op, round, a, b, c);
        else
            return roundedDouble(op, round, a, b, c);
    };
    switch (op) {
    case FloatOp::Add:
        return exact ? a + b : other();
    case FloatOp::Sub:
        return exact ? a - b : other();
    case FloatOp::Mul:
        return exact ? a * b : other();
    case FloatOp::Div:
        return exact ? a / b : other();
    case FloatOp::Fma:
        return exact ? std::fma(a, b, c) : other();
    case FloatOp::Rcp:
        return exact ? T(1) / a : other();
    case FloatOp::Sqrt:
        return exact ? std::sqrt(a) : other();
    case FloatOp::Rsqrt:
        return T(1.0 / std::sqrt(double(a)));
    case FloatOp::Sin:
        return std::sin(a);
    case FloatOp::Cos:
        return std::cos(a);
    case FloatOp::Ex2:
        return std::exp2(a);
    case FloatOp::Lg2:
        return std::log2(a);
    case FloatOp::Tanh:
        return std::tanh(a);
    case FloatOp::Copysign:
        return std::copysign(b, a); // PTX: the sign of a, the value of b
    case FloatOp::Min:
    case FloatOp::Max: // minMax()
        break;
    }
    return a;
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

bool floatOp(Exec& x, const Inst& in) {
    const FloatPart& part = in.real;
    const FloatOp op = part.op;
    const Round round = part.round;
    const bool isDouble = part.isDouble, ftz = part.ftz, sat = part.sat;
    const bool isMinMax = op == FloatOp::Min || op == FloatOp::Max;
    eachLane(activeMask(x, in), [&](int lane) {
        if (isDouble) {
            const auto at = [&](std::uint32_t row) {
                const auto bits = rowAt<const std::uint64_t>(x, row)[lane];
                return ftz ? flushed(std::bit_cast<double>(bits & ~0xffffffffull)) : std::bit_cast<double>(bits);
            };
            const double r = compute<double>(op, round, at(in.a), at(in.b), at(in.c));
            rowAt<double>(x, in.dst)[lane] = ftz ? upperWord(flushed(r)) : r;
            return;
        }
        const auto at = [&](std::uint32_t row) {
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
            r = compute<float>(op, round, at(in.a), at(in.b), at(in.c));
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
    using Row = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    using U = std::make_unsigned_t<T>;
    eachLane(activeMask(x, in), [&](int lane) {
        const T a = T(rowAt<const Row>(x, in.a)[lane]), b = T(rowAt<const Row>(x, in.b)[lane]);
        T r;
        if (b == 0) {
            if (!x.diagnostics->repeated(x, DiagnosticKind::DivisionByZero, in.index))
                x.diagnostics->add(
                    x, DiagnosticKind::DivisionByZero, in.index, lane, 0,
                    "A thread divides an integer by zero; a GPU does not stop for that, the result is of no use");
            r = remainder ? a : T(~U(0));
        } else if (std::is_signed_v<T> && b == T(-1)) { // the lowest number has no negative
            r = remainder ? T(0) : T(U(0) - U(a));
        } else {
            r = remainder ? T(a % b) : T(a / b);
        }
        rowAt<Row>(x, in.dst)[lane] = Row(U(r));
    });
    return true;
}

double readAny(Exec& x, std::uint32_t row, ptx::Type type, bool wide, int lane, std::int64_t& integer,
               bool& isUnsigned) {
    using ptx::Type;
    const std::uint64_t raw =
        wide ? rowAt<const std::uint64_t>(x, row)[lane] : rowAt<const std::uint32_t>(x, row)[lane];
    isUnsigned = false;
    switch (type) {
    case Type::F32:
        return double(std::bit_cast<float>(std::uint32_t(raw)));
    case Type::F64:
        return std::bit_cast<double>(raw);
    case Type::F16:
        return double(halfToFloat(std::uint16_t(raw)));
    case Type::BF16:
        return double(std::bit_cast<float>(std::uint32_t(raw) << 16));
    case Type::S8:
        integer = std::int8_t(raw);
        break;
    case Type::S16:
        integer = std::int16_t(raw);
        break;
    case Type::S32:
        integer = std::int32_t(raw);
        break;
    case Type::S64:
        integer = std::int64_t(raw);
        break;
    case Type::U8:
    case Type::B8:
        integer = std::uint8_t(raw);
        isUnsigned = true;
        break;
    case Type::U16:
    case Type::B16:
        integer = std::uint16_t(raw);
        isUnsigned = true;
        break;
    case Type::U32:
    case Type::B32:
        integer = std::uint32_t(raw);
        isUnsigned = true;
        break;
    default:
        integer = std::int64_t(raw);
        isUnsigned = true;
        break;
    }
    return 0;
}

// PTX ISA, cvt: a whole number out of range clamps; NaN is 0, but the highest bit alone if the source or the result has
// 64 bits. What is signed comes extended to 64 bits.
std::uint64_t toInteger(double v, ptx::Type to, bool fromDouble) {
    const int bits = 8 * bytesOf(to);
    const std::uint64_t top = std::uint64_t(1) << (bits - 1);
    if (v != v)
        return bits == 64 || fromDouble ? top : 0;
    if (ptx::isSigned(to)) {
        const double limit = double(top); // a power of two
        return v <= -limit ? ~top + 1 : v >= limit ? top - 1 : std::uint64_t(std::int64_t(v));
    }
    return v <= 0 ? 0 : v >= 2 * double(top) ? top | (top - 1) : std::uint64_t(v);
}

bool isFloatType(ptx::Type t) {
    return t == ptx::Type::F32 || t == ptx::Type::F64 || t == ptx::Type::F16 || t == ptx::Type::BF16;
}

// To 16 bits; .relu makes what is negative 0, .satfinite what is infinite the largest number.
std::uint16_t narrowed(double v, bool bf, const ConvertPart& part) {
    if (part.relu && (v < 0 || v == 0))
        v = 0;
    const float odd = oddFloat(v);
    const std::uint16_t r = bf ? floatToBf16(odd, part.round) : floatToHalf(odd, part.round);
    const std::uint16_t most = bf ? 0x7f7f : 0x7bff;
    return part.satfinite && (r & 0x7fff) == most + 1 ? std::uint16_t((r & 0x8000) | most) : r;
}

// cvt.f16x2.f32 d, a, b: a becomes the upper half, b the lower one.
bool convertPair(Exec& x, const Inst& in) {
    const ConvertPart& part = in.convert;
    const bool bf = part.to == ptx::Type::BF16x2;
    eachLane(activeMask(x, in), [&](int lane) {
        const std::uint32_t high = narrowed(double(rowAt<const float>(x, in.a)[lane]), bf, part),
                            low = narrowed(double(rowAt<const float>(x, in.b)[lane]), bf, part);
        rowAt<std::uint32_t>(x, in.dst)[lane] = high << 16 | low;
    });
    return true;
}

bool convert(Exec& x, const Inst& in) {
    using ptx::Type;
    const ConvertPart& part = in.convert;
    const Type to = part.to, from = part.from;
    const Round round = part.round;
    const bool toIntegral = part.toIntegral, ftz = part.ftz, sat = part.sat, srcWide = part.srcWide,
               dstWide = part.dstWide, dstIs32 = part.dstIs32;
    eachLane(activeMask(x, in), [&](int lane) {
        std::int64_t integer = 0;
        bool isUnsigned = false;
        double v = readAny(x, in.a, from, srcWide, lane, integer, isUnsigned);
        std::uint64_t out = 0;
        if (!isFloatType(from)) // integer to float
            v = fromInteger(integer, isUnsigned, round, to == Type::F32);
        else if (ftz && from == Type::F32)
            v = double(flushed(float(v)));
        if (isFloatType(to)) {
            if (toIntegral)
                v = integral(v, round);
            if (sat)
                v = v > 0 ? std::fmin(v, 1.0) : 0.0;
            if (to == Type::F64)
                out = std::bit_cast<std::uint64_t>(v);
            else if (to == Type::F32) {
                float f = round == Round::Nearest || toIntegral ? float(v) : narrow(v, round);
                if (ftz)
                    f = flushed(f);
                out = v != v ? 0x7fffffffu : std::bit_cast<std::uint32_t>(f);
            } else
                out = narrowed(v, to == Type::BF16, part);
        } else {
            v = integral(v, round);
            out = toInteger(v, to, from == Type::F64);
            if (!dstWide && !dstIs32 && bytesOf(to) == 2)
                out &= 0xffff;
        }
        if (dstWide)
            rowAt<std::uint64_t>(x, in.dst)[lane] = out;
        else
            rowAt<std::uint32_t>(x, in.dst)[lane] = std::uint32_t(out);
    });
    return true;
}

} // namespace

Handler floatHandler() {
    return &floatOp;
}
Handler convertHandler() {
    return &convert;
}

Handler convertPairHandler() {
    return &convertPair;
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
