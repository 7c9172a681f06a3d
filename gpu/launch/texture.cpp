// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/texture.h"

#include "gpu/base/messages/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpglass {

namespace {

// What every device from compute capability 5.0 on can make (CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability").
constexpr std::uint32_t most1d = 131072, most2dWidth = 65536, most3d = 16384, mostLayers = 2048, mostCube = 32768,
                        most1dLayered = 32768, most2dLayered = 32768;
constexpr std::uint32_t mostLinear = 1u << 27; // texels of linear memory

Error refusal(const std::string& name, Message message, Message remedy) {
    return Error{.message = say::OfTexture(name, std::move(message)), .file = "--texture", .remedy = std::move(remedy)};
}

Extent largest(ArrayShape shape) {
    switch (shape) {
    case ArrayShape::D1:
        return {most1d, 1, 1};
    case ArrayShape::Linear:
        return {mostLinear, 1, 1};
    case ArrayShape::D2:
    case ArrayShape::Pitch:
        return {most2dWidth, most2dWidth, 1};
    case ArrayShape::D3:
        return {most3d, most3d, most3d};
    case ArrayShape::D1Layered:
        return {most1dLayered, 1, mostLayers};
    case ArrayShape::D2Layered:
        return {most2dLayered, most2dLayered, mostLayers};
    case ArrayShape::Cube:
        return {mostCube, mostCube, 6};
    case ArrayShape::CubeLayered:
        return {mostCube, mostCube, 2046};
    }
    return {};
}

} // namespace

bool hasLayers(ArrayShape shape) {
    return shape == ArrayShape::D1Layered || shape == ArrayShape::D2Layered || shape == ArrayShape::CubeLayered;
}

bool isCube(ArrayShape shape) {
    return shape == ArrayShape::Cube || shape == ArrayShape::CubeLayered;
}

Extent TexelArray::extentOf(std::uint32_t level) const {
    const auto half = [&](std::uint32_t size) { return std::max(1u, size >> std::min(level, 31u)); };
    return {half(extent.width), half(extent.height), shape == ArrayShape::D3 ? half(extent.depth) : extent.depth};
}

std::uint64_t TexelArray::bytesOfLevel(std::uint32_t level) const {
    const Extent e = extentOf(level);
    return std::uint64_t(e.width) * e.height * e.depth * texelBytes();
}

std::uint64_t TexelArray::bytes() const {
    std::uint64_t sum = 0;
    for (std::uint32_t level = 0; level < levels; ++level)
        sum += bytesOfLevel(level);
    return sum;
}

std::string TexelArray::text() const {
    std::string size = fmt::format("{}", extent.width);
    if (shape != ArrayShape::D1 && shape != ArrayShape::Linear && shape != ArrayShape::D1Layered)
        size += fmt::format("x{}", extent.height);
    if (shape == ArrayShape::D3)
        size += fmt::format("x{}", extent.depth);
    if (hasLayers(shape))
        size += fmt::format(", {} layers", shape == ArrayShape::CubeLayered ? extent.depth / 6 : extent.depth);
    return fmt::format("{} of {} texels of {}{}", warpglass::name(shape), size, warpglass::name(type),
                       channels == 1 ? "" : fmt::format("x{}", channels));
}

Result<void> checkArray(const TexelArray& a) {
    const Extent most = largest(a.shape), e = a.extent;
    if (e.width == 0 || e.height == 0 || e.depth == 0)
        return refusal(a.name, say::NoTexels, say::EveryAxis);
    if (e.width > most.width || e.height > most.height || e.depth > most.depth)
        return refusal(a.name, say::LargerThanAny(a.text(), most.width, most.height, most.depth), say::MakeSmaller);
    if (a.channels != 1 && a.channels != 2 && a.channels != 4)
        return refusal(a.name, say::ChannelCount(a.channels), say::ChannelsOfTexel);
    if (isCube(a.shape) && (e.width != e.height || e.depth % 6 != 0))
        return refusal(a.name, say::FacesSquare, say::Write64);
    const std::uint32_t longest = std::max({e.width, e.height, a.shape == ArrayShape::D3 ? e.depth : 1u});
    if (a.levels == 0 || a.levels > std::uint32_t(std::bit_width(longest)))
        return refusal(a.name, say::LevelsOf(a.levels, longest), say::LevelsPossible(std::bit_width(longest)));
    if (a.levels > 1 && (a.shape == ArrayShape::Linear || a.shape == ArrayShape::Pitch))
        return refusal(a.name, say::LinearNoMipmap, say::ChooseArrayShape);
    return {};
}

Result<void> checkTexture(const TexelArray& a, const Sampler& s) {
    if (auto ok = checkArray(a); !ok)
        return ok;
    const bool small = bytesOf(a.type) < 4 && !isFloat(a.type);
    const bool read = isFloat(a.type) || (small && s.asFloat); // as floats
    if (s.asFloat && !small)
        return refusal(a.name, say::NotNormalised(name(a.type)), say::ForSmallTypes);
    if ((s.linear || (s.mipLinear && a.levels > 1)) && !read)
        return refusal(a.name, say::NoLinearFilter(name(a.type)), small ? say::AddFloat : say::FilterByPoint);
    if (s.srgb && (a.type != ChannelType::U8 || !read))
        return refusal(a.name, say::SrgbFor, say::LeaveSrgb);
    if (a.shape == ArrayShape::Linear && (s.linear || s.normalized))
        return refusal(a.name, say::LinearWhole, say::Choose1d);
    if (a.shape == ArrayShape::Pitch && std::any_of(s.address.begin(), s.address.end(), [](AddressMode m) {
            return m == AddressMode::Wrap || m == AddressMode::Mirror;
        }))
        return refusal(a.name, say::PitchClamp, say::ChooseOr2d);
    if (a.levels > 1 && !s.normalized)
        return refusal(a.name, say::MipmapNormalised, say::AddNormalized);
    return {};
}

Result<void> checkSurface(const TexelArray& a) {
    if (auto ok = checkArray(a); !ok)
        return ok;
    if (a.shape == ArrayShape::Linear || a.shape == ArrayShape::Pitch)
        return refusal(a.name, say::SurfaceNeedsArray, say::Choose1d2d);
    if (a.levels > 1)
        return refusal(a.name, say::SurfaceOneLevel, say::LeaveLevels);
    return {};
}

} // namespace warpglass
