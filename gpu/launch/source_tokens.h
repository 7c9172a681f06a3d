// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA source as words and single signs: what can be told of it without a compiler is told from these.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpglass::cuda_text {

struct Token {
    std::string text;
    int line = 0; // 1-based
};

bool isWord(char c); // a sign of a name or a number

// Words and single signs; comments, strings and lines of the preprocessor are left out.
std::vector<Token> tokensOf(const std::string& text);

// The token behind the bracket that closes the one at `open`.
std::size_t behind(const std::vector<Token>& tokens, std::size_t open, const char* opening, const char* closing);

} // namespace warpglass::cuda_text
