// SPDX-License-Identifier: GPL-3.0-or-later
// views/program: what a whole program did with its device, over time. A row for the host (waits, memory) and one for
// each stream (launches above; copies, fills and events below). Times are the host's clock. In: a ProgramModel; out: a
// picture, whose clicks choose an operation and a kernel and whose double clicks ask for a launch's own trace.
//
//   program_model     what is worked out once of a program's operations
//   program_columns   operations as marks on pixels
//   program_layout    where the parts lie
//   program_paint     how they are drawn
//   program_waits     what waited for what
//   program_text      what is said about them
#pragma once

#include "views/common/view.h"

namespace warpglass {

std::unique_ptr<View> makeProgramView();

// What a double click on a launch asks of the window: this, then the number of the operation.
inline constexpr const char* openLaunchAction = "openLaunch:";

} // namespace warpglass
