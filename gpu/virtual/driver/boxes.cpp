// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's copies of rows and boxes, between any two of host, device and arrays.
#include "gpu/virtual/driver/driver.h"

#include <algorithm>

namespace warpglass::virtual_device {

namespace {

constexpr int host = 1, array = 3, byEither = 4;

struct Side {
    int type;
    const void* hostAt;
    std::uint64_t deviceAt;
    const void* arrayAt;
    std::size_t x, y, z, pitch, height;
};

// Where the copied box begins, and how its rows and slices follow each other.
Status place(Side s, const DriverCopy3D& c, const std::byte*& at, std::uint64_t& pitch, std::uint64_t& slice) {
    const std::byte* base = nullptr;
    if (s.type == array) {
        const auto known = placeOf(s.arrayAt);
        if (!known)
            return invalidHandle;
        if (s.x + c.width > known->pitch || s.y + c.height > known->height || s.z + c.depth > known->depth)
            return invalidValue;
        base = known->at, s.pitch = known->pitch, s.height = known->height;
    } else {
        base =
            s.type == host ? static_cast<const std::byte*>(s.hostAt) : reinterpret_cast<const std::byte*>(s.deviceAt);
    }
    pitch = s.pitch ? s.pitch : c.width;
    slice = pitch * s.height;
    at = base + s.z * slice + s.y * pitch + s.x;
    return success;
}

int copy(const DriverCopy3D& given, void* stream, bool waits) {
    return drive([&](Device& d) {
        CopyRequest r;
        if (const Status status = driverBox(d, given, r); status != success)
            return status;
        return d.copies(waits, [&] { return d.copy(r, stream); });
    });
}

struct Copy2D { // CUDA_MEMCPY2D
    std::size_t fromX, fromY;
    int fromType;
    const void* fromHost;
    std::uint64_t fromDevice;
    void* fromArray;
    std::size_t fromPitch, toX, toY;
    int toType;
    void* toHost;
    std::uint64_t toDevice;
    void* toArray;
    std::size_t toPitch, width, height;
};

DriverCopy3D boxOf(const Copy2D& c) {
    DriverCopy3D box{};
    box.fromX = c.fromX, box.fromY = c.fromY, box.fromType = c.fromType, box.fromHost = c.fromHost;
    box.fromDevice = c.fromDevice, box.fromArray = c.fromArray, box.fromPitch = c.fromPitch;
    box.toX = c.toX, box.toY = c.toY, box.toType = c.toType, box.toHost = c.toHost;
    box.toDevice = c.toDevice, box.toArray = c.toArray, box.toPitch = c.toPitch;
    box.width = c.width, box.height = c.height, box.depth = 1;
    return box;
}

} // namespace

Status driverBox(Device&, const DriverCopy3D& c, CopyRequest& r) {
    r = {};
    const std::byte *from = nullptr, *to = nullptr;
    Status status =
        place({c.fromType, c.fromHost, c.fromDevice, c.fromArray, c.fromX, c.fromY, c.fromZ, c.fromPitch, c.fromHeight},
              c, from, r.fromPitch, r.fromSlice);
    if (status == success)
        status = place({c.toType, c.toHost, c.toDevice, c.toArray, c.toX, c.toY, c.toZ, c.toPitch, c.toHeight}, c, to,
                       r.toPitch, r.toSlice);
    r.from = from;
    r.to = const_cast<std::byte*>(to);
    r.bytes = c.width, r.rows = c.height, r.slices = c.depth;
    const auto known = [](int type) { return type >= host && type <= byEither; };
    return known(c.fromType) && known(c.toType) ? status : invalidValue;
}

DriverCopy3D driverForm(const Device&, const CopyRequest& r) {
    DriverCopy3D c{};
    c.fromType = c.toType = byEither;
    c.fromDevice = reinterpret_cast<std::uint64_t>(r.from), c.toDevice = reinterpret_cast<std::uint64_t>(r.to);
    c.fromPitch = r.fromPitch, c.toPitch = r.toPitch;
    c.fromHeight = r.fromPitch ? r.fromSlice / r.fromPitch : 0;
    c.toHeight = r.toPitch ? r.toSlice / r.toPitch : 0;
    c.width = r.bytes, c.height = r.rows, c.depth = r.slices;
    return c;
}

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API int cuMemcpy2D_v2(const Copy2D* c) {
    return copy(boxOf(*c), nullptr, true);
}
WG_ALIAS(cuMemcpy2D, cuMemcpy2D_v2);
WG_ALIAS(cuMemcpy2D_v2_ptds, cuMemcpy2D_v2);
WG_ALIAS(cuMemcpy2DUnaligned, cuMemcpy2D_v2);
WG_ALIAS(cuMemcpy2DUnaligned_v2, cuMemcpy2D_v2);
WG_ALIAS(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2D_v2);
WG_API int cuMemcpy2DAsync_v2(const Copy2D* c, void* stream) {
    return copy(boxOf(*c), stream, false);
}
WG_ALIAS(cuMemcpy2DAsync, cuMemcpy2DAsync_v2);
WG_ALIAS(cuMemcpy2DAsync_v2_ptsz, cuMemcpy2DAsync_v2);
WG_API int cuMemcpy3D_v2(const DriverCopy3D* c) {
    return copy(*c, nullptr, true);
}
WG_ALIAS(cuMemcpy3D, cuMemcpy3D_v2);
WG_ALIAS(cuMemcpy3D_v2_ptds, cuMemcpy3D_v2);
WG_API int cuMemcpy3DAsync_v2(const DriverCopy3D* c, void* stream) {
    return copy(*c, stream, false);
}
WG_ALIAS(cuMemcpy3DAsync, cuMemcpy3DAsync_v2);
WG_ALIAS(cuMemcpy3DAsync_v2_ptsz, cuMemcpy3DAsync_v2);
