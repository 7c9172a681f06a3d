// SPDX-License-Identifier: GPL-3.0-or-later
// What both sides of the cage know. Words of the command line: the process that started it, and how many seconds of the
// processors it may take.
#pragma once

namespace warpglass::cage {

// Descriptors of the program: what is asked, the answer, the progress, and one that tells by its closing that it ended.
inline constexpr int firstFile = 3, askedFile = 3, answerFile = 4, progressFile = 5, lastFile = 6;
inline constexpr int noMemoryStatus = 9;

} // namespace warpglass::cage
