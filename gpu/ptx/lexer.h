// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::ptx {

// A word of PTX. Comments and white space fall between tokens; what an instruction looked like is read back from
// offsets.
struct Token {
    enum class Kind : std::uint8_t {
        Name,      // add, %r1, $L__BB0_2, _Z1kPi, WARP_SZ, _
        Directive, // .reg, .u32, .x, .shared::cta: with its dot
        Number,    // 12, 0x1F, 0f3F800000, 1.5e-3
        String,    // without the quotes
        Mark,      // one character
        End,
    };
    static constexpr std::size_t lastColumn = (1 << 27) - 1;

    std::string_view text; // into the module's text; of the last one empty
    int line = 1;
    int column : 28 = 1; // lastColumn, and all behind it; a kernel has millions of tokens, and 24 bytes are enough
    Kind kind : 4 = Kind::End;

    // Of the first character in the text that was read, and of the one behind the last.
    std::size_t offset(std::string_view all) const {
        return std::size_t(text.data() - all.data()) - (kind == Kind::String ? 1 : 0);
    }
    std::size_t end(std::string_view all) const {
        return std::size_t(text.data() - all.data()) + text.size() + (kind == Kind::String ? 1 : 0);
    }
    bool is(char mark) const { return kind == Kind::Mark && text[0] == mark; }
    bool is(std::string_view word) const { return kind != Kind::String && text == word; }
};

// The last token is End. The tokens point into the text, which must outlive them.
Result<std::vector<Token>> lex(std::string_view text, const std::string& name);

} // namespace warpglass::ptx
