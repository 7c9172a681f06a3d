// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA arrays, textures and surfaces over them, and textures over plain memory. An array lies row by row in memory of
// its own.
#include "gpu/virtual/runtime/textures.h"
#include "gpu/launch/texture.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

namespace warpglass::virtual_device {

namespace {

enum ArrayFlag : unsigned { arrayLayered = 1, arrayCube = 4 };
enum ResourceType : int { resourceArray = 0, resourceLinear = 2, resourceRows = 3 };

struct Array {
    TexelArray shape;
    CallFormat format;
    CallExtent extent;
    unsigned flags;
    std::uint64_t address; // of the device's memory
};

std::map<void*, std::unique_ptr<Array>>& arrays() {
    static std::map<void*, std::unique_ptr<Array>> all;
    return all;
}
Array* arrayAt(const void* handle) {
    const auto found = arrays().find(const_cast<void*>(handle));
    return found == arrays().end() ? nullptr : found->second.get();
}

// False for formats that are packed otherwise than channel by channel.
bool setFormat(TexelArray& shape, const CallFormat& f) {
    std::uint32_t channels = 0;
    while (channels < 4 && f.bits[channels] == f.bits[0] && f.bits[0] > 0)
        ++channels;
    if (channels != 1 && channels != 2 && channels != 4)
        return false;
    shape.channels = channels;
    const int bits = f.bits[0];
    if (f.kind == 2 && bits == 32)
        shape.type = ChannelType::F32;
    else if (f.kind == 2 && bits == 16)
        shape.type = ChannelType::F16;
    else if (f.kind == 0 && (bits == 8 || bits == 16 || bits == 32))
        shape.type = bits == 8 ? ChannelType::S8 : bits == 16 ? ChannelType::S16 : ChannelType::S32;
    else if (f.kind == 1 && (bits == 8 || bits == 16 || bits == 32))
        shape.type = bits == 8 ? ChannelType::U8 : bits == 16 ? ChannelType::U16 : ChannelType::U32;
    else
        return false;
    return true;
}

ArrayShape shapeOf(const CallExtent& e, unsigned flags) {
    const bool layered = flags & arrayLayered;
    if (flags & arrayCube)
        return layered ? ArrayShape::CubeLayered : ArrayShape::Cube;
    if (layered)
        return e.height ? ArrayShape::D2Layered : ArrayShape::D1Layered;
    return e.depth ? ArrayShape::D3 : e.height ? ArrayShape::D2 : ArrayShape::D1;
}

Status makeArray(Device& d, void** result, const CallFormat& format, CallExtent extent, unsigned flags) {
    auto array = std::make_unique<Array>();
    if (!setFormat(array->shape, format))
        return notSupported;
    array->format = format, array->extent = extent, array->flags = flags;
    array->shape.shape = shapeOf(extent, flags);
    array->shape.extent = {std::uint32_t(extent.width), std::uint32_t(std::max<std::size_t>(1, extent.height)),
                           std::uint32_t(std::max<std::size_t>(1, extent.depth))};
    if (!checkArray(array->shape))
        return invalidValue;
    array->address = d.allocate(array->shape.bytes(), MemoryKind::Device);
    if (!array->address)
        return memoryAllocation;
    d.memory.noteWritten(array->address, array->shape.bytes()); // surfaces write there and do not tell
    *result = array.get();
    arrays()[*result] = std::move(array);
    return success;
}

std::size_t rowBytes(const Array& a) {
    return std::size_t(a.shape.extent.width) * a.shape.texelBytes();
}

// Rows between an array and other memory; x in bytes, y in rows.
Status copyArray(Device& d, Array* array, std::size_t x, std::size_t y, const void* from, void* to, std::size_t pitch,
                 std::size_t width, std::size_t height, int kind, void* stream) {
    if (!array || x + width > rowBytes(*array) ||
        y + height > std::size_t(array->shape.extent.height) * array->shape.extent.depth)
        return invalidValue;
    auto* const own = reinterpret_cast<std::byte*>(array->address) + y * rowBytes(*array) + x;
    CopyRequest r;
    r.from = from ? from : own, r.to = to ? to : own;
    r.bytes = width, r.rows = height, r.kind = kind;
    r.fromPitch = from ? pitch : rowBytes(*array), r.toPitch = to ? pitch : rowBytes(*array);
    return d.copy(r, stream);
}

Sampler samplerFrom(const CallTexture& t) {
    Sampler s;
    for (std::size_t axis = 0; axis < 3; ++axis) { // repeating is for coordinates from 0 to 1
        const auto mode = AddressMode(std::clamp(t.address[axis], 0, 3));
        s.address[axis] = mode == AddressMode::Border || t.normalized ? mode : AddressMode::Clamp;
    }
    s.linear = t.filter == 1;
    s.normalized = t.normalized != 0;
    s.asFloat = t.readMode == 1;
    s.srgb = t.srgb != 0;
    std::copy_n(t.border, 4, s.border.begin());
    return s;
}

// What a resource describes, over memory that is there.
Status bind(Device& d, const CallResource& r, emulator::BoundArray& bound) {
    std::uint64_t address = 0;
    if (r.type == resourceArray) {
        const Array* array = arrayAt(r.of.array);
        if (!array)
            return invalidHandle;
        bound.array = array->shape;
        address = array->address;
    } else if (r.type == resourceLinear || r.type == resourceRows) {
        const bool rows = r.type == resourceRows;
        if (!setFormat(bound.array, rows ? r.of.rows.format : r.of.linear.format))
            return notSupported;
        const std::uint32_t texel = bound.array.texelBytes();
        bound.array.shape = rows ? ArrayShape::Pitch : ArrayShape::Linear;
        bound.array.extent = rows ? Extent{std::uint32_t(r.of.rows.width), std::uint32_t(r.of.rows.height), 1}
                                  : Extent{std::uint32_t(r.of.linear.bytes / texel), 1, 1};
        bound.rowBytes = rows ? r.of.rows.pitch : 0;
        address = reinterpret_cast<std::uint64_t>(rows ? r.of.rows.pointer : r.of.linear.pointer);
    } else {
        return notSupported;
    }
    bound.base = address;
    bound.data = d.memory.resolve(address, bound.rowBytes ? bound.rowBytes * (bound.array.extent.height - 1) + 1
                                                          : bound.array.bytes());
    bound.levelOffset = {0};
    return bound.data ? success : invalidValue;
}

} // namespace

std::optional<ArrayPlace> placeOf(const void* handle) {
    const Array* array = arrayAt(handle);
    if (!array)
        return std::nullopt;
    return ArrayPlace{reinterpret_cast<std::byte*>(array->address), rowBytes(*array), array->shape.extent.height};
}

Status arrayBoxRequest(Device&, const CallCopy3D& c, CopyRequest& r) {
    const Array *from = arrayAt(c.fromArray), *to = arrayAt(c.toArray);
    if ((c.fromArray && !from) || (c.toArray && !to))
        return invalidHandle;
    const std::size_t texel = (from ? from : to)->shape.texelBytes(); // the extent counts elements
    const auto place = [&](const Array* array, const CallPitched& p, CallPosition at, std::uint64_t& pitch,
                           std::uint64_t& slice) {
        pitch = array ? rowBytes(*array) : p.pitch;
        slice = pitch * (array ? array->shape.extent.height : p.height);
        auto* base = array ? reinterpret_cast<std::byte*>(array->address) : static_cast<std::byte*>(p.pointer);
        return base + at.z * slice + at.y * pitch + at.x * (array ? texel : 1);
    };
    r.from = place(from, c.from, c.fromAt, r.fromPitch, r.fromSlice);
    r.to = place(to, c.to, c.toAt, r.toPitch, r.toSlice);
    r.bytes = c.extent.width * texel, r.rows = std::max<std::size_t>(1, c.extent.height),
    r.slices = std::max<std::size_t>(1, c.extent.depth);
    r.kind = c.kind;
    return success;
}

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API int cudaMallocArray(void** array, const CallFormat* format, std::size_t width, std::size_t height,
                           unsigned flags) {
    return call([&](Device& d) { return makeArray(d, array, *format, {width, height, 0}, flags); });
}
WG_API int cudaMalloc3DArray(void** array, const CallFormat* format, CallExtent extent, unsigned flags) {
    return call([&](Device& d) { return makeArray(d, array, *format, extent, flags); });
}
WG_API int cudaFreeArray(void* handle) {
    return call([&](Device& d) {
        const Array* array = arrayAt(handle);
        if (!array)
            return handle ? invalidHandle : success;
        d.release(array->address);
        arrays().erase(handle);
        return success;
    });
}
WG_API int cudaArrayGetInfo(CallFormat* format, CallExtent* extent, unsigned* flags, void* handle) {
    return call([&](Device&) {
        const Array* array = arrayAt(handle);
        if (!array)
            return invalidHandle;
        if (format)
            *format = array->format;
        if (extent)
            *extent = array->extent;
        if (flags)
            *flags = array->flags;
        return success;
    });
}
WG_API int cudaGetChannelDesc(CallFormat* format, const void* handle) {
    return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<void*>(handle));
}
WG_API CallFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
    return {{x, y, z, w}, kind};
}

