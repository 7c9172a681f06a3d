// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/line_marks.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace warpglass::cuda {

std::string markedByPtxLine(const std::string& ptx, const ptx::Module& module) {
    std::set<int> marked;
    for (const ptx::Function& f : module.functions)
        for (const ptx::Instruction& i : f.body)
            marked.insert(i.line);
    // A file number of our own; the others stay, since debug sections may speak of them.
    int file = 1;
    std::string text;
    int line = 0;
    for (std::string_view rest = ptx; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view one = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++line;
        const std::size_t first = std::min(one.find_first_not_of(" \t"), one.size());
        const std::string_view word = one.substr(first, std::min(one.find_first_of(" \t", first), one.size()) - first);
        if (word == ".file") {
            int number = 0;
            for (std::size_t c = one.find_first_of("0123456789", first);
                 c < one.size() && one[c] >= '0' && one[c] <= '9'; ++c)
                number = number * 10 + (one[c] - '0');
            file = std::max(file, number + 1);
        }
        if (word == ".loc")
            continue;
        if (marked.contains(line))
            text += ".loc @ " + std::to_string(line) + " 0\n";
        text.append(one).push_back('\n');
    }
    const std::string number = std::to_string(file);
    for (std::size_t at = 0; (at = text.find(".loc @ ", at)) != std::string::npos; at += 5)
        text.replace(at + 5, 1, number);
    // Before the debug sections, if there are any: they end the text.
    const std::string declared = ".file " + number + " \"ptx\"\n";
    const std::size_t sections = text.find("\n\t.section");
    text.insert(sections == std::string::npos ? text.size() : sections + 1, declared);
    return text;
}

} // namespace warpglass::cuda
