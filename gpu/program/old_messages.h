// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings that are older than kinds of messages have their words alone.
#pragma once

#include "gpu/program/program.h"

namespace warpglass::program {

// Gives a kind to each message that has none. What is written today needs nothing here.
void findKinds(ProgramTrace& program);

} // namespace warpglass::program
