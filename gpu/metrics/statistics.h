// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace warpglass {

// Spearman's: 1 where both rise together, -1 where one falls as the other rises; equal values share their mean rank.
// 0 where all values of a side are equal. a and b are of one length.
double rankCorrelation(std::span<const double> a, std::span<const double> b);

} // namespace warpglass
