// SPDX-License-Identifier: GPL-3.0-or-later
// One block on one host thread, its warps in turn until each is at a barrier or done.
#pragma once

#include "gpu/emulator/run/grid.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpglass::emulator {

class BlockRunner {
public:
    BlockRunner(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                const std::vector<std::byte>& constants, DeviceState& device, Progress& progress);
    // Steps the block took. False in ok: a fault (told in diagnostics()) or cancelled.
    std::int64_t run(std::uint64_t index, Recorder* recorder, bool& ok) {
        begin(index, recorder);
        return finish(ok);
    }
    // The two halves of run(): the timing model issues instructions between them.
    void begin(std::uint64_t index, Recorder* recorder);
    std::int64_t finish(bool& ok);
    BlockState& block() { return m_block; }
    Exec& exec() { return m_exec; }
    std::uint64_t issued() const; // warp-instructions of the block so far
    void touch(TouchTable* table, std::uint64_t sectorsPerBlock) {
        m_exec.touched = table;
        m_touchesPerBlock = sectorsPerBlock;
    }
    Counters& counters() { return m_counters; }
    std::vector<Diagnostic> diagnostics();
    std::string takeOutput() { return std::exchange(m_block.output, {}); }
    ~BlockRunner();

private:
    void deadlock();
    const LaunchState& m_launch;
    const GridOptions& m_options;
    Progress& m_progress;
    std::uint64_t m_touchesPerBlock = 0;
    BlockState m_block;
    Counters m_counters;
    std::unique_ptr<Diagnostics> m_diagnostics;
    Exec m_exec;
};

} // namespace warpglass::emulator
