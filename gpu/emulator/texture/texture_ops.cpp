// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/texture/texture_ops.h"

#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/lanes/half.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/texture/sampling.h"
#include "gpu/emulator/watch/memory_use.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace warpglass::emulator {

namespace {

bool fits(const TexelArray& array, Geometry geometry, bool surface) {
    const ArrayShape shape = array.shape;
    switch (geometry) {
    case Geometry::D1: // also a plane of one row: programs make their tables so
        return shape == ArrayShape::D1 || shape == ArrayShape::Linear ||
               (shape == ArrayShape::D2 && array.extent.height == 1 && !surface);
    case Geometry::D2:
        return shape == ArrayShape::D2 || shape == ArrayShape::Pitch;
    case Geometry::D3:
        return shape == ArrayShape::D3;
    case Geometry::A1d:
        return shape == ArrayShape::D1Layered;
    case Geometry::A2d: // a surface reaches the faces of cubes as layers
        return shape == ArrayShape::D2Layered || (surface && isCube(shape));
    case Geometry::Cube:
        return shape == ArrayShape::Cube;
    case Geometry::Acube:
        return shape == ArrayShape::CubeLayered;
    }
    return false;
}

const BoundObject* fault(Exec& x, const Inst& in, int lane, std::uint64_t handle, const Message& what) {
    x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, handle, what, true);
    return nullptr;
}

const TextureOp& opOf(const Exec& x, const Inst& in) {
    return x.program->textureOps[in.memory.site];
}

// Of most instructions all lanes name one object; the last answer is asked first.
struct Objects {
    std::uint64_t handle = 0;
    const BoundObject* object = nullptr;
};

// The sampler of a fetch: the texture's own, or, in independent mode, that of another operand. What says how texels are
// read stays the texture's.
bool samplerOf(Exec& x, const Inst& in, const TextureOp& op, int lane, const BoundObject& texture, Sampler& sampler) {
    sampler = texture.sampler;
    if (op.sampler.in == HandleOperand::In::Nowhere)
        return true;
    const std::uint64_t handle = handleOf(x, op.sampler, lane);
    const BoundObject* other = x.launch->textures->find(handle);
    if (!other || other->kind == BoundObject::Kind::Surface) {
        fault(x, in, lane, handle, say::SamplesWith(lane, fmt::format("{:#x}", handle)));
        return false;
    }
    sampler = other->sampler;
    sampler.normalized = texture.sampler.normalized && other->sampler.normalized;
    sampler.asFloat = texture.sampler.asFloat;
    sampler.srgb = texture.sampler.srgb;
    return true;
}

Fetch fetchOf(Exec& x, const TextureOp& op, std::size_t lane) {
    Fetch f;
    f.geometry = op.geometry;
    f.whole = op.whole;
    f.how = op.level;
    const auto real = [&](Row row) { return rowAt<const float>(x, row)[lane]; };
    const auto whole = [&](Row row) { return rowAt<const std::int32_t>(x, row)[lane]; };
    if (isLayered(op.geometry))
        f.layer = rowAt<const std::uint32_t>(x, op.layer)[lane];
    for (std::uint32_t n = 0; n < axesOf(op.geometry); ++n) {
        if (op.whole)
            f.index[n] = whole(op.coordinates[n]);
        else
            f.at[n] = real(op.coordinates[n]);
        if (op.hasOffset)
            f.offset[n] = whole(op.offset[n]);
        if (op.level == TextureOp::Level::Gradient) {
            f.dx[n] = real(op.dx[n]);
            f.dy[n] = real(op.dy[n]);
        }
    }
    if (op.level == TextureOp::Level::Given)
        f.level = op.whole ? float(whole(op.lod)) : real(op.lod);
    return f;
}

void writeResults(Exec& x, const Inst& in, const TextureOp& op, std::size_t lane, const ChannelBits& bits) {
    const auto& rows = x.program->vectors[in.memory.vector];
    const auto half = [&](std::size_t k) { return std::uint32_t(floatToHalf(std::bit_cast<float>(bits[k]))); };
    const auto put = [&](std::size_t k, std::uint32_t value) {
        if (rows[k] != noRow)
            rowAt<std::uint32_t>(x, rows[k])[lane] = value;
    };
    if (op.result == TextureOp::Result::HalfPairs) {
        put(0, half(0) | half(1) << 16);
        put(1, half(2) | half(3) << 16);
        return;
    }
    for (std::size_t k = 0; k < 4; ++k)
        put(k, op.result == TextureOp::Result::Halves ? half(k) : bits[k]);
}

