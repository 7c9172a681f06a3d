// SPDX-License-Identifier: GPL-3.0-or-later
// Taking and giving back memory, and questions about it.
#include "gpu/virtual/runtime/call.h"

using namespace warpglass::virtual_device;

namespace {

constexpr std::size_t pitchUnit = 512;

int take(void** pointer, std::size_t bytes, MemoryKind kind, unsigned flags = 0) {
    return call([&](Device& d) {
        if (!pointer)
            return invalidValue;
        if (bytes == 0) { // as the runtime answers it
            *pointer = nullptr;
            return success;
        }
        const std::uint64_t address = d.allocate(bytes, kind, flags);
        *pointer = reinterpret_cast<void*>(address);
        return address ? success : memoryAllocation;
    });
}

int give(void* pointer) {
    return call([&](Device& d) { return pointer ? d.release(reinterpret_cast<std::uint64_t>(pointer)) : success; });
}

std::size_t pitched(std::size_t width) {
    return (width + pitchUnit - 1) / pitchUnit * pitchUnit;
}

} // namespace

WG_API int cudaMalloc(void** pointer, std::size_t bytes) {
    return take(pointer, bytes, MemoryKind::Device);
}
WG_API int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
    return bytes ? take(pointer, bytes, MemoryKind::Managed, flags) : done(invalidValue);
}
WG_API int cudaMallocHost(void** pointer, std::size_t bytes) {
    return take(pointer, bytes, MemoryKind::Host);
}
WG_API int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    return take(pointer, bytes, MemoryKind::Host, flags);
}
WG_API int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    *pitch = pitched(width);
    return take(pointer, *pitch * height, MemoryKind::Device);
}
WG_API int cudaMalloc3D(CallPitched* result, CallExtent extent) {
    const std::size_t pitch = pitched(extent.width);
    *result = {nullptr, pitch, extent.width, extent.height};
    return take(&result->pointer, pitch * extent.height * extent.depth, MemoryKind::Device);
}

WG_API int cudaFree(void* pointer) {
    return give(pointer);
}
WG_API int cudaFreeHost(void* pointer) {
    return give(pointer);
}

WG_API int cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
    return call([&](Device& d) {
        if (!pointer || bytes == 0)
            return invalidValue;
        Operation o;
        o.kind = OperationKind::Allocate;
        o.memory = MemoryKind::Registered;
        o.bytes = bytes;
        o.start = o.end = d.recorder.now();
        o.to = d.memory.enter(pointer, bytes);
        o.error = o.to ? success : hostMemoryAlreadyRegistered;
        d.recorder.add(o);
        return Status(o.error);
    });
}
WG_API int cudaHostUnregister(void* pointer) {
    return call([&](Device& d) { return d.memory.leave(pointer) ? success : hostMemoryNotRegistered; });
}
WG_API int cudaHostGetDevicePointer(void** result, void* host, unsigned) {
    return call([&](Device& d) {
        const DeviceMemory::Block* block = d.memory.find(reinterpret_cast<std::uint64_t>(host));
        if (!block || block->kind == MemoryKind::Device)
            return invalidValue;
        *result = reinterpret_cast<void*>(block->address + std::uint64_t(static_cast<std::byte*>(host) - block->data));
        return success;
    });
}
WG_API int cudaHostGetFlags(unsigned* flags, void* host) {
    return call([&](Device& d) {
        const DeviceMemory::Block* block = d.memory.find(reinterpret_cast<std::uint64_t>(host));
        if (!block || block->kind != MemoryKind::Host)
            return invalidValue;
        *flags = block->flags | 2; // it is mapped, as all of it is where addresses are one
        return success;
    });
}

WG_API int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return call([&](Device& d) {
        *total = d.memory.capacity();
        *free = d.memory.capacity() - d.memory.used(d.number);
        return success;
    });
}

WG_API int cudaPointerGetAttributes(CallPointerAttributes* attributes, const void* pointer) {
    return call([&](Device& d) {
        *attributes = {};
        attributes->device = -2; // as of memory that no device knows
        attributes->hostPointer = const_cast<void*>(pointer);
        const auto address = reinterpret_cast<std::uint64_t>(pointer);
        const DeviceMemory::Block* block = d.memory.find(address);
        if (!block && !d.memory.resolve(address, 1))
            return success;
        constexpr int host = 1, device = 2, managed = 3;
        const MemoryKind kind = block ? block->kind : MemoryKind::Device;
        attributes->type = kind == MemoryKind::Device ? device : kind == MemoryKind::Managed ? managed : host;
        attributes->device = int(block ? block->device : d.number);
        attributes->devicePointer = const_cast<void*>(pointer);
        if (kind == MemoryKind::Device)
            attributes->hostPointer = nullptr;
        return success;
    });
}

// Hints where memory should be: here it is in one place.
WG_API int cudaMemAdvise(const void*, std::size_t) {
    return call([](Device&) { return success; });
}
WG_ALIAS(cudaMemAdvise_v2, cudaMemAdvise);
WG_API int cudaMemPrefetchAsync(const void*, std::size_t) {
    return call([](Device&) { return success; });
}
WG_ALIAS(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);
WG_ALIAS(cudaMemPrefetchAsync_v2, cudaMemPrefetchAsync);
WG_ALIAS(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync);
WG_API int cudaStreamAttachMemAsync(void*, void*, std::size_t, unsigned) {
    return call([](Device&) { return success; });
}
WG_ALIAS(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);
