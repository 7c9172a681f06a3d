// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/operations.h"

#include <algorithm>
#include <set>

namespace warpglass::machine {

bool isSelect(std::string_view name) {
    static const std::set<std::string_view> selects{"SEL", "FSEL", "USEL", "FSEL2", "DSEL"};
    return selects.contains(name);
}

bool isUniform(std::string_view name) {
    return name.starts_with('U') && name != "UNKNOWN";
}

bool isPlainAccess(std::string_view name) {
    static const std::set<std::string_view> plain{"LD", "LDG", "LDL", "LDS", "ST", "STG", "STL", "STS"};
    return plain.contains(name);
}

// Bits 73 to 75 say 0, 1: one byte, 2, 3: two, 4 to 6: four to 16. (Mesa's nak; held to nvdisasm in tests/machine.)
std::uint32_t accessBytes(const Function& function, std::size_t index, unsigned arch) {
    if (!isPlainAccess(mnemonic(function.code[index].opcode, arch)))
        return 0;
    const auto size = unsigned(function.bits[index][1] >> (73 - 64) & 7U);
    return size < 2 ? 1 : size < 4 ? 2 : size < 7 ? 1U << (size - 2) : 0;
}

std::vector<std::uint32_t> awaited(const Function& function, std::size_t index) {
    const auto& code = function.code;
    std::vector<std::uint32_t> found;
    const auto look = [&](unsigned scoreboard, std::size_t begin, std::size_t end) {
        const std::size_t before = found.size();
        for (std::size_t c = end; c-- > begin;) {
            if (code[c].control.writes == scoreboard || code[c].control.reads == scoreboard)
                found.push_back(std::uint32_t(c));
            if (code[c].control.waits >> scoreboard & 1U) // what was before it, it has waited for
                break;
        }
        return found.size() > before;
    };
    for (unsigned s = 0; s < 6; ++s) {
        if (!(code[index].control.waits >> s & 1U) || look(s, 0, index))
            continue;
        for (std::size_t c = index; c < code.size(); ++c) // of the last round of the loop that it stands in
            if (code[c].flow == Flow::Branch && code[c].target && *code[c].target <= index * instructionBytes) {
                look(s, index, c);
                break;
            }
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace warpglass::machine
