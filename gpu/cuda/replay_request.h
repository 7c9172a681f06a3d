// SPDX-License-Identifier: GPL-3.0-or-later
// A program's launch, to be made once more by a worker with probes: from what its memory held, at the same addresses, in a
// process and a context of its own. What goes wrong there costs the recording and nothing of the program.
//
// On the pipe: one Json frame, then a Bytes frame for each area with what it held. The answer is one Json frame.
#pragma once

#include "gpu/cuda/protocol.h"
#include "gpu/trace/kept_memory.h"

#include <map>
#include <utility>

namespace warpglass::cuda {

struct ReplayRequest {
    LaunchPlan plan; // ptx: of the whole module; no arguments
    RunOptions options;
    std::string trace; // the file that the answer is written to
    int device = 0;    // its ordinal, for the process that asks as for the worker
    bool cooperative = false;
    bool once = false;                                 // it allocates as it runs, say: not the same a second time
    std::uint32_t sharedBytes = 0;                     // static shared memory of the program's kernel
    std::uint32_t parameterBytes = 0;                  // the parameters are the first area
    std::vector<std::uint32_t> parameters;             // where each begins
    std::vector<std::pair<int, int>> settings;         // of the function: CUfunction_attribute, value
    std::vector<std::pair<int, std::uint64_t>> limits; // of the context: CUlimit, value
    std::map<std::string, std::uint64_t> variables;    // of global memory, where they lie in the program
    std::vector<KeptArea> areas;
};

// {"durationNs", "again"}; {"hung": true} for a kernel that did not end within the options' limit; or {"error"}, with
// "place" where another worker may do it, and "fault" where the kernel with probes failed as it ran.
struct ReplayAnswer {
    double durationNs = 0; // of the kernel with probes
};

nlohmann::json toJson(const ReplayRequest& request);
Result<ReplayRequest> replayFromJson(const nlohmann::json& json);

// Where a worker asks for address space so that it holds pieces of memory at the addresses they had: the driver gives
// what is asked for only at multiples of 32 MiB. Ascending, none touches the next. Pieces without bytes take no room.
struct AddressRange {
    std::uint64_t address = 0, bytes = 0;
    bool operator==(const AddressRange&) const = default;
};
inline constexpr std::uint64_t addressStep = std::uint64_t(32) << 20;
std::vector<AddressRange> rangesOf(const std::vector<KeptArea>& areas);

} // namespace warpglass::cuda
