// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/libraries/quasirandom.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <mutex>
#include <numbers>

namespace warpglass::virtual_device {

namespace {

// Initial direction numbers of dimensions 2 to 53: Joe, Kuo: Constructing Sobol Sequences with Better Two-Dimensional Projections, SIAM
// J. Sci. Comput. 30 (5), 2008 (new-joe-kuo-6). Copyright (c) 2008, Frances Y. Kuo and Stephen Joe; their licence (BSD, three clauses)
// lets them be given on. There are as many of a dimension as its polynomial has degree.
constexpr std::array<std::uint8_t, 337> joeAndKuo = {
    1,                                                                                                 // degree 1
    1, 3,                                                                                              // 2
    1, 3, 1, 1,  1,  1,                                                                                // 3
    1, 1, 3, 3,  1,  3,  5,   13,                                                                      // 4
    1, 1, 5, 5,  17, 1,  1,   5,   5, 5,  1,  1,  7,  11,  19,                                         // 5
    1, 1, 5, 1,  1,  1,  1,   1,   3, 11, 1,  3,  5,  5,   31,                                         //
    1, 3, 3, 9,  7,  49, 1,   1,   1, 15, 21, 21, 1,  3,   1,   13,  27, 49,                           // 6
    1, 1, 1, 15, 7,  5,  1,   3,   1, 15, 13, 25, 1,  1,   5,   5,   19, 61,                           //
    1, 3, 7, 11, 23, 15, 103, 1,   3, 7,  13, 13, 15, 69,  1,   1,   3,  13, 7,  35, 63,               // 7
    1, 3, 5, 9,  1,  25, 53,  1,   3, 1,  13, 9,  35, 107, 1,   3,   1,  5,  27, 61, 31,               //
    1, 1, 5, 11, 19, 41, 61,  1,   3, 5,  3,  3,  13, 69,  1,   1,   7,  13, 1,  19, 1,                //
    1, 3, 7, 5,  13, 19, 59,  1,   1, 3,  9,  25, 29, 41,  1,   3,   5,  13, 23, 1,  55,               //
    1, 3, 7, 3,  13, 59, 17,  1,   3, 1,  3,  5,  53, 69,  1,   1,   5,  5,  23, 33, 13,               //
    1, 1, 7, 7,  1,  61, 123, 1,   1, 7,  9,  13, 61, 49,  1,   3,   3,  5,  3,  55, 33,               //
    1, 3, 1, 15, 31, 13, 49,  245, 1, 3,  5,  15, 31, 59,  63,  97,  1,  3,  1,  11, 11, 11, 77,  249, // 8
    1, 3, 1, 11, 27, 43, 71,  9,   1, 1,  7,  15, 21, 11,  81,  45,  1,  3,  7,  3,  25, 31, 65,  79,  //
    1, 3, 1, 1,  19, 11, 3,   205, 1, 1,  5,  9,  19, 21,  29,  157, 1,  3,  7,  11, 1,  33, 89,  185, //
    1, 3, 3, 3,  15, 9,  79,  71,  1, 3,  7,  11, 15, 39,  119, 27,  1,  1,  3,  1,  11, 31, 97,  225, //
    1, 1, 1, 3,  23, 43, 57,  177, 1, 3,  7,  7,  17, 17,  37,  71,  1,  3,  1,  5,  27, 63, 123, 213, //
    1, 1, 3, 5,  11, 43, 53,  133};

using Polynomial = std::uint32_t; // over GF(2), bit n: of x^n

Polynomial product(Polynomial a, Polynomial b, Polynomial modulo) {
    const Polynomial top = std::bit_floor(modulo);
    Polynomial sum = 0;
    for (; b; b >>= 1) {
        if (b & 1)
            sum ^= a;
        a <<= 1;
        if (a & top)
            a ^= modulo;
    }
    return sum;
}
// Whether x is of the highest order there is, modulo a polynomial of this degree.
bool isPrimitive(Polynomial p, unsigned degree) {
    const std::uint32_t order = (1u << degree) - 1;
    const auto power = [&](std::uint32_t n) {
        Polynomial is = 1, square = degree > 1 ? 2 : p ^ 2;
        for (; n; n >>= 1, square = product(square, square, p))
            if (n & 1)
                is = product(is, square, p);
        return is;
    };
    if (power(order) != 1)
        return false;
    std::uint32_t rest = order;
    for (std::uint32_t prime = 2; rest > 1; ++prime) {
        if (prime * prime > rest)
            prime = rest;
        if (rest % prime != 0)
            continue;
        if (order != prime && power(order / prime) == 1)
            return false;
        while (rest % prime == 0)
            rest /= prime;
    }
    return true;
}

std::uint64_t mixed(std::uint64_t z) { // SplitMix64, as in generators.cpp
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

using Directions = std::array<std::uint64_t, 64>;

// Of the dimensions that were asked for: Bratley, Fox: Algorithm 659, ACM TOMS 14 (1), 1988.
class DirectionTable {
public:
    const Directions& of(unsigned dimension) {
        while (m_made.size() <= dimension)
            add();
        return m_made[dimension];
    }

private:
    void add() {
        Directions v{};
        if (m_made.empty()) {
            for (unsigned k = 0; k < 64; ++k)
                v[k] = 1ull << (63 - k);
            m_made.push_back(v);
            return;
        }
        while (!isPrimitive(1u << m_degree | m_middle << 1 | 1u, m_degree))
            step();
        for (unsigned k = 0; k < 64; ++k) {
            if (k < m_degree) {
                const std::uint64_t odd = (mixed(m_made.size() * 64 + k + 1) >> (63 - k)) | 1;
                v[k] = (m_next < joeAndKuo.size() ? joeAndKuo[m_next++] : odd) << (63 - k);
                continue;
            }
            v[k] = v[k - m_degree] ^ (v[k - m_degree] >> m_degree);
            for (unsigned j = 1; j < m_degree; ++j)
                if (m_middle >> (m_degree - 1 - j) & 1)
                    v[k] ^= v[k - j];
        }
        m_made.push_back(v);
        step();
    }
    void step() {
        if (++m_middle == 1u << (m_degree - 1))
            ++m_degree, m_middle = 0;
    }
    std::deque<Directions> m_made;
    std::size_t m_next = 0; // of the published numbers
    unsigned m_degree = 1;
    Polynomial m_middle = 0; // between the highest power and the lowest
};

class Sobol : public Generator {
public:
    Sobol(unsigned dimensions, bool wide, bool scrambled)
        : m_dimensions(dimensions), m_wide(wide), m_scrambled(scrambled) {}
    unsigned dimensions() const override { return m_dimensions; }
    bool isWide() const override { return m_wide; }
    void begin(std::size_t count) override {
        m_from += m_each;
        m_each = count / m_dimensions;
        m_done = 0;
    }
    std::uint64_t nextWide() override {
        const auto dimension = unsigned(m_done / m_each);
        const std::uint64_t index = m_from + m_done++ % m_each;
        if (index == m_from)
            m_directions = &directionsOf(dimension);
        std::uint64_t x = m_scrambled ? scrambleOf(dimension) : 0;
        for (std::uint64_t gray = index ^ (index >> 1); gray; gray &= gray - 1)
            x ^= (*m_directions)[unsigned(std::countr_zero(gray))];
        return m_wide ? x : x >> 32 << 32;
    }
    std::uint32_t next() override { return std::uint32_t(nextWide() >> 32); }
    double unit() override { return fineUnit(); }
    double fineUnit() override { // in the middle of what its bits leave open
        return m_wide ? (double(nextWide() >> 11) + 0.5) * 0x1p-53 : (double(next()) + 0.5) * 0x1p-32;
    }
    void skip(std::uint64_t count) override { m_from += count; }

private:
    unsigned m_dimensions;
    bool m_wide, m_scrambled;
    std::uint64_t m_from = 0, m_each = 0, m_done = 0; // the index of what is asked for, how many of a dimension
    const Directions* m_directions = nullptr;         // of the dimension that is asked for
};

} // namespace

const std::array<std::uint64_t, 64>& directionsOf(unsigned dimension) {
    static std::mutex lock;
    static auto& table = *new DirectionTable;
    const std::lock_guard guard(lock);
    return table.of(dimension); // stays where it is
}
std::uint64_t scrambleOf(unsigned dimension) {
    return mixed(0x9e3779b97f4a7c15u * (dimension + 1));
}
std::unique_ptr<Generator> makeSobol(unsigned dimensions, bool wide, bool scrambled) {
    return std::make_unique<Sobol>(dimensions, wide, scrambled);
}

// Abramowitz, Stegun: Handbook of Mathematical Functions, 26.2.23, and twice Halley's step.
double normalOf(double probability) {
    const double tail = std::min(probability, 1 - probability), t = std::sqrt(-2 * std::log(tail));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int step = 0; step < 2; ++step) { // x is where the tail above it has that probability
        const double miss = 0.5 * std::erfc(x / std::numbers::sqrt2) - tail;
        const double newton = miss * std::exp(x * x / 2) * std::sqrt(2 * std::numbers::pi);
        x += newton / (1 - x * newton / 2);
    }
    return probability < 0.5 ? -x : x;
}

} // namespace warpglass::virtual_device
