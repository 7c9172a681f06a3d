// SPDX-License-Identifier: GPL-3.0-or-later
// The local memory of a warp's threads, numbered from the bottom of each one's stack. It is laid out as the hardware does,
// word w of lane l at w * 128 + l * 4, so that lanes at the same variable make one full line.
#pragma once

#include "gpu/emulator/code/stretch.h"
#include "gpu/emulator/state/addressed.h"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace warpglass::emulator {

class LocalMemory {
public:
    // Where byte `number` of a lane's lies among all lanes'.
    static constexpr std::uint64_t placeOf(std::uint64_t number, int lane) {
        return (number & ~std::uint64_t(3)) * 32 + std::uint64_t(lane) * 4 + (number & 3);
    }
    std::uint64_t bytes() const { return m_written.size() * 4; } // of a thread

    // Words of all lanes, 32 a word, and which lanes have written each; nullptr: not all of them are here.
    struct Words {
        std::uint32_t *values = nullptr, *written = nullptr;
        explicit operator bool() const { return values != nullptr; }
    };
    // Those under so many bytes of a thread.
    Words words(std::uint64_t number, std::uint64_t length) {
        if (length == 0 || number > bytes() || bytes() - number < length)
            return {};
        return {reinterpret_cast<std::uint32_t*>(m_bytes.data() + number / 4 * 128), &m_written[number / 4]};
    }
    // What is left of one lane's word; nullptr: it is not here.
    std::byte* find(std::uint64_t number, int lane) {
        return number < bytes() ? m_bytes.data() + placeOf(number, lane) : nullptr;
    }
    const std::byte* find(std::uint64_t number, int lane) const {
        return number < bytes() ? m_bytes.data() + placeOf(number, lane) : nullptr;
    }
    // A word of each lane of m, each at a number of its own of these: where they lie, [lane] by places among all lanes'.
    // Nowhere: not all of them are whole words there.
    Reach each(const LaneNumbers& numbers, std::uint32_t m, Stretch of, LaneNumbers& places) {
        const std::uint64_t from = of.begin, end = std::min(from + of.bytes, bytes());
        if (end < from + 4)
            return {};
        std::uint64_t outside = 0, any = 0;
        const auto all = [&](auto first) {
            const auto look = [&](std::size_t lane) {
                const std::uint64_t at = numbers[lane];
                outside |= (at - first) | (end - 4 - at);
                any |= at;
                places[lane] = at * 32 + lane * 4;
            };
            if (m == ~0u) // vector code
                for (std::size_t lane = 0; lane < 32; ++lane)
                    look(lane);
            else
                for (std::uint32_t rest = m; rest; rest &= rest - 1)
                    look(std::size_t(std::countr_zero(rest)));
        };
        if (from == 0) // of most: nothing to take off in each lane
            all(std::integral_constant<std::uint64_t, 0>());
        else
            all(from);
        if (outside >> 63 != 0 || (any & 3) != 0)
            return {};
        return Addressed(m_bytes.data(), 0, m_bytes.size()).among(0, m_bytes.size());
    }
    // Of a place that each() found.
    std::uint32_t& writtenAt(std::uint64_t place) { return m_written[place / 128]; }

    void reach(std::uint64_t bytesOfThread) {                      // so far at least
        const std::uint64_t words = (bytesOfThread + 15) / 16 * 4; // as far as a stack may reach (stackTop)
        if (m_written.size() < words) {
            m_written.resize(words, 0);
            m_bytes.resize(words * 128);
        }
    }
    void forget() { std::fill(m_written.begin(), m_written.end(), 0u); } // that anything was written
    // The same of some lanes' words from one up to another.
    void forget(std::uint64_t from, std::uint64_t to, std::uint32_t lanes) {
        for (std::uint64_t w = from; w < std::min<std::uint64_t>(to, m_written.size()); ++w)
            m_written[w] &= ~lanes;
    }

private:
    std::vector<std::byte> m_bytes;       // [4-byte word][lane][4]
    std::vector<std::uint32_t> m_written; // [word] -> lanes
};

} // namespace warpglass::emulator
