// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/hand_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string_view>

namespace warpglass::session {

namespace {

// Lines that a backslash joins are one for the compiler; kept are the places where the parts began.
struct JoinedLines {
    std::string text;
    std::vector<std::size_t> joints; // offsets in text at which a line end was taken out

    explicit JoinedLines(const std::string& source) {
        for (std::size_t i = 0; i < source.size(); ++i) {
            if (source[i] == '\\') { // compilers pass over blanks behind it
                std::size_t end = source.find_first_not_of(" \t\r\v\f", i + 1);
                if (end != std::string::npos && source[end] == '\n') {
                    joints.push_back(text.size());
                    i = end;
                    continue;
                }
            }
            text += source[i];
        }
    }
    int lineAt(std::size_t offset) const {
        const auto before = text.begin() + std::ptrdiff_t(offset);
        return 1 + int(std::count(text.begin(), before, '\n')) +
               int(std::upper_bound(joints.begin(), joints.end(), offset) - joints.begin());
    }
};

std::size_t behindBlanks(const std::string& text, std::size_t at) { // and comments
    for (;;) {
        at = std::min(text.find_first_not_of(" \t\r\v\f", at), text.size());
        if (text.compare(at, 2, "/*") != 0)
            return at;
        const std::size_t end = text.find("*/", at + 2);
        at = end == std::string::npos ? text.size() : end + 2;
    }
}

bool isPlainHeader(const std::string& text, std::size_t at) {
    static const std::regex header("<[A-Za-z0-9_][A-Za-z0-9_.+/-]*>");
    const std::size_t end = text.find_first_of(">\n", at);
    if (end == std::string::npos)
        return false;
    const std::string name = text.substr(at, end + 1 - at);
    return name.find("..") == std::string::npos && std::regex_match(name, header);
}

// "GCC dependency" and "GCC pch_preprocess", which open a file and say whether it is there.
bool asksForFiles(const std::string& text, std::size_t at) {
    at = behindBlanks(text, at);
    if (text.compare(at, 3, "GCC") != 0)
        return false;
    at = behindBlanks(text, at + 3);
    return text.compare(at, 10, "dependency") == 0 || text.compare(at, 14, "pch_preprocess") == 0;
}

} // namespace

std::optional<ForbiddenInclude> forbiddenByte(const std::string& source) {
    const auto isForbidden = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < ' ' && std::string_view("\t\n\v\f\r").find(c) == std::string_view::npos) || byte == 0x7f;
    };
    const auto at = std::find_if(source.begin(), source.end(), isForbidden);
    if (at == source.end())
        return std::nullopt;
    return ForbiddenInclude{1 + int(std::count(source.begin(), at, '\n')),
                            fmt::format("\\x{:02x}", static_cast<unsigned char>(*at))};
}

std::optional<ForbiddenInclude> forbiddenInclude(const std::string& source) {
    const JoinedLines joined(source);
    const std::string& text = joined.text;
    const auto found = [&](std::size_t at) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        return ForbiddenInclude{joined.lineAt(at), text.substr(at, std::min<std::size_t>(end - at, 80))};
    };
    // Marks of a directive: #, %: and ??=. Anywhere, not at the beginning of a line alone: a string or a comment may not
    // be where it seems.
    static const std::string marks[] = {"#", "%:", "?\?="};
    std::size_t pasted = std::string::npos; // where two tokens are made one
    for (const char* paste : {"##", "%:%:", "?\?=?\?=", "#%:", "%:#"})
        pasted = std::min(pasted, text.find(paste));
    for (std::size_t i = 0; i < text.size(); ++i)
        for (const std::string& mark : marks) {
            if (text.compare(i, mark.size(), mark) != 0)
                continue;
            const std::size_t word = behindBlanks(text, i + mark.size());
            const auto begins = [&](const char* name) {
                return text.compare(word, std::string(name).size(), name) == 0;
            };
            if (begins("embed") || begins("import") || (begins("pragma") && asksForFiles(text, word + 6)))
                return found(i);
            const bool asks = (begins("if") && !begins("ifdef") && !begins("ifndef")) ||
                              (begins("elif") && !begins("elifdef") && !begins("elifndef"));
            if (asks && pasted != std::string::npos) // a word that is put together can be __has_include
                return found(pasted);
            if (!begins("include"))
                continue;
            if (begins("include_next") || !isPlainHeader(text, behindBlanks(text, word + 7)))
                return found(i);
        }
    for (const char* word :
         {"__has_include", "__has_embed", "?\?/", "incbin"}) // asking whether a file exists; hidden joints
        if (const std::size_t at = text.find(word); at != std::string::npos)
            return found(at);
    // The same pragmas as a string, which macros can put together out of pieces.
    if (const std::size_t at = text.find("_Pragma"); at != std::string::npos)
        if (pasted != std::string::npos || text.find("dependency") != std::string::npos ||
            text.find("pch_preprocess") != std::string::npos)
            return found(at);
    return std::nullopt;
}

} // namespace warpglass::session
