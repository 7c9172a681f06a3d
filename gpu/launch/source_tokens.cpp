// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/source_tokens.h"

#include <algorithm>
#include <cctype>

namespace warpglass::cuda_text {

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::vector<Token> tokensOf(const std::string& text) {
    std::vector<Token> tokens;
    int line = 1;
    bool lineBegins = true;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '\n') {
            ++line;
            ++i;
            lineBegins = true;
        } else if (std::isspace(static_cast<unsigned char>(c))) {
            ++i;
        } else if (c == '#' && lineBegins) {
            for (; i < text.size() && text[i] != '\n'; ++i)
                if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
                    ++line;
                    ++i;
                }
        } else if (text.compare(i, 2, "//") == 0) {
            while (i < text.size() && text[i] != '\n')
                ++i;
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t end = std::min(text.find("*/", i + 2), text.size());
            line += int(std::count(text.begin() + std::ptrdiff_t(i), text.begin() + std::ptrdiff_t(end), '\n'));
            i = std::min(end + 2, text.size());
        } else if (c == '"' || (c == '\'' && !(i > 0 && isWord(text[i - 1])))) {
            for (++i; i < text.size() && text[i] != c && text[i] != '\n'; ++i)
                i += text[i] == '\\';
            i = std::min(i + 1, text.size());
            lineBegins = false;
        } else {
            std::size_t end = i + 1;
            if (isWord(c))
                while (end < text.size() && (isWord(text[end]) || text[end] == '\''))
                    ++end;
            tokens.push_back({text.substr(i, end - i), line});
            i = end;
            lineBegins = false;
        }
    }
    return tokens;
}

std::size_t behind(const std::vector<Token>& tokens, std::size_t open, const char* opening, const char* closing) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        depth += (tokens[i].text == opening) - (tokens[i].text == closing);
        if (depth == 0)
            return i + 1;
    }
    return tokens.size();
}

} // namespace warpglass::cuda_text
