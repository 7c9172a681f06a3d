// SPDX-License-Identifier: GPL-3.0-or-later
// Sobol's sequences, which fill a space of many dimensions evenly.
#pragma once

#include "gpu/virtual/libraries/generators.h"

#include <array>
#include <memory>

namespace warpglass::virtual_device {

constexpr unsigned mostDimensions = 20000; // as cuRAND

// Direction numbers of a dimension, counted from 0: one for each bit of the index, with the point before its highest bit. Those of Joe
// and Kuo for the first 53; beyond, numbers of our own to the polynomials that follow.
const std::array<std::uint64_t, 64>& directionsOf(unsigned dimension);
// By which a dimension of a scrambled sequence is shifted; our own, too.
std::uint64_t scrambleOf(unsigned dimension);

// What is asked for at once comes dimension by dimension.
std::unique_ptr<Generator> makeSobol(unsigned dimensions, bool wide, bool scrambled);
double normalOf(double probability);

} // namespace warpglass::virtual_device
