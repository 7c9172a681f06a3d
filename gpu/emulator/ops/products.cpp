// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/products.h"

#include "gpu/emulator/ops/alu.h"

namespace warpglass::emulator {

const Products& products() {
#if defined(WARPGLASS_EMULATOR_AVX2)
    static const bool newer = hasAvx2();
    if (newer)
        return avx2::matrixProducts;
#endif
    return baseline::matrixProducts;
}

} // namespace warpglass::emulator
