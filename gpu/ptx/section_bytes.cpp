// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/section_bytes.h"

#include "gpu/ptx/lexer.h"

#include <cstdlib>

namespace warpglass::ptx {

namespace {

int widthOf(const Token& token) { // of ".b32" in bytes; 0: another word
    return token.is(std::string_view(".b8"))    ? 1
           : token.is(std::string_view(".b16")) ? 2
           : token.is(std::string_view(".b32")) ? 4
           : token.is(std::string_view(".b64")) ? 8
                                                : 0;
}

// One section's text, token by token.
class SectionAssembler {
public:
    SectionAssembler(const std::vector<Token>& tokens, SectionBytes& to) : m_tokens(tokens), m_to(to) {}

    std::unordered_map<std::string, std::uint64_t> labels; // of the section

    bool run() {
        int width = 0;
        while (m_tokens[m_at].kind != Token::Kind::End) {
            const Token& token = m_tokens[m_at];
            if (const int w = widthOf(token)) {
                width = w;
                ++m_at;
            } else if (token.kind == Token::Kind::Name && m_tokens[m_at + 1].is(':')) {
                labels[std::string(token.text)] = m_to.bytes.size();
                m_at += 2;
            } else if (token.is(',')) {
                ++m_at;
            } else if (width == 0 || !value(width)) {
                return false;
            }
        }
        return true;
    }

private:
    // "12", "-1", "$L__tmp4", ".debug_loc+62"
    bool value(int width) {
        std::uint64_t sum = 0;
        std::string symbol;
        for (bool minus = false;; ++m_at) {
            const Token& token = m_tokens[m_at];
            if (token.is('-')) {
                minus = true;
                continue;
            }
            if (token.is('+'))
                continue;
            if (token.kind == Token::Kind::Number) {
                const std::uint64_t number = std::strtoull(std::string(token.text).c_str(), nullptr, 0);
                sum += minus ? 0 - number : number;
            } else if ((token.kind == Token::Kind::Name || token.kind == Token::Kind::Directive) && symbol.empty() &&
                       !minus) {
                symbol = token.text;
            } else {
                return false;
            }
            minus = false;
            const Token& next = m_tokens[m_at + 1];
            if (!next.is('+') && !next.is('-'))
                break;
        }
        ++m_at;
        if (!symbol.empty())
            m_to.symbols[m_to.bytes.size()] = std::move(symbol);
        for (int k = 0; k < width; ++k)
            m_to.bytes.push_back(std::byte(sum >> (8 * k)));
        return true;
    }

    const std::vector<Token>& m_tokens;
    SectionBytes& m_to;
    std::size_t m_at = 0;
};

} // namespace

std::map<std::string, SectionBytes, std::less<>> sectionBytes(const Module& module) {
    std::map<std::string, SectionBytes, std::less<>> all;
    std::unordered_map<std::string, std::uint64_t> places; // of sections and of their labels
    for (const Module::Section& section : module.sections) {
        const Result<std::vector<Token>> tokens = lex(section.text, module.name);
        SectionBytes bytes;
        if (!tokens)
            continue;
        SectionAssembler assembler(*tokens, bytes);
        if (!assembler.run() || !all.emplace(section.name, std::move(bytes)).second)
            continue;
        places.emplace(section.name, 0);
        places.merge(assembler.labels);
    }
    for (auto& [name, section] : all)
        for (auto symbol = section.symbols.begin(); symbol != section.symbols.end();) {
            const auto place = places.find(symbol->second);
            if (place == places.end()) {
                ++symbol;
                continue;
            }
            std::uint64_t carry = place->second; // added to the bytes that stand there
            for (std::size_t at = symbol->first; carry != 0 && at < section.bytes.size(); ++at) {
                carry += std::uint64_t(section.bytes[at]);
                section.bytes[at] = std::byte(carry);
                carry >>= 8;
            }
            symbol = section.symbols.erase(symbol);
        }
    return all;
}

} // namespace warpglass::ptx
