// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA driver's entry points, asked for at run time through the static runtime: nothing here links libcuda.
#pragma once

#include "gpu/base/result.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>

namespace warpglass::cuda {

// The functions this plug-in calls, by the names cuda.h gives them (whose macros carry the version).
#define WARPGLASS_DRIVER_FUNCTIONS(X)                                                                                  \
    X(cuInit)                                                                                                          \
    X(cuGetErrorString)                                                                                                \
    X(cuCtxGetCurrent)                                                                                                 \
    X(cuLinkCreate)                                                                                                    \
    X(cuLinkAddData)                                                                                                   \
    X(cuLinkAddFile)                                                                                                   \
    X(cuLinkComplete)                                                                                                  \
    X(cuLinkDestroy)                                                                                                   \
    X(cuModuleLoadData)                                                                                                \
    X(cuModuleLoadDataEx)                                                                                              \
    X(cuModuleUnload)                                                                                                  \
    X(cuModuleGetFunction)                                                                                             \
    X(cuModuleGetGlobal)                                                                                               \
    X(cuFuncGetAttribute)                                                                                              \
    X(cuFuncSetAttribute)                                                                                              \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                                     \
    X(cuLaunchKernel)                                                                                                  \
    X(cuLaunchCooperativeKernel)                                                                                       \
    X(cuArray3DCreate)                                                                                                 \
    X(cuArrayDestroy)                                                                                                  \
    X(cuMipmappedArrayCreate)                                                                                          \
    X(cuMipmappedArrayGetLevel)                                                                                        \
    X(cuMipmappedArrayDestroy)                                                                                         \
    X(cuMemcpy3D)                                                                                                      \
    X(cuTexObjectCreate)                                                                                               \
    X(cuTexObjectDestroy)                                                                                              \
    X(cuSurfObjectCreate)                                                                                              \
    X(cuSurfObjectDestroy)                                                                                             \
    X(cuMemAddressReserve)                                                                                             \
    X(cuMemAddressFree)                                                                                                \
    X(cuMemCreate)                                                                                                     \
    X(cuMemRelease)                                                                                                    \
    X(cuMemMap)                                                                                                        \
    X(cuMemUnmap)                                                                                                      \
    X(cuMemSetAccess)

// Of clusters and tensor maps, which came with compute capability 9.0, and of texture and surface references, which the
// toolkit calls deprecated: a driver may be without them.
#define WARPGLASS_REFERENCE_FUNCTIONS(X)                                                                               \
    X(cuLaunchKernelEx)                                                                                                \
    X(cuTensorMapEncodeTiled)                                                                                          \
    X(cuTensorMapEncodeIm2col)                                                                                         \
    X(cuModuleGetTexRef)                                                                                               \
    X(cuModuleGetSurfRef)                                                                                              \
    X(cuSurfRefSetArray)                                                                                               \
    X(cuTexRefSetArray)                                                                                                \
    X(cuTexRefSetMipmappedArray)                                                                                       \
    X(cuTexRefSetAddress)                                                                                              \
    X(cuTexRefSetAddress2D)                                                                                            \
    X(cuTexRefSetFormat)                                                                                               \
    X(cuTexRefSetFlags)                                                                                                \
    X(cuTexRefSetFilterMode)                                                                                           \
    X(cuTexRefSetAddressMode)                                                                                          \
    X(cuTexRefSetBorderColor)                                                                                          \
    X(cuTexRefSetMipmapFilterMode)                                                                                     \
    X(cuTexRefSetMipmapLevelBias)                                                                                      \
    X(cuTexRefSetMipmapLevelClamp)

struct Driver {
#define WARPGLASS_MEMBER(function) decltype(&::function) function = nullptr;
    WARPGLASS_DRIVER_FUNCTIONS(WARPGLASS_MEMBER)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    WARPGLASS_REFERENCE_FUNCTIONS(WARPGLASS_MEMBER)
#pragma GCC diagnostic pop
#undef WARPGLASS_MEMBER
};

// Error: no driver, no device, or a driver older than this plug-in needs, each in a sentence.
Result<Driver> loadDriver();

// The driver's or runtime's words for an error.
Error errorOf(const Driver& driver, CUresult code, Message what);
Error errorOf(cudaError_t code, Message what);

// One of a kernel's attributes; 0 if the driver does not tell it.
std::uint32_t attributeOf(const Driver& driver, CUfunction function, CUfunction_attribute which);

} // namespace warpglass::cuda
