// SPDX-License-Identifier: GPL-3.0-or-later
// A run: the host's launch and, when it is through, what it has launched itself, and what that has, ...
//
// Device-side launches wait until the grid that made them has ended; then they run in the order in which they were
// made, tail launches last. Every launch leaves a LaunchRecord, those that were dropped too.
#pragma once

#include "gpu/device/device.h"
#include "gpu/device/device_timing.h"
#include "gpu/device/footprint.h"
#include "gpu/emulator/launch/launch_memory.h"
#include "gpu/emulator/run/grid.h"
#include "gpu/emulator/timing/estimate.h"
#include "gpu/emulator/watch/memory_use.h"
#include "gpu/launch/backend.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpglass::emulator {

// What estimates of a kernel's durations rest on, from launch to launch.
struct KernelEstimate {
    std::optional<KernelCost> cost;
    Reuse reuse;
    std::uint64_t launches = 0;
};

// Programs of the entry and of every entry it can launch.
struct Programs {
    std::vector<std::unique_ptr<Program>> all;         // a kernel row each; [0] the host's
    std::map<std::uint32_t, std::uint32_t> ofFunction; // index in Module::functions -> row
    std::vector<KernelEstimate> estimates;             // a row's
    std::vector<std::uint32_t> registers; // a row's, a thread: estimated (gpu/ptx/register_estimate.h); 0 = not known
};

Result<Programs> decodeAll(const ptx::Module& module, std::uint32_t entry, const Symbols& symbols,
                           std::span<const ptx::BranchMeets> meets = {});

// Whether it asks where its grid group has its words, as grid.sync() does.
bool readsWorkspace(const Program& program);

struct LaunchRecord {
    const Program* program = nullptr; // nullptr for a dropped launch of an unknown kernel
    std::uint32_t kernel = 0;         // row
    Dim3 grid, block;
    std::uint32_t dynamicShared = 0;
    std::uint32_t depth = 0;
    ChildLaunch origin; // who launched it; parentLaunch = noIndex for the host's
    bool ran = false;
    Said reason;                       // why not
    std::vector<std::uint64_t> chosen; // blocks with events, ascending
    std::uint32_t registers = 0;       // a thread, with which it was laid on SMs; 0 = not known
    Footprint footprint;               // of one that ran
    double estimatedNs = 0;            // if an estimate was asked for; without what launching takes
    GridResult result;
};

class LaunchTree {
public:
    LaunchTree(const LaunchPlan& plan, const RunOptions& options, const DeviceSpec& device, Programs& programs,
               LaunchMemory& image, Progress& progress);
    // True if every grid ran to its end. chosen: blocks of the host's launch with events, ascending.
    bool run(int threads, const std::vector<std::uint64_t>& chosen);
    std::vector<LaunchRecord>& launches() { return m_launches; }
    // Bytes that the kernels' malloc may give, and that launches before have not given back; then what is in use.
    void setHeap(std::uint64_t limit, std::uint64_t used) { m_device.heapLimit = limit, m_device.heapUsed = used; }
    void setStack(StackRoom room) { m_device.stack = std::move(room); }
    // Lanes of one warp that wait for each other go on, as on a device from compute capability 7.0 on.
    void letLanesGoApart() { m_lanesGoApart = true; }
    // Launches that are timed and whose blocks meet ask to be made again from the beginning, with what they have found
    // ([launch]; gpu/emulator/timing/timed_grid.h). Whoever can do that makes another tree then.
    using FirstRuns = std::map<std::uint32_t, std::shared_ptr<FirstRun>>;
    void canBeMadeAgain(FirstRuns& found) { m_firstRuns = &found; }
    bool isToBeMadeAgain() const { return m_again; }
    std::uint64_t heapUsed() const { return m_device.heapUsed; }
    std::uint64_t printed() const { return m_device.printed; } // bytes of printf's buffer
    // Told by every launch from now on who writes the words that an earlier run has hung on.
    void watch(HangWatch* hang) { m_hang = hang; }
    void watch(WordWatch* word) { m_word = word; }
    void watch(VariableWatch* variable) { m_variable = variable; }
    void watch(TwinWatch* twin) { m_twin = twin; }
    std::optional<HangsOn> hangsOn() const;
    // From now on the bytes that all launches touch are noted.
    void noteTouched() { m_notesTouched = true; }
    const Touched& touched() const { return m_touched; }
    void setCooperative(bool cooperative) { m_cooperative = cooperative; } // the host's launch; others never are
    double estimatedNs() const;                                            // of all launches together; 0: not asked for
    double clockMHz() const { return m_clockMHz; }                         // of the SMs: one for all launches

private:
    bool grid(std::uint32_t launch, std::vector<std::byte> params);
    std::unique_ptr<TouchSample> sampleOf(const LaunchRecord& launch);
    void estimate(LaunchRecord& launch, const TouchSample* sample);
    GridOptions gridOptions(const LaunchRecord& launch, bool timed) const;
    void chooseTimed(GridOptions& options, std::uint64_t blocks, bool host) const;
    // Tells what the parent of a launch that has run touches behind making it, and the launch as well.
    void tellMeetings(std::uint32_t child, const Touched& touched);
    bool launchAll(std::uint32_t parent, std::vector<ChildLaunch> children, bool ok);
    void dropped(std::uint32_t parent, const ChildLaunch& child);

    const LaunchPlan& m_plan;
    const RunOptions& m_options;
    const DeviceSpec& m_spec;
    Programs& m_programs;
    LaunchMemory& m_image;
    Progress& m_progress;
    double m_clockMHz;
    DeviceTiming m_timing; // the device's, without the limits that are taken away
    DeviceState m_device;
    std::vector<LaunchRecord> m_launches;
    std::uint64_t m_recordedBlocks = 0;
    std::map<std::uint32_t, int> m_timedChildren; // [kernel] device-side launches that ran in time
    int m_threads = 1;
    bool m_lanesGoApart = false;
    HangWatch* m_hang = nullptr;
    bool m_notesTouched = false, m_cooperative = true;
    Touched m_touched;
    std::map<std::uint32_t, UseAfterLaunches*> m_behind; // [launch] of those that run, or whose children do
    WordWatch* m_word = nullptr;
    VariableWatch* m_variable = nullptr;
    TwinWatch* m_twin = nullptr;
    FirstRuns* m_firstRuns = nullptr;
    bool m_again = false;
};

} // namespace warpglass::emulator
