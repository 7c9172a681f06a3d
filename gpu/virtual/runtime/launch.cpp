// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/runtime/call.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace warpglass::virtual_device {

namespace {

struct PushedCall {
    CallDim3 grid, block;
    std::size_t sharedBytes;
    void* stream;
    CallPlace from; // the line that has the <<< >>>; the launch itself comes from nvcc's stub
};
thread_local CallPlace pushedFrom; // of the launch that comes next
std::vector<PushedCall>& pushed() {
    thread_local std::vector<PushedCall> calls;
    return calls;
}

// Said once a module: a program that does not look at errors would otherwise seem to run.
void sayWhy(const Module& module, Module::Loaded& there) {
    if (there.message.empty())
        return;
    std::fprintf(stderr, "warpglass: %s of the program cannot be loaded: %s\n", module.name.c_str(),
                 there.message.c_str());
    there.message = {};
}

} // namespace

Dim3 shapeFrom(CallDim3 d) {
    return {d.x, d.y, d.z};
}

std::vector<std::byte> parametersFrom(const LoadedKernel& kernel, void* const* arguments) {
    std::vector<std::byte> bytes(kernel.parameterBytes());
    for (std::size_t n = 0; n < kernel.parameters.size(); ++n)
        std::memcpy(bytes.data() + kernel.parameters[n].offset, arguments[n], kernel.parameters[n].bytes);
    return bytes;
}

namespace {
// Parameters as one buffer: a list of words, each with a value, ended by 0.
constexpr std::uint64_t extraEnd = 0, extraPointer = 1, extraBytes = 2;

Status fromBuffer(const LoadedKernel& kernel, void* const* extra, std::vector<std::byte>& arguments) {
    const std::byte* buffer = nullptr;
    std::size_t bytes = 0;
    for (; reinterpret_cast<std::uint64_t>(extra[0]) != extraEnd; extra += 2) {
        if (reinterpret_cast<std::uint64_t>(extra[0]) == extraPointer)
            buffer = static_cast<const std::byte*>(extra[1]);
        else if (reinterpret_cast<std::uint64_t>(extra[0]) == extraBytes)
            bytes = *static_cast<const std::size_t*>(extra[1]);
        else
            return invalidValue;
    }
    if (!buffer || bytes < kernel.parameterBytes())
        return invalidValue;
    arguments.assign(buffer, buffer + kernel.parameterBytes());
    return success;
}
} // namespace

Status launchRequest(LoadedKernel* kernel, CallDim3 grid, CallDim3 block, void* const* arguments, void* const* extra,
                     std::size_t sharedBytes, KernelRequest& request) {
    request = {};
    request.kernel = kernel;
    request.shape = {shapeFrom(grid), shapeFrom(block), Dim3{}, std::uint32_t(sharedBytes), 0u};
    if (extra && !arguments)
        return fromBuffer(*kernel, extra, request.arguments);
    if (!kernel->parameters.empty() && !arguments)
        return invalidValue;
    request.arguments = parametersFrom(*kernel, arguments);
    return success;
}

Status launchWith(Device& d, LoadedKernel* kernel, CallDim3 grid, CallDim3 block, void* const* arguments,
                  std::size_t sharedBytes, void* stream, bool cooperative) {
    KernelRequest request;
    if (const Status status = launchRequest(kernel, grid, block, arguments, nullptr, sharedBytes, request);
        status != success)
        return status;
    setCooperative(request, cooperative);
    return d.launch(request, stream);
}

Status launchConfigured(Device& d, LoadedKernel* kernel, const CallConfig& config, void* const* arguments,
                        void* const* extra) {
    bool cooperative = false;
    const CallDim3* cluster = nullptr;
    for (unsigned n = 0; n < config.attributeCount; ++n) {
        const CallAttribute& a = config.attributes[n];
        if (a.id == attributeCooperative)
            cooperative = a.value.cooperative != 0;
        if (a.id == attributeCluster)
            cluster = &a.value.cluster;
    }
    KernelRequest request;
    if (const Status status =
            launchRequest(kernel, config.grid, config.block, arguments, extra, config.sharedBytes, request);
        status != success)
        return status;
    setCluster(request, cluster);
    setCooperative(request, cooperative);
    return d.launch(request, config.stream);
}

