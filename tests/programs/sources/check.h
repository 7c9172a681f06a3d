// SPDX-License-Identifier: GPL-3.0-or-later
// What the test programs share: a failed call or a wrong value ends the program with its line and exit status 1.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const cudaError_t status = (call);                                                                             \
        if (status != cudaSuccess) {                                                                                   \
            std::printf("line %d: %s is %s\n", __LINE__, #call, cudaGetErrorName(status));                             \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

#define WANT(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::printf("line %d: %s does not hold\n", __LINE__, #condition);                                          \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

inline int passed() {
    std::printf("passed\n");
    return 0;
}
