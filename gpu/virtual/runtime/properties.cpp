// SPDX-License-Identifier: GPL-3.0-or-later
// What the device says of itself: figures of the device table, and for what an emulator does not have the values that
// every GPU of the last ten years gives.
#include "gpu/virtual/core/properties.h"
#include "gpu/virtual/runtime/call.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace warpglass::virtual_device {

namespace {

// Fields that 12 and 13 share.
template <class P>
void fillCommon(P& p, const DeviceSpec& spec, int ordinal) {
    const CapabilityLimits& limits = spec.limits();
    p = {};
    std::strncpy(p.name, spec.name.c_str(), sizeof p.name - 1);
    std::memcpy(p.uuid, deviceName(ordinal).data(), sizeof p.uuid);
    p.totalGlobalMem = spec.memoryBytes;
    p.sharedMemPerBlock = defaultSharedPerBlock;
    p.regsPerBlock = int(limits.registersPerBlock);
    p.warpSize = int(warpSize);
    p.memPitch = 0x7fffffff;
    p.maxThreadsPerBlock = int(limits.threadsPerBlock);
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024, p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7fffffff, p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.totalConstMem = spec.constantBytes;
    p.major = spec.ccMajor, p.minor = spec.ccMinor;
    p.textureAlignment = p.surfaceAlignment = 512;
    p.texturePitchAlignment = 32;
    p.multiProcessorCount = spec.smCount;
    p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
    p.maxTexture1D = 131072, p.maxTexture1DMipmap = 32768;
    p.maxTexture2D[0] = 131072, p.maxTexture2D[1] = 65536;
    p.maxTexture2DMipmap[0] = p.maxTexture2DMipmap[1] = 32768;
    p.maxTexture2DLinear[0] = 131072, p.maxTexture2DLinear[1] = 65000, p.maxTexture2DLinear[2] = 2097120;
    p.maxTexture2DGather[0] = p.maxTexture2DGather[1] = 32768;
    for (int axis = 0; axis < 3; ++axis)
        p.maxTexture3D[axis] = p.maxSurface3D[axis] = 16384;
    p.maxTextureCubemap = p.maxSurfaceCubemap = 32768;
    p.maxTexture1DLayered[0] = p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768;
    p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = 2048;
    p.maxSurface1D = 32768, p.maxSurface2D[0] = 131072, p.maxSurface2D[1] = 65536;
    p.pciBusID = ordinal + 1;
    p.asyncEngineCount = 3;
    p.memoryBusWidth = spec.busBits;
    p.l2CacheSize = int(spec.l2Bytes);
    p.maxThreadsPerMultiProcessor = int(limits.warpsPerSm * warpSize);
    p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.sharedMemPerMultiprocessor = limits.sharedPerSm;
    p.regsPerMultiprocessor = int(limits.registersPerSm);
    p.managedMemory = 1;
    p.concurrentManagedAccess = spec.ccMajor >= 6;
    p.computePreemptionSupported = p.canUseHostPointerForRegisteredMem = spec.ccMajor >= 6;
    p.cooperativeLaunch = spec.ccMajor >= 6;
    p.sharedMemPerBlockOptin = std::max(limits.sharedPerBlockOptIn, defaultSharedPerBlock);
    p.maxBlocksPerMultiProcessor = int(limits.blocksPerSm);
    p.reservedSharedMemPerBlock = limits.sharedReserved;
    p.hostRegisterSupported = 1;
    p.memoryPoolsSupported = 1;
    p.clusterLaunch = spec.ccMajor >= 9;
    p.unifiedFunctionPointers = 1;
}

Properties12 properties12(const DeviceSpec& spec, int ordinal) {
    Properties12 p;
    fillCommon(p, spec, ordinal);
    p.clockRate = int(spec.smClockMHz * 1000);
    p.memoryClockRate = int(spec.memoryClockMHz * 1000);
    p.deviceOverlap = 1;
    p.maxTexture1DLinear = 268435456;
    p.singleToDoublePrecisionPerfRatio = 2;
    return p;
}

// Numbers of cudaDeviceAttr; the device does not have what is not among them.
struct Attribute {
    int number;
    int (*value)(const Properties12&);
};
using P = Properties12;
constexpr Attribute attributes[] = {
    {1, [](const P& p) { return p.maxThreadsPerBlock; }},
    {2, [](const P& p) { return p.maxThreadsDim[0]; }},
    {3, [](const P& p) { return p.maxThreadsDim[1]; }},
    {4, [](const P& p) { return p.maxThreadsDim[2]; }},
    {5, [](const P& p) { return p.maxGridSize[0]; }},
    {6, [](const P& p) { return p.maxGridSize[1]; }},
    {7, [](const P& p) { return p.maxGridSize[2]; }},
    {8, [](const P& p) { return int(p.sharedMemPerBlock); }},
    {9, [](const P& p) { return int(p.totalConstMem); }},
    {10, [](const P& p) { return p.warpSize; }},
    {11, [](const P& p) { return int(p.memPitch); }},
    {12, [](const P& p) { return p.regsPerBlock; }},
    {13, [](const P& p) { return p.clockRate; }},
    {14, [](const P& p) { return int(p.textureAlignment); }},
    {15, [](const P& p) { return p.deviceOverlap; }},
    {16, [](const P& p) { return p.multiProcessorCount; }},
    {19, [](const P& p) { return p.canMapHostMemory; }},
    {21, [](const P& p) { return p.maxTexture1D; }},
    {22, [](const P& p) { return p.maxTexture2D[0]; }},
    {23, [](const P& p) { return p.maxTexture2D[1]; }},
    {24, [](const P& p) { return p.maxTexture3D[0]; }},
    {25, [](const P& p) { return p.maxTexture3D[0]; }},
    {26, [](const P& p) { return p.maxTexture3D[0]; }},
    {30, [](const P& p) { return int(p.surfaceAlignment); }},
    {31, [](const P& p) { return p.concurrentKernels; }},
    {33, [](const P& p) { return p.pciBusID; }},
    {36, [](const P& p) { return p.memoryClockRate; }},
    {37, [](const P& p) { return p.memoryBusWidth; }},
    {38, [](const P& p) { return p.l2CacheSize; }},
    {39, [](const P& p) { return p.maxThreadsPerMultiProcessor; }},
    {40, [](const P& p) { return p.asyncEngineCount; }},
    {41, [](const P& p) { return p.unifiedAddressing; }},
    {51, [](const P& p) { return int(p.texturePitchAlignment); }},
    {75, [](const P& p) { return p.major; }},
    {76, [](const P& p) { return p.minor; }},
    {78, [](const P& p) { return p.streamPrioritiesSupported; }},
    {79, [](const P& p) { return p.globalL1CacheSupported; }},
    {80, [](const P& p) { return p.localL1CacheSupported; }},
    {81, [](const P& p) { return int(p.sharedMemPerMultiprocessor); }},
    {82, [](const P& p) { return p.regsPerMultiprocessor; }},
    {83, [](const P& p) { return p.managedMemory; }},
    {87, [](const P& p) { return p.singleToDoublePrecisionPerfRatio; }},
    {89, [](const P& p) { return p.concurrentManagedAccess; }},
    {90, [](const P& p) { return p.computePreemptionSupported; }},
    {91, [](const P& p) { return p.canUseHostPointerForRegisteredMem; }},
    {95, [](const P& p) { return p.cooperativeLaunch; }},
    {97, [](const P& p) { return int(p.sharedMemPerBlockOptin); }},
    {99, [](const P& p) { return p.hostRegisterSupported; }},
    {102, [](const P&) { return 1; }}, // memory that the program maps,
    {103, [](const P&) { return 1; }}, // which another process may open as a file
    {106, [](const P& p) { return p.maxBlocksPerMultiProcessor; }},
    {111, [](const P& p) { return int(p.reservedSharedMemPerBlock); }},
    {115, [](const P& p) { return p.memoryPoolsSupported; }},
    {120, [](const P& p) { return p.clusterLaunch; }},
    {127, [](const P& p) { return p.clusterLaunch; }}, // tensor maps came with clusters
};

} // namespace

