// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/cuda/cuda_backend.h"

#include <string>
#include <vector>

namespace warpglass::cuda {

// All GPUs the driver lists. Call loadDriver() first: it says why there are none.
std::vector<CudaDevice> listDevices();

// The device somebody means by an ordinal, a part of a name, or nothing.
Result<CudaDevice> chooseDevice(const std::vector<CudaDevice>& devices, const std::string& wanted);

} // namespace warpglass::cuda
