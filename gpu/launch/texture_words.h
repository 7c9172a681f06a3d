// SPDX-License-Identifier: GPL-3.0-or-later
// Textures and surfaces as a person types them.
//
//   NAME=SHAPE:SIZE:FORMAT[:OPTION,...][:INITIAL]         img=2d:64x64:f32:linear,clamp,normalized:iota
//   NAME=@OTHER[:OPTION,...]                              the array of another texture or surface
//
// SHAPE is 1d linear 2d pitch 3d 1dlayered 2dlayered cube cubelayered; SIZE the texels of each axis, the layers last
// (2dlayered:64x64x5; of a cube the side: cube:32x32; cubelayered:32x32x2 are two cubes); FORMAT a type of u8 u16 u32 s8
// s16 s32 f16 f32, with x2 or x4 for several channels. INITIAL is as of a buffer (arguments.h), element by element of a
// channel; zeros if left out. OPTIONS, of textures:
//   point linear                     filter
//   wrap clamp mirror border         address mode of all axes, or one an axis: clamp/wrap/border
//   normalized                       coordinates go from 0 to 1
//   float                            8- and 16-bit integers are read as normalised floats
//   srgb                             of u8 read as floats
//   border=R;G;B;A                   colour beyond the border; what is left out is 0
//   levels=N mip=point|linear bias=B lod=MIN..MAX
#pragma once

#include "gpu/launch/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

// Adds what the spec says to plan.arrays and plan.textures or plan.surfaces. The error quotes the spec.
Result<void> addTexture(LaunchPlan& plan, std::string_view spec);
Result<void> addSurface(LaunchPlan& plan, std::string_view spec);

} // namespace warpglass
