// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that are chosen once, when a program has been decoded: each looks at the code, and marks those instructions of which
// it may have something to say. Others cost nothing when the program runs.
#pragma once

#include "gpu/emulator/code/program.h"
#include "gpu/emulator/watch/registers_under_way.h"

namespace warpglass::emulator {

struct ProgramCheck {
    void (*begin)(Program& program);
};

void boundDeclared(Program& program);  // declared_bounds.cpp
void boundMembers(Program& program);   // member_bounds.cpp
void markAsked(Program& program);      // spin_loops.cpp
void markStageReads(Program& program); // stages.cpp

inline constexpr ProgramCheck programChecks[] = {
    {&boundDeclared}, {&boundMembers}, {&markAsked}, {&markStageReads}, {&markRegistersUnderWay},
};

} // namespace warpglass::emulator
