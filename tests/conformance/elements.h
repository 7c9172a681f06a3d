// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as the files of tests/ptx write them: text to bytes, bytes to text, and how far two of them are apart.
#pragma once

#include "gpu/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::conformance {

inline constexpr std::uint64_t mostElements = 1 << 20; // of a repetition or a range: more is a slip of the pen

struct ElementKind {
    enum class Reading : std::uint8_t { Bits, Unsigned, Signed, Float };
    Reading reading = Reading::Bits;
    std::uint32_t bytes = 0; // 0: no such type

    bool isFloat() const { return reading == Reading::Float; }
};
ElementKind elementKind(std::string_view type); // "s32"

// "1 -5*30 0..7": the elements' bytes, one behind the other. Behind "random(SEED)" or "random(SEED,A,B,...)" the words `?` and
// `?*N` are what SplitMix64 of the seed (Steele, Lea, Flood 2014) gives at these places, its lowest bits, and `!` and `!*N` those
// of A, B, ... that it chooses there. Error: the word that is no number of this kind.
Result<std::vector<std::byte>> readElements(std::string_view text, const ElementKind& kind);
// FNV-1a with elements for bytes: of many values the files say this only.
std::uint64_t hashOf(std::span<const std::byte> bytes, const ElementKind& kind);
// The same the other way round: integers decimal (bits hexadecimal), floats by their bits, repeats as V*N.
std::string writeElements(std::span<const std::byte> bytes, const ElementKind& kind);
std::string writeElement(const std::byte* element, const ElementKind& kind);

// How far a result may be from what is expected.
struct Tolerance {
    enum class Unit : std::uint8_t { Bits, Ulp, Absolute, Relative } unit = Unit::Bits;
    double size = 0;
};
// Floats: any NaN is equal to any NaN. With a tolerance infinities must still be the same, zeros may differ in sign.
bool equalElements(const std::byte* got, const std::byte* expected, const ElementKind& kind, const Tolerance& within);

} // namespace warpglass::conformance
