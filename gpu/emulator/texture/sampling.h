// SPDX-License-Identifier: GPL-3.0-or-later
// From coordinates to a result: address modes, filters, levels of a mipmap, faces of a cube.
//
// Formulas: CUDA C++ Programming Guide, "Texture Fetching" (nearest-point sampling: the texel at floor(x); linear
// filtering: the texels at floor(x - 0.5) and the next, the fraction kept in 9 bits of which 8 are behind the point), and
// "Cubemap Textures" for the face and its two coordinates. Where the guide leaves bits open, as an H200 has them.
#pragma once

#include "gpu/emulator/code/texture_op.h"
#include "gpu/emulator/texture/texels.h"

#include <vector>

namespace warpglass::emulator {

struct Fetch {
    Geometry geometry = Geometry::D2;
    bool whole = false; // coordinates are integers: texels as they are, whatever the sampler says; 0 outside
    std::array<float, 3> at{};
    std::array<std::int32_t, 3> index{}; // instead of at, if whole
    std::uint32_t layer = 0;
    std::array<std::int32_t, 3> offset{}; // texels, added to the coordinates
    TextureOp::Level how = TextureOp::Level::Base;
    float level = 0;
    std::array<float, 3> dx{}, dy{};              // of Gradient
    std::vector<std::uint64_t>* texels = nullptr; // where the addresses of those that are taken go, if somebody asks
};

struct Sampled {
    ChannelBits bits{};
    std::uint64_t address = 0; // of the texel nearest to the coordinates, for the record
    std::uint32_t texels = 1;  // that were read
};

Sampled sample(const BoundArray& array, const Sampler& sampler, const Fetch& fetch);
// The four texels that a bilinear filter would use, one channel of each: (i, j+1), (i+1, j+1), (i+1, j), (i, j).
Sampled gather(const BoundArray& array, const Sampler& sampler, const Fetch& fetch, std::uint32_t channel);

// Face and the two coordinates in it, from 0 to 1.
struct CubePlace {
    std::uint32_t face = 0;
    std::array<float, 2> at{};
};
CubePlace cubePlace(float x, float y, float z);

} // namespace warpglass::emulator
