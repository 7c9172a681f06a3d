// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/texture/sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace warpglass::emulator {

namespace {

constexpr std::int64_t outside = std::numeric_limits<std::int64_t>::min(); // the border

// The two texels of one axis and the second one's weight in 256ths; without a filter the weight is 0.
struct Axis {
    std::array<std::int64_t, 2> texel{};
    std::uint32_t weight = 0;
};

// Without a mode: as it is.
std::int64_t inRange(std::int64_t i, std::int64_t size, std::optional<AddressMode> mode) {
    if ((i >= 0 && i < size) || !mode)
        return i;
    const auto modulo = [](std::int64_t a, std::int64_t n) { return (a % n + n) % n; };
    switch (*mode) {
    case AddressMode::Wrap:
        return modulo(i, size);
    case AddressMode::Mirror: {
        const std::int64_t there = modulo(i, 2 * size); // there and back
        return there < size ? there : 2 * size - 1 - there;
    }
    case AddressMode::Clamp:
        return i < 0 ? 0 : size - 1;
    case AddressMode::Border:
        break;
    }
    return outside;
}

// Far outside every array, so that whole numbers cannot overflow; NaN is the first texel.
double bounded(double v) {
    constexpr double most = 0x1p40;
    return std::isnan(v) ? 0 : std::clamp(v, -most, most);
}

// A normalised coordinate as a texture unit keeps it: 21 bits behind the point, cut downwards, subnormal numbers as zero.
// Measured on an H200: so all of 65,868 fetches about the edges of 3 to 1000 texels agree, nearest and filtered, clamped
// and wrapped; with one bit more or less, or rounded, hundreds do not.
double keptBits(float at) {
    constexpr double unit = 1 << 21;
    return std::fpclassify(at) == FP_SUBNORMAL ? 0.0 : std::floor(double(at) * unit) / unit;
}

Axis axisOf(const Fetch& fetch, std::size_t n, std::int64_t size, std::optional<AddressMode> mode, bool normalized,
            bool linear) {
    Axis axis;
    if (fetch.whole) {
        axis.texel[0] = axis.texel[1] =
            inRange(std::int64_t(fetch.index[n]) + fetch.offset[n], size, AddressMode::Border);
        return axis;
    }
    const double u = bounded(normalized ? keptBits(fetch.at[n]) * double(size) : double(fetch.at[n])) + fetch.offset[n];
    if (!linear) {
        axis.texel[0] = axis.texel[1] = inRange(std::int64_t(std::floor(u)), size, mode);
        return axis;
    }
    const auto fixed = std::int64_t(std::floor(u * 256 + 0.5)) - 128;
    axis.weight = std::uint32_t(fixed & 255);
    axis.texel = {inRange(fixed >> 8, size, mode), inRange((fixed >> 8) + 1, size, mode)};
    return axis;
}

// The fetch at one level: a box of up to two texels an axis, in one slice of layered arrays.
struct Box {
    std::array<Axis, 3> axes;
    std::uint32_t count = 1; // axes that are filtered or addressed
    std::int64_t slice = 0;  // of layered arrays and cubes
    std::uint32_t level = 0;
    bool seamless = false; // texels beyond an edge of a cube's face are those of the next one
    std::vector<std::uint64_t>* texels = nullptr;
};

struct FacePlace {
    std::uint32_t face = 0;
    std::array<double, 2> at{};
};
FacePlace facePlace(double x, double y, double z) {
    const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    const auto on = [](std::uint32_t face, double m, double s, double t) {
        const auto half = [&](double v) { return m == 0 ? 0.5 : (v / m + 1) / 2; };
        return FacePlace{face, {half(s), half(t)}};
    };
    // Of equal ones z comes before y and y before x: so an H200 answers, where the guide leaves it open.
    if (az >= ax && az >= ay)
        return std::signbit(z) ? on(5, az, -x, -y) : on(4, az, x, -y);
    if (ay >= ax)
        return std::signbit(y) ? on(3, ay, x, -z) : on(2, ay, x, z);
    return std::signbit(x) ? on(1, ax, z, -y) : on(0, ax, -z, -y);
}

// A texel next to an edge of a face, from outside: where the line to its middle meets the next face. False: it is beyond
// two edges, where a cube has no texel.
bool crossEdge(std::int64_t size, std::array<std::int64_t, 3>& at) {
    const bool beyondX = at[0] < 0 || at[0] >= size, beyondY = at[1] < 0 || at[1] >= size;
    if (!beyondX && !beyondY)
        return true;
    if (beyondX && beyondY)
        return false;
    const std::int64_t face = at[2] % 6;
    const double s = double(2 * at[0] + 1) / double(size) - 1, t = double(2 * at[1] + 1) / double(size) - 1;
    const std::array<std::array<double, 3>, 6> directions{
        {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}}};
    const auto& d = directions[std::size_t(face)];
    const FacePlace place = facePlace(d[0], d[1], d[2]);
    for (std::size_t n = 0; n < 2; ++n)
        at[n] = std::min(std::int64_t(place.at[n] * double(size)), size - 1);
    at[2] += std::int64_t(place.face) - face;
    return true;
}

