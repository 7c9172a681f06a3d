// SPDX-License-Identifier: GPL-3.0-or-later
// Variables in shared, local and constant memory, as their users call them.
#pragma once

#include "gpu/base/message.h"
#include "gpu/emulator/code/program.h"
#include "gpu/launch/plan.h"
#include "gpu/launch/shared_members.h"

#include <string>

namespace warpglass::emulator {

// "_ZZ4kernPfE4tile" -> "tile".
std::string nameOf(const DeclaredObject& object);
std::string shortName(const std::string& symbol); // the same of any symbol

// The element of whatever variable lies there, in that function's frame, or, of shared and constant memory (function:
// noIndex), in all of it, counted in so many bytes each: "tile[47]".
Message elementAt(const Program& program, ptx::StateSpace space, std::uint32_t function, std::uint64_t at,
                  std::uint64_t bytes);

// What members the source of the launch's kernels tells of structs in shared or constant memory, which has so many bytes.
cuda_text::SharedMembers membersIn(const Program& program, ptx::StateSpace space, const LaunchPlan& plan,
                                   std::uint64_t bytes);

// The same of something of its own in shared memory: "full[1]"; "done", which is no array; "at byte 2072" where only bytes are
// declared, or nothing.
Message sharedObjectAt(const Program& program, std::uint64_t at, std::uint64_t bytes);

// The variable in shared memory that lies there; nullptr: none is declared.
const DeclaredObject* sharedDeclared(const Program& program, std::uint64_t at);

// The same of whatever somebody accesses there: "tile[47]"; "byte 188" where nothing is declared, or between two elements.
Message sharedElementAt(const Program& program, std::uint64_t at, std::uint64_t bytes);

} // namespace warpglass::emulator
