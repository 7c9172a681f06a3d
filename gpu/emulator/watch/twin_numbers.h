// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in double beside those of a kernel, and where they lie: one or two beside each word of registers and of memory. A
// number belongs to bits. Where a word holds others by now, whoever wrote them, its number is void, and the twin begins anew
// with what the word holds: so instructions that nobody follows can do no harm.
#pragma once

#include "gpu/emulator/code/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace warpglass::emulator {

struct TwinNumber {
    double twin = 0;
    float scale = 0;                   // the largest magnitude of what it was added up of
    std::uint32_t rounded = noIndex;   // the step of TwinWatch that made most of the error
    std::uint32_t lost = noIndex;      // TwinWatch's record of where the tolerance was passed; noIndex: it is not
    ptx::Type type = ptx::Type::None;  // of the bits; None: there is no number
    std::uint8_t digits = exactDigits; // bits of the narrowest type that the number was rounded to
    static constexpr std::uint8_t exactDigits = 53;
};
struct TwinWord {
    std::uint32_t bits = 0;
    std::uint32_t by = noIndex; // of memory: who stored it
    TwinNumber low, high;       // high: of two halves alone
    void clear() { low.type = high.type = ptx::Type::None; }
    bool isEmpty() const { return low.type == ptx::Type::None && high.type == ptx::Type::None; }
};

// Words by their number, most of which nobody has touched.
class TwinRoom {
public:
    TwinWord* find(std::uint64_t word) {
        const std::uint64_t number = word / perChunk;
        Recent& recent = m_recent[number % m_recent.size()];
        if (recent.number != number || !recent.chunk) {
            const auto found = m_chunks.find(number);
            if (found == m_chunks.end())
                return nullptr;
            recent = {number, found->second.get()};
        }
        return &(*recent.chunk)[word % perChunk];
    }
    TwinWord& at(std::uint64_t word) {
        if (TwinWord* const there = find(word))
            return *there;
        auto& chunk = m_chunks[word / perChunk];
        chunk = std::make_unique<Chunk>();
        return (*chunk)[word % perChunk];
    }
    void clear() {
        m_chunks.clear();
        m_recent.fill({});
    }
    std::vector<std::uint64_t> words() const; // of all that have a number, ascending

private:
    static constexpr std::size_t perChunk = 32;
    using Chunk = std::array<TwinWord, perChunk>;
    std::unordered_map<std::uint64_t, std::unique_ptr<Chunk>> m_chunks;
    struct Recent {
        std::uint64_t number = 0;
        Chunk* chunk = nullptr;
    };
    std::array<Recent, 64> m_recent{}; // found last
};

// What an operation on floating-point numbers makes of these, in double.
double twinResult(ptx::Opcode opcode, const std::array<double, 3>& of, std::size_t count);
// The largest magnitude that went into it.
float twinScale(ptx::Opcode opcode, const std::array<TwinNumber, 3>& of, std::size_t count, double result);
// By how much they are apart; infinity if one alone is finite.
double twinError(double real, double twin);
double twinRelative(double real, double twin);
std::uint8_t twinDigits(ptx::Type type); // bits of its fraction, with the one that is not stored
// What is left where large numbers cancel out, and cancel out in double as well: what a compensated sum keeps on purpose is
// the rounding error itself, which has no twin but zero.
bool isRoundingError(double real, const TwinNumber& number);
// By this rounding to a whole number.
double wholeOf(double v, ptx::Rounding rounding);
bool compares(ptx::Compare compare, double a, double b);

} // namespace warpglass::emulator
