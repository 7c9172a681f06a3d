// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/session.h"

#include <nlohmann/json_fwd.hpp>

namespace warpglass::session {

// What a run came to, as one object: kernel, backend, device, mode, launch, check, launches, warp_instructions, wall_s,
// metrics of the host's launch; beside these, where there is something to say: check_why, fault, diagnostics, output,
// lost events. plan is null for a trace from a file: then check is "none" and wall_s null.
nlohmann::ordered_json summaryJson(const Recording& recording, const LaunchPlan* plan);

// The same for a person: a few lines and a table.
std::string summaryText(const Recording& recording, const LaunchPlan* plan);

// A trace from a file as the Recording that summaryJson reads.
Recording recordingOf(TracePtr trace);

nlohmann::ordered_json hangJson(const Trace& trace); // of a launch that hangs, who waits for whom; else null
nlohmann::ordered_json catalogueJson();              // {"kernels": [...]}
nlohmann::ordered_json shapeJson(Dim3 shape);        // [x, y, z]

// "12.5", "1 234", "4.2e+09": six significant digits at most, no trailing zeros.
std::string numberText(double value);

} // namespace warpglass::session
