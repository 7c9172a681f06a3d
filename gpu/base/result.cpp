// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/result.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace warpglass {

namespace {

// A sentence may quote what somebody has written, which may be of any length: of a line like that, its two ends.
constexpr std::size_t longestLine = 6000, keptBefore = 5000, keptBehind = 800;

std::size_t characterBegin(std::string_view text, std::size_t at) {
    constexpr unsigned continuation = 0x80, continuationBits = 0xc0; // of UTF-8
    while (at > 0 && (static_cast<unsigned char>(text[at]) & continuationBits) == continuation)
        --at;
    return at;
}

std::string withoutLongLines(std::string_view text) {
    std::string result;
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t end = std::min(text.find('\n', first), text.size());
        const std::string_view line = text.substr(first, end - first);
        if (line.size() <= longestLine) {
            result += line;
        } else {
            result += line.substr(0, characterBegin(line, keptBefore));
            result += " ... ";
            result += line.substr(characterBegin(line, line.size() - keptBehind));
        }
        if (end < text.size())
            result += '\n';
        first = end + 1;
    }
    return result;
}

} // namespace

std::string Error::text() const {
    std::string place;
    if (!file.empty())
        place = file;
    if (line > 0)
        place += fmt::format("{}{}", place.empty() ? "line " : ":", line);
    if (line > 0 && column > 0)
        place += fmt::format(":{}", column);
    std::string all = place.empty() ? message.text() : place + ": " + message;
    if (!remedy.empty())
        all += (all.empty() || all.back() == '.' ? " " : ". ") + remedy.text();
    return withoutLongLines(all);
}

} // namespace warpglass
