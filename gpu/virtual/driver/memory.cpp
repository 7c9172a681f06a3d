// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's memory: addresses are numbers, everything else is as in the runtime.
#include "gpu/virtual/driver/driver.h"

#include <algorithm>

using namespace warpglass::virtual_device;

namespace {

using Address = std::uint64_t;

void* pointer(Address address) {
    return reinterpret_cast<void*>(address);
}

template <class Pointer>
int take(Pointer* result, std::size_t bytes, MemoryKind kind, unsigned flags = 0) {
    return drive([&](Device& d) {
        if (bytes == 0)
            return invalidValue;
        const std::uint64_t address = d.allocate(bytes, kind, flags);
        *result = (Pointer)address;
        return address ? success : memoryAllocation;
    });
}

int copy(void* to, const void* from, std::size_t bytes, int kind, void* stream, bool waits) {
    return drive(
        [&](Device& d) { return d.copies(waits, [&] { return copyLinear(d, to, from, bytes, kind, stream); }); });
}

int fill(Address to, unsigned value, unsigned valueBytes, std::size_t count, void* stream, std::size_t rows = 1,
         std::size_t pitch = 0) {
    return drive([&](Device& d) {
        FillRequest r;
        r.to = to, r.value = value, r.valueBytes = valueBytes, r.count = count, r.rows = rows;
        r.pitch = pitch;
        return d.fill(r, stream);
    });
}

} // namespace

WG_API int cuMemAlloc_v2(Address* address, std::size_t bytes) {
    return take(address, bytes, MemoryKind::Device);
}
WG_ALIAS(cuMemAlloc, cuMemAlloc_v2);
WG_API int cuMemAllocManaged(Address* address, std::size_t bytes, unsigned flags) {
    return take(address, bytes, MemoryKind::Managed, flags);
}
WG_API int cuMemAllocHost_v2(void** result, std::size_t bytes) {
    return take(result, bytes, MemoryKind::Host);
}
WG_ALIAS(cuMemAllocHost, cuMemAllocHost_v2);
WG_API int cuMemHostAlloc(void** result, std::size_t bytes, unsigned flags) {
    return take(result, bytes, MemoryKind::Host, flags);
}
WG_API int cuMemAllocPitch_v2(Address* address, std::size_t* pitch, std::size_t width, std::size_t height, unsigned) {
    constexpr std::size_t unit = 512;
    *pitch = (width + unit - 1) / unit * unit;
    return take(address, *pitch * height, MemoryKind::Device);
}
WG_ALIAS(cuMemAllocPitch, cuMemAllocPitch_v2);
WG_API int cuMemFree_v2(Address address) {
    return drive([&](Device& d) { return address ? d.release(address) : success; });
}
WG_ALIAS(cuMemFree, cuMemFree_v2);
WG_API int cuMemFreeHost(void* memory) {
    return cuMemFree_v2(reinterpret_cast<Address>(memory));
}
WG_API int cuMemHostRegister_v2(void* memory, std::size_t bytes, unsigned) {
    return drive([&](Device& d) { return d.memory.enter(memory, bytes) ? success : hostMemoryAlreadyRegistered; });
}
WG_ALIAS(cuMemHostRegister, cuMemHostRegister_v2);
WG_API int cuMemHostUnregister(void* memory) {
    return drive([&](Device& d) { return d.memory.leave(memory) ? success : hostMemoryNotRegistered; });
}
WG_API int cuMemHostGetDevicePointer_v2(Address* address, void* host, unsigned) {
    return drive([&](Device& d) {
        const DeviceMemory::Block* block = d.memory.find(reinterpret_cast<Address>(host));
        if (!block || block->kind == MemoryKind::Device)
            return invalidValue;
        *address = block->address + std::uint64_t(static_cast<std::byte*>(host) - block->data);
        return success;
    });
}
WG_ALIAS(cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2);
WG_API int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    return drive([&](Device& d) {
        *total = d.memory.capacity();
        *free = d.memory.capacity() - d.memory.used(d.number);
        return success;
    });
}
WG_ALIAS(cuMemGetInfo, cuMemGetInfo_v2);
WG_API int cuMemGetAddressRange_v2(Address* base, std::size_t* bytes, Address address) {
    return drive([&](Device& d) {
        const DeviceMemory::Block* block = d.memory.find(address);
        if (!block)
            return notFound;
        if (base)
            *base = block->address;
        if (bytes)
            *bytes = block->bytes;
        return success;
    });
}
WG_ALIAS(cuMemGetAddressRange, cuMemGetAddressRange_v2);
WG_API int cuPointerGetAttribute(void* result, int attribute, Address address) {
    constexpr int context = 1, memoryType = 2, devicePointer = 3, hostPointer = 4, isManaged = 8, ordinal = 9;
    return drive([&](Device& d) {
        const DeviceMemory::Block* block = d.memory.find(address);
        if (!block)
            return invalidValue;
        const bool device = block->kind == MemoryKind::Device || block->kind == MemoryKind::Managed;
        switch (attribute) {
        case context:
            *static_cast<void**>(result) = primaryContext(block->device);
            return success;
        case memoryType:
            *static_cast<unsigned*>(result) = device ? 2 : 1;
            return success;
        case devicePointer:
        case hostPointer:
            *static_cast<Address*>(result) = address;
            return success;
        case isManaged:
            *static_cast<unsigned*>(result) = block->kind == MemoryKind::Managed;
            return success;
        case ordinal:
            *static_cast<int*>(result) = int(block->device);
            return success;
        default:
            return notSupported;
        }
    });
}
WG_API int cuMemAdvise(Address, std::size_t) {
    return success;
}
WG_ALIAS(cuMemAdvise_v2, cuMemAdvise);
WG_API int cuMemPrefetchAsync(Address, std::size_t) {
    return success;
}
WG_ALIAS(cuMemPrefetchAsync_ptsz, cuMemPrefetchAsync);
WG_ALIAS(cuMemPrefetchAsync_v2, cuMemPrefetchAsync);
WG_ALIAS(cuMemPrefetchAsync_v2_ptsz, cuMemPrefetchAsync);

