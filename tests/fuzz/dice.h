// SPDX-License-Identifier: GPL-3.0-or-later
// An input's bytes as the throws that decide about what is made of them. Behind the last byte all throws are 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpglass::fuzz {

class Dice {
public:
    explicit Dice(std::string_view bytes) : m_bytes(bytes) {}
    std::string_view rest() const { return m_bytes.substr(m_at); }
    bool done() const { return m_at >= m_bytes.size(); }
    std::uint8_t byte() { return done() ? std::uint8_t(0) : std::uint8_t(m_bytes[m_at++]); }
    std::uint64_t word(int bytes = 8) {
        std::uint64_t word = 0;
        for (int k = 0; k < bytes; ++k)
            word |= std::uint64_t(byte()) << 8 * k;
        return word;
    }
    std::size_t below(std::size_t sides) { // sides: at least 1
        if (sides <= 1)
            return 0;
        return std::size_t(word(sides > 256 ? 2 : 1)) % sides;
    }
    bool oneIn(std::size_t sides) { return below(sides) == sides - 1; } // no: behind the end
    template <class T, std::size_t n>
    const T& of(const T (&list)[n]) {
        return list[below(n)];
    }

private:
    std::string_view m_bytes;
    std::size_t m_at = 0;
};

} // namespace warpglass::fuzz