WG_API int cudaMemcpy2DToArray(void* array, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                               std::size_t width, std::size_t height, int kind) {
    return call([&](Device& d) {
        return copyArray(d, arrayAt(array), x, y, from, nullptr, pitch, width, height, kind, nullptr);
    });
}
WG_ALIAS(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);
WG_API int cudaMemcpy2DToArrayAsync(void* array, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                    std::size_t width, std::size_t height, int kind, void* stream) {
    return call([&](Device& d) {
        return copyArray(d, arrayAt(array), x, y, from, nullptr, pitch, width, height, kind, stream);
    });
}
WG_ALIAS(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);
WG_API int cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* array, std::size_t x, std::size_t y,
                                 std::size_t width, std::size_t height, int kind) {
    return call([&](Device& d) {
        return copyArray(d, arrayAt(array), x, y, nullptr, to, pitch, width, height, kind, nullptr);
    });
}
WG_ALIAS(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);
WG_API int cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, const void* array, std::size_t x, std::size_t y,
                                      std::size_t width, std::size_t height, int kind, void* stream) {
    return call(
        [&](Device& d) { return copyArray(d, arrayAt(array), x, y, nullptr, to, pitch, width, height, kind, stream); });
}
WG_ALIAS(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);

namespace {
// Bytes without a shape: a part of a row, or whole rows.
int copyBytes(const void* array, std::size_t x, std::size_t y, const void* from, void* to, std::size_t bytes, int kind,
              void* stream) {
    return call([&](Device& d) {
        Array* a = arrayAt(array);
        const std::size_t row = a ? rowBytes(*a) : 1;
        return bytes <= row ? copyArray(d, a, x, y, from, to, row, bytes, 1, kind, stream)
                            : copyArray(d, a, 0, y, from, to, row, row, bytes / row, kind, stream);
    });
}
} // namespace

