// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of boxes of a tensor, and changes of a tensor map.
#include "gpu/base/messages/emulator.h"
#include "gpu/base/quantity.h"
#include "gpu/emulator/access/cluster_access.h"
#include "gpu/emulator/access/generic_memory.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/async/copy_ops.h"
#include "gpu/emulator/async/tensor_map.h"
#include "gpu/emulator/record/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::emulator {

namespace {

// The 128 bytes at a generic address: of a parameter, of constant, global or shared memory.
bool readMap(Exec& x, const Inst& in, int lane, std::uint64_t address, TensorMapBytes& bytes) {
    bool found = false;
    if (windowOf(address) == Window::Param) {
        const std::byte* const at = x.launch->params.find(address - paramWindow, tensorMapBytes);
        found = at != nullptr;
        if (at)
            std::memcpy(bytes.data(), at, tensorMapBytes);
    } else {
        found = readGeneric(x, lane, address, bytes.data(), tensorMapBytes);
    }
    return found || faultAccess(x, in, lane, address, tensorMapBytes, MemorySpace::Global, 0, AccessKind::Load);
}

std::optional<CheckedMap> mapOf(Exec& x, const Inst& in, int lane, std::uint64_t address) {
    TensorMapBytes bytes{};
    if (!readMap(x, in, lane, address, bytes))
        return std::nullopt;
    const auto map = unpackTensorMap(bytes);
    if (!map) {
        x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, address,
                           say::NoTensorMap(fmt::format("{:#x}", address), map.error().message), true);
        return std::nullopt;
    }
    return *map;
}

const char* nameOf(const std::optional<Im2col::Along>& im2col) {
    if (!im2col)
        return "boxes";
    return *im2col == Im2col::Along::All ? "im2col" : *im2col == Im2col::Along::Width ? "im2col::w" : "im2col::w::128";
}

// Why a tensor map does not go with an instruction; nothing: it does.
std::optional<Message> wrongMap(const AsyncInst& a, const TensorMap& map) {
    const std::uint64_t coordinates = a.fourRows ? 2 : a.values.size();
    if (map.rank != coordinates)
        return say::MapRank(coordinates, map.rank);
    const auto made = map.im2col ? std::optional(map.im2col->along) : std::nullopt;
    if (a.im2col != made)
        return say::MapMadeFor(nameOf(a.im2col), nameOf(made));
    if (a.fourRows && map.box[1] != 1)
        return say::MapFourRows(map.box[1]);
    return {};
}

// Where the box of a lane begins. False: it is told why there is none.
bool placeOf(Exec& x, const Inst& in, int lane, const AsyncInst& a, const TensorMap& map, BoxPlace& place) {
    place.fourRows = a.fourRows;
    for (std::size_t k = 0; k < a.values.size(); ++k)
        place.at[k] = rowAt<const std::int32_t>(x, a.values[k])[lane];
    for (std::size_t k = 0; k < a.offsets.size(); ++k)
        place.offsets[k] = rowAt<const std::uint16_t>(x, a.offsets[k])[lane];
    if (map.im2col && map.im2col->along != Im2col::Along::All) {
        if (place.offsets[0] != 0) {
            x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, 0,
                               say::NoHalo(nameOf(a.im2col), place.offsets[0]), true);
            return false;
        }
        place.offsets = {place.offsets[1], 0, 0};
    }
    const TensorUnit unit = unitOf(map.type);
    if (const std::int64_t first = std::int64_t(place.at[0]) * unit.bytes; first % (16 * int(unit.elements)) != 0) {
        x.diagnostics->add(
            x, DiagnosticKind::Misaligned, in.index, lane, 0,
            say::FirstCoordinate(std::to_string(place.at[0]), std::to_string(first / int(unit.elements))), true);
        return false;
    }
    return true;
}

bool copyTensor(Exec& x, const Inst& in) {
    const AsyncInst& a = x.program->asyncs[in.async.site];
    const bool load = a.byBarrier;
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const auto map = mapOf(x, in, lane, addressOf(x, load || a.prefetches ? a.from : a.to, lane));
        if (!map)
            return false;
        if (const auto why = wrongMap(a, map->map())) {
            x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, 0, *why, true);
            return false;
        }
        if (a.prefetches)
            continue;
        BoxPlace place;
        if (!placeOf(x, in, lane, a, map->map(), place))
            return false;
        const TensorUnit unit = unitOf(map->map().type);
        // No box is larger than a block's shared memory or, of im2col, than 1024 pixels of 4096 bytes (checkTensorFields).
        const auto bytes = std::uint32_t(boxBytes(*map, a.fourRows));
        Home home;
        std::uint64_t shared = 0;
        const std::uint32_t alignment = std::max<std::uint32_t>(128, map->map().swizzle);
        if (!bulkShared(x, in, lane, load ? a.to : a.from, std::uint32_t(boxRoom(*map, a.fourRows)), alignment,
                        load ? AccessKind::Store : AccessKind::Load, shared, home))
            return false;
        PendingCopy copy = newCopy(x, in, 1u << lane,
                                   a.operation == ptx::Operation::None ? AsyncCopyKind::Tensor : AsyncCopyKind::Reduce);
        copy.bulk = true;
        copy.operation = a.operation;
        copy.type = elementType(map->map().type);
        copy.fill = fillPattern(map->map());
        copy.fillBytes = unit.elements > 1 ? 4 : unit.bytes;
        for (const BoxPart& part : boxParts(*map, place, sharedOffset(shared))) {
            if (part.inside &&
                !checkGlobal(x, in, lane, part.tensor, part.bytes, load ? AccessKind::Load : AccessKind::Store))
                return false;
            if (!load && !part.inside)
                continue;
            CopyPiece p;
            p.lane = std::uint32_t(lane);
            p.bytes = part.bytes;
            p.take = part.inside ? part.bytes : 0;
            p.from = load ? part.tensor : part.shared;
            p.to = load ? part.shared : part.tensor;
            copy.pieces.push_back(p);
        }
        if (load) {
            watchSource(x, in, lane, copy);
            if (!deliver(x, in, lane, a, shared, bytes, std::move(copy)))
                return false;
            continue;
        }
        copy.from = MemorySpace::Shared;
        copy.to = MemorySpace::Global;
        copy.source = home.block;
        copy.group[std::size_t(lane)] = asyncOf(*x.block).warps[x.warp->number].bulk[std::size_t(lane)];
        if (!ask(x, in, *x.block, std::move(copy)))
            return false;
    }
    return true;
}

