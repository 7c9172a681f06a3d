// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/products.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

// Eight columns. GCC and Clang make of it what the processor has.
using Floats = float __attribute__((vector_size(32)));
using Ints = std::int32_t __attribute__((vector_size(32)));
using FourInts = std::int32_t __attribute__((vector_size(16)));
using Doubles = double __attribute__((vector_size(32)));
using Longs = std::int64_t __attribute__((vector_size(32)));

constexpr std::int32_t none = -1000; // exponent of zero
// Exponents between which products are normal floats and their scale is one, too.
constexpr std::int32_t leastFast = -50, mostFast = 60;

// The exponent of v in a format whose smallest normal number has the exponent `least`.
std::int32_t exponentOf(float v, std::int32_t least) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    if ((bits & 0x7fffffffu) == 0)
        return none;
    return std::max(std::int32_t(bits >> 23 & 0xff) - 127, least);
}

// True if one lies outside what the fast way can do.
bool exponents(const float* from, std::uint32_t count, std::int32_t least, std::int32_t* to) {
    std::int32_t outside = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t bits;
        std::memcpy(&bits, from + i, 4);
        const std::int32_t e = std::max(std::int32_t(bits >> 23 & 0xff) - 127, least);
        const bool zero = (bits & 0x7fffffffu) == 0;
        to[i] = zero ? none : e;
        outside |= std::int32_t(!zero) & std::int32_t((e < leastFast) | (e > mostFast));
    }
    return outside != 0;
}

// One sum, for operands of any size, infinities and NaN among them.
double one(const FloatProduct& p, const float* a, const float* b, float c) {
    double plain = c;
    std::int32_t most = exponentOf(c, p.leastC);
    for (std::uint32_t k = 0; k < p.k; ++k) {
        plain += double(a[k]) * double(b[k * p.n]);
        const std::int32_t ea = exponentOf(a[k], p.leastA), eb = exponentOf(b[k * p.n], p.leastB);
        if (ea != none && eb != none)
            most = std::max(most, ea + eb);
    }
    if (!std::isfinite(plain) || most == none)
        return plain;
    const int shift = p.fraction - most;
    auto sum = std::int64_t(std::ldexp(double(c), shift)); // towards zero
    for (std::uint32_t k = 0; k < p.k; ++k)
        sum += std::int64_t(std::ldexp(double(a[k]) * double(b[k * p.n]), shift));
    return std::ldexp(double(sum), -shift);
}

void slowly(const FloatProduct& p) {
    for (std::uint32_t m = 0; m < p.m; ++m)
        for (std::uint32_t n = 0; n < p.n; ++n)
            p.d[m * p.n + n] = one(p, p.a + m * p.strideA, p.b + n, p.c[m * p.n + n]);
}

void floats(const FloatProduct& p) {
    alignas(32) std::int32_t ea[64 * 64], eb[64 * 256];
    bool odd = false;
    for (std::uint32_t m = 0; m < p.m; ++m)
        odd |= exponents(p.a + m * p.strideA, p.k, p.leastA, ea + m * p.k);
    odd |= exponents(p.b, p.k * p.n, p.leastB, eb);
    for (std::uint32_t i = 0; i < p.m * p.n; ++i)
        odd |= (std::bit_cast<std::uint32_t>(p.c[i]) & 0x7f800000u) == 0x7f800000u;
    if (odd)
        return slowly(p);

    const std::uint32_t half = p.k / 2;
    for (std::uint32_t m = 0; m < p.m; ++m) {
        const float* a = p.a + m * p.strideA;
        for (std::uint32_t n = 0; n < p.n; n += 8) {
            Floats c;
            std::memcpy(&c, p.c + m * p.n + n, 32);
            Ints largest = Ints{} + none;
            for (std::uint32_t k = 0; k < p.k; ++k) {
                Ints e;
                std::memcpy(&e, eb + k * p.n + n, 32);
                e += ea[m * p.k + k];
                largest = e > largest ? e : largest;
            }
            const Ints empty = largest < -500; // no product but zeros: the accumulator stays as it is
            Ints cBits;
            std::memcpy(&cBits, &c, 32);
            Ints ec = (cBits >> 23 & 0xff) - 127;
            ec = ec > p.leastC ? ec : Ints{} + p.leastC;
            ec = (cBits & 0x7fffffff) == 0 ? Ints{} + none : ec;
            largest = ec > largest ? ec : largest;
            largest = largest > -100 ? largest : Ints{} - 100;
            const Ints scaleBits = (p.fraction - largest + 127) << 23;
            Floats scale;
            std::memcpy(&scale, &scaleBits, 32);
            // 16 terms of less than 4 * 2^25 and an accumulator could just exceed 31 bits: two sums.
            Ints first = __builtin_convertvector(c * scale, Ints), second = {};
            for (std::uint32_t k = 0; k < half; ++k) {
                Floats b0, b1;
                std::memcpy(&b0, p.b + k * p.n + n, 32);
                std::memcpy(&b1, p.b + (k + half) * p.n + n, 32);
                first += __builtin_convertvector(a[k] * b0 * scale, Ints);
                second += __builtin_convertvector(a[k + half] * b1 * scale, Ints);
            }
            for (int part = 0; part < 2; ++part) {
                FourInts f, s, l, em;
                Floats unused = c;
                std::memcpy(&f, reinterpret_cast<const char*>(&first) + 16 * part, 16);
                std::memcpy(&s, reinterpret_cast<const char*>(&second) + 16 * part, 16);
                std::memcpy(&l, reinterpret_cast<const char*>(&largest) + 16 * part, 16);
                std::memcpy(&em, reinterpret_cast<const char*>(&empty) + 16 * part, 16);
                using FourFloats = float __attribute__((vector_size(16)));
                FourFloats cc;
                std::memcpy(&cc, reinterpret_cast<const char*>(&unused) + 16 * part, 16);
                const Doubles sum = __builtin_convertvector(f, Doubles) + __builtin_convertvector(s, Doubles);
                const Longs weightBits = (__builtin_convertvector(l, Longs) - p.fraction + 1023) << 52;
                Doubles weight;
                std::memcpy(&weight, &weightBits, 32);
                const Longs keep = __builtin_convertvector(em, Longs);
                const Doubles result = keep ? __builtin_convertvector(cc, Doubles) : sum * weight;
                std::memcpy(p.d + m * p.n + n + 4 * std::uint32_t(part), &result, 32);
            }
        }
    }
}

