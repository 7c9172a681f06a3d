// SPDX-License-Identifier: GPL-3.0-or-later
// What the device says of itself: figures of the device table, and for what an emulator does not have the values that
// every GPU of the last ten years gives.
#include "gpu/virtual/core/properties.h"
#include "gpu/virtual/runtime/call.h"

#include <cstring>

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

} // namespace

std::array<char, 16> deviceName(int ordinal) {
    std::array<char, 16> name{'w', 'a', 'r', 'p', 'g', 'l', 'a', 's', 's', '-', 'd', 'e', 'v', 'i', 'c', 'e'};
    if (ordinal > 0)
        name[15] = char('0' + ordinal);
    return name;
}

int attributeOf(const Device& d, int attribute, int ordinal) {
    const Properties12 p = properties12(d.spec, ordinal);
    switch (attribute) {
    case 1:
        return p.maxThreadsPerBlock;
    case 2:
        return p.maxThreadsDim[0];
    case 3:
        return p.maxThreadsDim[1];
    case 4:
        return p.maxThreadsDim[2];
    case 5:
        return p.maxGridSize[0];
    case 6:
        return p.maxGridSize[1];
    case 7:
        return p.maxGridSize[2];
    case 8:
        return int(p.sharedMemPerBlock);
    case 9:
        return int(p.totalConstMem);
    case 10:
        return p.warpSize;
    case 11:
        return int(p.memPitch);
    case 12:
        return p.regsPerBlock;
    case 13:
        return p.clockRate;
    case 14:
        return int(p.textureAlignment);
    case 15:
        return p.deviceOverlap;
    case 16:
        return p.multiProcessorCount;
    case 19:
        return p.canMapHostMemory;
    case 21:
        return p.maxTexture1D;
    case 22:
        return p.maxTexture2D[0];
    case 23:
        return p.maxTexture2D[1];
    case 24:
    case 25:
    case 26:
        return p.maxTexture3D[0];
    case 30:
        return int(p.surfaceAlignment);
    case 31:
        return p.concurrentKernels;
    case 33:
        return p.pciBusID;
    case 36:
        return p.memoryClockRate;
    case 37:
        return p.memoryBusWidth;
    case 38:
        return p.l2CacheSize;
    case 39:
        return p.maxThreadsPerMultiProcessor;
    case 40:
        return p.asyncEngineCount;
    case 41:
        return p.unifiedAddressing;
    case 51:
        return int(p.texturePitchAlignment);
    case 75:
        return p.major;
    case 76:
        return p.minor;
    case 78:
        return p.streamPrioritiesSupported;
    case 79:
        return p.globalL1CacheSupported;
    case 80:
        return p.localL1CacheSupported;
    case 81:
        return int(p.sharedMemPerMultiprocessor);
    case 82:
        return p.regsPerMultiprocessor;
    case 83:
        return p.managedMemory;
    case 87:
        return p.singleToDoublePrecisionPerfRatio;
    case 89:
        return p.concurrentManagedAccess;
    case 90:
        return p.computePreemptionSupported;
    case 91:
        return p.canUseHostPointerForRegisteredMem;
    case 95:
        return p.cooperativeLaunch;
    case 97:
        return int(p.sharedMemPerBlockOptin);
    case 99:
        return p.hostRegisterSupported;
    case 102: // memory that the program maps,
    case 103: // which another process may open as a file
        return 1;
    case 106:
        return p.maxBlocksPerMultiProcessor;
    case 111:
        return int(p.reservedSharedMemPerBlock);
    case 115:
        return p.memoryPoolsSupported;
    case 120:
    case 127: // tensor maps came with clusters
        return p.clusterLaunch;
    default:
        return 0; // the device does not have it
    }
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
