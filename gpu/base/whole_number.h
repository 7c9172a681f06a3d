// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace warpglass {

// A text that is a whole number in tens, and nothing else; nothing if it is none, or does not fit.
template <typename T>
std::optional<T> wholeNumber(std::string_view text) {
    T value{};
    auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || next != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace warpglass
