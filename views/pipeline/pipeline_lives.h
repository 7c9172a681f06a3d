// SPDX-License-Identifier: GPL-3.0-or-later
// What one warp of a block does and waits for, over its whole life: from the cycles of the timing model where the trace
// has them, else from its events and the lines between them.
#pragma once

#include "gpu/base/progress.h"
#include "views/pipeline/pipeline_lines.h"

#include <array>
#include <optional>
#include <span>

namespace warpglass {

// In the order in which a lane of several warps says what most of them do, where as many do one thing as another.
enum class Doing : std::uint8_t {
    Multiplies, // products are under way
    Orders,     // copies into shared memory
    Stores,
    Computes,   // with floats, beside the tensor cores
    Works,      // anything else
    WaitsCopy,  // for bytes that are on their way
    WaitsOrder, // for bytes that nobody has asked for yet
    WaitsSlot,  // for room: others have not read yet what is there
    WaitsWarp,  // for another mbarrier
    WaitsBarrier,
    WaitsLoad, // for memory
    Gone,
    Count_
};
constexpr bool waits(Doing doing) {
    return doing >= Doing::WaitsCopy && doing <= Doing::WaitsLoad;
}

// Times are ticks: cycles of the SM where the trace has states or a GPU's clocks, else its own unit.
struct Ticks {
    double perUnit = 1; // of the trace's time
    bool areCycles = false;
    int ofInstruction = 1; // from one to the next that needs its result
    std::int64_t of(Time time) const;
    Time time(std::int64_t tick) const; // the unit in which it lies
};

struct DoingSpan {
    std::int64_t begin = 0, end = 0;
    Doing doing = Doing::Works;
    bool operator==(const DoingSpan&) const = default;
};

// A group of copies by cp.async that the warp waited for, and used until it waited for the next one. Of several that were there
// before it used any, which it used when is not known.
struct HeldGroup {
    std::uint32_t group = 0; // of the warp, counted from 0
    std::int64_t waited = 0, first = 0, last = 0;
    bool used = false;
};

struct WarpLife {
    std::uint32_t warp = 0;    // row of the warp table
    std::int64_t modelled = 0; // its states tell what it does until then
    std::array<std::vector<std::uint32_t>, std::size_t(LineKind::Arithmetic) + 1> lines; // that it passed, ascending
    std::vector<DoingSpan> spans;
    struct Product {
        std::int64_t at = 0;
        std::uint32_t line = 0;
    };
    std::vector<Product> products;
    std::vector<std::int64_t> commits; // of groups of copies
    std::vector<HeldGroup> held;

    bool did(LineKind kind) const { return !lines[std::size_t(kind)].empty(); }
};

std::vector<PhaseEvent>::const_iterator firstPhaseEvent(const Trace& trace,
                                                        std::uint32_t block); // or behind those before
// Of each warp of a block: since when and until when it waited for groups of cp.async, where that is recorded.
std::vector<std::vector<DoingSpan>> groupWaitsOf(const Trace& trace, std::uint32_t block, const PtxLines& lines,
                                                 const Ticks& ticks);

// When a warp was about to run a line, told by a copy or by what it did to an mbarrier.
struct Passage {
    Time time;
    std::uint32_t ptxLine = 0;
};
// Of each warp of a block, by time. Empty where times are steps: these are an instruction each, and events tell all.
std::vector<std::vector<Passage>> passagesOf(const Trace& trace, std::uint32_t block);

// Null if cancelled.
std::optional<WarpLife> lifeOf(const Trace& trace, std::uint32_t warp, PtxLines& lines, const Ticks& ticks,
                               std::span<const Passage> passages, Progress& progress);

// Puts waits over what stands there.
void layOver(std::vector<DoingSpan>& spans, const std::vector<DoingSpan>& over);

} // namespace warpglass