WG_API int cudaMemcpyToArray(void* array, std::size_t x, std::size_t y, const void* from, std::size_t bytes, int kind) {
    return copyBytes(array, x, y, from, nullptr, bytes, kind, nullptr);
}
WG_ALIAS(cudaMemcpyToArray_ptds, cudaMemcpyToArray);
WG_API int cudaMemcpyToArrayAsync(void* array, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                  int kind, void* stream) {
    return copyBytes(array, x, y, from, nullptr, bytes, kind, stream);
}
WG_ALIAS(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);
WG_API int cudaMemcpyFromArray(void* to, const void* array, std::size_t x, std::size_t y, std::size_t bytes, int kind) {
    return copyBytes(array, x, y, nullptr, to, bytes, kind, nullptr);
}
WG_ALIAS(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);
WG_API int cudaMemcpyFromArrayAsync(void* to, const void* array, std::size_t x, std::size_t y, std::size_t bytes,
                                    int kind, void* stream) {
    return copyBytes(array, x, y, nullptr, to, bytes, kind, stream);
}
WG_ALIAS(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync);
WG_API int cudaMemcpy2DArrayToArray(void* to, std::size_t toX, std::size_t toY, const void* from, std::size_t fromX,
                                    std::size_t fromY, std::size_t width, std::size_t height, int kind) {
    return call([&](Device& d) {
        Array* target = arrayAt(to);
        const auto place = placeOf(from);
        if (!target || !place)
            return invalidHandle;
        if (fromX + width > place->pitch || fromY + height > place->height)
            return invalidValue;
        return copyArray(d, target, toX, toY, place->at + fromY * place->pitch + fromX, nullptr, place->pitch, width,
                         height, kind, nullptr);
    });
}
WG_ALIAS(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray);

WG_API int cudaCreateTextureObject(std::uint64_t* object, const CallResource* resource, const CallTexture* texture,
                                   const void* view) {
    return call([&](Device& d) {
        if (view)
            return notSupported;
        warpglass::emulator::BoundArray bound;
        if (const Status status = bind(d, *resource, bound); status != success)
            return status;
        warpglass::Sampler sampler = samplerFrom(*texture);
        if (bound.array.shape == warpglass::ArrayShape::Linear) // is read by whole numbers, whatever is asked for
            sampler.linear = sampler.normalized = false;
        warpglass::Sampler checked = sampler;
        checked.address.fill(warpglass::AddressMode::Clamp); // the runtime takes any
        if (!checkTexture(bound.array, checked))
            return invalidValue;
        *object = d.textures.add(warpglass::emulator::BoundObject::Kind::Texture, std::move(bound), sampler);
        return success;
    });
}
WG_API int cudaDestroyTextureObject(std::uint64_t object) {
    return call([&](Device& d) { return d.textures.remove(object) ? success : invalidValue; });
}
WG_API int cudaCreateSurfaceObject(std::uint64_t* object, const CallResource* resource) {
    return call([&](Device& d) {
        warpglass::emulator::BoundArray bound;
        if (const Status status = bind(d, *resource, bound); status != success)
            return status;
        *object = d.textures.add(warpglass::emulator::BoundObject::Kind::Surface, std::move(bound), {});
        return success;
    });
}
WG_ALIAS(cudaDestroySurfaceObject, cudaDestroyTextureObject);
