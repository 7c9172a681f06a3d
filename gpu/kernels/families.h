// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/kernels/catalogue.h"

namespace warpglass::kernels {

// The entries of each family, in gallery order.
std::vector<CatalogueEntry> divergenceKernels();
std::vector<CatalogueEntry> indexKernels();
std::vector<CatalogueEntry> vectorKernels();
std::vector<CatalogueEntry> matrixKernels();
std::vector<CatalogueEntry> reduceGlobalKernels();
std::vector<CatalogueEntry> reduceSharedKernels();
std::vector<CatalogueEntry> memoryKernels();
std::vector<CatalogueEntry> atomicKernels();
std::vector<CatalogueEntry> pipelineKernels();
std::vector<CatalogueEntry> nestedKernels();
std::vector<CatalogueEntry> deviceKernels();

} // namespace warpglass::kernels
