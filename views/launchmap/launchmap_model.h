// SPDX-License-Identifier: GPL-3.0-or-later
// What the launch map knows about one launch, worked out once: who was resident when and where, how the grid fell into
// waves, what the tail cost, and how evenly the SMs were used.
//
// In: a Trace and a row of its launch table. Out: an immutable LaunchMapModel, shared by every picture of that launch.
// The trick is to keep starts and ends sorted with their running sums: the number of resident blocks at a moment, and
// the mean over any span of time, are then two binary searches each, so that a picture costs what its pixels cost and a
// launch of a million blocks plays as smoothly as one of ten.
//
// Blocks are named by their linear blockIdx here; row = launch.firstBlock + index. Times are on the trace's axis.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace warpglass {

enum class BlockState : std::uint8_t { Waiting, Resident, Done, NotRun };

// Half open like all ranges: a block is resident from its start up to, and not at, its end. One without any time between
// them never ran, as after a fault: it is of no wave, and no SM had it.
bool ran(const Block& block);
BlockState blockState(const Block& block, Time now);

struct BlockCounts {
    std::uint64_t waiting = 0, resident = 0, done = 0, notRun = 0;
};

// How many blocks an SM holds at once, and how that is known.
enum class CapacityBasis : std::uint8_t {
    Observed, // the most that were seen together on one SM
    Computed, // what the occupancy rules allow
};

// Of the blocks that ran. A wave is as many blocks as the device holds at once: smCount x blocksPerSm.
struct Waves {
    std::uint32_t blocksPerSm = 0;
    CapacityBasis basis = CapacityBasis::Observed;
    std::uint64_t capacity = 0;       // blocks in a full wave
    std::uint64_t full = 0;           // waves that were full
    std::uint64_t lastWaveBlocks = 0; // blocks of the wave that was not; 0 if all were
    // The tail: from the moment the last block started, when nothing waits any more and places that become free stay
    // empty.
    TimeRange tail;
    double tailUse = 0;                            // percent of the places x time in the tail that held a block
    double tailShare = 0;                          // percent of the launch's time that is tail
    bool hasTail() const { return tailUse < 100; } // where every place is used until the end there is none
    double launchUse = 0;                          // percent of the places x time of the whole launch
    std::uint64_t count() const { return full + (lastWaveBlocks ? 1 : 0); }
    double lastWaveFill() const { return capacity ? 100.0 * double(lastWaveBlocks) / double(capacity) : 0; } // percent
};

// Blocks an SM ran: in all, or up to a moment.
struct Balance {
    std::vector<std::uint32_t> blocks; // [sm]
    std::uint32_t least = 0, most = 0;
    double mean = 0;
};

class LaunchMapModel {
public:
    // computedBlocksPerSm: what the occupancy rules allow (capacity.h), or nothing if they are not known for the
    // device.
    LaunchMapModel(const Trace& trace, std::uint32_t launch, std::optional<std::uint32_t> computedBlocksPerSm);

    std::uint32_t launch() const { return m_launch; }
    std::uint64_t blockCount() const { return m_spans.size(); }
    TimeRange range() const { return m_range; } // of the launch; from the blocks' own times if it has none
    int smCount() const { return m_smCount; }
    int placesPerSm() const { return m_drawnPlaces; } // as drawn: the limit, or fewer if no SM had as many blocks

    BlockCounts counts(Time now) const;
    std::uint64_t resident(Time now) const;
    double meanResident(TimeRange span) const; // over a span of positive length
    std::uint64_t peakResident() const { return m_peak; }

    const Waves& waves() const { return m_waves; }
    Time waveStart(std::uint64_t wave) const; // when the first block of this wave started; wave < waves().count()
    const Balance& balance() const { return m_balance; }
    // Of the blocks that had begun by then, without those that are still on their way (arrivals.h).
    Balance balanceAt(Time now, std::span<const std::uint32_t> coming = {}) const;

    // An SM's places: a block takes the lowest place that is free when it starts, and keeps it. So a block stays put in
    // the picture while time plays.
    int place(std::uint32_t block) const { return m_place[block]; }
    // The block in that place now, or noIndex.
    std::uint32_t blockIn(int sm, int place, Time now) const;
    int residentOn(int sm, Time now) const;
    std::vector<std::uint32_t> beginningAt(Time now) const; // blocks that start in this very moment, by number

    // The next moment after (or last before) now at which a block starts or ends; nothing if there is none.
    std::optional<Time> nextChange(Time now) const;
    std::optional<Time> previousChange(Time now) const;

    std::size_t bytes() const;

private:
    struct Span {
        std::int64_t begin, end;
    };
    void placeBlocks(const Trace& trace);
    void findWaves(std::optional<std::uint32_t> computedBlocksPerSm, std::uint32_t observed);
    std::int64_t area(std::int64_t t) const; // block x time up to t, t relative to the range's begin

    std::uint32_t m_launch = 0;
    TimeRange m_range;
    int m_smCount = 0, m_places = 0, m_drawnPlaces = 0; // m_places: blocks ever seen together on an SM
    std::uint64_t m_peak = 0;
    std::vector<std::int64_t> m_starts, m_ends;       // of those that ran, sorted, relative to m_range.begin
    std::vector<std::int64_t> m_startSums, m_endSums; // [n]: sum of the first n
    std::vector<std::uint8_t> m_place;                // [block]
    std::vector<std::uint32_t> m_placeRows;           // blocks that ran by SM, place, start
    std::vector<std::uint32_t> m_placeFirst;          // [sm * m_places + place], and one past the end
    std::vector<Span> m_spans;                        // [block], relative
    Waves m_waves;
    Balance m_balance;
};

using LaunchMapModelPtr = std::shared_ptr<const LaunchMapModel>;

} // namespace warpglass
