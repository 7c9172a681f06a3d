// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of a GPU that may lie under a modelled launch (views/common/ghost.h): those that a person opened since the
// program began, newest first, then those that come with the program. The newest are kept up to so many bytes; one beyond
// them only lies under a launch while somebody else holds it, since it is open or can be had back.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace warpglass {

class Ghosts {
public:
    explicit Ghosts(std::uint64_t mostBytes = std::uint64_t(256) << 20) : m_mostBytes(mostBytes) {}

    void remember(const TracePtr& trace); // of a GPU; others are not taken
    // Of what was opened; null if none is of this launch.
    TracePtr opened(const Trace& modelled) const;

private:
    struct Opened {
        std::weak_ptr<const Trace> trace;
        TracePtr kept; // null: too large for us to keep it
    };

    std::uint64_t m_mostBytes;
    std::vector<Opened> m_opened; // newest first
};

// Of what comes with the program; null if none is of this launch. Reads files: away from the GUI thread.
TracePtr shippedGhost(const Trace& modelled);

} // namespace warpglass
