// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace warpglass {

// The text with every byte that is no part of valid UTF-8 (RFC 3629: no overlong forms, no surrogates, at most
// U+10FFFF) replaced by U+FFFD. Valid text comes back as it is.
std::string validUtf8(std::string_view text);

// Bytes of the character that a text begins with; 0 if it begins with none. The text has a byte at least.
std::size_t utf8Length(std::string_view text);

} // namespace warpglass
