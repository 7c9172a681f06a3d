// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace warpglass::session {

// Whether a JSON text has more levels than any file that is read here: who reads it would need as many calls in each other.
bool isNestedDeeply(std::string_view json);

// On which line each value of a JSON text stands, by its path: "steps[2].run.kernel" stands where the word "kernel" does.
// The parser that gives the values forgets their places, and a message about a lesson needs them.
class JsonLines {
public:
    // json is valid. Nothing is known of other texts.
    explicit JsonLines(std::string_view json);
    // Of the value, or, where it is missing, of what should hold it; 0: there is nothing at all.
    int of(std::string path) const;
    // The first name that an object holds twice, as a path; empty: there is none.
    const std::string& twice() const { return m_twice; }

private:
    void value(const std::string& path);
    std::string word();
    void skip();

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
    std::map<std::string, int> m_lines;
    std::string m_twice;
};

} // namespace warpglass::session
