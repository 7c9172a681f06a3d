// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/shown.h"

#include "gpu/base/utf8.h"

#include <cstdint>
#include <fmt/format.h>
#include <iterator>

namespace warpglass {

namespace {

// Of one whole character in UTF-8.
char32_t numberOf(std::string_view character) {
    constexpr unsigned ofFirst[] = {0x7f, 0x7f, 0x1f, 0x0f, 0x07}; // by length
    constexpr unsigned continuationBits = 6, ofContinuation = 0x3f;
    char32_t number = std::uint8_t(character[0]) & ofFirst[character.size()];
    for (const char byte : character.substr(1))
        number = number << continuationBits | (std::uint8_t(byte) & ofContinuation);
    return number;
}

} // namespace

bool isShownByNumber(char32_t c) {
    const bool control = (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7f && c <= 0x9f);
    const bool bidirectional =
        c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return control || bidirectional;
}

std::string shown(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        const std::string_view character = text.substr(0, length > 0 ? length : 1);
        if (length == 0)
            fmt::format_to(std::back_inserter(result), "\\x{:02x}", std::uint8_t(text[0]));
        else if (const char32_t number = numberOf(character); !isShownByNumber(number))
            result += character;
        else if (number < 0x7f)
            fmt::format_to(std::back_inserter(result), "\\x{:02x}", std::uint32_t(number));
        else
            fmt::format_to(std::back_inserter(result), "\\u{:04x}", std::uint32_t(number));
        text.remove_prefix(character.size());
    }
    return result;
}

} // namespace warpglass
