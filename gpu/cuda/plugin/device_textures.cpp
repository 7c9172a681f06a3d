// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays are made and filled by the driver; textures over linear and pitch-linear memory lie over plain device memory. A
// plan's host layout has no gaps, which is what cuMemcpy3D is told of the host's side; the driver knows the other.
#include "gpu/cuda/plugin/device_textures.h"
#include "gpu/base/messages/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace warpglass::cuda {

namespace {

CUarray_format formatOf(ChannelType type) {
    constexpr CUarray_format formats[] = {
        CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT8,
        CU_AD_FORMAT_SIGNED_INT16,  CU_AD_FORMAT_SIGNED_INT32,   CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};
    return formats[std::size_t(type)];
}

CUaddress_mode modeOf(AddressMode mode) {
    constexpr CUaddress_mode modes[] = {CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_MIRROR,
                                        CU_TR_ADDRESS_MODE_BORDER};
    return modes[std::size_t(mode)];
}

// A device's rows of pitch-linear memory begin at multiples of this on every capability (the driver's own attribute is
// 32); a larger power of two is always allowed.
constexpr std::size_t pitchStep = 512;

} // namespace

struct DeviceTextures::All {
    struct One {
        TexelArray shape;
        std::vector<std::byte> initial;
        CUarray array = nullptr;
        CUmipmappedArray mipmap = nullptr;
        DeviceBuffer memory; // of linear and pitch-linear
        std::size_t pitch = 0;
    };
    struct Texture {
        TextureBinding binding;
        CUtexObject object = 0;
        std::uint64_t handle = 0;
    };
    struct Surface {
        SurfaceBinding binding;
        CUsurfObject object = 0;
        std::uint64_t handle = 0;
    };
    explicit All(const Driver& d) : driver(d) {}
    All(const All&) = delete;
    All& operator=(const All&) = delete;
    ~All() {
        for (Texture& t : textures)
            if (t.object)
                driver.cuTexObjectDestroy(t.object);
        for (Surface& s : surfaces)
            if (s.object)
                driver.cuSurfObjectDestroy(s.object);
        for (One& one : arrays) {
            if (one.mipmap)
                driver.cuMipmappedArrayDestroy(one.mipmap);
            else if (one.array)
                driver.cuArrayDestroy(one.array);
        }
    }

    Result<void> wrong(CUresult code, const std::string& name, Message what) const {
        if (code == CUDA_SUCCESS)
            return {};
        return errorOf(driver, code, say::OfBuffer(std::move(what), name));
    }

    Result<void> makeArray(One& one, bool surface, bool gathers) {
        const TexelArray& a = one.shape;
        if (a.shape == ArrayShape::Linear || a.shape == ArrayShape::Pitch) {
            const std::size_t row = std::size_t(a.extent.width) * a.texelBytes();
            one.pitch = a.shape == ArrayShape::Linear ? row : (row + pitchStep - 1) / pitchStep * pitchStep;
            auto memory = DeviceBuffer::allocate(one.pitch * a.extent.height);
            if (!memory)
                return memory.error();
            one.memory = std::move(*memory);
            return {};
        }
        CUDA_ARRAY3D_DESCRIPTOR d{};
        d.Width = a.extent.width;
        const bool isFlat = a.shape == ArrayShape::D1 || a.shape == ArrayShape::D1Layered;
        d.Height = isFlat ? 0 : a.extent.height;
        d.Depth = a.shape == ArrayShape::D1 || a.shape == ArrayShape::D2 ? 0 : a.extent.depth;
        d.Format = formatOf(a.type);
        d.NumChannels = a.channels;
        d.Flags = (hasLayers(a.shape) ? CUDA_ARRAY3D_LAYERED : 0u) | (isCube(a.shape) ? CUDA_ARRAY3D_CUBEMAP : 0u) |
                  (surface ? CUDA_ARRAY3D_SURFACE_LDST : 0u) | (gathers ? CUDA_ARRAY3D_TEXTURE_GATHER : 0u);
        if (a.levels == 1)
            return wrong(driver.cuArray3DCreate(&one.array, &d), a.name, say::NoArrayMade);
        return wrong(driver.cuMipmappedArrayCreate(&one.mipmap, &d, a.levels), a.name, say::NoMipmapMade);
    }

