// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA driver's entry points, asked for at run time through the static runtime: nothing here links libcuda.
#pragma once

#include "gpu/base/result.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

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
    X(cuModuleUnload)                                                                                                  \
    X(cuModuleGetFunction)                                                                                             \
    X(cuModuleGetGlobal)                                                                                               \
    X(cuFuncGetAttribute)                                                                                              \
    X(cuFuncSetAttribute)                                                                                              \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                                     \
    X(cuLaunchKernel)                                                                                                  \
    X(cuLaunchCooperativeKernel)

struct Driver {
#define WARPGLASS_MEMBER(function) decltype(&::function) function = nullptr;
    WARPGLASS_DRIVER_FUNCTIONS(WARPGLASS_MEMBER)
#undef WARPGLASS_MEMBER
};

// Error: no driver, no device, or a driver older than this plug-in needs, each in a sentence.
Result<Driver> loadDriver();

// The driver's or runtime's words for an error.
Error errorOf(const Driver& driver, CUresult code, const char* what);
Error errorOf(cudaError_t code, const char* what);

} // namespace warpglass::cuda
