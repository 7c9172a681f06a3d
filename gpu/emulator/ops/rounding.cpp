// SPDX-License-Identifier: GPL-3.0-or-later
// Rounding modes other than to nearest. The host's rounding mode is switched for one operation; this file alone is
// compiled for that (-frounding-math), and volatile keeps the operation between the two switches.
#include "gpu/emulator/ops/scalar_ops.h"

#include <cfenv>
#include <cmath>

namespace warpglass::emulator {

namespace {
int hostMode(Round r) {
    switch (r) {
    case Round::Nearest:
        return FE_TONEAREST;
    case Round::Zero:
        return FE_TOWARDZERO;
    case Round::Down:
        return FE_DOWNWARD;
    case Round::Up:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

template <class T>
T rounded(FloatOp op, Round round, T a, T b, T c) {
    volatile T va = a, vb = b, vc = c, r = 0;
    std::fesetround(hostMode(round));
    switch (op) {
    case FloatOp::Add:
        r = va + vb;
        break;
    case FloatOp::Sub:
        r = va - vb;
        break;
    case FloatOp::Mul:
        r = va * vb;
        break;
    case FloatOp::Div:
        r = va / vb;
        break;
    case FloatOp::Fma:
        r = std::fma(T(va), T(vb), T(vc));
        break;
    case FloatOp::Rcp:
        r = T(1) / va;
        break;
    case FloatOp::Sqrt:
        r = std::sqrt(T(va));
        break;
    default:
        break;
    }
    std::fesetround(FE_TONEAREST);
    return r;
}
} // namespace

float roundedFloat(FloatOp op, Round round, float a, float b, float c) {
    return rounded(op, round, a, b, c);
}
double roundedDouble(FloatOp op, Round round, double a, double b, double c) {
    return rounded(op, round, a, b, c);
}

float narrow(double v, Round round) {
    volatile double in = v;
    std::fesetround(hostMode(round));
    volatile float out = float(in);
    std::fesetround(FE_TONEAREST);
    return out;
}

double integral(double v, Round round) {
    switch (round) {
    case Round::Nearest:
        return std::nearbyint(v);
    case Round::Zero:
        return std::trunc(v);
    case Round::Down:
        return std::floor(v);
    case Round::Up:
        return std::ceil(v);
    default:
        return v;
    }
}

double fromInteger(std::int64_t v, bool isUnsigned, Round round, bool toFloat) {
    volatile std::int64_t s = v;
    volatile std::uint64_t u = std::uint64_t(v);
    std::fesetround(hostMode(round));
    volatile double d = 0;
    if (toFloat) {
        volatile float f = isUnsigned ? float(u) : float(s);
        d = f;
    } else {
        d = isUnsigned ? double(u) : double(s);
    }
    std::fesetround(FE_TONEAREST);
    return d;
}

} // namespace warpglass::emulator
