// SPDX-License-Identifier: GPL-3.0-or-later
// What every runtime call shares: the lock, the error that a kernel left behind, and the thread's last error.
#pragma once

#include "gpu/virtual/core/device.h"

namespace warpglass::virtual_device {

Status& lastError(); // of this thread

inline Status done(Status status) {
    if (status != success && status != notReady)
        lastError() = status;
    return status;
}

// f(device), unless a kernel has broken the device.
template <class F>
Status call(F f) {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    return done(d.broken != success ? d.broken : f(d));
}
// The same for what also a broken device answers.
template <class F>
Status ask(F f) {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    return done(f(d));
}

// 11, 12 or 13: the runtime that the program was built for.
int runtimeMajor();

// The bytes of a launch's parameters, from pointers to each.
std::vector<std::byte> parametersFrom(const Kernel& kernel, void* const* arguments);
Dim3 shapeFrom(CallDim3 d);
Status launchWith(Device& d, Kernel* kernel, CallDim3 grid, CallDim3 block, void* const* arguments,
                  std::size_t sharedBytes, void* stream, bool cooperative = false, const CallDim3* cluster = nullptr);
Status launchConfigured(Device& d, Kernel* kernel, const CallConfig& config, void* const* arguments);
Status copyArrayBox(Device& d, const CallCopy3D& c, void* stream); // one side or both are CUDA arrays
Status copyLinear(Device& d, void* to, const void* from, std::size_t bytes, int kind, void* stream);
CallFunctionAttributes attributesOf(const Device& d, Kernel& kernel, const emulator::Program& program);
int blocksPerSm(const Device& d, const emulator::Program& program, int threads, std::size_t dynamicShared);
int attributeOf(const Device& d, int attribute); // cudaDeviceAttr and CUdevice_attribute have the same numbers

const char* errorName(int status); // "cudaErrorInvalidValue"
const char* errorText(int status);

} // namespace warpglass::virtual_device
