// SPDX-License-Identifier: GPL-3.0-or-later
// What every runtime call shares: the lock, the error that a kernel left behind, and the thread's last error.
#pragma once

#include "gpu/virtual/core/device.h"
#include "gpu/virtual/core/host_place.h"

namespace warpglass::virtual_device {

Status& lastError(); // of this thread

inline Status done(Status status) {
    if (status != success && status != notReady)
        lastError() = status;
    return status;
}

// A handle that is none is told in words, of which the status says nothing.
inline Status told(Device& d, Status status) {
    if (status == invalidHandle)
        d.tellHandle();
    return status;
}

// What all calls begin with, in the function that the program has called: from where it did.
[[gnu::always_inline]] inline bool isRefused() {
    calledFrom = placeOfCall();
    return inHostFunction;
}

// f(device), unless a kernel has broken the device.
template <class F>
[[gnu::always_inline]] inline Status call(F f) {
    if (isRefused()) [[unlikely]]
        return done(device().refuseInHostFunction());
    if (contextStack().empty()) // the runtime's first call makes a context
        setCurrentDevice(0);
    Device& d = device();
    const std::lock_guard lock(d.lock);
    return done(d.broken != success ? d.broken : told(d, f(d)));
}
// The same for what also a broken device answers.
template <class F>
[[gnu::always_inline]] inline Status ask(F f) {
    if (isRefused()) [[unlikely]]
        return done(device().refuseInHostFunction());
    Device& d = device();
    const std::lock_guard lock(d.lock);
    return done(told(d, f(d)));
}

// The same for launches: those that a broken device refuses are listed, too. Its error comes before whatever else is wrong.
template <class F>
[[gnu::always_inline]] inline Status launching(F f) {
    if (isRefused()) [[unlikely]]
        return done(device().refuseInHostFunction());
    if (contextStack().empty() || device().broken == success)
        return call(f);
    return ask([&](Device& d) {
        f(d);
        return d.broken;
    });
}

// 11, 12 or 13: the runtime that the program was built for.
int runtimeMajor();

// The bytes of a launch's parameters, from pointers to each.
std::vector<std::byte> parametersFrom(const LoadedKernel& kernel, void* const* arguments);
Dim3 shapeFrom(CallDim3 d);
// The launch that the words of a call describe; nothing of it is checked but its arguments.
Status launchRequest(LoadedKernel* kernel, CallDim3 grid, CallDim3 block, void* const* arguments, void* const* extra,
                     std::size_t sharedBytes, KernelRequest& request);
inline void setCooperative(KernelRequest& request, bool cooperative) {
    request.cooperative = cooperative;
    request.shape.cooperative = cooperative ? 1 : 0;
}
inline void setCluster(KernelRequest& request, const CallDim3* cluster) {
    request.cluster.reset();
    if (cluster)
        request.cluster = shapeFrom(*cluster);
    request.shape.cluster = cluster ? shapeFrom(*cluster) : Dim3{};
}
Status launchWith(Device& d, LoadedKernel* kernel, CallDim3 grid, CallDim3 block, void* const* arguments,
                  std::size_t sharedBytes, void* stream, bool cooperative = false);
// extra: the arguments as one piece of memory, in place of pointers to each.
Status launchConfigured(Device& d, LoadedKernel* kernel, const CallConfig& config, void* const* arguments,
                        void* const* extra = nullptr);
// The copy of a box; if one side or both are CUDA arrays; from (to is set) or to a variable.
Status boxRequest(Device& d, const CallCopy3D& box, CopyRequest& request);
Status arrayBoxRequest(Device& d, const CallCopy3D& box, CopyRequest& request);
Status variableRequest(Device& d, const void* symbol, std::size_t offset, std::size_t bytes, void* to, const void* from,
                       int kind, CopyRequest& request);
// Where an array's rows lie; nothing if the handle is none.
struct ArrayPlace {
    std::byte* at;
    std::size_t pitch, height, depth;
};
std::optional<ArrayPlace> placeOf(const void* array);
Status copyLinear(Device& d, void* to, const void* from, std::size_t bytes, int kind, void* stream);
CallFunctionAttributes attributesOf(const Device& d, LoadedKernel& kernel, const emulator::Program& program);
int blocksPerSm(const Device& d, LoadedKernel& kernel, const emulator::Program& program, int threads,
                std::size_t dynamicShared);
Status clustersAtOnce(const Device& d, LoadedKernel& kernel, const emulator::Program& program, const CallConfig& config,
                      int& clusters);
// Bytes of dynamic shared memory that each of so many blocks on an SM may have.
std::size_t sharedLeft(const Device& d, const CallFunctionAttributes& of, int blocks);
bool deviceExists(int ordinal);
std::array<char, 16> deviceName(int ordinal); // its UUID
int attributeOf(const Device& d, int attribute,
                int ordinal); // cudaDeviceAttr and CUdevice_attribute have the same numbers

const char* errorName(int status); // "cudaErrorInvalidValue"
const char* errorText(int status);

} // namespace warpglass::virtual_device
