// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/alu.h"
#include "gpu/emulator/run/exec.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace warpglass::emulator {

namespace baseline {
#include "gpu/emulator/ops/alu_ops.inl"
}

Handler aluHandler(const AluKey& key) {
#if defined(WARPGLASS_EMULATOR_AVX2)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi"))
        return avx2::aluHandler(key);
#endif
    return baseline::aluHandler(key);
}

} // namespace warpglass::emulator
