// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/products.h"

namespace warpglass::emulator {

const Products& products() {
#if defined(WARPGLASS_EMULATOR_AVX2)
    static const bool newer = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                              __builtin_cpu_supports("bmi") && __builtin_cpu_supports("f16c");
    if (newer)
        return avx2::matrixProducts;
#endif
    return baseline::matrixProducts;
}

} // namespace warpglass::emulator
