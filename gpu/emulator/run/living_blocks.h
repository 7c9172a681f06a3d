// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that wait for each other. On a device the blocks that fit run at the same time; here one runs after the other,
// and one that can do nothing but ask in vain for what another block has to write is put aside. When all blocks have
// begun, or no more fit on the device, those that were put aside take turns, in order, until all have ended: grid
// barriers, locks, chains of sums, producers and consumers come to their end. The order of turns follows from the
// program alone, so the result is the same every time.
//
// If two rounds go by in which nobody did anything but wait, the launch can never end, and is told to hang at once: who
// waits where, for which word, and why nobody is left to write it.
//
// The blocks of a cluster begin together, and take turns from then on.
//
// A block that never waits is run to its end in one turn, as if none of this was there.
#pragma once

#include "gpu/emulator/run/block.h"
#include "gpu/emulator/run/grid_run.h"

#include <deque>
#include <functional>
#include <memory>

namespace warpglass::emulator {

struct LivingBlock {
    std::uint64_t index = 0; // linear
    std::unique_ptr<BlockRunner> runner;
    std::unique_ptr<Recorder> recorder;                    // nullptr: without events
    std::function<void(LivingBlock&, std::int64_t)> ended; // told the steps, before events are taken; may be empty
    bool ownCounters = false;
};

class LivingBlocks {
public:
    explicit LivingBlocks(GridRun& run);

    // Gives each block of the list a place in order. last: all are to end; otherwise those that wait stay for later.
    void run(const BlockList& list, TouchTable* table, std::uint64_t touchesPerBlock, bool last);
    // A block that has begun, and one or many turns of it by whoever holds it. True: it has ended or failed, and left.
    LivingBlock begun(std::uint64_t index, TouchTable* table, std::uint64_t touchesPerBlock);
    bool finished(LivingBlock& block, std::uint64_t instructions = 0); // of each warp; 0: until it ends or waits
    // One that others have begun and that waits.
    void adopt(LivingBlock block) { m_blocks.push_back(std::move(block)); }
    bool empty() const { return m_blocks.empty(); }
    Clusters& clusters() { return m_clusters; }

private:
    void clusters(const BlockList& list, TouchTable* table, std::uint64_t touchesPerBlock, bool last);
    Moved turns(); // of all that wait
    void round();
    void hang();
    bool letLanesGoApart(); // false: there are none that could

    GridRun& m_run;
    std::deque<LivingBlock> m_blocks; // that wait
    std::uint64_t m_places;           // on the whole device
    Counters m_counters;
    Clusters m_clusters;
    std::unique_ptr<BlockRunner> m_spare;
    bool m_apart = false;      // lanes have been let go, and those of blocks to come may as well
    int m_quiet = 0;           // rounds in which nobody moved
    std::uint64_t m_tries = 0; // instructions of rounds in which nobody did more than try
};

} // namespace warpglass::emulator
