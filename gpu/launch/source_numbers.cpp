// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/source_numbers.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <sstream>
#include <string_view>

namespace warpglass::cuda_text {

namespace {

bool isAmong(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<std::uint64_t> countOf(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

void addNumber(SourceNumbers& numbers, const std::string& name, std::optional<std::uint64_t> value) {
    const auto [at, isNew] = numbers.try_emplace(name, value.value_or(0));
    if (!isNew && at->second != value)
        at->second = 0;
}

} // namespace

std::optional<std::uint64_t> valueOf(const std::vector<Token>& tokens, std::size_t from, std::size_t to,
                                     const SourceNumbers& numbers) {
    constexpr std::size_t mostTokens = 64;
    constexpr std::uint64_t most = 1 << 20; // of a part
    if (to - from > mostTokens || from >= to)
        return std::nullopt;
    std::size_t split = to;
    for (const char* const sign : {"+", "*"}) {
        int depth = 0;
        for (std::size_t i = from; i < to && split == to; ++i) {
            depth += (tokens[i].text == "(") - (tokens[i].text == ")");
            split = depth == 0 && i > from && tokens[i].text == sign ? i : to;
        }
        if (split < to) {
            const auto left = valueOf(tokens, from, split, numbers), right = valueOf(tokens, split + 1, to, numbers);
            if (!left || !right || *left > most || *right > most)
                return std::nullopt;
            return sign[0] == '+' ? *left + *right : *left * *right;
        }
    }
    if (to > from + 2 && tokens[from].text == "(" && behind(tokens, from, "(", ")") == to)
        return valueOf(tokens, from + 1, to - 1, numbers);
    if (to != from + 1)
        return std::nullopt;
    if (const auto number = countOf(tokens[from].text))
        return number;
    const auto known = numbers.find(tokens[from].text);
    return known == numbers.end() || known->second == 0 ? std::nullopt : std::optional(known->second);
}

void addNumbers(const std::string& text, const std::vector<Token>& tokens, SourceNumbers& numbers) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find_first_not_of(" \t");
        if (at == std::string::npos || line[at] != '#')
            continue;
        const std::vector<Token> words = tokensOf(line.substr(at + 1));
        if (words.size() > 2 && words[0].text == "define" && isWord(words[1].text.front()))
            addNumber(numbers, words[1].text, valueOf(words, 2, words.size(), numbers));
    }
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!isAmong(tokens[i].text, {"constexpr", "const"}))
            continue;
        std::size_t at = i + 1;
        while (at < tokens.size() && isAmong(tokens[at].text, {"static", "const", "unsigned", "int", "long", "size_t",
                                                               "uint32_t", "std", ":", "auto", "inline", "short"}))
            ++at;
        if (at == i + 1)
            continue;
        while (at + 2 < tokens.size() && isWord(tokens[at].text.front()) && tokens[at + 1].text == "=") {
            std::size_t end = at + 2;
            for (int depth = 0; end < tokens.size() && (depth > 0 || !isAmong(tokens[end].text, {",", ";"})); ++end)
                depth += isAmong(tokens[end].text, {"{", "(", "["}) - isAmong(tokens[end].text, {"}", ")", "]"});
            addNumber(numbers, tokens[at].text, valueOf(tokens, at + 2, end, numbers));
            at = end + 1;
            if (end >= tokens.size() || tokens[end].text == ";")
                break;
        }
    }
}

} // namespace warpglass::cuda_text
