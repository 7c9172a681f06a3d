// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of a GPU that may lie under a modelled launch (views/common/ghost.h): those that a person opened since the
// program began, newest first, then those that come with the program.
#pragma once

#include "gpu/trace/trace.h"

#include <vector>

namespace warpglass {

class Ghosts {
public:
    void remember(const TracePtr& trace); // of a GPU; others are not taken
    // Of what was opened; null if none is of this launch.
    TracePtr opened(const Trace& modelled) const;

private:
    std::vector<TracePtr> m_opened; // newest first
};

// Of what comes with the program; null if none is of this launch. Reads files: away from the GUI thread.
TracePtr shippedGhost(const Trace& modelled);

} // namespace warpglass
