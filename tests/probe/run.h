// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a plan in the emulator, clean and probed, and decodes the records of the probed run.
#pragma once

#include "gpu/launch/backend.h"
#include "gpu/probe/records.h"

#include <string>
#include <vector>

namespace warpglass::probe::test {

struct Pair {
    TracePtr clean; // what the emulator saw of the clean module
    Trace decoded;  // what the probes of the probed module say
    ProbedModule module;
    ProbeMemory memory;
    Recording probedRun;
    std::vector<std::vector<std::byte>> raw;
};

struct Setup {
    ProbeOptions options;
    Detail detail; // of both
    std::uint64_t recordBytes = std::uint64_t(64) << 20;
    Reconvergence reconvergence = Reconvergence::PostDominatorStack;
    std::vector<std::uint32_t> needed;
};

Result<Pair> runBoth(const LaunchPlan& plan, const Setup& setup);

// "" if the decoded trace has the same events as the emulator's own, warp by warp, in order: kind, PTX line, masks.
// Path events are the emulator's alone, and of the jumps of polls in vain only the first is compared; accesses are compared if withAccesses.
// module: jumps that it has no site for are left out.
std::string eventDifference(const Trace& emulator, const Trace& decoded, bool withAccesses = false,
                            const ProbedModule* module = nullptr);

// A plan for one kernel of a hand-written module: one buffer of 32-bit words, `out`.
LaunchPlan handPlan(std::string ptx, const std::string& entry, Dim3 grid, Dim3 block, std::uint64_t words);

} // namespace warpglass::probe::test