const std::byte* texelAt(const BoundArray& array, const Box& box, std::uint32_t corner) {
    std::array<std::int64_t, 3> at{0, 0, box.slice};
    for (std::uint32_t n = 0; n < box.count; ++n) {
        at[n] = box.axes[n].texel[corner >> n & 1];
        if (at[n] == outside)
            return nullptr;
    }
    if (box.seamless && !crossEdge(array.array.extentOf(box.level).width, at))
        return nullptr;
    const std::uint64_t offset = array.offsetOf(box.level, at[0], at[1], at[2]);
    if (box.texels) [[unlikely]]
        box.texels->push_back(array.base + offset);
    return array.data + offset;
}

Box boxOf(const BoundArray& array, const Sampler& sampler, const Fetch& fetch, std::uint32_t level, bool linear) {
    Box box;
    box.level = level;
    box.texels = fetch.texels;
    const Extent e = array.array.extentOf(level);
    const std::array<std::int64_t, 3> sizes{e.width, e.height, e.depth};
    Fetch plane = fetch;
    std::uint32_t layer = 0;
    if (isLayered(fetch.geometry)) {
        const std::uint32_t layers = isCube(fetch.geometry) ? e.depth / 6 : e.depth;
        layer = std::min(fetch.layer, layers - 1);
    }
    box.slice = layer;
    box.count = axesOf(fetch.geometry);
    bool normalized = sampler.normalized;
    if (isCube(fetch.geometry)) {
        const CubePlace place = cubePlace(fetch.at[0], fetch.at[1], fetch.at[2]);
        plane.at = {place.at[0], place.at[1], 0};
        box.slice = std::int64_t(layer) * 6 + place.face;
        box.count = 2;
        box.seamless = sampler.seamless && linear;
        normalized = true;
    }
    for (std::uint32_t n = 0; n < box.count; ++n) {
        std::optional<AddressMode> mode = sampler.address[n];
        if (!normalized && (mode == AddressMode::Wrap || mode == AddressMode::Mirror))
            mode = AddressMode::Clamp; // those two are for normalised coordinates
        if (array.array.shape == ArrayShape::Linear)
            mode = AddressMode::Border; // beyond linear memory there are zeros
        if (box.seamless)
            mode.reset();
        box.axes[n] = axisOf(plane, n, sizes[n], mode, normalized, linear);
    }
    return box;
}

// A corner's weight in 256ths, as a texture unit keeps it: whole numbers that add up to 256, shared out axis after axis,
// z first, then x, then y; a half goes to the side further along x. Measured on an H200: so all of 6,000 fetches at any
// place of planes and volumes agree, and all of 9,000 single weights; with products of real numbers almost none do.
std::uint32_t weightOf(const Box& box, std::uint32_t corner) {
    std::uint32_t weight = 256;
    const auto share = [&](std::uint32_t axis, std::uint32_t half) {
        const std::uint32_t upper = (weight * box.axes[axis].weight + half) >> 8;
        weight = corner >> axis & 1 ? upper : weight - upper;
    };
    if (box.count == 3)
        share(2, 128);
    share(0, 128);
    if (box.count >= 2)
        share(1, corner & 1 ? 128 : 127);
    return weight;
}

// Weighted sum of the box's corners. Every product and sum is exact in double for halves and bytes.
Channels filtered(const BoundArray& array, const Sampler& sampler, const Box& box) {
    Channels sum{};
    for (std::uint32_t corner = 0; corner < 1u << box.count; ++corner) {
        const double weight = double(weightOf(box, corner)) / 256;
        if (weight == 0)
            continue; // an infinite neighbour that has no weight has no say
        if (const std::byte* texel = texelAt(array, box, corner); texel || !box.seamless) {
            const Channels c = texel ? texelAsFloats(array, sampler, texel) : borderAsFloats(array.array, sampler);
            for (std::size_t k = 0; k < 4; ++k)
                sum[k] += weight * c[k];
            continue;
        }
        for (std::uint32_t other = 0; other < 4; ++other) // at a cube's corner: the mean of the three that meet there
            if (const std::byte* texel = texelAt(array, box, other)) {
                const Channels c = texelAsFloats(array, sampler, texel);
                for (std::size_t k = 0; k < 4; ++k)
                    sum[k] += weight * c[k] / 3;
            }
    }
    return sum;
}

// Two levels and the second one's weight in 256ths.
struct Levels {
    std::array<std::uint32_t, 2> level{};
    std::uint32_t weight = 0;
};

