// SPDX-License-Identifier: GPL-3.0-or-later
// What the driver's calls share. All contexts of a device share all that it has.
#pragma once

#include "gpu/virtual/runtime/call.h"

namespace warpglass::virtual_device {

// f(device), unless a kernel has broken it; the driver has no last error.
template <class F>
[[gnu::always_inline]] inline Status drive(F f) {
    Device& d = device();
    if (isRefused()) [[unlikely]]
        return d.refuseInHostFunction();
    const std::lock_guard lock(d.lock);
    return d.broken != success ? d.broken : told(d, Status(f(d)));
}
// The same for launches: those that a broken device refuses are listed, too.
template <class F>
[[gnu::always_inline]] inline Status driveLaunch(F f) {
    Device& d = device();
    if (isRefused()) [[unlikely]]
        return d.refuseInHostFunction();
    const std::lock_guard lock(d.lock);
    const Status before = d.broken, status = told(d, Status(f(d)));
    return before != success ? before : status;
}
const char* driverErrorName(int status);

struct DriverCopy3D { // CUDA_MEMCPY3D
    std::size_t fromX, fromY, fromZ, fromLevel;
    int fromType; // 1 host, 2 device, 3 array, 4 by address
    const void* fromHost;
    std::uint64_t fromDevice;
    void *fromArray, *reserved0;
    std::size_t fromPitch, fromHeight;
    std::size_t toX, toY, toZ, toLevel;
    int toType;
    void* toHost;
    std::uint64_t toDevice;
    void *toArray, *reserved1;
    std::size_t toPitch, toHeight;
    std::size_t width, height, depth; // width in bytes, also of arrays
};
static_assert(sizeof(DriverCopy3D) == 200);
Status driverBox(Device& d, const DriverCopy3D& given, CopyRequest& request);
DriverCopy3D driverForm(const Device& d, const CopyRequest& request);

struct DriverConfig { // CUlaunchConfig
    unsigned grid[3], block[3], sharedBytes;
    void* stream;
    const CallAttribute* attributes;
    unsigned attributeCount;
};
inline CallConfig runtimeForm(const DriverConfig& c) {
    return {{c.grid[0], c.grid[1], c.grid[2]},
            {c.block[0], c.block[1], c.block[2]},
            c.sharedBytes,
            c.stream,
            c.attributes,
            c.attributeCount};
}

} // namespace warpglass::virtual_device
