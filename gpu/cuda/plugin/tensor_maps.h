// SPDX-License-Identifier: GPL-3.0-or-later
// The 128 bytes of a tensor map, as the driver makes them.
#pragma once

#include "gpu/cuda/plugin/driver.h"
#include "gpu/launch/tensor_map.h"

#include <cstddef>
#include <vector>

namespace warpglass::cuda {

// base: address of the map's buffer on the device, without its offset.
Result<std::vector<std::byte>> encodeTensorMap(const Driver& driver, const TensorMap& map, std::uint64_t base);

} // namespace warpglass::cuda
