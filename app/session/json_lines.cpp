// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/json_lines.h"

#include <cctype>

namespace warpglass::session {

bool isNestedDeeply(std::string_view json) {
    constexpr int most = 64;
    int depth = 0;
    bool quoted = false;
    for (std::size_t at = 0; at < json.size() && depth <= most; ++at) {
        const char c = json[at];
        if (quoted && c == '\\')
            ++at;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    }
    return depth > most;
}

JsonLines::JsonLines(std::string_view json) : m_text(json) {
    value({});
}

void JsonLines::skip() {
    while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
        m_line += m_text[m_at++] == '\n';
}

// What stands in quotes, its escapes as they are.
std::string JsonLines::word() {
    std::string result;
    for (++m_at; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at) {
        if (m_text[m_at] == '\\' && m_at + 1 < m_text.size())
            result += m_text[m_at++];
        result += m_text[m_at];
    }
    ++m_at;
    return result;
}

void JsonLines::value(const std::string& path) {
    skip();
    m_lines.emplace(path, m_line);
    if (m_at >= m_text.size())
        return;
    const char opens = m_text[m_at];
    if (opens == '"') {
        word();
        return;
    }
    if (opens != '{' && opens != '[') {
        while (m_at < m_text.size() && std::string_view(",]}").find(m_text[m_at]) == std::string_view::npos &&
               !std::isspace(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
        return;
    }
    ++m_at;
    for (int index = 0;; ++index) {
        skip();
        if (m_at >= m_text.size())
            return;
        if (m_text[m_at] == '}' || m_text[m_at] == ']') {
            ++m_at;
            return;
        }
        if (m_text[m_at] == ',') {
            ++m_at;
            --index;
            continue;
        }
        std::string inner = path + "[" + std::to_string(index) + "]";
        if (opens == '{') {
            if (m_text[m_at] != '"')
                return;
            const int line = m_line;
            inner = path + (path.empty() ? "" : ".") + word();
            if (!m_lines.emplace(inner, line).second && m_twice.empty())
                m_twice = inner;
            skip();
            ++m_at; // the colon
        }
        value(inner);
    }
}

int JsonLines::of(std::string path) const {
    for (;;) {
        if (const auto at = m_lines.find(path); at != m_lines.end())
            return at->second;
        const std::size_t cut = path.find_last_of(".[");
        if (cut == std::string::npos)
            return path.empty() ? 0 : of({});
        path.resize(cut);
    }
}

} // namespace warpglass::session