Levels levelsOf(const TexelArray& array, const Sampler& sampler, const Fetch& fetch) {
    if (array.levels == 1)
        return {};
    // Asked of an H100: the level is cut to 256ths before the bias comes to it, and so is the bias.
    const double bias = std::trunc(double(sampler.bias) * 256) / 256;
    double lod = 0;
    if (fetch.how == TextureOp::Level::Given) {
        lod = std::floor(double(fetch.level) * 256) / 256 + bias;
    } else if (fetch.how == TextureOp::Level::Gradient) { // the longer of the footprint's sides, in texels of the base
        double longest = 0;
        const std::array<double, 3> sizes{double(array.extent.width), double(array.extent.height),
                                          double(array.extent.depth)};
        for (const auto* side : {&fetch.dx, &fetch.dy}) {
            double square = 0;
            for (std::uint32_t n = 0; n < axesOf(fetch.geometry); ++n) {
                // Of a direction the face takes half of what -1 to 1 spans.
                const double texels = double((*side)[n]) * (isCube(fetch.geometry) ? sizes[0] / 2 : sizes[n]);
                square += texels * texels;
            }
            longest = std::max(longest, std::sqrt(square));
        }
        lod = (longest > 0 ? std::log2(longest) : -1000.0) + bias;
    }
    lod = std::clamp(std::isnan(lod) ? 0.0 : lod, double(sampler.minLevel), double(sampler.maxLevel));
    lod = std::clamp(lod, 0.0, double(array.levels - 1));
    Levels levels;
    if (!sampler.mipLinear) {
        levels.level[0] = levels.level[1] = std::min(std::uint32_t(lod + 0.5), array.levels - 1);
        return levels;
    }
    const auto fixed = std::uint32_t(lod * 256);
    levels.level = {fixed >> 8, std::min((fixed >> 8) + 1, array.levels - 1)};
    levels.weight = fixed & 255;
    return levels;
}

ChannelBits bitsOf(const Channels& c) {
    ChannelBits bits{};
    for (std::size_t k = 0; k < 4; ++k)
        bits[k] = std::bit_cast<std::uint32_t>(float(c[k]));
    return bits;
}

// Of the texel nearest to the coordinates; beyond the border, of the array's first.
std::uint64_t nearest(const BoundArray& array, const Sampler& sampler, const Fetch& fetch, std::uint32_t level) {
    Box box = boxOf(array, sampler, fetch, level, false);
    box.texels = nullptr;
    const std::byte* texel = texelAt(array, box, 0);
    return array.base + std::uint64_t(texel ? texel - array.data : 0);
}

} // namespace

CubePlace cubePlace(float x, float y, float z) {
    const FacePlace place = facePlace(double(x), double(y), double(z));
    return {place.face, {float(place.at[0]), float(place.at[1])}};
}

Sampled sample(const BoundArray& array, const Sampler& sampler, const Fetch& fetch) {
    const Levels levels = levelsOf(array.array, sampler, fetch);
    const bool linear = sampler.linear && !fetch.whole && readsFloats(array.array, sampler);
    Sampled out;
    out.address = nearest(array, sampler, fetch, levels.level[0]);
    if (!linear && levels.weight == 0) {
        const std::byte* texel = texelAt(array, boxOf(array, sampler, fetch, levels.level[0], false), 0);
        // An H200 finds a row by whole numbers in linear memory only.
        if (fetch.whole && (!texel || array.array.shape == ArrayShape::D1))
            return out;
        out.bits = texel ? texelAsBits(array, sampler, texel) : borderAsBits(array.array, sampler);
        return out;
    }
    const Box box = boxOf(array, sampler, fetch, levels.level[0], linear);
    out.texels = linear ? 1u << box.count : 1;
    Channels value = filtered(array, sampler, box);
    if (levels.weight != 0) {
        const Channels next = filtered(array, sampler, boxOf(array, sampler, fetch, levels.level[1], linear));
        for (std::size_t k = 0; k < 4; ++k)
            value[k] += (next[k] - value[k]) * double(levels.weight) / 256;
        out.texels *= 2;
    }
    out.bits = bitsOf(value);
    return out;
}

Sampled gather(const BoundArray& array, const Sampler& sampler, const Fetch& fetch, std::uint32_t channel) {
    Sampler within = sampler;
    within.seamless = false;
    const Box box = boxOf(array, within, fetch, 0, true);
    Sampled out;
    out.address = nearest(array, sampler, fetch, 0);
    out.texels = 4;
    constexpr std::array<std::uint32_t, 4> corners{2, 3, 1, 0}; // bit 0: the second along x, bit 1: along y
    for (std::size_t k = 0; k < 4; ++k) {
        const std::byte* texel = texelAt(array, box, corners[k]);
        out.bits[k] = (texel ? texelAsBits(array, sampler, texel) : borderAsBits(array.array, sampler))[channel];
    }
    return out;
}

} // namespace warpglass::emulator
