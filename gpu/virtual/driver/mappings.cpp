// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that a program maps to addresses of its choice (core/mappings.h).
#include "gpu/virtual/driver/driver.h"

#include <fcntl.h>

using namespace warpglass::virtual_device;

namespace {

using Piece = Mappings::Piece;

struct Location { // CUmemLocation
    int type, number;
};
struct Properties { // CUmemAllocationProp
    int type, handleTypes;
    Location location;
    void* security;
    unsigned char compression, directMemoryAccess;
    unsigned short usage;
    unsigned char reserved[4];
};
static_assert(sizeof(Properties) == 32);
struct Access { // CUmemAccessDesc
    Location location;
    int flags;
};

constexpr int pinned = 1, onDevice = 1, fileDescriptor = 1, readAndWrite = 3;

bool isDevice(const Location& l) {
    return l.type == onDevice && deviceExists(l.number);
}
bool isSupported(const Properties* p) {
    return p && p->type == pinned && isDevice(p->location) && (p->handleTypes & ~fileDescriptor) == 0;
}

} // namespace

WG_API int cuMemGetAllocationGranularity(std::size_t* bytes, const Properties* properties, int) {
    if (!bytes || !properties)
        return invalidValue;
    *bytes = Mappings::granularity;
    return isSupported(properties) ? success : notSupported;
}
WG_API int cuMemAddressReserve(std::uint64_t* address, std::size_t bytes, std::size_t alignment, std::uint64_t,
                               unsigned long long flags) {
    return drive([&](Device& d) {
        if (!address || bytes == 0 || flags != 0 || (alignment & (alignment - 1)) != 0)
            return invalidValue;
        *address = machine().mappings.reserve(bytes, alignment, d.number); // where the program wishes is only a wish
        return *address ? success : memoryAllocation;
    });
}
WG_API int cuMemAddressFree(std::uint64_t address, std::size_t bytes) {
    return drive([&](Device&) { return machine().mappings.free(address, bytes) ? success : invalidValue; });
}
WG_API int cuMemCreate(Piece** handle, std::size_t bytes, const Properties* properties, unsigned long long flags) {
    return drive([&](Device&) {
        if (!handle || bytes == 0 || bytes % Mappings::granularity != 0 || flags != 0)
            return invalidValue;
        if (!isSupported(properties))
            return notSupported;
        *handle = machine().mappings.create(bytes, unsigned(properties->location.number));
        return *handle ? success : memoryAllocation;
    });
}
WG_API int cuMemRelease(Piece* handle) {
    return drive([&](Device&) { return machine().mappings.release(handle) ? success : invalidValue; });
}
WG_API int cuMemRetainAllocationHandle(Piece** handle, void* address) {
    return drive([&](Device&) {
        *handle = machine().mappings.pieceAt(reinterpret_cast<std::uint64_t>(address));
        return *handle ? success : invalidValue;
    });
}
WG_API int cuMemGetAllocationPropertiesFromHandle(Properties* properties, Piece* handle) {
    return drive([&](Device&) {
        if (!properties || !machine().mappings.isPiece(handle))
            return invalidValue;
        *properties = {};
        properties->type = pinned;
        properties->handleTypes = fileDescriptor;
        properties->location = {onDevice, int(handle->device)};
        return success;
    });
}
WG_API int cuMemMap(std::uint64_t address, std::size_t bytes, std::size_t offset, Piece* handle,
                    unsigned long long flags) {
    return drive([&](Device& d) { return flags == 0 ? d.map(address, bytes, offset, handle) : invalidValue; });
}
WG_API int cuMemUnmap(std::uint64_t address, std::size_t bytes) {
    return drive([&](Device& d) { return d.unmap(address, bytes); });
}
// Reading alone is given as reading and writing.
WG_API int cuMemSetAccess(std::uint64_t address, std::size_t bytes, const Access* descriptions, std::size_t count) {
    return drive([&](Device& d) {
        std::uint32_t devices = 0, with = 0;
        for (std::size_t n = 0; n < count; ++n) {
            if (!isDevice(descriptions[n].location))
                return descriptions[n].location.type == onDevice ? invalidDevice : notSupported;
            const std::uint32_t bit = 1u << descriptions[n].location.number;
            devices |= bit;
            with |= descriptions[n].flags != 0 ? bit : 0;
        }
        d.flush();
        return machine().mappings.setAccess(address, bytes, devices, with) ? success : invalidValue;
    });
}
WG_API int cuMemGetAccess(unsigned long long* flags, const Location* location, std::uint64_t address) {
    return drive([&](Device&) {
        const auto access = machine().mappings.access(address);
        if (!flags || !location || !isDevice(*location) || !access)
            return invalidValue;
        *flags = *access >> location->number & 1 ? readAndWrite : 0;
        return success;
    });
}
WG_API int cuMemExportToShareableHandle(void* shareable, Piece* handle, int type, unsigned long long flags) {
    return drive([&](Device&) {
        if (!shareable || !machine().mappings.isPiece(handle) || flags != 0)
            return invalidValue;
        if (type != fileDescriptor)
            return notSupported;
        const int file = fcntl(handle->file, F_DUPFD_CLOEXEC, 0);
        if (file < 0)
            return unknownError;
        *static_cast<int*>(shareable) = file;
        return success;
    });
}
// The file itself is handed over as if it were a pointer.
WG_API int cuMemImportFromShareableHandle(Piece** handle, void* shareable, int type) {
    return drive([&](Device& d) {
        if (!handle)
            return invalidValue;
        if (type != fileDescriptor)
            return notSupported;
        *handle = machine().mappings.open(int(reinterpret_cast<std::intptr_t>(shareable)), d.number);
        return *handle ? success : invalidValue;
    });
}
