// SPDX-License-Identifier: GPL-3.0-or-later
// What libFuzzer calls, and what is called for it. WARPGLASS_FUZZ_TARGET: which of targets.h this program is.
//
// Every comparison of the program tells libFuzzer both its numbers, out of which it makes inputs that come further. That
// costs a third of the time, and for most inputs it is for nothing: one in sixteen tells them (the linker leads the calls
// here, see CMakeLists.txt).
#include "tests/fuzz/targets.h"

#include <cstddef>
#include <cstdint>
#include <iostream>

namespace {

bool tells = true;

} // namespace

#define WARPGLASS_TOLD(name, number)                                                                                   \
    extern "C" void __real___sanitizer_cov_trace_##name(number, number);                                               \
    extern "C" __attribute__((no_sanitize("address", "undefined",                                                      \
                                          "coverage"))) void __wrap___sanitizer_cov_trace_##name(number a, number b) { \
        if (tells) [[unlikely]]                                                                                        \
            [[clang::musttail]] return __real___sanitizer_cov_trace_##name(a, b); /* which sees who has called */      \
    }
WARPGLASS_TOLD(cmp1, std::uint8_t)
WARPGLASS_TOLD(cmp2, std::uint16_t)
WARPGLASS_TOLD(cmp4, std::uint32_t)
WARPGLASS_TOLD(cmp8, std::uint64_t)
WARPGLASS_TOLD(const_cmp1, std::uint8_t)
WARPGLASS_TOLD(const_cmp2, std::uint16_t)
WARPGLASS_TOLD(const_cmp4, std::uint32_t)
WARPGLASS_TOLD(const_cmp8, std::uint64_t)

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    std::cerr.setstate(std::ios::badbit); // what a command line says of wrong words; findings are told without it
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static std::uint32_t inputs = 0;
    tells = inputs++ % 16 == 0;
    warpglass::fuzz::WARPGLASS_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}
