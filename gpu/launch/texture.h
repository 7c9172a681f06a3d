// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch gives its textures and surfaces to look at.
//
// A TexelArray is the memory: a shape, a format, initial contents. A TextureBinding looks at one of them through a
// Sampler, a SurfaceBinding reads and writes its texels; both are found by name: a pointer in an argument or buffer
// (BufferPointer) that names one gets its 64-bit object, a .texref, .surfref or .samplerref variable of that name in the
// module is bound to it.
//
// The words of options and formats are those of --texture and --surface (texture_words.h).
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace warpglass {

// Linear and Pitch are device memory that a texture is laid over, the others are CUDA arrays.
enum class ArrayShape : std::uint8_t { D1, Linear, D2, Pitch, D3, D1Layered, D2Layered, Cube, CubeLayered };
template <>
inline constexpr auto enumWords<ArrayShape> = EnumWords("shape of a texture",
                                                        {"1d", "linear", "2d", "pitch", "3d", "1dlayered", "2dlayered",
                                                         "cube", "cubelayered"});
enum class ChannelType : std::uint8_t { U8, U16, U32, S8, S16, S32, F16, F32 };
template <>
inline constexpr auto enumWords<ChannelType> = EnumWords("type of a channel",
                                                         {"u8", "u16", "u32", "s8", "s16", "s32", "f16", "f32"});
constexpr bool isFloat(ChannelType type) {
    return type == ChannelType::F16 || type == ChannelType::F32;
}
constexpr bool isSigned(ChannelType type) {
    return type >= ChannelType::S8 && type <= ChannelType::S32;
}
constexpr std::uint32_t bytesOf(ChannelType type) {
    constexpr std::array<std::uint8_t, 8> bytes{1, 2, 4, 1, 2, 4, 2, 4};
    return bytes[std::size_t(type)];
}

struct Extent {
    std::uint32_t width = 1, height = 1;
    std::uint32_t depth = 1; // slices of a 3D array; else layers, six a cube
};

struct TexelArray {
    std::string name;
    ArrayShape shape = ArrayShape::D2;
    Extent extent;
    ChannelType type = ChannelType::F32;
    std::uint32_t channels = 1; // 1, 2 or 4
    std::uint32_t levels = 1;   // of a mipmap
    // Writes the initial contents: level after level, each slice after slice, row after row, without gaps. Empty: zeros.
    std::function<void(std::span<std::byte>)> fill;

    std::uint32_t texelBytes() const { return bytesOf(type) * channels; }
    Extent extentOf(std::uint32_t level) const; // halved a level, at least 1; layers stay
    std::uint64_t bytesOfLevel(std::uint32_t level) const;
    std::uint64_t bytes() const; // of all levels
    std::string text() const;    // "64x32 f32x4, 2d", for messages
};
bool hasLayers(ArrayShape shape);
bool isCube(ArrayShape shape);

enum class AddressMode : std::uint8_t { Wrap, Clamp, Mirror, Border };
template <>
inline constexpr auto enumWords<AddressMode> = EnumWords("address mode", {"wrap", "clamp", "mirror", "border"});

struct Sampler {
    std::array<AddressMode, 3> address{AddressMode::Clamp, AddressMode::Clamp, AddressMode::Clamp};
    bool linear = false;
    bool normalized = false; // coordinates go from 0 to 1
    bool asFloat = false;    // 8- and 16-bit integers are read as floats from 0 or -1 to 1
    bool srgb = false;       // of 8-bit channels read as floats: the first three are sRGB
    bool seamless = false;   // of cubes: a filter goes on beyond the edge of a face, on the next one
    std::array<float, 4> border{};
    bool mipLinear = false;
    float bias = 0, minLevel = 0, maxLevel = 0; // of a mipmap's level
};

struct TextureBinding {
    std::string name;
    std::uint32_t array = 0; // LaunchPlan::arrays
    Sampler sampler;
};
struct SurfaceBinding {
    std::string name;
    std::uint32_t array = 0;
};

// What no device accepts: a linear filter of integers, a mipmap of a layered array, too large an extent.
Result<void> checkTexture(const TexelArray& array, const Sampler& sampler);
Result<void> checkSurface(const TexelArray& array);
Result<void> checkArray(const TexelArray& array);

} // namespace warpglass