WG_API int cuMemcpy(Address to, Address from, std::size_t bytes) {
    return copy(pointer(to), pointer(from), bytes, byAddress, nullptr, true);
}
WG_ALIAS(cuMemcpy_ptds, cuMemcpy);
WG_API int cuMemcpyAsync(Address to, Address from, std::size_t bytes, void* stream) {
    return copy(pointer(to), pointer(from), bytes, byAddress, stream, false);
}
WG_ALIAS(cuMemcpyAsync_ptsz, cuMemcpyAsync);
// Between contexts an address tells whose memory it is.
WG_API int cuMemcpyPeer(Address to, void*, Address from, void*, std::size_t bytes) {
    return copy(pointer(to), pointer(from), bytes, deviceToDevice, nullptr, true);
}
WG_ALIAS(cuMemcpyPeer_ptds, cuMemcpyPeer);
WG_API int cuMemcpyPeerAsync(Address to, void*, Address from, void*, std::size_t bytes, void* stream) {
    return copy(pointer(to), pointer(from), bytes, deviceToDevice, stream, false);
}
WG_ALIAS(cuMemcpyPeerAsync_ptsz, cuMemcpyPeerAsync);
WG_API int cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
    return copy(pointer(to), from, bytes, hostToDevice, nullptr, true);
}
WG_ALIAS(cuMemcpyHtoD, cuMemcpyHtoD_v2);
WG_ALIAS(cuMemcpyHtoD_v2_ptds, cuMemcpyHtoD_v2);
WG_API int cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
    return copy(to, pointer(from), bytes, deviceToHost, nullptr, true);
}
WG_ALIAS(cuMemcpyDtoH, cuMemcpyDtoH_v2);
WG_ALIAS(cuMemcpyDtoH_v2_ptds, cuMemcpyDtoH_v2);
WG_API int cuMemcpyDtoD_v2(Address to, Address from, std::size_t bytes) {
    return copy(pointer(to), pointer(from), bytes, deviceToDevice, nullptr, false);
}
WG_ALIAS(cuMemcpyDtoD, cuMemcpyDtoD_v2);
WG_ALIAS(cuMemcpyDtoD_v2_ptds, cuMemcpyDtoD_v2);
WG_API int cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, void* stream) {
    return copy(pointer(to), from, bytes, hostToDevice, stream, false);
}
WG_ALIAS(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2);
WG_ALIAS(cuMemcpyHtoDAsync_v2_ptsz, cuMemcpyHtoDAsync_v2);
WG_API int cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void* stream) {
    return copy(to, pointer(from), bytes, deviceToHost, stream, false);
}
WG_ALIAS(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2);
WG_ALIAS(cuMemcpyDtoHAsync_v2_ptsz, cuMemcpyDtoHAsync_v2);
WG_API int cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, void* stream) {
    return copy(pointer(to), pointer(from), bytes, deviceToDevice, stream, false);
}
WG_ALIAS(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2);
WG_ALIAS(cuMemcpyDtoDAsync_v2_ptsz, cuMemcpyDtoDAsync_v2);

#define WG_FILL(bits, type)                                                                                            \
    WG_API int cuMemsetD##bits##_v2(Address to, type value, std::size_t count) {                                       \
        return fill(to, value, sizeof(type), count, nullptr);                                                          \
    }                                                                                                                  \
    WG_ALIAS(cuMemsetD##bits, cuMemsetD##bits##_v2);                                                                   \
    WG_ALIAS(cuMemsetD##bits##_v2_ptds, cuMemsetD##bits##_v2);                                                         \
    WG_API int cuMemsetD##bits##Async(Address to, type value, std::size_t count, void* stream) {                       \
        return fill(to, value, sizeof(type), count, stream);                                                           \
    }                                                                                                                  \
    WG_ALIAS(cuMemsetD##bits##Async_ptsz, cuMemsetD##bits##Async);                                                     \
    WG_API int cuMemsetD2D##bits##_v2(Address to, std::size_t pitch, type value, std::size_t width,                    \
                                      std::size_t rows) {                                                              \
        return fill(to, value, sizeof(type), width, nullptr, rows, pitch);                                             \
    }                                                                                                                  \
    WG_ALIAS(cuMemsetD2D##bits, cuMemsetD2D##bits##_v2);                                                               \
    WG_ALIAS(cuMemsetD2D##bits##_v2_ptds, cuMemsetD2D##bits##_v2);                                                     \
    WG_API int cuMemsetD2D##bits##Async(Address to, std::size_t pitch, type value, std::size_t width,                  \
                                        std::size_t rows, void* stream) {                                              \
        return fill(to, value, sizeof(type), width, stream, rows, pitch);                                              \
    }                                                                                                                  \
    WG_ALIAS(cuMemsetD2D##bits##Async_ptsz, cuMemsetD2D##bits##Async)
WG_FILL(8, unsigned char);
WG_FILL(16, unsigned short);
WG_FILL(32, unsigned);
