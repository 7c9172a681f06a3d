// SPDX-License-Identifier: GPL-3.0-or-later
// One block on one host thread, its warps in turn until each is at a barrier, done, or waiting for another block.
#pragma once

#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/run/grid.h"
#include "gpu/emulator/state/cluster.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpglass::emulator {

enum class Turn : std::uint8_t { Ended, Failed, Waits };
// What a turn came to: nothing, since every warp waits; tries that may lead somewhere; or work.
enum class Moved : std::uint8_t { Nothing, Tries, Work };

class BlockRunner {
public:
    // counters: where the block's are added up; nullptr: in the runner itself.
    BlockRunner(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                const std::vector<std::byte>& constants, DeviceState& device, Progress& progress,
                Counters* counters = nullptr);
    // Before the first turn; the timing model issues instructions in between.
    void begin(std::uint64_t index, Recorder* recorder);
    // Runs the block until it has ended or failed (told in diagnostics(), or cancelled), or until none of its warps can
    // do more than ask in vain for what somebody else has to write.
    Turn turn() { return turn(bounds.slice, false); }
    // The same, but only until each of its warps has run so many instructions, about: then it waits for its next turn, too.
    Turn turnOf(std::uint64_t instructions) { return turn(instructions, true); }
    // With the stack: who waits for lanes of its own warp lets them go on. False: nobody is there to go.
    bool letLanesGoApart();
    void end(); // all its warps have: what is under way comes to its end, too; the timing model says so itself
    Moved moved() const { return m_moved; } // in the last turn
    std::int64_t steps();                   // that the block took, once it has ended
    BlockState& block() { return m_block; }
    Exec& exec() { return m_exec; }
    std::uint64_t issued() const;                            // warp-instructions of the block so far
    void join(Clusters* clusters) { m_clusters = clusters; } // where blocks of a cluster find each other
    void touch(TouchTable* table, std::uint64_t sectorsPerBlock) {
        m_exec.touched = table;
        m_exec.chooseWatchers();
        m_touchesPerBlock = sectorsPerBlock;
    }
    Counters& counters() { return m_counters; }
    std::vector<Diagnostic> diagnostics();
    std::string takeOutput() { return std::exchange(m_block.output, {}); }
    ~BlockRunner();

private:
    Turn turn(std::uint64_t slice, bool once); // once: no warp has two
    Moved run(WarpContext& warp, std::uint64_t slice);
    bool countFrames();
    void deadlock();
    bool waitsForCluster() const;
    const LaunchState& m_launch;
    const GridOptions& m_options;
    Progress& m_progress;
    Clusters* m_clusters = nullptr;
    std::uint64_t m_touchesPerBlock = 0;
    std::vector<std::uint32_t> m_turned; // warps in an adverse order; empty: as they are numbered
    bool m_isCounted = false;            // its warps' first frames, towards what kernels make the host keep
    BlockState m_block;
    Counters m_counters; // unless they are added up elsewhere
    Moved m_moved = Moved::Nothing;
    bool m_polled = false; // in this turn
    std::unique_ptr<Diagnostics> m_diagnostics;
    Exec m_exec;
    std::unique_ptr<AccessShapes> m_shapes;
};

} // namespace warpglass::emulator
