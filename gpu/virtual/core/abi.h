// SPDX-License-Identifier: GPL-3.0-or-later
// The public interface of CUDA's runtime and driver, as far as the virtual device answers it: numbers and layouts that a
// compiled program relies on. Declared here for ourselves, so that no toolkit is needed; a test holds them against one.
#pragma once

#include <cstddef>
#include <cstdint>

// A function that programs call by its name.
#define WG_API extern "C" __attribute__((visibility("default")))
// A second name for a function above it: the forms for per-thread default streams (_ptds, _ptsz) and versions (_v2). All
// streams of the virtual device run in the order of the calls, so they do the same.
#define WG_ALIAS(second, first) __asm__(".globl " #second "\n.type " #second ",@function\n.set " #second "," #first)

namespace warpglass::virtual_device {

// cudaError_t and CUresult: the same numbers but for a few that the runtime has of its own.
enum Status : int {
    success = 0,
    invalidValue = 1,
    memoryAllocation = 2,
    notInitialised = 3,
    invalidConfiguration = 9,
    invalidSymbol = 13,
    invalidMemcpyDirection = 21,
    invalidDeviceFunction = 98,
    noDevice = 100,
    invalidDevice = 101,
    invalidImage = 200,
    invalidContext = 201,
    noKernelImage = 209,
    invalidPtx = 218,
    fileNotFound = 301,
    invalidHandle = 400,
    illegalState = 401,
    notFound = 500,
    notReady = 600,
    illegalAddress = 700,
    launchOutOfResources = 701,
    launchTimeout = 702,
    peerAccessAlreadyEnabled = 704,
    peerAccessNotEnabled = 705,
    assertFailed = 710,
    hostMemoryAlreadyRegistered = 712,
    hostMemoryNotRegistered = 713,
    misalignedAddress = 716,
    launchFailure = 719,
    cooperativeTooLarge = 720,
    notPermitted = 800,
    notSupported = 801,
    captureUnsupported = 900,
    captureInvalidated = 901,
    captureUnmatched = 903,
    captureUnjoined = 904,
    captureImplicit = 906,
    updateFailed = 910,
    unknownError = 999,
};

// dim3 as a compiled call passes it: three words.
struct CallDim3 {
    unsigned x, y, z;
};

enum CopyKind : int { hostToHost = 0, hostToDevice = 1, deviceToHost = 2, deviceToDevice = 3, byAddress = 4 };
enum StreamFlag : unsigned { streamNonBlocking = 1 };
enum EventFlag : unsigned { eventDisableTiming = 2 };
// Of cudaEventRecordWithFlags and cudaStreamWaitEvent: in a capture, work of its own.
inline constexpr unsigned eventExternal = 1;

struct CallPitched {
    void* pointer;
    std::size_t pitch, width, height;
};
struct CallExtent {
    std::size_t width, height, depth;
};
struct CallPosition {
    std::size_t x, y, z;
};
struct CallCopy3D {
    void* fromArray;
    CallPosition fromAt;
    CallPitched from;
    void* toArray;
    CallPosition toAt;
    CallPitched to;
    CallExtent extent;
    int kind;
};

struct CallFill { // cudaMemsetParams; CUDA_MEMSET_NODE_PARAMS begins with it
    void* to;
    std::size_t pitch;
    unsigned value, valueBytes;
    std::size_t width, height; // in values, in rows
};

struct
    CallKernelNode { // cudaKernelNodeParams; CUDA_KERNEL_NODE_PARAMS is the same, and in its version 2 begins with it
    void* function;
    CallDim3 grid, block;
    unsigned sharedBytes;
    void** arguments;
    void** extra;
};

struct CallHostNode {
    void (*function)(void*);
    void* data;
};

struct CallPoolProperties { // cudaMemPoolProps
    int allocation, handles;
    int locationType, location;
    void* security;
    std::size_t maxBytes;
    unsigned char reserved[56];
};
struct CallAllocationNode {
    CallPoolProperties pool;
    const void* access;
    std::size_t accessCount, bytes;
    void* address;
};

struct CallConditionalNode {
    std::uint64_t handle;
    int kind;
    unsigned count;
    void** graphs; // answered: a list that the node has
};

struct CallNode { // cudaGraphNodeParams, CUgraphNodeParams
    int type;
    int reserved[3];
    union {
        long long padding[29];
        CallKernelNode kernel;
        struct {
            int flags, reserved[3];
            CallCopy3D box;
        } copy;
        CallFill fill;
        CallHostNode host;
        void* handle; // a graph, an event, an address
        CallAllocationNode allocation;
        CallConditionalNode conditional;
    } of;
    long long reserved2;
};
static_assert(sizeof(CallNode) == 256);

struct CallUpdateResult { // cudaGraphExecUpdateResultInfo
    int result;
    void *node, *from;
};
struct CallInstantiate { // cudaGraphInstantiateParams
    unsigned long long flags;
    void *stream, *node;
    int result;
};

struct CallFunctionAttributes {
    std::size_t sharedBytes, constantBytes, localBytes;
    int maxThreads, registers, ptxVersion, binaryVersion, cacheModeCa, maxDynamicShared, carveout;
    int clusterMustBeSet, clusterWidth, clusterHeight, clusterDepth, clusterPolicy, nonPortableCluster;
    int reserved[16];
};

struct CallPointerAttributes {
    int type; // 0 unregistered, 1 host, 2 device, 3 managed
    int device;
    void *devicePointer, *hostPointer;
    long reserved[8];
};

struct CallAttribute { // cudaLaunchAttribute, CUlaunchAttribute
    int id;
    int padding;
    union {
        char bytes[64];
        int cooperative;
        CallDim3 cluster;
    } value;
};
enum AttributeId : int { attributeCooperative = 2, attributeCluster = 4 };

struct CallConfig { // cudaLaunchConfig_t
    CallDim3 grid, block;
    std::size_t sharedBytes;
    void* stream;
    const CallAttribute* attributes;
    unsigned attributeCount;
};

struct CallFormat { // cudaChannelFormatDesc: bits of each channel
    int bits[4];
    int kind; // 0 signed, 1 unsigned, 2 float
};
struct CallResource { // cudaResourceDesc
    int type;         // 0 array, 1 mipmapped array, 2 linear, 3 rows with a pitch
    int padding;
    union {
        void* array; // or mipmapped array
        struct {
            void* pointer;
            CallFormat format;
            std::size_t bytes;
        } linear;
        struct {
            void* pointer;
            CallFormat format;
            std::size_t width, height, pitch;
        } rows;
        int reserved[32];
    } of;
    unsigned flags;
};
struct CallTexture { // cudaTextureDesc
    int address[3];  // wrap, clamp, mirror, border
    int filter, readMode, srgb;
    float border[4];
    int normalized;
    unsigned anisotropy;
    int mipFilter;
    float bias, minLevel, maxLevel;
    int plainTrilinear, seamless;
};
static_assert(sizeof(CallTexture) == 72);
struct CallView { // cudaResourceViewDesc; CUDA_RESOURCE_VIEW_DESC is the same
    int format;
    std::size_t width, height, depth;
    unsigned firstLevel, lastLevel, firstLayer, lastLayer;
    unsigned reserved[16];
};
static_assert(sizeof(CallView) == 112);

} // namespace warpglass::virtual_device
