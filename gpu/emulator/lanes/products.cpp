// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/lanes/products.h"

#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/lanes/fragment_products.h"

namespace warpglass::emulator {

const Products& products() {
#if defined(WARPGLASS_EMULATOR_AVX2)
    static const bool newer = hasAvx2();
    if (newer)
        return avx2::matrixProducts;
#endif
    return baseline::matrixProducts;
}

const FragmentProducts* fragmentProducts() {
#if defined(WARPGLASS_EMULATOR_AVX2)
    static const bool there = hasAvx512() && __builtin_cpu_supports("avx512vnni");
    if (there)
        return &avx512::fragmentProducts;
#endif
    return nullptr;
}

} // namespace warpglass::emulator