std::array<char, 16> deviceName(int ordinal) {
    std::array<char, 16> name{'w', 'a', 'r', 'p', 'g', 'l', 'a', 's', 's', '-', 'd', 'e', 'v', 'i', 'c', 'e'};
    if (ordinal > 0)
        name[15] = char('0' + ordinal);
    return name;
}

int attributeOf(const Device& d, int attribute, int ordinal) {
    const auto* const found = std::ranges::find(attributes, attribute, &Attribute::number);
    return found == std::end(attributes) ? 0 : found->value(properties12(d.spec, ordinal));
}

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API int cudaGetDeviceProperties(void* properties, int ordinal) {
    return ask([&](Device& d) {
        if (!deviceExists(ordinal) || !properties)
            return properties ? invalidDevice : invalidValue;
        if (runtimeMajor() >= 13) {
            Properties13 p;
            fillCommon(p, d.spec, ordinal);
            std::memcpy(properties, &p, sizeof p);
        } else {
            const Properties12 p = properties12(d.spec, ordinal);
            std::memcpy(properties, &p, properties11Bytes);
        }
        return success;
    });
}

WG_API int cudaGetDeviceProperties_v2(void* properties, int ordinal) {
    return ask([&](Device& d) {
        if (!deviceExists(ordinal) || !properties)
            return properties ? invalidDevice : invalidValue;
        const Properties12 p = properties12(d.spec, ordinal);
        std::memcpy(properties, &p, sizeof p);
        return success;
    });
}

WG_API int cudaDeviceGetAttribute(int* value, int attribute, int ordinal) {
    return ask([&](Device& d) {
        if (!deviceExists(ordinal) || !value)
            return value ? invalidDevice : invalidValue;
        *value = attributeOf(d, attribute, ordinal);
        return success;
    });
}
