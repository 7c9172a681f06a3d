// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/libraries/generators.h"

#include <array>
#include <bit>
#include <cmath>
#include <random>

namespace warpglass::virtual_device {

double Generator::unit() {
    return (double(next()) + 0.5) * 0x1p-32;
}

double Generator::fineUnit() {
    const std::uint64_t low = next(), high = next();
    return (double((high << 21) ^ (low >> 11)) + 0.5) * 0x1p-53;
}

void Generator::skip(std::uint64_t count) {
    for (; count > 0; --count)
        next();
}

namespace {

// Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014 (SplitMix64): words from a seed.
class Words {
public:
    explicit Words(std::uint64_t seed) : m_state(seed) {}
    std::uint32_t next() {
        std::uint64_t z = m_state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return std::uint32_t((z ^ (z >> 31)) >> 32);
    }

private:
    std::uint64_t m_state;
};

// Marsaglia: Xorshift RNGs, Journal of Statistical Software 8 (14), 2003, section 3.1: xorwow.
class Xorwow : public Generator {
public:
    explicit Xorwow(std::uint64_t seed) {
        Words words(seed);
        for (std::uint32_t& x : m_x)
            x ^= seed ? words.next() : 0;
        if (seed)
            m_x[0] |= 1; // never all zeros
    }
    std::uint32_t next() override {
        const std::uint32_t t = m_x[0] ^ (m_x[0] >> 2), v = m_x[4];
        m_x = {m_x[1], m_x[2], m_x[3], v, (v ^ (v << 4)) ^ (t ^ (t << 1))};
        return (m_d += 362437) + m_x[4];
    }

private:
    std::array<std::uint32_t, 5> m_x{123456789, 362436069, 521288629, 88675123, 5783321};
    std::uint32_t m_d = 6615241;
};

// L'Ecuyer: Good Parameters and Implementations for Combined Multiple Recursive Random Number Generators, Operations Research 47
// (1), 1999, figure I.
class Mrg32k3a : public Generator {
public:
    explicit Mrg32k3a(std::uint64_t seed) {
        Words words(seed);
        for (std::size_t k = 0; k < 6 && seed; ++k)
            (k < 3 ? m_one[k] : m_two[k - 3]) = 1 + words.next() % ((k < 3 ? m1 : m2) - 1);
    }
    std::uint32_t next() override { return std::uint32_t(unit() * 0x1p32); }
    double unit() override {
        const std::int64_t p = modulo(1403580 * m_one[1] - 810728 * m_one[0], m1);
        m_one = {m_one[1], m_one[2], p};
        const std::int64_t q = modulo(527612 * m_two[2] - 1370589 * m_two[0], m2);
        m_two = {m_two[1], m_two[2], q};
        return double(p > q ? p - q : p - q + m1) / double(m1 + 1);
    }
    double fineUnit() override { return unit(); } // as in the paper: 32 bits

private:
    static constexpr std::int64_t m1 = 4294967087, m2 = 4294944443;
    static std::int64_t modulo(std::int64_t v, std::int64_t m) { return v % m + (v % m < 0 ? m : 0); }
    std::array<std::int64_t, 3> m_one{12345, 12345, 12345}, m_two{12345, 12345, 12345};
};

// Matsumoto, Nishimura: Mersenne Twister, ACM TOMACS 8 (1), 1998, as the C++ standard has it.
class Mt19937 : public Generator {
public:
    explicit Mt19937(std::uint64_t seed) : m_engine(seed ? std::uint32_t(seed ^ (seed >> 32)) : 5489u) {}
    std::uint32_t next() override { return std::uint32_t(m_engine()); }
    void skip(std::uint64_t count) override { m_engine.discard(count); }

private:
    std::mt19937 m_engine;
};

// All sums, without carries, of four words.
constexpr std::array<std::uint32_t, 16> combined(std::array<std::uint32_t, 4> of) {
    std::array<std::uint32_t, 16> all{};
    for (std::uint32_t n = 0; n < 16; ++n)
        for (std::uint32_t bit = 0; bit < 4; ++bit)
            all[n] ^= n >> bit & 1 ? of[bit] : 0;
    return all;
}

// Saito, Matsumoto: Variants of Mersenne Twister Suitable for Graphic Processors, ACM TOMS 39 (2), 2013: MTGP32 of the period 2^11213 - 1,
// with the first of their sets of parameters (mtgp32dc, copyright (c) 2009, 2010 Mutsuo Saito, Makoto Matsumoto and Hiroshima University;
// BSD, three clauses). cuRAND runs two hundred of them side by side.
class Mtgp32 : public Generator {
public:
    explicit Mtgp32(std::uint64_t seed) {
        const std::uint32_t hidden = recursion[4] ^ (recursion[8] << 16);
        std::uint32_t fill = hidden + (hidden >> 16);
        fill += fill >> 8;
        m_state.fill((fill & 0xff) * 0x01010101u);
        m_state[0] = std::uint32_t(seed ^ (seed >> 32)), m_state[1] = hidden;
        for (std::uint32_t k = 1; k < size; ++k)
            m_state[k] ^= 1812433253u * (m_state[k - 1] ^ (m_state[k - 1] >> 30)) + k;
    }
    std::uint32_t next() override {
        const auto at = [&](std::uint32_t behind) { return m_state[(m_at + behind) % size]; };
        std::uint32_t x = (at(0) & 0xfff80000u) ^ at(1);
        x ^= x << 19;
        const std::uint32_t y = x ^ (at(middle) >> 5), made = y ^ recursion[y & 15];
        std::uint32_t t = at(middle - 1);
        t ^= t >> 16;
        t ^= t >> 8;
        m_state[m_at] = made;
        m_at = (m_at + 1) % size;
        return made ^ tempering[t & 15];
    }

private:
    static constexpr std::uint32_t size = 351, middle = 88;
    static constexpr std::array<std::uint32_t, 16> recursion =
                                                       combined({0xaba4d62c, 0xbb076f87, 0x22000000, 0x000095ba}),
                                                   tempering =
                                                       combined({0x06100000, 0x25d80000, 0x282c0000, 0x3302de00});
    std::array<std::uint32_t, size> m_state{};
    std::uint32_t m_at = 0;
};

// Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011: Philox4x32-10. The seed is the key.
class Philox4x32 : public Generator {
public:
    explicit Philox4x32(std::uint64_t seed) : m_seed(seed) {}
    std::uint32_t next() override {
        if (m_position % 4 == 0)
            m_block = block(m_position / 4);
        return m_block[m_position++ % 4];
    }
    void skip(std::uint64_t count) override {
        m_position += count;
        m_block = block(m_position / 4);
    }

private:
    std::array<std::uint32_t, 4> block(std::uint64_t counter) const {
        std::array<std::uint32_t, 4> x{std::uint32_t(counter), std::uint32_t(counter >> 32), 0, 0};
        auto k0 = std::uint32_t(m_seed), k1 = std::uint32_t(m_seed >> 32);
        for (int round = 0; round < 10; ++round, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {
            const std::uint64_t a = std::uint64_t(0xd2511f53u) * x[0], b = std::uint64_t(0xcd9e8d57u) * x[2];
            x = {std::uint32_t(b >> 32) ^ x[1] ^ k0, std::uint32_t(b), std::uint32_t(a >> 32) ^ x[3] ^ k1,
                 std::uint32_t(a)};
        }
        return x;
    }
    std::uint64_t m_seed, m_position = 0;
    std::array<std::uint32_t, 4> m_block{};
};

} // namespace

std::unique_ptr<Generator> makeGenerator(GeneratorKind kind, std::uint64_t seed) {
    switch (kind) {
    case GeneratorKind::Xorwow:
        return std::make_unique<Xorwow>(seed);
    case GeneratorKind::Mrg32k3a:
        return std::make_unique<Mrg32k3a>(seed);
    case GeneratorKind::Mtgp32:
        return std::make_unique<Mtgp32>(seed);
    case GeneratorKind::Mt19937:
        return std::make_unique<Mt19937>(seed);
    case GeneratorKind::Philox4x32:
        return std::make_unique<Philox4x32>(seed);
    default:
        return nullptr;
    }
}

} // namespace warpglass::virtual_device
