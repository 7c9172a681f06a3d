// SPDX-License-Identifier: GPL-3.0-or-later
// The words of an enum, said once, beside the enum:
//
//   enum class SchedulingPolicy : std::uint8_t { Lrr, Gto, Gty };
//   template <>
//   inline constexpr auto enumWords<SchedulingPolicy> = EnumWords("scheduling policy", {"lrr", "gto", "gty"});
//
// From then on name(SchedulingPolicy::Gto) is "gto", parseEnum<SchedulingPolicy>("gto") is the value again, and
// allOf<SchedulingPolicy> are the three of them. The command line, files, JSON and the window all ask here, so that a
// new value is one word in one place. The words are English and stay as they are, since files and scripts hold them;
// what a person reads in the window is a translation of its own.
#pragma once

#include "gpu/base/result.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace warpglass {

// words[i] belongs to the value i: an enum with words counts from 0 without gaps. Values behind the last word (a
// counting one, one with a form of its own such as "block:3") have none, and are not parsed.
template <std::size_t N>
struct EnumWords {
    const char* what; // with its noun, as a message says it: "scheduling policy"
    std::array<const char*, N> words;

    constexpr EnumWords(const char* whatItIs, const char* const (&all)[N])
        : what(whatItIs), words(std::to_array(all)) {}
};

struct NoEnumWords {};
template <typename Enum>
inline constexpr NoEnumWords enumWords;

template <typename Enum>
concept Worded = std::is_enum_v<Enum> && !std::is_same_v<decltype(enumWords<Enum>), const NoEnumWords>;

// "unknown" for a value that has no word (a damaged file).
template <Worded Enum>
constexpr const char* name(Enum value) {
    const auto n = static_cast<std::size_t>(value);
    return n < enumWords<Enum>.words.size() ? enumWords<Enum>.words[n] : "unknown";
}

template <Worded Enum>
inline constexpr auto allOf = [] {
    std::array<Enum, enumWords<Enum>.words.size()> all{};
    for (std::size_t n = 0; n < all.size(); ++n)
        all[n] = static_cast<Enum>(n);
    return all;
}();

// "lrr, gto or gty": for help texts and remedies.
template <Worded Enum>
std::string wordsText() {
    const auto& words = enumWords<Enum>.words;
    std::string text;
    for (std::size_t n = 0; n < words.size(); ++n)
        text += std::string(n == 0 ? "" : n + 1 < words.size() ? ", " : " or ") + words[n];
    return text;
}

// The value of a word. The error says that it is none of them and lists them; place: the option or field that held it.
template <Worded Enum>
Result<Enum> parseEnum(std::string_view word, const std::string& place = {}) {
    for (const Enum value : allOf<Enum>)
        if (word == name(value))
            return value;
    return Error{.message = "\"" + std::string(word) + "\" is no " + enumWords<Enum>.what,
                 .file = place,
                 .remedy = "Choose " + wordsText<Enum>() + "."};
}

} // namespace warpglass
