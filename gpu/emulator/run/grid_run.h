// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of one launch while they run.
#pragma once

#include "gpu/emulator/run/grid.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace warpglass::emulator {

struct BlockList { // given, or 0 to count - 1
    const std::vector<std::uint64_t>* blocks = nullptr;
    std::uint64_t count = 0;
    std::uint64_t size() const { return blocks ? blocks->size() : count; }
    std::uint64_t at(std::uint64_t k) const { return blocks ? (*blocks)[k] : k; }
};

class LivingBlocks;
class BlockRunner;

struct GridRun {
    const LaunchState& launch;
    const GridOptions& options;
    GlobalMemory& memory;
    const std::vector<std::byte>& constants;
    DeviceState& device;
    Progress& progress;
    GridResult result = {};

    static constexpr std::uint64_t noRow = ~std::uint64_t(0);

    GridRun(const LaunchState& state, const GridOptions& how, GlobalMemory& global,
            const std::vector<std::byte>& consts, DeviceState& on, Progress& told);
    ~GridRun();

    // Runs the blocks on all host threads, or in order where the order matters. table: told the first sectors that each
    // block touches, or nullptr. last: no more will come, so that those that wait for each other are to end now.
    void blocks(const BlockList& list, TouchTable* table, std::uint64_t touchesPerBlock, bool last);
    LivingBlocks& living();
    std::uint64_t recordedRow(std::uint64_t block) const; // of GridResult::recorded; noRow: without events
    // What a block leaves behind besides memory and sums. Any thread.
    void leave(std::uint64_t block, std::string output, std::vector<Diagnostic> diagnostics);
    // A block is over, by its end or by a failure. told: its steps, before its events are taken.
    void ended(std::uint64_t block, BlockRunner& runner, Recorder* recorder,
               const std::function<void(std::int64_t)>& told);
    void add(const Counters& counters); // any thread
    void stop() { m_stop = true; }
    bool stopped() const { return m_stop; }
    void finish(); // sums, outputs and diagnostics in block order

private:
    struct Leftover {
        std::uint64_t block = 0;
        std::string output;
        std::vector<Diagnostic> diagnostics;
    };
    void work(const BlockList& list, std::atomic<std::uint64_t>& next, std::uint64_t chunk, TouchTable* table,
              std::uint64_t touchesPerBlock);
    std::atomic<bool> m_stop{false};
    std::atomic<bool> m_needsOrder{false}; // blocks wait for each other, and several host threads ran them
    std::mutex m_mutex;                    // guards m_leftovers and result.counters
    std::vector<Leftover> m_leftovers;
    std::unique_ptr<LivingBlocks> m_living;
};

} // namespace warpglass::emulator
