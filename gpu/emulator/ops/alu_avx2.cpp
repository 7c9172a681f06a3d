// SPDX-License-Identifier: GPL-3.0-or-later
// The same arithmetic for processors with AVX2 and FMA; compiled only for x86-64 (CMakeLists.txt).
#if defined(WARPGLASS_EMULATOR_AVX2)
#include "gpu/emulator/ops/alu.h"
#include "gpu/emulator/run/exec.h"

#include <immintrin.h>

namespace warpglass::emulator::avx2 {
#include "gpu/emulator/ops/alu_ops.inl"
}
#endif