// Repeating is for coordinates from 0 to 1; others are clamped without a word.
void tellIgnored(Exec& x, const Inst& in, int lane, const BoundArray& array, const Sampler& sampler, const Fetch& f) {
    const Extent& e = array.array.extent;
    const std::array sizes{e.width, e.height, e.depth};
    for (std::uint32_t n = 0; n < axesOf(f.geometry); ++n) {
        const AddressMode mode = sampler.address[n];
        const double at = std::floor(double(f.at[n])) + f.offset[n];
        if ((mode != AddressMode::Wrap && mode != AddressMode::Mirror) || (at >= 0 && at < sizes[n]))
            continue;
        if (!x.diagnostics->repeated(x, DiagnosticKind::Other, in.index))
            x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, 0,
                               say::WrapIgnored(mode == AddressMode::Wrap ? "wrap" : "mirror"));
        return;
    }
}

template <bool gathers>
bool fetch(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    beginAccess(x, m, 0, MemorySpace::Texture, AccessKind::Load);
    if (m == 0)
        return true;
    const TextureOp& op = opOf(x, in);
    MemoryCount& count = x.counters->memory[in.index];
    Objects last;
    std::vector<std::uint64_t> texels; // if somebody asks for them
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t handle = handleOf(x, op.object, lane);
        if (!last.object || handle != last.handle)
            last = {handle, objectOf(x, in, op.object, lane, false)};
        Sampler own;
        if (!last.object || !samplerOf(x, in, op, lane, *last.object, own))
            return false;
        const BoundArray& array = *last.object->array;
        Fetch f = fetchOf(x, op, std::size_t(lane));
        if (x.use || x.afterLaunches) [[unlikely]]
            f.texels = &texels;
        const Sampled s = gathers ? gather(array, own, f, op.channel) : sample(array, own, f);
        if (!own.normalized && !f.whole && array.array.shape != ArrayShape::Linear && !isCube(f.geometry) &&
            x.checkMemory) [[unlikely]]
            tellIgnored(x, in, lane, array, own, f);
        writeResults(x, in, op, std::size_t(lane), s.bits);
        x.address[std::size_t(lane)] = s.address;
        x.access.bytes = array.array.texelBytes();
        count.bytesRequested += std::uint64_t(s.texels) * array.array.texelBytes();
        if (!texels.empty()) [[unlikely]] {
            noteTexels(x, in, lane, texels, array.array.texelBytes());
            texels.clear();
        }
    }
    if (op.resident != noRow)
        setPredicate(x, op.resident, m, m); // arrays here have all of their texels
    count.requests += 1;
    return true;
}

// Numbers that PTX names in "Texture, Sampler and Surface Types": of types and orders of channels those of OpenCL.
std::uint32_t channelType(const TexelArray& array, const Sampler& sampler) {
    constexpr std::array<std::uint32_t, 8> whole{0x10DA, 0x10DB, 0x10DC, 0x10D7, 0x10D8, 0x10D9, 0x10DD, 0x10DE};
    constexpr std::array<std::uint32_t, 8> normalised{0x10D2, 0x10D3, 0x10DC, 0x10D0, 0x10D1, 0x10D9, 0x10DD, 0x10DE};
    return (sampler.asFloat ? normalised : whole)[std::size_t(array.type)];
}
std::uint32_t addressMode(AddressMode mode) { // wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border
    constexpr std::array<std::uint32_t, 4> numbers{0, 3, 1, 4};
    return numbers[std::size_t(mode)];
}

