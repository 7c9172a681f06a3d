// SPDX-License-Identifier: GPL-3.0-or-later
// Driver functions by their names: what programs ask for that call the driver without linking with it.
#include "gpu/virtual/runtime/call.h"

#include <dlfcn.h>

namespace {
constexpr int found = 0, missing = 1; // cudaDriverEntryPointQueryResult, CUdriverProcAddressQueryResult

// Forms of one function that differ in what they take: with which version of CUDA each came. Asked for by the version
// that a program was written for, the newest form of that time is the answer. All others came before anything that runs
// here, and their newest form is right.
struct Form {
    std::string_view name, suffix;
    int since;
};
constexpr Form forms[] = {
    {"cuCtxCreate", "_v4", 12050},
    {"cuCtxCreate", "_v3", 11040},
    {"cuCtxGetDevice", "_v2", 13000},
    {"cuCtxSynchronize", "_v2", 13000},
    {"cuDeviceGetUuid", "_v2", 11040},
    {"cuEventElapsedTime", "_v2", 12080},
    {"cuGraphAddDependencies", "_v2", 12030},
    {"cuGraphAddKernelNode", "_v2", 12000},
    {"cuGraphAddNode", "_v2", 12030},
    {"cuGraphExecKernelNodeSetParams", "_v2", 12000},
    {"cuGraphExecUpdate", "_v2", 12000},
    {"cuGraphGetEdges", "_v2", 12030},
    {"cuGraphKernelNodeGetParams", "_v2", 12000},
    {"cuGraphKernelNodeSetParams", "_v2", 12000},
    {"cuGraphNodeGetDependencies", "_v2", 12030},
    {"cuGraphNodeGetDependentNodes", "_v2", 12030},
    {"cuGraphRemoveDependencies", "_v2", 12030},
    {"cuGetProcAddress", "_v2", 12000},
    {"cuMemAdvise", "_v2", 12020},
    {"cuMemPrefetchAsync", "_v2", 12020},
    {"cuStreamGetCaptureInfo", "_v3", 12030},
    {"cuStreamGetCtx", "_v2", 12050},
    {"cuStreamUpdateCaptureDependencies", "_v2", 12030},
};
int since(std::string_view name, std::string_view suffix) {
    for (const Form& f : forms)
        if (f.name == name && f.suffix == suffix)
            return f.since;
    return 0;
}

// In this library alone: the program may have its own functions of such names.
void* lookUp(const char* name, int version) {
    static void* const self = [] {
        Dl_info info{};
        return dladdr(reinterpret_cast<void*>(&lookUp), &info) ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD)
                                                               : nullptr;
    }();
    const std::string plain = name;
    if (!self)
        return nullptr;
    for (const char* suffix : {"_v4", "_v3", "_v2", ""})
        if (since(plain, suffix) <= version)
            if (void* function = dlsym(self, (plain + suffix).c_str()))
                return function;
    return nullptr;
}
// The last of the runtime's major version: what its own headers of that time name.
int runtimeVersion() {
    return warpglass::virtual_device::runtimeMajor() * 1000 + 990;
}
} // namespace

using namespace warpglass::virtual_device;

WG_API int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version, unsigned long long,
                                            int* result) {
    *function = lookUp(name, int(version));
    if (result)
        *result = *function ? found : missing;
    return success;
}
WG_ALIAS(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);
WG_API int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags, int* result) {
    return cudaGetDriverEntryPointByVersion(name, function, unsigned(runtimeVersion()), flags, result);
}
WG_ALIAS(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint);
WG_API int cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t, int* result) {
    *function = lookUp(name, version);
    if (result)
        *result = *function ? found : missing;
    return *function ? success : notFound;
}
WG_API int cuGetProcAddress(const char* name, void** function, int version, std::uint64_t) {
    *function = lookUp(name, version);
    return *function ? success : notFound;
}
