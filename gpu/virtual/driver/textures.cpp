// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays, textures and surfaces of the driver: the runtime's, described in other words.
#include "gpu/virtual/runtime/textures.h"
#include "gpu/virtual/driver/driver.h"

#include <algorithm>

using namespace warpglass::virtual_device;

namespace {

struct ArrayWords { // CUDA_ARRAY_DESCRIPTOR
    std::size_t width, height;
    int format;
    unsigned channels;
};
struct Array3DWords { // CUDA_ARRAY3D_DESCRIPTOR
    std::size_t width, height, depth;
    int format;
    unsigned channels, flags;
};

struct ResourceWords { // CUDA_RESOURCE_DESC
    int type;
    int padding;
    union {
        void* array;
        struct {
            std::uint64_t address;
            int format;
            unsigned channels;
            std::size_t bytes;
        } linear;
        struct {
            std::uint64_t address;
            int format;
            unsigned channels;
            std::size_t width, height, pitch;
        } rows;
        int reserved[32];
    } of;
    unsigned flags;
};

struct TextureWords { // CUDA_TEXTURE_DESC
    int address[3];
    int filter;
    unsigned flags, anisotropy;
    int mipFilter;
    float bias, minLevel, maxLevel;
    float border[4];
    int reserved[12];
};

// CUarray_format: kind and size of a channel.
enum ChannelKind : int { signedWhole = 0, unsignedWhole = 1, floating = 2 };
struct Channel {
    int number, bits;
    ChannelKind kind;
};
constexpr Channel channels[] = {{0x01, 8, unsignedWhole}, {0x02, 16, unsignedWhole}, {0x03, 32, unsignedWhole},
                                {0x08, 8, signedWhole},   {0x09, 16, signedWhole},   {0x0a, 32, signedWhole},
                                {0x10, 16, floating},     {0x20, 32, floating}};

Status formatFrom(int number, unsigned count, CallFormat& format) {
    const auto* found = std::find_if(std::begin(channels), std::end(channels),
                                     [number](const Channel& c) { return c.number == number; });
    if (found == std::end(channels))
        return notSupported;
    if (count != 1 && count != 2 && count != 4)
        return invalidValue;
    format = {};
    std::fill_n(format.bits, count, found->bits);
    format.kind = found->kind;
    return success;
}

Array3DWords wordsFrom(const CallFormat& format, const CallExtent& extent, unsigned flags) {
    const auto* found = std::find_if(std::begin(channels), std::end(channels), [&](const Channel& c) {
        return c.bits == format.bits[0] && c.kind == format.kind;
    });
    const auto count = std::count_if(std::begin(format.bits), std::end(format.bits), [](int bits) { return bits > 0; });
    return {extent.width,    extent.height, extent.depth, found == std::end(channels) ? 0 : found->number,
            unsigned(count), flags};
}

Status resourceFrom(const ResourceWords& w, CallResource& r) {
    constexpr int linear = 2, rows = 3;
    r = {};
    r.type = w.type;
    r.flags = w.flags;
    if (w.type == linear) {
        r.of.linear.pointer = reinterpret_cast<void*>(w.of.linear.address);
        r.of.linear.bytes = w.of.linear.bytes;
        return formatFrom(w.of.linear.format, w.of.linear.channels, r.of.linear.format);
    }
    if (w.type == rows) {
        r.of.rows.pointer = reinterpret_cast<void*>(w.of.rows.address);
        r.of.rows.width = w.of.rows.width, r.of.rows.height = w.of.rows.height, r.of.rows.pitch = w.of.rows.pitch;
        return formatFrom(w.of.rows.format, w.of.rows.channels, r.of.rows.format);
    }
    r.of.array = w.of.array;
    return success;
}

CallFormat formatOf(const CallResource& r, const CallView* view) {
    constexpr int array = 0, mipmapped = 1, linear = 2;
    CallFormat format{};
    if (view && formatOfView(view->format, format))
        return format;
    void* level = nullptr;
    if (r.type == array)
        cudaArrayGetInfo(&format, nullptr, nullptr, r.of.array);
    else if (r.type == mipmapped && cudaGetMipmappedArrayLevel(&level, r.of.array, 0) == success)
        cudaArrayGetInfo(&format, nullptr, nullptr, level), cudaFreeArray(level);
    else if (r.type != mipmapped)
        format = r.type == linear ? r.of.linear.format : r.of.rows.format;
    return format;
}

ResourceWords wordsFrom(const CallResource& r) {
    constexpr int linear = 2, rows = 3;
    ResourceWords w{};
    w.type = r.type;
    w.flags = r.flags;
    const auto words = [](const CallFormat& format) { return wordsFrom(format, {}, 0); };
    if (r.type == linear) {
        const Array3DWords f = words(r.of.linear.format);
        w.of.linear.address = reinterpret_cast<std::uint64_t>(r.of.linear.pointer);
        w.of.linear.format = f.format, w.of.linear.channels = f.channels, w.of.linear.bytes = r.of.linear.bytes;
    } else if (r.type == rows) {
        const Array3DWords f = words(r.of.rows.format);
        w.of.rows.address = reinterpret_cast<std::uint64_t>(r.of.rows.pointer);
        w.of.rows.format = f.format, w.of.rows.channels = f.channels;
        w.of.rows.width = r.of.rows.width, w.of.rows.height = r.of.rows.height, w.of.rows.pitch = r.of.rows.pitch;
    } else {
        w.of.array = r.of.array;
    }
    return w;
}

// CU_TRSF_...
constexpr unsigned asWhole = 1, normalized = 2, srgb = 16, plainTrilinear = 32, seamless = 64;

bool isSmallWhole(const CallFormat& format) {
    return format.kind != floating && format.bits[0] < 32;
}

// Small whole numbers are read as numbers up to 1 unless the flag says otherwise.
CallTexture textureFrom(const TextureWords& w, const CallFormat& format) {
    CallTexture t{};
    std::copy_n(w.address, 3, t.address);
    std::copy_n(w.border, 4, t.border);
    t.filter = w.filter;
    t.readMode = isSmallWhole(format) && !(w.flags & asWhole);
    t.srgb = (w.flags & srgb) != 0;
    t.normalized = (w.flags & normalized) != 0;
    t.anisotropy = w.anisotropy;
    t.mipFilter = w.mipFilter;
    t.bias = w.bias, t.minLevel = w.minLevel, t.maxLevel = w.maxLevel;
    t.plainTrilinear = (w.flags & plainTrilinear) != 0;
    t.seamless = (w.flags & seamless) != 0;
    return t;
}
TextureWords wordsFrom(const CallTexture& t, const CallFormat& format) {
    TextureWords w{};
    std::copy_n(t.address, 3, w.address);
    std::copy_n(t.border, 4, w.border);
    w.filter = t.filter, w.anisotropy = t.anisotropy, w.mipFilter = t.mipFilter;
    w.bias = t.bias, w.minLevel = t.minLevel, w.maxLevel = t.maxLevel;
    const auto flag = [&](unsigned bit, bool set) { w.flags |= set ? bit : 0; };
    flag(asWhole, isSmallWhole(format) && !t.readMode);
    flag(normalized, t.normalized), flag(srgb, t.srgb);
    flag(plainTrilinear, t.plainTrilinear), flag(seamless, t.seamless);
    return w;
}

} // namespace

