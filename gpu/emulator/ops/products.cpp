// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/products.h"

#if defined(WARPGLASS_EMULATOR_AVX2)
#include <cpuid.h>
#endif

namespace warpglass::emulator {

#if defined(WARPGLASS_EMULATOR_AVX2)
namespace {

// __builtin_cpu_supports knows this one in GCC alone.
bool hasF16c() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

} // namespace
#endif

const Products& products() {
#if defined(WARPGLASS_EMULATOR_AVX2)
    static const bool newer =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") && hasF16c();
    if (newer)
        return avx2::matrixProducts;
#endif
    return baseline::matrixProducts;
}

} // namespace warpglass::emulator
