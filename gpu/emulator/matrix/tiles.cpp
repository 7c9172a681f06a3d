// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/matrix/tiles.h"

#include <algorithm>
#include <cmath>

namespace warpglass::emulator {

using ptx::Type;

namespace {

// The 256 values of a format of eight bits. e4m3 has no infinity and one NaN of each sign (PTX ISA, "Alternate
// Floating-Point Data Formats").
std::array<float, 256> valuesOf(std::uint32_t fractionBits, std::int32_t bias, bool hasInfinity) {
    std::array<float, 256> values{};
    const std::uint32_t exponentBits = 7 - fractionBits, mostExponent = (1u << exponentBits) - 1;
    for (std::uint32_t u = 0; u < 256; ++u) {
        const std::uint32_t fraction = u & ((1u << fractionBits) - 1), exponent = u >> fractionBits & mostExponent;
        float v = 0;
        if (hasInfinity && exponent == mostExponent)
            v = fraction ? std::nanf("") : HUGE_VALF;
        else if (!hasInfinity && (u & 0x7f) == 0x7f)
            v = std::nanf("");
        else if (exponent == 0)
            v = std::ldexp(float(fraction), 1 - bias - int(fractionBits));
        else
            v = std::ldexp(float(fraction + (1u << fractionBits)), int(exponent) - bias - int(fractionBits));
        values[u] = u & 0x80 ? -v : v;
    }
    return values;
}
const std::array<float, 256>& e4m3() {
    static const auto values = valuesOf(3, 7, false);
    return values;
}
const std::array<float, 256>& e5m2() {
    static const auto values = valuesOf(2, 15, true);
    return values;
}

// The values of a format without infinity and NaN: the sign above exponent and fraction, nothing above the sign counts.
template <std::size_t count>
std::array<float, count> finiteValues(std::uint32_t exponentBits, std::uint32_t fractionBits) {
    std::array<float, count> values{};
    const std::int32_t bias = (1 << (exponentBits - 1)) - 1;
    for (std::uint32_t u = 0; u < count; ++u) {
        const std::uint32_t fraction = u & ((1u << fractionBits) - 1),
                            exponent = u >> fractionBits & ((1u << exponentBits) - 1),
                            leading = exponent ? 1u << fractionBits : 0;
        const float v = std::ldexp(float(fraction + leading), int(std::max(exponent, 1u)) - bias - int(fractionBits));
        values[u] = u >> (fractionBits + exponentBits) & 1 ? -v : v;
    }
    return values;
}
const std::array<float, 64>& e2m3() {
    static const auto values = finiteValues<64>(2, 3);
    return values;
}
const std::array<float, 64>& e3m2() {
    static const auto values = finiteValues<64>(3, 2);
    return values;
}
const std::array<float, 16>& e2m1() {
    static const auto values = finiteValues<16>(2, 1);
    return values;
}

template <class Part, class T>
void copyEach(const void* from, std::uint32_t count, T* to) {
    for (std::uint32_t i = 0; i < count; ++i) {
        Part v;
        std::memcpy(&v, static_cast<const std::byte*>(from) + i * sizeof v, sizeof v);
        to[i] = T(v);
    }
}

} // namespace

void elementsOf(Type type, const void* from, std::uint32_t count, float* to) {
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    switch (type) {
    case Type::F16:
        products().widenHalves(static_cast<const std::uint16_t*>(from), count, to);
        break;
    case Type::BF16:
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint16_t v;
            std::memcpy(&v, bytes + 2 * i, 2);
            to[i] = std::bit_cast<float>(std::uint32_t(v) << 16);
        }
        break;
    case Type::TF32: // the lower 13 bits are not looked at
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint32_t v;
            std::memcpy(&v, bytes + 4 * i, 4);
            to[i] = std::bit_cast<float>(v & 0xffffe000u);
        }
        break;
    case Type::E4M3:
        for (std::uint32_t i = 0; i < count; ++i)
            to[i] = e4m3()[bytes[i]];
        break;
    case Type::E5M2:
        for (std::uint32_t i = 0; i < count; ++i)
            to[i] = e5m2()[bytes[i]];
        break;
    case Type::E2M3:
        for (std::uint32_t i = 0; i < count; ++i)
            to[i] = e2m3()[bytes[i] & 63];
        break;
    case Type::E3M2:
        for (std::uint32_t i = 0; i < count; ++i)
            to[i] = e3m2()[bytes[i] & 63];
        break;
    case Type::E2M1:
        for (std::uint32_t i = 0; i < count; ++i)
            to[i] = e2m1()[bytes[i / 2] >> (i % 2 * 4) & 15];
        break;
    default: // f32
        std::memcpy(to, from, 4 * count);
        break;
    }
}

