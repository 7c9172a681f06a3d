// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/twin_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpglass::emulator {

using ptx::Opcode;
using ptx::Type;

std::vector<std::uint64_t> TwinRoom::words() const {
    std::vector<std::uint64_t> all;
    for (const auto& [number, chunk] : m_chunks)
        for (std::size_t k = 0; k < perChunk; ++k)
            if (!(*chunk)[k].isEmpty())
                all.push_back(number * perChunk + k);
    std::sort(all.begin(), all.end());
    return all;
}

double twinResult(Opcode opcode, const std::array<double, 3>& of, std::size_t count) {
    switch (opcode) {
    case Opcode::Add:
        return of[0] + of[1];
    case Opcode::Sub:
        return of[0] - of[1];
    case Opcode::Mul:
        return of[0] * of[1];
    case Opcode::Mad:
    case Opcode::Fma:
        return std::fma(of[0], of[1], of[2]);
    case Opcode::Div:
        return of[0] / of[1];
    case Opcode::Rcp:
        return 1 / of[0];
    case Opcode::Sqrt:
        return std::sqrt(of[0]);
    case Opcode::Rsqrt:
        return 1 / std::sqrt(of[0]);
    case Opcode::Sin:
        return std::sin(of[0]);
    case Opcode::Cos:
        return std::cos(of[0]);
    case Opcode::Ex2:
        return std::exp2(of[0]);
    case Opcode::Lg2:
        return std::log2(of[0]);
    case Opcode::Tanh:
        return std::tanh(of[0]);
    case Opcode::Abs:
        return std::fabs(of[0]);
    case Opcode::Neg:
        return -of[0];
    case Opcode::Copysign:
        return std::copysign(of[1], of[0]);
    case Opcode::Min:
        return count == 3 ? std::fmin(std::fmin(of[0], of[1]), of[2]) : std::fmin(of[0], of[1]);
    case Opcode::Max:
        return count == 3 ? std::fmax(std::fmax(of[0], of[1]), of[2]) : std::fmax(of[0], of[1]);
    default: // a conversion
        return of[0];
    }
}

float twinScale(Opcode opcode, const std::array<TwinNumber, 3>& of, std::size_t count, double result) {
    const double a = of[0].scale, b = count > 1 ? of[1].scale : 0,
                 product = std::fmax(a * std::fabs(of[1].twin), b * std::fabs(of[0].twin));
    double scale = std::fabs(result);
    switch (opcode) {
    case Opcode::Add:
    case Opcode::Sub:
        scale = std::fmax(scale, std::fmax(a, b));
        break;
    case Opcode::Mul:
        scale = std::fmax(scale, product);
        break;
    case Opcode::Mad:
    case Opcode::Fma:
        scale = std::fmax(scale, std::fmax(product, double(of[2].scale)));
        break;
    case Opcode::Div:
        scale = std::fmax(scale, a / std::fabs(of[1].twin));
        break;
    case Opcode::Abs:
    case Opcode::Neg:
    case Opcode::Mov:
    case Opcode::Cvt:
        scale = std::fmax(scale, a);
        break;
    default:
        break;
    }
    return float(std::fmin(scale, double(std::numeric_limits<float>::max()))); // of NaN the other one
}

double twinError(double real, double twin) {
    if (real == twin || (std::isnan(real) && std::isnan(twin)))
        return 0;
    if (!std::isfinite(real) || !std::isfinite(twin))
        return std::numeric_limits<double>::infinity();
    return std::fabs(real - twin);
}
double twinRelative(double real, double twin) {
    const double error = twinError(real, twin);
    return error == 0 ? 0 : std::isfinite(error) ? error / std::fabs(twin) : error;
}

std::uint8_t twinDigits(Type type) {
    switch (type) {
    case Type::F32:
    case Type::F32x2:
        return 24;
    case Type::F16:
    case Type::F16x2:
    case Type::TF32:
        return 11;
    case Type::BF16:
    case Type::BF16x2:
        return 8;
    default:
        return TwinNumber::exactDigits;
    }
}

bool isRoundingError(double real, const TwinNumber& n) {
    // In double a few roundings of what was added up; in the kernel's type no more than a few of its own.
    return std::fabs(n.twin) <= std::ldexp(16.0, -53) * double(n.scale) &&
           std::fabs(real) <= std::ldexp(4.0, -int(n.digits)) * double(n.scale);
}

double wholeOf(double v, ptx::Rounding rounding) {
    switch (rounding) {
    case ptx::Rounding::Zero:
        return std::trunc(v);
    case ptx::Rounding::Down:
        return std::floor(v);
    case ptx::Rounding::Up:
        return std::ceil(v);
    default:
        return std::nearbyint(v);
    }
}

bool compares(ptx::Compare compare, double a, double b) {
    using ptx::Compare;
    const bool ordered = !std::isnan(a) && !std::isnan(b);
    switch (compare) {
    case Compare::Eq:
        return ordered && a == b;
    case Compare::Ne:
        return ordered && a != b;
    case Compare::Lt:
    case Compare::Lo:
        return ordered && a < b;
    case Compare::Le:
    case Compare::Ls:
        return ordered && a <= b;
    case Compare::Gt:
    case Compare::Hi:
        return ordered && a > b;
    case Compare::Ge:
    case Compare::Hs:
        return ordered && a >= b;
    case Compare::Equ:
        return !ordered || a == b;
    case Compare::Neu:
        return !ordered || a != b;
    case Compare::Ltu:
        return !ordered || a < b;
    case Compare::Leu:
        return !ordered || a <= b;
    case Compare::Gtu:
        return !ordered || a > b;
    case Compare::Geu:
        return !ordered || a >= b;
    case Compare::Num:
        return ordered;
    case Compare::Nan:
        return !ordered;
    }
    return false;
}

} // namespace warpglass::emulator