namespace {
template <class F>
[[gnu::always_inline]] inline Status withKernel(const void* function, F f) {
    return launching([&](Device& d) {
        if (const CallPlace from = std::exchange(pushedFrom, {}); from.code != 0)
            calledFrom = from;
        LoadedKernel* kernel = nullptr;
        const Status status = d.modules.kernelOf(function, kernel, d.number);
        if (status != success) {
            d.modules.eachFailed(sayWhy);
            return status;
        }
        return Status(f(d, kernel));
    });
}
} // namespace

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API unsigned __cudaPushCallConfiguration(CallDim3 grid, CallDim3 block, std::size_t sharedBytes, void* stream) {
    pushed().push_back({grid, block, sharedBytes, stream, placeOfCall()});
    return 0;
}

WG_API int __cudaPopCallConfiguration(CallDim3* grid, CallDim3* block, std::size_t* sharedBytes, void* stream) {
    if (pushed().empty())
        return done(invalidConfiguration);
    const PushedCall last = pushed().back();
    pushed().pop_back();
    pushedFrom = last.from;
    *grid = last.grid, *block = last.block, *sharedBytes = last.sharedBytes;
    std::memcpy(stream, &last.stream, sizeof last.stream);
    return success;
}

WG_API int __cudaGetKernel(void** kernel, const void* function) {
    return withKernel(function, [&](Device&, LoadedKernel* k) {
        *kernel = k;
        return success;
    });
}

WG_API int cudaLaunchKernel(const void* function, CallDim3 grid, CallDim3 block, void** arguments,
                            std::size_t sharedBytes, void* stream) {
    return withKernel(function, [&](Device& d, LoadedKernel* k) {
        return launchWith(d, k, grid, block, arguments, sharedBytes, stream);
    });
}
WG_ALIAS(cudaLaunchKernel_ptsz, cudaLaunchKernel);
WG_ALIAS(__cudaLaunchKernel, cudaLaunchKernel);
WG_ALIAS(__cudaLaunchKernel_ptsz, cudaLaunchKernel);

WG_API int cudaLaunchCooperativeKernel(const void* function, CallDim3 grid, CallDim3 block, void** arguments,
                                       std::size_t sharedBytes, void* stream) {
    return withKernel(function, [&](Device& d, LoadedKernel* k) {
        return launchWith(d, k, grid, block, arguments, sharedBytes, stream, true);
    });
}
WG_ALIAS(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);

WG_API int cudaLaunchKernelExC(const CallConfig* config, const void* function, void** arguments) {
    return withKernel(function, [&](Device& d, LoadedKernel* k) { return launchConfigured(d, k, *config, arguments); });
}
WG_ALIAS(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);

WG_API int cudaGetKernel(void** kernel, const void* function) {
    return __cudaGetKernel(kernel, function);
}
WG_ALIAS(cudaGetFuncBySymbol, cudaGetKernel);

WG_API int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
    return call([&](Device& d) { return function ? d.submit(stream, HostCall{function, data}) : invalidValue; });
}
WG_ALIAS(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);

WG_API int cudaStreamAddCallback(void* stream, void (*function)(void*, int, void*), void* data, unsigned) {
    return call([&](Device& d) {
        Stream* known = d.streams.find(stream);
        if (!known || !function)
            return known ? invalidValue : invalidHandle;
        if (known->capture) { // it knows nothing of graphs
            known->capture->why = captureInvalidated;
            return captureUnsupported;
        }
        struct Callback {
            void* stream;
            void (*function)(void*, int, void*);
            void* data;
        };
        // It may be called when this call is over.
        auto callback = std::make_unique<Callback>(Callback{stream, function, data});
        const HostCall thunk{[](void* pointer) {
                                 const std::unique_ptr<Callback> c(static_cast<Callback*>(pointer));
                                 c->function(c->stream, success, c->data);
                             },
                             callback.get()};
        const Status status = d.submit(stream, thunk);
        if (status == success)
            (void)callback.release();
        return status;
    });
}
WG_ALIAS(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);
