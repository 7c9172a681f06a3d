// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA arrays and mipmapped arrays (core/arrays.h): made, asked about, freed, copied from and to.
#include "gpu/virtual/runtime/textures.h"

#include <algorithm>
#include <bit>

namespace warpglass::virtual_device {

namespace {

enum ArrayFlag : unsigned { arrayLayered = 1, arrayCube = 4, arraySparse = 0x40, arrayDeferred = 0x80 };
constexpr std::size_t mostMipmapped = 32768; // maxTexture1DMipmap, maxTexture2DMipmap

ArrayShape shapeOf(const CallExtent& e, unsigned flags) {
    const bool layered = flags & arrayLayered;
    if (flags & arrayCube)
        return layered ? ArrayShape::CubeLayered : ArrayShape::Cube;
    if (layered)
        return e.height ? ArrayShape::D2Layered : ArrayShape::D1Layered;
    return e.depth ? ArrayShape::D3 : e.height ? ArrayShape::D2 : ArrayShape::D1;
}

// levels: 0 for an array that has no mipmap.
Status makeArray(Device& d, void** result, const CallFormat* format, CallExtent extent, unsigned levels,
                 unsigned flags) {
    if (!result || !format)
        return invalidValue;
    auto array = std::make_unique<Array>();
    TexelArray& shape = array->shape;
    if (!setFormat(shape, *format) || flags & (arraySparse | arrayDeferred))
        return notSupported;
    array->format = *format, array->extent = extent, array->flags = flags, array->device = d.number;
    shape.shape = shapeOf(extent, flags);
    shape.extent = {std::uint32_t(extent.width), std::uint32_t(std::max<std::size_t>(1, extent.height)),
                    std::uint32_t(std::max<std::size_t>(1, extent.depth))};
    if (levels) { // as many as there are halves, at most
        const std::uint32_t depth = shape.shape == ArrayShape::D3 ? shape.extent.depth : 1;
        shape.levels = std::min(
            levels, std::uint32_t(std::bit_width(std::max({shape.extent.width, shape.extent.height, depth, 1u}))));
    }
    if (!checkArray(shape) || (levels && std::max(extent.width, extent.height) > mostMipmapped))
        return invalidValue;
    array->address = d.allocate(shape.bytes(), MemoryKind::Device);
    if (!array->address)
        return memoryAllocation;
    d.memory.noteWritten(array->address, shape.bytes()); // surfaces write there and do not tell
    *result = levels ? d.arrays.addMipmapped(std::move(array)) : d.arrays.add(std::move(array));
    return success;
}

Status freeArray(Device& d, const Array* array) {
    const Status status = array->of ? success : d.release(array->address); // a level's memory is the whole's
    d.arrays.erase(array);
    return status;
}

// Rows between an array and other memory; x in bytes, y in rows.
Status copyArray(Device& d, Array* array, std::size_t x, std::size_t y, const void* from, void* to, std::size_t pitch,
                 std::size_t width, std::size_t height, int kind, void* stream) {
    if (!array || x + width > array->rowBytes() ||
        y + height > std::size_t(array->shape.extent.height) * array->shape.extent.depth)
        return invalidValue;
    const std::size_t row = array->rowBytes();
    auto* const own = reinterpret_cast<std::byte*>(array->address) + y * row + x;
    CopyRequest r;
    r.from = from ? from : own, r.to = to ? to : own;
    r.bytes = width, r.rows = height, r.kind = kind;
    r.fromPitch = from ? pitch : row, r.toPitch = to ? pitch : row;
    return d.copy(r, stream);
}

} // namespace

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

std::optional<ArrayPlace> placeOf(const void* handle) {
    const Array* array = machine().arrays.find(handle);
    if (!array)
        return std::nullopt;
    return ArrayPlace{reinterpret_cast<std::byte*>(array->address), array->rowBytes(), array->shape.extent.height,
                      array->shape.extent.depth};
}

Status arrayBoxRequest(Device& d, const CallCopy3D& c, CopyRequest& r) {
    const Array *from = d.arrays.find(c.fromArray), *to = d.arrays.find(c.toArray);
    if ((c.fromArray && !from) || (c.toArray && !to))
        return invalidHandle;
    const std::size_t texel = (from ? from : to)->shape.texelBytes(); // the extent counts elements
    r.bytes = c.extent.width * texel, r.rows = std::max<std::size_t>(1, c.extent.height),
    r.slices = std::max<std::size_t>(1, c.extent.depth);
    r.kind = c.kind;
    const auto holds = [&](const Array* array, CallPosition at) {
        if (!array)
            return true;
        const Extent e = array->shape.extent;
        return array->shape.texelBytes() == texel && at.x + c.extent.width <= e.width && at.y + r.rows <= e.height &&
               at.z + r.slices <= e.depth;
    };
    if (!holds(from, c.fromAt) || !holds(to, c.toAt))
        return invalidValue;
    const auto place = [&](const Array* array, const CallPitched& p, CallPosition at, std::uint64_t& pitch,
                           std::uint64_t& slice) {
        pitch = array ? array->rowBytes() : p.pitch;
        slice = pitch * (array ? array->shape.extent.height : p.height);
        auto* base = array ? reinterpret_cast<std::byte*>(array->address) : static_cast<std::byte*>(p.pointer);
        return base + at.z * slice + at.y * pitch + at.x * (array ? texel : 1);
    };
    r.from = place(from, c.from, c.fromAt, r.fromPitch, r.fromSlice);
    r.to = place(to, c.to, c.toAt, r.toPitch, r.toSlice);
    return success;
}

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API int cudaMallocArray(void** array, const CallFormat* format, std::size_t width, std::size_t height,
                           unsigned flags) {
    return call([&](Device& d) { return makeArray(d, array, format, {width, height, 0}, 0, flags); });
}
WG_API int cudaMalloc3DArray(void** array, const CallFormat* format, CallExtent extent, unsigned flags) {
    return call([&](Device& d) { return makeArray(d, array, format, extent, 0, flags); });
}
WG_API int cudaMallocMipmappedArray(void** array, const CallFormat* format, CallExtent extent, unsigned levels,
                                    unsigned flags) {
    return call([&](Device& d) { return makeArray(d, array, format, extent, std::max(1u, levels), flags); });
}
WG_API int cudaGetMipmappedArrayLevel(void** level, const void* handle, unsigned number) {
    return call([&](Device& d) {
        const Array* array = d.arrays.mipmapped(handle);
        if (!array)
            return invalidHandle;
        if (!level || number >= array->shape.levels)
            return invalidValue;
        *level = d.arrays.level(*array, number);
        return success;
    });
}
WG_API int cudaFreeMipmappedArray(void* handle) {
    return call([&](Device& d) {
        const Array* array = d.arrays.mipmapped(handle);
        return array ? freeArray(d, array) : handle ? invalidValue : success;
    });
}
WG_API int cudaFreeArray(void* handle) {
    return call([&](Device& d) {
        const Array* array = d.arrays.find(handle);
        return array ? freeArray(d, array) : handle ? invalidHandle : success;
    });
}
WG_API int cudaArrayGetInfo(CallFormat* format, CallExtent* extent, unsigned* flags, void* handle) {
    return call([&](Device& d) {
        const Array* array = d.arrays.find(handle);
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
        return copyArray(d, d.arrays.find(array), x, y, from, nullptr, pitch, width, height, kind, nullptr);
    });
}
WG_ALIAS(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);
WG_API int cudaMemcpy2DToArrayAsync(void* array, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                    std::size_t width, std::size_t height, int kind, void* stream) {
    return call([&](Device& d) {
        return copyArray(d, d.arrays.find(array), x, y, from, nullptr, pitch, width, height, kind, stream);
    });
}
WG_ALIAS(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);
WG_API int cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* array, std::size_t x, std::size_t y,
                                 std::size_t width, std::size_t height, int kind) {
    return call([&](Device& d) {
        return copyArray(d, d.arrays.find(array), x, y, nullptr, to, pitch, width, height, kind, nullptr);
    });
}
WG_ALIAS(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);
WG_API int cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, const void* array, std::size_t x, std::size_t y,
                                      std::size_t width, std::size_t height, int kind, void* stream) {
    return call([&](Device& d) {
        return copyArray(d, d.arrays.find(array), x, y, nullptr, to, pitch, width, height, kind, stream);
    });
}
WG_ALIAS(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);

namespace {
// Bytes without a shape: a part of a row, or whole rows.
int copyBytes(const void* array, std::size_t x, std::size_t y, const void* from, void* to, std::size_t bytes, int kind,
              void* stream) {
    return call([&](Device& d) {
        Array* a = d.arrays.find(array);
        const std::size_t row = a ? a->rowBytes() : 1;
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
        Array* target = d.arrays.find(to);
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
