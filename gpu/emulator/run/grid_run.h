// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of one launch while they run.
#pragma once

#include "gpu/emulator/run/grid.h"

#include <atomic>
#include <mutex>

namespace warpglass::emulator {

struct BlockList { // given, or 0 to count - 1
    const std::vector<std::uint64_t>* blocks = nullptr;
    std::uint64_t count = 0;
    std::uint64_t size() const { return blocks ? blocks->size() : count; }
    std::uint64_t at(std::uint64_t k) const { return blocks ? (*blocks)[k] : k; }
};

struct GridRun {
    const LaunchState& launch;
    const GridOptions& options;
    GlobalMemory& memory;
    const std::vector<std::byte>& constants;
    DeviceState& device;
    Progress& progress;
    GridResult result = {};

    static constexpr std::uint64_t noRow = ~std::uint64_t(0);

    // Runs the blocks on all host threads. table: told the first sectors that each block touches, or nullptr.
    void blocks(const BlockList& list, TouchTable* table, std::uint64_t touchesPerBlock);
    std::uint64_t recordedRow(std::uint64_t block) const; // of GridResult::recorded; noRow: without events
    // What a block leaves behind besides memory and sums. Any thread.
    void leave(std::uint64_t block, std::string output, std::vector<Diagnostic> diagnostics);
    void stop() { m_stop = true; }
    bool stopped() const { return m_stop; }
    void finish(); // sums, outputs and diagnostics in block order

    struct Leftover {
        std::uint64_t block = 0;
        std::string output;
        std::vector<Diagnostic> diagnostics;
    };
    std::atomic<bool> m_stop{false};
    std::mutex m_mutex = {}; // guards m_leftovers and result.counters
    std::vector<Leftover> m_leftovers = {};

private:
    void work(const BlockList& list, std::atomic<std::uint64_t>& next, std::uint64_t chunk, TouchTable* table,
              std::uint64_t touchesPerBlock);
};

} // namespace warpglass::emulator
