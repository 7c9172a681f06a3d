// SPDX-License-Identifier: GPL-3.0-or-later
// What expectations and formulas are read with: marks and words, blanks passed over.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace warpglass::session {

// Thrown while such a text is read or worked out, caught by who was asked to.
struct NotUnderstood {
    std::string message;
};

class TextScanner {
public:
    explicit TextScanner(std::string_view text) : m_text(text) {}

protected:
    void skip() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
    }
    bool take(std::string_view mark) {
        skip();
        if (!m_text.substr(m_at).starts_with(mark))
            return false;
        m_at += mark.size();
        return true;
    }
    void expect(std::string_view mark) {
        if (!take(mark))
            throw NotUnderstood{fmt::format("\"{}\" is missing before \"{}\"", mark, m_text.substr(m_at))};
    }
    void expectEnd() {
        skip();
        if (m_at < m_text.size())
            throw NotUnderstood{fmt::format("\"{}\" is not understood", m_text.substr(m_at))};
    }
    bool atDigit() {
        skip();
        return m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at]));
    }
    std::string word() {
        skip();
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
            ++m_at;
        if (m_at == begin)
            throw NotUnderstood{m_at < m_text.size()
                                    ? fmt::format("a number or a name is missing before \"{}\"", m_text.substr(m_at))
                                    : std::string("a number or a name is missing at the end")};
        return std::string(m_text.substr(begin, m_at - begin));
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace warpglass::session
