// SPDX-License-Identifier: GPL-3.0-or-later
// Copies and fills in all their forms: plain, of rows, of boxes, from and to variables. Asynchronous ones are done when
// the call returns, which their streams allow.
#include "gpu/base/messages/program.h"
#include "gpu/virtual/runtime/call.h"

#include <fmt/format.h>

namespace warpglass::virtual_device {

Status copyLinear(Device& d, void* to, const void* from, std::size_t bytes, int kind, void* stream) {
    CopyRequest r;
    r.to = to, r.from = from, r.bytes = bytes, r.kind = kind;
    return d.copy(r, stream);
}

Status boxRequest(Device& d, const CallCopy3D& box, CopyRequest& r) {
    r = {};
    r.asked = std::make_shared<CallCopy3D>(box);
    if (box.fromArray || box.toArray)
        return arrayBoxRequest(d, box, r);
    const auto at = [](const CallPitched& p, CallPosition c) {
        return static_cast<std::byte*>(p.pointer) + c.z * p.pitch * p.height + c.y * p.pitch + c.x;
    };
    r.from = at(box.from, box.fromAt), r.to = at(box.to, box.toAt);
    r.bytes = box.extent.width, r.rows = box.extent.height, r.slices = box.extent.depth;
    r.fromPitch = box.from.pitch, r.toPitch = box.to.pitch;
    r.fromSlice = box.from.pitch * box.from.height, r.toSlice = box.to.pitch * box.to.height;
    r.kind = box.kind;
    return success;
}

Status variableRequest(Device& d, const void* symbol, std::size_t offset, std::size_t bytes, void* to, const void* from,
                       int kind, CopyRequest& r) {
    Modules::Variable v;
    if (const Status status = d.modules.variableOf(symbol, v, d.number); status != success)
        return status;
    if (offset > v.bytes || bytes > v.bytes - offset) {
        d.tellMistake(say::PlacePastEnd(to ? say::CopyReads : say::CopyWrites, bytes,
                                        fmt::format("0x{:x}", v.address + offset), offset + bytes - v.bytes,
                                        d.modules.shadowAt(std::uint64_t(symbol), d.number).value_or("it"), v.bytes));
        return invalidValue;
    }
    auto* own = v.data + offset;
    r = {};
    r.bytes = bytes;
    // Constant memory is of a module: by its bytes and not by an address that several modules have.
    if (emulator::windowOf(v.address) == emulator::Window::Const) {
        r.to = to ? to : own, r.from = from ? from : own, r.kind = byAddress;
        r.shown = to ? program::Direction::DeviceToHost : program::Direction::HostToDevice;
        return success;
    }
    void* const address = reinterpret_cast<void*>(v.address + offset);
    r.to = to ? to : address, r.from = from ? from : address, r.kind = kind;
    return success;
}

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

namespace {

// A copy that the host waits for.
template <class F>
[[gnu::always_inline]] inline int waited(F f) {
    return call([&](Device& d) { return d.copies(true, [&] { return f(d); }); });
}

Status copyRows(Device& d, void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width,
                std::size_t height, int kind, void* stream) {
    if (width > toPitch || width > fromPitch)
        return Status(12); // cudaErrorInvalidPitchValue
    CopyRequest r;
    r.to = to, r.from = from, r.bytes = width, r.rows = height, r.toPitch = toPitch, r.fromPitch = fromPitch;
    r.kind = kind;
    return d.copy(r, stream);
}

Status copyBox(Device& d, const CallCopy3D& box, void* stream) {
    CopyRequest r;
    const Status status = boxRequest(d, box, r);
    return status != success ? status : d.copy(r, stream);
}

// Bytes of a variable, to or from the host or the device.
Status copyVariable(Device& d, const void* symbol, std::size_t offset, std::size_t bytes, void* to, const void* from,
                    int kind, void* stream) {
    CopyRequest r;
    const Status status = variableRequest(d, symbol, offset, bytes, to, from, kind, r);
    return status != success ? status : d.copy(r, stream);
}
Status fillRows(Device& d, void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                void* stream) {
    FillRequest r;
    r.to = reinterpret_cast<std::uint64_t>(to), r.value = std::uint32_t(value), r.count = width, r.rows = height;
    r.pitch = pitch;
    return d.fill(r, stream);
}

Status fillBox(Device& d, const CallPitched& to, int value, CallExtent extent, void* stream) {
    FillRequest r;
    r.to = reinterpret_cast<std::uint64_t>(to.pointer), r.value = std::uint32_t(value);
    r.count = extent.width, r.rows = extent.height, r.slices = extent.depth;
    r.pitch = to.pitch, r.slicePitch = to.pitch * to.height;
    return d.fill(r, stream);
}

} // namespace

WG_API int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
    return waited([&](Device& d) { return copyLinear(d, to, from, bytes, kind, nullptr); });
}
WG_ALIAS(cudaMemcpy_ptds, cudaMemcpy);
WG_API int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* stream) {
    return call([&](Device& d) { return copyLinear(d, to, from, bytes, kind, stream); });
}
WG_ALIAS(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);
// Between devices an address tells whose memory it is.
WG_API int cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, std::size_t bytes) {
    if (!deviceExists(toDevice) || !deviceExists(fromDevice))
        return done(invalidDevice);
    return waited([&](Device& d) { return copyLinear(d, to, from, bytes, deviceToDevice, nullptr); });
}
WG_API int cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice, std::size_t bytes,
                               void* stream) {
    if (!deviceExists(toDevice) || !deviceExists(fromDevice))
        return done(invalidDevice);
    return call([&](Device& d) { return copyLinear(d, to, from, bytes, deviceToDevice, stream); });
}