WG_API int cuArray3DCreate_v2(void** array, const Array3DWords* w) {
    CallFormat format;
    const Status status = formatFrom(w->format, w->channels, format);
    return status != success ? status : cudaMalloc3DArray(array, &format, {w->width, w->height, w->depth}, w->flags);
}
WG_ALIAS(cuArray3DCreate, cuArray3DCreate_v2);
WG_API int cuArrayCreate_v2(void** array, const ArrayWords* w) {
    const Array3DWords words{w->width, w->height, 0, w->format, w->channels, 0};
    return cuArray3DCreate_v2(array, &words);
}
WG_ALIAS(cuArrayCreate, cuArrayCreate_v2);
WG_API int cuArrayDestroy(void* array) {
    return array ? cudaFreeArray(array) : invalidHandle;
}
WG_API int cuArray3DGetDescriptor_v2(Array3DWords* w, void* array) {
    CallFormat format;
    CallExtent extent;
    unsigned flags = 0;
    const int status = cudaArrayGetInfo(&format, &extent, &flags, array);
    if (status == success)
        *w = wordsFrom(format, extent, flags);
    return status;
}
WG_ALIAS(cuArray3DGetDescriptor, cuArray3DGetDescriptor_v2);
WG_API int cuArrayGetDescriptor_v2(ArrayWords* w, void* array) {
    Array3DWords words{};
    const int status = cuArray3DGetDescriptor_v2(&words, array);
    *w = {words.width, words.height, words.format, words.channels};
    return status;
}
WG_ALIAS(cuArrayGetDescriptor, cuArrayGetDescriptor_v2);

WG_API int cuMipmappedArrayCreate(void** array, const Array3DWords* w, unsigned levels) {
    CallFormat format;
    const Status status = formatFrom(w->format, w->channels, format);
    return status != success
               ? status
               : cudaMallocMipmappedArray(array, &format, {w->width, w->height, w->depth}, levels, w->flags);
}
WG_API int cuMipmappedArrayGetLevel(void** level, void* array, unsigned number) {
    return cudaGetMipmappedArrayLevel(level, array, number);
}
WG_API int cuMipmappedArrayDestroy(void* array) {
    return cudaFreeMipmappedArray(array) == success && array ? success : invalidHandle;
}

