// SPDX-License-Identifier: GPL-3.0-or-later
// Copies and fills: boxes of rows, between host and device. Every row must lie in one allocation.
#include "gpu/base/messages/program.h"
#include "gpu/base/quantity.h"
#include "gpu/program/pace.h"
#include "gpu/virtual/core/device.h"

#include <fmt/format.h>

#include <cstring>

namespace warpglass::virtual_device {

using program::Direction;

Direction directionOf(const CopyRequest& r, bool fromDevice, bool toDevice) {
    if (r.shown != Direction::None)
        return r.shown;
    return r.kind == byAddress ? program::directionOf(fromDevice, toDevice)
                               : program::directionOf(r.kind == deviceToHost || r.kind == deviceToDevice,
                                                      r.kind == hostToDevice || r.kind == deviceToDevice);
}

// nullptr: an address of the device where it has no such memory. Else what the host may touch, which is its own memory
// where the device has none.
std::byte* Device::hostBytes(const void* address, std::uint64_t bytes, bool& devices) {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    std::byte* own = memory.resolve(at, bytes);
    devices = own != nullptr;
    if (own)
        if (const DeviceMemory::Block* block = memory.find(at))
            devices = block->kind == MemoryKind::Device || block->kind == MemoryKind::Managed;
    if (!own && !memory.isDevices(at))
        own = static_cast<std::byte*>(const_cast<void*>(address));
    return own;
}

Status Device::carryOut(const CopyRequest& r, Operation& o) {
    bool fromDevice = false, toDevice = false;
    // Where rows follow each other without a gap it is one row.
    for (std::uint64_t z = 0; z < r.slices; ++z)
        for (std::uint64_t y = 0; y < r.rows; ++y) {
            const std::byte* from = hostBytes(static_cast<const std::byte*>(r.from) + z * r.fromSlice + y * r.fromPitch,
                                              r.bytes, fromDevice);
            std::byte* to = hostBytes(static_cast<std::byte*>(r.to) + z * r.toSlice + y * r.toPitch, r.bytes, toDevice);
            if (!from || !to) {
                tellMistake(placeOf(from ? say::CopyWrites : say::CopyReads,
                                    from ? std::uint64_t(r.to) + z * r.toSlice + y * r.toPitch
                                         : std::uint64_t(r.from) + z * r.fromSlice + y * r.fromPitch,
                                    r.bytes));
                return invalidValue;
            }
            const bool fromHost = (r.kind == deviceToHost || r.kind == deviceToDevice) && !fromDevice &&
                                  !memory.find(std::uint64_t(from));
            if (fromHost || ((r.kind == hostToDevice || r.kind == deviceToDevice) && !toDevice &&
                             !memory.find(std::uint64_t(to)))) {
                const char* const kind = r.kind == deviceToHost   ? "cudaMemcpyDeviceToHost"
                                         : r.kind == hostToDevice ? "cudaMemcpyHostToDevice"
                                                                  : "cudaMemcpyDeviceToDevice";
                const auto at = std::uint64_t(fromHost ? from : to);
                const std::string address = fmt::format("0x{:x}", at);
                if (const auto shadow = modules.shadowAt(at, number))
                    tellMistake(say::CopyOfShadow(r.bytes, kind, address, *shadow));
                else
                    tellMistake((fromHost ? say::CopyFromHost : say::CopyToHost)(r.bytes, kind, address));
                return invalidValue;
            }
            std::memmove(to, from, r.bytes);
            const auto at = [](const void* p, std::uint64_t offset) { return std::uint64_t(p) + offset; };
            memory.noteCopied(at(r.to, z * r.toSlice + y * r.toPitch), at(r.from, z * r.fromSlice + y * r.fromPitch),
                              r.bytes);
        }
    if (DeviceMemory::Block* block = memory.blockAt(std::uint64_t(r.to)); block && r.rows * r.slices == 1)
        block->writer = {recorder.next(), OperationKind::Copy, noIndex, std::uint64_t(r.to) - block->address, r.bytes};
    if (fromDevice && !toDevice)
        tellUnwritten(r, recorder.next());
    const auto extent = [&](const void* begin, std::uint64_t pitch, std::uint64_t slice) {
        const auto at = reinterpret_cast<std::uint64_t>(begin);
        return L2Range{at, at + (r.slices - 1) * slice + (r.rows - 1) * pitch + r.bytes};
    };
    const L2Range from = extent(r.from, r.fromPitch, r.fromSlice), to = extent(r.to, r.toPitch, r.toSlice);
    if (r.waited)
        o.memory = program::waitedFor;
    if (fromDevice && toDevice) {
        m_l2.touch({from, to});
        const DeviceMemory::Block* const source = memory.find(from.begin);
        const DeviceMemory::Block* const target = memory.find(to.begin);
        if (source && target && source->device != target->device && !memory.connected(source->device, target->device) &&
            !memory.connected(target->device, source->device))
            o.memory = program::throughHost;
    } else if (fromDevice || toDevice) {
        m_l2.copy(fromDevice ? from : to);
    }
    o.direction = directionOf(r, fromDevice, toDevice);
    return success;
}

Status Device::copy(const CopyRequest& request, void* stream) {
    if (request.kind < hostToHost || request.kind > byAddress)
        return invalidMemcpyDirection;
    if (request.bytes == 0 || request.rows == 0 || request.slices == 0)
        return success;
    CopyRequest copied = request;
    copied.waited = m_copiesWaited;
    return submit(stream, std::move(copied));
}

Status Device::fill(const FillRequest& request, void* stream) {
    if (request.count == 0 || request.rows == 0 || request.slices == 0)
        return success;
    return submit(stream, request);
}

Status Device::carryOut(const FillRequest& r) {
    for (std::uint64_t n = 0; n < r.rows * r.slices; ++n) {
        const std::uint64_t at = r.to + n / r.rows * r.slicePitch + n % r.rows * r.pitch;
        std::byte* to = memory.resolve(at, r.count * r.valueBytes);
        if (!to) {
            tellMistake(placeOf(say::FillWrites, at, r.count * r.valueBytes));
            return invalidValue;
        }
        memory.noteWritten(at, r.count * r.valueBytes);
        if ((r.value & (0xffffffffu >> (32 - 8 * r.valueBytes))) == 0)
            memory.clear(at, to, r.count * r.valueBytes);
        else if (r.valueBytes == 1)
            std::memset(to, int(r.value & 0xff), r.count);
        else
            for (std::uint64_t k = 0; k < r.count; ++k)
                std::memcpy(to + k * r.valueBytes, &r.value, r.valueBytes);
    }
    if (DeviceMemory::Block* block = memory.blockAt(r.to); block && r.rows * r.slices == 1)
        block->writer = {recorder.next(), OperationKind::Fill, noIndex, r.to - block->address, r.count * r.valueBytes};
    m_l2.touch({{r.to, r.to + (r.slices - 1) * r.slicePitch + (r.rows - 1) * r.pitch + r.count * r.valueBytes}}, true);
    return success;
}

} // namespace warpglass::virtual_device
