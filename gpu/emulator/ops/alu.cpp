// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/alu.h"

namespace warpglass::emulator {

Handler aluHandler(const AluKey& key) {
#if defined(WARPGLASS_EMULATOR_AVX2)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi"))
        for (const auto family :
             {avx2::arithmeticHandler, avx2::compareHandler, avx2::convertHandler, avx2::bitsHandler})
            if (const Handler handler = family(key))
                return handler;
#endif
    for (const auto family :
         {baseline::arithmeticHandler, baseline::compareHandler, baseline::convertHandler, baseline::bitsHandler})
        if (const Handler handler = family(key))
            return handler;
    return nullptr;
}

} // namespace warpglass::emulator
