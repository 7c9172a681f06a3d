// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/driver/driver.h"

#include <algorithm>
#include <cstring>

using namespace warpglass::virtual_device;

namespace {

// Parameters as one buffer: a list of words, each with a value, ended by 0.
constexpr std::uint64_t extraEnd = 0, extraPointer = 1, extraBytes = 2;

Status launchBuffer(Device& d, Kernel* kernel, CallDim3 grid, CallDim3 block, unsigned shared, void* stream,
                    void* const* extra) {
    const void* buffer = nullptr;
    std::size_t bytes = 0;
    for (; reinterpret_cast<std::uint64_t>(extra[0]) != extraEnd; extra += 2) {
        if (reinterpret_cast<std::uint64_t>(extra[0]) == extraPointer)
            buffer = extra[1];
        else if (reinterpret_cast<std::uint64_t>(extra[0]) == extraBytes)
            bytes = *static_cast<const std::size_t*>(extra[1]);
        else
            return invalidValue;
    }
    if (!buffer || bytes < kernel->parameterBytes())
        return invalidValue;
    std::vector<void*> places;
    for (const auto& p : kernel->parameters)
        places.push_back(static_cast<std::byte*>(const_cast<void*>(buffer)) + p.offset);
    return launchWith(d, kernel, grid, block, places.data(), shared, stream);
}

struct DriverConfig { // CUlaunchConfig
    unsigned grid[3], block[3], sharedBytes;
    void* stream;
    const CallAttribute* attributes;
    unsigned attributeCount;
};

int launch(void* function, CallDim3 grid, CallDim3 block, unsigned shared, void* stream, void** parameters,
           void** extra, bool cooperative) {
    return drive([&](Device& d) {
        Kernel* kernel = nullptr;
        if (!d.modules.isKernel(function))
            return invalidHandle;
        kernel = static_cast<Kernel*>(function);
        return extra && !parameters ? launchBuffer(d, kernel, grid, block, shared, stream, extra)
                                    : launchWith(d, kernel, grid, block, parameters, shared, stream, cooperative);
    });
}

} // namespace

WG_API int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void* stream, void** parameters, void** extra) {
    return launch(function, {gx, gy, gz}, {bx, by, bz}, shared, stream, parameters, extra, false);
}
WG_ALIAS(cuLaunchKernel_ptsz, cuLaunchKernel);
WG_API int cuLaunchCooperativeKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                     unsigned bz, unsigned shared, void* stream, void** parameters) {
    return launch(function, {gx, gy, gz}, {bx, by, bz}, shared, stream, parameters, nullptr, true);
}
WG_ALIAS(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel);
WG_API int cuLaunchKernelEx(const DriverConfig* c, void* function, void** parameters, void** extra) {
    if (extra && !parameters)
        return launch(function, {c->grid[0], c->grid[1], c->grid[2]}, {c->block[0], c->block[1], c->block[2]},
                      c->sharedBytes, c->stream, parameters, extra, false);
    return drive([&](Device& d) {
        if (!d.modules.isKernel(function))
            return invalidHandle;
        const CallConfig config{{c->grid[0], c->grid[1], c->grid[2]},
                                {c->block[0], c->block[1], c->block[2]},
                                c->sharedBytes,
                                c->stream,
                                c->attributes,
                                c->attributeCount};
        return launchConfigured(d, static_cast<Kernel*>(function), config, parameters);
    });
}
WG_ALIAS(cuLaunchKernelEx_ptsz, cuLaunchKernelEx);
