// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/metrics/memory_access.h"
#include "gpu/trace/trace.h"
#include "views/common/selection.h"

#include <optional>
#include <vector>

namespace warpglass {

// The access the selection points at, analysed.
struct ShownAccess {
    std::uint64_t event = 0;
    std::uint32_t warp = 0;
    const AccessRow* row = nullptr; // owned by the trace
    Event what;
    std::uint32_t ptxLine = 0, sourceLine = 0;
    unsigned bytesPerLane = 4;
    int ordinal = 0, total = 0; // n-th (1-based) of the warp's accesses that pass the filter
    bool isShared = false;
    int lanesAtOneWord = 0; // of an atomic: at the word that most lanes want
    GlobalAccess global;    // meaningful when not shared
    SharedAccess shared;    // meaningful when shared
};

enum class SpaceFilter { All, Global, Shared };

// The last access of the selected warp at or before the selection's time, of the selected PTX or source line if one is
// selected and the warp makes such an access at all; the warp's first one if time has not come that far. Without a
// selected warp: the first warp of the selected block (or of the launch) that made an access. Nothing if none was
// recorded.
std::optional<ShownAccess> shownAccess(const Trace& trace, const Selection& selection, SpaceFilter filter);
// The warp's rows of the access table that pass the filter, in time order; and one of them analysed.
std::vector<const AccessRow*> accessesOf(const Trace& trace, const Warp& warp, SpaceFilter filter);
ShownAccess analysed(const Trace& trace, std::uint32_t warp, const AccessRow& row);
// Whether there is one, without working it out.
bool hasAccess(const Trace& trace, const Selection& selection, SpaceFilter filter);

// The event row of the neighbouring access of the same warp (step +1 or -1), or nothing at the ends.
std::optional<std::uint64_t> neighbourAccess(const Trace& trace, const ShownAccess& now, SpaceFilter filter, int step);

// One row of the table: an instruction that touches memory.
struct AccessLine {
    std::uint32_t ptxLine = 0, sourceLine = 0;
    MemorySpace space = MemorySpace::Global;
    AccessKind kind = AccessKind::Load;
    std::uint64_t requests = 0, sectors = 0, passes = 0, idealPasses = 0;
    double perRequest = 0;     // sectors, or passes of shared memory, a request
    double efficiency = 0;     // percent; shared: ideal passes / passes
    double lanesAtOneWord = 0; // of an atomic: at the word that most lanes of a request want; 0: not known
};
std::vector<AccessLine> accessLines(const Trace& trace, std::uint32_t launch, SpaceFilter filter);

} // namespace warpglass
