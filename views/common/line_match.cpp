// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/line_match.h"

#include <algorithm>

namespace warpglass {

namespace {

// Cells of the table below; two texts that differ in more are one changed part.
constexpr std::size_t mostCells = 4'000'000;

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        const std::size_t last = line.find_last_not_of(" \t\r");
        lines.push_back(line.substr(0, last == std::string_view::npos ? 0 : last + 1));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

} // namespace

LineMatch matchLines(std::string_view textA, std::string_view textB) {
    const std::vector<std::string_view> a = linesOf(textA), b = linesOf(textB);
    std::size_t head = 0, tail = 0;
    while (head < std::min(a.size(), b.size()) && a[head] == b[head])
        ++head;
    while (tail < std::min(a.size(), b.size()) - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
        ++tail;
    const std::size_t rows = a.size() - head - tail, columns = b.size() - head - tail;
    LineMatch match;
    match.ofB.assign(b.size() + 1, 0);
    for (std::size_t i = 0; i < head; ++i)
        match.ofB[i + 1] = std::uint32_t(i + 1);
    for (std::size_t i = 0; i < tail; ++i)
        match.ofB[b.size() - i] = std::uint32_t(a.size() - i);

    // common[i][j]: lines that are the same from there to the end of both middles
    std::vector<std::uint32_t> common;
    const std::size_t width = columns + 1;
    if (rows > 0 && columns > 0 && (rows + 1) * width <= mostCells) {
        common.assign((rows + 1) * width, 0);
        for (std::size_t i = rows; i-- > 0;)
            for (std::size_t j = columns; j-- > 0;)
                common[i * width + j] = a[head + i] == b[head + j]
                                            ? common[(i + 1) * width + j + 1] + 1
                                            : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
    std::size_t i = 0, j = 0;
    while (i < rows || j < columns) {
        const bool same = i < rows && j < columns && !common.empty() && a[head + i] == b[head + j];
        if (same) {
            match.ofB[head + j + 1] = std::uint32_t(head + i + 1);
            ++i, ++j;
            continue;
        }
        const std::size_t fromA = i, fromB = j;
        while ((i < rows || j < columns) && !(i < rows && j < columns && !common.empty() && a[head + i] == b[head + j]))
            if (j >= columns ||
                (i < rows && !common.empty() && common[(i + 1) * width + j] >= common[i * width + j + 1]))
                ++i;
            else
                ++j;
        const auto at = [&](std::size_t n) { return std::uint32_t(head + n + 1); };
        match.parts.push_back({at(fromA), at(i), at(fromB), at(j)});
        for (std::size_t n = 0; n < std::min(i - fromA, j - fromB); ++n) // as many lines as there are of both
            match.ofB[head + fromB + n + 1] = at(fromA + n);
    }
    return match;
}

} // namespace warpglass
