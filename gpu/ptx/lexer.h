// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpglass::ptx {

// A word of PTX. Comments and white space fall between tokens; what an instruction looked like is read back from
// offsets.
struct Token {
    enum class Kind {
        Name,      // add, %r1, $L__BB0_2, _Z1kPi, WARP_SZ, _
        Directive, // .reg, .u32, .x, .shared::cta: with its dot
        Number,    // 12, 0x1F, 0f3F800000, 1.5e-3
        String,    // without the quotes
        Mark,      // one character
        End,
    };
    Kind kind = Kind::End;
    std::string_view text;  // into the module's text
    std::size_t offset = 0; // of the first character
    int line = 1, column = 1;

    bool is(char mark) const { return kind == Kind::Mark && text[0] == mark; }
    bool is(std::string_view word) const { return kind != Kind::String && text == word; }
};

// The last token is End. The tokens point into the text, which must outlive them.
Result<std::vector<Token>> lex(std::string_view text, const std::string& name);

} // namespace warpglass::ptx
