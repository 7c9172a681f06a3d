// SPDX-License-Identifier: GPL-3.0-or-later
// A program's devices: what each one did and waited for, and between which ones a copy goes.
#pragma once

#include "gpu/program/order.h"
#include "gpu/program/program.h"

#include <optional>
#include <vector>

namespace warpglass::program {

struct DevicePair {
    std::uint32_t from = 0, to = 0; // ordinals of one process
};
// Of a copy between two devices, by the allocations that it reads and writes; nullopt of one within a device, and where an
// allocation is not known.
std::optional<DevicePair> peersOf(const ProgramTrace& program, std::uint32_t operation);

// A device of a process. Times in ns, as they stand in the program: measured, or placed (placing.h).
struct DeviceSum {
    std::uint32_t process = 0, device = 0;
    std::uint64_t launches = 0, copies = 0;
    std::int64_t begin = 0, end = 0; // of its first and last work
    std::int64_t busy = 0;           // in which at least one launch, copy or fill was under way
    std::int64_t waited = 0;         // of its work, for that of other streams
    std::optional<Waited> longest;   // the longest of those waits
    std::int64_t length() const { return end - begin; }
};
// By process and ordinal; those that have work.
std::vector<DeviceSum> deviceSums(const ProgramTrace& program, const std::vector<Waited>& waits);

} // namespace warpglass::program
