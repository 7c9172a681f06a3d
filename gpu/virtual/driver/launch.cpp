// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/driver/driver.h"

using namespace warpglass::virtual_device;

namespace {

int launch(void* function, CallDim3 grid, CallDim3 block, unsigned shared, void* stream, void** parameters,
           void** extra, bool cooperative) {
    return driveLaunch([&](Device& d) {
        if (!d.modules.isKernel(function))
            return invalidHandle;
        auto* const kernel = static_cast<LoadedKernel*>(function);
        KernelRequest request;
        if (const Status status = launchRequest(kernel, grid, block, parameters, extra, shared, request);
            status != success)
            return status;
        setCooperative(request, cooperative);
        return d.launch(request, stream);
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
    return driveLaunch([&](Device& d) {
        if (!d.modules.isKernel(function))
            return invalidHandle;
        return launchConfigured(d, static_cast<LoadedKernel*>(function), runtimeForm(*c), parameters, extra);
    });
}
WG_ALIAS(cuLaunchKernelEx_ptsz, cuLaunchKernelEx);