std::byte* mapPlace(Exec& x, const Inst& in, int lane, const AsyncAddress& a) {
    std::uint64_t address = addressOf(x, a, lane);
    if (a.space == CopySpace::Own || windowOf(address) == Window::Shared) {
        Home home;
        return sharedBytes(x, in, lane, address & 0xffffffffu, tensorMapBytes, AccessKind::Store, home);
    }
    if (!checkGlobal(x, in, lane, address, tensorMapBytes, AccessKind::Store))
        return nullptr;
    const Found area = x.global->find(address, tensorMapBytes, x.hint);
    if (area)
        area->noteWritten(address, tensorMapBytes);
    return area.bytes();
}

bool replaceField(Exec& x, const Inst& in) {
    const AsyncInst& a = x.program->asyncs[in.async.site];
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        std::byte* at = mapPlace(x, in, lane, a.to);
        if (!at)
            return false;
        auto map = tensorFields(std::span<const std::byte, tensorMapBytes>(at, tensorMapBytes));
        if (!map && std::all_of(at, at + tensorMapBytes, [](std::byte b) { return b == std::byte(0); }))
            map.emplace(); // of zeros a kernel makes one by itself, field by field, as Triton's do
        if (!map) {
            x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, 0, say::NoTensorMapToChange, true);
            return false;
        }
        const std::uint64_t v = a.valueBytes == 8 ? rowAt<const std::uint64_t>(x, a.values[0])[lane]
                                                  : rowAt<const std::uint32_t>(x, a.values[0])[lane];
        const std::size_t n = a.ordinal;
        TensorMap& m = map->map;
        switch (ptx::Modifier(a.field)) {
        case ptx::Modifier::GlobalAddress:
            map->base = v;
            break;
        case ptx::Modifier::Rank:
            m.rank = std::uint32_t(std::min<std::uint64_t>(v, 255)) + 1; // counted from 0
            break;
        case ptx::Modifier::BoxDim:
            m.box[n % 5] = std::uint32_t(v);
            break;
        case ptx::Modifier::GlobalDim:
            m.dims[n % 5] = v;
            break;
        case ptx::Modifier::GlobalStride:
            m.strides[n % 4] = v;
            break;
        case ptx::Modifier::ElementStride:
            m.elementStrides[n % 5] = std::uint32_t(v);
            break;
        case ptx::Modifier::Elemtype:
            m.type = TensorType(std::min<std::uint64_t>(v, 255));
            break;
        case ptx::Modifier::SwizzleMode:
            m.swizzle = v == 0 ? 0 : 16u << std::min<std::uint64_t>(v, 4);
            break;
        case ptx::Modifier::SwizzleAtomicity:
            m.atom = v == 0 ? 16 : v == 3 ? 64 : v < 3 ? 32 : 0;
            m.flip = v == 2;
            break;
        case ptx::Modifier::FillMode:
            m.fillNan = v != 0;
            break;
        default: // interleave_layout
            m.interleave = std::uint32_t(16 * std::min<std::uint64_t>(v, 3));
            break;
        }
        const TensorMapBytes bytes = packTensorMap(m, map->base);
        std::memcpy(at, bytes.data(), bytes.size());
    }
    return true;
}

bool copyMap(Exec& x, const Inst& in) {
    const AsyncInst& a = x.program->asyncs[in.async.site];
    const std::uint32_t m = activeMask(x, in);
    if (m == 0)
        return true;
    const int lane = std::countr_zero(m); // .aligned: all threads do the same
    std::byte* from = mapPlace(x, in, lane, a.from);
    std::byte* to = from ? mapPlace(x, in, lane, a.to) : nullptr;
    if (!to)
        return false;
    std::memmove(to, from, tensorMapBytes);
    return true;
}

} // namespace

Handler tensorHandler(AsyncOp op) {
    switch (op) {
    case AsyncOp::CopyTensor:
        return &copyTensor;
    case AsyncOp::ReplaceField:
        return &replaceField;
    case AsyncOp::CopyMap:
        return &copyMap;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator
