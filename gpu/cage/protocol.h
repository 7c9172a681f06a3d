// SPDX-License-Identifier: GPL-3.0-or-later
// What both sides of the cage know. Words of the command line: the process that started it, how many seconds of the
// processors it may take, and the protocol.
#pragma once

#include <string_view>

namespace warpglass::cage {

// Descriptors of the program: the line, on which it hears what is asked and answers, and the progress.
inline constexpr int firstFile = 3, lineFile = 3, progressFile = 4, lastFile = 4;
inline constexpr int noMemoryStatus = 9, otherBuildStatus = 10;

// A number of what travels: a cage that was built of other headers reads other bytes.
std::string_view protocol();

} // namespace warpglass::cage
