// SPDX-License-Identifier: GPL-3.0-or-later
// Of programs of the runtime: a failed call ends the program with its line and exit status 1.
#pragma once

#include "want.h"

#include <cuda_runtime.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const cudaError_t status = (call);                                                                             \
        if (status != cudaSuccess) {                                                                                   \
            std::printf("line %d: %s is %s\n", __LINE__, #call, cudaGetErrorName(status));                             \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)
