// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses of the host to memory of the device, seen by the pages' protection. Not where the program looks after such faults
// itself.
#pragma once

#include <cstdint>
#include <vector>

namespace warpglass::virtual_device {

// From now on it is said, on standard error, where the host follows a pointer into these addresses, which are the
// device's: what comes of it is the same crash as with a GPU, that says nothing.
void tellHostFaults(std::uint64_t begin, std::uint64_t end);

// Managed and pinned memory that work still uses which the host has not waited for. The first access of the host to such
// pages is noted, and goes on; an access while a device works (DeviceWorks) is its own, and not noted.
enum class HostMay : std::uint8_t {
    Nothing, // the work writes there
    Read,    // it reads there
    Ask,     // it writes flags there, on which the host may wait: from the first look on all that it did is open
};
// Whole pages. False: there is no room, or the program looks after faults itself; nothing is watched.
bool watchHost(std::uint64_t begin, std::uint64_t end, HostMay may, std::uint32_t operation);
void leaveHost(std::uint32_t operation);                // the host has waited for it
void leaveHost(std::uint64_t begin, std::uint64_t end); // memory that is no more
std::vector<std::uint32_t> watchedOperations();
struct HostAccess {
    std::uint64_t address = 0, code = 0; // of the instruction
    std::uint32_t operation = 0;         // whose memory it is
    bool writes = false, workWrites = false;
};
std::vector<HostAccess> takeHostAccesses();

struct DeviceWorks { // while it lives
    DeviceWorks();
    ~DeviceWorks();
    DeviceWorks(const DeviceWorks&) = delete;
    DeviceWorks& operator=(const DeviceWorks&) = delete;
};

} // namespace warpglass::virtual_device
