// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace warpglass::conformance {
namespace {

using Reading = ElementKind::Reading;

std::uint64_t allOnes(std::uint32_t bytes) {
    return bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1;
}

std::uint64_t bitsOf(const std::byte* element, const ElementKind& kind) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, element, kind.bytes);
    return bits;
}

std::optional<std::uint64_t> hexadecimal(std::string_view digits) {
    std::uint64_t bits = 0;
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    if (digits.empty() || wrong != std::errc{} || end != digits.data() + digits.size())
        return {};
    return bits;
}

std::optional<std::uint64_t> integer(std::string_view word, const ElementKind& kind) {
    if (word.starts_with("0x")) {
        const auto bits = hexadecimal(word.substr(2));
        return bits && *bits <= allOnes(kind.bytes) ? bits : std::nullopt;
    }
    const bool negative = word.starts_with('-');
    const std::string_view digits = word.substr(negative ? 1 : 0);
    std::uint64_t size = 0;
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (digits.empty() || wrong != std::errc{} || end != digits.data() + digits.size())
        return {};
    const std::uint64_t half = 1ull << (8 * kind.bytes - 1);
    if (negative && (kind.reading == Reading::Unsigned || size > half))
        return {};
    if (!negative && size > (kind.reading == Reading::Signed ? half - 1 : allOnes(kind.bytes)))
        return {};
    return (negative ? 0 - size : size) & allOnes(kind.bytes);
}

std::optional<std::uint64_t> floating(std::string_view word, const ElementKind& kind) {
    const bool single = kind.bytes == 4;
    if (word.starts_with(single ? "0f" : "0d"))
        return word.size() == 2 + 2 * kind.bytes ? hexadecimal(word.substr(2)) : std::nullopt;
    if (word.starts_with("0f") || word.starts_with("0d") || word.starts_with("0x"))
        return {};
    const std::string text(word);
    char* end = nullptr;
    std::uint64_t bits = 0;
    if (single)
        bits = std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), &end));
    else
        bits = std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), &end));
    if (text.empty() || *end != '\0')
        return {};
    return bits;
}

std::optional<std::uint64_t> number(std::string_view word, const ElementKind& kind) {
    return kind.isFloat() ? floating(word, kind) : integer(word, kind);
}

void append(std::vector<std::byte>& to, std::uint64_t bits, const ElementKind& kind, std::uint64_t times = 1) {
    for (std::uint64_t k = 0; k < times; ++k) {
        const std::size_t at = to.size();
        to.resize(at + kind.bytes);
        std::memcpy(to.data() + at, &bits, kind.bytes);
    }
}

// "A..B", up or down; both ends belong to it. Only integers count.
bool appendRange(std::vector<std::byte>& to, std::string_view from, std::string_view until, const ElementKind& kind) {
    const auto first = integer(from, kind), last = integer(until, kind);
    if (kind.isFloat() || !first || !last)
        return false;
    const bool wraps = kind.reading == Reading::Unsigned;
    const std::uint64_t sign = wraps ? 0 : 1ull << (8 * kind.bytes - 1); // makes the order of bits that of the numbers
    const bool up = (*first ^ sign) <= (*last ^ sign);
    const std::uint64_t steps = (up ? *last - *first : *first - *last) & allOnes(kind.bytes);
    if (steps >= mostElements)
        return false;
    for (std::uint64_t k = 0; k <= steps; ++k)
        append(to, (up ? *first + k : *first - k) & allOnes(kind.bytes), kind);
    return true;
}

// What "random(...)" stands for.
struct Draws {
    std::uint64_t seed = 0;
    std::vector<std::uint64_t> choices;

    std::uint64_t at(std::uint64_t place) const {
        std::uint64_t z = seed + (place + 1) * 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
};

std::optional<Draws> draws(std::string_view word, const ElementKind& kind) { // "random(7,1,2)"
    if (!word.ends_with(')'))
        return {};
    word = word.substr(7, word.size() - 8);
    std::optional<Draws> found;
    while (true) {
        const std::size_t comma = word.find(',');
        const auto value =
            found ? number(word.substr(0, comma), kind) : integer(word.substr(0, comma), {Reading::Unsigned, 8});
        if (!value)
            return {};
        if (found)
            found->choices.push_back(*value);
        else
            found = Draws{*value, {}};
        if (comma == std::string_view::npos)
            return found;
        word = word.substr(comma + 1);
    }
}

double valueOf(std::uint64_t bits, const ElementKind& kind) {
    return kind.bytes == 4 ? double(std::bit_cast<float>(std::uint32_t(bits))) : std::bit_cast<double>(bits);
}

// Floats stand in the order of whole numbers: neighbours differ by one, both zeros are the same.
std::uint64_t stepsBetween(std::uint64_t a, std::uint64_t b, const ElementKind& kind) {
    const std::uint64_t sign = 1ull << (8 * kind.bytes - 1);
    const std::uint64_t x = a & ~sign, y = b & ~sign;
    if ((a & sign) != (b & sign))
        return x + y;
    return x < y ? y - x : x - y;
}

} // namespace

