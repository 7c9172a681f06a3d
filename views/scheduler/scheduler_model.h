// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/progress.h"
#include "views/scheduler/state_sums.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

// A scheduler that a launch was timed on.
struct SchedulerPlace {
    std::uint16_t sm = 0;
    std::uint8_t scheduler = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): it means the 0 of the comparison that the compiler writes
    auto operator<=>(const SchedulerPlace&) const = default;
};
// Ascending; empty without states.
std::vector<SchedulerPlace> schedulerPlaces(const Trace& trace, std::uint32_t launch);
// What to show: the wanted SM and scheduler (-1 = any), else those of the warp, else the first.
SchedulerPlace chosenPlace(const std::vector<SchedulerPlace>& places, const Trace& trace, std::uint32_t warp, int sm,
                           int scheduler);

// Cycles of an SM and times of the trace. A cycle is shorter than a nanosecond, so times are not enough to say a cycle.
struct CycleClock {
    double origin = 0; // time of cycle 0, in the trace's unit
    double unitsPerCycle = 1;

    Time time(double cycle) const;       // the unit that holds it
    std::int64_t cycle(Time time) const; // the first cycle of that unit
};

// A stretch of cycles, fractions allowed: what is visible.
struct CycleRange {
    double begin = 0, end = 0;
    double length() const { return end - begin; }
    bool operator==(const CycleRange&) const = default;
};

// What a scheduler did in a number of its cycles.
struct SlotUse {
    std::int64_t cycles = 0;        // all
    std::int64_t issued = 0;        // an instruction was issued
    std::int64_t waiting = 0;       // at least one warp was stalled
    std::int64_t issuedWaiting = 0; // at least one warp was stalled, and an instruction of another one was issued
    std::int64_t empty = 0;         // no warp was there

    double issueShare() const { return cycles > 0 ? double(issued) / double(cycles) : 0; } // issue-slot use
    // Latency hidden: of the cycles in which some warp waits, the share in which another one issues; -1 if none waits.
    double hiddenShare() const { return waiting > 0 ? double(issuedWaiting) / double(waiting) : -1; }
    SlotUse operator-(const SlotUse& other) const;
};

struct SchedulerRow {
    std::uint16_t slot = 0;
    SlotStates states;
};

// How long the blocks of a launch live, in the trace's unit: nine of ten between low and high (the 5th and the 95th of
// a hundred, by nearest rank). No blocks: the trace has no time (functional run), or recorded none.
struct BlockLives {
    std::uint64_t blocks = 0;
    std::int64_t low = 0, high = 0;
};
BlockLives blockLives(const Trace& trace, std::uint32_t launch);

// One scheduler of one SM through one launch.
struct SchedulerModel {
    TracePtr trace; // keeps it alive
    std::uint32_t launch = 0;
    SchedulerPlace place;
    std::vector<SchedulerRow> rows; // by slot
    TimeRange range;                // cycles, of the whole SM
    CycleClock clock;
    BlockLives lives;                       // of the whole launch, on all SMs
    std::string policy;                     // "lrr", "gto", "gty"; empty if the trace does not say
    std::vector<std::string_view> ptxLines; // of the launch's kernel; [0] is line 1
    std::vector<std::string_view> sourceLines;

    // Sums over the cycles below `cycle`, which is clamped to range.
    SlotUse useBefore(std::int64_t cycle) const;
    SlotUse use(std::int64_t begin, std::int64_t end) const { return useBefore(end) - useBefore(begin); }
    StateTimes times(std::int64_t begin, std::int64_t end) const; // all rows
    int issuingRow(std::int64_t cycle) const;                     // -1: nothing is issued
    int rowOfWarp(std::uint32_t warp) const;                      // -1: on another scheduler
    // The instruction that the warp of a slot issues, or waits to issue, in a cycle; where the trace names none (at a
    // barrier, at the end) the one it issued last, and issuedBefore is set. 0 if nobody is there.
    std::uint32_t lineAt(const SlotStates& states, std::int64_t cycle, bool& issuedBefore) const;
    std::string_view ptx(std::uint32_t line) const;        // without blanks at the ends; empty if there is none
    std::uint32_t sourceLine(std::uint32_t ptxLine) const; // 0 = unknown
    std::string_view source(std::uint32_t line) const;

    struct Run { // from here to the next run the scheduler did the same
        std::int64_t begin = 0;
        bool issued = false, waiting = false, empty = false;
        SlotUse before;
    };
    std::vector<Run> runs;
};

// nullptr if cancelled; a model without rows if the launch was not timed there.
std::shared_ptr<const SchedulerModel> buildSchedulerModel(TracePtr trace, std::uint32_t launch, SchedulerPlace place,
                                                          Progress& progress);

// "bra" of "@%p2 bra.uni L;": the operation's first word.
std::string_view operationOf(std::string_view ptx);
bool isBlockBarrier(std::string_view ptx); // bar.sync, barrier.sync, bar.red, ...: not bar.warp.sync

// Where a step leads: the next (+1) or previous (-1) cycle in which the warp issues anything, or a barrier; the cycle
// itself if there is none.
std::int64_t issueFrom(const SchedulerModel& model, std::uint32_t warp, std::int64_t cycle, int direction);
std::int64_t barrierFrom(const SchedulerModel& model, std::uint32_t warp, std::int64_t cycle, int direction);

// Warps that are resident at the same time, at most: on the fullest SM, and on the whole device. Zero if the trace has
// no time (functional run).
struct ResidentWarps {
    std::uint64_t onSm = 0, onDevice = 0;
};
ResidentWarps residentWarps(const Trace& trace, std::uint32_t launch);

} // namespace warpglass
