// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/quantity.h"
#include "gpu/emulator/ops/call_words.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/state/exec.h"
#include "gpu/emulator/watch/memory_use.h"
#include "gpu/launch/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

namespace warpglass::emulator {

namespace {

// CUDA's error numbers (cudaError_t).
constexpr std::uint32_t invalidConfiguration = 9, maximumDepthExceeded = 65, pendingCountExceeded = 69,
                        invalidDeviceFunction = 98;

Dim3 shape(Exec& x, const Inst& in, std::size_t argument, int lane) {
    return {callWord(x, in, argument, 0, lane), callWord(x, in, argument, 1, lane), callWord(x, in, argument, 2, lane)};
}
// Of the notes of one launch, from the asking to the row in the trace: about what a ChildLaunch, a LaunchRecord with
// its reason and a Launch take.
constexpr std::uint64_t launchBytes = 1500;

template <class F>
bool eachLane(Exec& x, const Inst& in, F f) {
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1)
        if (!f(std::countr_zero(m)))
            return false;
    return true;
}

std::uint32_t functionAt(std::uint64_t address) {
    return windowOf(address) == Window::Code ? std::uint32_t((address - codeWindow) / 16) : noIndex;
}

std::uint64_t paramBytes(const ptx::Function& f) {
    std::uint64_t at = 0;
    for (const auto& v : f.params) {
        const std::uint64_t alignment =
            v.alignment ? std::uint64_t(v.alignment) : std::uint64_t(std::max(1, bytesOf(v.type) * v.vector));
        at = (at + alignment - 1) / alignment * alignment + v.sizeBytes();
    }
    return at;
}

// (function, grid, block, shared) -> buffer for the arguments
bool getBuffer(Exec& x, const Inst& in) {
    return eachLane(x, in, [&](int lane) {
        LaunchBuffer b;
        b.moduleFunction = functionAt(callWide(x, in, 0, lane));
        b.grid = shape(x, in, 1, lane);
        b.block = shape(x, in, 2, lane);
        b.sharedBytes = callWord(x, in, 3, 0, lane);
        const auto& functions = x.program->module->functions;
        if (b.moduleFunction >= functions.size()) {
            x.device->lastError = invalidDeviceFunction;
            callResult(x, in, lane, 0);
            return true;
        }
        const std::uint64_t bytes = std::max<std::uint64_t>(paramBytes(functions[b.moduleFunction]), 8);
        const std::uint64_t address = x.global->allocate(bytes, "parameters of a device-side launch").base;
        x.device->buffers[address] = b;
        callResult(x, in, lane, address);
        return keep(x, in, lane, launchBytes + bytes);
    });
}
// The old form: (alignment, size) -> buffer
bool getPlainBuffer(Exec& x, const Inst& in) {
    return eachLane(x, in, [&](int lane) {
        const std::uint64_t bytes = std::max<std::uint64_t>(callWide(x, in, 1, lane), 8);
        if (bytes > mostParameterBytes) {
            callResult(x, in, lane, 0); // as where there is no memory for it
            return true;
        }
        callResult(x, in, lane, x.global->allocate(bytes, "parameters of a device-side launch").base);
        return keep(x, in, lane, launchBytes + bytes);
    });
}

bool submit(Exec& x, const Inst& in, int lane, const LaunchBuffer& b, std::uint64_t address, std::uint64_t stream) {
    DeviceState& device = *x.device;
    ChildLaunch child;
    child.moduleFunction = b.moduleFunction;
    child.grid = b.grid;
    child.block = b.block;
    child.sharedBytes = b.sharedBytes;
    child.stream = streamOf(stream);
    child.parentLaunch = x.launch->launch;
    child.parentBlock = std::uint32_t(x.block->index);
    child.parentThread = x.warp->number * 32 + std::uint32_t(lane);
    child.site = x.program->info[in.index].site;
    const ptx::Function& f = x.program->module->functions[b.moduleFunction];
    const std::uint64_t bytes = paramBytes(f);
    child.params.resize(bytes);
    Area* hint = nullptr;
    if (const std::byte* const from = bytes > 0 ? x.global->find(address, bytes, hint).bytes() : nullptr)
        std::memcpy(child.params.data(), from, bytes);
    const std::uint32_t room = device.pendingLimit > 2 ? device.pendingLimit - 2 : 0;
    if (b.grid.count() == 0 || b.block.count() == 0 || b.block.count() > device.threadsPerBlock) {
        child.error = invalidConfiguration;
        child.reason = say::ShapeImpossible(b.grid.count(), b.block.count());
    } else if (const auto fits = validate(f, b.grid, b.block, {}); !fits) {
        child.error = invalidConfiguration;
        child.reason = fits.error().message;
    } else if (const auto may = validateChild(b.grid, b.block, b.sharedBytes, *device.spec); !may) {
        child.error = invalidConfiguration;
        child.reason = may.error().message;
    } else if (x.launch->depth + 1 > maximumDepth) {
        child.error = maximumDepthExceeded;
        child.reason = say::TooDeep(maximumDepth, maximumDepthExceeded);
    } else if (device.pending >= room) {
        child.error = pendingCountExceeded;
        child.reason = say::TooManyPending(device.pending, device.pendingLimit, pendingCountExceeded);
    } else {
        child.accepted = true;
        ++device.pending;
    }
    if (child.error)
        device.lastError = child.error;
    callResult(x, in, lane, child.error);
    if (x.afterLaunches && child.accepted && child.stream != StreamKind::Tail)
        child.touchesBehind = ++x.afterLaunches->launches;
    device.children.push_back(std::move(child));
    return device.children.back().accepted;
}

void told(Exec& x, const Inst& in, std::uint32_t active, std::uint32_t accepted) {
    if (x.recorder && active)
        x.recorder->event(*x.warp, EventKind::Launch, x.program->info[in.index].site, {active}, {accepted},
                          x.warp->clock - 1);
}

// (buffer, stream) -> error
bool launchDevice(Exec& x, const Inst& in) {
    std::uint32_t active = 0, accepted = 0;
    const bool goesOn = eachLane(x, in, [&](int lane) {
        const std::uint64_t address = callWide(x, in, 0, lane);
        const auto found = x.device->buffers.find(address);
        active |= 1u << lane;
        if (found == x.device->buffers.end()) {
            callResult(x, in, lane, invalidDeviceFunction);
            return true;
        }
        const LaunchBuffer b = found->second;
        x.device->buffers.erase(found);
        accepted |= std::uint32_t(submit(x, in, lane, b, address, callWide(x, in, 1, lane))) << lane;
        return true; // its buffer has been counted
    });
    told(x, in, active, accepted);
    return goesOn;
}
// The old form: (function, buffer, grid, block, shared, stream) -> error
bool launchPlain(Exec& x, const Inst& in) {
    std::uint32_t active = 0, accepted = 0;
    const bool goesOn = eachLane(x, in, [&](int lane) {
        active |= 1u << lane;
        const LaunchBuffer b{functionAt(callWide(x, in, 0, lane)), shape(x, in, 2, lane), shape(x, in, 3, lane),
                             callWord(x, in, 4, 0, lane)};
        if (b.moduleFunction >= x.program->module->functions.size()) {
            callResult(x, in, lane, invalidDeviceFunction);
            return true;
        }
        accepted |= std::uint32_t(submit(x, in, lane, b, callWide(x, in, 1, lane), callWide(x, in, 5, lane))) << lane;
        return keep(x, in, lane, launchBytes); // a buffer may be launched again and again
    });
    told(x, in, active, accepted);
    return goesOn;
}

template <bool clears>
bool lastError(Exec& x, const Inst& in) {
    return eachLane(x, in, [&](int lane) {
        callResult(x, in, lane, x.device->lastError);
        if (clears)
            x.device->lastError = 0;
        return true;
    });
}
} // namespace

bool keep(Exec& x, const Inst& in, int lane, std::uint64_t bytes) {
    if (x.device->kept.fetch_add(bytes, std::memory_order_relaxed) + bytes <= x.device->mostKept)
        return true;
    x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, 0, say::KeepsTooMuch(memoryWords(x.device->mostKept)),
                       true);
    return false;
}

StreamKind streamOf(std::uint64_t stream) {
    return stream == 3 ? StreamKind::Tail : stream == 4 ? StreamKind::FireAndForget : StreamKind::Default;
}

Handler launchHandler(std::string_view name) {
    name = runtimeName(name);
    if (name == "GetParameterBufferV2")
        return &getBuffer;
    if (name == "GetParameterBuffer")
        return &getPlainBuffer;
    if (name == "LaunchDeviceV2")
        return &launchDevice;
    if (name == "LaunchDevice")
        return &launchPlain;
    if (name == "GetLastError")
        return &lastError<true>;
    if (name == "PeekAtLastError")
        return &lastError<false>;
    return nullptr;
}

} // namespace warpglass::emulator
