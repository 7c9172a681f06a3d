// SPDX-License-Identifier: GPL-3.0-or-later
// A call of cuBLAS, cuFFT or cuRAND as work of a stream (libraries/): what it reads and writes is known beforehand and looked at as
// a kernel's accesses would be; then the host does it, on the memory as it lies there.
#include "gpu/base/messages/program.h"
#include "gpu/virtual/core/device.h"

#include <fmt/format.h>

namespace warpglass::virtual_device {

Status Device::carryOut(const LibraryCall& call, const Operation& o) {
    const std::uint32_t row = recorder.next();
    std::string& name = m_machine.kernelNames[o.kernel];
    name = call.name->entry;
    std::vector<std::byte*> places;
    places.reserve(call.pieces.size());
    for (const LibraryCall::Piece& p : call.pieces) {
        const std::uint64_t bytes = p.end() - p.address;
        places.push_back(memory.resolve(p.address, bytes));
        if (places.back())
            continue;
        // As of a kernel: the host's own memory is none of the device's, and a fault breaks the device for all that follows.
        recorder.tell(
            say::KernelFault(placeOf(p.reads ? say::LibraryReads(name) : say::LibraryWrites(name), p.address, bytes)));
        broken = illegalAddress;
        if (m_brokenBy == noIndex)
            m_brokenBy = row;
        return illegalAddress;
    }
    tellUnwritten(call);
    call.work(places);
    std::vector<L2Range> ranges;
    std::uint64_t stored = 0;
    for (const LibraryCall::Piece& p : call.pieces) {
        ranges.push_back({p.address, p.end()});
        if (!p.writes)
            continue;
        stored += p.bytes * p.rows;
        for (std::uint64_t n = 0; n < p.rows; ++n)
            memory.noteWritten(p.address + n * p.pitch, p.bytes);
        if (DeviceMemory::Block* block = memory.blockAt(p.address))
            block->writer = {row, o.kind, o.kernel, p.address - block->address, p.bytes * p.rows};
    }
    memory.settle();
    m_l2.launch(ranges, stored);
    return success;
}

void Device::tellUnwritten(const LibraryCall& call) {
    DeviceMemory::Unwritten all;
    for (const LibraryCall::Piece& p : call.pieces)
        for (std::uint64_t n = 0; p.reads && n < p.rows; ++n) {
            const DeviceMemory::Unwritten piece = memory.unwritten(p.address + n * p.pitch, p.bytes);
            if (all.bytes == 0)
                all.first = piece.first;
            all.bytes += piece.bytes;
        }
    if (all.bytes == 0 || !m_toldOf.insert(fmt::format("unwritten {}", call.name->entry)).second)
        return;
    std::uint64_t offset = 0;
    const Message where = memoryAt(all.first, offset);
    recorder.tell(say::LibraryUnwritten(call.name->entry, all.bytes, std::to_string(offset), where));
}

} // namespace warpglass::virtual_device
