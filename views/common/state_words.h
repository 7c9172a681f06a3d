// SPDX-License-Identifier: GPL-3.0-or-later
// The one glossary of what warps do: timeline, scheduler, charts, tool tips and the window's `?` all say these words.
// A state's name says what a warp does or waits for, its word is the name's short form for a cell, and Nsight's name is
// what NVIDIA's profiler calls it.
#pragma once

#include "gpu/trace/tables.h"
#include "views/common/marks.h"

#include <QString>

namespace warpglass {

QString stateName(WarpState state);    // translated: "waits for memory (long scoreboard)"
QString stateWord(WarpState state);    // translated: "memory"
QString stateNsight(WarpState state);  // "Stall Long Scoreboard", in every language
QString stateMeaning(WarpState state); // translated: one sentence
// Its mark beside its colour: states whose colours look alike to who sees no red, no green or no blue have different ones.
Hatch stateHatch(WarpState state);
// For tool tips: the meaning, and how Nsight calls it.
QString stateExplained(WarpState state);

} // namespace warpglass
