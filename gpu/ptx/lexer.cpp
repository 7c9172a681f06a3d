// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/lexer.h"

#include "gpu/base/large_pages.h"
#include "gpu/base/messages/code.h"

#include <algorithm>

namespace warpglass::ptx {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool startsName(char c) {
    return isLetter(c) || c == '_' || c == '$' || c == '%';
}
bool continuesName(char c) {
    return isLetter(c) || isDigit(c) || c == '_' || c == '$';
}

class Lexer {
public:
    Lexer(std::string_view text, const std::string& name) : m_text(text), m_name(name) {}

    Result<std::vector<Token>> run() {
        std::vector<Token> tokens;
        tokens.reserve(m_text.size() / 4 + 1);
        askForLargePages(tokens.data(), tokens.capacity() * sizeof(Token));
        for (;;) {
            if (!skipSpace())
                return error(say::CommentOpen);
            if (m_at >= m_text.size())
                break;
            Token token;
            token.line = m_line;
            token.column = column();
            const char c = m_text[m_at];
            std::size_t end = m_at + 1;
            if (startsName(c)) {
                token.kind = Token::Kind::Name;
                end = nameEnd(end);
            } else if (isDigit(c)) {
                token.kind = Token::Kind::Number;
                end = numberEnd(end);
            } else if (c == '.' && end < m_text.size() && continuesName(m_text[end])) {
                token.kind = Token::Kind::Directive;
                end = nameEnd(end);
                while (end + 2 < m_text.size() && m_text[end] == ':' && m_text[end + 1] == ':' &&
                       continuesName(m_text[end + 2]))
                    end = nameEnd(end + 2);
            } else if (c == '"') {
                token.kind = Token::Kind::String;
                while (end < m_text.size() && m_text[end] != '"' && m_text[end] != '\n')
                    end += m_text[end] == '\\' && end + 1 < m_text.size() && m_text[end + 1] != '\n' ? 2 : 1;
                if (end >= m_text.size() || m_text[end] != '"')
                    return error(say::StringOpen);
                token.text = m_text.substr(m_at + 1, end - m_at - 1);
                m_at = end + 1;
                tokens.push_back(token);
                continue;
            } else if (std::string_view("{}()[]<>,;:@!|+-~=*/&^?.").find(c) != std::string_view::npos) {
                token.kind = Token::Kind::Mark;
            } else {
                return error(say::NoPtxCharacter);
            }
            token.text = m_text.substr(m_at, end - m_at);
            m_at = end;
            tokens.push_back(token);
        }
        Token last;
        last.text = m_text.substr(m_text.size());
        last.line = m_line;
        last.column = column();
        tokens.push_back(last);
        return tokens;
    }

private:
    int column() const { return int(std::min(m_at - m_lineStart + 1, Token::lastColumn)); }

    std::size_t nameEnd(std::size_t at) const {
        while (at < m_text.size() && continuesName(m_text[at]))
            ++at;
        return at;
    }

    // Letters belong to a number: 0x1F, 0f3F800000, 12U. A dot and an exponent's sign do in decimal ones.
    std::size_t numberEnd(std::size_t at) const {
        at = nameEnd(at);
        if (at + 1 >= m_text.size() || m_text[at] != '.')
            return at;
        if (!continuesName(m_text[at + 1]))
            return at + 1; // "0."
        if (!isDigit(m_text[at + 1]))
            return at;
        at = nameEnd(at + 1);
        if ((m_text[at - 1] == 'e' || m_text[at - 1] == 'E') && at + 1 < m_text.size() &&
            (m_text[at] == '-' || m_text[at] == '+') && isDigit(m_text[at + 1]))
            at = nameEnd(at + 1);
        return at;
    }

    void step() {
        if (m_text[m_at++] == '\n') {
            ++m_line;
            m_lineStart = m_at;
        }
    }

    bool skipSpace() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            const char next = m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0';
            if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
                step();
            } else if (c == '/' && next == '/') {
                while (m_at < m_text.size() && m_text[m_at] != '\n')
                    ++m_at;
            } else if (c == '/' && next == '*') {
                const std::size_t close = m_text.find("*/", m_at + 2);
                if (close == std::string_view::npos)
                    return false;
                while (m_at < close + 2)
                    step();
            } else {
                break;
            }
        }
        return true;
    }

    Error error(Message message) const { return {std::move(message), m_name, m_line, int(m_at - m_lineStart) + 1, {}}; }

    std::string_view m_text;
    const std::string& m_name;
    std::size_t m_at = 0, m_lineStart = 0;
    int m_line = 1;
};

} // namespace

Result<std::vector<Token>> lex(std::string_view text, const std::string& name) {
    return Lexer(text, name).run();
}

} // namespace warpglass::ptx
