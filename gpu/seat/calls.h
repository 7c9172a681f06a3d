// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's own functions behind those that the seat has put itself before (driver_calls.inl).
#pragma once

#include <cuda.h>
#undef cuIpcOpenMemHandle // both forms are looked at

#include <cstddef>
#include <cstdint>

// Of programs that were compiled with older toolkits; cuda.h declares them for itself alone.
extern "C" CUresult CUDAAPI cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device);
extern "C" CUresult CUDAAPI cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam* parameters, int count,
                                           unsigned flags, CUdevice device);
extern "C" CUresult CUDAAPI cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph, CUgraphNode* errorNode, char* log,
                                                  std::size_t bytes);

namespace warpglass::seat {

enum class Call : std::uint16_t {
#define CALL_none(name)
#define CALL__ptsz(name) name##_ptsz,
#define CALL__ptds(name) name##_ptds,
#define CALL(name, asked, version, other) name, CALL_##other(name)
#include "gpu/seat/driver_calls.inl"
#undef CALL
#undef CALL_none
#undef CALL__ptsz
#undef CALL__ptds
    Count_
};

// Opens the driver on first use; nullptr if it has no such function.
void* driverFunction(Call call);
// Functions that the seat itself asks for and does not look at.
struct Driver {
#define WG_DRIVER_FUNCTIONS(X)                                                                                         \
    X(cuCtxGetCurrent)                                                                                                 \
    X(cuCtxGetDevice)                                                                                                  \
    X(cuFuncGetName)                                                                                                   \
    X(cuFuncGetModule)                                                                                                 \
    X(cuFuncGetParamInfo)                                                                                              \
    X(cuFuncGetAttribute)                                                                                              \
    X(cuFuncSetAttribute)                                                                                              \
    X(cuKernelGetFunction)                                                                                             \
    X(cuKernelGetLibrary)                                                                                              \
    X(cuLibraryGetModule)                                                                                              \
    X(cuModuleGetGlobal_v2)                                                                                            \
    X(cuMemGetInfo_v2)                                                                                                 \
    X(cuMemGetAddressRange_v2)                                                                                         \
    X(cuPointerGetAttribute)                                                                                           \
    X(cuStreamIsCapturing)                                                                                             \
    X(cuGraphGetNodes)                                                                                                 \
    X(cuGraphNodeGetType)                                                                                              \
    X(cuGraphKernelNodeGetParams_v2)                                                                                   \
    X(cuGraphKernelNodeSetParams_v2)                                                                                   \
    X(cuGraphKernelNodeGetAttribute)                                                                                   \
    X(cuGraphClone)                                                                                                    \
    X(cuGraphDestroy)                                                                                                  \
    X(cuGraphDestroyNode)                                                                                              \
    X(cuGraphNodeFindInClone)                                                                                          \
    X(cuGraphNodeGetDependencies_v2)                                                                                   \
    X(cuGraphInstantiateWithFlags)                                                                                     \
    X(cuGraphExecDestroy)                                                                                              \
    X(cuGraphLaunch)                                                                                                   \
    X(cuGraphMemcpyNodeGetParams)                                                                                      \
    X(cuGraphMemsetNodeGetParams)                                                                                      \
    X(cuGraphChildGraphNodeGetGraph)                                                                                   \
    X(cuCtxGetLimit)                                                                                                   \
    X(cuCtxSynchronize)                                                                                                \
    X(cuMemAlloc_v2)                                                                                                   \
    X(cuMemFree_v2)                                                                                                    \
    X(cuMemcpyDtoD_v2)                                                                                                 \
    X(cuMemcpyDtoH_v2)                                                                                                 \
    X(cuDeviceGetName)                                                                                                 \
    X(cuDeviceGetAttribute)
#define X(name) decltype(&::name) name = nullptr;
    WG_DRIVER_FUNCTIONS(X)
#undef X
};
const Driver& driver();

// What this thread asks the driver for on the seat's own behalf is not looked at.
class Inside {
public:
    Inside() : m_before(s_inside) { s_inside = true; }
    ~Inside() { s_inside = m_before; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    static bool here() { return s_inside; }

private:
    static thread_local bool s_inside;
    bool m_before;
};

} // namespace warpglass::seat
