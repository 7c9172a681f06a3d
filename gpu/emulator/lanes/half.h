// SPDX-License-Identifier: GPL-3.0-or-later
// Floats one at a time, rounded as an instruction says.
#pragma once

#include "gpu/ptx/describe.h"

#include <cstdint>

namespace warpglass::emulator {

using Round = ptx::Rounding;

float halfToFloat(std::uint16_t h);
std::uint16_t floatToHalf(float f, Round round = Round::Nearest);
std::uint16_t floatToBf16(float f, Round round = Round::Nearest); // to nearest or towards zero
// To f32 with the lost part kept as an odd last bit, so that the rounding to fewer bits that follows is the only one.
float oddFloat(double d);
double roundedFma(Round round, double a, double b, double c);

} // namespace warpglass::emulator
