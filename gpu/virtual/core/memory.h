// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the virtual devices. Every address is one of this process: a range of it is set aside where the emulator
// keeps its global memory, with a part for each device. What only a device may touch has its bytes elsewhere, so that a
// host that follows such a pointer faults as it would with a GPU; managed and pinned memory has them there, and both
// sides see the same bytes. A kernel finds its own device's memory, that of the host, and that of peers to which it was
// given access; the rest faults.
#pragma once

#include "gpu/emulator/state/memory_map.h"
#include "gpu/program/program.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace warpglass::virtual_device {

using program::MemoryKind;

class DeviceMemory {
public:
    DeviceMemory(std::uint64_t capacity, unsigned devices); // bytes of memory of each
    ~DeviceMemory();

    struct Block {
        std::uint64_t address = 0, bytes = 0;
        MemoryKind kind = MemoryKind::Device;
        std::byte* data = nullptr;
        unsigned flags = 0;
        unsigned device = 0;
        std::uint32_t shownTo = 0; // bits of devices that see it besides
        bool mapped = false;       // by the program (mappings.h), which says who sees it
        // Of memory that only the device writes, unless it is known to be written from end to end: which of its words
        // are (emulator::Area::written), and so many from the first one on.
        std::unique_ptr<std::uint8_t[], emulator::Area::Free> written = {};
        std::uint64_t wordsKnown = 0;
        std::uint64_t wordsShown = 0;      // as the areas of it have it
        std::uint32_t operation = noIndex; // by which the program asked for it
        // The last copy, fill or call of a library that wrote one piece of it, and the last launch that was given it.
        struct Writer {
            std::uint32_t operation = noIndex;
            program::OperationKind kind = program::OperationKind::Fill;
            std::uint32_t kernel = noIndex; // row of the recording, of a library's function
            std::uint64_t from = 0, bytes = 0;
        } writer = {};
        struct Given {
            std::uint32_t operation = noIndex;
            std::uint32_t kernel = noIndex; // row of the recording
            std::uint64_t blocks = 0, threads = 0;
        } given = {};
    };
    const std::map<std::uint64_t, Block>& blocks() const { return m_blocks; } // [address]
    void setOperation(std::uint64_t address, std::uint32_t operation);        // from then on messages name it by that
    Block* blockAt(std::uint64_t address) { return const_cast<Block*>(std::as_const(*this).find(address)); }
    // Of [address, address + bytes) of memory that only the device writes: how much nobody wrote, and the first of it.
    struct Unwritten {
        std::uint64_t bytes = 0, first = 0;
    };
    Unwritten unwritten(std::uint64_t address, std::uint64_t bytes) const;
    // By which operation a block that was there has been freed; noIndex: not known.
    void noteFreedBy(std::uint64_t address, std::uint32_t operation);
    std::uint32_t freedBy(std::uint64_t address) const;
    // The address, or 0 if there is no room.
    std::uint64_t allocate(std::uint64_t bytes, MemoryKind kind, unsigned device, unsigned flags = 0);
    bool release(std::uint64_t address); // false: nothing begins there
    // Memory that the program had from elsewhere; the device's address of it. 0: it overlaps what is registered.
    std::uint64_t enter(void* memory, std::uint64_t bytes);
    bool leave(void* memory);

    // Of memory that the program maps itself: addresses for it, what lies there, and how much of the device's it is.
    std::uint64_t reserve(std::uint64_t bytes, std::uint64_t alignment, unsigned device); // 0: there is no room
    void enterMapping(std::uint64_t address, std::uint64_t bytes, std::byte* data, unsigned device);
    void leaveMapping(std::uint64_t address);
    void charge(unsigned device, std::int64_t bytes);

    const Block* find(std::uint64_t address) const; // the block that holds it
    // The bytes behind a device address, if all lie in one allocation or variable; nullptr otherwise.
    std::byte* resolve(std::uint64_t address, std::uint64_t bytes);
    // Zeros from `to` on, which resolve() gave for this address. Whole pages of a large piece are given back, so that a
    // program that clears more than the machine has costs only what it then uses.
    void clear(std::uint64_t address, std::byte* to, std::uint64_t bytes);
    // What the host, a copy or a fill did there; a copy within the devices' memory takes along what was not written.
    void noteWritten(std::uint64_t address, std::uint64_t bytes);
    void noteCopied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
    void settle(); // after a launch: what is written from end to end need not be watched any longer
    // Whether a host may use the address itself.
    bool isDevices(std::uint64_t address) const { return address >= m_begin && address < m_end; }

    // Lets kernels of a device use memory of another one, what it has and what it will have. False: it is so already.
    bool connect(unsigned device, unsigned peer);
    bool disconnect(unsigned device, unsigned peer);
    bool connected(unsigned device, unsigned peer) const { return m_views[device].peers.count(peer) != 0; }
    // Lets kernels of these devices, a bit each, use one allocation.
    void share(std::uint64_t address, std::uint32_t devices);

    std::uint64_t capacity() const { return m_capacity; } // of each
    std::uint64_t used(unsigned device) const { return m_views[device].used; }
    emulator::GlobalMemory& global(unsigned device) { return m_views[device].global; }
    const emulator::GlobalMemory& global(unsigned device) const { return m_views[device].global; }

private:
    // Memory as the kernels of one device see it.
    struct View {
        emulator::GlobalMemory global;
        std::set<unsigned> peers;                           // whose memory is in it
        std::multimap<std::uint64_t, std::uint64_t> vacant; // [bytes] -> address, of freed blocks
        std::uint64_t used = 0;
    };
    std::uint64_t addressFor(std::uint64_t bytes, View& view);
    bool sees(unsigned device, const Block& block) const;
    void show(const Block& block); // to all devices that see it
    void hide(const Block& block);
    void watch(Block& block);
    bool settle(Block& block); // true: it is not watched any longer
    void showWritten(const Block& block, std::uint8_t* written);
    Block* watched(std::uint64_t address);
    std::vector<View> m_views;                         // [device]
    std::map<std::uint64_t, Block> m_blocks;           // [address]
    std::map<const void*, std::uint64_t> m_registered; // [host address] -> device address
    std::set<std::uint64_t> m_watched;                 // addresses of blocks
    std::map<std::uint64_t, std::uint32_t> m_freedBy;  // [address] operation
    std::uint64_t m_begin = 0, m_end = 0, m_capacity = 0;
};

} // namespace warpglass::virtual_device
