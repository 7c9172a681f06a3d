// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/texture/texels.h"

#include "gpu/emulator/lanes/half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace warpglass::emulator {

namespace {

std::int64_t integerAt(ChannelType type, const std::byte* at) {
    std::uint32_t raw = 0;
    std::memcpy(&raw, at, bytesOf(type));
    switch (type) {
    case ChannelType::S8:
        return std::int8_t(raw);
    case ChannelType::S16:
        return std::int16_t(raw);
    case ChannelType::S32:
        return std::int32_t(raw);
    default:
        return raw;
    }
}

// IEC 61966-2-1: what a screen's 8-bit value means in light.
double linearOfSrgb(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double floatAt(const TexelArray& array, const Sampler& sampler, const std::byte* texel, std::uint32_t channel) {
    const std::byte* at = texel + channel * bytesOf(array.type);
    if (array.type == ChannelType::F32) {
        float f = 0;
        std::memcpy(&f, at, 4);
        return double(f);
    }
    if (array.type == ChannelType::F16) {
        std::uint16_t h = 0;
        std::memcpy(&h, at, 2);
        return double(halfToFloat(h));
    }
    // 8 and 16 bits: the largest is 1; the two smallest signed ones are both -1.
    const std::uint32_t bits = 8 * bytesOf(array.type) - (isSigned(array.type) ? 1 : 0);
    const double value = std::max(double(integerAt(array.type, at)) / double((1u << bits) - 1), -1.0);
    return sampler.srgb && channel < 3 ? linearOfSrgb(value) : value;
}

// Towards zero, so that what is too large becomes the largest; infinities stay, and so does what there is room for of a NaN
// (asked of an H100).
std::uint16_t cutToHalf(std::uint32_t bits) {
    if ((bits & 0x7fffffff) > 0x7f800000)
        return std::uint16_t((bits >> 16 & 0x8000) | 0x7e00 | (bits >> 13 & 0x3ff));
    return floatToHalf(std::bit_cast<float>(bits), Round::Zero);
}

} // namespace

Channels texelAsFloats(const BoundArray& bound, const Sampler& sampler, const std::byte* texel) {
    Channels c{};
    for (std::uint32_t k = 0; k < bound.array.channels; ++k)
        c[k] = floatAt(bound.array, sampler, texel, k);
    return c;
}

ChannelBits texelAsBits(const BoundArray& bound, const Sampler& sampler, const std::byte* texel) {
    const TexelArray& array = bound.array;
    const bool floats = readsFloats(array, sampler);
    ChannelBits c{}; // channels that the format lacks are 0 on an H200
    for (std::uint32_t k = 0; k < array.channels; ++k) {
        if (array.type == ChannelType::F32) // as it stands: a NaN keeps its payload
            std::memcpy(&c[k], texel + 4 * k, 4);
        else if (floats)
            c[k] = std::bit_cast<std::uint32_t>(float(floatAt(array, sampler, texel, k)));
        else
            c[k] = std::uint32_t(integerAt(array.type, texel + k * bytesOf(array.type)));
    }
    return c;
}

Channels borderAsFloats(const TexelArray& array, const Sampler& sampler) {
    Channels c{};
    for (std::uint32_t k = 0; k < array.channels; ++k)
        c[k] = double(sampler.border[k]);
    return c;
}

ChannelBits borderAsBits(const TexelArray& array, const Sampler& sampler) {
    const Channels c = borderAsFloats(array, sampler);
    ChannelBits bits{};
    for (std::size_t k = 0; k < 4; ++k)
        bits[k] = readsFloats(array, sampler)
                      ? std::bit_cast<std::uint32_t>(float(c[k]))
                      : std::uint32_t(std::int64_t(std::clamp(c[k], -2147483648.0, 4294967295.0)));
    return bits;
}

void writeTexel(const TexelArray& array, std::byte* texel, const std::uint32_t* values, std::uint32_t count) {
    const std::uint32_t bytes = bytesOf(array.type);
    for (std::uint32_t k = 0; k < array.channels; ++k) {
        std::uint32_t value = k < count ? values[k] : 0;
        if (array.type == ChannelType::F16) {
            value = cutToHalf(value);
        } else if (bytes < 4 && isSigned(array.type)) {
            const std::int32_t most = (1 << (8 * bytes - 1)) - 1;
            value = std::uint32_t(std::clamp(std::int32_t(value), -most - 1, most));
        } else if (bytes < 4) {
            value = std::min(value, (1u << (8 * bytes)) - 1);
        }
        std::memcpy(texel + k * bytes, &value, bytes);
    }
}

} // namespace warpglass::emulator
