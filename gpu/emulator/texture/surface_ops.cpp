// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces: texels read and written in place. The first coordinate of the unformatted instructions (.b) counts bytes, that
// of the formatted ones (.p) texels.
#include "gpu/base/messages/emulator.h"
#include "gpu/base/quantity.h"
#include "gpu/emulator/texture/texture_ops.h"

#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/texture/texels.h"
#include "gpu/emulator/watch/memory_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <type_traits>

namespace warpglass::emulator {

namespace {

// Where a lane's access begins; nullptr: nothing is to be read or written there (.zero), or a fault was told.
struct Place {
    std::byte* at = nullptr;
    bool faulted = false;
};

MessageForm<0> verb(AccessKind kind) {
    return kind == AccessKind::Load ? say::Reads : kind == AccessKind::Store ? say::Writes : say::Changes;
}

// bytes: of the access; with .p those of a texel.
Place placeOf(Exec& x, const Inst& in, const TextureOp& op, const BoundObject& surface, int lane, std::uint32_t bytes,
              AccessKind kind) {
    const BoundArray& bound = *surface.array;
    const TexelArray& array = bound.array;
    const std::uint32_t axes = axesOf(op.geometry), step = op.formatted ? array.texelBytes() : 1;
    std::array<std::int64_t, 3> at{};
    for (std::uint32_t n = 0; n < axes; ++n)
        at[n] = rowAt<const std::int32_t>(x, op.coordinates[n])[lane];
    at[0] *= step;
    const std::int64_t rowBytes = std::int64_t(array.extent.width) * array.texelBytes();
    const std::array<std::int64_t, 3> last{rowBytes - bytes, std::int64_t(array.extent.height) - 1,
                                           std::int64_t(array.extent.depth) - 1};
    std::int64_t layer = isLayered(op.geometry) ? std::int64_t(rowAt<const std::uint32_t>(x, op.layer)[lane]) : 0;
    const bool fits = last[0] >= 0; // a row may be shorter than the access, which then is beyond it wherever it begins
    bool beyond = !fits || layer > last[2];
    for (std::uint32_t n = 0; n < axes; ++n)
        beyond |= at[n] < 0 || at[n] > last[n];
    const auto coordinates = [&] {
        std::string text = fmt::format("x = {}{}", at[0] / step, op.formatted ? "" : " bytes");
        for (std::uint32_t n = 1; n < axes; ++n)
            text += fmt::format(", {} = {}", "xyz"[n], at[n]);
        return isLayered(op.geometry) ? fmt::format("{}, layer {}", text, layer) : text;
    };
    if (beyond && (op.beyond == TextureOp::Beyond::Trap || (!fits && op.beyond == TextureOp::Beyond::Clamp))) {
        x.diagnostics->add(
            x, DiagnosticKind::OutOfBounds, in.index, lane, bound.base,
            say::SurfaceOutside(lane, verb(kind), bytes, coordinates(), surface.name, array.text(), rowBytes), true);
        return {nullptr, true};
    }
    if (beyond && op.beyond == TextureOp::Beyond::Zero)
        return {};
    if (at[0] > last[0]) // the last place that an access of this size can have
        at[0] = last[0] - last[0] % bytes;
    for (std::uint32_t n = 0; n < axes; ++n)
        at[n] = std::clamp<std::int64_t>(at[n], 0, std::max<std::int64_t>(last[n], 0));
    layer = std::min(layer, last[2]);
    if (at[0] % bytes != 0) {
        x.diagnostics->add(x, DiagnosticKind::Misaligned, in.index, lane, bound.base,
                           say::SurfaceMisaligned(lane, verb(kind), bytes, coordinates(), surface.name, bytes), true);
        return {nullptr, true};
    }
    const std::int64_t slice = isLayered(op.geometry) ? layer : at[2];
    return {bound.data + bound.offsetOf(0, 0, at[1], slice) + std::uint64_t(at[0]), false};
}

// One access of a warp: f(lane, place, surface) for each lane that has a place.
template <typename F>
bool eachPlace(Exec& x, const Inst& in, AccessKind kind, F f) {
    const std::uint32_t m = activeMask(x, in);
    beginAccess(x, m, 0, MemorySpace::Texture, kind);
    if (m == 0)
        return true;
    const TextureOp& op = x.program->textureOps[in.memory.site];
    MemoryCount& count = x.counters->memory[in.index];
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const BoundObject* surface = objectOf(x, in, op.object, lane, true);
        if (!surface)
            return false;
        const std::uint32_t bytes = op.formatted && kind != AccessKind::Atomic
                                        ? surface->array->array.texelBytes()
                                        : std::uint32_t(in.memory.bytes) * in.memory.elements;
        const Place place = placeOf(x, in, op, *surface, lane, bytes, kind);
        if (place.faulted)
            return false;
        x.access.bytes = bytes;
        x.address[std::size_t(lane)] =
            surface->array->base + std::uint64_t(place.at ? place.at - surface->array->data : 0);
        if (place.at && (x.use || x.afterLaunches)) [[unlikely]]
            noteTexels(x, in, lane, std::span(&x.address[std::size_t(lane)], 1), bytes);
        f(lane, place.at, surface->array->array);
        count.bytesRequested += bytes;
    }
    count.requests += 1;
    return true;
}

bool load(Exec& x, const Inst& in) {
    constexpr std::array<std::byte, 16> zeros{};
    return eachPlace(x, in, AccessKind::Load, [&](int lane, const std::byte* at, const TexelArray&) {
        loadElements(x, in, lane, at ? at : zeros.data());
    });
}

bool store(Exec& x, const Inst& in) {
    const bool formatted = x.program->textureOps[in.memory.site].formatted;
    return eachPlace(x, in, AccessKind::Store, [&](int lane, std::byte* at, const TexelArray& array) {
        if (!at)
            return;
        if (!formatted) {
            storeElements(x, in, lane, at);
            return;
        }
        std::array<std::uint32_t, 4> values{};
        storeElements(x, in, lane, reinterpret_cast<std::byte*>(values.data()));
        writeTexel(array, at, values.data(), in.memory.elements);
    });
}

template <typename T>
T combined(ptx::Operation operation, T old, T value) {
    switch (operation) {
    case ptx::Operation::Add:
        return T(old + value);
    case ptx::Operation::Min:
        return std::min(old, value);
    case ptx::Operation::Max:
        return std::max(old, value);
    case ptx::Operation::And:
        return T(old & value);
    default:
        return T(old | value);
    }
}

// Blocks of a program with sured run in order on one host thread (Program::ordered), so that nothing comes between.
template <typename T>
void change(std::byte* at, ptx::Operation operation, bool isSigned, T value) {
    T old = 0;
    std::memcpy(&old, at, sizeof old);
    using S = std::make_signed_t<T>;
    const T next = isSigned ? T(combined<S>(operation, S(old), S(value))) : combined<T>(operation, old, value);
    std::memcpy(at, &next, sizeof next);
}

bool reduce(Exec& x, const Inst& in) {
    const TextureOp& op = x.program->textureOps[in.memory.site];
    return eachPlace(x, in, AccessKind::Atomic, [&](int lane, std::byte* at, const TexelArray& array) {
        if (!at)
            return;
        // Formatted: the surface says whether its words have a sign. Sums are the same either way.
        const bool isSigned =
            op.operation != ptx::Operation::Add && (op.formatted ? warpglass::isSigned(array.type) : op.isSigned);
        if (in.memory.bytes == 8)
            change<std::uint64_t>(at, op.operation, isSigned, rowAt<const std::uint64_t>(x, in.b)[lane]);
        else
            change<std::uint32_t>(at, op.operation, isSigned, rowAt<const std::uint32_t>(x, in.b)[lane]);
    });
}

} // namespace

Handler surfaceAccessHandler(bool isStore) {
    return isStore ? &store : &load;
}
Handler surfaceReduceHandler() {
    return &reduce;
}

} // namespace warpglass::emulator