void elementsOf(Type type, const void* from, std::uint32_t count, std::int32_t* to) {
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    switch (type) {
    case Type::U8:
        copyEach<std::uint8_t>(from, count, to);
        break;
    case Type::S8:
        copyEach<std::int8_t>(from, count, to);
        break;
    case Type::U4:
        for (std::uint32_t i = 0; i < count; ++i)
            to[i] = bytes[i / 2] >> (i % 2 * 4) & 15;
        break;
    case Type::S4:
        for (std::uint32_t i = 0; i < count; ++i)
            to[i] = ((bytes[i / 2] >> (i % 2 * 4) & 15) ^ 8) - 8;
        break;
    default:
        copyEach<std::int32_t>(from, count, to);
        break;
    }
}

void elementsOf(Type, const void* from, std::uint32_t count, double* to) {
    std::memcpy(to, from, 8 * count);
}

double scaleOf(Type type, std::uint8_t bits) {
    if (type == Type::UE4M3)
        return double(e4m3()[bits & 0x7f]);
    return bits == 255 ? std::nan("") : std::ldexp(1.0, int(bits) - 127);
}

std::int32_t leastExponent(Type type) {
    const bool small = type == Type::E2M3 || type == Type::E3M2;
    return type == Type::F16 || type == Type::E4M3 || type == Type::E5M2 || small ? -14 : -126;
}

void gatherHalves(Exec& x, std::uint32_t m, std::uint32_t n, const std::vector<Row>& c, float* to) {
    float tile[64];
    const std::uint32_t halves = m == 8 ? 1 : 2, across = n / 8;
    for (std::uint32_t r = 0; r < c.size(); ++r) {
        products().widenHalves(rowAt<const std::uint16_t>(x, c[r]), 64, tile);
        float* at = to + (r / halves / across * 16 + r % halves * 8) * n + r / halves % across * 8;
        for (std::uint32_t g = 0; g < 8; ++g)
            std::copy_n(tile + 8 * g, 8, at + g * n);
    }
}

void scatterHalves(Exec& x, std::uint32_t m, std::uint32_t n, const float* from, const std::vector<Row>& d) {
    const std::uint32_t halves = m == 8 ? 1 : 2, across = n / 8;
    for (std::uint32_t r = 0; r < d.size(); ++r) {
        const float* at = from + (r / halves / across * 16 + r % halves * 8) * n + r / halves % across * 8;
        products().narrowTile(at, n, rowAt<std::uint16_t>(x, d[r]));
    }
}

void gatherSums(Exec& x, Type type, std::uint32_t m, std::uint32_t n, const std::vector<Row>& c, float* to) {
    type == Type::F16 ? gatherHalves(x, m, n, c, to) : gatherC(x, m, n, c, to);
}
void scatterSums(Exec& x, Type type, std::uint32_t m, std::uint32_t n, const float* from, const std::vector<Row>& d) {
    type == Type::F16 ? scatterHalves(x, m, n, from, d) : scatterD(x, m, n, from, d);
}

float* multiplyFloats(const FloatTiles& t, const float* a, const float* b, float* c, float* d) {
    FloatProduct p;
    p.m = t.m;
    p.n = t.n;
    p.k = t.step;
    p.strideA = t.k;
    p.fraction = t.fraction;
    p.cutBits = t.cutBits;
    p.toHalves = t.d == Type::F16;
    const auto least = [&](Type type) { return type == Type::E4M3 ? t.leastE4m3 : leastExponent(type); };
    p.leastA = least(t.a);
    p.leastB = least(t.b);
    p.leastC = leastExponent(t.c);
    for (std::uint32_t k = 0; k < t.k; k += t.step) {
        p.a = a + k;
        p.b = b + k * t.n;
        p.c = c;
        p.d = d;
        products().floats(p);
        p.leastC = leastExponent(t.d);
        std::swap(c, d);
    }
    return c;
}

} // namespace warpglass::emulator