    // Between the host's bytes and one level of the array.
    Result<void> copy(const One& one, std::byte* host, bool toDevice) const {
        std::byte* at = host;
        for (std::uint32_t level = 0; level < one.shape.levels; ++level) {
            CUarray array = one.array;
            if (one.mipmap)
                if (auto ok = wrong(driver.cuMipmappedArrayGetLevel(&array, one.mipmap, level), one.shape.name,
                                    say::NoSuchLevel);
                    !ok)
                    return ok;
            const Extent e = one.shape.extentOf(level);
            const std::size_t row = std::size_t(e.width) * one.shape.texelBytes();
            CUDA_MEMCPY3D c{};
            c.WidthInBytes = row;
            c.Height = e.height;
            c.Depth = e.depth;
            if (toDevice) {
                c.srcMemoryType = CU_MEMORYTYPE_HOST;
                c.srcHost = at;
                c.srcPitch = row;
                c.srcHeight = e.height;
            } else {
                c.dstMemoryType = CU_MEMORYTYPE_HOST;
                c.dstHost = at;
                c.dstPitch = row;
                c.dstHeight = e.height;
            }
            (toDevice ? c.dstMemoryType : c.srcMemoryType) = array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_DEVICE;
            (toDevice ? c.dstArray : c.srcArray) = array;
            if (!array) {
                (toDevice ? c.dstDevice : c.srcDevice) = CUdeviceptr(one.memory.address());
                (toDevice ? c.dstPitch : c.srcPitch) = one.pitch;
                (toDevice ? c.dstHeight : c.srcHeight) = e.height;
            }
            if (auto ok = wrong(driver.cuMemcpy3D(&c), one.shape.name, say::TexelsNotCopied); !ok)
                return ok;
            at += one.shape.bytesOfLevel(level);
        }
        return {};
    }

    CUDA_TEXTURE_DESC samplingOf(const TexelArray& a, const Sampler& s) const {
        CUDA_TEXTURE_DESC d{};
        // An axis that the array does not have is filtered all the same: with a border there, half of it comes in.
        const bool flat = a.shape == ArrayShape::D1 || a.shape == ArrayShape::D1Layered;
        for (std::size_t axis = 0; axis < 3; ++axis)
            d.addressMode[axis] = flat && axis > 0 ? CU_TR_ADDRESS_MODE_CLAMP : modeOf(s.address[axis]);
        d.filterMode = s.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
        d.flags = flagsOf(a, s);
        d.mipmapFilterMode = s.mipLinear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
        d.mipmapLevelBias = s.bias;
        d.minMipmapLevelClamp = s.minLevel;
        d.maxMipmapLevelClamp = s.maxLevel;
        std::copy(s.border.begin(), s.border.end(), d.borderColor);
        return d;
    }

