// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/shadow/note_passes.h"

namespace warpglass::emulator {

bool hasAvx2() {
#if defined(WARPGLASS_EMULATOR_AVX2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi");
#else
    return false;
#endif
}

bool hasAvx512() {
#if defined(WARPGLASS_EMULATOR_AVX2)
    return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

#if defined(WARPGLASS_EMULATOR_AVX2)
#define WARPGLASS_CHOOSE(family, ...) hasAvx2() ? avx2::family(__VA_ARGS__) : baseline::family(__VA_ARGS__)
#else
#define WARPGLASS_CHOOSE(family, ...) baseline::family(__VA_ARGS__)
#endif

#if defined(WARPGLASS_EMULATOR_AVX2)
// Of what there is for AVX-512, too: a name, or a call.
#define WARPGLASS_CHOOSE_WIDEST(family) hasAvx512() ? avx512::family : hasAvx2() ? avx2::family : baseline::family
#else
#define WARPGLASS_CHOOSE_WIDEST(family) baseline::family
#endif
Handler aluHandler(const AluKey& key) {
    if (const Handler handler = WARPGLASS_CHOOSE(arithmeticHandler, key))
        return handler;
    if (const Handler handler = WARPGLASS_CHOOSE(compareHandler, key))
        return handler;
    if (const Handler handler = WARPGLASS_CHOOSE(convertHandler, key))
        return handler;
    return WARPGLASS_CHOOSE(bitsHandler, key);
}
Handler halfHandler(const HalfPart& part) {
    return WARPGLASS_CHOOSE(halfHandler, part);
}
Handler halfCompareHandler(bool bf16) {
    return WARPGLASS_CHOOSE(halfCompareHandler, bf16);
}
Handler setHandler() {
    return WARPGLASS_CHOOSE(setHandler);
}
Handler roundedHandler(FloatOp op, ptx::Type type) {
    return WARPGLASS_CHOOSE(roundedHandler, op, type);
}
Handler approximateHandler(FloatOp op) {
    return WARPGLASS_CHOOSE_WIDEST(approximateHandler(op));
}
Handler divisionHandler(ptx::Type type, bool remainder) {
    return WARPGLASS_CHOOSE_WIDEST(divisionHandler(type, remainder));
}
Handler realConvertHandler(ptx::Type to, ptx::Type from) {
    return WARPGLASS_CHOOSE(realConvertHandler, to, from);
}
Handler packedConvertHandler(const ConvertPart& part) {
    return WARPGLASS_CHOOSE(packedConvertHandler, part);
}
Handler videoHandler(ptx::Opcode opcode) {
    return WARPGLASS_CHOOSE(videoHandler, opcode);
}
const AddressPasses& addressPasses() {
    return WARPGLASS_CHOOSE_WIDEST(addressPasses);
}
const NotePasses& notePasses() {
    return WARPGLASS_CHOOSE_WIDEST(notePasses);
}
SortedCounts sortedCounts() {
#if defined(WARPGLASS_EMULATOR_AVX2)
    if (hasAvx2())
        return {&avx2::countSectors, &avx2::countPasses, &avx2::countPartPasses};
#endif
    return {&baseline::countSectors, &baseline::countPasses, &baseline::countPartPasses};
}
KeepEqual keepEqualFunction() {
#if defined(WARPGLASS_EMULATOR_AVX2)
    if (hasAvx2())
        return &avx2::keepEqual;
#endif
    return &baseline::keepEqual;
}

} // namespace warpglass::emulator
