// SPDX-License-Identifier: GPL-3.0-or-later
// Textures over arrays, mipmapped arrays and plain memory, whole or by a view, and surfaces over arrays.
#include "gpu/virtual/runtime/textures.h"
#include "gpu/base/messages/program.h"

#include <algorithm>

namespace warpglass::virtual_device {

namespace {

enum ResourceType : int { resourceArray = 0, resourceMipmapped = 1, resourceLinear = 2, resourceRows = 3 };
constexpr unsigned cubemap = 4;              // cudaArrayCubemap
constexpr std::uint64_t pitchAlignment = 32; // cudaDeviceProp::texturePitchAlignment

Sampler samplerFrom(const CallTexture& t) {
    Sampler s;
    for (std::size_t axis = 0; axis < 3; ++axis)
        s.address[axis] = AddressMode(std::clamp(t.address[axis], 0, 3));
    s.linear = t.filter == 1;
    s.normalized = t.normalized != 0;
    s.asFloat = t.readMode == 1;
    s.srgb = t.srgb != 0;
    s.seamless = t.seamless != 0;
    if (s.seamless) // no coordinate leads beyond a face
        s.address.fill(AddressMode::Clamp);
    std::copy_n(t.border, 4, s.border.begin());
    s.mipLinear = t.mipFilter == 1;
    s.bias = t.bias, s.minLevel = t.minLevel, s.maxLevel = t.maxLevel;
    return s;
}

const Array* arrayOf(Device& d, const CallResource& r) {
    return r.type == resourceArray       ? d.arrays.find(r.of.array)
           : r.type == resourceMipmapped ? d.arrays.mipmapped(r.of.array)
                                         : nullptr;
}

// Level 0 and layer 0 become those that the view begins with. Its size is that of the whole all the same.
Status restrict(const Array& whole, const CallView& v, emulator::BoundArray& bound) {
    TexelArray& a = bound.array;
    if (v.format) {
        CallFormat format;
        TexelArray other = a;
        if (!formatOfView(v.format, format) || !setFormat(other, format))
            return notSupported;
        if (other.texelBytes() != a.texelBytes())
            return invalidValue;
        a = other;
    }
    if (v.width != whole.extent.width || v.height != whole.extent.height || v.depth != whole.extent.depth)
        return invalidValue;
    // A GPU takes a view that ends beyond the array; what it reads there is nobody's.
    const unsigned lastLevel = std::min(v.lastLevel, a.levels - 1);
    if (v.firstLevel > v.lastLevel || v.firstLevel > lastLevel)
        return invalidValue;
    const bool layered = hasLayers(a.shape);
    const unsigned together = isCube(a.shape) ? 6 : 1, layers = layered ? a.extent.depth : together;
    const bool all = !layered && v.firstLayer == 0 && v.lastLayer == 0; // which is all that there is
    const unsigned last = all ? layers - 1 : std::min(v.lastLayer, layers - 1);
    if ((!all && v.firstLayer > v.lastLayer) || v.firstLayer > last || v.firstLayer % together != 0 ||
        (last + 1) % together != 0)
        return invalidValue;
    const std::vector<std::uint64_t> offsets = whole.levelOffsets();
    bound.levelOffset.clear();
    for (unsigned level = v.firstLevel; level <= lastLevel; ++level) {
        const Extent e = a.extentOf(level);
        bound.levelOffset.push_back(offsets[level] + std::uint64_t(v.firstLayer) * e.width * e.height * a.texelBytes());
    }
    a.extent = a.extentOf(v.firstLevel);
    a.levels = lastLevel - v.firstLevel + 1;
    if (layered)
        a.extent.depth = last - v.firstLayer + 1;
    return success;
}

// What a resource describes, over memory that is there.
Status bind(Device& d, const CallResource& r, const CallView* view, emulator::BoundArray& bound) {
    std::uint64_t address = 0, bytes = 0;
    if (r.type == resourceArray || r.type == resourceMipmapped) {
        const Array* array = arrayOf(d, r);
        if (!array)
            return invalidHandle;
        bound.array = array->shape;
        bound.levelOffset = array->levelOffsets();
        address = array->address, bytes = array->shape.bytes();
        if (view)
            if (const Status status = restrict(*array, *view, bound); status != success)
                return status;
    } else if (r.type == resourceLinear || r.type == resourceRows) {
        const bool rows = r.type == resourceRows;
        if (view)
            return invalidValue;
        if (!setFormat(bound.array, rows ? r.of.rows.format : r.of.linear.format))
            return notSupported;
        if (rows && r.of.rows.pitch % pitchAlignment != 0) {
            d.tellMistake(say::TexturePitch(r.of.rows.pitch, pitchAlignment), false);
            return invalidValue;
        }
        const std::uint32_t texel = bound.array.texelBytes();
        bound.array.shape = rows ? ArrayShape::Pitch : ArrayShape::Linear;
        bound.array.extent = rows ? Extent{std::uint32_t(r.of.rows.width), std::uint32_t(r.of.rows.height), 1}
                                  : Extent{std::uint32_t(r.of.linear.bytes / texel), 1, 1};
        bound.rowBytes = rows ? r.of.rows.pitch : 0;
        bound.levelOffset = {0};
        address = reinterpret_cast<std::uint64_t>(rows ? r.of.rows.pointer : r.of.linear.pointer);
        bytes = rows ? bound.rowBytes * (bound.array.extent.height - 1) + 1 : bound.array.bytes();
    } else {
        return invalidValue;
    }
    bound.base = address;
    bound.data = d.memory.resolve(address, bytes);
    return bound.data ? success : invalidValue;
}

// What was asked for and CUDA does not do, without a word.
void tellIgnored(Device& d, const CallTexture& t) {
    if (t.filter == 1)
        d.tellMistake(say::LinearIgnored("cudaFilterModeLinear"), false);
    else if (t.normalized)
        d.tellMistake(say::LinearIgnored("cudaTextureDesc::normalizedCoords"), false);
}

Status makeTexture(Device& d, std::uint64_t* object, const CallResource& resource, const CallTexture& texture,
                   const CallView* view) {
    const Array* array = arrayOf(d, resource);
    if (view && view->format == 0) // cudaResViewFormatNone
        return invalidValue;
    if (texture.seamless && (!array || !(array->flags & cubemap)))
        return invalidValue;
    emulator::BoundArray bound;
    if (const Status status = bind(d, resource, view, bound); status != success)
        return status;
    Sampler sampler = samplerFrom(texture);
    if (resource.type == resourceMipmapped) { // asked for or not
        for (AddressMode& mode : sampler.address)
            if (!sampler.normalized && mode != AddressMode::Border)
                mode = AddressMode::Clamp;
        sampler.normalized = true;
    }
    if (isFloat(bound.array.type) || bytesOf(bound.array.type) == 4) // are read as they are
        sampler.asFloat = false;
    if (bound.array.shape == ArrayShape::Linear) // is read by whole numbers, whatever is asked for
        sampler.linear = sampler.normalized = false;
    Sampler checked = sampler;
    checked.address.fill(AddressMode::Clamp); // the runtime takes any
    if (!checkTexture(bound.array, checked))
        return invalidValue;
    if (bound.array.shape == ArrayShape::Linear)
        tellIgnored(d, texture);
    *object = d.textures.add(emulator::BoundObject::Kind::Texture, std::move(bound), sampler);
    d.arrays.describe(d.number, *object, {resource, texture, view ? std::optional(*view) : std::nullopt, false});
    return success;
}

// Also if what it looked at is gone already; CUDA says nothing of a number that is no object.
Status destroy(Device& d, std::uint64_t object, bool surface) {
    const ObjectWords* words = d.arrays.words(d.number, object);
    if (!words || words->isSurface != surface)
        return success;
    d.arrays.forget(d.number, object);
    d.textures.remove(object);
    return success;
}

// f(words) fills what the program wants to know.
template <class F>
int about(std::uint64_t object, bool surface, F f) {
    return call([&](Device& d) {
        const ObjectWords* words = d.arrays.words(d.number, object);
        return words && words->isSurface == surface ? Status(f(*words)) : invalidValue;
    });
}

} // namespace

// cudaResourceViewFormat, CUresourceViewFormat: of each kind with 1, 2 and 4 channels.
bool formatOfView(int number, CallFormat& format) {
    constexpr int bits[] = {8, 8, 16, 16, 32, 32, 16, 32}, kinds[] = {1, 0, 1, 0, 1, 0, 2, 2}, counts[] = {1, 2, 4};
    if (number < 1 || number > 24)
        return false;
    format = {};
    std::fill_n(format.bits, counts[(number - 1) % 3], bits[(number - 1) / 3]);
    format.kind = kinds[(number - 1) / 3];
    return true;
}

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API int cudaCreateTextureObject(std::uint64_t* object, const CallResource* resource, const CallTexture* texture,
                                   const CallView* view) {
    return call([&](Device& d) {
        return object && resource && texture ? makeTexture(d, object, *resource, *texture, view) : invalidValue;
    });
}
WG_API int cudaDestroyTextureObject(std::uint64_t object) {
    return call([&](Device& d) { return destroy(d, object, false); });
}
WG_API int cudaGetTextureObjectResourceDesc(CallResource* resource, std::uint64_t object) {
    return about(object, false, [&](const ObjectWords& words) {
        *resource = words.resource;
        return success;
    });
}
WG_API int cudaGetTextureObjectTextureDesc(CallTexture* texture, std::uint64_t object) {
    return about(object, false, [&](const ObjectWords& words) {
        *texture = words.texture;
        return success;
    });
}
WG_API int cudaGetTextureObjectResourceViewDesc(CallView* view, std::uint64_t object) {
    return about(object, false, [&](const ObjectWords& words) {
        *view = words.view.value_or(CallView{}); // of none it is empty
        return success;
    });
}

WG_API int cudaCreateSurfaceObject(std::uint64_t* object, const CallResource* resource) {
    return call([&](Device& d) {
        if (!object || !resource || resource->type != resourceArray)
            return invalidValue;
        warpglass::emulator::BoundArray bound;
        if (const Status status = bind(d, *resource, nullptr, bound); status != success)
            return status;
        *object = d.textures.add(warpglass::emulator::BoundObject::Kind::Surface, std::move(bound), {});
        d.arrays.describe(d.number, *object, {*resource, {}, std::nullopt, true});
        return success;
    });
}
WG_API int cudaDestroySurfaceObject(std::uint64_t object) {
    return call([&](Device& d) { return destroy(d, object, true); });
}
WG_API int cudaGetSurfaceObjectResourceDesc(CallResource* resource, std::uint64_t object) {
    return about(object, true, [&](const ObjectWords& words) {
        *resource = words.resource;
        return success;
    });
}
