// SPDX-License-Identifier: GPL-3.0-or-later
// What a stranger's source may make the compiler read: headers of CUDA and of the compiler, by their names in angle
// brackets, and nothing else. Else a hand-in could show what the grader may read and its writer may not: a compiler
// quotes the lines that it does not understand, and data that is included can be printed.
#pragma once

#include <optional>
#include <string>

namespace warpglass::session {

struct ForbiddenInclude {
    int line = 0;
    std::string text; // as it is written: "#include \"/etc/passwd\""
};

// A byte that no source has: a control character other than blanks and ends of lines. Compilers pass over some of them,
// and take what stands around them for one word.
std::optional<ForbiddenInclude> forbiddenByte(const std::string& source);

// The first; nothing: there is none. What only looks like one, in a comment or a string, is one, too.
std::optional<ForbiddenInclude> forbiddenInclude(const std::string& source);

} // namespace warpglass::session