    // Integers are read as they are, unless floats are asked for; of 32 bits there is no other way.
    static unsigned flagsOf(const TexelArray& a, const Sampler& s) {
        const bool integers = !isFloat(a.type) && !s.asFloat;
        return (integers ? CU_TRSF_READ_AS_INTEGER : 0u) | (s.normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
               (s.srgb ? CU_TRSF_SRGB : 0u);
    }

    CUDA_RESOURCE_DESC resourceOf(const One& one) const {
        CUDA_RESOURCE_DESC d{};
        const TexelArray& a = one.shape;
        if (one.mipmap) {
            d.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
            d.res.mipmap.hMipmappedArray = one.mipmap;
        } else if (one.array) {
            d.resType = CU_RESOURCE_TYPE_ARRAY;
            d.res.array.hArray = one.array;
        } else if (a.shape == ArrayShape::Linear) {
            d.resType = CU_RESOURCE_TYPE_LINEAR;
            d.res.linear.devPtr = CUdeviceptr(one.memory.address());
            d.res.linear.format = formatOf(a.type);
            d.res.linear.numChannels = a.channels;
            d.res.linear.sizeInBytes = a.bytes();
        } else {
            d.resType = CU_RESOURCE_TYPE_PITCH2D;
            d.res.pitch2D.devPtr = CUdeviceptr(one.memory.address());
            d.res.pitch2D.format = formatOf(a.type);
            d.res.pitch2D.numChannels = a.channels;
            d.res.pitch2D.width = a.extent.width;
            d.res.pitch2D.height = a.extent.height;
            d.res.pitch2D.pitchInBytes = one.pitch;
        }
        return d;
    }

    Result<void> bindTexture(CUtexref reference, const Texture& t) const {
        const One& one = arrays[t.binding.array];
        const Sampler& s = t.binding.sampler;
        CUresult code = CUDA_SUCCESS;
        const auto step = [&](CUresult result) {
            if (code == CUDA_SUCCESS)
                code = result;
        };
        step(driver.cuTexRefSetFormat(reference, formatOf(one.shape.type), int(one.shape.channels)));
        step(driver.cuTexRefSetFlags(reference, flagsOf(one.shape, s)));
        step(driver.cuTexRefSetFilterMode(reference, s.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT));
        for (int axis = 0; axis < 3; ++axis)
            step(driver.cuTexRefSetAddressMode(reference, axis, modeOf(s.address[std::size_t(axis)])));
        std::array<float, 4> border = s.border;
        step(driver.cuTexRefSetBorderColor(reference, border.data()));
        if (one.mipmap) {
            step(driver.cuTexRefSetMipmapFilterMode(reference,
                                                    s.mipLinear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT));
            step(driver.cuTexRefSetMipmapLevelBias(reference, s.bias));
            step(driver.cuTexRefSetMipmapLevelClamp(reference, s.minLevel, s.maxLevel));
            step(driver.cuTexRefSetMipmappedArray(reference, one.mipmap, CU_TRSA_OVERRIDE_FORMAT));
        } else if (one.array) {
            step(driver.cuTexRefSetArray(reference, one.array, CU_TRSA_OVERRIDE_FORMAT));
        } else if (one.shape.shape == ArrayShape::Linear) {
            std::size_t offset = 0;
            step(driver.cuTexRefSetAddress(&offset, reference, CUdeviceptr(one.memory.address()), one.memory.bytes()));
        } else {
            CUDA_ARRAY_DESCRIPTOR d{};
            d.Width = one.shape.extent.width;
            d.Height = one.shape.extent.height;
            d.Format = formatOf(one.shape.type);
            d.NumChannels = one.shape.channels;
            step(driver.cuTexRefSetAddress2D(reference, &d, CUdeviceptr(one.memory.address()), one.pitch));
        }
        return wrong(code, t.binding.name, say::TextureReferenceNotBound);
    }

    const Driver& driver;
    std::vector<One> arrays;
    std::vector<Texture> textures;
    std::vector<Surface> surfaces;
};

Result<DeviceTextures> DeviceTextures::make(const Driver& driver, const LaunchPlan& plan,
                                            std::vector<std::vector<std::byte>> initial) {
    DeviceTextures result(std::make_unique<All>(driver));
    All& all = *result.m_all;
    const bool gathers = plan.ptx.find("tld4") != std::string::npos;
    for (std::size_t k = 0; k < plan.arrays.size(); ++k) {
        const TexelArray& shape = plan.arrays[k];
        All::One& one = all.arrays.emplace_back();
        one.shape = shape;
        one.initial = std::move(initial[k]);
        one.initial.resize(shape.bytes());
        const bool surface = std::any_of(plan.surfaces.begin(), plan.surfaces.end(),
                                         [&](const SurfaceBinding& s) { return s.array == k; });
        // Only plain 2D arrays can be made for tld4; others gather without a flag.
        if (auto ok = all.makeArray(one, surface, gathers && shape.shape == ArrayShape::D2 && shape.levels == 1); !ok)
            return ok.error();
    }
    for (const TextureBinding& binding : plan.textures) {
        All::Texture& t = all.textures.emplace_back();
        t.binding = binding;
        const All::One& one = all.arrays[binding.array];
        const CUDA_RESOURCE_DESC resource = all.resourceOf(one);
        const CUDA_TEXTURE_DESC sampling = all.samplingOf(one.shape, binding.sampler);
        if (auto ok = all.wrong(driver.cuTexObjectCreate(&t.object, &resource, &sampling, nullptr), binding.name,
                                say::NoTextureObject);
            !ok)
            return ok.error();
        t.handle = t.object;
    }
    for (const SurfaceBinding& binding : plan.surfaces) {
        All::Surface& s = all.surfaces.emplace_back();
        s.binding = binding;
        const CUDA_RESOURCE_DESC resource = all.resourceOf(all.arrays[binding.array]);
        if (auto ok = all.wrong(driver.cuSurfObjectCreate(&s.object, &resource), binding.name, say::NoSurfaceObject);
            !ok)
            return ok.error();
        s.handle = s.object;
    }
    if (auto ok = result.restore(); !ok)
        return ok.error();
    return result;
}

DeviceTextures::DeviceTextures(std::unique_ptr<All> all) : m_all(std::move(all)) {}
DeviceTextures::DeviceTextures(DeviceTextures&&) noexcept = default;
DeviceTextures& DeviceTextures::operator=(DeviceTextures&&) noexcept = default;
DeviceTextures::~DeviceTextures() = default;

const std::uint64_t* DeviceTextures::object(const std::string& name) const {
    for (const All::Texture& t : m_all->textures)
        if (t.binding.name == name)
            return &t.handle;
    for (const All::Surface& s : m_all->surfaces)
        if (s.binding.name == name)
            return &s.handle;
    return nullptr;
}

Result<void> DeviceTextures::restore() {
    for (All::One& one : m_all->arrays)
        if (auto ok = m_all->copy(one, one.initial.data(), true); !ok)
            return ok;
    return {};
}

Result<std::vector<std::vector<std::byte>>> DeviceTextures::read() const {
    std::vector<std::vector<std::byte>> all;
    for (const All::One& one : m_all->arrays) {
        auto& bytes = all.emplace_back(one.shape.bytes());
        if (auto ok = m_all->copy(one, bytes.data(), false); !ok)
            return ok.error();
    }
    return all;
}

Result<void> DeviceTextures::bindReferences(CUmodule module) const {
    if (!m_all->driver.cuModuleGetTexRef || !m_all->driver.cuModuleGetSurfRef)
        return {}; // the driver has no references any more, and would not have loaded a module with one
    for (const All::Texture& t : m_all->textures) {
        CUtexref reference = nullptr;
        if (m_all->driver.cuModuleGetTexRef(&reference, module, t.binding.name.c_str()) == CUDA_SUCCESS)
            if (auto ok = m_all->bindTexture(reference, t); !ok)
                return ok;
    }
    for (const All::Surface& s : m_all->surfaces) {
        CUsurfref reference = nullptr;
        if (m_all->driver.cuModuleGetSurfRef(&reference, module, s.binding.name.c_str()) == CUDA_SUCCESS)
            if (auto ok =
                    m_all->wrong(m_all->driver.cuSurfRefSetArray(reference, m_all->arrays[s.binding.array].array, 0),
                                 s.binding.name, say::SurfaceReferenceNotBound);
                !ok)
                return ok;
    }
    return {};
}

} // namespace warpglass::cuda