WG_API int cuTexObjectCreate(std::uint64_t* object, const ResourceWords* resource, const TextureWords* texture,
                             const CallView* view) {
    CallResource r;
    if (const Status status = resourceFrom(*resource, r); status != success)
        return status;
    const CallTexture t = textureFrom(*texture, formatOf(r, view));
    return cudaCreateTextureObject(object, &r, &t, view);
}
WG_API int cuTexObjectDestroy(std::uint64_t object) {
    return cudaDestroyTextureObject(object);
}
WG_API int cuTexObjectGetResourceDesc(ResourceWords* resource, std::uint64_t object) {
    CallResource r;
    const int status = cudaGetTextureObjectResourceDesc(&r, object);
    if (status == success)
        *resource = wordsFrom(r);
    return status;
}
WG_API int cuTexObjectGetTextureDesc(TextureWords* texture, std::uint64_t object) {
    CallResource r;
    CallTexture t;
    CallView view;
    if (const int status = cudaGetTextureObjectResourceDesc(&r, object); status != success)
        return status;
    cudaGetTextureObjectTextureDesc(&t, object);
    const bool viewed = cudaGetTextureObjectResourceViewDesc(&view, object) == success && view.format != 0;
    *texture = wordsFrom(t, formatOf(r, viewed ? &view : nullptr));
    return success;
}
WG_API int cuTexObjectGetResourceViewDesc(CallView* view, std::uint64_t object) {
    return cudaGetTextureObjectResourceViewDesc(view, object);
}
WG_API int cuSurfObjectCreate(std::uint64_t* object, const ResourceWords* resource) {
    CallResource r;
    const Status status = resourceFrom(*resource, r);
    return status != success ? status : cudaCreateSurfaceObject(object, &r);
}
WG_API int cuSurfObjectDestroy(std::uint64_t object) {
    return cudaDestroySurfaceObject(object);
}
WG_API int cuSurfObjectGetResourceDesc(ResourceWords* resource, std::uint64_t object) {
    CallResource r;
    const int status = cudaGetSurfaceObjectResourceDesc(&r, object);
    if (status == success)
        *resource = wordsFrom(r);
    return status;
}

namespace {
// Bytes of a row of an array, from x on; from or to may be the host's or the device's.
int copyRow(void* array, std::size_t x, const void* from, void* to, std::size_t bytes, void* stream) {
    return drive([&](Device& d) {
        const auto place = placeOf(array);
        if (!place)
            return invalidHandle;
        if (x > place->pitch * place->height || bytes > place->pitch * place->height - x)
            return invalidValue;
        const Status status =
            copyLinear(d, to ? to : place->at + x, from ? from : place->at + x, bytes, byAddress, stream);
        return status != success ? status : d.broken;
    });
}
void* at(std::uint64_t address) {
    return reinterpret_cast<void*>(address);
}
} // namespace

WG_API int cuMemcpyHtoA_v2(void* array, std::size_t x, const void* from, std::size_t bytes) {
    return copyRow(array, x, from, nullptr, bytes, nullptr);
}
WG_ALIAS(cuMemcpyHtoA, cuMemcpyHtoA_v2);
WG_ALIAS(cuMemcpyHtoA_v2_ptds, cuMemcpyHtoA_v2);
WG_API int cuMemcpyHtoAAsync_v2(void* array, std::size_t x, const void* from, std::size_t bytes, void* stream) {
    return copyRow(array, x, from, nullptr, bytes, stream);
}
WG_ALIAS(cuMemcpyHtoAAsync, cuMemcpyHtoAAsync_v2);
WG_ALIAS(cuMemcpyHtoAAsync_v2_ptsz, cuMemcpyHtoAAsync_v2);
WG_API int cuMemcpyAtoH_v2(void* to, void* array, std::size_t x, std::size_t bytes) {
    return copyRow(array, x, nullptr, to, bytes, nullptr);
}
WG_ALIAS(cuMemcpyAtoH, cuMemcpyAtoH_v2);
WG_ALIAS(cuMemcpyAtoH_v2_ptds, cuMemcpyAtoH_v2);
WG_API int cuMemcpyAtoHAsync_v2(void* to, void* array, std::size_t x, std::size_t bytes, void* stream) {
    return copyRow(array, x, nullptr, to, bytes, stream);
}
WG_ALIAS(cuMemcpyAtoHAsync, cuMemcpyAtoHAsync_v2);
WG_ALIAS(cuMemcpyAtoHAsync_v2_ptsz, cuMemcpyAtoHAsync_v2);
WG_API int cuMemcpyDtoA_v2(void* array, std::size_t x, std::uint64_t from, std::size_t bytes) {
    return copyRow(array, x, at(from), nullptr, bytes, nullptr);
}
WG_ALIAS(cuMemcpyDtoA, cuMemcpyDtoA_v2);
WG_ALIAS(cuMemcpyDtoA_v2_ptds, cuMemcpyDtoA_v2);
WG_API int cuMemcpyAtoD_v2(std::uint64_t to, void* array, std::size_t x, std::size_t bytes) {
    return copyRow(array, x, nullptr, at(to), bytes, nullptr);
}
WG_ALIAS(cuMemcpyAtoD, cuMemcpyAtoD_v2);
WG_ALIAS(cuMemcpyAtoD_v2_ptds, cuMemcpyAtoD_v2);
