// SPDX-License-Identifier: GPL-3.0-or-later
// Which instructions of a module get a probe, and what is known of each.
#pragma once

#include "gpu/probe/probe.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace warpglass::probe {

struct SiteTable {
    std::vector<ProbeSite> sites;
    // (function, instruction) -> site number. An entry's own site has instruction noIndex.
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> number;
};

// Entries, the functions that pointers may mean, and those that any of them calls: those get probed copies.
std::set<std::string> probedFunctions(const ptx::Module& module, const std::vector<const ptx::Function*>& byPointer);

SiteTable collectSites(const ptx::Module& module, const std::set<std::string>& functions, const ProbeOptions& options);

// What an instruction is to the probes.
bool isConditionalBranch(const ptx::Instruction& instruction);
bool isBarrier(const ptx::Instruction& instruction);    // of the block, waiting or only arriving
bool isArriveOnly(const ptx::Instruction& instruction); // bar.arrive
bool endsThread(const ptx::Function& function, const ptx::Instruction& instruction);
bool canFallOff(const ptx::Function& function);           // the body's end can be reached without ret, exit or a jump
bool isMemoryAccess(const ptx::Instruction& instruction); // global, shared, local or generic
bool isShuffle(const ptx::Instruction& instruction);
AsyncPart asyncPart(const ptx::Instruction& instruction);
// The try of "@p bra D; ..; L: try q; @!q bra L; D:", if nothing else in it is recorded: the jump is told by whether one waits.
std::optional<std::uint32_t> waitJumpedOver(const ptx::Function& function, std::uint32_t jump,
                                            const ptx::LabelMap& labels);
const std::string* calledFunction(const ptx::Instruction& instruction); // direct call; nullptr else
bool isBufferRequest(const std::string& function);                      // cudaGetParameterBufferV2 by its PTX names
bool isLaunchCall(const std::string& function);                         // cudaLaunchDeviceV2 by its PTX names

} // namespace warpglass::probe