std::uint32_t answer(const BoundObject& object, ptx::Modifier query, std::uint32_t level) {
    using ptx::Modifier;
    const Sampler& s = object.sampler;
    switch (query) {
    case Modifier::FilterMode:
        return s.linear;
    case Modifier::AddrMode0:
        return addressMode(s.address[0]);
    case Modifier::AddrMode1:
        return addressMode(s.address[1]);
    case Modifier::AddrMode2:
        return addressMode(s.address[2]);
    case Modifier::NormalizedCoords:
        return s.normalized;
    case Modifier::ForceUnnormalizedCoords:
        return object.kind == BoundObject::Kind::Sampler && !s.normalized;
    default:
        break;
    }
    if (!object.array)
        return 0;
    const TexelArray& array = object.array->array;
    const Extent e = array.extentOf(level);
    switch (query) {
    case Modifier::Width:
        return e.width;
    case Modifier::Height:
        return e.height;
    case Modifier::Depth:
        return array.shape == ArrayShape::D3 ? e.depth : 1;
    case Modifier::ArraySize:
        return array.shape == ArrayShape::D3 ? 1 : array.shape == ArrayShape::CubeLayered ? e.depth / 6 : e.depth;
    case Modifier::NumMipmapLevels:
        return array.levels;
    case Modifier::ChannelDataType:
        return channelType(array, s);
    case Modifier::ChannelOrder: // R, RG, RGBA
        return array.channels == 1 ? 0x10B0 : array.channels == 2 ? 0x10B2 : 0x10B5;
    default:
        return 0;
    }
}

bool query(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    const TextureOp& op = opOf(x, in);
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t handle = handleOf(x, op.object, lane);
        const BoundObject* object = x.launch->textures->find(handle);
        if (!object) {
            fault(x, in, lane, handle, say::AsksAbout(lane, fmt::format("{:#x}", handle)));
            return false;
        }
        const std::uint32_t level =
            op.level == TextureOp::Level::Given ? rowAt<const std::uint32_t>(x, op.lod)[lane] : 0;
        if (in.dst != noRow)
            rowAt<std::uint32_t>(x, in.dst)[lane] = answer(*object, op.query, level);
    }
    return true;
}

bool isType(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    const TextureOp& op = opOf(x, in);
    const auto wanted = op.query == ptx::Modifier::Surfref  ? BoundObject::Kind::Surface
                        : op.query == ptx::Modifier::Texref ? BoundObject::Kind::Texture
                                                            : BoundObject::Kind::Sampler;
    std::uint32_t is = 0;
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const BoundObject* object = x.launch->textures->find(handleOf(x, op.object, lane));
        is |= std::uint32_t(object && object->kind == wanted) << lane;
    }
    if (in.dst != noRow)
        setPredicate(x, in.dst, m, is);
    return true;
}

} // namespace

std::uint64_t handleOf(const Exec& x, const HandleOperand& handle, int lane) {
    std::uint64_t value = handle.value;
    if (handle.in == HandleOperand::In::Row)
        std::memcpy(&value, x.rows + handle.row + std::size_t(lane) * 8, 8);
    else if (handle.in == HandleOperand::In::Param) {
        const std::byte* const from = x.launch->params.find(handle.value, 8);
        value = 0; // which is none
        if (from)
            std::memcpy(&value, from, 8);
    }
    return value;
}

const BoundObject* objectOf(Exec& x, const Inst& in, const HandleOperand& operand, int lane, bool surface) {
    const std::uint64_t handle = handleOf(x, operand, lane);
    const BoundObject* object = x.launch->textures->find(handle);
    const auto kind = surface ? BoundObject::Kind::Surface : BoundObject::Kind::Texture;
    if (!object)
        return fault(x, in, lane, handle,
                     (surface ? say::NamesAsSurface : say::NamesAsTexture)(lane, fmt::format("{:#x}", handle)));
    if (object->kind != kind)
        return fault(x, in, lane, handle, (surface ? say::UsesAsSurface : say::UsesAsTexture)(lane, object->name));
    if (!fits(object->array->array, opOf(x, in).geometry, surface))
        return fault(x, in, lane, handle,
                     (surface ? say::OtherShapeOfSurface : say::OtherShapeOfTexture)(lane, object->name,
                                                                                     object->array->array.text()));
    return object;
}

Handler fetchHandler() {
    return &fetch<false>;
}
Handler gatherHandler() {
    return &fetch<true>;
}
Handler queryHandler() {
    return &query;
}
Handler isTypeHandler() {
    return &isType;
}

} // namespace warpglass::emulator
