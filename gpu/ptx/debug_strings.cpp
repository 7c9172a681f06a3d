// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/debug_strings.h"

#include "gpu/ptx/lexer.h"

#include <cstdlib>

namespace warpglass::ptx {

DebugStrings debugStrings(const Module& module) {
    DebugStrings strings;
    for (const Module::Section& section : module.sections) {
        if (section.name != ".debug_str")
            continue;
        // Its text: labels, and lines of ".b8 95,90,78,0". A string ends at its zero.
        const Result<std::vector<Token>> tokens = lex(section.text, module.name);
        if (!tokens)
            continue;
        std::string label, text;
        for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
            const Token& token = (*tokens)[i];
            if (token.kind == Token::Kind::Name && (*tokens)[i + 1].is(':')) {
                label = token.text;
                text.clear();
            } else if (token.kind == Token::Kind::Number && !label.empty()) {
                const long value = std::strtol(std::string(token.text).c_str(), nullptr, 0);
                if (value != 0) {
                    text += char(value);
                    continue;
                }
                strings.byLabel.emplace(label, text);
                strings.labelOf.emplace(text, label);
                label.clear();
            }
        }
    }
    return strings;
}

} // namespace warpglass::ptx