namespace {
struct PeerBox { // cudaMemcpy3DPeerParms
    void* fromArray;
    CallPosition fromAt;
    CallPitched from;
    int fromDevice;
    void* toArray;
    CallPosition toAt;
    CallPitched to;
    int toDevice;
    CallExtent extent;
};
CallCopy3D boxOf(const PeerBox& p) {
    return {p.fromArray, p.fromAt, p.from, p.toArray, p.toAt, p.to, p.extent, deviceToDevice};
}
} // namespace

WG_API int cudaMemcpy3DPeer(const PeerBox* p) {
    return waited([&](Device& d) { return copyBox(d, boxOf(*p), nullptr); });
}
WG_ALIAS(cudaMemcpy3DPeer_ptds, cudaMemcpy3DPeer);
WG_API int cudaMemcpy3DPeerAsync(const PeerBox* p, void* stream) {
    return call([&](Device& d) { return copyBox(d, boxOf(*p), stream); });
}
WG_ALIAS(cudaMemcpy3DPeerAsync_ptsz, cudaMemcpy3DPeerAsync);

WG_API int cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width,
                        std::size_t height, int kind) {
    return waited([&](Device& d) { return copyRows(d, to, toPitch, from, fromPitch, width, height, kind, nullptr); });
}
WG_ALIAS(cudaMemcpy2D_ptds, cudaMemcpy2D);
WG_API int cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width,
                             std::size_t height, int kind, void* stream) {
    return call([&](Device& d) { return copyRows(d, to, toPitch, from, fromPitch, width, height, kind, stream); });
}
WG_ALIAS(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);
WG_API int cudaMemcpy3D(const CallCopy3D* c) {
    return waited([&](Device& d) { return copyBox(d, *c, nullptr); });
}
WG_ALIAS(cudaMemcpy3D_ptds, cudaMemcpy3D);
WG_API int cudaMemcpy3DAsync(const CallCopy3D* c, void* stream) {
    return call([&](Device& d) { return copyBox(d, *c, stream); });
}
WG_ALIAS(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);

WG_API int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind) {
    return waited([&](Device& d) { return copyVariable(d, symbol, offset, bytes, nullptr, from, kind, nullptr); });
}
WG_ALIAS(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);
WG_API int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind) {
    return waited([&](Device& d) { return copyVariable(d, symbol, offset, bytes, to, nullptr, kind, nullptr); });
}
WG_ALIAS(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);
WG_API int cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                   int kind, void* stream) {
    return call([&](Device& d) { return copyVariable(d, symbol, offset, bytes, nullptr, from, kind, stream); });
}
WG_ALIAS(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);
WG_API int cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind,
                                     void* stream) {
    return call([&](Device& d) { return copyVariable(d, symbol, offset, bytes, to, nullptr, kind, stream); });
}
WG_ALIAS(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);
WG_API int cudaGetSymbolAddress(void** pointer, const void* symbol) {
    return call([&](Device& d) {
        Modules::Variable v;
        const Status status = d.modules.variableOf(symbol, v, d.number);
        *pointer = reinterpret_cast<void*>(v.address);
        return status;
    });
}
WG_API int cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
    return call([&](Device& d) {
        Modules::Variable v;
        const Status status = d.modules.variableOf(symbol, v, d.number);
        *bytes = v.bytes;
        return status;
    });
}

WG_API int cudaMemset(void* to, int value, std::size_t bytes) {
    return call([&](Device& d) { return fillRows(d, to, bytes, value, bytes, 1, nullptr); });
}
WG_ALIAS(cudaMemset_ptds, cudaMemset);
WG_API int cudaMemsetAsync(void* to, int value, std::size_t bytes, void* stream) {
    return call([&](Device& d) { return fillRows(d, to, bytes, value, bytes, 1, stream); });
}
WG_ALIAS(cudaMemsetAsync_ptsz, cudaMemsetAsync);
WG_API int cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return call([&](Device& d) { return fillRows(d, to, pitch, value, width, height, nullptr); });
}
WG_ALIAS(cudaMemset2D_ptds, cudaMemset2D);
WG_API int cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                             void* stream) {
    return call([&](Device& d) { return fillRows(d, to, pitch, value, width, height, stream); });
}
WG_ALIAS(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);
WG_API int cudaMemset3D(CallPitched to, int value, CallExtent extent) {
    return call([&](Device& d) { return fillBox(d, to, value, extent, nullptr); });
}
WG_ALIAS(cudaMemset3D_ptds, cudaMemset3D);
WG_API int cudaMemset3DAsync(CallPitched to, int value, CallExtent extent, void* stream) {
    return call([&](Device& d) { return fillBox(d, to, value, extent, stream); });
}
WG_ALIAS(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);
