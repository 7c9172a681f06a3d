// SPDX-License-Identifier: GPL-3.0-or-later
// One texel in its format.
#pragma once

#include "gpu/emulator/state/texture_memory.h"

#include <array>
#include <cstdint>

namespace warpglass::emulator {

using Channels = std::array<double, 4>;           // of a texel read as floats; exact for every format
using ChannelBits = std::array<std::uint32_t, 4>; // as a register gets them: floats, or integers extended to 32 bits

// Whether the texture unit makes floats of this format: f16, f32 and normalised integers.
inline bool readsFloats(const TexelArray& array, const Sampler& sampler) {
    return isFloat(array.type) || sampler.asFloat;
}

// Channels that the format lacks are 0, the last one 1.
Channels texelAsFloats(const BoundArray& array, const Sampler& sampler, const std::byte* texel);
ChannelBits texelAsBits(const BoundArray& array, const Sampler& sampler, const std::byte* texel);
Channels borderAsFloats(const TexelArray& array, const Sampler& sampler);
ChannelBits borderAsBits(const TexelArray& array, const Sampler& sampler);

// Writes count 32-bit values as channels of a texel, as sust.p does: floats become halves, integers that the channel
// cannot hold become its nearest end; channels beyond count are written as 0.
void writeTexel(const TexelArray& array, std::byte* texel, const std::uint32_t* values, std::uint32_t count);

} // namespace warpglass::emulator