void wholes(const WholeProduct& p) {
    for (std::uint32_t m = 0; m < p.m; ++m)
        for (std::uint32_t n = 0; n < p.n; n += 8) {
            Ints sum = {};
            for (std::uint32_t k = 0; k < p.k; ++k) {
                Ints b;
                std::memcpy(&b, p.b + k * p.n + n, 32);
                sum += p.a[m * p.k + k] * b;
            }
            const std::int32_t* c = p.c + m * p.n + n;
            std::int32_t* d = p.d + m * p.n + n;
            for (int j = 0; j < 8; ++j) {
                const std::int64_t exact = std::int64_t(sum[j]) + c[j];
                const std::int64_t held = std::clamp<std::int64_t>(exact, std::numeric_limits<std::int32_t>::min(),
                                                                   std::numeric_limits<std::int32_t>::max());
                d[j] = std::int32_t(p.saturates ? held : exact);
            }
        }
}

void doubles(const DoubleProduct& p) {
    for (std::uint32_t m = 0; m < p.m; ++m)
        for (std::uint32_t n = 0; n < p.n; ++n) {
            double sum = p.c[m * p.n + n];
            for (std::uint32_t k = 0; k < p.k; ++k)
                sum = std::fma(p.a[m * p.k + k], p.b[k * p.n + n], sum);
            p.d[m * p.n + n] = sum;
        }
}

void cut(const double* from, std::uint32_t count, std::uint32_t bits, float* to) {
    const std::uint64_t mask = ~std::uint64_t(0) << (52 - bits);
    std::uint32_t odd = 0; // NaN, and what is no normal float
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint64_t u;
        std::memcpy(&u, from + i, 8);
        const std::uint64_t kept = u & mask;
        double v;
        std::memcpy(&v, &kept, 8);
        to[i] = float(v);
        const double size = std::fabs(from[i]);
        odd |= std::uint32_t(!(size >= 0x1p-126) & (size != 0));
    }
    if (!odd)
        return;
    for (std::uint32_t i = 0; i < count; ++i)
        if (from[i] != from[i])
            to[i] = std::bit_cast<float>(0x7fffffffu);
        else if (std::fabs(from[i]) < 0x1p-126)
            to[i] = float(std::ldexp(std::trunc(std::ldexp(from[i], 126 + int(bits))), -126 - int(bits)));
}

void widenHalves(const std::uint16_t* from, std::uint32_t count, float* to) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t h = from[i], magnitude = (h & 0x7fffu) << 13;
        float v;
        std::memcpy(&v, &magnitude, 4);
        v *= 0x1p112f; // moves the exponent, and makes subnormal numbers normal
        std::uint32_t bits;
        std::memcpy(&bits, &v, 4);
        bits |= (h & 0x8000u) << 16 | ((h & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u);
        std::memcpy(to + i, &bits, 4);
    }
}

} // namespace

const Products matrixProducts = {&floats, &wholes, &doubles, &cut, &widenHalves};

} // namespace warpglass::emulator::WARPGLASS_ALU
