// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/utf8.h"

#include <cstdint>

namespace warpglass {

std::size_t utf8Length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return std::uint8_t(text[i]); };
    const std::uint8_t first = byte(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    // The second byte alone tells overlong forms, surrogates and what lies beyond U+10FFFF.
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) || (first == 0xf0 && byte(1) < 0x90) ||
        (first == 0xf4 && byte(1) > 0x8f))
        return 0;
    return length;
}

std::string validUtf8(std::string_view text) {
    std::string valid;
    valid.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        valid += length > 0 ? text.substr(0, length) : std::string_view("\xef\xbf\xbd");
        text.remove_prefix(length > 0 ? length : 1);
    }
    return valid;
}

} // namespace warpglass
