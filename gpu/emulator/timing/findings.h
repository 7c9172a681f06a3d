// SPDX-License-Identifier: GPL-3.0-or-later
// What a timed run of a launch finds out that does not depend on how long anything takes: what the blocks of the first waves
// touch, what each block issues. A device that lacks a limit finds the same as long as as many blocks lie on an SM, so that
// a later run of the launch needs to run the blocks alone that it times (EmulatorOptions::findings).
#pragma once

#include "gpu/emulator/run/sm_result.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace warpglass::emulator {

// What has to be the same in both runs.
struct FindingsFor {
    std::uint64_t blocks = 0, sms = 0, resident = 0, timedSms = 0; // timedSms: a hash of their numbers
    bool operator==(const FindingsFor&) const = default;
};
std::uint64_t hashOf(std::span<const std::uint32_t> timedSms, std::uint64_t together); // so many are timed at a time

struct Findings {
    std::unique_ptr<FirstRun> first;   // as it was before any SM was timed; of blocks that meet, as it was then
    bool meet = false;                 // blocks do, whose order matters: all have to run
    std::uint64_t window = 0;          // blocks from 0 on that had run by then, or were to be timed
    std::vector<std::uint32_t> issued; // [block]
};

std::vector<std::byte> findingsOf(const FindingsFor& run, const FirstRun& first, bool meet, std::uint64_t window);
void addIssued(std::vector<std::byte>& findings, std::span<const std::uint32_t> issued); // at the end
// Nothing: they are another run's, or none.
std::optional<Findings> readFindings(std::span<const std::byte> bytes, const FindingsFor& run);

} // namespace warpglass::emulator
