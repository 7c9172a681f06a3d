// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the virtual device. Every address is one of this process: a range of it is set aside where the emulator
// keeps its global memory. What only the device may touch has its bytes elsewhere, so that a host that follows such a
// pointer faults as it would with a GPU; managed and pinned memory has them there, and both sides see the same bytes.
#pragma once

#include "gpu/emulator/memory/memory_map.h"
#include "gpu/program/program.h"

#include <map>
#include <optional>

namespace warpglass::virtual_device {

using program::MemoryKind;

class DeviceMemory {
public:
    explicit DeviceMemory(std::uint64_t capacity); // bytes of device memory
    ~DeviceMemory();

    struct Block {
        std::uint64_t address = 0, bytes = 0;
        MemoryKind kind = MemoryKind::Device;
        std::byte* data = nullptr;
        unsigned flags = 0;
    };
    // The address, or 0 if there is no room.
    std::uint64_t allocate(std::uint64_t bytes, MemoryKind kind, unsigned flags = 0);
    bool release(std::uint64_t address); // false: nothing begins there
    // Memory that the program had from elsewhere; the device's address of it. 0: it overlaps what is registered.
    std::uint64_t enter(void* memory, std::uint64_t bytes);
    bool leave(void* memory);

    const Block* find(std::uint64_t address) const; // the block that holds it
    // The bytes behind a device address, if all lie in one allocation or variable; nullptr otherwise.
    std::byte* resolve(std::uint64_t address, std::uint64_t bytes);
    // Whether a host may use the address itself.
    bool isDevices(std::uint64_t address) const { return address >= m_begin && address < m_end; }

    std::uint64_t capacity() const { return m_capacity; }
    std::uint64_t used() const { return m_used; }
    emulator::GlobalMemory& global() { return m_global; }

private:
    std::uint64_t addressFor(std::uint64_t bytes);
    emulator::GlobalMemory m_global;
    std::map<std::uint64_t, Block> m_blocks;              // [address]
    std::map<const void*, std::uint64_t> m_registered;    // [host address] -> device address
    std::multimap<std::uint64_t, std::uint64_t> m_vacant; // [bytes] -> address, of freed blocks
    std::uint64_t m_begin = 0, m_end = 0, m_capacity = 0, m_used = 0;
};

} // namespace warpglass::virtual_device
