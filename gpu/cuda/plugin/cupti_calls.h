// SPDX-License-Identifier: GPL-3.0-or-later
// How CUPTI's functions are called: each takes a struct that begins with its own size, and says what went wrong as a number.
#pragma once

#include "gpu/cuda/plugin/cupti_library.h"

namespace warpglass::cuda {

template <typename Params>
Params params(std::size_t structSize) {
    Params p{};
    p.structSize = structSize;
    return p;
}

} // namespace warpglass::cuda

#define WARPGLASS_PARAMS(Type) ::warpglass::cuda::params<Type>(Type##_STRUCT_SIZE)

// In a function that returns a Result and has a `cupti`.
#define WARPGLASS_TRY(call, what)                                                                                      \
    if (const CUptiResult code = (call); code != CUPTI_SUCCESS)                                                        \
    return errorOf(cupti, code, what)
