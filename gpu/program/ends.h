// SPDX-License-Identifier: GPL-3.0-or-later
// ProgramInfo::exitStatus and ProgramProcess::exitStatus where they are none.
#pragma once

#include <cstdint>

namespace warpglass::program {

inline constexpr std::int64_t statusUnknown = -1;
inline constexpr std::int64_t endedSilently = -2; // the recording has no end: killed, left by _exit(), or still at work

} // namespace warpglass::program