ElementKind elementKind(std::string_view type) {
    if (type.size() < 2)
        return {};
    std::uint32_t width = 0;
    const auto [end, wrong] = std::from_chars(type.data() + 1, type.data() + type.size(), width);
    if (wrong != std::errc{} || end != type.data() + type.size() ||
        (width != 8 && width != 16 && width != 32 && width != 64))
        return {};
    switch (type[0]) {
    case 'b':
        return {Reading::Bits, width / 8};
    case 'u':
        return {Reading::Unsigned, width / 8};
    case 's':
        return {Reading::Signed, width / 8};
    case 'f':
        return {Reading::Float, width >= 32 ? width / 8 : 0};
    default:
        return {};
    }
}

Result<std::vector<std::byte>> readElements(std::string_view text, const ElementKind& kind) {
    std::vector<std::byte> bytes;
    std::optional<Draws> drawn;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ') {
            ++at;
            continue;
        }
        const std::string_view word = text.substr(at, std::min(text.find(' ', at), text.size()) - at);
        at += word.size();
        const Error wrong{fmt::format("{} is no value of this type", word)};
        if (word.starts_with("random(")) {
            drawn = draws(word, kind);
            if (!drawn)
                return wrong;
            continue;
        }
        if (const std::size_t dots = word.find(".."); dots != std::string_view::npos) {
            if (!appendRange(bytes, word.substr(0, dots), word.substr(dots + 2), kind))
                return wrong;
            continue;
        }
        const std::size_t star = word.find('*');
        const std::string_view value = word.substr(0, star);
        std::optional<std::uint64_t> times = 1;
        if (star != std::string_view::npos)
            times = integer(word.substr(star + 1), {Reading::Unsigned, 4});
        if (!times || *times == 0 || *times > mostElements)
            return wrong;
        if (drawn && (value == "?" || (value == "!" && !drawn->choices.empty()))) {
            for (std::uint64_t place = bytes.size() / kind.bytes, end = place + *times; place < end; ++place) {
                const std::uint64_t bits = drawn->at(place);
                append(bytes, value == "?" ? bits : drawn->choices[bits % drawn->choices.size()], kind);
            }
            continue;
        }
        const auto bits = number(value, kind);
        if (!bits)
            return wrong;
        append(bytes, *bits, kind, *times);
    }
    return bytes;
}

std::uint64_t hashOf(std::span<const std::byte> bytes, const ElementKind& kind) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t at = 0; at + kind.bytes <= bytes.size(); at += kind.bytes)
        hash = (hash ^ bitsOf(&bytes[at], kind)) * 0x100000001b3;
    return hash;
}

std::string writeElement(const std::byte* element, const ElementKind& kind) {
    const std::uint64_t bits = bitsOf(element, kind);
    switch (kind.reading) {
    case Reading::Bits:
        return fmt::format("0x{:0{}x}", bits, 2 * kind.bytes);
    case Reading::Unsigned:
        return fmt::format("{}", bits);
    case Reading::Signed:
        return fmt::format("{}", std::int64_t(bits << (64 - 8 * kind.bytes)) >> (64 - 8 * kind.bytes));
    case Reading::Float:
        break;
    }
    return fmt::format("0{}{:0{}X}", kind.bytes == 4 ? 'f' : 'd', bits, 2 * kind.bytes);
}

std::string writeElements(std::span<const std::byte> bytes, const ElementKind& kind) {
    std::string text;
    for (std::size_t at = 0; at + kind.bytes <= bytes.size();) {
        std::size_t next = at;
        while (next + kind.bytes <= bytes.size() && std::memcmp(&bytes[at], &bytes[next], kind.bytes) == 0)
            next += kind.bytes;
        text += (text.empty() ? "" : " ") + writeElement(&bytes[at], kind);
        if (const std::size_t times = (next - at) / kind.bytes; times > 1)
            text += fmt::format("*{}", times);
        at = next;
    }
    return text;
}

bool equalElements(const std::byte* got, const std::byte* expected, const ElementKind& kind, const Tolerance& within) {
    const std::uint64_t g = bitsOf(got, kind), e = bitsOf(expected, kind);
    if (g == e)
        return true;
    if (!kind.isFloat())
        return false;
    const double x = valueOf(g, kind), y = valueOf(e, kind);
    if (std::isnan(x) || std::isnan(y))
        return std::isnan(x) && std::isnan(y);
    if (std::isinf(x) || std::isinf(y))
        return false;
    switch (within.unit) {
    case Tolerance::Unit::Bits:
        return false;
    case Tolerance::Unit::Ulp:
        return double(stepsBetween(g, e, kind)) <= within.size;
    case Tolerance::Unit::Absolute:
        return std::abs(x - y) <= within.size;
    case Tolerance::Unit::Relative:
        return std::abs(x - y) <= within.size * std::abs(y);
    }
    return false;
}

} // namespace warpglass::conformance
