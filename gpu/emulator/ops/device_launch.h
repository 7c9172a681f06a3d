// SPDX-License-Identifier: GPL-3.0-or-later
// Device-side launches: what a kernel asked for, and whether it may be pending.
//
// A launch waits until its parent grid has run. At most pendingLimit - 2 may wait at once: with the default limit of
// 2048 an H200 keeps 2046 and drops the rest, and tells only the launching thread (error 69,
// cudaErrorLaunchPendingCountExceeded); the host sees no error. A grid that has begun is no longer pending.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/base/memory_limit.h"
#include "gpu/emulator/code/program.h"
#include "gpu/emulator/ops/device_runtime.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpglass {
struct DeviceSpec;
}

namespace warpglass::emulator {

struct ChildLaunch {
    std::uint32_t moduleFunction = 0; // index in Module::functions
    Dim3 grid, block;
    std::uint32_t sharedBytes = 0;
    std::vector<std::byte> params;
    StreamKind stream = StreamKind::Default;
    std::uint32_t parentLaunch = 0, parentBlock = 0, parentThread = 0;
    std::uint32_t site = noIndex;     // of the parent's Program
    std::optional<Transfer> transfer; // it is a copy and no launch
    std::uint32_t touchesBehind = 0;  // UseAfterLaunches::launches that it is the last of; 0: begins behind its parent
    bool accepted = false;
    Said reason;
    std::uint32_t error = 0; // what the launching thread is told
};

// A parameter buffer that was asked for and not yet launched.
struct LaunchBuffer {
    std::uint32_t moduleFunction = 0;
    Dim3 grid, block;
    std::uint32_t sharedBytes = 0;
};

inline constexpr std::uint64_t heapBytes = 8u << 20; // cudaLimitMallocHeapSize's default

// What a thread's stack has, and what the functions of this program take of it, as ptxas has laid it out.
struct StackRoom {
    const Program* program = nullptr; // nullptr: it cannot overflow, or nobody knows
    std::uint64_t limit = 0;
    std::vector<std::uint32_t> frames; // [function] bytes
};

struct DeviceState {
    std::uint32_t maxWarpsPerSm = 64;
    int smCount = 1;
    std::uint32_t pendingLimit = 2048, pending = 0;
    std::uint32_t threadsPerBlock = 1024;
    std::uint32_t lastError = 0;
    std::vector<ChildLaunch> children; // of the grid that is running, in launch order
    std::map<std::uint64_t, LaunchBuffer> buffers;
    std::function<bool()> runChildren;   // now, of the grid that is running
    std::uint64_t heapLimit = heapBytes; // of the kernels' own malloc
    std::uint64_t heapUsed = 0;          // as heapRoom counts
    StackRoom stack;
    std::uint64_t handles = 0;                                     // streams and events that were made
    std::map<std::pair<std::uint32_t, bool>, std::uint64_t> texts; // (error, its name) -> address
    const DeviceSpec* spec = nullptr;
    // Bytes that kernels make the host keep, of all launches together: what they print, and notes of their launches.
    std::atomic<std::uint64_t> kept = 0;
    std::uint64_t mostKept = memoryLimit();
    std::atomic<std::uint64_t> printed = 0; // bytes of printf's buffer, had nobody emptied it
};

// Counts them; false: that is more than there is room for, and the launch has ended with a sentence.
bool keep(Exec& x, const Inst& in, int lane, std::uint64_t bytes);

inline constexpr std::uint64_t firstHandle = 0x100; // of a stream or event; smaller numbers mean certain streams
StreamKind streamOf(std::uint64_t stream);

inline constexpr std::uint32_t maximumDepth = 24; // levels below the host's launch (CUDA programming guide)

} // namespace warpglass::emulator
